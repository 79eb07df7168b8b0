/* How the bytes of a finding's two ends lie towards each other. */
#ifndef ORACLE_OVERLAP_H
#define ORACLE_OVERLAP_H

#include "finding.h"

/*
 * "same", "inside" (the consumer's within the producer's), "around", "partial",
 * "apart": of two runs of bytes, in addresses where the storages differ and a
 * memory plan has places for both; "strided": one of the two has gaps;
 * "symbolic": a border follows from a symbol; "unknown": a whole buffer has no
 * size; "none": there are no two ends with bytes. docs/fuzz.md (Signatures).
 * Static text. O(dimensions), and O(allocations) where the storages differ.
 */
const char *oracle_overlap_class(const oracle_record *record,
                                 const oracle_document *document);

#endif
