/*
 * Runs the body of a generated orchestration function, statement by statement,
 * over what matters here: which tensor a name means, which task a TaskId
 * means, what is in an argument list when it is submitted. Known forms are
 * taken from generated code; a statement of another form leaves the name that
 * it assigns unknown.
 */
#include "cpp_machine.h"

#include <string.h>

/* The value that a name of this kind has. */
static cpp_value as_kind(cpp_value value, cpp_kind kind)
{
    if (value.kind == kind)
        return value;
    return (cpp_value){.kind = kind,
                       .value =
                           kind == CPP_TASK_ID ? CPP_UNSURE : FRONTEND_NONE};
}

static cpp_value evaluate(cpp_machine *m, uint32_t at, uint32_t end,
                          cpp_kind kind)
{
    return as_kind(cpp_evaluate(m, at, end), kind);
}

static frontend_status declare_tensor(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    if (cpp_is(t, at, "&"))
        at++;
    cpp_value value = {.kind = CPP_TENSOR, .value = FRONTEND_NONE};
    uint32_t first = at + 2;
    if (cpp_is(t, at + 1, "=") && cpp_is(t, first, "orch_args") &&
        cpp_is(t, first + 2, "tensor")) {
        frontend_text name = cpp_text(t, at);
        if (cpp_begins(t, at, "ext_")) {
            name.data += 4;
            name.length -= 4;
        }
        frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
        if (status == FRONTEND_OK)
            status = frontend_add_root(m->outline, name, true, &value.value);
        if (status != FRONTEND_OK)
            return status;
    } else if (cpp_is(t, at + 1, "=")) {
        value = evaluate(m, first, end, CPP_TENSOR);
    }
    return cpp_bind(m, at, value);
}

/* Its size is in the tokens [size, end). */
static frontend_status declare_array(cpp_machine *m, uint32_t at, uint32_t size,
                                     uint32_t end)
{
    cpp_value count = cpp_evaluate(m, size, end);
    cpp_value value;
    frontend_status status =
        cpp_array_new(m, count.kind == CPP_NUMBER ? count.number : -1, &value);
    return status == FRONTEND_OK ? cpp_bind(m, at, value) : status;
}

static frontend_status declare_task_id(cpp_machine *m, uint32_t at,
                                       uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = {.kind = CPP_TASK_ID, .value = FRONTEND_NONE};
    if (cpp_is(t, at + 1, "["))
        return declare_array(m, at, at + 2, m->behind[at + 1] - 1);
    if (cpp_is(t, at + 1, "="))
        value = evaluate(m, at + 2, end, CPP_TASK_ID);
    return cpp_bind(m, at, value);
}

/* Of the submit in token `at`; empty: it is of another name, or a dummy. */
static frontend_text submit_core(const cpp_tokens *t, uint32_t at)
{
    static const char *const names[][2] = {{"rt_submit_aic_task", "aic"},
                                           {"rt_submit_aiv_task", "aiv"},
                                           {"rt_submit_task", "mixed"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cpp_is(t, at, names[i][0]))
            return frontend_string(names[i][1]);
    return (frontend_text){"", 0};
}

/* `[TaskOutputTensors NAME =] rt_submit_..._task(..., PARAMS)`. */
static frontend_status submit(cpp_machine *m, uint32_t at, uint32_t end,
                              cpp_value *result)
{
    const cpp_tokens *t = m->tokens;
    *result = (cpp_value){.kind = CPP_OUTPUTS, .value = m->outline->task_count};
    cpp_value params = {.kind = CPP_OTHER};
    if (end > at + 2 && cpp_is(t, end - 1, ")"))
        params = cpp_lookup(m, end - 2);
    if (params.kind != CPP_PARAMS)
        return frontend_stop(m->outline, FRONTEND_BAD,
                             "a submit of an unknown form in line %u",
                             (unsigned)t->items[at].line);
    bool dummy = cpp_is(t, at, "rt_submit_dummy_task");
    frontend_status status = cpp_params_submit(m, params.value, dummy, at);
    if (status == FRONTEND_OK)
        m->outline->tasks[m->outline->task_count - 1].core = submit_core(t, at);
    return status;
}

static frontend_status declare_outputs(cpp_machine *m, uint32_t at,
                                       uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = {.kind = CPP_OTHER};
    frontend_status status = FRONTEND_OK;
    if (cpp_is(t, at + 2, "alloc_tensors"))
        status = cpp_alloc(m, at + 3, end, &value);
    else if (cpp_begins(t, at + 2, "rt_submit"))
        status = submit(m, at + 2, end, &value);
    return status == FRONTEND_OK ? cpp_bind(m, at, value) : status;
}

/* `NAME = X`, also `NAME += X` and the like, which leave it unknown. */
static frontend_status assign(cpp_machine *m, uint32_t at, uint32_t equals,
                              uint32_t end)
{
    cpp_value value = {.kind = CPP_OTHER};
    cpp_kind kind = cpp_lookup(m, at).kind;
    if (equals == at + 1)
        value = cpp_evaluate(m, equals + 1, end);
    if (kind == CPP_TENSOR || kind == CPP_TASK_ID)
        value = as_kind(value, kind);
    return cpp_rebind(m, at, value);
}

/* `NAME += X`, `NAME -= X`; other operators leave it unknown. */
static frontend_status assign_sum(cpp_machine *m, uint32_t at, uint32_t end)
{
    cpp_value old = cpp_lookup(m, at);
    cpp_value by = cpp_evaluate(m, at + 3, end);
    cpp_value value = {.kind = CPP_NUMBER};
    bool known = old.kind == CPP_NUMBER && by.kind == CPP_NUMBER;
    if (cpp_is(m->tokens, at + 1, "+"))
        known = known &&
                !__builtin_add_overflow(old.number, by.number, &value.number);
    else
        known = known && cpp_is(m->tokens, at + 1, "-") &&
                !__builtin_sub_overflow(old.number, by.number, &value.number);
    return known ? cpp_rebind(m, at, value) : assign(m, at, at + 2, end);
}

/* `NAME++`, `++NAME`, also with minus. */
static frontend_status count(cpp_machine *m, uint32_t at, bool up)
{
    cpp_value value = cpp_lookup(m, at);
    if (value.kind != CPP_NUMBER || value.number == INT64_MAX ||
        value.number == INT64_MIN)
        return cpp_rebind(m, at, (cpp_value){.kind = CPP_OTHER});
    value.number += up ? 1 : -1;
    return cpp_rebind(m, at, value);
}

static bool is_twice(const cpp_tokens *t, uint32_t at, const char *sign)
{
    return cpp_is(t, at, sign) && cpp_is(t, at + 1, sign);
}

/* `NAME[COUNT++] = TASK` and `NAME[3] = TASK`. */
static frontend_status assign_element(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value array = cpp_lookup(m, at);
    uint32_t equals = m->behind[at + 1];
    if (array.kind != CPP_ARRAY)
        return FRONTEND_OK;
    bool counts = is_twice(t, at + 3, "+") && equals == at + 6;
    cpp_value index = cpp_evaluate(m, at + 2, counts ? at + 3 : equals - 1);
    if (index.kind != CPP_NUMBER || !cpp_is(t, equals, "="))
        cpp_array_spoil(m, array.value);
    else {
        cpp_value task = cpp_evaluate(m, equals + 1, end);
        frontend_status status =
            cpp_array_set(m, array.value, index.number, task);
        if (status != FRONTEND_OK)
            return status;
    }
    return counts ? count(m, at + 2, true) : FRONTEND_OK;
}

static frontend_status set_blocks(cpp_machine *m, uint32_t params, uint32_t at,
                                  uint32_t end)
{
    cpp_value blocks = cpp_evaluate(m, at, end);
    cpp_params_at(m, params)->blocks =
        blocks.kind == CPP_NUMBER && blocks.number > 0 ? blocks.number : 0;
    return FRONTEND_OK;
}

/* `ARRAY, COUNT`, the array perhaps with `.data()`. */
static frontend_status set_deps(cpp_machine *m, uint32_t params, uint32_t at,
                                uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value array = cpp_lookup(m, at);
    uint32_t comma = at + 1;
    if (cpp_is(t, comma, ".") && cpp_is(t, comma + 1, "data"))
        comma += 4;
    cpp_value size = cpp_evaluate(m, comma + 1, end);
    if (array.kind != CPP_ARRAY || size.kind != CPP_NUMBER || size.number < 0 ||
        !cpp_is(t, comma, ","))
        cpp_params_at(m, params)->deps_known = false;
    else
        cpp_params_deps(m, params, array.value, size.number);
    return FRONTEND_OK;
}

static const struct {
    const char *name;
    frontend_direction direction;
} ADDERS[] = {
    {"add_input", FRONTEND_INPUT},   {"add_output", FRONTEND_OUTPUT},
    {"add_inout", FRONTEND_INOUT},   {"add_no_dep", FRONTEND_NO_DEP},
    {"add_scalar", FRONTEND_SCALAR},
};

static frontend_status add(cpp_machine *m, uint32_t params, uint32_t at,
                           uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    frontend_arg arg = {.direction = FRONTEND_UNKNOWN, .root = FRONTEND_NONE};
    for (size_t i = 0; i < sizeof ADDERS / sizeof *ADDERS; i++)
        if (cpp_is(t, at, ADDERS[i].name))
            arg.direction = ADDERS[i].direction;
    if (arg.direction == FRONTEND_UNKNOWN)
        return frontend_stop(m->outline, FRONTEND_BAD,
                             "an argument of an unknown kind in line %u",
                             (unsigned)t->items[at].line);
    if (arg.direction != FRONTEND_SCALAR) {
        arg.root = evaluate(m, at + 2, end - 1, CPP_TENSOR).value;
    } else {
        cpp_value scalar = cpp_evaluate(m, at + 2, end - 1);
        arg.constant = scalar.kind == CPP_NUMBER;
        arg.value = scalar.number;
    }
    return cpp_params_add(m, params, arg);
}

/* `PARAMS.add_...(...)` and the other setters of an argument list. */
static frontend_status call_params(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    uint32_t params = cpp_lookup(m, at).value;
    if (cpp_begins(t, at + 2, "add_"))
        return add(m, params, at + 2, end);
    if (cpp_is(t, at + 2, "set_dependencies"))
        return set_deps(m, params, at + 4, end - 1);
    if (cpp_is(t, at + 2, "launch_spec") && cpp_is(t, at + 4, "set_block_num"))
        return set_blocks(m, params, at + 6, end - 1);
    if (cpp_is(t, at + 2, "set_predicate")) {
        cpp_value predicate = cpp_lookup(m, at + 4);
        cpp_params_at(m, params)->predicate = true;
        cpp_params_at(m, params)->predicate_root =
            predicate.kind == CPP_PREDICATE ? predicate.value : FRONTEND_NONE;
    }
    return FRONTEND_OK;
}

static bool is_number_type(const cpp_tokens *t, uint32_t at)
{
    return cpp_is(t, at, "int64_t") || cpp_is(t, at, "uint64_t") ||
           cpp_is(t, at, "int32_t") || cpp_is(t, at, "uint32_t") ||
           cpp_is(t, at, "int") || cpp_is(t, at, "bool");
}

static frontend_status declare(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = {.kind = CPP_OTHER};
    if (cpp_is(t, at, "ChipTensor"))
        return declare_tensor(m, at + 1, end);
    if (cpp_is(t, at, "PTO2TaskId"))
        return declare_task_id(m, at + 1, end);
    if (cpp_is(t, at, "TaskOutputTensors"))
        return declare_outputs(m, at + 1, end);
    if (cpp_is(t, at, "CoreTaskArgs")) {
        frontend_status status = cpp_params_new(m, &value);
        if (status != FRONTEND_OK)
            return status;
    } else if (cpp_is(t, at, "CoreTaskPredicate")) {
        value = (cpp_value){.kind = CPP_PREDICATE, .value = FRONTEND_NONE};
    } else if (is_number_type(t, at) && cpp_is(t, at + 2, "=")) {
        value = cpp_evaluate(m, at + 3, end);
    }
    return cpp_bind(m, at + 1, value);
}

/* `std::vector<PTO2TaskId> NAME(SIZE)`. */
static bool is_vector(const cpp_tokens *t, uint32_t at)
{
    return cpp_is(t, at, "std") && cpp_is(t, at + 3, "vector") &&
           cpp_is(t, at + 5, "PTO2TaskId") && cpp_is_name(t, at + 7) &&
           cpp_is(t, at + 8, "(");
}

/* What begins with a name and is no declaration. */
static frontend_status change(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = cpp_lookup(m, at);
    if (cpp_is(t, at + 1, "="))
        return assign(m, at, at + 1, end);
    if (cpp_is(t, at + 2, "="))
        return assign_sum(m, at, end);
    if (is_twice(t, at + 1, "+") || is_twice(t, at + 1, "-"))
        return count(m, at, cpp_is(t, at + 1, "+"));
    if (cpp_is(t, at + 1, "["))
        return assign_element(m, at, end);
    if (value.kind == CPP_PARAMS && cpp_is(t, at + 1, "."))
        return call_params(m, at, end);
    if (value.kind == CPP_PREDICATE && cpp_is(t, at + 4, "tensor") &&
        cpp_is(t, at + 5, "=")) {
        value.value = evaluate(m, at + 6, end, CPP_TENSOR).value;
        return cpp_rebind(m, at, value);
    }
    return FRONTEND_OK;
}

frontend_status cpp_statement(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value;
    while (at < end && (cpp_is(t, at, "const") || cpp_is(t, at, "static")))
        at++;
    if (at >= end)
        return FRONTEND_OK;
    if (is_twice(t, at, "+") || is_twice(t, at, "-"))
        return count(m, at + 2, cpp_is(t, at, "+"));
    if (!cpp_is_name(t, at))
        return FRONTEND_OK;
    if (cpp_begins(t, at, "rt_submit"))
        return submit(m, at, end, &value);
    if (is_vector(t, at))
        return declare_array(m, at + 7, at + 9, m->behind[at + 8] - 1);
    bool pair = cpp_is_name(t, at + 1) ||
                (cpp_is(t, at + 1, "&") && cpp_is_name(t, at + 2));
    return pair ? declare(m, at, end) : change(m, at, end);
}
