/* greedy_dag with a bound of its memory, so that tests can make it small. */
#ifndef SONATA_GREEDY_DAG_H
#define SONATA_GREEDY_DAG_H

#include "sonata/memory.h"

/*
 * As sonata_plan_greedy_dag, which gives SONATA_DAG_CELLS: so many numbers of
 * 8 bytes hold the orders between buffers and chains (one column at least).
 */
#define SONATA_DAG_CELLS ((size_t)1 << 23)

sonata_status sonata_plan_greedy_dag_within(sonata_memory_plan *plan,
                                            sonata_dag_report *report,
                                            const sonata_score *score,
                                            const sonata_buffer_size *sizes,
                                            size_t size_count,
                                            sonata_sharing sharing,
                                            size_t cells, sonata_error *error);

#endif
