/* counterpoint replay: a task graph in many orders, and on a machine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "one.h"
#include "print.h"
#include "replay/bridge.h"
#include "replay/hbg.h"
#include "replay/kept.h"
#include "replay/scenes.h"
#include "replay/times.h"
#include "replay/witness.h"
#include "totals.h"

#define SHOWN 20  /* differences for people; --json lists 1,000 */
#define TIME 60   /* seconds for what was not asked for by name */
#define SMALL 256 /* tasks up to which every task is early and late */

typedef struct replaying {
    const cli_options *options;
    cli_kept kept;
} replaying;

/* What is told of one document. */
typedef struct told {
    replaying *r;
    const cli_case *c;
    cli_case mine; /* with the findings of the replay */
    cli_replayed replayed;
    cli_times_told times;
    cli_scenes scenes;
    bool witness;
    bool empty; /* there is no task */
    bool hbg;   /* it is the host_build_graph plan that runs, not the Score */
} told;

/* --- Output --- */

static bool take_records(told *t, const cli_text *records)
{
    for (size_t at = 0; at < records->length;) {
        const char *line = records->data + at;
        size_t length = strcspn(line, "\n");
        if (!cli_case_add_record(&t->mine, (cli_span){line, length}))
            return false;
        at += length + 1;
    }
    return true;
}

static cli_verdict verdict_of(const told *t)
{
    return t->mine.count > 0                  ? CLI_FINDINGS
           : t->replayed.undecided.length > 0 ? CLI_UNDECIDED
                                              : CLI_CLEAN;
}

static void put_json(cli_text *out, const told *t)
{
    const cli_replayed *x = &t->replayed;
    for (size_t i = 0; i < t->mine.count; i++) {
        cli_text_add(out, t->mine.findings[i].json.data,
                     t->mine.findings[i].json.length);
        cli_text_put(out, "\n");
    }
    cli_text_printf(out,
                    "{\"verdict\":\"%s\",\"executions\":%" PRIu64 ",\"file\":",
                    cli_verdict_name(verdict_of(t)), x->programs);
    cli_text_quote(out, t->c->found->path);
    cli_text_printf(out,
                    ",\"findings\":{\"error\":%zu,\"note\":0,\"warning\":%zu}"
                    ",\"runs\":%" PRIu64 ",\"total\":%" PRIu64 ",",
                    cli_case_count(&t->mine, CLI_ERROR),
                    cli_case_count(&t->mine, CLI_WARNING), x->runs,
                    t->mine.count + x->unlisted);
    if (t->scenes.json.length > 0) {
        cli_text_put(out, "\"real\":");
        cli_text_add(out, t->scenes.json.data, t->scenes.json.length);
        cli_text_put(out, ",");
    }
    if (t->scenes.scene.length > 0) {
        cli_text_put(out, "\"scene\":");
        cli_text_add(out, t->scenes.scene.data, t->scenes.scene.length);
        cli_text_put(out, ",");
    }
    cli_times_put_json(out, &t->times);
    cli_text_put(out, "\"undecided\":[");
    cli_text_add(out, x->undecided.data, x->undecided.length);
    cli_text_printf(
        out, "],\"witnesses\":{\"run\":%" PRIu64 ",\"shown\":%" PRIu64 "}}\n",
        x->witnesses, x->shown);
}

static void put_path(cli_text *out, const told *t)
{
    cli_print_clean(out, t->c->found->path);
    cli_text_put(out, ": ");
}

/* "2 differences in 13 runs of 3 executions; witnesses of errors: ..." */
static void put_runs(cli_text *out, const told *t)
{
    const cli_replayed *x = &t->replayed;
    uint64_t found = t->mine.count + x->unlisted;
    if (found > 0)
        cli_text_printf(out, "%" PRIu64 " difference%s", found,
                        found == 1 ? "" : "s");
    else
        cli_text_put(out, "no difference");
    cli_text_printf(out, " in %" PRIu64 " run%s", x->runs,
                    x->runs == 1 ? "" : "s");
    if (x->programs > 1)
        cli_text_printf(out, " of %" PRIu64 " executions", x->programs);
    if (x->witnesses > 0)
        cli_text_printf(out,
                        "; witnesses of errors: %" PRIu64 " of %" PRIu64
                        " show other bytes",
                        x->shown, x->witnesses);
}

static void put_summary(cli_text *out, const told *t)
{
    put_path(out, t);
    if (t->empty)
        cli_text_put(out, "nothing to replay: it has no tasks");
    else if (t->replayed.runs > 0)
        put_runs(out, t);
    else
        cli_text_put(out, "nothing was replayed");
    if (t->times.stuck && t->replayed.runs > 0)
        cli_text_put(out, ", and this machine can make none of them: "
                          "--clusters makes it larger");
    cli_text_put(out, "\n");
}

static bool show(told *t)
{
    cli_text out = {0};
    if (t->replayed.undecided.length > 0) {
        cli_text_put(&t->mine.undecided, "[");
        cli_text_add(&t->mine.undecided, t->replayed.undecided.data,
                     t->replayed.undecided.length);
        cli_text_put(&t->mine.undecided, "]");
    }
    if (t->r->options->json) {
        put_json(&out, t);
    } else if (!t->r->options->quiet) {
        cli_print_findings(&out, &t->mine, CLI_NOTE, cli_print_colors(stdout));
        cli_print_undecided(&out, &t->mine, "undecided");
        put_summary(&out, t);
        if (!t->witness && !t->empty)
            cli_times_put_text(&out, &t->times, t->c->found->path);
        cli_print_clean_lines(&out, &t->scenes.lines);
    }
    bool ok = !out.failed && cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

/* --- The database --- */

static int keep(told *t)
{
    const cli_replayed *x = &t->replayed;
    cli_case kept = t->mine; /* borrows */
    cli_text details = {0};
    kept.number = 1;
    kept.kind = t->c->kind;
    kept.text = t->c->text;
    kept.verdict = verdict_of(t);
    kept.partial = x->undecided.length > 0;
    kept.total = (int64_t)(t->mine.count + x->unlisted);
    cli_text_put(&details, "{\"assumptions\":[],\"replay\":{\"real\":");
    if (t->scenes.json.length > 0)
        cli_text_add(&details, t->scenes.json.data, t->scenes.json.length);
    else
        cli_text_put(&details, "null");
    cli_text_printf(&details, ",\"runs\":%" PRIu64 "},", x->runs);
    cli_case_put_list(&details, "undecided", &t->mine.undecided);
    cli_text_put(&details, "}");
    int status = details.failed ? cli_complain(CLI_EXIT_FAULT, "out of memory")
                                : cli_kept_add(&t->r->kept, t->r->options,
                                               &kept, details.data);
    cli_text_free(&details);
    return status;
}

/* Milliseconds; 0: what is asked for by name may take any time. */
static int64_t time_of(const cli_options *o)
{
    bool asked = o->adversarial || o->seeds > 0;
    return o->timeout > 0 ? 1000 * o->timeout : asked ? 0 : 1000 * TIME;
}

/* --- A witness --- */

static int run_witness(told *t, const oracle_document *d)
{
    char problem[512] = "";
    cli_text text = {0};
    const char *path = t->r->options->witness;
    int status = 0;
    cli_deadline deadline = {0};
    cli_replaying how = {
        .differs = true, .digest = t->c->sha256, .stop = &deadline.stop};
    cli_deadline_begin(&deadline, time_of(t->r->options));
    t->witness = true;
    if (!cli_input_read(&text, path, CLI_INPUT_LIMIT, false, problem,
                        sizeof problem))
        status = cli_complain(CLI_EXIT_USAGE, "%s %s", path, problem);
    else if (!cli_replay_witness(&t->replayed, d,
                                 (cli_span){text.data, text.length}, &how,
                                 problem, sizeof problem))
        status = cli_complain(CLI_EXIT_USAGE, "%s: %s", path, problem);
    cli_text_free(&text);
    return status;
}

/* --- A document --- */

static bool all_records(cli_span **records, const cli_case *c)
{
    *records = calloc(c->count + 1, sizeof **records);
    for (size_t i = 0; *records != NULL && i < c->count; i++)
        (*records)[i] =
            (cli_span){c->findings[i].json.data, c->findings[i].json.length};
    return *records != NULL;
}

static cli_replaying how_of(const cli_options *o, const cli_case *c,
                            const replay_stop *stop)
{
    return (cli_replaying){.adversarial = o->adversarial,
                           .small = o->seeds > 0 ? 0 : SMALL,
                           .seeds = o->seeds > 0     ? (uint64_t)o->seeds
                                    : o->adversarial ? 0
                                                     : CLI_REPLAY_SEEDS,
                           .both = o->seeds > 0,
                           .seed = (uint64_t)o->seed,
                           .limit = o->limit > 0 ? (uint32_t)o->limit
                                    : o->json    ? 0
                                                 : SHOWN,
                           .differs = true,
                           .partial = c->partial,
                           .stop = stop,
                           .digest = c->sha256};
}

/* Why it did not run on the machine, unless no order was run for that. */
static void note_times(told *t)
{
    if (t->times.problem.length > 0 && t->replayed.runs > 0)
        cli_replayed_leave_out(&t->replayed, "not run on the machine: %s",
                               t->times.problem.data);
}

/* Whether what is told of orders means nothing: none was run, or in none of
 * them does it end on this machine. */
static bool is_nothing(const told *t)
{
    return t->mine.count == 0 && !t->witness &&
           (t->replayed.runs == 0 || t->times.stuck);
}

static int run_all(told *t, const oracle_document *d)
{
    cli_span *records;
    const cli_options *o = t->r->options;
    cli_deadline deadline = {0};
    int64_t time = time_of(o);
    if (time > 0)
        cli_deadline_begin(&deadline, time / 4 * 3);
    cli_replaying how = how_of(o, t->c, time > 0 ? &deadline.stop : NULL);
    if (!all_records(&records, t->c))
        return cli_complain(CLI_EXIT_FAULT, "out of memory");
    /* Witnesses are about the Score's edges. */
    how.other = t->hbg;
    cli_replay_document(&t->replayed, d, records, t->hbg ? 0 : t->c->count,
                        &how);
    if (time > 0)
        cli_deadline_begin(&deadline, time / 4);
    cli_scenes_of what = {.derived = d, .digest = t->c->sha256};
    bool ok = cli_replay_allowed(&what.allowed, records, t->c->count);
    what.allowed.open = what.allowed.open || t->c->partial;
    int status =
        cli_times_make(&t->times, d, records, t->c->count, o, t->c, how.stop);
    free(records);
    if (!ok)
        return cli_complain(CLI_EXIT_FAULT, "out of memory");
    return status != 0 ? status : cli_scenes_make(&t->scenes, &what, o);
}

static int replay(told *t, const oracle_document *d)
{
    t->empty = d->task_count == 0;
    int status =
        t->r->options->witness != NULL ? run_witness(t, d) : run_all(t, d);
    if (status != 0)
        return status;
    note_times(t);
    if (t->replayed.failed || t->scenes.records.failed ||
        !take_records(t, &t->replayed.records) ||
        !take_records(t, &t->scenes.records))
        return cli_complain(CLI_EXIT_FAULT, "out of memory");
    if (!show(t))
        return CLI_EXIT_FAULT;
    status = keep(t);
    if (status != 0)
        return status;
    return cli_case_count(&t->mine, CLI_ERROR) > 0 ? CLI_EXIT_FINDINGS
           : is_nothing(t)                         ? CLI_EXIT_NOTHING
                                                   : CLI_EXIT_FINE;
}

static bool has_tasks(oracle_kind kind)
{
    return kind == ORACLE_KIND_TASK_GRAPH || kind == ORACLE_KIND_SCORE ||
           kind == ORACLE_KIND_BUNDLE || kind == ORACLE_KIND_RECORD ||
           kind == ORACLE_KIND_HBG;
}

static oracle_status read_text(oracle_document *d, const cli_text *text,
                               const cli_options *o, oracle_error *error)
{
    oracle_read_options reading = {.rules = o->rules, .lenient = o->lenient};
    oracle_status status =
        oracle_document_read(d, text->data, text->length, &reading, error);
    return status == ORACLE_OK ? oracle_document_derive(d, error) : status;
}

/* What was judged, read once more: what the judge could read, this can. Where
 * the plan in it is another one than its Score, that plan. */
static oracle_status read_case(told *t, oracle_document *d, oracle_error *error)
{
    const cli_case *c = t->c;
    const cli_text *text = c->bundle.length > 0 ? &c->bundle : &c->text;
    cli_text alone = {0};
    t->hbg = cli_hbg_differs(c) &&
             cli_hbg_alone(&alone, (cli_span){text->data, text->length});
    oracle_status status =
        read_text(d, t->hbg ? &alone : text, t->r->options, error);
    cli_text_free(&alone);
    if (t->hbg && status == ORACLE_OK)
        cli_replayed_leave_out(&t->replayed,
                               "the Score: the host_build_graph plan is not "
                               "that of it, and what is run is the plan");
    return status;
}

static int replay_case(void *context, const cli_case *c)
{
    replaying *r = context;
    oracle_document d = {0};
    oracle_error error = {0};
    told t = {.r = r, .c = c};
    int code;
    oracle_status status = read_case(&t, &d, &error);
    t.mine.found = c->found;
    memcpy(t.mine.sha256, c->sha256, sizeof t.mine.sha256);
    if (status == ORACLE_NO_MEMORY)
        code = cli_complain(CLI_EXIT_FAULT, "out of memory");
    else if (status != ORACLE_OK)
        code = cli_complain(CLI_EXIT_FINDINGS, "%s: %s", c->found->path,
                            error.message);
    else if (r->options->policy != NULL && !cli_kind_is_program(c->kind))
        code = cli_complain(CLI_EXIT_USAGE,
                            "%s: --policy is for what is planned, and this has "
                            "its own edges: it is of the kind %s",
                            c->found->path, cli_kind_name(c->kind));
    else if (!has_tasks(d.kind))
        code = cli_complain(CLI_EXIT_USAGE,
                            "%s: it has no tasks to run, it is of the kind %s",
                            c->found->path, cli_kind_name(c->kind));
    else
        code = replay(&t, &d);
    oracle_document_free(&d);
    cli_replayed_free(&t.replayed);
    cli_times_told_free(&t.times);
    cli_scenes_free(&t.scenes);
    cli_case_clear(&t.mine);
    return code;
}

int cli_verb_replay(const cli_options *options)
{
    replaying r = {.options = options};
    cli_one one = {"replay runs one", replay_case, &r};
    int status = cli_times_options(options);
    if (status == 0)
        status = cli_kept_open(&r.kept, options);
    if (status == 0)
        status = cli_one_run(&one, options);
    cli_kept_close(&r.kept);
    return status;
}
