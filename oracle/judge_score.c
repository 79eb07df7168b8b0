/* Rules on a Score as a document: is it valid, and is it what its policy is. */
#include "score_view.h"

#include "bindings.h"
#include "canonical.h"
#include "validate.h"

#include <string.h>

/* --- score.valid --- */

#define LONGEST 600 /* bytes of a reason in a sentence */

bool oracle_judge_validity(oracle_judging *judging, oracle_score_view *view)
{
    const oracle_known *known = judging->members->known;
    oracle_reasons reasons;
    if (known != NULL && known->score == view->root && known->reasons != NULL) {
        reasons = *known->reasons;
    } else if (!oracle_score_reasons(&reasons, view->json, view->root,
                                     judging->arena)) {
        return false;
    }
    for (uint32_t i = 0; i < reasons.count; i++) {
        const oracle_reason *r = &reasons.list[i];
        char shown[LONGEST];
        oracle_json_printable(r->text, r->length, shown, sizeof shown);
        if (!oracle_judging_report(judging, "score.valid", ORACLE_ERROR,
                                   r->node, ORACLE_NONE, ORACLE_NONE, "%s: %s.",
                                   shown, r->fix)) {
            return false;
        }
    }
    return true;
}

/* --- score.fingerprint --- */

bool oracle_judge_recorded(oracle_judging *judging, oracle_score_view *view,
                           uint32_t node, const char *where)
{
    if (node == ORACLE_NONE ||
        (view->json->nodes[node].type == ORACLE_JSON_STRING &&
         oracle_json_is(view->json, node, view->fingerprint, 64))) {
        return true;
    }
    const char *found = oracle_tell_value(judging->arena, view->json, node);
    if (found == NULL ||
        !oracle_judging_report(
            judging, "score.fingerprint", ORACLE_ERROR, node, ORACLE_NONE,
            ORACLE_NONE,
            "the fingerprint in %s is %s, that of the Score is \"%s\": the two "
            "do not belong together, make %s anew.",
            where, found, view->fingerprint, where)) {
        return false;
    }
    oracle_record *record = &judging->entries[judging->count - 1].record;
    if (record->witness == NULL) {
        return true;
    }
    record->witness =
        oracle_arena_format(judging->arena, "{\"expected\":\"%s\",%s",
                            view->fingerprint, record->witness + 1);
    return record->witness != NULL;
}

/* --- Eligibility results --- */

/* Whether the list has exactly the messages of the errors, in order. */
static bool same_messages(const oracle_json *json, uint32_t reasons,
                          uint32_t details, uint32_t *errors, bool *same)
{
    uint32_t at = reasons + 1, end = oracle_json_next(json, reasons);
    *same = true;
    *errors = 0;
    for (uint32_t d = details + 1; d < oracle_json_next(json, details);
         d = oracle_json_next(json, d)) {
        uint32_t severity = oracle_json_member(json, d, "severity");
        uint32_t message = oracle_json_member(json, d, "message");
        bool equal = false;
        if (!oracle_json_is(json, severity, "error", 5)) {
            continue;
        }
        ++*errors;
        if (at < end && !oracle_canon_same(json, at, json, message, &equal)) {
            return false;
        }
        *same = *same && equal;
        at++;
    }
    *same = *same && at >= end;
    return true;
}

static bool contradiction(oracle_judging *j, uint32_t node, const char *text)
{
    return oracle_judging_report(j, "doc.schema", ORACLE_ERROR, node,
                                 ORACLE_NONE, ORACLE_NONE,
                                 "the eligibility result contradicts itself: "
                                 "%s.",
                                 text);
}

bool oracle_judge_eligibility(oracle_judging *j, oracle_score_view *view)
{
    const oracle_json *json = j->members->json;
    uint32_t root = j->members->node[ORACLE_ROLE_ELIGIBILITY], errors;
    bool same, ok = true;
    if (root == ORACLE_NONE) {
        return true;
    }
    uint32_t score = oracle_json_member(json, root, "score");
    uint32_t eligible = oracle_json_member(json, root, "eligible");
    uint32_t reasons = oracle_json_member(json, root, "reasons");
    bool yes = json->nodes[eligible].type == ORACLE_JSON_TRUE;
    bool has =
        score != ORACLE_NONE && json->nodes[score].type == ORACLE_JSON_OBJECT;
    if (!same_messages(json, reasons,
                       oracle_json_member(json, root, "reason_details"),
                       &errors, &same)) {
        return false;
    }
    if (!same) {
        ok = contradiction(j, reasons,
                           "its reasons are not the messages of its errors");
    }
    if (ok && yes != (errors == 0)) {
        ok = contradiction(j, eligible,
                           "it is eligible exactly when it has no error");
    }
    if (ok && has != yes) {
        ok = contradiction(j, root, "it has a Score exactly when eligible");
    }
    char digest[65];
    if (!ok || !has || view == NULL) {
        return ok;
    }
    if (oracle_json_same(json, score, view->json, view->root)) {
        return true;
    }
    if (!oracle_score_fingerprint(digest, json, score, false)) {
        return false;
    }
    return strcmp(digest, view->fingerprint) == 0 ||
           oracle_judging_report(
               j, "score.fingerprint", ORACLE_ERROR, score, ORACLE_NONE,
               ORACLE_NONE,
               "the Score in the eligibility result has the fingerprint "
               "\"%s\", the Score beside it \"%s\": they must be one.",
               digest, view->fingerprint);
}

/* --- The documents beside the one that is judged --- */

static bool alone(oracle_judging *j)
{
    static const struct {
        oracle_kind kind;
        const char *text;
    } kinds[] = {
        {ORACLE_KIND_MEMORY_PLAN,
         "everything but bounds and peak of the memory plan: its Score is not "
         "here"},
        {ORACLE_KIND_HANDLE, "the PlanHandle against its Score, which is not "
                             "here"},
        {ORACLE_KIND_HBG, "the host_build_graph plan against its Score and "
                          "PlanHandle, which are not here"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].kind == j->document->kind &&
            !oracle_judging_undecided(j, kinds[i].text)) {
            return false;
        }
    }
    return true;
}

static bool without_score(oracle_judging *j)
{
    const uint32_t *node = j->members->node;
    bool other = node[ORACLE_ROLE_HANDLE] != ORACLE_NONE ||
                 node[ORACLE_ROLE_HBG] != ORACLE_NONE;
    return oracle_judge_plan(j, NULL) && oracle_judge_eligibility(j, NULL) &&
           alone(j) &&
           (!other || j->document->kind != ORACLE_KIND_BUNDLE ||
            oracle_judging_undecided(
                j, "PlanHandle and host_build_graph plan: the bundle has no "
                   "Score"));
}

bool oracle_judge_members(oracle_judging *judging)
{
    oracle_score_view view;
    oracle_bindings bindings = {0};
    if (judging->members == NULL) {
        return oracle_judge_plan(judging, NULL);
    }
    if (judging->score == NULL) {
        return without_score(judging);
    }
    bool ok = oracle_score_view_make(&view, judging->members, judging->score,
                                     judging->judgement->fingerprint,
                                     judging->arena) &&
              oracle_judge_validity(judging, &view) &&
              oracle_judge_policy(judging, &view) &&
              oracle_judge_lost(judging, &view) &&
              oracle_judge_eligibility(judging, &view) &&
              oracle_bindings_make(&bindings, &view,
                                   judging->members->node[ORACLE_ROLE_HANDLE],
                                   judging->arena) &&
              oracle_judge_handle(judging, &view, &bindings) &&
              oracle_judge_hbg(judging, &view, &bindings) &&
              oracle_judge_plan(judging, &view);
    oracle_bindings_free(&bindings);
    oracle_score_view_free(&view);
    return ok;
}
