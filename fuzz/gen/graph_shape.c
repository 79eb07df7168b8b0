/* Shapes of task graphs: tasks in program order, and what they touch. */
#include "graph.h"

#define GROW(g, list, count, room)                                             \
    ((g)->list =                                                               \
         grow((g), (g)->list, (g)->count, &(g)->room, sizeof *(g)->list))
#define EXTERNALS 200 /* the runtime takes 256 of them */
#define MANY 64
#define FUNCTIONS 1000 /* ... and calls 1,024 */

/* The list as it was where memory ran out, which the arena remembers. */
static void *grow(graph *g, void *items, uint32_t count, uint32_t *room,
                  size_t size)
{
    void *grown = fuzz_arena_grow(g->arena, items, count, room, size);
    return grown == NULL ? items : grown;
}

static uint32_t pick(graph *g, uint32_t n)
{
    return (uint32_t)fuzz_below(&g->shape_random, n);
}

static bool chance(graph *g, uint32_t part, uint32_t of)
{
    return fuzz_chance(&g->shape_random, part, of);
}

/* --- What shapes are made of --- */

void fuzz_graph_fit(const graph *g, graph_buffer *buffer)
{
    while (g->most > 0 && fuzz_graph_bytes(buffer) > g->most &&
           (buffer->width > 1 || buffer->elem > 1))
        *(buffer->width > 1 ? &buffer->width : &buffer->elem) /= 2;
}

uint32_t fuzz_graph_buffer(graph *g, bool external, uint32_t rows,
                           uint32_t cols)
{
    static const uint32_t widths[] = {1, 1, 4, 16, 64, 128};
    static const uint32_t elems[] = {1, 2, 4, 4, 4, 8};
    uint32_t index = g->buffer_count;
    GROW(g, buffers, buffer_count, buffer_room);
    if (index == g->buffer_room)
        return 0;
    uint32_t width = widths[fuzz_below(&g->uses, 6)];
    uint32_t elem = elems[fuzz_below(&g->uses, 6)];
    g->buffers[index] = (graph_buffer){
        .rows = rows,
        .cols = cols,
        .width = width,
        .elem = elem,
        .root = index,
        .under = index,
        .number = index,
        .external = external && g->externals < EXTERNALS,
        .init = external && g->externals >= EXTERNALS,
        .sized = true,
    };
    fuzz_graph_fit(g, &g->buffers[index]);
    g->externals += g->buffers[index].external;
    g->buffer_count++;
    return index;
}

static uint32_t buffer(graph *g, bool external)
{
    return fuzz_graph_buffer(g, external, 1, 1);
}

uint32_t fuzz_graph_task(graph *g)
{
    uint32_t index = g->task_count;
    GROW(g, tasks, task_count, task_room);
    if (index == g->task_room)
        return 0;
    g->tasks[index] = (graph_task){
        .first_arg = g->arg_count,
        .number = index,
        .name = (uint32_t)fuzz_below(&g->uses, 1 + index % FUNCTIONS),
        .blocks = 1,
        .scope = GRAPH_NONE,
        .choice = GRAPH_NONE,
        .predicate = GRAPH_NONE,
        .id = index,
    };
    g->task_count++;
    return index;
}

graph_box fuzz_graph_rows(const graph *g, uint32_t index, uint32_t from,
                          uint32_t count)
{
    if (index >= g->buffer_count)
        return (graph_box){0};
    return (graph_box){{from, count, 1}, {0, g->buffers[index].cols, 1}};
}

graph_box fuzz_graph_whole(const graph *g, uint32_t index)
{
    if (index >= g->buffer_count)
        return (graph_box){0};
    return fuzz_graph_rows(g, index, 0, g->buffers[index].rows);
}

static uint8_t direction_of(graph *g, graph_mode mode)
{
    switch (mode) {
    case GRAPH_READ:
        return GRAPH_INPUT;
    case GRAPH_WRITE:
        return fuzz_chance(&g->uses, 1, 8) ? GRAPH_OUTPUT
                                           : GRAPH_OUTPUT_EXISTING;
    default:
        return GRAPH_UPDATE;
    }
}

static graph_arg *add_arg(graph *g)
{
    graph_task *task = &g->tasks[g->task_count - 1];
    GROW(g, args, arg_count, arg_room);
    if (g->arg_count == g->arg_room)
        return NULL;
    task->args++;
    return &g->args[g->arg_count++];
}

bool fuzz_graph_use(graph *g, uint32_t index, graph_box box, graph_mode mode)
{
    static const uint8_t declared[] = {1, 2, 3, 3};
    if (index >= g->buffer_count || g->task_count == 0)
        return false;
    graph_arg arg = {.buffer = index,
                     .box = box,
                     .view = fuzz_graph_whole(g, index),
                     .mode = (uint8_t)mode,
                     .dispatch = direction_of(g, mode),
                     .declared = declared[mode]};
    const graph_task *task = &g->tasks[g->task_count - 1];
    for (uint32_t i = 0; i < task->args; i++) {
        const graph_arg *other = &g->args[task->first_arg + i];
        bool reads = other->mode == GRAPH_READ && mode == GRAPH_READ;
        if (other->buffer != GRAPH_NONE && !reads &&
            fuzz_graph_boxes_meet(g, other, &arg))
            return false;
    }
    if (task->args == 30)
        return false; /* the runtime takes 32 */
    if (box.rows.count < g->buffers[index].rows ||
        box.cols.count < g->buffers[index].cols || mode == GRAPH_ACCUMULATE)
        g->plain = false;
    graph_arg *added = add_arg(g);
    if (added == NULL)
        return false;
    *added = arg;
    if (fuzz_chance(&g->uses, 1, 4))
        added->view = box; /* the slice is what is dispatched */
    return true;
}

static void use(graph *g, uint32_t index, graph_mode mode)
{
    fuzz_graph_use(g, index, fuzz_graph_whole(g, index), mode);
}

static void use_row(graph *g, uint32_t index, uint32_t row, graph_mode mode)
{
    fuzz_graph_use(g, index, fuzz_graph_rows(g, index, row, 1), mode);
}

static void scalars(graph *g)
{
    static const uint8_t counts[] = {0, 0, 0, 0, 1, 1, 2, 3};
    uint32_t count = counts[fuzz_below(&g->uses, 8)];
    for (uint32_t i = 0; i < count; i++) {
        graph_arg *arg = add_arg(g);
        if (arg != NULL)
            *arg = (graph_arg){.buffer = GRAPH_NONE,
                               .scalar = (uint32_t)fuzz_draw(&g->uses)};
    }
}

static void task(graph *g)
{
    if (g->task_count > 0)
        scalars(g);
    fuzz_graph_task(g);
}

/* --- Shapes as in real programs --- */

static void chain(graph *g, uint32_t tasks)
{
    uint32_t last = buffer(g, true);
    uint32_t spare = GRAPH_NONE;
    bool again = chance(g, 1, 2); /* buffers are used again */
    for (uint32_t i = 0; i < tasks; i++) {
        bool reuse = again && spare != GRAPH_NONE && chance(g, 2, 3);
        uint32_t next = reuse ? spare : buffer(g, i + 1 == tasks);
        task(g);
        use(g, last, GRAPH_READ);
        use(g, next, GRAPH_WRITE);
        spare = i > 0 ? last : GRAPH_NONE;
        last = next;
    }
}

static void fan_out(graph *g, uint32_t tasks)
{
    uint32_t from = buffer(g, false);
    uint32_t rows = tasks > 1 ? tasks - 1 : 1;
    uint32_t out = fuzz_graph_buffer(g, chance(g, 1, 2), rows, 1);
    task(g);
    use(g, from, GRAPH_WRITE);
    for (uint32_t i = 1; i < tasks; i++) {
        task(g);
        use(g, from, GRAPH_READ);
        if (chance(g, 1, 2))
            use_row(g, out, i - 1, GRAPH_WRITE);
        else
            use(g, buffer(g, false), GRAPH_WRITE);
    }
}

static void tree(graph *g, uint32_t tasks)
{
    uint32_t leaves = (tasks + 1) / 2;
    uint32_t x = fuzz_graph_buffer(g, true, leaves, 1);
    uint32_t first = g->buffer_count;
    for (uint32_t i = 0; i < leaves; i++) {
        task(g);
        use_row(g, x, i, GRAPH_READ);
        use(g, buffer(g, false), GRAPH_WRITE);
    }
    bool in_place = chance(g, 1, 2);
    uint32_t width = leaves;
    while (width > 1) {
        uint32_t half = width / 2;
        for (uint32_t i = 0; i < half; i++) {
            task(g);
            use(g, first + width - 1 - i, GRAPH_READ);
            use(g, first + i, in_place ? GRAPH_INOUT : GRAPH_READ);
            if (!in_place)
                use(g, buffer(g, half == 1), GRAPH_WRITE);
        }
        if (!in_place) {
            first = g->buffer_count - half - width % 2;
            width = half + width % 2;
        } else {
            width -= half;
        }
    }
}

static void layers(graph *g, uint32_t tasks)
{
    uint32_t width = 1 + pick(g, tasks < 16 ? tasks : 16);
    uint32_t base = g->buffer_count;
    for (uint32_t i = 0; i < 3 * width; i++)
        buffer(g, i < width);
    for (uint32_t i = 0; i < tasks; i++) {
        uint32_t layer = i / width;
        uint32_t from = base + layer % 3 * width;
        uint32_t to = base + (layer + 1) % 3 * width;
        task(g);
        for (uint32_t k = 1 + pick(g, 3); k > 0; k--)
            use(g, from + pick(g, width), GRAPH_READ);
        use(g, to + i % width, GRAPH_WRITE);
    }
}

static void in_place(graph *g, uint32_t tasks)
{
    uint32_t base = g->buffer_count;
    uint32_t count = 1 + pick(g, 4);
    for (uint32_t i = 0; i < count; i++)
        buffer(g, chance(g, 1, 2));
    for (uint32_t i = 0; i < tasks; i++) {
        task(g);
        use(g, base + pick(g, count), GRAPH_INOUT);
        if (chance(g, 1, 2))
            use(g, base + pick(g, count), GRAPH_READ);
    }
}

/* Loops whose iterations have a row each, and what joins them. */
static void loops(graph *g, uint32_t tasks)
{
    uint32_t from = buffer(g, true);
    for (uint32_t made = 0; made < tasks;) {
        uint32_t left = tasks - made;
        uint32_t rows = left > 1 ? 1 + pick(g, left < 64 ? left - 1 : 63) : 1;
        uint32_t to = fuzz_graph_buffer(g, false, rows, 1 + pick(g, 2));
        for (uint32_t i = 0; i < rows; i++, made++) {
            task(g);
            use(g, from, GRAPH_READ);
            use_row(g, to, i, GRAPH_WRITE);
        }
        from = to;
        if (made < tasks) {
            from = buffer(g, chance(g, 1, 3));
            task(g);
            use(g, to, GRAPH_READ);
            use(g, from, GRAPH_WRITE);
            made++;
        }
    }
}

static void slices(graph *g, uint32_t tasks)
{
    uint32_t rows = 4 + pick(g, 12);
    uint32_t a = fuzz_graph_buffer(g, true, rows, 1);
    uint32_t b = fuzz_graph_buffer(g, false, rows, 1);
    for (uint32_t i = 0; i < tasks; i++) {
        uint32_t at = pick(g, rows - 2);
        uint32_t count = 1 + pick(g, rows - at < 4 ? rows - at : 4);
        bool there = chance(g, 1, 2);
        task(g);
        fuzz_graph_use(g, there ? a : b,
                       fuzz_graph_rows(g, there ? a : b, at, count),
                       chance(g, 3, 4) ? GRAPH_WRITE : GRAPH_INOUT);
        if (chance(g, 2, 3))
            fuzz_graph_use(g, there ? b : a,
                           fuzz_graph_rows(g, there ? b : a, at, count),
                           GRAPH_READ);
    }
}

static void sums(graph *g, uint32_t tasks)
{
    uint32_t x = buffer(g, true);
    uint32_t sum = GRAPH_NONE;
    for (uint32_t i = 0; i < tasks; i++) {
        task(g);
        if (sum == GRAPH_NONE || chance(g, 1, 8)) {
            sum = sum == GRAPH_NONE || chance(g, 1, 2)
                      ? buffer(g, chance(g, 1, 2))
                      : sum;
            use(g, sum, GRAPH_WRITE);
        } else if (chance(g, 5, 6)) {
            use(g, x, GRAPH_READ);
            use(g, sum, GRAPH_ACCUMULATE);
        } else {
            use(g, sum, GRAPH_READ);
        }
    }
}

static graph_range some_range(graph *g, uint32_t n)
{
    uint32_t from = pick(g, n);
    uint32_t step = chance(g, 1, 3) ? 1 + pick(g, 3) : 1;
    uint32_t most = (n - from + step - 1) / step;
    return (graph_range){from, 1 + pick(g, most), step};
}

static void boxes(graph *g, uint32_t tasks)
{
    uint32_t base = g->buffer_count;
    uint32_t count = 1 + pick(g, 3);
    for (uint32_t i = 0; i < count; i++) {
        bool external = chance(g, 1, 2);
        uint32_t rows = 1 + pick(g, 8);
        fuzz_graph_buffer(g, external, rows, 1 + pick(g, 8));
    }
    for (uint32_t i = 0; i < tasks; i++) {
        task(g);
        for (uint32_t k = 1 + pick(g, 2); k > 0; k--) {
            uint32_t b = base + pick(g, count);
            if (b >= g->buffer_count)
                return;
            graph_range rows = some_range(g, g->buffers[b].rows);
            graph_box box = {rows, some_range(g, g->buffers[b].cols)};
            fuzz_graph_use(g, b, box, (graph_mode)pick(g, 3));
        }
    }
}

/* A loop of unknown length: two iterations, at i and at i + d. */
static void moving(graph *g, uint32_t tasks)
{
    uint32_t x = buffer(g, true);
    g->moving = true;
    for (uint32_t made = 0; made < tasks;) {
        uint32_t body = 1 + pick(g, 4), b[4];
        for (uint32_t k = 0; k < body; k++) {
            b[k] = fuzz_graph_buffer(g, chance(g, 1, 2), 3, 1);
            if (b[k] < g->buffer_count)
                g->buffers[b[k]].moving = true;
        }
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t k = 0; k < body && made < tasks; k++, made++) {
                task(g);
                if (k == 0)
                    use(g, x, GRAPH_READ);
                else
                    use_row(g, b[k - 1], i, GRAPH_READ);
                use_row(g, b[k], i,
                        chance(g, 3, 4) ? GRAPH_WRITE : GRAPH_INOUT);
            }
        }
        if (made < tasks && chance(g, 1, 2)) {
            task(g);
            use(g, b[body - 1], GRAPH_READ);
            use(g, x = buffer(g, chance(g, 1, 2)), GRAPH_WRITE);
            made++;
        }
    }
}

static void aliases(graph *g, uint32_t tasks)
{
    uint32_t rows = 4 + pick(g, 8);
    uint32_t root = fuzz_graph_buffer(g, chance(g, 1, 2), rows, 2);
    uint32_t views = 1 + pick(g, 4);
    g->plain = false;
    for (uint32_t i = 0; i < views && g->buffer_count == root + 1 + i; i++) {
        uint32_t under = chance(g, 1, 3) ? root + pick(g, 1 + i) : root;
        uint32_t at = pick(g, g->buffers[under].rows);
        uint32_t most = g->buffers[under].rows - at;
        uint32_t b = fuzz_graph_buffer(g, false, 1 + pick(g, most), 2);
        if (b < g->buffer_count) {
            graph_buffer *alias = &g->buffers[b];
            alias->width = g->buffers[root].width;
            alias->elem = g->buffers[root].elem;
            alias->external = g->buffers[root].external;
            alias->under = under;
            alias->root = root;
            alias->row_at = g->buffers[under].row_at + at;
        }
    }
    for (uint32_t i = 0; i < tasks; i++) {
        task(g);
        for (uint32_t k = 1 + pick(g, 2); k > 0; k--) {
            uint32_t b = root + pick(g, 1 + views);
            use(g, b, (graph_mode)pick(g, 3));
        }
    }
}

/* --- Nasty ones --- */

static void join(graph *g, uint32_t tasks)
{
    uint32_t rows = tasks > 1 ? tasks - 1 : 1;
    uint32_t b = fuzz_graph_buffer(g, false, rows, 1);
    for (uint32_t i = 0; i + 1 < tasks; i++) {
        task(g);
        use_row(g, b, i, GRAPH_WRITE);
    }
    task(g);
    use(g, b, GRAPH_READ);
    use(g, buffer(g, true), GRAPH_WRITE);
}

static void one_for_all(graph *g, uint32_t tasks)
{
    uint32_t b = buffer(g, chance(g, 1, 2));
    for (uint32_t i = 0; i < tasks; i++) {
        task(g);
        use(g, b, chance(g, 1, 2) ? GRAPH_READ : (graph_mode)pick(g, 4));
    }
}

/* Two sides, and an edge from each task of the one to each of the other. */
static void cross(graph *g, uint32_t half, uint32_t tasks)
{
    uint32_t b = fuzz_graph_buffer(g, chance(g, 1, 2), half + 1, 1);
    uint32_t out = fuzz_graph_buffer(g, true, half + 1, 1);
    for (uint32_t i = 0; i < half; i++) {
        task(g);
        use_row(g, b, i, GRAPH_WRITE);
    }
    for (uint32_t i = half; i < tasks; i++) {
        task(g);
        fuzz_graph_use(g, b, fuzz_graph_rows(g, b, 0, half == 0 ? 1 : half),
                       GRAPH_READ);
        use_row(g, out, i - half, GRAPH_WRITE);
    }
}

/* Mostly small ones; thousands of edges are dear, and show no more. */
static void crossing(graph *g, uint32_t tasks)
{
    uint32_t most = chance(g, 1, 100) ? tasks : chance(g, 1, 10) ? 64 : 16;
    for (uint32_t made = 0; made < tasks;) {
        uint32_t left = tasks - made;
        uint32_t size = most == tasks ? tasks : 2 + pick(g, most - 1);
        size = size < left ? size : left;
        cross(g, size / 2, size);
        made += size;
    }
}

static void soup(graph *g, uint32_t tasks)
{
    uint32_t base = g->buffer_count;
    uint32_t count = 1 + pick(g, tasks < 32 ? tasks : 32);
    for (uint32_t i = 0; i < count; i++) {
        bool external = chance(g, 1, 2);
        fuzz_graph_buffer(g, external, chance(g, 1, 4) ? 4 : 1, 1);
    }
    for (uint32_t i = 0; i < tasks; i++) {
        task(g);
        for (uint32_t k = pick(g, 5); k > 0; k--) {
            uint32_t b = base + pick(g, count);
            if (b >= g->buffer_count)
                return;
            uint32_t rows = g->buffers[b].rows;
            uint32_t at = chance(g, 1, 2) ? 0 : pick(g, rows);
            fuzz_graph_use(g, b, fuzz_graph_rows(g, b, at, rows - at),
                           (graph_mode)pick(g, 4));
        }
    }
}

/* --- The choice --- */

typedef struct named_shape {
    const char *name;
    void (*make)(graph *g, uint32_t tasks);
    bool dense; /* one buffer is shared by very many */
    bool parts; /* and each has a part of its own */
} named_shape;

/* The first ones do without aliases and symbols. */
static const named_shape shapes[] = {
    {"chain", chain, false, false},
    {"fan-out", fan_out, false, false},
    {"reduction-tree", tree, false, false},
    {"layers", layers, false, false},
    {"in-place", in_place, true, false},
    {"parallel-loops", loops, false, false},
    {"overlapping-slices", slices, true, true},
    {"accumulation", sums, true, false},
    {"boxes", boxes, true, true},
    {"wide-join", join, false, false},
    {"one-buffer", one_for_all, true, false},
    {"crossing", crossing, false, false},
    {"soup", soup, true, false},
    {"moving-loops", moving, false, false},
    {"aliases", aliases, true, true},
};
#define SHAPES ((uint32_t)(sizeof shapes / sizeof *shapes))
#define WHOLE (SHAPES - 2)

static void make_shape(graph *g, uint32_t count, uint32_t tasks)
{
    const named_shape *shape = &shapes[pick(g, count)];
    g->shape = shape->name;
    g->dense = shape->dense;
    g->plain = true;
    /* Where few bytes are shared by many, all pairs are looked at. */
    if (shape->parts && tasks > MANY && !chance(g, 1, 8))
        tasks = MANY / 2 + tasks % (MANY / 2);
    shape->make(g, tasks);
}

void fuzz_graph_shape(graph *g, uint32_t tasks)
{
    make_shape(g, SHAPES, tasks);
}

void fuzz_graph_flat_shape(graph *g, uint32_t tasks)
{
    make_shape(g, WHOLE, tasks);
}

/* An argument that was a part may now be what another one is. */
static void widen(graph *g, const graph_task *owner, uint32_t index)
{
    graph_arg *arg = &g->args[index];
    if (arg->buffer == GRAPH_NONE)
        return;
    arg->box = arg->view = fuzz_graph_whole(g, arg->buffer);
    if (arg->mode == GRAPH_ACCUMULATE)
        arg->mode = GRAPH_INOUT;
    for (uint32_t i = owner->first_arg; i < index; i++) {
        if (g->args[i].buffer == arg->buffer) {
            *arg = (graph_arg){.buffer = GRAPH_NONE, .scalar = index};
            return;
        }
    }
}

void fuzz_graph_whole_shape(graph *g, uint32_t tasks)
{
    make_shape(g, WHOLE, tasks);
    for (uint32_t t = 0; t < g->task_count; t++) {
        const graph_task *owner = &g->tasks[t];
        for (uint32_t i = 0; i < owner->args; i++)
            widen(g, owner, owner->first_arg + i);
    }
    g->plain = true;
}
