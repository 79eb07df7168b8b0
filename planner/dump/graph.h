/*
 * The task graph that a dump means, before it is written as a document (spec
 * 09). Flat arrays; names are spans of the dump's text.
 */
#ifndef SONATA_DUMP_GRAPH_H
#define SONATA_DUMP_GRAPH_H

#include "affine.h"
#include "ast.h"
#include "view.h"

#include "../json/arena.h"

#define GRAPH_NONE UINT32_MAX

typedef struct graph_text {
    const char *data;
    uint32_t length;
} graph_text;

typedef struct graph_buffer {
    graph_text key;
    bool has_bytes;
    int64_t bytes;
    graph_text symbol; /* how the size prints when it is no constant */
    bool external, manual_dep, init;
} graph_buffer;

typedef struct graph_region {
    int64_t elem;
    affine base;
    uint32_t first, rank; /* dims[] */
} graph_region;

typedef enum graph_mode {
    GRAPH_READ,
    GRAPH_WRITE,
    GRAPH_ACCUMULATE
} graph_mode;

typedef struct graph_access {
    graph_mode mode;
    bool must, exact;
    uint32_t region; /* or GRAPH_NONE: the whole view */
} graph_access;

typedef struct graph_arg {
    bool is_scalar;
    bool is_const; /* scalar: a constant integer, in number */
    int64_t number;
    graph_text text; /* scalar: its spelling */
    uint32_t buffer;
    graph_text dispatch; /* "input", "no_dep", ..., or empty */
    ast_direction declared;
    uint32_t view; /* region, or GRAPH_NONE: the whole buffer */
    const char *dtype;
    uint32_t first_access, accesses;
} graph_arg;

typedef enum graph_cause {
    GRAPH_DEP_TASK,
    GRAPH_DEP_DEAD,
    GRAPH_DEP_REUSED,
    GRAPH_DEP_NULL
} graph_cause;

typedef struct graph_dep {
    graph_cause cause;
    uint32_t task;
    graph_text name;
    uint32_t when; /* it counts only then; beyond what its tasks need */
    uint32_t site; /* the node that names it; see machine_settle_deps */
} graph_dep;

/* A decision of one execution (spec 09, `when`). */
typedef struct graph_choice {
    const char *kind; /* "if", "loop" */
    uint64_t line;
    graph_text text;
    bool has_number;
    affine number; /* 1 when it is true, else 0 */
} graph_choice;

/* A list of decisions, shared by those that have more. */
typedef struct graph_when {
    uint32_t choice;
    bool is;
    uint32_t parent; /* when, or GRAPH_NONE */
} graph_when;

/* Choices that no value of the symbols decides so together. */
typedef struct graph_impossible {
    uint32_t choice[2];
    bool is[2];
} graph_impossible;

/* What the symbols obey, always or when a choice has a value. */
typedef struct graph_fact {
    uint32_t choice; /* or GRAPH_NONE */
    bool is;
    const char *op; /* "<=", "==", "!=": number op 0 */
    affine number;
} graph_fact;

/* A part that is not simply run (spec 08, "dynamic region"). */
typedef struct graph_region_site {
    uint64_t line;
    const char *reason;
    uint32_t stmt; /* of the dump; finds it again */
} graph_region_site;

typedef struct graph_dynamic {
    uint32_t site;
    uint32_t parent; /* dynamic, or GRAPH_NONE */
} graph_dynamic;

typedef struct graph_task {
    graph_text name;
    const char *core; /* "aic", "aiv", "mixed", "dummy" */
    int64_t blocks;   /* 0: no constant */
    bool sync_start, dummy, early;
    uint64_t line;
    uint32_t scope;
    uint32_t when, dynamic; /* or GRAPH_NONE */
    uint32_t first_dep, deps;
    uint32_t first_arg, args;
    bool has_predicate, predicate_formed;
    uint32_t predicate_buffer, predicate_region;
    const char *predicate_op;
    int64_t predicate_value;
} graph_task;

typedef struct graph_scope {
    bool manual;
    uint32_t parent;
} graph_scope;

typedef struct graph_host_access {
    int64_t after; /* task, or -1 */
    graph_mode mode;
    uint32_t buffer, region;
    uint32_t when; /* or GRAPH_NONE */
    uint64_t line;
} graph_host_access;

typedef struct graph {
    graph_text name;
    graph_buffer *buffers;
    uint32_t buffer_count, buffer_capacity;
    graph_region *regions;
    uint32_t region_count, region_capacity;
    view_dim *dims;
    uint32_t dim_count, dim_capacity;
    graph_access *accesses;
    uint32_t access_count, access_capacity;
    graph_arg *args;
    uint32_t arg_count, arg_capacity;
    graph_dep *deps;
    uint32_t dep_count, dep_capacity;
    graph_task *tasks;
    uint32_t task_count, task_capacity;
    graph_scope *scopes;
    uint32_t scope_count, scope_capacity;
    graph_host_access *host_accesses;
    uint32_t host_access_count, host_access_capacity;
    graph_choice *choices;
    uint32_t choice_count, choice_capacity;
    graph_when *whens;
    uint32_t when_count, when_capacity;
    graph_impossible *impossibles;
    uint32_t impossible_count, impossible_capacity;
    graph_fact *facts;
    uint32_t fact_count, fact_capacity;
    graph_region_site *sites;
    uint32_t site_count, site_capacity;
    graph_dynamic *dynamics;
    uint32_t dynamic_count, dynamic_capacity;
    sonata_arena arena; /* keys and other text that the dump does not hold */
    bool failed;        /* out of memory */
} graph;

void graph_free(graph *g);

/* Each appends one item and gives its index; GRAPH_NONE sets g->failed. */
uint32_t graph_add_buffer(graph *g, const graph_buffer *item);
uint32_t graph_add_access(graph *g, const graph_access *item);
uint32_t graph_add_arg(graph *g, const graph_arg *item);
uint32_t graph_add_dep(graph *g, const graph_dep *item);
uint32_t graph_add_task(graph *g, const graph_task *item);
uint32_t graph_add_scope(graph *g, bool manual, uint32_t parent);
uint32_t graph_add_host_access(graph *g, const graph_host_access *item);
uint32_t graph_add_choice(graph *g, const graph_choice *item);
uint32_t graph_add_when(graph *g, uint32_t choice, bool is, uint32_t parent);
void graph_add_impossible(graph *g, const graph_impossible *item);
void graph_add_fact(graph *g, const graph_fact *item);
uint32_t graph_add_site(graph *g, const graph_region_site *item);
uint32_t graph_add_dynamic(graph *g, uint32_t site, uint32_t parent);

/* A region with v's base and dimensions. */
uint32_t graph_add_region(graph *g, const view *v);

/*
 * The graph as a task-graph document in canonical compact JSON, which the
 * caller frees; NULL when out of memory.
 */
char *graph_write(const graph *g, const affine_pool *numbers, const char *rules,
                  size_t *length);

#endif
