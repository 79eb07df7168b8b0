/* Tasks of the exporter's IR: arguments, dependencies, launch. */
#include <stdlib.h>
#include <string.h>

#include "exporter_machine.h"

exporter_value exporter_result(const exporter_machine *m, exporter_value call,
                               uint32_t i)
{
    const exporter_function *callee = call.callee;
    if (callee == NULL)
        return exporter_unknown();
    if (i >= callee->returns) {
        bool id = call.submitted && i == callee->returns;
        return id ? exporter_make(EXPORTER_TASK_ID, call.task)
                  : exporter_unknown();
    }
    exporter_value made = exporter_make(EXPORTER_TENSOR, FRONTEND_NONE);
    made.task = call.task;
    uint32_t param = m->file->returns[callee->first_return + i];
    const frontend_task *task = &m->outline->tasks[call.task];
    if (param != FRONTEND_NONE && param < task->args)
        made.a = m->outline->args[task->first_arg + param].root;
    return made;
}

static frontend_status add_dep(exporter_machine *m, uint32_t task)
{
    if (task == EXPORTER_UNSURE) {
        m->outline->tasks[m->outline->task_count - 1].deps_known = false;
        return FRONTEND_OK;
    }
    return task == FRONTEND_NONE ? FRONTEND_OK
                                 : frontend_add_dep(m->outline, task);
}

static frontend_status add_value_dep(exporter_machine *m, exporter_value dep)
{
    if (dep.kind == EXPORTER_ARRAY)
        return exporter_array_deps(m, dep);
    if (dep.kind == EXPORTER_TASK_ID)
        return add_dep(m, dep.a);
    return add_dep(m, dep.task == FRONTEND_NONE ? EXPORTER_UNSURE : dep.task);
}

/* `compiler`: what a loop carries means all its iterations so far. */
static frontend_status add_deps(exporter_machine *m, const cJSON *list,
                                bool compiler)
{
    const cJSON *item;
    frontend_status status = FRONTEND_OK;
    cJSON_ArrayForEach(item, list)
    {
        status = exporter_spend(m, 1);
        if (status != FRONTEND_OK)
            return status;
        if (cJSON_IsNull(item) || exporter_is(item, "k", "none"))
            continue;
        const exporter_variable *variable =
            compiler ? exporter_variable_of(m, item) : NULL;
        if (variable != NULL && variable->carried)
            status = exporter_past_deps(m, variable->past);
        else
            status = add_value_dep(m, exporter_read(m, item));
        if (status != FRONTEND_OK)
            return status;
    }
    return FRONTEND_OK;
}

static frontend_status add_all_deps(exporter_machine *m, const cJSON *call)
{
    const cJSON *attrs = exporter_get(call, "attrs");
    frontend_status status = add_deps(m, exporter_get(call, "deps"), false);
    if (status == FRONTEND_OK)
        status = add_deps(m, exporter_get(attrs, "manual_dep_edges"), false);
    if (status == FRONTEND_OK)
        status =
            add_deps(m, exporter_get(attrs, "compiler_manual_dep_edges"), true);
    frontend_end_deps(m->outline);
    return status;
}

frontend_status exporter_add_place(exporter_machine *m, const cJSON *call)
{
    if (call == NULL)
        return FRONTEND_OK;
    if (!frontend_grow(&m->places, &m->place_room, m->place_count,
                       sizeof *m->places))
        return FRONTEND_NO_MEMORY;
    m->places[m->place_count] = (exporter_place){call, m->place_count + 1};
    m->place_count++;
    return FRONTEND_OK;
}

static int compare_places(const void *a, const void *b)
{
    uintptr_t left = (uintptr_t)((const exporter_place *)a)->call;
    uintptr_t right = (uintptr_t)((const exporter_place *)b)->call;
    return (left > right) - (left < right);
}

void exporter_sort_places(exporter_machine *m)
{
    if (m->place_count > 0)
        qsort(m->places, m->place_count, sizeof *m->places, compare_places);
}

static uint32_t place_of(const exporter_machine *m, const cJSON *call)
{
    exporter_place key = {call, 0};
    const exporter_place *found = NULL;
    if (m->place_count > 0)
        found = bsearch(&key, m->places, m->place_count, sizeof key,
                        compare_places);
    return found == NULL ? 0 : found->order;
}

static frontend_status begin_task(exporter_machine *m, const cJSON *call,
                                  frontend_text name)
{
    frontend_outline *outline = m->outline;
    frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
    if (status == FRONTEND_OK)
        status = frontend_add_task(outline, name);
    if (status != FRONTEND_OK)
        return status;
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    task->site = place_of(m, call);
    return FRONTEND_OK;
}

static frontend_direction read_direction(const cJSON *item)
{
    static const struct {
        const char *name;
        frontend_direction direction;
    } names[] = {
        {"Input", FRONTEND_INPUT},
        {"Output", FRONTEND_OUTPUT},
        {"InOut", FRONTEND_INOUT},
        {"OutputExisting", FRONTEND_OUTPUT_EXISTING},
        {"NoDep", FRONTEND_NO_DEP},
        {"Scalar", FRONTEND_SCALAR},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cJSON_IsString(item) &&
            strcmp(item->valuestring, names[i].name) == 0)
            return names[i].direction;
    return FRONTEND_UNKNOWN;
}

static frontend_declared read_declared(const cJSON *param)
{
    static const struct {
        const char *name;
        frontend_declared declared;
    } names[] = {
        {"In", FRONTEND_DECLARED_IN},
        {"Out", FRONTEND_DECLARED_OUT},
        {"InOut", FRONTEND_DECLARED_INOUT},
    };
    frontend_text dir = exporter_text(param, "dir");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (frontend_same(dir, frontend_string(names[i].name)))
            return names[i].declared;
    return FRONTEND_DECLARED_NONE;
}

/* The first parameter of the callee, where the file has the function. */
static const cJSON *first_param(exporter_machine *m, const cJSON *call)
{
    const exporter_function *callee =
        exporter_find(m->file, exporter_text(call, "op"));
    const cJSON *params =
        callee == NULL ? NULL : exporter_get(callee->json, "params");
    return params == NULL ? NULL : params->child;
}

static frontend_status add_args(exporter_machine *m, const cJSON *call)
{
    const cJSON *param = first_param(m, call);
    const cJSON *directions =
        exporter_get(exporter_get(call, "attrs"), "arg_directions");
    const cJSON *direction = directions == NULL ? NULL : directions->child;
    const cJSON *item;
    cJSON_ArrayForEach(item, exporter_get(call, "args"))
    {
        exporter_value operand = exporter_read(m, item);
        frontend_arg arg = {.direction = read_direction(direction),
                            .declared = read_declared(param),
                            .root = FRONTEND_NONE};
        if (operand.kind == EXPORTER_TENSOR)
            arg.root = operand.a;
        arg.constant = operand.kind == EXPORTER_NUMBER;
        arg.value = operand.n;
        frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
        if (status == FRONTEND_OK)
            status = frontend_add_arg(m->outline, arg);
        if (status != FRONTEND_OK)
            return status;
        direction = direction == NULL ? NULL : direction->next;
        param = param == NULL ? NULL : param->next;
    }
    return FRONTEND_OK;
}

/* `tensor.read(t, [i]) OP int` or mirrored, the read perhaps in a cast. */
static void read_predicate(exporter_machine *m, const cJSON *predicate)
{
    frontend_task *task = &m->outline->tasks[m->outline->task_count - 1];
    task->predicate = predicate != NULL && !cJSON_IsNull(predicate);
    const cJSON *sides[] = {exporter_get(predicate, "l"),
                            exporter_get(predicate, "r")};
    for (int i = 0; i < 2; i++) {
        const cJSON *x = sides[i];
        while (frontend_same(exporter_text(x, "k"), frontend_string("cast")))
            x = exporter_get(x, "x");
        if (!frontend_same(exporter_text(x, "op"),
                           frontend_string("tensor.read")))
            continue;
        const cJSON *args = exporter_get(x, "args");
        exporter_value operand =
            exporter_read(m, args == NULL ? NULL : args->child);
        if (operand.kind == EXPORTER_TENSOR)
            task->predicate_root = operand.a;
    }
}

static void read_blocks(exporter_machine *m, const cJSON *call)
{
    const cJSON *written = exporter_get(call, "core_num");
    if (written == NULL)
        written = exporter_get(exporter_get(call, "attrs"), "core_num");
    exporter_value blocks = exporter_read(m, written);
    if (blocks.kind == EXPORTER_NUMBER && blocks.n > 0)
        m->outline->tasks[m->outline->task_count - 1].blocks = blocks.n;
}

static bool is_tuple(const cJSON *var)
{
    return frontend_same(exporter_text(exporter_get(var, "ty"), "t"),
                         frontend_string("tuple"));
}

/* A call of a function of the program; `var` (or NULL) gets its value. */
frontend_status exporter_task(exporter_machine *m, const cJSON *call,
                              const cJSON *var, bool submitted,
                              exporter_value *out)
{
    frontend_text name = exporter_text(call, "op");
    frontend_status status = begin_task(m, call, name);
    if (status == FRONTEND_OK)
        status = add_args(m, call);
    if (status == FRONTEND_OK)
        status = add_all_deps(m, call);
    if (status != FRONTEND_OK)
        return status;
    read_predicate(m, exporter_get(call, "predicate"));
    read_blocks(m, call);
    *out = exporter_make(EXPORTER_RESULTS, FRONTEND_NONE);
    out->task = m->outline->task_count - 1;
    out->callee = exporter_find(m->file, name);
    out->submitted = submitted;
    if (!submitted && !is_tuple(var)) {
        uint32_t task = out->task;
        *out = exporter_result(m, *out, 0);
        out->task = task;
    }
    return FRONTEND_OK;
}

/* A dummy that names dependencies of which none is valid submits nothing. */
frontend_status exporter_dummy(exporter_machine *m, const cJSON *call,
                               exporter_value *out)
{
    frontend_outline *outline = m->outline;
    frontend_status status = begin_task(m, call, (frontend_text){"", 0});
    if (status == FRONTEND_OK)
        status = add_all_deps(m, call);
    if (status != FRONTEND_OK)
        return status;
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    task->dummy = true;
    *out = exporter_make(EXPORTER_TASK_ID, outline->task_count - 1);
    const cJSON *attrs = exporter_get(call, "attrs");
    bool named =
        cJSON_GetArraySize(exporter_get(call, "deps")) > 0 ||
        cJSON_GetArraySize(exporter_get(attrs, "manual_dep_edges")) > 0;
    if (!named || task->deps > 0)
        return FRONTEND_OK;
    if (task->deps_known) {
        outline->task_count--;
        outline->cut = false;
        out->a = FRONTEND_NONE;
        return FRONTEND_OK;
    }
    task->optional = true;
    out->a = EXPORTER_UNSURE;
    return FRONTEND_OK;
}
