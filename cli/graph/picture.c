#include "picture.h"

#include <stdlib.h>
#include <string.h>

static void *array(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

/* --- Reasons --- */

static bool is_kind(const oracle_edge *edge, const char *kind)
{
    return edge->kind.length == strlen(kind) &&
           memcmp(edge->kind.data, kind, edge->kind.length) == 0;
}

static picture_class class_of(const oracle_edge *edge)
{
    switch (edge->source) {
    case ORACLE_EXPLICIT:
        return PICTURE_EXPLICIT;
    case ORACLE_RECORDED:
        return PICTURE_RECORDED;
    case ORACLE_POLICY:
        return PICTURE_POLICY;
    case ORACLE_AUTOMATIC:
        break;
    }
    if (is_kind(edge, "data"))
        return PICTURE_DATA;
    return is_kind(edge, "creator") ? PICTURE_CREATOR : PICTURE_STORAGE;
}

static void add_reason(picture *p, picture_reason reason)
{
    reason.number = p->reason_count;
    p->reasons[p->reason_count++] = reason;
}

static void add_edges(picture *p)
{
    const oracle_document *d = p->document;
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *edge = &d->edges[i];
        add_reason(p, (picture_reason){.from = edge->from,
                                       .to = edge->to,
                                       .class = class_of(edge),
                                       .certain = edge->certain,
                                       .edge = edge});
    }
    for (uint32_t i = 0; i < d->task_count; i++) {
        const oracle_task *task = &d->tasks[i];
        for (uint32_t k = 0; k < task->deps; k++) {
            const oracle_dep *dep = &d->deps[task->first_dep + k];
            if (dep->cause != ORACLE_DEP_TASK || dep->task == ORACLE_NONE)
                continue;
            add_reason(p, (picture_reason){.from = dep->task,
                                           .to = i,
                                           .class = PICTURE_EXPLICIT,
                                           .certain = dep->whens == 0,
                                           .dep = dep});
        }
    }
}

/* --- Findings --- */

typedef struct task_id {
    int64_t id;
    uint32_t task;
} task_id;

static int by_id(const void *a, const void *b)
{
    const task_id *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/* The task that stands as producer or consumer in a record. */
static uint32_t end_of(const cli_finding *finding, const char *end,
                       const task_id *ids, uint32_t count)
{
    cli_span record = {finding->json.data, finding->json.length};
    cli_span object, value;
    int64_t id;
    if (!cli_span_member(&object, record, end) ||
        !cli_span_member(&value, object, "task") || !cli_span_int(&id, value))
        return PICTURE_NONE;
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ids[low].id == id ? ids[low].task : PICTURE_NONE;
}

/* A doubt is drawn when it is one about order. */
static bool is_drawn(const cli_finding *finding)
{
    return finding->severity == CLI_ERROR ||
           (finding->severity == CLI_WARNING &&
            strncmp(finding->rule, "hazard.", 7) == 0);
}

static void add_finding(picture *p, const cli_finding *finding,
                        const task_id *ids)
{
    uint32_t count = p->document->task_count;
    uint32_t from = end_of(finding, "producer", ids, count);
    uint32_t to = end_of(finding, "consumer", ids, count);
    if (!is_drawn(finding) || (from == PICTURE_NONE && to == PICTURE_NONE))
        return;
    if (from == PICTURE_NONE || to == PICTURE_NONE || from == to) {
        p->remarks[p->remark_count++] = (picture_remark){
            .task = to == PICTURE_NONE ? from : to, .finding = finding};
        return;
    }
    bool is_error = finding->severity == CLI_ERROR;
    add_reason(
        p, (picture_reason){.from = from,
                            .to = to,
                            .class = is_error ? PICTURE_ERROR : PICTURE_DOUBT,
                            .certain = true,
                            .finding = finding});
}

static bool add_findings(picture *p, const cli_case *c)
{
    const oracle_document *d = p->document;
    task_id *ids = array(d->task_count, sizeof *ids);
    if (ids == NULL)
        return false;
    for (uint32_t i = 0; i < d->task_count; i++)
        ids[i] = (task_id){d->tasks[i].id, i};
    qsort(ids, d->task_count, sizeof *ids, by_id);
    for (size_t i = 0; i < c->count; i++)
        add_finding(p, &c->findings[i], ids);
    if (c->total > (int64_t)c->count)
        p->findings_unlisted = c->total - (int64_t)c->count;
    free(ids);
    return true;
}

/* --- Lines --- */

static bool is_hazard(picture_class class)
{
    return class == PICTURE_ERROR || class == PICTURE_DOUBT;
}

/* Reasons of one line stand together. */
static int by_pair(const void *a, const void *b)
{
    const picture_reason *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool is_same_line(const picture_reason *a, const picture_reason *b)
{
    return a->from == b->from && a->to == b->to &&
           is_hazard(a->class) == is_hazard(b->class);
}

/* Here the ends of lines are tasks; the nodes are chosen later. */
static bool make_lines(picture *p)
{
    if (p->reason_count > UINT32_MAX)
        return false;
    qsort(p->reasons, p->reason_count, sizeof *p->reasons, by_pair);
    p->lines = array(p->reason_count, sizeof *p->lines);
    if (p->lines == NULL)
        return false;
    for (uint32_t i = 0; i < p->reason_count; i++) {
        const picture_reason *r = &p->reasons[i];
        if (i == 0 || !is_same_line(r, &p->reasons[i - 1]))
            p->lines[p->line_count++] = (picture_line){
                .from = r->from, .to = r->to, .class = r->class, .first = i};
        picture_line *line = &p->lines[p->line_count - 1];
        line->count++;
        line->certain = line->certain || r->certain;
    }
    return true;
}

/* --- The neighbourhood --- */

/* The lines at each task: heads[t] to heads[t + 1] in `at`. */
typedef struct incidence {
    uint32_t *heads, *at;
} incidence;

static bool find_incidence(incidence *in, const picture *p)
{
    uint32_t tasks = p->document->task_count;
    in->heads = array((size_t)tasks + 2, sizeof *in->heads);
    in->at = array(2 * (size_t)p->line_count, sizeof *in->at);
    if (in->heads == NULL || in->at == NULL)
        return false;
    uint32_t *next = in->heads + 1;
    for (uint32_t i = 0; i < p->line_count; i++) {
        next[p->lines[i].from + 1]++;
        next[p->lines[i].to + 1]++;
    }
    for (uint32_t t = 0; t < tasks; t++)
        next[t + 1] += next[t];
    for (uint32_t i = 0; i < p->line_count; i++) {
        in->at[next[p->lines[i].from]++] = i;
        in->at[next[p->lines[i].to]++] = i;
    }
    return true;
}

/* Breadth first; `away` is 0 for what is not reached, else steps + 1. */
static void reach(const picture *p, const incidence *in, uint32_t around,
                  int64_t depth, uint32_t *queue, uint32_t *away)
{
    uint32_t count = 0;
    queue[count++] = around;
    away[around] = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = queue[i];
        if (away[t] > depth)
            break;
        for (uint32_t k = in->heads[t]; k < in->heads[t + 1]; k++) {
            const picture_line *line = &p->lines[in->at[k]];
            uint32_t other = line->from == t ? line->to : line->from;
            if (away[other] != 0)
                continue;
            away[other] = away[t] + 1;
            queue[count++] = other;
        }
    }
}

static bool find_neighbours(const picture *p, uint32_t around, int64_t depth,
                            uint32_t *away)
{
    incidence in = {0};
    uint32_t *queue = array(p->document->task_count, sizeof *queue);
    bool ok = queue != NULL && find_incidence(&in, p);
    if (ok)
        reach(p, &in, around, depth, queue, away);
    free(queue);
    free(in.heads);
    free(in.at);
    return ok;
}

/* --- Nodes --- */

static void take_remarks(picture *p, picture_node *node, size_t *at)
{
    while (*at < p->remark_count && p->remarks[*at].task < node->task)
        ++*at;
    node->first_remark = (uint32_t)*at;
    for (; *at < p->remark_count && p->remarks[*at].task == node->task; ++*at) {
        bool is_error = p->remarks[*at].finding->severity == CLI_ERROR;
        node->is_wrong = node->is_wrong || is_error;
        node->is_doubtful = node->is_doubtful || !is_error;
        node->remarks++;
    }
}

static int by_task(const void *a, const void *b)
{
    const picture_remark *x = a, *y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->finding < y->finding ? -1 : x->finding > y->finding;
}

/* The nodes of what was reached; `away` then holds each task's node. */
static bool make_nodes(picture *p, uint32_t around, uint32_t *away)
{
    size_t at = 0;
    uint32_t tasks = p->document->task_count;
    p->nodes = array(tasks, sizeof *p->nodes);
    if (p->nodes == NULL)
        return false;
    qsort(p->remarks, p->remark_count, sizeof *p->remarks, by_task);
    for (uint32_t t = 0; t < tasks; t++) {
        if (around != PICTURE_NONE && away[t] == 0) {
            away[t] = PICTURE_NONE;
            p->tasks_left_out++;
            continue;
        }
        picture_node *node = &p->nodes[p->node_count];
        *node = (picture_node){
            .task = t, .box = PICTURE_NONE, .is_centre = t == around};
        take_remarks(p, node, &at);
        away[t] = p->node_count++;
    }
    return true;
}

static void keep_lines(picture *p, const uint32_t *node_of)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->line_count; i++) {
        picture_line line = p->lines[i];
        line.from = node_of[line.from];
        line.to = node_of[line.to];
        bool hazard = is_hazard(line.class);
        if (line.from == PICTURE_NONE || line.to == PICTURE_NONE) {
            p->edges_left_out += !hazard;
            p->findings_left_out += hazard;
            continue;
        }
        p->edges += !hazard;
        p->errors += line.class == PICTURE_ERROR;
        p->doubts += line.class == PICTURE_DOUBT;
        p->lines[kept++] = line;
    }
    p->line_count = kept;
}

static bool choose(picture *p, uint32_t around, int64_t depth)
{
    uint32_t *away = array(p->document->task_count, sizeof *away);
    bool ok = away != NULL;
    if (ok && around != PICTURE_NONE)
        ok = find_neighbours(p, around, depth, away);
    ok = ok && make_nodes(p, around, away);
    if (ok)
        keep_lines(p, away);
    free(away);
    return ok;
}

bool picture_make(picture *p, const oracle_document *document,
                  const cli_case *c, uint32_t around, int64_t depth)
{
    size_t most = (size_t)document->edge_count + document->dep_count + c->count;
    *p = (picture){.document = document};
    p->reasons = array(most, sizeof *p->reasons);
    p->remarks = array(c->count, sizeof *p->remarks);
    if (p->reasons == NULL || p->remarks == NULL)
        return false;
    add_edges(p);
    return add_findings(p, c) && make_lines(p) && choose(p, around, depth) &&
           picture_find_boxes(p) && picture_reduce(p);
}

void picture_free(picture *p)
{
    free(p->nodes);
    free(p->lines);
    free(p->boxes);
    free(p->reasons);
    free(p->remarks);
    *p = (picture){0};
}
