/*
 * Hazards of one execution (spec 06, What right means; Necessary pairs).
 *
 * First, for each atom, a chain of pairs is made so that all conflicts are
 * ordered when those pairs are: every access against the nearest ones before
 * it. It is linear in the accesses, and for most atoms the end. For the
 * others the definition itself is applied: a read of w's value is right when w
 * happens before it and every other write before w or after the read.
 */
#ifndef ORACLE_HAZARD_H
#define ORACLE_HAZARD_H

#include "access.h"
#include "facts.h"
#include "order.h"
#include "table.h"

typedef enum oracle_hazard_kind {
    ORACLE_HAZARD_RAW,
    ORACLE_HAZARD_WAW,
    ORACLE_HAZARD_WAR,
    ORACLE_HAZARD_UNINITIALISED,
    ORACLE_HAZARD_DEAD_WRITE
} oracle_hazard_kind;

typedef struct oracle_hazard {
    oracle_hazard_kind kind;
    /* Some legal execution surely shows it; else whether bytes meet, or
       whether an edge is there, is open (for uninitialised: a warning). */
    bool decided;
    oracle_item producer, consumer; /* in program order */
    /* The read that sees `intruder` (or any other) in place of `writer`. */
    oracle_item reader, writer, intruder;
    bool initial;         /* `writer` is what was there before the first task */
    oracle_item *skipped; /* accesses that do not happen in that execution */
    uint32_t skip_count;
    bool skip_between;         /* all between writer and reader that need not */
    const oracle_item *writes; /* of those bytes, all, in program order */
    const oracle_touch *touches; /* of each, if not all are of those bytes */
    uint32_t write_count;
    oracle_interval shown; /* bytes of the witness */
    oracle_interval hull;  /* of all that was merged into it */
    int64_t *values;       /* of the symbols, or NULL */
    uint64_t times;        /* pairs of the same classes; 0: it is alone */
    uint32_t execution;
    uint32_t next; /* hazard of the same pair of arguments, or ORACLE_NONE */
} oracle_hazard;

/* Hazards by kind, and apart those of predicates' operands. */
enum { ORACLE_MORE_STALE = ORACLE_HAZARD_DEAD_WRITE + 1, ORACLE_MORE_KINDS };

/* Everything found in all executions of a document. */
typedef struct oracle_hazards {
    oracle_hazard *list;
    uint32_t count;
    oracle_id_table by_pair;
    uint64_t decided; /* orders surely lost, those of known pairs included */
    uint64_t steps;   /* work done where something was not ordered */
    bool exhausted;   /* ... and it was too much */
    oracle_id_table known; /* of two regions with symbols: how they lie */
    bool only_count;     /* no hazards, but how many pairs of the chains are */
    uint64_t loose;      /* ... not in order: the same ones when as many */
    uint64_t steps_seen; /* work done over executions */
    uint64_t trials;     /* values of symbols that were tried */
    oracle_facts facts;  /* of the document; made when first asked for */
    uint64_t more[ORACLE_MORE_KINDS]; /* counted by sets and not in the list */
    uint64_t limit;                   /* how many of a kind are kept at least */
    uint64_t sets_from; /* steps from which sets count; 0: as documented */
    bool *apart;        /* by buffer: pairs of one site are not joined */
    bool uncounted;     /* only_count: some storage was left out */
    bool *large;        /* by buffer: not judged, too many pieces */
    bool *unsure; /* by buffer: whether a read has all its bytes written */
    oracle_arena *arena;
} oracle_hazards;

/*
 * The atoms of a storage over all tasks of the document, whichever are
 * submitted; of regions with symbols, what they touch at most.
 */
typedef struct oracle_view {
    const uint32_t *list; /* items, in program order */
    uint32_t count;
    bool made, symbolic;
    bool shapeless; /* too many pieces even so: no atoms */
    bool initial;   /* oracle_storage_initial */
    bool whole;     /* never judged in parts */
    bool open;      /* nor is it where a bound may reach anywhere */
    oracle_atoms atoms;
    uint32_t *first, *of; /* the atoms of each item, when asked for */
} oracle_view;

/* A pair that is in order by a path, not by an edge. */
typedef struct oracle_watched {
    uint32_t from, to, storage;
} oracle_watched;

/* An atom in which something is not in order. */
typedef struct oracle_broken {
    uint32_t storage, atom;
} oracle_broken;

/* What another choice may change though its tasks do not touch it. */
typedef struct oracle_watch {
    oracle_watched *pairs;
    uint32_t count;
    oracle_broken *broken;
    uint32_t broken_count;
} oracle_watch;

/* Pairs of tasks that were asked together, by (from, to). */
typedef struct oracle_answers {
    oracle_pair *pairs;
    uint32_t count;
} oracle_answers;

/* One execution: which tasks are submitted, their order and accesses. */
typedef struct oracle_execution {
    const oracle_document *document;
    const bool *choices;
    const bool *present;
    bool complete;         /* all tasks are */
    bool once;             /* it is the only one: no view is asked for again */
    oracle_asking *asking; /* NULL: blocks answer */
    uint32_t number;
    oracle_items items;   /* of all tasks, whichever are present */
    oracle_order certain; /* without the edges that may be missing */
    oracle_order all;
    oracle_edge *own; /* edges that may be missing, by (from, to) */
    uint32_t own_count;
    /* Work space, by item and by task. */
    bool *bound;
    uint32_t *position, *row_certain, *row_all;
    oracle_view *views; /* by buffer, of roots */
    /* NULL, or the order by edges that have no conditions. */
    const oracle_order *fixed;
    oracle_watch *watch;           /* NULL, or to be filled */
    oracle_watch *watched;         /* NULL, or filled by an earlier execution */
    const oracle_answers *answers; /* NULL: pairs are asked by storage */
    oracle_arena *arena;           /* freed with the execution */
    oracle_arena *shared;          /* of all executions of a document */
} oracle_execution;

/* Adds the pairs of a storage's chains. False: no memory. */
bool oracle_hazards_list_pairs(oracle_answers *answers, oracle_hazards *hazards,
                               oracle_execution *execution, uint32_t storage,
                               oracle_arena *arena);

/* Pairs among `some` items of one storage are asked, in sight of the list. */
typedef struct oracle_suspects {
    const uint32_t *some;
    uint32_t some_count;
    const uint32_t *list;
    uint32_t count;
} oracle_suspects;

/* The accesses of one atom, and what is known of their order. */
typedef struct oracle_doubt {
    const oracle_execution *execution;
    const oracle_closure *certain, *all;
    const uint32_t *list; /* all that touch the atom, or some in a row */
    uint32_t count;
    bool cut;              /* others come before them */
    const uint32_t *whole; /* all that touch the atom */
    uint32_t whole_count;
    oracle_atom atom;
    const bool *bound;
    const int64_t *values;
} oracle_doubt;

/* Whether an access that may be missing still orders this pair. */
bool oracle_own_edge(const oracle_execution *execution, const oracle_item *a,
                     const oracle_item *b);

/* The arguments of two accesses as one number. */
int64_t oracle_pair_key(const oracle_document *document, const oracle_item *a,
                        const oracle_item *b);

/*
 * Keeps a hazard, or merges it into the same one of other bytes. False when
 * there is no memory.
 */
bool oracle_hazard_keep(oracle_hazards *hazards,
                        const oracle_document *document,
                        const oracle_hazard *hazard);

/*
 * Whether the bytes of a storage have a value from the start; an external
 * alias gives its storage the caller's.
 */
bool oracle_storage_initial(const oracle_execution *execution,
                            const uint32_t *list, uint32_t count);

/* Whether the argument of an access writes, too. */
/*
 * The item gives its bytes a value, as far as anybody can say: a write, of a
 * task without predicate. A write that is only a bound is taken to reach all
 * of it.
 */
bool oracle_item_fills(const oracle_document *d, const oracle_item *item);

/*
 * Some write is at a place with symbols. It stands for others: of a loop of
 * unknown length a document has two passes, and the passes between and before
 * them write too. So it is not known what such a storage holds.
 */
bool oracle_storage_varies(const oracle_execution *e, const uint32_t *list,
                           uint32_t count);

/* Who else may have written what a read reads, in another execution. */
typedef enum oracle_elsewhere {
    ORACLE_ELSEWHERE_NEVER,
    ORACLE_ELSEWHERE_IF,  /* a branch that is not taken here */
    ORACLE_ELSEWHERE_LOOP /* a loop that does not run here */
} oracle_elsewhere;

oracle_elsewhere oracle_written_elsewhere(const oracle_execution *e,
                                          const oracle_item *read);

bool oracle_argument_writes(const oracle_document *d, const oracle_item *item);

/*
 * Collects the accesses and makes the work space of all executions, in
 * `shared`; `own` is sorted. False: no memory, as below.
 */
bool oracle_execution_start(oracle_execution *execution);

/* Finds the hazards of an execution without cycle. */
bool oracle_hazards_find(oracle_hazards *hazards, oracle_execution *execution);

/* How an execution differs from the one that filled `watched`. */
typedef struct oracle_change {
    const uint32_t *tasks; /* that come or go, ascending */
    uint32_t task_count;
    const oracle_pair *edges; /* the same of deps with conditions */
    uint32_t edge_count;
} oracle_change;

/*
 * The hazards of such an execution: only of what the tasks touch, and of pairs
 * whose path may have led through them or the edges. Edges follow program
 * order.
 */
bool oracle_hazards_change(oracle_hazards *hazards, oracle_execution *execution,
                           const oracle_change *change);

/* Judges one storage; only the `chosen` atoms of its view unless NULL. */
bool oracle_hazards_judge_view(oracle_hazards *hazards,
                               oracle_execution *execution, uint32_t storage,
                               const uint32_t *chosen, uint32_t count);

/* Judges one atom by the definition. */
bool oracle_hazards_judge_atom(oracle_hazards *hazards,
                               const oracle_doubt *doubt);

/* Judges `count` items of one storage whose numbers are all known. */
bool oracle_hazards_judge_storage(oracle_hazards *hazards,
                                  oracle_execution *execution,
                                  const uint32_t *list, uint32_t count,
                                  const oracle_values *values);

/*
 * Judges items whose regions have symbols, or whose storages may be the same
 * (then only what lies between two storages).
 */
bool oracle_hazards_judge_symbolic(oracle_hazards *hazards,
                                   oracle_execution *execution,
                                   const oracle_suspects *suspects,
                                   bool between);

#endif
