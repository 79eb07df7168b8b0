#include "ir.h"

#include <stdlib.h>

#include "../json/array.h"
#include "../json/text.h"

#define LIMIT ((size_t)UINT32_MAX - 1)

/*
 * Makes room in ir->ITEMS, or sets `failed` and returns `otherwise` (which may
 * be empty) from the function that uses it.
 */
#define MAKE_ROOM(ir, items, count, capacity, otherwise)                       \
    do {                                                                       \
        void *grown = (ir)->failed || (ir)->count >= LIMIT                     \
                          ? NULL                                               \
                          : sonata_grow((ir)->items, &(ir)->capacity,          \
                                        (ir)->count, sizeof *(ir)->items);     \
        if (grown == NULL) {                                                   \
            (ir)->failed = true;                                               \
            return otherwise;                                                  \
        }                                                                      \
        (ir)->items = grown;                                                   \
    } while (0)

void sonata_ir_init(sonata_ir *ir)
{
    *ir = (sonata_ir){.root_kind = SONATA_TEXT("Program")};
}

void sonata_ir_free(sonata_ir *ir)
{
    free(ir->roots);
    free(ir->params);
    free(ir->dims);
    free(ir->steps);
    free(ir->calls);
    free(ir->args);
    free(ir->directions);
    free(ir->variables);
    sonata_arena_free(&ir->arena);
    *ir = (sonata_ir){0};
}

sonata_text sonata_ir_text(sonata_ir *ir, const char *bytes, size_t length)
{
    const char *copy = sonata_arena_copy(&ir->arena, bytes, length);
    if (copy == NULL) {
        ir->failed = true;
        return SONATA_TEXT("");
    }
    return (sonata_text){copy, length};
}

uint32_t sonata_ir_new_variable(sonata_ir *ir, sonata_text name)
{
    MAKE_ROOM(ir, variables, variable_count, variable_capacity, SONATA_IR_NONE);
    ir->variables[ir->variable_count] = (sonata_ir_variable){name};
    return (uint32_t)ir->variable_count++;
}

void sonata_ir_begin_root(sonata_ir *ir, sonata_text name)
{
    MAKE_ROOM(ir, roots, root_count, root_capacity, );
    ir->roots[ir->root_count++] =
        (sonata_ir_root){.name = name,
                         .first_param = (uint32_t)ir->param_count,
                         .first_step = (uint32_t)ir->step_count};
}

void sonata_ir_add_param(sonata_ir *ir, uint32_t variable)
{
    MAKE_ROOM(ir, params, param_count, param_capacity, );
    ir->params[ir->param_count++] = (sonata_ir_param){
        .variable = variable, .first_dim = (uint32_t)ir->dim_count};
    ir->roots[ir->root_count - 1].params++;
}

void sonata_ir_set_shape(sonata_ir *ir)
{
    if (!ir->failed)
        ir->params[ir->param_count - 1].has_shape = true;
}

void sonata_ir_add_dim_text(sonata_ir *ir, sonata_text digits)
{
    MAKE_ROOM(ir, dims, dim_count, dim_capacity, );
    ir->dims[ir->dim_count++] = (sonata_value){SONATA_INT, digits};
    ir->params[ir->param_count - 1].dims++;
}

void sonata_ir_add_dim(sonata_ir *ir, int64_t dim)
{
    sonata_text digits = sonata_text_int(&ir->arena, dim);
    if (digits.text == NULL)
        ir->failed = true;
    sonata_ir_add_dim_text(ir, digits);
}

uint32_t sonata_ir_begin_call(sonata_ir *ir, sonata_text callee,
                              sonata_ir_callee kind)
{
    MAKE_ROOM(ir, calls, call_count, call_capacity, SONATA_IR_NONE);
    ir->calls[ir->call_count] =
        (sonata_ir_call){.callee = callee,
                         .callee_kind = kind,
                         .first_arg = (uint32_t)ir->arg_count,
                         .first_direction = (uint32_t)ir->direction_count};
    return (uint32_t)ir->call_count++;
}

void sonata_ir_add_arg(sonata_ir *ir, uint32_t variable, sonata_text name)
{
    MAKE_ROOM(ir, args, arg_count, arg_capacity, );
    ir->args[ir->arg_count++] = (sonata_ir_arg){variable, name, {0}};
    ir->calls[ir->call_count - 1].args++;
}

void sonata_ir_add_direction(sonata_ir *ir, sonata_text direction)
{
    MAKE_ROOM(ir, directions, direction_count, direction_capacity, );
    ir->directions[ir->direction_count++] = direction;
    ir->calls[ir->call_count - 1].directions++;
}

static void add_step(sonata_ir *ir, sonata_ir_step step)
{
    MAKE_ROOM(ir, steps, step_count, step_capacity, );
    ir->steps[ir->step_count++] = step;
    ir->roots[ir->root_count - 1].steps++;
}

void sonata_ir_visit_call(sonata_ir *ir, uint32_t call)
{
    add_step(ir, (sonata_ir_step){.kind = SONATA_IR_VISIT_CALL, .call = call});
}

void sonata_ir_visit_node(sonata_ir *ir, sonata_text kind)
{
    add_step(ir,
             (sonata_ir_step){.kind = SONATA_IR_VISIT_NODE, .node_kind = kind});
}

void sonata_ir_assign_call(sonata_ir *ir, uint32_t variable, uint32_t call)
{
    add_step(ir, (sonata_ir_step){.kind = SONATA_IR_ASSIGN_CALL,
                                  .variable = variable,
                                  .call = call});
}

void sonata_ir_assign_element(sonata_ir *ir, uint32_t variable, uint32_t tuple,
                              int64_t index)
{
    add_step(ir, (sonata_ir_step){.kind = SONATA_IR_ASSIGN_ELEMENT,
                                  .variable = variable,
                                  .tuple = tuple,
                                  .index = index});
}

void sonata_ir_assign_other(sonata_ir *ir, uint32_t variable)
{
    add_step(ir, (sonata_ir_step){.kind = SONATA_IR_ASSIGN_OTHER,
                                  .variable = variable,
                                  .tuple = SONATA_IR_NONE});
}

bool sonata_ir_is_task(const sonata_ir_call *call)
{
    return call->callee.text != NULL &&
           !sonata_text_starts(call->callee, "tile.") &&
           !sonata_text_starts(call->callee, "tensor.") &&
           !sonata_text_starts(call->callee, "system.") &&
           !sonata_text_starts(call->callee, "array.");
}
