#include "fields.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../score/reason.h"
#include "array.h"
#include "tree.h"

#define PLACES_LIMIT 16

void sonata_reading_free(sonata_reading *r)
{
    sonata_arena_free(&r->scratch);
    sonata_table_free(&r->unknown);
    sonata_table_free(&r->words);
    free(r->kept);
}

void sonata_reading_restart(sonata_reading *r, sonata_arena *arena)
{
    sonata_table_free(&r->words);
    r->arena = arena;
    r->status = SONATA_OK;
}

/* "tasks[3].name"; without numbers: "tasks[].name". */
static void put_path(char *path, size_t size, const sonata_place *place,
                     bool numbers)
{
    const sonata_place *places[PLACES_LIMIT];
    size_t count = 0;
    for (; place != NULL && count < PLACES_LIMIT; place = place->up)
        places[count++] = place;
    size_t at = 0;
    path[0] = '\0';
    while (count > 0 && at < size) {
        const sonata_place *p = places[--count];
        int more = 0;
        if (p->name != NULL)
            more =
                snprintf(path + at, size - at, at == 0 ? "%s" : ".%s", p->name);
        else if (numbers)
            more = snprintf(path + at, size - at, "[%zu]", p->index);
        else
            more = snprintf(path + at, size - at, "[]");
        at += more < 0 ? 0 : (size_t)more;
    }
}

static const char *code_of(sonata_status status)
{
    return status == SONATA_RANGE ? "doc.range" : "doc.schema";
}

bool sonata_refuse(sonata_reading *r, sonata_status status,
                   const sonata_place *place, const char *format, ...)
{
    char path[sizeof r->error->path];
    char what[256];
    put_path(path, sizeof path, place, true);
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    r->status = sonata_fail(r->error, status, code_of(status), "%s %s",
                            place == NULL ? "the document" : path, what);
    if (r->error != NULL)
        memcpy(r->error->path, path, sizeof path);
    return false;
}

bool sonata_refuse_type(sonata_reading *r, const sonata_place *place,
                        const char *wanted, const sonata_node *node)
{
    return sonata_refuse(r, SONATA_SCHEMA, place, "must be %s, got %s", wanted,
                         sonata_node_type(r->doc, node));
}

bool sonata_refuse_memory(sonata_reading *r)
{
    r->status = sonata_fail_memory(r->error);
    return false;
}

static bool warn_unknown(sonata_reading *r, const sonata_place *place,
                         sonata_text key)
{
    char path[256];
    bool is_new = false;
    uint32_t number = 0;
    if (r->warnings == NULL)
        return true;
    put_path(path, sizeof path, place, false);
    sonata_text parent = {path, strlen(path)};
    sonata_text dot = parent.length == 0 ? SONATA_TEXT("") : SONATA_TEXT(".");
    sonata_text whole = SONATA_JOIN(&r->scratch, parent, dot, key);
    if (whole.text == NULL ||
        !sonata_table_put(&r->unknown, &number, &is_new, 0, whole))
        return sonata_refuse_memory(r);
    if (!is_new)
        return true;
    sonata_arena *memory = sonata_reasons_memory(r->warnings);
    if (memory == NULL ||
        !sonata_reasons_add(r->warnings, "doc.unknown-field",
                            SONATA_JOIN(memory, SONATA_TEXT("field "), whole,
                                        SONATA_TEXT(" is not known and left "
                                                    "out")),
                            true))
        return sonata_refuse_memory(r);
    return true;
}

/* Without a look at the name's length, which nobody knows yet. */
static bool is_named(sonata_text key, const char *name)
{
    for (size_t i = 0; i < key.length; i++)
        if (key.text[i] != name[i] || name[i] == '\0')
            return false;
    return name[key.length] == '\0';
}

bool sonata_fields_open(sonata_fields *f, sonata_reading *r,
                        const sonata_place *place, const sonata_node *node,
                        const char *const *names, size_t count)
{
    *f = (sonata_fields){.place = place, .names = names};
    if (sonata_node_kind_of(r->doc, node) != SONATA_NODE_OBJECT)
        return sonata_refuse_type(r, place, "an object", node);
    size_t guess = 0; /* members mostly come in the order of the names */
    const sonata_node *m = sonata_node_first(node);
    for (; m != NULL; m = sonata_node_next(m)) {
        sonata_text key = sonata_node_key(r->doc, m);
        size_t tried = 0;
        size_t i = guess;
        while (tried < count && !is_named(key, names[i])) {
            i = i + 1 == count ? 0 : i + 1;
            tried++;
        }
        if (tried == count) {
            if (!warn_unknown(r, place, key))
                return false;
            continue;
        }
        f->nodes[i] = m;
        guess = i + 1 == count ? 0 : i + 1;
    }
    return true;
}

static sonata_place place_of(const sonata_fields *f, size_t i)
{
    return (sonata_place){f->place, f->names[i], 0};
}

static bool refuse_missing(sonata_reading *r, const sonata_fields *f, size_t i)
{
    sonata_place place = place_of(f, i);
    return sonata_refuse(r, SONATA_SCHEMA, &place, "is missing");
}

bool sonata_field_require(sonata_reading *r, const sonata_fields *f, size_t i)
{
    return f->nodes[i] != NULL || refuse_missing(r, f, i);
}

bool sonata_field_kind(sonata_reading *r, const sonata_fields *f, size_t i,
                       const char *kind)
{
    sonata_place place = place_of(f, i);
    sonata_text text = {0};
    if (!sonata_field_text(&text, r, f, i, (sonata_text){0}))
        return false;
    return sonata_text_is(text, kind) ||
           sonata_refuse(r, SONATA_SCHEMA, &place, "must be '%s', got '%.60s'",
                         kind, text.text);
}

bool sonata_read_int(int64_t *value, sonata_reading *r,
                     const sonata_place *place, const sonata_node *node)
{
    if (sonata_node_kind_of(r->doc, node) != SONATA_NODE_INT)
        return sonata_refuse_type(r, place, "an int", node);
    return sonata_node_int(value, r->doc, node) ||
           sonata_refuse(r, SONATA_RANGE, place,
                         "is outside a signed 64-bit integer");
}

bool sonata_field_int(int64_t *value, sonata_reading *r, const sonata_fields *f,
                      size_t i)
{
    sonata_place place = place_of(f, i);
    if (f->nodes[i] == NULL)
        return refuse_missing(r, f, i);
    return sonata_read_int(value, r, &place, f->nodes[i]);
}

bool sonata_field_int_or(int64_t *value, sonata_reading *r,
                         const sonata_fields *f, size_t i, int64_t fallback)
{
    *value = fallback;
    return f->nodes[i] == NULL || sonata_field_int(value, r, f, i);
}

bool sonata_field_bool(bool *value, sonata_reading *r, const sonata_fields *f,
                       size_t i)
{
    sonata_place place = place_of(f, i);
    if (f->nodes[i] == NULL)
        return refuse_missing(r, f, i);
    if (sonata_node_kind_of(r->doc, f->nodes[i]) != SONATA_NODE_BOOL)
        return sonata_refuse_type(r, &place, "a bool", f->nodes[i]);
    *value = sonata_node_is_true(f->nodes[i]);
    return true;
}

static bool read_text(sonata_text *text, sonata_reading *r,
                      const sonata_place *place, const sonata_node *node)
{
    if (sonata_node_kind_of(r->doc, node) != SONATA_NODE_STRING)
        return sonata_refuse_type(r, place, "a string", node);
    return sonata_keep_word(text, r, sonata_node_text(r->doc, node));
}

bool sonata_field_text(sonata_text *text, sonata_reading *r,
                       const sonata_fields *f, size_t i, sonata_text fallback)
{
    sonata_place place = place_of(f, i);
    *text = fallback;
    if (f->nodes[i] != NULL)
        return read_text(text, r, &place, f->nodes[i]);
    return fallback.text != NULL || refuse_missing(r, f, i);
}

bool sonata_field_text_or_null(sonata_text *text, sonata_reading *r,
                               const sonata_fields *f, size_t i)
{
    sonata_place place = place_of(f, i);
    const sonata_node *node = f->nodes[i];
    *text = (sonata_text){0};
    if (node == NULL || sonata_node_kind_of(r->doc, node) == SONATA_NODE_NULL)
        return true;
    if (sonata_node_kind_of(r->doc, node) != SONATA_NODE_STRING)
        return sonata_refuse_type(r, &place, "a string or null", node);
    return sonata_keep_word(text, r, sonata_node_text(r->doc, node));
}

bool sonata_read_value(sonata_value *value, sonata_reading *r,
                       const sonata_node *node)
{
    return sonata_node_value(value, r->arena, r->doc, node) ||
           sonata_refuse_memory(r);
}

bool sonata_read_json(sonata_text *json, sonata_reading *r,
                      const sonata_node *node)
{
    char *text = NULL;
    size_t length = 0;
    r->status = sonata_node_json(&text, &length, r->doc, node, false, r->error);
    if (r->status != SONATA_OK)
        return false;
    *json = (sonata_text){sonata_arena_copy(r->arena, text, length), length};
    free(text);
    return json->text != NULL || sonata_refuse_memory(r);
}

bool sonata_field_value(sonata_value *value, sonata_reading *r,
                        const sonata_fields *f, size_t i)
{
    *value = (sonata_value){SONATA_NULL, SONATA_TEXT_INIT("null")};
    return f->nodes[i] == NULL || sonata_read_value(value, r, f->nodes[i]);
}

bool sonata_field_object(sonata_text *json, sonata_reading *r,
                         const sonata_fields *f, size_t i)
{
    sonata_place place = place_of(f, i);
    sonata_value value = {0};
    *json = SONATA_TEXT("{}");
    if (f->nodes[i] == NULL)
        return true;
    if (sonata_node_kind_of(r->doc, f->nodes[i]) != SONATA_NODE_OBJECT)
        return sonata_refuse_type(r, &place, "an object", f->nodes[i]);
    if (!sonata_read_value(&value, r, f->nodes[i]))
        return false;
    *json = value.text;
    return true;
}

bool sonata_field_list(const sonata_node **list, sonata_reading *r,
                       const sonata_fields *f, size_t i)
{
    sonata_place place = place_of(f, i);
    *list = f->nodes[i];
    return *list == NULL ||
           sonata_node_kind_of(r->doc, *list) == SONATA_NODE_LIST ||
           sonata_refuse_type(r, &place, "a list", *list);
}

/* The items of a list that may be missing. */
static void *read_items(size_t *count, sonata_reading *r,
                        const sonata_place *place, const sonata_node *list,
                        size_t size, sonata_item_reader read_item)
{
    *count = list == NULL ? 0 : sonata_node_count(list);
    if (*count == 0)
        return NULL;
    char *items = sonata_arena_array(r->arena, *count, size);
    if (items == NULL) {
        sonata_refuse_memory(r);
        return NULL;
    }
    sonata_place item = {.up = place};
    const sonata_node *m = sonata_node_first(list);
    for (; m != NULL; m = sonata_node_next(m), item.index++)
        if (!read_item(items + item.index * size, r, &item, m))
            return NULL;
    return items;
}

void *sonata_field_items(size_t *count, sonata_reading *r,
                         const sonata_fields *f, size_t i, size_t size,
                         sonata_item_reader read_item)
{
    sonata_place place = place_of(f, i);
    const sonata_node *list = NULL;
    *count = 0;
    if (!sonata_field_list(&list, r, f, i))
        return NULL;
    return read_items(count, r, &place, list, size, read_item);
}

static bool read_text_item(void *item, sonata_reading *r,
                           const sonata_place *place, const sonata_node *node)
{
    return read_text(item, r, place, node);
}

static bool read_value_item(void *item, sonata_reading *r,
                            const sonata_place *place, const sonata_node *node)
{
    (void)place;
    return sonata_read_value(item, r, node);
}

bool sonata_field_texts(sonata_text **texts, size_t *count, sonata_reading *r,
                        const sonata_fields *f, size_t i)
{
    *texts = sonata_field_items(count, r, f, i, sizeof **texts, read_text_item);
    return r->status == SONATA_OK;
}

bool sonata_field_values(sonata_value **values, size_t *count,
                         sonata_reading *r, const sonata_fields *f, size_t i,
                         bool required)
{
    if (required && f->nodes[i] == NULL)
        return refuse_missing(r, f, i);
    *values =
        sonata_field_items(count, r, f, i, sizeof **values, read_value_item);
    return r->status == SONATA_OK;
}

bool sonata_field_version(sonata_reading *r, const sonata_fields *f, size_t i)
{
    sonata_place place = place_of(f, i);
    const sonata_node *node = f->nodes[i];
    int64_t version = 0;
    if (node == NULL || sonata_node_kind_of(r->doc, node) == SONATA_NODE_NULL)
        return true;
    if (sonata_node_kind_of(r->doc, node) != SONATA_NODE_INT)
        return sonata_refuse_type(r, &place, "an int", node);
    if (sonata_node_int(&version, r->doc, node) && version == 1)
        return true;
    sonata_text number = sonata_node_number(r->doc, node);
    return sonata_refuse(r, SONATA_SCHEMA, &place,
                         "mismatch: the document has %.*s, version 1 is read",
                         (int)(number.length < 40 ? number.length : 40),
                         number.text);
}

bool sonata_keep_word(sonata_text *text, sonata_reading *r, sonata_text word)
{
    uint32_t number = 0;
    bool is_new = false;
    if (!sonata_table_put(&r->words, &number, &is_new, 0, word))
        return sonata_refuse_memory(r);
    if (is_new) {
        sonata_text *kept =
            sonata_grow(r->kept, &r->kept_room, number, sizeof *kept);
        if (kept == NULL)
            return sonata_refuse_memory(r);
        r->kept = kept;
        kept[number].text = sonata_arena_copy(r->arena, word.text, word.length);
        kept[number].length = word.length;
    }
    *text = r->kept[number];
    return text->text != NULL || sonata_refuse_memory(r);
}

sonata_status sonata_read_model(void *model, sonata_arena **memory,
                                sonata_model_reader *read, const char *text,
                                size_t length, sonata_reasons *warnings,
                                sonata_error *error)
{
    sonata_doc *doc = NULL;
    sonata_status status = sonata_doc_read(&doc, text, length, error);
    if (status != SONATA_OK)
        return status;
    *memory = calloc(1, sizeof **memory);
    sonata_reading r = {
        .doc = doc, .arena = *memory, .warnings = warnings, .error = error};
    if (*memory == NULL)
        sonata_refuse_memory(&r);
    else
        read(model, &r, sonata_doc_root(doc));
    sonata_reading_free(&r);
    sonata_doc_free(doc);
    return r.status;
}
