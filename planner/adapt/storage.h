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

#endif
