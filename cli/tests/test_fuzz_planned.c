/*
 * Cases of the planned kinds are what they claim to be: planner and judge have
 * no error for those that are right by construction, and tell the rule of each
 * that was broken.
 */
#include <stdio.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../json.h"
#include "../planning.h"
#include "fuzz/related.h"
#include "oracle/answer.h"

#define FAULTS 512

typedef struct tally {
    const char *name; /* of a fault or a shape */
    uint32_t made, wrong;
} tally;

typedef struct tallies {
    tally items[FAULTS];
    size_t count;
} tallies;

static void count(tallies *t, const char *name, bool wrong)
{
    size_t i = 0;
    while (i < t->count && strcmp(t->items[i].name, name) != 0)
        i++;
    assert_true(i < FAULTS);
    if (i == t->count)
        t->items[t->count++] = (tally){.name = name};
    t->items[i].made++;
    t->items[i].wrong += wrong;
}

/* What became of a case. */
typedef struct outcome {
    cli_text answer; /* "bundle": ..., of the planner */
    sonata_error error;
    sonata_status status;
    oracle_judgement judgement;
} outcome;

static const char *option(cli_text *text, cli_span options, const char *name)
{
    cli_span value;
    cli_text_put(text, "");
    if (!cli_span_member(&value, options, name))
        return NULL;
    assert_true(cli_span_text(text, value));
    return text->data;
}

/* The answer as the object that a line of it is. */
static cli_span whole(outcome *o, cli_text *answer)
{
    cli_text_put(answer, "{");
    cli_text_add(answer, o->answer.data, o->answer.length);
    cli_text_put(answer, "}");
    return (cli_span){answer->data, answer->length};
}

static void judge(outcome *o, const fuzz_case *c)
{
    cli_text answer = {0};
    cli_span document = {c->input.data, c->input.length};
    oracle_judge_options options = {0};
    if (o->status == SONATA_OK)
        assert_true(cli_span_member(&document, whole(o, &answer), "bundle"));
    assert_int_equal(oracle_judge_text(&o->judgement, document.data,
                                       document.length, &options),
                     ORACLE_OK);
    cli_text_free(&answer);
}

static void answer(outcome *o, const fuzz_case *c)
{
    enum { POLICY, MEMORY, PROFILE, REGIONS, EMIT, ENTRY, TEXTS };
    cli_text texts[TEXTS] = {{0}};
    cli_span options = {c->options.data, c->options.length}, sizes, certified;
    *o = (outcome){0};
    cli_plan_request request = {
        .kind = c->ask,
        .input = {c->input.data, c->input.length},
        .policy = option(&texts[POLICY], options, "policy"),
        .memory = option(&texts[MEMORY], options, "memory"),
        .profile = option(&texts[PROFILE], options, "profile"),
        .regions = option(&texts[REGIONS], options, "regions"),
        .emit = option(&texts[EMIT], options, "emit"),
        .certified = cli_span_member(&certified, options, "certified"),
    };
    if (cli_span_member(&sizes, options, "sizes"))
        request.sizes = sizes;
    if (option(&texts[ENTRY], options, "entry") != NULL)
        request.entry = (cli_span){texts[ENTRY].data, texts[ENTRY].length};
    o->status = cli_plan_make(&o->answer, &request, &o->error);
    judge(o, c);
    for (size_t i = 0; i < TEXTS; i++)
        cli_text_free(&texts[i]);
}

static void outcome_free(outcome *o)
{
    cli_text_free(&o->answer);
    oracle_judgement_free(&o->judgement);
}

static bool is_noted(outcome *o, const char *rule)
{
    char code[96];
    snprintf(code, sizeof code, "{\"code\":\"%s\",", rule);
    return o->answer.data != NULL && strstr(o->answer.data, code) != NULL;
}

static bool is_told(outcome *o, const char *rule)
{
    for (uint32_t i = 0; i < o->judgement.count; i++)
        if (strcmp(o->judgement.findings[i].rule, rule) == 0)
            return true;
    return (o->status != SONATA_OK && strcmp(o->error.code, rule) == 0) ||
           is_noted(o, rule);
}

/* Planner and judge refuse the same texts, for the same reason. */
static bool is_refused_alike(const outcome *o, const fuzz_case *c)
{
    bool refused = o->judgement.verdict == ORACLE_REFUSED;
    if (strcmp(c->ask, "score") != 0) /* the judge reads no programs */
        return o->status == SONATA_OK ? !refused : refused;
    if (o->status == SONATA_OK || strncmp(o->error.code, "doc.", 4) != 0 ||
        strcmp(o->error.path, "sizes") == 0) /* of the request */
        return !refused;
    return refused && strcmp(o->error.code, o->judgement.findings[0].rule) == 0;
}

static bool has_error(const outcome *o)
{
    for (uint32_t i = 0; i < o->judgement.count; i++)
        if (o->judgement.findings[i].severity == ORACLE_ERROR)
            return true;
    return o->status != SONATA_OK;
}

/* The Score of the answer, or why there is none. */
static cli_span planned(cli_span answer)
{
    static const char *const roles[] = {"\"score\"", "\"eligibility\""};
    cli_span bundle, members, key, item, role, document = {0};
    assert_true(cli_span_member(&bundle, answer, "bundle"));
    assert_true(cli_span_member(&members, bundle, "members"));
    for (size_t i = 0; i < 2 && document.data == NULL; i++) {
        cli_walk walk;
        assert_true(cli_walk_array(&walk, members));
        while (cli_walk_next(&walk, &key, &item))
            if (cli_span_member(&role, item, "role") &&
                cli_span_is(role, roles[i]))
                assert_true(cli_span_member(&document, item, "document"));
    }
    return document;
}

/* What is known of the answer, to the byte. */
static bool is_expected(outcome *o, const fuzz_case *c)
{
    cli_text answer = {0};
    if (c->expected.length == 0)
        return true;
    if (o->status != SONATA_OK)
        return false;
    cli_span found = planned(whole(o, &answer));
    bool same = found.length == c->expected.length &&
                memcmp(found.data, c->expected.data, found.length) == 0;
    cli_text_free(&answer);
    return same;
}

/*
 * A Score may have what its plan has not: with sizes in the graph nothing meets
 * in a buffer of no bytes.
 */
static bool is_told_of_text(const fuzz_case *c, const char *rule)
{
    outcome own = {.status = SONATA_OK};
    if (strcmp(c->ask, "score") != 0)
        return false;
    assert_int_equal(
        oracle_judge_text(&own.judgement, c->input.data, c->input.length, NULL),
        ORACLE_OK);
    bool told = is_told(&own, rule);
    outcome_free(&own);
    return told;
}

static bool is_as_claimed(outcome *o, const fuzz_case *c)
{
    for (uint32_t i = 0; i < c->expect_count; i++)
        if (!is_told(o, c->expects[i]) && !is_told_of_text(c, c->expects[i]))
            return false;
    return (c->expected.length > 0 ? is_expected(o, c)
                                   : is_refused_alike(o, c)) &&
           (c->fault != NULL || c->open || !has_error(o));
}

static void tell(const tallies *t)
{
    for (size_t i = 0; i < t->count; i++)
        print_message("%-28s %6u cases, %u not as claimed\n", t->items[i].name,
                      t->items[i].made, t->items[i].wrong);
}

static void as_claimed(fuzz_kind kind, uint64_t cases)
{
    static const fuzz_limits limits = {.tasks = 64};
    static tallies t;
    fuzz_case c = {0};
    uint64_t wrong = 0;
    t.count = 0;
    for (uint64_t i = 0; i < cases; i++) {
        outcome o;
        fuzz_name name = {.seed = 6, .stream = (uint32_t)kind, .index = i};
        assert_int_equal(fuzz_case_make(&c, &name, &limits), FUZZ_OK);
        answer(&o, &c);
        bool ok = is_as_claimed(&o, &c);
        if (!ok && wrong++ < 10)
            print_message("%s:%llu, shape %s, fault %s\n", fuzz_kind_name(kind),
                          (unsigned long long)i, c.shape,
                          c.fault == NULL ? "none" : c.fault);
        count(&t, c.fault == NULL ? c.shape : c.fault, !ok);
        outcome_free(&o);
    }
    if (wrong > 0)
        tell(&t);
    assert_int_equal(wrong, 0);
    fuzz_case_free(&c);
}

static void scores(void **state)
{
    (void)state;
    as_claimed(FUZZ_SCORE, 2000);
}

static void programs(void **state)
{
    (void)state;
    as_claimed(FUZZ_IR, 2000);
}

static void memory_problems(void **state)
{
    (void)state;
    as_claimed(FUZZ_MEMORY, 1500);
}

static oracle_bytes bytes_of(const fuzz_text *text)
{
    return (oracle_bytes){text->data == NULL ? "" : text->data, text->length};
}

/* Findings where planner and oracle differ. */
static uint32_t differences(outcome *o, const fuzz_case *c)
{
    cli_text text = {0};
    oracle_judgement judgement;
    cli_span line = whole(o, &text);
    oracle_question question = {.kind = c->ask,
                                .input = bytes_of(&c->input),
                                .options = bytes_of(&c->options),
                                .expected = bytes_of(&c->expected)};
    assert_int_equal(oracle_answer_check(&judgement, &question,
                                         (oracle_bytes){line.data, line.length},
                                         NULL),
                     ORACLE_OK);
    uint32_t count = judgement.count;
    oracle_judgement_free(&judgement);
    cli_text_free(&text);
    return count;
}

/* A right planner is right about ablated cases: what differs is its fault. */
static void ablated_cases(void **state)
{
    (void)state;
    static const fuzz_kind kinds[] = {FUZZ_SCORE, FUZZ_IR, FUZZ_MEMORY};
    static const fuzz_limits limits = {.tasks = 64};
    fuzz_case c = {0};
    uint32_t planned_cases = 0;
    for (uint64_t i = 0; i < 300 * (uint64_t)FUZZ_ABLATIONS; i++) {
        outcome o;
        fuzz_ablation a = (fuzz_ablation)(i % FUZZ_ABLATIONS);
        fuzz_name name = {.seed = 7, .index = i / 3};
        name.stream = (uint32_t)kinds[(i / FUZZ_ABLATIONS) % 3];
        if (fuzz_case_ablate(&c, &name, &limits, a) != FUZZ_OK)
            continue;
        answer(&o, &c);
        if (o.status == SONATA_OK && differences(&o, &c) > 0)
            fail_msg("%s:%llu without %s", fuzz_kind_name(name.stream),
                     (unsigned long long)name.index, fuzz_ablation_name(a));
        planned_cases += o.status == SONATA_OK;
        outcome_free(&o);
    }
    assert_in_range(planned_cases, 1000, 2700);
    fuzz_case_free(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(scores),
    cmocka_unit_test(programs),
    cmocka_unit_test(memory_problems),
    cmocka_unit_test(ablated_cases),
};
TEST_MAIN(tests)
