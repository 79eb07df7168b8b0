/*
 * Pairs counted by sets: the same as the definition gives, byte by byte, on
 * small random graphs; exact on graphs with 10^8 of them and more.
 */
#include "../../scripts/testing/harness.h"

#include "../hazard.h"
#include "maker.h"
#include "oracle/judge.h"
#include "wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASKS 24
#define BYTES 12
#define ITEMS 256

/* --- Random graphs, as text --- */

typedef struct shape {
    uint64_t seed;
    bool regions, predicates, external, inout;
} shape;

typedef struct drawing {
    const shape *s;
    uint64_t index;
    FILE *out;
} drawing;

static uint64_t draw(drawing *d, uint64_t below)
{
    return maker_random(d->s->seed, d->index++) % below;
}

static void draw_region(drawing *d)
{
    uint64_t begin = draw(d, BYTES), stride = 1 + draw(d, 3);
    uint64_t count = 1 + draw(d, (BYTES - begin - 1) / stride + 1);
    fprintf(d->out,
            ",\"region\":{\"elem\":1,\"base\":%" PRIu64 ",\"dims\":[[%" PRIu64
            ",%" PRIu64 ",0]]}",
            begin, count, stride);
}

static void draw_arg(drawing *d, const char *mode)
{
    fprintf(d->out,
            "{\"buffer\":\"param:x\",\"dispatch\":\"no_dep\",\"access\":[{"
            "\"mode\":\"%s\",\"exact\":true,\"must\":%s",
            mode, d->s->predicates && draw(d, 5) == 0 ? "false" : "true");
    if (d->s->regions && draw(d, 3) != 0) {
        draw_region(d);
    }
    fputs("}]}", d->out);
}

static void draw_task(drawing *d, uint32_t t)
{
    static const char *const modes[] = {"read", "write", "inout"};
    fprintf(d->out, "%s{\"id\":%u,\"name\":\"t\"", t == 0 ? "" : ",",
            (unsigned)t);
    if (d->s->predicates && !d->s->inout && draw(d, 5) == 0) {
        fprintf(d->out,
                ",\"predicate\":{\"buffer\":\"param:x\",\"op\":\"==\",\"value\""
                ":0,\"region\":{\"elem\":1,\"base\":%" PRIu64
                ",\"dims\":[[1,1,0]]}}",
                draw(d, BYTES));
    }
    fputs(",\"args\":[", d->out);
    uint64_t args = d->s->inout ? 1 : 1 + draw(d, 4) / 3;
    for (uint64_t a = 0; a < args; a++) {
        fputs(a == 0 ? "" : ",", d->out);
        draw_arg(d, modes[draw(d, d->s->inout ? 3 : 2)]);
    }
    fputs("]}", d->out);
}

static char *draw_graph(const shape *s, uint64_t number, size_t *length)
{
    char *text = NULL;
    drawing d = {s, number << 16, open_memstream(&text, length)};
    uint32_t n = 2 + (uint32_t)draw(&d, TASKS - 1);
    uint64_t often = draw(&d, 6);
    bool any = false;
    assert_non_null(d.out);
    fprintf(d.out,
            "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
            "\"none\",\"buffers\":[{\"key\":\"param:x\",\"bytes\":%d,"
            "\"external\":%s}],\"tasks\":[",
            BYTES, s->external ? "true" : "false");
    for (uint32_t t = 0; t < n; t++) {
        draw_task(&d, t);
    }
    fputs("],\"edges\":[", d.out);
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (draw(&d, 20) < often) {
                fprintf(d.out,
                        "%s{\"from\":%u,\"to\":%u,\"source\":\"policy\","
                        "\"kind\":\"control\",\"certain\":true}",
                        any ? "," : "", (unsigned)from, (unsigned)to);
                any = true;
            }
        }
    }
    fputs("]}", d.out);
    assert_int_equal(fclose(d.out), 0);
    return text;
}

/* --- What is found, by one method or the other --- */

typedef struct found {
    oracle_hazards hazards;
    oracle_arena *arena;
} found;

static void find(found *f, const oracle_document *d, uint64_t sets_from,
                 uint64_t limit)
{
    oracle_arena *arena = oracle_arena_create();
    f->arena = oracle_arena_create();
    bool *present = oracle_arena_alloc(f->arena, d->task_count);
    memset(present, 1, d->task_count);
    f->hazards = (oracle_hazards){
        .arena = f->arena,
        .sets_from = sets_from,
        .limit = limit,
        .large = oracle_arena_alloc(f->arena, d->buffer_count),
        .unsure = oracle_arena_alloc(f->arena, d->buffer_count),
        .apart = oracle_arena_alloc(f->arena, d->buffer_count),
    };
    oracle_execution e = {.document = d,
                          .choices = present,
                          .present = present,
                          .complete = true,
                          .shared = arena,
                          .arena = arena};
    assert_true(oracle_order_build(&e.certain, d, NULL, present, false, arena));
    e.all = e.certain;
    assert_true(oracle_execution_start(&e));
    assert_true(oracle_hazards_find(&f->hazards, &e));
    assert_false(f->hazards.exhausted);
    oracle_arena_free(arena);
}

static void found_free(found *f)
{
    oracle_id_table_free(&f->hazards.by_pair);
    oracle_id_table_free(&f->hazards.known);
    oracle_arena_free(f->arena);
}

/* --- The definition, byte by byte --- */

enum { RAW, WAW, WAR, DEAD, KINDS };

/* By argument (the operand: behind the last) of producer and consumer. */
typedef struct plain {
    unsigned char said[ITEMS][ITEMS][KINDS];
    int64_t begin[ITEMS][ITEMS][KINDS], end[ITEMS][ITEMS][KINDS];
} plain;

typedef struct byte_list {
    const oracle_document *d;
    oracle_item items[ITEMS];
    uint32_t count;
    bool before[TASKS][TASKS]; /* of tasks */
    bool asked[ITEMS][ITEMS];  /* an order of two items is there, or needed */
    int kind[ITEMS][ITEMS];    /* of a pair that is not in order, or -1 */
} byte_list;

static uint32_t number_of(const oracle_document *d, const oracle_item *item)
{
    return item->arg == ORACLE_NONE
               ? d->arg_count + item->task
               : d->tasks[item->task].first_arg + item->arg;
}

static void list_byte(byte_list *b, const oracle_items *all, int64_t byte)
{
    b->count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const oracle_item *item = &all->items[i];
        bool again = false;
        if (!oracle_place_has_byte(b->d, item->place, NULL, byte)) {
            continue;
        }
        for (uint32_t k = 0; k < b->count && !oracle_item_writes(item); k++) {
            again = again || (b->items[k].task == item->task &&
                              item->task != ORACLE_NONE);
        }
        if (!again) {
            b->items[b->count++] = *item;
        }
    }
}

static bool sees(const byte_list *b, uint32_t read, uint32_t write)
{
    bool hidden = false;
    for (uint32_t i = write + 1; i < read; i++) {
        hidden =
            hidden || (oracle_item_writes(&b->items[i]) && b->items[i].must);
    }
    return write < read && !oracle_item_writes(&b->items[read]) && !hidden;
}

static bool is_read(const byte_list *b, uint32_t write)
{
    bool read = false;
    for (uint32_t i = write + 1; i < b->count; i++) {
        read = read || sees(b, i, write);
    }
    return read;
}

static bool in_order(const byte_list *b, uint32_t x, uint32_t y)
{
    uint32_t from = b->items[x].task, to = b->items[y].task;
    return from == to || b->before[from][to];
}

static int conflict(const byte_list *b, uint32_t x, uint32_t y)
{
    bool first = oracle_item_writes(&b->items[x]);
    bool second = oracle_item_writes(&b->items[y]);
    return first && !second  ? (sees(b, y, x) ? RAW : -1)
           : first && second ? (is_read(b, y) ? WAW : -1)
           : second          ? WAR
                             : -1;
}

/* Whether a read sees a write that comes after `write` in order. */
static bool outdated(const byte_list *b, uint32_t write, uint32_t read)
{
    bool is = false;
    for (uint32_t i = write + 1; i < read; i++) {
        is = is || (oracle_item_writes(&b->items[i]) && in_order(b, write, i));
    }
    return is;
}

/* Whether order and pairs lead from x to y over others. */
static bool leads(const byte_list *b, uint32_t x, uint32_t y)
{
    bool reached[ITEMS] = {false};
    bool is = false;
    reached[x] = true;
    for (uint32_t i = x + 1; i < y; i++) {
        bool passes = oracle_item_writes(&b->items[i]) ||
                      b->items[i].task == b->items[x].task ||
                      b->items[i].task == b->items[y].task;
        for (uint32_t k = x; k < i && passes; k++) {
            reached[i] = reached[i] || (reached[k] && b->asked[k][i]);
        }
        is = is || (reached[i] && b->asked[i][y]);
    }
    return is;
}

static void say(plain *p, const byte_list *b, uint32_t x, uint32_t y, int kind,
                int64_t byte)
{
    uint32_t from = number_of(b->d, &b->items[x]);
    uint32_t to = number_of(b->d, &b->items[y]);
    if (!p->said[from][to][kind]) {
        p->said[from][to][kind] = 1;
        p->begin[from][to][kind] = byte;
    }
    p->end[from][to][kind] = byte + 1;
}

static void judge_byte(plain *p, byte_list *b, int64_t byte)
{
    uint32_t n = b->count;
    bool caller = n > 0 && b->items[n - 1].task == ORACLE_NONE;
    uint32_t own = caller ? n - 1 : n, last = ORACLE_NONE;
    for (uint32_t x = 0; x < own; x++) {
        for (uint32_t y = x + 1; y < own; y++) {
            bool ordered = in_order(b, x, y);
            b->kind[x][y] = ordered ? -1 : conflict(b, x, y);
            b->asked[x][y] = ordered || b->kind[x][y] >= 0;
        }
    }
    for (uint32_t y = 0; y < own; y++) {
        for (uint32_t x = 0; x < y; x++) {
            if (b->kind[x][y] >= 0 &&
                (b->kind[x][y] == RAW ? !outdated(b, x, y) : !leads(b, x, y))) {
                say(p, b, x, y, b->kind[x][y], byte);
            }
        }
        if (oracle_item_writes(&b->items[y])) {
            if (last != ORACLE_NONE && !caller && !is_read(b, last) &&
                !is_read(b, y) && !in_order(b, last, y)) {
                say(p, b, last, y, DEAD, byte);
            }
            last = y;
        }
    }
}

static void reach(byte_list *b, const oracle_document *d)
{
    memset(b->before, 0, sizeof b->before);
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t e = 0; e < d->edge_count; e++) {
            uint32_t from = d->edges[e].from;
            if (d->edges[e].to != t) {
                continue;
            }
            b->before[from][t] = true;
            for (uint32_t a = 0; a < d->task_count; a++) {
                b->before[a][t] = b->before[a][t] || b->before[a][from];
            }
        }
    }
}

static void define(plain *p, const oracle_document *d)
{
    static byte_list b;
    oracle_items items;
    oracle_arena *arena = oracle_arena_create();
    memset(p, 0, sizeof *p);
    b.d = d;
    reach(&b, d);
    assert_true(oracle_items_collect(&items, d, NULL, arena));
    for (int64_t byte = 0; byte < BYTES; byte++) {
        list_byte(&b, &items, byte);
        judge_byte(p, &b, byte);
    }
    oracle_arena_free(arena);
}

/* A write that nobody reads is not said where the arguments have an error. */
static bool is_said(const plain *p, uint32_t x, uint32_t y, int kind)
{
    return p->said[x][y][kind] &&
           (kind != DEAD ||
            !(p->said[x][y][RAW] || p->said[x][y][WAW] || p->said[x][y][WAR]));
}

static int kind_of(const oracle_hazard *h)
{
    return h->kind == ORACLE_HAZARD_RAW   ? RAW
           : h->kind == ORACLE_HAZARD_WAW ? WAW
           : h->kind == ORACLE_HAZARD_WAR ? WAR
                                          : DEAD;
}

static uint64_t compare(const plain *p, const found *f,
                        const oracle_document *d, const char *text)
{
    uint64_t said = 0, listed = 0;
    uint32_t n = d->arg_count + d->task_count;
    for (uint32_t x = 0; x < n; x++) {
        for (uint32_t y = 0; y < n; y++) {
            for (int k = 0; k < KINDS; k++) {
                said += is_said(p, x, y, k);
            }
        }
    }
    for (uint32_t i = 0; i < f->hazards.count; i++) {
        const oracle_hazard *h = &f->hazards.list[i];
        if (h->kind == ORACLE_HAZARD_UNINITIALISED) {
            continue;
        }
        uint32_t x = number_of(d, &h->producer), y = number_of(d, &h->consumer);
        int k = kind_of(h);
        if (!is_said(p, x, y, k) || h->hull.begin != p->begin[x][y][k] ||
            h->hull.end != p->end[x][y][k]) {
            fail_msg("%d of arguments %u and %u, bytes %d to %d: %s", k, x, y,
                     (int)h->hull.begin, (int)h->hull.end, text);
        }
        listed++;
    }
    if (said != listed) {
        fail_msg("%d said, %d listed: %s", (int)said, (int)listed, text);
    }
    return said;
}

/* The same counts, and the first ones, with a limit. */
static void compare_limited(const found *all, const oracle_document *d)
{
    uint64_t kinds[2][ORACLE_MORE_KINDS] = {{0}};
    found some;
    find(&some, d, 1, 2);
    for (uint32_t i = 0; i < all->hazards.count; i++) {
        kinds[0][all->hazards.list[i].kind]++;
    }
    for (uint32_t i = 0; i < some.hazards.count; i++) {
        kinds[1][some.hazards.list[i].kind]++;
    }
    for (uint32_t k = 0; k < ORACLE_MORE_KINDS; k++) {
        kinds[1][k == ORACLE_MORE_STALE ? ORACLE_HAZARD_RAW : k] +=
            some.hazards.more[k];
    }
    assert_memory_equal(kinds[0], kinds[1], sizeof kinds[0]);
    found_free(&some);
}

static void compare_fresh(const found *a, const found *b)
{
    uint32_t n[2] = {0};
    const found *both[2] = {a, b};
    oracle_hazard list[2][ITEMS];
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < both[k]->hazards.count; i++) {
            const oracle_hazard *h = &both[k]->hazards.list[i];
            if (h->kind == ORACLE_HAZARD_UNINITIALISED) {
                list[k][n[k]++] = *h;
            }
        }
    }
    assert_int_equal(n[0], n[1]);
    for (uint32_t i = 0; i < n[0]; i++) {
        const oracle_hazard *x = &list[0][i], *y = &list[1][i];
        assert_int_equal(x->consumer.task, y->consumer.task);
        assert_int_equal(x->consumer.arg, y->consumer.arg);
        assert_int_equal(x->decided, y->decided);
        assert_int_equal(x->shown.begin, y->shown.begin);
        assert_int_equal(x->hull.begin, y->hull.begin);
        assert_int_equal(x->hull.end, y->hull.end);
    }
}

static void sample(const shape *s, uint64_t graphs)
{
    static plain p;
    uint64_t said = 0;
    for (uint64_t i = 0; i < graphs; i++) {
        size_t length;
        char *text = draw_graph(s, i, &length);
        oracle_document d;
        oracle_error error;
        found sets, pairs;
        assert_int_equal(oracle_document_read(&d, text, length, NULL, &error),
                         ORACLE_OK);
        find(&sets, &d, 1, 1000000);
        find(&pairs, &d, UINT64_MAX, 1000000);
        define(&p, &d);
        said += compare(&p, &sets, &d, text);
        compare_limited(&sets, &d);
        compare_fresh(&sets, &pairs);
        found_free(&sets);
        found_free(&pairs);
        oracle_document_free(&d);
        free(text);
    }
    assert_true(said > graphs);
}

static void random_whole(void **state)
{
    (void)state;
    sample(&(shape){.seed = 41, .external = true}, 500);
    sample(&(shape){.seed = 42}, 500);
}

static void random_regions(void **state)
{
    (void)state;
    sample(&(shape){.seed = 43, .regions = true, .external = true}, 500);
    sample(&(shape){.seed = 44, .regions = true}, 500);
}

static void random_inout(void **state)
{
    (void)state;
    sample(&(shape){.seed = 45, .inout = true, .regions = true}, 1000);
}

static void random_predicates(void **state)
{
    (void)state;
    sample(
        &(shape){
            .seed = 46, .regions = true, .inout = true, .predicates = true},
        500);
    sample(
        &(shape){
            .seed = 47, .regions = true, .external = true, .predicates = true},
        500);
}

/* --- Chosen graphs, as sets and as pairs --- */

static void find_both(found both[2], maker *m)
{
    find(&both[0], &m->document, 1, 1000000);
    find(&both[1], &m->document, UINT64_MAX, 1000000);
}

/* A task that may not run writes all of it: that is so of each part, be some
 * of them written again. */
static void written_perhaps(void **state)
{
    maker m;
    found both[2];
    uint32_t said = 0;
    (void)state;
    maker_start(&m);
    uint32_t b = maker_buffer(&m, "x", 4, false);
    uint32_t flag = maker_buffer(&m, "p", 4, true);
    maker_predicate(&m, maker_task(&m), flag, 0);
    maker_access(&m, b, ORACLE_WRITE, 0, 4);
    maker_task(&m);
    maker_access(&m, b, ORACLE_WRITE, 0, 1);
    for (int64_t byte = 1; byte < 4; byte++) {
        maker_task(&m);
        maker_access(&m, b, ORACLE_READ, byte, byte + 1);
    }
    find_both(both, &m);
    compare_fresh(&both[0], &both[1]);
    for (uint32_t i = 0; i < both[0].hazards.count; i++) {
        const oracle_hazard *h = &both[0].hazards.list[i];
        if (h->kind == ORACLE_HAZARD_UNINITIALISED) {
            assert_false(h->decided);
            said++;
        }
    }
    assert_int_equal(said, 3);
    found_free(&both[0]);
    found_free(&both[1]);
}

/* The writes between that need not happen, of the one pair that has a read. */
static const oracle_hazard *skips_of(const found *f, uint32_t count)
{
    const oracle_hazard *raw = NULL;
    for (uint32_t i = 0; i < f->hazards.count; i++) {
        const oracle_hazard *h = &f->hazards.list[i];
        if (h->kind == ORACLE_HAZARD_RAW && h->producer.task == 0) {
            assert_null(raw);
            raw = h;
        }
    }
    assert_non_null(raw);
    assert_int_equal(raw->skip_count, count);
    return raw;
}

static void writes_between(void **state)
{
    maker m;
    found both[2];
    enum { BETWEEN = 4 };
    (void)state;
    maker_start(&m);
    uint32_t b = maker_buffer(&m, "x", 4, true);
    maker_task(&m);
    maker_access(&m, b, ORACLE_WRITE, 0, 4);
    for (uint32_t i = 0; i < BETWEEN; i++) {
        maker_task(&m);
        maker_access(&m, b, ORACLE_WRITE, 0, 4)->must = false;
    }
    maker_task(&m);
    maker_access(&m, b, ORACLE_READ, 0, 4);
    find_both(both, &m);
    const oracle_hazard *sets = skips_of(&both[0], BETWEEN);
    const oracle_hazard *pairs = skips_of(&both[1], BETWEEN);
    for (uint32_t i = 0; i < BETWEEN; i++) { /* the nearest first */
        assert_int_equal(sets->skipped[i].task, BETWEEN - i);
        assert_int_equal(pairs->skipped[i].task, BETWEEN - i);
    }
    found_free(&both[0]);
    found_free(&both[1]);
}

/* --- As many pairs as nobody lists --- */

#define N UINT64_C(1500)
#define LISTED 20

static void judge_wide(oracle_judgement *judgement, const wide *w)
{
    size_t length;
    char *text = wide_text(w, &length);
    oracle_judge_options options = {.limit = LISTED};
    oracle_document d;
    oracle_error error;
    assert_non_null(text);
    assert_int_equal(oracle_document_read(&d, text, length, NULL, &error),
                     ORACLE_OK);
    assert_int_equal(oracle_judge_text(judgement, text, length, &options),
                     ORACLE_OK);
    assert_int_equal(judgement->undecided_count, 0);
    for (uint32_t i = 0; i < judgement->count; i++) {
        char reason[160];
        if (!oracle_witness_check(&d, judgement->findings[i].json, reason,
                                  sizeof reason)) {
            fail_msg("%s: %s", reason, judgement->findings[i].json);
        }
    }
    oracle_document_free(&d);
    free(text);
}

static void expect(wide w, uint64_t errors, uint64_t notes)
{
    oracle_judgement j;
    uint64_t counted[3];
    w.tasks = (uint32_t)N;
    notes += w.joined; /* edge.fan-in */
    judge_wide(&j, &w);
    memcpy(counted, j.unlisted, sizeof counted);
    for (uint32_t i = 0; i < j.count; i++) {
        counted[j.findings[i].severity]++;
    }
    assert_int_equal(counted[ORACLE_ERROR], errors);
    assert_int_equal(counted[ORACLE_WARNING], 0);
    assert_int_equal(counted[ORACLE_NOTE], notes);
    assert_int_equal(j.total, errors + notes);
    assert_int_equal(j.count, j.total < LISTED ? j.total : LISTED);
    assert_int_equal(j.verdict, errors > 0 ? ORACLE_FINDINGS : ORACLE_CLEAN);
    oracle_judgement_free(&j);
}

static void readers_and_slices(void **state)
{
    (void)state;
    wide w = {.kind = WIDE_READ_SLICES, .external = true};
    expect(w, N * N, 0);
    w.external = false;
    expect(w, N * N, 0);
    w.joined = true;
    expect(w, N / 2 * N, 0);
    w.joined = false;
    w.predicates = true;
    expect(w, N * N, 0);
    w.kind = WIDE_SLICES_READ;
    expect(w, N * N, 0);
    w.external = w.joined = true;
    expect(w, N / 2 * N, 0);
    w.predicates = false;
    expect(w, N / 2 * N, 0);
}

/* Each writer also after the one before it, where they meet. */
static void overlapping(void **state)
{
    (void)state;
    wide w = {.kind = WIDE_OVERLAPPING, .external = true};
    expect(w, N * N + N - 1, 0);
    w.joined = true;
    expect(w, N / 2 * N + N - 1, 0);
    w.external = w.joined = false;
    expect(w, N * N, N - 1);
}

static void writers(void **state)
{
    (void)state;
    wide w = {.kind = WIDE_WRITE_SLICES, .external = true};
    /* What no slice has is of the last writer of all. */
    expect(w, N * N + N - 1, 0);
    w.external = false;
    expect(w, 0, 2 * N - 1);
    w.kind = WIDE_SLICES_WRITE;
    expect(w, 0, 2 * N - 1);
    w.external = true;
    expect(w, 2 * N - 1, 0);
    w.kind = WIDE_READ_WRITE;
    expect(w, N * (N - 1) + N - 1, 0);
    w.external = false;
    expect(w, N * N, N - 1);
}

static void without_pairs(void **state)
{
    (void)state;
    expect((wide){.kind = WIDE_APART, .external = true}, 0, 0);
    expect((wide){.kind = WIDE_CHAIN, .external = true}, 0, 0);
}

/* All pairs of two loops are one finding, which says how many. */
static void loops(void **state)
{
    oracle_judgement j;
    (void)state;
    judge_wide(&j, &(wide){.kind = WIDE_READ_SLICES,
                           .tasks = (uint32_t)N,
                           .external = true,
                           .lines = true});
    assert_int_equal(j.total, 1);
    assert_non_null(strstr(j.findings[0].json, "\"count\":2250000,"));
    assert_non_null(strstr(j.findings[0].json, "one of 2250000 such pairs"));
    oracle_judgement_free(&j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_whole),
    cmocka_unit_test(random_regions),
    cmocka_unit_test(random_inout),
    cmocka_unit_test(random_predicates),
    cmocka_unit_test(written_perhaps),
    cmocka_unit_test(writes_between),
    cmocka_unit_test(readers_and_slices),
    cmocka_unit_test(overlapping),
    cmocka_unit_test(writers),
    cmocka_unit_test(without_pairs),
    cmocka_unit_test(loops),
};

TEST_MAIN(tests)
