#include "hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (block == NULL) {
        abort();
    }
    return block;
}

static oracle_text text_of(char *data)
{
    return (oracle_text){data, (uint32_t)strlen(data), true};
}

static void make_document(oracle_document *d, const hand_task *tasks,
                          uint32_t count)
{
    d->name = text_of(strdup("by hand"));
    d->tasks = need(count, sizeof *d->tasks);
    d->task_count = count;
    d->buffers = need(count, sizeof *d->buffers);
    d->buffer_count = count;
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "task %u", (unsigned)i);
        d->tasks[i].id = 100 + i;
        d->tasks[i].name =
            text_of(strdup(tasks[i].name == NULL ? name : tasks[i].name));
        d->buffers[i].key = text_of(strdup(name));
        d->buffers[i].bytes = 8;
        d->buffers[i].has_bytes = true;
        d->buffers[i].storage = i;
    }
}

/* What comes into each task, or leaves it, at first[task] and on. */
static uint32_t *list_ends(replay_program *p, const uint32_t (*edges)[2],
                           int end)
{
    uint32_t *list = need(p->edge_count, sizeof *list), at = 0;
    uint32_t *next = need(p->task_count, sizeof *next);
    for (uint32_t e = 0; e < p->edge_count; e++) {
        next[edges[e][end]]++;
    }
    for (uint32_t t = 0; t < p->task_count; t++) {
        uint32_t here = next[t];
        *(end == 1 ? &p->tasks[t].first_before : &p->tasks[t].first_after) = at;
        *(end == 1 ? &p->tasks[t].befores : &p->tasks[t].afters) = here;
        next[t] = at;
        at += here;
    }
    for (uint32_t e = 0; e < p->edge_count; e++) {
        list[next[edges[e][end]]++] = edges[e][1 - end];
    }
    free(next);
    return list;
}

static void add_access(replay_program *p, replay_task *task, uint32_t buffer,
                       replay_mode mode)
{
    uint32_t at = p->access_count++;
    p->runs[at] = (replay_cells){buffer, 1};
    p->touched++;
    task->reads += mode == REPLAY_READ;
    p->accesses[at] = (replay_access){.arg = task->accesses++,
                                      .first = at,
                                      .count = 1,
                                      .buffer = buffer,
                                      .source = REPLAY_NONE,
                                      .part = REPLAY_NONE,
                                      .mode = (uint8_t)mode};
    if (task->predicated) {
        p->accesses[at].force = REPLAY_MAY;
    }
}

static void make_accesses(replay_program *p)
{
    size_t most = (size_t)p->edge_count + p->task_count;
    p->accesses = need(most, sizeof *p->accesses);
    p->runs = need(most, sizeof *p->runs);
    for (uint32_t t = 0; t < p->task_count; t++) {
        replay_task *task = &p->tasks[t];
        task->first_access = p->access_count;
        if (task->core == REPLAY_DUMMY) {
            continue;
        }
        for (uint32_t i = 0; i < task->befores; i++) {
            add_access(p, task, p->before[task->first_before + i], REPLAY_READ);
        }
        add_access(p, task, t, REPLAY_WRITE);
    }
    p->run_count = p->access_count;
}

static void make_cells(replay_program *p)
{
    uint32_t count = p->task_count;
    p->buffers = need(count, sizeof *p->buffers);
    p->buffer_count = count;
    p->cell_start = need(count, sizeof *p->cell_start);
    p->cell_begin = need(count, sizeof *p->cell_begin);
    p->cell_end = need(count, sizeof *p->cell_end);
    p->cell_storage = need(count, sizeof *p->cell_storage);
    p->legal = need(count, sizeof *p->legal);
    p->cell_count = count;
    for (uint32_t t = 0; t < count; t++) {
        p->buffers[t] = (replay_buffer){.storage = t,
                                        .first = t,
                                        .count = 1,
                                        .external = p->tasks[t].afters == 0};
        p->cell_end[t] = 8;
        p->cell_storage[t] = p->legal[t] = t;
    }
}

hand *hand_make(const hand_task *tasks, uint32_t count,
                const uint32_t (*edges)[2], uint32_t edge_count)
{
    hand *made = need(1, sizeof *made);
    replay_program *p = &made->program;
    make_document(&made->document, tasks, count);
    p->document = &made->document;
    p->tasks = need(count, sizeof *p->tasks);
    p->task_count = count;
    p->edge_count = edge_count;
    for (uint32_t i = 0; i < count; i++) {
        p->tasks[i] =
            (replay_task){.id = 100 + i,
                          .source = i,
                          .blocks = tasks[i].blocks == 0 ? 1 : tasks[i].blocks,
                          .bytes = tasks[i].bytes,
                          .token = 1000 + i,
                          .core = tasks[i].core,
                          .sync_start = tasks[i].sync_start,
                          .predicated = tasks[i].predicated};
    }
    p->before = list_ends(p, edges, 1);
    p->after = list_ends(p, edges, 0);
    make_accesses(p);
    make_cells(p);
    return made;
}

void hand_free(hand *made)
{
    replay_program *p = &made->program;
    oracle_document *d = &made->document;
    for (uint32_t i = 0; i < d->task_count; i++) {
        free((char *)(uintptr_t)d->tasks[i].name.data);
        free((char *)(uintptr_t)d->buffers[i].key.data);
    }
    free((char *)(uintptr_t)d->name.data);
    free(d->tasks);
    free(d->buffers);
    free(p->tasks);
    free(p->before);
    free(p->after);
    free(p->accesses);
    free(p->runs);
    free(p->buffers);
    free(p->cell_begin);
    free(p->cell_end);
    free(p->cell_storage);
    free(p->cell_start);
    free(p->legal);
    free(made);
}

uint32_t hand_draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

hand *hand_random(uint32_t seed, uint32_t count, bool with_sync_start)
{
    hand_task *tasks = need(count, sizeof *tasks);
    uint32_t(*edges)[2] = need(3 * (size_t)count, sizeof *edges);
    uint32_t edge_count = 0;
    for (uint32_t t = 0; t < count; t++) {
        tasks[t].core = (uint8_t)hand_draw(&seed, 4);
        tasks[t].blocks = 1 + hand_draw(&seed, 3) * hand_draw(&seed, 4);
        tasks[t].bytes = hand_draw(&seed, 1 << 20);
        tasks[t].sync_start = with_sync_start && hand_draw(&seed, 4) == 0;
        for (uint32_t e = hand_draw(&seed, 4); e > 0 && t > 0; e--) {
            uint32_t back = 1 + hand_draw(&seed, t < 20 ? t : 20);
            bool again = false;
            for (uint32_t i = edge_count; i > 0 && edges[i - 1][1] == t; i--) {
                again |= edges[i - 1][0] == t - back;
            }
            if (!again) {
                edges[edge_count][0] = t - back;
                edges[edge_count++][1] = t;
            }
        }
    }
    hand *made =
        hand_make(tasks, count, (const uint32_t(*)[2])edges, edge_count);
    free(tasks);
    free(edges);
    return made;
}
