#include "pair.h"

#include <stdio.h>
#include <string.h>

#include "crew.h"

typedef struct question {
    const char *kind;
    const cli_kept *first, *second;
    const cli_batch_options *options;
    bool same, asked, answered;
    cli_case *c;
    char *problem;
    size_t size;
} question;

bool cli_kept_take(cli_kept *kept, const cli_case *c)
{
    cli_kept_free(kept);
    if (c->verdict >= CLI_REFUSED)
        return true;
    kept->found = c->found;
    kept->kind = c->kind;
    memcpy(kept->sha256, c->sha256, sizeof kept->sha256);
    kept->is_bundle = c->bundle.length > 0;
    const cli_text *text = kept->is_bundle ? &c->bundle : &c->text;
    cli_text_add(&kept->text, text->data, text->length);
    return !kept->text.failed;
}

void cli_kept_free(cli_kept *kept)
{
    cli_text_free(&kept->text);
    *kept = (cli_kept){0};
}

static void put_kept(cli_text *line, const cli_kept *kept, const char *document,
                     const char *input)
{
    cli_text_printf(line, ",\"%s\":", kept->is_bundle ? document : input);
    if (kept->is_bundle)
        cli_text_add(line, kept->text.data, kept->text.length);
    else
        cli_text_json(line, kept->text.data, kept->text.length);
}

static bool next(void *context, cli_text *request)
{
    question *q = context;
    if (q->asked)
        return false;
    q->asked = true;
    cli_text_printf(request, "{\"case\":\"%s\",\"id\":1,\"kind\":\"%s\"",
                    q->first->sha256, q->kind);
    cli_text_printf(request, ",\"options\":{\"same\":%d", q->same);
    if (q->options->rules != NULL) {
        cli_text_put(request, ",\"rules\":");
        cli_text_quote(request, q->options->rules);
    }
    cli_text_put(request, "}");
    put_kept(request, q->first, "document", "input");
    put_kept(request, q->second, "second", "second_input");
    cli_text_put(request, "}\n");
    return true;
}

static bool done(void *context, cli_event event, cli_span answer,
                 const char *problem)
{
    question *q = context;
    q->answered = event == CLI_ANSWER && cli_case_take_judgement(q->c, answer);
    if (!q->answered)
        snprintf(q->problem, q->size, "the process that compares %s",
                 event == CLI_ANSWER ? "gave an answer that is none" : problem);
    return q->answered;
}

bool cli_pair_ask(cli_case *c, const char *kind, const cli_kept *first,
                  const cli_kept *second, bool same,
                  const cli_batch_options *options, char *problem, size_t size)
{
    question q = {
        .kind = kind,
        .first = first,
        .second = second,
        .options = options,
        .same = same,
        .c = c,
        .problem = problem,
        .size = size,
    };
    cli_child_spec spec = {.judge = true,
                           .timeout_ms = options->timeout_ms,
                           .memory = options->memory};
    cli_crew_calls calls = {next, done, &q};
    *c = (cli_case){.found = first->found, .kind = first->kind};
    memcpy(c->sha256, first->sha256, sizeof c->sha256);
    snprintf(problem, size, "out of memory, or of processes");
    return cli_crew_run(&spec, 1, &calls) && q.answered;
}
