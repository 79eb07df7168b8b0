/*
 * diff.accept: what is refused and what is accepted. Where a text has several
 * faults the rules do not say which of them is told, so any of them is right;
 * a text that is no JSON has one place where that shows.
 */
#include "answer_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What an error of the answer says. */
typedef struct refusal {
    const char *code, *message, *path;
    answer_where at;
    char place[80]; /* where it is, in words */
} refusal;

/* What must be refused. */
typedef struct wanted {
    const oracle_error *syntax; /* the text is no JSON; or NULL */
    const answer_score *faults; /* it is no Score; or NULL */
    const char *why;            /* static: what else; or NULL */
    const char *code;           /* of that; NULL: any */
} wanted;

static const char *text_of(answering *a, const oracle_json *json,
                           uint32_t object, const char *name)
{
    uint32_t node = oracle_json_member(json, object, name);
    size_t length;
    if (node == ORACLE_NONE || json->nodes[node].type != ORACLE_JSON_STRING) {
        return "";
    }
    return oracle_node_text(json, node, &length, a->arena);
}

/* What is left out or null is `missing`, what is no such number -2. */
static int64_t number_of(const oracle_json *json, uint32_t object,
                         const char *name, int64_t missing)
{
    uint32_t node = oracle_json_member(json, object, name);
    int64_t value = -2;
    if (node == ORACLE_NONE || json->nodes[node].type == ORACLE_JSON_NULL) {
        return missing;
    }
    bool number = json->nodes[node].type == ORACLE_JSON_NUMBER &&
                  oracle_json_integral(json, node) &&
                  oracle_json_int64(json, node, &value);
    return number && value >= 0 ? value : -2;
}

/* "line 3, column 4, byte 20"; what is not known is left out. */
static void tell_place(char *text, size_t size, const answer_where *at)
{
    const struct {
        const char *name;
        int64_t value, first;
    } parts[] = {{"line", at->line, 1},
                 {"column", at->column, 1},
                 {"byte", at->offset, at->line == 0 ? 1 : 0}};
    size_t length = 0;
    snprintf(text, size, "without a place");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].value >= parts[i].first && length < size) {
            length += (size_t)snprintf(text + length, size - length,
                                       "%s%s %" PRId64, length > 0 ? ", " : "",
                                       parts[i].name, parts[i].value);
        }
    }
}

/* `missing`: a number that is not told. */
static bool read_refusal(refusal *r, answering *a, const oracle_json *json,
                         uint32_t object, int64_t missing)
{
    *r = (refusal){.code = text_of(a, json, object, "code"),
                   .message = text_of(a, json, object, "message"),
                   .path = text_of(a, json, object, "path"),
                   .at = {number_of(json, object, "line", missing),
                          number_of(json, object, "column", missing),
                          number_of(json, object, "offset", missing)}};
    tell_place(r->place, sizeof r->place, &r->at);
    return r->code != NULL && r->message != NULL && r->path != NULL;
}

/* The code as one of a few words, so that findings group. */
static const char *word_of(const char *code)
{
    static const char *const words[] = {"doc.syntax", "doc.schema", "doc.range",
                                        "doc.unsupported"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(code, words[i]) == 0) {
            return words[i];
        }
    }
    return "refused";
}

/* --- What is refused by both --- */

static const char *code_of(const answer_fault *fault)
{
    return fault->status == ORACLE_RANGE ? "doc.range" : "doc.schema";
}

static void path_of(const answer_score *s, const answer_fault *fault,
                    char *path, size_t size)
{
    oracle_json_path(s->json, fault->node, path, size);
    size_t length = strlen(path);
    if (fault->field != NULL) {
        snprintf(path + length, size - length, "%s%s", length == 0 ? "" : ".",
                 fault->field);
    }
}

/* A missing field may be told at its object, too. */
static bool is_fault(const answering *a, const answer_score *s,
                     const answer_fault *fault, const refusal *r)
{
    char path[160];
    if (strcmp(r->code, code_of(fault)) != 0 ||
        !answer_is_place(a->question->input, &r->at,
                         s->json->nodes[fault->node].offset)) {
        return false;
    }
    oracle_json_path(s->json, fault->node, path, sizeof path);
    if (fault->field != NULL && strcmp(path, r->path) == 0) {
        return true;
    }
    path_of(s, fault, path, sizeof path);
    return strcmp(path, r->path) == 0;
}

static bool check_faults(answering *a, const answer_score *s, const refusal *r)
{
    char path[160];
    uint64_t line, column;
    bool code = false;
    for (uint32_t i = 0; i < s->fault_count; i++) {
        if (is_fault(a, s, &s->faults[i], r)) {
            return true;
        }
        code = code || strcmp(r->code, code_of(&s->faults[i])) == 0;
    }
    const oracle_bytes *text = &a->question->input;
    uint32_t offset = s->json->nodes[s->faults[0].node].offset;
    oracle_json_position(text->data, offset, &line, &column);
    path_of(s, &s->faults[0], path, sizeof path);
    const char *const words[4] = {r->code, r->path, code_of(&s->faults[0]),
                                  path};
    return answer_shape_words(a, words) &&
           answer_report(a, "diff.accept", code ? "place" : "code",
                         "the planner refuses the text with %.32s at '%.160s' "
                         "(%s), what is "
                         "wrong is %s at '%s' (line %" PRIu64
                         ", column %" PRIu64 ", byte "
                         "%" PRIu32 ")%s",
                         r->code, r->path, r->place, code_of(&s->faults[0]),
                         path, line, column, offset,
                         s->fault_count > 1 ? " or elsewhere" : "");
}

static bool check_syntax(answering *a, const oracle_error *e, const refusal *r)
{
    bool code = strcmp(r->code, e->rule) == 0;
    bool place = r->at.line == (int64_t)e->line &&
                 r->at.column == (int64_t)e->column &&
                 r->at.offset == (int64_t)e->offset && r->path[0] == '\0';
    return (code && place) ||
           (answer_shape_words(a,
                               (const char *const[4]){r->code, r->path, e->rule,
                                                      e->message}) &&
            answer_report(a, "diff.accept", code ? "place" : "code",
                          "the planner refuses the text with %.32s at '%.160s' "
                          "(%s), it is %s at line %" PRIu64 ", column %" PRIu64
                          ", byte %" PRIu64 " (%.200s)",
                          r->code, r->path, r->place, e->rule, e->line,
                          e->column, e->offset, e->message));
}

/* Whether the root of a program can be one: then what is wrong has a path. */
static bool is_root(const oracle_json *json)
{
    uint32_t kind = oracle_json_member(json, 0, "kind");
    return kind != ORACLE_NONE && json->nodes[0].type == ORACLE_JSON_OBJECT &&
           json->nodes[kind].type == ORACLE_JSON_STRING &&
           oracle_json_member(json, 0, "map") == ORACLE_NONE &&
           oracle_json_member(json, 0, "ref") == ORACLE_NONE;
}

/*
 * What is not known of an error still is a place of the text, or none, and the
 * path of a value of text or options.
 */
static bool check_any(answering *a, const refusal *r)
{
    bool parsed = a->input.nodes != NULL;
    bool path = !parsed || answer_is_path(&a->input, r->path) ||
                (a->options.json.nodes != NULL &&
                 answer_is_path(&a->options.json, r->path));
    bool schema = strcmp(r->code, "doc.schema") == 0 && r->path[0] == '\0';
    if (parsed && schema && !a->is_score && a->options.bad == NULL &&
        is_root(&a->input)) {
        return answer_report(a, "diff.accept", "place",
                             "the planner refuses with %.64s (%.200s) and does "
                             "not tell the path of what is wrong",
                             r->code, r->message);
    }
    return (path && answer_is_place(a->question->input, &r->at, SIZE_MAX)) ||
           answer_report(a, "diff.accept", "place",
                         "the planner refuses with %.64s at '%.128s' (%s), "
                         "which is no place of the text",
                         r->code, r->path, r->place);
}

static bool check_refused(answering *a, const wanted *w, const refusal *r)
{
    if (w->syntax != NULL) {
        return w->why != NULL || check_syntax(a, w->syntax, r);
    }
    if (w->faults != NULL) {
        return w->why != NULL || check_faults(a, w->faults, r);
    }
    if (w->code == NULL || strcmp(w->code, r->code) == 0) {
        return check_any(a, r);
    }
    const char *const words[4] = {r->code, w->code};
    return answer_shape_words(a, words) &&
           answer_report(a, "diff.accept", "code",
                         "the planner refuses with %.64s, the rules with %s",
                         r->code, w->code);
}

/* --- What one of them accepts --- */

static bool tell_accepted(answering *a, const wanted *w)
{
    char path[160];
    if (w->syntax != NULL) {
        const char *const words[4] = {w->syntax->message};
        return answer_shape_words(a, words) &&
               answer_report(a, "diff.accept", "accepts-syntax",
                             "the planner accepts a text that is none: %.200s "
                             "(line %" PRIu64 ", column %" PRIu64
                             ", byte %" PRIu64 ")",
                             w->syntax->message, w->syntax->line,
                             w->syntax->column, w->syntax->offset);
    }
    if (w->faults != NULL) {
        const answer_fault *fault = &w->faults->faults[0];
        bool range = fault->status == ORACLE_RANGE;
        path_of(w->faults, fault, path, sizeof path);
        const char *const words[4] = {path};
        return answer_shape_words(a, words) &&
               answer_report(a, "diff.accept",
                             range ? "accepts-range" : "accepts-schema",
                             "the planner accepts a text that is no Score: "
                             "'%s' is %s",
                             path,
                             range                  ? "out of range"
                             : fault->field != NULL ? "missing"
                                                    : "of a wrong type");
    }
    return answer_report(a, "diff.accept", "accepts-options",
                         "the planner accepts what it must refuse: %s", w->why);
}

static bool tell_refused(answering *a, const refusal *r)
{
    const char *const words[4] = {r->code, r->path, r->message};
    return answer_shape_words(a, words) &&
           answer_report(a, "diff.accept", word_of(r->code),
                         "the planner refuses with %.64s at '%.128s' (%.300s), "
                         "by the rules nothing is wrong with text and options",
                         r->code, r->path, r->message);
}

static bool decide(answering *a, const wanted *w, bool *go)
{
    bool refuse = w->syntax != NULL || w->faults != NULL || w->why != NULL;
    refusal r;
    *go = a->bundle.nodes != NULL && !refuse;
    if (*go) {
        return true;
    }
    if (a->bundle.nodes != NULL) {
        return tell_accepted(a, w);
    }
    return read_refusal(&r, a, &a->error, 0, 0) &&
           (refuse ? check_refused(a, w, &r) : tell_refused(a, &r));
}

/* --- Scores --- */

static bool accept_score(answering *a, bool *go)
{
    const oracle_question *q = a->question;
    oracle_error error;
    answer_edges edges = {0};
    wanted w = {.why = a->options.bad};
    oracle_status status =
        oracle_json_parse(&a->input, q->input.data, q->input.length, &error);
    if (status == ORACLE_NO_MEMORY) {
        return false;
    }
    w.syntax = status == ORACLE_OK ? NULL : &error;
    if (w.syntax == NULL) {
        if (!answer_score_read(&a->read, &a->input, 0, a->arena)) {
            return false;
        }
        w.faults = a->read.fault_count > 0 ? &a->read : NULL;
    }
    bool planned = a->options.policy[0] != '\0';
    if (w.syntax == NULL && w.faults == NULL && planned) {
        if (!answer_plan(&edges, &a->read, a->options.policy)) {
            return false;
        }
        w.code = w.why == NULL ? edges.code : NULL;
        w.why = w.why == NULL ? edges.refused : w.why;
    }
    if (!decide(a, &w, go)) {
        return false;
    }
    return !*go || answer_write_score(a, &a->input, 0, planned ? &edges : NULL);
}

/* --- What is known from outside --- */

/* The members of `error` that are given are compared. */
static bool check_known_error(answering *a, uint32_t error)
{
    refusal known, r;
    if (a->bundle.nodes != NULL) {
        return read_refusal(&known, a, &a->known, error, -1) &&
               answer_report(
                   a, "diff.accept",
                   strcmp(known.code, "doc.syntax") == 0  ? "accepts-syntax"
                   : strcmp(known.code, "doc.range") == 0 ? "accepts-range"
                                                          : "accepts-schema",
                   "the planner accepts what it must refuse with "
                   "%.64s",
                   known.code);
    }
    if (!read_refusal(&known, a, &a->known, error, -1) ||
        !read_refusal(&r, a, &a->error, 0, 0)) {
        return false;
    }
    bool code = known.code[0] == '\0' || strcmp(known.code, r.code) == 0;
    bool place = (oracle_json_member(&a->known, error, "path") == ORACLE_NONE ||
                  strcmp(known.path, r.path) == 0) &&
                 (known.at.line < 0 || known.at.line == r.at.line) &&
                 (known.at.column < 0 || known.at.column == r.at.column) &&
                 (known.at.offset < 0 || known.at.offset == r.at.offset);
    if (code && place) {
        return check_any(a, &r);
    }
    const char *const words[4] = {r.code, r.path, known.code, known.path};
    return answer_shape_words(a, words) &&
           answer_report(a, "diff.accept", code ? "place" : "code",
                         "the planner refuses with %.64s at '%.128s' (%s), it "
                         "must be %.64s at '%.128s' (%s)",
                         r.code, r.path, r.place, known.code, known.path,
                         known.place);
}

/* The text of a Score that is known, or else of the planner's own. */
static bool take_known(answering *a)
{
    bool known = a->known.nodes != NULL;
    const oracle_json *json = known ? &a->known : &a->bundle;
    uint32_t node = known ? 0 : a->member[ANSWER_SCORE];
    uint32_t eligible =
        known ? oracle_json_member(json, 0, "eligible") : ORACLE_NONE;
    a->rejected = false;
    if (eligible != ORACLE_NONE) {
        a->rejected = json->nodes[eligible].type != ORACLE_JSON_TRUE;
        node = oracle_json_member(json, 0, "score");
    }
    if (!a->rejected && node != ORACLE_NONE) {
        return answer_write_score(a, json, node, NULL);
    }
    return true;
}

static bool parse_known(answering *a)
{
    const oracle_question *q = a->question;
    oracle_error error;
    oracle_status status = oracle_json_parse(&a->known, q->expected.data,
                                             q->expected.length, &error);
    a->unclear = status != ORACLE_OK && status != ORACLE_NO_MEMORY;
    return status == ORACLE_OK;
}

/* A program is strict JSON, too; what else is wrong with it is not known. */
static bool parse_program(answering *a, oracle_error *error, bool *is_json)
{
    const oracle_question *q = a->question;
    *is_json = true;
    if (strcmp(q->kind, "ir") != 0) {
        return true;
    }
    oracle_status status =
        oracle_json_parse(&a->input, q->input.data, q->input.length, error);
    *is_json = status == ORACLE_OK;
    return status != ORACLE_NO_MEMORY;
}

static bool accept_known(answering *a, bool *go)
{
    oracle_error error;
    wanted w = {.why = a->options.bad};
    bool is_json, known = a->question->expected.length > 0;
    if (known) {
        if (!parse_known(a)) {
            return false;
        }
        uint32_t refused = oracle_json_member(&a->known, 0, "error");
        if (refused != ORACLE_NONE) {
            *go = false;
            return check_known_error(a, refused);
        }
    } else if (!parse_program(a, &error, &is_json)) {
        return false;
    } else if (!is_json) {
        w.syntax = &error;
    } else if (a->bundle.nodes == NULL && w.why == NULL) {
        refusal r; /* whether it must be refused is not known */
        *go = false;
        return read_refusal(&r, a, &a->error, 0, 0) && check_any(a, &r);
    }
    return decide(a, &w, go) && (!*go || take_known(a));
}

bool answer_accept(answering *a, bool *go)
{
    return a->is_score ? accept_score(a, go) : accept_known(a, go);
}
