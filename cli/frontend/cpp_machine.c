#include "cpp_machine.h"

#include <stdlib.h>
#include <string.h>

/* Steps that an element in memory costs; bounds memory by the step budget. */
#define ELEMENT_STEPS 16

frontend_status cpp_machine_init(cpp_machine *m, frontend_outline *outline,
                                 const cpp_tokens *tokens)
{
    memset(m, 0, sizeof *m);
    m->outline = outline;
    m->tokens = tokens;
    m->heads = malloc((tokens->name_count + (size_t)1) * sizeof *m->heads);
    if (m->heads == NULL)
        return FRONTEND_NO_MEMORY;
    for (uint32_t i = 0; i < tokens->name_count; i++)
        m->heads[i] = FRONTEND_NONE;
    return FRONTEND_OK;
}

void cpp_machine_free(cpp_machine *m)
{
    for (uint32_t i = 0; i < m->array_count; i++)
        free(m->arrays[i].tasks);
    free(m->heads);
    free(m->bindings);
    free(m->marks);
    free(m->arrays);
    free(m->allocs);
    free(m->params);
    free(m->entries);
    memset(m, 0, sizeof *m);
}

frontend_status cpp_open_scope(cpp_machine *m)
{
    if (!frontend_grow(&m->marks, &m->mark_room, m->mark_count,
                       sizeof *m->marks))
        return FRONTEND_NO_MEMORY;
    m->marks[m->mark_count++] = m->binding_count;
    return FRONTEND_OK;
}

bool cpp_close_scope(cpp_machine *m)
{
    if (m->mark_count == 0)
        return false;
    uint32_t mark = m->marks[--m->mark_count];
    while (m->binding_count > mark) {
        const cpp_binding *last = &m->bindings[--m->binding_count];
        m->heads[last->name] = last->previous;
    }
    return true;
}

static cpp_binding *find(const cpp_machine *m, uint32_t at)
{
    if (!cpp_is_name(m->tokens, at))
        return NULL;
    uint32_t head = m->heads[m->tokens->items[at].name];
    return head == FRONTEND_NONE ? NULL : &m->bindings[head];
}

cpp_value cpp_lookup(const cpp_machine *m, uint32_t at)
{
    const cpp_binding *binding = find(m, at);
    return binding == NULL ? (cpp_value){CPP_OTHER, 0} : binding->value;
}

frontend_status cpp_bind(cpp_machine *m, uint32_t at, cpp_value value)
{
    if (!cpp_is_name(m->tokens, at))
        return FRONTEND_OK;
    if (!frontend_grow(&m->bindings, &m->binding_room, m->binding_count,
                       sizeof *m->bindings))
        return FRONTEND_NO_MEMORY;
    uint32_t name = m->tokens->items[at].name;
    m->bindings[m->binding_count] = (cpp_binding){value, name, m->heads[name]};
    m->heads[name] = m->binding_count++;
    return FRONTEND_OK;
}

void cpp_rebind(cpp_machine *m, uint32_t at, cpp_value value)
{
    cpp_binding *binding = find(m, at);
    if (binding != NULL)
        binding->value = value;
}

/* `(a_ci, b_ci, ...)`: one new tensor per name, called as the description. */
frontend_status cpp_alloc(cpp_machine *m, uint32_t open, uint32_t end,
                          cpp_value *value)
{
    if (!frontend_grow(&m->allocs, &m->alloc_room, m->alloc_count,
                       sizeof *m->allocs))
        return FRONTEND_NO_MEMORY;
    cpp_alloc_group group = {m->outline->root_count, 0};
    for (uint32_t i = open + 1; i < end; i++) {
        if (!cpp_is_name(m->tokens, i))
            continue;
        frontend_text name = cpp_text(m->tokens, i);
        if (name.length > 3 &&
            memcmp(name.data + name.length - 3, "_ci", 3) == 0)
            name.length -= 3;
        uint32_t root;
        frontend_status status =
            frontend_add_root(m->outline, name, false, &root);
        if (status != FRONTEND_OK)
            return status;
        group.count++;
    }
    *value = (cpp_value){CPP_ALLOC, m->alloc_count};
    m->allocs[m->alloc_count++] = group;
    return FRONTEND_OK;
}

cpp_value cpp_alloc_ref(const cpp_machine *m, uint32_t alloc, uint32_t index)
{
    const cpp_alloc_group *group = &m->allocs[alloc];
    return (cpp_value){CPP_TENSOR, index < group->count ? group->first + index
                                                        : FRONTEND_NONE};
}

frontend_status cpp_array_new(cpp_machine *m, cpp_value *value)
{
    if (!frontend_grow(&m->arrays, &m->array_room, m->array_count,
                       sizeof *m->arrays))
        return FRONTEND_NO_MEMORY;
    *value = (cpp_value){CPP_ARRAY, m->array_count};
    m->arrays[m->array_count++] = (cpp_list){NULL, 0, 0, false};
    return FRONTEND_OK;
}

cpp_value cpp_array_get(const cpp_machine *m, uint32_t array, uint32_t index)
{
    const cpp_list *list = &m->arrays[array];
    if (list->spoiled)
        return (cpp_value){CPP_OTHER, 0};
    return (cpp_value){CPP_TASK_ID, index < list->count ? list->tasks[index]
                                                        : FRONTEND_NONE};
}

frontend_status cpp_array_set(cpp_machine *m, uint32_t array, uint32_t index,
                              cpp_value value)
{
    cpp_list *list = &m->arrays[array];
    if (value.kind != CPP_TASK_ID) {
        list->spoiled = true;
        return FRONTEND_OK;
    }
    if (index >= list->count &&
        !frontend_spend(m->outline,
                        ((uint64_t)index - list->count + 1) * ELEMENT_STEPS))
        return frontend_stop(m->outline, FRONTEND_SKIPPED,
                             "its TaskId arrays are too large");
    while (list->count <= index) {
        if (!frontend_grow(&list->tasks, &list->room, list->count,
                           sizeof *list->tasks))
            return FRONTEND_NO_MEMORY;
        list->tasks[list->count++] = FRONTEND_NONE;
    }
    list->tasks[index] = value.value;
    return FRONTEND_OK;
}

frontend_status cpp_array_spoil(cpp_machine *m, uint32_t array)
{
    m->arrays[array].spoiled = true;
    return FRONTEND_OK;
}

frontend_status cpp_params_new(cpp_machine *m, cpp_value *value)
{
    if (!frontend_grow(&m->params, &m->params_room, m->params_count,
                       sizeof *m->params))
        return FRONTEND_NO_MEMORY;
    *value = (cpp_value){CPP_PARAMS, m->params_count};
    m->params[m->params_count++] =
        (cpp_params){.head = FRONTEND_NONE,
                     .tail = FRONTEND_NONE,
                     .array = FRONTEND_NONE,
                     .deps_known = true,
                     .predicate_root = FRONTEND_NONE};
    return FRONTEND_OK;
}

cpp_params *cpp_params_at(cpp_machine *m, uint32_t params)
{
    return &m->params[params];
}

frontend_status cpp_params_add(cpp_machine *m, uint32_t params,
                               frontend_arg arg)
{
    if (!frontend_grow(&m->entries, &m->entry_room, m->entry_count,
                       sizeof *m->entries))
        return FRONTEND_NO_MEMORY;
    m->entries[m->entry_count] = (cpp_entry){arg, FRONTEND_NONE};
    cpp_params *list = &m->params[params];
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
    task->deps_known = list->deps_known && !array->spoiled;
    uint32_t count =
        array->count < list->array_count ? array->count : list->array_count;
    for (uint32_t i = 0; i < count; i++) {
        if (!frontend_spend(outline, ELEMENT_STEPS))
            return frontend_stop(outline, FRONTEND_SKIPPED,
                                 "it has too many dependencies");
        if (array->tasks[i] == FRONTEND_NONE)
            continue;
        frontend_status status = frontend_add_dep(outline, array->tasks[i]);
        if (status != FRONTEND_OK)
            return status;
    }
    frontend_end_deps(outline);
    return FRONTEND_OK;
}

frontend_status cpp_params_submit(cpp_machine *m, uint32_t params, bool dummy,
                                  uint32_t line)
{
    const cpp_params *list = &m->params[params];
    frontend_outline *outline = m->outline;
    frontend_status status = frontend_add_task(outline, (frontend_text){"", 0});
    if (status != FRONTEND_OK)
        return status;
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    task->dummy = dummy;
    task->line = line;
    task->blocks = list->blocks;
    task->predicate = list->predicate;
    task->predicate_root = list->predicate_root;
    for (uint32_t i = list->head; i != FRONTEND_NONE; i = m->entries[i].next) {
        if (!frontend_spend(outline, ELEMENT_STEPS))
            return frontend_stop(outline, FRONTEND_SKIPPED,
                                 "it has too many arguments");
        status = frontend_add_arg(outline, m->entries[i].arg);
        if (status != FRONTEND_OK)
            return status;
    }
    return copy_deps(m, list);
}
