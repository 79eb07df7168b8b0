/* Cases of the planned kinds, as names and numbers: what comes of them when
 * they are planned and judged is in cli/tests/test_fuzz_planned.c. */
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "fuzz/related.h"
#include "judged.h"

#define COUNT 10000

static const fuzz_limits limits = {.tasks = 256};
static const fuzz_kind kinds[] = {FUZZ_SCORE, FUZZ_IR, FUZZ_MEMORY};
#define KINDS (sizeof kinds / sizeof *kinds)

static void make(fuzz_case *c, fuzz_kind kind, uint64_t index)
{
    fuzz_name name = {.seed = 3, .stream = (uint32_t)kind, .index = index};
    assert_int_equal(fuzz_case_make(c, &name, &limits), FUZZ_OK);
}

static void same_name_same_bytes(void **state)
{
    (void)state;
    check_same_bytes(
        FUZZ_SCORE, 300,
        "9790e3f979961787badf66eb2d018d42ead9772bb5c99932c00b7122b2d3e526");
    check_same_bytes(
        FUZZ_IR, 300,
        "9393fe92beefdf29d2125b4c5844fb8ebd198fc22f6cb4575d17459fe22acab3");
    check_same_bytes(
        FUZZ_MEMORY, 300,
        "b69e78301e9545109ce88278d0c888a33515f2dc5f8afc08e3dfbbba4fd5e04d");
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void shares_and_sizes(void **state)
{
    (void)state;
    static uint32_t tasks[COUNT];
    fuzz_case c = {0};
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t whole = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            make(&c, kinds[k], i);
            assert_non_null(c.shape);
            assert_non_null(c.ask);
            bool told = c.expect_count > 0 || c.expected.length > 0 || c.open;
            assert_true(c.fault == NULL ? c.expect_count == 0 : told);
            whole += c.fault == NULL && !c.open;
            tasks[i] = c.tasks;
        }
        qsort(tasks, COUNT, sizeof *tasks, ascending);
        assert_in_range(whole, COUNT * 6 / 10, COUNT * 8 / 10);
        assert_in_range(tasks[COUNT / 2], 16, 64);
    }
    fuzz_case_free(&c);
}

static void a_limit_is_kept(void **state)
{
    (void)state;
    fuzz_case c = {0};
    for (size_t k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < 300; i++) {
            fuzz_name name = {.stream = (uint32_t)kinds[k], .index = i};
            fuzz_limits small = {.tasks = 2};
            assert_int_equal(fuzz_case_make(&c, &name, &small), FUZZ_OK);
            assert_in_range(c.tasks, 0, 2);
        }
    }
    fuzz_case_free(&c);
}

static uint32_t count_text(const fuzz_text *text, const char *word)
{
    uint32_t count = 0;
    const char *at = text->data;
    while ((at = strstr(at, word)) != NULL) {
        count++;
        at += strlen(word);
    }
    return count;
}

/* What is left out is not there any more, and only that is. */
static void check_ablated(const fuzz_case *c, const fuzz_case *other,
                          fuzz_ablation ablation)
{
    const uint32_t more = ablation == FUZZ_ABLATE_RANKS  ? 37
                          : ablation == FUZZ_ABLATE_LAST ? 1
                                                         : 0;
    assert_int_equal(other->tasks, c->tasks + more);
    assert_string_equal(other->shape, c->shape);
    assert_string_equal(other->ask, c->ask);
    if (c->name.stream == FUZZ_IR || c->fault != NULL)
        return;
    if (ablation == FUZZ_ABLATE_EXTRAS)
        assert_int_equal(count_text(&other->input, "\"symbol\""), 0);
    if (ablation == FUZZ_ABLATE_TEXTS)
        assert_int_equal(count_text(&other->input, "\\u00e9"), 0);
    if (ablation == FUZZ_ABLATE_UPDATES)
        assert_int_equal(count_text(&other->input, "\"InOut\""), 0);
    if (ablation == FUZZ_ABLATE_SIZES && count_text(&c->options, "alloc:") > 0)
        assert_non_null(strstr(other->options.data, "64"));
}

/* Each is made of some cases of each planned kind, and the same whenever. */
static void ablations(void **state)
{
    (void)state;
    fuzz_case c = {0}, other = {0}, again = {0};
    for (size_t k = 0; k < KINDS; k++) {
        for (fuzz_ablation a = 0; a < FUZZ_ABLATIONS; a++) {
            uint32_t made = 0, changed = 0;
            for (uint32_t i = 0; i < 300; i++) {
                make(&c, kinds[k], i);
                if (fuzz_case_ablate(&other, &c.name, &limits, a) != FUZZ_OK)
                    continue;
                assert_int_equal(fuzz_case_ablate(&again, &c.name, &limits, a),
                                 FUZZ_OK);
                assert_string_equal(other.input.data, again.input.data);
                assert_string_equal(other.options.data, again.options.data);
                check_ablated(&c, &other, a);
                made++;
                changed += strcmp(c.input.data, other.input.data) != 0 ||
                           strcmp(c.options.data, other.options.data) != 0;
            }
            bool none = kinds[k] == FUZZ_IR &&
                        (a == FUZZ_ABLATE_IDS || a == FUZZ_ABLATE_SIZES ||
                         a == FUZZ_ABLATE_REMAINDERS);
            if (none ? made != 0 : made < 40 || changed < 20)
                fail_msg("%s of %s: made %u, changed %u", fuzz_ablation_name(a),
                         fuzz_kind_name(kinds[k]), made, changed);
        }
    }
    fuzz_name graph = {.stream = FUZZ_GRAPH};
    assert_int_equal(fuzz_case_ablate(&other, &graph, &limits, 0),
                     FUZZ_NO_SUCH);
    fuzz_case_free(&c);
    fuzz_case_free(&other);
    fuzz_case_free(&again);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_name_same_bytes),
    cmocka_unit_test(shares_and_sizes),
    cmocka_unit_test(a_limit_is_kept),
    cmocka_unit_test(ablations),
};
TEST_MAIN(tests)
