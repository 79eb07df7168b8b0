/*
 * The strict lexer (spec 01), which runs before cJSON: grammar, UTF-8, depth,
 * and what cJSON loses. cJSON keeps numbers as doubles, takes at most 63
 * characters of one, and ends a string at U+0000. So the lexer keeps the texts
 * of numbers and of strings with U+0000, and what cJSON gets to see has 0 and
 * SONATA_MARK in their places: the k-th such node of its tree takes the k-th
 * text.
 */
#ifndef SONATA_SCAN_H
#define SONATA_SCAN_H

#include "text.h"

/*
 * Arrays and objects open at once in a document; a bundle has three around
 * that of a member, an eligibility result one around its Score.
 */
#define SONATA_DEPTH_LIMIT 512
#define SONATA_MEMBER_DEPTH 3
#define SONATA_AROUND_DEPTH (SONATA_MEMBER_DEPTH + 1)
#define SONATA_DEPTH_OPEN (SONATA_DEPTH_LIMIT + SONATA_AROUND_DEPTH)

/* First byte of a string that stands for one with U+0000: never in UTF-8. */
#define SONATA_MARK '\xff'

typedef struct sonata_scan {
    char *text;           /* for cJSON: as long as the input */
    sonata_text *numbers; /* as spelled, borrowed from the input */
    size_t number_count;
    size_t number_room;
    sonata_text *strings; /* with U+0000, keys among them; in `arena` */
    size_t string_count;
    size_t string_room;
    sonata_arena arena;
} sonata_scan;

/*
 * Scans a text, which must outlive the scan. Errors: SONATA_SYNTAX,
 * SONATA_RANGE (depth, a literal beyond the largest double), both with line,
 * column and offset; SONATA_NO_MEMORY. Linear.
 */
sonata_status sonata_scan_text(sonata_scan *scan, const char *text,
                               size_t length, sonata_error *error);

/* Allowed after a failure too. */
void sonata_scan_free(sonata_scan *scan);

#endif
