/* Scores and runtime targets inside of other documents. */
#ifndef SONATA_SCORE_READ_H
#define SONATA_SCORE_READ_H

#include "../json/fields.h"

/*
 * The Score at a place of a document that is being read; its parts lie in the
 * reading's arena (score->memory stays NULL).
 */
bool sonata_read_score(sonata_score *score, sonata_reading *r,
                       const sonata_place *place, const sonata_node *node);

/* Field number i, a target; missing, or no object, it is the default. */
bool sonata_read_target(sonata_target *target, sonata_reading *r,
                        const sonata_fields *of, size_t i);

#endif
