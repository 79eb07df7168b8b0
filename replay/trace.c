/*
 * The timeline as Chrome trace JSON. A cluster is a process, a core a thread of
 * it; numbers of both begin at 1, since 0 is the idle task there. Times are
 * microseconds, so a tick is 0.02 of them. An arrow is bound to a block by a
 * time within it, so it leaves one tick before the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine_work.h"
#include "text.h"

#define MOST_ARROWS 20000

typedef struct trace {
    const replay_timeline *line;
    replay_text *out;
    uint32_t *first, *last; /* by task: slots; REPLAY_NONE: it has none */
    uint8_t *lane;          /* by task without a core: its thread */
    bool *is_critical;      /* by task */
    uint32_t lanes;         /* of tasks without a core, that overlap */
    uint32_t rows;          /* lines of metadata */
    uint64_t arrows;
} trace;

static const char *const lane_names[] = {"AIC", "AIV 0", "AIV 1"};

static void put_time(replay_text *out, uint64_t ticks)
{
    replay_text_number(out, ticks / 50);
    replay_text_format(out, ".%02u", (unsigned)(ticks % 50 * 2));
}

/* The number of a core: tens are clusters. */
static uint64_t thread_of(uint32_t core)
{
    uint64_t cluster = core / REPLAY_LANES;
    return (cluster + 1) * 10 + core % REPLAY_LANES;
}

/* ,"pid":..,"tid":.. */
static void put_core(replay_text *out, uint32_t core)
{
    replay_text_add(out, ",\"pid\":");
    replay_text_number(out, core / REPLAY_LANES + 1);
    replay_text_add(out, ",\"tid\":");
    replay_text_number(out, thread_of(core));
}

static void put_name(const trace *t, uint32_t task)
{
    const replay_program *program = t->line->program;
    const oracle_document *document = program->document;
    oracle_text name = document->tasks[program->tasks[task].source].name;
    if (name.length > 0) {
        replay_text_json(t->out, name.data, name.length);
    } else {
        replay_text_format(t->out, "task %" PRId64, program->tasks[task].id);
    }
}

/* ---- Names of the rows ---- */

/* One line of metadata: `value` is JSON. The first event of all is one. */
static void put_meta(trace *t, const char *what, uint64_t process,
                     uint64_t thread, const char *value)
{
    replay_text_format(t->out,
                       "%s{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRIu64
                       ",\"tid\":%" PRIu64 ",\"args\":{%s}}",
                       t->rows++ == 0 ? "" : ",\n", what, process, thread,
                       value);
}

static void put_rows(trace *t)
{
    uint32_t clusters = t->line->clusters;
    char value[64];
    for (uint32_t c = 0; c < clusters; c++) {
        uint64_t process = (uint64_t)c + 1;
        snprintf(value, sizeof value, "\"name\":\"cluster %u\"", (unsigned)c);
        put_meta(t, "process_name", process, process * 10, value);
        snprintf(value, sizeof value, "\"sort_index\":%u", (unsigned)c);
        put_meta(t, "process_sort_index", process, process * 10, value);
        for (uint32_t lane = 0; lane < REPLAY_LANES; lane++) {
            snprintf(value, sizeof value, "\"name\":\"%s\"", lane_names[lane]);
            put_meta(t, "thread_name", process, process * 10 + lane, value);
        }
    }
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        uint64_t process = (uint64_t)clusters + 1;
        if (lane == 0) {
            put_meta(t, "process_name", process, process * 10,
                     "\"name\":\"without a core\"");
            put_meta(t, "process_sort_index", process, process * 10,
                     "\"sort_index\":-1");
        }
        put_meta(t, "thread_name", process, process * 10 + lane,
                 "\"name\":\"dummies, false predicates\"");
    }
}

/* ---- Blocks, and tasks without ---- */

static void put_args(const trace *t, uint32_t task)
{
    const replay_task *of = &t->line->program->tasks[task];
    replay_text_format(t->out, ",\"args\":{\"task\":%" PRId64, of->id);
    replay_text_add(t->out, ",\"ready_us\":");
    put_time(t->out, t->line->ready[task]);
}

static void put_block(const trace *t, const replay_slot *slot, uint32_t core)
{
    const replay_task *task = &t->line->program->tasks[slot->task];
    replay_text_add(t->out, ",\n{\"ph\":\"X\",\"name\":\"");
    put_name(t, slot->task);
    replay_text_add(t->out, t->is_critical[slot->task]
                                ? "\",\"cat\":\"task,critical\""
                                : "\",\"cat\":\"task\"");
    put_core(t->out, core);
    replay_text_add(t->out, ",\"ts\":");
    put_time(t->out, slot->begin);
    replay_text_add(t->out, ",\"dur\":");
    put_time(t->out, slot->end - slot->begin);
    put_args(t, slot->task);
    replay_text_format(t->out, ",\"block\":%u,\"blocks\":%" PRId64 "}}",
                       (unsigned)slot->block, task->blocks);
}

/* ,"pid":..,"tid":.. of a task that took no core. */
static void put_lane(const trace *t, uint32_t task)
{
    unsigned process = (unsigned)t->line->clusters + 1;
    replay_text_format(t->out, ",\"pid\":%u,\"tid\":%u", process,
                       process * 10 + t->lane[task]);
}

/* What took no core is there while a scheduler has it; a mark, where that is
   no time. */
static void put_inline(const trace *t, uint32_t task)
{
    const replay_timeline *line = t->line;
    bool is_dummy = line->program->tasks[task].core == REPLAY_DUMMY;
    bool is_mark = line->begin[task] == line->end[task];
    replay_text_format(t->out, ",\n{\"ph\":\"%s\",\"name\":\"",
                       is_mark ? "i\",\"s\":\"t" : "X");
    put_name(t, task);
    replay_text_format(t->out, "\",\"cat\":\"%s%s\"",
                       is_dummy ? "dummy" : "predicate",
                       t->is_critical[task] ? ",critical" : "");
    put_lane(t, task);
    replay_text_add(t->out, ",\"ts\":");
    put_time(t->out, line->begin[task]);
    if (!is_mark) {
        replay_text_add(t->out, ",\"dur\":");
        put_time(t->out, line->end[task] - line->begin[task]);
    }
    put_args(t, task);
    replay_text_add(t->out, "}}");
}

static void put_blocks(const trace *t)
{
    const replay_timeline *line = t->line;
    for (uint32_t i = 0; i < line->slot_count; i++) {
        const replay_slot *slot = &line->slots[i];
        bool is_mix = line->program->tasks[slot->task].core == REPLAY_MIX;
        uint32_t lanes = is_mix ? REPLAY_LANES : 1;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            put_block(t, slot, slot->core + lane);
        }
    }
    for (uint32_t i = 0; i < line->program->task_count; i++) {
        if (t->first[line->order[i]] == REPLAY_NONE) {
            put_inline(t, line->order[i]);
        }
    }
}

/* ---- Edges ---- */

/* At the block of a task that ends last, or that begins first. */
static void put_arrow_end(const trace *t, const char *phase, uint32_t task,
                          uint32_t slot, uint64_t ticks)
{
    replay_text_format(t->out,
                       ",\n{\"ph\":\"%s\",\"cat\":\"edge\",\"name\":\"edge\","
                       "\"id\":%" PRIu64,
                       phase, t->arrows);
    if (slot == REPLAY_NONE) {
        put_lane(t, task);
    } else {
        put_core(t->out, t->line->slots[slot].core);
    }
    replay_text_add(t->out, ",\"ts\":");
    put_time(t->out, ticks);
}

/* Whether it took some time: an arrow is bound to a time within a block. */
static bool is_there(const replay_timeline *line, uint32_t task)
{
    return line->begin[task] < line->end[task];
}

static void put_arrow(trace *t, uint32_t from, uint32_t to)
{
    const replay_timeline *line = t->line;
    if (!is_there(line, from) || !is_there(line, to) ||
        t->arrows == MOST_ARROWS) {
        return;
    }
    if (line->begin[to] < line->end[from]) {
        return; /* it was skipped */
    }
    t->arrows++;
    put_arrow_end(t, "s", from, t->last[from], line->end[from] - 1);
    replay_text_add(t->out, "}");
    put_arrow_end(t, "f", to, t->first[to], line->begin[to]);
    replay_text_add(t->out, ",\"bp\":\"e\"}");
}

/* Of the edges of one task those on the critical path, or the others. */
static void put_edges_of(trace *t, uint32_t task, uint32_t critical_next,
                         bool is_critical)
{
    const replay_program *program = t->line->program;
    const replay_task *from = &program->tasks[task];
    for (uint32_t i = 0; i < from->afters && t->arrows < MOST_ARROWS; i++) {
        uint32_t to = program->after[from->first_after + i];
        if ((to == critical_next) == is_critical) {
            put_arrow(t, task, to);
        }
    }
}

static void put_edges(trace *t)
{
    const replay_timeline *line = t->line;
    uint32_t at = 0;
    for (uint32_t i = 0; i + 1 < line->critical_count; i++) {
        put_edges_of(t, line->critical_path[i], line->critical_path[i + 1],
                     true);
    }
    for (uint32_t i = 0; i < line->program->task_count; i++) {
        uint32_t task = line->order[i], next = REPLAY_NONE;
        /* Both are in the order of the run. */
        if (at < line->critical_count && line->critical_path[at] == task) {
            at++;
            next = at < line->critical_count ? line->critical_path[at]
                                             : REPLAY_NONE;
        }
        put_edges_of(t, task, next, false);
    }
}

/* ---- The whole ---- */

static void put_summary(const trace *t)
{
    const replay_timeline *line = t->line;
    const replay_program *program = line->program;
    replay_text_add(t->out, "\n],\"otherData\":{\"program\":\"");
    replay_text_json(t->out, program->document->name.data,
                     program->document->name.length);
    replay_text_format(t->out,
                       "\",\"tasks\":%u,\"blocks\":%u,\"edges\":%u,\"arrows\":"
                       "%" PRIu64,
                       (unsigned)program->task_count,
                       (unsigned)line->slot_count,
                       (unsigned)program->edge_count, t->arrows);
    replay_text_add(t->out, ",\"makespan_us\":");
    put_time(t->out, line->makespan);
    replay_text_add(t->out, ",\"critical_path_us\":");
    put_time(t->out, line->critical);
    replay_text_add(t->out, ",\"sequential_us\":");
    put_time(t->out, line->sequential);
    replay_text_format(t->out, ",\"digest\":\"%s\"}}\n", line->digest);
}

/* Where an arrow leaves: the block that ends last, of equals the first. */
static void find_slots(trace *t)
{
    const replay_timeline *line = t->line;
    for (uint32_t task = 0; task < line->program->task_count; task++) {
        t->first[task] = t->last[task] = REPLAY_NONE;
    }
    for (uint32_t i = 0; i < line->slot_count; i++) {
        uint32_t task = line->slots[i].task, *last = &t->last[task];
        if (t->first[task] == REPLAY_NONE) {
            t->first[task] = i;
        }
        if (*last == REPLAY_NONE ||
            line->slots[*last].end < line->slots[i].end) {
            *last = i;
        }
    }
    for (uint32_t i = 0; i < line->critical_count; i++) {
        t->is_critical[line->critical_path[i]] = true;
    }
}

/* On a thread nothing overlaps: there are as many as schedulers that were at
   such tasks together. All of these take equally long. */
static void find_lanes(trace *t)
{
    const replay_timeline *line = t->line;
    uint64_t until[REPLAY_MOST_SCHEDULERS] = {0};
    for (uint32_t i = 0; i < line->program->task_count; i++) {
        uint32_t task = line->order[i], lane = 0;
        if (t->first[task] != REPLAY_NONE) {
            continue;
        }
        while (lane + 1 < REPLAY_MOST_SCHEDULERS &&
               until[lane] > line->begin[task]) {
            lane++;
        }
        until[lane] = line->end[task];
        t->lane[task] = (uint8_t)lane;
        t->lanes = lane + 1 > t->lanes ? lane + 1 : t->lanes;
    }
}

replay_status replay_timeline_trace(char **text, size_t *length,
                                    const replay_timeline *timeline,
                                    replay_error *error)
{
    size_t count = (size_t)timeline->program->task_count + 1;
    replay_text out = {0};
    trace t = {.line = timeline,
               .out = &out,
               .first = malloc(count * sizeof *t.first),
               .last = malloc(count * sizeof *t.last),
               .lane = calloc(count, sizeof *t.lane),
               .is_critical = calloc(count, sizeof *t.is_critical)};
    if (t.first == NULL || t.last == NULL || t.lane == NULL ||
        t.is_critical == NULL) {
        out.failed = true;
    } else {
        find_slots(&t);
        find_lanes(&t);
        replay_text_add(&out,
                        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        put_rows(&t);
        put_blocks(&t);
        put_edges(&t);
        put_summary(&t);
    }
    free(t.first);
    free(t.last);
    free(t.lane);
    free(t.is_critical);
    return replay_text_give(text, length, &out, error);
}
