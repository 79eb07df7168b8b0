/* Lifetimes, conflict pairs, the order of keys, aliases. */
#include "../../scripts/testing/harness.h"

#include "sonata/memory.h"

#include "../memory/order.h"
#include "vectors.h"

/* A Score from [[id, directions, keys], ...]; texts borrowed from the tree. */
static sonata_score score_from(cJSON *list)
{
    sonata_score score = {.name = SONATA_TEXT("s")};
    assert_non_null(list);
    score.memory = calloc(1, sizeof *score.memory);
    assert_non_null(score.memory);
    score.tasks = sonata_arena_array(
        score.memory, (size_t)cJSON_GetArraySize(list), sizeof *score.tasks);
    for (const cJSON *m = list->child; m != NULL; m = m->next) {
        sonata_task *task = &score.tasks[score.task_count++];
        const cJSON *directions = m->child->next;
        task->id = int_of(m->child);
        task->directions =
            texts_of(score.memory, &task->direction_count, directions);
        task->keys =
            values_of(score.memory, &task->key_count, directions->next);
        task->arg_count = 3;
        task->args = sonata_arena_array(score.memory, 3, sizeof *task->args);
    }
    return score;
}

static void print_key(FILE *out, const sonata_value *key)
{
    fwrite(key->text.text, 1, key->text.length, out);
}

/* "a 0-3, b 1-1 | a+b" for lifetimes and conflicts, or the error's code. */
static char *lives_text(const char *tasks, sonata_overlap_rule rule)
{
    cJSON *list = parse_kept(tasks);
    sonata_score score = score_from(list);
    sonata_liveness lives;
    sonata_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (sonata_find_lifetimes(&lives, &score, &error) != SONATA_OK) {
        fprintf(out, "%s", error.code);
        assert_null(lives.items);
    }
    for (size_t i = 0; i < lives.count; i++) {
        fprintf(out, "%s", i == 0 ? "" : ", ");
        print_key(out, &lives.items[i].key);
        fprintf(out, " %lld-%lld", (long long)lives.items[i].birth,
                (long long)lives.items[i].death);
    }
    sonata_conflict *pairs = NULL;
    size_t count = 0;
    assert_int_equal(sonata_find_conflicts(&pairs, &count, &lives, rule, NULL),
                     SONATA_OK);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s", i == 0 ? " | " : " ");
        print_key(out, &lives.items[pairs[i].earlier].key);
        fprintf(out, "+");
        print_key(out, &lives.items[pairs[i].later].key);
    }
    fclose(out);
    free(pairs);
    sonata_liveness_free(&lives);
    sonata_score_free(&score);
    cJSON_Delete(list);
    return text;
}

static void expect_lives(const char *tasks, sonata_overlap_rule rule,
                         const char *expected)
{
    char *text = lives_text(tasks, rule);
    assert_string_equal(text, expected);
    free(text);
}

static void expect_v0(const char *tasks, const char *expected)
{
    expect_lives(tasks, SONATA_OVERLAP_INCLUSIVE, expected);
}

static void births_and_deaths(void **state)
{
    (void)state;
    expect_v0("[]", "");
    expect_v0("[[0,[\"Input\",\"Output\"],[\"b\",\"a\"]],"
              "[4,[\"InOut\"],[\"a\"]]]",
              "a 0-4, b 0-0 | a+b");
    /* Only arguments that have all of argument, direction and key. */
    expect_v0("[[0,[\"Input\",\"Scalar\",\"NoDep\"],[null,\"s\",\"n\"]],"
              "[1,[\"odd\",\"Input\"],[\"o\"]],"
              "[2,[\"Input\"],[\"x\",\"y\"]],"
              "[3,[\"Input\",\"Input\",\"Input\",\"Input\"],"
              "[\"x\",null,null,\"z\"]]]",
              "x 2-3");
}

/* A later write lowers a death, a later read does not. */
static void ids_out_of_order(void **state)
{
    (void)state;
    expect_v0("[[5,[\"Output\"],[\"a\"]],[3,[\"Input\"],[\"a\"]]]", "a 5-5");
    expect_v0("[[5,[\"Output\"],[\"a\"]],[3,[\"Output\"],[\"a\"]]]", "a 5-3");
    expect_v0("[[5,[\"Input\"],[\"a\"]],[3,[\"Output\"],[\"a\"]],"
              "[4,[\"Input\"],[\"a\"]]]",
              "a 5-4");
    /* An inverted life overlaps only what spans both its ends. */
    expect_v0("[[5,[\"Output\"],[\"a\"]],[3,[\"Output\"],[\"a\"]],"
              "[4,[\"Output\"],[\"b\"]],[6,[\"Input\"],[\"b\"]],"
              "[2,[\"Output\"],[\"c\"]],[7,[\"Input\"],[\"c\"]]]",
              "a 5-3, b 4-6, c 2-7 | c+b c+a");
}

static void both_overlap_rules(void **state)
{
    (void)state;
    const char *chain = "[[0,[\"Output\"],[\"a\"]],"
                        "[1,[\"Input\",\"Output\"],[\"a\",\"b\"]],"
                        "[2,[\"Input\"],[\"b\"]]]";
    expect_lives(chain, SONATA_OVERLAP_INCLUSIVE, "a 0-1, b 1-2 | a+b");
    expect_lives(chain, SONATA_OVERLAP_STRICT, "a 0-1, b 1-2");
    /* By the strict rule two outputs of one task may share bytes. */
    const char *twins = "[[0,[\"Output\",\"Output\"],[\"a\",\"b\"]]]";
    expect_lives(twins, SONATA_OVERLAP_INCLUSIVE, "a 0-0, b 0-0 | a+b");
    expect_lives(twins, SONATA_OVERLAP_STRICT, "a 0-0, b 0-0");
}

static void keys_are_python_values(void **state)
{
    (void)state;
    expect_v0("[[0,[\"Input\",\"Input\",\"Input\"],[true,1,1.0]],"
              "[1,[\"Input\",\"Input\"],[0.5,-3]],"
              "[2,[\"Input\"],[1]]]",
              "-3 1-1, 0.5 1-1, true 0-2 | true+-3 true+0.5 -3+0.5");
    expect_v0("[[0,[\"Input\",\"Input\"],[\"1\",1]]]", "memory.mixed-keys");
    expect_v0("[[0,[\"Input\"],[[1]]]]", "memory.key");
    expect_v0("[[0,[\"NoDep\",\"Input\"],[[1],\"a\"]]]", "a 0-0");
}

/* The order of keys against a plain comparison. */
static int compare_plainly(sonata_text a, sonata_text b)
{
    for (size_t i = 0; i < a.length && i < b.length; i++)
        if (a.text[i] != b.text[i])
            return (unsigned char)a.text[i] < (unsigned char)b.text[i] ? -1 : 1;
    return (a.length > b.length) - (a.length < b.length);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Long common beginnings, zero bytes, ends at and around eight bytes. */
static void strings_sort_by_code_points(void **state)
{
    (void)state;
    enum { KEYS = 300, LONGEST = 30 };
    static char texts[KEYS][LONGEST];
    static sonata_value keys[KEYS];
    uint32_t order[KEYS];
    uint32_t seed = 5;
    for (int round = 0; round < 200; round++) {
        size_t alike = next_random(&seed) % LONGEST;
        for (size_t i = 0; i < KEYS; i++) {
            size_t length = next_random(&seed) % LONGEST;
            for (size_t k = 0; k < length; k++)
                texts[i][k] =
                    k < alike ? 'x' : "\0\0a\xc3"[next_random(&seed) % 4];
            keys[i] = (sonata_value){SONATA_STRING, {texts[i], length}};
        }
        assert_int_equal(sonata_sort_keys(order, keys, KEYS, NULL), SONATA_OK);
        bool met[KEYS] = {false};
        for (size_t i = 0; i < KEYS; i++) {
            assert_false(met[order[i]]);
            met[order[i]] = true;
            if (i > 0)
                assert_true(compare_plainly(keys[order[i - 1]].text,
                                            keys[order[i]].text) <= 0);
        }
    }
}

static void numbers_sort_by_value(void **state)
{
    (void)state;
    /* In order; 2^53 + 1 and 1e300 are where doubles would go wrong. */
    static const struct {
        sonata_value_kind kind;
        const char *text;
    } sorted[] = {
        {SONATA_FLOAT, "-1e+300"},
        {SONATA_INT, "-9007199254740993"},
        {SONATA_FLOAT, "-9007199254740992.0"},
        {SONATA_INT, "-10"},
        {SONATA_INT, "-9"},
        {SONATA_FLOAT, "-0.5"},
        {SONATA_BOOL, "false"},
        {SONATA_FLOAT, "5e-324"},
        {SONATA_BOOL, "true"},
        {SONATA_FLOAT, "1.5"},
        {SONATA_INT, "2"},
        {SONATA_FLOAT, "9007199254740992.0"},
        {SONATA_INT, "9007199254740993"},
        {SONATA_INT, "9223372036854775808"},
        {SONATA_FLOAT, "1e+22"},
        {SONATA_INT, "10000000000000000000001"},
    };
    enum { COUNT = sizeof sorted / sizeof *sorted };
    for (size_t shift = 0; shift < COUNT; shift++) {
        sonata_value keys[COUNT];
        uint32_t order[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            size_t from = (i * 7 + shift) % COUNT;
            const char *text = sorted[from].text;
            keys[i] = (sonata_value){sorted[from].kind, {text, strlen(text)}};
        }
        assert_int_equal(sonata_sort_keys(order, keys, COUNT, NULL), SONATA_OK);
        for (size_t i = 0; i < COUNT; i++)
            assert_string_equal(keys[order[i]].text.text, sorted[i].text);
    }
}

/* ---- Aliases ---- */

static sonata_value key_value(const char *text)
{
    return (sonata_value){SONATA_STRING, {text, strlen(text)}};
}

static size_t read_pairs(sonata_key_pair *pairs, const char *const *texts)
{
    size_t count = 0;
    for (; texts[2 * count] != NULL; count++)
        pairs[count] = (sonata_key_pair){key_value(texts[2 * count]),
                                         key_value(texts[2 * count + 1])};
    return count;
}

/* "ab inplace, bc view": every pair that is not disjoint. */
static void expect_aliases(const char *const *inplace,
                           const char *const *canonical,
                           const char *const *views, bool transitive,
                           const char *expected)
{
    const sonata_value keys[] = {key_value("d"),        key_value("b"),
                                 key_value("a"),        key_value("c"),
                                 {.kind = SONATA_NULL}, key_value("b")};
    sonata_key_pair pairs[3][8];
    sonata_alias_facts facts = {pairs[0], read_pairs(pairs[0], inplace),
                                pairs[1], read_pairs(pairs[1], canonical),
                                pairs[2], read_pairs(pairs[2], views)};
    sonata_aliases aliases;
    assert_int_equal(
        sonata_analyse_aliases(&aliases, keys, 6, &facts, transitive, NULL),
        SONATA_OK);
    assert_int_equal(aliases.key_count, 4);
    assert_int_equal(aliases.count, 6);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < aliases.count; i++) {
        const sonata_alias *a = &aliases.items[i];
        if (a->relation != SONATA_DISJOINT)
            fprintf(out, "%s%c%c %s", ftell(out) == 0 ? "" : ", ",
                    aliases.keys[a->first].text.text[0],
                    aliases.keys[a->second].text.text[0],
                    sonata_relation_name(a->relation));
    }
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    sonata_aliases_free(&aliases);
}

static const char *const nothing[] = {NULL};

static void relations_in_one_step(void **state)
{
    (void)state;
    static const char *const cb[] = {"c", "b", NULL};
    static const char *const same[] = {"a", "x", "b", "x", "d", "c", NULL};
    static const char *const views[] = {"b", "a", "c", "a", "d", "z", NULL};
    expect_aliases(nothing, nothing, nothing, false, "");
    expect_aliases(cb, nothing, nothing, false, "bc inplace");
    expect_aliases(nothing, same, nothing, false, "ab alias, cd alias");
    expect_aliases(nothing, nothing, views, false, "ab view, ac view, bc view");
    /* The first that holds, and each pair for itself. */
    expect_aliases(cb, same, views, false,
                   "ab alias, ac view, bc inplace, cd alias");
}

static void relations_to_the_end(void **state)
{
    (void)state;
    static const char *const chain[] = {"a", "b", "b", "c", NULL};
    static const char *const cd[] = {"c", "d", NULL};
    expect_aliases(nothing, chain, nothing, false, "bc alias");
    expect_aliases(nothing, chain, nothing, true,
                   "ab alias, ac alias, bc alias");
    expect_aliases(nothing, nothing, chain, false, "ab view, bc view");
    expect_aliases(nothing, nothing, chain, true, "ab view, ac view, bc view");
    expect_aliases(chain, nothing, cd, false,
                   "ab inplace, bc inplace, cd view");
    expect_aliases(chain, nothing, cd, true,
                   "ab inplace, ac inplace, ad view, bc inplace, bd view, "
                   "cd view");
}

static void aliases_that_are_refused(void **state)
{
    (void)state;
    sonata_value keys[] = {key_value("a"), {SONATA_INT, SONATA_TEXT("1")}};
    sonata_alias_facts facts = {0};
    sonata_aliases aliases;
    sonata_error error = {0};
    assert_int_equal(
        sonata_analyse_aliases(&aliases, keys, 2, &facts, false, &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "memory.mixed-keys");
    assert_null(aliases.keys);
    keys[1].kind = SONATA_NESTED;
    assert_int_equal(
        sonata_analyse_aliases(&aliases, keys, 2, &facts, false, &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "memory.key");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(births_and_deaths),
    cmocka_unit_test(ids_out_of_order),
    cmocka_unit_test(both_overlap_rules),
    cmocka_unit_test(keys_are_python_values),
    cmocka_unit_test(strings_sort_by_code_points),
    cmocka_unit_test(numbers_sort_by_value),
    cmocka_unit_test(relations_in_one_step),
    cmocka_unit_test(relations_to_the_end),
    cmocka_unit_test(aliases_that_are_refused),
};

TEST_MAIN(tests)
