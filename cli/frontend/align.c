#include "align.h"

#include <stdlib.h>
#include <string.h>

/* Places that submit, of one kind, in the order of the source. */
typedef struct places {
    uint64_t *sites;
    uint32_t count;
    uint32_t *partner; /* in the other's places, or FRONTEND_NONE */
} places;

/* By kind: calls, dummies. */
typedef struct aligner {
    const frontend_outline *text, *other;
    uint32_t first, count;
    places mine[2], theirs[2];
} aligner;

bool frontend_same_callee(const frontend_task *a, const frontend_task *b)
{
    if (a->dummy || b->dummy)
        return a->dummy == b->dummy;
    return a->name.length == 0 || b->name.length == 0 ||
           frontend_same(a->name, b->name);
}

static int compare_sites(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;
    return (*left > *right) - (*left < *right);
}

static frontend_status list_places(places *list, const frontend_outline *of,
                                   uint32_t first, uint32_t count, bool dummy)
{
    list->sites = malloc((count + (size_t)1) * sizeof *list->sites);
    list->partner = malloc((count + (size_t)1) * sizeof *list->partner);
    if (list->sites == NULL || list->partner == NULL)
        return FRONTEND_NO_MEMORY;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (of->tasks[first + i].dummy == dummy)
            list->sites[found++] = of->tasks[first + i].site;
    if (found > 0)
        qsort(list->sites, found, sizeof *list->sites, compare_sites);
    for (uint32_t i = 0; i < found; i++)
        if (i == 0 || list->sites[i] != list->sites[i - 1])
            list->sites[list->count++] = list->sites[i];
    for (uint32_t i = 0; i < list->count; i++)
        list->partner[i] = FRONTEND_NONE;
    return FRONTEND_OK;
}

static uint32_t find_place(const places *list, uint64_t site)
{
    const uint64_t *found = bsearch(&site, list->sites, list->count,
                                    sizeof *list->sites, compare_sites);
    return found == NULL ? FRONTEND_NONE : (uint32_t)(found - list->sites);
}

/* As many places in both: the first is the first. */
static bool pair_places(places *mine, places *theirs)
{
    if (mine->count != theirs->count)
        return false;
    for (uint32_t i = 0; i < mine->count; i++)
        mine->partner[i] = theirs->partner[i] = i;
    return true;
}

/* Whether they can be one task; from then on their places belong together. */
static bool match(aligner *a, const frontend_task *text,
                  const frontend_task *other)
{
    if (!frontend_same_callee(text, other))
        return false;
    if (text->site == 0 || other->site == 0)
        return true;
    places *mine = &a->mine[text->dummy];
    places *theirs = &a->theirs[text->dummy];
    uint32_t i = find_place(mine, text->site);
    uint32_t k = find_place(theirs, other->site);
    if (mine->partner[i] == FRONTEND_NONE &&
        theirs->partner[k] == FRONTEND_NONE) {
        mine->partner[i] = k;
        theirs->partner[k] = i;
    }
    return mine->partner[i] == k && theirs->partner[k] == i;
}

static uint32_t count_options(const frontend_outline *of, uint32_t first,
                              uint32_t count)
{
    uint32_t options = 0;
    for (uint32_t i = 0; i < count; i++)
        options += of->tasks[first + i].optional;
    return options;
}

/* Places of the other within which a region's calls lie. */
typedef struct range {
    uint32_t low, high; /* low > high: it has none */
} range;

/* The range of the calls of each region of the other, with those within. */
static frontend_status find_ranges(const aligner *a, range **ranges)
{
    const frontend_outline *o = a->other;
    range *made = malloc((o->region_count + (size_t)1) * sizeof *made);
    if (made == NULL)
        return FRONTEND_NO_MEMORY;
    for (uint32_t r = 0; r < o->region_count; r++)
        made[r] = (range){UINT32_MAX, 0};
    for (uint32_t k = 0; k < o->task_count; k++) {
        const frontend_task *task = &o->tasks[k];
        if (task->region == FRONTEND_NONE || task->dummy)
            continue;
        uint32_t place = find_place(&a->theirs[0], task->site);
        range *of = &made[task->region];
        of->low = place < of->low ? place : of->low;
        of->high = place > of->high ? place : of->high;
    }
    for (uint32_t r = o->region_count; r > 0; r--) {
        const range *of = &made[r - 1];
        uint32_t parent = o->regions[r - 1].parent;
        if (parent == FRONTEND_NONE)
            continue;
        made[parent].low =
            of->low < made[parent].low ? of->low : made[parent].low;
        made[parent].high =
            of->high > made[parent].high ? of->high : made[parent].high;
    }
    *ranges = made;
    return FRONTEND_OK;
}

typedef struct walker {
    aligner *a;
    frontend_alignment *alignment;
    const range *ranges; /* NULL: places say nothing */
    uint32_t i, k;       /* next task of the text's, of the other's */
    uint32_t region;     /* of the other: next to begin */
} walker;

/* Whether the text goes on in this region, as far as its next call tells. */
static bool goes_into(const walker *w, uint32_t region)
{
    const aligner *a = w->a;
    const range *of = &w->ranges[region];
    if (w->i == a->count)
        return false;
    const frontend_task *task = &a->text->tasks[a->first + w->i];
    if (task->dummy || task->site == 0 || of->low > of->high)
        return true;
    uint32_t place = a->mine[0].partner[find_place(&a->mine[0], task->site)];
    return place >= of->low && place <= of->high;
}

/* Over a region that begins here and that the text has not. */
static bool skip_region(walker *w)
{
    const frontend_outline *o = w->a->other;
    while (w->ranges != NULL && w->region < o->region_count &&
           o->regions[w->region].first <= w->k) {
        const frontend_region *region = &o->regions[w->region];
        uint32_t end =
            region->end < o->task_count ? region->end : o->task_count;
        bool begins = region->first == w->k && end > w->k;
        bool skipped = begins && !goes_into(w, w->region);
        w->region++;
        if (!skipped)
            continue;
        w->alignment->extra_other += end - w->k;
        w->k = end;
        return true;
    }
    return false;
}

/* A match, with the other tellings of the same submission in the text. */
static void take(walker *w)
{
    frontend_alignment *alignment = w->alignment;
    const frontend_task *text = w->a->text->tasks + w->a->first;
    alignment->of_other[w->k] = w->a->first + w->i;
    do
        alignment->of_text[w->i++] = w->k;
    while (w->i < w->a->count && text[w->i].alternative);
    w->k++;
}

static void step(walker *w)
{
    aligner *a = w->a;
    frontend_alignment *alignment = w->alignment;
    bool left = w->i < a->count;
    bool right = w->k < a->other->task_count;
    const frontend_task *text = left ? &a->text->tasks[a->first + w->i] : NULL;
    const frontend_task *other = right ? &a->other->tasks[w->k] : NULL;
    if (left && right && match(a, text, other)) {
        take(w);
    } else if (right && other->optional) {
        alignment->extra_other++;
        w->k++;
    } else if (left && text->optional) {
        alignment->extra_text++;
        w->i++;
    } else {
        alignment->wrong++;
        w->i += left;
        w->k += right;
    }
}

static frontend_status walk(aligner *a, frontend_alignment *alignment)
{
    range *ranges = NULL;
    walker w = {.a = a, .alignment = alignment};
    frontend_status status = FRONTEND_OK;
    if (!alignment->guessed)
        status = find_ranges(a, &ranges);
    w.ranges = ranges;
    while (status == FRONTEND_OK &&
           (w.i < a->count || w.k < a->other->task_count))
        if (!skip_region(&w))
            step(&w);
    free(ranges);
    return status;
}

/* One by one: there is nothing that an execution may lack. */
static void pair_all(aligner *a, frontend_alignment *alignment)
{
    uint32_t count =
        a->count < a->other->task_count ? a->count : a->other->task_count;
    for (uint32_t i = 0; i < count; i++) {
        alignment->of_text[i] = i;
        alignment->of_other[i] = a->first + i;
    }
}

static frontend_status prepare(aligner *a, frontend_alignment *alignment)
{
    uint32_t theirs = a->other->task_count;
    alignment->of_other = malloc((theirs + (size_t)1) * sizeof(uint32_t));
    alignment->of_text = malloc((a->count + (size_t)1) * sizeof(uint32_t));
    if (alignment->of_other == NULL || alignment->of_text == NULL)
        return FRONTEND_NO_MEMORY;
    for (uint32_t k = 0; k < theirs; k++)
        alignment->of_other[k] = FRONTEND_NONE;
    for (uint32_t i = 0; i < a->count; i++)
        alignment->of_text[i] = FRONTEND_NONE;
    frontend_status status = FRONTEND_OK;
    for (int kind = 0; status == FRONTEND_OK && kind < 2; kind++) {
        status =
            list_places(&a->mine[kind], a->text, a->first, a->count, kind == 1);
        if (status == FRONTEND_OK)
            status =
                list_places(&a->theirs[kind], a->other, 0, theirs, kind == 1);
    }
    return status;
}

frontend_status frontend_align(frontend_alignment *alignment,
                               const frontend_outline *text, uint32_t first,
                               uint32_t count, const frontend_outline *other)
{
    aligner a = {text, other, first, count, {{0}}, {{0}}};
    memset(alignment, 0, sizeof *alignment);
    frontend_status status = prepare(&a, alignment);
    uint32_t theirs = other->task_count;
    uint32_t mine_open = count_options(text, first, count);
    uint32_t theirs_open = count_options(other, 0, theirs);
    bool options = mine_open > 0 || theirs_open > 0;
    alignment->impossible =
        count - mine_open > theirs || theirs - theirs_open > count;
    alignment->optional = options;
    if (status == FRONTEND_OK && options) {
        alignment->guessed = !pair_places(&a.mine[0], &a.theirs[0]);
        pair_places(&a.mine[1], &a.theirs[1]);
        status = walk(&a, alignment);
    } else if (status == FRONTEND_OK) {
        pair_all(&a, alignment);
    }
    for (int kind = 0; kind < 2; kind++) {
        free(a.mine[kind].sites);
        free(a.mine[kind].partner);
        free(a.theirs[kind].sites);
        free(a.theirs[kind].partner);
    }
    return status;
}

void frontend_alignment_free(frontend_alignment *alignment)
{
    free(alignment->of_other);
    free(alignment->of_text);
    memset(alignment, 0, sizeof *alignment);
}
