/* Runs of small programs, with the answers worked out by hand. */
#include "replay/machine.h"
#include "sim.h"

#include "../../scripts/testing/harness.h"

#include <stdlib.h>
#include <string.h>

#define NONE REPLAY_NONE

/* What written_thrice gives in program order. */
#define INPUT_OF_3 UINT64_C(0x73e7381219920df8)
#define SOURCES_OF_3 UINT64_C(0xe4b61218608d3cfe)
#define FINAL_OF_1 UINT64_C(0xd9373a9100038a21)

/* What one order is to show: the only difference, or none (task NONE - 2). */
#define SAME (UINT32_MAX - 2)

typedef struct expected {
    uint32_t task, arg, buffer;
    int64_t begin, end;
    uint32_t due, seen;
} expected;

static void check_variant(const sim_graph *g, const uint32_t *order,
                          replay_variant variant, expected want)
{
    replay_program p = sim_program(&g->document, NULL);
    replay_difference *d;
    uint32_t count;
    replay_error error;
    assert_int_equal(replay_compare(&d, &count, &p, order, &variant, &error),
                     REPLAY_OK);
    if (want.task == SAME) {
        assert_int_equal(count, 0);
    } else {
        assert_int_equal(count, 1);
        assert_int_equal(d->task, want.task);
        assert_int_equal(d->arg, want.arg);
        assert_int_equal(d->buffer, want.buffer);
        assert_int_equal(d->begin, want.begin);
        assert_int_equal(d->end, want.end);
        assert_int_equal(d->expected, want.due);
        assert_int_equal(d->seen, want.seen);
        assert_true(d->sure);
        assert_int_equal(d->without_count, 0);
    }
    free(d);
    replay_program_free(&p);
}

static void check(const sim_graph *g, const uint32_t *order, expected want)
{
    check_variant(g, order, (replay_variant){0}, want);
}

#define ORDER(...) ((const uint32_t[]){__VA_ARGS__})

static void read_after_write(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, false), y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, 4, 8);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    check(&g, ORDER(0, 1), (expected){.task = SAME});
    /* The reader sees what nobody wrote. */
    check(&g, ORDER(1, 0), (expected){1, 0, x, 4, 8, 0, NONE});
}

static void write_after_read(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, true), y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, 0, 8);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, x, ORACLE_WRITE, 4, 12);
    check(&g, ORDER(1, 0), (expected){0, 0, x, 4, 8, NONE, 1});
}

static void write_after_write(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, true), y = sim_buffer(&g, 16, false);
    for (uint32_t t = 0; t < 2; t++) {
        sim_task(&g);
        sim_access(&g, x, ORACLE_WRITE, 2 * t, 2 * t + 8);
        sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    }
    /* The caller sees x; nobody reads y. */
    check(&g, ORDER(1, 0), (expected){NONE, NONE, x, 2, 8, 1, 0});
}

static void strided_apart(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, true), y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_stride(&g, sim_access(&g, x, ORACLE_WRITE, SIM_WHOLE, 0), 2, 12, 4, -4);
    sim_task(&g);
    oracle_access *read = sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_stride(&g, read, 2, 2, 4, 4);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    /* Bytes 0-1, 4-5, 8-9, 12-13 against 2-3, 6-7, ... */
    check(&g, ORDER(1, 0), (expected){.task = SAME});
    sim_stride(&g, read, 1, 5, 2, 5);
    /* Byte 5 is the writer's, byte 10 is not. */
    check(&g, ORDER(1, 0), (expected){1, 0, x, 5, 6, 0, NONE});
    sim_stride(&g, read, 1, 5, 3, 0);
    check(&g, ORDER(1, 0), (expected){1, 0, x, 5, 6, 0, NONE});
    sim_stride(&g, read, 1, 5, 0, 1);
    check(&g, ORDER(1, 0), (expected){.task = SAME});
}

static void through_a_view(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, true), v = sim_view(&g, x, 8, 8);
    uint32_t y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, v, ORACLE_WRITE, 2, 6);
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    check(&g, ORDER(1, 0), (expected){1, 0, x, 10, 14, 0, NONE});
}

static void reuse(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t a = sim_buffer(&g, 16, false), b = sim_buffer(&g, 16, false);
    uint32_t y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, a, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, a, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, b, ORACLE_WRITE, 0, 4);
    check(&g, ORDER(0, 2, 1), (expected){.task = SAME});
    sim_place(&g, a, 64);
    sim_place(&g, b, 72);
    check(&g, ORDER(0, 1, 2), (expected){.task = SAME});
    check(&g, ORDER(0, 2, 1), (expected){1, 0, a, 8, 12, 0, 2});
    check_variant(&g, ORDER(0, 2, 1), (replay_variant){.own_places = true},
                  (expected){.task = SAME});
}

static void aliases_placed_apart(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t a = sim_buffer(&g, 16, false), v = sim_view(&g, a, 0, 16);
    uint32_t y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, a, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, v, ORACLE_READ, 4, 8);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_place(&g, a, 0);
    check(&g, ORDER(0, 1), (expected){.task = SAME});
    sim_place(&g, v, 32);
    check(&g, ORDER(0, 1), (expected){1, 0, v, 4, 8, 0, NONE});
}

static void accumulations(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, true), y = sim_buffer(&g, 8, true);
    for (uint32_t t = 0; t < 2; t++) {
        sim_task(&g);
        sim_access(&g, x, ORACLE_ACCUMULATE, 0, 8);
    }
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, 4, 12);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    check(&g, ORDER(1, 0, 2), (expected){.task = SAME});
    check(&g, ORDER(0, 2, 1), (expected){2, 0, x, 4, 8, 1, 0});
}

static void operand(void **state)
{
    (void)state;
    sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 16, false), y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_predicate(&g, x, 3);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    check(&g, ORDER(1, 0), (expected){1, NONE, x, 3, 4, 0, NONE});
}

/* --- What may happen, and bounds --- */

/* The first difference of a run, of which there are `count`. */
static replay_difference first_of(const replay_program *p,
                                  const uint32_t *order, replay_variant variant,
                                  uint32_t count)
{
    replay_difference *all, first = {.task = SAME};
    uint32_t found;
    replay_error error;
    assert_int_equal(replay_compare(&all, &found, p, order, &variant, &error),
                     REPLAY_OK);
    assert_int_equal(found, count);
    if (count > 0) {
        first = all[0];
        if (first.without_count > 0) {
            assert_int_equal(first.without_count, 1);
            first.without_count = 1 + first.without[0]; /* which one */
        }
    }
    free(all);
    return first;
}

/* Writes of x by three tasks, the last two as told; then it is read. */
static replay_program written_thrice(sim_graph *g, bool must, bool exact)
{
    sim_start(g);
    uint32_t x = sim_buffer(g, 8, false), y = sim_buffer(g, 8, true);
    for (uint32_t t = 0; t < 3; t++) {
        sim_task(g);
        oracle_access *write = sim_access(g, x, ORACLE_WRITE, SIM_WHOLE, 0);
        write->must = t == 0 || must;
        write->exact = t == 0 || exact;
    }
    sim_task(g);
    sim_access(g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    return sim_program(&g->document, NULL);
}

static void may_happen(void **state)
{
    (void)state;
    static sim_graph g;
    replay_program p = written_thrice(&g, false, true);
    replay_variant plain = {0};
    replay_difference d;
    first_of(&p, ORDER(0, 1, 2, 3), plain, 0);
    d = first_of(&p, ORDER(0, 2, 1, 3), plain, 1);
    assert_int_equal(d.expected, 2);
    assert_int_equal(d.seen, 1);
    assert_true(d.sure && d.without_count == 0);
    /* Both runs see task 2's, unless it does not happen. */
    d = first_of(&p, ORDER(0, 2, 3, 1), plain, 1);
    assert_int_equal(d.expected, 1);
    assert_int_equal(d.seen, 0);
    assert_true(d.sure);
    assert_int_equal(d.without_count, 1 + 2);
    bool without[5] = {false, false, true};
    plain.without = without;
    d = first_of(&p, ORDER(0, 2, 3, 1), plain, 1);
    assert_int_equal(d.expected, 1);
    assert_int_equal(d.without_count, 0);
    without[1] = true;
    first_of(&p, ORDER(0, 2, 3, 1), plain, 0);
    replay_program_free(&p);
}

static void bounds_are_open(void **state)
{
    (void)state;
    static sim_graph g;
    replay_program p = written_thrice(&g, true, false);
    replay_variant plain = {0};
    assert_true(p.bounds);
    replay_difference d = first_of(&p, ORDER(0, 1, 3, 2), plain, 1);
    assert_int_equal(d.expected, 2);
    assert_int_equal(d.seen, 1);
    assert_false(d.sure);
    /* Without the write beneath it is something else whatever is touched. */
    d = first_of(&p, ORDER(3, 0, 1, 2), plain, 1);
    assert_int_equal(d.expected, 0);
    assert_int_equal(d.seen, NONE);
    assert_true(d.sure);
    replay_program_free(&p);
}

static void predicate_takes_all(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t n = sim_buffer(&g, 4, true), x = sim_buffer(&g, 8, false);
    uint32_t y = sim_buffer(&g, 8, true);
    for (uint32_t t = 0; t < 2; t++) {
        sim_task(&g);
        sim_access(&g, x, ORACLE_WRITE, SIM_WHOLE, 0);
    }
    sim_predicate(&g, n, 0);
    sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    replay_program p = sim_program(&g.document, NULL);
    /* Task 1: operand, read, write. It does not run: task 2 misses task 0. */
    const replay_access *x1 = &p.accesses[p.tasks[1].first_access];
    assert_int_equal(x1[0].arg, NONE);
    assert_int_equal(x1[0].force, REPLAY_MUST);
    assert_int_equal(x1[1].force, REPLAY_MAY);
    assert_int_equal(x1[2].force, REPLAY_MAY);
    replay_difference *all;
    uint32_t count;
    replay_error error;
    assert_int_equal(
        replay_compare(&all, &count, &p, ORDER(1, 2, 0), NULL, &error),
        REPLAY_OK);
    assert_int_equal(count, 2);
    assert_int_equal(all[0].task, 1);
    assert_int_equal(all[1].task, 2);
    assert_int_equal(all[1].expected, 0);
    assert_int_equal(all[1].seen, NONE);
    assert_int_equal(all[1].without_count, 2);
    assert_int_equal(all[1].without[0], p.tasks[1].first_access + 1);
    assert_int_equal(all[1].without[1], p.tasks[1].first_access + 2);
    free(all);
    replay_program_free(&p);
}

/* --- Nobody's bytes --- */

static void nothing_with_two_fills(void **state)
{
    (void)state;
    static sim_graph g;
    replay_variant fill = {.own_places = true, .fill = 1};
    for (uint32_t part = 0; part < 2; part++) {
        sim_start(&g);
        uint32_t x = sim_buffer(&g, 8, false), y = sim_buffer(&g, 8, true);
        sim_task(&g);
        sim_access(&g, part == 0 ? y : x, ORACLE_WRITE, 0, 4);
        sim_task(&g);
        sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
        sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
        replay_program p = sim_program(&g.document, NULL);
        assert_true(p.nothing);
        replay_difference d = first_of(&p, ORDER(0, 1), fill, 1);
        assert_int_equal(d.task, 1);
        assert_int_equal(d.begin, part == 0 ? 0 : 4);
        assert_int_equal(d.end, 8);
        assert_int_equal(d.expected, NONE);
        assert_int_equal(d.seen, NONE);
        /* Where some bytes are written the read is told as open. */
        assert_int_equal(d.sure, part == 0);
        replay_program_free(&p);
    }
}

/* What nobody has written here, and other executions write. */
static void nothing_but_elsewhere(void **state)
{
    (void)state;
#define WRITES(kind, id, is, begin)                                            \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\","                                                                \
    "\"choices\":[{\"id\":0,\"kind\":\"" kind "\"}],\"buffers\":["             \
    "{\"key\":\"alloc:t\",\"bytes\":8}],\"tasks\":[{\"id\":" id ",\"when\":"   \
    "[{\"choice\":0,\"is\":" is "}],\"args\":[{\"buffer\":\"alloc:t\","        \
    "\"dispatch\":\"output_existing\",\"access\":[{\"mode\":\"write\","        \
    "\"must\":true,\"exact\":true,\"region\":{\"elem\":1,\"base\":" begin      \
    ",\"dims\":[[4,1,0]]}}]}]},{\"id\":5,\"args\":[{\"buffer\":\"alloc:t\","   \
    "\"dispatch\":\"input\",\"access\":[{\"mode\":\"read\",\"must\":true,"     \
    "\"exact\":true,\"region\":{\"elem\":1,\"dims\":[[4,1,0]]}}]}]}]}"
    static const struct {
        const char *text;
        uint32_t count;
        bool sure;
    } cases[] = {{WRITES("if", "1", "false", "0"), 1, false},
                 {WRITES("if", "1", "false", "4"), 1, true},
                 {WRITES("loop", "1", "false", "0"), 0, false},
                 {WRITES("loop", "1", "false", "4"), 1, true}};
    replay_variant fill = {.own_places = true, .fill = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oracle_document d = sim_read(cases[i].text);
        replay_program p = sim_program(&d, NULL);
        replay_difference *list;
        replay_error error;
        uint32_t count;
        assert_int_equal(p.task_count, 1);
        assert_int_equal(
            replay_compare(&list, &count, &p, ORDER(0), &fill, &error),
            REPLAY_OK);
        assert_int_equal(count, cases[i].count);
        if (count > 0)
            assert_int_equal(list[0].sure, cases[i].sure);
        free(list);
        replay_program_free(&p);
        oracle_document_free(&d);
    }
}

/* --- Enough --- */

typedef struct patience {
    uint32_t asks, asked;
} patience;

static bool is_enough(void *context)
{
    patience *p = context;
    return p->asked++ >= p->asks;
}

/* All that runs the program; how often was asked whether it is enough. */
static uint32_t run_until(const sim_graph *g, uint32_t asks, bool *stopped)
{
    patience waits = {.asks = asks};
    replay_stop stop = {is_enough, &waits};
    replay_choice choice = {.plan = true, .stop = &stop};
    replay_program p;
    replay_tried tried = {0};
    replay_timeline line;
    replay_result result;
    replay_difference *list;
    replay_error error;
    uint32_t count;
    replay_status status =
        replay_program_make(&p, &g->document, &choice, &error);
    *stopped = status == REPLAY_STOPPED;
    if (status != REPLAY_OK) {
        assert_int_equal(status, REPLAY_STOPPED);
        return waits.asked;
    }
    status = replay_run(&result, &p, ORDER(0, 1, 2), NULL, &error);
    if (status == REPLAY_OK) {
        replay_result_free(&result);
        status =
            replay_compare(&list, &count, &p, ORDER(2, 1, 0), NULL, &error);
    }
    if (status == REPLAY_OK) {
        free(list);
        status = replay_machine_run(&line, &p, &replay_machine_default, NULL,
                                    &error);
    }
    if (status == REPLAY_OK) {
        replay_timeline_free(&line);
    }
    assert_true(status == REPLAY_OK || status == REPLAY_STOPPED);
    /* What was found by then is kept. */
    bool over = status == REPLAY_STOPPED;
    assert_int_equal(replay_adversarial(&tried, &p, &error), REPLAY_OK);
    *stopped = tried.stopped;
    assert_true(!over || (tried.stopped && tried.runs == 0));
    replay_tried_free(&tried);
    replay_program_free(&p);
    return waits.asked;
}

static void ends_when_it_is_enough(void **state)
{
    (void)state;
    sim_graph g;
    bool stopped = true;
    uint32_t ends = 0;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 64, true);
    for (uint32_t t = 0; t < 3; t++) {
        sim_task(&g);
        sim_access(&g, x, t == 1 ? ORACLE_READ : ORACLE_WRITE, SIM_WHOLE, 0);
    }
    for (uint32_t asks = 0; stopped; asks++) {
        uint32_t asked = run_until(&g, asks, &stopped);
        assert_true(asked >= asks || !stopped);
        assert_true(asks < 1000);
        ends += stopped;
    }
    assert_true(ends > 20);
}

static void nothing_at_an_address(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t a = sim_buffer(&g, 8, false), b = sim_buffer(&g, 8, false);
    uint32_t y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, a, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, b, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_place(&g, a, 0);
    sim_place(&g, b, 4);
    /* Whatever lies there: it is not compared. */
    check(&g, ORDER(0, 1), (expected){.task = SAME});
    check(&g, ORDER(1, 0), (expected){.task = SAME});
}

/* --- The host --- */

static void host_reads_too_early(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_WRITE, 0, 4);
    sim_host(&g, x, ORACLE_READ);
    check(&g, ORDER(0), (expected){.task = SAME});
    check_variant(&g, ORDER(0), (replay_variant){.host_first = true},
                  (expected){REPLAY_HOST, 0, x, 0, 4, 0, NONE});
}

static void host_writes_too_early(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 8, true), y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_host(&g, x, ORACLE_WRITE);
    check(&g, ORDER(0), (expected){.task = SAME});
    check_variant(&g, ORDER(0), (replay_variant){.host_first = true},
                  (expected){0, 0, x, 0, 8, NONE, REPLAY_HOST});
}

/* --- Inside a task --- */

static void writes_meet(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_WRITE, 0, 4);
    sim_access(&g, x, ORACLE_WRITE, 2, 6);
    check_variant(&g, ORDER(0), (replay_variant){.inside_back = true},
                  (expected){NONE, NONE, x, 2, 4, 0, 0});
}

#define BLOCKS(read, write)                                                    \
    "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"n\", "             \
    "\"rules\": \"none\", \"buffers\": [{\"key\": \"param:x\", "               \
    "\"bytes\": 64, \"external\": true}], \"tasks\": [{\"id\": 0, "            \
    "\"name\": \"t\", \"core\": \"aiv\", \"blocks\": 3, \"args\": ["           \
    "{\"buffer\": \"param:x\", \"dispatch\": \"inout\", \"access\": [" read    \
    "{\"mode\": \"write\", \"must\": true, \"exact\": true, \"region\": "      \
    "{\"elem\": 1, \"base\": 0, \"dims\": [[" write ", 1, "                    \
    "{\"c\": 0, \"t\": [[4, \"block\"]]}]]}}]}]}], \"edges\": []}"
#define READ_NEXT                                                              \
    "{\"mode\": \"read\", \"must\": true, \"exact\": true, \"region\": "       \
    "{\"elem\": 1, \"base\": 4, \"dims\": [[4, 1, "                            \
    "{\"c\": 0, \"t\": [[4, \"block\"]]}]]}},"

static void blocks_race(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t back, forth;
    } cases[] = {
        {BLOCKS("", "4"), 0, 0},
        {BLOCKS("", "6"), 1, 0}, /* two blocks write what is read at the end */
        {BLOCKS(READ_NEXT, "4"), 1, 0}, /* the block behind has written */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oracle_document document = sim_read(cases[i].text);
        replay_program p = sim_program(&document, NULL);
        first_of(&p, ORDER(0), (replay_variant){0}, 0);
        first_of(&p, ORDER(0), (replay_variant){.inside_back = true},
                 cases[i].back);
        first_of(&p, ORDER(0), (replay_variant){.inside_forth = true},
                 cases[i].forth);
        replay_program_free(&p);
        oracle_document_free(&document);
    }
}

/* --- Orders --- */

/* 0 -> 2, 1 -> 2, 4 -> 3, and nothing of 5. */
static void schedules(void **state)
{
    (void)state;
    static sim_graph g;
    static const struct {
        replay_schedule schedule;
        uint32_t task, order[6];
    } cases[] = {
        {REPLAY_PROGRAM, NONE, {0, 1, 2, 3, 4, 5}},
        {REPLAY_LEGAL, NONE, {0, 1, 2, 4, 3, 5}},
        {REPLAY_EAGER, 2, {0, 1, 2, 4, 3, 5}},
        {REPLAY_EAGER, 3, {4, 3, 0, 1, 2, 5}},
        {REPLAY_EAGER, 5, {5, 0, 1, 2, 4, 3}},
        {REPLAY_LAZY, 0, {1, 4, 3, 5, 0, 2}},
        {REPLAY_LAZY, 4, {0, 1, 2, 5, 4, 3}},
        {REPLAY_LAZY, 5, {0, 1, 2, 4, 3, 5}},
    };
    sim_start(&g);
    for (uint32_t t = 0; t < 6; t++) {
        sim_task(&g);
    }
    sim_edge(&g, 0, 2);
    sim_edge(&g, 1, 2);
    sim_edge(&g, 4, 3);
    replay_program p = sim_program(&g.document, NULL);
    replay_error error;
    uint32_t order[6];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            replay_order(order, &p, cases[i].schedule, cases[i].task, &error),
            REPLAY_OK);
        assert_memory_equal(order, cases[i].order, sizeof order);
        assert_int_equal(replay_order_check(&p, order, 6, &error),
                         i == 0 ? REPLAY_ILLEGAL : REPLAY_OK);
    }
    assert_int_equal(replay_order(order, &p, REPLAY_LAZY, 6, &error),
                     REPLAY_RANGE);
    assert_int_equal(replay_order_check(&p, ORDER(0, 1, 2, 4, 3, 3), 6, &error),
                     REPLAY_ILLEGAL);
    assert_int_equal(replay_order_check(&p, ORDER(0, 1, 2, 4, 3, 6), 6, &error),
                     REPLAY_ILLEGAL);
    assert_int_equal(replay_order_check(&p, order, 5, &error), REPLAY_ILLEGAL);
    assert_int_equal(replay_order_check(&p, ORDER(0, 1, 2, 3, 4, 5), 6, &error),
                     REPLAY_ILLEGAL);
    assert_int_equal(error.task, 13);
    assert_string_equal(error.message, "the order runs task 13 before task 14, "
                                       "which it waits for");
    replay_program_free(&p);
}

/* Each of the 6 orders of three free tasks comes in 600 seeds. */
static void random_orders(void **state)
{
    (void)state;
    static sim_graph g;
    uint32_t count[27] = {0}, order[3], again[3];
    replay_error error;
    sim_start(&g);
    for (uint32_t t = 0; t < 3; t++) {
        sim_task(&g);
    }
    replay_program p = sim_program(&g.document, NULL);
    for (uint64_t seed = 0; seed < 600; seed++) {
        assert_int_equal(replay_order_random(order, &p, seed, &error),
                         REPLAY_OK);
        replay_order_random(again, &p, seed, &error);
        assert_memory_equal(order, again, sizeof order);
        assert_int_equal(replay_order_check(&p, order, 3, &error), REPLAY_OK);
        count[order[0] * 9 + order[1] * 3 + order[2]]++;
    }
    for (uint32_t i = 0, kinds = 0; i < 27; i++) {
        kinds += count[i] > 0;
        assert_true(count[i] == 0 || count[i] > 50);
        assert_true(i < 26 || kinds == 6);
    }
    replay_program_free(&p);
}

/* An edge against program order makes the legal order wrong. */
static void reversed_edge(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 8, true), y = sim_buffer(&g, 8, true);
    sim_task(&g);
    sim_access(&g, x, ORACLE_READ, SIM_WHOLE, 0);
    sim_access(&g, y, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_task(&g);
    sim_access(&g, x, ORACLE_WRITE, SIM_WHOLE, 0);
    sim_edge(&g, 1, 0);
    replay_program p = sim_program(&g.document, NULL);
    replay_difference d = first_of(&p, p.legal, (replay_variant){0}, 1);
    assert_int_equal(d.task, 0);
    assert_int_equal(d.expected, NONE);
    assert_int_equal(d.seen, 1);
    replay_tried tried;
    replay_error error;
    assert_int_equal(replay_adversarial(&tried, &p, &error), REPLAY_OK);
    assert_int_equal(tried.runs, 5);
    assert_int_equal(tried.proof_count, 1);
    assert_int_equal(tried.proofs[0].schedule, REPLAY_LEGAL);
    replay_tried_free(&tried);
    assert_int_equal(replay_seeds(&tried, &p, 7, 3, &error), REPLAY_OK);
    assert_int_equal(tried.runs, 3);
    assert_int_equal(tried.proof_count, 1);
    assert_true(tried.proofs[0].random);
    assert_int_equal(tried.proofs[0].seed, 7);
    replay_tried_free(&tried);
    replay_program_free(&p);
}

/* The numbers themselves: the same with every compiler and machine. */
static void always_the_same(void **state)
{
    (void)state;
    static sim_graph g;
    replay_program p = written_thrice(&g, false, true);
    replay_result a, b;
    replay_error error;
    assert_int_equal(replay_run(&a, &p, p.legal, NULL, &error), REPLAY_OK);
    assert_int_equal(replay_run(&b, &p, p.legal, NULL, &error), REPLAY_OK);
    assert_memory_equal(a.inputs, b.inputs, 4 * sizeof *a.inputs);
    assert_memory_equal(a.sources, b.sources, 4 * sizeof *a.sources);
    assert_memory_equal(a.finals, b.finals, 2 * sizeof *a.finals);
    assert_int_equal(a.inputs[0], 0);
    assert_int_equal(a.finals[0], 0);
    assert_true(a.inputs[3] == INPUT_OF_3);
    assert_true(a.sources[3] == SOURCES_OF_3);
    assert_true(a.finals[1] == FINAL_OF_1);
    replay_result_free(&a);
    replay_result_free(&b);
    replay_program_free(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(read_after_write),
    cmocka_unit_test(write_after_read),
    cmocka_unit_test(write_after_write),
    cmocka_unit_test(strided_apart),
    cmocka_unit_test(through_a_view),
    cmocka_unit_test(reuse),
    cmocka_unit_test(aliases_placed_apart),
    cmocka_unit_test(accumulations),
    cmocka_unit_test(operand),
    cmocka_unit_test(may_happen),
    cmocka_unit_test(bounds_are_open),
    cmocka_unit_test(predicate_takes_all),
    cmocka_unit_test(nothing_with_two_fills),
    cmocka_unit_test(nothing_but_elsewhere),
    cmocka_unit_test(ends_when_it_is_enough),
    cmocka_unit_test(nothing_at_an_address),
    cmocka_unit_test(host_reads_too_early),
    cmocka_unit_test(host_writes_too_early),
    cmocka_unit_test(writes_meet),
    cmocka_unit_test(blocks_race),
    cmocka_unit_test(schedules),
    cmocka_unit_test(random_orders),
    cmocka_unit_test(reversed_edge),
    cmocka_unit_test(always_the_same),
};

TEST_MAIN(tests)
