/*
 * edge.redundant: an edge that a path over other tasks implies. Of a graph
 * without cycle all such edges can go together, and no order changes.
 *
 * Whether a source reaches another predecessor of its target is asked for 512
 * sources at once: a bit vector each, swept along the sequence. Edges are
 * asked by their length, so that the sweeps of short ones stay short; together
 * these cost a constant for each edge. Long ones are asked while there is work
 * left.
 */
#include "judge_edges.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 512
#define WORDS (BLOCK / 64)
#define SHORT 256                    /* length of the edges asked first */
#define SWEPT (UINT64_C(1) << 30)    /* words */
#define SEARCHED (UINT64_C(1) << 26) /* edges, for paths */
#define SITES 16                     /* notes about deps; the rest is one */

/* Edges that somebody wrote between two callees; the first of them. */
typedef struct pair_site {
    uint32_t from, to;
    uint32_t edges;
} pair_site;

typedef struct redundant {
    oracle_edges *edges;
    const oracle_document *d;
    const oracle_joins *joins;
    oracle_arena *arena;
    uint32_t *classes; /* by rank: lengths of what is asked of the task */
    uint32_t *before;  /* by rank: edges into the tasks before it */
    uint16_t *slot;    /* by rank: 1 + bit of the task in its block */
    bool *implied;     /* by join */
    uint64_t *bits;
    size_t room;
    uint64_t wanted, asked, swept, searched;
    bool conditional;                     /* some tasks are under conditions */
    uint32_t *queue, *next, *mark, marks; /* of a search */
    uint32_t *path, path_count;
    pair_site *sites, policy;
    uint32_t count;
} redundant;

/* Somebody can take it away, and then it is gone. */
static bool can_go(uint8_t by)
{
    return (by & (ORACLE_JOIN_ANY_WRITTEN | ORACLE_JOIN_POLICY)) != 0 &&
           (by & (ORACLE_JOIN_AUTOMATIC | ORACLE_JOIN_RECORDED |
                  ORACLE_JOIN_MAYBE)) == 0;
}

/* Class 0: shorter than SHORT; c: than SHORT << c. ORACLE_NONE: not asked. */
static uint32_t class_of(const redundant *r, uint32_t join, uint32_t rank)
{
    uint32_t from = r->joins->rank[r->joins->from[join]], class = 0;
    if (!can_go(r->joins->by[join]) || from >= rank || rank - from < 2) {
        return ORACLE_NONE;
    }
    for (uint32_t length = (rank - from) / SHORT; length > 0; length /= 2) {
        class ++;
    }
    return class;
}

static bool start(redundant *r)
{
    const oracle_joins *j = r->joins;
    size_t n = j->count;
    r->classes = oracle_arena_array(r->arena, n, sizeof *r->classes);
    r->before = oracle_arena_array(r->arena, n + 1, sizeof *r->before);
    r->slot = oracle_arena_array(r->arena, n, sizeof *r->slot);
    r->implied = oracle_arena_alloc(r->arena, j->first[n]);
    if (r->classes == NULL || r->before == NULL || r->slot == NULL ||
        r->implied == NULL) {
        return false;
    }
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t t = j->sequence[rank];
        r->before[rank + 1] = r->before[rank] + j->first[t + 1] - j->first[t];
        r->conditional = r->conditional || r->d->tasks[t].whens > 0;
        for (uint32_t k = j->first[t]; k < j->first[t + 1]; k++) {
            uint32_t class = class_of(r, k, rank);
            if (class != ORACLE_NONE) {
                r->classes[j->rank[j->from[k]]] |= UINT32_C(1) << class;
                r->wanted++;
            }
        }
    }
    return true;
}

/* --- Sweeps --- */

/* Which of the block's sources reach the task, and which in two ways. */
static void gather(const redundant *r, uint32_t t, uint32_t low, uint64_t *own,
                   uint64_t *twice)
{
    const oracle_joins *j = r->joins;
    memset(own, 0, WORDS * sizeof *own);
    memset(twice, 0, WORDS * sizeof *twice);
    for (uint32_t k = j->first[t]; k < j->first[t + 1]; k++) {
        uint32_t rank = j->rank[j->from[k]];
        if (rank < low || (j->by[k] & ORACLE_JOIN_CERTAIN) == 0) {
            continue;
        }
        const uint64_t *other = r->bits + (size_t)(rank - low) * WORDS;
        for (uint32_t w = 0; w < WORDS; w++) {
            twice[w] |= own[w] & other[w];
            own[w] |= other[w];
        }
    }
}

static void answer(redundant *r, uint32_t rank, uint32_t class,
                   const uint64_t *own, const uint64_t *twice)
{
    const oracle_joins *j = r->joins;
    uint32_t t = j->sequence[rank];
    for (uint32_t k = j->first[t]; k < j->first[t + 1]; k++) {
        uint32_t slot = r->slot[j->rank[j->from[k]]];
        if (slot == 0 || class_of(r, k, rank) != class) {
            continue;
        }
        bool certain = (j->by[k] & ORACLE_JOIN_CERTAIN) != 0;
        uint64_t word = (certain ? twice : own)[(slot - 1) / 64];
        r->implied[k] = word >> ((slot - 1) % 64) & 1;
        r->asked++;
    }
}

static bool sweep(redundant *r, uint32_t class, uint32_t low, uint32_t high)
{
    size_t need = (size_t)(high - low + 1) * WORDS;
    uint64_t twice[WORDS];
    if (need > r->room) {
        free(r->bits);
        r->bits = malloc(need * sizeof *r->bits);
        r->room = r->bits == NULL ? 0 : need;
    }
    if (r->bits == NULL) {
        return false;
    }
    for (uint32_t rank = low; rank <= high; rank++) {
        uint64_t *own = r->bits + (size_t)(rank - low) * WORDS;
        uint32_t slot = r->slot[rank];
        gather(r, r->joins->sequence[rank], low, own, twice);
        answer(r, rank, class, own, twice);
        if (slot > 0) {
            own[(slot - 1) / 64] |= UINT64_C(1) << ((slot - 1) % 64);
        }
    }
    return true;
}

/* Up to 512 sources from *rank on, which moves behind them. */
static bool ask_block(redundant *r, uint32_t class, uint32_t *rank)
{
    uint32_t n = r->joins->count, count = 0, low = 0, last = 0;
    for (; *rank < n && count < BLOCK; (*rank)++) {
        if ((r->classes[*rank] >> class & 1) != 0) {
            low = count == 0 ? *rank : low;
            last = *rank;
            r->slot[*rank] = (uint16_t)++count;
        }
    }
    if (count == 0) {
        return true;
    }
    uint64_t reach = (uint64_t)last + ((uint64_t)SHORT << class) - 1;
    uint32_t high = reach < n ? (uint32_t)reach : n - 1;
    uint64_t cost =
        ((uint64_t)(high - low + 1) + r->before[high + 1] - r->before[low]) *
        WORDS;
    bool ok = true;
    if (r->swept + cost <= SWEPT) {
        r->swept += cost;
        ok = sweep(r, class, low, high);
    }
    memset(r->slot + low, 0, (size_t)(last - low + 1) * sizeof *r->slot);
    return ok;
}

static bool ask_all(redundant *r)
{
    bool ok = true;
    for (uint32_t class = 0; ok && class < 32; class ++) {
        for (uint32_t rank = 0; ok && rank < r->joins->count;) {
            ok = ask_block(r, class, &rank);
        }
    }
    free(r->bits);
    return ok;
}

/* --- Paths --- */

static bool has_when(const oracle_document *d, uint32_t task,
                     const oracle_when *when)
{
    const oracle_task *t = &d->tasks[task];
    for (uint32_t i = t->first_when; i < t->first_when + t->whens; i++) {
        if (d->whens[i].choice == when->choice && d->whens[i].is == when->is) {
            return true;
        }
    }
    return false;
}

/* Whether the task is submitted whenever both ends are. */
static bool is_there(const oracle_document *d, uint32_t task, uint32_t from,
                     uint32_t to)
{
    const oracle_task *t = &d->tasks[task];
    bool there = true;
    for (uint32_t i = t->first_when; there && i < t->first_when + t->whens;
         i++) {
        there =
            has_when(d, from, &d->whens[i]) || has_when(d, to, &d->whens[i]);
    }
    return there;
}

static bool start_search(redundant *r)
{
    size_t n = r->joins->count;
    r->queue = oracle_arena_array(r->arena, n, sizeof *r->queue);
    r->next = oracle_arena_array(r->arena, n, sizeof *r->next);
    r->mark = oracle_arena_array(r->arena, n, sizeof *r->mark);
    r->path = oracle_arena_array(r->arena, n, sizeof *r->path);
    return r->queue != NULL && r->next != NULL && r->mark != NULL &&
           r->path != NULL;
}

static void keep_path(redundant *r, uint32_t from, uint32_t via, uint32_t to)
{
    r->path_count = 0;
    r->path[r->path_count++] = from;
    for (uint32_t t = via; t != to; t = r->next[t]) {
        r->path[r->path_count++] = t;
    }
    r->path[r->path_count++] = to;
}

/* The shortest other path, backwards from its end; false: there is none. */
static bool find_path(redundant *r, uint32_t from, uint32_t to)
{
    const oracle_joins *j = r->joins;
    uint32_t head = 0, tail = 0, mark = ++r->marks;
    r->queue[tail++] = to;
    r->mark[to] = mark;
    while (head < tail) {
        uint32_t at = r->queue[head++];
        r->searched += j->first[at + 1] - j->first[at] + UINT64_C(1);
        for (uint32_t k = j->first[at]; k < j->first[at + 1]; k++) {
            uint32_t t = j->from[k];
            if ((j->by[k] & ORACLE_JOIN_CERTAIN) == 0 ||
                (t == from && at == to)) {
                continue;
            }
            if (t == from) {
                keep_path(r, from, at, to);
                return true;
            }
            if (j->rank[t] > j->rank[from] && r->mark[t] != mark &&
                is_there(r->d, t, from, to)) {
                r->mark[t] = mark;
                r->next[t] = at;
                r->queue[tail++] = t;
            }
        }
    }
    return false;
}

/* Drops what is implied only by tasks that may not be submitted. */
static void verify(redundant *r)
{
    const oracle_joins *j = r->joins;
    for (uint32_t t = 0; t < j->count; t++) {
        for (uint32_t k = j->first[t]; k < j->first[t + 1]; k++) {
            if (!r->implied[k]) {
                continue;
            }
            if (r->searched >= SEARCHED) {
                r->implied[k] = false;
                r->asked--;
            } else {
                r->implied[k] = find_path(r, j->from[k], t);
            }
        }
    }
}

/* --- Sites --- */

typedef struct callees {
    oracle_table names;
    oracle_id_table lines, pairs;
    uint32_t *of; /* by task: 1 + number of its line and callee */
    uint32_t count;
} callees;

static bool callee_of(redundant *r, callees *c, uint32_t t, uint32_t *out)
{
    const oracle_task *task = &r->d->tasks[t];
    if (c->of[t] == 0) {
        oracle_slot *name =
            oracle_table_slot(&c->names, task->name.data, task->name.length);
        if (name == NULL) {
            return false;
        }
        if (name->data == NULL) {
            *name = (oracle_slot){task->name.data, task->name.length,
                                  (uint32_t)c->names.used};
        }
        /* A line beyond 32 bits may share its number with another. */
        uint64_t key = (uint64_t)task->line << 32 | name->value;
        oracle_id_slot *line = oracle_id_table_slot(&c->lines, (int64_t)key);
        if (line == NULL) {
            return false;
        }
        line->value = line->value == ORACLE_NONE ? c->count++ : line->value;
        c->of[t] = line->value + 1;
    }
    *out = c->of[t] - 1;
    return true;
}

static bool add_written(redundant *r, callees *c, uint32_t from, uint32_t to)
{
    uint32_t a, b;
    if (!callee_of(r, c, from, &a) || !callee_of(r, c, to, &b)) {
        return false;
    }
    oracle_id_slot *slot =
        oracle_id_table_slot(&c->pairs, (int64_t)((uint64_t)a << 32 | b));
    if (slot == NULL) {
        return false;
    }
    if (slot->value == ORACLE_NONE) {
        slot->value = r->count;
        pair_site *grown =
            oracle_arena_push(r->arena, r->sites, r->count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        r->sites = grown;
        grown[r->count++] = (pair_site){from, to, 0};
    }
    r->sites[slot->value].edges++;
    return true;
}

static bool collect(redundant *r)
{
    const oracle_joins *j = r->joins;
    callees c = {.of = oracle_arena_array(r->arena, j->count, sizeof *c.of)};
    bool ok = c.of != NULL;
    for (uint32_t t = 0; ok && t < j->count; t++) {
        for (uint32_t k = j->first[t]; ok && k < j->first[t + 1]; k++) {
            if (!r->implied[k]) {
                continue;
            }
            if ((j->by[k] & ORACLE_JOIN_ANY_WRITTEN) != 0) {
                ok = add_written(r, &c, j->from[k], t);
            } else if (r->policy.edges++ == 0) {
                r->policy.from = j->from[k];
                r->policy.to = t;
            }
        }
    }
    oracle_table_free(&c.names);
    oracle_id_table_free(&c.lines);
    oracle_id_table_free(&c.pairs);
    return ok;
}

/* --- Notes --- */

static const char *tell_via(redundant *r)
{
    oracle_arena *arena = r->edges->judging->arena;
    const char *first = oracle_tell_task(arena, r->d, r->path[1]);
    uint32_t others = r->path_count - 3;
    return first == NULL || others == 0
               ? first
               : oracle_arena_format(arena, "%s and %u more %s", first,
                                     (unsigned)others,
                                     others == 1 ? "task" : "tasks");
}

/* `rest`: it stands for so many other pairs of callees. */
static const char *message_of(redundant *r, const pair_site *s, uint32_t rest)
{
    oracle_arena *arena = r->edges->judging->arena;
    const char *from = oracle_tell_task(arena, r->d, s->from);
    const char *to = oracle_tell_task(arena, r->d, s->to);
    const char *via = tell_via(r);
    unsigned n = s->edges;
    if (from == NULL || to == NULL || via == NULL) {
        return NULL;
    }
    if (s == &r->policy) {
        return oracle_arena_format(
            arena,
            "%u %s of the policy %s implied by other paths, that from %s to "
            "%s by %s for one: no order changes without %s.",
            n, n == 1 ? "edge" : "edges", n == 1 ? "is" : "are", from, to, via,
            n == 1 ? "it" : "them");
    }
    if (rest > 0) {
        return oracle_arena_format(
            arena,
            "%u more deps between %u pairs of callees are implied by other "
            "paths, that of %s on %s by %s for one: they can go and no order "
            "changes.",
            n, (unsigned)rest, to, from, via);
    }
    return oracle_arena_format(
        arena,
        "%s waits for %s through %s already (%u such %s between these "
        "callees): the dep on it can go and no order changes.",
        to, from, via, n, n == 1 ? "dep" : "deps");
}

static bool report(redundant *r, const pair_site *s, uint32_t rest)
{
    oracle_judging *j = r->edges->judging;
    oracle_record record = oracle_record_of("edge.redundant", ORACLE_NOTE);
    if (s->edges == 0 || !find_path(r, s->from, s->to)) {
        return true;
    }
    record.producer.task = s->from;
    record.consumer.task = s->to;
    record.count = s->edges;
    record.witness =
        oracle_witness_path(r->d, r->path, r->path_count, j->arena);
    record.message = message_of(r, s, rest);
    return record.witness != NULL && record.message != NULL &&
           oracle_judging_add(j, record);
}

static int compare_site(const void *a, const void *b)
{
    const pair_site *x = a, *y = b;
    if (x->edges != y->edges) {
        return x->edges > y->edges ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

static bool report_all(redundant *r)
{
    pair_site rest = {0};
    bool ok = report(r, &r->policy, 0);
    if (r->count > 1) {
        qsort(r->sites, r->count, sizeof *r->sites, compare_site);
    }
    for (uint32_t i = 0; ok && i < r->count; i++) {
        if (i < SITES) {
            ok = report(r, &r->sites[i], 0);
        } else {
            uint32_t edges = rest.edges + r->sites[i].edges;
            rest = i == SITES ? r->sites[i] : rest;
            rest.edges = edges;
        }
    }
    return ok && (r->count <= SITES || report(r, &rest, r->count - SITES));
}

static bool say_left(redundant *r)
{
    const char *text = oracle_arena_format(
        r->edges->judging->arena,
        "edge.redundant was not asked of %llu long edges: too much work",
        (unsigned long long)(r->wanted - r->asked));
    return text != NULL && oracle_edges_left(r->edges, text);
}

bool oracle_judge_redundant(oracle_edges *edges)
{
    redundant r = {.edges = edges,
                   .d = edges->d,
                   .joins = &edges->joins,
                   .arena = edges->arena};
    if (edges->judging->cyclic || edges->joins.sequence == NULL) {
        return true;
    }
    if (!start(&r)) {
        return false;
    }
    if (r.wanted == 0) {
        return true;
    }
    if (!ask_all(&r) || !start_search(&r)) {
        return false;
    }
    if (r.conditional) {
        verify(&r);
    }
    return collect(&r) && report_all(&r) &&
           (r.wanted == r.asked || say_left(&r));
}
