/* Runs of small programs, with the answers worked out by hand. */
#include "sim.h"

#include "../../scripts/testing/harness.h"

#include <stdlib.h>
#include <string.h>

#define NONE REPLAY_NONE

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
};

TEST_MAIN(tests)
