/* What holds of every run of the machine, on programs drawn by seed. */
#include "../../scripts/testing/harness.h"

#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "replay/machine.h"

#define PROGRAMS 150
#define TASKS 120

static replay_machine draw_machine(uint32_t seed, uint32_t clusters)
{
    return (replay_machine){.clusters = clusters,
                            .schedulers = 1 + hand_draw(&seed, 4),
                            .model = (replay_model)hand_draw(&seed, 3),
                            .ticks = 1 + hand_draw(&seed, 40),
                            .rate = 1 + hand_draw(&seed, 4096),
                            .dispatch = hand_draw(&seed, 3) * 4,
                            .retire = hand_draw(&seed, 3) * 3,
                            .seed = hand_draw(&seed, 2) * seed};
}

static void run(replay_timeline *line, const hand *h, const replay_machine *m)
{
    replay_error error = {0};
    replay_status status =
        replay_machine_run(line, &h->program, m, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, REPLAY_OK);
}

/* Each task once, behind all that it waits for, and not before. */
static void check_order(const replay_timeline *line)
{
    const replay_program *p = line->program;
    uint32_t *place = calloc(p->task_count, sizeof *place);
    for (uint32_t i = 0; i < p->task_count; i++) {
        assert_int_equal(place[line->order[i]], 0);
        place[line->order[i]] = i + 1;
        assert_true(i == 0 ||
                    line->end[line->order[i - 1]] <= line->end[line->order[i]]);
    }
    for (uint32_t t = 0; t < p->task_count; t++) {
        const replay_task *task = &p->tasks[t];
        assert_true(line->ready[t] <= line->begin[t]);
        assert_true(line->begin[t] <= line->end[t]);
        assert_true(line->end[t] <= line->makespan);
        for (uint32_t i = 0; i < task->befores; i++) {
            uint32_t before = p->before[task->first_before + i];
            assert_true(place[before] < place[t]);
            assert_true(line->end[before] <= line->ready[t]);
        }
    }
    free(place);
}

/* The blocks of a task, each once, within its times, on cores of its kind. */
static void check_blocks(const replay_timeline *line)
{
    const replay_program *p = line->program;
    int64_t *blocks = calloc(p->task_count, sizeof *blocks);
    for (uint32_t i = 0; i < line->slot_count; i++) {
        const replay_slot *slot = &line->slots[i];
        const replay_task *task = &p->tasks[slot->task];
        bool is_vector = slot->core % 3 != 0;
        assert_true(slot->core < 3 * line->clusters);
        assert_true(is_vector == (task->core == REPLAY_AIV));
        assert_true(task->core != REPLAY_DUMMY);
        assert_true(slot->block < task->blocks);
        assert_true(slot->begin >= line->begin[slot->task]);
        assert_true(slot->end <= line->end[slot->task]);
        assert_true(slot->end > slot->begin);
        if (task->sync_start) {
            assert_int_equal(slot->begin, line->begin[slot->task]);
        }
        blocks[slot->task]++;
    }
    for (uint32_t t = 0; t < p->task_count; t++) {
        bool has_core = p->tasks[t].core != REPLAY_DUMMY;
        assert_int_equal(blocks[t], has_core ? p->tasks[t].blocks : 0);
    }
    free(blocks);
}

/* The slots are in order, and on no core do two overlap. */
static void check_cores(const replay_timeline *line)
{
    uint32_t cores = 3 * line->clusters;
    uint64_t *until = calloc(cores, sizeof *until);
    uint64_t *busy = calloc(cores, sizeof *busy);
    for (uint32_t i = 0; i < line->slot_count; i++) {
        const replay_slot *slot = &line->slots[i];
        bool is_mix = line->program->tasks[slot->task].core == REPLAY_MIX;
        for (uint32_t c = slot->core; c <= slot->core + 2 * is_mix; c++) {
            assert_true(until[c] <= slot->begin);
            until[c] = slot->end;
            busy[c] += slot->end - slot->begin;
        }
        if (i > 0) {
            const replay_slot *last = slot - 1;
            assert_true(
                last->begin < slot->begin ||
                (last->begin == slot->begin && last->core < slot->core));
        }
    }
    for (uint32_t c = 0; c < cores; c++) {
        assert_int_equal(line->busy[c], busy[c]);
        assert_true(busy[c] <= line->makespan);
    }
    free(until);
    free(busy);
}

static void check_path(const replay_timeline *line)
{
    const replay_program *p = line->program;
    assert_true(line->critical <= line->makespan);
    assert_true(line->critical <= line->sequential);
    for (uint32_t i = 1; i < line->critical_count; i++) {
        const replay_task *task = &p->tasks[line->critical_path[i]];
        bool follows = false;
        for (uint32_t k = 0; k < task->befores; k++) {
            follows |=
                p->before[task->first_before + k] == line->critical_path[i - 1];
        }
        assert_true(follows);
    }
}

static void every_run_is_legal(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        hand *h = hand_random(seed, TASKS, true);
        replay_machine m = draw_machine(seed, 9 + seed % 70);
        replay_timeline line;
        run(&line, h, &m);
        check_order(&line);
        check_blocks(&line);
        check_cores(&line);
        check_path(&line);
        replay_timeline_free(&line);
        hand_free(h);
    }
}

/* With whole edges all that is read is there, whatever the times are. */
static void times_change_no_bytes(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        hand *h = hand_random(seed, TASKS, false);
        replay_machine a = draw_machine(seed, 1 + seed % 5);
        replay_machine b = draw_machine(seed + 9999, 1 + seed % 3);
        replay_timeline first, second;
        run(&first, h, &a);
        run(&second, h, &b);
        assert_memory_equal(first.result.inputs, second.result.inputs,
                            TASKS * sizeof *first.result.inputs);
        replay_timeline_free(&first);
        replay_timeline_free(&second);
        hand_free(h);
    }
}

static void the_same_run_has_the_same_digest(void **state)
{
    uint32_t differ = 0;
    (void)state;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        hand *h = hand_random(seed, TASKS, true);
        replay_machine m = draw_machine(seed, 9);
        replay_timeline first, again, other;
        run(&first, h, &m);
        run(&again, h, &m);
        m.seed++;
        m.model = REPLAY_SEEDED;
        run(&other, h, &m);
        assert_string_equal(first.digest, again.digest);
        differ += strcmp(first.digest, other.digest) != 0;
        replay_timeline_free(&first);
        replay_timeline_free(&again);
        replay_timeline_free(&other);
        hand_free(h);
    }
    assert_true(differ > PROGRAMS * 9 / 10);
}

/* More schedulers than clusters: those without a cluster retire what needs no
   core, and nothing hangs. */
static void idle_schedulers_do_no_harm(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        hand *h = hand_random(seed, TASKS, false);
        replay_machine m = draw_machine(seed, 1);
        replay_timeline line;
        m.schedulers = 4;
        run(&line, h, &m);
        check_order(&line);
        check_cores(&line);
        replay_timeline_free(&line);
        hand_free(h);
    }
}

/* Tasks one behind the other cannot be faster than one by one, nor slower:
 * what a task takes alone is what the machine takes for it. */
static void a_chain_is_one_by_one(void **state)
{
    enum { COUNT = 60 };
    hand_task tasks[COUNT];
    uint32_t edges[COUNT - 1][2];
    (void)state;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        uint32_t draw = seed;
        replay_machine m = draw_machine(seed, 1 + seed % 9);
        m.dispatch = hand_draw(&draw, 12);
        for (uint32_t i = 0; i < COUNT; i++) {
            tasks[i] = (hand_task){.core = (uint8_t)hand_draw(&draw, 4),
                                   .blocks = 1 + hand_draw(&draw, 70),
                                   .bytes = hand_draw(&draw, 9000)};
            tasks[i].sync_start = tasks[i].blocks <= m.clusters;
            if (i > 0) {
                edges[i - 1][0] = i - 1;
                edges[i - 1][1] = i;
            }
        }
        hand *h =
            hand_make(tasks, COUNT, (const uint32_t(*)[2])edges, COUNT - 1);
        replay_timeline line;
        run(&line, h, &m);
        assert_int_equal(line.sequential, line.makespan);
        assert_int_equal(line.critical, line.makespan);
        replay_timeline_free(&line);
        hand_free(h);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_legal),
        cmocka_unit_test(times_change_no_bytes),
        cmocka_unit_test(the_same_run_has_the_same_digest),
        cmocka_unit_test(idle_schedulers_do_no_harm),
        cmocka_unit_test(a_chain_is_one_by_one),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
