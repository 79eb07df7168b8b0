/* counterpoint conform: vectors of another implementation, field by field. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "crew.h"
#include "input.h"
#include "print.h"
#include "totals.h"

#define DEFAULT_LIMIT 10

enum { PASSED, FAILED, REFUSED, UNKNOWN, STATES };
static const char *const state_names[STATES] = {"passed", "failed", "refused",
                                                "unknown"};

typedef struct field {
    char *name;
    int64_t counts[STATES];
} field;

/* A line under way. */
typedef struct origin {
    size_t file;
    uint64_t line;
    size_t bad_byte; /* its place in the line + 1, or 0 */
} origin;

typedef struct conform {
    const cli_options *options;
    size_t file;     /* the next to be opened */
    cli_text text;   /* of the one before it */
    size_t at;       /* place in it */
    uint64_t line;   /* of that place, from 1 */
    origin *origins; /* of all cases, by number */
    size_t sent, handed, room;
    field *fields; /* in the order of their first appearance */
    size_t field_count;
    int64_t cases, cases_refused, broken, counts[STATES];
    int64_t shown, differences, opened, unopened;
    cli_text list; /* the first differences, for people or as JSON items */
} conform;

/* --- Lines --- */

static bool open_next(conform *c)
{
    char problem[160];
    while (c->file < c->options->file_count) {
        const char *path = c->options->files[c->file++];
        cli_text_free(&c->text);
        c->at = 0;
        c->line = 0;
        if (cli_input_read(&c->text, path, CLI_INPUT_LIMIT, false, problem,
                           sizeof problem)) {
            c->opened++;
            return true;
        }
        cli_complain(0, "%s %s", path, problem);
        c->unopened++;
    }
    return false;
}

/* The next line that is not blank, without its end. */
static bool next_line(conform *c, cli_span *line)
{
    for (;;) {
        if (c->at >= c->text.length && !open_next(c))
            return false;
        if (c->at >= c->text.length)
            continue;
        const char *start = c->text.data + c->at;
        size_t rest = c->text.length - c->at;
        const char *end = memchr(start, '\n', rest);
        line->data = start;
        line->length = end == NULL ? rest : (size_t)(end - start);
        c->at += line->length + (end == NULL ? 0 : 1);
        c->line++;
        size_t blank = 0;
        while (blank < line->length && strchr(" \t\r", start[blank]) != NULL &&
               start[blank] != '\0')
            blank++;
        if (blank < line->length)
            return true;
    }
}

static bool next_request(void *context, cli_text *request)
{
    conform *c = context;
    cli_span line;
    if (!next_line(c, &line))
        return false;
    if (c->sent == c->room) {
        size_t room = c->room == 0 ? 256 : 2 * c->room;
        origin *origins = reallocarray(c->origins, room, sizeof *origins);
        if (origins == NULL) {
            request->failed = true;
            return false;
        }
        c->origins = origins;
        c->room = room;
    }
    size_t good = cli_utf8_check(line.data, line.length);
    c->origins[c->sent++] =
        (origin){c->file - 1, c->line, good < line.length ? good + 1 : 0};
    cli_text_printf(request,
                    "{\"id\":%zu,\"kind\":\"conform\",\"input\":", c->sent);
    cli_text_json(request, line.data, good < line.length ? 0 : line.length);
    cli_text_put(request, "}\n");
    return true;
}

/* --- Answers --- */

static bool count_field(conform *c, cli_span name, int state)
{
    size_t i = 0;
    while (i < c->field_count && !cli_span_is(name, c->fields[i].name))
        i++;
    if (i == c->field_count) {
        field *fields = reallocarray(c->fields, i + 1, sizeof *fields);
        if (fields == NULL)
            return false;
        c->fields = fields;
        fields[i] = (field){.name = strndup(name.data, name.length)};
        if (fields[i].name == NULL)
            return false;
        c->field_count++;
    }
    c->fields[i].counts[state]++;
    c->counts[state]++;
    return true;
}

static int64_t limit_of(const conform *c)
{
    return c->options->limit > 0 ? c->options->limit : DEFAULT_LIMIT;
}

/* One difference: "file:line case field: what". */
static void put_difference(conform *c, const origin *o, cli_span name,
                           cli_span field_name, cli_span detail)
{
    const char *path = c->options->files[o->file];
    if (c->differences++ >= limit_of(c))
        return;
    c->shown++;
    if (!c->options->json) {
        cli_text_printf(&c->list, "%s:%llu: %.*s%s%.*s%.*s\n", path,
                        (unsigned long long)o->line, (int)name.length,
                        name.length == 0 ? "" : name.data,
                        name.length == 0 ? "" : " ", (int)field_name.length,
                        field_name.data, (int)detail.length, detail.data);
        return;
    }
    cli_text_put(&c->list, c->shown > 1 ? ",{\"case\":" : "{\"case\":");
    cli_text_json(&c->list, name.data, name.length);
    cli_text_put(&c->list, ",\"field\":");
    cli_text_json(&c->list, field_name.data, field_name.length);
    cli_text_put(&c->list, ",\"file\":");
    cli_text_quote(&c->list, path);
    cli_text_printf(&c->list,
                    ",\"line\":%llu,\"message\":", (unsigned long long)o->line);
    cli_text_json(&c->list, detail.data, detail.length);
    cli_text_put(&c->list, "}");
}

static cli_span span_of(const char *text)
{
    return (cli_span){text, strlen(text)};
}

/* A line without an answer: it counts once, in a row of its own. */
static bool take_broken(conform *c, const origin *o, const char *row,
                        const char *problem)
{
    c->broken++;
    put_difference(c, o, span_of(""), span_of(row), span_of(problem));
    return count_field(c, span_of(row), FAILED);
}

static bool take_malformed(conform *c, const origin *o, cli_span malformed)
{
    cli_text text = {0};
    cli_span value;
    int64_t column = 0;
    if (cli_span_member(&value, malformed, "column"))
        cli_span_int(&column, value);
    cli_text_printf(&text, ": column %lld: ", (long long)column);
    if (cli_span_member(&value, malformed, "message"))
        cli_span_text(&text, value);
    bool ok = !text.failed && take_broken(c, o, "(line)", text.data);
    cli_text_free(&text);
    return ok;
}

static int state_of(cli_span value)
{
    for (int i = 0; i < STATES; i++)
        if (value.length == strlen(state_names[i]) + 2 &&
            memcmp(value.data + 1, state_names[i], value.length - 2) == 0)
            return i;
    return FAILED;
}

static bool take_field(conform *c, const origin *o, cli_span name,
                       cli_span item)
{
    cli_text texts[2] = {{0}, {0}};
    cli_span value;
    int state = FAILED;
    bool ok = cli_span_member(&value, item, "field") &&
              cli_span_text(&texts[0], value);
    if (ok && cli_span_member(&value, item, "state"))
        state = state_of(value);
    if (ok && cli_span_member(&value, item, "detail"))
        ok = cli_span_text(&texts[1], value);
    cli_text_put(&texts[0], "");
    cli_text_put(&texts[1], "");
    ok = ok && !texts[0].failed && !texts[1].failed;
    if (ok) {
        cli_span field_name = {texts[0].data, texts[0].length};
        cli_span detail = {texts[1].data, texts[1].length};
        if (state == FAILED)
            put_difference(c, o, name, field_name, detail);
        ok = count_field(c, field_name, state);
    }
    cli_text_free(&texts[0]);
    cli_text_free(&texts[1]);
    return ok;
}

static bool take_fields(conform *c, const origin *o, cli_span answer,
                        cli_span list)
{
    cli_walk walk;
    cli_span key, item, value;
    cli_text name = {0};
    bool ok = cli_walk_array(&walk, list);
    if (cli_span_member(&value, answer, "name"))
        ok = ok && cli_span_text(&name, value);
    cli_text_put(&name, "");
    ok = ok && !name.failed;
    while (ok && cli_walk_next(&walk, &key, &item))
        ok = take_field(c, o, (cli_span){name.data, name.length}, item);
    cli_text_free(&name);
    if (cli_span_member(&value, answer, "refused"))
        c->cases_refused++;
    return ok;
}

static bool take(void *context, cli_event event, cli_span answer,
                 const char *problem)
{
    conform *c = context;
    const origin *o = &c->origins[c->handed++];
    cli_span value;
    char text[160];
    c->cases++;
    if (o->bad_byte > 0) {
        snprintf(text, sizeof text, ": byte %zu is not UTF-8", o->bad_byte);
        return take_broken(c, o, "(line)", text);
    }
    if (event != CLI_ANSWER) {
        snprintf(text, sizeof text, ": the process %s", problem);
        return take_broken(c, o, "(case)", text);
    }
    if (cli_span_member(&value, answer, "malformed"))
        return take_malformed(c, o, value);
    return cli_span_member(&value, answer, "fields") &&
           take_fields(c, o, answer, value);
}

/* --- The end --- */

static void put_table(cli_text *out, const conform *c)
{
    int width = 5;
    for (size_t i = 0; i < c->field_count; i++)
        if ((int)strlen(c->fields[i].name) > width)
            width = (int)strlen(c->fields[i].name);
    width = width > 60 ? 60 : width;
    cli_text_printf(out, "%-*s %9s %9s %9s\n", width, "field", "passed",
                    "failed", "refused");
    for (size_t i = 0; i < c->field_count; i++) {
        const field *f = &c->fields[i];
        cli_text_printf(out, "%-*s %9lld %9lld %9lld", width, f->name,
                        (long long)f->counts[PASSED],
                        (long long)f->counts[FAILED],
                        (long long)f->counts[REFUSED]);
        if (f->counts[UNKNOWN] > 0)
            cli_text_printf(out, "  unknown, not checked: %lld",
                            (long long)f->counts[UNKNOWN]);
        cli_text_put(out, "\n");
    }
}

static void put_people(cli_text *out, const conform *c)
{
    cli_text_add(out, c->list.data, c->list.length);
    if (c->differences > c->shown)
        cli_text_printf(out, "... and %lld more differences (--limit N)\n",
                        (long long)(c->differences - c->shown));
    if (c->list.length > 0)
        cli_text_put(out, "\n");
    if (!c->options->quiet) {
        put_table(out, c);
        cli_text_printf(out,
                        "\n%lld cases: %lld compared, %lld refused by rule\n",
                        (long long)c->cases,
                        (long long)(c->cases - c->cases_refused - c->broken),
                        (long long)c->cases_refused);
    }
    if (c->counts[UNKNOWN] > 0)
        cli_text_printf(out, "%lld values of unknown fields not checked\n",
                        (long long)c->counts[UNKNOWN]);
    cli_text_printf(out, "%lld passed, %lld failed\n",
                    (long long)c->counts[PASSED], (long long)c->counts[FAILED]);
}

static void put_json(cli_text *out, const conform *c)
{
    cli_text_printf(out,
                    "{\"cases\":%lld,\"cases_refused\":%lld,"
                    "\"differences\":[",
                    (long long)c->cases, (long long)c->cases_refused);
    cli_text_add(out, c->list.data, c->list.length);
    cli_text_printf(out, "],\"failed\":%lld,\"fields\":{",
                    (long long)c->counts[FAILED]);
    for (size_t i = 0; i < c->field_count; i++) {
        cli_text_put(out, i > 0 ? "," : "");
        cli_text_quote(out, c->fields[i].name);
        cli_text_put(out, ":{");
        for (int s = 0; s < STATES; s++)
            cli_text_printf(out, "%s\"%s\":%lld", s > 0 ? "," : "",
                            state_names[s], (long long)c->fields[i].counts[s]);
        cli_text_put(out, "}");
    }
    cli_text_printf(out,
                    "},\"passed\":%lld,\"refused\":%lld,\"unknown\":%lld}\n",
                    (long long)c->counts[PASSED], (long long)c->counts[REFUSED],
                    (long long)c->counts[UNKNOWN]);
}

static int exit_status(const conform *c)
{
    if (c->opened == 0)
        return CLI_EXIT_USAGE;
    if (c->counts[FAILED] > 0 || c->unopened > 0)
        return CLI_EXIT_FINDINGS;
    return c->counts[PASSED] > 0 ? CLI_EXIT_FINE : CLI_EXIT_NOTHING;
}

static int finish(conform *c, bool done, const char *problem)
{
    cli_text out = {0};
    if (done && c->opened > 0) {
        if (c->options->json)
            put_json(&out, c);
        else
            put_people(&out, c);
        done = !c->list.failed && cli_print_out(stdout, &out);
    }
    cli_text_free(&out);
    if (!done)
        return cli_complain(CLI_EXIT_FAULT,
                            "the comparison could not be completed%s%s",
                            *problem == '\0' ? "" : ": ", problem);
    return exit_status(c);
}

int cli_verb_conform(const cli_options *options)
{
    cli_batch_options limits;
    conform c = {.options = options};
    char problem[CLI_PROBLEM] = "";
    cli_crew_calls calls = {
        .next = next_request, .done = take, .context = &c, .problem = problem};
    cli_batch_options_set(&limits, options);
    cli_child_spec spec = {.timeout_ms = limits.timeout_ms,
                           .memory = limits.memory};
    bool done = cli_crew_run(&spec, limits.jobs, &calls);
    int status = finish(&c, done, problem);
    for (size_t i = 0; i < c.field_count; i++)
        free(c.fields[i].name);
    free(c.fields);
    free(c.origins);
    cli_text_free(&c.text);
    cli_text_free(&c.list);
    return status;
}
