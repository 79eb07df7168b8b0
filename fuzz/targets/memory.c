/*
 * Memory plans of a small Score, looked at pair by pair: buffers that
 * greedy_dag gives a common byte are internal, and every access of the one
 * comes before every access of the other; those that greedy_v0 does have
 * lifetimes apart. Sizes follow from the letters of a key.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scores.h"
#include "sonata/memory.h"

#define MOST_BUFFERS 64
#define MOST_BYTES ((size_t)1 << 16)

static bool is_known(sonata_text direction)
{
    static const char *const words[] = {"Input", "Output", "InOut",
                                        "OutputExisting"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (direction.length == strlen(words[i]) &&
            memcmp(direction.text, words[i], direction.length) == 0)
            return true;
    return false;
}

/* Every argument says what it does, with a string for its key. */
static bool is_plain(const sonata_score *score)
{
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *t = &score->tasks[i];
        if (t->direction_count != t->arg_count || t->key_count != t->arg_count)
            return false;
        for (size_t a = 0; a < t->arg_count; a++)
            if (t->keys[a].kind != SONATA_STRING || !is_known(t->directions[a]))
                return false;
    }
    return true;
}

static bool same(const sonata_value *a, const sonata_value *b)
{
    return a->text.length == b->text.length &&
           memcmp(a->text.text, b->text.text, a->text.length) == 0;
}

static bool touches(const sonata_task *task, const sonata_value *key)
{
    for (size_t a = 0; a < task->arg_count; a++)
        if (same(&task->keys[a], key))
            return true;
    return false;
}

/* Every access of a before every access of b. */
static bool comes_first(const order *o, const sonata_score *score,
                        const sonata_value *a, const sonata_value *b)
{
    for (size_t i = 0; i < score->task_count; i++)
        for (size_t j = 0; j < score->task_count; j++)
            if (touches(&score->tasks[i], a) && touches(&score->tasks[j], b) &&
                !o->before[i][j])
                return false;
    return true;
}

static bool share(const sonata_allocation *a, const sonata_allocation *b)
{
    return a->size > 0 && b->size > 0 && a->offset < b->offset + b->size &&
           b->offset < a->offset + a->size;
}

static bool is_internal(const sonata_value *key)
{
    return key->text.length >= 6 && memcmp(key->text.text, "alloc:", 6) == 0;
}

static void check_dag(const sonata_memory_plan *plan, const sonata_score *score)
{
    order o;
    close_order(&o, score);
    for (size_t i = 0; i < plan->count; i++)
        for (size_t j = 0; j < i; j++) {
            const sonata_allocation *a = &plan->items[i], *b = &plan->items[j];
            if (!share(a, b))
                continue;
            check(is_internal(&a->key) && is_internal(&b->key));
            check(comes_first(&o, score, &a->key, &b->key) ||
                  comes_first(&o, score, &b->key, &a->key));
        }
}

static void check_v0(const sonata_memory_plan *plan,
                     const sonata_liveness *liveness)
{
    check(plan->count == liveness->count);
    for (size_t i = 0; i < plan->count; i++)
        for (size_t j = 0; j < i; j++)
            check(!share(&plan->items[i], &plan->items[j]) ||
                  !sonata_lifetimes_overlap(&liveness->items[i],
                                            &liveness->items[j],
                                            SONATA_OVERLAP_INCLUSIVE));
}

/* The peak is the largest end, and not more than all sizes together. */
static void check_peak(const sonata_memory_plan *plan)
{
    int64_t peak = 0, sum = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const sonata_allocation *a = &plan->items[i];
        check(a->offset >= 0 && a->size >= 0);
        peak = a->offset + a->size > peak ? a->offset + a->size : peak;
        sum += a->size;
    }
    check(plan->peak == peak && peak <= sum);
}

static int64_t size_of(const sonata_value *key)
{
    uint32_t sum = 7;
    for (size_t i = 0; i < key->text.length; i++)
        sum = sum * 31 + (unsigned char)key->text.text[i];
    return sum % 5 == 0 ? 64 : sum % 200;
}

static void plan(const sonata_score *score, const sonata_liveness *liveness)
{
    sonata_buffer_size sizes[MOST_BUFFERS];
    sonata_memory_plan made;
    size_t count = liveness->count;
    for (size_t i = 0; i < count; i++)
        sizes[i] = (sonata_buffer_size){liveness->items[i].key,
                                        size_of(&liveness->items[i].key)};
    check(sonata_plan_greedy_v0(&made, liveness, sizes, count,
                                SONATA_OVERLAP_INCLUSIVE, NULL) == SONATA_OK);
    check_v0(&made, liveness);
    check_peak(&made);
    sonata_memory_plan_free(&made);
    check(sonata_plan_greedy_dag(&made, NULL, score, sizes, count,
                                 SONATA_SHARE_ALLOC, NULL) == SONATA_OK);
    check_dag(&made, score);
    check_peak(&made);
    sonata_memory_plan_free(&made);
}

static void look(const sonata_score *score)
{
    sonata_reasons reasons = {0};
    sonata_liveness liveness;
    check(sonata_score_validate(&reasons, score, NULL) == SONATA_OK);
    bool valid = reasons.count == 0;
    sonata_reasons_free(&reasons);
    if (!valid || !is_plain(score))
        return;
    check(sonata_find_lifetimes(&liveness, score, NULL) == SONATA_OK);
    if (liveness.count <= MOST_BUFFERS)
        plan(score, &liveness);
    sonata_liveness_free(&liveness);
}

/* With the edges that the Score has, and with those of a policy. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sonata_score score;
    if (size > MOST_BYTES || sonata_score_read(&score, (const char *)data, size,
                                               NULL, NULL) != SONATA_OK)
        return 0;
    if (score.task_count <= MOST_TASKS) {
        look(&score);
        if (sonata_score_plan(&score, "dataflow_v0", NULL) == SONATA_OK)
            look(&score);
    }
    sonata_score_free(&score);
    return 0;
}
