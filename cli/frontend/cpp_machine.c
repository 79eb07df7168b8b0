#include "cpp_machine.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_LIMIT (1 << 20)

/* By opening bracket: behind the one that closes it. */
static frontend_status match_brackets(cpp_machine *m)
{
    const cpp_tokens *t = m->tokens;
    uint32_t *open = malloc((t->count + (size_t)1) * sizeof *open);
    m->behind = malloc((t->count + (size_t)1) * sizeof *m->behind);
    if (open == NULL || m->behind == NULL) {
        free(open);
        return FRONTEND_NO_MEMORY;
    }
    uint32_t depth = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        char c = t->text[t->items[i].start];
        m->behind[i] = t->count + 1;
        if (c == '(' || c == '[' || c == '{')
            open[depth++] = i;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0)
            m->behind[open[--depth]] = i + 1;
    }
    free(open);
    return FRONTEND_OK;
}

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
    return match_brackets(m);
}

void cpp_machine_free(cpp_machine *m)
{
    free(m->behind);
    free(m->heads);
    free(m->bindings);
    free(m->marks);
    free(m->cells);
    free(m->arrays);
    free(m->allocs);
    free(m->params);
    free(m->entries);
    free(m->changes);
    memset(m, 0, sizeof *m);
}

frontend_status cpp_spend(cpp_machine *m, uint64_t steps)
{
    if (frontend_spend(m->outline, steps))
        return FRONTEND_OK;
    return frontend_stop(m->outline, FRONTEND_SKIPPED, "it is too large");
}

frontend_status cpp_open_scope(cpp_machine *m)
{
    if (!frontend_grow(&m->marks, &m->mark_room, m->mark_count,
                       sizeof *m->marks))
        return FRONTEND_NO_MEMORY;
    m->marks[m->mark_count++] = (cpp_mark){
        m->binding_count, m->cell_count,   m->array_count,
        m->alloc_count,   m->params_count, m->entry_count,
    };
    return FRONTEND_OK;
}

bool cpp_close_scope(cpp_machine *m)
{
    if (m->mark_count == 0)
        return false;
    const cpp_mark *mark = &m->marks[--m->mark_count];
    while (m->binding_count > mark->bindings) {
        const cpp_binding *last = &m->bindings[--m->binding_count];
        m->heads[last->name] = last->previous;
    }
    m->cell_count = mark->cells;
    m->array_count = mark->arrays;
    m->alloc_count = mark->allocs;
    m->params_count = mark->params;
    if (mark->entries != FRONTEND_NONE)
        m->entry_count = mark->entries;
    return true;
}

/* The binding of the name in token `at`, or FRONTEND_NONE. */
static uint32_t find(const cpp_machine *m, uint32_t at)
{
    return cpp_is_name(m->tokens, at) ? m->heads[m->tokens->items[at].name]
                                      : FRONTEND_NONE;
}

cpp_value cpp_lookup(const cpp_machine *m, uint32_t at)
{
    uint32_t binding = find(m, at);
    return binding == FRONTEND_NONE ? (cpp_value){.kind = CPP_OTHER}
                                    : m->bindings[binding].slot.value;
}

frontend_status cpp_bind(cpp_machine *m, uint32_t at, cpp_value value)
{
    if (!cpp_is_name(m->tokens, at))
        return FRONTEND_OK;
    frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
    if (status != FRONTEND_OK)
        return status;
    if (!frontend_grow(&m->bindings, &m->binding_room, m->binding_count,
                       sizeof *m->bindings))
        return FRONTEND_NO_MEMORY;
    uint32_t name = m->tokens->items[at].name;
    m->bindings[m->binding_count] =
        (cpp_binding){{value, 0}, name, m->heads[name]};
    m->heads[name] = m->binding_count++;
    return FRONTEND_OK;
}

frontend_status cpp_rebind(cpp_machine *m, uint32_t at, cpp_value value)
{
    uint32_t binding = find(m, at);
    if (binding == FRONTEND_NONE)
        return FRONTEND_OK;
    frontend_status status = cpp_region_log(m, false, binding);
    if (status == FRONTEND_OK)
        m->bindings[binding].slot.value = value;
    return status;
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
        frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
        if (status == FRONTEND_OK)
            status = frontend_add_root(m->outline, name, false, &root);
        if (status != FRONTEND_OK)
            return status;
        group.count++;
    }
    *value = (cpp_value){.kind = CPP_ALLOC, .value = m->alloc_count};
    m->allocs[m->alloc_count++] = group;
    return FRONTEND_OK;
}

cpp_value cpp_alloc_ref(const cpp_machine *m, uint32_t alloc, int64_t index)
{
    const cpp_alloc_group *group = &m->allocs[alloc];
    bool known = index >= 0 && index < group->count;
    return (cpp_value){.kind = CPP_TENSOR,
                       .value = known ? group->first + (uint32_t)index
                                      : FRONTEND_NONE};
}

frontend_status cpp_array_new(cpp_machine *m, int64_t size, cpp_value *value)
{
    bool known = size >= 0 && size <= ARRAY_LIMIT;
    uint32_t count = known ? (uint32_t)size : 0;
    frontend_status status =
        cpp_spend(m, ((uint64_t)count + 1) * CPP_ELEMENT_STEPS);
    if (status != FRONTEND_OK)
        return status;
    if (!frontend_grow(&m->arrays, &m->array_room, m->array_count,
                       sizeof *m->arrays))
        return FRONTEND_NO_MEMORY;
    *value = (cpp_value){.kind = CPP_ARRAY, .value = m->array_count};
    m->arrays[m->array_count++] = (cpp_list){m->cell_count, count, !known};
    for (uint32_t i = 0; i < count; i++) {
        if (!frontend_grow(&m->cells, &m->cell_room, m->cell_count,
                           sizeof *m->cells))
            return FRONTEND_NO_MEMORY;
        m->cells[m->cell_count++] = (cpp_slot){
            {.kind = CPP_TASK_ID, .value = FRONTEND_NONE}, .logged = 0};
    }
    return FRONTEND_OK;
}

cpp_value cpp_array_get(const cpp_machine *m, uint32_t array, int64_t index)
{
    const cpp_list *list = &m->arrays[array];
    if (list->spoiled || index < 0 || index >= list->count)
        return (cpp_value){.kind = CPP_TASK_ID, .value = CPP_UNSURE};
    return m->cells[list->first + (uint32_t)index].value;
}

frontend_status cpp_array_set(cpp_machine *m, uint32_t array, int64_t index,
                              cpp_value value)
{
    cpp_list *list = &m->arrays[array];
    if (index < 0 || index >= list->count) {
        list->spoiled = true;
        return FRONTEND_OK;
    }
    if (value.kind != CPP_TASK_ID)
        value = (cpp_value){.kind = CPP_TASK_ID, .value = CPP_UNSURE};
    uint32_t cell = list->first + (uint32_t)index;
    frontend_status status = cpp_region_log(m, true, cell);
    if (status == FRONTEND_OK)
        m->cells[cell].value = value;
    return status;
}

void cpp_array_spoil(cpp_machine *m, uint32_t array)
{
    m->arrays[array].spoiled = true;
}
