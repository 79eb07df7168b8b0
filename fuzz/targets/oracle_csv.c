/*
 * Judges bytes as a memory plan in the CSV form: the same twice, its overlaps
 * and the most that is alive as counted one by one, each proof accepted.
 */
#include "../../oracle/csv.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY 1000
#define FEW 200 /* pieces that are compared pair by pair */

static bool overlap(const oracle_csv_piece *a, const oracle_csv_piece *b)
{
    return a->placed && b->placed && a->from < b->to && b->from < a->to &&
           a->begin < b->end && b->begin < a->end;
}

static void count_again(const oracle_csv_sweep *sweep)
{
    uint64_t overlaps = 0;
    for (uint32_t i = 0; i < sweep->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            overlaps += overlap(&sweep->pieces[i], &sweep->pieces[j]);
        }
    }
    if (overlaps != sweep->overlaps) {
        abort();
    }
}

static void look(const char *text, size_t length)
{
    oracle_csv csv;
    oracle_error error;
    oracle_csv_sweep sweep;
    if (oracle_csv_read(&csv, text, length, &error) != ORACLE_OK) {
        return;
    }
    oracle_arena *arena = oracle_arena_create();
    if (arena != NULL && oracle_csv_look(&sweep, &csv, 10, arena) &&
        sweep.count <= FEW) {
        count_again(&sweep);
    }
    oracle_arena_free(arena);
    oracle_csv_free(&csv);
}

static void check(const oracle_judgement *judgement, const char *text,
                  size_t length)
{
    char reason[160];
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *one = &judgement->findings[i];
        if (one->severity == ORACLE_ERROR &&
            strncmp(one->rule, "memory.", 7) == 0 &&
            !oracle_csv_witness_check(text, length, CAPACITY, one->json, reason,
                                      sizeof reason)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    oracle_judgement first, second;
    oracle_judge_options options = {
        .csv = true, .limit = 20, .capacity = CAPACITY};
    look(text, size);
    if (oracle_judge_text(&first, text, size, &options) != ORACLE_OK) {
        return 0;
    }
    check(&first, text, size);
    if (oracle_judge_text(&second, text, size, &options) == ORACLE_OK) {
        if (first.total != second.total || first.count != second.count ||
            first.verdict != second.verdict) {
            abort();
        }
        for (uint32_t i = 0; i < first.count; i++) {
            if (strcmp(first.findings[i].json, second.findings[i].json) != 0) {
                abort();
            }
        }
        oracle_judgement_free(&second);
    }
    oracle_judgement_free(&first);
    return 0;
}
