/* Which bytes each task reads, writes and adds to, in both documents. */
#include "compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 65536u /* of all accesses of one task */

/* What is done to a run of bytes of a storage. */
typedef enum act { READS, WRITES, ADDS, UNKNOWN } act;

typedef struct run {
    uint32_t label;
    act act;
    int64_t begin, end; /* INT64_MAX: to its end, which is not known */
} run;

typedef struct runs {
    run *list;
    uint32_t count;
    bool many, symbolic, failed;
    oracle_arena *arena;
} runs;

static void push(runs *r, run one)
{
    if (r->count == ROWS) {
        r->many = true;
        return;
    }
    run *grown = oracle_arena_push(r->arena, r->list, r->count, sizeof *grown);
    if (grown == NULL) {
        r->failed = true;
        return;
    }
    r->list = grown;
    grown[r->count++] = one;
}

static void push_mode(runs *r, run one, oracle_mode mode)
{
    one.act = mode == ORACLE_READ         ? READS
              : mode == ORACLE_ACCUMULATE ? ADDS
                                          : WRITES;
    push(r, one);
    if (mode == ORACLE_READ_WRITE) {
        one.act = READS;
        push(r, one);
    }
}

/* --- Regions as runs --- */

static bool is_constant(const oracle_document *d, const oracle_region *region)
{
    bool constant = region->base.count == 0;
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &d->dims[region->first + i];
        constant = constant && dim->count.count == 0 && dim->offset.count == 0;
    }
    return constant;
}

static bool step(int64_t *at, int64_t by, int64_t stride)
{
    int64_t move;
    return !__builtin_mul_overflow(by, stride, &move) &&
           !__builtin_add_overflow(*at, move, at);
}

/* Counts on the indexes of all but the innermost dimension, if it is dense. */
static bool next_index(const oracle_dim *dim, uint32_t outer, int64_t *index,
                       int64_t *at)
{
    for (uint32_t i = outer; i-- > 0;) {
        if (++index[i] < dim[i].count.c) {
            return step(at, 1, dim[i].stride);
        }
        if (!step(at, -(index[i] - 1), dim[i].stride)) {
            return false;
        }
        index[i] = 0;
    }
    return false;
}

static void push_region(runs *r, const oracle_document *d, run one,
                        oracle_mode mode, const oracle_region *region)
{
    /* A document whose regions are all of one element has no dimensions. */
    const oracle_dim *dim = region->count > 0 ? &d->dims[region->first] : NULL;
    uint32_t outer = region->count;
    int64_t index[64] = {0}, at = one.begin, length = region->elem;
    if (!is_constant(d, region) || region->count > 64 ||
        !step(&at, 1, region->base.c)) {
        r->symbolic = true;
        return;
    }
    for (uint32_t i = 0; i < region->count; i++) {
        if (dim[i].count.c <= 0) {
            return;
        }
        if (!step(&at, dim[i].offset.c, dim[i].stride)) {
            r->many = true;
            return;
        }
    }
    if (outer > 0 && dim[outer - 1].stride == region->elem &&
        !__builtin_mul_overflow(dim[outer - 1].count.c, region->elem,
                                &length)) {
        outer--;
    }
    do {
        one.begin = at;
        one.end = at;
        if (!step(&one.end, 1, length)) {
            r->many = true;
        }
        push_mode(r, one, mode);
    } while (!r->many && !r->failed && next_index(dim, outer, index, &at));
}

static void push_place(runs *r, const oracle_side *side, const oracle_arg *arg,
                       uint32_t region, oracle_mode mode, bool whole)
{
    const oracle_document *d = side->d;
    const oracle_buffer *buffer = &d->buffers[arg->buffer];
    run one = {side->label[arg->buffer], UNKNOWN, buffer->storage_at, 0};
    if (whole) {
        one.begin = 0;
        one.end = INT64_MAX;
        push_mode(r, one, mode);
    } else if (region != ORACLE_NONE) {
        push_region(r, d, one, mode, &d->regions[region]);
    } else {
        one.end = INT64_MAX;
        if (buffer->has_bytes &&
            __builtin_add_overflow(one.begin, buffer->bytes, &one.end)) {
            one.end = INT64_MAX;
        }
        push_mode(r, one, mode);
    }
}

/* What a task touches by one argument; `whole`: a storage all or nothing. */
static void collect_arg(runs *r, const oracle_side *side, const oracle_arg *arg,
                        bool whole)
{
    if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE) {
        return;
    }
    if (!arg->has_access) {
        push(r, (run){side->label[arg->buffer], UNKNOWN, 0, INT64_MAX});
    }
    for (uint32_t k = 0; k < arg->accesses; k++) {
        const oracle_access *access = &side->d->accesses[arg->first_access + k];
        uint32_t region =
            access->region != ORACLE_NONE ? access->region : arg->view;
        push_place(r, side, arg, region, access->mode, whole);
    }
}

static void collect(runs *r, const oracle_side *side, uint32_t t, bool whole)
{
    const oracle_task *task = &side->d->tasks[t];
    for (uint32_t i = 0; i < task->args; i++) {
        collect_arg(r, side, &side->d->args[task->first_arg + i], whole);
    }
}

static int compare_run(const void *a, const void *b)
{
    const run *x = a, *y = b;
    if (x->label != y->label) {
        return x->label < y->label ? -1 : 1;
    }
    if (x->act != y->act) {
        return x->act < y->act ? -1 : 1;
    }
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return (x->end > y->end) - (x->end < y->end);
}

static void merge(runs *r)
{
    uint32_t kept = 0;
    if (r->count > 1) {
        qsort(r->list, r->count, sizeof *r->list, compare_run);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        run *last = kept == 0 ? NULL : &r->list[kept - 1];
        const run *one = &r->list[i];
        if (one->begin >= one->end) {
            continue;
        }
        if (last != NULL && last->label == one->label &&
            last->act == one->act && one->begin <= last->end) {
            last->end = one->end > last->end ? one->end : last->end;
        } else {
            r->list[kept++] = *one;
        }
    }
    r->count = kept;
}

/* --- Equal as they are written --- */

static bool same_affine(const oracle_document *d, const oracle_affine *x,
                        const oracle_document *e, const oracle_affine *y)
{
    bool same = x->c == y->c && x->count == y->count;
    for (uint32_t i = 0; same && i < x->count; i++) {
        const oracle_term *p = &d->terms[x->first + i];
        const oracle_term *q = &e->terms[y->first + i];
        const oracle_text *a = &d->symbols[p->symbol].name;
        const oracle_text *b = &e->symbols[q->symbol].name;
        same = p->coef == q->coef && a->length == b->length &&
               memcmp(a->data, b->data, a->length) == 0;
    }
    return same;
}

bool oracle_compare_region(const oracle_document *d, uint32_t x,
                           const oracle_document *e, uint32_t y)
{
    if (x == ORACLE_NONE || y == ORACLE_NONE) {
        return x == y;
    }
    const oracle_region *r = &d->regions[x], *s = &e->regions[y];
    bool same = r->elem == s->elem && r->count == s->count &&
                same_affine(d, &r->base, e, &s->base);
    for (uint32_t i = 0; same && i < r->count; i++) {
        const oracle_dim *p = &d->dims[r->first + i];
        const oracle_dim *q = &e->dims[s->first + i];
        same = p->stride == q->stride &&
               same_affine(d, &p->count, e, &q->count) &&
               same_affine(d, &p->offset, e, &q->offset);
    }
    return same;
}

static bool same_arg(const oracle_comparison *c, const oracle_arg *x,
                     const oracle_arg *y)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    if (x->kind != y->kind || x->kind != ORACLE_ARG_BUFFER) {
        return x->kind == y->kind;
    }
    if (x->buffer == ORACLE_NONE || y->buffer == ORACLE_NONE) {
        return x->buffer == y->buffer;
    }
    const oracle_buffer *a = &d->buffers[x->buffer];
    const oracle_buffer *b = &e->buffers[y->buffer];
    bool same = c->a.label[x->buffer] == c->b.label[y->buffer] &&
                a->storage_at == b->storage_at && a->bytes == b->bytes &&
                x->has_access == y->has_access && x->accesses == y->accesses &&
                oracle_compare_region(d, x->view, e, y->view);
    for (uint32_t i = 0; same && i < x->accesses; i++) {
        const oracle_access *p = &d->accesses[x->first_access + i];
        const oracle_access *q = &e->accesses[y->first_access + i];
        same = p->mode == q->mode &&
               oracle_compare_region(d, p->region, e, q->region);
    }
    return same;
}

static bool same_args(const oracle_comparison *c, uint32_t t, uint32_t u)
{
    const oracle_task *x = &c->a.d->tasks[t], *y = &c->b.d->tasks[u];
    bool same = x->args == y->args;
    for (uint32_t i = 0; same && i < x->args; i++) {
        same = same_arg(c, &c->a.d->args[x->first_arg + i],
                        &c->b.d->args[y->first_arg + i]);
    }
    return same;
}

/* Of arguments that are the same but for this: surely, or exactly. */
static uint32_t other_certainty(const oracle_comparison *c, uint32_t t,
                                uint32_t u)
{
    const oracle_task *x = &c->a.d->tasks[t], *y = &c->b.d->tasks[u];
    for (uint32_t i = 0; i < x->args; i++) {
        const oracle_arg *r = &c->a.d->args[x->first_arg + i];
        const oracle_arg *s = &c->b.d->args[y->first_arg + i];
        for (uint32_t k = 0; k < r->accesses; k++) {
            const oracle_access *p = &c->a.d->accesses[r->first_access + k];
            const oracle_access *q = &c->b.d->accesses[s->first_access + k];
            if (p->must != q->must || p->exact != q->exact) {
                return i;
            }
        }
    }
    return ORACLE_NONE;
}

/* --- The verdict on one task --- */

typedef struct tally {
    uint64_t count;
    uint32_t first;
    const char *message;
} tally;

typedef struct tallies {
    tally bytes, argument, certainty;
    uint64_t open;
    uint32_t first_open;
} tallies;

static const char *tell_run(oracle_comparison *c, const oracle_side *side,
                            const run *one)
{
    static const char *const acts[] = {"reads", "writes", "adds to",
                                       "may touch"};
    const char *key = oracle_compare_key(c, side, one->label);
    return key == NULL ? NULL
           : one->end == INT64_MAX
               ? oracle_arena_format(c->arena, "%s %s", acts[one->act], key)
               : oracle_arena_format(
                     c->arena, "%s bytes %" PRId64 " to %" PRId64 " of %s",
                     acts[one->act], one->begin, one->end - 1, key);
}

/* Where two lists of runs part: `which` is the task, or its argument. */
static const char *tell_difference(oracle_comparison *c, const char *which,
                                   const runs *x, const runs *y, uint32_t i)
{
    const char *none = "does nothing further";
    const char *mine = i < x->count ? tell_run(c, &c->a, &x->list[i]) : none;
    const char *other = i < y->count ? tell_run(c, &c->b, &y->list[i]) : none;
    return which == NULL || mine == NULL || other == NULL
               ? NULL
               : oracle_arena_format(c->arena,
                                     "%s %s in the first, and %s in the "
                                     "second",
                                     which, mine, other);
}

/* Storages of which one side does not know what happens to them. */
static void drop_unknown(runs *x, const runs *y)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        bool unknown = x->list[i].act == UNKNOWN;
        for (uint32_t k = 0; !unknown && k < y->count; k++) {
            unknown = y->list[k].act == UNKNOWN &&
                      y->list[k].label == x->list[i].label;
        }
        if (!unknown) {
            x->list[kept++] = x->list[i];
        }
    }
    x->count = kept;
}

/* Merged, without what one of the two does not know. */
static void settle(oracle_comparison *c, runs *x, runs *y, bool whole)
{
    merge(x);
    merge(y);
    if (!whole) {
        return;
    }
    runs before = *x;
    before.list =
        oracle_arena_array(x->arena, (size_t)x->count + 1, sizeof(run));
    if (before.list == NULL) {
        c->failed = true;
        return;
    }
    if (x->count > 0) {
        memcpy(before.list, x->list, x->count * sizeof(run));
    }
    drop_unknown(x, y);
    drop_unknown(y, &before);
}

/* The first run in which the two part, or false. */
static bool part_at(const runs *x, const runs *y, uint32_t *at)
{
    uint32_t i = 0;
    while (i < x->count && i < y->count &&
           compare_run(&x->list[i], &y->list[i]) == 0) {
        i++;
    }
    *at = i;
    return i < x->count || i < y->count;
}

static uint32_t next_tensor(const oracle_document *d, const oracle_task *task,
                            uint32_t i)
{
    while (i < task->args &&
           d->args[task->first_arg + i].kind != ORACLE_ARG_BUFFER) {
        i++;
    }
    return i;
}

static uint32_t tensors(const oracle_document *d, const oracle_task *task)
{
    uint32_t count = 0;
    for (uint32_t i = 0; (i = next_tensor(d, task, i)) < task->args; i++) {
        count++;
    }
    return count;
}

static const char *tell_arg(oracle_comparison *c, uint32_t t, uint32_t i)
{
    const char *task = oracle_compare_task(c, &c->a, t);
    return task == NULL ? NULL
                        : oracle_arena_format(
                              c->arena, "argument %" PRIu32 " of %s", i, task);
}

/*
 * Of tasks that touch the same bytes: whether by the same arguments. Where the
 * one has more arguments than the other, which is which cannot be told.
 */
static void compare_args(oracle_comparison *c, uint32_t t, bool whole,
                         tally *found, oracle_arena *arena)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    const oracle_task *s = &d->tasks[t], *o = &e->tasks[c->a.other[t]];
    uint32_t i = next_tensor(d, s, 0), k = next_tensor(e, o, 0), at;
    if (tensors(d, s) != tensors(e, o)) {
        return;
    }
    for (; i < s->args && !c->failed;
         i = next_tensor(d, s, i + 1), k = next_tensor(e, o, k + 1)) {
        runs x = {.arena = arena}, y = {.arena = arena};
        collect_arg(&x, &c->a, &d->args[s->first_arg + i], whole);
        collect_arg(&y, &c->b, &e->args[o->first_arg + k], whole);
        settle(c, &x, &y, whole);
        c->failed = c->failed || x.failed || y.failed;
        if (c->failed || !part_at(&x, &y, &at)) {
            continue;
        }
        if (found->count++ == 0) {
            found->first = t;
            found->message = tell_difference(c, tell_arg(c, t, i), &x, &y, at);
            c->failed = found->message == NULL;
        }
        return;
    }
}

static void compare_certainty(oracle_comparison *c, uint32_t t, tally *found)
{
    uint32_t i = other_certainty(c, t, c->a.other[t]);
    if (i != ORACLE_NONE && found->count++ == 0) {
        found->first = t;
        found->message = tell_arg(c, t, i);
        c->failed = found->message == NULL;
    }
}

static void compare_runs(oracle_comparison *c, uint32_t t, const runs *x,
                         const runs *y, tallies *found)
{
    uint32_t at;
    if (x->many || y->many || x->symbolic || y->symbolic) {
        if (found->open++ == 0) {
            found->first_open = t;
        }
    } else if (!part_at(x, y, &at)) {
        compare_args(c, t, c->a.coarse || c->b.coarse, &found->argument,
                     x->arena);
    } else if (found->bytes.count++ == 0) {
        found->bytes.first = t;
        found->bytes.message =
            tell_difference(c, oracle_compare_task(c, &c->a, t), x, y, at);
        c->failed = found->bytes.message == NULL;
    }
}

static void compare_task(oracle_comparison *c, uint32_t t, tallies *found)
{
    uint32_t u = c->a.other[t];
    bool whole = c->a.coarse || c->b.coarse;
    if (!whole && same_args(c, t, u)) {
        compare_certainty(c, t, &found->certainty);
        return;
    }
    oracle_arena *arena = oracle_arena_create();
    runs x = {.arena = arena}, y = {.arena = arena};
    if (arena == NULL) {
        c->failed = true;
        return;
    }
    collect(&x, &c->a, t, whole);
    collect(&y, &c->b, u, whole);
    settle(c, &x, &y, whole);
    c->failed = c->failed || x.failed || y.failed;
    if (!c->failed) {
        compare_runs(c, t, &x, &y, found);
    }
    oracle_arena_free(arena);
}

static void report(oracle_comparison *c, const char *cause, const tally *found,
                   const char *one, const char *more)
{
    if (found->count == 0 || c->failed) {
        return;
    }
    oracle_compare_found(
        c, cause, found->count, ORACLE_NONE, found->first,
        oracle_arena_format(c->arena, "%s%" PRIu64 " %s: %s.", c->what,
                            found->count, found->count == 1 ? one : more,
                            found->message),
        oracle_arena_format(c->arena, "{\"tasks\":[%" PRId64 ",%" PRId64 "]}",
                            c->a.d->tasks[found->first].id,
                            c->b.d->tasks[c->a.other[found->first]].id));
}

void oracle_compare_bytes(oracle_comparison *c)
{
    tallies found = {0};
    for (uint32_t t = 0; !c->failed && t < c->a.d->task_count; t++) {
        if (c->a.other[t] != ORACLE_NONE) {
            compare_task(c, t, &found);
        }
    }
    report(c, "bytes", &found.bytes, "task touches other bytes",
           "tasks touch other bytes");
    report(c, "argument", &found.argument, "task has other arguments",
           "tasks have other arguments");
    report(c, "certainty", &found.certainty,
           "task is sure or exact of its bytes in one of the two only",
           "tasks are sure or exact of their bytes in one of the two only");
    if (found.open > 0 && !c->failed) {
        const char *task = oracle_compare_task(c, &c->a, found.first_open);
        oracle_compare_open(
            c, task == NULL
                   ? NULL
                   : oracle_arena_format(
                         c->arena,
                         "whether %" PRIu64 " task%s touch%s the same bytes in "
                         "both, %s first: their regions are written in other "
                         "ways, with symbols or of too many rows",
                         found.open, found.open == 1 ? "" : "s",
                         found.open == 1 ? "es" : "", task));
    }
}

/* --- Conflicts --- */

static bool changes(const oracle_document *d, const oracle_arg *arg)
{
    bool writes = !arg->has_access;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        writes =
            writes || d->accesses[arg->first_access + i].mode != ORACLE_READ;
    }
    return writes;
}

bool oracle_compare_conflict(const oracle_side *side, uint32_t x, uint32_t y)
{
    const oracle_document *d = side->d;
    const oracle_task *s = &d->tasks[x], *t = &d->tasks[y];
    for (uint32_t i = 0; i < s->args; i++) {
        const oracle_arg *p = &d->args[s->first_arg + i];
        for (uint32_t k = 0; k < t->args; k++) {
            const oracle_arg *q = &d->args[t->first_arg + k];
            if (p->kind == ORACLE_ARG_BUFFER && q->kind == ORACLE_ARG_BUFFER &&
                p->buffer != ORACLE_NONE && q->buffer != ORACLE_NONE &&
                side->label[p->buffer] == side->label[q->buffer] &&
                (changes(d, p) || changes(d, q)) &&
                oracle_places_meet(d, (oracle_place){p->buffer, p->view},
                                   (oracle_place){q->buffer, q->view}) !=
                    ORACLE_MEET_NEVER) {
                return true;
            }
        }
    }
    return false;
}
