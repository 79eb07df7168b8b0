/* The members of a bundle besides graph and Score, and the bundle itself. */
#include "bundle.h"
#include "digest.h"

#include <stdlib.h>

typedef struct writer {
    bundle *b;
    fuzz_text *t;
} writer;

static bool is_flawed(const bundle *b, bundle_flaw flaw, uint32_t at)
{
    return b->flaw == flaw && b->at == at;
}

/* A fingerprint of nothing. */
static const char wrong_digest[] = "e3b0c44298fc1c149afbf4c8996fb924"
                                   "27ae41e4649b934ca495991b7852b855";

static void put_target(fuzz_text *t)
{
    fuzz_key(t, "runtime_target");
    fuzz_raw(t, "{\"aicpu_thread_num\":4,\"config_comment\":[],"
                "\"function_name\":\"build_case_graph\","
                "\"runtime\":\"host_build_graph\"}");
}

/* --- The handle --- */

/* What the runtime calls a function. */
static int64_t runtime_id(uint32_t name)
{
    return 500 + (int64_t)name;
}

static void put_function(writer *w, const char *name, uint32_t number)
{
    const bundle *b = w->b;
    int64_t id = b->func_base + (int64_t)number;
    fuzz_open(w->t, '{');
    fuzz_key_string(w->t, "name", name);
    fuzz_key_int(w->t, "sonata_func_id",
                 is_flawed(b, BUNDLE_FUNC_ID, number) ? id + 7 : id);
    fuzz_key(w->t, "runtime_func_id");
    if (b->bound)
        fuzz_int(w->t, runtime_id(number));
    else
        fuzz_null(w->t);
    fuzz_close(w->t);
}

/* One entry for each name that a task has. */
static void put_registry(writer *w)
{
    const graph *g = &w->b->g;
    uint32_t names = 0;
    for (uint32_t t = 0; t < g->task_count; t++)
        names = g->tasks[t].name >= names ? g->tasks[t].name + 1 : names;
    bool *said = fuzz_arena_get(g->arena, names + 1, sizeof *said);
    fuzz_key(w->t, "func_registry");
    fuzz_open(w->t, '[');
    for (uint32_t t = 0; said != NULL && t < g->task_count; t++) {
        uint32_t name = g->tasks[t].name;
        char text[GRAPH_NAME];
        if (said[name] || is_flawed(w->b, BUNDLE_FUNC_MISSING, name))
            continue;
        said[name] = true;
        fuzz_graph_callee(g, name, text);
        put_function(w, text, name);
        if (is_flawed(w->b, BUNDLE_FUNC_TWICE, name))
            put_function(w, text, name);
    }
    if (w->b->flaw == BUNDLE_FUNC_SPARE)
        put_function(w, "nobody", names);
    fuzz_close(w->t);
}

static void put_handle_value(writer *w, uint32_t arg)
{
    if (arg % 5 == 4)
        fuzz_raw(w->t, "\"handle\"");
    else
        fuzz_int(w->t, 10 + (int64_t)arg);
}

static void put_binding(writer *w, uint32_t t, uint32_t arg)
{
    const bundle *b = w->b;
    const graph_task *task = &b->g.tasks[t];
    const graph_arg *a = &b->g.args[task->first_arg + arg];
    bool here = b->at == t && b->arg == arg;
    char key[GRAPH_NAME];
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "task_id", task->id);
    fuzz_key_int(w->t, "arg_index", arg);
    fuzz_key(w->t, "storage_key");
    if (here && b->flaw == BUNDLE_BINDING_KEY) {
        fuzz_string(w->t, "alloc:nobody");
    } else if (a->buffer == GRAPH_NONE) {
        fuzz_null(w->t);
    } else {
        fuzz_graph_key(&b->g, a->buffer, key);
        fuzz_string(w->t, key);
    }
    fuzz_key_string(w->t, "direction",
                    here && b->flaw == BUNDLE_BINDING_DIRECTION
                        ? "no_dep"
                        : fuzz_bundle_direction(b, a, true));
    fuzz_key(w->t, "runtime_handle");
    put_handle_value(w, arg);
    fuzz_close(w->t);
}

static void put_stray_binding(writer *w)
{
    const bundle *b = w->b;
    const graph_task *task = &b->g.tasks[b->at];
    bool arg = b->flaw == BUNDLE_BINDING_ARGUMENT;
    if (!arg && b->flaw != BUNDLE_BINDING_TASK)
        return;
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "task_id", arg ? task->id : b->g.no_task);
    fuzz_key_int(w->t, "arg_index", arg ? task->args : 0);
    fuzz_close(w->t);
}

/* Without this one. */
static bool is_unbound(const bundle *b, uint32_t t, uint32_t arg)
{
    return (b->flaw == BUNDLE_BINDING_MISSING ||
            b->flaw == BUNDLE_HBG_SCALAR) &&
           b->at == t && b->arg == arg;
}

static void put_handle(writer *w)
{
    const bundle *b = w->b;
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "schema_version", 1);
    fuzz_key_string(w->t, "score_fingerprint",
                    b->flaw == BUNDLE_FINGERPRINT_HANDLE ? wrong_digest
                                                         : b->fingerprint);
    put_target(w->t);
    fuzz_key_string(w->t, "source_adapter", "post_simplify");
    fuzz_key_int(w->t, "runtime_contract_version",
                 b->flaw == BUNDLE_VERSION ? 2 : 1);
    put_registry(w);
    fuzz_key(w->t, "arg_bindings");
    fuzz_open(w->t, '[');
    for (uint32_t t = 0; t < b->g.task_count; t++) {
        for (uint32_t i = 0; i < b->g.tasks[t].args; i++) {
            if (!is_unbound(b, t, i))
                put_binding(w, t, i);
        }
    }
    put_stray_binding(w);
    fuzz_close(w->t);
    fuzz_key(w->t, "metadata");
    fuzz_raw(w->t, "{}");
    fuzz_close(w->t);
}

/* --- The plan of host_build_graph --- */

static void put_row(writer *w, uint32_t t)
{
    const bundle *b = w->b;
    const graph_task *task = &b->g.tasks[t];
    int64_t id =
        b->bound ? runtime_id(task->name) : b->func_base + (int64_t)task->name;
    char name[GRAPH_NAME];
    fuzz_graph_callee(&b->g, task->name, name);
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "task_id", task->id);
    fuzz_key_int(w->t, "func_id",
                 is_flawed(b, BUNDLE_HBG_FUNC, t) ? id + 3 : id);
    fuzz_key_string(w->t, "core_type",
                    is_flawed(b, BUNDLE_HBG_CORE, t) ? "dummy"
                                                     : fuzz_bundle_core(task));
    fuzz_key(w->t, "runtime_args");
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < task->args; i++) {
        if (is_unbound(b, t, i))
            fuzz_null(w->t);
        else if (is_flawed(b, BUNDLE_HBG_ARG, t) && b->arg == i)
            fuzz_int(w->t, 99);
        else
            put_handle_value(w, i);
    }
    if (is_flawed(b, BUNDLE_HBG_MORE_ARGS, t))
        fuzz_null(w->t);
    fuzz_close(w->t);
    fuzz_key_string(w->t, "name", name);
    fuzz_close(w->t);
}

static void put_hbg_edge(writer *w, uint32_t from, uint32_t to)
{
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "producer", w->b->g.tasks[from].id);
    fuzz_key_int(w->t, "consumer", w->b->g.tasks[to].id);
    fuzz_close(w->t);
}

static void put_hbg_metadata(writer *w)
{
    const bundle *b = w->b;
    static const char *const names[] = {"source_adapter",
                                        "runtime_contract_version",
                                        "runtime_target", "schema_version"};
    static const char *const values[] = {"\"post_simplify\"", "1",
                                         "\"host_build_graph\"", "1"};
    fuzz_key(w->t, "metadata");
    fuzz_open(w->t, '{');
    fuzz_key_string(w->t, "score_fingerprint",
                    b->flaw == BUNDLE_FINGERPRINT_HBG ? wrong_digest
                                                      : b->fingerprint);
    for (uint32_t i = 0; i < 4; i++) {
        bool here = b->at % 4 == i;
        if (here && b->flaw == BUNDLE_HBG_NO_METADATA)
            continue;
        fuzz_key(w->t, names[i]);
        fuzz_raw(w->t, here && b->flaw == BUNDLE_HBG_METADATA
                           ? "\"pre_runtime\""
                           : values[i]);
    }
    fuzz_close(w->t);
}

static void put_hbg(writer *w)
{
    const bundle *b = w->b;
    fuzz_open(w->t, '{');
    fuzz_key(w->t, "tasks");
    fuzz_open(w->t, '[');
    for (uint32_t t = 0; t < b->g.task_count; t++) {
        if (!is_flawed(b, BUNDLE_HBG_ROW, t))
            put_row(w, t);
    }
    fuzz_close(w->t);
    fuzz_key(w->t, "edges");
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < b->edge_count; i++) {
        if (!is_flawed(b, BUNDLE_HBG_EDGE_LESS, i))
            put_hbg_edge(w, b->edges[i].from, b->edges[i].to);
    }
    if (b->flaw == BUNDLE_HBG_EDGE_MORE)
        put_hbg_edge(w, 0, b->g.task_count - 1);
    fuzz_close(w->t);
    put_hbg_metadata(w);
    fuzz_close(w->t);
}

/* --- Eligibility and memory --- */

static void put_eligibility(writer *w)
{
    bundle *b = w->b;
    uint32_t base = b->func_base;
    fuzz_open(w->t, '{');
    fuzz_key_int(w->t, "schema_version", 1);
    fuzz_key_bool(w->t, "eligible", b->flaw != BUNDLE_ELIGIBLE);
    fuzz_key(w->t, "reasons");
    fuzz_raw(w->t, b->flaw == BUNDLE_REASONS ? "[\"none\"]" : "[]");
    fuzz_key(w->t, "reason_details");
    fuzz_raw(w->t, "[]");
    fuzz_key(w->t, "score");
    b->func_base += b->flaw == BUNDLE_FINGERPRINT_ELIGIBILITY;
    fuzz_bundle_score(b, w->t);
    b->func_base = base;
    fuzz_close(w->t);
}

static void put_place(writer *w, const bundle_place *place)
{
    char key[GRAPH_NAME];
    fuzz_graph_key(&w->b->g, place->buffer, key);
    fuzz_open(w->t, '{');
    fuzz_key_string(w->t, "storage_key", key);
    fuzz_key_int(w->t, "offset", place->offset);
    fuzz_key_int(w->t, "size", place->size);
    fuzz_close(w->t);
}

static void put_memory(writer *w)
{
    const bundle *b = w->b;
    fuzz_open(w->t, '{');
    fuzz_key_string(w->t, "kind", "memory_plan");
    fuzz_key_int(w->t, "version", 1);
    fuzz_key_string(w->t, "policy", "greedy_dag");
    fuzz_key(w->t, "allocations");
    fuzz_open(w->t, '[');
    for (uint32_t i = 0; i < b->place_count; i++) {
        if (b->places[i].buffer != GRAPH_NONE)
            put_place(w, &b->places[i]);
        if (is_flawed(b, BUNDLE_PLACE_TWICE, i))
            put_place(w, &b->places[i]);
    }
    fuzz_close(w->t);
    fuzz_key(w->t, "peak_memory");
    if (b->flaw == BUNDLE_PEAK_RANGE)
        fuzz_raw(w->t, "9223372036854775808");
    else
        fuzz_int(w->t, b->flaw == BUNDLE_PEAK ? b->peak + 1 + b->at : b->peak);
    fuzz_close(w->t);
}

/* --- The bundle --- */

static void put_graph(writer *w)
{
    fuzz_graph_write(&w->b->g, w->t);
}

static void put_score(writer *w)
{
    fuzz_bundle_score(w->b, w->t);
}

static void put_trace(writer *w)
{
    fuzz_raw(w->t, "{\"aicore_tasks\":[],\"aicpu_tasks\":[]}");
}

/* `first`: flaws of a member are those of the first one. */
static void put_member(writer *w, const char *role, void (*put)(writer *w),
                       bool first)
{
    const bundle *b = w->b;
    char digest[65];
    bool neither = first && b->flaw == BUNDLE_NEITHER;
    fuzz_open(w->t, '{');
    fuzz_key_string(w->t, "role",
                    first && b->flaw == BUNDLE_ROLE ? "plan" : role);
    if (!neither) {
        fuzz_key(w->t, "document");
        size_t from = w->t->length;
        put(w);
        if (!w->t->failed)
            fuzz_sha256(digest, w->t->data + from, w->t->length - from);
    }
    bool wrong = first && b->flaw == BUNDLE_SHA;
    if (!w->t->failed && !neither && (b->digests || wrong))
        fuzz_key_string(w->t, "sha256", wrong ? wrong_digest : digest);
    if (first && b->flaw == BUNDLE_BOTH)
        fuzz_key_string(w->t, "text", "{}");
    if (first && b->flaw == BUNDLE_UNKNOWN_FIELD)
        fuzz_key_int(w->t, "priority", 3);
    fuzz_close(w->t);
}

static void put_members(writer *w)
{
    static const struct {
        uint32_t bit;
        const char *role;
        void (*put)(writer *w);
    } members[] = {
        {BUNDLE_GRAPH, "graph", put_graph},
        {BUNDLE_SCORE, "score", put_score},
        {BUNDLE_ELIGIBILITY, "eligibility", put_eligibility},
        {BUNDLE_HANDLE, "handle", put_handle},
        {BUNDLE_HBG, "hbg", put_hbg},
        {BUNDLE_MEMORY, "memory", put_memory},
        {BUNDLE_TRACE, "trace", put_trace},
        {BUNDLE_TWICE, "score", put_score},
    };
    bool first = true;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if ((w->b->members & members[i].bit) == 0)
            continue;
        put_member(w, members[i].role, members[i].put, first);
        first = false;
    }
}

void fuzz_bundle_write(bundle *b, fuzz_text *text)
{
    writer w = {b, text};
    text->layout = b->layout;
    fuzz_open(text, '{');
    fuzz_key_string(text, "kind", "bundle");
    fuzz_key_int(text, "version", 1);
    if (b->flaw != BUNDLE_NO_MEMBERS) {
        fuzz_key(text, "members");
        fuzz_open(text, '[');
        if (b->flaw != BUNDLE_NOTHING)
            put_members(&w);
        fuzz_close(text);
    }
    fuzz_close(text);
}
