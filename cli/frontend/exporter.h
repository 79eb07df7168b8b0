/* The parsed exporter.json, shared by its two files. */
#ifndef CLI_FRONTEND_EXPORTER_H
#define CLI_FRONTEND_EXPORTER_H

#include <cjson/cJSON.h>

#include "readers.h"

typedef struct exporter_function {
    frontend_text name;
    const cJSON *json;
    const cJSON *body; /* NULL: none */
    uint32_t first_return, returns;
    uint32_t params; /* how many */
} exporter_function;

struct exporter_file {
    cJSON *json;
    exporter_function *functions; /* by name */
    uint32_t function_count;
    uint32_t *returns; /* position of the parameter, or FRONTEND_NONE */
    uint32_t return_count, return_room;
    uint32_t *candidates; /* functions[] */
    uint32_t candidate_count;
    uint64_t steps; /* left for all functions together */
};

/* Both give NULL or an empty text where there is no such thing. */
const cJSON *exporter_get(const cJSON *object, const char *name);
frontend_text exporter_text(const cJSON *object, const char *name);

const exporter_function *exporter_find(const exporter_file *file,
                                       frontend_text name);

/*
 * Runs one function's body. `results` (function->returns elements, or NULL)
 * gets for each returned value the position of the parameter that it is, or
 * FRONTEND_NONE.
 */
frontend_status exporter_run(frontend_outline *outline,
                             const exporter_file *file,
                             const exporter_function *function,
                             uint32_t *results);

#endif
