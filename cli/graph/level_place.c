/*
 * Where the nodes of a level stand. Across: each row comes as near as it can
 * to where its neighbours pull it, in least squares, without changing its
 * order. Down: rows as high as what is in them, gaps by how far lines go
 * sideways in them.
 */
#include <stdlib.h>

#include "level.h"

#define SWEEPS 14
#define ITEM_GAP ((int64_t)24)
#define BEND_GAP ((int64_t)10)
#define LEAST_GAP ((int64_t)30)
#define MOST_GAP ((int64_t)96)

/* A run of neighbours that touch: they move as one. */
typedef struct run {
    int64_t sum, weight;
    uint32_t count;
} run;

typedef struct placing {
    level *l;
    run *runs;
    int64_t *offsets; /* of a node from the first of its row, packed */
    int64_t *widths;  /* of the rows, packed */
    int64_t widest;
} placing;

int64_t level_distance(const level *l, uint32_t left, uint32_t right)
{
    bool items = left < l->item_count && right < l->item_count;
    return (l->nodes[left].w + l->nodes[right].w) / 2 +
           (items ? ITEM_GAP : BEND_GAP);
}

/* --- Across --- */

typedef struct pull {
    int64_t sum, weight;
} pull;

static void add_pull(pull *p, const level *l, const level_segment *s,
                     bool to_lower)
{
    int64_t x = to_lower
                    ? l->nodes[s->upper].x + s->upper_shift - s->lower_shift
                    : l->nodes[s->lower].x + s->lower_shift - s->upper_shift;
    p->sum += x * s->weight;
    p->weight += s->weight;
}

/*
 * A full row is also pulled to the middle of the picture: else each of many
 * full rows would hang from the row above, ever farther to one side.
 */
static void add_centre(pull *p, const placing *pl, uint32_t layer,
                       int64_t offset)
{
    int64_t width = pl->widths[layer], most = pl->widest;
    int64_t tenths = most == 0 ? 0 : 10 * width / most;
    int64_t weight = tenths < 6 ? 0 : 4 * (tenths - 5) * (tenths - 5);
    p->sum += weight * (offset - width / 2);
    p->weight += weight;
}

static pull pull_of(const level *l, uint32_t node, bool above, bool below)
{
    pull p = {0, 0};
    for (size_t i = l->ups[node]; above && i < l->ups[node + 1]; i++)
        add_pull(&p, l, &l->segments[l->below[i]], true);
    for (size_t i = l->downs[node]; below && i < l->downs[node + 1]; i++)
        add_pull(&p, l, &l->segments[i], false);
    bool is_alone = l->ups[node] == l->ups[node + 1] &&
                    l->downs[node] == l->downs[node + 1];
    if (p.weight == 0 && !is_alone)
        return (pull){l->nodes[node].x, 1};
    return p;
}

static int64_t mean_of(run r)
{
    int64_t mean = r.sum / r.weight;
    return r.sum % r.weight < 0 ? mean - 1 : mean;
}

/* What nothing pulls stays beside its neighbour. */
static bool must_join(run before, run after)
{
    return before.weight == 0 || after.weight == 0 ||
           mean_of(before) >= mean_of(after);
}

/* Runs in their wanted order stay; where one would pass the next, they join. */
static void place_row(placing *p, uint32_t layer, bool above, bool below)
{
    level *l = p->l;
    uint32_t first = l->starts[layer], end = l->starts[layer + 1];
    size_t count = 0;
    int64_t offset = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t n = l->rows[i];
        if (i > first)
            offset += level_distance(l, l->rows[i - 1], n);
        p->offsets[i] = offset;
        pull want = pull_of(l, n, above, below);
        if (n < l->item_count)
            add_centre(&want, p, layer, offset);
        run r = {want.sum - offset * want.weight, want.weight, 1};
        while (count > 0 && must_join(p->runs[count - 1], r)) {
            count--;
            r.sum += p->runs[count].sum;
            r.weight += p->runs[count].weight;
            r.count += p->runs[count].count;
        }
        p->runs[count++] = r;
    }
    uint32_t at = first;
    for (size_t i = 0; i < count; i++) {
        int64_t x =
            p->runs[i].weight > 0 ? mean_of(p->runs[i]) : -p->widths[layer] / 2;
        for (uint32_t k = 0; k < p->runs[i].count; k++, at++)
            l->nodes[l->rows[at]].x = x + p->offsets[at];
    }
}

static void measure_rows(placing *p)
{
    const level *l = p->l;
    for (uint32_t k = 0; k < l->layer_count; k++) {
        for (uint32_t i = l->starts[k] + 1; i < l->starts[k + 1]; i++)
            p->widths[k] += level_distance(l, l->rows[i - 1], l->rows[i]);
        if (p->widths[k] > p->widest)
            p->widest = p->widths[k];
    }
}

static void place_across(placing *p)
{
    uint32_t layers = p->l->layer_count;
    for (int i = 0; i < SWEEPS; i++) {
        bool down = i % 2 == 0, both = i >= SWEEPS - 4;
        for (uint32_t k = 0; k < layers; k++)
            place_row(p, down ? k : layers - 1 - k, down || both,
                      !down || both);
    }
}

static void set_width(level *l)
{
    int64_t left = INT64_MAX, right = INT64_MIN;
    for (uint32_t n = 0; n < l->node_count; n++) {
        const level_node *node = &l->nodes[n];
        left = node->x - node->w / 2 < left ? node->x - node->w / 2 : left;
        right = node->x + node->w / 2 > right ? node->x + node->w / 2 : right;
    }
    if (l->node_count == 0)
        left = right = 0;
    for (uint32_t n = 0; n < l->node_count; n++)
        l->nodes[n].x -= left;
    l->width = (right - left + 1) / 2 * 2;
}

/* --- Down --- */

static int64_t gap_below(const level *l, uint32_t layer)
{
    int64_t widest = 0;
    for (uint32_t i = l->starts[layer]; i < l->starts[layer + 1]; i++) {
        uint32_t n = l->rows[i];
        for (size_t k = l->downs[n]; k < l->downs[n + 1]; k++) {
            const level_segment *s = &l->segments[k];
            int64_t across = l->nodes[s->lower].x + s->lower_shift -
                             l->nodes[s->upper].x - s->upper_shift;
            across = across < 0 ? -across : across;
            widest = across > widest ? across : widest;
        }
    }
    int64_t gap = LEAST_GAP + widest / 12;
    return gap < MOST_GAP ? gap : MOST_GAP;
}

static void place_down(level *l)
{
    int64_t y = 0;
    for (uint32_t k = 0; k < l->layer_count; k++) {
        l->tops[k] = y;
        for (uint32_t i = l->starts[k]; i < l->starts[k + 1]; i++)
            if (l->nodes[l->rows[i]].h > l->heights[k])
                l->heights[k] = l->nodes[l->rows[i]].h;
        y += l->heights[k];
        l->height = y;
        y += gap_below(l, k);
    }
}

bool level_place(level *l)
{
    placing p = {
        .l = l,
        .runs = calloc((size_t)l->node_count + 1, sizeof *p.runs),
        .offsets = calloc((size_t)l->node_count + 1, sizeof *p.offsets),
        .widths = calloc((size_t)l->layer_count + 1, sizeof *p.widths),
    };
    bool ok = p.runs != NULL && p.offsets != NULL && p.widths != NULL;
    if (ok) {
        measure_rows(&p);
        place_across(&p);
        set_width(l);
        place_down(l);
    }
    free(p.runs);
    free(p.offsets);
    free(p.widths);
    return ok;
}
