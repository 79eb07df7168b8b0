/* What is broken in the order of a Score and in what its tasks touch. */
#include "make.h"
#include "request.h"
#include "score_fault.h"

/* --- Order --- */

/* What is read behind a write, before the next one. */
static bool is_read_later(const fuzz_model *m, uint32_t buffer, uint32_t task)
{
    for (uint32_t t = task + 1; t < m->task_count; t++) {
        for (uint32_t i = 0; i < m->tasks[t].args; i++) {
            const fuzz_arg *a = &m->args[m->tasks[t].first_arg + i];
            if (a->buffer != buffer)
                continue;
            if (a->mode == FUZZ_READS || a->mode == FUZZ_UPDATES)
                return true;
            if (a->mode == FUZZ_WRITES)
                return false;
        }
    }
    return !m->buffers[buffer].internal;
}

/* Whether both write a buffer whose value somebody reads afterwards. */
static bool is_seen(const fuzz_model *m, const fuzz_edge *e)
{
    const fuzz_task *from = &m->tasks[e->from], *to = &m->tasks[e->to];
    for (uint32_t i = 0; i < from->args; i++) {
        const fuzz_arg *a = &m->args[from->first_arg + i];
        if (a->mode != FUZZ_WRITES && a->mode != FUZZ_UPDATES)
            continue;
        for (uint32_t k = 0; k < to->args; k++) {
            const fuzz_arg *other = &m->args[to->first_arg + k];
            if (other->buffer == a->buffer && other->mode == FUZZ_WRITES &&
                is_read_later(m, a->buffer, e->to))
                return true;
        }
    }
    return false;
}

/* The only edge to or from one of its ends is the only path. */
static bool is_only_path(const fuzz_model *m, const fuzz_edge *e)
{
    uint32_t out = 0, in = 0;
    for (uint32_t i = 0; i < m->edge_count; i++) {
        out += m->edges[i].from == e->from;
        in += m->edges[i].to == e->to;
    }
    return out == 1 || in == 1;
}

bool fuzz_break_order(fuzz_breaking *b)
{
    static const char *const rules[] = {NULL, "hazard.war", "hazard.waw",
                                        "hazard.raw"};
    static const char *const faults[] = {NULL, "lost-war", "lost-waw",
                                         "lost-raw"};
    fuzz_model *m = b->m;
    for (uint32_t n = m->untold ? 0 : 8; n > 0 && m->edge_count > 0; n--) {
        fuzz_edge *e = &m->edges[fuzz_below(b->random, m->edge_count)];
        if (!is_only_path(m, e) || (e->kind == FUZZ_STORAGE && !is_seen(m, e)))
            continue;
        e->dropped = true;
        b->keep_edges = true;
        b->c->fault = faults[e->kind];
        fuzz_case_expect(b->c, rules[e->kind]);
        return true;
    }
    return false;
}

/* Half of them through an end of the order, where loops begin and stop. */
bool fuzz_break_ring(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    if (m->edge_count == 0)
        return false;
    uint32_t at = m->edge_count - 1;
    if (fuzz_chance(b->random, 1, 2))
        at = (uint32_t)fuzz_below(b->random, m->edge_count);
    fuzz_edge e = m->edges[at];
    fuzz_add_edge(m, e.to, e.from, FUZZ_ORDERING);
    b->keep_edges = true;
    b->c->fault = "cycle";
    fuzz_case_expect(b->c, "score.valid");
    fuzz_case_expect(b->c, "graph.cycle");
    return true;
}

/* An edge that no order needs, for its ends alone. */
bool fuzz_break_edge(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    if (m->task_count == 0)
        return false;
    uint32_t task = (uint32_t)fuzz_below(b->random, m->task_count);
    bool self = m->edge_count == 0 || fuzz_chance(b->random, 1, 2);
    b->keep_edges = true;
    if (self) {
        fuzz_add_edge(m, task, task, FUZZ_DATA);
        b->c->fault = "self-edge";
        fuzz_case_expect(b->c, "score.valid");
        fuzz_case_expect(b->c, "graph.self-edge");
    } else {
        fuzz_edge e = m->edges[fuzz_below(b->random, m->edge_count)];
        fuzz_add_edge(m, e.from, e.to, (fuzz_dep)e.kind);
        b->c->fault = "repeated-edge";
        fuzz_case_expect(b->c, "graph.duplicate-edge");
    }
    return true;
}

bool fuzz_break_id(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    if (m->task_count < 2)
        return false;
    uint32_t a = (uint32_t)fuzz_below(b->random, m->task_count);
    uint32_t other = (a + 1) % m->task_count;
    m->tasks[a].id = m->tasks[other].id;
    b->c->fault = "repeated-id";
    fuzz_case_expect(b->c, "score.valid");
    return true;
}

/* Reads what nobody has written, before anybody may. */
bool fuzz_break_first(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    for (uint32_t tries = 0; tries < 8 && m->task_count > 0; tries++) {
        const fuzz_task *t = &m->tasks[fuzz_below(b->random, m->task_count)];
        if (t->args == 0 || t->no_directions)
            continue;
        fuzz_arg *a = &m->args[t->first_arg + fuzz_below(b->random, t->args)];
        if (a->mode != FUZZ_SCALAR)
            continue;
        uint32_t fresh = fuzz_add_buffer(m, true);
        if (fresh == FUZZ_NONE)
            return false;
        *a = (fuzz_arg){.buffer = fresh, .mode = FUZZ_READS};
        b->c->fault = "never-written";
        fuzz_case_expect(b->c, "hazard.uninitialised");
        return true;
    }
    return false;
}

/* A task that writes a buffer by two of its arguments. */
bool fuzz_break_twice(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    for (uint32_t n = 8; n > 0 && m->task_count > 0; n--) {
        const fuzz_task *t = &m->tasks[fuzz_below(b->random, m->task_count)];
        fuzz_arg *written = NULL, *scalar = NULL;
        for (uint32_t i = 0; i < t->args && !t->no_directions; i++) {
            fuzz_arg *a = &m->args[t->first_arg + i];
            if (a->mode == FUZZ_SCALAR)
                scalar = a;
            else if (a->mode == FUZZ_WRITES || a->mode == FUZZ_UPDATES)
                written = a;
        }
        if (written == NULL || scalar == NULL)
            continue;
        *scalar = *written;
        scalar->mode = FUZZ_WRITES;
        b->c->fault = "written-twice";
        fuzz_case_expect(b->c, "task.self-overlap");
        return true;
    }
    return false;
}

/* --- Labels and policies --- */

static bool has_mode(const fuzz_arg *a, bool writes)
{
    return a->mode == FUZZ_UPDATES ||
           a->mode == (writes ? FUZZ_WRITES : FUZZ_READS);
}

/* Whether the pair has the dependence that a label claims. */
static bool depends(const fuzz_model *m, const fuzz_edge *e, fuzz_dep kind)
{
    const fuzz_task *from = &m->tasks[e->from], *to = &m->tasks[e->to];
    for (uint32_t i = 0; i < from->args; i++) {
        const fuzz_arg *a = &m->args[from->first_arg + i];
        for (uint32_t k = 0; k < to->args; k++) {
            const fuzz_arg *other = &m->args[to->first_arg + k];
            if (a->buffer != FUZZ_NONE && a->buffer == other->buffer &&
                has_mode(a, kind != FUZZ_WAR) &&
                has_mode(other, kind != FUZZ_DATA))
                return true;
        }
    }
    return false;
}

bool fuzz_break_label(fuzz_breaking *b)
{
    static const fuzz_dep claims[] = {FUZZ_WAR, FUZZ_STORAGE, FUZZ_DATA};
    fuzz_model *m = b->m;
    for (uint32_t n = m->untold ? 0 : 8; n > 0 && m->edge_count > 0; n--) {
        fuzz_edge *e = &m->edges[fuzz_below(b->random, m->edge_count)];
        fuzz_dep claim = claims[fuzz_below(b->random, 3)];
        if (depends(m, e, claim))
            continue;
        e->kind = (uint8_t)claim;
        b->no_sizes = true;     /* what shares addresses depends, too */
        b->style->lean = false; /* an edge without a label claims nothing */
        b->keep_edges = true;
        b->c->fault = "wrong-label";
        fuzz_case_expect(b->c, "edge.kind");
        return true;
    }
    return false;
}

static void name_policy(fuzz_breaking *b, const char *metadata,
                        const char *fault, const char *rule)
{
    b->style->metadata = metadata;
    b->keep_edges = true;
    b->c->fault = fault;
    fuzz_case_expect(b->c, rule);
}

/* Edges that are right, and not those of the policy that is named; and what is
 * said of a fallback. */
bool fuzz_break_policy(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    bool told = fuzz_has_directions(m);
    uint64_t way = fuzz_below(b->random, 4);
    if (way == 0 && m->task_count > 1) {
        /* One edge more than tasks that follow each other have. */
        for (uint32_t i = 1; i < m->task_count; i++)
            fuzz_add_edge(m, i - 1, i, FUZZ_ORDERING);
        name_policy(b, "\"dependency_policy\": \"sequential_v0\"",
                    "not-sequential", "policy.edges");
    } else if (way == 1 && told && m->edge_count > 0) {
        fuzz_edge e = m->edges[0];
        fuzz_add_edge(m, e.from, e.to, FUZZ_ORDERING);
        name_policy(b, "\"dependency_policy\": \"dataflow_v0\"", "not-dataflow",
                    "policy.edges");
    } else if (way == 2 && !told) {
        name_policy(b, "\"dependency_policy\": \"mixed\"", "refused-policy",
                    "policy.edges");
    } else if (told || m->task_count > 0) {
        name_policy(b,
                    "\"dependency_policy\": \"other\", "
                    "\"dependency_policy_fallback_reason\": "
                    "\"dataflow_directions_incomplete\"",
                    "fallback", "policy.fallback");
    } else {
        return false;
    }
    return true;
}

/* In a third of the cases of all tasks, in another of one. */
static void leave_directions(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    if (m->task_count == 0)
        return;
    uint64_t way = fuzz_below(b->random, 3);
    uint32_t one = (uint32_t)fuzz_below(b->random, m->task_count);
    for (uint32_t i = 0; i < m->task_count; i++)
        if (way == 0 || (way == 1 && i == one))
            m->tasks[i].no_directions = true;
}

/* What the planner is asked and cannot do. */
bool fuzz_break_request(fuzz_breaking *b)
{
    fuzz_model *m = b->m;
    bool some = false;
    if (fuzz_has_memory(m) && fuzz_chance(b->random, 1, 2)) {
        b->profile = "sonata-0.9"; /* it binds nothing */
        b->c->fault = "bound-to-nothing";
        fuzz_case_expect(b->c, "handle.binding-missing");
        return true;
    }
    leave_directions(b);
    for (uint32_t i = 0; i < m->task_count; i++)
        some = some || (m->tasks[i].args > 0 && !m->tasks[i].no_directions);
    if (!fuzz_has_directions(m)) {
        b->policy = fuzz_chance(b->random, 1, 2) ? "dataflow_v0" : "mixed";
        b->c->fault = "directions-missing";
        fuzz_case_expect(b->c, some ? "dataflow_directions_incomplete"
                                    : "dataflow_directions_unavailable");
        return true;
    }
    b->policy = fuzz_chance(b->random, 1, 2) ? "dataflow_v1" : "";
    b->c->fault = "unknown-policy";
    fuzz_case_expect(b->c, "policy.unknown");
    return true;
}
