/* Numbers of a few variables, against all of their values. */
#include "../../scripts/testing/harness.h"

#include "../affine.h"
#include "maker.h"

enum { VARIABLES = 3, FORMS = 3 };

typedef struct problem {
    oracle_frame frame;
    oracle_form forms[FORMS];
    uint32_t count, chosen;
} problem;

static int64_t draw(uint64_t *index, int64_t low, int64_t high)
{
    uint64_t all = (uint64_t)(high - low) + 1;
    return low + (int64_t)(maker_random(61, (*index)++) % all);
}

static problem make(uint64_t *index)
{
    problem p = {.count = (uint32_t)draw(index, 1, FORMS)};
    p.frame.count = (uint32_t)draw(index, 1, VARIABLES);
    for (uint32_t i = 0; i < p.frame.count; i++) {
        oracle_variable *v = &p.frame.variable[i];
        v->has_lo = v->has_hi = true;
        v->lo = draw(index, -4, 4);
        v->hi = v->lo + draw(index, 0, 5);
    }
    p.chosen = (uint32_t)draw(index, 0, (1 << p.frame.count) - 1);
    for (uint32_t f = 0; f < p.count; f++) {
        p.forms[f].c = draw(index, -12, 12);
        for (uint32_t i = 0; i < p.frame.count; i++) {
            p.forms[f].coef[i] = draw(index, -3, 3);
        }
    }
    return p;
}

/* The next values of those variables; false behind the last. */
static bool step(const problem *p, uint32_t which, int64_t *at)
{
    for (uint32_t i = 0; i < p->frame.count; i++) {
        const oracle_variable *v = &p->frame.variable[i];
        if ((which >> i & 1) == 0) {
            continue;
        }
        if (at[i]++ < v->hi) {
            return true;
        }
        at[i] = v->lo;
    }
    return false;
}

static bool all_hold(const problem *p, const int64_t *at)
{
    bool hold = true;
    for (uint32_t f = 0; f < p->count; f++) {
        int64_t value = p->forms[f].c;
        for (uint32_t i = 0; i < p->frame.count; i++) {
            value += p->forms[f].coef[i] * at[i];
        }
        hold = hold && value >= 0;
    }
    return hold;
}

/* Whether values of the chosen hold whatever the others are. */
static bool solvable(const problem *p)
{
    int64_t at[VARIABLES];
    bool any = false;
    for (uint32_t i = 0; i < p->frame.count; i++) {
        at[i] = p->frame.variable[i].lo;
    }
    do {
        bool all = true;
        do {
            all = all && all_hold(p, at);
        } while (step(p, ~p->chosen, at));
        any = any || all;
    } while (step(p, p->chosen, at));
    return any;
}

/* What is found is there; what is not found may be, but seldom. */
static void values_that_hold(void **state)
{
    uint64_t index = 0;
    uint32_t found = 0, missed = 0, none = 0;
    (void)state;
    for (uint32_t n = 0; n < 20000; n++) {
        problem p = make(&index);
        bool is = solvable(&p);
        bool said = oracle_forms_solvable(&p.frame, p.forms, p.count, p.chosen);
        assert_true(is || !said);
        found += said;
        missed += is && !said;
        none += !is;
    }
    assert_true(found > 2000 && none > 2000 && missed < found / 20);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_that_hold),
};

TEST_MAIN(tests)
