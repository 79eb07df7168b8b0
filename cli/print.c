#include "print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command.h"

#define MOST_NAME ((size_t)80) /* as in messages */
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define GREEN "\033[32m"
#define OFF "\033[0m"

bool cli_print_colors(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    return (no_color == NULL || *no_color == '\0') && isatty(fileno(out));
}

static const char *severity_color(cli_severity severity)
{
    if (severity == CLI_ERROR)
        return RED;
    return severity == CLI_WARNING ? YELLOW : "";
}

void cli_print_clean(cli_text *out, const char *text)
{
    cli_text_visible(out, text, strlen(text));
}

void cli_print_start(cli_text *out, const char *text, size_t length,
                     size_t most)
{
    bool cut = length > most;
    for (length = cut ? most : length;
         cut && length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
        length--;
    cli_text_visible(out, text, length);
    cli_text_put(out, cut ? "..." : "");
}

void cli_print_clean_lines(cli_text *out, const cli_text *lines)
{
    for (size_t at = 0; at < lines->length;) {
        const char *line = lines->data + at;
        const char *end = memchr(line, '\n', lines->length - at);
        size_t length = end == NULL ? lines->length - at : (size_t)(end - line);
        cli_text_visible(out, line, length);
        cli_text_put(out, "\n");
        at += length + 1;
    }
}

void cli_print_word(cli_text *out, const char *name)
{
    char *word = report_shell_word(name);
    out->failed |= word == NULL;
    cli_text_put(out, word == NULL ? "" : word);
    free(word);
}

/* The line of the other task of a pair, which the message only names. */
static void print_producer(cli_text *out, const cli_case *c,
                           const cli_finding *f)
{
    cli_span record = {f->json.data, f->json.length};
    cli_span producer, member;
    cli_text name = {0};
    int64_t line, task;
    if (f->json.length == 0 ||
        !cli_span_member(&producer, record, "producer") ||
        !cli_span_member(&member, producer, "line") ||
        !cli_span_int(&line, member) ||
        !cli_span_member(&member, producer, "task") ||
        !cli_span_int(&task, member))
        return;
    cli_print_clean(out, c->found->path);
    cli_text_printf(out, ":%lld: ... task %lld", (long long)line,
                    (long long)task);
    if (cli_span_member(&member, producer, "name") &&
        cli_span_text(&name, member) && name.length > 0) {
        cli_text_put(out, " \"");
        cli_print_start(out, name.data, name.length, MOST_NAME);
        cli_text_put(out, "\"");
    }
    cli_text_put(out, " is here\n");
    cli_text_free(&name);
}

void cli_print_head(cli_text *out, const char *path, const cli_finding *f,
                    bool color)
{
    const char *on = color ? severity_color(f->severity) : "";
    cli_print_clean(out, path);
    if (f->line > 0)
        cli_text_printf(out, ":%lld", (long long)f->line);
    cli_text_printf(out, ": %s%s%s ", on, cli_severity_name(f->severity),
                    *on == '\0' ? "" : OFF);
    cli_print_clean(out, f->rule);
    cli_text_put(out, ": ");
}

static void print_finding(cli_text *out, const cli_case *c,
                          const cli_finding *f, bool color)
{
    cli_print_head(out, c->found->path, f, color);
    cli_print_clean(out, f->message);
    cli_text_put(out, "\n");
    print_producer(out, c, f);
}

void cli_print_unlisted(cli_text *out, const cli_case *c)
{
    if (c->total <= (int64_t)c->count)
        return;
    cli_print_clean(out, c->found->path);
    cli_text_printf(out, ": %lld more findings are not listed\n",
                    (long long)c->total - (long long)c->count);
}

void cli_print_findings(cli_text *out, const cli_case *c, cli_severity least,
                        bool color)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->findings[i].severity >= least)
            print_finding(out, c, &c->findings[i], color);
    cli_print_unlisted(out, c);
}

void cli_print_undecided(cli_text *out, const cli_case *c, const char *label)
{
    const cli_text *list = &c->undecided;
    cli_walk walk;
    cli_span key, value;
    cli_text item = {0};
    if (list->length == 0 ||
        !cli_walk_array(&walk, (cli_span){list->data, list->length}))
        return;
    while (cli_walk_next(&walk, &key, &value)) {
        cli_text_clear(&item);
        if (!cli_span_text(&item, value) || item.length == 0)
            continue;
        cli_print_clean(out, c->found->path);
        cli_text_printf(out, ": %s: ", label);
        cli_print_clean(out, item.data);
        cli_text_put(out, "\n");
    }
    cli_text_free(&item);
}

void cli_print_verdict(cli_text *out, const cli_case *c, bool color)
{
    bool clean = c->verdict == CLI_CLEAN;
    cli_print_undecided(out, c, "undecided");
    cli_print_clean(out, c->found->path);
    cli_text_printf(out, ": %s%s%s", color ? (clean ? GREEN : YELLOW) : "",
                    cli_verdict_name(c->verdict), color ? OFF : "");
    if (c->reason.length > 0 && c->count == 0) {
        cli_text_put(out, ": ");
        cli_print_clean(out, c->reason.data);
    }
    cli_text_put(out, "\n");
}

void cli_print_json(cli_text *out, const cli_case *c)
{
    for (size_t i = 0; i < c->count; i++) {
        cli_text_add(out, c->findings[i].json.data, c->findings[i].json.length);
        cli_text_put(out, "\n");
    }
    cli_text_printf(out, "{\"verdict\":\"%s\",", cli_verdict_name(c->verdict));
    cli_case_put_list(out, "assumptions", &c->assumptions);
    if (c->certificate.length > 0) {
        cli_text_put(out, ",\"certificate\":");
        cli_text_add(out, c->certificate.data, c->certificate.length);
    }
    cli_text_put(out, ",\"file\":");
    cli_text_quote(out, c->found->path);
    cli_text_printf(out,
                    ",\"findings\":{\"error\":%zu,\"warning\":%zu,"
                    "\"note\":%zu},\"kind\":\"%s\"",
                    cli_case_count(c, CLI_ERROR),
                    cli_case_count(c, CLI_WARNING), cli_case_count(c, CLI_NOTE),
                    cli_kind_name(c->kind));
    if (c->reason.length > 0) {
        cli_text_put(out, ",\"reason\":");
        cli_text_json(out, c->reason.data, c->reason.length);
    }
    if (c->sha256[0] != '\0')
        cli_text_printf(out, ",\"sha256\":\"%s\"", c->sha256);
    cli_text_printf(out, ",\"total\":%lld,", (long long)c->total);
    cli_case_put_list(out, "undecided", &c->undecided);
    cli_text_put(out, "}\n");
}

bool cli_print_out(FILE *out, const cli_text *text)
{
    if (text->failed || text->length == 0)
        return !text->failed;
    return fwrite(text->data, 1, text->length, out) == text->length;
}

static bool cannot_write(const char *path, const char *why, char *problem,
                         size_t size)
{
    snprintf(problem, size, "%s cannot be written: %s", path, why);
    return false;
}

bool cli_print_may_fill(const char *folder, char *problem, size_t size)
{
    struct stat info;
    if (stat(folder, &info) != 0 || access(folder, W_OK | X_OK) != 0)
        return cannot_write(folder, strerror(errno), problem, size);
    if (!S_ISDIR(info.st_mode))
        return cannot_write(folder, "it is no folder", problem, size);
    return true;
}

bool cli_print_may_write(const char *path, char *problem, size_t size)
{
    struct stat info;
    const char *slash = strrchr(path, '/');
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return cannot_write(path, "it is a folder", problem, size);
    if (access(path, W_OK) == 0)
        return true;
    if (errno != ENOENT)
        return cannot_write(path, strerror(errno), problem, size);
    if (slash == NULL)
        return access(".", W_OK | X_OK) == 0 ||
               cannot_write(path, strerror(errno), problem, size);
    char *folder = strndup(path, (size_t)(slash - path) + 1);
    bool ok = folder != NULL && access(folder, W_OK | X_OK) == 0;
    if (!ok)
        cannot_write(path, strerror(errno), problem, size);
    free(folder);
    return ok;
}

bool cli_print_file(const char *path, cli_span document)
{
    char *draft = NULL;
    if (asprintf(&draft, "%s.part", path) < 0)
        return false;
    FILE *out = fopen(draft, "w");
    bool ok =
        out != NULL &&
        fwrite(document.data, 1, document.length, out) == document.length &&
        fputc('\n', out) != EOF;
    if (out != NULL && fclose(out) != 0)
        ok = false;
    ok = ok && rename(draft, path) == 0;
    if (!ok) {
        fprintf(stderr, "counterpoint: %s cannot be written: %s\n", path,
                strerror(errno));
        unlink(draft);
    }
    free(draft);
    return ok;
}
