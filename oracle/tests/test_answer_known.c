/* The second answer: what is known from outside, and the judgement beside. */
#include "../../scripts/testing/harness.h"

#include "oracle/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM ((size_t)1 << 14)

static void quote(char *text)
{
    for (; *text != '\0'; text++) {
        *text = *text == '\'' ? '"' : *text;
    }
}

static oracle_bytes quoted(char *room, const char *text)
{
    assert_true(strlen(text) < ROOM);
    memcpy(room, text, strlen(text) + 1);
    quote(room);
    return (oracle_bytes){room, strlen(room)};
}

/* Asks about a program, with ' for " in all texts. */
static oracle_status ask(oracle_judgement *j, const char *input,
                         const char *asked, const char *expected,
                         const char *line)
{
    static char texts[4][ROOM];
    oracle_question q = {"ir", quoted(texts[0], input), quoted(texts[1], asked),
                         quoted(texts[2], expected)};
    return oracle_answer_check(j, &q, quoted(texts[3], line), NULL);
}

static void expect(const char *expected, const char *line, const char *rule,
                   const char *cause)
{
    oracle_judgement j;
    assert_int_equal(ask(&j, "{}", "{'emit':''}", expected, line), ORACLE_OK);
    if (rule == NULL ? j.count != 0
                     : j.count != 1 || strcmp(j.findings[0].rule, rule) != 0 ||
                           strcmp(j.findings[0].cause, cause) != 0) {
        fail_msg("%s %s is expected, found are %u: %s [%s] %s",
                 rule == NULL ? "nothing" : rule, rule == NULL ? "" : cause,
                 (unsigned)j.count, j.count > 0 ? j.findings[0].rule : "",
                 j.count > 0 ? j.findings[0].cause : "",
                 j.count > 0 ? j.findings[0].message : "");
    }
    oracle_judgement_free(&j);
}

#define TARGET                                                                 \
    "'runtime_target':{'aicpu_thread_num':4,'config_comment':[],"              \
    "'function_name':'build_p_graph','runtime':'host_build_graph'},"
#define REST "'schema_version':1,'shape_assumptions':[],"
#define TASK                                                                   \
    "{'arg_directions':['Input'],'arg_storage_keys':[null],'args':['x'],"      \
    "'core_type':'aiv','func_id':0,'name':'f','task_id':0}"
#define SCORE(dependencies, metadata, tasks)                                   \
    "{'dependencies':[" dependencies "],'metadata':{" metadata                 \
    "},'name':'p'," TARGET REST "'tasks':[" tasks "]}"
#define IN_BUNDLE(document)                                                    \
    "{'bundle':{'members':[{'role':'score','document':" document "}]}}"
#define EDGE "{'consumer':0,'kind':'data','producer':0}"

/* The Score of a program, and one field of it changed. */
static void known_score(void **state)
{
    (void)state;
    static const char score[] = SCORE("", "'a':1", TASK);
    expect(score, IN_BUNDLE(SCORE("", "'a':1", TASK)), NULL, NULL);
    expect(score, IN_BUNDLE(SCORE("", "'a':2", TASK)), "diff.encoding",
           "metadata");
    expect(score, IN_BUNDLE(SCORE("", "'a':1", "")), "diff.encoding", "tasks");
    expect(score, IN_BUNDLE(SCORE(EDGE, "'a':1", TASK)), "diff.order",
           "dependencies");
    expect(score,
           "{'error':{'code':'doc.schema','message':'no','path':'body'}}",
           "diff.accept", "doc.schema");
    expect("{'eligible':true,'score':" SCORE("", "", TASK) "}",
           IN_BUNDLE(SCORE("", "", TASK)), NULL, NULL);
}

/* What is worked out from a Score that nobody else knows. */
static void own_score(void **state)
{
    (void)state;
    static const char line[] =
        "{'bundle':{'members':[{'role':'score','document':" SCORE(
            "", "", TASK) "},{'role':'liveness','document':{'kind':"
                          "'liveness','lifetimes':[%s],'version':1}}]}}";
    char text[2048];
    snprintf(text, sizeof text, line, "");
    expect("", text, NULL, NULL);
    snprintf(text, sizeof text, line,
             "{'birth':0,'death':0,'storage_key':'x'}");
    expect("", text, "diff.liveness", "lifetimes");
}

/* Half of the memory must be known: 0 of 1 is not. */
static void coverage(void **state)
{
    (void)state;
    static const char line[] =
        "{'bundle':{'members':[{'role':'eligibility','document':{'eligible':"
        "true,'reason_details':[%s],'reasons':[],'schema_version':1,"
        "'score':" SCORE("", "", TASK) "}}]}}";
    static const char warning[] =
        "{'code':'storage_coverage_below_threshold','message':'memory storage "
        "key coverage below threshold: 0/%d < 0.5','severity':'warning'}";
    char text[2048], details[512];
    snprintf(details, sizeof details, warning, 1);
    snprintf(text, sizeof text, line, details);
    expect(SCORE("", "", TASK), text, NULL, NULL);
    snprintf(text, sizeof text, line, "");
    expect(SCORE("", "", TASK), text, "diff.validate", "reason-details");
    snprintf(details, sizeof details, warning, 2);
    snprintf(text, sizeof text, line, details);
    expect(SCORE("", "", TASK), text, "diff.validate", "reason-details");
}

static void known_reasons(void **state)
{
    (void)state;
    static const char expected[] = "{'eligible':false,'reasons':['no root']}";
    static const char line[] =
        "{'bundle':{'members':[{'role':'eligibility','document':"
        "{'eligible':%s,'reason_details':[],'reasons':['%s'],"
        "'schema_version':1,'score':null}}]}}";
    char text[512];
    snprintf(text, sizeof text, line, "false", "no root");
    expect(expected, text, NULL, NULL);
    snprintf(text, sizeof text, line, "false", "no body");
    expect(expected, text, "diff.validate", "reasons");
    snprintf(text, sizeof text, line, "true", "no root");
    expect(expected, text, "diff.validate", "eligible");
    expect("{'eligible':false}", IN_BUNDLE(SCORE("", "", "")), "diff.validate",
           "score");
    expect("{'eligible':false}", "{'bundle':{'members':[]}}", "diff.validate",
           "score");
}

static void known_error(void **state)
{
    (void)state;
    static const char expected[] =
        "{'error':{'code':'doc.schema','message':'m','path':'body[1]'}}";
    expect(expected,
           "{'error':{'code':'doc.schema','message':'m','path':'body[1]',"
           "'line':null}}",
           NULL, NULL);
    expect(expected,
           "{'error':{'code':'doc.range','message':'m','path':'body[1]'}}",
           "diff.accept", "code");
    expect(expected,
           "{'error':{'code':'doc.schema','message':'m','path':'body[2]'}}",
           "diff.accept", "place");
    expect(expected, "{'bundle':{}}", "diff.accept", "accepts-schema");
    expect("{'error':{'code':'doc.syntax','offset':4}}",
           "{'error':{'code':'doc.syntax','message':'m','offset':5}}",
           "diff.accept", "place");
    expect("{'error':{}}", "{'bundle':{}}", "diff.accept", "accepts-schema");
}

/* Nothing is known of a program but whether it is JSON. */
static void program_text(void **state)
{
    (void)state;
    oracle_judgement j;
    assert_int_equal(ask(&j, "{'kind':", "", "",
                         "{'error':{'code':'doc.schema','message':'m'}}"),
                     ORACLE_OK);
    assert_int_equal(j.count, 1);
    assert_string_equal(j.findings[0].cause, "code");
    oracle_judgement_free(&j);
    assert_int_equal(
        ask(&j, "{}", "", "", "{'error':{'code':'doc.schema','message':'m'}}"),
        ORACLE_OK);
    assert_int_equal(j.count, 0);
    oracle_judgement_free(&j);
    assert_int_equal(ask(&j, "{'kind':'Function','body':1}", "", "",
                         "{'error':{'code':'doc.schema','message':'m'}}"),
                     ORACLE_OK);
    assert_int_equal(j.count, 1);
    assert_string_equal(j.findings[0].cause, "place");
    oracle_judgement_free(&j);
}

/* Of a dump its graph says what it is and by which rules it was asked for. */
static void dump_graph(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *graph;
        uint32_t count;
    } rows[] = {
        {"{'emit':'graph'}", "{'kind':'task_graph','rules':'tensormap'}", 0},
        {"{'emit':'graph'}", "{'kind':'task_graph','rules':'conservative'}", 1},
        {"{'emit':'graph','rules':'conservative'}",
         "{'kind':'task_graph','rules':'conservative'}", 0},
        {"", "{'kind':'graph'}", 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char texts[2][ROOM];
        char line[256];
        oracle_judgement j;
        snprintf(line, sizeof line,
                 "{'bundle':{'members':[{'role':'graph','document':%s}]}}",
                 rows[i].graph);
        oracle_question q = {.kind = "dump",
                             .input = {"x", 1},
                             .options = quoted(texts[0], rows[i].asked)};
        assert_int_equal(
            oracle_answer_check(&j, &q, quoted(texts[1], line), NULL),
            ORACLE_OK);
        assert_int_equal(j.count, rows[i].count);
        oracle_judgement_free(&j);
    }
}

/* --- No questions, no answers --- */

static void none(void **state)
{
    (void)state;
    static const char *const lines[] = {"",
                                        "{}",
                                        "[]",
                                        "{'bundle':1}",
                                        "{'bundle':{},'error':{}}",
                                        "{'bundle':{}} x",
                                        "{'bundle':{}",
                                        "{'bundle':{},}",
                                        "{'error':'no'}",
                                        "{'error':{'code':5,'message':[]}}",
                                        "{'error':{'code':'a'}}",
                                        "{'error':{'code':'','message':'m'}}",
                                        "{'error':{'code':'a','message':''}}",
                                        "{'bundle' {}}"};
    oracle_judgement j;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (ask(&j, "{}", "", "", lines[i]) != ORACLE_SYNTAX) {
            fail_msg("taken for an answer: %s", lines[i]);
        }
    }
    assert_int_equal(ask(&j, "{}", "{", "", "{'bundle':{}}"), ORACLE_SCHEMA);
    assert_int_equal(ask(&j, "{}", "", "x", "{'bundle':{}}"), ORACLE_SCHEMA);
}

/* --- With the judgement --- */

static const char task_of[] =
    "{'arg_directions':['%s'],'arg_storage_keys':['alloc:a'],'args':['a'],"
    "'core_type':'aiv','func_id':0,'name':'f','task_id':%d}";

static void judged(void **state)
{
    (void)state;
    static char texts[3][ROOM];
    char tasks[2][256], input[1024], line[1536];
    oracle_judgement j;
    snprintf(tasks[0], sizeof tasks[0], task_of, "Output", 0);
    snprintf(tasks[1], sizeof tasks[1], task_of, "Input", 1);
    snprintf(input, sizeof input,
             "{'dependencies':[],'metadata':{},'name':'p'," TARGET REST
             "'tasks':[%s,%s]}",
             tasks[0], tasks[1]);
    snprintf(line, sizeof line,
             "{'id':1,'bundle':{'kind':'bundle','version':1,'members':[{"
             "'role':'score','document':%s},{'role':'liveness','document':"
             "{'kind':'liveness','lifetimes':[],'version':1}}]}}",
             input);
    oracle_question q = {.kind = "score",
                         .input = quoted(texts[0], input),
                         .options = quoted(texts[2], "{'emit':'score'}")};
    oracle_bytes answer = quoted(texts[1], line);
    assert_int_equal(oracle_answer_judge(&j, &q, answer, NULL), ORACLE_OK);
    assert_int_equal(j.verdict, ORACLE_FINDINGS);
    assert_int_equal(j.count, 2);
    assert_int_equal(j.total, 2);
    assert_string_equal(j.findings[0].rule, "diff.liveness");
    assert_string_equal(j.findings[1].rule, "hazard.raw");
    assert_non_null(strstr(j.findings[0].json, "\"case\":"));
    oracle_judgement_free(&j);
}

/* The judgement of an error that is right, and of a deep member. */
static void judged_edges(void **state)
{
    (void)state;
    static char input[2048], line[ROOM];
    oracle_question q = {.kind = "score", .input = {"{", 1}};
    oracle_judgement j;
    oracle_bytes answer = quoted(line, "{'error':{'code':'doc.syntax','message'"
                                       ":'m','line':1,'column':2,'offset':1}}");
    assert_int_equal(oracle_answer_judge(&j, &q, answer, NULL), ORACLE_OK);
    assert_int_equal(j.verdict, ORACLE_CLEAN);
    assert_int_equal(j.count, 0);
    oracle_judgement_free(&j);
    char deep[1024] = {0};
    memset(deep, '[', 509);
    memset(deep + 509, ']', 509);
    snprintf(input, sizeof input,
             "{\"dependencies\":[],\"metadata\":{\"a\":%s},\"name\":\"p\","
             "\"runtime_target\":{\"aicpu_thread_num\":null,"
             "\"config_comment\":[],\"function_name\":\"f\",\"runtime\":\"r\"},"
             "\"schema_version\":1,\"shape_assumptions\":[],\"tasks\":[]}",
             deep);
    snprintf(line, sizeof line,
             "{\"bundle\":{\"kind\":\"bundle\",\"version\":1,\"members\":[{"
             "\"role\":\"score\",\"document\":%s}]},\"id\":1}",
             input);
    q.input = (oracle_bytes){input, strlen(input)};
    q.options = (oracle_bytes){"{\"emit\":\"score\"}", 16};
    answer = (oracle_bytes){line, strlen(line)};
    assert_int_equal(oracle_answer_judge(&j, &q, answer, NULL), ORACLE_OK);
    assert_int_equal(j.count, 0);
    assert_int_equal(j.verdict, ORACLE_CLEAN);
    oracle_judgement_free(&j);
}

/* --- Findings of others --- */

static void made(void **state)
{
    (void)state;
    oracle_judgement j = {0};
    const oracle_judge_options options = {.case_digest = "00"}, none = {0};
    char rule[] = "diff.repeat", cause[] = "score", message[] = "It differs.";
    assert_int_equal(
        oracle_finding_make(&j, rule, cause, NULL, message, &options),
        ORACLE_OK);
    assert_int_equal(oracle_finding_make(&j, "diff.expected", NULL, NULL,
                                         "It is not there.", &none),
                     ORACLE_OK);
    rule[0] = cause[0] = message[0] = 'x'; /* the texts are copied */
    assert_int_equal(j.verdict, ORACLE_FINDINGS);
    assert_int_equal(j.count, 2);
    assert_int_equal(j.total, 2);
    assert_string_equal(j.findings[1].rule, "diff.expected");
    assert_null(j.findings[1].cause);
    assert_string_equal(j.findings[0].rule, "diff.repeat");
    assert_string_equal(j.findings[0].cause, "score");
    char wanted[256];
    snprintf(wanted, sizeof wanted,
             "{\"case\":\"00\",\"cause\":\"score\",\"message\":\"It differs.\","
             "\"rule\":\"diff.repeat\",\"severity\":\"error\","
             "\"signature\":\"%s\"}",
             j.findings[0].signature);
    assert_string_equal(j.findings[0].json, wanted);
    assert_string_not_equal(j.findings[1].signature, j.findings[0].signature);
    oracle_judgement_free(&j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_score), cmocka_unit_test(own_score),
    cmocka_unit_test(coverage),    cmocka_unit_test(known_reasons),
    cmocka_unit_test(known_error), cmocka_unit_test(program_text),
    cmocka_unit_test(none),        cmocka_unit_test(dump_graph),
    cmocka_unit_test(judged),      cmocka_unit_test(judged_edges),
    cmocka_unit_test(made),
};

TEST_MAIN(tests)
