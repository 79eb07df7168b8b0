/* triage speed: the ratios of `make bench` over many runs. */
#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "../print.h"
#include "../totals.h"
#include "reports/speed.h"
#include "triage.h"

#define LIMIT ((size_t)16 << 20)

/* --- Recording --- */

static int record(cli_triage *t, const cli_text *text, const char *path)
{
    char digest[65], started[CLI_TRIAGE_NOW];
    report_speed_list list;
    report_error error;
    int64_t run = 0;
    if (!cli_sha256(digest, text->data, text->length))
        return cli_triage_no_memory();
    report_status status =
        report_speeds_read(&list, text->data, text->length, &error);
    if (status != REPORT_OK)
        return cli_complain(cli_store_exit(status), "%s: %s", path,
                            error.message);
    if (list.count == 0) {
        report_speeds_free(&list);
        return cli_complain(CLI_EXIT_NOTHING, "%s has no ratio", path);
    }
    report_run what = cli_triage_begin_run(started, t, "{\"verb\":\"bench\"}");
    status = report_add_speeds(&run, t->store, &what, digest, list.items,
                               list.count, &error);
    report_speeds_free(&list);
    return status == REPORT_OK ? 0 : cli_triage_fail(t, &error);
}

static int read_and_record(cli_triage *t, const char *path)
{
    char problem[160];
    cli_text text = {0};
    bool ok =
        cli_input_read(&text, path, LIMIT, false, problem, sizeof problem);
    cli_text_put(&text, "");
    int status = !ok ? cli_complain(CLI_EXIT_USAGE, "%s %s", path, problem)
                 : text.failed ? cli_triage_no_memory()
                               : record(t, &text, path);
    cli_text_free(&text);
    return status;
}

/* --- Showing --- */

typedef struct paces {
    cli_triage *t;
    int64_t names, alarms, young;
} paces;

static const char *word_of(const report_pace *pace)
{
    return pace->alarm ? "SLOWER" : !pace->enough ? "too few runs" : "";
}

static void put_json(cli_text *out, const report_pace *pace)
{
    cli_text_printf(out, "{\"alarm\":%s,\"last\":%.6g,\"last_run\":%lld",
                    pace->alarm ? "true" : "false", pace->last,
                    (long long)pace->last_run);
    if (pace->runs > 0)
        cli_text_printf(out, ",\"mean\":%.6g", pace->mean);
    else
        cli_text_put(out, ",\"mean\":null");
    cli_issue_put_member(out, "name", pace->name);
    cli_text_printf(out, ",\"runs\":%lld,\"spread\":%.6g,\"strikes\":%lld}\n",
                    (long long)pace->runs, pace->spread,
                    (long long)pace->strikes);
}

static void put_text(cli_text *out, const report_pace *pace)
{
    cli_print_clean(out, pace->name);
    int width = (int)strlen(pace->name);
    cli_text_printf(out, "%*s%10.4g", width < 40 ? 40 - width : 1, "",
                    pace->last);
    if (pace->runs > 0)
        cli_text_printf(out, "%10.4g%10.2g", pace->mean, pace->spread);
    else
        cli_text_printf(out, "%10s%10s", "-", "-");
    cli_text_printf(out, "%6lld%9lld  %s\n", (long long)pace->runs,
                    (long long)pace->strikes, word_of(pace));
}

static bool see(void *context, const report_pace *pace)
{
    paces *p = context;
    const cli_options *o = p->t->options;
    cli_text *out = &p->t->out;
    if (p->names++ == 0 && !o->json && !o->quiet)
        cli_text_printf(out, "%-40s%10s%10s%10s%6s%9s\n", "name", "last",
                        "mean", "spread", "runs", "strikes");
    p->alarms += pace->alarm;
    p->young += !pace->enough;
    if (o->json)
        put_json(out, pace);
    else if (!o->quiet)
        put_text(out, pace);
    return !out->failed;
}

static void put_end(cli_text *out, const paces *p)
{
    if (p->young > 0)
        cli_text_printf(out,
                        "too few runs to compare with: %lld of %lld names "
                        "(%d are needed, and %d behind them)\n",
                        (long long)p->young, (long long)p->names,
                        REPORT_SPEED_LEAST, REPORT_SPEED_STRIKES);
    cli_text_printf(out, "%lld of %lld names are slower for %d runs\n",
                    (long long)p->alarms, (long long)p->names,
                    REPORT_SPEED_STRIKES);
}

int cli_triage_speed(cli_triage *t)
{
    const cli_options *o = t->options;
    paces p = {.t = t};
    report_error error;
    int status = o->file_count > 2 ? read_and_record(t, t->words[0]) : 0;
    if (status != 0)
        return status;
    if (report_each_pace(t->store, o->run, see, &p, &error) != REPORT_OK)
        return cli_triage_fail(t, &error);
    if (p.names == 0)
        return cli_complain(CLI_EXIT_NOTHING, "%s: no speed was recorded",
                            t->db);
    if (!o->json && !o->quiet)
        put_end(&t->out, &p);
    return p.alarms > 0 ? CLI_EXIT_FINDINGS : CLI_EXIT_FINE;
}
