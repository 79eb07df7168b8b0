/*
 * Replays files through one fuzz target, without a fuzzer. `replay_X FILE...`
 * runs files. As a test program (scripts/testing/harness.h tells the
 * protocol) its cases are: every file under corpus/, every file of
 * corpus/regressions/ again by itself, and what is cut from or damaged in the
 * files of corpus/, the same on every run. `replay_X --mutate N FOLDER` makes
 * N inputs of the files there with the mutator (fuzz/mutate.h), the same on
 * every run, and says at which one the target aborts.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/mutate.h"
#include "fuzz/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATH_LIMIT = 4096, CUTS = 16, FOLDER_LIMIT = 1000 };

static const char corpus[] = "corpus";
static const char regressions[] = "corpus/regressions";

typedef struct buffer {
    uint8_t *bytes;
    size_t size;
} buffer;

typedef bool (*visit_file)(const char *path);

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    return false;
}

static bool read_stream(buffer *text, FILE *file)
{
    size_t room = 0;
    size_t got = 1;
    while (got != 0) {
        if (text->size == room) {
            room = room == 0 ? 65536 : room * 2;
            uint8_t *larger = realloc(text->bytes, room);
            if (larger == NULL)
                return false;
            text->bytes = larger;
        }
        got = fread(text->bytes + text->size, 1, room - text->size, file);
        text->size += got;
    }
    return ferror(file) == 0;
}

static bool read_file(buffer *text, const char *path)
{
    *text = (buffer){NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return complain(path, strerror(errno));
    bool ok = read_stream(text, file);
    fclose(file);
    if (!ok) {
        free(text->bytes);
        return complain(path, "cannot be read");
    }
    return true;
}

/* The target gets a copy of just that size, so that an overrun is seen. */
static bool run_bytes(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    if (copy == NULL)
        return false;
    if (size > 0)
        memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return true;
}

static bool run_file(const char *path)
{
    buffer text;
    if (!read_file(&text, path))
        return false;
    fprintf(stderr, "%s\n", path);
    bool ok = run_bytes(text.bytes, text.size);
    free(text.bytes);
    return ok;
}

/* Cuts the file at even distances and damages one byte before each cut. */
static bool run_cuts(const char *path)
{
    buffer text;
    if (!read_file(&text, path))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < CUTS; i++) {
        size_t end = text.size / CUTS * i;
        fprintf(stderr, "%s cut at %zu\n", path, end);
        ok = run_bytes(text.bytes, end);
        if (!ok || end == 0)
            continue;
        uint8_t kept = text.bytes[end - 1];
        text.bytes[end - 1] = (uint8_t)(kept ^ (1u << i % 8));
        fprintf(stderr, "%s with bit %zu of byte %zu turned\n", path, i % 8,
                end - 1);
        ok = run_bytes(text.bytes, text.size);
        text.bytes[end - 1] = kept;
    }
    free(text.bytes);
    return ok;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

typedef struct walk {
    char *folders[FOLDER_LIMIT]; /* still to be read */
    size_t folder_count;
    size_t file_count;
    visit_file visit;
} walk;

static bool walk_entry(walk *w, const char *folder, const char *name)
{
    char path[PATH_LIMIT];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    struct stat about;
    if (length < 0 || length >= PATH_LIMIT)
        return complain(folder, "has a name that is too long");
    if (stat(path, &about) != 0)
        return complain(path, strerror(errno));
    if (!S_ISDIR(about.st_mode)) {
        w->file_count++;
        return w->visit(path);
    }
    if (w->folder_count == FOLDER_LIMIT)
        return complain(path, "too many folders");
    w->folders[w->folder_count] = strdup(path);
    return w->folders[w->folder_count++] != NULL;
}

static bool walk_folder(walk *w, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, by_bytes);
    if (count < 0)
        return complain(folder, strerror(errno));
    bool ok = true;
    for (int i = 0; i < count; i++) {
        ok = ok && walk_entry(w, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* Visits all files below the folder; that there is none is a failure. */
static bool walk_tree(const char *folder, visit_file visit)
{
    walk w = {.folder_count = 0, .file_count = 0, .visit = visit};
    bool ok = walk_folder(&w, folder);
    while (w.folder_count > 0) {
        char *next = w.folders[--w.folder_count];
        ok = ok && walk_folder(&w, next);
        free(next);
    }
    if (ok && w.file_count == 0)
        return complain(folder, "has no file");
    return ok;
}

static void list_cases(void)
{
    struct dirent **entries;
    int count = scandir(regressions, &entries, is_visible, by_bytes);
    puts("corpus");
    puts("cuts");
    if (count > 0)
        puts("regressions");
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
}

/* Files that are mutated; where one is longer it is left out. */
#define LONGEST ((size_t)65536)
#define MOST_FILES 4096

typedef struct pool {
    buffer files[MOST_FILES];
    size_t count;
} pool;

/* A walk has no context, and one program has one pool. */
static pool seeds;
static unsigned long long executions;

static bool add_seed(const char *path)
{
    buffer text;
    if (!read_file(&text, path))
        return false;
    if (text.size > LONGEST || seeds.count == MOST_FILES)
        free(text.bytes);
    else
        seeds.files[seeds.count++] = text;
    return true;
}

static fuzz_bytes pick_seed(fuzz_random *random)
{
    const buffer *file = &seeds.files[fuzz_below(random, seeds.count)];
    return (fuzz_bytes){file->bytes, file->size};
}

/* A file is changed again and again, eight times, then it is another one. */
static bool run_mutants(fuzz_mutator *mutator, unsigned long long count)
{
    fuzz_name name = {.stream = 65};
    fuzz_random random = fuzz_random_of(&name, 0);
    buffer kept = {malloc(LONGEST), 0};
    bool ok = kept.bytes != NULL;
    for (executions = 0; ok && executions < count; executions++) {
        fuzz_bytes text = {kept.bytes, kept.size};
        if (executions % 8 == 0)
            text = pick_seed(&random);
        fuzz_bytes made = fuzz_mutate(mutator, text, pick_seed(&random),
                                      LONGEST, fuzz_draw(&random));
        memcpy(kept.bytes, made.data, made.size);
        kept.size = made.size;
        ok = run_bytes(kept.bytes, kept.size);
    }
    free(kept.bytes);
    return ok;
}

static void tell_abort(int number)
{
    fprintf(stderr, "aborts at execution %llu\n", executions + 1);
    signal(number, SIG_DFL);
}

static bool mutate_folder(const char *count, const char *folder)
{
    fuzz_mutator *mutator = fuzz_mutator_new();
    signal(SIGABRT, tell_abort);
    bool ok = mutator != NULL && walk_tree(folder, add_seed) &&
              run_mutants(mutator, strtoull(count, NULL, 10));
    for (size_t i = 0; i < seeds.count; i++)
        free(seeds.files[i].bytes);
    fuzz_mutator_free(mutator);
    return ok;
}

static bool run_argument(const char *argument)
{
    if (strcmp(argument, "corpus") == 0)
        return run_bytes(NULL, 0) && walk_tree(corpus, run_file);
    if (strcmp(argument, "cuts") == 0)
        return walk_tree(corpus, run_cuts);
    if (strcmp(argument, "regressions") == 0)
        return walk_tree(regressions, run_file);
    return run_file(argument);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr,
                "usage: %s FILE... | --list | CASE | --mutate N FOLDER\n",
                argv[0]);
        return 2;
    }
    if (strcmp(argv[1], "--list") == 0) {
        list_cases();
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--mutate") == 0)
        return mutate_folder(argv[2], argv[3]) ? 0 : 1;
    for (int i = 1; i < argc; i++)
        if (!run_argument(argv[i]))
            return 1;
    return 0;
}
