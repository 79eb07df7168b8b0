/* Merging, pruning and recounting. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "reports/upkeep.h"
#include "reports/write.h"

enum { SAID = 8192, TOLD = 16384 };

static char folder[40];
static char a_path[64], b_path[64], c_path[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/counterpoint-upkeep-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(a_path, sizeof a_path, "%s/a.db", folder);
    snprintf(b_path, sizeof b_path, "%s/b.db", folder);
    snprintf(c_path, sizeof c_path, "%s/c.db", folder);
}

static void remove_folder(void)
{
    unlink(a_path);
    unlink(b_path);
    unlink(c_path);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

static report_store *open_store(const char *path, report_mode mode)
{
    report_store *store = NULL;
    report_error error = {0};
    if (report_open(&store, path, mode, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    return store;
}

static void close_store(report_store *store)
{
    report_error error;
    assert_int_equal(report_close(store, &error), REPORT_OK);
}

static void with_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int64_t ask(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}

/* A stand-in for SHA-256: any function of the bytes does. */
static bool digest(char hex[65], const char *data, size_t length)
{
    uint64_t sum = length;
    for (size_t i = 0; i < length; i++)
        sum = sum * 31 + (unsigned char)data[i];
    snprintf(hex, 65, "%064llx", (unsigned long long)sum);
    return true;
}

typedef struct made {
    const char *started, *options;
    int from, to; /* findings of these signatures, a case each */
    bool ended;
} made;

static void add_case(report_store *store, int64_t run, int n,
                     const char *message)
{
    char signature[17], text[32], sha[65];
    report_error error;
    snprintf(signature, sizeof signature, "%016d", n);
    snprintf(text, sizeof text, "case %*d", 5 + n % 7, n);
    digest(sha, text, strlen(text));
    report_finding finding = {
        .rule = n % 2 == 0 ? "hazard.raw" : "hazard.war",
        .severity = n % 3 == 0 ? "warning" : "error",
        .signature = signature,
        .message = message,
        .line = n + 1,
        .json = "{}",
        .json_length = 2,
    };
    report_case c = {
        .number = n + 1,
        .path = "a.py",
        .name = "a.py",
        .sha256 = sha,
        .kind = "dump",
        .text = text,
        .length = strlen(text),
        .verdict = "findings",
        .details = "{}",
        .findings = &finding,
        .count = 1,
        .total = 1,
    };
    assert_int_equal(report_add_case(store, run, &c, &error), REPORT_OK);
}

static void add_run(const char *path, const made *m)
{
    report_error error;
    int64_t run = 0;
    report_store *store = open_store(path, REPORT_WRITE);
    report_run what = {"0.0.1", m->options, NULL, m->started};
    assert_int_equal(report_begin_run(&run, store, &what, &error), REPORT_OK);
    for (int n = m->from; n < m->to; n++)
        add_case(store, run, n, m->started);
    if (m->ended)
        assert_int_equal(
            report_finish_run(store, run, "digest", "later", 5, &error),
            REPORT_OK);
    close_store(store);
}

/* Everything that is said, as far as there is room. */
static void collect(void *context, const char *sentence)
{
    char *said = context;
    size_t length = strlen(said);
    snprintf(said + length, SAID - length, "%s\n", sentence);
}

static int64_t faults_of(const char *path, char said[SAID])
{
    int64_t faults = -1;
    report_error error;
    report_store *store = open_store(path, REPORT_READ);
    said[0] = '\0';
    if (report_verify(&faults, store, digest, collect, said, &error) !=
        REPORT_OK)
        fail_msg("%s", error.message);
    close_store(store);
    return faults;
}

static void is_right(const char *path)
{
    char said[SAID];
    if (faults_of(path, said) != 0)
        fail_msg("%s", said);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

static int64_t merge(const char *into, const char *from)
{
    report_merged merged;
    report_error error = {0};
    report_store *store = open_store(into, REPORT_WRITE);
    if (report_merge(&merged, store, from, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    close_store(store);
    is_right(into);
    return merged.runs;
}

/* What was found of what is gone, in the order of the runs' start. */
static void runs_join_once(void **state)
{
    (void)state;
    make_folder();
    add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 40, true});
    add_run(a_path, &(made){"2026-01-03", "{\"o\":1}", 0, 30, true});
    add_run(b_path, &(made){"2026-01-02", "{\"o\":1}", 20, 50, true});
    add_run(b_path, &(made){"2026-01-04", "{\"o\":2}", 60, 70, true});
    is_right(a_path);
    is_right(b_path);
    assert_int_equal(merge(c_path, a_path), 2);
    assert_int_equal(merge(c_path, b_path), 2);
    assert_int_equal(merge(c_path, a_path), 0);
    assert_int_equal(merge(c_path, b_path), 0);
    assert_int_equal(ask(c_path, "SELECT count(*) FROM findings"), 110);
    assert_int_equal(ask(c_path, "SELECT count(*) FROM inputs"), 60);
    assert_int_equal(ask(c_path, "SELECT count(*) FROM buckets"), 60);
    /* Of 0 to 49, by the start: 0-39, 20-49, 0-29. */
    assert_int_equal(ask(c_path, "SELECT count(*) FROM bucket_list"
                                 " WHERE state = 'reappeared'"),
                     20);
    assert_int_equal(
        ask(c_path, "SELECT count(*) FROM bucket_list WHERE state = 'fixed'"),
        20);
    assert_int_equal(
        ask(c_path, "SELECT count(*) FROM bucket_list WHERE state = 'open'"),
        20);
    remove_folder();
}

/* What is told of runs and buckets, but for the numbers of buckets. */
static void tell(char told[TOLD], const char *path)
{
    static const char sql[] =
        "SELECT (SELECT group_concat(run || ' ' || started, char(10)) FROM"
        " (SELECT run, started FROM runs JOIN times USING(run) ORDER BY run))"
        " || char(10) || group_concat(line, char(10)) FROM (SELECT"
        " json_array(b.signature, b.rule, b.severity, b.title,"
        " b.first_run, b.last_run, b.runs, b.n, b.gone_run, b.back_run,"
        " b.smallest_run, b.smallest_number, b.smallest_bytes, h.signature)"
        " AS line FROM buckets AS b JOIN buckets AS h ON h.bucket = b.head"
        " ORDER BY b.signature, b.rule)";
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_true(sqlite3_column_bytes(row, 0) < TOLD);
    strcpy(told, (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* Whichever of two is the target, and how often. */
static void order_of_merging_is_free(void **state)
{
    char told[TOLD], again[TOLD];
    (void)state;
    make_folder();
    add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 40, true});
    add_run(a_path, &(made){"2026-01-03", "{\"o\":1}", 0, 30, true});
    add_run(b_path, &(made){"2025-12-31", "{\"o\":1}", 10, 12, true});
    add_run(b_path, &(made){"2026-01-02", "{\"o\":1}", 20, 50, true});
    with_sql(a_path, "UPDATE buckets SET head = 3 WHERE bucket = 21;");
    merge(c_path, a_path);
    merge(c_path, b_path);
    tell(told, c_path);
    assert_non_null(strstr(told, "1 2025-12-31\n2 2026-01-01\n3 2026-01-02\n"
                                 "4 2026-01-03\n"));
    merge(b_path, a_path);
    tell(again, b_path);
    assert_string_equal(again, told);
    merge(a_path, b_path);
    tell(again, a_path);
    assert_string_equal(again, told);
    merge(c_path, a_path);
    tell(again, c_path);
    assert_string_equal(again, told);
    remove_folder();
}

/* Runs that began in the same moment stay as they were. */
static void the_same_start_is_no_trouble(void **state)
{
    char told[TOLD], again[TOLD];
    (void)state;
    make_folder();
    for (int i = 0; i < 3; i++) {
        add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", i, 9, true});
        add_run(b_path, &(made){"2026-01-01", "{\"o\":1}", i, 9 + i, true});
    }
    merge(c_path, a_path);
    tell(told, a_path);
    tell(again, c_path);
    assert_string_equal(again, told);
    merge(c_path, b_path);
    merge(b_path, a_path);
    tell(told, c_path);
    tell(again, b_path);
    assert_string_equal(again, told);
    remove_folder();
}

/* An older database comes behind a newer one: what is shown is the newest. */
static void the_last_run_is_by_start(void **state)
{
    report_merged merged;
    report_error error = {0};
    char *text = NULL;
    size_t length = 0;
    (void)state;
    make_folder();
    add_run(a_path, &(made){"2026-01-02", "{\"o\":1}", 0, 3, true});
    add_run(b_path, &(made){"2026-01-01", "{\"o\":1}", 0, 9, true});
    report_store *store = open_store(a_path, REPORT_WRITE);
    assert_int_equal(report_merge(&merged, store, b_path, &error), REPORT_OK);
    assert_int_equal(merged.moved, 1);
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(
        report_write_html(out, store, &(report_view){.run = 0}, &error),
        REPORT_OK);
    fclose(out);
    close_store(store);
    assert_non_null(strstr(text, "<title>Run 2: "));
    /* Each cause of the older run is there, gone where the newer has not got
       it. */
    assert_int_equal(count(text, "<tr id=\"bucket-"), 9);
    assert_int_equal(count(text, "<span class=\"pill fixed\">"), 7);
    free(text);
    remove_folder();
}

/* Somebody merges while a run is recorded. */
static void a_moved_run_is_not_written(void **state)
{
    report_error error = {0};
    int64_t run = 0;
    (void)state;
    make_folder();
    add_run(b_path, &(made){"2026-01-01", "{\"o\":1}", 0, 4, true});
    report_store *store = open_store(a_path, REPORT_WRITE);
    report_run what = {"0.0.1", "{\"o\":1}", NULL, "2026-01-02"};
    assert_int_equal(report_begin_run(&run, store, &what, &error), REPORT_OK);
    add_case(store, run, 5, "a message");
    assert_int_equal(report_commit(store, &error), REPORT_OK);
    merge(a_path, b_path);
    assert_int_equal(
        report_finish_run(store, run, "digest", "later", 5, &error),
        REPORT_FAILED);
    assert_non_null(strstr(error.message, "a merge has given its runs other"));
    close_store(store);
    is_right(a_path);
    assert_int_equal(ask(a_path, "SELECT run FROM runs WHERE digest IS NULL"),
                     2);
    assert_int_equal(ask(a_path, "SELECT run FROM verdicts WHERE number = 6"),
                     2);
    remove_folder();
}

static void what_was_interrupted_is_replaced(void **state)
{
    (void)state;
    make_folder();
    add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 5, false});
    merge(c_path, a_path);
    assert_int_equal(merge(c_path, a_path), 0);
    report_store *store = open_store(a_path, REPORT_WRITE);
    report_error error;
    add_case(store, 1, 6, "a message");
    assert_int_equal(report_finish_run(store, 1, "digest", "later", 5, &error),
                     REPORT_OK);
    close_store(store);
    assert_int_equal(merge(c_path, a_path), 1);
    assert_int_equal(ask(c_path, "SELECT count(*) FROM findings"), 6);
    assert_int_equal(ask(c_path, "SELECT count(*) FROM runs"), 1);
    remove_folder();
}

/* What somebody has said of buckets comes along, and is not written over. */
static void words_of_people_come_along(void **state)
{
    (void)state;
    make_folder();
    add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 5, true});
    add_run(b_path, &(made){"2026-01-02", "{\"o\":1}", 0, 5, true});
    with_sql(a_path, "INSERT INTO labels VALUES(1, 'x');"
                     "UPDATE buckets SET note = 'a' || bucket;"
                     "UPDATE buckets SET head = 3 WHERE bucket = 2;");
    with_sql(b_path, "UPDATE buckets SET note = 'mine' WHERE bucket = 2;"
                     "INSERT INTO labels VALUES(1, 'y')");
    merge(b_path, a_path);
    assert_int_equal(ask(b_path, "SELECT count(*) FROM labels"), 2);
    assert_int_equal(
        ask(b_path, "SELECT count(*) FROM buckets WHERE note = 'mine'"), 1);
    assert_int_equal(
        ask(b_path, "SELECT count(*) FROM buckets WHERE note LIKE 'a%'"), 4);
    merge(c_path, a_path);
    assert_int_equal(ask(c_path,
                         "SELECT count(*) FROM buckets AS b JOIN buckets AS h"
                         " ON h.bucket = b.head WHERE b.signature LIKE '%1'"
                         " AND h.signature LIKE '%2'"),
                     1);
    assert_int_equal(ask(c_path, "SELECT count(*) FROM bucket_list"), 4);
    remove_folder();
}

/* What a bucket is joined to there may be joined to another here. */
static void joins_meet(void **state)
{
    (void)state;
    make_folder();
    add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 5, true});
    add_run(b_path, &(made){"2026-01-02", "{\"o\":1}", 2, 5, true});
    with_sql(a_path, "UPDATE buckets SET head = 3 WHERE bucket = 2;");
    with_sql(b_path, "UPDATE buckets SET head = 3 WHERE bucket = 1;");
    merge(b_path, a_path);
    assert_int_equal(ask(b_path,
                         "SELECT count(*) FROM buckets AS b JOIN buckets AS h"
                         " ON h.bucket = b.head WHERE b.signature LIKE '%1'"
                         " AND h.signature LIKE '%4'"),
                     1);
    merge(a_path, b_path);
    remove_folder();
}

static void nothing_is_merged_into_itself(void **state)
{
    (void)state;
    make_folder();
    report_merged merged;
    report_error error;
    add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 5, true});
    report_store *store = open_store(a_path, REPORT_WRITE);
    assert_int_equal(report_merge(&merged, store, a_path, &error),
                     REPORT_FAILED);
    assert_int_equal(report_merge(&merged, store, b_path, &error), REPORT_OPEN);
    FILE *out = fopen(b_path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("this is a text and no database\n", out);
    fclose(out);
    assert_int_equal(report_merge(&merged, store, b_path, &error),
                     REPORT_FOREIGN);
    close_store(store);
    is_right(a_path);
    remove_folder();
}

static void old_rows_go(void **state)
{
    (void)state;
    make_folder();
    report_pruned pruned;
    report_error error;
    for (int i = 0; i < 4; i++)
        add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", i, 30, true});
    add_run(a_path, &(made){"2026-01-02", "{\"verb\":\"fuzz\"}", 50, 55, true});
    report_store *store = open_store(a_path, REPORT_WRITE);
    assert_int_equal(report_gc(&pruned, store, 2, &error), REPORT_OK);
    close_store(store);
    assert_int_equal(pruned.runs, 2);
    /* The smallest case of each bucket is that of the first run. */
    assert_int_equal(pruned.findings, 29);
    assert_int_equal(pruned.inputs, 0);
    is_right(a_path);
    assert_int_equal(ask(a_path, "SELECT sum(n) FROM run_buckets"), 119);
    assert_int_equal(ask(a_path, "SELECT count(*) FROM findings"), 90);
    assert_int_equal(ask(a_path, "SELECT count(*) FROM bucket_list"), 35);
    store = open_store(a_path, REPORT_WRITE);
    assert_int_equal(report_gc(&pruned, store, 2, &error), REPORT_OK);
    close_store(store);
    assert_int_equal(pruned.runs + pruned.findings + pruned.inputs, 0);
    /* A pruned database is merged with what it still counts. */
    merge(c_path, a_path);
    assert_int_equal(ask(c_path, "SELECT sum(n) FROM run_buckets"), 119);
    remove_folder();
}

/* The older of two is the one that was started first, whenever it came. */
static void old_is_by_start(void **state)
{
    (void)state;
    report_pruned pruned;
    report_error error = {0};
    make_folder();
    add_run(a_path, &(made){"2026-01-02", "{}", 0, 10, true});
    add_run(b_path, &(made){"2026-01-01", "{}", 0, 20, true});
    merge(a_path, b_path);
    report_store *store = open_store(a_path, REPORT_WRITE);
    assert_int_equal(report_gc(&pruned, store, 1, &error), REPORT_OK);
    close_store(store);
    is_right(a_path);
    assert_int_equal(pruned.runs, 1);
    assert_int_equal(ask(a_path, "SELECT run FROM runs WHERE pruned"), 1);
    remove_folder();
}

/* Each row that is wrong is told. */
static void wrong_rows_are_told(void **state)
{
    static const struct {
        const char *sql, *words;
    } wrongs[] = {
        {"UPDATE counts SET n = n + 1 WHERE what = 'rule'", "hazard.raw"},
        {"DELETE FROM counts WHERE what = 'severity'", "severity error"},
        {"UPDATE counts SET n = 7 WHERE what = 'verdict'", "verdict findings"},
        {"INSERT INTO blocks VALUES(1, 0, 0, 9, 'd', '{\"kind\":{\"x\":9}}')",
         "kind x is counted as 0, there are 9"},
        {"UPDATE buckets SET n = 9 WHERE bucket = 1", "another history"},
        {"UPDATE buckets SET gone_run = 1 WHERE bucket = 1", "another history"},
        {"UPDATE buckets SET smallest_number = 99", "smallest case"},
        {"UPDATE buckets SET head = 99 WHERE bucket = 2", "its head 99"},
        {"DELETE FROM run_buckets WHERE bucket = 2", "is counted as 0"},
        {"DELETE FROM verdicts WHERE number = 3", "no verdict"},
        {"UPDATE findings SET bucket = 99 WHERE number = 3", "bucket 99"},
        {"DELETE FROM inputs WHERE input = 2", "not there"},
        {"UPDATE inputs SET text = 'other' WHERE input = 2", "another SHA-256"},
        {"UPDATE inputs SET bytes = 1 WHERE input = 2", "another length"},
        {"DELETE FROM runs", "is not there"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        char said[SAID];
        make_folder();
        add_run(a_path, &(made){"2026-01-01", "{\"o\":1}", 0, 5, true});
        is_right(a_path);
        with_sql(a_path, wrongs[i].sql);
        assert_true(faults_of(a_path, said) > 0);
        if (strstr(said, wrongs[i].words) == NULL)
            fail_msg("%s: %s", wrongs[i].sql, said);
        remove_folder();
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(runs_join_once),
    cmocka_unit_test(order_of_merging_is_free),
    cmocka_unit_test(the_same_start_is_no_trouble),
    cmocka_unit_test(the_last_run_is_by_start),
    cmocka_unit_test(a_moved_run_is_not_written),
    cmocka_unit_test(what_was_interrupted_is_replaced),
    cmocka_unit_test(words_of_people_come_along),
    cmocka_unit_test(joins_meet),
    cmocka_unit_test(nothing_is_merged_into_itself),
    cmocka_unit_test(old_rows_go),
    cmocka_unit_test(old_is_by_start),
    cmocka_unit_test(wrong_rows_are_told),
};

TEST_MAIN(tests)
