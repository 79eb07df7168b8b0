/* Calls of functions inside a task: arguments, results, wrappers, cores. */
#include "machine.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

bool machine_is_abstract(const machine *m, ast_func func)
{
    const ast_function *f = &m->ast->funcs[func];
    if (f->unreadable || f->has_external || f->body == AST_NONE)
        return true;
    for (ast_stmt s = f->body; s != AST_NONE; s = m->ast->stmts[s].next)
        if (m->ast->stmts[s].kind != STMT_PASS &&
            m->ast->stmts[s].kind != STMT_COMMENT)
            return false;
    return true;
}

static bool is_pipe(const machine *m, const ast_param *p)
{
    static const char word[] = "gm_pipe_buffer";
    const char *name = m->ast->text + p->at;
    for (uint32_t i = 0; i + sizeof word - 1 <= p->length; i++)
        if (memcmp(name + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

uint32_t machine_promised(const machine *m, ast_func func)
{
    const ast_function *f = &m->ast->funcs[func];
    uint32_t n = 0;
    if (f->result == AST_NONE || m->ast->exprs[f->result].kind == AST_NULL)
        return 0;
    const ast_expr *e = &m->ast->exprs[f->result];
    if (e->kind != AST_INDEX || !(ast_is(m->ast, e->child, "tuple") ||
                                  ast_is(m->ast, e->child, "pl.Tuple")))
        return 1;
    for (ast_node i = m->ast->exprs[e->child].next; i != AST_NONE;
         i = m->ast->exprs[i].next)
        n++;
    return n;
}

/*
 * Results of a function without a body: its Out parameters in order when
 * there are as many, else Out and InOut together, else unclear.
 */
static void abstract_results(machine *m, level *l, const ast_function *f)
{
    uint32_t wanted = machine_promised(m, l->func), outs = 0, both = 0;
    for (uint32_t i = 0; i < f->params; i++) {
        ast_direction d = m->ast->params[f->first_param + i].direction;
        outs += d == AST_OUT;
        both += d != AST_IN;
    }
    bool only_out = outs == wanted;
    l->result_count = wanted < MAX_RESULTS ? wanted : MAX_RESULTS;
    for (uint32_t i = 0; i < l->result_count; i++)
        l->results[i] = (value){
            .kind = VALUE_UNCLEAR, .index = l->site, .producer = GRAPH_NONE};
    if (!only_out && both != wanted)
        return;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->params && n < l->result_count; i++) {
        ast_direction d = m->ast->params[f->first_param + i].direction;
        if (d == AST_OUT || (!only_out && d == AST_INOUT))
            l->results[n++] = m->items[l->first_arg + i];
    }
}

static void run_abstract(machine *m, level *l, const ast_function *f)
{
    for (uint32_t i = 0; i < f->params; i++)
        machine_touch_by(m, m->items[l->first_arg + i],
                         m->ast->params[f->first_param + i].direction);
    abstract_results(m, l, f);
    machine_leave(m);
}

static void bind_parameters(machine *m, level *l, const ast_function *f)
{
    bool is_kernel =
        f->kind == FUNC_AIC || f->kind == FUNC_AIV || f->kind == FUNC_INCORE;
    for (uint32_t i = 0; i < f->params; i++) {
        const ast_param *p = &m->ast->params[f->first_param + i];
        value v = m->items[l->first_arg + i];
        machine_bind(m, m->names.of_param[f->first_param + i], v);
        if (is_kernel && is_pipe(m, p))
            machine_touch_by(m, v, p->direction);
    }
}

bool machine_enter(machine *m, ast_func func, ast_stmt site, uint32_t first_arg,
                   uint32_t args, uint32_t at)
{
    const ast_function *f = &m->ast->funcs[func];
    if (args != f->params)
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "the call of %.*s has %u arguments for %u "
                            "parameters",
                            (int)(f->length < 100 ? f->length : 100),
                            m->ast->text + f->at, args, f->params);
    if (m->depth == MAX_LEVELS)
        return machine_fail(m, SONATA_UNSUPPORTED, at,
                            "calls are nested deeper than %d levels",
                            MAX_LEVELS);
    if (!machine_level_slots(m, m->depth))
        return false;
    level *l = &m->levels[m->depth++];
    l->func = func;
    l->site = site;
    l->stamp = ++m->stamps;
    l->maybe_left = l->returned = false;
    l->first_arg = first_arg;
    l->args = args;
    l->result_count = 0;
    l->frame = m->frame_count;
    if (machine_is_abstract(m, func)) {
        run_abstract(m, l, f);
        return m->status == SONATA_OK;
    }
    bind_parameters(m, l, f);
    return machine_push_frame(m, FRAME_BODY, f->body,
                              machine_frame(m)->undecided, GRAPH_NONE);
}

/* What a call gives: nothing, its result, or the tuple of its results. */
static value results_value(machine *m, const level *l)
{
    if (l->result_count == 0)
        return value_none();
    if (l->result_count == 1)
        return l->results[0];
    value v = {.kind = VALUE_TUPLE,
               .index = m->item_count,
               .count = l->result_count,
               .producer = GRAPH_NONE};
    for (uint32_t i = 0; i < l->result_count; i++)
        machine_push_item(m, l->results[i]);
    return v;
}

void machine_leave(machine *m)
{
    level *l = machine_level(m);
    if (m->depth == 2) {
        machine_finish_task(m);
        return;
    }
    m->depth--;
    value v = results_value(m, l);
    machine_assign(m, &m->ast->stmts[l->site], v);
}

static bool same_result(machine *m, value a, value b)
{
    return a.kind == b.kind &&
           (a.kind != VALUE_VIEW ||
            view_same(&m->numbers, &m->views[a.index], &m->views[b.index]));
}

static void record_results(machine *m, level *l, value v, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        value r =
            count == 1 && v.kind != VALUE_TUPLE ? v : m->items[v.index + i];
        if (l->returned &&
            (i >= l->result_count || !same_result(m, l->results[i], r)))
            r = (value){.kind = VALUE_UNCLEAR,
                        .index = l->site,
                        .producer = GRAPH_NONE};
        l->results[i] = r;
    }
    l->result_count = count;
    l->returned = true;
}

/*
 * A root gives its results to nobody; how many there are tells a text that was
 * cut short.
 */
static void check_results(machine *m, const ast_statement *stmt, uint32_t count)
{
    uint32_t wanted = machine_promised(m, machine_level(m)->func);
    if (count < wanted)
        machine_fail(m, SONATA_SYNTAX, stmt->at,
                     "%u results where the function declares %u: is the text "
                     "cut short?",
                     count, wanted);
    machine_level(m)->returned = true;
}

void machine_return(machine *m, const ast_statement *stmt)
{
    level *l = machine_level(m);
    value v =
        stmt->value == AST_NONE ? value_none() : machine_eval(m, stmt->value);
    uint32_t count = stmt->value == AST_NONE ? 0
                     : v.kind == VALUE_TUPLE ? v.count
                                             : 1;
    if (m->status != SONATA_OK)
        return;
    if (m->depth == 1) {
        check_results(m, stmt, count);
        return;
    }
    if (count > MAX_RESULTS) {
        machine_fail(m, SONATA_UNSUPPORTED, stmt->at,
                     "a function returns more than %d values", MAX_RESULTS);
        return;
    }
    record_results(m, l, v, count);
    uint32_t outer = m->frames[l->frame].undecided;
    bool certain = machine_frame(m)->undecided == outer;
    /* A certain return leaves all blocks, another its own. */
    machine_frame(m)->next = AST_NONE;
    for (uint32_t i = l->frame; certain && i < m->frame_count; i++)
        m->frames[i].next = AST_NONE;
    if (!certain)
        l->maybe_left = true;
}

/* --- Cores: the kernels below each function, by a fixed point --- */

typedef struct call_edge {
    ast_func from, to;
} call_edge;

static uint8_t own_cores(ast_func_kind kind)
{
    return kind == FUNC_AIC      ? CORE_AIC
           : kind == FUNC_AIV    ? CORE_AIV
           : kind == FUNC_INCORE ? CORE_AIC | CORE_AIV
                                 : 0;
}

/* The function whose text holds an offset. */
static ast_func func_at(const ast_program *ast, uint32_t at)
{
    uint32_t lo = 0, hi = ast->func_count;
    while (hi - lo > 1) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (ast->funcs[middle].at <= at)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

static bool collect_calls(machine *m, call_edge **edges, uint32_t *count)
{
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < m->ast->expr_count; i++) {
        uint32_t name = m->names.of_node[i];
        if (name == NAME_NONE || m->names.entries[name].call == AST_NONE)
            continue;
        if (!array_grow(edges, *count, &capacity, sizeof **edges))
            return false;
        (*edges)[(*count)++] = (call_edge){func_at(m->ast, m->ast->exprs[i].at),
                                           m->names.entries[name].call};
    }
    return true;
}

bool machine_find_cores(machine *m)
{
    call_edge *edges = NULL;
    uint32_t count = 0;
    bool changed = collect_calls(m, &edges, &count);
    if (!changed) {
        free(edges);
        return machine_no_memory(m);
    }
    for (uint32_t i = 0; i < m->ast->func_count; i++)
        m->cores[i] = own_cores(m->ast->funcs[i].kind);
    while (changed) {
        changed = false;
        for (uint32_t i = count; i-- > 0;) {
            uint8_t both =
                (uint8_t)(m->cores[edges[i].from] | m->cores[edges[i].to]);
            changed = changed || both != m->cores[edges[i].from];
            m->cores[edges[i].from] = both;
        }
    }
    free(edges);
    return true;
}
