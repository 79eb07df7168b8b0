/* The state of running a function of the exporter's IR. */
#ifndef CLI_FRONTEND_EXPORTER_MACHINE_H
#define CLI_FRONTEND_EXPORTER_MACHINE_H

#include "exporter.h"

#define EXPORTER_DEPTH 64
/* Steps that an element in memory costs; bounds memory by the step budget. */
#define EXPORTER_ELEMENT_STEPS 16
/* Some task or none: nobody knows which. */
#define EXPORTER_UNSURE (UINT32_MAX - 1)

typedef enum exporter_kind {
    EXPORTER_UNKNOWN,
    EXPORTER_TENSOR,  /* a: root, or FRONTEND_NONE */
    EXPORTER_NUMBER,  /* n; booleans are 0 and 1 */
    EXPORTER_TASK_ID, /* a: task, FRONTEND_NONE when invalid, or unsure */
    EXPORTER_ARRAY,   /* a: slots[], or FRONTEND_NONE when all are invalid */
    EXPORTER_RESULTS  /* of the call that is task `task` */
} exporter_kind;

typedef struct exporter_value {
    exporter_kind kind;
    uint32_t a;
    uint32_t task; /* that gave it, or FRONTEND_NONE */
    int64_t n;     /* number; size of an array */
    const exporter_function *callee;
    bool submitted; /* results are followed by the TaskId */
} exporter_value;

/* One written slot of a TaskId array and the array that it was written on. */
typedef struct exporter_slot {
    uint32_t before; /* slots[], or FRONTEND_NONE */
    uint32_t index;
    uint32_t task; /* FRONTEND_NONE: invalid, or EXPORTER_UNSURE */
} exporter_slot;

/* A task that gave what a loop carried on, and those of earlier iterations. */
typedef struct exporter_past {
    uint32_t before; /* pasts[], or FRONTEND_NONE */
    uint32_t task;   /* or EXPORTER_UNSURE */
} exporter_past;

typedef struct exporter_variable {
    double id;
    exporter_value value;
    bool carried;  /* it is what a loop carries, or its result */
    uint32_t past; /* then: pasts[], or FRONTEND_NONE */
} exporter_variable;

/* A call and its place in the source. */
typedef struct exporter_place {
    const cJSON *call;
    uint32_t order; /* from 1 */
} exporter_place;

typedef enum exporter_frame_kind {
    EXPORTER_LIST,
    EXPORTER_LOOP,
    EXPORTER_BRANCH
} exporter_frame_kind;

/* Statements that are being run. */
typedef struct exporter_frame {
    exporter_frame_kind kind;
    const cJSON *next;      /* statement */
    const cJSON *statement; /* the loop or if */
    uint32_t yields;        /* values[]: where those of its body begin */
    bool known;             /* how often a loop runs, which branch is taken */
    uint32_t round;         /* iterations, branches that were run before */
    int64_t at, step;       /* of a loop: index */
    uint64_t left;          /* iterations from now on */
} exporter_frame;

typedef struct exporter_machine {
    frontend_outline *outline;
    const exporter_file *file;
    const exporter_function *function;
    uint32_t *results;
    exporter_variable *variables; /* by id */
    uint32_t variable_count, variable_room;
    exporter_slot *slots;
    uint32_t slot_count, slot_room;
    exporter_past *pasts;
    uint32_t past_count, past_room;
    exporter_value *values; /* yielded, and not yet taken */
    const cJSON **sources;  /* what was yielded, beside it */
    uint32_t value_count, value_room, source_room;
    exporter_place *places; /* by address */
    uint32_t place_count, place_room;
    exporter_frame frames[EXPORTER_DEPTH];
    uint32_t depth;
} exporter_machine;

bool exporter_is(const cJSON *object, const char *name, const char *value);
/* FRONTEND_SKIPPED when no steps are left. */
frontend_status exporter_spend(exporter_machine *m, uint64_t steps);

/* --- Values (exporter_value.c) --- */

exporter_value exporter_unknown(void);
exporter_value exporter_make(exporter_kind kind, uint32_t a);

frontend_status exporter_declare(exporter_machine *m, const cJSON *var,
                                 exporter_value initial);
/* NULL: there is no such variable. */
exporter_variable *exporter_variable_of(exporter_machine *m, const cJSON *var);
/* Sorts what was declared, so that it can be found. */
void exporter_sort_variables(exporter_machine *m);

exporter_value exporter_number(const cJSON *number);
/* A variable, a constant, or a calculation with such. */
exporter_value exporter_read(exporter_machine *m, const cJSON *x);
/* What two ways leave: the same, or not known. */
frontend_status exporter_merge(exporter_machine *m, exporter_value a,
                               exporter_value b, exporter_value *out);

frontend_status exporter_update_slot(exporter_machine *m, const cJSON *args,
                                     exporter_value *out);
frontend_status exporter_read_slot(exporter_machine *m, const cJSON *args,
                                   exporter_value *out);
/* Every valid slot becomes a dependency of the last task. */
frontend_status exporter_array_deps(exporter_machine *m, exporter_value array);

/* What a loop carried so far: appends what was yielded now. */
frontend_status exporter_remember(exporter_machine *m, uint32_t *past,
                                  exporter_value value, const cJSON *source);
frontend_status exporter_past_deps(exporter_machine *m, uint32_t past);

/* --- Tasks (exporter_task.c) --- */

/* Notes a call in source order; then sorts them, so that they are found. */
frontend_status exporter_add_place(exporter_machine *m, const cJSON *call);
void exporter_sort_places(exporter_machine *m);

/* A call of a function of the program; `var` (or NULL) gets its value. */
frontend_status exporter_task(exporter_machine *m, const cJSON *call,
                              const cJSON *var, bool submitted,
                              exporter_value *out);
/* A dummy that names dependencies of which none is valid submits nothing. */
frontend_status exporter_dummy(exporter_machine *m, const cJSON *call,
                               exporter_value *out);
exporter_value exporter_result(const exporter_machine *m, exporter_value call,
                               uint32_t i);

#endif
