#include "outline.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void frontend_outline_init(frontend_outline *outline)
{
    memset(outline, 0, sizeof *outline);
    outline->task_limit = UINT32_MAX;
    outline->region = FRONTEND_NONE;
    outline->steps = FRONTEND_STEPS;
}

void frontend_outline_free(frontend_outline *outline)
{
    free(outline->tasks);
    free(outline->args);
    free(outline->deps);
    free(outline->roots);
    free(outline->sections);
    free(outline->regions);
    memset(outline, 0, sizeof *outline);
}

bool frontend_grow(void *array, uint32_t *room, uint32_t count, size_t size)
{
    if (count < *room)
        return true;
    if (*room > UINT32_MAX / 4)
        return false;
    uint32_t wanted = *room < 16 ? 16 : *room * 2;
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, (size_t)wanted * size);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

frontend_status frontend_add_root(frontend_outline *outline, frontend_text name,
                                  bool external, uint32_t *root)
{
    if (!frontend_grow(&outline->roots, &outline->root_room,
                       outline->root_count, sizeof *outline->roots))
        return FRONTEND_NO_MEMORY;
    frontend_root *added = &outline->roots[outline->root_count];
    *added = (frontend_root){.name = name, .external = external};
    *root = outline->root_count++;
    return FRONTEND_OK;
}

frontend_status frontend_add_task(frontend_outline *outline, frontend_text name)
{
    if (!frontend_grow(&outline->tasks, &outline->task_room,
                       outline->task_count, sizeof *outline->tasks))
        return FRONTEND_NO_MEMORY;
    outline->tasks[outline->task_count] = (frontend_task){
        .name = name,
        .deps_known = true,
        .predicate_root = FRONTEND_NONE,
        .region = outline->region,
        .optional = outline->region != FRONTEND_NONE,
        .id = outline->task_count,
        .first_arg = outline->arg_count,
        .first_dep = outline->dep_count,
    };
    outline->task_count++;
    outline->cut = outline->task_count > outline->task_limit;
    return FRONTEND_OK;
}

frontend_status frontend_add_arg(frontend_outline *outline, frontend_arg arg)
{
    if (!frontend_grow(&outline->args, &outline->arg_room, outline->arg_count,
                       sizeof *outline->args))
        return FRONTEND_NO_MEMORY;
    outline->args[outline->arg_count++] = arg;
    outline->tasks[outline->task_count - 1].args++;
    return FRONTEND_OK;
}

frontend_status frontend_add_dep(frontend_outline *outline, uint32_t task)
{
    if (!frontend_grow(&outline->deps, &outline->dep_room, outline->dep_count,
                       sizeof *outline->deps))
        return FRONTEND_NO_MEMORY;
    outline->deps[outline->dep_count++] = task;
    outline->tasks[outline->task_count - 1].deps++;
    return FRONTEND_OK;
}

frontend_status frontend_open_region(frontend_outline *outline)
{
    if (!frontend_grow(&outline->regions, &outline->region_room,
                       outline->region_count, sizeof *outline->regions))
        return FRONTEND_NO_MEMORY;
    outline->regions[outline->region_count] =
        (frontend_region){outline->task_count, UINT32_MAX, outline->region};
    outline->region = outline->region_count++;
    return FRONTEND_OK;
}

void frontend_close_region(frontend_outline *outline)
{
    frontend_region *region = &outline->regions[outline->region];
    region->end = outline->task_count;
    outline->region = region->parent;
}

static int compare_positions(const void *a, const void *b)
{
    const uint32_t *left = a;
    const uint32_t *right = b;
    return (*left > *right) - (*left < *right);
}

void frontend_end_deps(frontend_outline *outline)
{
    frontend_task *task = &outline->tasks[outline->task_count - 1];
    if (task->deps < 2)
        return;
    uint32_t *deps = outline->deps + task->first_dep;
    qsort(deps, task->deps, sizeof *deps, compare_positions);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < task->deps; i++)
        if (deps[i] != deps[kept - 1])
            deps[kept++] = deps[i];
    outline->dep_count -= task->deps - kept;
    task->deps = kept;
}

frontend_status frontend_stop(frontend_outline *outline, frontend_status status,
                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outline->reason, sizeof outline->reason, format, arguments);
    va_end(arguments);
    return status;
}

bool frontend_spend(frontend_outline *outline, uint64_t n)
{
    if (n > outline->steps) {
        outline->steps = 0;
        return false;
    }
    outline->steps -= n;
    return true;
}

frontend_text frontend_string(const char *text)
{
    return (frontend_text){text, text == NULL ? 0 : strlen(text)};
}

bool frontend_same(frontend_text a, frontend_text b)
{
    return a.length == b.length &&
           (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

const char *frontend_print(char *out, size_t size, frontend_text text)
{
    size_t length = text.length < size - 1 ? text.length : size - 1;
    for (size_t i = 0; i < length; i++) {
        char c = text.data[i];
        out[i] = c >= 0x20 && c < 0x7f ? c : '?';
    }
    out[length] = '\0';
    return out;
}
