#include "order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../deps/access.h"
#include "../json/array.h"
#include "../json/text.h"

#define DIGITS 256
#define CHUNK 8 /* bytes of a string that are sorted at once */
#define FEW 24  /* so many strings are sorted by insertion */

static void radix_pass(sonata_sort_item *to, const sonata_sort_item *from,
                       size_t count, unsigned shift)
{
    size_t place[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        place[((from[i].key >> shift) & (DIGITS - 1)) + 1]++;
    for (size_t i = 0; i < DIGITS; i++)
        place[i + 1] += place[i];
    for (size_t i = 0; i < count; i++)
        to[place[(from[i].key >> shift) & (DIGITS - 1)]++] = from[i];
}

void sonata_radix_sort(sonata_sort_item *items, sonata_sort_item *other,
                       size_t count)
{
    uint64_t differ = 0;
    for (size_t i = 1; i < count; i++)
        differ |= items[i].key ^ items[0].key;
    sonata_sort_item *from = items;
    sonata_sort_item *to = other;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (((differ >> shift) & (DIGITS - 1)) == 0)
            continue;
        radix_pass(to, from, count, shift);
        sonata_sort_item *last = from;
        from = to;
        to = last;
    }
    if (from != items && count > 0)
        memcpy(items, from, count * sizeof *items);
}

/* A range of strings that are equal in their first `depth` bytes. */
typedef struct range {
    size_t first, count, depth;
} range;

typedef struct string_sort {
    const sonata_value *keys;
    sonata_sort_item *items;
    sonata_sort_item *other;
    range *open; /* ranges still to be sorted */
    size_t open_count, open_capacity;
} string_sort;

/* The next bytes of a string as a number, shorter strings padded with 0. */
static uint64_t chunk_at(sonata_text text, size_t depth)
{
    uint64_t chunk = 0;
    for (size_t i = 0; i < CHUNK; i++)
        chunk =
            chunk << 8 |
            (depth + i < text.length ? (unsigned char)text.text[depth + i] : 0);
    return chunk;
}

static size_t rest_at(sonata_text text, size_t depth)
{
    size_t rest = text.length - depth;
    return rest > CHUNK ? CHUNK + 1 : rest;
}

static int compare_texts(sonata_text a, sonata_text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter == 0 ? 0 : memcmp(a.text, b.text, shorter);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static void sort_few(const string_sort *s, const range *r)
{
    sonata_sort_item *items = s->items + r->first;
    for (size_t i = 1; i < r->count; i++) {
        sonata_sort_item item = items[i];
        size_t at = i;
        while (at > 0 && compare_texts(s->keys[items[at - 1].index].text,
                                       s->keys[item.index].text) > 0) {
            items[at] = items[at - 1];
            at--;
        }
        items[at] = item;
    }
}

static bool push_range(string_sort *s, range r)
{
    if (r.count < 2)
        return true;
    range *open =
        sonata_grow(s->open, &s->open_capacity, s->open_count, sizeof *open);
    if (open == NULL)
        return false;
    s->open = open;
    s->open[s->open_count++] = r;
    return true;
}

/* Sorts by the next chunk, then by what is left: a string that ends with the
 * chunk comes before those that go on, a padded one before a real U+0000. */
static bool sort_range(string_sort *s, range r)
{
    sonata_sort_item *items = s->items + r.first;
    for (size_t i = 0; i < r.count; i++)
        items[i].key = rest_at(s->keys[items[i].index].text, r.depth);
    sonata_radix_sort(items, s->other, r.count);
    for (size_t i = 0; i < r.count; i++)
        items[i].key = chunk_at(s->keys[items[i].index].text, r.depth);
    sonata_radix_sort(items, s->other, r.count);
    bool ok = true;
    for (size_t i = 0; i < r.count && ok;) {
        size_t end = i + 1;
        while (end < r.count && items[end].key == items[i].key)
            end++;
        while (i < end &&
               rest_at(s->keys[items[i].index].text, r.depth) <= CHUNK)
            i++;
        ok = push_range(s, (range){r.first + i, end - i, r.depth + CHUNK});
        i = end;
    }
    return ok;
}

static bool sort_strings(uint32_t *order, const sonata_value *keys,
                         size_t count)
{
    string_sort s = {.keys = keys};
    s.items = reallocarray(NULL, count + 1, sizeof *s.items);
    s.other = reallocarray(NULL, count + 1, sizeof *s.other);
    bool ok = s.items != NULL && s.other != NULL;
    for (size_t i = 0; i < count && ok; i++)
        s.items[i] = (sonata_sort_item){0, (uint32_t)i};
    ok = ok && push_range(&s, (range){0, count, 0});
    while (ok && s.open_count > 0) {
        range r = s.open[--s.open_count];
        if (r.count <= FEW)
            sort_few(&s, &r);
        else
            ok = sort_range(&s, r);
    }
    for (size_t i = 0; i < count && ok; i++)
        order[i] = s.items[i].index;
    free(s.items);
    free(s.other);
    free(s.open);
    return ok;
}

/* A number ready to be compared. An integer is its digits. */
typedef struct number {
    uint32_t index;
    bool is_float;
    bool is_negative;
    double real;
    sonata_text digits; /* without the sign */
} number;

static number integer(sonata_text text)
{
    number n = {.digits = text};
    n.is_negative = text.length > 0 && text.text[0] == '-';
    if (n.is_negative)
        n.digits = (sonata_text){text.text + 1, text.length - 1};
    return n;
}

static int compare_integers(const number *a, const number *b)
{
    if (a->is_negative != b->is_negative)
        return a->is_negative ? -1 : 1;
    int order = (a->digits.length > b->digits.length) -
                (a->digits.length < b->digits.length);
    if (order == 0)
        order = memcmp(a->digits.text, b->digits.text, a->digits.length);
    return a->is_negative ? -order : order;
}

/* An integer of any size against a float, exactly: by the float's floor. */
static int compare_to_float(const number *a, double real)
{
    char text[400];
    double below = floor(real);
    int length = snprintf(text, sizeof text, "%.0f", below == 0 ? 0.0 : below);
    number whole = integer((sonata_text){text, (size_t)length});
    int order = compare_integers(a, &whole);
    return order == 0 && real > below ? -1 : order;
}

static int compare_numbers(const void *left, const void *right)
{
    const number *a = left;
    const number *b = right;
    if (a->is_float && b->is_float)
        return (a->real > b->real) - (a->real < b->real);
    if (a->is_float)
        return -compare_to_float(b, a->real);
    return b->is_float ? compare_to_float(a, b->real) : compare_integers(a, b);
}

static bool read_number(number *n, const sonata_value *value)
{
    if (value->kind == SONATA_BOOL)
        *n = integer(value->text.length == 4 ? SONATA_TEXT("1")
                                             : SONATA_TEXT("0"));
    else if (value->kind == SONATA_INT)
        *n = integer(value->text);
    else
        *n = (number){.is_float = true};
    return !n->is_float || sonata_float_value(&n->real, value->text);
}

static bool sort_numbers(uint32_t *order, const sonata_value *keys,
                         size_t count)
{
    number *numbers = calloc(count + 1, sizeof *numbers);
    bool ok = numbers != NULL;
    for (size_t i = 0; i < count && ok; i++) {
        ok = read_number(&numbers[i], &keys[i]);
        numbers[i].index = (uint32_t)i;
    }
    if (ok)
        qsort(numbers, count, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < count && ok; i++)
        order[i] = numbers[i].index;
    free(numbers);
    return ok;
}

sonata_status sonata_sort_keys(uint32_t *order, const sonata_value *keys,
                               size_t count, sonata_error *error)
{
    size_t strings = 0;
    for (size_t i = 0; i < count; i++)
        strings += keys[i].kind == SONATA_STRING ? 1 : 0;
    if (strings != 0 && strings != count)
        return sonata_fail(error, SONATA_REJECTED, "memory.mixed-keys",
                           "storage keys that are strings and others that are "
                           "numbers have no order");
    bool ok = strings == 0 ? sort_numbers(order, keys, count)
                           : sort_strings(order, keys, count);
    return ok ? SONATA_OK : sonata_fail_memory(error);
}
