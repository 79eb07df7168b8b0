/*
 * Making certificates: the chains of each execution, and the dead writes. What
 * is made is checked before it is given away, so that what cannot be shown by
 * plain loops over all pairs is not claimed.
 */
#include "certificate.h"

#include "execution.h"
#include "finding.h"
#include "order_chains.h"
#include "witness_accesses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXCUSES 4096

typedef struct making {
    const oracle_document *d; /* with all its executions */
    oracle_out executions;
    oracle_excuse *excuses;
    uint32_t excuse_count;
    uint64_t positions;
    bool large;
    oracle_arena *arena;
} making;

static void put_id(oracle_out *out, uint32_t n, int64_t id)
{
    oracle_out_text(out, n == 0 ? "" : ",");
    oracle_out_int(out, id);
}

/* Ids, and [first, last] where three or more follow in program order. */
static void put_order(oracle_out *out, const oracle_document *d,
                      const oracle_order *order)
{
    const uint32_t *s = order->sequence;
    for (uint32_t i = 0, end = 0; i < order->present; i = end) {
        for (end = i + 1; end < order->present && s[end] == s[end - 1] + 1;) {
            end++;
        }
        if (end - i < 3) {
            end = i + 1;
            put_id(out, i, d->tasks[s[i]].id);
        } else {
            oracle_out_format(out, "%s[%" PRId64 ",%" PRId64 "]",
                              i == 0 ? "" : ",", d->tasks[s[i]].id,
                              d->tasks[s[end - 1]].id);
        }
    }
}

static void put_choices(oracle_out *out, const oracle_document *d,
                        const bool *values)
{
    for (uint32_t c = 0; c < d->choice_count; c++) {
        oracle_out_format(out, "%s{\"choice\":%" PRId64 ",\"is\":%s}",
                          c == 0 ? "" : ",", d->choices[c].id,
                          values[c] ? "true" : "false");
    }
}

static void put_execution(oracle_out *out, const oracle_document *d,
                          const bool *values, const oracle_order *order,
                          const oracle_chains *chains)
{
    oracle_out_text(out, out->length == 0 ? "{\"chains\":[" : ",{\"chains\":[");
    for (uint32_t t = 0; t < d->task_count; t++) {
        put_id(out, t, chains->chain[t]);
    }
    oracle_out_text(out, "],\"choices\":[");
    put_choices(out, d, values);
    oracle_out_text(out, "],\"order\":[");
    put_order(out, d, order);
    oracle_out_text(out, "],\"reach\":[");
    for (uint32_t t = 0; t < d->task_count; t++) {
        oracle_out_text(out, t == 0 ? "[" : ",[");
        for (uint32_t c = 0; c < chains->wide[t]; c++) {
            put_id(out, c, chains->reach[t][c]);
        }
        oracle_out_text(out, "]");
    }
    oracle_out_text(out, "]}");
}

/* --- Writes without an order --- */

static bool keep_excuse(making *m, const oracle_document *d,
                        const oracle_access_of *a, const oracle_access_of *b)
{
    oracle_excuse e = {
        {d->tasks[a->task].id, d->tasks[b->task].id}, {a->arg, b->arg}, false};
    for (uint32_t i = 0; i < m->excuse_count; i++) {
        const oracle_excuse *x = &m->excuses[i];
        if (x->tasks[0] == e.tasks[0] && x->tasks[1] == e.tasks[1] &&
            x->args[0] == e.args[0] && x->args[1] == e.args[1]) {
            return true;
        }
    }
    oracle_excuse *grown =
        oracle_arena_push(m->arena, m->excuses, m->excuse_count, sizeof e);
    if (grown == NULL) {
        return false;
    }
    m->large = m->large || m->excuse_count == EXCUSES;
    m->excuses = grown;
    m->excuses[m->excuse_count++] = e;
    return true;
}

static bool may_conflict(const oracle_document *d, const oracle_access_of *a,
                         const oracle_access_of *b)
{
    return a->task != b->task && a->storage == b->storage && a->writes &&
           b->writes && !(a->adds && b->adds) &&
           oracle_places_meet(d, a->place, b->place) != ORACLE_MEET_NEVER;
}

static bool find_excuses(making *m, const oracle_document *d,
                         const oracle_chains *chains, oracle_arena *arena)
{
    oracle_access_of *list;
    uint32_t count;
    if (!oracle_accesses_list(&list, &count, d, ORACLE_CERTIFICATE_ACCESSES,
                              arena)) {
        m->large = list != NULL;
        return m->large;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count && !m->large; j++) {
            const oracle_access_of *a = &list[i], *b = &list[j];
            if (a->writes && b->writes && a->storage == b->storage &&
                !oracle_chains_before(chains, a->task, b->task) &&
                may_conflict(d, a, b) && !keep_excuse(m, d, a, b)) {
                return false;
            }
        }
    }
    return true;
}

/* --- The executions --- */

static bool make_execution(making *m, const oracle_document *d,
                           const bool *values)
{
    oracle_order certain, all;
    oracle_chains chains;
    bool *present = oracle_arena_alloc(d->arena, d->task_count);
    if (present == NULL) {
        return false;
    }
    memset(present, true, d->task_count);
    if (!oracle_order_build(&certain, d, NULL, present, false, d->arena) ||
        !oracle_order_build(&all, d, NULL, present, true, d->arena)) {
        return false;
    }
    if (all.cycle_count > 0) {
        return true; /* not clean: the execution is missing */
    }
    oracle_chains_result result =
        oracle_chains_build(&chains, &certain, d->arena);
    if (result == ORACLE_CHAINS_NO_MEMORY) {
        return false;
    }
    m->positions += (uint64_t)d->task_count * chains.width;
    m->large = m->large || result == ORACLE_CHAINS_WIDE ||
               m->positions > ORACLE_CERTIFICATE_POSITIONS;
    if (m->large) {
        return true;
    }
    put_execution(&m->executions, d, values, &all, &chains);
    return find_excuses(m, d, &chains, d->arena);
}

static bool make_all(making *m)
{
    oracle_executions all;
    oracle_error error;
    bool *values = oracle_arena_alloc(m->arena, m->d->choice_count);
    bool ok = values != NULL && oracle_executions_start(&all, m->d, m->arena);
    uint64_t count = oracle_execution_count(m->d);
    for (uint64_t n = 0; ok && n < count && !m->large; n++) {
        oracle_document one;
        oracle_execution_choices(&all, (uint32_t)n, values);
        ok = oracle_document_restrict(&one, m->d, values, &error) == ORACLE_OK;
        if (ok) {
            ok = make_execution(m, &one, values);
            oracle_document_free(&one);
        }
    }
    return ok && !m->executions.failed;
}

static void put_certificate(oracle_out *out, const making *m,
                            const char *digest)
{
    static const char *const rules[] = {"none", "conservative", "tensormap"};
    oracle_out_format(out, "{\"document\":\"%s\",\"excused\":[", digest);
    for (uint32_t i = 0; i < m->excuse_count; i++) {
        const oracle_excuse *e = &m->excuses[i];
        oracle_out_format(out,
                          "%s{\"args\":[%" PRId64 ",%" PRId64
                          "],\"tasks\":[%" PRId64 ",%" PRId64
                          "],\"why\":\"dead-write\"}",
                          i == 0 ? "" : ",", e->args[0], e->args[1],
                          e->tasks[0], e->tasks[1]);
    }
    oracle_out_text(out, "],\"executions\":[");
    oracle_out_text(out, m->executions.length == 0 ? "" : m->executions.data);
    oracle_out_format(
        out, "],\"kind\":\"certificate\",\"rules\":\"%s\",\"version\":1}",
        rules[m->d->derived]);
}

static bool decline(char *reason, size_t size, const char *text)
{
    snprintf(reason, size, "%s", text);
    return false;
}

bool oracle_certificate_make(char **text, const oracle_document *d,
                             const char *digest, char *reason, size_t size)
{
    making m = {.d = d, .arena = oracle_arena_create()};
    oracle_out out = {0};
    char why[160];
    *text = NULL;
    reason[0] = '\0';
    bool ok = m.arena != NULL && make_all(&m);
    if (ok && m.large) {
        ok = decline(reason, size,
                     "it is too large to be certified: more than "
                     "8,388,608 positions on chains, 32,768 accesses or 4,096 "
                     "dead writes");
    }
    if (ok) {
        put_certificate(&out, &m, digest);
        ok = !out.failed;
    }
    if (ok &&
        !oracle_clean_check(d, digest, out.data, out.length, why, sizeof why)) {
        ok = false;
        if (strcmp(why, ORACLE_UNCHECKED) != 0) {
            snprintf(reason, size,
                     "not every conflict is shown to be in order: %s", why);
        }
    }
    if (ok) {
        *text = out.data;
        out.data = NULL;
    }
    oracle_out_free(&out);
    oracle_out_free(&m.executions);
    oracle_arena_free(m.arena);
    return ok;
}

static oracle_status read_derived(oracle_document *d, const char *text,
                                  size_t length,
                                  const oracle_judge_options *options,
                                  oracle_error *error)
{
    oracle_read_options reading = {
        .lenient = options != NULL && options->lenient,
        .score = options != NULL && options->score,
        .rules = options == NULL ? NULL : options->rules,
    };
    oracle_status status =
        oracle_document_read(d, text, length, &reading, error);
    if (status == ORACLE_OK && !d->ambiguous) {
        status = oracle_document_derive(d, error);
        if (status != ORACLE_OK) {
            oracle_document_free(d);
        }
    }
    return status;
}

bool oracle_may_certify(const oracle_judgement *judgement)
{
    static const char *const beside[] = {"limit.", "edge.", "direction.",
                                         "policy.", "adapter."};
    const oracle_judgement *j = judgement;
    bool may = j->fault == NULL && j->undecided_count == 0 &&
               (j->verdict == ORACLE_CLEAN ||
                (j->verdict == ORACLE_FINDINGS && j->total == j->count));
    for (uint32_t i = 0; may && i < j->count; i++) {
        const oracle_finding *f = &j->findings[i];
        may = f->severity == ORACLE_NOTE;
        for (size_t n = 0; n < sizeof beside / sizeof *beside; n++) {
            may |= f->severity == ORACLE_WARNING &&
                   strncmp(f->rule, beside[n], strlen(beside[n])) == 0;
        }
    }
    return may;
}

oracle_status oracle_certify_document(char **certificate,
                                      const oracle_document *derived,
                                      oracle_bytes text, char *reason,
                                      size_t reason_size)
{
    char digest[65];
    oracle_digest(digest, text.data, text.length);
    oracle_certificate_make(certificate, derived, digest, reason, reason_size);
    return *certificate == NULL && reason[0] == '\0' ? ORACLE_NO_MEMORY
                                                     : ORACLE_OK;
}

oracle_status oracle_certify(char **certificate, const char *text,
                             size_t length, const oracle_judge_options *options,
                             char *reason, size_t reason_size)
{
    oracle_document d;
    oracle_error error;
    *certificate = NULL;
    oracle_status status = read_derived(&d, text, length, options, &error);
    if (status != ORACLE_OK) {
        decline(reason, reason_size, error.message);
        return status == ORACLE_NO_MEMORY ? status : ORACLE_OK;
    }
    status = oracle_certify_document(
        certificate, &d, (oracle_bytes){text, length}, reason, reason_size);
    oracle_document_free(&d);
    return status;
}

oracle_status oracle_certificate_check(bool *holds, const char *text,
                                       size_t length, const char *certificate,
                                       size_t certificate_length,
                                       const oracle_judge_options *options,
                                       char *reason, size_t reason_size)
{
    char digest[65];
    oracle_document d;
    oracle_error error;
    oracle_status status = read_derived(&d, text, length, options, &error);
    *holds = false;
    if (status != ORACLE_OK) {
        decline(reason, reason_size, error.message);
        return status == ORACLE_NO_MEMORY ? status : ORACLE_OK;
    }
    oracle_digest(digest, text, length);
    *holds = oracle_clean_check(&d, digest, certificate, certificate_length,
                                reason, reason_size);
    oracle_document_free(&d);
    return !*holds && strcmp(reason, ORACLE_UNCHECKED) == 0 ? ORACLE_NO_MEMORY
                                                            : ORACLE_OK;
}
