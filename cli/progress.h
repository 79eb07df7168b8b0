/*
 * How far a batch is, in one line that is written over and over on standard
 * error, when that is a terminal.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_progress {
    bool on;
    bool visible; /* the line stands there */
    int64_t next; /* ms: when it is shown again at the earliest */
    size_t inputs;
    int64_t done, findings;
} cli_progress;

/* What is under way. */
typedef struct cli_at {
    const char *path;  /* NULL: nothing */
    const char *part;  /* "judge" */
    const char *phase; /* of the part; "": not known */
    int64_t since;     /* us: when it was begun */
} cli_at;

/* Whether there is somebody to look at it. */
bool cli_progress_wanted(bool quiet);

void cli_progress_begin(cli_progress *progress, bool on, size_t inputs);

/* Shows the line when it is time; `at` may be NULL. */
void cli_progress_show(cli_progress *progress, const cli_at *at);

/* Before anything else is written to the terminal, and at the end. */
void cli_progress_clear(cli_progress *progress);

#endif
