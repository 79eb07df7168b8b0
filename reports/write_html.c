/* One file with everything in it: summary, trend, causes and their pages. */
#include "html.h"
#include "html_page.h"

#include <stdlib.h>
#include <string.h>

#define TITLE_BYTES ((size_t)1000)
#define REASON_BYTES ((size_t)300)

/* --- Summary --- */

static void put_tile(report_html *p, const char *kind, const char *name,
                     int64_t n)
{
    fprintf(p->out, "<div class=\"tile%s\"><dt>%s</dt><dd>%lld</dd></div>\n",
            n > 0 ? kind : "", name, (long long)n);
}

/* The colour in which a verdict is told. */
static const char *color_of(const char *verdict)
{
    static const struct {
        const char *verdict, *color;
    } colors[] = {
        {"clean", "good"},    {"findings", "error"},  {"undecided", "warning"},
        {"crashed", "error"}, {"timed_out", "error"},
    };
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        if (strcmp(colors[i].verdict, verdict) == 0)
            return colors[i].color;
    return "other";
}

#define VERDICTS                                                               \
    "SELECT key, n, coalesce((SELECT sum(n) FROM counts AS b WHERE b.run = ?1" \
    " AND b.what = 'verdict' AND (b.n > c.n OR (b.n = c.n AND b.key < c.key)"  \
    ")), 0) FROM counts AS c WHERE run = ?1 AND what = 'verdict' AND n > 0"    \
    " ORDER BY n DESC, key"

static void put_share(report_html *p, sqlite3_stmt *row, size_t index)
{
    double whole = (double)(p->inputs > 0 ? p->inputs : 1);
    (void)index;
    fprintf(p->out,
            "<rect class=\"f-%s\" x=\"%.2f\" width=\"%.2f\" height=\"12\"/>",
            color_of(report_html_column(row, 0)),
            1000 * (double)report_html_number(row, 2) / whole,
            1000 * (double)report_html_number(row, 1) / whole);
}

static void put_verdict(report_html *p, sqlite3_stmt *row, size_t index)
{
    (void)index;
    fprintf(p->out,
            "<li><svg class=\"key\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">"
            "<rect class=\"f-%s\" width=\"12\" height=\"12\"/></svg>"
            "<b>%lld</b> ",
            color_of(report_html_column(row, 0)), report_html_number(row, 1));
    for (const char *at = report_html_column(row, 0); *at != '\0'; at++)
        fputc(*at == '_' ? ' ' : *at, p->out);
    report_html_put(p, "</li>\n");
}

static void put_fact(report_html *p, const char *name)
{
    fprintf(p->out, "<dt>%s</dt><dd>", name);
}

/* A member of the options with its value; numbers as they are written. */
static report_status put_member(bool *first, report_html *p, sqlite3_stmt *row)
{
    const char *name = report_html_column(row, 0);
    bool usual;
    report_status status = report_is_usual(
        &usual, p->w->store, p->w->subject.options, name, p->w->error);
    if (status != REPORT_OK || usual)
        return status;
    report_html_put(p, *first ? "<code>" : ", <code>");
    report_html_start(p, name, REASON_BYTES);
    report_html_start(p, report_html_column(row, 1), TITLE_BYTES);
    report_html_put(p, "</code>");
    *first = false;
    return REPORT_OK;
}

/* A member each that is set and not as usual; what is no object as it is. */
static report_status put_options(report_html *p)
{
    static const char sql[] =
        "SELECT key, CASE type WHEN 'true' THEN '' WHEN 'array' THEN (SELECT"
        " ' ' || group_concat(value, ' ') FROM json_each(m.value))"
        " ELSE ' ' || value END FROM json_each(?1) AS m"
        " WHERE type NOT IN ('null', 'false')";
    const report_writing *w = p->w;
    const char *options = w->subject.options;
    sqlite3_stmt *row = NULL;
    bool first = true;
    int code = sqlite3_prepare_v2(w->store->db, sql, -1, &row, NULL);
    report_status status = REPORT_OK;
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(row, 1, options, -1, SQLITE_STATIC);
    while (code == SQLITE_OK && status == REPORT_OK &&
           sqlite3_step(row) == SQLITE_ROW)
        status = put_member(&first, p, row);
    sqlite3_finalize(row);
    if (first)
        report_html_start(p, options, TITLE_BYTES);
    return status;
}

static void put_reason(report_html *p, sqlite3_stmt *row, size_t index)
{
    (void)index;
    fprintf(p->out, "<tr><td class=\"num\">%lld</td><td>",
            report_html_number(row, 1));
    report_html_start(p, report_html_column(row, 0), REASON_BYTES);
    report_html_put(p, "</td></tr>\n");
}

static void put_count(report_html *p, sqlite3_stmt *row, size_t index)
{
    (void)index;
    report_html_put(p, "<tr><td>");
    report_html_start(p, report_html_column(row, 2), REASON_BYTES);
    report_html_put(p, "</td><td>");
    report_html_start(p, report_html_column(row, 0), REASON_BYTES);
    fprintf(p->out, "</td><td class=\"num\">%lld</td></tr>\n",
            report_html_number(row, 1));
}

/* A table that is folded; nothing when it has no rows. */
static report_status put_folded(report_html *p, const char *title,
                                const char *head, const char *sql,
                                report_html_row *write)
{
    report_status status;
    size_t count;
    FILE *out = p->out;
    char *body = NULL;
    size_t length;
    p->out = open_memstream(&body, &length);
    if (p->out == NULL) {
        p->out = out;
        return report_fail(p->w->error, REPORT_NO_MEMORY, "out of memory");
    }
    status = report_html_each(p, sql, write, &count);
    if (fclose(p->out) != 0 && status == REPORT_OK)
        status = report_fail(p->w->error, REPORT_NO_MEMORY, "out of memory");
    p->out = out;
    if (status == REPORT_OK && count > 0)
        fprintf(out,
                "<details class=\"plain\"><summary>%s</summary>\n"
                "<div class=\"scroll\"><table class=\"narrow\"><thead><tr>%s"
                "</tr></thead><tbody>\n%s</tbody></table></div></details>\n",
                title, head, body);
    free(body);
    return status;
}

static void put_revision(report_html *p, sqlite3_stmt *row, size_t index)
{
    (void)index;
    put_fact(p, "Revision");
    report_html_put(p, "<code>");
    report_html_start(p, report_html_column(row, 0), REASON_BYTES);
    report_html_put(p, "</code></dd>\n");
}

static report_status put_facts(report_html *p)
{
    const report_subject *s = &p->w->subject;
    report_html_put(p, "<dl class=\"facts\">\n");
    report_status status = report_html_each(
        p, "SELECT revision FROM runs WHERE run = ?1 AND revision IS NOT NULL",
        put_revision, NULL);
    put_fact(p, "Options");
    if (status == REPORT_OK)
        status = put_options(p);
    report_html_put(p, "</dd>\n");
    put_fact(p, "Digest");
    if (s->digest == NULL) {
        report_html_put(p, "none: the run was interrupted");
    } else {
        report_html_put(p, "<code>");
        report_html_start(p, s->digest, REASON_BYTES);
        report_html_put(p, "</code>");
    }
    report_html_put(p, "</dd>\n</dl>\n");
    return status;
}

static report_status put_summary(report_html *p)
{
    report_html_put(p, "<dl class=\"tiles\">\n");
    put_tile(p, "", "Inputs", p->inputs);
    put_tile(p, " error", "Errors", p->errors);
    put_tile(p, " warning", "Warnings", p->warnings);
    put_tile(p, " note", "Notes", p->notes);
    report_html_put(p, "</dl>\n<div class=\"card\">\n");
    if (p->inputs > 0)
        report_html_put(p,
                        "<svg class=\"share\" viewBox=\"0 0 1000 12\""
                        " preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    report_status status = REPORT_OK;
    if (p->inputs > 0)
        status = report_html_each(p, VERDICTS, put_share, NULL);
    report_html_put(p, p->inputs > 0 ? "</svg>\n<ul class=\"legend\">\n"
                                     : "<p>No input was judged.</p>\n");
    if (p->inputs > 0 && status == REPORT_OK)
        status = report_html_each(p, VERDICTS, put_verdict, NULL);
    report_html_put(p, p->inputs > 0 ? "</ul>\n" : "");
    if (p->w->subject.fuzz)
        report_html_put(p,
                        "<p class=\"quiet small said\">These are verdicts on "
                        "cases, many of which have a planted fault. What "
                        "is wrong are the findings below.</p>\n");
    if (status == REPORT_OK)
        status = put_facts(p);
    if (status == REPORT_OK)
        status = put_folded(
            p, "Why inputs were refused or cut short",
            "<th class=\"num\" scope=\"col\">Inputs</th>"
            "<th scope=\"col\">Reason</th>",
            "SELECT key, n FROM counts WHERE run = ?1 AND what = 'reason'"
            " ORDER BY n DESC, key LIMIT 50",
            put_reason);
    if (status == REPORT_OK)
        status = put_folded(
            p, "All counts of the run",
            "<th scope=\"col\">What</th><th scope=\"col\">Which</th>"
            "<th class=\"num\" scope=\"col\">Count</th>",
            "SELECT key, n, what FROM counts WHERE run = ?1"
            " AND what <> 'reason' ORDER BY what, n DESC, key LIMIT 500",
            put_count);
    report_html_put(p, "</div>\n");
    return status;
}

/* --- The table of causes --- */

/* In its colour when it is one that we know. */
static void put_severity(report_html *p, const char *severity)
{
    static const char *const known[] = {"error", "warning", "note"};
    report_html_put(p, "<span class=\"pill");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], severity) == 0)
            fprintf(p->out, " %s", known[i]);
    report_html_put(p, "\">");
    report_html_start(p, severity, REASON_BYTES);
    report_html_put(p, "</span>");
}

static void put_bucket(report_html *p, sqlite3_stmt *row, size_t index)
{
    const char *state = report_html_column(row, ISSUE_STATE);
    const char *title = report_html_column(row, ISSUE_TITLE);
    (void)index;
    fprintf(p->out, "<tr id=\"bucket-%lld\"><td>",
            report_html_number(row, ISSUE_BUCKET));
    put_severity(p, report_html_column(row, ISSUE_SEVERITY));
    fprintf(p->out,
            "</td><td><span class=\"pill %s\">%s</span>%s</td>"
            "<td class=\"what\"><a href=\"#bucket-%lld\">",
            state, state,
            report_html_number(row, ISSUE_EXPIRED) != 0
                ? " <span class=\"pill expired\">expired</span>"
                : "",
            report_html_number(row, ISSUE_BUCKET));
    report_html_start(p, *title == '\0' ? "(no message)" : title, TITLE_BYTES);
    report_html_put(p, "</a><div class=\"sub\"><code class=\"rule\">");
    report_html_start(p, report_html_column(row, ISSUE_RULE), REASON_BYTES);
    report_html_put(p, "</code><span class=\"mono\">");
    report_html_start(p, report_html_column(row, ISSUE_PATH), REASON_BYTES);
    if (report_html_number(row, ISSUE_LINE) > 0)
        fprintf(p->out, ":%lld", report_html_number(row, ISSUE_LINE));
    fprintf(p->out,
            "</span></div></td>"
            "<td class=\"num\" data-label=\"here\">%lld</td>"
            "<td class=\"num\" data-label=\"in all\">%lld</td>"
            "<td class=\"num\" data-label=\"first run\">%lld</td>"
            "<td class=\"num\" data-label=\"last run\">%lld</td></tr>\n",
            report_html_number(row, ISSUE_HERE),
            report_html_number(row, ISSUE_ALL),
            report_html_number(row, ISSUE_FIRST),
            report_html_number(row, ISSUE_LAST));
}

static const char tools[] =
    "<div class=\"tools\" role=\"search\">\n"
    "<div class=\"find\"><label for=\"search\">Search messages, rules, paths, "
    "tasks</label><input id=\"search\" type=\"search\" autocomplete=\"off\""
    " spellcheck=\"false\"></div>\n"
    "<div><label for=\"by-severity\">Severity</label>"
    "<select id=\"by-severity\"><option value=\"\">All</option></select></div>"
    "\n<div><label for=\"by-state\">State</label>"
    "<select id=\"by-state\"><option value=\"\">All</option></select></div>\n"
    "<div><label for=\"by-rule\">Rule</label>"
    "<select id=\"by-rule\"><option value=\"\">All</option></select></div>\n"
    "</div>\n"
    "<div class=\"status\"><p id=\"count\" class=\"quiet\" role=\"status\">"
    "</p><button id=\"clear\" type=\"button\" hidden>Clear filters</button>"
    "</div>\n"
    "<p id=\"none\" class=\"card empty\" hidden>Nothing is like this.</p>\n"
    "<table id=\"table\" class=\"buckets\"><thead><tr>"
    "<th scope=\"col\" data-sort=\"severity\">Severity</th>"
    "<th scope=\"col\" data-sort=\"state\">State</th>"
    "<th scope=\"col\" data-sort=\"rule\">Finding</th>"
    "<th scope=\"col\" class=\"num\" data-sort=\"here\">In run</th>"
    "<th scope=\"col\" class=\"num\" data-sort=\"all\">In all</th>"
    "<th scope=\"col\" class=\"num\" data-sort=\"first\">First</th>"
    "<th scope=\"col\" class=\"num\" data-sort=\"last\">Last</th>"
    "</tr></thead>\n<tbody id=\"rows\">\n";

static void put_state(report_html *p, sqlite3_stmt *row, size_t index)
{
    const char *state = report_html_column(row, 0);
    (void)index;
    fprintf(p->out,
            "<span><b>%lld</b> <span class=\"pill %s\">%s</span></span>\n",
            report_html_number(row, 1), state, state);
}

/* How many are new, and so on: what the reader wants to know first. */
static report_status put_states(report_html *p)
{
    report_html_put(p, "<p class=\"states\">");
    report_status status =
        report_html_each(p, report_html_state_counts, put_state, NULL);
    report_html_put(p, "</p>\n");
    return status;
}

static report_status put_findings(report_html *p)
{
    int64_t all = 0;
    size_t count = 0;
    report_status status =
        report_ask(&all, p->w->store, report_html_issue_count,
                   p->w->subject.run, p->w->error);
    if (status != REPORT_OK)
        return status;
    if (all == 0) {
        report_html_put(p, "<p class=\"card empty\">Nothing was found.</p>\n");
        return REPORT_OK;
    }
    status = put_states(p);
    if (status != REPORT_OK)
        return status;
    report_html_put(p, tools);
    status = report_html_each(p, report_html_issues, put_bucket, &count);
    report_html_put(
        p, "</tbody></table>\n"
           "<button id=\"more\" class=\"more\" type=\"button\" hidden></button>"
           "\n<p id=\"cut\" class=\"quiet print-only\"></p>\n");
    if (status == REPORT_OK && all > (int64_t)count) {
        fprintf(p->out,
                "<p class=\"quiet\">%lld more causes, of less weight than "
                "these, are left out: <code>",
                (long long)all - (long long)count);
        status = report_put_verb(p->w, REPORT_XML, "triage list");
        report_html_put(p, "</code> has them.</p>\n");
    }
    if (count > REPORT_DETAILS)
        fprintf(p->out,
                "<p class=\"quiet\">The first %d of them have a page with all "
                "details here, the other %lld a short one.</p>\n",
                REPORT_DETAILS, (long long)count - REPORT_DETAILS);
    return status;
}

/* --- The frame --- */

static report_status put_title(report_html *p)
{
    fprintf(p->out, "Run %lld: ", (long long)p->w->subject.run);
    report_html_plural(p, p->errors, "error");
    report_html_put(p, ", ");
    report_html_plural(p, p->warnings, "warning");
    report_html_put(p, " - Counterpoint");
    return REPORT_OK;
}

static report_status put_heading(report_html *p)
{
    fprintf(p->out, "Run %lld", (long long)p->w->subject.run);
    return REPORT_OK;
}

static report_status put_tool(report_html *p)
{
    report_html_start(p, p->w->subject.tool, REASON_BYTES);
    return REPORT_OK;
}

static report_status put_lead(report_html *p)
{
    if (p->w->subject.digest == NULL)
        report_html_put(
            p, "The run was interrupted: this is what was committed before. ");
    if (p->findings == 0) {
        report_html_plural(p, p->inputs, "input");
        report_html_put(p, ", and nothing was found in them.");
        return REPORT_OK;
    }
    report_html_plural(p, p->errors, "error");
    report_html_put(p, ", ");
    report_html_plural(p, p->warnings, "warning");
    report_html_put(p, " and ");
    report_html_plural(p, p->notes, "note");
    report_html_put(p, " in ");
    report_html_plural(p, p->inputs, "input");
    report_html_put(p, ".");
    return REPORT_OK;
}

static report_status put_fixed(report_html *p, const char *text)
{
    report_html_put(p, text);
    return REPORT_OK;
}

static report_status put_style(report_html *p)
{
    return put_fixed(p, report_html_style);
}

static report_status put_style_digest(report_html *p)
{
    return put_fixed(p, report_html_style_digest);
}

static report_status put_script(report_html *p)
{
    return put_fixed(p, report_html_script);
}

static report_status put_script_digest(report_html *p)
{
    return put_fixed(p, report_html_script_digest);
}

static const struct part {
    const char *name;
    report_status (*write)(report_html *p);
} parts[] = {
    {"data", report_html_data}, {"findings", put_findings},
    {"heading", put_heading},   {"lead", put_lead},
    {"script", put_script},     {"script-digest", put_script_digest},
    {"style", put_style},       {"style-digest", put_style_digest},
    {"summary", put_summary},   {"title", put_title},
    {"tool", put_tool},         {"trend", report_html_trend},
};

static report_status put_part(report_html *p, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strlen(parts[i].name) == length &&
            memcmp(parts[i].name, name, length) == 0)
            return parts[i].write(p);
    return REPORT_OK;
}

/* The page, with each @NAME@ filled in. */
static report_status put_parts(report_html *p)
{
    report_status status = REPORT_OK;
    const char *at = report_html_page;
    while (status == REPORT_OK && *at != '\0') {
        size_t before = strcspn(at, "@");
        fwrite(at, 1, before, p->out);
        at += before;
        if (*at == '\0')
            break;
        size_t length = strcspn(at + 1, "@");
        status = put_part(p, at + 1, length);
        at += length + 2;
    }
    return status;
}

#define OF_RUN(what) "SELECT n FROM counts WHERE run = ?1 AND " what
#define SUM_OF_RUN(what)                                                       \
    "SELECT sum(n) FROM counts WHERE run = ?1 AND what = '" what "'"

static report_status read_counts(report_html *p)
{
    const struct {
        int64_t *value;
        const char *sql;
    } counts[] = {
        {&p->inputs, SUM_OF_RUN("verdict")},
        {&p->findings, SUM_OF_RUN("severity")},
        {&p->errors, OF_RUN("what = 'severity' AND key = 'error'")},
        {&p->warnings, OF_RUN("what = 'severity' AND key = 'warning'")},
        {&p->notes, OF_RUN("what = 'severity' AND key = 'note'")},
    };
    report_status status = REPORT_OK;
    for (size_t i = 0;
         status == REPORT_OK && i < sizeof counts / sizeof *counts; i++)
        status = report_ask(counts[i].value, p->w->store, counts[i].sql,
                            p->w->subject.run, p->w->error);
    return status;
}

static report_status write_page(report_writing *w)
{
    report_html p = {.w = w, .out = w->out};
    /* 64 MB: many causes have the same few large inputs. */
    report_status status =
        report_run_sql(w->store, "PRAGMA cache_size = -65536",
                       "the database cannot be read", w->error);
    if (status == REPORT_OK)
        status = read_counts(&p);
    return status == REPORT_OK ? put_parts(&p) : status;
}

report_status report_write_html(FILE *out, report_store *store,
                                const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, false, write_page);
}
