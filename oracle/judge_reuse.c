/* Findings about storages that share addresses: rule, sentence, witness. */
#include "judge_work.h"

#include "json.h"
#include "witness.h"

#include <inttypes.h>

#define DOUBTS 20 /* lines about what could not be decided */

static const char *tell_key(oracle_arena *arena, const oracle_document *d,
                            uint32_t buffer)
{
    char key[96];
    const oracle_text *text = &d->buffers[buffer].key;
    oracle_json_printable(text->data, text->length, key, sizeof key);
    return oracle_arena_format(arena, "%s", key);
}

/* The addresses that both have. */
static oracle_interval common(const oracle_memory *m, const oracle_reuse *r)
{
    oracle_interval x = {m->base[r->first], m->end[r->first]};
    oracle_interval y = {m->base[r->second], m->end[r->second]};
    return (oracle_interval){x.begin > y.begin ? x.begin : y.begin,
                             x.end < y.end ? x.end : y.end};
}

static bool proved(const oracle_reuse *r)
{
    return r->kind == ORACLE_REUSE_PARALLEL || r->kind == ORACLE_REUSE_OVERLAP;
}

static oracle_end end_of(const oracle_item *item)
{
    return (oracle_end){
        .task = item->task,
        .arg = item->arg,
        .operand = item->task != ORACLE_NONE && item->arg == ORACLE_NONE,
    };
}

static const char *rule_of(const oracle_reuse *r)
{
    return r->kind == ORACLE_REUSE_INTERLEAVED ? "memory.interleaved"
           : r->external                       ? "memory.external"
           : r->kind == ORACLE_REUSE_OVERLAP || r->kind == ORACLE_REUSE_START
               ? "memory.overlap"
               : "memory.parallel-reuse";
}

static bool list_doubt(oracle_judging *j, const oracle_reuse *r, uint32_t count)
{
    const char *a = tell_key(j->arena, j->document, r->first);
    const char *b = tell_key(j->arena, j->document, r->second);
    if (count > DOUBTS) {
        return true;
    }
    return a != NULL && b != NULL &&
           oracle_judging_undecided(
               j, count == DOUBTS
                      ? "further pairs of buffers that share addresses"
                      : oracle_arena_format(
                            j->arena,
                            "whether %s and %s, which share addresses, are "
                            "used at the same time: what their tasks touch is "
                            "not exactly known",
                            a, b));
}

static bool list_reuse(oracle_judging *j, uint32_t i)
{
    const oracle_reuse *r = &j->reuses.list[i];
    oracle_interval both = common(j->memory, r);
    uint32_t mine = proved(r) ? r->reader.storage : r->second;
    oracle_record record = oracle_record_of(
        rule_of(r),
        r->kind == ORACLE_REUSE_INTERLEAVED ? ORACLE_NOTE : ORACLE_ERROR);
    record.has_storage = true;
    record.storage = mine;
    record.begin = both.begin - j->memory->base[mine];
    record.end = both.end - j->memory->base[mine];
    if (proved(r)) {
        bool caller = r->reader.task == ORACLE_NONE;
        record.consumer = end_of(caller ? &r->intruder : &r->reader);
        if (!caller) {
            record.producer = end_of(&r->intruder);
        }
    }
    if (!oracle_judging_add(j, record)) {
        return false;
    }
    j->entries[j->count - 1].reuse = i;
    return true;
}

static const char *alive_witness(oracle_judging *j)
{
    const oracle_alive *alive = &j->reuses.alive;
    const oracle_document *d = j->document;
    oracle_out out = {0};
    oracle_out_text(&out, "{\"alive\":[");
    for (uint32_t i = 0; i < alive->count; i++) {
        const oracle_text *key = &d->buffers[alive->storages[i]].key;
        oracle_out_text(&out, i == 0 ? "" : ",");
        oracle_out_string(&out, key->data, key->length);
    }
    oracle_out_text(&out, "],\"at\":");
    oracle_out_int(&out, d->tasks[alive->task].id);
    oracle_out_format(&out, ",\"bound\":%" PRId64, alive->bytes);
    if (d->choice_count > 0) {
        oracle_out_text(&out, ",");
        oracle_witness_choices(&out, d, alive->choices);
    }
    oracle_out_format(&out, ",\"peak\":%" PRId64 ",\"writing\":%s}",
                      j->memory->peak, alive->writing ? "true" : "false");
    const char *text =
        out.failed ? NULL : oracle_arena_text(j->arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

/* What is placed and used and has no known size: it is in no sum. */
static const char *tell_unknown(oracle_judging *j)
{
    const oracle_memory *m = j->memory;
    uint32_t unknown = 0;
    for (uint32_t b = 0; b < j->document->buffer_count; b++) {
        const oracle_buffer *buffer = &j->document->buffers[b];
        unknown += buffer->storage == b && m->placed[b] && m->used[b] &&
                   !buffer->has_bytes;
    }
    return unknown == 0
               ? ""
               : oracle_arena_format(j->arena, ", without %u of unknown size",
                                     (unsigned)unknown);
}

static bool list_waste(oracle_judging *j)
{
    const oracle_alive *alive = &j->reuses.alive;
    int64_t peak = j->memory->peak, lower = alive->bytes;
    oracle_record record = oracle_record_of("memory.waste", ORACLE_NOTE);
    /* What nobody touches is alive before the first task, which is none. */
    if (lower <= 0 || peak <= lower || alive->count == 0 ||
        j->document->task_count == 0) {
        return true;
    }
    const char *task = oracle_tell_task(j->arena, j->document, alive->task);
    const char *unknown = tell_unknown(j);
    if (task == NULL || unknown == NULL) {
        return false;
    }
    record.consumer.task = alive->task;
    record.witness = alive_witness(j);
    record.message = oracle_arena_format(
        j->arena,
        "the plan takes %" PRId64 " bytes, and at most %" PRId64
        " are alive together in program order, when %s %s (%u %s%s): up to "
        "%" PRId64 " can be saved by another placement.",
        peak, lower, task, alive->writing ? "writes" : "reads",
        (unsigned)alive->count, alive->count == 1 ? "buffer" : "buffers",
        unknown, peak - lower);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

bool oracle_judge_list_reuses(oracle_judging *judging)
{
    uint32_t doubts = 0;
    if (judging->memory == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < judging->reuses.count; i++) {
        const oracle_reuse *r = &judging->reuses.list[i];
        if (r->kind == ORACLE_REUSE_DOUBTFUL ? !list_doubt(judging, r, doubts++)
                                             : !list_reuse(judging, i)) {
            return false;
        }
    }
    return list_waste(judging) &&
           (!judging->reuses.exhausted ||
            oracle_judging_undecided(
                judging, "further buffers that share addresses: there are too "
                         "many pairs to look at all"));
}

/* --- Sentences and witnesses --- */

static const char *tell_proved(oracle_judging *j, const oracle_reuse *r,
                               const char *mine, const char *other,
                               oracle_interval both)
{
    oracle_arena *arena = j->arena;
    const oracle_document *d = j->document;
    const char *reader = r->reader.task == ORACLE_NONE
                             ? "the caller"
                             : oracle_tell_task(arena, d, r->reader.task);
    const char *intruder = oracle_tell_task(arena, d, r->intruder.task);
    const char *writer = r->expected == ORACLE_NONE
                             ? "what was there at the start"
                             : oracle_tell_task(arena, d, r->expected);
    if (reader == NULL || intruder == NULL || writer == NULL) {
        return NULL;
    }
    return oracle_arena_format(
        arena,
        "%s and %s share the addresses %" PRId64 " to %" PRId64
        ", and %s writes %s there before %s has read %s, the value of %s, %s: "
        "place them apart%s.",
        mine, other, both.begin, both.end - 1, intruder, other, reader, mine,
        writer,
        r->kind == ORACLE_REUSE_OVERLAP ? "already in program order"
                                        : "in an order that the edges allow",
        r->external                       ? ""
        : r->kind == ORACLE_REUSE_OVERLAP ? ""
                                          : ", or let the one wait for the "
                                            "other");
}

static const char *message_of(oracle_judging *j, const oracle_reuse *r)
{
    uint32_t first = proved(r) ? r->reader.storage : r->first;
    uint32_t second = proved(r) ? r->intruder.storage : r->second;
    oracle_interval both = common(j->memory, r);
    const char *a = tell_key(j->arena, j->document, first);
    const char *b = tell_key(j->arena, j->document, second);
    if (a == NULL || b == NULL) {
        return NULL;
    }
    if (proved(r)) {
        return tell_proved(j, r, a, b, both);
    }
    return oracle_arena_format(
        j->arena,
        r->kind == ORACLE_REUSE_START
            ? "%s and %s share the addresses %" PRId64 " to %" PRId64
              ", and both have a value there before the first task, which "
              "tasks read: place them apart."
        : r->kind == ORACLE_REUSE_EXTERNAL
            ? "%s and %s share the addresses %" PRId64 " to %" PRId64
              ", and a parameter shares its bytes with nothing: place them "
              "apart."
            : "%s and %s share the addresses %" PRId64 " to %" PRId64
              " and are used in no fixed order, which no read can see: "
              "nothing has to be done.",
        a, b, both.begin, both.end - 1);
}

bool oracle_judge_tell_reuse(oracle_judging *judging, oracle_entry *entry,
                             const oracle_execution *execution)
{
    const oracle_reuse *r = &judging->reuses.list[entry->reuse];
    const oracle_memory *m = judging->memory;
    oracle_record *record = &entry->record;
    record->message = message_of(judging, r);
    if (proved(r)) {
        record->witness =
            oracle_witness_reuse(r, m, judging->document, &execution->all,
                                 execution->choices, judging->arena);
    } else {
        record->witness =
            oracle_arena_format(judging->arena, "{\"allocations\":[%u,%u]}",
                                (unsigned)m->allocation[r->first],
                                (unsigned)m->allocation[r->second]);
    }
    return record->message != NULL && record->witness != NULL;
}
