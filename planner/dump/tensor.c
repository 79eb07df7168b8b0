/* Tensors: shapes of types, creation, and the operations that give views. */
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool starts_with(const char *text, size_t length, const char *prefix)
{
    size_t n = strlen(prefix);
    return length >= n && memcmp(text, prefix, n) == 0;
}

bool machine_is_tensor(const machine *m, ast_node type)
{
    if (type == AST_NONE || m->ast->exprs[type].kind != AST_INDEX)
        return false;
    ast_node head = m->ast->exprs[type].child;
    return ast_is(m->ast, head, "pl.Tensor") ||
           ast_is(m->ast, head, "pld.DistributedTensor");
}

/* "pl.FP32" as a type; fails when it is none. */
static const view_type *element_type(machine *m, ast_node node)
{
    const ast_expr *e = node == AST_NONE ? NULL : &m->ast->exprs[node];
    const view_type *type = NULL;
    if (e != NULL && e->kind == AST_NAME && e->length > 3)
        type = view_type_find(m->ast->text + e->at + 3, e->length - 3);
    if (type == NULL)
        machine_fail(m, SONATA_UNSUPPORTED,
                     e != NULL ? e->at : m->ast->stmts[m->stmt].at,
                     "the element type of a tensor is not known");
    return type;
}

/* Sizes that cannot be: of a root's tensor, told with their place. */
static bool check_shape(machine *m, uint32_t at, const view *v)
{
    bool is_const = true;
    int64_t bytes;
    for (uint32_t i = 0; i < v->rank; i++) {
        affine n = v->dim[i].count;
        is_const = is_const && affine_is_const(n);
        if (affine_is_const(n) && n.c < 0)
            return machine_fail(m, SONATA_RANGE, at,
                                "a tensor with a dimension of %lld",
                                (long long)n.c);
    }
    if (is_const && !view_bytes(v, &bytes))
        return machine_fail(m, SONATA_RANGE, at,
                            "a tensor of 2^63 bytes or more");
    return true;
}

/* A call inside a type, such as pl.TensorView(..); AST_NONE when missing. */
static ast_node type_part(const machine *m, ast_node type, const char *name)
{
    for (ast_node n = m->ast->exprs[type].child; n != AST_NONE;
         n = m->ast->exprs[n].next)
        if (m->ast->exprs[n].kind == AST_CALL &&
            ast_is(m->ast, m->ast->exprs[n].child, name))
            return n;
    return AST_NONE;
}

bool machine_type_view(machine *m, ast_node type, uint32_t buffer, view *out)
{
    affine shape[VIEW_RANK], strides[VIEW_RANK];
    uint32_t rank, n;
    ast_node list = m->ast->exprs[m->ast->exprs[type].child].next;
    const view_type *element =
        element_type(m, list == AST_NONE ? list : m->ast->exprs[list].next);
    if (element == NULL)
        return false;
    if (!machine_list(m, list, shape, VIEW_RANK, &rank))
        return machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[type].at,
                            "a tensor needs a list of up to %d dimensions",
                            VIEW_RANK);
    *out = view_of_buffer(&m->numbers, buffer, element, shape, rank);
    if (!check_shape(m, m->ast->exprs[type].at, out))
        return false;
    ast_node declared = type_part(m, type, "pl.TensorView");
    ast_node list_of_strides =
        declared == AST_NONE ? AST_NONE : call_keyword(m, declared, "stride");
    if (list_of_strides != AST_NONE &&
        machine_list(m, list_of_strides, strides, VIEW_RANK, &n))
        view_set_strides(out, strides, n);
    return m->status == SONATA_OK;
}

static value fail_shape(machine *m, ast_node call, const char *what)
{
    machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[call].at,
                 "%s needs a list of up to %d numbers", what, VIEW_RANK);
    return value_none();
}

/* The text of a list between its brackets, for "symbol". */
static graph_text list_text(machine *m, ast_node list)
{
    char *text = NULL;
    size_t length = 0;
    for (ast_node i = m->ast->exprs[list].child; i != AST_NONE;
         i = m->ast->exprs[i].next)
        length +=
            1 + (m->ast->exprs[i].length > 0 ? m->ast->exprs[i].length : 1);
    text = sonata_arena_alloc(&m->graph.arena, length + 1);
    if (text == NULL) {
        machine_no_memory(m);
        return (graph_text){"", 0};
    }
    size_t at = 0;
    for (ast_node i = m->ast->exprs[list].child; i != AST_NONE;
         i = m->ast->exprs[i].next) {
        const ast_expr *e = &m->ast->exprs[i];
        if (at > 0)
            text[at++] = '*';
        if (e->length > 0) {
            memcpy(text + at, m->ast->text + e->at, e->length);
            at += e->length;
        } else {
            text[at++] = '?';
        }
    }
    return (graph_text){text, (uint32_t)at};
}

/* "param:x", "alloc:t@2", "alloc:main.t". */
static graph_text make_key(machine *m, const char *kind, const char *name,
                           size_t length, uint32_t number)
{
    const ast_function *f = &m->ast->funcs[m->levels[0].func];
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "@%" PRIu32, number);
    size_t prefix = m->prefixed ? (size_t)f->length + 1 : 0;
    size_t total = strlen(kind) + prefix + length + strlen(suffix);
    char *key = sonata_arena_alloc(&m->graph.arena, total + 1);
    if (key == NULL || total > UINT32_MAX) {
        machine_no_memory(m);
        return (graph_text){"", 0};
    }
    size_t at = strlen(kind);
    memcpy(key, kind, at);
    if (m->prefixed) {
        memcpy(key + at, m->ast->text + f->at, f->length);
        at += f->length;
        key[at++] = '.';
    }
    memcpy(key + at, name, length);
    memcpy(key + at + length, suffix, strlen(suffix) + 1);
    return (graph_text){key, (uint32_t)total};
}

/* A new buffer named by `name`, with the view v over all of it. */
static uint32_t add_buffer(machine *m, bool external, uint32_t name, view *v,
                           graph_buffer b)
{
    const name_entry *e = &m->names.entries[name];
    b.external = external;
    b.key = make_key(m, external ? "param:" : "alloc:", e->data, e->length,
                     ++m->keys[name]);
    if (m->status != SONATA_OK)
        return GRAPH_NONE;
    if (starts_with(e->data, e->length, "gm_pipe_buffer")) {
        v->known = false; /* printed [1] whatever its real size */
        b.symbol = (graph_text){"?", 1};
    } else {
        b.has_bytes = view_bytes(v, &b.bytes);
    }
    v->buffer = graph_add_buffer(&m->graph, &b);
    return v->buffer;
}

static value tensor_create(machine *m, ast_node call)
{
    affine shape[VIEW_RANK];
    uint32_t rank;
    ast_node list = call_argument(m, call, 0);
    const ast_statement *stmt = &m->ast->stmts[m->stmt];
    ast_node target = stmt->kind == STMT_ASSIGN ? stmt->target : AST_NONE;
    const view_type *type = element_type(m, call_keyword(m, call, "dtype"));
    if (type == NULL)
        return value_none();
    if (!machine_numbers(m, list, shape, VIEW_RANK, &rank))
        return fail_shape(m, call, "pl.tensor.create");
    view v = view_of_buffer(&m->numbers, GRAPH_NONE, type, shape, rank);
    if (m->depth > 1)
        return value_none(); /* local to a callee */
    if (!check_shape(m, m->ast->exprs[call].at, &v))
        return value_none();
    if (target == AST_NONE || m->ast->exprs[target].kind != AST_NAME) {
        machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[call].at,
                     "pl.tensor.create needs one name to assign to");
        return value_none();
    }
    ast_node manual = call_keyword(m, call, "manual_dep");
    graph_buffer b = {0};
    b.manual_dep = manual != AST_NONE && m->ast->exprs[manual].kind == AST_TRUE;
    b.init = call_keyword(m, call, "init_value") != AST_NONE;
    int64_t bytes;
    if (!view_bytes(&v, &bytes))
        b.symbol = list_text(m, list);
    if (add_buffer(m, false, m->names.of_node[target], &v, b) == GRAPH_NONE)
        return value_none();
    return machine_view_value(m, &v);
}

value machine_parameter(machine *m, uint32_t param)
{
    const ast_param *p = &m->ast->params[param];
    uint32_t name = m->names.of_param[param];
    const name_entry *e = &m->names.entries[name];
    view v;
    if (machine_is_tensor(m, p->type)) {
        if (!machine_type_view(m, p->type, GRAPH_NONE, &v))
            return value_none();
        graph_buffer b = {0};
        int64_t bytes;
        ast_node list = m->ast->exprs[m->ast->exprs[p->type].child].next;
        if (!view_bytes(&v, &bytes))
            b.symbol = list_text(m, list);
        if (add_buffer(m, true, name, &v, b) == GRAPH_NONE)
            return value_none();
        return machine_view_value(m, &v);
    }
    if (m->ast->exprs[p->type].kind == AST_INDEX &&
        ast_is(m->ast, m->ast->exprs[p->type].child, "pl.Scalar"))
        return value_scalar(affine_symbol_new(&m->numbers, AFFINE_PARAMETER,
                                              e->data, e->length));
    return value_none();
}

/* The view that an operation's first argument names; false when none. */
static bool source_view(machine *m, ast_node call, view *out)
{
    ast_node a = call_argument(m, call, 0);
    if (a == AST_NONE)
        return false;
    value v = machine_value(m, a);
    if (v.kind == VALUE_VIEW) {
        *out = m->views[v.index];
        return true;
    }
    if (m->depth == 1)
        machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[call].at,
                     "the storage of the tensor is not known here");
    return false;
}

static value tensor_dim(machine *m, ast_node call, const view *v)
{
    ast_node a = call_argument(m, call, 1);
    value i = a == AST_NONE ? value_none() : machine_value(m, a);
    int64_t at = i.kind == VALUE_SCALAR && affine_is_const(i.number)
                     ? i.number.c
                     : INT64_MAX;
    if (at < 0)
        at += v->rank;
    if (at < 0 || at >= v->rank || (v->type->halved && at + 1 == v->rank))
        return value_none();
    return value_scalar(v->dim[at].count);
}

static value tensor_slice(machine *m, ast_node call, const view *v)
{
    affine sizes[VIEW_RANK], offsets[VIEW_RANK];
    uint32_t rank, n;
    ast_node dropped = call_argument(m, call, 4);
    if (!machine_numbers(m, call_argument(m, call, 1), sizes, VIEW_RANK,
                         &rank) ||
        !machine_numbers(m, call_argument(m, call, 2), offsets, VIEW_RANK,
                         &n) ||
        n != rank)
        return fail_shape(m, call, "pl.tensor.slice");
    for (uint32_t i = 0; m->depth == 1 && i < rank; i++)
        if ((affine_is_const(offsets[i]) && offsets[i].c < 0) ||
            (affine_is_const(sizes[i]) && sizes[i].c < 0)) {
            machine_fail(m, SONATA_RANGE, m->ast->exprs[call].at,
                         "a slice with a negative offset or size in "
                         "dimension %u",
                         i);
            return value_none();
        }
    view out = view_slice(&m->numbers, v, sizes, offsets, rank);
    affine drop[VIEW_RANK];
    if (dropped != AST_NONE &&
        machine_numbers(m, dropped, drop, VIEW_RANK, &n)) {
        bool gone[VIEW_RANK] = {false};
        for (uint32_t i = 0; i < n; i++)
            if (affine_is_const(drop[i]) && drop[i].c >= 0 &&
                drop[i].c < out.rank)
                gone[drop[i].c] = true;
        for (uint32_t i = rank; i-- > 0;)
            if (gone[i])
                view_drop(&m->numbers, &out, i);
    }
    return machine_view_value(m, &out);
}

static value tensor_reshape(machine *m, ast_node call, const view *v)
{
    affine shape[VIEW_RANK];
    uint32_t rank;
    if (!machine_numbers(m, call_argument(m, call, 1), shape, VIEW_RANK, &rank))
        return fail_shape(m, call, "a reshape");
    view out = view_reshape(&m->numbers, v, shape, rank);
    int64_t before, after;
    if (m->depth == 1 && (!check_shape(m, m->ast->exprs[call].at, &out) ||
                          (view_bytes(v, &before) && view_bytes(&out, &after) &&
                           before != after))) {
        machine_fail(m, SONATA_RANGE, m->ast->exprs[call].at,
                     "a reshape to another number of elements");
        return value_none();
    }
    return machine_view_value(m, &out);
}

static value tensor_transpose(machine *m, ast_node call, const view *v)
{
    affine at[2];
    for (uint32_t k = 0; k < 2; k++) {
        ast_node a = call_argument(m, call, k + 1);
        at[k] = a == AST_NONE ? affine_const(INT64_MAX)
                              : machine_number(m, machine_value(m, a));
        if (!affine_is_const(at[k]))
            at[k] = affine_const(INT64_MAX);
    }
    view out = view_transpose(v, at[0].c, at[1].c);
    return machine_view_value(m, &out);
}

bool machine_check_element(machine *m, ast_node list, const view *v,
                           const affine *at, uint32_t rank)
{
    for (uint32_t i = 0; i < rank && rank == v->rank; i++) {
        bool below = affine_is_const(at[i]) && at[i].c < 0;
        affine n = v->dim[i].count;
        if (v->type->halved || !affine_is_const(at[i]) ||
            (!below && (!affine_is_const(n) || at[i].c < n.c)))
            continue;
        return machine_fail(m, SONATA_RANGE, m->ast->exprs[list].at,
                            "index %lld of a dimension of %lld",
                            (long long)at[i].c, (long long)n.c);
    }
    return true;
}

value machine_tensor_call(machine *m, ast_node call, word_id word)
{
    view v;
    if (word == WORD_TENSOR_CREATE)
        return tensor_create(m, call);
    if (!source_view(m, call, &v))
        return value_none();
    switch (word) {
    case WORD_TENSOR_DIM:
        return tensor_dim(m, call, &v);
    case WORD_TENSOR_SLICE:
        return tensor_slice(m, call, &v);
    case WORD_TENSOR_RESHAPE:
    case WORD_TENSOR_VIEW:
        return tensor_reshape(m, call, &v);
    case WORD_TENSOR_TRANSPOSE:
        return tensor_transpose(m, call, &v);
    default: /* assemble gives its first argument */
        return machine_value(m, call_argument(m, call, 0));
    }
}
