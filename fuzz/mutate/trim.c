/*
 * Trimming. From the first part to the last: the longest run of neighbours
 * that begins with it, then half of that, and so on; what goes makes place for
 * those behind it, which are tried from the same place.
 */
#include <string.h>

#include "work.h"

static void find(fuzz_mutator *m)
{
    mutate_parts_find(&m->parts, m->text.data, 0, (uint32_t)m->text.size);
}

bool fuzz_trim_begin(fuzz_mutator *m, fuzz_bytes text)
{
    m->limit = text.size;
    m->trim = (mutate_trim){0, 0};
    m->text.size = 0;
    m->parts.count = 0;
    if (text.size >= UINT32_MAX || !mutate_reserve(&m->text, text.size) ||
        !mutate_reserve(&m->next, text.size))
        return false;
    if (text.size > 0)
        memcpy(m->text.data, text.data, text.size);
    m->text.size = text.size;
    find(m);
    return true;
}

/* How many neighbours there are from here on, up to `most`. */
static uint32_t count_run(const mutate_parts *parts, uint32_t first,
                          uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = first; i != MUTATE_NONE && count < most &&
                             parts->items[i].kind != MUTATE_OPEN;
         i = parts->items[i].next)
        count++;
    return count;
}

/* The next part that can go; false: there is none. */
static bool find_run(fuzz_mutator *m)
{
    mutate_trim *trim = &m->trim;
    while (trim->part < m->parts.count && trim->run == 0) {
        if (m->parts.items[trim->part].item)
            trim->run = count_run(&m->parts, trim->part, UINT32_MAX);
        if (trim->run == 0)
            trim->part++;
    }
    return trim->part < m->parts.count;
}

fuzz_bytes fuzz_trim_step(fuzz_mutator *m)
{
    while (find_run(m)) {
        uint32_t last = m->trim.part;
        for (uint32_t i = 1; i < m->trim.run; i++)
            last = m->parts.items[last].next;
        mutate_range range = mutate_range_of(&m->parts, m->trim.part, last);
        mutate_begin(m);
        mutate_put_text(m, 0, range.from);
        mutate_put_text(m, range.to, m->text.size);
        if (m->next.size > 0)
            return (fuzz_bytes){m->next.data, m->next.size};
        fuzz_trim_keep(m, false);
    }
    return (fuzz_bytes){m->text.data, 0};
}

void fuzz_trim_keep(fuzz_mutator *m, bool keep)
{
    if (keep && mutate_end(m)) {
        find(m);
        m->trim.run = 0;
        return;
    }
    m->trim.run /= 2;
    if (m->trim.run == 0)
        m->trim.part++;
}
