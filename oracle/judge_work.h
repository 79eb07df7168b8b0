/* One judgement while it is made; see judge.c for the way through it. */
#ifndef ORACLE_JUDGE_WORK_H
#define ORACLE_JUDGE_WORK_H

#include "finding.h"
#include "hazard.h"
#include "members.h"
#include "record.h"
#include "reuse.h"

/* A record and, of a hazard, where it came from. */
typedef struct oracle_entry {
    oracle_record record;
    uint32_t hazard; /* in hazards.list, or ORACLE_NONE */
    uint32_t reuse;  /* in reuses.list, or ORACLE_NONE */
} oracle_entry;

typedef struct oracle_judging {
    const oracle_document *document;
    oracle_judgement *judgement;
    oracle_arena *arena; /* the judgement's */
    oracle_entry *entries;
    uint32_t count;
    oracle_hazards hazards;
    const oracle_members *members; /* NULL: judged from memory */
    const oracle_document *score;  /* the Score among them, or NULL */
    uint32_t paths;                /* looked up so far */
    const oracle_memory *memory;   /* its places; NULL: no plan */
    oracle_reuses reuses;
    bool cyclic;
    bool recorded;  /* some edges are from a runtime's record */
    bool uncertain; /* some may be missing */
    struct oracle_crossings *crossings; /* of manual scopes; NULL: not asked */
    oracle_asking asking;               /* how order is asked for */
    uint32_t advised;                   /* of the options */
} oracle_judging;

/* Keeps a record. False: no memory, as everywhere here. */
bool oracle_judging_add(oracle_judging *judging, oracle_record record);
/* Adds a line to what is undecided. */
bool oracle_judging_undecided(oracle_judging *judging, const char *text);

/* Adds a line to what the verdict rests on. */
bool oracle_judging_assume(oracle_judging *judging, const char *text);

/* A record without ends and storage. */
oracle_record oracle_record_of(const char *rule, oracle_severity severity);

/* graph.* but the cycle, and the reader's remarks. */
bool oracle_judge_graph(oracle_judging *judging);
/* task.self-overlap, predicate.form. */
bool oracle_judge_tasks(oracle_judging *judging);
/* task.block-race. */
bool oracle_judge_blocks(oracle_judging *judging);
/* limit.*: what the runtime takes at most. */
bool oracle_judge_limits(oracle_judging *judging);
/* direction.mismatch. */
bool oracle_judge_directions(oracle_judging *judging);
/* host.stale-read. */
bool oracle_judge_host(oracle_judging *judging);

/* runtime.lost-edge, and what a record leaves undecided. */
bool oracle_judge_record(oracle_judging *judging);
/* trace.order, trace.race. */
bool oracle_judge_trace(oracle_judging *judging);
/*
 * The record of a run with the graph or the Score beside it, once the record
 * is read into `record`.
 */
oracle_status oracle_judge_run(oracle_judgement *judgement,
                               oracle_document *record,
                               const oracle_members *members,
                               const oracle_judge_options *options);
/* Derives what is left to derive, and judges. */
oracle_status oracle_judge_derived(oracle_judgement *judgement,
                                   oracle_document *document,
                                   const oracle_members *members,
                                   const oracle_document *score,
                                   const oracle_judge_options *options);

/*
 * As oracle_judge_text, from JSON that is no folded one, into a judgement that
 * has its arena and may have lines of what is undecided. `known`: or NULL.
 */
oracle_status oracle_judge_json(oracle_judgement *judgement, oracle_json *json,
                                const oracle_known *known,
                                const oracle_judge_options *options);

/* The fingerprint and the meaning of a bundle, into the judgement. */
bool oracle_judge_identity(oracle_judgement *judgement,
                           const oracle_document *graph,
                           const oracle_members *members);

/* Rules between the members of a bundle: score.*, policy.*, handle.*, hbg.* */
bool oracle_judge_members(oracle_judging *judging);

/* memory.overlap, parallel-reuse, external, interleaved, waste: entries. */
bool oracle_judge_list_reuses(oracle_judging *judging);
/* Message and witness of one of these, as oracle_judge_tell. */
bool oracle_judge_tell_reuse(oracle_judging *judging, oracle_entry *entry,
                             const oracle_execution *execution);

/*
 * The cause of a hazard's entry, static. Whether edges lead the other way is
 * left out: `reversed` counts as `missing-edge`.
 */
const char *oracle_judge_cause(const oracle_judging *judging,
                               const oracle_entry *entry);
/* Joins the sorted entries of one site (judge_sites.c). Linear. */
bool oracle_judge_sites(oracle_judging *judging);
/* Puts into the message how many findings the record stands for. */
bool oracle_judge_say_count(oracle_judging *judging, oracle_record *record);

/* Judges the executions, each by itself; entries of what was found. */
bool oracle_judge_executions(oracle_judging *judging);
/* edge.false, edge.fan-in, edge.kind, edge.redundant, after executions. */
bool oracle_judge_edges(oracle_judging *judging);
/* Cause, message and witness of the first `listed` entries. */
bool oracle_judge_tell_all(oracle_judging *judging, uint32_t listed);

/* Makes entries of the hazards, without message and witness. */
bool oracle_judge_list_hazards(oracle_judging *judging);
/*
 * Fills cause, message and witness of one hazard's entry, of its execution.
 */
bool oracle_judge_tell(oracle_judging *judging, oracle_entry *entry,
                       const oracle_execution *execution);

/*
 * Parts of a hazard's sentence (judge_reason.c): why it is open; the dead or
 * reused dep of a task, empty: it has none; the manual scope that the pair
 * leaves (`out`) or enters, with all tasks that do so; what carries them all.
 */
const char *oracle_tell_open(oracle_judging *judging,
                             const oracle_hazard *hazard,
                             const oracle_order *order);
const char *oracle_tell_lost_dep(oracle_judging *judging, uint32_t task);
const char *oracle_tell_scope(oracle_judging *judging,
                              const oracle_hazard *hazard, bool out);
const char *oracle_tell_bridge(oracle_judging *judging,
                               const oracle_hazard *hazard, bool out);

/* "task 3 "name"": lines stand in the record. NULL: no memory. */
const char *oracle_tell_task(oracle_arena *arena, const oracle_document *d,
                             uint32_t task);
/* "bytes 0 to 63 of param:x", "param:x". */
const char *oracle_tell_bytes(oracle_arena *arena, const oracle_document *d,
                              uint32_t buffer, int64_t begin, int64_t end);

#endif
