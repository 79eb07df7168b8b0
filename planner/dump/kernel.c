/* What operations inside a task's callee do to its arguments' bytes. */
#include "machine.h"

#include <string.h>

static bool is_certain(const machine *m)
{
    const frame *f = &m->frames[m->frame_count - 1];
    if (f->undecided > 0)
        return false;
    for (uint32_t i = 1; i < m->depth; i++)
        if (m->levels[i].maybe_left)
            return false;
    return true;
}

foot_touch machine_touch(const machine *m, graph_mode mode)
{
    return (foot_touch){.mode = mode,
                        .certain = is_certain(m),
                        .local = m->mark.symbols,
                        .lanes = m->mixed};
}

static void touch(machine *m, const view *v, const affine *at,
                  const affine *size, graph_mode mode)
{
    foot_touch t = machine_touch(m, mode);
    t.view = v;
    t.at = at;
    t.size = size;
    footprint_touch(&m->foot, &m->numbers, &t);
}

static void touch_bound(machine *m, const view *v, graph_mode mode)
{
    footprint_touch_all(&m->foot, v->arg, mode, false, false);
}

static void touch_view_by(machine *m, const view *v, ast_direction direction)
{
    if (v->arg == VIEW_NO_ARG)
        return;
    if (direction != AST_OUT)
        touch_bound(m, v, GRAPH_READ);
    if (direction != AST_IN)
        touch_bound(m, v, GRAPH_WRITE);
}

void machine_touch_by(machine *m, value v, ast_direction direction)
{
    if (v.kind == VALUE_VIEW) {
        view copy = m->views[v.index];
        touch_view_by(m, &copy, direction);
    }
    for (uint32_t i = 0; v.kind == VALUE_EITHER && i < v.count; i++) {
        view copy = m->views[m->items[v.index + i].index];
        touch_view_by(m, &copy, direction);
    }
}

/* The direction of this level's parameter that v came in by. */
static ast_direction direction_of(const machine *m, value v)
{
    const level *l = &m->levels[m->depth - 1];
    const ast_function *f = &m->ast->funcs[l->func];
    ast_direction found = AST_INOUT;
    bool any = false;
    uint32_t index = v.kind == VALUE_EITHER ? m->items[v.index].index : v.index;
    if (v.kind != VALUE_VIEW && v.kind != VALUE_EITHER)
        return AST_INOUT;
    for (uint32_t i = 0; i < l->args; i++) {
        const value *a = &m->items[l->first_arg + i];
        if (a->kind != VALUE_VIEW ||
            m->views[a->index].arg != m->views[index].arg)
            continue;
        ast_direction d = m->ast->params[f->first_param + i].direction;
        found = !any || d == found ? d : AST_INOUT;
        any = true;
    }
    return found;
}

static void touch_other(machine *m, value v)
{
    machine_touch_by(m, v, direction_of(m, v));
}

/* A box of a tensor; the whole of it where its rank is another. */
static void touch_box(machine *m, value v, const affine *at, const affine *size,
                      uint32_t rank, graph_mode mode)
{
    ast_direction d = mode == GRAPH_READ ? AST_IN : AST_OUT;
    if (v.kind == VALUE_EITHER) {
        machine_touch_by(m, v, mode == GRAPH_ACCUMULATE ? AST_INOUT : d);
        return;
    }
    if (v.kind != VALUE_VIEW)
        return;
    view copy = m->views[v.index];
    if (copy.arg == VIEW_NO_ARG)
        return;
    if (copy.rank == rank)
        touch(m, &copy, at, size, mode);
    else
        touch_bound(m, &copy, mode);
}

/* No value of the symbols puts the element inside: this pass never runs. */
static bool is_outside(const machine *m, const view *v, const affine *at,
                       uint32_t rank)
{
    for (uint32_t i = 0; i < rank && rank == v->rank; i++) {
        affine_range r = affine_bounds(&m->numbers, at[i]);
        affine n = v->dim[i].count;
        if (r.has_min && affine_is_const(n) && r.min >= n.c)
            return true;
    }
    return false;
}

void machine_touch_element(machine *m, value v, ast_node list, graph_mode mode)
{
    affine at[VIEW_RANK], size[VIEW_RANK];
    uint32_t rank;
    if (list == AST_NONE || !machine_numbers(m, list, at, VIEW_RANK, &rank))
        return;
    for (uint32_t i = 0; i < rank; i++)
        size[i] = affine_const(1);
    if (m->depth > 1) {
        touch_box(m, v, at, size, rank, mode);
        return;
    }
    if (v.kind != VALUE_VIEW ||
        (list >= m->quiet_first && list <= m->quiet_last))
        return;
    view place = m->views[v.index];
    if (!machine_check_element(m, list, &place, at, rank) ||
        is_outside(m, &place, at, rank))
        return;
    graph_host_access access = {.after = (int64_t)m->graph.task_count - 1,
                                .mode = mode,
                                .buffer = place.buffer,
                                .region = GRAPH_NONE,
                                .when = machine_frame(m)->when};
    uint64_t column;
    ast_position(m->ast, m->ast->exprs[list].at, &access.line, &column);
    if (place.known && place.rank == rank) {
        place = view_element(&m->numbers, &place, at);
        access.region = graph_add_region(&m->graph, &place);
    }
    graph_add_host_access(&m->graph, &access);
}

/* The numbers of argument i; false when it is no list of numbers. */
static bool list_argument(machine *m, ast_node call, uint32_t i, affine *out,
                          uint32_t *rank)
{
    ast_node list = call_argument(m, call, i);
    return list != AST_NONE && machine_numbers(m, list, out, VIEW_RANK, rank);
}

/* The name that the running statement gives its value; NAME_NONE: none. */
static uint32_t target_name(const machine *m)
{
    const ast_statement *stmt = &m->ast->stmts[m->stmt];
    if (stmt->kind != STMT_ASSIGN || stmt->target == AST_NONE)
        return NAME_NONE;
    return m->names.of_node[stmt->target];
}

/*
 * pl.tile.load(t, [offsets], [sizes], [valid sizes]). A load into a named tile
 * counts when the tile is used: some kernels load before a branch that a
 * constant argument decides.
 */
static value load(machine *m, ast_node call)
{
    affine at[VIEW_RANK], size[VIEW_RANK], valid[VIEW_RANK];
    uint32_t rank, n, k, name = target_name(m);
    value v = machine_value(m, call_argument(m, call, 0));
    if (!list_argument(m, call, 1, at, &rank) ||
        !list_argument(m, call, 2, size, &n) || n != rank) {
        touch_other(m, v);
        return value_none();
    }
    bool cut = list_argument(m, call, 3, valid, &k) && k == rank;
    view from = {.arg = VIEW_NO_ARG};
    if (v.kind == VALUE_VIEW)
        from = m->views[v.index];
    if (from.arg == VIEW_NO_ARG || from.rank != rank || name == NAME_NONE) {
        touch_box(m, v, at, cut ? valid : size, rank, GRAPH_READ);
        return value_none();
    }
    foot_touch t = machine_touch(m, GRAPH_READ);
    t.view = &from;
    t.at = at;
    t.size = cut ? valid : size;
    value tile = {
        .kind = VALUE_TILE, .index = AST_NONE, .producer = GRAPH_NONE};
    tile.count = footprint_load(&m->foot, &m->numbers, &t, name, m->stmt);
    return tile;
}

/* What only an undecided branch uses is loaded in vain without it. */
void machine_use_load(machine *m, uint32_t load)
{
    foot_load *l = &m->foot.loads[load];
    l->used = true;
    l->sure = l->sure || is_certain(m);
}

/* Some statement behind the load's names the tile. */
static bool is_named(const machine *m, const foot_load *l)
{
    uint32_t begin = m->ast->stmts[l->stmt].value;
    uint32_t end = UINT32_MAX;
    for (uint32_t i = 0; i < m->ast->func_count; i++)
        if (m->ast->funcs[i].at > m->ast->stmts[l->stmt].at &&
            m->ast->funcs[i].at < end)
            end = m->ast->funcs[i].at;
    for (uint32_t n = begin;
         n < m->ast->expr_count && m->ast->exprs[n].at < end; n++)
        if (m->names.of_node[n] == l->name)
            return true;
    return false;
}

void machine_settle_loads(machine *m)
{
    for (uint32_t i = 0; i < m->foot.load_count; i++) {
        foot_load l = m->foot.loads[i];
        if (l.used || !is_named(m, &l))
            footprint_use(&m->foot, &m->numbers, &l);
    }
}

/*
 * pl.tile.gather_row(tile, t, [to], [from], [sizes], valid_shape=[..]) reads
 * valid_shape (else sizes) at [from].
 */
static void gather_row(machine *m, ast_node call)
{
    affine at[VIEW_RANK], size[VIEW_RANK], valid[VIEW_RANK];
    uint32_t rank, n, k;
    ast_node tensor = call_argument(m, call, 1);
    ast_node list = call_keyword(m, call, "valid_shape");
    if (tensor == AST_NONE)
        return;
    value v = machine_value(m, tensor);
    if (!list_argument(m, call, 3, at, &rank) ||
        !list_argument(m, call, 4, size, &n) || n != rank) {
        touch_other(m, v);
        return;
    }
    bool cut = list != AST_NONE &&
               machine_numbers(m, list, valid, VIEW_RANK, &k) && k == rank;
    touch_box(m, v, at, cut ? valid : size, rank, GRAPH_READ);
}

/* The sizes that a tile stores: its shape, cut by its valid_shape. */
static bool tile_sizes(machine *m, value tile, affine *size, uint32_t *rank)
{
    if (tile.kind != VALUE_TILE || tile.index == AST_NONE)
        return false;
    ast_node list = m->ast->exprs[m->ast->exprs[tile.index].child].next;
    if (list == AST_NONE || !machine_list(m, list, size, VIEW_RANK, rank))
        return false;
    for (ast_node n = list; n != AST_NONE; n = m->ast->exprs[n].next) {
        affine valid[VIEW_RANK];
        uint32_t k;
        if (m->ast->exprs[n].kind != AST_CALL ||
            !ast_is(m->ast, m->ast->exprs[n].child, "pl.TileView"))
            continue;
        ast_node shape = call_keyword(m, n, "valid_shape");
        if (shape != AST_NONE && machine_list(m, shape, valid, VIEW_RANK, &k) &&
            k == *rank)
            for (uint32_t i = 0; i < k; i++)
                size[i] = affine_min(&m->numbers, size[i], valid[i]);
    }
    return true;
}

/* pl.tile.store(tile, [offsets], t [, [sizes]] [, atomic=]); gives t. */
static value store(machine *m, ast_node call)
{
    affine at[VIEW_RANK], size[VIEW_RANK];
    uint32_t rank, n;
    ast_node tensor = call_argument(m, call, 2);
    ast_node atomic = call_keyword(m, call, "atomic");
    if (tensor == AST_NONE)
        return value_none();
    value v = machine_value(m, tensor);
    value tile = machine_value(m, call_argument(m, call, 0));
    graph_mode mode =
        atomic != AST_NONE && ast_is(m->ast, atomic, "pl.AtomicType.Add")
            ? GRAPH_ACCUMULATE
            : GRAPH_WRITE;
    bool known = list_argument(m, call, 1, at, &rank);
    if (call_argument(m, call, 3) != AST_NONE)
        known = known && list_argument(m, call, 3, size, &n);
    else
        known = known && tile_sizes(m, tile, size, &n);
    if (!known || n != rank)
        touch_box(m, v, at, size, UINT32_MAX, mode);
    else
        touch_box(m, v, at, size, rank, mode);
    return v;
}

/* Any other operation: each tensor that it names, whole. */
static void other(machine *m, ast_node call)
{
    ast_node a = m->ast->exprs[call_callee(m, call)].next;
    for (; a != AST_NONE; a = m->ast->exprs[a].next) {
        ast_node n =
            m->ast->exprs[a].kind == AST_KEYWORD ? m->ast->exprs[a].child : a;
        touch_other(m, machine_value(m, n));
        if (m->ast->exprs[n].kind != AST_LIST &&
            m->ast->exprs[n].kind != AST_TUPLE)
            continue;
        for (ast_node i = m->ast->exprs[n].child; i != AST_NONE;
             i = m->ast->exprs[i].next)
            touch_other(m, machine_value(m, i));
    }
}

value machine_kernel_call(machine *m, ast_node call, word_id word)
{
    if (call_argument(m, call, 0) == AST_NONE)
        word = WORD_OTHER;
    switch (word) {
    case WORD_TILE_LOAD:
        return load(m, call);
    case WORD_TILE_STORE:
        return store(m, call);
    case WORD_TILE_GATHER_ROW:
        gather_row(m, call);
        return value_none();
    default:
        other(m, call);
        return value_none();
    }
}
