/* The golden folder: its index, its files, reading and writing them. */
#ifndef CLI_GATE_FILES_H
#define CLI_GATE_FILES_H

#include "text.h"

/* Strings that are owned. */
typedef struct cli_names {
    char **items;
    size_t count;
    size_t capacity;
} cli_names;

/* Takes over `name`; false (it is freed) when it is NULL or memory ran out. */
bool cli_names_add(cli_names *names, char *name);
/* By bytes, each once. */
void cli_names_sort(cli_names *names);
/* In sorted names. */
bool cli_names_have(const cli_names *names, const char *name);
void cli_names_free(cli_names *names);

/*
 * golden/index: `path PATTERN` lines say what is checked when nothing is
 * named, `case NAME` lines list the cases, so that a golden file that is lost
 * is told from a new case. Other lines are blank or comments.
 */
typedef struct cli_index {
    cli_text head; /* all lines but the cases */
    cli_names paths;
    cli_names cases; /* sorted */
    bool exists;
} cli_index;

/* A folder without an index has an empty one. False with a message. */
bool cli_index_read(cli_index *index, const char *folder, char *problem,
                    size_t problem_size);
/* Writes it when it differs from what is there. */
bool cli_index_write(const cli_index *index, const char *folder);
void cli_index_free(cli_index *index);

/* All golden files below the folder, relative to it, sorted. */
bool cli_golden_scan(cli_names *files, const char *folder);

/*
 * Writes a file whole or not at all, making folders on the way. False after
 * a message on standard error.
 */
bool cli_golden_write(const char *path, const cli_text *text);

/* True for the case `scope` and all below it; "" is everything. */
bool cli_scope_has(const char *scope, const char *name);

#endif
