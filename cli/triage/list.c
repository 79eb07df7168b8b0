/* triage list, since and compare. */
#include <stdlib.h>
#include <string.h>

#include "../print.h"
#include "../totals.h"
#include "reports/command.h"
#include "triage.h"

/* --- list, since --- */

typedef struct listing {
    cli_triage *t;
    int64_t counts[REPORT_STATES];
    int64_t listed;
    int64_t first; /* bucket: the worst */
} listing;

static bool is_wanted(const cli_options *o, const report_issue *issue)
{
    if (o->state != NULL)
        return strcmp(report_state_name(issue->state), o->state) == 0;
    return o->all || issue->state != REPORT_STATE_FIXED;
}

static bool list_issue(void *context, const report_issue *issue)
{
    listing *l = context;
    const cli_options *o = l->t->options;
    l->counts[issue->state]++;
    if (!is_wanted(o, issue))
        return true;
    bool first = l->listed++ == 0;
    if (first)
        l->first = issue->bucket;
    if (first && !o->json && !o->quiet)
        cli_text_put(&l->t->out, "bucket  state       finding\n");
    if (o->json)
        cli_issue_put_json(&l->t->out, issue, NULL);
    else if (!o->quiet)
        cli_issue_put_text(&l->t->out, issue, NULL, l->t->color, false);
    return !l->t->out.failed;
}

static void put_counts(cli_text *out, const listing *l)
{
    int64_t total = 0;
    const char *between = "";
    for (int i = 0; i < REPORT_STATES; i++) {
        total += l->counts[i];
        if (l->counts[i] == 0)
            continue;
        cli_text_printf(out, "%s%lld %s", between, (long long)l->counts[i],
                        report_state_name((report_state)i));
        between = ", ";
    }
    if (total == 0)
        cli_text_put(out, "no bucket");
    cli_text_put(out, "\n");
}

static void put_end(const listing *l)
{
    const cli_triage *t = l->t;
    cli_text *out = &l->t->out;
    put_counts(out, l);
    if (l->counts[REPORT_STATE_FIXED] > 0 && !t->options->all &&
        t->options->state == NULL)
        cli_text_put(out, "those that are fixed are listed with --all\n");
    if (l->listed > 0) {
        cli_text_put(out, "counterpoint triage show ");
        cli_print_word(out, t->db);
        cli_text_printf(out,
                        " %lld: the first of them, its line and how to see it "
                        "again\n",
                        (long long)l->first);
    }
}

static int list(cli_triage *t, const report_question *question)
{
    listing l = {.t = t};
    report_error error;
    report_status status =
        report_each_issue(t->store, question, list_issue, &l, &error);
    if (status != REPORT_OK)
        return cli_triage_fail(t, &error);
    if (!t->options->json && !t->options->quiet)
        put_end(&l);
    return CLI_EXIT_FINE;
}

static bool see_nothing(void *context, const report_run_info *run)
{
    (void)context;
    (void)run;
    return true;
}

/* A run that is not there has no buckets for another reason. */
static int check_run(cli_triage *t, int64_t run)
{
    report_error error;
    return report_see_one_run(t->store, run, see_nothing, NULL, &error) ==
                   REPORT_OK
               ? 0
               : cli_triage_fail(t, &error);
}

int cli_triage_list(cli_triage *t)
{
    const cli_options *o = t->options;
    report_question question = {.run = o->run, .rule = o->rule, .all = true};
    int status = check_run(t, o->run);
    return status == 0 ? list(t, &question) : status;
}

int cli_triage_since(cli_triage *t)
{
    report_question question = {.rule = t->options->rule, .all = true};
    int status = cli_triage_run(&question.since, t->words[0]);
    if (status == 0)
        status = check_run(t, question.since);
    return status == 0 ? list(t, &question) : status;
}

/* --- compare --- */

typedef struct comparison {
    cli_triage *t;
    int64_t second;    /* the later run */
    const char *state; /* as what they are told */
    int64_t count, failing, missed;
    report_status trouble;
    report_error error;
} comparison;

/* Where a bucket comes from: between which runs, and its smallest case. */
typedef struct origin {
    report_range range;
    cli_text good, bad; /* the runs, as they are listed */
    report_example example;
    char *again; /* NULL: by no command */
} origin;

static bool put_run(void *context, const report_run_info *run)
{
    cli_run_put(context, run);
    return true;
}

static report_status name_run(cli_text *name, report_store *store, int64_t run,
                              report_error *error)
{
    return run == 0 ? REPORT_OK
                    : report_see_one_run(store, run, put_run, name, error);
}

static report_status find_origin(origin *from, const cli_triage *t,
                                 int64_t bucket, report_error *error)
{
    report_status status =
        report_find_range(&from->range, t->store, bucket, error);
    if (status == REPORT_OK)
        status = name_run(&from->good, t->store, from->range.good, error);
    if (status == REPORT_OK)
        status = name_run(&from->bad, t->store, from->range.bad, error);
    if (status == REPORT_OK)
        status =
            report_find_example(&from->example, t->store, bucket, true, error);
    if (status == REPORT_OK)
        status = report_command(&from->again, t->store, from->example.run,
                                from->example.path, error);
    return status;
}

static void free_origin(origin *from)
{
    cli_text_free(&from->good);
    cli_text_free(&from->bad);
    report_example_free(&from->example);
    free(from->again);
}

/* Of one that went and came back after the later run the range is another. */
static void put_origin_text(cli_text *out, const origin *from, int64_t second)
{
    const report_example *e = &from->example;
    if (from->range.bad > 0 && from->range.bad <= second) {
        cli_text_put(out, "        since ");
        cli_text_add(out, from->bad.data, from->bad.length);
        cli_text_put(out, from->range.good > 0 ? ", last good " : "");
        cli_text_add(out, from->good.data, from->good.length);
        cli_text_put(out, "\n");
    }
    cli_text_put(out, "        smallest: ");
    cli_print_clean(out, e->path);
    if (e->bytes >= 0)
        cli_text_printf(out, ", %lld bytes", (long long)e->bytes);
    if (from->again != NULL) {
        cli_text_put(out, ": ");
        cli_print_clean(out, from->again);
    }
    cli_text_put(out, "\n");
}

static void put_run_json(cli_text *out, const char *name, int64_t run)
{
    cli_text_printf(out, ",\"%s\":", name);
    if (run > 0)
        cli_text_printf(out, "%lld", (long long)run);
    else
        cli_text_put(out, "null");
}

static void put_origin_json(cli_text *out, const origin *from, int64_t second)
{
    const report_example *e = &from->example;
    bool known = from->range.bad <= second;
    out->length -= out->failed ? 0 : sizeof "}\n" - 1;
    put_run_json(out, "bad", known ? from->range.bad : 0);
    put_run_json(out, "good", known ? from->range.good : 0);
    cli_text_put(out, ",\"smallest\":{\"again\":");
    if (from->again == NULL)
        cli_text_put(out, "null");
    else
        cli_text_quote(out, from->again);
    cli_text_printf(out, ",\"bytes\":%lld", (long long)e->bytes);
    cli_issue_put_member(out, "path", e->path);
    cli_text_put(out, "}}\n");
}

static bool put_origin(comparison *c, const report_issue *issue)
{
    cli_triage *t = c->t;
    origin from = {0};
    c->trouble = find_origin(&from, t, issue->bucket, &c->error);
    t->out.failed |= from.good.failed || from.bad.failed;
    if (c->trouble == REPORT_OK && t->options->json)
        put_origin_json(&t->out, &from, c->second);
    else if (c->trouble == REPORT_OK && !t->options->quiet)
        put_origin_text(&t->out, &from, c->second);
    free_origin(&from);
    return c->trouble == REPORT_OK;
}

static bool compare_issue(void *context, const report_issue *issue)
{
    comparison *c = context;
    const cli_options *o = c->t->options;
    bool missed = issue->missed && strcmp(c->state, "gone") == 0;
    bool fresh = strcmp(c->state, "new") == 0;
    const char *state = missed ? "not judged" : c->state;
    c->count += !missed;
    c->missed += missed;
    c->failing += issue->state != REPORT_STATE_NAMED;
    if (issue->state == REPORT_STATE_REAPPEARED && fresh)
        state = "reappeared";
    if (o->json)
        cli_issue_put_json(&c->t->out, issue, state);
    else if (!o->quiet)
        cli_issue_put_text(&c->t->out, issue, state, c->t->color, false);
    return (!fresh || put_origin(c, issue)) && !c->t->out.failed;
}

/* Those of `run` that `other` has, too, or has not. */
static int compare_part(comparison *c, int64_t run, int64_t other, bool both,
                        const char *state)
{
    report_error error;
    report_question question = {.run = run,
                                .other = other,
                                .both = both,
                                .rule = c->t->options->rule,
                                .all = true};
    c->state = state;
    c->count = c->failing = c->missed = 0;
    if (report_each_issue(c->t->store, &question, compare_issue, c, &error) !=
        REPORT_OK)
        return cli_triage_fail(c->t, &error);
    return c->trouble == REPORT_OK ? 0 : cli_triage_fail(c->t, &c->error);
}

static int put_title(cli_triage *t, int64_t first, int64_t second)
{
    report_error error;
    cli_text line = {0};
    bool ok = report_see_one_run(t->store, first, put_run, &line, &error) ==
              REPORT_OK;
    cli_text_put(&line, " against ");
    ok = ok && report_see_one_run(t->store, second, put_run, &line, &error) ==
                   REPORT_OK;
    cli_text_put(&line, "\n");
    if (ok && !t->options->json && !t->options->quiet)
        cli_text_add(&t->out, line.data, line.length);
    bool failed = line.failed;
    cli_text_free(&line);
    return !ok      ? cli_triage_fail(t, &error)
           : failed ? cli_triage_no_memory()
                    : 0;
}

/* What is not found by who did not look is not gone. */
static int warn(bool *same, cli_triage *t, int64_t first, int64_t second)
{
    report_error error;
    char *differs = NULL;
    if (report_compare_options(&differs, t->store, first, second, &error) !=
        REPORT_OK)
        return cli_triage_fail(t, &error);
    *same = *differs == '\0';
    if (!*same)
        cli_complain(0,
                     "the two runs did not look at the same inputs in the same "
                     "way (%s): that something is not in run %lld does not "
                     "show that it is mended",
                     differs, (long long)second);
    free(differs);
    return 0;
}

static void put_counts_of(const comparison *c, int64_t gone, int64_t missed,
                          int64_t both, const char *absent)
{
    cli_text *out = &c->t->out;
    cli_text_printf(out, "%lld new, %lld %s, ", (long long)c->count,
                    (long long)gone, absent);
    if (missed > 0)
        cli_text_printf(out, "%lld not judged, ", (long long)missed);
    cli_text_printf(out, "%lld in both\n", (long long)both);
    if (missed > 0)
        cli_text_put(out, "not judged is what the second run could not show: "
                          "an input crashed, timed out or was not there\n");
}

static int compare(comparison *c, int64_t first, int64_t second)
{
    cli_triage *t = c->t;
    c->second = first > second ? first : second;
    int64_t gone, missed, both;
    bool same = false;
    int status = put_title(t, first, second);
    if (status == 0)
        status = warn(&same, t, first, second);
    const char *absent = same ? "gone" : "not found";
    if (status == 0)
        status = compare_part(c, first, second, false, absent);
    gone = c->count;
    missed = c->missed;
    if (status == 0)
        status = compare_part(c, second, first, true, "in both");
    both = c->count;
    if (status == 0)
        status = compare_part(c, second, first, false, "new");
    if (status != 0)
        return status;
    if (!t->options->json && !t->options->quiet)
        put_counts_of(c, gone, missed, both, absent);
    return t->options->fail_on != NULL && c->failing > 0 ? CLI_EXIT_FINDINGS
                                                         : CLI_EXIT_FINE;
}

int cli_triage_compare(cli_triage *t)
{
    comparison c = {.t = t};
    int64_t first = 0, second = 0;
    int status = cli_triage_run(&first, t->words[0]);
    if (status == 0)
        status = cli_triage_run(&second, t->words[1]);
    return status == 0 ? compare(&c, first, second) : status;
}
