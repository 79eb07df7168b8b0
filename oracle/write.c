/* A document as canonical compact JSON: keys sorted, ASCII only. */
#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    const oracle_document *document;
    char *text;
    size_t length, capacity;
    bool failed;
    bool first; /* nothing stands in the innermost list or object yet */
} writer;

static void put(writer *w, const char *data, size_t length)
{
    if (w->failed) {
        return;
    }
    if (length + 1 > w->capacity - w->length) {
        size_t capacity = w->capacity + w->capacity / 2 + length + 256;
        char *grown = realloc(w->text, capacity);
        if (grown == NULL) {
            w->failed = true;
            return;
        }
        w->text = grown;
        w->capacity = capacity;
    }
    memcpy(w->text + w->length, data, length);
    w->length += length;
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_int(writer *w, int64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, value);
    put(w, digits, (size_t)length);
}

static void put_bool(writer *w, bool value)
{
    put_text(w, value ? "true" : "false");
}

static void put_unit(writer *w, unsigned unit)
{
    char escape[8];
    int length = snprintf(escape, sizeof escape, "\\u%04x", unit);
    put(w, escape, (size_t)length);
}

/* One character above U+007F, of valid UTF-8. */
static void put_wide(writer *w, const unsigned char *s, size_t n)
{
    unsigned code = n == 2 ? s[0] & 0x1fu : n == 3 ? s[0] & 0x0fu : s[0] & 7u;
    for (size_t i = 1; i < n; i++) {
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (code >= 0x10000) {
        put_unit(w, 0xd800 + ((code - 0x10000) >> 10));
        code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    put_unit(w, code);
}

static void put_ascii(writer *w, char c)
{
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *at = c == '\0' ? NULL : strchr(from, c);
    if (at != NULL) {
        char escape[2] = {'\\', to[at - from]};
        put(w, escape, 2);
    } else if ((unsigned char)c < 0x20 || c == 0x7f) {
        put_unit(w, (unsigned char)c);
    } else {
        put(w, &c, 1);
    }
}

static void put_string(writer *w, oracle_text text)
{
    put(w, "\"", 1);
    for (uint32_t i = 0; i < text.length;) {
        size_t n = oracle_utf8_length(text.data + i, text.length - i);
        if (n > 1) {
            put_wide(w, (const unsigned char *)text.data + i, n);
        } else {
            put_ascii(w, text.data[i]);
        }
        i += n == 0 ? 1 : (uint32_t)n;
    }
    put(w, "\"", 1);
}

static void separate(writer *w)
{
    if (!w->first) {
        put(w, ",", 1);
    }
    w->first = false;
}

static void open(writer *w, const char *bracket)
{
    put_text(w, bracket);
    w->first = true;
}

static void close(writer *w, const char *bracket)
{
    put_text(w, bracket);
    w->first = false;
}

static void key(writer *w, const char *name)
{
    separate(w);
    put(w, "\"", 1);
    put_text(w, name);
    put(w, "\":", 2);
}

static void key_int(writer *w, const char *name, int64_t value)
{
    key(w, name);
    put_int(w, value);
}

static void key_bool(writer *w, const char *name, bool value)
{
    key(w, name);
    put_bool(w, value);
}

static void key_word(writer *w, const char *name, const char *word)
{
    key(w, name);
    put(w, "\"", 1);
    put_text(w, word);
    put(w, "\"", 1);
}

/* Left out when absent. */
static void key_text(writer *w, const char *name, oracle_text text)
{
    if (text.present) {
        key(w, name);
        put_string(w, text);
    }
}

static void key_line(writer *w, int64_t line)
{
    if (line != 0) {
        key_int(w, "line", line);
    }
}

/* 0: declared; then block and lane, whose indexes follow from their use. */
static int symbol_class(const oracle_symbol *symbol)
{
    if (!symbol->block) {
        return 0;
    }
    return symbol->name.data[0] == 'b' ? 1 : 2;
}

static void put_affine(writer *w, const oracle_affine *a)
{
    const oracle_document *document = w->document;
    if (a->count == 0) {
        put_int(w, a->c);
        return;
    }
    put_text(w, "{\"c\":");
    put_int(w, a->c);
    put_text(w, ",\"t\":[");
    w->first = true;
    for (int class = 0; class < 3; class ++) {
        for (uint32_t i = 0; i < a->count; i++) {
            const oracle_term *term = &document->terms[a->first + i];
            const oracle_symbol *symbol = &document->symbols[term->symbol];
            if (symbol_class(symbol) == class) {
                separate(w);
                put(w, "[", 1);
                put_int(w, term->coef);
                put(w, ",", 1);
                put_string(w, symbol->name);
                put(w, "]", 1);
            }
        }
    }
    put_text(w, "]}");
}

static void key_region(writer *w, const char *name, uint32_t index,
                       oracle_text dtype)
{
    if (index == ORACLE_NONE) {
        return;
    }
    const oracle_region *region = &w->document->regions[index];
    key(w, name);
    open(w, "{");
    key(w, "base");
    put_affine(w, &region->base);
    key(w, "dims");
    put(w, "[", 1);
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &w->document->dims[region->first + i];
        put_text(w, i > 0 ? ",[" : "[");
        put_affine(w, &dim->count);
        put(w, ",", 1);
        put_int(w, dim->stride);
        put(w, ",", 1);
        put_affine(w, &dim->offset);
        put(w, "]", 1);
    }
    put(w, "]", 1);
    key_text(w, "dtype", dtype);
    key_int(w, "elem", region->elem);
    close(w, "}");
}

static void key_buffer(writer *w, uint32_t buffer)
{
    key(w, "buffer");
    put_string(w, w->document->buffers[buffer].key);
}

static const char *mode_name(oracle_mode mode)
{
    static const char *const names[] = {"read", "write", "inout", "accumulate"};
    return names[mode];
}

static void put_accesses(writer *w, const oracle_arg *arg)
{
    if (!arg->has_access) {
        return;
    }
    static const oracle_text none = {"", 0, false};
    key(w, "access");
    open(w, "[");
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *a = &w->document->accesses[arg->first_access + i];
        separate(w);
        open(w, "{");
        key_bool(w, "exact", a->exact);
        key_word(w, "mode", mode_name(a->mode));
        key_bool(w, "must", a->must);
        key_region(w, "region", a->region, none);
        close(w, "}");
    }
    close(w, "]");
}

static void put_arg(writer *w, const oracle_arg *arg)
{
    static const char *const dispatches[] = {
        "input", "output", "output_existing", "inout", "no_dep", "unknown"};
    static const char *const declared[] = {"", "in", "out", "inout"};
    separate(w);
    open(w, "{");
    if (arg->kind == ORACLE_ARG_SCALAR) {
        key(w, "scalar");
        if (arg->scalar.present) {
            open(w, "{");
            key_text(w, "text", arg->scalar);
            close(w, "}");
        } else {
            put_text(w, "null");
        }
        close(w, "}");
        return;
    }
    oracle_identity identity = oracle_arg_identity(arg);
    put_accesses(w, arg);
    key_text(w, "base_address", identity.base_address);
    key_buffer(w, arg->buffer);
    if (arg->declared != ORACLE_DECLARED_NONE) {
        key_word(w, "declared", declared[arg->declared]);
    }
    key_word(w, "dispatch", dispatches[arg->dispatch]);
    if (arg->view == ORACLE_NONE) {
        key_text(w, "dtype", arg->dtype);
    }
    key_bool(w, "manual_dep", arg->manual_dep);
    key_text(w, "owner", identity.owner);
    key_text(w, "version", identity.version);
    key_region(w, "view", arg->view, arg->dtype);
    close(w, "}");
}

static void put_whens(writer *w, uint32_t first, uint32_t count)
{
    open(w, "[");
    for (uint32_t i = 0; i < count; i++) {
        const oracle_when *when = &w->document->whens[first + i];
        separate(w);
        open(w, "{");
        key_int(w, "choice", w->document->choices[when->choice].id);
        key_bool(w, "is", when->is);
        close(w, "}");
    }
    close(w, "]");
}

static void put_deps(writer *w, const oracle_task *task)
{
    static const char *const causes[] = {"", "dead", "reused", "none"};
    key(w, "deps");
    open(w, "[");
    for (uint32_t i = 0; i < task->deps; i++) {
        const oracle_dep *dep = &w->document->deps[task->first_dep + i];
        separate(w);
        open(w, "{");
        if (dep->cause != ORACLE_DEP_TASK) {
            key_word(w, "cause", causes[dep->cause]);
        }
        key_text(w, "name", dep->name);
        key(w, "task");
        if (dep->cause == ORACLE_DEP_TASK) {
            put_int(w, dep->id);
        } else {
            put_text(w, "null");
        }
        if (dep->whens > 0) {
            key(w, "when");
            put_whens(w, dep->first_when, dep->whens);
        }
        close(w, "}");
    }
    close(w, "]");
}

static void put_impossible(writer *w)
{
    if (w->document->clash_count == 0) {
        return;
    }
    key(w, "impossible");
    open(w, "[");
    for (uint32_t i = 0; i < w->document->clash_count; i++) {
        const oracle_clash *clash = &w->document->clashes[i];
        separate(w);
        put_whens(w, clash->first_when, clash->whens);
    }
    close(w, "]");
}

static void put_predicate(writer *w, const oracle_task *task)
{
    static const oracle_text none = {"", 0, false};
    if (!task->has_predicate) {
        return;
    }
    key(w, "predicate");
    open(w, "{");
    if (task->predicate_buffer != ORACLE_NONE) {
        key_buffer(w, task->predicate_buffer);
    }
    key_text(w, "op", task->predicate_test->op);
    key_region(w, "region", task->predicate_region, none);
    if (task->predicate_formed) {
        key_int(w, "value", task->predicate_test->value);
    }
    close(w, "}");
}

static void put_task(writer *w, const oracle_task *task)
{
    separate(w);
    open(w, "{");
    key(w, "args");
    open(w, "[");
    for (uint32_t i = 0; i < task->args; i++) {
        put_arg(w, &w->document->args[task->first_arg + i]);
    }
    close(w, "]");
    key(w, "blocks");
    if (task->blocks > 0) {
        put_int(w, task->blocks);
    } else {
        put_text(w, "null");
    }
    key_text(w, "core", task->core);
    put_deps(w, task);
    key_bool(w, "dummy", task->dummy);
    key_bool(w, "early", task->early);
    key_int(w, "id", task->id);
    key_line(w, task->line);
    key_text(w, "name", task->name);
    put_predicate(w, task);
    if (task->scope != ORACLE_NONE) {
        key_int(w, "scope", w->document->scopes[task->scope].id);
    }
    key_bool(w, "sync_start", task->sync_start);
    key(w, "when");
    put_whens(w, task->first_when, task->whens);
    close(w, "}");
}

static void put_alias(writer *w, const oracle_buffer *buffer)
{
    if (buffer->alias_of != ORACLE_NONE) {
        key(w, "alias_of");
        open(w, "{");
        key_text(w, "key", w->document->buffers[buffer->alias_of].key);
        key_int(w, "offset", buffer->alias_bytes);
        close(w, "}");
    }
}

static void put_may_alias(writer *w, const oracle_buffer *buffer)
{
    if (buffer->may_alias == 0) {
        return;
    }
    key(w, "may_alias");
    open(w, "[");
    for (uint32_t i = 0; i < buffer->may_alias; i++) {
        uint32_t other = w->document->may_aliases[buffer->first_may_alias + i];
        separate(w);
        put_string(w, w->document->buffers[other].key);
    }
    close(w, "]");
}

static void put_buffer(writer *w, const oracle_buffer *buffer)
{
    separate(w);
    open(w, "{");
    put_alias(w, buffer);
    if (buffer->align != 0) {
        key_int(w, "align", buffer->align);
    }
    key(w, "bytes");
    if (buffer->has_bytes) {
        put_int(w, buffer->bytes);
    } else {
        put_text(w, "null");
    }
    if (buffer->creator != -1) {
        key_int(w, "creator", buffer->creator);
    }
    key_bool(w, "external", buffer->external);
    key_bool(w, "init", buffer->init);
    key_text(w, "key", buffer->key);
    key_bool(w, "manual_dep", buffer->manual_dep);
    put_may_alias(w, buffer);
    key_text(w, "symbol", buffer->symbol);
    close(w, "}");
}

static void put_edge_ends(writer *w, int64_t from, int64_t to,
                          const oracle_edge *edge)
{
    static const char *const sources[] = {"explicit", "automatic", "recorded",
                                          "policy"};
    separate(w);
    open(w, "{");
    key_bool(w, "certain", edge->certain);
    key_int(w, "from", from);
    if (edge->from_arg != ORACLE_NONE) {
        key_int(w, "from_arg", edge->from_arg);
    }
    key_text(w, "kind", edge->kind);
    key_word(w, "source", sources[edge->source]);
    key_int(w, "to", to);
    if (edge->to_arg != ORACLE_NONE) {
        key_int(w, "to_arg", edge->to_arg);
    }
    close(w, "}");
}

static void put_edges(writer *w)
{
    const oracle_document *document = w->document;
    key(w, "edges");
    open(w, "[");
    for (uint32_t i = 0; i < document->edge_count; i++) {
        const oracle_edge *edge = &document->edges[i];
        put_edge_ends(w, document->tasks[edge->from].id,
                      document->tasks[edge->to].id, edge);
    }
    for (uint32_t i = 0; i < document->loose_edge_count; i++) {
        const oracle_loose_edge *loose = &document->loose_edges[i];
        oracle_edge edge = {.source = loose->source,
                            .certain = true,
                            .from_arg = ORACLE_NONE,
                            .to_arg = ORACLE_NONE,
                            .kind = {"", 0, false}};
        put_edge_ends(w, loose->from, loose->to, &edge);
    }
    close(w, "]");
}

static void put_choices(writer *w)
{
    key(w, "choices");
    open(w, "[");
    for (uint32_t i = 0; i < w->document->choice_count; i++) {
        const oracle_choice *choice = &w->document->choices[i];
        separate(w);
        open(w, "{");
        key_int(w, "id", choice->id);
        key_text(w, "kind", choice->kind);
        key_line(w, choice->line);
        key_text(w, "text", choice->text);
        close(w, "}");
    }
    close(w, "]");
}

static void put_dynamic(writer *w)
{
    const oracle_document *document = w->document;
    key(w, "dynamic");
    open(w, "[");
    for (uint32_t i = 0; i < document->dynamic_count; i++) {
        const oracle_dynamic *dynamic = &document->dynamics[i];
        separate(w);
        open(w, "{");
        key_line(w, dynamic->line);
        key_text(w, "reason", dynamic->reason);
        key(w, "tasks");
        open(w, "[");
        for (uint32_t k = 0; k < dynamic->tasks; k++) {
            uint32_t task = document->dynamic_tasks[dynamic->first_task + k];
            separate(w);
            put_int(w, document->tasks[task].id);
        }
        close(w, "]");
        close(w, "}");
    }
    close(w, "]");
}

static void put_host_accesses(writer *w)
{
    static const oracle_text none = {"", 0, false};
    key(w, "host_accesses");
    open(w, "[");
    for (uint32_t i = 0; i < w->document->host_access_count; i++) {
        const oracle_host_access *host = &w->document->host_accesses[i];
        separate(w);
        open(w, "{");
        if (host->after != -1) {
            key_int(w, "after", host->after);
        }
        key_buffer(w, host->buffer);
        key_line(w, host->line);
        key_word(w, "mode", mode_name(host->mode));
        key_region(w, "region", host->region, none);
        if (host->whens > 0) {
            key(w, "when");
            put_whens(w, host->first_when, host->whens);
        }
        close(w, "}");
    }
    close(w, "]");
}

static void put_scopes(writer *w)
{
    key(w, "scopes");
    open(w, "[");
    for (uint32_t i = 0; i < w->document->scope_count; i++) {
        const oracle_scope *scope = &w->document->scopes[i];
        separate(w);
        open(w, "{");
        key_int(w, "id", scope->id);
        key_bool(w, "manual", scope->manual);
        if (scope->parent != ORACLE_NONE) {
            key_int(w, "parent", w->document->scopes[scope->parent].id);
        }
        close(w, "}");
    }
    close(w, "]");
}

static void put_bound(writer *w, const char *name, bool has, int64_t value)
{
    key(w, name);
    if (has) {
        put_int(w, value);
    } else {
        put_text(w, "null");
    }
}

/* Block symbols are no part of the text: every region may use them. */
static void put_definition(writer *w, const oracle_symbol *symbol)
{
    static const char *const ops[] = {"", "*", "//", "%", "min", "max"};
    if (symbol->is == ORACLE_OP_NONE) {
        return;
    }
    key(w, "is");
    open(w, "{");
    key(w, "left");
    put_affine(w, &symbol->left);
    key_word(w, "op", ops[symbol->is]);
    key(w, "right");
    put_affine(w, &symbol->right);
    close(w, "}");
}

static void put_facts(writer *w)
{
    static const char *const ops[] = {"<=", "==", "!="};
    if (w->document->fact_count == 0) {
        return;
    }
    key(w, "facts");
    open(w, "[");
    for (uint32_t i = 0; i < w->document->fact_count; i++) {
        const oracle_fact *fact = &w->document->facts[i];
        separate(w);
        open(w, "{");
        if (fact->choice != ORACLE_NONE) {
            key_int(w, "choice", w->document->choices[fact->choice].id);
            key_bool(w, "is", fact->is);
        }
        key(w, "of");
        put_affine(w, &fact->of);
        key_word(w, "op", ops[fact->relation]);
        close(w, "}");
    }
    close(w, "]");
}

static void put_symbols(writer *w)
{
    key(w, "symbols");
    open(w, "[");
    for (uint32_t i = 0; i < w->document->symbol_count; i++) {
        const oracle_symbol *symbol = &w->document->symbols[i];
        if (symbol->block) {
            continue;
        }
        separate(w);
        open(w, "{");
        key_bool(w, "free", symbol->free);
        put_definition(w, symbol);
        put_bound(w, "max", symbol->has_max, symbol->max);
        put_bound(w, "min", symbol->has_min, symbol->min);
        key_text(w, "name", symbol->name);
        key_int(w, "step", symbol->step);
        close(w, "}");
    }
    close(w, "]");
}

static void put_document(writer *w)
{
    static const char *const rules[] = {"none", "conservative", "tensormap"};
    const oracle_document *document = w->document;
    open(w, "{");
    key(w, "buffers");
    open(w, "[");
    for (uint32_t i = 0; i < document->buffer_count; i++) {
        put_buffer(w, &document->buffers[i]);
    }
    close(w, "]");
    put_choices(w);
    put_dynamic(w);
    put_edges(w);
    put_facts(w);
    put_host_accesses(w);
    put_impossible(w);
    key_word(w, "kind", "task_graph");
    key_text(w, "name", document->name);
    key_word(w, "rules", rules[document->rules]);
    put_scopes(w);
    put_symbols(w);
    key(w, "tasks");
    open(w, "[");
    for (uint32_t i = 0; i < document->task_count; i++) {
        put_task(w, &document->tasks[i]);
    }
    close(w, "]");
    key_int(w, "version", 1);
    close(w, "}");
}

oracle_status oracle_document_write(char **text, size_t *length,
                                    const oracle_document *document,
                                    oracle_error *error)
{
    writer w = {.document = document};
    memset(error, 0, sizeof *error);
    put_document(&w);
    put(&w, "", 0);
    if (w.failed) {
        free(w.text);
        return oracle_fault_memory(error);
    }
    w.text[w.length] = '\0';
    *text = w.text;
    *length = w.length;
    return ORACLE_OK;
}
