/*
 * Witnesses about what a task is: limits of the runtime, directions.
 * The numbers are those of spec 07, counted here once more.
 */
#include "checker.h"
#include "record.h"

#include <string.h>
#include <strings.h>

/* --- Directions --- */

/* Whether an access of the argument is against what it is told. */
bool oracle_check_direction(oracle_check *c, uint32_t node)
{
    uint32_t t;
    int64_t a;
    if (strcmp(c->rule, "direction.mismatch") != 0 ||
        !oracle_check_task(c, oracle_check_member(c, c->witness, "task"), &t) ||
        !oracle_check_number(c, node, &a) || a < 0 || a >= c->d.tasks[t].args) {
        return oracle_check_fail(c, "the witness names no argument");
    }
    const oracle_arg *arg = &c->d.args[c->d.tasks[t].first_arg + a];
    bool reads = false, writes = false;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &c->d.accesses[arg->first_access + i];
        reads |= access->mode != ORACLE_WRITE;
        writes |= access->mode != ORACLE_READ;
    }
    bool in =
        arg->declared == ORACLE_DECLARED_IN || arg->dispatch == ORACLE_INPUT;
    bool out = arg->declared == ORACLE_DECLARED_OUT ||
               arg->dispatch == ORACLE_OUTPUT ||
               arg->dispatch == ORACLE_OUTPUT_EXISTING;
    bool both = arg->declared == ORACLE_DECLARED_INOUT;
    return (in && writes) || (out && reads) || (both && writes && !reads) ||
           oracle_check_fail(c, "the argument does what it is told");
}

/* --- Limits: how much there is --- */

static bool is_mix(const oracle_task *task)
{
    return strcasecmp(task->core.data, "mix") == 0 ||
           strcasecmp(task->core.data, "mixed") == 0;
}

static int64_t lanes(const oracle_check *c, uint32_t t)
{
    int64_t count = 0;
    for (int i = 0; c->d.run != NULL && c->d.run->kernels != NULL && i < 3;
         i++) {
        count += c->d.run->kernels[t].known && c->d.run->kernels[t].id[i] >= 0;
    }
    return count > 0 ? count : is_mix(&c->d.tasks[t]) ? 3 : 1;
}

static int64_t width(const oracle_check *c, uint32_t t)
{
    int64_t count;
    return __builtin_mul_overflow(c->d.tasks[t].blocks, lanes(c, t), &count)
               ? INT64_MAX
               : count;
}

static int64_t cores(const oracle_check *c, uint32_t t)
{
    return 24 *
           (strcasecmp(c->d.tasks[t].core.data, "aiv") == 0 ? 2 : lanes(c, t));
}

static int64_t count_args(const oracle_check *c, uint32_t t)
{
    int64_t tensors = 0, scalars = 0, most = 0;
    for (uint32_t a = 0; a < c->d.tasks[t].args; a++) {
        const oracle_arg *arg = &c->d.args[c->d.tasks[t].first_arg + a];
        tensors += arg->kind == ORACLE_ARG_BUFFER;
        scalars += arg->kind == ORACLE_ARG_SCALAR;
        if (arg->view != ORACLE_NONE && c->d.regions[arg->view].count > most) {
            most = c->d.regions[arg->view].count;
        }
    }
    return strcmp(c->rule, "limit.tensors") == 0   ? tensors
           : strcmp(c->rule, "limit.scalars") == 0 ? scalars
                                                   : most;
}

static int64_t count_externals(const oracle_check *c)
{
    int64_t count = 0;
    for (uint32_t b = 0; b < c->d.buffer_count; b++) {
        count +=
            c->d.buffers[b].external && c->d.buffers[b].alias_of == ORACLE_NONE;
    }
    return count;
}

static int64_t count_scopes(const oracle_check *c)
{
    int64_t id, count = 0;
    uint32_t at = c->d.scope_count;
    if (oracle_check_number(c, oracle_check_member(c, c->witness, "scope"),
                            &id)) {
        for (at = 0; at < c->d.scope_count && c->d.scopes[at].id != id; at++) {
        }
    }
    for (; at < c->d.scope_count; at = c->d.scopes[at].parent) {
        count++;
    }
    return count;
}

/* -1: no memory. */
static int64_t count_functions(const oracle_check *c)
{
    oracle_table names = {0};
    bool ok = true;
    for (uint32_t t = 0; ok && c->d.functions == 0 && t < c->d.task_count;
         t++) {
        const oracle_task *task = &c->d.tasks[t];
        const oracle_kernels *kernels =
            c->d.run != NULL ? c->d.run->kernels : NULL;
        const void *key[3] = {NULL};
        size_t size = sizeof(int64_t);
        if (kernels != NULL) {
            for (int i = 0; i < 3; i++) {
                key[i] = kernels[t].id[i] < 0 ? NULL : &kernels[t].id[i];
            }
        } else if (task->name.present && !task->dummy) {
            key[0] = task->name.data;
            size = task->name.length;
        }
        for (int i = 0; ok && i < 3; i++) {
            oracle_slot *slot =
                key[i] == NULL ? NULL : oracle_table_slot(&names, key[i], size);
            ok = key[i] == NULL || slot != NULL;
            if (slot != NULL && slot->data == NULL) {
                *slot = (oracle_slot){key[i], (uint32_t)size, t};
            }
        }
    }
    int64_t count = ok ? (int64_t)(names.used + c->d.functions) : -1;
    oracle_table_free(&names);
    return count;
}

/* --- Limits: the tasks of an execution --- */

static bool holds(const oracle_check *c, const bool *is_true, uint32_t first,
                  uint32_t count)
{
    bool all = true;
    for (uint32_t w = first; w < first + count; w++) {
        all &= is_true[c->d.whens[w].choice] == c->d.whens[w].is;
    }
    return all;
}

/* The choices of the witness, in the order of the document; NULL: none. */
static const bool *read_choices(oracle_check *c)
{
    uint32_t list = oracle_check_member(c, c->witness, "choices"), n = 0;
    bool *is_true = oracle_arena_alloc(c->arena, c->d.choice_count);
    if (is_true == NULL || !oracle_check_is(c, list, ORACLE_JSON_ARRAY)) {
        return NULL;
    }
    for (uint32_t i = list + 1; i < oracle_json_next(&c->json, list);
         i = oracle_json_next(&c->json, i), n++) {
        int64_t id;
        uint32_t is = oracle_check_member(c, i, "is");
        if (n == c->d.choice_count ||
            !oracle_check_number(c, oracle_check_member(c, i, "choice"), &id) ||
            id != c->d.choices[n].id) {
            return NULL;
        }
        is_true[n] = oracle_check_is(c, is, ORACLE_JSON_TRUE);
    }
    return n == c->d.choice_count ? is_true : NULL;
}

static bool is_core(const oracle_check *c, uint32_t t, uint32_t core)
{
    const oracle_task *task = &c->d.tasks[t];
    const char *name = task->dummy    ? "dummy"
                       : is_mix(task) ? "mixed"
                                      : task->core.data;
    char own[8] = "";
    for (size_t i = 0; i + 1 < sizeof own && name[i] != '\0'; i++) {
        own[i] = (char)(name[i] | 0x20);
    }
    return oracle_json_is(&c->json, core, own, strlen(own));
}

/* Of `core` those that wait for nobody; ORACLE_NONE: all tasks. */
static int64_t count_tasks(oracle_check *c, uint32_t core)
{
    const bool *is_true = read_choices(c);
    bool *there = c->present;
    int64_t count = 0;
    for (uint32_t t = 0; is_true != NULL && t < c->d.task_count; t++) {
        const oracle_task *task = &c->d.tasks[t];
        there[t] = holds(c, is_true, task->first_when, task->whens);
        c->place[t] = 0; /* how many it waits for */
    }
    for (uint32_t e = 0; is_true != NULL && e < c->d.edge_count; e++) {
        c->place[c->d.edges[e].to] += there[c->d.edges[e].from];
    }
    for (uint32_t t = 0; is_true != NULL && t < c->d.task_count; t++) {
        const oracle_task *task = &c->d.tasks[t];
        for (uint32_t i = task->first_dep; i < task->first_dep + task->deps;
             i++) {
            const oracle_dep *dep = &c->d.deps[i];
            c->place[t] += dep->task != ORACLE_NONE && there[dep->task] &&
                           holds(c, is_true, dep->first_when, dep->whens);
        }
        count += there[t] && (core == ORACLE_NONE ||
                              (c->place[t] == 0 && is_core(c, t, core)));
    }
    return count;
}

/* What the limit of a rule is, and what is there. */
static int64_t recount(oracle_check *c, int64_t *limit)
{
    static const struct {
        const char *rule;
        int64_t limit;
    } limits[] = {{"limit.tensors", 32},    {"limit.scalars", 16},
                  {"limit.dimensions", 5},  {"limit.blocks", 32767},
                  {"limit.sync-start", 0},  {"limit.functions", 1024},
                  {"limit.externals", 256}, {"limit.scopes", 64},
                  {"limit.ready", 8192},    {"limit.tasks", 16384}};
    enum { ARGS = 3, BLOCKS = 3, SYNC, FUNCTIONS, EXTERNALS, SCOPES, READY };
    size_t n = 0, all = sizeof limits / sizeof *limits;
    uint32_t t = ORACLE_NONE;
    while (n < all && strcmp(limits[n].rule, c->rule) != 0) {
        n++;
    }
    *limit = n < all ? limits[n].limit : INT64_MAX;
    if (n < FUNCTIONS &&
        !oracle_check_task(c, oracle_check_member(c, c->witness, "task"), &t)) {
        return 0;
    }
    *limit = n == SYNC ? cores(c, t) : *limit;
    return n < ARGS         ? count_args(c, t)
           : n == BLOCKS    ? width(c, t)
           : n == SYNC      ? (c->d.tasks[t].sync_start ? width(c, t) : 0)
           : n == FUNCTIONS ? count_functions(c)
           : n == EXTERNALS ? count_externals(c)
           : n == SCOPES    ? count_scopes(c)
           : n == READY
               ? count_tasks(c, oracle_check_member(c, c->witness, "core"))
               : count_tasks(c, ORACLE_NONE);
}

bool oracle_check_limit(oracle_check *c, uint32_t node)
{
    int64_t count, said, limit, most;
    uint32_t member = oracle_check_member(c, c->witness, "count");
    if (!oracle_check_number(c, node, &said) ||
        !oracle_check_number(c, member, &count)) {
        return oracle_check_fail(c, "the witness names no limit");
    }
    most = recount(c, &limit);
    if (most < 0) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    return (most == count && said == limit && count > limit) ||
           oracle_check_fail(c, "there are %lld, of %lld", (long long)most,
                             (long long)limit);
}
