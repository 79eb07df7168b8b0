/*
 * The run of a scene in program order, on real bytes, each storage in a place
 * of its own: what the kernel does (scene/kernels/scene_kernel.cpp), with the
 * same numbers.
 */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "hash.h"

#define HASH_START UINT64_C(14695981039346656037)
#define HASH_PRIME UINT64_C(1099511628211)

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * HASH_PRIME;
}

uint64_t scene_scalar(const oracle_arg *arg)
{
    uint64_t hash = HASH_START;
    for (uint32_t i = 0; i < arg->scalar.length; i++) {
        hash = hash_byte(hash, (unsigned char)arg->scalar.data[i]);
    }
    return hash;
}

/* With the scalars that are passed (the first two are the scene's own). */
static uint64_t token_of(const scene_work *work, uint32_t task)
{
    const replay_task *own = &work->program->tasks[task];
    const oracle_task *t = &work->d->tasks[own->source];
    uint64_t token = own->token;
    uint32_t scalars = 0;
    for (uint32_t i = 0; i < t->args; i++) {
        const oracle_arg *arg = &work->d->args[t->first_arg + i];
        if (arg->kind == ORACLE_ARG_SCALAR && ++scalars > SCENE_OWN_SCALARS) {
            token = replay_mix(token ^ scene_scalar(arg));
        }
    }
    return token;
}

static unsigned char written(uint64_t seed, uint64_t at)
{
    uint64_t x = replay_mix(seed + (at >> 3) * UINT64_C(0x9e3779b97f4a7c15));
    return (unsigned char)(x >> (at & 7) * 8);
}

/* A task's turn. */
typedef struct turn {
    unsigned char *bytes; /* of the storage of the access */
    uint64_t hash, seed, count;
} turn;

static void touch(turn *now, uint8_t mode, int64_t at, int64_t length)
{
    unsigned char *bytes = now->bytes + at;
    if (mode == SCENE_READ) {
        for (int64_t i = 0; i < length; i++) {
            now->hash = hash_byte(now->hash, bytes[i]);
        }
        return;
    }
    for (int64_t i = 0; i < length; i++, now->count++) {
        unsigned char byte = written(now->seed, now->count);
        bytes[i] =
            (unsigned char)(mode == SCENE_WRITE ? byte : bytes[i] + byte);
    }
}

static void visit(turn *now, const scene_work *work, const scene_access *a)
{
    const int64_t *piece = work->pieces.data + a->first;
    now->bytes = work->bytes + work->storage[a->storage].own;
    for (uint32_t p = 0; p < a->pieces; p++, piece += SCENE_PIECE) {
        for (int64_t i = 0; i < piece[SCENE_COUNT]; i++) {
            touch(now, a->mode, piece[SCENE_BASE] + i * piece[SCENE_STRIDE],
                  piece[SCENE_RUN]);
        }
    }
}

/* As the runtime compares: a signed number of that many bytes. */
static bool holds(const scene_work *work, const scene_predicate *p)
{
    const unsigned char *at =
        work->bytes + work->storage[p->storage].own + p->byte;
    uint64_t bits = 0;
    for (int64_t i = 0; i < p->size; i++) {
        bits |= (uint64_t)at[i] << 8 * i;
    }
    int64_t shift = 64 - 8 * p->size;
    int64_t value = (int64_t)(bits << shift) >> shift;
    switch (p->op) {
    case 1:
        return value == p->value;
    case 2:
        return value != p->value;
    case 3:
        return value > p->value;
    case 4:
        return value < p->value;
    case 5:
        return value >= p->value;
    default:
        return value <= p->value;
    }
}

static void run_task(const scene_work *work, uint32_t index)
{
    scene_task *task = &work->tasks[index];
    const scene_access *first = work->accesses + task->first_access;
    turn now = {.hash = HASH_START};
    uint64_t token = token_of(work, index);
    task->runs = work->program->tasks[index].core != REPLAY_DUMMY &&
                 (task->predicate.op == 0 || holds(work, &task->predicate));
    for (uint32_t i = 0; i < task->accesses && task->runs; i++) {
        if (first[i].mode == SCENE_READ) {
            now.hash = hash_byte(now.hash, (unsigned char)i);
            visit(&now, work, &first[i]);
        }
    }
    for (uint32_t i = 0; i < task->accesses && task->runs; i++) {
        if (first[i].mode != SCENE_READ) {
            now.seed = replay_mix(token + replay_mix(now.hash + i));
            now.count = 0;
            visit(&now, work, &first[i]);
        }
    }
    task->hash = now.hash;
}

/* What storages hold at the start, as test_scene.py fills them. */
static void fill(scene_work *work)
{
    memset(work->bytes, 0xA5, (size_t)work->own);
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        for (int64_t at = 0; s->init && at < s->bytes; at++) {
            uint64_t x = (uint64_t)at + UINT64_C(7919) * i + 1;
            work->bytes[s->own + at] =
                (unsigned char)(x * UINT64_C(2654435761) >> 13);
        }
    }
}

replay_status scene_run(scene_work *work)
{
    work->bytes = malloc((size_t)work->own + 1);
    if (work->bytes == NULL) {
        return replay_fail_memory(work->error);
    }
    fill(work);
    for (uint32_t i = 0; i < work->program->task_count; i++) {
        run_task(work, i);
    }
    return REPLAY_OK;
}
