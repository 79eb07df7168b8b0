/* The report of one run, from its summary rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A run as the reports show it. */
typedef struct run_row {
    int64_t number;
    char *tool;
    char *options;
    char *digest; /* NULL: the run was interrupted */
} run_row;

static void free_run(run_row *row)
{
    free(row->tool);
    free(row->options);
    free(row->digest);
}

static char *copy_column(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? NULL : strdup((const char *)text);
}

static report_status prepare(sqlite3_stmt **statement, report_store *store,
                             const char *sql, int64_t run, report_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK ||
        sqlite3_bind_int64(*statement, 1, run) != SQLITE_OK)
        return report_fail_sql(error, store, "the database cannot be read");
    return REPORT_OK;
}

static report_status read_run(run_row *row, report_store *store, int64_t run,
                              report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = prepare(
        &statement, store,
        "SELECT run, tool, options, digest FROM runs" REPORT_MEANT, run, error);
    if (status != REPORT_OK)
        return status;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        row->number = sqlite3_column_int64(statement, 0);
        row->tool = copy_column(statement, 1);
        row->options = copy_column(statement, 2);
        row->digest = copy_column(statement, 3);
    } else if (code != SQLITE_DONE) {
        status = report_fail_sql(error, store, "the database cannot be read");
    } else if (run == 0) {
        status = report_fail(error, REPORT_MISSING, "the database has no run");
    } else {
        status = report_fail(error, REPORT_MISSING,
                             "the database has no run %lld", (long long)run);
    }
    sqlite3_finalize(statement);
    return status;
}

/* Calls `row` for every result. */
typedef void row_writer(FILE *out, sqlite3_stmt *row, size_t index);

static report_status each(FILE *out, report_store *store, const char *sql,
                          int64_t run, row_writer *write, size_t *count,
                          report_error *error)
{
    sqlite3_stmt *statement = NULL;
    report_status status = prepare(&statement, store, sql, run, error);
    int code = SQLITE_DONE;
    size_t n = 0;
    while (status == REPORT_OK &&
           (code = sqlite3_step(statement)) == SQLITE_ROW)
        write(out, statement, n++);
    if (status == REPORT_OK && code != SQLITE_DONE)
        status = report_fail_sql(error, store, "the database cannot be read");
    sqlite3_finalize(statement);
    *count = n;
    return status;
}

static const char *column(sqlite3_stmt *row, int index)
{
    const unsigned char *text = sqlite3_column_text(row, index);
    return text == NULL ? "" : (const char *)text;
}

static long long number(sqlite3_stmt *row, int index)
{
    return (long long)sqlite3_column_int64(row, index);
}

static const char runs_sql[] =
    "SELECT r.run, r.tool, coalesce(r.digest, ''),"
    " coalesce((SELECT sum(n) FROM counts c WHERE c.run = r.run"
    "  AND c.what = 'verdict'), 0),"
    " coalesce((SELECT sum(n) FROM counts c WHERE c.run = r.run"
    "  AND c.what = 'severity'), 0)"
    " FROM runs r WHERE ?1 >= 0 ORDER BY r.run DESC LIMIT 20";
static const char verdicts_sql[] =
    "SELECT key, n FROM counts WHERE run = ?1 AND what = 'verdict'"
    " ORDER BY key";
static const char severities_sql[] =
    "SELECT key, n FROM counts WHERE run = ?1 AND what = 'severity'"
    " ORDER BY key";
static const char rules_sql[] =
    "SELECT key, n FROM counts WHERE run = ?1 AND what = 'rule'"
    " ORDER BY n DESC, key";
static const char reasons_sql[] =
    "SELECT key, n FROM counts WHERE run = ?1 AND what = 'reason'"
    " ORDER BY n DESC, key";
static const char partial_sql[] =
    "SELECT key, n FROM counts WHERE run = ?1 AND what = 'partial'";
/* Of fuzz. */
#define MADE(what)                                                             \
    "SELECT key, n FROM counts WHERE run = ?1 AND what = '" what "'"           \
    " ORDER BY key"
static const char raised_sql[] =
    "SELECT key, n, (SELECT sum(n) FROM counts WHERE run = ?1"
    "  AND what = 'verdict') - n"
    " FROM counts WHERE run = ?1 AND what = 'raised' ORDER BY key";
static const char kinds_sql[] = MADE("kind");
static const char valid_sql[] = MADE("valid");
static const char shapes_sql[] = MADE("shape");
static const char faults_sql[] = MADE("fault");
static const char codes_sql[] = MADE("code");
static const char sizes_sql[] =
    "SELECT key, n FROM counts WHERE run = ?1 AND what = 'tasks'"
    " ORDER BY CAST(key AS INTEGER)";
static const char buckets_sql[] =
    "SELECT signature, rule, severity, cause, r.n, path, line, message"
    " FROM run_buckets AS r JOIN buckets USING(bucket)"
    " WHERE run = ?1 ORDER BY CASE severity WHEN 'error' THEN 0"
    " WHEN 'warning' THEN 1 ELSE 2 END, r.n DESC, rule, signature LIMIT 200";

/* --- Text for people --- */

static void text_run(FILE *out, sqlite3_stmt *row, size_t index)
{
    (void)index;
    const char *digest = column(row, 2);
    fprintf(out, "  run %lld: %lld inputs, %lld findings, %s\n", number(row, 0),
            number(row, 3), number(row, 4),
            *digest == '\0' ? "interrupted" : digest);
}

/* What inputs call themselves, with nothing in it that moves a terminal. */
static void put_clean(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
    }
}

static void text_count(FILE *out, sqlite3_stmt *row, size_t index)
{
    (void)index;
    fprintf(out, "  %8lld  ", number(row, 1));
    put_clean(out, column(row, 0));
    fputc('\n', out);
}

static void text_raised(FILE *out, sqlite3_stmt *row, size_t index)
{
    if (index == 0)
        fputs("    raised    absent\n", out);
    fprintf(out, "  %8lld  %8lld  ", number(row, 1), number(row, 2));
    put_clean(out, column(row, 0));
    fputc('\n', out);
}

static void text_bucket(FILE *out, sqlite3_stmt *row, size_t index)
{
    (void)index;
    const char *cause = column(row, 3);
    fprintf(out, "  %8lld  %s ", number(row, 4), column(row, 2));
    put_clean(out, column(row, 1));
    fputs(*cause == '\0' ? "" : " (", out);
    put_clean(out, cause);
    fprintf(out, "%s [%s]\n            ", *cause == '\0' ? "" : ")",
            column(row, 0));
    put_clean(out, column(row, 5));
    if (sqlite3_column_type(row, 6) != SQLITE_NULL)
        fprintf(out, ":%lld", number(row, 6));
    fputs(": ", out);
    put_clean(out, column(row, 7));
    fputc('\n', out);
}

typedef struct section {
    const char *title;
    const char *sql;
    row_writer *write;
    const char *none; /* NULL: the section is left out when empty */
} section;

static report_status text_section(FILE *out, report_store *store, int64_t run,
                                  const section *s, bool color,
                                  report_error *error)
{
    char *body = NULL;
    size_t length = 0, count = 0;
    FILE *memory = open_memstream(&body, &length);
    if (memory == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    report_status status =
        each(memory, store, s->sql, run, s->write, &count, error);
    if (fclose(memory) != 0 && status == REPORT_OK)
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    if (status == REPORT_OK && (count > 0 || s->none != NULL)) {
        fprintf(out, "\n%s%s%s\n", color ? "\033[1m" : "", s->title,
                color ? "\033[0m" : "");
        fputs(count > 0 ? body : s->none, out);
    }
    free(body);
    return status;
}

static report_status text_body(FILE *out, report_store *store,
                               const run_row *row, bool color,
                               report_error *error)
{
    static const section sections[] = {
        {"Verdicts", verdicts_sql, text_count, "  no input was judged\n"},
        {"With a part undecided", partial_sql, text_count, NULL},
        {"Why inputs were refused or cut short", reasons_sql, text_count, NULL},
        {"Findings by severity", severities_sql, text_count, "  none\n"},
        {"Findings by rule", rules_sql, text_count, NULL},
        {"Findings by signature (one example each)", buckets_sql, text_bucket,
         NULL},
        {"Cases made", kinds_sql, text_count, NULL},
        {"Cases right by construction", valid_sql, text_count, NULL},
        {"Cases that raise a rule", raised_sql, text_raised, NULL},
        {"Errors of readers", codes_sql, text_count, NULL},
        {"Runs (the last 20)", runs_sql, text_run, NULL},
    };
    fprintf(out, "Run %lld, counterpoint %s\noptions %s\n",
            (long long)row->number, row->tool, row->options);
    if (row->digest == NULL)
        fputs("interrupted: what follows was committed before\n", out);
    else
        fprintf(out, "digest %s\n", row->digest);
    report_status status = REPORT_OK;
    for (size_t i = 0;
         status == REPORT_OK && i < sizeof sections / sizeof *sections; i++)
        status =
            text_section(out, store, row->number, &sections[i], color, error);
    return status;
}

/* --- JSON --- */

static void json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void json_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    json_string(out, text);
}

static void json_count(FILE *out, sqlite3_stmt *row, size_t index)
{
    if (index > 0)
        fputc(',', out);
    json_string(out, column(row, 0));
    fprintf(out, ":%lld", number(row, 1));
}

static void json_bucket(FILE *out, sqlite3_stmt *row, size_t index)
{
    fprintf(out, "%s{\"count\":%lld", index > 0 ? "," : "", number(row, 4));
    if (sqlite3_column_type(row, 3) != SQLITE_NULL)
        json_member(out, "cause", column(row, 3));
    if (sqlite3_column_type(row, 6) != SQLITE_NULL)
        fprintf(out, ",\"line\":%lld", number(row, 6));
    json_member(out, "message", column(row, 7));
    json_member(out, "path", column(row, 5));
    json_member(out, "rule", column(row, 1));
    json_member(out, "severity", column(row, 2));
    json_member(out, "signature", column(row, 0));
    fputc('}', out);
}

static void json_run(FILE *out, sqlite3_stmt *row, size_t index)
{
    fprintf(out, "%s{\"digest\":", index > 0 ? "," : "");
    if (*column(row, 2) == '\0')
        fputs("null", out);
    else
        json_string(out, column(row, 2));
    fprintf(out, ",\"findings\":%lld,\"inputs\":%lld,\"run\":%lld",
            number(row, 4), number(row, 3), number(row, 0));
    json_member(out, "tool", column(row, 1));
    fputc('}', out);
}

static report_status json_body(FILE *out, report_store *store,
                               const run_row *row, report_error *error)
{
    static const struct part {
        const char *before;
        const char *sql;
        row_writer *write;
    } parts[] = {
        {"{\"buckets\":[", buckets_sql, json_bucket},
        {"],\"cases\":{\"codes\":{", codes_sql, json_count},
        {"},\"faults\":{", faults_sql, json_count},
        {"},\"kinds\":{", kinds_sql, json_count},
        {"},\"raised\":{", raised_sql, json_count},
        {"},\"shapes\":{", shapes_sql, json_count},
        {"},\"tasks\":{", sizes_sql, json_count},
        {"},\"valid\":{", valid_sql, json_count},
        {"}},\"findings\":{", severities_sql, json_count},
        {"},\"partial\":{", partial_sql, json_count},
        {"},\"reasons\":{", reasons_sql, json_count},
        {"},\"rules\":{", rules_sql, json_count},
        {"},\"runs\":[", runs_sql, json_run},
        {"],\"verdicts\":{", verdicts_sql, json_count},
    };
    report_status status = REPORT_OK;
    size_t count;
    for (size_t i = 0; status == REPORT_OK && i < sizeof parts / sizeof *parts;
         i++) {
        fputs(parts[i].before, out);
        status = each(out, store, parts[i].sql, row->number, parts[i].write,
                      &count, error);
    }
    fprintf(out, "},\"digest\":");
    if (row->digest == NULL)
        fputs("null", out);
    else
        json_string(out, row->digest);
    fprintf(out, ",\"options\":%s,\"run\":%lld", row->options,
            (long long)row->number);
    json_member(out, "tool", row->tool);
    fputs("}\n", out);
    return status;
}

/* --- Both --- */

static report_status write_report(char **text, size_t *length,
                                  report_store *store, int64_t run, bool json,
                                  bool color, report_error *error)
{
    run_row row = {0};
    report_status status = read_run(&row, store, run, error);
    FILE *out = status == REPORT_OK ? open_memstream(text, length) : NULL;
    if (status == REPORT_OK && out == NULL)
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    if (out != NULL) {
        status = json ? json_body(out, store, &row, error)
                      : text_body(out, store, &row, color, error);
        if (fclose(out) != 0 && status == REPORT_OK)
            status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
        if (status != REPORT_OK)
            free(*text);
    }
    free_run(&row);
    return status;
}

report_status report_write_text(char **text, size_t *length,
                                report_store *store, int64_t run, bool color,
                                report_error *error)
{
    return write_report(text, length, store, run, false, color, error);
}

report_status report_write_json(char **text, size_t *length,
                                report_store *store, int64_t run,
                                report_error *error)
{
    return write_report(text, length, store, run, true, false, error);
}
