/*
 * The Score cache in a file. Readers need no lock, since a file is only ever
 * replaced whole; who replaces it or moves it aside holds `path`.lock, which
 * is never deleted (a lock on a deleted file would lock nobody out).
 */
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASIDE_LIMIT 1000

static sonata_status fail_io(sonata_error *error, const char *what,
                             const char *path)
{
    return sonata_fail(error, SONATA_IO, "file", "%s %s: %s", what, path,
                       strerror(errno));
}

/* A name with an ending; freed by the caller, NULL when out of memory. */
static char *with_ending(const char *path, const char *ending)
{
    size_t size = strlen(path) + strlen(ending) + 1;
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%s%s", path, ending);
    return name;
}

static sonata_status lock(int *fd, const char *path, sonata_error *error)
{
    *fd = -1;
    char *name = with_ending(path, ".lock");
    if (name == NULL)
        return sonata_fail_memory(error);
    sonata_status status = SONATA_OK;
    *fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (*fd < 0)
        status = fail_io(error, "cannot open", name);
    while (status == SONATA_OK && flock(*fd, LOCK_EX) != 0)
        if (errno != EINTR)
            status = fail_io(error, "cannot lock", name);
    if (status != SONATA_OK && *fd >= 0)
        close(*fd);
    free(name);
    return status;
}

static void unlock(int fd)
{
    close(fd);
}

static sonata_status read_all(char **text, size_t *length, FILE *file,
                              const char *path, sonata_error *error)
{
    size_t room = 0;
    *text = NULL;
    *length = 0;
    for (size_t got = 1; got > 0; *length += got) {
        if (*length == room) {
            room = room == 0 ? (size_t)1 << 16 : room * 2;
            char *larger = realloc(*text, room);
            if (larger == NULL)
                return sonata_fail_memory(error);
            *text = larger;
        }
        got = fread(*text + *length, 1, room - *length, file);
    }
    return ferror(file) ? fail_io(error, "cannot read", path) : SONATA_OK;
}

/* The text of the file, freed by the caller; NULL: there is no file. */
static sonata_status read_file(char **text, size_t *length, const char *path,
                               sonata_error *error)
{
    *text = NULL;
    *length = 0;
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return errno == ENOENT ? SONATA_OK
                               : fail_io(error, "cannot open", path);
    sonata_status status = read_all(text, length, file, path, error);
    fclose(file);
    return status;
}

static bool is_damage(sonata_status status)
{
    return status == SONATA_SYNTAX || status == SONATA_SCHEMA ||
           status == SONATA_RANGE;
}

static sonata_status take_file(sonata_cache *cache, const char *path,
                               bool is_merge, sonata_reasons *warnings,
                               sonata_error *error)
{
    char *text = NULL;
    size_t length = 0;
    sonata_status status = read_file(&text, &length, path, error);
    if (status == SONATA_OK && text != NULL)
        status =
            sonata_cache_take(cache, text, length, is_merge, warnings, error);
    free(text);
    return status;
}

/* The first free name for the damaged file; NULL when out of memory. */
static char *name_aside(const char *path)
{
    char ending[32] = ".damaged";
    char *name = with_ending(path, ending);
    struct stat about;
    for (int i = 1; name != NULL && i < ASIDE_LIMIT; i++) {
        if (lstat(name, &about) != 0)
            break;
        free(name);
        snprintf(ending, sizeof ending, ".damaged.%d", i);
        name = with_ending(path, ending);
    }
    return name;
}

/* Moves the file away, which cannot be read because of `fault`. */
static sonata_status keep_aside(const char *path, const sonata_error *fault,
                                sonata_reasons *warnings, sonata_error *error)
{
    char message[sizeof fault->message + 512];
    char *name = name_aside(path);
    if (name == NULL)
        return sonata_fail_memory(error);
    sonata_status status = SONATA_OK;
    if (rename(path, name) != 0)
        status = fail_io(error, "cannot move aside", path);
    snprintf(message, sizeof message, "%s (kept as %s)", fault->message, name);
    free(name);
    if (status == SONATA_OK &&
        !sonata_cache_warn(warnings, "cache.damaged-file", path, message))
        status = sonata_fail_memory(error);
    return status;
}

/* Under the lock: a damaged file is moved aside. */
static sonata_status take_locked(sonata_cache *cache, const char *path,
                                 bool is_merge, sonata_reasons *warnings,
                                 sonata_error *error)
{
    sonata_error fault = {0};
    sonata_status status = take_file(cache, path, is_merge, warnings, &fault);
    if (is_damage(status))
        return keep_aside(path, &fault, warnings, error);
    if (status != SONATA_OK && error != NULL)
        *error = fault;
    return status;
}

sonata_status sonata_cache_load(sonata_cache *cache, const char *path,
                                sonata_reasons *warnings, sonata_error *error)
{
    int fd = -1;
    sonata_status status = take_file(cache, path, false, warnings, error);
    if (!is_damage(status))
        return status;
    status = lock(&fd, path, error);
    if (status != SONATA_OK)
        return status;
    /* Read again: another process may have mended it in the meantime. */
    status = take_locked(cache, path, false, warnings, error);
    unlock(fd);
    return status;
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return fsync(fd) == 0;
}

static sonata_status write_file(const char *name, const char *text,
                                size_t length, sonata_error *error)
{
    /* What a crashed writer left under this name is overwritten: only the
     * holder of the lock writes it. */
    int fd =
        open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return fail_io(error, "cannot create", name);
    bool done = write_all(fd, text, length);
    if (!done)
        fail_io(error, "cannot write", name);
    if (close(fd) != 0 && done)
        return fail_io(error, "cannot write", name);
    return done ? SONATA_OK : SONATA_IO;
}

/* Makes the new name last beyond a crash of the machine. */
static sonata_status sync_folder(const char *path, sonata_error *error)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *folder = length == 0 ? strdup(".") : strndup(path, length);
    if (folder == NULL)
        return sonata_fail_memory(error);
    sonata_status status = SONATA_OK;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some file systems cannot sync a folder: EINVAL is no failure. */
    if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
        status = fail_io(error, "cannot sync", folder);
    if (fd >= 0)
        close(fd);
    free(folder);
    return status;
}

static sonata_status replace(const char *path, const char *text, size_t length,
                             sonata_error *error)
{
    char *name = with_ending(path, ".new");
    if (name == NULL)
        return sonata_fail_memory(error);
    sonata_status status = write_file(name, text, length, error);
    if (status == SONATA_OK && rename(name, path) != 0)
        status = fail_io(error, "cannot replace", path);
    if (status != SONATA_OK)
        unlink(name);
    else
        status = sync_folder(path, error);
    free(name);
    return status;
}

static void forget_invalidations(sonata_cache *cache)
{
    cache->all_invalidated = false;
    for (size_t i = 0; i < cache->keys.count; i++)
        cache->slots[i].is_invalidated = false;
}

sonata_status sonata_cache_save(sonata_cache *cache, const char *path,
                                sonata_reasons *warnings, sonata_error *error)
{
    int fd = -1;
    char *json = NULL;
    size_t length = 0;
    sonata_status status = lock(&fd, path, error);
    if (status != SONATA_OK)
        return status;
    status = take_locked(cache, path, true, warnings, error);
    if (status == SONATA_OK)
        status = sonata_cache_json(&json, &length, cache, true, error);
    if (status == SONATA_OK)
        status = replace(path, json, length, error);
    if (status == SONATA_OK)
        forget_invalidations(cache);
    free(json);
    unlock(fd);
    return status;
}
