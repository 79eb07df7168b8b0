/* Expressions: one pass over the nodes of a subtree in post-order. */
#include "machine.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

/* Parts of one expression; the longest real line has some hundred. */
enum { MAX_NODES = 1 << 20 };

value machine_value(const machine *m, ast_node node)
{
    return m->scratch[m->scratch_base + (node - m->scratch_first)];
}

int machine_truth(value v)
{
    if (v.kind != VALUE_SCALAR || !affine_is_const(v.number))
        return -1;
    return v.number.c != 0;
}

affine machine_number(machine *m, value v)
{
    if (v.kind == VALUE_SCALAR)
        return v.number;
    return affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0);
}

/* A bare name that no statement binds, in a shape: one symbol per name. */
affine machine_dimension(machine *m, uint32_t name)
{
    bool is_dynamic = m->names.entries[name].symbol != AST_NONE;
    affine number = affine_intern(
        &m->numbers, is_dynamic ? AFFINE_DIMENSION : AFFINE_OPAQUE, CODE_NAME,
        affine_const(name), affine_const(0));
    affine_symbol *s = affine_symbol_of(&m->numbers, number);
    if (s != NULL && s->name == NULL) {
        s->name = m->names.entries[name].data;
        s->name_length = m->names.entries[name].length;
        s->has_min = true;
        s->min = is_dynamic;
    }
    return number;
}

static affine item_number(machine *m, ast_node node, value v)
{
    const ast_expr *e = &m->ast->exprs[node];
    if (v.kind == VALUE_NONE && e->kind == AST_NAME &&
        memchr(m->ast->text + e->at, '.', e->length) == NULL)
        return machine_dimension(m, m->names.of_node[node]);
    return machine_number(m, v);
}

static bool is_list(const machine *m, ast_node node)
{
    return node != AST_NONE && (m->ast->exprs[node].kind == AST_LIST ||
                                m->ast->exprs[node].kind == AST_TUPLE);
}

bool machine_numbers(machine *m, ast_node list, affine *out, uint32_t max,
                     uint32_t *count)
{
    uint32_t n = 0;
    if (!is_list(m, list))
        return false;
    for (ast_node i = m->ast->exprs[list].child; i != AST_NONE;
         i = m->ast->exprs[i].next) {
        if (n == max)
            return false;
        out[n++] = item_number(m, i, machine_value(m, i));
    }
    *count = n;
    return true;
}

bool machine_list(machine *m, ast_node list, affine *out, uint32_t max,
                  uint32_t *count)
{
    uint32_t n = 0;
    bool outer = m->in_type;
    if (!is_list(m, list))
        return false;
    m->in_type = true;
    for (ast_node i = m->ast->exprs[list].child; i != AST_NONE && n <= max;
         i = m->ast->exprs[i].next, n++) {
        value v = machine_eval(m, i);
        if (n < max)
            out[n] = item_number(m, i, v);
    }
    m->in_type = outer;
    *count = n;
    return n <= max;
}

ast_node call_callee(const machine *m, ast_node call)
{
    return m->ast->exprs[call].child;
}

ast_node call_argument(const machine *m, ast_node call, uint32_t i)
{
    ast_node a = m->ast->exprs[call_callee(m, call)].next;
    for (; a != AST_NONE; a = m->ast->exprs[a].next)
        if (m->ast->exprs[a].kind != AST_KEYWORD && i-- == 0)
            return a;
    return AST_NONE;
}

ast_node call_keyword(const machine *m, ast_node call, const char *name)
{
    ast_node a = m->ast->exprs[call_callee(m, call)].next;
    for (; a != AST_NONE; a = m->ast->exprs[a].next)
        if (m->ast->exprs[a].kind == AST_KEYWORD && ast_is(m->ast, a, name))
            return m->ast->exprs[a].child;
    return AST_NONE;
}

ast_node call_attribute(const machine *m, ast_node call, const char *name)
{
    ast_node dict = call_keyword(m, call, "attrs");
    if (dict == AST_NONE || m->ast->exprs[dict].kind != AST_DICT)
        return AST_NONE;
    for (ast_node pair = m->ast->exprs[dict].child; pair != AST_NONE;
         pair = m->ast->exprs[pair].next) {
        ast_node key = m->ast->exprs[pair].child;
        if (key != AST_NONE && ast_is(m->ast, key, name))
            return m->ast->exprs[key].next;
    }
    return AST_NONE;
}

static value eval_name(machine *m, ast_node node)
{
    uint32_t name = m->names.of_node[node];
    const level *l = machine_level(m);
    if (name != NAME_NONE && l->slots[name].stamp == l->stamp) {
        value v = l->slots[name].value;
        if (v.kind == VALUE_TILE && v.count > 0)
            machine_use_load(m, v.count - 1);
        return flow_read(m, v);
    }
    if (name != NAME_NONE && m->names.entries[name].symbol != AST_NONE)
        return value_scalar(machine_dimension(m, m->names.of_node[node]));
    const ast_expr *e = &m->ast->exprs[node];
    if (m->depth == 1 && !m->in_type && name >= WORD_COUNT &&
        memchr(m->ast->text + e->at, '.', e->length) == NULL)
        machine_fail(m, SONATA_SYNTAX, e->at, "%.*s is not defined here",
                     (int)(e->length < 100 ? e->length : 100),
                     m->ast->text + e->at);
    return value_none();
}

static value eval_int(machine *m, ast_node node)
{
    const ast_expr *e = &m->ast->exprs[node];
    char digits[32];
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->length; i++) {
        char c = m->ast->text[e->at + i];
        if (c == '_')
            continue;
        if (n + 1 == sizeof digits)
            return value_none();
        digits[n++] = c;
    }
    digits[n] = '\0';
    int base = n > 2 && digits[0] == '0' && strchr("xX", digits[1]) ? 16 : 10;
    int64_t v = 0;
    for (uint32_t i = base == 16 ? 2 : 0; i < n; i++) {
        int c = (unsigned char)digits[i];
        int d = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        if (d < 0 || d >= base || __builtin_mul_overflow(v, base, &v) ||
            __builtin_add_overflow(v, d, &v))
            return value_none();
    }
    return value_scalar(affine_const(v));
}

static value truth_value(bool v)
{
    return value_scalar(affine_const(v));
}

/* A symbol of 0 and 1 for an operation that nothing decides. */
static affine truth_symbol(machine *m, uint8_t code, affine a, affine b)
{
    affine n = affine_intern(&m->numbers, AFFINE_OPAQUE, code, a, b);
    affine_symbol *s = affine_symbol_of(&m->numbers, n);
    if (s != NULL) {
        s->has_min = s->has_max = true;
        s->min = 0;
        s->max = 1;
    }
    return n;
}

static affine negated(machine *m, affine truth)
{
    return affine_sub(&m->numbers, affine_const(1), truth);
}

/* n is s + c or c - s, for one symbol s that is 0 or 1. */
static bool is_truth(machine *m, affine n)
{
    affine_symbol *s = affine_symbol_of(&m->numbers, n);
    return s != NULL && s->has_min && s->has_max && s->min == 0 &&
           s->max == 1 && s->step == 1 &&
           (m->numbers.terms[n.first].coef == 1 ||
            m->numbers.terms[n.first].coef == -1);
}

/* The sign of the first term. */
static bool leads_negative(const machine *m, affine n)
{
    return n.count > 0 && m->numbers.terms[n.first].coef < 0;
}

/* The condition difference == 0; equal ones and multiples are one symbol. */
static affine is_zero(machine *m, affine difference)
{
    if (!affine_divide(&m->numbers, &difference))
        return affine_const(0);
    if (is_truth(m, difference)) {
        int64_t c = difference.c;
        int64_t coef = m->numbers.terms[difference.first].coef;
        affine s = affine_sub(&m->numbers, difference, affine_const(c));
        s = coef < 0 ? affine_sub(&m->numbers, affine_const(0), s) : s;
        return c == 0 ? negated(m, s) : s; /* else it is 1, or decided */
    }
    if (leads_negative(m, difference))
        difference = affine_sub(&m->numbers, affine_const(0), difference);
    return truth_symbol(m, CODE_COMPARE + OP_EQ, difference, affine_const(0));
}

/*
 * The condition difference <= 0. Its negation, 1 - difference <= 0, is the
 * same symbol; so are multiples.
 */
static affine at_most_zero(machine *m, affine difference)
{
    affine_pool *p = &m->numbers;
    bool flipped = leads_negative(m, difference);
    if (is_truth(m, difference)) {
        bool at_zero = difference.c == 0; /* s <= 0, else 1 - s <= 0 */
        affine s = at_zero
                       ? difference
                       : affine_sub(p, affine_const(difference.c), difference);
        return at_zero ? negated(m, s) : s;
    }
    /* Not affine_sub, which would hide a quotient in a remainder. */
    if (flipped &&
        !affine_combine(p, &difference, affine_const(1), difference, -1))
        flipped = false;
    affine plain = affine_unfold(p, affine_tighten(p, difference));
    if (!affine_equal(p, plain, difference) && plain.count > 0 &&
        (is_truth(m, plain) || leads_negative(m, plain))) {
        affine n = at_most_zero(m, plain); /* once: its lead is turned */
        return flipped ? negated(m, n) : n;
    }
    difference = plain;
    affine n =
        truth_symbol(m, CODE_COMPARE + OP_LE, difference, affine_const(0));
    return flipped ? negated(m, n) : n;
}

/* What op says of a - b, where nothing decides it. */
static affine comparison(machine *m, ast_op op, affine a, affine b)
{
    affine_pool *p = &m->numbers;
    affine one = affine_const(1);
    switch (op) {
    case OP_EQ:
        return is_zero(m, affine_sub(p, a, b));
    case OP_NE:
        return negated(m, is_zero(m, affine_sub(p, a, b)));
    case OP_LT:
        return at_most_zero(m, affine_add(p, affine_sub(p, a, b), one));
    case OP_LE:
        return at_most_zero(m, affine_sub(p, a, b));
    case OP_GT:
        return at_most_zero(m, affine_add(p, affine_sub(p, b, a), one));
    default:
        return at_most_zero(m, affine_sub(p, b, a));
    }
}

value machine_compare(machine *m, ast_op op, affine a, affine b)
{
    affine_range d = affine_bounds(&m->numbers, affine_sub(&m->numbers, a, b));
    bool below = d.has_max && d.max < 0, above = d.has_min && d.min > 0;
    bool equal = d.has_min && d.has_max && d.min == 0 && d.max == 0;
    bool not_above = d.has_max && d.max <= 0;
    bool not_below = d.has_min && d.min >= 0;
    bool yes = false, no = false;
    switch (op) {
    case OP_EQ:
        yes = equal, no = below || above;
        break;
    case OP_NE:
        yes = below || above, no = equal;
        break;
    case OP_LT:
        yes = below, no = not_below;
        break;
    case OP_LE:
        yes = not_above, no = above;
        break;
    case OP_GT:
        yes = above, no = not_above;
        break;
    default:
        yes = not_below, no = below;
        break;
    }
    return yes || no ? truth_value(yes) : value_scalar(comparison(m, op, a, b));
}

affine machine_condition(machine *m, value v)
{
    if (v.kind != VALUE_SCALAR)
        return truth_symbol(
            m, CODE_LOGIC,
            affine_symbol_new(&m->numbers, AFFINE_OPAQUE, NULL, 0),
            affine_const(0));
    bool plain =
        is_truth(m, v.number) &&
        (v.number.c == 0) != (m->numbers.terms[v.number.first].coef < 0) &&
        v.number.c >= 0 && v.number.c <= 1;
    return plain ? v.number : negated(m, is_zero(m, v.number));
}

/* Any order of two different truths that says nothing of which is written
   first. */
static bool comes_before(const machine *m, affine a, affine b)
{
    uint32_t x = m->numbers.terms[a.first].symbol;
    uint32_t y = m->numbers.terms[b.first].symbol;
    return x != y ? x < y : a.c < b.c;
}

static value logic(machine *m, ast_op op, value a, value b)
{
    int x = machine_truth(a), y = machine_truth(b);
    if (op == OP_AND && (x == 0 || y == 0))
        return truth_value(false);
    if (op == OP_OR && (x == 1 || y == 1))
        return truth_value(true);
    if (x >= 0 && y >= 0)
        return truth_value(op == OP_XOR ? x != y : op == OP_AND);
    affine left = x >= 0 ? affine_const(x) : machine_condition(m, a);
    affine right = y >= 0 ? affine_const(y) : machine_condition(m, b);
    bool same = affine_equal(&m->numbers, left, right);
    if (op != OP_XOR && (same || x >= 0 || y >= 0))
        return value_scalar(x >= 0 ? right : left);
    if (x < 0 && y < 0 && comes_before(m, right, left))
        return value_scalar(
            truth_symbol(m, (uint8_t)(CODE_LOGIC + op), right, left));
    return value_scalar(
        truth_symbol(m, (uint8_t)(CODE_LOGIC + op), left, right));
}

static value eval_unary(machine *m, ast_node node)
{
    value v = machine_value(m, m->ast->exprs[node].child);
    switch (m->ast->exprs[node].op) {
    case OP_NEG:
        if (v.kind != VALUE_SCALAR)
            return value_none();
        return value_scalar(affine_sub(&m->numbers, affine_const(0), v.number));
    case OP_NOT:
        if (machine_truth(v) >= 0)
            return truth_value(machine_truth(v) == 0);
        if (v.kind != VALUE_SCALAR)
            return value_none();
        return machine_compare(m, OP_EQ, v.number, affine_const(0));
    default:
        return value_none();
    }
}

static value eval_binary(machine *m, ast_node node)
{
    const ast_expr *e = &m->ast->exprs[node];
    value a = machine_value(m, e->child);
    value b = machine_value(m, m->ast->exprs[e->child].next);
    affine_pool *p = &m->numbers;
    ast_op op = (ast_op)e->op;
    if (op == OP_AND || op == OP_OR || op == OP_XOR)
        return logic(m, op, a, b);
    if (a.kind != VALUE_SCALAR || b.kind != VALUE_SCALAR)
        return value_none();
    switch (op) {
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return machine_compare(m, op, a.number, b.number);
    case OP_ADD:
        return value_scalar(affine_add(p, a.number, b.number));
    case OP_SUB:
        return value_scalar(affine_sub(p, a.number, b.number));
    case OP_MUL:
        return value_scalar(affine_mul(p, a.number, b.number));
    case OP_FLOORDIV:
        return value_scalar(affine_floordiv(p, a.number, b.number));
    case OP_MOD:
        return value_scalar(affine_mod(p, a.number, b.number));
    default:
        return value_scalar(affine_intern(p, AFFINE_OPAQUE,
                                          (uint8_t)(CODE_COMPARE + op),
                                          a.number, b.number));
    }
}

static value eval_index(machine *m, ast_node node)
{
    ast_node object = m->ast->exprs[node].child;
    ast_node index = m->ast->exprs[object].next;
    value v = machine_value(m, object);
    if (v.kind == VALUE_UNCLEAR)
        return v;
    if (v.kind != VALUE_TUPLE || index == AST_NONE)
        return value_none();
    value i = machine_value(m, index);
    if (i.kind != VALUE_SCALAR || !affine_is_const(i.number) ||
        i.number.c < 0 || i.number.c >= v.count) {
        machine_fail(m, SONATA_RANGE, m->ast->exprs[node].at,
                     "no such element in a tuple of %u values",
                     (unsigned)v.count);
        return value_none();
    }
    return flow_resolve(m, m->items[v.index + (uint32_t)i.number.c]);
}

static value eval_tuple(machine *m, ast_node node)
{
    value v = {
        .kind = VALUE_TUPLE, .index = m->item_count, .producer = GRAPH_NONE};
    for (ast_node i = m->ast->exprs[node].child; i != AST_NONE;
         i = m->ast->exprs[i].next, v.count++)
        machine_push_item(m, machine_value(m, i));
    machine_spend(m, v.count);
    return v;
}

/* --- Calls that are values --- */

static value eval_minmax(machine *m, ast_node call, word_id word)
{
    ast_node a = call_argument(m, call, 0);
    if (a == AST_NONE)
        return value_none();
    affine n = machine_number(m, machine_value(m, a));
    for (uint32_t i = 1; (a = call_argument(m, call, i)) != AST_NONE; i++) {
        affine b = machine_number(m, machine_value(m, a));
        n = word == WORD_MIN ? affine_min(&m->numbers, n, b)
                             : affine_max(&m->numbers, n, b);
    }
    return value_scalar(n);
}

/* Equal operands are one symbol (spec 08). */
static value eval_read(machine *m, ast_node call)
{
    ast_node tensor = call_argument(m, call, 0);
    ast_node list = call_argument(m, call, 1);
    affine index[MAX_ITEMS];
    uint32_t n = 0;
    if (tensor == AST_NONE || !machine_numbers(m, list, index, MAX_ITEMS, &n))
        return value_none();
    machine_touch_element(m, machine_value(m, tensor), list, GRAPH_READ);
    uint32_t name = m->names.of_node[tensor];
    affine key = affine_const(name);
    if (name == NAME_NONE)
        return value_none();
    for (uint32_t i = 0; i < n; i++)
        key = affine_intern(&m->numbers, AFFINE_READ, CODE_READ, key, index[i]);
    return value_scalar(key);
}

static value eval_yield(machine *m, ast_node call)
{
    ast_node first = call_argument(m, call, 0);
    if (first == AST_NONE)
        return value_none();
    if (call_argument(m, call, 1) == AST_NONE)
        return machine_value(m, first);
    value v = {
        .kind = VALUE_TUPLE, .index = m->item_count, .producer = GRAPH_NONE};
    ast_node a;
    while ((a = call_argument(m, call, v.count)) != AST_NONE) {
        machine_push_item(m, machine_value(m, a));
        v.count++;
    }
    return v;
}

static value first_argument(machine *m, ast_node call)
{
    ast_node a = call_argument(m, call, 0);
    return a == AST_NONE ? value_none() : machine_value(m, a);
}

static value eval_other_call(machine *m, ast_node call, word_id word)
{
    const ast_expr *callee = &m->ast->exprs[call_callee(m, call)];
    if (m->depth > 1)
        return machine_kernel_call(m, call, word);
    machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[call].at,
                 "%.*s has no meaning in orchestration code that is known",
                 (int)(callee->length < 80 ? callee->length : 80),
                 m->ast->text + callee->at);
    return value_none();
}

static value eval_abs(machine *m, ast_node call)
{
    value v = first_argument(m, call);
    bool same =
        v.kind == VALUE_SCALAR && affine_at_least(&m->numbers, v.number, 0);
    return same ? v : value_none();
}

static value eval_call(machine *m, ast_node root, ast_node call)
{
    ast_node callee = call_callee(m, call);
    uint32_t name = m->names.of_node[callee];
    if (machine_is_task(m, call) || name == WORD_DUMMY) {
        if (call != root)
            machine_fail(m, SONATA_UNSUPPORTED, m->ast->exprs[call].at,
                         "a call of a task stands inside an expression");
        return value_none();
    }
    word_id word = name < WORD_COUNT ? (word_id)name : WORD_OTHER;
    switch (word) {
    case WORD_CAST:
    case WORD_CONST:
        return first_argument(m, call);
    case WORD_ABS:
        return eval_abs(m, call);
    case WORD_MIN:
    case WORD_MAX:
        return eval_minmax(m, call, word);
    case WORD_TENSOR_READ:
        return eval_read(m, call);
    case WORD_ARRAY_CREATE:
        return machine_array_create(m, call);
    case WORD_ARRAY_GET:
        return machine_array_get(m, call);
    case WORD_ARRAY_UPDATE:
        return machine_array_update(m, call);
    case WORD_INVALID:
        return value_no_task(GRAPH_DEP_DEAD);
    case WORD_YIELD:
        return eval_yield(m, call);
    case WORD_PARALLEL:
    case WORD_PIPELINE:
    case WORD_RANGE:
    case WORD_UNROLL:
    case WORD_WHILE:
    case WORD_CONDITION: /* of a pl.while_, whose length is unknown */
        return value_none();
    case WORD_TILE_BLOCK:
        return m->depth > 1 ? value_scalar(m->block) : value_none();
    case WORD_TILE_SUBBLOCK:
        return m->depth > 1 ? value_scalar(m->lane) : value_none();
    case WORD_TENSOR_ASSEMBLE:
    case WORD_TENSOR_CREATE:
    case WORD_TENSOR_DIM:
    case WORD_TENSOR_RESHAPE:
    case WORD_TENSOR_SLICE:
    case WORD_TENSOR_TRANSPOSE:
    case WORD_TENSOR_VIEW:
        return machine_tensor_call(m, call, word);
    case WORD_TENSOR_WRITE:
        machine_touch_element(m, first_argument(m, call),
                              call_argument(m, call, 1), GRAPH_WRITE);
        return first_argument(m, call);
    default:
        return eval_other_call(m, call, word);
    }
}

static value eval_node(machine *m, ast_node root, ast_node node)
{
    switch (m->ast->exprs[node].kind) {
    case AST_NAME:
        return eval_name(m, node);
    case AST_INT:
        return eval_int(m, node);
    case AST_NULL:
        return value_no_task(GRAPH_DEP_NULL);
    case AST_TRUE:
        return truth_value(true);
    case AST_FALSE:
        return truth_value(false);
    case AST_LIST:
    case AST_TUPLE:
        return node == root ? eval_tuple(m, node) : value_none();
    case AST_KEYWORD:
        return machine_value(m, m->ast->exprs[node].child);
    case AST_CALL:
        return eval_call(m, root, node);
    case AST_INDEX:
        return eval_index(m, node);
    case AST_UNARY:
        return eval_unary(m, node);
    case AST_BINARY:
        return eval_binary(m, node);
    default:
        return value_none();
    }
}

static bool reserve(machine *m, uint32_t count)
{
    uint64_t wanted = (uint64_t)m->scratch_top + count;
    if (wanted <= m->scratch_capacity)
        return true;
    wanted = wanted < 1024 ? 1024 : wanted * 2;
    if (wanted > UINT32_MAX)
        return machine_no_memory(m);
    value *grown = realloc(m->scratch, (size_t)wanted * sizeof *grown);
    if (grown == NULL)
        return machine_no_memory(m);
    m->scratch = grown;
    m->scratch_capacity = (uint32_t)wanted;
    return true;
}

value machine_eval(machine *m, ast_node root)
{
    ast_node first = m->ast->exprs[root].first;
    uint32_t count = root - first + 1;
    uint32_t outer_base = m->scratch_base;
    ast_node outer_first = m->scratch_first;
    uint32_t base = m->scratch_top;
    value v = value_none();
    if (count > MAX_NODES)
        machine_fail(m, SONATA_RANGE, m->ast->exprs[root].at,
                     "an expression of %u parts; at most %d are read", count,
                     MAX_NODES);
    if (m->status != SONATA_OK || !reserve(m, count))
        return v;
    m->scratch_top = base + count;
    m->scratch_base = base;
    m->scratch_first = first;
    for (ast_node n = first; n <= root && m->status == SONATA_OK; n++) {
        v = eval_node(m, root, n);
        m->scratch[base + (n - first)] = v;
    }
    m->scratch_top = base;
    /* The outermost expression's values stay readable. */
    if (base > 0) {
        m->scratch_base = outer_base;
        m->scratch_first = outer_first;
    }
    return v;
}
