/*
 * What two tasks have in common by the bytes they touch: the dependences that
 * an order of the one before the other can stand for.
 */
#ifndef ORACLE_SHARES_H
#define ORACLE_SHARES_H

#include "memory.h"

enum {
    ORACLE_SHARE_DATA = 1,    /* the first may write what the second reads */
    ORACLE_SHARE_STORAGE = 2, /* both may write the same */
    ORACLE_SHARE_WAR = 4,     /* the second may write what the first reads */
    ORACLE_SHARE_UNKNOWN = 8, /* of an argument nothing is known */
    /* The first may write where the second reads what another wrote. */
    ORACLE_SHARE_ADDRESS = 16,
    ORACLE_SHARE_ANY = 31
};

/* An access of a task, or an argument without any. */
typedef struct oracle_use {
    oracle_place place;
    bool reads, writes, known;
    uint32_t next; /* use of the same storage, or ORACLE_NONE */
} oracle_use;

typedef struct oracle_shares {
    const oracle_document *document;
    const oracle_memory *memory; /* NULL: each storage has its own bytes */
    oracle_use *uses;            /* of `to` */
    uint32_t count;
    uint32_t to;              /* ORACLE_NONE: none yet */
    bool opaque;              /* it touches a buffer that nobody names */
    uint32_t round;           /* how often `to` was set */
    uint32_t *stamp, *latest; /* by storage: its last round; its last use */
    uint64_t steps, meetings;
} oracle_shares;

/*
 * `memory` (may be NULL): where a plan places the storages, on common
 * addresses or apart. False: no memory.
 */
bool oracle_shares_start(oracle_shares *shares, const oracle_document *document,
                         const oracle_memory *memory, oracle_arena *arena);

/*
 * What `from` and `to` share: the bits above; once one of `enough` is found
 * the others are not looked for. Bytes that perhaps meet are shared; two reads
 * share nothing. Where buffers may be the same everything is unknown. Cost:
 * their accesses, and pairs of them in one storage; less with the same `to` as
 * before.
 */
unsigned oracle_shares_find(oracle_shares *shares, uint32_t from, uint32_t to,
                            unsigned enough);

/* Lists what a task touches in `uses`, and says how many they are. */
uint32_t oracle_shares_uses(oracle_shares *shares, uint32_t task);

/* Whether the task touches no bytes: what orders it is not shown by any. */
bool oracle_shares_none(const oracle_document *document, uint32_t task);

/* Whether it has cost so much that everything is unknown from now on. */
bool oracle_shares_spent(const oracle_shares *shares);

#endif
