/*
 * Triage: buckets over all runs, each as one issue with its state, and what
 * the file of known issues says of it. docs/reports.md has the states.
 *
 * Buckets that `join` made one are told as one, by their head. Texts live for
 * the call that gives them, and are never NULL but where that is said.
 */
#ifndef REPORTS_TRIAGE_H
#define REPORTS_TRIAGE_H

#include "reports/store.h"

/* --- The file of known issues --- */

typedef struct report_known {
    char signature[17];
    char until[11]; /* the last day on which it counts: "2027-03-31" */
    const char *owner, *reason;
    int64_t line;
} report_known;

/* Zero-initialise; free with report_known_free. */
typedef struct report_known_list {
    report_known *items; /* in the order of the file */
    size_t count;
    char *text;
} report_known_list;

/*
 * Reads lines of a signature, the day of expiry, an owner and a reason, with
 * blanks between; an empty line or one that begins with # is none.
 * REPORT_FOREIGN: some line is malformed, or names what an earlier one names;
 * the message begins with "line N". O(length log length). The list is empty on
 * failure.
 */
report_status report_known_read(report_known_list *list, const char *text,
                                size_t length, report_error *error);
void report_known_free(report_known_list *list);

/* --- Issues --- */

typedef enum report_state {
    REPORT_STATE_NEW, /* the last run of its kind is the first to have it */
    REPORT_STATE_REAPPEARED, /* it was fixed, and the last run that has it
                          brought it back */
    REPORT_STATE_OPEN,
    REPORT_STATE_FLAKY, /* asked again, it came at some times and not at others
                         */
    REPORT_STATE_NAMED, /* "known": the file names it, and has not expired */
    REPORT_STATE_FIXED,
    REPORT_STATES
} report_state;

/* "new", "reappeared", "open", "flaky", "known", "fixed". */
const char *report_state_name(report_state state);

typedef struct report_issue {
    int64_t bucket;
    report_state state;
    const char *severity, *rule, *cause, *signature, *part, *title;
    int64_t n; /* findings: of the run that was asked for, or of all */
    int64_t first_run, last_run;
    int64_t gone_run, back_run; /* 0: none */
    int64_t times, shown;       /* of the last rerun; 0 times: none */
    const char *path;           /* an example, of the last run that has it */
    int64_t line;               /* of it; 0: none */
    const char *message;        /* of it */
    const char *until;          /* of the file of known issues; "": not in it */
    const char *owner, *reason;
    bool expired;
    const char *labels; /* with ", " between */
    const char *joined; /* the buckets that are shown as this one, so, too */
    const char *note;
    bool
        missed; /* the other run, which has not got it, could not have shown it:
                   some of its inputs crashed, timed out or were not there */
} report_issue;

/* False ends the calls. */
typedef bool report_see_issue(void *context, const report_issue *issue);

/*
 * From here on issues of this store, and what its writers tell, are compared
 * with `known` (NULL: with none) as of `today`; has to be called before
 * report_each_issue. Nothing of it is written to the file. O(known issues).
 */
report_status report_triage(report_store *store, const report_known_list *known,
                            const char *today, report_error *error);

typedef struct report_question {
    /* 0: all issues as they are now; else those that this run has, as they
       were then (no run after it counts). */
    int64_t run;
    /* With `run`: of its issues those that this run has (`both`), or has not;
       0: all of them. */
    int64_t other;
    bool both;
    /* Without `run`: those that are new after this run, or came back after it;
       0: all of them. */
    int64_t since;
    const char *state; /* of this state alone; NULL: all, but those fixed */
    const char *rule;  /* of this rule alone, or NULL */
    bool all;          /* those fixed, too */
    int64_t bucket;    /* this one alone (fixed or not); 0: all */
} report_question;

/*
 * Calls `see` for each, the worst first (docs/reports.md). O(buckets log
 * buckets).
 */
report_status report_each_issue(report_store *store,
                                const report_question *question,
                                report_see_issue *see, void *context,
                                report_error *error);

/*
 * The bucket that a word names: its number, or the first four or more digits
 * of its signature. *bucket is the bucket itself, *head what it is shown as.
 * REPORT_MISSING: none, or several (the message has them).
 */
report_status report_find_bucket(int64_t *bucket, int64_t *head,
                                 report_store *store, const char *word,
                                 report_error *error);

/* A run as triage tells of it; texts as of a bucket. */
typedef struct report_run_info {
    int64_t run;
    const char *verb; /* "" for a database of before */
    const char *tool, *options, *revision, *digest; /* "": none */
    int64_t n;        /* findings of the bucket that was asked for */
    const char *path; /* of the first of them */
    int64_t line;
} report_run_info;

typedef bool report_see_run(void *context, const report_run_info *run);

/* The runs that have a bucket (a head), the last ones first, at most `most`. */
report_status report_each_run_of(report_store *store, int64_t bucket,
                                 int64_t most, report_see_run *see,
                                 void *context, report_error *error);

/* One run; REPORT_MISSING when there is none of this number. 0: the last that
 * looked at inputs. */
report_status report_see_one_run(report_store *store, int64_t run,
                                 report_see_run *see, void *context,
                                 report_error *error);

/*
 * What differs between two runs so that they did not look at the same inputs
 * in the same way: *differs is a list of names of options, "" for none; free
 * it with free(). "interrupted" is among them when the second has no end.
 */
report_status report_compare_options(char **differs, report_store *store,
                                     int64_t first, int64_t second,
                                     report_error *error);

/* The smallest case of a bucket. */
typedef struct report_example {
    int64_t run, number;
    int64_t bucket; /* the member of the head that it is of */
    int64_t bytes;  /* of the input; -1: its text was not kept */
    char *path, *sha256;
    char *message;
    char *json; /* the whole finding; "": it was pruned */
    char *tool; /* version that found it */
    char *rule, *signature, *severity; /* of the member */
    report_stored stored;              /* the case, where its text is there */
} report_example;

/*
 * `joined`: of all that is shown as this bucket. REPORT_MISSING: there is no
 * such bucket. Free with report_example_free.
 */
report_status report_find_example(report_example *example, report_store *store,
                                  int64_t bucket, bool joined,
                                  report_error *error);
void report_example_free(report_example *example);

/* Between which runs a bucket came, the last time that it did. */
typedef struct report_range {
    int64_t bad;  /* the first run that has it; 0: reruns alone have */
    int64_t good; /* the last one before that could have shown it, 0: none: of
                     the same options, to its end, its input judged */
    bool changed; /* the input of its first case has other bytes in `good` */
} report_range;
report_status report_find_range(report_range *range, report_store *store,
                                int64_t bucket, report_error *error);

/* --- What people say of a bucket --- */

/*
 * Each of these is one transaction; the store is open for writing, without an
 * open one. On failure nothing has changed.
 */

/* What is NULL stays as it is. */
typedef struct report_saying {
    const char *note;    /* "": it has none any more */
    const char *label;   /* is put on */
    const char *unlabel; /* is taken off; no failure when it is not on */
} report_saying;
report_status report_say(report_store *store, int64_t bucket,
                         const report_saying *what, report_error *error);

/*
 * From here on the bucket is shown as `to`, or as what `to` is shown as; with
 * itself: on its own again. REPORT_MISSING: other buckets are shown as it.
 */
report_status report_join(report_store *store, int64_t bucket, int64_t to,
                          report_error *error);

/*
 * Findings of the cause of `bucket` in inputs whose path is like `pattern`
 * (GLOB: * ? [...]) become a bucket of their own, *part, those that are there
 * and those to come; of several patterns the longest counts. *moved: how many.
 * Those of runs that were pruned stay where they are. REPORT_MISSING: the
 * pattern takes none, or all that a bucket has. O(findings of the bucket +
 * summary rows).
 */
report_status report_split(int64_t *part, int64_t *moved, report_store *store,
                           int64_t bucket, const char *pattern,
                           report_error *error);
/*
 * The way back: the part joins what it was taken out of, *whole, with its
 * labels, and its note when that has none; what was asked of the part again is
 * forgotten. REPORT_MISSING: it is no part.
 */
report_status report_unsplit(int64_t *whole, report_store *store,
                             int64_t bucket, report_error *error);

typedef struct report_rerun {
    int64_t bucket;
    int64_t times, shown;
} report_rerun;

/*
 * Adds a run of its own, whose number is *run, in which the cases of buckets
 * were asked again; `digest` is of what was answered. Shown at no time, a
 * bucket is gone with this run; shown at some, one that was gone is back.
 * O(summary rows).
 */
report_status report_add_reruns(int64_t *run, report_store *store,
                                const report_run *what, const char *digest,
                                const report_rerun *reruns, size_t count,
                                report_error *error);

#endif
