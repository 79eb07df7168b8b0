/* Directions of arguments, in whatever spelling (spec 02). */
#ifndef SONATA_DIRECTION_H
#define SONATA_DIRECTION_H

#include "sonata/score.h"

typedef enum sonata_direction {
    SONATA_DIRECTION_UNKNOWN, /* counts for nothing */
    SONATA_INPUT,
    SONATA_OUTPUT, /* Output and OutputExisting */
    SONATA_INOUT,
    SONATA_SCALAR,
    SONATA_NODEP
} sonata_direction;

sonata_direction sonata_direction_of(sonata_text text);

static inline bool sonata_reads(sonata_direction direction)
{
    return direction == SONATA_INPUT || direction == SONATA_INOUT;
}

static inline bool sonata_writes(sonata_direction direction)
{
    return direction == SONATA_OUTPUT || direction == SONATA_INOUT;
}

static inline bool sonata_is_memory(sonata_direction direction)
{
    return sonata_reads(direction) || sonata_writes(direction);
}

#endif
