/* The task graph of a program by what its IR means, beside its Score. */
#include "../../scripts/testing/harness.h"

#include "ir_text.h"

#define X "{\"kind\":\"Var\",\"id\":\"x\",\"name_hint\":\"x\"}"
#define VAR(name)                                                              \
    "{\"kind\":\"Var\",\"id\":\"" name "\",\"name_hint\":\"" name "\"}"
#define REF(name) "{\"ref\":\"" name "\"}"
#define CALL(op, args, dirs)                                                   \
    "{\"kind\":\"Call\",\"op\":\"" op "\",\"args\":[" args                     \
    "],\"arg_directions\":[" dirs "]}"
#define EVAL(call) "{\"kind\":\"EvalStmt\",\"expr\":" call "}"
#define SET(var, value)                                                        \
    "{\"kind\":\"AssignStmt\",\"var\":" var ",\"value\":" value "}"
#define PROGRAM(body)                                                          \
    "{\"kind\":\"Function\",\"name\":\"f\",\"params\":[" X "],\"body\":[" body \
    "]}"

/* What the graph says; `words` stand in it in this order. */
static void expect(const char *text, const char *const *words)
{
    sonata_program *program = read_program(text);
    sonata_eligibility result;
    char *json = NULL;
    size_t length = 0;
    assert_int_equal(sonata_ir_plan(&result, program, NULL, NULL), SONATA_OK);
    assert_true(result.eligible);
    assert_int_equal(sonata_ir_graph_json(&json, &length, program, NULL,
                                          &result.score, NULL, 0, false, NULL),
                     SONATA_OK);
    assert_int_equal(strlen(json), length);
    const char *at = json;
    for (size_t i = 0; words[i] != NULL; i++) {
        const char *found = strstr(at, words[i]);
        if (found == NULL)
            fail_msg("%s is not behind what comes before it in %s", words[i],
                     json);
        at = found + strlen(words[i]);
    }
    free(json);
    sonata_eligibility_free(&result);
    sonata_program_free(program);
}

static void constants(void **state)
{
    (void)state;
    expect(PROGRAM(
               EVAL(CALL("k", REF("x") ",{\"kind\":\"ConstInt\",\"value\":4},8",
                         "\"Input\",\"Scalar\",\"Scalar\""))),
           (const char *const[]){"\"tasks\":", "\"scalar\":{\"text\":\"4\"}",
                                 "\"scalar\":{\"text\":\"8\"}", NULL});
}

/* The first task has the first tensor, whatever the name stands for later. */
static void later_assignments(void **state)
{
    (void)state;
    expect(PROGRAM(SET(VAR("t"), CALL("tensor.create", "", "")) "," EVAL(CALL(
               "k", REF("t"),
               "\"Output\"")) "," SET(REF("t"),
                                      CALL("tensor.create", "",
                                           "")) "," EVAL(CALL("m", REF("t"),
                                                              "\"Output\""))),
           (const char *const[]){"\"tasks\":", "\"buffer\":\"alloc:t\"",
                                 "\"name\":\"k\"", "\"buffer\":\"alloc:t@2\"",
                                 "\"name\":\"m\"", NULL});
}

static void ties(void **state)
{
    (void)state;
    expect(PROGRAM(SET(VAR("v"), REF("x")) "," SET(
               VAR("s"), CALL("tensor.slice", REF("v") ",0",
                              "")) "," EVAL(CALL("k", REF("v") "," REF("s"),
                                                 "\"Input\",\"InOut\""))),
           (const char *const[]){"\"tasks\":", "\"exact\":true",
                                 "\"buffer\":\"param:x\"", "\"exact\":false",
                                 "\"buffer\":\"param:x\"", NULL});
    /* Of what is assigned anew, nothing is left. */
    expect(PROGRAM(SET(VAR("v"), REF("x")) "," SET(
               REF("v"), CALL("tensor.other", "",
                              "")) "," EVAL(CALL("k", REF("v"), "\"Input\""))),
           (const char *const[]){"\"tasks\":", "\"buffer\":\"v\"", NULL});
}

/* What a variable is when it is read, however it got there. */
static void results(void **state)
{
    (void)state;
    /* x = k(x) is x. */
    expect(PROGRAM(SET(REF("x"), CALL("k", REF("x"), "\"InOut\"")) "," EVAL(
               CALL("m", REF("x"), "\"Input\""))),
           (const char *const[]){"\"tasks\":", "\"name\":\"k\"",
                                 "\"buffer\":\"param:x\"", "\"name\":\"m\"",
                                 NULL});
    /* Elements of a tuple by another name. */
    expect(
        PROGRAM(SET(VAR("r"), CALL("k", REF("x"), "\"InOut\"")) "," SET(
            VAR("v"),
            REF("r")) "," SET(VAR("e"),
                              "{\"kind\":\"TupleGetItemExpr\","
                              "\"tuple\":{\"ref\":\"v\"},\"index\":"
                              "0}") "," EVAL(CALL("m", REF("e"), "\"Input\""))),
        (const char *const[]){"\"tasks\":", "\"name\":\"k\"",
                              "\"buffer\":\"param:x\"", "\"name\":\"m\"",
                              NULL});
    /* What is assigned anew is no tuple any more. */
    expect(
        PROGRAM(SET(VAR("r"), CALL("k", REF("x"), "\"InOut\"")) "," SET(
            REF("r"), "3") "," SET(VAR("e"),
                                   "{\"kind\":\"TupleGetItemExpr\","
                                   "\"tuple\":{\"ref\":\"r\"},"
                                   "\"index\":0}") "," EVAL(CALL("m", REF("e"),
                                                                 "\"Input\""))),
        (const char *const[]){"\"tasks\":", "\"name\":\"k\"",
                              "\"buffer\":\"e\"", "\"name\":\"m\"", NULL});
    /* What is made of a part is none. */
    expect(
        PROGRAM(SET(VAR("s"), CALL("tensor.slice", REF("x") ",0", "")) "," SET(
            VAR("t"),
            CALL("tensor.create", REF("s"),
                 "\"Output\"")) "," EVAL(CALL("m", REF("t"), "\"Output\""))),
        (const char *const[]){"\"tasks\":", "\"exact\":true",
                              "\"buffer\":\"alloc:t\"", NULL});
}

/* 1, 1.0 and True are one key; None and 0 are not. */
static void constant_keys(void **state)
{
    (void)state;
    expect(PROGRAM(EVAL(CALL("k", "true,1.0,0,null",
                             "\"Input\",\"Input\",\"Input\",\"Input\""))),
           (const char *const[]){"\"key\":\"json:true\"", "\"key\":\"json:0\"",
                                 "\"key\":\"json:null\"", "\"edges\":", NULL});
}

static void nested_calls(void **state)
{
    (void)state;
    expect(PROGRAM(EVAL(CALL("outer", CALL("inner", REF("x"), "\"InOut\""),
                             "\"Input\""))),
           (const char *const[]){"\"tasks\":", "\"id\":1", "\"name\":\"inner\"",
                                 "\"buffer\":\"param:x\"", "\"id\":0",
                                 "\"name\":\"outer\"", NULL});
}

static void other_statements(void **state)
{
    (void)state;
    expect(PROGRAM(EVAL(
               CALL("k", REF("x"),
                    "\"Input\"")) ","
                                  "{\"kind\":\"AssertStmt\",\"what\":" CALL(
                                      "hidden", REF("x"), "\"Input\"") "}"),
           (const char *const[]){"\"tasks\":", "\"id\":0", "\"name\":\"k\"",
                                 "\"id\":1", "\"name\":\"hidden\"", NULL});
    /* A loop is no list of calls: the graph is that of the Score. */
    expect(PROGRAM(EVAL(CALL(
               "k", REF("x") ",4",
               "\"Input\",\"Scalar\"")) ","
                                        "{\"kind\":\"AssertStmt\",\"what\":{"
                                        "\"kind\":\"ForStmt\"}}"),
           (const char *const[]){"\"tasks\":", "\"scalar\":{\"text\":\"int\"}",
                                 NULL});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(constants),
    cmocka_unit_test(later_assignments),
    cmocka_unit_test(ties),
    cmocka_unit_test(results),
    cmocka_unit_test(constant_keys),
    cmocka_unit_test(nested_calls),
    cmocka_unit_test(other_statements),
};

TEST_MAIN(tests)
