/* The dependencies that a policy gives (spec 02), by its plain wording. */
#include "answer_work.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERING, WAR, STORAGE, DATA };

const char *const answer_kinds[4] = {"ordering", "war", "storage", "data"};

/* One who has read a key since its last write, and the one before. */
typedef struct reading {
    uint32_t task, before;
} reading;

typedef struct flow {
    answer_edges *edges;
    answer_score *score;
    uint32_t *writer; /* by key: the last one, or ORACLE_NONE */
    uint32_t *newest; /* by key: the last in readings[], or ORACLE_NONE */
    reading *readings;
    uint32_t reading_count;
    uint32_t *touched;   /* keys of the task that is looked at */
    unsigned char *ways; /* by key: what the task does to it */
} flow;

static bool add_edge(answer_edges *e, oracle_arena *arena, int64_t from,
                     int64_t to, unsigned kind)
{
    answer_edge *grown =
        oracle_arena_push(arena, e->list, e->count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    e->list = grown;
    grown[e->count++] = (answer_edge){from, to, kind};
    return true;
}

static bool sequential(answer_edges *e, const answer_score *s)
{
    for (uint32_t t = 1; t < s->task_count; t++) {
        if (!add_edge(e, s->arena, s->tasks[t - 1].id, s->tasks[t].id, DATA)) {
            return false;
        }
    }
    return true;
}

/* --- dataflow_v0 --- */

/* Refuses the lists that are not complete. */
static void check_lists(answer_edges *e, const answer_score *s)
{
    bool some = false, all = true, keys = true;
    for (uint32_t t = 0; t < s->task_count; t++) {
        const answer_task *task = &s->tasks[t];
        some = some || task->directions.count > 0;
        all = all && task->directions.count > 0 &&
              task->directions.count == task->args.count;
        keys = keys &&
               (task->keys.count == 0 || task->keys.count == task->args.count);
    }
    if (!all) {
        e->refused = "not every argument has a direction";
        e->code = some ? "dataflow_directions_incomplete"
                       : "dataflow_directions_unavailable";
    } else if (!keys) {
        e->refused = "a list of storage keys is not as long as its arguments";
    }
    if (!all && !keys) {
        e->code = NULL;
    }
}

/* What the task does to each key: its storage key, else the value itself. */
static bool touch(flow *f, const answer_task *task, uint32_t *count)
{
    answer_score *s = f->score;
    *count = 0;
    for (uint32_t a = 0; a < task->args.count; a++) {
        unsigned char way = s->way[task->directions.first + a];
        uint32_t key =
            task->keys.count == 0 ? ORACLE_NONE : s->key[task->keys.first + a];
        if (way == 0) {
            continue;
        }
        if (key == ORACLE_NONE &&
            !answer_key_of(s, s->arg_node[task->args.first + a], &key)) {
            return false;
        }
        if (key == ANSWER_CONTAINER) {
            f->edges->refused = "a list or an object has no identity";
            continue;
        }
        if (f->ways[key] == 0) {
            f->touched[(*count)++] = key;
        }
        f->ways[key] |= way;
    }
    return true;
}

static bool edge(flow *f, uint32_t from, uint32_t to, unsigned kind)
{
    int64_t a = f->score->tasks[from].id, b = f->score->tasks[to].id;
    return a == b || add_edge(f->edges, f->score->arena, a, b, kind);
}

static bool read_key(flow *f, uint32_t key, uint32_t task)
{
    if (f->writer[key] != ORACLE_NONE && !edge(f, f->writer[key], task, DATA)) {
        return false;
    }
    reading *grown = oracle_arena_push(f->score->arena, f->readings,
                                       f->reading_count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    f->readings = grown;
    grown[f->reading_count] = (reading){task, f->newest[key]};
    f->newest[key] = f->reading_count++;
    return true;
}

static bool write_key(flow *f, uint32_t key, uint32_t task)
{
    if (f->writer[key] != ORACLE_NONE &&
        !edge(f, f->writer[key], task, STORAGE)) {
        return false;
    }
    for (uint32_t r = f->newest[key]; r != ORACLE_NONE;
         r = f->readings[r].before) {
        if (!edge(f, f->readings[r].task, task, WAR)) {
            return false;
        }
    }
    f->writer[key] = task;
    f->newest[key] = ORACLE_NONE;
    return true;
}

static bool walk_task(flow *f, uint32_t t)
{
    uint32_t count;
    bool ok = touch(f, &f->score->tasks[t], &count);
    for (uint32_t i = 0; ok && i < count; i++) {
        if ((f->ways[f->touched[i]] & ANSWER_READS) != 0) {
            ok = read_key(f, f->touched[i], t);
        }
    }
    for (uint32_t i = 0; ok && i < count; i++) {
        if ((f->ways[f->touched[i]] & ANSWER_WRITES) != 0) {
            ok = write_key(f, f->touched[i], t);
        }
        f->ways[f->touched[i]] = 0;
    }
    return ok;
}

/* By the ends; of a pair the strongest kind first. */
static int compare_edge(const void *a, const void *b)
{
    const answer_edge *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->kind < y->kind) - (x->kind > y->kind);
}

static void keep_strongest(answer_edges *e)
{
    uint32_t kept = 0;
    if (e->count > 1) {
        qsort(e->list, e->count, sizeof *e->list, compare_edge);
    }
    for (uint32_t i = 0; i < e->count; i++) {
        const answer_edge *x = &e->list[i];
        if (kept == 0 || x->from != e->list[kept - 1].from ||
            x->to != e->list[kept - 1].to) {
            e->list[kept++] = *x;
        }
    }
    e->count = kept;
}

static bool dataflow(answer_edges *e, answer_score *s)
{
    /* As many keys as arguments and storage keys, and one of null. */
    size_t room = (size_t)s->arg_count + s->distinct + 1;
    flow f = {
        .edges = e,
        .score = s,
        .writer = oracle_arena_array(s->arena, room, sizeof *f.writer),
        .newest = oracle_arena_array(s->arena, room, sizeof *f.newest),
        .touched = oracle_arena_array(s->arena, room, sizeof *f.touched),
        .ways = oracle_arena_alloc(s->arena, room),
    };
    check_lists(e, s);
    if (f.writer == NULL || f.newest == NULL || f.touched == NULL ||
        f.ways == NULL) {
        return false;
    }
    memset(f.writer, 0xff, room * sizeof *f.writer);
    memset(f.newest, 0xff, room * sizeof *f.newest);
    for (uint32_t t = 0; t < s->task_count && e->refused == NULL; t++) {
        if (!walk_task(&f, t)) {
            return false;
        }
    }
    keep_strongest(e);
    return true;
}

/* --- mixed --- */

static int compare_ends(const void *a, const void *b)
{
    const answer_edge *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

/* All tasks have side effects: a chain, but where dataflow has the pair. */
static bool chain(answer_edges *e, const answer_score *s)
{
    uint32_t flow_count = e->count;
    for (uint32_t t = 1; t < s->task_count; t++) {
        answer_edge link = {s->tasks[t - 1].id, s->tasks[t].id, ORDERING};
        bool there =
            flow_count > 0 && bsearch(&link, e->list, flow_count, sizeof link,
                                      compare_ends) != NULL;
        if (!there && !add_edge(e, s->arena, link.from, link.to, link.kind)) {
            return false;
        }
    }
    return true;
}

bool answer_plan(answer_edges *edges, answer_score *score, const char *policy)
{
    *edges = (answer_edges){0};
    if (strcmp(policy, "sequential_v0") == 0) {
        return sequential(edges, score);
    }
    if (strcmp(policy, "dataflow_v0") == 0) {
        return dataflow(edges, score);
    }
    if (strcmp(policy, "mixed") == 0) {
        return dataflow(edges, score) &&
               (edges->refused != NULL || chain(edges, score));
    }
    edges->refused = "there is no such policy";
    return true;
}
