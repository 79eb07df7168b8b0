#include "compare_work.h"
#include "program_work.h"

#include "arena.h"

#include <stdlib.h>
#include <string.h>

/* Of one reader; what is more is not told. */
#define MOST_TOLD 64

/* --- Runs --- */

replay_status replay_comparer_start(replay_comparer *c,
                                    const replay_program *program,
                                    const replay_variant *variant,
                                    replay_error *error)
{
    *c = (replay_comparer){.p = program};
    if (variant != NULL) {
        c->variant = *variant;
    }
    c->plain =
        (replay_variant){.own_places = true, .without = c->variant.without};
    c->masked = replay_by_address(program, &c->variant);
    c->asked = calloc((size_t)replay_readers(program) + 1, sizeof *c->asked);
    c->program_order =
        malloc(((size_t)program->task_count + 1) * sizeof *c->program_order);
    c->away = calloc((size_t)program->task_count + 1, sizeof *c->away);
    if (c->asked == NULL || c->away == NULL || c->program_order == NULL) {
        return replay_fail_memory(error);
    }
    for (uint32_t t = 0; t < program->task_count; t++) {
        c->program_order[t] = t;
    }
    replay_status status = replay_memory_create(
        &c->reference, program, &c->plain, c->masked, NULL, error);
    if (status == REPLAY_OK) {
        replay_memory_run(c->reference, c->program_order);
        status = replay_stopped(program) ? replay_fail_stopped(error) : status;
    }
    if (status == REPLAY_OK) {
        status = replay_memory_create(&c->run, program, &c->variant, c->masked,
                                      NULL, error);
    }
    return status;
}

void replay_comparer_end(replay_comparer *c)
{
    replay_memory_free(c->reference);
    replay_memory_free(c->run);
    for (uint32_t i = 0; i < 2; i++) {
        replay_memory_free(c->logged[i]);
        replay_log_free(&c->logs[i]);
    }
    free(c->asked);
    free(c->away);
    free(c->program_order);
    *c = (replay_comparer){0};
}

uint32_t replay_comparer_run(replay_comparer *c, const uint32_t *order)
{
    const replay_program *p = c->p;
    uint32_t readers = p->task_count + p->host_count, count = 0;
    const replay_result *a = &c->reference->result, *b = &c->run->result;
    replay_memory_reset(c->run);
    replay_memory_run(c->run, order);
    if (memcmp(a->sources, b->sources, readers * sizeof *a->sources) == 0 &&
        memcmp(a->final_sources, b->final_sources,
               p->buffer_count * sizeof *a->final_sources) == 0) {
        return 0;
    }
    for (uint32_t r = 0; r < readers; r++) {
        c->asked[r] = a->sources[r] != b->sources[r];
        count += c->asked[r];
    }
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        bool differs = a->final_sources[i] != b->final_sources[i];
        c->asked[readers + i] = differs;
        count += differs;
    }
    return count;
}

/* --- Telling --- */

static int by_reader(const void *a, const void *b)
{
    const replay_seen *x = a, *y = b;
    if (x->reader != y->reader) {
        return x->reader < y->reader ? -1 : 1;
    }
    if (x->access != y->access) {
        return x->access < y->access ? -1 : 1;
    }
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static replay_status run_logged(replay_comparer *c, uint32_t i,
                                const uint32_t *order, replay_error *error)
{
    if (c->logged[i] == NULL) {
        c->logs[i].asked = c->asked;
        replay_status status = replay_memory_create(
            &c->logged[i], c->p, i == 0 ? &c->plain : &c->variant, c->masked,
            &c->logs[i], error);
        if (status != REPLAY_OK) {
            return status;
        }
    } else {
        replay_memory_reset(c->logged[i]);
    }
    replay_memory_run(c->logged[i], order);
    if (replay_stopped(c->p)) {
        return replay_fail_stopped(error);
    }
    if (c->logs[i].failed) {
        return replay_fail_memory(error);
    }
    if (c->logs[i].seen_count > 0) {
        qsort(c->logs[i].seen, c->logs[i].seen_count, sizeof(replay_seen),
              by_reader);
    }
    return REPLAY_OK;
}

static bool same_access(const replay_program *p, uint32_t a, uint32_t b)
{
    return a == b || (p->accesses[a].arg == p->accesses[b].arg &&
                      p->accesses[a].source == p->accesses[b].source);
}

/* Whether nothing of what an access reads was written before: seen[at] and its
 * neighbours of one reader, in program order. */
static bool reads_nothing(const replay_comparer *c, uint32_t at)
{
    const replay_log *log = &c->logs[0];
    const replay_seen *this = &log->seen[at];
    uint32_t i = at;
    while (i > 0 && log->seen[i - 1].reader == this->reader) {
        i--;
    }
    for (; i < log->seen_count && log->seen[i].reader == this->reader; i++) {
        if (log->seen[i].node != 0 &&
            same_access(c->p, log->seen[i].access, this->access)) {
            return false;
        }
    }
    return true;
}

/* Who reads, with which argument and how surely. */
static replay_difference reader_of(const replay_comparer *c,
                                   const replay_seen *seen, bool *sure)
{
    const replay_program *p = c->p;
    uint32_t readers = p->task_count + p->host_count;
    replay_difference d = {.task = seen->reader,
                           .arg = REPLAY_NONE,
                           .begin = p->cell_begin[seen->cell],
                           .end = p->cell_end[seen->cell]};
    *sure = true;
    if (seen->reader >= readers) {
        d.task = REPLAY_NONE;
        d.buffer = seen->reader - readers;
        return d;
    }
    const replay_access *x = &p->accesses[seen->access];
    d.buffer = x->buffer;
    d.arg = x->arg;
    *sure = x->force != REPLAY_BOUND;
    if (seen->reader >= p->task_count) {
        d.task = REPLAY_HOST;
        d.arg = seen->reader - p->task_count;
    }
    return d;
}

static bool same_without(const replay_telling *t, const replay_told *a,
                         const replay_told *b)
{
    uint32_t count = a->difference.without_count;
    return count == b->difference.without_count &&
           (count == 0 || memcmp(t->pool + a->first, t->pool + b->first,
                                 count * sizeof *t->pool) == 0);
}

static bool same_told(const replay_telling *t, const replay_told *a,
                      const replay_told *b)
{
    const replay_difference *x = &a->difference, *y = &b->difference;
    return x->task == y->task && x->arg == y->arg && x->buffer == y->buffer &&
           x->expected == y->expected && x->seen == y->seen &&
           x->sure == y->sure && same_without(t, a, b);
}

/* Adds it to one of the same reader that says the same, else as a new one. */
static void keep(replay_telling *t, uint32_t first, const replay_told *told)
{
    for (uint32_t i = t->count; i-- > first;) {
        replay_difference *d = &t->items[i].difference;
        if (same_told(t, &t->items[i], told)) {
            d->begin = told->difference.begin < d->begin
                           ? told->difference.begin
                           : d->begin;
            d->end =
                told->difference.end > d->end ? told->difference.end : d->end;
            t->pool_count = told->first;
            return;
        }
    }
    replay_told *items =
        t->count - first == MOST_TOLD
            ? NULL
            : replay_grow(t->items, &t->room, t->count, 1, sizeof *items);
    if (items == NULL) {
        t->failed = t->failed || t->count - first < MOST_TOLD;
        t->pool_count = told->first;
        return;
    }
    t->items = items;
    t->items[t->count++] = *told;
}

static uint32_t access_of(uint32_t access)
{
    return access >= REPLAY_START ? REPLAY_NONE : access;
}

/* What seen[at] of both runs says. */
static void tell_cell(replay_comparer *c, uint32_t at, uint32_t first,
                      replay_telling *t)
{
    const replay_seen *a = &c->logs[0].seen[at], *b = &c->logs[1].seen[at];
    replay_contrast contrast;
    replay_told told = {.first = t->pool_count};
    bool sure;
    if (!replay_contrast_make(&contrast, c, a->node, b->node, t)) {
        t->pool_count = told.first;
        return;
    }
    replay_contrast_complete(&contrast, c, a->node, b->node, t, told.first);
    told.difference = reader_of(c, a, &sure);
    if (contrast.nothing) {
        const replay_access *x = &c->p->accesses[a->access];
        replay_elsewhere elsewhere =
            replay_written_elsewhere(c->p, a->reader, x);
        if (elsewhere == REPLAY_ELSEWHERE) {
            t->pool_count = told.first;
            return;
        }
        contrast.sure = x->force == REPLAY_MUST &&
                        elsewhere == REPLAY_NOT_ELSEWHERE &&
                        reads_nothing(c, at);
    }
    told.difference.sure = sure && contrast.sure;
    told.difference.expected = replay_writer(c->p, contrast.expected);
    told.difference.seen = replay_writer(c->p, contrast.seen);
    told.difference.expected_access = access_of(contrast.expected);
    told.difference.seen_access = access_of(contrast.seen);
    told.difference.without_count = t->pool_count - told.first;
    keep(t, first, &told);
}

replay_status replay_comparer_tell(replay_comparer *c, const uint32_t *order,
                                   replay_telling *telling, replay_error *error)
{
    replay_status status = run_logged(c, 0, c->program_order, error);
    status = status == REPLAY_OK ? run_logged(c, 1, order, error) : status;
    if (status != REPLAY_OK) {
        return status;
    }
    const replay_seen *seen = c->logs[0].seen;
    uint32_t first = telling->count;
    for (uint32_t i = 0; i < c->logs[0].seen_count; i++) {
        if (i % 64 == 0 && replay_stopped(c->p)) {
            return replay_fail_stopped(error);
        }
        if (i > 0 && seen[i].reader != seen[i - 1].reader) {
            first = telling->count;
        }
        tell_cell(c, i, first, telling);
    }
    return telling->failed ? replay_fail_memory(error) : REPLAY_OK;
}

void replay_telling_free(replay_telling *t)
{
    free(t->items);
    free(t->pool);
    *t = (replay_telling){0};
}

/* --- One comparison --- */

/* All in one block. */
static replay_difference *pack(const replay_telling *t)
{
    replay_difference *block =
        malloc(t->count * sizeof *block + t->pool_count * sizeof *t->pool + 1);
    uint32_t *pool = block == NULL ? NULL : (uint32_t *)(block + t->count);
    if (pool != NULL && t->pool_count > 0) {
        memcpy(pool, t->pool, t->pool_count * sizeof *pool);
    }
    for (uint32_t i = 0; block != NULL && i < t->count; i++) {
        block[i] = t->items[i].difference;
        block[i].without =
            block[i].without_count == 0 ? NULL : pool + t->items[i].first;
    }
    return block;
}

replay_status replay_compare(replay_difference **differences, uint32_t *count,
                             const replay_program *program,
                             const uint32_t *order,
                             const replay_variant *variant, replay_error *error)
{
    replay_comparer c;
    replay_telling t = {0};
    *error = (replay_error){.task = -1};
    *differences = NULL;
    *count = 0;
    replay_status status = replay_comparer_start(&c, program, variant, error);
    bool differs = status == REPLAY_OK && replay_comparer_run(&c, order) > 0;
    if (status == REPLAY_OK && replay_stopped(program)) {
        status = replay_fail_stopped(error);
    }
    if (status == REPLAY_OK && differs) {
        status = replay_comparer_tell(&c, order, &t, error);
    }
    if (status == REPLAY_OK && t.count > 0) {
        *differences = pack(&t);
        *count = *differences == NULL ? 0 : t.count;
        status = *differences == NULL ? replay_fail_memory(error) : status;
    }
    replay_telling_free(&t);
    replay_comparer_end(&c);
    return status;
}
