#include "pair.h"

#include <stdio.h>
#include <string.h>

#include "crew.h"

typedef struct question {
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

void cli_pair_request(cli_text *line, const char *kind, const cli_kept *first,
                      const cli_kept *second, bool same,
                      const cli_batch_options *options)
{
    cli_text_printf(line, "{\"case\":\"%s\",\"id\":1,\"kind\":\"%s\"",
                    first->sha256, kind);
    cli_text_printf(line, ",\"options\":{\"same\":%d", same);
    if (options->rules != NULL) {
        cli_text_put(line, ",\"rules\":");
        cli_text_quote(line, options->rules);
    }
    cli_text_put(line, "}");
    put_kept(line, first, "document", "input");
    put_kept(line, second, "second", "second_input");
    cli_text_put(line, "}\n");
}

static bool next(void *context, cli_text *request)
{
    question *q = context;
    if (q->asked)
        return false;
    q->asked = true;
    cli_pair_request(request, "compare", q->first, q->second, q->same,
                     q->options);
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

bool cli_pair_compare(cli_case *c, const cli_kept *first,
                      const cli_kept *second, bool same,
                      const cli_batch_options *options, char *problem,
                      size_t size)
{
    question q = {
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
    cli_crew_calls calls = {.next = next, .done = done, .context = &q};
    *c = (cli_case){.found = first->found, .kind = first->kind};
    memcpy(c->sha256, first->sha256, sizeof c->sha256);
    snprintf(problem, size, "out of memory, or of processes");
    return cli_crew_run(&spec, 1, &calls) && q.answered;
}
