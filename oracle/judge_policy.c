/*
 * policy.edges and policy.fallback: what the policy that a Score names gives
 * (spec 02), worked out from its accesses, against the edges that it has.
 */
#include "score_view.h"

#include "canonical.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { ORDERING, WAR, STORAGE, DATA } kind;

static const char *const kind_names[] = {"ordering", "war", "storage", "data"};

typedef struct edge {
    int64_t from, to;
    kind kind;
    uint32_t consumer; /* its place in program order */
} edge;

typedef struct reader {
    uint32_t task, next;
} reader;

typedef struct policy {
    oracle_judging *judging;
    const oracle_score_view *view;
    const oracle_document *d;
    oracle_arena *arena; /* freed with the policy */
    edge *edges;         /* what the rules give */
    uint32_t count;
    uint32_t *writer;  /* by buffer: the last one, or ORACLE_NONE */
    uint32_t *readers; /* ... the first of those since, in pool */
    reader *pool;
    uint32_t pool_count;
    bool failed;
} policy;

static void add_edge(policy *p, uint32_t from, uint32_t to, kind k)
{
    int64_t a = p->d->tasks[from].id, b = p->d->tasks[to].id;
    if (a == b || p->failed) {
        return;
    }
    edge *grown =
        oracle_arena_push(p->arena, p->edges, p->count, sizeof *grown);
    if (grown == NULL) {
        p->failed = true;
        return;
    }
    p->edges = grown;
    grown[p->count++] = (edge){a, b, k, to};
}

/* --- sequential_v0 --- */

static void sequential(policy *p)
{
    for (uint32_t t = 1; t < p->d->task_count; t++) {
        add_edge(p, t - 1, t, DATA);
    }
}

/* --- dataflow_v0 --- */

static bool touches(const policy *p, const oracle_arg *arg, bool writes)
{
    if (arg->kind != ORACLE_ARG_BUFFER || !arg->has_access) {
        return false;
    }
    oracle_mode mode = p->d->accesses[arg->first_access].mode;
    return mode == ORACLE_READ_WRITE ||
           mode == (writes ? ORACLE_WRITE : ORACLE_READ);
}

static void note_reader(policy *p, uint32_t buffer, uint32_t task)
{
    reader *grown =
        oracle_arena_push(p->arena, p->pool, p->pool_count, sizeof *grown);
    if (grown == NULL) {
        p->failed = true;
        return;
    }
    p->pool = grown;
    grown[p->pool_count] = (reader){task, p->readers[buffer]};
    p->readers[buffer] = p->pool_count++;
}

/* A key that the task reads twice is one access. */
static void read_key(policy *p, uint32_t buffer, uint32_t task)
{
    uint32_t newest = p->readers[buffer];
    if (newest != ORACLE_NONE && p->pool[newest].task == task) {
        return;
    }
    if (p->writer[buffer] != ORACLE_NONE) {
        add_edge(p, p->writer[buffer], task, DATA);
    }
    note_reader(p, buffer, task);
}

static void write_key(policy *p, uint32_t buffer, uint32_t task)
{
    if (p->writer[buffer] == task) {
        return;
    }
    if (p->writer[buffer] != ORACLE_NONE) {
        add_edge(p, p->writer[buffer], task, STORAGE);
    }
    for (uint32_t r = p->readers[buffer]; r != ORACLE_NONE;
         r = p->pool[r].next) {
        add_edge(p, p->pool[r].task, task, WAR);
    }
    p->writer[buffer] = task;
    p->readers[buffer] = ORACLE_NONE;
}

/* By the ends; the strongest kind of a pair last. */
static int compare_edge(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static void keep_strongest(policy *p)
{
    uint32_t kept = 0;
    if (p->count == 0) {
        return;
    }
    qsort(p->edges, p->count, sizeof *p->edges, compare_edge);
    for (uint32_t i = 0; i < p->count; i++) {
        const edge *e = &p->edges[i];
        if (i + 1 == p->count || e->from != e[1].from || e->to != e[1].to) {
            p->edges[kept++] = *e;
        }
    }
    p->count = kept;
}

static void dataflow(policy *p)
{
    uint32_t n = p->d->buffer_count;
    p->writer = oracle_arena_array(p->arena, n, sizeof *p->writer);
    p->readers = oracle_arena_array(p->arena, n, sizeof *p->readers);
    if (p->writer == NULL || p->readers == NULL) {
        p->failed = true;
        return;
    }
    memset(p->writer, 0xff, n * sizeof *p->writer);
    memset(p->readers, 0xff, n * sizeof *p->readers);
    for (uint32_t t = 0; t < p->d->task_count && !p->failed; t++) {
        const oracle_task *task = &p->d->tasks[t];
        for (uint32_t pass = 0; pass < 2; pass++) {
            for (uint32_t a = 0; a < task->args && !p->failed; a++) {
                const oracle_arg *arg = &p->d->args[task->first_arg + a];
                if (!touches(p, arg, pass == 1)) {
                    continue;
                }
                if (pass == 0) {
                    read_key(p, arg->buffer, t);
                } else {
                    write_key(p, arg->buffer, t);
                }
            }
        }
    }
    if (!p->failed) {
        keep_strongest(p);
    }
}

/* --- The fallback --- */

/* The code that the rules give, or NULL; the first task without directions. */
static const char *fallback(const policy *p, uint32_t *first)
{
    bool some = false;
    *first = ORACLE_NONE;
    for (uint32_t t = 0; t < p->d->task_count; t++) {
        uint32_t list = oracle_json_member(p->view->json, p->view->task_node[t],
                                           "arg_directions");
        uint32_t length = oracle_list_length(p->view->json, list);
        some = some || length > 0;
        if (*first == ORACLE_NONE &&
            (length == 0 || length != p->d->tasks[t].args)) {
            *first = t;
        }
    }
    return *first == ORACLE_NONE ? NULL
           : some                ? "dataflow_directions_incomplete"
                                 : "dataflow_directions_unavailable";
}

static bool keys_fit(const policy *p)
{
    for (uint32_t t = 0; t < p->d->task_count; t++) {
        uint32_t list = oracle_json_member(p->view->json, p->view->task_node[t],
                                           "arg_storage_keys");
        uint32_t length = oracle_list_length(p->view->json, list);
        if (length > 0 && length != p->d->tasks[t].args) {
            return false;
        }
    }
    return true;
}

static bool report_fallback(policy *p, uint32_t node, const char *given,
                            uint32_t first)
{
    const oracle_json *json = p->view->json;
    oracle_judging *j = p->judging;
    bool is_text = json->nodes[node].type == ORACLE_JSON_STRING;
    bool right = given != NULL && is_text &&
                 oracle_json_is(json, node, given, strlen(given));
    if (!right) {
        const char *told = oracle_tell_value(j->arena, json, node);
        return told != NULL &&
               oracle_judging_report(
                   j, "policy.fallback", ORACLE_WARNING, node, ORACLE_NONE,
                   ORACLE_NONE,
                   "the recorded fallback is %s, by its directions the Score "
                   "has %s: plan it again.",
                   told, given == NULL ? "none" : given);
    }
    const char *task = oracle_tell_task(j->arena, p->d, first);
    return task != NULL &&
           oracle_judging_report(
               j, "policy.fallback", ORACLE_WARNING, node, first, ORACLE_NONE,
               "%s has no direction for each of its arguments, which turned "
               "dataflow off for the whole graph: all tasks run one after "
               "another; give it its directions.",
               task);
}

/* --- Comparing --- */

static bool is_kind(const oracle_json *json, uint32_t node, kind k)
{
    return node == ORACLE_NONE ? k == DATA
                               : oracle_json_is(json, node, kind_names[k],
                                                strlen(kind_names[k]));
}

static edge recorded(const policy *p, uint32_t node)
{
    const oracle_json *json = p->view->json;
    edge e = {0};
    oracle_json_int64(json, oracle_json_member(json, node, "producer"),
                      &e.from);
    oracle_json_int64(json, oracle_json_member(json, node, "consumer"), &e.to);
    uint32_t consumer = oracle_id_table_find(&p->view->by_id, e.to);
    e.consumer = consumer;
    return e;
}

/* The first place at which the lists differ; the length where they do not. */
static uint32_t difference(const policy *p, const uint32_t *nodes,
                           uint32_t count)
{
    const oracle_json *json = p->view->json;
    uint32_t i = 0;
    for (; i < p->count && i < count; i++) {
        edge e = recorded(p, nodes[i]);
        if (e.from != p->edges[i].from || e.to != p->edges[i].to ||
            !is_kind(json, oracle_json_member(json, nodes[i], "kind"),
                     p->edges[i].kind)) {
            break;
        }
    }
    return i;
}

/*
 * What `mixed` may add, whichever tasks are in its set: ordering edges along
 * one chain in program order.
 */
static bool is_chain(const policy *p, const uint32_t *nodes, uint32_t count)
{
    const oracle_json *json = p->view->json;
    uint32_t reached = 0;
    for (uint32_t i = 0; i < count; i++) {
        edge e = recorded(p, nodes[i]);
        uint32_t from = oracle_id_table_find(&p->view->by_id, e.from);
        if (from == ORACLE_NONE || e.consumer == ORACLE_NONE ||
            from < reached || e.consumer <= from ||
            !is_kind(json, oracle_json_member(json, nodes[i], "kind"),
                     ORDERING)) {
            return false;
        }
        reached = e.consumer;
    }
    return true;
}

static const char *tell_edge(oracle_arena *arena, const edge *e, const char *k)
{
    return oracle_arena_format(arena, "%" PRId64 " -> %" PRId64 " (%s)",
                               e->from, e->to, k);
}

static bool report_difference(policy *p, const char *name, uint32_t list,
                              const uint32_t *nodes, uint32_t count,
                              uint32_t at)
{
    oracle_arena *arena = p->judging->arena;
    const char *wanted = "no further edge", *found = "no further edge";
    if (at < p->count) {
        const edge *e = &p->edges[at];
        wanted = tell_edge(arena, e, kind_names[e->kind]);
    }
    if (at < count) {
        uint32_t k = oracle_json_member(p->view->json, nodes[at], "kind");
        edge e = recorded(p, nodes[at]);
        const char *told = k == ORACLE_NONE
                               ? "\"data\""
                               : oracle_tell_value(arena, p->view->json, k);
        found = told == NULL ? NULL : tell_edge(arena, &e, told);
    }
    return wanted != NULL && found != NULL &&
           oracle_judging_report(
               p->judging, "policy.edges", ORACLE_WARNING,
               at < count ? nodes[at] : list, ORACLE_NONE, ORACLE_NONE,
               "the Score names the policy %s, which gives %u edges where the "
               "Score has %u; the first difference is at number %u: %s is "
               "expected, %s is there. Plan it again, or name what made them.",
               name, (unsigned)p->count, (unsigned)count, (unsigned)at, wanted,
               found);
}

static bool compare(policy *p, const char *name, bool mixed)
{
    uint32_t list =
        oracle_json_member(p->view->json, p->view->root, "dependencies");
    uint32_t *nodes, count;
    if (!oracle_list_nodes(p->view->json, list, &nodes, &count, p->arena)) {
        return false;
    }
    uint32_t at = difference(p, nodes, count);
    if (at == p->count &&
        (mixed ? is_chain(p, nodes + at, count - at) : at == count)) {
        return true;
    }
    return report_difference(p, name, list, nodes, count, at);
}

/* --- What the metadata names --- */

static bool judge_named(policy *p, uint32_t named, const char *given)
{
    static const char *const names[] = {"sequential_v0", "dataflow_v0",
                                        "mixed"};
    const oracle_json *json = p->view->json;
    uint32_t which = 0;
    while (which < 3 &&
           !oracle_json_is(json, named, names[which], strlen(names[which]))) {
        which++;
    }
    if (which == 3) {
        return true;
    }
    if (which > 0 && (given != NULL || !keys_fit(p))) {
        return oracle_judging_report(
            p->judging, "policy.edges", ORACLE_WARNING, named, ORACLE_NONE,
            ORACLE_NONE,
            "the Score names the policy %s, which refuses it, since not every "
            "argument has a direction and a storage key of its own: name "
            "sequential_v0, or complete the lists.",
            names[which]);
    }
    if (which == 0) {
        sequential(p);
    } else {
        dataflow(p);
    }
    return !p->failed && compare(p, names[which], which == 2);
}

bool oracle_judge_policy(oracle_judging *judging, oracle_score_view *view)
{
    policy p = {.judging = judging, .view = view, .d = view->document};
    const oracle_json *json = view->json;
    uint32_t metadata = oracle_json_member(json, view->root, "metadata");
    uint32_t named = oracle_json_member(json, metadata, "dependency_policy");
    uint32_t reason =
        oracle_json_member(json, metadata, "dependency_policy_fallback_reason");
    uint32_t first;
    if (view->document->ambiguous || named == ORACLE_NONE ||
        json->nodes[named].type != ORACLE_JSON_STRING) {
        return true;
    }
    p.arena = oracle_arena_create();
    if (p.arena == NULL) {
        return false;
    }
    const char *given = fallback(&p, &first);
    bool ok = reason == ORACLE_NONE ||
              json->nodes[reason].type == ORACLE_JSON_NULL ||
              report_fallback(&p, reason, given, first);
    ok = ok && judge_named(&p, named, given);
    oracle_arena_free(p.arena);
    return ok;
}
