/* Numbers of a JSON text, by their value, whatever the locale. */
#ifndef ORACLE_NUMBER_H
#define ORACLE_NUMBER_H

#include "arena.h"

#include <stdbool.h>

int oracle_hex_digit(char c); /* -1: none */

/* The nearest double of a JSON number, with its sign when it is zero. */
double oracle_number_value(const char *text, size_t length);

#define ORACLE_REPR_SIZE 40

/*
 * A finite double as Python's repr writes it (spec 01): the shortest digits
 * that read back to it, of those the nearest to its true value.
 */
void oracle_number_repr(char text[ORACLE_REPR_SIZE], double value);

/* Whether the nearest double of a JSON number is finite. */
bool oracle_number_finite(const char *text, size_t length);

/*
 * The value of a JSON number as a text that is the same for equal values in
 * Python: digits for whole numbers (1, 1.0 and 1e0 give "1"; -0.0 gives
 * "0"), else the bits of the double. In the arena; NULL: no memory.
 */
char *oracle_number_key(oracle_arena *arena, const char *text, size_t length);

#endif
