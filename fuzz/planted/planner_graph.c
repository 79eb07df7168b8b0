/* The task graph of a program says of its parts that they are touched whole. */
#include "../../planner/score/graph_parts.h"

sonata_status __real_sonata_graph_parts_json(char **json, size_t *length,
                                             const sonata_score *score,
                                             const bool *parts,
                                             const sonata_buffer_size *sizes,
                                             size_t size_count, bool pretty,
                                             sonata_error *error);
sonata_status __wrap_sonata_graph_parts_json(char **json, size_t *length,
                                             const sonata_score *score,
                                             const bool *parts,
                                             const sonata_buffer_size *sizes,
                                             size_t size_count, bool pretty,
                                             sonata_error *error);

sonata_status __wrap_sonata_graph_parts_json(char **json, size_t *length,
                                             const sonata_score *score,
                                             const bool *parts,
                                             const sonata_buffer_size *sizes,
                                             size_t size_count, bool pretty,
                                             sonata_error *error)
{
    (void)parts;
    return __real_sonata_graph_parts_json(json, length, score, NULL, sizes,
                                          size_count, pretty, error);
}
