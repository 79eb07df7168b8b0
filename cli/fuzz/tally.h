/*
 * Counts by two words: what is counted ("raised") and of what ("hazard.raw").
 * Every worker has one for its block, and the run one for all.
 */
#ifndef CLI_FUZZ_TALLY_H
#define CLI_FUZZ_TALLY_H

#include "../json.h"
#include "../text.h"

typedef struct cli_count {
    char *what, *key; /* one allocation, that of `what` */
    int64_t n;
} cli_count;

/* Zero-initialise. */
typedef struct cli_tally {
    cli_count *items; /* in no order */
    size_t count, room;
    uint32_t *slots; /* of a hash table: number of an item + 1 */
    size_t slot_count;
    bool failed; /* memory ran out */
} cli_tally;

void cli_tally_free(cli_tally *tally);
/* All become 0. */
void cli_tally_clear(cli_tally *tally);

/* O(length of the words). */
void cli_tally_add(cli_tally *tally, const char *what, const char *key,
                   int64_t n);

/* Adds all of another one. */
void cli_tally_merge(cli_tally *tally, const cli_tally *other);

/* 0 when it was never counted. */
int64_t cli_tally_get(const cli_tally *tally, const char *what,
                      const char *key);

/* Of all keys of one thing. */
int64_t cli_tally_sum(const cli_tally *tally, const char *what);

/* Sorts by both words, for who walks through `items`. */
void cli_tally_sort(cli_tally *tally);

/* {"raised": {"hazard.raw": 5}}, sorted; what is 0 is left out. */
void cli_tally_put(cli_text *out, cli_tally *tally);

/* Adds what such a text counts; false: it is none. */
bool cli_tally_take(cli_tally *tally, cli_span json);

/* The median of numbers that are the keys of `what`; 0: there are none. */
int64_t cli_tally_median(const cli_tally *tally, const char *what);

#endif
