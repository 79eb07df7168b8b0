/*
 * A summary for the page of a CI job, one screen: GitHub's and GitLab's
 * Markdown. Nothing that an input says is markup in it.
 */
#include <stdlib.h>

#include "results.h"

#define MOST_BUCKETS 10
#define MOST_REASONS 5

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_code(FILE *out, const char *text)
{
    fputs("<code>", out);
    report_put(out, REPORT_MARKDOWN, text);
    fputs("</code>", out);
}

/* --- What was judged --- */

static report_status put_title(report_writing *w)
{
    static const char *const names[] = {"error", "warning", "note"};
    int64_t counts[3], inputs;
    int64_t run = w->subject.run;
    report_status status =
        report_count(&inputs, w->store, run, "verdict", NULL, w->error);
    for (int i = 0; status == REPORT_OK && i < 3; i++)
        status = report_count(&counts[i], w->store, run, "severity", names[i],
                              w->error);
    if (status != REPORT_OK)
        return status;
    fprintf(w->out,
            "### counterpoint: %lld error%s, %lld warning%s, %lld note%s in "
            "%lld %s%s\n\n",
            (long long)counts[0], plural(counts[0]), (long long)counts[1],
            plural(counts[1]), (long long)counts[2], plural(counts[2]),
            (long long)inputs, w->subject.fuzz ? "case" : "input",
            plural(inputs));
    if (w->subject.digest == NULL)
        fprintf(w->out,
                "**Run %lld was interrupted:** what follows was recorded "
                "before.\n\n",
                (long long)run);
    return REPORT_OK;
}

static report_status put_verdicts(report_writing *w)
{
    static const struct {
        const char *key, *words;
    } verdicts[] = {
        {"clean", "clean"},         {"findings", "with findings"},
        {"undecided", "undecided"}, {"refused", "refused"},
        {"crashed", "crashed"},     {"timed_out", "timed out"},
    };
    bool first = true;
    report_status status = REPORT_OK;
    for (size_t i = 0;
         status == REPORT_OK && i < sizeof verdicts / sizeof *verdicts; i++) {
        int64_t n;
        status = report_count(&n, w->store, w->subject.run, "verdict",
                              verdicts[i].key, w->error);
        if (status != REPORT_OK || n == 0)
            continue;
        fprintf(w->out, "%s%lld %s",
                !first            ? ", "
                : w->subject.fuzz ? "Verdicts, those on planted faults, too: "
                                  : "",
                (long long)n, verdicts[i].words);
        first = false;
    }
    fputs(first ? "Nothing was judged.\n" : ".\n", w->out);
    return status;
}

static report_status put_reasons(report_writing *w)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    bool first = true;
    if (sqlite3_prepare_v2(w->store->db,
                           "SELECT key, n FROM counts WHERE run = ?1 AND what"
                           " = 'reason' ORDER BY n DESC, key LIMIT ?2",
                           -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, w->subject.run);
        sqlite3_bind_int(row, 2, MOST_REASONS);
        while ((code = sqlite3_step(row)) == SQLITE_ROW) {
            fprintf(w->out, "%s- %lld: ", first ? "\n" : "",
                    (long long)sqlite3_column_int64(row, 1));
            put_code(w->out, (const char *)sqlite3_column_text(row, 0));
            putc('\n', w->out);
            first = false;
        }
    }
    report_status status = code == SQLITE_DONE
                               ? REPORT_OK
                               : report_fail_sql(w->error, w->store,
                                                 "the database cannot be "
                                                 "read");
    sqlite3_finalize(row);
    return status;
}

/* --- Known issues --- */

static const char accepted_sql[] =
    "SELECT sum(r.n) FROM run_buckets AS r JOIN buckets AS b USING(bucket)"
    " JOIN temp.named AS k ON k.head = b.head"
    " WHERE r.run = ?1 AND k.expired = 0";
static const char expired_sql[] =
    "SELECT count(DISTINCT b.head) FROM run_buckets AS r"
    " JOIN buckets AS b USING(bucket) JOIN temp.named AS k ON k.head = b.head"
    " WHERE r.run = ?1 AND k.expired";

static report_status put_known(report_writing *w)
{
    int64_t accepted = 0, expired = 0, run = w->subject.run;
    report_status status =
        report_ask(&accepted, w->store, accepted_sql, run, w->error);
    if (status == REPORT_OK)
        status = report_ask(&expired, w->store, expired_sql, run, w->error);
    if (status != REPORT_OK)
        return status;
    if (accepted > 0)
        fprintf(w->out, "\n%lld finding%s of known issues.\n",
                (long long)accepted, plural(accepted));
    if (expired > 0)
        fprintf(w->out, "\n**%lld known issue%s expired.**\n",
                (long long)expired, expired == 1 ? " has" : "s have");
    return REPORT_OK;
}

/* --- Buckets --- */

static void put_finding(FILE *out, const report_result *b)
{
    fprintf(out, "| %lld | ", (long long)b->n);
    fputs(report_rank(b->severity) == 0 ? "**" : "", out);
    report_put(out, REPORT_MARKDOWN, b->severity);
    fputs(report_rank(b->severity) == 0 ? "** " : " ", out);
    put_code(out, b->rule);
    if (b->cause != NULL) {
        fputs(" (", out);
        report_put(out, REPORT_MARKDOWN, b->cause);
        putc(')', out);
    }
    fputs("<br>", out);
    put_code(out, b->signature);
}

static report_status put_bucket(report_writing *w, const report_result *b)
{
    FILE *out = w->out;
    char *place = report_subject_place(&w->subject, w->view, b->path);
    if (place == NULL)
        return report_fail(w->error, REPORT_NO_MEMORY, "out of memory");
    put_finding(out, b);
    fputs(" | <code>", out);
    report_put(out, REPORT_MARKDOWN, place);
    free(place);
    if (b->line > 0)
        fprintf(out, "&#58;%lld", (long long)b->line);
    fputs("</code> ", out);
    report_put_start(out, REPORT_MARKDOWN, b->message, REPORT_MESSAGE);
    report_status status = report_put_command(w, REPORT_MARKDOWN, "<br><code>",
                                              "</code>", b->path);
    fputs(w->store->has_known ? " | " : "", out);
    report_put_known(out, REPORT_MARKDOWN, b);
    fputs(" |\n", out);
    return status;
}

static void put_head(report_writing *w)
{
    bool known = w->store->has_known;
    fprintf(w->out,
            "\n| findings | rule, signature | the first, and how to see it "
            "again |%s\n|---:|---|---|%s\n",
            known ? " known |" : "", known ? "---|" : "");
}

static report_status put_buckets(report_writing *w)
{
    report_cursor buckets = {0};
    report_result b;
    bool more = true, first = true;
    report_status status =
        report_worst_open(&buckets, w->store, w->subject.run, REPORT_NO_RANK,
                          MOST_BUCKETS, w->error);
    while (status == REPORT_OK) {
        status = report_cursor_next(&more, &b, &buckets, w->error);
        if (status != REPORT_OK || !more)
            break;
        if (first)
            put_head(w);
        first = false;
        status = put_bucket(w, &b);
    }
    report_cursor_close(&buckets);
    return status;
}

static report_status put_rest(report_writing *w)
{
    int64_t all = 0;
    report_status status = report_ask(
        &all, w->store, "SELECT count(*) FROM run_buckets WHERE run = ?1",
        w->subject.run, w->error);
    if (status != REPORT_OK || all == 0)
        return status;
    if (all > MOST_BUCKETS)
        fprintf(w->out, "\n%lld more signatures are in the database.",
                (long long)all - MOST_BUCKETS);
    fputs("\nAll of them: <code>", w->out);
    status = report_put_verb(w, REPORT_MARKDOWN, "triage list");
    fputs("</code>, one with its history: <code>", w->out);
    if (status == REPORT_OK)
        status = report_put_verb(w, REPORT_MARKDOWN, "triage show");
    fputs(" SIGNATURE</code>, what a rule means: <code>counterpoint explain "
          "RULE</code>.\n",
          w->out);
    return status;
}

static report_status body(report_writing *w)
{
    report_status status = put_title(w);
    if (status == REPORT_OK)
        status = put_verdicts(w);
    if (status == REPORT_OK)
        status = put_reasons(w);
    if (status == REPORT_OK)
        status = put_known(w);
    if (status == REPORT_OK)
        status = put_buckets(w);
    if (status == REPORT_OK)
        status = put_rest(w);
    return status;
}

report_status report_write_markdown(FILE *out, report_store *store,
                                    const report_view *view,
                                    report_error *error)
{
    return report_write(out, store, view, error, false, body);
}
