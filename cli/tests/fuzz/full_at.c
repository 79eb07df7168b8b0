/*
 * Loaded before the C library (LD_PRELOAD): from call number FULL_AT on, from
 * 1, nothing can be written to files any more, as on a full disk. What goes to
 * pipes is not counted. Processes that it starts are left alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long full_at, calls;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FULL_AT");
    full_at = at == NULL ? 0 : strtol(at, NULL, 10);
    unsetenv("LD_PRELOAD");
}

static bool is_full(int fd)
{
    struct stat info;
    if (full_at == 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
        ++calls < full_at)
        return false;
    errno = ENOSPC;
    return true;
}

/* The function that the C library has under this name. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t (*call)(int, const void *, size_t);
    *(void **)&call = next("write");
    return is_full(fd) ? -1 : call(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    ssize_t (*call)(int, const void *, size_t, off_t);
    *(void **)&call = next("pwrite");
    return is_full(fd) ? -1 : call(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    ssize_t (*call)(int, const void *, size_t, off64_t);
    *(void **)&call = next("pwrite64");
    return is_full(fd) ? -1 : call(fd, data, size, at);
}
