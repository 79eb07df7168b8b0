/* Databases made for tests: runs of one input each, with what is found in it.
 * Everything here ends the case when it fails. */
#ifndef TESTS_MADE_H
#define TESTS_MADE_H

#include "reports/store.h"

typedef struct made {
    char folder[48];
    char path[64];
} made;

made made_begin(void);
void made_end(const made *m);

report_store *made_open(const made *m, report_mode mode);
void made_close(report_store *store);

/*
 * A run with these options in which the input in/p.py, whose text is `words`,
 * has an error hazard.raw for each signature in `words` (with blanks between);
 * "crashed": the input crashed.
 */
void made_run(const made *m, const char *options, const char *words);
/* The same for an input of this path. */
void made_run_of(const made *m, const char *options, const char *path,
                 const char *words);
/* A run without an input and an end. */
void made_interrupted(const made *m, const char *options);

/* Runs SQL text; asks for one number. */
void made_sql(const made *m, const char *sql);
int64_t made_ask(const made *m, const char *sql);

#endif
