/* What two documents say of a task, and of a storage, beside its bytes. */
#include "compare.h"

#include "table.h"

#include <inttypes.h>
#include <string.h>

/* --- Tasks --- */

typedef enum part {
    CALLEE,
    CORE,
    CONDITION,
    SCALARS,
    PREDICATE,
    DUMMY,
    SYNC_START,
    PARTS
} part;

/* The cause, and what one task does and several do. */
static const char *const part_names[PARTS][3] = {
    {"callee", "calls another function", "call other functions"},
    {"core", "runs on another kind of core or number of blocks",
     "run on another kind of core or number of blocks"},
    {"condition", "is submitted under other conditions",
     "are submitted under other conditions"},
    {"scalar", "has other scalar arguments", "have other scalar arguments"},
    {"predicate", "has another predicate", "have other predicates"},
    {"dummy", "is a dummy in one of the two only",
     "are dummies in one of the two only"},
    {"sync-start", "starts its blocks together in one of the two only",
     "start their blocks together in one of the two only"}};

static bool same_when(const oracle_comparison *c, const oracle_task *x,
                      const oracle_task *y)
{
    bool same = x->whens == y->whens;
    for (uint32_t i = 0; same && i < x->whens; i++) {
        const oracle_when *p = &c->a.d->whens[x->first_when + i];
        const oracle_when *q = &c->b.d->whens[y->first_when + i];
        same = p->choice == q->choice && p->is == q->is;
    }
    return same;
}

/* The scalars in order, whatever stands between them. */
static bool same_scalars(const oracle_comparison *c, const oracle_task *x,
                         const oracle_task *y)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    uint32_t i = 0, k = 0;
    for (;;) {
        while (i < x->args &&
               d->args[x->first_arg + i].kind != ORACLE_ARG_SCALAR) {
            i++;
        }
        while (k < y->args &&
               e->args[y->first_arg + k].kind != ORACLE_ARG_SCALAR) {
            k++;
        }
        if (i == x->args || k == y->args) {
            return i == x->args && k == y->args;
        }
        if (!oracle_compare_same_text(&d->args[x->first_arg + i++].scalar,
                                      &e->args[y->first_arg + k++].scalar)) {
            return false;
        }
    }
}

static bool same_predicate(const oracle_comparison *c, const oracle_task *x,
                           const oracle_task *y)
{
    if (!x->has_predicate || !y->has_predicate) {
        return x->has_predicate == y->has_predicate;
    }
    const oracle_test *p = x->predicate_test, *q = y->predicate_test;
    uint32_t a = x->predicate_buffer, b = y->predicate_buffer;
    bool same = x->predicate_formed == y->predicate_formed &&
                (p == NULL) == (q == NULL) &&
                (p == NULL || (p->value == q->value &&
                               oracle_compare_same_text(&p->op, &q->op)));
    if (!same || a == ORACLE_NONE || b == ORACLE_NONE) {
        return same && a == b;
    }
    return c->a.label[a] == c->b.label[b] &&
           c->a.d->buffers[a].storage_at == c->b.d->buffers[b].storage_at &&
           oracle_compare_region(c->a.d, x->predicate_region, c->b.d,
                                 y->predicate_region);
}

/* A name that stands for another one everywhere is a name. */
static bool same_callee(oracle_table *names, const oracle_text *x,
                        const oracle_text *y, uint32_t *of, uint32_t u,
                        const oracle_document *e, bool *ok)
{
    oracle_slot *slot = oracle_table_slot(names, x->data, x->length);
    *ok = slot != NULL;
    if (!*ok || x->length == 0 || y->length == 0) {
        return true;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){x->data, x->length, u};
        *of = u;
        return true;
    }
    return oracle_compare_same_text(y, &e->tasks[slot->value].name);
}

static bool differs(const oracle_comparison *c, part p, uint32_t t, uint32_t u,
                    oracle_table *names, oracle_table *back, bool *ok)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    const oracle_task *x = &d->tasks[t], *y = &e->tasks[u];
    bool fine = c->a.bare || c->b.bare || c->a.coarse != c->b.coarse;
    uint32_t unused;
    switch (p) {
    case CALLEE:
        return !same_callee(names, &x->name, &y->name, &unused, u, e, ok) ||
               (*ok &&
                !same_callee(back, &y->name, &x->name, &unused, t, d, ok));
    case CORE:
        return (x->core.length > 0 && y->core.length > 0 &&
                !oracle_compare_same_text(&x->core, &y->core)) ||
               (!fine && !c->a.coarse && x->blocks != y->blocks);
    case CONDITION:
        return !fine && (d->choice_count == e->choice_count
                             ? !same_when(c, x, y)
                             : (x->whens == 0) != (y->whens == 0));
    case SCALARS:
        return !fine && !same_scalars(c, x, y);
    case PREDICATE:
        return !fine && !same_predicate(c, x, y);
    case DUMMY:
        return !fine && x->dummy != y->dummy;
    case SYNC_START:
    case PARTS:
        break;
    }
    return !fine && x->sync_start != y->sync_start;
}

static void compare_part(oracle_comparison *c, part p)
{
    oracle_table names = {0}, back = {0};
    uint64_t count = 0;
    uint32_t first = ORACLE_NONE;
    bool ok = true;
    for (uint32_t t = 0; ok && t < c->a.d->task_count; t++) {
        uint32_t u = c->a.other[t];
        if (u != ORACLE_NONE && differs(c, p, t, u, &names, &back, &ok) &&
            count++ == 0) {
            first = t;
        }
    }
    oracle_table_free(&names);
    oracle_table_free(&back);
    c->failed = c->failed || !ok;
    if (count == 0 || c->failed) {
        return;
    }
    const char *task = oracle_compare_task(c, &c->a, first);
    const char *other = oracle_compare_task(c, &c->b, c->a.other[first]);
    if (task == NULL || other == NULL) {
        c->failed = true;
        return;
    }
    oracle_compare_found(
        c, part_names[p][0], count, ORACLE_NONE, first,
        oracle_arena_format(c->arena,
                            "%s%" PRIu64 " task%s %s: %s of the first, %s of "
                            "the second.",
                            c->what, count, count == 1 ? "" : "s",
                            part_names[p][count == 1 ? 1 : 2], task, other),
        oracle_arena_format(c->arena, "{\"tasks\":[%" PRId64 ",%" PRId64 "]}",
                            c->a.d->tasks[first].id,
                            c->b.d->tasks[c->a.other[first]].id));
}

void oracle_compare_parts(oracle_comparison *c)
{
    for (part p = CALLEE; p < PARTS && !c->failed; p++) {
        compare_part(c, p);
    }
}

/* --- Storages --- */

typedef struct pairing {
    uint64_t count;
    uint32_t mine, other; /* buffers */
} pairing;

static void note(pairing *p, bool differs, uint32_t mine, uint32_t other)
{
    if (differs && p->count++ == 0) {
        p->mine = mine;
        p->other = other;
    }
}

static void report(oracle_comparison *c, const char *cause, const pairing *p,
                   const char *what, const char *is, const char *is_not,
                   bool first_is)
{
    if (p->count == 0 || c->failed) {
        return;
    }
    const char *a = oracle_compare_key(c, &c->a, c->a.label[p->mine]);
    const char *b = oracle_compare_key(c, &c->b, c->b.label[p->other]);
    if (a == NULL || b == NULL) {
        c->failed = true;
        return;
    }
    oracle_compare_found(
        c, cause, p->count, ORACLE_NONE, ORACLE_NONE,
        oracle_arena_format(c->arena,
                            "%s%" PRIu64 " storage%s %s %s in one of the two "
                            "only: %s of the first %s, %s of the second %s.",
                            c->what, p->count, p->count == 1 ? "" : "s",
                            p->count == 1 ? "is" : "are", what, a,
                            first_is ? is : is_not, b, first_is ? is_not : is),
        oracle_arena_format(c->arena, "{\"buffers\":[%" PRIu32 ",%" PRIu32 "]}",
                            p->mine, p->other));
}

static bool is_parameter(const oracle_buffer *b)
{
    return b->external && b->key.length > 6 &&
           memcmp(b->key.data, "param:", 6) == 0;
}

/* Whether a parameter of another name is another one only the caller knows. */
static void open_names(oracle_comparison *c, const pairing *p)
{
    if (p->count == 0 || c->failed) {
        return;
    }
    const char *a = oracle_compare_key(c, &c->a, c->a.label[p->mine]);
    const char *b = oracle_compare_key(c, &c->b, c->b.label[p->other]);
    oracle_compare_open(
        c, a == NULL || b == NULL
               ? NULL
               : oracle_arena_format(c->arena,
                                     "whether %" PRIu64 " parameter%s only "
                                     "another name or another one, which the "
                                     "caller knows: %s of the first stands "
                                     "where %s of the second does",
                                     p->count,
                                     p->count == 1 ? " has" : "s have", a, b));
}

void oracle_compare_storages(oracle_comparison *c)
{
    const oracle_document *d = c->a.d, *e = c->b.d;
    pairing owner = {0}, init = {0}, name = {0};
    uint32_t *at = oracle_arena_array(
        c->arena, 2 * ((size_t)d->buffer_count + e->buffer_count) + 2,
        sizeof *at);
    if (at == NULL) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < e->buffer_count; i++) {
        if (e->buffers[i].storage == i) {
            at[c->b.label[i]] = i + 1;
        }
    }
    for (uint32_t i = 0; i < d->buffer_count; i++) {
        uint32_t k = d->buffers[i].storage == i ? at[c->a.label[i]] : 0;
        if (k == 0) {
            continue;
        }
        const oracle_buffer *x = &d->buffers[i], *y = &e->buffers[--k];
        note(&owner, x->external != y->external, i, k);
        note(&init, x->init != y->init, i, k);
        note(&name,
             is_parameter(x) && is_parameter(y) &&
                 !oracle_compare_same_text(&x->key, &y->key),
             i, k);
    }
    report(c, "owner", &owner, "the caller's", "is", "is not",
           owner.count > 0 && d->buffers[owner.mine].external);
    report(c, "init", &init, "filled from the start", "is", "is not",
           init.count > 0 && d->buffers[init.mine].init);
    open_names(c, &name);
}
