/*
 * Which bytes the blocks and lanes of a task touch, and where two of them touch
 * the same: for task.block-race.
 */
#ifndef ORACLE_BLOCKS_H
#define ORACLE_BLOCKS_H

#include "arena.h"
#include "region.h"

#define ORACLE_BLOCK_TERMS 256

enum { ORACLE_BLOCK, ORACLE_LANE, ORACLE_INDEXES };

/* An exact access that names a block or a lane. */
typedef struct oracle_block_touch {
    uint32_t arg;
    oracle_mode mode;
    oracle_place place;
    uint32_t symbol[ORACLE_INDEXES]; /* ORACLE_NONE: it does not name this */
} oracle_block_touch;

/* One block and lane of the task. */
typedef struct oracle_block_part {
    int64_t at[ORACLE_INDEXES];
} oracle_block_part;

/* A document of two regions, which stand for those of a pair. */
typedef struct oracle_couple {
    oracle_document d;
    oracle_buffer buffers[2];
    oracle_region regions[2];
    oracle_dim dims[2 * ORACLE_MAX_DIMS];
    oracle_term terms[ORACLE_BLOCK_TERMS];
    bool full; /* it has no room for them */
} oracle_couple;

typedef struct oracle_blocks {
    const oracle_document *d;
    oracle_symbol *symbols; /* the document's, and three for each index */
    int64_t *values;        /* of the symbols, with which two parts met */
    oracle_couple couple;
    uint64_t work; /* parts and rows looked at so far */
    oracle_arena *arena;
} oracle_blocks;

typedef enum oracle_block_answer {
    ORACLE_BLOCK_NO,
    ORACLE_BLOCK_YES,
    ORACLE_BLOCK_OPEN,
    ORACLE_BLOCK_NO_MEMORY
} oracle_block_answer;

/* False: no memory. End it whatever came back. */
bool oracle_blocks_start(oracle_blocks *blocks,
                         const oracle_document *document);
void oracle_blocks_end(oracle_blocks *blocks);

/*
 * The exact accesses of a task that name an index: how many, of which the
 * first `room` are kept.
 */
uint32_t oracle_blocks_collect(const oracle_blocks *blocks, uint32_t task,
                               oracle_block_touch *touches, uint32_t room);

/*
 * Whether parts of two touches of one task (a touch and itself) would be in
 * conflict where they meet: both name an index, one writes.
 */
bool oracle_blocks_conflict(const oracle_blocks *blocks,
                            const oracle_block_touch *a,
                            const oracle_block_touch *b);

/* Whether no two different parts meet, whatever the symbols are. Constant. */
bool oracle_blocks_apart(oracle_blocks *blocks, const oracle_block_touch *a,
                         const oracle_block_touch *b);

/*
 * Two different parts of a conflict that meet for some legal values of the
 * symbols, into `found`. The number of blocks is known. O(rows log rows), at
 * most 2^18 of them and 2^23 in a document.
 */
oracle_block_answer
oracle_blocks_compare(oracle_blocks *blocks, uint32_t task,
                      const oracle_block_touch *const touches[2],
                      oracle_block_part found[2]);

/* The bytes that two parts have in common; false: none, or too many rows. */
bool oracle_blocks_common(oracle_blocks *blocks,
                          const oracle_block_touch *const touches[2],
                          const oracle_block_part found[2], oracle_span *span);

/* Whether a symbol other than block and lane is in one of the regions. */
bool oracle_blocks_symbolic(const oracle_blocks *blocks,
                            const oracle_block_touch *const touches[2]);

#endif
