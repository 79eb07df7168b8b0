#include "evaluate_work.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "oracle/answer.h"

/*
 * Findings listed: enough that none is left out at the sizes of the fuzzer, or
 * a rule that must be there could be among those that are only counted.
 */
#define EVERY 65536

void cli_evaluation_clear(cli_evaluation *e)
{
    oracle_judgement_free(&e->judgement);
    oracle_judgement_free(&e->beside);
    oracle_judgement_free(&e->own);
    e->judgement = e->beside = e->own = (oracle_judgement){0};
    e->verdict = CLI_CLEAN;
    e->refused = false;
    cli_text_clear(&e->code);
    cli_text_clear(&e->message);
    cli_text_clear(&e->notes);
    e->digest[0] = e->said[0] = '\0';
    e->failed = false;
}

void cli_evaluation_free(cli_evaluation *e)
{
    cli_evaluation_clear(e);
    cli_text_free(&e->code);
    cli_text_free(&e->message);
    cli_text_free(&e->notes);
    *e = (cli_evaluation){0};
}

size_t cli_evaluation_count(const cli_evaluation *e)
{
    return (size_t)e->judgement.count + e->beside.count + e->own.count;
}

const oracle_finding *cli_evaluation_at(const cli_evaluation *e, size_t i)
{
    if (i < e->judgement.count)
        return &e->judgement.findings[i];
    i -= e->judgement.count;
    if (i < e->beside.count)
        return &e->beside.findings[i];
    return &e->own.findings[i - e->beside.count];
}

static void mark_all(cli_evaluation *e, oracle_judgement *j, char mark)
{
    for (uint32_t i = 0; i < j->count; i++)
        if (oracle_answer_marks(j->findings[i].rule) &&
            oracle_finding_mark(j, i, mark) != ORACLE_OK)
            e->failed = true;
}

void cli_evaluation_mark(cli_evaluation *e, char mark)
{
    mark_all(e, &e->judgement, mark);
    mark_all(e, &e->own, mark);
}

bool cli_evaluation_has(const cli_evaluation *e, const char *rule)
{
    if (e->refused && strcmp(e->code.data, rule) == 0)
        return true;
    const char *note = e->notes.data;
    for (size_t at = 0; at < e->notes.length; at += strlen(note + at) + 1)
        if (strcmp(note + at, rule) == 0)
            return true;
    for (size_t i = 0; i < cli_evaluation_count(e); i++)
        if (strcmp(cli_evaluation_at(e, i)->rule, rule) == 0)
            return true;
    return false;
}

/* --- Findings of our own --- */

void cli_planner_name(char name[CLI_PLANNER_NAME], const char *command)
{
    size_t length = 0, word = 0;
    const char *at = command == NULL ? "counterpoint" : command;
    for (; *at != '\0' && length + 1 < CLI_PLANNER_NAME; at++) {
        if (*at == '/')
            length = word;
        else
            name[length++] = *at;
        if (*at == ' ')
            word = length;
    }
    name[length] = '\0';
}

void cli_evaluation_add(cli_evaluation *e, const char *rule, const char *cause,
                        const char *message)
{
    cli_evaluation_add_about(e, rule, cause, NULL, message);
}

void cli_evaluation_add_about(cli_evaluation *e, const char *rule,
                              const char *cause, const char *about,
                              const char *message)
{
    const oracle_judge_options options = {.case_digest = e->digest,
                                          .generated = e->generated};
    if (oracle_finding_make(&e->own, rule, cause, about, message, &options) !=
        ORACLE_OK)
        e->failed = true;
    if (e->verdict != CLI_REFUSED && e->verdict < CLI_CRASHED)
        e->verdict = CLI_FINDINGS;
}

/* --- What the planner says --- */

void cli_question_put(cli_text *line, int64_t id, const cli_question *q)
{
    cli_text_printf(line, "{\"id\":%lld,\"input\":", (long long)id);
    cli_text_json(line, q->text.data, q->text.length);
    cli_text_printf(line, ",\"kind\":\"%s\"", q->ask);
    if (q->options.length > 0) {
        cli_text_put(line, ",\"options\":");
        cli_text_add(line, q->options.data, q->options.length);
    }
    cli_text_put(line, "}\n");
}

/*
 * What an answer says of an error, if it is one. Ours begin with what they
 * are; the judge reads the rest.
 */
static bool find_error(cli_span *error, cli_span answer)
{
    static const char bundle[] = "{\"bundle\":";
    if (answer.length > sizeof bundle &&
        memcmp(answer.data, bundle, sizeof bundle - 1) == 0)
        return false;
    return cli_span_member(error, answer, "error");
}

/* --- Taking it in --- */

static cli_verdict verdict_of(oracle_verdict verdict)
{
    static const cli_verdict verdicts[] = {
        [ORACLE_CLEAN] = CLI_CLEAN,
        [ORACLE_FINDINGS] = CLI_FINDINGS,
        [ORACLE_UNDECIDED] = CLI_UNDECIDED,
        [ORACLE_REFUSED] = CLI_REFUSED,
    };
    return verdicts[verdict];
}

void cli_evaluation_fail(cli_evaluation *e, const cli_reply *reply)
{
    static const struct {
        const char *rule;
        cli_verdict verdict;
    } failures[] = {
        [CLI_CRASH] = {"planner.crash", CLI_CRASHED},
        [CLI_TIMEOUT] = {"planner.timeout", CLI_TIMED_OUT},
        [CLI_MEMORY] = {"planner.memory", CLI_CRASHED},
        [CLI_PROTOCOL] = {"planner.protocol", CLI_CRASHED},
    };
    bool placed = *reply->frames != '\0';
    snprintf(e->said, sizeof e->said, "%s", reply->said);
    e->verdict = failures[reply->event].verdict;
    cli_text_printf(&e->message, "the planner %s%s%s", reply->problem,
                    placed ? " in " : "", reply->frames);
    if (!e->message.failed)
        cli_evaluation_add(e, failures[reply->event].rule,
                           placed ? reply->frames : reply->problem,
                           e->message.data);
}

static void fail_protocol(cli_evaluation *e)
{
    cli_reply reply = {
        .event = CLI_PROTOCOL,
        .problem = "gave an answer that is none",
        .frames = "",
        .said = "",
    };
    cli_evaluation_fail(e, &reply);
}

void cli_evaluation_unasked(cli_evaluation *e, const char *label)
{
    char message[240];
    snprintf(message, sizeof message,
             "the planner gave a line that answers nothing then (a second "
             "answer, one out of order, or none), %s%s",
             *label != '\0' ? "and does so when it is asked for nothing else "
                              "than "
                            : "in some case of the block and in none alone",
             label);
    cli_evaluation_add(e, "planner.protocol",
                       "gave a line that answers nothing", message);
}

static void take_error(cli_evaluation *e, cli_span error)
{
    cli_span code, message;
    if (!cli_span_member(&code, error, "code") ||
        !cli_span_text(&e->code, code) || e->code.length == 0 ||
        !cli_span_member(&message, error, "message") ||
        !cli_span_text(&e->message, message)) {
        cli_text_clear(&e->code);
        cli_text_clear(&e->message);
        fail_protocol(e);
        return;
    }
    e->refused = true;
    e->verdict = CLI_REFUSED;
}

/* What a text that is judged has to fit into, where its options say so. */
int64_t cli_question_capacity(const cli_question *q)
{
    cli_span value;
    int64_t bytes = 0;
    if (q->ask != NULL || q->options.length == 0 ||
        !cli_span_member(&value, q->options, "capacity") ||
        !cli_span_int(&bytes, value))
        return 0;
    return bytes;
}

static bool begin(cli_evaluation *e, oracle_judge_options *with,
                  const cli_question *q, const oracle_judge_options *options)
{
    int64_t capacity = cli_question_capacity(q);
    *with = *options;
    with->capacity = capacity > 0 ? capacity : options->capacity;
    with->rules = q->rules != NULL ? q->rules : options->rules;
    with->csv = q->csv || options->csv;
    with->score = q->score || options->score;
    with->limit = options->limit == 0 ? EVERY : options->limit;
    with->case_digest = e->digest;
    e->generated = with->generated;
    e->each = with->each;
    if (!cli_sha256(e->digest, q->text.data, q->text.length))
        e->failed = true;
    return !e->failed;
}

/*
 * False: there are surely none. Ours end with the notes, a list, and the id
 * behind it; a bundle is an object.
 */
static bool may_have_notes(cli_span answer)
{
    size_t at = answer.length;
    while (at > 0 && answer.data[at - 1] != ',')
        at--;
    return at < 2 || answer.data[at - 2] != '}' ||
           strncmp(answer.data + at, "\"id\":", 5) != 0;
}

static void take_notes(cli_evaluation *e, cli_span answer)
{
    cli_walk walk;
    cli_span key, item, notes, code;
    if (!may_have_notes(answer) || !cli_span_member(&notes, answer, "notes") ||
        !cli_walk_array(&walk, notes))
        return;
    while (cli_walk_next(&walk, &key, &item))
        if (cli_span_member(&code, item, "code") &&
            cli_span_text(&e->notes, code))
            cli_text_add(&e->notes, "", 1);
    e->failed = e->failed || e->notes.failed;
}

static oracle_bytes bytes_of(cli_span span)
{
    return (oracle_bytes){span.data == NULL ? "" : span.data, span.length};
}

/* For one rule either the judgement or the comparison can be left out. */
static oracle_status judge_answer(cli_evaluation *e, const cli_question *q,
                                  cli_span answer,
                                  const oracle_judge_options *options)
{
    oracle_question question = {
        .kind = q->ask,
        .input = bytes_of(q->text),
        .options = bytes_of(q->options),
        .expected = bytes_of(q->expected),
    };
    return (q->goal == NULL                ? oracle_answer_judge
            : oracle_answer_tells(q->goal) ? oracle_answer_check
                                           : oracle_answer_bundle)(
        &e->judgement, &question, bytes_of(answer), options);
}

static void take_answer(cli_evaluation *e, const cli_question *q,
                        cli_span answer, const oracle_judge_options *options)
{
    cli_span error;
    oracle_status status = judge_answer(e, q, answer, options);
    if (status == ORACLE_NO_MEMORY) {
        e->failed = true;
        return;
    }
    if (status != ORACLE_OK) {
        fail_protocol(e);
        return;
    }
    e->verdict = verdict_of(e->judgement.verdict);
    if (find_error(&error, answer))
        take_error(e, error);
    else
        take_notes(e, answer);
}

void cli_evaluation_take(cli_evaluation *e, const cli_question *q,
                         const cli_reply *reply,
                         const oracle_judge_options *options)
{
    oracle_judge_options with;
    if (!begin(e, &with, q, options))
        return;
    if (reply->event != CLI_ANSWER)
        cli_evaluation_fail(e, reply);
    else
        take_answer(e, q, reply->answer, &with);
}

void cli_evaluation_judge(cli_evaluation *e, const cli_question *q,
                          const oracle_judge_options *options)
{
    oracle_judge_options with;
    if (!begin(e, &with, q, options))
        return;
    if (oracle_judge_text(&e->judgement, q->text.data, q->text.length, &with) !=
        ORACLE_OK)
        e->failed = true;
    else
        e->verdict = verdict_of(e->judgement.verdict);
}

void cli_evaluation_beside(cli_evaluation *e, const cli_question *q)
{
    oracle_judge_options options = {
        .case_digest = e->digest,
        .generated = e->generated,
        .limit = EVERY,
        .each = e->each,
    };
    if (oracle_judge_text(&e->beside, q->text.data, q->text.length, &options) !=
        ORACLE_OK)
        e->failed = true;
}

/* --- One after the other --- */

struct cli_evaluator {
    cli_pipe *pipe;
};

cli_evaluator *cli_evaluator_new(const cli_child_spec *spec)
{
    cli_evaluator *evaluator = calloc(1, sizeof *evaluator);
    if (evaluator == NULL)
        return NULL;
    evaluator->pipe = cli_pipe_new(spec);
    if (evaluator->pipe == NULL) {
        free(evaluator);
        return NULL;
    }
    return evaluator;
}

void cli_evaluator_free(cli_evaluator *evaluator)
{
    if (evaluator == NULL)
        return;
    cli_pipe_free(evaluator->pipe);
    free(evaluator);
}

bool cli_evaluate(cli_evaluation *e, cli_evaluator *evaluator,
                  const cli_question *q)
{
    oracle_judge_options options = {0};
    cli_reply reply;
    int64_t id;
    cli_evaluation_clear(e);
    if (q->ask == NULL) {
        cli_evaluation_judge(e, q, &options);
        return !e->failed;
    }
    cli_text *line = cli_pipe_line(evaluator->pipe, &id);
    assert(line != NULL); /* nothing else is under way */
    cli_question_put(line, id, q);
    cli_pipe_ask(evaluator->pipe, NULL);
    if (!cli_pipe_reply(&reply, evaluator->pipe, true)) {
        cli_text_put(&e->message, cli_pipe_problem(evaluator->pipe));
        e->failed = true;
        return false;
    }
    cli_evaluation_take(e, q, &reply, &options);
    return !e->failed;
}
