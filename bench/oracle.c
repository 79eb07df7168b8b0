/*
 * How long the oracle takes, at sizes that grow tenfold, against cJSON_Parse
 * alone on the same text, and on graphs whose shape is hard (bench/shapes.c).
 *
 *   bench/oracle [LARGEST]    from 1,000 tasks to LARGEST (1,000,000)
 *
 * The document: 8 streams of tasks with 3 arguments: what the two tasks before
 * in the stream have written, and an output of its own; 5 edges for a task, one
 * to the task before in the stream and 4 to any of the 16 before. So every pair
 * of accesses is in order, half of them by a path, and all is local. With a
 * memory plan the outputs of a stream take turns at three places. Every
 * measurement is a process of its own, as in bench/planner.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "../oracle/order.h"
#include "common.h"
#include "oracle/judge.h"
#include "shapes.h"

#define STREAMS 8
#define WINDOW 16
#define EDGES 5
#define SIZES 4
#define TASK_BYTES                                                             \
    1000 /* of text for a task, its buffer and edges, at most                  \
          */

typedef enum step {
    STEP_CJSON,
    STEP_READ,
    STEP_JUDGE, /* order and hazards */
    STEP_TELL,
    STEP_PLAN, /* the judgement with a memory plan */
    STEP_COUNT
} step;

static const char *const step_names[STEP_COUNT] = {
    "cJSON_Parse", "read", "order, hazards", "tell", "... and memory"};

typedef struct result {
    double seconds[STEP_COUNT]; /* 0: not measured */
    double document, beyond;    /* MB after reading, and more for judging */
    uint64_t findings;
    bool right; /* no errors */
} result;

typedef struct input {
    const char *text;
    size_t length;
    uint32_t tasks;
} input;

/* ---- The document ---- */

static void put_tasks(bench_text *text, uint32_t tasks)
{
    bench_text_add(text, "],\"tasks\":[");
    for (uint32_t i = 0; i < tasks; i++) {
        bench_text_add(text,
                       "%s{\"id\":%u,\"name\":\"k\",\"core\":\"aiv\",\"args\":"
                       "[",
                       i == 0 ? "" : ",", (unsigned)i);
        for (uint32_t back = STREAMS; back <= 2 * STREAMS; back += STREAMS)
            if (back <= i)
                bench_put_arg(text, i - back, true);
        bench_put_arg(text, i, false);
        bench_text_add(text, "]}");
    }
}

static void put_edges(bench_text *text, uint32_t tasks)
{
    uint32_t seed = 1;
    bench_text_add(text, "],\"edges\":[");
    for (uint32_t i = 1; i < tasks; i++) {
        uint32_t taken = 0;
        for (uint32_t e = 0; e < EDGES && e < i; e++) {
            uint32_t back = STREAMS;
            while (back > i || taken >> back & 1)
                back = 1 + bench_random(&seed) % WINDOW;
            taken |= UINT32_C(1) << back;
            bench_text_add(
                text, "%s{\"from\":%u,\"to\":%u,\"source\":\"explicit\"}",
                i == 1 ? "" : ",", (unsigned)(i - back), (unsigned)i);
        }
    }
    bench_text_add(text, "]}");
}

static bench_text make_text(uint32_t tasks)
{
    bench_text text = bench_text_make((size_t)tasks * TASK_BYTES + 1000);
    bench_put_buffers(&text, tasks);
    put_tasks(&text, tasks);
    put_edges(&text, tasks);
    return text;
}

/* A Score whose tasks are as small as they can be. */
static bench_text make_tiny(uint32_t tasks)
{
    bench_text text = bench_text_make((size_t)tasks * TASK_BYTES + 1000);
    bench_text_add(&text, "{\"name\":\"s\",\"tasks\":[");
    for (uint32_t i = 0; i < tasks; i++)
        bench_text_add(&text,
                       "%s{\"task_id\":%u,\"func_id\":0,\"core_type\":\"aiv\"}",
                       i == 0 ? "" : ",", (unsigned)i);
    bench_text_add(&text, "]}");
    return text;
}

/* ---- What is measured ---- */

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

/* The outputs of a stream take turns. */
static oracle_allocation *make_plan(oracle_document *d)
{
    oracle_allocation *plan = calloc(d->buffer_count, sizeof *plan);
    bench_check(plan != NULL, "memory");
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        uint32_t place = b % (3 * STREAMS);
        plan[b] = (oracle_allocation){
            .key = d->buffers[b].key,
            .buffer = b,
            .offset = (int64_t)place * 4096,
            .size = 4096,
        };
    }
    d->allocations = plan;
    d->allocation_count = d->buffer_count;
    d->has_plan = true;
    d->peak = (int64_t)3 * STREAMS * 4096;
    return plan;
}

typedef struct watch {
    double since;
    oracle_phase phase;
    double seconds[ORACLE_PHASE_TELL + 1];
} watch;

static void begin_phase(void *context, oracle_phase phase,
                        const oracle_document *document)
{
    watch *w = context;
    (void)document;
    w->seconds[w->phase] += bench_now() - w->since;
    w->phase = phase;
    w->since = bench_now();
}

static void keep(double *seconds, double value)
{
    if (*seconds == 0 || value < *seconds)
        *seconds = value;
}

/* MB that the process has, or has had at most. */
static double resident(void)
{
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    bench_check(file != NULL && fscanf(file, "%ld %ld", &all, &pages) == 2,
                "statm");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static double most_resident(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* Errors are listed first. */
static bool has_no_errors(const oracle_judgement *judgement)
{
    return judgement->count == 0 ||
           judgement->findings[0].severity != ORACLE_ERROR;
}

static void judge(watch *w, oracle_document *d, result *r)
{
    oracle_judgement judgement;
    oracle_judge_options options = {.begins = begin_phase, .context = w};
    *w = (watch){.since = bench_now(), .phase = ORACLE_PHASE_READ};
    bench_check(oracle_judge_document(&judgement, d, &options) == ORACLE_OK,
                "judge");
    begin_phase(w, ORACLE_PHASE_READ, d);
    r->right = has_no_errors(&judgement);
    oracle_judgement_free(&judgement);
}

static void run_oracle(void *to, const void *from)
{
    result *r = to;
    const input *in = from;
    oracle_document d;
    oracle_error error;
    watch w;
    double since = bench_now();
    bench_check(oracle_document_read(&d, in->text, in->length, NULL, &error) ==
                    ORACLE_OK,
                "read");
    bench_keep_least(&r->seconds[STEP_READ], since);
    r->document = resident();
    judge(&w, &d, r);
    r->beyond = most_resident() - r->document;
    keep(&r->seconds[STEP_JUDGE], w.seconds[ORACLE_PHASE_JUDGE]);
    keep(&r->seconds[STEP_TELL], w.seconds[ORACLE_PHASE_TELL]);
    oracle_document_free(&d);
}

static void run_plan(void *to, const void *from)
{
    result *r = to;
    const input *in = from;
    oracle_document d;
    oracle_error error;
    watch w;
    bench_check(oracle_document_read(&d, in->text, in->length, NULL, &error) ==
                    ORACLE_OK,
                "read");
    oracle_allocation *plan = make_plan(&d);
    judge(&w, &d, r);
    keep(&r->seconds[STEP_PLAN], w.seconds[ORACLE_PHASE_JUDGE]);
    free(plan);
    oracle_document_free(&d);
}

/* As `check` does it, from the bytes. */
static void run_whole(void *to, const void *from)
{
    result *r = to;
    const input *in = from;
    oracle_judgement judgement;
    double since = bench_now();
    bench_check(oracle_judge_text(&judgement, in->text, in->length, NULL) ==
                    ORACLE_OK,
                "judge");
    bench_keep_least(&r->seconds[STEP_JUDGE], since);
    r->findings = judgement.total;
    r->right = has_no_errors(&judgement);
    oracle_judgement_free(&judgement);
}

/* ---- Reachability alone ---- */

#define REACH_TASKS 1000000
#define REACH_EDGES 10 /* of a task, to any of the 1,000 before */
#define REACH_PAIRS 2000000

static void make_order(oracle_order *order)
{
    uint32_t n = REACH_TASKS, seed = 3, at = 0;
    *order = (oracle_order){.count = n, .present = n, .forward = true};
    order->first = calloc((size_t)n + 1, sizeof(uint32_t));
    order->before = calloc((size_t)n * REACH_EDGES, sizeof(uint32_t));
    order->sequence = calloc(n, sizeof(uint32_t));
    order->rank = calloc(n, sizeof(uint32_t));
    bench_check(order->first != NULL && order->before != NULL &&
                    order->sequence != NULL && order->rank != NULL,
                "memory");
    for (uint32_t t = 0; t < n; t++) {
        uint32_t first = t < 1000 ? 0 : t - 1000;
        order->first[t] = at;
        order->sequence[t] = order->rank[t] = t;
        for (uint32_t e = 0; e < REACH_EDGES && t > 0; e++) {
            uint32_t share = (t - first) / REACH_EDGES; /* ascending */
            if (share > 0)
                order->before[at++] =
                    first + e * share + bench_random(&seed) % share;
        }
    }
    order->first[n] = at;
}

static void run_reach(void *to, const void *from)
{
    result *r = to;
    const uint32_t *within = from;
    uint32_t seed = 5;
    oracle_order order;
    oracle_pair *pairs = calloc(REACH_PAIRS, sizeof *pairs);
    bench_check(pairs != NULL, "memory");
    make_order(&order);
    for (uint32_t i = 0; i < REACH_PAIRS; i++) {
        uint32_t a = (bench_random(&seed) << 4 ^ bench_random(&seed)) %
                     (REACH_TASKS - 1);
        uint32_t room = REACH_TASKS - 1 - a;
        uint32_t most = room < *within ? room : *within;
        pairs[i].from = a;
        pairs[i].to = a + 1 + bench_random(&seed) % most;
    }
    double since = bench_now();
    bench_check(oracle_order_query(&order, pairs, REACH_PAIRS), "query");
    bench_keep_least(&r->seconds[STEP_JUDGE], since);
    free(order.first);
    free(order.before);
    free(order.sequence);
    free(order.rank);
    free(pairs);
}

/* ---- The tables ---- */

typedef struct table {
    size_t count;
    double tasks[SIZES], text[SIZES], seconds[STEP_COUNT][SIZES];
    double whole[SIZES];                                          /* seconds */
    double cjson[SIZES], peak[SIZES], beyond[SIZES], tiny[SIZES]; /* MB */
    double tiny_text[SIZES];
} table;

static void measure_size(table *t, uint32_t tasks)
{
    size_t i = t->count++;
    bench_text text = make_text(tasks);
    input in = {text.data, text.length, tasks};
    result yardstick = {0}, parts = {0}, plan = {0}, whole = {0}, tiny = {0};
    t->tasks[i] = tasks;
    t->text[i] = (double)text.length / 1048576;
    t->cjson[i] = bench_measure(&yardstick, sizeof yardstick, run_cjson, &in);
    bench_measure(&parts, sizeof parts, run_oracle, &in);
    bench_measure(&plan, sizeof plan, run_plan, &in);
    t->peak[i] = bench_measure(&whole, sizeof whole, run_whole, &in);
    bench_check(parts.right && plan.right && whole.right, "a right document");
    t->seconds[STEP_CJSON][i] = yardstick.seconds[STEP_CJSON];
    t->seconds[STEP_PLAN][i] = plan.seconds[STEP_PLAN];
    for (int s = STEP_READ; s <= STEP_TELL; s++)
        t->seconds[s][i] = parts.seconds[s];
    t->whole[i] = whole.seconds[STEP_JUDGE];
    t->beyond[i] = parts.beyond;
    bench_text_free(&text);
    text = make_tiny(tasks);
    in = (input){text.data, text.length, tasks};
    t->tiny_text[i] = (double)text.length / 1048576;
    t->tiny[i] = bench_measure(&tiny, sizeof tiny, run_whole, &in);
    bench_text_free(&text);
}

static void print_ratio(const char *name, const double *a, const double *b,
                        size_t count)
{
    double values[SIZES];
    for (size_t i = 0; i < count; i++)
        values[i] = a[i] / b[i];
    bench_print_numbers(name, values, count, 2);
}

static void print_table(const table *t)
{
    printf("\nThe oracle: 3 arguments and 5 edges for a task\n");
    bench_print_head(t->tasks, t->count);
    for (int s = 0; s < STEP_COUNT; s++)
        bench_print_times(step_names[s], t->seconds[s], t->tasks, t->count);
    bench_print_times("whole, by text", t->whole, t->tasks, t->count);
    print_ratio("whole / cJSON", t->whole, t->seconds[STEP_CJSON], t->count);
    printf("\nmemory of the process, MB (the text included)\n");
    bench_print_numbers("text", t->text, t->count, 1);
    bench_print_numbers("cJSON_Parse", t->cjson, t->count, 1);
    bench_print_numbers("whole", t->peak, t->count, 1);
    bench_print_numbers("for judging", t->beyond, t->count, 1);
    print_ratio("whole / text", t->peak, t->text, t->count);
    bench_print_numbers("tiny Score", t->tiny_text, t->count, 1);
    print_ratio("whole / text", t->tiny, t->tiny_text, t->count);
}

static void print_reach(void)
{
    static const uint32_t within[] = {10000, 100000, REACH_TASKS};
    printf("\nReachability alone: 1,000,000 tasks, 10 edges each, 2,000,000 "
           "pairs\n");
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        result r = {0};
        double megabytes = bench_measure(&r, sizeof r, run_reach, &within[i]);
        printf("within %-9u %9.3f s %9.1f MB\n", (unsigned)within[i],
               r.seconds[STEP_JUDGE], megabytes);
    }
}

static void print_shapes(void)
{
    printf("\nHard shapes, from the text\n");
    for (size_t i = 0; i < bench_shape_count; i++) {
        const bench_shape *shape = &bench_shapes[i];
        bench_text text = shape->make();
        input in = {text.data, text.length, 0};
        result r = {0};
        double megabytes = bench_measure(&r, sizeof r, run_whole, &in);
        printf("%-33s %8.3f s %8.1f MB (text %.1f), findings: %llu%s\n",
               shape->name, r.seconds[STEP_JUDGE], megabytes,
               (double)text.length / 1048576, (unsigned long long)r.findings,
               shape->findings != r.findings ? " (WRONG)" : "");
        bench_text_free(&text);
    }
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[SIZES] = {1000, 10000, 100000, 1000000};
    unsigned long largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    table t = {0};
    while (t.count < SIZES && (t.count == 0 || sizes[t.count] <= largest))
        measure_size(&t, sizes[t.count]);
    print_table(&t);
    print_reach();
    print_shapes();
    return 0;
}
