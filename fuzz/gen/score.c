/* Scores, whole and broken, with the options of their request. */
#include <string.h>

#include "make.h"
#include "score_fault.h"
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
    for (uint32_t i = 0; style->keys == FUZZ_SOME_KEYS && i < m->arg_count; i++)
        if (m->args[i].buffer != FUZZ_NONE)
            m->args[i].value = (uint8_t)fuzz_below(random, 2);
    if (fuzz_chance(random, 3, 4))
        for (uint32_t i = 0; i < m->arg_count; i++)
            m->args[i].token = m->args[i].token % 2; /* as people write them */
}

/* --- The request --- */

static void put_options(fuzz_case *c, const fuzz_model *m, bool by_directions,
                        bool keep_edges, fuzz_random *random)
{
    static const char *const policies[] = {"sequential_v0", "dataflow_v0",
                                           "mixed"};
    fuzz_text *out = &c->options;
    fuzz_open(out, '{');
    uint64_t policy = fuzz_below(random, 6);
    (void)m;
    if (!keep_edges && policy < 3)
        fuzz_key_string(out, "policy", policies[by_directions ? policy : 0]);
    fuzz_close(out);
}

static bool has_directions(const fuzz_model *m)
{
    for (uint32_t i = 0; i < m->task_count; i++)
        if (m->tasks[i].args == 0 || m->tasks[i].no_directions)
            return false;
    return true;
}

static uint32_t draw_size(fuzz_random *random, const fuzz_limits *limits)
{
    uint32_t most = limits->tasks < 2 ? 2 : limits->tasks;
    return (uint32_t)fuzz_log_size(random, 2, most);
}

fuzz_status fuzz_make_score(fuzz_case *c, const fuzz_limits *limits)
{
    fuzz_model *m = fuzz_model_start(c);
    fuzz_random names = fuzz_random_of(&c->name, FUZZ_FOR_NAMES);
    fuzz_random options = fuzz_random_of(&c->name, FUZZ_FOR_OPTIONS);
    fuzz_random fault = fuzz_random_of(&c->name, FUZZ_FOR_FAULT);
    fuzz_random layout = fuzz_random_of(&c->name, FUZZ_FOR_LAYOUT);
    if (m == NULL)
        return FUZZ_NO_MEMORY;
    const fuzz_shape *shape = fuzz_shape_draw(&m->shape);
    m->funcs = (uint32_t)fuzz_log_size(&m->uses, 1, 16);
    c->shape = shape->name;
    shape->draw(m, draw_size(&m->shape, limits));
    fuzz_style style = fuzz_style_draw(&layout);
    draw_ids(m, &names);
    draw_spellings(m, &style, &names);
    fuzz_draw_edges(m);
    fuzz_breaking b = {.c = c, .m = m, .style = &style, .random = &fault};
    fuzz_expect_limits(c, m);
    if (c->fault == NULL && fuzz_chance(&fault, 1, 3))
        fuzz_break_score(&b);
    if (m->failed)
        return FUZZ_NO_MEMORY;
    c->ask = "score";
    c->tasks = m->task_count;
    c->input.layout = (fuzz_layout)fuzz_below(&layout, 3);
    fuzz_write_score(&c->input, m, &style, &b.patch);
    fuzz_break_text(&b);
    put_options(c, m, has_directions(m), b.keep_edges, &options);
    return FUZZ_OK;
}
