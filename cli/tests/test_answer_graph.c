/*
 * Task graphs of programs: the planner's and the oracle's own agree on programs
 * that are drawn at random, of forms that nobody writes, too; and each lie
 * about one is found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../json.h"
#include "../serve.h"
#include "oracle/answer.h"

#define VARS 8

/* --- Programs --- */

typedef struct maker {
    cli_text out;
    uint64_t state;
    bool defined[VARS]; /* ... in this function, so that a ref names it */
    uint32_t function;
    uint32_t calls; /* that have an id */
    uint32_t depth;
    bool flow; /* with statements that are regions of their own */
} maker;

static uint32_t draw(maker *m, uint32_t below)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->state >> 33) % below;
}

/* Some of them have one name, or none. */
static void put_var(maker *m, uint32_t var)
{
    static const char *const names[VARS] = {"a", "b",  "b", "c.d",
                                            "",  NULL, "e", "\\u00e9"};
    if (m->defined[var]) {
        cli_text_printf(&m->out, "{\"ref\":\"v%u.%u\"}", m->function, var);
        return;
    }
    m->defined[var] = true;
    cli_text_printf(&m->out, "{\"id\":\"v%u.%u\",\"kind\":\"Var\"", m->function,
                    var);
    if (names[var] != NULL)
        cli_text_printf(&m->out, ",\"%s\":\"%s\"",
                        var % 2 == 0 ? "name_hint" : "name", names[var]);
    cli_text_put(&m->out, "}");
}

static void put_call(maker *m);

static void put_arg(maker *m)
{
    static const char *const constants[] = {
        "4",
        "-0",
        "1.50",
        "-0.0",
        "true",
        "false",
        "null",
        "\"s\"",
        "[1]",
        "{\"a\":{}}",
        "{\"kind\":\"ConstInt\",\"value\":8}",
        "{\"kind\":\"ConstBool\",\"value\":true}",
        "{\"kind\":\"Other\",\"name\":\"n\",\"value\":null}",
        "{\"kind\":\"Text\",\"value\":\"t\"}",
        "1e3",
        "1.0"};
    uint32_t way = draw(m, 8);
    if (way == 0 && m->depth < 3)
        put_call(m);
    else if (way < 3)
        cli_text_put(&m->out,
                     constants[draw(m, sizeof constants / sizeof *constants)]);
    else
        put_var(m, draw(m, VARS));
}

static void put_directions(maker *m, uint32_t args)
{
    static const char *const tokens[] = {"\"Input\"",
                                         "\"Output\"",
                                         "\"OutputExisting\"",
                                         "\"in-out\"",
                                         "\"NoDep\"",
                                         "\"Scalar\"",
                                         "\"What\"",
                                         "{\"name\":\"Output\"}",
                                         "{\"kind\":\"D\",\"value\":\"InOut\"}",
                                         "7"};
    bool attrs = draw(m, 4) == 0;
    if (draw(m, 12) == 0)
        return;
    cli_text_put(&m->out, attrs ? ",\"attrs\":{\"arg_directions\":["
                                : ",\"arg_directions\":[");
    for (uint32_t i = 0; i < args; i++)
        cli_text_printf(&m->out, "%s%s", i > 0 ? "," : "",
                        tokens[draw(m, draw(m, 3) > 0 ? 4 : 10)]);
    cli_text_put(&m->out, attrs ? "]}" : "]");
}

static void put_call(maker *m)
{
    static const char *const names[] = {"\"op\":\"k\"",
                                        "\"op\":{\"name\":\"m\"}",
                                        "\"op_name\":\"n\"",
                                        "\"op\":\"kernel.aic\"",
                                        "\"op\":\"kernel.aiv\"",
                                        "\"op\":\"system.x\"",
                                        "\"op\":\"tensor.slice\"",
                                        "\"op\":\"tensor.view\"",
                                        "\"op\":\"tensor.reshape\"",
                                        "\"op\":\"tensor.transpose\"",
                                        "\"op\":\"tensor.add\"",
                                        "\"op\":\"tensor.create\""};
    uint32_t args = draw(m, 4);
    if (m->calls > 0 && draw(m, 24) == 0) {
        cli_text_printf(&m->out, "{\"ref\":%u}", draw(m, m->calls));
        return;
    }
    cli_text_put(&m->out, "{");
    if (draw(m, 6) == 0)
        cli_text_printf(&m->out, "\"id\":%u,", m->calls++);
    cli_text_printf(&m->out, "\"kind\":\"Call\",%s,\"args\":[",
                    names[draw(m, draw(m, 2) == 0 ? 5 : 12)]);
    m->depth++;
    for (uint32_t i = 0; i < args; i++) {
        cli_text_put(&m->out, i > 0 ? "," : "");
        put_arg(m);
    }
    m->depth--;
    cli_text_put(&m->out, "]");
    put_directions(m, args);
    cli_text_put(&m->out, "}");
}

static void put_element(maker *m)
{
    static const char *const indexes[] = {"0",   "1", "2",    "-1",
                                          "1.0", "0", "null", "\"0\""};
    cli_text_put(&m->out, "{\"kind\":\"TupleGetItemExpr\",\"tuple\":");
    if (draw(m, 6) == 0)
        put_call(m);
    else
        put_var(m, draw(m, VARS));
    cli_text_printf(&m->out, ",\"index\":%s}", indexes[draw(m, 8)]);
}

static void put_value(maker *m)
{
    switch (draw(m, 8)) {
    case 0:
        cli_text_put(&m->out, "{\"kind\":\"Call\",\"op\":\"tensor.create\","
                              "\"args\":[16]}");
        break;
    case 1:
        put_element(m);
        break;
    case 2:
        put_var(m, draw(m, VARS));
        break;
    case 3:
        cli_text_put(&m->out, draw(m, 2) == 0 ? "7" : "null");
        break;
    default:
        put_call(m);
    }
}

static void put_statement(maker *m);

static void put_list(maker *m)
{
    static const char *const fields[] = {"stmts", "statements", "seq", "body"};
    cli_text_printf(&m->out, "{\"kind\":\"SeqStmts\",\"%s\":[",
                    fields[draw(m, 4)]);
    put_statement(m);
    cli_text_put(&m->out, ",");
    put_statement(m);
    cli_text_put(&m->out, "]}");
}

/* Of a kind that nobody knows: what is in its fields runs all the same. */
static void put_unknown(maker *m)
{
    cli_text_put(&m->out, "{\"kind\":\"AssertStmt\",\"what\":[");
    put_call(m);
    cli_text_put(&m->out, "],\"params\":[1],\"and\":{\"x\":");
    put_call(m);
    if (draw(m, 8) == 0)
        cli_text_put(&m->out, ",\"loop\":{\"kind\":\"ForStmt\"}");
    if (draw(m, 8) == 0)
        cli_text_put(&m->out, ",\"bad\":{\"kind\":\"Call\",\"op\":7}");
    cli_text_put(&m->out, "},\"value\":");
    put_call(m);
    cli_text_put(&m->out, "}");
}

static void put_statement(maker *m)
{
    uint32_t way = draw(m, 16);
    m->depth++;
    if (way == 0 && m->depth < 4) {
        put_list(m);
    } else if (way == 1) {
        put_unknown(m);
    } else if (way < 6) {
        cli_text_put(&m->out, "{\"kind\":\"EvalStmt\",\"expr\":");
        put_call(m);
        cli_text_put(&m->out, "}");
    } else {
        cli_text_put(&m->out, "{\"kind\":\"AssignStmt\",\"var\":");
        put_var(m, draw(m, VARS));
        cli_text_put(&m->out, ",\"value\":");
        put_value(m);
        cli_text_put(&m->out, "}");
    }
    m->depth--;
}

static void put_flow(maker *m)
{
    static const char *const kinds[] = {"ForStmt", "IfStmt", "WhileStmt",
                                        "RuntimeScopeStmt", "Submit"};
    cli_text_printf(&m->out, "{\"kind\":\"%s\",\"body\":[]}",
                    kinds[draw(m, 5)]);
}

static void put_function(maker *m, const char *name)
{
    uint32_t params = draw(m, 4), statements = 1 + draw(m, 12);
    memset(m->defined, 0, sizeof m->defined);
    m->function++;
    cli_text_put(&m->out, "{\"kind\":\"Function\",");
    if (name != NULL)
        cli_text_printf(&m->out, "\"name\":\"%s\",", name);
    cli_text_put(&m->out, "\"func_type\":{\"name\":\"Orchestration\"},"
                          "\"params\":[");
    for (uint32_t i = 0; i < params; i++) {
        cli_text_put(&m->out, i > 0 ? "," : "");
        put_var(m, i);
    }
    cli_text_put(&m->out, "],\"body\":[");
    for (uint32_t i = 0; i < statements; i++) {
        cli_text_put(&m->out, i > 0 ? "," : "");
        if (m->flow && draw(m, 3) == 0)
            put_flow(m);
        else
            put_statement(m);
    }
    cli_text_put(&m->out, "]}");
}

static void put_program(maker *m)
{
    static const char *const names[] = {"f", "g", "g", NULL};
    uint32_t roots = draw(m, 4);
    bool map = draw(m, 2) == 0;
    if (roots == 0) {
        put_function(m, "f");
        return;
    }
    cli_text_printf(&m->out,
                    "{\"kind\":\"Program\",\"name\":\"p\",\"functions\":%s",
                    map ? "{\"map\":[" : "{");
    static const char *const types[] = {"AIC", "AIV"};
    for (uint32_t i = 0; i < 2; i++)
        cli_text_printf(&m->out,
                        "%s%s{\"kind\":\"Function\",\"name\":\"kernel.%s\","
                        "\"func_type\":{\"name\":\"%s\"}}%s,",
                        map ? "[" : "",
                        i == 0 ? (map ? "0," : "\"0\":")
                               : (map ? "1," : "\"1\":"),
                        i == 0 ? "aic" : "aiv", types[i], map ? "]" : "");
    for (uint32_t i = 0; i < roots; i++) {
        cli_text_printf(
            &m->out, map ? "%s[\"r%u\"," : "%s\"r%u\":", i > 0 ? "," : "", i);
        put_function(m, names[draw(m, 4)]);
        cli_text_put(&m->out, map ? "]" : "");
    }
    cli_text_put(&m->out, map ? "]}}" : "}}");
}

/* --- Asking --- */

static void answer(cli_text *out, cli_span input, const char *options)
{
    cli_text line = {0};
    cli_text_printf(
        &line, "{\"id\":1,\"kind\":\"ir\",\"options\":%s,\"input\":", options);
    cli_text_json(&line, input.data, input.length);
    cli_text_put(&line, "}");
    assert_false(line.failed);
    assert_int_equal(
        cli_serve_line(out, NULL, line.data, line.length, false, false), 0);
    cli_text_free(&line);
}

static void judge(oracle_judgement *j, cli_span input, const char *options,
                  cli_span given)
{
    oracle_question q = {"ir",
                         {input.data, input.length},
                         {options, strlen(options)},
                         {NULL, 0}};
    assert_int_equal(oracle_answer_check(
                         j, &q, (oracle_bytes){given.data, given.length}, NULL),
                     ORACLE_OK);
}

static const char sizes[] =
    "{\"emit\":\"graph\",\"policy\":\"sequential_v0\",\"sizes\":{\"param:a\":"
    "64,\"alloc:b\":0,\"a\":7}}";
static const char *const asked[] = {
    "{\"emit\":\"graph,score\"}",
    sizes,
    "{\"emit\":\"bundle,graph\",\"entry\":\"g\"}",
    "{\"emit\":\"regions,graph,score\",\"regions\":\"whole_v0\"}",
    "{\"emit\":\"regions,eligibility\",\"regions\":\"per_region\"}",
};
#define ASKED (sizeof asked / sizeof *asked)

static void drawn(void **state)
{
    (void)state;
    uint32_t graphs = 0;
    for (uint32_t i = 0; i < 6000; i++) {
        maker m = {.state = i, .flow = i % ASKED == ASKED - 1 || i % 16 == 0};
        cli_text out = {0};
        oracle_judgement j;
        put_program(&m);
        assert_false(m.out.failed);
        cli_span input = {m.out.data, m.out.length};
        answer(&out, input, asked[i % ASKED]);
        judge(&j, input, asked[i % ASKED], (cli_span){out.data, out.length});
        if (j.count > 0)
            fail_msg("%u: %s: %s\n%s\n%.30000s", i, j.findings[0].rule,
                     j.findings[0].message, m.out.data, out.data);
        graphs += strstr(out.data, "\"task_graph\"") != NULL;
        oracle_judgement_free(&j);
        cli_text_free(&out);
        cli_text_free(&m.out);
    }
    assert_in_range(graphs, 3000, 6000);
}

/* --- Lies --- */

typedef struct lie {
    const char *from, *to, *cause;
} lie;

#define VAR(name)                                                              \
    "{\"kind\":\"Var\",\"id\":\"" name "\",\"name_hint\":\"" name "\"}"
#define CALL(op, args, dirs)                                                   \
    "{\"kind\":\"Call\",\"op\":\"" op "\",\"args\":[" args                     \
    "],\"arg_directions\":[" dirs "]}"
#define SET(var, value)                                                        \
    "{\"kind\":\"AssignStmt\",\"var\":" var ",\"value\":" value "}"

#define CREATE CALL("tensor.create", "", "")
#define KERNEL                                                                 \
    CALL("k", "{\"ref\":\"x\"},{\"ref\":\"t\"},4",                             \
         "\"Input\",\"Output\",\"Scalar\"")
#define SLICE CALL("tensor.slice", "{\"ref\":\"r\"},1", "")
#define LAST CALL("m", "{\"ref\":\"s\"},{\"ref\":\"x\"}", "\"Input\",\"InOut\"")
#define BODY                                                                   \
    SET(VAR("t"), CREATE)                                                      \
    "," SET(VAR("r"), KERNEL) "," SET(VAR("s"), SLICE)

static const char program[] =
    "{\"kind\":\"Function\",\"name\":\"f\",\"params\":[" VAR(
        "x") "],\"body\":[" BODY ",{\"kind\":\"EvalStmt\",\"expr\":" LAST "}]}";

static const lie lies[] = {
    {"\"core\":\"mixed\"", "\"core\":\"aic\"", "tasks"},
    {"\"id\":1,", "\"id\":2,", "tasks"},
    {"\"name\":\"k\"", "\"name\":\"m\"", "tasks"},
    {"\"text\":\"4\"", "\"text\":\"int\"", "args"},
    {"\"exact\":false", "\"exact\":true", "access"},
    {"\"mode\":\"write\"", "\"mode\":\"inout\"", "access"},
    {"\"must\":true}],\"buffer\":\"alloc:t\",\"dispatch\":\"input\"",
     "\"must\":false}],\"buffer\":\"alloc:t\",\"dispatch\":\"input\"",
     "access"},
    {"\"buffer\":\"alloc:t\",\"dispatch\":\"input\"",
     "\"buffer\":\"param:x\",\"dispatch\":\"input\"", "args"},
    {"\"dispatch\":\"inout\"", "\"dispatch\":\"input\"", "args"},
    {"{\"bytes\":null,\"external\":true,\"key\":\"param:x\"},", "", "buffers"},
    {"\"bytes\":null,\"external\":false", "\"bytes\":8,\"external\":false",
     "buffers"},
    {"\"edges\":[{",
     "\"edges\":[{\"certain\":true,\"from\":1,\"kind\":"
     "\"data\",\"source\":\"policy\",\"to\":0},{",
     "edges"},
    {"\"kind\":\"war\",\"source\":\"policy\"",
     "\"kind\":\"data\",\"source\":\"policy\"", "edges"},
    {"\"source\":\"policy\"", "\"source\":\"explicit\"", "edges"},
    {"\"certain\":true", "\"certain\":false", "edges"},
    {"\"rules\":\"none\"", "\"rules\":\"conservative\"", "document"},
    {"\"name\":\"f\",\"rules\"", "\"name\":\"g\",\"rules\"", "document"},
    {"\"role\":\"graph\"", "\"role\":\"source\"", "missing"},
};

static const char loop[] =
    "{\"kind\":\"Function\",\"name\":\"f\",\"body\":[1,2,{\"kind\":"
    "\"ForStmt\"},3]}";

static const lie region_lies[] = {
    {"\"node_count\":2", "\"node_count\":3", "regions"},
    {"\"kind\":\"dynamic\"", "\"kind\":\"static\"", "regions"},
    {"\"control_flow_kind\":\"ForStmt\"", "\"control_flow_kind\":\"IfStmt\"",
     "regions"},
    {"\"severity\":\"warning\"},\"has", "\"severity\":\"error\"},\"has",
     "regions"},
    {"\"region_id\":2", "\"region_id\":3", "regions"},
    {"\"static_ratio\":0.66", "\"static_ratio\":0.67", "regions"},
    {"\"role\":\"regions\"", "\"role\":\"source\"", "missing"},
};

/* The truth gives no finding, each lie one. */
static void tell_apart(cli_span input, const char *options, const char *rule,
                       const lie *list, size_t count)
{
    cli_text out = {0};
    oracle_judgement j;
    answer(&out, input, options);
    judge(&j, input, options, (cli_span){out.data, out.length});
    assert_int_equal(j.count, 0);
    oracle_judgement_free(&j);
    for (size_t i = 0; i < count; i++) {
        cli_text other = {0};
        const char *at = strstr(out.data, list[i].from);
        if (at == NULL)
            fail_msg("%s is not in %s", list[i].from, out.data);
        cli_text_add(&other, out.data, (size_t)(at - out.data));
        cli_text_put(&other, list[i].to);
        cli_text_put(&other, at + strlen(list[i].from));
        judge(&j, input, options, (cli_span){other.data, other.length});
        if (j.count != 1 || strcmp(j.findings[0].rule, rule) != 0 ||
            strcmp(j.findings[0].cause, list[i].cause) != 0)
            fail_msg("%s for %s: %u findings, %s", list[i].to, list[i].from,
                     (unsigned)j.count,
                     j.count > 0 ? j.findings[0].message : "");
        oracle_judgement_free(&j);
        cli_text_free(&other);
    }
    cli_text_free(&out);
}

static void told_apart(void **state)
{
    (void)state;
    tell_apart((cli_span){program, sizeof program - 1}, asked[0], "diff.graph",
               lies, sizeof lies / sizeof *lies);
    tell_apart((cli_span){loop, sizeof loop - 1}, asked[4], "diff.validate",
               region_lies, sizeof region_lies / sizeof *region_lies);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(drawn),
    cmocka_unit_test(told_apart),
};

TEST_MAIN(tests)
