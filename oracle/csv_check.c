/* Checks the witness of a finding about a CSV plan against its lines. */
#include "csv.h"

#include "json.h"

#include <stdio.h>
#include <string.h>

typedef struct check {
    const oracle_csv *csv;
    oracle_json json;
    uint32_t witness;
    int64_t capacity;
} check;

static uint32_t member(const check *c, uint32_t object, const char *name)
{
    uint32_t end =
        object == ORACLE_NONE ? 0 : oracle_json_next(&c->json, object);
    for (uint32_t at = object + 1;
         object != ORACLE_NONE &&
         c->json.nodes[object].type == ORACLE_JSON_OBJECT && at < end;
         at = oracle_json_next(&c->json, at + 1)) {
        if (oracle_json_is(&c->json, at, name, strlen(name))) {
            return at + 1;
        }
    }
    return ORACLE_NONE;
}

static bool number(const check *c, uint32_t object, const char *name,
                   int64_t *value)
{
    uint32_t node = member(c, object, name);
    return node != ORACLE_NONE &&
           c->json.nodes[node].type == ORACLE_JSON_NUMBER &&
           oracle_json_int64(&c->json, node, value);
}

static const oracle_csv_row *row_of(const check *c, uint32_t object)
{
    int64_t line;
    if (!number(c, object, "line", &line)) {
        return NULL;
    }
    for (uint32_t i = 0; i < c->csv->count; i++) {
        if (c->csv->rows[i].line == line) {
            return &c->csv->rows[i];
        }
    }
    return NULL;
}

/* The bytes of a buffer that are alive at a time. */
static void alive_at(const oracle_csv *csv, const oracle_csv_row *row,
                     int64_t time, int64_t *from, int64_t *to)
{
    *from = 0;
    *to = time >= row->lower && time < row->upper ? row->size : 0;
    for (uint32_t i = row->first_gap; i < row->first_gap + row->gaps; i++) {
        const oracle_csv_gap *gap = &csv->gaps[i];
        if (time >= gap->lower && time < gap->upper) {
            *from = gap->from;
            *to = gap->to;
        }
    }
}

static bool covers(const check *c, const oracle_csv_row *row, int64_t time,
                   int64_t address)
{
    int64_t from, to, at;
    alive_at(c->csv, row, time, &from, &to);
    return row->placed && !__builtin_sub_overflow(address, row->offset, &at) &&
           at >= from && at < to;
}

static const char *check_overlap(const check *c)
{
    int64_t time, address;
    uint32_t places = member(c, c->witness, "places");
    if (!number(c, c->witness, "time", &time) ||
        !number(c, c->witness, "address", &address) || places == ORACLE_NONE ||
        oracle_json_next(&c->json, places) == places + 1) {
        return "time, address and two places are not named";
    }
    uint32_t second = oracle_json_next(&c->json, places + 1);
    if (second >= oracle_json_next(&c->json, places)) {
        return "two places are not named";
    }
    const oracle_csv_row *a = row_of(c, places + 1), *b = row_of(c, second);
    if (a == NULL || b == NULL || a == b) {
        return "its lines are no two buffers";
    }
    return covers(c, a, time, address) && covers(c, b, time, address)
               ? NULL
               : "not both are alive at that address then";
}

static const char *check_bounds(const check *c)
{
    int64_t time, sum = 0, end;
    const oracle_csv_row *row = row_of(c, c->witness);
    if (row != NULL) {
        return row->placed &&
                       (row->offset < 0 ||
                        __builtin_add_overflow(row->offset, row->size, &end) ||
                        (c->capacity > 0 && end > c->capacity))
                   ? NULL
                   : "its place is within bounds";
    }
    if (!number(c, c->witness, "time", &time)) {
        return "neither a line nor a time is named";
    }
    for (uint32_t i = 0; i < c->csv->count; i++) {
        int64_t from, to;
        alive_at(c->csv, &c->csv->rows[i], time, &from, &to);
        if (__builtin_add_overflow(sum, to - from, &sum)) {
            return NULL;
        }
    }
    return c->capacity > 0 && sum > c->capacity
               ? NULL
               : "what is alive then fits into the capacity";
}

static const char *check_row(const check *c, bool aligned)
{
    const oracle_csv_row *row = row_of(c, c->witness);
    if (row == NULL) {
        return "its line is no buffer";
    }
    if (aligned) {
        return row->placed && row->offset % row->align != 0 ? NULL
                                                            : "it is aligned";
    }
    return row->placed || row->size == 0 || row->lower == row->upper
               ? "it needs no other place"
               : NULL;
}

static const char *check_rule(const check *c)
{
    static const char *const rules[] = {"memory.overlap", "memory.bounds",
                                        "memory.missing", "memory.alignment"};
    uint32_t rule = member(c, 0, "rule"), which = 0;
    while (which < 4 &&
           (rule == ORACLE_NONE || !oracle_json_is(&c->json, rule, rules[which],
                                                   strlen(rules[which])))) {
        which++;
    }
    return which == 0   ? check_overlap(c)
           : which == 1 ? check_bounds(c)
           : which == 4 ? "there is no such rule about a plan as CSV"
                        : check_row(c, which == 3);
}

bool oracle_csv_witness_check(const char *text, size_t length, int64_t capacity,
                              const char *finding_json, char *reason,
                              size_t reason_size)
{
    oracle_csv csv;
    oracle_error error;
    check c = {.csv = &csv, .capacity = capacity};
    const char *wrong = "the text cannot be read";
    oracle_status status = oracle_csv_read(&csv, text, length, &error);
    if (status == ORACLE_OK) {
        wrong = "the finding cannot be read";
        status = oracle_json_parse(&c.json, finding_json, strlen(finding_json),
                                   &error);
        if (status == ORACLE_OK) {
            c.witness = member(&c, 0, "witness");
            wrong = check_rule(&c);
            oracle_json_free(&c.json);
        }
        oracle_csv_free(&csv);
    }
    if (status == ORACLE_NO_MEMORY) {
        wrong = ORACLE_UNCHECKED;
    }
    snprintf(reason, reason_size, "%s", wrong == NULL ? "" : wrong);
    return wrong == NULL;
}
