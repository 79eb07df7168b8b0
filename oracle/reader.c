#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REMARKS 100

bool oracle_reader_memory(oracle_reader *reader)
{
    oracle_fault_memory(reader->error);
    return false;
}

void *oracle_reader_push(oracle_reader *reader, void *items, uint32_t count,
                         size_t size)
{
    void *moved = oracle_arena_push(reader->arena, items, count, size);
    if (moved == NULL) {
        oracle_fault_memory(reader->error);
        return items;
    }
    return moved;
}

bool oracle_reader_wrong(oracle_reader *reader, uint32_t node, const char *what)
{
    oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                      "must be %s, got %s", what,
                      oracle_json_kind(reader->json, node));
    return false;
}

static bool same_text(oracle_text text, const char *other)
{
    size_t length = strlen(other);
    return text.length == length && memcmp(text.data, other, length) == 0;
}

bool oracle_reader_remark(oracle_reader *reader, const char *rule,
                          const char *message, const char *path, uint32_t node)
{
    oracle_document *document = reader->document;
    for (uint32_t i = 0; i < document->remark_count; i++) {
        const oracle_remark *old = &document->remarks[i];
        if (strcmp(old->rule, rule) == 0 && same_text(old->path, path)) {
            return true;
        }
    }
    if (document->remark_count >= MAX_REMARKS) {
        return true;
    }
    uint64_t line;
    uint64_t column;
    oracle_json_position(reader->json->text, reader->json->nodes[node].offset,
                         &line, &column);
    char *kept = oracle_arena_text(reader->arena, message, strlen(message));
    char *where = oracle_arena_text(reader->arena, path, strlen(path));
    oracle_remark *remark = ORACLE_PUSH(reader, remarks, remark_count);
    if (remark == NULL || kept == NULL || where == NULL) {
        return oracle_reader_memory(reader);
    }
    *remark = (oracle_remark){
        .rule = rule,
        .message = {kept, (uint32_t)strlen(message), true},
        .path = {where, (uint32_t)strlen(path), true},
        .line = (int64_t)line,
    };
    return true;
}

static bool unknown_field(oracle_reader *reader, const char *pattern,
                          uint32_t key)
{
    if (reader->lenient) {
        return true;
    }
    const oracle_json_node *node = &reader->json->nodes[key];
    char name[64];
    char path[160];
    char message[240];
    oracle_json_printable(reader->json->text + node->offset + 1,
                          node->extent - 2, name, sizeof name);
    snprintf(path, sizeof path, "%s%s%s", pattern,
             pattern[0] == '\0' ? "" : ".", name);
    snprintf(message, sizeof message, "%s is unknown and was not read", path);
    return oracle_reader_remark(reader, "doc.unknown-field", message, path,
                                key);
}

/* Looks from `next` on, where it is when the fields come in their order. */
static uint32_t find_field(const oracle_reader *reader, uint32_t key,
                           const oracle_fields *fields, uint32_t next)
{
    const oracle_json_node *node = &reader->json->nodes[key];
    char first = reader->json->text[node->offset + 1];
    for (uint32_t tried = 0; tried < fields->count; tried++) {
        uint32_t i = next + tried;
        i = i < fields->count ? i : i - fields->count;
        const oracle_field *field = &fields->field[i];
        if ((first == '\\' || first == field->name[0]) &&
            oracle_json_is(reader->json, key, field->name, field->length)) {
            return i;
        }
    }
    return ORACLE_NONE;
}

bool oracle_reader_fields(oracle_reader *reader, uint32_t node,
                          const oracle_fields *fields, uint32_t *values)
{
    if (oracle_reader_type(reader, node) != ORACLE_JSON_OBJECT) {
        return oracle_reader_wrong(reader, node, "an object");
    }
    for (uint32_t i = 0; i < fields->count; i++) {
        values[i] = ORACLE_NONE;
    }
    uint32_t end = oracle_json_next(reader->json, node), next = 0;
    for (uint32_t at = node + 1; at < end;) {
        uint32_t field = find_field(reader, at, fields, next);
        if (field != ORACLE_NONE) {
            values[field] = at + 1;
            next = field + 1 < fields->count ? field + 1 : 0;
        } else if (!unknown_field(reader, fields->pattern, at)) {
            return false;
        }
        at = oracle_json_next(reader->json, at + 1);
    }
    return true;
}

bool oracle_reader_need(oracle_reader *reader, uint32_t object, uint32_t value,
                        const char *name)
{
    if (value != ORACLE_NONE) {
        return true;
    }
    oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, object,
                      "has no field \"%s\"", name);
    return false;
}

bool oracle_reader_int(oracle_reader *reader, uint32_t node, int64_t *value)
{
    if (oracle_reader_type(reader, node) != ORACLE_JSON_NUMBER ||
        !oracle_json_integral(reader->json, node)) {
        return oracle_reader_wrong(reader, node, "an integer");
    }
    if (!oracle_json_int64(reader->json, node, value)) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                          "is outside the 64-bit integers");
        return false;
    }
    return true;
}

bool oracle_reader_least(oracle_reader *reader, uint32_t node, int64_t value,
                         int64_t least)
{
    if (value >= least) {
        return true;
    }
    oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                      "must be at least %" PRId64 ", got %" PRId64, least,
                      value);
    return false;
}

bool oracle_reader_opt_int(oracle_reader *reader, uint32_t node, int64_t *value)
{
    return oracle_reader_absent(reader, node) ||
           oracle_reader_int(reader, node, value);
}

bool oracle_reader_opt_bool(oracle_reader *reader, uint32_t node, bool *value)
{
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    oracle_json_type type = oracle_reader_type(reader, node);
    if (type != ORACLE_JSON_TRUE && type != ORACLE_JSON_FALSE) {
        return oracle_reader_wrong(reader, node, "true or false");
    }
    *value = type == ORACLE_JSON_TRUE;
    return true;
}

oracle_slot *oracle_reader_keep(oracle_reader *reader, const char *data,
                                size_t length)
{
    oracle_slot *slot = oracle_table_slot(&reader->names, data, length);
    if (slot != NULL && slot->data == NULL) {
        slot->data = oracle_arena_text(reader->arena, data, length);
        slot->length = (uint32_t)length;
        slot->value = ORACLE_NONE;
    }
    if (slot == NULL || slot->data == NULL) {
        oracle_fault_memory(reader->error);
        return NULL;
    }
    return slot;
}

/* The slot of a string node. */
static oracle_slot *keep_node(oracle_reader *reader, uint32_t node)
{
    const oracle_json_node *n = &reader->json->nodes[node];
    const char *data = reader->json->text + n->offset + 1;
    if (oracle_json_plain(reader->json, node)) {
        return oracle_reader_keep(reader, data, n->extent - 2);
    }
    char *plain = malloc(n->extent);
    if (plain == NULL) {
        oracle_fault_memory(reader->error);
        return NULL;
    }
    size_t length = oracle_json_unescape(reader->json, node, plain);
    oracle_slot *slot = oracle_reader_keep(reader, plain, length);
    free(plain);
    return slot;
}

oracle_slot *oracle_reader_name(oracle_reader *reader, uint32_t node)
{
    if (oracle_reader_type(reader, node) != ORACLE_JSON_STRING) {
        oracle_reader_wrong(reader, node, "a string");
        return NULL;
    }
    return keep_node(reader, node);
}

bool oracle_reader_string(oracle_reader *reader, uint32_t node,
                          oracle_text *text)
{
    const oracle_slot *slot = oracle_reader_name(reader, node);
    if (slot == NULL) {
        return false;
    }
    *text = (oracle_text){slot->data, slot->length, true};
    return true;
}

uint32_t oracle_reader_task(const oracle_reader *reader, int64_t id)
{
    const oracle_document *d = reader->document;
    uint32_t index = oracle_id_table_find(&reader->tasks, id);
    bool own = index == ORACLE_NONE && id >= 0 && id < d->task_count &&
               d->tasks[id].id == id;
    return own ? (uint32_t)id : index;
}

oracle_reader_id oracle_reader_keep_task(oracle_reader *reader, int64_t id)
{
    uint32_t index = reader->document->task_count;
    if (oracle_reader_task(reader, id) != ORACLE_NONE) {
        return ORACLE_ID_REPEATED;
    }
    if (id == index) {
        return ORACLE_ID_NEW;
    }
    oracle_id_slot *slot = oracle_id_table_slot(&reader->tasks, id);
    if (slot == NULL) {
        oracle_fault_memory(reader->error);
        return ORACLE_ID_NO_MEMORY;
    }
    slot->value = index;
    return ORACLE_ID_NEW;
}

bool oracle_reader_opt_text(oracle_reader *reader, uint32_t node,
                            oracle_text *text)
{
    return oracle_reader_absent(reader, node) ||
           oracle_reader_string(reader, node, text);
}

bool oracle_reader_opt_id(oracle_reader *reader, uint32_t node,
                          oracle_text *text)
{
    if (oracle_reader_absent(reader, node) ||
        oracle_reader_type(reader, node) != ORACLE_JSON_NUMBER) {
        return oracle_reader_opt_text(reader, node, text);
    }
    int64_t value;
    if (!oracle_reader_int(reader, node, &value)) {
        return false;
    }
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, value);
    const oracle_slot *slot =
        oracle_reader_keep(reader, digits, (size_t)length);
    if (slot == NULL) {
        return false;
    }
    *text = (oracle_text){slot->data, slot->length, true};
    return true;
}

bool oracle_reader_identity(oracle_reader *reader, oracle_arg *arg,
                            oracle_identity identity)
{
    oracle_identity *kept = oracle_arena_alloc(reader->arena, sizeof *kept);
    if (kept == NULL) {
        return oracle_reader_memory(reader);
    }
    *kept = identity;
    arg->identity = kept;
    return true;
}

bool oracle_reader_word(oracle_reader *reader, uint32_t node,
                        const char *const *words, const char *what,
                        uint32_t *index)
{
    if (oracle_reader_type(reader, node) != ORACLE_JSON_STRING) {
        return oracle_reader_wrong(reader, node, what);
    }
    for (uint32_t i = 0; words[i] != NULL; i++) {
        if (oracle_json_is(reader->json, node, words[i], strlen(words[i]))) {
            *index = i;
            return true;
        }
    }
    char shown[64];
    const oracle_json_node *n = &reader->json->nodes[node];
    oracle_json_printable(reader->json->text + n->offset, n->extent, shown,
                          sizeof shown);
    oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                      "must be %s, got %s", what, shown);
    return false;
}

bool oracle_reader_list(oracle_reader *reader, uint32_t node, uint32_t *at,
                        uint32_t *end)
{
    *at = 0;
    *end = 0;
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    if (oracle_reader_type(reader, node) != ORACLE_JSON_ARRAY) {
        return oracle_reader_wrong(reader, node, "a list");
    }
    *at = node + 1;
    *end = oracle_json_next(reader->json, node);
    return true;
}

bool oracle_reader_items(oracle_reader *reader, uint32_t node,
                         oracle_json_items *items)
{
    uint32_t at;
    uint32_t end;
    *items = oracle_json_items_of(
        reader->json, oracle_reader_absent(reader, node) ? ORACLE_NONE : node);
    return oracle_reader_list(reader, node, &at, &end);
}

bool oracle_reader_each(oracle_reader *reader, uint32_t node,
                        bool (*read)(oracle_reader *reader, uint32_t item))
{
    oracle_json_items items;
    if (!oracle_reader_items(reader, node, &items)) {
        return false;
    }
    while (oracle_json_item(reader->json, &items)) {
        if (!read(reader, items.node)) {
            return false;
        }
    }
    return !items.failed || oracle_reader_memory(reader);
}

bool oracle_reader_strict_list(oracle_reader *reader, uint32_t node,
                               uint32_t *at, uint32_t *end)
{
    if (node != ORACLE_NONE &&
        oracle_reader_type(reader, node) != ORACLE_JSON_ARRAY) {
        return oracle_reader_wrong(reader, node, "a list");
    }
    return oracle_reader_list(reader, node, at, end);
}

bool oracle_reader_strict_object(oracle_reader *reader, uint32_t node)
{
    return node == ORACLE_NONE ||
           oracle_reader_type(reader, node) == ORACLE_JSON_OBJECT ||
           oracle_reader_wrong(reader, node, "an object");
}
