#include "witness_accesses.h"

typedef struct listing {
    const oracle_document *d;
    oracle_access_of *list;
    uint32_t count, most;
    oracle_arena *arena;
} listing;

static bool add(listing *l, uint32_t task, uint32_t arg, oracle_place place,
                const oracle_access *x)
{
    oracle_access_of *grown =
        oracle_arena_push(l->arena, l->list, l->count, sizeof *grown);
    l->list = grown;
    if (grown == NULL || l->count == l->most) {
        return false;
    }
    oracle_access_of a = {
        .task = task,
        .arg = arg,
        .storage = l->d->buffers[place.buffer].storage,
        .place = place,
        .reads =
            x == NULL || x->mode == ORACLE_READ || x->mode == ORACLE_READ_WRITE,
        .writes = x == NULL || x->mode != ORACLE_READ,
        .adds = x != NULL && x->mode == ORACLE_ACCUMULATE,
    };
    a.fills = a.writes && !a.adds && !l->d->tasks[task].has_predicate;
    a.sure = a.fills && x != NULL && x->must && x->exact;
    l->list[l->count++] = a;
    return true;
}

static bool add_arg(listing *l, uint32_t t, uint32_t a)
{
    const oracle_arg *arg = &l->d->args[l->d->tasks[t].first_arg + a];
    if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE) {
        return true;
    }
    oracle_place view = {arg->buffer, arg->view};
    bool ok = arg->has_access || add(l, t, a, view, NULL);
    for (uint32_t i = 0; ok && i < arg->accesses; i++) {
        const oracle_access *x = &l->d->accesses[arg->first_access + i];
        ok = add(l, t, a, oracle_access_place(arg, x), x);
    }
    return ok;
}

bool oracle_accesses_list(oracle_access_of **list, uint32_t *count,
                          const oracle_document *document, uint32_t most,
                          oracle_arena *arena)
{
    static const oracle_access operand = {.mode = ORACLE_READ};
    listing l = {.d = document, .most = most, .arena = arena};
    bool ok = true;
    for (uint32_t t = 0; ok && t < document->task_count; t++) {
        const oracle_task *task = &document->tasks[t];
        oracle_place place = {task->predicate_buffer, task->predicate_region};
        ok = !task->has_predicate || place.buffer == ORACLE_NONE ||
             add(&l, t, ORACLE_NONE, place, &operand);
        for (uint32_t a = 0; ok && a < task->args; a++) {
            ok = add_arg(&l, t, a);
        }
    }
    *list = l.list;
    *count = l.count;
    return ok;
}
