/*
 * The executions of a document (spec 08): all choices true, all false, and
 * each alone turned over from all true. Where edges follow program order the
 * first is judged whole, and of one with a choice turned over only what that
 * changes; so many choices cost no more than what is under them.
 */
#include "execution.h"
#include "judge_work.h"

#include "table.h"
#include "witness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Steps over all executions; what is beyond is said to be open. */
#define WORK (UINT64_C(1) << 30)

/* By choice, the tasks or the deps that it decides. */
typedef struct decided {
    uint32_t *first, *list;
} decided;

typedef struct run {
    const oracle_document *document;
    oracle_execution execution;
    bool *choices, *first_choices; /* of this, of the first execution */
    bool *present;
    uint32_t executions;
    oracle_executions which;
    uint32_t *turns, sites; /* choices to turn over; the first of each line */
    oracle_order certain, all; /* of all tasks and edges without conditions */
    bool forward;              /* they and the deps are */
    bool conditional;          /* some deps have conditions */
    oracle_watch watch;
    oracle_id_table seen; /* which executions were judged */
    uint64_t first_set;
    decided tasks, deps;
    uint32_t *owner; /* by dep: its task */
    uint32_t *changed, *changed_deps;
    oracle_pair *edges; /* that changed */
    oracle_arena *arena;
} run;

static bool holds(const oracle_document *d, uint32_t first, uint32_t whens,
                  const bool *choices)
{
    bool all = true;
    for (uint32_t w = 0; all && w < whens; w++) {
        const oracle_when *when = &d->whens[first + w];
        all = choices[when->choice] == when->is;
    }
    return all;
}

static bool is_present(const oracle_document *d, const bool *choices,
                       uint32_t t)
{
    return holds(d, d->tasks[t].first_when, d->tasks[t].whens, choices);
}

static bool is_taken(const oracle_document *d, const bool *choices,
                     uint32_t dep)
{
    return holds(d, d->deps[dep].first_when, d->deps[dep].whens, choices);
}

static uint64_t mark_of(uint32_t task)
{
    uint64_t x = task + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The set as a number: the marks of its tasks and deps together. */
static uint64_t set_present(run *r)
{
    const oracle_document *d = r->document;
    uint64_t set = 0;
    uint32_t count = 0;
    for (uint32_t t = 0; t < d->task_count; t++) {
        r->present[t] = is_present(d, r->choices, t);
        set ^= r->present[t] ? mark_of(t) : 0;
        count += r->present[t];
    }
    for (uint32_t i = 0; i < d->dep_count; i++) {
        bool marked = d->deps[i].whens > 0 && is_taken(d, r->choices, i);
        set ^= marked ? mark_of(d->task_count + i) : 0;
    }
    r->execution.complete = count == d->task_count;
    return set;
}

/* Whether the same tasks were judged before. */
static bool repeated(run *r, uint64_t set, bool *again)
{
    oracle_id_slot *slot = oracle_id_table_slot(&r->seen, (int64_t)set);
    if (slot == NULL) {
        return false;
    }
    *again = slot->value != ORACLE_NONE;
    slot->value = 0;
    return true;
}

/* --- Orders --- */

static bool collect_own(oracle_execution *e, oracle_arena *arena)
{
    const oracle_document *d = e->document;
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->edge_count; i++) {
        n += !d->edges[i].certain;
    }
    e->own = oracle_arena_array(arena, n, sizeof *e->own);
    for (uint32_t i = 0; e->own != NULL && i < d->edge_count; i++) {
        if (!d->edges[i].certain) {
            e->own[e->own_count++] = d->edges[i];
        }
    }
    return e->own != NULL;
}

/* The two orders; the same when every edge is certain. */
static bool build_orders(oracle_order *certain, oracle_order *all,
                         const oracle_execution *e, const bool *choices,
                         const bool *present, oracle_arena *arena)
{
    const oracle_document *d = e->document;
    if (!oracle_order_build(certain, d, choices, present, false, arena) ||
        !oracle_order_use(certain, e->asking, arena)) {
        return false;
    }
    *all = *certain;
    return e->own_count == 0 ||
           (oracle_order_build(all, d, choices, present, true, arena) &&
            oracle_order_use(all, e->asking, arena));
}

/* Orders of which those of every execution are a part, when they are forward */
static bool build_whole(run *r)
{
    oracle_execution *e = &r->execution;
    bool *present = oracle_arena_alloc(r->arena, r->document->task_count);
    if (present == NULL) {
        return false;
    }
    memset(present, 1, r->document->task_count);
    if (!build_orders(&r->certain, &r->all, e, NULL, present, r->arena)) {
        return false;
    }
    r->forward = r->certain.forward && r->all.forward;
    for (uint32_t i = 0; i < r->document->dep_count; i++) {
        const oracle_dep *dep = &r->document->deps[i];
        if (dep->whens > 0 && dep->task != ORACLE_NONE) {
            r->conditional = true;
            r->forward = r->forward && dep->task < r->owner[i];
        }
    }
    e->fixed = &r->certain;
    return true;
}

static uint32_t first_when(const oracle_document *d, bool deps, uint32_t i,
                           uint32_t *whens)
{
    *whens = deps ? d->deps[i].whens : d->tasks[i].whens;
    return deps ? d->deps[i].first_when : d->tasks[i].first_when;
}

/* The tasks, or the deps, under each choice. */
static bool index_choices(decided *out, const oracle_document *d, bool deps,
                          oracle_arena *arena)
{
    size_t n = (size_t)d->choice_count + 2;
    uint32_t items = deps ? d->dep_count : d->task_count;
    out->first = oracle_arena_array(arena, n, sizeof(uint32_t));
    out->list = oracle_arena_array(arena, d->when_count, sizeof(uint32_t));
    if (out->first == NULL || out->list == NULL) {
        return false;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < items; i++) {
            uint32_t whens, first = first_when(d, deps, i, &whens);
            for (uint32_t w = first; w < first + whens; w++) {
                uint32_t c = d->whens[w].choice;
                if (pass == 0) {
                    out->first[c + 2]++;
                } else {
                    out->list[out->first[c + 1]++] = i;
                }
            }
        }
        for (uint32_t c = 1; pass == 0 && c <= d->choice_count; c++) {
            out->first[c + 1] += out->first[c];
        }
    }
    return true;
}

static bool make_room(run *r)
{
    const oracle_document *d = r->document;
    oracle_arena *arena = r->arena;
    r->choices = oracle_arena_alloc(arena, d->choice_count);
    r->first_choices = oracle_arena_alloc(arena, d->choice_count);
    r->present = oracle_arena_alloc(arena, d->task_count);
    r->owner = oracle_arena_array(arena, d->dep_count, sizeof *r->owner);
    r->changed = oracle_arena_array(arena, d->when_count, sizeof *r->changed);
    r->changed_deps =
        oracle_arena_array(arena, d->when_count, sizeof *r->changed_deps);
    r->edges = oracle_arena_array(arena, d->when_count, sizeof *r->edges);
    return r->choices != NULL && r->first_choices != NULL &&
           r->present != NULL && r->owner != NULL && r->changed != NULL &&
           r->changed_deps != NULL && r->edges != NULL;
}

/* A source line and the kind of its decision; what has no line is its own. */
static int64_t site_of(const oracle_choice *choice, uint32_t number)
{
    uint64_t line = (uint64_t)choice->line;
    if (choice->line <= 0) {
        line = UINT64_C(1) << 62 | number;
    }
    return (int64_t)(line << 1 | (strcmp(choice->kind.data, "loop") == 0));
}

/*
 * One choice of each line first, so that where work ends every branch of the
 * source was judged once before the passes of a loop repeat it.
 */
static bool order_turns(run *r)
{
    const oracle_document *d = r->document;
    oracle_id_table seen = {0};
    uint32_t later = 0;
    uint32_t *rest =
        oracle_arena_array(r->arena, d->choice_count, sizeof *rest);
    r->turns = oracle_arena_array(r->arena, d->choice_count, sizeof *rest);
    bool ok = rest != NULL && r->turns != NULL;
    for (uint32_t c = 0; ok && c < d->choice_count; c++) {
        oracle_id_slot *slot =
            oracle_id_table_slot(&seen, site_of(&d->choices[c], c));
        ok = slot != NULL;
        if (ok && slot->value == ORACLE_NONE) {
            slot->value = c;
            r->turns[r->sites++] = c;
        } else if (ok) {
            rest[later++] = c;
        }
    }
    if (ok && later > 0) {
        memcpy(r->turns + r->sites, rest, later * sizeof *rest);
    }
    oracle_id_table_free(&seen);
    return ok;
}

static bool start_run(run *r, const oracle_document *d, oracle_asking *asking,
                      oracle_arena *arena)
{
    *r = (run){.document = d, .arena = arena};
    uint64_t all = oracle_execution_count(d);
    r->executions = all > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)all;
    if (!make_room(r)) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            r->owner[d->tasks[t].first_dep + i] = t;
        }
    }
    r->execution = (oracle_execution){
        .document = d,
        .choices = r->choices,
        .present = r->present,
        .asking = asking,
        .shared = arena,
        .once = r->executions == 1,
    };
    return collect_own(&r->execution, arena) &&
           (r->executions == 1 || build_whole(r)) &&
           oracle_executions_start(&r->which, d, arena) && order_turns(r) &&
           index_choices(&r->tasks, d, false, arena) &&
           index_choices(&r->deps, d, true, arena);
}

static void end_run(run *r)
{
    oracle_id_table_free(&r->seen);
}

/* --- Cycles --- */

static bool report_cycle(oracle_judging *j, const oracle_order *order)
{
    const oracle_document *d = j->document;
    oracle_record record = oracle_record_of("graph.cycle", ORACLE_ERROR);
    uint32_t least = 0, n = order->cycle_count;
    for (uint32_t i = 0; i < n; i++) {
        least = order->cycle[i] < order->cycle[least] ? i : least;
    }
    uint32_t *tasks = oracle_arena_array(j->arena, n, sizeof *tasks);
    if (tasks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        tasks[i] = order->cycle[(least + i) % n];
    }
    const char *first = oracle_tell_task(j->arena, d, tasks[0]);
    const char *last = oracle_tell_task(j->arena, d, tasks[n - 1]);
    if (first == NULL || last == NULL) {
        return false;
    }
    record.consumer.task = tasks[0];
    record.producer.task = tasks[n - 1];
    record.message = oracle_arena_format(
        j->arena,
        "%u tasks wait for each other and never run, %s for %s at the end of "
        "the ring: take one of its edges away.",
        (unsigned)n, first, last);
    record.witness = oracle_witness_cycle(d, tasks, n, j->arena);
    return record.message != NULL && record.witness != NULL &&
           oracle_judging_add(j, record);
}

static bool judge_cycle(oracle_judging *j, const oracle_execution *e)
{
    bool certain = e->certain.cycle_count > 0;
    if (certain && !j->cyclic && !report_cycle(j, &e->certain)) {
        return false;
    }
    if (j->cyclic) {
        return true;
    }
    j->cyclic = true;
    return oracle_judging_undecided(
        j, certain ? "everything that depends on order: the edges have a cycle"
                   : "everything that depends on order: edges that may be "
                     "missing would close a cycle");
}

/* --- One execution --- */

/* Orders of its own, with a legal sequence. */
static bool own_orders(run *r)
{
    oracle_execution *e = &r->execution;
    return build_orders(&e->certain, &e->all, e, r->choices, r->present,
                        e->arena);
}

/* Storages on common addresses: with the accesses that are there alone. */
static bool judge_memory(oracle_judging *j, run *r)
{
    oracle_execution e = r->execution;
    if (j->memory == NULL) {
        return true;
    }
    return build_orders(&e.certain, &e.all, &e, r->choices, r->present,
                        e.arena) &&
           oracle_items_collect(&e.items, j->document, e.present, e.arena) &&
           oracle_reuses_find(&j->reuses, j->memory, &e, j->arena);
}

/* Parts of the orders of all, where no dep has conditions. */
static bool set_orders(oracle_judging *j, run *r)
{
    oracle_execution *e = &r->execution;
    const oracle_document *d = r->document;
    if (r->forward && !r->conditional) {
        e->certain = oracle_order_of(&r->certain, r->present);
        e->all = oracle_order_of(&r->all, r->present);
        return oracle_order_use(&e->certain, e->asking, e->arena) &&
               oracle_order_use(&e->all, e->asking, e->arena);
    }
    j->hazards.steps_seen +=
        (uint64_t)d->task_count + d->edge_count + d->dep_count;
    return own_orders(r);
}

static bool judge_whole(oracle_judging *j, run *r)
{
    oracle_execution *e = &r->execution;
    j->hazards.steps_seen += (uint64_t)r->document->task_count + e->items.count;
    if (!set_orders(j, r)) {
        return false;
    }
    if (e->certain.cycle_count > 0 || e->all.cycle_count > 0) {
        return judge_cycle(j, e);
    }
    return oracle_hazards_find(&j->hazards, e) && judge_memory(j, r);
}

static bool judge_part(oracle_judging *j, run *r, const oracle_change *change)
{
    oracle_execution *e = &r->execution;
    j->hazards.steps_seen += change->task_count;
    if (j->memory != NULL) {
        j->hazards.steps_seen += j->document->task_count + e->items.count;
    }
    return set_orders(j, r) && oracle_hazards_change(&j->hazards, e, change) &&
           judge_memory(j, r);
}

/* Whole ones: the first, the second, all where edges may go back. */
static bool run_whole(oracle_judging *j, run *r, uint32_t number)
{
    bool again = false;
    oracle_execution_choices(&r->which, number, r->choices);
    uint64_t set = set_present(r);
    if (!repeated(r, set, &again) || again) {
        return again;
    }
    bool first = number == 0 && r->forward && r->executions > 2;
    r->execution.number = number;
    r->execution.watch = first ? &r->watch : NULL;
    r->execution.arena = oracle_arena_create();
    bool ok = r->execution.arena != NULL && judge_whole(j, r);
    oracle_arena_free(r->execution.arena);
    r->execution.watch = NULL;
    r->execution.watched = &r->watch;
    return ok;
}

/* Back to the first execution, from where the others are turned. */
static void set_first(run *r)
{
    oracle_execution_choices(&r->which, 0, r->choices);
    r->first_set = set_present(r);
    memcpy(r->first_choices, r->choices, r->document->choice_count);
}

static int compare_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void turn_deps(run *r, uint32_t choice, uint32_t *count)
{
    const oracle_document *d = r->document;
    for (uint32_t i = r->deps.first[choice]; i < r->deps.first[choice + 1];
         i++) {
        uint32_t dep = r->deps.list[i];
        if (is_taken(d, r->choices, dep) !=
            is_taken(d, r->first_choices, dep)) {
            r->changed_deps[(*count)++] = dep;
        }
    }
}

static void turn_tasks(run *r, uint32_t choice, uint32_t *count, uint64_t *set)
{
    for (uint32_t i = r->tasks.first[choice]; i < r->tasks.first[choice + 1];
         i++) {
        uint32_t t = r->tasks.list[i];
        bool there = is_present(r->document, r->choices, t);
        if (there != r->present[t]) {
            r->present[t] = there;
            *set ^= mark_of(t);
            r->changed[(*count)++] = t;
        }
    }
}

/* Tasks and deps that come or go with the choices, from the first. */
static oracle_change turn(run *r, uint64_t *set)
{
    const oracle_document *d = r->document;
    uint32_t tasks = 0, deps = 0, edges = 0;
    for (uint32_t c = 0; c < d->choice_count; c++) {
        if (r->choices[c] != r->first_choices[c]) {
            turn_tasks(r, c, &tasks, set);
            turn_deps(r, c, &deps);
        }
    }
    if (tasks > 1) {
        qsort(r->changed, tasks, sizeof *r->changed, compare_number);
    }
    if (deps > 1) {
        qsort(r->changed_deps, deps, sizeof *r->changed_deps, compare_number);
    }
    for (uint32_t i = 0; i < deps; i++) {
        uint32_t dep = r->changed_deps[i];
        if (i > 0 && dep == r->changed_deps[i - 1]) {
            continue;
        }
        *set ^= mark_of(d->task_count + dep);
        if (d->deps[dep].task != ORACLE_NONE) {
            r->edges[edges++] =
                (oracle_pair){d->deps[dep].task, r->owner[dep], false};
        }
    }
    return (oracle_change){r->changed, tasks, r->edges, edges};
}

static bool run_part(oracle_judging *j, run *r, uint32_t number)
{
    const oracle_document *d = r->document;
    bool again = false;
    uint64_t set = r->first_set;
    oracle_execution_choices(&r->which, number, r->choices);
    oracle_change change = turn(r, &set);
    j->hazards.steps_seen += (uint64_t)d->choice_count + d->clash_count;
    bool ok = repeated(r, set, &again);
    if (ok && !again) {
        r->execution.number = number;
        r->execution.complete = false;
        r->execution.arena = oracle_arena_create();
        ok = r->execution.arena != NULL && judge_part(j, r, &change);
        oracle_arena_free(r->execution.arena);
    }
    for (uint32_t i = 0; i < change.task_count; i++) {
        r->present[change.tasks[i]] = !r->present[change.tasks[i]];
    }
    return ok;
}

/* The execution that is judged as the n-th. */
static uint32_t number_of(const run *r, uint32_t n)
{
    return n < 2 ? n : r->turns[n - 2] + 2;
}

static bool say_left(oracle_judging *j, const run *r, uint32_t done)
{
    uint32_t lines = done - 2 < r->sites ? done - 2 : r->sites;
    const char *text = oracle_arena_format(
        j->arena,
        "executions beyond the first %u of %u: too much work (of %u source "
        "lines with a choice, %u were turned over at least once)",
        (unsigned)done, (unsigned)r->executions, (unsigned)r->sites,
        (unsigned)lines);
    return text != NULL && oracle_judging_undecided(j, text);
}

static bool run_all(oracle_judging *j, run *r)
{
    uint32_t n = 0;
    bool ok = true;
    for (; ok && n < r->executions && n < 2; n++) {
        ok = run_whole(j, r, n);
    }
    if (ok && n < r->executions && r->forward) {
        set_first(r);
    }
    for (; ok && n < r->executions && j->hazards.steps_seen < WORK; n++) {
        uint32_t number = number_of(r, n);
        ok = r->forward ? run_part(j, r, number) : run_whole(j, r, number);
    }
    return ok && (n == r->executions || say_left(j, r, n));
}

bool oracle_judge_executions(oracle_judging *j)
{
    const oracle_document *d = j->document;
    run r = {0};
    if (d->ambiguous) {
        return oracle_judging_undecided(
            j, "everything that depends on order: two tasks have one id");
    }
    if (d->run != NULL && d->run->is_cut) {
        return oracle_judging_undecided(
            j, "everything that depends on order: the record is cut short");
    }
    j->hazards.arena = j->arena;
    j->hazards.large = oracle_arena_alloc(j->arena, d->buffer_count);
    j->hazards.unsure = oracle_arena_alloc(j->arena, d->buffer_count);
    j->hazards.apart = oracle_arena_alloc(j->arena, d->buffer_count);
    oracle_arena *arena = oracle_arena_create();
    bool ok = arena != NULL && j->hazards.large != NULL &&
              j->hazards.unsure != NULL &&
              start_run(&r, d, &j->asking, arena) &&
              oracle_execution_start(&r.execution) && run_all(j, &r);
    if (arena != NULL) {
        end_run(&r);
    }
    oracle_arena_free(arena);
    return ok && oracle_judge_list_hazards(j) && oracle_judge_list_reuses(j);
}

/* --- What is said of the hazards that are listed --- */

/* The execution that an entry is of, or ORACLE_NONE. */
static uint32_t execution_of(const oracle_judging *j, const oracle_entry *entry)
{
    return entry->hazard != ORACLE_NONE
               ? j->hazards.list[entry->hazard].execution
           : entry->reuse != ORACLE_NONE
               ? j->reuses.list[entry->reuse].execution
               : ORACLE_NONE;
}

static bool tell_entry(oracle_judging *j, oracle_entry *entry,
                       const oracle_execution *execution)
{
    return entry->hazard != ORACLE_NONE
               ? oracle_judge_tell(j, entry, execution)
               : oracle_judge_tell_reuse(j, entry, execution);
}

/* One execution, with a legal sequence of its tasks. */
static bool tell_execution(oracle_judging *j, run *r, uint32_t number,
                           uint32_t listed)
{
    oracle_execution_choices(&r->which, number, r->choices);
    set_present(r);
    r->execution.arena = oracle_arena_create();
    bool ok = r->execution.arena != NULL && own_orders(r);
    for (uint32_t i = 0; ok && i < listed; i++) {
        oracle_entry *entry = &j->entries[i];
        if (execution_of(j, entry) == number) {
            ok = tell_entry(j, entry, &r->execution);
        }
    }
    oracle_arena_free(r->execution.arena);
    return ok;
}

bool oracle_judge_tell_all(oracle_judging *j, uint32_t listed)
{
    run r = {.document = j->document, .arena = j->arena};
    uint32_t *numbers = oracle_arena_array(j->arena, listed, sizeof *numbers);
    uint32_t count = 0;
    r.choices = oracle_arena_alloc(j->arena, j->document->choice_count);
    r.present = oracle_arena_alloc(j->arena, j->document->task_count);
    r.execution =
        (oracle_execution){.document = j->document, .choices = r.choices};
    if (oracle_arena_failed(j->arena) || !collect_own(&r.execution, j->arena) ||
        !oracle_executions_start(&r.which, j->document, j->arena)) {
        return false;
    }
    for (uint32_t i = 0; i < listed; i++) {
        uint32_t number = execution_of(j, &j->entries[i]);
        if (number != ORACLE_NONE) {
            numbers[count++] = number;
        }
    }
    qsort(numbers, count, sizeof *numbers, compare_number);
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = (i > 0 && numbers[i] == numbers[i - 1]) ||
             tell_execution(j, &r, numbers[i], listed);
    }
    return ok;
}
