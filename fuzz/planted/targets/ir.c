/* The last border leads to where it comes from. */
#include "../../../planner/adapt/borders.h"

sonata_status __real_sonata_borders_end_region(sonata_borders *b,
                                               bool *has_unknown_access,
                                               sonata_error *error);
sonata_status __wrap_sonata_borders_end_region(sonata_borders *b,
                                               bool *has_unknown_access,
                                               sonata_error *error);

sonata_status __wrap_sonata_borders_end_region(sonata_borders *b,
                                               bool *has_unknown_access,
                                               sonata_error *error)
{
    sonata_status status =
        __real_sonata_borders_end_region(b, has_unknown_access, error);
    if (status == SONATA_OK && b->border_count > 0)
        b->borders[b->border_count - 1].consumer =
            b->borders[b->border_count - 1].producer;
    return status;
}
