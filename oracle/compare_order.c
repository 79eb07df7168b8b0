/*
 * What is ordered in one document and not in the other. Every edge of the one
 * is asked of the other: where all are paths there, and the other way round,
 * the two order the same, whatever edges say it. Neighbouring accesses of each
 * storage are asked as well, so that a lost order is told by the tasks that
 * need it, not by those that carried it.
 */
#include "compare.h"
#include "execution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXECUTIONS 66u   /* that are compared */
#define STEPS (1u << 22) /* over tasks that only the one document has */
#define CONFLICTS                                                              \
    65536u /* pairs of which it is asked whether they conflict                 \
            */

typedef struct pairs {
    oracle_pair *list; /* of tasks of side a */
    uint32_t count;
    uint64_t steps;
    bool exhausted;
} pairs;

typedef struct execution {
    oracle_order order;
    bool *choices, *present;
} execution;

static void add_pair(oracle_comparison *c, pairs *p, uint32_t from, uint32_t to,
                     oracle_arena *arena)
{
    if (from == ORACLE_NONE || to == ORACLE_NONE || from == to) {
        return;
    }
    oracle_pair *grown =
        oracle_arena_push(arena, p->list, p->count, sizeof *grown);
    if (grown == NULL) {
        c->failed = true;
        return;
    }
    p->list = grown;
    grown[p->count++] = (oracle_pair){from, to, false};
}

/* --- Which pairs --- */

/*
 * The last task before `t` on each path that the other document has: through
 * tasks that it lacks (joins, say) to those before them.
 */
static void add_before(oracle_comparison *c, pairs *p, const oracle_side *side,
                       const oracle_order *order, uint32_t t, uint32_t *stack,
                       uint32_t *seen, oracle_arena *arena)
{
    bool mine = side == &c->a;
    uint32_t depth = 0;
    stack[depth++] = t;
    while (depth > 0 && !c->failed) {
        uint32_t at = stack[--depth];
        for (uint32_t i = order->first[at]; i < order->first[at + 1]; i++) {
            uint32_t from = order->before[i];
            if (p->steps++ > STEPS + (uint64_t)order->first[order->count]) {
                p->exhausted = true;
                return;
            }
            if (side->other[from] != ORACLE_NONE) {
                add_pair(c, p, mine ? from : side->other[from],
                         mine ? t : side->other[t], arena);
            } else if (seen[from] != t) {
                seen[from] = t;
                stack[depth++] = from;
            }
        }
    }
}

static void add_edges(oracle_comparison *c, pairs *p, const oracle_side *side,
                      const execution *x, oracle_arena *arena)
{
    uint32_t n = side->d->task_count;
    uint32_t *stack = oracle_arena_array(arena, (size_t)n + 1, sizeof *stack);
    uint32_t *seen = oracle_arena_array(arena, (size_t)n + 1, sizeof *seen);
    if (stack == NULL || seen == NULL) {
        c->failed = true;
        return;
    }
    memset(seen, 0xff, (size_t)n * sizeof *seen);
    for (uint32_t t = 0; t < n && !c->failed && !p->exhausted; t++) {
        if (x->present[t] && side->other[t] != ORACLE_NONE) {
            add_before(c, p, side, &x->order, t, stack, seen, arena);
        }
    }
}

typedef struct last {
    uint32_t writer, reader; /* since; of several the latest */
} last;

static void add_access(oracle_comparison *c, pairs *p, last *at, uint32_t t,
                       bool writes, oracle_arena *arena)
{
    if (at->writer != ORACLE_NONE) {
        add_pair(c, p, at->writer, t, arena);
    }
    if (writes && at->reader != ORACLE_NONE) {
        add_pair(c, p, at->reader, t, arena);
    }
    if (writes) {
        *at = (last){t, ORACLE_NONE};
    } else {
        at->reader = t;
    }
}

/* Neighbouring accesses of a storage, in program order. */
static void add_neighbours(oracle_comparison *c, pairs *p, const execution *x,
                           oracle_arena *arena)
{
    const oracle_document *d = c->a.d;
    last *at = oracle_arena_array(arena, d->buffer_count, sizeof *at);
    if (at == NULL) {
        c->failed = true;
        return;
    }
    memset(at, 0xff, d->buffer_count * sizeof *at);
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t i = 0;
             x->present[t] && c->a.other[t] != ORACLE_NONE && i < task->args;
             i++) {
            const oracle_arg *arg = &d->args[task->first_arg + i];
            bool writes = !arg->has_access;
            if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE) {
                continue;
            }
            for (uint32_t k = 0; k < arg->accesses; k++) {
                writes |=
                    d->accesses[arg->first_access + k].mode != ORACLE_READ;
            }
            add_access(c, p, &at[d->buffers[arg->buffer].storage], t, writes,
                       arena);
        }
    }
}

static int compare_pair(const void *a, const void *b)
{
    const oracle_pair *x = a, *y = b;
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

static void unique(pairs *p)
{
    uint32_t kept = 0;
    if (p->count > 1) {
        qsort(p->list, p->count, sizeof *p->list, compare_pair);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        if (kept == 0 || compare_pair(&p->list[kept - 1], &p->list[i]) != 0) {
            p->list[kept++] = p->list[i];
        }
    }
    p->count = kept;
}

/* --- The proof --- */

static void put_id(oracle_out *out, const oracle_document *d, uint32_t task,
                   bool first)
{
    oracle_out_text(out, first ? "" : ",");
    oracle_out_int(out, d->tasks[task].id);
}

/* Marks what comes before a task, itself included. */
static bool mark_before(const oracle_order *order, uint32_t task, bool *marks,
                        uint32_t *next, oracle_arena *arena)
{
    uint32_t *stack =
        oracle_arena_array(arena, (size_t)order->count + 1, sizeof *stack);
    uint32_t depth = 0;
    if (stack == NULL) {
        return false;
    }
    marks[task] = true;
    stack[depth++] = task;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        for (uint32_t i = order->first[at]; i < order->first[at + 1]; i++) {
            uint32_t from = order->before[i];
            if (!marks[from]) {
                marks[from] = true;
                next[from] = at;
                stack[depth++] = from;
            }
        }
    }
    return true;
}

/* A path from `from` to `to` where it is ordered. */
static bool put_path(oracle_out *out, const oracle_side *side,
                     const oracle_order *order, uint32_t from, uint32_t to,
                     oracle_arena *arena)
{
    bool *marks = oracle_arena_alloc(arena, (size_t)order->count + 1);
    uint32_t *next =
        oracle_arena_array(arena, (size_t)order->count + 1, sizeof *next);
    if (marks == NULL || next == NULL ||
        !mark_before(order, to, marks, next, arena)) {
        return false;
    }
    for (uint32_t at = from;; at = next[at]) {
        put_id(out, side->d, at, at == from);
        if (at == to) {
            return true;
        }
    }
}

/* A legal order in which `late` comes before `early`, and all before it. */
static bool put_order(oracle_out *out, const oracle_side *side,
                      const oracle_order *order, uint32_t late,
                      oracle_arena *arena)
{
    bool *marks = oracle_arena_alloc(arena, (size_t)order->count + 1);
    uint32_t *next =
        oracle_arena_array(arena, (size_t)order->count + 1, sizeof *next);
    bool first = true;
    if (marks == NULL || next == NULL ||
        !mark_before(order, late, marks, next, arena)) {
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < order->present; i++) {
            if (marks[order->sequence[i]] == (pass == 0)) {
                put_id(out, side->d, order->sequence[i], first);
                first = false;
            }
        }
    }
    return true;
}

static const char *witness_of(oracle_comparison *c, const oracle_pair *pair,
                              bool in_first, const execution *x,
                              const execution *y, oracle_arena *arena)
{
    oracle_out out = {0};
    uint32_t from = pair->from, to = pair->to;
    uint32_t other_from = c->a.other[from], other_to = c->a.other[to];
    const oracle_side *mine = in_first ? &c->a : &c->b;
    const oracle_side *open = in_first ? &c->b : &c->a;
    const oracle_order *path = in_first ? &x->order : &y->order;
    const oracle_order *free = in_first ? &y->order : &x->order;
    oracle_out_text(&out, "{\"order\":[");
    bool ok = put_order(&out, open, free, in_first ? other_to : to, arena);
    oracle_out_text(&out, "],\"path\":[");
    ok = ok && put_path(&out, mine, path, in_first ? from : other_from,
                        in_first ? to : other_to, arena);
    oracle_out_text(&out, in_first ? "],\"path_in\":\"first\"}"
                                   : "],\"path_in\":\"second\"}");
    const char *text = ok && !out.failed
                           ? oracle_arena_text(c->arena, out.data, out.length)
                           : NULL;
    oracle_out_free(&out);
    return text;
}

/* --- What differs --- */

typedef struct lost {
    uint64_t count, conflicts;
    oracle_pair first, first_conflict;
} lost;

static void note(oracle_comparison *c, lost *l, const oracle_pair *pair)
{
    if (l->count++ == 0) {
        l->first = *pair;
    }
    if (l->count <= CONFLICTS &&
        (oracle_compare_conflict(&c->a, pair->from, pair->to) ||
         oracle_compare_conflict(&c->b, c->a.other[pair->from],
                                 c->a.other[pair->to])) &&
        l->conflicts++ == 0) {
        l->first_conflict = *pair;
    }
}

static void report(oracle_comparison *c, const lost *l, bool in_first,
                   const execution *x, const execution *y, oracle_arena *arena)
{
    const oracle_pair *pair = l->conflicts > 0 ? &l->first_conflict : &l->first;
    if (l->count == 0) {
        return;
    }
    const char *from = oracle_compare_task(c, &c->a, pair->from);
    const char *to = oracle_compare_task(c, &c->a, pair->to);
    const char *witness = witness_of(c, pair, in_first, x, y, arena);
    if (from == NULL || to == NULL || witness == NULL) {
        c->failed = true;
        return;
    }
    oracle_compare_found(
        c, l->conflicts > 0 ? "order-of-conflict" : "order", l->count,
        pair->from, pair->to,
        oracle_arena_format(
            c->arena,
            "%sthe %s orders %" PRIu64 " pair%s of tasks that the %s leaves "
            "open, %s%" PRIu64 " of them at common bytes: %s before %s.",
            c->what, in_first ? "first" : "second", l->count,
            l->count == 1 ? "" : "s", in_first ? "second" : "first",
            l->count > CONFLICTS ? "at least " : "", l->conflicts, from, to),
        witness);
}

static void compare_pairs(oracle_comparison *c, pairs *p, const execution *x,
                          const execution *y, oracle_arena *arena,
                          bool *different)
{
    oracle_pair *other = oracle_arena_array(arena, p->count, sizeof *other);
    uint32_t kept = 0;
    lost first = {0}, second = {0};
    if (other == NULL) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t from = c->a.other[p->list[i].from];
        uint32_t to = c->a.other[p->list[i].to];
        if (x->present[p->list[i].from] && x->present[p->list[i].to] &&
            y->present[from] && y->present[to]) {
            other[kept] = (oracle_pair){from, to, false};
            p->list[kept++] = p->list[i];
        }
    }
    if (!oracle_order_query(&x->order, p->list, kept) ||
        !oracle_order_query(&y->order, other, kept)) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < kept; i++) {
        if (p->list[i].ordered != other[i].ordered) {
            note(c, p->list[i].ordered ? &first : &second, &p->list[i]);
        }
    }
    *different = first.count + second.count > 0;
    report(c, &first, true, x, y, arena);
    report(c, &second, false, x, y, arena);
}

/* --- Executions --- */

static bool is_present(const oracle_document *d, const bool *choices,
                       uint32_t t)
{
    const oracle_task *task = &d->tasks[t];
    for (uint32_t i = 0; i < task->whens; i++) {
        const oracle_when *when = &d->whens[task->first_when + i];
        if (choices[when->choice] != when->is) {
            return false;
        }
    }
    return true;
}

static bool make(execution *x, const oracle_document *d, uint32_t number,
                 oracle_arena *arena)
{
    oracle_executions all;
    x->choices = oracle_arena_alloc(arena, (size_t)d->choice_count + 1);
    x->present = oracle_arena_alloc(arena, (size_t)d->task_count + 1);
    if (x->choices == NULL || x->present == NULL ||
        !oracle_executions_start(&all, d, arena)) {
        return false;
    }
    oracle_execution_choices(&all, number, x->choices);
    for (uint32_t t = 0; t < d->task_count; t++) {
        x->present[t] = is_present(d, x->choices, t);
    }
    return oracle_order_build(&x->order, d, x->choices, x->present, false,
                              arena);
}

/* True where a difference was told, or nothing more can be. */
static bool compare_execution(oracle_comparison *c, uint32_t number)
{
    oracle_arena *arena = oracle_arena_create();
    execution x, y;
    pairs p = {0};
    bool different = false;
    if (arena == NULL || !make(&x, c->a.d, number, arena) ||
        !make(&y, c->b.d, number, arena)) {
        c->failed = true;
    } else if (x.order.cycle_count > 0 || y.order.cycle_count > 0) {
        oracle_compare_open(c, "what is ordered in both: there is a cycle");
        different = true;
    } else {
        add_edges(c, &p, &c->a, &x, arena);
        add_edges(c, &p, &c->b, &y, arena);
        add_neighbours(c, &p, &x, arena);
        unique(&p);
        if (p.exhausted) {
            oracle_compare_open(c, "the order through tasks that only one of "
                                   "the two has: there are too many paths");
        }
        if (!c->failed) {
            compare_pairs(c, &p, &x, &y, arena, &different);
        }
    }
    oracle_arena_free(arena);
    return different || c->failed;
}

static uint64_t uncertain(const oracle_document *d)
{
    uint64_t count = 0;
    for (uint32_t e = 0; e < d->edge_count; e++) {
        count += !d->edges[e].certain;
    }
    return count;
}

void oracle_compare_order(oracle_comparison *c)
{
    uint64_t count = oracle_execution_count(c->a.d);
    uint32_t compared = count > EXECUTIONS ? EXECUTIONS : (uint32_t)count;
    if (c->a.d->choice_count != c->b.d->choice_count) {
        oracle_compare_open(
            c, oracle_arena_format(
                   c->arena,
                   "executions in which a condition is false: the first "
                   "submits tasks under %" PRIu32 " condition%s, the second "
                   "under %" PRIu32,
                   c->a.d->choice_count, c->a.d->choice_count == 1 ? "" : "s",
                   c->b.d->choice_count));
        compared = 1;
    } else if (count > compared) {
        oracle_compare_open(c, "further executions: too many choices");
    }
    if (uncertain(c->a.d) != uncertain(c->b.d)) {
        oracle_compare_open(c, "edges that are there only when two views "
                               "meet: the two have other ones");
    }
    for (uint32_t i = 0; i < compared && !c->failed; i++) {
        if (compare_execution(c, i)) {
            return;
        }
    }
}
