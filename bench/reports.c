/*
 * How fast results are recorded, and how long a report and triage take of what
 * was, at sizes that grow tenfold.
 *
 *   bench/reports [LARGEST]    from 10,000 results to LARGEST (10,000,000)
 *
 * A result: a path of its own, one of 1,000 texts of 1 KB (whose digest is
 * known), a verdict; one in 1,000 has a finding of one of 50 signatures, with
 * a message and 1 KB of JSON. Committed in batches of 512, as `run` does. Half
 * of the results is one run, half another of the same inputs, which has lost
 * one cause and has a new one: what `triage compare` tells. Every measurement
 * is a process of its own. The file lies in $TMPDIR; 10 million results take
 * about 1.5 GB there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "reports/command.h"
#include "reports/store.h"
#include "reports/triage.h"
#include "reports/upkeep.h"
#include "reports/write.h"

#define SIZES 4
#define TEXTS 1000
#define CAUSES 50
#define EVERY 1000
#define BATCH 512

typedef enum step {
    STEP_RECORD,
    STEP_TEXT,
    STEP_JSON,
    STEP_FIND,
    STEP_LIST,
    STEP_COMPARE,
    STEP_SINCE,
    STEP_COUNT
} step;

static const char *const step_names[STEP_COUNT] = {
    "record all",   "report, text",    "report, JSON",      "find by signature",
    "triage, list", "triage, compare", "triage, since when"};

typedef struct result {
    double seconds[STEP_COUNT];
    double megabytes; /* of the file */
} result;

typedef struct input {
    int64_t results;
    char path[256];
} input;

static char words[1024];

/* `later`: of the second run. */
static void put_result(report_store *store, int64_t run, int64_t number,
                       bool later)
{
    char path[64], sha[65], signature[17], json[1100];
    report_error error;
    int64_t text = number * 7919 % TEXTS;
    snprintf(path, sizeof path, "programs/part%lld/f%08lld.py",
             (long long)number / 1000, (long long)number);
    snprintf(sha, sizeof sha, "%064llx",
             (unsigned long long)(text + 1) * 0x9e3779b97f4a7c15u);
    snprintf(signature, sizeof signature, "%016llx",
             (unsigned long long)(number / EVERY % CAUSES + 1 + later) *
                 0x9e3779b97f4a7c15u);
    int length =
        snprintf(json, sizeof json, "{\"message\":\"%.1000s\"}", words);
    report_finding finding = {
        .rule = "hazard.raw",
        .severity = "error",
        .cause = "manual-dep",
        .signature = signature,
        .message = "task 4 \"pass\" reads what task 1 \"raise\" writes",
        .line = 33,
        .json = json,
        .json_length = (size_t)length,
    };
    report_case c = {
        .number = number + 1,
        .path = path,
        .name = path,
        .sha256 = sha,
        .kind = "dump",
        .text = words,
        .length = sizeof words,
        .verdict = number % EVERY == 0 ? "findings" : "clean",
        .details = "{\"assumptions\":[],\"undecided\":[]}",
        .findings = &finding,
        .count = number % EVERY == 0,
        .total = number % EVERY == 0,
    };
    bench_check(report_add_case(store, run, &c, &error) == REPORT_OK,
                "a result cannot be recorded");
    if (number % BATCH == BATCH - 1)
        bench_check(report_commit(store, &error) == REPORT_OK,
                    "results cannot be committed");
}

static void record_run(report_store *store, int64_t results, bool later)
{
    report_error error;
    int64_t run = 0;
    report_run what = {"0.0.0", "{\"verb\":\"run\"}", later ? "b" : "a",
                       "2026-01-01T00:00:00Z"};
    bench_check(report_begin_run(&run, store, &what, &error) == REPORT_OK,
                "the run cannot be begun");
    for (int64_t i = 0; i < results; i++)
        put_result(store, run, i, later);
    bench_check(report_finish_run(store, run, "digest", "later", 1, &error) ==
                    REPORT_OK,
                "the run cannot be finished");
}

static void record(const input *in)
{
    report_store *store = NULL;
    report_error error;
    unlink(in->path);
    bench_check(report_open(&store, in->path, REPORT_WRITE, &error) ==
                    REPORT_OK,
                "the database cannot be made");
    record_run(store, in->results / 2, false);
    record_run(store, in->results - in->results / 2, true);
    bench_check(report_close(store, &error) == REPORT_OK,
                "the database cannot be closed");
}

static bool count_issue(void *context, const report_issue *issue)
{
    (void)issue;
    ++*(int64_t *)context;
    return true;
}

static void ask(report_store *store, report_question question, int64_t least,
                int64_t most)
{
    report_error error;
    int64_t count = 0;
    bench_check(report_each_issue(store, &question, count_issue, &count,
                                  &error) == REPORT_OK &&
                    count >= least && count <= most,
                "triage tells something else");
}

/* Of a bucket that both runs have: since when, and its smallest case. */
static void since_when(report_store *store)
{
    report_error error;
    report_range range;
    report_example example;
    char *command = NULL;
    bench_check(report_find_range(&range, store, 2, &error) == REPORT_OK &&
                    report_find_example(&example, store, 2, true, &error) ==
                        REPORT_OK &&
                    report_command(&command, store, example.run, example.path,
                                   &error) == REPORT_OK,
                "triage does not tell since when");
    report_example_free(&example);
    free(command);
}

static void triage(result *r, report_store *store)
{
    report_error error;
    bench_check(report_triage(store, NULL, "2026-01-01", &error) == REPORT_OK,
                "no triage");
    double since = bench_now();
    ask(store, (report_question){.all = true}, 1, CAUSES + 1);
    bench_keep_least(&r->seconds[STEP_LIST], since);
    since = bench_now();
    ask(store, (report_question){.run = 1, .other = 2, .all = true}, 0, 1);
    ask(store,
        (report_question){.run = 2, .other = 1, .both = true, .all = true}, 0,
        CAUSES);
    ask(store, (report_question){.run = 2, .other = 1, .all = true}, 1, CAUSES);
    bench_keep_least(&r->seconds[STEP_COMPARE], since);
    since = bench_now();
    since_when(store);
    bench_keep_least(&r->seconds[STEP_SINCE], since);
}

static void tell(result *r, report_store *store)
{
    const report_view view = {0};
    FILE *out = fopen("/dev/null", "w");
    report_error error;
    report_stored stored;
    char signature[17];
    bench_check(out != NULL, "no /dev/null");
    double since = bench_now();
    bench_check(report_write_text(out, store, &view, &error) == REPORT_OK,
                "no report");
    bench_keep_least(&r->seconds[STEP_TEXT], since);
    since = bench_now();
    bench_check(report_write_json(out, store, &view, &error) == REPORT_OK,
                "no report");
    bench_keep_least(&r->seconds[STEP_JSON], since);
    fclose(out);
    snprintf(signature, sizeof signature, "%016llx",
             2 * (unsigned long long)0x9e3779b97f4a7c15u);
    since = bench_now();
    bench_check(report_find_case(&stored, store, 0, 0, signature, &error) ==
                    REPORT_OK,
                "no case");
    bench_keep_least(&r->seconds[STEP_FIND], since);
    report_stored_free(&stored);
}

static void run_record(void *result_, const void *input_)
{
    const input *in = input_;
    result *r = result_;
    struct stat info;
    double since = bench_now();
    record(in);
    bench_keep_least(&r->seconds[STEP_RECORD], since);
    bench_check(stat(in->path, &info) == 0, "no file");
    r->megabytes = (double)info.st_size / 1e6;
}

static void run_tell(void *result_, const void *input_)
{
    const input *in = input_;
    report_store *store = NULL;
    report_error error;
    bench_check(report_open(&store, in->path, REPORT_READ, &error) == REPORT_OK,
                "the database cannot be read");
    tell(result_, store);
    triage(result_, store);
    report_close(store, &error);
}

int main(int count, char **arguments)
{
    double largest = count > 1 ? atof(arguments[1]) : 1e7;
    double sizes[SIZES], values[SIZES], megabytes[SIZES];
    result results[SIZES];
    const char *folder = getenv("TMPDIR");
    size_t used = 0;
    input in;
    memset(words, 'w', sizeof words);
    snprintf(in.path, sizeof in.path, "%s/counterpoint-bench-%ld.db",
             folder == NULL ? "/tmp" : folder, (long)getpid());
    memset(results, 0, sizeof results);
    for (double size = 1e4; used < SIZES && size <= largest; size *= 10) {
        in.results = (int64_t)size;
        bench_measure(&results[used], sizeof *results, run_record, &in);
        bench_measure(&results[used], sizeof *results, run_tell, &in);
        megabytes[used] = results[used].megabytes;
        sizes[used++] = size;
    }
    unlink(in.path);
    bench_check(used > 0, "LARGEST is at least 10000");
    puts("\nThe database of results (processor ms)");
    bench_print_head(sizes, used);
    for (int s = 0; s < STEP_COUNT; s++) {
        for (size_t i = 0; i < used; i++)
            values[i] = results[i].seconds[s];
        bench_print_times(step_names[s], values, sizes, used);
    }
    for (size_t i = 0; i < used; i++)
        values[i] = sizes[i] / results[i].seconds[STEP_RECORD];
    bench_print_numbers("results a second", values, used, 0);
    bench_print_numbers("MB of the file", megabytes, used, 1);
    return 0;
}
