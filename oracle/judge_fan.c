/* edge.fan-in: more direct predecessors than the runtime takes. */
#include "execution.h"
#include "judge_edges.h"

#include <inttypes.h>
#include <string.h>

#define FAN_IN 128 /* predecessors that the runtime takes (spec 07) */

/* Tasks of one line and callee with too many predecessors. */
typedef struct fan_site {
    uint32_t task, predecessors; /* of that with most */
    uint32_t tasks;
    uint32_t execution;
} fan_site;

typedef struct fans {
    oracle_executions which;
    bool *choices;
    uint32_t *mark; /* by task: it was counted for mark - 1 */
    oracle_table table;
    fan_site *sites;
    uint32_t count;
} fans;

static bool holds(const oracle_document *d, const bool *choices, uint32_t first,
                  uint32_t whens)
{
    for (uint32_t w = first; w < first + whens; w++) {
        if (choices[d->whens[w].choice] != d->whens[w].is) {
            return false;
        }
    }
    return true;
}

static bool runs(const oracle_document *d, const bool *choices, uint32_t t)
{
    return holds(d, choices, d->tasks[t].first_when, d->tasks[t].whens);
}

/* The tasks that `t` waits for in one execution. */
static uint32_t predecessors(const oracle_edges *e, fans *f, uint32_t t)
{
    const oracle_document *d = e->d;
    const oracle_task *task = &d->tasks[t];
    uint32_t count = 0;
    if (!runs(d, f->choices, t)) {
        return 0;
    }
    for (uint32_t i = e->joins.first[t]; i < e->joins.first[t + 1]; i++) {
        uint32_t from = e->joins.from[i];
        bool there = (e->joins.by[i] & ORACLE_JOIN_CERTAIN) != 0 &&
                     runs(d, f->choices, from);
        f->mark[from] = there ? t + 1 : 0;
        count += there;
    }
    for (uint32_t i = task->first_dep; i < task->first_dep + task->deps; i++) {
        const oracle_dep *dep = &d->deps[i];
        if (dep->task != ORACLE_NONE && dep->task != t &&
            f->mark[dep->task] != t + 1 &&
            holds(d, f->choices, dep->first_when, dep->whens) &&
            runs(d, f->choices, dep->task)) {
            f->mark[dep->task] = t + 1;
            count++;
        }
    }
    return count;
}

static bool note_fan(oracle_edges *e, fans *f, uint32_t t, uint32_t count,
                     uint32_t execution)
{
    const oracle_task *task = &e->d->tasks[t];
    const char *key = oracle_arena_format(e->arena, "%" PRId64 "|%s",
                                          task->line, task->name.data);
    oracle_slot *slot =
        key == NULL ? NULL : oracle_table_slot(&f->table, key, strlen(key));
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){key, (uint32_t)strlen(key), f->count};
        fan_site *grown =
            oracle_arena_push(e->arena, f->sites, f->count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        f->sites = grown;
        f->count++;
    }
    fan_site *site = &f->sites[slot->value];
    site->tasks++;
    if (count > site->predecessors) {
        site->task = t;
        site->predecessors = count;
        site->execution = execution;
    }
    return true;
}

static bool report_fan(oracle_edges *e, fans *f, const fan_site *site)
{
    oracle_judging *j = e->judging;
    oracle_record record = oracle_record_of("edge.fan-in", ORACLE_NOTE);
    const char *name = oracle_tell_task(j->arena, e->d, site->task);
    uint32_t n = site->predecessors;
    /* A join takes up to 128 and is one in their place. */
    uint32_t dummies = (n - FAN_IN + FAN_IN - 2) / (FAN_IN - 1);
    record.consumer.task = site->task;
    record.count = site->tasks;
    oracle_execution_choices(&f->which, site->execution, f->choices);
    record.witness =
        oracle_witness_fan(e->d, site->task, n, f->choices, j->arena);
    record.message =
        name == NULL
            ? NULL
            : oracle_arena_format(
                  j->arena,
                  "%s waits for %u tasks directly, and the runtime takes %u: "
                  "let %u dummy %s join up to %u of them each.",
                  name, (unsigned)n, (unsigned)FAN_IN, (unsigned)dummies,
                  dummies == 1 ? "task" : "tasks", (unsigned)FAN_IN);
    return record.witness != NULL && record.message != NULL &&
           oracle_judging_add(j, record);
}

/* With all choices true and with all false, the more of both. */
static bool find_fans(oracle_edges *e, fans *f)
{
    const oracle_document *d = e->d;
    uint32_t executions = d->choice_count == 0 ? 1 : 2;
    uint32_t *most = oracle_arena_array(e->arena, d->task_count, sizeof *most);
    bool ok = most != NULL, *second = NULL;
    second = ok ? oracle_arena_alloc(e->arena, d->task_count) : NULL;
    ok = second != NULL;
    for (uint32_t x = 0; ok && x < executions; x++) {
        oracle_execution_choices(&f->which, x, f->choices);
        for (uint32_t t = 0; t < d->task_count; t++) {
            if (e->joins.first[t + 1] - e->joins.first[t] > FAN_IN) {
                uint32_t n = predecessors(e, f, t);
                second[t] = n > most[t] && x == 1;
                most[t] = n > most[t] ? n : most[t];
            }
        }
    }
    for (uint32_t t = 0; ok && t < d->task_count; t++) {
        ok = most[t] <= FAN_IN || note_fan(e, f, t, most[t], second[t]);
    }
    return ok;
}

bool oracle_judge_fans(oracle_edges *e)
{
    const oracle_document *d = e->d;
    fans f = {0};
    bool any = false;
    for (uint32_t t = 0; t < d->task_count; t++) {
        any = any || e->joins.first[t + 1] - e->joins.first[t] > FAN_IN;
    }
    if (!any) {
        return true;
    }
    f.choices = oracle_arena_alloc(e->arena, d->choice_count);
    f.mark = oracle_arena_array(e->arena, d->task_count, sizeof *f.mark);
    bool ok = f.choices != NULL && f.mark != NULL &&
              oracle_executions_start(&f.which, d, e->arena) &&
              find_fans(e, &f);
    for (uint32_t i = 0; ok && i < f.count; i++) {
        ok = report_fan(e, &f, &f.sites[i]);
    }
    oracle_table_free(&f.table);
    return ok;
}
