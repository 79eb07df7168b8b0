#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

#define FILE_LIMIT ((size_t)64 << 20)
#define PATH_LIMIT 4096
#define RULE_LIMIT 128

/* Removes the last part of the path in `out`, which is not "..". */
static size_t step_up(const char *out, size_t length, size_t floor)
{
    while (length > floor && out[length - 1] != '/')
        length--;
    return length > floor ? length - 1 : length;
}

static bool ends_with_up(const char *out, size_t length)
{
    return length >= 2 && memcmp(out + length - 2, "..", 2) == 0 &&
           (length == 2 || out[length - 3] == '/');
}

char *cli_path_plain(const char *path)
{
    char *out = malloc(strlen(path) + 2);
    size_t floor = path[0] == '/' ? 1 : 0;
    size_t length = floor;
    if (out == NULL)
        return NULL;
    out[0] = '/';
    while (*path != '\0') {
        size_t n = strcspn(path, "/");
        bool up = n == 2 && memcmp(path, "..", 2) == 0;
        bool here = n == 0 || (n == 1 && *path == '.');
        if (up && length > floor && !ends_with_up(out, length)) {
            length = step_up(out, length, floor);
        } else if (!here && !(up && floor == 1)) {
            if (length > floor)
                out[length++] = '/';
            memcpy(out + length, path, n);
            length += n;
        }
        path += n;
        path += *path == '/';
    }
    if (length == 0)
        out[length++] = '.';
    out[length] = '\0';
    return out;
}

static char *beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (slash == NULL || path[0] == '/')
        return cli_path_plain(path);
    char *folder = strndup(file, (size_t)(slash - file) + 1);
    char *joined = folder == NULL ? NULL : cli_path_join(folder, path);
    char *plain = joined == NULL ? NULL : cli_path_plain(joined);
    free(folder);
    free(joined);
    return plain;
}

static bool add_line(cli_expect *expect, const char *file, const char *path,
                     const char *rule, int64_t count, int64_t line)
{
    cli_expected *grown =
        (expect->count & (expect->count - 1)) != 0
            ? expect->lines
            : reallocarray(expect->lines,
                           expect->count == 0 ? 1 : expect->count * 2,
                           sizeof *grown);
    if (grown == NULL)
        return false;
    expect->lines = grown;
    cli_expected *e = &grown[expect->count++];
    *e = (cli_expected){
        .path = cli_path_plain(path),
        .from_file = beside(file, path),
        .rule = strdup(rule),
        .count = count,
        .line = line,
    };
    return e->path != NULL && e->from_file != NULL && e->rule != NULL;
}

static bool read_line(cli_expect *expect, const char *file, const char *text,
                      int64_t number, char *problem, size_t size)
{
    char path[PATH_LIMIT + 1], rule[RULE_LIMIT + 1], more[2];
    long long count = 0;
    text += strspn(text, " \t\r");
    if (*text == '\0' || *text == '#')
        return true;
    int fields =
        sscanf(text, "%4096s %128s %lld %1s", path, rule, &count, more);
    bool comment = fields == 4 && more[0] == '#';
    if ((fields != 3 && !comment) || count < 0) {
        snprintf(problem, size, "line %lld is not: path rule count",
                 (long long)number);
        return false;
    }
    snprintf(problem, size, "out of memory");
    return add_line(expect, file, path, rule, count, number);
}

static int by_key(const void *a, const void *b)
{
    const cli_expect_key *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    if (order != 0)
        return order;
    return x->line < y->line ? -1 : x->line > y->line;
}

static bool make_keys(cli_expect *expect)
{
    expect->keys = calloc(2 * expect->count + 1, sizeof *expect->keys);
    if (expect->keys == NULL)
        return false;
    for (size_t i = 0; i < expect->count; i++) {
        expect->keys[2 * i] = (cli_expect_key){expect->lines[i].path, i};
        expect->keys[2 * i + 1] =
            (cli_expect_key){expect->lines[i].from_file, i};
    }
    qsort(expect->keys, 2 * expect->count, sizeof *expect->keys, by_key);
    return true;
}

bool cli_expect_read(cli_expect *expect, const char *path, char *problem,
                     size_t problem_size)
{
    cli_text text = {0};
    bool ok =
        cli_input_read(&text, path, FILE_LIMIT, false, problem, problem_size);
    char *at = ok ? text.data : NULL;
    for (int64_t number = 1; ok && at != NULL; number++) {
        char *end = strchr(at, '\n');
        if (end != NULL)
            *end = '\0';
        ok = read_line(expect, path, at, number, problem, problem_size);
        at = end == NULL ? NULL : end + 1;
    }
    cli_text_free(&text);
    if (ok && !make_keys(expect)) {
        snprintf(problem, problem_size, "out of memory");
        ok = false;
    }
    return ok;
}

static size_t first_key(const cli_expect *expect, const char *path)
{
    size_t low = 0, high = 2 * expect->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(expect->keys[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Calls for each line of the path, whichever of its two forms fits; true when
 * one of them names `rule`. With `finding` the line's count goes up.
 */
static bool match(cli_expect *expect, const char *path, const char *rule,
                  bool finding)
{
    bool named = false;
    for (size_t i = first_key(expect, path); i < 2 * expect->count; i++) {
        if (strcmp(expect->keys[i].path, path) != 0)
            break;
        if (i > 0 && expect->keys[i - 1].line == expect->keys[i].line &&
            strcmp(expect->keys[i - 1].path, path) == 0)
            continue; /* both forms of one line */
        cli_expected *e = &expect->lines[expect->keys[i].line];
        e->input_seen = true;
        if (!finding || named || strcmp(e->rule, rule) != 0)
            continue;
        e->found++;
        named = true;
    }
    return named;
}

static void see_finding(cli_expect *expect, const cli_case *c,
                        const cli_finding *f, const char *plain,
                        const char *name)
{
    bool named = match(expect, plain, f->rule, true);
    if (!named && strcmp(plain, name) != 0)
        named = match(expect, name, f->rule, true);
    if (named || f->severity == CLI_NOTE)
        return;
    cli_text_printf(&expect->differences, "%s", c->found->path);
    if (f->line > 0)
        cli_text_printf(&expect->differences, ":%lld", (long long)f->line);
    cli_text_printf(&expect->differences, ": not expected: %s: %s\n", f->rule,
                    f->message);
}

bool cli_expect_see(cli_expect *expect, const cli_case *c)
{
    char *plain = cli_path_plain(c->found->path);
    char *name = cli_path_plain(c->found->name);
    bool ok = plain != NULL && name != NULL;
    if (ok) {
        match(expect, plain, "", false);
        match(expect, name, "", false);
        for (size_t i = 0; i < c->count; i++)
            see_finding(expect, c, &c->findings[i], plain, name);
        if (c->unreadable)
            cli_text_printf(&expect->differences, "%s: %s\n", c->found->path,
                            c->reason.data);
        ok = !expect->differences.failed;
    }
    free(plain);
    free(name);
    return ok;
}

bool cli_expect_end(cli_expect *expect)
{
    for (size_t i = 0; i < expect->count; i++) {
        const cli_expected *e = &expect->lines[i];
        if (!e->input_seen)
            cli_text_printf(&expect->differences,
                            "%s: expected (line %lld), but no such input was "
                            "found\n",
                            e->path, (long long)e->line);
        else if (e->found != e->count)
            cli_text_printf(&expect->differences,
                            "%s: %s: expected %lld (line %lld), found %lld\n",
                            e->path, e->rule, (long long)e->count,
                            (long long)e->line, (long long)e->found);
    }
    return expect->differences.length == 0 && !expect->differences.failed;
}

void cli_expect_free(cli_expect *expect)
{
    for (size_t i = 0; i < expect->count; i++) {
        free(expect->lines[i].path);
        free(expect->lines[i].from_file);
        free(expect->lines[i].rule);
    }
    free(expect->lines);
    free(expect->keys);
    cli_text_free(&expect->differences);
}
