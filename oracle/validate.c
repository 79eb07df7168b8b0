#include "validate.h"

#include "canonical.h"
#include "table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct validation {
    const oracle_json *json;
    uint32_t score;
    oracle_reasons *reasons;
    oracle_arena *arena;
    oracle_id_table ids; /* to the rank among the sorted ids */
    int64_t *sorted;     /* each id once */
    uint32_t id_count;
    bool repeated;
} validation;

/* Text from `out`, which it frees. */
static bool add_text(validation *v, uint32_t node, const char *fix,
                     oracle_out *out)
{
    oracle_reasons *r = v->reasons;
    oracle_reason *grown =
        oracle_arena_push(v->arena, r->list, r->count, sizeof *grown);
    const char *text =
        out->failed ? NULL
                    : oracle_arena_text(v->arena, out->data, out->length);
    if (grown != NULL) {
        r->list = grown;
        grown[r->count] = (oracle_reason){text, out->length, fix, node};
        r->count += text != NULL;
    }
    oracle_out_free(out);
    return grown != NULL && text != NULL;
}

static bool add(validation *v, uint32_t node, const char *fix,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool add(validation *v, uint32_t node, const char *fix,
                const char *format, ...)
{
    char text[160];
    oracle_out out = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    oracle_out_text(&out, text);
    return add_text(v, node, fix, &out);
}

/* The words, then the text of a string node, then more words. */
static bool add_named(validation *v, uint32_t node, const char *fix,
                      const char *before, const char *after)
{
    oracle_out out = {0};
    oracle_out_text(&out, before);
    char *text = malloc(v->json->nodes[node].extent);
    out.failed = out.failed || text == NULL;
    if (text != NULL) {
        oracle_out_raw(&out, text, oracle_json_unescape(v->json, node, text));
    }
    free(text);
    oracle_out_text(&out, after);
    return add_text(v, node, fix, &out);
}

static uint32_t member(const validation *v, uint32_t object, const char *name)
{
    return oracle_json_member(v->json, object, name);
}

static int64_t number(const validation *v, uint32_t object, const char *name)
{
    int64_t value = 0;
    oracle_json_int64(v->json, member(v, object, name), &value);
    return value;
}

static bool is_empty_text(const validation *v, uint32_t node)
{
    return v->json->nodes[node].extent == 2;
}

static uint32_t list_end(const validation *v, uint32_t list)
{
    return list == ORACLE_NONE ? 0 : oracle_json_next(v->json, list);
}

static uint32_t length(const validation *v, uint32_t list)
{
    uint32_t count = 0, end = list_end(v, list);
    for (uint32_t at = list + 1; list != ORACLE_NONE && at < end;
         at = oracle_json_next(v->json, at)) {
        count++;
    }
    return count;
}

/* --- Tasks --- */

static int compare_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool collect_ids(validation *v)
{
    uint32_t list = member(v, v->score, "tasks"), end = list_end(v, list);
    uint32_t n = length(v, list), kept = 0;
    v->sorted = oracle_arena_array(v->arena, n, sizeof *v->sorted);
    if (v->sorted == NULL) {
        return false;
    }
    n = 0;
    for (uint32_t at = list + 1; list != ORACLE_NONE && at < end;
         at = oracle_json_next(v->json, at)) {
        v->sorted[n++] = number(v, at, "task_id");
    }
    qsort(v->sorted, n, sizeof *v->sorted, compare_id);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || v->sorted[i] != v->sorted[i - 1]) {
            v->sorted[kept++] = v->sorted[i];
        }
    }
    v->id_count = kept;
    v->repeated = kept < n;
    for (uint32_t i = 0; i < kept; i++) {
        oracle_id_slot *slot = oracle_id_table_slot(&v->ids, v->sorted[i]);
        if (slot == NULL) {
            return false;
        }
        slot->value = i;
    }
    return true;
}

static bool known_core(const validation *v, uint32_t node)
{
    return oracle_json_is(v->json, node, "aic", 3) ||
           oracle_json_is(v->json, node, "aiv", 3) ||
           oracle_json_is(v->json, node, "mixed", 5);
}

static bool check_size(validation *v, uint32_t list, uint32_t args, int64_t id,
                       const char *name)
{
    uint32_t size = length(v, list);
    return size == 0 || size == args ||
           add(v, list, "give one for each argument, or none",
               "task %" PRId64 " %s size %u does not match args size %u", id,
               name, (unsigned)size, (unsigned)args);
}

static bool check_task(validation *v, uint32_t task)
{
    enum { DIRECTIONS, KEYS, ARGS, CORE, FUNC, ID, COUNT };
    static const char *const names[] = {"arg_directions", "arg_storage_keys",
                                        "args",           "core_type",
                                        "func_id",        "task_id"};
    uint32_t field[COUNT];
    int64_t id = 0, function = 0;
    oracle_json_members(v->json, task, names, COUNT, field);
    oracle_json_int64(v->json, field[ID], &id);
    oracle_json_int64(v->json, field[FUNC], &function);
    if (id < 0 && !add(v, task, "number the tasks from 0",
                       "task id must be non-negative: %" PRId64, id)) {
        return false;
    }
    if (function < 0 &&
        !add(v, task, "number the functions from 0",
             "task %" PRId64 " func_id must be non-negative", id)) {
        return false;
    }
    if (!known_core(v, field[CORE])) {
        char before[64];
        snprintf(before, sizeof before,
                 "task %" PRId64 " has unsupported core_type: ", id);
        if (!add_named(v, field[CORE], "aic, aiv and mixed are known", before,
                       "")) {
            return false;
        }
    }
    uint32_t args = length(v, field[ARGS]);
    return check_size(v, field[DIRECTIONS], args, id, names[DIRECTIONS]) &&
           check_size(v, field[KEYS], args, id, names[KEYS]);
}

static bool each(validation *v, const char *list_name,
                 bool (*check)(validation *v, uint32_t item))
{
    uint32_t list = member(v, v->score, list_name), end = list_end(v, list);
    for (uint32_t at = list + 1; list != ORACLE_NONE && at < end;
         at = oracle_json_next(v->json, at)) {
        if (!check(v, at)) {
            return false;
        }
    }
    return true;
}

/* --- Dependencies --- */

static bool known_id(const validation *v, int64_t id)
{
    return oracle_id_table_find(&v->ids, id) != ORACLE_NONE;
}

static bool check_dependency(validation *v, uint32_t node)
{
    static const char fix[] = "name a task of the Score, or take the edge away";
    int64_t from = number(v, node, "producer");
    int64_t to = number(v, node, "consumer");
    if (!known_id(v, from) &&
        !add(v, node, fix, "dependency producer is unknown: %" PRId64, from)) {
        return false;
    }
    if (!known_id(v, to) &&
        !add(v, node, fix, "dependency consumer is unknown: %" PRId64, to)) {
        return false;
    }
    return from != to || add(v, node, "take the edge away",
                             "dependency cannot be a self-edge: %" PRId64, to);
}

typedef struct link {
    uint32_t from, to; /* ranks of ids */
} link;

typedef struct graph {
    link *links; /* sorted */
    uint32_t count;
    uint32_t *first;     /* by rank, one more: links[] of it */
    uint32_t *next;      /* by rank: the link to follow; */
    unsigned char *seen; /* 1 on the path, 2 done */
    uint32_t *path, depth;
} graph;

static int compare_link(const void *a, const void *b)
{
    const link *x = a, *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

static bool build_graph(validation *v, graph *g)
{
    uint32_t list = member(v, v->score, "dependencies");
    uint32_t end = list_end(v, list), n = v->id_count;
    g->links = oracle_arena_array(v->arena, length(v, list), sizeof *g->links);
    g->first = oracle_arena_array(v->arena, (size_t)n + 1, sizeof *g->first);
    g->next = oracle_arena_array(v->arena, n, sizeof *g->next);
    g->path = oracle_arena_array(v->arena, n, sizeof *g->path);
    g->seen = oracle_arena_alloc(v->arena, n);
    if (g->links == NULL || g->first == NULL || g->next == NULL ||
        g->path == NULL || g->seen == NULL) {
        return false;
    }
    for (uint32_t at = list + 1; list != ORACLE_NONE && at < end;
         at = oracle_json_next(v->json, at)) {
        uint32_t from =
            oracle_id_table_find(&v->ids, number(v, at, "producer"));
        uint32_t to = oracle_id_table_find(&v->ids, number(v, at, "consumer"));
        if (from != ORACLE_NONE && to != ORACLE_NONE && from != to) {
            g->links[g->count++] = (link){from, to};
        }
    }
    qsort(g->links, g->count, sizeof *g->links, compare_link);
    for (uint32_t i = 0; i < g->count; i++) {
        g->first[g->links[i].from + 1]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        g->first[i + 1] += g->first[i];
        g->next[i] = g->first[i];
    }
    return true;
}

/* Depth first from one id; true when it came round to `*back`. */
static bool comes_round(graph *g, uint32_t start, uint32_t *back)
{
    g->path[g->depth++] = start;
    g->seen[start] = 1;
    while (g->depth > 0) {
        uint32_t at = g->path[g->depth - 1];
        if (g->next[at] == g->first[at + 1]) {
            g->seen[at] = 2;
            g->depth--;
            continue;
        }
        uint32_t to = g->links[g->next[at]++].to;
        if (g->seen[to] == 1) {
            *back = to;
            return true;
        }
        if (g->seen[to] == 0) {
            g->seen[to] = 1;
            g->path[g->depth++] = to;
        }
    }
    return false;
}

static bool add_cycle(validation *v, const graph *g, uint32_t back)
{
    oracle_out out = {0};
    uint32_t i = 0;
    oracle_out_text(&out, "dependency graph must be acyclic, found cycle: ");
    while (g->path[i] != back) {
        i++;
    }
    for (; i < g->depth; i++) {
        oracle_out_int(&out, v->sorted[g->path[i]]);
        oracle_out_text(&out, " -> ");
    }
    oracle_out_int(&out, v->sorted[back]);
    return add_text(v, member(v, v->score, "dependencies"),
                    "take one edge of the ring away", &out);
}

static bool check_cycle(validation *v)
{
    graph g = {0};
    uint32_t back;
    if (!build_graph(v, &g)) {
        return false;
    }
    for (uint32_t i = 0; i < v->id_count; i++) {
        if (g.seen[i] == 0 && comes_round(&g, i, &back)) {
            return add_cycle(v, &g, back);
        }
    }
    return true;
}

/* --- Shape assumptions --- */

enum { NOT_INTEGER, NEGATIVE, ZERO, FAULTS, FINE };

static unsigned fault_of(const validation *v, uint32_t node)
{
    const oracle_json_node *n = &v->json->nodes[node];
    const char *text = v->json->text + n->offset;
    if (n->type != ORACLE_JSON_NUMBER || !oracle_json_integral(v->json, node)) {
        return NOT_INTEGER;
    }
    return text[n->extent - 1] == '0' && n->extent <= 2 &&
                   (n->extent == 1 || text[0] == '-')
               ? ZERO
           : text[0] == '-' ? NEGATIVE
                            : FINE;
}

static bool check_dims(validation *v, uint32_t symbol, uint32_t dims)
{
    static const char *const after[] = {" has non-integer dimension",
                                        " has negative dimension",
                                        " has zero dimension"};
    bool said[FAULTS] = {false};
    uint32_t end = list_end(v, dims);
    for (uint32_t at = dims + 1; at < end; at = oracle_json_next(v->json, at)) {
        unsigned fault = fault_of(v, at);
        if (fault < FAULTS && !said[fault]) {
            said[fault] = true;
            if (!add_named(v, symbol, "dimensions are whole and positive",
                           "shape assumption ", after[fault])) {
                return false;
            }
        }
    }
    return true;
}

static bool keep_symbol(validation *v, oracle_table *seen, uint32_t node,
                        bool *again)
{
    char *text = oracle_arena_alloc(v->arena, v->json->nodes[node].extent);
    if (text == NULL) {
        return false;
    }
    size_t size = oracle_json_unescape(v->json, node, text);
    oracle_slot *slot = oracle_table_slot(seen, text, size);
    if (slot == NULL) {
        return false;
    }
    *again = slot->data != NULL;
    *slot = (oracle_slot){text, (uint32_t)size, node};
    return true;
}

static bool check_shape(validation *v, oracle_table *seen, uint32_t node)
{
    uint32_t symbol = member(v, node, "symbol");
    bool again;
    if (!keep_symbol(v, seen, symbol, &again)) {
        return false;
    }
    if (again) {
        static const char before[] = "shape assumption symbol must be unique: ";
        return add_named(v, symbol, "say each symbol once", before,
                         is_empty_text(v, symbol) ? "<empty>" : "");
    }
    if (is_empty_text(v, symbol)) {
        return add(v, symbol, "give it its name",
                   "shape assumption symbol must not be empty");
    }
    return check_dims(v, symbol, member(v, node, "dims"));
}

static bool check_shapes(validation *v)
{
    uint32_t list = member(v, v->score, "shape_assumptions");
    uint32_t end = list_end(v, list);
    oracle_table seen = {0};
    bool ok = true;
    for (uint32_t at = list + 1; ok && list != ORACLE_NONE && at < end;
         at = oracle_json_next(v->json, at)) {
        ok = check_shape(v, &seen, at);
    }
    oracle_table_free(&seen);
    return ok;
}

bool oracle_score_reasons(oracle_reasons *reasons, const oracle_json *json,
                          uint32_t score, oracle_arena *arena)
{
    validation v = {json, score, reasons, arena, {0}, NULL, 0, false};
    *reasons = (oracle_reasons){0};
    uint32_t name = member(&v, score, "name");
    bool ok = collect_ids(&v);
    if (ok && is_empty_text(&v, name)) {
        ok = add(&v, name, "give it a name", "score name must not be empty");
    }
    if (ok && v.repeated) {
        ok = add(&v, member(&v, score, "tasks"), "number the tasks anew",
                 "task ids must be unique");
    }
    ok = ok && each(&v, "tasks", check_task) &&
         each(&v, "dependencies", check_dependency) && check_cycle(&v) &&
         check_shapes(&v);
    oracle_id_table_free(&v.ids);
    return ok;
}
