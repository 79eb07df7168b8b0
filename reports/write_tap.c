/* TAP, version 14: what testanything.org has published. */
#include <stdlib.h>
#include <string.h>

#include "results.h"

static void put_member(FILE *out, const char *before, const char *name,
                       const char *value)
{
    fprintf(out, "%s%s: ", before, name);
    report_put_string(out, value);
    putc('\n', out);
}

static void put_finding(FILE *out, const report_result *f)
{
    put_member(out, "    - ", "rule", f->rule);
    put_member(out, "      ", "severity", f->severity);
    if (f->cause != NULL)
        put_member(out, "      ", "cause", f->cause);
    put_member(out, "      ", "signature", f->signature);
    if (f->line > 0)
        fprintf(out, "      line: %lld\n", (long long)f->line);
    put_member(out, "      ", "message", f->message);
    if (f->until == NULL)
        return;
    fputs("      known: \"", out);
    report_put_known(out, REPORT_JSON, f);
    fputs("\"\n", out);
}

static report_status put_findings(report_writing *w, report_cursor *findings,
                                  const report_result *r)
{
    report_result f;
    bool more = true, first = true;
    report_status status = REPORT_OK;
    report_findings_of(findings, r->number);
    while (status == REPORT_OK && !ferror(w->out)) {
        status = report_cursor_next(&more, &f, findings, w->error);
        if (status != REPORT_OK || !more)
            break;
        fputs(first ? "  findings:\n" : "", w->out);
        first = false;
        put_finding(w->out, &f);
    }
    return status;
}

/* What is known of a case beyond its line. */
static report_status put_block(report_writing *w, report_cursor *findings,
                               const report_result *r)
{
    FILE *out = w->out;
    fputs("  ---\n", out);
    put_member(out, "  ", "verdict", r->verdict);
    if (r->outcome == REPORT_ERRS && r->listed == 0) {
        fputs("  message: \"", out);
        report_put_reason(out, REPORT_JSON, r);
        fputs("\"\n", out);
    }
    report_status status = put_findings(w, findings, r);
    if (r->total > r->listed)
        fprintf(out, "  unlisted: %lld\n", (long long)(r->total - r->listed));
    if (status == REPORT_OK && strcmp(r->path, "-") != 0) {
        fputs("  again: \"", out);
        status = report_put_command(w, REPORT_JSON, "", "", r->path);
        fputs("\"\n", out);
    }
    fputs("  ...\n", out);
    return status;
}

/* Why what fails is accepted: the first of its gravest findings. */
static report_status put_todo(report_writing *w, report_cursor *findings,
                              const report_result *r)
{
    report_result f;
    bool more = true;
    report_status status = REPORT_OK;
    report_findings_of(findings, r->number);
    do
        status = report_cursor_next(&more, &f, findings, w->error);
    while (status == REPORT_OK && more && report_rank(f.severity) != r->worst);
    if (status != REPORT_OK || !more)
        return status;
    fputs(" # TODO ", w->out);
    report_put_known(w->out, REPORT_TAP, &f);
    return REPORT_OK;
}

static report_status put_case(report_writing *w, report_cursor *findings,
                              const report_result *r, int64_t test)
{
    FILE *out = w->out;
    bool red = r->outcome >= REPORT_KNOWN;
    report_status status = REPORT_OK;
    char *place = report_subject_place(&w->subject, w->view, r->path);
    if (place == NULL)
        return report_fail(w->error, REPORT_NO_MEMORY, "out of memory");
    fprintf(out, "%s %lld - ", red ? "not ok" : "ok", (long long)test);
    report_put(out, REPORT_TAP, place);
    free(place);
    if (r->outcome == REPORT_SKIPPED) {
        fputs(" # SKIP ", out);
        report_put_reason(out, REPORT_TAP, r);
    }
    if (r->outcome == REPORT_KNOWN)
        status = put_todo(w, findings, r);
    putc('\n', out);
    if (status == REPORT_OK && (red || r->listed > 0))
        status = put_block(w, findings, r);
    return status;
}

static report_status put_cases(report_writing *w, int64_t *test)
{
    report_cursor cases = {0}, findings = {0};
    report_result r;
    bool more = true;
    report_status status = report_cases_open(
        &cases, w->store, w->subject.run, w->view, REPORT_BY_NUMBER, w->error);
    if (status == REPORT_OK)
        status =
            report_findings_open(&findings, w->store, w->subject.run, w->error);
    while (status == REPORT_OK && !ferror(w->out)) {
        status = report_cursor_next(&more, &r, &cases, w->error);
        if (status != REPORT_OK || !more)
            break;
        status = put_case(w, &findings, &r, ++*test);
    }
    report_cursor_close(&cases);
    report_cursor_close(&findings);
    return status;
}

static report_status body(report_writing *w)
{
    FILE *out = w->out;
    const report_subject *s = &w->subject;
    int64_t judged = 0, unlisted = 0, test = 0;
    report_status status =
        report_count(&judged, w->store, s->run, "verdict", NULL, w->error);
    if (status == REPORT_OK)
        status = report_unlisted_cases(&unlisted, w->store, s->run, w->error);
    if (status != REPORT_OK)
        return status;
    bool nothing = judged == 0;
    fprintf(out, "TAP version 14\n1..%lld\n# counterpoint ",
            (long long)(judged - unlisted + (unlisted > 0) + nothing));
    report_put(out, REPORT_TAP, s->tool);
    fprintf(out, ", run %lld\n", (long long)s->run);
    status = put_cases(w, &test);
    if (unlisted > 0)
        fprintf(out, "ok %lld - %lld more cases have no finding\n",
                (long long)test + 1, (long long)unlisted);
    if (nothing)
        fputs("not ok 1 - nothing was judged\n", out);
    if (s->digest == NULL)
        fprintf(out,
                "Bail out! run %lld was interrupted: what is listed was "
                "recorded before\n",
                (long long)s->run);
    return status;
}

report_status report_write_tap(FILE *out, report_store *store,
                               const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, true, body);
}
