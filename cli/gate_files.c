#include "gate_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "golden.h"
#include "input.h"
#include "search.h"

#define INDEX "index"
#define FILE_LIMIT ((size_t)256 << 20)

/* --- Names --- */

bool cli_names_add(cli_names *names, char *name)
{
    if (name != NULL && names->count == names->capacity) {
        size_t capacity = names->capacity == 0 ? 16 : names->capacity * 2;
        char **grown = reallocarray(names->items, capacity, sizeof *grown);
        if (grown != NULL) {
            names->items = grown;
            names->capacity = capacity;
        }
    }
    if (name == NULL || names->count == names->capacity) {
        free(name);
        return false;
    }
    names->items[names->count++] = name;
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void cli_names_sort(cli_names *names)
{
    size_t kept = 0;
    if (names->count > 1)
        qsort(names->items, names->count, sizeof(char *), by_text);
    for (size_t i = 0; i < names->count; i++) {
        if (kept > 0 && strcmp(names->items[kept - 1], names->items[i]) == 0)
            free(names->items[i]);
        else
            names->items[kept++] = names->items[i];
    }
    names->count = kept;
}

bool cli_names_have(const cli_names *names, const char *name)
{
    return names->count > 0 && bsearch(&name, names->items, names->count,
                                       sizeof(char *), by_text) != NULL;
}

void cli_names_free(cli_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (cli_names){0};
}

bool cli_scope_has(const char *scope, const char *name)
{
    size_t length = strlen(scope);
    return length == 0 || (strncmp(name, scope, length) == 0 &&
                           (name[length] == '\0' || name[length] == '/'));
}

/* --- The index --- */

static bool read_line(cli_index *index, const char *line, size_t length,
                      bool *known)
{
    *known = true;
    if (length > 5 && memcmp(line, "case ", 5) == 0)
        return cli_names_add(&index->cases, strndup(line + 5, length - 5));
    cli_text_add(&index->head, line, length);
    cli_text_put(&index->head, "\n");
    if (length > 5 && memcmp(line, "path ", 5) == 0)
        return cli_names_add(&index->paths, strndup(line + 5, length - 5));
    *known = length == 0 || *line == '#';
    return !index->head.failed;
}

static bool read_lines(cli_index *index, const cli_text *text, char *problem,
                       size_t size)
{
    const char *at = text->data, *end = at + text->length;
    for (size_t number = 1; at < end; number++) {
        bool known;
        size_t length = strcspn(at, "\n");
        size_t shown =
            length > 0 && at[length - 1] == '\r' ? length - 1 : length;
        if (!read_line(index, at, shown, &known)) {
            snprintf(problem, size, "out of memory");
            return false;
        }
        if (!known) {
            snprintf(problem, size, "line %zu is neither path nor case",
                     number);
            return false;
        }
        at += length + 1;
    }
    return true;
}

bool cli_index_read(cli_index *index, const char *folder, char *problem,
                    size_t problem_size)
{
    cli_text text = {0};
    char *path = cli_path_join(folder, INDEX);
    bool ok = path != NULL;
    snprintf(problem, problem_size, "out of memory");
    if (ok && access(path, F_OK) == 0) {
        index->exists = true;
        ok = cli_input_read(&text, path, FILE_LIMIT, false, problem,
                            problem_size);
        cli_text_put(&text, "");
        ok = ok && !text.failed &&
             read_lines(index, &text, problem, problem_size);
        cli_names_sort(&index->cases);
    }
    cli_text_free(&text);
    free(path);
    return ok;
}

bool cli_index_write(const cli_index *index, const char *folder)
{
    char problem[160];
    cli_text text = {0}, old = {0};
    char *path = cli_path_join(folder, INDEX);
    bool ok = path != NULL;
    cli_text_add(&text, index->head.data, index->head.length);
    for (size_t i = 0; i < index->cases.count; i++)
        cli_text_printf(&text, "case %s\n", index->cases.items[i]);
    ok = ok && !text.failed;
    bool same =
        ok && index->exists &&
        cli_input_read(&old, path, FILE_LIMIT, false, problem,
                       sizeof problem) &&
        old.length == text.length &&
        (text.length == 0 || memcmp(old.data, text.data, text.length) == 0);
    if (ok && !same)
        ok = cli_golden_write(path, &text);
    cli_text_free(&text);
    cli_text_free(&old);
    free(path);
    return ok;
}

void cli_index_free(cli_index *index)
{
    cli_text_free(&index->head);
    cli_names_free(&index->paths);
    cli_names_free(&index->cases);
}

/* --- The files --- */

static bool is_golden(const char *name)
{
    size_t length = strlen(name), n = strlen(CLI_GOLDEN_SUFFIX);
    return length > n && strcmp(name + length - n, CLI_GOLDEN_SUFFIX) == 0;
}

/* One entry of the folder `at` ("" is the golden folder itself). */
static bool visit(cli_names *files, cli_names *folders, const char *folder,
                  const char *at, const char *name)
{
    struct stat info;
    char *inner = *at == '\0' ? strdup(name) : cli_path_join(at, name);
    char *path = inner == NULL ? NULL : cli_path_join(folder, inner);
    bool ok = path != NULL;
    if (ok && lstat(path, &info) != 0)
        info.st_mode = 0;
    free(path);
    if (ok && S_ISDIR(info.st_mode))
        return cli_names_add(folders, inner);
    if (ok && is_golden(name))
        return cli_names_add(files, inner);
    free(inner);
    return ok;
}

static bool read_folder(cli_names *files, cli_names *folders,
                        const char *folder, const char *at)
{
    bool ok = true;
    char *path = *at == '\0' ? strdup(folder) : cli_path_join(folder, at);
    DIR *dir = path == NULL ? NULL : opendir(path);
    if (dir == NULL && (path == NULL || *at != '\0' || errno != ENOENT)) {
        cli_complain(0, "%s cannot be opened: %s", path == NULL ? at : path,
                     strerror(errno));
        ok = false;
    }
    struct dirent *entry;
    while (ok && dir != NULL && (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            ok = visit(files, folders, folder, at, entry->d_name);
    if (dir != NULL)
        closedir(dir);
    free(path);
    return ok;
}

bool cli_golden_scan(cli_names *files, const char *folder)
{
    cli_names folders = {0};
    bool ok = cli_names_add(&folders, strdup(""));
    while (ok && folders.count > 0) {
        char *at = folders.items[--folders.count];
        ok = read_folder(files, &folders, folder, at);
        free(at);
    }
    cli_names_free(&folders);
    cli_names_sort(files);
    return ok;
}

static bool make_folders(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        *at = '/';
        if (!ok)
            return false;
    }
    return true;
}

static bool write_draft(const char *draft, const cli_text *text)
{
    FILE *out = fopen(draft, "wx");
    if (out == NULL)
        return false;
    bool ok = fwrite(text->data, 1, text->length, out) == text->length;
    return fclose(out) == 0 && ok;
}

/* The pid keeps the drafts of two processes apart; it is in no result. */
bool cli_golden_write(const char *path, const cli_text *text)
{
    char *draft = NULL;
    if (asprintf(&draft, "%s.%ld.part", path, (long)getpid()) < 0)
        return false;
    bool ok = (access(path, F_OK) == 0 || make_folders(draft)) &&
              write_draft(draft, text) && rename(draft, path) == 0;
    if (!ok) {
        cli_complain(0, "%s cannot be written: %s", path, strerror(errno));
        unlink(draft);
    }
    free(draft);
    return ok;
}
