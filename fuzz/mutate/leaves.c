/* Changes of numbers, strings and names. */
#include <stdio.h>
#include <string.h>

#include "work.h"

#define NAME_SIZE 64

static const char *const limits[] = {
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "511",
    "512",
    "1000",
    "1023",
    "1024",
    "4095",
    "4096",
    "16384",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "4611686018427387904",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.5",
    "-0.0",
    "1e-7",
    "1e16",
    "5e-324",
    "1.7976931348623157e308",
    "1e400",
};
#define LIMITS (sizeof limits / sizeof *limits)

/* Of a number with up to 18 digits; false: it is none. */
static bool read_number(int64_t *value, mutate_span text)
{
    size_t at = text.size > 0 && text.data[0] == '-';
    uint64_t sum = 0;
    if (text.size == at || text.size > 18 + at)
        return false;
    for (size_t i = at; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        sum = sum * 10 + (uint64_t)(text.data[i] - '0');
    }
    *value = at == 1 ? -(int64_t)sum : (int64_t)sum;
    return true;
}

bool mutate_number(fuzz_mutator *m)
{
    uint32_t part = mutate_pick_kind(m, MUTATE_BIT(MUTATE_NUMBER));
    if (part == MUTATE_NONE)
        return false;
    const mutate_part *place = &m->parts.items[part];
    char text[24];
    const char *number = text;
    int64_t value;
    if (mutate_below(m, 2) == 0 &&
        read_number(&value, mutate_value(m->text.data, place))) {
        int64_t near[] = {value + 1, value - 1,  value * 2,  value / 2,
                          -value,    value + 64, value - 64, value ^ 1};
        snprintf(text, sizeof text, "%lld",
                 (long long)near[mutate_below(m, 8)]);
    } else {
        number = limits[mutate_below(m, LIMITS)];
    }
    return mutate_replace(m, place->value, place->end, number, strlen(number));
}

bool mutate_reference(fuzz_mutator *m)
{
    uint32_t part = mutate_pick_kind(m, MUTATE_LEAVES);
    if (part == MUTATE_NONE)
        return false;
    uint32_t from = mutate_pick_fellow(m, part);
    if (from == MUTATE_NONE)
        return false;
    const mutate_part *place = &m->parts.items[part];
    mutate_span value = mutate_value(m->text.data, &m->parts.items[from]);
    return mutate_replace(m, place->value, place->end, value.data, value.size);
}

static bool is_name(const fuzz_mutator *m, const mutate_part *part,
                    const void *context)
{
    (void)context;
    return part->key_end > part->begin || part->kind == MUTATE_STRING ||
           (m->parts.code && part->kind == MUTATE_WORD);
}

/* Of a part the name that counts: its string, or its key. */
static mutate_span name_of(fuzz_mutator *m, const mutate_part *part, bool key)
{
    if (key)
        return (mutate_span){m->text.data + part->begin,
                             part->key_end - part->begin};
    return mutate_value(m->text.data, part);
}

/* Its key when it has no other name, else by lot. */
static bool takes_key(fuzz_mutator *m, const mutate_part *part)
{
    bool keyed = part->key_end > part->begin;
    return keyed && (part->kind != MUTATE_STRING || mutate_below(m, 2) == 0);
}

/* The name of another part, or this one with a letter more, less or other. */
static size_t make_name(char name[NAME_SIZE], fuzz_mutator *m, mutate_span old)
{
    uint32_t part =
        mutate_below(m, 2) == 0 ? mutate_pick(m, is_name, NULL) : MUTATE_NONE;
    if (part != MUTATE_NONE) {
        const mutate_part *other = &m->parts.items[part];
        mutate_span taken = name_of(m, other, takes_key(m, other));
        if (taken.size <= NAME_SIZE) {
            memcpy(name, taken.data, taken.size);
            return taken.size;
        }
    }
    size_t size = old.size < NAME_SIZE - 1 ? old.size : NAME_SIZE - 1;
    bool quoted = size > 1 && (old.data[0] == '"' || old.data[0] == '\'');
    size_t at = size - quoted; /* where a letter comes in */
    memcpy(name, old.data, size);
    char letter = "abxyz_0123456789"[mutate_below(m, 16)];
    if (mutate_below(m, 2) == 0 && at > quoted)
        at--; /* instead of the last one */
    else
        size++;
    name[at] = letter;
    if (quoted)
        name[size - 1] = (char)old.data[0];
    return size;
}

/* Copies up to `from`, and the new name for [from, to) if it is the old one. */
static void put_name(fuzz_mutator *m, uint32_t *at, uint32_t from, uint32_t to,
                     mutate_span old, mutate_span name)
{
    if (to - from != old.size || from < *at ||
        memcmp(m->text.data + from, old.data, old.size) != 0)
        return;
    mutate_put_text(m, *at, from);
    mutate_put(m, name.data, name.size);
    *at = to;
}

bool mutate_rename(fuzz_mutator *m)
{
    uint32_t part = mutate_pick(m, is_name, NULL), at = 0;
    if (part == MUTATE_NONE)
        return false;
    const mutate_part *place = &m->parts.items[part];
    bool key = takes_key(m, place), once = mutate_below(m, 4) == 0;
    mutate_span old = name_of(m, place, key);
    char name[NAME_SIZE];
    mutate_span put = {(const uint8_t *)name, make_name(name, m, old)};
    uint32_t from = (uint32_t)(old.data - m->text.data);
    if (once)
        return mutate_replace(m, from, from + old.size, put.data, put.size);
    mutate_begin(m);
    for (uint32_t i = 0; i < m->parts.count; i++) {
        const mutate_part *p = &m->parts.items[i];
        put_name(m, &at, p->begin, p->key_end, old, put);
        if (p->kind == place->kind || p->kind == MUTATE_STRING)
            put_name(m, &at, p->value, p->end, old, put);
    }
    mutate_put_text(m, at, m->text.size);
    return mutate_end(m);
}

/* One letter as its number. */
static bool spell_string(fuzz_mutator *m, const mutate_part *place)
{
    uint32_t size = place->end - place->value;
    char escape[8];
    if (size < 3)
        return false;
    uint32_t at = place->value + 1 + mutate_below(m, size - 2);
    uint8_t c = m->text.data[at];
    if (c >= 0x80 || c == '\\' || m->text.data[at - 1] == '\\')
        return false;
    snprintf(escape, sizeof escape,
             mutate_below(m, 2) == 0 ? "\\u%04x" : "\\u%04X", c);
    return mutate_replace(m, at, at + 1, escape, strlen(escape));
}

bool mutate_spell(fuzz_mutator *m)
{
    static const char *const behind[] = {".0", "e0", "E+0", ".", "_0", "00"};
    static const char *const before[] = {" ", "\n", "\t", "\r\n",
                                         "0", "-",  "+",  "\xc2\xa0"};
    uint32_t part = mutate_pick_kind(m, MUTATE_LEAVES);
    if (part == MUTATE_NONE)
        return false;
    const mutate_part *place = &m->parts.items[part];
    if (place->kind == MUTATE_STRING && mutate_below(m, 4) != 0)
        return spell_string(m, place);
    uint32_t at = place->value;
    const char *put = before[mutate_below(m, 8)];
    if (place->kind == MUTATE_NUMBER && mutate_below(m, 2) == 0) {
        at = place->end;
        put = behind[mutate_below(m, 6)];
    }
    return mutate_replace(m, at, at, put, strlen(put));
}
