#include <string.h>

#include "work.h"

uint32_t mutate_pick(fuzz_mutator *m, mutate_fits *fits, const void *context)
{
    uint32_t found = MUTATE_NONE, count = 0;
    for (uint32_t i = 0; i < m->parts.count; i++) {
        const mutate_part *part = &m->parts.items[i];
        if (part->kind != MUTATE_OPEN && fits(m, part, context) &&
            mutate_below(m, ++count) == 0)
            found = i;
    }
    return found;
}

static bool is_kind(const fuzz_mutator *m, const mutate_part *part,
                    const void *context)
{
    (void)m;
    return (MUTATE_BIT(part->kind) & *(const unsigned *)context) != 0;
}

uint32_t mutate_pick_kind(fuzz_mutator *m, unsigned kinds)
{
    return mutate_pick(m, is_kind, &kinds);
}

static bool is_item(const fuzz_mutator *m, const mutate_part *part,
                    const void *context)
{
    (void)m, (void)context;
    return part->item;
}

uint32_t mutate_pick_item(fuzz_mutator *m)
{
    return mutate_pick(m, is_item, NULL);
}

static bool is_neighbour(const fuzz_mutator *m, const mutate_part *part,
                         const void *context)
{
    const mutate_part *of = context;
    (void)m;
    return part->item && part->parent == of->parent && part != of &&
           (part->kind == MUTATE_STATEMENT) == (of->kind == MUTATE_STATEMENT);
}

uint32_t mutate_pick_neighbour(fuzz_mutator *m, uint32_t part)
{
    return mutate_pick(m, is_neighbour, &m->parts.items[part]);
}

mutate_span mutate_value(const uint8_t *data, const mutate_part *part)
{
    return (mutate_span){data + part->value, part->end - part->value};
}

static bool same(mutate_span a, mutate_span b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* The key of a member; of an item that of its list; else nothing. */
static mutate_span name_of(const mutate_parts *parts, const uint8_t *data,
                           const mutate_part *part)
{
    if (part->key_end == part->begin && part->parent != MUTATE_NONE)
        part = &parts->items[part->parent];
    if (part->kind == MUTATE_STATEMENT || part->kind == MUTATE_ARGUMENT)
        return (mutate_span){data, 0};
    return (mutate_span){data + part->begin, part->key_end - part->begin};
}

static bool is_fellow(const fuzz_mutator *m, const mutate_part *part,
                      const void *context)
{
    const mutate_part *of = context;
    const uint8_t *data = m->text.data;
    return part->kind == of->kind &&
           same(name_of(&m->parts, data, part), name_of(&m->parts, data, of)) &&
           !same(mutate_value(data, part), mutate_value(data, of));
}

uint32_t mutate_pick_fellow(fuzz_mutator *m, uint32_t part)
{
    return mutate_pick(m, is_fellow, &m->parts.items[part]);
}

static bool has(mutate_span text, const char *word)
{
    return memmem(text.data, text.size, word, strlen(word)) != NULL;
}

/* The key of its list; of an argument how the one around it begins. */
static bool is_order(const fuzz_mutator *m, const mutate_part *part,
                     const void *context)
{
    const uint8_t *data = m->text.data;
    (void)context;
    if (!part->item || part->parent == MUTATE_NONE)
        return false;
    const mutate_part *above = &m->parts.items[part->parent];
    mutate_span name = {data + above->begin, above->key_end - above->begin};
    if (part->kind == MUTATE_ARGUMENT) {
        size_t most = above->end - above->begin;
        name = (mutate_span){data + above->begin, most < 12 ? most : 12};
    }
    return has(name, "dep") || has(name, "edge");
}

uint32_t mutate_pick_order(fuzz_mutator *m)
{
    return mutate_pick(m, is_order, NULL);
}

/* Values for values, statements for statements, arguments for arguments. */
static unsigned class_of(const mutate_part *part, bool code)
{
    unsigned bit = MUTATE_BIT(part->kind);
    return !code && (bit & MUTATE_VALUES) != 0 ? MUTATE_VALUES : bit;
}

/*
 * Of another text the index is another one, so the lot is drawn here; those of
 * the same name count first.
 */
uint32_t mutate_pick_instead(fuzz_mutator *m, uint32_t part, bool other)
{
    const mutate_part *of = &m->parts.items[part];
    const mutate_parts *parts = other ? &m->other_parts : &m->parts;
    const uint8_t *data = other ? m->other.data : m->text.data;
    mutate_span name = name_of(&m->parts, m->text.data, of);
    unsigned class = class_of(of, m->parts.code);
    bool any = mutate_below(m, 8) == 0;
    uint32_t found = MUTATE_NONE, count = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        const mutate_part *p = &parts->items[i];
        if (p->kind == MUTATE_OPEN || (MUTATE_BIT(p->kind) & class) == 0 ||
            p->end - p->begin > FUZZ_GROWTH || (!other && i == part) ||
            (!any && !same(name_of(parts, data, p), name)))
            continue;
        if (mutate_below(m, ++count) == 0)
            found = i;
    }
    return found;
}

mutate_range mutate_range_of(const mutate_parts *parts, uint32_t first,
                             uint32_t last)
{
    const mutate_part *begin = &parts->items[first];
    const mutate_part *end = &parts->items[last];
    if (end->next != MUTATE_NONE)
        return (mutate_range){begin->begin, parts->items[end->next].begin};
    if (begin->before != MUTATE_NONE)
        return (mutate_range){parts->items[begin->before].end, end->end};
    return (mutate_range){begin->begin, end->end};
}
