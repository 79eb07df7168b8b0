/* The safe memory plan forgets the last task that touches its last buffer. */
#include "../../planner/memory/touches.h"

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
    uint32_t count = status == SONATA_OK ? touches->count : 0;
    if (count > 0 && touches->first[count] > touches->first[count - 1] + 1)
        touches->first[count]--;
    return status;
}
