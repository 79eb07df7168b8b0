/* Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef SONATA_UTF8_H
#define SONATA_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The code point at the start of `text`; returns how many bytes it takes, 0
 * when they are no valid character (or length is 0).
 */
size_t sonata_utf8_decode(uint32_t *point, const char *text, size_t length);

#endif
