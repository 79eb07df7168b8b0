#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../crew.h"
#include "../input.h"

#define TICK_MS 20
#define STOP_MS 20000
/* What a worker needs besides its planner and its judgements. */
#define SPARE_MS 60000
#define SPARE_MEMORY ((int64_t)512 << 20)

typedef struct campaign {
    const cli_campaign *what;
    const cli_campaign_calls *calls;
    cli_child_spec spec;
    int64_t next;   /* case: begins the block that is asked for next */
    int64_t behind; /* block that is handed on next */
    char *problem;  /* CLI_PROBLEM bytes */
    bool stopped;
} campaign;

/* A part of a block that has to be asked for again. */
typedef struct range {
    int64_t first, count;
} range;

/* Halves of halves: never more at once than a block can be halved. */
#define RANGES 16

/* --- Answers --- */

static bool add_told(cli_text *told, cli_span cases)
{
    cli_walk walk;
    cli_span key, item;
    if (!cli_walk_array(&walk, cases))
        return false;
    while (cli_walk_next(&walk, &key, &item)) {
        if (told->length > 0)
            cli_text_put(told, ",");
        cli_text_add(told, item.data, item.length);
    }
    return !walk.failed && !told->failed;
}

static bool take_digest(char hex[65], cli_span value)
{
    if (value.length != 66)
        return false;
    memcpy(hex, value.data + 1, 64);
    hex[64] = '\0';
    return strspn(hex, "0123456789abcdef") == 64;
}

static bool take_answer(cli_block_result *result, cli_span answer)
{
    cli_span counts, cases, digest;
    return cli_span_member(&counts, answer, "counts") &&
           cli_span_member(&cases, answer, "cases") &&
           cli_span_member(&digest, answer, "digest") &&
           take_digest(result->digest, digest) &&
           cli_tally_take(&result->tally, counts) &&
           add_told(&result->told, cases);
}

/*
 * A worker that has ended in good order, and says why. False: it has answered,
 * or died; *hopeless: it would say the same of each block.
 */
static bool take_problem(char problem[CLI_PROBLEM], bool *hopeless,
                         cli_span answer)
{
    cli_span value;
    int64_t number = 0;
    cli_text text = {0};
    bool is = cli_span_member(&value, answer, "problem") &&
              cli_span_text(&text, value);
    if (is)
        snprintf(problem, CLI_PROBLEM, "%s", text.data);
    *hopeless = is && cli_span_member(&value, answer, "hopeless") &&
                cli_span_int(&number, value) && number != 0;
    cli_text_free(&text);
    return is;
}

/* --- A block whose worker has failed --- */

typedef struct repair {
    const campaign *run;
    cli_child child;
    cli_text line, digests;
    cli_block_result *result;
    char problem[CLI_PROBLEM]; /* of the last that was asked */
} repair;

static cli_event wait_for(cli_child *child, const campaign *run, bool *stopped)
{
    for (;;) {
        struct pollfd fds[2];
        poll(fds, (nfds_t)cli_child_poll(child, fds), TICK_MS);
        cli_event event = cli_child_step(child);
        if (event != CLI_NOTHING)
            return event;
        if (!run->calls->idle(run->calls->context)) {
            *stopped = true;
            return CLI_NOTHING;
        }
    }
}

/* Digests of cases, as hexadecimal digits behind each other. */
static bool add_digests(cli_text *digests, cli_span answer)
{
    cli_walk walk;
    cli_span key, item, list;
    char hex[65];
    if (!cli_span_member(&list, answer, "digests") ||
        !cli_walk_array(&walk, list))
        return false;
    while (cli_walk_next(&walk, &key, &item)) {
        if (!take_digest(hex, item))
            return false;
        cli_text_add(digests, hex, 64);
    }
    return !walk.failed && !digests->failed;
}

/* A case over which our own process ends. */
static bool add_fault(repair *r, int64_t n)
{
    char label[40], hex[65];
    cli_text text = {0};
    cli_block_result *result = r->result;
    fuzz_name name = cli_batch_name(&r->run->what->plan, n);
    cli_case_label(label, &name);
    cli_text_printf(&text, "%llu %s\ncrashed\n", (unsigned long long)name.seed,
                    label);
    if (text.failed || !cli_sha256(hex, text.data, text.length)) {
        cli_text_free(&text);
        return false;
    }
    cli_text_add(&r->digests, hex, 64);
    cli_tally_add(&result->tally, "verdict", "crashed", 1);
    cli_tally_add(&result->tally, "fault", "of a worker", 1);
    cli_tally_add(&result->tally, "kind",
                  fuzz_kind_name((fuzz_kind)name.stream), 1);
    cli_text_printf(&result->told,
                    "%s{\"case\":\"%s\",\"details\":{},\"findings\":[],"
                    "\"number\":%lld,\"reason\":",
                    result->told.length > 0 ? "," : "", label, (long long)n);
    cli_text_clear(&text);
    cli_text_printf(&text, "our own process %s", r->problem);
    cli_text_quote(&result->told, text.failed ? "" : text.data);
    cli_text_put(&result->told, ",\"undecided\":[],\"verdict\":\"crashed\"}");
    cli_text_free(&text);
    return !result->told.failed && !r->digests.failed;
}

static bool ask_range(repair *r, range part)
{
    cli_block block = {
        .id = r->result->block,
        .first = part.first,
        .count = part.count,
        .digests = true,
        .all = r->run->what->all,
    };
    cli_text_clear(&r->line);
    cli_block_put(&r->line, &r->run->what->plan, &block);
    return !r->line.failed && cli_child_send(&r->child, &r->line);
}

static bool take_range(repair *r)
{
    cli_block_result *result = r->result;
    cli_span answer = cli_child_answer(&r->child);
    return take_answer(result, answer) && add_digests(&r->digests, answer);
}

/* Turns an answer that is none into an event; false: it is hopeless. */
static bool hear(repair *r, cli_event *event)
{
    bool hopeless = false;
    char why[CLI_PROBLEM];
    if (*event != CLI_ANSWER) {
        memcpy(r->problem, r->child.problem, CLI_PROBLEM);
    } else if (take_problem(why, &hopeless, cli_child_answer(&r->child))) {
        *event = CLI_CRASH;
        snprintf(r->problem, CLI_PROBLEM, "gave up: %.100s", why);
        cli_child_kill(&r->child);
    }
    if (hopeless)
        memcpy(r->run->problem, why, CLI_PROBLEM);
    return !hopeless;
}

/* Asks for the halves, and theirs, in the order of the cases. */
static bool ask_halves(repair *r, bool *stopped)
{
    range parts[RANGES] = {{r->result->first, r->result->cases}};
    size_t count = 1;
    while (count > 0) {
        range part = parts[--count];
        /* One alone is for a fresh process. */
        if (part.count == 1)
            cli_child_kill(&r->child);
        if (!ask_range(r, part)) {
            memcpy(r->run->problem, r->child.problem, CLI_PROBLEM);
            return false;
        }
        cli_event event = wait_for(&r->child, r->run, stopped);
        if (event == CLI_NOTHING)
            return false;
        if (!hear(r, &event))
            return false;
        if (event == CLI_ANSWER) {
            if (!take_range(r))
                return false;
        } else if (part.count == 1) {
            if (!add_fault(r, part.first))
                return false;
        } else {
            int64_t half = part.count / 2;
            parts[count++] = (range){part.first + half, part.count - half};
            parts[count++] = (range){part.first, half};
        }
    }
    return true;
}

static bool mend(campaign *run, cli_block_result *result)
{
    repair r = {.run = run, .result = result};
    cli_child_init(&r.child, &run->spec);
    bool ok = ask_halves(&r, &run->stopped) &&
              cli_sha256(result->digest, r.digests.data, r.digests.length);
    if (r.child.busy)
        cli_child_kill(&r.child);
    cli_child_stop(&r.child, STOP_MS);
    cli_text_free(&r.line);
    cli_text_free(&r.digests);
    return ok;
}

/* --- The crew --- */

static int64_t cases_of(const campaign *run, int64_t first)
{
    int64_t left = run->what->cases - first;
    return left < CLI_BLOCK_CASES ? left : CLI_BLOCK_CASES;
}

static bool next_block(void *context, cli_text *request)
{
    campaign *run = context;
    const cli_campaign *what = run->what;
    if (run->next >= what->cases ||
        (what->deadline > 0 && cli_now() >= what->deadline))
        return false;
    cli_block block = {
        .id = run->next / CLI_BLOCK_CASES,
        .first = what->first + run->next,
        .count = cases_of(run, run->next),
        .all = what->all,
    };
    cli_block_put(request, &what->plan, &block);
    run->next += block.count;
    return !request->failed;
}

static bool block_done(void *context, cli_event event, cli_span answer,
                       const char *problem)
{
    campaign *run = context;
    (void)problem;
    cli_block_result result = {
        .block = run->behind,
        .first = run->what->first + run->behind * CLI_BLOCK_CASES,
        .cases = cases_of(run, run->behind * CLI_BLOCK_CASES),
    };
    bool hopeless = false;
    bool failed =
        event != CLI_ANSWER || take_problem(run->problem, &hopeless, answer);
    if (!hopeless)
        run->problem[0] = '\0';
    bool ok = !hopeless &&
              (failed ? mend(run, &result) : take_answer(&result, answer));
    ok = ok && !result.tally.failed &&
         run->calls->done(run->calls->context, &result);
    run->behind++;
    cli_tally_free(&result.tally);
    cli_text_free(&result.told);
    return ok;
}

static bool idle(void *context)
{
    campaign *run = context;
    run->stopped = !run->calls->idle(run->calls->context);
    return !run->stopped;
}

cli_campaign_end cli_campaign_run(char problem[CLI_PROBLEM],
                                  const cli_campaign *campaign_,
                                  const cli_campaign_calls *calls)
{
    problem[0] = '\0';
    campaign run = {
        .what = campaign_,
        .calls = calls,
        .next = campaign_->done,
        .behind = campaign_->done / CLI_BLOCK_CASES,
        .problem = problem,
        .spec = {.fuzz = true, .memory = SPARE_MEMORY + campaign_->plan.memory},
    };
    /* The worker looks after its planner; this is a net below. */
    run.spec.timeout_ms =
        SPARE_MS + 2 * campaign_->plan.timeout_ms * CLI_BLOCK_CASES;
    cli_crew_calls crew = {.next = next_block,
                           .done = block_done,
                           .context = &run,
                           .idle = idle,
                           .problem = problem};
    bool ok = cli_crew_run(&run.spec, campaign_->jobs, &crew);
    if (run.stopped)
        return CLI_CAMPAIGN_STOPPED;
    return ok ? CLI_CAMPAIGN_DONE : CLI_CAMPAIGN_FAILED;
}
