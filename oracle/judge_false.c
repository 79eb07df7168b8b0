/*
 * edge.false: tasks on disjoint bytes that the automatic rules make wait for
 * each other, for what they are told is more than what is touched. Edges of
 * one pair of lines are one note: how many, which opt-out frees them, and what
 * that wins on the longest path. An opt-out is only named when the document
 * without the edges that it takes away was judged and loses no order.
 */
#include "judge_edges.h"

#include "advice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SITES 16                  /* for which opt-outs are tried */
#define TRIED (UINT64_C(1) << 22) /* steps, over all of them */
#define WEIGHED (2 * TRIED)       /* beyond, what is won is left open */
#define REASONS 8                 /* of an edge that are named */

/* Two callees of two lines, and the arguments of the first reason. */
typedef struct pair_site {
    uint32_t from, to;         /* tasks of the first edge */
    uint32_t from_arg, to_arg; /* ORACLE_NONE: the document does not say */
    uint32_t edges;
} pair_site;

typedef struct falses {
    oracle_edges *edges;
    oracle_judging *judging;
    const oracle_document *d;
    oracle_arena *arena;
    pair_site *sites;
    uint32_t count;
    uint32_t *site_of; /* by edge; ORACLE_NONE: it is not false */
    oracle_table names, known;
    oracle_id_table pairs; /* two tasks that a policy joins, too: their site */
    uint64_t tried;
    uint64_t loose; /* of the document as it is */
    uint32_t longest;
    uint64_t size; /* steps of a try */
    oracle_execution execution;
    oracle_hazards found;
} falses;

/* What an opt-out takes part in. */
typedef enum optout { OPT_TO, OPT_FROM, OPT_TENSOR, OPTOUTS } optout;

static bool has_args(const oracle_document *d, const oracle_edge *e)
{
    return e->from_arg < d->tasks[e->from].args &&
           e->to_arg < d->tasks[e->to].args;
}

/* An edge that the rules gave, or that the document says they gave. */
static bool is_automatic(const oracle_document *d, const oracle_edge *e)
{
    return e->source == ORACLE_AUTOMATIC && e->certain && e->from != e->to &&
           (has_args(d, e) || (d->derived == ORACLE_RULES_NONE &&
                               strcmp(e->kind.data, "creator") != 0));
}

static const oracle_arg *arg_at(const oracle_document *d, uint32_t task,
                                uint32_t arg)
{
    return &d->args[d->tasks[task].first_arg + arg];
}

/* --- Which edges are false --- */

static bool same_storage(const oracle_document *d, const oracle_arg *a,
                         const oracle_arg *b)
{
    return a->kind == ORACLE_ARG_BUFFER && b->kind == ORACLE_ARG_BUFFER &&
           a->buffer != ORACLE_NONE && b->buffer != ORACLE_NONE &&
           d->buffers[a->buffer].storage == d->buffers[b->buffer].storage;
}

/* Where the edge stands beside `edges`, as bits. */
static unsigned sources_of(const falses *f, uint32_t from, uint32_t to)
{
    const oracle_joins *joins = &f->edges->joins;
    return joins->by[oracle_joins_find(joins, from, to)];
}

/* A reason beside the bytes: a dep, a predicate, the orders of others. */
static bool has_reason(const falses *f, uint32_t from, uint32_t to)
{
    const oracle_task *a = &f->d->tasks[from], *b = &f->d->tasks[to];
    unsigned plain = ORACLE_JOIN_AUTOMATIC | ORACLE_JOIN_POLICY;
    return a->has_predicate || b->has_predicate || a->dummy || b->dummy ||
           oracle_shares_none(f->d, from) || oracle_shares_none(f->d, to) ||
           (sources_of(f, from, to) & ~plain) != 0;
}

/* Whether the arguments that gave the edge surely conflict: most do. */
static bool args_meet(falses *f, const oracle_edge *e)
{
    const oracle_document *d = f->d;
    const oracle_arg *a = arg_at(d, e->from, e->from_arg);
    const oracle_arg *b = arg_at(d, e->to, e->to_arg);
    for (uint32_t i = 0; i < a->accesses; i++) {
        const oracle_access *x = &d->accesses[a->first_access + i];
        for (uint32_t k = 0; k < b->accesses; k++) {
            const oracle_access *y = &d->accesses[b->first_access + k];
            bool reads = x->mode == ORACLE_READ && y->mode == ORACLE_READ;
            f->edges->shares.meetings++;
            if (!reads && oracle_places_meet(d, oracle_access_place(a, x),
                                             oracle_access_place(b, y)) !=
                              ORACLE_MEET_NEVER) {
                return true;
            }
        }
    }
    return !a->has_access || !b->has_access;
}

static bool is_false(falses *f, const oracle_edge *e)
{
    return !oracle_shares_spent(&f->edges->shares) &&
           !(has_args(f->d, e) && args_meet(f, e)) &&
           !has_reason(f, e->from, e->to) &&
           oracle_shares_find(&f->edges->shares, e->from, e->to,
                              ORACLE_SHARE_ANY) == 0;
}

/* --- Sites --- */

typedef struct site_key {
    int64_t from_line, to_line;
    uint32_t from_name, to_name;
} site_key;

static bool name_number(falses *f, uint32_t task, uint32_t *number)
{
    const oracle_text *name = &f->d->tasks[task].name;
    oracle_slot *slot = oracle_table_slot(&f->names, name->data, name->length);
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot =
            (oracle_slot){name->data, name->length, (uint32_t)f->names.used};
    }
    *number = slot->value;
    return true;
}

static int64_t pair_key(const oracle_edge *e)
{
    return (int64_t)((uint64_t)e->from << 32 | e->to);
}

static bool note_planned(falses *f, const oracle_edge *e, uint32_t site)
{
    if ((sources_of(f, e->from, e->to) & ORACLE_JOIN_POLICY) == 0) {
        return true;
    }
    oracle_id_slot *slot = oracle_id_table_slot(&f->pairs, pair_key(e));
    if (slot != NULL) {
        slot->value = site;
    }
    return slot != NULL;
}

static bool add_edge(falses *f, uint32_t index)
{
    const oracle_edge *e = &f->d->edges[index];
    site_key *key = oracle_arena_alloc(f->arena, sizeof *key);
    if (key == NULL || !name_number(f, e->from, &key->from_name) ||
        !name_number(f, e->to, &key->to_name)) {
        return false;
    }
    key->from_line = f->d->tasks[e->from].line;
    key->to_line = f->d->tasks[e->to].line;
    oracle_slot *slot =
        oracle_table_slot(&f->known, (const char *)key, sizeof *key);
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){(const char *)key, sizeof *key, f->count};
        pair_site *grown =
            oracle_arena_push(f->arena, f->sites, f->count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        f->sites = grown;
        bool told = has_args(f->d, e);
        grown[f->count++] =
            (pair_site){e->from, e->to, told ? e->from_arg : ORACLE_NONE,
                        told ? e->to_arg : ORACLE_NONE, 0};
    }
    f->sites[slot->value].edges++;
    f->site_of[index] = slot->value;
    return note_planned(f, e, slot->value);
}

/* A policy's edges of the same tasks go along with those of the rules. */
static void add_planned(falses *f)
{
    for (uint32_t i = 0; f->pairs.used > 0 && i < f->d->edge_count; i++) {
        const oracle_edge *e = &f->d->edges[i];
        if (e->source == ORACLE_POLICY && e->certain) {
            f->site_of[i] = oracle_id_table_find(&f->pairs, pair_key(e));
        }
    }
}

static bool find_false(falses *f)
{
    const oracle_document *d = f->d;
    f->site_of = oracle_arena_array(f->arena, d->edge_count, sizeof(uint32_t));
    if (f->site_of == NULL) {
        return false;
    }
    memset(f->site_of, 0xff, d->edge_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < d->edge_count; i++) {
        if (is_automatic(d, &d->edges[i]) && is_false(f, &d->edges[i]) &&
            !add_edge(f, i)) {
            return false;
        }
    }
    add_planned(f);
    return true;
}

/* --- What an opt-out takes away --- */

static bool same_callee(const oracle_document *d, uint32_t a, uint32_t b)
{
    const oracle_task *x = &d->tasks[a], *y = &d->tasks[b];
    return x->line == y->line && x->name.length == y->name.length &&
           memcmp(x->name.data, y->name.data, x->name.length) == 0;
}

/* Whether the opt-out silences this argument. */
static bool silences(const oracle_document *d, const pair_site *s, optout way,
                     uint32_t task, uint32_t arg)
{
    uint32_t site = way == OPT_TO ? s->to : s->from;
    if (way == OPT_TENSOR) {
        const oracle_arg *a = arg_at(d, s->to, s->to_arg);
        return same_storage(d, a, arg_at(d, task, arg));
    }
    return arg == (way == OPT_TO ? s->to_arg : s->from_arg) &&
           same_callee(d, task, site);
}

/* Whether an edge is left by some other pair of arguments. */
static bool stays(const falses *f, const pair_site *s, optout way,
                  const oracle_edge *e)
{
    const oracle_document *d = f->d;
    for (uint32_t a = 0; a < d->tasks[e->from].args; a++) {
        for (uint32_t b = 0; b < d->tasks[e->to].args; b++) {
            if (same_storage(d, arg_at(d, e->from, a), arg_at(d, e->to, b)) &&
                !silences(d, s, way, e->from, a) &&
                !silences(d, s, way, e->to, b) &&
                oracle_rules_join(d, d->derived, e->from, a, e->to, b)) {
                return true;
            }
        }
    }
    return false;
}

/* The document without what goes; false: an edge of the site would stay. */
static bool without(const falses *f, uint32_t number, optout way,
                    oracle_document *out, bool *frees, oracle_arena *arena)
{
    const oracle_document *d = f->d;
    const pair_site *s = &f->sites[number];
    *out = *d;
    out->edges = oracle_arena_array(arena, d->edge_count, sizeof *d->edges);
    out->edge_count = 0;
    *frees = true;
    if (out->edges == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *e = &d->edges[i];
        bool mine = f->site_of[i] == number, goes = mine;
        if (way != OPTOUTS && e->source != ORACLE_POLICY) {
            goes = is_automatic(d, e) &&
                   (silences(d, s, way, e->from, e->from_arg) ||
                    silences(d, s, way, e->to, e->to_arg) || mine) &&
                   !stays(f, s, way, e);
            *frees = *frees && (goes || !mine);
        }
        if (!goes) {
            out->edges[out->edge_count++] = *e;
        }
    }
    return true;
}

/* --- What is won, and whether anything is lost --- */

/* Tasks on the longest path, and pairs not in order, of all tasks together. */
static bool weigh(falses *f, const oracle_document *d, uint32_t *longest,
                  uint64_t *loose, oracle_arena *arena)
{
    oracle_execution *e = &f->execution;
    uint32_t *depth = oracle_arena_array(arena, d->task_count, sizeof *depth);
    e->document = d;
    e->arena = arena;
    if (depth == NULL ||
        !oracle_order_build(&e->certain, d, NULL, e->present, false, arena) ||
        !oracle_order_use(&e->certain, e->asking, arena)) {
        return false;
    }
    e->all = e->certain;
    *longest = 0;
    for (uint32_t i = 0; i < e->certain.present; i++) {
        uint32_t t = e->certain.sequence[i];
        for (uint32_t k = e->certain.first[t]; k < e->certain.first[t + 1];
             k++) {
            uint32_t other = depth[e->certain.before[k]];
            depth[t] = other > depth[t] ? other : depth[t];
        }
        depth[t]++;
        *longest = depth[t] > *longest ? depth[t] : *longest;
    }
    f->found.loose = 0;
    if (loose != NULL && !oracle_hazards_find(&f->found, e)) {
        return false;
    }
    *(loose == NULL ? &f->found.loose : loose) = f->found.loose;
    return true;
}

/* Accesses and atoms, which no edge changes: made once. */
static bool start_execution(falses *f)
{
    const oracle_document *d = f->d;
    bool *present = oracle_arena_alloc(f->arena, d->task_count);
    f->found = (oracle_hazards){.arena = f->arena, .only_count = true};
    f->found.large = oracle_arena_alloc(f->arena, d->buffer_count);
    f->found.unsure = oracle_arena_alloc(f->arena, d->buffer_count);
    f->execution = (oracle_execution){.document = d,
                                      .asking = &f->judging->asking,
                                      .present = present,
                                      .complete = true,
                                      .arena = f->arena,
                                      .shared = f->arena};
    if (present == NULL || f->found.large == NULL || f->found.unsure == NULL ||
        !oracle_execution_start(&f->execution)) {
        return false;
    }
    memset(present, true, d->task_count);
    return weigh(f, d, &f->longest, &f->loose, f->arena);
}

/* What is asked of a try: every edge and access. */
static uint64_t size_of(const falses *f)
{
    const oracle_document *d = f->d;
    /* Of an edge all pairs of arguments are looked at. */
    uint64_t size = d->task_count + UINT64_C(8) * d->edge_count;
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        const oracle_atoms *atoms = &f->execution.views[b].atoms;
        for (uint32_t a = 0; a < atoms->count; a++) {
            size += atoms->atoms[a].count;
        }
    }
    return size;
}

/* What an opt-out frees, and whether nothing is lost by it. */
static bool try_way(falses *f, uint32_t number, optout way, uint32_t *longest,
                    bool *good)
{
    oracle_document changed;
    uint64_t loose = 0;
    bool frees = false, all = way == OPTOUTS;
    oracle_arena *arena = oracle_arena_create();
    bool ok =
        arena != NULL && without(f, number, way, &changed, &frees, arena) &&
        (!frees || weigh(f, &changed, longest, all ? NULL : &loose, arena));
    *good = ok && frees && !f->found.uncounted && (all || loose == f->loose);
    oracle_arena_free(arena);
    f->tried += f->size;
    return ok;
}

/*
 * The narrowest opt-out that loses no order; OPTOUTS: none was found. Of
 * sites for which no advice is wanted nothing is tried.
 */
static bool choose(falses *f, uint32_t number, optout *way, uint32_t *longest)
{
    bool ok = true, good = false;
    uint32_t advised = f->judging->advised;
    bool told = f->d->derived != ORACLE_RULES_NONE &&
                f->sites[number].from_arg != ORACLE_NONE;
    if (advised > 0 && number >= advised) {
        *way = OPTOUTS;
        *longest = 0;
        return true;
    }
    for (*way = OPT_TO;
         ok && told && *way < OPTOUTS && number < SITES && f->tried < TRIED;
         (*way)++) {
        ok = try_way(f, number, *way, longest, &good);
        if (good) {
            return ok;
        }
    }
    *way = OPTOUTS;
    *longest = 0;
    return ok &&
           (f->tried >= WEIGHED || try_way(f, number, OPTOUTS, longest, &good));
}

/* --- The note --- */

static uint32_t storage_of(const oracle_document *d, const pair_site *s)
{
    return d->buffers[arg_at(d, s->to, s->to_arg)->buffer].storage;
}

/* Why the first edge of a site is there. */
typedef struct reasons {
    oracle_edge_reason list[REASONS + 1];
    uint32_t count, left; /* listed; of the rules, beyond them */
} reasons;

static void reasons_of(const falses *f, const pair_site *s, reasons *out)
{
    const oracle_document *d = f->d;
    bool derived = d->derived != ORACLE_RULES_NONE;
    *out = (reasons){.count = 0};
    for (uint32_t a = 0; derived && a < d->tasks[s->from].args; a++) {
        for (uint32_t b = 0; b < d->tasks[s->to].args; b++) {
            if (!same_storage(d, arg_at(d, s->from, a), arg_at(d, s->to, b)) ||
                !oracle_rules_join(d, d->derived, s->from, a, s->to, b)) {
                continue;
            }
            if (out->count < REASONS) {
                out->list[out->count++] =
                    (oracle_edge_reason){ORACLE_AUTOMATIC, a, b};
            } else {
                out->left++;
            }
        }
    }
    if (out->count == 0) {
        out->list[out->count++] =
            (oracle_edge_reason){ORACLE_AUTOMATIC, s->from_arg, s->to_arg};
    }
    if ((sources_of(f, s->from, s->to) & ORACLE_JOIN_POLICY) != 0) {
        out->list[out->count++] =
            (oracle_edge_reason){ORACLE_POLICY, ORACLE_NONE, ORACLE_NONE};
    }
}

static const char *tell_reason(const oracle_edge_reason *r, oracle_arena *arena)
{
    return r->source == ORACLE_POLICY ? "the policy"
           : r->from_arg == ORACLE_NONE
               ? "the rules"
               : oracle_arena_format(arena,
                                     "argument %u of the one and %u of the "
                                     "other",
                                     (unsigned)r->from_arg,
                                     (unsigned)r->to_arg);
}

/* Where all of them must go; one alone is what the fix names. */
static const char *tell_reasons(const reasons *r, oracle_arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; r->count > 1 && text != NULL && i < r->count; i++) {
        const char *one = tell_reason(&r->list[i], arena);
        text = one == NULL
                   ? NULL
                   : oracle_arena_format(arena, "%s%s %s", text,
                                         i == 0 ? ", this one by" : " and by",
                                         one);
    }
    return text == NULL || r->left == 0
               ? text
               : oracle_arena_format(arena, "%s and by %u more pairs", text,
                                     (unsigned)r->left);
}

static const char *fix_of(falses *f, const pair_site *s, optout way,
                          const char *from, const char *to)
{
    const oracle_document *d = f->d;
    switch (way) {
    case OPT_TO:
        return oracle_arena_format(f->judging->arena,
                                   "dispatch argument %u of %s as no_dep",
                                   (unsigned)s->to_arg, to);
    case OPT_FROM:
        return oracle_arena_format(f->judging->arena,
                                   "dispatch argument %u of %s as no_dep",
                                   (unsigned)s->from_arg, from);
    case OPT_TENSOR:
        return oracle_arena_format(f->judging->arena,
                                   "create %.96s with manual_dep",
                                   d->buffers[storage_of(d, s)].key.data);
    default:
        return "put them into a manual scope and write the deps that are "
               "needed";
    }
}

static const char *won_by(const falses *f, uint32_t longest)
{
    oracle_arena *arena = f->judging->arena;
    return longest == 0 ? ""
           : longest == f->longest
               ? oracle_arena_format(arena,
                                     "; the longest path stays at %u tasks",
                                     (unsigned)longest)
               : oracle_arena_format(
                     arena, "; the longest path is then %u tasks, not %u",
                     (unsigned)longest, (unsigned)f->longest);
}

static const char *message_of(falses *f, const pair_site *s, optout way,
                              const char *won, const char *why)
{
    oracle_arena *arena = f->judging->arena;
    const char *from = oracle_tell_task(arena, f->d, s->from);
    const char *to = oracle_tell_task(arena, f->d, s->to);
    const char *fix =
        from == NULL || to == NULL ? NULL : fix_of(f, s, way, from, to);
    return fix == NULL || won == NULL || why == NULL
               ? NULL
               : oracle_arena_format(
                     arena,
                     "%s waits for %s though they touch no common bytes (%u %s "
                     "between these callees%s): %s%s.",
                     to, from, (unsigned)s->edges,
                     s->edges == 1 ? "edge" : "edges", why, fix, won);
}

static bool report(falses *f, uint32_t number)
{
    const oracle_document *d = f->d;
    const pair_site *s = &f->sites[number];
    oracle_judging *j = f->judging;
    reasons why;
    oracle_record record = oracle_record_of("edge.false", ORACLE_NOTE);
    optout way;
    uint32_t longest = 0;
    if (!choose(f, number, &way, &longest)) {
        return false;
    }
    reasons_of(f, s, &why);
    record.producer = (oracle_end){s->from, s->from_arg, false};
    record.consumer = (oracle_end){s->to, s->to_arg, false};
    record.has_storage = s->to_arg != ORACLE_NONE &&
                         arg_at(d, s->to, s->to_arg)->buffer != ORACLE_NONE;
    if (record.has_storage) {
        record.storage = storage_of(d, s);
        const oracle_buffer *root = &d->buffers[record.storage];
        record.end = root->has_bytes ? root->bytes : INT64_MAX;
    }
    record.count = s->edges;
    record.witness =
        oracle_witness_false(d, s->from, s->to, why.list, why.count, j->arena);
    record.message =
        message_of(f, s, way, won_by(f, longest), tell_reasons(&why, j->arena));
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static int compare_site(const void *a, const void *b)
{
    const pair_site *x = a, *y = b;
    if (x->edges != y->edges) {
        return x->edges > y->edges ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

/* The sites with most edges first; edges know their new numbers. */
static bool sort_sites(falses *f)
{
    uint32_t *now = oracle_arena_array(f->arena, f->count, sizeof *now);
    oracle_id_table places = {0};
    bool ok = now != NULL;
    for (uint32_t i = 0; ok && i < f->count; i++) {
        const pair_site *s = &f->sites[i];
        oracle_id_slot *slot = oracle_id_table_slot(
            &places, (int64_t)((uint64_t)s->from << 32 | s->to));
        ok = slot != NULL;
        if (ok) {
            slot->value = i;
        }
    }
    if (ok) {
        qsort(f->sites, f->count, sizeof *f->sites, compare_site);
    }
    for (uint32_t i = 0; ok && i < f->count; i++) {
        const pair_site *s = &f->sites[i];
        now[oracle_id_table_find(
            &places, (int64_t)((uint64_t)s->from << 32 | s->to))] = i;
    }
    for (uint32_t i = 0; ok && i < f->d->edge_count; i++) {
        uint32_t site = f->site_of[i];
        f->site_of[i] = site == ORACLE_NONE ? ORACLE_NONE : now[site];
    }
    oracle_id_table_free(&places);
    return ok;
}

bool oracle_judge_false(oracle_edges *edges)
{
    falses f = {.edges = edges,
                .judging = edges->judging,
                .d = edges->d,
                .arena = edges->arena};
    if (f.judging->cyclic) {
        return true;
    }
    bool ok = find_false(&f);
    if (ok && f.count > 0) {
        ok = sort_sites(&f) && start_execution(&f);
        f.size = ok ? size_of(&f) : 0;
        for (uint32_t i = 0; ok && i < f.count; i++) {
            ok = report(&f, i);
        }
    }
    oracle_table_free(&f.names);
    oracle_table_free(&f.known);
    oracle_id_table_free(&f.pairs);
    return ok;
}
