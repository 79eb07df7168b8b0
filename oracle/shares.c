#include "shares.h"

#include <string.h>

#define STEPS (UINT64_C(1) << 28)    /* accesses looked at */
#define MEETINGS (UINT64_C(1) << 21) /* regions compared */

/* Uses of the task with most of them, at most. */
static size_t most_uses(const oracle_document *d)
{
    size_t most = 0;
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        size_t uses = 1;
        for (uint32_t a = 0; a < task->args; a++) {
            const oracle_arg *arg = &d->args[task->first_arg + a];
            uses += arg->has_access ? arg->accesses : 1;
        }
        most = uses > most ? uses : most;
    }
    return most;
}

bool oracle_shares_start(oracle_shares *shares, const oracle_document *document,
                         const oracle_memory *memory, oracle_arena *arena)
{
    size_t n = document->buffer_count;
    *shares = (oracle_shares){
        .document = document,
        .memory = memory,
        .to = ORACLE_NONE,
        .stamp = oracle_arena_array(arena, n, sizeof(uint32_t)),
        .latest = oracle_arena_array(arena, n, sizeof(uint32_t)),
        .uses =
            oracle_arena_array(arena, most_uses(document), sizeof(oracle_use)),
    };
    return shares->stamp != NULL && shares->latest != NULL &&
           shares->uses != NULL;
}

bool oracle_shares_spent(const oracle_shares *shares)
{
    return shares->steps >= STEPS || shares->meetings >= MEETINGS;
}

/* The i-th access of a task as a use; false: there are no more. */
typedef struct walk {
    const oracle_document *d;
    const oracle_task *task;
    uint32_t arg, access;
    bool operand;
} walk;

static bool next_use(walk *w, oracle_use *use)
{
    const oracle_task *task = w->task;
    if (!w->operand) {
        w->operand = true;
        if (task->has_predicate && task->predicate_buffer != ORACLE_NONE) {
            *use =
                (oracle_use){{task->predicate_buffer, task->predicate_region},
                             true,
                             false,
                             true,
                             ORACLE_NONE};
            return true;
        }
    }
    for (; w->arg < task->args; w->arg++, w->access = 0) {
        const oracle_arg *a = &w->d->args[task->first_arg + w->arg];
        if (a->kind != ORACLE_ARG_BUFFER) {
            continue;
        }
        if (!a->has_access && w->access == 0) {
            w->access = 1;
            *use = (oracle_use){
                {a->buffer, a->view}, true, true, false, ORACLE_NONE};
            return true;
        }
        if (a->has_access && w->access < a->accesses) {
            const oracle_access *x =
                &w->d->accesses[a->first_access + w->access++];
            *use =
                (oracle_use){oracle_access_place(a, x), x->mode != ORACLE_WRITE,
                             x->mode != ORACLE_READ, true, ORACLE_NONE};
            return true;
        }
    }
    return false;
}

static walk walk_of(const oracle_document *d, uint32_t task)
{
    return (walk){d, &d->tasks[task], 0, 0, false};
}

/* Lists the uses of `to`, chained by storage. */
static void set_to(oracle_shares *s, uint32_t to)
{
    walk w = walk_of(s->document, to);
    oracle_use use;
    s->to = to;
    s->round++;
    s->opaque = false;
    s->count = 0;
    while (next_use(&w, &use)) {
        s->steps++;
        if (use.place.buffer == ORACLE_NONE) {
            s->opaque = true;
            continue;
        }
        uint32_t storage = s->document->buffers[use.place.buffer].storage;
        use.next =
            s->stamp[storage] == s->round ? s->latest[storage] : ORACLE_NONE;
        s->stamp[storage] = s->round;
        s->latest[storage] = s->count;
        s->uses[s->count++] = use;
    }
}

uint32_t oracle_shares_uses(oracle_shares *shares, uint32_t task)
{
    if (task != shares->to) {
        set_to(shares, task);
    }
    return shares->count;
}

bool oracle_shares_none(const oracle_document *document, uint32_t task)
{
    walk w = walk_of(document, task);
    oracle_use use;
    return !next_use(&w, &use);
}

static bool is_whole(const oracle_document *d, oracle_place place)
{
    return place.region == ORACLE_NONE &&
           d->buffers[place.buffer].storage == place.buffer;
}

static bool may_meet(oracle_shares *s, oracle_place a, oracle_place b)
{
    if (is_whole(s->document, a) && is_whole(s->document, b)) {
        return true;
    }
    s->meetings++;
    return oracle_places_meet(s->document, a, b) != ORACLE_MEET_NEVER;
}

static unsigned bits_of(const oracle_use *x, const oracle_use *y)
{
    unsigned bits = (x->writes && y->reads ? ORACLE_SHARE_DATA : 0u) |
                    (x->writes && y->writes ? ORACLE_SHARE_STORAGE : 0u) |
                    (x->reads && y->writes ? ORACLE_SHARE_WAR : 0u);
    return bits == 0 || (x->known && y->known) ? bits : ORACLE_SHARE_UNKNOWN;
}

static unsigned share(oracle_shares *s, const oracle_use *x,
                      const oracle_use *y)
{
    unsigned bits = bits_of(x, y);
    return bits == 0 || may_meet(s, x->place, y->place) ? bits : 0;
}

/* By the addresses of two storages; no value goes from one to the other. */
static unsigned share_addresses(oracle_shares *s, const oracle_use *x)
{
    const oracle_memory *m = s->memory;
    const oracle_buffer *buffers = s->document->buffers;
    uint32_t a = buffers[x->place.buffer].storage;
    unsigned bits = 0;
    for (uint32_t i = 0; m->placed[a] && i < s->count; i++) {
        uint32_t b = buffers[s->uses[i].place.buffer].storage;
        s->steps++;
        if (a != b && m->placed[b] && m->base[a] < m->end[b] &&
            m->base[b] < m->end[a]) {
            bits |= bits_of(x, &s->uses[i]);
        }
    }
    return (bits & ORACLE_SHARE_DATA) != 0
               ? (bits & ~(unsigned)ORACLE_SHARE_DATA) | ORACLE_SHARE_ADDRESS
               : bits;
}

unsigned oracle_shares_find(oracle_shares *shares, uint32_t from, uint32_t to,
                            unsigned enough)
{
    const oracle_document *d = shares->document;
    walk w = walk_of(d, from);
    oracle_use use;
    if (to != shares->to) {
        set_to(shares, to);
    }
    /* Buffers that may be the same are not looked for here. */
    unsigned shared =
        d->may_alias_count > 0 || shares->opaque ? ORACLE_SHARE_UNKNOWN : 0u;
    while ((shared & enough) == 0 && next_use(&w, &use)) {
        shares->steps++;
        if (oracle_shares_spent(shares)) {
            return ORACLE_SHARE_UNKNOWN;
        }
        if (use.place.buffer == ORACLE_NONE) {
            shared |= ORACLE_SHARE_UNKNOWN;
            continue;
        }
        uint32_t storage = d->buffers[use.place.buffer].storage;
        uint32_t i = shares->stamp[storage] == shares->round
                         ? shares->latest[storage]
                         : ORACLE_NONE;
        for (; i != ORACLE_NONE && (shared & enough) == 0;
             i = shares->uses[i].next) {
            shares->steps++;
            shared |= share(shares, &use, &shares->uses[i]);
        }
        if (shares->memory != NULL && (shared & enough) == 0) {
            shared |= share_addresses(shares, &use);
        }
    }
    return shared;
}
