#include "make.h"

#include "arena.h"
#include "model.h"

#include <assert.h>

static const struct {
    const char *name;
    fuzz_maker make;
} kinds[FUZZ_KINDS] = {
    [FUZZ_SCORE] = {"score", fuzz_make_score},
    [FUZZ_IR] = {"ir", fuzz_make_ir},
    [FUZZ_MEMORY] = {"memory", fuzz_make_memory},
    [FUZZ_GRAPH] = {"graph", fuzz_make_graph},
    [FUZZ_BUNDLE] = {"bundle", fuzz_make_bundle},
    [FUZZ_RECORD] = {"record", fuzz_make_record},
};

const char *fuzz_kind_name(fuzz_kind kind)
{
    return kinds[kind].name;
}

void fuzz_case_expect(fuzz_case *c, const char *rule)
{
    assert(c->expect_count < FUZZ_EXPECTS);
    c->expects[c->expect_count++] = rule;
}

uint32_t fuzz_task_count(fuzz_random *random, const fuzz_limits *limits,
                         uint32_t most)
{
    enum { LEAST_USUAL = 8, MOST_USUAL = 64 };
    uint32_t high = limits->tasks < most ? limits->tasks : most;
    if (high > MOST_USUAL && fuzz_chance(random, 7, 8))
        return (uint32_t)fuzz_log_size(random, LEAST_USUAL, MOST_USUAL);
    return (uint32_t)fuzz_log_size(random, 2, high < 2 ? 2 : high);
}

bool fuzz_case_clear(fuzz_case *c)
{
    fuzz_text_clear(&c->input);
    fuzz_text_clear(&c->options);
    fuzz_text_clear(&c->expected);
    *c = (fuzz_case){
        .input = c->input,
        .options = c->options,
        .expected = c->expected,
        .model = c->model,
        .work = c->work,
    };
    if (c->work == NULL)
        c->work = fuzz_arena_new();
    if (c->work == NULL)
        return false;
    fuzz_arena_clear(c->work);
    return true;
}

void fuzz_case_free(fuzz_case *c)
{
    fuzz_text_free(&c->input);
    fuzz_text_free(&c->options);
    fuzz_text_free(&c->expected);
    fuzz_model_free(c->model);
    fuzz_arena_free(c->work);
    *c = (fuzz_case){0};
}

fuzz_status fuzz_case_make(fuzz_case *c, const fuzz_name *name,
                           const fuzz_limits *limits)
{
    if (!fuzz_case_clear(c))
        return FUZZ_NO_MEMORY;
    c->name = *name;
    if (name->stream >= FUZZ_KINDS || kinds[name->stream].make == NULL)
        return FUZZ_NO_SUCH;
    fuzz_status status = kinds[name->stream].make(c, limits);
    if (c->input.failed || c->options.failed || c->expected.failed ||
        fuzz_arena_failed(c->work))
        return FUZZ_NO_MEMORY;
    return status;
}
