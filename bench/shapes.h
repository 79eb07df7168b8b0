/* Task graphs whose shape is hard: each as the text of a document. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "common.h"

typedef struct bench_shape {
    const char *name;
    bench_text (*make)(void);
    uint64_t findings; /* how many there are, those of limit.* included */
} bench_shape;

extern const bench_shape bench_shapes[];
extern const size_t bench_shape_count;

/*
 * `readers` tasks that read all of a parameter, then `writers` that write a
 * slice of it each, without any edge.
 */
bench_text bench_readers_writers(uint32_t readers, uint32_t writers);

#endif
