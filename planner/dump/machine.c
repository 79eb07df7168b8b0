/* Statements and frames. */
#include "machine.h"

#include "array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

value value_none(void)
{
    return (value){
        .kind = VALUE_NONE, .producer = GRAPH_NONE, .gathered = GRAPH_NONE};
}

value value_scalar(affine number)
{
    return (value){
        .kind = VALUE_SCALAR, .producer = GRAPH_NONE, .number = number};
}

bool machine_has_memory(machine *m)
{
    bool lacks = m->numbers.failed || m->graph.failed || m->foot.failed ||
                 m->sets.failed || m->arrays.failed;
    return !lacks || machine_no_memory(m);
}

bool machine_fail(machine *m, sonata_status status, uint32_t at,
                  const char *format, ...)
{
    va_list list;
    if (m->status != SONATA_OK || !machine_has_memory(m))
        return false;
    m->status = status;
    memset(m->error, 0, sizeof *m->error);
    m->error->status = status;
    snprintf(m->error->code, sizeof m->error->code, "%s",
             status == SONATA_RANGE    ? "doc.range"
             : status == SONATA_SYNTAX ? "doc.syntax"
                                       : "doc.unsupported");
    va_start(list, format);
    vsnprintf(m->error->message, sizeof m->error->message, format, list);
    va_end(list);
    ast_position(m->ast, at, &m->error->line, &m->error->column);
    m->error->offset = at;
    return false;
}

bool machine_no_memory(machine *m)
{
    if (m->status == SONATA_OK) {
        m->status = SONATA_NO_MEMORY;
        memset(m->error, 0, sizeof *m->error);
        m->error->status = SONATA_NO_MEMORY;
        snprintf(m->error->code, sizeof m->error->code, "planner.memory");
        snprintf(m->error->message, sizeof m->error->message, "out of memory");
    }
    return false;
}

/* Real programs take up to 22 for a task, and some ten thousand in all. */
enum { FREE_WORK = 1 << 20, WORK_PER_TASK = 32 };

bool machine_spend(machine *m, uint64_t work)
{
    uint64_t limit = FREE_WORK;
    uint64_t most = (UINT64_MAX >> 1) / WORK_PER_TASK - FREE_WORK;
    limit += (m->max_tasks < most ? m->max_tasks : most) * WORK_PER_TASK;
    m->work += work;
    if (m->work <= limit || m->status != SONATA_OK)
        return m->status == SONATA_OK;
    m->too_many = true;
    return machine_fail(m, SONATA_UNSUPPORTED, m->ast->stmts[m->stmt].at,
                        "the program takes more than %llu steps to expand; "
                        "--max-tasks raises that",
                        (unsigned long long)limit);
}

bool machine_spend_slots(machine *m)
{
    uint64_t work = m->arrays.work;
    m->arrays.work = 0;
    return machine_spend(m, work);
}

uint32_t machine_push_view(machine *m, const view *v)
{
    if (!array_grow(&m->views, m->view_count, &m->view_capacity,
                    sizeof *m->views)) {
        machine_no_memory(m);
        return 0;
    }
    m->views[m->view_count] = *v;
    return m->view_count++;
}

uint32_t machine_push_item(machine *m, value v)
{
    if (!array_grow(&m->items, m->item_count, &m->item_capacity,
                    sizeof *m->items)) {
        machine_no_memory(m);
        return 0;
    }
    m->items[m->item_count] = v;
    return m->item_count++;
}

value machine_view_value(machine *m, const view *v)
{
    view copy = *v;
    value out = {.kind = VALUE_VIEW, .producer = GRAPH_NONE};
    if (m->view_capacity == m->view_count &&
        !array_grow(&m->views, m->view_count, &m->view_capacity,
                    sizeof *m->views)) {
        machine_no_memory(m);
        return value_none();
    }
    out.index = machine_push_view(m, &copy);
    return out;
}

level *machine_level(machine *m)
{
    return &m->levels[m->depth - 1];
}

frame *machine_frame(machine *m)
{
    return &m->frames[m->frame_count - 1];
}

bool machine_push_frame(machine *m, frame_kind kind, ast_stmt first,
                        uint32_t undecided, uint32_t scope)
{
    if (!array_grow(&m->frames, m->frame_count, &m->frame_capacity,
                    sizeof *m->frames))
        return machine_no_memory(m);
    frame outer = {.when = GRAPH_NONE, .dynamic = GRAPH_NONE};
    if (m->frame_count > 0)
        outer = *machine_frame(m);
    m->frames[m->frame_count++] = (frame){.kind = kind,
                                          .turn = TURN_ONLY,
                                          .next = first,
                                          .loop = AST_NONE,
                                          .undecided = undecided,
                                          .first = m->foot.store_count,
                                          .stores = m->foot.store_count,
                                          .symbols = m->numbers.symbol_count,
                                          .peeled = outer.peeled,
                                          .scope = scope,
                                          .when = outer.when,
                                          .dynamic = outer.dynamic,
                                          .pass = GRAPH_NONE};
    return true;
}

void machine_bind(machine *m, uint32_t name, value v)
{
    level *l = machine_level(m);
    l->slots[name] = (slot){l->stamp, v};
}

/* What the declared type of a target says of a value that is not known. */
static value typed(machine *m, ast_node type, value v)
{
    if (v.kind == VALUE_TILE && v.index == AST_NONE)
        v.index = type;
    if (v.kind != VALUE_NONE || type == AST_NONE ||
        m->ast->exprs[type].kind != AST_INDEX)
        return v;
    ast_node head = m->ast->exprs[type].child;
    if (ast_is(m->ast, head, "pl.Tile")) {
        v.kind = VALUE_TILE;
        v.index = type;
    } else if (ast_is(m->ast, head, "pl.Scalar") &&
               !ast_is(m->ast, m->ast->exprs[head].next, "pl.TASK_ID")) {
        v.kind = VALUE_SCALAR;
        v.number = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
    }
    return v;
}

/* Two scalars of which either may be meant: within the bounds of both. */
value machine_either_number(machine *m, affine a, affine b)
{
    affine n = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
    affine_range x = affine_bounds(&m->numbers, a);
    affine_range y = affine_bounds(&m->numbers, b);
    affine_symbol *s = affine_symbol_of(&m->numbers, n);
    if (s != NULL) {
        s->has_min = x.has_min && y.has_min;
        s->min = x.min < y.min ? x.min : y.min;
        s->has_max = x.has_max && y.has_max;
        s->max = x.max > y.max ? x.max : y.max;
    }
    return value_scalar(n);
}

/* Joins what two branches yield under one name. */
value machine_either(machine *m, value a, value b)
{
    if (a.kind != b.kind)
        return value_none();
    if (a.kind == VALUE_SCALAR)
        return machine_either_number(m, a.number, b.number);
    if (a.kind != VALUE_VIEW ||
        view_same(&m->numbers, &m->views[a.index], &m->views[b.index]))
        return b;
    value v = {.kind = VALUE_EITHER,
               .index = m->item_count,
               .count = 2,
               .producer = GRAPH_NONE};
    machine_push_item(m, a);
    machine_push_item(m, b);
    return v;
}

/* What a yield gives to the name behind its block. */
static value yielded(machine *m, uint32_t name, value v)
{
    const level *l = machine_level(m);
    const frame *f = machine_frame(m);
    if (m->depth == 1)
        return flow_yield(m, name, v);
    if (f->kind == FRAME_LOOP && v.kind == VALUE_SCALAR)
        return value_scalar(
            affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0));
    if (f->kind == FRAME_BRANCH && l->slots[name].stamp == l->stamp)
        return machine_either(m, l->slots[name].value, v);
    return v;
}

bool machine_is_yield(const machine *m, ast_node value_node)
{
    return value_node != AST_NONE &&
           m->ast->exprs[value_node].kind == AST_CALL &&
           m->names.of_node[call_callee(m, value_node)] == WORD_YIELD;
}

static void bind_target(machine *m, const ast_statement *stmt, ast_node target,
                        value v)
{
    uint32_t name = m->names.of_node[target];
    if (name == NAME_NONE)
        return;
    const level *l = machine_level(m);
    const slot *old = &l->slots[name];
    if (machine_is_yield(m, stmt->value))
        v = yielded(m, name, v);
    else if (v.kind == VALUE_TASK && v.index != GRAPH_NONE &&
             old->stamp == l->stamp && old->value.kind == VALUE_TASK &&
             old->value.index != GRAPH_NONE && old->value.index != v.index) {
        v.overwritten = true; /* a loop gives this name a task again */
        v.pass = flow_pass(m);
    }
    machine_bind(m, name, v);
}

void machine_assign(machine *m, const ast_statement *stmt, value v)
{
    if (stmt->kind != STMT_ASSIGN || stmt->target == AST_NONE)
        return;
    const ast_expr *target = &m->ast->exprs[stmt->target];
    if (target->kind == AST_NAME) {
        bind_target(m, stmt, stmt->target, typed(m, stmt->type, v));
        return;
    }
    uint32_t i = 0;
    for (ast_node n = target->child; n != AST_NONE;
         n = m->ast->exprs[n].next, i++) {
        value item = v.kind == VALUE_TUPLE && i < v.count
                         ? m->items[v.index + i]
                         : value_none();
        if (v.kind == VALUE_UNCLEAR)
            item = v;
        bind_target(m, stmt, n, item);
    }
}

/* --- Blocks inside a task's callee --- */

static void run_if(machine *m, const ast_statement *stmt)
{
    int truth = machine_truth(machine_eval(m, stmt->value));
    uint32_t undecided = machine_frame(m)->undecided + (truth < 0);
    uint32_t scope = machine_frame(m)->scope;
    bool both = truth < 0 && stmt->body != AST_NONE && stmt->orelse != AST_NONE;
    if (truth != 1 && stmt->orelse != AST_NONE &&
        machine_push_frame(m, FRAME_BRANCH, stmt->orelse, undecided, scope) &&
        both)
        machine_frame(m)->turn = TURN_SECOND;
    if (truth != 0 && stmt->body != AST_NONE &&
        machine_push_frame(m, FRAME_BRANCH, stmt->body, undecided, scope) &&
        both)
        machine_frame(m)->turn = TURN_FIRST;
}

trip machine_trip(machine *m, ast_node call)
{
    trip t = {affine_const(0), affine_const(1), false, affine_const(0)};
    affine stop;
    affine n[3];
    uint32_t count = 0;
    ast_node a;
    uint32_t word = m->names.of_node[call_callee(m, call)];
    if (word != WORD_RANGE && word != WORD_PARALLEL && word != WORD_UNROLL &&
        word != WORD_PIPELINE)
        return t;
    while (count < 3 && (a = call_argument(m, call, count)) != AST_NONE)
        n[count++] = machine_number(m, machine_value(m, a));
    if (count == 0)
        return t;
    stop = n[count == 1 ? 0 : 1];
    if (count > 1)
        t.start = n[0];
    if (count > 2)
        t.step = n[2];
    t.known = affine_is_const(t.step) && t.step.c != 0 && t.step.c != INT64_MIN;
    t.distance = t.step.c > 0 ? affine_sub(&m->numbers, stop, t.start)
                              : affine_sub(&m->numbers, t.start, stop);
    return t;
}

/* How many times a loop runs, where that is a number. */
affine machine_trips(machine *m, const trip *t)
{
    int64_t step = t->step.c < 0 ? -t->step.c : t->step.c;
    return affine_floordiv(
        &m->numbers,
        affine_add(&m->numbers, t->distance, affine_const(step - 1)),
        affine_const(step));
}

/*
 * The index of a loop: start + step * k, for a k of its own from `from` on
 * and below `trips`.
 */
static affine loop_index(machine *m, const trip *t, affine trips, int64_t from)
{
    affine_pool *p = &m->numbers;
    affine_range r = affine_bounds(p, trips);
    affine k = affine_const(from);
    if (!affine_is_const(trips) || trips.c != from + 1) {
        k = affine_symbol_new(
            p, affine_is_const(trips) ? AFFINE_INDEX : AFFINE_OPAQUE, NULL, 0);
        affine_symbol *s = affine_symbol_of(p, k);
        if (s != NULL) {
            s->has_min = true;
            s->min = from;
            s->has_max = r.has_max;
            s->max = r.has_max ? r.max - 1 : 0;
        }
    }
    return affine_add(p, t->start, affine_mul(p, k, t->step));
}

/* Carried tensors and tiles are their init; carried scalars are unknown. */
static void bind_carries(machine *m, const ast_statement *stmt)
{
    ast_node list = call_keyword(m, stmt->value, "init_values");
    ast_node init = list == AST_NONE ? AST_NONE : m->ast->exprs[list].child;
    if (stmt->carries == AST_NONE)
        return;
    for (ast_node n = m->ast->exprs[stmt->carries].child; n != AST_NONE;
         n = m->ast->exprs[n].next) {
        value v = value_none();
        if (init != AST_NONE) {
            v = machine_value(m, init);
            init = m->ast->exprs[init].next;
        }
        if (v.kind == VALUE_SCALAR || v.kind == VALUE_TASK)
            v = value_scalar(
                affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0));
        machine_bind(m, m->names.of_node[n], v);
    }
}

/* The names of a target: itself, or its items. */
ast_node machine_first_name(const machine *m, ast_node target)
{
    return m->ast->exprs[target].kind == AST_NAME ? target
                                                  : m->ast->exprs[target].child;
}

void machine_bind_unrun(machine *m, const ast_statement *stmt)
{
    ast_node list = call_keyword(m, stmt->value, "init_values");
    ast_node init = list == AST_NONE ? AST_NONE : m->ast->exprs[list].child;
    ast_stmt last = AST_NONE;
    for (ast_stmt s = stmt->body; s != AST_NONE; s = m->ast->stmts[s].next)
        if (m->ast->stmts[s].kind == STMT_ASSIGN &&
            machine_is_yield(m, m->ast->stmts[s].value))
            last = s;
    if (last == AST_NONE || m->ast->stmts[last].target == AST_NONE)
        return;
    for (ast_node n = machine_first_name(m, m->ast->stmts[last].target);
         n != AST_NONE && init != AST_NONE; n = m->ast->exprs[n].next) {
        value v = machine_value(m, init);
        v.carried = m->depth == 1; /* of no pass */
        v.gathered = GRAPH_NONE;
        if (m->names.of_node[n] != NAME_NONE)
            machine_bind(m, m->names.of_node[n], v);
        init = m->ast->exprs[init].next;
    }
}

static void bind_index(machine *m, const ast_statement *stmt, affine index)
{
    if (stmt->target != AST_NONE && m->names.of_node[stmt->target] != NAME_NONE)
        machine_bind(m, m->names.of_node[stmt->target], value_scalar(index));
}

/* Binds index and carries for the passes of a loop from `from` on. */
static void begin_pass(machine *m, const ast_statement *stmt, int64_t from)
{
    machine_eval(m, stmt->value);
    trip t = machine_trip(m, stmt->value);
    bind_carries(m, stmt);
    if (t.known)
        bind_index(m, stmt, loop_index(m, &t, machine_trips(m, &t), from));
    else
        bind_index(m, stmt,
                   affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0));
}

/* A block holds a return, a break or a continue: not every pass ends. */
static bool may_leave(const machine *m, ast_stmt block)
{
    ast_stmt open[2 * MAX_BLOCKS];
    uint32_t depth = 0;
    open[depth++] = block;
    while (depth > 0) {
        ast_stmt s = open[--depth];
        if (s == AST_NONE)
            continue;
        const ast_statement *stmt = &m->ast->stmts[s];
        if (stmt->kind == STMT_RETURN || stmt->kind == STMT_BREAK ||
            stmt->kind == STMT_CONTINUE || depth + 3 > 2 * MAX_BLOCKS)
            return true;
        open[depth++] = stmt->next;
        if (stmt->orelse != AST_NONE)
            open[depth++] = stmt->orelse;
        if (stmt->body != AST_NONE)
            open[depth++] = stmt->body;
    }
    return false;
}

/* Loops around each other that run in two passes. */
enum { MAX_PEELED = 2 };

/*
 * A loop's body runs once, for all values of its index. When it surely runs
 * more than once it runs twice, for the first value and for the others, so
 * that "if i == 0" is decided and what the first pass stores is stored.
 */
static void run_for(machine *m, ast_stmt index, const ast_statement *stmt)
{
    uint32_t scope = machine_frame(m)->scope;
    uint32_t undecided = machine_frame(m)->undecided;
    uint32_t peeled = machine_frame(m)->peeled;
    machine_eval(m, stmt->value);
    if (m->status != SONATA_OK || m->ast->exprs[stmt->value].kind != AST_CALL ||
        stmt->body == AST_NONE)
        return;
    trip t = machine_trip(m, stmt->value);
    affine trips = t.known ? machine_trips(m, &t) : affine_const(0);
    affine_range r = affine_bounds(&m->numbers, trips);
    if (t.known && r.has_max && r.max < 1) {
        machine_bind_unrun(m, stmt);
        return;
    }
    bool once = affine_is_const(trips) && trips.c == 1;
    bool certain = t.known && r.has_min && r.min >= 1 &&
                   (once || !may_leave(m, stmt->body));
    bool peel =
        certain && affine_is_const(trips) && trips.c > 1 && peeled < MAX_PEELED;
    if (peel) {
        if (!machine_push_frame(m, FRAME_LOOP, stmt->body, undecided, scope))
            return;
        machine_frame(m)->loop = index;
        machine_frame(m)->peeled = peeled + 1;
    }
    if (!machine_push_frame(m, FRAME_LOOP, stmt->body,
                            undecided + (certain ? 0 : 1), scope))
        return;
    machine_frame(m)->peeled = peeled + peel;
    if (peel) {
        bind_carries(m, stmt);
        bind_index(m, stmt, t.start);
    } else {
        begin_pass(m, stmt, 0);
    }
}

/* The second pass of a loop, when its frame comes to the top. */
static void begin_second_pass(machine *m, frame *f)
{
    const ast_statement *stmt = &m->ast->stmts[f->loop];
    m->stmt = f->loop;
    f->loop = AST_NONE;
    f->stores = f->first = m->foot.store_count;
    f->symbols = m->numbers.symbol_count;
    begin_pass(m, stmt, 1);
}

/* The scope that a "with" opens; only roots have scopes. */
static void run_with(machine *m, const ast_statement *stmt)
{
    uint32_t scope = machine_frame(m)->scope;
    ast_node call = stmt->value;
    bool is_scope = m->ast->exprs[call].kind == AST_CALL &&
                    m->names.of_node[call_callee(m, call)] == WORD_SCOPE;
    if (m->depth == 1 && !is_scope) {
        machine_fail(m, SONATA_UNSUPPORTED, stmt->at,
                     "a 'with' block that is not pl.scope");
        return;
    }
    if (m->depth == 1) {
        ast_node mode = call_keyword(m, call, "mode");
        bool manual =
            mode != AST_NONE && ast_is(m->ast, mode, "pl.ScopeMode.MANUAL");
        scope = graph_add_scope(&m->graph, manual, scope);
    }
    if (stmt->body != AST_NONE)
        machine_push_frame(m, FRAME_SCOPE, stmt->body,
                           machine_frame(m)->undecided, scope);
}

/* Blocks of the root: tasks are made in them. */
static void run_root_block(machine *m, ast_stmt index,
                           const ast_statement *stmt)
{
    const ast_function *f = &m->ast->funcs[m->levels[0].func];
    switch (stmt->kind) {
    case STMT_IF:
        flow_if(m, stmt);
        break;
    case STMT_FOR:
        flow_for(m, index, stmt);
        break;
    case STMT_WITH:
        run_with(m, stmt);
        break;
    default:
        machine_fail(
            m, SONATA_UNSUPPORTED, stmt->at,
            "%s in the orchestration function %.*s has no meaning "
            "that is known: PyPTO prints none",
            stmt->kind == STMT_WHILE ? "a while loop" : "a break or continue",
            (int)(f->length < 100 ? f->length : 100), m->ast->text + f->at);
        break;
    }
}

static void run_block(machine *m, ast_stmt index, const ast_statement *stmt)
{
    if (m->depth == 1) {
        run_root_block(m, index, stmt);
        return;
    }
    switch (stmt->kind) {
    case STMT_IF:
        run_if(m, stmt);
        break;
    case STMT_FOR:
        run_for(m, index, stmt);
        break;
    case STMT_WHILE:
        if (stmt->body != AST_NONE)
            machine_push_frame(m, FRAME_LOOP, stmt->body,
                               machine_frame(m)->undecided + 1,
                               machine_frame(m)->scope);
        break;
    case STMT_WITH:
        run_with(m, stmt);
        break;
    default: /* break, continue: what follows may not run */
        machine_level(m)->maybe_left = true;
        break;
    }
}

/* A statement of the root that computes nothing is no statement of a dump. */
static bool does_something(machine *m, const ast_statement *stmt)
{
    const ast_expr *e = &m->ast->exprs[stmt->value];
    bool is_member = e->kind == AST_NAME &&
                     memchr(m->ast->text + e->at, '.', e->length) != NULL;
    if (m->depth > 1 || (stmt->kind == STMT_ASSIGN && !is_member) ||
        e->kind == AST_CALL)
        return true;
    return machine_fail(m, SONATA_SYNTAX, e->at,
                        "an expression that neither calls nor computes: is "
                        "the text cut short?");
}

static void run_statement(machine *m, ast_stmt index)
{
    const ast_statement *stmt = &m->ast->stmts[index];
    m->stmt = index;
    switch (stmt->kind) {
    case STMT_ASSIGN:
    case STMT_EXPR:
        if (stmt->value == AST_NONE || !does_something(m, stmt))
            break;
        if (m->ast->exprs[stmt->value].kind == AST_CALL &&
            machine_task_call(m, index, stmt->value))
            break;
        machine_assign(m, stmt, machine_eval(m, stmt->value));
        break;
    case STMT_RETURN:
        machine_return(m, stmt);
        break;
    case STMT_PASS:
    case STMT_COMMENT:
        break;
    default:
        run_block(m, index, stmt);
        break;
    }
}

/* What a block stored, as those behind it know it. */
static void end_block(machine *m, const frame *f)
{
    frame *outer = machine_frame(m);
    foot_touch t = machine_touch(m, GRAPH_WRITE);
    bool left = machine_level(m)->maybe_left;
    bool sure = f->undecided == outer->undecided && !left;
    if (f->kind == FRAME_LOOP && sure) {
        t.local = f->symbols;
        footprint_end_loop(&m->foot, &m->numbers, f->stores, &t);
    } else if (f->turn == TURN_FIRST) {
        footprint_end_first(&m->foot, f->stores);
        outer->stores = m->foot.store_count;
    } else if (f->turn == TURN_SECOND && !left) {
        footprint_end_second(&m->foot, &m->numbers, f->first, f->stores, &t);
    } else if (!sure) {
        m->foot.store_count = f->first;
    }
}

static void pop_frame(machine *m)
{
    frame f = m->frames[--m->frame_count];
    if (f.single && f.turn == TURN_SECOND && m->status == SONATA_OK)
        flow_join(m, &f);
    if (m->depth > 1 && (f.kind == FRAME_LOOP || f.kind == FRAME_BRANCH))
        end_block(m, &f);
    if (f.kind == FRAME_BODY && m->depth > 1)
        machine_leave(m);
}

static void run_frames(machine *m)
{
    while (m->frame_count > 0 && m->status == SONATA_OK) {
        frame *f = machine_frame(m);
        ast_stmt stmt = f->next;
        if (f->loop != AST_NONE) {
            begin_second_pass(m, f);
            continue;
        }
        if (stmt == AST_NONE) {
            bool more =
                m->depth == 1 && f->kind == FRAME_LOOP && flow_repeat(m);
            if (!more)
                pop_frame(m);
            continue;
        }
        if (f->single && f->turn == TURN_SECOND)
            flow_keep_first(m, f);
        f->next = f->single ? AST_NONE : m->ast->stmts[stmt].next;
        if (m->depth > 1 || (machine_spend(m, 1) && !flow_fork(m, stmt)))
            run_statement(m, stmt);
        machine_has_memory(m);
    }
}

static bool has_attr(const machine *m, const ast_function *f, const char *name)
{
    if (f->attrs == AST_NONE)
        return false;
    for (ast_node pair = m->ast->exprs[f->attrs].child; pair != AST_NONE;
         pair = m->ast->exprs[pair].next)
        if (ast_is(m->ast, m->ast->exprs[pair].child, name))
            return true;
    return false;
}

void machine_run_root(machine *m, ast_func func)
{
    const ast_function *f = &m->ast->funcs[func];
    bool manual = f->auto_scope &&
                  has_attr(m, f, "__compiler_auto_manual_layer_candidate");
    level *l = &m->levels[0];
    m->depth = 1;
    m->frame_count = 0;
    l->func = func;
    l->stamp = ++m->stamps;
    l->returned = false;
    m->loop_count = 0;
    memset(m->keys, 0, m->names.count * sizeof *m->keys);
    for (uint32_t i = 0; i < m->ast->symbol_count; i++) {
        /* Dynamic dimensions exist before any call, so that none is local. */
        const ast_symbol *s = &m->ast->symbols[i];
        machine_dimension(
            m, names_find(&m->names, m->ast->text + s->at, s->length));
    }
    for (uint32_t i = 0; i < f->params && m->status == SONATA_OK; i++) {
        m->stmt = f->body;
        machine_bind(m, m->names.of_param[f->first_param + i],
                     machine_parameter(m, f->first_param + i));
    }
    uint32_t scope = graph_add_scope(&m->graph, manual, GRAPH_NONE);
    if (m->status == SONATA_OK && f->body != AST_NONE)
        machine_push_frame(m, FRAME_BODY, f->body, 0, scope);
    run_frames(m);
    if (f->kind == FUNC_ORCHESTRATION && !l->returned &&
        machine_promised(m, func) > 0)
        machine_fail(m, SONATA_SYNTAX, f->at,
                     "the function %.*s declares a result and returns none: "
                     "is the text cut short?",
                     (int)(f->length < 100 ? f->length : 100),
                     m->ast->text + f->at);
}

static bool make_slots(machine *m, level *l)
{
    l->slots = calloc((size_t)m->names.count + 1, sizeof *l->slots);
    return l->slots != NULL || machine_no_memory(m);
}

bool machine_level_slots(machine *m, uint32_t depth)
{
    level *l = &m->levels[depth];
    return l->slots != NULL || make_slots(m, l);
}

bool machine_init(machine *m, const ast_program *ast,
                  const sonata_dump_options *options, uint32_t roots,
                  sonata_error *error)
{
    memset(m, 0, sizeof *m);
    m->ast = ast;
    m->error = error;
    m->prefixed = roots > 1;
    m->max_tasks =
        options != NULL && options->max_tasks > 0 ? options->max_tasks : 100000;
    m->quiet_first = AST_NONE;
    m->quiet_last = 0;
    affine_init(&m->numbers);
    m->graph.name = (graph_text){ast->text + ast->name_at, ast->name_length};
    if (ast->name_length == 0)
        m->graph.name =
            (graph_text){ast->text + ast->class_at, ast->class_length};
    if (!names_build(&m->names, ast))
        return machine_no_memory(m);
    m->keys = calloc((size_t)m->names.count + 1, sizeof *m->keys);
    m->cores = calloc((size_t)ast->func_count + 1, sizeof *m->cores);
    m->all_manual = calloc((size_t)ast->stmt_count + 1, 1);
    m->dep_site = calloc((size_t)ast->expr_count + 1, 1);
    if (m->keys == NULL || m->cores == NULL || m->all_manual == NULL ||
        m->dep_site == NULL || !make_slots(m, &m->levels[0]))
        return machine_no_memory(m);
    return machine_find_cores(m);
}

void machine_free(machine *m)
{
    for (uint32_t i = 0; i < MAX_LEVELS; i++)
        free(m->levels[i].slots);
    names_free(&m->names);
    affine_free(&m->numbers);
    footprint_free(&m->foot);
    graph_free(&m->graph);
    free(m->views);
    free(m->items);
    free(m->frames);
    free(m->scratch);
    free(m->cores);
    free(m->keys);
    free(m->loops);
    free(m->all_manual);
    free(m->dep_site);
    free(m->dep_stamp);
    free(m->walk);
    task_sets_free(&m->sets);
    task_arrays_free(&m->arrays);
}
