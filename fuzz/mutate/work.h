/*
 * What the changes work on. A change reads the text and its parts and writes
 * the whole new text, so that nothing it reads moves under it.
 */
#ifndef FUZZ_MUTATE_WORK_H
#define FUZZ_MUTATE_WORK_H

#include "fuzz/mutate.h"
#include "fuzz/random.h"
#include "parts.h"

typedef struct mutate_buffer {
    uint8_t *data;
    size_t size, capacity;
} mutate_buffer;

/* Trimming: the run of neighbours that is tried next. */
typedef struct mutate_trim {
    uint32_t part; /* its first */
    uint32_t run;  /* how many, or 0: as many as there are */
} mutate_trim;

struct fuzz_mutator {
    mutate_buffer text, next; /* what it is, and what a change makes of it */
    size_t limit;             /* of the result */
    bool over;                /* what was put would have been longer */
    mutate_parts parts;       /* of a section of the text */
    uint32_t from, to;        /* the section */
    fuzz_bytes other;
    mutate_parts other_parts;
    bool other_found; /* its parts are known */
    fuzz_random random;
    unsigned changes;
    mutate_trim trim;
};

typedef struct mutate_span {
    const uint8_t *data;
    size_t size;
} mutate_span;

static inline uint32_t mutate_below(fuzz_mutator *m, uint64_t n)
{
    return (uint32_t)fuzz_below(&m->random, n);
}

/* The new text, piece by piece, and whether it is one. mutate.c */
void mutate_begin(fuzz_mutator *m);
void mutate_put(fuzz_mutator *m, const void *data, size_t size);
void mutate_put_text(fuzz_mutator *m, size_t from, size_t to); /* of the old */
bool mutate_end(fuzz_mutator *m);
/* The old text with other bytes for [from, to). */
bool mutate_replace(fuzz_mutator *m, size_t from, size_t to, const void *data,
                    size_t size);
bool mutate_reserve(mutate_buffer *buffer, size_t size);

/* pick.c: parts by lot. */
typedef bool mutate_fits(const fuzz_mutator *m, const mutate_part *part,
                         const void *context);
/* Any part that fits, all alike likely; MUTATE_NONE: none does. */
uint32_t mutate_pick(fuzz_mutator *m, mutate_fits *fits, const void *context);
/* One whose kind is among these bits. */
uint32_t mutate_pick_kind(fuzz_mutator *m, unsigned kinds);
uint32_t mutate_pick_item(fuzz_mutator *m);
/* An item that is in the same list, block or bracket, and no other. */
uint32_t mutate_pick_neighbour(fuzz_mutator *m, uint32_t part);
/* Another leaf with the same name (of its member, its list), other bytes. */
uint32_t mutate_pick_fellow(fuzz_mutator *m, uint32_t part);
/* An item of a list that says what comes first. */
uint32_t mutate_pick_order(fuzz_mutator *m);
/* What can stand for a part: of this text, or of the other one. */
uint32_t mutate_pick_instead(fuzz_mutator *m, uint32_t part, bool other);
mutate_span mutate_value(const uint8_t *data, const mutate_part *part);

/* Where [first, last] of one list end, with a comma too many. */
typedef struct mutate_range {
    uint32_t from, to;
} mutate_range;
mutate_range mutate_range_of(const mutate_parts *parts, uint32_t first,
                             uint32_t last);

/* The changes: false when the text has nothing to change so. items.c */
bool mutate_drop(fuzz_mutator *m);
bool mutate_drop_edge(fuzz_mutator *m);
bool mutate_duplicate(fuzz_mutator *m);
bool mutate_move(fuzz_mutator *m);
bool mutate_graft(fuzz_mutator *m);
bool mutate_splice(fuzz_mutator *m);
bool mutate_empty(fuzz_mutator *m);
/* leaves.c */
bool mutate_number(fuzz_mutator *m);
bool mutate_reference(fuzz_mutator *m);
bool mutate_rename(fuzz_mutator *m);
bool mutate_spell(fuzz_mutator *m);
/* bytes.c: only where there is no room at all is there nothing to change. */
bool mutate_bytes(fuzz_mutator *m);

#endif
