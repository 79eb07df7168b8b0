/* Reference answers about memory: lifetimes, conflicts, greedy_v0. */
#include "../../scripts/testing/harness.h"

#include "sonata/memory.h"
#include "vectors.h"

#define VECTORS "../shared/vectors/sonata/scores.jsonl"
#define LARGE "../shared/vectors/sonata/large.jsonl"

static void write_value(sonata_json *w, const sonata_value *value)
{
    if (value->kind == SONATA_STRING)
        sonata_json_string_n(w, value->text.text, value->text.length);
    else
        sonata_json_raw(w, value->text.text, value->text.length);
}

/* Each answer as the vectors write it, compact; freed by the caller. */
static char *lifetimes_text(const sonata_liveness *liveness)
{
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_json_array(&w);
    for (size_t i = 0; i < liveness->count; i++) {
        sonata_json_array(&w);
        write_value(&w, &liveness->items[i].key);
        sonata_json_int(&w, liveness->items[i].birth);
        sonata_json_int(&w, liveness->items[i].death);
        sonata_json_end_array(&w);
    }
    sonata_json_end_array(&w);
    return sonata_json_take(&w, NULL);
}

static char *conflicts_text(const sonata_liveness *liveness)
{
    sonata_conflict *conflicts = NULL;
    size_t count = 0;
    assert_int_equal(sonata_find_conflicts(&conflicts, &count, liveness,
                                           SONATA_OVERLAP_INCLUSIVE, NULL),
                     SONATA_OK);
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_json_array(&w);
    for (size_t i = 0; i < count; i++) {
        sonata_json_array(&w);
        write_value(&w, &liveness->items[conflicts[i].earlier].key);
        write_value(&w, &liveness->items[conflicts[i].later].key);
        sonata_json_end_array(&w);
    }
    sonata_json_end_array(&w);
    free(conflicts);
    return sonata_json_take(&w, NULL);
}

static char *plan_text(const sonata_memory_plan *plan)
{
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_json_object(&w);
    sonata_json_key(&w, "allocations");
    sonata_json_array(&w);
    for (size_t i = 0; i < plan->count; i++) {
        sonata_json_array(&w);
        write_value(&w, &plan->items[i].key);
        sonata_json_int(&w, plan->items[i].offset);
        sonata_json_int(&w, plan->items[i].size);
        sonata_json_end_array(&w);
    }
    sonata_json_end_array(&w);
    sonata_json_key(&w, "peak");
    sonata_json_int(&w, plan->peak);
    sonata_json_end_object(&w);
    return sonata_json_take(&w, NULL);
}

static sonata_buffer_size *sizes_of(sonata_arena *arena, size_t *count,
                                    const cJSON *list)
{
    *count = (size_t)cJSON_GetArraySize(list);
    sonata_buffer_size *sizes =
        sonata_arena_array(arena, *count, sizeof *sizes);
    size_t at = 0;
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        sizes[at++] = (sonata_buffer_size){value_of(arena, m->child),
                                           int_of(m->child->next)};
    return sizes;
}

/* True when a text is the one of the answer, or its hash is; frees it. */
static bool same(char *text, const cJSON *answer, const char *name)
{
    char field_name[64];
    const cJSON *expected = field(answer, name);
    bool equal = false;
    if (expected != NULL) {
        char *wanted = node_text(expected);
        equal = strcmp(text, wanted) == 0;
        free(wanted);
    } else {
        char hash[65];
        snprintf(field_name, sizeof field_name, "%s_sha256", name);
        sha256_text(hash, text, strlen(text));
        equal = strcmp(hash, field(answer, field_name)->valuestring) == 0;
    }
    if (!equal)
        print_message("%s differs: %s\n", name,
                      field(answer, "id")->valuestring);
    free(text);
    return equal;
}

/* A case where the reference raises has to be refused, with a code. */
static bool same_answers(const sonata_score *score, const cJSON *answer)
{
    sonata_liveness liveness;
    sonata_error error = {0};
    sonata_status status = sonata_find_lifetimes(&liveness, score, &error);
    const cJSON *expected = field(answer, "lifetimes");
    if (cJSON_IsObject(expected))
        return status == SONATA_REJECTED && error.code[0] != '\0' &&
               liveness.items == NULL;
    if (status != SONATA_OK)
        return false;
    size_t count = 0;
    sonata_buffer_size *sizes =
        sizes_of(score->memory, &count, field(answer, "buffer_sizes"));
    sonata_memory_plan plan;
    assert_int_equal(sonata_plan_greedy_v0(&plan, &liveness, sizes, count,
                                           SONATA_OVERLAP_INCLUSIVE, NULL),
                     SONATA_OK);
    bool equal = same(lifetimes_text(&liveness), answer, "lifetimes");
    equal = same(conflicts_text(&liveness), answer, "conflicts") && equal;
    equal = same(plan_text(&plan), answer, "memory_plan") && equal;
    const cJSON *peak = field(answer, "peak");
    equal = equal && (peak == NULL || int_of(peak) == plan.peak);
    sonata_memory_plan_free(&plan);
    sonata_liveness_free(&liveness);
    return equal;
}

static void run_file(const char *path)
{
    test_needs(path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t room = 0;
    int cases = 0, apart = 0, passed = 0;
    while (getline(&line, &room, file) > 0) {
        cJSON *answer = parse_kept(line);
        if (answer == NULL || strstr(line, "\\u0000") != NULL) {
            apart++;
            cJSON_Delete(answer);
            continue;
        }
        sonata_score score = score_of(field(answer, "score"));
        cases++;
        passed += same_answers(&score, answer);
        sonata_score_free(&score);
        cJSON_Delete(answer);
    }
    free(line);
    fclose(file);
    print_message("%d of %d; %d apart\n", passed, cases, apart);
    assert_true(cases > 0);
    assert_int_equal(passed, cases);
}

static void reference_scores(void **state)
{
    (void)state;
    run_file(VECTORS);
}

static void reference_large(void **state)
{
    (void)state;
    run_file(LARGE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reference_scores),
    cmocka_unit_test(reference_large),
};

TEST_MAIN(tests)
