#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"

/* A file of a run, or a plan, beyond this is not used. */
#define LIMIT ((size_t)512 << 20)

static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(name);
    char *folder = strndup(path, (size_t)(slash - path) + 1);
    char *joined = folder == NULL ? NULL : cli_path_join(folder, name);
    free(folder);
    return joined;
}

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

char *cli_recorded_path(const char *trace_path)
{
    return beside(trace_path, CLI_RECORD_FILE);
}

bool cli_recorded_is_beside(const char *trace_path)
{
    const char *slash = strrchr(trace_path, '/');
    const char *name = slash == NULL ? trace_path : slash + 1;
    char *record = cli_recorded_path(trace_path);
    bool is =
        record != NULL && strcmp(name, CLI_TRACE_FILE) == 0 && is_there(record);
    free(record);
    return is;
}

/* A line for what the verdict leaves open. */
static bool add_open(cli_case *c, const char *what, const char *why)
{
    cli_text line = {0};
    cli_text_printf(&line, "%s: %s", what, why);
    if (c->open.length > 0)
        cli_text_put(&c->open, ",");
    if (!line.failed)
        cli_text_json(&c->open, line.data, line.length);
    bool ok = !line.failed && !c->open.failed;
    cli_text_free(&line);
    return ok;
}

/* Reads a file into `text`; what is wrong with it becomes an open line. */
static bool read_file(cli_case *c, cli_text *text, bool *has, const char *path,
                      const char *what)
{
    char problem[160];
    *has = cli_input_read(text, path, LIMIT, false, problem, sizeof problem);
    size_t length = text->length;
    size_t bad = *has ? cli_utf8_check(text->data, length) : length;
    if (*has && bad == length)
        return !text->failed;
    if (*has)
        snprintf(problem, sizeof problem,
                 "its byte 0x%02x at offset %zu is not UTF-8 text",
                 (unsigned char)text->data[bad], bad);
    *has = false;
    cli_text_free(text);
    return add_open(c, what, problem);
}

static bool gather_other(cli_case *c, const cli_batch_options *options)
{
    bool is_record = c->kind == CLI_RECORD;
    const char *name = is_record ? CLI_TRACE_FILE : CLI_RECORD_FILE;
    const char *what = is_record ? "the trace beside the record"
                                 : "the record beside the trace";
    if (is_record && options->trace != NULL)
        return read_file(c, &c->beside, &c->has_beside, options->trace, what);
    if (strcmp(c->found->path, "-") == 0)
        return true;
    char *path = beside(c->found->path, name);
    bool ok = path != NULL;
    if (ok && is_there(path))
        ok = read_file(c, &c->beside, &c->has_beside, path, what);
    free(path);
    return ok;
}

/* --- The bundle --- */

static void put_member(cli_text *out, const char *role, const cli_text *text)
{
    cli_text_printf(out, "%s{\"role\":\"%s\",\"text\":",
                    out->data[out->length - 1] == '[' ? "" : ",", role);
    cli_text_json(out, text->length > 0 ? text->data : "", text->length);
    cli_text_put(out, "}");
}

/* A request is one line; in JSON line ends stand between tokens alone. */
static void put_line(cli_text *out, cli_span text)
{
    size_t from = out->length;
    cli_text_add(out, text.data, text.length);
    for (size_t i = from; i < out->length; i++)
        if (out->data[i] == '\n' || out->data[i] == '\r')
            out->data[i] = ' ';
}

void cli_recorded_bundle(cli_text *out, const cli_text *record,
                         const cli_text *trace, const char *role, cli_span plan)
{
    cli_text_put(out, "{\"kind\":\"bundle\",\"members\":[");
    if (out->failed)
        return;
    put_member(out, "record", record);
    if (trace != NULL)
        put_member(out, "trace", trace);
    if (plan.data != NULL) {
        cli_text_printf(out, ",{\"role\":\"%s\",\"document\":", role);
        put_line(out, plan);
        cli_text_put(out, "}");
    }
    cli_text_put(out, "],\"version\":1}");
}

static bool make_bundle(cli_case *c, const char *role, cli_span plan)
{
    const cli_text *record = c->kind == CLI_RECORD ? &c->text : &c->beside;
    const cli_text *trace = c->kind == CLI_RECORD ? &c->beside : &c->text;
    c->state = CLI_WAIT_JUDGE;
    if (!c->has_beside && (plan.data == NULL || c->kind != CLI_RECORD))
        return true;
    cli_recorded_bundle(&c->bundle, record, c->has_beside ? trace : NULL, role,
                        plan);
    return !c->bundle.failed;
}

/* The graph of a bundle, else its Score. */
static bool find_plan(cli_span *plan, const char **role, cli_span bundle)
{
    cli_span list, key, item, name, document;
    cli_walk walk;
    *role = NULL;
    if (!cli_span_member(&list, bundle, "members") ||
        !cli_walk_array(&walk, list))
        return false;
    while (cli_walk_next(&walk, &key, &item)) {
        if (!cli_span_member(&name, item, "role") ||
            !cli_span_member(&document, item, "document"))
            continue;
        bool is_graph = cli_span_is(name, "\"graph\"");
        if (is_graph || (*role == NULL && cli_span_is(name, "\"score\""))) {
            *plan = document;
            *role = is_graph ? "graph" : "score";
        }
    }
    return *role != NULL;
}

bool cli_recorded_take_plan(cli_case *c, cli_span bundle)
{
    cli_span plan;
    const char *role;
    if (!find_plan(&plan, &role, bundle))
        return cli_recorded_without_plan(
            c, "it has neither a task graph nor a Score");
    return make_bundle(c, role, plan);
}

bool cli_recorded_without_plan(cli_case *c, const char *why)
{
    return add_open(c, "the plan beside the record", why) &&
           make_bundle(c, NULL, (cli_span){NULL, 0});
}

/* --- The plan --- */

static bool take_plan_file(cli_case *c)
{
    cli_span text = {c->plan.data, c->plan.length};
    c->plan_kind = cli_kind_detect(text.data, text.length);
    switch (c->plan_kind) {
    case CLI_DUMP:
    case CLI_IR:
        c->state = CLI_WAIT_PLAN;
        return true;
    case CLI_TASK_GRAPH:
        return make_bundle(c, "graph", text);
    case CLI_SCORE:
        return make_bundle(c, "score", text);
    case CLI_BUNDLE:
        return cli_recorded_take_plan(c, text);
    default:
        return cli_recorded_without_plan(
            c, "it is no dump, program, task graph, Score or bundle");
    }
}

bool cli_recorded_gather(cli_case *c, const cli_batch_options *options)
{
    bool has_plan = false;
    if (!gather_other(c, options))
        return false;
    if (options->plan != NULL &&
        !read_file(c, &c->plan, &has_plan, options->plan,
                   "the plan beside the record"))
        return false;
    return has_plan ? take_plan_file(c)
                    : make_bundle(c, NULL, (cli_span){NULL, 0});
}

bool cli_recorded_finish(cli_case *c)
{
    cli_text list = {0};
    size_t length = c->undecided.length;
    if (c->open.length == 0 || c->verdict == CLI_REFUSED)
        return true;
    if (length > 2)
        cli_text_add(&list, c->undecided.data, length - 1);
    else
        cli_text_put(&list, "[");
    if (length > 2)
        cli_text_put(&list, ",");
    cli_text_add(&list, c->open.data, c->open.length);
    cli_text_put(&list, "]");
    cli_text_free(&c->undecided);
    c->undecided = list;
    c->partial = true;
    if (c->verdict == CLI_CLEAN)
        c->verdict = CLI_UNDECIDED;
    return !list.failed;
}
