/*
 * The neutral form of an orchestration program, which every front end fills
 * and from which eligibility and Score are made (spec 03, 05). Flat arrays;
 * what belongs to a root or a call is one contiguous range.
 *
 * The functions below append. They never fail on the spot: once memory ran out
 * (or a number passed 2^32 - 2) `failed` is set, and sonata_extract says so.
 * Texts are borrowed: they outlive the IR (sonata_ir_text makes a copy that
 * lives as long as the IR).
 */
#ifndef SONATA_IR_H
#define SONATA_IR_H

#include "sonata/score.h"

#include "../json/arena.h"

#define SONATA_IR_NONE UINT32_MAX

/* What the callee is, when it is a function of the program. */
typedef enum sonata_ir_callee {
    SONATA_CALLEE_OTHER, /* not of the program, or of another type */
    SONATA_CALLEE_AIC,
    SONATA_CALLEE_AIV,
    SONATA_CALLEE_GROUP,
    SONATA_CALLEE_SPMD
} sonata_ir_callee;

typedef struct sonata_ir_variable {
    sonata_text name; /* null: it has none */
} sonata_ir_variable;

typedef struct sonata_ir_arg {
    uint32_t variable;    /* SONATA_IR_NONE: not a variable */
    sonata_text name;     /* as the Score has it: "x", "ConstInt", "int", ... */
    sonata_text constant; /* the value of a constant, which the name loses */
} sonata_ir_arg;

typedef struct sonata_ir_call {
    sonata_text callee; /* null: it has no name */
    sonata_ir_callee callee_kind;
    uint32_t first_arg, args;
    uint32_t first_direction, directions; /* none: not given */
    uint32_t node;                        /* of the source it is from */
} sonata_ir_call;

typedef struct sonata_ir_param {
    uint32_t variable;
    bool has_shape; /* fully static: positive integers, perhaps none */
    uint32_t first_dim, dims;
} sonata_ir_param;

typedef enum sonata_ir_step_kind {
    SONATA_IR_VISIT_CALL,     /* the call is visited by the walk */
    SONATA_IR_VISIT_NODE,     /* a node of a kind that gives a reason */
    SONATA_IR_ASSIGN_CALL,    /* variable = call */
    SONATA_IR_ASSIGN_ELEMENT, /* variable = tuple[index] */
    SONATA_IR_ASSIGN_OTHER    /* variable = anything else */
} sonata_ir_step_kind;

typedef struct sonata_ir_step {
    sonata_ir_step_kind kind;
    uint32_t variable;
    uint32_t call;  /* of a visit or an assignment */
    uint32_t tuple; /* the variable whose element is taken; of another
                       assignment the variable it is from, or NONE */
    int64_t index;
    sonata_text node_kind;
} sonata_ir_step;

typedef struct sonata_ir_root {
    sonata_text name; /* null: it has none */
    uint32_t first_param, params;
    uint32_t first_step, steps;
} sonata_ir_root;

typedef struct sonata_ir {
    sonata_text root_kind; /* "Program", "Function", or the kind given */
    sonata_text name;      /* of the root node; null: it has none */
    /* The func_type of a root node that is not a program; null: it has none. */
    sonata_text function_type;
    sonata_ir_root *roots; /* orchestration functions, or the root node */
    size_t root_count, root_capacity;
    sonata_ir_param *params;
    size_t param_count, param_capacity;
    sonata_value *dims;
    size_t dim_count, dim_capacity;
    sonata_ir_step *steps; /* in the order of the walk */
    size_t step_count, step_capacity;
    sonata_ir_call *calls; /* in any order */
    size_t call_count, call_capacity;
    sonata_ir_arg *args;
    size_t arg_count, arg_capacity;
    sonata_text *directions;
    size_t direction_count, direction_capacity;
    sonata_ir_variable *variables;
    size_t variable_count, variable_capacity;
    sonata_arena arena;
    bool failed;
} sonata_ir;

/* An empty program ("Program") without a name. */
void sonata_ir_init(sonata_ir *ir);
void sonata_ir_free(sonata_ir *ir);

sonata_text sonata_ir_text(sonata_ir *ir, const char *bytes, size_t length);

/* A variable of its own; identity is the number, not the name. */
uint32_t sonata_ir_new_variable(sonata_ir *ir, sonata_text name);

/* Begins a root: the parameters and steps that follow are its own. */
void sonata_ir_begin_root(sonata_ir *ir, sonata_text name);

void sonata_ir_add_param(sonata_ir *ir, uint32_t variable);
/* The parameter added last has a fully static shape, with these dims. */
void sonata_ir_set_shape(sonata_ir *ir);
void sonata_ir_add_dim(sonata_ir *ir, int64_t dim);
void sonata_ir_add_dim_text(sonata_ir *ir, sonata_text digits);

/* Begins a call (visited or not): arguments and directions follow. */
uint32_t sonata_ir_begin_call(sonata_ir *ir, sonata_text callee,
                              sonata_ir_callee kind);
void sonata_ir_add_arg(sonata_ir *ir, uint32_t variable, sonata_text name);
void sonata_ir_add_direction(sonata_ir *ir, sonata_text direction);

/*
 * Steps, in the order of the walk: an assignment before the call it holds.
 * Assignments of anything else give no storage key and need not be told; where
 * they are, per_region knows that the variable may be another's memory.
 */
void sonata_ir_visit_call(sonata_ir *ir, uint32_t call);
void sonata_ir_visit_node(sonata_ir *ir, sonata_text kind);
void sonata_ir_assign_call(sonata_ir *ir, uint32_t variable, uint32_t call);
void sonata_ir_assign_element(sonata_ir *ir, uint32_t variable, uint32_t tuple,
                              int64_t index);
void sonata_ir_assign_other(sonata_ir *ir, uint32_t variable);

/* True when a visited call becomes a task. */
bool sonata_ir_is_task(const sonata_ir_call *call);

#endif
