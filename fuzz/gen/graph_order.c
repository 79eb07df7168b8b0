/*
 * The literal rule: every two tasks that meet in a byte and of which one writes
 * are in order. Drawn cell by cell in program order: a read comes behind the
 * last writes, a write behind them and behind all reads since.
 */
#include "graph.h"

/* --- Geometry --- */

bool fuzz_graph_ranges_meet(graph_range a, graph_range b)
{
    for (uint32_t i = 0; i < a.count; i++) {
        uint32_t at = a.from + i * a.step;
        if (at >= b.from && (at - b.from) % b.step == 0 &&
            (at - b.from) / b.step < b.count)
            return true;
    }
    return false;
}

static graph_range rows_of(const graph *g, const graph_arg *arg)
{
    graph_range rows = arg->box.rows;
    rows.from += g->buffers[arg->buffer].row_at;
    return rows;
}

bool fuzz_graph_boxes_meet(const graph *g, const graph_arg *a,
                           const graph_arg *b)
{
    return g->buffers[a->buffer].root == g->buffers[b->buffer].root &&
           fuzz_graph_ranges_meet(rows_of(g, a), rows_of(g, b)) &&
           fuzz_graph_ranges_meet(a->box.cols, b->box.cols);
}

/* --- What the cells know --- */

/* Tasks in a list, newest first; 0 is no node. */
typedef struct node {
    uint32_t task, next;
} node;

typedef struct cell {
    uint32_t writers; /* the last one, or all (all_pairs) */
    uint32_t readers; /* since that */
    uint32_t adders;  /* accumulations since that */
    bool valued;
} cell;

typedef struct walk {
    graph *g;
    cell *cells;
    node *nodes;
    uint32_t node_count, node_room;
    uint32_t *seen; /* by task: 1 + its edge to the task that is walked */
    uint32_t task;
} walk;

static void push(walk *w, uint32_t *list)
{
    if (*list != 0 && w->nodes[*list].task == w->task)
        return;
    node *grown = fuzz_arena_grow(w->g->arena, w->nodes, w->node_count,
                                  &w->node_room, sizeof *grown);
    if (grown == NULL)
        return;
    w->nodes = grown;
    grown[w->node_count] = (node){w->task, *list};
    *list = w->node_count++;
}

graph_edge *fuzz_graph_edge(graph *g, uint32_t from, uint32_t to,
                            unsigned kinds)
{
    graph_edge *grown = fuzz_arena_grow(g->arena, g->edges, g->edge_count,
                                        &g->edge_room, sizeof *grown);
    if (grown == NULL)
        return NULL;
    g->edges = grown;
    grown[g->edge_count] =
        (graph_edge){.from = from, .to = to, .kinds = (uint8_t)kinds};
    return &grown[g->edge_count++];
}

static void order_after(walk *w, uint32_t list, unsigned kind)
{
    for (; list != 0; list = w->nodes[list].next) {
        uint32_t from = w->nodes[list].task;
        if (from == w->task)
            continue;
        if (w->seen[from] > w->g->first_edge[w->task]) {
            w->g->edges[w->seen[from] - 1].kinds |= (uint8_t)kind;
        } else if (fuzz_graph_edge(w->g, from, w->task, kind) != NULL) {
            w->seen[from] = w->g->edge_count;
        }
    }
}

/* --- One access --- */

typedef void (*visit)(walk *w, cell *c, unsigned kind);

static void each_cell(walk *w, const graph_arg *arg, visit call, unsigned kind)
{
    const graph *g = w->g;
    const graph_buffer *root = &g->buffers[g->buffers[arg->buffer].root];
    graph_range rows = rows_of(g, arg), cols = arg->box.cols;
    for (uint32_t r = 0; r < rows.count; r++) {
        uint32_t row = rows.from + r * rows.step;
        for (uint32_t c = 0; c < cols.count; c++)
            call(w,
                 &w->cells[root->first_cell + row * root->cols + cols.from +
                           c * cols.step],
                 kind);
    }
}

static void read_behind(walk *w, cell *c, unsigned kind)
{
    order_after(w, c->writers, kind);
    order_after(w, c->adders, kind);
}

static void write_behind(walk *w, cell *c, unsigned kind)
{
    order_after(w, c->writers, kind);
    order_after(w, c->adders, kind);
    order_after(w, c->readers, GRAPH_WAR);
}

static void add_behind(walk *w, cell *c, unsigned kind)
{
    order_after(w, c->writers, kind);
    order_after(w, c->readers, GRAPH_WAR);
}

static void note_read(walk *w, cell *c, unsigned kind)
{
    (void)kind;
    push(w, &c->readers);
}

static void note_add(walk *w, cell *c, unsigned kind)
{
    (void)kind;
    push(w, &c->adders);
}

static void note_write(walk *w, cell *c, unsigned kind)
{
    (void)kind;
    if (!w->g->all_pairs) {
        c->readers = 0;
        c->adders = 0;
        c->writers = 0;
    }
    push(w, &c->writers);
}

static void walk_task(walk *w)
{
    static const visit behind[] = {read_behind, write_behind, write_behind,
                                   add_behind};
    static const visit note[] = {note_read, note_write, note_write, note_add};
    static const uint8_t kinds[] = {GRAPH_DATA, GRAPH_STORAGE, GRAPH_STORAGE,
                                    GRAPH_STORAGE};
    const graph *g = w->g;
    const graph_task *t = &g->tasks[w->task];
    if (t->predicate != GRAPH_NONE)
        each_cell(w, &g->args[t->predicate], read_behind, GRAPH_OPERAND);
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        const graph_arg *arg = &g->args[i];
        if (arg->buffer == GRAPH_NONE)
            continue;
        if (arg->mode == GRAPH_INOUT)
            each_cell(w, arg, read_behind, GRAPH_DATA);
        each_cell(w, arg, behind[arg->mode], kinds[arg->mode]);
    }
    if (t->predicate != GRAPH_NONE)
        each_cell(w, &g->args[t->predicate], note_read, 0);
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        const graph_arg *arg = &g->args[i];
        if (arg->buffer != GRAPH_NONE)
            each_cell(w, arg, note[arg->mode], 0);
    }
}

static bool start(walk *w, graph *g)
{
    uint32_t cells = 0;
    for (uint32_t b = 0; b < g->buffer_count; b++) {
        graph_buffer *buffer = &g->buffers[b];
        buffer->first_cell = cells;
        if (buffer->root == b)
            cells += buffer->rows * buffer->cols;
    }
    *w = (walk){.g = g, .node_count = 1};
    w->cells = fuzz_arena_get(g->arena, cells + 1, sizeof *w->cells);
    w->nodes = fuzz_arena_grow(g->arena, NULL, 0, &w->node_room, sizeof(node));
    return w->cells != NULL && w->nodes != NULL;
}

void fuzz_graph_order(graph *g)
{
    walk w;
    g->first_room = g->task_count + 1;
    g->first_edge =
        fuzz_arena_get(g->arena, g->first_room, sizeof *g->first_edge);
    if (!start(&w, g) || g->first_edge == NULL)
        return;
    w.seen = fuzz_arena_get(g->arena, g->task_count + 1, sizeof *w.seen);
    if (w.seen == NULL)
        return;
    for (w.task = 0; w.task < g->task_count; w.task++) {
        g->first_edge[w.task] = g->edge_count;
        walk_task(&w);
    }
    g->first_edge[g->task_count] = g->edge_count;
}

/* --- Values --- */

static void need_value(walk *w, cell *c, unsigned root)
{
    if (!c->valued)
        w->g->buffers[root].init = true;
}

static void give_value(walk *w, cell *c, unsigned kind)
{
    (void)w;
    (void)kind;
    c->valued = true;
}

/* A write that may not happen ends no wait for a first value. */
static bool is_sure(const graph_task *t, const graph_arg *arg)
{
    return t->choice == GRAPH_NONE && t->predicate == GRAPH_NONE && !t->dummy &&
           !arg->may && !arg->bound && !arg->unknown &&
           arg->mode != GRAPH_ACCUMULATE;
}

static void need(walk *w, const graph_arg *arg)
{
    uint32_t root = w->g->buffers[arg->buffer].root;
    if (!w->g->buffers[root].external && !w->g->buffers[root].init)
        each_cell(w, arg, need_value, root);
}

void fuzz_graph_initialise(graph *g)
{
    walk w;
    if (!start(&w, g))
        return;
    for (uint32_t t = 0; t < g->task_count; t++) {
        const graph_task *task = &g->tasks[t];
        const graph_arg *args = g->args + task->first_arg;
        if (task->predicate != GRAPH_NONE)
            need(&w, &g->args[task->predicate]);
        for (uint32_t i = 0; i < task->args; i++) {
            if (args[i].buffer != GRAPH_NONE && args[i].mode != GRAPH_WRITE)
                need(&w, &args[i]);
        }
        for (uint32_t i = 0; i < task->args; i++) {
            if (args[i].buffer != GRAPH_NONE && args[i].mode != GRAPH_READ &&
                is_sure(task, &args[i]))
                each_cell(&w, &args[i], give_value, 0);
        }
    }
}

/* --- Questions --- */

static unsigned meet_of(const graph_arg *a, const graph_arg *b)
{
    bool reads[2] = {a->mode == GRAPH_READ || a->mode == GRAPH_INOUT,
                     b->mode == GRAPH_READ || b->mode == GRAPH_INOUT};
    bool writes[2] = {a->mode != GRAPH_READ, b->mode != GRAPH_READ};
    unsigned kinds = 0;
    if (a->mode == GRAPH_ACCUMULATE && b->mode == GRAPH_ACCUMULATE)
        return 0;
    kinds |= writes[0] && reads[1] ? GRAPH_DATA : 0u;
    kinds |= writes[0] && writes[1] ? GRAPH_STORAGE : 0u;
    kinds |= reads[0] && writes[1] ? GRAPH_WAR : 0u;
    return kinds;
}

unsigned fuzz_graph_meet(const graph *g, uint32_t from, uint32_t to)
{
    const graph_task *a = &g->tasks[from], *b = &g->tasks[to];
    unsigned kinds = 0;
    for (uint32_t i = a->first_arg; i < a->first_arg + a->args; i++) {
        for (uint32_t k = b->first_arg; k < b->first_arg + b->args; k++) {
            const graph_arg *x = &g->args[i], *y = &g->args[k];
            if (x->buffer != GRAPH_NONE && y->buffer != GRAPH_NONE &&
                fuzz_graph_boxes_meet(g, x, y))
                kinds |= meet_of(x, y);
        }
    }
    return kinds;
}

/*
 * Backwards from `to`: all edges run from earlier tasks to later ones, so one
 * pass over the tasks between the two is enough.
 */
bool fuzz_graph_path(const graph *g, uint32_t from, uint32_t to,
                     uint32_t without)
{
    bool *reaches = fuzz_arena_get(g->arena, to + 1, sizeof *reaches);
    if (reaches == NULL)
        return true;
    reaches[to] = true;
    for (uint32_t t = to; t > from; t--) {
        if (!reaches[t])
            continue;
        for (uint32_t e = g->first_edge[t]; e < g->first_edge[t + 1]; e++) {
            if (e != without && g->edges[e].form != GRAPH_GONE)
                reaches[g->edges[e].from] = true;
        }
    }
    return reaches[from];
}
