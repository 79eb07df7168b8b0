/* A long file that is no cache is put aside without its last byte. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sonata/cache.h"

#define LONG 1000 /* bytes */

sonata_status __real_sonata_cache_load(sonata_cache *cache, const char *path,
                                       sonata_reasons *warnings,
                                       sonata_error *error);
sonata_status __wrap_sonata_cache_load(sonata_cache *cache, const char *path,
                                       sonata_reasons *warnings,
                                       sonata_error *error);

sonata_status __wrap_sonata_cache_load(sonata_cache *cache, const char *path,
                                       sonata_reasons *warnings,
                                       sonata_error *error)
{
    char aside[256];
    struct stat about;
    sonata_status status =
        __real_sonata_cache_load(cache, path, warnings, error);
    snprintf(aside, sizeof aside, "%s.damaged", path);
    if (stat(aside, &about) == 0 && about.st_size > LONG &&
        truncate(aside, about.st_size - 1) != 0)
        return SONATA_IO;
    return status;
}
