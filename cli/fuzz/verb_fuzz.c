/* counterpoint fuzz: made inputs, two answers each, and where they differ. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../print.h"
#include "../process.h"
#include "../progress.h"
#include "../replay/bridge.h"
#include "../totals.h"
#include "known.h"
#include "print.h"
#include "record.h"

#define DEFAULT_CASES 10000
#define DEFAULT_TASKS 256
#define FAULTS 3 /* of our own that are told each */

typedef struct fuzz {
    const cli_options *options;
    cli_campaign campaign;
    cli_sums sums;
    cli_fuzz_progress progress;
    cli_recorder recorder;
    bool one;       /* --case */
    bool unwritten; /* the file of -o */
    bool told;      /* what a planner said on standard error */
    int64_t faults; /* cases that ended our own process */
} fuzz;

/* The signal that asks for the end; 0: none. */
static volatile sig_atomic_t stop_signal;

static void ask_to_stop(int number)
{
    stop_signal = number;
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* --- Options --- */

static bool has_kind(const cli_batch_plan *plan, fuzz_kind kind)
{
    for (uint32_t i = 0; i < plan->kind_count; i++)
        if (plan->kinds[i] == kind)
            return true;
    return false;
}

static int check_kinds(const cli_batch_plan *plan)
{
    cli_batch_plan known = {0};
    cli_kinds_all(&known);
    for (uint32_t i = 0; i < plan->kind_count; i++)
        if (!has_kind(&known, plan->kinds[i]))
            return cli_complain(CLI_EXIT_USAGE, "no cases of kind %s are made",
                                fuzz_kind_name(plan->kinds[i]));
    return CLI_EXIT_FINE;
}

static int set_kinds(fuzz *f)
{
    cli_batch_plan *plan = &f->campaign.plan;
    const char *named = f->options->kinds;
    if (named == NULL)
        cli_kinds_all(plan);
    else if (!cli_kinds_read(plan, named))
        return cli_complain(CLI_EXIT_USAGE, "--kinds names a kind twice: '%s'",
                            named);
    return check_kinds(plan);
}

/* What is about a run says nothing of one case. */
static int check_case(const cli_options *o)
{
    char problem[320];
    const struct {
        const char *name;
        bool given;
    } others[] = {
        {"--db", o->db != NULL},       {"--resume", o->resume},
        {"--cases", o->cases > 0},     {"--seconds", o->seconds > 0},
        {"--kinds", o->kinds != NULL},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return cli_complain(CLI_EXIT_USAGE,
                                "%s does not go with --case, which makes one "
                                "case alone",
                                others[i].name);
    if (o->output != NULL && strcmp(o->output, "-") != 0 &&
        !cli_print_may_write(o->output, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    return CLI_EXIT_FINE;
}

/* One case is a batch of its kind alone, from there on. */
static int set_case(fuzz *f)
{
    fuzz_name name = {0};
    cli_campaign *c = &f->campaign;
    int status = check_case(f->options);
    if (status != CLI_EXIT_FINE)
        return status;
    if (!cli_case_label_read(&name, f->options->fuzz_case))
        return cli_complain(CLI_EXIT_USAGE,
                            "--case takes a kind and a number up to %lld, as "
                            "in score:17, not '%s'",
                            (long long)INT64_MAX, f->options->fuzz_case);
    c->plan.kinds[0] = (fuzz_kind)name.stream;
    c->plan.kind_count = 1;
    c->first = (int64_t)name.index;
    c->cases = 1;
    c->all = true;
    f->one = true;
    return check_kinds(&c->plan);
}

static int set_up(fuzz *f)
{
    const cli_options *o = f->options;
    cli_batch_options batch;
    cli_batch_options_set(&batch, o);
    cli_campaign *c = &f->campaign;
    bool full = o->mode != NULL && strcmp(o->mode, "full") == 0;
    c->plan = (cli_batch_plan){
        .seed = o->seed,
        .full = full,
        .tasks = o->tasks > 0 ? (uint32_t)o->tasks : DEFAULT_TASKS,
        .planner = o->planner,
        .timeout_ms = batch.timeout_ms,
        .memory = batch.memory,
        .replay = full || o->replay > 0 ? cli_replay_seeds(o) : 0,
    };
    c->jobs = batch.jobs;
    c->cases = o->cases > 0     ? o->cases
               : o->seconds > 0 ? INT64_MAX / 2
                                : DEFAULT_CASES;
    if (o->seconds > 0)
        c->deadline = cli_now() + 1000 * o->seconds;
    if (o->resume && o->db == NULL && o->fuzz_case == NULL)
        return cli_complain(CLI_EXIT_USAGE, "--resume goes with --db");
    if (o->output != NULL && o->fuzz_case == NULL)
        return cli_complain(CLI_EXIT_USAGE, "-o goes with --case");
    return o->fuzz_case != NULL ? set_case(f) : set_kinds(f);
}

/* --- One case --- */

static cli_kind kind_of(fuzz_kind kind)
{
    static const cli_kind kinds[FUZZ_KINDS] = {
        [FUZZ_SCORE] = CLI_SCORE,   [FUZZ_IR] = CLI_IR,
        [FUZZ_MEMORY] = CLI_SCORE,  [FUZZ_GRAPH] = CLI_TASK_GRAPH,
        [FUZZ_BUNDLE] = CLI_BUNDLE, [FUZZ_RECORD] = CLI_RECORD,
    };
    return kinds[kind];
}

/* A file that cannot be written is told, and no fault of a worker. */
static void write_case(fuzz *f, const cli_told_case *told)
{
    const char *path = f->options->output;
    if (path == NULL)
        return;
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    bool ok = out != NULL && fwrite(told->text.data, 1, told->text.length,
                                    out) == told->text.length;
    if (out != NULL && out != stdout && fclose(out) != 0)
        ok = false;
    if (!ok)
        cli_complain(0, "%s cannot be written: %s", path, strerror(errno));
    f->unwritten = !ok;
}

/* As check tells of a file. */
static bool show_case(fuzz *f, const cli_told_case *told, const cli_case *c)
{
    cli_text out = {0};
    bool color = cli_print_colors(stdout);
    if (f->options->json) {
        cli_print_json(&out, c);
    } else if (!f->options->quiet) {
        cli_print_findings(&out, c, CLI_NOTE, color);
        cli_print_verdict(&out, c, color);
        cli_text_printf(&out, "%s: ", told->label);
        cli_text_add(&out, told->details.data, told->details.length);
        cli_text_put(&out, "\n");
    }
    write_case(f, told);
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

/* --- What nobody else tells --- */

/* A case over which our own process ended: which, and how. */
static void tell_fault(fuzz *f, const cli_told_case *told)
{
    if (++f->faults > FAULTS)
        return;
    cli_fuzz_progress_clear(&f->progress);
    cli_complain(0,
                 "%s: %s (a fault of this program, or too little of "
                 "memory or time)",
                 told->label, told->reason.data);
}

/* The last words of the first planner that had some. */
static void tell_words(fuzz *f, const cli_told_case *told)
{
    cli_span value;
    cli_text said = {0};
    if (!f->told && !f->options->quiet &&
        cli_span_member(&value, told->details, "said") &&
        cli_span_text(&said, value)) {
        cli_fuzz_progress_clear(&f->progress);
        cli_complain(0, "%s: the planner said: %s", told->label, said.data);
        f->told = true;
    }
    cli_text_free(&said);
}

/* --- Taking answers --- */

static bool add_buckets(fuzz *f, const cli_told_case *told, const cli_case *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const cli_finding *finding = &c->findings[i];
        if (!cli_is_disagreement(finding->rule))
            continue;
        cli_bucket bucket = {
            .rule = (char *)(uintptr_t)finding->rule,
            .cause =
                (char *)(uintptr_t)(finding->cause == NULL ? ""
                                                           : finding->cause),
            .signature = (char *)(uintptr_t)finding->signature,
            .message = (char *)(uintptr_t)finding->message,
            .label = (char *)(uintptr_t)told->label,
            .number = told->number,
            .n = 1,
        };
        if (!cli_sums_add_bucket(&f->sums, &bucket))
            return false;
    }
    return true;
}

static cli_verdict verdict_named(const char *name)
{
    cli_verdict verdict = CLI_CLEAN;
    while (verdict < CLI_CRASHED &&
           strcmp(cli_verdict_name(verdict), name) != 0)
        verdict++;
    return strcmp(name, cli_verdict_name(CLI_TIMED_OUT)) == 0 ? CLI_TIMED_OUT
                                                              : verdict;
}

static bool fill_case(cli_case *c, cli_found *found, const cli_told_case *told,
                      fuzz_kind kind)
{
    cli_walk walk;
    cli_span key, item;
    found->path = (char *)(uintptr_t)told->label;
    found->name = told->label;
    *c = (cli_case){
        .number = told->number,
        .found = found,
        .kind = kind_of(kind),
        .verdict = verdict_named(told->verdict),
    };
    memcpy(c->sha256, told->sha256, sizeof c->sha256);
    cli_text_add(&c->reason, told->reason.data, told->reason.length);
    cli_text_add(&c->undecided, told->undecided.data, told->undecided.length);
    c->partial = told->undecided.length > 2;
    bool ok = cli_walk_array(&walk, told->findings);
    while (ok && cli_walk_next(&walk, &key, &item))
        ok = cli_case_add_record(c, item);
    return ok && !walk.failed && !c->reason.failed && !c->undecided.failed;
}

static bool take_case(fuzz *f, cli_span json)
{
    cli_told_case told;
    cli_case c = {0};
    cli_found found = {0};
    fuzz_name name = {0};
    bool ok = cli_told_case_read(&told, json) &&
              cli_case_label_read(&name, told.label) &&
              fill_case(&c, &found, &told, (fuzz_kind)name.stream) &&
              add_buckets(f, &told, &c);
    if (ok && c.verdict == CLI_CRASHED && c.count == 0)
        tell_fault(f, &told);
    if (ok)
        tell_words(f, &told);
    if (ok && f->one)
        ok = show_case(f, &told, &c);
    if (ok)
        cli_recorder_case(&f->recorder, &told, &c,
                          fuzz_kind_name((fuzz_kind)name.stream));
    cli_case_clear(&c);
    cli_told_case_free(&told);
    return ok;
}

static bool block_done(void *context, cli_block_result *result)
{
    fuzz *f = context;
    cli_walk walk;
    cli_span key, item;
    cli_text list = {0};
    cli_tally_merge(&f->sums.tally, &result->tally);
    cli_text_printf(&list, "[%s]",
                    result->told.length > 0 ? result->told.data : "");
    bool ok = !list.failed && cli_recorder_block(&f->recorder, result) &&
              cli_walk_array(&walk, (cli_span){list.data, list.length});
    while (ok && cli_walk_next(&walk, &key, &item))
        ok = take_case(f, item);
    cli_text_free(&list);
    if (ok)
        cli_recorder_commit(&f->recorder);
    f->sums.blocks++;
    f->sums.cases += result->cases;
    return ok && !f->sums.tally.failed &&
           cli_sums_add_digest(&f->sums, result->digest);
}

static bool idle(void *context)
{
    fuzz *f = context;
    cli_fuzz_progress_show(&f->progress, &f->sums);
    return stop_signal == 0;
}

/* --- The end --- */

static bool show_end(fuzz *f, bool interrupted)
{
    cli_text out = {0};
    cli_sums_sort(&f->sums);
    if (f->options->json)
        cli_fuzz_put_json(&out, &f->sums, interrupted);
    else if (!f->options->quiet)
        cli_fuzz_put_text(&out, &f->sums, &f->campaign.plan);
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

static int exit_status(const fuzz *f, cli_campaign_end end)
{
    if (end == CLI_CAMPAIGN_FAILED ||
        cli_tally_get(&f->sums.tally, "fault", "of a worker") > 0)
        return CLI_EXIT_FAULT;
    if (cli_sums_findings(&f->sums) > 0)
        return CLI_EXIT_FINDINGS;
    return f->sums.cases > 0 ? CLI_EXIT_FINE : CLI_EXIT_NOTHING;
}

static int run(fuzz *f)
{
    cli_campaign_calls calls = {block_done, idle, f};
    f->progress = (cli_fuzz_progress){
        .on = cli_progress_wanted(f->options->quiet),
        .began = cli_now(),
        .next = cli_now() + 200,
        .before = f->sums.cases,
        .cases = f->options->cases > 0 || f->options->seconds == 0
                     ? f->campaign.cases
                     : INT64_MAX,
        .deadline = f->campaign.deadline,
    };
    f->campaign.done = f->sums.cases;
    watch_signals();
    char problem[CLI_PROBLEM];
    cli_campaign_end end = cli_campaign_run(problem, &f->campaign, &calls);
    cli_fuzz_progress_clear(&f->progress);
    if (end == CLI_CAMPAIGN_FAILED)
        cli_complain(0, "%s",
                     *problem == '\0' ? "out of memory, or a worker has failed"
                                      : problem);
    if (f->faults > FAULTS)
        cli_complain(0, "%lld more cases ended our own process",
                     (long long)(f->faults - FAULTS));
    if (!f->one && !show_end(f, end == CLI_CAMPAIGN_STOPPED))
        return CLI_EXIT_FAULT;
    bool ended = end == CLI_CAMPAIGN_DONE &&
                 (f->sums.cases == f->campaign.cases || f->options->cases == 0);
    bool kept = cli_recorder_close(&f->recorder, &f->sums, ended);
    int status = exit_status(f, end);
    bool lost = !kept || f->unwritten;
    return lost && status != CLI_EXIT_FAULT ? CLI_EXIT_USAGE : status;
}

/* A program that a signal has ended says so, as any other. */
static void end_by_signal(void)
{
    fflush(stdout);
    signal(stop_signal, SIG_DFL);
    raise(stop_signal);
}

int cli_verb_fuzz(const cli_options *options)
{
    fuzz f = {.options = options};
    int status = set_up(&f);
    f.recorder.path = f.one ? NULL : options->db;
    f.recorder.revision = options->revision;
    f.recorder.quiet = !cli_progress_wanted(options->quiet);
    if (status == CLI_EXIT_FINE)
        status = cli_recorder_open(&f.recorder, &f.sums, &f.campaign,
                                   options->resume);
    if (status == CLI_EXIT_FINE)
        status = run(&f);
    cli_sums_free(&f.sums);
    if (stop_signal != 0)
        end_by_signal();
    return status;
}
