/* The planner's edges lack those from a reader to a write much later. */
#include "../../planner/deps/dataflow.h"

#include <string.h>

#define NEAR 16 /* ids */

sonata_status __real_sonata_dataflow(sonata_dependency **edges, size_t *count,
                                     const sonata_score *score,
                                     sonata_error *error);
sonata_status __wrap_sonata_dataflow(sonata_dependency **edges, size_t *count,
                                     const sonata_score *score,
                                     sonata_error *error);

sonata_status __wrap_sonata_dataflow(sonata_dependency **edges, size_t *count,
                                     const sonata_score *score,
                                     sonata_error *error)
{
    sonata_status status = __real_sonata_dataflow(edges, count, score, error);
    size_t kept = 0;
    for (size_t i = 0; status == SONATA_OK && i < *count; i++) {
        sonata_dependency edge = (*edges)[i];
        int64_t distance;
        bool is_far =
            __builtin_sub_overflow(edge.consumer, edge.producer, &distance) ||
            distance > NEAR;
        if (!is_far || strcmp(edge.kind.text, "war") != 0)
            (*edges)[kept++] = edge;
    }
    if (status == SONATA_OK)
        *count = kept;
    return status;
}
