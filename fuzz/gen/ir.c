#include "ir.h"

#include <string.h>

#include "make.h"
#include "related.h"
#include "shapes.h"

/* --- Texts --- */

static uint32_t hash_of(const char *data, size_t length)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)data[i]) * 16777619u;
    return h;
}

uint32_t fuzz_ir_intern(fuzz_ir *p, const char *data, size_t length)
{
    uint32_t at = hash_of(data, length) & p->slot_mask;
    for (; p->slots[at] > 0; at = (at + 1) & p->slot_mask) {
        const fuzz_ir_text *t = &p->texts[p->slots[at] - 1];
        if (t->length == length && memcmp(t->data, data, length) == 0)
            return p->slots[at] - 1;
    }
    char *kept = fuzz_arena_get(p->arena, length + 1, 1);
    if (kept == NULL || p->text_count == p->text_room) {
        p->failed = true;
        return 0;
    }
    memcpy(kept, data, length);
    p->texts[p->text_count++] = (fuzz_ir_text){kept, length};
    p->slots[at] = p->text_count;
    return p->text_count - 1;
}

uint32_t fuzz_ir_join(fuzz_ir *p, const char *const *parts)
{
    char text[256];
    size_t at = 0;
    for (; *parts != NULL; parts++) {
        size_t length = strlen(*parts);
        if (length > sizeof text - at)
            length = sizeof text - at;
        memcpy(text + at, *parts, length);
        at += length;
    }
    return fuzz_ir_intern(p, text, at);
}

static void put_number(char *to, uint32_t n)
{
    char digits[10];
    size_t count = 0, at = 0;
    do {
        digits[count++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    while (count > 0)
        to[at++] = digits[--count];
    to[at] = '\0';
}

/* --- What things are called --- */

const char *fuzz_ir_callee(uint32_t func)
{
    static const char *const names[16] = {"matmul",     "kernel.add",
                                          "k2",         "norm",
                                          "softmax",    "k5",
                                          "tiles",      "rope",
                                          "kernel.mul", "k\xc3\xbc",
                                          "k 10",       "systems",
                                          "tensors.x",  "\xf0\x9f\x98\x80",
                                          "k\"14\\",    "arrays"};
    return names[func % 16];
}

const char *fuzz_ir_root_name(const fuzz_ir *p, uint32_t root)
{
    if (p->form == FUZZ_IR_FUNCTION)
        return p->name;
    return root == 0 ? "main" : "second";
}

const char *fuzz_ir_direction(const fuzz_arg *a)
{
    static const char *const tokens[FUZZ_MODES][4] = {
        [FUZZ_READS] = {"Input", "Input", "input", "In-put"},
        [FUZZ_WRITES] = {"Output", "OutputExisting", "output_existing",
                         "OUTPUT"},
        [FUZZ_UPDATES] = {"InOut", "InOut", "inout", "In-Out"},
        [FUZZ_SCALAR] = {"Scalar", "Scalar", "scalar", "SCALAR"},
        [FUZZ_NO_DEP] = {"NoDep", "NoDep", "no_dep", "NODEP"},
        [FUZZ_UNKNOWN] = {"Weights", "", "inputs", "\xc3\xafnput"},
    };
    return tokens[a->mode][a->token % 4];
}

static const struct {
    const char *json, *name;
} constants[] = {
    {"4", "int"},
    {"{\"kind\": \"ConstInt\", \"value\": 8}", "ConstInt"},
    {"{\"kind\": \"ConstFloat\", \"value\": 0.5}", "ConstFloat"},
    {"1.5", "float"},
    {"true", "bool"},
    {"null", "NoneType"},
    {"\"mode\"", "mode"},
    {"{\"kind\": \"Expr\", \"name\": \"n + 1\"}", "n + 1"},
    {"[1, 2]", "tuple"},
    {"{\"a\": 1}", "dict"},
    {"{\"kind\": \"Var\"}", "Var"},
    {"{\"kind\": \"Var\", \"name_hint\": \"\", \"name\": \"x\"}", ""},
    {"18446744073709551616", "int"},
    {"{\"map\": [[\"k\", 1]]}", "dict"},
};
#define CONSTANTS (sizeof constants / sizeof *constants)

static size_t constant_of(const fuzz_arg *a)
{
    return a->value % (a->value < 192 ? 4 : CONSTANTS);
}

const char *fuzz_ir_constant(const fuzz_arg *a)
{
    return constants[constant_of(a)].json;
}

const char *fuzz_ir_constant_name(const fuzz_arg *a)
{
    return constants[constant_of(a)].name;
}

/* --- From the model to a program --- */

uint32_t fuzz_ir_add_var(fuzz_ir *p, uint32_t root, uint32_t name)
{
    fuzz_ir_var *vars = fuzz_arena_grow(p->arena, p->vars, p->var_count,
                                        &p->var_room, sizeof *vars);
    if (vars == NULL) {
        p->failed = true;
        return 0;
    }
    p->vars = vars;
    vars[p->var_count] = (fuzz_ir_var){
        .name = name,
        .root = root,
        .buffer = FUZZ_NONE,
        .key = FUZZ_NONE,
        .call = FUZZ_NONE,
    };
    return p->var_count++;
}

fuzz_ir_step *fuzz_ir_add_step(fuzz_ir *p, fuzz_ir_op op, uint32_t root)
{
    static fuzz_ir_step none; /* written by nobody who looks at it */
    fuzz_ir_step *steps = fuzz_arena_grow(p->arena, p->steps, p->step_count,
                                          &p->step_room, sizeof *steps);
    if (steps == NULL) {
        p->failed = true;
        return &none;
    }
    p->steps = steps;
    steps[p->step_count] = (fuzz_ir_step){.op = op,
                                          .root = root,
                                          .task = FUZZ_NONE,
                                          .var = FUZZ_NONE,
                                          .from = FUZZ_NONE};
    return &steps[p->step_count++];
}

static uint32_t name_of(fuzz_ir *p, const char *prefix, uint32_t number)
{
    char digits[12];
    put_number(digits, number);
    const char *const parts[] = {p->renamed ? FUZZ_MARK : "", prefix, digits,
                                 NULL};
    return fuzz_ir_join(p, parts);
}

/* The variable of a buffer in a root, which is made where it is met first. */
static uint32_t var_of(fuzz_ir *p, uint32_t root, const fuzz_arg *a)
{
    static const char *const odd[] = {"x", "\xd0\xb6", "a.b", "q\"\\"};
    static const char *const plain[] = {"x", "y", "z", "w"};
    uint32_t *current = &p->current[root * p->m->buffer_count + a->buffer];
    if (*current != FUZZ_NONE)
        return *current;
    bool internal = p->m->buffers[a->buffer].internal;
    bool param = !internal || a->mode != FUZZ_WRITES;
    uint32_t name = name_of(p, "b", a->buffer);
    if (p->same_names) {
        const char *same = (p->plain ? plain : odd)[a->buffer % 4];
        name = fuzz_ir_intern(p, same, strlen(same));
    }
    uint32_t var = fuzz_ir_add_var(p, root, name);
    if (p->failed)
        return 0;
    p->vars[var].buffer = a->buffer;
    p->vars[var].param = param;
    p->vars[var].static_shape =
        param && !p->same_names && fuzz_chance(&p->random, 2, 3) && !p->bare;
    *current = var;
    if (!param)
        fuzz_ir_add_step(p, FUZZ_IR_CREATE, root)->var = var;
    return var;
}

static bool writes(const fuzz_arg *a)
{
    return a->mode == FUZZ_WRITES || a->mode == FUZZ_UPDATES;
}

/* Names for what a call gives back, which later arguments may be. */
static void add_results(fuzz_ir *p, uint32_t root, uint32_t task)
{
    const fuzz_task *t = &p->m->tasks[task];
    fuzz_ir_step *call = fuzz_ir_add_step(p, FUZZ_IR_CALL, root);
    call->task = task;
    uint64_t way = fuzz_below(&p->random, 4);
    if (way < 2 || p->failed)
        return;
    uint32_t result = fuzz_ir_add_var(p, root, name_of(p, "r", task));
    uint32_t index = 0;
    p->steps[p->step_count - 1].var = result;
    for (uint32_t i = 0; i < t->args && !p->failed; i++) {
        const fuzz_arg *a = &p->m->args[t->first_arg + i];
        if (!writes(a))
            continue;
        uint32_t *current = &p->current[root * p->m->buffer_count + a->buffer];
        if (way == 2 && index == 0 && fuzz_chance(&p->random, 1, 2))
            *current = result;
        if (way == 3 && fuzz_chance(&p->random, 2, 3)) {
            uint32_t part =
                fuzz_ir_add_var(p, root, name_of(p, "part", p->var_count));
            fuzz_ir_step *step = fuzz_ir_add_step(p, FUZZ_IR_ELEMENT, root);
            step->var = part;
            step->from = result;
            step->index = index;
            *current = part;
        }
        index++;
    }
    /* An element that is none, and nobody's argument. */
    if (way == 3 && fuzz_chance(&p->random, 1, 4) && !p->failed) {
        uint32_t none = fuzz_ir_add_var(p, root, name_of(p, "none", task));
        fuzz_ir_step *step = fuzz_ir_add_step(p, FUZZ_IR_ELEMENT, root);
        step->var = none;
        step->from = result;
        step->index = fuzz_chance(&p->random, 1, 2) ? -1 : 99;
    }
}

static void add_noise(fuzz_ir *p, uint32_t root)
{
    static const char *const texts[] = {
        "{\"kind\": \"EvalStmt\", \"expr\": {\"kind\": \"Call\", \"op\": "
        "\"system.sync\", \"args\": []}}",
        "{\"kind\": \"CommentStmt\", \"text\": \"nothing\"}",
        "{\"kind\": \"AssignStmt\", \"var\": {\"kind\": \"Var\", "
        "\"name_hint\": \"n\"}, \"value\": {\"kind\": \"ConstInt\", "
        "\"value\": 3}}",
        "{\"kind\": \"EvalStmt\", \"expr\": {\"kind\": \"Call\", "
        "\"op_name\": \"array.make\", \"args\": [1]}}"};
    if (fuzz_chance(&p->random, 1, 16))
        fuzz_ir_add_step(p, FUZZ_IR_OTHER, root)->text =
            texts[fuzz_below(&p->random, 4)];
}

static void add_task(fuzz_ir *p, uint32_t task)
{
    uint32_t root = task < p->split ? 0 : 1;
    const fuzz_task *t = &p->m->tasks[task];
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        const fuzz_arg *a = &p->m->args[i];
        p->args[i] = (fuzz_ir_arg){.var = FUZZ_NONE, .nested = FUZZ_NONE};
        if (a->buffer == FUZZ_NONE)
            continue;
        p->args[i].var = var_of(p, root, a);
        if (a->mode != FUZZ_SCALAR && !p->failed)
            p->vars[p->args[i].var].met = true;
    }
    bool drawn = task >= p->before && task < p->m->task_count - p->behind;
    if (!drawn) {
        fuzz_ir_add_step(p, FUZZ_IR_CALL, root)->task = task;
        return;
    }
    add_results(p, root, task);
    add_noise(p, root);
}

static bool start(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    uint32_t cells = FUZZ_ROOTS * m->buffer_count + 1, slots = 256;
    p->text_room = 4 * m->arg_count + 4 * m->task_count + 2 * cells + 64;
    while (slots < 2 * p->text_room)
        slots *= 2;
    p->slot_mask = slots - 1;
    p->slots = fuzz_arena_get(p->arena, slots, sizeof *p->slots);
    p->texts = fuzz_arena_get(p->arena, p->text_room, sizeof *p->texts);
    p->args = fuzz_arena_get(p->arena, m->arg_count + 1, sizeof *p->args);
    p->current = fuzz_arena_get(p->arena, cells, sizeof *p->current);
    if (p->slots == NULL || p->texts == NULL || p->args == NULL ||
        p->current == NULL)
        return false;
    for (uint32_t i = 0; i < cells; i++)
        p->current[i] = FUZZ_NONE;
    return true;
}

static void draw_form(fuzz_ir *p)
{
    static const char *const policies[] = {NULL, "dataflow_v0", "dataflow_v0",
                                           "sequential_v0", "mixed"};
    uint64_t form = fuzz_below(&p->random, 16);
    p->form = form < 8    ? FUZZ_IR_FUNCTION
              : form < 12 ? FUZZ_IR_PROGRAM
              : form < 15 ? FUZZ_IR_TWO_ROOTS
                          : FUZZ_IR_ENTRY;
    p->roots = p->form == FUZZ_IR_TWO_ROOTS ? 2 : 1;
    p->split = p->m->task_count;
    uint32_t drawn = p->m->task_count - p->before - p->behind;
    if (p->roots == 2)
        p->split = p->before + (uint32_t)fuzz_below(&p->random, drawn + 1);
    p->entry = p->form == FUZZ_IR_ENTRY ? "main" : NULL;
    p->name = fuzz_chance(&p->random, 1, 8) ? NULL : "prog";
    p->root_kind = p->form == FUZZ_IR_FUNCTION ? "Function" : "Program";
    p->policy = policies[fuzz_below(&p->random, 5)];
    if (!fuzz_has_directions(p->m) && p->policy != NULL &&
        strcmp(p->policy, "mixed") == 0)
        p->policy = NULL;
    p->hoists = fuzz_chance(&p->random, 1, 2);
    p->same_names = fuzz_chance(&p->random, 1, 6);
    p->wraps = fuzz_chance(&p->random, 1, 4);
    p->map_form = fuzz_chance(&p->random, 1, 2);
    p->directions = (uint8_t)fuzz_below(&p->random, 5);
    p->certified = fuzz_has_directions(p->m) && fuzz_chance(&p->random, 1, 4);
    p->group = p->longer = FUZZ_NONE;
}

/* Allocations first, as most programs have them. */
static void hoist(fuzz_ir *p)
{
    fuzz_ir_step *sorted =
        fuzz_arena_get(p->arena, p->step_count + 1, sizeof *sorted);
    uint32_t count = 0;
    if (sorted == NULL)
        return;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->step_count; i++)
            if ((p->steps[i].op == FUZZ_IR_CREATE) == (pass == 0))
                sorted[count++] = p->steps[i];
    memcpy(p->steps, sorted, count * sizeof *sorted);
}

static void put_sizes(fuzz_ir *p)
{
    fuzz_text *out = &p->c->options;
    fuzz_key(out, "sizes");
    fuzz_open(out, '{');
    for (uint32_t i = 0; i < p->var_count; i++) {
        const fuzz_ir_var *v = &p->vars[i];
        if (v->buffer == FUZZ_NONE || v->key == FUZZ_NONE)
            continue;
        fuzz_key(out, p->texts[v->key].data);
        fuzz_int(out, (int64_t)fuzz_log_size(&p->random, 1, 1 << 20));
    }
    fuzz_close(out);
}

static void draw_request(fuzz_ir *p)
{
    uint64_t way = fuzz_below(&p->random, 16);
    p->encodings = fuzz_chance(&p->random, 1, 8);
    p->emits_all = way >= 8 && p->c->fault == NULL;
    if (p->c->fault != NULL)
        return;
    if (way < 2)
        p->regions = way == 0 ? "whole_v0" : "per_region";
    if (way == 2 || way == 3)
        p->memory = "greedy_dag";
    p->sizes = way > 2 && way < 7;
    if (way == 7) {
        p->profile = "safe";
        p->policy = p->used_policy == NULL || p->fallback != NULL
                        ? "dataflow_v0"
                        : p->used_policy;
    }
}

static void put_options(fuzz_ir *p)
{
    fuzz_text *out = &p->c->options;
    fuzz_open(out, '{');
    if (p->certified)
        fuzz_key_int(out, "certified", 1);
    if (p->emits_all)
        fuzz_key_string(out, "emit", "graph,score,eligibility");
    if (p->encodings)
        fuzz_key_int(out, "encodings", 1);
    if (p->entry != NULL)
        fuzz_key_string(out, "entry", p->entry);
    if (p->memory != NULL)
        fuzz_key_string(out, "memory", p->memory);
    if (p->policy != NULL)
        fuzz_key_string(out, "policy", p->policy);
    if (p->profile != NULL)
        fuzz_key_string(out, "profile", p->profile);
    if (p->regions != NULL)
        fuzz_key_string(out, "regions", p->regions);
    if (p->sizes)
        put_sizes(p);
    fuzz_close(out);
}

/* A parameter that is only passed as a scalar may count or not. */
static void expect_limits(fuzz_ir *p)
{
    uint32_t sure = 0, all = 0;
    for (uint32_t i = 0; i < p->var_count; i++) {
        sure += p->vars[i].param && p->vars[i].met;
        all += p->vars[i].param;
    }
    fuzz_expect_limits(p->c, p->m, sure);
    if (p->c->fault == NULL && all > 256) {
        p->c->fault = "many-parameters";
        p->c->open = true;
    }
}

/* --- Related programs --- */

static bool needs(const fuzz_ir *p, const fuzz_ir_step *step, uint32_t var)
{
    if (step->var == var || step->from == var)
        return true;
    if (step->op != FUZZ_IR_CALL)
        return false;
    const fuzz_task *t = &p->m->tasks[step->task];
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++)
        if (p->args[i].var == var)
            return true;
    return false;
}

/* An allocation changes places with a statement that does not need it. */
static fuzz_status permute(fuzz_ir *p, fuzz_random *random)
{
    if (p->step_count < 2)
        return FUZZ_NO_SUCH;
    uint32_t pairs = p->step_count - 1;
    uint32_t first = (uint32_t)fuzz_below(random, pairs);
    for (uint32_t i = 0; i < pairs; i++) {
        fuzz_ir_step *a = &p->steps[(first + i) % pairs], *b = a + 1;
        bool create = a->op == FUZZ_IR_CREATE || b->op == FUZZ_IR_CREATE;
        if (!create || a->root != b->root ||
            needs(p, b, a->op == FUZZ_IR_CREATE ? a->var : FUZZ_NONE - 1) ||
            needs(p, a, b->op == FUZZ_IR_CREATE ? b->var : FUZZ_NONE - 1))
            continue;
        fuzz_ir_step step = *a;
        *a = *b;
        *b = step;
        return FUZZ_OK;
    }
    return FUZZ_NO_SUCH;
}

/* A variable that nobody needs: no task, and no place. */
static fuzz_status add_dead_local(fuzz_ir *p)
{
    uint32_t name = fuzz_ir_intern(p, "nobody", strlen("nobody"));
    uint32_t var = fuzz_ir_add_var(p, 0, name);
    fuzz_ir_step *step = fuzz_ir_add_step(p, FUZZ_IR_CREATE, 0);
    step->var = var;
    return p->failed ? FUZZ_NO_MEMORY : FUZZ_OK;
}

static fuzz_status relate(fuzz_ir *p, fuzz_map *map, fuzz_relation relation)
{
    fuzz_random r = fuzz_random_of(&p->c->name, FUZZ_FOR_RELATION);
    if (p->c->fault != NULL || p->same_names)
        return FUZZ_NO_SUCH;
    if (relation == FUZZ_PERMUTE)
        return permute(p, &r);
    if (relation == FUZZ_DEAD_TASK)
        return add_dead_local(p);
    if (relation != FUZZ_RENAME)
        return FUZZ_NO_SUCH;
    map->mark = FUZZ_MARK;
    return FUZZ_OK;
}

static fuzz_status make(fuzz_ir *p, fuzz_map *map, fuzz_relation relation)
{
    fuzz_case *c = p->c;
    fuzz_model *m = p->m;
    fuzz_status status = FUZZ_OK;
    draw_form(p);
    p->renamed = relation == FUZZ_RENAME;
    if (!start(p))
        return FUZZ_NO_MEMORY;
    for (uint32_t t = 0; t < m->task_count && !p->failed; t++)
        add_task(p, t);
    if (p->hoists && p->step_count > 0)
        hoist(p);
    expect_limits(p);
    if (c->fault == NULL && fuzz_chance(&p->random, 1, 3))
        for (int tries = 0; tries < 3 && !fuzz_ir_break(p); tries++)
            continue;
    if (relation < FUZZ_RELATIONS)
        status = relate(p, map, relation);
    if (p->failed || m->failed)
        return FUZZ_NO_MEMORY;
    if (status != FUZZ_OK)
        return status;
    c->ask = "ir";
    c->tasks = m->task_count;
    c->input.layout = (fuzz_layout)fuzz_below(&p->random, 3);
    fuzz_ir_write(p);
    fuzz_ir_break_text(p);
    fuzz_ir_resolve(p);
    draw_request(p);
    put_options(p);
    c->expected.layout = FUZZ_COMPACT;
    if (!p->refused)
        fuzz_ir_expect(p);
    return p->failed || m->failed ? FUZZ_NO_MEMORY : FUZZ_OK;
}

fuzz_status fuzz_make_ir(fuzz_case *c, const fuzz_limits *limits)
{
    return fuzz_make_ir_related(c, limits, NULL, FUZZ_RELATIONS);
}

fuzz_status fuzz_make_ir_related(fuzz_case *c, const fuzz_limits *limits,
                                 fuzz_map *map, fuzz_relation relation)
{
    fuzz_ir p = {.c = c,
                 .m = fuzz_model_start(c, limits),
                 .arena = c->work,
                 .random = fuzz_random_of(&c->name, FUZZ_FOR_FAULT)};
    if (p.m == NULL)
        return FUZZ_NO_MEMORY;
    const fuzz_shape *shape = fuzz_shape_draw(&p.m->shape);
    c->shape = shape->name;
    shape->draw(p.m, p.m->want);
    if (p.m->failed)
        return FUZZ_NO_MEMORY;
    fuzz_status status = FUZZ_OK;
    if (relation >= FUZZ_ABLATED)
        status = fuzz_ir_ablate(&p, (fuzz_ablation)(relation - FUZZ_ABLATED));
    return status == FUZZ_OK ? make(&p, map, relation) : status;
}
