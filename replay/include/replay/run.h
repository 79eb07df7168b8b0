/*
 * Runs of a program in an order, one task after the other, and what differs
 * from the run in program order (spec 07, Embedded a2a3sim).
 */
#ifndef REPLAY_RUN_H
#define REPLAY_RUN_H

#include "replay/program.h"

/* How a run differs from that in program order, besides its order. */
typedef struct replay_variant {
    bool own_places; /* each buffer in a place of its own, without the plan */
    /* The host acts before all tasks, as it does when the graph is built; else
       each access before as many tasks have run as stand before it. */
    bool host_first;
    /* Blocks one by one, each reads and then writes: from the last to the
       first, writes in reverse order; and from the first to the last. */
    bool inside_back, inside_forth;
    uint8_t fill;        /* what nobody has written holds this */
    const bool *without; /* accesses (of program.accesses) that do not happen */
} replay_variant;

/*
 * What was read, as two hashes: whose writes it was, and which bytes those
 * wrote. By task and then by host access; by buffer what external ones hold at
 * the end (0 for others).
 */
typedef struct replay_result {
    uint64_t *inputs;  /* bytes */
    uint64_t *sources; /* whose: two runs that differ here differ at a root */
    uint64_t *finals;  /* bytes, by buffer */
    uint64_t *final_sources;
} replay_result;
/* (The arrays belong to one block; free it with replay_result_free.) */
void replay_result_free(replay_result *result);

/* In which order the tasks of a program run: a permutation of indexes. */
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

#define REPLAY_HOST (UINT32_MAX - 1) /* instead of a task */

/* A root: somebody reads what another wrote than in program order. */
typedef struct replay_difference {
    uint32_t task;   /* reader: index; REPLAY_HOST; REPLAY_NONE: the caller */
    uint32_t arg;    /* argument of the task; REPLAY_NONE: predicate, caller;
                        of the host: which of its accesses */
    uint32_t buffer; /* of the document */
    int64_t begin, end; /* bytes of its storage: first of the differing ones,
                           end of the last */
    uint32_t expected;  /* task whose write is read in program order, or
                           REPLAY_HOST; REPLAY_NONE: what was there before */
    uint32_t seen;      /* ... in this run */
    /* Of program.accesses, which of theirs; REPLAY_NONE: none is. */
    uint32_t expected_access, seen_access;
    bool sure; /* whatever part of their bounds accesses touch */
    /* Accesses that must not happen for it to be seen (of a predicated task
       all); all others happen. In a block with the difference. */
    const uint32_t *without;
    uint32_t without_count;
} replay_difference;

/*
 * Compares the run of `order` with that of program order in which each buffer
 * has a place of its own. *count differences, by reader in program order, the
 * host's and then the caller's last; one per reader, argument, expected, seen
 * and sure. The block is the caller's: free(*differences). None: every task,
 * the host and the caller read the same. What nobody has written is compared
 * where each buffer has a place of its own; at an address it is anybody's.
 * O(two runs), and two more for what is told.
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
    bool stopped; /* before all were tried; what was is told */
    /* One per reader, argument, expected, seen and sure: the first. */
    replay_proof *proofs;
    uint32_t proof_count;
    struct replay_arena *arena;
} replay_tried;

/*
 * The adversarial set: the legal order, eager and lazy of every task, and the
 * variants that the program has parts for (inside, fill, storages apart): 2n +
 * c runs, or twice as many, which show every read that some legal order lets go
 * wrong (docs/replay.md, "Why 2n"). O(tasks * a run). Free with
 * replay_tried_free; after a failure there is nothing to free.
 */
replay_status replay_adversarial(replay_tried *tried,
                                 const replay_program *program,
                                 replay_error *error);

/* `count` random orders, of the seeds `seed`, `seed` + 1, ... */
replay_status replay_seeds(replay_tried *tried, const replay_program *program,
                           uint64_t seed, uint64_t count, replay_error *error);
void replay_tried_free(replay_tried *tried);

/* The order of a proof. */
replay_status replay_proof_order(uint32_t *order, const replay_program *program,
                                 const replay_proof *proof,
                                 replay_error *error);

#endif
