#include "graphs.h"

#include "forward.h"
#include "twin.h"

#include <stdio.h>
#include <string.h>

enum { SYMBOLS = 3, CHOICES = 2, COINS = 8, BOUNDS = 4, UNFREE = 2 };

const graph_shape graph_shapes[GRAPH_SHAPES] = {
    {.name = "whole_buffers", .seed = 61},
    {.name = "regions", .seed = 62, .regions = true},
    {.name = "accumulations", .seed = 63, .regions = true, .accumulate = true},
    {.name = "predicates",
     .seed = 64,
     .regions = true,
     .may = true,
     .accumulate = true},
    {.name = "reversed_edges", .seed = 65, .reversed = true, .regions = true},
    {.name = "aliases",
     .seed = 66,
     .aliases = true,
     .regions = true,
     .reversed = true},
    {.name = "memory_plans", .seed = 67, .plan = true, .aliases = true},
    {.name = "memory_plans_of_everything",
     .seed = 68,
     .plan = true,
     .regions = true,
     .aliases = true,
     .accumulate = true,
     .may = true,
     .reversed = true},
    {.name = "conditions",
     .seed = 69,
     .choices = true,
     .regions = true,
     .accumulate = true,
     .reversed = true},
    {.name = "bounds",
     .seed = 70,
     .uncertain = true,
     .regions = true,
     .bounds = true},
    {.name = "symbols",
     .seed = 71,
     .symbols = true,
     .regions = true,
     .accumulate = true},
    {.name = "symbols_and_everything",
     .seed = 72,
     .symbols = true,
     .regions = true,
     .reversed = true,
     .may = true,
     .uncertain = true},
};

typedef struct making {
    maker *m;
    const graph_shape *s;
    uint64_t index;
    uint32_t coins, bounds; /* so far: what they cost the twin doubles */
} making;

static uint64_t draw(making *w, uint64_t below)
{
    return maker_random(w->s->seed, w->index++) % below;
}

/* --- Places --- */

static bool toss(making *w, uint64_t rarely)
{
    if (w->coins == COINS || draw(w, rarely) != 0) {
        return false;
    }
    w->coins++;
    return true;
}

/* Bytes of 6, for all values of the symbols: 0 and 1, 0 to 2, 0 and 1. */
static uint32_t symbolic(making *w)
{
    static const int64_t most[SYMBOLS] = {1, 2, 1};
    int64_t stride = 1 + (int64_t)draw(w, 2), count = 1 + (int64_t)draw(w, 2);
    int64_t last = 5 - (count - 1) * stride;
    uint32_t r = maker_region(w->m, 0, count, stride);
    oracle_region *region = &w->m->regions[r];
    oracle_dim *dim = &w->m->dims[region->first];
    uint32_t symbol = (uint32_t)draw(w, SYMBOLS);
    uint64_t way = draw(w, 4);
    if (way == 1) {
        int64_t coef = 1 + (int64_t)draw(w, (uint64_t)(last / most[symbol]));
        maker_term(w->m, &region->base, coef, symbol);
        last -= coef * most[symbol];
    } else if (way > 1 && last >= most[symbol] * stride) {
        maker_term(w->m, way == 2 ? &dim->offset : &dim->count, 1, symbol);
        last -= most[symbol] * stride;
    }
    region->base.c = (int64_t)draw(w, (uint64_t)last + 1);
    return r;
}

static uint32_t strided(making *w)
{
    int64_t stride = 1 + (int64_t)draw(w, 2), begin = (int64_t)draw(w, 5);
    int64_t most = (5 - begin) / stride + 1;
    return maker_region(w->m, begin, 1 + (int64_t)draw(w, (uint64_t)most),
                        stride);
}

static void place(making *w, oracle_access *access)
{
    if (w->s->regions && draw(w, 4) != 0) {
        access->region = w->s->symbols ? symbolic(w) : strided(w);
    }
    access->must = !w->s->may || !toss(w, 6);
    if (w->s->bounds && w->bounds < BOUNDS && draw(w, 5) == 0) {
        access->exact = false;
        w->bounds++;
    }
}

/* Mostly the first one writes all of it: then it has a value. */
static bool fills(making *w, uint32_t buffer)
{
    const oracle_document *d = &w->m->document;
    const oracle_buffer *b = &d->buffers[buffer];
    bool first = b->alias_of == ORACLE_NONE && !b->external && !b->init;
    for (uint32_t a = 0; first && a < d->arg_count; a++) {
        first = d->buffers[d->args[a].buffer].storage != b->storage;
    }
    return first && draw(w, 8) != 0;
}

static void add_access(making *w, uint32_t buffer)
{
    maker *m = w->m;
    if (fills(w, buffer)) {
        maker_access(m, buffer, ORACLE_WRITE, WHOLE, WHOLE);
        return;
    }
    oracle_mode mode = (oracle_mode)draw(w, w->s->accumulate ? 4 : 3);
    place(w, maker_access(m, buffer, mode, WHOLE, WHOLE));
    if (w->s->regions && !w->s->symbols && draw(w, 4) == 0) {
        oracle_access *access = &m->accesses[m->document.access_count];
        *access = (oracle_access){mode, true, true, ORACLE_NONE};
        m->args[m->document.arg_count - 1].accesses++;
        m->document.access_count++;
        place(w, access);
    }
}

/* --- Edges --- */

static bool share(const maker *m, uint32_t a, uint32_t b)
{
    const oracle_task *x = &m->tasks[a], *y = &m->tasks[b];
    for (uint32_t i = x->first_arg; i < x->first_arg + x->args; i++) {
        for (uint32_t k = y->first_arg; k < y->first_arg + y->args; k++) {
            if (m->buffers[m->args[i].buffer].storage ==
                    m->buffers[m->args[k].buffer].storage &&
                (m->accesses[m->args[i].first_access].mode != ORACLE_READ ||
                 m->accesses[m->args[k].first_access].mode != ORACLE_READ)) {
                return true;
            }
        }
    }
    return false;
}

/*
 * At random; or one for each pair that touches one storage, but for some that
 * are forgotten: such a graph is often right. Some go against program order.
 */
static void add_edges(making *w, uint32_t n)
{
    uint64_t rarely = 1 + draw(w, 5), forget = 4 + draw(w, 60);
    bool random = draw(w, 3) == 0;
    uint64_t back = w->s->reversed ? 2 + draw(w, 30) : 0;
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            bool wanted = random ? draw(w, 6) >= rarely
                                 : share(w->m, from, to) && draw(w, forget) > 0;
            if (!wanted) {
                continue;
            }
            bool turned = back > 0 && draw(w, back) == 0;
            oracle_edge *edge =
                maker_edge(w->m, turned ? to : from, turned ? from : to);
            edge->certain = !w->s->uncertain || draw(w, 5) != 0;
        }
    }
}

static void add_when(making *w)
{
    oracle_when *when = &w->m->whens[w->m->document.when_count++];
    when->choice = (uint32_t)draw(w, CHOICES);
    when->is = draw(w, 3) != 0;
}

static void add_conditions(making *w, uint32_t t)
{
    maker *m = w->m;
    if (t > 0 && draw(w, 3) == 0) {
        m->deps[m->document.dep_count++] = (oracle_dep){
            .cause = ORACLE_DEP_TASK,
            .task = (uint32_t)draw(w, t),
            .name = {"", 0, false},
            .first_when = m->document.when_count,
            .whens = 1,
        };
        add_when(w);
        m->tasks[t].deps++;
    }
    m->tasks[t].first_when = m->document.when_count;
    if (draw(w, 3) == 0) {
        add_when(w);
        m->tasks[t].whens++;
    }
}

/* --- The whole --- */

static void add_buffers(making *w)
{
    maker *m = w->m;
    bool open = w->s->choices || w->s->symbols;
    maker_buffer(m, "param:a", 6, true);
    maker_buffer(m, "alloc:b", 9, draw(w, 3) == 0);
    maker_buffer(m, "alloc:c", 6, false);
    /* Who filled a storage is asked of all executions together. */
    m->buffers[1].init = open || draw(w, 4) == 0;
    m->buffers[2].init = open || draw(w, 4) == 0;
    if (w->s->aliases) {
        uint32_t view = maker_buffer(m, "alloc:v", 6, false);
        m->buffers[view].alias_of = 1;
        m->buffers[view].alias_bytes = 3;
        m->buffers[view].storage = 1;
        m->buffers[view].storage_at = 3;
    }
    for (uint32_t b = 0; w->s->plan && b < 3; b++) {
        bool apart = draw(w, b == 0 ? 8 : 3) > 0;
        maker_place(m, b, apart ? 8 + 10 * b : (int64_t)draw(w, 28));
    }
}

static void add_names(making *w)
{
    maker *m = w->m;
    if (w->s->symbols) {
        maker_symbol(m, "i", 0, 1);
        maker_symbol(m, "j", 0, 2);
        maker_symbol(m, "r", 0, 1);
        m->symbols[UNFREE].free = false;
    }
    for (uint32_t c = 0; w->s->choices && c < CHOICES; c++) {
        m->choices[m->document.choice_count++] = (oracle_choice){
            .id = c, .kind = {"if", 2, true}, .text = {"", 0, false}};
    }
}

void graph_make(maker *m, const graph_shape *shape, uint64_t number)
{
    making w = {.m = m, .s = shape, .index = number << 12};
    uint32_t n = 2 + (uint32_t)draw(&w, MAKER_TASKS - 1);
    uint64_t rarely = 2 + draw(&w, 3);
    maker_start(m);
    add_names(&w);
    add_buffers(&w);
    for (uint32_t t = 0; t < n; t++) {
        maker_task(m);
        for (uint32_t b = 0; b < m->document.buffer_count; b++) {
            if (draw(&w, rarely) == 0) {
                add_access(&w, b);
            }
        }
        if (shape->choices) {
            add_conditions(&w, t);
        }
        if (shape->may && toss(&w, 4)) {
            uint32_t buffer = (uint32_t)draw(&w, 2);
            maker_predicate(m, t, buffer, (int64_t)draw(&w, 6));
        }
    }
    add_edges(&w, n);
}

/* --- Against the twin --- */

/* One thing that is open, either way. */
typedef struct way {
    uint64_t inexact;
    bool without, meeting;
    int64_t unfree;
} way;

/* All true, all false, each alone turned over. */
static void choose(uint32_t execution, bool *choices)
{
    for (uint32_t c = 0; c < CHOICES; c++) {
        choices[c] = execution != 1 && execution != c + 2;
    }
}

/* For some execution, and some values of the free symbols. */
static bool wrong_somehow(const maker *m, const graph_shape *s, way w)
{
    for (uint32_t x = 0; x < (s->choices ? CHOICES + 2 : 1); x++) {
        for (int64_t v = 0; v < (s->symbols ? 6 : 1); v++) {
            bool choices[CHOICES];
            int64_t values[SYMBOLS] = {v % 2, v / 2, w.unfree};
            twin_options options = {.without_uncertain = w.without,
                                    .meeting_uncertain = w.meeting,
                                    .inexact = w.inexact,
                                    .values = values,
                                    .choices = choices};
            choose(x, choices);
            if (twin_wrong(&m->document, &options)) {
                return true;
            }
        }
    }
    return false;
}

/* Whatever is open: wrong for some ways, and for all of them. */
static void ask_twin(const maker *m, const graph_shape *s, uint32_t bounds,
                     bool *some, bool *all)
{
    *some = false;
    *all = true;
    for (uint64_t set = 0; set < UINT64_C(1) << bounds; set++) {
        for (uint32_t k = 0; k < (s->uncertain ? 3 : 1); k++) {
            for (int64_t r = 0; r < (s->symbols ? 2 : 1); r++) {
                bool wrong = wrong_somehow(m, s, (way){set, k == 1, k == 2, r});
                /* An edge whose views meet is there; an error and its witness
                   hold with all of them and with none. */
                *some = *some || (wrong && k != 1);
                *all = *all && (wrong || k == 2);
            }
        }
    }
}

static bool has_doubt(const oracle_judgement *judgement)
{
    bool doubt = judgement->undecided_count > 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        doubt = doubt || judgement->findings[i].severity == ORACLE_WARNING;
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

static bool cyclic_somehow(const maker *m, const graph_shape *s, bool certain)
{
    bool cyclic = false;
    for (uint32_t x = 0; x < (s->choices ? CHOICES + 2 : 1); x++) {
        bool choices[CHOICES];
        int64_t values[SYMBOLS] = {0};
        choose(x, choices);
        twin_options options = {
            .choices = choices, .values = values, .without_uncertain = certain};
        cyclic = cyclic || twin_cyclic(&m->document, &options);
    }
    return cyclic;
}

/* The order of every error is wrong, whatever is open. */
static bool run_witnesses(const maker *m, const graph_shape *s,
                          const oracle_judgement *judgement, uint32_t bounds,
                          graph_tally *tally)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        char reason[160];
        if (f->severity != ORACLE_ERROR) {
            continue;
        }
        tally->witnesses++;
        for (uint64_t set = 0; set < UINT64_C(1) << bounds; set++) {
            twin_options options = {.inexact = set};
            for (uint32_t k = 0; k < (s->uncertain ? 2 : 1); k++) {
                options.without_uncertain = k == 1;
                if (!twin_shows(&m->document, f, &options, reason)) {
                    fprintf(stderr, "%s: %s\n", reason, f->json);
                    return false;
                }
            }
        }
    }
    return true;
}

static uint32_t count_bounds(const maker *m)
{
    uint32_t bounds = 0;
    for (uint32_t i = 0; i < m->document.access_count; i++) {
        bounds += !m->accesses[i].exact;
    }
    return bounds;
}

static const char *compare(const maker *m, const graph_shape *s,
                           const oracle_judgement *judgement,
                           graph_tally *tally)
{
    bool shared = has_rule(judgement, "memory.external");
    bool told = twin_errors(judgement) > 0 || shared;
    bool doubt = has_doubt(judgement), some, all;
    bool cycle = has_rule(judgement, "graph.cycle");
    bool whole = !s->bounds && !s->uncertain && !s->symbols;
    ask_twin(m, s, count_bounds(m), &some, &all);
    tally->wrong += told;
    tally->right += !told && !doubt && !cycle;
    tally->open += !told && doubt;
    tally->cyclic += cycle;
    if (cycle != cyclic_somehow(m, s, true) ||
        (!cycle && !doubt && cyclic_somehow(m, s, false))) {
        return "a cycle is not seen";
    }
    if (s->plan && !cycle && shared != twin_external(&m->document)) {
        return "a parameter that shares its bytes";
    }
    if (whole && !cycle &&
        (judgement->undecided_count > 0 ||
         has_rule(judgement, "hazard.unknown-access"))) {
        return "a doubt where nothing is open";
    }
    if (told && !all && !shared) {
        return "the twin is right";
    }
    if (!told && (whole || !doubt) && some) {
        return "the twin is wrong";
    }
    if (!forward_witnesses(m, judgement) ||
        !run_witnesses(m, s, judgement, count_bounds(m), tally)) {
        return "a witness is not right";
    }
    if (whole && !s->choices && m->document.task_count <= 6 &&
        twin_wrong(&m->document, NULL) != twin_orders(&m->document, NULL)) {
        return "the twin is not right: every order, one by one";
    }
    return NULL;
}

bool graph_agree(maker *m, const graph_shape *shape, graph_tally *tally)
{
    oracle_judgement judgement;
    if (oracle_judge_document(&judgement, &m->document, NULL) != ORACLE_OK) {
        return false;
    }
    const char *fault = compare(m, shape, &judgement, tally);
    if (fault != NULL) {
        fprintf(stderr, "%s\n", fault);
        forward_show(m, &judgement);
    }
    tally->tasks += m->document.task_count;
    tally->edges += m->document.edge_count + m->document.dep_count;
    oracle_judgement_free(&judgement);
    return fault == NULL;
}

bool graph_sample(const graph_shape *shape, uint64_t count)
{
    graph_tally tally = {0};
    for (uint64_t number = 0; number < count; number++) {
        maker m;
        graph_make(&m, shape, number);
        if (!graph_agree(&m, shape, &tally)) {
            fprintf(stderr, "%s: graph %d\n", shape->name, (int)number);
            return false;
        }
    }
    printf("%d graphs of %.1f tasks, %.1f edges: %d wrong, %d right, %d open; "
           "%d cyclic; %d orders shown\n",
           (int)count, (double)tally.tasks / (double)count,
           (double)tally.edges / (double)count, (int)tally.wrong,
           (int)tally.right, (int)tally.open, (int)tally.cyclic,
           (int)tally.witnesses);
    return tally.wrong > count / 20 && tally.right > count / 20;
}
