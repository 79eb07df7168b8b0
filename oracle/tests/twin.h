/*
 * The brute-force twin of the oracle (spec 06, What right means). It asks of
 * each byte of a small graph, alone, whether some legal order of all tasks
 * gives a read of it another value than program order does. Legal orders are
 * gone through as down-sets of the edges: of each, every content that the byte
 * can have once exactly those tasks have run. Nothing of the oracle's methods
 * is used: regions are lists of bytes, edges are as written.
 *
 * At most 12 tasks, 160 reads and writes, 32 buffers of at most 64 bytes, 2,048
 * addresses.
 */
#ifndef ORACLE_TESTS_TWIN_H
#define ORACLE_TESTS_TWIN_H

#include "oracle/document.h"
#include "oracle/judge.h"

typedef struct twin_options {
    bool without_uncertain; /* leave out edges that are not certain */
    /* Of those, only the ones whose tasks have views that meet are there. */
    bool meeting_uncertain;
    /* Which inexact accesses happen: bit n the n-th one of the document. */
    uint64_t inexact;
    const int64_t *values; /* of the symbols; NULL: there are none */
    bool trust_content;    /* reads of what nobody wrote are not wrong */
    const bool *choices;   /* NULL: no task and no dep has conditions */
    /* This one alone, of all tasks that are there; NULL: all. */
    const uint32_t *order;
} twin_options;

/*
 * Whether some legal order of some legal execution (a predicate or an access
 * that need not happen goes either way) gives a read another value, or a read
 * that must happen finds nothing written. With a memory plan storages share
 * bytes where their addresses meet. `options` may be NULL.
 */
bool twin_wrong(const oracle_document *document, const twin_options *options);

/* The same of each storage alone, whatever the memory plan. */
bool twin_hazard(const oracle_document *document, const twin_options *options);
/* The same of what the memory plan puts on one address. */
bool twin_memory(const oracle_document *document, const twin_options *options);
/* A read that must happen, of bytes that no task before it writes. */
bool twin_nothing(const oracle_document *document, const twin_options *options);

/* As twin_wrong, by running every order; at most 8 tasks. */
bool twin_orders(const oracle_document *document, const twin_options *options);

/* Whether edges lead from the one task to the other, over others too. */
bool twin_before(const oracle_document *document, const twin_options *options,
                 uint32_t from, uint32_t to);
/* Whether no order is legal. */
bool twin_cyclic(const oracle_document *document, const twin_options *options);

/* Whether a parameter shares an address with another storage (spec 03). */
bool twin_external(const oracle_document *document);

/*
 * Whether the execution and the order that a finding's witness names are legal
 * and give its reader a wrong value of its byte; `options`: what is touched.
 * And whether the rule is what the definition calls that: the two tasks touch
 * the byte as the rule says and run the other way round. True for a finding
 * without an order. Else `reason` (160 bytes) says what is wrong.
 */
bool twin_shows(const oracle_document *document, const oracle_finding *finding,
                const twin_options *options, char *reason);

/* Errors of the rules that the twin decides. */
uint32_t twin_errors(const oracle_judgement *judgement);

#endif
