/* counterpoint check: the judgement of each file. */
#include "command.h"
#include "print.h"
#include "totals.h"

typedef struct check {
    const cli_options *options;
    cli_totals totals;
    cli_text clean; /* the lines of clean files, shown behind the others */
    bool color;
} check;

static bool case_done(void *context, const cli_case *c)
{
    check *k = context;
    cli_text out = {0};
    if (!cli_totals_add(&k->totals, c))
        return false;
    if (c->unreadable)
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
    if (k->options->json) {
        cli_print_json(&out, c);
    } else if (!k->options->quiet && !c->unreadable) {
        bool plain = c->verdict == CLI_CLEAN && c->count == 0;
        cli_print_findings(&out, c, CLI_NOTE, k->color);
        cli_print_verdict(plain ? &k->clean : &out, c, k->color);
    }
    bool ok = cli_print_out(stdout, &out);
    if (k->options->verbose)
        cli_times_show(c->found->path, &c->times);
    cli_text_free(&out);
    return ok;
}

/* What is the same for many files is told once, and the counts last. */
static bool show_end(check *k)
{
    cli_text end = {0};
    bool ok = cli_print_out(stdout, &k->clean);
    cli_totals_put_assumptions(&end, &k->totals);
    cli_totals_put_verdicts(&end, &k->totals);
    cli_totals_put_findings(&end, &k->totals, cli_fail_on(k->options));
    cli_totals_put_page(&end, &k->totals, CLI_NOTE);
    ok = cli_print_out(stdout, &end) && ok;
    cli_text_free(&end);
    return ok;
}

static bool case_idle(void *context)
{
    (void)context;
    return true;
}

int cli_verb_check(const cli_options *options)
{
    if ((options->trace != NULL || options->plan != NULL) &&
        options->file_count != 1)
        return cli_complain(CLI_EXIT_USAGE,
                            "--trace and --plan belong to one record: name "
                            "one FILE");
    check k = {.options = options, .color = cli_print_colors(stdout)};
    cli_search search = {0};
    cli_batch_options batch;
    cli_batch_result result = {.failed = true};
    cli_batch_calls calls = {case_done, case_idle, &k};
    cli_batch_options_set(&batch, options);
    if (cli_find_inputs(&search, options))
        cli_batch_run(&result, &search, &batch, &calls);
    if (!result.failed && !options->json && !options->quiet)
        result.failed = !show_end(&k);
    cli_report_problem(&result);
    int status = cli_totals_exit(&k.totals, &result, cli_fail_on(options));
    cli_search_free(&search);
    cli_totals_free(&k.totals);
    cli_text_free(&k.clean);
    return status;
}
