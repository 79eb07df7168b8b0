#include "one.h"

#include "command.h"
#include "print.h"
#include "totals.h"

typedef struct running {
    const cli_one *one;
    const cli_options *options;
    cli_totals totals;
    int status; /* of what was done with the case */
} running;

/* Why there is nothing to work on: as of plan. */
static bool put_refusal(const cli_case *c, bool json)
{
    cli_text out = {0};
    if (c->unreadable) {
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
        return true;
    }
    for (size_t i = 0; json && i < c->count; i++) {
        cli_text_add(&out, c->findings[i].json.data,
                     c->findings[i].json.length);
        cli_text_put(&out, "\n");
    }
    if (!json) {
        cli_print_findings(&out, c, CLI_NOTE, cli_print_colors(stderr));
        if (c->count == 0)
            cli_print_verdict(&out, c, cli_print_colors(stderr));
    }
    bool ok = cli_print_out(json ? stdout : stderr, &out);
    cli_text_free(&out);
    return ok;
}

static bool case_done(void *context, const cli_case *c)
{
    running *r = context;
    if (!cli_totals_add(&r->totals, c))
        return false;
    if (r->options->verbose)
        cli_times_show(c->found->path, &c->times);
    r->status = CLI_EXIT_FINDINGS;
    if (c->verdict >= CLI_REFUSED)
        return put_refusal(c, r->options->json);
    r->status = r->one->work(r->one->context, c);
    return true;
}

static bool case_idle(void *context)
{
    (void)context;
    return true;
}

static int work(running *r, const cli_search *search)
{
    cli_batch_options batch;
    cli_batch_result result = {0};
    cli_batch_calls calls = {case_done, case_idle, r};
    if (search->count > 1)
        return cli_complain(CLI_EXIT_USAGE,
                            "'%s' holds %zu inputs, %s: name it",
                            r->options->files[0], search->count, r->one->does);
    cli_batch_options_set(&batch, r->options);
    batch.jobs = 1;
    cli_batch_run(&result, search, &batch, &calls);
    cli_report_problem(&result);
    int trouble = cli_totals_trouble(&r->totals, &result);
    return trouble != 0 ? trouble : r->status;
}

int cli_one_run(const cli_one *one, const cli_options *options)
{
    running r = {one, options, {0}, CLI_EXIT_NOTHING};
    cli_search search = {0};
    int status =
        cli_find_inputs(&search, options) ? work(&r, &search) : CLI_EXIT_FAULT;
    cli_search_free(&search);
    cli_totals_free(&r.totals);
    return status;
}
