#include "wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SLICE 64 /* bytes */

typedef struct writer {
    FILE *out;
    const wide *w;
    uint32_t tasks;
    bool second; /* half */
} writer;

static void begin_task(writer *t, bool predicate)
{
    fprintf(t->out, "%s{\"id\":%" PRIu32 ",\"name\":\"k\"",
            t->tasks == 0 ? "" : ",", t->tasks);
    if (t->w->lines) {
        fprintf(t->out, ",\"line\":%d", predicate || t->second ? 2 : 1);
    }
    if (predicate) {
        fputs(",\"predicate\":{\"buffer\":\"param:p\",\"op\":\"==\","
              "\"value\":0,\"region\":{\"elem\":4,\"dims\":[[1,4,0]]}}",
              t->out);
    }
    fputs(",\"args\":[", t->out);
    t->tasks++;
}

/* A slice of `bytes` from `begin`; all of the buffer when there are none. */
static void task(writer *t, bool writes, int64_t begin, int64_t bytes)
{
    begin_task(t, writes && t->w->predicates);
    fprintf(t->out, "{\"buffer\":\"param:x\",\"dispatch\":\"%s\"",
            writes ? "output_existing" : "input");
    if (bytes > 0) {
        fprintf(t->out,
                ",\"view\":{\"elem\":1,\"base\":%" PRId64 ",\"dims\":[[%" PRId64
                ",1,0]]}",
                begin, bytes);
    }
    fprintf(t->out,
            ",\"access\":[{\"mode\":\"%s\",\"must\":true,\"exact\":true}]}]}",
            writes ? "write" : "read");
}

static void half(writer *t, bool first)
{
    wide_kind k = t->w->kind;
    bool writes = first ? k == WIDE_SLICES_READ || k == WIDE_WRITE_SLICES ||
                              k == WIDE_SLICES_WRITE
                        : k != WIDE_SLICES_READ;
    bool slices = first ? k == WIDE_SLICES_READ || k == WIDE_SLICES_WRITE
                        : k == WIDE_READ_SLICES || k == WIDE_OVERLAPPING ||
                              k == WIDE_WRITE_SLICES;
    t->second = !first;
    int64_t bytes = k == WIDE_OVERLAPPING ? SLICE + SLICE / 2 : SLICE;
    for (uint32_t i = 0; i < t->w->tasks; i++) {
        task(t, writes, (int64_t)i * SLICE, slices ? bytes : 0);
    }
}

static void edge(writer *t, uint32_t from, uint32_t to, bool *any)
{
    fprintf(t->out,
            "%s{\"from\":%" PRIu32 ",\"to\":%" PRIu32
            ",\"source\":\"policy\",\"kind\":\"control\",\"certain\":true}",
            *any ? "," : "", from, to);
    *any = true;
}

static void edges(writer *t)
{
    uint32_t n = t->w->tasks;
    bool any = false;
    for (uint32_t i = 0; t->w->kind == WIDE_CHAIN && i + 1 < n; i++) {
        edge(t, i, i + 1, &any);
    }
    for (uint32_t i = 0; t->w->kind == WIDE_LAYERS && i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            edge(t, i, n + k, &any);
        }
    }
    for (uint32_t i = 0; t->w->joined && i < n; i++) {
        if (i % 2 == 0) {
            edge(t, i, n, &any);
        }
        edge(t, n, n + 1 + i, &any);
    }
}

static void tasks(writer *t)
{
    uint32_t n = t->w->tasks;
    for (uint32_t i = 0; t->w->kind == WIDE_APART && i < n; i++) {
        task(t, true, (int64_t)i * SLICE, SLICE);
    }
    for (uint32_t i = 0; t->w->kind == WIDE_CHAIN && i < n; i++) {
        task(t, i % 2 == 0, 0, 0);
    }
    for (uint32_t i = 0; t->w->kind == WIDE_LAYERS && i < 2 * n; i++) {
        task(t, i < n, (int64_t)i * SLICE, i < n ? SLICE : 0);
    }
    if (t->w->kind > WIDE_LAYERS) {
        half(t, true);
        if (t->w->joined) {
            begin_task(t, false);
            fputs("]}", t->out);
        }
        half(t, false);
    }
}

char *wide_text(const wide *w, size_t *length)
{
    char *text = NULL;
    writer t = {.out = open_memstream(&text, length), .w = w};
    if (t.out == NULL) {
        return NULL;
    }
    fprintf(t.out,
            "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"wide\","
            "\"rules\":\"none\",\"buffers\":[{\"key\":\"param:x\",\"bytes\":"
            "%" PRId64 ",\"external\":%s%s},{\"key\":\"param:p\",\"bytes\":4,"
            "\"external\":true}],\"tasks\":[",
            ((int64_t)w->tasks * 2 + 2) * SLICE, w->external ? "true" : "false",
            w->external ? "" : ",\"init\":true");
    tasks(&t);
    fputs("],\"edges\":[", t.out);
    edges(&t);
    fputs("]}", t.out);
    if (fclose(t.out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
