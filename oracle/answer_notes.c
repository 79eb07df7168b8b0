/* The notes of an answer, and members that are not there. */
#include "answer_work.h"

#include <string.h>

#define BIT(member) (1u << (member))

static bool is_word(const oracle_json *json, uint32_t node, const char *word)
{
    return node != ORACLE_NONE &&
           json->nodes[node].type == ORACLE_JSON_STRING &&
           oracle_json_is(json, node, word, strlen(word));
}

uint32_t answer_note(const answering *a, answer_member member, uint32_t note)
{
    const oracle_json *json = &a->notes;
    if (json->nodes == NULL || json->nodes[0].type != ORACLE_JSON_ARRAY) {
        return ORACLE_NONE;
    }
    uint32_t at = note == ORACLE_NONE ? 1 : oracle_json_next(json, note);
    for (; at < oracle_json_next(json, 0); at = oracle_json_next(json, at)) {
        if (is_word(json, oracle_json_member(json, at, "member"),
                    answer_member_names[member]) &&
            is_word(json, oracle_json_member(json, at, "severity"), "error")) {
            return at;
        }
    }
    return ORACLE_NONE;
}

static bool note_text(const answering *a, uint32_t note, const char *name,
                      const char **text, size_t *length)
{
    uint32_t node = note == ORACLE_NONE
                        ? ORACLE_NONE
                        : oracle_json_member(&a->notes, note, name);
    *text = "nothing";
    *length = strlen(*text);
    if (node != ORACLE_NONE &&
        a->notes.nodes[node].type == ORACLE_JSON_STRING) {
        *text = oracle_node_text(&a->notes, node, length, a->arena);
    }
    return *text != NULL;
}

bool answer_same_note(answering *a, answer_member member, uint32_t note,
                      const char *code, oracle_bytes message, const char *rule,
                      const char *cause, bool *same)
{
    const char *found_code, *found;
    size_t code_length, length;
    if (!note_text(a, note, "code", &found_code, &code_length) ||
        !note_text(a, note, "message", &found, &length)) {
        return false;
    }
    *same = code == NULL
                ? note == ORACLE_NONE
                : note != ORACLE_NONE && strcmp(code, found_code) == 0 &&
                      (message.data == NULL ||
                       (message.length == length &&
                        memcmp(message.data, found, length) == 0));
    const char *const words[4] = {code == NULL ? NULL : found_code, code, found,
                                  message.data};
    return *same || (answer_shape_words(a, words) &&
                     answer_report(
                         a, rule, cause,
                         "a reason why the planner's member %s is not there is "
                         "'%.300s' (%.64s), by the rules it is '%.300s' (%s)",
                         answer_member_names[member], found, found_code,
                         code == NULL           ? "nothing"
                         : message.data == NULL ? "another"
                                                : message.data,
                         code == NULL ? "nothing" : code));
}

bool answer_missing(answering *a, answer_member member, const char *rule,
                    const char *refused)
{
    bool there = a->member[member] != ORACLE_NONE;
    bool asked = (a->options.asked & BIT(member)) != 0;
    const char *name = answer_member_names[member], *why;
    uint32_t note = answer_note(a, member, ORACLE_NONE);
    size_t length;
    if (there && refused != NULL) {
        return answer_report(a, rule, "not-refused",
                             "the planner gives a member %s, which by the "
                             "rules there is not: %s",
                             name, refused);
    }
    if (there || refused != NULL || (!asked && note == ORACLE_NONE)) {
        return true;
    }
    a->told |= BIT(member);
    return note_text(a, note, "message", &why, &length) &&
           answer_report(a, rule, "missing",
                         "the planner gives no member %s, which by the rules "
                         "there is; its reason is: %.400s",
                         name, why);
}

/* --- What notes may be about --- */

static bool report_note(answering *a, uint32_t note, const char *why)
{
    const char *found = oracle_tell_value(a->arena, &a->notes, note);
    char path[64];
    oracle_json_path(&a->notes, note, path, sizeof path);
    return found != NULL && answer_report(a, "diff.accept", "note",
                                          "notes%s in the planner's answer is "
                                          "%s: %s",
                                          path, found, why);
}

/*
 * Whether the member can have been asked for; why a Score is none always is,
 * and so is whether there is one.
 */
static bool may_ask(const answering *a, unsigned member)
{
    return member == ANSWER_SCORE ||
           (member == ANSWER_ELIGIBILITY && a->options.defaults) ||
           (a->options.asked & BIT(member)) != 0;
}

static bool is_filled(const oracle_json *json, uint32_t node)
{
    return node != ORACLE_NONE &&
           json->nodes[node].type == ORACLE_JSON_STRING &&
           json->nodes[node].extent > 2;
}

static const char *fault_of(const answering *a, uint32_t note)
{
    const oracle_json *json = &a->notes;
    uint32_t member = oracle_json_member(json, note, "member"), m = 0;
    uint32_t severity = oracle_json_member(json, note, "severity");
    uint32_t code = oracle_json_member(json, note, "code");
    uint32_t message = oracle_json_member(json, note, "message");
    bool error = is_word(json, severity, "error");
    while (m < ANSWER_MEMBERS &&
           !is_word(json, member, answer_member_names[m])) {
        m++;
    }
    if (m == ANSWER_MEMBERS) {
        return "there is no such member";
    }
    if ((!error && !is_word(json, severity, "warning")) ||
        !is_filled(json, code) || !is_filled(json, message)) {
        return "a note has code, message and a severity, error or warning";
    }
    if (error && !may_ask(a, m)) {
        return "nobody asked for this member";
    }
    if (error && m != ANSWER_SCORE && a->member[m] != ORACLE_NONE) {
        return "it tells why a member is not there, and it is";
    }
    if (error && m == ANSWER_ELIGIBILITY && !a->is_dump) {
        return "whether it is eligible can be told";
    }
    return NULL;
}

/* The first one that is wrong. */
static bool check_each(answering *a)
{
    const oracle_json *json = &a->notes;
    if (json->nodes == NULL) {
        return true;
    }
    if (json->nodes[0].type != ORACLE_JSON_ARRAY) {
        return report_note(a, 0, "notes are a list");
    }
    for (uint32_t at = 1; at < oracle_json_next(json, 0);
         at = oracle_json_next(json, at)) {
        const char *fault = fault_of(a, at);
        if (fault != NULL) {
            return report_note(a, at, fault);
        }
    }
    return true;
}

static const char *rule_of(unsigned member)
{
    static const char *const rules[ANSWER_MEMBERS] = {
        [ANSWER_GRAPH] = "diff.graph",
        [ANSWER_SCORE] = "diff.encoding",
        [ANSWER_ELIGIBILITY] = "diff.validate",
        [ANSWER_HANDLE] = "diff.tables",
        [ANSWER_HBG] = "diff.tables",
        [ANSWER_PLAN] = "diff.memory",
        [ANSWER_ALIAS] = "diff.liveness",
        [ANSWER_LIVENESS] = "diff.liveness",
        [ANSWER_CONFLICTS] = "diff.liveness",
        [ANSWER_REGIONS] = "diff.validate",
    };
    return rules[member];
}

/* A result in the bundle says that there is nothing to plan. */
static bool is_ineligible(const answering *a)
{
    uint32_t result = a->member[ANSWER_ELIGIBILITY];
    uint32_t eligible =
        result == ORACLE_NONE
            ? ORACLE_NONE
            : oracle_json_member(&a->bundle, result, "eligible");
    return eligible != ORACLE_NONE &&
           a->bundle.nodes[eligible].type == ORACLE_JSON_FALSE;
}

/*
 * Why a member that was asked for may be missing: a note, its own, or one of
 * the Score that all but two are made of; for a default one, too, that there is
 * no Score. A Score that is the input is always there.
 */
static bool is_excused(const answering *a, answer_member member)
{
    bool own = answer_note(a, member, ORACLE_NONE) != ORACLE_NONE;
    bool score = answer_note(a, ANSWER_SCORE, ORACLE_NONE) != ORACLE_NONE;
    bool named = (a->options.named & BIT(member)) != 0;
    if (a->is_score && member == ANSWER_SCORE) {
        return false;
    }
    if ((!a->is_dump && member == ANSWER_ELIGIBILITY) ||
        member == ANSWER_REGIONS) {
        return own;
    }
    return own || score || (!named && (a->rejected || is_ineligible(a)));
}

static bool check_asked(answering *a)
{
    for (unsigned m = 0; m < ANSWER_MEMBERS; m++) {
        bool known = m == ANSWER_ELIGIBILITY && !a->is_dump;
        bool named = (a->options.named & BIT(m)) != 0;
        if ((a->options.asked & ~a->told & BIT(m)) == 0 ||
            a->member[m] != ORACLE_NONE || is_excused(a, (answer_member)m)) {
            continue;
        }
        if (!answer_report(a, rule_of(m), "missing",
                           "the planner gives no member %s, which %s, and %s",
                           answer_member_names[m],
                           named ? "the request names"
                                 : "is one of the default members",
                           known ? "whether it is eligible can be told"
                                 : "no note tells why")) {
            return false;
        }
    }
    return true;
}

/* What is not looked at may say anything. */
static bool check_read(answering *a)
{
    for (unsigned m = 0; m < ANSWER_MEMBERS; m++) {
        bool twice = (a->twice & BIT(m)) != 0;
        if (((a->twice | a->unread) & ~a->told & BIT(m)) == 0) {
            continue;
        }
        a->told |= BIT(m);
        if (!answer_report(a, rule_of(m), twice ? "twice" : "no-document",
                           twice ? "the planner gives two members %s"
                                 : "the planner's member %s has no document",
                           answer_member_names[m])) {
            return false;
        }
    }
    return true;
}

bool answer_check_notes(answering *a)
{
    return check_read(a) && check_each(a) && check_asked(a);
}
