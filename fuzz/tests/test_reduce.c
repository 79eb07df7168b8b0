/* The reducer, with questions that are answered here. */
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "fuzz/reduce.h"
#include "fuzz/text.h"
#include "sonata/dump.h"
#include "sonata/score.h"

/* A text has to keep these words; and what `also` wants. */
typedef struct keep {
    const char *words[8];
    bool (*also)(const char *text, size_t length);
    uint64_t asked;
    uint64_t fail_at; /* 0: never */
} keep;

static bool has(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

static void ask(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers)
{
    keep *k = context;
    for (size_t i = 0; i < count; i++) {
        bool yes = true;
        for (size_t w = 0; w < 8 && k->words[w] != NULL; w++)
            yes = yes && has(texts[i].data, texts[i].length, k->words[w]);
        if (yes && k->also != NULL)
            yes = k->also(texts[i].data, texts[i].length);
        answers[i] = yes ? FUZZ_YES : FUZZ_NO;
        if (++k->asked == k->fail_at)
            answers[i] = FUZZ_FAILED;
    }
}

static bool score_digest(char hex[65], const char *text, size_t length);

static fuzz_question question_of(keep *k)
{
    return (fuzz_question){
        .ask = ask, .context = k, .fingerprint = score_digest};
}

/* Reduces, and has checked that the result is 1-minimal. */
static fuzz_reduction reduce(keep *k, const char *text)
{
    fuzz_reduction r, again, checked;
    fuzz_question q = question_of(k);
    assert_int_equal(fuzz_reduce(&r, text, strlen(text), &q), FUZZ_REDUCED);
    assert_true(r.minimal);
    assert_int_equal(strlen(r.text), r.length);
    assert_int_equal(fuzz_reduce_check(&checked, r.text, r.length, &q),
                     FUZZ_REDUCED);
    if (!checked.minimal)
        fail_msg("not minimal:\n%s\n->\n%s", r.text, checked.text);
    assert_null(checked.text);
    /* The same with other widths, in as many questions. */
    for (size_t width = 2; width <= 7; width += 5) {
        q.width = width;
        assert_int_equal(fuzz_reduce(&again, text, strlen(text), &q),
                         FUZZ_REDUCED);
        assert_string_equal(again.text, r.text);
        assert_true(again.calls == r.calls && again.steps == r.steps);
        free(again.text);
    }
    return r;
}

static void expect(const char *text, const char *result, keep k)
{
    fuzz_reduction r = reduce(&k, text);
    assert_string_equal(r.text, result);
    free(r.text);
}

/* --- Documents --- */

static void objects_and_lists(void **state)
{
    (void)state;
    expect("{ \"a\" : [1, 2, {\"keep\": 17}], \"b\": \"long\" }", "[\"keep\"]",
           (keep){.words = {"keep"}});
}

static bool score_digest(char hex[65], const char *text, size_t length)
{
    sonata_score score = {0};
    sonata_error error = {0};
    bool ok =
        sonata_score_read(&score, text, length, NULL, &error) == SONATA_OK &&
        sonata_score_fingerprint(hex, &score, false, &error) == SONATA_OK;
    sonata_score_free(&score);
    return ok;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(objects_and_lists),
};

TEST_MAIN(tests)
