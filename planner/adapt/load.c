#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "../json/array.h"
#include "../json/number.h"
#include "../json/table.h"
#include "roots.h"

/* How often values may be visited, over all roots: so much, and so much for
 * each value. Programs visit most of them once. A long name, which may end up
 * wherever something is visited, makes each visit count for more. */
#define VISITS_FREE ((uint64_t)1 << 20)
#define VISITS_EACH 16
#define LONG_NAME 256

/* What is known of a node: its number as a variable and as a call, and the
 * walk that saw it last. */
typedef struct seen {
    uint32_t variable, call;
    uint32_t walk;
    uint32_t call_walk; /* in which the call got its number */
} seen;

typedef struct loader {
    sonata_ir *ir;
    const sonata_source *source;
    seen *seen; /* per value */
    uint32_t walk;
    uint64_t visits_left;
    sonata_text entry; /* name of the roots that count; null: all */
    bool whole;        /* as it runs, and all of it: see sonata_ir_load_whole */
    size_t longest;    /* name so far */
    sonata_table callees; /* names of functions of the program */
    sonata_ir_callee *kinds;
    size_t kinds_room;
    uint32_t *stack;
    size_t depth, stack_room;
    sonata_error *error;
    sonata_status status;
} loader;

static bool refuse_type(loader *l, uint32_t value, const char *wanted)
{
    const sonata_source *s = l->source;
    const char *type = sonata_node_type(s->doc, s->values[value].json);
    l->status = sonata_source_refuse(s, value, SONATA_SCHEMA, l->error,
                                     "must be %s, got %s", wanted, type);
    return false;
}

static bool fail_memory(loader *l)
{
    l->status = sonata_fail_memory(l->error);
    return false;
}

static bool count_visits(loader *l, uint64_t visits)
{
    uint64_t each = 1 + l->longest / LONG_NAME;
    if (visits <= l->visits_left / each) {
        l->visits_left -= visits * each;
        return true;
    }
    l->status = sonata_source_refuse(
        l->source, 0, SONATA_RANGE, l->error,
        "has functions, regions or assignments that share too many nodes or "
        "too long names");
    return false;
}

static uint32_t get(const loader *l, uint32_t value, sonata_ir_field field)
{
    return sonata_source_get(l->source, value, field);
}

static bool is_node(const loader *l, uint32_t value)
{
    return value != SONATA_SOURCE_NONE &&
           sonata_source_form(l->source, value) == SONATA_IR_NODE;
}

static bool is_kind(const loader *l, uint32_t value, const char *kind)
{
    return is_node(l, value) &&
           sonata_text_is(sonata_source_node_kind(l->source, value), kind);
}

/* The characters of a string; null for others. */
static sonata_text name_at(loader *l, uint32_t value)
{
    sonata_text name = sonata_source_text(l->source, value);
    if (name.length > l->longest)
        l->longest = name.length;
    return name;
}

/* A field that is a string; null when missing. */
static bool get_text(sonata_text *text, loader *l, uint32_t value,
                     sonata_ir_field field)
{
    uint32_t found = get(l, value, field);
    *text = name_at(l, found);
    return found == SONATA_SOURCE_NONE || text->text != NULL ||
           refuse_type(l, found, "a string");
}

/* A field that is a list; no items when missing. */
static bool get_list(uint32_t *first, uint32_t *count, loader *l,
                     uint32_t value, sonata_ir_field field)
{
    uint32_t found = get(l, value, field);
    *first = *count = 0;
    if (found == SONATA_SOURCE_NONE)
        return true;
    if (sonata_source_form(l->source, found) != SONATA_IR_LIST)
        return refuse_type(l, found, "a list");
    *first = l->source->values[found].first;
    *count = l->source->values[found].count;
    return true;
}

static bool node_name(sonata_text *name, loader *l, uint32_t node)
{
    if (!get_text(name, l, node, SONATA_IR_NAME_HINT))
        return false;
    return name->text != NULL || get_text(name, l, node, SONATA_IR_NAME);
}

/* Every node may be one: identity counts, not the kind. */
static bool variable_of(uint32_t *variable, loader *l, uint32_t node)
{
    sonata_text name;
    if (l->seen[node].variable == SONATA_IR_NONE) {
        if (!node_name(&name, l, node))
            return false;
        l->seen[node].variable = sonata_ir_new_variable(l->ir, name);
    }
    *variable = l->seen[node].variable;
    return !l->ir->failed || fail_memory(l);
}

/* The type of a plain value, as Python calls it. */
static sonata_text type_name(const loader *l, uint32_t value)
{
    switch (sonata_source_form(l->source, value)) {
    case SONATA_IR_LIST:
        return SONATA_TEXT("tuple");
    case SONATA_IR_MAPPING:
        return SONATA_TEXT("dict");
    default:
        break;
    }
    const char *type =
        sonata_node_type(l->source->doc, l->source->values[value].json);
    return (sonata_text){type, strlen(type)};
}

/* A value that is no string as Python spells it; null for what has no text. */
static sonata_text spell(loader *l, uint32_t value)
{
    const sonata_node *json = l->source->values[value].json;
    char room[SONATA_DOUBLE_SIZE];
    sonata_text text = {0};
    switch (sonata_source_kind(l->source, value)) {
    case SONATA_NODE_NULL:
        return SONATA_TEXT("None");
    case SONATA_NODE_BOOL:
        return sonata_node_is_true(json) ? SONATA_TEXT("True")
                                         : SONATA_TEXT("False");
    case SONATA_NODE_INT:
    case SONATA_NODE_FLOAT:
        text =
            sonata_number_spell(room, sonata_node_number(l->source->doc, json));
        if (text.text == NULL)
            l->ir->failed = true;
        return text.text == NULL
                   ? SONATA_TEXT("")
                   : sonata_ir_text(l->ir, text.text, text.length);
    default:
        return text;
    }
}

/* The value that an argument added last is, when it is one. */
static bool add_constant(loader *l, uint32_t value)
{
    if (is_node(l, value) &&
        sonata_source_has(l->source, value, SONATA_IR_VALUE))
        value = get(l, value, SONATA_IR_VALUE);
    if (value == SONATA_SOURCE_NONE ||
        sonata_source_form(l->source, value) != SONATA_IR_PLAIN)
        return true;
    sonata_text text = spell(l, value);
    if (l->ir->failed)
        return fail_memory(l);
    l->ir->args[l->ir->arg_count - 1].constant = text;
    return true;
}

static bool add_arg(loader *l, uint32_t value)
{
    uint32_t variable = SONATA_IR_NONE;
    sonata_text name = sonata_source_text(l->source, value);
    if (is_node(l, value)) {
        if (!variable_of(&variable, l, value))
            return false;
        name = l->ir->variables[variable].name;
        if (name.text == NULL)
            name = sonata_source_node_kind(l->source, value);
    } else if (name.text == NULL) {
        name = type_name(l, value);
    }
    sonata_ir_add_arg(l->ir, variable, name);
    return !l->whole || add_constant(l, value);
}

static bool add_direction(loader *l, uint32_t value)
{
    uint32_t found = value;
    if (sonata_source_form(l->source, value) == SONATA_IR_NODE ||
        sonata_source_form(l->source, value) == SONATA_IR_MAPPING) {
        found = get(l, value, SONATA_IR_NAME);
        if (found == SONATA_SOURCE_NONE)
            found = get(l, value, SONATA_IR_VALUE);
    }
    sonata_text text = sonata_source_text(l->source, found);
    if (text.text == NULL && found != SONATA_SOURCE_NONE)
        text = spell(l, found);
    if (text.text == NULL)
        return refuse_type(l, value,
                           "a string or an object with a name or a value");
    sonata_ir_add_direction(l->ir, text);
    return true;
}

static bool add_directions(loader *l, uint32_t call)
{
    uint32_t holder = call;
    uint32_t first = 0;
    uint32_t count = 0;
    if (get(l, call, SONATA_IR_ARG_DIRECTIONS) == SONATA_SOURCE_NONE) {
        holder = get(l, call, SONATA_IR_ATTRS);
        if (holder == SONATA_SOURCE_NONE ||
            sonata_source_form(l->source, holder) != SONATA_IR_MAPPING)
            return true;
    }
    bool ok = get_list(&first, &count, l, holder, SONATA_IR_ARG_DIRECTIONS);
    for (uint32_t i = 0; i < count && ok; i++)
        ok = add_direction(l, sonata_source_at(l->source, first + i));
    return ok;
}

/* `op`, a string or an object with a name, or else `op_name`. */
static bool call_name(sonata_text *name, loader *l, uint32_t call)
{
    uint32_t op = get(l, call, SONATA_IR_OP);
    *name = name_at(l, op);
    if (name->text != NULL)
        return true;
    if (op != SONATA_SOURCE_NONE) {
        sonata_ir_form form = sonata_source_form(l->source, op);
        if (form != SONATA_IR_NODE && form != SONATA_IR_MAPPING)
            return refuse_type(l, op, "a string or an object with a name");
        if (!get_text(name, l, op, SONATA_IR_NAME))
            return false;
    }
    return name->text != NULL || get_text(name, l, call, SONATA_IR_OP_NAME);
}

static sonata_ir_callee callee_kind(const loader *l, sonata_text name)
{
    uint32_t number = 0;
    if (name.text == NULL || !sonata_table_find(&l->callees, &number, 0, name))
        return SONATA_CALLEE_OTHER;
    return l->kinds[number];
}

static bool call_of(uint32_t *number, loader *l, uint32_t call)
{
    sonata_text name;
    uint32_t first = 0;
    uint32_t count = 0;
    *number = l->seen[call].call;
    /* As it runs a call that two roots have is two. */
    if (*number != SONATA_IR_NONE &&
        (!l->whole || l->seen[call].call_walk == l->walk))
        return true;
    if (!call_name(&name, l, call) ||
        !get_list(&first, &count, l, call, SONATA_IR_ARGS))
        return false;
    *number = sonata_ir_begin_call(l->ir, name, callee_kind(l, name));
    bool ok = !l->ir->failed || fail_memory(l);
    if (ok)
        l->ir->calls[*number].node = call;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = add_arg(l, sonata_source_at(l->source, first + i));
    if (!ok || !add_directions(l, call))
        return false;
    l->seen[call].call = *number;
    l->seen[call].call_walk = l->walk;
    return !l->ir->failed || fail_memory(l);
}

/* A tuple or an index that says nothing gives no key. */
static bool assign_element(loader *l, uint32_t variable, uint32_t element)
{
    uint32_t from = get(l, element, SONATA_IR_TUPLE);
    uint32_t index = get(l, element, SONATA_IR_INDEX);
    uint32_t tuple = 0;
    int64_t number = 0;
    if (!is_node(l, from) || index == SONATA_SOURCE_NONE ||
        !sonata_node_int(&number, l->source->doc,
                         l->source->values[index].json)) {
        sonata_ir_assign_other(l->ir, variable);
        return true;
    }
    if (!variable_of(&tuple, l, from))
        return false;
    sonata_ir_assign_element(l->ir, variable, tuple, number);
    return true;
}

static bool assign_call(loader *l, uint32_t variable, uint32_t node)
{
    uint32_t call = 0;
    if (!call_of(&call, l, node) || !count_visits(l, l->ir->calls[call].args))
        return false;
    sonata_ir_assign_call(l->ir, variable, call);
    return true;
}

static bool assign(loader *l, uint32_t statement)
{
    uint32_t var = get(l, statement, SONATA_IR_VAR);
    uint32_t value = get(l, statement, SONATA_IR_VALUE);
    uint32_t variable = 0;
    if (var == SONATA_SOURCE_NONE)
        return true;
    if (!is_node(l, var))
        return refuse_type(l, var, "a node");
    if (!variable_of(&variable, l, var))
        return false;
    if (is_kind(l, value, "TupleGetItemExpr"))
        return assign_element(l, variable, value);
    if (is_kind(l, value, "Call"))
        return assign_call(l, variable, value);
    sonata_ir_assign_other(l->ir, variable);
    if (!l->whole || !is_kind(l, value, "Var") || l->ir->failed)
        return true;
    uint32_t from = 0;
    bool ok = variable_of(&from, l, value);
    l->ir->steps[l->ir->step_count - 1].tuple = from;
    return ok;
}

static bool visit(loader *l, uint32_t node)
{
    uint32_t call = 0;
    sonata_text kind = sonata_source_node_kind(l->source, node);
    if (sonata_text_is(kind, "Call")) {
        if (!call_of(&call, l, node))
            return false;
        sonata_ir_visit_call(l->ir, call);
        return true;
    }
    if (sonata_kind_is_rejected(kind))
        sonata_ir_visit_node(l->ir, kind);
    return !sonata_text_is(kind, "AssignStmt") || assign(l, node);
}

static bool push(loader *l, uint32_t value)
{
    uint32_t *stack =
        sonata_grow(l->stack, &l->stack_room, l->depth, sizeof *stack);
    if (stack == NULL)
        return fail_memory(l);
    l->stack = stack;
    stack[l->depth++] = value;
    return true;
}

/* Fields that are walked, the last one first. */
static bool push_fields(loader *l, uint32_t node)
{
    static const sonata_ir_field fields[] = {
        SONATA_IR_FUNCTIONS,  SONATA_IR_BODY,     SONATA_IR_THEN_BODY,
        SONATA_IR_ELSE_BODY,  SONATA_IR_BRANCHES, SONATA_IR_STMTS,
        SONATA_IR_STATEMENTS, SONATA_IR_SEQ,      SONATA_IR_ARGS,
        SONATA_IR_VALUE,      SONATA_IR_EXPR,     SONATA_IR_CONDITION,
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && ok; i++) {
        uint32_t child = get(l, node, fields[i]);
        ok = child == SONATA_SOURCE_NONE || push(l, child);
    }
    return ok;
}

static bool push_children(loader *l, uint32_t value)
{
    const sonata_ir_value *v = &l->source->values[value];
    bool ok = true;
    if (v->form == SONATA_IR_NODE)
        return push_fields(l, value);
    for (uint32_t i = 0; i < v->count && ok; i++)
        ok = push(l, v->form == SONATA_IR_LIST ? v->first + v->count - 1 - i
                                               : v->first + i);
    return ok;
}

/* Goes on with the walk: what is on the stack, and all below. */
static bool walk(loader *l)
{
    while (l->depth > 0) {
        uint32_t value = sonata_source_at(l->source, l->stack[--l->depth]);
        bool is_known = is_node(l, value);
        size_t length = sonata_source_text(l->source, value).length;
        if (!count_visits(l, 1 + length / LONG_NAME))
            return false;
        if (is_known && l->seen[value].walk == l->walk)
            continue;
        l->seen[value].walk = l->walk;
        if (is_known && !visit(l, value))
            return false;
        if (!push_children(l, value))
            return false;
    }
    return true;
}

/* --- As it runs --- */

/* A call gives a value where it stands, also within another one. */
static bool leave(loader *l, uint32_t node)
{
    uint32_t variable = 0;
    if (!visit(l, node))
        return false;
    if (!is_kind(l, node, "Call"))
        return true;
    return variable_of(&variable, l, node) && assign_call(l, variable, node);
}

/* What holds no statement and no expression. */
static bool is_passed_over(const sonata_ir_value *value)
{
    static const sonata_ir_field fields[] = {
        SONATA_IR_KIND,        SONATA_IR_ID,     SONATA_IR_NAME,
        SONATA_IR_NAME_HINT,   SONATA_IR_PARAMS, SONATA_IR_FUNC_TYPE,
        SONATA_IR_FUNCTIONS,   SONATA_IR_TYPE,   SONATA_IR_TYPE_,
        SONATA_IR_TENSOR_TYPE, SONATA_IR_OP,     SONATA_IR_OP_NAME,
        SONATA_IR_VAR,         SONATA_IR_INDEX,  SONATA_IR_ARG_DIRECTIONS,
        SONATA_IR_ATTRS};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (value->field == fields[i])
            return true;
    return false;
}

typedef struct frame {
    uint32_t value, next;
} frame;

/* Goes through a value in the order of its parts, and leaves each part when
 * all within it is done: an argument runs before its call. */
static bool walk_whole(loader *l, uint32_t root)
{
    frame *frames = NULL;
    size_t depth = 0, room = 0;
    uint32_t enter = root;
    bool ok = true, entering = true;
    while (ok && (entering || depth > 0)) {
        if (entering) {
            entering = false;
            enter = sonata_source_at(l->source, enter);
            if (!count_visits(l, 1) || l->seen[enter].walk == l->walk) {
                ok = l->status == SONATA_OK;
                continue;
            }
            frame *grown = sonata_grow(frames, &room, depth, sizeof *frames);
            if (grown == NULL) {
                ok = fail_memory(l);
                continue;
            }
            frames = grown;
            l->seen[enter].walk = l->walk;
            frames[depth++] = (frame){enter, 0};
        }
        frame *top = &frames[depth - 1];
        const sonata_ir_value *v = &l->source->values[top->value];
        if (top->next < v->count) {
            enter = v->first + top->next++;
            entering = v->form != SONATA_IR_NODE ||
                       !is_passed_over(&l->source->values[enter]);
        } else {
            depth--;
            ok = !is_node(l, top->value) || leave(l, top->value);
        }
    }
    free(frames);
    return ok;
}

/* The first of alternative fields that a node has, null counting as one. */
static uint32_t first_of(const loader *l, uint32_t node,
                         const sonata_ir_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sonata_source_has(l->source, node, fields[i]))
            return get(l, node, fields[i]);
    return SONATA_SOURCE_NONE;
}

/* The digits of a positive integer, or of a node that has one as value; null
 * for anything else. */
static sonata_text static_dim(const loader *l, uint32_t value)
{
    if (is_node(l, value))
        value = get(l, value, SONATA_IR_VALUE);
    if (value == SONATA_SOURCE_NONE ||
        sonata_source_kind(l->source, value) != SONATA_NODE_INT)
        return (sonata_text){0};
    sonata_text digits =
        sonata_node_number(l->source->doc, l->source->values[value].json);
    if (digits.text[0] == '-' || digits.text[0] == '0')
        return (sonata_text){0};
    return digits;
}

static bool add_shape(loader *l, uint32_t param)
{
    static const sonata_ir_field types[] = {SONATA_IR_TYPE, SONATA_IR_TYPE_,
                                            SONATA_IR_TENSOR_TYPE};
    static const sonata_ir_field shapes[] = {SONATA_IR_SHAPE, SONATA_IR_SHAPE_,
                                             SONATA_IR_DIMS, SONATA_IR_DIMS_};
    uint32_t type = first_of(l, param, types, 3);
    uint32_t shape =
        is_node(l, type) ? first_of(l, type, shapes, 4) : SONATA_SOURCE_NONE;
    if (shape == SONATA_SOURCE_NONE ||
        sonata_source_form(l->source, shape) != SONATA_IR_LIST)
        return true;
    const sonata_ir_value *list = &l->source->values[shape];
    if (!count_visits(l, list->count))
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        if (static_dim(l, sonata_source_at(l->source, list->first + i)).text ==
            NULL)
            return true;
    sonata_ir_set_shape(l->ir);
    for (uint32_t i = 0; i < list->count; i++)
        sonata_ir_add_dim_text(
            l->ir, static_dim(l, sonata_source_at(l->source, list->first + i)));
    return true;
}

static bool add_params(loader *l, uint32_t root)
{
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t variable = 0;
    if (!get_list(&first, &count, l, root, SONATA_IR_PARAMS) ||
        !count_visits(l, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t param = sonata_source_at(l->source, first + i);
        if (!is_node(l, param))
            continue; /* it has no name */
        if (!variable_of(&variable, l, param))
            return false;
        sonata_ir_add_param(l->ir, variable);
        if (l->ir->failed)
            return fail_memory(l);
        if (!add_shape(l, param))
            return false;
    }
    return true;
}

/* Begins a root with its parameters; the walk is another matter. */
static bool begin_root(loader *l, uint32_t root)
{
    sonata_text name;
    if (!get_text(&name, l, root, SONATA_IR_NAME))
        return false;
    sonata_ir_begin_root(l->ir, name);
    if (l->ir->failed)
        return fail_memory(l);
    return add_params(l, root);
}

static bool add_root(loader *l, uint32_t root)
{
    if (!begin_root(l, root))
        return false;
    l->walk++;
    if (l->whole)
        return walk_whole(l, root);
    return push(l, root) && walk(l);
}

/* The name of a function's type; null when it has none. */
static bool function_type(sonata_text *name, loader *l, uint32_t function)
{
    uint32_t type = get(l, function, SONATA_IR_FUNC_TYPE);
    *name = sonata_source_text(l->source, type);
    if (type == SONATA_SOURCE_NONE || name->text != NULL)
        return true;
    return count_visits(l, l->source->values[type].count) &&
           get_text(name, l, type, SONATA_IR_NAME);
}

/* Group and Spmd stay; else the last of a name counts. */
static bool add_callee(loader *l, sonata_text name, sonata_text type)
{
    static const char *const types[] = {
        [SONATA_CALLEE_AIC] = "AIC",
        [SONATA_CALLEE_AIV] = "AIV",
        [SONATA_CALLEE_GROUP] = "Group",
        [SONATA_CALLEE_SPMD] = "Spmd",
    };
    sonata_ir_callee kind = SONATA_CALLEE_OTHER;
    for (size_t i = 1; i < sizeof types / sizeof *types; i++)
        if (sonata_text_is(type, types[i]))
            kind = (sonata_ir_callee)i;
    if (name.text == NULL || kind == SONATA_CALLEE_OTHER)
        return true;
    uint32_t number = 0;
    bool is_new = false;
    sonata_ir_callee *kinds =
        sonata_grow(l->kinds, &l->kinds_room, l->callees.count, sizeof *kinds);
    if (kinds == NULL)
        return fail_memory(l);
    l->kinds = kinds;
    if (!sonata_table_put(&l->callees, &number, &is_new, 0, name))
        return fail_memory(l);
    if (is_new || (kinds[number] != SONATA_CALLEE_GROUP &&
                   kinds[number] != SONATA_CALLEE_SPMD))
        kinds[number] = kind;
    return true;
}

/* Gathers the names of the functions, or adds those that are roots. */
static bool go_through(loader *l, uint32_t functions, bool add_roots)
{
    const sonata_ir_value *mapping = &l->source->values[functions];
    for (uint32_t i = 0; i < mapping->count; i++) {
        sonata_text name;
        sonata_text type;
        uint32_t f = sonata_source_at(l->source, mapping->first + i);
        if (!is_node(l, f))
            continue;
        if (!get_text(&name, l, f, SONATA_IR_NAME) ||
            !function_type(&type, l, f))
            return false;
        bool is_root =
            sonata_text_is(type, "Orchestration") &&
            (l->entry.text == NULL || sonata_text_equal(name, l->entry));
        if (add_roots ? is_root && !add_root(l, f) : !add_callee(l, name, type))
            return false;
    }
    return true;
}

/* The functions mapping of the root node; NONE when it has none. */
static uint32_t functions_of(const loader *l)
{
    uint32_t functions = get(l, 0, SONATA_IR_FUNCTIONS);
    return functions != SONATA_SOURCE_NONE &&
                   sonata_source_form(l->source, functions) == SONATA_IR_MAPPING
               ? functions
               : SONATA_SOURCE_NONE;
}

static bool begin(loader *l)
{
    uint32_t functions = functions_of(l);
    size_t count = l->source->count;
    l->visits_left = VISITS_FREE + VISITS_EACH * (uint64_t)count;
    l->seen = reallocarray(NULL, count, sizeof *l->seen);
    if (l->seen == NULL)
        return fail_memory(l);
    for (size_t i = 0; i < count; i++)
        l->seen[i] = (seen){SONATA_IR_NONE, SONATA_IR_NONE, 0, 0};
    l->ir->root_kind = sonata_source_node_kind(l->source, 0);
    if (!get_text(&l->ir->name, l, 0, SONATA_IR_NAME))
        return false;
    if (functions != SONATA_SOURCE_NONE)
        return go_through(l, functions, false);
    return function_type(&l->ir->function_type, l, 0);
}

static bool load(loader *l)
{
    uint32_t functions = functions_of(l);
    return begin(l) &&
           (functions == SONATA_SOURCE_NONE ? add_root(l, 0)
                                            : go_through(l, functions, true));
}

static bool load_parts(loader *l, uint32_t *ends, uint32_t list,
                       const uint32_t *bounds, size_t count)
{
    const sonata_ir_value *v = &l->source->values[list];
    if (!begin(l) || !begin_root(l, 0))
        return false;
    for (size_t i = 0; i < count; i++) {
        l->walk++;
        for (uint32_t k = bounds[i]; k > (i == 0 ? 0 : bounds[i - 1]); k--)
            if (!push(l, v->first + k - 1))
                return false;
        if (!walk(l))
            return false;
        ends[i] = (uint32_t)l->ir->step_count;
    }
    return true;
}

static sonata_status finish(loader *l)
{
    if (l->status == SONATA_OK && l->ir->failed)
        fail_memory(l);
    sonata_table_free(&l->callees);
    free(l->kinds);
    free(l->seen);
    free(l->stack);
    if (l->status != SONATA_OK)
        sonata_ir_free(l->ir);
    return l->status;
}

sonata_status sonata_ir_load(sonata_ir *ir, const sonata_source *source,
                             sonata_error *error)
{
    loader l = {.ir = ir, .source = source, .error = error};
    sonata_ir_init(ir);
    load(&l);
    return finish(&l);
}

sonata_status sonata_ir_load_whole(sonata_ir *ir, const sonata_source *source,
                                   sonata_text entry, sonata_error *error)
{
    loader l = {.ir = ir,
                .source = source,
                .error = error,
                .entry = entry,
                .whole = true};
    sonata_ir_init(ir);
    load(&l);
    return finish(&l);
}

sonata_status sonata_ir_load_parts(sonata_ir *ir, uint32_t *ends,
                                   const sonata_source *source, uint32_t list,
                                   const uint32_t *bounds, size_t count,
                                   sonata_error *error)
{
    loader l = {.ir = ir, .source = source, .error = error};
    sonata_ir_init(ir);
    load_parts(&l, ends, list, bounds, count);
    return finish(&l);
}
