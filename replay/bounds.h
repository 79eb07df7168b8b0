/* What the facts of an execution leave of its symbols. */
#ifndef REPLAY_BOUNDS_H
#define REPLAY_BOUNDS_H

#include "oracle/document.h"

typedef struct replay_bounds {
    int64_t lo, hi;
} replay_bounds;

/* What is decided of a choice. */
typedef enum replay_decided {
    REPLAY_FALSE,
    REPLAY_TRUE,
    REPLAY_OPEN
} replay_decided;

/*
 * The bounds as declared; with a `sample` other than 0 sizes and what else is
 * the free input of a program (symbols that nothing else bounds above) have one
 * value each, drawn by it.
 */
void replay_bounds_start(replay_bounds *bounds, const oracle_document *d,
                         uint64_t sample);

/*
 * Narrows each of symbol_count bounds: every value that a symbol has in some
 * execution with these choices lies within (`decided`, replay_decided by
 * choice; NULL: none has a value). False: there is no such execution, as no
 * values obey the facts. At most 64 passes over facts
 * and symbols, each of which is taken from *work.
 */
bool replay_bounds_narrow(replay_bounds *bounds, const oracle_document *d,
                          const uint8_t *decided, int64_t *work);

/* Whether it is a bound, and not just far away. */
bool replay_bounds_known(int64_t bound);

#endif
