/*
 * Parts of a hazard's sentence that need a look at more than the pair: why it
 * cannot be decided, which manual scope it crosses and what else crosses it,
 * which TaskId got lost.
 */
#include "judge_work.h"

#include "json.h"
#include "witness.h"

#include <inttypes.h>
#include <string.h>

#define NAMED 3 /* of a list in a sentence */

/* --- Why it cannot be decided --- */

static const char *symbol_bounds(oracle_arena *arena, const oracle_symbol *s)
{
    char name[96];
    oracle_json_printable(s->name.data, s->name.length, name, sizeof name);
    if (s->has_min && s->has_max) {
        return oracle_arena_format(arena, "%s (%" PRId64 " to %" PRId64 ")",
                                   name, s->min, s->max);
    }
    return s->has_min   ? oracle_arena_format(arena, "%s (%" PRId64 " or more)",
                                              name, s->min)
           : s->has_max ? oracle_arena_format(arena, "%s (%" PRId64 " or less)",
                                              name, s->max)
                        : oracle_arena_format(arena, "%s (any value)", name);
}

typedef struct symbols {
    uint32_t named[NAMED], count;
} symbols;

/* `fixed`: those that are not free, else those that are. */
static void add_symbols(const oracle_document *d, oracle_affine number,
                        bool fixed, symbols *s)
{
    for (uint32_t i = 0; i < number.count; i++) {
        uint32_t symbol = d->terms[number.first + i].symbol;
        bool known =
            d->symbols[symbol].block || d->symbols[symbol].free == fixed;
        for (uint32_t k = 0; k < s->count; k++) {
            known = known || s->named[k] == symbol;
        }
        if (!known && s->count < NAMED) {
            s->named[s->count++] = symbol;
        }
    }
}

static const char *symbols_of(oracle_arena *arena, const oracle_document *d,
                              oracle_place place, bool fixed)
{
    symbols s = {.count = 0};
    const char *text = "";
    if (place.region != ORACLE_NONE) {
        const oracle_region *region = &d->regions[place.region];
        add_symbols(d, region->base, fixed, &s);
        for (uint32_t i = 0; i < region->count; i++) {
            add_symbols(d, d->dims[region->first + i].offset, fixed, &s);
            add_symbols(d, d->dims[region->first + i].count, fixed, &s);
        }
    }
    for (uint32_t i = 0; text != NULL && i < s.count; i++) {
        const char *one = symbol_bounds(arena, &d->symbols[s.named[i]]);
        text = one == NULL ? NULL
                           : oracle_arena_format(arena, "%s%s%s", text,
                                                 i > 0 ? ", " : "", one);
    }
    return text;
}

static bool whole_view(const oracle_document *d, const oracle_item *item)
{
    const oracle_arg *arg =
        &d->args[d->tasks[item->task].first_arg + item->arg];
    return item->place.region == ORACLE_NONE || item->place.region == arg->view;
}

/* What of one access leaves it open; empty: nothing. */
static const char *open_access(oracle_judging *j, const oracle_item *item,
                               bool fixed)
{
    const oracle_document *d = j->document;
    oracle_arena *arena = j->arena;
    const char *task = oracle_tell_task(arena, d, item->task);
    const char *named = symbols_of(arena, d, item->place, fixed);
    if (task == NULL || named == NULL) {
        return NULL;
    }
    if (named[0] != '\0') {
        return oracle_arena_format(
            arena,
            fixed ? "where %s touches depends on %s, which is decided when "
                    "the graph is built"
                  : "where %s touches depends on %s, and no values were found "
                    "that settle it",
            task, named);
    }
    if (item->arg == ORACLE_NONE || !fixed || (item->exact && item->known)) {
        return "";
    }
    if (!item->known) {
        return oracle_arena_format(arena,
                                   "what %s does with argument %u is not told",
                                   task, (unsigned)item->arg);
    }
    return oracle_arena_format(
        arena,
        whole_view(d, item)
            ? "of argument %u of %s only the whole view is known, not what "
              "its kernel touches"
            : "what the kernel touches of argument %u of %s is a bound only",
        (unsigned)item->arg, task);
}

const char *oracle_tell_open(oracle_judging *judging, const oracle_hazard *h,
                             const oracle_order *order)
{
    bool reaches = false;
    if (judging->uncertain &&
        !oracle_witness_reaches(order, h->producer.task, h->consumer.task,
                                &reaches)) {
        return NULL;
    }
    if (reaches) {
        return "they are in order only where views meet whose overlap the "
               "document does not decide";
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        const oracle_item *ends[2] = {&h->consumer, &h->producer};
        for (uint32_t i = 0; i < 2; i++) {
            const char *text = open_access(judging, ends[i], pass == 0);
            if (text == NULL || text[0] != '\0') {
                return text;
            }
        }
    }
    return "whether another access comes between them is open";
}

/* --- The TaskId that got lost --- */

static const oracle_dep *lost_dep(const oracle_document *d, uint32_t t,
                                  oracle_dep_cause cause)
{
    const oracle_task *task = &d->tasks[t];
    for (uint32_t i = 0; i < task->deps; i++) {
        if (d->deps[task->first_dep + i].cause == cause) {
            return &d->deps[task->first_dep + i];
        }
    }
    return NULL;
}

const char *oracle_tell_lost_dep(oracle_judging *judging, uint32_t task)
{
    const oracle_document *d = judging->document;
    const oracle_dep *dead = lost_dep(d, task, ORACLE_DEP_DEAD);
    const oracle_dep *dep =
        dead != NULL ? dead : lost_dep(d, task, ORACLE_DEP_REUSED);
    char name[96] = "";
    if (dep == NULL) {
        return "";
    }
    oracle_json_printable(dep->name.data, dep->name.length, name, sizeof name);
    return oracle_arena_format(
        judging->arena,
        dead != NULL ? "the dep %s of the second holds no valid TaskId at any "
                       "of its submissions"
                     : "the dep %s of the second is the TaskId of a later "
                       "task, which has replaced the one that was meant",
        name[0] == '\0' ? "without a name" : name);
}

/* --- The manual scope between the two --- */

/* Tasks of a scope whose order with a task outside is lost. */
typedef struct crossing {
    uint32_t first; /* task of the scope */
    uint32_t count; /* of tasks that cross it */
    uint32_t named[NAMED];
} crossing;

struct oracle_crossings {
    uint32_t *root;     /* by scope: the outermost manual one around, or NONE */
    crossing *out, *in; /* by scope: writes unseen later; reads that see none */
};

#define UNKNOWN (ORACLE_NONE - 1)

/* Each scope is looked at once: up to one that is known, and back. */
static bool find_roots(const oracle_document *d, uint32_t *root,
                       oracle_arena *arena)
{
    uint32_t *path = oracle_arena_array(arena, d->scope_count, sizeof *path);
    if (path == NULL) {
        return false;
    }
    for (uint32_t s = 0; s < d->scope_count; s++) {
        root[s] = UNKNOWN;
    }
    for (uint32_t s = 0; s < d->scope_count; s++) {
        uint32_t steps = 0, at = s;
        while (at != ORACLE_NONE && root[at] == UNKNOWN) {
            path[steps++] = at;
            root[at] = ORACLE_NONE; /* until it is known; ends a ring */
            at = d->scopes[at].parent;
        }
        uint32_t around = at == ORACLE_NONE ? ORACLE_NONE : root[at];
        while (steps-- > 0) {
            bool outermost =
                around == ORACLE_NONE && d->scopes[path[steps]].manual;
            around = outermost ? path[steps] : around;
            root[path[steps]] = around;
        }
    }
    return true;
}

static uint32_t root_of(const oracle_judging *j, uint32_t task)
{
    uint32_t scope = j->document->tasks[task].scope;
    return scope == ORACLE_NONE ? ORACLE_NONE : j->crossings->root[scope];
}

static void note_crossing(crossing *c, uint32_t task, bool *seen)
{
    if (!seen[task]) {
        seen[task] = true;
        if (c->count < NAMED) {
            c->named[c->count] = task;
        }
        c->count++;
    }
}

static bool start_crossings(oracle_judging *j)
{
    const oracle_document *d = j->document;
    struct oracle_crossings *all = oracle_arena_alloc(j->arena, sizeof *all);
    size_t n = d->scope_count;
    j->crossings = all;
    if (all == NULL) {
        return false;
    }
    all->root = oracle_arena_array(j->arena, n, sizeof *all->root);
    all->out = oracle_arena_array(j->arena, n, sizeof *all->out);
    all->in = oracle_arena_array(j->arena, n, sizeof *all->in);
    if (all->root == NULL || all->out == NULL || all->in == NULL ||
        !find_roots(d, all->root, j->arena)) {
        return false;
    }
    for (uint32_t t = d->task_count; t-- > 0;) {
        uint32_t scope = root_of(j, t);
        if (scope != ORACLE_NONE) {
            all->out[scope].first = all->in[scope].first = t;
        }
    }
    return true;
}

/* One look at all hazards, for the first that asks. */
static bool find_crossings(oracle_judging *j)
{
    uint32_t tasks = j->document->task_count;
    bool *left = oracle_arena_alloc(j->arena, tasks);
    bool *entered = oracle_arena_alloc(j->arena, tasks);
    if (left == NULL || entered == NULL || !start_crossings(j)) {
        return false;
    }
    for (uint32_t i = 0; i < j->hazards.count; i++) {
        const oracle_hazard *h = &j->hazards.list[i];
        if (h->producer.task == ORACLE_NONE ||
            h->consumer.task == ORACLE_NONE) {
            continue;
        }
        uint32_t from = root_of(j, h->producer.task);
        uint32_t to = root_of(j, h->consumer.task);
        if (from != ORACLE_NONE && to == ORACLE_NONE) {
            note_crossing(&j->crossings->out[from], h->producer.task, left);
        } else if (from == ORACLE_NONE && to != ORACLE_NONE) {
            note_crossing(&j->crossings->in[to], h->consumer.task, entered);
        }
    }
    return true;
}

static const char *named_tasks(oracle_judging *j, const crossing *c)
{
    const char *text = "";
    for (uint32_t i = 0; text != NULL && i < c->count && i < NAMED; i++) {
        const char *task = oracle_tell_task(j->arena, j->document, c->named[i]);
        text = task == NULL ? NULL
                            : oracle_arena_format(j->arena, "%s%s%s", text,
                                                  i > 0 ? ", " : "", task);
    }
    return text == NULL || c->count <= NAMED
               ? text
               : oracle_arena_format(j->arena, "%s and %u more", text,
                                     (unsigned)(c->count - NAMED));
}

static const char *told_scope(oracle_judging *j, const crossing *c)
{
    const oracle_task *first = &j->document->tasks[c->first];
    return first->line > 0
               ? oracle_arena_format(j->arena,
                                     "the manual scope that begins before "
                                     "line %" PRId64,
                                     first->line)
               : oracle_arena_format(
                     j->arena, "the manual scope of task %" PRId64, first->id);
}

static const crossing *crossing_of(oracle_judging *j, const oracle_hazard *h,
                                   bool out)
{
    if (j->crossings == NULL && !find_crossings(j)) {
        return NULL;
    }
    return out ? &j->crossings->out[root_of(j, h->producer.task)]
               : &j->crossings->in[root_of(j, h->consumer.task)];
}

const char *oracle_tell_scope(oracle_judging *judging, const oracle_hazard *h,
                              bool out)
{
    const crossing *c = crossing_of(judging, h, out);
    const char *scope = c == NULL ? NULL : told_scope(judging, c);
    const char *tasks = c == NULL ? NULL : named_tasks(judging, c);
    if (scope == NULL || tasks == NULL) {
        return NULL;
    }
    return oracle_arena_format(
        judging->arena,
        out ? "the first is in %s, where nothing is registered: tasks outside "
              "do not see %s"
            : "the second is in %s, where nothing is looked up: the tasks "
              "outside are not seen by %s",
        scope, tasks);
}

const char *oracle_tell_bridge(oracle_judging *judging, const oracle_hazard *h,
                               bool out)
{
    char key[96];
    const oracle_text *text =
        &judging->document->buffers[h->consumer.storage].key;
    oracle_json_printable(text->data, text->length, key, sizeof key);
    return oracle_arena_format(
        judging->arena,
        out ? ", or bridge the scope once: behind it an automatic task with "
              "%s as inout and these tasks as deps, which all later ones see"
            : ", or bridge the scope once: before it an automatic task with "
              "%s as inout, which these tasks name in deps",
        key);
}
