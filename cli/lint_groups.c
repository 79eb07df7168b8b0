#include "lint_groups.h"

#include <stdlib.h>
#include <string.h>

#include "lint_order.h"

/* For so many pairs the graph is asked what else their order mends. */
#define PAIRS ((size_t)1000)

/* --- Records --- */

static int64_t int_member(cli_span object, const char *name, int64_t missing)
{
    cli_span value;
    int64_t n;
    bool found = cli_span_member(&value, object, name);
    return found && cli_span_int(&n, value) ? n : missing;
}

static lint_end read_end(cli_span record, const char *name)
{
    lint_end end = {0};
    cli_span object;
    if (!cli_span_member(&object, record, name))
        return end;
    end.present = true;
    end.task = int_member(object, "task", -1);
    end.arg = int_member(object, "arg", -1);
    end.line = int_member(object, "line", 0);
    if (!cli_span_member(&end.name, object, "name"))
        end.name = (cli_span){NULL, 0};
    if (!cli_span_member(&end.direction, object, "direction"))
        end.direction = (cli_span){NULL, 0};
    return end;
}

static lint_item read_item(const cli_finding *finding, size_t number)
{
    cli_span record = {finding->json.data, finding->json.length};
    return (lint_item){
        .finding = finding,
        .producer = read_end(record, "producer"),
        .consumer = read_end(record, "consumer"),
        .column = int_member(record, "column", 0),
        .times = int_member(record, "count", 1),
        .from = LINT_NONE,
        .to = LINT_NONE,
        .number = number,
    };
}

/* --- Groups --- */

static int order_int(int64_t a, int64_t b)
{
    return a == b ? 0 : a < b ? -1 : 1;
}

static int order_text(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

static int order_ends(const lint_end *a, const lint_end *b)
{
    int order = order_int(a->line, b->line);
    return order != 0 ? order : order_int(a->arg, b->arg);
}

/* Findings without a place in the dump are the same by what they say. */
static int order_sites(const lint_item *a, const lint_item *b)
{
    int order = order_int(b->finding->severity, a->finding->severity);
    if (order == 0)
        order = order_text(a->finding->rule, b->finding->rule);
    if (order == 0)
        order = order_text(a->finding->cause, b->finding->cause);
    if (order == 0)
        order = order_ends(&a->consumer, &b->consumer);
    if (order == 0)
        order = order_ends(&a->producer, &b->producer);
    if (order == 0 && a->consumer.line == 0)
        order = order_text(a->finding->message, b->finding->message);
    return order;
}

static int by_site(const void *a, const void *b)
{
    const lint_item *x = a, *y = b;
    int order = order_sites(x, y);
    return order != 0 ? order
                      : order_int((int64_t)x->number, //
                                  (int64_t)y->number);
}

static void form_groups(lint_groups *g)
{
    qsort(g->items, g->count, sizeof *g->items, by_site);
    for (size_t i = 0; i < g->count; i++) {
        lint_group *last = &g->groups[g->group_count];
        if (i == 0 || order_sites(&g->items[i - 1], &g->items[i]) != 0) {
            *last = (lint_group){.first = i, .host = g->group_count};
            last->number = g->group_count++;
        }
        last = &g->groups[g->group_count - 1];
        last->count++;
        last->times += g->items[i].times > 0 ? g->items[i].times : 1;
    }
}

/* --- What a fix mends beside its own finding --- */

/* A pair that a dep orders: both ends known, and no edge leads back. */
static bool is_pair(const lint_item *item)
{
    const cli_finding *f = item->finding;
    bool lacks_order = strncmp(f->rule, "hazard.", 7) == 0 ||
                       strcmp(f->rule, "predicate.stale") == 0;
    return lacks_order && f->severity != CLI_NOTE && item->producer.present &&
           item->consumer.present && order_text(f->cause, "reversed") != 0;
}

static size_t find_tasks(lint_groups *g, const lint_order *order)
{
    size_t pairs = 0;
    for (size_t i = 0; i < g->count; i++) {
        lint_item *item = &g->items[i];
        if (!is_pair(item))
            continue;
        item->from = lint_order_find(order, item->producer.task);
        item->to = lint_order_find(order, item->consumer.task);
        if (item->from == LINT_NONE || item->to == LINT_NONE)
            item->from = item->to = LINT_NONE;
        else
            pairs++;
    }
    return pairs;
}

/* Marks in `before` the pairs whose first task comes before the item's. */
static void mark_mended(const lint_groups *g, lint_order *order,
                        const lint_item *item, bool *before, bool *mended)
{
    lint_order_reach(order, item->from, true);
    for (size_t i = 0; i < g->count; i++)
        before[i] = g->items[i].from != LINT_NONE &&
                    lint_order_reached(order, g->items[i].from);
    lint_order_reach(order, item->to, false);
    for (size_t i = 0; i < g->count; i++)
        if (before[i] && lint_order_reached(order, g->items[i].to))
            mended[i] = true;
}

static bool is_sampled(const lint_group *group)
{
    return group->times > (int64_t)group->count;
}

static void count_mended(const lint_groups *g, lint_group *own,
                         const bool *mended)
{
    own->sampled = is_sampled(own);
    for (size_t n = 0; n < g->group_count; n++) {
        const lint_group *group = &g->groups[n];
        size_t i = group->first;
        while (i < group->first + group->count && mended[i])
            i++;
        if (group == own || i < group->first + group->count)
            continue;
        own->mends++;
        own->sampled |= is_sampled(group);
    }
}

static bool count_mends(lint_groups *g, lint_order *order)
{
    bool *before = calloc(2 * g->count, sizeof *before);
    if (before == NULL)
        return false;
    bool *mended = before + g->count;
    for (size_t n = 0; n < g->group_count; n++) {
        lint_group *group = &g->groups[n];
        const lint_item *items = &g->items[group->first];
        if (items[0].from == LINT_NONE)
            continue;
        memset(mended, 0, g->count * sizeof *mended);
        for (size_t i = 0; i < group->count; i++)
            if (items[i].from != LINT_NONE)
                mark_mended(g, order, &items[i], before, mended);
        count_mended(g, group, mended);
    }
    free(before);
    return true;
}

/* A document that is judged as it is has its graph in its own text. */
static bool look_at_order(lint_groups *g, const cli_case *c, const char *rules)
{
    lint_order order;
    char problem[256];
    const cli_text *text = c->bundle.length > 0 ? &c->bundle : &c->text;
    bool wanted = false;
    for (size_t i = 0; i < g->count; i++)
        wanted |= is_pair(&g->items[i]);
    if (!wanted)
        return true;
    bool ok = lint_order_read(&order, (cli_span){text->data, text->length},
                              rules, problem, sizeof problem);
    size_t pairs = ok ? find_tasks(g, &order) : 0;
    if (pairs > 1 && pairs <= PAIRS)
        ok = count_mends(g, &order);
    lint_order_close(&order);
    /* The judge has read it: only memory can be short. */
    return ok;
}

/* --- The order to mend in --- */

static bool is_dead_dep(const lint_item *item)
{
    return strcmp(item->finding->rule, "graph.dead-dep") == 0;
}

typedef struct sorter {
    const lint_groups *groups;
} sorter;

static int64_t position(const lint_item *item)
{
    if (item->to != LINT_NONE)
        return item->to;
    if (item->consumer.present)
        return item->consumer.task;
    return item->producer.present ? item->producer.task : -1;
}

static int by_urgency(const void *a, const void *b, void *context)
{
    const lint_item *items = ((sorter *)context)->groups->items;
    const lint_group *x = a, *y = b;
    const lint_item *p = &items[x->first], *q = &items[y->first];
    int order = order_int(q->finding->severity, p->finding->severity);
    if (order == 0)
        order = order_int((int64_t)y->mends, (int64_t)x->mends);
    if (order == 0)
        order = order_int(position(p), position(q));
    if (order == 0)
        order = order_int(p->finding->line, q->finding->line);
    return order != 0 ? order
                      : order_int((int64_t)p->number, (int64_t)q->number);
}

/* The first pair without order whose second task has the dep. */
static size_t find_host(const lint_groups *g, size_t dead)
{
    const lint_item *dep = &g->items[g->groups[dead].first];
    for (size_t n = 0; n < g->group_count; n++) {
        const lint_item *item = &g->items[g->groups[n].first];
        if (is_pair(item) && item->consumer.line == dep->finding->line)
            return n;
    }
    return dead;
}

static int by_host(const void *a, const void *b)
{
    const lint_group *x = a, *y = b;
    int order = order_int((int64_t)x->host, (int64_t)y->host);
    if (order == 0)
        order = order_int(x->host != x->number, y->host != y->number);
    return order != 0 ? order
                      : order_int((int64_t)x->number, (int64_t)y->number);
}

static bool lay_out_items(lint_groups *g)
{
    lint_item *items = calloc(g->count + 1, sizeof *items);
    size_t at = 0;
    if (items == NULL)
        return false;
    for (size_t n = 0; n < g->group_count; n++) {
        lint_group *group = &g->groups[n];
        memcpy(items + at, g->items + group->first,
               group->count * sizeof *items);
        group->first = at;
        at += group->count;
    }
    free(g->items);
    g->items = items;
    return true;
}

static bool sort_groups(lint_groups *g)
{
    sorter context = {g};
    if (g->group_count == 0)
        return true;
    qsort_r(g->groups, g->group_count, sizeof *g->groups, by_urgency, &context);
    for (size_t n = 0; n < g->group_count; n++)
        g->groups[n].number = g->groups[n].host = n;
    for (size_t n = 0; n < g->group_count; n++)
        if (is_dead_dep(&g->items[g->groups[n].first]))
            g->groups[n].host = find_host(g, n);
    qsort(g->groups, g->group_count, sizeof *g->groups, by_host);
    return lay_out_items(g);
}

bool lint_groups_make(lint_groups *groups, const cli_case *c, const char *rules)
{
    *groups = (lint_groups){.count = c->count};
    groups->items = calloc(c->count + 1, sizeof *groups->items);
    groups->groups = calloc(c->count + 1, sizeof *groups->groups);
    if (groups->items == NULL || groups->groups == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++)
        groups->items[i] = read_item(&c->findings[i], i);
    form_groups(groups);
    return look_at_order(groups, c, rules) && sort_groups(groups);
}

void lint_groups_free(lint_groups *groups)
{
    free(groups->items);
    free(groups->groups);
    *groups = (lint_groups){0};
}
