/* The record of a finding as JSON, keys sorted. */
#include "finding.h"

#include <assert.h>
#include <string.h>

static const char *const severities[] = {"note", "warning", "error"};
static const char *const dispatches[] = {"input", "output", "output_existing",
                                         "inout", "no_dep", NULL};

static void key(oracle_out *out, const char *name)
{
    if (out->length > 0 && out->data[out->length - 1] != '{') {
        oracle_out_text(out, ",");
    }
    oracle_out_raw(out, "\"", 1);
    oracle_out_text(out, name);
    oracle_out_raw(out, "\":", 2);
}

static void string_member(oracle_out *out, const char *name, const char *text)
{
    if (text != NULL) {
        key(out, name);
        oracle_out_string(out, text, strlen(text));
    }
}

static void int_member(oracle_out *out, const char *name, int64_t value)
{
    key(out, name);
    oracle_out_int(out, value);
}

static void write_end(oracle_out *out, const char *name, const oracle_end *end,
                      const oracle_document *d)
{
    if (end->task == ORACLE_NONE) {
        return;
    }
    const oracle_task *task = &d->tasks[end->task];
    key(out, name);
    oracle_out_text(out, "{");
    if (end->arg != ORACLE_NONE) {
        int_member(out, "arg", end->arg);
    }
    if (task->core.present) {
        string_member(out, "core", task->core.data);
    }
    if (end->operand) {
        string_member(out, "direction", "predicate");
    } else if (end->arg != ORACLE_NONE) {
        const oracle_arg *arg = &d->args[task->first_arg + end->arg];
        string_member(out, "direction", dispatches[arg->dispatch]);
    }
    if (task->line > 0) {
        int_member(out, "line", task->line);
    }
    key(out, "name");
    oracle_out_string(out, task->name.data, task->name.length);
    int_member(out, "task", task->id);
    oracle_out_text(out, "}");
}

static void write_storage(oracle_out *out, const oracle_record *record,
                          const oracle_document *d)
{
    if (!record->has_storage) {
        return;
    }
    const oracle_buffer *buffer = &d->buffers[record->storage];
    key(out, "storage");
    oracle_out_text(out, "{");
    int_member(out, "begin", record->begin);
    if (record->end != INT64_MAX) {
        int_member(out, "end", record->end);
    }
    key(out, "key");
    oracle_out_string(out, buffer->key.data, buffer->key.length);
    oracle_out_text(out, "}");
}

static void write_record(oracle_out *out, const oracle_record *record,
                         const oracle_document *d, const char *case_digest,
                         const char *signature)
{
    oracle_out_text(out, "{");
    string_member(out, "case", case_digest);
    string_member(out, "cause", record->cause);
    if (record->column > 0) {
        int_member(out, "column", (int64_t)record->column);
    }
    write_end(out, "consumer", &record->consumer, d);
    if (record->count > 1) {
        int_member(out, "count", (int64_t)record->count);
    }
    if (record->consumer.task == ORACLE_NONE && record->line > 0) {
        int_member(out, "line", record->line);
    }
    string_member(out, "message", record->message);
    if (record->path != NULL && record->path[0] != '\0') {
        string_member(out, "path", record->path);
    }
    write_end(out, "producer", &record->producer, d);
    string_member(out, "rule", record->rule);
    string_member(out, "severity", severities[record->severity]);
    string_member(out, "signature", signature);
    write_storage(out, record, d);
    if (record->witness != NULL) {
        key(out, "witness");
        oracle_out_text(out, record->witness);
    }
    oracle_out_text(out, "}");
}

bool oracle_finding_fill(oracle_finding *finding, const oracle_record *record,
                         const oracle_document *document,
                         const char *case_digest, const char *generated,
                         oracle_arena *arena)
{
    oracle_out out = {0};
    /* A new rule goes into the list in rules.c. */
    assert(oracle_rule_allows(record->rule, record->severity));
    *finding = (oracle_finding){
        .rule = record->rule,
        .severity = record->severity,
        .cause = record->cause,
        .message = record->message,
        .line = record->line,
    };
    if (record->consumer.task != ORACLE_NONE) {
        finding->line = document->tasks[record->consumer.task].line;
    }
    if (!oracle_signature(finding->signature, record, document, generated)) {
        return false;
    }
    write_record(&out, record, document, case_digest, finding->signature);
    if (!out.failed) {
        finding->json = oracle_arena_text(arena, out.data, out.length);
    }
    oracle_out_free(&out);
    return finding->json != NULL;
}
