/* Changes of bytes, whatever they are part of. */
#include <string.h>

#include "work.h"

#define LONGEST 64u /* a run of bytes */

/* A run in the section: [*from, *from + result). */
static uint32_t pick_run(fuzz_mutator *m, uint32_t *from)
{
    uint32_t size = m->to - m->from;
    uint32_t most = size < LONGEST ? size : LONGEST;
    uint32_t length = 1 + mutate_below(m, mutate_below(m, 2) == 0 ? 1 : most);
    *from = m->from + mutate_below(m, size - length + 1);
    return length;
}

static bool flip(fuzz_mutator *m, uint32_t from)
{
    uint8_t c = (uint8_t)(m->text.data[from] ^ 1u << mutate_below(m, 8));
    return mutate_replace(m, from, from + 1, &c, 1);
}

/* Another byte: near to it, a letter that means something, or any. */
static bool set(fuzz_mutator *m, uint32_t from)
{
    static const char letters[] = "{}[]()<>,:;\"'\\/*+-.0123456789eE \n\t\r#=_";
    uint8_t c = m->text.data[from];
    switch (mutate_below(m, 4)) {
    case 0:
        c = (uint8_t)(c + 1 + mutate_below(m, 4));
        break;
    case 1:
        c = (uint8_t)mutate_below(m, 256);
        break;
    case 2:
        c = (uint8_t)("\x00\x1f\x7f\x80\xc0\xed\xf4\xff"[mutate_below(m, 8)]);
        break;
    default:
        c = (uint8_t)letters[mutate_below(m, sizeof letters - 1)];
    }
    uint32_t cut = mutate_below(m, 2); /* instead of one, or before it */
    return mutate_replace(m, from, from + cut, &c, 1);
}

/* A run of this text, or of the other, at another place. */
static bool copy(fuzz_mutator *m, uint32_t from, uint32_t length)
{
    uint32_t at = m->from + mutate_below(m, m->to - m->from + 1);
    uint32_t cut = mutate_below(m, 2) == 0 ? 0 : length;
    if (cut > m->to - at)
        cut = m->to - at;
    if (m->other.size < length || mutate_below(m, 2) == 0)
        return mutate_replace(m, at, at + cut, m->text.data + from, length);
    uint64_t there = fuzz_below(&m->random, m->other.size - length + 1);
    return mutate_replace(m, at, at + cut, m->other.data + there, length);
}

static bool exchange(fuzz_mutator *m, uint32_t from, uint32_t length)
{
    uint32_t middle = from + mutate_below(m, length);
    mutate_begin(m);
    mutate_put_text(m, 0, from);
    mutate_put_text(m, middle, from + length);
    mutate_put_text(m, from, middle);
    mutate_put_text(m, from + length, m->text.size);
    return mutate_end(m);
}

static bool repeat(fuzz_mutator *m, uint32_t from)
{
    uint8_t run[LONGEST];
    uint32_t length = 1 + mutate_below(m, LONGEST);
    memset(run, m->text.data[from], length);
    return mutate_replace(m, from, from, run, length);
}

bool mutate_bytes(fuzz_mutator *m)
{
    uint32_t from = 0;
    if (m->to == m->from) {
        uint8_t c = (uint8_t)mutate_below(m, 256);
        return mutate_replace(m, m->from, m->from, &c, 1);
    }
    uint32_t length = pick_run(m, &from);
    switch (mutate_below(m, 8)) {
    case 0:
    case 1:
        return set(m, from);
    case 2:
        return copy(m, from, length);
    case 3:
        return exchange(m, from, length);
    case 4:
        return mutate_replace(m, from, from + length, "", 0);
    case 5:
        return repeat(m, from);
    default:
        return flip(m, from);
    }
}
