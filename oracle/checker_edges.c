/* Witnesses of the rules on edges, and of memory.waste. */
#include "checker.h"

#include <string.h>

/* What a source is called in a witness. */
static const char *const source_names[] = {"explicit", "automatic", "recorded",
                                           "policy"};

static bool ends(oracle_check *c, uint32_t *from, uint32_t *to)
{
    uint32_t list = oracle_check_member(c, c->witness, "edge");
    return oracle_check_is(c, list, ORACLE_JSON_ARRAY) &&
           oracle_json_next(&c->json, list) == list + 3 &&
           oracle_check_task(c, list + 1, from) &&
           oracle_check_task(c, list + 2, to);
}

static bool has_when(const oracle_document *d, uint32_t t,
                     const oracle_when *when)
{
    bool has = false;
    for (uint32_t i = 0; i < d->tasks[t].whens; i++) {
        const oracle_when *own = &d->whens[d->tasks[t].first_when + i];
        has |= own->choice == when->choice && own->is == when->is;
    }
    return has;
}

/* --- edge.redundant --- */

/* c->place: the next task of the path; marks each step that an edge makes. */
static bool steps_hold(oracle_check *c, uint32_t from, uint32_t to)
{
    bool written = false, kept = false;
    uint32_t missing = 0;
    bool *made = c->present;
    memset(made, 0, c->d.task_count);
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        bool can_go = edge->certain && (edge->source == ORACLE_EXPLICIT ||
                                        edge->source == ORACLE_POLICY);
        made[edge->from] |= edge->certain && c->place[edge->from] == edge->to;
        if (edge->from == from && edge->to == to) {
            written |= can_go;
            kept |= !can_go;
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        for (uint32_t i = 0; i < c->d.tasks[t].deps; i++) {
            const oracle_dep *dep = &c->d.deps[c->d.tasks[t].first_dep + i];
            written |= dep->task == from && t == to;
            if (dep->task != ORACLE_NONE && dep->whens == 0) {
                made[dep->task] |= c->place[dep->task] == t;
            }
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        missing += c->place[t] != ORACLE_NONE && !made[t];
    }
    return (missing == 0 && written && !kept) ||
           oracle_check_fail(c, "a step is no edge, or the edge cannot go");
}

static bool check_path(oracle_check *c)
{
    uint32_t list = oracle_check_member(c, c->witness, "path"), from, to, last,
             task;
    uint32_t end = list == ORACLE_NONE ? 0 : oracle_json_next(&c->json, list);
    if (!oracle_check_is(c, list, ORACLE_JSON_ARRAY) || end < list + 4 ||
        !oracle_check_task(c, list + 1, &from) ||
        !oracle_check_task(c, end - 1, &to)) {
        return oracle_check_fail(c, "there is no path over another task");
    }
    memset(c->place, 0xff, c->d.task_count * sizeof *c->place);
    last = from;
    for (uint32_t i = list + 2; i < end; i++, last = task) {
        if (!oracle_check_task(c, i, &task)) {
            return false;
        }
        const oracle_task *t = &c->d.tasks[task];
        for (uint32_t w = 0; w < t->whens; w++) {
            const oracle_when *when = &c->d.whens[t->first_when + w];
            if (!has_when(&c->d, from, when) && !has_when(&c->d, to, when)) {
                return oracle_check_fail(c, "a task may not be submitted");
            }
        }
        if (c->place[last] != ORACLE_NONE || task == from ||
            (task == to && i + 1 < end)) {
            return oracle_check_fail(c, "a task is twice on the path");
        }
        c->place[last] = task;
    }
    return steps_hold(c, from, to);
}

/* --- edge.fan-in --- */

static bool check_fan(oracle_check *c)
{
    uint32_t task, count = 0;
    int64_t said = 0;
    if (!oracle_check_choices(c) ||
        !oracle_check_task(c, oracle_check_member(c, c->witness, "task"),
                           &task) ||
        !oracle_check_number(
            c, oracle_check_member(c, c->witness, "predecessors"), &said)) {
        return false;
    }
    memset(c->place, 0, c->d.task_count * sizeof *c->place);
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        c->place[edge->from] |= edge->certain && edge->to == task;
    }
    for (uint32_t i = 0; i < c->d.tasks[task].deps; i++) {
        uint32_t from = c->d.deps[c->d.tasks[task].first_dep + i].task;
        if (from != ORACLE_NONE) {
            c->place[from] = 1;
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        count += t != task && c->place[t] != 0 && c->present[t];
    }
    return (c->present[task] && count == said && count > 128) ||
           oracle_check_fail(c, "it waits for other numbers of tasks");
}

/* --- edge.kind, edge.false --- */

typedef struct touch {
    oracle_place place;
    bool reads, writes;
} touch;

/* The i-th access, the predicate's operand first; false: no such access. */
static bool touch_of(const oracle_document *d, uint32_t t, uint32_t number,
                     touch *out)
{
    const oracle_task *task = &d->tasks[t];
    if (task->has_predicate && task->predicate_buffer != ORACLE_NONE &&
        number-- == 0) {
        *out = (touch){
            {task->predicate_buffer, task->predicate_region}, true, false};
        return true;
    }
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &d->args[task->first_arg + a];
        bool unknown = arg->kind == ORACLE_ARG_BUFFER && !arg->has_access;
        uint32_t own = unknown ? 1 : arg->accesses;
        if (number >= own) {
            number -= own;
        } else if (unknown) {
            *out = (touch){{arg->buffer, arg->view}, true, true};
            return true;
        } else {
            const oracle_access *x = &d->accesses[arg->first_access + number];
            *out = (touch){oracle_access_place(arg, x), x->mode != ORACLE_WRITE,
                           x->mode != ORACLE_READ};
            return true;
        }
    }
    return false;
}

/* Whether the two surely share no bytes in this way; any: in no way. */
static bool apart(const oracle_document *d, uint32_t from, uint32_t to,
                  const char *kind)
{
    touch x, y;
    bool any = kind == NULL, data = any || strcmp(kind, "data") == 0,
         storage = any || strcmp(kind, "storage") == 0,
         war = any || strcmp(kind, "war") == 0;
    for (uint32_t i = 0; touch_of(d, from, i, &x); i++) {
        for (uint32_t k = 0; touch_of(d, to, k, &y); k++) {
            bool asked = (data && x.writes && y.reads) ||
                         (storage && x.writes && y.writes) ||
                         (war && x.reads && y.writes);
            if (asked && (x.place.buffer == ORACLE_NONE ||
                          y.place.buffer == ORACLE_NONE ||
                          oracle_places_meet(d, x.place, y.place) !=
                              ORACLE_MEET_NEVER)) {
                return false;
            }
        }
    }
    return data || storage || war;
}

static bool check_label(oracle_check *c)
{
    uint32_t from, to, kind = oracle_check_member(c, c->witness, "kind");
    if (!ends(c, &from, &to) || !oracle_check_is(c, kind, ORACLE_JSON_STRING)) {
        return oracle_check_fail(c, "no edge and kind");
    }
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        if (edge->from == from && edge->to == to &&
            oracle_json_is(&c->json, kind, edge->kind.data,
                           edge->kind.length) &&
            (edge->source == ORACLE_POLICY ||
             edge->source == ORACLE_EXPLICIT)) {
            return apart(&c->d, from, to, edge->kind.data) ||
                   oracle_check_fail(c, "they may have what it claims");
        }
    }
    return oracle_check_fail(c, "there is no edge with this label");
}

static bool names_source(const oracle_check *c, oracle_source source)
{
    uint32_t list = oracle_check_member(c, c->witness, "sources");
    const char *name = source_names[source];
    bool named = false;
    for (uint32_t i = list + 1;
         list != ORACLE_NONE && i < oracle_json_next(&c->json, list);
         i = oracle_json_next(&c->json, i)) {
        uint32_t node = oracle_check_member(c, i, "source");
        named |= node != ORACLE_NONE &&
                 oracle_json_is(&c->json, node, name, strlen(name));
    }
    return named;
}

/* The edge stands in these sources and no other, and nobody wrote it. */
static bool check_false(oracle_check *c)
{
    uint32_t from, to;
    bool found[4] = {false}, same = true;
    if (!ends(c, &from, &to)) {
        return oracle_check_fail(c, "no edge");
    }
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        found[edge->source] |= edge->from == from && edge->to == to;
    }
    for (uint32_t i = 0; i < c->d.tasks[to].deps; i++) {
        found[ORACLE_EXPLICIT] |=
            c->d.deps[c->d.tasks[to].first_dep + i].task == from;
    }
    for (int s = ORACLE_EXPLICIT; s <= ORACLE_POLICY; s++) {
        same &= found[s] == names_source(c, (oracle_source)s);
    }
    return (same && !found[ORACLE_EXPLICIT] && !found[ORACLE_RECORDED] &&
            (found[ORACLE_AUTOMATIC] || found[ORACLE_POLICY]) &&
            apart(&c->d, from, to, NULL)) ||
           oracle_check_fail(c, "they share bytes, or it stands elsewhere");
}

/* --- memory.waste --- */

/* By root buffer: when it is touched first and last; twice the task, + 1. */
typedef struct life {
    uint64_t begin, end;
    bool touched, placed, taken;
} life;

static void touch_storage(const oracle_document *d, life *lives, uint32_t b,
                          uint64_t at)
{
    if (b != ORACLE_NONE) {
        life *l = &lives[d->buffers[b].storage];
        l->begin = l->touched && l->begin < at ? l->begin : at;
        l->end = l->end > at ? l->end : at;
        l->touched = true;
    }
}

static bool find_lives(oracle_check *c, life *lives)
{
    const oracle_document *d = &c->d;
    touch x;
    bool forward = true;
    for (uint32_t e = 0; e < d->edge_count; e++) {
        forward &= !d->edges[e].certain || d->edges[e].from <= d->edges[e].to;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            uint32_t from = d->deps[d->tasks[t].first_dep + i].task;
            forward &= from == ORACLE_NONE || from <= t;
        }
        for (uint32_t i = 0; c->present[t] && touch_of(d, t, i, &x); i++) {
            if (x.reads) {
                touch_storage(d, lives, x.place.buffer, UINT64_C(2) * t);
            }
            if (x.writes) {
                touch_storage(d, lives, x.place.buffer, UINT64_C(2) * t + 1);
            }
        }
    }
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        if (d->allocations[i].buffer != ORACLE_NONE) {
            lives[d->buffers[d->allocations[i].buffer].storage].placed = true;
        }
    }
    return forward || oracle_check_fail(c, "an edge leads back");
}

static bool add_alive(oracle_check *c, life *lives, uint32_t node, uint64_t at,
                      int64_t *sum)
{
    for (uint32_t b = 0; b < c->d.buffer_count; b++) {
        const oracle_buffer *buffer = &c->d.buffers[b];
        life *l = &lives[b];
        bool alive = buffer->external || (l->touched && at <= l->end &&
                                          (buffer->init || l->begin <= at));
        if (buffer->storage == b &&
            oracle_json_is(&c->json, node, buffer->key.data,
                           buffer->key.length)) {
            bool counts = alive && l->placed && !l->taken && buffer->has_bytes;
            l->taken = true;
            return (counts &&
                    !__builtin_add_overflow(*sum, buffer->bytes, sum)) ||
                   oracle_check_fail(c, "a buffer is not alive then");
        }
    }
    return oracle_check_fail(c, "there is no such buffer");
}

static bool check_waste(oracle_check *c)
{
    uint32_t list = oracle_check_member(c, c->witness, "alive"), task,
             writes = oracle_check_member(c, c->witness, "writing");
    int64_t peak = 0, bound = 0, sum = 0, most = 0;
    life *lives =
        oracle_arena_array(c->arena, c->d.buffer_count, sizeof *lives);
    if (lives == NULL || !oracle_check_choices(c) || !find_lives(c, lives) ||
        !oracle_check_is(c, list, ORACLE_JSON_ARRAY) ||
        !oracle_check_task(c, oracle_check_member(c, c->witness, "at"),
                           &task) ||
        !oracle_check_number(c, oracle_check_member(c, c->witness, "peak"),
                             &peak) ||
        !oracle_check_number(c, oracle_check_member(c, c->witness, "bound"),
                             &bound)) {
        return oracle_check_fail(c, "a part of the witness is missing");
    }
    uint64_t at =
        2 * (uint64_t)task + oracle_check_is(c, writes, ORACLE_JSON_TRUE);
    for (uint32_t i = list + 1; i < oracle_json_next(&c->json, list); i++) {
        if (!add_alive(c, lives, i, at, &sum)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < c->d.allocation_count; i++) {
        const oracle_allocation *a = &c->d.allocations[i];
        int64_t end = 0;
        if (!__builtin_add_overflow(a->offset, a->size, &end)) {
            most = end > most ? end : most;
        }
    }
    return (sum == bound && peak == most && bound < peak) ||
           oracle_check_fail(c, "peak and bound are other numbers");
}

bool oracle_check_edges(oracle_check *c, bool *mine)
{
    static const struct {
        const char *rule;
        bool (*check)(oracle_check *c);
    } rules[] = {{"edge.redundant", check_path},
                 {"edge.fan-in", check_fan},
                 {"edge.kind", check_label},
                 {"edge.false", check_false},
                 {"memory.waste", check_waste}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        *mine = strcmp(c->rule, rules[i].rule) == 0;
        if (*mine) {
            return rules[i].check(c);
        }
    }
    return false;
}
