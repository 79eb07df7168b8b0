/*
 * task.block-race: blocks and lanes of one task run at the same time, so what
 * two of them write, or one writes and another reads, is in no order. Only
 * regions that are exact and name `block` or `lane` tell whose bytes they are:
 * two of them are compared by the indexes that both name, and an accumulation
 * commutes with another.
 *
 * Blocks that start together may wait for each other: whether one reads before
 * another writes is then theirs to say.
 */
#include "judge_work.h"

#include "blocks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TOUCHES 256
#define PAIRS (UINT64_C(1) << 20) /* accesses compared in a document */

typedef struct races {
    oracle_judging *judging;
    const oracle_document *d;
    oracle_blocks blocks;
    oracle_table said;
    uint64_t pairs;
    oracle_block_touch touches[TOUCHES];
} races;

static bool writes(const oracle_block_touch *t)
{
    return t->mode != ORACLE_READ;
}

/* --- What is said --- */

static bool say_open(races *r, uint32_t task, const char *why)
{
    oracle_arena *arena = r->judging->arena;
    const oracle_task *t = &r->d->tasks[task];
    const char *key = oracle_arena_format(arena, "%" PRId64 " %.200s %s",
                                          t->line, t->name.data, why);
    const char *name = oracle_tell_task(arena, r->d, task);
    oracle_slot *slot = key == NULL || name == NULL
                            ? NULL
                            : oracle_table_slot(&r->said, key, strlen(key));
    if (slot == NULL || slot->data != NULL) {
        return slot != NULL;
    }
    *slot = (oracle_slot){key, (uint32_t)strlen(key), 0};
    const char *text = oracle_arena_format(
        arena, "whether blocks of %s touch the same bytes: %s", name, why);
    return text != NULL && oracle_judging_undecided(r->judging, text);
}

/* "block 3, lane 1" */
static const char *tell_part(races *r, const oracle_block_touch *t,
                             const oracle_block_part *p)
{
    const char *block = "", *lane = "";
    if (t->symbol[ORACLE_BLOCK] != ORACLE_NONE) {
        block = oracle_arena_format(r->judging->arena, "block %" PRId64,
                                    p->at[ORACLE_BLOCK]);
    }
    if (t->symbol[ORACLE_LANE] != ORACLE_NONE) {
        lane = oracle_arena_format(r->judging->arena, "lane %" PRId64,
                                   p->at[ORACLE_LANE]);
    }
    return block == NULL || lane == NULL ? NULL
           : block[0] == '\0'            ? lane
           : lane[0] == '\0'
               ? block
               : oracle_arena_format(r->judging->arena, "%s, %s", block, lane);
}

static void put_index(oracle_out *out, uint32_t index,
                      const oracle_block_touch *const t[2],
                      const oracle_block_part found[2])
{
    for (uint32_t side = 0; side < 2; side++) {
        oracle_out_text(out, side == 0 ? "[" : ",");
        if (t[side]->symbol[index] == ORACLE_NONE) {
            oracle_out_text(out, "null");
        } else {
            oracle_out_int(out, found[side].at[index]);
        }
    }
    oracle_out_text(out, "]");
}

static void put_symbols(oracle_out *out, const races *r)
{
    bool first = true;
    oracle_out_text(out, ",\"symbols\":{");
    for (uint32_t i = 0; i < r->d->symbol_count; i++) {
        const oracle_symbol *s = &r->d->symbols[i];
        if (!s->block) {
            oracle_out_text(out, first ? "" : ",");
            oracle_out_string(out, s->name.data, s->name.length);
            oracle_out_format(out, ":%" PRId64, r->blocks.values[i]);
            first = false;
        }
    }
    oracle_out_text(out, "}");
}

static const char *witness_of(races *r, const oracle_record *record,
                              const oracle_block_touch *const t[2],
                              const oracle_block_part found[2])
{
    static const char *const names[ORACLE_INDEXES] = {"blocks", "lanes"};
    const oracle_text *key = &r->d->buffers[record->storage].key;
    oracle_out out = {0};
    oracle_out_format(&out, "{\"args\":[%u,%u],\"begin\":%" PRId64,
                      (unsigned)t[0]->arg, (unsigned)t[1]->arg, record->begin);
    for (uint32_t i = 0; i < ORACLE_INDEXES; i++) {
        if (i == ORACLE_LANE) {
            oracle_out_text(&out, ",\"buffer\":");
            oracle_out_string(&out, key->data, key->length);
        }
        if (t[0]->symbol[i] != ORACLE_NONE || t[1]->symbol[i] != ORACLE_NONE) {
            oracle_out_format(&out, ",\"%s\":", names[i]);
            put_index(&out, i, t, found);
        }
    }
    if (oracle_blocks_symbolic(&r->blocks, t)) {
        put_symbols(&out, r);
    }
    oracle_out_format(&out, ",\"task\":%" PRId64 "}",
                      r->d->tasks[record->consumer.task].id);
    const char *text =
        out.failed ? NULL
                   : oracle_arena_text(r->judging->arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

static bool report(races *r, uint32_t task,
                   const oracle_block_touch *const pair[2],
                   const oracle_block_part parts[2])
{
    oracle_arena *arena = r->judging->arena;
    /* The one that reads first, if any. */
    bool swap = writes(pair[0]) && !writes(pair[1]);
    const oracle_block_touch *const t[2] = {pair[swap], pair[!swap]};
    const oracle_block_part found[2] = {parts[swap], parts[!swap]};
    oracle_record record = oracle_record_of("task.block-race", ORACLE_ERROR);
    oracle_span span = {0};
    if (!oracle_blocks_common(&r->blocks, t, found, &span)) {
        return say_open(r, task, "their bytes are too many");
    }
    record.producer = (oracle_end){task, t[0]->arg, false};
    record.consumer = (oracle_end){task, t[1]->arg, false};
    record.has_storage = true;
    record.storage = r->d->buffers[t[0]->place.buffer].storage;
    record.begin = span.begin;
    record.end = span.end;
    const char *name = oracle_tell_task(arena, r->d, task);
    const char *bytes = oracle_tell_bytes(arena, r->d, record.storage,
                                          record.begin, record.end);
    const char *first = tell_part(r, t[0], &found[0]);
    const char *second = tell_part(r, t[1], &found[1]);
    if (name == NULL || bytes == NULL || first == NULL || second == NULL) {
        return false;
    }
    record.message = oracle_arena_format(
        arena, "%s %s %s in %s and %s %s, which run at the same time: %s.",
        name, writes(t[0]) ? "writes" : "reads", bytes, first,
        writes(t[0]) ? "in" : "writes them in", second,
        writes(t[0]) ? "let each write bytes of its own, or add to them"
                     : "let a task behind it read what all of them write");
    record.witness = witness_of(r, &record, t, found);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(r->judging, record);
}

/* --- A pair --- */

static bool judge_pair(races *r, uint32_t task, const oracle_block_touch *a,
                       const oracle_block_touch *b)
{
    const oracle_block_touch *const t[2] = {a, b};
    oracle_block_part found[2];
    if (!oracle_blocks_conflict(&r->blocks, a, b) ||
        oracle_blocks_apart(&r->blocks, a, b)) {
        return true;
    }
    if (r->d->tasks[task].blocks == 0) {
        return say_open(r, task, "how many there are is not known");
    }
    switch (oracle_blocks_compare(&r->blocks, task, t, found)) {
    case ORACLE_BLOCK_NO:
        return true;
    case ORACLE_BLOCK_YES:
        break;
    case ORACLE_BLOCK_OPEN:
        return say_open(r, task, "their regions are too odd to compare");
    default:
        return false;
    }
    bool both = writes(a) && writes(b);
    return !both && r->d->tasks[task].sync_start
               ? say_open(r, task,
                          "they start together and may wait for each other")
               : report(r, task, t, found);
}

/* Whether the two arguments have a finding, of those from `first` on. */
static bool is_told(const races *r, uint32_t first, uint32_t a, uint32_t b)
{
    bool told = false;
    for (uint32_t i = first; !told && i < r->judging->count; i++) {
        const oracle_record *record = &r->judging->entries[i].record;
        uint32_t x = record->producer.arg, y = record->consumer.arg;
        told = (x == a && y == b) || (x == b && y == a);
    }
    return told;
}

static bool judge_task(races *r, uint32_t task, uint32_t count)
{
    uint32_t first = r->judging->count;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a; b < count; b++) {
            const oracle_block_touch *x = &r->touches[a], *y = &r->touches[b];
            if (++r->pairs > PAIRS) {
                return say_open(r, task, "there are too many accesses");
            }
            if (!is_told(r, first, x->arg, y->arg) &&
                !judge_pair(r, task, x, y)) {
                return false;
            }
        }
    }
    return true;
}

/* Most documents have no such symbol. */
static bool has_blocks(const oracle_document *d)
{
    bool has = false;
    for (uint32_t i = 0; !has && i < d->symbol_count; i++) {
        has = d->symbols[i].block;
    }
    return has;
}

static bool judge_tasks(races *r)
{
    bool ok = true;
    for (uint32_t t = 0; ok && t < r->d->task_count; t++) {
        uint32_t count =
            oracle_blocks_collect(&r->blocks, t, r->touches, TOUCHES);
        if (count > TOUCHES) {
            count = TOUCHES;
            ok = say_open(r, t, "there are too many accesses");
        }
        ok = ok && judge_task(r, t, count);
    }
    return ok;
}

bool oracle_judge_blocks(oracle_judging *judging)
{
    if (!has_blocks(judging->document)) {
        return true;
    }
    races *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return false;
    }
    r->judging = judging;
    r->d = judging->document;
    bool ok = oracle_blocks_start(&r->blocks, r->d) && judge_tasks(r);
    oracle_table_free(&r->said);
    oracle_blocks_end(&r->blocks);
    free(r);
    return ok;
}
