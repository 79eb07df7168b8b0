/* The report of one run, from its summary rows. */
#include <stdlib.h>
#include <string.h>

#include "results.h"

/* Calls `row` for every result. */
typedef void row_writer(FILE *out, sqlite3_stmt *row, size_t index);

static report_status each(FILE *out, report_writing *w, const char *sql,
                          row_writer *write, size_t *count)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(w->store->db, sql, -1, &statement, NULL);
    size_t n = 0;
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(statement, 1, w->subject.run);
    if (code == SQLITE_OK)
        while ((code = sqlite3_step(statement)) == SQLITE_ROW)
            write(out, statement, n++);
    report_status status = REPORT_OK;
    if (code != SQLITE_DONE)
        status =
            report_fail_sql(w->error, w->store, "the database cannot be read");
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
/* As report_worst_open has them. */
#define MOST_BUCKETS 200
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
static const char buckets_sql[] =
    "SELECT signature, rule, severity, cause, r.n, path, line, message,"
    " k.until, k.owner, k.reason, k.expired"
    " FROM run_buckets AS r JOIN buckets AS b USING(bucket)"
    " LEFT JOIN temp.named AS k ON k.head = b.head WHERE run = "
    "?1" REPORT_WORST_FIRST("iif(k.expired = 0, 1, 0)", REPORT_RANK("severity"),
                            REPORT_FRESH, "r.n") " LIMIT " TEXT(MOST_BUCKETS);
enum { UNTIL = 8, OWNER, WHY, EXPIRED };

/* --- Text for people --- */

static void put_clean(FILE *out, const char *text)
{
    report_put(out, REPORT_PLAIN, text);
}

static void text_run(FILE *out, sqlite3_stmt *row, size_t index)
{
    (void)index;
    const char *digest = column(row, 2);
    fprintf(out, "  run %lld: %lld inputs, %lld findings, ", number(row, 0),
            number(row, 3), number(row, 4));
    put_clean(out, *digest == '\0' ? "interrupted" : digest);
    fputc('\n', out);
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

static report_result known_of(sqlite3_stmt *row)
{
    return (report_result){
        .until = column(row, UNTIL),
        .owner = column(row, OWNER),
        .why = column(row, WHY),
        .expired = number(row, EXPIRED) != 0,
    };
}

static void text_bucket(FILE *out, sqlite3_stmt *row, size_t index)
{
    (void)index;
    const char *cause = column(row, 3);
    fprintf(out, "  %8lld  ", number(row, 4));
    put_clean(out, column(row, 2));
    fputc(' ', out);
    put_clean(out, column(row, 1));
    fputs(*cause == '\0' ? "" : " (", out);
    put_clean(out, cause);
    fputs(*cause == '\0' ? " [" : ") [", out);
    put_clean(out, column(row, 0));
    fputs("]\n            ", out);
    put_clean(out, column(row, 5));
    if (sqlite3_column_type(row, 6) != SQLITE_NULL)
        fprintf(out, ":%lld", number(row, 6));
    fputs(": ", out);
    put_clean(out, column(row, 7));
    if (sqlite3_column_type(row, UNTIL) != SQLITE_NULL) {
        report_result known = known_of(row);
        fputs("\n            ", out);
        report_put_known(out, REPORT_PLAIN, &known);
    }
    fputc('\n', out);
}

typedef struct section {
    const char *title;
    const char *sql;
    row_writer *write;
    const char *none; /* NULL: the section is left out when empty */
} section;

static report_status text_section(report_writing *w, const section *s)
{
    char *body = NULL;
    size_t length = 0, count = 0;
    bool color = w->view->color;
    FILE *memory = open_memstream(&body, &length);
    if (memory == NULL)
        return report_fail(w->error, REPORT_NO_MEMORY, "out of memory");
    report_status status = each(memory, w, s->sql, s->write, &count);
    if (fclose(memory) != 0 && status == REPORT_OK)
        status = report_fail(w->error, REPORT_NO_MEMORY, "out of memory");
    if (status == REPORT_OK && (count > 0 || s->none != NULL)) {
        bool planted = w->subject.fuzz && s->sql == verdicts_sql;
        fprintf(w->out, "\n%s%s%s%s\n", color ? "\033[1m" : "", s->title,
                planted ? ", those on planted faults, too" : "",
                color ? "\033[0m" : "");
        fputs(count > 0 ? body : s->none, w->out);
    }
    free(body);
    return status;
}

static report_status text_worst(report_writing *w, const report_result *b)
{
    fputc('\n', w->out);
    report_status status = report_put_verb(w, REPORT_PLAIN, "triage list");
    fputs(": all causes with their states, the worst first\n", w->out);
    if (status == REPORT_OK)
        status = report_put_verb(w, REPORT_PLAIN, "triage show");
    /* A signature may have several buckets. */
    fprintf(w->out, " %lld", (long long)b->bucket);
    fputs(": the gravest of this run, and how to see it again\n"
          "counterpoint explain ",
          w->out);
    put_clean(w->out, b->rule);
    fputs(": what its rule means, and how to mend it\n", w->out);
    if (status == REPORT_OK)
        status = report_put_verb(w, REPORT_PLAIN, "report");
    fputs(" --format html -o report.html: all of it as a page\n", w->out);
    return status;
}

/* What is not listed, and what to do with what is: the last lines, which stay
   on the screen. */
static report_status text_next(report_writing *w)
{
    int64_t buckets = 0;
    report_cursor worst = {0};
    report_result b;
    bool more = false;
    int64_t run = w->subject.run;
    report_status status = report_ask(
        &buckets, w->store, "SELECT count(*) FROM run_buckets WHERE run = ?1",
        run, w->error);
    if (status == REPORT_OK)
        status = report_worst_open(&worst, w->store, run, REPORT_NO_RANK, 1,
                                   w->error);
    if (status == REPORT_OK)
        status = report_cursor_next(&more, &b, &worst, w->error);
    if (status == REPORT_OK && buckets > MOST_BUCKETS)
        fprintf(w->out,
                "\n%lld signatures of less weight are not listed here\n",
                (long long)buckets - MOST_BUCKETS);
    if (status == REPORT_OK && more)
        status = text_worst(w, &b);
    report_cursor_close(&worst);
    return status;
}

static report_status text_body(report_writing *w)
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
    const report_subject *s = &w->subject;
    fprintf(w->out, "Run %lld, counterpoint ", (long long)s->run);
    put_clean(w->out, s->tool);
    fputs("\noptions ", w->out);
    put_clean(w->out, s->options);
    if (s->digest == NULL) {
        fputs("\ninterrupted: what follows was committed before\n", w->out);
    } else {
        fputs("\ndigest ", w->out);
        put_clean(w->out, s->digest);
        fputc('\n', w->out);
    }
    report_status status = REPORT_OK;
    for (size_t i = 0;
         status == REPORT_OK && i < sizeof sections / sizeof *sections; i++)
        status = text_section(w, &sections[i]);
    return status == REPORT_OK ? text_next(w) : status;
}

/* --- JSON --- */

/* As it is: a program reads it. What is no UTF-8 becomes U+FFFD. */
static void json_string(FILE *out, const char *text)
{
    report_put_exact(out, text, strlen(text), "");
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
    if (sqlite3_column_type(row, UNTIL) != SQLITE_NULL) {
        fprintf(out, ",\"known\":{\"expired\":%s",
                number(row, EXPIRED) != 0 ? "true" : "false");
        json_member(out, "owner", column(row, OWNER));
        json_member(out, "reason", column(row, WHY));
        json_member(out, "until", column(row, UNTIL));
        fputc('}', out);
    }
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

/* Options are JSON of ours; anything else is told as a string. */
static report_status json_options(report_writing *w)
{
    int64_t valid = 0;
    report_status status = report_ask(
        &valid, w->store, "SELECT json_valid(options) FROM runs WHERE run = ?1",
        w->subject.run, w->error);
    fputs(",\"options\":", w->out);
    if (valid != 0)
        fputs(w->subject.options, w->out);
    else
        json_string(w->out, w->subject.options);
    return status;
}

static report_status json_body(report_writing *w)
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
    const report_subject *s = &w->subject;
    report_status status = REPORT_OK;
    size_t count;
    for (size_t i = 0; status == REPORT_OK && i < sizeof parts / sizeof *parts;
         i++) {
        fputs(parts[i].before, w->out);
        status = each(w->out, w, parts[i].sql, parts[i].write, &count);
    }
    fputs("},\"digest\":", w->out);
    if (s->digest == NULL)
        fputs("null", w->out);
    else
        json_string(w->out, s->digest);
    if (status == REPORT_OK)
        status = json_options(w);
    fprintf(w->out, ",\"run\":%lld", (long long)s->run);
    json_member(w->out, "tool", s->tool);
    fputs("}\n", w->out);
    return status;
}

report_status report_write_text(FILE *out, report_store *store,
                                const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, false, text_body);
}

report_status report_write_json(FILE *out, report_store *store,
                                const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, false, json_body);
}
