/*
 * A thousand corrupted witnesses: the checker accepts exactly those that still
 * prove their rule, which is decided here by running the accesses byte by byte.
 */
#include "../../scripts/testing/harness.h"

#include "../witness_read.h"
#include "oracle/judge.h"
#include "proof_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 4

/* What a byte holds: the last plain write, a mark per accumulation since. */
typedef struct content {
    uint32_t plain, last;
    uint64_t added;
} content;

typedef struct claim {
    oracle_check c;
    uint32_t storage, reader;
    int64_t byte;
    uint64_t sum; /* accumulations to what is read, where all else is nothing */
    bool planned, by_address; /* of a memory plan; what an address holds */
    int64_t base[MAKER_TASKS], address; /* by storage; -1: no place */
} claim;

static bool covers(const oracle_document *d, oracle_place place, const claim *k)
{
    const oracle_buffer *b = &d->buffers[place.buffer];
    int64_t begin = 0, end = b->bytes;
    if (place.region != ORACLE_NONE) {
        const oracle_region *r = &d->regions[place.region];
        begin = r->base.c;
        end = begin + d->dims[r->first].count.c;
    }
    int64_t at = k->byte;
    if (k->by_address && k->base[b->storage] >= 0) {
        at = k->address - k->base[b->storage];
    } else if (k->by_address || b->storage != k->storage) {
        return false;
    }
    return begin <= at && at < end;
}

static bool reads(const claim *k, uint32_t t)
{
    const oracle_document *d = &k->c.d;
    const oracle_task *task = &d->tasks[t];
    oracle_place operand = {task->predicate_buffer, task->predicate_region};
    bool any = task->has_predicate && covers(d, operand, k);
    for (uint32_t a = task->first_arg; a < task->first_arg + task->args; a++) {
        const oracle_access *x = &d->accesses[d->args[a].first_access];
        bool reading = x->mode == ORACLE_READ || x->mode == ORACLE_READ_WRITE;
        any |= reading && covers(d, oracle_access_place(&d->args[a], x), k);
    }
    return any;
}

static void run_task(claim *k, uint32_t t, content *now)
{
    const oracle_document *d = &k->c.d;
    const oracle_task *task = &d->tasks[t];
    for (uint32_t a = task->first_arg; a < task->first_arg + task->args; a++) {
        const oracle_access *x = &d->accesses[d->args[a].first_access];
        bool sure = x->must && !task->has_predicate;
        if (x->mode == ORACLE_READ ||
            !covers(d, oracle_access_place(&d->args[a], x), k) ||
            (!sure && oracle_check_skips(&k->c, t, a - task->first_arg))) {
            continue;
        }
        if (x->mode == ORACLE_ACCUMULATE) {
            /* What is first added to nothing starts a value. */
            if (k->sum != 0 && (now->added & k->sum) == 0 &&
                (k->sum >> a & 1)) {
                now->plain = ORACLE_NONE;
                now->added = 0;
            }
            now->added |= UINT64_C(1) << a;
        } else {
            now->plain = a;
            now->added = 0;
        }
        now->last = t;
    }
}

static content run_until(claim *k, const uint32_t *order, uint32_t count)
{
    content now = {ORACLE_NONE, ORACLE_NONE, 0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = order == NULL ? i : order[i];
        if (t == k->reader) {
            break;
        }
        if (k->c.present[t]) {
            run_task(k, t, &now);
        }
    }
    return now;
}

static bool names(claim *k, const char *name, uint32_t task)
{
    uint32_t node = oracle_check_member(&k->c, k->c.witness, name), said;
    return task == ORACLE_NONE
               ? oracle_check_is(&k->c, node, ORACLE_JSON_NULL)
               : oracle_check_task(&k->c, node, &said) && said == task;
}

/* Everything that the reader of witnesses can say of this one. */
static bool read_claim(claim *k, const oracle_document *d, const char *text)
{
    static char reason[160];
    oracle_check *c = &k->c;
    if (!oracle_check_start(c, d, text, strlen(text), reason, sizeof reason) ||
        !oracle_check_finding(c) || !oracle_check_read(c)) {
        return false;
    }
    uint32_t node = oracle_check_member(c, c->witness, "reader");
    k->reader = ORACLE_NONE;
    k->storage = c->d.buffers[c->byte.buffer].storage;
    k->byte = c->d.regions[c->byte.region].base.c;
    return oracle_check_is(c, node, ORACLE_JSON_NULL) ||
           oracle_check_task(c, node, &k->reader);
}

/* Where the plan puts the byte; false: the witness says another address. */
static bool read_address(claim *k)
{
    const oracle_document *d = &k->c.d;
    uint32_t node = oracle_check_member(&k->c, k->c.witness, "address");
    memset(k->base, 0xff, sizeof k->base);
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        k->base[d->allocations[i].buffer] = d->allocations[i].offset;
    }
    return oracle_check_number(&k->c, node, &k->address) &&
           k->address == k->base[k->storage] + k->byte;
}

/* Somebody who writes the address and runs before it is read. */
static bool names_intruder(claim *k)
{
    uint32_t node = oracle_check_member(&k->c, k->c.witness, "intruder"), t;
    content now = {ORACLE_NONE, ORACLE_NONE, 0};
    if (!oracle_check_task(&k->c, oracle_check_member(&k->c, node, "task"),
                           &t) ||
        !k->c.present[t]) {
        return false;
    }
    run_task(k, t, &now);
    return now.last == t &&
           (k->reader == ORACLE_NONE || k->c.place[t] <= k->c.place[k->reader]);
}

/* The accumulations to the storage that is read, by arguments. */
static uint64_t added_to(const claim *k)
{
    const oracle_document *d = &k->c.d;
    uint64_t all = 0;
    for (uint32_t a = 0; a < d->arg_count; a++) {
        bool adds =
            d->accesses[d->args[a].first_access].mode == ORACLE_ACCUMULATE;
        bool own = d->buffers[d->args[a].buffer].storage == k->storage;
        all |= (uint64_t)(adds && own) << a;
    }
    return all;
}

static bool proves(claim *k)
{
    const oracle_document *d = &k->c.d;
    const oracle_buffer *b = &d->buffers[k->storage];
    for (uint32_t e = 0; e < d->edge_count; e++) {
        uint32_t from = d->edges[e].from, to = d->edges[e].to;
        if (k->c.present[from] && k->c.present[to] &&
            k->c.place[from] >= k->c.place[to]) {
            return false;
        }
    }
    if (k->reader == ORACLE_NONE
            ? !b->external || k->byte < 0 || k->byte >= b->bytes
            : !k->c.present[k->reader] || !reads(k, k->reader)) {
        return false;
    }
    content expected = run_until(k, NULL, d->task_count);
    bool nothing = expected.plain == ORACLE_NONE && !b->external && !b->init;
    k->by_address = k->planned;
    if (k->planned &&
        (!read_address(k) || (nothing && expected.last == ORACLE_NONE))) {
        return false;
    }
    k->sum = k->planned && nothing ? added_to(k) : 0;
    content seen = run_until(k, k->c.order, k->c.count);
    if (strcmp(k->c.rule, "hazard.uninitialised") == 0) {
        return expected.last == ORACLE_NONE && !b->external && !b->init;
    }
    return (expected.plain != seen.plain || expected.added != seen.added) &&
           names(k, "expected_writer", expected.last) &&
           (k->planned ? names_intruder(k)
                       : names(k, "seen_writer", seen.last));
}

static bool still_proves(const oracle_document *d, const char *text)
{
    claim k = {.storage = 0};
    bool right = read_claim(&k, d, text);
    k.planned = right && strncmp(k.c.rule, "memory.", 7) == 0;
    right = right && proves(&k);
    oracle_check_end(&k.c, true);
    return right;
}

static bool is_order(const oracle_finding *finding)
{
    return finding->severity == ORACLE_ERROR &&
           strstr(finding->json, "\"order\":") != NULL;
}

/* The witness of a finding, with its rule. */
static void cut(char *out, const oracle_finding *finding)
{
    const char *witness = strstr(finding->json, "\"witness\":");
    snprintf(out, PROOF_MOST, "{\"rule\":\"%s\",%s", finding->rule, witness);
}

static void corrupt_finding(const maker *m, const oracle_finding *finding,
                            proof_draws *r, uint32_t *refused, uint32_t *kept)
{
    char right[PROOF_MOST], text[PROOF_MOST], reason[160];
    cut(right, finding);
    assert_true(still_proves(&m->document, right));
    for (uint32_t i = 0; i < 6; i++) {
        proof_corrupt(text, right, r);
        bool accepted =
            oracle_witness_check(&m->document, text, reason, sizeof reason);
        if (accepted != still_proves(&m->document, text)) {
            fail_msg("%s:\n%s\n%s", accepted ? "accepted" : reason, right,
                     text);
        }
        *refused += !accepted;
        *kept += accepted;
    }
}

static void orders(void **state)
{
    uint32_t refused = 0, kept = 0, planned = 0;
    proof_draws r = {78, 0};
    (void)state;
    for (uint64_t seed = 0; (refused < 1000 || planned < 60) && seed < 4000;
         seed++) {
        maker m;
        oracle_judgement judgement;
        proof_graph(&m, seed);
        assert_int_equal(oracle_judge_document(&judgement, &m.document, NULL),
                         ORACLE_OK);
        for (uint32_t i = 0; i < judgement.count; i++) {
            const char *rule = judgement.findings[i].rule;
            if (is_order(&judgement.findings[i])) {
                planned += strncmp(rule, "memory.", 7) == 0;
                corrupt_finding(&m, &judgement.findings[i], &r, &refused,
                                &kept);
            }
        }
        oracle_judgement_free(&judgement);
    }
    print_message("%u refused, %u still prove\n", refused, kept);
    assert_true(refused >= 1000 && planned >= 60 && kept < refused / 2);
}

/*
 * Of every kind: what is accepted after a change in the witness is so for
 * another document too, or the change is one that does not matter. Here only
 * that some are refused of each rule, and nothing is accepted for a document
 * without tasks.
 */
static void other_document(void **state)
{
    uint32_t count = 0;
    char text[PROOF_MOST], reason[160];
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        maker m, other;
        oracle_judgement judgement;
        proof_graph(&m, seed);
        maker_start(&other);
        assert_int_equal(oracle_judge_document(&judgement, &m.document, NULL),
                         ORACLE_OK);
        for (uint32_t i = 0; i < judgement.count; i++) {
            const oracle_finding *finding = &judgement.findings[i];
            if (strstr(finding->json, "\"witness\":") == NULL) {
                continue;
            }
            cut(text, finding);
            if (!oracle_witness_check(&m.document, text, reason,
                                      sizeof reason)) {
                fail_msg("%s: %s", reason, text);
            }
            assert_false(oracle_witness_check(&other.document, text, reason,
                                              sizeof reason));
            count++;
        }
        oracle_judgement_free(&judgement);
    }
    assert_true(count > 300);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(orders),
    cmocka_unit_test(other_document),
};

TEST_MAIN(tests)
