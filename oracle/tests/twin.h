/*
 * The brute-force twin of the oracle: it runs every legal order of a small
 * graph, byte by byte, and compares each read with program order (spec 06,
 * What right means). Nothing of the oracle's methods is used.
 */
#ifndef ORACLE_TESTS_TWIN_H
#define ORACLE_TESTS_TWIN_H

#include "oracle/document.h"
#include "oracle/judge.h"

typedef struct twin_options {
    bool without_uncertain; /* leave out edges that are not certain */
    /* Which inexact accesses happen: bit n the n-th one of the document. */
    uint64_t inexact;
    const int64_t *values; /* of the symbols; NULL: there are none */
    bool trust_content;    /* reads of what nobody wrote are not wrong */
    const uint32_t *order; /* this one alone, of all tasks; NULL: all */
} twin_options;

/*
 * Whether some legal order of some legal execution (a predicate or an access
 * that need not happen goes either way) gives a read another value, or a read
 * that must happen finds nothing written. At most 8 tasks, 8 storages of at
 * most 16 bytes. With a memory plan storages share bytes where their addresses
 * meet: at most 32 addresses, 4 storages.
 */
bool twin_wrong(const oracle_document *document, const twin_options *options);

/* Errors of the rules that the twin decides. */
uint32_t twin_errors(const oracle_judgement *judgement);

#endif
