/*
 * edge.kind: an edge that is labelled as a dependence that its tasks do not
 * have. edge.false of a policy's edges (those of the runtime: judge_false.c).
 */
#include "canonical.h"
#include "judge_edges.h"

#include <inttypes.h>
#include <string.h>

/* What was found of one rule: one finding for a document. */
typedef struct tally {
    uint32_t count, first; /* of the edges */
    unsigned shared;       /* by the tasks of the first */
} tally;

typedef struct labels {
    oracle_edges *edges;
    const oracle_document *d;
    bool sequential; /* every edge is "data" by what the policy says */
    tally kind, loose;
    bool *skip; /* by join: a policy alone, for nothing */
} labels;

/*
 * The dependence that a label claims, 0: none that bytes could refute. Who
 * leaves the label out claims nothing.
 */
static unsigned claim_of(const oracle_text *kind)
{
    static const struct {
        const char *name;
        unsigned claim;
    } claims[] = {{"data", ORACLE_SHARE_DATA},
                  {"storage", ORACLE_SHARE_STORAGE},
                  {"war", ORACLE_SHARE_WAR}};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        size_t length = strlen(claims[i].name);
        if (kind->length == length &&
            memcmp(kind->data, claims[i].name, length) == 0) {
            return claims[i].claim;
        }
    }
    return 0;
}

/*
 * A dummy task stands for the orders of others, and what a predicate decides
 * is a reason that no access shows.
 */
static bool is_plain(const oracle_document *d, const oracle_edge *e)
{
    return !d->tasks[e->from].dummy && !d->tasks[e->to].dummy;
}

/* The join, where it stands in a policy alone, else ORACLE_NONE. */
static uint32_t policy_join(const labels *l, const oracle_edge *e)
{
    const oracle_document *d = l->d;
    const oracle_joins *joins = &l->edges->joins;
    if (e->source != ORACLE_POLICY || !e->certain ||
        (claim_of(&e->kind) == 0 && e->kind.length > 0) ||
        d->tasks[e->from].has_predicate || d->tasks[e->to].has_predicate ||
        oracle_shares_none(d, e->from) || oracle_shares_none(d, e->to)) {
        return ORACLE_NONE;
    }
    uint32_t join = oracle_joins_find(joins, e->from, e->to);
    return joins->by[join] == ORACLE_JOIN_POLICY ? join : ORACLE_NONE;
}

static void add_to(tally *found, uint32_t edge, unsigned shared)
{
    if (found->count++ == 0) {
        found->first = edge;
        found->shared = shared;
    }
}

static void judge_edge(labels *l, uint32_t index)
{
    const oracle_edge *e = &l->d->edges[index];
    bool labelled = e->source == ORACLE_POLICY || e->source == ORACLE_EXPLICIT;
    if (!labelled || e->from == e->to || !is_plain(l->d, e)) {
        return;
    }
    bool by_policy = l->sequential && e->source == ORACLE_POLICY;
    unsigned claim = by_policy || !e->kind.present ? 0 : claim_of(&e->kind);
    uint32_t join = policy_join(l, e);
    if (claim == 0 && join == ORACLE_NONE) {
        return;
    }
    unsigned enough =
        claim == 0 ? ORACLE_SHARE_ANY : claim | ORACLE_SHARE_UNKNOWN;
    unsigned shared =
        oracle_shares_find(&l->edges->shares, e->from, e->to, enough);
    if (claim != 0 && (shared & enough) == 0) {
        add_to(&l->kind, index, shared);
    }
    if (join != ORACLE_NONE && shared == 0 && !l->skip[join]) {
        l->skip[join] = true;
        add_to(&l->loose, index, shared);
    }
}

/* --- edge.kind --- */

static const char *kind_of(unsigned shared)
{
    return (shared & ORACLE_SHARE_DATA) != 0      ? "data"
           : (shared & ORACLE_SHARE_STORAGE) != 0 ? "storage"
           : (shared & ORACLE_SHARE_WAR) != 0     ? "war"
                                                  : "ordering";
}

static bool report_kind(labels *l)
{
    oracle_judging *j = l->edges->judging;
    const oracle_edge *e = &l->d->edges[l->kind.first];
    oracle_record record = oracle_record_of("edge.kind", ORACLE_WARNING);
    const char *from = oracle_tell_task(j->arena, l->d, e->from);
    const char *to = oracle_tell_task(j->arena, l->d, e->to);
    unsigned claim = claim_of(&e->kind);
    record.producer.task = e->from;
    record.consumer.task = e->to;
    record.count = l->kind.count;
    record.witness = oracle_witness_label(l->d, e, j->arena);
    if (from == NULL || to == NULL || record.witness == NULL) {
        return false;
    }
    record.message = oracle_arena_format(
        j->arena,
        "the edge from %s to %s is labelled %s, and the first %s nothing that "
        "the second %s (%u such %s): label it %s.",
        from, to, e->kind.data, claim == ORACLE_SHARE_WAR ? "reads" : "writes",
        claim == ORACLE_SHARE_DATA ? "reads" : "writes",
        (unsigned)l->kind.count, l->kind.count == 1 ? "label" : "labels",
        kind_of(l->kind.shared));
    return record.message != NULL && oracle_judging_add(j, record);
}

/* --- edge.false --- */

/* The longest paths that end in the accesses of a storage so far. */
typedef struct reach {
    uint32_t written, read;
} reach;

static bool is_whole(const oracle_document *d, oracle_place place)
{
    return place.region == ORACLE_NONE &&
           d->buffers[place.buffer].storage == place.buffer;
}

/* What comes before the task by the whole buffers that it touches. */
static uint32_t before_task(labels *l, uint32_t t, const reach *last)
{
    oracle_shares *shares = &l->edges->shares;
    uint32_t count = oracle_shares_uses(shares, t), most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const oracle_use *use = &shares->uses[i];
        const reach *r = &last[use->place.buffer];
        if (is_whole(l->d, use->place)) {
            most = r->written > most ? r->written : most;
            most = use->writes && r->read > most ? r->read : most;
        }
    }
    return most;
}

static void behind_task(labels *l, uint32_t t, reach *last, uint32_t depth)
{
    oracle_shares *shares = &l->edges->shares;
    uint32_t count = oracle_shares_uses(shares, t);
    for (uint32_t i = 0; i < count; i++) {
        const oracle_use *use = &shares->uses[i];
        reach *r = &last[use->place.buffer];
        if (is_whole(l->d, use->place)) {
            r->read = depth > r->read ? depth : r->read;
            r->written = use->writes ? depth : r->written;
        }
    }
}

/*
 * Tasks on the longest path. Without the edges that go, an order that bytes
 * ask for may go with them: where whole buffers are touched it is put back.
 */
static bool longest(labels *l, bool without, uint32_t *tasks)
{
    const oracle_joins *j = &l->edges->joins;
    oracle_arena *arena = l->edges->arena;
    uint32_t *depth = oracle_arena_array(arena, j->count, sizeof *depth);
    reach *last = oracle_arena_array(arena, l->d->buffer_count, sizeof *last);
    if (depth == NULL || last == NULL) {
        return false;
    }
    *tasks = 0;
    for (uint32_t i = 0; i < j->count; i++) {
        uint32_t t = j->sequence[i];
        uint32_t most = without ? before_task(l, t, last) : 0;
        for (uint32_t k = j->first[t]; k < j->first[t + 1]; k++) {
            bool counts = (j->by[k] & ORACLE_JOIN_CERTAIN) != 0 &&
                          !(without && l->skip[k]);
            uint32_t other = counts ? depth[j->from[k]] : 0;
            most = other > most ? other : most;
        }
        depth[t] = most + 1;
        *tasks = depth[t] > *tasks ? depth[t] : *tasks;
        if (without) {
            behind_task(l, t, last, depth[t]);
        }
    }
    return true;
}

static const char *won_by(labels *l)
{
    uint32_t with, without;
    oracle_arena *arena = l->edges->judging->arena;
    if (!longest(l, false, &with) || !longest(l, true, &without)) {
        return NULL;
    }
    /* An order that was missing before costs nothing here. */
    return without >= with
               ? oracle_arena_format(arena,
                                     "the longest path stays at %u tasks",
                                     (unsigned)with)
               : oracle_arena_format(
                     arena, "the longest path is then %u tasks, not %u",
                     (unsigned)without, (unsigned)with);
}

static bool report_loose(labels *l)
{
    oracle_judging *j = l->edges->judging;
    const oracle_edge *e = &l->d->edges[l->loose.first];
    const oracle_edge_reason reason = {ORACLE_POLICY, ORACLE_NONE, ORACLE_NONE};
    oracle_record record = oracle_record_of("edge.false", ORACLE_NOTE);
    const char *from = oracle_tell_task(j->arena, l->d, e->from);
    const char *to = oracle_tell_task(j->arena, l->d, e->to);
    const char *won = won_by(l);
    record.producer.task = e->from;
    record.consumer.task = e->to;
    record.count = l->loose.count;
    record.witness =
        oracle_witness_false(l->d, e->from, e->to, &reason, 1, j->arena);
    if (from == NULL || to == NULL || won == NULL || record.witness == NULL) {
        return false;
    }
    record.message = oracle_arena_format(
        j->arena,
        "%s waits for %s by the policy alone, though they touch no common "
        "bytes (%u such %s): plan with a policy that orders only what shares "
        "bytes, or label a wanted order as ordering; %s.",
        to, from, (unsigned)l->loose.count,
        l->loose.count == 1 ? "edge" : "edges", won);
    return record.message != NULL && oracle_judging_add(j, record);
}

/* Whether the Score that is judged says that it is in sequence. */
static bool is_sequential(const oracle_judging *j)
{
    static const char name[] = "sequential_v0";
    const oracle_members *m = j->members;
    uint32_t score = m == NULL ? ORACLE_NONE : m->node[ORACLE_ROLE_SCORE];
    if (score == ORACLE_NONE || m->node[ORACLE_ROLE_GRAPH] != ORACLE_NONE) {
        return false;
    }
    uint32_t metadata = oracle_json_member(m->json, score, "metadata");
    uint32_t policy =
        metadata == ORACLE_NONE
            ? ORACLE_NONE
            : oracle_json_member(m->json, metadata, "dependency_policy");
    return policy != ORACLE_NONE &&
           m->json->nodes[policy].type == ORACLE_JSON_STRING &&
           oracle_json_is(m->json, policy, name, sizeof name - 1);
}

bool oracle_judge_labels(oracle_edges *edges)
{
    labels l = {
        .edges = edges,
        .d = edges->d,
        .sequential = is_sequential(edges->judging),
        .skip = oracle_arena_alloc(edges->arena,
                                   edges->joins.first[edges->d->task_count]),
    };
    if (l.skip == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < l.d->edge_count; e++) {
        judge_edge(&l, e);
    }
    bool ordered = !edges->judging->cyclic && edges->joins.sequence != NULL;
    return (l.kind.count == 0 || report_kind(&l)) &&
           (l.loose.count == 0 || !ordered || report_loose(&l)) &&
           (!oracle_shares_spent(&edges->shares) ||
            oracle_edges_left(edges,
                              "edge.kind and edge.false of a policy were not "
                              "asked of every edge: too much work"));
}
