/*
 * Pairs of regions with symbols, as loops and reads of the orchestration give
 * them: two iterations at any distance, rows that a tensor.read chooses. Each
 * case is one document: two accesses without an order, and a reader of all
 * behind both where a write needs one.
 */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <string.h>

/* Free: an index, a distance. Not free: what a tensor.read gives. */
#define SYMBOLS                                                                \
    "{\"name\":\"i\",\"min\":0,\"free\":true},"                                \
    "{\"name\":\"d\",\"min\":1,\"free\":true},"                                \
    "{\"name\":\"j\",\"min\":0,\"max\":7,\"free\":true},"                      \
    "{\"name\":\"k\",\"min\":0,\"max\":7,\"free\":true},"                      \
    "{\"name\":\"n\",\"min\":0,\"max\":16,\"free\":true},"                     \
    "{\"name\":\"r\",\"min\":0,\"free\":false},"                               \
    "{\"name\":\"s\",\"min\":0,\"free\":false}"
/* Rows of 512 bytes; columns of 4. */
#define REGION(rows, row, columns, column)                                     \
    ",\"region\":{\"elem\":4,\"base\":0,\"dims\":[[" rows ",512," row          \
    "],[" columns ",4," column "]]}"
#define ROWS(rows, row) REGION(rows, row, "128", "0")
#define A(c, ...) "{\"c\":" #c ",\"t\":[" __VA_ARGS__ "]}"
#define T(coef, symbol) "[" #coef ",\"" symbol "\"]"
#define I T(16, "i")
#define D T(16, "d")
#define R T(16, "r")
#define ALL ""
#define WHOLE_VIEW REGION("128", "0", "128", "0")

typedef struct pair {
    const char *first, *second; /* what each writes, or reads if `reads` */
    bool reads;
    bool unsized; /* the buffer has no size */
    oracle_verdict verdict;
} pair;

static const pair pairs[] = {
    /* Two iterations. */
    {ROWS("16", A(0, I)), ROWS("16", A(0, I "," D)), false, false,
     ORACLE_CLEAN},
    {ROWS("16", A(0, I)), ROWS("16", A(0, I "," D)), false, true, ORACLE_CLEAN},
    {ROWS("17", A(0, I)), ROWS("17", A(0, I "," D)), false, false,
     ORACLE_FINDINGS},
    {ROWS("8", A(0, T(1, "i"))), ROWS("8", A(0, T(1, "i") "," T(1, "d"))),
     false, false, ORACLE_FINDINGS},
    {ROWS("16", A(1000, T(-16, "i"))),
     ROWS("16", A(1000, T(-16, "i") "," T(-16, "d"))), false, true,
     ORACLE_CLEAN},
    {ROWS(A(0, T(1, "n")), A(0, I)), ROWS("16", A(0, I "," D)), false, true,
     ORACLE_CLEAN},
    /* Columns, which do not run over into the next row. */
    {REGION("16", "0", "16", A(0, I)), REGION("16", "0", "16", A(0, I "," D)),
     false, false, ORACLE_CLEAN},
    {REGION("16", "0", "17", A(0, I)), REGION("16", "0", "17", A(0, I "," D)),
     false, false, ORACLE_FINDINGS},
    {REGION("16", A(0, R), "16", A(0, I)),
     REGION("16", A(0, R), "16", A(0, I "," D)), false, false, ORACLE_CLEAN},
    {REGION("16", A(0, R), "17", A(0, I)),
     REGION("16", A(0, R), "17", A(0, I "," D)), false, false, ORACLE_FINDINGS},
    /* Nested loops, each run twice, around what is read. */
    {ROWS("16", A(0, T(128, "i") "," T(16, "j"))),
     ROWS("16", A(0, T(128, "i") "," T(128, "d") "," T(16, "k"))), false, true,
     ORACLE_CLEAN},
    {ROWS("16", A(0, T(64, "i") "," T(16, "j") "," T(128, "r"))),
     ROWS("16", A(0, T(64, "i") "," T(64, "d") "," T(16, "k") "," T(128, "r"))),
     false, false, ORACLE_FINDINGS},
    /* What else decides, the same on both sides. */
    {ROWS("16", A(0, R)), ROWS("16", A(0, R)), true, false, ORACLE_FINDINGS},
    {ROWS("16", A(0, R)), ROWS("16", A(16, R)), true, false, ORACLE_CLEAN},
    {ROWS("16", A(0, R)), ROWS("16", A(15, R)), true, false, ORACLE_FINDINGS},
    {ALL, ROWS("16", A(0, R)), true, false, ORACLE_FINDINGS},
    {ALL, ROWS("16", A(0, R)), true, true, ORACLE_FINDINGS},
    {WHOLE_VIEW, ROWS("16", A(0, R)), true, false, ORACLE_FINDINGS},
    /* ... and another on each. */
    {ROWS("16", A(0, R)), ROWS("16", A(0, T(16, "s"))), true, false,
     ORACLE_UNDECIDED},
    {REGION("16", A(0, R), "64", "0"),
     REGION("16", A(0, T(16, "s")), "64", "64"), true, false, ORACLE_CLEAN},
    {ROWS("16", "32"), ROWS("16", A(0, R)), true, false, ORACLE_UNDECIDED},
    {ROWS("16", "32"), ROWS("16", A(48, R)), true, false, ORACLE_CLEAN},
};

static void judge(const pair *p, const char *deps, oracle_judgement *judgement)
{
    char text[8192];
    int n = snprintf(
        text, sizeof text,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"p\",\"rules\":"
        "\"none\",\"symbols\":[" SYMBOLS "],\"buffers\":[{\"key\":\"param:x\","
        "\"bytes\":%s,\"external\":true}],\"tasks\":["
        "{\"id\":0,\"name\":\"a\",\"line\":10,\"args\":[{\"buffer\":\"param:x\""
        ",\"dispatch\":\"output_existing\",\"access\":[{\"mode\":\"write\","
        "\"must\":true,\"exact\":true%s}]}]},"
        "{\"id\":1,\"name\":\"b\",\"line\":11,%s\"args\":[{\"buffer\":"
        "\"param:x\",\"dispatch\":\"%s\",\"access\":[{\"mode\":\"%s\","
        "\"must\":true,\"exact\":true%s}]}]}]}",
        p->unsized ? "null" : "65536", p->first, deps,
        p->reads ? "input" : "output_existing", p->reads ? "read" : "write",
        p->second);
    assert_true(n > 0 && (size_t)n < sizeof text);
    assert_int_equal(oracle_judge_text(judgement, text, (size_t)n, NULL),
                     ORACLE_OK);
    oracle_document d;
    oracle_error error;
    if (oracle_document_read(&d, text, (size_t)n, NULL, &error) != ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    for (uint32_t i = 0; i < judgement->count; i++) {
        char reason[160];
        const oracle_finding *one = &judgement->findings[i];
        if (one->severity == ORACLE_ERROR &&
            !oracle_witness_check(&d, one->json, reason, sizeof reason)) {
            fail_msg("%s: %s", reason, one->json);
        }
    }
    oracle_document_free(&d);
}

static void all_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        oracle_judgement judgement;
        judge(&pairs[i], "", &judgement);
        if (judgement.verdict != pairs[i].verdict) {
            fail_msg("pair %d: %d, not %d: %s%s", (int)i, judgement.verdict,
                     pairs[i].verdict, pairs[i].first, pairs[i].second);
        }
        oracle_judgement_free(&judgement);
    }
}

static void all_pairs_ordered(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        oracle_judgement judgement;
        judge(&pairs[i], "\"deps\":[{\"task\":0}],", &judgement);
        assert_int_equal(judgement.verdict, ORACLE_CLEAN);
        assert_int_equal(judgement.total, 0);
        oracle_judgement_free(&judgement);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_pairs),
    cmocka_unit_test(all_pairs_ordered),
};

TEST_MAIN(tests)
