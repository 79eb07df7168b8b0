#include "judged.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../gen/digest.h"

static const fuzz_limits limits = {.tasks = 256};

static bool has_option(const fuzz_case *c, const char *option)
{
    return c->options.length > 0 && strstr(c->options.data, option) != NULL;
}

void judge_case(oracle_judgement *judgement, const fuzz_case *c)
{
    static const char capacity[] = "\"capacity\":";
    oracle_judge_options options = {.csv = has_option(c, "\"csv\":1"),
                                    .limit = 1 << 20};
    if (has_option(c, capacity))
        options.capacity = strtoll(
            strstr(c->options.data, capacity) + strlen(capacity), NULL, 10);
    assert_int_equal(
        oracle_judge_text(judgement, c->input.data, c->input.length, &options),
        ORACLE_OK);
    assert_null(judgement->fault);
}

bool judgement_has(const oracle_judgement *judgement, const char *rule)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        if (strcmp(judgement->findings[i].rule, rule) == 0)
            return true;
    }
    return false;
}

static bool has_error(const oracle_judgement *judgement)
{
    return judgement->unlisted[ORACLE_ERROR] > 0 ||
           (judgement->count > 0 &&
            judgement->findings[0].severity == ORACLE_ERROR);
}

static void tell(judged *all, const fuzz_case *c, const char *what,
                 const oracle_judgement *judgement)
{
    if (all->wrong++ < 5)
        fprintf(stderr, "%s:%" PRIu64 " (%s, %s): %s: %.300s\n",
                fuzz_kind_name((fuzz_kind)c->name.stream), c->name.index,
                c->shape, c->fault == NULL ? "right" : c->fault, what,
                judgement->count == 0 ? "no finding"
                                      : judgement->findings[0].json);
}

static void count(uint64_t *counter, const char **name, const char *what)
{
    *name = what;
    ++*counter;
}

#define COUNT(list, what)                                                      \
    do {                                                                       \
        uint32_t at = 0;                                                       \
        while ((list)[at].name != NULL &&                                      \
               strcmp((list)[at].name, (what)) != 0)                           \
            at++;                                                              \
        assert_true(at < JUDGED_FAULTS);                                       \
        count(&(list)[at].count, &(list)[at].name, (what));                    \
    } while (0)

/* Each rule once for a case. */
static void count_rules(judged *all, const oracle_judgement *judgement)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i && !known; k++)
            known = strcmp(judgement->findings[i].rule,
                           judgement->findings[k].rule) == 0;
        if (!known)
            COUNT(all->rules, judgement->findings[i].rule);
    }
}

static void judge_one(judged *all, const fuzz_case *c)
{
    oracle_judgement judgement;
    judge_case(&judgement, c);
    count_rules(all, &judgement);
    for (uint32_t i = 0; i < c->expect_count; i++) {
        bool by_two = strcmp(c->expects[i], "score.identity") == 0;
        if (!by_two && !judgement_has(&judgement, c->expects[i]))
            tell(all, c, c->expects[i], &judgement);
    }
    if (c->fault != NULL)
        COUNT(all->faults, c->fault);
    if (c->expect_count == 0 && !c->open) {
        all->valid++;
        if (has_error(&judgement))
            tell(all, c, "an error, and all is right", &judgement);
    }
    oracle_judgement_free(&judgement);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void judge_cases(judged *all, uint32_t kind, uint64_t seed, uint64_t cases)
{
    fuzz_case c = {0};
    uint32_t *sizes = calloc(cases, sizeof *sizes);
    assert_non_null(sizes);
    *all = (judged){.cases = cases};
    for (uint64_t i = 0; i < cases; i++) {
        fuzz_name name = {.seed = seed, .stream = kind, .index = i};
        assert_int_equal(fuzz_case_make(&c, &name, &limits), FUZZ_OK);
        sizes[i] = c.tasks;
        judge_one(all, &c);
    }
    qsort(sizes, cases, sizeof *sizes, ascending);
    all->median = sizes[cases / 2];
    free(sizes);
    fuzz_case_free(&c);
}

uint64_t judged_rule(const judged *all, const char *rule)
{
    for (uint32_t i = 0; i < JUDGED_FAULTS; i++) {
        if (all->rules[i].name != NULL && strcmp(all->rules[i].name, rule) == 0)
            return all->rules[i].count;
    }
    return 0;
}

void check_rules(const judged *all, const char *const *rules, size_t rule_count)
{
    for (size_t i = 0; i < rule_count; i++) {
        if (judged_rule(all, rules[i]) == 0)
            fail_msg("no case has %s", rules[i]);
    }
}

static void assert_same_text(const fuzz_text *a, const fuzz_text *b)
{
    assert_int_equal(a->length, b->length);
    if (a->length > 0)
        assert_memory_equal(a->data, b->data, a->length);
}

void check_same_bytes(uint32_t kind, uint64_t cases, const char *digest)
{
    fuzz_case used = {0};
    fuzz_text all = {0};
    char hex[65];
    for (uint64_t i = 0; i < cases; i++) {
        fuzz_name name = {.seed = 3, .stream = kind, .index = cases - i};
        fuzz_case alone = {0};
        assert_int_equal(fuzz_case_make(&used, &name, &limits), FUZZ_OK);
        assert_int_equal(fuzz_case_make(&alone, &name, &limits), FUZZ_OK);
        assert_same_text(&used.input, &alone.input);
        assert_same_text(&used.options, &alone.options);
        assert_same_text(&used.expected, &alone.expected);
        assert_int_equal(used.tasks, alone.tasks);
        assert_int_equal(used.expect_count, alone.expect_count);
        fuzz_put_bytes(&all, alone.input.data, alone.input.length);
        fuzz_put_bytes(&all, alone.options.data, alone.options.length);
        fuzz_case_free(&alone);
    }
    assert_false(all.failed);
    fuzz_sha256(hex, all.data, all.length);
    assert_string_equal(hex, digest);
    fuzz_text_free(&all);
    fuzz_case_free(&used);
}
