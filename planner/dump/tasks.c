/* Tasks: calls, submits and dummies of the root function. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

static graph_text text_of(const machine *m, ast_node node)
{
    const ast_expr *e = &m->ast->exprs[node];
    return (graph_text){m->ast->text + e->at, e->length};
}

uint64_t machine_line(const machine *m, uint32_t at)
{
    uint64_t line, column;
    ast_position(m->ast, at, &line, &column);
    return line;
}

static int bracket(char c)
{
    return c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
}

/* Behind the brackets that [begin, end) leaves open; no node has them. */
static uint32_t close_brackets(const machine *m, uint32_t begin, uint32_t end)
{
    const char *text = m->ast->text;
    uint32_t at = end;
    int open = 0;
    for (uint32_t i = begin; i < end; i++)
        open += bracket(text[i]);
    for (; open > 0 && at < m->ast->length; at++) {
        bool is_space = text[at] == ' ' || text[at] == ',' || text[at] == '\n';
        if (bracket(text[at]) >= 0 && !is_space)
            break;
        open += bracket(text[at]);
    }
    return open == 0 ? at : end;
}

/* The nodes of an expression as it stands in the text, for scalars. */
graph_text machine_source(const machine *m, ast_node node)
{
    uint32_t begin = UINT32_MAX, end = 0;
    for (ast_node n = m->ast->exprs[node].first; n <= node; n++) {
        const ast_expr *e = &m->ast->exprs[n];
        if (e->length == 0 && e->kind != AST_LIST && e->kind != AST_TUPLE)
            continue;
        if (e->at < begin)
            begin = e->at;
        if (e->at + e->length > end)
            end = e->at + e->length;
    }
    if (begin > end)
        return (graph_text){"?", 1};
    end = close_brackets(m, begin, end);
    return (graph_text){m->ast->text + begin, end - begin};
}

/* --- Arguments --- */

/* The region of a dispatched view; GRAPH_NONE: the whole buffer. */
static uint32_t view_region(machine *m, const view *v)
{
    if (v->known)
        return graph_add_region(&m->graph, v);
    if (v->whole)
        return GRAPH_NONE;
    /* Somewhere in the buffer: a place and a size that are not known. */
    view somewhere = *v;
    affine at = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
    affine size = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
    affine_symbol *s = affine_symbol_of(&m->numbers, at);
    if (s != NULL)
        s->has_min = true;
    s = affine_symbol_of(&m->numbers, size);
    if (s != NULL)
        s->has_min = true;
    somewhere.base = affine_const(0);
    somewhere.rank = 1;
    somewhere.dim[0] = (view_dim){size, at, v->type->elem};
    return graph_add_region(&m->graph, &somewhere);
}

static graph_arg scalar_arg(const machine *m, ast_node node, value v)
{
    graph_arg arg = {.is_scalar = true, .view = GRAPH_NONE};
    arg.is_const = v.kind == VALUE_SCALAR && affine_is_const(v.number);
    arg.number = arg.is_const ? v.number.c : 0;
    arg.text = machine_source(m, node);
    return arg;
}

/* The callee of a statement's call, for a message. */
static graph_text callee_text(const machine *m, ast_stmt site)
{
    ast_node call = m->ast->stmts[site].value;
    ast_node callee = call_callee(m, call);
    uint32_t name = m->names.of_node[callee];
    if (name == WORD_SUBMIT || name == WORD_SPMD_SUBMIT)
        callee = call_argument(m, call, 0);
    return text_of(m, callee);
}

static bool fail_argument(machine *m, ast_node node, uint32_t i, value v)
{
    uint32_t at = m->ast->exprs[node].at;
    if (v.kind != VALUE_UNCLEAR)
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "argument %u of the call is a tensor whose "
                            "storage is not known: no parameter, no created "
                            "tensor and no view of one",
                            i);
    graph_text callee = callee_text(m, v.index);
    return machine_fail(
        m, SONATA_UNSUPPORTED, at,
        "argument %u of the call is a result of %.*s (line "
        "%llu), which does not say which parameter it returns",
        i, (int)(callee.length < 100 ? callee.length : 100), callee.data,
        (unsigned long long)machine_line(m, m->ast->stmts[v.index].at));
}

static bool tensor_arg(machine *m, ast_node node, uint32_t i, value v,
                       const ast_param *param, graph_text dispatch)
{
    if (v.kind != VALUE_VIEW)
        return fail_argument(m, node, i, v);
    view copy = m->views[v.index];
    graph_arg arg = {.buffer = copy.buffer,
                     .dispatch = dispatch,
                     .declared = param->direction,
                     .view = view_region(m, &copy),
                     .dtype = copy.type->name};
    return graph_add_arg(&m->graph, &arg) != GRAPH_NONE || machine_no_memory(m);
}

static bool is_direction(graph_text text)
{
    static const char *const words[] = {"input",           "output", "inout",
                                        "output_existing", "no_dep", "scalar"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == text.length &&
            memcmp(words[i], text.data, text.length) == 0)
            return true;
    return false;
}

/* "pl.adir.input" without its prefix; empty where there is none. */
static bool direction_text(machine *m, ast_node node, graph_text *out)
{
    static const char prefix[] = "pl.adir.";
    *out = (graph_text){"", 0};
    if (node == AST_NONE)
        return true;
    graph_text text = text_of(m, node);
    if (text.length >= sizeof prefix - 1 &&
        memcmp(text.data, prefix, sizeof prefix - 1) == 0) {
        text.data += sizeof prefix - 1;
        text.length -= (uint32_t)sizeof prefix - 1;
    }
    *out = text;
    return is_direction(text) ||
           machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[node].at,
                        "'%.*s' is no argument direction",
                        (int)(text.length < 60 ? text.length : 60), text.data);
}

/* That of a tensor says what becomes of its bytes. */
static bool tensor_direction(machine *m, ast_node node, graph_text *out)
{
    static const char scalar[] = "scalar";
    if (!direction_text(m, node, out))
        return false;
    return out->length != sizeof scalar - 1 ||
           memcmp(out->data, scalar, sizeof scalar - 1) != 0 ||
           machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[node].at,
                        "the direction of a tensor is no 'scalar'");
}

static uint32_t count_children(const machine *m, ast_node list)
{
    uint32_t n = 0;
    for (ast_node i = m->ast->exprs[list].child; i != AST_NONE;
         i = m->ast->exprs[i].next)
        n++;
    return n;
}

static bool has_tensor(const machine *m, const ast_function *f)
{
    for (uint32_t i = 0; i < f->params; i++)
        if (machine_is_tensor(m, m->ast->params[f->first_param + i].type))
            return true;
    return false;
}

/* The arguments from argument `skip` on, into the graph and m->items. */
static bool add_arguments(machine *m, ast_node call, uint32_t skip,
                          ast_func func)
{
    const ast_function *f = &m->ast->funcs[func];
    ast_node list = call_attribute(m, call, "arg_directions");
    ast_node direction =
        list == AST_NONE ? AST_NONE : m->ast->exprs[list].child;
    uint32_t at = m->ast->exprs[call].at;
    ast_node node;
    m->first_arg = m->item_count;
    for (m->args = 0;
         (node = call_argument(m, call, m->args + skip)) != AST_NONE; m->args++)
        machine_push_item(m, machine_value(m, node));
    if (m->args != f->params)
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "the call of %.*s has %u arguments for %u "
                            "parameters",
                            (int)(f->length < 100 ? f->length : 100),
                            m->ast->text + f->at, m->args, f->params);
    if (list != AST_NONE && count_children(m, list) != m->args)
        return machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[list].at,
                            "arg_directions has %u entries for %u arguments",
                            count_children(m, list), m->args);
    if (list == AST_NONE && has_tensor(m, f))
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "the call of %.*s has no arg_directions: give a "
                            "dump behind the pass that derives them, the last "
                            "*_after_Simplify.py",
                            (int)(f->length < 100 ? f->length : 100),
                            m->ast->text + f->at);
    node = m->args > 0 ? call_argument(m, call, skip) : AST_NONE;
    for (uint32_t i = 0; i < m->args && m->status == SONATA_OK; i++) {
        const ast_param *p = &m->ast->params[f->first_param + i];
        value v = m->items[m->first_arg + i];
        graph_text dispatch;
        if (machine_is_tensor(m, p->type)) {
            if (!tensor_direction(m, direction, &dispatch) ||
                !tensor_arg(m, node, i, v, p, dispatch))
                return false;
        } else {
            if (!direction_text(m, direction, &dispatch))
                return false;
            graph_arg arg = scalar_arg(m, node, v);
            graph_add_arg(&m->graph, &arg);
        }
        do
            node = m->ast->exprs[node].next;
        while (node != AST_NONE && m->ast->exprs[node].kind == AST_KEYWORD);
        if (direction != AST_NONE)
            direction = m->ast->exprs[direction].next;
    }
    return m->status == SONATA_OK;
}

/* --- Predicates: tensor.read(t, [i]) OP int, or mirrored --- */

static ast_node without_cast(const machine *m, ast_node node)
{
    while (node != AST_NONE && m->ast->exprs[node].kind == AST_CALL &&
           m->names.of_node[call_callee(m, node)] == WORD_CAST)
        node = call_argument(m, node, 0);
    return node;
}

static bool is_read(const machine *m, ast_node node)
{
    return node != AST_NONE && m->ast->exprs[node].kind == AST_CALL &&
           m->names.of_node[call_callee(m, node)] == WORD_TENSOR_READ;
}

static const char *operator_text(ast_op op, bool mirrored)
{
    switch (op) {
    case OP_EQ:
        return "==";
    case OP_NE:
        return "!=";
    case OP_LT:
        return mirrored ? ">" : "<";
    case OP_LE:
        return mirrored ? ">=" : "<=";
    case OP_GT:
        return mirrored ? "<" : ">";
    case OP_GE:
        return mirrored ? "<=" : ">=";
    default:
        return NULL;
    }
}

static void predicate_operand(machine *m, graph_task *t, ast_node read)
{
    affine at[VIEW_RANK];
    uint32_t rank;
    ast_node tensor = call_argument(m, read, 0);
    ast_node list = call_argument(m, read, 1);
    value v = tensor == AST_NONE ? value_none() : machine_value(m, tensor);
    if (v.kind != VALUE_VIEW)
        return;
    view place = m->views[v.index];
    t->predicate_formed = true;
    t->predicate_buffer = place.buffer;
    if (place.known && machine_numbers(m, list, at, VIEW_RANK, &rank) &&
        rank == place.rank) {
        if (!machine_check_element(m, list, &place, at, rank))
            return;
        place = view_element(&m->numbers, &place, at);
        t->predicate_region = graph_add_region(&m->graph, &place);
    } else if (!place.whole) {
        t->predicate_region = view_region(m, &place);
    }
}

static void add_predicate(machine *m, ast_node node)
{
    graph_task *t = &m->graph.tasks[m->task];
    if (node == AST_NONE)
        return;
    const ast_expr *e = &m->ast->exprs[node];
    t->has_predicate = true;
    t->predicate_region = GRAPH_NONE;
    if (e->kind != AST_BINARY)
        return;
    ast_node left = e->child, right = m->ast->exprs[left].next;
    bool mirrored = is_read(m, without_cast(m, right));
    ast_node read = without_cast(m, mirrored ? right : left);
    value v = machine_value(m, mirrored ? left : right);
    t->predicate_op = operator_text((ast_op)e->op, mirrored);
    if (t->predicate_op == NULL || !is_read(m, read) ||
        v.kind != VALUE_SCALAR || !affine_is_const(v.number))
        return;
    t->predicate_value = v.number.c;
    predicate_operand(m, t, read);
}

/* --- The task itself --- */

static const char *core_name(const machine *m, ast_func func)
{
    switch (m->cores[func]) {
    case CORE_AIC:
        return "aic";
    case CORE_AIV:
        return "aiv";
    default:
        return "mixed";
    }
}

static bool keyword_is_true(const machine *m, ast_node call, const char *name)
{
    ast_node a = call_keyword(m, call, name);
    ast_node b = call_attribute(m, call, name);
    return (a != AST_NONE && m->ast->exprs[a].kind == AST_TRUE) ||
           (b != AST_NONE && m->ast->exprs[b].kind == AST_TRUE);
}

/* core_num as a number; 1 where there is none. */
static affine blocks_of(machine *m, ast_node call)
{
    ast_node a = call_keyword(m, call, "core_num");
    if (a == AST_NONE)
        a = call_attribute(m, call, "core_num");
    if (a == AST_NONE)
        return affine_const(1);
    return machine_number(m, machine_value(m, a));
}

/* A keyword of unknown meaning may be an order: it is not passed over. */
static bool check_keywords(machine *m, ast_node call)
{
    static const char *const known[] = {"allow_early_resolve",
                                        "attrs",
                                        "core_num",
                                        "deps",
                                        "device",
                                        "dumps",
                                        "predicate",
                                        "sync_start"};
    ast_node a = m->ast->exprs[call_callee(m, call)].next;
    for (; a != AST_NONE; a = m->ast->exprs[a].next) {
        bool found = m->ast->exprs[a].kind != AST_KEYWORD;
        for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++)
            found = ast_is(m->ast, a, known[i]);
        graph_text name = text_of(m, a);
        if (!found)
            return machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[a].at,
                                "the keyword %.*s of a task's call is not "
                                "known",
                                (int)(name.length < 100 ? name.length : 100),
                                name.data);
    }
    return true;
}

static bool open_task(machine *m, graph_text name, uint32_t at)
{
    graph_task task = {.name = name,
                       .line = machine_line(m, at),
                       .scope = machine_frame(m)->scope,
                       .when = machine_frame(m)->when,
                       .dynamic = machine_frame(m)->dynamic,
                       .blocks = 1,
                       .first_arg = m->graph.arg_count,
                       .first_dep = m->graph.dep_count,
                       .predicate_region = GRAPH_NONE};
    if (m->graph.task_count >= m->max_tasks) {
        m->too_many = true;
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "more than %llu tasks; --max-tasks raises that",
                            (unsigned long long)m->max_tasks);
    }
    m->task = graph_add_task(&m->graph, &task);
    return m->task != GRAPH_NONE || machine_no_memory(m);
}

/* Symbols of the call: its block and its lane. */
static void open_call(machine *m, ast_func func, affine blocks)
{
    affine_symbol *s;
    m->mark = affine_here(&m->numbers);
    m->view_mark = m->view_count;
    m->item_mark = m->item_count;
    footprint_clear(&m->foot);
    m->mixed = m->cores[func] == (CORE_AIC | CORE_AIV);
    m->block = affine_const(0);
    if (!affine_is_const(blocks) || blocks.c > 1) {
        m->block = affine_symbol_new(&m->numbers, AFFINE_BLOCK, NULL, 0);
        s = affine_symbol_of(&m->numbers, m->block);
        if (s != NULL) {
            affine_range r = affine_bounds(&m->numbers, blocks);
            s->has_min = true;
            s->has_max = r.has_max;
            s->max = r.has_max ? r.max - 1 : 0;
            if (!affine_is_const(blocks))
                s->kind = AFFINE_OPAQUE;
        }
    }
    m->lane = affine_symbol_new(&m->numbers, AFFINE_LANE, NULL, 0);
    s = affine_symbol_of(&m->numbers, m->lane);
    if (s != NULL) {
        s->has_min = s->has_max = true;
        s->max = 1;
    }
}

/* Runs the callee with the arguments' views marked by their index. */
static bool run_callee(machine *m, ast_func func, ast_stmt site, uint32_t at)
{
    uint32_t first = m->item_count;
    for (uint32_t i = 0; i < m->args; i++) {
        value v = m->items[m->first_arg + i];
        view clone = {.arg = i};
        if (v.kind == VALUE_VIEW) {
            clone = m->views[v.index];
            clone.arg = i;
            v = machine_view_value(m, &clone);
        }
        footprint_add_own(&m->foot, &clone);
        machine_push_item(m, v);
    }
    return m->status == SONATA_OK &&
           machine_enter(m, func, site, first, m->args, at);
}

static bool submit(machine *m, ast_stmt site, ast_node call, ast_func func,
                   bool is_submit)
{
    uint32_t at = m->ast->exprs[call].at;
    const ast_function *f = &m->ast->funcs[func];
    ast_node predicate = call_keyword(m, call, "predicate");
    if (!check_keywords(m, call))
        return false;
    if (predicate != AST_NONE) {
        m->quiet_first = m->ast->exprs[predicate].first;
        m->quiet_last = predicate;
    }
    machine_eval(m, call);
    m->quiet_first = AST_NONE;
    m->quiet_last = 0;
    if (m->status != SONATA_OK ||
        !open_task(m, (graph_text){m->ast->text + f->at, f->length},
                   m->ast->stmts[site].at))
        return false;
    affine blocks = blocks_of(m, call);
    graph_task *t = &m->graph.tasks[m->task];
    t->blocks = affine_is_const(blocks) ? blocks.c : 0;
    if (affine_is_const(blocks) && blocks.c < 1)
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "core_num must be at least 1");
    t->core = core_name(m, func);
    t->sync_start = keyword_is_true(m, call, "sync_start");
    t->early = keyword_is_true(m, call, "allow_early_resolve");
    add_predicate(m, predicate);
    if (!machine_add_deps(m, call) || !add_arguments(m, call, is_submit, func))
        return false;
    m->graph.tasks[m->task].args = m->args;
    m->site = site;
    m->is_submit = is_submit;
    open_call(m, func, blocks);
    return run_callee(m, func, site, at);
}

/* A dummy none of whose deps is valid is not submitted (spec 08). */
static bool submit_dummy(machine *m, ast_stmt site, ast_node call)
{
    static const graph_text name = {"task_dummy", 10};
    value v = {.kind = VALUE_TASK,
               .cause = GRAPH_DEP_DEAD,
               .index = GRAPH_NONE,
               .producer = GRAPH_NONE};
    machine_eval(m, call);
    if (m->status != SONATA_OK || !open_task(m, name, m->ast->stmts[site].at))
        return false;
    graph_task *t = &m->graph.tasks[m->task];
    t->dummy = true;
    t->core = "dummy";
    ast_node list = call_keyword(m, call, "deps");
    bool asked = list != AST_NONE && (m->ast->exprs[list].kind == AST_NAME ||
                                      m->ast->exprs[list].child != AST_NONE);
    if (!machine_add_deps(m, call))
        return false;
    bool any = false;
    t = &m->graph.tasks[m->task];
    for (uint32_t i = 0; i < t->deps; i++)
        any = any || m->graph.deps[t->first_dep + i].cause == GRAPH_DEP_TASK;
    if (asked && !any) {
        m->graph.dep_count = t->first_dep;
        m->graph.task_count--;
    } else {
        v.index = v.producer = m->task;
    }
    machine_assign(m, &m->ast->stmts[site], v);
    return true;
}

/* --- The end of a task's call --- */

static bool save_boxes(machine *m, affine_saved *saved)
{
    bool fits = true;
    for (uint32_t i = 0; fits && i < m->foot.count; i++) {
        view *p = &m->foot.boxes[i].place;
        if (m->foot.boxes[i].all)
            continue;
        fits = affine_save(&m->numbers, saved, &p->base);
        for (uint32_t k = 0; fits && k < p->rank; k++)
            fits = affine_save(&m->numbers, saved, &p->dim[k].count) &&
                   affine_save(&m->numbers, saved, &p->dim[k].offset);
    }
    return fits;
}

static void restore_boxes(machine *m, const affine_saved *saved)
{
    for (uint32_t i = 0; i < m->foot.count; i++) {
        view *p = &m->foot.boxes[i].place;
        if (m->foot.boxes[i].all)
            continue;
        affine_restore(&m->numbers, saved, &p->base);
        for (uint32_t k = 0; k < p->rank; k++) {
            affine_restore(&m->numbers, saved, &p->dim[k].count);
            affine_restore(&m->numbers, saved, &p->dim[k].offset);
        }
    }
}

static void add_accesses(machine *m)
{
    const graph_task *t = &m->graph.tasks[m->task];
    for (uint32_t k = 0; k < t->args; k++) {
        graph_arg *arg = &m->graph.args[t->first_arg + k];
        arg->first_access = m->graph.access_count;
        for (uint32_t i = 0; i < m->foot.count; i++) {
            const foot_box *b = &m->foot.boxes[i];
            if (b->arg != k)
                continue;
            graph_access a = {b->mode, b->must && !t->has_predicate, b->exact,
                              GRAPH_NONE};
            if (!b->all)
                a.region = graph_add_region(&m->graph, &b->place);
            graph_add_access(&m->graph, &a);
            arg->accesses++;
        }
    }
}

/*
 * A result as the root sees it: the argument that the callee returned, a part
 * of one whose place is not known, a number, or nothing.
 */
static value outer_result(machine *m, value v)
{
    value out = value_none();
    if (v.kind == VALUE_SCALAR) {
        out.kind = VALUE_SCALAR;
        out.number = v.number;
    } else if (v.kind == VALUE_VIEW && v.index < m->view_mark) {
        out = v;
    } else if (v.kind == VALUE_VIEW && m->views[v.index].arg != VIEW_NO_ARG) {
        value own = m->items[m->first_arg + m->views[v.index].arg];
        view whole = m->views[own.index];
        whole.arg = m->views[v.index].arg;
        if (view_same(&m->numbers, &whole, &m->views[v.index]))
            return own;
        out.kind = VALUE_VIEW;
        out.index = own.index;
        out.count = 1; /* a part of it */
    } else if (v.kind != VALUE_NONE && v.kind != VALUE_TILE) {
        out.kind = VALUE_UNCLEAR;
        out.index = m->site;
    }
    return out;
}

/* Puts one result into the root's pools, behind the cut. */
static value settle(machine *m, const affine_saved *saved, value v, bool local)
{
    if (v.kind == VALUE_SCALAR) {
        if (local)
            v.number = affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
        else
            affine_restore(&m->numbers, saved, &v.number);
    } else if (v.kind == VALUE_VIEW && v.count == 1) {
        view part = view_unknown(&m->views[v.index]);
        v = machine_view_value(m, &part);
    }
    v.producer = m->task;
    v.carried = false;
    return v;
}

static value task_results(machine *m, value *results, uint32_t count)
{
    value id = {.kind = VALUE_TASK, .index = m->task, .producer = m->task};
    if (!m->is_submit && count == 0)
        return (value){.kind = VALUE_NONE, .producer = m->task};
    if (!m->is_submit && count == 1)
        return results[0];
    value v = {.kind = VALUE_TUPLE,
               .index = m->item_count,
               .count = count + m->is_submit,
               .producer = m->task};
    for (uint32_t i = 0; i < count; i++)
        machine_push_item(m, results[i]);
    if (m->is_submit)
        machine_push_item(m, id);
    return v;
}

void machine_finish_task(machine *m)
{
    level *l = machine_level(m);
    affine_saved saved = {0};
    bool local[MAX_RESULTS] = {false};
    machine_settle_loads(m);
    bool fits = save_boxes(m, &saved);
    for (uint32_t i = 0; i < l->result_count; i++) {
        value *r = &l->results[i];
        *r = outer_result(m, *r);
        if (r->kind != VALUE_SCALAR)
            continue;
        local[i] = affine_has_from(&m->numbers, r->number, m->mark.symbols);
        fits = fits && affine_save(&m->numbers, &saved, &r->number);
    }
    affine_cut(&m->numbers, m->mark);
    m->view_count = m->view_mark;
    m->item_count = m->item_mark;
    m->depth--;
    if (!fits) {
        free(saved.terms);
        machine_no_memory(m);
        return;
    }
    restore_boxes(m, &saved);
    add_accesses(m);
    for (uint32_t i = 0; i < l->result_count; i++)
        l->results[i] = settle(m, &saved, l->results[i], local[i]);
    free(saved.terms);
    value v = task_results(m, l->results, l->result_count);
    machine_assign(m, &m->ast->stmts[m->site], v);
}

/* --- Which calls are tasks --- */

/* The function that a node "self.f" names; fails when there is none. */
static ast_func function_of(machine *m, ast_node node)
{
    uint32_t name = node == AST_NONE ? NAME_NONE : m->names.of_node[node];
    ast_func func = name == NAME_NONE ? AST_NONE : m->names.entries[name].call;
    if (func == AST_NONE) {
        uint32_t at = m->ast->stmts[m->stmt].at;
        graph_text text = {"?", 1};
        if (node != AST_NONE) {
            at = m->ast->exprs[node].at;
            text = text_of(m, node);
        }
        machine_fail(m, SONATA_UNSUPPORTED, at,
                     "%.*s is no function of the program",
                     (int)(text.length < 100 ? text.length : 100), text.data);
    }
    return func;
}

/* A call inside a task's callee: of a kernel, or of a wrapper. */
static bool inner_call(machine *m, ast_stmt site, ast_node call, ast_func func,
                       uint32_t skip)
{
    ast_node node;
    uint32_t n = 0;
    machine_eval(m, call);
    if (m->status != SONATA_OK)
        return false;
    uint32_t first = m->item_count;
    while ((node = call_argument(m, call, n + skip)) != AST_NONE) {
        machine_push_item(m, machine_value(m, node));
        n++;
    }
    return machine_enter(m, func, site, first, n, m->ast->exprs[call].at);
}

bool machine_is_task(const machine *m, ast_node call)
{
    if (m->ast->exprs[call].kind != AST_CALL)
        return false;
    ast_node callee = call_callee(m, call);
    uint32_t name = m->names.of_node[callee];
    const ast_expr *e = &m->ast->exprs[callee];
    return name == WORD_SUBMIT || name == WORD_SPMD_SUBMIT ||
           (e->kind == AST_NAME && e->length > 5 &&
            memcmp(m->ast->text + e->at, "self.", 5) == 0);
}

bool machine_task_call(machine *m, ast_stmt site, ast_node call)
{
    ast_node callee = call_callee(m, call);
    uint32_t name = m->names.of_node[callee];
    const ast_expr *e = &m->ast->exprs[callee];
    bool is_submit = name == WORD_SUBMIT || name == WORD_SPMD_SUBMIT;
    bool is_call = e->kind == AST_NAME && e->length > 5 &&
                   memcmp(m->ast->text + e->at, "self.", 5) == 0;
    if (name == WORD_DUMMY && m->depth == 1) {
        submit_dummy(m, site, call);
        return true;
    }
    if (!is_submit && !is_call)
        return name == WORD_DUMMY;
    ast_func func =
        function_of(m, is_submit ? call_argument(m, call, 0) : callee);
    if (func == AST_NONE)
        return true;
    if (m->depth == 1)
        submit(m, site, call, func, is_submit);
    else
        inner_call(m, site, call, func, is_submit);
    return true;
}
