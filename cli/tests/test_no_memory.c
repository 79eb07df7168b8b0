/* Planning and comparing with memory that runs out at every point. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "../../scripts/testing/harness.h"
#include "../conform.h"
#include "../planning.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);

static long allocations_left = -1; /* below 0: no limit */
static bool has_failed;

static bool may_allocate(void)
{
    if (allocations_left == 0)
        has_failed = true;
    else if (allocations_left > 0)
        allocations_left--;
    return allocations_left != 0 || !has_failed;
}

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return may_allocate() ? __real_reallocarray(old, count, size) : NULL;
}

/* False: out of memory. */
typedef bool (*work)(cli_text *out, const void *context);

static long run_short_of_memory(work run, const void *context)
{
    cJSON_Hooks hooks = {__wrap_malloc, free};
    cJSON_InitHooks(&hooks);
    for (long most = 0;; most++) {
        cli_text out = {0};
        allocations_left = most;
        has_failed = false;
        bool ok = run(&out, context);
        allocations_left = -1;
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plans),
    cmocka_unit_test(cases),
};

TEST_MAIN(tests)
