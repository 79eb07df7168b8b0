/*
 * A text as parts: where each begins and ends, and who its neighbours are. An
 * index over bytes that it does not own; what cannot be understood has no
 * parts, and what stands before it has them all the same.
 */
#ifndef FUZZ_MUTATE_PARTS_H
#define FUZZ_MUTATE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUTATE_NONE UINT32_MAX

typedef enum mutate_kind {
    MUTATE_OPEN, /* it has no end: not to be touched */
    MUTATE_OBJECT,
    MUTATE_LIST,
    MUTATE_STRING,
    MUTATE_NUMBER,
    MUTATE_WORD,      /* null, true; of code a name */
    MUTATE_STATEMENT, /* whole lines, with those in it */
    MUTATE_ARGUMENT   /* what stands between commas of a line or a bracket */
} mutate_kind;

#define MUTATE_BIT(kind) (1u << (kind))
#define MUTATE_VALUES                                                          \
    (MUTATE_BIT(MUTATE_OBJECT) | MUTATE_BIT(MUTATE_LIST) | MUTATE_LEAVES)
#define MUTATE_LEAVES                                                          \
    (MUTATE_BIT(MUTATE_STRING) | MUTATE_BIT(MUTATE_NUMBER) |                   \
     MUTATE_BIT(MUTATE_WORD))

typedef struct mutate_part {
    uint32_t begin, end;   /* with its key; a statement with its line breaks */
    uint32_t value;        /* behind key and colon; of a statement its indent */
    uint32_t key_end;      /* the key is [begin, key_end) with its quotes */
    uint32_t parent;       /* of an item its list, of a word its argument */
    uint32_t before, next; /* its neighbours in one list, block or bracket */
    uint32_t last;         /* while parsing: its last item so far */
    uint8_t kind;
    bool item; /* it has a place among neighbours, and may go */
} mutate_part;

/* Parts in the order of their beginnings. Zero-initialise. */
typedef struct mutate_parts {
    mutate_part *items;
    uint32_t count, capacity;
    bool code;   /* lines; otherwise JSON */
    bool failed; /* memory ran out */
} mutate_parts;

/* Indexes [from, to) of a text that begins at `data`. Linear. */
void mutate_parts_find(mutate_parts *parts, const uint8_t *data, uint32_t from,
                       uint32_t to);

/* parts_json.c, parts_code.c */
void mutate_parts_json(mutate_parts *parts, const uint8_t *data, uint32_t from,
                       uint32_t to);
void mutate_parts_code(mutate_parts *parts, const uint8_t *data, uint32_t from,
                       uint32_t to);

/* A part that begins at `begin`, the last one so far in its parent; an item
 * becomes a neighbour of the item before. MUTATE_NONE: no memory. */
uint32_t mutate_parts_add(mutate_parts *parts, uint32_t parent, uint32_t begin,
                          mutate_kind kind, bool item);

#endif
