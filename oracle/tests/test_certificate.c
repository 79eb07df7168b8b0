/* Certificates: what they prove is right, and what proves nothing is refused */
#include "../../scripts/testing/harness.h"

#include "../certificate.h"
#include "../execution.h"
#include "proof_cases.h"
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST "0123456789abcdef"

/* Whether some legal order of some execution is wrong, by brute force. */
static bool is_wrong(const oracle_document *d)
{
    oracle_executions all;
    oracle_error error;
    bool wrong = false, values[MAKER_TASKS];
    oracle_arena *arena = oracle_arena_create();
    assert_true(arena != NULL && oracle_executions_start(&all, d, arena));
    for (uint32_t n = 0; n < oracle_execution_count(d) && !wrong; n++) {
        oracle_document one;
        oracle_execution_choices(&all, n, values);
        assert_int_equal(oracle_document_restrict(&one, d, values, &error),
                         ORACLE_OK);
        wrong = twin_wrong(&one, NULL);
        oracle_document_free(&one);
    }
    oracle_arena_free(arena);
    return wrong;
}

/*
 * A certificate is made of any graph, clean or not: where one holds, the twin
 * finds nothing wrong, and of most that are right one is made.
 */
static void certified_is_right(void **state)
{
    uint32_t right = 0, certified = 0, graphs = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 12000; seed++) {
        maker m;
        char *text, reason[256];
        proof_graph(&m, seed);
        bool wrong = is_wrong(&m.document);
        bool made = oracle_certificate_make(&text, &m.document, DIGEST, reason,
                                            sizeof reason);
        if (made && wrong) {
            fail_msg("seed %d: %s", (int)seed, text);
        }
        graphs++;
        right += !wrong;
        certified += made;
        free(text);
    }
    print_message("%u graphs, %u right, %u certified\n", graphs, right,
                  certified);
    assert_true(right > graphs / 20 && right < graphs);
    assert_true(certified > right / 3);
}

/* --- What a corrupted certificate still proves, by brute force --- */

static void reach_all(const oracle_document *d, bool *reach)
{
    uint32_t n = d->task_count;
    memset(reach, 0, MAKER_TASKS * MAKER_TASKS);
    for (uint32_t e = 0; e < d->edge_count; e++) {
        reach[d->edges[e].from * MAKER_TASKS + d->edges[e].to] = true;
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n * n; i++) {
            uint32_t a = i / n, b = i % n;
            reach[a * MAKER_TASKS + b] |=
                reach[a * MAKER_TASKS + k] && reach[k * MAKER_TASKS + b];
        }
    }
}

/* Each position is that of the last task on its chain that comes before. */
static bool is_true(const oracle_document *d, const oracle_claim *claim)
{
    bool reach[MAKER_TASKS * MAKER_TASKS], fine = true;
    uint32_t position[MAKER_TASKS], n = d->task_count;
    reach_all(d, reach);
    for (uint32_t e = 0; e < d->edge_count; e++) {
        fine &= claim->place[d->edges[e].from] < claim->place[d->edges[e].to];
    }
    for (uint32_t t = 0; t < n; t++) {
        position[t] = 1;
        for (uint32_t o = 0; o < n; o++) {
            bool same = o != t && claim->chain[o] == claim->chain[t];
            bool before = reach[o * MAKER_TASKS + t];
            fine &= !same || before || reach[t * MAKER_TASKS + o];
            position[t] += same && before;
        }
    }
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t c = 0; c < claim->width; c++) {
            uint32_t last = 0;
            for (uint32_t o = 0; o < n; o++) {
                bool there = o == t || reach[o * MAKER_TASKS + t];
                if (claim->chain[o] == c && there && position[o] > last) {
                    last = position[o];
                }
            }
            fine &= claim->reach[t * claim->width + c] == last;
        }
    }
    return fine;
}

/* Every excuse of the one is among those of the other. */
static bool has_excuses(const oracle_certificate *a,
                        const oracle_certificate *b)
{
    for (uint32_t i = 0; i < a->excuse_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->excuse_count; k++) {
            found |= memcmp(&a->excuses[i], &b->excuses[k],
                            offsetof(oracle_excuse, needed)) == 0;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool executions_hold(oracle_certificate *c, const oracle_document *d)
{
    oracle_executions all;
    oracle_error error;
    bool fine = oracle_executions_start(&all, d, c->proof.arena);
    for (uint32_t n = 0; n < oracle_execution_count(d) && fine; n++) {
        oracle_document one;
        oracle_claim claim;
        bool values[MAKER_TASKS], *claimed;
        oracle_execution_choices(&all, n, values);
        fine = oracle_check_about(&c->proof, d) &&
               oracle_certificate_next(c, &claimed) &&
               memcmp(values, claimed, d->choice_count) == 0;
        assert_int_equal(oracle_document_restrict(&one, d, values, &error),
                         ORACLE_OK);
        fine = fine && oracle_certificate_claim(c, &one, &claim) &&
               is_true(&one, &claim);
        oracle_document_free(&one);
    }
    return fine && oracle_certificate_done(c);
}

/* Of a document of which `right` is a certificate that holds. */
static bool still_proves(const oracle_document *d, const char *right,
                         const char *text)
{
    oracle_certificate a, b;
    char reason[160];
    bool read = oracle_certificate_start(&a, d, text, strlen(text), reason,
                                         sizeof reason);
    assert_true(oracle_certificate_start(&b, d, right, strlen(right), reason,
                                         sizeof reason));
    bool proves = read && strcmp(a.document, DIGEST) == 0 &&
                  strcmp(a.rules, "none") == 0 && has_excuses(&a, &b) &&
                  has_excuses(&b, &a) && executions_hold(&a, d);
    oracle_check_end(&a.proof, proves);
    oracle_check_end(&b.proof, true);
    return proves;
}

static void corrupted_is_refused(void **state)
{
    uint32_t refused = 0, kept = 0;
    proof_draws r = {77, 0};
    (void)state;
    for (uint64_t seed = 0; refused < 1000; seed++) {
        maker m;
        char *right, reason[256], text[PROOF_MOST];
        proof_graph(&m, seed);
        if (!oracle_certificate_make(&right, &m.document, DIGEST, reason,
                                     sizeof reason)) {
            free(right);
            continue;
        }
        assert_true(still_proves(&m.document, right, right));
        for (uint32_t i = 0; i < 8; i++) {
            proof_corrupt(text, right, &r);
            bool holds = oracle_clean_check(
                &m.document, DIGEST, text, strlen(text), reason, sizeof reason);
            if (holds != still_proves(&m.document, right, text)) {
                fail_msg("seed %d, %s:\n%s\n%s", (int)seed,
                         holds ? "holds" : reason, right, text);
            }
            refused += !holds;
            kept += holds;
        }
        free(right);
    }
    print_message("%u refused, %u still prove\n", refused, kept);
    assert_true(kept < refused / 4);
}

/* --- Single cases --- */

static void expect(const maker *m, const char *why)
{
    char *text, reason[256];
    bool made = oracle_certificate_make(&text, &m->document, DIGEST, reason,
                                        sizeof reason);
    if (made != (why == NULL) || (!made && strstr(reason, why) == NULL)) {
        fail_msg("expected '%s', got '%s'", why, reason);
    }
    free(text);
}

/* Two writes that nobody reads are named; with a reader they are not. */
static void dead_writes(void **state)
{
    maker m;
    char *text, reason[256];
    (void)state;
    maker_start(&m);
    maker_buffer(&m, "alloc:t", 4, false);
    for (uint32_t t = 0; t < 2; t++) {
        maker_task(&m);
        maker_access(&m, 0, ORACLE_WRITE, WHOLE, WHOLE);
    }
    assert_true(oracle_certificate_make(&text, &m.document, DIGEST, reason,
                                        sizeof reason));
    assert_non_null(strstr(text, "{\"args\":[0,0],\"tasks\":[10,11],\"why\":"
                                 "\"dead-write\"}"));
    free(text);
    maker_task(&m);
    maker_access(&m, 0, ORACLE_READ, WHOLE, WHOLE);
    maker_edge(&m, 0, 2);
    maker_edge(&m, 1, 2);
    expect(&m, "tasks 10 and 11 are in no order on alloc:t");
    m.buffers[0].external = true;
    expect(&m, "tasks 10 and 11 are in no order on alloc:t");
    maker_edge(&m, 0, 1);
    expect(&m, NULL);
}

/* Four quarters are all of it; three are not. */
static void reads_in_parts(void **state)
{
    maker m;
    (void)state;
    for (int64_t parts = 3; parts <= 4; parts++) {
        maker_start(&m);
        maker_buffer(&m, "alloc:t", 16, false);
        for (int64_t i = 0; i < parts; i++) {
            maker_task(&m);
            maker_access(&m, 0, ORACLE_WRITE, 4 * i, 4 * i + 4);
            maker_edge(&m, (uint32_t)i, (uint32_t)parts);
        }
        maker_task(&m);
        maker_access(&m, 0, ORACLE_READ, WHOLE, WHOLE);
        expect(
            &m,
            parts == 4
                ? NULL
                : "no task before surely writes what task 13 reads of alloc:t");
    }
}

/* An edge that is there when the bytes meet orders the two that meet. */
static void own_edges(void **state)
{
    maker m;
    (void)state;
    maker_start(&m);
    maker_buffer(&m, "param:t", 4, true);
    maker_task(&m);
    maker_access(&m, 0, ORACLE_WRITE, 0, 2);
    maker_task(&m);
    maker_access(&m, 0, ORACLE_READ, 1, 3);
    expect(&m, "tasks 10 and 11 are in no order on param:t");
    oracle_edge *edge = maker_edge(&m, 0, 1);
    edge->certain = false;
    expect(&m, NULL);
    edge->from_arg = 1;
    expect(&m, "tasks 10 and 11 are in no order on param:t");
}

/* What the host touches while the graph is built. */
static void host(void **state)
{
    maker m;
    oracle_host_access access = {10, ORACLE_READ, 0, ORACLE_NONE, 3, 0, 0};
    (void)state;
    maker_start(&m);
    maker_buffer(&m, "param:t", 4, true);
    maker_task(&m);
    maker_access(&m, 0, ORACLE_WRITE, WHOLE, WHOLE);
    m.document.host_accesses = &access;
    m.document.host_access_count = 1;
    expect(&m, "the host touches param:t");
    access.after = -1;
    expect(&m, NULL);
}

/* A parameter that no task touches has its bytes for itself. */
static void owned_addresses(void **state)
{
    maker m;
    (void)state;
    maker_start(&m);
    maker_buffer(&m, "param:a", 4, true);
    maker_buffer(&m, "alloc:b", 4, false);
    maker_task(&m);
    maker_access(&m, 1, ORACLE_WRITE, WHOLE, WHOLE);
    maker_place(&m, 0, 0);
    maker_place(&m, 1, 2);
    expect(&m, "alloc:b is at the address of param:a");
    m.allocations[1].offset = 4;
    expect(&m, NULL);
}

/* Where a parameter is not in the plan, the caller has it elsewhere. */
static void unplaced_parameters(void **state)
{
    maker m;
    (void)state;
    maker_start(&m);
    maker_buffer(&m, "alloc:b", 4, false);
    maker_buffer(&m, "param:x", 4, true);
    maker_task(&m);
    maker_access(&m, 0, ORACLE_WRITE, WHOLE, WHOLE);
    maker_task(&m);
    maker_access(&m, 0, ORACLE_READ, WHOLE, WHOLE);
    maker_access(&m, 1, ORACLE_WRITE, WHOLE, WHOLE);
    maker_edge(&m, 0, 1);
    maker_place(&m, 0, 0);
    expect(&m, NULL);
    maker_place(&m, 1, 2);
    expect(&m, "alloc:b is at the address of param:x");
    m.allocations[1].offset = 4;
    expect(&m, NULL);
    /* What is no parameter needs a place. */
    m.document.allocation_count = 1;
    m.buffers[1].external = false;
    expect(&m, "param:x has no address or no size");
}

/*
 * Places that move with symbols: what is certified is right for every value.
 * The twin goes through all of them.
 */
static void symbols(void **state)
{
    uint32_t certified = 0, right = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        maker m;
        proof_draws r = {seed + 90000, 0};
        char *text, reason[256];
        bool wrong = false;
        maker_start(&m);
        maker_buffer(&m, "param:a", 16, true);
        uint32_t s = maker_symbol(&m, "i", 0, 3);
        m.symbols[s].free = maker_random(seed, 1) % 2 == 0;
        for (uint32_t t = 0; t < 3; t++) {
            uint64_t bits = maker_random(r.seed, r.index++);
            int64_t begin = (int64_t)(bits % 4);
            maker_task(&m);
            oracle_access *x =
                maker_access(&m, 0, (oracle_mode)(bits >> 8 & 3), begin,
                             begin + 1 + (int64_t)(bits >> 16 & 3));
            if ((bits >> 24 & 1) != 0) {
                maker_term(&m, &m.regions[x->region].base,
                           1 + (int64_t)(bits >> 32 & 1) * 2, s);
            }
        }
        for (uint32_t e = 0; e < 3; e++) {
            if (maker_random(seed, 40 + e) % 3 == 0) {
                maker_edge(&m, e == 2 ? 1 : 0, e == 0 ? 1 : 2);
            }
        }
        for (int64_t value = 0; value < 4; value++) {
            twin_options options = {.values = &value};
            wrong = wrong || twin_wrong(&m.document, &options);
        }
        bool made = oracle_certificate_make(&text, &m.document, DIGEST, reason,
                                            sizeof reason);
        if (made && wrong) {
            fail_msg("seed %d: %s", (int)seed, text);
        }
        right += !wrong;
        certified += made;
        free(text);
    }
    print_message("%u right, %u certified\n", right, certified);
    assert_true(certified > right / 2 && right < 4000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(certified_is_right),
    cmocka_unit_test(corrupted_is_refused),
    cmocka_unit_test(dead_writes),
    cmocka_unit_test(reads_in_parts),
    cmocka_unit_test(own_edges),
    cmocka_unit_test(host),
    cmocka_unit_test(unplaced_parameters),
    cmocka_unit_test(owned_addresses),
    cmocka_unit_test(symbols),
};

TEST_MAIN(tests)
