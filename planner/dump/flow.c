/*
 * Loops and branches of the root function (spec 08, "Loops"). A loop of
 * constant length is run pass by pass; another as two passes, at an index i
 * and at i + d steps with an unknown d of at least 1, under a choice when it
 * may not run. A branch that nothing decides is a choice: both sides are run,
 * each under its own value, and what they yield is one or the other.
 */
#include "machine.h"

#include "array.h"

#include <string.h>

int flow_taken(const machine *m, uint32_t when, uint32_t choice)
{
    for (; when != GRAPH_NONE; when = m->graph.whens[when].parent)
        if (m->graph.whens[when].choice == choice)
            return m->graph.whens[when].is;
    return -1;
}

/* --- One value or another --- */

static value one_number(machine *m, uint32_t choice, value a, value b)
{
    affine_pool *p = &m->numbers;
    const graph_choice *c = &m->graph.choices[choice];
    if (affine_equal(p, a.number, b.number))
        return value_scalar(a.number);
    if (!c->has_number || !affine_is_const(a.number) ||
        !affine_is_const(b.number))
        return machine_either_number(m, a.number, b.number);
    affine difference = affine_sub(p, a.number, b.number);
    return value_scalar(
        affine_add(p, b.number, affine_mul(p, difference, c->number)));
}

static value one_array(machine *m, uint32_t choice, value a, value b)
{
    task_slot empty = {GRAPH_NONE, GRAPH_DEP_DEAD, false};
    value out = a;
    if (a.index == b.index)
        return a;
    if (a.count != b.count)
        return value_none();
    out.index = task_array_new(&m->arrays, a.count, empty);
    if (!machine_spend_slots(m) || m->arrays.failed || a.count == 0)
        return a;
    task_slot *made = task_array_slots(&m->arrays, out.index);
    task_slot *slots = task_array_slots(&m->arrays, a.index);
    if (slots != NULL)
        memcpy(made, slots, a.count * sizeof *made);
    slots = task_array_slots(&m->arrays, b.index);
    for (uint32_t i = 0; slots != NULL && i < a.count; i++) {
        task_slot x = made[i], y = slots[i];
        made[i].set = task_set_choose(&m->sets, choice, x.set, y.set);
        made[i].cause = x.set == GRAPH_NONE ? x.cause : y.cause;
        made[i].overwritten = x.overwritten || y.overwritten;
    }
    return out;
}

/* Two views are one value when they are the same, else a choice stays. */
static value one_view(machine *m, uint32_t choice, value a, value b)
{
    bool same = a.kind == VALUE_VIEW && b.kind == VALUE_VIEW &&
                view_same(&m->numbers, &m->views[a.index], &m->views[b.index]);
    same = same || (a.kind == VALUE_CHOICE && b.kind == VALUE_CHOICE &&
                    a.index == b.index);
    if (same)
        return a;
    value out = {.kind = VALUE_CHOICE,
                 .index = m->item_count,
                 .count = choice,
                 .producer = GRAPH_NONE};
    machine_push_item(m, a);
    machine_push_item(m, b);
    return out;
}

value flow_resolve(const machine *m, value v)
{
    while (v.kind == VALUE_CHOICE) {
        int taken = flow_taken(m, m->frames[m->frame_count - 1].when, v.count);
        if (taken < 0)
            break;
        v = m->items[v.index + (taken ? 0 : 1)];
    }
    return v;
}

/*
 * The number that n is under what is taken already: a symbol of a choice that
 * is decided is 0 or 1.
 */
static affine resolve_number(machine *m, affine n)
{
    affine_pool *p = &m->numbers;
    for (uint32_t i = 0; i < n.count;) {
        affine_term t = p->terms[n.first + i++];
        const affine_symbol *s = &p->symbols[t.symbol];
        affine known;
        int taken = s->choice == 0
                        ? -1
                        : flow_taken(m, machine_frame(m)->when, s->choice - 1);
        if (taken < 0)
            continue;
        /* The choice's number is the symbol, or 1 minus it. */
        int64_t sign = s->flipped ? 1 : -1;
        affine c = m->graph.choices[s->choice - 1].number;
        if (affine_combine(p, &known, n, c, sign * t.coef) &&
            affine_combine(p, &known, known, affine_const(taken),
                           -sign * t.coef)) {
            n = known;
            i = 0;
        }
    }
    return n;
}

value flow_read(machine *m, value v)
{
    if (v.kind == VALUE_SCALAR && v.number.count > 0 && m->depth == 1 &&
        m->graph.choice_count > 0)
        v.number = resolve_number(m, v.number);
    return flow_resolve(m, v);
}

static uint32_t passes_of(value v)
{
    return v.carried ? v.gathered : v.producer;
}

/* One of two values that are no tuples. */
static value one_item(machine *m, uint32_t choice, value a, value b)
{
    value out = value_none();
    bool views = (a.kind == VALUE_VIEW || a.kind == VALUE_CHOICE) &&
                 (b.kind == VALUE_VIEW || b.kind == VALUE_CHOICE);
    if (a.kind != b.kind && !views)
        return out;
    switch (a.kind) {
    case VALUE_SCALAR:
        out = one_number(m, choice, a, b);
        break;
    case VALUE_TASK:
        out = a.index == GRAPH_NONE ? a : b;
        out.index = task_set_choose(&m->sets, choice, a.index, b.index);
        out.overwritten = a.overwritten || b.overwritten;
        out.pass = a.overwritten ? a.pass : b.pass;
        break;
    case VALUE_ARRAY:
        out = one_array(m, choice, a, b);
        break;
    case VALUE_NONE:
    case VALUE_TUPLE: /* of a tuple: none in a dump */
        break;
    case VALUE_VIEW:
    case VALUE_CHOICE:
        out = one_view(m, choice, a, b);
        break;
    default:
        out = a;
        break;
    }
    out.producer = task_set_choose(&m->sets, choice, a.producer, b.producer);
    out.carried = a.carried || b.carried;
    out.gathered =
        task_set_choose(&m->sets, choice, passes_of(a), passes_of(b));
    return out;
}

/* a when the choice is true, else b. */
static value one_of(machine *m, uint32_t choice, value a, value b)
{
    value sides[MAX_RESULTS + 1];
    value out = a;
    if (a.kind != VALUE_TUPLE || b.kind != VALUE_TUPLE)
        return one_item(m, choice, a, b);
    if (a.index == b.index && a.count == b.count)
        return a;
    if (a.count != b.count || a.count > MAX_RESULTS + 1)
        return value_none();
    machine_spend(m, a.count);
    for (uint32_t i = 0; i < a.count; i++)
        sides[i] =
            one_item(m, choice, m->items[a.index + i], m->items[b.index + i]);
    out.index = m->item_count;
    for (uint32_t i = 0; i < a.count; i++)
        machine_push_item(m, sides[i]);
    out.producer = task_set_choose(&m->sets, choice, a.producer, b.producer);
    return out;
}

/* --- Parts of the root that are not simply run --- */

static uint32_t dynamic_of(machine *m, ast_stmt index, const char *reason)
{
    uint32_t outer = machine_frame(m)->dynamic;
    uint32_t site = 0;
    while (site < m->graph.site_count && m->graph.sites[site].stmt != index)
        site++;
    if (site == m->graph.site_count) {
        graph_region_site item = {machine_line(m, m->ast->stmts[index].at),
                                  reason, index};
        if (graph_add_site(&m->graph, &item) == GRAPH_NONE)
            return GRAPH_NONE;
    }
    return graph_add_dynamic(&m->graph, site, outer);
}

static uint32_t new_choice(machine *m, const char *kind, uint32_t at,
                           ast_node text)
{
    graph_choice item = {.kind = kind,
                         .line = machine_line(m, at),
                         .text = machine_source(m, text)};
    return graph_add_choice(&m->graph, &item);
}

static bool is_candidate_call(const machine *m, ast_node call)
{
    ast_node mark =
        call_attribute(m, call, "__compiler_auto_manual_scope_candidate");
    return mark != AST_NONE && m->ast->exprs[mark].kind == AST_TRUE;
}

/*
 * A block whose task calls all carry the mark and that has no scope inside
 * becomes a manual scope in a later pass.
 */
static bool is_candidate(machine *m, ast_stmt block)
{
    ast_stmt open[2 * MAX_BLOCKS];
    uint32_t depth = 0, calls = 0;
    open[depth++] = block;
    while (depth > 0) {
        ast_stmt s = open[--depth];
        if (s == AST_NONE)
            continue;
        const ast_statement *stmt = &m->ast->stmts[s];
        if (stmt->kind == STMT_WITH || depth + 3 > 2 * MAX_BLOCKS)
            return false;
        if (stmt->value != AST_NONE && machine_is_task(m, stmt->value)) {
            calls++;
            if (!is_candidate_call(m, stmt->value))
                return false;
        }
        open[depth++] = stmt->next;
        if (stmt->orelse != AST_NONE)
            open[depth++] = stmt->orelse;
        if (stmt->body != AST_NONE)
            open[depth++] = stmt->body;
    }
    return calls > 0;
}

/* The scope of a loop's body or a branch. */
static uint32_t block_scope(machine *m, ast_stmt block, uint32_t outer)
{
    enum { UNKNOWN, PLAIN, MANUAL };
    if (block == AST_NONE || !m->ast->funcs[m->levels[0].func].auto_scope)
        return outer;
    if (m->all_manual[block] == UNKNOWN)
        m->all_manual[block] = is_candidate(m, block) ? MANUAL : PLAIN;
    return m->all_manual[block] == PLAIN
               ? outer
               : graph_add_scope(&m->graph, true, outer);
}

/* --- Branches --- */

static bool push_branch(machine *m, ast_stmt block, uint32_t when,
                        uint32_t dynamic)
{
    uint32_t scope = block_scope(m, block, machine_frame(m)->scope);
    if (!machine_push_frame(m, FRAME_BRANCH, block, 0, scope))
        return false;
    machine_frame(m)->when = when;
    machine_frame(m)->dynamic = dynamic;
    return true;
}

/*
 * The choice of a condition: equal ones and their negations are one. *is: the
 * value of the choice at which it holds.
 */
static uint32_t choice_of(machine *m, const char *kind,
                          const ast_statement *stmt, affine n, bool *is)
{
    affine_symbol *s = affine_symbol_of(&m->numbers, n);
    *is = true;
    if (s == NULL)
        return GRAPH_NONE;
    if (s->choice == 0) {
        uint32_t made = new_choice(m, kind, stmt->at, stmt->value);
        if (made == GRAPH_NONE)
            return GRAPH_NONE;
        m->graph.choices[made].has_number = true;
        m->graph.choices[made].number = n;
        s->choice = made + 1;
        s->flipped = n.c != 0;
    }
    *is = (n.c != 0) == s->flipped;
    return s->choice - 1;
}

void flow_if(machine *m, const ast_statement *stmt)
{
    value v = machine_eval(m, stmt->value);
    int truth = machine_truth(v);
    bool is = true;
    uint32_t outer = machine_frame(m)->when, choice = GRAPH_NONE;
    uint32_t dynamic = machine_frame(m)->dynamic;
    uint32_t when[2] = {outer, outer};
    if (m->status != SONATA_OK)
        return;
    if (truth < 0) {
        choice = choice_of(m, "if", stmt, machine_condition(m, v), &is);
        truth = machine_decide(m, outer, choice);
        truth = truth < 0 || is ? truth : !truth;
    }
    if (truth < 0) {
        when[0] = graph_add_when(&m->graph, choice, is, outer);
        when[1] = graph_add_when(&m->graph, choice, !is, outer);
        dynamic = dynamic_of(m, m->stmt, "if on a runtime value");
    }
    bool both = truth < 0 && stmt->body != AST_NONE;
    if (truth != 1 && stmt->orelse != AST_NONE &&
        push_branch(m, stmt->orelse, when[1], dynamic) && both)
        machine_frame(m)->turn = TURN_SECOND;
    /* The first branch hides the second, whose frame is not its parent. */
    if (truth != 0 && stmt->body != AST_NONE)
        push_branch(m, stmt->body, when[0], dynamic);
}

value flow_yield(machine *m, uint32_t name, value v)
{
    const level *l = machine_level(m);
    const frame *f = machine_frame(m);
    while (f->kind == FRAME_SCOPE)
        f--;
    if (f->kind != FRAME_BRANCH || f->turn != TURN_SECOND ||
        l->slots[name].stamp != l->stamp)
        return v;
    graph_when w = m->graph.whens[f->when];
    value first = l->slots[name].value;
    return w.is ? one_of(m, w.choice, v, first) : one_of(m, w.choice, first, v);
}

/* --- Statements that a choice decides --- */

/* A choice on which a statement's names depend and that nothing decides. */
static uint32_t open_choice(const machine *m, const ast_statement *stmt)
{
    const level *l = &m->levels[0];
    const ast_expr *e = &m->ast->exprs[stmt->value];
    if (e->kind == AST_NAME || machine_is_yield(m, stmt->value))
        return GRAPH_NONE;
    for (ast_node n = e->first; n <= stmt->value; n++) {
        uint32_t name = m->names.of_node[n];
        if (name == NAME_NONE || l->slots[name].stamp != l->stamp ||
            l->slots[name].value.kind != VALUE_CHOICE)
            continue;
        value v = flow_resolve(m, l->slots[name].value);
        if (v.kind == VALUE_CHOICE)
            return v.count;
    }
    return GRAPH_NONE;
}

static bool push_single(machine *m, ast_stmt index, uint32_t when)
{
    uint32_t scope = machine_frame(m)->scope;
    if (!machine_push_frame(m, FRAME_SCOPE, index, 0, scope))
        return false;
    machine_frame(m)->when = when;
    machine_frame(m)->single = true;
    machine_frame(m)->only = index;
    return true;
}

bool flow_fork(machine *m, ast_stmt index)
{
    const ast_statement *stmt = &m->ast->stmts[index];
    if (stmt->kind != STMT_ASSIGN && stmt->kind != STMT_EXPR)
        return false;
    if (m->graph.choice_count == 0 || stmt->value == AST_NONE)
        return false;
    uint32_t choice = open_choice(m, stmt);
    uint32_t outer = machine_frame(m)->when;
    if (choice == GRAPH_NONE)
        return false;
    uint32_t yes = graph_add_when(&m->graph, choice, true, outer);
    uint32_t no = graph_add_when(&m->graph, choice, false, outer);
    if (push_single(m, index, no)) {
        machine_frame(m)->turn = TURN_SECOND;
        /* The first side hides the second, whose frame is not its parent. */
        push_single(m, index, yes);
    }
    return true;
}

void flow_keep_first(machine *m, frame *f)
{
    const ast_statement *stmt = &m->ast->stmts[f->next];
    const level *l = machine_level(m);
    f->first_side = m->item_count;
    if (stmt->kind != STMT_ASSIGN || stmt->target == AST_NONE)
        return;
    for (ast_node n = machine_first_name(m, stmt->target); n != AST_NONE;
         n = m->ast->exprs[n].next) {
        uint32_t name = m->names.of_node[n];
        bool bound = name != NAME_NONE && l->slots[name].stamp == l->stamp;
        machine_push_item(m, bound ? l->slots[name].value : value_none());
    }
}

void flow_join(machine *m, const frame *f)
{
    const ast_statement *stmt = &m->ast->stmts[f->only];
    uint32_t choice = m->graph.whens[f->when].choice;
    uint32_t i = f->first_side;
    if (stmt->kind != STMT_ASSIGN || stmt->target == AST_NONE)
        return;
    for (ast_node n = machine_first_name(m, stmt->target); n != AST_NONE;
         n = m->ast->exprs[n].next, i++) {
        uint32_t name = m->names.of_node[n];
        if (name == NAME_NONE)
            continue;
        value second = machine_level(m)->slots[name].value;
        machine_bind(m, name, one_of(m, choice, m->items[i], second));
    }
}

/* --- Loops --- */

static ast_stmt last_yield(const machine *m, ast_stmt body)
{
    ast_stmt last = AST_NONE;
    for (ast_stmt s = body; s != AST_NONE; s = m->ast->stmts[s].next) {
        const ast_statement *stmt = &m->ast->stmts[s];
        if (stmt->kind == STMT_ASSIGN && machine_is_yield(m, stmt->value))
            last = s;
        /* The later stage wraps a body in a scope. */
        if (stmt->kind == STMT_WITH) {
            ast_stmt inner = AST_NONE;
            for (ast_stmt i = stmt->body; i != AST_NONE;
                 i = m->ast->stmts[i].next)
                if (m->ast->stmts[i].kind == STMT_ASSIGN &&
                    machine_is_yield(m, m->ast->stmts[i].value))
                    inner = i;
            last = inner == AST_NONE ? last : inner;
        }
    }
    return last;
}

/* Item i of a list that starts with `first`, or AST_NONE. */
static ast_node nth(const machine *m, ast_node first, uint32_t i)
{
    while (first != AST_NONE && i-- > 0)
        first = m->ast->exprs[first].next;
    return first;
}

static ast_node result_name(const machine *m, const loop *l, uint32_t i)
{
    if (l->yield == AST_NONE || m->ast->stmts[l->yield].target == AST_NONE)
        return AST_NONE;
    return nth(m, machine_first_name(m, m->ast->stmts[l->yield].target), i);
}

/* The values that go into the first pass, and as many empty sets; or fails. */
static bool take_carries(machine *m, loop *l)
{
    const ast_statement *stmt = &m->ast->stmts[l->stmt];
    ast_node list = call_keyword(m, stmt->value, "init_values");
    ast_node init = list == AST_NONE ? AST_NONE : m->ast->exprs[list].child;
    l->carries = 0;
    if (stmt->carries != AST_NONE)
        for (ast_node n = m->ast->exprs[stmt->carries].child; n != AST_NONE;
             n = m->ast->exprs[n].next)
            l->carries++;
    l->first = l->instead = m->item_count;
    for (uint32_t i = 0; i < l->carries; i++) {
        machine_push_item(m, init == AST_NONE ? value_none()
                                              : machine_value(m, init));
        init = init == AST_NONE ? AST_NONE : m->ast->exprs[init].next;
    }
    l->gathered = m->item_count;
    for (uint32_t i = 0; i < l->carries; i++)
        machine_push_item(m, value_none());
    /* What the loop gives without its choice stays as it is now. */
    l->first = m->item_count;
    for (uint32_t i = 0; m->status == SONATA_OK && i < l->carries; i++)
        machine_push_item(m, m->items[l->instead + i]);
    return m->status == SONATA_OK;
}

static void bind_carries(machine *m, const loop *l)
{
    const ast_statement *stmt = &m->ast->stmts[l->stmt];
    for (uint32_t i = 0; i < l->carries; i++) {
        ast_node name = nth(m, m->ast->exprs[stmt->carries].child, i);
        value v = m->items[l->first + i];
        if (l->symbolic && v.kind == VALUE_SCALAR)
            v.number = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
        v.overwritten = false;
        v.carried = true;
        v.gathered = m->items[l->gathered + i].gathered;
        if (m->names.of_node[name] != NAME_NONE)
            machine_bind(m, m->names.of_node[name], v);
    }
}

static void begin_pass(machine *m, frame *f)
{
    loop *l = &m->loops[f->pass];
    const ast_statement *stmt = &m->ast->stmts[l->stmt];
    affine index = l->index;
    if (!l->stepped)
        index = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
    if (stmt->target != AST_NONE && m->names.of_node[stmt->target] != NAME_NONE)
        machine_bind(m, m->names.of_node[stmt->target], value_scalar(index));
    l->index = affine_add(&m->numbers, l->index, l->step);
    bind_carries(m, l);
    if (l->symbolic && l->done < 2)
        f->when = l->when[l->done];
    f->scope = block_scope(m, stmt->body, l->scope);
    f->next = stmt->body;
    l->done++;
    l->pass = ++m->passes;
    m->stmt = l->stmt;
    machine_spend(m, 1);
}

/* The results of a pass become what goes into the next. */
static void end_pass(machine *m, loop *l)
{
    const level *root = machine_level(m);
    for (uint32_t i = 0; i < l->carries; i++) {
        ast_node name = result_name(m, l, i);
        uint32_t id = name == AST_NONE ? NAME_NONE : m->names.of_node[name];
        if (id == NAME_NONE || root->slots[id].stamp != root->stamp)
            continue;
        value v = root->slots[id].value;
        value *all = &m->items[l->gathered + i];
        uint32_t made =
            v.kind == VALUE_TASK && !v.carried ? v.index : passes_of(v);
        if (l->symbolic && l->done == l->choice_from)
            m->items[l->instead + i] = v;
        all->gathered = task_set_union(&m->sets, all->gathered, made);
        m->items[l->first + i] = v;
    }
}

static void end_loop(machine *m, const loop *l)
{
    for (uint32_t i = 0; i < l->carries; i++) {
        ast_node name = result_name(m, l, i);
        uint32_t id = name == AST_NONE ? NAME_NONE : m->names.of_node[name];
        if (id == NAME_NONE)
            continue;
        value v = m->items[l->first + i];
        if (l->symbolic && v.kind == VALUE_SCALAR)
            v.number = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
        uint32_t all = m->items[l->gathered + i].gathered;
        if (v.kind == VALUE_TASK && v.index != GRAPH_NONE && all != v.index) {
            v.overwritten = true; /* earlier passes gave others */
            v.pass = 0;
        }
        value instead = m->items[l->instead + i];
        if (l->choice != GRAPH_NONE)
            v = l->choice_is ? one_of(m, l->choice, v, instead)
                             : one_of(m, l->choice, instead, v);
        v.carried = true;
        v.gathered = all;
        machine_bind(m, id, v);
    }
}

uint32_t flow_pass(const machine *m)
{
    return m->loop_count == 0 ? 0 : m->loops[m->loop_count - 1].pass;
}

bool flow_in_pass(const machine *m, uint32_t pass)
{
    for (uint32_t i = 0; pass != 0 && i < m->loop_count; i++)
        if (m->loops[i].pass == pass)
            return true;
    return false;
}

bool flow_repeat(machine *m)
{
    frame *f = machine_frame(m);
    loop *l = &m->loops[f->pass];
    end_pass(m, l);
    if (l->done < l->passes) {
        begin_pass(m, f);
        return true;
    }
    end_loop(m, l);
    m->loop_count--;
    return false;
}

static bool inside_unknown(const machine *m)
{
    for (uint32_t i = 0; i < m->loop_count; i++)
        if (m->loops[i].symbolic)
            return true;
    return false;
}

/* k of the first pass, in [0, most - 2], and the distance, at least 1. */
static affine new_index(machine *m, const ast_statement *stmt, int64_t min,
                        bool bounded, int64_t max)
{
    const char *name = NULL;
    uint32_t length = 0;
    if (stmt->target != AST_NONE) {
        const ast_expr *e = &m->ast->exprs[stmt->target];
        name = m->ast->text + e->at;
        length = e->length;
    }
    affine n = affine_symbol_new(&m->numbers, AFFINE_INDEX, name, length);
    affine_symbol *s = affine_symbol_of(&m->numbers, n);
    if (s != NULL) {
        s->has_min = true;
        s->min = min;
        s->has_max = bounded;
        s->max = bounded ? max : 0;
    }
    return n;
}

/*
 * The choice under which a loop has more than l->choice_from passes. False
 * when that is decided: then l->passes are all there are.
 */
static bool take_choice(machine *m, loop *l, const trip *t)
{
    const ast_statement *stmt = &m->ast->stmts[l->stmt];
    value more = value_none();
    if (t->known)
        more = machine_compare(m, OP_GT, machine_trips(m, t),
                               affine_const(l->choice_from));
    int truth = machine_truth(more);
    if (truth < 0) {
        affine n = machine_condition(m, more);
        l->choice = choice_of(m, "loop", stmt, n, &l->choice_is);
        truth = machine_decide(m, machine_frame(m)->when, l->choice);
        truth = truth < 0 ? -1 : truth == l->choice_is;
    }
    if (truth < 0)
        return true;
    l->choice = GRAPH_NONE;
    if (truth == 0)
        l->passes = l->choice_from;
    return false;
}

/* Pass number n, counted from 0, is one of the loop: n + 1 <= trips. */
static affine limit_index(machine *m, affine symbol, affine n, const trip *t)
{
    affine trips = machine_trips(m, t);
    affine limit = affine_sub(
        &m->numbers, affine_add(&m->numbers, n, affine_const(1)), trips);
    affine_symbol *s = affine_symbol_of(&m->numbers, symbol);
    if (s != NULL) {
        s->has_limit = true;
        s->limit = limit;
    }
    return limit;
}

/* What a reader of the document may try as indexes. */
static void note_limits(machine *m, const loop *l)
{
    for (int64_t i = 0; i < 2; i++) {
        bool always = l->choice == GRAPH_NONE || i < l->choice_from;
        graph_fact fact = {always ? GRAPH_NONE : l->choice, l->choice_is,
                           "<=", l->limits[i]};
        if (!affine_is_const(fact.number))
            graph_add_fact(&m->graph, &fact);
    }
}

/* Two passes for all, under a choice where there may be fewer. */
static void make_symbolic(machine *m, loop *l, const trip *t, affine_range r)
{
    const ast_statement *stmt = &m->ast->stmts[l->stmt];
    affine_pool *p = &m->numbers;
    uint32_t outer = machine_frame(m)->when;
    affine one_more = affine_sub(
        p, affine_const(2), t->known ? machine_trips(m, t) : affine_const(0));
    bool once = t->known && ((r.has_max && r.max <= 1) ||
                             machine_excludes(m, outer, one_more));
    int64_t least = t->known && r.has_min ? r.min : 0;
    l->symbolic = true;
    l->stepped = t->known;
    l->passes = once ? 1 : 2;
    l->when[0] = l->when[1] = outer;
    if (t->known && !once) {
        affine k = new_index(m, stmt, 0, r.has_max, r.max - 2);
        affine d = new_index(m, stmt, 1, r.has_max, r.max - 1);
        affine_pair(p, k, d);
        l->limits[0] = limit_index(m, k, k, t);
        l->limits[1] = limit_index(m, d, affine_add(p, k, d), t);
        l->index = affine_add(p, l->index, affine_mul(p, k, t->step));
        l->step = affine_mul(p, d, t->step);
    }
    if (least < l->passes) {
        l->choice_from = least < 1 ? 0 : 1;
        if (!take_choice(m, l, t))
            l->choice = GRAPH_NONE;
    }
    note_limits(m, l);
    if (l->choice == GRAPH_NONE)
        return;
    for (int64_t i = l->choice_from; i < 2; i++)
        l->when[i] =
            i == 1 && l->choice_from == 0
                ? l->when[0]
                : graph_add_when(&m->graph, l->choice, l->choice_is, outer);
}

void flow_for(machine *m, ast_stmt index, const ast_statement *stmt)
{
    loop l = {.stmt = index,
              .scope = machine_frame(m)->scope,
              .choice = GRAPH_NONE,
              .choice_from = -1,
              .stepped = true};
    machine_eval(m, stmt->value);
    if (m->status != SONATA_OK || m->ast->exprs[stmt->value].kind != AST_CALL ||
        stmt->body == AST_NONE)
        return;
    trip t = machine_trip(m, stmt->value);
    if (affine_is_const(t.step) && t.step.c == 0) {
        machine_fail(m, SONATA_RANGE, stmt->at, "a loop with a step of 0");
        return;
    }
    affine trips = t.known ? machine_trips(m, &t) : affine_const(0);
    affine_range r = affine_bounds(&m->numbers, trips);
    if (t.known && r.has_max && r.max < 1) {
        machine_bind_unrun(m, stmt);
        return;
    }
    bool known = t.known && affine_is_const(trips);
    bool fold =
        known && trips.c > 2 &&
        (m->fold == FOLD_ALL || (m->fold == FOLD_INNER && inside_unknown(m)));
    const char *reason = fold ? "loop run as two passes to stay within the "
                                "limit of tasks"
                              : "loop of unknown length";
    l.yield = last_yield(m, stmt->body);
    l.index = t.start;
    l.step = t.step;
    l.passes = trips.c;
    if (!take_carries(m, &l))
        return;
    if (!known || fold)
        make_symbolic(m, &l, &t, r);
    if (l.passes == 0) {
        machine_bind_unrun(m, stmt);
        return;
    }
    uint32_t dynamic =
        l.symbolic ? dynamic_of(m, index, reason) : machine_frame(m)->dynamic;
    if (!array_grow(&m->loops, m->loop_count, &m->loop_capacity,
                    sizeof *m->loops)) {
        machine_no_memory(m);
        return;
    }
    m->loops[m->loop_count++] = l;
    if (!machine_push_frame(m, FRAME_LOOP, stmt->body, 0, l.scope))
        return;
    machine_frame(m)->pass = m->loop_count - 1;
    machine_frame(m)->dynamic = dynamic;
    begin_pass(m, machine_frame(m));
}
