#include "../../scripts/testing/harness.h"

#include "sonata/json.h"

#include "vectors.h"

#define VECTORS "../shared/vectors/sonata/scores.jsonl"
#define LARGE "../shared/vectors/sonata/large.jsonl"

/* A Score of our own making, with one of every kind of value. */
static const char sample[] =
    "{\"schema_version\":1,\"name\":\"caf\\u00e9\",\"runtime_target\":{"
    "\"runtime\":\"host_build_graph\",\"function_name\":\"build\","
    "\"aicpu_thread_num\":null,\"config_comment\":[\"a/b\"]},"
    "\"tasks\":[{\"task_id\":0,\"func_id\":0,\"core_type\":\"aiv\","
    "\"name\":null,\"args\":[\"x\",1,1.0,true,null,[1,{\"b\":2,\"a\":[]}],"
    "123456789012345678901234567890],\"arg_directions\":[],"
    "\"arg_storage_keys\":[]},{\"task_id\":1,\"func_id\":0,"
    "\"core_type\":\"mixed\",\"name\":\"k\",\"args\":[\"x\"],"
    "\"arg_directions\":[\"Input\"],\"arg_storage_keys\":[\"param:x\"]}],"
    "\"dependencies\":[{\"producer\":0,\"consumer\":1,\"kind\":\"data\"}],"
    "\"shape_assumptions\":[{\"symbol\":\"n\",\"dims\":[4,8]}],"
    "\"metadata\":{\"z\":1,\"a\":{\"c\":[],\"b\":{}}}}";

static void json_keeps_values_and_sorts_keys(void **state)
{
    (void)state;
    cJSON *tree = parse_kept(sample);
    sonata_score score = score_of(tree);
    char *json = NULL;
    size_t length = 0;
    assert_int_equal(sonata_score_json(&json, &length, &score, false, NULL),
                     SONATA_OK);
    assert_int_equal(length, strlen(json));
    assert_string_equal(
        json,
        "{\"dependencies\":[{\"consumer\":1,\"kind\":\"data\","
        "\"producer\":0}],\"metadata\":{\"a\":{\"b\":{},\"c\":[]},\"z\":1},"
        "\"name\":\"caf\\u00e9\",\"runtime_target\":{"
        "\"aicpu_thread_num\":null,\"config_comment\":[\"a/b\"],"
        "\"function_name\":\"build\",\"runtime\":\"host_build_graph\"},"
        "\"schema_version\":1,\"shape_assumptions\":[{\"dims\":[4,8],"
        "\"symbol\":\"n\"}],\"tasks\":[{\"arg_directions\":[],"
        "\"arg_storage_keys\":[],\"args\":[\"x\",1,1.0,true,null,"
        "[1,{\"a\":[],\"b\":2}],123456789012345678901234567890],"
        "\"core_type\":\"aiv\",\"func_id\":0,\"name\":null,\"task_id\":0},"
        "{\"arg_directions\":[\"Input\"],\"arg_storage_keys\":"
        "[\"param:x\"],\"args\":[\"x\"],\"core_type\":\"mixed\","
        "\"func_id\":0,\"name\":\"k\",\"task_id\":1}]}");
    free(json);
    sonata_score_free(&score);
    cJSON_Delete(tree);
}

static void fingerprint_of(char text[SONATA_FINGERPRINT_SIZE],
                           const sonata_score *score, bool metadata)
{
    assert_int_equal(sonata_score_fingerprint(text, score, metadata, NULL),
                     SONATA_OK);
    assert_int_equal(strlen(text), 64);
}

static void fingerprint_is_of_the_identity_alone(void **state)
{
    (void)state;
    char first[SONATA_FINGERPRINT_SIZE], second[SONATA_FINGERPRINT_SIZE];
    cJSON *tree = parse_kept(sample);
    sonata_score score = score_of(tree);
    fingerprint_of(first, &score, false);
    assert_string_equal(first, "e3b34bed3cfaed2be2a252dfad44a75d"
                               "47f9d4c13f272947a004070a4671a7e5");
    score.target = (sonata_target){0};
    score.metadata = SONATA_TEXT("{\"other\":2}");
    fingerprint_of(second, &score, false);
    assert_string_equal(first, second);
    fingerprint_of(first, &score, true);
    score.metadata = SONATA_TEXT("{\"other\":3}");
    fingerprint_of(second, &score, true);
    assert_string_not_equal(first, second);
    fingerprint_of(first, &score, false);
    score.tasks[0].args[1].text = SONATA_TEXT("1.0");
    fingerprint_of(second, &score, false);
    assert_string_not_equal(first, second);
    sonata_score_free(&score);
    cJSON_Delete(tree);
}

/* The reasons against a Score, one a line. */
static void expect_reasons(const sonata_score *score, const char *expected)
{
    sonata_reasons reasons = {0};
    assert_int_equal(sonata_score_validate(&reasons, score, NULL), SONATA_OK);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < reasons.count; i++) {
        assert_string_equal(reasons.items[i].code, "score_validation_failed");
        assert_false(reasons.items[i].is_warning);
        fprintf(out, "%s\n", reasons.items[i].message.text);
    }
    fclose(out);
    assert_string_equal(text, expected);
    assert_int_equal(sonata_reasons_reject(&reasons), reasons.count > 0);
    free(text);
    sonata_reasons_free(&reasons);
}

static void valid_score_has_no_reasons(void **state)
{
    (void)state;
    cJSON *tree = parse_kept(sample);
    sonata_score score = score_of(tree);
    expect_reasons(&score, "");
    sonata_score_free(&score);
    cJSON_Delete(tree);
}

static void every_reason_in_order(void **state)
{
    (void)state;
    sonata_value args[2] = {0};
    sonata_text directions[1] = {SONATA_TEXT("Input")};
    sonata_task tasks[] = {
        {.id = -3, .func_id = -1, .core_type = SONATA_TEXT("AIC")},
        {.id = 2,
         .core_type = SONATA_TEXT("aic"),
         .args = args,
         .arg_count = 2,
         .directions = directions,
         .direction_count = 1,
         .keys = args,
         .key_count = 1},
        {.id = 2, .core_type = SONATA_TEXT("mixed")},
    };
    sonata_dependency edges[] = {{9, 9, SONATA_TEXT("any")},
                                 {2, -3, SONATA_TEXT("war")},
                                 {-3, 2, SONATA_TEXT("data")},
                                 {2, 2, SONATA_TEXT("data")}};
    sonata_value dims[] = {{SONATA_INT, SONATA_TEXT("-1")},
                           {SONATA_FLOAT, SONATA_TEXT("1.0")},
                           {SONATA_INT, SONATA_TEXT("0")},
                           {SONATA_INT, SONATA_TEXT("-2")},
                           {SONATA_BOOL, SONATA_TEXT("true")}};
    sonata_shape shapes[] = {{SONATA_TEXT(""), dims, 5},
                             {SONATA_TEXT("s"), dims, 5},
                             {SONATA_TEXT("s"), dims, 5},
                             {SONATA_TEXT(""), NULL, 0}};
    sonata_score score = {.name = SONATA_TEXT(""),
                          .tasks = tasks,
                          .task_count = 3,
                          .dependencies = edges,
                          .dependency_count = 4,
                          .shapes = shapes,
                          .shape_count = 4};
    expect_reasons(
        &score, "score name must not be empty\n"
                "task ids must be unique\n"
                "task id must be non-negative: -3\n"
                "task -3 func_id must be non-negative\n"
                "task -3 has unsupported core_type: AIC\n"
                "task 2 arg_directions size 1 does not match args size 2\n"
                "task 2 arg_storage_keys size 1 does not match args size 2\n"
                "dependency producer is unknown: 9\n"
                "dependency consumer is unknown: 9\n"
                "dependency cannot be a self-edge: 9\n"
                "dependency cannot be a self-edge: 2\n"
                "dependency graph must be acyclic, found cycle: -3 -> 2 -> -3\n"
                "shape assumption symbol must not be empty\n"
                "shape assumption s has negative dimension\n"
                "shape assumption s has non-integer dimension\n"
                "shape assumption s has zero dimension\n"
                "shape assumption symbol must be unique: s\n"
                "shape assumption symbol must be unique: <empty>\n");
}

static sonata_score chain(size_t count, size_t edges)
{
    sonata_score score = {.name = SONATA_TEXT("chain"),
                          .task_count = count,
                          .dependency_count = edges};
    score.tasks = calloc(count, sizeof *score.tasks);
    score.dependencies = calloc(edges, sizeof *score.dependencies);
    assert_non_null(score.tasks);
    assert_non_null(score.dependencies);
    for (size_t i = 0; i < count; i++) {
        score.tasks[i].id = (int64_t)i;
        score.tasks[i].core_type = SONATA_TEXT("aiv");
    }
    for (size_t i = 0; i < edges; i++)
        score.dependencies[i] = (sonata_dependency){
            (int64_t)i, (int64_t)((i + 1) % count), SONATA_TEXT("data")};
    return score;
}

static void chain_of_a_million_validates(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    sonata_score score = chain(COUNT, COUNT - 1);
    expect_reasons(&score, "");
    free(score.tasks);
    free(score.dependencies);
}

static void long_cycle_is_found(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    sonata_score score = chain(COUNT, COUNT);
    sonata_reasons reasons = {0};
    assert_int_equal(sonata_score_validate(&reasons, &score, NULL), SONATA_OK);
    assert_int_equal(reasons.count, 1);
    assert_non_null(
        strstr(reasons.items[0].message.text, "cycle: 0 -> 1 -> 2 -> 3 -> "));
    assert_non_null(strstr(reasons.items[0].message.text, " -> 199999 -> 0"));
    sonata_reasons_free(&reasons);
    free(score.tasks);
    free(score.dependencies);
}

static const char *answer_text(const sonata_doc *doc, const sonata_node *answer,
                               const char *name)
{
    const char *text =
        sonata_node_text(doc, sonata_node_get(doc, answer, name)).text;
    assert_non_null(text);
    return text;
}

static bool same_fingerprints(const sonata_score *score, const sonata_doc *doc,
                              const sonata_node *answer)
{
    char plain[SONATA_FINGERPRINT_SIZE], full[SONATA_FINGERPRINT_SIZE];
    fingerprint_of(plain, score, false);
    fingerprint_of(full, score, true);
    return strcmp(plain, answer_text(doc, answer, "fingerprint")) == 0 &&
           strcmp(full,
                  answer_text(doc, answer, "fingerprint_with_metadata")) == 0;
}

static bool same_document(const sonata_score *score, const sonata_doc *doc,
                          const sonata_node *answer)
{
    char *json = NULL;
    size_t length = 0;
    char hash[65];
    assert_int_equal(sonata_score_json(&json, &length, score, true, NULL),
                     SONATA_OK);
    sha256_text(hash, json, length);
    free(json);
    return strcmp(hash, answer_text(doc, answer, "score_json_sha256")) == 0;
}

static bool same_validation(const sonata_score *score, const sonata_doc *doc,
                            const sonata_node *answer)
{
    const sonata_node *expected = sonata_node_get(doc, answer, "validate");
    sonata_reasons reasons = {0};
    assert_int_equal(sonata_score_validate(&reasons, score, NULL), SONATA_OK);
    const sonata_node *wanted =
        sonata_node_first(sonata_node_get(doc, expected, "reasons"));
    size_t at = 0;
    for (; wanted != NULL && at < reasons.count;
         wanted = sonata_node_next(wanted), at++) {
        sonata_text text = sonata_node_text(doc, wanted);
        if (text.length != reasons.items[at].message.length ||
            memcmp(text.text, reasons.items[at].message.text, text.length) != 0)
            break;
    }
    bool same =
        wanted == NULL && at == reasons.count &&
        sonata_node_is_true(sonata_node_get(doc, expected, "eligible")) ==
            !sonata_reasons_reject(&reasons);
    sonata_reasons_free(&reasons);
    return same;
}

typedef struct tally {
    int cases, refused, fingerprints, documents, validated;
} tally;

static void compare_line(tally *t, const char *line, size_t length)
{
    sonata_doc *doc = NULL;
    sonata_score score;
    if (sonata_doc_read(&doc, line, length, NULL) != SONATA_OK) {
        assert_non_null(strstr(line, "\\ud")); /* a lone surrogate */
        t->refused++;
        return;
    }
    const sonata_node *answer = sonata_doc_root(doc);
    assert_int_equal(
        sonata_score_from_node(
            &score, doc, sonata_node_get(doc, answer, "score"), NULL, NULL),
        SONATA_OK);
    bool good[3] = {same_fingerprints(&score, doc, answer),
                    same_document(&score, doc, answer),
                    same_validation(&score, doc, answer)};
    t->cases++;
    t->fingerprints += good[0];
    t->documents += good[1];
    t->validated += good[2];
    if (!good[0] || !good[1] || !good[2])
        print_message("differs: %s %d %d %d\n", answer_text(doc, answer, "id"),
                      good[0], good[1], good[2]);
    sonata_score_free(&score);
    sonata_doc_free(doc);
}

/* Reference answers: fingerprints, the document, validation. */
static void compare_scores(const char *path)
{
    test_needs(path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    tally t = {0};
    while ((length = getline(&line, &room, file)) > 0)
        compare_line(&t, line, (size_t)length);
    free(line);
    fclose(file);
    print_message("of %d: fingerprints %d, documents %d, validation %d; "
                  "%d refused\n",
                  t.cases, t.fingerprints, t.documents, t.validated, t.refused);
    assert_true(t.cases > 0);
    assert_int_equal(t.fingerprints, t.cases);
    assert_int_equal(t.documents, t.cases);
    assert_int_equal(t.validated, t.cases);
}

static void reference_scores(void **state)
{
    (void)state;
    compare_scores(VECTORS);
}

static void reference_large(void **state)
{
    (void)state;
    compare_scores(LARGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(json_keeps_values_and_sorts_keys),
    cmocka_unit_test(fingerprint_is_of_the_identity_alone),
    cmocka_unit_test(valid_score_has_no_reasons),
    cmocka_unit_test(every_reason_in_order),
    cmocka_unit_test(chain_of_a_million_validates),
    cmocka_unit_test(long_cycle_is_found),
    cmocka_unit_test(reference_scores),
    cmocka_unit_test(reference_large),
};

TEST_MAIN(tests)
