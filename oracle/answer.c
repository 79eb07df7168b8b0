/*
 * The way of a comparison: the pieces of question and answer; what is refused
 * and accepted; the Score, byte for byte; then everything that is worked out
 * from it, each member by itself.
 */
#include "answer_work.h"

#include <string.h>

static bool compare_all(answering *a)
{
    bool go = false;
    if (!answer_accept(a, &go)) {
        return false;
    }
    if (!go) {
        return true;
    }
    if (!answer_check_score(a)) {
        return false;
    }
    return answer_check_regions(a) && answer_check_graph(a) &&
           (!a->valid || (answer_check_tables(a) && answer_check_storage(a))) &&
           answer_check_notes(a);
}

/* --- Findings --- */

/* Findings before or behind those that are there. */
static bool add_findings(oracle_judgement *j, const oracle_record *records,
                         uint32_t count, const oracle_judge_options *options,
                         bool behind)
{
    oracle_finding *all =
        oracle_arena_array(j->arena, (size_t)j->count + count, sizeof *all);
    if (all == NULL) {
        return false;
    }
    if (j->count > 0) {
        memcpy(all + (behind ? 0 : count), j->findings, j->count * sizeof *all);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!oracle_finding_fill(&all[i + (behind ? j->count : 0)], &records[i],
                                 NULL, options->case_digest, options->generated,
                                 j->arena)) {
            return false;
        }
    }
    j->findings = all;
    j->count += count;
    j->total += count;
    if (count > 0 && j->verdict != ORACLE_REFUSED) {
        j->verdict = ORACLE_FINDINGS;
    }
    return true;
}

oracle_status oracle_finding_make(oracle_judgement *judgement, const char *rule,
                                  const char *cause, const char *about,
                                  const char *message,
                                  const oracle_judge_options *options)
{
    if (judgement->arena == NULL) {
        *judgement = (oracle_judgement){.arena = oracle_arena_create()};
    }
    oracle_arena *arena = judgement->arena;
    if (arena == NULL) {
        return ORACLE_NO_MEMORY;
    }
    oracle_record record = oracle_record_of(
        oracle_arena_text(arena, rule, strlen(rule)), ORACLE_ERROR);
    record.message = oracle_arena_text(arena, message, strlen(message));
    if (cause != NULL) {
        record.cause = oracle_arena_text(arena, cause, strlen(cause));
    }
    record.shape = about; /* for the time of the call */
    bool ok = record.rule != NULL && record.message != NULL &&
              (cause == NULL || record.cause != NULL) &&
              add_findings(judgement, &record, 1, options, true);
    return ok ? ORACLE_OK : ORACLE_NO_MEMORY;
}

#define MARKED 15 /* the digit of a signature that is a mark */

bool oracle_answer_marks(const char *rule)
{
    return oracle_answer_tells(rule) || strcmp(rule, "diff.expected") == 0;
}

oracle_status oracle_finding_mark(oracle_judgement *judgement, uint32_t i,
                                  char mark)
{
    static const char key[] = "\"signature\":\"";
    oracle_finding *f = &judgement->findings[i];
    /* Quotes in the texts before it have a backslash. */
    size_t at = (size_t)(strstr(f->json, key) - f->json) + sizeof key - 1;
    char *json = oracle_arena_text(judgement->arena, f->json, strlen(f->json));
    if (json == NULL) {
        return ORACLE_NO_MEMORY;
    }
    json[at + MARKED] = f->signature[MARKED] = mark;
    f->json = json;
    return ORACLE_OK;
}

bool oracle_signature_same(const char *rule, const char *a, const char *b)
{
    return strncmp(a, b, MARKED) == 0 &&
           (a[MARKED] == b[MARKED] || oracle_answer_marks(rule));
}

/* --- Both entries --- */

/* With what the comparison has worked out of the planner's Score. */
static oracle_status judge_bundle(answering *a, const oracle_judge_options *o)
{
    const oracle_known known = {a->base_node, a->fingerprint, &a->reasons};
    if (a->bundle.nodes == NULL) {
        return ORACLE_OK;
    }
    return oracle_judge_json(
        a->judgement, &a->bundle,
        a->base == &a->bundle && a->reasoned ? &known : NULL, o);
}

static oracle_status answer(oracle_judgement *judgement,
                            const oracle_question *question, oracle_bytes line,
                            const oracle_judge_options *options, bool judges,
                            bool compares)
{
    char digest[65];
    oracle_judge_options own = {0};
    answering a = {.question = question,
                   .judgement = judgement,
                   .is_score = strcmp(question->kind, "score") == 0,
                   .is_dump = strcmp(question->kind, "dump") == 0};
    *judgement = (oracle_judgement){0};
    if (options != NULL) {
        own = *options;
    }
    if (own.case_digest == NULL) {
        oracle_digest(digest, question->input.data, question->input.length);
        own.case_digest = digest;
    }
    oracle_status status = answer_read_line(&a, line);
    if (status == ORACLE_OK) {
        a.arena = judgement->arena = oracle_arena_create();
        status = a.arena == NULL ? ORACLE_NO_MEMORY : ORACLE_OK;
    }
    if (status == ORACLE_OK && compares &&
        (!answer_read_options(&a) || !compare_all(&a))) {
        status = a.unclear ? ORACLE_SCHEMA : ORACLE_NO_MEMORY;
    }
    if (status == ORACLE_OK && judges) {
        status = judge_bundle(&a, &own);
    }
    if (status == ORACLE_OK && compares &&
        (!answer_share_shapes(&a) ||
         !add_findings(judgement, a.records, a.count, &own, false))) {
        status = ORACLE_NO_MEMORY;
    }
    answer_free(&a);
    if (status != ORACLE_OK) {
        oracle_judgement_free(judgement);
    } else if (judgement->verdict == ORACLE_CLEAN &&
               judgement->undecided_count > 0) {
        judgement->verdict = ORACLE_UNDECIDED;
    }
    return status;
}

oracle_status oracle_answer_check(oracle_judgement *judgement,
                                  const oracle_question *question,
                                  oracle_bytes line,
                                  const oracle_judge_options *options)
{
    return answer(judgement, question, line, options, false, true);
}

oracle_status oracle_answer_judge(oracle_judgement *judgement,
                                  const oracle_question *question,
                                  oracle_bytes line,
                                  const oracle_judge_options *options)
{
    return answer(judgement, question, line, options, true, true);
}

oracle_status oracle_answer_bundle(oracle_judgement *judgement,
                                   const oracle_question *question,
                                   oracle_bytes line,
                                   const oracle_judge_options *options)
{
    return answer(judgement, question, line, options, true, false);
}

bool oracle_answer_tells(const char *rule)
{
    static const char *const rules[] = {
        "diff.accept",   "diff.encoding", "diff.fingerprint",
        "diff.validate", "diff.order",    "diff.liveness",
        "diff.memory",   "diff.tables",   "diff.graph"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i], rule) == 0) {
            return true;
        }
    }
    return false;
}
