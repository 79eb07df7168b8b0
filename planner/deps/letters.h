/* Unicode's letters and numbers, for the spelling of directions. */
#ifndef SONATA_LETTERS_H
#define SONATA_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

/* For code points from U+0080; O(log ranges). */
bool sonata_is_letter_or_number(uint32_t point);

#endif
