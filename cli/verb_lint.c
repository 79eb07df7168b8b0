/* counterpoint lint: what is wrong with a program, for its author. */
#include <stdlib.h>

#include "command.h"
#include "lint_print.h"
#include "lint_stages.h"
#include "print.h"
#include "totals.h"

typedef struct lint {
    const cli_options *options;
    cli_totals totals;
    int64_t programs; /* of which something is told */
    int64_t hidden;   /* notes that are not shown */
    lint_stages stages;
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

/* A blank line parts them from the findings, where there are both. */
static void put_undecided(cli_text *out, const cli_case *c, bool apart)
{
    cli_text parts = {0};
    cli_print_undecided(&parts, c, "warning undecided");
    cli_text_put(out, apart && parts.length > 0 ? "\n" : "");
    cli_text_add(out, parts.data, parts.length);
    out->failed |= parts.failed;
    cli_text_free(&parts);
}

/* Text for people: nothing for a program without findings. */
static bool put_text(lint *l, cli_text *out, const cli_case *c,
                     const lint_groups *groups, const lint_stages_result *s)
{
    cli_text_put(out, l->programs > 0 ? "\n" : "");
    size_t before = out->length;
    if (!put_groups(l, out, c, groups))
        return false;
    put_undecided(out, c, out->length > before);
    if (c->verdict >= CLI_REFUSED && c->count == 0)
        cli_print_verdict(out, c, l->color);
    cli_print_unlisted(out, c);
    if (s != NULL && s->text.length > 0) {
        cli_text_put(out, out->length > before ? "\n" : "");
        cli_text_add(out, s->text.data, s->text.length);
    }
    if (out->length == before)
        cli_text_clear(out);
    else
        l->programs++;
    if (!l->options->notes)
        l->hidden += (int64_t)cli_case_count(c, CLI_NOTE);
    return true;
}

/*
 * The case with its findings in the order in which to mend them, and what
 * changed between its stages behind them. Its list is the caller's to free.
 */
static bool put_together(cli_case *whole, const cli_case *c,
                         const lint_groups *groups, const lint_stages_result *s)
{
    size_t more = s == NULL ? 0 : s->changes.count;
    *whole = *c;
    whole->findings = calloc(c->count + more + 1, sizeof *whole->findings);
    if (whole->findings == NULL)
        return false;
    for (size_t i = 0; i < groups->count; i++)
        whole->findings[i] = *groups->items[i].finding;
    for (size_t i = 0; i < more; i++)
        whole->findings[whole->count++] = s->changes.findings[i];
    whole->total += s == NULL ? 0 : s->changes.total;
    if (more > 0 && c->verdict < CLI_REFUSED)
        whole->verdict = CLI_FINDINGS;
    return true;
}

/* What --stages could not look at is no fault of the program. */
static void complain_of_stages(const cli_case *c, const lint_stages_result *s)
{
    if (s->stages == 0)
        cli_complain(0, "%s: no stage (NN_after_PASS.py), nothing to compare",
                     c->found->path);
    else if (s->unplanned > 0)
        cli_complain(0,
                     "%s: %zu of %zu stages cannot be planned and are not "
                     "compared, the first is %s",
                     c->found->path, s->unplanned, s->stages, s->why.data);
}

static bool show(lint *l, const cli_case *c, const lint_groups *groups,
                 const lint_stages_result *s)
{
    cli_case whole;
    cli_text out = {0};
    bool ok = put_together(&whole, c, groups, s) &&
              cli_totals_add(&l->totals, &whole);
    if (ok && l->options->json)
        cli_print_json(&out, &whole);
    else if (ok && !l->options->quiet && !c->unreadable)
        ok = put_text(l, &out, c, groups, s);
    ok = ok && cli_print_out(stdout, &out);
    free(whole.findings);
    cli_text_free(&out);
    return ok;
}

static bool case_done(void *context, const cli_case *c)
{
    lint *l = context;
    lint_groups groups;
    const lint_stages_result *s = NULL;
    if (l->options->stages)
        s = &l->stages.results[c->number - 1];
    if (c->unreadable)
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
    else if (s != NULL && !l->options->quiet && c->verdict < CLI_REFUSED)
        complain_of_stages(c, s);
    bool ok = lint_groups_make(&groups, c, l->options->rules) &&
              show(l, c, &groups, s);
    if (l->options->verbose)
        cli_times_show(c->found->path, &c->times);
    lint_groups_free(&groups);
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
    cli_totals_put_page(&out, &l->totals,
                        l->options->notes ? CLI_NOTE : CLI_WARNING);
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

/* Both batches; the stages first, so that each program has its own. */
static void work(lint *l, const cli_search *search, cli_batch_result *result)
{
    cli_batch_options batch;
    cli_batch_calls calls = {case_done, case_idle, l};
    cli_batch_options_set(&batch, l->options);
    batch.emit = "graph"; /* what its Score lost is not the author's doing */
    if (l->options->stages &&
        !lint_stages_make(&l->stages, search, l->options, l->color, result))
        return;
    cli_batch_run(result, search, &batch, &calls);
    if (!result->failed && !l->options->json && !l->options->quiet)
        result->failed = !show_end(l);
}

int cli_verb_lint(const cli_options *options)
{
    lint l = {.options = options, .color = cli_print_colors(stdout)};
    cli_search search = {.dumps_only = true};
    cli_batch_result result = {.failed = true};
    if (cli_find_inputs(&search, options))
        work(&l, &search, &result);
    cli_report_problem(&result);
    int status = cli_totals_exit(&l.totals, &result, cli_fail_on(options));
    lint_stages_free(&l.stages);
    cli_search_free(&search);
    cli_totals_free(&l.totals);
    return status;
}
