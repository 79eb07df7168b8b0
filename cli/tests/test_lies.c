/*
 * A planner that lies once: one value of an answer of ours is changed, left
 * out, doubled or put elsewhere, and each such lie has to be a disagreement, or
 * to be of the few that the formats leave free.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../fuzz/evaluate_work.h"
#include "../fuzz/known.h"
#include "../input.h"
#include "../serve.h"
#include "fuzz/case.h"

#ifndef CASES
#define CASES 500 /* of each kind */
#endif
#define LIES 12 /* about each */
#define PLACES 65536
#define SHAPES 2048
#define NONE UINT32_MAX

static const fuzz_limits limits = {.tasks = 48};

/* --- Places of an answer --- */

/* A way through an answer, without numbers and without names of the input. */
typedef struct shape {
    char name[120];
    uint32_t told, missed;
    char missed_as[8][48]; /* the lies about it that nobody noticed */
    char missed_at[8][24]; /* ... and a case of each */
    uint32_t missed_count[8];
} shape;

typedef struct place {
    cli_span value;
    cli_span whole; /* with its name, if it has one */
    uint32_t parent, shape;
    bool last; /* of its list or object */
} place;

typedef struct liar {
    fuzz_case c;
    fuzz_random random;
    cli_text honest, lie;
    place *places;
    uint32_t count;
    shape *shapes;
    uint32_t shape_count;
    uint32_t told, missed, free;
} liar;

static uint32_t shape_of(liar *l, const char *name)
{
    uint32_t i = 0;
    while (i < l->shape_count && strcmp(l->shapes[i].name, name) != 0)
        i++;
    assert_true(i < SHAPES);
    if (i == l->shape_count)
        snprintf(l->shapes[l->shape_count++].name, sizeof l->shapes[i].name,
                 "%s", name);
    return i;
}

static bool is_word(cli_span key)
{
    for (size_t i = 0; i < key.length; i++)
        if ((key.data[i] < 'a' || key.data[i] > 'z') && key.data[i] != '_' &&
            !(i > 0 && strncmp(key.data, "sha256", 6) == 0))
            return false;
    return key.length < 40;
}

static void add_place(liar *l, uint32_t parent, cli_span key, cli_span value,
                      const char *role)
{
    char name[120];
    const char *above =
        parent == NONE ? "" : l->shapes[l->places[parent].shape].name;
    assert_true(l->count < PLACES);
    place *p = &l->places[l->count++];
    bool named = key.data != NULL && key.length > 0;
    if (role != NULL)
        snprintf(name, sizeof name, "%s", role);
    else if (!named)
        snprintf(name, sizeof name, "%.110s[]", above);
    else if (is_word(key))
        snprintf(name, sizeof name, "%.70s%s%.*s", above,
                 *above == '\0' ? "" : ".", (int)key.length, key.data);
    else
        snprintf(name, sizeof name, "%.110s.*", above);
    *p = (place){value, value, parent, shape_of(l, name), false};
    if (named)
        p->whole = (cli_span){key.data - 1, (size_t)(value.data - key.data) +
                                                1 + value.length};
}

/* The document of a member is called by its role. */
static const char *role_of(liar *l, uint32_t parent, cli_span key,
                           char role[24])
{
    cli_span value;
    cli_text text = {0};
    if (parent == NONE || !cli_span_is(key, "document") ||
        !cli_span_member(&value, l->places[parent].value, "role") ||
        !cli_span_text(&text, value))
        return NULL;
    snprintf(role, 24, "%s", text.data);
    cli_text_free(&text);
    return role;
}

static void list_places(liar *l)
{
    cli_span whole = {l->honest.data, l->honest.length};
    l->count = 0;
    add_place(l, NONE, (cli_span){NULL, 0}, whole, "answer");
    for (uint32_t i = 0; i < l->count; i++) {
        cli_walk walk;
        cli_span key, value;
        uint32_t before = l->count;
        char role[24];
        if (!cli_walk_object(&walk, l->places[i].value) &&
            !cli_walk_array(&walk, l->places[i].value))
            continue;
        while (cli_walk_next(&walk, &key, &value))
            if (i > 0 || !cli_span_is(key, "id"))
                add_place(l, i, key, value, role_of(l, i, key, role));
        if (l->count > before)
            l->places[l->count - 1].last = true;
    }
}

/* --- Lies --- */

/* The honest answer with other bytes in place of some. */
static void put_instead(liar *l, cli_span old, const char *data, size_t length)
{
    size_t at = (size_t)(old.data - l->honest.data);
    cli_text_clear(&l->lie);
    cli_text_add(&l->lie, l->honest.data, at);
    cli_text_add(&l->lie, data, length);
    cli_text_add(&l->lie, l->honest.data + at + old.length,
                 l->honest.length - at - old.length);
}

static bool put_text(liar *l, const place *p, const char *text)
{
    if (cli_span_is(p->value, text))
        return false;
    put_instead(l, p->value, text, strlen(text));
    return true;
}

static bool same(cli_span a, cli_span b)
{
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* A place of the same shape that begins a random walk from this one. */
static const place *other_of(liar *l, const place *p)
{
    uint64_t start = fuzz_below(&l->random, l->count);
    for (uint32_t i = 0; i < l->count; i++) {
        const place *q = &l->places[(start + i) % l->count];
        if (q->shape == p->shape && !same(q->value, p->value))
            return q;
    }
    return NULL;
}

/* Left out, with the comma beside it. */
static bool drop(liar *l, const place *p)
{
    cli_span gone = p->whole;
    const char *end = gone.data + gone.length;
    if (p->parent == NONE)
        return false;
    if (*end == ',')
        gone.length++;
    else if (gone.data[-1] == ',')
        gone = (cli_span){gone.data - 1, gone.length + 1};
    put_instead(l, gone, "", 0);
    return true;
}

static bool is_item(const liar *l, const place *p)
{
    return p->parent != NONE && *l->places[p->parent].value.data == '[';
}

static bool twice(liar *l, const place *p)
{
    cli_text two = {0};
    if (!is_item(l, p))
        return false;
    cli_text_add(&two, p->value.data, p->value.length);
    cli_text_put(&two, ",");
    cli_text_add(&two, p->value.data, p->value.length);
    put_instead(l, p->value, two.data, two.length);
    cli_text_free(&two);
    return true;
}

/* An item and the next one. */
static bool swap(liar *l, const place *p)
{
    const place *q = p + 1;
    cli_text two = {0};
    if (!is_item(l, p) || p->last || same(p->value, q->value))
        return false;
    cli_text_add(&two, q->value.data, q->value.length);
    cli_text_put(&two, ",");
    cli_text_add(&two, p->value.data, p->value.length);
    put_instead(
        l, (cli_span){p->value.data, p->value.length + 1 + q->value.length},
        two.data, two.length);
    cli_text_free(&two);
    return true;
}

/* Another value of the same type. */
static bool change(liar *l, const place *p, uint64_t way)
{
    char text[32];
    int64_t number;
    cli_span v = p->value;
    switch (*v.data) {
    case 't':
        return put_text(l, p, "false");
    case 'f':
        return put_text(l, p, "true");
    case 'n':
        return put_text(l, p, way == 0 ? "7" : way == 1 ? "\"zz\"" : "[]");
    case '{':
        return put_text(l, p, v.length > 2 ? "{}" : "{\"zz\":1}");
    case '[':
        return put_text(l, p, v.length > 2 ? "[]" : "[0]");
    case '"':
        if (way == 0 || v.length < 3 || v.data[v.length - 2] < 'a')
            return put_text(l, p, way == 0 ? "\"\"" : "\"zz\"");
        put_instead(l, (cli_span){v.data + v.length - 2, 1},
                    v.data[v.length - 2] == 'b' ? "c" : "b", 1);
        return true;
    default:
        if (!cli_span_int(&number, v) || number > INT64_MAX / 4)
            return put_text(l, p, "0.625");
        snprintf(text, sizeof text, "%" PRId64,
                 way == 0   ? number + 1
                 : way == 1 ? number - 1
                            : 2 * number + 7);
        return put_text(l, p, text);
    }
}

static bool instead_of(liar *l, const place *p)
{
    const place *q = other_of(l, p);
    if (q == NULL)
        return false;
    put_instead(l, p->value, q->value.data, q->value.length);
    return true;
}

/* What is told in place of a value; NULL: it can be none there. */
static const char *tell(liar *l, const place *p)
{
    static const char *const changed[] = {"changed", "changed-less",
                                          "changed-more"};
    static const char *const of_string[] = {"emptied", "changed", "changed"};
    uint64_t way = fuzz_below(&l->random, 3);
    switch (fuzz_below(&l->random, 10)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (!change(l, p, way))
            return NULL;
        return *p->value.data == '"' ? of_string[way] : changed[way];
    case 4:
    case 5:
        return instead_of(l, p) ? "other" : NULL;
    case 6:
        return put_text(l, p, "null") ? "null" : NULL;
    case 7:
        return twice(l, p) ? "twice" : NULL;
    case 8:
        return swap(l, p) ? "swapped" : NULL;
    default:
        return drop(l, p) ? "dropped" : NULL;
    }
}

/* --- What is free --- */

/* With a star at its end a shape stands for all that begin so. */
typedef struct freedom {
    const char *shape;
    const char *lie; /* NULL: any */
    const char *was; /* what must have stood there; NULL: anything */
} freedom;

/* docs/formats.md and docs/task-graph.md say of each that it is. */
static const freedom freedoms[] = {
    /* Members, buffers and edges have no order. */
    {"answer.bundle.members[]", "swapped", NULL},
    {"graph.buffers[]", "swapped", NULL},
    {"graph.edges[]", "swapped", NULL},
    /* What has a default of the document may be left out. */
    {"graph.buffers", "dropped", "[]"},
    {"graph.buffers", "null", "[]"},
    {"graph.edges", "dropped", "[]"},
    {"graph.edges", "null", "[]"},
    {"graph.tasks", "dropped", "[]"},
    {"graph.tasks", "null", "[]"},
    {"graph.tasks[].args", "dropped", "[]"},
    {"graph.tasks[].args", "null", "[]"},
    {"graph.rules", "dropped", NULL},
    {"graph.rules", "null", NULL},
    {"graph.buffers[].bytes", "dropped", "null"},
    {"graph.buffers[].external", "dropped", NULL},
    {"graph.buffers[].external", "null", NULL},
    {"graph.edges[].certain", "dropped", "true"},
    {"graph.edges[].certain", "null", "true"},
    /* Where greedy_dag puts a buffer is its own choice, where it is safe. */
    {"memory.allocations[].offset", "changed*", NULL},
    {"memory.allocations[].offset", "other", NULL},
    /* What is planned of each region is the planner's own (docs/oracle.md). */
    {"regions.regions[].has_unknown_access", NULL, NULL},
    /* A planner need not have digests. */
    {"answer.encodings", "dropped", NULL},
    {"answer.encodings", "null", NULL},
    {"answer.encodings", "changed*", NULL},
    {"answer.encodings.*", "dropped", NULL},
    /* An error without a place says so, or nothing of it. */
    {"answer.error.line", "dropped", "0"},
    {"answer.error.line", "null", "0"},
    {"answer.error.column", "dropped", "0"},
    {"answer.error.column", "null", "0"},
    {"answer.error.offset", "dropped", "0"},
    {"answer.error.offset", "null", "0"},
    {"answer.error.path", "dropped", "\"\""},
    {"answer.error.path", "null", "\"\""},
    /* What a warning is about. */
    {"answer.notes[].member", "other", "\"score\""},
    /* Which option a path names. */
    {"answer.error.path", NULL, "\"sizes\""},
    /* Words for people. */
    {"answer.error.message", "changed", NULL},
};

static bool is_like(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);
    return length > 0 && pattern[length - 1] == '*'
               ? strncmp(name, pattern, length - 1) == 0
               : strcmp(name, pattern) == 0;
}

static bool has(cli_span note, const char *name, const char *value)
{
    cli_span found;
    return cli_span_member(&found, note, name) && cli_span_is(found, value);
}

/*
 * Code and words of warnings, and of errors but for those that spec 01 and 04
 * fix; and whether there is a warning, or an error that the eligibility result
 * has, too.
 */
static bool is_free_note(const liar *l, cli_span note, bool words)
{
    bool fixed =
        has(note, "member", "\"score\"") || has(note, "member", "\"hbg\"");
    return has(note, "severity", "\"warning\"") ||
           (words ? !fixed
                  : strstr(l->honest.data, "\"eligible\":false") != NULL &&
                        has(note, "member", "\"score\""));
}

static bool is_about_notes(const liar *l, const place *p, const char *lie)
{
    const char *name = l->shapes[p->shape].name;
    cli_walk walk;
    cli_span key, note;
    bool all = true;
    if (strcmp(name, "answer.notes") == 0 && cli_walk_array(&walk, p->value)) {
        while (cli_walk_next(&walk, &key, &note))
            all = all && is_free_note(l, note, false);
        return all && strcmp(lie, "null") != 0;
    }
    if (strcmp(name, "answer.notes[]") == 0)
        return (is_free_note(l, p->value, false) &&
                (strcmp(lie, "dropped") == 0 || strcmp(lie, "other") == 0)) ||
               strcmp(lie, "twice") == 0 || strcmp(lie, "swapped") == 0;
    if (strcmp(name, "answer.notes[].code") == 0 ||
        strcmp(name, "answer.notes[].message") == 0)
        return is_free_note(l, l->places[p->parent].value, true) &&
               (strcmp(lie, "changed") == 0 || strcmp(lie, "other") == 0);
    return false;
}

/* Which of several parameters of one name a region uses. */
static bool is_about_twins(const liar *l, const place *p)
{
    static const char shapes[] =
        "regions.regions[].eligibility.score.shape_assumptions";
    return strncmp(l->shapes[p->shape].name, shapes, sizeof shapes - 1) == 0 &&
           strstr(l->honest.data, "@2\"") != NULL;
}

/* Nobody knows the Score of a program whose bytes are damaged. */
static bool is_about_damage(const liar *l, const char *name)
{
    return l->c.ask != NULL && strcmp(l->c.ask, "ir") == 0 &&
           l->c.expected.length == 0 && is_like(name, "score*");
}

static bool is_free(const liar *l, const place *p, const char *lie)
{
    const char *name = l->shapes[p->shape].name;
    for (size_t i = 0; i < sizeof freedoms / sizeof *freedoms; i++) {
        const freedom *f = &freedoms[i];
        if (is_like(name, f->shape) &&
            (f->lie == NULL || is_like(lie, f->lie)) &&
            (f->was == NULL || cli_span_is(p->value, f->was)))
            return true;
    }
    return is_about_damage(l, name) || is_about_notes(l, p, lie) ||
           is_about_twins(l, p);
}

/* --- Asking --- */

static cli_span span_of(const fuzz_text *text)
{
    return (cli_span){text->data, text->length};
}

static cli_question question_of(const fuzz_case *c)
{
    return (cli_question){.ask = c->ask,
                          .text = span_of(&c->input),
                          .options = span_of(&c->options),
                          .expected = span_of(&c->expected)};
}

static bool is_noticed(const liar *l, const cli_text *answer, bool shown)
{
    static const oracle_judge_options options = {.generated = "liar"};
    cli_evaluation e = {0};
    const cli_question q = question_of(&l->c);
    const cli_reply reply = {.event = CLI_ANSWER,
                             .answer = {answer->data, answer->length},
                             .problem = "",
                             .frames = "",
                             .said = ""};
    bool noticed = false;
    cli_evaluation_take(&e, &q, &reply, &options);
    cli_known_compare(&e, &l->c, &q);
    assert_false(e.failed);
    for (size_t i = 0; i < cli_evaluation_count(&e); i++) {
        const oracle_finding *f = cli_evaluation_at(&e, i);
        noticed = noticed || cli_is_disagreement(f->rule);
        if (shown && cli_is_disagreement(f->rule))
            fprintf(stderr, "%s: %s\n", f->rule, f->message);
    }
    cli_evaluation_free(&e);
    return noticed;
}

/* Seals are taken off: a lie would break its own. */
static void unseal(liar *l)
{
    static const char seal[] = ",\"sha256\":\"";
    char *at = l->honest.data;
    while ((at = strstr(at, seal)) != NULL) {
        size_t gone = sizeof seal - 1 + 64 + 1;
        memmove(at, at + gone, strlen(at + gone) + 1);
        l->honest.length -= gone;
    }
}

static void ask(liar *l)
{
    cli_text line = {0};
    const cli_question q = question_of(&l->c);
    cli_question_put(&line, 0, &q);
    cli_text_clear(&l->honest);
    assert_int_equal(cli_serve_line(&l->honest, NULL, line.data,
                                    line.length - 1, false, false),
                     0);
    l->honest.length--; /* without the end of the line */
    l->honest.data[l->honest.length] = '\0';
    cli_text_free(&line);
}

/* --- Counting --- */

static void count_missed(shape *s, const char *lie, const char *label)
{
    size_t i = 0;
    s->missed++;
    while (i < 7 && *s->missed_as[i] != '\0' &&
           strcmp(s->missed_as[i], lie) != 0)
        i++;
    if (*s->missed_as[i] == '\0') {
        snprintf(s->missed_as[i], sizeof s->missed_as[i], "%s", lie);
        snprintf(s->missed_at[i], sizeof s->missed_at[i], "%s", label);
    }
    s->missed_count[i]++;
}

/* One lie about a value of a shape that is drawn among those of the answer. */
static void lie_once(liar *l, const char *label)
{
    const place *p = NULL;
    uint32_t wanted = (uint32_t)fuzz_below(&l->random, l->shape_count);
    uint64_t start = fuzz_below(&l->random, l->count);
    for (uint32_t i = 0; i < l->count && p == NULL; i++)
        if (l->places[(start + i) % l->count].shape == wanted)
            p = &l->places[(start + i) % l->count];
    const char *lie = p == NULL ? NULL : tell(l, p);
    if (lie == NULL)
        return;
    assert_false(l->lie.failed);
    shape *s = &l->shapes[p->shape];
    if (is_free(l, p, lie)) {
        l->free++;
    } else if (is_noticed(l, &l->lie, false)) {
        l->told++;
        s->told++;
    } else {
        l->missed++;
        count_missed(s, lie, label);
    }
}

static void lie_about(liar *l, fuzz_kind kind, uint64_t index)
{
    char label[24];
    const fuzz_name name = {.seed = 3, .stream = kind, .index = index};
    assert_int_equal(fuzz_case_make(&l->c, &name, &limits), FUZZ_OK);
    l->random = fuzz_random_of(&name, 99);
    if (cli_utf8_check(l->c.input.data, l->c.input.length) != l->c.input.length)
        return; /* no line can hold it */
    ask(l);
    unseal(l);
    if (l->honest.length > 200000)
        return;
    snprintf(label, sizeof label, "%s:%" PRIu64, fuzz_kind_name(kind), index);
    if (is_noticed(l, &l->honest, true))
        fail_msg("%s: the honest answer is a lie", label);
    list_places(l);
    for (int i = 0; i < LIES * 12; i++)
        lie_once(l, label);
}

static void show_missed(const liar *l)
{
    for (uint32_t i = 0; i < l->shape_count; i++) {
        const shape *s = &l->shapes[i];
        if (s->missed == 0)
            continue;
        fprintf(stderr, "%s: %u of %u:", s->name, s->missed,
                s->missed + s->told);
        for (int k = 0; k < 8 && *s->missed_as[k] != '\0'; k++)
            fprintf(stderr, " %s %u (%s)", s->missed_as[k], s->missed_count[k],
                    s->missed_at[k]);
        fprintf(stderr, "\n");
    }
}

static void each_is_noticed(fuzz_kind kind)
{
    liar l = {0};
    l.places = calloc(PLACES, sizeof *l.places);
    l.shapes = calloc(SHAPES, sizeof *l.shapes);
    assert_non_null(l.places);
    assert_non_null(l.shapes);
    for (uint64_t i = 0; i < CASES; i++)
        lie_about(&l, kind, i);
    show_missed(&l);
    fprintf(stderr, "%s: %u lies told, %u missed, %u free\n",
            fuzz_kind_name(kind), l.told + l.missed, l.missed, l.free);
    assert_int_equal(l.missed, 0);
    assert_true(l.told > CASES);
    fuzz_case_free(&l.c);
    cli_text_free(&l.honest);
    cli_text_free(&l.lie);
    free(l.places);
    free(l.shapes);
}

static void about_scores(void **state)
{
    (void)state;
    each_is_noticed(FUZZ_SCORE);
}

static void about_programs(void **state)
{
    (void)state;
    each_is_noticed(FUZZ_IR);
}

static void about_memory(void **state)
{
    (void)state;
    each_is_noticed(FUZZ_MEMORY);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(about_scores),
    cmocka_unit_test(about_programs),
    cmocka_unit_test(about_memory),
};
TEST_MAIN(tests)
