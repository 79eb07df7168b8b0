/* Buffers of a task-graph document, their aliases and storages. */
#include "reader.h"

#include <inttypes.h>

static const oracle_fields buffer_fields = {
    "buffers[]",
    10,
    {ORACLE_FIELD("key"), ORACLE_FIELD("bytes"), ORACLE_FIELD("symbol"),
     ORACLE_FIELD("external"), ORACLE_FIELD("manual_dep"), ORACLE_FIELD("init"),
     ORACLE_FIELD("align"), ORACLE_FIELD("creator"), ORACLE_FIELD("alias_of"),
     ORACLE_FIELD("may_alias")}};

enum {
    KEY,
    BYTES,
    SYMBOL,
    EXTERNAL,
    MANUAL_DEP,
    INIT,
    ALIGN,
    CREATOR,
    ALIAS_OF,
    MAY_ALIAS
};

bool oracle_read_buffer_key(oracle_reader *reader, uint32_t node,
                            uint32_t *buffer)
{
    const oracle_slot *key = oracle_reader_name(reader, node);
    if (key == NULL) {
        return false;
    }
    *buffer = key->value;
    if (*buffer == ORACLE_NONE) {
        char shown[64];
        oracle_json_printable(key->data, key->length, shown, sizeof shown);
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "names no buffer: %s", shown);
        return false;
    }
    return true;
}

static bool read_key(oracle_reader *reader, uint32_t node, uint32_t index,
                     oracle_buffer *buffer)
{
    oracle_slot *slot = oracle_reader_name(reader, node);
    if (slot == NULL) {
        return false;
    }
    buffer->key = (oracle_text){slot->data, slot->length, true};
    if (slot->value != ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "is the key of another buffer, too");
        return false;
    }
    slot->value = index;
    bool internal =
        buffer->key.length >= 6 && memcmp(buffer->key.data, "alloc:", 6) == 0;
    buffer->external = !internal;
    return true;
}

static bool read_size(oracle_reader *reader, const uint32_t *value,
                      oracle_buffer *buffer)
{
    if (!oracle_reader_absent(reader, value[BYTES])) {
        buffer->has_bytes = true;
        if (!oracle_reader_int(reader, value[BYTES], &buffer->bytes) ||
            !oracle_reader_least(reader, value[BYTES], buffer->bytes, 0)) {
            return false;
        }
    }
    if (!oracle_reader_absent(reader, value[ALIGN]) &&
        (!oracle_reader_int(reader, value[ALIGN], &buffer->align) ||
         !oracle_reader_least(reader, value[ALIGN], buffer->align, 1))) {
        return false;
    }
    return oracle_reader_opt_text(reader, value[SYMBOL], &buffer->symbol);
}

static bool read_buffer(oracle_reader *reader, uint32_t node)
{
    uint32_t value[10];
    oracle_buffer b = {
        .creator = -1, .alias_of = ORACLE_NONE, .symbol = {"", 0, false}};
    uint32_t index = reader->document->buffer_count;
    if (!oracle_reader_fields(reader, node, &buffer_fields, value) ||
        !oracle_reader_need(reader, node, value[KEY], "key") ||
        !read_key(reader, value[KEY], index, &b) ||
        !read_size(reader, value, &b) ||
        !oracle_reader_opt_bool(reader, value[EXTERNAL], &b.external) ||
        !oracle_reader_opt_bool(reader, value[MANUAL_DEP], &b.manual_dep) ||
        !oracle_reader_opt_bool(reader, value[INIT], &b.init) ||
        !oracle_reader_opt_int(reader, value[CREATOR], &b.creator)) {
        return false;
    }
    b.storage = index;
    reader->aliases |= !oracle_reader_absent(reader, value[ALIAS_OF]) ||
                       !oracle_reader_absent(reader, value[MAY_ALIAS]);
    reader->creators |= b.creator != -1;
    oracle_buffer *kept = ORACLE_PUSH(reader, buffers, buffer_count);
    if (kept == NULL) {
        return false;
    }
    *kept = b;
    return true;
}

/* The value of one field of a buffer that was read before: no remarks. */
static uint32_t field_again(oracle_reader *reader, uint32_t node,
                            uint32_t field)
{
    uint32_t value[10];
    bool lenient = reader->lenient;
    reader->lenient = true;
    oracle_reader_fields(reader, node, &buffer_fields, value);
    reader->lenient = lenient;
    return value[field];
}

static bool read_alias(oracle_reader *reader, uint32_t node, uint32_t index)
{
    static const oracle_fields fields = {
        "buffers[].alias_of", 2, {ORACLE_FIELD("key"), ORACLE_FIELD("offset")}};
    uint32_t value[2];
    uint32_t target;
    int64_t offset = 0;
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[0], "key") ||
        !oracle_read_buffer_key(reader, value[0], &target) ||
        !oracle_reader_opt_int(reader, value[1], &offset) ||
        (offset < 0 && !oracle_reader_least(reader, value[1], offset, 0))) {
        return false;
    }
    oracle_buffer *buffer = &reader->document->buffers[index];
    buffer->alias_of = target;
    buffer->alias_bytes = offset;
    return true;
}

static bool read_may_alias(oracle_reader *reader, uint32_t node, uint32_t index)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, node, &at, &end)) {
        return false;
    }
    uint32_t first = reader->document->may_alias_count;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        uint32_t other;
        if (!oracle_read_buffer_key(reader, at, &other)) {
            return false;
        }
        uint32_t *kept = ORACLE_PUSH(reader, may_aliases, may_alias_count);
        if (kept == NULL) {
            return false;
        }
        *kept = other;
    }
    oracle_buffer *buffer = &reader->document->buffers[index];
    buffer->first_may_alias = first;
    buffer->may_alias = reader->document->may_alias_count - first;
    return true;
}

static bool storage_fault(oracle_reader *reader, uint32_t list, uint32_t index,
                          oracle_status status, const char *message)
{
    oracle_json_items items = oracle_json_items_of(reader->json, list);
    while (oracle_json_item(reader->json, &items) && items.index < index) {
        continue;
    }
    if (items.failed) {
        return oracle_reader_memory(reader);
    }
    oracle_fault_node(reader->error, status, reader->json, items.node, "%s",
                      message);
    return false;
}

/*
 * Walks a chain to its end or to a buffer that is settled, reversing the
 * links on the way in `back`, then settles it on the way back.
 */
static bool settle(oracle_reader *reader, uint32_t list, uint32_t index,
                   uint32_t *back, bool *settled)
{
    oracle_buffer *buffers = reader->document->buffers;
    uint32_t depth = 0;
    uint32_t at = index;
    while (!settled[at] && buffers[at].alias_of != ORACLE_NONE) {
        if (depth > reader->document->buffer_count) {
            return storage_fault(reader, list, index, ORACLE_SCHEMA,
                                 "is in a circle of aliases");
        }
        back[depth < reader->document->buffer_count ? depth : 0] = at;
        depth++;
        at = buffers[at].alias_of;
    }
    settled[at] = true;
    while (depth > 0) {
        oracle_buffer *b = &buffers[back[--depth]];
        const oracle_buffer *target = &buffers[b->alias_of];
        int64_t end;
        b->storage = target->storage;
        settled[back[depth]] = true;
        if (__builtin_add_overflow(target->storage_at, b->alias_bytes,
                                   &b->storage_at) ||
            __builtin_add_overflow(b->storage_at, b->bytes, &end)) {
            return storage_fault(reader, list, back[depth], ORACLE_RANGE,
                                 "reaches beyond 64-bit addresses");
        }
        const oracle_buffer *root = &buffers[b->storage];
        if (root->has_bytes && end > root->bytes) {
            return storage_fault(reader, list, back[depth], ORACLE_RANGE,
                                 "reaches past the end of the buffer that it "
                                 "is a part of");
        }
    }
    return true;
}

bool oracle_resolve_storages(oracle_reader *reader, uint32_t list)
{
    uint32_t count = reader->document->buffer_count;
    uint32_t *back =
        oracle_arena_array(reader->arena, (size_t)count + 1, sizeof *back);
    bool *settled =
        oracle_arena_array(reader->arena, (size_t)count + 1, sizeof *settled);
    if (back == NULL || settled == NULL) {
        return oracle_reader_memory(reader);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!settle(reader, list, i, back, settled)) {
            return false;
        }
        oracle_buffer *b = &reader->document->buffers[i];
        oracle_buffer *root = &reader->document->buffers[b->storage];
        if (b != root && b->may_alias > 0) {
            b->next_may_alias = root->next_may_alias;
            root->next_may_alias = i + 1;
        }
    }
    return true;
}

bool oracle_read_buffers(oracle_reader *reader, uint32_t list)
{
    oracle_json_items items;
    bool aliases = false;
    if (!oracle_reader_each(reader, list, read_buffer)) {
        return false;
    }
    if (!reader->aliases) {
        return true;
    }
    oracle_reader_items(reader, list, &items);
    while (oracle_json_item(reader->json, &items)) {
        uint32_t i = items.index;
        uint32_t alias = field_again(reader, items.node, ALIAS_OF);
        uint32_t may = field_again(reader, items.node, MAY_ALIAS);
        if (!read_alias(reader, alias, i) || !read_may_alias(reader, may, i)) {
            return false;
        }
        aliases |= reader->document->buffers[i].alias_of != ORACLE_NONE;
    }
    if (items.failed) {
        return oracle_reader_memory(reader);
    }
    return !aliases || oracle_resolve_storages(reader, list);
}

bool oracle_read_creators(oracle_reader *reader, uint32_t list)
{
    oracle_json_items items;
    if (!reader->creators) {
        return true;
    }
    oracle_reader_items(reader, list, &items);
    while (oracle_json_item(reader->json, &items)) {
        int64_t id = reader->document->buffers[items.index].creator;
        uint32_t node =
            id == -1 ? ORACLE_NONE : field_again(reader, items.node, CREATOR);
        if (node != ORACLE_NONE &&
            oracle_reader_task(reader, id) == ORACLE_NONE) {
            oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                              "names no task: %" PRId64, id);
            return false;
        }
    }
    return !items.failed || oracle_reader_memory(reader);
}
