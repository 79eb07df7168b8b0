/* What joins the regions of a program: the storage that they touch. */
#ifndef SONATA_BORDERS_H
#define SONATA_BORDERS_H

#include "sonata/ir.h"

#include "../json/table.h"
#include "roots.h"

/* What the regions so far did with one storage key. */
typedef struct sonata_border_key {
    uint32_t writer;  /* the last region that writes it + 1, or 0 */
    uint32_t readers; /* the readers since: the first link + 1, or 0 */
    uint32_t touched; /* by the present region: its number + 1 */
    bool reads, writes;
} sonata_border_key;

typedef struct sonata_border_reader {
    uint32_t region;
    uint32_t next; /* link + 1, or 0 */
} sonata_border_reader;

/* Regions are looked at in order; zeroed by sonata_borders_begin. */
typedef struct sonata_borders {
    const sonata_ir *ir;
    const sonata_text *keys; /* per variable */
    bool *is_unsure;         /* per variable: the key may not be what it is */
    sonata_table names;      /* of keys */
    sonata_border_key *states;
    size_t state_room;
    uint32_t *touched; /* keys of the present region, in order */
    size_t touched_count, touched_room;
    sonata_border_reader *readers;
    size_t reader_count, reader_room;
    sonata_border *borders; /* freed by whoever takes them */
    size_t border_count, border_room;
    uint32_t region;  /* the present one */
    uint32_t barrier; /* the last with an unknown access + 1, or 0 */
    bool is_unknown;  /* the present region has an unknown access */
    bool failed;
} sonata_borders;

/* The keys are those of sonata_storage_keys on the same roots. */
sonata_status sonata_borders_begin(sonata_borders *b, const sonata_ir *ir,
                                   const sonata_roots *roots,
                                   const sonata_text *keys,
                                   sonata_error *error);

/* The steps of a root, or of a part of it, belong to the present region. */
void sonata_borders_look(sonata_borders *b, const sonata_ir_root *part);

/* The present region is complete: its borders are added. */
sonata_status sonata_borders_end_region(sonata_borders *b,
                                        bool *has_unknown_access,
                                        sonata_error *error);

void sonata_borders_free(sonata_borders *b);

#endif
