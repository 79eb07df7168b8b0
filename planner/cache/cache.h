/* The cache from inside: its entries. */
#ifndef SONATA_CACHE_CACHE_H
#define SONATA_CACHE_CACHE_H

#include "sonata/cache.h"

#include "../json/arena.h"
#include "../json/table.h"

typedef struct sonata_cache_entry {
    sonata_text key;       /* its fingerprint */
    bool is_other_version; /* then only `raw` counts */
    sonata_text raw;       /* the entry in canonical compact JSON */
    sonata_score score;
    bool has_handle;
    sonata_handle handle;
    sonata_value created_at;
    sonata_text metadata;
    sonata_arena arena; /* of key, raw, created_at and metadata */
} sonata_cache_entry;

/* A fingerprint that was seen: its entry, or NULL. */
typedef struct sonata_cache_slot {
    sonata_cache_entry *entry;
    bool is_invalidated; /* since the last save */
} sonata_cache_slot;

struct sonata_cache {
    sonata_table keys;
    sonata_cache_slot *slots; /* by the number of the key */
    size_t slot_room;
    sonata_arena arena; /* of keys */
    bool all_invalidated;
    uint64_t hits, misses;
};

sonata_cache_entry *sonata_cache_entry_new(sonata_text key);
void sonata_cache_entry_free(sonata_cache_entry *entry); /* NULL: nothing */

/* The slot of a key, made when it is new; NULL when out of memory. */
sonata_cache_slot *sonata_cache_slot_of(sonata_cache *cache, sonata_text key);

/*
 * Takes over an entry, unless one of its key is here, which then takes over a
 * handle that it lacks. The entry is freed where it is not kept. False: out of
 * memory.
 */
bool sonata_cache_add(sonata_cache *cache, sonata_cache_entry *entry);

/* Puts an entry in the place of one of its key. False: out of memory, and the
 * entry is freed. */
bool sonata_cache_put(sonata_cache *cache, sonata_cache_entry *entry);

/*
 * sonata_cache_read; with `is_merge` entries that were invalidated here are
 * left out.
 */
sonata_status sonata_cache_take(sonata_cache *cache, const char *text,
                                size_t length, bool is_merge,
                                sonata_reasons *warnings, sonata_error *error);

/* A warning, its message put together from texts. False: out of memory. */
bool sonata_cache_warn(sonata_reasons *warnings, const char *code,
                       const char *subject, const char *message);

#endif
