/*
 * The embedded a2a3sim: discrete events in virtual time (spec 07). Nothing of
 * it reads the machine's clock, and all of its numbers are integers: the same
 * program, model and seed give the same run everywhere.
 */
#ifndef REPLAY_MACHINE_H
#define REPLAY_MACHINE_H

#include "replay/run.h"

/* What a machine takes at most; what passes it is REPLAY_RANGE. */
#define REPLAY_MOST_CLUSTERS 4096
#define REPLAY_MOST_SCHEDULERS 4
#define REPLAY_MOST_BLOCKS (1u << 26)            /* of all tasks together */
#define REPLAY_MOST_TICKS (UINT64_C(1) << 32)    /* of a block: 85 seconds */
#define REPLAY_MOST_OVERHEAD (UINT64_C(1) << 24) /* of dispatch and retire */

typedef enum replay_model {
    REPLAY_CONSTANT, /* every block takes `ticks` */
    REPLAY_BYTES,    /* `ticks` and one more per `rate` bytes of a block */
    REPLAY_SEEDED,   /* from `ticks` / 2 to 3 * `ticks` / 2, by seed and task */
    REPLAY_RECORD    /* `recorded`; `ticks` where that is 0 */
} replay_model;

typedef struct replay_machine {
    uint32_t clusters; /* 1 AIC and 2 AIV each; 8 as a2a3sim, 24 as the chip */
    uint32_t schedulers; /* threads that dispatch and retire, 1 to 4 */
    replay_model model;
    uint64_t ticks;    /* at least 1; of 20 ns, the clock of the records */
    uint64_t rate;     /* bytes per tick, at least 1 */
    uint64_t dispatch; /* ticks of a scheduler per dispatched block */
    uint64_t retire;   /* ticks of a scheduler per retired task */
    uint64_t seed;     /* of durations, and of ties between ready tasks */
    /* Ticks of a block, by task of the program (replay_recorded): 0 where the
       task is not in the record. Of REPLAY_RECORD; else NULL. */
    const uint64_t *recorded;
    /* Edges that are left out, to see what they cost: from, to by index. What
       is no edge is skipped in vain. */
    const uint32_t (*skipped)[2];
    uint32_t skipped_count;
} replay_machine;

/* 8 clusters, 2 schedulers; by bytes: 50 ticks (1 us) and 1,024 bytes a tick;
   10 ticks to dispatch, 5 to retire. */
extern const replay_machine replay_machine_default;

/* One block on one core; a MIX block stands at the AIC of its cluster, and
   takes all three cores. */
typedef struct replay_slot {
    uint32_t task, block;
    uint32_t core;       /* cluster * 3 + 0 AIC, 1 and 2 AIV */
    uint64_t begin, end; /* ticks; end > begin */
} replay_slot;

typedef struct replay_timeline {
    const replay_program *program;
    replay_slot *slots; /* by begin, then core */
    uint32_t slot_count;
    /* By task: when it was ready, when its first block began and its last
       ended; of what takes no core when a scheduler took it and was done. */
    uint64_t *ready, *begin, *end;
    uint64_t makespan; /* until the last task is retired */
    uint64_t *busy;    /* ticks by core: 3 * clusters */
    uint32_t clusters;
    /* With what a task takes alone on this machine, from ready to retired:
       dispatch of its blocks in waves, blocks, retirement. */
    uint64_t sequential;     /* all tasks one by one: over makespan, the
                                speed-up */
    uint64_t critical;       /* the longest path of edges; <= makespan */
    uint32_t *critical_path; /* its tasks, in order */
    uint32_t critical_count;
    uint32_t *order;      /* by end of the task: a legal order of all tasks */
    char digest[65];      /* SHA-256 of all slots and of the inputs, as hex */
    replay_result result; /* bytes: read at begin, written at end */
} replay_timeline;

/*
 * Runs the program on the machine. AIC and AIV blocks take a core of their
 * kind, MIX blocks a cluster that is idle as a whole, dummies none; blocks go
 * in waves as cores come free, sync_start ones begin together or wait. A
 * predicate is false when `without` of the variant has all accesses of its
 * task (its operand apart); the task is retired inline, at once. The host has
 * acted before all tasks, whatever the variant says (NULL: none). Tasks that
 * can never start are REPLAY_STUCK, with the first of them. Free with
 * replay_timeline_free; on failure there is nothing to free.
 * O((slots + edges) log cores + cells touched), and about 120 bytes for a task
 * with one block. Source: spec 07, Execution model.
 */
replay_status replay_machine_run(replay_timeline *timeline,
                                 const replay_program *program,
                                 const replay_machine *machine,
                                 const replay_variant *variant,
                                 replay_error *error);
void replay_timeline_free(replay_timeline *timeline);

/*
 * What REPLAY_RECORD takes as `recorded`: by task of the program how long a
 * block of it ran, from the document of a record with its trace (a bundle of
 * deps.json and chip_swimlane_records.json). The i-th task of the program is
 * the i-th that was submitted: ids are the runtime's own. Other numbers of
 * tasks, or no trace, are REPLAY_UNSUPPORTED. O(tasks).
 */
replay_status replay_recorded(uint64_t *ticks, const replay_program *program,
                              const oracle_document *record,
                              replay_error *error);

/*
 * What each of `count` edges (from, to by task index) costs: by how many ticks
 * the makespan of the same run is shorter without that edge. Less than 0 where
 * it is longer, as may be where all is dispatched as it becomes ready; 0 of
 * what is no edge. Predicates are as in the variant (NULL: true). O(count * a
 * run without bytes).
 */
replay_status replay_edge_costs(int64_t *ticks, const replay_program *program,
                                const replay_machine *machine,
                                const replay_variant *variant,
                                const uint32_t (*edges)[2], uint32_t count,
                                replay_error *error);

/*
 * The timeline as Chrome trace JSON (Perfetto opens it): a process per
 * cluster, a thread per core, a complete event per block (MIX: on all three),
 * an arrow per edge (at most 20,000, those of the critical path first; how
 * many there are stands in otherData). The caller frees *text with free().
 * O(slots + edges).
 */
replay_status replay_timeline_trace(char **text, size_t *length,
                                    const replay_timeline *timeline,
                                    replay_error *error);

/*
 * The timeline as a picture: a row per core of the clusters that worked, the
 * critical path marked. Blocks too narrow to be seen are drawn together, so
 * that it has at most 10,000 boxes; it says so. The caller frees *text with
 * free(). O(slots + clusters).
 */
replay_status replay_timeline_svg(char **text, size_t *length,
                                  const replay_timeline *timeline,
                                  replay_error *error);

#endif
