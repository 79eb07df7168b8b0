/* A certificate while it is checked, see checker_clean.c. */
#ifndef ORACLE_CHECKER_CLEAN_H
#define ORACLE_CHECKER_CLEAN_H

#include "certificate.h"
#include "witness_accesses.h"

#define ORACLE_MOST_STEPS (UINT64_C(1) << 31)
/* Sets the reason; always false. */
#define ORACLE_REFUSE(k, ...) oracle_check_fail(&(k)->c.proof, __VA_ARGS__)

typedef struct oracle_clean {
    oracle_certificate c;
    const oracle_document *d; /* of one execution */
    oracle_claim claim;
    bool *follows;          /* of each position in claim.reach */
    bool *owned, *filled;   /* by storage: the caller's; it has a value */
    oracle_access_of *list; /* in program order */
    uint32_t count;
    oracle_place *parts;
    int64_t *base; /* by storage; -1: no address */
    uint64_t steps;
    oracle_arena *arena; /* of one execution */
} oracle_clean;

/* Whether task a happens before task b, by the claims. */
bool oracle_clean_before(const oracle_clean *k, uint32_t a, uint32_t b);

/*
 * The last write from access `i` on and before the read's task that surely
 * writes all of the read, or ORACLE_NONE.
 */
uint32_t oracle_clean_cover(oracle_clean *k, const oracle_access_of *r,
                            uint32_t i);

/* With a memory plan: what storages do to each other at one address. */
bool oracle_clean_addresses(oracle_clean *k);

#endif
