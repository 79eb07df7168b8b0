#include "voices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../oracle/tests/twin.h"
#include "../../replay/bridge.h"
#include "fuzz/plan.h"
#include "replay/run.h"
#include "united.h"

#define CHOICES 8
#define SYMBOLS 4
#define TOLD 20

/* What is so of one execution; `wrong` of the twin is for what bounds touch. */
typedef struct execution {
    bool choices[CHOICES];
    int64_t values[SYMBOLS];
    bool perhaps; /* edges that are not certain are all there */
} execution;

typedef struct asking {
    voices *all;
    const fuzz_case *c;
    oracle_document d;
    /* What twin and simulator are asked about: it, or it with some buffers as
       one memory, which each of them makes in its own way. */
    const oracle_document *twins, *simulated;
    oracle_judgement j;
    bool judge_wrong, judge_external, judge_clean, judge_cyclic;
    bool twin_wrong; /* some execution, whatever its bounds touch */
    bool twin_some;  /* ... for some of what they touch */
    bool twin_cyclic, replay_cyclic, replay_wrong;
    uint32_t bounds;
    bool contradicted;
} asking;

static void contradict(asking *a, const char *what)
{
    if (a->contradicted)
        return;
    a->contradicted = true;
    if (a->all->contradictions++ >= TOLD)
        return;
    fprintf(stderr, "plan %" PRIu64 " of seed %" PRIu64 " (%s, %s): %s\n",
            a->c->name.index, a->c->name.seed, a->c->shape,
            a->c->fault == NULL ? "right" : a->c->fault, what);
    for (uint32_t i = 0; i < a->j.count; i++)
        fprintf(stderr, "  %.400s\n", a->j.findings[i].json);
    fprintf(stderr, "  %s\n", a->c->input.data);
}

/* --- The judge --- */

static bool has_rule(const asking *a, const char *rule)
{
    for (uint32_t i = 0; i < a->j.count; i++) {
        if (strcmp(a->j.findings[i].rule, rule) == 0)
            return true;
    }
    return false;
}

/* Whether an order may be there that the plan was not made with: rules have
 * edges between what may be one memory. */
static bool is_doubtful(const asking *a)
{
    bool doubtful = false;
    for (uint32_t e = 0; a->d.may_alias_count > 0 && e < a->d.edge_count; e++)
        doubtful = doubtful || !a->d.edges[e].certain;
    return doubtful;
}

static void judge(asking *a)
{
    oracle_judge_options options = {.limit = 1 << 20};
    oracle_error error;
    if (oracle_judge_text(&a->j, a->c->input.data, a->c->input.length,
                          &options) != ORACLE_OK ||
        oracle_document_read(&a->d, a->c->input.data, a->c->input.length, NULL,
                             &error) != ORACLE_OK ||
        oracle_document_derive(&a->d, &error) != ORACLE_OK)
        abort();
    a->judge_cyclic = has_rule(a, "graph.cycle");
    a->judge_wrong = twin_errors(&a->j) > 0;
    a->judge_external = has_rule(a, "memory.external");
    a->judge_clean = !a->judge_wrong && !a->judge_external &&
                     a->j.undecided_count == 0 &&
                     a->j.verdict != ORACLE_UNDECIDED &&
                     !has_rule(a, "hazard.unknown-access");
    if (a->j.fault != NULL)
        contradict(a, a->j.fault);
    for (uint32_t i = 0; !is_doubtful(a) && i < a->c->expect_count; i++) {
        if (!has_rule(a, a->c->expects[i]))
            contradict(a, "what it was broken for is not told");
    }
    if (a->c->expect_count == 0 && !a->c->open && a->judge_wrong)
        contradict(a, "it is right by construction, and the judge finds an "
                      "error");
}

/* --- The simulator --- */

typedef struct replayed {
    bool sure, some, cyclic;
} replayed;

/* Differences of order alone: what is inside a task no other order shows. */
static void note_proofs(replayed *r, const replay_tried *tried)
{
    for (uint32_t i = 0; i < tried->proof_count; i++) {
        const replay_proof *proof = &tried->proofs[i];
        bool inside = proof->variant.inside_back || proof->variant.inside_forth;
        r->some = r->some || !inside;
        r->sure = r->sure || (!inside && proof->difference.sure);
    }
}

static replayed replay(asking *a, const execution *e)
{
    replayed r = {0};
    replay_program p;
    replay_error error;
    replay_tried tried;
    replay_choice choice = {.choices = e->choices,
                            .symbols = e->values,
                            .plan = true,
                            .perhaps = e->perhaps};
    replay_status status =
        replay_program_make(&p, a->simulated, &choice, &error);
    r.cyclic = status == REPLAY_STUCK;
    if (status != REPLAY_OK && status != REPLAY_STUCK)
        contradict(a, error.message);
    if (status != REPLAY_OK)
        return r;
    if (replay_adversarial(&tried, &p, &error) != REPLAY_OK)
        abort();
    a->all->runs += tried.runs;
    note_proofs(&r, &tried);
    replay_tried_free(&tried);
    replay_program_free(&p);
    return r;
}

/* --- One execution --- */

static void ask_execution(asking *a, const execution *e)
{
    twin_options with = {.meeting_uncertain = !e->perhaps,
                         .values = e->values,
                         .choices = e->choices};
    bool cyclic = twin_cyclic(a->twins, &with);
    bool always = !cyclic, some = false;
    replayed r = replay(a, e);
    for (uint64_t set = 0; !cyclic && set < UINT64_C(1) << a->bounds; set++) {
        with.inexact = set;
        bool wrong = twin_wrong(a->twins, &with);
        always = always && wrong;
        some = some || wrong;
        a->all->executions++;
    }
    a->twin_cyclic = a->twin_cyclic || cyclic;
    a->replay_cyclic = a->replay_cyclic || r.cyclic;
    a->replay_wrong = a->replay_wrong || r.sure;
    a->twin_wrong = a->twin_wrong || always;
    a->twin_some = a->twin_some || some;
    if (cyclic != r.cyclic)
        contradict(a, cyclic ? "the twin sees a cycle, and it can be replayed"
                             : "the twin sees no cycle, and it cannot be "
                               "replayed");
    else if (r.sure && !always)
        contradict(a, "the twin has all orders right, and a replay differs");
    else if (!r.some && some)
        contradict(a, "the twin has a wrong order, and no replay differs");
    else if (a->bounds == 0 && always != r.sure)
        contradict(a, "the twin has a wrong order, and no replay is sure");
}

static void ask_values(asking *a, execution *e)
{
    static const int64_t values[][2] = {{0, 1}, {31, 32}, {7, 2}};
    uint32_t count = a->d.symbol_count == 0 ? 1 : 3;
    for (uint32_t i = 0; i < count; i++) {
        e->values[0] = values[i][0];
        e->values[1] = values[i][1];
        e->perhaps = true;
        ask_execution(a, e);
        e->perhaps = false;
        ask_execution(a, e);
    }
}

static void ask_executions(asking *a)
{
    if (a->d.choice_count > CHOICES || a->d.symbol_count > 2)
        abort();
    for (uint32_t set = 0; set < 1u << a->d.choice_count; set++) {
        execution e = {.perhaps = true};
        for (uint32_t i = 0; i < a->d.choice_count; i++)
            e.choices[i] = set >> i & 1;
        ask_values(a, &e);
    }
}

/* --- What may be one memory --- */

static void ask_united(asking *a)
{
    oracle_document united, pairwise;
    replay_pairs pairs;
    replay_error error;
    asking all = *a;
    oracle_buffer *buffers =
        calloc((size_t)a->d.buffer_count + 1, sizeof *buffers);
    if (buffers == NULL)
        abort();
    for (uint32_t way = 0; united_make(&united, buffers, &pairs, &a->d, way);
         way++) {
        if (replay_unite(&pairwise, &a->d, &pairs, &error) != REPLAY_OK)
            abort();
        a->twins = &united;
        a->simulated = &pairwise;
        a->all->united++;
        a->twin_some = false;
        ask_executions(a);
        a->all->united_wrong += a->twin_some;
        if (a->judge_clean && a->twin_some)
            contradict(a, "the judge says clean, and the twin has a wrong "
                          "order with buffers that are one memory");
        replay_united_free(&pairwise);
    }
    free(buffers);
    /* The judge has no error of what may be one memory. */
    a->twin_wrong = all.twin_wrong;
    a->twin_some = all.twin_some;
    a->replay_wrong = all.replay_wrong;
}

/* --- Witnesses --- */

/* The twin runs the order of each error; the bridge does, too, and all that
 * `counterpoint replay --adversarial` does besides. */
static void show(asking *a)
{
    cli_replaying how = {.adversarial = true,
                         .differs = true,
                         .partial = a->j.undecided_count > 0,
                         .digest = ""};
    cli_replayed out = {0};
    cli_span *records = calloc(a->j.count + (size_t)1, sizeof *records);
    char reason[160];
    if (records == NULL)
        abort();
    for (uint32_t i = 0; i < a->j.count; i++) {
        const oracle_finding *f = &a->j.findings[i];
        records[i] = (cli_span){f->json, strlen(f->json)};
        if (f->severity == ORACLE_ERROR && !a->judge_cyclic &&
            !twin_shows(&a->d, f, NULL, reason))
            contradict(a, reason);
    }
    cli_replay_document(&out, &a->d, records, a->j.count, &how);
    if (out.failed)
        abort();
    a->all->witnesses += out.witnesses;
    if (out.witnesses != out.shown)
        contradict(a, "a witness does not replay to other bytes");
    if (out.records.length > 0 &&
        strstr(out.records.data, "replay.disagrees") != NULL)
        contradict(a, out.records.data);
    cli_replayed_free(&out);
    free(records);
}

/* --- What it is like --- */

static bool shares(const oracle_document *d, bool apart)
{
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const oracle_allocation *x = &d->allocations[i];
            const oracle_allocation *y = &d->allocations[k];
            if (x->offset < y->offset + y->size &&
                y->offset < x->offset + x->size &&
                (!apart || x->offset != y->offset))
                return true;
        }
    }
    return false;
}

static bool is_part(const oracle_document *d, uint32_t r, bool strided)
{
    const oracle_region *region = &d->regions[r];
    uint32_t odd = 0;
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &d->dims[region->first + i];
        odd += dim->count.c > 1 && dim->stride != region->elem;
    }
    return !strided || odd > 0;
}

/* Whether it has regions. */
static bool note_accesses(voices *v, const oracle_document *d)
{
    bool partial = false, strided = false, adds = false;
    for (uint32_t i = 0; i < d->access_count; i++) {
        uint32_t region = d->accesses[i].region;
        if (region != ORACLE_NONE) {
            partial = partial || is_part(d, region, false);
            strided = strided || is_part(d, region, true);
        }
        adds = adds || d->accesses[i].mode == ORACLE_ACCUMULATE;
    }
    v->partial += partial;
    v->strided += strided;
    v->accumulations += adds;
    return partial;
}

/* Whether it has predicates. */
static bool note_tasks(voices *v, const oracle_document *d)
{
    bool predicates = false, mix = false, optional = false;
    for (uint32_t t = 0; t < d->task_count; t++) {
        predicates = predicates || d->tasks[t].has_predicate;
        mix = mix || strcmp(d->tasks[t].core.data, "mixed") == 0;
    }
    for (uint32_t i = 0; i < d->dep_count; i++)
        optional = optional || d->deps[i].whens > 0;
    v->predicates += predicates;
    v->mix += mix;
    v->optional += optional;
    return predicates;
}

static void note(asking *a)
{
    voices *v = a->all;
    const oracle_document *d = &a->d;
    bool aliases = false, derived = false;
    for (uint32_t b = 0; b < d->buffer_count; b++)
        aliases = aliases || d->buffers[b].alias_of != ORACLE_NONE;
    for (uint32_t e = 0; e < d->edge_count; e++)
        derived = derived || (d->edges[e].source == ORACLE_AUTOMATIC &&
                              d->derived != ORACLE_RULES_NONE);
    v->plans++;
    v->open += a->c->open;
    v->broken += a->c->expect_count > 0;
    v->right += !a->c->open && a->c->expect_count == 0;
    v->reuse += shares(d, false);
    v->overlaps += shares(d, true);
    v->choices += d->choice_count > 0;
    v->symbols += d->symbol_count > 0;
    v->aliases += aliases;
    v->derived += derived;
    bool predicates = note_tasks(v, d), partial = note_accesses(v, d);
    v->much += predicates && partial && shares(d, false);
    for (uint32_t i = 0; i < d->access_count; i++)
        a->bounds += !d->accesses[i].exact;
    v->bounds += a->bounds > 0;
}

/* --- All of it --- */

static void compare(asking *a)
{
    voices *v = a->all;
    bool cyclic = a->judge_cyclic;
    if (cyclic != a->twin_cyclic || cyclic != a->replay_cyclic) {
        contradict(a, "they do not agree on whether there is a cycle");
        return;
    }
    v->cyclic += cyclic;
    v->twin_wrong += !cyclic && a->twin_wrong;
    v->judge_wrong += !cyclic && (a->judge_wrong || a->judge_external);
    v->replay_wrong += !cyclic && a->replay_wrong;
    v->undecided += !cyclic && !a->judge_wrong && !a->judge_clean;
    v->external += !cyclic && a->judge_external && !a->twin_wrong;
    if (!cyclic && a->d.symbol_count == 0 &&
        a->judge_external != twin_external(&a->d))
        contradict(a, "the twin and the judge do not agree on whether a "
                      "parameter shares an address");
    if (!cyclic && a->judge_wrong && !a->twin_wrong)
        contradict(a, "the judge has an error, and the twin no wrong order");
    if (!cyclic && a->judge_clean && a->twin_some)
        contradict(a, "the judge says clean, and the twin has a wrong order");
    if (!cyclic && a->judge_clean && a->replay_wrong)
        contradict(a, "the judge says clean, and a replay differs");
}

void voices_ask(voices *all, uint64_t seed, uint64_t from, uint64_t to)
{
    fuzz_case c = {0};
    for (uint64_t index = from; index < to; index++) {
        asking a = {.all = all, .c = &c};
        fuzz_name name = {.seed = seed, .stream = FUZZ_PLAN, .index = index};
        if (fuzz_plan_make(&c, &name) != FUZZ_OK)
            abort();
        united_say(&c);
        judge(&a);
        note(&a);
        a.twins = a.simulated = &a.d;
        ask_executions(&a);
        ask_united(&a);
        compare(&a);
        show(&a);
        oracle_judgement_free(&a.j);
        oracle_document_free(&a.d);
    }
    fuzz_case_free(&c);
}

static void row(const char *what, uint64_t count)
{
    printf("%-34s %10" PRIu64 "\n", what, count);
}

void voices_print(const voices *v)
{
    row("plans", v->plans);
    row("right by construction", v->right);
    row("broken, the rule is known", v->broken);
    row("changed, nothing is known", v->open);
    row("racy by the twin", v->twin_wrong);
    row("racy by the simulator", v->replay_wrong);
    row("errors of the judge", v->judge_wrong);
    row("... a parameter that shares alone", v->external);
    row("with a cycle", v->cyclic);
    row("undecided by the judge", v->undecided);
    row("with bounds", v->bounds);
    row("executions by the twin", v->executions);
    row("runs of the simulator", v->runs);
    row("witnesses run by both", v->witnesses);
    row("shared addresses", v->reuse);
    row("... of which only parts meet", v->overlaps);
    row("regions", v->partial);
    row("strided regions", v->strided);
    row("predicates", v->predicates);
    row("MIX", v->mix);
    row("choices", v->choices);
    row("optional deps", v->optional);
    row("aliases", v->aliases);
    row("symbols", v->symbols);
    row("ways to be one memory", v->united);
    row("... racy by the twin", v->united_wrong);
    row("accumulations", v->accumulations);
    row("derived edges", v->derived);
    row("regions, predicates and sharing", v->much);
    row("contradictions", v->contradictions);
}
