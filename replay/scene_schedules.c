/* The cases of a scene: the two modes, and directed delays. */
#include "scene_work.h"

#include <stdlib.h>
#include <string.h>

#include "fault.h"

/* Successors by task, of the edges of the manual mode. */
typedef struct graph {
    uint32_t *first, *after;
    bool *marked;
    uint32_t *queue;
} graph;

static void graph_free(graph *g)
{
    free(g->first);
    free(g->after);
    free(g->marked);
    free(g->queue);
}

static replay_status graph_make(graph *g, scene_work *work)
{
    uint32_t n = work->document->task_count;
    size_t edges = 0;
    *g = (graph){.first = calloc((size_t)n + 2, sizeof *g->first),
                 .after = malloc((work->before_count + 1) * sizeof *g->after),
                 .marked = malloc((size_t)n + 1),
                 .queue = malloc(((size_t)n + 1) * sizeof *g->queue)};
    if (g->first == NULL || g->after == NULL || g->marked == NULL ||
        g->queue == NULL) {
        graph_free(g);
        return replay_fail_memory(work->error);
    }
    for (uint32_t t = 0; t < n; t++) {
        const scene_task *task = &work->tasks[t];
        edges += task->befores;
        for (uint32_t i = 0; i < task->befores; i++) {
            g->first[work->before[task->first_before + i] + 2]++;
        }
    }
    for (uint32_t t = 2; t < n + 2; t++) {
        g->first[t] += g->first[t - 1];
    }
    for (uint32_t t = 0; t < n; t++) {
        const scene_task *task = &work->tasks[t];
        for (uint32_t i = 0; i < task->befores; i++) {
            uint32_t from = work->before[task->first_before + i];
            g->after[g->first[from + 1]++] = t;
        }
    }
    (void)edges;
    return REPLAY_OK;
}

/* Marks a task and its ancestors, or its descendants. */
static void mark(graph *g, const scene_work *work, uint32_t task, bool back)
{
    uint32_t head = 0, tail = 0;
    memset(g->marked, 0, work->document->task_count);
    g->marked[task] = true;
    g->queue[tail++] = task;
    while (head < tail) {
        uint32_t t = g->queue[head++];
        const scene_task *it = &work->tasks[t];
        uint32_t count = back ? it->befores : g->first[t + 1] - g->first[t];
        const uint32_t *list =
            back ? work->before + it->first_before : g->after + g->first[t];
        for (uint32_t i = 0; i < count; i++) {
            if (!g->marked[list[i]]) {
                g->marked[list[i]] = true;
                g->queue[tail++] = list[i];
            }
        }
    }
}

static void add_wait(replay_text *text, uint32_t task, int kind, uint32_t value)
{
    replay_text_format(text, " %u %d %u", task, kind, value);
}

/* Eager: what is no ancestor waits until the task is done. */
static void add_eager(replay_text *text, graph *g, const scene_work *work,
                      uint32_t task)
{
    mark(g, work, task, true);
    for (uint32_t t = 0; t < work->document->task_count; t++) {
        if (!g->marked[t] && work->tasks[t].runs) {
            add_wait(text, t, SCENE_WAIT_TASK, task);
        }
    }
}

/* Lazy: the task waits until all that does not descend from it is done. What
 * descends from it by edges that the runtime derives is not known here, so it
 * then waits for all, and gives up in the end. */
static void add_lazy(replay_text *text, graph *g, const scene_work *work,
                     const replay_scene_schedule *s)
{
    uint32_t others = 0;
    mark(g, work, s->task, false);
    for (uint32_t t = 0; t < work->document->task_count; t++) {
        bool counts = s->automatic ? t != s->task : !g->marked[t];
        others += counts && work->tasks[t].runs;
    }
    add_wait(text, s->task, SCENE_WAIT_COUNT, others);
}

static replay_status add_schedule(replay_text *text, graph *g, scene_work *work,
                                  const replay_scene_schedule *s)
{
    bool eager = s->schedule == REPLAY_EAGER;
    if (s->task >= work->document->task_count ||
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
        add_eager(text, g, work, s->task);
    } else {
        add_lazy(text, g, work, s);
    }
    replay_text_add(text, "\n");
    work->scene->cases++;
    return REPLAY_OK;
}

/* The runtime refuses a task with too many predecessors, however it came to
 * them: what it derives no dummy can join. */
static bool can_derive(const scene_work *work)
{
    const oracle_document *d = work->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        uint32_t derived = work->tasks[t].befores - work->tasks[t].explicits;
        if (work->tasks[t].befores > SCENE_FAN_IN && derived > 0 &&
            d->derived != ORACLE_RULES_NONE) {
            return false;
        }
    }
    return true;
}

replay_status scene_schedules(scene_work *work)
{
    replay_text text = {0};
    graph g;
    replay_scene *scene = work->scene;
    replay_status status = graph_make(&g, work);
    if (status != REPLAY_OK) {
        return status;
    }
    scene->automatic = can_derive(work);
    replay_text_add(&text, "# case, mode (0 manual, 1 automatic), then task, "
                           "kind, value of each that waits\nmanual 0\n");
    scene->cases = 1;
    if (scene->automatic) {
        replay_text_add(&text, "automatic 1\n");
        scene->cases++;
    }
    for (uint32_t i = 0;
         i < work->options->schedule_count && status == REPLAY_OK; i++) {
        status = add_schedule(&text, &g, work, &work->options->schedules[i]);
    }
    graph_free(&g);
    if (status == REPLAY_OK) {
        return replay_text_give(&scene->schedules, &scene->schedules_length,
                                &text, work->error);
    }
    free(text.data);
    return status;
}
