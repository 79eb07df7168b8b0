#include "nights.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"

#define MOST 8
#define SIGNATURE ((size_t)16)

nights nights_begin(void)
{
    nights m = {.folder = "/tmp/counterpoint-nights-XXXXXX"};
    assert_non_null(mkdtemp(m.folder));
    snprintf(m.path, sizeof m.path, "%s/x.db", m.folder);
    nights_close(nights_open(&m, REPORT_WRITE));
    return m;
}

void nights_end(const nights *m)
{
    unlink(m->path);
    assert_int_equal(rmdir(m->folder), 0);
}

report_store *nights_open(const nights *m, report_mode mode)
{
    report_store *store = NULL;
    report_error error = {0};
    if (report_open(&store, m->path, mode, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    return store;
}

void nights_close(report_store *store)
{
    report_error error = {0};
    if (report_close(store, &error) != REPORT_OK)
        fail_msg("%s", error.message);
}

static int64_t begin_run(report_store *store, const char *options)
{
    int64_t run = 0;
    report_error error;
    report_run what = {"0.0.1", options, NULL, "2026-01-01T00:00:00Z"};
    assert_int_equal(report_begin_run(&run, store, &what, &error), REPORT_OK);
    return run;
}

static bool is_verdict(const char *words)
{
    return strcmp(words, "crashed") == 0 || strcmp(words, "timed_out") == 0;
}

/* The findings that `words` has; how many. */
static size_t list_findings(report_finding findings[MOST],
                            char signatures[MOST][SIGNATURE + 1],
                            const char *words)
{
    size_t count = 0;
    if (is_verdict(words))
        return 0;
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        assert_true(count < MOST && strlen(at) >= SIGNATURE);
        memcpy(signatures[count], at, SIGNATURE);
        signatures[count][SIGNATURE] = '\0';
        findings[count] = (report_finding){.rule = "hazard.raw",
                                           .severity = "error",
                                           .signature = signatures[count],
                                           .message = "not ordered",
                                           .json = "{}",
                                           .json_length = 2};
        count++;
        at += SIGNATURE;
    }
    return count;
}

static void add_case(report_store *store, int64_t run, int64_t number,
                     const char *path, const char *words)
{
    char sha[65], signatures[MOST][SIGNATURE + 1];
    report_finding findings[MOST];
    report_error error;
    size_t count = list_findings(findings, signatures, words);
    snprintf(sha, sizeof sha, "%.64s", words);
    report_case c = {
        .number = number,
        .path = path,
        .name = path,
        .sha256 = sha,
        .kind = "dump",
        .text = words,
        .length = strlen(words),
        .verdict = count > 0           ? "findings"
                   : is_verdict(words) ? words
                                       : "clean",
        .details = "{}",
        .findings = findings,
        .count = count,
        .total = (int64_t)count,
    };
    assert_int_equal(report_add_case(store, run, &c, &error), REPORT_OK);
}

void nights_run_all(const nights *m, const char *options,
                    const nights_input *inputs, size_t count)
{
    report_error error;
    report_store *store = nights_open(m, REPORT_WRITE);
    int64_t run = begin_run(store, options);
    for (size_t i = 0; i < count; i++)
        add_case(store, run, (int64_t)i + 1, inputs[i].path, inputs[i].words);
    assert_int_equal(report_finish_run(store, run, "0123",
                                       "2026-01-01T00:00:01Z", 1, &error),
                     REPORT_OK);
    nights_close(store);
}

void nights_run_of(const nights *m, const char *options, const char *path,
                   const char *words)
{
    nights_run_all(m, options, &(nights_input){path, words}, 1);
}

void nights_run(const nights *m, const char *options, const char *words)
{
    nights_run_of(m, options, "in/p.py", words);
}

void nights_interrupted(const nights *m, const char *options)
{
    report_store *store = nights_open(m, REPORT_WRITE);
    begin_run(store, options);
    nights_close(store);
}

void nights_sql(const nights *m, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(m->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

int64_t nights_ask(const nights *m, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(m->path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}
