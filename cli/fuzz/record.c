#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../keep.h"
#include "../process.h"
#include "../totals.h"

/* Tells of a failure, once: the run goes on without the database. */
static void stored(cli_recorder *r, report_status status,
                   const report_error *error)
{
    report_error ignored;
    if (status == REPORT_OK)
        return;
    if (!r->quiet)
        fputs("\r\033[K", stderr);
    cli_complain(0, "%s: %s", r->path, error->message);
    report_close(r->store, &ignored);
    r->store = NULL;
    r->lost = true;
}

/* What the answers depend on: a run goes on only where all is the same. */
static void put_options(cli_text *out, const cli_campaign *c)
{
    cli_text_put(out, "{\"cases\":");
    if (c->cases < INT64_MAX / 2)
        cli_text_printf(out, "%lld", (long long)c->cases);
    else
        cli_text_put(out, "null");
    cli_text_put(out, ",\"kinds\":[");
    for (uint32_t i = 0; i < c->plan.kind_count; i++)
        cli_text_printf(out, "%s\"%s\"", i > 0 ? "," : "",
                        fuzz_kind_name(c->plan.kinds[i]));
    cli_text_printf(out, "],\"memory\":%lld,\"mode\":\"%s\",\"planner\":",
                    (long long)c->plan.memory, c->plan.full ? "full" : "lean");
    if (c->plan.planner != NULL)
        cli_text_quote(out, c->plan.planner);
    else
        cli_text_put(out, "null");
    cli_text_printf(out,
                    ",\"replay\":%lld,\"seed\":%lld,\"tasks\":%u,"
                    "\"timeout\":%lld,"
                    "\"verb\":\"fuzz\"}",
                    (long long)c->plan.replay, (long long)c->plan.seed,
                    c->plan.tasks, (long long)c->plan.timeout_ms);
}

/* --- Going on --- */

static bool see_block(void *context, const report_block *block)
{
    cli_sums *sums = context;
    cli_span counts = {block->counts, strlen(block->counts)};
    if (block->block != sums->blocks || strlen(block->digest) != 64)
        return false;
    sums->blocks++;
    sums->cases += block->cases;
    return cli_tally_take(&sums->tally, counts) &&
           cli_sums_add_digest(sums, block->digest);
}

static bool see_bucket(void *context, const report_bucket *bucket)
{
    cli_bucket copy = {
        .rule = (char *)(uintptr_t)bucket->rule,
        .cause = (char *)(uintptr_t)bucket->cause,
        .signature = (char *)(uintptr_t)bucket->signature,
        .message = (char *)(uintptr_t)bucket->message,
        .label = (char *)(uintptr_t)bucket->path,
        .number = bucket->number - 1,
        .n = bucket->n,
    };
    return cli_sums_add_bucket(context, &copy);
}

static report_status go_on(cli_recorder *r, cli_sums *sums, const char *options,
                           report_error *error)
{
    report_status status = report_find_unfinished(
        &r->run, r->store, COUNTERPOINT_VERSION, options, error);
    if (status != REPORT_OK)
        return status;
    if (r->run == 0 && !r->quiet)
        fprintf(stderr,
                "counterpoint: %s has no unfinished run of these options: a "
                "new one begins\n",
                r->path);
    if (r->run == 0)
        return REPORT_OK;
    status = report_each_block(r->store, r->run, see_block, sums, error);
    if (status == REPORT_OK)
        status = report_each_bucket(r->store, r->run, see_bucket, sums, error);
    return status;
}

static report_status begin(cli_recorder *r, const char *options,
                           report_error *error)
{
    char started[CLI_KEEP_NOW];
    cli_keep_now(started);
    report_run what = {COUNTERPOINT_VERSION, options, r->revision, started};
    return report_begin_run(&r->run, r->store, &what, error);
}

int cli_recorder_open(cli_recorder *r, cli_sums *sums,
                      const cli_campaign *campaign, bool resume)
{
    report_error error;
    cli_text options = {0};
    r->began = cli_now();
    if (r->path == NULL)
        return CLI_EXIT_FINE;
    put_options(&options, campaign);
    if (options.failed)
        return CLI_EXIT_FAULT;
    report_status status =
        report_open(&r->store, r->path, REPORT_WRITE, &error);
    if (status == REPORT_OK && resume)
        status = go_on(r, sums, options.data, &error);
    if (status == REPORT_OK && r->run == 0)
        status = begin(r, options.data, &error);
    stored(r, status, &error);
    cli_text_free(&options);
    return cli_store_exit(status);
}

/* --- Blocks --- */

/* The summary rows; those of findings come with the findings. */
static void add_counts(cli_recorder *r, const cli_tally *tally)
{
    report_error error;
    for (size_t i = 0; i < tally->count && r->store != NULL; i++) {
        const cli_count *item = &tally->items[i];
        stored(r,
               report_add_count(r->store, r->run, item->what, item->key,
                                item->n, &error),
               &error);
    }
}

bool cli_recorder_block(cli_recorder *r, cli_block_result *result)
{
    report_error error;
    cli_text counts = {0};
    if (r->store == NULL)
        return true;
    cli_tally_put(&counts, &result->tally);
    report_block block = {
        .block = result->block,
        .first = result->first,
        .cases = result->cases,
        .digest = result->digest,
        .counts = counts.data,
    };
    bool ok = !counts.failed;
    if (ok)
        stored(r, report_add_block(r->store, r->run, &block, &error), &error);
    cli_text_free(&counts);
    add_counts(r, &result->tally);
    return ok;
}

void cli_recorder_case(cli_recorder *r, const cli_told_case *told,
                       const cli_case *c, const char *kind)
{
    report_error error;
    report_finding *findings = calloc(c->count + 1, sizeof *findings);
    cli_text details = {0};
    cli_text_add(&details, told->details.data, told->details.length);
    if (r->store == NULL || findings == NULL || details.failed) {
        free(findings);
        cli_text_free(&details);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        cli_keep_finding(&findings[i], &c->findings[i]);
    report_case record = {
        .number = told->number + 1,
        .path = told->label,
        .name = told->label,
        .sha256 = c->sha256[0] == '\0' ? NULL : c->sha256,
        .kind = kind,
        .text = told->text.data,
        .length = told->text.length,
        .verdict = told->verdict,
        .reason = told->reason.length == 0 ? NULL : told->reason.data,
        .details = details.data,
        .partial = c->partial,
        .counted = true,
        .findings = findings,
        .count = c->count,
        .total = (int64_t)c->count,
    };
    stored(r, report_add_case(r->store, r->run, &record, &error), &error);
    free(findings);
    cli_text_free(&details);
}

void cli_recorder_commit(cli_recorder *r)
{
    report_error error;
    if (r->store != NULL)
        stored(r, report_commit(r->store, &error), &error);
}

bool cli_recorder_close(cli_recorder *r, const cli_sums *sums, bool ended)
{
    report_error error;
    char digest[65], finished[32];
    if (r->store != NULL && ended) {
        cli_keep_now(finished);
        cli_sums_digest(digest, sums);
        stored(r,
               report_finish_run(r->store, r->run, digest, finished,
                                 cli_now() - r->began, &error),
               &error);
    }
    report_status status = report_close(r->store, &error);
    r->store = NULL;
    stored(r, status, &error);
    return !r->lost;
}
