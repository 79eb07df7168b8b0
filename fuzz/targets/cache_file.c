/*
 * The file of a Score cache, in memory (/dev/shm) where there is such a place.
 * Whatever is in it, loading is no failure; a file that is no cache is put
 * aside and stays what it was. What is saved is loaded as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "sonata/cache.h"

typedef struct place {
    char folder[40], file[64], lock[96], aside[96];
} place;

static void open_place(place *p)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    snprintf(p->folder, sizeof p->folder, "%s/counterpoint-cache-XXXXXX",
             memory ? "/dev/shm" : "/tmp");
    check(mkdtemp(p->folder) != NULL);
    snprintf(p->file, sizeof p->file, "%s/file", p->folder);
    snprintf(p->lock, sizeof p->lock, "%s.lock", p->file);
    snprintf(p->aside, sizeof p->aside, "%s.damaged", p->file);
}

static void close_place(const place *p)
{
    unlink(p->file);
    unlink(p->lock);
    unlink(p->aside);
    check(rmdir(p->folder) == 0); /* nothing else was left there */
}

static void put_file(const place *p, const uint8_t *data, size_t size)
{
    FILE *file = fopen(p->file, "wb");
    check(file != NULL);
    check(fwrite(data, 1, size, file) == size);
    check(fclose(file) == 0);
}

static void check_aside(const place *p, const uint8_t *data, size_t size)
{
    FILE *file = fopen(p->aside, "rb");
    check(file != NULL);
    for (size_t i = 0; i < size; i++)
        check(fgetc(file) == data[i]);
    check(fgetc(file) == EOF);
    fclose(file);
}

static char *load(const place *p)
{
    sonata_cache *cache;
    sonata_reasons warnings = {0};
    char *json;
    check(sonata_cache_new(&cache, NULL) == SONATA_OK);
    check(sonata_cache_load(cache, p->file, &warnings, NULL) == SONATA_OK);
    check(sonata_cache_json(&json, NULL, cache, false, NULL) == SONATA_OK);
    if (access(p->file, F_OK) == 0)
        check(sonata_cache_save(cache, p->file, NULL, NULL) == SONATA_OK);
    sonata_cache_free(cache);
    sonata_reasons_free(&warnings);
    return json;
}

static bool is_cache(const uint8_t *data, size_t size)
{
    sonata_cache *cache;
    check(sonata_cache_new(&cache, NULL) == SONATA_OK);
    sonata_status status =
        sonata_cache_read(cache, (const char *)data, size, NULL, NULL);
    sonata_cache_free(cache);
    return status == SONATA_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    place p;
    open_place(&p);
    put_file(&p, data, size);
    bool is = is_cache(data, size);
    char *first = load(&p);
    check((access(p.aside, F_OK) == 0) == !is);
    if (is) {
        char *second = load(&p);
        check(strcmp(first, second) == 0);
        free(second);
    } else {
        check_aside(&p, data, size);
    }
    free(first);
    close_place(&p);
    return 0;
}
