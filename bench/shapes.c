#include "shapes.h"

#define ROW 256 /* bytes of text for a task, a buffer or an edge, at most */

static void begin(bench_text *text)
{
    bench_text_add(text, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":"
                         "\"none\",\"buffers\":[");
}

static void put_task(bench_text *text, uint32_t id)
{
    bench_text_add(text, "%s{\"id\":%u,\"core\":\"aiv\",\"args\":[",
                   id == 0 ? "" : ",", (unsigned)id);
}

static void put_access(bench_text *text, const char *buffer, unsigned number,
                       const char *mode)
{
    bench_text_add(text,
                   "%s{\"buffer\":\"%s%u\",\"dispatch\":\"%s\",\"access\":[{"
                   "\"mode\":\"%s\",\"must\":true,\"exact\":true}]}",
                   text->data[text->length - 1] == '[' ? "" : ",", buffer,
                   number, *mode == 'r' ? "input" : "inout", mode);
}

static void put_edge(bench_text *text, unsigned from, unsigned to)
{
    bench_text_add(text, "%s{\"from\":%u,\"to\":%u,\"source\":\"explicit\"}",
                   text->data[text->length - 1] == '[' ? "" : ",", from, to);
}

static void put_buffers(bench_text *text, const char *name, uint32_t count,
                        unsigned bytes)
{
    for (uint32_t i = 0; i < count; i++)
        bench_text_add(text, "%s{\"key\":\"%s%u\",\"bytes\":%u}",
                       text->data[text->length - 1] == '[' ? "" : ",", name,
                       (unsigned)i, bytes);
}

/* Each task has a buffer of its own, all read one parameter. */
static bench_text make_wide(void)
{
    const uint32_t n = 100000;
    bench_text text = bench_text_make((size_t)n * 3 * ROW);
    begin(&text);
    put_buffers(&text, "param:p", 1, 64);
    put_buffers(&text, "alloc:t", n, 64);
    bench_text_add(&text, "],\"tasks\":[");
    for (uint32_t i = 0; i < n; i++) {
        put_task(&text, i);
        put_access(&text, "param:p", 0, "read");
        put_access(&text, "alloc:t", i, "write");
        bench_text_add(&text, "]}");
    }
    bench_text_add(&text, "]}");
    return text;
}

/* Every task reads and writes one buffer, each behind the one before. */
static bench_text make_chain(void)
{
    const uint32_t n = 1000000;
    bench_text text = bench_text_make((size_t)n * ROW);
    begin(&text);
    put_buffers(&text, "param:p", 1, 64);
    bench_text_add(&text, "],\"tasks\":[");
    for (uint32_t i = 0; i < n; i++) {
        put_task(&text, i);
        put_access(&text, "param:p", 0, "inout");
        bench_text_add(&text, "]}");
    }
    bench_text_add(&text, "],\"edges\":[");
    for (uint32_t i = 1; i < n; i++)
        put_edge(&text, i - 1, i);
    bench_text_add(&text, "]}");
    return text;
}

/* Producers of a slice each, consumers of all: every pair is necessary. */
static bench_text make_bipartite(bool whole)
{
    const unsigned n = 2000;
    bench_text text = bench_text_make((size_t)n * n * 64 + n * 2 * ROW);
    begin(&text);
    put_buffers(&text, "alloc:t", 1, 64 * n);
    bench_text_add(&text, "],\"tasks\":[");
    for (unsigned i = 0; i < 2 * n; i++) {
        put_task(&text, i);
        if (i < n)
            bench_text_add(&text,
                           "{\"buffer\":\"alloc:t0\",\"dispatch\":\"inout\","
                           "\"access\":[{\"mode\":\"write\",\"must\":true,"
                           "\"exact\":true,\"region\":{\"elem\":1,\"base\":%u,"
                           "\"dims\":[[64,1,0]]}}]}",
                           64 * i);
        else
            put_access(&text, "alloc:t", 0, "read");
        bench_text_add(&text, "]}");
    }
    bench_text_add(&text, "],\"edges\":[");
    for (unsigned to = n; to < 2 * n; to++)
        for (unsigned from = 0; from < n; from++)
            if (whole || from != 700 || to != 3100)
                put_edge(&text, from, to);
    bench_text_add(&text, "]}");
    return text;
}

static bench_text make_complete(void)
{
    return make_bipartite(true);
}

static bench_text make_one_missing(void)
{
    return make_bipartite(false);
}

bench_text bench_readers_writers(uint32_t readers, uint32_t writers)
{
    size_t rows = (size_t)readers + writers + 2;
    bench_text text = bench_text_make(rows * ROW);
    begin(&text);
    put_buffers(&text, "param:p", 1, 64 * writers);
    bench_text_add(&text, "],\"tasks\":[");
    for (uint32_t i = 0; i < readers + writers; i++) {
        put_task(&text, i);
        if (i < readers)
            put_access(&text, "param:p", 0, "read");
        else
            bench_text_add(&text,
                           "{\"buffer\":\"param:p0\",\"dispatch\":\"inout\","
                           "\"access\":[{\"mode\":\"write\",\"must\":true,"
                           "\"exact\":true,\"region\":{\"elem\":1,\"base\":%u,"
                           "\"dims\":[[64,1,0]]}}]}",
                           64 * (unsigned)(i - readers));
        bench_text_add(&text, "]}");
    }
    bench_text_add(&text, "]}");
    return text;
}

static bench_text make_readers_writers(void)
{
    return bench_readers_writers(100000, 100000);
}

/*
 * Tasks in a chain, each reads what the one before has written. The buffers
 * take turns at two places: `missing` leaves out an edge in the middle.
 */
static bench_text make_turns(bool missing)
{
    const uint32_t n = 100000;
    bench_text text = bench_text_make((size_t)n * 4 * ROW);
    bench_text_add(&text, "{\"kind\":\"bundle\",\"version\":1,\"members\":[{"
                          "\"role\":\"graph\",\"document\":");
    begin(&text);
    put_buffers(&text, "alloc:t", n, 64);
    bench_text_add(&text, "],\"tasks\":[");
    for (uint32_t i = 0; i < n; i++) {
        put_task(&text, i);
        if (i > 0 && !(missing && i == n / 2))
            put_access(&text, "alloc:t", i - 1, "read");
        put_access(&text, "alloc:t", i, "write");
        bench_text_add(&text, "]}");
    }
    bench_text_add(&text, "],\"edges\":[");
    for (uint32_t i = 1; i < n; i++)
        if (!(missing && i == n / 2))
            put_edge(&text, i - 1, i);
    bench_text_add(&text, "]}},{\"role\":\"memory\",\"document\":{\"kind\":"
                          "\"memory_plan\",\"version\":1,\"allocations\":[");
    for (uint32_t i = 0; i < n; i++)
        bench_text_add(&text,
                       "%s{\"storage_key\":\"alloc:t%u\",\"offset\":%u,"
                       "\"size\":64}",
                       i == 0 ? "" : ",", (unsigned)i, i % 2 == 0 ? 0u : 64u);
    bench_text_add(&text, "],\"peak_memory\":128}}]}");
    return text;
}

static bench_text make_turns_in_order(void)
{
    return make_turns(false);
}

static bench_text make_turns_with_gap(void)
{
    return make_turns(true);
}

/*
 * The counts follow from the rules: limit.tasks beyond 16,384 tasks,
 * limit.ready for those that are ready at the start, edge.fan-in once for tasks
 * of one name with more than 128 predecessors, a pair per reader and writer,
 * memory.waste since a buffer dies where the next is written.
 */
const bench_shape bench_shapes[] = {
    {"100,000 tasks without edges", make_wide, 2},
    {"chain of 1,000,000 tasks", make_chain, 1},
    {"2,000 x 2,000, all edges", make_complete, 1},
    {"2,000 x 2,000, one missing", make_one_missing, 2},
    {"100,000 readers, 100,000 writers", make_readers_writers,
     UINT64_C(10000000002)},
    {"100,000 buffers at two places", make_turns_in_order, 2},
    {"the same, an edge missing", make_turns_with_gap, 4},
};
const size_t bench_shape_count = sizeof bench_shapes / sizeof *bench_shapes;
