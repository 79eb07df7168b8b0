/* What the tasks of a scene touch: the program's cells as pieces of bytes. */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"

/* Bytes that follow each other, of the document's storage. */
typedef struct row {
    int64_t begin, end;
} row;

static void add_piece(scene_words *pieces, scene_access *a, row r)
{
    scene_words_add(pieces, r.begin);
    scene_words_add(pieces, r.end - r.begin);
    scene_words_add(pieces, 1);
    scene_words_add(pieces, 0);
    a->pieces++;
}

/* A row as far behind the last as that is behind the one before it. */
static void add_row(scene_words *pieces, scene_access *a, row r)
{
    if (a->pieces == 0 || pieces->failed) {
        add_piece(pieces, a, r);
        return;
    }
    int64_t *last = pieces->data + pieces->count - SCENE_PIECE;
    int64_t by = r.begin - last[SCENE_BASE];
    if (r.end - r.begin != last[SCENE_RUN] ||
        (last[SCENE_COUNT] > 1 &&
         by != last[SCENE_COUNT] * last[SCENE_STRIDE])) {
        add_piece(pieces, a, r);
        return;
    }
    last[SCENE_STRIDE] = last[SCENE_COUNT] == 1 ? by : last[SCENE_STRIDE];
    last[SCENE_COUNT]++;
}

static row row_of(const scene_work *work, const replay_access *access,
                  uint32_t cell)
{
    const scene_buffer *b = &work->buffers[access->buffer];
    return (row){work->cell_begin[cell] - b->origin,
                 work->cell_end[cell] - b->origin};
}

/* Rows of the cells; of reads only those that somebody wrote before. */
static void add_rows(scene_work *work, scene_access *a,
                     const replay_access *access)
{
    const replay_program *p = work->program;
    row now = {0, 0};
    bool skipped = false;
    for (uint32_t i = 0; i < access->count; i++) {
        uint32_t k = access->first + i;
        const replay_cells *cells = &p->runs[k];
        bool fresh = a->mode == SCENE_READ && p->fresh != NULL &&
                     (p->fresh[k] & REPLAY_FRESH) != 0;
        skipped = skipped || fresh;
        for (uint32_t c = 0; c < cells->count && !fresh; c++) {
            row next = row_of(work, access, cells->first + c);
            if (next.begin == now.end && now.end > now.begin) {
                now.end = next.end;
                continue;
            }
            if (now.end > now.begin) {
                add_row(&work->pieces, a, now);
            }
            now = next;
        }
    }
    if (now.end > now.begin) {
        add_row(&work->pieces, a, now);
    }
    work->scene->left_out += skipped;
}

static replay_status add_access(scene_work *work, uint32_t index,
                                const replay_access *access)
{
    scene_task *task = &work->tasks[index];
    scene_access *a = &work->accesses[work->access_count];
    if (access->force == REPLAY_BOUND) {
        work->scene->left_out++;
        return REPLAY_OK;
    }
    *a = (scene_access){
        .mode = access->mode == REPLAY_READ    ? SCENE_READ
                : access->mode == REPLAY_WRITE ? SCENE_WRITE
                                               : SCENE_ACCUMULATE,
        .storage = work->buffers[access->buffer].storage,
        .first = work->pieces.count,
    };
    add_rows(work, a, access);
    if (work->pieces.failed) {
        return replay_fail_memory(work->error);
    }
    for (size_t i = a->first; i < work->pieces.count; i += SCENE_PIECE) {
        const int64_t *piece = work->pieces.data + i;
        int64_t last =
            piece[SCENE_BASE] + (piece[SCENE_COUNT] - 1) * piece[SCENE_STRIDE];
        if (piece[SCENE_BASE] < 0 ||
            last > work->storage[a->storage].bytes - piece[SCENE_RUN]) {
            return scene_refuse(work, index,
                                "it touches bytes outside of a buffer");
        }
    }
    if (a->pieces > 0) {
        work->access_count++;
        task->accesses++;
    }
    return REPLAY_OK;
}

/* --- Predicates --- */

static int operator_of(const oracle_task *t)
{
    static const char *const ops[] = {"", "==", "!=", ">", "<", ">=", "<="};
    for (int i = 1; t->predicate_test != NULL && i < 7; i++) {
        if (strcmp(t->predicate_test->op.data, ops[i]) == 0) {
            return i;
        }
    }
    return 0;
}

/* The operand is the first access of its task: one number, or the runtime does
 * not know such a predicate. */
static void add_predicate(scene_work *work, uint32_t index,
                          const replay_access *access)
{
    const replay_program *p = work->program;
    const oracle_task *t = &work->d->tasks[p->tasks[index].source];
    int op = t->predicate_formed ? operator_of(t) : 0;
    row r = {0, 0};
    for (uint32_t i = 0; i < access->count; i++) {
        const replay_cells *cells = &p->runs[access->first + i];
        row first = row_of(work, access, cells->first);
        row last = row_of(work, access, cells->first + cells->count - 1);
        op = i > 0 && first.begin != r.end ? 0 : op;
        r = (row){i == 0 ? first.begin : r.begin, last.end};
    }
    int64_t size = r.end - r.begin;
    if (op != 0 && (size == 1 || size == 2 || size == 4 || size == 8)) {
        work->tasks[index].predicate =
            (scene_predicate){.storage = work->buffers[access->buffer].storage,
                              .byte = r.begin,
                              .size = size,
                              .op = op,
                              .value = t->predicate_test->value};
    }
}

replay_status scene_accesses(scene_work *work)
{
    const replay_program *p = work->program;
    work->accesses =
        calloc((size_t)p->access_count + 1, sizeof *work->accesses);
    if (work->accesses == NULL) {
        return replay_fail_memory(work->error);
    }
    replay_status status = REPLAY_OK;
    for (uint32_t t = 0; t < p->task_count && status == REPLAY_OK; t++) {
        const replay_task *task = &p->tasks[t];
        work->tasks[t].first_access = work->access_count;
        for (uint32_t i = 0; i < task->accesses && status == REPLAY_OK; i++) {
            const replay_access *access = &p->accesses[task->first_access + i];
            if (access->arg == REPLAY_NONE) {
                add_predicate(work, t, access);
            } else {
                status = add_access(work, t, access);
            }
        }
    }
    return status;
}
