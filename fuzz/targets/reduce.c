/*
 * The reducer on any bytes: the first two say which answers it gets, the rest
 * is the text. Whatever the answers, the result has what was asked for, never
 * grows, and is the same with several questions at once; when it ends by
 * itself its check finds nothing left.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/reduce.h"

#define LONGEST ((size_t)4096)
#define CALLS 2000

typedef struct asked {
    const char *word; /* the text keeps it */
    size_t length;
    uint8_t noise; /* and no other answer than its bytes give */
} asked;

static fuzz_answer answer_of(const asked *a, const fuzz_piece *text)
{
    unsigned sum = a->noise;
    if (text->data[text->length] != '\0')
        abort();
    for (size_t i = 0; i < text->length; i++)
        sum = sum * 31 + (unsigned char)text->data[i];
    bool kept = memmem(text->data, text->length, a->word, a->length) != NULL;
    return kept && (a->noise < 128 || sum % 3 != 0) ? FUZZ_YES : FUZZ_NO;
}

static void ask(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers)
{
    for (size_t i = 0; i < count; i++)
        answers[i] = answer_of(context, &texts[i]);
}

static void check(const fuzz_reduction *r, const asked *a, size_t length,
                  const fuzz_question *q)
{
    fuzz_piece text = {r->text, r->length};
    fuzz_reduction left;
    if (r->length > length || answer_of(a, &text) != FUZZ_YES)
        abort();
    if (!r->minimal)
        return;
    fuzz_question all = *q;
    all.calls = 0;
    if (fuzz_reduce_check(&left, r->text, r->length, &all) != FUZZ_REDUCED ||
        !left.minimal || left.text != NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > LONGEST)
        return 0;
    const char *text = (const char *)data + 2;
    size_t length = size - 2;
    size_t at = length == 0 ? 0 : data[0] % length;
    asked a = {text + at, length - at < 3 ? length - at : 3, data[1]};
    fuzz_question q = {.ask = ask, .context = &a, .calls = CALLS};
    fuzz_reduction one, many;
    fuzz_outcome outcome = fuzz_reduce(&one, text, length, &q);
    if (outcome != FUZZ_REDUCED)
        return 0;
    check(&one, &a, length, &q);
    q.width = 4;
    if (fuzz_reduce(&many, text, length, &q) != FUZZ_REDUCED ||
        many.length != one.length || many.calls != one.calls ||
        memcmp(many.text, one.text, one.length) != 0)
        abort();
    free(one.text);
    free(many.text);
    return 0;
}
