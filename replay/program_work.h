/* What the files that make a program share. */
#ifndef REPLAY_PROGRAM_WORK_H
#define REPLAY_PROGRAM_WORK_H

#include "arena.h"
#include "fault.h"
#include "hash.h"

/* Rows and cells of a program at most. */
#define REPLAY_MOST_ROWS (UINT64_C(1) << 24)

/* Passes over facts and symbols in one search, where nothing else is said. */
#define REPLAY_MOST_WORK (INT64_C(1) << 24)

/* Bytes [begin, end) of a storage. */
typedef struct replay_row {
    int64_t begin, end;
} replay_row;

typedef struct replay_rows {
    replay_row *rows;
    uint32_t count, room;
} replay_rows;

typedef struct replay_maker {
    replay_program *program;
    const oracle_document *d;
    const oracle_document *derived; /* with the tasks of all executions */
    const replay_choice *choice;
    bool *own; /* choices, where none are given */
    replay_error *error;
    int64_t *values;      /* by symbol; of a block one after the other */
    replay_rows rows;     /* of access i: first and count, as runs later */
    uint32_t access_room; /* of program->accesses, which is from malloc */
    uint32_t *wholes;     /* accesses of buffers without a size: one row */
    uint32_t whole_count, whole_room;
    replay_row *ranges;   /* by buffer: it, and what is touched in it */
    uint32_t *first_cell; /* by storage */
} replay_maker;

/* --- values.c --- */

/* Values of the symbols: those given, else found. */
replay_status replay_values_find(replay_maker *maker);

/* False: beyond 64 bits. */
bool replay_value_of(int64_t *value, const oracle_document *document,
                     oracle_affine number, const int64_t *values);

/* --- program_rows.c --- */

/*
 * Adds the bytes of a region of a buffer: rising rows, none of which touch.
 * REPLAY_RANGE: beyond 64 bits, or too many rows.
 */
replay_status replay_rows_add(replay_maker *maker, uint32_t buffer,
                              uint32_t region);

/* Whether the views of an edge meet with the values of the symbols; where it
 * does not say which, whether any of its tasks do. */
replay_status replay_views_meet(bool *meet, replay_maker *maker,
                                const oracle_edge *edge);

/* --- program_accesses.c --- */

/* Tasks, host accesses, and the accesses of both; as rows. */
replay_status replay_accesses_make(replay_maker *maker);

/* What each task reads and writes, once all rows are known. */
void replay_bytes_count(const replay_maker *maker);

/* --- program_edges.c --- */

/* Edges of the tasks, and the legal order. */
replay_status replay_edges_make(replay_maker *maker);

/* --- cells.c, places.c --- */

/* Borders of the cells of each storage. */
typedef struct replay_borders {
    int64_t *at;     /* rising within a storage */
    uint32_t *first; /* by storage, and one more */
} replay_borders;

/* Cells and places, and the runs of all accesses. */
replay_status replay_cells_make(replay_maker *maker);

/* Sorts the borders of each storage, whose first[] is where they end, each
 * once; first[] is then where they start. */
void replay_borders_pack(replay_borders *borders, uint32_t storages);

/* Sorts and takes out what is there twice; returns how many are left. */
uint32_t replay_sort_unique(int64_t *items, uint32_t count);

/* The first index of [from, to) that is not less; else `to`. */
uint32_t replay_border_find(const int64_t *at, uint32_t from, uint32_t to,
                            int64_t value);

/* Addresses of the plan: cuts the storages, which grow. */
typedef struct replay_addresses {
    int64_t *at; /* rising; NULL: no plan */
    uint32_t count;
    bool *placed;  /* by buffer */
    int64_t *base; /* by buffer: address of byte 0 of its storage */
} replay_addresses;

replay_status replay_places_cut(replay_addresses *addresses,
                                replay_maker *maker, replay_borders *borders);
void replay_places_number(replay_maker *maker,
                          const replay_addresses *addresses,
                          const replay_borders *borders);

/* --- program_fresh.c --- */

/* What is nobody's in program order; with a plan runs are split where that
 * changes. */
replay_status replay_fresh_find(replay_maker *maker);

/* --- program_elsewhere.c --- */

/* What other executions write. */
replay_status replay_elsewhere_find(const replay_maker *maker);

/* Whether others write what a read of this task, an index, may read. */
replay_elsewhere replay_written_elsewhere(const replay_program *program,
                                          uint32_t task,
                                          const replay_access *read);

#endif
