/* What the parts of the HTML report share. */
#ifndef REPORTS_HTML_PAGE_H
#define REPORTS_HTML_PAGE_H

#include "results.h"

/* So many causes are listed, and the worst of them have all details. */
#define REPORT_ISSUES_MOST 10000
#define REPORT_DETAILS 1000

typedef struct report_html {
    report_writing *w;
    FILE *out;
    int64_t inputs, findings;
    int64_t errors, warnings, notes; /* findings of each severity */
} report_html;

/* --- Texts (html_text.c) --- */

/* Markup of our own. */
void report_html_put(report_html *p, const char *markup);

/* What inputs say, as text or within a value in double quotes; at most so many
   bytes of it. */
void report_html_start(report_html *p, const char *text, size_t most);

/* "1 error", "2 errors". */
void report_html_plural(report_html *p, int64_t n, const char *one);

/*
 * A text within a script element of type application/json, with its quotes:
 * escaped so that a reader of JSON gets it as it is, and one of HTML finds no
 * end and no comment. What is no UTF-8 becomes U+FFFD; false: there was some.
 */
bool report_html_string(report_html *p, const char *text, size_t length);

/* --- Rows --- */

const char *report_html_column(sqlite3_stmt *row, int index); /* never NULL */
long long report_html_number(sqlite3_stmt *row, int index);

/* Calls `write` for every row of a statement with the run as ?1; *count
 * (or NULL) is how many there were. */
typedef void report_html_row(report_html *p, sqlite3_stmt *row, size_t index);
report_status report_html_each(report_html *p, const char *sql,
                               report_html_row *write, size_t *count);

/*
 * The issues up to a run, the worst first: heads of buckets (html_data.c).
 */
enum {
    ISSUE_BUCKET,
    ISSUE_SEVERITY,
    ISSUE_STATE,
    ISSUE_RULE,
    ISSUE_TITLE,
    ISSUE_PATH,
    ISSUE_LINE,
    ISSUE_HERE, /* findings of the run */
    ISSUE_ALL,  /* of all runs */
    ISSUE_FIRST,
    ISSUE_LAST,
    ISSUE_GONE,
    ISSUE_CAUSE,
    ISSUE_SIGNATURE,
    ISSUE_NOTE,
    ISSUE_LABELS,
    ISSUE_UNTIL, /* NULL: the known issues do not name it */
    ISSUE_OWNER,
    ISSUE_WHY,
    ISSUE_EXPIRED
};
extern const char report_html_issues[];
extern const char report_html_issue_count[];
/* How many are in each state, the states in their order; how many have a line
   of the known issues that has expired, as the state "expired". */
extern const char report_html_state_counts[];

/* --- Parts --- */

report_status report_html_trend(report_html *p);

/* The details as JSON. */
report_status report_html_data(report_html *p);

#endif
