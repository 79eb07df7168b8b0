/* Rules on edges alone: what a document names that is no order. */
#include "judge_work.h"

#include "json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool report_end(oracle_judging *j, int64_t from, int64_t to,
                       uint32_t consumer, const char *missing)
{
    oracle_record record = oracle_record_of("graph.edge-end", ORACLE_ERROR);
    record.consumer.task = consumer;
    record.message = oracle_arena_format(
        j->arena,
        "the edge from task %" PRId64 " to task %" PRId64
        " names %s that the document does not have: name a task of the "
        "document, or take the edge away.",
        from, to, missing);
    record.witness = oracle_arena_format(
        j->arena, "{\"edge\":[%" PRId64 ",%" PRId64 "]}", from, to);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool judge_ends(oracle_judging *j)
{
    const oracle_document *d = j->document;
    for (uint32_t i = 0; i < d->loose_edge_count; i++) {
        const oracle_loose_edge *edge = &d->loose_edges[i];
        if (!report_end(j, edge->from, edge->to, ORACLE_NONE, "a task")) {
            return false;
        }
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t i = 0; i < task->deps; i++) {
            const oracle_dep *dep = &d->deps[task->first_dep + i];
            if (dep->cause == ORACLE_DEP_TASK && dep->task == ORACLE_NONE &&
                !report_end(j, dep->id, task->id, t, "a producer")) {
                return false;
            }
        }
    }
    return true;
}

static bool report_self(oracle_judging *j, uint32_t task)
{
    const char *name = oracle_tell_task(j->arena, j->document, task);
    oracle_record record = oracle_record_of("graph.self-edge", ORACLE_ERROR);
    record.consumer.task = task;
    record.producer.task = task;
    record.message =
        name == NULL
            ? NULL
            : oracle_arena_format(j->arena,
                                  "%s waits for itself and can never run: "
                                  "take that edge away.",
                                  name);
    record.witness = oracle_arena_format(j->arena, "{\"cycle\":[%" PRId64 "]}",
                                         j->document->tasks[task].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool depends_on(const oracle_document *d, uint32_t task, uint32_t other)
{
    for (uint32_t i = 0; i < d->tasks[task].deps; i++) {
        if (d->deps[d->tasks[task].first_dep + i].task == other) {
            return true;
        }
    }
    return false;
}

static bool judge_self(oracle_judging *j)
{
    const oracle_document *d = j->document;
    bool *own = oracle_arena_alloc(j->arena, d->task_count);
    if (own == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        if (d->edges[e].certain && d->edges[e].from == d->edges[e].to) {
            own[d->edges[e].to] = true;
        }
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        if ((own[t] || depends_on(d, t, t)) && !report_self(j, t)) {
            return false;
        }
    }
    return true;
}

typedef struct end_pair {
    uint32_t from, to, source, from_arg, to_arg;
} end_pair;

static int compare_ends(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(end_pair));
}

static uint32_t collect_ends(const oracle_document *d, end_pair *ends)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            uint32_t from = d->deps[d->tasks[t].first_dep + i].task;
            if (from != ORACLE_NONE) {
                ends[n++] = (end_pair){from, t, UINT32_MAX, 0, 0};
            }
        }
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        const oracle_edge *edge = &d->edges[e];
        /* A record repeats an edge for every slice. */
        if (edge->source != ORACLE_RECORDED) {
            ends[n++] = (end_pair){edge->from, edge->to, edge->source,
                                   edge->from_arg, edge->to_arg};
        }
    }
    return n;
}

static bool report_duplicate(oracle_judging *j, const end_pair *pair,
                             uint32_t times)
{
    const char *from = oracle_tell_task(j->arena, j->document, pair->from);
    const char *to = oracle_tell_task(j->arena, j->document, pair->to);
    oracle_record record =
        oracle_record_of("graph.duplicate-edge", ORACLE_NOTE);
    record.producer.task = pair->from;
    record.consumer.task = pair->to;
    if (from == NULL || to == NULL) {
        return false;
    }
    record.message = oracle_arena_format(
        j->arena, "%s names %s %u times as what it waits for: once is enough.",
        to, from, (unsigned)times);
    record.witness = oracle_arena_format(
        j->arena, "{\"repeated\":[%" PRId64 ",%" PRId64 "],\"times\":%u}",
        j->document->tasks[pair->from].id, j->document->tasks[pair->to].id,
        (unsigned)times);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool judge_duplicates(oracle_judging *j)
{
    const oracle_document *d = j->document;
    end_pair *ends =
        malloc(((size_t)d->dep_count + d->edge_count + 1) * sizeof *ends);
    if (ends == NULL) {
        return false;
    }
    bool ok = true;
    uint32_t n = collect_ends(d, ends);
    qsort(ends, n, sizeof *ends, compare_ends);
    for (uint32_t i = 0, end = 0; ok && i < n; i = end) {
        for (end = i + 1; end < n && compare_ends(&ends[i], &ends[end]) == 0;
             end++) {
        }
        ok = end == i + 1 || report_duplicate(j, &ends[i], end - i);
    }
    free(ends);
    return ok;
}

/* --- Deps that are invalid at every submission of their site --- */

/* The submissions of one site: a line, a callee, a name. */
typedef struct dead_site {
    uint32_t task; /* the first of them */
    const oracle_dep *dep;
    uint32_t submissions;
} dead_site;

typedef struct dead_sites {
    oracle_table table;
    dead_site *list;
    uint32_t count;
} dead_sites;

static const char *dead_witness(oracle_judging *j, const dead_site *site)
{
    oracle_out out = {0};
    oracle_out_text(&out, "{\"dep\":");
    oracle_out_string(&out, site->dep->name.data, site->dep->name.length);
    oracle_out_format(&out, ",\"submissions\":%u}",
                      (unsigned)site->submissions);
    const char *text =
        out.failed ? NULL : oracle_arena_text(j->arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

static const char *dead_message(oracle_judging *j, const dead_site *site)
{
    char name[96] = "a TaskId";
    const char *task = oracle_tell_task(j->arena, j->document, site->task);
    if (site->dep->name.present) {
        oracle_json_printable(site->dep->name.data, site->dep->name.length,
                              name, sizeof name);
    }
    if (task == NULL) {
        return NULL;
    }
    if (site->submissions == 1) {
        return oracle_arena_format(
            j->arena,
            "%s names %s as a dep, which holds no valid TaskId when it is "
            "submitted, so nobody gets the order that was written: name the "
            "TaskId of the task to wait for, or take the dep away.",
            task, name);
    }
    return oracle_arena_format(
        j->arena,
        "%s names %s as a dep, which holds no valid TaskId at any of the %u "
        "submissions of its line, so nobody gets the order that was written: "
        "collect the TaskIds in an array that is carried through the loop and "
        "name that array in deps, or take the dep away.",
        task, name, (unsigned)site->submissions);
}

static bool report_dead(oracle_judging *j, const dead_site *site)
{
    oracle_record record = oracle_record_of("graph.dead-dep", ORACLE_WARNING);
    record.consumer.task = site->task;
    record.cause = "dead-dep";
    record.count = site->submissions;
    record.message = dead_message(j, site);
    record.witness = dead_witness(j, site);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool note_dead(oracle_judging *j, dead_sites *sites, uint32_t t,
                      const oracle_dep *dep)
{
    const oracle_task *task = &j->document->tasks[t];
    const char *key =
        oracle_arena_format(j->arena, "%" PRId64 "|%s|%s",
                            task->line > 0 ? task->line : -1 - (int64_t)t,
                            task->name.data, dep->name.data);
    oracle_slot *slot =
        key == NULL ? NULL : oracle_table_slot(&sites->table, key, strlen(key));
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){key, (uint32_t)strlen(key), sites->count};
        dead_site *grown = oracle_arena_push(j->arena, sites->list,
                                             sites->count, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        sites->list = grown;
        grown[sites->count++] = (dead_site){t, dep, 0};
    }
    sites->list[slot->value].submissions++;
    return true;
}

static bool judge_dead(oracle_judging *j)
{
    const oracle_document *d = j->document;
    dead_sites sites = {0};
    bool ok = true;
    for (uint32_t t = 0; ok && t < d->task_count; t++) {
        for (uint32_t i = 0; ok && i < d->tasks[t].deps; i++) {
            const oracle_dep *dep = &d->deps[d->tasks[t].first_dep + i];
            ok = dep->cause != ORACLE_DEP_DEAD || note_dead(j, &sites, t, dep);
        }
    }
    for (uint32_t i = 0; ok && i < sites.count; i++) {
        ok = report_dead(j, &sites.list[i]);
    }
    oracle_table_free(&sites.table);
    return ok;
}

/* A part that could not be read is an error, what was left out is not. */
static oracle_severity severity_of(const char *rule)
{
    return strcmp(rule, "doc.syntax") == 0 || strcmp(rule, "doc.schema") == 0 ||
                   strcmp(rule, "doc.range") == 0
               ? ORACLE_ERROR
               : ORACLE_WARNING;
}

static bool judge_remarks(oracle_judging *j)
{
    const oracle_document *d = j->document;
    for (uint32_t i = 0; i < d->remark_count; i++) {
        const oracle_remark *remark = &d->remarks[i];
        oracle_record record =
            oracle_record_of(remark->rule, severity_of(remark->rule));
        /* The judgement outlives the document. */
        record.message = oracle_arena_text(j->arena, remark->message.data,
                                           remark->message.length);
        record.path = remark->path.data;
        record.line = remark->line;
        record.witness =
            oracle_arena_format(j->arena, "{\"remark\":%u}", (unsigned)i);
        if (record.message == NULL || record.witness == NULL ||
            !oracle_judging_add(j, record)) {
            return false;
        }
    }
    return true;
}

bool oracle_judge_graph(oracle_judging *judging)
{
    return judge_remarks(judging) && judge_ends(judging) &&
           judge_self(judging) && judge_duplicates(judging) &&
           judge_dead(judging);
}
