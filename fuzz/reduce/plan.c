/* Steps that a pass wants to try, and the texts that it made for them. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)4096)

struct reduce_chunk {
    struct reduce_chunk *next;
    size_t used, size;
    char data[];
};

void reduce_plan_clear(reduce_plan *plan)
{
    while (plan->chunks != NULL) {
        struct reduce_chunk *next = plan->chunks->next;
        free(plan->chunks);
        plan->chunks = next;
    }
    plan->edit_count = plan->step_count = 0;
}

void reduce_plan_free(reduce_plan *plan)
{
    reduce_plan_clear(plan);
    free(plan->edits);
    free(plan->steps);
    *plan = (reduce_plan){0};
}

void reduce_plan_step(reduce_plan *plan, uint32_t group)
{
    void *steps = plan->steps;
    if (plan->step_count > 0 && plan->steps[plan->step_count - 1].count == 0)
        plan->step_count--;
    if (!reduce_grow(&steps, &plan->step_capacity, plan->step_count,
                     sizeof *plan->steps)) {
        plan->failed = true;
        return;
    }
    plan->steps = steps;
    plan->steps[plan->step_count++] =
        (reduce_step){.first = plan->edit_count, .group = group};
}

static void add(reduce_plan *plan, const reduce_edit *edit)
{
    void *edits = plan->edits;
    if (plan->failed)
        return;
    if (!reduce_grow(&edits, &plan->edit_capacity, plan->edit_count,
                     sizeof *plan->edits)) {
        plan->failed = true;
        return;
    }
    plan->edits = edits;
    plan->edits[plan->edit_count++] = *edit;
    plan->steps[plan->step_count - 1].count++;
}

void reduce_plan_delete(reduce_plan *plan, uint32_t node)
{
    add(plan, &(reduce_edit){.node = node, .operation = REDUCE_DELETE});
}

void reduce_plan_set(reduce_plan *plan, uint32_t node, fuzz_piece text)
{
    add(plan,
        &(reduce_edit){.node = node, .operation = REDUCE_SET, .text = text});
}

void reduce_plan_name(reduce_plan *plan, uint32_t node, fuzz_piece name)
{
    add(plan,
        &(reduce_edit){.node = node, .operation = REDUCE_NAME, .text = name});
}

void reduce_plan_lift(reduce_plan *plan, uint32_t node, uint32_t other)
{
    add(plan,
        &(reduce_edit){.node = node, .other = other, .operation = REDUCE_LIFT});
}

void reduce_plan_append(reduce_plan *plan, uint32_t last, uint32_t other)
{
    add(plan, &(reduce_edit){
                  .node = last, .other = other, .operation = REDUCE_APPEND});
}

fuzz_piece reduce_plan_copy(reduce_plan *plan, const char *data, size_t length)
{
    struct reduce_chunk *chunk = plan->chunks;
    if (chunk == NULL || chunk->size - chunk->used <= length) {
        size_t size = length < CHUNK ? CHUNK : length + 1;
        chunk = malloc(sizeof *chunk + size);
        if (chunk == NULL) {
            plan->failed = true;
            return (fuzz_piece){"", 0};
        }
        *chunk = (struct reduce_chunk){.next = plan->chunks, .size = size};
        plan->chunks = chunk;
    }
    char *at = chunk->data + chunk->used;
    if (length > 0)
        memcpy(at, data, length);
    at[length] = '\0';
    chunk->used += length + 1;
    return (fuzz_piece){at, length};
}

fuzz_piece reduce_plan_string(reduce_plan *plan, const char *string)
{
    return reduce_plan_copy(plan, string, strlen(string));
}
