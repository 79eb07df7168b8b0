/* The protocol of the processes, as another program would speak it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../text.h"
#include "tool.h"

#define PROGRAMS "corpus/programs/"

static void add_file(cli_text *out, const char *path)
{
    char text[16384];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t length = fread(text, 1, sizeof text, in);
    assert_true(length > 0 && length < sizeof text);
    fclose(in);
    cli_text_json(out, text, length);
}

static void add_plan(cli_text *out, int id, const char *path)
{
    cli_text_printf(out, "{\"id\":%d,\"kind\":\"dump\",\"input\":", id);
    add_file(out, path);
    cli_text_put(out, ",\"options\":{\"rules\":\"conservative\"}}\n");
}

/* One answer per request, in order, each with its id. */
static void plans(void **state)
{
    (void)state;
    cli_text requests = {0};
    add_plan(&requests, 7, PROGRAMS "chain.py");
    add_plan(&requests, 3, PROGRAMS "while_loop.py");
    cli_text_put(&requests, "{\"id\":0,\"kind\":\"score\",\"input\":\"{}\"}\n");
    tool_result result;
    tool_run(&result, requests.data, "serve", NULL);
    assert_int_equal(result.status, 0);
    char *second = strchr(result.out, '\n') + 1;
    char *third = strchr(second, '\n') + 1;
    assert_int_equal(strncmp(result.out, "{\"bundle\":{", 11), 0);
    assert_non_null(strstr(result.out, "\"rules\":\"conservative\""));
    assert_int_equal(strncmp(second - 9, ",\"id\":7}\n", 9), 0);
    assert_int_equal(strncmp(second, "{\"error\":{\"code\":\"doc.unsu", 25), 0);
    assert_int_equal(tool_number(second, "line"), 15);
    assert_int_equal(tool_number(second, "id"), 3);
    assert_int_equal(tool_number(third, "id"), 0);
    assert_string_equal(strchr(third, '\n'), "\n");
    tool_free(&result);
    cli_text_free(&requests);
}

static void judges(void **state)
{
    (void)state;
    tool_result bundle, result;
    tool_run(&bundle, NULL, "plan", PROGRAMS "chain.py", NULL);
    bundle.out[bundle.out_length - 1] = '\0';
    cli_text request = {0};
    cli_text_printf(&request, "{\"id\":1,\"kind\":\"judge\",\"document\":%s}\n",
                    bundle.out);
    cli_text_put(&request, "{\"id\":2,\"kind\":\"judge\",\"input\":");
    cli_text_quote(&request, bundle.out);
    cli_text_put(&request, "}\n");
    cli_text_put(&request, "{\"id\":3,\"kind\":\"judge\",\"input\":\"\"}\n");
    tool_run(&result, request.data, "serve", "--judge", NULL);
    assert_int_equal(result.status, 0);
    char *second = strchr(result.out, '\n') + 1;
    char *third = strchr(second, '\n') + 1;
    assert_int_equal(tool_number(result.out, "id"), 1);
    assert_int_equal(tool_number(second, "id"), 2);
    assert_non_null(strstr(third, "\"verdict\":\"refused\""));
    /* Bytes or a string: the same answer. */
    char *a = strstr(result.out, "\"total\""), *b = strstr(second, "\"total\"");
    assert_memory_equal(a, b, (size_t)(second - a));
    tool_free(&bundle);
    tool_free(&result);
    cli_text_free(&request);
}

static void wrong_requests(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "hello\n",
        "\n",
        "{}\n",
        "{\"id\":-1,\"kind\":\"dump\",\"input\":\"\"}\n",
        "{\"id\":1,\"input\":\"\"}\n",
        "{\"id\":1,\"kind\":\"score\"}\n",
        "{\"id\":1,\"kind\":\"dump\",\"input\":7}\n",
        "{\"id\":1,\"kind\":\"dump\",\"input\":\"\\ud800\"}\n",
        "{\"id\":1,\"kind\":\"dump\",\"input\":\"\",\"options\":[]}\n",
        "{\"id\":1,\"kind\":\"dump\",\"input\":\"\"",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        tool_expect(2, lines[i], "serve", NULL);
        tool_expect(2, lines[i], "serve", "--judge", NULL);
    }
    tool_result result;
    tool_run(&result, "{\"id\":1,\"kind\":\"score\",\"input\":\"{}\"}\n[]\n",
             "serve", NULL);
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.error, "line 2 is no request"));
    tool_free(&result);
    tool_expect(0, "", "serve", NULL);
    tool_expect(2, "{\"id\":1,\"kind\":\"dump\",\"input\":\"\"}\n", "serve",
                "--judge", NULL);
}

/* A member that there is not: which, and which there are. */
static void wrong_member(void **state)
{
    (void)state;
    tool_result result;
    tool_run(&result,
             "{\"id\":1,\"kind\":\"score\",\"input\":\"{}\",\"options\":{"
             "\"emit\":\"score,hbq,graph\"}}\n",
             "serve", NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.out, "no member 'hbq' (emit takes bundle"));
    assert_non_null(strstr(result.out, "\"path\":\"emit\""));
    tool_free(&result);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plans),
    cmocka_unit_test(judges),
    cmocka_unit_test(wrong_requests),
    cmocka_unit_test(wrong_member),
};

TEST_MAIN(tests)
