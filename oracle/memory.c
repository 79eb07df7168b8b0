#include "memory.h"

#include "canonical.h"
#include "score_view.h"

#include <inttypes.h>
#include <string.h>

/* --- Addresses --- */

static void take(oracle_memory *m, const oracle_document *d, uint32_t i)
{
    const oracle_allocation *a = &d->allocations[i];
    const oracle_buffer *b = &d->buffers[a->buffer];
    const oracle_buffer *root = &d->buffers[b->storage];
    int64_t base, end;
    m->named[b->storage] = true;
    if (!m->placed[b->storage] && a->offset >= 0 &&
        !__builtin_sub_overflow(a->offset, b->storage_at, &base) && base >= 0 &&
        !__builtin_add_overflow(base, root->has_bytes ? root->bytes : 0,
                                &end)) {
        m->placed[b->storage] = true;
        m->base[b->storage] = base;
        m->end[b->storage] = end;
        m->allocation[b->storage] = i;
    }
}

static void note_used(oracle_memory *m, const oracle_document *d)
{
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t a = 0; a < task->args; a++) {
            const oracle_arg *arg = &d->args[task->first_arg + a];
            if (arg->kind == ORACLE_ARG_BUFFER && arg->buffer != ORACLE_NONE &&
                (arg->accesses > 0 || !arg->has_access)) {
                m->used[d->buffers[arg->buffer].storage] = true;
            }
        }
        if (task->has_predicate && task->predicate_buffer != ORACLE_NONE) {
            m->used[d->buffers[task->predicate_buffer].storage] = true;
        }
    }
}

bool oracle_memory_place(oracle_memory *memory, const oracle_document *document,
                         oracle_arena *arena)
{
    uint32_t n = document->buffer_count;
    *memory = (oracle_memory){
        .named = oracle_arena_alloc(arena, n),
        .placed = oracle_arena_alloc(arena, n),
        .base = oracle_arena_array(arena, n, sizeof(int64_t)),
        .end = oracle_arena_array(arena, n, sizeof(int64_t)),
        .allocation = oracle_arena_array(arena, n, sizeof(uint32_t)),
        .used = oracle_arena_alloc(arena, n),
    };
    if (memory->named == NULL || memory->placed == NULL ||
        memory->base == NULL || memory->end == NULL ||
        memory->allocation == NULL || memory->used == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < document->allocation_count; i++) {
        const oracle_allocation *a = &document->allocations[i];
        int64_t end;
        if (__builtin_add_overflow(a->offset, a->size, &end)) {
            memory->peak = -1;
        } else if (memory->peak >= 0 && end > memory->peak) {
            memory->peak = end;
        }
        if (a->buffer != ORACLE_NONE) {
            take(memory, document, i);
        }
    }
    note_used(memory, document);
    return true;
}

/* --- Rules on the list of places --- */

static const char *tell_key(oracle_arena *arena, oracle_text key)
{
    char shown[96];
    oracle_json_printable(key.data, key.length, shown, sizeof shown);
    return oracle_arena_text(arena, shown, strlen(shown));
}

/* `witness` and `message` from the arena: NULL is no memory. */
static bool add(oracle_judging *j, const char *rule, oracle_severity severity,
                uint32_t buffer, const char *witness, const char *message)
{
    oracle_record record = oracle_record_of(rule, severity);
    record.message = message;
    record.witness = witness;
    if (buffer != ORACLE_NONE) {
        const oracle_buffer *b = &j->document->buffers[buffer];
        record.has_storage = true;
        record.storage = buffer;
        record.end = b->has_bytes ? b->bytes : INT64_MAX;
    }
    return message != NULL && witness != NULL && oracle_judging_add(j, record);
}

/* What is wrong with where it lies, or NULL. */
static const char *fault_of(const oracle_document *d,
                            const oracle_allocation *a, int64_t capacity)
{
    int64_t end;
    if (a->offset < 0 || a->size < 0) {
        return "its offset or its size is negative";
    }
    if (__builtin_add_overflow(a->offset, a->size, &end)) {
        return "offset and size together pass 64 bits";
    }
    if (capacity > 0 && end > capacity) {
        return "it ends behind the capacity of the memory";
    }
    if (a->buffer == ORACLE_NONE) {
        return NULL;
    }
    const oracle_buffer *b = &d->buffers[a->buffer];
    if (b->has_bytes && b->bytes > a->size) {
        return "the buffer is larger than its place";
    }
    return b->storage_at > a->offset
               ? "the storage that it is a view of would start before 0"
               : NULL;
}

static bool check_bounds(oracle_judging *j, uint32_t i)
{
    const oracle_allocation *a = &j->document->allocations[i];
    const char *fault = fault_of(j->document, a, j->document->capacity);
    const char *key = tell_key(j->arena, a->key);
    if (fault == NULL) {
        return true;
    }
    return key != NULL &&
           add(j, "memory.bounds", ORACLE_ERROR, a->buffer,
               oracle_arena_format(j->arena, "{\"allocation\":%u}",
                                   (unsigned)i),
               oracle_arena_format(
                   j->arena,
                   "the place of %s, %" PRId64 " bytes at %" PRId64
                   ", is not right: %s; place it within bounds.",
                   key, a->size, a->offset, fault));
}

static bool check_alignment(oracle_judging *j, uint32_t i)
{
    const oracle_allocation *a = &j->document->allocations[i];
    const oracle_buffer *b =
        a->buffer == ORACLE_NONE ? NULL : &j->document->buffers[a->buffer];
    if (b == NULL || b->align <= 1 || a->offset % b->align == 0) {
        return true;
    }
    const char *key = tell_key(j->arena, a->key);
    return key != NULL &&
           add(j, "memory.alignment", ORACLE_ERROR, a->buffer,
               oracle_arena_format(j->arena, "{\"allocation\":%u}",
                                   (unsigned)i),
               oracle_arena_format(j->arena,
                                   "%s is placed at %" PRId64
                                   ", which is no multiple of %" PRId64
                                   ", its declared alignment: place it at one.",
                                   key, a->offset, b->align));
}

/* Buffers of one storage, placed apart. */
static bool check_split(oracle_judging *j, const oracle_memory *m, uint32_t i)
{
    const oracle_document *d = j->document;
    const oracle_allocation *a = &d->allocations[i];
    if (a->buffer == ORACLE_NONE || a->offset < 0) {
        return true;
    }
    const oracle_buffer *b = &d->buffers[a->buffer];
    int64_t base;
    uint32_t first = m->allocation[b->storage];
    if (!m->placed[b->storage] ||
        __builtin_sub_overflow(a->offset, b->storage_at, &base) ||
        base == m->base[b->storage]) {
        return true;
    }
    const char *key = tell_key(j->arena, a->key);
    const char *other = tell_key(j->arena, d->allocations[first].key);
    return key != NULL && other != NULL &&
           add(j, "memory.alias-split", ORACLE_ERROR, a->buffer,
               oracle_arena_format(j->arena, "{\"allocations\":[%u,%u]}",
                                   (unsigned)first, (unsigned)i),
               oracle_arena_format(
                   j->arena,
                   "%s is placed at %" PRId64 ", and by the place of %s, "
                   "which is the same storage, it lies at %" PRId64
                   ": place both where they are one.",
                   key, a->offset, other, m->base[b->storage] + b->storage_at));
}

static bool check_peak(oracle_judging *j, const oracle_memory *m)
{
    const oracle_document *d = j->document;
    return m->peak == d->peak || m->peak < 0 ||
           add(j, "memory.peak", ORACLE_ERROR, ORACLE_NONE,
               oracle_arena_format(j->arena, "{\"peak\":%" PRId64 "}", m->peak),
               oracle_arena_format(j->arena,
                                   "the plan says a peak of %" PRId64
                                   " bytes, its places end at %" PRId64
                                   ": say that.",
                                   d->peak, m->peak));
}

/* --- Rules on what is used --- */

/* A list of keys that is not as long as the arguments was not used. */
static void plan_keys(const oracle_score_view *view, uint32_t t, bool *list)
{
    const oracle_document *d = view->document;
    const oracle_task *task = &d->tasks[t];
    uint32_t keys =
        oracle_json_member(view->json, view->task_node[t], "arg_storage_keys");
    if (oracle_list_length(view->json, keys) != task->args) {
        return;
    }
    for (uint32_t a = task->first_arg; a < task->first_arg + task->args; a++) {
        if (d->args[a].kind == ORACLE_ARG_BUFFER && d->args[a].has_access &&
            view->json->nodes[view->key_node[a]].type != ORACLE_JSON_NULL) {
            list[d->args[a].buffer] = true;
        }
    }
}

/* What a Score has storage keys for. NULL: no memory. */
static bool *keyed(const oracle_score_view *view, oracle_arena *arena)
{
    const oracle_document *d = view->document;
    bool *list = oracle_arena_alloc(arena, d->buffer_count);
    for (uint32_t t = 0; list != NULL && t < d->task_count; t++) {
        plan_keys(view, t, list);
    }
    return list;
}

static bool is_memory(const oracle_arg *arg)
{
    return arg->kind == ORACLE_ARG_BUFFER && arg->has_access;
}

/* Of a graph beside a Score: what the Score names by its value alone. */
static bool pass_over_values(bool *list, const oracle_judging *j,
                             const oracle_score_view *view)
{
    const oracle_document *d = j->document, *s = view->document;
    const bool *known = keyed(view, j->arena);
    oracle_table values = {0};
    bool ok = known != NULL;
    for (uint32_t a = 0; ok && a < s->arg_count; a++) {
        if (!is_memory(&s->args[a]) || known[s->args[a].buffer]) {
            continue;
        }
        const oracle_text *key = &s->buffers[s->args[a].buffer].key;
        oracle_slot *slot = oracle_table_slot(&values, key->data, key->length);
        ok = slot != NULL;
        if (ok) {
            *slot = (oracle_slot){key->data, key->length, 0};
        }
    }
    for (uint32_t b = 0; ok && values.used > 0 && b < d->buffer_count; b++) {
        const oracle_text *key = &d->buffers[b].key;
        list[b] = list[b] && oracle_table_find(&values, key->data,
                                               key->length) == ORACLE_NONE;
    }
    oracle_table_free(&values);
    return ok;
}

/*
 * Which buffers a plan has to place: of a Score those with a storage key
 * (spec 03, Liveness), else those that the runtime allocates, but for what a
 * Score beside has no storage key for.
 */
static bool *planned(const oracle_judging *j, const oracle_score_view *view)
{
    const oracle_document *d = j->document;
    if (view != NULL && view->document == d) {
        return keyed(view, j->arena);
    }
    bool *list = oracle_arena_alloc(j->arena, d->buffer_count);
    for (uint32_t b = 0; list != NULL && b < d->buffer_count; b++) {
        list[d->buffers[b].storage] |= !d->buffers[b].external;
    }
    return list == NULL || view == NULL || pass_over_values(list, j, view)
               ? list
               : NULL;
}

static bool check_used(oracle_judging *j, const oracle_memory *m, uint32_t b,
                       bool needs_place)
{
    const oracle_document *d = j->document;
    const oracle_buffer *buffer = &d->buffers[b];
    const char *key = tell_key(j->arena, buffer->key);
    if (!m->used[b]) {
        return true;
    }
    if (!m->placed[b]) {
        return !needs_place || m->named[b] ||
               (key != NULL &&
                add(j, "memory.missing", ORACLE_ERROR, b,
                    oracle_arena_format(j->arena, "{\"missing\":%u}",
                                        (unsigned)b),
                    oracle_arena_format(j->arena,
                                        "%s is used and has no place in the "
                                        "plan: place it.",
                                        key)));
    }
    return buffer->has_bytes ||
           (key != NULL &&
            add(j, "memory.unknown-size", ORACLE_WARNING, b,
                oracle_arena_format(j->arena, "{\"unsized\":%u}", (unsigned)b),
                oracle_arena_format(
                    j->arena,
                    "the size of %s is not known, so that what lies on its "
                    "bytes cannot be judged: give its size.",
                    key)));
}

bool oracle_judge_plan(oracle_judging *judging, const oracle_score_view *view)
{
    const oracle_document *d = judging->document;
    if (!d->has_plan) {
        return true;
    }
    oracle_memory *m = oracle_arena_alloc(judging->arena, sizeof *m);
    bool *needed = planned(judging, view);
    if (m == NULL || needed == NULL ||
        !oracle_memory_place(m, d, judging->arena) || !check_peak(judging, m)) {
        return false;
    }
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        if (!check_bounds(judging, i) || !check_alignment(judging, i) ||
            !check_split(judging, m, i)) {
            return false;
        }
    }
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        if (d->buffers[b].storage == b &&
            !check_used(judging, m, b, needed[b])) {
            return false;
        }
    }
    judging->memory = m;
    return true;
}

/* --- Tasks that write over what they read --- */

#define COMPARED 64

static bool over_each_other(const oracle_memory *m, uint32_t a, uint32_t b)
{
    return a != b && m->placed[a] && m->placed[b] && m->base[a] < m->end[b] &&
           m->base[b] < m->end[a];
}

static bool arg_does(const oracle_document *d, const oracle_arg *arg,
                     bool writes)
{
    bool does = !arg->has_access;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        oracle_mode mode = d->accesses[arg->first_access + i].mode;
        does |= writes ? mode != ORACLE_READ : mode != ORACLE_WRITE;
    }
    return does && arg->kind == ORACLE_ARG_BUFFER && arg->buffer != ORACLE_NONE;
}

static bool task_overwrites(const oracle_memory *m, const oracle_document *d,
                            const oracle_arg *args, uint32_t count)
{
    for (uint32_t w = 0; w < count; w++) {
        for (uint32_t r = 0; r < count && arg_does(d, &args[w], true); r++) {
            if (arg_does(d, &args[r], false) &&
                over_each_other(m, d->buffers[args[w].buffer].storage,
                                d->buffers[args[r].buffer].storage)) {
                return true;
            }
        }
    }
    return false;
}

bool oracle_memory_overwrites(const oracle_memory *memory,
                              const oracle_document *document)
{
    for (uint32_t t = 0; t < document->task_count; t++) {
        const oracle_task *task = &document->tasks[t];
        if (task->args > COMPARED ||
            (task->args > 0 &&
             task_overwrites(memory, document, &document->args[task->first_arg],
                             task->args))) {
            return true;
        }
    }
    return false;
}
