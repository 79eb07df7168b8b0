/*
 * The state of running generated C++: names with their meaning in nested
 * scopes, TaskId arrays, argument lists not yet submitted.
 */
#ifndef CLI_FRONTEND_CPP_MACHINE_H
#define CLI_FRONTEND_CPP_MACHINE_H

#include "cpp_tokens.h"

typedef enum cpp_kind {
    CPP_OTHER,
    CPP_TENSOR,   /* value: root, or FRONTEND_NONE when not known */
    CPP_ALLOC,    /* value: allocs[] */
    CPP_OUTPUTS,  /* value: task */
    CPP_TASK_ID,  /* value: task, or FRONTEND_NONE when invalid */
    CPP_ARRAY,    /* value: arrays[] */
    CPP_PARAMS,   /* value: params[] */
    CPP_COUNTER,  /* value: its number */
    CPP_PREDICATE /* value: root of the operand */
} cpp_kind;

typedef struct cpp_value {
    cpp_kind kind;
    uint32_t value;
} cpp_value;

typedef struct cpp_binding {
    cpp_value value;
    uint32_t name, previous;
} cpp_binding;

typedef struct cpp_list {
    uint32_t *tasks; /* FRONTEND_NONE: invalid */
    uint32_t count, room;
    bool spoiled; /* something unknown was written */
} cpp_list;

typedef struct cpp_alloc_group {
    uint32_t first, count; /* roots */
} cpp_alloc_group;

typedef struct cpp_entry {
    frontend_arg arg;
    uint32_t next;
} cpp_entry;

typedef struct cpp_params {
    uint32_t head, tail; /* entries[] */
    uint32_t array, array_count;
    bool deps_known, predicate;
    uint32_t predicate_root;
    int64_t blocks;
} cpp_params;

typedef struct cpp_machine {
    frontend_outline *outline;
    const cpp_tokens *tokens;
    uint32_t *heads; /* by name: bindings[], or FRONTEND_NONE */
    cpp_binding *bindings;
    uint32_t binding_count, binding_room;
    uint32_t *marks; /* bindings at the start of each open scope */
    uint32_t mark_count, mark_room;
    cpp_list *arrays;
    uint32_t array_count, array_room;
    cpp_alloc_group *allocs;
    uint32_t alloc_count, alloc_room;
    cpp_params *params;
    uint32_t params_count, params_room;
    cpp_entry *entries;
    uint32_t entry_count, entry_room;
} cpp_machine;

frontend_status cpp_machine_init(cpp_machine *m, frontend_outline *outline,
                                 const cpp_tokens *tokens);
void cpp_machine_free(cpp_machine *m);

frontend_status cpp_open_scope(cpp_machine *m);
/* False when no scope is open. */
bool cpp_close_scope(cpp_machine *m);

/* What the name in token `at` means; CPP_OTHER when nothing. */
cpp_value cpp_lookup(const cpp_machine *m, uint32_t at);
/* Declares it in the innermost scope. */
frontend_status cpp_bind(cpp_machine *m, uint32_t at, cpp_value value);
/* Assigns to it where it was declared. */
void cpp_rebind(cpp_machine *m, uint32_t at, cpp_value value);

frontend_status cpp_alloc(cpp_machine *m, uint32_t open, uint32_t end,
                          cpp_value *value);
cpp_value cpp_alloc_ref(const cpp_machine *m, uint32_t alloc, uint32_t index);

frontend_status cpp_array_new(cpp_machine *m, cpp_value *value);
cpp_value cpp_array_get(const cpp_machine *m, uint32_t array, uint32_t index);
frontend_status cpp_array_set(cpp_machine *m, uint32_t array, uint32_t index,
                              cpp_value value);
frontend_status cpp_array_spoil(cpp_machine *m, uint32_t array);

frontend_status cpp_params_new(cpp_machine *m, cpp_value *value);
cpp_params *cpp_params_at(cpp_machine *m, uint32_t params);
frontend_status cpp_params_add(cpp_machine *m, uint32_t params,
                               frontend_arg arg);
frontend_status cpp_params_submit(cpp_machine *m, uint32_t params, bool dummy,
                                  uint32_t line);

/* Runs the statement of the tokens [at, end), without its semicolon. */
frontend_status cpp_statement(cpp_machine *m, uint32_t at, uint32_t end);

#endif
