/*
 * Answers of another implementation: fingerprints, reasons, handles, plans.
 * What is right is accepted, what was changed is found. Without the vectors
 * the case of our own below is read in the same way.
 */
#include "../../scripts/testing/harness.h"
#include "../canonical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS "../shared/vectors/sonata/scores.jsonl"
#define MAX_LINE ((size_t)8 << 20)

static const char own[] =
    "{\"score\":{\"name\":\"s\",\"tasks\":[{\"task_id\":0,\"func_id\":0,"
    "\"core_type\":\"aiv\",\"name\":\"k\",\"args\":[\"a\",1.50],"
    "\"arg_directions\":[\"Output\",\"Input\"],\"arg_storage_keys\":["
    "\"alloc:a\",\"alloc:b\"]},{\"task_id\":1,\"func_id\":0,\"core_type\":"
    "\"aiv\",\"name\":\"k\"}],\"dependencies\":[{\"producer\":0,\"consumer\":"
    "1}]},\"fingerprint\":"
    "\"\",\"validate\":{\"eligible\":true,\"reasons\":[]},"
    "\"memory_plan\":{\"allocations\":[[\"alloc:a\",0,8],[\"alloc:b\",8,4]],"
    "\"peak\":12},\"plan_handle\":{\"score_fingerprint\":\"\",\"func_"
    "registry\":"
    "[{\"name\":\"k\",\"sonata_func_id\":0}],\"arg_bindings\":[{\"task_id\":0,"
    "\"arg_index\":0,\"storage_key\":\"alloc:a\",\"direction\":\"Output\","
    "\"runtime_handle\":5},{\"task_id\":0,\"arg_index\":1,\"storage_key\":"
    "\"alloc:b\",\"direction\":\"Input\",\"runtime_handle\":6}]},"
    "\"hbg_plan\":{\"success\":true,\"tasks\":[{\"task_id\":0,\"func_id\":0,"
    "\"core_type\":\"aiv\",\"runtime_args\":[5,6],\"name\":\"k\"},{\"task_id\":"
    "1,\"func_id\":0,\"core_type\":\"aiv\",\"runtime_args\":[],\"name\":\"k\"}"
    "],\"edges\":[[0,1]],\"metadata\":{\"score_fingerprint\":\"\","
    "\"source_adapter\":\"post_simplify\",\"runtime_contract_version\":1,"
    "\"runtime_target\":\"tensormap_and_ringbuffer\",\"schema_version\":1}}}";

typedef enum change {
    NOTHING,
    PRINT,   /* the handle's fingerprint */
    EDGES,   /* one more edge in the hbg plan */
    PEAK,    /* the plan's peak */
    MISSING, /* no place for anything */
    CHANGES
} change;

typedef struct vector {
    oracle_json json;
    oracle_out out; /* the bundle */
    uint32_t score;
} vector;

static uint32_t field(const vector *v, uint32_t object, const char *name)
{
    return oracle_json_member(&v->json, object, name);
}

static bool is(const vector *v, uint32_t node, oracle_json_type type)
{
    return node != ORACLE_NONE && v->json.nodes[node].type == type;
}

/* A value again, from the canonical writer. */
static void put(vector *v, uint32_t node)
{
    oracle_canon c = {0};
    oracle_canon_value(&c, &v->json, node);
    oracle_out_raw(&v->out, c.out.data, c.out.length);
    oracle_out_free(&c.out);
}

static void put_handle(vector *v, uint32_t handle, change what)
{
    uint32_t end = oracle_json_next(&v->json, handle);
    oracle_out_text(&v->out, ",{\"role\":\"handle\",\"document\":{\"x\":0");
    for (uint32_t at = handle + 1; at < end;
         at = oracle_json_next(&v->json, at + 1)) {
        oracle_out_text(&v->out, ",");
        put(v, at);
        oracle_out_text(&v->out, ":");
        if (what == PRINT &&
            oracle_json_is(&v->json, at, "score_fingerprint", 17)) {
            oracle_out_text(&v->out, "\"changed\"");
        } else {
            put(v, at + 1);
        }
    }
    oracle_out_text(&v->out, "}}");
}

/* Lists of pairs and triples become objects. */
static void put_rows(vector *v, uint32_t list, const char *const *names)
{
    bool first = true;
    for (uint32_t at = list + 1; at < oracle_json_next(&v->json, list);
         at = oracle_json_next(&v->json, at)) {
        oracle_out_text(&v->out, first ? "{" : ",{");
        first = false;
        uint32_t item = at + 1;
        for (uint32_t i = 0; names[i] != NULL; i++) {
            oracle_out_format(&v->out, "%s\"%s\":", i == 0 ? "" : ",",
                              names[i]);
            put(v, item);
            item = oracle_json_next(&v->json, item);
        }
        oracle_out_text(&v->out, "}");
    }
}

static void put_hbg(vector *v, uint32_t hbg, change what)
{
    static const char *const names[] = {"producer", "consumer", NULL};
    oracle_out_text(&v->out, ",{\"role\":\"hbg\",\"document\":{\"tasks\":");
    put(v, field(v, hbg, "tasks"));
    oracle_out_text(&v->out, ",\"edges\":[");
    put_rows(v, field(v, hbg, "edges"), names);
    if (what == EDGES) {
        bool none = v->out.data[v->out.length - 1] == '[';
        oracle_out_text(&v->out, none ? "" : ",");
        oracle_out_text(&v->out, "{\"producer\":0,\"consumer\":77}");
    }
    oracle_out_text(&v->out, "],\"metadata\":");
    put(v, field(v, hbg, "metadata"));
    oracle_out_text(&v->out, "}}");
}

static void put_memory(vector *v, uint32_t plan, change what)
{
    static const char *const names[] = {"storage_key", "offset", "size", NULL};
    oracle_out_text(&v->out, ",{\"role\":\"memory\",\"document\":{\"version\":"
                             "1,\"allocations\":[");
    if (what != MISSING) {
        put_rows(v, field(v, plan, "allocations"), names);
    }
    oracle_out_text(&v->out, "],\"peak_memory\":");
    oracle_out_text(&v->out, what == PEAK ? "7" : "");
    put(v, field(v, plan, "peak"));
    oracle_out_text(&v->out, "}}");
}

static void judge(vector *v, change what, oracle_judgement *judgement)
{
    oracle_judge_options options = {.lenient = true, .limit = 100000};
    uint32_t handle = field(v, 0, "plan_handle");
    uint32_t hbg = field(v, 0, "hbg_plan");
    uint32_t plan = field(v, 0, "memory_plan");
    oracle_out_text(&v->out, "{\"kind\":\"bundle\",\"version\":1,\"members\":["
                             "{\"role\":\"score\",\"document\":");
    put(v, v->score);
    oracle_out_text(&v->out, "}");
    put_handle(v, handle, what);
    if (is(v, field(v, hbg, "tasks"), ORACLE_JSON_ARRAY)) {
        put_hbg(v, hbg, what);
    }
    if (is(v, plan, ORACLE_JSON_OBJECT)) {
        put_memory(v, plan, what);
    }
    oracle_out_text(&v->out, "]}");
    assert_int_equal(
        oracle_judge_text(judgement, v->out.data, v->out.length, &options),
        ORACLE_OK);
    if (judgement->verdict == ORACLE_REFUSED) {
        fail_msg("%s", judgement->findings[0].json);
    }
    oracle_out_free(&v->out);
}

static uint32_t count(const oracle_judgement *judgement, const char *rule)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        n += strcmp(judgement->findings[i].rule, rule) == 0;
    }
    return n;
}

/* Rules whose findings say that another answer is wrong. */
static const char *wrong_answer(const oracle_judgement *judgement)
{
    static const char *const rules[] = {"hbg.metadata",
                                        "hbg.task",
                                        "hbg.args",
                                        "hbg.edges",
                                        "memory.peak",
                                        "memory.bounds",
                                        "memory.missing",
                                        "memory.alias-split",
                                        "handle.binding-key",
                                        "handle.binding-direction",
                                        "handle.binding-argument"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (count(judgement, rules[i]) > 0) {
            return rules[i];
        }
    }
    return NULL;
}

static uint32_t reasons_of(const vector *v, const char *code)
{
    uint32_t n = 0, hbg = field(v, 0, "hbg_plan");
    uint32_t list = field(v, hbg, "reasons");
    for (uint32_t at = list + 1;
         list != ORACLE_NONE && at < oracle_json_next(&v->json, list);
         at = oracle_json_next(&v->json, at)) {
        n += oracle_json_is(&v->json, at + 1, code, strlen(code));
    }
    return n;
}

/* What the adapter refuses is found, and nothing where it does not. */
static void compare_refusals(const vector *v, const oracle_judgement *j)
{
    static const struct {
        const char *code, *rule;
    } pairs[] = {
        {"runtime_adapter_contract_version_mismatch",
         "handle.contract-version"},
        {"runtime_adapter_func_not_registered", "handle.func-missing"},
        {"runtime_adapter_func_unreferenced", "handle.func-unreferenced"},
        {"runtime_adapter_binding_incomplete", "handle.binding-missing"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(reasons_of(v, pairs[i].code) > 0,
                         count(j, pairs[i].rule) > 0);
    }
    assert_int_equal(reasons_of(v, "runtime_adapter_binding_incomplete"),
                     count(j, "handle.binding-missing"));
}

static void compare_reasons(const vector *v, const char *text, size_t length)
{
    char **reasons;
    uint32_t n, i = 0;
    oracle_error error;
    uint32_t list = field(v, field(v, 0, "validate"), "reasons");
    assert_int_equal(oracle_validate_text(&reasons, &n, text, length, &error),
                     ORACLE_OK);
    for (uint32_t at = list + 1; at < oracle_json_next(&v->json, list);
         at = oracle_json_next(&v->json, at)) {
        oracle_canon a = {0}, b = {0};
        assert_true(i < n);
        oracle_canon_value(&a, &v->json, at);
        oracle_canon_string(&b, reasons[i], strlen(reasons[i]));
        assert_string_equal(a.out.data, b.out.data);
        oracle_out_free(&a.out);
        oracle_out_free(&b.out);
        i++;
    }
    assert_int_equal(i, n);
    free(reasons);
}

static void compare_digest(const vector *v, const char *name,
                           const char *digest)
{
    uint32_t node = field(v, 0, name);
    if (node != ORACLE_NONE && v->json.nodes[node].extent == 66) {
        assert_true(oracle_json_is(&v->json, node, digest, 64));
    }
}

static void compare_texts(vector *v)
{
    char digest[65], *text;
    size_t length;
    oracle_error error;
    put(v, v->score);
    const char *score = v->out.data;
    size_t size = v->out.length;
    for (int metadata = 0; metadata < 2; metadata++) {
        assert_int_equal(
            oracle_fingerprint_text(digest, score, size, metadata == 1, &error),
            ORACLE_OK);
        compare_digest(
            v, metadata == 1 ? "fingerprint_with_metadata" : "fingerprint",
            digest);
    }
    assert_int_equal(oracle_canonical_text(&text, &length, score, size,
                                           ORACLE_CANONICAL_SCORE, true,
                                           &error),
                     ORACLE_OK);
    oracle_digest(digest, text, length);
    compare_digest(v, "score_json_sha256", digest);
    free(text);
    compare_reasons(v, score, size);
    oracle_out_free(&v->out);
    put(v, field(v, 0, "plan_handle"));
    assert_int_equal(
        oracle_canonical_text(&text, &length, v->out.data, v->out.length,
                              ORACLE_CANONICAL_HANDLE, true, &error),
        ORACLE_OK);
    oracle_digest(digest, text, length);
    compare_digest(v, "plan_handle_json_sha256", digest);
    free(text);
    oracle_out_free(&v->out);
}

static void compare_changes(vector *v, bool ambiguous)
{
    oracle_judgement j;
    judge(v, PRINT, &j);
    assert_true(count(&j, "score.fingerprint") > 0);
    oracle_judgement_free(&j);
    if (is(v, field(v, field(v, 0, "hbg_plan"), "tasks"), ORACLE_JSON_ARRAY)) {
        judge(v, EDGES, &j);
        assert_int_equal(count(&j, "hbg.edges"), !ambiguous);
        oracle_judgement_free(&j);
    }
    uint32_t plan = field(v, 0, "memory_plan");
    uint32_t places = field(v, plan, "allocations");
    if (is(v, plan, ORACLE_JSON_OBJECT)) {
        judge(v, PEAK, &j);
        assert_int_equal(count(&j, "memory.peak"), 1);
        oracle_judgement_free(&j);
        judge(v, MISSING, &j);
        /* Lists of another length than the arguments are not used. */
        if (count(&j, "score.valid") == 0) {
            assert_int_equal(count(&j, "memory.missing") > 0,
                             oracle_json_next(&v->json, places) > places + 1);
        }
        oracle_judgement_free(&j);
    }
}

/* Whether the line could be compared: lone surrogates are refused. */
static bool compare_line(const char *line, size_t length)
{
    vector v = {0};
    oracle_error error;
    oracle_judgement j;
    if (oracle_json_parse(&v.json, line, length, &error) != ORACLE_OK) {
        return false;
    }
    v.score = field(&v, 0, "score");
    compare_texts(&v);
    judge(&v, NOTHING, &j);
    bool ambiguous = false;
    for (uint32_t i = 0; i < j.undecided_count; i++) {
        ambiguous |= strstr(j.undecided[i], "one id") != NULL;
    }
    if (wrong_answer(&j) != NULL) {
        fail_msg("%s: %.100s", wrong_answer(&j), line);
    }
    if (!ambiguous) {
        compare_refusals(&v, &j);
    }
    oracle_judgement_free(&j);
    compare_changes(&v, ambiguous);
    oracle_json_free(&v.json);
    return true;
}

static void our_own(void **state)
{
    (void)state;
    assert_true(compare_line(own, sizeof own - 1));
}

static void of_the_vectors(void **state)
{
    (void)state;
    test_needs(VECTORS);
    FILE *file = fopen(VECTORS, "rb");
    char *line = malloc(MAX_LINE);
    uint32_t compared = 0, refused = 0;
    assert_non_null(file);
    assert_non_null(line);
    while (fgets(line, (int)MAX_LINE, file) != NULL) {
        bool done = compare_line(line, strlen(line));
        compared += done;
        refused += !done;
    }
    print_message("%u compared, %u refused\n", compared, refused);
    fclose(file);
    free(line);
    assert_true(compared > 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(our_own),
    cmocka_unit_test(of_the_vectors),
};

TEST_MAIN(tests)
