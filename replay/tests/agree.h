/* Whether the adversarial set finds of random graphs what trying all finds. */
#ifndef REPLAY_TESTS_AGREE_H
#define REPLAY_TESTS_AGREE_H

#include <stdint.h>

typedef struct agree_counts {
    uint64_t graphs, wrong, planned, bounds, coins;
    /* With bounds: readers surely wrong, and those told only as open. */
    uint64_t sure, open;
} agree_counts;

/* Tries the graphs of the seeds [from, to) of at most `most` tasks; the test
 * fails with the first seed where they disagree. */
void agree_try(agree_counts *counts, uint64_t from, uint64_t to, uint32_t most);

#endif
