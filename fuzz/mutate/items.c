/* Changes of parts that have a place among neighbours. */
#include <string.h>

#include "work.h"

static bool drop(fuzz_mutator *m, uint32_t part)
{
    if (part == MUTATE_NONE)
        return false;
    mutate_range range = mutate_range_of(&m->parts, part, part);
    return mutate_replace(m, range.from, range.to, "", 0);
}

bool mutate_drop(fuzz_mutator *m)
{
    return drop(m, mutate_pick_item(m));
}

bool mutate_drop_edge(fuzz_mutator *m)
{
    return drop(m, mutate_pick_order(m));
}

static size_t line_end(const uint8_t *data, size_t at, size_t end)
{
    const uint8_t *newline = memchr(data + at, '\n', end - at);
    return newline == NULL ? end : (size_t)(newline - data) + 1;
}

/* A statement with other indentation, and a line break at its end. */
static void put_statement(fuzz_mutator *m, const uint8_t *data,
                          const mutate_part *part, uint32_t indent)
{
    uint32_t own = part->value - part->begin;
    for (size_t at = part->begin; at < part->end;) {
        size_t end = line_end(data, at, part->end);
        for (uint32_t i = 0; i < own && at < end && data[at] == ' '; i++)
            at++;
        for (uint32_t i = 0; i < indent && !m->over; i++)
            mutate_put(m, " ", 1);
        mutate_put(m, data + at, end - at);
        at = end;
    }
    if (part->end > part->begin && data[part->end - 1] != '\n')
        mutate_put(m, "\n", 1);
}

/* A part of `data` with its key as a new neighbour behind `part`. */
static bool insert_behind(fuzz_mutator *m, uint32_t part, const uint8_t *data,
                          const mutate_part *what)
{
    const mutate_part *place = &m->parts.items[part];
    mutate_begin(m);
    mutate_put_text(m, 0, place->end);
    if (what->kind == MUTATE_STATEMENT) {
        if (m->text.data[place->end - 1] != '\n')
            mutate_put(m, "\n", 1);
        put_statement(m, data, what, place->value - place->begin);
    } else {
        mutate_put(m, ",", 1);
        mutate_put(m, data + what->begin, what->end - what->begin);
    }
    mutate_put_text(m, place->end, m->text.size);
    return mutate_end(m);
}

bool mutate_duplicate(fuzz_mutator *m)
{
    uint32_t part = mutate_pick_item(m);
    if (part == MUTATE_NONE)
        return false;
    uint32_t place = part;
    if (mutate_below(m, 4) == 0)
        place = mutate_pick_neighbour(m, part);
    if (place == MUTATE_NONE)
        place = part;
    return insert_behind(m, place, m->text.data, &m->parts.items[part]);
}

bool mutate_move(fuzz_mutator *m)
{
    uint32_t first = mutate_pick_item(m);
    if (first == MUTATE_NONE)
        return false;
    uint32_t second = mutate_below(m, 2) == 0 ? m->parts.items[first].next
                                              : mutate_pick_neighbour(m, first);
    if (second == MUTATE_NONE || m->parts.items[second].kind == MUTATE_OPEN)
        return false;
    const mutate_part *a = &m->parts.items[first < second ? first : second];
    const mutate_part *b = &m->parts.items[first < second ? second : first];
    mutate_begin(m);
    mutate_put_text(m, 0, a->begin);
    mutate_put_text(m, b->begin, b->end);
    mutate_put_text(m, a->end, b->begin);
    mutate_put_text(m, a->begin, a->end);
    mutate_put_text(m, b->end, m->text.size);
    return mutate_end(m);
}

/* A part of `data` stands for a part. */
static bool put_instead(fuzz_mutator *m, uint32_t part, const uint8_t *data,
                        const mutate_part *what)
{
    const mutate_part *place = &m->parts.items[part];
    if (what->kind != MUTATE_STATEMENT)
        return mutate_replace(m, place->value, place->end, data + what->value,
                              what->end - what->value);
    mutate_begin(m);
    mutate_put_text(m, 0, place->begin);
    put_statement(m, data, what, place->value - place->begin);
    mutate_put_text(m, place->end, m->text.size);
    return mutate_end(m);
}

/* What has a place in another part: a whole document stays what it is. */
static bool is_inner(const fuzz_mutator *m, const mutate_part *part,
                     const void *context)
{
    const unsigned kinds = MUTATE_BIT(MUTATE_STATEMENT) |
                           MUTATE_BIT(MUTATE_ARGUMENT) | MUTATE_VALUES;
    (void)context;
    return (MUTATE_BIT(part->kind) & kinds) != 0 &&
           (m->parts.code || part->parent != MUTATE_NONE);
}

bool mutate_graft(fuzz_mutator *m)
{
    uint32_t part = mutate_pick(m, is_inner, NULL);
    if (part == MUTATE_NONE)
        return false;
    uint32_t what = mutate_pick_instead(m, part, false);
    return what != MUTATE_NONE &&
           put_instead(m, part, m->text.data, &m->parts.items[what]);
}

bool mutate_splice(fuzz_mutator *m)
{
    for (int tries = 0; tries < 8; tries++) {
        uint32_t part = mutate_pick_item(m);
        if (part == MUTATE_NONE || m->other_parts.count == 0)
            return false;
        uint32_t what = mutate_pick_instead(m, part, true);
        if (what == MUTATE_NONE)
            continue;
        const mutate_part *from = &m->other_parts.items[what];
        /* A key does not go into a list, nor an item into an object. */
        bool keyed = from->key_end > from->begin;
        bool wants = m->parts.items[part].key_end > m->parts.items[part].begin;
        return keyed == wants && mutate_below(m, 2) == 0
                   ? insert_behind(m, part, m->other.data, from)
                   : put_instead(m, part, m->other.data, from);
    }
    return false;
}

static bool is_child(const fuzz_mutator *m, const mutate_part *part,
                     const void *context)
{
    const mutate_part *above = context;
    return part->parent == (uint32_t)(above - m->parts.items) &&
           (part->kind == MUTATE_STATEMENT) ==
               (above->kind == MUTATE_STATEMENT);
}

bool mutate_empty(fuzz_mutator *m)
{
    static const char *const values[] = {"null", "{}",   "[]",  "\"\"",
                                         "0",    "true", "[[]]"};
    static const char *const words[] = {"None", "()", "[]", "0", "x", "pass"};
    uint32_t part = mutate_pick(m, is_inner, NULL);
    if (part == MUTATE_NONE)
        return false;
    const mutate_part *place = &m->parts.items[part];
    uint32_t child =
        mutate_below(m, 2) == 0 ? mutate_pick(m, is_child, place) : MUTATE_NONE;
    if (child != MUTATE_NONE)
        return put_instead(m, part, m->text.data, &m->parts.items[child]);
    const char *word =
        m->parts.code ? words[mutate_below(m, 6)] : values[mutate_below(m, 7)];
    size_t line = line_end(m->text.data, place->value, place->end);
    bool breaks = place->kind == MUTATE_STATEMENT && line > place->value &&
                  m->text.data[line - 1] == '\n';
    size_t end = place->kind == MUTATE_STATEMENT ? line - breaks : place->end;
    return mutate_replace(m, place->value, end, word, strlen(word));
}
