/* What the gate checks: the cases below the paths, each once, by name. */
#ifndef CLI_GATE_INPUTS_H
#define CLI_GATE_INPUTS_H

#include "gate_files.h"
#include "search.h"

typedef struct cli_gate_inputs {
    cli_search search; /* sorted by name of the case */
    char **names;      /* of search.items */
    size_t name_count; /* of names; all of them, once it is done */
    cli_names files;   /* golden files of the cases, sorted */
    cli_names scopes;  /* golden file names below these are looked at */
    cli_names gone;    /* golden files of inputs that are not there */
    size_t unopened;   /* named, not there, and never a case */
} cli_gate_inputs;

/*
 * From `paths`, or without any from the index. False when memory ran out or
 * the current folder is unknown.
 */
bool cli_gate_find(cli_gate_inputs *inputs, const cli_index *index,
                   const char *golden, const char *const *paths, size_t count,
                   bool quiet);
/* True when the golden file lies below a scope, or there is none. */
bool cli_gate_in_scope(const cli_gate_inputs *inputs, const char *file);
void cli_gate_inputs_free(cli_gate_inputs *inputs);

#endif
