#include "totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/judge.h"

static bool insert_reason(cli_reason **list, size_t *count, size_t at,
                          const char *text)
{
    cli_reason *grown = reallocarray(*list, *count + 1, sizeof *grown);
    char *copy = strdup(text);
    if (grown != NULL)
        *list = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    memmove(grown + at + 1, grown + at, (*count - at) * sizeof *grown);
    grown[at] = (cli_reason){copy, 1};
    ++*count;
    return true;
}

static bool add_reason(cli_reason **list, size_t *count, const char *text)
{
    size_t low = 0, high = *count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp((*list)[middle].text, text);
        if (order == 0) {
            (*list)[middle].count++;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return insert_reason(list, count, low, text);
}

static bool add_assumptions(cli_totals *totals, const cli_case *c)
{
    cli_walk walk;
    cli_span key, value;
    cli_text item = {0};
    bool ok = true;
    if (c->assumptions.length == 0 ||
        !cli_walk_array(&walk,
                        (cli_span){c->assumptions.data, c->assumptions.length}))
        return true;
    while (ok && cli_walk_next(&walk, &key, &value)) {
        cli_text_clear(&item);
        if (cli_span_text(&item, value) && item.length > 0)
            ok = add_reason(&totals->assumptions, &totals->assumption_count,
                            item.data);
        ok = ok && !item.failed;
    }
    cli_text_free(&item);
    return ok;
}

static void add_finding(cli_totals *totals, const cli_finding *f)
{
    char *rule = totals->rules[f->severity];
    totals->findings[f->severity]++;
    if (*rule == '\0' && oracle_rule_find(f->rule) != NULL)
        snprintf(rule, sizeof totals->rules[0], "%s", f->rule);
}

void cli_totals_add_findings(cli_totals *totals, const cli_case *c)
{
    for (size_t i = 0; i < c->count; i++)
        add_finding(totals, &c->findings[i]);
    for (cli_severity s = 0; s < CLI_SEVERITIES; s++)
        totals->findings[s] += c->unlisted[s];
}

bool cli_totals_add(cli_totals *totals, const cli_case *c)
{
    totals->inputs++;
    totals->verdicts[c->verdict]++;
    totals->partial += c->partial;
    totals->unreadable += c->unreadable;
    totals->unopened += c->unreadable && c->found->is_named;
    totals->compared += c->compared;
    totals->left_out += c->left_out;
    totals->runs += c->runs;
    totals->witnesses += c->witnesses;
    totals->shown += c->shown;
    totals->unplayed += c->unplayed;
    cli_totals_add_findings(totals, c);
    cli_text group = {0};
    bool ok = cli_case_group(&group, c);
    if (ok && group.length > 0)
        ok = add_reason(&totals->reasons, &totals->reason_count, group.data);
    cli_text_free(&group);
    return ok && (c->verdict != CLI_CLEAN || add_assumptions(totals, c));
}

void cli_totals_free(cli_totals *totals)
{
    for (size_t i = 0; i < totals->reason_count; i++)
        free(totals->reasons[i].text);
    for (size_t i = 0; i < totals->assumption_count; i++)
        free(totals->assumptions[i].text);
    free(totals->reasons);
    free(totals->assumptions);
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
    cli_text_printf(out,
                    "},\"digest\":\"%s\",\"frontend\":{\"compared\":%lld,"
                    "\"left_out\":%lld},\"replayed\":{\"left_out\":%lld,"
                    "\"runs\":%lld,\"shown\":%lld,\"witnesses\":%lld}}\n",
                    digest, (long long)totals->compared,
                    (long long)totals->left_out, (long long)totals->unplayed,
                    (long long)totals->runs, (long long)totals->shown,
                    (long long)totals->witnesses);
}

static bool fails(const cli_totals *totals, cli_severity fail_on)
{
    for (cli_severity s = fail_on; s < CLI_SEVERITIES; s++)
        if (totals->findings[s] > 0)
            return true;
    return false;
}

void cli_totals_put_findings(cli_text *out, const cli_totals *totals,
                             cli_severity fail_on)
{
    cli_text_printf(out, "findings: %lld errors, %lld warnings, %lld notes",
                    (long long)totals->findings[CLI_ERROR],
                    (long long)totals->findings[CLI_WARNING],
                    (long long)totals->findings[CLI_NOTE]);
    if (!fails(totals, fail_on) && fails(totals, CLI_NOTE))
        cli_text_printf(out, " (none fails: --fail-on %s)",
                        cli_severity_name(fail_on));
    cli_text_put(out, "\n");
}

void cli_totals_put_page(cli_text *out, const cli_totals *totals,
                         cli_severity least)
{
    for (cli_severity s = CLI_SEVERITIES; s > least; s--) {
        const char *rule = totals->rules[s - 1];
        if (*rule == '\0')
            continue;
        cli_text_printf(out, "counterpoint explain %s tells more\n", rule);
        return;
    }
}

void cli_totals_put_assumptions(cli_text *out, const cli_totals *totals)
{
    for (size_t i = 0; i < totals->assumption_count; i++) {
        const cli_reason *a = &totals->assumptions[i];
        cli_text_printf(out, "clean rests on: %s", a->text);
        if (a->count < totals->verdicts[CLI_CLEAN])
            cli_text_printf(out, " (%lld of %lld)", (long long)a->count,
                            (long long)totals->verdicts[CLI_CLEAN]);
        cli_text_put(out, "\n");
    }
}

void cli_totals_put_verdicts(cli_text *out, const cli_totals *totals)
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
}

void cli_totals_text(cli_text *out, const cli_totals *totals,
                     const char *digest, cli_severity fail_on)
{
    cli_totals_put_verdicts(out, totals);
    cli_totals_put_findings(out, totals, fail_on);
    for (size_t i = 0; i < totals->reason_count; i++)
        cli_text_printf(out, "%8lld  %s\n", (long long)totals->reasons[i].count,
                        totals->reasons[i].text);
    if (totals->runs + totals->unplayed > 0)
        cli_text_printf(out,
                        "replayed: %lld runs, %lld of %lld errors shown, %lld "
                        "parts left out\n",
                        (long long)totals->runs, (long long)totals->shown,
                        (long long)totals->witnesses,
                        (long long)totals->unplayed);
    if (totals->compared + totals->left_out > 0)
        cli_text_printf(
            out, "files beside dumps: %lld compared, %lld left out\n",
            (long long)totals->compared, (long long)totals->left_out);
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
    if (fails(totals, fail_on))
        return CLI_EXIT_FINDINGS;
    if (totals->unreadable > 0)
        return CLI_EXIT_FINDINGS;
    return cli_totals_judged(totals) > 0 ? CLI_EXIT_FINE : CLI_EXIT_NOTHING;
}
