/* The Score of a bundle, and its fingerprint (spec 01). */
#include "bundle.h"
#include "digest.h"

#include <stdlib.h>

/* --- Edges --- */

static int by_ids(const void *a, const void *b)
{
    const bundle_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Ids rise or fall with the tasks, so that sorting by either is enough. */
static void sort_by_ids(bundle *b)
{
    const graph *g = &b->g;
    if (b->edge_count > 1)
        qsort(b->edges, b->edge_count, sizeof *b->edges, by_ids);
    if (g->task_count < 2 || g->tasks[0].id < g->tasks[1].id)
        return;
    for (uint32_t i = 0; i < b->edge_count / 2; i++) {
        bundle_edge e = b->edges[i];
        b->edges[i] = b->edges[b->edge_count - 1 - i];
        b->edges[b->edge_count - 1 - i] = e;
    }
}

static const char *strongest(unsigned kinds)
{
    return (kinds & GRAPH_DATA) != 0      ? "data"
           : (kinds & GRAPH_STORAGE) != 0 ? "storage"
           : (kinds & GRAPH_WAR) != 0     ? "war"
                                          : "ordering";
}

static bool all_have_args(const graph *g)
{
    for (uint32_t t = 0; t < g->task_count; t++) {
        if (g->tasks[t].args == 0)
            return false;
    }
    return true;
}

bool fuzz_bundle_edges(bundle *b)
{
    const graph *g = &b->g;
    uint32_t room = g->edge_count + g->task_count + 1;
    b->edges = fuzz_arena_get(g->arena, room, sizeof *b->edges);
    if (b->edges == NULL)
        return false;
    b->policy = (bundle_policy)fuzz_below(&b->r, 3);
    if (b->policy == BUNDLE_DATAFLOW && !all_have_args(g))
        b->policy = BUNDLE_NO_POLICY;
    if (b->policy == BUNDLE_SEQUENTIAL) {
        for (uint32_t t = 1; t < g->task_count; t++)
            b->edges[b->edge_count++] = (bundle_edge){t - 1, t, "data"};
        return true;
    }
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const graph_edge *e = &g->edges[i];
        b->edges[b->edge_count++] =
            (bundle_edge){e->from, e->to, strongest(e->kinds)};
    }
    sort_by_ids(b);
    return true;
}

/* --- Values --- */

const char *fuzz_bundle_core(const graph_task *task)
{
    static const char *const cores[] = {"aiv", "aic", "mixed", "mixed"};
    return cores[task->core];
}

const char *fuzz_bundle_direction(const bundle *b, const graph_arg *arg,
                                  bool handle)
{
    static const char *const spellings[2][4] = {
        {"Input", "Output", "OutputExisting", "InOut"},
        {"INPUT", "out-put", "output_existing", "in_out"}};
    uint32_t way = b->other_spelling != handle;
    if (arg->buffer == GRAPH_NONE)
        return way ? "scalar" : "Scalar";
    switch (arg->mode) {
    case GRAPH_READ:
        return spellings[way][0];
    case GRAPH_WRITE:
        return spellings[way][arg->dispatch == GRAPH_OUTPUT ? 1 : 2];
    default:
        return spellings[way][3];
    }
}

/* --- The text --- */

/* The next letter of UTF-8 that is known to be right. */
static uint32_t letter(const unsigned char **at)
{
    static const uint32_t masks[] = {0, 0, 0x1f, 0x0f, 0x07};
    uint32_t c = **at;
    uint32_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (length > 1)
        c &= masks[length];
    for (uint32_t i = 1; i < length; i++)
        c = c << 6 | ((*at)[i] & 0x3fu);
    *at += length;
    return c;
}

static char *put_unit(char *out, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    *out++ = '\\';
    *out++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4)
        *out++ = digits[unit >> shift & 15];
    return out;
}

/* A string in canonical JSON: ASCII alone. */
static void put_ascii(fuzz_text *text, const char *string)
{
    static const char shorts[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
    char escaped[6 * GRAPH_NAME + 3];
    char *out = escaped;
    const unsigned char *at = (const unsigned char *)string;
    *out++ = '"';
    while (*at != 0) {
        uint32_t c = letter(&at);
        const char *known = c < 0x80 ? strchr(shorts, (int)c) : NULL;
        if (known != NULL) {
            *out++ = '\\';
            *out++ = names[known - shorts];
        } else if (c >= 0x20 && c < 0x7f) {
            *out++ = (char)c;
        } else if (c < 0x10000) {
            out = put_unit(out, c);
        } else {
            out = put_unit(out, 0xd800 + ((c - 0x10000) >> 10));
            out = put_unit(out, 0xdc00 + ((c - 0x10000) & 0x3ff));
        }
    }
    *out++ = '"';
    fuzz_raw_n(text, escaped, (size_t)(out - escaped));
}

typedef struct writer {
    bundle *b;
    fuzz_text *t;
    bool canonical;
} writer;

static void put_string(writer *w, const char *string)
{
    if (w->canonical)
        put_ascii(w->t, string);
    else
        fuzz_string(w->t, string);
}

static void put_arg(writer *w, uint32_t t, uint32_t index)
{
    const bundle *b = w->b;
    const graph_arg *arg = &b->g.args[index];
    char name[GRAPH_NAME];
    bool here = b->at == t && b->arg == index - b->g.tasks[t].first_arg;
    if (here && b->flaw == BUNDLE_LOST_CONSTANT) {
        put_string(w, "ConstInt");
    } else if (here && b->flaw == BUNDLE_LOST_KEY) {
        put_string(w, "a view");
    } else if (arg->buffer == GRAPH_NONE) {
        fuzz_raw(w->t, fuzz_graph_scalar(arg->scalar)->score);
    } else {
        fuzz_graph_key(&b->g, arg->buffer, name);
        put_string(w, name);
    }
}

static void put_key(writer *w, uint32_t t, uint32_t index)
{
    const bundle *b = w->b;
    const graph_arg *arg = &b->g.args[index];
    char name[GRAPH_NAME];
    bool lost = b->flaw == BUNDLE_LOST_KEY && b->at == t &&
                b->arg == index - b->g.tasks[t].first_arg;
    if (arg->buffer == GRAPH_NONE || lost) {
        fuzz_null(w->t);
        return;
    }
    fuzz_graph_key(&b->g, arg->buffer, name);
    put_string(w, name);
}

static void put_task(writer *w, uint32_t t)
{
    const bundle *b = w->b;
    const graph_task *task = &b->g.tasks[t];
    uint32_t end = task->first_arg + task->args;
    char name[GRAPH_NAME];
    fuzz_open(w->t, '{');
    fuzz_key(w->t, "arg_directions");
    fuzz_open(w->t, '[');
    for (uint32_t i = task->first_arg; i < end; i++)
        fuzz_string(w->t, fuzz_bundle_direction(b, &b->g.args[i], false));
    fuzz_close(w->t);
    fuzz_key(w->t, "arg_storage_keys");
    fuzz_open(w->t, '[');
    for (uint32_t i = task->first_arg; i < end; i++)
        put_key(w, t, i);
    fuzz_close(w->t);
    fuzz_key(w->t, "args");
    fuzz_open(w->t, '[');
    for (uint32_t i = task->first_arg; i < end; i++)
        put_arg(w, t, i);
    fuzz_close(w->t);
    fuzz_key_string(w->t, "core_type", fuzz_bundle_core(task));
    fuzz_key_int(w->t, "func_id", b->func_base + (int64_t)task->name);
    fuzz_graph_callee(&b->g, task->name, name);
    fuzz_key(w->t, "name");
    put_string(w, name);
    fuzz_key_int(w->t, "task_id", task->id);
    fuzz_close(w->t);
}

static void put_tasks(writer *w)
{
    const bundle *b = w->b;
    fuzz_key(w->t, "tasks");
    fuzz_open(w->t, '[');
    for (uint32_t t = 0; t < b->g.task_count; t++) {
        if (b->flaw != BUNDLE_LOST_TASK || b->at != t)
            put_task(w, t);
    }
    fuzz_close(w->t);
}

static void put_edges(writer *w)
{
    const bundle *b = w->b;
    fuzz_key(w->t, "dependencies");
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < b->edge_count; i++) {
        const bundle_edge *e = &b->edges[i];
        bool gone =
            b->flaw == BUNDLE_LOST_TASK && (e->from == b->at || e->to == b->at);
        if (gone || (b->flaw == BUNDLE_POLICY_LESS && i == b->at))
            continue;
        fuzz_open(w->t, '{');
        fuzz_key_int(w->t, "consumer", b->g.tasks[e->to].id);
        fuzz_key_string(w->t, "kind",
                        b->flaw == BUNDLE_POLICY_KIND && i == b->at ? "ordering"
                                                                    : e->kind);
        fuzz_key_int(w->t, "producer", b->g.tasks[e->from].id);
        fuzz_close(w->t);
    }
    fuzz_close(w->t);
}

static void put_metadata(writer *w)
{
    static const char *const names[] = {NULL, "dataflow_v0", "sequential_v0"};
    const bundle *b = w->b;
    fuzz_key(w->t, "metadata");
    fuzz_open(w->t, '{');
    if (names[b->policy] != NULL)
        fuzz_key_string(w->t, "dependency_policy", names[b->policy]);
    if (b->flaw == BUNDLE_FALLBACK)
        fuzz_key_string(w->t, "dependency_policy_fallback_reason",
                        b->at % 2 == 0 ? "dataflow_directions_incomplete"
                                       : "dataflow_directions_unavailable");
    fuzz_close(w->t);
}

void fuzz_bundle_score(bundle *b, fuzz_text *text)
{
    writer w = {.b = b, .t = text};
    fuzz_open(text, '{');
    put_edges(&w);
    put_metadata(&w);
    fuzz_key_string(text, "name", "case");
    fuzz_key(text, "runtime_target");
    fuzz_raw(text, "{\"aicpu_thread_num\":4,\"config_comment\":[],"
                   "\"function_name\":\"build_case_graph\","
                   "\"runtime\":\"host_build_graph\"}");
    fuzz_key_int(text, "schema_version", 1);
    fuzz_key(text, "shape_assumptions");
    fuzz_raw(text, "[{\"dims\":[4,64],\"symbol\":\"x\"}]");
    put_tasks(&w);
    fuzz_close(text);
}

/* --- The fingerprint --- */

void fuzz_bundle_fingerprint(bundle *b, fuzz_text *scratch)
{
    writer w = {.b = b, .t = scratch, .canonical = true};
    fuzz_text_clear(scratch);
    scratch->layout = FUZZ_COMPACT;
    fuzz_open(scratch, '{');
    fuzz_key_int(scratch, "fingerprint_version", 1);
    fuzz_key(scratch, "identity");
    fuzz_open(scratch, '{');
    put_edges(&w);
    fuzz_key_string(scratch, "name", "case");
    fuzz_key(scratch, "shape_assumptions");
    fuzz_raw(scratch, "[{\"dims\":[4,64],\"symbol\":\"x\"}]");
    put_tasks(&w);
    fuzz_close(scratch);
    fuzz_close(scratch);
    if (!scratch->failed)
        fuzz_sha256(b->fingerprint, scratch->data, scratch->length);
    fuzz_text_clear(scratch);
}
