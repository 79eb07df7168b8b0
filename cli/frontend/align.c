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

static frontend_status list_places(places *list, const frontend_task *tasks,
                                   uint32_t count, bool dummy)
{
    list->sites = malloc((count + (size_t)1) * sizeof *list->sites);
    list->partner = malloc((count + (size_t)1) * sizeof *list->partner);
    if (list->sites == NULL || list->partner == NULL)
        return FRONTEND_NO_MEMORY;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tasks[i].dummy == dummy)
            list->sites[found++] = tasks[i].site;
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

static bool has_options(const frontend_task *tasks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (tasks[i].optional)
            return true;
    return false;
}

static void walk(aligner *a, frontend_alignment *alignment)
{
    const frontend_task *text = a->text->tasks + a->first;
    const frontend_task *other = a->other->tasks;
    uint32_t i = 0, k = 0;
    while (i < a->count || k < a->other->task_count) {
        bool left = i < a->count;
        bool right = k < a->other->task_count;
        if (left && right && match(a, &text[i], &other[k])) {
            alignment->of_text[i] = k;
            alignment->of_other[k++] = a->first + i++;
        } else if (right && other[k].optional) {
            alignment->extra_other++;
            k++;
        } else if (left && text[i].optional) {
            alignment->extra_text++;
            i++;
        } else {
            alignment->wrong++;
            i += left;
            k += right;
        }
    }
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
    memset(alignment->of_other, 0xff, theirs * sizeof(uint32_t));
    memset(alignment->of_text, 0xff, a->count * sizeof(uint32_t));
    frontend_status status = FRONTEND_OK;
    for (int kind = 0; status == FRONTEND_OK && kind < 2; kind++) {
        status = list_places(&a->mine[kind], a->text->tasks + a->first,
                             a->count, kind == 1);
        if (status == FRONTEND_OK)
            status = list_places(&a->theirs[kind], a->other->tasks, theirs,
                                 kind == 1);
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
    bool options = has_options(text->tasks + first, count) ||
                   has_options(other->tasks, other->task_count);
    alignment->optional = options;
    if (status == FRONTEND_OK && options) {
        alignment->guessed = !pair_places(&a.mine[0], &a.theirs[0]);
        pair_places(&a.mine[1], &a.theirs[1]);
        walk(&a, alignment);
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
