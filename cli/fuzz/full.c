#include "full.h"

#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "oracle/document.h"
#include "prove.h"
#include "related.h"

#define CHAINED 2048 /* tasks: 16 MiB of chains at most */

void cli_full_options(oracle_judge_options *options, const cli_worker *w,
                      const cli_work *work)
{
    uint32_t each = w->plan.full ? CLI_EACH_RELATED : CLI_EACH;
    *options = (oracle_judge_options){
        .generated = w->name,
        .each = w->block.all ? 0 : each,
        .advised = w->block.all ? 0 : CLI_EACH,
    };
    if (w->plan.full && work->c.tasks <= CHAINED)
        options->method = ORACLE_METHOD_BOTH;
}

static void add(cli_evaluation *e, const char *rule, const char *cause,
                const cli_text *message)
{
    if (message->failed)
        e->failed = true;
    else
        cli_evaluation_add(e, rule, cause, message->data);
}

/* Where two texts begin to differ, with some bytes of both. */
static void put_difference(cli_text *out, cli_span a, cli_span b)
{
    size_t at = 0, shorter = a.length < b.length ? a.length : b.length;
    while (at < shorter && a.data[at] == b.data[at])
        at++;
    size_t from = at < 12 ? 0 : at - 12;
    size_t left_a = a.length - from, left_b = b.length - from;
    cli_text_printf(out, "they differ from byte %zu on: ", at);
    cli_text_json(out, a.data + from, left_a < 32 ? left_a : 32);
    cli_text_put(out, " and ");
    cli_text_json(out, b.data + from, left_b < 32 ? left_b : 32);
}

static bool is_same(cli_span a, cli_span b)
{
    return a.length == b.length &&
           (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

/* --- Documents --- */

static bool is_score(const cli_work *work)
{
    return work->c.ask != NULL && strcmp(work->c.ask, "score") == 0;
}

static void put_document(cli_text *line, int64_t id, const cli_work *work,
                         cli_span text)
{
    cli_text_printf(line, "{\"id\":%lld,\"input\":", (long long)id);
    cli_text_json(line, text.data, text.length);
    cli_text_printf(line,
                    ",\"kind\":\"document\",\"options\":{\"form\":"
                    "\"%s\"}}\n",
                    is_score(work) ? "score" : "json");
}

/* What the planner says of an error: "doc.syntax at line 3, column 5". */
static bool read_error(cli_text *code, int64_t place[3], cli_span answer)
{
    static const char *const names[3] = {"line", "column", "offset"};
    cli_span error, value;
    if (!cli_span_member(&error, answer, "error") ||
        !cli_span_member(&value, error, "code") || !cli_span_text(code, value))
        return false;
    cli_text_put(code, "");
    for (size_t i = 0; i < 3; i++)
        if (!cli_span_member(&value, error, names[i]) ||
            !cli_span_int(&place[i], value))
            return false;
    return !code->failed;
}

static void compare_errors(cli_evaluation *e, cli_span answer,
                           const oracle_error *error, bool with_place)
{
    cli_text code = {0}, message = {0};
    int64_t place[3] = {0};
    const int64_t own[3] = {(int64_t)error->line, (int64_t)error->column,
                            (int64_t)error->offset};
    if (!read_error(&code, place, answer)) {
        cli_text_put(&message, "the planner writes a document again that "
                               "cannot be read: ");
        cli_text_put(&message, error->message);
        add(e, "diff.accept", "document", &message);
    } else if (strcmp(code.data, error->rule) != 0 ||
               (with_place && error->line > 0 &&
                memcmp(place, own, sizeof own) != 0)) {
        cli_text_printf(&message,
                        "the planner's reader refuses it with %s at line %lld, "
                        "column %lld, byte %lld, it is %s at line %lld, "
                        "column %lld, byte %lld (%s)",
                        code.data, (long long)place[0], (long long)place[1],
                        (long long)place[2], error->rule, (long long)own[0],
                        (long long)own[1], (long long)own[2], error->message);
        add(e, "diff.accept", "document", &message);
    }
    cli_text_free(&code);
    cli_text_free(&message);
}

static void compare_bytes(cli_evaluation *e, cli_span answer, cli_span document,
                          cli_span own)
{
    cli_text message = {0};
    if (document.data == NULL) {
        cli_text code = {0};
        int64_t place[3];
        if (!read_error(&code, place, answer))
            cli_text_put(&code, "no error");
        cli_text_printf(&message,
                        "the planner's reader refuses a document that is one, "
                        "with %s",
                        code.data);
        add(e, "diff.accept", "document", &message);
        cli_text_free(&code);
    } else if (!is_same(document, own)) {
        cli_text_put(&message, "the planner writes other bytes than the "
                               "canonical form: ");
        put_difference(&message, document, own);
        add(e, "diff.encoding", "document", &message);
    }
    cli_text_free(&message);
}

/*
 * The other side sees from the text alone what it is, and was not told: where
 * damage hides that, the answer to the first question says who is right.
 */
static bool is_hidden(const cli_work *work)
{
    cli_span text = work->question.text;
    return is_score(work) &&
           oracle_document_detect(text.data, text.length) != ORACLE_KIND_SCORE;
}

/* Against the canonical form of the judge's side. */
static void compare_document(cli_work *work, cli_span answer, cli_span document)
{
    char *own = NULL;
    size_t length = 0;
    oracle_error error = {0};
    oracle_canonical form =
        is_score(work) ? ORACLE_CANONICAL_SCORE : ORACLE_CANONICAL_JSON;
    oracle_status status =
        oracle_canonical_text(&own, &length, work->question.text.data,
                              work->question.text.length, form, false, &error);
    if (status == ORACLE_NO_MEMORY)
        work->e.failed = true;
    else if (status != ORACLE_OK && is_hidden(work))
        return;
    else if (status != ORACLE_OK)
        compare_errors(&work->e, answer, &error, !is_score(work));
    else
        compare_bytes(&work->e, answer, document, (cli_span){own, length});
    free(own);
}

/* --- The same again --- */

typedef struct parts {
    cli_span bundle, notes, error;
} parts;

static void read_parts(parts *p, cli_span answer)
{
    cli_walk walk;
    cli_span key, value;
    *p = (parts){0};
    if (!cli_walk_object(&walk, answer))
        return;
    while (cli_walk_next(&walk, &key, &value)) {
        if (cli_span_is(key, "bundle"))
            p->bundle = value;
        if (cli_span_is(key, "notes"))
            p->notes = value;
        if (cli_span_is(key, "error"))
            p->error = value;
    }
}

static void compare_repeat(cli_work *work, cli_span second)
{
    parts a, b;
    cli_text message = {0};
    read_parts(&a, (cli_span){work->first.data, work->first.length});
    read_parts(&b, second);
    const cli_span pairs[3][2] = {
        {a.bundle, b.bundle}, {a.notes, b.notes}, {a.error, b.error}};
    for (size_t i = 0; i < 3; i++) {
        if (is_same(pairs[i][0], pairs[i][1]))
            continue;
        cli_text_put(&message, "the same question has two answers: ");
        put_difference(&message, pairs[i][0], pairs[i][1]);
        add(&work->e, "diff.repeat", NULL, &message);
        break;
    }
    cli_text_free(&message);
}

/* --- Related inputs --- */

/* It follows from the number of the case. */
static fuzz_relation relation_of(const cli_work *work)
{
    return (fuzz_relation)(work->c.name.index % FUZZ_RELATIONS);
}

static void add_related(cli_work *work, const cli_text *difference)
{
    cli_text message = {0};
    const char *name = fuzz_relation_name(relation_of(work));
    cli_text_printf(&message, "the same case in another way (%s): %s", name,
                    difference->data == NULL ? "?" : difference->data);
    add(&work->e, "diff.metamorphic", name, &message);
    cli_text_free(&message);
}

static void compare_related(cli_worker *w, cli_work *work)
{
    cli_text difference = {0};
    const oracle_judgement *judged = &w->other.judgement;
    work->e.failed = work->e.failed || w->other.failed;
    if (!cli_related_agree(&difference, &work->e.judgement, judged, &work->map,
                           relation_of(work)))
        add_related(work, &difference);
    cli_text_free(&difference);
}

/* False: there is none. */
static bool make_related(cli_worker *w, cli_work *work)
{
    fuzz_limits limits = {.tasks = w->plan.tasks};
    fuzz_relation relation = relation_of(work);
    fuzz_status status = fuzz_case_relate(&work->related, &work->map,
                                          &work->c.name, &limits, relation);
    work->e.failed = work->e.failed || status == FUZZ_NO_MEMORY;
    return status == FUZZ_OK;
}

static cli_question related_question(const cli_work *work)
{
    const fuzz_case *c = &work->related;
    return (cli_question){.ask = c->ask,
                          .text = {c->input.data, c->input.length},
                          .options = {c->options.data, c->options.length}};
}

static void judge_related(cli_worker *w, cli_work *work)
{
    oracle_judge_options options;
    if (!make_related(w, work))
        return;
    cli_question question = related_question(work);
    cli_full_options(&options, w, work);
    cli_evaluation_clear(&w->other);
    cli_evaluation_judge(&w->other, &question, &options);
    compare_related(w, work);
}

static bool ask_related(cli_worker *w, cli_work *work)
{
    if (!make_related(w, work))
        return false;
    cli_question question = related_question(work);
    cli_text *line = cli_pipe_line(w->pipe, &work->id);
    cli_question_put(line, work->id, &question);
    work->step = CLI_STEP_RELATED;
    return true;
}

/* Places are those that our planner must find again. */
static void take_related(cli_worker *w, cli_work *work, const cli_reply *reply)
{
    oracle_judge_options options;
    cli_text difference = {0};
    cli_question question = related_question(work);
    cli_span first = {work->first.data, work->first.length};
    cli_full_options(&options, w, work);
    cli_evaluation_clear(&w->other);
    cli_evaluation_take(&w->other, &question, reply, &options);
    compare_related(w, work);
    if (!cli_related_answers(&difference, first, reply->answer, &work->map,
                             relation_of(work), w->plan.planner == NULL))
        add_related(work, &difference);
    cli_text_free(&difference);
}

/* --- Step by step --- */

static bool ask_document(cli_worker *w, cli_work *work, cli_step step,
                         cli_span text)
{
    cli_text *line = cli_pipe_line(w->pipe, &work->id);
    put_document(line, work->id, work, text);
    work->step = step;
    return true;
}

/* Ours alone knows such requests, and lines carry UTF-8 alone. */
static bool has_document(const cli_worker *w, const cli_work *work)
{
    cli_span text = work->question.text;
    return w->plan.planner == NULL &&
           cli_utf8_check(text.data, text.length) == text.length;
}

static bool ask_again(cli_worker *w, cli_work *work)
{
    if (work->question.ask == NULL)
        return false;
    cli_text *line = cli_pipe_line(w->pipe, &work->id);
    cli_question_put(line, work->id, &work->question);
    work->step = CLI_STEP_REPEAT;
    return true;
}

void cli_full_prove(cli_worker *w, cli_work *work, const cli_reply *reply)
{
    parts p;
    int64_t capacity = cli_question_capacity(&work->question);
    if (reply == NULL) {
        cli_prove(&work->e, work->question.text, capacity, w->plan.replay);
        return;
    }
    read_parts(&p, reply->answer);
    if (p.bundle.data != NULL && !work->e.refused)
        cli_prove(&work->e, p.bundle, 0, w->plan.replay);
}

static bool take_first(cli_worker *w, cli_work *work, const cli_reply *reply)
{
    cli_full_prove(w, work, reply);
    if (reply != NULL) {
        cli_text_clear(&work->first);
        cli_text_add(&work->first, reply->answer.data, reply->answer.length);
    } else if (work->c.ask == NULL) {
        judge_related(w, work);
    }
    if (has_document(w, work))
        return ask_document(w, work, CLI_STEP_DOCUMENT, work->question.text);
    return ask_again(w, work);
}

static bool take_document(cli_worker *w, cli_work *work, cli_span answer)
{
    cli_span document = {NULL, 0};
    if (!cli_span_member(&document, answer, "document"))
        document = (cli_span){NULL, 0};
    compare_document(work, answer, document);
    if (document.data == NULL)
        return ask_again(w, work);
    cli_text_clear(&work->document);
    cli_text_add(&work->document, document.data, document.length);
    cli_span copy = {work->document.data, work->document.length};
    return ask_document(w, work, CLI_STEP_AGAIN, copy);
}

static bool take_again(cli_worker *w, cli_work *work, cli_span answer)
{
    cli_span second = {"", 0};
    cli_span first = {work->document.data, work->document.length};
    cli_text message = {0};
    if (!cli_span_member(&second, answer, "document"))
        second = (cli_span){"", 0};
    if (!is_same(first, second)) {
        cli_text_put(&message,
                     "a document that the planner has written is another when "
                     "it is read and written again: ");
        put_difference(&message, first, second);
        add(&work->e, "diff.roundtrip", NULL, &message);
    }
    cli_text_free(&message);
    return ask_again(w, work);
}

bool cli_full_next(cli_worker *w, cli_work *work, const cli_reply *reply)
{
    bool first = work->step == CLI_STEP_FIRST;
    if (reply != NULL && reply->event != CLI_ANSWER) {
        if (!first)
            cli_evaluation_fail(&work->e, reply);
        return false;
    }
    if (first)
        return take_first(w, work, reply);
    if (work->step == CLI_STEP_DOCUMENT)
        return take_document(w, work, reply->answer);
    if (work->step == CLI_STEP_AGAIN)
        return take_again(w, work, reply->answer);
    if (work->step == CLI_STEP_RELATED) {
        take_related(w, work, reply);
        return false;
    }
    compare_repeat(work, reply->answer);
    return ask_related(w, work);
}
