/*
 * A program in the JSON form of the IR (spec 05), made of a model: who writes
 * it knows what its tasks are, and so its Score.
 */
#ifndef FUZZ_IR_H
#define FUZZ_IR_H

#include "arena.h"
#include "model.h"

#define FUZZ_ROOTS 2

typedef struct fuzz_ir_var {
    uint32_t name; /* a text */
    uint32_t root;
    uint32_t buffer; /* FUZZ_NONE: the result of a call, or another name */
    bool param, static_shape;
    bool met;      /* by an argument that is no scalar */
    uint32_t key;  /* a text, as the assignments go; FUZZ_NONE: unknown */
    uint32_t call; /* the task whose results it is */
    bool defined;  /* while the program is written: it was before */
} fuzz_ir_var;

/* Beside the arguments of the model, one for each. */
typedef struct fuzz_ir_arg {
    uint32_t var;       /* FUZZ_NONE: a constant, or a nested call */
    uint32_t nested;    /* the task, or FUZZ_NONE */
    uint32_t name, key; /* texts, of the Score */
} fuzz_ir_arg;

typedef enum fuzz_ir_op {
    FUZZ_IR_CREATE,  /* var = tensor.create() */
    FUZZ_IR_CALL,    /* the task, with or without a result */
    FUZZ_IR_ELEMENT, /* var = from[index] */
    FUZZ_IR_NAME,    /* var = from */
    FUZZ_IR_SLICE,   /* var = tensor.slice(from, ...) */
    FUZZ_IR_OTHER    /* text, which is no task */
} fuzz_ir_op;

typedef struct fuzz_ir_step {
    fuzz_ir_op op;
    uint32_t root, task, var, from;
    int64_t index;
    const char *text;
} fuzz_ir_step;

typedef struct fuzz_ir_text {
    const char *data;
    size_t length;
} fuzz_ir_text;

typedef struct fuzz_ir_reason {
    const char *code;
    fuzz_ir_text message;
} fuzz_ir_reason;

typedef enum fuzz_ir_form {
    FUZZ_IR_FUNCTION, /* one function, no program around it */
    FUZZ_IR_PROGRAM,
    FUZZ_IR_TWO_ROOTS,
    FUZZ_IR_ENTRY /* the first of two, by its name */
} fuzz_ir_form;

#define FUZZ_IR_REASONS 8

typedef struct fuzz_ir {
    fuzz_case *c;
    fuzz_model *m;
    fuzz_arena *arena;
    fuzz_random random;
    fuzz_ir_form form;
    uint32_t roots; /* that count */
    fuzz_ir_var *vars;
    fuzz_ir_arg *args;
    fuzz_ir_step *steps;
    fuzz_ir_text *texts;
    uint32_t *slots, *current; /* of texts; by root and buffer: its variable */
    uint32_t var_count, var_room, step_count, step_room;
    uint32_t text_count, text_room, slot_mask;
    uint32_t split; /* the first task of the second root */
    const char *name, *root_kind, *function_type; /* NULL: none */
    const char *policy, *entry, *used_policy, *fallback;
    bool certified, hoists, same_names, wraps, map_form;
    bool emits_all, encodings; /* the request does */
    bool renamed;              /* what has a name has FUZZ_MARK in it */
    bool plain, bare; /* no odd names of variables; no parameter has a shape */
    /* So many tasks are only there so that others are later, or not last. */
    uint32_t before, behind;
    uint8_t directions; /* how they are written */
    uint32_t longer;    /* a task with a direction too many, or FUZZ_NONE */
    const char *regions, *memory, *profile;
    bool sizes;
    uint32_t group; /* a callee that is a Group function, or FUZZ_NONE */
    fuzz_ir_reason reasons[FUZZ_IR_REASONS]; /* why it is refused */
    uint32_t reason_count;
    bool refused;
    bool failed;
} fuzz_ir;

/* The number of a text; the same for the same bytes. */
uint32_t fuzz_ir_intern(fuzz_ir *p, const char *data, size_t length);
/* ... made of several, the last of which is NULL. */
uint32_t fuzz_ir_join(fuzz_ir *p, const char *const *parts);

fuzz_ir_step *fuzz_ir_add_step(fuzz_ir *p, fuzz_ir_op op, uint32_t root);
uint32_t fuzz_ir_add_var(fuzz_ir *p, uint32_t root, uint32_t name);

/* Callees of the model's functions, of which the first are in plain letters. */
#define FUZZ_IR_PLAIN_CALLEES 9
const char *fuzz_ir_callee(uint32_t func);
const char *fuzz_ir_root_name(const fuzz_ir *p, uint32_t root);
const char *fuzz_ir_direction(const fuzz_arg *a);
/* What constants are called in a Score; the same as JSON. */
const char *fuzz_ir_constant_name(const fuzz_arg *a);
const char *fuzz_ir_constant(const fuzz_arg *a);

/* Breaks the program before its keys are known; false: nothing to break. */
bool fuzz_ir_break(fuzz_ir *p);
/* The keys of all arguments, and the edges that the policy gives. */
void fuzz_ir_resolve(fuzz_ir *p);
/* The program, into the input of the case. */
void fuzz_ir_write(fuzz_ir *p);
/* Its Score or its eligibility result. */
void fuzz_ir_expect(fuzz_ir *p);
/* Damage of the text, where that is the fault. */
void fuzz_ir_break_text(fuzz_ir *p);

#endif
