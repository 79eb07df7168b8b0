/* The lines that say no more than others do: a transitive reduction. */
#include <stdlib.h>

#include "picture.h"

typedef struct reduction {
    picture *p;
    uint32_t *order; /* nodes, each before what it leads to by sure edges */
    uint32_t *rank;  /* the place in that */
    uint32_t *waits; /* sure edges into a node that are still to be counted */
    uint32_t *heads; /* lines that leave a node: heads[n] to heads[n + 1] */
    uint32_t *queue; /* lines of one node, nearest end first */
    uint64_t *bits;  /* per node what it reaches: by `words` */
    size_t words;
} reduction;

static bool is_edge(const picture_line *line)
{
    return line->class != PICTURE_ERROR && line->class != PICTURE_DOUBT &&
           line->from != line->to;
}

static bool is_sure(const picture_line *line)
{
    return is_edge(line) && line->certain;
}

static bool set_up(reduction *r, picture *p)
{
    size_t nodes = (size_t)p->node_count + 2;
    r->p = p;
    r->words = ((size_t)p->node_count + 63) / 64;
    r->order = calloc(nodes, sizeof *r->order);
    r->rank = calloc(nodes, sizeof *r->rank);
    r->waits = calloc(nodes, sizeof *r->waits);
    r->heads = calloc(nodes, sizeof *r->heads);
    r->queue = calloc((size_t)p->line_count + 1, sizeof *r->queue);
    r->bits = calloc(nodes * (r->words + 1), sizeof *r->bits);
    return r->order != NULL && r->rank != NULL && r->waits != NULL &&
           r->heads != NULL && r->queue != NULL && r->bits != NULL;
}

static void tear_down(reduction *r)
{
    free(r->order);
    free(r->rank);
    free(r->waits);
    free(r->heads);
    free(r->queue);
    free(r->bits);
}

/* False: there is a cycle. */
static bool sort_nodes(reduction *r)
{
    picture *p = r->p;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->line_count; i++) {
        r->heads[p->lines[i].from + 1]++;
        r->waits[p->lines[i].to] += is_sure(&p->lines[i]);
    }
    for (uint32_t n = 0; n < p->node_count; n++)
        r->heads[n + 1] += r->heads[n];
    for (uint32_t n = 0; n < p->node_count; n++)
        if (r->waits[n] == 0)
            r->order[count++] = n;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = r->order[i];
        r->rank[n] = i;
        for (uint32_t k = r->heads[n]; k < r->heads[n + 1]; k++)
            if (is_sure(&p->lines[k]) && --r->waits[p->lines[k].to] == 0)
                r->order[count++] = p->lines[k].to;
    }
    return count == p->node_count;
}

static int by_rank(const void *a, const void *b, void *context)
{
    const reduction *r = context;
    uint32_t x = r->rank[r->p->lines[*(const uint32_t *)a].to];
    uint32_t y = r->rank[r->p->lines[*(const uint32_t *)b].to];
    return x < y ? -1 : x > y;
}

/* The nearest ends first: what they reach needs no line of its own. */
static void reduce_node(reduction *r, uint32_t n)
{
    picture *p = r->p;
    uint64_t *own = r->bits + n * r->words;
    uint32_t count = 0;
    for (uint32_t k = r->heads[n]; k < r->heads[n + 1]; k++)
        if (is_sure(&p->lines[k]))
            r->queue[count++] = k;
    qsort_r(r->queue, count, sizeof *r->queue, by_rank, r);
    for (uint32_t i = 0; i < count; i++) {
        picture_line *line = &p->lines[r->queue[i]];
        const uint64_t *theirs = r->bits + line->to * r->words;
        line->redundant = (own[line->to / 64] >> (line->to % 64) & 1) != 0;
        for (size_t w = 0; !line->redundant && w < r->words; w++)
            own[w] |= theirs[w];
        own[line->to / 64] |= (uint64_t)1 << (line->to % 64);
    }
    for (uint32_t k = r->heads[n]; k < r->heads[n + 1]; k++) {
        picture_line *line = &p->lines[k];
        if (is_edge(line) && !line->certain)
            line->redundant = (own[line->to / 64] >> (line->to % 64) & 1) != 0;
    }
}

bool picture_reduce(picture *p)
{
    reduction r = {0};
    if (p->node_count > PICTURE_REDUCED)
        return true;
    bool ok = set_up(&r, p);
    if (ok && sort_nodes(&r)) {
        p->is_reduced = true;
        for (uint32_t i = p->node_count; i > 0; i--)
            reduce_node(&r, r.order[i - 1]);
        for (uint32_t i = 0; i < p->line_count; i++)
            p->redundant += p->lines[i].redundant;
    }
    tear_down(&r);
    return ok;
}
