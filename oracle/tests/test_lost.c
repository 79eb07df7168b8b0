/* adapter.lost-fact: each kind of loss, and that nothing else is one. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ(key)                                                              \
    "{\"buffer\":\"" key "\",\"dispatch\":\"input\",\"access\":[{\"mode\":"    \
    "\"read\",\"must\":true,\"exact\":true}]}"
#define TASK(id, name, args)                                                   \
    "{\"id\":" #id ",\"name\":\"" name "\",\"args\":[" args "]}"
#define ROW(id, name, args, keys)                                              \
    "{\"task_id\":" #id                                                        \
    ",\"func_id\":0,\"core_type\":\"aiv\",\"name\":\"" name                    \
    "\",\"args\":[" args "],\"arg_storage_keys\":[" keys "]}"

static void expect(const char *tasks, const char *rows, const char *cause,
                   const char *place)
{
    char text[4000];
    oracle_judgement judgement;
    snprintf(
        text, sizeof text,
        "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":"
        "\"graph\",\"document\":{\"kind\":\"task_graph\",\"version\":1,"
        "\"name\":\"g\",\"rules\":\"none\",\"buffers\":[{\"key\":\"param:x\","
        "\"bytes\":8,\"external\":true},{\"key\":\"param:y\",\"bytes\":8,"
        "\"external\":true},{\"key\":\"v\",\"bytes\":4,\"alias_of\":{"
        "\"key\":\"param:x\",\"offset\":4}}],\"tasks\":[%s]}},{\"role\":"
        "\"score\",\"document\":{\"name\":\"s\",\"tasks\":[%s]}}]}",
        tasks, rows);
    assert_int_equal(oracle_judge_text(&judgement, text, strlen(text), NULL),
                     ORACLE_OK);
    uint32_t count = 0;
    for (uint32_t i = 0; i < judgement.count; i++) {
        const oracle_finding *one = &judgement.findings[i];
        if (strcmp(one->rule, "adapter.lost-fact") != 0) {
            continue;
        }
        count++;
        if (cause == NULL || strcmp(one->cause, cause) != 0 ||
            strstr(one->message, place) == NULL) {
            fail_msg("%s: %s", cause == NULL ? "nothing" : cause, one->json);
        }
    }
    if (count != (cause != NULL)) {
        fail_msg("%s: %u findings, %s", cause == NULL ? "nothing" : cause,
                 count,
                 judgement.count > 0 ? judgement.findings[0].json : text);
    }
    oracle_judgement_free(&judgement);
}

#define X "\"param:x\""

static void nothing_lost(void **state)
{
    (void)state;
    const char *graph = TASK(0, "k", READ("param:x") ",{\"scalar\":4}");
    expect(graph, ROW(0, "k", "\"x\",4", X ",null"), NULL, "");
    expect(graph, ROW(0, "k", "\"x\",\"4\"", X ",null"), NULL, "");
    /* Any value, as it stands there or as JSON is written. */
    expect(TASK(0, "k",
                READ("param:x") ",{\"scalar\":{\"text\":\"[1,{"
                                "\\\"a\\\":100.0}]\"}}"),
           ROW(0, "k", "\"x\",[1, {\"a\": 1e2}]", X ",null"), NULL, "");
    expect(TASK(0, "k", READ("param:x") ",{\"scalar\":{\"text\":\"[1,2]\"}}"),
           ROW(0, "k", "\"x\",[1, 3]", X ",null"), "constant", "task 0");
    /* A view has its own key, or that of its storage. */
    expect(TASK(0, "k", READ("v")), ROW(0, "k", "\"a\"", X), NULL, "");
    expect(TASK(0, "k", READ("v")), ROW(0, "k", "\"a\"", "\"v\""), NULL, "");
    /* Other names for all. */
    expect(TASK(0, "k", READ("param:x") "," READ("param:y")) "," TASK(
               1, "k", READ("param:y") "," READ("param:x")),
           ROW(0, "k", "\"a\",\"b\"",
               "\"p\",\"q\"") "," ROW(1, "k", "\"c\",\"d\"", "\"q\",\"p\""),
           NULL, "");
    /* A variable is told by its name. */
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"n\"}}"),
           ROW(0, "k", "\"n_0\"", "null"), NULL, "");
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"n2\"}}"),
           ROW(0, "k", "\"n_0\"", "null"), NULL, "");
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"Truest\"}}"),
           ROW(0, "k", "\"n_0\"", "null"), NULL, "");
}

static void losses(void **state)
{
    (void)state;
    expect(TASK(0, "k", "{\"scalar\":4}"), ROW(0, "k", "\"ConstInt\"", "null"),
           "constant",
           "gets 4 as its argument 0, and the Score says "
           "\"ConstInt\"");
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"n + 4\"}}"),
           ROW(0, "k", "\"Add\"", "null"), "constant", "gets n + 4");
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"True\"}}"),
           ROW(0, "k", "\"ConstBool\"", "null"), "constant", "gets True");
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"False\"}}"),
           ROW(0, "k", "true", "null"), "constant", "gets False");
    expect(TASK(0, "k", "{\"scalar\":{\"text\":\"None\"}}"),
           ROW(0, "k", "0", "null"), "constant", "gets None");
    expect(TASK(0, "k", READ("v")), ROW(0, "k", "\"v\"", "null"), "untied",
           "argument 0 of task 0 \"k\" is bytes of param:x");
    expect(TASK(0, "k", READ("param:x")), ROW(0, "k", "\"x\"", "\"param:y\""),
           "rewritten", "in the Score is \"param:y\"");
    expect(TASK(0, "k", READ("param:x")) "," TASK(1, "m", READ("param:x")),
           ROW(0, "k", "\"a\"", X), "dropped", "task 1 \"m\"");
    expect(TASK(1, "in", READ("param:x")) "," TASK(0, "out", READ("param:x")),
           ROW(0, "out", "\"a\"", X) "," ROW(1, "in", "\"a\"", X), "order",
           "task 0 \"out\" runs after task 1 \"in\"");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_lost),
    cmocka_unit_test(losses),
};

TEST_MAIN(tests)
