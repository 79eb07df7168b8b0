/* Witnesses of the rules on edges: edge.*. */
#include "checker.h"
#include "witness_accesses.h"

#include <string.h>

static bool ends(oracle_check *c, uint32_t *from, uint32_t *to)
{
    uint32_t list = oracle_check_member(c, c->witness, "edge"), a, b;
    return oracle_check_two(c, list, &a, &b) && oracle_check_task(c, a, from) &&
           oracle_check_task(c, b, to);
}

static bool has_when(const oracle_document *d, uint32_t t,
                     const oracle_when *when)
{
    bool has = false;
    for (uint32_t i = 0; i < d->tasks[t].whens; i++) {
        const oracle_when *own = &d->whens[d->tasks[t].first_when + i];
        has |= own->choice == when->choice && own->is == when->is;
    }
    return has;
}

/* --- edge.redundant --- */

/* c->place: the next task of the path; marks each step that an edge makes. */
static bool steps_hold(oracle_check *c, uint32_t from, uint32_t to)
{
    bool written = false, kept = false;
    uint32_t missing = 0;
    bool *made = c->present;
    memset(made, 0, c->d.task_count);
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        bool can_go = edge->certain && (edge->source == ORACLE_EXPLICIT ||
                                        edge->source == ORACLE_POLICY);
        made[edge->from] |= edge->certain && c->place[edge->from] == edge->to;
        if (edge->from == from && edge->to == to) {
            written |= can_go;
            kept |= !can_go;
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        for (uint32_t i = 0; i < c->d.tasks[t].deps; i++) {
            const oracle_dep *dep = &c->d.deps[c->d.tasks[t].first_dep + i];
            written |= dep->task == from && t == to;
            if (dep->task != ORACLE_NONE && dep->whens == 0) {
                made[dep->task] |= c->place[dep->task] == t;
            }
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        missing += c->place[t] != ORACLE_NONE && !made[t];
    }
    return (missing == 0 && written && !kept) ||
           oracle_check_fail(c, "a step is no edge, or the edge cannot go");
}

/* Into place: of each task of the path the next one. */
static bool read_path(oracle_check *c, uint32_t list, uint32_t *from,
                      uint32_t *to)
{
    uint32_t task, count = 0;
    memset(c->place, 0xff, c->d.task_count * sizeof *c->place);
    for (uint32_t at = list; oracle_check_next(c, list, &at); count++) {
        if (!oracle_check_task(c, at, &task) ||
            (count > 0 &&
             (task == *from || c->place[task] != ORACLE_NONE || task == *to))) {
            return oracle_check_fail(c, "a task is twice on the path");
        }
        if (count > 0) {
            c->place[*to] = task;
        }
        *from = count == 0 ? task : *from;
        *to = task;
    }
    return count > 2 || oracle_check_fail(c, "there is no task between");
}

bool oracle_check_path(oracle_check *c, uint32_t list)
{
    uint32_t from = ORACLE_NONE, to = ORACLE_NONE;
    if (!read_path(c, list, &from, &to)) {
        return false;
    }
    for (uint32_t t = c->place[from]; t != to; t = c->place[t]) {
        const oracle_task *task = &c->d.tasks[t];
        for (uint32_t w = 0; w < task->whens; w++) {
            const oracle_when *when = &c->d.whens[task->first_when + w];
            if (!has_when(&c->d, from, when) && !has_when(&c->d, to, when)) {
                return oracle_check_fail(c, "a task may not be submitted");
            }
        }
    }
    return steps_hold(c, from, to);
}

/* --- edge.fan-in --- */

bool oracle_check_fan(oracle_check *c, uint32_t number)
{
    uint32_t task, count = 0;
    int64_t said = 0;
    if (!oracle_check_choices(c) ||
        !oracle_check_task(c, oracle_check_member(c, c->witness, "task"),
                           &task) ||
        !oracle_check_number(c, number, &said)) {
        return false;
    }
    memset(c->place, 0, c->d.task_count * sizeof *c->place);
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        c->place[edge->from] |= edge->certain && edge->to == task;
    }
    for (uint32_t i = 0; i < c->d.tasks[task].deps; i++) {
        uint32_t from = c->d.deps[c->d.tasks[task].first_dep + i].task;
        if (from != ORACLE_NONE) {
            c->place[from] = 1;
        }
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        count += t != task && c->place[t] != 0 && c->present[t];
    }
    return (c->present[task] && count == said && count > 128) ||
           oracle_check_fail(c, "it waits for another number of tasks");
}

/* --- edge.kind, edge.false --- */

static bool asks(const char *kind, const char *name)
{
    return kind == NULL || strcmp(kind, name) == 0;
}

/* Whether the two share no bytes in the way of the label; NULL: in no way. */
static bool apart(oracle_check *c, uint32_t from, uint32_t to, const char *kind)
{
    oracle_access_of *list;
    uint32_t count;
    bool data = asks(kind, "data"), storage = asks(kind, "storage"),
         war = asks(kind, "war");
    bool apart = data || storage || war;
    if (!oracle_accesses_list(&list, &count, &c->d, UINT32_MAX - 1, c->arena)) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    for (uint32_t i = 0; apart && i < count; i++) {
        const oracle_access_of *x = &list[i];
        for (uint32_t k = 0; x->task == from && k < count; k++) {
            const oracle_access_of *y = &list[k];
            bool asked = (data && x->writes && y->reads) ||
                         (storage && x->writes && y->writes) ||
                         (war && x->reads && y->writes);
            apart &= y->task != to || !asked ||
                     oracle_places_meet(&c->d, x->place, y->place) ==
                         ORACLE_MEET_NEVER;
        }
    }
    return apart || oracle_check_fail(c, "they may share such bytes");
}

bool oracle_check_label(oracle_check *c, uint32_t kind)
{
    uint32_t from, to;
    if (!ends(c, &from, &to) || !oracle_check_is(c, kind, ORACLE_JSON_STRING)) {
        return oracle_check_fail(c, "no edge and kind");
    }
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        if (edge->from == from && edge->to == to &&
            oracle_json_is(&c->json, kind, edge->kind.data,
                           edge->kind.length) &&
            (edge->source == ORACLE_POLICY ||
             edge->source == ORACLE_EXPLICIT)) {
            return apart(c, from, to, edge->kind.data);
        }
    }
    return oracle_check_fail(c, "there is no edge with this label");
}

/* The edge stands in these sources and no other, and nobody wrote it. */
bool oracle_check_needless(oracle_check *c, uint32_t sources)
{
    static const char *const names[] = {"automatic", "policy"};
    static const oracle_source of[] = {ORACLE_AUTOMATIC, ORACLE_POLICY};
    uint32_t from, to;
    bool found[4] = {false}, said[2] = {false};
    if (!ends(c, &from, &to)) {
        return oracle_check_fail(c, "no edge");
    }
    for (uint32_t e = 0; e < c->d.edge_count; e++) {
        const oracle_edge *edge = &c->d.edges[e];
        found[edge->source] |= edge->from == from && edge->to == to;
    }
    for (uint32_t i = 0; i < c->d.tasks[to].deps; i++) {
        found[ORACLE_EXPLICIT] |=
            c->d.deps[c->d.tasks[to].first_dep + i].task == from;
    }
    for (uint32_t at = sources; oracle_check_next(c, sources, &at);) {
        uint32_t node = oracle_check_member(c, at, "source");
        for (int s = 0; s < 2; s++) {
            said[s] |=
                node != ORACLE_NONE &&
                oracle_json_is(&c->json, node, names[s], strlen(names[s]));
        }
    }
    return (said[0] == found[of[0]] && said[1] == found[of[1]] &&
            (said[0] || said[1]) && !found[ORACLE_EXPLICIT] &&
            !found[ORACLE_RECORDED] && apart(c, from, to, NULL)) ||
           oracle_check_fail(c, "it stands elsewhere, or they share bytes");
}
