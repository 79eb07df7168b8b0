/*
 * limit.*: what the runtime takes at most (spec 07). One finding for a limit
 * and a task, or for a limit and the document. What a run recorded did fit
 * into the window that it was given.
 */
#include "judge_work.h"

#include "execution.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#define LIMIT_TENSORS 32
#define LIMIT_SCALARS 16
#define LIMIT_DIMENSIONS 5
#define LIMIT_BLOCKS 32767 /* x lanes */
#define LIMIT_FUNCTIONS 1024
#define LIMIT_EXTERNALS 256
#define LIMIT_SCOPES 64
#define LIMIT_READY 8192  /* of one shape */
#define LIMIT_TASKS 16384 /* unless runtime_env.ring_task_window says more */
#define CLUSTERS 24       /* of the chip: a cube core, two vector cores */

/* Tasks and edges that are looked at, over all executions. */
#define WORK (UINT64_C(1) << 27)

typedef enum shape { AIC, AIV, MIXED, DUMMY, OTHER, SHAPES } shape;

static const char *const shape_names[SHAPES] = {"aic", "aiv", "mixed", "dummy",
                                                "other"};

static shape shape_of(const oracle_task *task)
{
    static const struct {
        const char *core;
        shape shape;
    } cores[] = {{"aic", AIC}, {"aiv", AIV}, {"mixed", MIXED}, {"mix", MIXED}};
    if (task->dummy) {
        return DUMMY;
    }
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        if (strcasecmp(task->core.data, cores[i].core) == 0) {
            return cores[i].shape;
        }
    }
    return OTHER;
}

/* Cores that one block takes: of a record those that have a kernel. */
static int64_t lanes_of(const oracle_document *d, uint32_t t)
{
    const oracle_run *run = d->run;
    int64_t lanes = 0;
    for (int i = 0; run != NULL && run->kernels != NULL && i < 3; i++) {
        lanes += run->kernels[t].known && run->kernels[t].id[i] >= 0;
    }
    return lanes > 0 ? lanes : shape_of(&d->tasks[t]) == MIXED ? 3 : 1;
}

/* The cores of the chip that the lanes of a task can be on; 0: not known. */
static int64_t cores_of(const oracle_document *d, uint32_t t)
{
    switch (shape_of(&d->tasks[t])) {
    case AIC:
        return CLUSTERS;
    case AIV:
        return 2 * CLUSTERS;
    case MIXED:
        return CLUSTERS * lanes_of(d, t);
    default:
        return 0;
    }
}

/* --- One task --- */

/* "task 3 HAS 33 WHAT and WHO 32: FIX." */
typedef struct task_limit {
    const char *rule;
    int64_t limit;
    const char *has, *what, *who, *fix;
} task_limit;

static const task_limit tensors = {"limit.tensors",
                                   LIMIT_TENSORS,
                                   "has",
                                   "tensor arguments",
                                   "the runtime takes",
                                   "pass several as one buffer, or "
                                   "split the task"};
static const task_limit scalars = {"limit.scalars",
                                   LIMIT_SCALARS,
                                   "has",
                                   "scalar arguments",
                                   "the runtime takes",
                                   "pass them in a tensor, or split "
                                   "the task"};
static const task_limit dimensions = {
    "limit.dimensions", LIMIT_DIMENSIONS,    "has a tensor of",
    "dimensions",       "the runtime takes", "reshape it before the call"};
static const task_limit blocks = {"limit.blocks",
                                  LIMIT_BLOCKS,
                                  "is",
                                  "blocks x lanes",
                                  "the runtime takes",
                                  "launch fewer blocks, each with "
                                  "more of the work"};
static const task_limit sync_start = {
    "limit.sync-start",
    0,
    "starts at once",
    "blocks x lanes",
    "the chip has cores for",
    "it never starts; launch fewer blocks, or leave "
    "sync_start out"};

static bool report_task(oracle_judging *j, const task_limit *limit, uint32_t t,
                        uint32_t arg, int64_t count, int64_t most)
{
    oracle_record record = oracle_record_of(limit->rule, ORACLE_ERROR);
    const char *task = oracle_tell_task(j->arena, j->document, t);
    if (task == NULL) {
        return false;
    }
    record.consumer = (oracle_end){t, arg, false};
    record.message = oracle_arena_format(
        j->arena, "%s %s %" PRId64 " %s and %s %" PRId64 ": %s.", task,
        limit->has, count, limit->what, limit->who, most, limit->fix);
    record.witness = oracle_arena_format(
        j->arena,
        "{\"count\":%" PRId64 ",\"limit\":%" PRId64 ",\"task\":%" PRId64 "}",
        count, most, j->document->tasks[t].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool judge_count(oracle_judging *j, const task_limit *limit, uint32_t t,
                        uint32_t arg, int64_t count)
{
    return count <= limit->limit ||
           report_task(j, limit, t, arg, count, limit->limit);
}

static bool judge_args(oracle_judging *j, uint32_t t)
{
    const oracle_document *d = j->document;
    const oracle_task *task = &d->tasks[t];
    uint32_t count[2] = {0}, most = 0, of = ORACLE_NONE;
    for (uint32_t a = 0; a < task->args; a++) {
        const oracle_arg *arg = &d->args[task->first_arg + a];
        count[arg->kind]++;
        if (arg->view != ORACLE_NONE && d->regions[arg->view].count > most) {
            most = d->regions[arg->view].count;
            of = a;
        }
    }
    return judge_count(j, &tensors, t, ORACLE_NONE, count[ORACLE_ARG_BUFFER]) &&
           judge_count(j, &scalars, t, ORACLE_NONE, count[ORACLE_ARG_SCALAR]) &&
           judge_count(j, &dimensions, t, of, most);
}

static bool judge_blocks(oracle_judging *j, uint32_t t)
{
    const oracle_task *task = &j->document->tasks[t];
    int64_t lanes = lanes_of(j->document, t), count;
    if (__builtin_mul_overflow(task->blocks, lanes, &count)) {
        count = INT64_MAX;
    }
    if (!judge_count(j, &blocks, t, ORACLE_NONE, count)) {
        return false;
    }
    int64_t cores = cores_of(j->document, t);
    return !task->sync_start || cores == 0 || count <= cores ||
           report_task(j, &sync_start, t, ORACLE_NONE, count, cores);
}

/* --- The document --- */

static bool report_all(oracle_judging *j, oracle_record record, int64_t count,
                       int64_t limit)
{
    record.witness = oracle_arena_format(
        j->arena, "{\"count\":%" PRId64 ",\"limit\":%" PRId64 "}", count,
        limit);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool keep_id(oracle_id_table *ids, int64_t id)
{
    oracle_id_slot *slot = oracle_id_table_slot(ids, id);
    if (slot != NULL) {
        slot->value = 0;
    }
    return slot != NULL;
}

/* The functions of a task: of a record its kernels, else its callee's name. */
static bool add_functions(const oracle_document *d, uint32_t t,
                          oracle_table *names, oracle_id_table *ids)
{
    const oracle_task *task = &d->tasks[t];
    bool ok = true;
    for (int i = 0; ok && d->run != NULL && d->run->kernels != NULL && i < 3;
         i++) {
        int64_t id = d->run->kernels[t].id[i];
        ok = id < 0 || keep_id(ids, id);
    }
    if (d->run == NULL && !task->dummy && task->name.present) {
        oracle_slot *slot =
            oracle_table_slot(names, task->name.data, task->name.length);
        ok = slot != NULL;
        if (ok) {
            *slot = (oracle_slot){task->name.data, task->name.length, t};
        }
    }
    return ok;
}

static bool count_functions(const oracle_document *d, uint64_t *count)
{
    oracle_table names = {0};
    oracle_id_table ids = {0};
    bool ok = true;
    for (uint32_t t = 0; ok && d->functions == 0 && t < d->task_count; t++) {
        ok = add_functions(d, t, &names, &ids);
    }
    *count = d->functions + names.used + ids.used;
    oracle_table_free(&names);
    oracle_id_table_free(&ids);
    return ok;
}

static bool judge_functions(oracle_judging *j)
{
    oracle_record record = oracle_record_of("limit.functions", ORACLE_ERROR);
    uint64_t count;
    if (!count_functions(j->document, &count)) {
        return false;
    }
    record.message = oracle_arena_format(
        j->arena,
        "%u functions are called and the runtime has ids for %d: call fewer, "
        "with what differs as a scalar.",
        (unsigned)count, LIMIT_FUNCTIONS);
    return count <= LIMIT_FUNCTIONS ||
           report_all(j, record, (int64_t)count, LIMIT_FUNCTIONS);
}

static bool judge_externals(oracle_judging *j)
{
    const oracle_document *d = j->document;
    oracle_record record = oracle_record_of("limit.externals", ORACLE_ERROR);
    uint32_t count = 0;
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        count += d->buffers[b].external && d->buffers[b].storage == b;
    }
    record.message = oracle_arena_format(
        j->arena,
        "%u tensors come from outside and the runtime takes %d: pass several "
        "as one, and slices of it to the tasks.",
        (unsigned)count, LIMIT_EXTERNALS);
    return count <= LIMIT_EXTERNALS ||
           report_all(j, record, count, LIMIT_EXTERNALS);
}

/* How many scopes there are around each, itself included. Linear. */
static uint32_t *scope_depths(const oracle_document *d, oracle_arena *arena)
{
    uint32_t *depth = oracle_arena_array(arena, d->scope_count, sizeof *depth);
    for (uint32_t s = 0; depth != NULL && s < d->scope_count; s++) {
        uint32_t up = s, above = 0;
        while (up != ORACLE_NONE && depth[up] == 0) {
            above++;
            up = d->scopes[up].parent;
        }
        above += up == ORACLE_NONE ? 0 : depth[up];
        for (up = s; up != ORACLE_NONE && depth[up] == 0;
             up = d->scopes[up].parent) {
            depth[up] = above--;
        }
    }
    return depth;
}

static bool judge_scopes(oracle_judging *j)
{
    const oracle_document *d = j->document;
    oracle_record record = oracle_record_of("limit.scopes", ORACLE_ERROR);
    uint32_t *depth = scope_depths(d, j->arena), deepest = 0;
    if (depth == NULL) {
        return false;
    }
    for (uint32_t s = 0; s < d->scope_count; s++) {
        deepest = depth[s] > depth[deepest] ? s : deepest;
    }
    if (d->scope_count == 0 || depth[deepest] <= LIMIT_SCOPES) {
        return true;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        if (d->tasks[t].scope == deepest) {
            record.consumer.task = t;
            break;
        }
    }
    record.message = oracle_arena_format(
        j->arena,
        "%u scopes lie one in the other and the runtime takes %d: leave out "
        "those that are not needed.",
        (unsigned)depth[deepest], LIMIT_SCOPES);
    record.witness = oracle_arena_format(
        j->arena, "{\"count\":%u,\"limit\":%d,\"scope\":%" PRId64 "}",
        (unsigned)depth[deepest], LIMIT_SCOPES, d->scopes[deepest].id);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

/* --- Tasks of an execution --- */

typedef struct counting {
    const oracle_document *d;
    bool *choices, *present, *waits;
    uint32_t tasks, ready[SHAPES];
} counting;

static bool holds(const counting *c, uint32_t first, uint32_t count)
{
    bool all = true;
    for (uint32_t w = 0; all && w < count; w++) {
        const oracle_when *when = &c->d->whens[first + w];
        all = c->choices[when->choice] == when->is;
    }
    return all;
}

static void count_tasks(counting *c)
{
    const oracle_document *d = c->d;
    memset(c->waits, 0, d->task_count);
    memset(c->ready, 0, sizeof c->ready);
    c->tasks = 0;
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        c->present[t] = holds(c, task->first_when, task->whens);
        c->tasks += c->present[t];
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        if (c->present[d->edges[e].from]) {
            c->waits[d->edges[e].to] = true;
        }
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t i = 0; !c->waits[t] && i < task->deps; i++) {
            const oracle_dep *dep = &d->deps[task->first_dep + i];
            c->waits[t] = dep->task != ORACLE_NONE && c->present[dep->task] &&
                          holds(c, dep->first_when, dep->whens);
        }
        c->ready[shape_of(&d->tasks[t])] += c->present[t] && !c->waits[t];
    }
}

/* With a witness that says in which execution, and whose queue it is. */
static bool report_tasks(oracle_judging *j, oracle_record record,
                         const counting *c, const char *core, int64_t count,
                         int64_t limit)
{
    oracle_out out = {0};
    oracle_out_text(&out, "{\"choices\":[");
    for (uint32_t i = 0; i < c->d->choice_count; i++) {
        oracle_out_format(&out, "%s{\"choice\":%" PRId64 ",\"is\":%s}",
                          i == 0 ? "" : ",", c->d->choices[i].id,
                          c->choices[i] ? "true" : "false");
    }
    oracle_out_text(&out, "],");
    if (core != NULL) {
        oracle_out_format(&out, "\"core\":\"%s\",", core);
    }
    oracle_out_format(&out, "\"count\":%" PRId64 ",\"limit\":%" PRId64 "}",
                      count, limit);
    record.witness =
        out.failed ? NULL : oracle_arena_text(j->arena, out.data, out.length);
    oracle_out_free(&out);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool report_window(oracle_judging *j, const counting *c)
{
    oracle_record record = oracle_record_of("limit.tasks", ORACLE_WARNING);
    uint64_t window = LIMIT_TASKS;
    while (window < c->tasks) {
        window *= 2;
    }
    record.message = oracle_arena_format(
        j->arena,
        "%u tasks and the runtime keeps %d unless it is told otherwise: set "
        "runtime_env.ring_task_window to %" PRIu64 ".",
        (unsigned)c->tasks, LIMIT_TASKS, window);
    return report_tasks(j, record, c, NULL, c->tasks, LIMIT_TASKS);
}

static bool report_ready(oracle_judging *j, const counting *c, uint32_t queue)
{
    oracle_record record = oracle_record_of("limit.ready", ORACLE_ERROR);
    record.message = oracle_arena_format(
        j->arena,
        "%u %s tasks wait for nothing at the start and the runtime's queue "
        "takes %d: let some wait for others, or make them blocks of fewer "
        "tasks.",
        (unsigned)c->ready[queue], shape_names[queue], LIMIT_READY);
    return report_tasks(j, record, c, shape_names[queue], c->ready[queue],
                        LIMIT_READY);
}

/* Which queues, and whether the window, may be too small. */
typedef struct open_limits {
    bool queue[SHAPES], window;
} open_limits;

static bool any_open(const open_limits *open)
{
    bool any = open->window;
    for (uint32_t s = 0; s < SHAPES; s++) {
        any |= open->queue[s];
    }
    return any;
}

static bool judge_execution(oracle_judging *j, const counting *c,
                            open_limits *open)
{
    if (open->window && c->tasks > LIMIT_TASKS) {
        open->window = false;
        if (!report_window(j, c)) {
            return false;
        }
    }
    for (uint32_t s = 0; s < SHAPES; s++) {
        if (open->queue[s] && c->ready[s] > LIMIT_READY) {
            open->queue[s] = false;
            if (!report_ready(j, c, s)) {
                return false;
            }
        }
    }
    return true;
}

static bool judge_executions(oracle_judging *j, counting *c, open_limits *open)
{
    oracle_executions which;
    uint64_t count = oracle_execution_count(c->d);
    uint64_t most = WORK / (c->d->task_count + (uint64_t)c->d->edge_count);
    if (!oracle_executions_start(&which, c->d, j->arena)) {
        return false;
    }
    for (uint32_t n = 0; any_open(open) && n < count; n++) {
        if (n > most) {
            return oracle_judging_undecided(
                j, "whether more tasks are there at once than the runtime "
                   "takes: there are too many executions");
        }
        oracle_execution_choices(&which, n, c->choices);
        count_tasks(c);
        if (!judge_execution(j, c, open)) {
            return false;
        }
    }
    return true;
}

/* Most documents are too small for it. */
static bool judge_tasks(oracle_judging *j)
{
    const oracle_document *d = j->document;
    uint32_t of_shape[SHAPES] = {0};
    open_limits open = {.window =
                            d->run == NULL && d->task_count > LIMIT_TASKS};
    for (uint32_t t = 0; t < d->task_count; t++) {
        of_shape[shape_of(&d->tasks[t])]++;
    }
    for (uint32_t s = 0; s < OTHER; s++) {
        open.queue[s] = of_shape[s] > LIMIT_READY;
    }
    if (!any_open(&open)) {
        return true;
    }
    counting c = {.d = d};
    c.choices = oracle_arena_alloc(j->arena, d->choice_count);
    c.present = oracle_arena_alloc(j->arena, d->task_count);
    c.waits = oracle_arena_alloc(j->arena, d->task_count);
    return c.choices != NULL && c.present != NULL && c.waits != NULL &&
           judge_executions(j, &c, &open);
}

bool oracle_judge_limits(oracle_judging *judging)
{
    const oracle_document *d = judging->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        if (!judge_args(judging, t) || !judge_blocks(judging, t)) {
            return false;
        }
    }
    return judge_functions(judging) && judge_externals(judging) &&
           judge_scopes(judging) && judge_tasks(judging);
}
