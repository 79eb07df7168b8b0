/*
 * What `reduce` calls 1-minimal, looked at by somebody who knows nothing of its
 * steps: no line, no word, no item of a bracket, no member, and of a text that
 * is no document no character can be taken away alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../fuzz/evaluate.h"
#include "../input.h"
#include "../reduce.h"
#include "../text.h"
#include "fuzz/case.h"
#include "tool.h"

#define SEED 6
#define MOST_MS 20000

/* --- A finding and who looks for it --- */

typedef struct sample {
    const char *name;
    cli_view view;
    cli_goal goal;
    cli_looker *looker;
    fuzz_case made;
    cli_text text;
    bool found;
} sample;

static bool see(void *context, const cli_sight *sight)
{
    sample *s = context;
    s->found = sight->severity == s->goal.severity &&
               strcmp(sight->rule, s->goal.rule) == 0 &&
               strcmp(sight->signature, s->goal.signature) == 0;
    return !s->found;
}

static bool holds(sample *s, const char *text, size_t length)
{
    s->found = false;
    assert_true(cli_look(s->looker, (cli_span){text, length}, see, s));
    return s->found;
}

static const char *serve_command(void)
{
    static char command[512];
    snprintf(command, sizeof command, "%s serve", tool_program());
    return command;
}

/* What `reduce --json` says. */
static void take_result(sample *s, const char *json)
{
    static const char *const severities[] = {"note", "warning", "error"};
    char severity[16];
    cli_span value, whole = {json, strlen(json)};
    assert_non_null(strstr(json, "\"minimal\":true"));
    tool_string(s->goal.rule, sizeof s->goal.rule, json, "rule");
    tool_string(s->goal.signature, sizeof s->goal.signature, json, "signature");
    tool_string(severity, sizeof severity, json, "severity");
    for (int i = 0; i < 3; i++)
        if (strcmp(severity, severities[i]) == 0)
            s->goal.severity = (cli_severity)i;
    assert_true(cli_span_member(&value, whole, "text"));
    assert_true(cli_span_text(&s->text, value));
    cli_text_put(&s->text, "");
    s->view.batch.planner = serve_command();
    s->view.batch.jobs = 1;
    s->view.batch.timeout_ms = MOST_MS;
    s->view.batch.memory = (int64_t)4096 << 20;
    s->looker = cli_looker_new(&s->view, &s->goal);
    assert_non_null(s->looker);
    if (!holds(s, s->text.data, s->text.length))
        fail_msg("%s: %s is not in the result", s->name, s->goal.rule);
}

static void end(sample *s)
{
    cli_looker_free(s->looker);
    fuzz_case_free(&s->made);
    cli_text_free(&s->text);
}

/* --- Taking away --- */

/* The text without [from, to). */
static void try_without(sample *s, size_t from, size_t to)
{
    static size_t tried;
    size_t length = s->text.length - (to - from);
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, s->text.data, from);
    memcpy(text + from, s->text.data + to, s->text.length - to);
    text[length] = '\0';
    tried++;
    if (length < s->text.length && holds(s, text, length))
        fail_msg("%s: %s is still there without bytes %zu to %zu of\n%s\n->\n"
                 "%s",
                 s->name, s->goal.rule, from, to, s->text.data, text);
    free(text);
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

/* To the end of the string, name, number or sign that begins here. */
static size_t word_end(const cli_text *text, size_t at)
{
    char quote = text->data[at];
    size_t end = at + 1;
    if (quote == '"' || quote == '\'') {
        while (end < text->length && text->data[end] != quote &&
               text->data[end] != '\n')
            end += text->data[end] == '\\' ? 2 : 1;
        return end < text->length ? end + 1 : text->length;
    }
    while (in_word(quote) && end < text->length && in_word(text->data[end]))
        end++;
    return end;
}

static void without_lines(sample *s)
{
    for (size_t at = 0; at < s->text.length;) {
        const char *newline =
            memchr(s->text.data + at, '\n', s->text.length - at);
        size_t next = newline == NULL ? s->text.length
                                      : (size_t)(newline - s->text.data) + 1;
        try_without(s, at, next);
        at = next;
    }
}

/* Each with the blanks before it, and without them. */
static void without_words(sample *s)
{
    size_t blank = 0;
    for (size_t at = 0; at < s->text.length;) {
        if (strchr(" \t\r\n", s->text.data[at]) != NULL) {
            at++;
            continue;
        }
        size_t next = word_end(&s->text, at);
        try_without(s, at, next);
        if (blank < at)
            try_without(s, blank, next);
        blank = at = next;
    }
}

static void without_characters(sample *s)
{
    for (size_t at = 0; at < s->text.length; at++)
        try_without(s, at, at + 1);
}

/* The end of what begins here: up to a comma or bracket of those around. */
static size_t item_end(const cli_text *text, size_t at)
{
    int depth = 0;
    while (at < text->length) {
        char c = text->data[at];
        if (c == '[' || c == '{' || c == '(')
            depth++;
        if (depth == 0 && (c == ',' || c == ']' || c == '}' || c == ')'))
            return at;
        if (c == ']' || c == '}' || c == ')')
            depth--;
        at = word_end(text, at);
    }
    return text->length;
}

/* Each item or member with one comma beside it. */
static void without_items(sample *s)
{
    const cli_text *t = &s->text;
    for (size_t at = 0; at < t->length; at = word_end(t, at)) {
        char c = t->data[at];
        if (c != '[' && c != '{' && c != '(' && c != ',')
            continue;
        size_t next = item_end(t, at + 1);
        bool comma = next < t->length && t->data[next] == ',';
        if (c == ',')
            try_without(s, at, next);
        else if (next > at + 1)
            try_without(s, at + 1, comma ? next + 1 : next);
    }
}

static void without_anything(sample *s)
{
    without_lines(s);
    without_words(s);
    without_items(s);
    if (fuzz_form_of(s->text.data, s->text.length) == FUZZ_FORM_PLAIN)
        without_characters(s);
}

/* --- Samples --- */

/* False: it has no finding. */
static bool check_case(const char *kind, int index)
{
    char name[32], seed[8];
    fuzz_limits limits = {.tasks = 24};
    sample s = {.name = name};
    fuzz_name which = {.seed = SEED, .index = (uint64_t)index};
    tool_result r;
    snprintf(name, sizeof name, "%s:%d", kind, index);
    snprintf(seed, sizeof seed, "%d", SEED);
    tool_run(&r, NULL, "reduce", name, "--seed", seed, "--tasks", "24",
             "--json", "--quiet", NULL);
    bool is_found = r.status == 0;
    assert_true(is_found || r.status == 4);
    for (int k = 0; k < FUZZ_KINDS; k++)
        if (strcmp(fuzz_kind_name((fuzz_kind)k), kind) == 0)
            which.stream = (fuzz_kind)k;
    if (is_found) {
        assert_int_equal(fuzz_case_make(&s.made, &which, &limits), FUZZ_OK);
        s.view.made = true;
        s.view.ask = s.made.ask;
        s.view.generated = "counterpoint";
        if (s.made.options.length > 0)
            s.view.options =
                (cli_span){s.made.options.data, s.made.options.length};
        take_result(&s, r.out);
        without_anything(&s);
    }
    end(&s);
    tool_free(&r);
    return is_found;
}

static void generated_cases(void **state)
{
    (void)state;
    static const char *const kinds[] = {"score",  "graph",  "ir",
                                        "bundle", "memory", "record"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int checked = 0;
        for (int i = 0; i < 20 && checked < 6; i++)
            checked += check_case(kinds[k], i);
        assert_true(checked > 2);
    }
}

/* Its gravest finding; false: it has none. */
static bool check_file(const char *path)
{
    sample s = {.name = path};
    tool_result r;
    tool_run(&r, NULL, "reduce", path, "--json", "--quiet", NULL);
    if (r.status == 4) {
        tool_free(&r);
        return false;
    }
    if (r.status != 0)
        fail_msg("%s: %s", path, r.error);
    take_result(&s, r.out);
    without_anything(&s);
    end(&s);
    tool_free(&r);
    return true;
}

/* Programs keep their names in signatures, and lose what else they can. */
static void dumps(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "corpus/programs/war_scratch.py",
        "corpus/programs/even_odd.py",
        "corpus/programs/host_stale_read.py",
        "corpus/rules/doc.unsupported/found.py",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_true(check_file(paths[i]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(generated_cases),
    cmocka_unit_test(dumps),
};

TEST_MAIN(tests)
