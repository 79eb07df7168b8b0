/* What a text has, as `check` or the fuzzer finds it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/evaluate_work.h"
#include "input.h"
#include "reduce.h"
#include "request.h"

/* As the fuzzer has them listed. */
#define MOST_FINDINGS 65536

struct cli_looker {
    const cli_view *view;
    cli_child_spec spec;
    cli_pipe *pipe;
    cli_evaluation evaluation;
    cli_text options; /* of a file's request to the planner */
    const char *rule; /* the only one that matters, or NULL */
    bool hears_out;   /* whether the planner has more to say than its answer */
};

/* --- The planner's options for a file --- */

static bool take_options(cli_looker *l)
{
    cli_text line = {0};
    cli_case nothing = {.kind = CLI_SCORE};
    cli_span options;
    cli_request_plan(&line, 0, &nothing, &l->view->batch);
    bool ok = !line.failed &&
              cli_span_member(&options, (cli_span){line.data, line.length},
                              "options");
    if (ok)
        cli_text_add(&l->options, options.data, options.length);
    cli_text_free(&line);
    return ok && !l->options.failed;
}

/* How a planner or the judge fails is seen only where all is done. */
static const char *rule_alone(const cli_goal *goal)
{
    return goal == NULL || goal->death ||
                   strncmp(goal->rule, "planner.", 8) == 0
               ? NULL
               : goal->rule;
}

cli_looker *cli_looker_new(const cli_view *view, const cli_goal *goal)
{
    cli_looker *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    l->view = view;
    l->rule = rule_alone(goal);
    l->hears_out = goal == NULL || strcmp(goal->rule, "planner.protocol") == 0;
    l->spec = (cli_child_spec){
        .command = view->batch.planner,
        .timeout_ms = view->batch.timeout_ms,
        .memory = view->batch.memory,
    };
    l->pipe = cli_pipe_new(&l->spec);
    if (l->pipe == NULL || !take_options(l)) {
        cli_looker_free(l);
        return NULL;
    }
    return l;
}

void cli_looker_free(cli_looker *l)
{
    if (l == NULL)
        return;
    cli_pipe_free(l->pipe);
    cli_evaluation_free(&l->evaluation);
    cli_text_free(&l->options);
    free(l);
}

/* --- Looking --- */

static cli_severity severity_of(oracle_severity severity)
{
    return severity == ORACLE_ERROR     ? CLI_ERROR
           : severity == ORACLE_WARNING ? CLI_WARNING
                                        : CLI_NOTE;
}

static bool is_document_code(const char *code)
{
    return strncmp(code, "doc.", 4) == 0 && oracle_rule_find(code) != NULL;
}

/* The error with which a planner refuses a text, as the finding that it is. */
static bool show_refusal(const cli_evaluation *e,
                         bool (*see)(void *, const cli_sight *), void *context)
{
    cli_case c = {.kind = CLI_OTHER};
    cli_text message = {0};
    bool plain = is_document_code(e->code.data);
    if (!plain)
        cli_text_printf(&message, "%s: ", e->code.data);
    cli_text_put(&message, e->message.length > 0 ? e->message.data : "");
    cli_problem problem = {.rule = plain ? e->code.data : "doc.unsupported",
                           .message = message.failed ? "" : message.data};
    bool ok = !message.failed && cli_case_refuse(&c, &problem);
    if (ok)
        (void)see(context,
                  &(cli_sight){c.findings[0].rule, c.findings[0].severity,
                               c.findings[0].signature, c.findings[0].message});
    cli_case_clear(&c);
    cli_text_free(&message);
    return ok;
}

static bool show(cli_looker *l, bool (*see)(void *, const cli_sight *),
                 void *context)
{
    const cli_evaluation *e = &l->evaluation;
    size_t count = cli_evaluation_count(e);
    for (size_t i = 0; i < count; i++) {
        const oracle_finding *f = cli_evaluation_at(e, i);
        if (!see(context, &(cli_sight){f->rule, severity_of(f->severity),
                                       f->signature, f->message}))
            return true;
    }
    return !e->refused || show_refusal(e, see, context);
}

static oracle_judge_options judge_options(const cli_looker *l)
{
    const cli_view *view = l->view;
    const cli_batch_options *b = &view->batch;
    return (oracle_judge_options){
        .rules = b->rules,
        .lenient = b->lenient,
        .capacity = b->capacity,
        .generated = view->generated,
        .limit = MOST_FINDINGS,
        .only = l->rule,
    };
}

/* A line behind the answer: it is of this text, since none was before it. */
static bool hear_out(cli_looker *l)
{
    bool unasked = false;
    if (l->hears_out && !cli_pipe_rest(l->pipe, &unasked))
        return false;
    if (unasked && l->evaluation.verdict != CLI_CRASHED)
        cli_evaluation_unasked(&l->evaluation, "this");
    return true;
}

static bool evaluate(cli_looker *l, const cli_question *q)
{
    oracle_judge_options options = judge_options(l);
    cli_evaluation *e = &l->evaluation;
    cli_reply reply;
    int64_t id;
    cli_evaluation_clear(e);
    if (q->ask == NULL) {
        cli_evaluation_judge(e, q, &options);
        return !e->failed;
    }
    cli_text *line = cli_pipe_line(l->pipe, &id);
    cli_question_put(line, id, q);
    cli_pipe_ask(l->pipe, NULL);
    if (!cli_pipe_reply(&reply, l->pipe, true))
        return false;
    cli_evaluation_take(e, q, &reply, &options);
    return hear_out(l) && !e->failed;
}

/* As the batch takes a file: some are refused before anybody reads them. */
static bool look_as_file(cli_looker *l, cli_span text,
                         bool (*see)(void *, const cli_sight *), void *context)
{
    cli_case c = {.text = {.data = (char *)text.data,
                           .length = text.length,
                           .capacity = text.length + 1}};
    bool ok = cli_batch_sort(&c, &l->view->batch);
    c.text = (cli_text){0};
    if (ok && c.state == CLI_DONE) {
        for (size_t i = 0; i < c.count; i++)
            (void)see(context,
                      &(cli_sight){c.findings[i].rule, c.findings[i].severity,
                                   c.findings[i].signature,
                                   c.findings[i].message});
    } else if (ok) {
        cli_question q = {
            .text = text,
            .csv = c.kind == CLI_MEMORY_CSV,
            .score = l->view->batch.force_kind && c.kind == CLI_SCORE,
            .options = {l->options.data, l->options.length},
            .goal = l->rule,
        };
        if (c.state == CLI_WAIT_PLAN)
            q.ask = cli_kind_name(c.kind);
        ok = evaluate(l, &q) && show(l, see, context);
    }
    cli_case_clear(&c);
    return ok;
}

bool cli_look(cli_looker *l, cli_span text,
              bool (*see)(void *, const cli_sight *), void *context)
{
    const cli_view *view = l->view;
    if (!view->made)
        return look_as_file(l, text, see, context);
    /* A line of JSON cannot carry it, so nobody can be asked. */
    if (view->ask != NULL &&
        cli_utf8_check(text.data, text.length) < text.length)
        return true;
    cli_question q = {.ask = view->ask,
                      .text = text,
                      .options = view->options,
                      .goal = l->rule};
    return evaluate(l, &q) && show(l, see, context);
}
