/*
 * How fast results are recorded, and how long a report takes of what was, at
 * sizes that grow tenfold.
 *
 *   bench/reports [LARGEST]    from 10,000 results to LARGEST (10,000,000)
 *
 * A result: a path of its own, one of 1,000 texts of 1 KB (whose digest is
 * known), a verdict; one in 1,000 has a finding of one of 50 signatures, with
 * a message and 1 KB of JSON. Committed in batches of 512, as `run` does.
 * Every measurement is a process of its own. The file lies in $TMPDIR; 10
 * million results take about 1.5 GB there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "reports/store.h"
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
    STEP_COUNT
} step;

static const char *const step_names[STEP_COUNT] = {
    "record all", "report, text", "report, JSON", "find by signature"};

typedef struct result {
    double seconds[STEP_COUNT];
    double megabytes; /* of the file */
} result;

typedef struct input {
    int64_t results;
    char path[256];
} input;

static char words[1024];

static void put_result(report_store *store, int64_t run, int64_t number)
{
    char path[64], sha[65], signature[17], json[1100];
    report_error error;
    int64_t text = number * 7919 % TEXTS;
    snprintf(path, sizeof path, "programs/part%lld/f%08lld.py",
             (long long)number / 1000, (long long)number);
    snprintf(sha, sizeof sha, "%064llx",
             (unsigned long long)(text + 1) * 0x9e3779b97f4a7c15u);
    snprintf(signature, sizeof signature, "%016llx",
             (unsigned long long)(number / EVERY % CAUSES + 1) *
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

static void record(const input *in)
{
    report_store *store = NULL;
    report_error error;
    int64_t run = 0;
    report_run what = {"0.0.0", "{}", NULL, "2026-01-01T00:00:00Z"};
    unlink(in->path);
    bench_check(report_open(&store, in->path, REPORT_WRITE, &error) ==
                        REPORT_OK &&
                    report_begin_run(&run, store, &what, &error) == REPORT_OK,
                "the database cannot be made");
    for (int64_t i = 0; i < in->results; i++)
        put_result(store, run, i);
    bench_check(report_finish_run(store, run, "digest", "later", 1, &error) ==
                        REPORT_OK &&
                    report_close(store, &error) == REPORT_OK,
                "the run cannot be finished");
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
             (unsigned long long)0x9e3779b97f4a7c15u);
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
