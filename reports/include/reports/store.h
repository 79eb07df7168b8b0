/*
 * The database of runs: one SQLite file with runs, inputs (by the SHA-256 of
 * their bytes, which are kept), verdicts and findings, and summary rows that
 * are kept in the same transactions. docs/formats.md describes the tables.
 *
 * What report_commit has written is there after kill -9 (write-ahead log,
 * synchronous=NORMAL). One writer at a time; others wait up to 10 seconds.
 */
#ifndef REPORTS_STORE_H
#define REPORTS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_SCHEMA_VERSION 3

/* What findings of one cause share is made in this way; the oracle's text of
 * which a signature is the digest begins with it ("signature/1"). */
#define REPORT_SIGNATURE_VERSION 1

/* The longest pattern of `triage split`, with its NUL. */
#define REPORT_PART 256

typedef enum report_status {
    REPORT_OK = 0,
    REPORT_OPEN,    /* the file cannot be opened, not be written, is locked */
    REPORT_FOREIGN, /* no database of this program, a damaged or newer one */
    REPORT_MISSING, /* no such run */
    REPORT_FAILED,  /* SQLite failed: disk full, file too large */
    REPORT_NO_MEMORY
} report_status;

typedef struct report_error {
    report_status status;
    char message[512]; /* one sentence */
} report_error;

typedef struct report_store report_store;

typedef enum report_mode {
    REPORT_READ, /* must exist */
    REPORT_WRITE /* made when it does not exist */
} report_mode;

/*
 * On REPORT_OK close *store with report_close. A file of an older version is
 * read through a copy in memory, and brought up to date when it is opened for
 * writing.
 */
report_status report_open(report_store **store, const char *path,
                          report_mode mode, report_error *error);

/*
 * Commits what is open, moves the log into the file, so that one file is
 * left, and frees the store (also on failure). NULL is allowed.
 */
report_status report_close(report_store *store, report_error *error);

typedef struct report_run {
    const char *tool;     /* version of the program */
    const char *options;  /* JSON: what the answers depend on */
    const char *revision; /* commit of what is tested, or NULL */
    const char *started;  /* UTC, "2026-08-01T12:00:00Z"; not in any report */
} report_run;

/* Begins a run behind those already there; *run is its number, from 1. */
report_status report_begin_run(int64_t *run, report_store *store,
                               const report_run *what, report_error *error);

typedef struct report_finding {
    const char *rule;
    const char *severity;  /* "error", "warning", "note" */
    const char *cause;     /* or NULL */
    const char *signature; /* 16 hex digits */
    const char *message;
    int64_t line; /* 0: none */
    const char *json;
    size_t json_length;
} report_finding;

typedef struct report_case {
    int64_t number;     /* within the run, from 1 */
    const char *path;   /* as shown */
    const char *name;   /* relative to the folder that was named */
    const char *sha256; /* of the text, or NULL: it was not read */
    const char *kind;   /* "dump", "score", ... */
    const char *text;
    size_t length;
    const char *verdict; /* "clean", ..., "crashed", "timed_out" */
    const char *reason;  /* why refused, crashed, undecided; or NULL */
    const char *group;   /* what the summary counts it by, or NULL */
    const char *details; /* JSON: assumptions and undecided parts */
    bool partial;        /* some part could not be decided */
    bool counted;        /* its verdict is among the counts of a block */
    const report_finding *findings;
    size_t count;
    int64_t total; /* of the findings, when not all are listed */
} report_case;

/*
 * Adds a case with its findings to the open transaction, which it begins
 * where there is none. All is copied. A failure drops the transaction: what
 * was committed before is left. O(size of the case).
 */
report_status report_add_case(report_store *store, int64_t run,
                              const report_case *what, report_error *error);

/*
 * A block of a run of many cases, of which only those with something to tell
 * are added each: its cases are counted by report_add_count.
 */
typedef struct report_block {
    int64_t block; /* from 0 */
    int64_t first, cases;
    const char *digest; /* 64 hex digits */
    const char *counts; /* JSON: what it adds to the counts */
} report_block;

/* Adds a block to the open transaction, as report_add_case does. */
report_status report_add_block(report_store *store, int64_t run,
                               const report_block *what, report_error *error);

/* Adds n to a summary row, in the open transaction, too. */
report_status report_add_count(report_store *store, int64_t run,
                               const char *what, const char *key, int64_t n,
                               report_error *error);

/*
 * The last run without an end of the same tool and options; *run is 0 when
 * there is none.
 */
report_status report_find_unfinished(int64_t *run, report_store *store,
                                     const char *tool, const char *options,
                                     report_error *error);

/* Each block of a run in order; texts live for the call. False ends it. */
typedef bool report_see_block(void *context, const report_block *block);
report_status report_each_block(report_store *store, int64_t run,
                                report_see_block *see, void *context,
                                report_error *error);

/* Findings of one signature, and the first of them. */
typedef struct report_bucket {
    const char *signature, *rule, *cause; /* cause: "" for none */
    const char *path, *message;
    int64_t number, n;
} report_bucket;

/* Each bucket of a run, by its first case, as above. */
typedef bool report_see_bucket(void *context, const report_bucket *bucket);
report_status report_each_bucket(report_store *store, int64_t run,
                                 report_see_bucket *see, void *context,
                                 report_error *error);

/* What is kept of a case; texts are from malloc. */
typedef struct report_stored {
    int64_t number;
    char *name, *kind;
    char *details;   /* JSON */
    char *options;   /* of the run, JSON */
    char *signature; /* of its first finding of the gravest; "": none */
    char *rule;      /* of that, too */
    char *text;      /* NUL behind it */
    size_t length;
} report_stored;

/*
 * The case of this number in a run (0: the last), or the first with a finding
 * of this signature, when that is not NULL. REPORT_MISSING: there is none, or
 * its text was not kept. Free with report_stored_free.
 */
report_status report_find_case(report_stored *stored, report_store *store,
                               int64_t run, int64_t number,
                               const char *signature, report_error *error);
void report_stored_free(report_stored *stored);

/* Makes all that was added last. No effect without an open transaction. */
report_status report_commit(report_store *store, report_error *error);

/*
 * Ends a run: its digest, and when it ended. Commits. A run without an end
 * was interrupted.
 */
report_status report_finish_run(report_store *store, int64_t run,
                                const char *digest, const char *finished,
                                int64_t milliseconds, report_error *error);

#endif
