/* Programs made by hand: what runs on which cores, and what waits for what. */
#ifndef REPLAY_TESTS_HAND_H
#define REPLAY_TESTS_HAND_H

#include "replay/program.h"

typedef struct hand_task {
    uint8_t core;   /* replay_core */
    int64_t blocks; /* 0: 1 */
    uint64_t bytes;
    bool sync_start, predicated;
    const char *name; /* NULL: "task INDEX" */
} hand_task;

typedef struct hand {
    replay_program program;
    oracle_document document;
} hand;

/*
 * Task i has the id 100 + i, writes a buffer of its own of 8 bytes, and reads
 * those of the tasks that it waits for; edges lead forward in `legal`, which is
 * the order of the tasks. Free with hand_free.
 */
hand *hand_make(const hand_task *tasks, uint32_t count,
                const uint32_t (*edges)[2], uint32_t edge_count);
void hand_free(hand *made);

/* Tasks of all kinds with edges by seed; the same for the same arguments. */
hand *hand_random(uint32_t seed, uint32_t count, bool with_sync_start);

uint32_t hand_draw(uint32_t *seed, uint32_t below);

#endif
