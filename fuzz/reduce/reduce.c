/*
 * The reduction: pass after pass, each on the tree of the text so far, until a
 * whole round of single steps takes nothing away.
 */
#include <stdlib.h>
#include <string.h>

#include "pass.h"

#define MOST_WIDTH ((size_t)256)
#define FEW 3   /* parts that are not worth a question about all of them */
#define PARTS 8 /* in a coarse round, of a pass, and of each of its groups */
#define SPARE_PARTS 4
#define GROUPS 24
#define MOST_PARTS 64        /* of a group, but in a round of single steps */
#define LARGE ((size_t)4096) /* bytes that are worth more coarse rounds */
#define CALLS_LEFT(r) ((r)->q.calls == 0 || (r)->calls < (r)->q.calls)

/* Texts that were refused, by two hashes: no text is asked for twice. */
typedef struct memory {
    uint64_t (*items)[2];   /* 0, 0: free */
    size_t count, capacity; /* a power of two */
} memory;

/* A step, or several at once, and what becomes of the text. */
typedef struct attempt {
    const uint32_t *steps; /* numbers in the plan */
    uint32_t count;
    fuzz_text raw, text; /* without, and with digests made anew */
    uint64_t hash[2];
} attempt;

typedef struct reducer {
    fuzz_question q;
    size_t width;
    fuzz_text text; /* the smallest so far */
    fuzz_text base; /* the same with digests as the tree has them */
    reduce_tree tree;
    reduce_plan plan;
    memory refused;
    attempt *attempts;
    fuzz_piece *pieces;
    fuzz_answer *answers;
    reduce_undo *undo;
    uint32_t undo_capacity;
    uint32_t *order; /* numbers of steps, for attempts */
    uint32_t order_capacity;
    uint64_t steps, calls;
    fuzz_form form; /* as what it is reduced now */
    bool check;     /* ends with the first text that is smaller */
    bool coarse;    /* only few, large pieces */
    bool fine;      /* but for this pass */
    bool spare;     /* this pass is for what is large */
    bool single;    /* no chunks any more */
    bool changed;   /* in this round */
    bool ended;     /* by a limit */
    bool failed;    /* by an answer */
    bool no_memory;
} reducer;

static bool is_over(const reducer *r)
{
    return r->ended || r->failed || r->no_memory || (r->check && r->changed);
}

/* --- What was refused --- */

static void hash_text(uint64_t hash[2], const fuzz_text *text)
{
    uint64_t a = UINT64_C(0xcbf29ce484222325);
    uint64_t b = UINT64_C(0x9e3779b97f4a7c15) + text->length;
    for (size_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->data[i];
        a = (a ^ c) * UINT64_C(0x100000001b3);
        b = (b + c + 1) * UINT64_C(0xff51afd7ed558ccd);
        b ^= b >> 29;
    }
    hash[0] = a;
    hash[1] = b | 1;
}

static size_t find_slot(const memory *m, const uint64_t hash[2])
{
    size_t at = (size_t)hash[0] & (m->capacity - 1);
    while (m->items[at][1] != 0 &&
           (m->items[at][0] != hash[0] || m->items[at][1] != hash[1]))
        at = (at + 1) & (m->capacity - 1);
    return at;
}

static bool was_refused(const memory *m, const uint64_t hash[2])
{
    return m->capacity > 0 && m->items[find_slot(m, hash)][1] != 0;
}

static bool grow_memory(memory *m)
{
    memory larger = {.capacity = m->capacity == 0 ? 1024 : 2 * m->capacity};
    larger.items = calloc(larger.capacity, sizeof *larger.items);
    if (larger.items == NULL)
        return false;
    for (size_t i = 0; i < m->capacity; i++) {
        if (m->items[i][1] == 0)
            continue;
        size_t at = find_slot(&larger, m->items[i]);
        memcpy(larger.items[at], m->items[i], sizeof *m->items);
    }
    larger.count = m->count;
    free(m->items);
    *m = larger;
    return true;
}

static bool remember(memory *m, const uint64_t hash[2])
{
    if (2 * m->count >= m->capacity && !grow_memory(m))
        return false;
    size_t at = find_slot(m, hash);
    m->count += m->items[at][1] == 0;
    memcpy(m->items[at], hash, sizeof *m->items);
    return true;
}

/* --- Texts --- */

static bool copy_text(fuzz_text *to, const fuzz_text *from)
{
    fuzz_text_clear(to);
    fuzz_put_bytes(to, from->length == 0 ? "" : from->data, from->length);
    return !to->failed;
}

/* Shorter, or as long and with the smaller byte where they differ first. */
static bool is_smaller(const fuzz_text *a, const fuzz_text *b)
{
    if (a->length != b->length)
        return a->length < b->length;
    return a->length > 0 && memcmp(a->data, b->data, a->length) < 0;
}

static bool apply_steps(reducer *r, const attempt *a, uint32_t *done)
{
    for (uint32_t s = 0; s < a->count; s++) {
        const reduce_step *step = &r->plan.steps[a->steps[s]];
        for (uint32_t e = 0; e < step->count; e++) {
            void *undo = r->undo;
            if (!reduce_grow(&undo, &r->undo_capacity, *done, sizeof *r->undo))
                return false;
            r->undo = undo;
            reduce_apply(&r->tree, &r->plan.edits[step->first + e],
                         &r->undo[(*done)++]);
        }
    }
    return true;
}

static void take_back(reducer *r, uint32_t done)
{
    while (done > 0) {
        done--;
        r->tree.nodes[r->undo[done].node] = r->undo[done].before;
    }
}

static bool is_alive(const reducer *r, const attempt *a)
{
    for (uint32_t s = 0; s < a->count; s++) {
        const reduce_step *step = &r->plan.steps[a->steps[s]];
        for (uint32_t e = 0; e < step->count; e++)
            if (reduce_is_alive(&r->tree, r->plan.edits[step->first + e].node))
                return true;
    }
    return false;
}

/* Writes what the steps make of the text; true when it is worth a question. */
static bool prepare(reducer *r, attempt *a)
{
    uint32_t done = 0;
    if (!is_alive(r, a))
        return false;
    bool ok = apply_steps(r, a, &done);
    if (ok)
        reduce_write(&a->raw, &r->tree);
    take_back(r, done);
    if (!ok || r->tree.failed || a->raw.failed) {
        r->no_memory = true;
        return false;
    }
    if (!is_smaller(&a->raw, &r->base))
        return false;
    r->no_memory = !copy_text(&a->text, &a->raw);
    if (!r->no_memory)
        reduce_write_digests(&a->text, &r->tree, r->q.fingerprint);
    hash_text(a->hash, &a->text);
    return !r->no_memory && !was_refused(&r->refused, a->hash);
}

/* The steps of an attempt are taken. */
static void commit(reducer *r, const attempt *a)
{
    uint32_t done = 0;
    r->no_memory = r->no_memory || !apply_steps(r, a, &done) ||
                   !copy_text(&r->text, &a->text) ||
                   !copy_text(&r->base, &a->raw);
    r->changed = true;
    r->steps++;
}

/* --- Questions --- */

static void ask(reducer *r, size_t count)
{
    if (!CALLS_LEFT(r) || (r->q.enough != NULL && r->q.enough(r->q.context))) {
        r->ended = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const fuzz_text *text = &r->attempts[i].text;
        r->pieces[i] =
            (fuzz_piece){text->length == 0 ? "" : text->data, text->length};
        r->answers[i] = FUZZ_FAILED;
    }
    r->q.ask(r->q.context, r->pieces, count, r->answers);
}

/*
 * Asks for the first `count` attempts; the number of the first that was
 * accepted, or `count`. Those behind it were in vain, and do not count.
 */
static size_t settle(reducer *r, size_t count)
{
    ask(r, count);
    for (size_t i = 0; i < count && !r->ended; i++) {
        if (!CALLS_LEFT(r)) {
            r->ended = true;
            break;
        }
        r->calls++;
        if (r->answers[i] == FUZZ_YES)
            return i;
        if (r->answers[i] == FUZZ_FAILED) {
            r->failed = true;
            break;
        }
        if (!remember(&r->refused, r->attempts[i].hash))
            r->no_memory = true;
    }
    return count;
}

/* Whether an attempt before this one has made the same text. */
static bool is_repeated(const reducer *r, size_t number)
{
    const uint64_t *hash = r->attempts[number].hash;
    for (size_t i = 0; i < number; i++)
        if (memcmp(r->attempts[i].hash, hash, sizeof r->attempts[i].hash) == 0)
            return true;
    return false;
}

/*
 * Tries sets of `size` neighbours among order[begin, end), one after the
 * other from `at` on; where the first that was accepted begins, or `end`.
 */
static uint32_t try_from(reducer *r, uint32_t at, uint32_t end, uint32_t size)
{
    size_t window = 1;
    while (at < end && !is_over(r)) {
        uint32_t begins[MOST_WIDTH];
        size_t count = 0;
        for (; at < end && count < window && !r->no_memory; at += size) {
            attempt *a = &r->attempts[count];
            a->steps = &r->order[at];
            a->count = end - at < size ? end - at : size;
            begins[count] = at;
            count += prepare(r, a) && !is_repeated(r, count);
        }
        size_t yes = count == 0 || is_over(r) ? count : settle(r, count);
        if (yes < count) {
            commit(r, &r->attempts[yes]);
            return begins[yes];
        }
        window = 2 * window < r->width ? 2 * window : r->width;
    }
    return end;
}

/* --- Passes that try chunks --- */

static bool order_room(reducer *r, uint32_t count)
{
    void *order = r->order;
    while (r->order_capacity <= count)
        if (!reduce_grow(&order, &r->order_capacity, r->order_capacity,
                         sizeof *r->order)) {
            r->no_memory = true;
            return false;
        }
    r->order = order;
    return true;
}

/* Tries order[begin, end) as one set; true: it is gone, and not in order. */
static bool drop(reducer *r, uint32_t *count, uint32_t begin, uint32_t end)
{
    if (begin >= end || is_over(r) ||
        try_from(r, begin, end, end - begin) == end)
        return false;
    memmove(&r->order[begin], &r->order[end],
            (*count - end) * sizeof *r->order);
    *count -= end - begin;
    return true;
}

/*
 * Behind a set that is gone, and then before it (the ids of a run go one after
 * the other, from its end), as long as all of it goes; where the rest begins.
 */
static uint32_t drop_around(reducer *r, uint32_t *count, uint32_t at,
                            uint32_t size)
{
    uint32_t run = size, left = *count - at;
    while (drop(r, count, at, at + (run < left ? run : left))) {
        left = *count - at;
        run = run < left ? 2 * run : run;
    }
    run = size < at ? size : at;
    while (drop(r, count, at - run, at)) {
        at -= run;
        run = 2 * run < at ? 2 * run : at;
    }
    return at;
}

/* One level: order[0, count) in sets of `size`; how many are left. */
static uint32_t try_level(reducer *r, uint32_t count, uint32_t size)
{
    uint32_t at = 0;
    while (at < count && !is_over(r)) {
        uint32_t found = try_from(r, at, count, size);
        if (found == count)
            return count;
        uint32_t gone = count - found < size ? count - found : size;
        memmove(&r->order[found], &r->order[found + gone],
                (count - found - gone) * sizeof *r->order);
        count -= gone;
        at = drop_around(r, &count, found, size);
    }
    return count;
}

/* All at once, halves, quarters, ..., single ones. */
static void try_group(reducer *r, uint32_t begin, uint32_t end)
{
    uint32_t count = end - begin;
    uint32_t parts = !r->coarse || r->fine ? MOST_PARTS
                     : r->spare            ? SPARE_PARTS
                                           : PARTS;
    uint32_t least = r->single ? 1 : (count + parts - 1) / parts;
    if (!order_room(r, count))
        return;
    for (uint32_t i = 0; i < count; i++)
        r->order[i] = begin + i;
    uint32_t size = r->single || count <= FEW ? 1 : count;
    for (;;) {
        count = try_level(r, count, size);
        if (size <= least || count == 0 || is_over(r))
            return;
        size = size / 2 < count ? size / 2 : count;
    }
}

static void try_chunks(reducer *r)
{
    uint32_t begin = 0, groups = 0;
    while (begin < r->plan.step_count && !is_over(r) &&
           (!r->coarse || groups++ < GROUPS)) {
        uint32_t end = begin;
        while (end < r->plan.step_count &&
               r->plan.steps[end].group == r->plan.steps[begin].group)
            end++;
        try_group(r, begin, end);
        begin = end;
    }
}

/* --- Passes that make values smaller --- */

/* Steps for targets from `at` on, until there are enough for one question. */
static uint32_t make_values(reducer *r, const reduce_pass *pass,
                            const reduce_targets *targets, uint32_t at)
{
    uint32_t begin = r->plan.step_count;
    while (at < targets->count && r->plan.step_count - begin < r->width) {
        uint32_t target = targets->items[at++];
        if (reduce_is_alive(&r->tree, target))
            pass->value(&r->plan, &r->tree, target);
        r->plan.slow = false;
    }
    r->no_memory = r->no_memory || r->plan.failed;
    return at;
}

static uint32_t place_of(const reduce_targets *targets, uint32_t at,
                         uint32_t target)
{
    while (targets->items[at] != target)
        at++;
    return at;
}

/* A target that has become smaller is tried again at once. */
static void try_values(reducer *r, const reduce_pass *pass,
                       const reduce_targets *targets)
{
    uint32_t at = 0;
    while (at < targets->count && !is_over(r)) {
        uint32_t begin = r->plan.step_count;
        uint32_t next = make_values(r, pass, targets, at);
        uint32_t count = r->plan.step_count - begin;
        if (r->no_memory || !order_room(r, count))
            return;
        for (uint32_t i = 0; i < count; i++)
            r->order[i] = begin + i;
        uint32_t found = try_from(r, 0, count, 1);
        if (found < count) {
            const reduce_step *step = &r->plan.steps[begin + found];
            r->plan.slow = step->slow;
            next = place_of(targets, at, step->group);
        }
        at = next;
    }
}

/* --- Passes --- */

static void clear_tree(reducer *r)
{
    reduce_tree *t = &r->tree;
    t->count = t->digest_count = 0;
    t->failed = false;
}

static bool parse(reducer *r, const reduce_pass *pass)
{
    clear_tree(r);
    reduce_plan_clear(&r->plan);
    bool ok = pass->parse(&r->tree, r->text.length == 0 ? "" : r->text.data,
                          r->text.length);
    if (ok && r->form == FUZZ_FORM_JSON)
        reduce_find_digests(&r->tree, r->q.fingerprint);
    if (ok)
        reduce_write(&r->base, &r->tree);
    r->no_memory =
        r->no_memory || r->tree.failed || r->base.failed || r->plan.failed;
    return ok && !r->no_memory;
}

/* Whether the text is as the tree writes it. */
static bool is_base(const reducer *r)
{
    return r->base.length == r->text.length &&
           (r->base.length == 0 ||
            memcmp(r->base.data, r->text.data, r->base.length) == 0);
}

/*
 * While steps are tried, the nodes are pieces of the text as it was, which
 * must not change with r->text. What can be laid out anew waits for the next
 * round.
 */
static void run_pass(reducer *r, const reduce_pass *pass)
{
    fuzz_text kept = {0};
    reduce_targets targets = {0};
    r->no_memory = r->no_memory || !copy_text(&kept, &r->text);
    if (!r->no_memory && parse(r, pass) && is_base(r)) {
        fuzz_text now = r->text;
        r->text = kept;
        kept = now;
        if (pass->make != NULL)
            pass->make(&r->plan, &r->tree);
        else
            pass->find(&targets, &r->tree);
        r->no_memory = r->no_memory || r->plan.failed || targets.failed;
        reduce_plan_step(&r->plan, 0);
        r->plan.step_count -= r->plan.step_count > 0;
        if (!r->no_memory && pass->make != NULL)
            try_chunks(r);
        else if (!r->no_memory &&
                 (!r->coarse || r->fine || targets.count <= PARTS))
            try_values(r, pass, &targets);
    }
    free(targets.items);
    fuzz_text_free(&kept);
}

/*
 * As what the text is reduced: only as what it can be written again, which is
 * a step when it becomes shorter by that.
 */
static void choose_form(reducer *r)
{
    r->form =
        fuzz_form_of(r->text.length == 0 ? "" : r->text.data, r->text.length);
    if (r->form == FUZZ_FORM_PLAIN || !parse(r, &reduce_passes(r->form)[0]))
        return;
    attempt *a = &r->attempts[0];
    if (is_base(r))
        return;
    r->no_memory = !copy_text(&a->text, &r->base);
    if (r->no_memory || !is_smaller(&a->text, &r->text)) {
        r->form = FUZZ_FORM_PLAIN;
        return;
    }
    reduce_write_digests(&a->text, &r->tree, r->q.fingerprint);
    hash_text(a->hash, &a->text);
    if (was_refused(&r->refused, a->hash) || settle(r, 1) == 1) {
        r->form = FUZZ_FORM_PLAIN;
        return;
    }
    r->no_memory = !copy_text(&r->text, &a->text);
    r->changed = true;
    r->steps++;
}

static void round_of_steps(reducer *r)
{
    r->changed = false;
    choose_form(r);
    for (const reduce_pass *pass = reduce_passes(r->form);
         pass->parse != NULL && !is_over(r); pass++) {
        uint64_t before;
        if (pass->spare && (!r->coarse || r->text.length <= LARGE))
            continue;
        r->fine = pass->fine;
        r->spare = pass->spare;
        do {
            before = r->steps;
            run_pass(r, pass);
        } while (pass->repeats && r->steps != before && !is_over(r));
    }
}

/* A few large pieces of everything, as long as that does much. */
static void run_coarse_rounds(reducer *r)
{
    size_t before;
    r->coarse = true;
    do {
        before = r->text.length;
        round_of_steps(r);
    } while (r->text.length < before - before / 8 && !is_over(r));
    r->coarse = false;
}

/*
 * Large pieces, then single ones until none is left; then pieces of all sizes,
 * since what is small now may be taken away in pairs. So a result is never
 * reduced again.
 */
static void run_rounds(reducer *r)
{
    run_coarse_rounds(r);
    do {
        r->single = true;
        do
            round_of_steps(r);
        while (r->changed && !is_over(r));
        r->single = false;
        if (!is_over(r))
            round_of_steps(r);
    } while (r->changed && !is_over(r));
}

/* --- From outside --- */

static bool begin(reducer *r, const char *text, size_t length,
                  const fuzz_question *question)
{
    r->q = *question;
    r->width = question->width == 0           ? 1
               : question->width > MOST_WIDTH ? MOST_WIDTH
                                              : question->width;
    r->attempts = calloc(r->width, sizeof *r->attempts);
    r->pieces = calloc(r->width, sizeof *r->pieces);
    r->answers = calloc(r->width, sizeof *r->answers);
    fuzz_put_bytes(&r->text, text, length);
    return r->attempts != NULL && r->pieces != NULL && r->answers != NULL &&
           !r->text.failed;
}

static void end(reducer *r)
{
    for (size_t i = 0; r->attempts != NULL && i < r->width; i++) {
        fuzz_text_free(&r->attempts[i].raw);
        fuzz_text_free(&r->attempts[i].text);
    }
    free(r->attempts);
    free(r->pieces);
    free(r->answers);
    free(r->undo);
    free(r->order);
    free(r->refused.items);
    fuzz_text_free(&r->text);
    fuzz_text_free(&r->base);
    reduce_tree_free(&r->tree);
    reduce_plan_free(&r->plan);
}

/* The first question: about the text itself. */
static fuzz_outcome ask_itself(reducer *r)
{
    attempt *a = &r->attempts[0];
    if (!copy_text(&a->text, &r->text))
        return FUZZ_REDUCE_NO_MEMORY;
    hash_text(a->hash, &a->text);
    if (settle(r, 1) == 0)
        return FUZZ_REDUCED;
    return r->failed      ? FUZZ_REDUCE_FAILED
           : r->no_memory ? FUZZ_REDUCE_NO_MEMORY
           : r->ended     ? FUZZ_REDUCED
                          : FUZZ_REDUCE_NOT_ASKED;
}

static fuzz_outcome outcome(const reducer *r)
{
    return r->no_memory ? FUZZ_REDUCE_NO_MEMORY
           : r->failed  ? FUZZ_REDUCE_FAILED
                        : FUZZ_REDUCED;
}

/* Hands the text over. */
static void give(fuzz_reduction *reduction, reducer *r)
{
    reduction->steps = r->steps;
    reduction->calls = r->calls;
    fuzz_put(&r->text, "");
    reduction->text = r->text.data;
    reduction->length = r->text.length;
    r->text = (fuzz_text){0};
}

fuzz_outcome fuzz_reduce(fuzz_reduction *reduction, const char *text,
                         size_t length, const fuzz_question *question)
{
    reducer r = {0};
    *reduction = (fuzz_reduction){0};
    fuzz_outcome result = FUZZ_REDUCE_NO_MEMORY;
    if (begin(&r, text, length, question))
        result = ask_itself(&r);
    if (result == FUZZ_REDUCED) {
        run_rounds(&r);
        result = outcome(&r);
    }
    if (result == FUZZ_REDUCED) {
        reduction->minimal = !r.ended;
        give(reduction, &r);
    }
    end(&r);
    return result;
}

fuzz_outcome fuzz_reduce_check(fuzz_reduction *reduction, const char *text,
                               size_t length, const fuzz_question *question)
{
    reducer r = {.check = true, .single = true};
    *reduction = (fuzz_reduction){0};
    fuzz_outcome result = FUZZ_REDUCE_NO_MEMORY;
    if (begin(&r, text, length, question))
        result = ask_itself(&r);
    if (result == FUZZ_REDUCED) {
        round_of_steps(&r);
        result = outcome(&r);
    }
    if (result == FUZZ_REDUCED) {
        reduction->minimal = !r.changed && !r.ended;
        bool smaller = r.changed;
        give(reduction, &r);
        if (!smaller) {
            free(reduction->text);
            reduction->text = NULL;
            reduction->length = 0;
        }
    }
    end(&r);
    return result;
}
