/*
 * The advice of a finding, applied to random documents and judged again: the
 * pair must be gone.
 */
#include "../../scripts/testing/harness.h"
#include "../advice.h"

#include "maker.h"
#include "oracle/judge.h"

#include <stdlib.h>
#include <string.h>

#define SEED 41

typedef struct pair {
    uint32_t task[2], arg[2];
    char rule[32];
} pair;

typedef struct tally {
    uint64_t pairs, none, back, create, from, to, several;
} tally;

static uint64_t draw(uint64_t *index, uint64_t below)
{
    return maker_random(SEED, (*index)++) % below;
}

static void add_argument(maker *m, uint64_t *index, uint32_t buffer)
{
    static const oracle_dispatch others[] = {
        ORACLE_NO_DEP,          ORACLE_NO_DEP, ORACLE_UNKNOWN_DISPATCH,
        ORACLE_OUTPUT_EXISTING, ORACLE_INPUT,  ORACLE_INOUT,
        ORACLE_OUTPUT};
    maker_access(m, buffer, (oracle_mode)draw(index, 4), WHOLE, WHOLE);
    oracle_arg *arg = &m->args[m->document.arg_count - 1];
    if (draw(index, 2) == 0) {
        arg->dispatch = others[draw(index, sizeof others / sizeof *others)];
    }
    if (draw(index, 2) == 0) {
        int64_t elem = draw(index, 6) == 0 ? 1 : 2;
        int64_t begin = (int64_t)draw(index, 3) * 2;
        int64_t most = (6 - begin) / elem;
        arg->view = maker_region(
            m, begin, 1 + (int64_t)draw(index, (uint64_t)most), elem);
        m->regions[arg->view].elem = elem;
        arg->dtype = (oracle_text){elem == 1 ? "i8" : "i16", 3, true};
        arg->dtype.length = (uint32_t)strlen(arg->dtype.data);
    }
    if (draw(index, 20) == 0) {
        static const oracle_identity known = {
            {"", 0, false}, {"77", 2, true}, {"", 0, false}};
        arg->identity = &known;
    }
    arg->manual_dep = draw(index, 20) == 0;
}

static void add_edges(maker *m, uint64_t *index, uint32_t n, bool reversed)
{
    uint64_t rarely = 3 + draw(index, 6);
    uint32_t order[MAKER_TASKS];
    for (uint32_t t = 0; t < n; t++) {
        order[t] = t;
    }
    for (uint32_t t = n; reversed && t-- > 1;) {
        uint32_t other = (uint32_t)draw(index, t + 1), kept = order[t];
        order[t] = order[other];
        order[other] = kept;
    }
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (draw(index, 9) >= rarely) {
                maker_edge(m, order[from], order[to]);
            }
        }
    }
}

static void make(maker *m, uint64_t number, bool reversed)
{
    uint64_t index = number << 12;
    uint32_t n = 2 + (uint32_t)draw(&index, 4);
    maker_start(m);
    m->document.rules = draw(&index, 4) == 0 ? ORACLE_RULES_CONSERVATIVE
                                             : ORACLE_RULES_TENSORMAP;
    maker_buffer(m, "param:a", 12, true);
    maker_buffer(m, "alloc:b", 12, false);
    maker_buffer(m, "alloc:v", 6, false);
    m->buffers[1].init = true;
    m->buffers[1].manual_dep = draw(&index, 4) == 0;
    m->buffers[2].alias_of = 1;
    m->buffers[2].alias_bytes = 6;
    m->document.scope_count = 1;
    m->scopes[0] = (oracle_scope){1, true, true, ORACLE_NONE};
    for (uint32_t t = 0; t < n; t++) {
        uint32_t task = maker_task(m);
        m->tasks[task].scope = draw(&index, 12) == 0 ? 0 : ORACLE_NONE;
        for (uint32_t b = 0; b < 3; b++) {
            if (draw(&index, 5) != 0) {
                add_argument(m, &index, b);
            }
        }
        if (draw(&index, 6) == 0) {
            maker_predicate(m, task, (uint32_t)draw(&index, 2),
                            (int64_t)draw(&index, 12));
        }
    }
    add_edges(m, &index, n, reversed);
}

static char *text_of(const maker *m, size_t *length)
{
    char *text;
    oracle_error error;
    assert_int_equal(oracle_document_write(&text, length, &m->document, &error),
                     ORACLE_OK);
    return text;
}

static void judge(oracle_judgement *judgement, const maker *m)
{
    size_t length;
    char *text = text_of(m, &length);
    assert_int_equal(oracle_judge_text(judgement, text, length, NULL),
                     ORACLE_OK);
    if (judgement->verdict == ORACLE_REFUSED) {
        fail_msg("%s %s", judgement->findings[0].json, text);
    }
    free(text);
}

static void derived(oracle_document *d, const maker *m)
{
    size_t length;
    oracle_error error;
    char *text = text_of(m, &length);
    assert_int_equal(oracle_document_read(d, text, length, NULL, &error),
                     ORACLE_OK);
    assert_int_equal(oracle_document_derive(d, &error), ORACLE_OK);
    free(text);
}

static uint32_t number_in(const char *object, const char *field)
{
    const char *end = strchr(object, '}');
    const char *at = strstr(object, field);
    return at == NULL || at > end
               ? ORACLE_NONE
               : (uint32_t)strtoul(at + strlen(field), NULL, 10);
}

/* The ends of a hazard that has two. */
static bool read_pair(const oracle_finding *f, pair *p)
{
    static const char *const ends[] = {"\"producer\":{", "\"consumer\":{"};
    bool ordering = strcmp(f->rule, "predicate.stale") == 0 ||
                    (strncmp(f->rule, "hazard.", 7) == 0 &&
                     strcmp(f->rule, "hazard.uninitialised") != 0);
    for (uint32_t i = 0; ordering && i < 2; i++) {
        const char *object = strstr(f->json, ends[i]);
        assert_non_null(object);
        p->task[i] = number_in(object, "\"task\":") - 10;
        p->arg[i] = number_in(object, "\"arg\":");
    }
    assert_true(strlen(f->rule) < sizeof p->rule);
    memcpy(p->rule, f->rule, strlen(f->rule) + 1);
    return ordering;
}

static bool found(const oracle_judgement *judgement, const pair *wanted)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        pair p;
        if (read_pair(&judgement->findings[i], &p) &&
            memcmp(p.task, wanted->task, sizeof p.task) == 0 &&
            memcmp(p.arg, wanted->arg, sizeof p.arg) == 0) {
            return true;
        }
    }
    return false;
}

static void reach(const oracle_document *d, bool to[][MAKER_TASKS])
{
    for (uint32_t e = 0; e < d->edge_count; e++) {
        to[d->edges[e].from][d->edges[e].to] = true;
    }
    for (uint32_t k = 0; k < d->task_count; k++) {
        to[k][k] = true;
        for (uint32_t i = 0; i < d->task_count; i++) {
            for (uint32_t j = 0; j < d->task_count; j++) {
                to[i][j] = to[i][j] || (to[i][k] && to[k][j]);
            }
        }
    }
}

static void apply_back(maker *m, const pair *p, bool to[][MAKER_TASKS])
{
    uint32_t kept = 0;
    for (uint32_t e = 0; e < m->document.edge_count; e++) {
        const oracle_edge *edge = &m->edges[e];
        if (!(edge->from > edge->to && to[p->task[1]][edge->from] &&
              to[edge->to][p->task[0]])) {
            m->edges[kept++] = *edge;
        }
    }
    m->document.edge_count = kept;
}

/* Without the dep. */
static void apply(maker *m, const pair *p, const oracle_advice *advice)
{
    const oracle_dispatch to[2] = {advice->from, advice->to};
    const bool set[2] = {advice->set_from, advice->set_to};
    for (uint32_t i = 0; i < 2; i++) {
        oracle_arg *arg =
            p->arg[i] == ORACLE_NONE
                ? NULL
                : &m->args[m->tasks[p->task[i]].first_arg + p->arg[i]];
        if (set[i]) {
            arg->dispatch = to[i];
        }
        if (advice->create) {
            arg->manual_dep = false;
            m->buffers[1].manual_dep = false;
        }
    }
}

static void expect_gone(const maker *m, const pair *p, uint64_t number)
{
    oracle_judgement judgement;
    judge(&judgement, m);
    for (uint32_t i = 0; i < judgement.count; i++) {
        assert_string_not_equal(judgement.findings[i].rule, "graph.cycle");
    }
    if (found(&judgement, p)) {
        size_t length;
        fail_msg("graph %d, %s of %d and %d: %s", (int)number, p->rule,
                 (int)p->task[0], (int)p->task[1], text_of(m, &length));
    }
    oracle_judgement_free(&judgement);
}

static oracle_advice advice_of(const maker *m, const oracle_document *d,
                               const pair *p, bool to[][MAKER_TASKS])
{
    oracle_advice_pair asked = {
        .document = d,
        .rules = d->derived,
        .first = {.task = p->task[0], .arg = p->arg[0]},
        .second = {.task = p->task[1], .arg = p->arg[1]},
        .forward = true,
        .back = to[p->task[1]][p->task[0]],
    };
    for (uint32_t e = 0; e < m->document.edge_count; e++) {
        asked.forward = asked.forward && m->edges[e].from < m->edges[e].to;
    }
    return oracle_advise(&asked);
}

static void try_advice(const maker *m, const oracle_document *d, const pair *p,
                       uint64_t number, tally *count)
{
    bool to[MAKER_TASKS][MAKER_TASKS] = {{false}};
    reach(d, to);
    oracle_advice advice = advice_of(m, d, p, to);
    uint32_t changes =
        (uint32_t)advice.create + advice.set_from + advice.set_to;
    maker changed;
    maker_copy(&changed, m);
    count->pairs++;
    count->none += changes == 0 && !advice.back;
    count->back += advice.back;
    count->create += advice.create;
    count->from += advice.set_from;
    count->to += advice.set_to;
    count->several += changes > 1;
    if (advice.back) {
        apply_back(&changed, p, to);
    }
    maker_edge(&changed, p->task[0], p->task[1]);
    expect_gone(&changed, p, number);
    if (changes > 0) {
        maker_copy(&changed, m);
        apply(&changed, p, &advice);
        expect_gone(&changed, p, number);
    }
}

static tally sample(bool reversed, uint64_t graphs)
{
    tally count = {0};
    for (uint64_t number = 0; number < graphs; number++) {
        maker m;
        oracle_judgement judgement;
        oracle_document d;
        make(&m, number, reversed);
        judge(&judgement, &m);
        derived(&d, &m);
        for (uint32_t i = 0; i < judgement.count; i++) {
            pair p;
            if (read_pair(&judgement.findings[i], &p)) {
                try_advice(&m, &d, &p, number, &count);
            }
        }
        oracle_document_free(&d);
        oracle_judgement_free(&judgement);
    }
    return count;
}

static void forward(void **state)
{
    (void)state;
    tally count = sample(false, 3000);
    assert_true(count.none > 1000 && count.create > 500 && count.from > 500 &&
                count.to > 500 && count.several > 500);
}

static void reversed(void **state)
{
    (void)state;
    tally count = sample(true, 3000);
    assert_true(count.back > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(forward),
    cmocka_unit_test(reversed),
};

TEST_MAIN(tests)
