/* The words for how two values differ, of which a group of findings is made. */
#include "../../scripts/testing/harness.h"

#include <stdlib.h>
#include <string.h>

#include "../answer_work.h"

#define ROOM 512

/* ' for ", as in other tests. */
static void parse(oracle_json *json, char text[ROOM], const char *quoted)
{
    oracle_error error;
    assert_true(strlen(quoted) < ROOM);
    for (size_t i = 0; i <= strlen(quoted); i++)
        text[i] = quoted[i] == '\'' ? '"' : quoted[i];
    assert_int_equal(oracle_json_parse(json, text, strlen(text), &error),
                     ORACLE_OK);
}

/* `wanted` and `found` are JSON, or NULL where there is nothing. */
static void expect(const char *place, const char *wanted, const char *found,
                   const char *shape)
{
    oracle_json json[2];
    char text[2][ROOM];
    answering a = {.arena = oracle_arena_create()};
    assert_non_null(a.arena);
    parse(&json[0], text[0], wanted == NULL ? "0" : wanted);
    parse(&json[1], text[1], found == NULL ? "0" : found);
    assert_true(answer_shape(&a, place, &json[0],
                             wanted == NULL ? ORACLE_NONE : 0, &json[1],
                             found == NULL ? ORACLE_NONE : 0));
    assert_string_equal(a.shape, shape);
    oracle_json_free(&json[0]);
    oracle_json_free(&json[1]);
    oracle_arena_free(a.arena);
}

static void one_is_not_there(void **state)
{
    (void)state;
    expect("score.tasks[3]", "{}", NULL, "score.tasks[] lost");
    expect("score.tasks[12]", NULL, "{}", "score.tasks[] added");
}

static void values(void **state)
{
    (void)state;
    expect("offset", "8", "4", "offset less");
    expect("offset", "4", "8", "offset more");
    expect("offset", "8", "8.0", "offset spelled");
    expect("offset", "8", "null", "offset null for integer");
    expect("init", "false", "true", "init true for false");
    expect("kind", "'war'", "'data'", "kind data for war");
    expect("tasks[7].kind", "'war'", "'data'", "tasks[].kind data for war");
    expect("x.core", "'aic'", "'aiv'", "x.core aiv for aic");
    expect("name", "'war'", "'data'", "name text for text");
    expect("key", "'alloc:a1'", "'param:z'", "key param: for alloc:");
    expect("key", "'alloc:a@1'", "'json:[1]'", "key json: for alloc:@");
    expect("key", "'alloc:'", "'alloc'", "key text for alloc:");
    expect("args", "[]", "{}", "args object for list");
    expect("same", "[1]", "[1]", "same");
}

static void lists(void **state)
{
    (void)state;
    expect("x", "[1,2,3]", "[1,3]", "x[] lost integer");
    expect("x", "[1,3]", "[1,2,3]", "x[] added integer");
    expect("x", "[1,2]", "[2,1]", "x[] order");
    expect("x", "[1,2]", "[1,1,2]", "x[] order");
    expect("x", "[1,2]", "[1,2,2]", "x[] twice");
    expect("x", "[1,5,3]", "[1,4,3]", "x[] less");
    expect("x", "[[1],[2]]", "[[1],[3]]", "x[][] more");
    expect("x", "[{'from':1,'kind':'war','storage_key':'alloc:b','name':'n'}]",
           "[]", "x[] lost  war alloc:");
    expect("x", "[]", "[{'kind':['war'],'message':'no task 4 is here'}]",
           "x[] added   no task is here");
}

static void objects(void **state)
{
    (void)state;
    expect("x", "{'a':1,'b':2}", "{'b':2}", "x.a lost");
    expect("x", "{'b':2}", "{'a':1,'b':2}", "x.a added");
    expect("x", "{'a':1}", "{'a':1,'b':2}", "x.b added");
    expect("x", "{'a':1,'ab':2}", "{'a':1}", "x.ab lost");
    expect("x", "{'a':1,'ab':2}", "{'a':1,'b':2}", "x.ab lost");
    expect("x", "{'kind':'war','to':1}", "{'kind':'waw','to':1}",
           "x.kind waw for war");
    expect("x", "{'t':[{'core':'aic','id':3}]}",
           "{'t':[{'core':'aiv','id':3}]}", "x.t[].core aiv for aic");
    expect("x", "{'to':1,'kind':'war'}", "{'kind':'war','to':2}", "x.to more");
}

static void sentences(void **state)
{
    (void)state;
    expect("message", "'task 3 has no name: it is needed'", "'none'",
           "message  none for  task  no name");
    expect("message", "'one two three four five six'", "'one'",
           "message  one for  one two five six");
    expect("message", "'one two three'", "'a \\'b\\' c'",
           "message  a for  one two three");
    expect("reasons", "'a b'", "'b a'", "reasons  b a for  a b");
}

static void words(void **state)
{
    (void)state;
    static const char *const said[4] = {"waits 12", NULL, "alloc9",
                                        "a b c d e"};
    answering a = {.arena = oracle_arena_create()};
    assert_non_null(a.arena);
    assert_true(answer_shape_words(&a, said));
    assert_string_equal(a.shape, " waits ||alloc| a b d e|");
    oracle_arena_free(a.arena);
}

/* All that differs in an answer is told of each difference, by the first. */
static void shared(void **state)
{
    (void)state;
    oracle_record records[3] = {{.cause = "edges"},
                                {.cause = "tasks", .shape = "one"},
                                {.cause = "edges", .shape = "two"}};
    answering a = {
        .arena = oracle_arena_create(), .records = records, .count = 3};
    assert_non_null(a.arena);
    assert_true(answer_share_shapes(&a));
    assert_string_equal(records[0].shape, "one+edges+tasks");
    assert_string_equal(records[1].shape, "one+edges+tasks");
    assert_string_equal(records[2].shape, "two+edges+tasks");
    oracle_arena_free(a.arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_is_not_there),
    cmocka_unit_test(values),
    cmocka_unit_test(lists),
    cmocka_unit_test(objects),
    cmocka_unit_test(sentences),
    cmocka_unit_test(words),
    cmocka_unit_test(shared),
};

TEST_MAIN(tests)
