/* The checker refuses what does not prove its finding. */
#include "../../scripts/testing/harness.h"

#include "../checker.h"

#include "maker.h"
#include "oracle/judge.h"

#include <stdio.h>
#include <string.h>

#define FINDING(rule, witness)                                                 \
    "{\"rule\":\"" rule "\",\"witness\":{" witness "}}"
#define ORDER(order, reader, expected, seen)                                   \
    FINDING("hazard.war", "\"begin\":0,\"buffer\":\"alloc:t\",\"end\":4,"      \
                          "\"expected_writer\":" expected ",\"order\":[" order \
                          "],\"reader\":" reader ",\"seen_writer\":" seen)

/* 10 writes, 11 and 12 read, 13 writes; 10 -> 11 -> 13, 10 -> 12. */
static void make(maker *m)
{
    maker_start(m);
    maker_buffer(m, "alloc:t", 4, false);
    for (uint32_t t = 0; t < 4; t++) {
        maker_task(m);
        maker_access(m, 0, t % 3 == 0 ? ORACLE_WRITE : ORACLE_READ, WHOLE,
                     WHOLE);
    }
    maker_edge(m, 0, 1);
    maker_edge(m, 1, 3);
    maker_edge(m, 0, 2);
}

static void accepts(const maker *m, const char *finding)
{
    char reason[160];
    if (!oracle_witness_check(&m->document, finding, reason, sizeof reason)) {
        fail_msg("%s: %s", reason, finding);
    }
}

static void refuses(const maker *m, const char *finding, const char *why)
{
    char reason[160];
    assert_false(
        oracle_witness_check(&m->document, finding, reason, sizeof reason));
    assert_string_equal(reason, why);
}

static void orders(void **state)
{
    maker m;
    (void)state;
    make(&m);
    accepts(&m, ORDER("10,11,13,12", "12", "10", "13"));
    accepts(&m, ORDER("[10,11],13,12", "12", "10", "13"));
    accepts(&m, ORDER("{\"until\":13},\"rest\"", "12", "10", "13"));
    accepts(&m, ORDER("10,{\"until\":13},12", "12", "10", "13"));
    refuses(&m, ORDER("\"rest\"", "12", "10", "13"),
            "the read gets the right value");
    refuses(&m, ORDER("{\"until\":13}", "12", "10", "13"),
            "a task is not in the order");
    refuses(&m,
            ORDER("{\"until\":13},{\"until\":11},\"rest\"", "12", "10", "13"),
            "a task is twice in the order or not submitted");
    refuses(&m, ORDER("{\"until\":14},\"rest\"", "12", "10", "13"),
            "the witness names no task");
    refuses(&m, ORDER("{\"until\":13},\"all\"", "12", "10", "13"),
            "the witness names no task");
    refuses(&m, ORDER("[10,13]", "12", "10", "13"),
            "the read gets the right value");
    refuses(&m, ORDER("11,10,13,12", "12", "10", "13"),
            "the order breaks an edge");
    refuses(&m, ORDER("10,11,13", "12", "10", "13"),
            "a task is not in the order");
    refuses(&m, ORDER("10,11,13,12,12", "12", "10", "13"),
            "a task is twice in the order or not submitted");
    refuses(&m, ORDER("10,11,13,14", "12", "10", "13"),
            "the witness names no task");
    refuses(&m, ORDER("10,11,13,12", "10", "10", "13"),
            "the reader does not read the byte");
    refuses(&m, ORDER("10,11,13,12", "null", "10", "13"),
            "the reader does not read the byte");
    refuses(&m, ORDER("10,11,13,12", "12", "11", "13"),
            "expected_writer is another task");
    refuses(&m, ORDER("10,11,13,12", "12", "10", "null"),
            "seen_writer is another task");
}

static void bytes(void **state)
{
    maker m;
    (void)state;
    make(&m);
    refuses(&m,
            FINDING("hazard.war",
                    "\"begin\":4,\"buffer\":\"alloc:t\",\"order\":[10,11,13,"
                    "12],\"reader\":12"),
            "the reader does not read the byte");
    refuses(&m,
            FINDING("hazard.war", "\"begin\":0,\"buffer\":\"alloc:u\","
                                  "\"order\":[10,11,13,12],\"reader\":12"),
            "there is no such byte");
}

#define BETWEEN(after, before)                                                 \
    FINDING("hazard.raw",                                                      \
            "\"begin\":0,\"buffer\":\"alloc:t\",\"expected_writer\":null,"     \
            "\"order\":[10,11,13,12],\"reader\":12,\"seen_writer\":13,"        \
            "\"skipped\":[{\"after\":" after ",\"before\":" before "}]")

/* A plain write that must happen cannot be skipped. */
static void skipped(void **state)
{
    maker m;
    const char *finding =
        FINDING("hazard.raw",
                "\"begin\":0,\"buffer\":\"alloc:t\",\"expected_writer\":null,"
                "\"order\":[10,11,13,12],\"reader\":12,\"seen_writer\":13,"
                "\"skipped\":[[10,0]]");
    (void)state;
    make(&m);
    refuses(&m, finding, "expected_writer is another task");
    m.accesses[0].must = false;
    accepts(&m, finding);
    const char *all = BETWEEN("null", "12"), *none = BETWEEN("10", "null");
    accepts(&m, all);
    refuses(&m, none, "expected_writer is another task");
}

static void choices(void **state)
{
    maker m;
    (void)state;
    make(&m);
    m.choices[0] = (oracle_choice){.id = 3};
    m.document.choice_count = 1;
    m.whens[0] = (oracle_when){0, true};
    m.document.when_count = 1;
    m.tasks[1].whens = 1;
    refuses(&m, ORDER("10,11,13,12", "12", "10", "13"),
            "the choices are missing");
#define CHOSEN(is, order)                                                      \
    FINDING("hazard.war",                                                      \
            "\"begin\":0,\"buffer\":\"alloc:t\",\"choices\":[{\"choice\":3,"   \
            "\"is\":" is "}],\"expected_writer\":10,\"order\":[" order         \
            "],\"reader\":12,\"seen_writer\":13")
    accepts(&m, CHOSEN("true", "10,11,13,12"));
    accepts(&m, CHOSEN("false", "10,13,12"));
    refuses(&m, CHOSEN("false", "10,11,13,12"),
            "a task is twice in the order or not submitted");
}

static void symbols(void **state)
{
    maker m;
    (void)state;
    make(&m);
    m.symbols[0] = (oracle_symbol){.name = {"i", 1, true},
                                   .has_min = true,
                                   .has_max = true,
                                   .min = 0,
                                   .max = 4,
                                   .step = 2,
                                   .free = true};
    m.document.symbol_count = 1;
    m.terms[0] = (oracle_term){1, 0};
    m.document.term_count = 1;
    m.accesses[3].region = maker_region(&m, 0, 1, 1);
    m.regions[0].base = (oracle_affine){0, 0, 1};
#define WITH(i)                                                                \
    FINDING("hazard.war",                                                      \
            "\"begin\":2,\"buffer\":\"alloc:t\",\"expected_writer\":10,"       \
            "\"order\":[10,11,13,12],\"reader\":12,\"seen_writer\":13,"        \
            "\"symbols\":{\"i\":" #i "}")
    accepts(&m, WITH(2));
    refuses(&m, WITH(0), "the read gets the right value");
    refuses(&m, WITH(1), "symbol i has no value it may have");
    refuses(&m, WITH(6), "symbol i has no value it may have");
}

static void rings(void **state)
{
    maker m;
    (void)state;
    make(&m);
    refuses(&m, FINDING("graph.cycle", "\"cycle\":[10,11]"),
            "the ring has a missing edge");
    refuses(&m, FINDING("graph.cycle", "\"cycle\":[]"), "the ring is empty");
    maker_edge(&m, 1, 0);
    accepts(&m, FINDING("graph.cycle", "\"cycle\":[10,11]"));
    refuses(&m, FINDING("graph.cycle", "\"cycle\":[10,11,10,11]"),
            "a task is twice in the ring");
}

static void other_kinds(void **state)
{
    maker m;
    (void)state;
    make(&m);
    oracle_loose_edge loose = {10, 99, ORACLE_EXPLICIT};
    m.document.loose_edges = &loose;
    m.document.loose_edge_count = 1;
    accepts(&m, FINDING("graph.edge-end", "\"edge\":[10,99]"));
    refuses(&m, FINDING("graph.edge-end", "\"edge\":[10,98]"),
            "both ends are tasks, or no edge's");
    refuses(&m, FINDING("graph.edge-end", "\"edge\":[10,11]"),
            "both ends are tasks, or no edge's");
    refuses(&m, FINDING("predicate.form", "\"task\":10"),
            "the task has no such predicate");
    m.tasks[0].has_predicate = true;
    accepts(&m, FINDING("predicate.form", "\"task\":10"));
    refuses(&m, FINDING("doc.syntax", "\"offset\":3"),
            "there is no witness about the document");
    refuses(&m, "{",
            "one JSON document is expected: line 1, column 2: a key in double "
            "quotes is expected here");
    refuses(&m, "{}\n{}",
            "one JSON document is expected: line 2, column 1: there is more "
            "text behind the document");
    refuses(&m, "{}", "the finding has no rule");
}

/* Two arguments of a task that write the byte. */
static void overlaps(void **state)
{
    maker m;
    (void)state;
    make(&m);
    maker_access(&m, 0, ORACLE_WRITE, 1, 3);
#define BOTH(begin, args)                                                      \
    FINDING("task.self-overlap", "\"args\":[" args "],\"begin\":" #begin       \
                                 ",\"buffer\":\"alloc:t\",\"task\":13")
    accepts(&m, BOTH(1, "0,1"));
    refuses(&m, BOTH(3, "0,1"), "an argument does not write the byte");
    refuses(&m, BOTH(1, "0,0"), "two arguments are not named");
    refuses(&m, BOTH(1, "0,2"), "two arguments are not named");
}

static bool is_there(const char *path, const char *found)
{
    static const char text[] =
        "{\"a\":[7,{\"b\":[[1,2],\"x\"],\"c\":null},[3]],\"d\":{\"e\":true}}";
    char finding[200], reason[160];
    oracle_json json = {0};
    oracle_error error;
    assert_int_equal(oracle_json_parse(&json, text, strlen(text), &error),
                     ORACLE_OK);
    snprintf(finding, sizeof finding,
             "{\"rule\":\"doc.range\",\"witness\":{\"path\":\"%s\","
             "\"found\":\"%s\"}}",
             path, found);
    bool is = oracle_check_place(&json, finding, reason, sizeof reason);
    assert_int_equal(reason[0] == '\0', is);
    oracle_json_free(&json);
    return is;
}

/* What stands at a place of another document: members by name, items by
 * number. */
static void places(void **state)
{
    (void)state;
    assert_true(is_there("d.e", "true"));
    assert_true(is_there("a[0]", "7"));
    assert_true(is_there("a[1].c", "null"));
    assert_true(is_there("a[1].b[0][1]", "2"));
    assert_true(is_there("a[1].b[1]", "\\\"x\\\""));
    assert_true(is_there("a[2]", "[3]"));
    assert_false(is_there("a[2]", "[4]"));
    assert_false(is_there("a[3]", "[3]"));
    assert_false(is_there("a[2][1]", "3"));
    assert_false(is_there("d[0]", "true"));
    assert_false(is_there("a.b", "7"));
    assert_false(is_there("d.f", "true"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(places),   cmocka_unit_test(orders),
    cmocka_unit_test(bytes),    cmocka_unit_test(skipped),
    cmocka_unit_test(choices),  cmocka_unit_test(symbols),
    cmocka_unit_test(rings),    cmocka_unit_test(other_kinds),
    cmocka_unit_test(overlaps),
};

TEST_MAIN(tests)
