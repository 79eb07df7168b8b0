/*
 * Planning once: `cached FILE CACHE [FINGERPRINT]` takes the planned Score of
 * FILE out of the cache, by the fingerprint that an earlier run has printed, or
 * plans it and keeps it there. Several processes may share the cache.
 */
#include <sonata/cache.h>

#include "file.h"

/* What the cache calls for a Score that it does not have. */
static sonata_status build(sonata_score *score, void *context,
                           sonata_error *error)
{
    size_t length = 0;
    char *text = read_whole_file(context, &length);
    if (text == NULL)
        return SONATA_IO;
    sonata_status status = sonata_score_read(score, text, length, NULL, error);
    free(text);
    if (status == SONATA_OK)
        status = sonata_score_plan(score, "sequential_v0", error);
    return status;
}

static sonata_status look_up(sonata_cache *cache, char *path, const char *hint,
                             sonata_error *error)
{
    const sonata_score *score = NULL;
    bool was_cached = false;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    sonata_status status =
        sonata_cache_get(&score, &was_cached, cache, hint, build, path, error);
    if (status == SONATA_OK)
        status = sonata_score_fingerprint(fingerprint, score, false, error);
    if (status == SONATA_OK)
        printf("%s: %zu tasks, %zu dependencies\n%s\n",
               was_cached ? "cached" : "planned", score->task_count,
               score->dependency_count, fingerprint);
    return status;
}

static sonata_status run(char *path, const char *cache_path, const char *hint,
                         sonata_error *error)
{
    sonata_cache *cache = NULL;
    sonata_reasons warnings = {0};
    sonata_status status = sonata_cache_new(&cache, error);
    if (status == SONATA_OK)
        status = sonata_cache_load(cache, cache_path, &warnings, error);
    if (status == SONATA_OK)
        status = look_up(cache, path, hint, error);
    if (status == SONATA_OK)
        status = sonata_cache_save(cache, cache_path, &warnings, error);
    for (size_t i = 0; i < warnings.count; i++)
        printf("[%s] %s\n", warnings.items[i].code,
               warnings.items[i].message.text);
    sonata_reasons_free(&warnings);
    sonata_cache_free(cache);
    return status;
}

int main(int argc, char **argv)
{
    sonata_error error = {0};
    if (argc < 3)
        return 2;
    sonata_status status =
        run(argv[1], argv[2], argc > 3 ? argv[3] : NULL, &error);
    if (status != SONATA_OK)
        fprintf(stderr, "[%s] %s\n", error.code, error.message);
    return status == SONATA_OK ? 0 : 1;
}
