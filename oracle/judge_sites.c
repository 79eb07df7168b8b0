/*
 * Findings of one site. The iterations of a loop are tasks of one line, so
 * that one mistake shows once for each of them: findings that differ in
 * nothing but the iteration are one, with how many it stands for. The first
 * in the fixed order stays, with its own bytes and witness.
 */
#include "judge_work.h"

#include <inttypes.h>
#include <string.h>

/* What findings of one site have in common; names as numbers, no padding. */
typedef struct site {
    int64_t from_line, to_line;
    uint32_t rule, severity, cause;
    uint32_t from_name, to_name;
    uint32_t from_arg, to_arg;
    uint32_t storage;
} site;

typedef struct sites {
    oracle_table names, found;
    site *list; /* by entry */
    uint32_t name_count;
} sites;

static bool number_of(sites *s, const char *data, size_t length, uint32_t *out)
{
    oracle_slot *slot = oracle_table_slot(&s->names, data, length);
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){data, (uint32_t)length, s->name_count++};
    }
    *out = slot->value;
    return true;
}

static bool text_number(sites *s, const char *text, uint32_t *out)
{
    return number_of(s, text == NULL ? "" : text,
                     text == NULL ? 0 : strlen(text), out);
}

/* "alloc:t@12" is the 12th creation of alloc:t. */
static size_t without_number(const oracle_text *key)
{
    uint32_t end = key->length;
    while (end > 0 && key->data[end - 1] >= '0' && key->data[end - 1] <= '9') {
        end--;
    }
    return end > 1 && end < key->length && key->data[end - 1] == '@'
               ? end - 1
               : key->length;
}

/* Whether findings of the rule come once for each iteration. */
static bool is_repeated(const oracle_document *d, const oracle_record *record)
{
    static const char *const groups[] = {"hazard.", "predicate.", "task.",
                                         "limit.", "graph.duplicate-edge"};
    const oracle_end *from = &record->producer, *to = &record->consumer;
    bool repeated = false;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        repeated = repeated ||
                   strncmp(record->rule, groups[i], strlen(groups[i])) == 0;
    }
    return repeated && to->task != ORACLE_NONE && d->tasks[to->task].line > 0 &&
           (from->task == ORACLE_NONE || d->tasks[from->task].line > 0);
}

static bool end_numbers(sites *s, const oracle_document *d,
                        const oracle_end *end, int64_t *line, uint32_t *name,
                        uint32_t *arg)
{
    *line = 0;
    *name = ORACLE_NONE;
    *arg = end->arg;
    if (end->task == ORACLE_NONE) {
        return true;
    }
    const oracle_task *task = &d->tasks[end->task];
    *line = task->line;
    return number_of(s, task->name.data, task->name.length, name);
}

static bool site_of(oracle_judging *j, sites *s, const oracle_entry *entry,
                    site *out)
{
    const oracle_document *d = j->document;
    const oracle_record *record = &entry->record;
    const char *cause = entry->hazard == ORACLE_NONE
                            ? record->cause
                            : oracle_judge_cause(j, entry);
    out->severity = record->severity;
    out->storage = ORACLE_NONE;
    if (record->has_storage) {
        const oracle_text *key = &d->buffers[record->storage].key;
        if (!number_of(s, key->data, without_number(key), &out->storage)) {
            return false;
        }
    }
    return text_number(s, record->rule, &out->rule) &&
           text_number(s, cause, &out->cause) &&
           end_numbers(s, d, &record->producer, &out->from_line,
                       &out->from_name, &out->from_arg) &&
           end_numbers(s, d, &record->consumer, &out->to_line, &out->to_name,
                       &out->to_arg);
}

/* How many pairs the entry stands for before it is joined. */
static uint64_t times_of(const oracle_judging *j, const oracle_entry *entry)
{
    uint64_t times =
        entry->hazard == ORACLE_NONE ? 0 : j->hazards.list[entry->hazard].times;
    return times == 0 ? 1 : times;
}

/* Keeps the i-th entry, or counts it as one more of an earlier one. */
static bool keep(oracle_judging *j, sites *s, uint32_t i, uint32_t *kept)
{
    oracle_entry *entry = &j->entries[i];
    if (is_repeated(j->document, &entry->record)) {
        site *own = &s->list[i];
        if (!site_of(j, s, entry, own)) {
            return false;
        }
        oracle_slot *slot =
            oracle_table_slot(&s->found, (const char *)own, sizeof *own);
        if (slot == NULL) {
            return false;
        }
        if (slot->data != NULL) {
            j->entries[slot->value].record.count += times_of(j, entry);
            return true;
        }
        *slot = (oracle_slot){(const char *)own, sizeof *own, *kept};
        entry->record.count = times_of(j, entry);
    }
    j->entries[(*kept)++] = *entry;
    return true;
}

bool oracle_judge_sites(oracle_judging *judging)
{
    sites s = {0};
    uint32_t kept = 0;
    /* Not zeroed padding but none: 2 x 8 and 8 x 4 bytes. */
    _Static_assert(sizeof(site) == 48, "a site is compared by its bytes");
    s.list = oracle_arena_array(judging->arena, judging->count, sizeof *s.list);
    bool ok = s.list != NULL;
    for (uint32_t i = 0; ok && i < judging->count; i++) {
        ok = keep(judging, &s, i, &kept);
    }
    if (ok) {
        judging->count = kept;
    }
    oracle_table_free(&s.names);
    oracle_table_free(&s.found);
    return ok;
}

bool oracle_judge_say_count(oracle_judging *judging, oracle_record *record)
{
    if (record->count < 2 || !is_repeated(judging->document, record)) {
        return true;
    }
    size_t length = strlen(record->message);
    record->message = oracle_arena_format(
        judging->arena, "%.*s (one of %" PRIu64 " such %s).",
        (int)(length - (record->message[length - 1] == '.')), record->message,
        record->count,
        record->producer.task == ORACLE_NONE ? "tasks of this line"
                                             : "pairs of these lines");
    return record->message != NULL;
}
