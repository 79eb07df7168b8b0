/* The record of a run: what it lost, and the plan beside it. */
#include "judge_work.h"

#include <inttypes.h>
#include <stdlib.h>

/* The tasks that come before a task, itself included, as [id, ...]. */
static const char *all_before(oracle_judging *j, const oracle_order *order,
                              uint32_t task, bool *seen)
{
    const oracle_document *d = j->document;
    oracle_out out = {0};
    uint32_t high = order->rank[task];
    seen[task] = true;
    oracle_out_text(&out, "[");
    for (uint32_t r = high + 1; r-- > 0;) {
        uint32_t t = order->sequence[r];
        if (!seen[t]) {
            continue;
        }
        seen[t] = false;
        oracle_out_format(&out, "%s%" PRId64, out.length > 1 ? "," : "",
                          d->tasks[t].id);
        for (uint32_t i = order->first[t]; i < order->first[t + 1]; i++) {
            seen[order->before[i]] = true;
        }
    }
    oracle_out_text(&out, "]");
    const char *text =
        out.failed ? NULL : oracle_arena_text(j->arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

static const char *tell_lost(oracle_judging *j, const oracle_lost_edge *lost)
{
    const oracle_document *d = j->document;
    const char *to = oracle_tell_task(j->arena, d, lost->to);
    const char *from = lost->from == ORACLE_NONE
                           ? ""
                           : oracle_tell_task(j->arena, d, lost->from);
    if (to == NULL || from == NULL) {
        return NULL;
    }
    if (lost->from == ORACLE_NONE) {
        return oracle_arena_format(
            j->arena,
            "%s names task %" PRId64
            " as a dep, which was never submitted, and the runtime has dropped "
            "it silently: name the TaskId of a task that is submitted before.",
            to, lost->from_id);
    }
    return oracle_arena_format(
        j->arena,
        lost->is_planned
            ? "%s has to wait for %s by the plan, and no recorded edge of the "
              "run leads from one to the other: add %s to the deps of %s where "
              "the program is submitted."
            : "%s names %s as a dep, which is submitted behind it, and the "
              "runtime drops what is not submitted yet: submit %s before %s.",
        to, from, from, to);
}

static bool report_lost(oracle_judging *j, const oracle_order *order,
                        const oracle_lost_edge *lost, bool *seen)
{
    const oracle_document *d = j->document;
    oracle_record record = oracle_record_of("runtime.lost-edge", ORACLE_ERROR);
    const char *before = all_before(j, order, lost->to, seen);
    record.consumer.task = lost->to;
    record.producer.task = lost->from;
    record.message = tell_lost(j, lost);
    record.witness =
        before == NULL
            ? NULL
            : oracle_arena_format(
                  j->arena,
                  "{\"before\":%s,\"lost\":[%" PRId64 ",%" PRId64 "]}", before,
                  lost->from == ORACLE_NONE ? lost->from_id
                                            : d->tasks[lost->from].id,
                  d->tasks[lost->to].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

/* How many tasks the witnesses of lost edges name at most, all together. */
#define MOST_NAMED (UINT64_C(1) << 24)

static bool judge_lost(oracle_judging *j, oracle_arena *arena)
{
    const oracle_document *d = j->document;
    oracle_order order;
    bool *present = oracle_arena_alloc(arena, d->task_count);
    bool *seen = oracle_arena_alloc(arena, d->task_count);
    if (present == NULL || seen == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        present[t] = true;
    }
    if (!oracle_order_build(&order, d, NULL, present, false, arena)) {
        return false;
    }
    if (order.cycle_count > 0) {
        return true; /* everything that depends on order is undecided */
    }
    uint64_t named = 0;
    for (uint32_t i = 0; i < d->run->lost_count; i++) {
        const oracle_lost_edge *lost = &d->run->lost[i];
        named += order.rank[lost->to] + UINT64_C(1);
        if (named > MOST_NAMED) {
            return oracle_judging_undecided(
                j, oracle_arena_format(
                       j->arena, "%u further edges that may be lost: too many",
                       (unsigned)(d->run->lost_count - i)));
        }
        if (!report_lost(j, &order, lost, seen)) {
            return false;
        }
    }
    return true;
}

bool oracle_judge_record(oracle_judging *judging)
{
    const oracle_run *run = judging->document->run;
    if (run == NULL) {
        return true;
    }
    if (judging->document->kind == ORACLE_KIND_TRACE) {
        return oracle_judging_undecided(
            judging, "order and races: the record of the run (deps.json), "
                     "which says who waits for whom, is not here");
    }
    for (uint32_t i = 0; i < run->open_count; i++) {
        const char *line =
            oracle_arena_format(judging->arena, "%s", run->open[i]);
        if (!oracle_judging_undecided(judging, line)) {
            return false;
        }
    }
    if (run->is_cut || run->lost_count == 0) {
        return true;
    }
    oracle_arena *arena = oracle_arena_create();
    bool ok = arena != NULL && judge_lost(judging, arena);
    oracle_arena_free(arena);
    return ok;
}

/* --- The plan beside it --- */

static oracle_status open_line(oracle_document *record, const char *format,
                               const char *why)
{
    const char *line = oracle_arena_format(record->arena, format, why);
    return oracle_run_open(record->run, record->arena, line) ? ORACLE_OK
                                                             : ORACLE_NO_MEMORY;
}

/*
 * Holds the record against a plan. *joined: the plan has taken the edges of
 * the record, and knows more of its accesses.
 */
static oracle_status hold_against(oracle_document *record,
                                  oracle_document *plan, bool *joined)
{
    const char *why = NULL;
    if (record->run->is_cut) {
        return open_line(record, "the plan beside the record: %s",
                         "the record is cut short");
    }
    if (!oracle_run_matches(record, plan, record->arena, &why)) {
        return why == NULL
                   ? ORACLE_NO_MEMORY
                   : open_line(record,
                               "the plan beside the record, which is not the "
                               "plan of this run: %s",
                               why);
    }
    if (!oracle_run_compare(record, plan)) {
        return ORACLE_NO_MEMORY;
    }
    *joined = plan->kind == ORACLE_KIND_TASK_GRAPH;
    return *joined && !oracle_run_join(plan, record) ? ORACLE_NO_MEMORY
                                                     : ORACLE_OK;
}

oracle_status oracle_judge_run(oracle_judgement *judgement,
                               oracle_document *record,
                               const oracle_members *members,
                               const oracle_judge_options *options)
{
    oracle_document plan = {0};
    oracle_error error = {0};
    oracle_status status = ORACLE_OK;
    bool joined = false;
    bool has_graph = members->node[ORACLE_ROLE_GRAPH] != ORACLE_NONE;
    bool has_plan =
        has_graph || members->node[ORACLE_ROLE_SCORE] != ORACLE_NONE;
    record->kind = ORACLE_KIND_RECORD;
    if (has_graph) {
        status =
            oracle_members_read_graph(&plan, members, options->lenient, &error);
        plan.kind = ORACLE_KIND_TASK_GRAPH;
    } else if (has_plan) {
        status =
            oracle_members_read_score(&plan, members, options->lenient, &error);
        plan.kind = ORACLE_KIND_SCORE;
    }
    if (status == ORACLE_OK && has_plan) {
        status = hold_against(record, &plan, &joined);
    } else if (status != ORACLE_OK && status != ORACLE_NO_MEMORY) {
        status = open_line(record,
                           "the plan beside the record, which cannot be read: "
                           "%s",
                           error.message);
    }
    if (status == ORACLE_OK) {
        status = oracle_judge_derived(judgement, joined ? &plan : record, NULL,
                                      NULL, options);
    }
    oracle_document_free(&plan);
    return status;
}
