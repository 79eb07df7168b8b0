#include "search.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "kind.h"
#include "recorded.h"

#define PREFIX ((size_t)65536)

typedef struct walker {
    cli_search *search;
    size_t name_at; /* where the relative part of each path starts */
    char **folders; /* still to be read */
    size_t count;
    size_t capacity;
} walker;

/* What is known of one folder when its entries have been read. */
typedef struct folder {
    bool is_passes_dump;
    bool has_passes_dump;
    char **scripts; /* paths of *.py */
    size_t count;
    size_t capacity;
} folder;

char *cli_path_join(const char *path, const char *name)
{
    size_t length = strlen(path);
    bool slash = length > 0 && path[length - 1] == '/';
    char *joined = NULL;
    if (asprintf(&joined, "%s%s%s", path, slash ? "" : "/", name) < 0)
        return NULL;
    return joined;
}

static bool grow(void *array, size_t count, size_t *capacity, size_t size)
{
    void **items = array;
    if (count < *capacity)
        return true;
    size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    void *grown = reallocarray(*items, wanted, size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

/* Takes over `path`, NULL allowed. */
static void push(cli_search *search, char ***list, size_t *count,
                 size_t *capacity, char *path)
{
    if (path == NULL || !grow(list, *count, capacity, sizeof(char *))) {
        free(path);
        search->failed = true;
        return;
    }
    (*list)[(*count)++] = path;
}

/* Takes over `path`; copies `problem`. */
static void add_found(cli_search *search, char *path, size_t name_at,
                      bool is_named, const char *problem)
{
    char *copy = problem == NULL ? NULL : strdup(problem);
    if (path == NULL || (problem != NULL && copy == NULL) ||
        !grow(&search->items, search->count, &search->capacity,
              sizeof *search->items)) {
        free(path);
        free(copy);
        search->failed = true;
        return;
    }
    search->items[search->count++] = (cli_found){
        .path = path,
        .name = path + name_at,
        .is_named = is_named,
        .problem = copy,
    };
}

__attribute__((format(printf, 2, 3))) static void
add_note(cli_search *search, const char *format, ...)
{
    char *note = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&note, format, args);
    va_end(args);
    char **notes =
        reallocarray(search->notes, search->note_count + 1, sizeof *notes);
    if (notes != NULL)
        search->notes = notes;
    if (length < 0 || notes == NULL) {
        if (length >= 0)
            free(note);
        search->failed = true;
        return;
    }
    search->notes[search->note_count++] = note;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/*
 * The kind of a file by its first bytes, of JSON that does not show it there
 * by all of them (keys in order put "kind" behind "buffers"). False when it
 * cannot be read.
 */
static bool kind_of_file(cli_kind *kind, const char *path, char *problem,
                         size_t size)
{
    cli_text text = {0};
    bool ok = cli_input_read(&text, path, PREFIX, true, problem, size);
    if (ok)
        *kind = cli_kind_detect(text.data, text.length);
    if (ok && *kind == CLI_JSON && text.length == PREFIX) {
        cli_text_clear(&text);
        ok = cli_input_read(&text, path, CLI_INPUT_LIMIT, false, problem, size);
        if (ok)
            *kind = cli_kind_detect(text.data, text.length);
    }
    cli_text_free(&text);
    return ok;
}

/* A file of a fitting name: taken when its content says so. Owns `path`. */
static void consider(walker *w, char *path, bool dumps)
{
    char problem[160];
    cli_kind kind = CLI_OTHER;
    if (path == NULL) {
        w->search->failed = true;
        return;
    }
    bool ok = kind_of_file(&kind, path, problem, sizeof problem);
    bool wanted = dumps ? kind == CLI_DUMP : cli_kind_is_input(kind);
    if (kind == CLI_TRACE && cli_recorded_is_beside(path))
        wanted = false; /* it is judged with its record */
    if (!ok || wanted)
        add_found(w->search, path, w->name_at, false, ok ? NULL : problem);
    else
        free(path);
}

static int pass_number(const char *path)
{
    const char *name = last_part(path);
    long number = strtol(name, NULL, 10);
    return number < 0 || number > INT_MAX ? -1 : (int)number;
}

/* The last stage that counts; its content is looked at when it is read. */
static void take_last_simplify(walker *w, folder *f)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < f->count; i++) {
        if (!ends_with(f->scripts[i], "_after_Simplify.py"))
            continue;
        if (best == SIZE_MAX) {
            best = i;
            continue;
        }
        int a = pass_number(f->scripts[i]), b = pass_number(f->scripts[best]);
        if (a > b || (a == b && strcmp(f->scripts[i], f->scripts[best]) > 0))
            best = i;
    }
    if (best == SIZE_MAX)
        return;
    add_found(w->search, f->scripts[best], w->name_at, false, NULL);
    f->scripts[best] = NULL;
}

static void finish_folder(walker *w, folder *f)
{
    if (f->is_passes_dump) {
        take_last_simplify(w, f);
    } else if (!f->has_passes_dump) {
        for (size_t i = 0; i < f->count; i++) {
            consider(w, f->scripts[i], true);
            f->scripts[i] = NULL;
        }
    }
    for (size_t i = 0; i < f->count; i++)
        free(f->scripts[i]);
    free(f->scripts);
}

static void visit_folder_entry(walker *w, folder *f, char *path, bool link)
{
    if (strcmp(last_part(path), "passes_dump") == 0)
        f->has_passes_dump = true;
    if (link) {
        add_note(w->search,
                 "%s: a symbolic link to a folder, not followed (name it to "
                 "search it)",
                 path);
        free(path);
        return;
    }
    push(w->search, &w->folders, &w->count, &w->capacity, path);
}

/* Owns `path`. */
static void visit(walker *w, folder *f, char *path)
{
    struct stat info, link;
    if (path == NULL || lstat(path, &link) != 0) {
        w->search->failed |= path == NULL;
        free(path);
        return;
    }
    bool script = ends_with(path, ".py");
    bool json = !w->search->dumps_only &&
                (ends_with(path, ".json") || ends_with(path, ".csv"));
    if (stat(path, &info) != 0)
        info.st_mode = 0;
    if (S_ISDIR(info.st_mode)) {
        visit_folder_entry(w, f, path, S_ISLNK(link.st_mode));
    } else if (script) {
        push(w->search, &f->scripts, &f->count, &f->capacity, path);
    } else if (json) {
        consider(w, path, false);
    } else {
        free(path);
    }
}

static bool is_passes_dump(const char *path)
{
    char *real = realpath(path, NULL);
    bool is = real != NULL && strcmp(last_part(real), "passes_dump") == 0;
    free(real);
    return is;
}

/* Owns `path`. */
static void read_folder(walker *w, char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        char problem[160];
        snprintf(problem, sizeof problem, "cannot be opened: %s",
                 strerror(errno));
        size_t length = strlen(path);
        bool is_named = w->name_at > length;
        add_found(w->search, path, is_named ? length : w->name_at, is_named,
                  problem);
        return;
    }
    folder f = {.is_passes_dump = is_passes_dump(path)};
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(w, &f, cli_path_join(path, entry->d_name));
    closedir(dir);
    finish_folder(w, &f);
    free(path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const cli_found *)a)->path, ((const cli_found *)b)->path);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void search_folder(cli_search *search, const char *path)
{
    size_t first = search->count;
    size_t first_note = search->note_count;
    size_t length = strlen(path);
    bool slash = length > 0 && path[length - 1] == '/';
    walker w = {
        .search = search,
        .name_at = slash ? length : length + 1,
    };
    push(search, &w.folders, &w.count, &w.capacity, strdup(path));
    while (w.count > 0)
        read_folder(&w, w.folders[--w.count]);
    free(w.folders);
    if (search->count > first)
        qsort(search->items + first, search->count - first,
              sizeof *search->items, by_path);
    if (search->note_count > first_note)
        qsort(search->notes + first_note, search->note_count - first_note,
              sizeof *search->notes, by_text);
}

void cli_search_add(cli_search *search, const char *path)
{
    struct stat info;
    if (strcmp(path, "-") != 0 && stat(path, &info) == 0 &&
        S_ISDIR(info.st_mode)) {
        search_folder(search, path);
        return;
    }
    const char *name = last_part(path);
    size_t at = *name == '\0' ? 0 : (size_t)(name - path);
    add_found(search, strdup(path), at, true, NULL);
}

bool cli_stage_parse(int64_t *number, const char **pass, const char *path)
{
    const char *name = last_part(path);
    char *end;
    errno = 0;
    *number = strtoll(name, &end, 10);
    if (*name < '0' || *name > '9' || errno != 0 ||
        strncmp(end, "_after_", 7) != 0 || !ends_with(end + 7, ".py"))
        return false;
    *pass = end + 7;
    return true;
}

static int by_stage(const void *a, const void *b)
{
    const cli_found *x = a, *y = b;
    const char *unused;
    int64_t m = 0, n = 0;
    cli_stage_parse(&m, &unused, x->path);
    cli_stage_parse(&n, &unused, y->path);
    return m == n ? strcmp(x->path, y->path) : m < n ? -1 : 1;
}

void cli_search_add_stages(cli_search *search, const char *dump)
{
    size_t first = search->count;
    const char *unused;
    int64_t number;
    if (!cli_stage_parse(&number, &unused, dump))
        return;
    size_t length = (size_t)(last_part(dump) - dump);
    char *parent = length == 0 ? strdup(".") : strndup(dump, length);
    DIR *dir = parent == NULL ? NULL : opendir(parent);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (!cli_stage_parse(&number, &unused, entry->d_name))
            continue;
        char *path = length == 0 ? strdup(entry->d_name)
                                 : cli_path_join(parent, entry->d_name);
        add_found(search, path, length, true, NULL);
    }
    if (dir != NULL)
        closedir(dir);
    search->failed |= parent == NULL;
    free(parent);
    if (search->count > first)
        qsort(search->items + first, search->count - first,
              sizeof *search->items, by_stage);
}

void cli_search_free(cli_search *search)
{
    for (size_t i = 0; i < search->count; i++) {
        free(search->items[i].path);
        free(search->items[i].problem);
    }
    for (size_t i = 0; i < search->note_count; i++)
        free(search->notes[i]);
    free(search->items);
    free(search->notes);
    *search = (cli_search){0};
}
