/*
 * Planning one input: a dump, a program in the JSON form of the IR, or a
 * Score. What is asked for comes from the options of a request
 * (docs/formats.md).
 */
#ifndef CLI_PLANNING_H
#define CLI_PLANNING_H

#include "json.h"
#include "phases.h"
#include "sonata/error.h"

/* NULL, false or 0: not given. */
typedef struct cli_plan_request {
    const char *kind; /* "dump", "ir", "score" */
    cli_span input;
    const char *rules, *policy, *memory, *profile, *regions;
    cli_span entry; /* name of the one function wanted; data NULL: all */
    const char *emit;
    bool certified;
    bool encodings; /* tell the digests of the Score's bytes, too */
    cli_span sizes; /* an object {key: bytes} */
    int64_t max_tasks;
    cli_watch *watch; /* told of the phases; NULL: nobody measures */
} cli_plan_request;

/*
 * Adds "bundle": {...}, "encodings": {...} where asked for, and, when there is
 * something to tell, "notes": [...] to an object. Errors: what the readers and
 * planners of the input refuse; SONATA_UNSUPPORTED (an option that the input
 * has no use for, or a word that is none of its values), SONATA_SCHEMA (sizes),
 * SONATA_NO_MEMORY.
 */
sonata_status cli_plan_make(cli_text *out, const cli_plan_request *request,
                            sonata_error *error);

#endif
