/* The edges that the real runtime made, against those of the program. */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"

/* Predecessors by node: tasks of the program, behind them rows that join. */
typedef struct net {
    uint32_t nodes;
    uint32_t *first, *before; /* first[] has one more */
    uint32_t *queue;
    bool *seen;
} net;

typedef struct both {
    const replay_scene *scene;
    const oracle_document *record;
    uint32_t *node; /* of the record's tasks */
    net real, meant;
} both;

static bool net_make(net *n, uint32_t nodes, size_t edges)
{
    *n = (net){.nodes = nodes,
               .first = calloc((size_t)nodes + 2, sizeof *n->first),
               .before = calloc(edges + 1, sizeof *n->before),
               .queue = calloc((size_t)nodes + 1, sizeof *n->queue),
               .seen = calloc((size_t)nodes + 1, 1)};
    return n->first != NULL && n->before != NULL && n->queue != NULL &&
           n->seen != NULL;
}

static void net_free(net *n)
{
    free(n->first);
    free(n->before);
    free(n->queue);
    free(n->seen);
}

/* Marks all that `to` waits for. */
static void mark(net *n, uint32_t to)
{
    uint32_t head = 0, tail = 0;
    memset(n->seen, 0, n->nodes);
    n->queue[tail++] = to;
    while (head < tail) {
        uint32_t at = n->queue[head++];
        for (uint32_t i = n->first[at]; i < n->first[at + 1]; i++) {
            if (!n->seen[n->before[i]]) {
                n->seen[n->before[i]] = true;
                n->queue[tail++] = n->before[i];
            }
        }
    }
}

static bool is_direct(const net *n, uint32_t from, uint32_t to)
{
    for (uint32_t i = n->first[to]; i < n->first[to + 1]; i++) {
        if (n->before[i] == from) {
            return true;
        }
    }
    return false;
}

/* Edges between tasks of `in` that `other` does not order; joins of `in` have
 * been left out of it. */
static uint32_t count_lacking(uint32_t pair[2], const net *in, net *other,
                              uint32_t tasks)
{
    uint32_t lacking = 0;
    for (uint32_t to = 0; to < tasks; to++) {
        bool marked = false;
        for (uint32_t i = in->first[to]; i < in->first[to + 1]; i++) {
            uint32_t from = in->before[i];
            if (from >= tasks || is_direct(other, from, to)) {
                continue;
            }
            if (!marked) {
                mark(other, to);
                marked = true;
            }
            if (!other->seen[from] && lacking++ == 0) {
                pair[0] = from;
                pair[1] = to;
            }
        }
    }
    return lacking;
}

/* --- The record --- */

/* The tasks of the record are the rows that were submitted, by their number. */
static bool find_nodes(both *b, bool automatic, uint32_t *nodes)
{
    const replay_scene *s = b->scene;
    uint32_t task = 0, other = s->program->task_count;
    uint8_t skip = automatic ? SCENE_ONLY_MANUAL : SCENE_ONLY_AUTOMATIC;
    for (uint32_t r = 0; r < s->row_count; r++) {
        if ((s->row_flags[r] & skip) != 0) {
            continue;
        }
        if (task == b->record->task_count ||
            b->record->tasks[task].id != task) {
            return false;
        }
        b->node[task++] =
            s->row_tasks[r] == REPLAY_NONE ? other++ : s->row_tasks[r];
    }
    *nodes = other;
    return task == b->record->task_count;
}

static void fill_real(both *b)
{
    net *n = &b->real;
    const oracle_document *d = b->record;
    for (uint32_t i = 0; i < d->edge_count; i++) {
        n->first[b->node[d->edges[i].to] + 2]++;
    }
    for (uint32_t i = 2; i < n->nodes + 2; i++) {
        n->first[i] += n->first[i - 1];
    }
    for (uint32_t i = 0; i < d->edge_count; i++) {
        uint32_t to = b->node[d->edges[i].to];
        n->before[n->first[to + 1]++] = b->node[d->edges[i].from];
    }
}

static void fill_meant(both *b)
{
    const replay_program *p = b->scene->program;
    memcpy(b->meant.before, p->before, p->edge_count * sizeof *p->before);
    for (uint32_t t = 0; t < p->task_count; t++) {
        b->meant.first[t] = p->tasks[t].first_before;
        b->meant.first[t + 1] = p->tasks[t].first_before + p->tasks[t].befores;
    }
}

static replay_status compare(replay_scene_edges *out, both *b, bool automatic,
                             replay_error *error)
{
    const replay_program *p = b->scene->program;
    uint32_t nodes;
    if (!find_nodes(b, automatic, &nodes)) {
        return replay_fail(error, REPLAY_UNSUPPORTED, -1,
                           "the record has other tasks than the scene "
                           "submits");
    }
    if (!net_make(&b->real, nodes, b->record->edge_count) ||
        !net_make(&b->meant, p->task_count, p->edge_count)) {
        return replay_fail_memory(error);
    }
    fill_real(b);
    if (p->edge_count > 0) {
        fill_meant(b);
    }
    out->lacking =
        count_lacking(out->lacks, &b->meant, &b->real, p->task_count);
    out->more = count_lacking(out->has, &b->real, &b->meant, p->task_count);
    return REPLAY_OK;
}

replay_status replay_scene_record(replay_scene_edges *edges,
                                  const replay_scene *scene, bool automatic,
                                  const oracle_document *record,
                                  replay_error *error)
{
    both b = {.scene = scene, .record = record};
    *edges = (replay_scene_edges){.lacks = {REPLAY_NONE, REPLAY_NONE},
                                  .has = {REPLAY_NONE, REPLAY_NONE}};
    b.node = calloc((size_t)record->task_count + 1, sizeof *b.node);
    replay_status status = b.node == NULL
                               ? replay_fail_memory(error)
                               : compare(edges, &b, automatic, error);
    free(b.node);
    net_free(&b.real);
    net_free(&b.meant);
    return status;
}
