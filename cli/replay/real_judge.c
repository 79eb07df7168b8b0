#include "real_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../recorded.h"
#include "oracle/judge.h"

typedef struct judging {
    cli_real_record *out;
    cli_text *findings;
    const replay_scene *scene;
    const char *digest;
    cli_text record, trace;
} judging;

/* --- The edges --- */

/* False: memory ran out. */
static bool compare_edges(judging *j, bool automatic)
{
    oracle_document document;
    oracle_error problem = {0};
    replay_error error = {0};
    oracle_status read = oracle_document_read(&document, j->record.data,
                                              j->record.length, NULL, &problem);
    if (read != ORACLE_OK) {
        snprintf(j->out->why, CLI_REAL_WHY, "its record cannot be read: %.400s",
                 problem.message);
        return read != ORACLE_NO_MEMORY;
    }
    replay_status status = replay_scene_record(&j->out->edges, j->scene,
                                               automatic, &document, &error);
    oracle_document_free(&document);
    j->out->read = status == REPLAY_OK;
    if (status != REPLAY_OK) {
        snprintf(j->out->why, CLI_REAL_WHY, "%.500s", error.message);
    }
    return status != REPLAY_NO_MEMORY;
}

/* --- The times --- */

/* Why the run cannot be held against the accesses of the program: the tasks
 * that were submitted are others, or what they touch depends on values that
 * only the scene has. NULL: it can. */
static const char *why_apart(const replay_scene *scene)
{
    const replay_program *p = scene->program;
    if (scene->row_count != p->task_count) {
        return "dummies join predecessors";
    }
    for (uint32_t i = 0; i < p->task_count; i++) {
        if (p->legal[i] != i) {
            return "tasks were submitted in another order";
        }
    }
    for (uint32_t i = 0; i < p->document->symbol_count; i++) {
        if (!p->document->symbols[i].block) {
            return "what they are depends on symbols";
        }
    }
    return NULL;
}

static bool starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Without the accesses of the program what counts is the order of the edges
 * alone: kernels of a scene touch less than their views. */
static bool is_of_run(const judging *j, const oracle_finding *f)
{
    bool path = f->json != NULL && strstr(f->json, "\"path\":") != NULL;
    return f->severity == ORACLE_ERROR &&
           (starts(f->rule, "runtime.") ||
            (starts(f->rule, "trace.") && (path || j->out->whole)));
}

static void take(judging *j, const oracle_judgement *judgement)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        if (is_of_run(j, f)) {
            cli_text_put(j->findings, f->json);
            cli_text_put(j->findings, "\n");
            j->out->errors++;
        } else if (starts(f->rule, "doc.") && j->out->why[0] == '\0') {
            snprintf(j->out->why, CLI_REAL_WHY, "%.500s", f->message);
        }
    }
}

/* A record that was joined with the program is a task graph. */
static void see_document(void *context, oracle_phase phase,
                         const oracle_document *document)
{
    judging *j = context;
    if (phase == ORACLE_PHASE_JUDGE && document != NULL) {
        j->out->whole = document->kind == ORACLE_KIND_TASK_GRAPH;
    }
}

static void tell_undecided(judging *j, const oracle_judgement *judgement)
{
    if (!j->out->whole && judgement->undecided_count > 0 &&
        j->out->why[0] == '\0') {
        snprintf(j->out->why, CLI_REAL_WHY, "%.500s", judgement->undecided[0]);
    }
}

/* The bundle of record, trace and program. False: memory ran out. */
static bool make_bundle(judging *j, cli_text *bundle)
{
    const char *why = why_apart(j->scene);
    char *text = NULL;
    size_t length = 0;
    oracle_error problem = {0};
    oracle_status status =
        why != NULL
            ? ORACLE_OK
            : oracle_document_write(&text, &length, j->scene->program->document,
                                    &problem);
    if (why != NULL) {
        snprintf(j->out->why, CLI_REAL_WHY,
                 "the times of its accesses were not judged: %s", why);
    }
    cli_recorded_bundle(bundle, &j->record, j->out->timed ? &j->trace : NULL,
                        "graph", (cli_span){text, length});
    free(text);
    return status != ORACLE_NO_MEMORY && !bundle->failed;
}

static bool judge_times(judging *j)
{
    cli_text bundle = {0};
    oracle_judgement judgement;
    const oracle_judge_options options = {
        .case_digest = j->digest, .begins = see_document, .context = j};
    bool ok = make_bundle(j, &bundle) &&
              oracle_judge_text(&judgement, bundle.data, bundle.length,
                                &options) == ORACLE_OK;
    if (ok) {
        take(j, &judgement);
        tell_undecided(j, &judgement);
        oracle_judgement_free(&judgement);
    }
    cli_text_free(&bundle);
    return ok && !j->findings->failed;
}

bool cli_real_judge(cli_real_record *record, cli_text *findings,
                    const replay_scene *scene, const replay_scene_line *line,
                    const char *folder, const char *digest)
{
    judging j = {record, findings, scene, digest, {0}, {0}};
    bool ok = true;
    *record = (cli_real_record){0};
    if (cli_real_read(&j.record, folder, line->name, "deps.json")) {
        record->timed = cli_real_read(&j.trace, folder, line->name,
                                      "chip_swimlane_records.json");
        ok = compare_edges(&j, line->automatic);
        ok = ok && (!record->read || judge_times(&j));
    } else {
        snprintf(record->why, sizeof record->why, "it left no record behind");
    }
    cli_text_free(&j.record);
    cli_text_free(&j.trace);
    return ok;
}
