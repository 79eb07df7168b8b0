/* A task graph as text, in the layout and order of keys that the case has. */
#include "graph.h"

#include <stdio.h>

/* A string as it stands in the text. */
typedef struct quoted {
    const char *json;
    size_t length;
} quoted;

typedef struct writer {
    const graph *g;
    fuzz_text *t;
    graph_regions regions;
    fuzz_random layout;
    uint32_t turn;  /* where the keys of objects begin */
    bool backwards; /* and which way they go */
    bool wordy;     /* fields that say what is so anyway are written, too */
    quoted *keys;   /* by buffer */
    uint32_t counts[GRAPH_OBJECTS];
    const char *skip; /* the field that the damaged object does not get */
    uint32_t skip_depth;
} writer;

/* --- Objects, and the damage to one of them --- */

static void open_object(writer *w, graph_object object)
{
    const graph_damage *d = &w->g->damage;
    bool here = d->field != NULL && d->object == object &&
                d->index == w->counts[object];
    w->counts[object]++;
    fuzz_open(w->t, '{');
    if (here) {
        w->skip = d->field;
        w->skip_depth = w->t->depth;
    }
}

static void close_object(writer *w)
{
    if (w->skip != NULL && w->skip_depth == w->t->depth) {
        if (w->g->damage.value != NULL) {
            fuzz_key(w->t, w->skip);
            fuzz_raw(w->t, w->g->damage.value);
        }
        w->skip = NULL;
    }
    fuzz_close(w->t);
}

/* The key of a field, unless the damage takes it. */
static bool key(writer *w, const char *name)
{
    if (w->skip != NULL && w->skip_depth == w->t->depth &&
        strcmp(w->skip, name) == 0)
        return false;
    fuzz_key(w->t, name);
    return true;
}

static void key_int(writer *w, const char *name, int64_t value)
{
    if (key(w, name))
        fuzz_int(w->t, value);
}

static void key_string(writer *w, const char *name, const char *value)
{
    if (key(w, name))
        fuzz_string(w->t, value);
}

static void key_of_buffer(writer *w, const char *name, uint32_t buffer)
{
    if (key(w, name))
        fuzz_raw_n(w->t, w->keys[buffer].json, w->keys[buffer].length);
}

/* A field that need not be written where it says what holds anyway. */
static void key_bool(writer *w, const char *name, bool value, bool otherwise)
{
    if ((value != otherwise || w->wordy) && key(w, name))
        fuzz_bool(w->t, value);
}

typedef void (*field)(writer *w, uint32_t index);

/* The fields of an object, turned round. */
static void put_fields(writer *w, const field *fields, uint32_t count,
                       uint32_t index)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (w->turn + i) % count;
        fields[w->backwards ? count - 1 - at : at](w, index);
    }
}

/* --- Symbols, choices, buffers, scopes --- */

static void put_symbols(writer *w, uint32_t index)
{
    (void)index;
    if (!w->g->moving || !key(w, "symbols"))
        return;
    fuzz_raw(w->t, "[{\"name\":\"i\",\"min\":0,\"max\":31,\"step\":1,"
                   "\"free\":true},{\"name\":\"d\",\"min\":1,\"max\":32,"
                   "\"step\":1,\"free\":true}]");
}

static void put_choices(writer *w, uint32_t index)
{
    (void)index;
    if (w->g->choices == 0 || !key(w, "choices"))
        return;
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < w->g->choices; i++) {
        fuzz_open(w->t, '{');
        fuzz_key_int(w->t, "id", 10 * (int64_t)i);
        if (i % 2 == 0)
            fuzz_key_string(w->t, "kind", i == 0 ? "if" : "loop");
        fuzz_key_string(w->t, "text", "n > 4");
        fuzz_close(w->t);
    }
    fuzz_close(w->t);
}

static void put_alias(writer *w, const graph_buffer *b)
{
    const graph_buffer *under = &w->g->buffers[b->under];
    if (!key(w, "alias_of"))
        return;
    fuzz_open(w->t, '{');
    fuzz_key(w->t, "key");
    fuzz_raw_n(w->t, w->keys[b->under].json, w->keys[b->under].length);
    fuzz_key_int(w->t, "offset",
                 (b->row_at - under->row_at) * fuzz_graph_row_bytes(b));
    fuzz_close(w->t);
}

static void put_buffer(writer *w, uint32_t index)
{
    const graph_buffer *b = &w->g->buffers[index];
    const graph_buffer *root = &w->g->buffers[b->root];
    open_object(w, GRAPH_OF_BUFFER);
    key_of_buffer(w, "key", index);
    if (b->sized)
        key_int(w, "bytes", fuzz_graph_bytes(b));
    else if (w->wordy && key(w, "bytes"))
        fuzz_null(w->t);
    if (!b->sized && w->wordy)
        key_string(w, "symbol", "n*64");
    if (b->align > 0)
        key_int(w, "align", b->align);
    key_bool(w, "external", b->external,
             strncmp(w->keys[index].json, "\"alloc:", 7) != 0);
    key_bool(w, "init", root->init && !b->external, false);
    key_bool(w, "manual_dep", b->manual_dep, false);
    if (b->under != index)
        put_alias(w, b);
    close_object(w);
}

static void put_buffers(writer *w, uint32_t index)
{
    (void)index;
    if (!key(w, "buffers"))
        return;
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < w->g->buffer_count; i++)
        put_buffer(w, i);
    fuzz_close(w->t);
}

static void put_scopes(writer *w, uint32_t index)
{
    (void)index;
    if (w->g->scope_count == 0 || !key(w, "scopes"))
        return;
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < w->g->scope_count; i++) {
        const graph_scope *s = &w->g->scopes[i];
        open_object(w, GRAPH_OF_SCOPE);
        key_int(w, "id", i);
        key_bool(w, "manual", s->manual, false);
        if (s->parent != GRAPH_NONE)
            key_int(w, "parent", s->parent);
        else if (w->wordy && key(w, "parent"))
            fuzz_null(w->t);
        close_object(w);
    }
    fuzz_close(w->t);
}

/* --- Arguments --- */

static bool same_range(graph_range a, graph_range b)
{
    return a.from == b.from && a.count == b.count && a.step == b.step;
}

static bool same_box(graph_box a, graph_box b)
{
    return same_range(a.rows, b.rows) && same_range(a.cols, b.cols);
}

static void put_access(writer *w, const graph_task *task, const graph_arg *arg)
{
    static const char *const modes[] = {"read", "write", "inout", "accumulate"};
    bool may =
        arg->may || (task->predicate != GRAPH_NONE && arg->mode != GRAPH_READ);
    if (arg->unknown || !key(w, "access"))
        return;
    fuzz_open(w->t, '[');
    open_object(w, GRAPH_OF_ACCESS);
    key_string(w, "mode", modes[arg->mode]);
    if (!may)
        key_bool(w, "must", true, false);
    else
        key_bool(w, "must", false, false);
    key_bool(w, "exact", !arg->bound, false);
    bool part = !same_box(arg->box, arg->view) || arg->blocks > 0;
    if (!arg->six && (part || fuzz_chance(&w->layout, 1, 8))) {
        if (key(w, "region"))
            fuzz_graph_region(&w->regions, arg, arg->box, false);
    }
    close_object(w);
    fuzz_close(w->t);
}

const graph_scalar *fuzz_graph_scalar(uint32_t which)
{
    static const graph_scalar values[] = {
        {"0", "0"},
        {"1", "1"},
        {"4", "4"},
        {"-1", "-1"},
        {"64", "64"},
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"{\"text\":\"0.5\"}", "\"0.5\""},
        {"{\"text\":\"n * 4\"}", "\"n * 4\""},
        {"\"true\"", "\"true\""},
        {"null", "null"},
        {"{\"text\":\"\"}", "\"\""},
    };
    return &values[which % (sizeof values / sizeof *values)];
}

static void put_scalar(writer *w, const graph_arg *arg)
{
    open_object(w, GRAPH_OF_SCALAR);
    if (key(w, "scalar"))
        fuzz_raw(w->t, fuzz_graph_scalar(arg->scalar)->graph);
    close_object(w);
}

static void put_arg(writer *w, const graph_task *task, const graph_arg *arg)
{
    static const char *const dispatches[] = {
        "input", "output", "output_existing", "inout", "no_dep"};
    static const char *const declared[] = {NULL, "in", "out", "inout"};
    if (arg->buffer == GRAPH_NONE) {
        put_scalar(w, arg);
        return;
    }
    open_object(w, GRAPH_OF_ARG);
    key_of_buffer(w, "buffer", arg->buffer);
    if (arg->dispatch != GRAPH_UNTOLD)
        key_string(w, "dispatch", dispatches[arg->dispatch]);
    if (arg->declared != 0 && (w->wordy || arg->lies))
        key_string(w, "declared", declared[arg->declared]);
    key_bool(w, "manual_dep", arg->manual_dep, false);
    bool whole = same_box(arg->view, fuzz_graph_whole(w->g, arg->buffer));
    if (arg->six && key(w, "view"))
        fuzz_raw(w->t, "{\"elem\":1,\"dims\":[[1,1,0],[1,1,0],[1,1,0],"
                       "[1,1,0],[1,1,0],[1,1,0]]}");
    else if ((!whole || fuzz_chance(&w->layout, 1, 8)) && key(w, "view"))
        fuzz_graph_region(&w->regions, arg, arg->view, true);
    put_access(w, task, arg);
    close_object(w);
}

/* --- Tasks --- */

static void put_id(writer *w, uint32_t t)
{
    key_int(w, "id", w->g->tasks[t].id);
}

static void put_name(writer *w, uint32_t t)
{
    static const char *const cores[] = {"aiv", "aic", "mixed"};
    char name[GRAPH_NAME];
    const graph_task *task = &w->g->tasks[t];
    fuzz_graph_callee(w->g, task->name, name);
    key_string(w, "name", name);
    if (task->core < 3)
        key_string(w, "core", cores[task->core]);
    if (w->wordy)
        key_int(w, "line", 10 + (int64_t)task->number);
}

static void put_blocks(writer *w, uint32_t t)
{
    const graph_task *task = &w->g->tasks[t];
    if (task->blocks == 0 && key(w, "blocks"))
        fuzz_null(w->t);
    else if (task->blocks > 1 || (task->blocks == 1 && w->wordy))
        key_int(w, "blocks", task->blocks);
    key_bool(w, "sync_start", task->sync_start, false);
    key_bool(w, "dummy", task->dummy, false);
    key_bool(w, "early", task->early != (w->g->relation == FUZZ_EARLY), false);
}

static void put_when(writer *w, uint32_t choice, bool is)
{
    if (!key(w, "when"))
        return;
    fuzz_open(w->t, '[');
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "choice", 10 * (int64_t)choice);
    fuzz_key_bool(w->t, "is", is);
    fuzz_close(w->t);
    fuzz_close(w->t);
}

static void put_scope(writer *w, uint32_t t)
{
    const graph_task *task = &w->g->tasks[t];
    if (task->scope != GRAPH_NONE)
        key_int(w, "scope", task->scope);
    if (task->choice != GRAPH_NONE)
        put_when(w, task->choice, task->is);
}

static int64_t end_of(const graph *g, uint32_t t)
{
    return t < g->task_count ? g->tasks[t].id : g->no_task;
}

static void put_deps(writer *w, uint32_t t)
{
    const graph *g = w->g;
    bool dead = g->tasks[t].dead_dep, open = false;
    for (uint32_t e = g->first_dep[t]; e != 0; e = g->next_dep[e]) {
        if (!open && !key(w, "deps"))
            return;
        if (!open)
            fuzz_open(w->t, '[');
        open = true;
        open_object(w, GRAPH_OF_DEP);
        key_int(w, "task", end_of(g, g->edges[e - 1].from));
        if (g->edges[e - 1].when != 0)
            put_when(w, (g->edges[e - 1].when - 1) / 2,
                     g->edges[e - 1].when % 2 == 0);
        close_object(w);
    }
    if (dead && (open || key(w, "deps"))) {
        if (!open)
            fuzz_open(w->t, '[');
        open = true;
        fuzz_raw(w->t, "{\"task\":null,\"name\":\"prev\",\"cause\":\"dead\"}");
    }
    if (open)
        fuzz_close(w->t);
}

static void put_predicate(writer *w, uint32_t t)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    const graph_task *task = &w->g->tasks[t];
    if (task->predicate == GRAPH_NONE || !key(w, "predicate"))
        return;
    const graph_arg *operand = &w->g->args[task->predicate];
    open_object(w, GRAPH_OF_PREDICATE);
    key_of_buffer(w, "buffer", operand->buffer);
    if (key(w, "region"))
        fuzz_graph_region(&w->regions, operand, operand->box, false);
    if (!task->formless || task->number % 2 == 0)
        key_string(w, "op", ops[task->name % 6]);
    if (!task->formless || task->number % 2 == 1)
        key_int(w, "value", task->number);
    close_object(w);
}

static void put_args(writer *w, uint32_t t)
{
    const graph_task *task = &w->g->tasks[t];
    if ((task->args == 0 && !w->wordy) || !key(w, "args"))
        return;
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < task->args; i++)
        put_arg(w, task, &w->g->args[task->first_arg + i]);
    fuzz_close(w->t);
}

/* How a task is told does not depend on what stands before it. */
static void draw_anew(writer *w, uint32_t number)
{
    w->layout.counter = (UINT64_C(1) + number) << 24;
    w->regions.random.counter = (UINT64_C(1) + number) << 24;
}

static void put_bare(writer *w, uint32_t t)
{
    put_id(w, t);
    fuzz_raw(w->t, "\"core\":\"aiv\"");
}

static void put_tasks(writer *w, uint32_t index)
{
    static const field fields[] = {put_id,    put_name, put_blocks,
                                   put_scope, put_deps, put_predicate,
                                   put_args};
    (void)index;
    if (!key(w, "tasks"))
        return;
    fuzz_open(w->t, '[');
    for (uint32_t t = 0; t < w->g->task_count; t++) {
        open_object(w, GRAPH_OF_TASK);
        draw_anew(w, w->g->tasks[t].number);
        if (w->g->tasks[t].bare)
            put_bare(w, t);
        else
            put_fields(w, fields, sizeof fields / sizeof *fields, t);
        close_object(w);
    }
    fuzz_close(w->t);
}

/* --- Edges and the orchestration --- */

static void put_edge(writer *w, const graph_edge *e)
{
    static const char *const sources[] = {
        [GRAPH_EXPLICIT] = "explicit",
        [GRAPH_AUTOMATIC] = "automatic",
        [GRAPH_RECORDED] = "recorded",
        [GRAPH_POLICY] = "policy",
    };
    static const char *const labels[] = {NULL, "data", "storage", "war",
                                         "ordering"};
    open_object(w, GRAPH_OF_EDGE);
    key_int(w, "from", end_of(w->g, e->from));
    key_int(w, "to", end_of(w->g, e->to));
    if (e->form != GRAPH_AUTOMATIC || w->wordy)
        key_string(w, "source", sources[e->form]);
    if (e->label != 0)
        key_string(w, "kind", labels[e->label]);
    key_bool(w, "certain", !e->doubtful, true);
    close_object(w);
}

static void put_edges(writer *w, uint32_t index)
{
    (void)index;
    bool open = w->wordy && key(w, "edges");
    if (w->wordy && !open)
        return;
    if (open)
        fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < w->g->edge_count; i++) {
        const graph_edge *e = &w->g->edges[i];
        if (e->form < GRAPH_EXPLICIT || e->form > GRAPH_POLICY)
            continue;
        if (!open) {
            if (!key(w, "edges"))
                return;
            fuzz_open(w->t, '[');
        }
        open = true;
        put_edge(w, e);
    }
    if (open)
        fuzz_close(w->t);
}

static void put_hosts(writer *w, uint32_t index)
{
    (void)index;
    if (w->g->host_count == 0 || !key(w, "host_accesses"))
        return;
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < w->g->host_count; i++) {
        const graph_host *h = &w->g->hosts[i];
        open_object(w, GRAPH_OF_HOST);
        if (h->after != GRAPH_NONE)
            key_int(w, "after", w->g->tasks[h->after].id);
        key_string(w, "mode", h->writes ? "write" : "read");
        key_of_buffer(w, "buffer", h->buffer);
        key_int(w, "line", 40 + (int64_t)i);
        close_object(w);
    }
    fuzz_close(w->t);
}

static void put_head(writer *w, uint32_t index)
{
    static const char *const rules[] = {NULL, "none", "conservative",
                                        "tensormap"};
    (void)index;
    key_string(w, "kind", "task_graph");
    key_int(w, "version", 1);
    key_string(w, "name", "case");
    if (rules[w->g->rules] != NULL)
        key_string(w, "rules", rules[w->g->rules]);
}

/* --- The whole --- */

fuzz_layout fuzz_graph_layout(fuzz_random *random)
{
    uint64_t layout = fuzz_below(random, 8);
    return layout == 0 ? FUZZ_PRETTY : layout < 3 ? FUZZ_SPACED : FUZZ_COMPACT;
}

/* The deps of each task, as lists through the edges. */
static bool index_deps(graph *g)
{
    g->first_dep =
        fuzz_arena_get(g->arena, g->task_count + 1, sizeof *g->first_dep);
    g->next_dep =
        fuzz_arena_get(g->arena, g->edge_count + 1, sizeof *g->next_dep);
    if (g->first_dep == NULL || g->next_dep == NULL)
        return false;
    for (uint32_t i = g->edge_count; i > 0; i--) {
        const graph_edge *e = &g->edges[i - 1];
        if (e->form != GRAPH_DEP && i != g->lost)
            continue;
        g->next_dep[i] = g->first_dep[e->to];
        g->first_dep[e->to] = i;
    }
    return true;
}

/* The keys of all buffers, once; `expected` is not used by judged cases. */
static bool quote_keys(writer *w)
{
    const graph *g = w->g;
    fuzz_text *t = &g->c->expected;
    w->keys = fuzz_arena_get(g->arena, g->buffer_count + 1, sizeof *w->keys);
    for (uint32_t b = 0; w->keys != NULL && b < g->buffer_count; b++) {
        char name[GRAPH_NAME];
        fuzz_graph_key(g, b, name);
        fuzz_text_clear(t);
        fuzz_string(t, name);
        char *json = fuzz_arena_get(g->arena, t->length + 1, 1);
        if (json == NULL || t->failed)
            return false;
        memcpy(json, t->data, t->length);
        w->keys[b] = (quoted){json, t->length};
    }
    fuzz_text_clear(t);
    return w->keys != NULL;
}

void fuzz_graph_write(graph *g, fuzz_text *text)
{
    static const field fields[] = {put_head,    put_symbols, put_choices,
                                   put_buffers, put_scopes,  put_tasks,
                                   put_edges,   put_hosts};
    writer w = {.g = g,
                .t = text,
                .layout = fuzz_random_of(&g->c->name, GRAPH_FOR_LAYOUT)};
    w.regions = (graph_regions){
        .g = g,
        .text = text,
        .random = fuzz_random_of(&g->c->name, GRAPH_FOR_REGIONS),
        .same_elem = g->rules == GRAPH_RULES_TENSORMAP,
    };
    fuzz_layout layout = fuzz_graph_layout(&w.layout);
    if (text->depth == 0)
        text->layout = layout;
    w.turn = (uint32_t)fuzz_below(&w.layout, 8);
    w.backwards = fuzz_chance(&w.layout, 1, 4);
    w.wordy = fuzz_chance(&w.layout, 1, 2);
    if (!index_deps(g) || !quote_keys(&w))
        return;
    open_object(&w, GRAPH_OF_ROOT);
    put_fields(&w, fields, sizeof fields / sizeof *fields, 0);
    close_object(&w);
}
