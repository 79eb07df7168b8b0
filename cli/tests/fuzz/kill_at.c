/*
 * Loaded before the C library (LD_PRELOAD): ends the process with SIGKILL
 * before its call number KILL_AT, from 1, of those that write to files. Without
 * an end the number of calls goes to the file KILL_COUNT, when the process
 * exits. Processes that it starts are left alone.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long kill_at, calls;
static const char *count_path;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("KILL_AT");
    kill_at = at == NULL ? 0 : strtol(at, NULL, 10);
    count_path = getenv("KILL_COUNT");
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    FILE *out = count_path == NULL ? NULL : fopen(count_path, "w");
    if (out == NULL)
        return;
    fprintf(out, "%ld\n", calls);
    fclose(out);
}

static void count(void)
{
    if (++calls == kill_at)
        kill(getpid(), SIGKILL);
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
    count();
    return call(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    ssize_t (*call)(int, const void *, size_t, off_t);
    *(void **)&call = next("pwrite");
    count();
    return call(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    ssize_t (*call)(int, const void *, size_t, off64_t);
    *(void **)&call = next("pwrite64");
    count();
    return call(fd, data, size, at);
}

int fsync(int fd)
{
    int (*call)(int);
    *(void **)&call = next("fsync");
    count();
    return call(fd);
}

int fdatasync(int fd)
{
    int (*call)(int);
    *(void **)&call = next("fdatasync");
    count();
    return call(fd);
}

int ftruncate(int fd, off_t length)
{
    int (*call)(int, off_t);
    *(void **)&call = next("ftruncate");
    count();
    return call(fd, length);
}

int ftruncate64(int fd, off64_t length)
{
    int (*call)(int, off64_t);
    *(void **)&call = next("ftruncate64");
    count();
    return call(fd, length);
}

int unlink(const char *path)
{
    int (*call)(const char *);
    *(void **)&call = next("unlink");
    count();
    return call(path);
}
