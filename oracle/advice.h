/*
 * What would order an unordered pair: the narrowest change with which the rule
 * set gives the edge, found by asking the rule. A dep always does, unless
 * edges lead the other way.
 */
#ifndef ORACLE_ADVICE_H
#define ORACLE_ADVICE_H

#include "access.h"

/* Beside adding the dep; all of the changes are needed. */
typedef struct oracle_advice {
    bool back;   /* edges lead from the second to the first: take them away */
    bool create; /* create the tensors without manual_dep */
    bool set_from, set_to; /* dispatch the argument so: */
    oracle_dispatch from, to;
} oracle_advice;

/* An unordered pair of accesses, in program order. */
typedef struct oracle_advice_pair {
    const oracle_document *document;
    oracle_rules rules; /* that derive or derived the edges */
    oracle_item first, second;
    bool forward; /* no edge goes against program order */
    bool back;    /* ... and some lead from the second to the first */
} oracle_advice_pair;

/*
 * Whether the rule set gives an edge from one argument to another, by what
 * they are told to do to which views; entries that others remove are left out.
 */
bool oracle_rules_join(const oracle_document *document, oracle_rules rules,
                       uint32_t from, uint32_t from_arg, uint32_t to,
                       uint32_t to_arg);

oracle_advice oracle_advise(const oracle_advice_pair *pair);

#endif
