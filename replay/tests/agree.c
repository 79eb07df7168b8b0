#include "agree.h"

#include "../../scripts/testing/harness.h"
#include "brute.h"
#include "random_graph.h"

#include <stdlib.h>
#include <string.h>

static bool *mark_of(brute_answer *answer, const replay_difference *d)
{
    return d->task == REPLAY_NONE
               ? &answer->caller[d->buffer]
               : &answer->task[d->task][d->arg == REPLAY_NONE ? 0 : d->arg + 1];
}

/* The order that the proof names is wrong as it says. */
static void check_proof(const sim_graph *g, const replay_program *p,
                        const replay_proof *proof, uint64_t seed)
{
    uint32_t order[SIM_TASKS];
    bool without[SIM_ITEMS] = {false};
    replay_error error;
    brute_answer shown;
    assert_int_equal(replay_proof_order(order, p, proof, &error), REPLAY_OK);
    assert_int_equal(replay_order_check(p, order, p->task_count, &error),
                     REPLAY_OK);
    for (uint32_t i = 0; i < proof->difference.without_count; i++) {
        without[proof->difference.without[i]] = true;
    }
    bool planned = p->planned && !proof->variant.own_places;
    brute_run(&shown, g, order, planned, without);
    if (!*mark_of(&shown, &proof->difference)) {
        fail_msg("seed %llu: the order of a proof shows nothing",
                 (unsigned long long)seed);
    }
    replay_variant variant = proof->variant;
    variant.without = without;
    replay_difference *all;
    uint32_t count;
    bool found = false;
    assert_int_equal(replay_compare(&all, &count, p, order, &variant, &error),
                     REPLAY_OK);
    for (uint32_t i = 0; i < count; i++) {
        const replay_difference *a = &all[i], *b = &proof->difference;
        found = found || (a->task == b->task && a->arg == b->arg && a->sure &&
                          a->expected == b->expected && a->seen == b->seen &&
                          a->without_count == 0);
    }
    free(all);
    if (!found) {
        fail_msg("seed %llu: a proof is not seen without what it leaves out",
                 (unsigned long long)seed);
    }
}

static void compare(const char *what, const brute_answer *found,
                    const brute_answer *right, bool all, uint64_t seed,
                    const sim_graph *g)
{
    for (uint32_t t = 0; t < g->document.task_count; t++) {
        for (uint32_t a = 0; a < BRUTE_ARGS; a++) {
            bool x = found->task[t][a], y = right->task[t][a];
            if (all ? x != y : x && !y) {
                fail_msg("seed %llu: %s, task %u argument %d: %s",
                         (unsigned long long)seed, what, t, (int)a - 1,
                         x ? "false alarm" : "missed");
            }
        }
    }
    for (uint32_t b = 0; b < g->document.buffer_count; b++) {
        bool x = found->caller[b], y = right->caller[b];
        if (all ? x != y : x && !y) {
            fail_msg("seed %llu: %s, caller's b%u: %s",
                     (unsigned long long)seed, what, b,
                     x ? "false alarm" : "missed");
        }
    }
}

static uint32_t count_marks(const brute_answer *answer)
{
    const bool *marks = (const bool *)answer;
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof *answer; i++) {
        count += marks[i];
    }
    return count;
}

static void try_graph(agree_counts *counts, const sim_graph *g, uint64_t seed)
{
    static brute_answers right;
    brute_answer sure = {0}, some = {0};
    replay_error error;
    replay_tried tried;
    if (!brute_find(&right, g)) {
        return;
    }
    replay_program p = sim_program(&g->document, NULL);
    assert_int_equal(replay_adversarial(&tried, &p, &error), REPLAY_OK);
    for (uint32_t i = 0; i < tried.proof_count; i++) {
        const replay_proof *proof = &tried.proofs[i];
        if (proof->variant.fill != 0 || proof->variant.inside_back ||
            proof->variant.inside_forth) {
            continue;
        }
        *mark_of(&some, &proof->difference) = true;
        if (proof->difference.sure) {
            *mark_of(&sure, &proof->difference) = true;
            check_proof(g, &p, proof, seed);
        }
    }
    compare("sure", &sure, &right.sure, !p.bounds, seed, g);
    compare("some", &some, &right.some, true, seed, g);
    counts->graphs++;
    counts->wrong += count_marks(&some) > 0;
    counts->planned += p.planned;
    counts->bounds += p.bounds;
    counts->coins += right.coins > 0;
    if (p.bounds) {
        counts->sure += count_marks(&right.sure);
        counts->open += count_marks(&right.sure) - count_marks(&sure);
    }
    replay_tried_free(&tried);
    replay_program_free(&p);
}

void agree_try(agree_counts *counts, uint64_t from, uint64_t to, uint32_t most)
{
    static sim_graph g;
    for (uint64_t seed = from; seed < to; seed++) {
        random_graph(&g, seed, most);
        try_graph(counts, &g, seed);
    }
}
