/* Task ids in ascending order, without duplicates: id <-> rank. */
#ifndef SONATA_IDS_H
#define SONATA_IDS_H

#include "sonata/score.h"

#define SONATA_NO_RANK UINT32_MAX

typedef struct sonata_ids {
    int64_t *values; /* ascending */
    uint32_t count;
} sonata_ids;

/* O(tasks) when the ids ascend, O(tasks log tasks) otherwise. */
sonata_status sonata_ids_build(sonata_ids *ids, const sonata_score *score,
                               sonata_error *error);
void sonata_ids_free(sonata_ids *ids);

/* SONATA_NO_RANK for an unknown id. O(1) for dense ids, else O(log tasks). */
uint32_t sonata_ids_rank(const sonata_ids *ids, int64_t id);

#endif
