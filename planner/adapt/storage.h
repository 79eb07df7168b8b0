/* Storage keys of variables (spec 03). */
#ifndef SONATA_STORAGE_H
#define SONATA_STORAGE_H

#include "roots.h"

/*
 * The storage key of every variable of the IR after all assignments, null
 * where it has none: ir->variable_count of them, in the arena.
 */
sonata_status sonata_storage_keys(sonata_text **keys, sonata_arena *arena,
                                  const sonata_roots *roots,
                                  sonata_error *error);

/* What an argument is when its call runs. */
typedef struct sonata_storage_fact {
    sonata_text key; /* null: not known */
    bool is_part;    /* a slice or another view: some bytes of it */
} sonata_storage_fact;

/*
 * The storage of every argument (ir->arg_count of them, in the arena) of an IR
 * loaded as it runs, at the time of its call: of a variable assigned from
 * another, and of a slice, view, reshape or transpose, that of the other.
 */
sonata_status sonata_storage_facts(sonata_storage_fact **facts,
                                   sonata_arena *arena,
                                   const sonata_roots *roots,
                                   sonata_error *error);

#endif
