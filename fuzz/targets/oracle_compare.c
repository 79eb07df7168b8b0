/*
 * The bytes up to a zero byte and those behind it, as two documents of one
 * plan: the same answer twice, nothing differs from itself, and what two
 * meanings differ in is there when their digests differ.
 */
#include "oracle/judge.h"

#include <stdlib.h>
#include <string.h>

static oracle_judgement compare(oracle_bytes a, oracle_bytes b)
{
    oracle_judgement judgement;
    oracle_judge_options options = {.case_digest = ""};
    if (oracle_compare_text(&judgement, a, b, true, &options) != ORACLE_OK) {
        judgement = (oracle_judgement){0};
    }
    return judgement;
}

static void twice(oracle_bytes a, oracle_bytes b)
{
    oracle_judgement first = compare(a, b), second = compare(a, b);
    if (first.total != second.total || first.verdict != second.verdict) {
        abort();
    }
    for (uint32_t i = 0; i < first.count; i++) {
        if (strcmp(first.findings[i].json, second.findings[i].json) != 0) {
            abort();
        }
    }
    oracle_judgement_free(&first);
    oracle_judgement_free(&second);
}

static void itself(oracle_bytes a)
{
    oracle_judgement judgement = compare(a, a);
    char *sentence;
    if (judgement.total > 0) {
        abort();
    }
    oracle_judgement_free(&judgement);
    if (oracle_meaning_difference(&sentence, a, a) == ORACLE_OK &&
        sentence != NULL) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *zero = size == 0 ? NULL : memchr(text, '\0', size);
    size_t length = zero == NULL ? size : (size_t)(zero - text);
    oracle_bytes a = {text, length};
    oracle_bytes b = {zero == NULL ? text : zero + 1,
                      zero == NULL ? size : size - length - 1};
    char *sentence = NULL;
    itself(a);
    itself(b);
    twice(a, b);
    if (oracle_meaning_difference(&sentence, a, b) == ORACLE_OK) {
        free(sentence);
    }
    return 0;
}
