/* What nobody has written here, and other executions write. */
#include "program_work.h"

#include <string.h>

#define MOST_LOOKED 4096 /* writes of one storage, for one read */

/* What stands between a task and this execution. */
static replay_elsewhere absence(const replay_maker *maker,
                                const oracle_task *task)
{
    const oracle_document *d = maker->derived;
    const bool *given = maker->choice->choices;
    const bool *values = given == NULL ? maker->own : given;
    replay_elsewhere is = REPLAY_NOT_ELSEWHERE;
    for (uint32_t i = 0; i < task->whens; i++) {
        const oracle_when *when = &d->whens[task->first_when + i];
        if (values[when->choice] == when->is) {
            continue;
        }
        if (strcmp(d->choices[when->choice].kind.data, "loop") != 0) {
            return REPLAY_PERHAPS_ELSEWHERE;
        }
        is = REPLAY_ELSEWHERE;
    }
    return is;
}

static bool has_symbols(const oracle_document *d, uint32_t region)
{
    const oracle_region *r = &d->regions[region];
    bool has = r->base.count > 0;
    for (uint32_t i = 0; !has && i < r->count; i++) {
        const oracle_dim *dim = &d->dims[r->first + i];
        has = dim->count.count > 0 || dim->offset.count > 0;
    }
    return has;
}

/* `task`: how many tasks of this execution stand before its own. */
static void note_write(const replay_maker *maker, oracle_place place,
                       replay_elsewhere is, uint32_t task)
{
    const oracle_document *d = maker->derived;
    replay_program *p = maker->program;
    replay_buffer *storage = &p->buffers[d->buffers[place.buffer].storage];
    if (place.region != ORACLE_NONE && has_symbols(d, place.region)) {
        storage->varies = true;
    }
    if (is != REPLAY_NOT_ELSEWHERE) {
        p->absent[p->absent_count] =
            (replay_absent){place, storage->absent, task, (uint8_t)is};
        storage->absent = p->absent_count++;
    }
}

static void note_task(const replay_maker *maker, const oracle_task *task,
                      replay_elsewhere is, uint32_t before)
{
    const oracle_document *d = maker->derived;
    for (uint32_t a = 0; a < task->args && !task->has_predicate; a++) {
        const oracle_arg *arg = &d->args[task->first_arg + a];
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *x = &d->accesses[arg->first_access + i];
            if (x->mode == ORACLE_WRITE || x->mode == ORACLE_READ_WRITE) {
                note_write(maker, oracle_access_place(arg, x), is, before);
            }
        }
    }
}

replay_status replay_elsewhere_find(const replay_maker *maker)
{
    const oracle_document *d = maker->derived;
    replay_program *p = maker->program;
    bool all = p->task_count == d->task_count;
    uint32_t before = 0;
    p->absent = replay_arena_array(p->arena, all ? 0 : d->access_count,
                                   sizeof *p->absent);
    if (p->absent == NULL) {
        return replay_fail_memory(maker->error);
    }
    for (uint32_t b = 0; b < p->buffer_count; b++) {
        p->buffers[b].absent = REPLAY_NONE;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        replay_elsewhere is =
            all ? REPLAY_NOT_ELSEWHERE : absence(maker, &d->tasks[t]);
        note_task(maker, &d->tasks[t], is, before);
        before += is == REPLAY_NOT_ELSEWHERE;
    }
    return REPLAY_OK;
}

static oracle_place place_of(const replay_program *p, uint32_t task,
                             const replay_access *read)
{
    const oracle_document *d = p->document;
    const oracle_task *t = &d->tasks[p->tasks[task].source];
    if (read->arg == REPLAY_NONE) {
        return (oracle_place){t->predicate_buffer, t->predicate_region};
    }
    const oracle_arg *arg = &d->args[t->first_arg + read->arg];
    return read->source == REPLAY_NONE
               ? (oracle_place){arg->buffer, arg->view}
               : oracle_access_place(arg, &d->accesses[read->source]);
}

replay_elsewhere replay_written_elsewhere(const replay_program *p,
                                          uint32_t task,
                                          const replay_access *read)
{
    const replay_buffer *storage =
        &p->buffers[p->buffers[read->buffer].storage];
    replay_elsewhere found = REPLAY_NOT_ELSEWHERE;
    uint32_t looked = 0;
    if (storage->varies || task >= p->task_count) {
        return storage->varies ? REPLAY_ELSEWHERE : REPLAY_NOT_ELSEWHERE;
    }
    for (uint32_t i = storage->absent; i != REPLAY_NONE;
         i = p->absent[i].next) {
        const replay_absent *write = &p->absent[i];
        if (looked++ == MOST_LOOKED) {
            return REPLAY_PERHAPS_ELSEWHERE;
        }
        if (write->before <= task && write->elsewhere > found &&
            oracle_places_meet(p->document, write->place,
                               place_of(p, task, read)) != ORACLE_MEET_NEVER) {
            found = (replay_elsewhere)write->elsewhere;
        }
    }
    return found;
}
