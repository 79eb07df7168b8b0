/* Task graphs, Scores and bundles: what is read, and what is refused. */
#include "../../scripts/testing/harness.h"
#include "oracle/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char everything[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"d\\u00e9\","
    "\"rules\":\"tensormap\",\"symbols\":[{\"name\":\"i\",\"min\":0,"
    "\"max\":63,\"step\":1,\"free\":true},{\"name\":\"r\",\"min\":null,"
    "\"max\":null,\"free\":false}],\"choices\":[{\"id\":7,\"kind\":\"if\","
    "\"line\":12,\"text\":\"n > 4\"}],\"buffers\":[{\"key\":\"param:x\","
    "\"bytes\":65536,\"external\":true},{\"key\":\"alloc:t\","
    "\"bytes\":65536,\"external\":false,\"creator\":3,\"align\":64},"
    "{\"key\":\"alloc:v\",\"bytes\":512,\"alias_of\":{\"key\":\"alloc:u\","
    "\"offset\":8}},{\"key\":\"alloc:u\",\"bytes\":1024,\"alias_of\":"
    "{\"key\":\"alloc:t\",\"offset\":256}},{\"key\":\"param:y\","
    "\"bytes\":null,\"symbol\":\"n*4\",\"may_alias\":[\"param:x\"]}],"
    "\"scopes\":[{\"id\":0},{\"id\":2,\"parent\":5},{\"id\":5,"
    "\"manual\":true,\"parent\":0}],\"tasks\":[{\"id\":3,\"name\":\"a\","
    "\"core\":\"aiv\",\"blocks\":4,\"scope\":2,\"line\":31,\"early\":true,"
    "\"when\":[{\"choice\":7,\"is\":false}],\"deps\":[{\"task\":9},"
    "{\"task\":5},{\"task\":null,\"name\":\"p\",\"cause\":\"dead\"}],"
    "\"predicate\":{\"buffer\":\"param:y\",\"region\":{\"elem\":4,"
    "\"base\":8,\"dims\":[]},\"op\":\">\",\"value\":-1},\"args\":["
    "{\"buffer\":\"param:x\",\"dispatch\":\"input\",\"declared\":\"in\","
    "\"view\":{\"dtype\":\"fp32\",\"elem\":4,\"base\":0,\"dims\":"
    "[[128,512,0],[128,4,0]]},\"access\":[{\"mode\":\"read\",\"must\":true,"
    "\"exact\":true,\"region\":{\"elem\":4,\"base\":0,\"dims\":[[64,512,"
    "{\"c\":1,\"t\":[[2,\"i\"],[1,\"block\"],[-1,\"i\"]]}],[1,4,"
    "{\"t\":[[1,\"lane\"]]}]]}}]},{\"buffer\":\"alloc:t\",\"dispatch\":"
    "\"output_existing\",\"declared\":\"out\",\"access\":[]},"
    "{\"scalar\":4},{\"scalar\":{\"text\":\"0.5\"}}]},{\"id\":5,"
    "\"blocks\":null}],\"edges\":[{\"from\":3,\"to\":5,\"source\":"
    "\"recorded\",\"kind\":\"data\",\"certain\":false},{\"from\":3,"
    "\"to\":4}],\"host_accesses\":[{\"after\":3,\"mode\":\"read\","
    "\"buffer\":\"param:x\",\"line\":40}],\"dynamic\":[{\"line\":52,"
    "\"reason\":\"loop\",\"tasks\":[5,3]}]}";

static void must_read(oracle_document *document, const char *text)
{
    oracle_error error;
    oracle_status status =
        oracle_document_read(document, text, strlen(text), NULL, &error);
    if (status != ORACLE_OK) {
        print_message("%s: %s\n", error.rule, error.message);
    }
    assert_int_equal(status, ORACLE_OK);
}

static void test_every_field_arrives(void **state)
{
    (void)state;
    oracle_document d;
    must_read(&d, everything);
    assert_int_equal(d.kind, ORACLE_KIND_TASK_GRAPH);
    assert_int_equal(d.rules, ORACLE_RULES_TENSORMAP);
    assert_string_equal(d.name.data, "d\xc3\xa9");
    assert_int_equal(d.remark_count, 0);
    assert_int_equal(d.task_count, 2);
    const oracle_task *t = &d.tasks[0];
    assert_int_equal(t->id, 3);
    assert_int_equal(t->blocks, 4);
    assert_true(t->early && !t->dummy && !t->sync_start);
    assert_int_equal(t->line, 31);
    assert_int_equal(t->scope, 1);
    assert_int_equal(t->args, 4);
    assert_int_equal(t->whens, 1);
    assert_false(d.whens[t->first_when].is);
    assert_true(t->has_predicate && t->predicate_formed);
    assert_int_equal(t->predicate_buffer, 4);
    assert_int_equal(t->predicate_test->value, -1);
    assert_int_equal(d.tasks[1].blocks, 0);
    assert_true(d.scopes[1].in_manual && !d.scopes[1].manual);
    assert_true(d.scopes[2].in_manual && !d.scopes[0].in_manual);
    assert_int_equal(d.dynamic_tasks[0], 1);
    assert_int_equal(d.host_accesses[0].after, 3);
    oracle_document_free(&d);
}

static void test_references_are_resolved(void **state)
{
    (void)state;
    oracle_document d;
    must_read(&d, everything);
    const oracle_dep *deps = &d.deps[d.tasks[0].first_dep];
    assert_int_equal(deps[0].cause, ORACLE_DEP_TASK);
    assert_int_equal(deps[0].task, ORACLE_NONE);
    assert_int_equal(deps[0].id, 9);
    assert_int_equal(deps[1].task, 1);
    assert_int_equal(deps[2].cause, ORACLE_DEP_DEAD);
    assert_string_equal(deps[2].name.data, "p");
    assert_int_equal(d.edge_count, 1);
    assert_false(d.edges[0].certain);
    assert_int_equal(d.edges[0].from_arg, ORACLE_NONE);
    assert_int_equal(d.loose_edge_count, 1);
    assert_int_equal(d.loose_edges[0].to, 4);
    assert_int_equal(d.buffers[2].storage, 1);
    assert_int_equal(d.buffers[2].storage_at, 264);
    assert_int_equal(d.buffers[3].storage_at, 256);
    assert_int_equal(d.may_aliases[d.buffers[4].first_may_alias], 0);
    oracle_document_free(&d);
}

static void test_numbers_with_symbols(void **state)
{
    (void)state;
    oracle_document d;
    must_read(&d, everything);
    const oracle_access *a = &d.accesses[0];
    const oracle_dim *dims = &d.dims[d.regions[a->region].first];
    assert_int_equal(dims[0].offset.c, 1);
    assert_int_equal(dims[0].offset.count, 2);
    const oracle_term *terms = &d.terms[dims[0].offset.first];
    assert_int_equal(terms[0].coef, 1); /* 2 i - i */
    assert_string_equal(d.symbols[terms[0].symbol].name.data, "i");
    const oracle_symbol *block = &d.symbols[terms[1].symbol];
    assert_string_equal(block->name.data, "block");
    assert_true(block->block && block->free && block->has_max);
    assert_int_equal(block->max, 3);
    oracle_document_free(&d);
}

static char *written(const oracle_document *d, size_t *length)
{
    oracle_error error;
    char *text;
    assert_int_equal(oracle_document_write(&text, length, d, &error),
                     ORACLE_OK);
    return text;
}

static void test_written_reads_the_same(void **state)
{
    (void)state;
    oracle_document d;
    oracle_document again;
    oracle_error error;
    size_t length;
    size_t second;
    must_read(&d, everything);
    char *text = written(&d, &length);
    assert_int_equal(oracle_document_read(&again, text, length, NULL, &error),
                     ORACLE_OK);
    char *other = written(&again, &second);
    assert_int_equal(length, second);
    assert_string_equal(text, other);
    assert_non_null(strstr(text, "\"name\":\"d\\u00e9\""));
    free(text);
    free(other);
    oracle_document_free(&d);
    oracle_document_free(&again);
}

typedef struct refusal {
    const char *text;
    oracle_status status;
    const char *message; /* a part of it */
} refusal;

#define HEAD "{\"kind\":\"task_graph\",\"version\":1,"
#define X "\"buffers\":[{\"key\":\"x\",\"bytes\":64}],"
#define ARG(rest)                                                              \
    HEAD X "\"tasks\":[{\"id\":0},{\"id\":1,\"args\":[{\"scalar\":1},"         \
           "{\"buffer\":\"x\"," rest "}]}]}"

static void must_refuse(const refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        oracle_document d;
        oracle_error error;
        oracle_status status = oracle_document_read(
            &d, cases[i].text, strlen(cases[i].text), NULL, &error);
        print_message("%s: %s\n", error.rule, error.message);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_true(error.line > 0);
    }
}

static void test_refuses_values(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"[]", ORACLE_SCHEMA, "the document must be an object, got list"},
        {"{}", ORACLE_SCHEMA, "is no task graph"},
        {"{\"kind\":\"graph\"}", ORACLE_SCHEMA, "kind must be task_graph"},
        {"{\"kind\":\"task_graph\",\"tasks\":[]}", ORACLE_SCHEMA,
         "has no field \"version\""},
        {"{\"kind\":\"task_graph\",\"version\":2,\"tasks\":[]}", ORACLE_SCHEMA,
         "version must be 1"},
        {HEAD "\"tasks\":{}}", ORACLE_SCHEMA, "tasks must be a list"},
        {HEAD "\"tasks\":[{\"id\":0},{}]}", ORACLE_SCHEMA,
         "tasks[1] has no field \"id\""},
        {HEAD "\"tasks\":[{\"id\":-1}]}", ORACLE_RANGE,
         "tasks[0].id must be at least 0, got -1"},
        {HEAD "\"tasks\":[{\"id\":0,\"blocks\":0}]}", ORACLE_RANGE,
         "tasks[0].blocks must be at least 1"},
        {HEAD "\"tasks\":[{\"id\":9223372036854775808}]}", ORACLE_RANGE,
         "outside the 64-bit integers"},
        {HEAD "\"tasks\":[{\"id\":true}]}", ORACLE_SCHEMA,
         "tasks[0].id must be an integer, got bool"},
        {HEAD "\"tasks\":[{\"id\":1.0}]}", ORACLE_SCHEMA,
         "tasks[0].id must be an integer, got float"},
        {ARG("\"view\":{\"elem\":4,\"dims\":[[1,\"x\",0]]}"), ORACLE_SCHEMA,
         "tasks[1].args[1].view.dims[0][1] must be an integer, got string"},
        {ARG("\"view\":{\"elem\":0}"), ORACLE_RANGE,
         "view.elem must be at least 1"},
        {ARG("\"view\":{\"elem\":4,\"dims\":[[1,2]]}"), ORACLE_SCHEMA,
         "view.dims[0] must be [count, stride, offset], got 2 items"},
        {ARG("\"view\":{\"elem\":4,\"dims\":[[-1,4,0]]}"), ORACLE_RANGE,
         "view.dims[0][0] must be at least 0"},
        {ARG("\"dispatch\":\"in\""), ORACLE_SCHEMA, "must be input, output"},
        {ARG("\"scalar\":1"), ORACLE_SCHEMA, "either \"buffer\""},
        {ARG("\"access\":[{\"mode\":\"see\"}]"), ORACLE_SCHEMA,
         "access[0].mode must be read, write"},
        {HEAD "\"symbols\":[{\"name\":\"i\",\"min\":2,\"max\":1}],"
              "\"tasks\":[]}",
         ORACLE_RANGE, "symbols[0] has no value"},
        {HEAD "\"buffers\":[{\"key\":\"x\",\"bytes\":-1}],\"tasks\":[]}",
         ORACLE_RANGE, "buffers[0].bytes must be at least 0"},
    };
    must_refuse(cases, sizeof cases / sizeof *cases);
}

static void test_refuses_references(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {HEAD "\"tasks\":[{\"id\":0},{\"id\":0}]}", ORACLE_SCHEMA,
         "tasks[1].id is the id of another task"},
        {HEAD "\"buffers\":[{\"key\":\"x\"},{\"key\":\"x\"}],\"tasks\":[]}",
         ORACLE_SCHEMA, "buffers[1].key is the key of another buffer"},
        {HEAD "\"tasks\":[{\"id\":0,\"args\":[{\"buffer\":\"z\"}]}]}",
         ORACLE_SCHEMA, "names no buffer: z"},
        {HEAD "\"tasks\":[{\"id\":0,\"scope\":3}]}", ORACLE_SCHEMA,
         "tasks[0].scope names no scope: 3"},
        {HEAD "\"tasks\":[{\"id\":0,\"when\":[{\"choice\":1}]}]}",
         ORACLE_SCHEMA, "names no choice: 1"},
        {ARG("\"view\":{\"elem\":4,\"base\":{\"t\":[[1,\"q\"]]}}"),
         ORACLE_SCHEMA, "names no symbol: q"},
        {HEAD "\"buffers\":[{\"key\":\"x\",\"creator\":4}],\"tasks\":[]}",
         ORACLE_SCHEMA, "buffers[0].creator names no task: 4"},
        {HEAD "\"scopes\":[{\"id\":0,\"parent\":1},{\"id\":1,\"parent\":0}],"
              "\"tasks\":[]}",
         ORACLE_SCHEMA, "circle of parents"},
        {HEAD "\"buffers\":[{\"key\":\"x\",\"alias_of\":{\"key\":\"y\"}},"
              "{\"key\":\"y\",\"alias_of\":{\"key\":\"x\"}}],\"tasks\":[]}",
         ORACLE_SCHEMA, "circle of aliases"},
        {HEAD "\"buffers\":[{\"key\":\"x\",\"bytes\":9,\"alias_of\":{\"key\":"
              "\"y\",\"offset\":9223372036854775800}},{\"key\":\"y\"}],"
              "\"tasks\":[]}",
         ORACLE_RANGE, "buffers[0] reaches beyond 64-bit"},
        {HEAD "\"tasks\":[],\"dynamic\":[{\"tasks\":[1]}]}", ORACLE_SCHEMA,
         "dynamic[0].tasks[0] names no task: 1"},
    };
    must_refuse(cases, sizeof cases / sizeof *cases);
}

static void test_refuses_regions_outside(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {ARG("\"view\":{\"elem\":4,\"base\":4,\"dims\":[[16,4,0]]}"),
         ORACLE_RANGE, "covers bytes 4 to 68, outside the buffer"},
        {ARG("\"view\":{\"elem\":4,\"base\":0,\"dims\":[[2,-4,0]]}"),
         ORACLE_RANGE, "covers bytes -4 to 4, outside the buffer"},
        {ARG("\"view\":{\"elem\":4,\"dims\":[[4,4,4]]},\"access\":[{"
             "\"mode\":\"read\",\"region\":{\"elem\":4,\"base\":12}}]"),
         ORACLE_RANGE, "outside the view, which has 16 to 32"},
        {ARG("\"view\":{\"elem\":4,\"dims\":[[9223372036854775807,"
             "9223372036854775807,0]]}"),
         ORACLE_RANGE, "beyond 64-bit"},
    };
    must_refuse(cases, sizeof cases / sizeof *cases);
    oracle_document d;
    must_read(&d, ARG("\"view\":{\"elem\":4,\"base\":400,\"dims\":"
                      "[[0,4,0]]}"));
    oracle_document_free(&d);
}

static void test_unknown_fields_once(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "\"extra\":1,\"tasks\":[{\"id\":0,\"foo\":1},{\"id\":1,"
             "\"foo\":2,\"args\":[{\"scalar\":1,\"bar\":{\"a\":1}}]}]}";
    const oracle_read_options lenient = {.lenient = true};
    oracle_document d;
    oracle_error error;
    must_read(&d, text);
    assert_int_equal(d.remark_count, 3);
    assert_string_equal(d.remarks[0].rule, "doc.unknown-field");
    assert_string_equal(d.remarks[0].path.data, "extra");
    assert_string_equal(d.remarks[1].path.data, "tasks[].foo");
    assert_string_equal(d.remarks[2].path.data, "tasks[].args[].bar");
    oracle_document_free(&d);
    oracle_document_read(&d, text, sizeof text - 1, &lenient, &error);
    assert_int_equal(d.remark_count, 0);
    oracle_document_free(&d);
}

static void test_last_key_wins(void **state)
{
    (void)state;
    oracle_document d;
    must_read(&d, HEAD "\"tasks\":7,\"tasks\":[{\"i\\u0064\":\"x\","
                       "\"id\":4}]}");
    assert_int_equal(d.tasks[0].id, 4);
    oracle_document_free(&d);
}

#define LONG 3000

/* Tasks of which each names the next one as a dep, with two faults. */
static char *long_text(int wrong_dispatch, int repeated_id)
{
    char *text = malloc(LONG * 128 + 128);
    size_t at = (size_t)sprintf(
        text, HEAD "\"buffers\":[{\"key\":\"alloc:a\"}],\"tasks\":[");
    for (int i = 0; i < LONG; i++) {
        at += (size_t)sprintf(
            text + at,
            "%s{\"id\":%d,\"deps\":[{\"task\":%d}],\"args\":[{\"buffer\":"
            "\"alloc:a\",\"dispatch\":\"%s\"}]}",
            i == 0 ? "" : ",", i == repeated_id ? 7 : i, i + 1,
            i == wrong_dispatch ? "x" : "input");
    }
    sprintf(text + at, "]}");
    return text;
}

static void test_long_documents(void **state)
{
    (void)state;
    static const struct {
        int wrong_dispatch, repeated_id;
        const char *path;
    } cases[] = {{1500, -1, "tasks[1500].args[0].dispatch"},
                 {-1, 2500, "tasks[2500].id"},
                 {1500, 2500, "tasks[2500].id"}, /* ids come first */
                 {2500, 1500, "tasks[1500].id"}};
    char *text = long_text(-1, -1);
    oracle_document d;
    oracle_error error;
    must_read(&d, text);
    free(text);
    assert_int_equal(d.task_count, LONG);
    for (uint32_t i = 0; i < LONG; i++) {
        uint32_t next = i + 1 < LONG ? i + 1 : ORACLE_NONE;
        assert_int_equal(d.deps[d.tasks[i].first_dep].task, next);
    }
    oracle_document_free(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = long_text(cases[i].wrong_dispatch, cases[i].repeated_id);
        assert_int_equal(
            oracle_document_read(&d, text, strlen(text), NULL, &error),
            ORACLE_SCHEMA);
        assert_string_equal(error.path, cases[i].path);
        free(text);
    }
}

static void test_score(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema_version\":1,\"name\":\"s\",\"tasks\":[{\"task_id\":4,"
        "\"func_id\":0,\"core_type\":\"aiv\",\"args\":[\"x\",1,\"t\",2.5],"
        "\"arg_directions\":[\"IN-put\",\"\\u0130nout\",\"Output Existing\","
        "\"scalar\"],\"arg_storage_keys\":[null,null,\"alloc:t\",null]},"
        "{\"task_id\":2,\"func_id\":0,\"core_type\":\"aic\",\"args\":[true,"
        "1.0,\"json:1\",\"z\",\"q\"],\"arg_directions\":[\"output\","
        "\"input\",\"input\",\"no_dep\",\"\\u00efnput\"]}],"
        "\"dependencies\":[{\"producer\":4,\"consumer\":2},{\"producer\":4,"
        "\"consumer\":8,\"kind\":\"war\"}]}";
    oracle_document d;
    must_read(&d, text);
    assert_int_equal(d.kind, ORACLE_KIND_SCORE);
    assert_int_equal(d.rules, ORACLE_RULES_NONE);
    assert_int_equal(d.task_count, 2);
    assert_int_equal(d.tasks[0].args, 4);
    const oracle_arg *a = d.args;
    assert_int_equal(a[0].dispatch, ORACLE_INPUT);
    assert_int_equal(d.accesses[a[1].first_access].mode, ORACLE_READ_WRITE);
    assert_int_equal(a[2].dispatch, ORACLE_OUTPUT_EXISTING);
    assert_false(d.buffers[a[2].buffer].external);
    assert_true(d.buffers[a[0].buffer].external);
    assert_int_equal(a[3].kind, ORACLE_ARG_SCALAR);
    assert_string_equal(a[3].scalar.data, "2.5");
    /* 1, true and 1.0 are one key; the text "json:1" is another. */
    assert_int_equal(a[4].buffer, a[1].buffer);
    assert_int_equal(a[5].buffer, a[1].buffer);
    assert_int_not_equal(a[6].buffer, a[1].buffer);
    assert_int_equal(a[7].dispatch, ORACLE_NO_DEP);
    assert_false(a[7].has_access);
    assert_int_equal(a[8].dispatch, ORACLE_UNKNOWN_DISPATCH);
    assert_false(a[8].has_access);
    assert_int_equal(d.edge_count, 1);
    assert_int_equal(d.edges[0].source, ORACLE_POLICY);
    assert_string_equal(d.edges[0].kind.data, "data");
    assert_int_equal(d.loose_edge_count, 1);
    oracle_document_free(&d);
}

static void test_score_refusals(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"{\"schema_version\":2,\"name\":\"\"}", ORACLE_SCHEMA,
         "schema_version does not match: expected 1, got 2"},
        {"{\"tasks\":[]}", ORACLE_SCHEMA, "has no field \"name\""},
        {"{\"name\":\"\",\"tasks\":null}", ORACLE_SCHEMA,
         "tasks must be a list, got null"},
        {"{\"name\":\"\",\"tasks\":[{\"task_id\":0,\"func_id\":\"0\","
         "\"core_type\":\"aiv\"}]}",
         ORACLE_SCHEMA, "tasks[0].func_id must be an integer, got string"},
        {"{\"name\":\"\",\"tasks\":[{\"task_id\":0,\"func_id\":0,"
         "\"core_type\":\"aiv\",\"args\":[[]],\"arg_directions\":"
         "[\"input\"]}]}",
         ORACLE_SCHEMA, "tasks[0].args[0] must be a storage"},
        {"{\"name\":\"\",\"tasks\":[],\"metadata\":[]}", ORACLE_SCHEMA,
         "metadata must be an object"},
        {"{\"name\":\"\",\"tasks\":[],\"shape_assumptions\":[{\"symbol\":"
         "\"n\"}]}",
         ORACLE_SCHEMA, "shape_assumptions[0] has no field \"dims\""},
    };
    must_refuse(cases, sizeof cases / sizeof *cases);
}

#define WITH(target) "{\"name\":\"\",\"runtime_target\":" target "}"

static void test_score_target(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"{\"name\":\"\",\"schema_version\":1.0}", ORACLE_SCHEMA,
         "schema_version must be an integer, got float"},
        {"{\"name\":\"\",\"schema_version\":\"1\"}", ORACLE_SCHEMA,
         "schema_version must be an integer, got string"},
        {WITH("{\"runtime\":5}"), ORACLE_SCHEMA,
         "runtime_target.runtime must be a string, got integer"},
        {WITH("{\"function_name\":null}"), ORACLE_SCHEMA,
         "runtime_target.function_name must be a string, got null"},
        {WITH("{\"aicpu_thread_num\":\"4\"}"), ORACLE_SCHEMA,
         "runtime_target.aicpu_thread_num must be an integer or null, got "
         "string"},
        {WITH("{\"aicpu_thread_num\":true}"), ORACLE_SCHEMA,
         "runtime_target.aicpu_thread_num must be an integer or null"},
        {WITH("{\"config_comment\":null}"), ORACLE_SCHEMA,
         "runtime_target.config_comment must be a list, got null"},
        {WITH("{\"config_comment\":[\"\",3]}"), ORACLE_SCHEMA,
         "runtime_target.config_comment[1] must be a string, got integer"},
        {"{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
         "\"score\",\"document\":{\"name\":\"s\"}},{\"role\":\"handle\","
         "\"document\":{\"score_fingerprint\":\"\",\"runtime_target\":"
         "{\"runtime\":1}}}]}",
         ORACLE_SCHEMA,
         "members[1].document.runtime_target.runtime must be a string"},
    };
    must_refuse(cases, sizeof cases / sizeof *cases);
    static const char *const good[] = {
        WITH("null"), WITH("7"), WITH("{}"),
        WITH("{\"aicpu_thread_num\":null,\"config_comment\":[]}"),
        WITH("{\"aicpu_thread_num\":99999999999999999999,\"runtime\":\"\"}")};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        oracle_document d;
        must_read(&d, good[i]);
        oracle_document_free(&d);
    }
}

/* Letters and digits of any script make another word; all else is dropped. */
static void test_letters_of_directions(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool is_input;
    } cases[] = {
        {"In-Put", true},
        {"in\xc2\xb7put", true},          /* a dot in the middle */
        {"in\xc3\xa9put", false},         /* e with an accent */
        {"in\xe2\x80\x94put", true},      /* a long dash */
        {"in\xe2\x91\xa0put", false},     /* 1 in a circle */
        {"in\xf0\x9f\x98\x80put", true},  /* a face */
        {"in\xf0\x9d\x90\x80put", false}, /* a bold A */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        oracle_document d;
        snprintf(text, sizeof text,
                 "{\"name\":\"\",\"tasks\":[{\"task_id\":0,\"func_id\":0,"
                 "\"core_type\":\"aiv\",\"args\":[\"x\"],"
                 "\"arg_directions\":[\"%s\"]}]}",
                 cases[i].word);
        must_read(&d, text);
        assert_int_equal(d.args[0].dispatch, cases[i].is_input
                                                 ? ORACLE_INPUT
                                                 : ORACLE_UNKNOWN_DISPATCH);
        oracle_document_free(&d);
    }
}

#define BUNDLE(digest)                                                         \
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"source\","    \
    "\"text\":\"a\\u0062c\",\"sha256\":\"ba7816bf8f01cfea414140de5dae2223"     \
    "b00361a396177a9cb410ff61f20015ad\"},{\"role\":\"score\",\"document\":"    \
    "{\"name\":\"s\",\"tasks\":[]}},{\"role\":\"trace\",\"document\":"         \
    "{ \"a\" : [\"}\\\"]\"] },\"sha256\":\"" digest "\"},{\"role\":\"graph\"," \
    "\"document\":" HEAD "\"tasks\":[{\"id\":0}]}}]}"

static void test_bundle(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {BUNDLE("00"), ORACLE_SCHEMA, "members[2].sha256 is not the SHA-256"},
        {"{\"kind\":\"bundle\",\"version\":1,\"members\":[]}", ORACLE_SCHEMA,
         "has neither a graph nor a Score"},
        {"{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"x\"}]}",
         ORACLE_SCHEMA, "members[0].role must be"},
        {"{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
         "\"graph\",\"document\":" HEAD "\"tasks\":[{}]}}]}",
         ORACLE_SCHEMA, "members[0].document.tasks[0] has no field"},
    };
    must_refuse(cases, sizeof cases / sizeof *cases);
    oracle_document d;
    must_read(&d, BUNDLE("8bd13f39edebddd5c84323a4386b71a1d3efb2cb5c71b0c69fc"
                         "ad321f6a02889"));
    assert_int_equal(d.kind, ORACLE_KIND_BUNDLE);
    assert_int_equal(d.task_count, 1); /* the graph's, not the Score's */
    assert_int_equal(d.remark_count, 1);
    assert_string_equal(d.remarks[0].path.data, "members[].trace");
    oracle_document_free(&d);
}

/* Where nothing of its member follows the document, its own brackets end it. */
static void test_digest_before_the_document(void **state)
{
    (void)state;
    static const char *const traces[][2] = {
        {"{\"a\":[\"one\",{\"b\":\"[odd\"},\"\\\"\"]}",
         "cff8589d9af8a5bc41347c7cd953cd212f30b5f1"
         "7eef607b0af3e92aa4db895a"},
        {"{\"note\":\"one\",\"more\":[[\"]\"],\"\\\\\"],\"z\":\"}\\\"{\"}",
         "84375e0b1df6ef0754576361b2588963d5aa5415"
         "a2af3282e6f117c98c24b087"},
        {"{\"b\":[],\"c\":{\"four\":\"\\\\\\\"\"} }",
         "d873ce4e1b41f58a1be00d12a552de94cc29a350"
         "682aeb79b99f9a88bf2749cf"},
    };
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        char text[1024];
        oracle_document d;
        snprintf(text, sizeof text,
                 "{\"kind\":\"bundle\",\"version\":1,\"members\":["
                 "{\"role\":\"graph\",\"document\":" HEAD "\"tasks\":[]}},"
                 "{\"sha256\":\"%s\",\"role\":\"trace\",\"document\":%s}]}",
                 traces[i][1], traces[i][0]);
        must_read(&d, text);
        oracle_document_free(&d);
        char *letter = strstr(text, "\",\"role\":\"trace\"") - 1;
        *letter = *letter == '7' ? '8' : '7';
        const refusal changed = {text, ORACLE_SCHEMA,
                                 "members[1].sha256 is not the SHA-256"};
        must_refuse(&changed, 1);
    }
}

static void test_one_execution(void **state)
{
    (void)state;
    static const char graph[] =
        HEAD "\"choices\":[{\"id\":5},{\"id\":6}],\"buffers\":[{\"key\":\"x\","
             "\"creator\":1}],\"tasks\":[{\"id\":4},{\"id\":1,\"when\":[{"
             "\"choice\":6}]},{\"id\":2,\"when\":[{\"choice\":5,\"is\":false}"
             "]},{\"id\":3,\"deps\":[{\"task\":1},{\"task\":2}]}],\"edges\":["
             "{\"from\":4,\"to\":1},{\"from\":2,\"to\":3},{\"from\":4,\"to\":"
             "9}],\"host_accesses\":[{\"after\":1,\"mode\":\"read\","
             "\"buffer\":\"x\"}],\"dynamic\":[{\"tasks\":[1,3]}]}";
    static const bool values[] = {false, false};
    oracle_document d;
    oracle_document one;
    oracle_error error;
    must_read(&d, graph);
    assert_int_equal(oracle_document_restrict(&one, &d, values, &error),
                     ORACLE_OK);
    assert_int_equal(one.task_count, 3);
    assert_int_equal(one.tasks[1].id, 2);
    assert_int_equal(one.tasks[1].whens, 0);
    const oracle_dep *deps = &one.deps[one.tasks[2].first_dep];
    assert_int_equal(deps[0].cause, ORACLE_DEP_NONE);
    assert_int_equal(deps[1].task, 1);
    assert_int_equal(one.edge_count, 1);
    assert_int_equal(one.edges[0].from, 1);
    assert_int_equal(one.edges[0].to, 2);
    assert_int_equal(one.loose_edge_count, 1);
    assert_int_equal(one.host_accesses[0].after, 4);
    assert_int_equal(one.buffers[0].creator, -1);
    assert_int_equal(one.dynamics[0].tasks, 1);
    assert_int_equal(one.dynamic_tasks[0], 2);
    oracle_document_free(&one);
    assert_int_equal(d.task_count, 4);
    oracle_document_free(&d);
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        oracle_kind kind;
    } cases[] = {
        {"{\"kind\":\"task_graph\"}", ORACLE_KIND_TASK_GRAPH},
        {"{\"kind\":\"bundle\"}", ORACLE_KIND_BUNDLE},
        {"{\"kind\":\"memory_plan\"}", ORACLE_KIND_MEMORY_PLAN},
        {"{\"schema_version\":1}", ORACLE_KIND_SCORE},
        {"{\"schema_version\":1,\"arg_bindings\":[]}", ORACLE_KIND_HANDLE},
        {"{\"func_registry\":[]}", ORACLE_KIND_HANDLE},
        {"{\"tasks\":[],\"edges\":[]}", ORACLE_KIND_HBG},
        {"{\"score\":null,\"eligible\":false}", ORACLE_KIND_ELIGIBILITY},
        {"{\"kind\":7}", ORACLE_KIND_UNKNOWN},
        {"{\"x\":7}", ORACLE_KIND_UNKNOWN},
        {"[]", ORACLE_KIND_UNKNOWN},
        {"{", ORACLE_KIND_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            oracle_document_detect(cases[i].text, strlen(cases[i].text)),
            cases[i].kind);
    }
    oracle_document d;
    must_read(&d, "{\"kind\":\"memory_plan\",\"version\":1,\"policy\":\"p\","
                  "\"allocations\":[{\"storage_key\":\"a\",\"offset\":0,"
                  "\"size\":4}],\"peak_memory\":4}");
    assert_int_equal(d.remark_count, 0);
    assert_true(d.has_plan);
    assert_int_equal(d.peak, 4);
    assert_int_equal(d.allocation_count, 1);
    assert_string_equal(d.allocations[0].key.data, "a");
    assert_int_equal(d.allocations[0].buffer, ORACLE_NONE);
    assert_int_equal(d.allocations[0].size, 4);
    oracle_document_free(&d);
}

static void test_rules_can_be_asked_for(void **state)
{
    (void)state;
    static const char text[] = HEAD "\"tasks\":[]}";
    oracle_read_options options = {.rules = "conservative"};
    oracle_document d;
    oracle_error error;
    assert_int_equal(
        oracle_document_read(&d, text, sizeof text - 1, &options, &error),
        ORACLE_OK);
    assert_int_equal(d.rules, ORACLE_RULES_CONSERVATIVE);
    oracle_document_free(&d);
    options.rules = "guess";
    assert_int_equal(
        oracle_document_read(&d, text, sizeof text - 1, &options, &error),
        ORACLE_UNSUPPORTED);
}

/* One object with many keys of its own stays linear: no case times out. */
static void test_many_unknown_keys(void **state)
{
    (void)state;
    size_t size = 4000000;
    char *text = malloc(size);
    int used = snprintf(text, size, HEAD "\"tasks\":[]");
    for (int i = 0; i < 200000; i++) {
        used += snprintf(text + used, size - (size_t)used, ",\"k%d\":0", i);
    }
    snprintf(text + used, size - (size_t)used, "}");
    oracle_document d;
    must_read(&d, text);
    assert_true(d.remark_count > 0 && d.remark_count <= 100);
    oracle_document_free(&d);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_field_arrives),
    cmocka_unit_test(test_references_are_resolved),
    cmocka_unit_test(test_numbers_with_symbols),
    cmocka_unit_test(test_written_reads_the_same),
    cmocka_unit_test(test_refuses_values),
    cmocka_unit_test(test_refuses_references),
    cmocka_unit_test(test_refuses_regions_outside),
    cmocka_unit_test(test_unknown_fields_once),
    cmocka_unit_test(test_last_key_wins),
    cmocka_unit_test(test_long_documents),
    cmocka_unit_test(test_score),
    cmocka_unit_test(test_score_refusals),
    cmocka_unit_test(test_score_target),
    cmocka_unit_test(test_letters_of_directions),
    cmocka_unit_test(test_bundle),
    cmocka_unit_test(test_digest_before_the_document),
    cmocka_unit_test(test_one_execution),
    cmocka_unit_test(test_kinds),
    cmocka_unit_test(test_rules_can_be_asked_for),
    cmocka_unit_test(test_many_unknown_keys),
};

TEST_MAIN(tests)
