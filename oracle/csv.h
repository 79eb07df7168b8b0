/*
 * Memory plans and instances as CSV: a header and a row per buffer (docs/
 * formats.md). Columns in any order, by name: id, lower, upper, size, and
 * perhaps alignment, hint, gaps, offset. A buffer is alive in [lower, upper).
 */
#ifndef ORACLE_CSV_H
#define ORACLE_CSV_H

#include "arena.h"
#include "oracle/judge.h"

#include <stdbool.h>

/* In [lower, upper) only the bytes [from, to) of the buffer are alive. */
typedef struct oracle_csv_gap {
    int64_t lower, upper;
    int64_t from, to; /* equal: none */
} oracle_csv_gap;

typedef struct oracle_csv_row {
    oracle_text id;
    uint32_t line; /* of the text, from 1 */
    uint32_t first_gap, gaps;
    bool placed; /* it has an offset */
    int64_t lower, upper, size, align, offset;
} oracle_csv_row;

typedef struct oracle_csv {
    oracle_csv_row *rows; /* as in the text */
    uint32_t count;
    oracle_csv_gap *gaps; /* of each row in order, apart, within its life */
    uint32_t gap_count;
    bool has_offsets;     /* the column is there: it is a plan */
    const char **unknown; /* names of columns that were passed over */
    uint32_t unknown_count;
    oracle_arena *arena;
} oracle_csv;

/* Whether the first line has three names of columns, however apart. */
bool oracle_csv_detect(const char *text, size_t length);

/*
 * Reads the text, to which rows may point. On failure nothing is owned and
 * `error` says rule, line and column. Linear. Free with oracle_csv_free.
 */
oracle_status oracle_csv_read(oracle_csv *csv, const char *text, size_t length,
                              oracle_error *error);
void oracle_csv_free(oracle_csv *csv);

/* Some bytes of a buffer while nothing about them changes. */
typedef struct oracle_csv_piece {
    int64_t from, to;   /* time */
    int64_t begin, end; /* addresses; without a place bytes of the buffer */
    uint32_t row;
    bool placed; /* it has an address, within 64 bits */
} oracle_csv_piece;

typedef struct oracle_csv_pair {
    uint32_t first, second; /* pieces, by the time at which they begin */
} oracle_csv_pair;

/* What all pieces together show. */
typedef struct oracle_csv_sweep {
    oracle_csv_piece *pieces; /* by time, then as in the text */
    uint32_t count;
    int64_t lower;         /* bytes: the most that are alive together */
    int64_t lower_at;      /* a time at which they are */
    bool more;             /* it is more than 64 bits hold */
    uint64_t overlaps;     /* pairs of pieces that share a byte and a time */
    oracle_csv_pair *list; /* the first of them */
    uint32_t listed;
} oracle_csv_sweep;

/* O(n log n + listed), whatever the number of overlaps. False: no memory. */
bool oracle_csv_look(oracle_csv_sweep *sweep, const oracle_csv *csv,
                     uint32_t limit, oracle_arena *arena);

/*
 * The judgement of such a text: memory.bounds, .missing, .alignment, .overlap,
 * .waste; as oracle_judge_text. `judgement` has its arena already.
 */
oracle_status oracle_csv_judge(oracle_judgement *judgement, const char *text,
                               size_t length,
                               const oracle_judge_options *options);

#endif
