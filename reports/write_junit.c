/*
 * JUnit XML as the common schema has it: one child at most in a test case,
 * and a time stamp in each suite, which is a constant here.
 */
#include <stdlib.h>
#include <string.h>

#include "results.h"

typedef struct suite {
    const char *name;
    int64_t id;
    int64_t count[REPORT_OUTCOMES];
} suite;

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    report_put(out, REPORT_XML, value);
    putc('"', out);
}

static void put_property(FILE *out, const char *name, const char *value)
{
    fputs("      <property", out);
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    fputs("/>\n", out);
}

/* A name that is more than blanks, which the schema takes for nothing. */
static const char *named(const char *name)
{
    return name[strspn(name, " ")] == '\0' ? "unknown" : name;
}

static void begin_suite(report_writing *w, const suite *s)
{
    FILE *out = w->out;
    int64_t tests = 0;
    for (int i = 0; i < REPORT_OUTCOMES; i++)
        tests += s->count[i];
    fprintf(out, "  <testsuite package=\"counterpoint\" id=\"%lld\"",
            (long long)s->id);
    put_attribute(out, "name", named(s->name));
    fprintf(out,
            " timestamp=\"1970-01-01T00:00:00\" hostname=\"localhost\""
            " tests=\"%lld\" failures=\"%lld\" errors=\"%lld\""
            " skipped=\"%lld\" time=\"0\">\n    <properties>\n",
            (long long)tests, (long long)s->count[REPORT_FAILS],
            (long long)s->count[REPORT_ERRS],
            (long long)(s->count[REPORT_SKIPPED] + s->count[REPORT_KNOWN]));
}

static void end_suite(FILE *out)
{
    fputs("    <system-out></system-out>\n    <system-err></system-err>\n"
          "  </testsuite>\n",
          out);
}

/* --- The run itself --- */

static void put_run_case(FILE *out, const char *name, const char *problem)
{
    fputs("    <testcase", out);
    put_attribute(out, "name", name);
    fputs(" classname=\"run\" time=\"0\"", out);
    if (problem == NULL) {
        fputs("/>\n", out);
        return;
    }
    fputs("><error", out);
    put_attribute(out, "message", problem);
    fputs(" type=\"run\"></error></testcase>\n", out);
}

/* An interrupted run, and one that judged nothing, is not green. */
static report_status put_run(report_writing *w)
{
    char number[24], name[64];
    int64_t judged = 0, unlisted = 0;
    const report_subject *s = &w->subject;
    report_status status =
        report_count(&judged, w->store, s->run, "verdict", NULL, w->error);
    if (status == REPORT_OK)
        status = report_unlisted_cases(&unlisted, w->store, s->run, w->error);
    if (status != REPORT_OK)
        return status;
    const char *problem =
        s->digest == NULL ? "interrupted: what is listed was recorded before"
        : judged == 0     ? "nothing was judged"
                          : NULL;
    suite run = {.name = "run"};
    run.count[problem == NULL ? REPORT_PASSES : REPORT_ERRS] = 1;
    run.count[REPORT_PASSES] += unlisted > 0;
    begin_suite(w, &run);
    snprintf(number, sizeof number, "%lld", (long long)s->run);
    put_property(w->out, "run", number);
    put_property(w->out, "tool", s->tool);
    put_property(w->out, "options", s->options);
    if (s->digest != NULL)
        put_property(w->out, "digest", s->digest);
    fputs("    </properties>\n", w->out);
    put_run_case(w->out, "the run comes to its end", problem);
    snprintf(name, sizeof name, "%lld more cases have no finding",
             (long long)unlisted);
    if (unlisted > 0)
        put_run_case(w->out, name, NULL);
    end_suite(w->out);
    return REPORT_OK;
}

/* --- Cases --- */

typedef struct walk {
    report_writing *w;
    report_cursor ahead;    /* counts a suite before it is written */
    report_cursor at;       /* writes it */
    report_cursor findings; /* of the case that is written */
    report_result next;     /* of `ahead` */
    bool more;
    char *last;    /* path of the case before, in its suite */
    int64_t times; /* that it was there in a row */
} walk;

static void put_finding(FILE *out, const char *place, const report_result *f)
{
    report_put(out, REPORT_XML, place);
    if (f->line > 0)
        fprintf(out, ":%lld", (long long)f->line);
    fputs(": ", out);
    report_put(out, REPORT_XML, f->severity);
    putc(' ', out);
    report_put(out, REPORT_XML, f->rule);
    if (f->cause != NULL) {
        fputs(" (", out);
        report_put(out, REPORT_XML, f->cause);
        putc(')', out);
    }
    fputs(" [", out);
    report_put(out, REPORT_XML, f->signature);
    fputs("]: ", out);
    report_put(out, REPORT_XML, f->message);
    fputs(f->until == NULL ? "" : " (", out);
    report_put_known(out, REPORT_XML, f);
    fputs(f->until == NULL ? "\n" : ")\n", out);
}

static report_status put_body(walk *k, const report_result *r,
                              const char *place)
{
    report_result f;
    bool more = true;
    FILE *out = k->w->out;
    report_status status = REPORT_OK;
    report_findings_of(&k->findings, r->number);
    while (status == REPORT_OK && !ferror(out)) {
        status = report_cursor_next(&more, &f, &k->findings, k->w->error);
        if (status != REPORT_OK || !more)
            break;
        put_finding(out, place, &f);
    }
    if (r->total > r->listed)
        fprintf(out, "%lld more findings are not listed\n",
                (long long)(r->total - r->listed));
    if (status == REPORT_OK)
        status = report_put_command(k->w, REPORT_XML, "", "", r->path);
    return status;
}

/* The first finding of a rank that is a known issue, or is none; false: there
   is none. */
static report_status find_one(bool *found, report_result *f, walk *k,
                              int64_t number, int rank, bool known)
{
    report_status status = REPORT_OK;
    *found = true;
    report_findings_of(&k->findings, number);
    do
        status = report_cursor_next(found, f, &k->findings, k->w->error);
    while (status == REPORT_OK && *found &&
           (report_rank(f->severity) != rank || report_is_known(f) != known));
    return status;
}

/* What would be red, by known issues alone. */
static report_status put_accepted(walk *k, const report_result *r,
                                  const char *place)
{
    report_result f;
    bool found;
    FILE *out = k->w->out;
    report_status status = find_one(&found, &f, k, r->number, r->worst, true);
    if (status != REPORT_OK)
        return status;
    fputs("<skipped message=\"", out);
    report_put_known(out, REPORT_XML, &f);
    fputs("\">", out);
    status = put_body(k, r, place);
    fputs("</skipped>", out);
    return status;
}

static report_status put_failure(walk *k, const report_result *r,
                                 const char *place)
{
    report_result f;
    bool found, fails = r->outcome == REPORT_FAILS;
    bool known = r->worst_new == REPORT_NO_RANK;
    FILE *out = k->w->out;
    report_status status = find_one(&found, &f, k, r->number,
                                    known ? r->worst : r->worst_new, known);
    if (status != REPORT_OK)
        return status;
    fprintf(out, "<%s message=\"", fails ? "failure" : "error");
    if (found) {
        report_put(out, REPORT_XML, f.message);
        if (r->total > 1)
            fprintf(out, " (and %lld more)", (long long)r->total - 1);
    } else {
        report_put_reason(out, REPORT_XML, r);
    }
    putc('"', out);
    put_attribute(out, "type", found ? f.rule : r->verdict);
    putc('>', out);
    status = put_body(k, r, place);
    fputs(fails ? "</failure>" : "</error>", out);
    return status;
}

static report_status put_outcome(walk *k, const report_result *r,
                                 const char *place)
{
    FILE *out = k->w->out;
    report_status status = REPORT_OK;
    if (r->outcome == REPORT_PASSES) {
        fputs("/>\n", out);
        return REPORT_OK;
    }
    putc('>', out);
    if (r->outcome == REPORT_SKIPPED) {
        fputs("<skipped message=\"", out);
        report_put_reason(out, REPORT_XML, r);
        fputs("\"></skipped>", out);
    } else if (r->outcome == REPORT_KNOWN) {
        status = put_accepted(k, r, place);
    } else {
        status = put_failure(k, r, place);
    }
    fputs("</testcase>\n", out);
    return status;
}

/* Some viewers take only the first of a name: the others get a number. */
static bool count_name(walk *k, const char *path)
{
    bool again = k->last != NULL && strcmp(k->last, path) == 0;
    k->times = again ? k->times + 1 : 1;
    if (again)
        return true;
    free(k->last);
    k->last = strdup(path);
    return k->last != NULL;
}

static report_status put_case(walk *k, const report_result *r)
{
    FILE *out = k->w->out;
    char *place = report_subject_place(&k->w->subject, k->w->view, r->path);
    if (place == NULL || !count_name(k, r->path)) {
        free(place);
        return report_fail(k->w->error, REPORT_NO_MEMORY, "out of memory");
    }
    fputs("    <testcase name=\"", out);
    report_put(out, REPORT_XML, place);
    if (k->times > 1)
        fprintf(out, " (%lld)", (long long)k->times);
    putc('"', out);
    put_attribute(out, "classname", named(r->kind));
    fputs(" time=\"0\"", out);
    report_status status = put_outcome(k, r, place);
    free(place);
    return status;
}

/* --- Suites --- */

static report_status step_ahead(walk *k)
{
    return report_cursor_next(&k->more, &k->next, &k->ahead, k->w->error);
}

/* Counts what has the kind of the next case. */
static report_status count_suite(suite *s, int64_t *tests, walk *k)
{
    report_status status = REPORT_OK;
    *tests = 0;
    do {
        s->count[k->next.outcome]++;
        ++*tests;
        status = step_ahead(k);
    } while (status == REPORT_OK && k->more &&
             strcmp(k->next.kind, s->name) == 0);
    return status;
}

static report_status put_suite(walk *k, int64_t id)
{
    int64_t tests = 0;
    char *name = strdup(k->next.kind);
    suite s = {.name = name, .id = id};
    if (name == NULL)
        return report_fail(k->w->error, REPORT_NO_MEMORY, "out of memory");
    report_status status = count_suite(&s, &tests, k);
    if (status == REPORT_OK) {
        begin_suite(k->w, &s);
        fputs("    </properties>\n", k->w->out);
    }
    free(k->last);
    k->last = NULL;
    for (; status == REPORT_OK && tests > 0 && !ferror(k->w->out); tests--) {
        bool more;
        report_result r;
        status = report_cursor_next(&more, &r, &k->at, k->w->error);
        if (status == REPORT_OK && more)
            status = put_case(k, &r);
    }
    end_suite(k->w->out);
    free(name);
    return status;
}

static report_status put_suites(walk *k)
{
    report_writing *w = k->w;
    int64_t run = w->subject.run;
    report_status status = report_cases_open(&k->ahead, w->store, run, w->view,
                                             REPORT_BY_KIND, w->error);
    if (status == REPORT_OK)
        status = report_cases_open(&k->at, w->store, run, w->view,
                                   REPORT_BY_KIND, w->error);
    if (status == REPORT_OK)
        status = report_findings_open(&k->findings, w->store, run, w->error);
    if (status == REPORT_OK)
        status = step_ahead(k);
    for (int64_t id = 1; status == REPORT_OK && k->more && !ferror(w->out);
         id++)
        status = put_suite(k, id);
    return status;
}

static report_status body(report_writing *w)
{
    walk k = {.w = w};
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", w->out);
    report_status status = put_run(w);
    if (status == REPORT_OK)
        status = put_suites(&k);
    fputs("</testsuites>\n", w->out);
    report_cursor_close(&k.ahead);
    report_cursor_close(&k.at);
    report_cursor_close(&k.findings);
    free(k.last);
    return status;
}

report_status report_write_junit(FILE *out, report_store *store,
                                 const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, true, body);
}
