/*
 * The mutator of both engines: a text becomes another one that is nearly what
 * it was. docs/engines.md is the design.
 *
 * It knows the parts of JSON texts (members, items, numbers, strings) and of
 * dumps (statements by indentation, what stands between commas, words); of
 * anything else its bytes. What a part means it does not know. Several
 * documents with zero bytes between, as some targets take, are changed one at
 * a time.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much longer than its input a result is, in bytes. */
#define FUZZ_GROWTH ((size_t)4096)

typedef enum fuzz_change {
    FUZZ_CHANGE_DROP,      /* a member, an item, a statement, an argument */
    FUZZ_CHANGE_EDGE,      /* ... of a list that says what comes first */
    FUZZ_CHANGE_DUPLICATE, /* one stands twice */
    FUZZ_CHANGE_MOVE,      /* two neighbours change places, near or far */
    FUZZ_CHANGE_NUMBER,    /* at a limit, or next to what it was */
    FUZZ_CHANGE_REFERENCE, /* a value from the same place of another part */
    FUZZ_CHANGE_RENAME,    /* a name in all its places, or a key */
    FUZZ_CHANGE_GRAFT,     /* a part of the text instead of another */
    FUZZ_CHANGE_SPLICE,    /* a part of the other text */
    FUZZ_CHANGE_EMPTY,     /* null, {}, [], "" or what is inside, instead */
    FUZZ_CHANGE_SPELL,     /* the same value in other letters, blanks */
    FUZZ_CHANGE_BYTES,     /* bits, bytes and runs of bytes anywhere */
    FUZZ_CHANGES
} fuzz_change;

const char *fuzz_change_name(fuzz_change change); /* "drop", ...: static */

/* Memory that is used again from one call to the next. */
typedef struct fuzz_mutator fuzz_mutator;

/* NULL: no memory. Free with fuzz_mutator_free (NULL does nothing). */
fuzz_mutator *fuzz_mutator_new(void);
void fuzz_mutator_free(fuzz_mutator *mutator);

typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
} fuzz_bytes;

/*
 * One to four changes of `text`, drawn by `seed`; some take a part of `other`
 * (size 0: there is none). The same arguments give the same bytes. The result
 * has 1 to `most` bytes (none where `most` is 0), at most FUZZ_GROWTH more
 * than `text`; it lives until the next call. Never fails: without memory the
 * result is the beginning of `text`. O(size of both).
 */
fuzz_bytes fuzz_mutate(fuzz_mutator *mutator, fuzz_bytes text, fuzz_bytes other,
                       size_t most, uint64_t seed);

/* The same, and a part of `other` is in it where one has a place. */
fuzz_bytes fuzz_cross(fuzz_mutator *mutator, fuzz_bytes text, fuzz_bytes other,
                      size_t most, uint64_t seed);

/* The changes of the last call: a bit of each, 1u << FUZZ_CHANGE_DROP, ... */
unsigned fuzz_mutator_changes(const fuzz_mutator *mutator);

/*
 * Trimming: what is not needed goes, a run of neighbours at a time. Begin with
 * a text; each step gives a smaller one (size 0: there is no step left), of
 * which fuzz_trim_keep says whether it still does what is wanted. Results live
 * until the next call. Each O(size).
 */
bool fuzz_trim_begin(fuzz_mutator *mutator, fuzz_bytes text);
fuzz_bytes fuzz_trim_step(fuzz_mutator *mutator);
void fuzz_trim_keep(fuzz_mutator *mutator, bool keep);

#endif
