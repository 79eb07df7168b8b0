/* What becomes of a case: counts, its digest, and what is told of it. */
#include "work.h"

#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "hang.h"
#include "known.h"
#include "second.h"

/* Rules of one case that are counted once each; more are not. */
#define RULES 64

static bool is_new(const char **seen, size_t *count, const char *rule)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(seen[i], rule) == 0)
            return false;
    if (*count < RULES)
        seen[(*count)++] = rule;
    return true;
}

static void count_rules(cli_tally *tally, const cli_evaluation *e)
{
    const char *seen[RULES];
    size_t count = 0;
    if (e->refused) {
        cli_tally_add(tally, "code", e->code.data, 1);
        if (is_new(seen, &count, e->code.data))
            cli_tally_add(tally, "raised", e->code.data, 1);
    }
    for (size_t at = 0; at < e->notes.length;
         at += strlen(e->notes.data + at) + 1)
        cli_tally_add(tally, "code", e->notes.data + at, 1);
    for (size_t i = 0; i < cli_evaluation_count(e); i++) {
        const char *rule = cli_evaluation_at(e, i)->rule;
        if (is_new(seen, &count, rule))
            cli_tally_add(tally, "raised", rule, 1);
    }
}

static void count_severities(cli_tally *tally, const oracle_judgement *j)
{
    int64_t counts[CLI_SEVERITIES] = {0};
    for (uint32_t i = 0; i < j->count; i++)
        counts[j->findings[i].severity]++;
    for (cli_severity s = CLI_NOTE; s < CLI_SEVERITIES; s++) {
        int64_t n = counts[s] + (int64_t)j->unlisted[s];
        if (n > 0)
            cli_tally_add(tally, "judged", cli_severity_name(s), n);
    }
}

static void count_parts(cli_tally *tally, const fuzz_case *c)
{
    char key[96];
    const char *kind = fuzz_kind_name((fuzz_kind)c->name.stream);
    cli_tally_add(tally, "kind", kind, 1);
    if (c->fault == NULL && !c->open)
        cli_tally_add(tally, "valid", kind, 1);
    if (c->shape != NULL) {
        snprintf(key, sizeof key, "%s %s", kind, c->shape);
        cli_tally_add(tally, "shape", key, 1);
    }
    if (c->fault != NULL) {
        snprintf(key, sizeof key, "%s %s", kind, c->fault);
        cli_tally_add(tally, "fault", key, 1);
    }
    snprintf(key, sizeof key, "%u", c->tasks);
    if (c->tasks > 0)
        cli_tally_add(tally, "tasks", key, 1);
}

static int64_t count_disagreements(const cli_evaluation *e)
{
    int64_t n = 0;
    for (size_t i = 0; i < cli_evaluation_count(e); i++)
        n += cli_is_disagreement(cli_evaluation_at(e, i)->rule);
    return n;
}

static void count_case(cli_tally *tally, const cli_work *work)
{
    int64_t differ = count_disagreements(&work->e);
    const cli_evaluation *e = &work->e;
    cli_tally_add(tally, "verdict", cli_verdict_name(e->verdict), 1);
    if (e->judgement.undecided_count > 0 || e->verdict == CLI_UNDECIDED)
        cli_tally_add(tally, "partial", "partial", 1);
    if (differ > 0) {
        cli_tally_add(tally, "disagreement", "cases", 1);
        cli_tally_add(tally, "disagreement", "findings", differ);
    }
    count_parts(tally, &work->c);
    count_rules(tally, e);
    count_severities(tally, &e->judgement);
}

/* --- The digest --- */

/*
 * Name, verdict, the error of a refusal, how many findings there are, those
 * that are listed: a line each.
 */
static void make_digest(cli_worker *w, const cli_work *work)
{
    char label[40];
    const cli_evaluation *e = &work->e;
    cli_text *text = &w->scratch;
    cli_text_clear(text);
    cli_case_label(label, &work->c.name);
    cli_text_printf(text, "%llu %s\n%s\n",
                    (unsigned long long)work->c.name.seed, label,
                    cli_verdict_name(e->verdict));
    if (e->refused)
        cli_text_printf(text, "%s: %s\n", e->code.data, e->message.data);
    cli_text_printf(text, "%llu\n", (unsigned long long)e->judgement.total);
    for (size_t i = 0; i < cli_evaluation_count(e); i++) {
        cli_text_put(text, cli_evaluation_at(e, i)->json);
        cli_text_add(text, "\n", 1);
    }
    if (text->failed ||
        !cli_sha256(w->digests[work->n], text->data, text->length))
        cli_worker_fail(w, "out of memory");
}

/* --- What is told --- */

static void put_details(cli_text *out, const cli_work *work)
{
    const fuzz_case *c = &work->c;
    const char *said = work->e.said;
    cli_text_put(out, "{\"expects\":[");
    for (uint32_t i = 0; i < c->expect_count; i++) {
        cli_text_put(out, i > 0 ? "," : "");
        cli_text_quote(out, c->expects[i]);
    }
    cli_text_put(out, "],\"fault\":");
    if (c->fault != NULL)
        cli_text_quote(out, c->fault);
    else
        cli_text_put(out, "null");
    if (work->hangs_on != NULL)
        cli_text_printf(out, ",\"hangs_on\":\"%s\"", work->hangs_on);
    cli_text_put(out, ",\"options\":");
    if (c->options.length > 0)
        cli_text_add(out, c->options.data, c->options.length);
    else
        cli_text_put(out, "{}");
    if (*said != '\0') {
        cli_text_put(out, ",\"said\":");
        cli_text_quote(out, said);
    }
    cli_text_put(out, ",\"shape\":");
    cli_text_quote(out, c->shape == NULL ? "" : c->shape);
    cli_text_printf(out, ",\"tasks\":%u}", c->tasks);
}

static void put_findings(cli_text *out, const cli_evaluation *e, bool all)
{
    bool first = true;
    cli_text_put(out, "[");
    for (size_t i = 0; i < cli_evaluation_count(e); i++) {
        const oracle_finding *f = cli_evaluation_at(e, i);
        if (!all && !cli_is_disagreement(f->rule))
            continue;
        cli_text_put(out, first ? "" : ",");
        cli_text_put(out, f->json);
        first = false;
    }
    cli_text_put(out, "]");
}

static void put_undecided(cli_text *out, const oracle_judgement *j)
{
    cli_text_put(out, "[");
    for (uint32_t i = 0; i < j->undecided_count; i++) {
        cli_text_put(out, i > 0 ? "," : "");
        cli_text_quote(out, j->undecided[i]);
    }
    cli_text_put(out, "]");
}

/* As a string; what is no UTF-8 in hexadecimal. */
static void put_input(cli_text *out, const fuzz_text *input)
{
    const char *data = input->data == NULL ? "" : input->data;
    if (cli_utf8_check(data, input->length) == input->length) {
        cli_text_put(out, ",\"text\":");
        cli_text_json(out, data, input->length);
        return;
    }
    cli_text_put(out, ",\"hex\":\"");
    for (size_t i = 0; i < input->length; i++)
        cli_text_printf(out, "%02x", (unsigned char)data[i]);
    cli_text_put(out, "\"");
}

static void put_told(cli_text *out, const cli_worker *w, const cli_work *work)
{
    char label[40];
    const cli_evaluation *e = &work->e;
    cli_case_label(label, &work->c.name);
    cli_text_printf(out, "{\"case\":\"%s\",\"details\":", label);
    put_details(out, work);
    cli_text_put(out, ",\"findings\":");
    put_findings(out, e, w->block.all);
    cli_text_printf(out, ",\"number\":%lld,\"reason\":",
                    (long long)(w->block.first + work->n));
    if (e->refused) {
        cli_text reason = {0};
        cli_text_printf(&reason, "%s: %s", e->code.data, e->message.data);
        cli_text_quote(out, reason.failed ? "" : reason.data);
        cli_text_free(&reason);
    } else {
        cli_text_quote(out, e->message.length > 0 ? e->message.data : "");
    }
    cli_text_printf(out, ",\"sha256\":\"%s\"", e->digest);
    put_input(out, &work->c.input);
    cli_text_put(out, ",\"undecided\":");
    put_undecided(out, &e->judgement);
    cli_text_printf(out, ",\"verdict\":\"%s\"}", cli_verdict_name(e->verdict));
}

static void tell(cli_worker *w, const cli_work *work)
{
    if (w->told_count == w->told_room) {
        size_t room = w->told_room == 0 ? 16 : 2 * w->told_room;
        cli_told *grown = reallocarray(w->told, room, sizeof *grown);
        if (grown == NULL) {
            cli_worker_fail(w, "out of memory");
            return;
        }
        w->told = grown;
        w->told_room = room;
    }
    cli_told *told = &w->told[w->told_count++];
    *told = (cli_told){.n = work->n};
    put_told(&told->json, w, work);
    if (told->json.failed)
        cli_worker_fail(w, "out of memory");
}

void cli_work_finish(cli_worker *w, cli_work *work)
{
    if (work->c.second)
        cli_second_compare(w, work);
    cli_known_compare(&work->e, &work->c, &work->question);
    cli_hang_find(w, work);
    if (work->e.failed) {
        cli_worker_fail(w, "out of memory");
        return;
    }
    count_case(&w->tally, work);
    make_digest(w, work);
    if (w->block.all || count_disagreements(&work->e) > 0)
        tell(w, work);
}

/* --- The answer --- */

static int compare_told(const void *a, const void *b)
{
    const cli_told *x = a, *y = b;
    return (x->n > y->n) - (x->n < y->n);
}

void cli_worker_put(cli_text *out, cli_worker *w)
{
    char hex[65];
    cli_text_clear(&w->scratch);
    for (int64_t i = 0; i < w->block.count; i++)
        cli_text_add(&w->scratch, w->digests[i], 64);
    if (w->scratch.failed ||
        !cli_sha256(hex, w->scratch.data, w->scratch.length)) {
        cli_worker_fail(w, "out of memory");
        return;
    }
    if (w->told_count > 1)
        qsort(w->told, w->told_count, sizeof *w->told, compare_told);
    cli_text_put(out, "{\"cases\":[");
    for (size_t i = 0; i < w->told_count; i++) {
        cli_text_put(out, i > 0 ? "," : "");
        cli_text_add(out, w->told[i].json.data, w->told[i].json.length);
    }
    cli_text_put(out, "],\"counts\":");
    cli_tally_put(out, &w->tally);
    cli_text_printf(out, ",\"digest\":\"%s\",", hex);
    if (w->block.digests) {
        cli_text_put(out, "\"digests\":[");
        for (int64_t i = 0; i < w->block.count; i++)
            cli_text_printf(out, "%s\"%s\"", i > 0 ? "," : "", w->digests[i]);
        cli_text_put(out, "],");
    }
    cli_text_printf(out, "\"id\":%lld}\n", (long long)w->block.id);
}
