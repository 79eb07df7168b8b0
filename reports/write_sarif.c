/*
 * SARIF 2.1.0. A physical location for every result, since viewers refuse a
 * file in which one has none; as many results as GitHub takes, the gravest;
 * witnesses as steps of a thread flow, cut to what people look at.
 */
#include <stdlib.h>
#include <string.h>

#include "sarif.h"

/* What GitHub's code scanning takes in a run; it shows 5,000 of them. */
#define MOST_RESULTS 25000
#define MOST_RULES 25000
#define MOST_NOTES 1000

static const char schema[] =
    "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/"
    "sarif-schema-2.1.0.json";

typedef struct sarif {
    report_writing *w;
    char **rules; /* sorted */
    size_t rule_count;
    int64_t *cases; /* number of each result's */
    size_t case_count;
    report_witness witness;
    int64_t left_out; /* findings beyond the limit */
} sarif;

static report_status no_memory(const sarif *s)
{
    return report_fail(s->w->error, REPORT_NO_MEMORY, "out of memory");
}

static report_status unreadable(const sarif *s)
{
    return report_fail_sql(s->w->error, s->w->store,
                           "the database cannot be read");
}

/* --- Pieces of JSON --- */

static void put_string_member(FILE *out, const char *name, const char *value)
{
    fprintf(out, "\"%s\":", name);
    report_put_string(out, value);
}

static const char *level(const char *severity)
{
    static const char *const levels[] = {"error", "warning", "note"};
    return levels[report_rank(severity)];
}

/* --- Rules --- */

static bool add_rule(sarif *s, const char *name)
{
    char **grown = reallocarray(s->rules, s->rule_count + 1, sizeof *grown);
    if (grown == NULL)
        return false;
    s->rules = grown;
    s->rules[s->rule_count] = strdup(name);
    return s->rules[s->rule_count++] != NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those that the run has a finding of. */
static report_status read_rules(sarif *s)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    bool ok = true;
    if (sqlite3_prepare_v2(s->w->store->db,
                           "SELECT key FROM counts WHERE run = ?1"
                           " AND what = 'rule' ORDER BY key LIMIT ?2",
                           -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, s->w->subject.run);
        sqlite3_bind_int(row, 2, MOST_RULES);
        while (ok && (code = sqlite3_step(row)) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(row, 0);
            ok = name == NULL || add_rule(s, name);
        }
    }
    report_status status = !ok                   ? no_memory(s)
                           : code != SQLITE_DONE ? unreadable(s)
                                                 : REPORT_OK;
    sqlite3_finalize(row);
    if (s->rule_count > 1)
        qsort(s->rules, s->rule_count, sizeof *s->rules, by_name);
    return status;
}

/* -1: it is not among them. */
static long rule_index(const sarif *s, const char *name)
{
    char **found = s->rule_count == 0 ? NULL
                                      : bsearch(&name, s->rules, s->rule_count,
                                                sizeof *s->rules, by_name);
    return found == NULL ? -1 : (long)(found - s->rules);
}

/* "hazard.war": HazardWar. */
static void put_name(FILE *out, const char *id)
{
    bool starts = true;
    for (; *id != '\0'; id++) {
        char c = *id;
        bool lower = c >= 'a' && c <= 'z';
        bool letter = lower || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter)
            putc(lower && starts ? c - 'a' + 'A' : c, out);
        starts = !letter;
    }
}

static void put_page(FILE *out, const report_rule *rule)
{
    fputs(",\"help\":{\"markdown\":", out);
    report_put_page(out, rule->help);
    fputs(",\"text\":", out);
    report_put_page(out, rule->help);
    putc('}', out);
}

static void put_rule(const sarif *s, const char *id)
{
    FILE *out = s->w->out;
    report_rule rule = {0};
    const report_view *view = s->w->view;
    bool known = view->find != NULL && view->find(view->context, &rule, id);
    putc('{', out);
    put_string_member(out, "id", id);
    fputs(",\"name\":\"", out);
    put_name(out, id);
    putc('"', out);
    if (known && rule.summary != NULL) {
        fputs(",\"shortDescription\":{", out);
        put_string_member(out, "text", rule.summary);
        fputs("},\"fullDescription\":{", out);
        put_string_member(out, "text", rule.summary);
        putc('}', out);
    }
    if (known && rule.help != NULL)
        put_page(out, &rule);
    if (known && rule.severity != NULL)
        fprintf(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}",
                level(rule.severity));
    putc('}', out);
}

static void put_tool(const sarif *s)
{
    FILE *out = s->w->out;
    fputs("\"tool\":{\"driver\":{\"name\":\"counterpoint\",", out);
    put_string_member(out, "version", s->w->subject.tool);
    fputs(",\"rules\":[", out);
    for (size_t i = 0; i < s->rule_count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        put_rule(s, s->rules[i]);
    }
    fputs("]}}", out);
}

/* --- Results --- */

/* A place that no editor opens is told with the command. */
static report_status put_message(sarif *s, const report_result *f)
{
    FILE *out = s->w->out;
    report_status status = REPORT_OK;
    report_sarif_begin_message(out);
    report_put(out, REPORT_SARIF,
               *f->message != '\0' ? f->message
               : *f->rule != '\0'  ? f->rule
                                   : "a finding");
    if (s->w->subject.fuzz)
        status = report_put_command(s->w, REPORT_SARIF, "\\nSee it again: ", "",
                                    f->path);
    report_sarif_end_message(out);
    return status;
}

static report_status put_properties(sarif *s, const report_result *f)
{
    FILE *out = s->w->out;
    fputs(",\"partialFingerprints\":{", out);
    put_string_member(out, "counterpointSignature/v1", f->signature);
    fprintf(out, "},\"properties\":{\"case\":%lld,", (long long)f->number);
    if (f->cause != NULL) {
        put_string_member(out, "cause", f->cause);
        putc(',', out);
    }
    put_string_member(out, "kind", f->kind);
    if (f->until != NULL) {
        fputs(",\"known\":\"", out);
        report_put_known(out, REPORT_JSON, f);
        putc('"', out);
    }
    fputs(",\"again\":\"", out);
    report_status status =
        report_put_command(s->w, REPORT_JSON, "", "", f->path);
    fputs("\"}", out);
    return status;
}

/*
 * Either all results of a run have this member, or none (3.27.23); what has
 * expired is not suppressed any more. Without a status it is accepted, and
 * versions of the schema do not agree on the name of that member.
 */
static void put_suppressions(FILE *out, const report_result *f)
{
    fputs(",\"suppressions\":[", out);
    if (report_is_known(f)) {
        fputs("{\"kind\":\"external\",\"justification\":\"", out);
        report_put_known(out, REPORT_JSON, f);
        fputs("\"}", out);
    }
    putc(']', out);
}

static report_status put_result(sarif *s, const report_result *f,
                                const char *place)
{
    FILE *out = s->w->out;
    long index = rule_index(s, f->rule);
    putc('{', out);
    put_string_member(out, "ruleId", f->rule);
    if (index >= 0)
        fprintf(out, ",\"ruleIndex\":%ld", index);
    fprintf(out, ",\"level\":\"%s\",", level(f->severity));
    report_status status = put_message(s, f);
    fputs(",\"locations\":[{", out);
    report_sarif_place(out, place, f->line);
    fputs("}]", out);
    if (status == REPORT_OK)
        status = report_sarif_witness(&s->witness, f->json, place);
    if (s->w->store->has_known)
        put_suppressions(out, f);
    if (status == REPORT_OK)
        status = put_properties(s, f);
    putc('}', out);
    return status;
}

static bool keep_case(sarif *s, int64_t number)
{
    if ((s->case_count & (s->case_count - 1)) == 0) {
        size_t room = s->case_count == 0 ? 1 : 2 * s->case_count;
        int64_t *grown = reallocarray(s->cases, room, sizeof *grown);
        if (grown == NULL)
            return false;
        s->cases = grown;
    }
    s->cases[s->case_count++] = number;
    return true;
}

static report_status put_rank(sarif *s, int rank)
{
    report_writing *w = s->w;
    report_cursor findings = {0};
    report_result f;
    bool more = true;
    report_status status =
        report_ranked_open(&findings, w->store, w->subject.run, rank,
                           MOST_RESULTS - (int64_t)s->case_count, w->error);
    while (status == REPORT_OK && !ferror(w->out)) {
        status = report_cursor_next(&more, &f, &findings, w->error);
        if (status != REPORT_OK || !more)
            break;
        char *place = report_subject_place(&w->subject, w->view, f.path);
        fputs(s->case_count > 0 ? ",\n" : "\n", w->out);
        status = place == NULL || !keep_case(s, f.number)
                     ? no_memory(s)
                     : put_result(s, &f, place);
        free(place);
    }
    report_cursor_close(&findings);
    return status;
}

static report_status put_results(sarif *s)
{
    int64_t all = 0;
    report_status status = REPORT_OK;
    fputs(",\n\"results\":[", s->w->out);
    for (int rank = 0; status == REPORT_OK && rank < REPORT_NO_RANK; rank++)
        status = put_rank(s, rank);
    fputs("]", s->w->out);
    if (status == REPORT_OK)
        status = report_ask(&all, s->w->store,
                            "SELECT sum(n) FROM counts WHERE run = ?1"
                            " AND what = 'severity'",
                            s->w->subject.run, s->w->error);
    s->left_out = all - (int64_t)s->case_count;
    return status;
}

/* --- Artifacts: the inputs that have a result here --- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static report_status put_artifact(sarif *s, sqlite3_stmt *row, int64_t number)
{
    FILE *out = s->w->out;
    const char *path = (const char *)sqlite3_column_text(row, 0);
    const char *kind = (const char *)sqlite3_column_text(row, 1);
    const char *sha256 = (const char *)sqlite3_column_text(row, 2);
    char *place = report_subject_place(&s->w->subject, s->w->view,
                                       path == NULL ? "" : path);
    if (place == NULL)
        return no_memory(s);
    fputs("{\"location\":", out);
    report_sarif_artifact(out, place);
    free(place);
    if (sha256 != NULL) {
        fprintf(out, ",\"length\":%lld,\"hashes\":{",
                (long long)sqlite3_column_int64(row, 3));
        put_string_member(out, "sha-256", sha256);
        putc('}', out);
    }
    fprintf(out,
            ",\"roles\":[\"analysisTarget\"],\"properties\":{\"case\":%lld,",
            (long long)number);
    put_string_member(out, "kind", kind == NULL ? "" : kind);
    fputs("}}", out);
    return REPORT_OK;
}

static const char artifact_sql[] =
    "SELECT v.path, v.kind, i.sha256, max(i.bytes, 0) FROM verdicts AS v"
    " LEFT JOIN inputs AS i USING(input) WHERE v.run = ?1 AND v.number = ?2";

static report_status put_artifacts(sarif *s)
{
    sqlite3_stmt *row = NULL;
    report_status status = REPORT_OK;
    bool first = true;
    if (sqlite3_prepare_v2(s->w->store->db, artifact_sql, -1, &row, NULL) !=
        SQLITE_OK)
        return unreadable(s);
    sqlite3_bind_int64(row, 1, s->w->subject.run);
    if (s->case_count > 1)
        qsort(s->cases, s->case_count, sizeof *s->cases, by_number);
    fputs(",\n\"artifacts\":[", s->w->out);
    for (size_t i = 0; status == REPORT_OK && i < s->case_count; i++) {
        if (i > 0 && s->cases[i] == s->cases[i - 1])
            continue;
        sqlite3_bind_int64(row, 2, s->cases[i]);
        fputs(first ? "\n" : ",\n", s->w->out);
        first = false;
        status = sqlite3_step(row) == SQLITE_ROW
                     ? put_artifact(s, row, s->cases[i])
                     : unreadable(s);
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    fputs("]", s->w->out);
    return status;
}

/* --- The invocation: what has no result, and how the run ended --- */

typedef struct notes {
    int64_t count, cases;
    bool red, own_fault, judged;
} notes;

static void begin_note(sarif *s, notes *n, const char *note_level)
{
    fprintf(s->w->out, "%s{\"level\":\"%s\",", n->count++ > 0 ? ",\n" : "\n",
            note_level);
    report_sarif_begin_message(s->w->out);
}

static report_status put_note(sarif *s, notes *n, const report_result *r)
{
    FILE *out = s->w->out;
    char *place = report_subject_place(&s->w->subject, s->w->view, r->path);
    if (place == NULL)
        return no_memory(s);
    begin_note(s, n, r->outcome == REPORT_ERRS ? "error" : "note");
    report_put(out, REPORT_SARIF, r->verdict);
    fputs(": ", out);
    report_put_reason(out, REPORT_SARIF, r);
    report_sarif_end_message(out);
    fputs(",\"locations\":[{", out);
    report_sarif_place(out, place, 0);
    fputs("}]}", out);
    free(place);
    return REPORT_OK;
}

/* As `run` without further options ends (docs/user-guide.md), which knows of
   no issues. */
static void see_case(notes *n, const report_result *r)
{
    static const char *const unjudged[] = {"crashed", "timed_out", "refused"};
    bool judged = true;
    for (size_t i = 0; i < sizeof unjudged / sizeof *unjudged; i++)
        judged = judged && strcmp(r->verdict, unjudged[i]) != 0;
    n->cases++;
    n->red = n->red || r->outcome >= REPORT_KNOWN;
    n->own_fault =
        n->own_fault || (strcmp(r->verdict, "crashed") == 0 && r->listed == 0);
    n->judged = n->judged || judged;
}

static report_status put_cases(sarif *s, notes *n)
{
    report_writing *w = s->w;
    report_cursor cases = {0};
    report_result r;
    bool more = true;
    int64_t beyond = 0;
    report_status status = report_cases_open(
        &cases, w->store, w->subject.run, w->view, REPORT_BY_NUMBER, w->error);
    while (status == REPORT_OK && !ferror(w->out)) {
        status = report_cursor_next(&more, &r, &cases, w->error);
        if (status != REPORT_OK || !more)
            break;
        see_case(n, &r);
        if ((r.outcome != REPORT_ERRS && r.outcome != REPORT_SKIPPED) ||
            (r.outcome == REPORT_ERRS && r.listed > 0))
            continue;
        if (n->count < MOST_NOTES)
            status = put_note(s, n, &r);
        else
            beyond++;
    }
    report_cursor_close(&cases);
    if (beyond > 0) {
        begin_note(s, n, "note");
        fprintf(w->out, "%lld more inputs are not decided, or not judged",
                (long long)beyond);
        report_sarif_end_message(w->out);
        putc('}', w->out);
    }
    return status;
}

static void put_cut(sarif *s, notes *n)
{
    if (s->left_out <= 0)
        return;
    begin_note(s, n, "warning");
    fprintf(s->w->out,
            "%zu of %lld findings are listed, the gravest: viewers take no "
            "more of a run",
            s->case_count, (long long)(s->left_out + (int64_t)s->case_count));
    report_sarif_end_message(s->w->out);
    putc('}', s->w->out);
}

static report_status put_invocation(sarif *s)
{
    FILE *out = s->w->out;
    notes n = {0};
    int64_t unlisted = 0;
    report_status status = report_unlisted_cases(
        &unlisted, s->w->store, s->w->subject.run, s->w->error);
    fputs(",\n\"invocations\":[{\"toolExecutionNotifications\":[", out);
    if (status == REPORT_OK)
        status = put_cases(s, &n);
    put_cut(s, &n);
    bool ended = s->w->subject.digest != NULL;
    bool nothing = !n.red && !n.judged && unlisted <= 0;
    fprintf(out, "],\"executionSuccessful\":%s",
            ended && !n.own_fault && !nothing ? "true" : "false");
    if (ended)
        fprintf(out, ",\"exitCode\":%d",
                n.own_fault ? 3
                : n.red     ? 1
                : nothing   ? 4
                            : 0);
    fputs("}]", out);
    return status;
}

static void put_run_properties(sarif *s)
{
    FILE *out = s->w->out;
    const report_subject *subject = &s->w->subject;
    fprintf(out, ",\n\"properties\":{\"run\":%lld,\"resultsLeftOut\":%lld,",
            (long long)subject->run,
            (long long)(s->left_out > 0 ? s->left_out : 0));
    put_string_member(out, "options", subject->options);
    if (subject->digest != NULL) {
        putc(',', out);
        put_string_member(out, "digest", subject->digest);
    }
    putc('}', out);
}

/* --- All of it --- */

static void free_all(sarif *s)
{
    report_witness_close(&s->witness);
    for (size_t i = 0; i < s->rule_count; i++)
        free(s->rules[i]);
    free(s->rules);
    free(s->cases);
}

static report_status body(report_writing *w)
{
    sarif s = {.w = w};
    report_status status = report_witness_open(&s.witness, w);
    if (status == REPORT_OK)
        status = read_rules(&s);
    if (status == REPORT_OK) {
        fprintf(w->out,
                "{\"$schema\":\"%s\",\"version\":\"2.1.0\",\"runs\":[{\n",
                schema);
        put_tool(&s);
        fputs(",\n\"originalUriBaseIds\":{\"SRCROOT\":{\"description\":{"
              "\"text\":\"the folder in which the report was written\"}}}",
              w->out);
        status = put_results(&s);
    }
    if (status == REPORT_OK)
        status = put_artifacts(&s);
    if (status == REPORT_OK)
        status = put_invocation(&s);
    put_run_properties(&s);
    fputs("}]}\n", w->out);
    free_all(&s);
    return status;
}

report_status report_write_sarif(FILE *out, report_store *store,
                                 const report_view *view, report_error *error)
{
    return report_write(out, store, view, error, true, body);
}
