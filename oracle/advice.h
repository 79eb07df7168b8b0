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

oracle_advice oracle_advise(const oracle_advice_pair *pair);

#endif
