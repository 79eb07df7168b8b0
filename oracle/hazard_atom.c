/*
 * One atom by the definition. For each read r, the writers whose value it may
 * get are those before it in program order, back to the last plain write that
 * surely happens (in an execution where the later ones do not); none of them:
 * what was there before. A write x disturbs r's read of w's value when x need
 * not come before w and need not come after r.
 *
 * Both walks, back from a write and on from a read, end at a write that is in
 * order and `closed`: everything beyond it is in order with it. A pair that is
 * reported counts as in order there, since what follows from repairing it need
 * not be said.
 */
#include "hazard.h"

#include <stdlib.h>
#include <string.h>

#define STEPS (UINT64_C(1) << 27)
#define NEAREST 8
#define INITIAL ORACLE_NONE

typedef struct sighting {
    bool found, decided;
    uint32_t read, writer;
} sighting;

typedef struct judge {
    oracle_hazards *hazards;
    const oracle_doubt *doubt;
    const oracle_item *items;
    uint32_t *seen_first; /* by read: writers of each, nearest first */
    uint32_t *seen;
    uint32_t seen_count;
    uint32_t *reader_first; /* by write: the reads of each */
    uint32_t *reader;
    bool *closed_back, *closed_on;
    oracle_id_table done; /* pairs of tasks reported: 1 open, 2 decided */
    oracle_arena *arena;
    oracle_item *copies; /* of the writes, for witnesses; NULL until needed */
    uint32_t copy_count;
    bool failed;
} judge;

static const oracle_item *item_at(const judge *j, uint32_t at)
{
    return &j->items[j->doubt->list[at]];
}

static bool writes(const judge *j, uint32_t at)
{
    return oracle_item_writes(item_at(j, at));
}

static bool accumulates(const judge *j, uint32_t at)
{
    return item_at(j, at)->kind == ORACLE_ITEM_ACCUMULATE;
}

static bool exact(const judge *j, uint32_t at)
{
    return item_at(j, at)->exact && !j->doubt->bound[j->doubt->list[at]];
}

/* By its place alone: inside a task, before the start, behind the end. */
static bool settled(const judge *j, uint32_t a, uint32_t b, bool *before)
{
    if (a == INITIAL || b == INITIAL) {
        *before = a == INITIAL;
        return true;
    }
    uint32_t x = item_at(j, a)->task, y = item_at(j, b)->task;
    *before = x == y ? a < b : x != ORACLE_NONE;
    return x == y || x == ORACLE_NONE || y == ORACLE_NONE;
}

/* Surely before, an edge of just this pair included. */
static bool ordered(judge *j, uint32_t a, uint32_t b)
{
    bool before;
    j->hazards->steps++;
    if (settled(j, a, b, &before)) {
        return before;
    }
    const oracle_item *x = item_at(j, a), *y = item_at(j, b);
    return oracle_closure_before(j->doubt->certain, x->task, y->task) ||
           (j->doubt->execution->own_count > 0 &&
            oracle_own_edge(j->doubt->execution, x, y));
}

/* Before when all edges that may be missing are there. */
static bool possibly(const judge *j, uint32_t a, uint32_t b)
{
    bool before;
    if (settled(j, a, b, &before)) {
        return before;
    }
    return oracle_closure_before(j->doubt->all, item_at(j, a)->task,
                                 item_at(j, b)->task);
}

/* Whether the later access, of one task, hides the earlier from every read. */
static bool hides(const judge *j, uint32_t later, uint32_t earlier)
{
    const oracle_item *x = item_at(j, later);
    return x->kind == ORACLE_ITEM_WRITE && x->always && exact(j, later) &&
           x->task == item_at(j, earlier)->task;
}

static bool ends_search(const judge *j, uint32_t at)
{
    const oracle_item *item = item_at(j, at);
    return item->kind == ORACLE_ITEM_WRITE && item->must && exact(j, at);
}

static bool push_seen(judge *j, uint32_t writer)
{
    uint32_t *grown =
        oracle_arena_push(j->arena, j->seen, j->seen_count, sizeof *j->seen);
    if (grown == NULL) {
        j->failed = true;
        return false;
    }
    j->seen = grown;
    j->seen[j->seen_count++] = writer;
    return true;
}

/* The writers of the read at `at`, nearest first. */
static void find_writers(judge *j, uint32_t at)
{
    uint32_t hider = INITIAL;
    for (uint32_t i = at; i-- > 0;) {
        j->hazards->steps++;
        if (!writes(j, i) || (hider != INITIAL && hides(j, hider, i))) {
            continue;
        }
        if (!push_seen(j, i) || ends_search(j, i)) {
            return;
        }
        hider = i;
    }
    if (j->doubt->cut) {
        j->seen_count = j->seen_first[at]; /* the others are not in sight */
    } else {
        push_seen(j, INITIAL);
    }
}

static void find_all_writers(judge *j)
{
    uint32_t n = j->doubt->count;
    for (uint32_t i = 0; i < n && !j->failed; i++) {
        j->seen_first[i] = j->seen_count;
        if (!writes(j, i) && j->hazards->steps < STEPS) {
            find_writers(j, i);
        }
    }
    j->seen_first[n] = j->seen_count;
    for (uint32_t s = 0; s < j->seen_count; s++) {
        if (j->seen[s] != INITIAL) {
            j->reader_first[j->seen[s] + 2]++;
        }
    }
    for (uint32_t i = 1; i <= n; i++) {
        j->reader_first[i + 1] += j->reader_first[i];
    }
    j->reader = oracle_arena_array(j->arena, j->seen_count, sizeof(uint32_t));
    if (j->reader == NULL) {
        j->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t s = j->seen_first[i]; s < j->seen_first[i + 1]; s++) {
            if (j->seen[s] != INITIAL) {
                j->reader[j->reader_first[j->seen[s] + 1]++] = i;
            }
        }
    }
}

static bool same_task(const judge *j, uint32_t a, uint32_t b)
{
    return a != INITIAL && b != INITIAL &&
           item_at(j, a)->task == item_at(j, b)->task;
}

/*
 * Whether x disturbs read r whether or not it gets the value of a bound that
 * stands between w and r. Where x is a write before them, the pair of x and w
 * would be none then. One of w's own task makes no difference.
 */
static bool disturbs_anyway(const judge *j, uint32_t r, uint32_t x,
                            uint32_t nearer)
{
    return exact(j, nearer) ||
           (x > r && !j->doubt->bound[j->doubt->list[nearer]] &&
            !possibly(j, x, nearer));
}

/* Whether x disturbs read r of w's value. */
static void look(judge *j, sighting *s, uint32_t r, uint32_t w, uint32_t x)
{
    if (s->decided || ordered(j, x, w) || ordered(j, r, x)) {
        return;
    }
    bool decided = exact(j, r) && (w == INITIAL || exact(j, w)) &&
                   exact(j, x) && !possibly(j, x, w) && !possibly(j, r, x);
    for (uint32_t k = j->seen_first[r]; decided && j->seen[k] != w; k++) {
        decided =
            same_task(j, j->seen[k], w) || disturbs_anyway(j, r, x, j->seen[k]);
    }
    if (!s->found || decided) {
        *s = (sighting){true, decided, r, w};
    }
}

static uint32_t done_strength(judge *j, uint32_t a, uint32_t b)
{
    uint64_t key = (uint64_t)item_at(j, a)->task << 32 | item_at(j, b)->task;
    uint32_t value = oracle_id_table_find(&j->done, (int64_t)key);
    return value == ORACLE_NONE ? 0 : value;
}

static void set_done(judge *j, uint32_t a, uint32_t b, bool decided)
{
    uint64_t key = (uint64_t)item_at(j, a)->task << 32 | item_at(j, b)->task;
    oracle_id_slot *slot = oracle_id_table_slot(&j->done, (int64_t)key);
    if (slot == NULL) {
        j->failed = true;
        return;
    }
    uint32_t before = slot->value == ORACLE_NONE ? 0 : slot->value;
    slot->value = before | (decided ? 2u : 1u);
}

/*
 * Writes nearer than w are those that do not happen in the execution, what
 * they would hide included; those of w's own task may as well happen.
 */
static bool copy_skipped(judge *j, oracle_hazard *h, uint32_t r, uint32_t w)
{
    uint32_t first = w == INITIAL ? 0 : w + 1;
    if (r > first) {
        h->skipped = oracle_arena_array(j->hazards->arena, r - first,
                                        sizeof *h->skipped);
        if (h->skipped == NULL) {
            return false;
        }
    }
    for (uint32_t i = r; i-- > first;) {
        const oracle_item *item = item_at(j, i);
        /* An accumulation adds to w's value: it stays. */
        if (writes(j, i) && (!item->must || !exact(j, i)) &&
            !same_task(j, i, w)) {
            h->skipped[h->skip_count++] = *item;
        }
    }
    return true;
}

/* The writes of the atom, which outlive the execution. */
static bool copy_writes(judge *j)
{
    uint32_t n = j->doubt->whole_count;
    if (j->copies != NULL) {
        return true;
    }
    j->copies = oracle_arena_array(j->hazards->arena, n, sizeof *j->copies);
    for (uint32_t i = 0; j->copies != NULL && i < n; i++) {
        const oracle_item *item = &j->items[j->doubt->whole[i]];
        if (oracle_item_writes(item) && item->known &&
            (!j->doubt->bound[j->doubt->whole[i]] ||
             oracle_place_has_byte(j->doubt->execution->document, item->place,
                                   j->doubt->values,
                                   j->doubt->atom.interval.begin))) {
            j->copies[j->copy_count++] = *item;
        }
    }
    return j->copies != NULL;
}

/*
 * A bound is taken to lie anywhere in the storage; of a pair that no values
 * bring together there is nothing to say.
 */
static bool never_meet(judge *j, uint32_t a, uint32_t b)
{
    const oracle_doubt *d = j->doubt;
    return (d->bound[d->list[a]] || d->bound[d->list[b]]) &&
           oracle_places_meet(d->execution->document, item_at(j, a)->place,
                              item_at(j, b)->place) == ORACLE_MEET_NEVER;
}

static void report(judge *j, oracle_hazard_kind kind, uint32_t producer,
                   uint32_t consumer, const sighting *s, uint32_t intruder)
{
    const oracle_doubt *d = j->doubt;
    oracle_hazard h = {
        .kind = kind,
        .decided = s->decided,
        .producer = *item_at(j, producer),
        .consumer = *item_at(j, consumer),
        .shown = d->atom.interval,
        .hull = {d->atom.interval.begin, d->atom.end},
        .execution = d->execution->number,
    };
    h.values = (int64_t *)(uintptr_t)d->values;
    if (s->found && !s->decided && never_meet(j, producer, consumer)) {
        return;
    }
    if (s->found) {
        h.reader = *item_at(j, s->read);
        h.initial = s->writer == INITIAL;
        h.writer = h.initial ? h.reader : *item_at(j, s->writer);
        h.intruder = intruder == INITIAL ? h.writer : *item_at(j, intruder);
        if (!copy_writes(j) || !copy_skipped(j, &h, s->read, s->writer)) {
            j->failed = true;
            return;
        }
        h.writes = j->copies;
        h.write_count = j->copy_count;
    }
    if (!oracle_hazard_keep(j->hazards, d->execution->document, &h)) {
        j->failed = true;
        return;
    }
    if (kind != ORACLE_HAZARD_DEAD_WRITE) {
        set_done(j, producer, consumer, s->decided);
    }
}

static bool strong(uint32_t done, bool decided)
{
    return decided ? (done & 2) != 0 : done != 0;
}

/* Whether a then `by` then b would be ordered with the reported pairs. */
static bool joins(judge *j, uint32_t a, uint32_t by, uint32_t b, bool decided)
{
    return (strong(done_strength(j, a, by), decided) && ordered(j, by, b)) ||
           (strong(done_strength(j, by, b), decided) && ordered(j, a, by));
}

/*
 * Whether the order that reported pairs ask for would give this one too. Only
 * the nearest few writes are asked, so that a crowd of unordered writes costs
 * no more than itself.
 */
static bool follows(judge *j, uint32_t a, uint32_t b, bool decided)
{
    uint32_t asked = 0;
    if (strong(done_strength(j, a, b), decided)) {
        return true;
    }
    for (uint32_t y = a + 1; y < b && asked < NEAREST; y++) {
        if (writes(j, y)) {
            asked++;
            if (joins(j, a, y, b, decided)) {
                return true;
            }
        }
    }
    asked = 0;
    for (uint32_t y = b; y-- > a + 1 && asked < NEAREST;) {
        if (writes(j, y)) {
            asked++;
            if (joins(j, a, y, b, decided)) {
                return true;
            }
        }
    }
    return false;
}

/*
 * Read r against the writers whose value it may get. A bound of another task
 * between the two may hide w from r.
 */
static void judge_raw(judge *j, uint32_t r)
{
    bool hidden = false, bound = false;
    for (uint32_t k = j->seen_first[r]; k < j->seen_first[r + 1]; k++) {
        uint32_t w = j->seen[k];
        if (w == INITIAL) {
            return;
        }
        if (k > j->seen_first[r] && !same_task(j, j->seen[k - 1], w)) {
            hidden = hidden || bound;
        }
        if (!ordered(j, w, r)) {
            bool decided =
                exact(j, w) && exact(j, r) && !possibly(j, w, r) && !hidden;
            sighting s = {true, decided, r, w};
            if (!follows(j, w, r, decided)) {
                report(j, ORACLE_HAZARD_RAW, w, r, &s, INITIAL);
            }
        }
        bound = bound || !exact(j, w);
    }
}

static bool unread(const judge *j, uint32_t w)
{
    return j->reader_first[w] == j->reader_first[w + 1];
}

/* Its task writes the bytes again: that write is the one that counts. */
static bool written_again(const judge *j, uint32_t w)
{
    bool again = false;
    for (uint32_t k = w + 1; !again && k < j->doubt->count &&
                             item_at(j, k)->task == item_at(j, w)->task;
         k++) {
        again = hides(j, k, w);
    }
    return again;
}

/* By the caller, or perhaps by one that is not in sight. */
static bool read_at_end(const judge *j)
{
    return j->doubt->count < j->doubt->whole_count ||
           item_at(j, j->doubt->count - 1)->task == ORACLE_NONE;
}

static void judge_waw_pair(judge *j, uint32_t x, uint32_t w, bool nearest)
{
    sighting s = {0};
    for (uint32_t k = j->reader_first[w]; k < j->reader_first[w + 1]; k++) {
        look(j, &s, j->reader[k], w, x);
        if (s.decided) {
            break;
        }
    }
    if (s.found) {
        if (!follows(j, x, w, s.decided)) {
            report(j, ORACLE_HAZARD_WAW, x, w, &s, x);
        }
    } else if (nearest && !read_at_end(j) && done_strength(j, x, w) == 0 &&
               unread(j, x) && unread(j, w) && exact(j, x) && exact(j, w)) {
        report(j, ORACLE_HAZARD_DEAD_WRITE, x, w, &s, INITIAL);
    }
}

/*
 * Write w against the writes before it. What nobody reads is not disturbed:
 * the nearest of another task is enough.
 */
static void judge_waw(judge *j, uint32_t w)
{
    bool nearest = true;
    j->closed_back[w] = true;
    for (uint32_t x = w; x-- > 0 && j->hazards->steps < STEPS && !j->failed;) {
        if (!writes(j, x)) {
            continue;
        }
        bool before = ordered(j, x, w);
        if (!before && !(accumulates(j, x) && accumulates(j, w))) {
            judge_waw_pair(j, x, w, nearest);
            before = strong(done_strength(j, x, w), true);
        }
        if (before && j->closed_back[x]) {
            return;
        }
        j->closed_back[w] = j->closed_back[w] && before;
        nearest = nearest && hides(j, w, x);
        if (unread(j, w) && !nearest) {
            j->closed_back[w] = false;
            return;
        }
    }
}

static void close_on(judge *j, uint32_t x)
{
    j->closed_on[x] = true;
    for (uint32_t y = x + 1; y < j->doubt->count; y++) {
        if (j->hazards->steps > STEPS) {
            return;
        }
        if (writes(j, y)) {
            if (!ordered(j, x, y) && !strong(done_strength(j, x, y), true)) {
                j->closed_on[x] = false;
                return;
            }
            if (j->closed_on[y]) {
                return;
            }
        }
    }
}

static void judge_war_pair(judge *j, uint32_t r, uint32_t x)
{
    sighting s = {0};
    for (uint32_t k = j->seen_first[r]; k < j->seen_first[r + 1]; k++) {
        look(j, &s, r, j->seen[k], x);
    }
    if (s.found && !follows(j, r, x, s.decided)) {
        report(j, ORACLE_HAZARD_WAR, r, x, &s, x);
    }
}

/* Read r against the writes after it. */
static void judge_war(judge *j, uint32_t r)
{
    for (uint32_t x = r + 1;
         x < j->doubt->count && j->hazards->steps < STEPS && !j->failed; x++) {
        if (!writes(j, x)) {
            continue;
        }
        bool before = ordered(j, r, x);
        if (!before) {
            judge_war_pair(j, r, x);
            before = strong(done_strength(j, r, x), true);
        }
        if (before && j->closed_on[x]) {
            return;
        }
    }
}

static bool start(judge *j)
{
    size_t n = j->doubt->count;
    j->seen_first = oracle_arena_array(j->arena, n + 2, sizeof(uint32_t));
    j->reader_first = oracle_arena_array(j->arena, n + 2, sizeof(uint32_t));
    j->closed_back = oracle_arena_alloc(j->arena, n);
    j->closed_on = oracle_arena_alloc(j->arena, n);
    return j->seen_first != NULL && j->reader_first != NULL &&
           j->closed_back != NULL && j->closed_on != NULL;
}

static void run(judge *j)
{
    uint32_t n = j->doubt->count;
    find_all_writers(j);
    for (uint32_t i = 0; i < n && !j->failed; i++) {
        if (!writes(j, i) && item_at(j, i)->task != ORACLE_NONE) {
            judge_raw(j, i);
        }
    }
    for (uint32_t i = 0; i < n && !j->failed; i++) {
        if (writes(j, i) && !(unread(j, i) && written_again(j, i))) {
            judge_waw(j, i);
        }
    }
    for (uint32_t i = n; i-- > 0 && !j->failed;) {
        if (writes(j, i)) {
            close_on(j, i);
        }
    }
    for (uint32_t i = 0; i < n && !j->failed; i++) {
        if (!writes(j, i) && item_at(j, i)->task != ORACLE_NONE) {
            judge_war(j, i);
        }
    }
}

bool oracle_hazards_judge_atom(oracle_hazards *hazards,
                               const oracle_doubt *doubt)
{
    judge j = {
        .hazards = hazards,
        .doubt = doubt,
        .items = doubt->execution->items.items,
        .arena = oracle_arena_create(),
    };
    bool ok = j.arena != NULL && start(&j);
    if (ok) {
        run(&j);
        ok = !j.failed;
    }
    hazards->exhausted = hazards->exhausted || hazards->steps >= STEPS;
    oracle_id_table_free(&j.done);
    oracle_arena_free(j.arena);
    return ok;
}
