/*
 * Scores with sizes, for their memory plans. greedy_dag is right whatever the
 * order; greedy_v0 is where the tasks run one after another, their ids rise,
 * and no parameter has a size.
 */
#include "make.h"
#include "related.h"
#include "shapes.h"

typedef struct maker {
    fuzz_case *c;
    fuzz_model *m;
    fuzz_style *style;
    fuzz_request *request;
    fuzz_random random;
} maker;

static const char *draw_policy(maker *k)
{
    static const char *const policies[] = {"dataflow_v0", "mixed",
                                           "sequential_v0", NULL};
    return policies[fuzz_below(&k->random, 4)];
}

static void name_ids(fuzz_model *m, int64_t first, int64_t step)
{
    for (uint32_t i = 0; i < m->task_count; i++)
        m->tasks[i].id = first + step * i;
}

static void drop_params(fuzz_model *m)
{
    for (uint32_t i = 0; i < m->buffer_count; i++)
        if (!m->buffers[i].internal)
            m->buffers[i].size = -1;
}

static void expect(maker *k, const char *fault, const char *rule)
{
    k->c->fault = fault;
    fuzz_case_expect(k->c, rule);
}

/* --- Right by construction --- */

static void by_graph(maker *k)
{
    static const char *const spelled[] = {NULL, "greedy_dag"};
    k->request->policy = draw_policy(k);
    k->request->memory = spelled[fuzz_below(&k->random, 2)];
    if (fuzz_chance(&k->random, 1, 4))
        name_ids(k->m, 3 * (int64_t)k->m->task_count, -2);
}

static void in_sequence(maker *k)
{
    drop_params(k->m);
    k->request->policy = "sequential_v0";
    k->request->memory = "greedy_v0";
    if (fuzz_chance(&k->random, 1, 8))
        k->request->profile = "safe";
}

/* --- Not known --- */

static void by_ids(maker *k)
{
    k->request->policy = draw_policy(k);
    k->request->memory = "greedy_v0";
    k->c->fault = "greedy-by-ids";
    k->c->open = true;
}

/* --- Wrong --- */

/*
 * Branches whose buffers live one after the other by their ids, and in which
 * every buffer is read. First fit gives the largest of each branch offset 0,
 * since only those of its own branch are alive with it.
 */
static void in_branches(maker *k)
{
    fuzz_model *m = k->m;
    fuzz_draw_branches(m, m->want);
    fuzz_draw_sizes(m, &k->random);
    for (uint32_t i = 0; i < m->buffer_count; i++)
        m->buffers[i].size = m->buffers[i].size < 1 ? 1 : m->buffers[i].size;
    drop_params(m);
    k->request->policy = fuzz_chance(&k->random, 1, 2) ? "dataflow_v0" : NULL;
    k->request->memory = "greedy_v0";
    expect(k, "parallel-branches", "memory.parallel-reuse");
}

/* Lives end before they begin, and none meets another: all are at offset 0. */
static void in_inverted_order(maker *k)
{
    fuzz_model *m = k->m;
    fuzz_draw_ladder(m, m->want);
    fuzz_draw_sizes(m, &k->random);
    for (uint32_t i = 0; i < m->buffer_count; i++)
        m->buffers[i].size = m->buffers[i].size < 1 ? 1 : m->buffers[i].size;
    drop_params(m);
    name_ids(m, m->task_count, -1);
    k->request->policy = "sequential_v0";
    k->request->memory = "greedy_v0";
    expect(k, "inverted-ids", "memory.overlap");
}

typedef struct life {
    uint32_t first, last; /* tasks */
} life;

static life life_of(const fuzz_model *m, uint32_t buffer)
{
    life l = {FUZZ_NONE, 0};
    for (uint32_t t = 0; t < m->task_count; t++) {
        for (uint32_t i = 0; i < m->tasks[t].args; i++) {
            const fuzz_arg *a = &m->args[m->tasks[t].first_arg + i];
            if (a->buffer != buffer || a->mode > FUZZ_UPDATES)
                continue;
            l.first = l.first == FUZZ_NONE ? t : l.first;
            l.last = t;
        }
    }
    return l;
}

/* A parameter, and a buffer that is born behind its last use. */
static bool on_param(maker *k)
{
    fuzz_model *m = k->m;
    uint32_t param = FUZZ_NONE, later = FUZZ_NONE;
    for (uint32_t i = 0; i < m->buffer_count; i++) {
        if (!m->buffers[i].internal && param == FUZZ_NONE)
            param = i;
        if (m->buffers[i].internal && life_of(m, i).first != FUZZ_NONE)
            later = i;
        m->buffers[i].size = -1;
    }
    if (param == FUZZ_NONE || later == FUZZ_NONE ||
        life_of(m, param).first == FUZZ_NONE ||
        life_of(m, param).last >= life_of(m, later).first)
        return false;
    m->buffers[param].size = (int64_t)fuzz_log_size(&k->random, 1, 1 << 20);
    m->buffers[later].size = (int64_t)fuzz_log_size(&k->random, 1, 1 << 20);
    k->request->memory = "greedy_v0";
    k->request->policy = draw_policy(k);
    expect(k, "on-a-parameter", "memory.external");
    return true;
}

/* Two buffers of one task that do not fit below 2^63 together. */
static bool too_large(maker *k)
{
    fuzz_model *m = k->m;
    for (uint32_t t = 0; t < m->task_count; t++) {
        uint32_t first = FUZZ_NONE;
        for (uint32_t i = 0; i < m->tasks[t].args; i++) {
            const fuzz_arg *a = &m->args[m->tasks[t].first_arg + i];
            if (a->mode > FUZZ_UPDATES || a->buffer == first)
                continue;
            if (first == FUZZ_NONE) {
                first = a->buffer;
                continue;
            }
            m->buffers[first].size = INT64_MAX;
            m->buffers[a->buffer].size = INT64_MAX - 1;
            by_graph(k);
            expect(k, "too-large", "memory.range");
            return true;
        }
    }
    return false;
}

static bool bad_size(maker *k)
{
    static const char *const sizes[] = {
        "\"alloc:x\": -1",     "\"alloc:x\": 1.5",
        "\"alloc:x\": \"64\"", "\"alloc:x\": null",
        "\"alloc:x\": true",   "\"alloc:x\": 9223372036854775808",
        "\"\": [64]"};
    by_graph(k);
    k->request->more = sizes[fuzz_below(&k->random, 7)];
    expect(k, "bad-size", "doc.schema");
    return true;
}

/* --- The maker --- */

/* False: the model does not have what this needs. */
static bool break_plan(maker *k, uint64_t way)
{
    switch (way) {
    case 0:
        return on_param(k);
    case 1:
        return too_large(k);
    case 2:
        return bad_size(k);
    default:
        by_ids(k);
        return true;
    }
}

static void draw_shape(maker *k)
{
    const fuzz_shape *shape = fuzz_memory_shape_draw(&k->m->shape);
    k->c->shape = shape->name;
    shape->draw(k->m, k->m->want);
    fuzz_draw_sizes(k->m, &k->random);
}

static void make(maker *k)
{
    uint64_t way = fuzz_below(&k->random, 24);
    if (way < 2 && k->m->want >= 4) {
        k->c->shape = "branches";
        in_branches(k);
    } else if (way == 2 && k->m->want >= 4) {
        k->c->shape = "ladder";
        in_inverted_order(k);
    } else {
        draw_shape(k);
        fuzz_expect_limits(k->c, k->m, fuzz_count_externals(k->m));
        if (k->c->fault == NULL && way > 2 && way < 8 && break_plan(k, way - 3))
            return;
        if (way < 20)
            by_graph(k);
        else
            in_sequence(k);
    }
}

fuzz_status fuzz_make_memory_related(fuzz_case *c, const fuzz_limits *limits,
                                     fuzz_map *map, fuzz_relation relation)
{
    fuzz_random layout = fuzz_random_of(&c->name, FUZZ_FOR_LAYOUT);
    fuzz_random options = fuzz_random_of(&c->name, FUZZ_FOR_OPTIONS);
    fuzz_request request = {.sizes = true};
    if (fuzz_chance(&options, 1, 2))
        request.emit = FUZZ_EMIT_ALL;
    request.encodings = fuzz_chance(&options, 1, 8);
    fuzz_style style = fuzz_style_draw(&layout);
    maker k = {.c = c,
               .m = fuzz_model_start(c, limits),
               .style = &style,
               .request = &request,
               .random = fuzz_random_of(&c->name, FUZZ_FOR_FAULT)};
    if (k.m == NULL)
        return FUZZ_NO_MEMORY;
    make(&k);
    fuzz_draw_edges(k.m);
    if (k.m->failed)
        return FUZZ_NO_MEMORY;
    if (request.more == NULL && fuzz_chance(&layout, 1, 8))
        request.more = "\"alloc:nobody\": 64";
    fuzz_breaking b = {.c = c, .m = k.m, .style = &style, .keep_edges = true};
    fuzz_status status = relation == FUZZ_RELATIONS
                             ? FUZZ_OK
                             : fuzz_score_relate(&b, &request, map, relation);
    if (status != FUZZ_OK)
        return status;
    c->ask = "score";
    c->tasks = k.m->task_count;
    c->input.layout = (fuzz_layout)fuzz_below(&layout, 3);
    fuzz_write_score(&c->input, k.m, &style, NULL);
    fuzz_put_request(c, k.m, &request);
    return k.m->failed ? FUZZ_NO_MEMORY : FUZZ_OK;
}

fuzz_status fuzz_make_memory(fuzz_case *c, const fuzz_limits *limits)
{
    return fuzz_make_memory_related(c, limits, NULL, FUZZ_RELATIONS);
}
