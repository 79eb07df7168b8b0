/*
 * The data of the HTML report: of each of the worst issues the record of its
 * smallest case, the text of that, the command, and its history; and the pages
 * of the rules that they name.
 */
#include "html_page.h"

#include <stdlib.h>
#include <string.h>

#define HISTORY_RUNS "50"
#define RECORD_BYTES 65536             /* a longer record is left out */
#define INPUT_BYTES ((size_t)8192)     /* of one text */
#define INPUTS_BYTES ((size_t)4 << 20) /* of all texts together */
#define LINE_BYTES ((size_t)400)       /* of a line that is shown */
#define NO_TEXT INT64_MAX              /* smallest_bytes without a text */

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/*
 * What a head and those joined to it have together, up to a run: gone when all
 * of it is, back when none of it has stayed. Flaky: at its last rerun it came
 * at some times and not at others.
 */
#define HEADS                                                                  \
    "(SELECT head AS bucket, min(first_run) AS first, max(last_run) AS last,"  \
    " sum(n) AS n, iif(count(gone_run) = count(*) AND max(gone_run) <= ?1,"    \
    " max(gone_run), 0) AS gone, iif(max(gone_run IS NULL"                     \
    " AND coalesce(back_run, 0) < last_run), 0, coalesce(max(back_run), 0))"   \
    " AS back FROM buckets GROUP BY head HAVING min(first_run) <= ?1)"
#define FLAKY                                                                  \
    "coalesce((SELECT max(shown > 0 AND shown < times) FROM buckets AS m"      \
    " JOIN reruns AS a USING(bucket) WHERE m.head = h.bucket GROUP BY a.run"   \
    " ORDER BY a.run DESC LIMIT 1), 0)"
#define STATE                                                                  \
    "CASE WHEN gone > 0 AND NOT " FLAKY " THEN 'fixed'"                        \
    " WHEN k.expired = 0 THEN 'known' WHEN " FLAKY " THEN 'flaky'"             \
    " WHEN back >= last THEN 'reappeared' WHEN first = ?1 THEN 'new'"          \
    " ELSE 'open' END"
#define NAMED " LEFT JOIN temp.named AS k ON k.head = h.bucket"
#define LAST                                                                   \
    " FROM buckets AS m CROSS JOIN run_buckets AS r USING(bucket)"             \
    " WHERE m.head = h.bucket AND r.run <= ?1 ORDER BY r.run DESC, r.number"   \
    " LIMIT 1)"

const char report_html_issues[] =
    "SELECT h.bucket, b.severity, " STATE " AS state, b.rule, b.title,"
    " (SELECT r.path" LAST ", (SELECT r.line" LAST ","
    " coalesce((SELECT sum(r.n) FROM buckets AS m CROSS JOIN run_buckets AS r"
    " USING(bucket) WHERE r.run = ?1 AND m.head = h.bucket), 0) AS here,"
    " h.n, first, last, gone, b.cause, b.signature,"
    " b.note, (SELECT group_concat(label, ', ') FROM (SELECT label FROM labels"
    " WHERE bucket = h.bucket ORDER BY label)), k.until, k.owner, k.reason,"
    " k.expired FROM " HEADS
    " AS h JOIN buckets AS b USING(bucket)" NAMED REPORT_WORST_FIRST(
        "CASE state WHEN 'fixed' THEN 2 WHEN 'known' THEN 1"
        " ELSE 0 END",
        REPORT_RANK("b.severity"), "state IN ('new', 'reappeared')",
        "here DESC, h.n") " LIMIT " TEXT(REPORT_ISSUES_MOST);
const char report_html_issue_count[] = "SELECT count(*) FROM " HEADS;
const char report_html_state_counts[] =
    "WITH told AS (SELECT " STATE " AS state, k.expired FROM " HEADS
    " AS h" NAMED "), counts AS (SELECT state, count(*) AS n FROM told"
    " GROUP BY state UNION ALL SELECT 'expired', sum(expired AND state <>"
    " 'fixed') FROM told) SELECT state, n FROM counts WHERE n > 0 ORDER BY CASE"
    " state WHEN 'new' THEN 0 WHEN 'reappeared' THEN 1 WHEN 'open' THEN 2"
    " WHEN 'flaky' THEN 3 WHEN 'known' THEN 4 WHEN 'fixed' THEN 5 ELSE 6 END";

static const char example_sql[] =
    "SELECT b.smallest_run, b.smallest_bytes, v.path, v.name, v.kind, i.input,"
    " f.json, f.line, iif(json_valid(f.json), f.json ->> '$.producer.line', 0)"
    " FROM buckets AS b"
    " LEFT JOIN verdicts AS v ON v.run = b.smallest_run"
    " AND v.number = b.smallest_number"
    " LEFT JOIN inputs AS i ON i.input = v.input"
    " LEFT JOIN findings AS f ON f.run = b.smallest_run"
    " AND f.number = b.smallest_number AND f.bucket = b.bucket"
    " WHERE b.head = ?1 ORDER BY b.smallest_bytes, b.smallest_run,"
    " b.smallest_number, f.n LIMIT 1";
enum { RUN, BYTES, PATH, NAME, KIND, INPUT, RECORD, LINE, FIRST_LINE };

static const char history_sql[] =
    "SELECT r.run, sum(r.n), min(r.number), r.path, r.line, count(*) OVER ()"
    " FROM buckets AS b CROSS JOIN run_buckets AS r USING(bucket)"
    " WHERE b.head = ?1 AND r.run <= ?2 GROUP BY r.run ORDER BY r.run DESC"
    " LIMIT " HISTORY_RUNS;

typedef struct data {
    report_html *page;
    sqlite3_stmt *example, *history;
    report_subject subject; /* of the run of the last example */
    bool has_subject;
    size_t texts;  /* bytes of inputs so far */
    int64_t input; /* whose text is here; 0: none */
    char *text;
    size_t length, room;
} data;

static report_status fail(data *d)
{
    return report_fail_sql(d->page->w->error, d->page->w->store,
                           "the database cannot be read");
}

static void put_name(data *d, const char *name)
{
    fprintf(d->page->out, ",\"%s\":", name);
}

static void put_string(data *d, const char *name, const char *text)
{
    put_name(d, name);
    report_html_string(d->page, text, strlen(text));
}

static void put_integer(data *d, const char *name, long long value)
{
    fprintf(d->page->out, ",\"%s\":%lld", name, value);
}

/* --- The example --- */

/* Without half of a character at the end. */
static size_t whole_characters(const char *text, size_t length, size_t most)
{
    if (length <= most)
        return length;
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

/*
 * Many causes have the same large input: its text is read into memory that
 * stays, which takes a tenth of the time of a column.
 */
static report_status read_text(data *d, int64_t input)
{
    sqlite3_blob *blob = NULL;
    if (input == d->input)
        return REPORT_OK;
    d->input = 0;
    d->length = 0;
    if (sqlite3_blob_open(d->page->w->store->db, "main", "inputs", "text",
                          input, 0, &blob) != SQLITE_OK)
        return fail(d);
    size_t length = (size_t)sqlite3_blob_bytes(blob);
    char *grown = length > d->room ? realloc(d->text, length) : d->text;
    report_status status = REPORT_OK;
    if (length > d->room && grown == NULL) {
        status =
            report_fail(d->page->w->error, REPORT_NO_MEMORY, "out of memory");
    } else {
        d->text = grown;
        d->room = length > d->room ? length : d->room;
        if (length > 0 &&
            sqlite3_blob_read(blob, grown, (int)length, 0) != SQLITE_OK)
            status = fail(d);
    }
    sqlite3_blob_close(blob);
    if (status != REPORT_OK)
        return status;
    d->input = input;
    d->length = length;
    return REPORT_OK;
}

static void put_input(data *d, sqlite3_stmt *row)
{
    int64_t bytes = sqlite3_column_int64(row, BYTES);
    put_integer(d, "bytes", bytes == NO_TEXT ? -1 : bytes);
    if (sqlite3_column_type(row, INPUT) == SQLITE_NULL || bytes == NO_TEXT ||
        d->texts >= INPUTS_BYTES)
        return;
    size_t kept = whole_characters(d->text, d->length, INPUT_BYTES);
    d->texts += kept;
    put_integer(d, "kept", (long long)kept);
    put_name(d, "text");
    if (!report_html_string(d->page, d->text, kept))
        fputs(",\"exact\":false", d->page->out);
}

/* A line of the input, from 1; false: there is none, or nothing in it. */
static bool put_line(data *d, int64_t line, const char *before)
{
    const char *at = d->text, *end = d->text + d->length;
    for (int64_t i = 1; i < line && at != NULL; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at == NULL ? NULL : at + 1;
    }
    if (line < 1 || at == NULL || at == end)
        return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t n = (size_t)((stop == NULL ? end : stop) - at);
    fprintf(d->page->out, "%s[%lld,", before, (long long)line);
    report_html_string(d->page, at, whole_characters(at, n, LINE_BYTES));
    fputs(n > LINE_BYTES ? ",true]" : "]", d->page->out); /* it is cut */
    return true;
}

/* The lines that the finding is about, in the order of the input. */
static void put_lines(data *d, sqlite3_stmt *row)
{
    int64_t line = sqlite3_column_int64(row, LINE);
    int64_t first = sqlite3_column_int64(row, FIRST_LINE);
    if (sqlite3_column_type(row, INPUT) == SQLITE_NULL || d->length == 0)
        return;
    int64_t low = first > 0 && first < line ? first : line;
    int64_t high = first > line ? first : line;
    put_name(d, "lines");
    fputc('[', d->page->out);
    bool some = put_line(d, low, "");
    if (high > low)
        put_line(d, high, some ? "," : "");
    fputc(']', d->page->out);
}

static report_status put_command(data *d, int64_t run, const char *path)
{
    report_writing *w = d->page->w;
    report_status status = REPORT_OK;
    if (!d->has_subject || d->subject.run != run) {
        if (d->has_subject)
            report_subject_free(&d->subject);
        d->subject = (report_subject){0};
        status = report_subject_read(&d->subject, w->store, run, w->error);
        d->has_subject = status == REPORT_OK;
    }
    if (status != REPORT_OK)
        return status;
    char *command =
        report_subject_command(&status, &d->subject, path, w->error);
    if (command != NULL)
        put_string(d, "command", command);
    free(command);
    return status;
}

static report_status put_example(data *d, int64_t bucket)
{
    sqlite3_stmt *row = d->example;
    sqlite3_reset(row);
    sqlite3_bind_int64(row, 1, bucket);
    int code = sqlite3_step(row);
    if (code != SQLITE_ROW)
        return code == SQLITE_DONE ? REPORT_OK : fail(d);
    put_string(d, "path", report_html_column(row, PATH));
    put_string(d, "name", report_html_column(row, NAME));
    put_string(d, "kind", report_html_column(row, KIND));
    put_integer(d, "line", report_html_number(row, LINE));
    if (sqlite3_column_bytes(row, RECORD) <= RECORD_BYTES)
        put_string(d, "record", report_html_column(row, RECORD));
    report_status status = REPORT_OK;
    if (sqlite3_column_type(row, INPUT) != SQLITE_NULL)
        status = read_text(d, sqlite3_column_int64(row, INPUT));
    if (status != REPORT_OK)
        return status;
    put_input(d, row);
    put_lines(d, row);
    if (sqlite3_column_type(row, PATH) == SQLITE_NULL)
        return REPORT_OK; /* it was pruned */
    return put_command(d, sqlite3_column_int64(row, RUN),
                       report_html_column(row, PATH));
}

/* --- An issue --- */

static report_status put_history(data *d, int64_t bucket)
{
    sqlite3_stmt *row = d->history;
    long long runs = 0;
    int code;
    sqlite3_reset(row);
    sqlite3_bind_int64(row, 1, bucket);
    sqlite3_bind_int64(row, 2, d->page->w->subject.run);
    put_name(d, "history");
    fputc('[', d->page->out);
    for (; (code = sqlite3_step(row)) == SQLITE_ROW;) {
        fprintf(d->page->out, "%s[%lld,%lld,", runs > 0 ? "," : "",
                report_html_number(row, 0), report_html_number(row, 1));
        const char *path = report_html_column(row, 3);
        report_html_string(d->page, path, strlen(path));
        fprintf(d->page->out, ",%lld]", report_html_number(row, 4));
        runs = report_html_number(row, 5);
    }
    fputc(']', d->page->out);
    put_integer(d, "runs", runs);
    return code == SQLITE_DONE ? REPORT_OK : fail(d);
}

static report_status put_issue(data *d, sqlite3_stmt *row, bool first)
{
    static const struct {
        const char *name;
        int column;
    } texts[] = {{"cause", ISSUE_CAUSE}, {"labels", ISSUE_LABELS},
                 {"note", ISSUE_NOTE},   {"signature", ISSUE_SIGNATURE},
                 {"until", ISSUE_UNTIL}, {"owner", ISSUE_OWNER},
                 {"why", ISSUE_WHY}};
    int64_t bucket = sqlite3_column_int64(row, ISSUE_BUCKET);
    fprintf(d->page->out, "%s\n\"%lld\":{\"first\":%lld", first ? "" : ",",
            (long long)bucket, report_html_number(row, ISSUE_FIRST));
    put_integer(d, "last", report_html_number(row, ISSUE_LAST));
    put_integer(d, "gone", report_html_number(row, ISSUE_GONE));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (sqlite3_column_type(row, texts[i].column) != SQLITE_NULL)
            put_string(d, texts[i].name,
                       report_html_column(row, texts[i].column));
    report_status status = put_example(d, bucket);
    if (status == REPORT_OK)
        status = put_history(d, bucket);
    fputc('}', d->page->out);
    return status;
}

/* --- All --- */

static report_status prepare(sqlite3_stmt **statement, data *d, const char *sql)
{
    return sqlite3_prepare_v2(d->page->w->store->db, sql, -1, statement,
                              NULL) == SQLITE_OK
               ? REPORT_OK
               : fail(d);
}

static report_status put_issues(data *d)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    int count = 0;
    report_status status = prepare(&row, d, report_html_issues);
    if (status == REPORT_OK)
        status = prepare(&d->example, d, example_sql);
    if (status == REPORT_OK)
        status = prepare(&d->history, d, history_sql);
    if (status == REPORT_OK)
        sqlite3_bind_int64(row, 1, d->page->w->subject.run);
    while (status == REPORT_OK && count < REPORT_DETAILS &&
           (code = sqlite3_step(row)) == SQLITE_ROW)
        status = put_issue(d, row, count++ == 0);
    if (status == REPORT_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        status = fail(d);
    sqlite3_finalize(row);
    return status;
}

static void put_rule(report_html *p, sqlite3_stmt *row, size_t index)
{
    const char *name = report_html_column(row, 0);
    const report_view *view = p->w->view;
    report_rule rule = {0};
    if (index == 0)
        fputs("\"\":null", p->out);
    if (view->find == NULL || !view->find(view->context, &rule, name) ||
        rule.help == NULL)
        return;
    fputs(",\n", p->out);
    report_html_string(p, name, strlen(name));
    fputc(':', p->out);
    report_html_string(p, rule.help, strlen(rule.help));
}

/* The command that shows a bucket, but for its number. */
static report_status put_show(report_html *p)
{
    char *text = NULL;
    size_t length = 0;
    report_writing show = *p->w;
    if (p->w->view->database == NULL)
        return REPORT_OK;
    show.out = open_memstream(&text, &length);
    if (show.out == NULL)
        return report_fail(p->w->error, REPORT_NO_MEMORY, "out of memory");
    report_status status = report_put_verb(&show, REPORT_PLAIN, "triage show");
    if (fclose(show.out) != 0 && status == REPORT_OK)
        status = report_fail(p->w->error, REPORT_NO_MEMORY, "out of memory");
    if (status == REPORT_OK) {
        fputs(",\n\"show\":", p->out);
        report_html_string(p, text, length);
    }
    free(text);
    return status;
}

report_status report_html_data(report_html *p)
{
    data d = {.page = p};
    fputs("{\"buckets\":{", p->out);
    report_status status = put_issues(&d);
    free(d.text);
    sqlite3_finalize(d.example);
    sqlite3_finalize(d.history);
    if (d.has_subject)
        report_subject_free(&d.subject);
    if (status != REPORT_OK)
        return status;
    fputs("},\n\"rules\":{", p->out);
    status = report_html_each(
        p,
        "SELECT DISTINCT rule FROM buckets WHERE first_run <= ?1 ORDER BY rule",
        put_rule, NULL);
    fputs("}", p->out);
    if (status == REPORT_OK)
        status = put_show(p);
    fputs("}", p->out);
    return status;
}
