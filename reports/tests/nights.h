/* Databases made for tests: runs of one input each, with what is found in it.
 * Everything here ends the case when it fails. */
#ifndef REPORTS_TESTS_NIGHTS_H
#define REPORTS_TESTS_NIGHTS_H

#include "reports/store.h"

typedef struct nights {
    char folder[48];
    char path[64];
} nights;

nights nights_begin(void);
void nights_end(const nights *m);

report_store *nights_open(const nights *m, report_mode mode);
void nights_close(report_store *store);

/*
 * A run with these options in which the input in/p.py, whose text is `words`,
 * has an error hazard.raw for each signature in `words` (with blanks between);
 * "crashed", "timed_out": that happened with the input.
 */
void nights_run(const nights *m, const char *options, const char *words);
/* The same for an input of this path. */
void nights_run_of(const nights *m, const char *options, const char *path,
                   const char *words);
/* The same for several inputs. */
typedef struct nights_input {
    const char *path, *words;
} nights_input;
void nights_run_all(const nights *m, const char *options,
                    const nights_input *inputs, size_t count);
/* A run without an input and an end. */
void nights_interrupted(const nights *m, const char *options);

/* Runs SQL text; asks for one number. */
void nights_sql(const nights *m, const char *sql);
int64_t nights_ask(const nights *m, const char *sql);

#endif
