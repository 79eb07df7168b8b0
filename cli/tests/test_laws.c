/* The laws of Sonata, on generated Scores: planner and oracle together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "laws.h"
#include "sonata/graph.h"
#include "sonata/json.h"

#define VECTORS "../shared/vectors/sonata/"

static void fingerprint(char text[SONATA_FINGERPRINT_SIZE],
                        const sonata_score *score, bool metadata)
{
    assert_int_equal(sonata_score_fingerprint(text, score, metadata, NULL),
                     SONATA_OK);
}

/* --- The fingerprint --- */

static void expect_same(const sonata_score *score, const char *before)
{
    char now[SONATA_FINGERPRINT_SIZE];
    fingerprint(now, score, false);
    assert_string_equal(now, before);
}

static void expect_other(const sonata_score *score, const char *before)
{
    char now[SONATA_FINGERPRINT_SIZE];
    fingerprint(now, score, false);
    assert_string_not_equal(now, before);
}

static void fingerprint_ignores_target_and_metadata(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        laws_score s;
        char plain[SONATA_FINGERPRINT_SIZE], full[SONATA_FINGERPRINT_SIZE],
            other[SONATA_FINGERPRINT_SIZE];
        laws_generate(&s, seed, false);
        fingerprint(plain, &s.score, false);
        fingerprint(full, &s.score, true);
        assert_string_not_equal(plain, full);
        s.score.target.runtime = SONATA_TEXT("another");
        s.score.target.function_name = SONATA_TEXT("f");
        s.score.target.thread_num = (sonata_value){SONATA_NULL, {NULL, 0}};
        s.score.target.comment_count = 0;
        expect_same(&s.score, plain);
        fingerprint(other, &s.score, true);
        assert_string_equal(other, full);
        s.score.metadata = SONATA_TEXT("{}");
        expect_same(&s.score, plain);
        fingerprint(other, &s.score, true);
        assert_string_not_equal(other, full);
    }
}

/* Changes a field, looks, and puts it back. */
#define EXPECT_OTHER(field, value)                                             \
    do {                                                                       \
        __typeof__(field) kept = (field);                                      \
        (field) = (value);                                                     \
        expect_other(&s.score, plain);                                         \
        (field) = kept;                                                        \
        expect_same(&s.score, plain);                                          \
    } while (0)

static void fingerprint_changes_with_every_field(void **state)
{
    (void)state;
    static const sonata_text text = {"else", 4};
    static const sonata_value real = {SONATA_FLOAT, {"1.0", 3}};
    static const sonata_value whole = {SONATA_INT, {"1", 1}};
    for (uint64_t seed = 0; seed < 50; seed++) {
        laws_score s;
        char plain[SONATA_FINGERPRINT_SIZE];
        laws_generate(&s, 2 * seed + 1, true);
        sonata_dependency edges[2] = {{1, 2, SONATA_TEXT_INIT("data")},
                                      {2, 3, SONATA_TEXT_INIT("war")}};
        s.score.dependencies = edges;
        s.score.dependency_count = 2;
        size_t t = seed % s.score.task_count;
        s.args[t][0] = whole;
        fingerprint(plain, &s.score, false);
        EXPECT_OTHER(s.score.name, text);
        EXPECT_OTHER(s.tasks[t].id, s.tasks[t].id + 1);
        EXPECT_OTHER(s.tasks[t].func_id, s.tasks[t].func_id + 1);
        EXPECT_OTHER(s.tasks[t].core_type, text);
        EXPECT_OTHER(s.tasks[t].name, text);
        EXPECT_OTHER(s.tasks[t].name.text, NULL);
        EXPECT_OTHER(s.args[t][0], real);
        EXPECT_OTHER(s.directions[t][0], text);
        EXPECT_OTHER(s.keys[t][0], real);
        EXPECT_OTHER(s.tasks[t].arg_count, s.tasks[t].arg_count - 1);
        EXPECT_OTHER(s.tasks[t].direction_count, 0);
        EXPECT_OTHER(s.tasks[t].key_count, 0);
        EXPECT_OTHER(edges[0].producer, 9);
        EXPECT_OTHER(edges[0].consumer, 9);
        EXPECT_OTHER(edges[1].kind, text);
        EXPECT_OTHER(s.score.dependency_count, 1);
        EXPECT_OTHER(s.shape.symbol, text);
        EXPECT_OTHER(s.dims[1], real);
        EXPECT_OTHER(s.shape.dim_count, 1);
        EXPECT_OTHER(s.score.shape_count, 0);
        EXPECT_OTHER(s.score.task_count, s.score.task_count - 1);
    }
}

/* Order is identity, too, and so is the spelling of a direction. */
static void fingerprint_knows_order_and_spelling(void **state)
{
    (void)state;
    char plain[SONATA_FINGERPRINT_SIZE];
    laws_score s;
    laws_generate(&s, 5, true);
    sonata_dependency edges[3] = {{1, 2, SONATA_TEXT_INIT("data")},
                                  {2, 3, SONATA_TEXT_INIT("data")}};
    s.score.dependencies = edges;
    s.score.dependency_count = 2;
    s.score.task_count = 2;
    s.directions[0][0] = SONATA_TEXT("InOut");
    fingerprint(plain, &s.score, false);
    EXPECT_OTHER(s.directions[0][0], SONATA_TEXT("inout"));
    edges[2] = edges[0];
    s.score.dependencies = edges + 1;
    expect_other(&s.score, plain);
    s.score.dependencies = edges;
    sonata_task first = s.tasks[0];
    s.tasks[0] = s.tasks[1];
    s.tasks[1] = first;
    expect_other(&s.score, plain);
}

/* --- Plans without a hazard --- */

static void expect_no_hazard(uint64_t seed, const sonata_score *score,
                             const char *policy)
{
    static const char *const rules[] = {"hazard.raw", "hazard.waw",
                                        "hazard.war"};
    oracle_judgement judgement = {0};
    laws_judge(&judgement, score, NULL);
    for (uint32_t i = 0; i < judgement.count; i++)
        for (size_t r = 0; r < 3; r++)
            if (strcmp(judgement.findings[i].rule, rules[r]) == 0)
                fail_msg("seed %llu, %s: %s", (unsigned long long)seed, policy,
                         judgement.findings[i].message);
    oracle_judgement_free(&judgement);
}

static void sequential_plans_have_no_hazard(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        laws_score s;
        laws_generate(&s, seed, seed % 3 == 0);
        assert_int_equal(sonata_score_plan(&s.score, "sequential_v0", NULL),
                         SONATA_OK);
        expect_no_hazard(seed, &s.score, "sequential_v0");
        sonata_score_free(&s.score);
    }
}

static void dataflow_plans_have_no_hazard(void **state)
{
    (void)state;
    static const char *const policies[] = {"dataflow_v0", "mixed"};
    for (uint64_t seed = 0; seed < 600; seed++) {
        laws_score s;
        const char *policy = policies[seed % 5 == 0];
        laws_generate(&s, seed, true);
        assert_int_equal(sonata_score_plan(&s.score, policy, NULL), SONATA_OK);
        expect_no_hazard(seed, &s.score, policy);
        sonata_score_free(&s.score);
    }
}

/* The law could fail: without its edges a plan has hazards, and taking one
 * away that no path replaces makes one. */
static void a_missing_edge_is_a_hazard(void **state)
{
    (void)state;
    uint32_t hazards = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        laws_score s;
        oracle_judgement judgement = {0};
        laws_generate(&s, seed, true);
        laws_judge(&judgement, &s.score, NULL);
        hazards += laws_errors(&judgement, "hazard.") > 0;
        oracle_judgement_free(&judgement);
    }
    assert_in_range(hazards, 20, 60);
}

/* --- Declared edges --- */

static bool same_edges(const sonata_dependency *a, size_t a_count,
                       const sonata_dependency *b, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (a[i].producer != b[i].producer || a[i].consumer != b[i].consumer ||
            strcmp(a[i].kind.text, b[i].kind.text) != 0)
            return false;
    return true;
}

/* What a Score declares plays no part in what a policy infers. */
static void declared_edges_do_not_change_a_policy(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        laws_score s;
        sonata_dependency *first = NULL, *second = NULL;
        size_t first_count = 0, second_count = 0;
        laws_generate(&s, seed, true);
        assert_int_equal(sonata_plan_dependencies(&first, &first_count,
                                                  &s.score, "dataflow_v0",
                                                  NULL),
                         SONATA_OK);
        s.score.dependencies = first;
        s.score.dependency_count = first_count / 2;
        assert_int_equal(sonata_plan_dependencies(&second, &second_count,
                                                  &s.score, "dataflow_v0",
                                                  NULL),
                         SONATA_OK);
        assert_true(same_edges(first, first_count, second, second_count));
        free(first);
        free(second);
    }
}

enum { GRAPH_TASKS = 7 };

/* A generated task graph whose edges are still to be inferred. */
typedef struct graph {
    uint32_t tasks;
    uint32_t buffers[GRAPH_TASKS][2];
    uint32_t modes[GRAPH_TASKS][2];
    uint32_t deps[GRAPH_TASKS][GRAPH_TASKS]; /* ids, dep_count of them */
    uint32_t dep_count[GRAPH_TASKS];
    const char *rules;
} graph;

static void generate_graph(graph *g, uint64_t seed)
{
    uint64_t state = seed;
    memset(g, 0, sizeof *g);
    g->tasks = 2 + laws_random(&state, GRAPH_TASKS - 1);
    g->rules = laws_random(&state, 2) == 0 ? "tensormap" : "conservative";
    for (uint32_t t = 0; t < g->tasks; t++) {
        for (uint32_t i = 0; i < 2; i++) {
            g->buffers[t][i] = laws_random(&state, 4);
            g->modes[t][i] = t < 4 && i == 0 ? 1 : laws_random(&state, 3);
        }
        for (uint32_t d = 0; d < t; d++)
            if (laws_random(&state, 5) == 0)
                g->deps[t][g->dep_count[t]++] = d;
    }
}

static void print_task(FILE *out, const graph *g, uint32_t t)
{
    static const char *const modes[] = {"read", "write", "inout"};
    static const char *const dispatches[] = {"input", "output_existing",
                                             "inout"};
    fprintf(out, "%s{\"id\":%u,\"name\":\"t\",\"scope\":0,\"deps\":[",
            t > 0 ? "," : "", t);
    for (uint32_t d = 0; d < g->dep_count[t]; d++)
        fprintf(out, "%s{\"task\":%u}", d > 0 ? "," : "", g->deps[t][d]);
    fputs("],\"args\":[", out);
    for (uint32_t i = 0; i < 2; i++)
        fprintf(out,
                "%s{\"buffer\":\"%c\",\"dispatch\":\"%s\",\"access\":"
                "[{\"mode\":\"%s\",\"must\":true,\"exact\":true}]}",
                i > 0 ? "," : "", 'a' + (int)g->buffers[t][i],
                dispatches[g->modes[t][i]], modes[g->modes[t][i]]);
    fputs("]}", out);
}

static char *graph_text(const graph *g, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    assert_non_null(out);
    fprintf(out,
            "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
            "\"%s\",\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null}],"
            "\"buffers\":[",
            g->rules);
    for (int b = 0; b < 4; b++)
        fprintf(out, "%s{\"key\":\"%c\",\"bytes\":64,\"external\":%s}",
                b > 0 ? "," : "", 'a' + b, b == 3 ? "true" : "false");
    fputs("],\"tasks\":[", out);
    for (uint32_t t = 0; t < g->tasks; t++)
        print_task(out, g, t);
    fputs("]}", out);
    fclose(out);
    return text;
}

/* The wait set of each task: bit d of waits[t] when t waits for d. */
static void derive(const graph *g, uint32_t waits[GRAPH_TASKS])
{
    oracle_document document = {0};
    size_t length = 0;
    char *text = graph_text(g, &length);
    oracle_error error = {0};
    assert_int_equal(
        oracle_document_read(&document, text, length, NULL, &error), ORACLE_OK);
    assert_int_equal(oracle_document_derive(&document, &error), ORACLE_OK);
    memset(waits, 0, GRAPH_TASKS * sizeof *waits);
    for (uint32_t i = 0; i < document.edge_count; i++)
        waits[document.edges[i].to] |= 1u << document.edges[i].from;
    for (uint32_t t = 0; t < g->tasks; t++)
        for (uint32_t d = 0; d < g->dep_count[t]; d++)
            waits[t] |= 1u << g->deps[t][d];
    oracle_document_free(&document);
    free(text);
}

/* Everything that is said of a graph, but for what costs time only. */
static char *judge_graph(const graph *g)
{
    oracle_judgement judgement = {0};
    size_t length = 0, size = 0;
    char *text = graph_text(g, &length), *said = NULL;
    oracle_judge_options options = {0};
    assert_int_equal(oracle_judge_text(&judgement, text, length, &options),
                     ORACLE_OK);
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    fprintf(out, "verdict %d\n", (int)judgement.verdict);
    for (uint32_t i = 0; i < judgement.count; i++)
        if (judgement.findings[i].severity > ORACLE_NOTE)
            fprintf(out, "%s %s\n", judgement.findings[i].rule,
                    judgement.findings[i].message);
    fclose(out);
    oracle_judgement_free(&judgement);
    free(text);
    return said;
}

static void expect_equal_graphs(const graph *a, const graph *b)
{
    uint32_t x[GRAPH_TASKS], y[GRAPH_TASKS];
    char *first = judge_graph(a), *second = judge_graph(b);
    derive(a, x);
    derive(b, y);
    assert_memory_equal(x, y, sizeof x);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void declaring_an_inferred_edge_changes_nothing(void **state)
{
    (void)state;
    uint32_t declared = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        graph g, other;
        uint32_t waits[GRAPH_TASKS];
        generate_graph(&g, seed);
        derive(&g, waits);
        for (uint32_t t = 0; t < g.tasks; t++) {
            uint32_t known = 0;
            for (uint32_t d = 0; d < g.dep_count[t]; d++)
                known |= 1u << g.deps[t][d];
            for (uint32_t d = 0; d < t; d++) {
                if ((waits[t] & ~known & 1u << d) == 0)
                    continue;
                other = g;
                other.deps[t][other.dep_count[t]++] = d;
                expect_equal_graphs(&g, &other);
                declared++;
            }
        }
    }
    print_message("%u edges declared\n", declared);
    assert_true(declared > 400);
}

static void wait_set_does_not_depend_on_order(void **state)
{
    (void)state;
    uint32_t turned = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        graph g, other;
        generate_graph(&g, seed);
        other = g;
        for (uint32_t t = 0; t < g.tasks; t++)
            for (uint32_t d = 0; d < g.dep_count[t]; d++)
                other.deps[t][d] = g.deps[t][g.dep_count[t] - 1 - d];
        turned += memcmp(&g, &other, sizeof g) != 0;
        expect_equal_graphs(&g, &other);
    }
    assert_true(turned > 100);
}

/* --- The Score as a task graph --- */

/* What is said of hazards, with witness. */
static char *hazards_of(const oracle_judgement *judgement)
{
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    for (uint32_t i = 0; i < judgement->count; i++)
        if (strncmp(judgement->findings[i].rule, "hazard.", 7) == 0)
            fprintf(out, "%s\n", judgement->findings[i].json);
    fclose(out);
    return said;
}

/* The planner's graph of a Score is what the oracle makes of it by itself. */
static void graph_of_a_score(void **state)
{
    (void)state;
    static const char digest[] =
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    oracle_judge_options options = {.case_digest = digest};
    uint32_t told = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        laws_score s;
        char *texts[2] = {NULL, NULL}, *said[2] = {NULL, NULL};
        size_t lengths[2] = {0, 0};
        laws_generate(&s, seed, seed % 2 == 0);
        assert_int_equal(sonata_score_graph_json(&texts[0], &lengths[0],
                                                 &s.score, NULL, 0, false,
                                                 NULL),
                         SONATA_OK);
        assert_int_equal(
            sonata_score_json(&texts[1], &lengths[1], &s.score, false, NULL),
            SONATA_OK);
        for (int i = 0; i < 2; i++) {
            oracle_judgement judgement = {0};
            assert_int_equal(
                oracle_judge_text(&judgement, texts[i], lengths[i], &options),
                ORACLE_OK);
            assert_int_not_equal(judgement.verdict, ORACLE_REFUSED);
            said[i] = hazards_of(&judgement);
            oracle_judgement_free(&judgement);
        }
        assert_string_equal(said[0], said[1]);
        told += *said[0] != '\0';
        for (int i = 0; i < 2; i++) {
            free(texts[i]);
            free(said[i]);
        }
    }
    assert_true(told > 100);
}

/* --- Memory plans --- */

static void memory_of_generated_graphs(void **state)
{
    (void)state;
    laws_check_memory(0, 400);
}

static sonata_value value_of(const sonata_doc *doc, const sonata_node *node,
                             char **text)
{
    sonata_node_kind kind = sonata_node_kind_of(doc, node);
    size_t length = 0;
    *text = NULL;
    if (kind == SONATA_NODE_STRING)
        return (sonata_value){SONATA_STRING, sonata_node_text(doc, node)};
    assert_int_equal(sonata_node_json(text, &length, doc, node, false, NULL),
                     SONATA_OK);
    return (sonata_value){kind == SONATA_NODE_FLOAT  ? SONATA_FLOAT
                          : kind == SONATA_NODE_BOOL ? SONATA_BOOL
                                                     : SONATA_INT,
                          {*text, length}};
}

typedef struct tally {
    uint32_t plans, refused;
} tally;

/* greedy_dag on a Score with the sizes that the line gives. */
static void plan_score(tally *t, const sonata_doc *doc, sonata_score *score)
{
    const sonata_node *root = sonata_doc_root(doc);
    const sonata_node *list = sonata_node_get(doc, root, "buffer_sizes");
    size_t room = list == NULL ? 0 : sonata_node_count(list), count = 0;
    sonata_buffer_size *sizes = calloc(room + 1, sizeof *sizes);
    char **texts = calloc(room + 1, sizeof *texts);
    assert_non_null(sizes);
    assert_non_null(texts);
    const sonata_node *m = room == 0 ? NULL : sonata_node_first(list);
    for (; m != NULL; m = sonata_node_next(m), count++) {
        const sonata_node *key = sonata_node_first(m);
        sizes[count].key = value_of(doc, key, &texts[count]);
        assert_true(
            sonata_node_int(&sizes[count].bytes, doc, sonata_node_next(key)));
    }
    sonata_memory_plan plan;
    sonata_error error = {0};
    oracle_judgement judgement = {0};
    sonata_status status = sonata_plan_greedy_dag(
        &plan, NULL, score, sizes, count, SONATA_SHARE_ALLOC, &error);
    if (status != SONATA_OK) {
        assert_int_equal(status, SONATA_REJECTED);
        t->refused++;
    } else {
        laws_judge(&judgement, score, &plan);
        for (uint32_t i = 0; i < judgement.count; i++)
            if (judgement.findings[i].severity == ORACLE_ERROR &&
                strncmp(judgement.findings[i].rule, "memory.", 7) == 0)
                fail_msg("%s: %s: %s",
                         sonata_node_text(doc, sonata_node_get(doc, root, "id"))
                             .text,
                         judgement.findings[i].rule,
                         judgement.findings[i].message);
        oracle_judgement_free(&judgement);
        sonata_memory_plan_free(&plan);
        t->plans++;
    }
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
    free(sizes);
}

static void plan_line(tally *t, const char *line, size_t length)
{
    sonata_doc *doc = NULL;
    sonata_score score;
    if (sonata_doc_read(&doc, line, length, NULL) != SONATA_OK)
        return;
    const sonata_node *node =
        sonata_node_get(doc, sonata_doc_root(doc), "score");
    if (sonata_score_from_node(&score, doc, node, NULL, NULL) == SONATA_OK) {
        plan_score(t, doc, &score);
        sonata_score_free(&score);
    }
    sonata_doc_free(doc);
}

static void plan_file(tally *t, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    assert_non_null(file);
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;)
        plan_line(t, line, (size_t)length);
    free(line);
    fclose(file);
}

static void memory_of_vectors(void **state)
{
    (void)state;
    tally t = {0, 0};
    plan_file(&t, "corpus/vectors/scores.jsonl");
    assert_true(t.plans > 0);
    print_message("%u plans, %u Scores refused\n", t.plans, t.refused);
}

static void memory_of_reference(void **state)
{
    (void)state;
    tally t = {0, 0};
    test_needs(VECTORS);
    plan_file(&t, VECTORS "scores.jsonl");
    plan_file(&t, VECTORS "large.jsonl");
    print_message("%u plans, %u Scores refused\n", t.plans, t.refused);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fingerprint_ignores_target_and_metadata),
    cmocka_unit_test(fingerprint_changes_with_every_field),
    cmocka_unit_test(fingerprint_knows_order_and_spelling),
    cmocka_unit_test(sequential_plans_have_no_hazard),
    cmocka_unit_test(dataflow_plans_have_no_hazard),
    cmocka_unit_test(a_missing_edge_is_a_hazard),
    cmocka_unit_test(declared_edges_do_not_change_a_policy),
    cmocka_unit_test(declaring_an_inferred_edge_changes_nothing),
    cmocka_unit_test(wait_set_does_not_depend_on_order),
    cmocka_unit_test(graph_of_a_score),
    cmocka_unit_test(memory_of_generated_graphs),
    cmocka_unit_test(memory_of_vectors),
    cmocka_unit_test(memory_of_reference),
};

TEST_MAIN(tests)
