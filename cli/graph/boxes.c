/* The manual scopes around what is drawn. */
#include <stdlib.h>

#include "picture.h"

typedef struct scopes {
    const oracle_document *document;
    uint32_t *depth; /* scopes around it, + 1; 0: not known yet */
    uint32_t *order; /* all scopes, those around others first */
    uint32_t *box;   /* the innermost box of a scope, or PICTURE_NONE */
    bool *used;      /* a node stands in it, or in one within */
} scopes;

static bool set_up(scopes *s, const oracle_document *document)
{
    size_t count = (size_t)document->scope_count + 1;
    s->document = document;
    s->depth = calloc(count, sizeof *s->depth);
    s->order = calloc(count, sizeof *s->order);
    s->box = calloc(count, sizeof *s->box);
    s->used = calloc(count, sizeof *s->used);
    return s->depth != NULL && s->order != NULL && s->box != NULL &&
           s->used != NULL;
}

static void tear_down(scopes *s)
{
    free(s->depth);
    free(s->order);
    free(s->box);
    free(s->used);
}

/* Up to a scope that is known, and the same way once more. */
static void find_depth(scopes *s, uint32_t scope)
{
    const oracle_scope *all = s->document->scopes;
    uint32_t steps = 0, at = scope;
    for (; at != ORACLE_NONE && s->depth[at] == 0; at = all[at].parent)
        steps++;
    uint32_t depth = steps + (at == ORACLE_NONE ? 0 : s->depth[at]);
    for (at = scope; steps > 0; steps--, at = all[at].parent)
        s->depth[at] = depth--;
}

/* Parents first, by counting: a depth is at most the number of scopes. */
static bool sort_scopes(scopes *s)
{
    uint32_t count = s->document->scope_count;
    uint32_t *starts = calloc((size_t)count + 2, sizeof *starts);
    if (starts == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        find_depth(s, i);
    for (uint32_t i = 0; i < count; i++)
        starts[s->depth[i] + 1]++;
    for (uint32_t i = 0; i <= count; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < count; i++)
        s->order[starts[s->depth[i]]++] = i;
    free(starts);
    return true;
}

static void mark_used(scopes *s, const picture *p)
{
    const oracle_scope *all = s->document->scopes;
    for (uint32_t i = 0; i < p->node_count; i++) {
        uint32_t scope = s->document->tasks[p->nodes[i].task].scope;
        if (scope != ORACLE_NONE)
            s->used[scope] = true;
    }
    for (uint32_t i = s->document->scope_count; i > 0; i--) {
        uint32_t scope = s->order[i - 1];
        if (s->used[scope] && all[scope].parent != ORACLE_NONE)
            s->used[all[scope].parent] = true;
    }
}

static bool make_boxes(picture *p, scopes *s)
{
    uint32_t count = s->document->scope_count;
    p->boxes = calloc((size_t)count + 1, sizeof *p->boxes);
    if (p->boxes == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t scope = s->order[i];
        const oracle_scope *it = &s->document->scopes[scope];
        uint32_t around =
            it->parent == ORACLE_NONE ? PICTURE_NONE : s->box[it->parent];
        s->box[scope] = around;
        if (!it->manual || !s->used[scope])
            continue;
        s->box[scope] = p->box_count;
        p->boxes[p->box_count++] = (picture_box){
            .id = it->id,
            .parent = around,
            .depth = around == PICTURE_NONE ? 0 : p->boxes[around].depth + 1,
        };
    }
    return true;
}

bool picture_find_boxes(picture *p)
{
    scopes s = {0};
    bool ok = set_up(&s, p->document) && sort_scopes(&s);
    if (ok)
        mark_used(&s, p);
    ok = ok && make_boxes(p, &s);
    for (uint32_t i = 0; ok && i < p->node_count; i++) {
        uint32_t scope = p->document->tasks[p->nodes[i].task].scope;
        if (scope != ORACLE_NONE)
            p->nodes[i].box = s.box[scope];
    }
    tear_down(&s);
    return ok;
}
