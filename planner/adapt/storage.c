#include "storage.h"

#include <stdlib.h>

#include "../deps/direction.h"
#include "../json/array.h"
#include "../json/table.h"

/* The keys of the write arguments of the call a variable was assigned from. */
typedef struct outputs {
    uint32_t first, count;
} outputs;

typedef struct storage {
    const sonata_roots *roots;
    sonata_arena *arena;
    sonata_text *keys; /* per variable */
    outputs *results;  /* per variable */
    sonata_text *written;
    size_t written_count, written_capacity;
    sonata_table names; /* base keys of the present root */
    uint32_t *used;     /* per base key: how often */
    size_t used_capacity;
    bool *parts;                /* per variable, for facts */
    sonata_storage_fact *facts; /* per argument */
} storage;

/* "param:x", "param:f.x", "alloc:x@2": a new key. Null: no memory. */
static sonata_text new_key(storage *s, const sonata_ir_root *root,
                           sonata_text prefix, sonata_text name)
{
    bool qualified = s->roots->count > 1 && root->name.text != NULL;
    sonata_text base =
        SONATA_JOIN(s->arena, prefix, qualified ? root->name : SONATA_TEXT(""),
                    qualified ? SONATA_TEXT(".") : SONATA_TEXT(""), name);
    uint32_t *used =
        sonata_grow(s->used, &s->used_capacity, s->names.count, sizeof *used);
    uint32_t number = 0;
    bool is_new = false;
    if (used != NULL)
        s->used = used;
    if (base.text == NULL || used == NULL ||
        !sonata_table_put(&s->names, &number, &is_new, 0, base))
        return (sonata_text){0};
    if (is_new)
        s->used[number] = 0;
    if (++s->used[number] == 1)
        return base;
    return SONATA_JOIN(s->arena, base, SONATA_TEXT("@"),
                       sonata_text_int(s->arena, s->used[number]));
}

/* Gives a variable a new key of its own, when it has a name. */
static bool name_variable(storage *s, const sonata_ir_root *root,
                          sonata_text prefix, uint32_t variable)
{
    sonata_text name = s->roots->ir->variables[variable].name;
    if (name.text == NULL)
        return true;
    s->keys[variable] = new_key(s, root, prefix, name);
    return s->keys[variable].text != NULL;
}

static sonata_text key_of(const storage *s, const sonata_ir_arg *arg)
{
    return arg->variable == SONATA_IR_NONE ? (sonata_text){0}
                                           : s->keys[arg->variable];
}

/* The result of a task: the key of its first written argument with a key. */
static bool assign_result(storage *s, uint32_t variable,
                          const sonata_ir_call *call)
{
    const sonata_ir *ir = s->roots->ir;
    sonata_text first = {0};
    outputs result = {(uint32_t)s->written_count, 0};
    for (uint32_t i = 0; i < call->args && i < call->directions; i++) {
        if (!sonata_writes(
                sonata_direction_of(ir->directions[call->first_direction + i])))
            continue;
        sonata_text key = s->facts != NULL
                              ? s->facts[call->first_arg + i].key
                              : key_of(s, &ir->args[call->first_arg + i]);
        sonata_text *written = sonata_grow(s->written, &s->written_capacity,
                                           s->written_count, sizeof *written);
        if (written == NULL || s->written_count >= UINT32_MAX - 1)
            return false;
        s->written = written;
        s->written[s->written_count++] = key;
        result.count++;
        if (first.text == NULL)
            first = key;
    }
    s->results[variable] = result;
    if (first.text != NULL)
        s->keys[variable] = first;
    return true;
}

static void assign_element(storage *s, const sonata_ir_step *step)
{
    outputs result = s->results[step->tuple];
    if (step->index < 0 || step->index >= (int64_t)result.count)
        return;
    sonata_text key = s->written[result.first + (uint32_t)step->index];
    if (key.text != NULL)
        s->keys[step->variable] = key;
}

static bool assign(storage *s, const sonata_ir_root *root,
                   const sonata_ir_step *step)
{
    if (step->kind == SONATA_IR_ASSIGN_ELEMENT)
        assign_element(s, step);
    if (step->kind != SONATA_IR_ASSIGN_CALL)
        return true;
    const sonata_ir_call *call = &s->roots->ir->calls[step->call];
    if (sonata_text_is(call->callee, "tensor.create"))
        return name_variable(s, root, SONATA_TEXT("alloc:"), step->variable);
    if (sonata_ir_is_task(call))
        return assign_result(s, step->variable, call);
    return true;
}

/* --- As the program runs --- */

static bool is_view(const sonata_ir_call *call)
{
    static const char *const names[] = {"tensor.slice", "tensor.view",
                                        "tensor.reshape", "tensor.transpose"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sonata_text_is(call->callee, names[i]))
            return true;
    return false;
}

static void take_from(storage *s, uint32_t variable, uint32_t from)
{
    bool known = from != SONATA_IR_NONE;
    s->keys[variable] = known ? s->keys[from] : (sonata_text){0};
    s->parts[variable] = known && s->parts[from];
    s->results[variable] = known ? s->results[from] : (outputs){0};
}

/* What its argument was when the call ran. */
static void take_view(storage *s, uint32_t variable, const sonata_ir_call *call)
{
    s->keys[variable] =
        call->args == 0 ? (sonata_text){0} : s->facts[call->first_arg].key;
    s->parts[variable] = true;
    s->results[variable] = (outputs){0};
}

/* Whether some written argument is a part: the result may be that one. */
static bool writes_part(const storage *s, const sonata_ir_call *call)
{
    const sonata_ir *ir = s->roots->ir;
    for (uint32_t i = 0; i < call->args && i < call->directions; i++)
        if (sonata_writes(sonata_direction_of(
                ir->directions[call->first_direction + i])) &&
            s->facts[call->first_arg + i].is_part)
            return true;
    return false;
}

static bool run_assignment(storage *s, const sonata_ir_root *root,
                           const sonata_ir_step *step)
{
    const sonata_ir *ir = s->roots->ir;
    if (step->kind == SONATA_IR_ASSIGN_OTHER) {
        take_from(s, step->variable, step->tuple);
        return true;
    }
    bool is_call = step->kind == SONATA_IR_ASSIGN_CALL;
    const sonata_ir_call *call = is_call ? &ir->calls[step->call] : NULL;
    if (is_call && is_view(call)) {
        take_view(s, step->variable, call);
        return true;
    }
    s->keys[step->variable] = (sonata_text){0};
    s->parts[step->variable] =
        is_call ? sonata_ir_is_task(call) && writes_part(s, call)
                : s->parts[step->tuple];
    if (is_call) {
        s->results[step->variable] = (outputs){0};
        return assign(s, root, step);
    }
    assign_element(s, step);
    s->results[step->variable] = (outputs){0};
    return true;
}

static void run_call(storage *s, const sonata_ir_call *call)
{
    for (uint32_t i = call->first_arg; i < call->first_arg + call->args; i++) {
        uint32_t variable = s->roots->ir->args[i].variable;
        if (variable != SONATA_IR_NONE && s->keys[variable].text != NULL)
            s->facts[i] =
                (sonata_storage_fact){s->keys[variable], s->parts[variable]};
    }
}

static bool run_step(storage *s, const sonata_ir_root *root,
                     const sonata_ir_step *step)
{
    if (step->kind == SONATA_IR_VISIT_CALL)
        run_call(s, &s->roots->ir->calls[step->call]);
    return step->kind == SONATA_IR_VISIT_CALL ||
           step->kind == SONATA_IR_VISIT_NODE || run_assignment(s, root, step);
}

static bool walk_root(storage *s, const sonata_ir_root *root)
{
    const sonata_ir *ir = s->roots->ir;
    bool ok = true;
    sonata_table_free(&s->names); /* @2 counts anew in each root */
    for (uint32_t i = 0; i < root->params && ok; i++)
        ok = name_variable(s, root, SONATA_TEXT("param:"),
                           ir->params[root->first_param + i].variable);
    for (uint32_t i = 0; i < root->steps && ok; i++)
        ok = s->facts == NULL
                 ? assign(s, root, &ir->steps[root->first_step + i])
                 : run_step(s, root, &ir->steps[root->first_step + i]);
    return ok;
}

static bool walk_roots(storage *s)
{
    size_t variables = s->roots->ir->variable_count;
    s->keys = sonata_arena_array(s->arena, variables, sizeof *s->keys);
    s->results = calloc(variables + 1, sizeof *s->results);
    bool ok = s->keys != NULL && s->results != NULL;
    for (size_t i = 0; i < s->roots->count && ok; i++)
        ok = walk_root(s, s->roots->items[i]);
    sonata_table_free(&s->names);
    free(s->results);
    free(s->written);
    free(s->used);
    return ok;
}

sonata_status sonata_storage_keys(sonata_text **keys, sonata_arena *arena,
                                  const sonata_roots *roots,
                                  sonata_error *error)
{
    storage s = {.roots = roots, .arena = arena};
    bool ok = walk_roots(&s);
    *keys = s.keys;
    return ok ? SONATA_OK : sonata_fail_memory(error);
}

sonata_status sonata_storage_facts(sonata_storage_fact **facts,
                                   sonata_arena *arena,
                                   const sonata_roots *roots,
                                   sonata_error *error)
{
    storage s = {.roots = roots, .arena = arena};
    s.parts = calloc(roots->ir->variable_count + 1, sizeof *s.parts);
    s.facts =
        sonata_arena_array(arena, roots->ir->arg_count + 1, sizeof *s.facts);
    bool ok = s.parts != NULL && s.facts != NULL && walk_roots(&s);
    free(s.parts);
    *facts = s.facts;
    return ok ? SONATA_OK : sonata_fail_memory(error);
}
