#include "prove.h"

#include <stdlib.h>
#include <string.h>

#include "../replay/judged.h"

static void add(cli_evaluation *e, const char *cause, const char *what,
                const char *reason)
{
    cli_text message = {0};
    cli_text_printf(&message, "%s: %s", what, reason);
    if (message.failed)
        e->failed = true;
    else
        cli_evaluation_add(e, "diff.expected", cause, message.data);
    cli_text_free(&message);
}

/*
 * Rules whose witness is about the derived document. What other documents of a
 * bundle say is looked up in them by the judge itself.
 */
static bool has_proof(const oracle_finding *f)
{
    static const char *const families[] = {"graph.",     "hazard.", "task.",
                                           "predicate.", "host.",   "memory."};
    if (strstr(f->json, "\"witness\":") == NULL ||
        strstr(f->json, "\"found\":") != NULL)
        return false;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(f->rule, families[i], strlen(families[i])) == 0)
            return true;
    return false;
}

static bool any_proof(const oracle_judgement *j)
{
    for (uint32_t i = 0; i < j->count; i++)
        if (has_proof(&j->findings[i]))
            return true;
    return false;
}

static void check_witnesses(cli_evaluation *e, const oracle_document *d)
{
    char reason[160];
    for (uint32_t i = 0; i < e->judgement.count; i++) {
        const oracle_finding *f = &e->judgement.findings[i];
        if (!has_proof(f) ||
            oracle_witness_check(d, f->json, reason, sizeof reason))
            continue;
        add(e, "witness", f->message, reason);
        return;
    }
}

/* What contradicts the judgement; `records` are those of spec 06. */
static void add_records(cli_evaluation *e, const cli_text *records)
{
    for (size_t at = 0; at < records->length;) {
        size_t length = strcspn(records->data + at, "\n");
        cli_span record = {records->data + at, length}, value;
        cli_text cause = {0}, message = {0};
        if (cli_span_member(&value, record, "cause"))
            cli_span_text(&cause, value);
        if (cli_span_member(&value, record, "message"))
            cli_span_text(&message, value);
        if (cause.failed || message.failed)
            e->failed = true;
        else
            cli_evaluation_add(e, "replay.disagrees", cause.data, message.data);
        cli_text_free(&cause);
        cli_text_free(&message);
        at += length + 1;
    }
}

static void replay(cli_evaluation *e, const oracle_document *d, bool joined,
                   int64_t seeds)
{
    cli_replayed replayed = {0};
    cli_replaying how = cli_replay_quick(seeds, e->digest, true);
    cli_replay_judged(&replayed, d, &e->judgement, joined, &how);
    add_records(e, &replayed.records);
    e->failed = e->failed || replayed.failed;
    cli_replayed_free(&replayed);
}

static void check_when_told(void *context, oracle_phase phase,
                            const oracle_document *d)
{
    cli_evaluation *e = context;
    if (phase == ORACLE_PHASE_TELL && d != NULL && !d->ambiguous)
        check_witnesses(e, d);
}

/* What is judged then is in no text: the judge shows it, judging once more. */
static void check_joined(cli_evaluation *e, cli_span text)
{
    oracle_judgement again = {0};
    const oracle_judge_options options = {.begins = check_when_told,
                                          .context = e};
    if (oracle_judge_text(&again, text.data, text.length, &options) !=
        ORACLE_OK)
        e->failed = true;
    oracle_judgement_free(&again);
}

/*
 * A certificate is checked where it is made. That none can be made is no
 * fault: what is clean may rest on more than the order of all conflicts.
 */
static void make_certificate(cli_evaluation *e, const oracle_document *d,
                             cli_span text)
{
    char *certificate = NULL;
    char reason[256] = "";
    oracle_bytes bytes = {text.data, text.length};
    if (oracle_certify_document(&certificate, d, bytes, reason,
                                sizeof reason) != ORACLE_OK)
        e->failed = true;
    free(certificate);
}

/* Reads and derives again: the checkers need what the judge has seen. */
static void check(cli_evaluation *e, cli_span text, int64_t capacity,
                  int64_t seeds)
{
    oracle_document d = {0};
    oracle_error error = {0};
    oracle_status status =
        oracle_document_read(&d, text.data, text.length, NULL, &error);
    if (status == ORACLE_OK) {
        d.capacity = capacity;
        status = oracle_document_derive(&d, &error);
        bool joined = cli_is_joined(&d, text);
        if (status == ORACLE_OK && joined)
            check_joined(e, text);
        else if (status == ORACLE_OK && !d.ambiguous)
            check_witnesses(e, &d);
        if (status == ORACLE_OK && seeds > 0)
            replay(e, &d, joined, seeds);
        if (status == ORACLE_OK && oracle_may_certify(&e->judgement))
            make_certificate(e, &d, text);
        oracle_document_free(&d);
    }
    if (status == ORACLE_NO_MEMORY)
        e->failed = true;
}

void cli_prove(cli_evaluation *e, cli_span text, int64_t capacity,
               int64_t seeds)
{
    const oracle_judgement *j = &e->judgement;
    if (j->fault != NULL)
        add(e, "method", "the judge contradicts itself", j->fault);
    if (j->verdict == ORACLE_REFUSED)
        return;
    if (seeds > 0 || any_proof(j) || oracle_may_certify(j))
        check(e, text, capacity, seeds);
}
