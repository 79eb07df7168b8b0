/*
 * triage rerun: asks the case of a bucket again, as the verb that found it
 * does: one of `fuzz` is made again, another is its text in a file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../batch.h"
#include "../fuzz/campaign.h"
#include "../fuzz/evaluate.h"
#include "../input.h"
#include "../replay/bridge.h"
#include "../totals.h"
#include "triage.h"

#define DEFAULT_TIMES 10
#define MOST_BUCKETS 64

/* The case of one bucket, and how it is asked. */
typedef struct asking {
    cli_triage *t;
    report_example e;
    cli_text options; /* of its run */
    cli_text planner, rules, policy;
    bool has;   /* this time the finding is there */
    bool other; /* the case that was made is another one now */
} asking;

/* --- Whether it is there --- */

static void see_finding(asking *a, const char *rule, const char *signature)
{
    a->has |=
        strcmp(rule, a->e.rule) == 0 && strcmp(signature, a->e.signature) == 0;
}

/* --- A case of fuzz --- */

static bool see_record(asking *a, cli_span record)
{
    cli_span value;
    cli_text rule = {0}, signature = {0};
    if (cli_span_member(&value, record, "rule"))
        (void)cli_span_text(&rule, value);
    if (cli_span_member(&value, record, "signature"))
        (void)cli_span_text(&signature, value);
    cli_text_put(&rule, "");
    cli_text_put(&signature, "");
    bool ok = !rule.failed && !signature.failed;
    if (ok)
        see_finding(a, rule.data, signature.data);
    cli_text_free(&rule);
    cli_text_free(&signature);
    return ok;
}

static bool see_told(asking *a, cli_span json)
{
    cli_told_case told;
    cli_walk walk;
    cli_span key, item;
    bool ok = cli_told_case_read(&told, json);
    if (ok)
        a->other = strcmp(told.sha256, a->e.sha256) != 0;
    ok = ok && cli_walk_array(&walk, told.findings);
    while (ok && cli_walk_next(&walk, &key, &item))
        ok = see_record(a, item);
    cli_told_case_free(&told);
    return ok;
}

static bool block_done(void *context, cli_block_result *result)
{
    cli_walk walk;
    cli_span key, item;
    cli_text list = {0};
    cli_text_printf(&list, "[%s]",
                    result->told.length > 0 ? result->told.data : "");
    bool ok = !list.failed &&
              cli_walk_array(&walk, (cli_span){list.data, list.length});
    while (ok && cli_walk_next(&walk, &key, &item))
        ok = see_told(context, item);
    cli_text_free(&list);
    return ok;
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

static int ask_fuzz(asking *a, const cli_batch_options *batch)
{
    cli_span o = {a->options.data, a->options.length};
    char problem[CLI_PROBLEM] = "";
    fuzz_name name = {0};
    cli_text mode = {0};
    cli_campaign_calls calls = {block_done, go_on, a};
    if (!cli_case_label_read(&name, a->e.path))
        return cli_complain(CLI_EXIT_NOTHING, "there is no case %s", a->e.path);
    cli_run_text(&mode, o, "mode");
    cli_campaign c = {
        .plan = {.seed = cli_run_number(o, "seed"),
                 .kinds = {(fuzz_kind)name.stream},
                 .kind_count = 1,
                 .full = !mode.failed && strcmp(mode.data, "full") == 0,
                 .tasks = (uint32_t)cli_run_number(o, "tasks"),
                 .planner = batch->planner,
                 .timeout_ms = batch->timeout_ms,
                 .memory = batch->memory,
                 .replay = cli_run_number(o, "replay")},
        .first = (int64_t)name.index,
        .cases = 1,
        .jobs = 1,
        .all = true,
    };
    bool failed = mode.failed;
    cli_text_free(&mode);
    if (failed)
        return cli_triage_no_memory();
    if (cli_campaign_run(problem, &c, &calls) != CLI_CAMPAIGN_DONE)
        return cli_complain(CLI_EXIT_FAULT, "%s",
                            *problem == '\0' ? "a worker has failed" : problem);
    return a->other
               ? cli_complain(CLI_EXIT_NOTHING,
                              "this version makes another input of %s: what "
                              "it finds in it says nothing of bucket %lld",
                              a->e.path, (long long)a->e.bucket)
               : 0;
}

/* --- A file --- */

static bool case_done(void *context, const cli_case *c)
{
    for (size_t i = 0; i < c->count; i++)
        see_finding(context, c->findings[i].rule, c->findings[i].signature);
    return true;
}

static bool write_text(const char *path, const report_stored *stored)
{
    FILE *out = fopen(path, "wbe");
    bool ok = out != NULL &&
              fwrite(stored->text, 1, stored->length, out) == stored->length;
    return out != NULL && fclose(out) == 0 && ok;
}

static int ask_file_at(asking *a, cli_batch_options *batch, const char *path)
{
    cli_batch_result result = {0};
    cli_search search = {0};
    cli_batch_calls calls = {case_done, go_on, a};
    int status = 0;
    cli_search_add(&search, path);
    if (search.failed)
        status = cli_triage_no_memory();
    else
        cli_batch_run(&result, &search, batch, &calls);
    if (status == 0 && (result.failed || result.own_fault))
        status = cli_complain(CLI_EXIT_FAULT, "%s",
                              *result.problem == '\0' ? "a process has failed"
                                                      : result.problem);
    cli_search_free(&search);
    return status;
}

static int ask_file(asking *a, cli_batch_options *batch)
{
    char folder[] = "/tmp/counterpoint-rerun-XXXXXX";
    const char *slash = strrchr(a->e.path, '/');
    if (mkdtemp(folder) == NULL)
        return cli_complain(CLI_EXIT_FAULT, "%s cannot be made: %s", folder,
                            strerror(errno));
    char *path = cli_path_join(folder, slash == NULL ? a->e.path : slash + 1);
    int status = path == NULL ? cli_triage_no_memory()
                 : !write_text(path, &a->e.stored)
                     ? cli_complain(CLI_EXIT_FAULT, "%s cannot be written: %s",
                                    path, strerror(errno))
                     : ask_file_at(a, batch, path);
    if (path != NULL)
        unlink(path);
    rmdir(folder);
    free(path);
    return status;
}

/* --- How it is asked --- */

static bool is_fuzz(const asking *a)
{
    cli_text verb = {0};
    cli_run_text(&verb, (cli_span){a->options.data, a->options.length}, "verb");
    bool is = !verb.failed && strcmp(verb.data, "fuzz") == 0;
    cli_text_free(&verb);
    return is;
}

const char *cli_triage_beside(const report_example *e)
{
    static const char *const rules[] = {"diff.frontend", "diff.stage",
                                        "diff.plan", "score.identity"};
    const char *kind = e->stored.kind;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(e->rule, rules[i]) == 0)
            return "is about several files";
    return kind != NULL &&
                   (strcmp(kind, "record") == 0 || strcmp(kind, "trace") == 0)
               ? "is about a record and the files beside it"
               : NULL;
}

/* What no text has by itself, and so would never show again. */
static const char *why_not(const asking *a)
{
    cli_span o = {a->options.data, a->options.length}, value;
    const char *beside = cli_triage_beside(&a->e);
    bool replay =
        cli_span_member(&value, o, "verb") && cli_span_is(value, "\"replay\"");
    return beside == NULL && replay ? "was found by replay" : beside;
}

/* As `reduce`: no command out of a file is run unasked. A planner of another
 * name would give its findings other signatures. */
static int check_planner(const asking *a)
{
    char then[CLI_PLANNER_NAME], now[CLI_PLANNER_NAME];
    const char *stored = a->planner.length > 0 ? a->planner.data : NULL;
    const char *named = a->t->options->planner;
    cli_planner_name(then, stored);
    cli_planner_name(now, named);
    if (stored != NULL && named == NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "bucket %lld is about the answers of another "
                            "planner: name it again (--planner '%s')",
                            (long long)a->e.bucket, stored);
    if (named != NULL && is_fuzz(a) && strcmp(then, now) != 0)
        return cli_complain(CLI_EXIT_USAGE,
                            "bucket %lld is about a planner that is called "
                            "'%s', and '%s' is called otherwise: its findings "
                            "have other signatures",
                            (long long)a->e.bucket, then, named);
    return 0;
}

static int check_case(const asking *a)
{
    if (a->e.stored.text == NULL)
        return cli_complain(CLI_EXIT_NOTHING,
                            "the text of bucket %lld was not kept",
                            (long long)a->e.bucket);
    const char *why = is_fuzz(a) ? NULL : why_not(a);
    if (why != NULL)
        return cli_complain(CLI_EXIT_NOTHING,
                            "bucket %lld %s, which cannot be asked by itself: "
                            "repeat the whole run",
                            (long long)a->e.bucket, why);
    return check_planner(a);
}

static void set_batch(cli_batch_options *batch, const asking *a)
{
    cli_span o = {a->options.data, a->options.length};
    cli_batch_options_set(batch, a->t->options);
    batch->jobs = 1;
    batch->progress = false;
    batch->rules = a->rules.length > 0 ? a->rules.data : NULL;
    batch->policy = a->policy.length > 0 ? a->policy.data : NULL;
    batch->lenient = cli_run_is(o, "lenient");
    batch->limit = cli_run_number(o, "limit");
    batch->max_tasks = cli_run_number(o, "max_tasks");
    batch->force_kind = cli_kind_parse(&batch->kind, a->e.stored.kind);
    int64_t replay = cli_run_number(o, "replay");
    batch->replay = replay < 0 ? CLI_REPLAY_SEEDS : replay;
}

static int ask(int64_t *shown, asking *a, int64_t times)
{
    cli_batch_options batch;
    set_batch(&batch, a);
    bool fuzz = is_fuzz(a);
    int status = 0;
    for (int64_t i = 0; status == 0 && i < times; i++) {
        a->has = false;
        status = fuzz ? ask_fuzz(a, &batch) : ask_file(a, &batch);
        *shown += a->has;
    }
    return status;
}

/* --- One bucket --- */

static int take(asking *a, int64_t bucket)
{
    report_error error;
    if (report_find_example(&a->e, a->t->store, bucket, false, &error) !=
        REPORT_OK)
        return cli_triage_fail(a->t, &error);
    int status = cli_run_options(&a->options, a->t, a->e.run);
    if (status != 0)
        return status;
    cli_span o = {a->options.data, a->options.length};
    cli_run_text(&a->planner, o, "planner");
    cli_run_text(&a->rules, o, "rules");
    cli_run_text(&a->policy, o, "policy");
    return a->planner.failed || a->rules.failed || a->policy.failed
               ? cli_triage_no_memory()
               : check_case(a);
}

/* Adds how it was asked to the options of the rerun. */
static void put_asked(cli_text *out, const asking *a)
{
    cli_text_put(out, out->length == 0 ? "{\"asked\":[" : ",");
    cli_text_put(out, "{\"rule\":");
    cli_text_quote(out, a->e.rule);
    cli_text_put(out, ",\"signature\":");
    cli_text_quote(out, a->e.signature);
    cli_text_put(out, "}");
}

static int ask_bucket(report_rerun *rerun, cli_text *options, cli_triage *t,
                      int64_t bucket, int64_t times)
{
    asking a = {.t = t};
    *rerun = (report_rerun){bucket, times, 0};
    int status = take(&a, bucket);
    if (status == 0)
        status = ask(&rerun->shown, &a, times);
    if (status == 0)
        put_asked(options, &a);
    report_example_free(&a.e);
    cli_text_free(&a.options);
    cli_text_free(&a.planner);
    cli_text_free(&a.rules);
    cli_text_free(&a.policy);
    return status;
}

/* --- All that is shown as one --- */

typedef struct members {
    int64_t buckets[MOST_BUCKETS];
    size_t count;
} members;

static bool see_members(void *context, const report_issue *issue)
{
    members *m = context;
    m->buckets[m->count++] = issue->bucket;
    for (const char *at = issue->joined; *at != '\0' && m->count < MOST_BUCKETS;
         at += strspn(at, ", ")) {
        char *end;
        m->buckets[m->count++] = strtoll(at, &end, 10);
        at = end;
    }
    return false;
}

static int keep(cli_triage *t, const report_rerun *reruns, size_t count,
                cli_text *options)
{
    char digest[65], started[CLI_TRIAGE_NOW];
    report_error error;
    cli_text answers = {0};
    int64_t run = 0;
    cli_text_printf(options, "],\"times\":%lld,\"verb\":\"rerun\"}",
                    (long long)reruns[0].times);
    for (size_t i = 0; i < count; i++)
        cli_text_printf(&answers, "%lld ", (long long)reruns[i].shown);
    bool ok = !options->failed && !answers.failed &&
              cli_sha256(digest, answers.data, answers.length);
    cli_text_free(&answers);
    if (!ok)
        return cli_triage_no_memory();
    report_run what = cli_triage_begin_run(started, t, options->data);
    return report_add_reruns(&run, t->store, &what, digest, reruns, count,
                             &error) == REPORT_OK
               ? 0
               : cli_triage_fail(t, &error);
}

static void tell(cli_triage *t, const report_rerun *r)
{
    const char *word = r->shown == 0         ? "fixed"
                       : r->shown < r->times ? "flaky"
                                             : "still there";
    if (t->options->json)
        cli_text_printf(&t->out,
                        "{\"bucket\":%lld,\"shown\":%lld,"
                        "\"times\":%lld}\n",
                        (long long)r->bucket, (long long)r->shown,
                        (long long)r->times);
    else if (!t->options->quiet)
        cli_text_printf(&t->out,
                        "bucket %lld: shown at %lld of %lld times: "
                        "%s\n",
                        (long long)r->bucket, (long long)r->shown,
                        (long long)r->times, word);
}

static int rerun(cli_triage *t, const members *m, cli_text *options)
{
    int64_t times = t->options->times > 0 ? t->options->times : DEFAULT_TIMES;
    report_rerun reruns[MOST_BUCKETS];
    int64_t shown = 0;
    int status = 0;
    for (size_t i = 0; status == 0 && i < m->count; i++) {
        status = ask_bucket(&reruns[i], options, t, m->buckets[i], times);
        shown += status == 0 ? reruns[i].shown : 0;
    }
    if (status == 0)
        status = keep(t, reruns, m->count, options);
    if (status != 0)
        return status;
    for (size_t i = 0; i < m->count; i++)
        tell(t, &reruns[i]);
    return shown > 0 ? CLI_EXIT_FINDINGS : CLI_EXIT_FINE;
}

int cli_triage_rerun(cli_triage *t)
{
    members m = {.count = 0};
    cli_text options = {0};
    report_question question = {.all = true};
    report_error error;
    int64_t bucket = 0;
    int status = cli_triage_bucket(&bucket, &question.bucket, t);
    if (status != 0)
        return status;
    if (report_each_issue(t->store, &question, see_members, &m, &error) !=
        REPORT_OK)
        return cli_triage_fail(t, &error);
    status = rerun(t, &m, &options);
    cli_text_free(&options);
    return status;
}
