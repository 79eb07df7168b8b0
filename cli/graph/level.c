#include "level.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

#define LEAST_WIDTH ((int64_t)1000)
#define ITEM_GAP ((int64_t)24)
#define ROW_GAP ((int64_t)60)

static void *array(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

/* --- Rows --- */

static int64_t root_of(int64_t n)
{
    int64_t low = 0, high = 3000000000;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (middle <= n / middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* A picture somewhat wider than high. */
static int64_t wanted_width(const level *l)
{
    int64_t area = 0;
    for (uint32_t i = 0; i < l->item_count; i++)
        area += (l->nodes[i].w + ITEM_GAP) * (l->nodes[i].h + ROW_GAP);
    int64_t width = root_of(area + area / 2);
    return width > LEAST_WIDTH ? width : LEAST_WIDTH;
}

typedef struct rows {
    level *l;
    uint32_t *waits;  /* links into an item from items without a row */
    uint32_t *leaves; /* links out of an item */
    int64_t *widths;  /* of rows */
    bool *done;
    int64_t most; /* the width of a row */
} rows;

static bool joins_items(const level_link *link)
{
    return link->a != LEVEL_TOP && link->b != LEVEL_BOTTOM;
}

static bool fits(const rows *r, uint32_t layer, uint32_t item)
{
    return r->widths[layer] == 0 ||
           r->widths[layer] + r->l->nodes[item].w + ITEM_GAP <= r->most;
}

static void add_to_row(rows *r, uint32_t layer, uint32_t item)
{
    r->widths[layer] += r->l->nodes[item].w + ITEM_GAP;
    r->l->nodes[item].layer = layer;
}

/* Whatever waits for nothing, in program order, as long as there is room. */
static void fill_rows(rows *r)
{
    level *l = r->l;
    uint32_t left = l->item_count;
    for (uint32_t layer = 0; left > 0; layer++) {
        for (uint32_t i = 0; i < l->item_count; i++)
            if (!r->done[i] && r->waits[i] == 0 && fits(r, layer, i)) {
                add_to_row(r, layer, i);
                r->done[i] = true;
                left--;
            }
        l->layer_count = layer + 1;
        for (uint32_t k = 0; k < l->link_count; k++) {
            const level_link *link = &l->links[k];
            if (joins_items(link) && r->done[link->a] &&
                l->nodes[link->a].layer == layer)
                r->waits[link->b]--;
        }
    }
}

/* What more lines leave than enter goes down to what waits for it. */
static void pull_down(rows *r)
{
    level *l = r->l;
    uint32_t *lowest =
        r->waits; /* free by now: the row above all it leads to */
    uint32_t *enters = r->leaves + l->item_count;
    for (uint32_t i = 0; i < l->item_count; i++)
        lowest[i] = UINT32_MAX;
    for (uint32_t i = l->item_count; i > 0; i--) {
        uint32_t item = i - 1, layer = l->nodes[item].layer;
        for (uint32_t k = 0; k < l->link_count; k++) {
            const level_link *link = &l->links[k];
            if (link->a != item || !joins_items(link))
                continue;
            if (l->nodes[link->b].layer - 1 < lowest[item])
                lowest[item] = l->nodes[link->b].layer - 1;
        }
        if (lowest[item] == UINT32_MAX || lowest[item] <= layer ||
            r->leaves[item] <= enters[item] || !fits(r, lowest[item], item))
            continue;
        r->widths[layer] -= l->nodes[item].w + ITEM_GAP;
        add_to_row(r, lowest[item], item);
    }
}

/* Rows that became empty go; a border with links takes a row of its own. */
static void number_rows(rows *r)
{
    level *l = r->l;
    uint32_t *number = r->leaves;
    uint32_t count = 0;
    for (uint32_t k = 0; k < l->link_count; k++) {
        l->has_top = l->has_top || l->links[k].a == LEVEL_TOP;
        l->has_bottom = l->has_bottom || l->links[k].b == LEVEL_BOTTOM;
    }
    count += l->has_top;
    for (uint32_t layer = 0; layer < l->layer_count; layer++) {
        number[layer] = count;
        count += r->widths[layer] > 0;
    }
    for (uint32_t i = 0; i < l->item_count; i++)
        l->nodes[i].layer = number[l->nodes[i].layer];
    l->layer_count = count + l->has_bottom;
}

static bool make_rows(level *l)
{
    size_t items = (size_t)l->item_count + 1;
    rows r = {
        .l = l,
        .waits = array(items, sizeof *r.waits),
        .leaves = array(2 * items, sizeof *r.leaves),
        .widths = array(items, sizeof *r.widths),
        .done = array(items, sizeof *r.done),
        .most = wanted_width(l),
    };
    bool ok = r.waits != NULL && r.leaves != NULL && r.widths != NULL &&
              r.done != NULL;
    for (uint32_t k = 0; ok && k < l->link_count; k++) {
        const level_link *link = &l->links[k];
        if (joins_items(link))
            r.waits[link->b]++;
        if (link->a != LEVEL_TOP)
            r.leaves[link->a]++;
        if (link->b != LEVEL_BOTTOM)
            r.leaves[l->item_count + link->b]++;
    }
    if (ok) {
        fill_rows(&r);
        pull_down(&r);
        number_rows(&r);
    }
    free(r.waits);
    free(r.leaves);
    free(r.widths);
    free(r.done);
    return ok;
}

/* --- Bends --- */

uint32_t level_first_layer(const level *l, const level_link *link)
{
    return link->a == LEVEL_TOP ? 0 : l->nodes[link->a].layer;
}

uint32_t level_last_layer(const level *l, const level_link *link)
{
    return link->b == LEVEL_BOTTOM ? l->layer_count - 1
                                   : l->nodes[link->b].layer;
}

static int by_row_and_group(const void *a, const void *b)
{
    const level_node *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static uint32_t find_bend(const level *l, uint32_t layer, uint32_t group)
{
    uint32_t low = l->item_count, high = l->node_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const level_node *n = &l->nodes[middle];
        if (n->layer < layer || (n->layer == layer && n->group < group))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t level_node_at(const level *l, const level_link *link, uint32_t layer)
{
    if (link->a != LEVEL_TOP && layer == l->nodes[link->a].layer)
        return link->a;
    if (link->b != LEVEL_BOTTOM && layer == l->nodes[link->b].layer)
        return link->b;
    return find_bend(l, layer, link->group);
}

int64_t level_port(const level *l, uint32_t group, bool is_top)
{
    uint32_t bend = find_bend(l, is_top ? 0 : l->layer_count - 1, group);
    return l->nodes[bend].x - l->width / 2;
}

static size_t count_bends(const level *l)
{
    size_t count = 0;
    for (uint32_t k = 0; k < l->link_count; k++)
        count += (size_t)level_last_layer(l, &l->links[k]) -
                 level_first_layer(l, &l->links[k]) + 1;
    return count;
}

static void add_bends(level *l, const level_link *link)
{
    uint32_t first = level_first_layer(l, link);
    uint32_t last = level_last_layer(l, link);
    for (uint32_t layer = first; layer <= last; layer++) {
        bool is_end = (layer == first && link->a != LEVEL_TOP) ||
                      (layer == last && link->b != LEVEL_BOTTOM);
        if (!is_end)
            l->nodes[l->node_count++] = (level_node){
                .w = 2, .key = link->key, .layer = layer, .group = link->group};
    }
}

static bool make_bends(level *l)
{
    size_t most = l->item_count + count_bends(l);
    if (most >= LEVEL_BOTTOM)
        return false;
    level_node *grown = realloc(l->nodes, (most + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    l->nodes = grown;
    l->node_count = l->item_count;
    for (uint32_t k = 0; k < l->link_count; k++)
        add_bends(l, &l->links[k]);
    level_node *bends = l->nodes + l->item_count;
    uint32_t count = l->node_count - l->item_count, kept = 0;
    qsort(bends, count, sizeof *bends, by_row_and_group);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || bends[i].layer != bends[kept - 1].layer ||
            bends[i].group != bends[kept - 1].group)
            bends[kept++] = bends[i];
    l->node_count = l->item_count + kept;
    return true;
}

/* --- Segments --- */

static int by_ends(const void *a, const void *b)
{
    const level_segment *x = a, *y = b;
    if (x->upper != y->upper)
        return x->upper < y->upper ? -1 : 1;
    if (x->lower != y->lower)
        return x->lower < y->lower ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

static void add_segments(level *l, const level_link *link)
{
    uint32_t first = level_first_layer(l, link);
    uint32_t last = level_last_layer(l, link);
    for (uint32_t layer = first; layer < last; layer++) {
        level_segment s = {
            .upper = level_node_at(l, link, layer),
            .lower = level_node_at(l, link, layer + 1),
            .group = link->group,
        };
        bool from_bend = s.upper >= l->item_count;
        bool to_bend = s.lower >= l->item_count;
        s.upper_shift = from_bend ? 0 : link->a_shift;
        s.lower_shift = to_bend ? 0 : link->b_shift;
        s.weight = link->weight * (from_bend && to_bend   ? 8
                                   : from_bend || to_bend ? 2
                                                          : 1);
        l->segments[l->segment_count++] = s;
    }
}

static bool make_segments(level *l)
{
    size_t most = count_bends(l), kept = 0;
    l->segments = array(most, sizeof *l->segments);
    l->below = array(most, sizeof *l->below);
    l->downs = array((size_t)l->node_count + 2, sizeof *l->downs);
    l->ups = array((size_t)l->node_count + 2, sizeof *l->ups);
    if (l->segments == NULL || l->below == NULL || l->downs == NULL ||
        l->ups == NULL)
        return false;
    for (uint32_t k = 0; k < l->link_count; k++)
        add_segments(l, &l->links[k]);
    qsort(l->segments, l->segment_count, sizeof *l->segments, by_ends);
    for (size_t i = 0; i < l->segment_count; i++)
        if (i == 0 || by_ends(&l->segments[i], &l->segments[kept - 1]) != 0)
            l->segments[kept++] = l->segments[i];
    l->segment_count = kept;
    size_t *next = l->ups + 1;
    for (size_t i = 0; i < kept; i++) {
        l->downs[l->segments[i].upper + 1]++;
        next[l->segments[i].lower + 1]++;
    }
    for (uint32_t n = 0; n < l->node_count; n++) {
        l->downs[n + 1] += l->downs[n];
        next[n + 1] += next[n];
    }
    for (size_t i = 0; i < kept; i++)
        l->below[next[l->segments[i].lower]++] = (uint32_t)i;
    return true;
}

/* --- All of it --- */

/* After this starts[k] to starts[k + 1] in rows is row k. */
static bool list_rows(level *l)
{
    l->rows = array(l->node_count, sizeof *l->rows);
    l->starts = array((size_t)l->layer_count + 2, sizeof *l->starts);
    l->tops = array((size_t)l->layer_count + 1, sizeof *l->tops);
    l->heights = array((size_t)l->layer_count + 1, sizeof *l->heights);
    if (l->rows == NULL || l->starts == NULL || l->tops == NULL ||
        l->heights == NULL)
        return false;
    uint32_t *next = l->starts + 1;
    for (uint32_t n = 0; n < l->node_count; n++)
        next[l->nodes[n].layer + 1]++;
    for (uint32_t k = 0; k < l->layer_count; k++)
        next[k + 1] += next[k];
    for (uint32_t n = 0; n < l->node_count; n++)
        l->rows[next[l->nodes[n].layer]++] = n;
    return true;
}

bool level_make(level *l)
{
    return make_rows(l) && make_bends(l) && make_segments(l) && list_rows(l) &&
           level_order(l) && level_place(l);
}

void level_free(level *l)
{
    free(l->segments);
    free(l->below);
    free(l->downs);
    free(l->ups);
    free(l->rows);
    free(l->starts);
    free(l->tops);
    free(l->heights);
}
