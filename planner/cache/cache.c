/* The Score cache in memory. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "../json/array.h"
#include "../score/reason.h"

sonata_cache_entry *sonata_cache_entry_new(sonata_text key)
{
    sonata_cache_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return NULL;
    entry->key.length = key.length;
    entry->key.text = sonata_arena_copy(&entry->arena, key.text, key.length);
    if (entry->key.text == NULL) {
        sonata_cache_entry_free(entry);
        return NULL;
    }
    return entry;
}

void sonata_cache_entry_free(sonata_cache_entry *entry)
{
    if (entry == NULL)
        return;
    sonata_score_free(&entry->score);
    sonata_handle_free(&entry->handle);
    sonata_arena_free(&entry->arena);
    free(entry);
}

sonata_status sonata_cache_new(sonata_cache **cache, sonata_error *error)
{
    *cache = calloc(1, sizeof **cache);
    return *cache == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

void sonata_cache_free(sonata_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < cache->keys.count; i++)
        sonata_cache_entry_free(cache->slots[i].entry);
    free(cache->slots);
    sonata_table_free(&cache->keys);
    sonata_arena_free(&cache->arena);
    free(cache);
}

sonata_cache_slot *sonata_cache_slot_of(sonata_cache *cache, sonata_text key)
{
    sonata_cache_slot *slots = sonata_grow(cache->slots, &cache->slot_room,
                                           cache->keys.count, sizeof *slots);
    if (slots == NULL)
        return NULL;
    cache->slots = slots;
    uint32_t number = 0;
    if (sonata_table_find(&cache->keys, &number, 0, key))
        return &slots[number];
    const char *copy = sonata_arena_copy(&cache->arena, key.text, key.length);
    if (copy == NULL || !sonata_table_put(&cache->keys, &number, NULL, 0,
                                          (sonata_text){copy, key.length}))
        return NULL;
    slots[number] = (sonata_cache_slot){0};
    return &slots[number];
}

bool sonata_cache_put(sonata_cache *cache, sonata_cache_entry *entry)
{
    sonata_cache_slot *slot = sonata_cache_slot_of(cache, entry->key);
    if (slot == NULL) {
        sonata_cache_entry_free(entry);
        return false;
    }
    sonata_cache_entry_free(slot->entry);
    slot->entry = entry;
    return true;
}

static void take_handle(sonata_cache_entry *to, sonata_cache_entry *from)
{
    if (to->has_handle || !from->has_handle)
        return;
    to->handle = from->handle;
    to->has_handle = true;
    from->handle = (sonata_handle){0};
    from->has_handle = false;
}

bool sonata_cache_add(sonata_cache *cache, sonata_cache_entry *entry)
{
    sonata_cache_slot *slot = sonata_cache_slot_of(cache, entry->key);
    bool is_kept = slot != NULL && slot->entry == NULL;
    if (is_kept)
        slot->entry = entry;
    else if (slot != NULL)
        take_handle(slot->entry, entry);
    if (!is_kept)
        sonata_cache_entry_free(entry);
    return slot != NULL;
}

bool sonata_cache_warn(sonata_reasons *warnings, const char *code,
                       const char *subject, const char *message)
{
    if (warnings == NULL)
        return true;
    sonata_arena *arena = sonata_reasons_memory(warnings);
    if (arena == NULL)
        return false;
    return sonata_reasons_add(
        warnings, code,
        SONATA_JOIN(arena, (sonata_text){subject, strlen(subject)},
                    SONATA_TEXT(": "), (sonata_text){message, strlen(message)}),
        true);
}

/* The entry of a fingerprint, of whatever version, or NULL. */
static sonata_cache_slot *find(const sonata_cache *cache,
                               const char *fingerprint)
{
    uint32_t number = 0;
    sonata_text key = {fingerprint, strlen(fingerprint)};
    if (!sonata_table_find(&cache->keys, &number, 0, key))
        return NULL;
    return cache->slots[number].entry == NULL ? NULL : &cache->slots[number];
}

static sonata_cache_entry *find_usable(const sonata_cache *cache,
                                       const char *fingerprint)
{
    const sonata_cache_slot *slot = find(cache, fingerprint);
    if (slot == NULL || slot->entry->is_other_version)
        return NULL;
    return slot->entry;
}

static sonata_status copy_score(sonata_score *copy, const sonata_score *score,
                                sonata_error *error)
{
    char *json = NULL;
    size_t length = 0;
    sonata_status status =
        sonata_score_json(&json, &length, score, false, error);
    if (status == SONATA_OK)
        status = sonata_score_read(copy, json, length, NULL, error);
    free(json);
    return status;
}

static sonata_status copy_handle(sonata_handle *copy,
                                 const sonata_handle *handle,
                                 sonata_error *error)
{
    char *json = NULL;
    size_t length = 0;
    sonata_status status =
        sonata_handle_json(&json, &length, handle, false, error);
    if (status == SONATA_OK)
        status = sonata_handle_read(copy, json, length, NULL, error);
    free(json);
    return status;
}

/* A null text stays one. False: out of memory. */
static bool copy_text(sonata_text *copy, sonata_arena *arena, sonata_text text)
{
    *copy = text;
    if (text.text == NULL)
        return true;
    copy->text = sonata_arena_copy(arena, text.text, text.length);
    return copy->text != NULL;
}

static sonata_status fill_entry(sonata_cache_entry *entry,
                                const sonata_score *score,
                                const sonata_handle *handle,
                                const sonata_cache_note *note,
                                sonata_error *error)
{
    sonata_status status = copy_score(&entry->score, score, error);
    if (status == SONATA_OK && handle != NULL) {
        status = copy_handle(&entry->handle, handle, error);
        entry->has_handle = status == SONATA_OK;
    }
    if (status != SONATA_OK || note == NULL)
        return status;
    entry->created_at.kind = note->created_at.kind;
    if (!copy_text(&entry->created_at.text, &entry->arena,
                   note->created_at.text) ||
        !copy_text(&entry->metadata, &entry->arena, note->metadata))
        return sonata_fail_memory(error);
    return SONATA_OK;
}

sonata_status sonata_cache_store(sonata_cache *cache,
                                 char fingerprint[SONATA_FINGERPRINT_SIZE],
                                 const sonata_score *score,
                                 const sonata_handle *handle,
                                 const sonata_cache_note *note,
                                 sonata_error *error)
{
    char text[SONATA_FINGERPRINT_SIZE];
    sonata_status status = sonata_score_fingerprint(text, score, false, error);
    if (status != SONATA_OK)
        return status;
    if (handle != NULL && !sonata_text_is(handle->fingerprint, text))
        return sonata_fail(error, SONATA_REJECTED, "cache.foreign-handle",
                           "the PlanHandle is of another Score than %s", text);
    sonata_cache_entry *entry = sonata_cache_entry_new(
        (sonata_text){text, SONATA_FINGERPRINT_SIZE - 1});
    if (entry == NULL)
        return sonata_fail_memory(error);
    status = fill_entry(entry, score, handle, note, error);
    sonata_cache_slot *slot =
        status == SONATA_OK ? sonata_cache_slot_of(cache, entry->key) : NULL;
    if (slot == NULL) {
        sonata_cache_entry_free(entry);
        return status == SONATA_OK ? sonata_fail_memory(error) : status;
    }
    if (slot->entry != NULL)
        take_handle(entry, slot->entry);
    sonata_cache_entry_free(slot->entry);
    slot->entry = entry;
    if (fingerprint != NULL)
        memcpy(fingerprint, text, sizeof text);
    return SONATA_OK;
}

sonata_status sonata_cache_store_handle(sonata_cache *cache,
                                        const sonata_handle *handle,
                                        sonata_error *error)
{
    sonata_handle copy = {0};
    sonata_cache_entry *entry = NULL;
    sonata_text key = handle->fingerprint;
    if (key.text != NULL && strlen(key.text) == key.length)
        entry = find_usable(cache, key.text);
    if (entry == NULL)
        return sonata_fail(error, SONATA_REJECTED, "cache.missing",
                           "no Score of fingerprint '%s' is in the cache",
                           key.text == NULL ? "" : key.text);
    sonata_status status = copy_handle(&copy, handle, error);
    if (status != SONATA_OK)
        return status;
    sonata_handle_free(&entry->handle);
    entry->handle = copy;
    entry->has_handle = true;
    return SONATA_OK;
}

static void count_lookup(sonata_cache *cache, bool is_hit)
{
    if (is_hit)
        cache->hits++;
    else
        cache->misses++;
}

const sonata_score *sonata_cache_lookup(sonata_cache *cache,
                                        const char *fingerprint)
{
    const sonata_cache_entry *entry = find_usable(cache, fingerprint);
    count_lookup(cache, entry != NULL);
    return entry == NULL ? NULL : &entry->score;
}

const sonata_handle *sonata_cache_lookup_handle(sonata_cache *cache,
                                                const char *fingerprint)
{
    const sonata_cache_entry *entry = find_usable(cache, fingerprint);
    bool is_hit = entry != NULL && entry->has_handle;
    count_lookup(cache, is_hit);
    return is_hit ? &entry->handle : NULL;
}

bool sonata_cache_contains(const sonata_cache *cache, const char *fingerprint)
{
    return find_usable(cache, fingerprint) != NULL;
}

bool sonata_cache_invalidate(sonata_cache *cache, const char *fingerprint)
{
    sonata_cache_slot *slot = find(cache, fingerprint);
    if (slot == NULL)
        return false;
    sonata_cache_entry_free(slot->entry);
    *slot = (sonata_cache_slot){.is_invalidated = true};
    return true;
}

size_t sonata_cache_invalidate_all(sonata_cache *cache)
{
    size_t count = 0;
    for (size_t i = 0; i < cache->keys.count; i++) {
        count += cache->slots[i].entry != NULL;
        sonata_cache_entry_free(cache->slots[i].entry);
        cache->slots[i].entry = NULL;
    }
    cache->all_invalidated = true;
    return count;
}

sonata_cache_stats sonata_cache_stats_of(const sonata_cache *cache)
{
    sonata_cache_stats stats = {.hits = cache->hits, .misses = cache->misses};
    uint64_t lookups = cache->hits + cache->misses;
    for (size_t i = 0; i < cache->keys.count; i++)
        stats.entries += cache->slots[i].entry != NULL;
    if (lookups > 0)
        stats.hit_rate = (unsigned)(cache->hits * 100 / lookups);
    return stats;
}

sonata_status sonata_cache_get(const sonata_score **score, bool *was_cached,
                               sonata_cache *cache, const char *hint,
                               sonata_score_builder build, void *context,
                               sonata_error *error)
{
    *score = hint == NULL ? NULL : sonata_cache_lookup(cache, hint);
    if (was_cached != NULL)
        *was_cached = *score != NULL;
    if (*score != NULL)
        return SONATA_OK;
    sonata_score built = {0};
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    sonata_status status = build(&built, context, error);
    if (status == SONATA_OK)
        status =
            sonata_cache_store(cache, fingerprint, &built, NULL, NULL, error);
    if (status == SONATA_OK)
        *score = &find_usable(cache, fingerprint)->score;
    sonata_score_free(&built);
    return status;
}
