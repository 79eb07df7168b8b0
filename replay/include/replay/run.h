/*
 * Runs of a program in an order, one task after the other, and what differs
 * from the run in program order (spec 07, Embedded a2a3sim).
 */
#ifndef REPLAY_RUN_H
#define REPLAY_RUN_H

#include "replay/program.h"

/* How a run differs from that in program order, besides its order. */
typedef struct replay_variant {
    bool own_places;  /* each buffer in a place of its own, without the plan */
    bool host_first;  /* the host acts while the graph is built */
    bool inside_back; /* a task's writes, and its blocks, the other way round */
    bool touch;       /* bounds are touched whole; else not at all */
    uint8_t fill;     /* what nobody has written yet holds this */
    const bool *without; /* accesses (of program.accesses) that do not happen */
} replay_variant;

typedef struct replay_result {
    uint64_t
        *inputs; /* by task: what it read: whose writes, and their values */
    uint64_t *sources; /* by task: whose writes alone (spec 06: a value is what
                          one task writes) */
    uint64_t *finals;  /* by buffer: final bytes of external ones; else 0 */
    bool *doubtful;    /* by task and then by buffer: a bound may have been
                          touched since the writes that were read */
} replay_result;
/* (The arrays belong to one block; free it with replay_result_free.) */
void replay_result_free(replay_result *result);

/* The order in which the tasks of a program run: a permutation of indexes. */
typedef enum replay_schedule {
    REPLAY_PROGRAM, /* program order, whatever the edges */
    REPLAY_LEGAL,   /* program.legal */
    REPLAY_EAGER,   /* the ancestors of a task, it, then the rest */
    REPLAY_LAZY     /* all that does not descend from it, it, then the rest */
} replay_schedule;

/*
 * Writes program->task_count indexes into `order`; parts follow program.legal.
 * `task` is for eager and lazy. O(tasks + edges).
 */
replay_status replay_order(uint32_t *order, const replay_program *program,
                           replay_schedule schedule, uint32_t task,
                           replay_error *error);

/*
 * A legal order by seed: of the tasks that are ready any, each step as
 * likely. O((tasks + edges) log tasks).
 */
replay_status replay_order_random(uint32_t *order,
                                  const replay_program *program, uint64_t seed,
                                  replay_error *error);

/* Whether each task comes once and behind all its predecessors; the error
 * names the edge that is broken (REPLAY_ILLEGAL). O(tasks + edges). */
replay_status replay_order_check(const replay_program *program,
                                 const uint32_t *order, uint32_t count,
                                 replay_error *error);

/*
 * Runs the program. Each task reads all that it reads, then writes values that
 * follow from its token, the argument and what it read. A write that may
 * happen makes a value of its own of the one before it, so that two runs see
 * the same value of a byte exactly when they would for every choice of what
 * happens (docs/replay.md, "May"). O(cells touched).
 */
replay_status replay_run(replay_result *result, const replay_program *program,
                         const uint32_t *order, const replay_variant *variant,
                         replay_error *error);

/* The first root: a task, or the caller, who reads what another wrote. */
typedef struct replay_difference {
    uint32_t task;   /* index; REPLAY_NONE: the caller at the end */
    uint32_t arg;    /* argument of the task; REPLAY_NONE: predicate, caller */
    uint32_t buffer; /* of the document */
    int64_t begin, end;  /* bytes of its storage: first of the differing ones,
                            end of the last */
    uint32_t expected;   /* task index whose write is read in program order */
    uint32_t seen;       /* ... in this run; REPLAY_NONE both: nobody's */
    bool sure;           /* whatever of the bounds is touched */
    const bool *without; /* accesses that must be left out to see it; or NULL */
} replay_difference;

/*
 * Compares the run of `order` with that of program order. *count differences
 * (those tasks, in program order, that read from another writer, the caller
 * last), in a block that the caller frees with free(). None: every task read
 * the same and every external buffer ends the same. What nobody has written is
 * compared only with nobody's. O(a run), and a second for what is told.
 */
replay_status replay_compare(replay_difference **differences, uint32_t *count,
                             const replay_program *program,
                             const uint32_t *order,
                             const replay_variant *variant,
                             replay_error *error);

/* One run that differs, of all those that were tried. */
typedef struct replay_proof {
    replay_schedule schedule;
    uint32_t task; /* of eager and lazy */
    bool random;
    uint64_t seed;
    replay_variant variant;
    replay_difference difference;
} replay_proof;

typedef struct replay_tried {
    uint64_t runs;
    replay_proof *proofs; /* one per (reader, expected, seen): the first */
    uint32_t proof_count;
} replay_tried;

/*
 * The adversarial set: the legal order, eager and lazy of every task, and the
 * variants that the program has parts for (host, inside, fill, touch): 2n + c
 * runs, which show every read that some legal order lets go wrong
 * (docs/replay.md, "Why 2n"). O(tasks * a run). Free with replay_tried_free.
 */
replay_status replay_adversarial(replay_tried *tried,
                                 const replay_program *program,
                                 replay_error *error);

/* `count` random orders from `seed` on. */
replay_status replay_seeds(replay_tried *tried, const replay_program *program,
                           uint64_t seed, uint64_t count, replay_error *error);
void replay_tried_free(replay_tried *tried);

#endif
