/* The task graph of a Score some of whose arguments are parts of buffers. */
#ifndef SONATA_GRAPH_PARTS_H
#define SONATA_GRAPH_PARTS_H

#include "sonata/graph.h"

/*
 * As sonata_score_graph_json; `parts` (or NULL) tells for each argument, one
 * task after the other, whether it is only some bytes of its buffer: its
 * access is a bound then, not exact.
 */
sonata_status
sonata_graph_parts_json(char **json, size_t *length, const sonata_score *score,
                        const bool *parts, const sonata_buffer_size *sizes,
                        size_t size_count, bool pretty, sonata_error *error);

#endif
