#include "conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform_case.h"
#include "input.h"
#include "json.h"

static const char sha256_suffix[] = "_sha256";
#define SUFFIX_LENGTH (sizeof sha256_suffix - 1)

/* What a case gives; everything else at its top is an answer. */
static const char *const inputs[] = {
    "id",          "score",           "ir", "entry_name", "buffer_sizes",
    "plan_handle", "plan_handle_rule"};

static bool is_input(sonata_text name)
{
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (strlen(inputs[i]) == name.length &&
            memcmp(inputs[i], name.text, name.length) == 0)
            return true;
    return false;
}

const sonata_node *conform_get(const conform_case *c, const char *name)
{
    return sonata_node_get(c->doc, c->root, name);
}

/* --- Putting out --- */

static void put_field(conform_case *c, const char *field, const char *state,
                      const cli_text *detail)
{
    cli_text_put(c->out, c->has_fields ? ",{\"field\":" : "{\"field\":");
    cli_text_quote(c->out, field);
    cli_text_printf(c->out, ",\"state\":\"%s\"", state);
    if (detail != NULL && detail->length > 0) {
        cli_text_put(c->out, ",\"detail\":");
        cli_text_json(c->out, detail->data, detail->length);
    }
    cli_text_put(c->out, "}");
    c->has_fields = true;
}

static void put_state(conform_case *c, const char *field, const char *state,
                      const char *format, const char *text)
{
    cli_text detail = {0};
    cli_text_printf(&detail, format, text);
    c->out->failed = c->out->failed || detail.failed;
    put_field(c, field, state, &detail);
    cli_text_free(&detail);
}

/* --- Comparing --- */

static bool is_error(const conform_case *c, const sonata_node *expected)
{
    return sonata_node_get(c->doc, expected, "error") != NULL &&
           sonata_node_count(expected) == 1;
}

static bool is_null(const conform_case *c, const sonata_node *expected)
{
    return sonata_node_kind_of(c->doc, expected) == SONATA_NODE_NULL;
}

/* The same value may be spelled in many ways: the canonical text decides. */
static char *canonical(const conform_answer *a, size_t *length)
{
    sonata_doc *doc = NULL;
    char *json = NULL;
    if (sonata_doc_read(&doc, a->text.data, a->text.length, NULL) == SONATA_OK)
        sonata_node_json(&json, length, doc, sonata_doc_root(doc), false, NULL);
    sonata_doc_free(doc);
    return json;
}

static void compare_hash(conform_case *c, const char *field,
                         const sonata_node *expected, const char *text,
                         size_t length)
{
    char digest[65];
    cli_text detail = {0};
    sonata_text wanted = sonata_node_text(c->doc, expected);
    if (!cli_sha256(digest, text, length)) {
        c->out->failed = true;
        return;
    }
    if (wanted.text != NULL && strcmp(wanted.text, digest) == 0) {
        put_field(c, field, "passed", NULL);
        return;
    }
    cli_text_printf(&detail, ": expected %.64s, got %s (of %zu bytes)",
                    wanted.text == NULL ? "no string" : wanted.text, digest,
                    length);
    put_field(c, field, "failed", &detail);
    cli_text_free(&detail);
}

static void compare_text(conform_case *c, const char *field,
                         const sonata_node *expected, const char *text,
                         size_t length)
{
    char *wanted = NULL;
    cli_text detail = {0};
    if (sonata_node_json(&wanted, NULL, c->doc, expected, false, NULL) !=
        SONATA_OK) {
        c->out->failed = true;
        return;
    }
    if (strcmp(wanted, text) == 0) {
        put_field(c, field, "passed", NULL);
    } else {
        if (!conform_describe(&detail, wanted, text, length))
            c->out->failed = true;
        put_field(c, field, "failed", &detail);
    }
    cli_text_free(&detail);
    free(wanted);
}

/*
 * We have an error. Where the reference raises, too, that is right; so it is
 * where it gives null for what rests on an answer that raised, and for the
 * one part of an answer that says so.
 */
static void compare_error(conform_case *c, const char *field,
                          const sonata_node *expected, const conform_answer *a)
{
    const sonata_node *deps = sonata_node_get(c->doc, expected, "deps");
    if (a->status == SONATA_NO_MEMORY)
        c->out->failed = true;
    else if (*a->error.message == '\0')
        put_state(c, field, "failed", ": %s", "an error without a message");
    else if (is_error(c, expected) || is_null(c, expected) ||
             (deps != NULL && is_error(c, deps)))
        put_field(c, field, "passed", NULL);
    else
        put_state(c, field, a->is_refusal ? "refused" : "failed",
                  ": refused: %s", a->error.message);
}

/* The other implementation came to its own limit: an answer is no fault. */
static bool is_limit(sonata_text error)
{
    static const char *const limits[] = {"RecursionError", "MemoryError"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (error.text != NULL && error.length >= strlen(limits[i]) &&
            memcmp(error.text, limits[i], strlen(limits[i])) == 0)
            return true;
    return false;
}

static bool ends_in(const char *name, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && memcmp(name + length - n, end, n) == 0;
}

static void compare(conform_case *c, const char *field,
                    const sonata_node *expected, conform_answer *a)
{
    size_t length = strlen(field);
    bool hashed =
        ends_in(field, length, sha256_suffix) && !is_error(c, expected);
    if (hashed)
        length -= SUFFIX_LENGTH;
    if (a->status != SONATA_OK) {
        compare_error(c, field, expected, a);
        return;
    }
    if (is_error(c, expected)) {
        sonata_text text = sonata_node_text(
            c->doc, sonata_node_get(c->doc, expected, "error"));
        if (is_limit(text)) {
            put_field(c, field, "passed", NULL);
            return;
        }
        put_state(c, field, "failed", ": expected an error (%.200s), got none",
                  text.text == NULL ? "" : text.text);
        return;
    }
    if (ends_in(field, length, "_json")) {
        if (hashed)
            compare_hash(c, field, expected, a->text.data, a->text.length);
        else
            put_state(c, field, "unknown", ": %s", "only its SHA-256 is known");
        return;
    }
    char *text = a->text.failed ? NULL : canonical(a, &length);
    if (text == NULL)
        c->out->failed = true;
    else if (hashed)
        compare_hash(c, field, expected, text, length);
    else
        compare_text(c, field, expected, text, length);
    free(text);
}

/* --- Fields of Scores --- */

static void begin_answer(conform_answer *a, const conform_case *c)
{
    *a = (conform_answer){.status = c->score_status, .error = c->score_error};
    a->is_refusal = a->status == SONATA_RANGE;
}

static void compare_made(conform_case *c, const char *field,
                         const sonata_node *expected, conform_maker make)
{
    conform_answer a;
    begin_answer(&a, c);
    if (a.status == SONATA_OK)
        make(c, &a, expected);
    compare(c, field, expected, &a);
    cli_text_free(&a.text);
}

static conform_maker find_maker(sonata_text name)
{
    conform_maker make = conform_find_maker(name);
    if (make == NULL && ends_in(name.text, name.length, sha256_suffix))
        make = conform_find_maker(
            (sonata_text){name.text, name.length - SUFFIX_LENGTH});
    return make;
}

/* "counts": how many items some answers have. */
static void compare_counts(conform_case *c, const sonata_node *expected)
{
    for (const sonata_node *m = sonata_node_first(expected); m != NULL;
         m = sonata_node_next(m)) {
        char field[128];
        sonata_text name = sonata_node_key(c->doc, m);
        conform_maker make = conform_find_maker(name);
        conform_answer a;
        sonata_doc *doc = NULL;
        snprintf(field, sizeof field, "counts.%s", name.text);
        if (make == NULL) {
            put_field(c, field, "unknown", NULL);
            continue;
        }
        begin_answer(&a, c);
        if (a.status == SONATA_OK)
            make(c, &a, m);
        if (a.status == SONATA_OK && !a.text.failed &&
            sonata_doc_read(&doc, a.text.data, a.text.length, NULL) ==
                SONATA_OK) {
            cli_text_clear(&a.text);
            cli_text_printf(&a.text, "%zu",
                            sonata_node_count(sonata_doc_root(doc)));
        }
        compare(c, field, m, &a);
        sonata_doc_free(doc);
        cli_text_free(&a.text);
    }
}

/*
 * Whether the reference's validation survives its own limit of recursion: ours
 * has none, so the answer to "validate" has to come in either case.
 */
static void compare_limit(conform_case *c, const char *field)
{
    sonata_reasons reasons = {0};
    sonata_error error = {0};
    sonata_status status = c->score_status;
    if (status == SONATA_OK)
        status = sonata_score_validate(&reasons, &c->score, &error);
    put_state(c, field, status == SONATA_OK ? "passed" : "failed", "%s",
              status == SONATA_OK ? "" : error.message);
    sonata_reasons_free(&reasons);
}

static void compare_score_field(conform_case *c, const sonata_node *member)
{
    sonata_text name = sonata_node_key(c->doc, member);
    conform_maker make = find_maker(name);
    if (make != NULL)
        compare_made(c, name.text, member, make);
    else if (strcmp(name.text, "counts") == 0)
        compare_counts(c, member);
    else if (strcmp(name.text, "validate_at_default_recursion_limit") == 0)
        compare_limit(c, name.text);
    else
        put_field(c, name.text, "unknown", NULL);
}

/* --- Fields of programs --- */

static bool is_policy(const char *name)
{
    static const char *const names[] = {"sequential_v0", "dataflow_v0",
                                        "mixed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void compare_policies(conform_case *c, const sonata_node *group,
                             bool certified)
{
    const char *group_name = sonata_node_key(c->doc, group).text;
    for (const sonata_node *m = sonata_node_first(group); m != NULL;
         m = sonata_node_next(m)) {
        char field[128];
        const char *policy = sonata_node_key(c->doc, m).text;
        conform_answer a = {0};
        snprintf(field, sizeof field, "%s.%s", group_name, policy);
        if (is_policy(policy)) {
            conform_answer_program(c, &a, policy, certified);
            compare(c, field, m, &a);
        } else {
            put_field(c, field, "unknown", NULL);
        }
        cli_text_free(&a.text);
    }
}

static void compare_program_field(conform_case *c, const sonata_node *member)
{
    const char *name = sonata_node_key(c->doc, member).text;
    conform_answer a = {0};
    if (strcmp(name, "static") == 0) {
        compare_policies(c, member, false);
    } else if (strcmp(name, "static_certified") == 0) {
        compare_policies(c, member, true);
    } else if (strcmp(name, "regions") == 0) {
        conform_answer_regions(c, &a);
        compare(c, name, member, &a);
    } else if (strcmp(name, "region_eligibility") == 0) {
        conform_answer_program(c, &a, NULL, false);
        compare(c, name, member, &a);
    } else {
        put_field(c, name, "unknown", NULL);
    }
    cli_text_free(&a.text);
}

/* --- The case --- */

static void read_case(conform_case *c)
{
    const sonata_node *score = conform_get(c, "score");
    const sonata_node *program = conform_get(c, "ir");
    c->has_score = score != NULL;
    c->has_program = program != NULL && score == NULL;
    c->score_status = c->liveness_status = SONATA_REJECTED;
    if (c->has_score)
        c->score_status = sonata_score_from_node(&c->score, c->doc, score, NULL,
                                                 &c->score_error);
    if (c->has_score && c->score_status == SONATA_OK)
        c->liveness_status =
            sonata_find_lifetimes(&c->liveness, &c->score, &c->liveness_error);
    if (c->has_program)
        c->program_status = sonata_ir_from_node(&c->program, c->doc, program,
                                                &c->program_error);
}

static void free_case(conform_case *c)
{
    sonata_liveness_free(&c->liveness);
    sonata_score_free(&c->score);
    sonata_program_free(c->program);
}

/* The message without the place at its end: the line is another one here. */
static void put_malformed(cli_text *out, uint64_t column, const char *message)
{
    const char *place = strstr(message, " (line ");
    size_t length = place == NULL ? strlen(message) : (size_t)(place - message);
    cli_text_printf(out, "\"malformed\":{\"column\":%llu,\"message\":",
                    (unsigned long long)column);
    cli_text_json(out, message, length);
    cli_text_put(out, "}");
}

static void put_name(cli_text *out, const conform_case *c)
{
    sonata_text name = sonata_node_text(c->doc, conform_get(c, "id"));
    if (name.text == NULL)
        return;
    cli_text_put(out, "\"name\":");
    cli_text_json(out, name.text, name.length);
    cli_text_put(out, ",");
}

static void compare_case(cli_text *out, const sonata_doc *doc)
{
    conform_case c = {.doc = doc, .root = sonata_doc_root(doc), .out = out};
    if (conform_get(&c, "score") == NULL && conform_get(&c, "ir") == NULL) {
        put_malformed(out, 1, "no case: it has neither a score nor an ir");
        return;
    }
    read_case(&c);
    put_name(out, &c);
    cli_text_put(out, "\"fields\":[");
    for (const sonata_node *m = sonata_node_first(c.root); m != NULL;
         m = sonata_node_next(m)) {
        if (is_input(sonata_node_key(doc, m)))
            continue;
        if (c.has_score)
            compare_score_field(&c, m);
        else
            compare_program_field(&c, m);
    }
    cli_text_put(out, "]");
    free_case(&c);
}

/* --- Cases that the reader refuses by rule --- */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *place = strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    return c == '\0' || place == NULL ? -1 : (int)(place - digits);
}

/* The unit of an escape \uXXXX, or -1. */
static int32_t unit_at(const char *text, size_t length)
{
    int32_t unit = 0;
    if (length < 6 || text[0] != '\\' || text[1] != 'u')
        return -1;
    for (size_t i = 2; i < 6; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static bool is_high(int32_t unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low(int32_t unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

/* The escape at the place: how long it is, mended when it is a surrogate that
 * stands alone. */
static size_t mend_escape(char *text, size_t length, size_t *count)
{
    int32_t unit = unit_at(text, length);
    if (is_high(unit) && is_low(unit_at(text + 6, length - 6)))
        return 12;
    if (!is_high(unit) && !is_low(unit))
        return 2;
    memcpy(text + 2, "fffd", 4);
    (*count)++;
    return 6;
}

/* The length of a number that is none, and becomes 0; 0: there is none. */
static size_t mend_number(char *text, size_t length, size_t *count)
{
    static const char *const words[] = {"NaN", "Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (length < n || memcmp(text, words[i], n) != 0)
            continue;
        memset(text, ' ', n);
        text[0] = '0';
        (*count)++;
        return n;
    }
    return 0;
}

/* Mends what the reader refuses by rule, though Python writes it; how often. */
static size_t mend(char *text, size_t length)
{
    size_t count = 0;
    bool quoted = false;
    for (size_t i = 0; i < length;) {
        size_t n = 1;
        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted && text[i] == '\\')
            n = mend_escape(text + i, length - i, &count);
        else if (!quoted && (text[i] == 'N' || text[i] == 'I'))
            n = mend_number(text + i, length - i, &count);
        i += n == 0 ? 1 : n;
    }
    return count;
}

static void put_refused_group(conform_case *c, const char *group,
                              cli_span value)
{
    cli_walk walk;
    cli_span key, item;
    char field[160];
    if (!cli_walk_object(&walk, value))
        return;
    while (cli_walk_next(&walk, &key, &item)) {
        snprintf(field, sizeof field, "%s.%.*s", group, (int)key.length,
                 key.data);
        put_field(c, field, "refused", NULL);
    }
}

/* Every field of the line, without a look at its value. False: no object. */
static bool put_refused(cli_text *out, cli_span line, const char *reason)
{
    static const char *const groups[] = {"static", "static_certified",
                                         "counts"};
    cli_text body = {0}, name = {0};
    conform_case c = {.out = &body};
    cli_walk walk;
    cli_span key, value;
    bool ok = cli_walk_object(&walk, line);
    while (ok && cli_walk_next(&walk, &key, &value)) {
        const char *group = NULL;
        char field[160];
        snprintf(field, sizeof field, "%.*s", (int)key.length, key.data);
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
            if (strcmp(field, groups[i]) == 0)
                group = groups[i];
        if (strcmp(field, "id") == 0)
            cli_span_text(&name, value);
        else if (group != NULL)
            put_refused_group(&c, group, value);
        else if (!is_input((sonata_text){key.data, key.length}))
            put_field(&c, field, "refused", NULL);
    }
    ok = ok && !walk.failed;
    if (ok) {
        cli_text_put(out, "\"name\":");
        cli_text_json(out, name.data == NULL ? "" : name.data, name.length);
        cli_text_put(out, ",\"refused\":");
        cli_text_quote(out, reason);
        cli_text_put(out, ",\"fields\":[");
        cli_text_add(out, body.data, body.length);
        cli_text_put(out, "]");
    }
    out->failed = out->failed || body.failed;
    cli_text_free(&body);
    cli_text_free(&name);
    return ok;
}

/* A line that is well formed but for surrogates that stand alone, NaN and
 * Infinity. */
static bool is_python_json(const char *line, size_t length, bool *failed)
{
    sonata_doc *doc = NULL;
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        *failed = true;
        return false;
    }
    memcpy(copy, line, length);
    sonata_status status = SONATA_SYNTAX;
    if (mend(copy, length) > 0)
        status = sonata_doc_read(&doc, copy, length, NULL);
    *failed = status == SONATA_NO_MEMORY;
    sonata_doc_free(doc);
    free(copy);
    return status == SONATA_OK;
}

static bool is_refused(sonata_status status, const char *line, size_t length,
                       bool *failed)
{
    return status == SONATA_RANGE || is_python_json(line, length, failed);
}

bool cli_conform_case(cli_text *out, const char *line, size_t length)
{
    sonata_doc *doc = NULL;
    sonata_error error = {0};
    sonata_status status = sonata_doc_read(&doc, line, length, &error);
    if (status == SONATA_NO_MEMORY)
        return false;
    if (status == SONATA_OK) {
        compare_case(out, doc);
        sonata_doc_free(doc);
        return !out->failed;
    }
    bool failed = false;
    if (!is_refused(status, line, length, &failed) ||
        !put_refused(out, (cli_span){line, length}, error.message))
        put_malformed(out, error.column, error.message);
    return !failed && !out->failed;
}
