/* Program order, each buffer in its own place: what is nobody's. */
#include "program_work.h"

#include <stdlib.h>

/* What a cell holds, beneath what may happen. */
enum {
    NOTHING, /* nobody's bytes, surely */
    ADDED,   /* accumulations on nobody's bytes */
    PERHAPS, /* nobody's, or written by what may happen */
    WRITTEN,
    START /* what was there before the first task, if all that may does not */
};

typedef struct walk {
    replay_program *p;
    uint8_t *holds; /* by cell */
    bool any;       /* something is fresh */
    /* The new runs, and whether they are; NULL: only looked at. */
    replay_cells *runs;
    uint8_t *fresh;
    uint32_t count, run_room, fresh_room;
    bool split, failed, stopped;
} walk;

/* One cell of an access: whether it is fresh. */
static bool pass(walk *w, const replay_access *x, uint32_t cell)
{
    uint8_t held = w->holds[cell];
    switch (x->mode) {
    case REPLAY_READ:
        if (held == START) {
            w->p->cell_start[cell] |= REPLAY_START_READ;
        }
        w->p->nothing = w->p->nothing || held == NOTHING || held == PERHAPS;
        return held == NOTHING;
    case REPLAY_WRITE:
        if (x->force == REPLAY_MUST) {
            w->holds[cell] = WRITTEN;
        } else if (held == NOTHING) {
            w->holds[cell] = PERHAPS;
        } else if (held == ADDED) {
            w->holds[cell] = WRITTEN;
        }
        return x->force != REPLAY_MUST && held == NOTHING;
    default:
        if (held == NOTHING) {
            w->holds[cell] = ADDED;
        }
        return held == NOTHING || held == ADDED;
    }
}

/* Room for `more` new runs. */
static bool make_room(walk *w, uint64_t more)
{
    replay_cells *runs =
        replay_grow(w->runs, &w->run_room, w->count, more, sizeof *runs);
    w->runs = runs == NULL ? w->runs : runs;
    uint8_t *fresh = replay_grow(w->fresh, &w->fresh_room, w->count, more, 1);
    w->fresh = fresh == NULL ? w->fresh : fresh;
    w->failed = w->failed || runs == NULL || fresh == NULL;
    return !w->failed;
}

static void pass_run(walk *w, const replay_access *x, replay_cells run)
{
    uint32_t first = w->count;
    if (w->split && !make_room(w, run.count)) {
        return;
    }
    for (uint32_t c = run.first; c < run.first + run.count; c++) {
        bool fresh = pass(w, x, c);
        w->any = w->any || fresh;
        if (!w->split) {
            continue;
        }
        if (w->count == first ||
            (w->fresh[w->count - 1] & REPLAY_FRESH) != fresh) {
            w->fresh[w->count] = fresh ? REPLAY_FRESH : 0;
            w->runs[w->count++] = (replay_cells){c, 0};
        }
        w->runs[w->count - 1].count++;
    }
}

static void pass_accesses(walk *w, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && !w->failed; i++) {
        w->stopped = w->stopped || replay_stopped(w->p);
        if (w->stopped) {
            return;
        }
        replay_access *x = &w->p->accesses[i];
        uint32_t from = w->count;
        for (uint32_t k = x->first; k < x->first + x->count; k++) {
            pass_run(w, x, w->p->runs[k]);
            w->p->touched += w->split ? 0 : w->p->runs[k].count;
        }
        if (w->split) {
            x->first = from;
            x->count = w->count - from;
        }
    }
}

static void pass_all(walk *w)
{
    const replay_program *p = w->p;
    uint32_t host = 0;
    for (uint32_t c = 0; c < p->cell_count; c++) {
        w->holds[c] = p->cell_start[c] != 0 ? START : NOTHING;
    }
    for (uint32_t t = 0; t <= p->task_count; t++) {
        for (; host < p->host_count && p->host[host].before <= t; host++) {
            pass_accesses(w, p->host[host].first_access,
                          p->host[host].accesses);
        }
        if (t < p->task_count) {
            pass_accesses(w, p->tasks[t].first_access, p->tasks[t].accesses);
        }
    }
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        const replay_buffer *buffer = &p->buffers[b];
        for (uint32_t c = buffer->first;
             buffer->external && c < buffer->first + buffer->count; c++) {
            if (w->holds[c] == START) {
                p->cell_start[c] |= REPLAY_START_READ;
            }
        }
    }
}

static bool keep_split(walk *w)
{
    replay_program *p = w->p;
    p->runs = replay_arena_array(p->arena, w->count, sizeof *p->runs);
    p->fresh = replay_arena_array(p->arena, w->count, 1);
    if (p->runs == NULL || p->fresh == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        p->runs[i] = w->runs[i];
        p->fresh[i] = w->fresh[i];
    }
    p->run_count = w->count;
    return true;
}

replay_status replay_fresh_find(replay_maker *maker)
{
    replay_program *p = maker->program;
    walk w = {.p = p, .holds = malloc((size_t)p->cell_count + 1)};
    if (w.holds == NULL) {
        return replay_fail_memory(maker->error);
    }
    pass_all(&w);
    if (w.any && p->planned && !w.stopped) {
        w.split = true;
        pass_all(&w);
        w.failed = w.failed || (!w.stopped && !keep_split(&w));
    }
    free(w.holds);
    free(w.runs);
    free(w.fresh);
    return w.failed    ? replay_fail_memory(maker->error)
           : w.stopped ? replay_fail_stopped(maker->error)
                       : REPLAY_OK;
}
