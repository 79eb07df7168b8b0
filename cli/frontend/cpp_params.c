/* Argument lists and what a submit makes of them. */
#include "cpp_machine.h"

static uint32_t region_now(const cpp_machine *m)
{
    return m->region_count == 0 ? 0 : m->regions[m->region_count - 1].id;
}

void cpp_params_deps(cpp_machine *m, uint32_t params, uint32_t array,
                     int64_t count)
{
    cpp_params *list = &m->params[params];
    list->array = array;
    list->array_count = count;
    list->deps_region = region_now(m);
}

frontend_status cpp_params_new(cpp_machine *m, cpp_value *value)
{
    if (!frontend_grow(&m->params, &m->params_room, m->params_count,
                       sizeof *m->params))
        return FRONTEND_NO_MEMORY;
    *value = (cpp_value){.kind = CPP_PARAMS, .value = m->params_count};
    m->params[m->params_count++] =
        (cpp_params){.head = FRONTEND_NONE,
                     .tail = FRONTEND_NONE,
                     .array = FRONTEND_NONE,
                     .region = region_now(m),
                     .deps_known = true,
                     .predicate_root = FRONTEND_NONE};
    return FRONTEND_OK;
}

cpp_params *cpp_params_at(cpp_machine *m, uint32_t params)
{
    return &m->params[params];
}

/* An argument of a list that is older than a scope outlives the scope. */
static void keep_entries(cpp_machine *m, uint32_t params)
{
    for (uint32_t i = m->mark_count; i > 0; i--) {
        if (m->marks[i - 1].params <= params)
            return;
        m->marks[i - 1].entries = FRONTEND_NONE;
    }
}

frontend_status cpp_params_add(cpp_machine *m, uint32_t params,
                               frontend_arg arg)
{
    frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
    if (status != FRONTEND_OK)
        return status;
    cpp_params *list = &m->params[params];
    if (list->region != region_now(m))
        return frontend_stop(m->outline, FRONTEND_SKIPPED,
                             "an argument is added in one branch only");
    if (!frontend_grow(&m->entries, &m->entry_room, m->entry_count,
                       sizeof *m->entries))
        return FRONTEND_NO_MEMORY;
    keep_entries(m, params);
    m->entries[m->entry_count] = (cpp_entry){arg, FRONTEND_NONE};
    if (list->tail == FRONTEND_NONE)
        list->head = m->entry_count;
    else
        m->entries[list->tail].next = m->entry_count;
    list->tail = m->entry_count++;
    return FRONTEND_OK;
}

static frontend_status copy_deps(cpp_machine *m, const cpp_params *list)
{
    frontend_outline *outline = m->outline;
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    task->deps_known = list->deps_known;
    if (list->array == FRONTEND_NONE)
        return FRONTEND_OK;
    const cpp_list *array = &m->arrays[list->array];
    bool here =
        list->deps_region == list->region || list->deps_region == region_now(m);
    bool known = list->deps_known && here && !array->spoiled;
    int64_t count = array->count;
    if (list->array_count < count)
        count = list->array_count;
    for (int64_t i = 0; i < count; i++) {
        frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
        if (status != FRONTEND_OK)
            return status;
        uint32_t dep = m->cells[array->first + (uint64_t)i].value.value;
        known = known && dep != CPP_UNSURE;
        if (dep == FRONTEND_NONE || dep == CPP_UNSURE)
            continue;
        status = frontend_add_dep(outline, dep);
        if (status != FRONTEND_OK)
            return status;
    }
    outline->tasks[outline->task_count - 1].deps_known = known;
    frontend_end_deps(outline);
    return FRONTEND_OK;
}

frontend_status cpp_params_submit(cpp_machine *m, uint32_t params, bool dummy,
                                  uint32_t site)
{
    const cpp_params *list = &m->params[params];
    frontend_outline *outline = m->outline;
    frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
    if (status == FRONTEND_OK)
        status = frontend_add_task(outline, (frontend_text){"", 0});
    if (status != FRONTEND_OK)
        return status;
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    task->dummy = dummy;
    task->line = m->tokens->items[site].line;
    task->site = site;
    task->blocks = list->blocks;
    task->predicate = list->predicate;
    task->predicate_root = list->predicate_root;
    for (uint32_t i = list->head; i != FRONTEND_NONE; i = m->entries[i].next) {
        status = cpp_spend(m, CPP_ELEMENT_STEPS);
        if (status == FRONTEND_OK)
            status = frontend_add_arg(outline, m->entries[i].arg);
        if (status != FRONTEND_OK)
            return status;
    }
    return copy_deps(m, list);
}
