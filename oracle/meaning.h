/*
 * What a task graph means, as lines: the same for two documents exactly when
 * they differ in names, lines, texts, or the order of lists alone.
 */
#ifndef ORACLE_MEANING_H
#define ORACLE_MEANING_H

#include "finding.h"

/*
 * Appends the lines of a document whose automatic edges are not derived.
 * Buffers, symbols, choices and names in scalars are numbered by their first
 * appearance. O(n log n), and up to 2^22 questions of order; with more the
 * lines say nothing of it. False: no memory.
 */
bool oracle_meaning_write(oracle_out *out, const oracle_document *document);

#endif
