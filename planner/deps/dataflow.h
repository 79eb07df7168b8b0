/* The edges of dataflow_v0 (spec 02). */
#ifndef SONATA_DATAFLOW_H
#define SONATA_DATAFLOW_H

#include "sonata/score.h"

/* For tasks with a direction for every argument; see
 * sonata_plan_dependencies. */
sonata_status sonata_dataflow(sonata_dependency **edges, size_t *count,
                              const sonata_score *score, sonata_error *error);

#endif
