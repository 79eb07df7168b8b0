/*
 * The project's own corpus: every finding of every program under both rule
 * sets, judged in this process; each witness checked. What the command makes
 * of the corpus as a whole is in test_corpus_run.c.
 */
#include "../../scripts/testing/harness.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "corpus_answers.h"
#include "oracle/judge.h"
#include "sonata/dump.h"

#define FOLDER "corpus/programs/"

typedef struct judged {
    char *bundle;
    size_t length;
    oracle_judgement judgement;
} judged;

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    assert_true(feof(file) != 0 && ferror(file) == 0);
    text[*length] = '\0';
    (void)fclose(file);
    return text;
}

static char *read_program(const char *program, size_t *length)
{
    char path[256];
    (void)snprintf(path, sizeof path, FOLDER "%s", program);
    return read_file(path, length);
}

static void judge_program(judged *made, const char *program, const char *rules)
{
    size_t length;
    char *text = read_program(program, &length);
    sonata_error error = {0};
    sonata_dump_options options = {.rules = rules};
    sonata_status status = sonata_dump_plan(&made->bundle, &made->length, text,
                                            length, &options, &error);
    if (status != SONATA_OK)
        fail_msg("%s: %s, line %llu", program, error.message,
                 (unsigned long long)error.line);
    free(text);
    assert_int_equal(
        oracle_judge_text(&made->judgement, made->bundle, made->length, NULL),
        ORACLE_OK);
}

static void free_judged(judged *made)
{
    oracle_judgement_free(&made->judgement);
    free(made->bundle);
}

static bool same_text(const cJSON *object, const char *key, const char *text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (text == NULL)
        return item == NULL;
    return cJSON_IsString(item) && strcmp(item->valuestring, text) == 0;
}

/* `number` -1: the field must be absent. */
static bool same_number(const cJSON *object, const char *key, double number)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (number < 0)
        return item == NULL;
    return cJSON_IsNumber(item) && item->valuedouble == number;
}

static bool same_end(const cJSON *record, const char *side,
                     const corpus_end *end)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(record, side);
    if (end->name == NULL)
        return object == NULL;
    return same_text(object, "name", end->name) &&
           same_number(object, "line", end->line) &&
           same_number(object, "arg", end->arg);
}

static bool is_answer(const cJSON *record, const corpus_answer *answer)
{
    const cJSON *storage = cJSON_GetObjectItemCaseSensitive(record, "storage");
    bool where =
        answer->key == NULL
            ? storage == NULL
            : same_text(storage, "key", answer->key) &&
                  (answer->any_bytes ||
                   (same_number(storage, "begin", (double)answer->begin) &&
                    same_number(storage, "end", (double)answer->end)));
    return where && same_text(record, "rule", answer->rule) &&
           same_number(record, "count",
                       answer->times > 1 ? (double)answer->times : -1) &&
           same_text(record, "severity", answer->severity) &&
           same_text(record, "cause", answer->cause) &&
           same_end(record, "producer", &answer->producer) &&
           same_end(record, "consumer", &answer->consumer);
}

static size_t count_answers(const char *program, bool conservative)
{
    size_t count = 0;
    for (size_t i = 0; i < corpus_answer_count; i++)
        if (strcmp(corpus_answers[i].program, program) == 0 &&
            (!conservative || corpus_answers[i].conservative))
            count++;
    return count;
}

/* The answer that a record is, counted from 1; 0: none. */
static size_t find_answer(const char *program, const char *record,
                          bool conservative)
{
    cJSON *parsed = cJSON_Parse(record);
    assert_non_null(parsed);
    size_t found = 0;
    for (size_t i = 0; i < corpus_answer_count && found == 0; i++)
        if (strcmp(corpus_answers[i].program, program) == 0 &&
            (!conservative || corpus_answers[i].conservative) &&
            is_answer(parsed, &corpus_answers[i]))
            found = i + 1;
    cJSON_Delete(parsed);
    return found;
}

/*
 * Notes change no verdict; open pairs, and parts that are planned around,
 * alone leave it undecided.
 */
static oracle_verdict expected_verdict(const char *program, bool conservative)
{
    oracle_verdict verdict = ORACLE_CLEAN;
    for (size_t i = 0; i < corpus_undecided_count; i++)
        if (strcmp(corpus_undecided[i], program) == 0)
            verdict = ORACLE_UNDECIDED;
    for (size_t i = 0; i < corpus_answer_count; i++) {
        const corpus_answer *answer = &corpus_answers[i];
        if (strcmp(answer->program, program) != 0 ||
            (conservative && !answer->conservative) ||
            strcmp(answer->severity, "note") == 0)
            continue;
        bool open = strcmp(answer->rule, "hazard.unknown-access") == 0;
        if (!open)
            verdict = ORACLE_FINDINGS;
        else if (verdict == ORACLE_CLEAN)
            verdict = ORACLE_UNDECIDED;
    }
    return verdict;
}

/* What an edge costs (`edge.*`, notes) is no part of the answers. */
static bool is_cost(const char *record)
{
    return strstr(record, "\"rule\":\"edge.") != NULL &&
           strstr(record, "\"severity\":\"note\"") != NULL;
}

static size_t check_program(const char *program, bool conservative)
{
    const char *rules = conservative ? "conservative" : "tensormap";
    judged made;
    judge_program(&made, program, rules);
    const oracle_judgement *judgement = &made.judgement;
    size_t wrong = 0, count = 0;
    bool *seen = calloc(corpus_answer_count + 1, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < judgement->count; i++) {
        const char *record = judgement->findings[i].json;
        if (is_cost(record))
            continue;
        count++;
        size_t answer = find_answer(program, record, conservative);
        if (answer == 0 || seen[answer]) {
            print_error("%s, %s: not expected: %s\n", program, rules, record);
            wrong++;
        }
        seen[answer] = true;
    }
    size_t expected = count_answers(program, conservative);
    if (count != expected) {
        print_error("%s, %s: %zu findings, expected %zu\n", program, rules,
                    count, expected);
        wrong++;
    }
    if (judgement->verdict != expected_verdict(program, conservative)) {
        print_error("%s, %s: verdict %d\n", program, rules,
                    (int)judgement->verdict);
        wrong++;
    }
    free(seen);
    free_judged(&made);
    return wrong;
}

static void check_all(bool conservative)
{
    size_t wrong = 0;
    for (size_t i = 0; i < corpus_program_count; i++)
        wrong += check_program(corpus_programs[i], conservative);
    assert_int_equal(wrong, 0);
}

static void answers_under_tensormap(void **state)
{
    (void)state;
    check_all(false);
}

static void answers_under_conservative(void **state)
{
    (void)state;
    check_all(true);
}

static size_t check_witnesses(const char *program)
{
    judged made;
    judge_program(&made, program, "tensormap");
    oracle_document document;
    oracle_error error = {0};
    assert_int_equal(
        oracle_document_read(&document, made.bundle, made.length, NULL, &error),
        ORACLE_OK);
    assert_int_equal(oracle_document_derive(&document, &error), ORACLE_OK);
    size_t checked = 0;
    for (uint32_t i = 0; i < made.judgement.count; i++) {
        const oracle_finding *finding = &made.judgement.findings[i];
        char reason[160] = "";
        if (finding->severity != ORACLE_ERROR)
            continue;
        checked++;
        if (!oracle_witness_check(&document, finding->json, reason,
                                  sizeof reason))
            fail_msg("%s: %s: %s", program, reason, finding->json);
    }
    oracle_document_free(&document);
    free_judged(&made);
    return checked;
}

static void each_error_has_a_witness_that_holds(void **state)
{
    (void)state;
    size_t checked = 0, errors = 0;
    for (size_t i = 0; i < corpus_program_count; i++)
        checked += check_witnesses(corpus_programs[i]);
    for (size_t i = 0; i < corpus_answer_count; i++)
        if (strcmp(corpus_answers[i].severity, "error") == 0)
            errors++;
    assert_int_equal(checked, errors);
}

/* The record without what may differ between two layouts of one program. */
static char *record_without_layout(const char *text)
{
    cJSON *record = cJSON_Parse(text);
    assert_non_null(record);
    cJSON_DeleteItemFromObjectCaseSensitive(record, "case");
    const char *sides[] = {"producer", "consumer"};
    for (size_t i = 0; i < 2; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(
            cJSON_GetObjectItemCaseSensitive(record, sides[i]), "line");
    cJSON_DeleteItemFromObjectCaseSensitive(record, "line");
    cJSON_DeleteItemFromObjectCaseSensitive(record, "message");
    char *printed = cJSON_PrintUnformatted(record);
    cJSON_Delete(record);
    assert_non_null(printed);
    return printed;
}

static void check_layouts(const char *raw, const char *ruff, const char *rules)
{
    judged a, b;
    judge_program(&a, raw, rules);
    judge_program(&b, ruff, rules);
    assert_int_equal(a.judgement.count, b.judgement.count);
    assert_int_equal(a.judgement.verdict, b.judgement.verdict);
    for (uint32_t i = 0; i < a.judgement.count; i++) {
        char *x = record_without_layout(a.judgement.findings[i].json);
        char *y = record_without_layout(b.judgement.findings[i].json);
        assert_string_equal(x, y);
        cJSON_free(x);
        cJSON_free(y);
    }
    free_judged(&a);
    free_judged(&b);
}

static void both_layouts_give_the_same_findings(void **state)
{
    (void)state;
    const char *names[] = {"group_mixed", "predicate_stale", "waw_slices"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char raw[64], ruff[64];
        (void)snprintf(raw, sizeof raw, "%s.py", names[i]);
        (void)snprintf(ruff, sizeof ruff, "%s_ruff.py", names[i]);
        check_layouts(raw, ruff, "tensormap");
        check_layouts(raw, ruff, "conservative");
    }
}

static void twice_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus_program_count; i++) {
        judged a, b;
        judge_program(&a, corpus_programs[i], "tensormap");
        judge_program(&b, corpus_programs[i], "tensormap");
        assert_int_equal(a.length, b.length);
        assert_memory_equal(a.bundle, b.bundle, a.length);
        assert_int_equal(a.judgement.count, b.judgement.count);
        for (uint32_t k = 0; k < a.judgement.count; k++)
            assert_string_equal(a.judgement.findings[k].json,
                                b.judgement.findings[k].json);
        free_judged(&a);
        free_judged(&b);
    }
}

static const struct refusal {
    const char *path; /* relative to corpus */
    const char *code;
    uint64_t line; /* 0: any */
} refusals[] = {
    {"programs/while_loop.py", "doc.unsupported", 15},
    {"regressions/truncated.py", "doc.syntax", 0},
    {"regressions/unclosed_call.py", "doc.syntax", 0},
    {"regressions/ragged_indent.py", "doc.syntax", 25},
    {"regressions/unknown_callee.py", NULL, 25},
    {"regressions/short_directions.py", NULL, 25},
    {"regressions/tensor_as_scalar.py", "doc.unsupported", 11},
};

static void refusals_say_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *refusal = &refusals[i];
        char path[256];
        (void)snprintf(path, sizeof path, "corpus/%s", refusal->path);
        size_t length;
        char *text = read_file(path, &length);
        char *bundle = NULL;
        size_t bundle_length;
        sonata_error error = {0};
        sonata_status status = sonata_dump_plan(&bundle, &bundle_length, text,
                                                length, NULL, &error);
        if (status == SONATA_OK)
            fail_msg("%s was planned", path);
        if (refusal->code != NULL)
            assert_string_equal(error.code, refusal->code);
        if (refusal->line != 0)
            assert_int_equal(error.line, refusal->line);
        assert_true(error.line > 0 && error.column > 0);
        assert_true(error.message[0] != '\0');
        free(text);
    }
}

static bool is_known(const char *path)
{
    for (size_t i = 0; i < corpus_program_count; i++)
        if (strcmp(path + strlen(FOLDER), corpus_programs[i]) == 0)
            return true;
    return strcmp(path, FOLDER "while_loop.py") == 0;
}

static void no_program_is_without_an_answer(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(FOLDER "*.py", 0, NULL, &found), 0);
    assert_int_equal(glob(FOLDER "*/passes_dump/[1-9][0-9]_after_Simplify.py",
                          GLOB_APPEND, NULL, &found),
                     0);
    assert_int_equal(found.gl_pathc, corpus_program_count + 1);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!is_known(found.gl_pathv[i]))
            fail_msg("%s has no answer", found.gl_pathv[i]);
    globfree(&found);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_program_is_without_an_answer),
    cmocka_unit_test(answers_under_tensormap),
    cmocka_unit_test(answers_under_conservative),
    cmocka_unit_test(each_error_has_a_witness_that_holds),
    cmocka_unit_test(both_layouts_give_the_same_findings),
    cmocka_unit_test(twice_the_same_bytes),
    cmocka_unit_test(refusals_say_where),
};

TEST_MAIN(tests)
