#include "scene_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

static void work_free(scene_work *work)
{
    free(work->extents);
    free(work->cell_begin);
    free(work->cell_end);
    free(work->buffers);
    free(work->storage);
    free(work->tasks);
    free(work->accesses);
    free(work->named);
    free(work->bytes);
    scene_words_free(&work->pieces);
    scene_words_free(&work->tensors);
    scene_words_free(&work->table);
}

static replay_status work_make(scene_work *work)
{
    size_t buffers = (size_t)work->d->buffer_count + 1;
    size_t tasks = (size_t)work->program->task_count + 1;
    work->extents = calloc(buffers, sizeof *work->extents);
    work->buffers = calloc(buffers, sizeof *work->buffers);
    work->storage = calloc(buffers, sizeof *work->storage);
    work->tasks = calloc(tasks, sizeof *work->tasks);
    return work->extents == NULL || work->buffers == NULL ||
                   work->storage == NULL || work->tasks == NULL
               ? replay_fail_memory(work->error)
               : REPLAY_OK;
}

/* What a scene does not do. */
static replay_status check(scene_work *work)
{
    const oracle_document *d = work->d;
    if (work->program->task_count == 0) {
        return replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                           "there is no task that could be run");
    }
    for (uint32_t i = 0; i < d->host_access_count; i++) {
        if (d->host_accesses[i].mode != ORACLE_READ) {
            return replay_fail(work->error, REPLAY_UNSUPPORTED, -1,
                               "the orchestration writes the buffer %.100s "
                               "itself, which a scene does not do",
                               d->buffers[d->host_accesses[i].buffer].key.data);
        }
    }
    return REPLAY_OK;
}

/* --- expected.bin --- */

static void put_word(unsigned char *at, uint64_t word)
{
    for (int i = 0; i < 8; i++) {
        at[i] = (unsigned char)(word >> 8 * i);
    }
}

static uint64_t get_word(const unsigned char *at)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        word |= (uint64_t)at[i] << 8 * i;
    }
    return word;
}

static replay_status keep_expected(scene_work *work)
{
    replay_scene *scene = work->scene;
    uint32_t tasks = work->program->task_count;
    size_t length = 16 * (size_t)tasks;
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        length += s->external ? (size_t)s->bytes : 0;
    }
    unsigned char *at = malloc(length + 1);
    if (at == NULL) {
        return replay_fail_memory(work->error);
    }
    scene->expected = at;
    scene->expected_length = length;
    for (uint32_t i = 0; i < tasks; i++, at += 16) {
        put_word(at, work->tasks[i].runs);
        put_word(at + 8, work->tasks[i].runs ? work->tasks[i].hash : 0);
    }
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        if (s->external) {
            memcpy(at, work->bytes + s->own, (size_t)s->bytes);
            at += s->bytes;
        }
    }
    return REPLAY_OK;
}

/* Which buffers expected.bin ends with, for the comparison. */
static replay_status keep_buffers(scene_work *work)
{
    replay_scene *scene = work->scene;
    scene->buffers =
        calloc((size_t)work->storage_count + 1, sizeof *scene->buffers);
    if (scene->buffers == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const scene_storage *s = &work->storage[i];
        if (s->external) {
            scene->buffers[scene->buffer_count++] =
                (replay_scene_buffer){s->buffer, s->bytes};
        }
    }
    return REPLAY_OK;
}

/* What the tasks of a record are. */
static replay_status keep_rows(scene_work *work)
{
    replay_scene *scene = work->scene;
    const int64_t *table = work->table.data;
    size_t rows = (size_t)work->row_count + 1;
    scene->row_count = work->row_count;
    scene->row_tasks = calloc(rows, sizeof *scene->row_tasks);
    scene->row_flags = calloc(rows, sizeof *scene->row_flags);
    if (scene->row_tasks == NULL || scene->row_flags == NULL) {
        return replay_fail_memory(work->error);
    }
    for (uint32_t i = 0; i < work->row_count; i++) {
        const int64_t *row = table + table[table[SCENE_HEAD_ROWS] + i];
        bool joins = row[SCENE_ROW_TASK] < 0;
        scene->row_tasks[i] =
            joins ? REPLAY_NONE : (uint32_t)row[SCENE_ROW_TASK];
        scene->row_flags[i] =
            (uint8_t)(row[SCENE_ROW_FLAGS] &
                      (SCENE_ONLY_MANUAL | SCENE_ONLY_AUTOMATIC));
    }
    return REPLAY_OK;
}

static replay_status make(scene_work *work)
{
    static replay_status (*const steps[])(scene_work *) = {
        check,           work_make,     scene_places, scene_tensors,
        scene_accesses,  scene_run,     scene_table,  scene_score,
        scene_schedules, keep_expected, keep_buffers, keep_rows,
    };
    replay_status status = REPLAY_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        status = status == REPLAY_OK ? steps[i](work) : status;
    }
    return status;
}

replay_status replay_scene_make(replay_scene *scene,
                                const replay_program *program,
                                const replay_scene_options *options,
                                replay_error *error)
{
    static const replay_scene_options plain = {0};
    scene_work work = {.program = program,
                       .d = program->document,
                       .options = options == NULL ? &plain : options,
                       .scene = scene,
                       .error = error};
    *scene = (replay_scene){.program = program, .automatic = true};
    *error = (replay_error){.task = -1};
    replay_status status = make(&work);
    work_free(&work);
    if (status != REPLAY_OK) {
        replay_scene_free(scene);
    }
    return status;
}

void replay_scene_free(replay_scene *scene)
{
    free(scene->score);
    free(scene->schedules);
    free(scene->expected);
    free(scene->buffers);
    free(scene->row_tasks);
    free(scene->row_flags);
    *scene = (replay_scene){0};
}

bool replay_scene_case(replay_scene_line *line, const replay_scene *scene,
                       uint32_t index)
{
    const char *at = strchr(scene->schedules, '\n'); /* behind the comment */
    for (; at != NULL && index > 0; index--) {
        at = strchr(at + 1, '\n');
    }
    if (at == NULL || at[1] == '\0') {
        return false;
    }
    size_t length = strcspn(++at, "\n"), name = strcspn(at, " "), words = 0;
    for (size_t i = name; i < length; i++) {
        words += at[i] == ' ';
    }
    *line = (replay_scene_line){.automatic = at[name + 1] == '1',
                                .held = (uint32_t)(words / 3)};
    snprintf(line->name, sizeof line->name, "%.*s", (int)name, at);
    return true;
}

/* --- What a run left behind --- */

static void compare_tasks(replay_scene_outcome *outcome,
                          const replay_scene *scene, const unsigned char *bytes)
{
    uint32_t tasks = scene->program->task_count;
    for (uint32_t i = 0; i < tasks; i++) {
        const unsigned char *got = bytes + 16 * (size_t)i;
        const unsigned char *want = scene->expected + 16 * (size_t)i;
        if (memcmp(got, want, 16) == 0) {
            continue;
        }
        if (outcome->tasks++ == 0) {
            outcome->task = i;
            outcome->runs = (int64_t)get_word(got);
            outcome->expected_runs = (int64_t)get_word(want);
            outcome->hash = get_word(got + 8);
            outcome->expected_hash = get_word(want + 8);
        }
    }
}

static void compare_buffers(replay_scene_outcome *outcome,
                            const replay_scene *scene,
                            const unsigned char *bytes)
{
    size_t at = 16 * (size_t)scene->program->task_count;
    for (uint32_t i = 0; i < scene->buffer_count; i++) {
        size_t size = (size_t)scene->buffers[i].bytes;
        const unsigned char *got = bytes + at, *want = scene->expected + at;
        at += size;
        if (memcmp(got, want, size) == 0 || outcome->buffers++ > 0) {
            continue;
        }
        size_t first = 0, end = size;
        while (got[first] == want[first]) {
            first++;
        }
        while (got[end - 1] == want[end - 1]) {
            end--;
        }
        outcome->buffer = scene->buffers[i].buffer;
        outcome->begin = (int64_t)first;
        outcome->end = (int64_t)end;
    }
}

replay_status replay_scene_compare(replay_scene_outcome *outcome,
                                   const replay_scene *scene,
                                   const unsigned char *bytes, size_t length,
                                   replay_error *error)
{
    *outcome =
        (replay_scene_outcome){.task = REPLAY_NONE, .buffer = REPLAY_NONE};
    if (length != scene->expected_length) {
        return replay_fail(error, REPLAY_RANGE, -1,
                           "the run left %zu bytes behind instead of %zu",
                           length, scene->expected_length);
    }
    compare_tasks(outcome, scene, bytes);
    compare_buffers(outcome, scene, bytes);
    return REPLAY_OK;
}
