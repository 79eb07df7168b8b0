/*
 * The rule set `tensormap` against what the real runtime recorded (spec 07,
 * Records of a real run): a deps.json becomes a task graph, and the derived
 * edges must be the recorded ones, none missing and none more.
 */
#include "../../scripts/testing/harness.h"
#include "../json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBES "../shared/samples/a2a3sim/rule_probes/"
#define MAX_TASKS 128
#define MAX_EDGES 256

typedef struct record {
    oracle_json json;
    uint32_t tasks, tensors, edges; /* the lists */
    const char *names;              /* map.txt: who is meant to be manual_dep */
    const int64_t (*deps)[2];       /* producer, consumer; up to {0, 0} */
    bool row[MAX_TASKS];
    char *out;
    size_t length, size;
} record;

static void add(record *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(record *r, const char *format, ...)
{
    if (r->size - r->length < 512) {
        r->size = r->size * 2 + 4096;
        r->out = realloc(r->out, r->size);
        assert_non_null(r->out);
    }
    va_list args;
    va_start(args, format);
    int n = vsnprintf(r->out + r->length, r->size - r->length, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < r->size - r->length);
    r->length += (size_t)n;
}

static uint32_t field(const record *r, uint32_t object, const char *name)
{
    uint32_t end = oracle_json_next(&r->json, object);
    for (uint32_t at = object + 1; at < end;
         at = oracle_json_next(&r->json, at + 1)) {
        if (oracle_json_is(&r->json, at, name, strlen(name))) {
            return at + 1;
        }
    }
    fail_msg("no field %s", name);
    return 0;
}

/* A number, or a string of digits. */
static int64_t number(const record *r, uint32_t object, const char *name)
{
    const oracle_json_node *n = &r->json.nodes[field(r, object, name)];
    const char *s = r->json.text + n->offset;
    return (int64_t)strtoull(s + (*s == '"'), NULL, 10); /* ids: all 64 bits */
}

static bool is(const record *r, uint32_t object, const char *name,
               const char *value)
{
    return oracle_json_is(&r->json, field(r, object, name), value,
                          strlen(value));
}

static uint32_t list_end(const record *r, uint32_t list)
{
    return oracle_json_next(&r->json, list);
}

static uint32_t find_tensor(const record *r, uint32_t arg)
{
    int64_t id = number(r, arg, "tensor_id");
    for (uint32_t t = r->tensors + 1; t < list_end(r, r->tensors);
         t = oracle_json_next(&r->json, t)) {
        if (number(r, t, "tensor_id") == id) {
            return t;
        }
    }
    fail_msg("no tensor");
    return 0;
}

static int size_of(const record *r, uint32_t object)
{
    return is(r, object, "dtype", "UINT8")     ? 1
           : is(r, object, "dtype", "FLOAT32") ? 4
                                               : 2;
}

static void add_buffers(record *r)
{
    add(r, "\"buffers\":[");
    bool first = true;
    for (uint32_t t = r->tensors + 1; t < list_end(r, r->tensors);
         t = oracle_json_next(&r->json, t)) {
        bool seen = false;
        for (uint32_t o = r->tensors + 1; o < t;
             o = oracle_json_next(&r->json, o)) {
            seen |= number(r, o, "buffer_addr") == number(r, t, "buffer_addr");
        }
        if (!seen) {
            add(r, "%s{\"key\":\"%lld\",\"bytes\":%lld}", first ? "" : ",",
                (long long)number(r, t, "buffer_addr"),
                (long long)number(r, t, "buffer_numel") * size_of(r, t));
            first = false;
        }
    }
    add(r, "],");
}

static void add_view(record *r, uint32_t arg)
{
    int size = size_of(r, arg);
    uint32_t shape = field(r, arg, "shape");
    uint32_t strides = field(r, arg, "strides");
    add(r, ",\"view\":{\"elem\":%d,\"dtype\":\"%d\",\"base\":%lld,\"dims\":[",
        size, size, (long long)number(r, arg, "start_offset") * size);
    uint32_t at = strides + 1;
    for (uint32_t n = shape + 1; n < list_end(r, shape); n++, at++) {
        int64_t count = 0;
        int64_t stride = 0;
        assert_true(oracle_json_int64(&r->json, n, &count));
        assert_true(oracle_json_int64(&r->json, at, &stride));
        add(r, "%s[%lld,%lld,0]", n > shape + 1 ? "," : "", (long long)count,
            (long long)stride * size);
    }
    add(r, "]}");
}

/* Who allocated it stands only in the creator edges. */
static void add_owner(record *r, int64_t task, int64_t index)
{
    for (uint32_t e = r->edges + 1; e < list_end(r, r->edges);
         e = oracle_json_next(&r->json, e)) {
        if (is(r, e, "source", "creator") && number(r, e, "succ") == task &&
            number(r, e, "arg") == index) {
            add(r, ",\"owner\":%lld", (long long)number(r, e, "pred"));
            return;
        }
    }
}

static bool manual_dep(const record *r, int64_t task)
{
    char start[24];
    snprintf(start, sizeof start, "%lld ", (long long)task);
    const char *line = r->names;
    while (line != NULL && strncmp(line, start, strlen(start)) != 0) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    const char *end = line == NULL ? NULL : strchr(line, '\n');
    const char *mark = line == NULL ? NULL : strstr(line, "_md");
    return mark != NULL && (end == NULL || mark < end);
}

static void add_arg(record *r, int64_t task, uint32_t arg, bool first)
{
    static const char *const types[][2] = {
        {"INPUT", "input"},
        {"INOUT", "inout"},
        {"OUTPUT_EXISTING", "output_existing"},
        {"UNKNOWN", "no_dep"},
    };
    uint32_t tensor = find_tensor(r, arg);
    add(r, "%s{\"buffer\":\"%lld\",\"base_address\":%lld,\"version\":%lld",
        first ? "" : ",", (long long)number(r, tensor, "buffer_addr"),
        (long long)number(r, tensor, "buffer_addr"),
        (long long)number(r, tensor, "version"));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (is(r, arg, "type", types[i][0])) {
            add(r, ",\"dispatch\":\"%s\"", types[i][1]);
        }
    }
    if (manual_dep(r, task)) {
        add(r, ",\"manual_dep\":true");
    }
    add_owner(r, task, number(r, arg, "idx"));
    add_view(r, arg);
    add(r, "}");
}

static void add_task(record *r, int64_t id, uint32_t task)
{
    bool first = true;
    add(r, "{\"id\":%lld,\"args\":[", (long long)id);
    if (task != 0) {
        uint32_t args = field(r, task, "args");
        for (uint32_t a = args + 1; a < list_end(r, args);
             a = oracle_json_next(&r->json, a)) {
            if (!is(r, a, "type", "OUTPUT")) {
                add_arg(r, id, a, first);
                first = false;
            }
        }
    }
    add(r, "],\"deps\":[");
    first = true;
    for (int i = 0; r->deps != NULL && r->deps[i][1] != 0; i++) {
        if (r->deps[i][1] == id) {
            add(r, "%s{\"task\":%lld}", first ? "" : ",",
                (long long)r->deps[i][0]);
            first = false;
        }
    }
    add(r, "],\"scope\":%d}",
        task != 0 && is(r, task, "scope", "manual") ? 1 : 0);
}

static uint32_t find_task(const record *r, int64_t id)
{
    for (uint32_t t = r->tasks + 1; t < list_end(r, r->tasks);
         t = oracle_json_next(&r->json, t)) {
        if (number(r, t, "task_id") == id) {
            return t;
        }
    }
    return 0;
}

/* Tasks that only allocate have no row, and a creator edge. */
static bool allocates(const record *r, int64_t id)
{
    for (uint32_t e = r->edges + 1; e < list_end(r, r->edges);
         e = oracle_json_next(&r->json, e)) {
        if (is(r, e, "source", "creator") && number(r, e, "pred") == id) {
            return true;
        }
    }
    return false;
}

static void make_graph(record *r)
{
    add(r, "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"tensormap\","
           "\"scopes\":[{\"id\":0},{\"id\":1,\"manual\":true}],");
    add_buffers(r);
    add(r, "\"tasks\":[");
    bool first = true;
    for (int64_t id = 0; id < MAX_TASKS; id++) {
        uint32_t task = find_task(r, id);
        r->row[id] = task != 0 || allocates(r, id);
        if (r->row[id]) {
            add(r, "%s", first ? "" : ",");
            add_task(r, id, task);
            first = false;
        }
    }
    add(r, "]}");
}

typedef struct ends {
    int64_t from, to;
    char source; /* the first letter of the record's word */
} ends;

static int compare_ends(const void *a, const void *b)
{
    const ends *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1)
           : x->to != y->to   ? (x->to < y->to ? -1 : 1)
                              : x->source - y->source;
}

static uint32_t unique(ends *list, uint32_t count)
{
    uint32_t kept = 0;
    qsort(list, count, sizeof *list, compare_ends);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || compare_ends(&list[kept - 1], &list[i]) != 0) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static uint32_t recorded(const record *r, ends *list)
{
    uint32_t count = 0;
    for (uint32_t e = r->edges + 1; e < list_end(r, r->edges);
         e = oracle_json_next(&r->json, e)) {
        assert_true(count < MAX_EDGES);
        list[count++] = (ends){
            number(r, e, "pred"), number(r, e, "succ"),
            r->json.text[r->json.nodes[field(r, e, "source")].offset + 1]};
    }
    return unique(list, count);
}

/* The derived edges, and the deps, which are edges too. */
static uint32_t derived(const oracle_document *d, ends *list)
{
    uint32_t count = 0;
    assert_true(d->edge_count + d->dep_count <= MAX_EDGES);
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const oracle_edge *edge = &d->edges[i];
        bool creator = strcmp(edge->kind.data, "creator") == 0;
        assert_true(edge->certain);
        list[count++] = (ends){d->tasks[edge->from].id, d->tasks[edge->to].id,
                               creator ? 'c' : 't'};
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = 0; i < d->tasks[t].deps; i++) {
            list[count++] = (ends){d->deps[d->tasks[t].first_dep + i].id,
                                   d->tasks[t].id, 'e'};
        }
    }
    return unique(list, count);
}

/* The number of different edges that both have, by source. */
static uint32_t compare(const record *r, const oracle_document *d)
{
    static ends want[MAX_EDGES], have[MAX_EDGES];
    uint32_t wanted = recorded(r, want), count = derived(d, have);
    for (uint32_t i = 0; i < wanted || i < count; i++) {
        if (i >= wanted || i >= count || compare_ends(&want[i], &have[i])) {
            const ends *e = i < count ? &have[i] : &want[i];
            fail_msg("the edges differ at %lld to %lld (%c)",
                     (long long)e->from, (long long)e->to, e->source);
        }
    }
    return count;
}

static uint32_t check_record(const char *text, size_t length, const char *names,
                             const int64_t (*deps)[2])
{
    record r = {.names = names, .deps = deps};
    oracle_error error;
    oracle_document d;
    assert_int_equal(oracle_json_parse(&r.json, text, length, &error),
                     ORACLE_OK);
    r.tasks = field(&r, 0, "tasks");
    r.tensors = field(&r, 0, "tensors");
    r.edges = field(&r, 0, "edges");
    make_graph(&r);
    oracle_status status =
        oracle_document_read(&d, r.out, r.length, NULL, &error);
    print_message("%s\n", error.message);
    assert_int_equal(status, ORACLE_OK);
    assert_int_equal(oracle_document_derive(&d, &error), ORACLE_OK);
    uint32_t count = compare(&r, &d);
    oracle_document_free(&d);
    oracle_json_free(&r.json);
    free(r.out);
    return count;
}

#define ARG(type, shape, start)                                                \
    "{\"idx\":0,\"type\":\"" type "\",\"tensor_id\":\"5\",\"dtype\":"          \
    "\"FLOAT32\",\"shape\":[" shape "],\"start_offset\":\"" start              \
    "\",\"strides\":[16,1]}"
#define TASK(id, scope, arg)                                                   \
    "{\"task_id\":\"" id "\",\"scope\":\"" scope "\",\"args\":[" arg "]}"
#define EDGE(pred, succ, arg, source)                                          \
    "{\"pred\":\"" pred "\",\"succ\":\"" succ "\",\"arg\":" arg                \
    ",\"source\":\"" source "\"}"

/* Halves of a matrix, in the form of a record. */
static void test_record_of_our_own(void **state)
{
    (void)state;
    /* clang-format off */
    static const char text[] =
        "{\"tasks\":["
        TASK("1", "auto", ARG("INOUT", "8,16", "0")) ","
        TASK("2", "auto", ARG("INOUT", "4,16", "0")) ","
        TASK("3", "manual", ARG("INPUT", "8,16", "0")) ","
        TASK("4", "auto", ARG("INPUT", "4,8", "68")) ","
        TASK("5", "auto", ARG("UNKNOWN", "8,16", "0"))
        "],\"tensors\":[{\"tensor_id\":\"5\",\"buffer_addr\":\"4096\","
        "\"version\":0,\"dtype\":\"FLOAT32\",\"buffer_numel\":\"128\"}],"
        "\"edges\":["
        EDGE("0", "1", "0", "creator") ","
        EDGE("0", "2", "0", "creator") ","
        EDGE("0", "4", "0", "creator") ","
        EDGE("0", "5", "0", "creator") ","
        EDGE("1", "2", "0", "tensormap") ","
        EDGE("1", "4", "0", "tensormap") ","
        EDGE("2", "5", "-1", "explicit")
        "]}";
    /* clang-format on */
    static const int64_t deps[][2] = {{2, 5}, {0, 0}};
    assert_int_equal(check_record(text, sizeof text - 1, NULL, deps), 7);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

/*
 * 65 different edges by source. The two deps are those that the probes name:
 * one that is automatic too, and one on a task that was never submitted.
 */
static void test_probes_of_the_runtime(void **state)
{
    (void)state;
    static const int64_t deps[][2] = {{64, 65}, {15000, 66}, {0, 0}};
    size_t length;
    size_t names_length;
    test_needs(PROBES);
    char *text = read_file(PROBES "deps.json", &length);
    char *names = read_file(PROBES "map.txt", &names_length);
    assert_non_null(text);
    assert_non_null(names);
    assert_int_equal(check_record(text, length, names, deps), 65);
    free(text);
    free(names);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_record_of_our_own),
    cmocka_unit_test(test_probes_of_the_runtime),
};

TEST_MAIN(tests)
