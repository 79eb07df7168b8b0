/* counterpoint lint: what is wrong with a program, for its author. */
#include <stdlib.h>

#include "command.h"
#include "lint_print.h"
#include "print.h"
#include "totals.h"

typedef struct lint {
    const cli_options *options;
    cli_totals totals;
    int64_t programs; /* of which something is told */
    int64_t hidden;   /* notes that are not shown */
    bool color;
} lint;

/* Only a dump has lines that its author knows. */
static bool put_groups(lint *l, cli_text *out, const cli_case *c,
                       const lint_groups *groups)
{
    lint_source source = {0};
    bool quoted = c->kind == CLI_DUMP && c->text.length > 0;
    if (quoted &&
        !lint_source_open(&source, (cli_span){c->text.data, c->text.length}))
        return false;
    lint_print_groups(out, groups, c->found->path, quoted ? &source : NULL,
                      l->options->notes ? CLI_NOTE : CLI_WARNING, l->color);
    lint_source_close(&source);
    return true;
}

/* Text for people: nothing for a program without findings. */
static bool put_text(lint *l, cli_text *out, const cli_case *c,
                     const lint_groups *groups)
{
    cli_text_put(out, l->programs > 0 ? "\n" : "");
    size_t before = out->length;
    if (!put_groups(l, out, c, groups))
        return false;
    cli_print_undecided(out, c, "warning undecided");
    if (c->verdict >= CLI_REFUSED && c->count == 0)
        cli_print_verdict(out, c, l->color);
    cli_print_unlisted(out, c);
    if (out->length == before)
        cli_text_clear(out);
    else
        l->programs++;
    if (!l->options->notes)
        l->hidden += (int64_t)cli_case_count(c, CLI_NOTE);
    return true;
}

/* The case with its findings in the order in which to mend them. */
static bool put_json(cli_text *out, const cli_case *c,
                     const lint_groups *groups)
{
    cli_case sorted = *c;
    sorted.findings = calloc(c->count + 1, sizeof *sorted.findings);
    if (sorted.findings == NULL)
        return false;
    for (size_t i = 0; i < groups->count; i++)
        sorted.findings[i] = *groups->items[i].finding;
    cli_print_json(out, &sorted);
    free(sorted.findings);
    return true;
}

static bool case_done(void *context, const cli_case *c)
{
    lint *l = context;
    lint_groups groups;
    cli_text out = {0};
    if (!cli_totals_add(&l->totals, c))
        return false;
    if (c->unreadable)
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
    bool ok = lint_groups_make(&groups, c, l->options->rules);
    if (ok && l->options->json)
        ok = put_json(&out, c, &groups);
    else if (ok && !l->options->quiet && !c->unreadable)
        ok = put_text(l, &out, c, &groups);
    ok = ok && cli_print_out(stdout, &out);
    lint_groups_free(&groups);
    cli_text_free(&out);
    return ok;
}

static bool case_idle(void *context)
{
    (void)context;
    return true;
}

/* The last line, when anything was told. */
static bool show_end(const lint *l)
{
    cli_text out = {0};
    if (l->programs == 0)
        return true;
    cli_text_put(&out, "\n");
    cli_totals_put_findings(&out, &l->totals, cli_fail_on(l->options));
    if (l->hidden > 0)
        cli_text_printf(&out, "%lld notes are not shown (--notes)\n",
                        (long long)l->hidden);
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

int cli_verb_lint(const cli_options *options)
{
    lint l = {.options = options, .color = cli_print_colors(stdout)};
    cli_search search = {.dumps_only = true};
    cli_batch_options batch;
    cli_batch_result result = {.failed = true};
    cli_batch_calls calls = {case_done, case_idle, &l};
    cli_batch_options_set(&batch, options);
    if (cli_find_inputs(&search, options))
        cli_batch_run(&result, &search, &batch, &calls);
    if (!result.failed && !options->json && !options->quiet)
        result.failed = !show_end(&l);
    cli_report_problem(&result);
    int status = cli_totals_exit(&l.totals, &result, cli_fail_on(options));
    cli_search_free(&search);
    cli_totals_free(&l.totals);
    return status;
}
