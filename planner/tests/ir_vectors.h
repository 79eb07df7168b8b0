/*
 * The JSON form of the IR (spec 05) turned into the neutral form, for the
 * reference answers in tests. Small inputs: looking up is by search.
 */
#ifndef TESTS_IR_VECTORS_H
#define TESTS_IR_VECTORS_H

#include "../adapt/extract.h"
#include "vectors.h"

#define MOST_NODES 20000

typedef struct loader {
    sonata_ir *ir;
    const cJSON *root;
    const cJSON *named[MOST_NODES]; /* nodes with an "id" */
    size_t named_count;
    const cJSON *visited[MOST_NODES];
    size_t visited_count;
    const cJSON *variables[MOST_NODES]; /* by their number */
    const cJSON *calls[MOST_NODES];
    uint32_t call_numbers[MOST_NODES];
    size_t call_count;
    const cJSON *stack[MOST_NODES];
    size_t depth;
} loader;

static inline void index_nodes(loader *l, const cJSON *node)
{
    if (cJSON_IsObject(node) && field(node, "id") != NULL)
        l->named[l->named_count++] = node;
    for (const cJSON *m = node->child; m != NULL; m = m->next)
        index_nodes(l, m);
}

/* Follows {"ref": id}. */
static inline const cJSON *resolve(const loader *l, const cJSON *node)
{
    const cJSON *ref = cJSON_IsObject(node) ? field(node, "ref") : NULL;
    for (size_t i = 0; ref != NULL && i < l->named_count; i++)
        if (strcmp(field(l->named[i], "id")->valuestring, ref->valuestring) ==
            0)
            return l->named[i];
    return node;
}

static inline bool is_node(const cJSON *node)
{
    return cJSON_IsObject(node) && field(node, "kind") != NULL;
}

static inline bool is_kind(const cJSON *node, const char *kind)
{
    return is_node(node) && strcmp(field(node, "kind")->valuestring, kind) == 0;
}

/* The next value of a mapping, in either form. */
static inline const cJSON *mapping_get(const cJSON *mapping, const char *key)
{
    const cJSON *map = field(mapping, "map");
    if (map == NULL)
        return field(mapping, key);
    for (const cJSON *m = map->child; m != NULL; m = m->next)
        if (strcmp(m->child->valuestring, key) == 0)
            return m->child->next;
    return NULL;
}

static inline const cJSON *first_of(const cJSON *node, const char *const *names)
{
    for (; *names != NULL; names++)
        if (field(node, *names) != NULL)
            return field(node, *names);
    return NULL;
}

static inline sonata_text name_of(const loader *l, const cJSON *node)
{
    static const char *const names[] = {"name_hint", "name", NULL};
    const cJSON *name = first_of(node, names);
    (void)l;
    return name == NULL ? (sonata_text){0} : text_of(name);
}

static inline uint32_t variable_of(loader *l, const cJSON *node)
{
    for (size_t i = 0; i < l->ir->variable_count; i++)
        if (l->variables[i] == node)
            return (uint32_t)i;
    uint32_t number = sonata_ir_new_variable(l->ir, name_of(l, node));
    l->variables[number] = node;
    return number;
}

static inline sonata_text arg_name(const loader *l, const cJSON *arg)
{
    if (cJSON_IsString(arg))
        return text_of(arg);
    if (is_node(arg)) {
        sonata_text name = name_of(l, arg);
        return name.text == NULL ? text_of(field(arg, "kind")) : name;
    }
    const char *type = "NoneType";
    if (cJSON_IsNumber(arg))
        type = strpbrk(arg->valuestring, ".eE") == NULL ? "int" : "float";
    else if (cJSON_IsBool(arg))
        type = "bool";
    else if (!cJSON_IsNull(arg))
        type = cJSON_IsArray(arg) ? "tuple" : "dict";
    return (sonata_text){type, strlen(type)};
}

static inline sonata_text call_name(const cJSON *call)
{
    const cJSON *op = field(call, "op");
    if (cJSON_IsObject(op))
        return text_of(field(op, "name"));
    return text_of(op != NULL ? op : field(call, "op_name"));
}

static inline const cJSON *functions_of(const cJSON *root)
{
    return is_node(root) ? field(root, "functions") : NULL;
}

/* The functions of a program, one after another: NULL ends. */
static inline const cJSON *next_function(const cJSON *functions,
                                         const cJSON **at)
{
    const cJSON *map = field(functions, "map");
    *at = *at == NULL ? (map != NULL ? map->child : functions->child)
                      : (*at)->next;
    if (*at == NULL)
        return NULL;
    return map != NULL ? (*at)->child->next : *at;
}

static inline sonata_text type_name(const cJSON *function)
{
    const cJSON *type = field(function, "func_type");
    return type == NULL ? (sonata_text){0} : text_of(field(type, "name"));
}

static inline sonata_ir_callee callee_kind(const loader *l, sonata_text name)
{
    static const char *const types[] = {"", "AIC", "AIV", "Group", "Spmd"};
    const cJSON *functions = functions_of(l->root);
    const cJSON *at = NULL;
    if (functions == NULL || name.text == NULL)
        return SONATA_CALLEE_OTHER;
    for (const cJSON *f; (f = next_function(functions, &at)) != NULL;) {
        sonata_text type = type_name(f);
        sonata_text own = name_of(l, f);
        if (own.text == NULL || strcmp(own.text, name.text) != 0)
            continue;
        for (size_t i = 1; i < 5 && type.text != NULL; i++)
            if (strcmp(type.text, types[i]) == 0)
                return (sonata_ir_callee)i;
    }
    return SONATA_CALLEE_OTHER;
}

static inline void load_directions(loader *l, const cJSON *call)
{
    static const char *const names[] = {"name", "value", NULL};
    const cJSON *list = field(call, "arg_directions");
    if (list == NULL && field(call, "attrs") != NULL)
        list = mapping_get(field(call, "attrs"), "arg_directions");
    if (list == NULL)
        return;
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        sonata_ir_add_direction(
            l->ir, text_of(cJSON_IsString(m) ? m : first_of(m, names)));
}

static inline uint32_t call_of(loader *l, const cJSON *call)
{
    for (size_t i = 0; i < l->call_count; i++)
        if (l->calls[i] == call)
            return l->call_numbers[i];
    sonata_text name = call_name(call);
    uint32_t number = sonata_ir_begin_call(l->ir, name, callee_kind(l, name));
    const cJSON *args = field(call, "args");
    for (const cJSON *m = args == NULL ? NULL : args->child; m != NULL;
         m = m->next) {
        const cJSON *arg = resolve(l, m);
        sonata_ir_add_arg(
            l->ir, is_kind(arg, "Var") ? variable_of(l, arg) : SONATA_IR_NONE,
            arg_name(l, arg));
    }
    load_directions(l, call);
    l->calls[l->call_count] = call;
    l->call_numbers[l->call_count++] = number;
    return number;
}

static inline void load_step(loader *l, const cJSON *node)
{
    if (is_kind(node, "Call")) {
        sonata_ir_visit_call(l->ir, call_of(l, node));
        return;
    }
    sonata_ir_visit_node(l->ir, text_of(field(node, "kind")));
    if (!is_kind(node, "AssignStmt"))
        return;
    uint32_t variable = variable_of(l, resolve(l, field(node, "var")));
    const cJSON *value = resolve(l, field(node, "value"));
    if (is_kind(value, "Call"))
        sonata_ir_assign_call(l->ir, variable, call_of(l, value));
    if (is_kind(value, "TupleGetItemExpr"))
        sonata_ir_assign_element(
            l->ir, variable, variable_of(l, resolve(l, field(value, "tuple"))),
            int_of(field(value, "index")));
}

static inline void push_children(loader *l, const cJSON *node)
{
    static const char *const fields[] = {
        "functions",  "body", "then_body", "else_body", "branches", "stmts",
        "statements", "seq",  "args",      "value",     "expr",     "condition",
    };
    if (is_node(node)) {
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (field(node, fields[i]) != NULL)
                l->stack[l->depth++] = field(node, fields[i]);
        return;
    }
    size_t first = l->depth;
    for (const cJSON *m = node->child; m != NULL; m = m->next)
        l->stack[l->depth++] = m;
    for (size_t i = first, k = l->depth; cJSON_IsArray(node) && i + 1 < k;) {
        const cJSON *other = l->stack[i];
        l->stack[i++] = l->stack[--k];
        l->stack[k] = other;
    }
}

static inline void walk_from(loader *l, const cJSON *root)
{
    l->visited_count = 0;
    l->stack[l->depth++] = root;
    while (l->depth > 0) {
        const cJSON *node = resolve(l, l->stack[--l->depth]);
        bool seen = false;
        for (size_t i = 0; i < l->visited_count; i++)
            seen = seen || l->visited[i] == node;
        if (seen || (!cJSON_IsObject(node) && !cJSON_IsArray(node)))
            continue;
        l->visited[l->visited_count++] = node;
        if (is_node(node))
            load_step(l, node);
        push_children(l, node);
    }
}

/* The shape of a parameter, where it is a list of positive integers. */
static inline void load_shape(loader *l, const cJSON *param)
{
    static const char *const types[] = {"type", "type_", "tensor_type", NULL};
    static const char *const shapes[] = {"shape", "shape_", "dims", "dims_",
                                         NULL};
    const cJSON *type = resolve(l, first_of(param, types));
    const cJSON *shape = is_node(type) ? first_of(type, shapes) : NULL;
    const cJSON *dims[64];
    size_t count = 0;
    if (!cJSON_IsArray(shape))
        return;
    for (const cJSON *m = shape->child; m != NULL; m = m->next) {
        const cJSON *dim = is_node(m) ? field(m, "value") : m;
        if (!cJSON_IsNumber(dim) || strpbrk(dim->valuestring, ".eE-") ||
            strcmp(dim->valuestring, "0") == 0)
            return;
        dims[count++] = dim;
    }
    sonata_ir_set_shape(l->ir);
    for (size_t i = 0; i < count; i++)
        sonata_ir_add_dim_text(
            l->ir,
            (sonata_text){dims[i]->valuestring, strlen(dims[i]->valuestring)});
}

static inline void load_root(loader *l, const cJSON *root)
{
    const cJSON *params = field(root, "params");
    sonata_ir_begin_root(l->ir, text_of(field(root, "name")));
    for (const cJSON *m = params == NULL ? NULL : params->child; m != NULL;
         m = m->next) {
        const cJSON *param = resolve(l, m);
        sonata_ir_add_param(l->ir, variable_of(l, param));
        load_shape(l, param);
    }
    walk_from(l, root);
}

/* Fills an IR from its JSON form; texts are borrowed from the tree. */
static inline void load_ir(sonata_ir *ir, const cJSON *root)
{
    loader *l = calloc(1, sizeof *l);
    if (l == NULL)
        abort();
    l->ir = ir;
    l->root = root;
    sonata_ir_init(ir);
    index_nodes(l, root);
    ir->root_kind = text_of(field(root, "kind"));
    ir->name = text_of(field(root, "name"));
    const cJSON *functions = functions_of(root);
    const cJSON *at = NULL;
    if (functions == NULL) {
        ir->function_type = type_name(root);
        load_root(l, root);
    }
    for (const cJSON *f;
         functions != NULL && (f = next_function(functions, &at)) != NULL;) {
        sonata_text type = type_name(f);
        if (type.text != NULL && strcmp(type.text, "Orchestration") == 0)
            load_root(l, f);
    }
    free(l);
}

#endif
