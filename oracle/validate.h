/* Validation of a Score by the rules of spec 01, all reasons in order. */
#ifndef ORACLE_VALIDATE_H
#define ORACLE_VALIDATE_H

#include "json.h"

#include <stdbool.h>

typedef struct oracle_reason {
    const char *text; /* the sentence of spec 01, NUL behind it */
    size_t length;
    const char *fix; /* static: what a person can do */
    uint32_t node;   /* what it is about */
} oracle_reason;

typedef struct oracle_reasons {
    oracle_reason *list;
    uint32_t count;
} oracle_reasons;

/*
 * The reasons of a Score that was read (its fields have their types), from
 * the arena. False: no memory. O(n log n), no recursion.
 */
bool oracle_score_reasons(oracle_reasons *reasons, const oracle_json *json,
                          uint32_t score, oracle_arena *arena);

#endif
