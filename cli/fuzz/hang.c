#include "hang.h"

#include <string.h>
#include <unistd.h>

#include "known.h"

/* False: there is no such case, or no answer. */
static bool ask(cli_reply *reply, cli_question *q, cli_worker *w,
                const cli_work *work, fuzz_ablation ablation)
{
    fuzz_limits limits = {.tasks = w->plan.tasks};
    const fuzz_case *c = &w->ablated;
    int64_t id;
    fuzz_status status =
        fuzz_case_ablate(&w->ablated, &work->c.name, &limits, ablation);
    if (status == FUZZ_NO_MEMORY)
        cli_worker_fail(w, "out of memory");
    if (status != FUZZ_OK)
        return false;
    *q = (cli_question){.ask = c->ask,
                        .text = {c->input.data, c->input.length},
                        .options = {c->options.data, c->options.length},
                        .expected = {c->expected.data, c->expected.length},
                        .goal = "diff.accept"}; /* compared, and not judged */
    cli_text *line = cli_pipe_line(w->second, &id);
    cli_question_put(line, id, q);
    cli_pipe_ask(w->second, NULL);
    bool ok = cli_pipe_reply(reply, w->second, true);
    if (!ok)
        cli_worker_fail(w, cli_pipe_problem(w->second));
    return ok;
}

static bool has(const cli_evaluation *e, const oracle_finding *first)
{
    for (size_t i = 0; i < cli_evaluation_count(e); i++) {
        const oracle_finding *f = cli_evaluation_at(e, i);
        if (strcmp(f->rule, first->rule) == 0 &&
            strcmp(f->cause, first->cause) == 0)
            return true;
    }
    return false;
}

static bool goes_away(cli_worker *w, cli_work *work, fuzz_ablation ablation,
                      const oracle_finding *first)
{
    oracle_judge_options options = {.generated = w->name};
    cli_question q;
    cli_reply reply;
    alarm(0); /* the planner has a limit of its own */
    bool asked = ask(&reply, &q, w, work, ablation);
    cli_worker_alarm(w);
    if (!asked || reply.event != CLI_ANSWER)
        return false;
    cli_evaluation_clear(&w->other);
    cli_evaluation_take(&w->other, &q, &reply, &options);
    work->e.failed = work->e.failed || w->other.failed;
    return !has(&w->other, first);
}

void cli_hang_find(cli_worker *w, cli_work *work)
{
    const oracle_finding *first = cli_first_difference(&work->e);
    fuzz_ablation a = 0;
    work->hangs_on = NULL;
    if (first == NULL || work->question.ask == NULL)
        return;
    while (a < FUZZ_ABLATIONS && !goes_away(w, work, a, first))
        a++;
    if (a < FUZZ_ABLATIONS)
        work->hangs_on = fuzz_ablation_name(a);
    cli_evaluation_mark(&work->e, "0123456789abcdef"[a]);
}
