#include "graph.h"

#include "../json/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    sonata_json json;
    const graph *graph;
    const affine_pool *numbers;
    bool *used;     /* per symbol: it stands in a region */
    uint32_t *path; /* scratch: one list of decisions */
} writer;

static void put_text(sonata_json *w, const char *key, graph_text text)
{
    sonata_json_key(w, key);
    sonata_json_string_n(w, text.data, text.length);
}

static void put_name(sonata_json *w, const char *key, const char *name)
{
    sonata_json_key(w, key);
    sonata_json_string(w, name);
}

static void put_int(sonata_json *w, const char *key, int64_t value)
{
    sonata_json_key(w, key);
    sonata_json_int(w, value);
}

static void put_bool(sonata_json *w, const char *key, bool value)
{
    sonata_json_key(w, key);
    sonata_json_bool(w, value);
}

static void put_null(sonata_json *w, const char *key)
{
    sonata_json_key(w, key);
    sonata_json_null(w);
}

/*
 * Names of symbols are unique in a document: those that the text names keep
 * their name; the others are numbered behind a sign that no name has.
 */
static void put_symbol_name(writer *w, uint32_t index)
{
    const affine_symbol *s = &w->numbers->symbols[index];
    bool is_unique = s->name != NULL && s->kind != AFFINE_INDEX;
    char name[160];
    if (is_unique) {
        sonata_json_string_n(&w->json, s->name, s->name_length);
        return;
    }
    snprintf(name, sizeof name, "%.*s%%%" PRIu32,
             (int)(s->name_length < 120 ? s->name_length : 0),
             s->name == NULL ? "" : s->name, index);
    sonata_json_string(&w->json, name);
}

static void put_affine(writer *w, affine a)
{
    sonata_json *j = &w->json;
    if (affine_is_const(a)) {
        sonata_json_int(j, a.c);
        return;
    }
    sonata_json_object(j);
    put_int(j, "c", a.c);
    sonata_json_key(j, "t");
    sonata_json_array(j);
    for (uint32_t i = 0; i < a.count; i++) {
        affine_term t = w->numbers->terms[a.first + i];
        sonata_json_array(j);
        sonata_json_int(j, t.coef);
        put_symbol_name(w, t.symbol);
        sonata_json_end_array(j);
    }
    sonata_json_end_array(j);
    sonata_json_end_object(j);
}

static void put_region(writer *w, uint32_t index, const char *dtype)
{
    const graph_region *r = &w->graph->regions[index];
    sonata_json *j = &w->json;
    sonata_json_object(j);
    sonata_json_key(j, "base");
    put_affine(w, r->base);
    sonata_json_key(j, "dims");
    sonata_json_array(j);
    for (uint32_t i = 0; i < r->rank; i++) {
        const view_dim *d = &w->graph->dims[r->first + i];
        sonata_json_array(j);
        put_affine(w, d->count);
        sonata_json_int(j, d->stride);
        put_affine(w, d->offset);
        sonata_json_end_array(j);
    }
    sonata_json_end_array(j);
    if (dtype != NULL)
        put_name(j, "dtype", dtype);
    put_int(j, "elem", r->elem);
    sonata_json_end_object(j);
}

static void mark_affine(writer *w, affine a)
{
    for (uint32_t i = 0; i < a.count; i++)
        w->used[w->numbers->terms[a.first + i].symbol] = true;
}

static void mark_symbols(writer *w)
{
    for (uint32_t i = 0; i < w->graph->region_count; i++)
        mark_affine(w, w->graph->regions[i].base);
    for (uint32_t i = 0; i < w->graph->dim_count; i++) {
        mark_affine(w, w->graph->dims[i].count);
        mark_affine(w, w->graph->dims[i].offset);
    }
    for (uint32_t i = 0; i < w->graph->fact_count; i++)
        mark_affine(w, w->graph->facts[i].number);
    /* Operands come before what follows from them. */
    for (uint32_t i = w->numbers->symbol_count; i-- > 0;) {
        affine left, right;
        if (!w->used[i] ||
            affine_definition(w->numbers, i, &left, &right) == NULL)
            continue;
        mark_affine(w, left);
        mark_affine(w, right);
    }
}

static void put_bound(sonata_json *j, const char *key, bool has, int64_t value)
{
    if (has)
        put_int(j, key, value);
    else
        put_null(j, key);
}

/* How a symbol follows from others. */
static void put_definition(writer *w, uint32_t symbol)
{
    sonata_json *j = &w->json;
    affine left, right;
    const char *op = affine_definition(w->numbers, symbol, &left, &right);
    if (op == NULL)
        return;
    sonata_json_key(j, "is");
    sonata_json_object(j);
    sonata_json_key(j, "left");
    put_affine(w, left);
    put_name(j, "op", op);
    sonata_json_key(j, "right");
    put_affine(w, right);
    sonata_json_end_object(j);
}

/* What the symbols obey. */
static void put_facts(writer *w)
{
    sonata_json *j = &w->json;
    if (w->graph->fact_count == 0)
        return;
    sonata_json_key(j, "facts");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->fact_count; i++) {
        const graph_fact *f = &w->graph->facts[i];
        sonata_json_object(j);
        if (f->choice != GRAPH_NONE) {
            put_int(j, "choice", f->choice);
            put_bool(j, "is", f->is);
        }
        sonata_json_key(j, "of");
        put_affine(w, f->number);
        put_name(j, "op", f->op);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_symbols(writer *w)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "symbols");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->numbers->symbol_count; i++) {
        const affine_symbol *s = &w->numbers->symbols[i];
        if (!w->used[i])
            continue;
        sonata_json_object(j);
        put_bool(j, "free",
                 s->kind == AFFINE_DIMENSION || s->kind == AFFINE_PARAMETER ||
                     s->kind == AFFINE_INDEX);
        put_definition(w, i);
        put_bound(j, "max", s->has_max, s->max);
        put_bound(j, "min", s->has_min, s->min);
        sonata_json_key(j, "name");
        put_symbol_name(w, i);
        put_int(j, "step", s->step);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_buffers(writer *w)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "buffers");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->buffer_count; i++) {
        const graph_buffer *b = &w->graph->buffers[i];
        sonata_json_object(j);
        put_bound(j, "bytes", b->has_bytes, b->bytes);
        put_bool(j, "external", b->external);
        put_bool(j, "init", b->init);
        put_text(j, "key", b->key);
        put_bool(j, "manual_dep", b->manual_dep);
        if (b->symbol.length > 0)
            put_text(j, "symbol", b->symbol);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_accesses(writer *w, const graph_arg *arg)
{
    static const char *const modes[] = {"read", "write", "accumulate"};
    sonata_json *j = &w->json;
    sonata_json_key(j, "access");
    sonata_json_array(j);
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const graph_access *a = &w->graph->accesses[arg->first_access + i];
        sonata_json_object(j);
        put_bool(j, "exact", a->exact);
        put_name(j, "mode", modes[a->mode]);
        put_bool(j, "must", a->must);
        if (a->region != GRAPH_NONE) {
            sonata_json_key(j, "region");
            put_region(w, a->region, NULL);
        }
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_scalar(writer *w, const graph_arg *arg)
{
    sonata_json *j = &w->json;
    sonata_json_object(j);
    sonata_json_key(j, "scalar");
    if (arg->is_const) {
        sonata_json_int(j, arg->number);
    } else {
        sonata_json_object(j);
        put_text(j, "text", arg->text);
        sonata_json_end_object(j);
    }
    sonata_json_end_object(j);
}

static void put_args(writer *w, const graph_task *task)
{
    static const char *const declared[] = {"in", "out", "inout"};
    sonata_json *j = &w->json;
    sonata_json_key(j, "args");
    sonata_json_array(j);
    for (uint32_t i = 0; i < task->args; i++) {
        const graph_arg *arg = &w->graph->args[task->first_arg + i];
        if (arg->is_scalar) {
            put_scalar(w, arg);
            continue;
        }
        const graph_buffer *buffer = &w->graph->buffers[arg->buffer];
        sonata_json_object(j);
        put_accesses(w, arg);
        put_text(j, "buffer", buffer->key);
        put_name(j, "declared", declared[arg->declared]);
        if (arg->dispatch.length > 0)
            put_text(j, "dispatch", arg->dispatch);
        put_bool(j, "manual_dep", buffer->manual_dep);
        if (arg->view != GRAPH_NONE) {
            sonata_json_key(j, "view");
            put_region(w, arg->view, arg->dtype);
        }
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

/* In the order of the decisions, outermost first. */
static void put_when(writer *w, uint32_t when)
{
    sonata_json *j = &w->json;
    uint32_t n = 0;
    for (uint32_t i = when; i != GRAPH_NONE; i = w->graph->whens[i].parent)
        w->path[n++] = i;
    sonata_json_key(j, "when");
    sonata_json_array(j);
    while (n > 0) {
        const graph_when *item = &w->graph->whens[w->path[--n]];
        sonata_json_object(j);
        put_int(j, "choice", item->choice);
        put_bool(j, "is", item->is);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_deps(writer *w, const graph_task *task)
{
    static const char *const causes[] = {"", "dead", "reused", "none"};
    sonata_json *j = &w->json;
    sonata_json_key(j, "deps");
    sonata_json_array(j);
    for (uint32_t i = 0; i < task->deps; i++) {
        const graph_dep *dep = &w->graph->deps[task->first_dep + i];
        sonata_json_object(j);
        if (dep->cause == GRAPH_DEP_TASK) {
            put_int(j, "task", dep->task);
        } else {
            put_name(j, "cause", causes[dep->cause]);
            put_text(j, "name", dep->name);
            put_null(j, "task");
        }
        if (dep->when != GRAPH_NONE)
            put_when(w, dep->when);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_predicate(writer *w, const graph_task *task)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "predicate");
    sonata_json_object(j);
    if (task->predicate_formed) {
        put_text(j, "buffer", w->graph->buffers[task->predicate_buffer].key);
        put_name(j, "op", task->predicate_op);
        if (task->predicate_region != GRAPH_NONE) {
            sonata_json_key(j, "region");
            put_region(w, task->predicate_region, NULL);
        }
        put_int(j, "value", task->predicate_value);
    }
    sonata_json_end_object(j);
}

static void put_tasks(writer *w)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "tasks");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->task_count; i++) {
        const graph_task *task = &w->graph->tasks[i];
        sonata_json_object(j);
        put_args(w, task);
        if (task->blocks > 0)
            put_int(j, "blocks", task->blocks);
        else
            put_null(j, "blocks");
        put_name(j, "core", task->core);
        put_deps(w, task);
        put_bool(j, "dummy", task->dummy);
        put_bool(j, "early", task->early);
        put_int(j, "id", i);
        put_int(j, "line", (int64_t)task->line);
        put_text(j, "name", task->name);
        if (task->has_predicate)
            put_predicate(w, task);
        put_int(j, "scope", task->scope);
        put_bool(j, "sync_start", task->sync_start);
        if (task->when != GRAPH_NONE)
            put_when(w, task->when);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_scopes(writer *w)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "scopes");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->scope_count; i++) {
        const graph_scope *s = &w->graph->scopes[i];
        sonata_json_object(j);
        put_int(j, "id", i);
        put_bool(j, "manual", s->manual);
        put_bound(j, "parent", s->parent != GRAPH_NONE, s->parent);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_host_accesses(writer *w)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "host_accesses");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->host_access_count; i++) {
        const graph_host_access *a = &w->graph->host_accesses[i];
        sonata_json_object(j);
        put_bound(j, "after", a->after >= 0, a->after);
        put_text(j, "buffer", w->graph->buffers[a->buffer].key);
        put_int(j, "line", (int64_t)a->line);
        put_name(j, "mode", a->mode == GRAPH_READ ? "read" : "write");
        if (a->region != GRAPH_NONE) {
            sonata_json_key(j, "region");
            put_region(w, a->region, NULL);
        }
        if (a->when != GRAPH_NONE)
            put_when(w, a->when);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_empty(sonata_json *j, const char *key)
{
    sonata_json_key(j, key);
    sonata_json_array(j);
    sonata_json_end_array(j);
}

static void put_choices(writer *w)
{
    sonata_json *j = &w->json;
    sonata_json_key(j, "choices");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->choice_count; i++) {
        const graph_choice *c = &w->graph->choices[i];
        sonata_json_object(j);
        put_int(j, "id", i);
        put_name(j, "kind", c->kind);
        put_int(j, "line", (int64_t)c->line);
        put_text(j, "text", c->text);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
}

static void put_impossible(writer *w)
{
    sonata_json *j = &w->json;
    if (w->graph->impossible_count == 0)
        return;
    sonata_json_key(j, "impossible");
    sonata_json_array(j);
    for (uint32_t i = 0; i < w->graph->impossible_count; i++) {
        const graph_impossible *item = &w->graph->impossibles[i];
        sonata_json_array(j);
        for (uint32_t k = 0; k < 2; k++) {
            sonata_json_object(j);
            put_int(j, "choice", item->choice[k]);
            put_bool(j, "is", item->is[k]);
            sonata_json_end_object(j);
        }
        sonata_json_end_array(j);
    }
    sonata_json_end_array(j);
}

/* The tasks of each dynamic part, as lists of (task, next). */
typedef struct part_lists {
    uint32_t *first, *last; /* per site: items, or GRAPH_NONE */
    uint32_t *task, *next;  /* items */
} part_lists;

static bool list_parts(const graph *g, part_lists *p)
{
    size_t items = 0, n = 0;
    for (uint32_t i = 0; i < g->task_count; i++)
        for (uint32_t d = g->tasks[i].dynamic; d != GRAPH_NONE;
             d = g->dynamics[d].parent)
            items++;
    p->first = malloc(((size_t)g->site_count + 1) * sizeof *p->first);
    p->last = malloc(((size_t)g->site_count + 1) * sizeof *p->last);
    p->task = malloc((items + 1) * sizeof *p->task);
    p->next = malloc((items + 1) * sizeof *p->next);
    if (p->first == NULL || p->last == NULL || p->task == NULL ||
        p->next == NULL || items >= GRAPH_NONE)
        return false;
    for (uint32_t i = 0; i < g->site_count; i++)
        p->first[i] = p->last[i] = GRAPH_NONE;
    for (uint32_t i = 0; i < g->task_count; i++)
        for (uint32_t d = g->tasks[i].dynamic; d != GRAPH_NONE;
             d = g->dynamics[d].parent) {
            uint32_t site = g->dynamics[d].site;
            uint32_t *link = p->last[site] == GRAPH_NONE
                                 ? &p->first[site]
                                 : &p->next[p->last[site]];
            if (p->last[site] != GRAPH_NONE && p->task[p->last[site]] == i)
                continue;
            *link = p->last[site] = (uint32_t)n;
            p->task[n] = i;
            p->next[n++] = GRAPH_NONE;
        }
    return true;
}

static bool put_dynamic(writer *w)
{
    sonata_json *j = &w->json;
    const graph *g = w->graph;
    part_lists p = {0};
    bool ok = list_parts(g, &p);
    sonata_json_key(j, "dynamic");
    sonata_json_array(j);
    for (uint32_t i = 0; ok && i < g->site_count; i++) {
        /* A branch without tasks decides nothing; what has none by its nature
           (a host function) is not judged. */
        if (p.first[i] == GRAPH_NONE && g->sites[i].stmt != GRAPH_NONE)
            continue;
        sonata_json_object(j);
        put_int(j, "line", (int64_t)g->sites[i].line);
        put_name(j, "reason", g->sites[i].reason);
        sonata_json_key(j, "tasks");
        sonata_json_array(j);
        for (uint32_t k = p.first[i]; k != GRAPH_NONE; k = p.next[k])
            sonata_json_int(j, p.task[k]);
        sonata_json_end_array(j);
        sonata_json_end_object(j);
    }
    sonata_json_end_array(j);
    free(p.first);
    free(p.last);
    free(p.task);
    free(p.next);
    return ok;
}

char *graph_write(const graph *g, const affine_pool *numbers, const char *rules,
                  size_t *length)
{
    writer w = {.graph = g, .numbers = numbers};
    w.used = calloc((size_t)numbers->symbol_count + 1, sizeof *w.used);
    w.path = malloc(((size_t)g->when_count + 1) * sizeof *w.path);
    if (w.used == NULL || w.path == NULL) {
        free(w.used);
        free(w.path);
        return NULL;
    }
    mark_symbols(&w);
    sonata_json_init(&w.json, false);
    sonata_json *j = &w.json;
    sonata_json_object(j);
    put_buffers(&w);
    put_choices(&w);
    bool ok = put_dynamic(&w);
    put_empty(j, "edges");
    put_facts(&w);
    put_host_accesses(&w);
    put_impossible(&w);
    put_name(j, "kind", "task_graph");
    put_text(j, "name", g->name);
    put_name(j, "rules", rules);
    put_scopes(&w);
    put_symbols(&w);
    put_tasks(&w);
    put_int(j, "version", 1);
    sonata_json_end_object(j);
    free(w.used);
    free(w.path);
    char *text = ok ? sonata_json_take(j, length) : NULL;
    sonata_json_free(j);
    return text;
}
