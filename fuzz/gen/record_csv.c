/* Memory plans as CSV: buffers with lives, each above all that live with it. */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>

#include "make.h"

typedef struct csv_row {
    int64_t lower, upper, size, align, offset;
    bool placed, twice;
} csv_row;

typedef struct plan {
    fuzz_case *c;
    fuzz_random r;
    csv_row *rows;
    uint32_t count;
    bool alignments, hints, quoted, inclusive, carriage;
    const char *column, *value; /* a column too many, with this value */
    const char *line;           /* a line too many */
    int64_t capacity;
} plan;

static bool meet(const csv_row *a, const csv_row *b)
{
    return a->lower < b->upper && b->lower < a->upper;
}

static void draw_rows(plan *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        csv_row *row = &p->rows[i];
        row->lower = fuzz_between(&p->r, 0, 2 * (int64_t)p->count);
        row->upper = row->lower + (int64_t)fuzz_log_size(&p->r, 1, 16);
        row->size = (int64_t)fuzz_log_size(&p->r, 1, 65536);
        row->align = p->alignments ? (int64_t)1 << fuzz_below(&p->r, 8) : 1;
        row->placed = true;
        for (uint32_t k = 0; k < i; k++) {
            int64_t end = p->rows[k].offset + p->rows[k].size;
            if (meet(row, &p->rows[k]) && end > row->offset)
                row->offset = end;
        }
        row->offset = (row->offset + row->align - 1) / row->align * row->align;
    }
}

static int64_t peak_of(const plan *p)
{
    int64_t peak = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t end = p->rows[i].offset + p->rows[i].size;
        peak = end > peak ? end : peak;
    }
    return peak;
}

/* --- Faults --- */

static bool overlap(plan *p)
{
    uint32_t first = (uint32_t)fuzz_below(&p->r, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        csv_row *a = &p->rows[(first + i) % p->count];
        for (uint32_t k = 0; k < p->count; k++) {
            if (&p->rows[k] != a && meet(a, &p->rows[k])) {
                a->offset = p->rows[k].offset;
                a->align = 1;
                return true;
            }
        }
    }
    return false;
}

static bool bounds(plan *p)
{
    p->capacity = peak_of(p) - 1;
    return p->capacity > 0;
}

static bool missing(plan *p)
{
    p->rows[fuzz_below(&p->r, p->count)].placed = false;
    return true;
}

static bool alignment(plan *p)
{
    csv_row *row = &p->rows[fuzz_below(&p->r, p->count)];
    p->alignments = true;
    row->align = 64;
    row->offset = peak_of(p) / 64 * 64 + 64 + fuzz_between(&p->r, 1, 63);
    return true;
}

static bool again(plan *p)
{
    p->rows[fuzz_below(&p->r, p->count)].twice = true;
    return true;
}

static bool set_line(plan *p, const char *const *lines, uint32_t count)
{
    p->line = lines[fuzz_below(&p->r, count)];
    return true;
}

/* The columns are id, lower, upper, size, offset, and others behind them. */
static bool syntax(plan *p)
{
    static const char *const lines[] = {"\"a", "\"a\"b,1,2,3,4",
                                        "a,1,2,3,\"\"\"4"};
    return set_line(p, lines, 3);
}

static bool schema(plan *p)
{
    static const char *const lines[] = {"a", "a,b", "a,1,2",
                                        "a,1,2,3,4,5,6,7,8"};
    return set_line(p, lines, 4);
}

static bool range(plan *p)
{
    csv_row *row = &p->rows[fuzz_below(&p->r, p->count)];
    if (fuzz_chance(&p->r, 1, 2))
        row->size = -1;
    else
        row->upper = row->lower - 2;
    return true;
}

static bool unknown(plan *p)
{
    p->column = "color";
    p->value = "red";
    return true;
}

static void break_plan(plan *p)
{
    static const struct {
        const char *name, *rule;
        bool (*make)(plan *p);
    } faults[] = {
        {"csv-overlap", "memory.overlap", overlap},
        {"csv-bounds", "memory.bounds", bounds},
        {"csv-missing", "memory.missing", missing},
        {"csv-alignment", "memory.alignment", alignment},
        {"csv-twice", "doc.schema", again},
        {"csv-syntax", "doc.syntax", syntax},
        {"csv-schema", "doc.schema", schema},
        {"csv-range", "doc.range", range},
        {"csv-unknown-field", "doc.unknown-field", unknown},
    };
    enum { FAULTS = sizeof faults / sizeof *faults };
    uint64_t at = fuzz_below(&p->r, FAULTS);
    while (!faults[at].make(p))
        at = (at + 1) % FAULTS;
    p->c->fault = faults[at].name;
    fuzz_case_expect(p->c, faults[at].rule);
}

/* --- The text --- */

static void put_number(plan *p, int64_t value)
{
    char digits[32];
    bool quoted = p->quoted && value % 3 == 0;
    snprintf(digits, sizeof digits, quoted ? ",\"%" PRId64 "\"" : ",%" PRId64,
             value);
    fuzz_put(&p->c->input, digits);
}

static void end_line(plan *p)
{
    fuzz_put(&p->c->input, p->carriage ? "\r\n" : "\n");
}

static void put_row(plan *p, uint32_t index)
{
    fuzz_text *t = &p->c->input;
    const csv_row *row = &p->rows[index];
    char id[32];
    snprintf(id, sizeof id, p->quoted ? "\"b,\"\"%u\"" : "b%u",
             (unsigned)index);
    fuzz_put(t, id);
    put_number(p, row->lower);
    put_number(p, p->inclusive ? row->upper - 1 : row->upper);
    put_number(p, row->size);
    if (row->placed)
        put_number(p, row->offset);
    else
        fuzz_put(t, ",");
    if (p->alignments)
        put_number(p, row->align);
    if (p->hints)
        fuzz_put(t, ",7");
    if (p->column != NULL) {
        fuzz_put(t, ",");
        fuzz_put(t, p->value);
    }
    end_line(p);
}

static void write(plan *p)
{
    fuzz_text *t = &p->c->input;
    char options[64];
    fuzz_put(t, p->inclusive ? "buffer,start,end,size,offset"
                             : "id,lower,upper,size,offset");
    if (p->alignments)
        fuzz_put(t, ",alignment");
    if (p->hints)
        fuzz_put(t, ",hint");
    if (p->column != NULL) {
        fuzz_put(t, ",");
        fuzz_put(t, p->column);
    }
    end_line(p);
    for (uint32_t i = 0; i < p->count; i++) {
        put_row(p, i);
        if (p->rows[i].twice)
            put_row(p, i);
    }
    if (p->line != NULL) {
        fuzz_put(t, p->line);
        end_line(p);
    }
    snprintf(options, sizeof options,
             p->capacity > 0 ? "{\"capacity\":%" PRId64 ",\"csv\":1}"
                             : "{\"csv\":1}",
             p->capacity);
    fuzz_put(&p->c->options, options);
}

fuzz_status fuzz_make_csv(fuzz_case *c, const fuzz_limits *limits)
{
    plan p = {.c = c, .r = fuzz_random_of(&c->name, GRAPH_FOR_SHAPE)};
    p.count = fuzz_task_count(&p.r, limits, UINT32_MAX);
    p.rows = fuzz_arena_get(c->work, p.count, sizeof *p.rows);
    if (p.rows == NULL)
        return FUZZ_NO_MEMORY;
    p.alignments = fuzz_chance(&p.r, 1, 2);
    p.hints = fuzz_chance(&p.r, 1, 8);
    p.quoted = fuzz_chance(&p.r, 1, 4);
    p.inclusive = fuzz_chance(&p.r, 1, 4);
    p.carriage = fuzz_chance(&p.r, 1, 4);
    draw_rows(&p);
    if (fuzz_chance(&p.r, 1, 3))
        break_plan(&p);
    c->shape = "csv";
    c->tasks = p.count;
    write(&p);
    return FUZZ_OK;
}
