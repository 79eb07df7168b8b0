/* counterpoint graph: the task graph of one input as DOT, SVG or JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "graph/draw.h"
#include "graph/labels.h"
#include "one.h"
#include "print.h"
#include "totals.h"

#define DEFAULT_DEPTH 2
#define MOST_NAMED 8

typedef enum format { DOT, JSON, SVG } format;

typedef struct graph {
    const cli_options *options;
    format format;
    const char *output; /* NULL: standard output */
} graph;

/* --- What is asked for --- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

static bool format_of_path(format *f, const char *path)
{
    static const struct {
        const char *ending;
        format format;
    } endings[] = {{".dot", DOT}, {".gv", DOT}, {".json", JSON}, {".svg", SVG}};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(path, endings[i].ending)) {
            *f = endings[i].format;
            return true;
        }
    }
    return false;
}

static format format_of_name(const char *name)
{
    return strcmp(name, "svg") == 0    ? SVG
           : strcmp(name, "json") == 0 ? JSON
                                       : DOT;
}

/* Returns an exit status; 0: go on. */
static int choose_format(graph *g)
{
    const cli_options *o = g->options;
    g->output = o->output;
    if (g->output != NULL && strcmp(g->output, "-") == 0)
        g->output = NULL;
    if (o->format != NULL)
        g->format = format_of_name(o->format);
    else if (g->output == NULL)
        g->format = o->json ? JSON : DOT;
    else if (!format_of_path(&g->format, g->output))
        return cli_complain(CLI_EXIT_USAGE,
                            "the ending of '%s' tells no format (.dot, .gv, "
                            ".json, .svg): name one with --format",
                            g->output);
    if (o->json && g->output == NULL && g->format != JSON)
        return cli_complain(CLI_EXIT_USAGE,
                            "--json and a drawing cannot both be on standard "
                            "output: name a file with -o");
    if (o->depth > 0 && o->around == NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "--depth needs the task that --around names");
    if (o->around != NULL && g->format == JSON)
        return cli_complain(CLI_EXIT_USAGE,
                            "--around is for drawings: a task graph without "
                            "some of its tasks would be another program");
    return 0;
}

/* --- The task of --around --- */

/* Several have the name: their ids, to choose from. */
static int tell_namesakes(const graph *g, const oracle_document *d,
                          const char *name, uint32_t count)
{
    cli_text ids = {0};
    uint32_t told = 0;
    for (uint32_t i = 0; i < d->task_count && told < MOST_NAMED; i++)
        if (strcmp(d->tasks[i].name.data, name) == 0)
            cli_text_printf(&ids, "%s%" PRId64, told++ > 0 ? ", " : "",
                            d->tasks[i].id);
    cli_complain(0,
                 "%s: %" PRIu32 " tasks are called '%s': give the id of one "
                 "to --around (%s%s)",
                 g->options->files[0], count, name, ids.failed ? "" : ids.data,
                 told < count ? ", ..." : "");
    cli_text_free(&ids);
    return CLI_EXIT_USAGE;
}

static bool find_id(uint32_t *task, const oracle_document *d, const char *word)
{
    int64_t id;
    if (!cli_span_int(&id, (cli_span){word, strlen(word)}))
        return false;
    for (uint32_t i = 0; i < d->task_count; i++) {
        if (d->tasks[i].id == id) {
            *task = i;
            return true;
        }
    }
    return false;
}

/* Returns an exit status; 0: found, or nothing was asked for. */
static int find_centre(uint32_t *task, const graph *g, const oracle_document *d)
{
    const char *word = g->options->around;
    uint32_t count = 0;
    *task = PICTURE_NONE;
    if (word == NULL || find_id(task, d, word))
        return 0;
    for (uint32_t i = d->task_count; i > 0; i--) {
        if (strcmp(d->tasks[i - 1].name.data, word) == 0) {
            *task = i - 1;
            count++;
        }
    }
    if (count == 1)
        return 0;
    if (count > 1)
        return tell_namesakes(g, d, word, count);
    return cli_complain(CLI_EXIT_USAGE,
                        "%s: no task has the id or the name '%s'",
                        g->options->files[0], word);
}

/* --- Output --- */

/* Also empties the text's last newline into that of the file. */
static bool put_output(const graph *g, const cli_text *text)
{
    size_t length = text->length;
    if (g->output == NULL)
        return fwrite(text->data, 1, length, stdout) == length;
    return cli_print_file(g->output, (cli_span){text->data, length - 1});
}

/* What was written, for people or with --json. */
static bool tell_output(const graph *g, const picture *p)
{
    static const char *const names[] = {"dot", "json", "svg"};
    cli_text out = {0};
    if (g->options->json) {
        cli_text_printf(
            &out,
            "{\"edges\":%" PRIu32 ",\"errors\":%" PRIu32 ",\"file\":", p->edges,
            p->errors);
        cli_text_quote(&out, g->output);
        cli_text_printf(&out,
                        ",\"format\":\"%s\",\"left_out\":%" PRIu32
                        ",\"redundant\":%" PRIu32 ",\"tasks\":%" PRIu32
                        ",\"undecided\":%" PRIu32 "}\n",
                        names[g->format], p->tasks_left_out, p->redundant,
                        p->node_count, p->doubts);
    } else if (!g->options->quiet) {
        cli_text_printf(&out, "%s -> %s: ", g->options->files[0], g->output);
        picture_put_counts(&out, p);
        cli_text_put(&out, "\n");
    }
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

/* What the drawing lacks is told beside it too. */
static void tell_notes(const graph *g, const picture *p)
{
    cli_text note = {0};
    if (g->options->quiet)
        return;
    picture_put_left_out(&note, p);
    if (note.length > 0)
        cli_complain(0, "%s: %s", g->options->files[0], note.data);
    cli_text_clear(&note);
    picture_put_size_note(&note, p);
    if (note.length > 0 && g->format != JSON)
        cli_complain(0, "%s: %s", g->options->files[0], note.data);
    cli_text_free(&note);
}

/* --- Drawing --- */

static bool put_json(cli_text *out, const oracle_document *d)
{
    char *text = NULL;
    size_t length = 0;
    oracle_error error = {0};
    if (oracle_document_write(&text, &length, d, &error) != ORACLE_OK)
        return false;
    cli_text_add(out, text, length);
    cli_text_put(out, "\n");
    free(text);
    return true;
}

static int no_memory(void)
{
    return cli_complain(CLI_EXIT_FAULT, "out of memory");
}

static int write_picture(const graph *g, picture *p)
{
    char why[240];
    cli_text out = {0};
    bool ok = true;
    if (g->format == SVG && !draw_fits(why, sizeof why, p))
        return cli_complain(CLI_EXIT_USAGE, "%s: %s: %s, or use --format dot",
                            g->options->files[0], why,
                            g->options->around == NULL
                                ? "draw a part of it with --around TASK"
                                : "give a smaller --depth");
    if (g->format == SVG)
        draw_svg(&out, p);
    else if (g->format == DOT)
        draw_dot(&out, p);
    else
        ok = put_json(&out, p->document);
    if (!ok || out.failed) {
        cli_text_free(&out);
        return no_memory();
    }
    tell_notes(g, p);
    ok = put_output(g, &out) && (g->output == NULL || tell_output(g, p));
    cli_text_free(&out);
    return ok ? CLI_EXIT_FINE : CLI_EXIT_USAGE;
}

static int draw(const graph *g, const cli_case *c, const oracle_document *d)
{
    picture p = {0};
    uint32_t around;
    int64_t depth = g->options->depth > 0 ? g->options->depth : DEFAULT_DEPTH;
    int status = find_centre(&around, g, d);
    if (status != 0)
        return status;
    status = picture_make(&p, d, c, around, depth) ? write_picture(g, &p)
                                                   : no_memory();
    picture_free(&p);
    return status;
}

static bool has_graph(oracle_kind kind)
{
    return kind == ORACLE_KIND_TASK_GRAPH || kind == ORACLE_KIND_SCORE ||
           kind == ORACLE_KIND_BUNDLE || kind == ORACLE_KIND_RECORD ||
           kind == ORACLE_KIND_HBG;
}

/* What was judged, read once more: what the judge could read, this can. */
static int draw_case(void *context, const cli_case *c)
{
    const graph *g = context;
    oracle_document d = {0};
    oracle_error error = {0};
    oracle_read_options reading = {.rules = g->options->rules};
    const cli_text *text = c->bundle.length > 0 ? &c->bundle : &c->text;
    oracle_status status =
        oracle_document_read(&d, text->data, text->length, &reading, &error);
    if (status == ORACLE_OK)
        status = oracle_document_derive(&d, &error);
    int code;
    if (status == ORACLE_NO_MEMORY)
        code = no_memory();
    else if (status != ORACLE_OK)
        code = cli_complain(CLI_EXIT_FINDINGS, "%s: %s", c->found->path,
                            error.message);
    else if (!has_graph(d.kind))
        code = cli_complain(CLI_EXIT_USAGE,
                            "%s: this is of kind %s, it has no task "
                            "graph",
                            c->found->path, cli_kind_name(c->kind));
    else
        code = draw(g, c, &d);
    oracle_document_free(&d);
    return code;
}

int cli_verb_graph(const cli_options *options)
{
    graph g = {.options = options};
    cli_one one = {"graph draws one", draw_case, &g};
    int status = choose_format(&g);
    return status != 0 ? status : cli_one_run(&one, options);
}
