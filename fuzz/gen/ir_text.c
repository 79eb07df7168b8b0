/* Programs as JSON. */
#include <string.h>

#include "ir.h"

static void put_text(fuzz_ir *p, uint32_t text)
{
    fuzz_string_n(&p->c->input, p->texts[text].data, p->texts[text].length);
}

/* The id of a variable: what names it in references. */
static void put_id(fuzz_ir *p, const char *key, uint32_t var)
{
    char id[12] = "v";
    size_t n = 1;
    uint32_t power = 1;
    while (var / power >= 10)
        power *= 10;
    for (; power > 0; power /= 10)
        id[n++] = (char)('0' + var / power % 10);
    fuzz_key(&p->c->input, key);
    fuzz_string_n(&p->c->input, id, n);
}

static void put_type(fuzz_ir *p, uint32_t var)
{
    static const char *const names[] = {"type", "type_", "tensor_type"};
    static const char *const shapes[] = {"shape", "shape_", "dims", "dims_"};
    fuzz_text *out = &p->c->input;
    fuzz_key(out, names[var % 3]);
    fuzz_open(out, '{');
    fuzz_key_string(out, "kind", "TensorType");
    fuzz_key(out, shapes[var % 4]);
    fuzz_open(out, '[');
    fuzz_int(out, 16 * (int64_t)(1 + var % 8));
    if (p->vars[var].static_shape)
        fuzz_raw(out, "{\"kind\": \"ConstInt\", \"value\": 64}");
    else
        fuzz_raw(out, "{\"kind\": \"Var\", \"name_hint\": \"n\"}");
    fuzz_close(out);
    fuzz_close(out);
}

static void put_var(fuzz_ir *p, uint32_t var)
{
    fuzz_text *out = &p->c->input;
    fuzz_ir_var *v = &p->vars[var];
    fuzz_open(out, '{');
    if (v->defined) {
        put_id(p, "ref", var);
        fuzz_close(out);
        return;
    }
    v->defined = true;
    fuzz_key_string(out, "kind", "Var");
    put_id(p, "id", var);
    fuzz_key(out, var % 5 == 4 ? "name" : "name_hint");
    put_text(p, v->name);
    if (v->param)
        put_type(p, var);
    fuzz_close(out);
}

/* --- Calls --- */

static void put_direction(fuzz_ir *p, const fuzz_arg *a)
{
    fuzz_text *out = &p->c->input;
    if (p->directions < 2) {
        fuzz_string(out, fuzz_ir_direction(a));
        return;
    }
    fuzz_open(out, '{');
    if (p->directions == 3)
        fuzz_key_string(out, "kind", "ArgDirection");
    if (p->directions == 4)
        fuzz_key_int(out, "value", 3);
    fuzz_key_string(out, "name", fuzz_ir_direction(a));
    fuzz_close(out);
}

static void put_directions(fuzz_ir *p, const fuzz_task *t)
{
    fuzz_text *out = &p->c->input;
    bool in_attrs = p->directions == 1;
    if (t->no_directions || (t->args == 0 && p->directions % 2 == 0))
        return;
    if (in_attrs && p->map_form) {
        fuzz_key(out, "attrs");
        fuzz_open(out, '{');
        fuzz_key(out, "map");
        fuzz_open(out, '[');
        fuzz_open(out, '[');
        fuzz_string(out, "arg_directions");
    } else if (in_attrs) {
        fuzz_key(out, "attrs");
        fuzz_open(out, '{');
        fuzz_key(out, "arg_directions");
    } else {
        fuzz_key(out, "arg_directions");
    }
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < t->args; i++)
        put_direction(p, &p->m->args[t->first_arg + i]);
    if (p->longer != FUZZ_NONE && t == &p->m->tasks[p->longer])
        fuzz_string(out, "Input");
    fuzz_close(out);
    for (uint32_t n = in_attrs ? (p->map_form ? 3 : 1) : 0; n > 0; n--)
        fuzz_close(out);
}

static void put_op(fuzz_ir *p, const char *name, uint32_t way)
{
    fuzz_text *out = &p->c->input;
    if (way % 3 == 0) {
        fuzz_key_string(out, "op", name);
    } else if (way % 3 == 1) {
        fuzz_key_string(out, "op_name", name);
    } else {
        fuzz_key(out, "op");
        fuzz_open(out, '{');
        fuzz_key_string(out, "kind", "Op");
        fuzz_key_string(out, "name", name);
        fuzz_close(out);
    }
}

/* A call whose argument is another one has no further one inside that. */
static void put_call(fuzz_ir *p, uint32_t task, bool nested)
{
    fuzz_text *out = &p->c->input;
    const fuzz_task *t = &p->m->tasks[task];
    fuzz_open(out, '{');
    fuzz_key_string(out, "kind", "Call");
    put_op(p, fuzz_ir_callee(t->func), t->func);
    fuzz_key(out, "args");
    fuzz_open(out, '[');
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        if (p->args[i].nested != FUZZ_NONE && !nested)
            put_call(p, p->args[i].nested, true);
        else if (p->args[i].var != FUZZ_NONE)
            put_var(p, p->args[i].var);
        else
            fuzz_raw(out, fuzz_ir_constant(&p->m->args[i]));
    }
    fuzz_close(out);
    put_directions(p, t);
    fuzz_close(out);
}

/* --- Statements --- */

static void put_value(fuzz_ir *p, const fuzz_ir_step *s)
{
    fuzz_text *out = &p->c->input;
    switch (s->op) {
    case FUZZ_IR_CREATE:
        fuzz_raw(out, "{\"kind\": \"Call\", \"op\": \"tensor.create\", "
                      "\"args\": [16, 64]}");
        break;
    case FUZZ_IR_ELEMENT:
        fuzz_open(out, '{');
        fuzz_key_string(out, "kind", "TupleGetItemExpr");
        fuzz_key(out, "tuple");
        put_var(p, s->from);
        fuzz_key_int(out, "index", s->index);
        fuzz_close(out);
        break;
    case FUZZ_IR_NAME:
        put_var(p, s->from);
        break;
    case FUZZ_IR_SLICE:
        fuzz_open(out, '{');
        fuzz_key_string(out, "kind", "Call");
        put_op(p, "tensor.slice", s->var);
        fuzz_key(out, "args");
        fuzz_open(out, '[');
        put_var(p, s->from);
        fuzz_raw(out, "[8, 8]");
        fuzz_raw(out, "[0, 8]");
        fuzz_close(out);
        fuzz_close(out);
        break;
    case FUZZ_IR_CALL:
    case FUZZ_IR_OTHER:
        put_call(p, s->task, false);
    }
}

static void put_step(fuzz_ir *p, const fuzz_ir_step *s)
{
    fuzz_text *out = &p->c->input;
    if (s->op == FUZZ_IR_OTHER) {
        fuzz_raw(out, s->text);
        return;
    }
    fuzz_open(out, '{');
    if (s->var == FUZZ_NONE) {
        fuzz_key_string(out, "kind", "EvalStmt");
        fuzz_key(out, "expr");
    } else {
        fuzz_key_string(out, "kind", "AssignStmt");
        fuzz_key(out, "var");
        put_var(p, s->var);
        fuzz_key(out, "value");
    }
    put_value(p, s);
    fuzz_close(out);
}

static void put_body(fuzz_ir *p, uint32_t root)
{
    static const char *const lists[] = {"stmts", "statements", "seq"};
    fuzz_text *out = &p->c->input;
    fuzz_key(out, "body");
    if (p->wraps) {
        fuzz_open(out, '{');
        fuzz_key_string(out, "kind", "SeqStmts");
        fuzz_key(out, lists[p->step_count % 3]);
    }
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->step_count; i++)
        if (p->steps[i].root == root)
            put_step(p, &p->steps[i]);
    fuzz_close(out);
    if (p->wraps)
        fuzz_close(out);
}

/* --- Functions --- */

static void put_function_type(fuzz_ir *p, const char *type)
{
    fuzz_text *out = &p->c->input;
    fuzz_key(out, "func_type");
    fuzz_open(out, '{');
    if (p->map_form)
        fuzz_key_string(out, "kind", "FunctionType");
    fuzz_key_string(out, "name", type);
    fuzz_close(out);
}

static void put_root(fuzz_ir *p, uint32_t root, const char *kind,
                     const char *type)
{
    fuzz_text *out = &p->c->input;
    const char *name = fuzz_ir_root_name(p, root);
    fuzz_open(out, '{');
    fuzz_key_string(out, "kind", kind);
    if (name != NULL)
        fuzz_key_string(out, "name", name);
    if (type != NULL)
        put_function_type(p, type);
    fuzz_key(out, "params");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->var_count; i++)
        if (p->vars[i].root == root && p->vars[i].param)
            put_var(p, i);
    fuzz_close(out);
    put_body(p, root);
    fuzz_close(out);
}

/* One of the functions of a program, behind its name. */
static void begin_function(fuzz_ir *p, const char *name)
{
    fuzz_text *out = &p->c->input;
    if (p->map_form) {
        fuzz_open(out, '[');
        fuzz_string(out, name);
    } else {
        fuzz_key(out, name);
    }
}

static void end_function(fuzz_ir *p)
{
    if (p->map_form)
        fuzz_close(&p->c->input);
}

static void put_kernel(fuzz_ir *p, uint32_t func)
{
    static const char *const types[] = {"AIC", "AIV", "Mixed"};
    fuzz_text *out = &p->c->input;
    begin_function(p, fuzz_ir_callee(func));
    fuzz_open(out, '{');
    fuzz_key_string(out, "kind", "Function");
    fuzz_key_string(out, "name", fuzz_ir_callee(func));
    put_function_type(p, func == p->group ? "Group" : types[func % 3]);
    fuzz_close(out);
    end_function(p);
}

/* An orchestration function that the entry leaves out. */
static void put_other_root(fuzz_ir *p)
{
    begin_function(p, "second");
    fuzz_raw(&p->c->input,
             "{\"kind\": \"Function\", \"name\": \"second\", \"func_type\": "
             "{\"name\": \"Orchestration\"}, \"params\": [], \"body\": "
             "[{\"kind\": \"EvalStmt\", \"expr\": {\"kind\": \"Call\", \"op\": "
             "\"other\", \"args\": []}}]}");
    end_function(p);
}

static void put_program(fuzz_ir *p)
{
    fuzz_text *out = &p->c->input;
    const char *type =
        p->function_type == NULL ? "Orchestration" : p->function_type;
    fuzz_open(out, '{');
    fuzz_key_string(out, "kind", p->root_kind);
    if (p->name != NULL)
        fuzz_key_string(out, "name", p->name);
    fuzz_key(out, "functions");
    fuzz_open(out, '{');
    if (p->map_form) {
        fuzz_key(out, "map");
        fuzz_open(out, '[');
    }
    for (uint32_t f = 0; f < p->m->funcs; f += 2)
        put_kernel(p, f);
    for (uint32_t r = 0; r < p->roots; r++) {
        begin_function(p, fuzz_ir_root_name(p, r));
        put_root(p, r, "Function", type);
        end_function(p);
    }
    if (p->form == FUZZ_IR_ENTRY && p->function_type == NULL)
        put_other_root(p);
    if (p->map_form)
        fuzz_close(out);
    fuzz_close(out);
    fuzz_close(out);
}

void fuzz_ir_write(fuzz_ir *p)
{
    if (p->form == FUZZ_IR_FUNCTION)
        put_root(p, 0, p->root_kind, p->function_type);
    else
        put_program(p);
}
