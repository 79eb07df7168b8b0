/*
 * Allocation failure at every point gives SONATA_NO_MEMORY and no leak (which
 * the leak check of the sanitizers sees). cJSON allocates as our code does, by
 * its hooks.
 */
#include "../../scripts/testing/harness.h"

#include "../../scripts/testing/no_memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "sonata/dump.h"
#include "sonata/ir.h"
#include "sonata/memory.h"

#include "../json/arena.h"
#include "document_kinds.h"

static void hook_cjson(void)
{
    cJSON_Hooks hooks = {__wrap_malloc, free};
    cJSON_InitHooks(&hooks);
}

/*
 * Runs a piece of work with ever more memory, until it has enough; or without
 * one of the allocations.
 */
typedef sonata_status (*work)(const void *context, sonata_error *error);

static long run_short(work run, const void *context, bool once)
{
    hook_cjson();
    for (long most = 0;; most++) {
        sonata_error error = {0};
        (once ? fail_allocation : allow_allocations)(most);
        sonata_status status = run(context, &error);
        allow_all_allocations();
        if (!has_failed) {
            assert_int_equal(status, SONATA_OK);
            return most;
        }
        assert_int_equal(status, SONATA_NO_MEMORY);
        assert_int_equal(error.status, SONATA_NO_MEMORY);
    }
}

static sonata_status redo(const void *context, sonata_error *error)
{
    const document_kind *kind = context;
    sonata_reasons warnings = {0};
    char *json = NULL;
    sonata_status status = kind->there_and_back(
        &json, kind->sample, strlen(kind->sample), true, &warnings, error);
    free(json);
    sonata_reasons_free(&warnings);
    return status;
}

static long run_short_of_memory(work run, const void *context)
{
    long most = run_short(run, context, false);
    assert_int_equal(run_short(run, context, true), most);
    return most;
}

/* With all the memory that it wants. */
static long count_allocations(work run, const void *context)
{
    const long plenty = 1L << 30;
    sonata_error error = {0};
    hook_cjson();
    allow_allocations(plenty);
    assert_int_equal(run(context, &error), SONATA_OK);
    long used = plenty - allocations_left;
    allow_all_allocations();
    return used;
}

static sonata_status fill_arena(const void *context, sonata_error *error)
{
    const size_t *size = context;
    sonata_arena arena = {0};
    (void)error;
    for (size_t all = 0; all < (size_t)3 << 20; all += *size) {
        assert_non_null(sonata_arena_alloc(&arena, *size));
    }
    sonata_arena_free(&arena);
    return SONATA_OK;
}

/* Blocks of an arena become larger, so that there are few. */
static void small_pieces(void **state)
{
    (void)state;
    const size_t sizes[] = {16, 80, 400};
#ifdef SONATA_ARENA_ALONE
    skip(); /* each lies alone */
#endif
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_in_range(count_allocations(fill_arena, &sizes[i]), 3, 16);
}

#define MANY 3000

static sonata_status write_document(const void *context, sonata_error *error)
{
    const sonata_doc *doc = context;
    char *json = NULL;
    sonata_status status =
        sonata_node_json(&json, NULL, doc, sonata_doc_root(doc), false, error);
    free(json);
    return status;
}

/* How many it takes to write a list with so many times the same item. */
static long count_for_items(const char *item)
{
    size_t length = strlen(item) + 1;
    char *text = malloc(MANY * length + 2);
    sonata_doc *doc = NULL;
    assert_non_null(text);
    for (size_t i = 0; i < MANY; i++)
        snprintf(text + 1 + i * length, length + 1, "%s,", item);
    text[0] = '[';
    text[MANY * length] = ']';
    assert_int_equal(sonata_doc_read(&doc, text, MANY * length + 1, NULL),
                     SONATA_OK);
    long count = count_allocations(write_document, doc);
    sonata_doc_free(doc);
    free(text);
    return count;
}

/* Members are sorted in room that the next object uses again. */
static void many_objects(void **state)
{
    (void)state;
    assert_in_range(count_for_items("{\"b\":1,\"a\":2}"), 2,
                    count_for_items("[1,2,3,4,5,6]") + 1);
}

static size_t key_of(size_t task, size_t arg, size_t apart)
{
    if (task == 0 || arg == 0)
        return task == 1;
    return task == 1 ? arg + 1 : arg + 1 + apart;
}

/*
 * Of three tasks the second writes many storages and the third reads as many,
 * the same or others, after one of the first.
 */
static sonata_status order_three(const void *context, sonata_error *error)
{
    const size_t *apart = context;
    static char names[3][MANY][8];
    static sonata_value args[3][MANY];
    static sonata_text directions[3][MANY];
    sonata_task tasks[3] = {{.id = 0}, {.id = 1}, {.id = 2}};
    sonata_score score = {.tasks = tasks, .task_count = 3};
    sonata_dependency *edges = NULL;
    size_t count = 0;
    for (size_t t = 0; t < 3; t++) {
        for (size_t i = 0; i < MANY; i++) {
            snprintf(names[t][i], sizeof names[t][i], "%zu",
                     key_of(t, i, *apart));
            args[t][i] =
                (sonata_value){SONATA_INT, {names[t][i], strlen(names[t][i])}};
            directions[t][i] =
                t < 2 ? SONATA_TEXT("Output") : SONATA_TEXT("Input");
        }
        tasks[t].args = args[t];
        tasks[t].directions = directions[t];
        tasks[t].arg_count = tasks[t].direction_count = t == 0 ? 1 : MANY;
    }
    sonata_status status =
        sonata_plan_dependencies(&edges, &count, &score, "dataflow_v0", error);
    assert_int_equal(count, *apart == 0 ? 2 : 1);
    free(edges);
    return status;
}

/* Two tasks have one edge, however many storages they share. */
static void many_keys_of_two_tasks(void **state)
{
    (void)state;
    const size_t same = 0, others = MANY;
    assert_in_range(count_allocations(order_three, &same), 1,
                    count_allocations(order_three, &others) + 1);
}

static void documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        long points = run_short_of_memory(redo, &kinds[i]);
        print_message("%s: %ld allocations\n", kinds[i].name, points);
        assert_true(points > 10);
    }
}

/* A document with everything that is told: unknown fields, bad entries. */
static void warnings(void **state)
{
    (void)state;
    static const document_kind told[] = {
        {"unknown",
         "{\"name\":\"s\",\"x\":1,\"tasks\":[{\"task_id\":0,"
         "\"func_id\":0,\"core_type\":\"aiv\",\"\\u0000\":[]}]}",
         redo_score},
        {"damaged",
         "{\"entries\":{\"a\":1,\"b\":{\"score\":{\"name\":\"s\"}},\"c\":{},"
         "\"" SAMPLE_FINGERPRINT
         "\":{\"plan_handle\":{},\"score\":" SAMPLE_SCORE "}}}",
         redo_cache}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_true(run_short_of_memory(redo, &told[i]) > 10);
}

/* From the text of a Score to the runtime's tables. */
static sonata_status plan(const void *context, sonata_error *error)
{
    const char *text = context;
    sonata_score score;
    sonata_handle handle = {0};
    sonata_hbg_plan tables = {0};
    sonata_reasons reasons = {0};
    char *json = NULL;
    sonata_status status =
        sonata_score_read(&score, text, strlen(text), NULL, error);
    if (status == SONATA_OK)
        status = sonata_score_validate(&reasons, &score, error);
    if (status == SONATA_OK)
        status = sonata_handle_from_score(&handle, &score, NULL, error);
    if (status == SONATA_OK)
        status = sonata_handle_bind_json(&handle, NULL, "{\"k\":1}", 7, error);
    if (status == SONATA_OK)
        status =
            sonata_hbg_plan_make(&tables, &reasons, &score, &handle, error);
    if (status == SONATA_OK)
        status = sonata_hbg_plan_json(&json, NULL, &tables, false, error);
    free(json);
    sonata_hbg_plan_free(&tables);
    sonata_handle_free(&handle);
    sonata_reasons_free(&reasons);
    sonata_score_free(&score);
    return status;
}

static void small_plan(void **state)
{
    (void)state;
    assert_true(run_short_of_memory(plan, SAMPLE_SCORE) > 20);
}

/* A handle that fits in nothing: every reason of the adapter. */
static sonata_status refuse(const void *context, sonata_error *error)
{
    const char *const *texts = context;
    sonata_score score = {0};
    sonata_handle handle = {0};
    sonata_reasons reasons = {0};
    sonata_status status =
        sonata_score_read(&score, texts[0], strlen(texts[0]), NULL, error);
    if (status == SONATA_OK)
        status = sonata_handle_read(&handle, texts[1], strlen(texts[1]), NULL,
                                    error);
    if (status == SONATA_OK)
        status = sonata_adapter_check(&reasons, &score, &handle, error);
    sonata_handle_free(&handle);
    sonata_reasons_free(&reasons);
    sonata_score_free(&score);
    return status;
}

static void refused_handle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"name\":\"s\",\"tasks\":[{\"task_id\":5,\"func_id\":0,\"core_type\":"
        "\"aiv\",\"name\":\"k\",\"args\":[1],\"arg_directions\":[\"InOut\"]}],"
        "\"dependencies\":[{\"producer\":1,\"consumer\":2}]}",
        "{\"score_fingerprint\":\"x\",\"runtime_contract_version\":3,"
        "\"func_registry\":[{\"name\":\"l\",\"sonata_func_id\":0}],"
        "\"arg_bindings\":[{\"task_id\":2,\"arg_index\":1},{\"task_id\":1,"
        "\"arg_index\":1}]}"};
    assert_true(run_short_of_memory(refuse, texts) > 20);
}

/* A cache that is filled, saved and loaded; failures leave the old file. */
static sonata_status use_cache(const void *context, sonata_error *error)
{
    const char *path = context;
    sonata_score score = {0};
    sonata_cache *cache = NULL;
    sonata_reasons told = {0};
    sonata_status status = sonata_score_read(&score, SAMPLE_SCORE,
                                             strlen(SAMPLE_SCORE), NULL, error);
    if (status == SONATA_OK)
        status = sonata_cache_new(&cache, error);
    if (status == SONATA_OK)
        status = sonata_cache_load(cache, path, &told, error);
    if (status == SONATA_OK)
        status = sonata_cache_store(cache, NULL, &score, NULL, NULL, error);
    if (status == SONATA_OK)
        status = sonata_cache_save(cache, path, &told, error);
    sonata_cache_free(cache);
    sonata_score_free(&score);
    sonata_reasons_free(&told);
    return status;
}

static void cache_in_a_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_no_memory.XXXXXX";
    char path[64], lock[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/c", folder);
    snprintf(lock, sizeof lock, "%s/c.lock", folder);
    assert_int_equal(use_cache(path, NULL), SONATA_OK);
    assert_true(run_short_of_memory(use_cache, path) > 20);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* Everything that is made of a program. */
static sonata_status use_program(const void *context, sonata_error *error)
{
    const char *text = context;
    sonata_ir_options options = {.policy = "dataflow_v0", .certified = true};
    sonata_program *program = NULL;
    sonata_eligibility whole = {0};
    sonata_eligibility by_regions = {0};
    sonata_regions regions = {0};
    sonata_region_plans plans = {0};
    char *json[2] = {NULL, NULL};
    sonata_status status = sonata_ir_read(&program, text, strlen(text), error);
    if (status == SONATA_OK)
        status = sonata_ir_plan(&whole, program, &options, error);
    if (status == SONATA_OK)
        status =
            sonata_ir_region_eligibility(&by_regions, program, NULL, error);
    if (status == SONATA_OK)
        status = sonata_ir_regions(&regions, program, error);
    if (status == SONATA_OK)
        status = sonata_regions_json(&json[0], NULL, &regions, true, error);
    if (status == SONATA_OK)
        status = sonata_ir_plan_regions(&plans, program, NULL, error);
    if (status == SONATA_OK)
        status = sonata_region_plans_json(&json[1], NULL, &plans, true, error);
    free(json[0]);
    free(json[1]);
    sonata_region_plans_free(&plans);
    sonata_regions_free(&regions);
    sonata_eligibility_free(&by_regions);
    sonata_eligibility_free(&whole);
    sonata_program_free(program);
    return status;
}

static void programs(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* static and dynamic regions, borders of each kind */
        "{\"kind\":\"Function\",\"name\":\"f\",\"params\":[{\"kind\":\"Var\","
        "\"id\":\"x\",\"name\":\"x\",\"type\":{\"kind\":\"T\",\"shape\":[4,"
        "{\"kind\":\"C\",\"value\":2}]}}],\"body\":[{\"kind\":\"AssignStmt\","
        "\"var\":{\"kind\":\"Var\",\"id\":\"t\",\"name\":\"t\"},\"value\":{"
        "\"kind\":\"Call\",\"op\":\"tensor.create\"}},{\"kind\":\"EvalStmt\","
        "\"expr\":{\"kind\":\"Call\",\"op\":\"k\",\"id\":1,\"args\":[{\"ref\":"
        "\"x\"},{\"ref\":\"t\"}],\"arg_directions\":[\"Input\",{\"value\":"
        "\"Output\"}]}},{\"kind\":\"ForStmt\",\"body\":{\"ref\":1}},{\"kind\":"
        "\"Call\",\"op\":\"j\",\"args\":[{\"ref\":\"x\"}],\"attrs\":{\"map\":"
        "[[\"arg_directions\",[1.5]]]}},{\"kind\":\"Submit\"},{\"kind\":"
        "\"IfStmt\",\"then_body\":{\"kind\":\"Call\",\"op\":\"i\",\"args\":["
        "{\"kind\":\"Var\"}]}},{\"kind\":\"Call\",\"op\":\"h\",\"args\":[{"
        "\"ref\":\"x\"}],\"arg_directions\":[\"Output\"]}]}",
        /* a program, an object with many members, certified mode */
        "{\"kind\":\"Program\",\"functions\":{\"map\":[[\"g\",{\"kind\":"
        "\"Function\",\"name\":\"g\",\"func_type\":\"AIV\"}],[1,{\"kind\":"
        "\"Function\",\"func_type\":{\"name\":\"Orchestration\"},\"body\":{"
        "\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
        "\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,"
        "\"q\":{\"kind\":\"Call\",\"op\":\"g\",\"args\":[1]}}}]]}}",
        /* nothing but a loop */
        "{\"kind\":\"ForStmt\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        long points = run_short_of_memory(use_program, texts[i]);
        print_message("%ld allocations\n", points);
        assert_true(points > 15);
    }
}

/* Every planner of memory, and what leads to it, on a Score with reuse. */
static sonata_status plan_memory(const sonata_score *score, sonata_error *error)
{
    const sonata_value key = {SONATA_STRING, SONATA_TEXT("alloc:a")};
    const sonata_value half = {SONATA_FLOAT, SONATA_TEXT("0.5")};
    const sonata_buffer_size sizes[] = {{key, 64}};
    const sonata_key_pair pair = {half, half};
    const sonata_alias_facts facts = {&pair, 1, &pair, 1, &pair, 1};
    sonata_liveness lives = {0};
    sonata_memory_plan plan = {0}, safe = {0};
    sonata_dag_report report;
    sonata_conflict *conflicts = NULL;
    sonata_aliases aliases = {0};
    size_t count = 0;
    char *json = NULL;
    sonata_status status = sonata_find_lifetimes(&lives, score, error);
    if (status == SONATA_OK)
        status = sonata_find_conflicts(&conflicts, &count, &lives,
                                       SONATA_OVERLAP_INCLUSIVE, error);
    if (status == SONATA_OK)
        status = sonata_plan_greedy_v0(&plan, &lives, sizes, 1,
                                       SONATA_OVERLAP_INCLUSIVE, error);
    if (status == SONATA_OK)
        status = sonata_plan_greedy_dag(&safe, &report, score, sizes, 1,
                                        SONATA_SHARE_ALLOC, error);
    if (status == SONATA_OK)
        status = sonata_memory_plan_json(&json, NULL, &safe, true, error);
    if (status == SONATA_OK)
        status =
            sonata_analyse_aliases(&aliases, &half, 1, &facts, true, error);
    free(json);
    free(conflicts);
    sonata_aliases_free(&aliases);
    sonata_memory_plan_free(&plan);
    sonata_memory_plan_free(&safe);
    sonata_liveness_free(&lives);
    return status;
}

static sonata_status use_memory(const void *context, sonata_error *error)
{
    const char *text = context;
    sonata_score score = {0};
    sonata_dependency *edges = NULL;
    size_t count = 0;
    const int64_t effects[] = {1};
    sonata_status status =
        sonata_score_read(&score, text, strlen(text), NULL, error);
    if (status == SONATA_OK)
        status = sonata_plan_mixed(&edges, &count, &score, effects, 1, error);
    if (status == SONATA_OK)
        status = plan_memory(&score, error);
    free(edges);
    sonata_score_free(&score);
    return status;
}

static void memory_plans(void **state)
{
    (void)state;
    static const char text[] =
        "{\"name\":\"s\",\"tasks\":[{\"task_id\":0,\"func_id\":0,"
        "\"core_type\":\"aiv\",\"args\":[1],\"arg_directions\":[\"InOut\"],"
        "\"arg_storage_keys\":[\"alloc:a\"]},{\"task_id\":1,\"func_id\":0,"
        "\"core_type\":\"aiv\",\"args\":[1,2],\"arg_directions\":[\"Input\","
        "\"InOut\"],\"arg_storage_keys\":[\"alloc:a\",\"param:b\"]}],"
        "\"dependencies\":[{\"producer\":0,\"consumer\":1}]}";
    long points = run_short_of_memory(use_memory, text);
    print_message("%ld allocations\n", points);
    assert_true(points > 60);
}

#define LONGEST ((size_t)65536)

typedef struct program {
    char text[LONGEST];
    size_t length;
    const char *rules;
} program;

typedef struct planned {
    sonata_status status;
    sonata_error error;
    char *bundle;
    bool short_of_memory;
} planned;

static planned plan_dump(const program *p, long most, bool once)
{
    sonata_dump_options options = {.rules = p->rules};
    planned made = {.bundle = NULL};
    size_t length = 0;
    (once ? fail_allocation : allow_allocations)(most);
    made.status = sonata_dump_plan(&made.bundle, &length, p->text, p->length,
                                   &options, &made.error);
    allow_all_allocations();
    made.short_of_memory = has_failed;
    return made;
}

/*
 * What is planned, or refused, is the same with less memory, or there is too
 * little: some parts can do without what they ask for.
 */
static long plan_short_of_memory(const program *p, bool once)
{
    bool is_short = true;
    long most = 0;
    hook_cjson();
    planned whole = plan_dump(p, -1, false);
    for (; is_short; most++) {
        planned made = plan_dump(p, most, once);
        is_short = made.short_of_memory;
        if (!is_short || made.status != SONATA_NO_MEMORY) {
            assert_int_equal(made.status, whole.status);
            assert_string_equal(made.error.message, whole.error.message);
            if (whole.status == SONATA_OK)
                assert_string_equal(made.bundle, whole.bundle);
        } else {
            assert_int_equal(made.error.status, SONATA_NO_MEMORY);
        }
        free(made.bundle);
    }
    free(whole.bundle);
    return most;
}

static void read_program(program *p, const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    p->length = fread(p->text, 1, sizeof p->text, file);
    fclose(file);
}

static size_t plan_folder(program *p, const char *folder)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".py") != 0)
            continue;
        read_program(p, folder, entry->d_name);
        assert_true(plan_short_of_memory(p, false) > 20);
        plan_short_of_memory(p, true);
        count++;
    }
    closedir(dir);
    return count;
}

static void dumps(void **state)
{
    (void)state;
    static program p;
    assert_true(plan_folder(&p, "corpus/programs") > 50);
}

static void dumps_by_other_rules(void **state)
{
    (void)state;
    static program p = {.rules = "conservative"};
    assert_true(plan_folder(&p, "corpus/programs") > 50);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_pieces),
    cmocka_unit_test(many_objects),
    cmocka_unit_test(many_keys_of_two_tasks),
    cmocka_unit_test(memory_plans),
    cmocka_unit_test(documents),
    cmocka_unit_test(warnings),
    cmocka_unit_test(small_plan),
    cmocka_unit_test(refused_handle),
    cmocka_unit_test(cache_in_a_file),
    cmocka_unit_test(programs),
    cmocka_unit_test(dumps),
    cmocka_unit_test(dumps_by_other_rules),
};

TEST_MAIN(tests)
