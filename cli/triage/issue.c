/* An issue, as it is listed. */
#include <string.h>

#include "../print.h"
#include "triage.h"

#define MOST_SAID ((size_t)72)

static const char *color_of(const report_issue *issue)
{
    return issue->state >= REPORT_STATE_NAMED        ? ""
           : strcmp(issue->severity, "error") == 0   ? "\033[31m"
           : strcmp(issue->severity, "warning") == 0 ? "\033[33m"
                                                     : "";
}

static void put_runs(cli_text *out, const report_issue *issue)
{
    if (issue->first_run == issue->last_run)
        cli_text_printf(out, "run %lld", (long long)issue->first_run);
    else
        cli_text_printf(out, "runs %lld to %lld", (long long)issue->first_run,
                        (long long)issue->last_run);
    if (issue->back_run > 0)
        cli_text_printf(out, ", back in run %lld", (long long)issue->back_run);
    if (issue->gone_run > 0)
        cli_text_printf(out, ", gone in run %lld", (long long)issue->gone_run);
}

static void put_head(cli_text *out, const report_issue *issue,
                     const char *state, bool color)
{
    const char *shade = color ? color_of(issue) : "";
    cli_text_printf(out, "%6lld  %-10s  %s%s%s ", (long long)issue->bucket,
                    state, shade, issue->severity,
                    *shade == '\0' ? "" : "\033[0m");
    cli_print_clean(out, issue->rule);
    if (*issue->cause != '\0') {
        cli_text_put(out, " (");
        cli_print_clean(out, issue->cause);
        cli_text_put(out, ")");
    }
    cli_text_put(out, " [");
    cli_print_clean(out, issue->signature);
    cli_text_printf(out, "], %lld finding%s, ", (long long)issue->n,
                    issue->n == 1 ? "" : "s");
    put_runs(out, issue);
    cli_text_put(out, "\n");
}

/* What people say may be long: in a list it is one line. */
static void put_said(cli_text *out, const char *text, bool whole)
{
    cli_print_start(out, text, strlen(text), whole ? SIZE_MAX : MOST_SAID);
    cli_text_put(out, "\n");
}

static void put_line(cli_text *out, const char *before, const char *text,
                     bool whole)
{
    if (*text == '\0')
        return;
    cli_text_printf(out, "        %s", before);
    put_said(out, text, whole);
}

static void put_known(cli_text *out, const report_issue *issue, bool whole)
{
    if (*issue->until == '\0')
        return;
    cli_text_printf(out, "        %s %s, ",
                    issue->expired ? "EXPIRED: was known until" : "known until",
                    issue->until);
    cli_print_clean(out, issue->owner);
    cli_text_put(out, ": ");
    put_said(out, issue->reason, whole);
}

void cli_issue_put_text(cli_text *out, const report_issue *issue,
                        const char *state, bool color, bool whole)
{
    put_head(out, issue,
             state == NULL ? report_state_name(issue->state) : state, color);
    cli_text_put(out, "        ");
    cli_print_clean(out, issue->path);
    if (issue->line > 0)
        cli_text_printf(out, ":%lld", (long long)issue->line);
    cli_text_put(out, *issue->path == '\0' ? "" : ": ");
    cli_print_clean(out,
                    *issue->message == '\0' ? issue->title : issue->message);
    cli_text_put(out, "\n");
    put_line(out, "split out: inputs like ", issue->part, whole);
    put_line(out, "joined: bucket ", issue->joined, whole);
    if (issue->times > 0)
        cli_text_printf(out, "        asked again: %lld of %lld times\n",
                        (long long)issue->shown, (long long)issue->times);
    put_known(out, issue, whole);
    put_line(out, "labels: ", issue->labels, whole);
    put_line(out, "note: ", issue->note, whole);
}

void cli_issue_put_member(cli_text *out, const char *name, const char *value)
{
    cli_text_printf(out, ",\"%s\":", name);
    if (*value == '\0')
        cli_text_put(out, "null");
    else
        cli_text_quote(out, value);
}

static void put_number(cli_text *out, const char *name, int64_t value)
{
    cli_text_printf(out, ",\"%s\":", name);
    if (value == 0)
        cli_text_put(out, "null");
    else
        cli_text_printf(out, "%lld", (long long)value);
}

static void put_known_json(cli_text *out, const report_issue *issue)
{
    cli_text_put(out, ",\"known\":");
    if (*issue->until == '\0') {
        cli_text_put(out, "null");
        return;
    }
    cli_text_printf(out, "{\"expired\":%s", issue->expired ? "true" : "false");
    cli_issue_put_member(out, "owner", issue->owner);
    cli_issue_put_member(out, "reason", issue->reason);
    cli_issue_put_member(out, "until", issue->until);
    cli_text_put(out, "}");
}

void cli_issue_put_json(cli_text *out, const report_issue *issue,
                        const char *state)
{
    cli_text_put(out, "{\"back_run\":");
    if (issue->back_run > 0)
        cli_text_printf(out, "%lld", (long long)issue->back_run);
    else
        cli_text_put(out, "null");
    put_number(out, "bucket", issue->bucket);
    cli_issue_put_member(out, "cause", issue->cause);
    cli_text_printf(out, ",\"count\":%lld", (long long)issue->n);
    put_number(out, "first_run", issue->first_run);
    put_number(out, "gone_run", issue->gone_run);
    cli_text_printf(out, ",\"joined\":[%s]", issue->joined);
    put_known_json(out, issue);
    cli_issue_put_member(out, "labels", issue->labels);
    put_number(out, "last_run", issue->last_run);
    put_number(out, "line", issue->line);
    cli_issue_put_member(out, "message", issue->message);
    cli_issue_put_member(out, "note", issue->note);
    cli_issue_put_member(out, "part", issue->part);
    cli_issue_put_member(out, "path", issue->path);
    if (issue->times > 0)
        cli_text_printf(out, ",\"rerun\":{\"shown\":%lld,\"times\":%lld}",
                        (long long)issue->shown, (long long)issue->times);
    else
        cli_text_put(out, ",\"rerun\":null");
    cli_issue_put_member(out, "rule", issue->rule);
    cli_issue_put_member(out, "severity", issue->severity);
    cli_issue_put_member(out, "signature", issue->signature);
    cli_issue_put_member(
        out, "state", state == NULL ? report_state_name(issue->state) : state);
    cli_issue_put_member(out, "title", issue->title);
    cli_text_put(out, "}\n");
}

void cli_run_put(cli_text *out, const report_run_info *run)
{
    cli_text_printf(out, "run %lld", (long long)run->run);
    if (*run->revision != '\0') {
        cli_text_put(out, " (");
        cli_print_clean(out, run->revision);
        cli_text_put(out, ")");
    }
}
