/*
 * A block of cases. Its planner is started for it, and requests go out in an
 * order that follows from the block alone: whenever an answer comes, the room
 * that it leaves is filled. So the planner sees the same, in the same state,
 * whatever the number of workers and the speed of both.
 */
#include "worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../input.h"
#include "full.h"
#include "work.h"

#define BAD_REQUEST 2
#define FAULT 3

/* Bytes of texts under way; one case is always. */
#define UNDER_WAY ((size_t)4 << 20)

/* A place keeps its memory for the next case, but for that of a longer text:
   else each of them would in time hold the largest case of a campaign. */
#define KEPT_TEXT ((size_t)64 << 10)

void cli_worker_fail(cli_worker *w, const char *problem)
{
    if (w->problem[0] == '\0')
        snprintf(w->problem, sizeof w->problem, "%s", problem);
}

/*
 * Work on a case that takes too long ends this process by SIGALRM: whoever
 * started it finds out which case that was.
 */
void cli_worker_alarm(const cli_worker *w)
{
    alarm((unsigned)((w->plan.timeout_ms + 999) / 1000));
}

static cli_span span_of(const fuzz_text *text)
{
    return (cli_span){text->data == NULL ? "" : text->data, text->length};
}

/* A line of JSON carries UTF-8 alone: what is none is for the judge. */
static bool can_be_asked(const fuzz_case *c)
{
    bool is_right = c->fault == NULL && !c->open;
    return c->ask != NULL &&
           (is_right ||
            cli_utf8_check(c->input.data, c->input.length) == c->input.length);
}

static void set_question(cli_work *work)
{
    const fuzz_case *c = &work->c;
    work->question = (cli_question){
        .ask = can_be_asked(c) ? c->ask : NULL,
        .text = span_of(&c->input),
        .options = span_of(&c->options),
        .expected = span_of(&c->expected),
    };
}

static void free_work(cli_work *work)
{
    fuzz_case_free(&work->c);
    cli_evaluation_free(&work->e);
    cli_text_free(&work->first);
    cli_text_free(&work->document);
    fuzz_case_free(&work->related);
    fuzz_map_free(&work->map);
}

static void finish(cli_worker *w, cli_work *work)
{
    cli_work_finish(w, work);
    if (work->c.input.length > KEPT_TEXT)
        free_work(work);
    w->idle[w->idle_count++] = work;
}

/* Which case that is follows from the block alone, as all that is asked. */
static void hold(cli_worker *w, cli_work *work)
{
    if (w->held != NULL)
        finish(w, w->held);
    w->held = work;
}

static void ask(cli_worker *w, cli_work *work)
{
    cli_text *line = cli_pipe_line(w->pipe, &work->id);
    cli_question_put(line, work->id, &work->question);
    cli_pipe_ask(w->pipe, work);
}

/* The first step is done, or one of those behind it. */
static void go_on(cli_worker *w, cli_work *work, const cli_reply *reply)
{
    if (w->plan.full && cli_full_next(w, work, reply)) {
        cli_pipe_ask(w->pipe, work);
        return;
    }
    if (!w->plan.full && w->plan.replay > 0)
        cli_full_prove(w, work, reply);
    w->bytes -= work->bytes;
    if (reply == NULL)
        finish(w, work);
    else
        hold(w, work);
}

static bool make_case(cli_worker *w, cli_work *work)
{
    fuzz_limits limits = {.tasks = w->plan.tasks};
    fuzz_name name = cli_batch_name(&w->plan, w->block.first + w->next);
    work->n = w->next++;
    fuzz_status status = fuzz_case_make(&work->c, &name, &limits);
    if (status == FUZZ_OK)
        return true;
    cli_worker_fail(w, status == FUZZ_NO_MEMORY ? "out of memory"
                                                : "there is no such case");
    return false;
}

static void begin_case(cli_worker *w)
{
    oracle_judge_options options;
    cli_work *work = w->idle[--w->idle_count];
    cli_worker_alarm(w);
    cli_evaluation_clear(&work->e);
    if (!make_case(w, work))
        return;
    set_question(work);
    work->step = CLI_STEP_FIRST;
    work->bytes = work->c.input.length;
    w->bytes += work->bytes;
    if (work->question.ask != NULL) {
        ask(w, work);
        return;
    }
    cli_full_options(&options, w, work);
    cli_evaluation_judge(&work->e, &work->question, &options);
    go_on(w, work, NULL);
}

static void take(cli_worker *w, const cli_reply *reply)
{
    oracle_judge_options options;
    cli_work *work = reply->tag;
    cli_worker_alarm(w);
    cli_full_options(&options, w, work);
    if (work->step == CLI_STEP_FIRST)
        cli_evaluation_take(&work->e, &work->question, reply, &options);
    go_on(w, work, reply);
}

static void fill(cli_worker *w)
{
    while (w->problem[0] == '\0' && w->next < w->block.count &&
           w->idle_count > 0 && (w->bytes == 0 || w->bytes < UNDER_WAY))
        begin_case(w);
}

/*
 * Whether a fresh planner has more to say than the answer to this case; false
 * from *goes_on: it gives none in time, and there may be many such cases.
 */
static bool has_more_to_say(bool *goes_on, cli_worker *w, cli_work *work)
{
    cli_reply reply;
    bool unasked = false;
    set_question(work);
    if (work->question.ask == NULL)
        return false;
    ask(w, work);
    if (!cli_pipe_reply(&reply, w->pipe, true)) {
        cli_worker_fail(w, cli_pipe_problem(w->pipe));
        return false;
    }
    *goes_on = reply.event != CLI_TIMEOUT;
    if (!cli_pipe_rest(w->pipe, &unasked))
        cli_worker_fail(w, "the planner has not ended well");
    return unasked;
}

/*
 * Lines come when they like, and whose they are is seen only where one case is
 * asked alone. A block with such lines is rare: its cases are asked again.
 */
static void find_unasked(char label[40], cli_worker *w)
{
    bool goes_on = true, found = false;
    cli_work *work = w->idle[--w->idle_count];
    *label = '\0';
    w->next = 0;
    while (goes_on && !found && w->next < w->block.count &&
           w->problem[0] == '\0') {
        cli_worker_alarm(w);
        bool made = make_case(w, work);
        alarm(0);
        found = made && has_more_to_say(&goes_on, w, work);
    }
    if (found)
        cli_case_label(label, &work->c.name);
    w->idle[w->idle_count++] = work;
}

static void end_planner(cli_worker *w)
{
    char label[40];
    bool unasked;
    if (!cli_pipe_rest(w->pipe, &unasked))
        cli_worker_fail(w, "the planner has not ended well");
    if (w->held == NULL || w->problem[0] != '\0')
        return;
    if (unasked) {
        find_unasked(label, w);
        cli_evaluation_unasked(&w->held->e, label);
    }
    cli_worker_alarm(w);
    finish(w, w->held);
    alarm(0);
    if (!cli_pipe_rest(w->second, &unasked))
        cli_worker_fail(w, "the planner has not ended well");
}

static void run(cli_worker *w)
{
    cli_reply reply;
    for (fill(w); w->problem[0] == '\0' && cli_pipe_under_way(w->pipe) > 0;
         fill(w)) {
        alarm(0);
        if (cli_pipe_reply(&reply, w->pipe, true)) {
            take(w, &reply);
        } else {
            w->hopeless = w->problem[0] == '\0';
            cli_worker_fail(w, cli_pipe_problem(w->pipe));
        }
    }
    alarm(0);
    end_planner(w);
    if (w->tally.failed)
        cli_worker_fail(w, "out of memory");
}

/* --- Requests --- */

static void clear_told(cli_worker *w)
{
    for (size_t i = 0; i < w->told_count; i++)
        cli_text_free(&w->told[i].json);
    w->told_count = 0;
}

static void begin_block(cli_worker *w)
{
    w->spec = (cli_child_spec){
        .command = w->plan.planner,
        .timeout_ms = w->plan.timeout_ms,
        .memory = w->plan.memory,
    };
    cli_planner_name(w->name, w->plan.planner);
    w->next = 0;
    w->bytes = 0;
    w->idle_count = 0;
    w->held = NULL;
    for (size_t i = CLI_PIPE_ROOM; i > 0; i--)
        w->idle[w->idle_count++] = &w->slots[i - 1];
    cli_tally_clear(&w->tally);
    clear_told(w);
}

static bool set_up(cli_worker *w)
{
    w->pipe = cli_pipe_new(&w->spec);
    w->second = cli_pipe_new(&w->spec);
    w->digests = calloc(CLI_BLOCK_CASES, sizeof *w->digests);
    return w->pipe != NULL && w->second != NULL && w->digests != NULL;
}

static void tear_down(cli_worker *w)
{
    cli_pipe_free(w->pipe);
    cli_pipe_free(w->second);
    fuzz_case_free(&w->ablated);
    for (size_t i = 0; i < CLI_PIPE_ROOM; i++)
        free_work(&w->slots[i]);
    clear_told(w);
    free(w->told);
    free(w->digests);
    cli_tally_free(&w->tally);
    cli_text_free(&w->scratch);
    cli_evaluation_free(&w->other);
    cli_text_free(&w->planner);
}

static int answer(cli_text *out, cli_worker *w, cli_span line)
{
    errno = 0;
    if (!cli_block_read(&w->plan, &w->block, &w->planner, line)) {
        if (errno != ENOMEM)
            return BAD_REQUEST;
        cli_worker_fail(w, "out of memory");
        return FAULT;
    }
    begin_block(w);
    run(w);
    if (w->problem[0] == '\0')
        cli_worker_put(out, w);
    if (out->failed)
        cli_worker_fail(w, "out of memory");
    return w->problem[0] == '\0' ? 0 : FAULT;
}

/* Why there is no answer: whoever asked tells it, once. */
static bool put_problem(FILE *out, const cli_worker *w)
{
    cli_text line = {0};
    cli_text_printf(&line, "{\"id\":%lld,\"problem\":", (long long)w->block.id);
    cli_text_quote(&line, w->problem);
    cli_text_printf(&line, ",\"hopeless\":%d}\n", w->hopeless);
    bool ok = !line.failed &&
              fwrite(line.data, 1, line.length, out) == line.length &&
              fflush(out) == 0;
    cli_text_free(&line);
    return ok;
}

int cli_fuzz_serve(FILE *in, FILE *out)
{
    char *line = NULL;
    size_t capacity = 0;
    cli_text text = {0};
    ssize_t length;
    cli_worker *w = calloc(1, sizeof *w);
    int status = w != NULL && set_up(w) ? 0 : FAULT;
    while (status == 0 && (length = getline(&line, &capacity, in)) > 0) {
        cli_text_clear(&text);
        status = answer(&text, w, (cli_span){line, (size_t)length});
        if (status == 0 &&
            (fwrite(text.data, 1, text.length, out) != text.length ||
             fflush(out) != 0))
            status = FAULT;
    }
    if (status == BAD_REQUEST)
        fputs("counterpoint serve: a line is no request (docs/formats.md)\n",
              stderr);
    else if (w != NULL && w->problem[0] != '\0')
        status = put_problem(out, w) ? 0 : FAULT;
    if (w != NULL)
        tear_down(w);
    free(w);
    free(line);
    cli_text_free(&text);
    return status;
}
