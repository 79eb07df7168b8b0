/* A Score as a task-graph document (spec 09). */
#ifndef SONATA_GRAPH_H
#define SONATA_GRAPH_H

#include "sonata/memory.h"

/*
 * The task graph of a Score, canonical JSON (see sonata_score_json): a buffer
 * per access key (a key that is no string is spelled "json:" and its JSON, and
 * so is a string that begins with that), of which those called "alloc:..." are
 * internal; of known size where `sizes` (bytes; the last of several counts)
 * has one; the dependencies as edges of source "policy"; no rules left. An
 * argument of direction NoDep, or of none or an unknown one, is without
 * access; a scalar has none.
 *
 * Errors: SONATA_REJECTED ("memory.key": a list or an object as access key),
 * SONATA_RANGE (more than 2^32 - 2 keys), SONATA_NO_MEMORY. Linear.
 */
sonata_status sonata_score_graph_json(char **json, size_t *length,
                                      const sonata_score *score,
                                      const sonata_buffer_size *sizes,
                                      size_t size_count, bool pretty,
                                      sonata_error *error);

#endif
