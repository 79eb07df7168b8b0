/* Rules on one task, and on what the orchestration itself touches. */
#include "judge_work.h"

#include <inttypes.h>

#define TOUCHES 1024 /* accesses of one task that are compared */

typedef struct touch {
    uint32_t arg;
    bool writes, reads, accumulates, exact;
    oracle_place place;
} touch;

/* The accesses of one task; `touches` has room for all. */
static uint32_t collect(const oracle_document *d, const oracle_task *task,
                        touch *touches)
{
    uint32_t n = 0;
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &d->args[task->first_arg + a];
        if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE) {
            continue;
        }
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *access = &d->accesses[arg->first_access + i];
            touches[n++] = (touch){
                .arg = a,
                .writes = access->mode != ORACLE_READ,
                .reads = access->mode == ORACLE_READ ||
                         access->mode == ORACLE_READ_WRITE,
                .accumulates = access->mode == ORACLE_ACCUMULATE,
                .exact = access->exact,
                .place = oracle_access_place(arg, access),
            };
        }
    }
    return n;
}

static const char *overlap_witness(oracle_judging *j, uint32_t t,
                                   const touch *a, const touch *b,
                                   const oracle_record *record)
{
    oracle_out out = {0};
    const oracle_text *key = &j->document->buffers[record->storage].key;
    oracle_out_format(&out, "{\"args\":[%u,%u],\"begin\":%" PRId64,
                      (unsigned)a->arg, (unsigned)b->arg, record->begin);
    oracle_out_text(&out, ",\"buffer\":");
    oracle_out_string(&out, key->data, key->length);
    oracle_out_format(&out, ",\"task\":%" PRId64 "}", j->document->tasks[t].id);
    const char *text =
        out.failed ? NULL : oracle_arena_text(j->arena, out.data, out.length);
    oracle_out_free(&out);
    return text;
}

/*
 * The bytes that both touch. All of a buffer whose size is not known goes from
 * its first byte on, to INT64_MAX.
 */
static bool common_bytes(const oracle_document *d, oracle_place a,
                         oracle_place b, oracle_span *common)
{
    const oracle_place both[] = {a, b};
    oracle_span span[2];
    if (oracle_places_common(d, a, b, common)) {
        return true;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const oracle_buffer *buffer = &d->buffers[both[i].buffer];
        if (both[i].region == ORACLE_NONE && !buffer->has_bytes) {
            span[i] = (oracle_span){false, buffer->storage_at, INT64_MAX};
        } else if (!oracle_places_common(d, both[i], both[i], &span[i])) {
            return false;
        }
    }
    const oracle_span *late = &span[span[0].begin < span[1].begin];
    const oracle_span *early = late == span ? &span[1] : span;
    *common = (oracle_span){true, late->begin, late->end};
    return early->end == INT64_MAX;
}

static bool share_storage(const oracle_document *d, const touch *a,
                          const touch *b)
{
    return d->buffers[a->place.buffer].storage ==
           d->buffers[b->place.buffer].storage;
}

static bool report_overlap(oracle_judging *j, uint32_t t, const touch *a,
                           const touch *b, bool error)
{
    const oracle_document *d = j->document;
    oracle_span common = {0};
    oracle_record record = oracle_record_of(
        "task.self-overlap", error ? ORACLE_ERROR : ORACLE_WARNING);
    bool known = common_bytes(d, a->place, b->place, &common);
    record.producer = (oracle_end){t, a->arg, false};
    record.consumer = (oracle_end){t, b->arg, false};
    record.has_storage = true;
    record.storage = d->buffers[a->place.buffer].storage;
    record.begin = known ? common.begin : 0;
    record.end = known ? common.end : INT64_MAX;
    const char *task = oracle_tell_task(j->arena, d, t);
    const char *bytes = oracle_tell_bytes(j->arena, d, record.storage,
                                          record.begin, record.end);
    if (task == NULL || bytes == NULL) {
        return false;
    }
    record.message =
        share_storage(d, a, b)
            ? oracle_arena_format(
                  j->arena,
                  "%s %s %s through argument %u and writes them through "
                  "argument %u: give it one argument for them, or views that "
                  "do not meet.",
                  task, a->writes ? "writes" : "reads", bytes, (unsigned)a->arg,
                  (unsigned)b->arg)
            : oracle_arena_format(
                  j->arena,
                  "%s %s %s through argument %u and writes %s through argument "
                  "%u, which may be the same memory: give it one argument for "
                  "them, or leave out the `may_alias`.",
                  task, a->writes ? "writes" : "reads",
                  d->buffers[a->place.buffer].key.data, (unsigned)a->arg,
                  d->buffers[b->place.buffer].key.data, (unsigned)b->arg);
    record.witness =
        error ? overlap_witness(j, t, a, b, &record)
              : oracle_arena_format(
                    j->arena, "{\"args\":[%u,%u],\"task\":%" PRId64 "}",
                    (unsigned)a->arg, (unsigned)b->arg, d->tasks[t].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

/*
 * Two arguments of one task: two writes that meet are an error where both are
 * exact; everything less is a warning. What one argument does to itself is the
 * kernel's own order.
 */
static bool judge_touches(oracle_judging *j, uint32_t t, const touch *a,
                          const touch *b)
{
    const oracle_document *d = j->document;
    bool both = a->writes && b->writes;
    if (a->arg == b->arg || !(a->writes || b->writes) ||
        (a->accumulates && b->accumulates)) {
        return true;
    }
    oracle_meet meet = oracle_places_meet(d, a->place, b->place);
    if (meet == ORACLE_MEET_NEVER) {
        return true;
    }
    oracle_span common;
    bool sure = meet == ORACLE_MEET_SURELY && a->exact && b->exact &&
                common_bytes(d, a->place, b->place, &common);
    if (a->writes && !b->writes) {
        const touch *other = a;
        a = b;
        b = other;
    }
    return report_overlap(j, t, a, b, both && sure);
}

static bool judge_form(oracle_judging *j, uint32_t t)
{
    const oracle_task *task = &j->document->tasks[t];
    if (!task->has_predicate || task->predicate_formed) {
        return true;
    }
    oracle_record record = oracle_record_of("predicate.form", ORACLE_ERROR);
    const char *name = oracle_tell_task(j->arena, j->document, t);
    record.consumer.task = t;
    record.message =
        name == NULL ? NULL
                     : oracle_arena_format(
                           j->arena,
                           "the predicate of %s is not of the form "
                           "tensor[indices] OP integer, which is all that the "
                           "dispatcher evaluates: compare one element.",
                           name);
    record.witness =
        oracle_arena_format(j->arena, "{\"task\":%" PRId64 "}", task->id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool undecided(oracle_judging *j, uint32_t t)
{
    const char *task = oracle_tell_task(j->arena, j->document, t);
    const char *text =
        task == NULL
            ? NULL
            : oracle_arena_format(j->arena,
                                  "whether accesses of %s meet each other: it "
                                  "has more than %d",
                                  task, TOUCHES);
    return text != NULL && oracle_judging_undecided(j, text);
}

bool oracle_judge_tasks(oracle_judging *judging)
{
    const oracle_document *d = judging->document;
    touch *touches =
        oracle_arena_array(judging->arena, d->access_count, sizeof *touches);
    if (touches == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        uint32_t n = collect(d, &d->tasks[t], touches);
        if (n > TOUCHES) {
            n = TOUCHES;
            if (!undecided(judging, t)) {
                return false;
            }
        }
        for (uint32_t a = 0; a < n; a++) {
            for (uint32_t b = a + 1; b < n; b++) {
                if (!judge_touches(judging, t, &touches[a], &touches[b])) {
                    return false;
                }
            }
        }
        if (!judge_form(judging, t)) {
            return false;
        }
    }
    return true;
}

/* --- The orchestration --- */

static bool report_stale(oracle_judging *j, const oracle_host_access *access,
                         uint32_t writer, const char *why)
{
    const oracle_document *d = j->document;
    oracle_record record = oracle_record_of("host.stale-read", ORACLE_ERROR);
    oracle_place place = {access->buffer, access->region};
    oracle_span span = oracle_place_span(d, place);
    record.producer.task = writer;
    record.line = access->line;
    record.has_storage = true;
    record.storage = d->buffers[access->buffer].storage;
    record.begin = span.bounded ? span.begin : 0;
    record.end = span.bounded ? span.end : INT64_MAX;
    const char *bytes = oracle_tell_bytes(j->arena, d, record.storage,
                                          record.begin, record.end);
    if (bytes == NULL) {
        return false;
    }
    record.message = oracle_arena_format(
        j->arena,
        "the orchestration %s %s while the graph is built, %s: let a task do "
        "it, or use a tensor that no task writes.",
        access->mode == ORACLE_READ ? "reads" : "writes", bytes, why);
    record.witness =
        writer == ORACLE_NONE
            ? oracle_arena_format(j->arena, "{\"host\":%u,\"writer\":null}",
                                  (unsigned)(access - d->host_accesses))
            : oracle_arena_format(
                  j->arena, "{\"host\":%u,\"writer\":%" PRId64 "}",
                  (unsigned)(access - d->host_accesses), d->tasks[writer].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

/* Whether it writes the bytes; else, with `reads`, reads them for certain. */
static bool task_touches(const oracle_document *d, uint32_t t,
                         oracle_place place, bool reads)
{
    const oracle_task *task = &d->tasks[t];
    oracle_place operand = {task->predicate_buffer, task->predicate_region};
    if (reads && task->has_predicate && task->predicate_formed &&
        oracle_places_meet(d, operand, place) == ORACLE_MEET_SURELY) {
        return true;
    }
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &d->args[task->first_arg + a];
        if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE ||
            d->buffers[arg->buffer].storage !=
                d->buffers[place.buffer].storage) {
            continue;
        }
        for (uint32_t i = 0; i < arg->accesses; i++) {
            const oracle_access *access = &d->accesses[arg->first_access + i];
            bool read = access->mode == ORACLE_READ;
            if ((!read || (reads && access->must && access->exact &&
                           !task->has_predicate)) &&
                oracle_places_meet(d, oracle_access_place(arg, access),
                                   place) == ORACLE_MEET_SURELY) {
                return true;
            }
        }
    }
    return false;
}

/* No choice has one value for the task and the other for the access. */
static bool together(const oracle_document *d, const oracle_task *task,
                     const oracle_host_access *access)
{
    bool both = true;
    for (uint32_t i = 0; i < access->whens; i++) {
        const oracle_when *x = &d->whens[access->first_when + i];
        for (uint32_t k = 0; k < task->whens; k++) {
            const oracle_when *y = &d->whens[task->first_when + k];
            both = both && (x->choice != y->choice || x->is == y->is);
        }
    }
    return both;
}

/*
 * The last task that was submitted before the access and writes its bytes; or,
 * with `reads`, reads them.
 */
static uint32_t last_touch(const oracle_document *d,
                           const oracle_host_access *access, bool reads)
{
    oracle_place place = {access->buffer, access->region};
    uint32_t last = ORACLE_NONE;
    for (uint32_t t = 0; access->after >= 0 && t < d->task_count; t++) {
        if (together(d, &d->tasks[t], access) &&
            task_touches(d, t, place, reads)) {
            last = t;
        }
        if (d->tasks[t].id == access->after) {
            break;
        }
    }
    return last;
}

bool oracle_judge_host(oracle_judging *judging)
{
    const oracle_document *d = judging->document;
    for (uint32_t i = 0; i < d->host_access_count; i++) {
        const oracle_host_access *access = &d->host_accesses[i];
        uint32_t task = last_touch(d, access, false);
        bool internal =
            !d->buffers[d->buffers[access->buffer].storage].external;
        const char *why =
            task != ORACLE_NONE ? "after a task that writes them was submitted"
            : internal          ? "though the runtime allocates that tensor"
                                : NULL;
        /* A task that was submitted before reads what the host leaves there. */
        if (why == NULL && access->mode != ORACLE_READ) {
            task = last_touch(d, access, true);
            why = task == ORACLE_NONE
                      ? NULL
                      : "after a task that reads them was submitted";
        }
        if (why != NULL && !report_stale(judging, access, task, why)) {
            return false;
        }
    }
    return true;
}
