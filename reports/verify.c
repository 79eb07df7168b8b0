/* Everything that is counted is counted again. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "reports/upkeep.h"

#define MOST_OF_A_KIND 20

typedef struct verifier {
    report_store *store;
    report_sha256 *sha256;
    report_see_fault *see;
    void *context;
    int64_t faults, of_kind;
    report_error *error;
} verifier;

static void tell(verifier *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(verifier *v, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (v->of_kind++ < MOST_OF_A_KIND) {
        v->faults++;
        v->see(v->context, text);
    }
}

/*
 * Each row of a query is a fault; its first column, a text, says which one. The
 * texts are made of numbers and of words of ours, so they can be shown.
 */
static report_status each_is_a_fault(verifier *v, const char *sql)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(v->store->db, sql, -1, &row, NULL);
    v->of_kind = 0;
    if (code == SQLITE_OK)
        while ((code = sqlite3_step(row)) == SQLITE_ROW)
            tell(v, "%s", (const char *)sqlite3_column_text(row, 0));
    report_status status = REPORT_OK;
    if (code != SQLITE_DONE)
        status =
            report_fail_sql(v->error, v->store, "the database cannot be read");
    sqlite3_finalize(row);
    return status;
}

/* Summary rows beside what they sum up: both ways, so that none is missing. */
#define COUNTED(what, rows)                                                    \
    "SELECT printf('run %d: %s %s is counted as %d, there are %d', run, what," \
    " key, coalesce(max(c), 0), coalesce(max(n), 0)) FROM ("                   \
    "SELECT run, what, key, n AS c, NULL AS n FROM counts JOIN runs"           \
    " USING(run) WHERE NOT pruned AND what IN (" what ")"                      \
    " UNION ALL SELECT run, what, key, NULL, n FROM (" rows "))"               \
    " GROUP BY run, what, key HAVING coalesce(max(c), 0) <>"                   \
    " coalesce(max(n), 0)"

static const char *const checks[] = {
    "SELECT 'SQLite: ' || integrity_check FROM pragma_integrity_check"
    " WHERE integrity_check <> 'ok'",

    COUNTED("'severity', 'rule'",
            "SELECT run, 'severity' AS what, severity AS key, count(*) AS n"
            " FROM findings JOIN runs USING(run) WHERE NOT pruned"
            " GROUP BY run, severity UNION ALL SELECT run, 'rule', rule,"
            " count(*) FROM findings JOIN runs USING(run) WHERE NOT pruned"
            " GROUP BY run, rule"),
    /* A run of many cases counts in blocks, the others by each case. */
    "SELECT printf('run %d: %s %s is counted as %d, there are %d', run, what,"
    " key, coalesce(max(c), 0), coalesce(max(n), 0)) FROM ("
    "SELECT run, what, key, n AS c, NULL AS n FROM counts JOIN runs"
    " USING(run) WHERE NOT pruned AND what NOT IN ('severity', 'rule')"
    " AND run IN (SELECT run FROM blocks)"
    " UNION ALL SELECT b.run, w.key, k.key, NULL, sum(k.value)"
    " FROM blocks AS b, json_each(b.counts) AS w, json_each(w.value) AS k"
    " GROUP BY b.run, w.key, k.key) GROUP BY run, what, key"
    " HAVING coalesce(max(c), 0) <> coalesce(max(n), 0)",
    "SELECT printf('run %d: verdict %s is counted as %d, there are %d', run,"
    " key, coalesce(max(c), 0), coalesce(max(n), 0)) FROM ("
    "SELECT run, key, n AS c, NULL AS n FROM counts JOIN runs USING(run)"
    " WHERE NOT pruned AND what = 'verdict' AND run NOT IN"
    " (SELECT run FROM blocks) UNION ALL SELECT run, verdict, NULL, count(*)"
    " FROM verdicts JOIN runs USING(run) WHERE NOT pruned AND run NOT IN"
    " (SELECT run FROM blocks) GROUP BY run, verdict) GROUP BY run, key"
    " HAVING coalesce(max(c), 0) <> coalesce(max(n), 0)",

    "SELECT printf('run %d: bucket %d is counted as %d, there are %d', run,"
    " bucket, coalesce(max(c), 0), coalesce(max(n), 0)) FROM ("
    "SELECT run, bucket, n AS c, NULL AS n FROM run_buckets JOIN runs"
    " USING(run) WHERE NOT pruned UNION ALL SELECT run, bucket, NULL,"
    " count(*) FROM findings JOIN runs USING(run) WHERE NOT pruned"
    " GROUP BY run, bucket) GROUP BY run, bucket"
    " HAVING coalesce(max(c), 0) <> coalesce(max(n), 0)",
    "SELECT printf('bucket %d: %s', bucket, 'the rows of its runs make"
    " another history') FROM (SELECT * FROM buckets EXCEPT"
    " SELECT * FROM temp.again)",
    "SELECT printf('bucket %d: its smallest case is no case of run %d',"
    " bucket, smallest_run) FROM buckets AS b WHERE NOT EXISTS (SELECT 1"
    " FROM findings AS f WHERE f.run = b.smallest_run"
    " AND f.number = b.smallest_number AND f.bucket = b.bucket)",

    "SELECT printf('run %d: case %d has a finding and no verdict', run,"
    " number) FROM findings AS f WHERE NOT EXISTS (SELECT 1 FROM verdicts AS"
    " v WHERE v.run = f.run AND v.number = f.number)",
    "SELECT printf('run %d: case %d has a finding of bucket %d, which is not"
    " there', run, number, bucket) FROM findings AS f WHERE NOT EXISTS"
    " (SELECT 1 FROM buckets AS b WHERE b.bucket = f.bucket"
    " AND b.signature = f.signature AND b.rule = f.rule)",
    "SELECT printf('bucket %d: its head %d is none', bucket, head)"
    " FROM buckets AS b WHERE NOT EXISTS (SELECT 1 FROM buckets AS h"
    " WHERE h.bucket = b.head AND h.head = h.bucket)",
    "SELECT printf('run %d: case %d has an input that is not there', run,"
    " number) FROM verdicts AS v WHERE input IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM inputs AS i WHERE i.input = v.input)",
    "SELECT printf('run %d has rows and is not there', run) FROM (SELECT run"
    " FROM verdicts UNION SELECT run FROM counts UNION SELECT run FROM blocks"
    " UNION SELECT run FROM run_buckets UNION SELECT run FROM times"
    " UNION SELECT run FROM reruns UNION SELECT run FROM speeds)"
    " WHERE run NOT IN (SELECT run FROM runs)",
};

static report_status check_inputs(verifier *v)
{
    sqlite3_stmt *row = NULL;
    char hex[65];
    report_status status = REPORT_OK;
    int code = sqlite3_prepare_v2(
        v->store->db, "SELECT input, sha256, bytes, text FROM inputs", -1, &row,
        NULL);
    v->of_kind = 0;
    if (code != SQLITE_OK)
        return report_fail_sql(v->error, v->store,
                               "the database cannot be read");
    while (status == REPORT_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *text = sqlite3_column_blob(row, 3);
        size_t length = (size_t)sqlite3_column_bytes(row, 3);
        long long number = sqlite3_column_int64(row, 0);
        if (!v->sha256(hex, text == NULL ? "" : text, length))
            status = report_fail(v->error, REPORT_NO_MEMORY, "out of memory");
        else if (strcmp(hex, (const char *)sqlite3_column_text(row, 1)) != 0)
            tell(v, "input %lld: its text has another SHA-256", number);
        else if (sqlite3_column_int64(row, 2) != (int64_t)length)
            tell(v, "input %lld: its text has another length", number);
    }
    if (status == REPORT_OK && code != SQLITE_DONE)
        status =
            report_fail_sql(v->error, v->store, "the database cannot be read");
    sqlite3_finalize(row);
    return status;
}

report_status report_verify(int64_t *faults, report_store *store,
                            report_sha256 *sha256, report_see_fault *see,
                            void *context, report_error *error)
{
    static const char again[] = "CREATE TEMP TABLE again AS SELECT * FROM"
                                " buckets;"
                                "CREATE UNIQUE INDEX temp.again_bucket"
                                " ON again(bucket);"
                                "CREATE INDEX temp.again_last"
                                " ON again(last_run);";
    verifier v = {store, sha256, see, context, 0, 0, error};
    report_status status =
        report_run_sql(store, again, "buckets cannot be counted", error);
    if (status == REPORT_OK)
        status = report_count_history(store, true, error);
    for (size_t i = 0;
         status == REPORT_OK && i < sizeof checks / sizeof *checks; i++)
        status = each_is_a_fault(&v, checks[i]);
    if (status == REPORT_OK)
        status = check_inputs(&v);
    sqlite3_exec(store->db, "DROP TABLE IF EXISTS temp.again", NULL, NULL,
                 NULL);
    *faults = v.faults;
    return status;
}
