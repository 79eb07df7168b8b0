/*
 * The state of running generated C++: names with their meaning in nested
 * scopes, TaskId arrays, argument lists not yet submitted, and what changed
 * since a branch began of which nobody knows whether it is taken.
 */
#ifndef CLI_FRONTEND_CPP_MACHINE_H
#define CLI_FRONTEND_CPP_MACHINE_H

#include "cpp_tokens.h"

/* Some task or none: nobody knows which. */
#define CPP_UNSURE (UINT32_MAX - 1)
/* Steps that an element in memory costs; bounds memory by the step budget. */
#define CPP_ELEMENT_STEPS 16

typedef enum cpp_kind {
    CPP_OTHER,
    CPP_TENSOR,   /* value: root, or FRONTEND_NONE when not known */
    CPP_ALLOC,    /* value: allocs[] */
    CPP_OUTPUTS,  /* value: task */
    CPP_TASK_ID,  /* value: task, FRONTEND_NONE when invalid, CPP_UNSURE */
    CPP_ARRAY,    /* value: arrays[] */
    CPP_PARAMS,   /* value: params[] */
    CPP_NUMBER,   /* number */
    CPP_PREDICATE /* value: root of the operand */
} cpp_kind;

typedef struct cpp_value {
    cpp_kind kind;
    uint32_t value;
    int64_t number;
} cpp_value;

/* What can be changed: what a name means, an element of an array. */
typedef struct cpp_slot {
    cpp_value value;
    uint32_t logged; /* id of the innermost region that remembers it */
} cpp_slot;

typedef struct cpp_binding {
    cpp_slot slot;
    uint32_t name, previous;
} cpp_binding;

typedef struct cpp_list {
    uint32_t first, count; /* cells[] */
    bool spoiled;          /* something unknown was written */
} cpp_list;

typedef struct cpp_alloc_group {
    uint32_t first, count; /* roots */
} cpp_alloc_group;

typedef struct cpp_entry {
    frontend_arg arg;
    uint32_t next;
} cpp_entry;

typedef struct cpp_params {
    uint32_t head, tail;  /* entries[] */
    uint32_t array;       /* arrays[], or FRONTEND_NONE */
    uint32_t region;      /* id of the region in which it was made */
    uint32_t deps_region; /* in which its dependencies were set */
    int64_t array_count;
    bool deps_known, predicate;
    uint32_t predicate_root;
    int64_t blocks;
} cpp_params;

/* Where everything stood when a scope began. */
typedef struct cpp_mark {
    uint32_t bindings, cells, arrays, allocs, params;
    uint32_t entries; /* FRONTEND_NONE: newer ones are still needed */
} cpp_mark;

/* A slot as it was before a region changed it, or after. */
typedef struct cpp_change {
    bool cell;
    uint32_t index; /* cells[] or bindings[] */
    uint32_t next;  /* changes[], or FRONTEND_NONE */
    cpp_value value;
} cpp_change;

/* Code of which nobody knows whether it runs. */
typedef struct cpp_region {
    uint32_t id;
    uint32_t bindings, cells; /* what is newer is nobody's concern */
    uint32_t changes;         /* head of its list */
    uint32_t other; /* changes of the branch before an else, or FRONTEND_NONE */
} cpp_region;

#define CPP_REGIONS 64

typedef struct cpp_machine {
    frontend_outline *outline;
    const cpp_tokens *tokens;
    uint32_t *behind; /* by opening bracket; > tokens->count: it stays open */
    uint32_t *heads;  /* by name: bindings[], or FRONTEND_NONE */
    cpp_binding *bindings;
    uint32_t binding_count, binding_room;
    cpp_mark *marks; /* one per open scope */
    uint32_t mark_count, mark_room;
    cpp_slot *cells;
    uint32_t cell_count, cell_room;
    cpp_list *arrays;
    uint32_t array_count, array_room;
    cpp_alloc_group *allocs;
    uint32_t alloc_count, alloc_room;
    cpp_params *params;
    uint32_t params_count, params_room;
    cpp_entry *entries;
    uint32_t entry_count, entry_room;
    cpp_change *changes;
    uint32_t change_count, change_room;
    cpp_region regions[CPP_REGIONS];
    uint32_t region_count, last_region;
} cpp_machine;

frontend_status cpp_machine_init(cpp_machine *m, frontend_outline *outline,
                                 const cpp_tokens *tokens);
void cpp_machine_free(cpp_machine *m);

/* Takes steps; FRONTEND_SKIPPED when there are none left. */
frontend_status cpp_spend(cpp_machine *m, uint64_t steps);

/* What is declared in a scope is gone with it. */
frontend_status cpp_open_scope(cpp_machine *m);
/* False when no scope is open. */
bool cpp_close_scope(cpp_machine *m);

/* --- Regions (cpp_region.c) --- */

/* Begins a branch that may or may not run. */
frontend_status cpp_region_begin(cpp_machine *m);
/* The branch ends; begins the one that runs otherwise. */
frontend_status cpp_region_else(cpp_machine *m);
/* Ends it: what differs between the two ways is not known from here on. */
void cpp_region_end(cpp_machine *m);
/* Remembers a slot before it is changed. */
frontend_status cpp_region_log(cpp_machine *m, bool cell, uint32_t index);

/* --- Names and arrays (cpp_machine.c) --- */

/* What the name in token `at` means; CPP_OTHER when nothing. */
cpp_value cpp_lookup(const cpp_machine *m, uint32_t at);
/* Declares it in the innermost scope. */
frontend_status cpp_bind(cpp_machine *m, uint32_t at, cpp_value value);
/* Assigns to it where it was declared; nothing when it was not. */
frontend_status cpp_rebind(cpp_machine *m, uint32_t at, cpp_value value);

frontend_status cpp_alloc(cpp_machine *m, uint32_t open, uint32_t end,
                          cpp_value *value);
cpp_value cpp_alloc_ref(const cpp_machine *m, uint32_t alloc, int64_t index);

/* All elements invalid; a size below 0 is one that is not known. */
frontend_status cpp_array_new(cpp_machine *m, int64_t size, cpp_value *value);
cpp_value cpp_array_get(const cpp_machine *m, uint32_t array, int64_t index);
frontend_status cpp_array_set(cpp_machine *m, uint32_t array, int64_t index,
                              cpp_value value);
void cpp_array_spoil(cpp_machine *m, uint32_t array);

/* --- Argument lists (cpp_params.c) --- */

frontend_status cpp_params_new(cpp_machine *m, cpp_value *value);
cpp_params *cpp_params_at(cpp_machine *m, uint32_t params);
frontend_status cpp_params_add(cpp_machine *m, uint32_t params,
                               frontend_arg arg);
/* Its dependencies are the first `count` elements of the array. */
void cpp_params_deps(cpp_machine *m, uint32_t params, uint32_t array,
                     int64_t count);
/* A new task; `site` is the token of the submit. */
frontend_status cpp_params_submit(cpp_machine *m, uint32_t params, bool dummy,
                                  uint32_t site);

/* --- Values (cpp_value.c) --- */

/*
 * What the expression of the tokens [at, end) gives: a tensor, a TaskId or a
 * number (booleans are 0 and 1); CPP_OTHER when that is not known.
 */
cpp_value cpp_evaluate(const cpp_machine *m, uint32_t at, uint32_t end);

/* --- Statements (cpp.c) --- */

/* Runs the statement of the tokens [at, end), without its semicolon. */
frontend_status cpp_statement(cpp_machine *m, uint32_t at, uint32_t end);

#endif
