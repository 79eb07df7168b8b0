/* Witnesses of what stands at one place of the document, or of its plan. */
#include "checker.h"

#include <string.h>

bool oracle_check_form(oracle_check *c, uint32_t node)
{
    uint32_t task;
    return oracle_check_task(c, node, &task) &&
           ((c->d.tasks[task].has_predicate &&
             !c->d.tasks[task].predicate_formed) ||
            oracle_check_fail(c, "the task has no such predicate"));
}

static bool same_text(const oracle_text *a, const oracle_text *b)
{
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

bool oracle_check_dead(oracle_check *c, uint32_t name)
{
    uint32_t consumer = oracle_check_member(c, 0, "consumer"), task;
    int64_t said = 0, dead = 0, other = 0;
    if (!oracle_check_task(c, oracle_check_member(c, consumer, "task"),
                           &task) ||
        !oracle_check_number(
            c, oracle_check_member(c, c->witness, "submissions"), &said) ||
        !oracle_check_is(c, name, ORACLE_JSON_STRING)) {
        return oracle_check_fail(c, "no task, name or number of submissions");
    }
    const oracle_task *site = &c->d.tasks[task];
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        const oracle_task *one = &c->d.tasks[t];
        if (t != task && (site->line == 0 || one->line != site->line ||
                          !same_text(&one->name, &site->name))) {
            continue;
        }
        for (uint32_t i = 0; i < one->deps; i++) {
            const oracle_dep *dep = &c->d.deps[one->first_dep + i];
            bool named = oracle_json_is(&c->json, name, dep->name.data,
                                        dep->name.length);
            dead += named && dep->cause == ORACLE_DEP_DEAD;
            other += named && dep->cause == ORACLE_DEP_TASK;
        }
    }
    return (dead == said && dead > 0 && other == 0) ||
           oracle_check_fail(c, "the dep is not dead so often");
}

static const oracle_allocation *allocation(oracle_check *c, uint32_t node)
{
    int64_t index = -1;
    if (!oracle_check_number(c, node, &index) || index < 0 ||
        index >= c->d.allocation_count) {
        oracle_check_fail(c, "there is no such place");
        return NULL;
    }
    return &c->d.allocations[index];
}

bool oracle_check_allocation(oracle_check *c, uint32_t index)
{
    const oracle_allocation *a = allocation(c, index);
    int64_t end;
    if (a == NULL) {
        return false;
    }
    const oracle_buffer *b =
        a->buffer == ORACLE_NONE ? NULL : &c->d.buffers[a->buffer];
    if (strcmp(c->rule, "memory.alignment") == 0) {
        return (b != NULL && b->align > 1 && a->offset % b->align != 0) ||
               oracle_check_fail(c, "the place is aligned");
    }
    return a->offset < 0 || a->size < 0 ||
           __builtin_add_overflow(a->offset, a->size, &end) ||
           (b != NULL && b->has_bytes && b->bytes > a->size) ||
           (b != NULL && b->storage_at > a->offset) ||
           (c->d.capacity > 0 && end > c->d.capacity) ||
           oracle_check_fail(c, "the place is within bounds");
}

static bool share_address(const oracle_document *d, const oracle_allocation *a,
                          const oracle_allocation *b)
{
    const oracle_allocation *both[2] = {a, b};
    int64_t begin[2], end[2];
    for (int i = 0; i < 2; i++) {
        const oracle_buffer *view = &d->buffers[both[i]->buffer];
        const oracle_buffer *root = &d->buffers[view->storage];
        if (__builtin_sub_overflow(both[i]->offset, view->storage_at,
                                   &begin[i]) ||
            __builtin_add_overflow(begin[i], root->has_bytes ? root->bytes : 0,
                                   &end[i])) {
            return false;
        }
    }
    return begin[0] < end[1] && begin[1] < end[0];
}

bool oracle_check_allocations(oracle_check *c, uint32_t list)
{
    bool two = oracle_json_next(&c->json, list) == list + 3;
    const oracle_allocation *a = two ? allocation(c, list + 1) : NULL;
    const oracle_allocation *b = two ? allocation(c, list + 2) : NULL;
    if (a == NULL || b == NULL || a->buffer == ORACLE_NONE ||
        b->buffer == ORACLE_NONE) {
        return oracle_check_fail(c, "two places are not named");
    }
    const oracle_buffer *x = &c->d.buffers[a->buffer];
    const oracle_buffer *y = &c->d.buffers[b->buffer];
    int64_t at, other;
    if (strcmp(c->rule, "memory.external") == 0) {
        return (x->storage != y->storage && share_address(&c->d, a, b) &&
                (c->d.buffers[x->storage].external ||
                 c->d.buffers[y->storage].external)) ||
               oracle_check_fail(c, "no parameter shares its bytes");
    }
    if (strcmp(c->rule, "memory.overlap") == 0) {
        return (x->storage != y->storage && share_address(&c->d, a, b) &&
                c->d.buffers[x->storage].init &&
                c->d.buffers[y->storage].init) ||
               oracle_check_fail(c, "no two values at the start share a byte");
    }
    if (strcmp(c->rule, "memory.interleaved") == 0) {
        return (x->storage != y->storage && share_address(&c->d, a, b)) ||
               oracle_check_fail(c, "the two share no address");
    }
    return (x->storage == y->storage &&
            (__builtin_sub_overflow(a->offset, x->storage_at, &at) ||
             __builtin_sub_overflow(b->offset, y->storage_at, &other) ||
             at != other)) ||
           oracle_check_fail(c, "the two places agree");
}

bool oracle_check_missing(oracle_check *c, uint32_t buffer)
{
    int64_t index = -1;
    bool used = false;
    if (!oracle_check_number(c, buffer, &index) || index < 0 ||
        index >= c->d.buffer_count || !oracle_check_places(c)) {
        return oracle_check_fail(c, "there is no such buffer");
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        const oracle_task *task = &c->d.tasks[t];
        for (uint32_t a = 0; a < task->args; a++) {
            const oracle_arg *arg = &c->d.args[task->first_arg + a];
            used |= arg->kind == ORACLE_ARG_BUFFER &&
                    arg->buffer != ORACLE_NONE &&
                    c->d.buffers[arg->buffer].storage == index;
        }
        used |= task->has_predicate && task->predicate_buffer != ORACLE_NONE &&
                c->d.buffers[task->predicate_buffer].storage == index;
    }
    return (used && !c->placed[index]) ||
           oracle_check_fail(c, "it has a place, or is not used");
}

bool oracle_check_unsized(oracle_check *c, uint32_t buffer)
{
    int64_t index = -1;
    return (oracle_check_number(c, buffer, &index) && index >= 0 &&
            index < c->d.buffer_count && !c->d.buffers[index].has_bytes) ||
           oracle_check_fail(c, "there is no such buffer, or it has a size");
}

bool oracle_check_remark(oracle_check *c, uint32_t node)
{
    int64_t index = -1;
    return (oracle_check_number(c, node, &index) && index >= 0 &&
            index < c->d.remark_count &&
            strcmp(c->d.remarks[index].rule, c->rule) == 0) ||
           oracle_check_fail(c, "the reader says no such thing");
}

bool oracle_check_peak(oracle_check *c, uint32_t peak)
{
    int64_t most = 0, claimed = -1;
    for (uint32_t i = 0; i < c->d.allocation_count; i++) {
        int64_t end = 0;
        const oracle_allocation *a = &c->d.allocations[i];
        if (!__builtin_add_overflow(a->offset, a->size, &end)) {
            most = end > most ? end : most;
        }
    }
    return (oracle_check_number(c, peak, &claimed) && claimed == most &&
            most != c->d.peak) ||
           oracle_check_fail(c, "the peak is right");
}
