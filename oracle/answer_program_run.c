/* What storages variables have while a program runs (spec 03, 05). */
#include "answer_program_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Variables --- */

static bool node_name(ir_program *p, uint32_t node, answer_text *name)
{
    return ir_text_field(p, node, "name_hint", name) &&
           (name->data != NULL || ir_text_field(p, node, "name", name));
}

static bool var_of(ir_program *p, uint32_t node, uint32_t *var)
{
    ir_value *value = &p->values[node];
    if (value->var == 0) {
        ir_var *grown =
            oracle_arena_push(p->arena, p->vars, p->var_count, sizeof *grown);
        if (grown == NULL) {
            return ir_failed(p);
        }
        p->vars = grown;
        if (!node_name(p, node, &grown[p->var_count].name)) {
            return false;
        }
        value->var = ++p->var_count;
    }
    *var = value->var - 1;
    return true;
}

/* "param:x", "param:f.x": whatever bytes the names have. NULL: no memory. */
static char *base_key(ir_program *p, const char *prefix,
                      const answer_text *name, uint32_t *length)
{
    const answer_text parts[] = {{prefix, (uint32_t)strlen(prefix)},
                                 p->root,
                                 {".", p->root.data == NULL ? 0 : 1},
                                 *name};
    size_t size = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size += parts[i].length;
    }
    char *key = oracle_arena_alloc(p->arena, size + 16);
    *length = 0;
    for (size_t i = 0; key != NULL && i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].length > 0) {
            memcpy(key + *length, parts[i].data, parts[i].length);
        }
        *length += parts[i].length;
    }
    return key;
}

/* A storage of its own, for what has a name. */
static bool new_storage(ir_program *p, ir_var *v, const char *prefix)
{
    uint32_t length;
    *v = (ir_var){.name = v->name};
    if (v->name.data == NULL) {
        return true;
    }
    char *key = base_key(p, prefix, &v->name, &length);
    oracle_slot *slot =
        key == NULL ? NULL : oracle_table_slot(&p->used, key, length);
    uint32_t *times =
        oracle_arena_push(p->arena, p->times, p->time_count, sizeof *times);
    if (slot == NULL || times == NULL) {
        return ir_failed(p);
    }
    p->times = times;
    v->key = (answer_text){key, length};
    if (slot->data == NULL) {
        times[p->time_count] = 1;
        *slot = (oracle_slot){key, length, p->time_count++};
    } else {
        /* Behind the base there is room for a number. */
        v->key.length += (uint32_t)snprintf(key + length, 16, "@%" PRIu32,
                                            ++times[slot->value]);
    }
    return true;
}

bool ir_begin_root(ir_program *p, uint32_t root, bool qualified)
{
    uint32_t first, count, var, begin = p->child_count;
    answer_text name;
    if (!ir_text_field(p, root, "name", &name) ||
        !ir_items(p, root, "params", &first, &count)) {
        return false;
    }
    p->root = qualified ? name : (answer_text){0};
    oracle_table_free(&p->used);
    p->used = (oracle_table){0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = p->values[p->children[first + i]].at;
        if (p->values[node].form == IR_NODE &&
            (!var_of(p, node, &var) ||
             !new_storage(p, &p->vars[var], "param:"))) {
            return false;
        }
    }
    p->child_count = begin;
    return true;
}

/* --- Arguments --- */

/* What Python calls the type of a plain value. */
static answer_text type_word(const ir_program *p, uint32_t value)
{
    const char *word = "NoneType";
    switch ((oracle_json_type)p->json->nodes[value].type) {
    case ORACLE_JSON_ARRAY:
        word = "tuple";
        break;
    case ORACLE_JSON_OBJECT:
        word = "dict";
        break;
    case ORACLE_JSON_NUMBER:
        word = oracle_json_integral(p->json, value) ? "int" : "float";
        break;
    case ORACLE_JSON_TRUE:
    case ORACLE_JSON_FALSE:
        word = "bool";
        break;
    case ORACLE_JSON_STRING:
    case ORACLE_JSON_NULL:
        break;
    }
    return (answer_text){word, (uint32_t)strlen(word)};
}

/* The number, bool or null that an argument is, by itself or as its value. */
static uint32_t constant_of(const ir_program *p, uint32_t value)
{
    if (p->values[value].form == IR_NODE) {
        uint32_t inner = oracle_json_member(p->json, value, "value");
        if (inner == ORACLE_NONE ||
            p->json->nodes[inner].type == ORACLE_JSON_NULL) {
            return ORACLE_NONE;
        }
        value = inner;
    }
    return p->json->nodes[value].type < ORACLE_JSON_STRING ? value
                                                           : ORACLE_NONE;
}

static bool take_arg(ir_program *p, uint32_t value, answer_run_arg *arg)
{
    uint32_t var;
    value = p->values[value].at;
    *arg = (answer_run_arg){.constant = constant_of(p, value)};
    if (p->values[value].form != IR_NODE) {
        if (!ir_text(p, value, &arg->name)) {
            return false;
        }
        arg->name = arg->name.data == NULL ? type_word(p, value) : arg->name;
        return true;
    }
    if (!var_of(p, value, &var)) {
        return false;
    }
    const ir_var *v = &p->vars[var];
    arg->key = v->key;
    arg->part = v->part && v->key.data != NULL;
    arg->name = v->name;
    return v->name.data != NULL ||
           ir_text(p, p->values[value].kind, &arg->name);
}

/* A name, else a value; what is no string is no direction that is known. */
static bool take_told(ir_program *p, uint32_t value, answer_told *told)
{
    uint32_t found = p->values[value].at;
    ir_form form = p->values[found].form;
    if (form == IR_NODE || form == IR_MAPPING) {
        uint32_t name = ir_get(p, found, "name");
        found = name == ORACLE_NONE ? ir_get(p, found, "value") : name;
    }
    if (found == ORACLE_NONE || p->values[found].form != IR_PLAIN) {
        return ir_broken(p);
    }
    *told = answer_told_of(p->json, found);
    return true;
}

/* children[*first ...]: an empty list is one, too. */
static bool find_directions(ir_program *p, uint32_t call, uint32_t *first,
                            uint32_t *count)
{
    uint32_t holder = call;
    *count = 0;
    *first = p->child_count;
    if (ir_get(p, call, "arg_directions") == ORACLE_NONE) {
        holder = ir_get(p, call, "attrs");
        if (holder == ORACLE_NONE || p->values[holder].form != IR_MAPPING) {
            return true;
        }
    }
    return ir_items(p, holder, "arg_directions", first, count);
}

/* --- Calls --- */

static bool take_args(ir_program *p, uint32_t call, answer_list *args,
                      uint32_t *told)
{
    uint32_t begin = p->child_count, first, dirs, count;
    answer_run *run = p->run;
    args->first = run->arg_count;
    if (!ir_items(p, call, "args", &first, &args->count) ||
        !find_directions(p, call, &dirs, &count)) {
        return false;
    }
    *told = count;
    if (!ir_visit(p, (uint64_t)args->count + count)) {
        return false;
    }
    for (uint32_t i = 0; i < args->count || i < count; i++) {
        answer_told way = ANSWER_UNTOLD;
        if (i < count && !take_told(p, p->children[dirs + i], &way)) {
            return false;
        }
        if (i >= args->count) {
            continue;
        }
        answer_run_arg *grown = oracle_arena_push(
            p->arena, run->args, run->arg_count, sizeof *grown);
        if (grown == NULL) {
            return ir_failed(p);
        }
        run->args = grown;
        if (!take_arg(p, p->children[first + i], &grown[run->arg_count])) {
            return false;
        }
        grown[run->arg_count++].told = way;
    }
    p->child_count = begin;
    return true;
}

static const char *core_of(const ir_program *p, const answer_text *name)
{
    uint32_t kind = oracle_table_find(&p->callees, name->data, name->length);
    return kind == ORACLE_NONE ? "mixed" : kind == 0 ? "aic" : "aiv";
}

static bool add_task(ir_program *p, uint32_t call, const answer_text *name,
                     const answer_list *args)
{
    answer_run *run = p->run;
    answer_run_task *grown =
        oracle_arena_push(p->arena, run->tasks, run->count, sizeof *grown);
    if (grown == NULL) {
        return ir_failed(p);
    }
    run->tasks = grown;
    int64_t id = (int64_t)p->values[call].id - 1;
    grown[run->count++] = (answer_run_task){
        id >= p->first_id ? id : p->further++, *name, core_of(p, name), *args};
    return true;
}

static bool writes(answer_told told)
{
    return told >= ANSWER_OUTPUT && told <= ANSWER_INOUT;
}

/* What a task gives back: the storages that it writes. */
static bool take_results(ir_program *p, ir_var *result, const answer_list *args)
{
    result->results.first = p->result_count;
    for (uint32_t i = 0; i < args->count; i++) {
        const answer_run_arg *arg = &p->run->args[args->first + i];
        if (!writes(arg->told)) {
            continue;
        }
        answer_text *grown = oracle_arena_push(p->arena, p->results,
                                               p->result_count, sizeof *grown);
        if (grown == NULL) {
            return ir_failed(p);
        }
        p->results = grown;
        grown[p->result_count++] = arg->key;
        result->results.count++;
        result->part = result->part || arg->part;
        result->key = result->key.data == NULL ? arg->key : result->key;
    }
    return true;
}

static bool is_view(const answer_text *name)
{
    return ir_text_is(name, "tensor.slice") ||
           ir_text_is(name, "tensor.view") ||
           ir_text_is(name, "tensor.reshape") ||
           ir_text_is(name, "tensor.transpose");
}

/* Lists of directions are as long as the arguments, or none is used. */
static void forget_directions(answer_run *run, const answer_list *args)
{
    for (uint32_t i = 0; i < args->count; i++) {
        run->args[args->first + i].told = ANSWER_UNTOLD;
    }
}

static bool leave_call(ir_program *p, uint32_t call)
{
    answer_text name;
    answer_list args;
    uint32_t var, told;
    if (!ir_call_name(p, call, &name) || !take_args(p, call, &args, &told) ||
        !var_of(p, call, &var)) {
        return false;
    }
    ir_var *result = &p->vars[var];
    *result = (ir_var){.name = result->name};
    if (ir_is_task(&name)) {
        bool ok =
            take_results(p, result, &args) && add_task(p, call, &name, &args);
        if (ok && told != args.count) {
            forget_directions(p->run, &args);
        }
        return ok;
    }
    if (is_view(&name) && args.count > 0) {
        result->key = p->run->args[args.first].key;
        result->part = result->key.data != NULL;
    }
    p->run->arg_count = args.first;
    return true;
}

/* --- Assignments --- */

static bool take_element(ir_program *p, uint32_t element, ir_var *to)
{
    uint32_t tuple = ir_get(p, element, "tuple"), var;
    uint32_t index = ir_get(p, element, "index");
    int64_t at;
    if (tuple == ORACLE_NONE || p->values[tuple].form != IR_NODE ||
        index == ORACLE_NONE ||
        p->json->nodes[index].type != ORACLE_JSON_NUMBER ||
        !oracle_json_integral(p->json, index) ||
        !oracle_json_int64(p->json, index, &at)) {
        return true;
    }
    if (!var_of(p, tuple, &var)) {
        return false;
    }
    const ir_var *from = &p->vars[var];
    if (at >= 0 && at < (int64_t)from->results.count) {
        to->key = p->results[from->results.first + (uint32_t)at];
        to->part = from->part;
    }
    return true;
}

static bool leave_assignment(ir_program *p, uint32_t statement)
{
    uint32_t node = ir_get(p, statement, "var"), var, from;
    uint32_t value = ir_get(p, statement, "value");
    answer_text name = {0};
    if (node == ORACLE_NONE) {
        return true;
    }
    if (p->values[node].form != IR_NODE) {
        return ir_broken(p);
    }
    if (!var_of(p, node, &var)) {
        return false;
    }
    ir_var next = {.name = p->vars[var].name};
    bool call = value != ORACLE_NONE && ir_is(p, value, "Call");
    if (call && !ir_call_name(p, value, &name)) {
        return false;
    }
    if (ir_text_is(&name, "tensor.create")) {
        return new_storage(p, &p->vars[var], "alloc:");
    }
    if (value != ORACLE_NONE && ir_is(p, value, "TupleGetItemExpr")) {
        if (!take_element(p, value, &next)) {
            return false;
        }
    } else if (call || (value != ORACLE_NONE && ir_is(p, value, "Var"))) {
        if (!var_of(p, value, &from)) {
            return false;
        }
        next = p->vars[from];
        next.name = p->vars[var].name;
    }
    p->vars[var] = next;
    return true;
}

bool ir_leave(ir_program *p, uint32_t node)
{
    return ir_is(p, node, "Call")         ? leave_call(p, node)
           : ir_is(p, node, "AssignStmt") ? leave_assignment(p, node)
                                          : true;
}
