#include "reduce_keep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"

#define TIMEOUT_MS 60000
#define MEMORY ((int64_t)4096 << 20)
#define ENDING ".expect"

/* --- What is found, a line each --- */

typedef struct lines {
    char **items;
    size_t count, room;
    bool failed;
} lines;

static void add_line(lines *l, const char *text, size_t length)
{
    if (l->count == l->room) {
        size_t room = l->room == 0 ? 16 : 2 * l->room;
        char **grown = reallocarray(l->items, room, sizeof *grown);
        l->failed = l->failed || grown == NULL;
        if (grown == NULL)
            return;
        l->items = grown;
        l->room = room;
    }
    char *copy = strndup(text, length);
    l->failed = l->failed || copy == NULL;
    if (copy != NULL)
        l->items[l->count++] = copy;
}

static void free_lines(lines *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    free(l->items);
}

static bool add_sight(void *context, const cli_sight *sight)
{
    char line[96];
    int length = snprintf(line, sizeof line, "%s %s",
                          cli_severity_name(sight->severity), sight->rule);
    add_line(context, line, (size_t)length);
    return true;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(lines *l)
{
    if (l->count > 1)
        qsort(l->items, l->count, sizeof *l->items, by_bytes);
}

static bool find(lines *l, const cli_view *view, cli_span text)
{
    bool died = false;
    bool ok = cli_reduce_list(&died, view, text, add_sight, l);
    if (died)
        add_line(l, "died", 4);
    sort(l);
    return ok && !l->failed;
}

/* --- Writing --- */

static const char *ending_of(cli_span text)
{
    switch (cli_kind_detect(text.data, text.length)) {
    case CLI_DUMP:
    case CLI_SOURCE:
        return "py";
    case CLI_MEMORY_CSV:
        return "csv";
    case CLI_OTHER:
        return "txt";
    default:
        return "json";
    }
}

static bool write_text(const char *path, const char *data, size_t length,
                       char *problem, size_t size)
{
    FILE *out = fopen(path, "wbe");
    bool ok = out != NULL && fwrite(data, 1, length, out) == length;
    int error = errno;
    if (out != NULL && fclose(out) != 0)
        ok = false;
    if (!ok)
        snprintf(problem, size, "%s cannot be written: %s", path,
                 strerror(error));
    return ok;
}

static void put_expectation(cli_text *out, const cli_view *view,
                            const lines *found)
{
    cli_text_put(out, "# Found when this was written: say what is right before "
                      "you keep it.\n");
    if (view->made)
        cli_text_printf(out, "ask %s\n", view->ask == NULL ? "-" : view->ask);
    if (view->made && view->ask != NULL && view->options.length > 0) {
        cli_text_put(out, "options ");
        cli_text_add(out, view->options.data, view->options.length);
        cli_text_put(out, "\n");
    }
    for (size_t i = 0; i < found->count; i++)
        cli_text_printf(out, "%s\n", found->items[i]);
}

/* What somebody has said is right stays. */
static bool put_beside(const cli_text *path, const cli_text *expectation,
                       bool *is_new, char *problem, size_t size)
{
    *is_new = access(path->data, F_OK) != 0;
    return !*is_new || write_text(path->data, expectation->data,
                                  expectation->length, problem, size);
}

bool cli_reduce_keep(cli_text *path, bool *is_new, const char *folder,
                     const cli_view *view, const char *rule, cli_span text,
                     char *problem, size_t size)
{
    char digest[65];
    cli_text expectation = {0}, beside = {0};
    lines found = {0};
    snprintf(problem, size, "out of memory, or of processes");
    bool ok =
        cli_sha256(digest, text.data, text.length) && find(&found, view, text);
    cli_text_printf(path, "%s/%s-%.8s.%s", folder, rule, ok ? digest : "",
                    ending_of(text));
    cli_text_printf(&beside, "%s" ENDING, path->failed ? "" : path->data);
    put_expectation(&expectation, view, &found);
    ok = ok && !path->failed && !beside.failed && !expectation.failed &&
         write_text(path->data, text.data, text.length, problem, size) &&
         put_beside(&beside, &expectation, is_new, problem, size);
    free_lines(&found);
    cli_text_free(&expectation);
    cli_text_free(&beside);
    return ok;
}

/* --- Reading --- */

/* The word behind `name` and a blank at the beginning of a line, or NULL. */
static const char *value_of(const char *line, const char *name)
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && line[length] == ' '
               ? line + length + 1
               : NULL;
}

/* `ask` and `options` live as long as the lines. */
static void take_line(cli_view *view, lines *wanted, const lines *all, size_t i)
{
    const char *line = all->items[i];
    const char *ask = value_of(line, "ask"), *options;
    if (*line == '\0' || *line == '#')
        return;
    if (ask != NULL) {
        view->made = true;
        view->ask = strcmp(ask, "-") == 0 ? NULL : ask;
    } else if ((options = value_of(line, "options")) != NULL) {
        view->options = (cli_span){options, strlen(options)};
    } else {
        add_line(wanted, line, strlen(line));
    }
}

static void split(lines *all, const cli_text *text)
{
    const char *at = text->data, *end = at + text->length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline == NULL ? end : newline;
        add_line(all, at, (size_t)(stop - at));
        at = stop + 1;
    }
}

/* Both are sorted; what only one has is told. */
static bool compare(cli_text *problem, const lines *wanted, const lines *found)
{
    size_t w = 0, f = 0;
    bool same = true;
    while (w < wanted->count || f < found->count) {
        int order = w == wanted->count ? 1
                    : f == found->count
                        ? -1
                        : strcmp(wanted->items[w], found->items[f]);
        if (order != 0)
            cli_text_printf(problem, "%s %s\n", order < 0 ? "-" : "+",
                            order < 0 ? wanted->items[w] : found->items[f]);
        same = same && order == 0;
        w += order <= 0;
        f += order >= 0;
    }
    return same;
}

static bool read_text(cli_text *text, const char *path, cli_text *problem)
{
    char why[160];
    bool ok =
        cli_input_read(text, path, CLI_INPUT_LIMIT, false, why, sizeof why);
    if (!ok)
        cli_text_printf(problem, "%s %s\n", path, why);
    cli_text_put(text, "");
    return ok && !text->failed;
}

bool cli_reduce_kept_holds(const char *expect_path, const char *planner,
                           cli_text *problem)
{
    cli_text expectation = {0}, input = {0};
    lines all = {0}, wanted = {0}, found = {0};
    cli_view view = {.batch = {.jobs = 1,
                               .timeout_ms = TIMEOUT_MS,
                               .memory = MEMORY,
                               .planner = planner},
                     .generated = "kept"};
    char *path = strndup(expect_path, strlen(expect_path) - strlen(ENDING));
    bool ok = path != NULL && read_text(&expectation, expect_path, problem) &&
              read_text(&input, path, problem);
    if (ok)
        split(&all, &expectation);
    for (size_t i = 0; i < all.count; i++)
        take_line(&view, &wanted, &all, i);
    sort(&wanted);
    if (ok && (all.failed || wanted.failed ||
               !find(&found, &view, (cli_span){input.data, input.length}))) {
        cli_text_put(problem, "out of memory, or of processes\n");
        ok = false;
    }
    ok = ok && compare(problem, &wanted, &found);
    free(path);
    free_lines(&all);
    free_lines(&wanted);
    free_lines(&found);
    cli_text_free(&expectation);
    cli_text_free(&input);
    return ok;
}
