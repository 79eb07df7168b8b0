/*
 * What the record of a finding says beyond its message, as SARIF has it: the
 * lines of both tasks, and the order that goes wrong as a thread flow.
 */
#include "sarif.h"

/* Of an order; GitHub shows 1,000 locations of a thread flow. */
#define MOST_STEPS 50

static report_status unreadable(const report_witness *k)
{
    return report_fail_sql(k->error, k->store, "the database cannot be read");
}

/* --- Pieces --- */

void report_sarif_begin_message(FILE *out)
{
    fputs("\"message\":{\"text\":\"", out);
}

void report_sarif_end_message(FILE *out)
{
    fputs("\"}", out);
}

void report_sarif_artifact(FILE *out, const char *place)
{
    bool absolute = place[0] == '/';
    fputs("{\"uri\":\"", out);
    fputs(absolute ? "file://" : "", out);
    report_put_uri(out, *place == '\0' ? "unnamed" : place);
    fprintf(out, "\"%s}", absolute ? "" : ",\"uriBaseId\":\"SRCROOT\"");
}

void report_sarif_place(FILE *out, const char *place, int64_t line)
{
    fputs("\"physicalLocation\":{\"artifactLocation\":", out);
    report_sarif_artifact(out, place);
    if (line > 0)
        fprintf(out, ",\"region\":{\"startLine\":%lld}", (long long)line);
    putc('}', out);
}

/* --- What the JSON of a finding says --- */

typedef struct task {
    bool known;
    int64_t id, line; /* line 0: none */
    char name[128];
} task;

typedef struct record {
    task producer, consumer;
    bool has_reader, has_expected, has_seen;
    int64_t reader, expected, seen;
} record;

static const char record_sql[] =
    "SELECT j ->> '$.producer.task', j ->> '$.producer.line',"
    " j ->> '$.producer.name', j ->> '$.consumer.task',"
    " j ->> '$.consumer.line', j ->> '$.consumer.name',"
    " j ->> '$.witness.reader', j ->> '$.witness.expected_writer',"
    " j ->> '$.witness.seen_writer'"
    " FROM (SELECT iif(json_valid(?1), ?1, '{}') AS j)";
/* A range of tasks stands for all of them. */
static const char steps_sql[] =
    "SELECT iif(type = 'array', value ->> '$[0]', value),"
    " iif(type = 'array', value ->> '$[1]', value)"
    " FROM json_each(iif(json_valid(?1), ?1, '{}'), '$.witness.order')"
    " WHERE type IN ('integer', 'array')";

static bool take_number(int64_t *number, sqlite3_stmt *row, int column)
{
    bool is = sqlite3_column_type(row, column) == SQLITE_INTEGER;
    *number = is ? sqlite3_column_int64(row, column) : 0;
    return is;
}

static void take_task(task *t, sqlite3_stmt *row, int from)
{
    const unsigned char *name = sqlite3_column_text(row, from + 2);
    t->known = take_number(&t->id, row, from);
    if (!take_number(&t->line, row, from + 1) || t->line < 0)
        t->line = 0;
    if (name != NULL)
        snprintf(t->name, sizeof t->name, "%s", (const char *)name);
}

static report_status read_record(record *r, report_witness *k, const char *json)
{
    sqlite3_stmt *row = k->record;
    *r = (record){0};
    sqlite3_reset(row);
    sqlite3_bind_text(row, 1, json, -1, SQLITE_STATIC);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        take_task(&r->producer, row, 0);
        take_task(&r->consumer, row, 3);
        r->has_reader = take_number(&r->reader, row, 6);
        r->has_expected = take_number(&r->expected, row, 7);
        r->has_seen = take_number(&r->seen, row, 8);
    }
    sqlite3_reset(row);
    return code == SQLITE_ROW ? REPORT_OK : unreadable(k);
}

/* --- Where else, and the order that goes wrong --- */

static void put_task(FILE *out, const task *t)
{
    fprintf(out, "task %lld", (long long)t->id);
    if (t->name[0] != '\0') {
        fputs(" \\\"", out);
        report_put(out, REPORT_SARIF, t->name);
        fputs("\\\"", out);
    }
}

static void put_related(FILE *out, const record *r, const char *place)
{
    const task *tasks[] = {&r->producer, &r->consumer};
    static const char *const roles[] = {"the first: ", "the second: "};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (!tasks[i]->known || tasks[i]->line == 0)
            continue;
        fprintf(out, "%s{\"id\":%d,",
                count == 0 ? ",\"relatedLocations\":[" : ",", i + 1);
        report_sarif_place(out, place, tasks[i]->line);
        putc(',', out);
        report_sarif_begin_message(out);
        fputs(roles[i], out);
        put_task(out, tasks[i]);
        report_sarif_end_message(out);
        putc('}', out);
        count++;
    }
    fputs(count > 0 ? "]" : "", out);
}

typedef struct flow {
    FILE *out;
    const record *record;
    const char *place;
    size_t shown;
    int64_t hidden; /* steps since the last that was shown */
} flow;

static bool is_in(int64_t id, int64_t first, int64_t last)
{
    return id >= first && id <= last;
}

/* A step that the finding is about. */
static bool matters(const record *r, int64_t first, int64_t last)
{
    return (r->producer.known && is_in(r->producer.id, first, last)) ||
           (r->consumer.known && is_in(r->consumer.id, first, last)) ||
           (r->has_reader && is_in(r->reader, first, last)) ||
           (r->has_expected && is_in(r->expected, first, last)) ||
           (r->has_seen && is_in(r->seen, first, last));
}

static void begin_step(flow *f, int64_t line, bool important)
{
    FILE *out = f->out;
    fputs(f->shown++ > 0 ? ",{" : "{", out);
    fprintf(out, "\"importance\":\"%s\",\"location\":{",
            important ? "essential" : "unimportant");
    report_sarif_place(out, f->place, line);
    putc(',', out);
    report_sarif_begin_message(out);
}

static void end_step(FILE *out)
{
    report_sarif_end_message(out);
    fputs("}}", out);
}

static void put_hidden(flow *f)
{
    if (f->hidden == 0)
        return;
    begin_step(f, 0, false);
    fprintf(f->out, "%lld more steps", (long long)f->hidden);
    end_step(f->out);
    f->hidden = 0;
}

static void put_role(FILE *out, const record *r, int64_t first, int64_t last)
{
    if (r->has_reader && is_in(r->reader, first, last))
        fputs(": reads here", out);
    if (r->has_expected && is_in(r->expected, first, last))
        fputs(": writes what should be read", out);
    if (r->has_seen && is_in(r->seen, first, last))
        fputs(": writes what is read instead", out);
}

static void put_step(flow *f, int64_t first, int64_t last)
{
    FILE *out = f->out;
    const record *r = f->record;
    bool important = matters(r, first, last);
    const task *t = NULL;
    if (first == last && r->producer.known && r->producer.id == first)
        t = &r->producer;
    if (first == last && r->consumer.known && r->consumer.id == first)
        t = &r->consumer;
    if (!important && f->shown >= MOST_STEPS) {
        f->hidden++;
        return;
    }
    put_hidden(f);
    begin_step(f, t == NULL ? 0 : t->line, important);
    if (t != NULL)
        put_task(out, t);
    else if (first == last)
        fprintf(out, "task %lld", (long long)first);
    else
        fprintf(out, "tasks %lld to %lld", (long long)first, (long long)last);
    put_role(out, r, first, last);
    end_step(out);
}

/* A legal order in which a read gets a wrong value, where one was found. */
static report_status put_flow(report_witness *k, const record *r,
                              const char *json, const char *place)
{
    static const char begins[] =
        ",\"codeFlows\":[{\"message\":{\"text\":\"a legal order of the tasks\"}"
        ",\"threadFlows\":[{\"locations\":[";
    flow f = {.out = k->out, .record = r, .place = place};
    int code;
    sqlite3_reset(k->steps);
    sqlite3_bind_text(k->steps, 1, json, -1, SQLITE_STATIC);
    while ((code = sqlite3_step(k->steps)) == SQLITE_ROW) {
        int64_t first, last;
        if (!take_number(&first, k->steps, 0) ||
            !take_number(&last, k->steps, 1))
            continue;
        fputs(f.shown == 0 ? begins : "", k->out);
        put_step(&f, first, last);
    }
    put_hidden(&f);
    fputs(f.shown > 0 ? "]}]}]" : "", k->out);
    sqlite3_reset(k->steps);
    return code == SQLITE_DONE ? REPORT_OK : unreadable(k);
}

/* --- Both --- */

report_status report_witness_open(report_witness *k, const report_writing *w)
{
    *k = (report_witness){.out = w->out, .store = w->store, .error = w->error};
    return sqlite3_prepare_v2(w->store->db, record_sql, -1, &k->record, NULL) ==
                       SQLITE_OK &&
                   sqlite3_prepare_v2(w->store->db, steps_sql, -1, &k->steps,
                                      NULL) == SQLITE_OK
               ? REPORT_OK
               : unreadable(k);
}

void report_witness_close(report_witness *k)
{
    sqlite3_finalize(k->record);
    sqlite3_finalize(k->steps);
}

report_status report_sarif_witness(report_witness *k, const char *json,
                                   const char *place)
{
    record r;
    report_status status = read_record(&r, k, json);
    if (status != REPORT_OK)
        return status;
    put_related(k->out, &r, place);
    return put_flow(k, &r, json, place);
}
