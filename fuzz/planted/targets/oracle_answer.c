/* The planner's edges lack the last one of many. */
#include "../../../planner/deps/dataflow.h"

#define MANY 24

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
    if (status == SONATA_OK && *count > MANY)
        --*count;
    return status;
}
