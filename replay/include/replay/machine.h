/*
 * The embedded a2a3sim: discrete events in virtual time (spec 07). Nothing of
 * it reads the machine's clock, and all of its numbers are integers: the same
 * program, model and seed give the same run everywhere.
 */
#ifndef REPLAY_MACHINE_H
#define REPLAY_MACHINE_H

#include "replay/run.h"

typedef enum replay_model {
    REPLAY_CONSTANT, /* every block takes `ticks` */
    REPLAY_BYTES,    /* `ticks` and one more per `rate` bytes of a block */
    REPLAY_SEEDED,   /* from `ticks` / 2 to 3 * `ticks` / 2, by seed and task */
    REPLAY_RECORD    /* as the swimlane of a run has it */
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
    const uint64_t *recorded; /* by task of the program, 0: not in the record */
    /* Edges that are left out, to see what they cost: from, to by index. */
    const uint32_t (*skipped)[2];
    uint32_t skipped_count;
} replay_machine;

extern const replay_machine replay_machine_default; /* 8, 2, bytes */

/* One block on one core (of a MIX block: the AIC of its cluster). */
typedef struct replay_slot {
    uint32_t task, block;
    uint32_t core;       /* cluster * 3 + 0 AIC, 1 and 2 AIV; MIX: its AIC */
    uint64_t begin, end; /* ticks */
} replay_slot;

typedef struct replay_timeline {
    const replay_program *program;
    replay_slot *slots; /* by begin, then core */
    uint64_t slot_count;
    uint64_t *ready, *begin, *end; /* by task; of a dummy all three are equal
                                      but for the scheduler's ticks */
    uint64_t makespan;
    uint64_t *busy; /* by core: 3 * clusters */
    uint32_t clusters;
    uint64_t sequential;     /* sum of what the tasks take one by one */
    uint64_t critical;       /* longest path of durations */
    uint32_t *critical_path; /* its tasks, in order */
    uint32_t critical_count;
    uint32_t *order;      /* by end of the task: a legal order of all tasks */
    char digest[65];      /* SHA-256 of all slots and, of the memory, inputs */
    replay_result result; /* bytes: read at begin, written at end */
} replay_timeline;

/*
 * Runs the program on the machine. AIC and AIV blocks take a core of their
 * kind, MIX blocks a cluster that is idle as a whole, dummies none; blocks go
 * in waves as cores come free, sync_start ones together or not at all. A
 * predicate that is false (`without` of the variant has all its accesses)
 * retires its task inline. Tasks that can never start are REPLAY_STUCK with
 * the first of them. Free with replay_timeline_free.
 * O((slots + edges) log slots + cells touched).
 */
replay_status replay_machine_run(replay_timeline *timeline,
                                 const replay_program *program,
                                 const replay_machine *machine,
                                 const replay_variant *variant,
                                 replay_error *error);
void replay_timeline_free(replay_timeline *timeline);

/*
 * What an edge costs: the makespan of the same run without it, 0 where it
 * costs nothing. The edge by task indexes.
 */
replay_status replay_edge_cost(int64_t *ticks, const replay_program *program,
                               const replay_machine *machine, uint32_t from,
                               uint32_t to, replay_error *error);

/* The timeline as Chrome trace JSON (Perfetto opens it), and as SVG. The
 * caller frees *text with free(). O(slots). */
replay_status replay_timeline_trace(char **text, size_t *length,
                                    const replay_timeline *timeline,
                                    replay_error *error);
replay_status replay_timeline_svg(char **text, size_t *length,
                                  const replay_timeline *timeline,
                                  replay_error *error);

#endif
