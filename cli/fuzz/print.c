#include "print.h"
#include "../replay/bridge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../case.h"
#include "../print.h"
#include "../process.h"
#include "oracle/judge.h"

#define FIRST_MS 200
#define STEP_MS 200

/* Rules that a document or a planner's answer can raise. */
static bool is_of_documents(const char *rule)
{
    static const char *const others[] = {"diff.", "planner.", "replay.",
                                         "gate."};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(rule, others[i], strlen(others[i])) == 0)
            return false;
    return true;
}

static int64_t verdicts(const cli_sums *s, const char *verdict)
{
    return cli_tally_get(&s->tally, "verdict", verdict);
}

static int64_t judged(const cli_sums *s)
{
    return verdicts(s, "clean") + verdicts(s, "findings") +
           verdicts(s, "undecided");
}

/* --- JSON --- */

static void put_rules(cli_text *out, const cli_sums *s)
{
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    bool first = true;
    cli_text_put(out, "\"rules\":{");
    for (uint32_t i = 0; i < count; i++) {
        int64_t n = cli_tally_get(&s->tally, "raised", rules[i].name);
        if (!is_of_documents(rules[i].name))
            continue;
        cli_text_printf(out, "%s\"%s\":{\"absent\":%lld,\"raised\":%lld}",
                        first ? "" : ",", rules[i].name,
                        (long long)(s->cases - n), (long long)n);
        first = false;
    }
    cli_text_put(out, "}");
}

/* The keys of one thing; the tally is sorted. */
static void put_keys(cli_text *out, const cli_sums *s, const char *name,
                     const char *what)
{
    bool first = true;
    cli_text_printf(out, "\"%s\":{", name);
    for (size_t i = 0; i < s->tally.count; i++) {
        const cli_count *item = &s->tally.items[i];
        if (item->n == 0 || strcmp(item->what, what) != 0)
            continue;
        cli_text_put(out, first ? "" : ",");
        cli_text_quote(out, item->key);
        cli_text_printf(out, ":%lld", (long long)item->n);
        first = false;
    }
    cli_text_put(out, "}");
}

static void put_buckets(cli_text *out, const cli_sums *s)
{
    cli_text_put(out, "\"buckets\":[");
    for (size_t i = 0; i < s->bucket_count; i++) {
        const cli_bucket *b = &s->buckets[i];
        cli_text_printf(out, "%s{\"case\":\"%s\",", i > 0 ? "," : "", b->label);
        if (*b->cause != '\0') {
            cli_text_put(out, "\"cause\":");
            cli_text_quote(out, b->cause);
            cli_text_put(out, ",");
        }
        cli_text_printf(out, "\"count\":%lld,\"message\":", (long long)b->n);
        cli_text_quote(out, b->message);
        cli_text_printf(out, ",\"rule\":\"%s\",\"signature\":\"%s\"}", b->rule,
                        b->signature);
    }
    cli_text_put(out, "]");
}

void cli_fuzz_put_json(cli_text *out, const cli_sums *s, bool interrupted)
{
    char digest[65];
    cli_sums_digest(digest, s);
    cli_text_printf(
        out,
        "{\"inputs\":%lld,\"judged\":%lld,\"partial\":%lld,\"refused\":%lld,"
        "\"crashed\":%lld,\"timed_out\":%lld,",
        (long long)s->cases, (long long)judged(s),
        (long long)cli_tally_sum(&s->tally, "partial"),
        (long long)verdicts(s, "refused"), (long long)verdicts(s, "crashed"),
        (long long)verdicts(s, "timed_out"));
    cli_text_printf(out,
                    "\"findings\":{\"error\":%lld,\"warning\":0,\"note\":0},"
                    "\"digest\":\"%s\",\"disagreements\":%lld,",
                    (long long)cli_sums_findings(s), digest,
                    (long long)cli_sums_disagreeing(s));
    put_buckets(out, s);
    cli_text_put(out, ",");
    put_keys(out, s, "codes", "code");
    cli_text_put(out, ",");
    put_keys(out, s, "faults", "fault");
    cli_text_printf(out, ",\"interrupted\":%s,",
                    interrupted ? "true" : "false");
    put_keys(out, s, "kinds", "kind");
    cli_text_printf(out, ",\"median\":%lld,",
                    (long long)cli_tally_median(&s->tally, "tasks"));
    put_rules(out, s);
    cli_text_put(out, ",");
    put_keys(out, s, "shapes", "shape");
    cli_text_printf(out, ",\"valid\":%lld}\n",
                    (long long)cli_tally_sum(&s->tally, "valid"));
}

/* --- Text --- */

static void text_rules(cli_text *out, const cli_sums *s)
{
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    cli_text_put(out, "\n  raised    absent  rule\n");
    for (uint32_t i = 0; i < count; i++) {
        int64_t n = cli_tally_get(&s->tally, "raised", rules[i].name);
        if (is_of_documents(rules[i].name))
            cli_text_printf(out, "%8lld  %8lld  %s\n", (long long)n,
                            (long long)(s->cases - n), rules[i].name);
    }
}

static void text_keys(cli_text *out, const cli_sums *s, const char *title,
                      const char *what)
{
    bool first = true;
    for (size_t i = 0; i < s->tally.count; i++) {
        const cli_count *item = &s->tally.items[i];
        if (item->n == 0 || strcmp(item->what, what) != 0)
            continue;
        cli_text_printf(out, "%s%s%s %lld", first ? title : ", ",
                        first ? " " : "", item->key, (long long)item->n);
        first = false;
    }
    if (!first)
        cli_text_put(out, "\n");
}

void cli_fuzz_put_command(cli_text *out, const cli_batch_plan *plan,
                          const char *label)
{
    cli_text_printf(out, "counterpoint fuzz --seed %lld --case %s",
                    (long long)plan->seed, label);
    if (plan->tasks != 256)
        cli_text_printf(out, " --tasks %u", plan->tasks);
    if (plan->full)
        cli_text_put(out, " --mode full");
    if (plan->replay != (plan->full ? CLI_REPLAY_SEEDS : 0))
        cli_text_printf(out, " --replay %lld", (long long)plan->replay);
    if (plan->planner != NULL) {
        cli_text_put(out, " --planner ");
        cli_print_word(out, plan->planner);
    }
}

static void text_buckets(cli_text *out, const cli_sums *s,
                         const cli_batch_plan *plan)
{
    for (size_t i = 0; i < s->bucket_count; i++) {
        const cli_bucket *b = &s->buckets[i];
        cli_text_printf(out, "%s%8lld  %s%s", i == 0 ? "\n" : "",
                        (long long)b->n, b->rule,
                        *b->cause == '\0' ? "" : " (");
        cli_print_clean(out, b->cause);
        cli_text_printf(out,
                        "%s [%s]\n          %s: ", *b->cause == '\0' ? "" : ")",
                        b->signature, b->label);
        cli_print_clean(out, b->message);
        cli_text_put(out, "\n          ");
        cli_fuzz_put_command(out, plan, b->label);
        cli_text_put(out, "\n");
    }
}

void cli_fuzz_put_text(cli_text *out, const cli_sums *s,
                       const cli_batch_plan *plan)
{
    char digest[65];
    int64_t valid = cli_tally_sum(&s->tally, "valid");
    cli_sums_digest(digest, s);
    cli_text_printf(
        out,
        "%lld cases: %lld judged (%lld clean, %lld with findings, %lld "
        "undecided), %lld refused, %lld crashed, %lld timed out\n",
        (long long)s->cases, (long long)judged(s),
        (long long)verdicts(s, "clean"), (long long)verdicts(s, "findings"),
        (long long)verdicts(s, "undecided"), (long long)verdicts(s, "refused"),
        (long long)verdicts(s, "crashed"), (long long)verdicts(s, "timed_out"));
    cli_text_printf(out,
                    "%lld valid by construction (%lld%%), median of %lld "
                    "tasks\n",
                    (long long)valid,
                    (long long)(s->cases > 0 ? 100 * valid / s->cases : 0),
                    (long long)cli_tally_median(&s->tally, "tasks"));
    text_keys(out, s, "kinds:", "kind");
    text_keys(out, s, "errors of readers:", "code");
    text_rules(out, s);
    text_buckets(out, s, plan);
    cli_text_printf(out,
                    "\ndisagreements: %lld in %lld cases, %zu signatures\n",
                    (long long)cli_sums_findings(s),
                    (long long)cli_sums_disagreeing(s), s->bucket_count);
    cli_text_printf(out, "digest %s\n", digest);
}

/* --- Progress --- */

static void put_time(cli_text *line, int64_t seconds)
{
    if (seconds < 100)
        cli_text_printf(line, ", %lld s left", (long long)seconds);
    else if (seconds < 100 * 60)
        cli_text_printf(line, ", %lld min left", (long long)(seconds / 60));
    else
        cli_text_printf(line, ", %lld h left", (long long)(seconds / 3600));
}

static int64_t ms_left(const cli_fuzz_progress *p, const cli_sums *s,
                       int64_t now)
{
    int64_t done = s->cases - p->before, left = INT64_MAX;
    if (p->cases < INT64_MAX && done > 0)
        left = (int64_t)((double)(now - p->began) / (double)done *
                         (double)(p->cases - s->cases));
    if (p->deadline > 0 && p->deadline - now < left)
        left = p->deadline - now;
    return left < 0 ? 0 : left;
}

static void put_line(cli_text *line, const cli_fuzz_progress *p,
                     const cli_sums *s, int64_t now)
{
    int64_t ms = now - p->began, left = ms_left(p, s, now);
    cli_text_printf(line, "%lld", (long long)s->cases);
    if (p->cases < INT64_MAX)
        cli_text_printf(line, " of %lld", (long long)p->cases);
    cli_text_printf(
        line, " cases, %lld a second, %lld findings",
        (long long)((s->cases - p->before) * 1000 / (ms > 0 ? ms : 1)),
        (long long)cli_sums_findings(s));
    if (left < INT64_MAX)
        put_time(line, (left + 999) / 1000);
}

void cli_fuzz_progress_show(cli_fuzz_progress *p, const cli_sums *sums)
{
    cli_text line = {0};
    int64_t now = p->on ? cli_now() : 0;
    if (!p->on || now < p->next)
        return;
    p->next = now + (p->visible ? STEP_MS : FIRST_MS);
    p->visible = true;
    put_line(&line, p, sums, now);
    if (!line.failed)
        fprintf(stderr, "\r%.*s\033[K", (int)line.length, line.data);
    fflush(stderr);
    cli_text_free(&line);
}

void cli_fuzz_progress_clear(cli_fuzz_progress *p)
{
    if (!p->visible)
        return;
    fputs("\r\033[K", stderr);
    p->visible = false;
}
