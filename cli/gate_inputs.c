#include "gate_inputs.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "golden.h"

typedef struct entry {
    cli_found found;
    char *name;
} entry;

static bool add_pattern(cli_search *search, const char *pattern)
{
    glob_t found;
    int status = glob(pattern, GLOB_NOSORT, NULL, &found);
    if (status == GLOB_NOMATCH) {
        cli_search_add(search, pattern);
        return !search->failed;
    }
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
        cli_search_add(search, found.gl_pathv[i]);
    if (status == 0)
        globfree(&found);
    return status == 0 && !search->failed;
}

/* Listed cases that no folder's search would take, as damaged dumps. */
static bool add_listed(cli_gate_inputs *inputs, const cli_index *index)
{
    bool ok = true;
    for (size_t i = 0; ok && i < index->cases.count; i++) {
        char *file = cli_golden_file(index->cases.items[i]);
        char *path = strdup(index->cases.items[i]);
        ok = file != NULL && path != NULL;
        if (ok)
            cli_golden_path(path);
        if (ok && cli_gate_in_scope(inputs, file)) {
            if (access(path, F_OK) == 0) {
                cli_search_add(&inputs->search, path);
                ok = !inputs->search.failed;
            } else {
                ok = cli_names_add(&inputs->gone, file);
                file = NULL;
            }
        }
        free(file);
        free(path);
    }
    return ok;
}

static bool has_golden_file(const char *golden, const char *file)
{
    char *path = cli_path_join(golden, file);
    bool has = path != NULL && access(path, F_OK) == 0;
    free(path);
    return has;
}

/* An argument that is not there: an orphan, or a mistake. */
static bool take_gone(cli_gate_inputs *inputs, const cli_index *index,
                      const char *golden, const entry *e)
{
    char *file = cli_golden_file(e->name);
    if (file == NULL)
        return false;
    if (has_golden_file(golden, file) || cli_names_have(&index->cases, e->name))
        return cli_names_add(&inputs->gone, file);
    free(file);
    inputs->unopened++;
    cli_complain(0, "%s: there is no such file", e->found.path);
    return true;
}

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->found.path, y->found.path);
}

static void drop(entry *e)
{
    free(e->found.path);
    free(e->found.problem);
    free(e->name);
}

/* Puts the entries back, sorted, each once, without what is not there. */
static bool put_back(cli_gate_inputs *inputs, const cli_index *index,
                     const char *golden, entry *entries, size_t count)
{
    bool ok = true;
    cli_search *search = &inputs->search;
    search->count = 0;
    for (size_t i = 0; i < count; i++) {
        entry *e = &entries[i];
        bool again =
            inputs->name_count > 0 &&
            strcmp(inputs->names[inputs->name_count - 1], e->name) == 0;
        bool gone = access(e->found.path, F_OK) != 0;
        gone = gone && e->found.is_named;
        if (ok && gone)
            ok = take_gone(inputs, index, golden, e);
        if (again || gone) {
            drop(e);
            continue;
        }
        inputs->names[inputs->name_count++] = e->name;
        search->items[search->count++] = e->found;
        ok = ok && cli_names_add(&inputs->files, cli_golden_file(e->name));
    }
    cli_names_sort(&inputs->files);
    return ok;
}

static bool sort_cases(cli_gate_inputs *inputs, const cli_index *index,
                       const char *golden, const char *cwd)
{
    cli_search *search = &inputs->search;
    size_t count = search->count;
    entry *entries = calloc(count + 1, sizeof *entries);
    inputs->names = calloc(count + 1, sizeof *inputs->names);
    bool ok = entries != NULL && inputs->names != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        entries[i].found = search->items[i];
        entries[i].name = cli_golden_case(search->items[i].path, cwd);
        ok = entries[i].name != NULL;
    }
    if (ok) {
        qsort(entries, count, sizeof *entries, by_name);
        ok = put_back(inputs, index, golden, entries, count);
    } else {
        for (size_t i = 0; entries != NULL && i < count; i++)
            free(entries[i].name);
    }
    free(entries);
    return ok;
}

/* A scope is the file name of a case without its suffix. */
static bool add_scope(cli_gate_inputs *inputs, const char *path,
                      const char *cwd)
{
    char *name = cli_golden_case(path, cwd);
    char *file = name == NULL ? NULL : cli_golden_file(name);
    if (file != NULL && strcmp(name, "%2e") == 0)
        file[0] = '\0'; /* the current folder: everything */
    else if (file != NULL)
        file[strlen(file) - strlen(CLI_GOLDEN_SUFFIX)] = '\0';
    free(name);
    return cli_names_add(&inputs->scopes, file);
}

bool cli_gate_in_scope(const cli_gate_inputs *inputs, const char *file)
{
    size_t length = strlen(file) - strlen(CLI_GOLDEN_SUFFIX);
    char *bare = strndup(file, length);
    bool in = inputs->scopes.count == 0;
    for (size_t i = 0; bare != NULL && !in && i < inputs->scopes.count; i++)
        in = cli_scope_has(inputs->scopes.items[i], bare);
    free(bare);
    return in;
}

bool cli_gate_find(cli_gate_inputs *inputs, const cli_index *index,
                   const char *golden, const char *const *paths, size_t count,
                   bool quiet)
{
    char cwd[PATH_MAX];
    cli_search *search = &inputs->search;
    bool ok = getcwd(cwd, sizeof cwd) != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        cli_search_add(search, paths[i]);
        ok = !search->failed && add_scope(inputs, paths[i], cwd);
    }
    for (size_t i = 0; ok && count == 0 && i < index->paths.count; i++)
        ok = add_pattern(search, index->paths.items[i]);
    ok = ok && add_listed(inputs, index);
    for (size_t i = 0; ok && !quiet && i < search->note_count; i++)
        fprintf(stderr, "counterpoint: %s\n", search->notes[i]);
    ok = ok && sort_cases(inputs, index, golden, cwd);
    cli_names_sort(&inputs->gone);
    return ok;
}

void cli_gate_inputs_free(cli_gate_inputs *inputs)
{
    for (size_t i = 0; i < inputs->name_count; i++)
        free(inputs->names[i]);
    free(inputs->names);
    cli_names_free(&inputs->files);
    cli_names_free(&inputs->scopes);
    cli_names_free(&inputs->gone);
    cli_search_free(&inputs->search);
}
