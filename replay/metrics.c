/* What a run tells when it is over. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "machine_work.h"

uint32_t replay_capacity(const replay_machine *machine, uint8_t shape)
{
    return shape == REPLAY_AIV ? 2 * machine->clusters : machine->clusters;
}

/* ---- Cores ---- */

static void measure_cores(const replay_work *work)
{
    replay_timeline *line = work->line;
    for (uint32_t i = 0; i < line->slot_count; i++) {
        const replay_slot *slot = &line->slots[i];
        bool is_mix = work->shapes[slot->task] == REPLAY_MIX;
        for (uint32_t lane = 0; lane < (is_mix ? REPLAY_LANES : 1); lane++) {
            line->busy[slot->core + lane] += slot->end - slot->begin;
        }
    }
}

/* ---- The longest path of edges ---- */

typedef struct path {
    uint64_t *alone; /* by task: what it takes */
    uint64_t *until; /* by task: what leads to it, it not included */
    uint32_t *from;  /* by task: the one before it; REPLAY_NONE: it is first */
} path;

/* In the order of the run all that leads to a task is before it. Of equals the
   one with the least index counts. */
static void follow(const replay_work *work, path *p, uint32_t task)
{
    const replay_program *program = work->program;
    uint64_t through = p->until[task] + p->alone[task];
    uint32_t first = program->tasks[task].first_after;
    for (uint32_t i = first; i < first + program->tasks[task].afters; i++) {
        uint32_t to = program->after[i];
        if (replay_bit(work->skipped, i)) {
            continue;
        }
        if (p->from[to] == REPLAY_NONE || through > p->until[to] ||
            (through == p->until[to] && task < p->from[to])) {
            p->until[to] = through;
            p->from[to] = task;
        }
    }
}

static void keep_path(replay_timeline *line, const path *p, uint32_t last)
{
    uint32_t count = 0;
    for (uint32_t t = last; t != REPLAY_NONE; t = p->from[t]) {
        count++;
    }
    line->critical_count = count;
    for (uint32_t t = last; t != REPLAY_NONE; t = p->from[t]) {
        line->critical_path[--count] = t;
    }
}

static void free_path(path *p)
{
    free(p->alone);
    free(p->until);
    free(p->from);
}

static bool measure_path(const replay_work *work)
{
    uint32_t count = work->program->task_count, last = REPLAY_NONE;
    replay_timeline *line = work->line;
    path p = {malloc(((size_t)count + 1) * sizeof *p.alone),
              calloc((size_t)count + 1, sizeof *p.until),
              malloc(((size_t)count + 1) * sizeof *p.from)};
    if (p.alone == NULL || p.until == NULL || p.from == NULL) {
        free_path(&p);
        return false;
    }
    memset(p.from, 0xff, count * sizeof *p.from);
    for (uint32_t t = 0; t < count; t++) {
        p.alone[t] = replay_alone(work, t);
    }
    for (uint32_t i = 0; i < count; i++) {
        follow(work, &p, line->order[i]);
    }
    for (uint32_t t = 0; t < count; t++) {
        uint64_t takes = p.alone[t];
        line->sequential += takes;
        if (last == REPLAY_NONE || p.until[t] + takes > line->critical) {
            line->critical = p.until[t] + takes;
            last = t;
        }
    }
    keep_path(line, &p, last);
    free_path(&p);
    return true;
}

/* ---- The digest ---- */

typedef struct digest {
    EVP_MD_CTX *context;
    bool failed;
    size_t used;
    unsigned char bytes[4096];
} digest;

static void flush(digest *d)
{
    d->failed |= EVP_DigestUpdate(d->context, d->bytes, d->used) != 1;
    d->used = 0;
}

/* Eight bytes, the least first, on every machine. */
static void put(digest *d, uint64_t number)
{
    if (d->used == sizeof d->bytes) {
        flush(d);
    }
    for (int i = 0; i < 8; i++) {
        d->bytes[d->used++] = (unsigned char)(number >> 8 * i);
    }
}

static void put_run(digest *d, const replay_timeline *line)
{
    put(d, line->slot_count);
    for (uint32_t i = 0; i < line->slot_count; i++) {
        const replay_slot *slot = &line->slots[i];
        put(d, (uint64_t)slot->task << 32 | slot->block);
        put(d, slot->core);
        put(d, slot->begin);
        put(d, slot->end);
    }
    put(d, line->program->task_count);
    for (uint32_t t = 0; t < line->program->task_count; t++) {
        put(d, line->result.inputs[t]);
    }
    flush(d);
}

static bool measure_digest(replay_timeline *line)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char sum[EVP_MAX_MD_SIZE];
    digest d = {.context = EVP_MD_CTX_new()};
    d.failed = d.context == NULL ||
               EVP_DigestInit_ex(d.context, EVP_sha256(), NULL) != 1;
    if (!d.failed) {
        put_run(&d, line);
    }
    d.failed = d.failed || EVP_DigestFinal_ex(d.context, sum, NULL) != 1;
    EVP_MD_CTX_free(d.context);
    for (int i = 0; i < 32 && !d.failed; i++) {
        line->digest[2 * i] = digits[sum[i] >> 4];
        line->digest[2 * i + 1] = digits[sum[i] & 15];
    }
    return !d.failed;
}

bool replay_measure(const replay_work *work)
{
    measure_cores(work);
    return measure_path(work) && measure_digest(work->line);
}
