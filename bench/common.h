/* What the benchmarks share: time, texts in shared memory, child processes. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the process (status 3) unless `ok`. */
void bench_check(bool ok, const char *what);

/* Seconds that the process has computed: others may run beside it. */
double bench_now(void);

uint32_t bench_random(uint32_t *seed); /* 24 bits */

/* A text in memory that all processes share; a length of 0 is room. */
typedef struct bench_text {
    char *data;
    size_t length, room;
} bench_text;

bench_text bench_text_make(size_t room);
void bench_text_add(bench_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_text_free(bench_text *text);

/* The head of a task graph, and its buffers alloc:b0, alloc:b1, ... of 4 KB. */
void bench_put_buffers(bench_text *text, uint32_t tasks);
/* An argument that reads (a comma behind it) or writes one of them. */
void bench_put_arg(bench_text *text, uint32_t buffer, bool reads);

/*
 * Fills the result (`size` bytes, zero at first) in a process of its own, again
 * while that takes less than a second in all, and returns the most memory that
 * it had, in MB.
 */
double bench_measure(void *result, size_t size,
                     void (*run)(void *result, const void *input),
                     const void *input);

/* Keeps the least time since `since`; 0: not measured yet. */
void bench_keep_least(double *seconds, double since);

void bench_print_numbers(const char *name, const double *values, size_t count,
                         int digits);
/* Milliseconds of seconds, and the exponent of the last step in size. */
void bench_print_times(const char *name, const double *seconds,
                       const double *sizes, size_t count);
void bench_print_head(const double *sizes, size_t count);

#endif
