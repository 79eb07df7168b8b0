#include "../../scripts/testing/harness.h"

#include "../deps/direction.h"
#include "vectors.h"

#define VECTORS "../shared/vectors/sonata/scores.jsonl"
#define LARGE "../shared/vectors/sonata/large.jsonl"

static sonata_direction direction(const char *text)
{
    return sonata_direction_of((sonata_text){text, strlen(text)});
}

static void direction_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        sonata_direction expected;
    } cases[] = {
        {"Input", SONATA_INPUT},
        {" in-PUT ", SONATA_INPUT},
        {"OutputExisting", SONATA_OUTPUT},
        {"output_existing", SONATA_OUTPUT},
        {"OUTPUT", SONATA_OUTPUT},
        {"In-Out", SONATA_INOUT},
        {"Scalar", SONATA_SCALAR},
        {"NO-DEP", SONATA_NODEP},
        {"", SONATA_DIRECTION_UNKNOWN},
        {"input2", SONATA_DIRECTION_UNKNOWN},
        {"outputexistingly", SONATA_DIRECTION_UNKNOWN},
        {"in\xe2\x80\x8bput", SONATA_INPUT},        /* zero-width space */
        {"\xc4\xb0nput", SONATA_INPUT},             /* I with a dot */
        {"inpu\xcc\x81t", SONATA_INPUT},            /* combining acute */
        {"\xc3\x8fnput", SONATA_DIRECTION_UNKNOWN}, /* I with diaeresis */
        {"input\xc2\xb2", SONATA_DIRECTION_UNKNOWN},
        {"\xef\xbc\xa9nput", SONATA_DIRECTION_UNKNOWN}, /* full-width I */
        {"input\xff", SONATA_DIRECTION_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(direction(cases[i].text), cases[i].expected);
}

/* "0>1 data, 1>2 war" for the edges of a policy. */
static char *edges_text(const sonata_score *score, const char *policy)
{
    sonata_dependency *edges = NULL;
    size_t count = 0;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, score, policy, NULL),
        SONATA_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%lld>%lld %s", i == 0 ? "" : ", ",
                (long long)edges[i].producer, (long long)edges[i].consumer,
                edges[i].kind.text);
    fclose(out);
    free(edges);
    return text;
}

/*
 * Builds a Score from short lines: "id args directions keys", lists in JSON,
 * and compares the edges.
 */
static void expect_edges(const char *tasks, const char *policy,
                         const char *expected)
{
    sonata_score score = {.name = SONATA_TEXT("s")};
    score.memory = calloc(1, sizeof *score.memory);
    assert_non_null(score.memory);
    cJSON *list = parse_kept(tasks);
    assert_non_null(list);
    score.tasks = sonata_arena_array(
        score.memory, (size_t)cJSON_GetArraySize(list), sizeof *score.tasks);
    for (const cJSON *m = list->child; m != NULL; m = m->next) {
        sonata_task *task = &score.tasks[score.task_count++];
        const cJSON *id = m->child;
        task->id = int_of(id);
        task->args = values_of(score.memory, &task->arg_count, id->next);
        task->directions =
            texts_of(score.memory, &task->direction_count, id->next->next);
        if (id->next->next->next != NULL)
            task->keys =
                values_of(score.memory, &task->key_count, id->next->next->next);
    }
    char *text = edges_text(&score, policy);
    assert_string_equal(text, expected);
    free(text);
    sonata_score_free(&score);
    cJSON_Delete(list);
}

static void sequential_chains_all(void **state)
{
    (void)state;
    expect_edges("[]", "sequential_v0", "");
    expect_edges("[[7,[],[]],[3,[],[]],[3,[],[]]]", "sequential_v0",
                 "7>3 data, 3>3 data");
}

static void dataflow_kinds(void **state)
{
    (void)state;
    expect_edges("[[0,[\"a\"],[\"Output\"]],[1,[\"a\"],[\"Input\"]],"
                 "[2,[\"a\"],[\"Output\"]],[3,[\"a\"],[\"InOut\"]]]",
                 "dataflow_v0", "0>1 data, 0>2 storage, 1>2 war, 2>3 data");
    expect_edges("[]", "dataflow_v0", "");
}

/* The same task reads and writes one key through several arguments. */
static void dataflow_strongest_kind_wins(void **state)
{
    (void)state;
    expect_edges("[[0,[\"a\",\"b\"],[\"Output\",\"Input\"]],"
                 "[1,[\"b\",\"a\",\"a\"],[\"Output\",\"Output\",\"Input\"]]]",
                 "dataflow_v0", "0>1 data");
    expect_edges("[[0,[\"a\",\"b\"],[\"Output\",\"Input\"]],"
                 "[1,[\"b\",\"a\"],[\"Output\",\"Output\"]]]",
                 "dataflow_v0", "0>1 storage");
}

static void dataflow_ignores_scalar_and_nodep(void **state)
{
    (void)state;
    expect_edges("[[0,[\"a\"],[\"Output\"]],[1,[\"a\"],[\"NoDep\"]],"
                 "[2,[\"a\"],[\"Scalar\"]],[3,[\"a\"],[\"odd\"]],"
                 "[4,[[1]],[\"Scalar\"]]]",
                 "dataflow_v0", "");
}

/* Python's equality: 1, 1.0 and true are one key; "1" is not. */
static void access_keys_are_equal_as_in_python(void **state)
{
    (void)state;
    expect_edges("[[0,[1],[\"Output\"]],[1,[1.0],[\"Input\"]],"
                 "[2,[true],[\"Input\"]],[3,[\"1\"],[\"Input\"]],"
                 "[4,[null],[\"Output\"]],[5,[null],[\"Input\"]]]",
                 "dataflow_v0", "0>1 data, 0>2 data, 4>5 data");
    expect_edges("[[0,[-0.0],[\"Output\"]],[1,[false],[\"Input\"]],"
                 "[2,[10000000000000000000000],[\"Output\"]],"
                 "[3,[1e+22],[\"Input\"]],[4,[1.5],[\"Input\"]]]",
                 "dataflow_v0", "0>1 data, 2>3 data");
    expect_edges("[[0,[\"x\"],[\"Output\"],[\"param:a\"]],"
                 "[1,[\"param:a\"],[\"Input\"],[null]],"
                 "[2,[\"x\"],[\"Input\"]]]",
                 "dataflow_v0", "0>1 data");
}

static void dataflow_with_descending_and_repeated_ids(void **state)
{
    (void)state;
    expect_edges("[[9,[\"a\"],[\"Output\"]],[5,[\"a\"],[\"Input\"]],"
                 "[1,[\"a\"],[\"Input\"]]]",
                 "dataflow_v0", "9>1 data, 9>5 data");
    expect_edges("[[1,[\"a\"],[\"Output\"]],[2,[\"a\"],[\"Output\"]],"
                 "[1,[\"b\"],[\"Output\"]],[2,[\"b\"],[\"Input\"]],"
                 "[2,[\"a\"],[\"Input\"]]]",
                 "dataflow_v0", "1>2 data");
}

/* A plain model of dataflow_v0: small tables, no cleverness. */
#define MODEL_IDS 8
#define MODEL_KEYS 4
#define MODEL_TASKS 24

typedef struct model {
    int kind[MODEL_IDS][MODEL_IDS]; /* 3 data, 2 storage, 1 war, 0 none */
    int writer[MODEL_KEYS];         /* id, or -1 */
    bool reads[MODEL_KEYS][MODEL_IDS];
} model;

static void model_edge(model *m, int from, int to, int kind)
{
    if (from >= 0 && from != to && m->kind[from][to] < kind)
        m->kind[from][to] = kind;
}

static void model_task(model *m, int id, const bool *reads, const bool *writes)
{
    for (int k = 0; k < MODEL_KEYS; k++) {
        if (!reads[k])
            continue;
        model_edge(m, m->writer[k], id, 3);
        m->reads[k][id] = true;
    }
    for (int k = 0; k < MODEL_KEYS; k++) {
        if (!writes[k])
            continue;
        model_edge(m, m->writer[k], id, 2);
        for (int reader = 0; reader < MODEL_IDS; reader++)
            if (m->reads[k][reader])
                model_edge(m, reader, id, 1);
        m->writer[k] = id;
        memset(m->reads[k], 0, sizeof m->reads[k]);
    }
}

static char *model_text(const model *m)
{
    static const char *const names[] = {"", "war", "storage", "data"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int from = 0; from < MODEL_IDS; from++)
        for (int to = 0; to < MODEL_IDS; to++)
            if (m->kind[from][to] > 0)
                fprintf(out, "%s%d>%d %s", ftell(out) == 0 ? "" : ", ", from,
                        to, names[m->kind[from][to]]);
    fclose(out);
    return text;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Random arguments of one task, told to the model as well. */
static void random_task(sonata_task *task, sonata_value *args,
                        sonata_text *directions, model *m, uint32_t *seed)
{
    static const char *const keys[MODEL_KEYS] = {"a", "b", "c", "d"};
    static const char *const words[] = {"Input", "Output", "InOut", "NoDep"};
    bool reads[MODEL_KEYS] = {false}, writes[MODEL_KEYS] = {false};
    task->id = next_random(seed) % MODEL_IDS;
    task->arg_count = task->direction_count = 1 + next_random(seed) % 4;
    task->args = args;
    task->directions = directions;
    for (size_t i = 0; i < task->arg_count; i++) {
        uint32_t key = next_random(seed) % MODEL_KEYS;
        uint32_t word = next_random(seed) % 4;
        args[i] = (sonata_value){SONATA_STRING, {keys[key], 1}};
        directions[i] = (sonata_text){words[word], strlen(words[word])};
        reads[key] = reads[key] || word == 0 || word == 2;
        writes[key] = writes[key] || word == 1 || word == 2;
    }
    model_task(m, (int)task->id, reads, writes);
}

/* Ids in any order and repeated, several arguments on one key. */
static void dataflow_agrees_with_a_plain_model(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        sonata_task tasks[MODEL_TASKS] = {0};
        sonata_value args[MODEL_TASKS][4];
        sonata_text directions[MODEL_TASKS][4];
        model m = {.writer = {-1, -1, -1, -1}};
        size_t count = next_random(&seed) % MODEL_TASKS;
        for (size_t i = 0; i < count; i++)
            random_task(&tasks[i], args[i], directions[i], &m, &seed);
        sonata_score score = {.tasks = tasks, .task_count = count};
        char *found = edges_text(&score, "dataflow_v0");
        char *expected = model_text(&m);
        assert_string_equal(found, expected);
        free(found);
        free(expected);
    }
}

static void refusals_name_their_reason(void **state)
{
    (void)state;
    sonata_value arg = {SONATA_NESTED, SONATA_TEXT("[]")};
    sonata_text input = SONATA_TEXT("Input");
    sonata_task task = {.args = &arg, .arg_count = 1};
    sonata_score score = {.tasks = &task, .task_count = 1};
    sonata_dependency *edges = NULL;
    size_t count = 0;
    sonata_error error = {0};
    assert_string_equal(sonata_dataflow_fallback(&score),
                        "dataflow_directions_unavailable");
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, &score, "dataflow_v0", &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "dataflow_directions_unavailable");
    task.directions = &input;
    task.direction_count = 1;
    assert_null(sonata_dataflow_fallback(&score));
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, &score, "dataflow_v0", &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "policy.access-key");
    sonata_value keys[2] = {0};
    task.keys = keys;
    task.key_count = 2;
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, &score, "dataflow_v0", &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "policy.storage-keys");
    task.arg_count = 0;
    assert_string_equal(sonata_dataflow_fallback(&score),
                        "dataflow_directions_incomplete");
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, &score, "best", &error),
        SONATA_UNSUPPORTED);
    assert_null(edges);
}

/* "0>1 data" for the policy mixed with a set of side-effect tasks. */
static char *mixed_text(const sonata_score *score, const int64_t *ids,
                        size_t count)
{
    sonata_dependency *edges = NULL;
    size_t edge_count = 0;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(
        sonata_plan_mixed(&edges, &edge_count, score, ids, count, NULL),
        SONATA_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < edge_count; i++)
        fprintf(out, "%s%lld>%lld %s", i == 0 ? "" : ", ",
                (long long)edges[i].producer, (long long)edges[i].consumer,
                edges[i].kind.text);
    fclose(out);
    free(edges);
    return text;
}

/* Four tasks, the first and the third joined by data; ids as given. */
static void expect_mixed(const int64_t task_ids[4], const int64_t *ids,
                         size_t count, const char *expected)
{
    sonata_text output = SONATA_TEXT("Output"), input = SONATA_TEXT("Input");
    sonata_value a = {SONATA_STRING, SONATA_TEXT("a")};
    sonata_value b = {SONATA_STRING, SONATA_TEXT("b")};
    sonata_task tasks[4] = {
        {.args = &a, .directions = &output},
        {.args = &b, .directions = &input},
        {.args = &a, .directions = &input},
        {.args = &b, .directions = &input},
    };
    for (size_t i = 0; i < 4; i++) {
        tasks[i].id = task_ids[i];
        tasks[i].arg_count = tasks[i].direction_count = 1;
    }
    sonata_score score = {.tasks = tasks, .task_count = 4};
    char *text = mixed_text(&score, ids, count);
    assert_string_equal(text, expected);
    free(text);
}

static void mixed_chains_side_effects(void **state)
{
    (void)state;
    const int64_t ids[] = {0, 1, 2, 3}, odd[] = {7, 3, 1, 3};
    const int64_t ends[] = {2, 0}, none[] = {0};
    expect_mixed(ids, NULL, 0,
                 "0>2 data, 0>1 ordering, 1>2 ordering, 2>3 ordering");
    expect_mixed(ids, none, 0, "0>2 data");
    expect_mixed(ids, odd, 4, "0>2 data, 1>3 ordering");
    expect_mixed(ids, ends, 2, "0>2 data");
    /* Repeated ids: a self-edge, and edges again. */
    const int64_t twice[] = {0, 0, 1, 1};
    expect_mixed(twice, NULL, 0, "0>1 data, 0>0 ordering, 1>1 ordering");
    const int64_t around[] = {4, 5, 4, 5};
    expect_mixed(around, NULL, 0, "4>5 ordering, 5>4 ordering, 4>5 ordering");
    /* A data edge the other way round does not count. */
    const int64_t back[] = {3, 2, 1, 0};
    expect_mixed(back, ends, 1, "3>1 data");
    expect_mixed(back, NULL, 0,
                 "3>1 data, 3>2 ordering, 2>1 ordering, 1>0 ordering");
}

static void mixed_refuses_what_dataflow_does(void **state)
{
    (void)state;
    sonata_value arg = {SONATA_STRING, SONATA_TEXT("a")};
    sonata_task task = {.args = &arg, .arg_count = 1};
    sonata_score score = {.tasks = &task, .task_count = 1};
    sonata_dependency *edges = NULL;
    size_t count = 0;
    sonata_error error = {0};
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, &score, "mixed", &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "dataflow_directions_unavailable");
    assert_int_equal(
        sonata_plan_mixed(&edges, &count, &score, &task.id, 1, &error),
        SONATA_REJECTED);
    assert_null(edges);
    score.task_count = 0;
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, &score, "mixed", &error),
        SONATA_OK);
    assert_int_equal(count, 0);
    free(edges);
}

/* Edges against a reference list of [producer, consumer, kind], or an error. */
static bool same_list(sonata_status status, sonata_dependency *edges,
                      size_t count, const cJSON *expected)
{
    if (cJSON_IsObject(expected))
        return status == SONATA_REJECTED;
    if (status != SONATA_OK)
        return false;
    size_t at = 0;
    bool same = true;
    for (const cJSON *m = expected->child; m != NULL && same; m = m->next) {
        same =
            at < count && int_of(m->child) == edges[at].producer &&
            int_of(m->child->next) == edges[at].consumer &&
            strcmp(m->child->next->next->valuestring, edges[at].kind.text) == 0;
        at++;
    }
    free(edges);
    return same && at == count;
}

static bool same_edges(const sonata_score *score, const char *policy,
                       const cJSON *expected)
{
    sonata_dependency *edges = NULL;
    size_t count = 0;
    sonata_status status =
        sonata_plan_dependencies(&edges, &count, score, policy, NULL);
    return same_list(status, edges, count, expected);
}

static bool same_mixed(const sonata_score *score, const cJSON *answer)
{
    const cJSON *effects = field(answer, "mixed_deps_side_effects");
    const cJSON *list = field(effects, "side_effect_tasks");
    size_t id_count = 0;
    int64_t *ids = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *ids);
    assert_non_null(ids);
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        ids[id_count++] = int_of(m);
    sonata_dependency *edges = NULL;
    size_t count = 0;
    sonata_status status =
        sonata_plan_mixed(&edges, &count, score, ids, id_count, NULL);
    bool same = same_list(status, edges, count, field(effects, "deps"));
    free(ids);
    return same && same_edges(score, "mixed", field(answer, "mixed_deps"));
}

static bool same_fallback(const sonata_score *score, const cJSON *expected)
{
    const char *code = sonata_dataflow_fallback(score);
    if (cJSON_IsNull(expected) || code == NULL)
        return cJSON_IsNull(expected) && code == NULL;
    return strcmp(code, expected->valuestring) == 0;
}

/* Reference answers: both policies and the fallback code. */
static void reference_policies(void **state)
{
    (void)state;
    test_needs(VECTORS);
    FILE *file = fopen(VECTORS, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t room = 0;
    int cases = 0, apart = 0, chains = 0, flows = 0, codes = 0, mixed = 0;
    while (getline(&line, &room, file) > 0) {
        cJSON *answer = parse_kept(line);
        if (answer == NULL || strstr(line, "\\u0000") != NULL) {
            apart++;
            cJSON_Delete(answer);
            continue;
        }
        sonata_score score = score_of(field(answer, "score"));
        cases++;
        chains += same_edges(&score, "sequential_v0",
                             field(answer, "sequential_deps"));
        bool flow =
            same_edges(&score, "dataflow_v0", field(answer, "dataflow_deps"));
        flows += flow;
        mixed += same_mixed(&score, answer);
        codes += same_fallback(&score, field(answer, "dataflow_fallback_code"));
        if (!flow)
            print_message("differs: %s\n", field(answer, "id")->valuestring);
        sonata_score_free(&score);
        cJSON_Delete(answer);
    }
    free(line);
    fclose(file);
    print_message("of %d: sequential %d, dataflow %d, mixed %d, fallback %d; "
                  "%d apart\n",
                  cases, chains, flows, mixed, codes, apart);
    assert_true(cases > 0);
    assert_int_equal(chains, cases);
    assert_int_equal(flows, cases);
    assert_int_equal(mixed, cases);
    assert_int_equal(codes, cases);
}

/* SHA-256 of the edges as a compact list of [producer, consumer, kind]. */
static bool same_hash(const sonata_score *score, const char *policy,
                      const cJSON *expected)
{
    sonata_dependency *edges = NULL;
    size_t count = 0;
    size_t length = 0;
    char hash[65];
    assert_int_equal(
        sonata_plan_dependencies(&edges, &count, score, policy, NULL),
        SONATA_OK);
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_json_array(&w);
    for (size_t i = 0; i < count; i++) {
        sonata_json_array(&w);
        sonata_json_int(&w, edges[i].producer);
        sonata_json_int(&w, edges[i].consumer);
        sonata_json_string(&w, edges[i].kind.text);
        sonata_json_end_array(&w);
    }
    sonata_json_end_array(&w);
    free(edges);
    char *json = sonata_json_take(&w, &length);
    sha256_text(hash, json, length);
    free(json);
    return strcmp(hash, expected->valuestring) == 0;
}

/* The large reference graphs, whose edges are given as a hash. */
static void reference_large(void **state)
{
    (void)state;
    test_needs(LARGE);
    FILE *file = fopen(LARGE, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t room = 0;
    int cases = 0;
    while (getline(&line, &room, file) > 0) {
        cJSON *answer = parse_kept(line);
        sonata_score score = score_of(field(answer, "score"));
        assert_true(same_hash(&score, "sequential_v0",
                              field(answer, "sequential_deps_sha256")));
        assert_true(same_hash(&score, "dataflow_v0",
                              field(answer, "dataflow_deps_sha256")));
        assert_true(
            same_hash(&score, "mixed", field(answer, "mixed_deps_sha256")));
        sonata_score_free(&score);
        cJSON_Delete(answer);
        cases++;
    }
    free(line);
    fclose(file);
    assert_true(cases > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(direction_spellings),
    cmocka_unit_test(sequential_chains_all),
    cmocka_unit_test(dataflow_kinds),
    cmocka_unit_test(dataflow_strongest_kind_wins),
    cmocka_unit_test(dataflow_ignores_scalar_and_nodep),
    cmocka_unit_test(access_keys_are_equal_as_in_python),
    cmocka_unit_test(dataflow_with_descending_and_repeated_ids),
    cmocka_unit_test(dataflow_agrees_with_a_plain_model),
    cmocka_unit_test(mixed_chains_side_effects),
    cmocka_unit_test(mixed_refuses_what_dataflow_does),
    cmocka_unit_test(refusals_name_their_reason),
    cmocka_unit_test(reference_policies),
    cmocka_unit_test(reference_large),
};

TEST_MAIN(tests)
