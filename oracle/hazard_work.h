/* One storage while it is judged; for hazard_storage.c and hazard_view.c. */
#ifndef ORACLE_HAZARD_WORK_H
#define ORACLE_HAZARD_WORK_H

#include "hazard.h"

typedef struct oracle_scan {
    oracle_hazards *hazards;
    oracle_execution *execution;
    uint32_t *base, base_count;      /* what each of the group comes after */
    uint32_t *group, group_count;    /* the last writer, or accumulations */
    uint32_t *readers, reader_count; /* since the group */
    oracle_pair *pairs;
    uint32_t pair_count;
    oracle_id_table index; /* pair of tasks to pairs[] */
    bool looking;          /* second pass: the pairs are answered */
    bool broken;           /* ... and one of this atom is not ordered */
    bool failed, large;
} oracle_scan;

typedef struct oracle_storage_work {
    oracle_scan scan;
    oracle_atoms atoms;
    bool *bound;        /* by item, as the next */
    uint32_t *position; /* in the list */
    bool *broken;       /* by atom */
    uint32_t *from;     /* by atom: which of the view's it is */
    uint32_t broken_count;
    const uint32_t *list;
    uint32_t count;
    int64_t *values;
    bool whole; /* the list is all of the storage, in the only execution */
} oracle_storage_work;

oracle_storage_work oracle_storage_work_of(oracle_hazards *hazards,
                                           oracle_execution *execution);

/* Lists the pairs of the chains. */
bool oracle_storage_list_pairs(oracle_storage_work *work);

/* Which atoms have a pair in their chain that is not ordered. */
bool oracle_storage_find_broken(oracle_storage_work *work);

/* Whether a storage may be judged by sets in this execution. */
bool oracle_storage_fits_sets(const oracle_execution *execution);

/* Steps from which it is. */
uint64_t oracle_storage_sets_from(const oracle_hazards *hazards);

/* The chain and the definition over the atoms of the work. */
bool oracle_storage_judge(oracle_hazards *hazards, oracle_storage_work *work);

/* Sorts numbers and drops repeats; how many are left. */
uint32_t oracle_unique_numbers(uint32_t *numbers, uint32_t count);

#endif
