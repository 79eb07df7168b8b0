/* The JSON form of the IR turned into the neutral form (spec 05). */
#ifndef SONATA_LOAD_H
#define SONATA_LOAD_H

#include "ir.h"
#include "source.h"

/*
 * Fills an IR with all roots of the source's root node. It borrows the texts
 * of the source's document. On failure the IR is freed. Errors: SONATA_SCHEMA
 * with the path of a value of a wrong type, SONATA_RANGE (the roots share so
 * much that walking them is not linear), SONATA_NO_MEMORY. Linear.
 */
sonata_status sonata_ir_load(sonata_ir *ir, const sonata_source *source,
                             sonata_error *error);

/*
 * The same as the program runs: arguments before their call, all statements
 * and expressions, those of fields without a meaning included, and with each
 * call an assignment to what stands for its value. Constants and the variables
 * that others are assigned from are there. With an entry (text not NULL) only
 * the roots of that name are gone through.
 */
sonata_status sonata_ir_load_whole(sonata_ir *ir, const sonata_source *source,
                                   sonata_text entry, sonata_error *error);

/*
 * The same for the one root of a node with a list of statements, each range of
 * statements walked by itself: ends[i] is the number of steps up to the end of
 * range i, which ends before statement bounds[i] of the list. Errors as above.
 */
sonata_status sonata_ir_load_parts(sonata_ir *ir, uint32_t *ends,
                                   const sonata_source *source, uint32_t list,
                                   const uint32_t *bounds, size_t count,
                                   sonata_error *error);

#endif
