/*
 * Overlap as the runtime's look-up decides it (spec 07, rule 7): in elements,
 * over shape, start and strides of the dispatched views.
 */
#ifndef ORACLE_TENSOR_H
#define ORACLE_TENSOR_H

#include "region.h"

typedef struct oracle_overlap {
    oracle_relation relation; /* never, perhaps or always */
    bool covers;              /* by the exact test, for all values */
} oracle_overlap;

oracle_overlap oracle_tensor_overlap(const oracle_document *document,
                                     const oracle_arg *consumer,
                                     const oracle_arg *producer);

/* Whether the overlap with anything is the same for both. Views are constant.
 */
bool oracle_tensors_alike(const oracle_document *document, const oracle_arg *a,
                          const oracle_arg *b);

/* The elements that the look-up sees, at most; unbounded: all. */
oracle_span oracle_tensor_span(const oracle_document *document,
                               const oracle_arg *arg);

/* Decimal texts compared as numbers: -1, 0, 1; 0 when one is absent. */
int oracle_version_compare(oracle_text a, oracle_text b);

#endif
