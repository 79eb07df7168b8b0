/* The Score cache as a document. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "../json/fields.h"
#include "../json/tree.h"
#include "../runtime/handle.h"
#include "../score/document.h"
#include "../score/read.h"

#define VERSION 1

enum { CREATED, FINGERPRINT, METADATA, HANDLE, SCHEMA, SCORE, FIELDS };
static const char *const field_names[] = {
    "created_at",  "fingerprint_version", "metadata",
    "plan_handle", "schema_version",      "score"};

static void write_entry(sonata_json *w, const sonata_cache_entry *entry)
{
    sonata_text metadata = entry->metadata;
    if (metadata.text == NULL)
        metadata = SONATA_TEXT("{}");
    sonata_json_object(w);
    sonata_json_key(w, field_names[CREATED]);
    sonata_write_value(w, entry->created_at);
    sonata_json_key(w, field_names[FINGERPRINT]);
    sonata_json_int(w, VERSION);
    sonata_json_key(w, field_names[METADATA]);
    sonata_json_raw(w, metadata.text, metadata.length);
    sonata_json_key(w, field_names[HANDLE]);
    if (entry->has_handle)
        sonata_write_handle(w, &entry->handle);
    else
        sonata_json_null(w);
    sonata_json_key(w, field_names[SCHEMA]);
    sonata_json_int(w, VERSION);
    sonata_json_key(w, field_names[SCORE]);
    sonata_write_score(w, &entry->score);
    sonata_json_end_object(w);
}

static int by_key(const void *a, const void *b)
{
    sonata_text left = (*(const sonata_cache_entry *const *)a)->key;
    sonata_text right = (*(const sonata_cache_entry *const *)b)->key;
    size_t shorter = left.length < right.length ? left.length : right.length;
    int order = memcmp(left.text, right.text, shorter);
    return order != 0
               ? order
               : (left.length > right.length) - (left.length < right.length);
}

/* The entries sorted by key; NULL when out of memory. */
static const sonata_cache_entry **sort_entries(size_t *count,
                                               const sonata_cache *cache)
{
    const sonata_cache_entry **entries =
        reallocarray(NULL, cache->keys.count + 1, sizeof *entries);
    *count = 0;
    for (size_t i = 0; entries != NULL && i < cache->keys.count; i++)
        if (cache->slots[i].entry != NULL)
            entries[(*count)++] = cache->slots[i].entry;
    if (entries != NULL)
        qsort(entries, *count, sizeof *entries, by_key);
    return entries;
}

sonata_status sonata_cache_json(char **json, size_t *length,
                                const sonata_cache *cache, bool pretty,
                                sonata_error *error)
{
    *json = NULL;
    size_t count = 0;
    const sonata_cache_entry **entries = sort_entries(&count, cache);
    if (entries == NULL)
        return sonata_fail_memory(error);
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_json_object(&w);
    sonata_json_key(&w, "cache_schema_version");
    sonata_json_int(&w, VERSION);
    sonata_json_key(&w, "entries");
    sonata_json_object(&w);
    for (size_t i = 0; i < count; i++) {
        sonata_json_key_n(&w, entries[i]->key.text, entries[i]->key.length);
        if (entries[i]->is_other_version)
            sonata_json_raw(&w, entries[i]->raw.text, entries[i]->raw.length);
        else
            write_entry(&w, entries[i]);
    }
    sonata_json_end_object(&w);
    sonata_json_end_object(&w);
    *json = sonata_json_take(&w, length);
    free(entries);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

/* One reading of a document: where entries go, and what is told. */
typedef struct intake {
    sonata_cache *cache; /* of this document alone */
    sonata_reading r;
    sonata_error fault; /* of the entry being read */
    sonata_reasons *warnings;
} intake;

static bool is_version(const sonata_doc *doc, const sonata_node *node)
{
    int64_t version = 0;
    return node == NULL || sonata_node_kind_of(doc, node) == SONATA_NODE_NULL ||
           (sonata_node_int(&version, doc, node) && version == VERSION);
}

/* False with in->r.status: damaged, or out of memory. */
static bool read_handle(sonata_cache_entry *entry, intake *in,
                        const sonata_fields *f)
{
    sonata_place place = {f->place, field_names[HANDLE], 0};
    const sonata_node *node = f->nodes[HANDLE];
    if (node == NULL ||
        sonata_node_kind_of(in->r.doc, node) == SONATA_NODE_NULL)
        return true;
    entry->handle.memory = calloc(1, sizeof *entry->handle.memory);
    if (entry->handle.memory == NULL)
        return sonata_refuse_memory(&in->r);
    sonata_reading_restart(&in->r, entry->handle.memory);
    entry->has_handle =
        sonata_read_handle(&entry->handle, &in->r, &place, node);
    if (entry->has_handle &&
        !sonata_text_equal(entry->handle.fingerprint, entry->key))
        return sonata_refuse(&in->r, SONATA_SCHEMA, &place,
                             "is of another Score");
    return entry->has_handle;
}

static bool read_score(sonata_cache_entry *entry, intake *in,
                       const sonata_fields *f)
{
    sonata_place place = {f->place, field_names[SCORE], 0};
    if (f->nodes[SCORE] == NULL)
        return sonata_refuse(&in->r, SONATA_SCHEMA, &place, "is missing");
    sonata_arena *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return sonata_refuse_memory(&in->r);
    sonata_reading_restart(&in->r, memory);
    bool done =
        sonata_read_score(&entry->score, &in->r, &place, f->nodes[SCORE]);
    entry->score.memory = memory;
    return done;
}

static bool read_entry(sonata_cache_entry *entry, intake *in,
                       const sonata_place *place, const sonata_node *node)
{
    sonata_fields f;
    const sonata_doc *doc = in->r.doc;
    sonata_reading_restart(&in->r, &entry->arena);
    entry->is_other_version =
        !is_version(doc, sonata_node_get(doc, node, field_names[SCHEMA])) ||
        !is_version(doc, sonata_node_get(doc, node, field_names[FINGERPRINT]));
    if (entry->is_other_version)
        return sonata_read_json(&entry->raw, &in->r, node);
    if (!sonata_fields_open(&f, &in->r, place, node, field_names, FIELDS))
        return false;
    return sonata_field_value(&entry->created_at, &in->r, &f, CREATED) &&
           sonata_field_object(&entry->metadata, &in->r, &f, METADATA) &&
           read_score(entry, in, &f);
}

/* A handle that cannot be read costs the handle alone. */
static bool add_handle(sonata_cache_entry *entry, intake *in,
                       const sonata_place *place, const sonata_node *node)
{
    sonata_fields f = {.place = place, .names = field_names};
    f.nodes[HANDLE] = sonata_node_get(in->r.doc, node, field_names[HANDLE]);
    if (read_handle(entry, in, &f))
        return true;
    sonata_handle_free(&entry->handle);
    entry->has_handle = false;
    return in->r.status != SONATA_NO_MEMORY &&
           sonata_cache_warn(in->warnings, "cache.damaged-entry",
                             entry->key.text, in->fault.message);
}

static bool is_own(const sonata_cache_entry *entry, bool *failed)
{
    char text[SONATA_FINGERPRINT_SIZE];
    *failed =
        sonata_score_fingerprint(text, &entry->score, false, NULL) != SONATA_OK;
    return !*failed && sonata_text_is(entry->key, text);
}

/* Keeps a good entry, tells of a bad one. False: out of memory. */
static bool take_entry(intake *in, const sonata_place *place,
                       const sonata_node *node)
{
    bool failed = false;
    sonata_cache_entry *entry =
        sonata_cache_entry_new(sonata_node_key(in->r.doc, node));
    if (entry == NULL)
        return false;
    const char *code = "cache.damaged-entry";
    bool good = read_entry(entry, in, place, node);
    if (good && !entry->is_other_version) {
        good = is_own(entry, &failed);
        if (!good) {
            code = "cache.foreign-entry";
            sonata_refuse(&in->r, SONATA_SCHEMA, place,
                          "is not the Score of this fingerprint");
        } else if (!add_handle(entry, in, place, node)) {
            sonata_cache_entry_free(entry);
            return false;
        }
    }
    if (good)
        return sonata_cache_put(in->cache, entry);
    failed = failed || in->r.status == SONATA_NO_MEMORY ||
             !sonata_cache_warn(in->warnings, code, entry->key.text,
                                in->fault.message);
    sonata_cache_entry_free(entry);
    return !failed;
}

static bool take_entries(intake *in, const sonata_node *entries)
{
    sonata_place of_entries = {.name = "entries"};
    sonata_place place = {.up = &of_entries};
    const sonata_node *m = sonata_node_first(entries);
    for (; m != NULL; m = sonata_node_next(m), place.index++)
        if (!take_entry(in, &place, m))
            return false;
    return true;
}

static bool is_invalidated(const sonata_cache *cache, sonata_text key)
{
    uint32_t number = 0;
    return cache->all_invalidated ||
           (sonata_table_find(&cache->keys, &number, 0, key) &&
            cache->slots[number].is_invalidated);
}

/* Moves entries over. False: out of memory. */
static bool move_entries(sonata_cache *to, sonata_cache *from, bool is_merge)
{
    for (size_t i = 0; i < from->keys.count; i++) {
        sonata_cache_entry *entry = from->slots[i].entry;
        if (entry == NULL || (is_merge && is_invalidated(to, entry->key)))
            continue;
        from->slots[i].entry = NULL;
        if (!sonata_cache_add(to, entry))
            return false;
    }
    return true;
}

static sonata_status read_document(intake *in, sonata_error *error)
{
    enum { CACHE_VERSION, ENTRIES, COUNT };
    static const char *const names[] = {"cache_schema_version", "entries"};
    sonata_fields f;
    sonata_place place = {.name = names[ENTRIES]};
    const sonata_node *root = sonata_doc_root(in->r.doc);
    in->r.error = error;
    if (!sonata_fields_open(&f, &in->r, NULL, root, names, COUNT) ||
        !sonata_field_version(&in->r, &f, CACHE_VERSION))
        return in->r.status;
    if (f.nodes[ENTRIES] == NULL)
        return SONATA_OK;
    if (sonata_node_kind_of(in->r.doc, f.nodes[ENTRIES]) != SONATA_NODE_OBJECT)
        sonata_refuse_type(&in->r, &place, "an object", f.nodes[ENTRIES]);
    if (in->r.status != SONATA_OK)
        return in->r.status;
    in->r.error = &in->fault;
    return take_entries(in, f.nodes[ENTRIES]) ? SONATA_OK
                                              : sonata_fail_memory(error);
}

sonata_status sonata_cache_take(sonata_cache *cache, const char *text,
                                size_t length, bool is_merge,
                                sonata_reasons *warnings, sonata_error *error)
{
    sonata_doc *doc = NULL;
    sonata_arena arena = {0};
    intake in = {.warnings = warnings};
    sonata_status status = sonata_doc_read(&doc, text, length, error);
    if (status == SONATA_OK)
        status = sonata_cache_new(&in.cache, error);
    if (status == SONATA_OK) {
        in.r =
            (sonata_reading){.doc = doc, .arena = &arena, .warnings = warnings};
        status = read_document(&in, error);
        sonata_reading_free(&in.r);
    }
    if (status == SONATA_OK && !move_entries(cache, in.cache, is_merge))
        status = sonata_fail_memory(error);
    sonata_cache_free(in.cache);
    sonata_arena_free(&arena);
    sonata_doc_free(doc);
    return status;
}

sonata_status sonata_cache_read(sonata_cache *cache, const char *text,
                                size_t length, sonata_reasons *warnings,
                                sonata_error *error)
{
    return sonata_cache_take(cache, text, length, false, warnings, error);
}
