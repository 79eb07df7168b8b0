#include "common.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WIDTH "%-14s"

void bench_check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "bench: %s failed\n", what);
    _exit(3);
}

double bench_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

uint32_t bench_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

bench_text bench_text_make(size_t room)
{
    char *data = mmap(NULL, room, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_check(data != MAP_FAILED, "mmap");
    return (bench_text){data, 0, room};
}

void bench_text_add(bench_text *text, const char *format, ...)
{
    va_list args;
    size_t left = text->room - text->length;
    va_start(args, format);
    int length = vsnprintf(text->data + text->length, left, format, args);
    va_end(args);
    bench_check(length >= 0 && (size_t)length < left, "room for a text");
    text->length += (size_t)length;
}

void bench_text_free(bench_text *text)
{
    munmap(text->data, text->room);
    *text = (bench_text){0};
}

static void run_child(int to, void *result, size_t size,
                      void (*run)(void *result, const void *input),
                      const void *input)
{
    double since = bench_now();
    for (int i = 0; i < 200 && (i == 0 || bench_now() - since < 1); i++)
        run(result, input);
    bench_check(write(to, result, size) == (ssize_t)size, "write");
    _exit(0);
}

double bench_measure(void *result, size_t size,
                     void (*run)(void *result, const void *input),
                     const void *input)
{
    int ends[2], status = 0;
    struct rusage usage;
    bench_check(pipe(ends) == 0, "pipe");
    fflush(stdout);
    pid_t child = fork();
    bench_check(child >= 0, "fork");
    if (child == 0)
        run_child(ends[1], result, size, run, input);
    close(ends[1]);
    bench_check(read(ends[0], result, size) == (ssize_t)size, "measurement");
    bench_check(wait4(child, &status, 0, &usage) == child, "wait");
    close(ends[0]);
    return (double)usage.ru_maxrss / 1024;
}

void bench_keep_least(double *seconds, double since)
{
    double taken = bench_now() - since;
    if (*seconds == 0 || taken < *seconds)
        *seconds = taken;
}

void bench_print_numbers(const char *name, const double *values, size_t count,
                         int digits)
{
    printf(WIDTH, name);
    for (size_t i = 0; i < count; i++)
        printf(" %11.*f", digits, values[i]);
    printf("\n");
}

void bench_print_times(const char *name, const double *seconds,
                       const double *sizes, size_t count)
{
    printf(WIDTH, name);
    for (size_t i = 0; i < count; i++)
        printf(" %11.3f", 1000 * seconds[i]);
    if (count > 1)
        printf(" %9.2f", log(seconds[count - 1] / seconds[count - 2]) /
                             log(sizes[count - 1] / sizes[count - 2]));
    printf("\n");
}

void bench_print_head(const double *sizes, size_t count)
{
    printf(WIDTH, "milliseconds");
    for (size_t i = 0; i < count; i++)
        printf(" %11.0f", sizes[i]);
    printf("  exponent\n");
}

void bench_put_buffers(bench_text *text, uint32_t tasks)
{
    bench_text_add(text, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":"
                         "\"none\",\"buffers\":[");
    for (uint32_t i = 0; i < tasks; i++)
        bench_text_add(text,
                       "%s{\"key\":\"alloc:b%u\",\"bytes\":4096,\"external\":"
                       "false}",
                       i == 0 ? "" : ",", (unsigned)i);
}

void bench_put_arg(bench_text *text, uint32_t buffer, bool reads)
{
    bench_text_add(text,
                   "{\"buffer\":\"alloc:b%u\",\"dispatch\":\"%s\",\"access\":[{"
                   "\"mode\":\"%s\",\"must\":true,\"exact\":true}]}%s",
                   (unsigned)buffer, reads ? "input" : "output_existing",
                   reads ? "read" : "write", reads ? "," : "");
}
