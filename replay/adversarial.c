/* Orders that are tried: the adversarial set, and seeds. */
#include "arena.h"
#include "compare_work.h"
#include "fault.h"
#include "order_work.h"

#include <stdlib.h>
#include <string.h>

/* Numbers that have been met. */
typedef struct met {
    uint64_t *slots; /* 0: free */
    uint32_t size, count;
} met;

typedef struct trial {
    const replay_program *p;
    replay_tried *tried;
    replay_error *error;
    replay_comparer comparer;
    replay_telling telling;
    replay_proof proof; /* what is being tried */
    uint32_t *order, *scratch;
    met reads, told; /* what a reader read; which differences were told */
    uint32_t proof_room;
} trial;

static bool put(uint64_t *slots, uint32_t size, uint64_t key)
{
    uint32_t at = (uint32_t)key & (size - 1);
    while (slots[at] != 0 && slots[at] != key) {
        at = (at + 1) & (size - 1);
    }
    bool is_new = slots[at] == 0;
    slots[at] = key;
    return is_new;
}

/* Whether the key is new; it is, too, when there is no memory to know. */
static bool meet(met *m, uint64_t key)
{
    key = key == 0 ? 1 : key;
    if (m->count * 2 >= m->size) {
        uint32_t size = m->size == 0 ? 64 : m->size * 2;
        uint64_t *slots = calloc(size, sizeof *slots);
        if (slots == NULL) {
            return true;
        }
        for (uint32_t i = 0; i < m->size; i++) {
            if (m->slots[i] != 0) {
                put(slots, size, m->slots[i]);
            }
        }
        free(m->slots);
        m->slots = slots;
        m->size = size;
    }
    bool is_new = put(m->slots, m->size, key);
    m->count += is_new;
    return is_new;
}

/* --- Proofs --- */

static uint64_t key_of(const replay_difference *d)
{
    uint64_t key = replay_mix2(d->task, d->arg);
    key = replay_mix2(key, (uint64_t)d->buffer << 1 | d->sure);
    return replay_mix2(key, (uint64_t)d->expected << 32 | d->seen);
}

static bool keep_proof(trial *t, const replay_told *told)
{
    replay_proof *proofs =
        replay_grow(t->tried->proofs, &t->proof_room, t->tried->proof_count, 1,
                    sizeof *proofs);
    if (proofs == NULL) {
        return false;
    }
    t->tried->proofs = proofs;
    replay_proof *proof = &proofs[t->tried->proof_count];
    *proof = t->proof;
    proof->difference = told->difference;
    uint32_t count = told->difference.without_count;
    if (count > 0) {
        uint32_t *without =
            replay_arena_array(t->tried->arena, count, sizeof *without);
        if (without == NULL) {
            return false;
        }
        memcpy(without, t->telling.pool + told->first, count * sizeof *without);
        proof->difference.without = without;
    }
    t->tried->proof_count++;
    return true;
}

/* Leaves out readers who have read the same before; how many are left. */
static uint32_t forget_known(trial *t)
{
    replay_comparer *c = &t->comparer;
    uint32_t readers = replay_readers(t->p), left = 0;
    uint32_t inputs = t->p->task_count + t->p->host_count;
    for (uint32_t r = 0; r < readers; r++) {
        if (c->asked[r]) {
            uint64_t read = r < inputs
                                ? c->run->result.sources[r]
                                : c->run->result.final_sources[r - inputs];
            c->asked[r] = meet(&t->reads, replay_mix2(read + c->masked, r));
            left += c->asked[r];
        }
    }
    return left;
}

/* Runs t->order. */
static replay_status try_order(trial *t)
{
    uint32_t differ = replay_comparer_run(&t->comparer, t->order);
    if (replay_stopped(t->p)) {
        return replay_fail_stopped(t->error);
    }
    t->tried->runs++;
    if (differ == 0 || forget_known(t) == 0) {
        return REPLAY_OK;
    }
    t->telling.count = t->telling.pool_count = 0;
    replay_status status =
        replay_comparer_tell(&t->comparer, t->order, &t->telling, t->error);
    for (uint32_t i = 0; status == REPLAY_OK && i < t->telling.count; i++) {
        const replay_told *told = &t->telling.items[i];
        if (meet(&t->told, key_of(&told->difference)) && !keep_proof(t, told)) {
            status = replay_fail_memory(t->error);
        }
    }
    return status;
}

static replay_status try_schedule(trial *t, replay_schedule schedule,
                                  uint32_t task)
{
    bool directed = schedule == REPLAY_EAGER || schedule == REPLAY_LAZY;
    t->proof.schedule = schedule;
    t->proof.task = directed ? task : REPLAY_NONE;
    replay_order_make(t->order, t->p, schedule, task, t->scratch);
    if (directed && memcmp(t->order, t->p->legal,
                           t->p->task_count * sizeof *t->order) == 0) {
        t->tried->runs++;
        return replay_stopped(t->p) ? replay_fail_stopped(t->error) : REPLAY_OK;
    }
    return try_order(t);
}

/* --- Sets of runs --- */

static replay_status begin(trial *t, replay_variant variant)
{
    replay_comparer_end(&t->comparer);
    t->proof = (replay_proof){.variant = variant, .task = REPLAY_NONE};
    return replay_comparer_start(&t->comparer, t->p, &variant, t->error);
}

static replay_status try_one(trial *t, replay_variant variant,
                             replay_schedule schedule)
{
    replay_status status = begin(t, variant);
    return status == REPLAY_OK ? try_schedule(t, schedule, REPLAY_NONE)
                               : status;
}

static replay_status try_all(trial *t, replay_variant variant)
{
    replay_status status = begin(t, variant);
    status = status == REPLAY_OK ? try_schedule(t, REPLAY_LEGAL, REPLAY_NONE)
                                 : status;
    for (uint32_t i = 0; status == REPLAY_OK && i < t->p->task_count; i++) {
        status = try_schedule(t, REPLAY_EAGER, i);
        status = status == REPLAY_OK ? try_schedule(t, REPLAY_LAZY, i) : status;
    }
    return status;
}

static replay_status try_inside(trial *t, replay_variant variant)
{
    variant.inside_back = true;
    replay_status status = try_one(t, variant, REPLAY_LEGAL);
    variant.inside_back = false;
    variant.inside_forth = true;
    return status == REPLAY_OK ? try_one(t, variant, REPLAY_LEGAL) : status;
}

static replay_status try_sets(trial *t)
{
    const replay_program *p = t->p;
    replay_variant variant = {.host_first = true};
    replay_status status = try_all(t, variant);
    variant.own_places = true;
    if (status == REPLAY_OK && p->planned && p->nothing) {
        status = try_all(t, variant);
    }
    variant.own_places = false;
    if (status == REPLAY_OK && p->inside) {
        status = try_inside(t, variant);
    }
    variant.own_places = true;
    variant.host_first = false;
    variant.fill = 1;
    if (status == REPLAY_OK && p->nothing) {
        status = try_one(t, variant, REPLAY_PROGRAM);
    }
    return status;
}

static replay_status try_seeds(trial *t, uint64_t seed, uint64_t count)
{
    replay_status status = begin(t, (replay_variant){.host_first = true});
    t->proof.random = true;
    for (uint64_t i = 0; status == REPLAY_OK && i < count; i++) {
        t->proof.seed = seed + i;
        status = replay_order_random(t->order, t->p, seed + i, t->error);
        status = status == REPLAY_OK ? try_order(t) : status;
    }
    return status;
}

static replay_status start(trial *t)
{
    size_t n = t->p->task_count;
    *t->error = (replay_error){.task = -1};
    *t->tried = (replay_tried){.arena = replay_arena_create()};
    t->order = malloc((3 * n + 1) * sizeof *t->order);
    if (t->order == NULL || t->tried->arena == NULL) {
        return replay_fail_memory(t->error);
    }
    t->scratch = t->order + n;
    return REPLAY_OK;
}

static replay_status end(trial *t, replay_status status)
{
    replay_comparer_end(&t->comparer);
    replay_telling_free(&t->telling);
    free(t->order);
    free(t->reads.slots);
    free(t->told.slots);
    if (status == REPLAY_STOPPED) {
        t->tried->stopped = true;
        return REPLAY_OK;
    }
    if (status != REPLAY_OK) {
        replay_tried_free(t->tried);
    }
    return status;
}

replay_status replay_adversarial(replay_tried *tried,
                                 const replay_program *program,
                                 replay_error *error)
{
    trial t = {.p = program, .tried = tried, .error = error};
    replay_status status = start(&t);
    return end(&t, status == REPLAY_OK ? try_sets(&t) : status);
}

replay_status replay_seeds(replay_tried *tried, const replay_program *program,
                           uint64_t seed, uint64_t count, replay_error *error)
{
    trial t = {.p = program, .tried = tried, .error = error};
    replay_status status = start(&t);
    return end(&t, status == REPLAY_OK ? try_seeds(&t, seed, count) : status);
}

void replay_tried_free(replay_tried *tried)
{
    free(tried->proofs);
    replay_arena_free(tried->arena);
    *tried = (replay_tried){0};
}

replay_status replay_proof_order(uint32_t *order, const replay_program *program,
                                 const replay_proof *proof, replay_error *error)
{
    return proof->random
               ? replay_order_random(order, program, proof->seed, error)
               : replay_order(order, program, proof->schedule, proof->task,
                              error);
}
