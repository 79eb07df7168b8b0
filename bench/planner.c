/*
 * How long the planner takes, at sizes that grow tenfold, against cJSON_Parse
 * alone on the same text. `make bench` runs it.
 *
 *   bench_planner [LARGEST]    from 1,000 tasks to LARGEST (1,000,000)
 *
 * The Score: 8 streams of tasks with 3 arguments: what the task before in the
 * stream wrote, what any of the 32 tasks before wrote (or a parameter), and an
 * output of its own; so lives are short and the graph is local. Every
 * measurement is a process of its own, which knows the text and nothing else;
 * its time is the least of several runs, its memory the most it ever had. Times
 * say nothing across machines, ratios and exponents do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common.h"

#include "sonata/memory.h"
#include "sonata/score.h"

#define STREAMS 8
#define WINDOW 32
#define SIZES 4

typedef enum step {
    STEP_CJSON,
    STEP_READ,
    STEP_DEPENDENCIES,
    STEP_LIVENESS,
    STEP_GREEDY,
    STEP_FINGERPRINT,
    STEP_WRITE,
    STEP_DAG,
    STEP_COUNT
} step;

static const char *const step_names[STEP_COUNT] = {
    "cJSON_Parse", "read",        "dependencies", "liveness",
    "greedy_v0",   "fingerprint", "write",        "greedy_dag"};

typedef struct result {
    double seconds[STEP_COUNT]; /* 0: not measured */
    int64_t peak[2];            /* of greedy_v0 and greedy_dag */
} result;

/* ---- The Score ---- */

#define LINE_LIMIT 400

static void format_task(char *line, size_t task, uint32_t *seed)
{
    char keys[2][32];
    for (size_t i = 0; i < 2; i++) {
        size_t back = i == 0 ? STREAMS : 1 + bench_random(seed) % WINDOW;
        if (back > task || (i == 1 && bench_random(seed) % 16 == 0))
            snprintf(keys[i], sizeof keys[i], "param:p%u",
                     bench_random(seed) % 16);
        else
            snprintf(keys[i], sizeof keys[i], "alloc:t%zu", task - back);
    }
    snprintf(
        line, LINE_LIMIT,
        "%s{\"arg_directions\":[\"Input\",\"Input\",\"OutputExisting\"],"
        "\"arg_storage_keys\":[\"%s\",\"%s\",\"alloc:t%zu\"],\"args\":[\"%s\","
        "\"%s\",\"t%zu\"],\"core_type\":\"aiv\",\"func_id\":%zu,\"name\":"
        "\"kernel_%zu\",\"task_id\":%zu}",
        task == 0 ? "" : ",", keys[0], keys[1], task, keys[0] + 6, keys[1] + 6,
        task, task % 16, task % 16, task);
}

static bench_text make_text(size_t tasks)
{
    bench_text text = bench_text_make(tasks * LINE_LIMIT + 1000);
    uint32_t seed = 1;
    char line[LINE_LIMIT];
    bench_text_add(&text,
                   "{\"dependencies\":[],\"metadata\":{},\"name\":\"bench\","
                   "\"schema_version\":1,\"shape_assumptions\":[],\"tasks\":[");
    for (size_t i = 0; i < tasks; i++) {
        format_task(line, i, &seed);
        bench_text_add(&text, "%s", line);
    }
    bench_text_add(&text, "]}");
    return text;
}

static sonata_buffer_size *make_sizes(const sonata_liveness *lives)
{
    sonata_buffer_size *sizes =
        reallocarray(NULL, lives->count + 1, sizeof *sizes);
    bench_check(sizes != NULL, "memory");
    uint32_t seed = 7;
    for (size_t i = 0; i < lives->count; i++)
        sizes[i] = (sonata_buffer_size){lives->items[i].key,
                                        64 * (1 + bench_random(&seed) % 1024)};
    return sizes;
}

/* ---- What is measured ---- */

typedef struct input {
    const char *text;
    size_t length;
    bool with_dag;
} input;

static void run_cjson(void *to, const void *from)
{
    result *r = to;
    const input *in = from;
    double since = bench_now();
    cJSON *tree = cJSON_ParseWithLength(in->text, in->length);
    bench_keep_least(&r->seconds[STEP_CJSON], since);
    bench_check(tree != NULL, "cJSON_Parse");
    cJSON_Delete(tree);
}

static void run_memory(result *r, const input *in, const sonata_score *score)
{
    sonata_liveness lives;
    sonata_memory_plan plan;
    double since = bench_now();
    bench_check(sonata_find_lifetimes(&lives, score, NULL) == SONATA_OK,
                "liveness");
    bench_keep_least(&r->seconds[STEP_LIVENESS], since);
    sonata_buffer_size *sizes = make_sizes(&lives);
    since = bench_now();
    bench_check(sonata_plan_greedy_v0(&plan, &lives, sizes, lives.count,
                                      SONATA_OVERLAP_INCLUSIVE,
                                      NULL) == SONATA_OK,
                "greedy_v0");
    bench_keep_least(&r->seconds[STEP_GREEDY], since);
    r->peak[0] = plan.peak;
    sonata_memory_plan_free(&plan);
    if (in->with_dag) {
        since = bench_now();
        bench_check(sonata_plan_greedy_dag(&plan, NULL, score, sizes,
                                           lives.count, SONATA_SHARE_ALLOC,
                                           NULL) == SONATA_OK,
                    "greedy_dag");
        bench_keep_least(&r->seconds[STEP_DAG], since);
        r->peak[1] = plan.peak;
        sonata_memory_plan_free(&plan);
    }
    free(sizes);
    sonata_liveness_free(&lives);
}

static void run_plan(void *to, const void *from)
{
    result *r = to;
    const input *in = from;
    sonata_score score;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    double since = bench_now();
    bench_check(sonata_score_read(&score, in->text, in->length, NULL, NULL) ==
                    SONATA_OK,
                "read");
    bench_keep_least(&r->seconds[STEP_READ], since);
    since = bench_now();
    sonata_dependency *edges = NULL;
    size_t count = 0;
    bench_check(sonata_plan_dependencies(&edges, &count, &score, "dataflow_v0",
                                         NULL) == SONATA_OK,
                "dependencies");
    bench_keep_least(&r->seconds[STEP_DEPENDENCIES], since);
    score.dependencies = edges;
    score.dependency_count = count;
    run_memory(r, in, &score);
    since = bench_now();
    bench_check(sonata_score_fingerprint(fingerprint, &score, false, NULL) ==
                    SONATA_OK,
                "fingerprint");
    bench_keep_least(&r->seconds[STEP_FINGERPRINT], since);
    since = bench_now();
    char *json = NULL;
    bench_check(sonata_score_json(&json, NULL, &score, false, NULL) ==
                    SONATA_OK,
                "write");
    bench_keep_least(&r->seconds[STEP_WRITE], since);
    free(json);
    free(edges);
    sonata_score_free(&score);
}

/* ---- The table ---- */

typedef struct row {
    double tasks, text, seconds[STEP_COUNT];
    double cjson_memory, plan_memory, dag_memory; /* MB, the text included */
    int64_t peak[2];
} row;

static row measure_size(size_t tasks)
{
    bench_text text = make_text(tasks);
    input in = {text.data, text.length, false};
    row made = {.tasks = (double)tasks, .text = (double)in.length / 1048576};
    result yardstick = {0}, plan = {0}, dag = {0};
    made.cjson_memory =
        bench_measure(&yardstick, sizeof yardstick, run_cjson, &in);
    made.plan_memory = bench_measure(&plan, sizeof plan, run_plan, &in);
    in.with_dag = true;
    made.dag_memory = bench_measure(&dag, sizeof dag, run_plan, &in);
    memcpy(made.seconds, plan.seconds, sizeof made.seconds);
    made.seconds[STEP_CJSON] = yardstick.seconds[STEP_CJSON];
    made.seconds[STEP_DAG] = dag.seconds[STEP_DAG];
    made.peak[0] = dag.peak[0];
    made.peak[1] = dag.peak[1];
    bench_text_free(&text);
    return made;
}

static double plan_seconds(const row *r)
{
    double sum = 0;
    for (int s = STEP_READ; s <= STEP_WRITE; s++)
        sum += r->seconds[s];
    return sum;
}

static void print_times(const row *rows, size_t count)
{
    double values[SIZES], sizes[SIZES];
    for (size_t i = 0; i < count; i++)
        sizes[i] = rows[i].tasks;
    bench_print_head(sizes, count);
    for (int s = 0; s < STEP_COUNT; s++) {
        if (s == STEP_DAG) {
            for (size_t i = 0; i < count; i++)
                values[i] = plan_seconds(&rows[i]);
            bench_print_times("plan, in all", values, sizes, count);
        }
        for (size_t i = 0; i < count; i++)
            values[i] = rows[i].seconds[s];
        bench_print_times(step_names[s], values, sizes, count);
    }
}

static void print_ratios(const row *rows, size_t count)
{
    double values[SIZES];
    printf("\nratios\n");
    for (size_t i = 0; i < count; i++)
        values[i] = plan_seconds(&rows[i]) / rows[i].seconds[STEP_CJSON];
    bench_print_numbers("plan / cJSON", values, count, 2);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].seconds[STEP_DAG] / rows[i].seconds[STEP_CJSON];
    bench_print_numbers("dag / cJSON", values, count, 2);
    for (size_t i = 0; i < count; i++)
        values[i] = (double)rows[i].peak[1] / (double)rows[i].peak[0];
    bench_print_numbers("dag / v0 peak", values, count, 2);
    printf("\nmemory of the process, MB (the text included)\n");
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].text;
    bench_print_numbers("text", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].cjson_memory;
    bench_print_numbers("cJSON_Parse", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].plan_memory;
    bench_print_numbers("plan", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].dag_memory;
    bench_print_numbers("greedy_dag", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].plan_memory / rows[i].text;
    bench_print_numbers("plan / text", values, count, 1);
}

int main(int argc, char **argv)
{
    static const size_t sizes[SIZES] = {1000, 10000, 100000, 1000000};
    size_t largest = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 1000000;
    row rows[SIZES];
    size_t count = 0;
    while (count < SIZES && (count == 0 || sizes[count] <= largest)) {
        rows[count] = measure_size(sizes[count]);
        count++;
    }
    print_times(rows, count);
    print_ratios(rows, count);
    return 0;
}
