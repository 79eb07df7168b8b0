/*
 * Witnesses (spec 06): JSON that proves a finding, checked by checker.c.
 *
 * Of an unordered pair: {"begin", "buffer", "end": the bytes, "choices":
 * [{"choice", "is"}] of the execution, "expected_writer" and "seen_writer":
 * the last task that writes the byte before the read in program order and in
 * this order, null for what was there before, "order": every task of the
 * execution, an id or [first, last] for tasks that follow each other in
 * program order; where those would be more than 64, {"until": id} for a task
 * and all that must come before it and is not yet there, in program order, and
 * "rest" for all that is left, in program order; "reader": a task, null for the
 * caller at the end, "skipped": [[task, argument]] whose accesses do not happen
 * in the execution, or {"after", "before"} for all between two tasks (null: the
 * first, the last) that need not happen, "symbols": {name: value}}. Of a cycle:
 * {"cycle": ids}, each before the next, the last before the first.
 *
 * Of a memory plan: {"allocation": index}, {"allocations": [index, index]},
 * {"missing": index of the buffer}, {"peak": bytes}.
 */
#ifndef ORACLE_WITNESS_H
#define ORACLE_WITNESS_H

#include "finding.h"
#include "hazard.h"
#include "reuse.h"

/*
 * The witness of a decided hazard, from the arena; NULL: no memory. `choices`
 * is the value of each choice. O(tasks + edges), times the logarithm of the
 * tasks that must run before the read.
 */
const char *oracle_witness_order(const oracle_hazard *hazard,
                                 const oracle_document *document,
                                 const oracle_order *order, const bool *choices,
                                 oracle_arena *arena);

/*
 * Of two storages on one address: as of an unordered pair, without
 * "seen_writer", and with "address": where byte "begin" lies, "intruder":
 * {"buffer", "task"}: who writes that address between the expected writer and
 * the reader, "ranges": [begin, end] of both storages.
 */
const char *oracle_witness_reuse(const oracle_reuse *reuse,
                                 const oracle_memory *memory,
                                 const oracle_document *document,
                                 const oracle_order *order, const bool *choices,
                                 oracle_arena *arena);

/*
 * Of a pair that may meet in no order, or of two dead writes: {"certain":
 * true, "choices", "order", "pair": [[task, argument], [task, argument]]}: an
 * order in which the second comes first, with the edges that are surely there
 * (`order` is of these); argument null is the operand of the predicate. Of
 * dead writes also "begin" and "buffer": a byte of both that nobody reads,
 * where no place has symbols.
 */
const char *oracle_witness_pair(const oracle_hazard *hazard,
                                const oracle_document *document,
                                const oracle_order *order, const bool *choices,
                                oracle_arena *arena);

/*
 * Of a read that may find nothing: {"begin", "buffer", "choices", "symbols",
 * "unwritten": who may read the byte}.
 */
const char *oracle_witness_unwritten(const oracle_hazard *hazard,
                                     const oracle_document *document,
                                     const bool *choices, oracle_arena *arena);

const char *oracle_witness_cycle(const oracle_document *document,
                                 const uint32_t *tasks, uint32_t count,
                                 oracle_arena *arena);

/* "choices":[...]: the value of each choice of the document. */
void oracle_witness_choices(oracle_out *out, const oracle_document *document,
                            const bool *choices);

/* Whether `to` can be reached from `from`. O(tasks + edges). */
bool oracle_witness_reaches(const oracle_order *order, uint32_t from,
                            uint32_t to, bool *reaches);

#endif
