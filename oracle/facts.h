/*
 * What a document says of its symbols: how some follow from others (`is`), and
 * what they obey, always or under a choice (`facts`).
 */
#ifndef ORACLE_FACTS_H
#define ORACLE_FACTS_H

#include "arena.h"

#include "oracle/document.h"

/* The facts that a symbol takes part in, itself or through others. */
typedef struct oracle_facts {
    uint32_t *first; /* per symbol and one more: into list */
    uint32_t *list;
} oracle_facts;

/* O(facts), with a small limit for each; false when there is no memory. */
bool oracle_facts_index(oracle_facts *facts, const oracle_document *document,
                        oracle_arena *arena);

/*
 * False when a fact of the execution fails for these values of some symbols,
 * whatever the others are. A symbol that follows from others is asked for its
 * operands, up to a small depth.
 */
bool oracle_facts_allow(const oracle_facts *facts,
                        const oracle_document *document, const bool *choices,
                        const int64_t *values, const uint32_t *symbols,
                        uint32_t count);

#endif
