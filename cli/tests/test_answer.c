/* The planner's answers to real inputs, and the oracle's own: they agree. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../json.h"
#include "../serve.h"
#include "oracle/answer.h"

#define OWN "corpus/vectors/"
#define SHARED "../shared/vectors/sonata/"
#define EMIT                                                                   \
    "\"emit\":\"graph,score,eligibility,handle,hbg,memory,alias,liveness,"     \
    "conflicts\",\"encodings\":1"
#define LARGE 50000 /* bytes from which on pairs of keys are too many */

static char *read_text(const char *path, size_t *length)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (in == NULL)
        return NULL;
    ssize_t got = getdelim(&text, &room, '\0', in);
    fclose(in);
    *length = got < 0 ? 0 : (size_t)got;
    return text;
}

/* What the planner answers is what the oracle expects. */
static void agree(const char *kind, cli_span input, const cli_text *options,
                  const cli_text *expected, const char *path)
{
    cli_text line = {0}, answer = {0};
    oracle_judgement j;
    cli_text_printf(&line, "{\"id\":1,\"kind\":\"%s\",\"options\":%.*s,", kind,
                    (int)options->length, options->data);
    cli_text_put(&line, "\"input\":");
    cli_text_json(&line, input.data, input.length);
    cli_text_put(&line, "}");
    assert_false(line.failed);
    if (cli_serve_line(&answer, NULL, line.data, line.length, false, false) !=
        0)
        fail_msg("%s: no request: %.*s", path, (int)options->length,
                 options->data);
    oracle_question q = {kind,
                         {input.data, input.length},
                         {options->data, options->length},
                         {expected->data, expected->length}};
    oracle_bytes given = {answer.data, answer.length};
    assert_int_equal(oracle_answer_check(&j, &q, given, NULL), ORACLE_OK);
    if (j.count > 0)
        fail_msg("%s, %.*s: %s: %s\n%.2000s", path, (int)options->length,
                 options->data, j.findings[0].rule, j.findings[0].message,
                 input.data);
    oracle_judgement_free(&j);
    cli_text_free(&line);
    cli_text_free(&answer);
}

/* The reference takes texts that are no Unicode, which is refused here. */
static bool has_surrogate(cli_span text)
{
    for (size_t i = 0; i + 3 < text.length; i++)
        if (memcmp(text.data + i, "\\ud", 3) == 0 && text.data[i + 3] >= '8')
            return true;
    return false;
}

/* --- Scores --- */

static const char *const score_options[] = {
    "",
    ",\"policy\":\"dataflow_v0\",\"memory\":\"greedy_v0\"",
    ",\"policy\":\"mixed\"",
    ",\"policy\":\"sequential_v0\",\"profile\":\"sonata-0.9\"",
};

/* [[key, bytes]] as an object; keys that are no strings have no size. */
static void put_sizes(cli_text *out, cli_span sizes)
{
    cli_walk walk;
    cli_span none, pair, parts[2];
    bool first = true;
    cli_text_put(out, ",\"sizes\":{");
    if (sizes.data != NULL && cli_walk_array(&walk, sizes)) {
        while (cli_walk_next(&walk, &none, &pair)) {
            cli_walk inner;
            if (!cli_walk_array(&inner, pair) ||
                !cli_walk_next(&inner, &none, &parts[0]) ||
                !cli_walk_next(&inner, &none, &parts[1]) ||
                parts[0].data[0] != '"' || has_surrogate(parts[0]))
                continue;
            cli_text_put(out, first ? "" : ",");
            cli_text_add(out, parts[0].data, parts[0].length);
            cli_text_put(out, ":");
            cli_text_add(out, parts[1].data, parts[1].length);
            first = false;
        }
    }
    cli_text_put(out, "}");
}

static size_t ask_score(cli_span vector, const char *path)
{
    static const cli_text nothing = {0};
    cli_span score, sizes = {NULL, 0};
    size_t count = sizeof score_options / sizeof *score_options;
    if (!cli_span_member(&score, vector, "score"))
        return 0;
    if (!cli_span_member(&sizes, vector, "buffer_sizes"))
        sizes.data = NULL;
    for (size_t i = 0; i < count; i++) {
        cli_text options = {0};
        cli_text_printf(&options, "{%s%s",
                        score.length < LARGE
                            ? EMIT
                            : "\"emit\":\"score,hbg,memory,liveness\"",
                        score_options[i]);
        put_sizes(&options, sizes);
        cli_text_put(&options, "}");
        agree("score", score, &options, &nothing, path);
        cli_text_free(&options);
    }
    return count;
}

/* --- Programs --- */

/* [[code, message, severity]] as an eligibility result. */
static void put_rejected(cli_text *out, cli_span reasons)
{
    static const char *const names[] = {
        "{\"code\":", ",\"message\":", ",\"severity\":"};
    cli_walk walk;
    cli_span none, reason, part;
    bool first = true;
    cli_text_put(out, "{\"eligible\":false,\"reason_details\":[");
    assert_true(cli_walk_array(&walk, reasons));
    while (cli_walk_next(&walk, &none, &reason)) {
        cli_walk inner;
        cli_text_put(out, first ? "" : ",");
        first = false;
        assert_true(cli_walk_array(&inner, reason));
        for (size_t i = 0; i < 3; i++) {
            assert_true(cli_walk_next(&inner, &none, &part));
            cli_text_put(out, names[i]);
            cli_text_add(out, part.data, part.length);
        }
        cli_text_put(out, "}");
    }
    cli_text_put(out, "]}");
}

static void put_expected(cli_text *out, cli_span answer)
{
    cli_span part;
    assert_true(cli_span_member(&part, answer, "eligible"));
    if (cli_span_is(part, "true")) {
        assert_true(cli_span_member(&part, answer, "score"));
        cli_text_add(out, part.data, part.length);
    } else {
        assert_true(cli_span_member(&part, answer, "reasons"));
        put_rejected(out, part);
    }
}

static size_t ask_program(cli_span vector, const char *field, const char *path)
{
    cli_span program, entry, answers, policy, answer;
    cli_walk walk;
    size_t count = 0;
    if (!cli_span_member(&program, vector, "ir") || has_surrogate(program) ||
        !cli_span_member(&answers, vector, field) ||
        !cli_walk_object(&walk, answers))
        return 0;
    bool has_entry =
        cli_span_member(&entry, vector, "entry_name") && entry.data[0] == '"';
    for (; cli_walk_next(&walk, &policy, &answer); count++) {
        cli_text options = {0}, expected = {0};
        cli_text_printf(&options, "{" EMIT ",\"policy\":\"%.*s\"%s",
                        (int)policy.length, policy.data,
                        strcmp(field, "static") == 0 ? "" : ",\"certified\":1");
        if (has_entry)
            cli_text_printf(&options, ",\"entry\":%.*s", (int)entry.length,
                            entry.data);
        cli_text_put(&options, "}");
        put_expected(&expected, answer);
        agree("ir", program, &options, &expected, path);
        cli_text_free(&options);
        cli_text_free(&expected);
    }
    return count;
}

/* Of all lines of a file; 0 when it is not there. */
static size_t ask_file(const char *path)
{
    size_t length = 0, count = 0;
    char *text = read_text(path, &length);
    for (char *at = text; at != NULL && at < text + length;) {
        char *end = strchr(at, '\n');
        size_t size = end == NULL ? strlen(at) : (size_t)(end - at);
        cli_span line = {at, size};
        at[size] = '\0';
        count += ask_score(line, path) + ask_program(line, "static", path) +
                 ask_program(line, "static_certified", path);
        at += size + 1;
    }
    free(text);
    return count;
}

static void own_vectors(void **state)
{
    (void)state;
    assert_in_range(ask_file(OWN "scores.jsonl"), 20, SIZE_MAX);
    assert_in_range(ask_file(OWN "large.jsonl"), 4, SIZE_MAX);
    assert_in_range(ask_file(OWN "ir.jsonl"), 4, SIZE_MAX);
}

/* Those of the reference. */
static void reference_vectors(void **state)
{
    (void)state;
    static const char *const names[] = {
        SHARED "scores.jsonl", SHARED "large.jsonl", SHARED "ir.jsonl"};
    test_needs(SHARED);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(ask_file(names[i]) > 0);
}

/* --- Dumps --- */

static void dumps(void **state)
{
    (void)state;
    static const char all[] =
        "{\"emit\":\"graph,score,handle,hbg,memory,liveness,conflicts\","
        "\"memory\":\"greedy_v0\",\"encodings\":1}";
    static const char *const asked[] = {"{}", "{\"rules\":\"conservative\"}",
                                        all};
    static const cli_text nothing = {0};
    glob_t paths;
    assert_int_equal(glob("corpus/programs/*.py", 0, NULL, &paths), 0);
    assert_in_range(paths.gl_pathc, 50, SIZE_MAX);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        size_t length = 0;
        char *text = read_text(paths.gl_pathv[i], &length);
        assert_non_null(text);
        for (size_t o = 0; o < sizeof asked / sizeof *asked; o++) {
            cli_text options = {0};
            cli_text_put(&options, asked[o]);
            agree("dump", (cli_span){text, length}, &options, &nothing,
                  paths.gl_pathv[i]);
            cli_text_free(&options);
        }
        free(text);
    }
    globfree(&paths);
}

/* --- Documents of any kind, as Scores --- */

/* What is no Score is refused by both, for the same reason. */
static void documents(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "corpus/gate/*.json", "corpus/regressions/*.json",
        "corpus/rules/*/*.json", "corpus/rules/*/*/*.json"};
    static const cli_text nothing = {0};
    cli_text options = {0};
    size_t count = 0;
    cli_text_put(&options, "{" EMIT "}");
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        glob_t paths;
        if (glob(patterns[p], 0, NULL, &paths) != 0)
            fail_msg("nothing is %s", patterns[p]);
        for (size_t i = 0; i < paths.gl_pathc; i++, count++) {
            size_t length = 0;
            char *text = read_text(paths.gl_pathv[i], &length);
            assert_non_null(text);
            agree("score", (cli_span){text, length}, &options, &nothing,
                  paths.gl_pathv[i]);
            free(text);
        }
        globfree(&paths);
    }
    assert_in_range(count, 100, SIZE_MAX);
    cli_text_free(&options);
}

/* --- Texts that are damaged --- */

/* Each byte left out, doubled, or the end: refused by both at one place. */
static void damaged(void **state)
{
    (void)state;
    static const char score[] =
        "{\"name\": \"s\", \"tasks\": [{\"task_id\": 0, \"func_id\": -1, "
        "\"core_type\": \"aic\",\n \"args\": [\"\\u00e9\", 1e5, null], "
        "\"arg_directions\": [\"Input\", \"Out\\nput\", \"Scalar\"]}],\n "
        "\"metadata\": {\"a\": [true, {}, -0.0, \"\xc3\xa9\"]}}";
    static const cli_text nothing = {0};
    cli_text options = {0};
    char text[2 * sizeof score];
    cli_text_put(&options, "{\"encodings\":1}");
    for (size_t i = 0; i < sizeof score - 1; i++) {
        if ((unsigned char)score[i] >= 0x80)
            continue; /* what is left is no UTF-8, which a request is */
        snprintf(text, sizeof text, "%.*s%s", (int)i, score, score + i + 1);
        agree("score", (cli_span){text, strlen(text)}, &options, &nothing,
              "left out");
        snprintf(text, sizeof text, "%.*s%s", (int)i + 1, score, score + i);
        agree("score", (cli_span){text, strlen(text)}, &options, &nothing,
              "doubled");
        agree("score", (cli_span){score, i}, &options, &nothing, "cut");
    }
    cli_text_free(&options);
}

/* --- As deep as a document may be --- */

/* The result that holds a Score is deeper than the Score, which may be full. */
static void deep(void **state)
{
    (void)state;
    static const cli_text nothing = {0};
    cli_text options = {0};
    cli_text_put(&options, "{" EMIT "}");
    for (int depth = 508; depth <= 511; depth++) {
        cli_text score = {0};
        cli_text_put(&score, "{\"name\":\"s\",\"metadata\":{\"a\":");
        for (int i = 0; i < depth; i++)
            cli_text_put(&score, "[");
        for (int i = 0; i < depth; i++)
            cli_text_put(&score, "]");
        cli_text_put(&score, "}}");
        agree("score", (cli_span){score.data, score.length}, &options, &nothing,
              "deep");
        cli_text_free(&score);
    }
    cli_text_free(&options);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_vectors), cmocka_unit_test(reference_vectors),
    cmocka_unit_test(dumps),       cmocka_unit_test(documents),
    cmocka_unit_test(damaged),     cmocka_unit_test(deep),
};

TEST_MAIN(tests)
