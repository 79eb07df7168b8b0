/* The neutral form of a dump, from which its Score is extracted (spec 05). */
#ifndef SONATA_DUMP_NEUTRAL_H
#define SONATA_DUMP_NEUTRAL_H

#include "ast.h"
#include "names.h"

#include "../adapt/ir.h"

/*
 * Fills an initialised IR with the Orchestration functions of a program. The
 * IR borrows the program's text. False when out of memory.
 */
bool neutral_fill(sonata_ir *ir, const ast_program *ast, const names *n);

#endif
