#include "fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "work.h"

#define STREAM 64 /* of the names of its numbers */
#define MOST_BYTES                                                             \
    ((size_t)1 << 30) /* of a text whose parts are looked for                  \
                       */
#define TRIES 4

typedef struct change_maker {
    const char *name;
    bool (*make)(fuzz_mutator *m);
    uint32_t weight;
} change_maker;

static const change_maker changes[FUZZ_CHANGES] = {
    [FUZZ_CHANGE_DROP] = {"drop", mutate_drop, 6},
    [FUZZ_CHANGE_EDGE] = {"edge", mutate_drop_edge, 4},
    [FUZZ_CHANGE_DUPLICATE] = {"duplicate", mutate_duplicate, 5},
    [FUZZ_CHANGE_MOVE] = {"move", mutate_move, 5},
    [FUZZ_CHANGE_NUMBER] = {"number", mutate_number, 7},
    [FUZZ_CHANGE_REFERENCE] = {"reference", mutate_reference, 7},
    [FUZZ_CHANGE_RENAME] = {"rename", mutate_rename, 4},
    [FUZZ_CHANGE_GRAFT] = {"graft", mutate_graft, 5},
    [FUZZ_CHANGE_SPLICE] = {"splice", mutate_splice, 6},
    [FUZZ_CHANGE_EMPTY] = {"empty", mutate_empty, 3},
    [FUZZ_CHANGE_SPELL] = {"spell", mutate_spell, 4},
    [FUZZ_CHANGE_BYTES] = {"bytes", mutate_bytes, 8},
};

const char *fuzz_change_name(fuzz_change change)
{
    return (unsigned)change < FUZZ_CHANGES ? changes[change].name : "";
}

fuzz_mutator *fuzz_mutator_new(void)
{
    return calloc(1, sizeof(fuzz_mutator));
}

void fuzz_mutator_free(fuzz_mutator *mutator)
{
    if (mutator == NULL)
        return;
    free(mutator->text.data);
    free(mutator->next.data);
    free(mutator->parts.items);
    free(mutator->other_parts.items);
    free(mutator);
}

unsigned fuzz_mutator_changes(const fuzz_mutator *mutator)
{
    return mutator->changes;
}

bool mutate_reserve(mutate_buffer *buffer, size_t size)
{
    if (size <= buffer->capacity)
        return true;
    uint8_t *data = realloc(buffer->data, size);
    if (data == NULL)
        return false;
    buffer->data = data;
    buffer->capacity = size;
    return true;
}

void mutate_begin(fuzz_mutator *m)
{
    m->next.size = 0;
    m->over = false;
}

void mutate_put(fuzz_mutator *m, const void *data, size_t size)
{
    if (m->over || size > m->limit - m->next.size) {
        m->over = true;
        return;
    }
    if (size > 0)
        memcpy(m->next.data + m->next.size, data, size);
    m->next.size += size;
}

void mutate_put_text(fuzz_mutator *m, size_t from, size_t to)
{
    mutate_put(m, m->text.data + from, to - from);
}

bool mutate_end(fuzz_mutator *m)
{
    if (m->over || m->next.size == 0)
        return false;
    mutate_buffer old = m->text;
    m->text = m->next;
    m->next = old;
    return true;
}

bool mutate_replace(fuzz_mutator *m, size_t from, size_t to, const void *data,
                    size_t size)
{
    mutate_begin(m);
    mutate_put_text(m, 0, from);
    mutate_put(m, data, size);
    mutate_put_text(m, to, m->text.size);
    return mutate_end(m);
}

/* One of the documents between zero bytes; long ones more often. */
static void pick_section(fuzz_mutator *m, fuzz_bytes text, uint32_t *from,
                         uint32_t *to)
{
    uint32_t at = text.size == 0 ? 0 : mutate_below(m, text.size);
    *from = 0;
    *to = (uint32_t)text.size;
    if (text.size == 0)
        return;
    const uint8_t *zero = memrchr(text.data, '\0', at);
    if (zero != NULL)
        *from = (uint32_t)(zero - text.data) + 1;
    zero = memchr(text.data + at, '\0', text.size - at);
    if (zero != NULL)
        *to = (uint32_t)(zero - text.data);
}

/* Some targets take a few bytes before a document. */
static uint32_t behind_head(fuzz_mutator *m, fuzz_bytes text, uint32_t from,
                            uint32_t to)
{
    for (uint32_t i = from; i < to && i < from + 4; i++)
        if (text.data[i] == '{' || text.data[i] == '[')
            return mutate_below(m, 4) == 0 ? from : i;
    return from;
}

/* One line, where lines are documents of their own. */
static void pick_line(fuzz_mutator *m, fuzz_bytes text, uint32_t *from,
                      uint32_t *to)
{
    uint32_t at = *from + mutate_below(m, *to - *from);
    const uint8_t *newline = memrchr(text.data + *from, '\n', at - *from);
    uint32_t begin =
        newline == NULL ? *from : (uint32_t)(newline - text.data) + 1;
    newline = memchr(text.data + at, '\n', *to - at);
    if (text.data[begin] != '{' || mutate_below(m, 4) == 0)
        return;
    *from = begin;
    if (newline != NULL)
        *to = (uint32_t)(newline - text.data);
}

static void find_parts(fuzz_mutator *m, mutate_parts *parts, fuzz_bytes text,
                       uint32_t *from, uint32_t *to)
{
    parts->count = 0;
    *from = 0;
    *to = text.size > MOST_BYTES ? (uint32_t)MOST_BYTES : (uint32_t)text.size;
    if (text.size > MOST_BYTES)
        return;
    pick_section(m, text, from, to);
    *from = behind_head(m, text, *from, *to);
    if (*to > *from)
        pick_line(m, text, from, to);
    mutate_parts_find(parts, text.data, *from, *to);
}

static void find_other(fuzz_mutator *m)
{
    uint32_t from, to;
    if (!m->other_found)
        find_parts(m, &m->other_parts, m->other, &from, &to);
    m->other_found = true;
}

/*
 * Digests of members would all be wrong after a change, and a bundle is read
 * without them. Some keep theirs, since wrong ones must be met, too.
 */
static void unseal(fuzz_mutator *m)
{
    static const char key[] = "\"sha256\"";
    size_t length = sizeof key - 1, at = 0;
    if (m->parts.code || mutate_below(m, 8) == 0 ||
        memmem(m->text.data, m->text.size, key, length) == NULL)
        return;
    mutate_begin(m);
    for (uint32_t i = 0; i < m->parts.count; i++) {
        const mutate_part *part = &m->parts.items[i];
        if (part->kind == MUTATE_OPEN ||
            part->key_end - part->begin != length ||
            memcmp(m->text.data + part->begin, key, length) != 0)
            continue;
        mutate_range range = mutate_range_of(&m->parts, i, i);
        if (range.from < at)
            continue;
        mutate_put_text(m, at, range.from);
        at = range.to;
    }
    mutate_put_text(m, at, m->text.size);
    if (!mutate_end(m))
        return;
    m->to -= (uint32_t)(m->next.size - m->text.size);
    mutate_parts_find(&m->parts, m->text.data, m->from, m->to);
}

static fuzz_change pick_change(fuzz_mutator *m)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < FUZZ_CHANGES; i++)
        sum += changes[i].weight;
    uint32_t at = mutate_below(m, sum);
    unsigned picked = 0;
    while (at >= changes[picked].weight)
        at -= changes[picked++].weight;
    return (fuzz_change)picked;
}

static bool make_change(fuzz_mutator *m, fuzz_change picked)
{
    if (picked == FUZZ_CHANGE_SPLICE) {
        if (m->other.size == 0)
            return false;
        find_other(m);
    }
    if (!changes[picked].make(m))
        return false;
    m->changes |= 1u << picked;
    return true;
}

/* One change; of bytes, when the text has no place for others. */
static void make_round(fuzz_mutator *m, bool cross)
{
    find_parts(m, &m->parts, (fuzz_bytes){m->text.data, m->text.size}, &m->from,
               &m->to);
    if (m->changes == 0)
        unseal(m);
    if (cross && make_change(m, FUZZ_CHANGE_SPLICE))
        return;
    for (int i = 0; i < TRIES; i++)
        if (make_change(m, pick_change(m)))
            return;
    make_change(m, FUZZ_CHANGE_BYTES);
}

static bool begin(fuzz_mutator *m, fuzz_bytes text, size_t most)
{
    size_t room =
        text.size > SIZE_MAX - FUZZ_GROWTH ? SIZE_MAX : text.size + FUZZ_GROWTH;
    m->limit = room < most ? room : most;
    m->changes = 0;
    m->other_found = false;
    m->text.size = 0;
    if (!mutate_reserve(&m->text, m->limit) ||
        !mutate_reserve(&m->next, m->limit))
        return false;
    m->text.size = text.size < m->limit ? text.size : m->limit;
    if (m->text.size > 0)
        memcpy(m->text.data, text.data, m->text.size);
    return true;
}

static fuzz_bytes mutate(fuzz_mutator *m, fuzz_bytes text, fuzz_bytes other,
                         size_t most, uint64_t seed, bool cross)
{
    static const uint32_t rounds[] = {1, 1, 1, 2, 2, 3, 4};
    fuzz_name name = {.seed = seed, .stream = STREAM};
    m->random = fuzz_random_of(&name, cross);
    m->other = other;
    if (most == 0 || !begin(m, text, most))
        return (fuzz_bytes){text.data, text.size < most ? text.size : most};
    uint32_t count = rounds[mutate_below(m, sizeof rounds / sizeof *rounds)];
    for (uint32_t i = 0; i < count; i++)
        make_round(m, cross && i == 0);
    if (m->text.size == 0) { /* there was nothing, and nothing fitted */
        m->text.data[0] = ' ';
        m->text.size = 1;
    }
    return (fuzz_bytes){m->text.data, m->text.size};
}

fuzz_bytes fuzz_mutate(fuzz_mutator *mutator, fuzz_bytes text, fuzz_bytes other,
                       size_t most, uint64_t seed)
{
    return mutate(mutator, text, other, most, seed, false);
}

fuzz_bytes fuzz_cross(fuzz_mutator *mutator, fuzz_bytes text, fuzz_bytes other,
                      size_t most, uint64_t seed)
{
    return mutate(mutator, text, other, most, seed, true);
}
