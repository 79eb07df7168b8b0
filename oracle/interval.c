#include "interval.h"

#include <stdlib.h>
#include <string.h>

#define RECENT 32
#define MAX_LEVELS 28

/* Sorted by begin; most: a heap-ordered tree of the greatest ends. */
struct oracle_interval_level {
    oracle_entry *entry;
    int64_t *most;
    uint32_t count;
    uint32_t leaves; /* a power of two */
};

static bool is_power(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

static int by_begin(const void *a, const void *b)
{
    const oracle_entry *x = a;
    const oracle_entry *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return (x->arg > y->arg) - (x->arg < y->arg);
}

static bool build(oracle_interval_level *level)
{
    level->leaves = 1;
    while (level->leaves < level->count) {
        level->leaves *= 2;
    }
    level->most = malloc(2 * (size_t)level->leaves * sizeof *level->most);
    if (level->most == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < level->leaves; i++) {
        level->most[level->leaves + i] =
            i < level->count ? level->entry[i].end : INT64_MIN;
    }
    for (uint32_t i = level->leaves - 1; i > 0; i--) {
        int64_t left = level->most[2 * i];
        int64_t right = level->most[2 * i + 1];
        level->most[i] = left > right ? left : right;
    }
    return true;
}

static void free_level(oracle_interval_level *level)
{
    free(level->entry);
    free(level->most);
    *level = (oracle_interval_level){0};
}

static uint32_t copy_live(oracle_entry *to, const oracle_entry *from,
                          uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!from[i].dead) {
            to[kept++] = from[i];
        }
    }
    return kept;
}

/* The recent ones and all levels below the first empty one become it. */
static bool carry(oracle_intervals *intervals)
{
    uint32_t to = 0;
    size_t total = intervals->recent_count;
    if (intervals->levels == NULL) {
        intervals->levels = calloc(MAX_LEVELS, sizeof *intervals->levels);
        if (intervals->levels == NULL) {
            return false;
        }
    }
    while (to < MAX_LEVELS - 1 && intervals->levels[to].count > 0) {
        total += intervals->levels[to++].count;
    }
    total += intervals->levels[to].count;
    oracle_interval_level made = {.entry = malloc(total * sizeof *made.entry)};
    if (made.entry == NULL) {
        return false;
    }
    made.count =
        copy_live(made.entry, intervals->recent, intervals->recent_count);
    for (uint32_t i = 0; i <= to; i++) {
        const oracle_interval_level *level = &intervals->levels[i];
        made.count +=
            copy_live(made.entry + made.count, level->entry, level->count);
    }
    qsort(made.entry, made.count, sizeof *made.entry, by_begin);
    if (made.count > 0 && !build(&made)) {
        free(made.entry);
        return false;
    }
    for (uint32_t i = 0; i <= to; i++) {
        free_level(&intervals->levels[i]);
    }
    if (made.count == 0) {
        free_level(&made);
    }
    intervals->levels[to] = made;
    if (intervals->level_count <= to) {
        intervals->level_count = to + 1;
    }
    intervals->recent_count = 0;
    return true;
}

static void drop_dead(oracle_intervals *intervals)
{
    intervals->recent_count = copy_live(intervals->recent, intervals->recent,
                                        intervals->recent_count);
}

bool oracle_intervals_add(oracle_intervals *intervals,
                          const oracle_entry *entry)
{
    if (intervals->recent_count > 0) {
        drop_dead(intervals);
    }
    uint32_t count = intervals->recent_count;
    if (count == RECENT) {
        if (!carry(intervals)) {
            return false;
        }
        count = 0;
    }
    if (is_power(count) || intervals->recent == NULL) {
        size_t room = count == 0 ? 1 : (size_t)count * 2;
        room = intervals->levels != NULL ? RECENT : room;
        oracle_entry *grown =
            realloc(intervals->recent, room * sizeof *intervals->recent);
        if (grown == NULL) {
            return false;
        }
        intervals->recent = grown;
    }
    intervals->recent[count] = *entry;
    intervals->recent_count = count + 1;
    return true;
}

/* Its end in the tree goes, too, so that no look-up comes by again. */
void oracle_intervals_remove(oracle_intervals *intervals, oracle_entry *entry)
{
    entry->dead = true;
    for (uint32_t i = 0; i < intervals->level_count; i++) {
        const oracle_interval_level *level = &intervals->levels[i];
        if (level->count == 0 || entry < level->entry ||
            entry >= level->entry + level->count) {
            continue;
        }
        size_t node = level->leaves + (size_t)(entry - level->entry);
        level->most[node] = INT64_MIN;
        for (node /= 2; node > 0; node /= 2) {
            int64_t left = level->most[2 * node];
            int64_t right = level->most[2 * node + 1];
            level->most[node] = left > right ? left : right;
        }
        return;
    }
}

static bool add_hit(oracle_hits *hits, oracle_entry *entry)
{
    if (hits->count == hits->capacity) {
        size_t capacity = hits->capacity == 0 ? 64 : hits->capacity * 2;
        oracle_entry **grown =
            realloc(hits->entry, capacity * sizeof *hits->entry);
        if (grown == NULL) {
            return false;
        }
        hits->entry = grown;
        hits->capacity = capacity;
    }
    hits->entry[hits->count++] = entry;
    return true;
}

/* The first leaf from `at` on whose end is above x, or `leaves`. */
static uint32_t next_above(const oracle_interval_level *level, uint32_t at,
                           int64_t x)
{
    uint32_t node = level->leaves + at;
    if (at >= level->leaves) {
        return level->leaves;
    }
    while (level->most[node] <= x) {
        /* to the next subtree on the right */
        while ((node & 1) != 0) {
            node >>= 1;
        }
        if (node == 0) {
            return level->leaves;
        }
        node++;
    }
    while (node < level->leaves) {
        node *= 2;
        node += level->most[node] <= x;
    }
    return node - level->leaves;
}

static bool find_in_level(const oracle_interval_level *level, int64_t begin,
                          int64_t end, oracle_hits *hits)
{
    uint32_t at = 0;
    while ((at = next_above(level, at, begin)) < level->count &&
           level->entry[at].begin < end) {
        if (!add_hit(hits, &level->entry[at])) {
            return false;
        }
        at++;
    }
    return true;
}

bool oracle_intervals_find(oracle_intervals *intervals, int64_t begin,
                           int64_t end, oracle_hits *hits)
{
    for (uint32_t i = 0; i < intervals->recent_count; i++) {
        oracle_entry *entry = &intervals->recent[i];
        if (!entry->dead && entry->begin < end && entry->end > begin &&
            !add_hit(hits, entry)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < intervals->level_count; i++) {
        if (intervals->levels[i].count > 0 &&
            !find_in_level(&intervals->levels[i], begin, end, hits)) {
            return false;
        }
    }
    return true;
}

void oracle_intervals_free(oracle_intervals *intervals)
{
    for (uint32_t i = 0; i < intervals->level_count; i++) {
        free_level(&intervals->levels[i]);
    }
    free(intervals->levels);
    free(intervals->recent);
    *intervals = (oracle_intervals){0};
}
