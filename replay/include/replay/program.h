/*
 * One execution of a document, made concrete: which tasks run, which bytes
 * each touches, in which places those bytes lie, what must wait for what.
 * Everything else of this room runs programs (run.h, machine.h).
 *
 * Bytes are kept as cells. A cell is a longest run of bytes of one storage that
 * every access touches whole or not at all, in its storage and at its place of
 * the memory plan; so what happens to one of its bytes happens to all, and a
 * buffer of gigabytes takes no more than a small one.
 */
#ifndef REPLAY_PROGRAM_H
#define REPLAY_PROGRAM_H

#include "oracle/document.h"

#define REPLAY_NONE UINT32_MAX

typedef enum replay_status {
    REPLAY_OK = 0,
    REPLAY_UNSUPPORTED,  /* nothing that could be run: the message says why */
    REPLAY_NO_EXECUTION, /* no values of the symbols obey the facts */
    REPLAY_STUCK,        /* tasks that never start: a cycle, too many blocks */
    REPLAY_ILLEGAL,      /* an order that breaks an edge or is not complete */
    REPLAY_RANGE,        /* a size beyond what is replayed */
    REPLAY_IO,
    REPLAY_STOPPED, /* somebody who waits says that it is enough */
    REPLAY_NO_MEMORY
} replay_status;

/* Asked again and again while a program is made or run, by the thread that
   does it; once `over` is true, what is under way ends as REPLAY_STOPPED. */
typedef struct replay_stop {
    bool (*over)(void *context);
    void *context;
} replay_stop;

typedef struct replay_error {
    replay_status status;
    char message[512]; /* one sentence, UTF-8, no newline */
    int64_t task;      /* id, where it is about one; else -1 */
} replay_error;

typedef enum replay_core {
    REPLAY_AIC,
    REPLAY_AIV,
    REPLAY_MIX,  /* a whole cluster: 1 AIC and 2 AIV */
    REPLAY_DUMMY /* edges only, no core */
} replay_core;

typedef enum replay_mode {
    REPLAY_READ,
    REPLAY_WRITE,
    REPLAY_ACCUMULATE /* reads and writes are two accesses of an inout */
} replay_mode;

/* What an access does, for certain or not. */
typedef enum replay_force {
    REPLAY_MUST,
    REPLAY_MAY,  /* may happen as a whole or not: predicate, must is false */
    REPLAY_BOUND /* touches any part of it, or nothing: exact is false */
} replay_force;

/* count cells that follow each other. */
typedef struct replay_cells {
    uint32_t first, count;
} replay_cells;

/* One access of one block: what names no block is there once. */
typedef struct replay_access {
    uint32_t arg;    /* of the task; REPLAY_NONE: operand of a predicate */
    uint32_t source; /* accesses[] of the document; REPLAY_NONE: unknown */
    uint32_t first, count; /* runs[]: rising, each cell once */
    uint32_t buffer;       /* of the document; its shift leads to the place */
    uint32_t part;         /* block * lanes + lane; REPLAY_NONE: no block's */
    uint8_t mode, force;
} replay_access;

typedef struct replay_task {
    int64_t id;
    uint32_t source;                 /* task index of program->document */
    uint32_t first_access, accesses; /* operand, reads, writes; by argument */
    uint32_t reads;                  /* how many of them read */
    uint32_t first_before, befores;  /* before[]: rising task indexes */
    uint32_t first_after, afters;    /* after[]: rising task indexes */
    int64_t blocks;                  /* at least 1 */
    uint64_t bytes; /* read and written, for durations; saturates */
    uint64_t token; /* of its id and its scalars */
    uint8_t core;
    bool sync_start, predicated;
} replay_task;

/* Whether what nobody has written in this execution is written otherwise. */
typedef enum replay_elsewhere {
    REPLAY_NOT_ELSEWHERE,
    REPLAY_PERHAPS_ELSEWHERE, /* by a task that another branch has */
    REPLAY_ELSEWHERE /* by other turns of a loop: symbols stand for all */
} replay_elsewhere;

typedef struct replay_buffer {
    uint32_t storage;      /* buffer index of the end of its aliases */
    uint32_t first, count; /* its cells in its storage */
    int64_t shift;         /* with a plan: cell c lies at place c + shift */
    bool external, init;
    bool varies;     /* a storage: places with symbols are written in it */
    uint32_t absent; /* a storage: absent[], the last one in it */
} replay_buffer;

/* A write of a task that this execution does not have. */
typedef struct replay_absent {
    oracle_place place;
    uint32_t next;     /* of this storage; REPLAY_NONE: no other */
    uint32_t before;   /* tasks[]: where the task would stand */
    uint8_t elsewhere; /* replay_elsewhere */
} replay_absent;

/* What the host does while the graph is built (it has no argument). */
typedef struct replay_host {
    uint32_t before; /* task index that it stands before in program order */
    uint32_t source; /* host_accesses[] of program->document */
    uint32_t first_access, accesses; /* the read, then the write */
    int64_t line;                    /* 0: none */
} replay_host;

typedef struct replay_program {
    /* Of this execution: the one that it was made of, or that restricted,
       which is then the program's. */
    const oracle_document *document;
    replay_task *tasks; /* program order */
    uint32_t task_count;
    replay_access *accesses;
    uint32_t access_count;
    replay_cells *runs;
    uint32_t run_count;
    /* By run, bits: see REPLAY_FRESH; NULL: none has one. */
    uint8_t *fresh;
    replay_buffer *buffers; /* as of the document */
    uint32_t buffer_count;
    uint32_t *before, *after; /* edges, each once, none of a task to itself */
    uint32_t edge_count;
    /* Cells: of all storages one behind the other. */
    int64_t *cell_begin, *cell_end; /* bytes within the storage */
    uint32_t *cell_storage;
    uint8_t *cell_start; /* REPLAY_STARTS, REPLAY_START_READ */
    uint32_t cell_count;
    uint32_t place_count;  /* with a plan: cells of its addresses */
    bool planned;          /* there is a plan that is followed */
    bool bounds;           /* some access is REPLAY_BOUND */
    bool inside;           /* some task writes twice, or in parts */
    bool nothing;          /* some task reads what nobody wrote before it */
    replay_absent *absent; /* in program order */
    uint32_t absent_count;
    replay_host *host; /* in program order */
    uint32_t host_count;
    uint32_t *legal;  /* a topological order: program order where it is one */
    uint64_t touched; /* cells that a run touches: what it costs */
    const int64_t *symbols;  /* the values taken, as of the document */
    const replay_stop *stop; /* of the choice; runs ask it, too */
    oracle_document *restricted;
    struct replay_arena *arena;
} replay_program;

/* In program order, each buffer in a place of its own, these cells of a read
   or a write hold what nobody wrote (docs/replay.md, "Nobody's bytes"). */
#define REPLAY_FRESH 1

/* A cell has a value before the first task; some read, or the caller, sees
   that in program order. */
#define REPLAY_STARTS 1
#define REPLAY_START_READ 2

/*
 * Fills `choices` (one per choice of the document) with values that go
 * together: no exclusion rules them out, and the facts leave each symbol some
 * range (whether it has a value there replay_program_make says). The choice
 * `pinned` stays as it is (REPLAY_NONE: none is), the others are `prefer` as
 * far as those before them let them. With a `sample` other than 0 sizes and
 * other free input have values drawn by it: then more is known of what goes
 * together. REPLAY_NO_EXECUTION: it is proved that there are none, of that
 * sample; REPLAY_UNSUPPORTED: it was given up. Each pass over a fact or a
 * symbol is taken from *work, and the search ends where nothing is left of it;
 * NULL: 2^24.
 */
replay_status replay_choices_find(bool *choices, const oracle_document *derived,
                                  uint32_t pinned, bool prefer, uint64_t sample,
                                  int64_t *work, replay_error *error);

/* Which execution. */
typedef struct replay_choice {
    const bool *choices; /* one per choice; NULL: see make */
    /* One per symbol (those of blocks are not looked at); NULL: see make. */
    const int64_t *symbols;
    bool plan; /* follow the memory plan, where there is one */
    /* With all edges that are not certain; else with those whose views meet
       with the values of the symbols (spec 09). */
    bool perhaps;
    uint64_t seed;           /* of the values of symbols where none are given */
    uint64_t sample;         /* of sizes, as in replay_choices_find; 0: none */
    int64_t *work;           /* left for searching, as there; NULL: enough */
    const replay_stop *stop; /* lives as long as the program; NULL: never */
} replay_choice;

/*
 * Makes the program of one execution: the document is restricted to the
 * choices here (without any all are true, but for those that the document says
 * do not go with the ones before them). Symbols without values get those that
 * their bounds, steps and the facts of the document allow (the least for seed
 * 0, else drawn by it); where none are found, REPLAY_UNSUPPORTED names one.
 * Regions by `block` or `lane` are made once for each of their values; where
 * the number of blocks is not known, such an access is a bound, its whole view.
 * A buffer of unknown size is as large as what is known to be touched in it. A
 * program whose program order breaks an edge is fine; with a cycle it is
 * REPLAY_STUCK, and the message names its tasks. A document with automatic
 * edges still to be derived is REPLAY_UNSUPPORTED.
 * The program owns its memory (free it with replay_program_free; after a
 * failure there is nothing to free) and borrows the document. `choice` may be
 * NULL: all zero, but with the plan.
 * O((accesses + rows) log rows + edges); more than 2^24 rows or cells are
 * REPLAY_RANGE. Source: spec 07, Embedded a2a3sim; spec 09.
 */
replay_status replay_program_make(replay_program *program,
                                  const oracle_document *derived,
                                  const replay_choice *choice,
                                  replay_error *error);
void replay_program_free(replay_program *program);

/* Pairs of buffers that are looked at, at most. */
#define REPLAY_MOST_PAIRS 16

/* Two buffers, by index, that may be one memory (`may_alias`): both begin at
   one byte. */
typedef struct replay_pair {
    uint32_t a, b;
} replay_pair;

typedef struct replay_pairs {
    replay_pair list[REPLAY_MOST_PAIRS]; /* of no two storages twice */
    uint32_t count;
    uint64_t more; /* that were not looked at */
} replay_pairs;

/*
 * The pairs of a document, but those of which the memory plan places both: it
 * says what they share. O(buffers + may_aliases * pairs).
 */
replay_status replay_pairs_find(replay_pairs *pairs,
                                const oracle_document *document,
                                replay_error *error);

/* The pair `first`, and as many of the others behind it as can hold with it:
 * whatever is one memory then may be so, pair by pair. O(pairs^3). */
void replay_pairs_extend(replay_pairs *together, const replay_pairs *pairs,
                         const oracle_document *document, uint32_t first);

/* Whether these can all hold at once. O(together * pairs^2). */
bool replay_pairs_hold(const replay_pairs *together, const replay_pairs *pairs,
                       const oracle_document *document);

/*
 * A document in which all of these pairs are one memory. It borrows all of the
 * other but its list of buffers; free that with replay_united_free, and nothing
 * on failure (REPLAY_RANGE: beyond 64 bits). O(buffers * pairs).
 */
replay_status replay_unite(oracle_document *united,
                           const oracle_document *document,
                           const replay_pairs *pairs, replay_error *error);
void replay_united_free(oracle_document *united);

#endif
