#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../fuzz/related.h"

#define CASES 600 /* for each relation */

static const fuzz_limits limits = {.tasks = 64};

static void judge(oracle_judgement *judgement, const fuzz_text *text)
{
    oracle_judge_options options = {.limit = 1 << 20};
    assert_int_equal(
        oracle_judge_text(judgement, text->data, text->length, &options),
        ORACLE_OK);
}

/* Verdicts map, of whatever there is. How many cases there are. */
static uint32_t generated(fuzz_kind kind, fuzz_relation relation)
{
    fuzz_case own = {0}, other = {0};
    fuzz_map map = {0};
    cli_text difference = {0};
    uint32_t compared = 0, wrong = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        oracle_judgement a, b;
        fuzz_name name = {.seed = 11, .stream = kind, .index = i};
        fuzz_status status =
            fuzz_case_relate(&other, &map, &name, &limits, relation);
        if (status == FUZZ_NO_SUCH)
            continue;
        assert_int_equal(status, FUZZ_OK);
        assert_int_equal(fuzz_case_make(&own, &name, &limits), FUZZ_OK);
        judge(&a, &own.input);
        judge(&b, &other.input);
        if (!cli_related_agree(&difference, &a, &b, &map, relation) &&
            wrong++ < 5)
            fprintf(stderr, "%s:%" PRIu64 " (%s, %s, %s): %s\n",
                    fuzz_kind_name(kind), i, own.shape,
                    own.fault == NULL ? "right" : own.fault,
                    fuzz_relation_name(relation), difference.data);
        compared++;
        oracle_judgement_free(&a);
        oracle_judgement_free(&b);
    }
    fuzz_case_free(&own);
    fuzz_case_free(&other);
    fuzz_map_free(&map);
    cli_text_free(&difference);
    assert_int_equal(wrong, 0);
    return compared;
}

#define HAS(relation) (1u << (relation))

/* Which relations there are of a kind. */
static void relations(void **state)
{
    (void)state;
    static const struct {
        fuzz_kind kind;
        unsigned relations;
        uint32_t least;
    } kinds[] = {
        {FUZZ_GRAPH, ~(HAS(FUZZ_SCALE) | HAS(FUZZ_ALONE)), CASES / 10},
        {FUZZ_SCORE, ~(HAS(FUZZ_EARLY) | HAS(FUZZ_ALONE)), CASES / 20},
        {FUZZ_MEMORY, ~HAS(FUZZ_EARLY), CASES / 40},
        {FUZZ_BUNDLE,
         HAS(FUZZ_RENAME) | HAS(FUZZ_RENUMBER) | HAS(FUZZ_DEAD_TASK) |
             HAS(FUZZ_PERMUTE) | HAS(FUZZ_EARLY),
         CASES / 10},
        {FUZZ_IR, HAS(FUZZ_RENAME) | HAS(FUZZ_DEAD_TASK) | HAS(FUZZ_PERMUTE),
         CASES / 10},
        {FUZZ_RECORD, HAS(FUZZ_RENAME) | HAS(FUZZ_RENUMBER) | HAS(FUZZ_EARLY),
         CASES / 10},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int i = 0; i < FUZZ_RELATIONS; i++) {
            uint32_t count = generated(kinds[k].kind, (fuzz_relation)i);
            bool has = (kinds[k].relations & HAS(i)) != 0;
            if (has ? count < kinds[k].least : count > 0)
                fail_msg("%s: %u of %s", fuzz_kind_name(kinds[k].kind), count,
                         fuzz_relation_name((fuzz_relation)i));
        }
}

/* --- By hand --- */

#define TASK(id, key, mode)                                                    \
    "{\"id\":" id ",\"args\":[{\"buffer\":\"" key                              \
    "\",\"dispatch\":\"no_dep\",\"access\":[{\"mode\":\"" mode                 \
    "\",\"must\":true,\"exact\":true}]}]}"
#define GRAPH(key, tasks)                                                      \
    "{\"kind\":\"task_graph\",\"version\":1,\"buffers\":[{\"key\":\"" key      \
    "\",\"bytes\":8}],\"tasks\":[" tasks "]}"

static bool agree(const char *first, const char *second, const fuzz_map *map,
                  fuzz_relation relation, cli_text *difference)
{
    oracle_judgement a, b;
    assert_int_equal(oracle_judge_text(&a, first, strlen(first), NULL),
                     ORACLE_OK);
    assert_int_equal(oracle_judge_text(&b, second, strlen(second), NULL),
                     ORACLE_OK);
    bool same = cli_related_agree(difference, &a, &b, map, relation);
    oracle_judgement_free(&a);
    oracle_judgement_free(&b);
    return same;
}

static void by_hand(void **state)
{
    static const char own[] =
        GRAPH("param:a",
              TASK("0", "param:a", "write") "," TASK("1", "param:a", "read"));
    static const char other[] =
        GRAPH("param:b",
              TASK("7", "param:b", "write") "," TASK("8", "param:b", "read"));
    static const char clean[] =
        GRAPH("param:b",
              TASK("7", "param:b", "read") "," TASK("8", "param:b", "read"));
    int64_t to[] = {7, 8}, from[] = {0, 1}, crossed[] = {1, 0};
    char a[] = "param:a", b[] = "param:b";
    char *key_to[] = {b}, *key_from[] = {a};
    fuzz_map map = {.task_to = to,
                    .task_from = from,
                    .tasks = 2,
                    .key_to = key_to,
                    .key_from = key_from,
                    .keys = 1};
    cli_text difference = {0};
    (void)state;
    assert_true(agree(own, other, &map, FUZZ_RENUMBER, &difference));
    assert_false(agree(own, clean, &map, FUZZ_RENUMBER, &difference));
    assert_non_null(strstr(difference.data, "the verdict of the case"));
    assert_false(agree(own, clean, &map, FUZZ_PERMUTE, &difference));
    assert_non_null(strstr(difference.data, "only the case has"));
    map.keys = 0;
    assert_false(agree(own, other, &map, FUZZ_RENUMBER, &difference));
    map.keys = 1;
    map.task_from = crossed;
    assert_false(agree(own, other, &map, FUZZ_RENUMBER, &difference));
    cli_text_free(&difference);
}

/* Key, tasks, and where the buffer lies. */
#define ANSWER(key, from, to, offset)                                          \
    "{\"bundle\":{\"kind\":\"bundle\",\"members\":[{\"document\":{"            \
    "\"dependencies\":[{\"consumer\":" to                                      \
    ",\"kind\":\"data\",\"producer\":" from                                    \
    "}]},\"role\":\"score\"},{\"document\":{\"allocations\":[{"                \
    "\"offset\":" offset ",\"size\":8,\"storage_key\":\"" key                  \
    "\"}],\"peak_memory\":8},"                                                 \
    "\"role\":\"memory\"}],\"version\":1},\"id\":1,\"notes\":[{\"code\":"      \
    "\"memory.unknown-size\"}]}"

static bool alike(const char *first, const char *second, const fuzz_map *map,
                  fuzz_relation relation, bool places)
{
    cli_text difference = {0};
    bool same = cli_related_answers(
        &difference, (cli_span){first, strlen(first)},
        (cli_span){second, strlen(second)}, map, relation, places);
    assert_int_equal(same, difference.length == 0);
    cli_text_free(&difference);
    return same;
}

static void answers(void **state)
{
    static const char own[] = ANSWER("alloc:b\\u00001", "3", "5", "16");
    static const char other[] = ANSWER("alloc:~b\\u00001", "11", "14", "16");
    static const char moved[] = ANSWER("alloc:~b\\u00001", "11", "14", "24");
    static const char turned[] = ANSWER("alloc:~b\\u00001", "14", "11", "16");
    static const char second[] = ANSWER("alloc:~b\\u00002", "11", "14", "16");
    static const char none[] = "{\"error\":{\"code\":\"doc.schema\"},\"id\":1}";
    static const char syntax[] =
        "{\"error\":{\"code\":\"doc.syntax\"},\"id\":1}";
    int64_t to[] = {11, 14}, from[] = {3, 5};
    const fuzz_map map = {
        .task_to = to, .task_from = from, .tasks = 2, .mark = "~"};
    const fuzz_map unmarked = {.task_to = to, .task_from = from, .tasks = 2};
    (void)state;
    assert_true(alike(own, other, &map, FUZZ_RENUMBER, true));
    assert_false(alike(own, other, &unmarked, FUZZ_RENUMBER, true));
    assert_false(alike(own, moved, &map, FUZZ_RENUMBER, true));
    assert_true(alike(own, moved, &map, FUZZ_RENUMBER, false));
    assert_false(alike(own, second, &map, FUZZ_RENUMBER, true));
    assert_false(alike(own, turned, &map, FUZZ_RENUMBER, true));
    assert_true(alike(own, turned, &map, FUZZ_DECLARE, true));
    assert_false(alike(own, none, &map, FUZZ_DECLARE, true));
    assert_true(alike(none, none, &map, FUZZ_DECLARE, true));
    assert_false(alike(none, syntax, &map, FUZZ_DECLARE, true));
    to[1] = 15;
    assert_false(alike(own, other, &map, FUZZ_RENUMBER, true));
}

/* Places of one buffer or two, as a plan has them. */
#define PLACE(key, offset, size)                                               \
    "{\"offset\":" offset ",\"size\":" size ",\"storage_key\":\"" key "\"}"
#define PLACES(places, peak)                                                   \
    "{\"bundle\":{\"members\":[{\"document\":{\"allocations\":[" places        \
    "],\"peak_memory\":" peak "},\"role\":\"memory\"}]},\"id\":1}"

static void places(void **state)
{
    static const char own[] = PLACES(
        PLACE("alloc:a", "16", "8") "," PLACE("alloc:b", "0", "16"), "24");
    static const char scaled[] = PLACES(
        PLACE("alloc:a", "128", "64") "," PLACE("alloc:b", "0", "128"), "192");
    static const char moved[] = PLACES(
        PLACE("alloc:a", "136", "64") "," PLACE("alloc:b", "0", "128"), "200");
    static const char odd[] = PLACES(
        PLACE("alloc:a", "128", "64") "," PLACE("alloc:b", "0", "128"), "193");
    static const char more[] =
        PLACES(PLACE("alloc:a", "16", "8") "," PLACE(
                   "alloc:b", "0", "16") "," PLACE("alloc:b9", "0", "1"),
               "24");
    static const char higher[] =
        PLACES(PLACE("alloc:a", "16", "8") "," PLACE(
                   "alloc:b", "0", "16") "," PLACE("alloc:b9", "24", "1"),
               "25");
    const fuzz_map scale = {.scale = FUZZ_SCALED};
    const fuzz_map added = {.added = "alloc:b9"};
    const fuzz_map nothing = {0};
    (void)state;
    assert_true(alike(own, scaled, &scale, FUZZ_SCALE, true));
    assert_false(alike(own, own, &scale, FUZZ_SCALE, true));
    assert_false(alike(own, moved, &scale, FUZZ_SCALE, true));
    assert_false(alike(own, odd, &scale, FUZZ_SCALE, true));
    assert_true(alike(own, moved, &scale, FUZZ_SCALE, false));
    assert_true(alike(own, more, &added, FUZZ_ALONE, true));
    assert_false(alike(own, more, &nothing, FUZZ_ALONE, true));
    assert_false(alike(own, higher, &added, FUZZ_ALONE, true));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(places),
    cmocka_unit_test(by_hand),
    cmocka_unit_test(answers),
    cmocka_unit_test(relations),
};
TEST_MAIN(tests)
