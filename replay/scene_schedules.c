/* The cases of a scene: the two modes, and directed delays. */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"

typedef struct marks {
    bool *marked; /* of the tasks */
    uint32_t *queue;
} marks;

/* Marks a task and its ancestors, or its descendants. */
static void mark(marks *m, const replay_program *p, uint32_t task, bool back)
{
    uint32_t head = 0, tail = 0;
    memset(m->marked, 0, p->task_count);
    m->marked[task] = true;
    m->queue[tail++] = task;
    while (head < tail) {
        const replay_task *t = &p->tasks[m->queue[head++]];
        uint32_t count = back ? t->befores : t->afters;
        uint32_t first = back ? t->first_before : t->first_after;
        for (uint32_t i = first; i < first + count; i++) {
            uint32_t next = back ? p->before[i] : p->after[i];
            if (!m->marked[next]) {
                m->marked[next] = true;
                m->queue[tail++] = next;
            }
        }
    }
}

static void add_wait(replay_text *text, uint32_t task, int kind, uint32_t value)
{
    replay_text_format(text, " %u %d %u", task, kind, value);
}

/* Eager: what is no ancestor waits until the task is done. */
static void add_eager(replay_text *text, marks *m, const scene_work *work,
                      uint32_t task)
{
    mark(m, work->program, task, true);
    for (uint32_t t = 0; t < work->program->task_count; t++) {
        if (!m->marked[t] && work->tasks[t].runs) {
            add_wait(text, t, SCENE_WAIT_TASK, task);
        }
    }
}

/* Lazy: the task waits until all that does not descend from it is done. What
 * descends from it by edges that the runtime derives is not known here, so it
 * then waits for all, and gives up in the end. */
static void add_lazy(replay_text *text, marks *m, const scene_work *work,
                     const replay_scene_schedule *s)
{
    uint32_t others = 0;
    mark(m, work->program, s->task, false);
    for (uint32_t t = 0; t < work->program->task_count; t++) {
        bool counts = s->automatic ? t != s->task : !m->marked[t];
        others += counts && work->tasks[t].runs;
    }
    add_wait(text, s->task, SCENE_WAIT_COUNT, others);
}

static replay_status add_schedule(replay_text *text, marks *m, scene_work *work,
                                  const replay_scene_schedule *s)
{
    bool eager = s->schedule == REPLAY_EAGER;
    if (s->task >= work->program->task_count ||
        (!eager && s->schedule != REPLAY_LAZY)) {
        return replay_fail(work->error, REPLAY_RANGE, -1,
                           "a scene has eager and lazy schedules of its tasks");
    }
    if (s->automatic && !work->scene->automatic) {
        return REPLAY_OK;
    }
    replay_text_format(text, "%s_%s_%u %d",
                       s->automatic ? "automatic" : "manual",
                       eager ? "eager" : "lazy", s->task, s->automatic);
    if (!work->tasks[s->task].runs) {
        /* a dummy: nobody can wait for it */
    } else if (eager) {
        add_eager(text, m, work, s->task);
    } else {
        add_lazy(text, m, work, s);
    }
    replay_text_add(text, "\n");
    work->scene->cases++;
    return REPLAY_OK;
}

static replay_status add_cases(replay_text *text, marks *m, scene_work *work)
{
    replay_scene *scene = work->scene;
    replay_status status = REPLAY_OK;
    replay_text_add(text, "# case, mode (0 manual, 1 automatic), then task, "
                          "kind, value of each that waits\nmanual 0\n");
    scene->cases = 1;
    if (scene->automatic) {
        replay_text_add(text, "automatic 1\n");
        scene->cases++;
    }
    for (uint32_t i = 0;
         i < work->options->schedule_count && status == REPLAY_OK; i++) {
        status = add_schedule(text, m, work, &work->options->schedules[i]);
    }
    return status;
}

replay_status scene_schedules(scene_work *work)
{
    replay_text text = {0};
    replay_scene *scene = work->scene;
    size_t tasks = work->program->task_count;
    marks m = {malloc(tasks + 1), malloc((tasks + 1) * sizeof *m.queue)};
    replay_status status = m.marked == NULL || m.queue == NULL
                               ? replay_fail_memory(work->error)
                               : add_cases(&text, &m, work);
    free(m.marked);
    free(m.queue);
    if (status == REPLAY_OK) {
        return replay_text_give(&scene->schedules, &scene->schedules_length,
                                &text, work->error);
    }
    free(text.data);
    return status;
}
