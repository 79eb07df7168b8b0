/* Canonical spellings of numbers (spec 01). */
#ifndef SONATA_NUMBER_H
#define SONATA_NUMBER_H

#include "text.h"

/* Room for the spelling of any double, with a NUL. */
#define SONATA_DOUBLE_SIZE 32

/* True for the spelling of a float: with a point or an exponent. */
bool sonata_number_is_float(sonata_text spelling);

/*
 * The value of a JSON number as a double, rounded to nearest, infinite beyond
 * the largest one, whatever the locale. False when out of memory. Linear.
 */
bool sonata_number_double(double *value, sonata_text spelling);

/*
 * A finite double as Python's repr: the shortest digits that read back to it,
 * the closest to it among those. Returns the length.
 */
size_t sonata_double_spell(char text[SONATA_DOUBLE_SIZE], double value);

/*
 * The canonical spelling of a JSON number. An integer keeps its digits ("-0"
 * is "0") and the text is borrowed; a float's is put into `room`. Null text
 * when out of memory.
 */
sonata_text sonata_number_spell(char room[SONATA_DOUBLE_SIZE],
                                sonata_text spelling);

/* The integer, when the spelling is one that fits; else false. */
bool sonata_number_int64(int64_t *value, sonata_text spelling);

#endif
