/* counterpoint run: plan, judge and record everything. */
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "command.h"
#include "expect.h"
#include "identity.h"
#include "keep.h"
#include "print.h"
#include "progress.h"
#include "replay/bridge.h"
#include "totals.h"

/* A transaction ends after so many cases or so long, whichever is first. */
#define BATCH_CASES 512
#define BATCH_MS 500

typedef struct run {
    const cli_options *options;
    cli_totals totals;
    cli_digest digest;
    cli_identities identities;
    cli_expect expect;
    bool expects;
    report_store *store; /* NULL: nothing is recorded */
    bool lost;           /* it could not be written: no longer recorded */
    int64_t number;      /* of the run in the store */
    size_t uncommitted;
    int64_t oldest; /* ms: since when something is uncommitted */
    int64_t started;
    cli_times times; /* of all cases */
    bool color;
    report_error error;
} run;

/*
 * Tells of a failure, once: the run goes on without the database, since its
 * answers are worth having all the same.
 */
static void stored(run *r, report_status status)
{
    report_error ignored;
    if (status == REPORT_OK)
        return;
    if (cli_progress_wanted(r->options->quiet))
        fputs("\r\033[K", stderr);
    cli_complain(0, "%s: %s", r->options->db, r->error.message);
    report_close(r->store, &ignored);
    r->store = NULL;
    r->lost = true;
}

static void commit_when_due(run *r)
{
    if (r->store == NULL || r->uncommitted == 0)
        return;
    if (r->uncommitted < BATCH_CASES && cli_now() - r->oldest < BATCH_MS)
        return;
    r->uncommitted = 0;
    stored(r, report_commit(r->store, &r->error));
}

/* --- Recording --- */

static bool record(run *r, const cli_case *c)
{
    cli_text group = {0}, details = {0};
    if (r->store == NULL)
        return true;
    cli_text_put(&group, "");
    bool ok = cli_case_group(&group, c);
    cli_text_put(&details, "{");
    cli_case_put_list(&details, "assumptions", &c->assumptions);
    cli_text_put(&details, ",");
    cli_case_put_list(&details, "undecided", &c->undecided);
    cli_text_put(&details, "}");
    report_status status = REPORT_OK;
    ok = ok && !details.failed &&
         cli_keep_case(&status, r->store, r->number, c, group.data,
                       details.data, &r->error);
    stored(r, status);
    cli_text_free(&group);
    cli_text_free(&details);
    if (r->uncommitted++ == 0)
        r->oldest = cli_now();
    commit_when_due(r);
    return ok;
}

/* --- Showing --- */

static bool show(run *r, const cli_case *c)
{
    cli_text out = {0};
    if (r->options->json || r->options->quiet)
        return true;
    cli_print_findings(&out, c, CLI_WARNING, r->color);
    if (c->verdict >= CLI_REFUSED && c->count == 0)
        cli_print_verdict(&out, c, r->color);
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

/* Why a replay is left out that was begun: no part of the answer. */
static void show_late(const run *r, const cli_case *c)
{
    if (c->late.length > 0 && !r->options->quiet)
        cli_complain(0, "%s: not replayed in full: %s", c->found->path,
                     c->late.data);
}

static void show_times(run *r, const cli_case *c)
{
    if (!r->options->verbose)
        return;
    cli_times_show(c->found->path, &c->times);
    cli_times_sum(&r->times, &c->times);
}

static bool case_done(void *context, const cli_case *c)
{
    run *r = context;
    char hex[65];
    if (!cli_totals_add(&r->totals, c) || !cli_case_digest(hex, c) ||
        !cli_digest_add(&r->digest, hex) ||
        !cli_identities_add(&r->identities, c))
        return false;
    if (r->expects && !cli_expect_see(&r->expect, c))
        return false;
    show_late(r, c);
    show_times(r, c);
    return record(r, c) && show(r, c);
}

/* A finding about several inputs: a case of its own that is no input. */
static bool cross_done(void *context, const cli_case *c)
{
    run *r = context;
    char hex[65];
    cli_totals_add_findings(&r->totals, c);
    if (!cli_case_digest(hex, c) || !cli_digest_add(&r->digest, hex))
        return false;
    if (r->expects && !cli_expect_see(&r->expect, c))
        return false;
    return record(r, c) && show(r, c);
}

static bool case_idle(void *context)
{
    run *r = context;
    commit_when_due(r);
    return true;
}

/* --- Beginning and end --- */

/* A wrong file ends the run before it begins, a full disk does not. */
static int open_store(run *r)
{
    char started[32];
    cli_text options = {0};
    if (r->options->db == NULL)
        return CLI_EXIT_FINE;
    report_status status =
        report_open(&r->store, r->options->db, REPORT_WRITE, &r->error);
    stored(r, status);
    if (r->lost)
        return status == REPORT_FAILED ? CLI_EXIT_FINE : CLI_EXIT_USAGE;
    cli_keep_now(started);
    cli_keep_options(&options, "run", r->options);
    report_run what = {COUNTERPOINT_VERSION, options.data, r->options->revision,
                       started};
    bool ok = !options.failed;
    if (ok)
        stored(r, report_begin_run(&r->number, r->store, &what, &r->error));
    cli_text_free(&options);
    return ok ? CLI_EXIT_FINE : CLI_EXIT_FAULT;
}

static int begin(run *r)
{
    char problem[256];
    const cli_options *o = r->options;
    r->started = cli_now();
    r->color = cli_print_colors(stdout);
    r->expects = o->expect != NULL;
    if (r->expects &&
        !cli_expect_read(&r->expect, o->expect, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s: %s", o->expect, problem);
    return open_store(r);
}

static void finish_store(run *r, const char *digest)
{
    char finished[32];
    if (r->store == NULL)
        return;
    cli_keep_now(finished);
    stored(r, report_finish_run(r->store, r->number, digest, finished,
                                cli_now() - r->started, &r->error));
}

static bool fails(const run *r)
{
    return cli_totals_exit(&r->totals, &(cli_batch_result){0},
                           cli_fail_on(r->options)) == CLI_EXIT_FINDINGS;
}

static void put_end(cli_text *out, const run *r, const char *digest)
{
    cli_totals_text(out, &r->totals, digest, cli_fail_on(r->options));
    if (r->expects)
        return;
    cli_totals_put_page(out, &r->totals, CLI_WARNING);
    if (r->store == NULL || r->lost || !fails(r))
        return;
    cli_text_put(out, "counterpoint triage list ");
    cli_print_word(out, r->options->db);
    cli_text_put(out, ": all causes with their states, the worst first\n");
}

static bool show_totals(run *r, const char *digest)
{
    cli_text out = {0};
    if (r->options->json)
        cli_totals_json(&out, &r->totals, digest);
    else if (!r->options->quiet)
        put_end(&out, r, digest);
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

/* The last line: after a screen of findings, whether all is well. */
static void show_expectation(const run *r, bool same)
{
    const cli_totals *t = &r->totals;
    int64_t findings = 0;
    for (cli_severity s = CLI_NOTE; s < CLI_SEVERITIES; s++)
        findings += t->findings[s];
    if (!same)
        fprintf(stderr,
                "%scounterpoint: what was found is not what %s "
                "expects\n",
                r->expect.differences.data, r->options->expect);
    else if (!r->options->json && !r->options->quiet)
        printf("as expected: %lld findings in %lld inputs (%s)\n",
               (long long)findings, (long long)t->inputs, r->options->expect);
}

static int exit_status(run *r, const cli_batch_result *result)
{
    int status = cli_totals_exit(&r->totals, result, cli_fail_on(r->options));
    if (r->lost && status != CLI_EXIT_FAULT)
        status = CLI_EXIT_USAGE;
    if (!r->expects)
        return status;
    bool same = cli_expect_end(&r->expect);
    bool checked = status != CLI_EXIT_FAULT && status != CLI_EXIT_USAGE &&
                   r->totals.inputs > 0;
    if (checked || !same)
        show_expectation(r, same);
    if (!checked)
        return status;
    return same ? CLI_EXIT_FINE : CLI_EXIT_FINDINGS;
}

static int work(run *r, const cli_search *search)
{
    char digest[65] = "";
    cli_batch_options batch;
    cli_batch_result result = {0};
    cli_batch_calls calls = {case_done, case_idle, r};
    cli_batch_options_set(&batch, r->options);
    batch.replay = cli_replay_seeds(r->options);
    batch.frontend = true;
    int64_t began = cli_clock_us();
    bool ok = cli_digest_begin(&r->digest);
    if (ok)
        cli_batch_run(&result, search, &batch, &calls);
    if (ok && !result.failed)
        ok = cli_identities_tell(&r->identities, (int64_t)search->count + 1,
                                 &batch, cross_done, r);
    ok = cli_digest_end(&r->digest, digest) && ok && !result.failed;
    result.failed |= !ok;
    if (ok) {
        finish_store(r, digest);
        result.failed = !show_totals(r, digest);
    }
    if (r->options->verbose)
        cli_times_show_all(r->totals.inputs, cli_clock_us() - began, &r->times);
    cli_report_problem(&result);
    return exit_status(r, &result);
}

int cli_verb_run(const cli_options *options)
{
    run r = {.options = options};
    cli_search search = {0};
    int status = begin(&r);
    if (status == CLI_EXIT_FINE && !cli_find_inputs(&search, options))
        status = CLI_EXIT_FAULT;
    if (status == CLI_EXIT_FINE)
        status = work(&r, &search);
    report_status closed = report_close(r.store, &r.error);
    r.store = NULL;
    stored(&r, closed);
    if (r.lost && status != CLI_EXIT_FAULT)
        status = CLI_EXIT_USAGE;
    cli_search_free(&search);
    cli_totals_free(&r.totals);
    cli_expect_free(&r.expect);
    cli_identities_free(&r.identities);
    return status;
}
