/* greedy_dag with a bound of its memory, so that tests can make it small. */
#ifndef SONATA_GREEDY_DAG_H
#define SONATA_GREEDY_DAG_H

#include "sonata/memory.h"

/*
 * As sonata_plan_greedy_dag, with a bound: `cells` numbers of 8 bytes hold the
 * orders between buffers and chains (one column at least). The public function
 * gives SONATA_DAG_CELLS, or SONATA_DAG_COLUMNS per task when that is more.
 */
#define SONATA_DAG_CELLS ((size_t)1 << 23)
#define SONATA_DAG_COLUMNS ((size_t)32)

sonata_status sonata_plan_greedy_dag_within(sonata_memory_plan *plan,
                                            sonata_dag_report *report,
                                            const sonata_score *score,
                                            const sonata_buffer_size *sizes,
                                            size_t size_count,
                                            sonata_sharing sharing,
                                            size_t cells, sonata_error *error);

#endif
