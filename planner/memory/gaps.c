/*
 * A treap with parents: ordered by start, a heap by a priority that is mixed
 * from the number of the gap, so that its shape is the same in every run.
 */
#include "gaps.h"

#include <stdlib.h>

#include "../json/array.h"

#define NONE SONATA_NO_GAP

void sonata_gap_pool_free(sonata_gap_pool *pool)
{
    free(pool->items);
    *pool = (sonata_gap_pool){0};
}

static uint32_t priority(uint32_t gap)
{
    uint32_t mixed = (gap + 1) * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca6bu;
    return mixed ^ mixed >> 13;
}

static uint64_t largest_of(const sonata_gap_pool *pool, uint32_t gap)
{
    return gap == NONE ? 0 : pool->items[gap].largest;
}

/* Sets `largest` from the children; false when that changed nothing. */
static bool sum_up(sonata_gap_pool *pool, uint32_t gap)
{
    sonata_gap *g = &pool->items[gap];
    uint64_t left = largest_of(pool, g->left);
    uint64_t right = largest_of(pool, g->right);
    uint64_t largest = g->end - g->start;
    largest = left > largest ? left : largest;
    largest = right > largest ? right : largest;
    bool changed = g->largest != largest;
    g->largest = largest;
    return changed;
}

static void sum_up_to_root(sonata_gap_pool *pool, uint32_t gap)
{
    while (gap != NONE && sum_up(pool, gap))
        gap = pool->items[gap].parent;
}

/* Hangs `with` where `gap` hangs. */
static void replace_child(sonata_gap_pool *pool, sonata_gap_set *set,
                          uint32_t gap, uint32_t with)
{
    uint32_t parent = pool->items[gap].parent;
    if (parent == NONE)
        set->root = with;
    else if (pool->items[parent].left == gap)
        pool->items[parent].left = with;
    else
        pool->items[parent].right = with;
    if (with != NONE)
        pool->items[with].parent = parent;
}

/* Turns a gap with its parent around: it becomes the parent. */
static void rotate_up(sonata_gap_pool *pool, sonata_gap_set *set, uint32_t gap)
{
    uint32_t parent = pool->items[gap].parent;
    sonata_gap *g = &pool->items[gap];
    sonata_gap *p = &pool->items[parent];
    replace_child(pool, set, parent, gap);
    uint32_t moved = 0;
    if (p->left == gap) {
        moved = g->right;
        p->left = moved;
        g->right = parent;
    } else {
        moved = g->left;
        p->right = moved;
        g->left = parent;
    }
    if (moved != NONE)
        pool->items[moved].parent = parent;
    p->parent = gap;
    sum_up(pool, parent);
    sum_up(pool, gap);
}

static uint32_t new_gap(sonata_gap_pool *pool)
{
    if (pool->free_list != 0) {
        uint32_t gap = pool->free_list - 1;
        pool->free_list = pool->items[gap].left;
        return gap;
    }
    if (pool->count >= NONE)
        return NONE;
    sonata_gap *items =
        sonata_grow(pool->items, &pool->capacity, pool->count, sizeof *items);
    if (items == NULL)
        return NONE;
    pool->items = items;
    return (uint32_t)pool->count++;
}

static bool add(sonata_gap_pool *pool, sonata_gap_set *set, uint64_t start,
                uint64_t end)
{
    if (end - start < pool->smallest)
        return true;
    uint32_t gap = new_gap(pool);
    if (gap == NONE)
        return false;
    uint32_t parent = NONE;
    uint32_t *link = &set->root;
    while (*link != NONE) {
        parent = *link;
        sonata_gap *p = &pool->items[parent];
        link = start < p->start ? &p->left : &p->right;
    }
    *link = gap;
    pool->items[gap] =
        (sonata_gap){start, end, end - start, NONE, NONE, parent};
    while (pool->items[gap].parent != NONE &&
           priority(gap) > priority(pool->items[gap].parent))
        rotate_up(pool, set, gap);
    sum_up_to_root(pool, pool->items[gap].parent);
    return true;
}

static void remove_gap(sonata_gap_pool *pool, sonata_gap_set *set, uint32_t gap)
{
    sonata_gap *g = &pool->items[gap];
    while (g->left != NONE && g->right != NONE)
        rotate_up(pool, set,
                  priority(g->left) > priority(g->right) ? g->left : g->right);
    replace_child(pool, set, gap, g->left == NONE ? g->right : g->left);
    uint32_t parent = g->parent;
    sum_up_to_root(pool, parent);
    g->left = pool->free_list;
    pool->free_list = gap + 1;
}

/* The last gap that starts before a place. */
static uint32_t last_before(const sonata_gap_pool *pool,
                            const sonata_gap_set *set, uint64_t place)
{
    uint32_t found = NONE;
    for (uint32_t at = set->root; at != NONE;) {
        const sonata_gap *g = &pool->items[at];
        if (g->start < place)
            found = at;
        at = g->start < place ? g->right : g->left;
    }
    return found;
}

/* Gives a gap new ends that keep its place in the order, or gives it up. */
static void set_ends(sonata_gap_pool *pool, sonata_gap_set *set, uint32_t gap,
                     uint64_t start, uint64_t end)
{
    if (end - start < pool->smallest || end == start) {
        remove_gap(pool, set, gap);
        return;
    }
    pool->items[gap].start = start;
    pool->items[gap].end = end;
    sum_up_to_root(pool, gap);
}

static void set_head(const sonata_gap_pool *pool, sonata_gap_set *set,
                     uint64_t head)
{
    set->head = head < pool->smallest ? 0 : head;
}

/* What is taken from the head on. */
static bool take_behind_head(sonata_gap_pool *pool, sonata_gap_set *set,
                             uint64_t start, uint64_t end)
{
    uint64_t tail = set->tail;
    if (end > tail)
        set->tail = end;
    if (start >= tail)
        return start == tail || add(pool, set, tail, start);
    while (set->root != NONE) {
        uint32_t gap = last_before(pool, set, end);
        if (gap == NONE || pool->items[gap].end <= start)
            return true;
        uint64_t gap_start = pool->items[gap].start;
        uint64_t gap_end = pool->items[gap].end;
        if (gap_start >= start) {
            set_ends(pool, set, gap, gap_end > end ? end : gap_end, gap_end);
            continue;
        }
        set_ends(pool, set, gap, gap_start, start);
        return gap_end <= end || add(pool, set, end, gap_end);
    }
    return true;
}

bool sonata_gaps_take(sonata_gap_pool *pool, sonata_gap_set *set,
                      uint64_t start, uint64_t end)
{
    uint64_t head = set->head;
    if (set->tail == 0) {
        set_head(pool, set, start);
        set->tail = end;
        return true;
    }
    if (start >= head)
        return take_behind_head(pool, set, start, end);
    set_head(pool, set, start);
    if (end < head)
        return add(pool, set, end, head);
    return end == head || take_behind_head(pool, set, head, end);
}

/* The first gap of at least `size` bytes in a part of the tree that has one. */
static uint64_t first_fit(const sonata_gap_pool *pool, uint32_t at,
                          uint64_t size)
{
    for (;;) {
        const sonata_gap *g = &pool->items[at];
        if (largest_of(pool, g->left) >= size)
            at = g->left;
        else if (g->end - g->start >= size)
            return g->start;
        else
            at = g->right;
    }
}

uint64_t sonata_gaps_find(const sonata_gap_pool *pool,
                          const sonata_gap_set *set, uint64_t from,
                          uint64_t size)
{
    if (from >= set->tail)
        return from;
    if (from < set->head) {
        if (set->head - from >= size)
            return from;
        from = set->head;
    }
    uint32_t before = NONE; /* the last gap that starts before `from` */
    uint32_t fits = NONE;   /* the first later one with a fit at or behind it */
    for (uint32_t at = set->root; at != NONE;) {
        const sonata_gap *g = &pool->items[at];
        if (g->start < from) {
            before = at;
            at = g->right;
            continue;
        }
        if (g->end - g->start >= size || largest_of(pool, g->right) >= size)
            fits = at;
        at = g->left;
    }
    if (before != NONE && pool->items[before].end > from &&
        pool->items[before].end - from >= size)
        return from;
    if (fits == NONE)
        return set->tail;
    const sonata_gap *g = &pool->items[fits];
    return g->end - g->start >= size ? g->start
                                     : first_fit(pool, g->right, size);
}

/* The gap behind one in the order; behind NONE, the first. */
static uint32_t successor(const sonata_gap_pool *pool,
                          const sonata_gap_set *set, uint32_t gap)
{
    uint32_t at = gap == NONE ? set->root : pool->items[gap].right;
    if (at != NONE) {
        while (pool->items[at].left != NONE)
            at = pool->items[at].left;
        return at;
    }
    if (gap == NONE)
        return NONE;
    uint32_t parent = pool->items[gap].parent;
    while (parent != NONE && pool->items[parent].right == gap) {
        gap = parent;
        parent = pool->items[gap].parent;
    }
    return parent;
}

sonata_gap_walk sonata_gaps_walk(const sonata_gap_pool *pool,
                                 const sonata_gap_set *set, uint64_t from)
{
    uint32_t gap = NONE;
    from = from < set->head ? set->head : from;
    if (set->root != NONE)
        gap = last_before(pool, set, from + 1);
    sonata_gap_walk walk = {pool, from, set->tail, NONE};
    if (gap != NONE && pool->items[gap].end > from)
        walk.at = pool->items[gap].end;
    if (set->root != NONE)
        walk.next = successor(pool, set, gap);
    return walk;
}

bool sonata_gaps_run(uint64_t *start, uint64_t *end, sonata_gap_walk *walk)
{
    if (walk->at >= walk->tail)
        return false;
    *start = walk->at;
    *end = walk->tail;
    walk->at = walk->tail;
    if (walk->next == NONE)
        return true;
    const sonata_gap *g = &walk->pool->items[walk->next];
    *end = g->start;
    walk->at = g->end;
    /* What successor() needs of the set is its root, for NONE alone. */
    walk->next = successor(walk->pool, NULL, walk->next);
    return true;
}
