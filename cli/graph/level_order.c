/*
 * The order within rows: sweeps down and up that put each node where its
 * neighbours are, as long as fewer lines cross.
 */
#include <stdlib.h>
#include <string.h>

#include "level.h"

#define MOST_SWEEPS 24
/* Sweeps times segments: about this many, for pictures that are too dense. */
#define MOST_STEPS ((size_t)4000000)

typedef struct entry {
    int64_t value;
    uint32_t node, place;
} entry;

typedef struct ordering {
    level *l;
    entry *entries;
    int64_t *ends, *spare; /* of segments between two rows */
    uint32_t *best;        /* rows with the fewest crossings */
} ordering;

static int by_value(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Side by side, around the middle of the picture. */
static void pack(level *l, uint32_t layer)
{
    uint32_t first = l->starts[layer], end = l->starts[layer + 1];
    int64_t x = 0;
    for (uint32_t i = first; i < end; i++) {
        if (i > first)
            x += level_distance(l, l->rows[i - 1], l->rows[i]);
        l->nodes[l->rows[i]].x = x;
        l->nodes[l->rows[i]].place = i - first;
    }
    for (uint32_t i = first; i < end; i++)
        l->nodes[l->rows[i]].x -= x / 2;
}

/* The mean of where the neighbours above or below are, else its own place. */
static int64_t pull_of(const level *l, uint32_t node, bool from_above)
{
    int64_t sum = 0, weight = 0;
    const size_t *starts = from_above ? l->ups : l->downs;
    for (size_t i = starts[node]; i < starts[node + 1]; i++) {
        const level_segment *s = &l->segments[from_above ? l->below[i] : i];
        int64_t x = l->nodes[s->upper].x + s->upper_shift - s->lower_shift;
        if (!from_above)
            x = l->nodes[s->lower].x + s->lower_shift - s->upper_shift;
        sum += x * s->weight;
        weight += s->weight;
    }
    return weight == 0 ? l->nodes[node].x : sum / weight;
}

static void sort_row(ordering *o, uint32_t layer, bool from_above)
{
    level *l = o->l;
    uint32_t first = l->starts[layer], count = l->starts[layer + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = l->rows[first + i];
        o->entries[i] = (entry){pull_of(l, n, from_above), n, i};
    }
    qsort(o->entries, count, sizeof *o->entries, by_value);
    for (uint32_t i = 0; i < count; i++)
        l->rows[first + i] = o->entries[i].node;
    pack(l, layer);
}

/* --- Crossings --- */

/* Pairs that stand the wrong way round; sorts the values. */
static uint64_t count_inversions(int64_t *values, int64_t *spare, size_t count)
{
    uint64_t inversions = 0;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t a = start, b = middle, to = start;
            while (a < middle || b < end) {
                bool take_a =
                    b == end || (a < middle && values[a] <= values[b]);
                inversions += take_a ? 0 : middle - a;
                spare[to++] = values[take_a ? a++ : b++];
            }
        }
        memcpy(values, spare, count * sizeof *values);
    }
    return inversions;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/*
 * Of the segments between a row and the next. Those of one end are sorted by
 * the other, so that they do not count as crossing each other.
 */
static uint64_t count_crossings(ordering *o, uint32_t layer)
{
    const level *l = o->l;
    size_t count = 0;
    for (uint32_t i = l->starts[layer]; i < l->starts[layer + 1]; i++) {
        uint32_t n = l->rows[i];
        size_t before = count;
        for (size_t k = l->downs[n]; k < l->downs[n + 1]; k++) {
            const level_segment *s = &l->segments[k];
            o->ends[count++] = l->nodes[s->lower].x + s->lower_shift;
        }
        qsort(o->ends + before, count - before, sizeof *o->ends, by_number);
    }
    return count_inversions(o->ends, o->spare, count);
}

static uint64_t count_all(ordering *o)
{
    uint64_t all = 0;
    for (uint32_t k = 0; k + 1 < o->l->layer_count; k++)
        all += count_crossings(o, k);
    return all;
}

/* --- Sweeps --- */

static void sweep(ordering *o, bool down)
{
    uint32_t layers = o->l->layer_count;
    for (uint32_t k = 1; k < layers; k++)
        sort_row(o, down ? k : layers - 1 - k, down);
}

static void start(ordering *o)
{
    level *l = o->l;
    for (uint32_t k = 0; k < l->layer_count; k++) {
        uint32_t first = l->starts[k], count = l->starts[k + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t n = l->rows[first + i];
            o->entries[i] = (entry){l->nodes[n].key, n, i};
        }
        qsort(o->entries, count, sizeof *o->entries, by_value);
        for (uint32_t i = 0; i < count; i++)
            l->rows[first + i] = o->entries[i].node;
        pack(l, k);
    }
}

static void improve(ordering *o)
{
    level *l = o->l;
    size_t size = l->node_count * sizeof *o->best;
    size_t sweeps = MOST_STEPS / (l->segment_count + 1);
    sweeps = sweeps > MOST_SWEEPS ? MOST_SWEEPS : sweeps + 2;
    uint64_t least = count_all(o);
    memcpy(o->best, l->rows, size);
    for (size_t i = 0; i < sweeps && least > 0; i++) {
        sweep(o, i % 2 == 0);
        uint64_t now = count_all(o);
        if (now < least) {
            least = now;
            memcpy(o->best, l->rows, size);
        }
    }
    memcpy(l->rows, o->best, size);
    for (uint32_t k = 0; k < l->layer_count; k++)
        pack(l, k);
}

bool level_order(level *l)
{
    ordering o = {
        .l = l,
        .entries = calloc((size_t)l->node_count + 1, sizeof *o.entries),
        .ends = calloc(l->segment_count + 1, sizeof *o.ends),
        .spare = calloc(l->segment_count + 1, sizeof *o.spare),
        .best = calloc((size_t)l->node_count + 1, sizeof *o.best),
    };
    bool ok = o.entries != NULL && o.ends != NULL && o.spare != NULL &&
              o.best != NULL;
    if (ok && l->node_count > 0) {
        start(&o);
        improve(&o);
    }
    free(o.entries);
    free(o.ends);
    free(o.spare);
    free(o.best);
    return ok;
}
