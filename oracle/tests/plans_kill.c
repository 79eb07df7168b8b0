/* Plans and changes of them, judged: what is broken is told, nothing else. */
#include "plans.h"

#include "oracle/judge.h"
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is so of a plan, by the twin and the facts. */
typedef struct truth {
    uint32_t facts;
    bool cyclic, hazard, memory, external;
} truth;

typedef struct row {
    uint64_t broke, told; /* of those: told */
    uint64_t right, false_alarms;
} row;

typedef struct table {
    row rows[PLAN_CHANGES];
    uint64_t plans, reduced, indirect, partial, in_place, reuse, predicates,
        orders;
} table;

static truth truth_of(const plan *p, const plan *hbg)
{
    maker m;
    truth t = {.facts = plan_facts(p, hbg)};
    plan_document(p, &m);
    t.cyclic = t.facts >> PLAN_CYCLE & 1;
    t.hazard = twin_hazard(&m.document, NULL);
    t.memory = twin_memory(&m.document, NULL);
    t.external = !t.cyclic && twin_external(&m.document);
    return t;
}

static bool is_broken(const truth *t)
{
    return t->facts != 0 || t->hazard || t->memory || t->external;
}

/* --- What is told --- */

static bool begins(const char *rule, const char *with)
{
    return strncmp(rule, with, strlen(with)) == 0;
}

static bool is_hazard(const char *rule)
{
    return begins(rule, "hazard.") || strcmp(rule, "predicate.stale") == 0;
}

static bool is_memory_pair(const char *rule)
{
    return strcmp(rule, "memory.overlap") == 0 ||
           strcmp(rule, "memory.parallel-reuse") == 0 ||
           strcmp(rule, "memory.external") == 0;
}

static uint32_t fact_of(const char *rule)
{
    uint32_t i = 0;
    while (i < PLAN_FACTS && strcmp(rule, plan_fact_rules[i]) != 0) {
        i++;
    }
    return i;
}

/* The rules told against what is so; NULL: as it must be. */
static const char *compare(const truth *t, const oracle_judgement *j,
                           plan_change change)
{
    uint32_t facts = 0;
    bool hazard = false, memory = false, external = false;
    for (uint32_t i = 0; i < j->count; i++) {
        const char *rule = j->findings[i].rule;
        if (j->findings[i].severity != ORACLE_ERROR) {
            continue;
        }
        uint32_t which = fact_of(rule);
        facts |= which < PLAN_FACTS ? 1u << which : 0;
        hazard = hazard || is_hazard(rule);
        memory = memory || is_memory_pair(rule);
        external = external || strcmp(rule, "memory.external") == 0;
        if (which == PLAN_FACTS && !is_hazard(rule) && !is_memory_pair(rule)) {
            return "a rule that nothing leads to";
        }
        if (change < PLAN_CHANGES &&
            !(which < PLAN_FACTS ? plan_admits(change) >> which & 1
                                 : plan_admits_rule(change, rule))) {
            return "a rule that the change does not lead to";
        }
    }
    if (!t->cyclic && j->undecided_count > 0) {
        return "something is left open";
    }
    if (facts != t->facts) {
        return "other facts than hold";
    }
    if (hazard != t->hazard) {
        return hazard ? "a hazard where the twin is right" : "no hazard";
    }
    if (external != t->external || (memory && !t->memory && !t->external) ||
        (t->memory && !t->hazard && !memory)) {
        return "a memory plan that is not so";
    }
    return NULL;
}

static bool has_error(const oracle_judgement *j)
{
    bool has = false;
    for (uint32_t i = 0; i < j->count; i++) {
        has = has || j->findings[i].severity == ORACLE_ERROR;
    }
    return has;
}

/* Every witness is accepted, and the twin runs every order. */
static const char *check(const plan *p, const char *text, size_t length,
                         const oracle_judgement *j, table *t)
{
    static char reason[160];
    oracle_document d;
    oracle_error error;
    maker m;
    if (!has_error(j)) {
        return NULL;
    }
    plan_document(p, &m);
    reason[0] = '\0';
    if (oracle_document_read(&d, text, length, NULL, &error) != ORACLE_OK) {
        return "it cannot be read";
    }
    for (uint32_t i = 0; i < j->count && reason[0] == '\0'; i++) {
        const oracle_finding *f = &j->findings[i];
        bool proved = !begins(f->rule, "score.") &&
                      !begins(f->rule, "handle.") && !begins(f->rule, "hbg.");
        if (f->severity != ORACLE_ERROR || !proved) {
            continue;
        }
        if (oracle_witness_check(&d, f->json, reason, sizeof reason)) {
            reason[0] = '\0';
            (void)twin_shows(&m.document, f, NULL, reason);
            t->orders += strstr(f->json, "\"order\":[") != NULL;
        } else if (reason[0] == '\0') {
            return "a witness is not accepted";
        }
    }
    oracle_document_free(&d);
    return reason[0] == '\0' ? NULL : reason;
}

/* --- One plan, one change --- */

static bool judge(const plan *p, const plan *hbg, plan_change change, table *t,
                  bool *told, const truth *is)
{
    char *text = malloc(PLAN_TEXT);
    oracle_judgement j;
    if (text == NULL) {
        abort();
    }
    size_t length = plan_text(text, p, hbg);
    if (oracle_judge_text(&j, text, length, NULL) != ORACLE_OK) {
        abort();
    }
    *told = has_error(&j);
    const char *fault = compare(is, &j, change);
    fault = fault == NULL ? check(p, text, length, &j, t) : fault;
    if (fault != NULL) {
        fprintf(stderr, "%s\n%s\n", fault, text);
        for (uint32_t i = 0; i < j.count; i++) {
            fprintf(stderr, "%s\n", j.findings[i].json);
        }
        fprintf(stderr, "facts %x, hazard %d, memory %d, external %d\n",
                (unsigned)is->facts, is->hazard, is->memory, is->external);
    }
    oracle_judgement_free(&j);
    free(text);
    return fault == NULL;
}

static bool change_one(const plan *p, plan_change change, uint64_t seed,
                       uint64_t number, table *t)
{
    plan *changed = malloc(2 * sizeof *changed), *hbg = changed + 1;
    bool told = false, ok = true;
    if (changed == NULL) {
        abort();
    }
    *changed = *p;
    if (plan_apply(changed, hbg, change, seed, number)) {
        truth is = truth_of(changed, hbg);
        row *r = &t->rows[change];
        ok = judge(changed, hbg, change, t, &told, &is);
        r->broke += is_broken(&is);
        r->told += is_broken(&is) && told;
        r->right += !is_broken(&is);
        r->false_alarms += !is_broken(&is) && told;
    }
    free(changed);
    return ok;
}

static bool make_one(plan *p, uint64_t seed, uint64_t number, table *t)
{
    bool told;
    plan_make(p, seed, number);
    truth is = truth_of(p, p);
    t->plans++;
    t->reduced += p->traits.reduced;
    t->indirect += p->traits.indirect;
    t->partial += p->traits.partial;
    t->in_place += p->traits.in_place;
    t->reuse += p->traits.reuse;
    t->predicates += p->traits.predicates;
    if (is_broken(&is)) {
        fprintf(stderr, "the plan is not right\n");
        (void)judge(p, p, PLAN_CHANGES, t, &told, &is);
        return false;
    }
    return judge(p, p, PLAN_CHANGES, t, &told, &is);
}

static uint64_t print_table(const table *t, row *sum)
{
    printf("%d right plans: %d with reduced edges, %d with indirect paths, %d "
           "with partial overlaps, %d in place, %d with reuse, %d with "
           "predicates; %d orders shown\n",
           (int)t->plans, (int)t->reduced, (int)t->indirect, (int)t->partial,
           (int)t->in_place, (int)t->reuse, (int)t->predicates, (int)t->orders);
    printf("%-20s %8s %8s %8s %12s\n", "change", "broke", "told", "right",
           "false alarms");
    for (uint32_t i = 0; i < PLAN_CHANGES; i++) {
        const row *r = &t->rows[i];
        printf("%-20s %8d %8d %8d %12d\n", plan_change_names[i], (int)r->broke,
               (int)r->told, (int)r->right, (int)r->false_alarms);
        sum->broke += r->broke;
        sum->told += r->told;
        sum->right += r->right;
        sum->false_alarms += r->false_alarms;
    }
    printf("%-20s %8d %8d %8d %12d\n", "all", (int)sum->broke, (int)sum->told,
           (int)sum->right, (int)sum->false_alarms);
    return sum->broke + sum->right;
}

static uint64_t changes_of(const table *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PLAN_CHANGES; i++) {
        sum += t->rows[i].broke + t->rows[i].right;
    }
    return sum;
}

bool plan_kill(uint64_t seed, uint64_t count)
{
    table t = {0};
    row sum = {0};
    plan *p = malloc(sizeof *p);
    bool ok = p != NULL;
    for (uint64_t number = 0; ok && changes_of(&t) < count; number++) {
        ok = make_one(p, seed, number, &t);
        for (uint32_t i = 0; ok && i < PLAN_CHANGES; i++) {
            ok = change_one(p, (plan_change)i, seed + 1,
                            number * PLAN_CHANGES + i, &t);
        }
        if (!ok) {
            fprintf(stderr, "plan %d of seed %d\n", (int)number, (int)seed);
        }
    }
    free(p);
    uint64_t all = print_table(&t, &sum);
    uint64_t least = t.plans / 20;
    return ok && sum.told == sum.broke && sum.false_alarms == 0 &&
           sum.broke * 10 >= all * 3 && sum.right * 10 >= all * 3 &&
           t.reduced > least && t.indirect > least && t.partial > least &&
           t.in_place > least && t.reuse > least;
}
