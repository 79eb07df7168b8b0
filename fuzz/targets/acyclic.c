/*
 * Validation of a Score: the planner and the oracle have the same reasons, and
 * there is one about a cycle just where tasks are left over when those without
 * predecessors are taken away one after the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "oracle/document.h"
#include "scores.h"
#include "sonata/json.h"

#define MOST_CYCLE_TASKS 64 /* of those that are counted here, too */

/* Takes one task away that waits for nobody who is left. */
static bool take_one(bool *gone, const sonata_score *score)
{
    bool waits[MOST_CYCLE_TASKS] = {false};
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *d = &score->dependencies[i];
        size_t from = score_place(score, d->producer),
               to = score_place(score, d->consumer);
        if (from < score->task_count && to < score->task_count && from != to &&
            !gone[from])
            waits[to] = true;
    }
    for (size_t i = 0; i < score->task_count; i++) {
        if (gone[i] || waits[i])
            continue;
        gone[i] = true;
        return true;
    }
    return false;
}

static bool has_cycle(const sonata_score *score)
{
    bool gone[MOST_CYCLE_TASKS] = {false};
    size_t left = score->task_count;
    while (left > 0 && take_one(gone, score))
        left--;
    return left > 0;
}

static bool ids_repeat(const sonata_score *score)
{
    for (size_t i = 0; i < score->task_count; i++)
        if (score_place(score, score->tasks[i].id) != i)
            return true;
    return false;
}

static void count_again(const sonata_score *score,
                        const sonata_reasons *reasons)
{
    static const char words[] = "dependency graph must be acyclic";
    bool told = false;
    if (score->task_count > MOST_CYCLE_TASKS ||
        score->dependency_count > 1000 || ids_repeat(score))
        return;
    for (size_t i = 0; i < reasons->count; i++)
        told |= strncmp(reasons->items[i].message.text, words,
                        sizeof words - 1) == 0;
    check(told == has_cycle(score));
}

/* False: the oracle does not take the text as a Score. */
static bool compare(const sonata_reasons *own, const char *text, size_t length)
{
    char **reasons;
    uint32_t count;
    oracle_error error;
    if (oracle_validate_text(&reasons, &count, text, length, &error) !=
        ORACLE_OK)
        return false;
    check(count == own->count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(reasons[i], own->items[i].message.text) != 0) {
            fprintf(stderr, "planner: %s\noracle: %s\n",
                    own->items[i].message.text, reasons[i]);
            abort();
        }
    free(reasons);
    return true;
}

static void compare_written(const sonata_reasons *own,
                            const sonata_score *score)
{
    char *json;
    size_t size;
    check(sonata_score_json(&json, &size, score, false, NULL) == SONATA_OK);
    check(compare(own, json, size));
    free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    sonata_score score;
    sonata_reasons reasons = {0};
    if (names_kind(text, size) ||
        sonata_score_read(&score, text, size, NULL, NULL) != SONATA_OK)
        return 0;
    check(sonata_score_validate(&reasons, &score, NULL) == SONATA_OK);
    compare_written(&reasons, &score);
    compare(&reasons, text, size);
    count_again(&score, &reasons);
    sonata_reasons_free(&reasons);
    sonata_score_free(&score);
    return 0;
}
