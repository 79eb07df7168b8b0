/* The reducer where a finding needs many parts, of which few frames hold all,
   and where the parts are those of no document. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "fuzz/reduce.h"
#include "fuzz/text.h"
#include "sonata/score.h"

typedef bool (*question)(const char *text, size_t length);

static void ask(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers)
{
    const question *holds = context;
    for (size_t i = 0; i < count; i++)
        answers[i] =
            (*holds)(texts[i].data, texts[i].length) ? FUZZ_YES : FUZZ_NO;
}

/* Reduces; the result is 1-minimal. */
static fuzz_reduction reduce(const fuzz_text *text, question holds)
{
    fuzz_reduction r, checked;
    fuzz_question q = {.ask = ask, .context = &holds};
    assert_int_equal(fuzz_reduce(&r, text->data, text->length, &q),
                     FUZZ_REDUCED);
    assert_true(r.minimal);
    assert_int_equal(fuzz_reduce_check(&checked, r.text, r.length, &q),
                     FUZZ_REDUCED);
    if (!checked.minimal)
        fail_msg("%s\n->\n%s", r.text, checked.text);
    return r;
}

/* Forty different names, wherever they stand. */
static bool has_forty_names(const char *text, size_t length)
{
    bool seen[1000] = {false};
    int count = 0;
    if (fuzz_form_of(text, length) != FUZZ_FORM_JSON)
        return false;
    for (size_t i = 0; i + 4 < length; i++) {
        int number;
        if (text[i] == 'n' && sscanf(text + i + 1, "%3d\"", &number) == 1 &&
            number >= 100 && !seen[number]) {
            seen[number] = true;
            count++;
        }
    }
    return count >= 40;
}

/* Of the deep frames around what is needed none is left, in few questions. */
static void frames(void **state)
{
    (void)state;
    fuzz_text text = {0};
    fuzz_put(&text, "{\"body\":[");
    for (int i = 0; i < 200; i++) {
        char item[200];
        snprintf(item, sizeof item,
                 "%s{\"kind\":\"Assign\",\"var\":{\"id\":%d},\"value\":{"
                 "\"kind\":\"Call\",\"op\":\"mul\",\"args\":[{\"ref\":"
                 "\"n%d\"}]}}",
                 i == 0 ? "" : ",", i, 100 + i);
        fuzz_put(&text, item);
    }
    fuzz_put(&text, "]}");
    fuzz_reduction r = reduce(&text, has_forty_names);
    assert_int_equal(r.length, 2 + 40 * 7 - 1);
    assert_int_equal(strncmp(r.text, "[\"n", 3), 0);
    assert_true(r.calls < 1000);
    free(r.text);
    fuzz_text_free(&text);
}

/* A Score whose tasks have twelve arguments with a key together. */
static bool has_twelve_keys(const char *text, size_t length)
{
    sonata_score score = {0};
    sonata_error error = {0};
    size_t count = 0;
    if (sonata_score_read(&score, text, length, NULL, &error) == SONATA_OK)
        for (size_t t = 0; t < score.task_count; t++)
            count += score.tasks[t].keys != NULL ? score.tasks[t].arg_count : 0;
    sonata_score_free(&score);
    return count >= 12;
}

/* A task that is joined to the one before it goes with all that names it. */
static void tasks(void **state)
{
    (void)state;
    fuzz_text text = {0};
    fuzz_put(&text, "{\"name\":\"made\",\"tasks\":[");
    for (int i = 0; i < 64; i++) {
        char item[200];
        snprintf(
            item, sizeof item,
            "%s{\"task_id\":%d,\"func_id\":0,\"core_type\":\"aiv\",\"name\":"
            "\"f\",\"args\":[\"b%d\"],\"arg_directions\":[\"Output\"],"
            "\"arg_storage_keys\":[\"alloc:b%d\"]}",
            i == 0 ? "" : ",", i, i, i);
        fuzz_put(&text, item);
    }
    fuzz_put(&text, "],\"dependencies\":[");
    for (int i = 1; i < 64; i++) {
        char item[80];
        snprintf(item, sizeof item,
                 "%s{\"producer\":%d,\"consumer\":%d,\"kind\":\"data\"}",
                 i == 1 ? "" : ",", i - 1, i);
        fuzz_put(&text, item);
    }
    fuzz_put(&text, "]}");
    assert_int_equal(fuzz_count_tasks(text.data, text.length), 64);
    fuzz_reduction r = reduce(&text, has_twelve_keys);
    assert_int_equal(fuzz_count_tasks(r.text, r.length), 1);
    assert_null(strstr(r.text, "producer"));
    free(r.text);
    fuzz_text_free(&text);
}

/* Cut inside two lists, the last of which holds what is kept. */
static bool is_cut(const char *text, size_t length)
{
    int depth = 0;
    const char *last = NULL;
    for (const char *at = text; at < text + length; at++) {
        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
        if (depth < 0)
            return false;
        last = *at == '[' ? at : last;
    }
    return depth == 2 && last != NULL && strstr(last, "keep") != NULL;
}

/* A document that is cut has its parts still, and goes in large ones. */
static void cut_documents(void **state)
{
    (void)state;
    fuzz_text text = {0};
    fuzz_put(&text, "[0, [");
    for (int i = 0; i < 3000; i++) {
        char item[64];
        snprintf(item, sizeof item, "[%d, {\"a,\": [%d, \"x\"]}], ", i, i);
        fuzz_put(&text, item);
    }
    fuzz_put(&text, "3, \"keep\", 4");
    fuzz_reduction r = reduce(&text, is_cut);
    assert_string_equal(r.text, "[[keep");
    if (r.calls >= 400)
        fail_msg("%llu questions", (unsigned long long)r.calls);
    free(r.text);
    fuzz_text_free(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(frames),
    cmocka_unit_test(tasks),
    cmocka_unit_test(cut_documents),
};

TEST_MAIN(tests)
