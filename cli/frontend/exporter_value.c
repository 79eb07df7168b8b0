/* Variables, numbers and TaskId arrays of the exporter's IR. */
#include <stdlib.h>
#include <string.h>

#include "exporter_machine.h"

bool exporter_is(const cJSON *object, const char *name, const char *value)
{
    return frontend_same(exporter_text(object, name), frontend_string(value));
}

frontend_status exporter_spend(exporter_machine *m, uint64_t steps)
{
    if (frontend_spend(m->outline, steps))
        return FRONTEND_OK;
    return frontend_stop(m->outline, FRONTEND_SKIPPED, "it is too large");
}

exporter_value exporter_make(exporter_kind kind, uint32_t a)
{
    return (exporter_value){kind, a, FRONTEND_NONE, 0, NULL, false};
}

exporter_value exporter_unknown(void)
{
    return exporter_make(EXPORTER_UNKNOWN, FRONTEND_NONE);
}

/* --- Variables --- */

static int compare_variables(const void *a, const void *b)
{
    const exporter_variable *left = a;
    const exporter_variable *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

void exporter_sort_variables(exporter_machine *m)
{
    if (m->variable_count > 0)
        qsort(m->variables, m->variable_count, sizeof *m->variables,
              compare_variables);
}

frontend_status exporter_declare(exporter_machine *m, const cJSON *var,
                                 exporter_value initial)
{
    const cJSON *id = exporter_get(var, "id");
    if (!cJSON_IsNumber(id))
        return frontend_stop(m->outline, FRONTEND_BAD,
                             "a variable without an id");
    if (!frontend_grow(&m->variables, &m->variable_room, m->variable_count,
                       sizeof *m->variables))
        return FRONTEND_NO_MEMORY;
    m->variables[m->variable_count++] =
        (exporter_variable){id->valuedouble, initial, false, FRONTEND_NONE};
    return FRONTEND_OK;
}

exporter_variable *exporter_variable_of(exporter_machine *m, const cJSON *var)
{
    const cJSON *id = exporter_get(var, "id");
    if (!cJSON_IsNumber(id) || m->variable_count == 0)
        return NULL;
    exporter_variable key = {.id = id->valuedouble};
    return bsearch(&key, m->variables, m->variable_count, sizeof key,
                   compare_variables);
}

/* --- Numbers --- */

static exporter_value know(int64_t n)
{
    exporter_value made = exporter_make(EXPORTER_NUMBER, FRONTEND_NONE);
    made.n = n;
    return made;
}

exporter_value exporter_number(const cJSON *number)
{
    if (!cJSON_IsNumber(number) || number->valuedouble > 9007199254740992.0 ||
        number->valuedouble < -9007199254740992.0)
        return exporter_unknown();
    return know((int64_t)number->valuedouble);
}

/* Towards minus infinity; the divisor is neither 0 nor -1. */
static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static exporter_value compare(const char *op, int64_t a, int64_t b)
{
    if (strcmp(op, "Eq") == 0)
        return know(a == b);
    if (strcmp(op, "Ne") == 0)
        return know(a != b);
    if (strcmp(op, "Lt") == 0)
        return know(a < b);
    if (strcmp(op, "Le") == 0)
        return know(a <= b);
    if (strcmp(op, "Gt") == 0)
        return know(a > b);
    if (strcmp(op, "Ge") == 0)
        return know(a >= b);
    return exporter_unknown();
}

static exporter_value calculate(const char *op, int64_t a, int64_t b)
{
    int64_t n;
    if (strcmp(op, "Add") == 0)
        return __builtin_add_overflow(a, b, &n) ? exporter_unknown() : know(n);
    if (strcmp(op, "Sub") == 0)
        return __builtin_sub_overflow(a, b, &n) ? exporter_unknown() : know(n);
    if (strcmp(op, "Mul") == 0)
        return __builtin_mul_overflow(a, b, &n) ? exporter_unknown() : know(n);
    if (strcmp(op, "Min") == 0)
        return know(a < b ? a : b);
    if (strcmp(op, "Max") == 0)
        return know(a > b ? a : b);
    bool divides = b != 0 && b != -1;
    if (strcmp(op, "FloorDiv") == 0)
        return divides ? know(floor_divide(a, b)) : exporter_unknown();
    if (strcmp(op, "FloorMod") == 0)
        return divides ? know(a - floor_divide(a, b) * b) : exporter_unknown();
    return compare(op, a, b);
}

/* And and Or may be decided by one side. */
static exporter_value combine(const char *op, exporter_value a,
                              exporter_value b)
{
    bool both = a.kind == EXPORTER_NUMBER && b.kind == EXPORTER_NUMBER;
    bool any = strcmp(op, "Or") == 0;
    if (!any && strcmp(op, "And") != 0)
        return both ? calculate(op, a.n, b.n) : exporter_unknown();
    if ((a.kind == EXPORTER_NUMBER && (a.n != 0) == any) ||
        (b.kind == EXPORTER_NUMBER && (b.n != 0) == any))
        return know(any);
    return both ? know(!any) : exporter_unknown();
}

static exporter_value read_leaf(exporter_machine *m, const cJSON *x)
{
    if (exporter_is(x, "k", "int"))
        return exporter_number(exporter_get(x, "v"));
    if (!exporter_is(x, "k", "var"))
        return exporter_unknown();
    const exporter_variable *found = exporter_variable_of(m, x);
    return found == NULL ? exporter_unknown() : found->value;
}

typedef struct pending {
    const cJSON *x;
    exporter_value left;
    int done; /* operands */
} pending;

exporter_value exporter_read(exporter_machine *m, const cJSON *x)
{
    pending stack[EXPORTER_DEPTH];
    uint32_t depth = 0;
    for (;;) {
        /* What it costs is noticed by the statement. */
        frontend_spend(m->outline, 1);
        while (exporter_is(x, "k", "cast"))
            x = exporter_get(x, "x");
        if (exporter_is(x, "k", "bin")) {
            if (depth == EXPORTER_DEPTH)
                return exporter_unknown();
            stack[depth++] = (pending){.x = x};
            x = exporter_get(x, "l");
            continue;
        }
        exporter_value value = read_leaf(m, x);
        while (depth > 0 && stack[depth - 1].done == 1) {
            depth--;
            frontend_text op = exporter_text(stack[depth].x, "op");
            value = op.length == 0 ? exporter_unknown()
                                   : combine(op.data, stack[depth].left, value);
        }
        if (depth == 0)
            return value;
        stack[depth - 1].left = value;
        stack[depth - 1].done = 1;
        x = exporter_get(stack[depth - 1].x, "r");
    }
}

/* --- TaskId arrays --- */

static frontend_status add_slot(exporter_machine *m, exporter_slot added)
{
    frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
    if (status != FRONTEND_OK)
        return status;
    if (!frontend_grow(&m->slots, &m->slot_room, m->slot_count,
                       sizeof *m->slots))
        return FRONTEND_NO_MEMORY;
    m->slots[m->slot_count++] = added;
    return FRONTEND_OK;
}

frontend_status exporter_update_slot(exporter_machine *m, const cJSON *args,
                                     exporter_value *out)
{
    const cJSON *second = args == NULL ? NULL : args->next;
    exporter_value array = exporter_read(m, args);
    exporter_value index = exporter_read(m, second);
    exporter_value id = exporter_read(m, second == NULL ? NULL : second->next);
    if (array.kind != EXPORTER_ARRAY || index.kind != EXPORTER_NUMBER ||
        index.n < 0 || index.n >= array.n)
        return FRONTEND_OK;
    *out = array;
    out->a = m->slot_count;
    uint32_t task = id.kind == EXPORTER_TASK_ID ? id.a : EXPORTER_UNSURE;
    return add_slot(m, (exporter_slot){array.a, (uint32_t)index.n, task});
}

frontend_status exporter_read_slot(exporter_machine *m, const cJSON *args,
                                   exporter_value *out)
{
    exporter_value array = exporter_read(m, args);
    exporter_value index = exporter_read(m, args == NULL ? NULL : args->next);
    *out = exporter_make(EXPORTER_TASK_ID, EXPORTER_UNSURE);
    if (array.kind != EXPORTER_ARRAY || index.kind != EXPORTER_NUMBER)
        return FRONTEND_OK;
    uint32_t at = array.a;
    while (at != FRONTEND_NONE && m->slots[at].index != index.n) {
        frontend_status status = exporter_spend(m, 1);
        if (status != FRONTEND_OK)
            return status;
        at = m->slots[at].before;
    }
    out->a = at == FRONTEND_NONE ? FRONTEND_NONE : m->slots[at].task;
    return FRONTEND_OK;
}

/* The task in each slot; the caller frees. */
static frontend_status list_slots(exporter_machine *m, exporter_value array,
                                  uint32_t **list)
{
    frontend_status status = exporter_spend(m, (uint64_t)array.n + 1);
    uint32_t *tasks = NULL;
    bool *seen = NULL;
    if (status == FRONTEND_OK) {
        tasks = malloc(((size_t)array.n + 1) * sizeof *tasks);
        seen = calloc((size_t)array.n + 1, sizeof *seen);
        if (tasks == NULL || seen == NULL)
            status = FRONTEND_NO_MEMORY;
    }
    for (int64_t i = 0; status == FRONTEND_OK && i < array.n; i++)
        tasks[i] = FRONTEND_NONE;
    uint32_t at = array.a;
    while (status == FRONTEND_OK && at != FRONTEND_NONE) {
        exporter_slot s = m->slots[at];
        if (!seen[s.index])
            tasks[s.index] = s.task;
        seen[s.index] = true;
        at = s.before;
        status = exporter_spend(m, 1);
    }
    free(seen);
    *list = tasks;
    if (status != FRONTEND_OK) {
        free(tasks);
        *list = NULL;
    }
    return status;
}

static frontend_status add_dep(exporter_machine *m, uint32_t task)
{
    if (task == FRONTEND_NONE)
        return FRONTEND_OK;
    if (task == EXPORTER_UNSURE) {
        m->outline->tasks[m->outline->task_count - 1].deps_known = false;
        return FRONTEND_OK;
    }
    frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
    return status == FRONTEND_OK ? frontend_add_dep(m->outline, task) : status;
}

frontend_status exporter_array_deps(exporter_machine *m, exporter_value array)
{
    uint32_t *tasks = NULL;
    frontend_status status = list_slots(m, array, &tasks);
    for (int64_t i = 0; status == FRONTEND_OK && i < array.n; i++)
        status = add_dep(m, tasks[i]);
    free(tasks);
    return status;
}

static frontend_status merge_arrays(exporter_machine *m, exporter_value a,
                                    exporter_value b, exporter_value *out)
{
    uint32_t *mine = NULL;
    uint32_t *theirs = NULL;
    frontend_status status = list_slots(m, a, &mine);
    if (status == FRONTEND_OK)
        status = list_slots(m, b, &theirs);
    *out = a;
    for (int64_t i = 0; status == FRONTEND_OK && i < a.n; i++) {
        if (mine[i] == theirs[i])
            continue;
        uint32_t before = out->a;
        out->a = m->slot_count;
        status =
            add_slot(m, (exporter_slot){before, (uint32_t)i, EXPORTER_UNSURE});
    }
    free(mine);
    free(theirs);
    return status;
}

frontend_status exporter_merge(exporter_machine *m, exporter_value a,
                               exporter_value b, exporter_value *out)
{
    if (a.kind == EXPORTER_ARRAY && b.kind == EXPORTER_ARRAY && a.n == b.n &&
        a.a != b.a)
        return merge_arrays(m, a, b, out);
    *out = a;
    if (a.task != b.task)
        out->task = EXPORTER_UNSURE;
    bool same = a.kind == b.kind && a.a == b.a && a.n == b.n;
    if (same)
        return FRONTEND_OK;
    if (a.kind == EXPORTER_TASK_ID && b.kind == a.kind)
        out->a = EXPORTER_UNSURE;
    else if (a.kind == EXPORTER_TENSOR && b.kind == a.kind)
        out->a = FRONTEND_NONE;
    else
        *out = exporter_unknown();
    return FRONTEND_OK;
}

/* --- What a loop carried --- */

static frontend_status add_past(exporter_machine *m, uint32_t *past,
                                uint32_t task)
{
    frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
    if (status != FRONTEND_OK)
        return status;
    if (!frontend_grow(&m->pasts, &m->past_room, m->past_count,
                       sizeof *m->pasts))
        return FRONTEND_NO_MEMORY;
    m->pasts[m->past_count] = (exporter_past){*past, task};
    *past = m->past_count++;
    return FRONTEND_OK;
}

frontend_status exporter_remember(exporter_machine *m, uint32_t *past,
                                  exporter_value value, const cJSON *source)
{
    const exporter_variable *from = exporter_variable_of(m, source);
    if (from == NULL || !from->carried) {
        uint32_t task = value.kind == EXPORTER_TASK_ID ? value.a : value.task;
        return task == FRONTEND_NONE ? FRONTEND_OK : add_past(m, past, task);
    }
    if (from->past == *past)
        return FRONTEND_OK;
    frontend_status status = FRONTEND_OK;
    for (uint32_t i = from->past; status == FRONTEND_OK && i != FRONTEND_NONE;
         i = m->pasts[i].before)
        status = add_past(m, past, m->pasts[i].task);
    return status;
}

frontend_status exporter_past_deps(exporter_machine *m, uint32_t past)
{
    frontend_status status = FRONTEND_OK;
    for (uint32_t i = past; status == FRONTEND_OK && i != FRONTEND_NONE;
         i = m->pasts[i].before)
        status = add_dep(m, m->pasts[i].task);
    return status;
}
