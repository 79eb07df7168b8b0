/* triage show: everything of one bucket. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../outfile.h"
#include "../print.h"
#include "../totals.h"
#include "reports/command.h"
#include "triage.h"

#define MOST_RUNS 20

/* What a show gathers before it prints. */
typedef struct showing {
    cli_triage *t;
    int64_t bucket; /* the head */
    cli_text issue; /* as listed, or its members of JSON */
    cli_text runs;
    int64_t run_count;
    report_example example;
    char *again; /* NULL: standard input cannot be read again */
} showing;

/* --- Gathering --- */

static bool take_issue(void *context, const report_issue *issue)
{
    showing *s = context;
    if (s->t->options->json)
        cli_issue_put_json(&s->issue, issue, NULL);
    else
        cli_issue_put_text(&s->issue, issue, NULL, s->t->color, true);
    return true;
}

static void put_run_json(cli_text *out, const report_run_info *run)
{
    cli_text_printf(out, "%s{\"count\":%lld", out->length > 0 ? "," : "",
                    (long long)run->n);
    if (run->line > 0)
        cli_text_printf(out, ",\"line\":%lld", (long long)run->line);
    else
        cli_text_put(out, ",\"line\":null");
    cli_issue_put_member(out, "path", run->path);
    cli_issue_put_member(out, "revision", run->revision);
    cli_text_printf(out, ",\"run\":%lld", (long long)run->run);
    cli_issue_put_member(out, "tool", run->tool);
    cli_issue_put_member(out, "verb", run->verb);
    cli_text_put(out, "}");
}

static bool take_run(void *context, const report_run_info *run)
{
    showing *s = context;
    cli_text *out = &s->runs;
    if (++s->run_count > MOST_RUNS) {
        if (!s->t->options->json)
            cli_text_put(out, "  ... and earlier ones\n");
        return false;
    }
    if (s->t->options->json) {
        put_run_json(out, run);
        return true;
    }
    cli_text_put(out, "  ");
    cli_run_put(out, run);
    cli_text_printf(out, ": %lld finding%s, ", (long long)run->n,
                    run->n == 1 ? "" : "s");
    cli_print_clean(out, run->path);
    if (run->line > 0)
        cli_text_printf(out, ":%lld", (long long)run->line);
    cli_text_put(out, "\n");
    return true;
}

static int gather(showing *s)
{
    const cli_triage *t = s->t;
    report_error error;
    report_question question = {.bucket = s->bucket, .all = true};
    report_status status =
        report_each_issue(t->store, &question, take_issue, s, &error);
    if (status == REPORT_OK)
        status = report_each_run_of(t->store, s->bucket, MOST_RUNS + 1,
                                    take_run, s, &error);
    if (status == REPORT_OK)
        status =
            report_find_example(&s->example, t->store, s->bucket, true, &error);
    if (status == REPORT_OK)
        status = report_command(&s->again, t->store, s->example.run,
                                s->example.path, &error);
    if (status != REPORT_OK)
        return cli_triage_fail(t, &error);
    return s->issue.failed || s->runs.failed ? cli_triage_no_memory() : 0;
}

/* --- Printing --- */

static bool has_text(const showing *s)
{
    return s->example.stored.text != NULL;
}

static void put_input(cli_text *out, const showing *s)
{
    const report_example *e = &s->example;
    cli_text_printf(out, "\nSmallest input: run %lld, case %lld, ",
                    (long long)e->run, (long long)e->number);
    cli_print_clean(out, e->path);
    if (!has_text(s)) {
        cli_text_put(out, "; its text was not kept\n");
        return;
    }
    cli_text_printf(out, ", %lld bytes (", (long long)e->bytes);
    cli_print_clean(out, e->stored.kind);
    cli_text_put(out, ")\n  counterpoint triage show ");
    cli_print_word(out, s->t->db);
    cli_text_printf(out, " %lld --input -o FILE\n", (long long)s->bucket);
}

static void put_json_member(cli_text *out, const char *label, cli_span record,
                            const char *name)
{
    cli_span value;
    if (!cli_span_member(&value, record, name))
        return;
    cli_text_printf(out, "\n%s:\n  ", label);
    cli_text_add(out, value.data, value.length);
    cli_text_put(out, "\n");
}

static void put_text(cli_text *out, const showing *s)
{
    const report_example *e = &s->example;
    cli_text_add(out, s->issue.data, s->issue.length);
    cli_text_put(out, "\nRuns that have it, the last first:\n");
    cli_text_add(out, s->runs.data, s->runs.length);
    put_input(out, s);
    cli_text_put(out, "  ");
    cli_print_clean(out, e->message);
    cli_text_put(out, "\n\nTo see it again:\n  ");
    cli_print_clean(out, s->again == NULL
                             ? "not by a command: it came from standard input"
                             : s->again);
    cli_text_put(out, "\n");
    put_json_member(out, "Witness", (cli_span){e->json, strlen(e->json)},
                    "witness");
    cli_text_put(out, "\ncounterpoint triage why ");
    cli_print_word(out, s->t->db);
    cli_text_printf(out, " %lld: since which run and commit it is there\n",
                    (long long)s->bucket);
    cli_text_put(out, "counterpoint explain ");
    cli_print_clean(out, e->rule);
    cli_text_put(out, ": what the rule means, and how to mend it\n");
}

/* The issue's own object, with more behind its last member. */
static void put_json(cli_text *out, const showing *s)
{
    const report_example *e = &s->example;
    cli_text_add(out, s->issue.data, s->issue.length - 2);
    cli_issue_put_member(out, "again", s->again == NULL ? "" : s->again);
    cli_text_printf(out, ",\"example\":{\"bytes\":%lld",
                    (long long)(has_text(s) ? e->bytes : -1));
    cli_issue_put_member(out, "kind", has_text(s) ? e->stored.kind : "");
    cli_issue_put_member(out, "message", e->message);
    cli_text_printf(out, ",\"number\":%lld", (long long)e->number);
    cli_issue_put_member(out, "path", e->path);
    cli_text_printf(out, ",\"run\":%lld", (long long)e->run);
    cli_issue_put_member(out, "sha256", e->sha256);
    cli_text_printf(out, "},\"finding\":%s",
                    *e->json == '\0' ? "null" : e->json);
    cli_text_put(out, ",\"runs\":[");
    cli_text_add(out, s->runs.data, s->runs.length);
    cli_text_put(out, "]}\n");
}

/* --- The input --- */

static int write_input(const showing *s)
{
    const report_stored *stored = &s->example.stored;
    char problem[512];
    if (!has_text(s))
        return cli_complain(
            CLI_EXIT_USAGE, "the text of run %lld, case %lld was not kept",
            (long long)s->example.run, (long long)s->example.number);
    return cli_outfile_write(s->t->options->output, stored->text,
                             stored->length, problem, sizeof problem)
               ? CLI_EXIT_FINE
               : cli_complain(CLI_EXIT_USAGE, "%s", problem);
}

static void tell_joined(const cli_triage *t, int64_t bucket, int64_t head)
{
    if (bucket != head && !t->options->quiet)
        cli_complain(0, "bucket %lld is joined to %lld, which is shown",
                     (long long)bucket, (long long)head);
}

static int show(showing *s)
{
    const cli_options *o = s->t->options;
    int status = gather(s);
    if (status != 0)
        return status;
    if (o->input)
        return write_input(s);
    if (o->json)
        put_json(&s->t->out, s);
    else if (!o->quiet)
        put_text(&s->t->out, s);
    return CLI_EXIT_FINE;
}

int cli_triage_show(cli_triage *t)
{
    showing s = {.t = t};
    int64_t bucket = 0;
    if (t->options->output != NULL && !t->options->input)
        return cli_complain(CLI_EXIT_USAGE, "-o goes with --input");
    int status = cli_triage_bucket(&bucket, &s.bucket, t);
    if (status == 0) {
        tell_joined(t, bucket, s.bucket);
        status = show(&s);
    }
    report_example_free(&s.example);
    cli_text_free(&s.issue);
    cli_text_free(&s.runs);
    free(s.again);
    return status;
}
