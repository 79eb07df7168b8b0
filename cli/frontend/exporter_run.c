/*
 * Runs a function of the exporter's IR, straight-line, over what matters here:
 * which storage a variable is, which task a TaskId means.
 */
#include <stdlib.h>
#include <string.h>

#include "exporter.h"

#define DEPTH 64
#define ELEMENT_STEPS 16

typedef enum value_kind {
    VALUE_UNKNOWN,
    VALUE_TENSOR,  /* a: root, or FRONTEND_NONE */
    VALUE_NUMBER,  /* n */
    VALUE_TASK_ID, /* a: task, or FRONTEND_NONE when invalid */
    VALUE_ARRAY,   /* a: slots[], or FRONTEND_NONE when all are invalid */
    VALUE_RESULTS  /* of the call that is task `task` */
} value_kind;

typedef struct value {
    value_kind kind;
    uint32_t a;
    uint32_t task; /* that gave it, or FRONTEND_NONE */
    int64_t n;     /* number; size of an array */
    const exporter_function *callee;
    bool submitted; /* results are followed by the TaskId */
} value;

/* One written slot of a TaskId array and the array that it was written on. */
typedef struct slot {
    uint32_t before; /* slots[], or FRONTEND_NONE */
    uint32_t index;
    uint32_t task; /* or FRONTEND_NONE */
} slot;

typedef struct variable {
    double id;
    value value;
} variable;

typedef struct machine {
    frontend_outline *outline;
    const exporter_file *file;
    const exporter_function *function;
    uint32_t *results;
    variable *variables; /* by id */
    uint32_t variable_count, variable_room;
    slot *slots;
    uint32_t slot_count, slot_room;
    const cJSON *pending[DEPTH]; /* next statement on each level */
    uint32_t depth;
} machine;

static const value UNKNOWN = {VALUE_UNKNOWN, FRONTEND_NONE, FRONTEND_NONE, 0,
                              NULL,          false};

static value make(value_kind kind, uint32_t a)
{
    value made = UNKNOWN;
    made.kind = kind;
    made.a = a;
    return made;
}

/* --- Variables --- */

static int compare_variables(const void *a, const void *b)
{
    const variable *left = a;
    const variable *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static frontend_status declare(machine *m, const cJSON *var, value initial)
{
    const cJSON *id = exporter_get(var, "id");
    if (!cJSON_IsNumber(id))
        return frontend_stop(m->outline, FRONTEND_BAD,
                             "a variable without an id");
    if (!frontend_grow(&m->variables, &m->variable_room, m->variable_count,
                       sizeof *m->variables))
        return FRONTEND_NO_MEMORY;
    m->variables[m->variable_count++] = (variable){id->valuedouble, initial};
    return FRONTEND_OK;
}

static variable *find_variable(machine *m, const cJSON *var)
{
    const cJSON *id = exporter_get(var, "id");
    if (!cJSON_IsNumber(id) || m->variable_count == 0)
        return NULL;
    variable key = {.id = id->valuedouble};
    return bsearch(&key, m->variables, m->variable_count, sizeof key,
                   compare_variables);
}

/* --- Values --- */

static value number_value(const cJSON *number)
{
    if (!cJSON_IsNumber(number) || number->valuedouble > 9007199254740992.0 ||
        number->valuedouble < -9007199254740992.0)
        return UNKNOWN;
    value made = make(VALUE_NUMBER, FRONTEND_NONE);
    made.n = (int64_t)number->valuedouble;
    return made;
}

/* A variable or a constant, perhaps inside casts. */
static value read_operand(machine *m, const cJSON *x)
{
    for (;;) {
        frontend_text kind = exporter_text(x, "k");
        if (frontend_same(kind, frontend_string("cast"))) {
            x = exporter_get(x, "x");
            continue;
        }
        if (frontend_same(kind, frontend_string("int")))
            return number_value(exporter_get(x, "v"));
        if (!frontend_same(kind, frontend_string("var")))
            return UNKNOWN;
        const variable *found = find_variable(m, x);
        return found == NULL ? UNKNOWN : found->value;
    }
}

static value result_value(const machine *m, value call, uint32_t i)
{
    const exporter_function *callee = call.callee;
    if (callee == NULL)
        return UNKNOWN;
    if (i >= callee->returns) {
        bool id = call.submitted && i == callee->returns;
        return id ? make(VALUE_TASK_ID, call.task) : UNKNOWN;
    }
    value made = make(VALUE_TENSOR, FRONTEND_NONE);
    made.task = call.task;
    uint32_t param = m->file->returns[callee->first_return + i];
    const frontend_task *task = &m->outline->tasks[call.task];
    if (param != FRONTEND_NONE && param < task->args)
        made.a = m->outline->args[task->first_arg + param].root;
    return made;
}

/* --- TaskId arrays --- */

static frontend_status spend(machine *m, uint64_t steps)
{
    if (frontend_spend(m->outline, steps))
        return FRONTEND_OK;
    return frontend_stop(m->outline, FRONTEND_SKIPPED, "it is too large");
}

static frontend_status update_slot(machine *m, const cJSON *args, value *out)
{
    const cJSON *second = args == NULL ? NULL : args->next;
    value array = read_operand(m, args);
    value index = read_operand(m, second);
    value id = read_operand(m, second == NULL ? NULL : second->next);
    if (array.kind != VALUE_ARRAY || index.kind != VALUE_NUMBER ||
        id.kind != VALUE_TASK_ID || index.n < 0 || index.n >= array.n)
        return FRONTEND_OK;
    if (!frontend_grow(&m->slots, &m->slot_room, m->slot_count,
                       sizeof *m->slots))
        return FRONTEND_NO_MEMORY;
    *out = array;
    out->a = m->slot_count;
    m->slots[m->slot_count++] = (slot){array.a, (uint32_t)index.n, id.a};
    return FRONTEND_OK;
}

static frontend_status read_slot(machine *m, const cJSON *args, value *out)
{
    value array = read_operand(m, args);
    value index = read_operand(m, args == NULL ? NULL : args->next);
    if (array.kind != VALUE_ARRAY || index.kind != VALUE_NUMBER)
        return FRONTEND_OK;
    uint32_t at = array.a;
    while (at != FRONTEND_NONE && m->slots[at].index != index.n) {
        frontend_status status = spend(m, 1);
        if (status != FRONTEND_OK)
            return status;
        at = m->slots[at].before;
    }
    *out = make(VALUE_TASK_ID,
                at == FRONTEND_NONE ? FRONTEND_NONE : m->slots[at].task);
    return FRONTEND_OK;
}

/* Every valid slot of an array becomes a dependency of the last task. */
static frontend_status add_array(machine *m, value array)
{
    frontend_status status = spend(m, (uint64_t)array.n / 8 + 1);
    bool *seen = NULL;
    if (status == FRONTEND_OK) {
        seen = calloc((size_t)array.n + 1, sizeof *seen);
        status = seen == NULL ? FRONTEND_NO_MEMORY : FRONTEND_OK;
    }
    uint32_t at = array.a;
    while (status == FRONTEND_OK && at != FRONTEND_NONE) {
        slot s = m->slots[at];
        status = spend(m, ELEMENT_STEPS);
        if (status == FRONTEND_OK && !seen[s.index] && s.task != FRONTEND_NONE)
            status = frontend_add_dep(m->outline, s.task);
        seen[s.index] = true;
        at = s.before;
    }
    free(seen);
    return status;
}

/* --- Tasks --- */

static frontend_status add_deps(machine *m, const cJSON *list)
{
    const cJSON *item;
    frontend_status status = FRONTEND_OK;
    cJSON_ArrayForEach(item, list)
    {
        value dep = read_operand(m, item);
        bool none =
            cJSON_IsNull(item) ||
            frontend_same(exporter_text(item, "k"), frontend_string("none"));
        if (dep.kind == VALUE_ARRAY)
            status = add_array(m, dep);
        else if (dep.kind == VALUE_TASK_ID && dep.a != FRONTEND_NONE)
            status = frontend_add_dep(m->outline, dep.a);
        else if (dep.kind != VALUE_TASK_ID && dep.task != FRONTEND_NONE)
            status = frontend_add_dep(m->outline, dep.task);
        else if (dep.kind != VALUE_TASK_ID && !none)
            m->outline->tasks[m->outline->task_count - 1].deps_known = false;
        if (status != FRONTEND_OK)
            return status;
    }
    return FRONTEND_OK;
}

static frontend_status add_all_deps(machine *m, const cJSON *call)
{
    const cJSON *attrs = exporter_get(call, "attrs");
    frontend_status status = add_deps(m, exporter_get(call, "deps"));
    if (status == FRONTEND_OK)
        status = add_deps(m, exporter_get(attrs, "manual_dep_edges"));
    if (status == FRONTEND_OK)
        status = add_deps(m, exporter_get(attrs, "compiler_manual_dep_edges"));
    frontend_end_deps(m->outline);
    return status;
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
static const cJSON *first_param(machine *m, const cJSON *call)
{
    const exporter_function *callee =
        exporter_find(m->file, exporter_text(call, "op"));
    const cJSON *params =
        callee == NULL ? NULL : exporter_get(callee->json, "params");
    return params == NULL ? NULL : params->child;
}

static frontend_status add_args(machine *m, const cJSON *call)
{
    const cJSON *param = first_param(m, call);
    const cJSON *directions =
        exporter_get(exporter_get(call, "attrs"), "arg_directions");
    const cJSON *direction = directions == NULL ? NULL : directions->child;
    const cJSON *item;
    cJSON_ArrayForEach(item, exporter_get(call, "args"))
    {
        value operand = read_operand(m, item);
        frontend_arg arg = {.direction = read_direction(direction),
                            .declared = read_declared(param),
                            .root = FRONTEND_NONE};
        if (operand.kind == VALUE_TENSOR)
            arg.root = operand.a;
        arg.constant = operand.kind == VALUE_NUMBER;
        arg.value = operand.n;
        frontend_status status = frontend_add_arg(m->outline, arg);
        if (status != FRONTEND_OK)
            return status;
        direction = direction == NULL ? NULL : direction->next;
        param = param == NULL ? NULL : param->next;
    }
    return FRONTEND_OK;
}

/* `tensor.read(t, [i]) OP int` or mirrored, the read perhaps in a cast. */
static void read_predicate(machine *m, const cJSON *predicate)
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
        value operand = read_operand(m, args == NULL ? NULL : args->child);
        if (operand.kind == VALUE_TENSOR)
            task->predicate_root = operand.a;
    }
}

static void read_blocks(machine *m, const cJSON *call)
{
    const cJSON *written = exporter_get(call, "core_num");
    if (written == NULL)
        written = exporter_get(exporter_get(call, "attrs"), "core_num");
    value blocks = read_operand(m, written);
    if (blocks.kind == VALUE_NUMBER && blocks.n > 0)
        m->outline->tasks[m->outline->task_count - 1].blocks = blocks.n;
}

static bool is_tuple(const cJSON *var)
{
    return frontend_same(exporter_text(exporter_get(var, "ty"), "t"),
                         frontend_string("tuple"));
}

/* A call of a function of the program; `var` (or NULL) gets its value. */
static frontend_status run_task(machine *m, const cJSON *call, const cJSON *var,
                                bool submitted, value *out)
{
    frontend_text name = exporter_text(call, "op");
    frontend_status status = frontend_add_task(m->outline, name);
    if (status == FRONTEND_OK)
        status = add_args(m, call);
    if (status == FRONTEND_OK)
        status = add_all_deps(m, call);
    if (status != FRONTEND_OK)
        return status;
    read_predicate(m, exporter_get(call, "predicate"));
    read_blocks(m, call);
    *out = make(VALUE_RESULTS, FRONTEND_NONE);
    out->task = m->outline->task_count - 1;
    out->callee = exporter_find(m->file, name);
    out->submitted = submitted;
    if (!submitted && !is_tuple(var)) {
        uint32_t task = out->task;
        *out = result_value(m, *out, 0);
        out->task = task;
    }
    return FRONTEND_OK;
}

/* A dummy that names dependencies of which none is valid submits nothing. */
static frontend_status run_dummy(machine *m, const cJSON *call, value *out)
{
    frontend_outline *outline = m->outline;
    frontend_status status = frontend_add_task(outline, (frontend_text){"", 0});
    if (status == FRONTEND_OK)
        status = add_all_deps(m, call);
    if (status != FRONTEND_OK)
        return status;
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    task->dummy = true;
    *out = make(VALUE_TASK_ID, outline->task_count - 1);
    const cJSON *attrs = exporter_get(call, "attrs");
    bool named =
        cJSON_GetArraySize(exporter_get(call, "deps")) > 0 ||
        cJSON_GetArraySize(exporter_get(attrs, "manual_dep_edges")) > 0;
    if (named && task->deps_known && task->deps == 0) {
        outline->task_count--;
        out->a = FRONTEND_NONE;
    }
    return FRONTEND_OK;
}

/* --- Expressions and statements --- */

static frontend_status create_tensor(machine *m, const cJSON *var, value *out)
{
    *out = make(VALUE_TENSOR, FRONTEND_NONE);
    return frontend_add_root(m->outline, exporter_text(var, "n"), false,
                             &out->a);
}

static value create_array(machine *m, const cJSON *args)
{
    value made = make(VALUE_ARRAY, FRONTEND_NONE);
    value size = read_operand(m, args);
    if (size.kind != VALUE_NUMBER || size.n < 0 || size.n > 1 << 20)
        return UNKNOWN;
    made.n = size.n;
    return made;
}

static frontend_status run_builtin(machine *m, const cJSON *call,
                                   const cJSON *var, value *out)
{
    static const char *const views[] = {"tensor.slice",    "tensor.reshape",
                                        "tensor.view",     "tensor.transpose",
                                        "tensor.assemble", "tensor.write"};
    frontend_text op = exporter_text(call, "op");
    const cJSON *list = exporter_get(call, "args");
    const cJSON *args = list == NULL ? NULL : list->child;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (frontend_same(op, frontend_string(views[i])))
            *out = read_operand(m, args);
    if (frontend_same(op, frontend_string("tensor.create")))
        return create_tensor(m, var, out);
    if (frontend_same(op, frontend_string("array.create")))
        *out = create_array(m, args);
    if (frontend_same(op, frontend_string("array.update_element")))
        return update_slot(m, args, out);
    if (frontend_same(op, frontend_string("array.get_element")))
        return read_slot(m, args, out);
    if (frontend_same(op, frontend_string("system.task_invalid")))
        *out = make(VALUE_TASK_ID, FRONTEND_NONE);
    if (frontend_same(op, frontend_string("system.task_dummy")))
        return run_dummy(m, call, out);
    return FRONTEND_OK;
}

static frontend_status run_expression(machine *m, const cJSON *x,
                                      const cJSON *var, value *out)
{
    *out = UNKNOWN;
    frontend_text kind = exporter_text(x, "k");
    if (frontend_same(kind, frontend_string("submit")))
        return run_task(m, x, var, true, out);
    if (frontend_same(kind, frontend_string("call")))
        return cJSON_IsTrue(exporter_get(x, "user"))
                   ? run_task(m, x, var, false, out)
                   : run_builtin(m, x, var, out);
    if (frontend_same(kind, frontend_string("get"))) {
        value of = read_operand(m, exporter_get(x, "of"));
        value index = number_value(exporter_get(x, "i"));
        if (of.kind == VALUE_RESULTS && index.kind == VALUE_NUMBER &&
            index.n >= 0 && index.n < UINT32_MAX)
            *out = result_value(m, of, (uint32_t)index.n);
        return FRONTEND_OK;
    }
    *out = read_operand(m, x);
    return FRONTEND_OK;
}

static void run_return(machine *m, const cJSON *list)
{
    const cJSON *item = list == NULL ? NULL : list->child;
    if (m->results == NULL)
        return;
    for (uint32_t i = 0; i < m->function->returns; i++) {
        value returned = item == NULL ? UNKNOWN : read_operand(m, item);
        bool param =
            returned.kind == VALUE_TENSOR && returned.a < m->function->params;
        m->results[i] = param ? returned.a : FRONTEND_NONE;
        item = item == NULL ? NULL : item->next;
    }
}

static frontend_status push(machine *m, const cJSON *first)
{
    if (m->depth == DEPTH)
        return frontend_stop(m->outline, FRONTEND_SKIPPED,
                             "its statements nest too deeply");
    m->pending[m->depth++] = first;
    return FRONTEND_OK;
}

/* `collect` only declares the variables, so that they can be sorted. */
static frontend_status run_statement(machine *m, const cJSON *s, bool collect)
{
    frontend_text kind = exporter_text(s, "s");
    const cJSON *x = exporter_get(s, "x");
    const cJSON *var = exporter_get(s, "v");
    value result;
    if (frontend_same(kind, frontend_string("seq"))) {
        const cJSON *list = exporter_get(s, "b");
        return push(m, list == NULL ? NULL : list->child);
    }
    if (frontend_same(kind, frontend_string("assign"))) {
        if (collect)
            return declare(m, var, UNKNOWN);
        frontend_status status = run_expression(m, x, var, &result);
        variable *target = find_variable(m, var);
        if (status == FRONTEND_OK && target != NULL)
            target->value = result;
        return status;
    }
    if (frontend_same(kind, frontend_string("eval")))
        return collect ? FRONTEND_OK : run_expression(m, x, NULL, &result);
    if (frontend_same(kind, frontend_string("return"))) {
        if (!collect)
            run_return(m, x);
        return FRONTEND_OK;
    }
    char word[24];
    frontend_print(word, sizeof word, kind);
    return frontend_stop(m->outline, FRONTEND_SKIPPED,
                         "it has control flow (%s)", word);
}

static frontend_status run_body(machine *m, bool collect)
{
    frontend_status status = push(m, m->function->body);
    while (status == FRONTEND_OK && m->depth > 0) {
        const cJSON *s = m->pending[m->depth - 1];
        if (s == NULL) {
            m->depth--;
            continue;
        }
        /* The body of a function and of a scope is no list: it has no next. */
        m->pending[m->depth - 1] = s->string == NULL ? s->next : NULL;
        if (frontend_same(exporter_text(s, "s"), frontend_string("scope")))
            status = push(m, exporter_get(s, "b"));
        else
            status = run_statement(m, s, collect);
    }
    return status;
}

static frontend_status declare_params(machine *m)
{
    const cJSON *param;
    cJSON_ArrayForEach(param, exporter_get(m->function->json, "params"))
    {
        value initial = make(VALUE_TENSOR, FRONTEND_NONE);
        frontend_status status = frontend_add_root(
            m->outline, exporter_text(param, "n"), true, &initial.a);
        if (status == FRONTEND_OK)
            status = declare(m, param, initial);
        if (status != FRONTEND_OK)
            return status;
    }
    return FRONTEND_OK;
}

frontend_status exporter_run(frontend_outline *outline,
                             const exporter_file *file,
                             const exporter_function *function,
                             uint32_t *results)
{
    machine m = {.outline = outline,
                 .file = file,
                 .function = function,
                 .results = results};
    for (uint32_t i = 0; results != NULL && i < function->returns; i++)
        results[i] = FRONTEND_NONE;
    frontend_status status = declare_params(&m);
    if (status == FRONTEND_OK)
        status = run_body(&m, true);
    if (status == FRONTEND_OK) {
        if (m.variable_count > 0)
            qsort(m.variables, m.variable_count, sizeof *m.variables,
                  compare_variables);
        status = run_body(&m, false);
    }
    free(m.variables);
    free(m.slots);
    return status;
}
