#include "totals.h"

#include <stdlib.h>
#include <string.h>

static bool insert_reason(cli_totals *totals, size_t at, const char *text)
{
    cli_reason *grown =
        reallocarray(totals->reasons, totals->reason_count + 1, sizeof *grown);
    char *copy = strdup(text);
    if (grown != NULL)
        totals->reasons = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    memmove(grown + at + 1, grown + at,
            (totals->reason_count - at) * sizeof *grown);
    grown[at] = (cli_reason){copy, 1};
    totals->reason_count++;
    return true;
}

static bool add_reason(cli_totals *totals, const char *text)
{
    size_t low = 0, high = totals->reason_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(totals->reasons[middle].text, text);
        if (order == 0) {
            totals->reasons[middle].count++;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return insert_reason(totals, low, text);
}

bool cli_totals_add(cli_totals *totals, const cli_case *c)
{
    totals->inputs++;
    totals->verdicts[c->verdict]++;
    totals->partial += c->partial;
    totals->unreadable += c->unreadable;
    totals->unopened += c->unreadable && c->found->is_named;
    for (size_t i = 0; i < c->count; i++)
        totals->findings[c->findings[i].severity]++;
    cli_text group = {0};
    bool ok = cli_case_group(&group, c);
    if (ok && group.length > 0)
        ok = add_reason(totals, group.data);
    cli_text_free(&group);
    return ok;
}

void cli_totals_free(cli_totals *totals)
{
    for (size_t i = 0; i < totals->reason_count; i++)
        free(totals->reasons[i].text);
    free(totals->reasons);
    *totals = (cli_totals){0};
}

int64_t cli_totals_judged(const cli_totals *totals)
{
    return totals->verdicts[CLI_CLEAN] + totals->verdicts[CLI_FINDINGS] +
           totals->verdicts[CLI_UNDECIDED];
}

static void put_count(cli_text *out, const char *name, int64_t count)
{
    cli_text_printf(out, "\"%s\":%lld,", name, (long long)count);
}

void cli_totals_json(cli_text *out, const cli_totals *totals,
                     const char *digest)
{
    cli_text_put(out, "{");
    put_count(out, "inputs", totals->inputs);
    put_count(out, "judged", cli_totals_judged(totals));
    put_count(out, "partial", totals->partial);
    put_count(out, "refused", totals->verdicts[CLI_REFUSED]);
    put_count(out, "crashed", totals->verdicts[CLI_CRASHED]);
    put_count(out, "timed_out", totals->verdicts[CLI_TIMED_OUT]);
    cli_text_printf(out,
                    "\"findings\":{\"error\":%lld,\"warning\":%lld,"
                    "\"note\":%lld},\"reasons\":{",
                    (long long)totals->findings[CLI_ERROR],
                    (long long)totals->findings[CLI_WARNING],
                    (long long)totals->findings[CLI_NOTE]);
    for (size_t i = 0; i < totals->reason_count; i++) {
        cli_text_put(out, i == 0 ? "" : ",");
        cli_text_quote(out, totals->reasons[i].text);
        cli_text_printf(out, ":%lld", (long long)totals->reasons[i].count);
    }
    cli_text_printf(out, "},\"digest\":\"%s\"}\n", digest);
}

void cli_totals_text(cli_text *out, const cli_totals *totals,
                     const char *digest)
{
    cli_text_printf(
        out,
        "%lld inputs: %lld judged (%lld clean, %lld with findings, %lld with "
        "a part undecided), %lld refused, %lld crashed, %lld timed out\n",
        (long long)totals->inputs, (long long)cli_totals_judged(totals),
        (long long)totals->verdicts[CLI_CLEAN],
        (long long)totals->verdicts[CLI_FINDINGS], (long long)totals->partial,
        (long long)totals->verdicts[CLI_REFUSED],
        (long long)totals->verdicts[CLI_CRASHED],
        (long long)totals->verdicts[CLI_TIMED_OUT]);
    cli_text_printf(out, "findings: %lld errors, %lld warnings, %lld notes\n",
                    (long long)totals->findings[CLI_ERROR],
                    (long long)totals->findings[CLI_WARNING],
                    (long long)totals->findings[CLI_NOTE]);
    for (size_t i = 0; i < totals->reason_count; i++)
        cli_text_printf(out, "%8lld  %s\n", (long long)totals->reasons[i].count,
                        totals->reasons[i].text);
    cli_text_printf(out, "digest %s\n", digest);
}

int cli_totals_trouble(const cli_totals *totals, const cli_batch_result *result)
{
    if (result->failed || result->own_fault)
        return CLI_EXIT_FAULT;
    if (totals->inputs > 0 && totals->unopened == totals->inputs)
        return CLI_EXIT_USAGE;
    return 0;
}

int cli_totals_exit(const cli_totals *totals, const cli_batch_result *result,
                    cli_severity fail_on)
{
    int trouble = cli_totals_trouble(totals, result);
    if (trouble != 0)
        return trouble;
    for (cli_severity s = fail_on; s < CLI_SEVERITIES; s++)
        if (totals->findings[s] > 0)
            return CLI_EXIT_FINDINGS;
    if (totals->unreadable > 0)
        return CLI_EXIT_FINDINGS;
    return cli_totals_judged(totals) > 0 ? CLI_EXIT_FINE : CLI_EXIT_NOTHING;
}
