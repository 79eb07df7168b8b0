/* Many runs compared with one in program order. */
#ifndef REPLAY_COMPARE_WORK_H
#define REPLAY_COMPARE_WORK_H

#include "memory_work.h"

/* A difference, and where its `without` begins in the pool. */
typedef struct replay_told {
    replay_difference difference;
    uint32_t first;
} replay_told;

typedef struct replay_telling {
    replay_told *items;
    uint32_t count, room;
    uint32_t *pool;
    uint32_t pool_count, pool_room;
    bool failed; /* no memory */
} replay_telling;

typedef struct replay_comparer {
    const replay_program *p;
    replay_variant variant, plain; /* of the run; of program order */
    bool masked;
    uint32_t *program_order;
    replay_memory *reference, *run; /* the reference has run */
    bool *asked; /* by reader: it reads from others than in program order */
    bool *away;  /* by task: must not happen, while two lists are compared */
    bool any_away;
    /* The same again, with logs; made when the first is needed. */
    replay_memory *logged[2];
    replay_log logs[2];
} replay_comparer;

/* End it whatever came back. */
replay_status replay_comparer_start(replay_comparer *c,
                                    const replay_program *program,
                                    const replay_variant *variant,
                                    replay_error *error);
void replay_comparer_end(replay_comparer *c);

/* Runs the order; how many readers differ, which are then those asked. */
uint32_t replay_comparer_run(replay_comparer *c, const uint32_t *order);

/* Runs both again and adds what those asked read differently. */
replay_status replay_comparer_tell(replay_comparer *c, const uint32_t *order,
                                   replay_telling *telling,
                                   replay_error *error);
void replay_telling_free(replay_telling *telling);

/* --- contrast.c --- */

/* What two lists of writes of one cell have to say. */
typedef struct replay_contrast {
    uint32_t expected, seen; /* accesses, or NOTHING, START */
    bool last[2]; /* the one or the other is what acted last: see complete */
    bool sure;
    bool nothing; /* both are nobody's, and nothing may have been written */
} replay_contrast;

/*
 * Compares two lists, of the logs' nodes. False: they are the same. Accesses
 * that must not happen are added to the pool, as they stand in the lists.
 */
bool replay_contrast_make(replay_contrast *contrast, replay_comparer *c,
                          uint32_t expected, uint32_t seen,
                          replay_telling *telling);

/* The task of an access; REPLAY_HOST, or REPLAY_NONE: nobody's. */
uint32_t replay_writer(const replay_program *p, uint32_t access);

/*
 * From `first` on, accesses in the pool become all that go with them, rising,
 * each once; with those away `expected` and `seen` are found.
 */
void replay_contrast_complete(replay_contrast *contrast,
                              const replay_comparer *c, uint32_t expected,
                              uint32_t seen, replay_telling *telling,
                              uint32_t first);

#endif
