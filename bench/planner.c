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
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>

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
    double megabytes;           /* of the process; filled by the parent */
} result;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "bench_planner: %s failed\n", what);
    _exit(3);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* ---- The Score ---- */

#define LINE_LIMIT 400

static int format_task(char *line, size_t task, uint32_t *seed)
{
    char keys[2][32];
    for (size_t i = 0; i < 2; i++) {
        size_t back = i == 0 ? STREAMS : 1 + next_random(seed) % WINDOW;
        if (back > task || (i == 1 && next_random(seed) % 16 == 0))
            snprintf(keys[i], sizeof keys[i], "param:p%u",
                     next_random(seed) % 16);
        else
            snprintf(keys[i], sizeof keys[i], "alloc:t%zu", task - back);
    }
    return snprintf(
        line, LINE_LIMIT,
        "%s{\"arg_directions\":[\"Input\",\"Input\",\"OutputExisting\"],"
        "\"arg_storage_keys\":[\"%s\",\"%s\",\"alloc:t%zu\"],\"args\":[\"%s\","
        "\"%s\",\"t%zu\"],\"core_type\":\"aiv\",\"func_id\":%zu,\"name\":"
        "\"kernel_%zu\",\"task_id\":%zu}",
        task == 0 ? "" : ",", keys[0], keys[1], task, keys[0] + 6, keys[1] + 6,
        task, task % 16, task % 16, task);
}

/* The compact text, in memory that all processes share. */
static char *make_text(size_t *length, size_t tasks)
{
    size_t room = tasks * LINE_LIMIT + 1000;
    char *text = mmap(NULL, room, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(text != MAP_FAILED, "mmap");
    uint32_t seed = 1;
    size_t at = (size_t)sprintf(
        text, "{\"dependencies\":[],\"metadata\":{},\"name\":\"bench\","
              "\"schema_version\":1,\"shape_assumptions\":[],\"tasks\":[");
    for (size_t i = 0; i < tasks; i++)
        at += (size_t)format_task(text + at, i, &seed);
    at += (size_t)sprintf(text + at, "]}");
    *length = at;
    return text;
}

static sonata_buffer_size *make_sizes(const sonata_liveness *lives)
{
    sonata_buffer_size *sizes =
        reallocarray(NULL, lives->count + 1, sizeof *sizes);
    check(sizes != NULL, "memory");
    uint32_t seed = 7;
    for (size_t i = 0; i < lives->count; i++)
        sizes[i] = (sonata_buffer_size){lives->items[i].key,
                                        64 * (1 + next_random(&seed) % 1024)};
    return sizes;
}

/* ---- What is measured ---- */

typedef struct input {
    const char *text;
    size_t length;
    bool with_dag;
} input;

static void keep_least(result *r, step s, double since)
{
    double seconds = now() - since;
    if (r->seconds[s] == 0 || seconds < r->seconds[s])
        r->seconds[s] = seconds;
}

static void run_cjson(result *r, const input *in)
{
    double since = now();
    cJSON *tree = cJSON_ParseWithLength(in->text, in->length);
    keep_least(r, STEP_CJSON, since);
    check(tree != NULL, "cJSON_Parse");
    cJSON_Delete(tree);
}

static void run_memory(result *r, const input *in, const sonata_score *score)
{
    sonata_liveness lives;
    sonata_memory_plan plan;
    double since = now();
    check(sonata_find_lifetimes(&lives, score, NULL) == SONATA_OK, "liveness");
    keep_least(r, STEP_LIVENESS, since);
    sonata_buffer_size *sizes = make_sizes(&lives);
    since = now();
    check(sonata_plan_greedy_v0(&plan, &lives, sizes, lives.count,
                                SONATA_OVERLAP_INCLUSIVE, NULL) == SONATA_OK,
          "greedy_v0");
    keep_least(r, STEP_GREEDY, since);
    r->peak[0] = plan.peak;
    sonata_memory_plan_free(&plan);
    if (in->with_dag) {
        since = now();
        check(sonata_plan_greedy_dag(&plan, NULL, score, sizes, lives.count,
                                     SONATA_SHARE_ALLOC, NULL) == SONATA_OK,
              "greedy_dag");
        keep_least(r, STEP_DAG, since);
        r->peak[1] = plan.peak;
        sonata_memory_plan_free(&plan);
    }
    free(sizes);
    sonata_liveness_free(&lives);
}

static void run_plan(result *r, const input *in)
{
    sonata_score score;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    double since = now();
    check(sonata_score_read(&score, in->text, in->length, NULL, NULL) ==
              SONATA_OK,
          "read");
    keep_least(r, STEP_READ, since);
    since = now();
    sonata_dependency *edges = NULL;
    size_t count = 0;
    check(sonata_plan_dependencies(&edges, &count, &score, "dataflow_v0",
                                   NULL) == SONATA_OK,
          "dependencies");
    keep_least(r, STEP_DEPENDENCIES, since);
    score.dependencies = edges;
    score.dependency_count = count;
    run_memory(r, in, &score);
    since = now();
    check(sonata_score_fingerprint(fingerprint, &score, false, NULL) ==
              SONATA_OK,
          "fingerprint");
    keep_least(r, STEP_FINGERPRINT, since);
    since = now();
    char *json = NULL;
    check(sonata_score_json(&json, NULL, &score, false, NULL) == SONATA_OK,
          "write");
    keep_least(r, STEP_WRITE, since);
    free(json);
    free(edges);
    sonata_score_free(&score);
}

/* Runs a measurement in a process of its own, several times when it is short */
static result measure(void (*run)(result *, const input *), const input *in)
{
    int ends[2];
    check(pipe(ends) == 0, "pipe");
    fflush(stdout);
    pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        result r = {.megabytes = 0};
        double since = now();
        for (int i = 0; i < 200 && (i == 0 || now() - since < 1); i++)
            run(&r, in);
        check(write(ends[1], &r, sizeof r) == (ssize_t)sizeof r, "write");
        _exit(0);
    }
    close(ends[1]);
    result r = {.megabytes = 0};
    struct rusage usage;
    int status = 0;
    check(read(ends[0], &r, sizeof r) == (ssize_t)sizeof r, "measurement");
    check(wait4(child, &status, 0, &usage) == child, "wait");
    close(ends[0]);
    r.megabytes = (double)usage.ru_maxrss / 1024;
    return r;
}

/* ---- The table ---- */

typedef struct row {
    double tasks, text, seconds[STEP_COUNT];
    double cjson_memory, plan_memory, dag_memory; /* MB, the text included */
    int64_t peak[2];
} row;

static row measure_size(size_t tasks)
{
    input in = {.with_dag = false};
    char *text = make_text(&in.length, tasks);
    in.text = text;
    row made = {.tasks = (double)tasks, .text = (double)in.length / 1048576};
    result yardstick = measure(run_cjson, &in);
    result plan = measure(run_plan, &in);
    in.with_dag = true;
    result dag = measure(run_plan, &in);
    memcpy(made.seconds, plan.seconds, sizeof made.seconds);
    made.seconds[STEP_CJSON] = yardstick.seconds[STEP_CJSON];
    made.seconds[STEP_DAG] = dag.seconds[STEP_DAG];
    made.cjson_memory = yardstick.megabytes;
    made.plan_memory = plan.megabytes;
    made.dag_memory = dag.megabytes;
    made.peak[0] = dag.peak[0];
    made.peak[1] = dag.peak[1];
    munmap(text, tasks * LINE_LIMIT + 1000);
    return made;
}

static double plan_seconds(const row *r)
{
    double sum = 0;
    for (int s = STEP_READ; s <= STEP_WRITE; s++)
        sum += r->seconds[s];
    return sum;
}

static void print_line(const char *name, const row *rows, size_t count,
                       const double *seconds)
{
    printf("%-14s", name);
    for (size_t i = 0; i < count; i++)
        printf(" %11.3f", 1000 * seconds[i]);
    if (count > 1)
        printf(" %9.2f",
               log(seconds[count - 1] / seconds[count - 2]) /
                   log(rows[count - 1].tasks / rows[count - 2].tasks));
    printf("\n");
}

static void print_numbers(const char *name, const double *values, size_t count,
                          int digits)
{
    printf("%-14s", name);
    for (size_t i = 0; i < count; i++)
        printf(" %11.*f", digits, values[i]);
    printf("\n");
}

static void print_times(const row *rows, size_t count)
{
    double values[SIZES];
    printf("milliseconds  ");
    for (size_t i = 0; i < count; i++)
        printf(" %11.0f", rows[i].tasks);
    printf("  exponent\n");
    for (int s = 0; s < STEP_COUNT; s++) {
        if (s == STEP_DAG) {
            for (size_t i = 0; i < count; i++)
                values[i] = plan_seconds(&rows[i]);
            print_line("plan, in all", rows, count, values);
        }
        for (size_t i = 0; i < count; i++)
            values[i] = rows[i].seconds[s];
        print_line(step_names[s], rows, count, values);
    }
}

static void print_ratios(const row *rows, size_t count)
{
    double values[SIZES];
    printf("\nratios\n");
    for (size_t i = 0; i < count; i++)
        values[i] = plan_seconds(&rows[i]) / rows[i].seconds[STEP_CJSON];
    print_numbers("plan / cJSON", values, count, 2);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].seconds[STEP_DAG] / rows[i].seconds[STEP_CJSON];
    print_numbers("dag / cJSON", values, count, 2);
    for (size_t i = 0; i < count; i++)
        values[i] = (double)rows[i].peak[1] / (double)rows[i].peak[0];
    print_numbers("dag / v0 peak", values, count, 2);
    printf("\nmemory of the process, MB (the text included)\n");
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].text;
    print_numbers("text", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].cjson_memory;
    print_numbers("cJSON_Parse", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].plan_memory;
    print_numbers("plan", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].dag_memory;
    print_numbers("greedy_dag", values, count, 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rows[i].plan_memory / rows[i].text;
    print_numbers("plan / text", values, count, 1);
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
