/*
 * Checks a certificate (docs/formats.md): that every read of a document gets,
 * in every legal order of every execution that is judged, the value that it
 * gets in program order. Conflicts are looked for here, by plain loops over
 * all pairs of accesses; nothing is shared with what finds hazards.
 */
#include "checker_clean.h"
#include "execution.h"
#include "region.h"

#include <string.h>

/* --- The order, and what each task reaches --- */

static bool take_edge(oracle_clean *k, uint32_t from, uint32_t to, bool certain)
{
    const oracle_claim *m = &k->claim;
    if (from == ORACLE_NONE || from == to) {
        return true;
    }
    if (m->place[from] >= m->place[to]) {
        return ORACLE_REFUSE(k, "the order breaks an edge");
    }
    size_t own = (size_t)to * m->width, other = (size_t)from * m->width;
    for (uint32_t c = 0; certain && c < m->width; c++) {
        uint32_t least = m->reach[other + c] + (c == m->chain[to]);
        if (least > m->reach[own + c]) {
            return ORACLE_REFUSE(k, "a task reaches more than is claimed");
        }
        k->follows[own + c] |= least == m->reach[own + c];
    }
    return true;
}

static bool check_order(oracle_clean *k)
{
    const oracle_document *d = k->d;
    const oracle_claim *m = &k->claim;
    size_t positions = (size_t)d->task_count * m->width;
    uint32_t *length = oracle_arena_array(k->arena, m->width, sizeof *length);
    k->follows = oracle_arena_alloc(k->arena, positions);
    if (length == NULL || k->follows == NULL) {
        return ORACLE_REFUSE(k, ORACLE_UNCHECKED);
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        const oracle_edge *edge = &d->edges[e];
        if (!take_edge(k, edge->from, edge->to, edge->certain)) {
            return false;
        }
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            if (!take_edge(k, d->deps[d->tasks[t].first_dep + i].task, t,
                           true)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t t = m->order[i], own = m->chain[t];
        const uint32_t *row = m->reach + (size_t)t * m->width;
        if (row[own] != ++length[own]) {
            return ORACLE_REFUSE(k, "two tasks stand at one place of a chain");
        }
        for (uint32_t c = 0; c < m->width; c++) {
            bool first = c == own && row[c] == 1;
            if (row[c] > 0 && !first && !k->follows[(size_t)t * m->width + c]) {
                return ORACLE_REFUSE(
                    k, "nothing leads to a position that is claimed");
            }
        }
    }
    return true;
}

bool oracle_clean_before(const oracle_clean *k, uint32_t a, uint32_t b)
{
    const oracle_claim *m = &k->claim;
    uint32_t c = m->chain[a];
    return a != b && m->reach[(size_t)b * m->width + c] >=
                         m->reach[(size_t)a * m->width + c];
}

static bool meet(const oracle_clean *k, const oracle_access_of *a,
                 const oracle_access_of *b)
{
    return oracle_places_meet(k->d, a->place, b->place) != ORACLE_MEET_NEVER;
}

/* --- Conflicts: one before the other, or nobody sees which --- */

/* An edge that is there exactly when the bytes of its arguments meet. */
static bool own_edge(const oracle_clean *k, const oracle_access_of *a,
                     const oracle_access_of *b)
{
    for (uint32_t e = 0; e < k->d->edge_count; e++) {
        const oracle_edge *x = &k->d->edges[e];
        if (!x->certain && x->from == a->task && x->to == b->task &&
            (x->from_arg == ORACLE_NONE || x->from_arg == a->arg) &&
            (x->to_arg == ORACLE_NONE || x->to_arg == b->arg)) {
            return true;
        }
    }
    return false;
}

uint32_t oracle_clean_cover(oracle_clean *k, const oracle_access_of *r,
                            uint32_t i)
{
    uint32_t last = ORACLE_NONE;
    k->steps += k->count;
    for (; i < k->count && k->list[i].task < r->task; i++) {
        const oracle_access_of *w = &k->list[i];
        if (w->sure && w->storage == r->storage &&
            oracle_place_covers(k->d, w->place, r->place)) {
            last = i;
        }
    }
    return last;
}

/* Two writes that the certificate names, and no read that sees either. */
static bool excused(oracle_clean *k, uint32_t i, uint32_t j)
{
    const oracle_access_of *a = &k->list[i], *b = &k->list[j];
    bool named = false;
    for (uint32_t n = 0; n < k->c.excuse_count; n++) {
        oracle_excuse *e = &k->c.excuses[n];
        bool is = e->tasks[0] == k->d->tasks[a->task].id &&
                  e->tasks[1] == k->d->tasks[b->task].id &&
                  e->args[0] == a->arg && e->args[1] == b->arg;
        named |= is;
        e->needed |= is;
    }
    bool fine = named && !a->reads && !b->reads && !k->owned[a->storage] &&
                k->d->may_alias_count == 0 && !k->d->has_plan;
    for (uint32_t n = i + 1; fine && n < k->count; n++) {
        const oracle_access_of *r = &k->list[n];
        fine = !r->reads || r->task == a->task || r->storage != a->storage ||
               !meet(k, r, a) || !meet(k, r, b) ||
               (r->task > b->task &&
                oracle_clean_cover(k, r, j + 1) != ORACLE_NONE);
    }
    return fine;
}

static bool check_conflicts(oracle_clean *k)
{
    for (uint32_t i = 0; i < k->count; i++) {
        const oracle_access_of *a = &k->list[i];
        for (uint32_t j = i + 1; j < k->count; j++) {
            const oracle_access_of *b = &k->list[j];
            if ((a->storage != b->storage && k->d->may_alias_count == 0) ||
                !(a->writes || b->writes) || (a->adds && b->adds) ||
                a->task == b->task ||
                oracle_clean_before(k, a->task, b->task)) {
                continue;
            }
            k->steps += k->d->edge_count + k->c.excuse_count + UINT64_C(1);
            if (!own_edge(k, a, b) && meet(k, a, b) && !excused(k, i, j)) {
                return ORACLE_REFUSE(
                    k, "tasks %lld and %lld are in no order on %.60s",
                    (long long)k->d->tasks[a->task].id,
                    (long long)k->d->tasks[b->task].id,
                    k->d->buffers[a->storage].key.data);
            }
        }
        k->steps += k->count;
        if (k->steps > ORACLE_MOST_STEPS) {
            return ORACLE_REFUSE(k, "there are too many pairs to look at all");
        }
    }
    return true;
}

/* --- Reads of bytes without a value from the start come behind writes --- */

static bool check_written(oracle_clean *k)
{
    for (uint32_t i = 0; i < k->count; i++) {
        const oracle_access_of *r = &k->list[i];
        uint32_t parts = 0;
        bool written = !r->reads || k->filled[r->storage];
        for (uint32_t n = 0; n < k->count && !written; n++) {
            const oracle_access_of *w = &k->list[n];
            if (w->fills && w->task < r->task && w->storage == r->storage) {
                written = oracle_place_covers(k->d, w->place, r->place);
                k->parts[parts++] = w->place;
            }
        }
        if (!written && !oracle_places_fill(k->d, k->parts, parts, r->place)) {
            return ORACLE_REFUSE(
                k, "no task before surely writes what task %lld reads of %.60s",
                (long long)k->d->tasks[r->task].id,
                k->d->buffers[r->storage].key.data);
        }
    }
    return true;
}

/* No task that was submitted before may be at what the host touches. */
static bool check_host(oracle_clean *k)
{
    for (uint32_t h = 0; h < k->d->host_access_count; h++) {
        const oracle_host_access *x = &k->d->host_accesses[h];
        uint32_t last = oracle_id_table_find(&k->c.proof.ids, x->after);
        oracle_place place = {x->buffer, x->region};
        for (uint32_t i = 0; last != ORACLE_NONE && i < k->count; i++) {
            const oracle_access_of *a = &k->list[i];
            if (a->task <= last && (a->writes || x->mode != ORACLE_READ) &&
                oracle_places_meet(k->d, a->place, place) !=
                    ORACLE_MEET_NEVER) {
                return ORACLE_REFUSE(k,
                                     "the host touches %.60s while tasks may",
                                     k->d->buffers[a->storage].key.data);
            }
        }
    }
    return true;
}

/* --- All executions --- */

static bool check_execution(oracle_clean *k, const oracle_document *d)
{
    k->d = d;
    k->owned = oracle_arena_alloc(k->arena, d->buffer_count);
    k->filled = oracle_arena_alloc(k->arena, d->buffer_count);
    k->base = oracle_arena_array(k->arena, d->buffer_count, sizeof *k->base);
    bool ok = k->owned != NULL && k->filled != NULL && k->base != NULL;
    if (!ok || !oracle_accesses_list(&k->list, &k->count, d,
                                     ORACLE_CERTIFICATE_ACCESSES, k->arena)) {
        return ORACLE_REFUSE(k, ok && k->list != NULL ? "too many accesses"
                                                      : ORACLE_UNCHECKED);
    }
    k->parts = oracle_arena_array(k->arena, k->count, sizeof *k->parts);
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t s = d->buffers[b].storage;
        k->owned[s] |= d->buffers[b].external;
        k->filled[s] |= d->buffers[b].external || d->buffers[s].init;
    }
    return k->parts != NULL && oracle_certificate_claim(&k->c, d, &k->claim) &&
           check_order(k) && check_conflicts(k) && check_written(k) &&
           check_host(k) && oracle_clean_addresses(k);
}

static bool check_all(oracle_clean *k, const oracle_document *d)
{
    oracle_arena *arena = k->c.proof.arena;
    oracle_executions all;
    oracle_error error;
    bool *values = oracle_arena_alloc(arena, d->choice_count), *claimed;
    bool ok = values != NULL && oracle_executions_start(&all, d, arena);
    for (uint32_t n = 0; ok && n < oracle_execution_count(d); n++) {
        oracle_document one;
        oracle_execution_choices(&all, n, values);
        ok = oracle_check_about(&k->c.proof, d) &&
             oracle_certificate_next(&k->c, &claimed);
        if (ok && memcmp(values, claimed, d->choice_count) != 0) {
            return ORACLE_REFUSE(k, "an execution is missing");
        }
        ok = ok &&
             oracle_document_restrict(&one, d, values, &error) == ORACLE_OK;
        if (ok) {
            k->arena = one.arena;
            ok = check_execution(k, &one);
            oracle_document_free(&one);
        }
    }
    for (uint32_t n = 0; ok && n < k->c.excuse_count; n++) {
        ok = k->c.excuses[n].needed ||
             ORACLE_REFUSE(k, "an excuse is not needed");
    }
    return ok && oracle_certificate_done(&k->c);
}

bool oracle_clean_check(const oracle_document *derived, const char *digest,
                        const char *text, size_t length, char *reason,
                        size_t size)
{
    static const char *const rules[] = {"none", "conservative", "tensormap"};
    oracle_clean k = {.steps = 0};
    bool ok =
        oracle_certificate_start(&k.c, derived, text, length, reason, size);
    if (ok && (strcmp(k.c.document, digest) != 0 ||
               strcmp(k.c.rules, rules[derived->derived]) != 0)) {
        ok = ORACLE_REFUSE(&k, "it is of another document or another rule set");
    }
    if (ok && (derived->ambiguous || derived->run != NULL ||
               derived->remark_count > 0 || derived->rules)) {
        ok =
            ORACLE_REFUSE(&k, "the document is not fully read, or is of a run");
    }
    for (uint32_t i = 0; ok && i < derived->dynamic_count; i++) {
        ok = derived->dynamics[i].tasks > 0 ||
             ORACLE_REFUSE(&k, "a part of the document has no tasks");
    }
    ok = ok && check_all(&k, derived);
    return oracle_check_end(&k.c.proof, ok);
}
