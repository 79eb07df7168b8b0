/* The Score of an answer: its bytes, fingerprints and validity. */
#include "answer_work.h"

#include "validate.h"

#include <string.h>

/* --- Fingerprints --- */

/* Over parts of the text of the Score, in the order in which they stand. */
static bool take_fingerprint(char digest[65], const answering *a, bool metadata)
{
    static const unsigned char parts[] = {0, 1, 2, 5, 6};
    const char *text = a->text.out.data;
    oracle_out out = {0};
    if (!a->same) {
        return oracle_score_fingerprint(digest, a->base, a->base_node,
                                        metadata);
    }
    oracle_out_text(&out, "{\"fingerprint_version\":1,\"identity\":{");
    for (size_t i = 0; i < sizeof parts; i++) {
        size_t begin = a->part[parts[i]], end = a->part[parts[i] + 1];
        if (parts[i] != 1 || metadata) { /* with the comma or brace behind */
            oracle_out_raw(&out, text + begin, end - begin);
        }
    }
    oracle_out_text(&out, "}");
    bool ok = !out.failed;
    if (ok) {
        oracle_digest(digest, out.data, out.length);
    }
    oracle_out_free(&out);
    return ok;
}

static bool check_code(answering *a, const char *name, const char *rule,
                       const char *cause, const char *wanted)
{
    uint32_t node = oracle_json_member(&a->codes, 0, name);
    if (node == ORACLE_NONE ||
        (a->codes.nodes[node].type == ORACLE_JSON_STRING &&
         oracle_json_is(&a->codes, node, wanted, strlen(wanted)))) {
        return true;
    }
    const char *found = oracle_tell_value(a->arena, &a->codes, node);
    return found != NULL &&
           answer_report(a, rule, cause,
                         "%s in the planner's encodings is %s, that of the "
                         "Score is \"%s\"",
                         name, found, wanted);
}

static bool check_codes(answering *a)
{
    char digest[65];
    if (a->codes.nodes == NULL ||
        a->codes.nodes[0].type != ORACLE_JSON_OBJECT) {
        return true;
    }
    if (!check_code(a, "fingerprint", "diff.fingerprint", "fingerprint",
                    a->fingerprint) ||
        !take_fingerprint(digest, a, true) ||
        !check_code(a, "fingerprint_with_metadata", "diff.fingerprint",
                    "fingerprint-with-metadata", digest)) {
        return false;
    }
    for (int pretty = 0; pretty < 2; pretty++) {
        oracle_canon c = {.pretty = pretty == 1};
        oracle_canon_score(&c, a->base, a->base_node);
        bool ok = !c.out.failed;
        if (ok) {
            oracle_digest(digest, c.out.data, c.out.length);
            ok = check_code(a, pretty == 1 ? "pretty_sha256" : "compact_sha256",
                            "diff.encoding", pretty == 1 ? "pretty" : "compact",
                            digest);
        }
        oracle_out_free(&c.out);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* --- The Score itself --- */

/* Reads the Score that all else is worked out from into arrays. */
static bool read_base(answering *a, const oracle_json *json, uint32_t node)
{
    a->base = json;
    a->base_node = node;
    if (a->same && a->is_score) {
        a->score = &a->read; /* but for the dependencies it is the input */
        return true;
    }
    a->score = &a->other;
    answer_score_free(&a->other);
    return answer_score_read(&a->other, json, node, a->arena);
}

/* The planner's Score; what it must be, where that is none. */
static bool take_base(answering *a)
{
    uint32_t own = a->member[ANSWER_SCORE];
    oracle_error error;
    if (own != ORACLE_NONE) {
        if (!read_base(a, &a->bundle, own)) {
            return false;
        }
        if (a->score->fault_count == 0) {
            return true;
        }
    }
    a->same = true;
    return oracle_json_parse(&a->own, a->text.out.data, a->text.out.length,
                             &error) == ORACLE_OK &&
           read_base(a, &a->own, 0);
}

static bool compare_score(answering *a)
{
    const bool planned = a->options.policy[0] != '\0' || !a->is_score;
    const answer_field fields[] = {
        {"dependencies", planned ? "diff.order" : "diff.encoding",
         "dependencies"},
        {"metadata", "diff.encoding", "metadata"},
        {"name", "diff.encoding", "name"},
        {"runtime_target", "diff.encoding", "runtime-target"},
        {"schema_version", "diff.encoding", "schema-version"},
        {"shape_assumptions", "diff.encoding", "shape-assumptions"},
        {"tasks", "diff.encoding", "tasks"},
        {NULL, "diff.encoding", "score"}};
    return answer_compare(a, ANSWER_SCORE, &a->text.out, fields, &a->same);
}

/* --- Validity --- */

static void put_reasons(oracle_out *out, const oracle_reasons *reasons,
                        bool details)
{
    oracle_canon c = {.out = *out};
    for (uint32_t i = 0; i < reasons->count; i++) {
        const oracle_reason *r = &reasons->list[i];
        oracle_out_text(&c.out, i > 0 ? "," : "");
        if (details) {
            oracle_out_text(&c.out, "{\"code\":\"score_validation_failed\","
                                    "\"message\":");
        }
        oracle_canon_string(&c, r->text, r->length);
        oracle_out_text(&c.out, details ? ",\"severity\":\"error\"}" : "");
    }
    *out = c.out;
}

static const answer_field eligibility_fields[] = {
    {"eligible", "diff.validate", "eligible"},
    {"reasons", "diff.validate", "reasons"},
    {"reason_details", "diff.validate", "reason-details"},
    {"score", "diff.encoding", "eligibility-score"},
    {NULL, "diff.validate", "eligibility"}};

/*
 * A program of which too few storages are known is planned with a warning
 * (spec 03): the memory arguments that have a key, and all of them.
 */
static bool is_covered(const answer_score *s, uint32_t *known, uint32_t *total)
{
    *known = *total = 0;
    for (uint32_t t = 0; t < s->task_count; t++) {
        const answer_task *task = &s->tasks[t];
        for (uint32_t i = 0; i < task->directions.count; i++) {
            bool memory = s->way[task->directions.first + i] != 0;
            bool has = i < task->keys.count &&
                       s->key[task->keys.first + i] != ORACLE_NONE;
            *total += memory ? 1 : 0;
            *known += memory && has ? 1 : 0;
        }
    }
    return 2 * (uint64_t)*known >= *total;
}

static void put_warning(oracle_out *out, const answering *a)
{
    uint32_t known, total;
    if (a->is_score || !a->valid || is_covered(a->score, &known, &total)) {
        return;
    }
    oracle_out_format(out,
                      "{\"code\":\"storage_coverage_below_threshold\","
                      "\"message\":\"memory storage key coverage below "
                      "threshold: %u/%u < 0.5\",\"severity\":\"warning\"}",
                      (unsigned)known, (unsigned)total);
}

void answer_put_result(oracle_out *out, const answering *a,
                       const oracle_out *score)
{
    oracle_out_format(out, "{\"eligible\":%s,\"reason_details\":[",
                      score != NULL ? "true" : "false");
    put_reasons(out, &a->reasons, true);
    put_warning(out, a);
    oracle_out_text(out, "],\"reasons\":[");
    put_reasons(out, &a->reasons, false);
    oracle_out_text(out, "],\"schema_version\":1,\"score\":");
    if (score != NULL) {
        oracle_out_raw(out, score->data, score->length);
    } else {
        oracle_out_text(out, "null");
    }
    oracle_out_text(out, "}");
}

static bool check_eligibility(answering *a)
{
    oracle_out text = {0};
    bool same;
    if (a->member[ANSWER_ELIGIBILITY] == ORACLE_NONE || a->is_dump) {
        return true; /* of a dump it may have further reasons and warnings */
    }
    answer_put_result(&text, a, a->valid ? &a->text.out : NULL);
    bool ok =
        answer_compare(a, ANSWER_ELIGIBILITY, &text, eligibility_fields, &same);
    oracle_out_free(&text);
    return ok;
}

/* Without an eligibility result the reasons stand in the notes. */
static bool check_noted(answering *a, const oracle_reasons *reasons)
{
    uint32_t note = answer_note(a, ANSWER_SCORE, ORACLE_NONE);
    bool told = a->member[ANSWER_ELIGIBILITY] != ORACLE_NONE;
    bool same = true;
    if (told && note == ORACLE_NONE) {
        return true;
    }
    for (uint32_t i = 0; same && i < reasons->count; i++) {
        oracle_bytes text = {reasons->list[i].text, reasons->list[i].length};
        if (!answer_same_note(a, ANSWER_SCORE, note, "score_validation_failed",
                              text, "diff.validate", "notes", &same)) {
            return false;
        }
        note = note == ORACLE_NONE ? note : answer_note(a, ANSWER_SCORE, note);
    }
    return !same || note == ORACLE_NONE ||
           answer_same_note(a, ANSWER_SCORE, note, NULL, (oracle_bytes){0},
                            "diff.validate", "notes", &same);
}

/* An eligibility result that is known: of it what is given is compared. */
static bool check_result(answering *a, uint32_t found)
{
    const oracle_json *json = &a->known;
    for (const answer_field *f = eligibility_fields; f->name != NULL; f++) {
        uint32_t wanted = oracle_json_member(json, 0, f->name);
        uint32_t got = oracle_json_member(&a->bundle, found, f->name);
        bool same = got != ORACLE_NONE;
        if (wanted == ORACLE_NONE) {
            continue;
        }
        if (same && !oracle_canon_same(json, wanted, &a->bundle, got, &same)) {
            return false;
        }
        const char *x = oracle_tell_value(a->arena, &a->bundle, got);
        const char *y = oracle_tell_value(a->arena, json, wanted);
        if (x == NULL || y == NULL ||
            (!same &&
             (!answer_shape(a, f->name, json, wanted, &a->bundle, got) ||
              !answer_report(a, "diff.validate", f->cause,
                             "%s in the planner's member eligibility "
                             "is %s, by the rules it is %s",
                             f->name, x, y)))) {
            return false;
        }
    }
    return true;
}

/* Whatever else is known of it. */
static bool check_version(answering *a)
{
    uint32_t found = a->member[ANSWER_ELIGIBILITY];
    uint32_t version =
        found == ORACLE_NONE
            ? ORACLE_NONE
            : oracle_json_member(&a->bundle, found, "schema_version");
    bool right = version != ORACLE_NONE &&
                 a->bundle.nodes[version].extent == 1 &&
                 a->bundle.text[a->bundle.nodes[version].offset] == '1';
    return found == ORACLE_NONE || right ||
           answer_report(a, "diff.validate", "eligibility",
                         "schema_version of the planner's member eligibility "
                         "is not 1");
}

/* A program that must be rejected. */
static bool check_rejected(answering *a)
{
    uint32_t found = a->member[ANSWER_ELIGIBILITY];
    bool told = answer_note(a, ANSWER_SCORE, ORACLE_NONE) != ORACLE_NONE;
    if (found != ORACLE_NONE &&
        (!check_version(a) || !check_result(a, found))) {
        return false;
    }
    if (a->member[ANSWER_SCORE] == ORACLE_NONE &&
        (told || found != ORACLE_NONE)) {
        return true;
    }
    return answer_report(a, "diff.validate", "score",
                         "the planner %s a program that must be rejected",
                         a->member[ANSWER_SCORE] == ORACLE_NONE
                             ? "does not reject"
                             : "gives a Score of");
}

bool answer_check_score(answering *a)
{
    if (a->rejected) {
        return check_rejected(a);
    }
    if (a->text.out.length == 0) {
        return check_version(a); /* no Score is known, and none is given */
    }
    if (!compare_score(a)) {
        return false;
    }
    bool differs = !a->same;
    if (!take_base(a)) {
        return false;
    }
    if (a->score->fault_count > 0) {
        return true; /* nor one that can be read: the judge says so */
    }
    if (!take_fingerprint(a->fingerprint, a, false) || !check_codes(a) ||
        !oracle_score_reasons(&a->reasons, a->base, a->base_node, a->arena)) {
        return false;
    }
    a->reasoned = true;
    a->valid = a->reasons.count == 0;
    if (differs) {
        return true; /* what follows from another Score is no second finding */
    }
    return check_eligibility(a) && check_noted(a, &a->reasons) &&
           (!a->valid ||
            answer_note(a, ANSWER_SCORE, ORACLE_NONE) != ORACLE_NONE ||
            answer_missing(a, ANSWER_SCORE, "diff.encoding", NULL));
}
