/*
 * The reader for PyPTO text dumps (spec 08) and what is made of one: a bundle
 * with the task-graph document (spec 09) and, where the program is eligible,
 * its Score (spec 01, 02, 05).
 */
#ifndef SONATA_DUMP_H
#define SONATA_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sonata/error.h"

/* What planning is at. A large program is expanded more than once. */
typedef enum sonata_dump_phase {
    SONATA_DUMP_READ,   /* the text */
    SONATA_DUMP_EXPAND, /* the orchestration, task by task */
    SONATA_DUMP_WRITE,  /* the task graph, and at the end the bundle */
    SONATA_DUMP_SCORE   /* the Score, or why there is none */
} sonata_dump_phase;

typedef struct sonata_dump_options {
    const char *rules;  /* "tensormap" (NULL: this) or "conservative" */
    const char *policy; /* "dataflow_v0" (NULL: this) or "sequential_v0" */
    uint64_t max_tasks; /* 0: 100,000 */
    /*
     * Called as each phase begins, for a caller who measures; or NULL. A
     * phase ends where the next begins, the last with the planning. Nothing
     * that is planned depends on it.
     */
    void (*begins)(void *context, sonata_dump_phase phase);
    void *context;
} sonata_dump_options;

/*
 * True when the text claims to be a dump: its first line that is not blank
 * begins with "# pypto.program:". PyPTO prints that line above every dump; a
 * program's source has "@pl.program" too, but not that line. O(blanks).
 */
bool sonata_dump_detect(const char *text, size_t length);

/*
 * Reads a dump and plans it. On SONATA_OK *bundle is the text of a bundle
 * (canonical compact JSON, NUL behind it, *bundle_length bytes), which the
 * caller frees with free(). The text need not be NUL-terminated and is not
 * kept. Errors: SONATA_SYNTAX, SONATA_RANGE, SONATA_UNSUPPORTED (line and
 * column always set), SONATA_NO_MEMORY. Cost: linear in the text, and in
 * tasks x arguments of what it expands to.
 */
sonata_status sonata_dump_plan(char **bundle, size_t *bundle_length,
                               const char *text, size_t length,
                               const sonata_dump_options *options,
                               sonata_error *error);

#endif
