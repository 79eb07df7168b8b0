/* The roots that count, and the reasons against them (spec 05). */
#ifndef SONATA_ROOTS_H
#define SONATA_ROOTS_H

#include "extract.h"

typedef struct sonata_roots {
    const sonata_ir *ir;
    const sonata_ir_root **items; /* in order */
    size_t count;
} sonata_roots;

/* The roots with the entry name, or all; freed by the caller. */
sonata_status sonata_roots_select(sonata_roots *roots, const sonata_ir *ir,
                                  sonata_text entry, sonata_error *error);
void sonata_roots_free(sonata_roots *roots);

/* True for a kind of node that speaks against a program wherever it stands. */
bool sonata_kind_is_rejected(sonata_text kind);

/* Appends every reason of the whole-graph check, certified mode included. */
sonata_status sonata_check_eligibility(sonata_reasons *reasons,
                                       const sonata_roots *roots,
                                       const sonata_extract_options *options,
                                       sonata_error *error);

#endif
