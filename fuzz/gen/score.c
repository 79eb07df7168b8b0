/* Scores, whole and broken, with the options of their request. */
#include <string.h>

#include "make.h"
#include "related.h"
#include "shapes.h"

/* --- What is drawn beside the shape --- */

/* Ids rise with the tasks in most cases, from 0 in half of them. */
static bool draw_ids(fuzz_model *m, fuzz_random *random)
{
    uint64_t way = fuzz_below(random, 12);
    int64_t first = 0, step = 1;
    if (way == 6 || way == 7) {
        first = fuzz_between(random, 0, 1000);
        step = fuzz_between(random, 1, 9);
    } else if (way == 8) {
        first = INT64_MAX - m->task_count;
    } else if (way == 9) {
        first = 3 * (int64_t)m->task_count;
        step = -3;
    }
    for (uint32_t i = 0; i < m->task_count; i++)
        m->tasks[i].id = first + step * i;
    if (way < 10 || m->task_count == 0)
        return step > 0;
    for (uint32_t i = m->task_count - 1; i > 0; i--) {
        uint32_t other = (uint32_t)fuzz_below(random, i + 1);
        int64_t id = m->tasks[i].id;
        m->tasks[i].id = m->tasks[other].id;
        m->tasks[other].id = id;
    }
    return false;
}

/*
 * Arguments that are their own key; what has no storage key at all has no place
 * in a memory plan, and nobody asks for one.
 */
static void draw_unkeyed(fuzz_model *m, fuzz_random *random)
{
    for (uint32_t i = 0; i < m->arg_count; i++)
        if (m->args[i].buffer != FUZZ_NONE)
            m->args[i].value = (uint8_t)fuzz_below(random, 2);
}

static void draw_spellings(fuzz_model *m, fuzz_style *style,
                           fuzz_random *random)
{
    uint64_t way = fuzz_below(random, 24);
    if (way < 3)
        style->keys = way == 0 ? FUZZ_NO_KEYS : FUZZ_SOME_KEYS;
    for (uint32_t i = 0; i < m->buffer_count; i++) {
        fuzz_buffer *b = &m->buffers[i];
        if (way == 3 || way == 4)
            b->spelling = FUZZ_KEY_ODD;
        else if (way == 5 || way == 6)
            b->spelling = way == 5 ? FUZZ_KEY_AGAIN : FUZZ_KEY_DOTTED;
        else if (way == 7 && !b->internal)
            b->spelling = i < 2 ? FUZZ_KEY_BOOL : FUZZ_KEY_INT + i % 2;
    }
    if (style->keys == FUZZ_SOME_KEYS)
        draw_unkeyed(m, random);
    if (fuzz_chance(random, 3, 4))
        for (uint32_t i = 0; i < m->arg_count; i++)
            m->args[i].token = m->args[i].token % 2; /* as people write them */
}

/* --- The request --- */

static void draw_request(fuzz_request *request, const fuzz_breaking *b,
                         fuzz_random *random)
{
    static const char *const policies[] = {"sequential_v0", "dataflow_v0",
                                           "mixed"};
    static const char *const emits[] = {"bundle",
                                        "score",
                                        "score,eligibility",
                                        "graph,score,memory",
                                        "score,handle,hbg",
                                        "bundle,alias,liveness,conflicts",
                                        "alias,score",
                                        "bundle,graph",
                                        "memory,liveness,score"};
    uint64_t policy = fuzz_below(random, 6), rest = fuzz_below(random, 32);
    if (b->policy != NULL)
        request->policy = b->policy;
    else if (!b->keep_edges && policy < 3)
        request->policy = policies[fuzz_has_directions(b->m) ? policy : 0];
    request->profile = b->profile;
    if (b->c->fault == NULL && rest < 9)
        request->emit = emits[rest];
    if (rest >= 16)
        request->emit = FUZZ_EMIT_ALL;
    request->encodings = fuzz_chance(random, 1, 8);
    if (rest == 9 || rest == 10)
        request->memory = "greedy_dag";
    if (rest == 11 && b->profile == NULL)
        request->profile = "safe";
    request->sizes = !b->no_sizes && fuzz_chance(random, 1, 4);
    if (request->sizes)
        fuzz_draw_sizes(b->m, random);
}

/* Edges by dataflow in its order: the Score may say so. */
static void name_policy(fuzz_model *m, fuzz_style *style, fuzz_random *random)
{
    if (!fuzz_has_directions(m) || !fuzz_chance(random, 1, 6))
        return;
    fuzz_sort_edges(m);
    style->metadata = fuzz_chance(random, 1, 2)
                          ? "\"dependency_policy\": \"dataflow_v0\""
                          : "\"dependency_policy\": \"mixed\", "
                            "\"dependency_policy_fallback_reason\": null";
}

static void finish(fuzz_breaking *b, fuzz_random *layout)
{
    fuzz_case *c = b->c;
    c->ask = "score";
    c->tasks = b->m->task_count;
    c->input.layout = (fuzz_layout)fuzz_below(layout, 3);
    fuzz_write_score(&c->input, b->m, b->style, &b->patch);
    fuzz_break_text(b);
}

fuzz_status fuzz_make_score_related(fuzz_case *c, const fuzz_limits *limits,
                                    fuzz_map *map, fuzz_relation relation)
{
    fuzz_model *m = fuzz_model_start(c, limits);
    fuzz_random names = fuzz_random_of(&c->name, FUZZ_FOR_NAMES);
    fuzz_random options = fuzz_random_of(&c->name, FUZZ_FOR_OPTIONS);
    fuzz_random fault = fuzz_random_of(&c->name, FUZZ_FOR_FAULT);
    fuzz_random layout = fuzz_random_of(&c->name, FUZZ_FOR_LAYOUT);
    if (m == NULL)
        return FUZZ_NO_MEMORY;
    const fuzz_shape *shape = fuzz_shape_draw(&m->shape);
    c->shape = shape->name;
    shape->draw(m, m->want);
    fuzz_style style = fuzz_style_draw(&layout);
    bool rising = draw_ids(m, &names);
    draw_spellings(m, &style, &names);
    fuzz_draw_edges(m);
    fuzz_breaking b = {.c = c, .m = m, .style = &style, .random = &fault};
    fuzz_expect_limits(c, m, fuzz_count_externals(m));
    if (c->fault == NULL && fuzz_chance(&fault, 3, 8))
        fuzz_break_score(&b);
    else if (c->fault == NULL && rising)
        name_policy(m, &style, &names);
    fuzz_request request = {0};
    draw_request(&request, &b, &options);
    fuzz_status status = relation == FUZZ_RELATIONS
                             ? FUZZ_OK
                             : fuzz_score_relate(&b, &request, map, relation);
    if (m->failed)
        return FUZZ_NO_MEMORY;
    if (status != FUZZ_OK)
        return status;
    finish(&b, &layout);
    fuzz_put_request(c, m, &request);
    return FUZZ_OK;
}

fuzz_status fuzz_make_score(fuzz_case *c, const fuzz_limits *limits)
{
    return fuzz_make_score_related(c, limits, NULL, FUZZ_RELATIONS);
}
