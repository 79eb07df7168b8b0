/* counterpoint fingerprint: the fingerprints of Scores. */
#include <string.h>

#include "command.h"
#include "crew.h"
#include "input.h"
#include "print.h"
#include "totals.h"

typedef struct work {
    const cli_options *options;
    size_t next, handed; /* files */
    int64_t printed, opened;
    bool refused;
} work;

/* A file that cannot be opened goes as an empty request, and is told in its
 * turn. */
static bool next_request(void *context, cli_text *request)
{
    work *w = context;
    cli_text text = {0};
    char problem[160];
    if (w->next == w->options->file_count)
        return false;
    const char *path = w->options->files[w->next++];
    bool ok = cli_input_read(&text, path, CLI_INPUT_LIMIT, false, problem,
                             sizeof problem);
    cli_text_printf(request, "{\"id\":%zu,\"kind\":\"fingerprint\",", w->next);
    if (!ok) {
        cli_text_put(request, "\"problem\":");
        cli_text_quote(request, problem);
    } else if (cli_utf8_check(text.data, text.length) < text.length) {
        cli_text_put(request, "\"problem\":\"is not UTF-8 text\"");
        w->opened++;
    } else {
        cli_text_put(request, "\"input\":");
        cli_text_json(request, text.data, text.length);
        w->opened++;
    }
    cli_text_put(request, "}\n");
    cli_text_free(&text);
    return true;
}

/* A string member; empty where there is none. */
static const char *text_of(cli_text *text, cli_span object, const char *name)
{
    cli_span value;
    cli_text_clear(text);
    if (!cli_span_member(&value, object, name) || !cli_span_text(text, value))
        cli_text_clear(text);
    cli_text_put(text, "");
    return text->failed ? "" : text->data;
}

static bool refuse(work *w, const char *path, cli_span error)
{
    cli_text text = {0}, place = {0}, code = {0};
    cli_span value;
    int64_t line = 0, column = 0;
    if (cli_span_member(&value, error, "line"))
        cli_span_int(&line, value);
    if (cli_span_member(&value, error, "column"))
        cli_span_int(&column, value);
    if (line > 0)
        cli_text_printf(&place, ":%lld:%lld", (long long)line,
                        (long long)column);
    cli_text_put(&place, "");
    cli_complain(0, "%s%s: %s: %s", path, place.failed ? "" : place.data,
                 text_of(&code, error, "code"),
                 text_of(&text, error, "message"));
    bool ok = !text.failed && !place.failed && !code.failed;
    cli_text_free(&text);
    cli_text_free(&place);
    cli_text_free(&code);
    w->refused = true;
    return ok;
}

static void warn(const work *w, const char *path, cli_span answer)
{
    cli_span list, key, item;
    cli_walk walk;
    cli_text text = {0};
    if (w->options->quiet || !cli_span_member(&list, answer, "warnings") ||
        !cli_walk_array(&walk, list))
        return;
    while (cli_walk_next(&walk, &key, &item)) {
        cli_text_clear(&text);
        if (cli_span_text(&text, item) && !text.failed && text.length > 0)
            cli_complain(0, "%s: warning: %s", path, text.data);
    }
    cli_text_free(&text);
}

static bool print(work *w, const char *path, cli_span answer)
{
    cli_text out = {0}, plain = {0}, full = {0};
    text_of(&plain, answer, "fingerprint");
    text_of(&full, answer, "fingerprint_with_metadata");
    if (w->options->json) {
        cli_text_put(&out, "{\"file\":");
        cli_text_quote(&out, path);
        cli_text_printf(&out,
                        ",\"fingerprint\":\"%s\","
                        "\"fingerprint_with_metadata\":\"%s\"}\n",
                        plain.data, full.data);
    } else {
        cli_text_printf(&out, "%s  %s\n%s  %s (with metadata)\n", plain.data,
                        path, full.data, path);
    }
    bool ok = !plain.failed && !full.failed && cli_print_out(stdout, &out);
    cli_text_free(&out);
    cli_text_free(&plain);
    cli_text_free(&full);
    w->printed++;
    return ok;
}

static bool take(void *context, cli_event event, cli_span answer,
                 const char *problem)
{
    work *w = context;
    const char *path = w->options->files[w->handed++];
    cli_span value;
    if (event != CLI_ANSWER) {
        cli_complain(0, "%s: the process %s", path, problem);
        return false;
    }
    if (cli_span_member(&value, answer, "error"))
        return refuse(w, path, value);
    warn(w, path, answer);
    return print(w, path, answer);
}

int cli_verb_fingerprint(const cli_options *options)
{
    cli_batch_options limits;
    work w = {.options = options};
    char problem[CLI_PROBLEM] = "";
    cli_crew_calls calls = {
        .next = next_request, .done = take, .context = &w, .problem = problem};
    cli_batch_options_set(&limits, options);
    cli_child_spec spec = {.timeout_ms = limits.timeout_ms,
                           .memory = limits.memory};
    if (!cli_crew_run(&spec, limits.jobs, &calls))
        return cli_complain(CLI_EXIT_FAULT,
                            "not every fingerprint could be made%s%s",
                            *problem == '\0' ? "" : ": ", problem);
    if (w.opened == 0)
        return CLI_EXIT_USAGE;
    return w.refused ? CLI_EXIT_FINDINGS : CLI_EXIT_FINE;
}
