/* counterpoint plan: the bundle of each dump, or members of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "input.h"
#include "print.h"
#include "totals.h"

typedef struct plan {
    const cli_options *options;
    const cli_search *search;
    const char *member; /* NULL: the whole bundle */
    cli_text sizes;     /* the object of --sizes, or empty */
    cli_totals totals;
    size_t planned;
    bool missing; /* an input without a plan or without the member */
    bool color;
} plan;

/* The document of the member with this role; false: there is none. */
static bool find_member(cli_span *document, const cli_text *bundle,
                        const char *role)
{
    cli_span list, key, item, value;
    cli_walk walk;
    cli_span whole = {bundle->data, bundle->length};
    if (!cli_span_member(&list, whole, "members") ||
        !cli_walk_array(&walk, list))
        return false;
    while (cli_walk_next(&walk, &key, &item)) {
        if (!cli_span_member(&value, item, "role") || value.length < 2)
            continue;
        value = (cli_span){value.data + 1, value.length - 2};
        if (cli_span_is(value, role))
            return cli_span_member(document, item, "document");
    }
    return false;
}

/* --- Names of the files in --out --- */

static const char *part_before(const char *path, size_t *length)
{
    const char *end = path + *length;
    while (end > path && end[-1] == '/')
        end--;
    const char *start = end;
    while (start > path && start[-1] != '/')
        start--;
    *length = (size_t)(end - start);
    return start;
}

/*
 * The name of the program: the folder around a passes_dump, where all dumps
 * are called alike; else the file's own name without its ending.
 */
static char *program_name(const char *path)
{
    size_t length = strlen(path);
    const char *file = part_before(path, &length);
    size_t file_length = length;
    length = (size_t)(file - path);
    const char *folder = part_before(path, &length);
    if (length == strlen("passes_dump") &&
        memcmp(folder, "passes_dump", length) == 0 && folder > path) {
        length = (size_t)(folder - path);
        const char *program = part_before(path, &length);
        if (length > 0 && *program != '.')
            return strndup(program, length);
    }
    if (strcmp(path, "-") == 0)
        return strdup("stdin");
    const char *dot = memrchr(file, '.', file_length);
    if (dot != NULL && dot > file)
        file_length = (size_t)(dot - file);
    return strndup(file, file_length);
}

static char *output_path(const plan *p, const cli_case *c)
{
    char *path = NULL;
    char *name = program_name(c->found->path);
    if (name == NULL || asprintf(&path, "%s/%s.%s.json", p->options->out, name,
                                 p->member == NULL ? "bundle" : p->member) < 0)
        path = NULL;
    free(name);
    return path;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two inputs may not write one file: seen before anything is written. */
static bool names_differ(const cli_search *search)
{
    bool ok = true;
    char **names = calloc(search->count + 1, sizeof *names);
    if (names == NULL)
        return false;
    for (size_t i = 0; i < search->count; i++) {
        names[i] = program_name(search->items[i].path);
        ok = ok && names[i] != NULL;
    }
    if (ok)
        qsort(names, search->count, sizeof *names, by_text);
    for (size_t i = 1; ok && i < search->count; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            cli_complain(0, "two inputs would be written to the file of '%s'",
                         names[i]);
            ok = false;
        }
    }
    for (size_t i = 0; i < search->count; i++)
        free(names[i]);
    free(names);
    return ok;
}

/* --- Answers --- */

static bool put_file(plan *p, const cli_case *c, cli_span document)
{
    cli_text out = {0};
    char *path = output_path(p, c);
    bool ok = path != NULL && cli_print_file(path, document);
    if (ok && p->options->json) {
        cli_text_put(&out, "{\"file\":");
        cli_text_quote(&out, path);
        cli_text_put(&out, ",\"input\":");
        cli_text_quote(&out, c->found->path);
        cli_text_put(&out, "}\n");
    } else if (ok && !p->options->quiet) {
        cli_text_printf(&out, "%s -> %s\n", c->found->path, path);
    }
    ok = ok && cli_print_out(stdout, &out);
    cli_text_free(&out);
    free(path);
    return ok;
}

static bool put_document(plan *p, const cli_case *c, cli_span document)
{
    p->planned++;
    if (p->options->out != NULL)
        return put_file(p, c, document);
    return fwrite(document.data, 1, document.length, stdout) ==
               document.length &&
           fputc('\n', stdout) != EOF;
}

/* Why there is none: on standard output with --json, else for people. */
static bool put_refusal(plan *p, const cli_case *c)
{
    cli_text out = {0};
    p->missing = true;
    if (c->unreadable) {
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
        return true;
    }
    if (p->options->json) {
        for (size_t i = 0; i < c->count; i++) {
            cli_text_add(&out, c->findings[i].json.data,
                         c->findings[i].json.length);
            cli_text_put(&out, "\n");
        }
    } else {
        cli_print_findings(&out, c, CLI_NOTE, p->color);
        if (c->count == 0)
            cli_print_verdict(&out, c, p->color);
    }
    bool ok = cli_print_out(p->options->json ? stdout : stderr, &out);
    cli_text_free(&out);
    return ok;
}

static const char *note_text(cli_text *text, cli_span note, const char *name)
{
    cli_span value;
    cli_text_clear(text);
    if (!cli_span_member(&value, note, name) || !cli_span_text(text, value))
        cli_text_clear(text);
    cli_text_put(text, "");
    return text->failed ? "" : text->data;
}

/* What the planner tells: why a member is not there, or a warning. */
static void tell_notes(plan *p, const cli_case *c)
{
    cli_span list = {c->notes.data, c->notes.length}, key, note;
    cli_walk walk;
    cli_text texts[4] = {{0}, {0}, {0}, {0}};
    if (list.data == NULL || !cli_walk_array(&walk, list))
        return;
    while (cli_walk_next(&walk, &key, &note)) {
        const char *code = note_text(&texts[0], note, "code");
        const char *member = note_text(&texts[1], note, "member");
        const char *message = note_text(&texts[2], note, "message");
        bool is_warning =
            strcmp(note_text(&texts[3], note, "severity"), "warning") == 0;
        p->missing = p->missing || !is_warning;
        if (!is_warning || !p->options->quiet)
            cli_complain(0, "%s: %s %s: [%s] %s", c->found->path,
                         is_warning ? "warning:" : "no", member, code, message);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cli_text_free(&texts[i]);
}

static bool case_done(void *context, const cli_case *c)
{
    plan *p = context;
    cli_span document = {c->bundle.data, c->bundle.length};
    if (!cli_totals_add(&p->totals, c))
        return false;
    if (p->options->verbose)
        cli_times_show(c->found->path, &c->times);
    if (c->bundle.length == 0)
        return put_refusal(p, c);
    tell_notes(p, c);
    if (p->member != NULL && !find_member(&document, &c->bundle, p->member)) {
        if (c->notes.length == 0)
            cli_complain(0, "%s: the bundle has no %s%s", c->found->path,
                         p->member,
                         strcmp(p->member, "score") == 0
                             ? " (--emit eligibility tells why)"
                             : "");
        p->missing = true;
        return true;
    }
    return put_document(p, c, document);
}

static bool case_idle(void *context)
{
    (void)context;
    return true;
}

static int exit_status(const plan *p, const cli_batch_result *result)
{
    int trouble = cli_totals_trouble(&p->totals, result);
    if (trouble != 0)
        return trouble;
    if (p->missing)
        return CLI_EXIT_FINDINGS;
    return p->planned > 0 ? CLI_EXIT_FINE : CLI_EXIT_NOTHING;
}

static int work(plan *p)
{
    cli_batch_options batch;
    cli_batch_result result;
    cli_batch_calls calls = {case_done, case_idle, p};
    cli_batch_options_set(&batch, p->options);
    batch.plan_only = true;
    batch.sizes = (cli_span){p->sizes.data, p->sizes.length};
    cli_batch_run(&result, p->search, &batch, &calls);
    cli_report_problem(&result);
    return exit_status(p, &result);
}

static bool make_folder(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return true;
    cli_complain(0, "%s cannot be made a folder: %s", path, strerror(errno));
    return false;
}

/* One line: it goes into the requests as it is. */
static bool read_sizes(plan *p)
{
    char problem[160];
    const char *path = p->options->sizes;
    cli_walk walk;
    cli_span key, value;
    if (path == NULL)
        return true;
    if (!cli_input_read(&p->sizes, path, CLI_INPUT_LIMIT, false, problem,
                        sizeof problem)) {
        cli_complain(0, "%s %s", path, problem);
        return false;
    }
    for (size_t i = 0; i < p->sizes.length; i++)
        if (p->sizes.data[i] == '\n' || p->sizes.data[i] == '\r')
            p->sizes.data[i] = ' ';
    bool ok =
        cli_utf8_check(p->sizes.data, p->sizes.length) == p->sizes.length &&
        cli_walk_object(&walk, (cli_span){p->sizes.data, p->sizes.length});
    while (ok && cli_walk_next(&walk, &key, &value))
        continue;
    if (!ok || walk.failed)
        cli_complain(0, "%s is no JSON object {key: bytes}", path);
    return ok && !walk.failed;
}

int cli_verb_plan(const cli_options *options)
{
    cli_search search = {0};
    plan p = {
        .options = options,
        .search = &search,
        .color = cli_print_colors(stderr),
    };
    if (options->emit != NULL && strcmp(options->emit, "bundle") != 0 &&
        strchr(options->emit, ',') == NULL)
        p.member = options->emit;
    int status = CLI_EXIT_FAULT;
    if (!read_sizes(&p)) {
        status = CLI_EXIT_USAGE;
    } else if (cli_find_inputs(&search, options)) {
        if (options->out != NULL &&
            (!names_differ(&search) || !make_folder(options->out)))
            status = CLI_EXIT_USAGE;
        else
            status = work(&p);
    }
    cli_search_free(&search);
    cli_totals_free(&p.totals);
    cli_text_free(&p.sizes);
    return status;
}
