/* What spec 02, 03 and 05 give for a program: its Score, or why there is none.
 */
#include <string.h>

#include "ir.h"

/* --- Storage keys --- */

typedef struct counts {
    uint32_t *of; /* by text: how many have that name in this root */
} counts;

static void name_storage(fuzz_ir *p, counts *n, uint32_t var,
                         const char *prefix)
{
    fuzz_ir_var *v = &p->vars[var];
    bool several = p->roots > 1;
    char again[12] = "@";
    const char *parts[] = {prefix,
                           several ? fuzz_ir_root_name(p, v->root) : "",
                           several ? "." : "",
                           p->texts[v->name].data,
                           NULL,
                           NULL};
    uint32_t text = fuzz_ir_join(p, parts);
    uint32_t count = ++n->of[text];
    if (count > 1) {
        size_t at = 1;
        uint32_t power = 1;
        while (count / power >= 10)
            power *= 10;
        for (; power > 0; power /= 10)
            again[at++] = (char)('0' + count / power % 10);
        again[at] = '\0';
        parts[4] = again;
        text = fuzz_ir_join(p, parts);
    }
    v->key = text;
}

static uint32_t key_of(const fuzz_ir *p, uint32_t arg)
{
    uint32_t var = p->args[arg].var;
    return var == FUZZ_NONE ? FUZZ_NONE : p->vars[var].key;
}

static bool is_written(const fuzz_ir *p, uint32_t task, uint32_t arg)
{
    uint8_t mode = p->m->args[arg].mode;
    return !p->m->tasks[task].no_directions &&
           (mode == FUZZ_WRITES || mode == FUZZ_UPDATES);
}

/* The key of the n-th written argument; FUZZ_NONE as n: the first known. */
static uint32_t written_key(const fuzz_ir *p, uint32_t task, int64_t n)
{
    const fuzz_task *t = &p->m->tasks[task];
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        if (!is_written(p, task, i))
            continue;
        if (n == FUZZ_NONE && key_of(p, i) != FUZZ_NONE)
            return key_of(p, i);
        if (n != FUZZ_NONE && n-- == 0)
            return key_of(p, i);
    }
    return FUZZ_NONE;
}

static void assign(fuzz_ir *p, counts *n, const fuzz_ir_step *s)
{
    uint32_t key = FUZZ_NONE;
    if (s->var == FUZZ_NONE)
        return;
    if (s->op == FUZZ_IR_CREATE) {
        name_storage(p, n, s->var, "alloc:");
    } else if (s->op == FUZZ_IR_CALL) {
        key = written_key(p, s->task, FUZZ_NONE);
        p->vars[s->var].call = s->task;
    } else if (s->op == FUZZ_IR_ELEMENT && s->index >= 0 &&
               p->vars[s->from].call != FUZZ_NONE) {
        key = written_key(p, p->vars[s->from].call, s->index);
    }
    if (key != FUZZ_NONE)
        p->vars[s->var].key = key;
}

static void name_keys(fuzz_ir *p)
{
    counts n = {fuzz_arena_get(p->arena, p->text_room, sizeof *n.of)};
    if (n.of == NULL) {
        p->failed = true;
        return;
    }
    for (uint32_t root = 0; root < p->roots; root++) {
        memset(n.of, 0, p->text_room * sizeof *n.of);
        for (uint32_t i = 0; i < p->var_count; i++)
            if (p->vars[i].param && p->vars[i].root == root)
                name_storage(p, &n, i, "param:");
        for (uint32_t i = 0; i < p->step_count; i++)
            if (p->steps[i].root == root)
                assign(p, &n, &p->steps[i]);
    }
    for (uint32_t i = 0; i < p->m->arg_count; i++) {
        fuzz_ir_arg *a = &p->args[i];
        const char *name = a->nested != FUZZ_NONE
                               ? "Call"
                               : fuzz_ir_constant_name(&p->m->args[i]);
        a->key = key_of(p, i);
        a->name = a->var != FUZZ_NONE ? p->vars[a->var].name
                                      : fuzz_ir_intern(p, name, strlen(name));
    }
}

/* --- Edges --- */

static void chain(fuzz_model *m, bool all)
{
    uint32_t flow = m->edge_count, at = 0;
    for (uint32_t i = 1; i < m->task_count; i++) {
        while (at < flow &&
               (m->edges[at].from < i - 1 ||
                (m->edges[at].from == i - 1 && m->edges[at].to < i)))
            at++;
        bool there = !all && at < flow && m->edges[at].from == i - 1 &&
                     m->edges[at].to == i;
        if (!there)
            fuzz_add_edge(m, i - 1, i, all ? FUZZ_DATA : FUZZ_ORDERING);
    }
}

/* Access keys are texts from here on: a key, or the name where there is none.
 */
static void join_accesses(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    while (m->buffer_count < p->text_count && !m->failed)
        fuzz_add_buffer(m, false);
    for (uint32_t i = 0; i < m->arg_count; i++) {
        fuzz_arg *a = &m->args[i];
        uint32_t key = p->args[i].key;
        a->buffer = key != FUZZ_NONE ? key : p->args[i].name;
    }
    if (!m->failed)
        fuzz_draw_edges(m);
    fuzz_sort_edges(m);
}

void fuzz_ir_resolve(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    bool some = false;
    name_keys(p);
    p->used_policy = p->policy == NULL ? "dataflow_v0" : p->policy;
    for (uint32_t i = 0; i < m->task_count; i++)
        some = some || (m->tasks[i].args > 0 && !m->tasks[i].no_directions);
    if (strcmp(p->used_policy, "dataflow_v0") == 0 && !fuzz_has_directions(m)) {
        p->used_policy = "sequential_v0";
        p->fallback = some ? "dataflow_directions_incomplete"
                           : "dataflow_directions_unavailable";
    }
    m->edge_count = 0;
    if (p->failed)
        return;
    if (strcmp(p->used_policy, "sequential_v0") == 0) {
        chain(m, true);
        return;
    }
    join_accesses(p);
    if (strcmp(p->used_policy, "mixed") == 0)
        chain(m, false);
}

/* --- Canonical JSON --- */

/* A character of valid UTF-8, and how many bytes it has. */
static size_t decode(const char *data, uint32_t *point)
{
    unsigned char c = (unsigned char)data[0];
    size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    *point = n == 1 ? c : c & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        *point = *point << 6 | ((unsigned char)data[i] & 0x3fu);
    return n;
}

static void put_unit(fuzz_text *out, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    char text[6] = {'\\', 'u'};
    for (int i = 0; i < 4; i++)
        text[2 + i] = digits[unit >> (12 - 4 * i) & 15];
    fuzz_put_bytes(out, text, 6);
}

static void put_canonical(fuzz_text *out, const char *data, size_t length)
{
    fuzz_raw(out, "\"");
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t n = decode(data + at, &point);
        if (point == '"' || point == '\\') {
            fuzz_put(out, "\\");
            fuzz_put_bytes(out, data + at, 1);
        } else if (point >= 0x10000) {
            put_unit(out, 0xd800 + ((point - 0x10000) >> 10));
            put_unit(out, 0xdc00 + ((point - 0x10000) & 0x3ff));
        } else if (point < 0x20 || point > 0x7e) {
            put_unit(out, point);
        } else {
            fuzz_put_bytes(out, data + at, 1);
        }
        at += n;
    }
    fuzz_put(out, "\"");
}

static void put_string(fuzz_ir *p, const char *text)
{
    put_canonical(&p->c->expected, text, strlen(text));
}

static void put_text(fuzz_ir *p, uint32_t text)
{
    if (text == FUZZ_NONE)
        fuzz_null(&p->c->expected);
    else
        put_canonical(&p->c->expected, p->texts[text].data,
                      p->texts[text].length);
}

/* --- The Score --- */

static void put_edges(fuzz_ir *p)
{
    static const char *const kinds[] = {"ordering", "war", "storage", "data"};
    fuzz_text *out = &p->c->expected;
    fuzz_key(out, "dependencies");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->m->edge_count; i++) {
        const fuzz_edge *e = &p->m->edges[i];
        fuzz_open(out, '{');
        fuzz_key_int(out, "consumer", e->to);
        fuzz_key_string(out, "kind", kinds[e->kind]);
        fuzz_key_int(out, "producer", e->from);
        fuzz_close(out);
    }
    fuzz_close(out);
}

static bool is_memory(const fuzz_ir *p, uint32_t task, uint32_t arg)
{
    return !p->m->tasks[task].no_directions &&
           p->m->args[arg].mode <= FUZZ_UPDATES;
}

static void put_coverage(fuzz_ir *p, const char *name, bool memory)
{
    fuzz_text *out = &p->c->expected;
    uint32_t known = 0, total = 0;
    for (uint32_t t = 0; t < p->m->task_count; t++) {
        const fuzz_task *task = &p->m->tasks[t];
        for (uint32_t i = task->first_arg; i < task->first_arg + task->args;
             i++) {
            bool counts_here = !memory || is_memory(p, t, i);
            total += counts_here;
            known += counts_here && p->args[i].key != FUZZ_NONE;
        }
    }
    fuzz_key(out, name);
    fuzz_open(out, '{');
    fuzz_key_int(out, "known", known);
    fuzz_key_int(out, "total", total);
    fuzz_key_int(out, "unknown", total - known);
    fuzz_close(out);
}

/* Arguments that were opted out, or those of memory that have no key. */
static void put_listed(fuzz_ir *p, const char *name, bool opted_out)
{
    fuzz_text *out = &p->c->expected;
    bool open = false;
    for (uint32_t t = 0; t < p->m->task_count; t++) {
        const fuzz_task *task = &p->m->tasks[t];
        for (uint32_t k = 0; k < task->args; k++) {
            uint32_t i = task->first_arg + k;
            bool is_it =
                opted_out
                    ? !task->no_directions && p->m->args[i].mode == FUZZ_NO_DEP
                    : is_memory(p, t, i) && p->args[i].key == FUZZ_NONE;
            if (!is_it)
                continue;
            if (!open) {
                fuzz_key(out, name);
                fuzz_open(out, '[');
            }
            open = true;
            fuzz_open(out, '{');
            fuzz_key(out, "arg");
            put_text(p, p->args[i].name);
            fuzz_key_int(out, "arg_index", k);
            fuzz_key(out, "storage_key");
            put_text(p, p->args[i].key);
            fuzz_key_int(out, "task_id", t);
            fuzz_key(out, "task_name");
            put_string(p, fuzz_ir_callee(task->func));
            fuzz_close(out);
        }
    }
    if (open)
        fuzz_close(out);
}

static void put_entry(fuzz_ir *p)
{
    fuzz_text *out = &p->c->expected;
    if (p->roots == 1 && fuzz_ir_root_name(p, 0) != NULL) {
        fuzz_key(out, "entry_name");
        put_string(p, fuzz_ir_root_name(p, 0));
    }
    if (p->roots == 1)
        return;
    fuzz_key(out, "entry_names");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->roots; i++)
        put_string(p, fuzz_ir_root_name(p, i));
    fuzz_close(out);
    fuzz_key_string(out, "entry_policy", "all_orchestration");
}

static void put_metadata(fuzz_ir *p)
{
    fuzz_text *out = &p->c->expected;
    fuzz_key(out, "metadata");
    fuzz_open(out, '{');
    fuzz_key_string(out, "dependency_policy", p->used_policy);
    if (p->fallback != NULL)
        fuzz_key_string(out, "dependency_policy_fallback_reason", p->fallback);
    put_entry(p);
    fuzz_key_string(out, "extractor", "structural_v0");
    put_coverage(p, "memory_storage_key_coverage", true);
    put_listed(p, "nodep_args", true);
    if (p->fallback != NULL)
        fuzz_key_string(out, "requested_dependency_policy", "dataflow_v0");
    put_coverage(p, "storage_key_coverage", false);
    put_listed(p, "unknown_memory_storage_args", false);
    fuzz_close(out);
}

static void put_names(fuzz_ir *p)
{
    fuzz_text *out = &p->c->expected;
    const char *name = p->name == NULL ? "sonata_score" : p->name;
    const char *const parts[] = {"build_", name, "_graph", NULL};
    fuzz_key(out, "name");
    put_string(p, name);
    fuzz_key(out, "runtime_target");
    fuzz_open(out, '{');
    fuzz_key_int(out, "aicpu_thread_num", 4);
    fuzz_key(out, "config_comment");
    fuzz_raw(out, "[\"# Runtime configuration for tensormap_and_ringbuffer.\","
                  "\"# This runtime requires 4 AICPU threads (3 schedulers + 1 "
                  "orchestrator on thread 3).\"]");
    fuzz_key(out, "function_name");
    put_text(p, fuzz_ir_join(p, parts));
    fuzz_key_string(out, "runtime", "host_build_graph");
    fuzz_close(out);
    fuzz_key_int(out, "schema_version", 1);
}

static void put_shapes(fuzz_ir *p)
{
    fuzz_text *out = &p->c->expected;
    fuzz_key(out, "shape_assumptions");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < 2 * p->var_count; i++) {
        uint32_t var = i % (p->var_count == 0 ? 1 : p->var_count);
        const fuzz_ir_var *v = &p->vars[var];
        if (!v->static_shape || v->root != i / p->var_count)
            continue;
        const char *const parts[] = {
            p->roots > 1 ? fuzz_ir_root_name(p, v->root) : "",
            p->roots > 1 ? "." : "", p->texts[v->name].data, NULL};
        fuzz_open(out, '{');
        fuzz_key(out, "dims");
        fuzz_open(out, '[');
        fuzz_int(out, 16 * (int64_t)(1 + var % 8));
        fuzz_int(out, 64);
        fuzz_close(out);
        fuzz_key(out, "symbol");
        put_text(p, fuzz_ir_join(p, parts));
        fuzz_close(out);
    }
    fuzz_close(out);
}

static const char *core_of(const fuzz_ir *p, uint32_t func)
{
    static const char *const cores[] = {"aic", "aiv", "mixed"};
    bool listed = p->form != FUZZ_IR_FUNCTION && func % 2 == 0;
    return listed ? cores[func % 3] : "mixed";
}

static void put_lists(fuzz_ir *p, const fuzz_task *t)
{
    fuzz_text *out = &p->c->expected;
    fuzz_key(out, "arg_directions");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < t->args && !t->no_directions; i++)
        put_string(p, fuzz_ir_direction(&p->m->args[t->first_arg + i]));
    fuzz_close(out);
    fuzz_key(out, "arg_storage_keys");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < t->args; i++)
        put_text(p, p->args[t->first_arg + i].key);
    fuzz_close(out);
    fuzz_key(out, "args");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < t->args; i++)
        put_text(p, p->args[t->first_arg + i].name);
    fuzz_close(out);
}

static void put_tasks(fuzz_ir *p)
{
    fuzz_text *out = &p->c->expected;
    int64_t ids[16], next = 0;
    for (uint32_t i = 0; i < 16; i++)
        ids[i] = -1;
    fuzz_key(out, "tasks");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->m->task_count; i++) {
        const fuzz_task *t = &p->m->tasks[i];
        int64_t *id = &ids[t->func % 16];
        *id = *id < 0 ? next++ : *id;
        fuzz_open(out, '{');
        put_lists(p, t);
        fuzz_key_string(out, "core_type", core_of(p, t->func));
        fuzz_key_int(out, "func_id", *id);
        fuzz_key(out, "name");
        put_string(p, fuzz_ir_callee(t->func));
        fuzz_key_int(out, "task_id", i);
        fuzz_close(out);
    }
    fuzz_close(out);
}

static void put_score(fuzz_ir *p)
{
    fuzz_open(&p->c->expected, '{');
    put_edges(p);
    put_metadata(p);
    put_names(p);
    put_shapes(p);
    put_tasks(p);
    fuzz_close(&p->c->expected);
}

static void put_reasons(fuzz_ir *p)
{
    fuzz_text *out = &p->c->expected;
    fuzz_open(out, '{');
    fuzz_key_bool(out, "eligible", false);
    fuzz_key(out, "reason_details");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->reason_count; i++) {
        fuzz_open(out, '{');
        fuzz_key_string(out, "code", p->reasons[i].code);
        fuzz_key(out, "message");
        put_canonical(out, p->reasons[i].message.data,
                      p->reasons[i].message.length);
        fuzz_key_string(out, "severity", "error");
        fuzz_close(out);
    }
    fuzz_close(out);
    fuzz_key(out, "reasons");
    fuzz_open(out, '[');
    for (uint32_t i = 0; i < p->reason_count; i++)
        put_canonical(out, p->reasons[i].message.data,
                      p->reasons[i].message.length);
    fuzz_close(out);
    fuzz_key_int(out, "schema_version", 1);
    fuzz_key(out, "score");
    fuzz_null(out);
    fuzz_close(out);
}

void fuzz_ir_expect(fuzz_ir *p)
{
    if (p->reason_count > 0)
        put_reasons(p);
    else
        put_score(p);
}
