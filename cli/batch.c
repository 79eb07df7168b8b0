#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "input.h"
#include "progress.h"
#include "recorded.h"
#include "request.h"

/* How often limits are looked at while something is under way. */
#define TICK_MS 20
/* Bytes of inputs held at once; one input is always held. */
#define WINDOW_BYTES ((size_t)256 << 20)
#define STOP_MS 20000

typedef struct worker {
    cli_child child;
    bool judge;
    cli_case *c;   /* NULL: idle */
    int64_t since; /* microseconds: when it was given the case */
    /* Of another planner: its case before, of which it may have more to say;
       a line came that may be of either; or it has no more input, till when
       (ms), and what it says yet is of the case before. */
    cli_case *last;
    bool suspect;
    bool ends, spoils;
    int64_t end;
} worker;

typedef struct batch {
    const cli_search *inputs;
    const cli_batch_options *options;
    const cli_batch_calls *calls;
    cli_batch_result *result;
    cli_child_spec planner_spec, judge_spec;
    worker *workers; /* jobs planners, then jobs judges */
    size_t worker_count;
    struct pollfd *fds;
    cli_case **window; /* in input order; the first is handed on next */
    size_t held, window_size;
    size_t next; /* input that is read next */
    size_t bytes;
    cli_text line; /* requests are written here */
    cli_progress progress;
} batch;

static void give_up(batch *b, const char *problem)
{
    if (b->result->failed)
        return;
    b->result->failed = true;
    snprintf(b->result->problem, sizeof b->result->problem, "%s", problem);
}

/* --- Reading --- */

static bool refuse_bytes(cli_case *c, size_t offset)
{
    uint64_t line, column;
    char message[96];
    cli_position(&line, &column, c->text.data, offset);
    snprintf(message, sizeof message, "the byte 0x%02x is not UTF-8 text",
             (unsigned char)c->text.data[offset]);
    cli_problem problem = {
        .rule = "doc.syntax",
        .message = message,
        .line = (int64_t)line,
        .column = (int64_t)column,
        .offset = (int64_t)offset,
    };
    return cli_case_refuse(c, &problem);
}

static bool begins_with_mark(const cli_case *c)
{
    return c->text.length >= 3 && memcmp(c->text.data, "\xef\xbb\xbf", 3) == 0;
}

static bool refuse_mark(cli_case *c)
{
    cli_problem problem = {
        .rule = "doc.syntax",
        .message = "the file begins with a byte order mark (save it as UTF-8 "
                   "without one)",
        .line = 1,
        .column = 1,
    };
    return cli_case_refuse(c, &problem);
}

static bool refuse_kind(cli_case *c)
{
    cli_problem problem = {.line = 1, .column = 1};
    problem.message = cli_kind_refusal(c->kind, &problem.rule);
    return cli_case_refuse(c, &problem);
}

static bool refuse_plan_of_document(cli_case *c)
{
    char message[128];
    snprintf(message, sizeof message,
             "a PyPTO dump, a program in the JSON form of the IR or a Score "
             "can be planned, this is of kind %s",
             cli_kind_name(c->kind));
    cli_problem problem = {
        .rule = "doc.unsupported", .message = message, .line = 1, .column = 1};
    return cli_case_refuse(c, &problem);
}

bool cli_batch_sort(cli_case *c, const cli_batch_options *options)
{
    size_t bad = cli_utf8_check(c->text.data, c->text.length);
    c->kind = cli_kind_detect(c->text.data, c->text.length);
    if (c->text.length == 0) {
        cli_problem problem = {.rule = "doc.syntax",
                               .message = "the file is empty"};
        return cli_case_refuse(c, &problem);
    }
    if (bad < c->text.length)
        return refuse_bytes(c, bad);
    if (begins_with_mark(c))
        return refuse_mark(c);
    if (options->force_kind)
        c->kind = options->kind;
    bool is_planned = cli_kind_is_program(c->kind) ||
                      (options->plan_only && c->kind == CLI_SCORE);
    if (options->plan_only && !is_planned && cli_kind_is_document(c->kind))
        return refuse_plan_of_document(c);
    if (!is_planned && !cli_kind_is_document(c->kind))
        return refuse_kind(c);
    if (c->found != NULL && (c->kind == CLI_RECORD || c->kind == CLI_TRACE))
        return cli_recorded_gather(c, options);
    c->state = is_planned ? CLI_WAIT_PLAN : CLI_WAIT_JUDGE;
    if (options->members && c->kind == CLI_SCORE)
        c->state = CLI_WAIT_MEMBERS;
    return true;
}

static bool read_case(const batch *b, cli_case *c)
{
    char problem[160];
    c->kind = CLI_OTHER;
    if (c->found->problem != NULL)
        return cli_case_unreadable(c, c->found->problem);
    if (!cli_input_read(&c->text, c->found->path, CLI_INPUT_LIMIT, false,
                        problem, sizeof problem)) {
        cli_text_free(&c->text);
        return cli_case_unreadable(c, problem);
    }
    if (!cli_text_reserve(&c->text, 0) ||
        !cli_sha256(c->sha256, c->text.data, c->text.length))
        return false;
    return cli_batch_sort(c, b->options);
}

static bool load_next(batch *b)
{
    cli_case *c = calloc(1, sizeof *c);
    if (c == NULL)
        return false;
    c->number = (int64_t)b->next + 1;
    c->found = &b->inputs->items[b->next++];
    b->window[b->held++] = c;
    bool ok = read_case(b, c);
    b->bytes += c->text.length;
    return ok;
}

static void fill_window(batch *b)
{
    while (!b->result->failed && b->next < b->inputs->count &&
           b->held < b->window_size &&
           (b->held == 0 || b->bytes < WINDOW_BYTES))
        if (!load_next(b))
            give_up(b, "out of memory");
}

/* --- Requests and answers --- */

static void write_request(batch *b, const worker *w, int64_t id)
{
    cli_text_clear(&b->line);
    if (w->c->state == CLI_WAIT_MEMBERS)
        cli_request_members(&b->line, id, w->c, b->options);
    else if (!w->judge)
        cli_request_plan(&b->line, id, w->c, b->options);
    else if (w->c->state == CLI_WAIT_FRONTEND)
        cli_request_frontend(&b->line, id, w->c);
    else
        cli_request_judge(&b->line, id, w->c, b->options);
}

static void assign(batch *b, worker *w, cli_case *c)
{
    w->c = c;
    w->since = cli_clock_us();
    c->busy = true;
    write_request(b, w, c->number);
    cli_child_expect(&w->child, c->number,
                     w->last == NULL ? -1 : w->last->number);
    if (b->line.failed)
        give_up(b, "out of memory");
    else if (!cli_child_send(&w->child, &b->line))
        give_up(b, w->child.problem);
}

static cli_case *waiting_case(const batch *b, bool judge)
{
    for (size_t i = 0; i < b->held; i++) {
        cli_case *c = b->window[i];
        bool fits =
            judge ? c->state == CLI_WAIT_JUDGE || c->state == CLI_WAIT_FRONTEND
                  : c->state == CLI_WAIT_PLAN || c->state == CLI_WAIT_MEMBERS;
        if (fits && !c->busy)
            return c;
    }
    return NULL;
}

static void assign_all(batch *b)
{
    for (size_t i = 0; i < b->worker_count && !b->result->failed; i++) {
        worker *w = &b->workers[i];
        cli_case *c =
            w->c == NULL && !w->ends ? waiting_case(b, w->judge) : NULL;
        if (c != NULL)
            assign(b, w, c);
    }
}

/* A judge that fails is a fault of our own, and no finding about the input. */
static bool judge_failed(batch *b, cli_case *c, cli_verdict verdict,
                         const char *problem)
{
    b->result->own_fault = true;
    c->own_fault = true;
    c->verdict = verdict;
    c->state = CLI_DONE;
    cli_text_clear(&c->reason);
    cli_text_printf(&c->reason, "the judge %s", problem);
    return !c->reason.failed;
}

static bool planner_failed(cli_case *c, cli_event event, const char *problem)
{
    static const struct {
        const char *rule;
        cli_verdict verdict;
    } answers[] = {
        [CLI_CRASH] = {"planner.crash", CLI_CRASHED},
        [CLI_TIMEOUT] = {"planner.timeout", CLI_TIMED_OUT},
        [CLI_MEMORY] = {"planner.memory", CLI_CRASHED},
        [CLI_PROTOCOL] = {"planner.protocol", CLI_CRASHED},
    };
    char message[160];
    snprintf(message, sizeof message, "the planner %s", problem);
    return cli_case_fail(c, answers[event].verdict, answers[event].rule,
                         message);
}

/* What a worker does for its case, while it does it. */
static cli_part part_of(const worker *w)
{
    return !w->judge                          ? CLI_PART_PLAN
           : w->c->state == CLI_WAIT_FRONTEND ? CLI_PART_COMPARE
                                              : CLI_PART_JUDGE;
}

static void add_time(worker *w)
{
    int64_t now = cli_clock_us();
    cli_times_add(&w->c->times, part_of(w), now - w->since);
    w->since = now;
}

/* No more is said of the case before: all lines up to another answer are. */
static void let_go(worker *w, bool spoiled)
{
    if (w->last != NULL) {
        w->last->holders--;
        w->last->spoiled = w->last->spoiled || spoiled;
    }
    w->last = NULL;
    w->suspect = false;
}

static void hold(const batch *b, worker *w, cli_case *c)
{
    if (w->judge || b->options->planner == NULL)
        return;
    w->last = c;
    c->holders++;
}

/*
 * What the judge says does not hang on the replay behind it: where time or
 * memory do not suffice for both, it is asked once more without.
 */
static bool is_asked_without(const batch *b, const worker *w, cli_event event)
{
    return w->judge && b->options->replay > 0 &&
           w->c->state == CLI_WAIT_JUDGE && w->c->late.length == 0 &&
           (event == CLI_TIMEOUT || event == CLI_MEMORY);
}

static bool take_failure(batch *b, worker *w, cli_event event)
{
    cli_case *c = w->c;
    bool again = is_asked_without(b, w, event);
    let_go(w, w->child.repeated || (w->suspect && event != CLI_PROTOCOL));
    w->c = NULL;
    c->busy = false;
    if (again) {
        cli_text_printf(&c->late, "the judge that replays, too, %s",
                        w->child.problem);
        return !c->late.failed;
    }
    if (w->judge)
        return judge_failed(b, c,
                            event == CLI_TIMEOUT ? CLI_TIMED_OUT : CLI_CRASHED,
                            w->child.problem);
    return planner_failed(c, event, w->child.problem);
}

/*
 * A death counts against an input only when a fresh process dies of it too:
 * so no input is blamed for what an earlier one left behind, and the answer
 * does not depend on which process had which inputs before. So it is with a
 * line that does not name this input.
 */
static bool is_second_try(const worker *w, cli_event event, int64_t answered)
{
    return answered > 0 &&
           (event == CLI_CRASH || event == CLI_MEMORY ||
            (event == CLI_PROTOCOL && !w->judge && w->child.stray));
}

static bool ask_again(worker *w, cli_event event)
{
    w->suspect = w->suspect || event == CLI_PROTOCOL;
    return cli_child_resend(&w->child);
}

static bool take_answer(batch *b, worker *w)
{
    cli_case *c = w->c;
    cli_span answer = cli_child_answer(&w->child);
    cli_part part = part_of(w);
    cli_answer kind = w->judge ? cli_answer_judge(c, answer, b->options)
                               : cli_answer_plan(c, answer, b->options);
    if (kind == CLI_ANSWER_NO_MEMORY)
        return false;
    if (kind == CLI_ANSWER_WRONG) {
        cli_child_kill(&w->child);
        if (is_second_try(w, CLI_PROTOCOL, w->child.answered - 1))
            return ask_again(w, CLI_PROTOCOL);
        snprintf(w->child.problem, sizeof w->child.problem,
                 "gave an answer that is none");
        return take_failure(b, w, CLI_PROTOCOL);
    }
    b->result->own_fault |= c->own_fault;
    if (w->judge && part == CLI_PART_JUDGE && c->late.length > 0 &&
        c->unplayed == 0)
        c->unplayed = 1; /* all of it */
    if (b->options->verbose)
        cli_times_take(&c->times, part, answer);
    let_go(w, w->child.repeated || w->suspect);
    hold(b, w, c);
    w->c = NULL;
    c->busy = false;
    return true;
}

static void step_worker(batch *b, worker *w)
{
    int64_t answered = w->child.answered;
    cli_event event = cli_child_step(&w->child);
    if (event == CLI_NOTHING)
        return;
    bool ok;
    add_time(w);
    if (event == CLI_ANSWER)
        ok = take_answer(b, w);
    else if (is_second_try(w, event, answered))
        ok = ask_again(w, event);
    else
        ok = take_failure(b, w, event);
    if (!ok)
        give_up(b, "out of memory, or of processes");
}

/* --- The loop --- */

static bool is_ready(const cli_case *c)
{
    return c->state == CLI_DONE && c->holders == 0;
}

/* One that had a second answer has none, whenever that came. */
static bool finish(cli_case *c)
{
    if (!c->spoiled)
        return true;
    cli_case_renew(c);
    return planner_failed(c, CLI_PROTOCOL, "gave more than one answer");
}

static void hand_on(batch *b)
{
    while (!b->result->failed && b->held > 0 && is_ready(b->window[0])) {
        cli_case *c = b->window[0];
        if (!finish(c)) {
            give_up(b, "out of memory");
            return;
        }
        cli_progress_clear(&b->progress);
        b->progress.done++;
        b->progress.findings += c->total;
        if (!b->calls->done(b->calls->context, c))
            give_up(b, "");
        b->bytes -= c->text.length;
        cli_case_free(c);
        b->held--;
        memmove(b->window, b->window + 1, b->held * sizeof *b->window);
    }
}

/* A planner whose case everybody waits for says no more without input. */
static void end_idle(batch *b)
{
    const cli_case *head = b->window[0];
    bool all_read = b->next == b->inputs->count;
    for (size_t i = 0; i < b->worker_count && head->state == CLI_DONE; i++) {
        worker *w = &b->workers[i];
        if (w->c != NULL || w->ends || w->last == NULL ||
            (w->last != head && !all_read))
            continue;
        cli_child_hang_up(&w->child);
        w->ends = true;
        w->spoils = false;
        w->end = cli_now() + STOP_MS / 20;
    }
}

static void step_end(worker *w)
{
    if (w->child.process.pid != 0 && !cli_child_hear(&w->child, &w->spoils) &&
        cli_now() < w->end)
        return;
    cli_child_stop(&w->child, w->end - cli_now());
    w->ends = false;
    let_go(w, w->spoils);
}

static void wait_for_work(batch *b)
{
    size_t count = 0;
    for (size_t i = 0; i < b->worker_count; i++)
        count += cli_child_poll(&b->workers[i].child, &b->fds[count]);
    poll(b->fds, (nfds_t)count, TICK_MS);
    for (size_t i = 0; i < b->worker_count && !b->result->failed; i++)
        if (b->workers[i].c != NULL)
            step_worker(b, &b->workers[i]);
        else if (b->workers[i].ends)
            step_end(&b->workers[i]);
}

/* Of what is under way the first of the inputs. */
static const worker *first_worker(const batch *b)
{
    const worker *first = NULL;
    for (size_t i = 0; i < b->worker_count; i++) {
        const worker *w = &b->workers[i];
        if (w->c != NULL && (first == NULL || w->c->number < first->c->number))
            first = w;
    }
    return first;
}

static void show_progress(batch *b)
{
    static const char *const parts[CLI_PARTS] = {"plan", "judge", "compare"};
    const worker *w = b->progress.on ? first_worker(b) : NULL;
    cli_at at = {0};
    if (w != NULL)
        at = (cli_at){
            .path = w->c->found->path,
            .part = parts[part_of(w)],
            .phase = w->child.at,
            .since = w->since,
        };
    cli_progress_show(&b->progress, &at);
}

static void work(batch *b)
{
    while (!b->result->failed) {
        fill_window(b);
        hand_on(b);
        if (b->held == 0 && b->next == b->inputs->count)
            return;
        if (b->held == 0)
            continue;
        assign_all(b);
        end_idle(b);
        if (!b->result->failed && !is_ready(b->window[0]))
            wait_for_work(b);
        if (!b->result->failed && !b->calls->idle(b->calls->context))
            give_up(b, "");
        show_progress(b);
    }
}

static bool set_up(batch *b)
{
    const cli_batch_options *o = b->options;
    size_t jobs = (size_t)o->jobs;
    b->planner_spec = (cli_child_spec){
        .command = o->planner,
        .timeout_ms = o->timeout_ms,
        .memory = o->memory,
        .phases = o->verbose,
    };
    b->judge_spec = b->planner_spec;
    b->judge_spec.command = NULL;
    b->judge_spec.judge = true;
    b->worker_count = 2 * jobs;
    b->window_size = 4 * jobs + 4;
    b->workers = calloc(b->worker_count, sizeof *b->workers);
    b->fds = calloc(2 * b->worker_count, sizeof *b->fds);
    b->window = calloc(b->window_size, sizeof(cli_case *));
    if (b->workers == NULL || b->fds == NULL || b->window == NULL)
        return false;
    for (size_t i = 0; i < b->worker_count; i++) {
        b->workers[i].judge = i >= jobs;
        cli_child_init(&b->workers[i].child,
                       i >= jobs ? &b->judge_spec : &b->planner_spec);
    }
    return true;
}

/* A process of ours that ends badly, with a leak say, is our fault too. */
static void stop_worker(batch *b, worker *w)
{
    bool ours = w->judge || b->options->planner == NULL;
    if (w->c != NULL)
        cli_child_kill(&w->child);
    if (!cli_child_stop(&w->child, ours ? STOP_MS : STOP_MS / 20) && ours &&
        !b->result->own_fault) {
        b->result->own_fault = true;
        snprintf(b->result->problem, sizeof b->result->problem,
                 "a %s process did not end well",
                 w->judge ? "judge" : "planner");
    }
}

static void tear_down(batch *b)
{
    for (size_t i = 0; b->workers != NULL && i < b->worker_count; i++)
        stop_worker(b, &b->workers[i]);
    for (size_t i = 0; i < b->held; i++)
        cli_case_free(b->window[i]);
    free(b->workers);
    free(b->fds);
    free(b->window);
    cli_text_free(&b->line);
}

void cli_batch_run(cli_batch_result *result, const cli_search *inputs,
                   const cli_batch_options *options,
                   const cli_batch_calls *calls)
{
    batch b = {
        .inputs = inputs,
        .options = options,
        .calls = calls,
        .result = result,
    };
    *result = (cli_batch_result){0};
    cli_progress_begin(&b.progress, options->progress, inputs->count);
    if (set_up(&b))
        work(&b);
    else
        give_up(&b, "out of memory");
    cli_progress_clear(&b.progress);
    tear_down(&b);
}
