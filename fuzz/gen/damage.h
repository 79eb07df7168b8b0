/* Damage to the bytes of a JSON object, by which it is none any more. */
#ifndef FUZZ_DAMAGE_H
#define FUZZ_DAMAGE_H

#include "fuzz/random.h"
#include "fuzz/text.h"

/* Any of the ways in which strict JSON can be missed (doc.syntax). O(text). */
void fuzz_damage(fuzz_text *text, fuzz_random *random);

#endif
