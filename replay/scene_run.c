/*
 * The run of a scene in program order, on real bytes, each storage in a place
 * of its own: what the kernel does (scene/kernels/scene_kernel.cpp), with the
 * same numbers.
 */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"

#define HASH_START UINT64_C(14695981039346656037)
#define HASH_PRIME UINT64_C(1099511628211)

uint64_t scene_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * HASH_PRIME;
}

uint64_t scene_text_hash(uint64_t hash, const char *data, size_t length)
{
    hash = hash == 0 ? HASH_START : hash;
    for (size_t i = 0; i < length; i++) {
        hash = hash_byte(hash, (unsigned char)data[i]);
    }
    return hash_byte(hash, 0);
}

uint64_t scene_token(const scene_work *work, uint32_t task, bool all)
{
    const oracle_document *d = work->document;
    const oracle_task *t = &d->tasks[task];
    uint64_t token = scene_text_hash(0, (const char *)&t->id, sizeof t->id);
    uint32_t scalars = 0;
    for (uint32_t i = 0; i < t->args; i++) {
        const oracle_arg *arg = &d->args[t->first_arg + i];
        if (arg->kind != ORACLE_ARG_SCALAR) {
            continue;
        }
        uint64_t value =
            scene_text_hash(0, arg->scalar.data, arg->scalar.length);
        if (scalars++ < SCENE_OWN_SCALARS || all) {
            token = scene_mix(token ^ value);
        }
    }
    return token;
}

/* What a task's access goes over. */
typedef struct visit {
    scene_work *work;
    unsigned char *known; /* of the bytes: somebody wrote them */
    const scene_access *access;
    uint64_t hash, seed, count;
    bool asking; /* whether all bytes are known */
    bool all_known;
} visit;

static unsigned char written(uint64_t seed, uint64_t at)
{
    uint64_t x = scene_mix(seed + (at >> 3) * UINT64_C(0x9e3779b97f4a7c15));
    return (unsigned char)(x >> (at & 7) * 8);
}

static void touch(visit *v, int64_t at)
{
    unsigned char *bytes = v->work->bytes + at;
    int64_t length = v->access->run;
    if (v->asking) {
        v->all_known =
            v->all_known && memchr(v->known + at, 0, (size_t)length) == NULL;
    } else if (v->access->mode == SCENE_READ) {
        for (int64_t i = 0; i < length; i++) {
            v->hash = hash_byte(v->hash, bytes[i]);
        }
    } else if (v->access->mode == SCENE_WRITE) {
        for (int64_t i = 0; i < length; i++, v->count++) {
            bytes[i] = written(v->seed, v->count);
        }
        memset(v->known + at, 1, (size_t)length);
    } else {
        for (int64_t i = 0; i < length; i++, v->count++) {
            bytes[i] = (unsigned char)(bytes[i] + written(v->seed, v->count));
        }
    }
}

/* All bytes of the access, row by row, as the kernel goes. */
static void go(visit *v)
{
    const scene_access *a = v->access;
    const int64_t *dim =
        a->dims == 0 ? NULL : &v->work->dims.data[a->first_dim];
    int64_t at[SCENE_ACCESS_DIMS] = {0};
    int64_t byte = v->work->storage[a->storage].own + a->base;
    uint32_t d = 0;
    do {
        touch(v, byte);
        for (d = 0; d < a->dims; d++) {
            byte += dim[2 * d + 1];
            if (++at[d] < dim[2 * d]) {
                break;
            }
            byte -= dim[2 * d] * dim[2 * d + 1];
            at[d] = 0;
        }
    } while (d < a->dims);
}

/* A read of bytes that nobody wrote says nothing: with a memory plan they
 * belong to whoever was there before. */
static void leave_out(visit *v, const scene_task *task)
{
    v->asking = true;
    for (uint32_t i = 0; i < task->accesses; i++) {
        scene_access *a = &v->work->accesses[task->first_access + i];
        v->access = a;
        v->all_known = true;
        if (a->mode == SCENE_READ) {
            go(v);
            a->left_out = !v->all_known;
            v->work->scene->left_out += a->left_out;
        }
    }
    v->asking = false;
}

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

static void run_task(visit *v, uint32_t index)
{
    scene_work *work = v->work;
    scene_task *task = &work->tasks[index];
    const oracle_task *t = &work->document->tasks[index];
    uint32_t kept = 0;
    leave_out(v, task);
    task->runs =
        !t->dummy && (task->predicate.op == 0 || holds(work, &task->predicate));
    if (!task->runs) {
        return;
    }
    v->hash = HASH_START;
    for (uint32_t i = 0; i < task->accesses; i++) {
        v->access = &work->accesses[task->first_access + i];
        if (v->access->left_out) {
            continue;
        }
        if (v->access->mode == SCENE_READ) {
            v->hash = hash_byte(v->hash, (unsigned char)kept);
            go(v);
        } else {
            v->seed = scene_mix(task->token + scene_mix(v->hash + kept));
            v->count = 0;
            go(v);
        }
        kept++;
    }
    task->hash = v->hash;
}

/* What storages hold at the start, as test_scene.py fills them. */
static void fill(scene_work *work, unsigned char *known)
{
    memset(work->bytes, 0xA5, (size_t)work->own);
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        for (int64_t at = 0; s->init && at < s->bytes; at++) {
            uint64_t x = (uint64_t)at + UINT64_C(7919) * i + 1;
            work->bytes[s->own + at] =
                (unsigned char)(x * UINT64_C(2654435761) >> 13);
            known[s->own + at] = 1;
        }
    }
}

replay_status scene_run(scene_work *work)
{
    visit v = {.work = work};
    work->bytes = malloc((size_t)work->own + 1);
    v.known = calloc((size_t)work->own + 1, 1);
    if (work->bytes == NULL || v.known == NULL) {
        free(v.known);
        return replay_fail_memory(work->error);
    }
    fill(work, v.known);
    for (uint32_t i = 0; i < work->document->task_count; i++) {
        work->tasks[i].token = scene_token(work, i, true);
        run_task(&v, i);
    }
    free(v.known);
    return REPLAY_OK;
}
