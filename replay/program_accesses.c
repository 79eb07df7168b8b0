/* Tasks and what they access, in rows of bytes. */
#include "program_work.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Symbols of blocks and lanes that one region may name. */
#define MOST_INDEXES 4

typedef struct indexes {
    uint32_t symbol[MOST_INDEXES];
    uint32_t count;
    bool unknown; /* how many there are is not known, or too much */
} indexes;

/* --- Blocks --- */

static bool is_lane(const oracle_symbol *symbol)
{
    return strcmp(symbol->name.data, "lane") == 0;
}

static void find_in(indexes *found, const oracle_document *d,
                    oracle_affine number)
{
    for (uint32_t i = 0; i < number.count; i++) {
        uint32_t symbol = d->terms[number.first + i].symbol, at = 0;
        if (!d->symbols[symbol].block) {
            continue;
        }
        while (at < found->count && found->symbol[at] != symbol) {
            at++;
        }
        if (at == MOST_INDEXES || !d->symbols[symbol].has_max) {
            found->unknown = true;
        } else if (at == found->count) {
            found->symbol[found->count++] = symbol;
        }
    }
}

static indexes find_indexes(const oracle_document *d, uint32_t region)
{
    indexes found = {.count = 0};
    if (region == ORACLE_NONE) {
        return found;
    }
    const oracle_region *r = &d->regions[region];
    find_in(&found, d, r->base);
    for (uint32_t i = 0; i < r->count; i++) {
        find_in(&found, d, d->dims[r->first + i].count);
        find_in(&found, d, d->dims[r->first + i].offset);
    }
    return found;
}

/* The next values of all indexes; false: they were the last. */
static bool next_part(replay_maker *maker, const indexes *of)
{
    for (uint32_t i = 0; i < of->count; i++) {
        uint32_t symbol = of->symbol[i];
        if (maker->values[symbol] < maker->d->symbols[symbol].max) {
            maker->values[symbol]++;
            return true;
        }
        maker->values[symbol] = 0;
    }
    return false;
}

static uint32_t number_part(const replay_maker *maker, const indexes *of)
{
    uint64_t block = 0, lane = 0, lanes = 1;
    for (uint32_t i = 0; i < of->count; i++) {
        const oracle_symbol *symbol = &maker->d->symbols[of->symbol[i]];
        uint64_t value = (uint64_t)maker->values[of->symbol[i]];
        if (is_lane(symbol)) {
            lane = value;
            lanes = (uint64_t)symbol->max + 1;
        } else {
            block = value;
        }
    }
    return of->count == 0 ? REPLAY_NONE : (uint32_t)(block * lanes + lane);
}

/* --- One access --- */

static replay_status push(replay_maker *maker, replay_access access)
{
    replay_program *p = maker->program;
    if (replay_stopped(p)) {
        return replay_fail_stopped(maker->error);
    }
    replay_access *grown = replay_grow(p->accesses, &maker->access_room,
                                       p->access_count, 1, sizeof *p->accesses);
    if (grown == NULL) {
        return replay_fail_memory(maker->error);
    }
    p->accesses = grown;
    access.count = maker->rows.count - access.first;
    p->accesses[p->access_count++] = access;
    p->bounds = p->bounds || access.force == REPLAY_BOUND;
    return REPLAY_OK;
}

/* The row of a whole buffer; of unknown size it is made when all is known. */
static replay_status push_whole(replay_maker *maker, replay_access access)
{
    const oracle_buffer *buffer = &maker->d->buffers[access.buffer];
    replay_row *rows = replay_grow(maker->rows.rows, &maker->rows.room,
                                   maker->rows.count, 1, sizeof *rows);
    if (rows == NULL || maker->rows.count >= REPLAY_MOST_ROWS) {
        return replay_fail_memory(maker->error);
    }
    maker->rows.rows = rows;
    access.first = maker->rows.count;
    if (buffer->has_bytes && buffer->bytes > 0) {
        rows[maker->rows.count++] = (replay_row){
            buffer->storage_at, buffer->storage_at + buffer->bytes};
    } else if (!buffer->has_bytes) {
        uint32_t *wholes = replay_grow(maker->wholes, &maker->whole_room,
                                       maker->whole_count, 1, sizeof *wholes);
        if (wholes == NULL) {
            return replay_fail_memory(maker->error);
        }
        maker->wholes = wholes;
        maker->wholes[maker->whole_count++] = maker->program->access_count;
        rows[maker->rows.count++] = (replay_row){0, 0};
    }
    return push(maker, access);
}

/* Whether there is room for an access of each part: known before one is made,
 * as there may be 2^63 of them. */
static bool has_room(const replay_maker *maker, const indexes *of)
{
    uint64_t left = maker->program->access_count < REPLAY_MOST_ROWS
                        ? REPLAY_MOST_ROWS - maker->program->access_count
                        : 0;
    for (uint32_t i = 0; i < of->count; i++) {
        left /= (uint64_t)maker->d->symbols[of->symbol[i]].max + 1;
    }
    return left > 0;
}

/* One access for every block that the region tells apart. */
static replay_status add_access(replay_maker *maker, replay_access access,
                                uint32_t region, uint32_t view)
{
    indexes of = find_indexes(maker->d, region);
    if (of.unknown) {
        access.force = REPLAY_BOUND;
        region = view;
        of = find_indexes(maker->d, view);
        region = of.unknown ? ORACLE_NONE : region;
        of.count = of.unknown ? 0 : of.count;
    }
    if (region == ORACLE_NONE) {
        access.part = REPLAY_NONE;
        return push_whole(maker, access);
    }
    if (!has_room(maker, &of)) {
        return replay_fail(maker->error, REPLAY_RANGE, -1,
                           "the blocks of tasks up to one with %.200s make "
                           "more than 16,777,216 accesses",
                           maker->d->buffers[access.buffer].key.data);
    }
    for (uint32_t i = 0; i < of.count; i++) {
        maker->values[of.symbol[i]] = 0;
    }
    replay_status status;
    do {
        access.first = maker->rows.count;
        access.part = number_part(maker, &of);
        status = replay_rows_add(maker, access.buffer, region);
        status = status == REPLAY_OK ? push(maker, access) : status;
    } while (status == REPLAY_OK && next_part(maker, &of));
    return status;
}

/* --- Arguments and tasks --- */

/* The reads of an argument, or its writes. */
static replay_status add_arg(replay_maker *maker, replay_task *task, uint32_t a,
                             bool writes)
{
    const oracle_document *d = maker->d;
    const oracle_arg *arg = &d->args[d->tasks[task->source].first_arg + a];
    replay_access access = {.arg = a,
                            .source = REPLAY_NONE,
                            .buffer = arg->buffer,
                            .mode = writes ? REPLAY_WRITE : REPLAY_READ,
                            .force = REPLAY_BOUND};
    if (arg->kind != ORACLE_ARG_BUFFER || arg->buffer == ORACLE_NONE) {
        return REPLAY_OK;
    }
    if (!arg->has_access) {
        return add_access(maker, access, arg->view, arg->view);
    }
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; status == REPLAY_OK && i < arg->accesses; i++) {
        const oracle_access *from = &d->accesses[arg->first_access + i];
        bool reads =
            from->mode == ORACLE_READ || from->mode == ORACLE_READ_WRITE;
        if (writes ? from->mode == ORACLE_READ : !reads) {
            continue;
        }
        access.source = arg->first_access + i;
        access.mode = !writes                           ? REPLAY_READ
                      : from->mode == ORACLE_ACCUMULATE ? REPLAY_ACCUMULATE
                                                        : REPLAY_WRITE;
        access.force = !from->exact                      ? REPLAY_BOUND
                       : from->must && !task->predicated ? REPLAY_MUST
                                                         : REPLAY_MAY;
        status = add_access(
            maker, access,
            from->region == ORACLE_NONE ? arg->view : from->region, arg->view);
    }
    return status;
}

static replay_status add_args(replay_maker *maker, replay_task *task)
{
    const oracle_task *from = &maker->d->tasks[task->source];
    replay_status status = REPLAY_OK;
    for (uint32_t pass = 0; status == REPLAY_OK && pass < 2; pass++) {
        for (uint32_t a = 0; status == REPLAY_OK && a < from->args; a++) {
            status = add_arg(maker, task, a, pass == 1);
        }
        if (pass == 0) {
            task->reads = maker->program->access_count - task->first_access;
        }
    }
    return status;
}

static void count_bytes(const replay_maker *maker, replay_task *task)
{
    const replay_program *p = maker->program;
    for (uint32_t i = 0; i < task->accesses; i++) {
        const replay_access *access = &p->accesses[task->first_access + i];
        for (uint32_t k = 0; k < access->count; k++) {
            replay_row row = maker->rows.rows[access->first + k];
            uint64_t bytes = (uint64_t)row.end - (uint64_t)row.begin;
            if (__builtin_add_overflow(task->bytes, bytes, &task->bytes)) {
                task->bytes = UINT64_MAX;
            }
        }
    }
}

static uint64_t token_of(const oracle_document *d, const oracle_task *task)
{
    uint64_t token = replay_mix((uint64_t)task->id + 1);
    for (uint32_t a = 0; a < task->args; a++) {
        oracle_text text = d->args[task->first_arg + a].scalar;
        for (uint32_t i = 0; i < text.length; i++) {
            token = replay_mix2(token, (uint64_t)(unsigned char)text.data[i]);
        }
        token = text.length == 0 ? token : replay_mix2(token, a);
    }
    return token;
}

static uint8_t core_of(const oracle_task *task)
{
    const char *core = task->core.data;
    bool mix = strcasecmp(core, "mix") == 0 || strcasecmp(core, "mixed") == 0;
    return task->dummy                    ? REPLAY_DUMMY
           : strcasecmp(core, "aic") == 0 ? REPLAY_AIC
           : mix                          ? REPLAY_MIX
                                          : REPLAY_AIV;
}

static replay_status add_task(replay_maker *maker, uint32_t t)
{
    const oracle_task *from = &maker->d->tasks[t];
    replay_task *task = &maker->program->tasks[t];
    *task = (replay_task){.id = from->id,
                          .source = t,
                          .first_access = maker->program->access_count,
                          .blocks = from->blocks < 1 ? 1 : from->blocks,
                          .token = token_of(maker->d, from),
                          .core = core_of(from),
                          .sync_start = from->sync_start,
                          .predicated = from->has_predicate};
    replay_status status = REPLAY_OK;
    if (from->has_predicate && from->predicate_buffer != ORACLE_NONE) {
        replay_access operand = {
            .arg = REPLAY_NONE,
            .source = REPLAY_NONE,
            .buffer = from->predicate_buffer,
            .mode = REPLAY_READ,
            .force = from->predicate_formed ? REPLAY_MUST : REPLAY_BOUND};
        status =
            add_access(maker, operand, from->predicate_region, ORACLE_NONE);
    }
    status = status == REPLAY_OK ? add_args(maker, task) : status;
    if (status != REPLAY_OK) {
        maker->error->task = from->id;
        return status;
    }
    task->accesses = maker->program->access_count - task->first_access;
    return status;
}

/* --- The host --- */

static replay_status add_host(replay_maker *maker, replay_host *host,
                              const oracle_host_access *from)
{
    host->first_access = maker->program->access_count;
    host->line = from->line;
    replay_status status = REPLAY_OK;
    for (uint32_t writes = 0; status == REPLAY_OK && writes < 2; writes++) {
        bool reads =
            from->mode == ORACLE_READ || from->mode == ORACLE_READ_WRITE;
        if (writes == 1 ? from->mode == ORACLE_READ : !reads) {
            continue;
        }
        replay_access access = {.arg = REPLAY_NONE,
                                .source = REPLAY_NONE,
                                .buffer = from->buffer,
                                .mode = writes == 0 ? REPLAY_READ
                                        : from->mode == ORACLE_ACCUMULATE
                                            ? REPLAY_ACCUMULATE
                                            : REPLAY_WRITE,
                                .force = REPLAY_MUST};
        status = add_access(maker, access, from->region, ORACLE_NONE);
    }
    host->accesses = maker->program->access_count - host->first_access;
    return status;
}

typedef struct id_of {
    int64_t id;
    uint32_t index;
} id_of;

static int by_id(const void *a, const void *b)
{
    const id_of *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_place(const void *a, const void *b)
{
    const replay_host *x = a, *y = b;
    return x->before != y->before
               ? (x->before > y->before ? 1 : -1)
               : (x->source > y->source) - (x->source < y->source);
}

/* Where each host access stands, in program order. */
static bool place_host(replay_maker *maker)
{
    const oracle_document *d = maker->d;
    replay_program *p = maker->program;
    id_of *ids = malloc(((size_t)d->task_count + 1) * sizeof *ids);
    for (uint32_t t = 0; ids != NULL && t < d->task_count; t++) {
        ids[t] = (id_of){d->tasks[t].id, t};
    }
    if (ids != NULL) {
        qsort(ids, d->task_count, sizeof *ids, by_id);
    }
    for (uint32_t i = 0; ids != NULL && i < p->host_count; i++) {
        id_of key = {d->host_accesses[i].after, 0};
        const id_of *found =
            bsearch(&key, ids, d->task_count, sizeof *ids, by_id);
        p->host[i] = (replay_host){
            .source = i, .before = found == NULL ? 0 : found->index + 1};
    }
    free(ids);
    qsort(p->host, p->host_count, sizeof *p->host, by_place);
    return ids != NULL;
}

static replay_status add_hosts(replay_maker *maker)
{
    replay_program *p = maker->program;
    p->host_count = maker->d->host_access_count;
    p->host = replay_arena_array(p->arena, p->host_count, sizeof *p->host);
    if (p->host == NULL || (p->host_count > 0 && !place_host(maker))) {
        return replay_fail_memory(maker->error);
    }
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; status == REPLAY_OK && i < p->host_count; i++) {
        status = add_host(maker, &p->host[i],
                          &maker->d->host_accesses[p->host[i].source]);
    }
    return status;
}

/* Whether a task writes in parts, or twice to one storage. */
static bool acts_inside(const replay_maker *maker, const replay_task *task)
{
    const replay_program *p = maker->program;
    const oracle_buffer *buffers = maker->d->buffers;
    for (uint32_t i = task->reads; i < task->accesses; i++) {
        const replay_access *x = &p->accesses[task->first_access + i];
        bool again = i > task->reads && buffers[x->buffer].storage ==
                                            buffers[x[-1].buffer].storage;
        if (x->part != REPLAY_NONE || again) {
            return true;
        }
    }
    return false;
}

replay_status replay_accesses_make(replay_maker *maker)
{
    replay_program *p = maker->program;
    p->task_count = maker->d->task_count;
    p->tasks = replay_arena_array(p->arena, p->task_count, sizeof *p->tasks);
    if (p->tasks == NULL) {
        return replay_fail_memory(maker->error);
    }
    replay_status status = REPLAY_OK;
    for (uint32_t t = 0; status == REPLAY_OK && t < p->task_count; t++) {
        status = add_task(maker, t);
        p->inside = p->inside || acts_inside(maker, &p->tasks[t]);
    }
    return status == REPLAY_OK ? add_hosts(maker) : status;
}

void replay_bytes_count(const replay_maker *maker)
{
    for (uint32_t t = 0; t < maker->program->task_count; t++) {
        count_bytes(maker, &maker->program->tasks[t]);
    }
}
