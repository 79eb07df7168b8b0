/* The bindings of a PlanHandle beside the arguments of its Score. */
#ifndef ORACLE_BINDINGS_H
#define ORACLE_BINDINGS_H

#include "score_view.h"

#define ORACLE_TOKEN 16

typedef struct oracle_binding {
    uint32_t node;                           /* in the handle */
    uint32_t key, direction, runtime_handle; /* in it; ORACLE_NONE: absent */
    uint32_t task, arg;     /* of the Score; ORACLE_NONE: it has none */
    uint32_t own_key;       /* the argument's storage key, or ORACLE_NONE */
    uint32_t own_direction; /* its direction, or ORACLE_NONE */
} oracle_binding;

typedef struct oracle_bindings {
    oracle_binding *list;
    uint32_t count;
    oracle_id_table by_arg; /* the last one of an argument */
} oracle_bindings;

/* False: no memory. Free them whatever came back. */
bool oracle_bindings_make(oracle_bindings *bindings,
                          const oracle_score_view *view, uint32_t handle,
                          oracle_arena *arena);
void oracle_bindings_free(oracle_bindings *bindings);

/* The index of the binding that counts, or ORACLE_NONE. */
uint32_t oracle_bindings_find(const oracle_bindings *bindings, uint32_t task,
                              uint32_t arg);

/* A direction normalised (spec 02); false: longer than any that is known. */
bool oracle_direction_token(const oracle_json *json, uint32_t node,
                            char token[ORACLE_TOKEN]);

#endif
