/* What the machine does with programs made by hand, worked out by hand. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "replay/machine.h"

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

/* Blocks of 10 ticks, and schedulers that take no time. */
static replay_machine plain(uint32_t clusters)
{
    return (replay_machine){.clusters = clusters,
                            .schedulers = 2,
                            .model = REPLAY_CONSTANT,
                            .ticks = 10,
                            .rate = 1};
}

static void run(replay_timeline *line, const hand *h, const replay_machine *m,
                const replay_variant *variant)
{
    replay_error error = {0};
    replay_status status =
        replay_machine_run(line, &h->program, m, variant, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, REPLAY_OK);
}

static void run_fails(const hand *h, const replay_machine *m,
                      replay_status status, int64_t task, const char *message)
{
    replay_timeline line;
    replay_error error = {0};
    assert_int_equal(replay_machine_run(&line, &h->program, m, NULL, &error),
                     status);
    assert_int_equal(error.status, status);
    assert_int_equal(error.task, task);
    assert_string_equal(error.message, message);
}

static void check_slot(const replay_timeline *line, uint32_t at, uint32_t task,
                       uint32_t block, uint32_t core, uint64_t begin)
{
    const replay_slot *slot = &line->slots[at];
    assert_true(at < line->slot_count);
    assert_int_equal(slot->task, task);
    assert_int_equal(slot->block, block);
    assert_int_equal(slot->core, core);
    assert_int_equal(slot->begin, begin);
}

/* ---- Placement ---- */

/* A vector core of the only cluster works until 30, so MIX waits, though its
   predecessor ended at 10. */
static void mix_waits_for_a_whole_cluster(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC, .bytes = 1},
        {.core = REPLAY_AIV, .bytes = 21},
        {.core = REPLAY_MIX, .bytes = 1},
        {.core = REPLAY_AIV, .bytes = 5},
    };
    static const uint32_t edges[][2] = {{0, 2}, {0, 3}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(1);
    replay_timeline line;
    (void)state;
    m.model = REPLAY_BYTES;
    m.ticks = 9;
    run(&line, h, &m, NULL);
    check_slot(&line, 0, 0, 0, 0, 0);  /* until 10 */
    check_slot(&line, 1, 1, 0, 1, 0);  /* until 30 */
    check_slot(&line, 2, 3, 0, 2, 10); /* until 24, beside the other */
    check_slot(&line, 3, 2, 0, 0, 30);
    assert_int_equal(line.slot_count, 4);
    assert_int_equal(line.makespan, 40);
    assert_int_equal(line.busy[0], 20); /* MIX is on all three */
    assert_int_equal(line.busy[1], 40);
    assert_int_equal(line.busy[2], 24);
    replay_timeline_free(&line);

    m.clusters = 2; /* each scheduler has one, and that of 0 is idle at 10 */
    run(&line, h, &m, NULL);
    check_slot(&line, 1, 1, 0, 4, 0);
    check_slot(&line, 2, 2, 0, 0, 10);
    check_slot(&line, 3, 3, 0, 5, 10);
    replay_timeline_free(&line);
    hand_free(h);
}

/* Nothing else runs on a cluster that runs a MIX block. */
static void mix_takes_a_whole_cluster(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_MIX}, {.core = REPLAY_AIC}, {.core = REPLAY_AIV}};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    replay_machine m = plain(1);
    replay_timeline line;
    (void)state;
    run(&line, h, &m, NULL);
    assert_int_equal(line.begin[0], 0);
    assert_int_equal(line.begin[1], 10);
    assert_int_equal(line.begin[2], 10);
    assert_int_equal(line.makespan, 20);
    replay_timeline_free(&line);
    hand_free(h);
}

static void blocks_go_in_waves(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIV, .blocks = 10},
                                      {.core = REPLAY_AIC, .blocks = 3},
                                      {.core = REPLAY_AIV}};
    static const uint32_t edges[][2] = {{0, 2}};
    static const uint32_t cores[] = {1, 2, 4, 5};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(2);
    replay_timeline line;
    uint32_t blocks = 0;
    (void)state;
    m.schedulers = 1;
    run(&line, h, &m, NULL);
    assert_int_equal(line.slot_count, 14);
    for (uint32_t i = 0; i < line.slot_count; i++) {
        const replay_slot *slot = &line.slots[i];
        if (slot->task == 0) {
            assert_int_equal(slot->block, blocks);
            assert_int_equal(slot->begin, blocks / 4 * 10);
            assert_int_equal(slot->core, cores[blocks % 4]);
            blocks++;
        }
    }
    assert_int_equal(blocks, 10);
    assert_int_equal(line.end[0], 30);
    assert_int_equal(line.end[1], 20);   /* 2 cores, then 1 */
    assert_int_equal(line.ready[2], 30); /* when all blocks are done */
    assert_int_equal(line.makespan, 40);
    assert_int_equal(line.critical, 40);
    assert_int_equal(line.sequential, 60);
    replay_timeline_free(&line);
    hand_free(h);
}

static void mix_blocks_go_in_waves(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_MIX, .blocks = 5}};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    replay_machine m = plain(2);
    replay_timeline line;
    (void)state;
    run(&line, h, &m, NULL);
    check_slot(&line, 0, 0, 0, 0, 0);
    check_slot(&line, 1, 0, 1, 3, 0);
    check_slot(&line, 2, 0, 2, 0, 10);
    check_slot(&line, 3, 0, 3, 3, 10);
    check_slot(&line, 4, 0, 4, 0, 20);
    assert_int_equal(line.makespan, 30);
    replay_timeline_free(&line);
    hand_free(h);
}

static void dummies_take_no_core(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC},
                                      {.core = REPLAY_DUMMY},
                                      {.core = REPLAY_DUMMY},
                                      {.core = REPLAY_AIC}};
    static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(1);
    replay_timeline line;
    (void)state;
    run(&line, h, &m, NULL);
    assert_int_equal(line.slot_count, 2);
    assert_int_equal(line.begin[1], 10);
    assert_int_equal(line.end[2], 10);
    assert_int_equal(line.begin[3], 10);
    assert_int_equal(line.makespan, 20);
    assert_int_equal(line.sequential, 20);
    replay_timeline_free(&line);

    m.retire = 3; /* a scheduler has to retire them all the same */
    run(&line, h, &m, NULL);
    assert_int_equal(line.begin[1], 13);
    assert_int_equal(line.end[1], 16);
    assert_int_equal(line.begin[3], 19);
    assert_int_equal(line.makespan, 32);
    replay_timeline_free(&line);
    hand_free(h);
}

/* All cores are busy, and dummies are retired nevertheless. */
static void dummies_wait_for_no_core(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_MIX}, {.core = REPLAY_DUMMY}, {.core = REPLAY_DUMMY}};
    static const uint32_t edges[][2] = {{1, 2}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(1);
    replay_timeline line;
    (void)state;
    run(&line, h, &m, NULL);
    assert_int_equal(line.end[2], 0);
    assert_int_equal(line.order[0], 1);
    assert_int_equal(line.order[1], 2);
    assert_int_equal(line.order[2], 0);
    replay_timeline_free(&line);
    hand_free(h);
}

static void false_predicates_release_consumers(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC},
                                      {.core = REPLAY_MIX, .predicated = true},
                                      {.core = REPLAY_AIC}};
    static const uint32_t edges[][2] = {{0, 1}, {0, 2}, {1, 2}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(1);
    replay_timeline with, line;
    bool without[6] = {0}; /* of 1 + 2 + 3 accesses */
    replay_variant variant = {.without = without};
    (void)state;
    run(&with, h, &m, &variant); /* true: nothing is left out */
    assert_int_equal(with.slot_count, 3);
    assert_int_equal(with.makespan, 30);
    without[2] = true; /* a part of it alone makes no predicate false */
    run(&line, h, &m, &variant);
    assert_int_equal(line.slot_count, 3);
    replay_timeline_free(&line);
    without[1] = true;
    run(&line, h, &m, &variant);
    assert_int_equal(line.slot_count, 2);
    assert_int_equal(line.begin[1], 10);
    assert_int_equal(line.end[1], 10);
    assert_int_equal(line.begin[2], 10);
    assert_int_equal(line.makespan, 20);
    assert_int_equal(line.critical, 20);
    assert_true(line.result.inputs[0] == with.result.inputs[0]);
    assert_true(line.result.inputs[2] != with.result.inputs[2]);
    replay_timeline_free(&line);
    replay_timeline_free(&with);
    hand_free(h);
}

/* A core is busy until 10, so none of the four begins before. */
static void sync_start_begins_together(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIV},
        {.core = REPLAY_AIV, .blocks = 4, .sync_start = true},
        {.core = REPLAY_AIV},
        {.core = REPLAY_AIC, .blocks = 2, .sync_start = true}};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    replay_machine m = plain(2);
    replay_timeline line;
    (void)state;
    run(&line, h, &m, NULL);
    assert_int_equal(line.begin[0], 0);
    assert_int_equal(line.begin[1], 10);
    assert_int_equal(line.end[1], 20);
    assert_int_equal(line.begin[2], 20); /* behind it in the queue */
    assert_int_equal(line.begin[3], 0);  /* in another */
    for (uint32_t b = 0; b < 4; b++) {
        check_slot(&line, 3 + b, 1, b, (uint32_t[]){1, 2, 4, 5}[b], 10);
    }
    replay_timeline_free(&line);
    m.dispatch = 3; /* 4 times, then they begin */
    run(&line, h, &m, NULL);
    for (uint32_t i = 0; i < line.slot_count; i++) {
        if (line.slots[i].task == 1) {
            assert_int_equal(line.slots[i].begin, line.begin[1]);
        }
    }
    replay_timeline_free(&line);
    hand_free(h);
}

static void sync_start_with_too_many_blocks_is_refused(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC},
        {.core = REPLAY_AIV, .blocks = 5, .sync_start = true}};
    static const hand_task mix[] = {
        {.core = REPLAY_MIX, .blocks = 3, .sync_start = true}};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    replay_machine m = plain(2);
    replay_timeline line;
    int64_t cost;
    replay_error error;
    (void)state;
    run_fails(h, &m, REPLAY_STUCK, 101,
              "task 101 never starts: its 5 blocks start together "
              "(sync_start), and the machine has 4 AIV cores");
    assert_int_equal(
        replay_edge_costs(&cost, &h->program, &m, NULL, NULL, 0, &error),
        REPLAY_STUCK);
    m.clusters = 3;
    run(&line, h, &m, NULL);
    replay_timeline_free(&line);
    hand_free(h);
    h = hand_make(mix, 1, NULL, 0);
    m.clusters = 2;
    run_fails(h, &m, REPLAY_STUCK, 100,
              "task 100 never starts: its 3 blocks start together "
              "(sync_start), and the machine has 2 clusters");
    hand_free(h);
}

/* ---- Schedulers ---- */

static void schedulers_take_time(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC},
                                      {.core = REPLAY_AIC}};
    static const uint32_t edge[][2] = {{0, 1}};
    hand *chain = hand_make(tasks, 2, edge, 1);
    hand *beside = hand_make(tasks, 2, NULL, 0);
    replay_machine m = plain(2);
    replay_timeline line;
    (void)state;
    m.dispatch = 2;
    m.retire = 3;
    run(&line, chain, &m, NULL);
    assert_int_equal(line.begin[0], 2);
    assert_int_equal(line.end[0], 12);
    assert_int_equal(line.ready[1], 15);
    assert_int_equal(line.begin[1], 17);
    assert_int_equal(line.makespan, 30);
    assert_int_equal(line.critical, 30);
    assert_int_equal(line.sequential, 30);
    replay_timeline_free(&line);
    run(&line, beside, &m, NULL); /* each scheduler has a cluster */
    assert_int_equal(line.begin[1], 2);
    assert_int_equal(line.makespan, 15);
    assert_int_equal(line.critical, 15);
    assert_int_equal(line.sequential, 30);
    replay_timeline_free(&line);
    m.schedulers = 1; /* one after the other */
    run(&line, beside, &m, NULL);
    assert_int_equal(line.begin[0], 2);
    assert_int_equal(line.begin[1], 4);
    assert_int_equal(line.makespan, 18);
    replay_timeline_free(&line);
    hand_free(chain);
    hand_free(beside);
}

/* ---- Models ---- */

static void models_say_what_a_block_takes(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC, .bytes = 1000, .blocks = 3},
        {.core = REPLAY_AIC, .bytes = UINT64_MAX},
        {.core = REPLAY_AIC}};
    static const uint64_t recorded[] = {77, 0, UINT64_MAX};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    replay_machine m = plain(8);
    replay_timeline line;
    (void)state;
    run(&line, h, &m, NULL);
    assert_int_equal(line.end[0] - line.begin[0], 10);
    replay_timeline_free(&line);

    m.model = REPLAY_BYTES; /* 334 bytes for a block, 34 ticks */
    run(&line, h, &m, NULL);
    assert_int_equal(line.end[0] - line.begin[0], 10 + 334);
    assert_int_equal(line.end[1] - line.begin[1], REPLAY_MOST_TICKS);
    assert_int_equal(line.end[2] - line.begin[2], 10);
    replay_timeline_free(&line);
    m.rate = 10;
    run(&line, h, &m, NULL);
    assert_int_equal(line.end[0] - line.begin[0], 10 + 34);
    replay_timeline_free(&line);

    m.model = REPLAY_RECORD;
    m.recorded = recorded;
    run(&line, h, &m, NULL);
    assert_int_equal(line.end[0] - line.begin[0], 77);
    assert_int_equal(line.end[1] - line.begin[1], 10);
    assert_int_equal(line.end[2] - line.begin[2], REPLAY_MOST_TICKS);
    replay_timeline_free(&line);
    hand_free(h);
}

#define ROW(id, kernels, blocks)                                               \
    "{\"task_id\":\"" id "\",\"scope\":\"auto\",\"early_dispatch\":false,"     \
    "\"kernel_ids\":[" kernels "],\"block_num\":" blocks ",\"args\":[]}"
#define RECORD(clock)                                                          \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"record\","    \
    "\"document\":{\"tasks\":[" ROW("7", "0,-1,-1", "3") "," ROW(              \
        "8", "-1,1,-1",                                                        \
        "1") "],\"tensors\":[],\"edges\":[]}},{\"role\":"                      \
             "\"trace\",\"document\":{\"chip_swimlane_level\":4,\"metadata\":" \
             "{" clock "\"core_types\":[\"aic\",\"aiv\"]},\"aicore_tasks\":"   \
             "[[0,7,1,100,110,1],[0,7,2,110,120,1],[0,7,3,120,133,1]],"        \
             "\"aicpu_tasks\":[[0,1,0,9],[0,2,0,9],[0,3,0,9]]}}]}"

/* Three blocks of 10, 10 and 13 cycles; the second task is not in it. */
static void records_say_what_a_block_took(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC, .blocks = 3},
                                      {.core = REPLAY_AIV}};
    static const struct {
        const char *text;
        uint64_t ticks;
    } cases[] = {{RECORD("\"clock_freq_hz\":50000000,"), 11},
                 {RECORD("\"clock_freq_hz\":1000000000,"), 1},
                 {RECORD("\"clock_freq_hz\":3,"), 11 * 50000000 / 3 + 1},
                 {RECORD(""), 11}};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        oracle_document record;
        oracle_error error = {0};
        replay_error why;
        uint64_t ticks[2] = {5, 5};
        oracle_status status = oracle_document_read(
            &record, cases[i].text, strlen(cases[i].text), NULL, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, ORACLE_OK);
        assert_int_equal(replay_recorded(ticks, &h->program, &record, &why),
                         REPLAY_OK);
        assert_int_equal(ticks[0], cases[i].ticks);
        assert_int_equal(ticks[1], 0);
        oracle_document_free(&record);
    }
    hand_free(h);
}

static void records_of_other_programs_are_refused(void **state)
{
    static const hand_task tasks[2] = {{0}};
    replay_error error;
    uint64_t ticks[2];
    (void)state;
    for (uint32_t count = 1; count < 3; count++) {
        hand *h = hand_make(tasks, count, NULL, 0);
        hand *other = hand_make(tasks, 2, NULL, 0); /* it has no trace */
        assert_int_equal(
            replay_recorded(ticks, &h->program, &other->document, &error),
            REPLAY_UNSUPPORTED);
        assert_string_equal(
            error.message,
            count == 1 ? "the record has 2 tasks and the program 1: give the "
                         "record of a run of this program"
                       : "it has a time of no task of the record: give the "
                         "trace of the same run");
        hand_free(h);
        hand_free(other);
    }
}

static void seeds_draw_times(void **state)
{
    hand_task tasks[200] = {{0}};
    uint64_t least = UINT64_MAX, most = 0, changed = 0;
    replay_machine m = plain(8);
    replay_timeline first, again, other;
    (void)state;
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    m.model = REPLAY_SEEDED;
    m.ticks = 100;
    m.seed = 1;
    run(&first, h, &m, NULL);
    run(&again, h, &m, NULL);
    m.seed = 2;
    run(&other, h, &m, NULL);
    assert_string_equal(first.digest, again.digest);
    assert_string_not_equal(first.digest, other.digest);
    for (uint32_t t = 0; t < COUNT(tasks); t++) {
        uint64_t ticks = first.end[t] - first.begin[t];
        least = ticks < least ? ticks : least;
        most = ticks > most ? ticks : most;
        changed += ticks != other.end[t] - other.begin[t];
    }
    assert_true(least >= 50 && least < 55);
    assert_true(most <= 150 && most > 145);
    assert_true(changed > 150);
    replay_timeline_free(&first);
    replay_timeline_free(&again);
    replay_timeline_free(&other);
    hand_free(h);
}

/* Many that are ready at once go by index, or in an order drawn by seed. */
static void ties_go_by_index_or_seed(void **state)
{
    enum { MANY = 100000 };
    hand_task *tasks = calloc(MANY, sizeof *tasks);
    uint32_t(*edges)[2] = calloc(MANY, sizeof *edges);
    bool *seen = calloc(MANY, 1);
    replay_machine m = plain(8);
    replay_timeline line;
    uint32_t ascents = 0;
    (void)state;
    for (uint32_t t = 1; t < MANY; t++) {
        edges[t - 1][1] = t; /* all wait for the first */
    }
    hand *h = hand_make(tasks, MANY, (const uint32_t(*)[2])edges, MANY - 1);
    m.schedulers = 1;
    run(&line, h, &m, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(line.slots[i].task, i);
    }
    assert_int_equal(line.makespan, 10 + (MANY - 1 + 7) / 8 * 10);
    replay_timeline_free(&line);
    m.seed = 7;
    run(&line, h, &m, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t task = line.slots[i].task;
        assert_false(seen[task]);
        seen[task] = true;
        ascents += i > 0 && line.slots[i - 1].task < task;
    }
    assert_true(ascents > MANY * 2 / 5 && ascents < MANY * 3 / 5);
    replay_timeline_free(&line);
    hand_free(h);
    free(tasks);
    free(edges);
    free(seen);
}

/* ---- What a run tells ---- */

/* The long way is 0, 2, 4: 10 + 30 + 10; 3 is beside it. */
static void the_critical_path_is_the_longest(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC, .bytes = 9},  {.core = REPLAY_AIV, .bytes = 19},
        {.core = REPLAY_AIC, .bytes = 29}, {.core = REPLAY_AIV, .bytes = 44},
        {.core = REPLAY_MIX, .bytes = 9},
    };
    static const uint32_t edges[][2] = {{0, 1}, {0, 2}, {1, 4}, {2, 4}};
    static const uint32_t path[] = {0, 2, 4};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(2);
    replay_timeline line;
    (void)state;
    m.model = REPLAY_BYTES;
    m.ticks = 1;
    run(&line, h, &m, NULL);
    assert_int_equal(line.makespan, 50);
    assert_int_equal(line.critical, 50);
    assert_int_equal(line.sequential, 10 + 20 + 30 + 45 + 10);
    assert_int_equal(line.critical_count, 3);
    assert_memory_equal(line.critical_path, path, sizeof path);
    assert_int_equal(line.busy[0], 10 + 30 + 10);
    assert_int_equal(line.busy[4], 45);
    replay_timeline_free(&line);
    m.clusters = 1; /* the vector core is busy until 45 when MIX is ready */
    run(&line, h, &m, NULL);
    assert_int_equal(line.begin[4], 45);
    assert_int_equal(line.makespan, 55);
    assert_int_equal(line.critical, 50);
    replay_timeline_free(&line);
    hand_free(h);
}

/* Three independent tasks, two in a row by an edge that nobody needs. */
static void edges_cost_what_they_delay(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC}, {.core = REPLAY_AIC}, {.core = REPLAY_AIC}};
    static const uint32_t edges[][2] = {{0, 1}, {0, 2}, {1, 2}};
    static const uint32_t asked[][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {0, 0}};
    static const uint32_t skipped[][2] = {{0, 2}, {7, 9}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(4);
    replay_error error;
    replay_timeline line;
    int64_t cost[5];
    (void)state;
    assert_int_equal(
        replay_edge_costs(cost, &h->program, &m, NULL, asked, 5, &error),
        REPLAY_OK);
    assert_int_equal(cost[0], 10); /* 0 and 1 beside each other, then 2 */
    assert_int_equal(cost[1], 0);  /* redundant */
    assert_int_equal(cost[2], 10);
    assert_int_equal(cost[3], 0); /* no edge */
    assert_int_equal(cost[4], 0);
    m.skipped = skipped; /* and now 0, 2 is gone in all runs */
    m.skipped_count = 2;
    assert_int_equal(
        replay_edge_costs(cost, &h->program, &m, NULL, asked, 3, &error),
        REPLAY_OK);
    assert_int_equal(cost[0], 10);
    assert_int_equal(cost[1], 0);
    assert_int_equal(cost[2], 10);
    run(&line, h, &m, NULL);
    assert_int_equal(line.makespan, 30);
    replay_timeline_free(&line);
    hand_free(h);
}

/* Less order can take longer: without it 2 is taken before 1, which leads to
   the longest. */
static void an_edge_may_cost_less_than_nothing(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC, .bytes = 9},
                                      {.core = REPLAY_AIC, .bytes = 19},
                                      {.core = REPLAY_AIC, .bytes = 49},
                                      {.core = REPLAY_AIV, .bytes = 99}};
    static const uint32_t edges[][2] = {{0, 1}, {1, 3}, {1, 2}};
    static const uint32_t asked[][2] = {{1, 2}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(1);
    replay_error error;
    int64_t cost;
    (void)state;
    m.model = REPLAY_BYTES;
    m.ticks = 1;
    assert_int_equal(
        replay_edge_costs(&cost, &h->program, &m, NULL, asked, 1, &error),
        REPLAY_OK);
    assert_int_equal(cost, 130 - 180);
    hand_free(h);
}

/* Who does not wait reads before the other has written. */
static void bytes_are_read_at_begin_and_written_at_end(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC},
                                      {.core = REPLAY_AIC}};
    static const uint32_t edges[][2] = {{0, 1}};
    hand *h = hand_make(tasks, 2, edges, 1);
    replay_machine m = plain(2);
    replay_timeline with, line;
    (void)state;
    run(&with, h, &m, NULL);
    m.skipped = edges;
    m.skipped_count = 1;
    run(&line, h, &m, NULL);
    assert_int_equal(line.begin[1], 0);
    assert_true(line.result.inputs[0] == with.result.inputs[0]);
    assert_true(line.result.inputs[1] != with.result.inputs[1]);
    assert_string_not_equal(line.digest, with.digest);
    replay_timeline_free(&line);
    m.clusters = 1; /* one after the other, so it does no harm */
    run(&line, h, &m, NULL);
    assert_true(line.result.inputs[1] == with.result.inputs[1]);
    replay_timeline_free(&line);
    replay_timeline_free(&with);
    hand_free(h);
}

/* ---- What is refused ---- */

static void machines_have_bounds(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC}};
    static const hand_task wide[] = {
        {.core = REPLAY_AIC, .blocks = REPLAY_MOST_BLOCKS},
        {.core = REPLAY_AIC, .blocks = 1}};
    hand *h = hand_make(tasks, 1, NULL, 0);
    replay_machine m = plain(0);
    (void)state;
    run_fails(h, &m, REPLAY_RANGE, -1,
              "a machine with 0 clusters cannot be simulated: give 1 to 4096");
    m.clusters = 4097;
    run_fails(h, &m, REPLAY_RANGE, -1,
              "a machine with 4097 clusters cannot be simulated: give 1 to "
              "4096");
    m = plain(1);
    m.schedulers = 5;
    run_fails(h, &m, REPLAY_RANGE, -1,
              "a machine with 5 schedulers cannot be simulated: give 1 to 4");
    m = plain(1);
    m.ticks = 0;
    run_fails(h, &m, REPLAY_RANGE, -1,
              "a machine with 0 ticks of a block cannot be simulated: give 1 "
              "to 4294967296");
    hand_free(h);
    h = hand_make(wide, 2, NULL, 0);
    m = plain(1);
    run_fails(h, &m, REPLAY_RANGE, 101,
              "the tasks up to 101 have more than 67108864 blocks, which is "
              "what is simulated at most");
    hand_free(h);
}

static void cycles_are_stuck(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC}, {.core = REPLAY_AIC}, {.core = REPLAY_DUMMY}};
    static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 1}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_machine m = plain(1);
    (void)state;
    run_fails(h, &m, REPLAY_STUCK, 101,
              "task 101 never starts: it is on a cycle of edges or behind one");
    hand_free(h);
}

static void nothing_takes_no_time(void **state)
{
    hand *h = hand_make(NULL, 0, NULL, 0);
    replay_timeline line;
    (void)state;
    run(&line, h, &replay_machine_default, NULL);
    assert_int_equal(line.makespan, 0);
    assert_int_equal(line.slot_count, 0);
    assert_int_equal(line.critical_count, 0);
    assert_int_equal(strlen(line.digest), 64);
    replay_timeline_free(&line);
    hand_free(h);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix_waits_for_a_whole_cluster),
        cmocka_unit_test(mix_takes_a_whole_cluster),
        cmocka_unit_test(blocks_go_in_waves),
        cmocka_unit_test(mix_blocks_go_in_waves),
        cmocka_unit_test(dummies_take_no_core),
        cmocka_unit_test(dummies_wait_for_no_core),
        cmocka_unit_test(false_predicates_release_consumers),
        cmocka_unit_test(sync_start_begins_together),
        cmocka_unit_test(sync_start_with_too_many_blocks_is_refused),
        cmocka_unit_test(schedulers_take_time),
        cmocka_unit_test(models_say_what_a_block_takes),
        cmocka_unit_test(records_say_what_a_block_took),
        cmocka_unit_test(records_of_other_programs_are_refused),
        cmocka_unit_test(seeds_draw_times),
        cmocka_unit_test(ties_go_by_index_or_seed),
        cmocka_unit_test(the_critical_path_is_the_longest),
        cmocka_unit_test(edges_cost_what_they_delay),
        cmocka_unit_test(an_edge_may_cost_less_than_nothing),
        cmocka_unit_test(bytes_are_read_at_begin_and_written_at_end),
        cmocka_unit_test(machines_have_bounds),
        cmocka_unit_test(cycles_are_stuck),
        cmocka_unit_test(nothing_takes_no_time),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
