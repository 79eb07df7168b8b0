/* A case of a run, with its text, for who looks at it again. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define GRAVEST                                                                \
    " FROM findings AS g WHERE g.run = v.run AND g.number = v.number"          \
    " ORDER BY " REPORT_RANK("g.severity") ", g.n LIMIT 1)"
#define COLUMNS                                                                \
    "SELECT v.number, v.name, v.kind, v.details, r.options,"                   \
    " (SELECT g.signature" GRAVEST ", (SELECT g.rule" GRAVEST ", i.text"

static const char by_number[] =
    COLUMNS " FROM verdicts AS v JOIN runs AS r USING(run)"
            " LEFT JOIN inputs AS i USING(input)"
            " WHERE v.run = (SELECT run FROM runs" REPORT_MEANT ")"
            " AND v.number = ?2";

static const char by_signature[] =
    COLUMNS " FROM findings AS f JOIN verdicts AS v USING(run, number)"
            " JOIN runs AS r USING(run) LEFT JOIN inputs AS i USING(input)"
            " WHERE f.run = (SELECT run FROM runs" REPORT_MEANT ")"
            " AND f.signature = ?2 ORDER BY f.number LIMIT 1";

static char *copy(sqlite3_stmt *row, int index)
{
    const unsigned char *text = sqlite3_column_text(row, index);
    return strdup(text == NULL ? "" : (const char *)text);
}

static report_status take(report_stored *stored, sqlite3_stmt *row,
                          report_error *error)
{
    enum { TEXT = 7 };
    const void *bytes = sqlite3_column_blob(row, TEXT);
    stored->length = (size_t)sqlite3_column_bytes(row, TEXT);
    stored->number = sqlite3_column_int64(row, 0);
    stored->name = copy(row, 1);
    stored->kind = copy(row, 2);
    stored->details = copy(row, 3);
    stored->options = copy(row, 4);
    stored->signature = copy(row, 5);
    stored->rule = copy(row, 6);
    stored->text = malloc(stored->length + 1);
    if (stored->name == NULL || stored->kind == NULL ||
        stored->details == NULL || stored->options == NULL ||
        stored->signature == NULL || stored->rule == NULL ||
        stored->text == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    if (stored->length > 0)
        memcpy(stored->text, bytes, stored->length);
    stored->text[stored->length] = '\0';
    if (sqlite3_column_type(row, TEXT) == SQLITE_NULL)
        return report_fail(error, REPORT_MISSING,
                           "the text of case %lld was not kept",
                           (long long)stored->number);
    return REPORT_OK;
}

report_status report_find_case(report_stored *stored, report_store *store,
                               int64_t run, int64_t number,
                               const char *signature, report_error *error)
{
    sqlite3_stmt *row = NULL;
    const char *sql = signature == NULL ? by_number : by_signature;
    report_status status = REPORT_FAILED;
    *stored = (report_stored){0};
    if (sqlite3_prepare_v2(store->db, sql, -1, &row, NULL) != SQLITE_OK)
        return report_fail_sql(error, store, "the database cannot be read");
    sqlite3_bind_int64(row, 1, run);
    if (signature == NULL)
        sqlite3_bind_int64(row, 2, number);
    else
        sqlite3_bind_text(row, 2, signature, -1, SQLITE_STATIC);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        status = take(stored, row, error);
    else if (code == SQLITE_DONE)
        status = report_fail(error, REPORT_MISSING,
                             "the run has no such case or finding");
    else
        status = report_fail_sql(error, store, "the database cannot be read");
    sqlite3_finalize(row);
    if (status != REPORT_OK)
        report_stored_free(stored);
    return status;
}

void report_stored_free(report_stored *stored)
{
    free(stored->name);
    free(stored->kind);
    free(stored->details);
    free(stored->options);
    free(stored->signature);
    free(stored->rule);
    free(stored->text);
    *stored = (report_stored){0};
}
