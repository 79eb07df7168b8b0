/* Planning, comparing and drawing with memory that runs out at every point. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "../../scripts/testing/harness.h"
#include "../../scripts/testing/no_memory.h"
#include "../conform.h"
#include "../graph/draw.h"
#include "../planning.h"
#include "oracle/judge.h"

/* False: out of memory. */
typedef bool (*work)(cli_text *out, const void *context);

static long run_short_of_memory(work run, const void *context)
{
    cJSON_Hooks hooks = {__wrap_malloc, free};
    cJSON_InitHooks(&hooks);
    for (long most = 0;; most++) {
        cli_text out = {0};
        allow_allocations(most);
        bool ok = run(&out, context);
        allow_all_allocations();
        assert_int_equal(ok, !has_failed);
        cli_text_free(&out);
        if (!has_failed)
            return most;
    }
}

static bool plan(cli_text *out, const void *context)
{
    sonata_error error = {0};
    return cli_plan_make(out, context, &error) != SONATA_NO_MEMORY;
}

#define EMIT                                                                   \
    "graph,score,eligibility,handle,hbg,memory,regions,alias,liveness,"        \
    "conflicts"
#define SCORE                                                                  \
    "{\"name\":\"s\",\"tasks\":[{\"task_id\":0,\"func_id\":0,\"core_type\":"   \
    "\"aic\",\"name\":\"k\",\"args\":[\"x\",\"t\",1],\"arg_directions\":["     \
    "\"Input\",\"Output\",\"Scalar\"],\"arg_storage_keys\":[\"param:x\","      \
    "\"alloc:t\",null]}],\"metadata\":{\"a\":1},\"later\":2}"
#define PROGRAM                                                                \
    "{\"kind\":\"Function\",\"name\":\"f\",\"params\":[{\"kind\":\"Var\","     \
    "\"id\":\"x\",\"name_hint\":\"x\"}],\"body\":[{\"kind\":\"EvalStmt\","     \
    "\"expr\":{\"kind\":\"Call\",\"op\":\"k\",\"args\":[{\"ref\":\"x\"}],"     \
    "\"arg_directions\":[\"InOut\"]}}]}"

static cli_span span_of(const char *text)
{
    return (cli_span){text, strlen(text)};
}

static void plans(void **state)
{
    (void)state;
    const cli_plan_request requests[] = {
        {.kind = "score",
         .input = span_of(SCORE),
         .policy = "mixed",
         .emit = EMIT,
         .sizes = span_of("{\"alloc:t\":5}")},
        {.kind = "score", .input = span_of("{\"name\":\"\"}"), .emit = EMIT},
        {.kind = "ir",
         .input = span_of(PROGRAM),
         .profile = "safe",
         .emit = EMIT},
        {.kind = "ir",
         .input = span_of(PROGRAM),
         .profile = "sonata-0.9",
         .entry = span_of("g"),
         .emit = EMIT},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        long points = run_short_of_memory(plan, &requests[i]);
        print_message("%ld allocations\n", points);
        assert_true(points > 20);
    }
}

static bool compare(cli_text *out, const void *context)
{
    const char *line = context;
    return cli_conform_case(out, line, strlen(line));
}

static void cases(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"id\":\"a\",\"score\":" SCORE ",\"fingerprint\":\"\","
        "\"score_json_sha256\":\"\",\"mixed_deps\":[],\"lifetimes\":[[1]],"
        "\"conflicts\":[],\"memory_plan\":{\"peak\":7},\"validate\":{},"
        "\"plan_handle\":{\"score_fingerprint\":\"\"},\"hbg_plan\":{},"
        "\"counts\":{\"lifetimes\":0},\"buffer_sizes\":[[\"alloc:t\",4]]}",
        "{\"id\":\"b\",\"ir\":" PROGRAM ",\"static\":{\"mixed\":{}},"
        "\"regions\":[],\"region_eligibility\":{\"score\":1}}",
        "{\"id\":\"c\",\"score\":{\"name\":\"\\ud800\"},\"peak\":1}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        long points = run_short_of_memory(compare, lines[i]);
        print_message("%ld allocations\n", points);
        assert_true(points > 2);
    }
}

#define NODE(id, more)                                                         \
    "{\"id\":" id ",\"name\":\"k\",\"core\":\"aiv\",\"line\":3" more           \
    ",\"args\":[{\"buffer\":\"alloc:t\",\"dispatch\":\"inout\"}]}"
#define GRAPH                                                                  \
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\",\"buffers\":[{" \
    "\"key\":\"alloc:t\",\"bytes\":8}],\"choices\":[{\"id\":0,\"kind\":"       \
    "\"if\","                                                                  \
    "\"text\":\"n\"}],\"scopes\":[{\"id\":0,\"manual\":true,\"parent\":null}]" \
    ","                                                                        \
    "\"tasks\":[" NODE("0", "") "," NODE("1", ",\"scope\":0") "," NODE(        \
        "2", ",\"deps\":[{\"task\":0},{\"task\":1}],\"when\":[{\"choice\":0,"  \
             "\"is\":true}]") "," NODE("3", ",\"deps\":[{\"task\":0}]") "]}"

typedef struct drawing {
    const oracle_document *document;
    const cli_case *c;
    uint32_t around;
} drawing;

static bool draw(cli_text *out, const void *context)
{
    const drawing *d = context;
    picture p = {0};
    bool ok = picture_make(&p, d->document, d->c, d->around, 1);
    if (ok) {
        draw_dot(out, &p);
        draw_svg(out, &p);
    }
    picture_free(&p);
    return ok && !out->failed;
}

static void drawings(void **state)
{
    (void)state;
    oracle_document document;
    oracle_judgement judgement;
    oracle_error error = {0};
    cli_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    assert_int_equal(
        oracle_document_read(&document, GRAPH, strlen(GRAPH), NULL, &error),
        ORACLE_OK);
    assert_string_equal(error.message, "");
    assert_int_equal(oracle_judge_document(&judgement, &document, NULL),
                     ORACLE_OK);
    assert_true(judgement.count > 0);
    for (uint32_t i = 0; i < judgement.count; i++)
        assert_true(
            cli_case_add_record(c, span_of(judgement.findings[i].json)));
    for (uint32_t around = 0; around < 2; around++) {
        drawing d = {&document, c, around == 0 ? PICTURE_NONE : 3};
        long points = run_short_of_memory(draw, &d);
        print_message("%ld allocations\n", points);
        assert_true(points > 50);
    }
    oracle_judgement_free(&judgement);
    oracle_document_free(&document);
    cli_case_free(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plans),
    cmocka_unit_test(cases),
    cmocka_unit_test(drawings),
};

TEST_MAIN(tests)
