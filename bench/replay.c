/*
 * How long the embedded simulator takes, at sizes that grow tenfold, and on
 * programs whose shape is hard.
 *
 *   bench/replay [LARGEST]    from 1,000 tasks to LARGEST (1,000,000)
 *
 * The program: 8 streams of AIV tasks of one block that read what the two tasks
 * before in the stream have written, and write a buffer of 4 KB of their own;
 * 5 edges for a task, to the task before in the stream and to 4 of the 16
 * before. It is made of a document, as the command does it; reading that is not
 * counted. The machine runs it with its events, its bytes and the digest of
 * both. Every measurement is a process of its own, as in bench/planner.c.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common.h"
#include "oracle/document.h"
#include "replay/machine.h"

#define STREAMS 8
#define WINDOW 16
#define EDGES 5
#define SIZES 4
#define TASK_BYTES                                                             \
    1000 /* of text for a task, its buffer and edges, at most                  \
          */

typedef enum step {
    STEP_PROGRAM,
    STEP_RUN, /* in the legal order, bytes alone */
    STEP_MACHINE,
    STEP_TRACE,
    STEP_PICTURE,
    STEP_COUNT
} step;

static const char *const step_names[STEP_COUNT] = {
    "make program", "run in order", "machine", "trace JSON", "picture"};

typedef struct result {
    double seconds[STEP_COUNT];
    double program, beyond; /* MB with the program, and more for the machine */
} result;

typedef enum shape {
    SHAPE_STREAMS,
    SHAPE_READY, /* no edges */
    SHAPE_OUT,   /* all wait for the first */
    SHAPE_IN,    /* the last waits for all */
    SHAPE_CHAIN,
    SHAPE_BLOCKS, /* MIX, AIC and AIV in turn, 1 to 8 blocks */
    SHAPE_COUNT
} shape;

static const char *const shape_names[SHAPE_COUNT] = {
    "streams",        "all ready at once", "one before all",
    "all before one", "a chain",           "1 to 8 blocks, all kinds"};

typedef struct input {
    const char *text;
    size_t length;
    replay_machine machine;
} input;

/* ---- The document ---- */

static void put_tasks(bench_text *text, shape of, uint32_t tasks)
{
    static const char *const cores[] = {"mix", "aic", "aiv"};
    uint32_t seed = 9;
    bench_text_add(text, "],\"tasks\":[");
    for (uint32_t i = 0; i < tasks; i++) {
        bool many = of == SHAPE_BLOCKS;
        bench_text_add(text,
                       "%s{\"id\":%u,\"name\":\"k\",\"core\":\"%s\","
                       "\"blocks\":%u,\"args\":[",
                       i == 0 ? "" : ",", (unsigned)i,
                       many ? cores[i % 3] : "aiv",
                       many ? 1 + (unsigned)bench_random(&seed) % 8 : 1);
        for (uint32_t back = STREAMS; back <= 2 * STREAMS; back += STREAMS) {
            if (back <= i && of != SHAPE_READY) {
                bench_put_arg(text, i - back, true);
            }
        }
        bench_put_arg(text, i, false);
        bench_text_add(text, "]}");
    }
}

static void put_edge(bench_text *text, uint32_t from, uint32_t to, bool first)
{
    bench_text_add(text, "%s{\"from\":%u,\"to\":%u,\"source\":\"explicit\"}",
                   first ? "" : ",", (unsigned)from, (unsigned)to);
}

static void put_window(bench_text *text, uint32_t task, uint32_t *seed)
{
    uint32_t taken = 0;
    for (uint32_t e = 0; e < EDGES && e < task; e++) {
        uint32_t back = STREAMS;
        while (back > task || taken >> back & 1) {
            back = 1 + bench_random(seed) % WINDOW;
        }
        taken |= UINT32_C(1) << back;
        put_edge(text, task - back, task, task == 1);
    }
}

static void put_edges(bench_text *text, shape of, uint32_t tasks)
{
    uint32_t seed = 1;
    bench_text_add(text, "],\"edges\":[");
    for (uint32_t i = 1; i < tasks && of != SHAPE_READY; i++) {
        switch (of) {
        case SHAPE_OUT:
            put_edge(text, 0, i, i == 1);
            break;
        case SHAPE_IN:
            put_edge(text, i - 1, tasks - 1, i == 1);
            break;
        case SHAPE_CHAIN:
            put_edge(text, i - 1, i, i == 1);
            break;
        default:
            put_window(text, i, &seed);
        }
    }
    bench_text_add(text, "]}");
}

static bench_text make_text(shape of, uint32_t tasks)
{
    bench_text text = bench_text_make((size_t)tasks * TASK_BYTES + 1000);
    bench_put_buffers(&text, tasks);
    put_tasks(&text, of, tasks);
    put_edges(&text, of, tasks);
    return text;
}

/* ---- What is measured ---- */

/* What was free is given back, and the most that there was forgotten. */
static void forget_most(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    malloc_trim(0);
    if (file != NULL) {
        fputs("5\n", file);
        fclose(file);
    }
}

static double most_resident(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static double resident(void)
{
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    bench_check(file != NULL && fscanf(file, "%ld %ld", &all, &pages) == 2,
                "statm");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static void run_machine(result *r, const replay_program *program,
                        const replay_machine *machine)
{
    replay_timeline line;
    replay_error error;
    char *text;
    size_t length;
    double since = bench_now();
    bench_check(replay_machine_run(&line, program, machine, NULL, &error) ==
                    REPLAY_OK,
                "machine");
    bench_keep_least(&r->seconds[STEP_MACHINE], since);
    if (r->beyond == 0) {
        r->beyond = most_resident() - r->program;
    }
    since = bench_now();
    bench_check(replay_timeline_trace(&text, &length, &line, &error) ==
                    REPLAY_OK,
                "trace");
    bench_keep_least(&r->seconds[STEP_TRACE], since);
    free(text);
    since = bench_now();
    bench_check(replay_timeline_svg(&text, &length, &line, &error) == REPLAY_OK,
                "picture");
    bench_keep_least(&r->seconds[STEP_PICTURE], since);
    free(text);
    replay_timeline_free(&line);
}

static void run_order(result *r, const replay_program *program)
{
    replay_result bytes;
    replay_error error;
    replay_variant variant = {.host_first = true};
    double since = bench_now();
    bench_check(replay_run(&bytes, program, program->legal, &variant, &error) ==
                    REPLAY_OK,
                "run");
    bench_keep_least(&r->seconds[STEP_RUN], since);
    replay_result_free(&bytes);
}

static void run_all(void *to, const void *from)
{
    result *r = to;
    const input *in = from;
    oracle_document document;
    oracle_error error;
    replay_program program;
    replay_error why;
    bench_check(oracle_document_read(&document, in->text, in->length, NULL,
                                     &error) == ORACLE_OK,
                "read");
    double since = bench_now();
    bench_check(replay_program_make(&program, &document, NULL, &why) ==
                    REPLAY_OK,
                "program");
    bench_keep_least(&r->seconds[STEP_PROGRAM], since);
    if (r->program == 0) {
        forget_most();
        r->program = resident();
    }
    for (int i = 0; i < 3; i++) {
        run_machine(r, &program, &in->machine);
        run_order(r, &program);
    }
    replay_program_free(&program);
    oracle_document_free(&document);
}

/* ---- The tables ---- */

typedef struct table {
    size_t count;
    double tasks[SIZES], seconds[STEP_COUNT][SIZES];
    double program[SIZES], beyond[SIZES];
} table;

static result measure(shape of, uint32_t tasks, replay_machine machine)
{
    bench_text text = make_text(of, tasks);
    input in = {text.data, text.length, machine};
    result r = {0};
    bench_measure(&r, sizeof r, run_all, &in);
    bench_text_free(&text);
    return r;
}

static void measure_size(table *t, uint32_t tasks)
{
    size_t i = t->count++;
    result r = measure(SHAPE_STREAMS, tasks, replay_machine_default);
    t->tasks[i] = tasks;
    for (int s = 0; s < STEP_COUNT; s++) {
        t->seconds[s][i] = r.seconds[s];
    }
    t->program[i] = r.program;
    t->beyond[i] = r.beyond;
}

static void print_rate(const char *name, const table *t, step of)
{
    double values[SIZES];
    for (size_t i = 0; i < t->count; i++) {
        values[i] = t->tasks[i] / t->seconds[of][i];
    }
    bench_print_numbers(name, values, t->count, 0);
}

static void print_table(const table *t)
{
    printf("\nThe simulator: 3 arguments and 5 edges for a task\n");
    bench_print_head(t->tasks, t->count);
    for (int s = 0; s < STEP_COUNT; s++) {
        bench_print_times(step_names[s], t->seconds[s], t->tasks, t->count);
    }
    printf("\ntasks a second\n");
    print_rate("machine", t, STEP_MACHINE);
    print_rate("run in order", t, STEP_RUN);
    printf("\nmemory of the process, MB\n");
    bench_print_numbers("with program", t->program, t->count, 1);
    bench_print_numbers("for machine", t->beyond, t->count, 1);
}

static void print_shapes(uint32_t tasks)
{
    replay_machine chip = replay_machine_default;
    chip.clusters = 24;
    chip.schedulers = 4;
    chip.model = REPLAY_SEEDED;
    chip.seed = 1;
    printf("\n%u tasks on 24 clusters, 4 schedulers, order and times by seed\n",
           (unsigned)tasks);
    for (int s = 0; s < SHAPE_COUNT; s++) {
        result r = measure((shape)s, tasks, chip);
        printf("%-26s %9.3f s %11.0f tasks a second %9.1f MB for machine\n",
               shape_names[s], r.seconds[STEP_MACHINE],
               tasks / r.seconds[STEP_MACHINE], r.beyond);
    }
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[SIZES] = {1000, 10000, 100000, 1000000};
    unsigned long largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    table t = {0};
    while (t.count < SIZES && (t.count == 0 || sizes[t.count] <= largest)) {
        measure_size(&t, sizes[t.count]);
    }
    print_table(&t);
    print_shapes(largest < 1000000 ? (uint32_t)largest : 1000000);
    return 0;
}
