/*
 * A storage judged by sets (docs/oracle.md, Pairs as sets): which accesses are
 * paired is never listed, but asked of 512 writes at a time. For storages with
 * so many pairs that one by one is too much.
 */
#ifndef ORACLE_HAZARD_SETS_H
#define ORACLE_HAZARD_SETS_H

#include "bit_tree.h"
#include "hazard_work.h"

/* ranges[first .. first + count), ascending and apart. */
typedef struct oracle_parts {
    uint32_t first, count;
} oracle_parts;

/* What an argument reads, or writes; pieces are numbered by their bytes. */
typedef struct oracle_side {
    uint32_t item; /* the first of them */
    uint32_t task;
    bool writes, must;
    bool both;        /* the argument does the other, too */
    uint32_t write;   /* which write it is; of a read: ORACLE_NONE */
    oracle_parts all; /* of a read: without what its task reads before it */
    /* Of a write: */
    oracle_parts read;    /* where somebody sees what it writes */
    oracle_parts settled; /* there, or where its task reads, too */
    oracle_parts loose;   /* elsewhere */
    oracle_parts apart;   /* read, but not by its task */
    oracle_parts dead;    /* nobody reads it, nor any other write behind it */
    uint32_t site;        /* its class; 0: pairs of it are each their own */
} oracle_side;

/* Classes whose pairs are counted together; more are not told apart. */
#define ORACLE_SET_CLASSES 64u

typedef struct oracle_sets {
    oracle_hazards *hazards;
    oracle_execution *execution;
    const uint32_t *list; /* items of the storage, in program order */
    uint32_t list_count;
    oracle_touch *touches; /* of each of them */
    oracle_side *sides;    /* in program order, without the caller's */
    uint32_t count;
    uint32_t first_task;
    uint32_t class_count, alone; /* sides without a class */
    uint32_t *writes;            /* sides[] */
    uint32_t write_count;
    int64_t *borders;
    uint32_t pieces, size; /* `size`: at least pieces, a power of two */
    oracle_range *ranges;
    uint32_t range_count, range_room;
    oracle_parts caller;
    /* By node, as in a bit tree: the last read, the last write, and, counted
       from the end, the first read. */
    uint32_t *last_read, *last_write, *first_read;
    oracle_bits *rows; /* by task from the first: what of the block comes before
                          (or after) */
    oracle_bit_tree seen, open, dead;
    bool failed, too_much;
} oracle_sets;

/* A pair that is kept, and the pieces where it is found. */
typedef struct oracle_set_pair {
    uint32_t producer, consumer; /* sides[] */
    oracle_hazard_kind kind;
    oracle_range span;
} oracle_set_pair;

/* All writes and their bytes, for witnesses; they outlive the execution. */
typedef struct oracle_written {
    oracle_item *items;
    oracle_touch *touches;
} oracle_written;

typedef enum oracle_sets_result {
    ORACLE_SETS_DONE,
    ORACLE_SETS_OTHER, /* not for this method */
    ORACLE_SETS_NO_MEMORY
} oracle_sets_result;

/*
 * The sides and their parts. OTHER: an access is not exact or has symbols, an
 * accumulation, an argument that reads other bytes than it writes.
 */
oracle_sets_result oracle_sets_start(oracle_sets *sets, oracle_hazards *hazards,
                                     oracle_execution *execution,
                                     const uint32_t *list, uint32_t count);
void oracle_sets_end(oracle_sets *sets);

/* Sets the class of each side. */
bool oracle_sets_classify(oracle_sets *sets);

/* Whether pairs of one site are counted as one: few classes, or all alone. */
bool oracle_sets_joins(const oracle_sets *sets);

/* Pieces touched, over all accesses. */
uint64_t oracle_sets_touched(const oracle_sets *sets);

/* Reads of what nobody wrote. */
bool oracle_sets_judge_fresh(oracle_sets *sets);

/* False: no memory. */
bool oracle_sets_copy_writes(const oracle_sets *sets, oracle_written *written);
/* No memory: skip_count without skipped. */
oracle_hazard oracle_sets_hazard(const oracle_sets *sets,
                                 const oracle_set_pair *pair,
                                 const oracle_written *written);

/* All pairs: counted, and as many kept as may be listed. */
bool oracle_sets_judge(oracle_sets *sets);

#endif
