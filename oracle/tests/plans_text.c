/* Plans as bundles: a small writer of its own, keys sorted, no spaces. */
#include "plans.h"

#include <inttypes.h>
#include <openssl/sha.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct out {
    char *text;
    size_t length;
} out;

static void put(out *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(out *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(o->text + o->length, PLAN_TEXT - o->length, format, args);
    va_end(args);
    if (n < 0 || o->length + (size_t)n >= PLAN_TEXT) {
        abort();
    }
    o->length += (size_t)n;
}

static void digest_of(char digest[65], const char *text, size_t length)
{
    unsigned char raw[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)text, length, raw);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) {
        snprintf(digest + 2 * (ptrdiff_t)i, 3, "%02x", raw[i]);
    }
}

static const char *comma(uint32_t i)
{
    return i == 0 ? "" : ",";
}

static const char *token(plan_way way)
{
    static const char *const tokens[] = {"Input", "Output", "InOut", "InOut",
                                         "Scalar"};
    return tokens[way];
}

/* --- The Score --- */

static void put_value(out *o, const plan *p, uint32_t t, uint32_t i)
{
    const plan_arg *a = &p->tasks[t].args[i];
    if (a->way == PLAN_SCALAR) {
        put(o, "%u", (unsigned)(t + i));
    } else if (p->keys[a->key].keyless) {
        put(o, "\"%s\"", p->keys[a->key].name);
    } else {
        put(o, "\"v%u_%u\"", (unsigned)t, (unsigned)i);
    }
}

static void put_key(out *o, const plan *p, const plan_arg *a)
{
    if (a->way == PLAN_SCALAR || p->keys[a->key].keyless) {
        put(o, "null");
    } else {
        put(o, "\"%s\"", p->keys[a->key].name);
    }
}

static void put_score_task(out *o, const plan *p, uint32_t t)
{
    const plan_task *task = &p->tasks[t];
    put(o, "%s{\"arg_directions\":[", comma(t));
    for (uint32_t i = 0; i < task->arg_count; i++) {
        put(o, "%s\"%s\"", comma(i), token(task->args[i].way));
    }
    put(o, "],\"arg_storage_keys\":[");
    for (uint32_t i = 0; i < task->arg_count; i++) {
        put(o, "%s", comma(i));
        put_key(o, p, &task->args[i]);
    }
    put(o, "],\"args\":[");
    for (uint32_t i = 0; i < task->arg_count; i++) {
        put(o, "%s", comma(i));
        put_value(o, p, t, i);
    }
    put(o,
        "],\"core_type\":\"aiv\",\"func_id\":%u,\"name\":\"f%u\","
        "\"task_id\":%" PRId64 "}",
        (unsigned)task->func, (unsigned)task->func, task->id);
}

static void put_dependencies(out *o, const plan *p)
{
    put(o, "\"dependencies\":[");
    for (uint32_t i = 0; i < p->edge_count; i++) {
        put(o,
            "%s{\"consumer\":%" PRId64 ",\"kind\":\"ordering\",\"producer\":"
            "%" PRId64 "}",
            comma(i), p->edges[i].to, p->edges[i].from);
    }
    put(o, "],");
}

static void put_score_tasks(out *o, const plan *p)
{
    put(o, "\"shape_assumptions\":[],\"tasks\":[");
    for (uint32_t t = 0; t < p->task_count; t++) {
        put_score_task(o, p, t);
    }
    put(o, "]");
}

#define TARGET                                                                 \
    "{\"aicpu_thread_num\":4,\"config_comment\":[],\"function_name\":"         \
    "\"build\",\"runtime\":\"host_build_graph\"}"

static void put_score(out *o, const plan *p)
{
    put(o, "{");
    put_dependencies(o, p);
    put(o,
        "\"metadata\":{\"note\":\"%s\"},\"name\":\"%s\",\"runtime_target\":"
        "" TARGET ",\"schema_version\":1,",
        p->note, p->title);
    put_score_tasks(o, p);
    put(o, "}");
}

void plan_fingerprint(char digest[65], const plan *p)
{
    char text[PLAN_TEXT];
    out o = {text, 0};
    put(&o, "{\"fingerprint_version\":1,\"identity\":{");
    put_dependencies(&o, p);
    put(&o, "\"name\":\"%s\",", p->title);
    put_score_tasks(&o, p);
    put(&o, "}}");
    digest_of(digest, text, o.length);
}

/* --- The handle and the host_build_graph plan --- */

static void put_binding(out *o, const plan_binding *b, uint32_t i)
{
    put(o,
        "%s{\"arg_index\":%u,\"direction\":\"%s\",\"runtime_handle\":%u,"
        "\"storage_key\":",
        comma(i), (unsigned)b->arg, token(b->way), (unsigned)b->handle);
    put(o, b->key[0] == '\0' ? "null" : "\"%s\"", b->key);
    put(o, ",\"task_id\":%" PRId64 "}", b->task);
}

static void put_handle(out *o, const plan *p)
{
    put(o, "{\"arg_bindings\":[");
    for (uint32_t i = 0; i < p->binding_count; i++) {
        put_binding(o, &p->bindings[i], i);
    }
    put(o, "],\"func_registry\":[");
    for (uint32_t i = 0; i < p->func_count; i++) {
        put(o, "%s{\"name\":\"%s\",\"runtime_func_id\":", comma(i),
            p->funcs[i].name);
        if (p->funcs[i].runtime < 0) {
            put(o, "null");
        } else {
            put(o, "%" PRId64, p->funcs[i].runtime);
        }
        put(o, ",\"sonata_func_id\":%" PRId64 "}", p->funcs[i].id);
    }
    put(o,
        "],\"metadata\":{},\"runtime_contract_version\":1,\"runtime_target\":"
        "" TARGET ",\"schema_version\":1,\"score_fingerprint\":\"%s\","
        "\"source_adapter\":\"post_simplify\"}",
        p->handle_digest);
}

static int64_t func_id(const plan *p, uint32_t func)
{
    char name[16];
    int64_t id = func;
    snprintf(name, sizeof name, "f%u", (unsigned)func);
    for (uint32_t i = 0; i < p->func_count; i++) {
        if (strcmp(p->funcs[i].name, name) == 0 && p->funcs[i].runtime >= 0) {
            id = p->funcs[i].runtime;
        }
    }
    return id;
}

static void put_hbg_task(out *o, const plan *p, uint32_t t)
{
    const plan_task *task = &p->tasks[t];
    put(o,
        "%s{\"core_type\":\"aiv\",\"func_id\":%" PRId64
        ",\"name\":\"f%u\",\"runtime_args\":[",
        comma(t), func_id(p, task->func), (unsigned)task->func);
    for (uint32_t i = 0; i < task->arg_count; i++) {
        uint32_t last = ORACLE_NONE;
        for (uint32_t b = 0; b < p->binding_count; b++) {
            if (p->bindings[b].task == task->id && p->bindings[b].arg == i) {
                last = b;
            }
        }
        put(o, "%s", comma(i));
        if (last == ORACLE_NONE) {
            put(o, "null");
        } else {
            put(o, "%u", (unsigned)p->bindings[last].handle);
        }
    }
    put(o, "],\"task_id\":%" PRId64 "}", task->id);
}

static void put_hbg(out *o, const plan *p)
{
    put(o, "{\"edges\":[");
    for (uint32_t i = 0; i < p->edge_count; i++) {
        put(o, "%s{\"consumer\":%" PRId64 ",\"producer\":%" PRId64 "}",
            comma(i), p->edges[i].to, p->edges[i].from);
    }
    put(o,
        "],\"metadata\":{\"runtime_contract_version\":1,\"runtime_target\":"
        "\"host_build_graph\",\"schema_version\":1,\"score_fingerprint\":"
        "\"%s\",\"source_adapter\":\"post_simplify\"},\"tasks\":[",
        p->hbg_digest);
    for (uint32_t t = 0; t < p->task_count; t++) {
        put_hbg_task(o, p, t);
    }
    put(o, "]}");
}

/* --- The memory plan and the graph --- */

static void put_memory(out *o, const plan *p)
{
    put(o, "{\"allocations\":[");
    for (uint32_t i = 0; i < p->place_count; i++) {
        const plan_place *x = &p->places[i];
        put(o,
            "%s{\"offset\":%" PRId64 ",\"size\":%" PRId64
            ",\"storage_key\":\"%s\"}",
            comma(i), x->offset, x->size, p->keys[x->key].name);
    }
    put(o,
        "],\"kind\":\"memory_plan\",\"peak_memory\":%" PRId64
        ",\"policy\":\"by_hand\",\"version\":1}",
        p->peak);
}

static void put_buffers(out *o, const plan *p)
{
    put(o, "\"buffers\":[");
    for (uint32_t k = 0; k < p->key_count; k++) {
        const plan_key *key = &p->keys[k];
        int64_t bytes = key->bytes;
        for (uint32_t i = 0; !p->graph && i < p->place_count; i++) {
            bytes = p->places[i].key == k ? p->places[i].size : bytes;
        }
        put(o, "%s{\"align\":%" PRId64, comma(k), key->align);
        if (key->alias_of != ORACLE_NONE) {
            put(o, ",\"alias_of\":{\"key\":\"%s\",\"offset\":%" PRId64 "}",
                p->keys[key->alias_of].name, key->alias_at);
        }
        put(o, ",\"bytes\":%" PRId64 ",\"external\":%s,\"key\":\"%s\"}", bytes,
            key->external ? "true" : "false", key->name);
    }
    put(o, "],");
}

static void put_graph_arg(out *o, const plan *p, uint32_t t, uint32_t i)
{
    const plan_arg *a = &p->tasks[t].args[i];
    static const char *const modes[] = {"read", "write", "inout", "accumulate"};
    static const char *const dispatch[] = {"input", "output_existing", "inout",
                                           "inout"};
    if (a->way == PLAN_SCALAR) {
        put(o, "{\"scalar\":%u}", (unsigned)(t + i)); /* as the Score */
        return;
    }
    put(o, "{\"access\":[{\"exact\":true,\"mode\":\"%s\",\"must\":true",
        modes[a->way]);
    if (a->count > 0) {
        put(o,
            ",\"region\":{\"base\":%" PRId64 ",\"dims\":[[%" PRId64 ",%" PRId64
            ",0]],\"elem\":1}",
            a->begin, a->count, a->stride);
    }
    put(o, "}],\"buffer\":\"%s\",\"dispatch\":\"%s\"}", p->keys[a->key].name,
        dispatch[a->way]);
}

static void put_graph(out *o, const plan *p)
{
    put(o, "{");
    put_buffers(o, p);
    put(o, "\"edges\":[");
    for (uint32_t i = 0; i < p->edge_count; i++) {
        put(o,
            "%s{\"from\":%" PRId64 ",\"source\":\"policy\",\"to\":%" PRId64 "}",
            comma(i), p->edges[i].from, p->edges[i].to);
    }
    put(o,
        "],\"kind\":\"task_graph\",\"name\":\"%s\",\"rules\":\"none\","
        "\"tasks\":[",
        p->title);
    for (uint32_t t = 0; t < p->task_count; t++) {
        const plan_task *task = &p->tasks[t];
        put(o, "%s{\"args\":[", comma(t));
        for (uint32_t i = 0; i < task->arg_count; i++) {
            put(o, "%s", comma(i));
            put_graph_arg(o, p, t, i);
        }
        put(o, "],\"core\":\"aiv\",\"id\":%" PRId64 ",\"name\":\"f%u\"",
            task->id, (unsigned)task->func);
        if (task->predicated) {
            put(o,
                ",\"predicate\":{\"buffer\":\"%s\",\"op\":\">\",\"region\":"
                "{\"base\":%" PRId64 ",\"dims\":[],\"elem\":1},\"value\":0}",
                p->keys[task->operand.key].name, task->operand.begin);
        }
        put(o, "}");
    }
    put(o, "],\"version\":1}");
}

static void put_member(out *o, const plan *p, const char *role,
                       void (*write)(out *o, const plan *p))
{
    char digest[65];
    put(o, "%s{\"document\":", o->text[o->length - 1] == '[' ? "" : ",");
    size_t begin = o->length;
    write(o, p);
    digest_of(digest, o->text + begin, o->length - begin);
    put(o, ",\"role\":\"%s\",\"sha256\":\"%s\"}", role, digest);
}

size_t plan_text(char *text, const plan *p, const plan *hbg)
{
    out o = {text, 0};
    put(&o, "{\"kind\":\"bundle\",\"members\":[");
    if (p->graph || p->with_graph) {
        put_member(&o, p, "graph", put_graph);
    }
    if (!p->graph) {
        put_member(&o, p, "score", put_score);
        put_member(&o, p, "handle", put_handle);
        if (p->with_hbg) {
            put_member(&o, hbg, "hbg", put_hbg);
        }
    }
    put_member(&o, p, "memory", put_memory);
    put(&o, "],\"version\":1}");
    return o.length;
}
