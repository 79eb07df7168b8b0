#include "parts.h"

#include <stdlib.h>

static bool grow(mutate_parts *parts)
{
    uint32_t capacity = parts->capacity == 0 ? 256 : parts->capacity * 2;
    mutate_part *items = capacity <= parts->capacity
                             ? NULL
                             : realloc(parts->items, capacity * sizeof *items);
    if (items == NULL) {
        parts->failed = true;
        return false;
    }
    parts->items = items;
    parts->capacity = capacity;
    return true;
}

uint32_t mutate_parts_add(mutate_parts *parts, uint32_t parent, uint32_t begin,
                          mutate_kind kind, bool item)
{
    if (parts->count == parts->capacity && !grow(parts))
        return MUTATE_NONE;
    uint32_t id = parts->count++;
    mutate_part *part = &parts->items[id];
    *part = (mutate_part){.begin = begin,
                          .end = begin,
                          .value = begin,
                          .key_end = begin,
                          .parent = parent,
                          .before = MUTATE_NONE,
                          .next = MUTATE_NONE,
                          .last = MUTATE_NONE,
                          .kind = (uint8_t)kind,
                          .item = item};
    if (!item || parent == MUTATE_NONE)
        return id;
    mutate_part *above = &parts->items[parent];
    part->before = above->last;
    if (part->before != MUTATE_NONE)
        parts->items[part->before].next = id;
    above->last = id;
    return id;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void mutate_parts_find(mutate_parts *parts, const uint8_t *data, uint32_t from,
                       uint32_t to)
{
    uint32_t at = from;
    parts->count = 0;
    parts->failed = false;
    while (at < to && is_blank(data[at]))
        at++;
    parts->code = at == to || (data[at] != '{' && data[at] != '[');
    if (parts->code)
        mutate_parts_code(parts, data, from, to);
    else
        mutate_parts_json(parts, data, at, to);
    if (parts->failed)
        parts->count = 0;
}
