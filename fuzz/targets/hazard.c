/*
 * Hazards of a small Score, counted pair by pair: where a read and a write of
 * one key have no path in program order, the judge is not content; where they
 * have one, and two writes as well, it finds no lost order. By dataflow_v0 all
 * have one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "oracle/judge.h"
#include "scores.h"
#include "sonata/graph.h"

#define MOST_BYTES ((size_t)1 << 16)

static bool is(sonata_text text, const char *word)
{
    return text.length == strlen(word) &&
           memcmp(text.text, word, text.length) == 0;
}

static bool writes(sonata_text direction)
{
    return is(direction, "Output") || is(direction, "InOut") ||
           is(direction, "OutputExisting");
}

static bool reads(sonata_text direction)
{
    return is(direction, "Input") || is(direction, "InOut");
}

/* Every argument says what it does, with a string for its key. */
static bool is_plain(const sonata_score *score)
{
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *t = &score->tasks[i];
        if (t->direction_count != t->arg_count || t->key_count != t->arg_count)
            return false;
        for (size_t a = 0; a < t->arg_count; a++)
            if (t->keys[a].kind != SONATA_STRING ||
                (!writes(t->directions[a]) && !reads(t->directions[a])))
                return false;
    }
    return true;
}

/* Two accesses of one key, one of them a write; `read`: the other a read. */
static bool meet(const sonata_task *a, const sonata_task *b, bool read)
{
    for (size_t i = 0; i < a->arg_count; i++)
        for (size_t j = 0; j < b->arg_count; j++) {
            sonata_text p = a->directions[i], q = b->directions[j];
            sonata_text k = a->keys[i].text, l = b->keys[j].text;
            bool counts = (writes(p) && reads(q)) || (reads(p) && writes(q)) ||
                          (!read && writes(p) && writes(q));
            if (counts && k.length == l.length &&
                memcmp(k.text, l.text, k.length) == 0)
                return true;
        }
    return false;
}

static bool all_ordered(const sonata_score *score, bool read)
{
    order o;
    close_order(&o, score);
    for (size_t i = 0; i < score->task_count; i++)
        for (size_t j = i + 1; j < score->task_count; j++)
            if (!o.before[i][j] &&
                meet(&score->tasks[i], &score->tasks[j], read))
                return false;
    return true;
}

static bool is_lost_order(const oracle_finding *f)
{
    return f->severity == ORACLE_ERROR && (strcmp(f->rule, "hazard.raw") == 0 ||
                                           strcmp(f->rule, "hazard.war") == 0 ||
                                           strcmp(f->rule, "hazard.waw") == 0);
}

/* `ordered`: all is. `lost`: a read and a write are not. */
static void judge(const sonata_score *score, bool ordered, bool lost)
{
    char *json;
    size_t length;
    oracle_judgement j;
    oracle_judge_options options = {.limit = 10000};
    if (sonata_score_graph_json(&json, &length, score, NULL, 0, false, NULL) !=
        SONATA_OK)
        return;
    check(oracle_judge_text(&j, json, length, &options) == ORACLE_OK);
    for (uint32_t i = 0; i < j.count; i++)
        if (ordered && is_lost_order(&j.findings[i])) {
            fprintf(stderr, "%s\n%s\n", j.findings[i].json, json);
            abort();
        }
    if (lost && j.verdict == ORACLE_CLEAN) {
        fprintf(stderr, "clean, and a pair has no order:\n%s\n", json);
        abort();
    }
    oracle_judgement_free(&j);
    free(json);
}

static void look(sonata_score *score)
{
    sonata_reasons reasons = {0};
    check(sonata_score_validate(&reasons, score, NULL) == SONATA_OK);
    bool valid = reasons.count == 0;
    sonata_reasons_free(&reasons);
    if (!valid || !is_plain(score))
        return;
    judge(score, all_ordered(score, false), !all_ordered(score, true));
    if (sonata_score_plan(score, "dataflow_v0", NULL) != SONATA_OK)
        return;
    check(all_ordered(score, false));
    judge(score, true, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sonata_score score;
    if (size > MOST_BYTES || sonata_score_read(&score, (const char *)data, size,
                                               NULL, NULL) != SONATA_OK)
        return 0;
    if (score.task_count <= MOST_TASKS)
        look(&score);
    sonata_score_free(&score);
    return 0;
}
