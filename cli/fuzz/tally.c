#include "tally.h"

#include <stdlib.h>
#include <string.h>

void cli_tally_free(cli_tally *tally)
{
    for (size_t i = 0; i < tally->count; i++)
        free(tally->items[i].what);
    free(tally->items);
    free(tally->slots);
    *tally = (cli_tally){0};
}

void cli_tally_clear(cli_tally *tally)
{
    for (size_t i = 0; i < tally->count; i++)
        tally->items[i].n = 0;
}

static size_t hash(const char *what, const char *key)
{
    uint64_t h = 1469598103934665603u;
    for (; *what != '\0'; what++)
        h = (h ^ (unsigned char)*what) * 1099511628211u;
    h = (h ^ 0xff) * 1099511628211u;
    for (; *key != '\0'; key++)
        h = (h ^ (unsigned char)*key) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* Its slot, or the empty one where it belongs. There is always one. */
static uint32_t *find(const cli_tally *tally, const char *what, const char *key)
{
    size_t mask = tally->slot_count - 1;
    for (size_t at = hash(what, key) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = &tally->slots[at];
        if (*slot == 0)
            return slot;
        const cli_count *item = &tally->items[*slot - 1];
        if (strcmp(item->key, key) == 0 && strcmp(item->what, what) == 0)
            return slot;
    }
}

static void index_all(cli_tally *tally)
{
    memset(tally->slots, 0, tally->slot_count * sizeof *tally->slots);
    for (size_t i = 0; i < tally->count; i++)
        *find(tally, tally->items[i].what, tally->items[i].key) =
            (uint32_t)i + 1;
}

/* Room for one more, with half of the slots free. */
static bool make_room(cli_tally *tally)
{
    if (tally->count < tally->room)
        return true;
    size_t room = tally->room == 0 ? 128 : 2 * tally->room;
    cli_count *items = reallocarray(tally->items, room, sizeof *items);
    if (items == NULL)
        return false;
    tally->items = items;
    uint32_t *slots = reallocarray(tally->slots, 2 * room, sizeof *slots);
    if (slots == NULL)
        return false;
    tally->slots = slots;
    tally->room = room;
    tally->slot_count = 2 * room;
    index_all(tally);
    return true;
}

static bool insert(cli_tally *tally, const char *what, const char *key,
                   int64_t n)
{
    size_t length = strlen(what) + 1, key_length = strlen(key) + 1;
    char *words = make_room(tally) ? malloc(length + key_length) : NULL;
    if (words == NULL)
        return false;
    memcpy(words, what, length);
    memcpy(words + length, key, key_length);
    tally->items[tally->count++] = (cli_count){words, words + length, n};
    *find(tally, what, key) = (uint32_t)tally->count;
    return true;
}

void cli_tally_add(cli_tally *tally, const char *what, const char *key,
                   int64_t n)
{
    uint32_t *slot = tally->count == 0 ? NULL : find(tally, what, key);
    if (slot != NULL && *slot != 0)
        tally->items[*slot - 1].n += n;
    else if (!insert(tally, what, key, n))
        tally->failed = true;
}

void cli_tally_merge(cli_tally *tally, const cli_tally *other)
{
    for (size_t i = 0; i < other->count; i++)
        cli_tally_add(tally, other->items[i].what, other->items[i].key,
                      other->items[i].n);
}

int64_t cli_tally_get(const cli_tally *tally, const char *what, const char *key)
{
    const uint32_t *slot = tally->count == 0 ? NULL : find(tally, what, key);
    return slot == NULL || *slot == 0 ? 0 : tally->items[*slot - 1].n;
}

int64_t cli_tally_sum(const cli_tally *tally, const char *what)
{
    int64_t sum = 0;
    for (size_t i = 0; i < tally->count; i++)
        if (strcmp(tally->items[i].what, what) == 0)
            sum += tally->items[i].n;
    return sum;
}

static int compare(const void *a, const void *b)
{
    const cli_count *x = a, *y = b;
    int order = strcmp(x->what, y->what);
    return order != 0 ? order : strcmp(x->key, y->key);
}

void cli_tally_sort(cli_tally *tally)
{
    if (tally->count == 0)
        return;
    qsort(tally->items, tally->count, sizeof *tally->items, compare);
    index_all(tally);
}

void cli_tally_put(cli_text *out, cli_tally *tally)
{
    const char *what = NULL;
    cli_tally_sort(tally);
    cli_text_put(out, "{");
    for (size_t i = 0; i < tally->count; i++) {
        const cli_count *item = &tally->items[i];
        if (item->n == 0)
            continue;
        if (what == NULL || strcmp(what, item->what) != 0) {
            cli_text_put(out, what == NULL ? "" : "},");
            cli_text_quote(out, item->what);
            cli_text_put(out, ":{");
        } else {
            cli_text_put(out, ",");
        }
        what = item->what;
        cli_text_quote(out, item->key);
        cli_text_printf(out, ":%lld", (long long)item->n);
    }
    cli_text_put(out, what == NULL ? "}" : "}}");
}

/* A word between quotes; `out` is cleared before. */
static bool take_word(cli_text *out, cli_span key)
{
    cli_text_clear(out);
    cli_text_put(out, "");
    return cli_span_text(out, (cli_span){key.data - 1, key.length + 2});
}

static bool take_keys(cli_tally *tally, const char *what, cli_span json,
                      cli_text *word)
{
    cli_walk walk;
    cli_span key, value;
    int64_t n;
    if (!cli_walk_object(&walk, json))
        return false;
    while (cli_walk_next(&walk, &key, &value)) {
        if (!take_word(word, key) || !cli_span_int(&n, value))
            return false;
        cli_tally_add(tally, what, word->data, n);
    }
    return !walk.failed && !tally->failed;
}

bool cli_tally_take(cli_tally *tally, cli_span json)
{
    cli_walk walk;
    cli_span key, value;
    cli_text what = {0}, word = {0};
    bool ok = cli_walk_object(&walk, json);
    while (ok && cli_walk_next(&walk, &key, &value))
        ok = take_word(&what, key) && take_keys(tally, what.data, value, &word);
    cli_text_free(&what);
    cli_text_free(&word);
    return ok && !walk.failed;
}

typedef struct number {
    int64_t value, n;
} number;

static int compare_numbers(const void *a, const void *b)
{
    const number *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

int64_t cli_tally_median(const cli_tally *tally, const char *what)
{
    int64_t half = (cli_tally_sum(tally, what) + 1) / 2, median = 0;
    number *list = calloc(tally->count + 1, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; list != NULL && i < tally->count; i++)
        if (strcmp(tally->items[i].what, what) == 0)
            list[count++] = (number){strtoll(tally->items[i].key, NULL, 10),
                                     tally->items[i].n};
    if (count > 0)
        qsort(list, count, sizeof *list, compare_numbers);
    for (size_t i = 0; i < count && half > 0; i++) {
        half -= list[i].n;
        median = list[i].value;
    }
    free(list);
    return median;
}
