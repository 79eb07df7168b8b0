/*
 * Runs a function of the exporter's IR over what matters here: which storage a
 * variable is, which task a TaskId means. Loops are run as often as they say,
 * branches as their conditions say. Where that is not known, both branches are
 * run, a loop is two iterations, and what may differ behind is not known.
 */
#include <stdlib.h>

#include "exporter_machine.h"

#define STATEMENT_STEPS 32 /* looking up its fields */

/* --- Expressions and statements --- */

static frontend_status create_tensor(exporter_machine *m, const cJSON *var,
                                     exporter_value *out)
{
    *out = exporter_make(EXPORTER_TENSOR, FRONTEND_NONE);
    frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
    if (status != FRONTEND_OK)
        return status;
    return frontend_add_root(m->outline, exporter_text(var, "n"), false,
                             &out->a);
}

static exporter_value create_array(exporter_machine *m, const cJSON *args)
{
    exporter_value made = exporter_make(EXPORTER_ARRAY, FRONTEND_NONE);
    exporter_value size = exporter_read(m, args);
    if (size.kind != EXPORTER_NUMBER || size.n < 0 || size.n > 1 << 20)
        return exporter_unknown();
    made.n = size.n;
    return made;
}

static frontend_status run_builtin(exporter_machine *m, const cJSON *call,
                                   const cJSON *var, exporter_value *out)
{
    static const char *const views[] = {"tensor.slice",    "tensor.reshape",
                                        "tensor.view",     "tensor.transpose",
                                        "tensor.assemble", "tensor.write"};
    frontend_text op = exporter_text(call, "op");
    const cJSON *list = exporter_get(call, "args");
    const cJSON *args = list == NULL ? NULL : list->child;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (frontend_same(op, frontend_string(views[i])))
            *out = exporter_read(m, args);
    if (frontend_same(op, frontend_string("tensor.create")))
        return create_tensor(m, var, out);
    if (frontend_same(op, frontend_string("array.create")))
        *out = create_array(m, args);
    if (frontend_same(op, frontend_string("array.update_element")))
        return exporter_update_slot(m, args, out);
    if (frontend_same(op, frontend_string("array.get_element")))
        return exporter_read_slot(m, args, out);
    if (frontend_same(op, frontend_string("system.task_invalid")))
        *out = exporter_make(EXPORTER_TASK_ID, FRONTEND_NONE);
    if (frontend_same(op, frontend_string("system.task_dummy")))
        return exporter_dummy(m, call, out);
    return FRONTEND_OK;
}

static frontend_status run_expression(exporter_machine *m, const cJSON *x,
                                      const cJSON *var, exporter_value *out)
{
    *out = exporter_unknown();
    frontend_text kind = exporter_text(x, "k");
    if (frontend_same(kind, frontend_string("submit")))
        return exporter_task(m, x, var, true, out);
    if (frontend_same(kind, frontend_string("call")))
        return cJSON_IsTrue(exporter_get(x, "user"))
                   ? exporter_task(m, x, var, false, out)
                   : run_builtin(m, x, var, out);
    if (frontend_same(kind, frontend_string("get"))) {
        exporter_value of = exporter_read(m, exporter_get(x, "of"));
        exporter_value index = exporter_number(exporter_get(x, "i"));
        if (of.kind == EXPORTER_RESULTS && index.kind == EXPORTER_NUMBER &&
            index.n >= 0 && index.n < UINT32_MAX)
            *out = exporter_result(m, of, (uint32_t)index.n);
        return FRONTEND_OK;
    }
    *out = exporter_read(m, x);
    return FRONTEND_OK;
}

static void run_return(exporter_machine *m, const cJSON *list)
{
    const cJSON *item = list == NULL ? NULL : list->child;
    if (m->results == NULL)
        return;
    for (uint32_t i = 0; i < m->function->returns; i++) {
        exporter_value returned =
            item == NULL ? exporter_unknown() : exporter_read(m, item);
        bool param = returned.kind == EXPORTER_TENSOR &&
                     returned.a < m->function->params;
        m->results[i] = param ? returned.a : FRONTEND_NONE;
        item = item == NULL ? NULL : item->next;
    }
}

/* --- Yields --- */

static frontend_status add_yield(exporter_machine *m, exporter_value value,
                                 const cJSON *source)
{
    frontend_status status = exporter_spend(m, 4);
    if (status != FRONTEND_OK)
        return status;
    if (!frontend_grow(&m->values, &m->value_room, m->value_count,
                       sizeof *m->values) ||
        !frontend_grow(&m->sources, &m->source_room, m->value_count,
                       sizeof *m->sources))
        return FRONTEND_NO_MEMORY;
    m->values[m->value_count] = value;
    m->sources[m->value_count++] = source;
    return FRONTEND_OK;
}

static frontend_status run_yield(exporter_machine *m, const cJSON *list)
{
    const cJSON *item;
    frontend_status status = FRONTEND_OK;
    cJSON_ArrayForEach(item, list)
    {
        if (status == FRONTEND_OK)
            status = add_yield(m, exporter_read(m, item), item);
    }
    return status;
}

/* Value i of those from `first` on; unknown when there are fewer. */
static exporter_value yielded(const exporter_machine *m, uint32_t first,
                              uint32_t i)
{
    return m->value_count - first > i ? m->values[first + i]
                                      : exporter_unknown();
}

static void set_variable(exporter_machine *m, const cJSON *var,
                         exporter_value value)
{
    exporter_variable *variable = exporter_variable_of(m, var);
    if (variable != NULL)
        variable->value = value;
}

/* --- Frames --- */

static frontend_status push(exporter_machine *m, exporter_frame_kind kind,
                            const cJSON *statement)
{
    if (m->depth == EXPORTER_DEPTH)
        return frontend_stop(m->outline, FRONTEND_SKIPPED,
                             "its statements nest too deeply");
    m->frames[m->depth++] = (exporter_frame){
        .kind = kind, .statement = statement, .yields = m->value_count};
    return FRONTEND_OK;
}

static frontend_status push_list(exporter_machine *m, const cJSON *first)
{
    frontend_status status = push(m, EXPORTER_LIST, NULL);
    if (status == FRONTEND_OK)
        m->frames[m->depth - 1].next = first;
    return status;
}

/* For what only some executions have. */
static frontend_status open_region(exporter_machine *m, const exporter_frame *f)
{
    if (f->known)
        return FRONTEND_OK;
    frontend_status status = exporter_spend(m, EXPORTER_ELEMENT_STEPS);
    return status == FRONTEND_OK ? frontend_open_region(m->outline) : status;
}

static void close_region(exporter_machine *m, const exporter_frame *f)
{
    if (!f->known)
        frontend_close_region(m->outline);
}

static uint64_t iterations(int64_t start, int64_t stop, int64_t step)
{
    if (step == 0 || (step > 0 ? start >= stop : start <= stop))
        return 0;
    uint64_t span = step > 0 ? (uint64_t)stop - (uint64_t)start
                             : (uint64_t)start - (uint64_t)stop;
    uint64_t by = step > 0 ? (uint64_t)step : (uint64_t)0 - (uint64_t)step;
    return (span - 1) / by + 1;
}

/* What the loop carries at its start, and as results if it never runs. */
static frontend_status carry_in(exporter_machine *m, const cJSON *loop,
                                bool known)
{
    const cJSON *carry;
    const cJSON *list = exporter_get(loop, "ret");
    const cJSON *result = list == NULL ? NULL : list->child;
    cJSON_ArrayForEach(carry, exporter_get(loop, "carry"))
    {
        exporter_value value = exporter_read(m, exporter_get(carry, "init"));
        frontend_status status = add_yield(m, value, NULL);
        if (status != FRONTEND_OK)
            return status;
        /* Nobody knows which iteration the first of the two is. */
        if (!known && value.kind == EXPORTER_NUMBER)
            value = exporter_unknown();
        const cJSON *vars[] = {carry, result};
        for (int i = 0; i < 2; i++) {
            exporter_variable *variable = exporter_variable_of(m, vars[i]);
            if (variable == NULL)
                continue;
            variable->value = value;
            variable->carried = true;
            variable->past = FRONTEND_NONE;
        }
        result = result == NULL ? NULL : result->next;
    }
    return FRONTEND_OK;
}

static void set_index(exporter_machine *m, const exporter_frame *f)
{
    exporter_value index = exporter_unknown();
    if (f->known) {
        index = exporter_make(EXPORTER_NUMBER, FRONTEND_NONE);
        index.n = f->at;
    }
    set_variable(m, exporter_get(f->statement, "v"), index);
}

/* Whether a loop of unknown length is being run, apart from the last frame. */
static bool within_unknown(const exporter_machine *m)
{
    for (uint32_t i = 0; i + 1 < m->depth; i++)
        if (m->frames[i].kind == EXPORTER_LOOP && !m->frames[i].known)
            return true;
    return false;
}

static frontend_status begin_loop(exporter_machine *m, const cJSON *loop)
{
    exporter_value start = exporter_read(m, exporter_get(loop, "start"));
    exporter_value stop = exporter_read(m, exporter_get(loop, "stop"));
    exporter_value step = exporter_read(m, exporter_get(loop, "step"));
    frontend_status status = push(m, EXPORTER_LOOP, loop);
    if (status != FRONTEND_OK)
        return status;
    exporter_frame *f = &m->frames[m->depth - 1];
    f->known = start.kind == EXPORTER_NUMBER && stop.kind == EXPORTER_NUMBER &&
               step.kind == EXPORTER_NUMBER && step.n != 0;
    f->at = start.n;
    f->step = step.n;
    f->left = f->known ? iterations(start.n, stop.n, step.n) : 2;
    if (m->outline->folds && f->left > 2 && within_unknown(m)) {
        f->known = false;
        f->left = 2;
    }
    f->next = f->left > 0 ? exporter_get(loop, "b") : NULL;
    set_index(m, f);
    status = open_region(m, f);
    return status == FRONTEND_OK ? carry_in(m, loop, f->known) : status;
}

/*
 * Behind an iteration: what it yielded is carried on. Of an open loop all
 * values are kept until its end, those before the first iteration first.
 */
static frontend_status carry_on(exporter_machine *m, const exporter_frame *f)
{
    const cJSON *carry;
    const cJSON *list = exporter_get(f->statement, "ret");
    const cJSON *result = list == NULL ? NULL : list->child;
    uint32_t count =
        (uint32_t)cJSON_GetArraySize(exporter_get(f->statement, "carry"));
    uint32_t first = f->yields + count * (f->known ? 1 : f->round);
    uint32_t i = 0;
    cJSON_ArrayForEach(carry, exporter_get(f->statement, "carry"))
    {
        exporter_value value = yielded(m, first, i);
        const cJSON *source =
            m->value_count - first > i ? m->sources[first + i] : NULL;
        exporter_variable *variable = exporter_variable_of(m, carry);
        exporter_variable *after = exporter_variable_of(m, result);
        if (variable != NULL) {
            frontend_status status =
                exporter_remember(m, &variable->past, value, source);
            if (status != FRONTEND_OK)
                return status;
            variable->value = value;
            if (after != NULL)
                after->past = variable->past;
        }
        if (after != NULL)
            after->value = value;
        result = result == NULL ? NULL : result->next;
        i++;
    }
    return FRONTEND_OK;
}

/* What is known behind a loop that runs never, once or more than once. */
static frontend_status close_open_loop(exporter_machine *m,
                                       const exporter_frame *f)
{
    const cJSON *result;
    uint32_t count =
        (uint32_t)cJSON_GetArraySize(exporter_get(f->statement, "carry"));
    uint32_t i = 0;
    cJSON_ArrayForEach(result, exporter_get(f->statement, "ret"))
    {
        exporter_value value = yielded(m, f->yields, i);
        for (uint32_t round = 1; round <= 2; round++) {
            frontend_status status = exporter_merge(
                m, value, yielded(m, f->yields + count * round, i), &value);
            if (status != FRONTEND_OK)
                return status;
        }
        set_variable(m, result, value);
        i++;
    }
    return FRONTEND_OK;
}

static frontend_status end_iteration(exporter_machine *m)
{
    exporter_frame *f = &m->frames[m->depth - 1];
    frontend_status status = FRONTEND_OK;
    if (f->left > 0) {
        f->round++;
        status = carry_on(m, f);
        f->left--;
    }
    if (status != FRONTEND_OK)
        return status;
    if (f->left == 0) {
        close_region(m, f);
        close_region(m, f);
        if (!f->known)
            status = close_open_loop(m, f);
        m->value_count = f->yields;
        m->depth--;
        return status;
    }
    if (f->known) {
        uint32_t count =
            (uint32_t)cJSON_GetArraySize(exporter_get(f->statement, "carry"));
        m->value_count = f->yields + count;
        f->at += f->step;
        set_index(m, f);
    }
    f->next = exporter_get(f->statement, "b");
    return open_region(m, f);
}

/* --- Branches --- */

static frontend_status begin_branch(exporter_machine *m, const cJSON *branch)
{
    exporter_value taken = exporter_read(m, exporter_get(branch, "cond"));
    frontend_status status = push(m, EXPORTER_BRANCH, branch);
    if (status != FRONTEND_OK)
        return status;
    exporter_frame *f = &m->frames[m->depth - 1];
    f->known = taken.kind == EXPORTER_NUMBER;
    f->next = exporter_get(branch, f->known && taken.n == 0 ? "else" : "then");
    return open_region(m, f);
}

static frontend_status end_branch(exporter_machine *m)
{
    exporter_frame *f = &m->frames[m->depth - 1];
    const cJSON *results = exporter_get(f->statement, "ret");
    uint32_t count = (uint32_t)cJSON_GetArraySize(results);
    f->round++;
    if (!f->known && f->round == 1) {
        f->next = exporter_get(f->statement, "else");
        close_region(m, f);
        return open_region(m, f);
    }
    const cJSON *result;
    uint32_t i = 0;
    cJSON_ArrayForEach(result, results)
    {
        exporter_value value = yielded(m, f->yields, i);
        if (!f->known) {
            frontend_status status = exporter_merge(
                m, value, yielded(m, f->yields + count, i), &value);
            if (status != FRONTEND_OK)
                return status;
        }
        set_variable(m, result, value);
        i++;
    }
    close_region(m, f);
    m->value_count = f->yields;
    m->depth--;
    return FRONTEND_OK;
}

/* --- Statements --- */

/* The variables that a statement defines. */
static frontend_status declare(exporter_machine *m, const cJSON *s)
{
    const cJSON *item;
    if (exporter_is(s, "s", "assign"))
        return exporter_declare(m, exporter_get(s, "v"), exporter_unknown());
    frontend_status status = FRONTEND_OK;
    bool loop = exporter_is(s, "s", "for");
    if (loop)
        status = exporter_declare(m, exporter_get(s, "v"), exporter_unknown());
    cJSON_ArrayForEach(item, exporter_get(s, "carry"))
    {
        if (status == FRONTEND_OK)
            status = exporter_declare(m, item, exporter_unknown());
    }
    cJSON_ArrayForEach(item, exporter_get(s, "ret"))
    {
        if (status == FRONTEND_OK)
            status = exporter_declare(m, item, exporter_unknown());
    }
    return status;
}

static frontend_status refuse(exporter_machine *m, const cJSON *s)
{
    char word[24];
    frontend_print(word, sizeof word, exporter_text(s, "s"));
    return frontend_stop(m->outline, FRONTEND_SKIPPED,
                         "it has control flow (%s)", word);
}

/* Statements that only hold others; false: it is none. */
static bool enter(exporter_machine *m, const cJSON *s, bool collect,
                  frontend_status *status)
{
    if (exporter_is(s, "s", "seq")) {
        const cJSON *list = exporter_get(s, "b");
        *status = push_list(m, list == NULL ? NULL : list->child);
        return true;
    }
    if (exporter_is(s, "s", "scope")) {
        *status = push_list(m, exporter_get(s, "b"));
        return true;
    }
    bool loop = exporter_is(s, "s", "for");
    if (!loop && !exporter_is(s, "s", "if"))
        return false;
    if (!collect) {
        *status = loop ? begin_loop(m, s) : begin_branch(m, s);
        return true;
    }
    *status = declare(m, s);
    if (*status == FRONTEND_OK && !loop)
        *status = push_list(m, exporter_get(s, "else"));
    if (*status == FRONTEND_OK)
        *status = push_list(m, exporter_get(s, loop ? "b" : "then"));
    return true;
}

/* `collect` only declares the variables, so that they can be sorted. */
static frontend_status run_statement(exporter_machine *m, const cJSON *s,
                                     bool collect)
{
    const cJSON *x = exporter_get(s, "x");
    const cJSON *var = exporter_get(s, "v");
    exporter_value result;
    frontend_status status;
    if (enter(m, s, collect, &status))
        return status;
    if (exporter_is(s, "s", "assign")) {
        if (collect) {
            status = declare(m, s);
            return status == FRONTEND_OK ? exporter_add_place(m, x) : status;
        }
        status = run_expression(m, x, var, &result);
        if (status == FRONTEND_OK)
            set_variable(m, var, result);
        return status;
    }
    if (exporter_is(s, "s", "eval"))
        return collect ? exporter_add_place(m, x)
                       : run_expression(m, x, NULL, &result);
    if (exporter_is(s, "s", "yield"))
        return collect ? FRONTEND_OK : run_yield(m, x);
    if (exporter_is(s, "s", "return")) {
        if (!collect)
            run_return(m, x);
        return FRONTEND_OK;
    }
    return refuse(m, s);
}

static frontend_status end_frame(exporter_machine *m)
{
    switch (m->frames[m->depth - 1].kind) {
    case EXPORTER_LOOP:
        return end_iteration(m);
    case EXPORTER_BRANCH:
        return end_branch(m);
    case EXPORTER_LIST:
        break;
    }
    m->depth--;
    return FRONTEND_OK;
}

static frontend_status run_body(exporter_machine *m, bool collect)
{
    frontend_status status = push_list(m, m->function->body);
    while (status == FRONTEND_OK && m->depth > 0 && !m->outline->cut) {
        exporter_frame *f = &m->frames[m->depth - 1];
        const cJSON *s = f->next;
        status = exporter_spend(m, s == NULL ? 1 : STATEMENT_STEPS);
        if (status != FRONTEND_OK)
            break;
        if (s == NULL) {
            status = end_frame(m);
            continue;
        }
        /* The body of a function, loop, scope is no list: it has no next. */
        f->next = s->string == NULL ? s->next : NULL;
        status = run_statement(m, s, collect);
    }
    return status;
}

static frontend_status declare_params(exporter_machine *m)
{
    const cJSON *param;
    cJSON_ArrayForEach(param, exporter_get(m->function->json, "params"))
    {
        exporter_value initial = exporter_make(EXPORTER_TENSOR, FRONTEND_NONE);
        frontend_status status = frontend_add_root(
            m->outline, exporter_text(param, "n"), true, &initial.a);
        if (status == FRONTEND_OK)
            status = exporter_declare(m, param, initial);
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
    exporter_machine m = {.outline = outline,
                          .file = file,
                          .function = function,
                          .results = results};
    for (uint32_t i = 0; results != NULL && i < function->returns; i++)
        results[i] = FRONTEND_NONE;
    frontend_status status = declare_params(&m);
    if (status == FRONTEND_OK)
        status = run_body(&m, true);
    if (status == FRONTEND_OK) {
        exporter_sort_variables(&m);
        exporter_sort_places(&m);
        status = run_body(&m, false);
    }
    free(m.variables);
    free(m.slots);
    free(m.pasts);
    free(m.values);
    free(m.sources);
    free(m.places);
    return status;
}
