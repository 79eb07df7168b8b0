/* The last task that touches the first buffer counts for the second. */
#include "../../../planner/memory/touches.h"

sonata_status __real_sonata_touches_find(sonata_touches *touches,
                                         const sonata_score *score,
                                         sonata_error *error);
sonata_status __wrap_sonata_touches_find(sonata_touches *touches,
                                         const sonata_score *score,
                                         sonata_error *error);

sonata_status __wrap_sonata_touches_find(sonata_touches *touches,
                                         const sonata_score *score,
                                         sonata_error *error)
{
    sonata_status status = __real_sonata_touches_find(touches, score, error);
    if (status == SONATA_OK && touches->count > 1 &&
        touches->first[1] > touches->first[0] + 1)
        touches->first[1]--;
    return status;
}
