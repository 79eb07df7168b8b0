/* The table of a scene: rows that the orchestration submits in this order. */
#include "scene_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "fault.h"

void scene_words_add(scene_words *words, int64_t word)
{
    if (words->count == words->room && !words->failed) {
        size_t room = words->room == 0 ? 256 : words->room * 2;
        int64_t *data = room > SIZE_MAX / 16
                            ? NULL
                            : realloc(words->data, room * sizeof *data);
        words->failed = data == NULL;
        if (data != NULL) {
            words->data = data;
            words->room = room;
        }
    }
    if (!words->failed) {
        words->data[words->count++] = word;
    }
}

void scene_words_free(scene_words *words)
{
    free(words->data);
    *words = (scene_words){0};
}

replay_status scene_refuse(scene_work *work, uint32_t index, const char *why)
{
    int64_t id = work->program->tasks[index].id;
    return replay_fail(work->error, REPLAY_UNSUPPORTED, id, "task %lld: %s",
                       (long long)id, why);
}

void scene_only_manual(scene_work *work, uint32_t index, const char *why)
{
    replay_scene *scene = work->scene;
    if (scene->automatic) {
        scene->automatic = false;
        snprintf(scene->why_manual, sizeof scene->why_manual, "task %lld: %s",
                 (long long)work->program->tasks[index].id, why);
    }
}

/* --- Edges that the program names --- */

uint32_t scene_edge(const scene_work *work, uint32_t from, uint32_t to)
{
    const replay_program *p = work->program;
    uint32_t low = p->tasks[to].first_before;
    uint32_t end = low + p->tasks[to].befores, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->before[middle] < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < end && p->before[low] == from ? low : REPLAY_NONE;
}

static void name_edge(scene_work *work, uint32_t from, uint32_t to)
{
    uint32_t edge = scene_edge(work, from, to);
    if (edge != REPLAY_NONE) {
        work->named[edge] = true;
    }
}

static replay_status name_edges(scene_work *work)
{
    const oracle_document *d = work->d;
    work->named = calloc((size_t)work->program->edge_count + 1, 1);
    if (work->named == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            const oracle_dep *dep = &d->deps[d->tasks[t].first_dep + i];
            if (dep->task != ORACLE_NONE) {
                name_edge(work, dep->task, t);
            }
        }
    }
    for (uint32_t i = 0; i < d->edge_count; i++) {
        if (d->edges[i].source == ORACLE_EXPLICIT) {
            name_edge(work, d->edges[i].from, d->edges[i].to);
        }
    }
    return REPLAY_OK;
}

/* --- Rows --- */

/* A row that is being made; its words go to the table, what they point at
 * behind all rows of the task. */
typedef struct row {
    int64_t word[SCENE_ROW];
} row;

static replay_status check_blocks(scene_work *work, uint32_t index)
{
    const replay_task *t = &work->program->tasks[index];
    int64_t lanes = t->core == REPLAY_MIX ? 3 : 1;
    int64_t cores = t->core == REPLAY_AIV ? 2 * SCENE_CLUSTERS : SCENE_CLUSTERS;
    if (t->blocks > SCENE_LANES / lanes) {
        return scene_refuse(work, index,
                            "the runtime has at most 32,767 blocks and lanes");
    }
    if (t->sync_start && t->core != REPLAY_DUMMY && t->blocks > cores) {
        return scene_refuse(work, index,
                            "it starts more blocks together than the simulator "
                            "has cores");
    }
    return REPLAY_OK;
}

/* Where the list of rows begins, as a word of the table. */
static int64_t add_rows(scene_work *work, const uint32_t *rows, uint32_t count)
{
    int64_t at = (int64_t)work->table.count;
    for (uint32_t i = 0; i < count; i++) {
        scene_words_add(&work->table, rows[i]);
    }
    return at;
}

/* Puts the words of a row at the end of the table; rows[] of the head gets
 * where. */
static void add_row(scene_work *work, scene_words *places, const row *r)
{
    scene_words_add(places, (int64_t)work->table.count);
    for (int i = 0; i < SCENE_ROW; i++) {
        scene_words_add(&work->table, r->word[i]);
    }
    work->row_count++;
}

/* Predecessors of a row in the mode that the flags name, or in both. */
static void set_deps(row *r, int64_t at, uint32_t count, int flags)
{
    if (flags != SCENE_ONLY_AUTOMATIC) {
        r->word[SCENE_ROW_MANUAL_DEPS] = at;
        r->word[SCENE_ROW_MANUAL_COUNT] = count;
    }
    if (flags != SCENE_ONLY_MANUAL) {
        r->word[SCENE_ROW_AUTOMATIC_DEPS] = at;
        r->word[SCENE_ROW_AUTOMATIC_COUNT] = count;
    }
}

/*
 * Joins predecessors by dummies, 128 each, until there are at most so many.
 * `list` has rows; it is changed in place.
 */
static uint32_t join(scene_work *work, scene_words *places, uint32_t *list,
                     uint32_t count, uint32_t most, int flags)
{
    while (count > most) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i += SCENE_FAN_IN) {
            uint32_t part = count - i < SCENE_FAN_IN ? count - i : SCENE_FAN_IN;
            row r = {{0}};
            r.word[SCENE_ROW_TASK] = -1;
            r.word[SCENE_ROW_CORE] = REPLAY_DUMMY;
            r.word[SCENE_ROW_BLOCKS] = 1;
            r.word[SCENE_ROW_FLAGS] = flags;
            set_deps(&r, add_rows(work, list + i, part), part, flags);
            list[kept++] = work->row_count;
            add_row(work, places, &r);
        }
        count = kept;
    }
    return count;
}

/* Predecessors of a task as rows, joined: all, or those that are named. */
static void add_deps(scene_work *work, scene_words *places, uint32_t *list,
                     row *r, uint32_t index, uint32_t most, int flags)
{
    const replay_program *p = work->program;
    const replay_task *t = &p->tasks[index];
    uint32_t count = 0;
    for (uint32_t i = t->first_before; i < t->first_before + t->befores; i++) {
        if (flags != SCENE_ONLY_AUTOMATIC || work->named[i]) {
            list[count++] = work->tasks[p->before[i]].row;
        }
    }
    count = join(work, places, list, count, most, flags);
    set_deps(r, add_rows(work, list, count), count, flags);
}

/*
 * How many predecessors an automatic case may pass, so that there is room for
 * those that the runtime derives. What it derives of the named ones is one
 * with them as long as they are passed without a dummy.
 */
static uint32_t room(scene_work *work, uint32_t index, uint32_t named)
{
    const scene_task *t = &work->tasks[index];
    uint32_t least = named > 0;
    if (named + t->derived - t->derived_named <= SCENE_FAN_IN) {
        return SCENE_FAN_IN;
    }
    if (t->derived + least <= SCENE_FAN_IN) {
        return SCENE_FAN_IN - t->derived;
    }
    scene_only_manual(work, index,
                      "the runtime derives more predecessors than the 128 that "
                      "it has room for");
    return SCENE_FAN_IN;
}

/* Where the program names all of its edges both modes have the same. */
static void add_both_deps(scene_work *work, scene_words *places, uint32_t *list,
                          row *r, uint32_t index)
{
    const replay_task *t = &work->program->tasks[index];
    uint32_t named = 0;
    for (uint32_t i = t->first_before; i < t->first_before + t->befores; i++) {
        named += work->named[i];
    }
    uint32_t most = room(work, index, named);
    bool same = !work->scene->automatic ||
                (named == t->befores && most == SCENE_FAN_IN);
    add_deps(work, places, list, r, index, SCENE_FAN_IN,
             same ? 0 : SCENE_ONLY_MANUAL);
    if (!same) {
        add_deps(work, places, list, r, index, most, SCENE_ONLY_AUTOMATIC);
    }
}

static void add_scalars(scene_work *work, uint32_t index, row *r)
{
    const oracle_task *t = &work->d->tasks[work->program->tasks[index].source];
    int64_t count = 0;
    r->word[SCENE_ROW_VALUES] = (int64_t)work->table.count;
    for (uint32_t i = 0; i < t->args; i++) {
        const oracle_arg *arg = &work->d->args[t->first_arg + i];
        if (arg->kind == ORACLE_ARG_SCALAR) {
            scene_words_add(&work->table, count++ < SCENE_OWN_SCALARS
                                              ? 0
                                              : (int64_t)scene_scalar(arg));
        }
    }
    for (; count < SCENE_OWN_SCALARS; count++) {
        scene_words_add(&work->table, 0);
    }
    r->word[SCENE_ROW_SCALARS] = count;
    r->word[SCENE_ROW_TOKEN] = (int64_t)work->program->tasks[index].token;
}

static void add_tensors(scene_work *work, const scene_task *task, row *r)
{
    r->word[SCENE_ROW_TENSORS] = (int64_t)work->table.count;
    r->word[SCENE_ROW_TENSOR_COUNT] = task->tensors;
    for (size_t i = 0; i < (size_t)task->tensors * SCENE_TENSOR; i++) {
        int64_t word = work->tensors.data[task->first_tensor + i];
        bool owner = i % SCENE_TENSOR == SCENE_TENSOR_OWNER && word >= 0;
        scene_words_add(&work->table, owner ? work->tasks[word].row : word);
    }
}

static void add_accesses(scene_work *work, const scene_task *task, row *r)
{
    r->word[SCENE_ROW_ACCESSES] = (int64_t)work->table.count;
    r->word[SCENE_ROW_ACCESS_COUNT] = task->accesses;
    for (uint32_t i = 0; i < task->accesses; i++) {
        const scene_access *a = &work->accesses[task->first_access + i];
        scene_words_add(&work->table, a->mode);
        scene_words_add(&work->table, a->storage);
        scene_words_add(&work->table, a->pieces);
        for (size_t w = 0; w < (size_t)a->pieces * SCENE_PIECE; w++) {
            scene_words_add(&work->table, work->pieces.data[a->first + w]);
        }
    }
}

static void add_predicate(scene_work *work, const scene_predicate *p, row *r)
{
    if (p->op == 0) {
        return;
    }
    r->word[SCENE_ROW_PREDICATE] = (int64_t)work->table.count;
    scene_words_add(&work->table, p->storage);
    scene_words_add(&work->table, p->byte);
    scene_words_add(&work->table, p->size);
    scene_words_add(&work->table, p->op);
    scene_words_add(&work->table, p->value);
}

static int64_t flags_of(const oracle_document *d, const oracle_task *t)
{
    bool manual = t->scope != ORACLE_NONE && d->scopes[t->scope].in_manual;
    return (t->sync_start ? SCENE_SYNC_START : 0) |
           (t->early ? SCENE_EARLY : 0) | (manual ? SCENE_MANUAL_SCOPE : 0);
}

static replay_status add_task(scene_work *work, scene_words *places,
                              uint32_t *list, uint32_t index)
{
    const replay_task *t = &work->program->tasks[index];
    scene_task *task = &work->tasks[index];
    row r = {{0}};
    replay_status status = check_blocks(work, index);
    if (status != REPLAY_OK) {
        return status;
    }
    r.word[SCENE_ROW_TASK] = index;
    r.word[SCENE_ROW_CORE] = t->core;
    r.word[SCENE_ROW_BLOCKS] = t->blocks;
    r.word[SCENE_ROW_FLAGS] = flags_of(work->d, &work->d->tasks[t->source]);
    add_both_deps(work, places, list, &r, index);
    add_scalars(work, index, &r);
    add_tensors(work, task, &r);
    add_accesses(work, task, &r);
    add_predicate(work, &task->predicate, &r);
    task->row = work->row_count;
    task->at = work->table.count;
    add_row(work, places, &r);
    return REPLAY_OK;
}

/* --- Limits of the whole --- */

/* All tasks are there before the first starts, so those that wait for nothing
 * are ready together. */
static replay_status check_ready(scene_work *work)
{
    uint32_t ready[REPLAY_DUMMY + 1] = {0};
    for (uint32_t i = 0; i < work->program->task_count; i++) {
        const replay_task *t = &work->program->tasks[i];
        if (t->befores == 0 && ++ready[t->core] > SCENE_READY) {
            return scene_refuse(
                work, i,
                "it is one of more than 8,192 that are ready at "
                "once, which the runtime has no room for");
        }
    }
    return REPLAY_OK;
}

static replay_status finish_head(scene_work *work, const scene_words *places)
{
    int64_t *head = work->table.data;
    int64_t window = SCENE_WINDOW;
    int64_t marks = 1 + (2 + SCENE_TURNS) * (int64_t)work->program->task_count;
    while (window <= work->row_count && window < SCENE_MAX_WINDOW) {
        window *= 2;
    }
    if (window <= work->row_count) {
        return replay_fail(work->error, REPLAY_RANGE, -1,
                           "the program has more tasks than a scene (%d)",
                           SCENE_MAX_WINDOW - 1);
    }
    head[SCENE_HEAD_ROW_COUNT] = work->row_count;
    head[SCENE_HEAD_ROWS] = (int64_t)(work->table.count - places->count);
    head[SCENE_HEAD_MARKS] = (int64_t)work->table.count;
    head[SCENE_HEAD_MEMORY] = head[SCENE_HEAD_MARKS] + marks;
    head[SCENE_HEAD_WORDS] = head[SCENE_HEAD_MEMORY] + (work->memory + 7) / 8;
    head[SCENE_HEAD_WINDOW] = window > SCENE_WINDOW ? window : 0;
    if (head[SCENE_HEAD_WORDS] > INT32_MAX) {
        return replay_fail(work->error, REPLAY_RANGE, -1,
                           "the table and the memory of the scene are beyond "
                           "2^31 words");
    }
    return check_ready(work);
}

static void start_head(scene_work *work)
{
    scene_words *table = &work->table;
    uint32_t patience = work->options->patience;
    for (int i = 0; i < SCENE_HEAD; i++) {
        scene_words_add(table, 0);
    }
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        scene_words_add(table, s->place);
        scene_words_add(table, s->bytes);
        scene_words_add(table, s->init);
        scene_words_add(table, s->external);
        scene_words_add(table, s->view);
        scene_words_add(table, s->view_bytes);
    }
    size_t waits = table->count;
    for (uint32_t i = 0; i < 2 * work->program->task_count; i++) {
        scene_words_add(table, 0);
    }
    if (!table->failed) {
        table->data[SCENE_HEAD_TASKS] = work->program->task_count;
        table->data[SCENE_HEAD_STORAGES] = SCENE_HEAD;
        table->data[SCENE_HEAD_WAITS] = (int64_t)waits;
        table->data[SCENE_HEAD_PATIENCE] = patience > 0 ? patience : 200000;
    }
}

/* In the legal order, which is program order but where edges stand against it;
 * then the runtime cannot derive any. */
static replay_status add_tasks(scene_work *work, scene_words *places,
                               uint32_t *list)
{
    const replay_program *p = work->program;
    replay_status status = REPLAY_OK;
    for (uint32_t i = 0; i < p->task_count && status == REPLAY_OK; i++) {
        if (p->legal[i] != i) {
            scene_only_manual(work, p->legal[i],
                              "an edge leads against program order, in which "
                              "the runtime derives its own");
        }
        status = add_task(work, places, list, p->legal[i]);
    }
    return status;
}

replay_status scene_table(scene_work *work)
{
    scene_words places = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < work->program->task_count; i++) {
        const replay_task *t = &work->program->tasks[i];
        most = t->befores > most ? t->befores : most;
    }
    uint32_t *list = malloc(((size_t)most + 1) * sizeof *list);
    if (list == NULL) {
        return replay_fail_memory(work->error);
    }
    replay_status status = name_edges(work);
    if (status == REPLAY_OK) {
        status = scene_derived(work);
    }
    if (status == REPLAY_OK) {
        start_head(work);
        status = add_tasks(work, &places, list);
    }
    for (size_t i = 0; i < places.count; i++) {
        scene_words_add(&work->table, places.data[i]);
    }
    if (status == REPLAY_OK) {
        status = work->table.failed || places.failed
                     ? replay_fail_memory(work->error)
                     : finish_head(work, &places);
    }
    scene_words_free(&places);
    free(list);
    return status;
}
