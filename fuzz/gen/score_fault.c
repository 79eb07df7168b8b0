#include "score_fault.h"

#include <string.h>

#include "make.h"

/* --- What there is too much of --- */

#define TENSORS 32 /* of a task */
#define SCALARS 16
#define EXTERNALS 256

static void expect_limit(fuzz_case *c, const char *fault, const char *rule)
{
    c->fault = fault;
    fuzz_case_expect(c, rule);
}

uint32_t fuzz_count_externals(const fuzz_model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->buffer_count; i++)
        count += !m->buffers[i].internal && m->buffers[i].met;
    return count;
}

bool fuzz_has_memory(const fuzz_model *m)
{
    for (uint32_t t = 0; t < m->task_count; t++)
        for (uint32_t i = 0; i < m->tasks[t].args; i++)
            if (!m->tasks[t].no_directions &&
                m->args[m->tasks[t].first_arg + i].mode <= FUZZ_UPDATES)
                return true;
    return false;
}

void fuzz_expect_limits(fuzz_case *c, const fuzz_model *m, uint32_t externals)
{
    bool tensors = false, scalars = false;
    for (uint32_t t = 0; t < m->task_count; t++) {
        uint32_t count[2] = {0, 0};
        for (uint32_t i = 0; i < m->tasks[t].args; i++)
            count[m->args[m->tasks[t].first_arg + i].mode == FUZZ_SCALAR]++;
        tensors = tensors || count[0] > TENSORS;
        scalars = scalars || count[1] > SCALARS;
    }
    if (tensors)
        expect_limit(c, "too-many-tensors", "limit.tensors");
    if (scalars)
        expect_limit(c, "too-many-scalars", "limit.scalars");
    if (externals > EXTERNALS)
        expect_limit(c, "too-many-externals", "limit.externals");
}

/* --- One place in the text --- */

typedef struct spot {
    const char *fault, *rule;
    fuzz_place place;
    fuzz_action action;
    const char *text;
} spot;

/* Values that are no JSON, at any place where a value stands. */
static const char *const no_values[][2] = {
    {"bad-escape", "\"\\x41\""},
    {"bad-escape", "\"\\'\""},
    {"short-unicode-escape", "\"\\u12g4\""},
    {"short-unicode-escape", "\"\\u12\""},
    {"lone-surrogate", "\"\\ud800\""},
    {"lone-surrogate", "\"\\udc00\\ud800\""},
    {"lone-surrogate", "\"\\ud83dx\""},
    {"lone-surrogate", "\"\\ud83d\\u0041\""},
    {"invalid-utf8", "\"\xff\""},
    {"invalid-utf8", "\"\xc0\x80\""},
    {"invalid-utf8", "\"\xed\xa0\x80\""},
    {"invalid-utf8", "\"\xf4\x90\x80\x80\""},
    {"invalid-utf8", "\"\xe2\x82\""},
    {"control-character", "\"a\x01\""},
    {"control-character", "\"a\n\""},
    {"control-character", "\"\t\""},
    {"nan", "NaN"},
    {"infinity", "Infinity"},
    {"infinity", "-Infinity"},
    {"beyond-double", "1e400"},
    {"beyond-double", "-1.8e308"},
    {"leading-zero", "01"},
    {"leading-zero", "-007"},
    {"no-digit", "-"},
    {"no-digit", "1."},
    {"no-digit", "1e"},
    {"no-digit", "2E+"},
    {"no-digit", ".5"},
    {"plus-sign", "+1"},
    {"hexadecimal", "0x10"},
    {"cut-word", "tru"},
    {"wrong-word", "None"},
    {"wrong-word", "True"},
    {"single-quotes", "'a'"},
    {"no-comma", "[1 2]"},
    {"no-comma", "{\"a\": 1 \"b\": 2}"},
    {"double-comma", "[1,,2]"},
    {"last-comma", "[1,]"},
    {"last-comma", "{\"a\": 1,}"},
    {"no-colon", "{\"a\" 1}"},
    {"no-colon", "{\"a\"}"},
    {"bare-key", "{a: 1}"},
    {"bare-key", "{1: 1}"},
    {"no-value", "{\"a\": }"},
    {"wrong-bracket", "[1}"},
    {"wrong-bracket", "{\"a\": 1]"},
    {"comment", "/* 1 */ 1"},
    {"comment", "1 // one"},
};

/* Places where a value of any kind may stand, as far as syntax goes. */
static const fuzz_place value_places[] = {
    FUZZ_AT_VERSION, FUZZ_AT_NAME,   FUZZ_AT_TARGET,    FUZZ_AT_TASKS,
    FUZZ_AT_EDGES,   FUZZ_AT_SHAPES, FUZZ_AT_METADATA,  FUZZ_AT_THREADS,
    FUZZ_AT_TASK,    FUZZ_AT_ID,     FUZZ_AT_CORE,      FUZZ_AT_TASK_NAME,
    FUZZ_AT_ARGS,    FUZZ_AT_ARG,    FUZZ_AT_DIRECTION, FUZZ_AT_KEY,
    FUZZ_AT_EDGE,    FUZZ_AT_KIND,   FUZZ_AT_SYMBOL,    FUZZ_AT_DIM,
    FUZZ_AT_VALUE};

#define SCHEMA(name, where, text)                                              \
    {                                                                          \
        name, "doc.schema", FUZZ_AT_##where, FUZZ_REPLACE, text                \
    }
#define MISSING(name, where)                                                   \
    {                                                                          \
        name, "doc.schema", FUZZ_AT_##where, FUZZ_OMIT, ""                     \
    }
#define RANGE(name, where, text)                                               \
    {                                                                          \
        name, "doc.range", FUZZ_AT_##where, FUZZ_REPLACE, text                 \
    }
#define VALID(name, where, text)                                               \
    {                                                                          \
        name, "score.valid", FUZZ_AT_##where, FUZZ_REPLACE, text               \
    }
#define UNKNOWN(name, where)                                                   \
    {                                                                          \
        name, "doc.unknown-field", FUZZ_AT_##where, FUZZ_BEFORE,               \
            "\"severity\": \"warning\""                                        \
    }

static const spot schema[] = {
    SCHEMA("schema-version", VERSION, "2"),
    SCHEMA("schema-version", VERSION, "0"),
    SCHEMA("schema-version", VERSION, "18446744073709551617"),
    SCHEMA("schema-version-type", VERSION, "true"),
    SCHEMA("schema-version-type", VERSION, "1.0"),
    SCHEMA("schema-version-type", VERSION, "\"1\""),
    MISSING("no-name", NAME),
    SCHEMA("name-type", NAME, "null"),
    SCHEMA("name-type", NAME, "1"),
    SCHEMA("tasks-type", TASKS, "null"),
    SCHEMA("tasks-type", TASKS, "{}"),
    SCHEMA("tasks-type", TASKS, "\"\""),
    SCHEMA("edges-type", EDGES, "null"),
    SCHEMA("edges-type", EDGES, "{}"),
    SCHEMA("shapes-type", SHAPES, "null"),
    SCHEMA("shapes-type", SHAPES, "0"),
    SCHEMA("metadata-type", METADATA, "null"),
    SCHEMA("metadata-type", METADATA, "[]"),
    SCHEMA("runtime-type", RUNTIME, "1"),
    SCHEMA("function-name-type", FUNCTION, "[]"),
    SCHEMA("threads-type", THREADS, "true"),
    SCHEMA("threads-type", THREADS, "4.0"),
    SCHEMA("threads-type", THREADS, "\"4\""),
    SCHEMA("comments-type", COMMENTS, "\"#\""),
    SCHEMA("comments-type", COMMENTS, "[1]"),
    SCHEMA("comments-type", COMMENTS, "null"),
    SCHEMA("task-type", TASK, "null"),
    SCHEMA("task-type", TASK, "[]"),
    SCHEMA("task-type", TASK, "7"),
    MISSING("no-task-id", ID),
    SCHEMA("task-id-type", ID, "true"),
    SCHEMA("task-id-type", ID, "1.0"),
    SCHEMA("task-id-type", ID, "1e2"),
    SCHEMA("task-id-type", ID, "\"1\""),
    SCHEMA("task-id-type", ID, "null"),
    MISSING("no-func-id", FUNC),
    SCHEMA("func-id-type", FUNC, "false"),
    SCHEMA("func-id-type", FUNC, "{}"),
    MISSING("no-core-type", CORE),
    SCHEMA("core-type-type", CORE, "null"),
    SCHEMA("core-type-type", CORE, "1"),
    SCHEMA("task-name-type", TASK_NAME, "1"),
    SCHEMA("task-name-type", TASK_NAME, "[]"),
    SCHEMA("args-type", ARGS, "null"),
    SCHEMA("args-type", ARGS, "{}"),
    SCHEMA("args-type", ARGS, "\"x\""),
    SCHEMA("directions-type", DIRECTIONS, "null"),
    SCHEMA("directions-type", DIRECTIONS, "\"Input\""),
    SCHEMA("direction-type", DIRECTION, "null"),
    SCHEMA("direction-type", DIRECTION, "1"),
    SCHEMA("keys-type", KEYS, "null"),
    SCHEMA("keys-type", KEYS, "{}"),
    SCHEMA("edge-type", EDGE, "null"),
    SCHEMA("edge-type", EDGE, "[0, 1]"),
    MISSING("no-producer", PRODUCER),
    SCHEMA("producer-type", PRODUCER, "true"),
    SCHEMA("producer-type", PRODUCER, "null"),
    MISSING("no-consumer", CONSUMER),
    SCHEMA("consumer-type", CONSUMER, "0.0"),
    SCHEMA("kind-type", KIND, "null"),
    SCHEMA("kind-type", KIND, "3"),
    SCHEMA("shape-type", SHAPE, "null"),
    MISSING("no-symbol", SYMBOL),
    SCHEMA("symbol-type", SYMBOL, "null"),
    MISSING("no-dims", DIMS),
    SCHEMA("dims-type", DIMS, "null"),
    SCHEMA("dims-type", DIMS, "16"),
};

static const spot ranges[] = {
    RANGE("task-id-range", ID, "9223372036854775808"),
    RANGE("task-id-range", ID, "-9223372036854775809"),
    RANGE("func-id-range", FUNC, "18446744073709551616"),
    RANGE("producer-range", PRODUCER, "99999999999999999999"),
    RANGE("consumer-range", CONSUMER, "-99999999999999999999"),
};

static const spot unknown[] = {
    UNKNOWN("unknown-member", NAME),
    UNKNOWN("unknown-target-member", RUNTIME),
    UNKNOWN("unknown-task-member", ID),
    UNKNOWN("unknown-edge-member", PRODUCER),
    UNKNOWN("unknown-shape-member", SYMBOL),
};

static const spot valid[] = {
    VALID("empty-name", NAME, "\"\""),
    VALID("negative-id", ID, "-1"),
    VALID("negative-id", ID, "-9223372036854775808"),
    VALID("negative-func-id", FUNC, "-1"),
    VALID("core-type", CORE, "\"gpu\""),
    VALID("core-type", CORE, "\"AIC\""),
    VALID("core-type", CORE, "\"\""),
    {"directions-size", "score.valid", FUZZ_AT_DIRECTION, FUZZ_BEFORE,
     "\"Input\""},
    {"keys-size", "score.valid", FUZZ_AT_KEY, FUZZ_BEFORE, "null"},
    {"args-size", "score.valid", FUZZ_AT_ARG, FUZZ_BEFORE, "0"},
    VALID("unknown-producer", PRODUCER, "4611686018427387905"),
    VALID("unknown-consumer", CONSUMER, "-7"),
    {"edge-to-nothing", "score.valid", FUZZ_AT_EDGE, FUZZ_BEFORE,
     "{\"producer\": -1, \"consumer\": -2}"},
    VALID("empty-symbol", SYMBOL, "\"\""),
    {"repeated-symbol", "score.valid", FUZZ_AT_SHAPE, FUZZ_BEFORE,
     "{\"symbol\": \"b0\", \"dims\": []}, {\"symbol\": \"b0\", \"dims\": []}"},
    VALID("dim-type", DIM, "true"),
    VALID("dim-type", DIM, "1.0"),
    VALID("dim-type", DIM, "\"16\""),
    VALID("dim-type", DIM, "null"),
    VALID("dim-type", DIM, "[16]"),
    VALID("negative-dim", DIM, "-16"),
    VALID("zero-dim", DIM, "0"),
    VALID("zero-dim", DIM, "-0"),
};

static const spot no_identity[] = {
    {"list-as-key", "doc.unsupported", FUZZ_AT_KEY, FUZZ_REPLACE, "[1]"},
    {"object-as-key", "doc.unsupported", FUZZ_AT_KEY, FUZZ_REPLACE, "{}"},
};

/* How many there are of what a place is in. */
static uint32_t count_of(const fuzz_breaking *b, fuzz_place place)
{
    if (place < FUZZ_AT_TASK || place == FUZZ_AT_VALUE)
        return 1;
    if (place < FUZZ_AT_EDGE)
        return b->m->task_count;
    return place < FUZZ_AT_SHAPE ? b->m->edge_count : b->style->shapes;
}

/* A list that is left out or empty has no items to break. */
static bool has_item(const fuzz_breaking *b, fuzz_place place, uint32_t task)
{
    const fuzz_task *t = &b->m->tasks[task];
    if (place < FUZZ_AT_ARG || place > FUZZ_AT_KEY)
        return true;
    return t->args > 0 && (place != FUZZ_AT_DIRECTION || !t->no_directions) &&
           (place != FUZZ_AT_KEY ||
            (!t->no_keys && b->style->keys != FUZZ_NO_KEYS)) &&
           /* More arguments alone are as many as no list asks for. */
           (place != FUZZ_AT_ARG || !t->no_directions);
}

static bool patch_at(fuzz_breaking *b, const spot *s)
{
    fuzz_place place = s->place;
    if (place == FUZZ_AT_SHAPE || place == FUZZ_AT_SYMBOL ||
        place == FUZZ_AT_DIMS || place == FUZZ_AT_DIM)
        b->style->shapes += b->style->shapes == 0;
    uint32_t count = count_of(b, place);
    if (count == 0)
        return false;
    uint32_t index = (uint32_t)fuzz_below(b->random, count);
    if (!has_item(b, place, index))
        return false;
    b->patch = (fuzz_patch){place, index, s->action, s->text};
    b->keep_edges = true;
    b->style->decoys = false;
    b->c->fault = s->fault;
    fuzz_case_expect(b->c, s->rule);
    return true;
}

#define PICK(b, list)                                                          \
    (&(list)[fuzz_below((b)->random, sizeof(list) / sizeof *(list))])

static bool break_syntax(fuzz_breaking *b)
{
    const char *const *wrong = *PICK(b, no_values);
    spot s = {wrong[0], "doc.syntax", *PICK(b, value_places), FUZZ_REPLACE,
              wrong[1]};
    return patch_at(b, &s);
}

static bool break_schema(fuzz_breaking *b)
{
    return patch_at(b, PICK(b, schema));
}

static bool break_range(fuzz_breaking *b)
{
    return patch_at(b, PICK(b, ranges));
}

static bool break_fields(fuzz_breaking *b)
{
    return patch_at(b, PICK(b, unknown));
}

static bool break_valid(fuzz_breaking *b)
{
    return patch_at(b, PICK(b, valid));
}

static bool break_identity(fuzz_breaking *b)
{
    fuzz_case *c = b->c;
    if (!patch_at(b, PICK(b, no_identity)))
        return false;
    const fuzz_task *t = &b->m->tasks[b->patch.index];
    if (!t->no_directions && b->m->args[t->first_arg].mode <= FUZZ_UPDATES)
        return true;
    b->patch = (fuzz_patch){0};
    c->fault = NULL;
    c->expect_count = 0;
    return false;
}

/* --- The whole text --- */

typedef enum damage { CUT, MARK, MORE, TWICE, TOO_DEEP, DAMAGES } damage;

static const char *const damages[DAMAGES] = {
    "cut", "byte-order-mark", "text-behind", "two-documents", "too-deep"};

static const char any_damage[] = "any-damage";

/* Bytes at random: it may still be a Score, and a right one. */
static bool break_bytes(fuzz_breaking *b)
{
    b->c->fault = any_damage;
    b->c->open = true;
    return true;
}

static void damage_byte(fuzz_text *text, fuzz_random *random)
{
    static const char bytes[] =
        "\"\\{}[],:0123456789.eE+-truefalsn /\n\x80\xff\x01";
    size_t at = (size_t)fuzz_below(random, text->length);
    size_t other = (size_t)fuzz_below(random, text->length);
    switch (fuzz_below(random, 4)) {
    case 0:
        text->data[at] = bytes[fuzz_below(random, sizeof bytes)];
        break;
    case 1:
        memmove(text->data + at, text->data + at + 1, text->length - at);
        text->length--;
        break;
    case 2:
        text->data[at] = (char)(text->data[at] ^ 1 << fuzz_below(random, 8));
        break;
    default:
        text->data[at] = text->data[other];
    }
}

void fuzz_change_bytes(fuzz_text *text, fuzz_random *random)
{
    for (uint64_t n = 1 + fuzz_below(random, 3); n > 0; n--)
        damage_byte(text, random);
}

static bool break_whole(fuzz_breaking *b)
{
    damage d = (damage)fuzz_below(b->random, DAMAGES);
    b->c->fault = damages[d];
    fuzz_case_expect(b->c, "doc.syntax");
    if (d == TOO_DEEP)
        b->style->deep = 511;
    return true;
}

void fuzz_break_text(fuzz_breaking *b)
{
    fuzz_text *text = &b->c->input;
    if (b->c->fault == damages[CUT]) {
        text->length = (size_t)fuzz_below(b->random, text->length);
        text->data[text->length] = '\0';
    } else if (b->c->fault == damages[MARK]) {
        fuzz_put(text, "   ");
        memmove(text->data + 3, text->data, text->length - 3);
        memcpy(text->data, "\xef\xbb\xbf", 3);
    } else if (b->c->fault == damages[MORE]) {
        fuzz_put(text, "\n}");
    } else if (b->c->fault == damages[TWICE]) {
        fuzz_put(text, "{}");
    } else if (b->c->fault == any_damage) {
        fuzz_change_bytes(text, b->random);
    }
}

/* --- Which --- */

/* Keys by which the policy that is asked for cannot tell accesses apart. */
static bool break_keys(fuzz_breaking *b)
{
    static const spot lists = {"keys-of-policy", "policy.access-key",
                               FUZZ_AT_KEY, FUZZ_REPLACE, "[1]"};
    static const spot sizes = {"keys-of-policy", "policy.storage-keys",
                               FUZZ_AT_KEY, FUZZ_BEFORE, "null"};
    bool short_list = fuzz_chance(b->random, 1, 2);
    uint32_t count = b->m->task_count;
    if (!fuzz_has_directions(b->m) ||
        !patch_at(b, short_list ? &sizes : &lists))
        return false;
    /* The first argument is memory in some task at least: in this one. */
    for (uint32_t i = 0; i < count && !short_list; i++) {
        uint32_t task = (b->patch.index + i) % count;
        const fuzz_task *t = &b->m->tasks[task];
        b->patch.index = task;
        if (b->m->args[t->first_arg].mode <= FUZZ_UPDATES)
            break;
    }
    b->policy = fuzz_chance(b->random, 1, 2) ? "dataflow_v0" : "mixed";
    return true;
}

bool fuzz_break_score(fuzz_breaking *b)
{
    static const struct {
        bool (*make)(fuzz_breaking *b);
        uint32_t weight;
    } ways[] = {
        {break_syntax, 16},     {break_whole, 5},       {break_bytes, 10},
        {break_schema, 16},     {break_range, 4},       {break_fields, 4},
        {break_valid, 12},      {break_identity, 2},    {break_keys, 3},
        {fuzz_break_order, 24}, {fuzz_break_ring, 4},   {fuzz_break_edge, 6},
        {fuzz_break_id, 2},     {fuzz_break_first, 4},  {fuzz_break_twice, 3},
        {fuzz_break_label, 4},  {fuzz_break_policy, 6}, {fuzz_break_request, 5},
    };
    uint32_t sum = 0, i = 0;
    for (uint32_t k = 0; k < sizeof ways / sizeof *ways; k++)
        sum += ways[k].weight;
    uint32_t at = (uint32_t)fuzz_below(b->random, sum);
    while (at >= ways[i].weight)
        at -= ways[i++].weight;
    return ways[i].make(b);
}
