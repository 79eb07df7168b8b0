/*
 * Documents with choices: what is judged of all executions together is what
 * each gives by itself, and wrong exactly when the brute-force twin finds one
 * of them wrong.
 */
#include "../../scripts/testing/harness.h"

#include "../execution.h"
#include "forward.h"
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHOICES 3
#define PAIRS 512

typedef struct shape {
    uint64_t seed;
    uint32_t tasks;
    bool reversed, bounds, symbols;
    bool deps; /* under conditions, and values that exclude each other */
} shape;

typedef struct tally {
    uint64_t wrong, right, open, parted;
} tally;

static uint64_t draw(const shape *s, uint64_t *index, uint64_t below)
{
    return maker_random(s->seed, (*index)++) % below;
}

static void add_access(maker *m, const shape *s, uint64_t *index, uint32_t b)
{
    oracle_mode mode = (oracle_mode)draw(s, index, 4);
    int64_t begin = (int64_t)draw(s, index, 5);
    int64_t end = begin + 1 + (int64_t)draw(s, index, (uint64_t)(5 - begin));
    bool whole = draw(s, index, 3) == 0;
    oracle_access *access =
        maker_access(m, b, mode, whole ? WHOLE : begin, whole ? WHOLE : end);
    access->must = draw(s, index, 8) != 0;
    if (!whole && s->symbols && end < 5 && draw(s, index, 2) == 0) {
        maker_term(m, &m->regions[access->region].base, 1, 0);
        end++;
    }
    if (!whole && s->symbols && end < 5 && draw(s, index, 2) == 0) {
        uint32_t dim = m->regions[access->region].first;
        maker_term(m, &m->dims[dim].offset, 1, 1);
    }
}

/* Choices inside choices, some tasks of the other branch. */
static void add_whens(maker *m, const shape *s, uint64_t *index, uint32_t t)
{
    oracle_task *task = &m->tasks[t];
    uint32_t first = (uint32_t)draw(s, index, CHOICES);
    if (draw(s, index, 2) == 0) {
        return;
    }
    for (uint32_t c = first; c < CHOICES && task->whens < 2; c++) {
        if (draw(s, index, 2) == 0) {
            m->whens[m->document.when_count++] =
                (oracle_when){c, draw(s, index, 4) != 0};
            task->whens++;
        }
    }
}

static void add_edges(maker *m, const shape *s, uint64_t *index, uint32_t n)
{
    uint64_t rarely = 2 + draw(s, index, 4);
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (draw(s, index, 6) >= rarely) {
                bool back = s->reversed && draw(s, index, 12) == 0;
                oracle_edge *edge =
                    maker_edge(m, back ? to : from, back ? from : to);
                edge->certain = !s->bounds || draw(s, index, 5) != 0;
            }
        }
    }
}

/* A dep on an earlier task that counts under a choice. */
static void add_dep(maker *m, const shape *s, uint64_t *index, uint32_t t)
{
    if (t == 0 || draw(s, index, 2) == 0) {
        return;
    }
    oracle_when when = {(uint32_t)draw(s, index, CHOICES),
                        draw(s, index, 2) != 0};
    m->deps[m->document.dep_count++] = (oracle_dep){
        .cause = ORACLE_DEP_TASK,
        .task = (uint32_t)draw(s, index, t),
        .name = {"", 0, false},
        .first_when = m->document.when_count,
        .whens = 1,
    };
    m->whens[m->document.when_count++] = when;
    m->tasks[t].deps++;
}

/* Two values of two choices that no execution has together. */
static void add_clash(maker *m, const shape *s, uint64_t *index,
                      oracle_clash *clash)
{
    uint32_t first = m->document.when_count;
    uint32_t c = (uint32_t)draw(s, index, CHOICES);
    m->whens[m->document.when_count++] =
        (oracle_when){c, draw(s, index, 2) != 0};
    m->whens[m->document.when_count++] =
        (oracle_when){(c + 1) % CHOICES, draw(s, index, 2) != 0};
    *clash = (oracle_clash){first, 2};
    m->document.clashes = clash;
    m->document.clash_count = 1;
}

static void make(maker *m, const shape *s, uint64_t number, oracle_clash *clash)
{
    uint64_t index = number << 12;
    uint32_t n = 3 + (uint32_t)draw(s, &index, s->tasks - 2);
    maker_start(m);
    maker_symbol(m, "i", 0, 1);
    maker_symbol(m, "r", 0, 1);
    m->symbols[1].free = false;
    maker_buffer(m, "param:a", 5, true);
    maker_buffer(m, "alloc:b", 5, false);
    /* A read at a place that something else decides is a bound: whether all
       of it was written is not asked. */
    m->buffers[1].init = draw(s, &index, 2) == 0 || s->symbols;
    m->document.choice_count = CHOICES;
    for (uint32_t c = 0; c < CHOICES; c++) {
        m->choices[c] = (oracle_choice){
            .id = c, .kind = {"if", 2, true}, .text = {"", 0, false}};
    }
    for (uint32_t t = 0; t < n; t++) {
        uint32_t task = maker_task(m);
        for (uint32_t b = 0; b < 2; b++) {
            if (draw(s, &index, 4) != 0) {
                add_access(m, s, &index, b);
            }
        }
        if (s->deps) {
            add_dep(m, s, &index, task);
        }
        m->tasks[task].first_when = m->document.when_count;
        add_whens(m, s, &index, task);
    }
    if (s->deps && draw(s, &index, 2) == 0) {
        add_clash(m, s, &index, clash);
    }
    add_edges(m, s, &index, n);
}

/* The ends, and what kind, of each error, as text. */
typedef struct errors {
    char text[PAIRS][192];
    uint32_t count;
} errors;

static void add_errors(errors *e, const oracle_judgement *judgement)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        const char *ends[] = {strstr(f->json, "\"producer\":{"),
                              strstr(f->json, "\"consumer\":{")};
        char text[192];
        bool known = false;
        size_t n = 0;
        if (f->severity != ORACLE_ERROR ||
            strcmp(f->rule, "hazard.uninitialised") == 0) {
            continue;
        }
        n += (size_t)snprintf(text, sizeof text, "%s", f->rule);
        for (uint32_t k = 0; k < 2; k++) {
            if (ends[k] != NULL) {
                n += (size_t)snprintf(text + n, sizeof text - n, " %.*s",
                                      (int)strcspn(ends[k], "}"), ends[k]);
            }
        }
        for (uint32_t k = 0; k < e->count && !known; k++) {
            known = strcmp(e->text[k], text) == 0;
        }
        if (!known) {
            assert_true(e->count < PAIRS);
            memcpy(e->text[e->count++], text, sizeof text);
        }
    }
}

static bool has_doubt(const oracle_judgement *judgement)
{
    bool doubt = judgement->undecided_count > 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        doubt = doubt || (f->severity == ORACLE_WARNING &&
                          strcmp(f->rule, "hazard.uninitialised") != 0);
    }
    return doubt;
}

static bool has_rule(const oracle_judgement *judgement, const char *rule)
{
    bool has = false;
    for (uint32_t i = 0; i < judgement->count; i++) {
        has = has || strcmp(judgement->findings[i].rule, rule) == 0;
    }
    return has;
}

/* For some value of i; r is as it is. */
static bool wrong_with(const oracle_document *d, bool without, int64_t r)
{
    bool wrong = false;
    for (int64_t i = 0; i < 2 && !wrong; i++) {
        int64_t values[] = {i, r};
        /* Who may have filled a buffer is asked of all executions together. */
        twin_options options = {.without_uncertain = without,
                                .values = values,
                                .trust_content = true};
        wrong = twin_wrong(d, &options);
    }
    return wrong;
}

static bool wrong_somehow(const oracle_document *d, bool without)
{
    return wrong_with(d, without, 0) || wrong_with(d, without, 1);
}

/* All executions, each as a document of its own. */
static void judge_each(const maker *m, errors *e, bool *wrong, bool surely[2],
                       bool *doubt, bool *cyclic)
{
    oracle_executions executions;
    oracle_arena *arena = oracle_arena_create();
    assert_true(oracle_executions_start(&executions, &m->document, arena));
    for (uint32_t number = 0; number < CHOICES + 2; number++) {
        bool choices[CHOICES];
        oracle_document one;
        oracle_error error;
        oracle_judgement judgement;
        oracle_execution_choices(&executions, number, choices);
        assert_int_equal(
            oracle_document_restrict(&one, &m->document, choices, &error),
            ORACLE_OK);
        assert_int_equal(oracle_judge_document(&judgement, &one, NULL),
                         ORACLE_OK);
        bool cycle = has_rule(&judgement, "graph.cycle");
        add_errors(e, &judgement);
        *doubt = *doubt || has_doubt(&judgement);
        *cyclic = *cyclic || cycle;
        *wrong = *wrong || (!cycle && wrong_somehow(&one, false));
        for (int64_t r = 0; r < 2; r++) {
            surely[r] = surely[r] || (!cycle && wrong_with(&one, false, r) &&
                                      wrong_with(&one, true, r));
        }
        oracle_judgement_free(&judgement);
        oracle_document_free(&one);
    }
    oracle_arena_free(arena);
}

static bool same_errors(const errors *a, const errors *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->count && !found; k++) {
            found = strcmp(a->text[i], b->text[k]) == 0;
        }
        same = found;
    }
    return same;
}

static void compare(const shape *s, uint64_t number, tally *count)
{
    maker m;
    oracle_clash clash;
    oracle_judgement judgement;
    errors *together = calloc(2, sizeof *together), *each = together + 1;
    bool wrong = false, surely[2] = {false}, doubt = false, cyclic = false;
    assert_non_null(together);
    make(&m, s, number, &clash);
    assert_int_equal(oracle_judge_document(&judgement, &m.document, NULL),
                     ORACLE_OK);
    add_errors(together, &judgement);
    judge_each(&m, each, &wrong, surely, &doubt, &cyclic);
    bool told = together->count > 0;
    if (!cyclic &&
        (!same_errors(together, each) || (told && !(surely[0] && surely[1])) ||
         (wrong && !told && !has_doubt(&judgement)) ||
         (doubt && !told && !has_doubt(&judgement)) ||
         !forward_witnesses(&m, &judgement))) {
        for (uint32_t i = 0; i < each->count; i++) {
            fprintf(stderr, "each: %s\n", each->text[i]);
        }
        fprintf(stderr, "twin: %s\n", wrong ? "wrong" : "right");
        forward_show(&m, &judgement);
        fail_msg("graph %d", (int)number);
    }
    count->wrong += told && !cyclic;
    count->right += !told && !has_doubt(&judgement);
    count->open += !told && has_doubt(&judgement);
    count->parted += each->count > 1;
    oracle_judgement_free(&judgement);
    free(together);
}

static tally sample(const shape *s, uint64_t graphs)
{
    tally count = {0};
    for (uint64_t number = 0; number < graphs; number++) {
        compare(s, number, &count);
    }
    return count;
}

static void executions(void **state)
{
    (void)state;
    tally count = sample(&(shape){.seed = 51, .tasks = 6}, 4000);
    assert_true(count.wrong > 1000 && count.right > 200 && count.parted > 400);
}

static void executions_reversed(void **state)
{
    (void)state;
    tally count =
        sample(&(shape){.seed = 52, .tasks = 5, .reversed = true}, 2000);
    assert_true(count.wrong > 400 && count.right > 100);
}

static void executions_bounds(void **state)
{
    (void)state;
    tally count =
        sample(&(shape){.seed = 53, .tasks = 5, .bounds = true}, 2000);
    assert_true(count.wrong > 400 && count.right > 100);
}

static void executions_symbols(void **state)
{
    (void)state;
    tally count =
        sample(&(shape){.seed = 54, .tasks = 5, .symbols = true}, 4000);
    assert_true(count.wrong > 600 && count.right > 200);
}

static void executions_deps(void **state)
{
    (void)state;
    tally count = sample(&(shape){.seed = 55, .tasks = 6, .deps = true}, 4000);
    assert_true(count.wrong > 1000 && count.right > 200 && count.parted > 400);
}

/* The first choice of each line is turned over before the others. */
static void lines_first(void **state)
{
#define WRITES(id, when)                                                       \
    "{\"id\":" #id ",\"args\":[{\"buffer\":\"param:x\",\"dispatch\":"          \
    "\"no_dep\",\"access\":[{\"mode\":\"write\",\"must\":true,\"exact\":"      \
    "true}]}],\"when\":[" when "]}"
#define PASSES(id, choice)                                                     \
    "{\"id\":" #id ",\"args\":[],\"when\":[{\"choice\":" #choice               \
    ",\"is\":true}]}"
    static const char text[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
        "\"none\",\"buffers\":[{\"key\":\"param:x\",\"bytes\":4}],"
        "\"choices\":[{\"id\":0,\"kind\":\"if\",\"text\":\"a\",\"line\":5},"
        "{\"id\":1,\"kind\":\"if\",\"text\":\"a\",\"line\":5},"
        "{\"id\":2,\"kind\":\"if\",\"text\":\"b\",\"line\":6},"
        "{\"id\":3,\"kind\":\"if\",\"text\":\"c\",\"line\":7}],"
        "\"tasks\":[" WRITES(1, "{\"choice\":3,\"is\":true}") "," PASSES(
            2, 1) "," PASSES(3,
                             2) "," WRITES(4,
                                           "") "],"
                                               "\"edges\":[{\"from\":1,\"to\":"
                                               "2},{\"from\":2,\"to\":3},"
                                               "{\"from\":3,\"to\":4}]}";
    oracle_judgement judgement;
    (void)state;
    assert_int_equal(oracle_judge_text(&judgement, text, sizeof text - 1, NULL),
                     ORACLE_OK);
    assert_int_equal(judgement.total, 1);
    assert_string_equal(judgement.findings[0].rule, "hazard.waw");
    assert_non_null(strstr(judgement.findings[0].json,
                           "{\"choice\":1,\"is\":true},"
                           "{\"choice\":2,\"is\":false}"));
    oracle_judgement_free(&judgement);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_first),       cmocka_unit_test(executions_deps),
    cmocka_unit_test(executions),        cmocka_unit_test(executions_reversed),
    cmocka_unit_test(executions_bounds), cmocka_unit_test(executions_symbols),
};

TEST_MAIN(tests)
