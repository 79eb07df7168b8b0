/* What verbs write into a database of results (reports/store.h). */
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include "case.h"
#include "options.h"
#include "reports/store.h"

#define CLI_KEEP_NOW 32

/* The time, UTC, as a run begins or ends with; empty where there is none. */
void cli_keep_now(char text[CLI_KEEP_NOW]);

/* What the answers of a verb (run, replay) depend on, and what was named: the
 * options of a run. */
void cli_keep_options(cli_text *out, const char *verb,
                      const cli_options *options);

/* What the database has of a finding, which keeps its texts. */
void cli_keep_finding(report_finding *to, const cli_finding *f);

/*
 * Adds a case with its findings to the open transaction of a run. `group` may
 * be empty; `details` is a JSON object. *status says what became of it. False
 * only when memory ran out; then it is not set.
 */
bool cli_keep_case(report_status *status, report_store *store, int64_t run,
                   const cli_case *c, const char *group, const char *details,
                   report_error *error);

#endif
