#include "lint_compare.h"

#include <stdlib.h>
#include <string.h>

/* So many tasks whose edges differ are followed through the graph. */
#define WALKS ((size_t)2000)

typedef struct comparison {
    lint_order *before, *after;
    uint32_t *match; /* of the tasks before: where they are after */
    lint_changes *changes;
    size_t walks;
    size_t run;        /* of the scope change that the task before is in */
    uint32_t *deps[2]; /* the producers of one task, before and after */
    uint32_t *back;    /* of the tasks after: where they were before */
    bool failed;
} comparison;

static void add(comparison *c, const lint_change *change)
{
    lint_changes *list = c->changes;
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 16 : list->room * 2;
        lint_change *grown = reallocarray(list->items, room, sizeof *grown);
        if (grown == NULL) {
            c->failed = true;
            return;
        }
        list->items = grown;
        list->room = room;
    }
    list->items[list->count] = *change;
    list->items[list->count++].times = 1;
}

/* A change of a task that both stages have. */
static lint_change change_of(const comparison *c, lint_aspect aspect,
                             uint32_t before)
{
    return (lint_change){
        .aspect = aspect,
        .before = before,
        .after = c->match[before],
        .other_before = LINT_NONE,
        .other_after = LINT_NONE,
        .arg_before = LINT_NONE,
        .arg_after = LINT_NONE,
    };
}

/* --- Tasks --- */

static bool same_name(const comparison *c, uint32_t before, uint32_t after)
{
    const oracle_text *a = &c->before->document.tasks[before].name;
    const oracle_text *b = &c->after->document.tasks[after].name;
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static void add_unmatched(comparison *c, uint32_t before, uint32_t after)
{
    lint_change change = {
        .aspect = LINT_TASKS,
        .before = before,
        .after = after,
        .other_before = LINT_NONE,
        .other_after = LINT_NONE,
        .arg_before = LINT_NONE,
        .arg_after = LINT_NONE,
        .lost = after == LINT_NONE,
    };
    add(c, &change);
}

static void match_tasks(comparison *c)
{
    uint32_t a = c->before->document.task_count;
    uint32_t b = c->after->document.task_count;
    uint32_t shorter = a < b ? a : b, first = 0, last = 0;
    while (first < shorter && same_name(c, first, first))
        first++;
    while (last < shorter - first && same_name(c, a - 1 - last, b - 1 - last))
        last++;
    for (uint32_t t = 0; t < a; t++) {
        bool kept = t < first || t >= a - last;
        c->match[t] = !kept ? LINT_NONE : t < first ? t : t + b - a;
        if (!kept)
            add_unmatched(c, t, LINT_NONE);
    }
    for (uint32_t t = 0; t < b; t++)
        c->back[t] = LINT_NONE;
    for (uint32_t t = 0; t < a; t++)
        if (c->match[t] != LINT_NONE)
            c->back[c->match[t]] = t;
    for (uint32_t t = 0; t < b; t++)
        if (c->back[t] == LINT_NONE)
            add_unmatched(c, LINT_NONE, t);
}

/* --- Scopes and directions --- */

static bool is_manual(const oracle_document *d, const oracle_task *task)
{
    return task->scope != ORACLE_NONE && d->scopes[task->scope].in_manual;
}

/* One scope holds many tasks: those that follow on each other are one run. */
static void compare_scopes(comparison *c, uint32_t t)
{
    const oracle_document *d = &c->before->document;
    const oracle_document *e = &c->after->document;
    bool was = is_manual(d, &d->tasks[t]);
    lint_change change = change_of(c, LINT_SCOPE, t);
    if (was == is_manual(e, &e->tasks[change.after])) {
        c->run = SIZE_MAX;
        return;
    }
    if (c->run < c->changes->count && c->changes->items[c->run].lost == was) {
        c->changes->items[c->run].times++;
        c->changes->items[c->run].other_before = t;
        c->changes->items[c->run].other_after = change.after;
        return;
    }
    change.lost = was;
    c->run = c->changes->count;
    add(c, &change);
}

/* From an argument on the next that is no scalar, or task->args. */
static uint32_t next_tensor(const oracle_document *d, const oracle_task *task,
                            uint32_t arg)
{
    while (arg < task->args &&
           d->args[task->first_arg + arg].kind != ORACLE_ARG_BUFFER)
        arg++;
    return arg;
}

/* Scalars may join in a later stage: tensors are matched in their order. */
static void compare_arguments(comparison *c, uint32_t t)
{
    const oracle_document *d = &c->before->document;
    const oracle_document *e = &c->after->document;
    const oracle_task *a = &d->tasks[t], *b = &e->tasks[c->match[t]];
    uint32_t i = next_tensor(d, a, 0), k = next_tensor(e, b, 0);
    while (i < a->args || k < b->args) {
        lint_change change = change_of(c, LINT_DIRECTION, t);
        change.arg_before = i < a->args ? i : LINT_NONE;
        change.arg_after = k < b->args ? k : LINT_NONE;
        bool both = i < a->args && k < b->args;
        const oracle_arg *x = both ? &d->args[a->first_arg + i] : NULL;
        const oracle_arg *y = both ? &e->args[b->first_arg + k] : NULL;
        if (!both || x->dispatch != y->dispatch ||
            x->manual_dep != y->manual_dep)
            add(c, &change);
        i = next_tensor(d, a, i < a->args ? i + 1 : i);
        k = next_tensor(e, b, k < b->args ? k + 1 : k);
    }
}

/* --- Deps --- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x == y ? 0 : x < y ? -1 : 1;
}

/*
 * The tasks that the deps of a task name, each once, ascending; tasks before
 * by where they are after. Dead deps are LINT_NONE, each of them.
 */
static size_t list_deps(const lint_order *o, uint32_t t, const uint32_t *match,
                        uint32_t *list)
{
    const oracle_document *d = &o->document;
    const oracle_task *task = &d->tasks[t];
    size_t count = 0, kept = 0;
    for (uint32_t i = 0; i < task->deps; i++) {
        const oracle_dep *dep = &d->deps[task->first_dep + i];
        bool is_task = dep->cause == ORACLE_DEP_TASK;
        if (is_task && dep->task != ORACLE_NONE &&
            (match == NULL || match[dep->task] != LINT_NONE))
            list[count++] = match == NULL ? dep->task : match[dep->task];
        else if (dep->cause == ORACLE_DEP_DEAD)
            list[count++] = LINT_NONE;
    }
    qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[i] == LINT_NONE || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

/* Whether the other document orders the two, with what it has. */
static bool is_ordered(lint_order *o, uint32_t from, uint32_t to)
{
    if (lint_order_edge(o, from, to))
        return true;
    lint_order_reach(o, from, false);
    return lint_order_reached(o, to);
}

static void add_dep(comparison *c, uint32_t t, uint32_t dep, bool lost)
{
    lint_change change = change_of(c, LINT_DEP, t);
    change.lost = lost;
    if (dep != LINT_NONE) {
        change.other_before = c->back[dep];
        change.other_after = dep;
    }
    if (dep != LINT_NONE && change.other_before == LINT_NONE)
        return; /* on a task that is new, which is told */
    change.followed = dep != LINT_NONE && c->walks++ < WALKS;
    if (dep != LINT_NONE && !change.followed)
        c->changes->partial = true;
    if (change.followed && lost)
        change.ordered = is_ordered(c->after, dep, change.after);
    else if (change.followed)
        change.ordered = is_ordered(c->before, change.other_before, t);
    add(c, &change);
}

static void compare_deps(comparison *c, uint32_t t)
{
    const uint32_t *a = c->deps[0], *b = c->deps[1];
    size_t m = list_deps(c->before, t, c->match, c->deps[0]);
    size_t n = list_deps(c->after, c->match[t], NULL, c->deps[1]);
    for (size_t i = 0, k = 0; i < m || k < n;) {
        if (k == n || (i < m && a[i] < b[k])) {
            add_dep(c, t, a[i++], true);
        } else if (i == m || b[k] < a[i]) {
            add_dep(c, t, b[k++], false);
        } else {
            i++;
            k++;
        }
    }
}

/* --- The order that is left --- */

static bool has_dep(const lint_order *o, uint32_t from, uint32_t to)
{
    const oracle_document *d = &o->document;
    const oracle_task *task = &d->tasks[to];
    for (uint32_t i = 0; i < task->deps; i++)
        if (d->deps[task->first_dep + i].cause == ORACLE_DEP_TASK &&
            d->deps[task->first_dep + i].task == from)
            return true;
    return false;
}

static void add_edge(comparison *c, uint32_t from, uint32_t to, bool lost)
{
    lint_change change = change_of(c, LINT_EDGES, to);
    change.other_before = from;
    change.other_after = c->match[from];
    change.lost = lost;
    add(c, &change);
}

/*
 * The edges of `from` that `there` lacks, both given by their tasks before.
 * What a dep gave is told as that.
 */
static void compare_edges(comparison *c, uint32_t from, bool lost)
{
    lint_order *here = lost ? c->before : c->after;
    lint_order *there = lost ? c->after : c->before;
    const uint32_t *map = lost ? c->match : c->back;
    bool walked = false;
    for (uint32_t i = here->any.first[from]; i < here->any.first[from + 1];
         i++) {
        uint32_t to = here->any.ends[i];
        if ((i > here->any.first[from] && here->any.ends[i - 1] == to) ||
            map[to] == LINT_NONE || has_dep(here, from, to) ||
            lint_order_edge(there, map[from], map[to]))
            continue;
        if (!walked && c->walks++ >= WALKS) {
            c->changes->partial = true;
            return;
        }
        if (!walked)
            lint_order_reach(there, map[from], false);
        walked = true;
        if (!lint_order_reached(there, map[to]))
            add_edge(c, lost ? from : map[from], lost ? to : map[to], lost);
    }
}

static void compare_all(comparison *c)
{
    const oracle_document *d = &c->before->document;
    const oracle_document *e = &c->after->document;
    match_tasks(c);
    c->run = SIZE_MAX;
    for (uint32_t t = 0; t < d->task_count && !c->failed; t++) {
        if (c->match[t] == LINT_NONE)
            continue;
        compare_scopes(c, t);
        compare_arguments(c, t);
        compare_deps(c, t);
        compare_edges(c, t, true);
    }
    for (uint32_t t = 0; t < e->task_count && !c->failed; t++)
        if (c->back[t] != LINT_NONE)
            compare_edges(c, t, false);
}

/* --- Changes of one place --- */

static int64_t line_of(const lint_order *o, uint32_t task)
{
    return task == LINT_NONE ? 0 : o->document.tasks[task].line;
}

/* What a direction was and is, as one number. */
static int64_t values_of(const comparison *c, const lint_change *change)
{
    const oracle_document *d = &c->before->document;
    const oracle_document *e = &c->after->document;
    int64_t value = 0;
    if (change->arg_before != LINT_NONE) {
        const oracle_arg *arg =
            &d->args[d->tasks[change->before].first_arg + change->arg_before];
        value = 1 + 2 * (int64_t)arg->dispatch + arg->manual_dep;
    }
    if (change->arg_after != LINT_NONE) {
        const oracle_arg *arg =
            &e->args[e->tasks[change->after].first_arg + change->arg_after];
        value += 100 * (1 + 2 * (int64_t)arg->dispatch + arg->manual_dep);
    }
    return value;
}

#define KEYS 10

static void keys_of(int64_t keys[KEYS], const comparison *c,
                    const lint_change *change)
{
    keys[0] = change->aspect;
    keys[1] = line_of(c->after, change->after);
    keys[2] = line_of(c->before, change->before);
    keys[3] = change->arg_before;
    keys[4] = change->arg_after;
    keys[5] = line_of(c->after, change->other_after);
    keys[6] = line_of(c->before, change->other_before);
    keys[7] = change->lost;
    keys[8] = change->followed + change->ordered;
    keys[9] = values_of(c, change);
}

static int by_place(const void *a, const void *b, void *context)
{
    int64_t x[KEYS], y[KEYS];
    keys_of(x, context, a);
    keys_of(y, context, b);
    for (size_t i = 0; i < KEYS; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int by_run(const void *a, const void *b, void *context)
{
    const lint_change *x = a, *y = b;
    int order = by_place(a, b, context);
    if (order == 0)
        order = by_number(&x->before, &y->before);
    if (order == 0)
        order = by_number(&x->after, &y->after);
    return order != 0 ? order : by_number(&x->other_after, &y->other_after);
}

/* Tasks without lines are no iterations of anything. */
static bool is_repeated(comparison *c, const lint_change *a,
                        const lint_change *b)
{
    return a->aspect != LINT_SCOPE &&
           (line_of(c->after, a->after) > 0 ||
            line_of(c->before, a->before) > 0) &&
           by_place(a, b, c) == 0;
}

static void join_repeated(comparison *c)
{
    lint_changes *list = c->changes;
    size_t kept = 0;
    if (list->count == 0)
        return;
    qsort_r(list->items, list->count, sizeof *list->items, by_run, c);
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && is_repeated(c, &list->items[kept - 1], &list->items[i]))
            list->items[kept - 1].times++;
        else
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

bool lint_compare(lint_changes *changes, lint_order *before, lint_order *after)
{
    size_t a = before->document.task_count, b = after->document.task_count;
    comparison c = {.before = before, .after = after, .changes = changes};
    *changes = (lint_changes){0};
    c.match = calloc(a + 1, sizeof *c.match);
    c.back = calloc(b + 1, sizeof *c.back);
    c.deps[0] =
        calloc((size_t)before->document.dep_count + 1, sizeof(uint32_t));
    c.deps[1] = calloc((size_t)after->document.dep_count + 1, sizeof(uint32_t));
    c.failed = c.match == NULL || c.back == NULL || c.deps[0] == NULL ||
               c.deps[1] == NULL;
    if (!c.failed)
        compare_all(&c);
    if (!c.failed)
        join_repeated(&c);
    free(c.match);
    free(c.back);
    free(c.deps[0]);
    free(c.deps[1]);
    return !c.failed;
}

void lint_changes_free(lint_changes *changes)
{
    free(changes->items);
    *changes = (lint_changes){0};
}
