/*
 * Runs the body of a generated orchestration function, statement by statement,
 * over what matters here: which tensor a name means, which task a TaskId
 * means, what is in an argument list when it is submitted. Known forms are
 * taken from generated code; a statement of another form leaves the name that
 * it assigns unknown.
 */
#include "cpp_machine.h"

#include <string.h>

/* `orch_args.tensor(K).ref()`, a name, a name with methods that give a view. */
static cpp_value tensor_value(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value unknown = {CPP_TENSOR, FRONTEND_NONE};
    if (cpp_is(t, at, "&"))
        at++;
    cpp_value from = cpp_lookup(m, at);
    uint32_t index;
    if (cpp_is(t, at + 1, ".") && cpp_is(t, at + 2, "get_ref") &&
        from.kind == CPP_ALLOC && cpp_number(t, at + 4, &index) &&
        cpp_is(t, at + 5, ")"))
        return cpp_alloc_ref(m, from.value, index);
    if (from.kind != CPP_TENSOR)
        return unknown;
    at++;
    while (cpp_is(t, at, ".") && cpp_is_name(t, at + 1) &&
           cpp_is(t, at + 2, "(")) {
        bool view = cpp_is(t, at + 1, "view") || cpp_is(t, at + 1, "reshape") ||
                    cpp_is(t, at + 1, "transpose") || cpp_is(t, at + 1, "ref");
        if (!view)
            return unknown;
        at = cpp_behind(t, at + 2);
    }
    return at == end ? from : unknown;
}

/* `N.task_id()`, `PTO2TaskId::invalid()`, a name, a name with an index. */
static cpp_value task_value(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value unknown = {CPP_OTHER, 0};
    if (cpp_is(t, at, "PTO2TaskId") && cpp_is(t, at + 3, "invalid"))
        return end == at + 6 ? (cpp_value){CPP_TASK_ID, FRONTEND_NONE}
                             : unknown;
    cpp_value from = cpp_lookup(m, at);
    uint32_t index;
    if (from.kind == CPP_OUTPUTS && cpp_is(t, at + 2, "task_id"))
        return (cpp_value){CPP_TASK_ID, from.value};
    if (from.kind == CPP_ARRAY && cpp_is(t, at + 1, "[") &&
        cpp_number(t, at + 2, &index) && end == at + 4)
        return cpp_array_get(m, from.value, index);
    if (from.kind == CPP_TASK_ID && end == at + 1)
        return from;
    return unknown;
}

static frontend_status declare_tensor(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    if (cpp_is(t, at, "&"))
        at++;
    cpp_value value = {CPP_TENSOR, FRONTEND_NONE};
    uint32_t first = at + 2;
    if (cpp_is(t, at + 1, "=") && cpp_is(t, first, "orch_args") &&
        cpp_is(t, first + 2, "tensor")) {
        frontend_text name = cpp_text(t, at);
        if (cpp_begins(t, at, "ext_")) {
            name.data += 4;
            name.length -= 4;
        }
        frontend_status status =
            frontend_add_root(m->outline, name, true, &value.value);
        if (status != FRONTEND_OK)
            return status;
    } else if (cpp_is(t, at + 1, "=")) {
        value = tensor_value(m, first, end);
    }
    return cpp_bind(m, at, value);
}

static frontend_status declare_task_id(cpp_machine *m, uint32_t at,
                                       uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = {CPP_TASK_ID, FRONTEND_NONE};
    if (cpp_is(t, at + 1, "[")) {
        frontend_status status = cpp_array_new(m, &value);
        if (status != FRONTEND_OK)
            return status;
    } else if (cpp_is(t, at + 1, "=")) {
        value = task_value(m, at + 2, end);
    }
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
    *result = (cpp_value){CPP_OUTPUTS, m->outline->task_count};
    cpp_value params = {CPP_OTHER, 0};
    if (end > at + 2 && cpp_is(t, end - 1, ")"))
        params = cpp_lookup(m, end - 2);
    if (params.kind != CPP_PARAMS)
        return frontend_stop(m->outline, FRONTEND_BAD,
                             "a submit of an unknown form in line %u",
                             (unsigned)t->items[at].line);
    bool dummy = cpp_is(t, at, "rt_submit_dummy_task");
    frontend_status status =
        cpp_params_submit(m, params.value, dummy, t->items[at].line);
    if (status == FRONTEND_OK)
        m->outline->tasks[m->outline->task_count - 1].core = submit_core(t, at);
    return status;
}

static frontend_status declare_outputs(cpp_machine *m, uint32_t at,
                                       uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = {CPP_OTHER, 0};
    frontend_status status = FRONTEND_OK;
    if (cpp_is(t, at + 2, "alloc_tensors"))
        status = cpp_alloc(m, at + 3, end, &value);
    else if (cpp_begins(t, at + 2, "rt_submit"))
        status = submit(m, at + 2, end, &value);
    return status == FRONTEND_OK ? cpp_bind(m, at, value) : status;
}

static frontend_status assign(cpp_machine *m, uint32_t at, uint32_t end)
{
    cpp_value target = cpp_lookup(m, at);
    cpp_value value = {CPP_OTHER, 0};
    if (target.kind == CPP_TENSOR)
        value = tensor_value(m, at + 2, end);
    else
        value = task_value(m, at + 2, end);
    cpp_rebind(m, at, value);
    return FRONTEND_OK;
}

/* `NAME[COUNT++] = TASK` and `NAME[3] = TASK`. */
static frontend_status assign_element(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value array = cpp_lookup(m, at);
    if (array.kind != CPP_ARRAY)
        return FRONTEND_OK;
    uint32_t index;
    if (cpp_is(t, at + 3, "+") && cpp_is(t, at + 4, "+") &&
        cpp_is(t, at + 5, "]") && cpp_is(t, at + 6, "=")) {
        cpp_value counter = cpp_lookup(m, at + 2);
        if (counter.kind != CPP_COUNTER)
            return cpp_array_spoil(m, array.value);
        frontend_status status = cpp_array_set(m, array.value, counter.value,
                                               task_value(m, at + 7, end));
        counter.value++;
        cpp_rebind(m, at + 2, counter);
        return status;
    }
    if (cpp_number(t, at + 2, &index) && cpp_is(t, at + 3, "]") &&
        cpp_is(t, at + 4, "="))
        return cpp_array_set(m, array.value, index, task_value(m, at + 5, end));
    return cpp_array_spoil(m, array.value);
}

static frontend_status set_blocks(cpp_machine *m, uint32_t params, uint32_t at)
{
    uint32_t blocks;
    if (cpp_number(m->tokens, at, &blocks) && cpp_is(m->tokens, at + 1, ")"))
        cpp_params_at(m, params)->blocks = blocks;
    return FRONTEND_OK;
}

static frontend_status set_deps(cpp_machine *m, uint32_t params, uint32_t at)
{
    const cpp_tokens *t = m->tokens;
    cpp_value array = cpp_lookup(m, at);
    cpp_value count = cpp_lookup(m, at + 2);
    if (array.kind != CPP_ARRAY || count.kind != CPP_COUNTER ||
        !cpp_is(t, at + 1, ",") || !cpp_is(t, at + 3, ")")) {
        cpp_params_at(m, params)->deps_known = false;
        return FRONTEND_OK;
    }
    cpp_params_at(m, params)->array = array.value;
    cpp_params_at(m, params)->array_count = count.value;
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
    if (arg.direction != FRONTEND_SCALAR)
        arg.root = tensor_value(m, at + 2, end - 1).value;
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
        return set_deps(m, params, at + 4);
    if (cpp_is(t, at + 2, "launch_spec") && cpp_is(t, at + 4, "set_block_num"))
        return set_blocks(m, params, at + 6);
    if (cpp_is(t, at + 2, "set_predicate")) {
        cpp_value predicate = cpp_lookup(m, at + 4);
        cpp_params_at(m, params)->predicate = true;
        cpp_params_at(m, params)->predicate_root =
            predicate.kind == CPP_PREDICATE ? predicate.value : FRONTEND_NONE;
    }
    return FRONTEND_OK;
}

static frontend_status declare(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value = {CPP_OTHER, 0};
    uint32_t number;
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
        value = (cpp_value){CPP_PREDICATE, FRONTEND_NONE};
    } else if (cpp_is(t, at, "uint32_t") && cpp_is(t, at + 2, "=") &&
               cpp_number(t, at + 3, &number) && end == at + 4) {
        value = (cpp_value){CPP_COUNTER, number};
    }
    return cpp_bind(m, at + 1, value);
}

frontend_status cpp_statement(cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value value;
    while (at < end && (cpp_is(t, at, "const") || cpp_is(t, at, "static")))
        at++;
    if (!cpp_is_name(t, at) || at >= end)
        return FRONTEND_OK;
    if (cpp_begins(t, at, "rt_submit"))
        return submit(m, at, end, &value);
    bool pair = cpp_is_name(t, at + 1) ||
                (cpp_is(t, at + 1, "&") && cpp_is_name(t, at + 2));
    if (pair)
        return declare(m, at, end);
    if (cpp_is(t, at + 1, "="))
        return assign(m, at, end);
    if (cpp_is(t, at + 1, "["))
        return assign_element(m, at, end);
    value = cpp_lookup(m, at);
    if (value.kind == CPP_PARAMS && cpp_is(t, at + 1, "."))
        return call_params(m, at, end);
    if (value.kind == CPP_PREDICATE && cpp_is(t, at + 4, "tensor") &&
        cpp_is(t, at + 5, "="))
        cpp_rebind(
            m, at,
            (cpp_value){CPP_PREDICATE, tensor_value(m, at + 6, end).value});
    return FRONTEND_OK;
}
