/*
 * What checks witnesses, in parts (checker_kinds.c lists them): what bytes hold
 * in an order (checker.c), edges and paths (checker_graph.c), one or two
 * accesses (checker_pairs.c), what stands at a place (checker_facts.c), how
 * much there is (checker_tasks.c), parts of a task (checker_blocks.c). They see
 * the reader (witness_read.h) and nothing of what finds hazards. Each takes the
 * node of the member that names the kind.
 */
#ifndef ORACLE_CHECKER_H
#define ORACLE_CHECKER_H

#include "witness_read.h"

/* --- checker_graph.c --- */

/* Whether no edge that counts leads back in the order of the witness. */
bool oracle_check_edges_hold(oracle_check *check);
/* Whether the tasks of the list form a ring. */
bool oracle_check_cycle(oracle_check *check, uint32_t list);
/* Whether an end of the edge is no task; whether it is there so often. */
bool oracle_check_edge_end(oracle_check *check, uint32_t list);
bool oracle_check_repeated(oracle_check *check, uint32_t list);
/* Whether no edge leads, over others, from the first to the second. */
bool oracle_check_lost(oracle_check *check, uint32_t list);
/* Whether two tasks ran at these times, though they may not. */
bool oracle_check_intervals(oracle_check *check, uint32_t list);

/* --- checker.c --- */

/* A legal order of all tasks in which a read finds another value. */
bool oracle_check_values_seen(oracle_check *check, uint32_t order);
/* Whether two arguments of one task meet. */
bool oracle_check_overlap(oracle_check *check, uint32_t list);
/* --- checker_pairs.c --- */

/* Whether two arguments may meet (ORACLE_NONE: the operand), one writes. */
bool oracle_check_may_meet(oracle_check *check, uint32_t task, uint32_t arg,
                           uint32_t other, uint32_t other_arg);
/* Whether a task surely touches the byte; whether it writes it. */
bool oracle_check_touches(oracle_check *check, uint32_t task, bool *writes);
bool oracle_check_pair(oracle_check *check, uint32_t list);
bool oracle_check_unwritten(oracle_check *check, uint32_t node);
/* Whether a task surely writes what the orchestration touches. */
bool oracle_check_host(oracle_check *check, uint32_t node);

/* --- checker_text.c --- */

/*
 * Whether a text has at the path of a finding's witness what the witness says:
 * {"found": its canonical text, cut, "path"}. `reason` as for
 * oracle_witness_check.
 */
bool oracle_check_place(const oracle_json *json, const char *finding,
                        char *reason, size_t size);

/* --- checker_tasks.c --- */

/*
 * Whether as much is there as the witness says, and it is more than the limit;
 * whether the argument of the witness does what it is not told.
 */
bool oracle_check_limit(oracle_check *check, uint32_t limit);
bool oracle_check_direction(oracle_check *check, uint32_t arg);

/* --- checker_edges.c --- */

/* Whether a path over other tasks implies an edge that can go. */
bool oracle_check_path(oracle_check *check, uint32_t list);
/* Whether the task waits for so many, and they are too many. */
bool oracle_check_fan(oracle_check *check, uint32_t number);
/* Whether the edge has the label, and its tasks nothing that it claims. */
bool oracle_check_label(oracle_check *check, uint32_t kind);
/* Whether the edge stands in these sources alone, and orders no bytes. */
bool oracle_check_needless(oracle_check *check, uint32_t sources);

/* --- checker_alive.c --- */

/* Whether the buffers are alive together, and less than the plan takes. */
bool oracle_check_alive(oracle_check *check, uint32_t list);

/* --- checker_blocks.c --- */

/* Whether two blocks or lanes of a task touch the byte, and one writes it. */
bool oracle_check_blocks(oracle_check *check, uint32_t list);

/* --- checker_facts.c --- */

/* Whether the task's predicate is not of the form. */
bool oracle_check_form(oracle_check *check, uint32_t node);
/* Whether the site of the consumer has as many deps of the name, all dead. */
bool oracle_check_dead(oracle_check *check, uint32_t name);
/* What memory.* findings without an order say of the plan. */
bool oracle_check_allocation(oracle_check *check, uint32_t index);
bool oracle_check_allocations(oracle_check *check, uint32_t list);
bool oracle_check_missing(oracle_check *check, uint32_t buffer);
bool oracle_check_unsized(oracle_check *check, uint32_t buffer);
bool oracle_check_peak(oracle_check *check, uint32_t peak);
/* Whether the reader said this of the document. */
bool oracle_check_remark(oracle_check *check, uint32_t index);

#endif
