/*
 * Annotations by workflow commands. GitHub shows ten errors, ten warnings and
 * ten notices of a step, and drops the others without a word: so the worst
 * bucket comes first, each once, and a line in the log tells the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "results.h"

#define MOST 10 /* of a level */

typedef struct told {
    int64_t levels[REPORT_NO_RANK];
    int64_t buckets, findings;
} told;

static const char *const commands[] = {"error", "warning", "notice"};

/* --- The run itself --- */

static void put_run(report_writing *w, told *t, int rank, const char *text,
                    int64_t n)
{
    fprintf(w->out, "::%s title=counterpoint::", commands[rank]);
    fprintf(w->out, text, (long long)n);
    putc('\n', w->out);
    t->levels[rank]++;
}

static report_status put_ends(report_writing *w, told *t)
{
    static const struct {
        const char *verdict;
        int rank;
        const char *text;
    } ends[] = {
        {"crashed", 0, "inputs that crashed the planner or the judge: %lld"},
        {"timed_out", 0, "inputs that took too long: %lld"},
        {"refused", 1, "inputs that were refused: %lld"},
    };
    int64_t run = w->subject.run, n;
    report_status status = REPORT_OK;
    if (w->subject.digest == NULL)
        put_run(w, t, 0,
                "run %lld was interrupted: what is told was recorded before",
                run);
    status = report_count(&n, w->store, run, "verdict", NULL, w->error);
    if (status == REPORT_OK && n == 0 && w->subject.digest != NULL)
        put_run(w, t, 0, "run %lld judged nothing", run);
    for (size_t i = 0; status == REPORT_OK && i < sizeof ends / sizeof *ends;
         i++) {
        status = report_count(&n, w->store, run, "verdict", ends[i].verdict,
                              w->error);
        /* What is generated is refused as it should be. */
        if (status == REPORT_OK && n > 0 && !w->subject.fuzz)
            put_run(w, t, ends[i].rank, ends[i].text, n);
    }
    return status;
}

/* --- Buckets --- */

static report_status put_bucket(report_writing *w, const report_result *b,
                                int rank)
{
    FILE *out = w->out;
    bool file = !w->subject.fuzz && strcmp(b->path, "-") != 0;
    char *place = report_subject_place(&w->subject, w->view, b->path);
    if (place == NULL)
        return report_fail(w->error, REPORT_NO_MEMORY, "out of memory");
    fprintf(out, "::%s ", commands[rank]);
    if (file) {
        fputs("file=", out);
        report_put(out, REPORT_PROPERTY, place);
        if (b->line > 0)
            fprintf(out, ",line=%lld", (long long)b->line);
        putc(',', out);
    }
    free(place);
    fputs("title=", out);
    report_put(out, REPORT_PROPERTY, b->rule);
    if (b->cause != NULL) {
        fputs(" (", out);
        report_put(out, REPORT_PROPERTY, b->cause);
        putc(')', out);
    }
    fputs("::", out);
    report_put_start(out, REPORT_DATA, b->message, REPORT_MESSAGE);
    if (b->n > 1)
        fprintf(out, " (the first of %lld like it)", (long long)b->n);
    fputs(b->until == NULL ? "" : "%0A", out);
    report_put_known(out, REPORT_DATA, b);
    report_status status =
        report_put_command(w, REPORT_DATA, "%0ASee it again: ", "", b->path);
    putc('\n', out);
    return status;
}

static report_status put_buckets(report_writing *w, told *t, int rank)
{
    report_cursor buckets = {0};
    report_result b;
    bool more = true;
    report_status status =
        report_worst_open(&buckets, w->store, w->subject.run, rank,
                          MOST - t->levels[rank], w->error);
    while (status == REPORT_OK) {
        status = report_cursor_next(&more, &b, &buckets, w->error);
        if (status != REPORT_OK || !more)
            break;
        status = put_bucket(w, &b, rank);
        t->buckets++;
        t->findings += b.n;
    }
    report_cursor_close(&buckets);
    return status;
}

static report_status put_rest(report_writing *w, const told *t)
{
    int64_t buckets = 0, findings = 0;
    report_status status = report_ask(
        &buckets, w->store, "SELECT count(*) FROM run_buckets WHERE run = ?1",
        w->subject.run, w->error);
    if (status == REPORT_OK)
        status = report_ask(&findings, w->store,
                            "SELECT sum(n) FROM run_buckets WHERE run = ?1",
                            w->subject.run, w->error);
    if (status != REPORT_OK || buckets <= t->buckets)
        return status;
    fprintf(w->out,
            "%lld more findings of %lld signatures are not shown as "
            "annotations: ",
            (long long)(findings - t->findings),
            (long long)(buckets - t->buckets));
    status = report_put_verb(w, REPORT_DATA, "triage list");
    fputs(" lists them\n", w->out);
    return status;
}

static report_status body(report_writing *w)
{
    told t = {0};
    report_status status = put_ends(w, &t);
    for (int rank = 0; status == REPORT_OK && rank < REPORT_NO_RANK; rank++)
        status = put_buckets(w, &t, rank);
    return status == REPORT_OK ? put_rest(w, &t) : status;
}

report_status report_write_github(FILE *out, report_store *store,
                                  const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, false, body);
}
