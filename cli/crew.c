#include "crew.h"

#include <stdlib.h>
#include <string.h>

#define TICK_MS 20
#define STOP_MS 20000

/* A request under way, or its answer that waits for those before it. */
typedef struct job {
    bool done;
    cli_event event;
    cli_text answer;
    char problem[CLI_PROBLEM];
} job;

typedef struct crew {
    const cli_crew_calls *calls;
    cli_child *children;
    size_t *work; /* per child: the number of its job */
    size_t count;
    job *jobs; /* a ring: number n at n % room */
    size_t room;
    size_t first, next; /* numbers: handed on next, begun next */
    struct pollfd *fds;
    cli_text request;
    bool ended; /* no more requests */
    bool failed;
} crew;

static job *job_at(crew *c, size_t number)
{
    return &c->jobs[number % c->room];
}

/* No process can be had. */
static void give_up(crew *c, const cli_child *child)
{
    c->failed = true;
    if (c->calls->problem != NULL)
        memcpy(c->calls->problem, child->problem, CLI_PROBLEM);
}

static void begin(crew *c, size_t i)
{
    if (c->children[i].busy || c->ended || c->next - c->first == c->room)
        return;
    cli_text_clear(&c->request);
    if (!c->calls->next(c->calls->context, &c->request)) {
        c->ended = true;
        c->failed = c->failed || c->request.failed;
        return;
    }
    job *j = job_at(c, c->next);
    j->done = false;
    c->work[i] = c->next++;
    if (c->request.failed)
        c->failed = true;
    else if (!cli_child_send(&c->children[i], &c->request))
        give_up(c, &c->children[i]);
}

/* As in a batch, a death counts only when a fresh process dies, too. */
static void step(crew *c, size_t i)
{
    cli_child *child = &c->children[i];
    int64_t answered = child->answered;
    if (!child->busy)
        return;
    cli_event event = cli_child_step(child);
    if (event == CLI_NOTHING)
        return;
    if ((event == CLI_CRASH || event == CLI_MEMORY) && answered > 0) {
        if (!cli_child_resend(child))
            give_up(c, child);
        return;
    }
    job *j = job_at(c, c->work[i]);
    j->done = true;
    j->event = event;
    cli_text_clear(&j->answer);
    if (event == CLI_ANSWER) {
        cli_span answer = cli_child_answer(child);
        cli_text_add(&j->answer, answer.data, answer.length);
    }
    c->failed = c->failed || j->answer.failed;
    memcpy(j->problem, child->problem, sizeof j->problem);
}

static void hand_on(crew *c)
{
    while (!c->failed && c->first < c->next && job_at(c, c->first)->done) {
        job *j = job_at(c, c->first++);
        j->done = false;
        cli_span answer = {j->answer.data, j->answer.length};
        if (!c->calls->done(c->calls->context, j->event, answer, j->problem))
            c->failed = true;
    }
}

static void work(crew *c)
{
    while (!c->failed) {
        size_t waits = 0;
        for (size_t i = 0; i < c->count && !c->failed; i++)
            begin(c, i);
        if (c->ended && c->first == c->next)
            return;
        for (size_t i = 0; i < c->count; i++)
            waits += cli_child_poll(&c->children[i], &c->fds[waits]);
        poll(c->fds, (nfds_t)waits, TICK_MS);
        for (size_t i = 0; i < c->count && !c->failed; i++)
            step(c, i);
        hand_on(c);
        if (!c->failed && c->calls->idle != NULL &&
            !c->calls->idle(c->calls->context))
            c->failed = true;
    }
}

static bool set_up(crew *c, const cli_child_spec *spec)
{
    c->room = 4 * c->count;
    c->children = calloc(c->count, sizeof *c->children);
    c->work = calloc(c->count, sizeof *c->work);
    c->jobs = calloc(c->room, sizeof *c->jobs);
    c->fds = calloc(2 * c->count, sizeof *c->fds);
    if (c->children == NULL || c->work == NULL || c->jobs == NULL ||
        c->fds == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++)
        cli_child_init(&c->children[i], spec);
    return true;
}

static void tear_down(crew *c)
{
    for (size_t i = 0; c->children != NULL && i < c->count; i++) {
        if (c->children[i].busy)
            cli_child_kill(&c->children[i]);
        if (!cli_child_stop(&c->children[i], STOP_MS))
            c->failed = true;
    }
    for (size_t i = 0; c->jobs != NULL && i < c->room; i++)
        cli_text_free(&c->jobs[i].answer);
    free(c->children);
    free(c->work);
    free(c->jobs);
    free(c->fds);
    cli_text_free(&c->request);
}

bool cli_crew_run(const cli_child_spec *spec, int64_t jobs,
                  const cli_crew_calls *calls)
{
    crew c = {.calls = calls, .count = (size_t)jobs};
    if (set_up(&c, spec))
        work(&c);
    else
        c.failed = true;
    tear_down(&c);
    return !c.failed;
}
