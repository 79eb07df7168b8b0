/*
 * Judges bytes as a document of any kind, twice: both times the same, and no
 * verdict without its reasons.
 */
#include "oracle/judge.h"

#include <stdlib.h>
#include <string.h>

static void compare(const oracle_judgement *a, const oracle_judgement *b)
{
    if (a->verdict != b->verdict || a->count != b->count ||
        a->total != b->total) {
        abort();
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (strcmp(a->findings[i].json, b->findings[i].json) != 0) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oracle_judgement first, second;
    oracle_judge_options options = {.lenient = true, .limit = 20};
    if (oracle_judge_text(&first, (const char *)data, size, &options) !=
        ORACLE_OK) {
        return 0;
    }
    if (first.verdict == ORACLE_UNDECIDED && first.undecided_count == 0 &&
        first.total == 0) {
        abort();
    }
    if (oracle_judge_text(&second, (const char *)data, size, &options) ==
        ORACLE_OK) {
        compare(&first, &second);
        oracle_judgement_free(&second);
    }
    oracle_judgement_free(&first);
    return 0;
}
