/* The trend of the HTML report: findings and inputs of the last runs. */
#include "html_page.h"

#define TREND_RUNS 30

typedef struct bar {
    int64_t run;
    int64_t inputs, parts[3]; /* findings: notes, warnings, errors */
    bool ended;
} bar;

typedef struct trend {
    bar bars[TREND_RUNS];
    size_t count;
} trend;

#define SUM(what)                                                              \
    "coalesce((SELECT sum(n) FROM counts AS c WHERE c.run = r.run AND " what   \
    "), 0)"
#define INPUTS SUM("what = 'verdict'")
#define NOTES SUM("what = 'severity' AND key = 'note'")
#define WARNINGS SUM("what = 'severity' AND key = 'warning'")
#define ERRORS SUM("what = 'severity' AND key = 'error'")
static const char bars_sql[] =
    "SELECT * FROM (SELECT run, digest IS NOT NULL, " INPUTS ", " NOTES
    ", " WARNINGS ", " ERRORS
    " FROM runs AS r WHERE run <= ?1 ORDER BY run DESC LIMIT 30) ORDER BY run";

static report_status read_trend(trend *t, report_writing *w)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(w->store->db, bars_sql, -1, &row, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(row, 1, w->subject.run);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(row);
        if (code != SQLITE_ROW || t->count == TREND_RUNS)
            break;
        t->bars[t->count++] = (bar){
            .run = report_html_number(row, 0),
            .ended = report_html_number(row, 1) != 0,
            .inputs = report_html_number(row, 2),
            .parts = {report_html_number(row, 3), report_html_number(row, 4),
                      report_html_number(row, 5)},
        };
    }
    report_status status = REPORT_OK;
    if (code != SQLITE_DONE)
        status =
            report_fail_sql(w->error, w->store, "the database cannot be read");
    sqlite3_finalize(row);
    return status;
}

#define STEP 26
#define BAR 16
#define LEFT 8
#define TALL 96  /* of the findings */
#define LOW 32   /* of the inputs */
#define BASE 116 /* where the findings stand */
#define FOOT 186 /* where the inputs stand */

static int64_t sum_of(const bar *b)
{
    return b->parts[0] + b->parts[1] + b->parts[2];
}

static void put_bar(report_html *p, const bar *b, size_t i, double most,
                    double most_inputs)
{
    static const char *const colors[] = {"note", "warning", "error"};
    double x = LEFT + (double)i * STEP, y = BASE;
    fprintf(p->out,
            "<g%s><title>Run %lld: %lld errors, %lld warnings, %lld notes in "
            "%lld inputs%s</title>",
            b->ended ? "" : " class=\"unended\"", (long long)b->run,
            (long long)b->parts[2], (long long)b->parts[1],
            (long long)b->parts[0], (long long)b->inputs,
            b->ended ? "" : ", interrupted");
    for (int s = 0; s < 3; s++) {
        double height = TALL * (double)b->parts[s] / most;
        y -= height;
        if (b->parts[s] > 0)
            fprintf(p->out,
                    "<rect class=\"f-%s\" x=\"%.0f\" y=\"%.2f\" width=\"%d\""
                    " height=\"%.2f\"/>",
                    colors[s], x, y, BAR, height);
    }
    double height = LOW * (double)b->inputs / most_inputs;
    fprintf(p->out,
            "<rect class=\"f-other\" x=\"%.0f\" y=\"%.2f\" width=\"%d\""
            " height=\"%.2f\"/>",
            x, FOOT - height, BAR, height);
    fprintf(p->out,
            "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%lld</text>"
            "</g>\n",
            x + BAR / 2, FOOT + 16, (long long)b->run);
}

static void put_trend_table(report_html *p, const trend *t)
{
    report_html_put(
        p, "<details class=\"plain\"><summary>As a table</summary>\n"
           "<div class=\"scroll\"><table class=\"narrow\"><thead><tr>"
           "<th class=\"num\" scope=\"col\">Run</th>"
           "<th class=\"num\" scope=\"col\">Errors</th>"
           "<th class=\"num\" scope=\"col\">Warnings</th>"
           "<th class=\"num\" scope=\"col\">Notes</th>"
           "<th class=\"num\" scope=\"col\">Inputs</th></tr></thead><tbody>\n");
    for (size_t i = t->count; i-- > 0;) {
        const bar *b = &t->bars[i];
        fprintf(p->out,
                "<tr><td class=\"num\">%lld%s</td><td class=\"num\">%lld</td>"
                "<td class=\"num\">%lld</td><td class=\"num\">%lld</td>"
                "<td class=\"num\">%lld</td></tr>\n",
                (long long)b->run, b->ended ? "" : " (interrupted)",
                (long long)b->parts[2], (long long)b->parts[1],
                (long long)b->parts[0], (long long)b->inputs);
    }
    report_html_put(p, "</tbody></table></div></details>\n");
}

static void put_chart(report_html *p, const trend *t)
{
    int64_t most = 1, most_inputs = 1;
    int width = 2 * LEFT + (int)t->count * STEP;
    width = width < 300 ? 300 : width;
    for (size_t i = 0; i < t->count; i++) {
        const bar *b = &t->bars[i];
        most = sum_of(b) > most ? sum_of(b) : most;
        most_inputs = b->inputs > most_inputs ? b->inputs : most_inputs;
    }
    fprintf(p->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"img\" aria-label=\""
            "Findings and inputs of the last %zu runs; the table below has "
            "the numbers\"><svg class=\"chart\" width=\"%d\" height=\"208\""
            " viewBox=\"0 0 %d 208\" aria-hidden=\"true\">\n",
            t->count, width, width);
    fprintf(p->out,
            "<text x=\"%d\" y=\"12\">Findings (at most %lld)</text>"
            "<text x=\"%d\" y=\"%d\">Inputs (at most %lld)</text>\n",
            LEFT, (long long)most, LEFT, FOOT - LOW - 8,
            (long long)most_inputs);
    fprintf(p->out, "<path class=\"axis\" d=\"M0 %d.5H%dM0 %d.5H%d\"/>\n", BASE,
            width, FOOT, width);
    for (size_t i = 0; i < t->count; i++)
        put_bar(p, &t->bars[i], i, (double)most, (double)most_inputs);
    report_html_put(p, "</svg></div>\n");
}

static void put_key(report_html *p, const char *color, const char *name)
{
    fprintf(p->out,
            "<li><svg class=\"key\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">"
            "<rect class=\"f-%s\" width=\"12\" height=\"12\"/></svg>%s</li>",
            color, name);
}

/* One run is no trend. */
report_status report_html_trend(report_html *p)
{
    trend t = {.count = 0};
    report_status status = read_trend(&t, p->w);
    if (status != REPORT_OK || t.count < 2)
        return status;
    report_html_put(p, "<section aria-labelledby=\"trend-title\">\n"
                       "<h2 id=\"trend-title\">Trend over runs</h2>\n"
                       "<div class=\"card\">\n<ul class=\"legend\">");
    put_key(p, "error", "errors");
    put_key(p, "warning", "warnings");
    put_key(p, "note", "notes");
    put_key(p, "other", "inputs");
    report_html_put(p, "</ul>\n");
    put_chart(p, &t);
    put_trend_table(p, &t);
    report_html_put(p, "</div>\n</section>\n");
    return status;
}
