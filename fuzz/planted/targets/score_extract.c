/* Each fifth time the last of several edges is lost. */
#include "../../../planner/deps/dataflow.h"

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
    static unsigned calls;
    sonata_status status = __real_sonata_dataflow(edges, count, score, error);
    if (status == SONATA_OK && *count > 1 && ++calls % 5 == 0)
        --*count;
    return status;
}
