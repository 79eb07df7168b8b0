/*
 * The inputs under the paths of a command line. Under a folder: the last
 * *_after_Simplify.py of each passes_dump, every other dump that lies in a
 * folder without one (certified_ruff.py beside a passes_dump is a second
 * layout and is left out), and every Score, task graph, bundle, memory plan
 * and record by content (*.json); sorted by the bytes of their paths.
 * Symbolic links to folders are not followed. A file that is named is always
 * taken.
 */
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_found {
    char *path;       /* as named, the found part behind it */
    const char *name; /* within path: relative to the named folder; of a */
                      /* named file its last part: the same on any machine */
    bool is_named;    /* it is an argument, not found under one */
    char *problem;    /* why it cannot be read, or NULL */
} cli_found;

typedef struct cli_search {
    cli_found *items;
    size_t count;
    size_t capacity;
    char **notes; /* what was left out and may surprise: a line each */
    size_t note_count;
    bool dumps_only; /* set before: take no *.json under a folder */
    bool failed;     /* out of memory */
} cli_search;

/* Adds what the argument `path` stands for. */
void cli_search_add(cli_search *search, const char *path);
/*
 * Adds the stages (NN_after_PASS.py) of the folder that a dump lies in, by
 * their numbers; none when its own name is no such.
 */
void cli_search_add_stages(cli_search *search, const char *dump);
/* The number of a stage, and where its PASS begins; false: it is none. */
bool cli_stage_parse(int64_t *number, const char **pass, const char *path);
void cli_search_free(cli_search *search);

/* "a/b" and "c": "a/b/c"; the caller frees it. NULL: out of memory. */
char *cli_path_join(const char *folder, const char *name);

#endif
