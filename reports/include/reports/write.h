/*
 * A run of the database in the formats that others read. Each writer goes
 * through the results of one run in order and holds none of them, so that
 * memory does not grow with their number; the same rows give the same bytes,
 * without any time in them.
 *
 * What names and messages of inputs hold is hostile: bytes that are no UTF-8,
 * control characters and those that turn the direction of text are written
 * visibly ("\x1B", "\u202E"), the rest is escaped as the format asks.
 *
 * What report_triage has been told of known issues, all of them tell: what is
 * known, and has not expired, is nothing new and makes nothing red.
 *
 * A writer gives REPORT_OK also when `out` has not taken everything: it ends
 * early, and ferror(out) says so. docs/reports.md has the mapping of verdicts
 * and findings to each format, and the limits of who reads it.
 */
#ifndef REPORTS_WRITE_H
#define REPORTS_WRITE_H

#include <stdio.h>

#include "reports/store.h"

/* What is known of a rule; texts outlive the call of the writer. */
typedef struct report_rule {
    const char *summary;  /* one line, or NULL */
    const char *help;     /* its page, Markdown, or NULL */
    const char *severity; /* the gravest that it can have, or NULL */
} report_rule;

/* False: there is no such rule. */
typedef bool report_find_rule(void *context, report_rule *rule,
                              const char *name);

typedef struct report_view {
    int64_t run;            /* 0: the last */
    const char *fail_on;    /* "error" (NULL), "warning", "note": what fails */
    const char *folder;     /* absolute: files below are told relative to it */
    report_find_rule *find; /* or NULL */
    void *context;          /* of it */
    const char *database;   /* as commands that are told name it, or NULL */
    bool color;             /* text: headings for a terminal */
} report_view;

typedef report_status report_writer(FILE *out, report_store *store,
                                    const report_view *view,
                                    report_error *error);

/* For people, and as one JSON object. Both read summary rows alone. */
report_writer report_write_text;
report_writer report_write_json;

/* JUnit XML: a suite for each kind of input. O(results). */
report_writer report_write_junit;

/* SARIF 2.1.0: the 25,000 gravest findings. O(findings log findings). */
report_writer report_write_sarif;

/*
 * A summary in Markdown for one screen: what was judged, and the worst ten
 * buckets with an example each. Reads summary rows alone.
 */
report_writer report_write_markdown;

/*
 * Workflow commands for GitHub: at most ten errors, ten warnings and ten
 * notices, which is what it shows of a step, one for each bucket, the worst
 * first; a last line tells how many more there are. Reads summary rows alone.
 */
report_writer report_write_github;

/* TAP version 14: a test for each input. O(results). */
report_writer report_write_tap;

/*
 * One HTML file with everything in it, for people: all causes up to the run,
 * the worst 1,000 with all details. O(causes).
 */
report_writer report_write_html;

#endif
