/*
 * Right plans and changes of them (the kill rate of the oracle). A plan is a
 * Score with PlanHandle, memory plan and host_build_graph plan, or a task graph
 * with regions and a memory plan, as a bundle. Plans are right by construction:
 * an order for every pair of tasks that meet in a byte, and common addresses
 * only for storages whose accesses are all in order.
 *
 * Whether a change breaks a plan is said by the twin, where it is about order
 * and bytes, and by the facts of plans_facts.c (spec 01, 03, 04 and 06,
 * literally) where it is about what documents say.
 */
#ifndef ORACLE_TESTS_PLANS_H
#define ORACLE_TESTS_PLANS_H

#include "maker.h"

#define PLAN_TASKS 10
#define PLAN_KEYS 10
#define PLAN_ARGS 5
#define PLAN_EDGES 80
#define PLAN_BINDINGS 64
#define PLAN_FUNCS 3
#define PLAN_TEXT 65536

typedef enum plan_way {
    PLAN_READ,
    PLAN_WRITE,
    PLAN_INOUT,
    PLAN_ADD, /* atomically; not in a Score */
    PLAN_SCALAR
} plan_way;

typedef struct plan_arg {
    plan_way way;
    uint32_t key;
    int64_t begin, count, stride; /* count 0: all of it */
} plan_arg;

typedef struct plan_task {
    int64_t id;
    uint32_t func;
    plan_arg args[PLAN_ARGS];
    uint32_t arg_count;
    bool predicated; /* by a byte of a buffer; not in a Score */
    plan_arg operand;
} plan_task;

typedef struct plan_key {
    char name[16];
    bool external;
    bool keyless; /* an argument's value, without a storage key */
    int64_t bytes, align;
    uint32_t alias_of; /* or ORACLE_NONE */
    int64_t alias_at;
} plan_key;

typedef struct plan_place {
    uint32_t key;
    int64_t offset, size;
} plan_place;

typedef struct plan_edge {
    int64_t from, to; /* ids */
} plan_edge;

typedef struct plan_binding {
    int64_t task;
    uint32_t arg;
    char key[16]; /* empty: null */
    plan_way way;
    uint32_t handle;
} plan_binding;

typedef struct plan_func {
    char name[16];
    int64_t id, runtime; /* runtime -1: null */
} plan_func;

/* What the plan has. */
typedef struct plan_traits {
    bool reduced, indirect, partial, in_place, reuse, predicates;
} plan_traits;

typedef struct plan {
    bool graph; /* with regions; else a Score with its handle */
    bool with_hbg, with_graph;
    plan_task tasks[PLAN_TASKS];
    uint32_t task_count;
    plan_key keys[PLAN_KEYS];
    uint32_t key_count;
    plan_edge edges[PLAN_EDGES];
    uint32_t edge_count;
    plan_place places[PLAN_KEYS];
    uint32_t place_count;
    int64_t peak;
    /* Of the handle and the host_build_graph plan. */
    plan_func funcs[PLAN_FUNCS];
    uint32_t func_count;
    plan_binding bindings[PLAN_BINDINGS];
    uint32_t binding_count;
    char handle_digest[65], hbg_digest[65];
    char note[8], title[8]; /* metadata and name of the Score */
    plan_traits traits;
} plan;

/* The plan of that number; right. */
void plan_make(plan *p, uint64_t seed, uint64_t number);

/* Makes what follows from the rest: peak; funcs, bindings and digests. */
void plan_seal_memory(plan *p);
void plan_seal_handle(plan *p);

/* As a document for the twin: edges without ends are left out. */
void plan_document(const plan *p, maker *m);

/*
 * The bundle; `hbg`: the plan of which the host_build_graph plan was made. The
 * text has PLAN_TEXT bytes; its length.
 */
size_t plan_text(char *text, const plan *p, const plan *hbg);
/* The fingerprint of the Score (spec 01), with a NUL. */
void plan_fingerprint(char digest[65], const plan *p);

/* --- Changes --- */

typedef enum plan_change {
    PLAN_DROP_EDGE,
    PLAN_BACK_EDGE,
    PLAN_SHIFT_OFFSET,
    PLAN_SHORTEN,
    PLAN_SWAP_KEYS,
    PLAN_RETARGET,
    PLAN_DIRECTION,
    PLAN_FINGERPRINT,
    PLAN_DROP_BINDING,
    PLAN_UNBIND,
    PLAN_CHANGES
} plan_change;

extern const char *const plan_change_names[PLAN_CHANGES];

/*
 * Changes a plan in this way; `hbg` gets the plan of which the
 * host_build_graph plan is made. False when there is nothing to change.
 */
bool plan_apply(plan *p, plan *hbg, plan_change change, uint64_t seed,
                uint64_t number);

/* --- What is wrong with the documents, literally --- */

/* Each a rule; as bits. */
typedef enum plan_fact {
    PLAN_CYCLE,        /* graph.cycle */
    PLAN_SELF_EDGE,    /* graph.self-edge */
    PLAN_EDGE_END,     /* graph.edge-end */
    PLAN_SCORE_VALID,  /* score.valid */
    PLAN_SELF_OVERLAP, /* task.self-overlap */
    PLAN_BOUNDS,       /* memory.bounds */
    PLAN_PEAK,         /* memory.peak */
    PLAN_ALIGNMENT,    /* memory.alignment */
    PLAN_SPLIT,        /* memory.alias-split */
    PLAN_DIGEST,       /* score.fingerprint */
    PLAN_FUNC_MISSING, /* handle.func-missing */
    PLAN_NO_BINDING,   /* handle.binding-missing */
    PLAN_BINDING_KEY,  /* handle.binding-key */
    PLAN_BINDING_WAY,  /* handle.binding-direction */
    PLAN_HBG_ARGS,     /* hbg.args */
    PLAN_HBG_TASK,     /* hbg.task */
    PLAN_SCALAR_LOST,  /* hbg.scalar-lost */
    PLAN_FACTS
} plan_fact;

extern const char *const plan_fact_rules[PLAN_FACTS];

/* The facts that hold of the bundle, as bits. */
uint32_t plan_facts(const plan *p, const plan *hbg);

/* The facts, and the rules about order and bytes, that a change can lead to. */
uint32_t plan_admits(plan_change change);
bool plan_admits_rule(plan_change change, const char *rule);

/* --- The whole --- */

/*
 * `count` changes of right plans, judged: every plan is without error before,
 * and after a change exactly when it is not broken; with the rules that the
 * facts and the twin demand. Prints the table. False, and what is wrong on
 * stderr, when it is not so.
 */
bool plan_kill(uint64_t seed, uint64_t count);

#endif
