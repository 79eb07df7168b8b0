/*
 * The Score cache (spec 04): Scores and their PlanHandles by fingerprint, in
 * memory and in a file that several processes may share.
 *
 * A file is input like any other. An entry that cannot be read, or whose key
 * is not the fingerprint of its Score, is left out with a warning, so that it
 * is a miss and rebuilt; a file that is no cache at all is reported and kept
 * aside. Entries of another schema version are misses and kept as they are.
 *
 * The cache owns what it holds. A Score or PlanHandle that it gives out is
 * valid until its entry is stored again or invalidated, or the cache is freed.
 * A cache belongs to one thread at a time.
 */
#ifndef SONATA_CACHE_H
#define SONATA_CACHE_H

#include "sonata/handle.h"

typedef struct sonata_cache sonata_cache;

/* An empty cache; freed by the caller. Errors: SONATA_NO_MEMORY. */
sonata_status sonata_cache_new(sonata_cache **cache, sonata_error *error);
void sonata_cache_free(sonata_cache *cache); /* NULL does nothing */

/* What an entry keeps besides; zeroed: nothing. */
typedef struct sonata_cache_note {
    sonata_value created_at; /* any JSON value: the caller's choice */
    sonata_text metadata;    /* an object in canonical JSON; null: {} */
} sonata_cache_note;

/*
 * Stores copies of a Score and of its PlanHandle (NULL: none, and one that the
 * entry has stays). `fingerprint` (may be NULL) is set to that of the Score;
 * `note` may be NULL. Errors: SONATA_REJECTED (cache.foreign-handle: the
 * handle is of another Score), SONATA_NO_MEMORY; the cache is then as it was.
 * O(size of the Score).
 */
sonata_status sonata_cache_store(sonata_cache *cache,
                                 char fingerprint[SONATA_FINGERPRINT_SIZE],
                                 const sonata_score *score,
                                 const sonata_handle *handle,
                                 const sonata_cache_note *note,
                                 sonata_error *error);

/* Stores a copy of a PlanHandle with its Score. Errors: SONATA_REJECTED
 * (cache.missing: its Score is not here), SONATA_NO_MEMORY. */
sonata_status sonata_cache_store_handle(sonata_cache *cache,
                                        const sonata_handle *handle,
                                        sonata_error *error);

/* NULL: a miss. Both count as a hit or a miss. O(1). */
const sonata_score *sonata_cache_lookup(sonata_cache *cache,
                                        const char *fingerprint);
const sonata_handle *sonata_cache_lookup_handle(sonata_cache *cache,
                                                const char *fingerprint);

/* Whether a lookup of the Score would be a hit; counts for nothing. */
bool sonata_cache_contains(const sonata_cache *cache, const char *fingerprint);

/* Forgets an entry, also in the file with the next save; false: none. */
bool sonata_cache_invalidate(sonata_cache *cache, const char *fingerprint);

/* Forgets all entries, also those of the file; how many there were here. */
size_t sonata_cache_invalidate_all(sonata_cache *cache);

typedef struct sonata_cache_stats {
    size_t entries;
    uint64_t hits;
    uint64_t misses;
    unsigned hit_rate; /* in whole percent, rounded down; 0 without lookups */
} sonata_cache_stats;

sonata_cache_stats sonata_cache_stats_of(const sonata_cache *cache);

/* Makes a Score, which the cache frees with sonata_score_free. */
typedef sonata_status (*sonata_score_builder)(sonata_score *score,
                                              void *context,
                                              sonata_error *error);

/*
 * The Score of the fingerprint `hint` when it is there (*was_cached true);
 * otherwise, and with NULL as the hint, one is built and stored. *score is the
 * cache's. was_cached may be NULL. Errors: those of the builder,
 * SONATA_NO_MEMORY.
 */
sonata_status sonata_cache_get(const sonata_score **score, bool *was_cached,
                               sonata_cache *cache, const char *hint,
                               sonata_score_builder build, void *context,
                               sonata_error *error);

/*
 * The cache as a document, {"cache_schema_version": 1, "entries":
 * {fingerprint: {"created_at", "fingerprint_version", "metadata",
 * "plan_handle", "schema_version", "score"}}}: canonical JSON, see
 * sonata_score_json.
 */
sonata_status sonata_cache_json(char **json, size_t *length,
                                const sonata_cache *cache, bool pretty,
                                sonata_error *error);

/*
 * Adds the entries of a document; those that are here already stay, and take
 * over a PlanHandle that they lack. What was left out is told in *warnings
 * (may be NULL): "cache.damaged-entry", "cache.foreign-entry",
 * "doc.unknown-field". Errors: SONATA_SYNTAX, SONATA_SCHEMA, SONATA_RANGE (the
 * document is no cache of this version), SONATA_NO_MEMORY. Linear.
 */
sonata_status sonata_cache_read(sonata_cache *cache, const char *text,
                                size_t length, sonata_reasons *warnings,
                                sonata_error *error);

/*
 * Adds the entries of a file; a missing one is empty. A file that is no cache
 * is moved to `path`.damaged (.damaged.1, ... when that exists) and told as
 * "cache.damaged-file": SONATA_OK all the same. Errors: SONATA_IO,
 * SONATA_NO_MEMORY.
 */
sonata_status sonata_cache_load(sonata_cache *cache, const char *path,
                                sonata_reasons *warnings, sonata_error *error);

/*
 * Adds what is here to the file: under a lock (`path`.lock), its entries are
 * read, those invalidated here are left out, and the whole is written beside
 * (`path`.new), synced and renamed, so that a crash leaves the old file or the
 * new one, and what several processes save is all kept. The cache holds the
 * entries of the file afterwards. Errors: as sonata_cache_load; the file is
 * then as it was.
 */
sonata_status sonata_cache_save(sonata_cache *cache, const char *path,
                                sonata_reasons *warnings, sonata_error *error);

#endif
