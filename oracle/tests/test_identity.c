/* What two graphs mean: the same in other words, and what is another. */
#include "../../scripts/testing/harness.h"

#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that stand in for each other, from left to right. */
typedef struct words {
    const char *from, *to;
} words;

static const char base[] =
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"graph\","
    "\"document\":{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
    "\"rules\":\"tensormap\",\"symbols\":[{\"name\":\"i\",\"min\":0,"
    "\"max\":3,\"step\":1,\"free\":true}],\"choices\":[{\"id\":0,\"kind\":"
    "\"if\",\"line\":2,\"text\":\"n > 4\"}],\"buffers\":[{\"key\":\"param:x\","
    "\"bytes\":64,\"external\":true},{\"key\":\"alloc:t\",\"bytes\":64}],"
    "\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null}],\"tasks\":[{"
    "\"id\":0,\"name\":\"k\",\"line\":3,\"scope\":0,\"blocks\":1,\"args\":[{"
    "\"buffer\":\"param:x\",\"dispatch\":\"input\",\"view\":{\"dtype\":"
    "\"fp32\",\"elem\":4,\"base\":{\"c\":0,\"t\":[[4,\"i\"]]},\"dims\":[[4,4,0]"
    "]},\"access\":[{\"mode\":\"read\",\"must\":true,\"exact\":true}]},{"
    "\"scalar\":4},{\"scalar\":{\"text\":\"n + 1\"}}]},{\"id\":1,\"name\":"
    "\"k\",\"scope\":0,\"args\":[{\"buffer\":\"alloc:t\",\"dispatch\":"
    "\"output\",\"access\":[{\"mode\":\"write\",\"must\":true,\"exact\":true}]"
    "}]},{\"id\":2,\"name\":\"k\",\"scope\":0,\"args\":[],\"deps\":[{\"task\":1"
    "}]}],\"edges\":[{\"from\":0,\"to\":1,\"source\":\"explicit\",\"kind\":"
    "\"data\",\"certain\":true}]}},{\"role\":\"score\",\"document\":{\"name\":"
    "\"s\",\"tasks\":[]}}]}";

static char *replace(const char *text, const words *w)
{
    size_t from = strlen(w->from), to = strlen(w->to);
    char *out = malloc(2 * strlen(text) + 8 * to + 1), *at = out;
    bool some = false;
    assert_non_null(out);
    while (*text != '\0') {
        if (strncmp(text, w->from, from) == 0) {
            memcpy(at, w->to, to);
            at += to;
            text += from;
            some = true;
        } else {
            *at++ = *text++;
        }
    }
    *at = '\0';
    if (!some) {
        fail_msg("%s is not there", w->from);
    }
    return out;
}

static void meaning_of(char digest[65], const char *text)
{
    oracle_judgement judgement;
    assert_int_equal(oracle_judge_text(&judgement, text, strlen(text), NULL),
                     ORACLE_OK);
    memcpy(digest, judgement.meaning, 65);
    if (strlen(digest) != 64 || strlen(judgement.fingerprint) != 64) {
        fail_msg("%s", judgement.total > 0 ? judgement.findings[0].json : text);
    }
    oracle_judgement_free(&judgement);
}

static void expect_of(const char *text, const words *w, bool same)
{
    char first[65], second[65], *sentence;
    char *other = replace(text, w);
    meaning_of(first, text);
    meaning_of(second, other);
    oracle_bytes a = {text, strlen(text)}, b = {other, strlen(other)};
    assert_int_equal(oracle_meaning_difference(&sentence, a, b), ORACLE_OK);
    if (same != (strcmp(first, second) == 0) || same != (sentence == NULL)) {
        fail_msg("%s -> %s: %s", w->from, w->to,
                 sentence == NULL ? "nothing differs" : sentence);
    }
    free(sentence);
    free(other);
}

static void expect(const words *w, bool same)
{
    expect_of(base, w, same);
}

static void other_words(void **state)
{
    (void)state;
    static const words list[] = {
        {"param:x", "param:y"},
        {"alloc:t", "alloc:scratch"},
        {"\"i\"", "\"row\""},
        {"\"line\":3", "\"line\":30"},
        {"n > 4", "m > 4"},
        {"n + 1", "other + 1"},
        {"\"name\":\"g\"", "\"name\":\"h\""},
        {"\"id\":2,", "\"id\":7,"},
        {"\"deps\":[{\"task\":1}]", "\"deps\":[{\"task\":1},{\"task\":0}]"},
        {"\"source\":\"explicit\"", "\"source\":\"policy\""},
        {"\"deps\":[{\"task\":1}]",
         "\"deps\":[{\"task\":null,\"name\":\"x\",\"cause\":\"dead\"},"
         "{\"task\":1}]"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        expect(&list[i], true);
    }
}

static void other_meanings(void **state)
{
    (void)state;
    static const words list[] = {
        {"{\"scalar\":4}", "{\"scalar\":8}"},
        {"n + 1", "n + 2"},
        {"tensormap", "conservative"},
        {"\"max\":3", "\"max\":4"},
        {"\"bytes\":64,\"external\":true", "\"bytes\":128,\"external\":true"},
        {"\"external\":true", "\"external\":false"},
        {"\"manual\":false", "\"manual\":true"},
        {"\"blocks\":1", "\"blocks\":2"},
        {"\"dispatch\":\"input\"", "\"dispatch\":\"inout\""},
        {"fp32", "int32"},
        {"[[4,\"i\"]]", "[[8,\"i\"]]"},
        {"[[4,4,0]]", "[[2,4,0]]"},
        {"\"mode\":\"read\"", "\"mode\":\"write\""},
        {"\"deps\":[{\"task\":1}]", "\"deps\":[{\"task\":0}]"},
        {"\"deps\":[{\"task\":1}]", "\"deps\":[]"},
        {"\"name\":\"k\",\"line\"", "\"name\":\"m\",\"line\""},
        {"\"scope\":0,\"blocks\"",
         "\"when\":[{\"choice\":0,\"is\":true}],\"scope\":0,\"blocks\""},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        expect(&list[i], false);
    }
}

/* What the symbols obey, and what follows from others, is meant, too. */
static void facts_and_products(void **state)
{
    (void)state;
    static const words more[] = {
        {"\"free\":true}]",
         "\"free\":true},{\"name\":\"p\",\"min\":0,\"max\":12,\"is\":{"
         "\"op\":\"*\",\"left\":{\"c\":0,\"t\":[[1,\"i\"]]},\"right\":4}}],"
         "\"facts\":[{\"choice\":0,\"is\":true,\"op\":\"<=\",\"of\":{"
         "\"c\":-2,\"t\":[[1,\"i\"],[3,\"p\"]]}}]"},
        {"[[4,\"i\"]]", "[[1,\"p\"]]"},
        {"\"args\":[],", "\"args\":[],\"when\":[{\"choice\":0,\"is\":true}],"}};
    static const words same[] = {
        {"\"p\"", "\"q\""}, {"[[1,\"i\"],[3,\"p\"]]", "[[3,\"p\"],[1,\"i\"]]"}};
    static const words others[] = {
        {"\"op\":\"*\"", "\"op\":\"max\""},
        {"\"right\":4", "\"right\":5"},
        {"\"op\":\"<=\"", "\"op\":\"!=\""},
        {"\"c\":-2", "\"c\":-3"},
        {"[3,\"p\"]", "[2,\"p\"]"},
        {"\"choice\":0,\"is\":true,\"op\"", "\"choice\":0,\"is\":false,\"op\""},
        {"\"choice\":0,\"is\":true,\"op\"", "\"op\""}};
    char *text = replace(base, &more[0]);
    for (size_t i = 1; i < sizeof more / sizeof *more; i++) {
        char *next = replace(text, &more[i]);
        free(text);
        text = next;
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        expect_of(text, &same[i], true);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        expect_of(text, &others[i], false);
    }
    free(text);
}

static void without_a_score(void **state)
{
    (void)state;
    oracle_judgement judgement;
    const char *text = "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
                       "\"rules\":\"none\",\"tasks\":[]}";
    assert_int_equal(oracle_judge_text(&judgement, text, strlen(text), NULL),
                     ORACLE_OK);
    assert_int_equal(judgement.meaning[0], '\0');
    oracle_judgement_free(&judgement);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(other_words),
    cmocka_unit_test(other_meanings),
    cmocka_unit_test(facts_and_products),
    cmocka_unit_test(without_a_score),
};

TEST_MAIN(tests)
