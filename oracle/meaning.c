#include "meaning.h"

#include "json.h"
#include "members.h"
#include "order.h"
#include "table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define QUESTIONS (1u << 22)

typedef struct writer {
    oracle_out *out;
    const oracle_document *d;
    oracle_arena *arena;
    uint32_t *buffers, *symbols, *choices; /* their numbers, 0: none yet */
    uint32_t buffer_count, symbol_count, choice_count;
    uint32_t *listed;   /* symbols by their numbers, from 0 */
    oracle_table names; /* in scalars */
    uint32_t name_count;
    bool failed;
} writer;

static void put(writer *w, const char *text)
{
    oracle_out_text(w->out, text);
}

static void put_int(writer *w, const char *before, int64_t value)
{
    put(w, before);
    oracle_out_int(w->out, value);
}

static void put_text(writer *w, const char *before, const oracle_text *text)
{
    put(w, before);
    oracle_out_string(w->out, text->data, text->length);
}

/* --- Numbers and regions --- */

/* What a symbol is stands where it appears first; of what, at the end. */
static void put_symbol(writer *w, uint32_t s)
{
    const oracle_symbol *symbol = &w->d->symbols[s];
    bool first = w->symbols[s] == 0;
    if (first) {
        w->listed[w->symbol_count] = s;
        w->symbols[s] = ++w->symbol_count;
    }
    put_int(w, "s", w->symbols[s]);
    if (!first || symbol->block) {
        put(w, symbol->block ? symbol->name.data : "");
        return;
    }
    put(w, symbol->free ? "(free" : "(fixed");
    if (symbol->has_min) {
        put_int(w, " from ", symbol->min);
    }
    if (symbol->has_max) {
        put_int(w, " to ", symbol->max);
    }
    put_int(w, " step ", symbol->step);
    put_int(w, " is ", symbol->is);
    put(w, ")");
}

static int compare_term(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1)
                        : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Terms by number; those of new symbols behind, by coefficient. */
static void put_affine(writer *w, const oracle_affine *a)
{
    int64_t terms[64][3];
    uint32_t count = a->count < 64 ? a->count : 64;
    w->failed = w->failed || a->count > 64;
    for (uint32_t i = 0; i < count; i++) {
        const oracle_term *term = &w->d->terms[a->first + i];
        uint32_t number = w->symbols[term->symbol];
        terms[i][0] = number == 0 ? INT64_MAX : number;
        terms[i][1] = term->coef;
        terms[i][2] = term->symbol;
    }
    qsort(terms, count, sizeof *terms, compare_term);
    oracle_out_int(w->out, a->c);
    for (uint32_t i = 0; i < count; i++) {
        put_int(w, " + ", terms[i][1]);
        put(w, " ");
        put_symbol(w, (uint32_t)terms[i][2]);
    }
}

static void put_region(writer *w, uint32_t r)
{
    if (r == ORACLE_NONE) {
        put(w, " all");
        return;
    }
    const oracle_region *region = &w->d->regions[r];
    put_int(w, " elements of ", region->elem);
    put(w, " at ");
    put_affine(w, &region->base);
    for (uint32_t i = 0; i < region->count; i++) {
        const oracle_dim *dim = &w->d->dims[region->first + i];
        put(w, " [");
        put_affine(w, &dim->count);
        put_int(w, " by ", dim->stride);
        put(w, " from ");
        put_affine(w, &dim->offset);
        put(w, "]");
    }
}

/* --- Buffers, choices --- */

static void put_buffer(writer *w, uint32_t b)
{
    while (b != ORACLE_NONE) {
        const oracle_buffer *buffer = &w->d->buffers[b];
        bool first = w->buffers[b] == 0;
        if (first) {
            w->buffers[b] = ++w->buffer_count;
        }
        put_int(w, " b", w->buffers[b]);
        if (!first) {
            return;
        }
        put(w, buffer->external ? "(external" : "(internal");
        if (buffer->has_bytes) {
            put_int(w, " bytes ", buffer->bytes);
        }
        put(w, buffer->manual_dep ? " manual" : "");
        put(w, buffer->init ? " init" : "");
        put_int(w, " align ", buffer->align > 1 ? buffer->align : 1);
        put(w, ")");
        b = buffer->alias_of;
        if (b != ORACLE_NONE) {
            put_int(w, " which is byte ", buffer->alias_bytes);
            put(w, " of");
        }
    }
}

static void put_whens(writer *w, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const oracle_when *when = &w->d->whens[first + i];
        if (w->choices[when->choice] == 0) {
            w->choices[when->choice] = ++w->choice_count;
        }
        put_int(w, when->is ? " when c" : " when not c",
                w->choices[when->choice]);
    }
}

/* --- Arguments --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A value, not a variable. */
static bool is_literal(const char *word, size_t length, char next)
{
    static const char *const words[] = {"True", "False", "None", "inf", "nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {
            return true;
        }
    }
    return next == '(' || next == '.';
}

static void put_name(writer *w, const char *name, size_t length)
{
    oracle_slot *slot = oracle_table_slot(&w->names, name, length);
    if (slot == NULL) {
        w->failed = true;
        return;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){name, (uint32_t)length, ++w->name_count};
    }
    put_int(w, "v", slot->value);
}

/* The text of a scalar with its variables by number. */
static void put_scalar(writer *w, const oracle_text *text)
{
    const char *at = text->data, *end = text->data + text->length;
    put(w, " scalar ");
    while (at < end) {
        const char *stop = at + 1;
        bool word = is_letter(*at);
        if (word || is_digit(*at)) {
            while (stop < end && (is_letter(*stop) || is_digit(*stop))) {
                stop++;
            }
        }
        size_t length = (size_t)(stop - at);
        if (word && !(at > text->data && at[-1] == '.') &&
            !is_literal(at, length, stop < end ? *stop : ' ')) {
            put_name(w, at, length);
        } else if (*at == '\n') {
            put(w, " ");
        } else {
            oracle_out_raw(w->out, at, length);
        }
        at = stop;
    }
}

static void put_arg(writer *w, const oracle_arg *arg)
{
    static const char *const modes[] = {"reads", "writes", "reads and writes",
                                        "adds to"};
    if (arg->kind == ORACLE_ARG_SCALAR) {
        put_scalar(w, &arg->scalar);
        return;
    }
    put_buffer(w, arg->buffer);
    put_int(w, " dispatch ", arg->dispatch);
    put_int(w, " declared ", arg->declared);
    put(w, arg->manual_dep ? " manual" : "");
    put_text(w, " type ", &arg->dtype);
    put(w, " view");
    put_region(w, arg->view);
    put(w, arg->has_access ? "" : " unknown");
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &w->d->accesses[arg->first_access + i];
        put(w, ", ");
        put(w, modes[access->mode]);
        put(w, access->must ? " must" : " may");
        put(w, access->exact ? " exactly" : " at most");
        put_region(w, access->region);
    }
}

/* --- Tasks --- */

static void begin_line(writer *w, uint32_t t, const char *part, int64_t number)
{
    put_int(w, "task ", t);
    if (part != NULL) {
        put(w, part);
        if (number >= 0) {
            oracle_out_int(w->out, number);
        }
    }
    put(w, ":");
}

static void put_task(writer *w, uint32_t t)
{
    const oracle_document *d = w->d;
    const oracle_task *task = &d->tasks[t];
    begin_line(w, t, NULL, -1);
    put_text(w, " calls ", &task->name);
    put_text(w, " on ", &task->core);
    put_int(w, " blocks ", task->blocks);
    put(w, task->sync_start ? " together" : "");
    put(w, task->dummy ? " dummy" : "");
    put(w, task->early ? " early" : "");
    put(w, task->scope != ORACLE_NONE && d->scopes[task->scope].in_manual
               ? " manual"
               : "");
    put_whens(w, task->first_when, task->whens);
    put(w, "\n");
    for (uint32_t i = 0; i < task->args; i++) {
        begin_line(w, t, " argument ", i);
        put_arg(w, &d->args[task->first_arg + i]);
        put(w, "\n");
    }
    for (uint32_t i = 0; i < task->deps; i++) {
        const oracle_dep *dep = &d->deps[task->first_dep + i];
        if (dep->cause == ORACLE_DEP_TASK && dep->whens > 0) {
            begin_line(w, t, " dep", -1);
            put_int(w, " on task ", dep->task);
            put_whens(w, dep->first_when, dep->whens);
            put(w, "\n");
        }
    }
}

static void put_predicate(writer *w, uint32_t t)
{
    const oracle_task *task = &w->d->tasks[t];
    if (!task->has_predicate) {
        return;
    }
    begin_line(w, t, " predicate", -1);
    if (task->predicate_buffer != ORACLE_NONE) {
        put_buffer(w, task->predicate_buffer);
        put_region(w, task->predicate_region);
    }
    put_text(w, " ", &task->predicate_test->op);
    put_int(w, " ", task->predicate_test->value);
    put(w, "\n");
}

/* --- Order --- */

/*
 * The edges that no other path makes needless: they are the same for every way
 * to write one order. With a cycle, or too many questions, none.
 */
static bool put_order(writer *w)
{
    const oracle_document *d = w->d;
    oracle_order order;
    bool *present = oracle_arena_alloc(w->arena, (size_t)d->task_count + 1);
    uint64_t questions = 0;
    if (present == NULL) {
        return false;
    }
    memset(present, true, d->task_count);
    if (!oracle_order_build(&order, d, NULL, present, false, w->arena)) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        uint64_t n = order.first[t + 1] - order.first[t];
        questions += n * n;
    }
    if (order.cycle_count > 0 || questions > QUESTIONS) {
        return true;
    }
    oracle_pair *pairs =
        oracle_arena_array(w->arena, questions + 1, sizeof *pairs);
    uint32_t count = 0, at = 0;
    if (pairs == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = order.first[t]; i < order.first[t + 1]; i++) {
            for (uint32_t k = order.first[t]; k < order.first[t + 1]; k++) {
                pairs[count++] =
                    (oracle_pair){order.before[i], order.before[k], false};
            }
        }
    }
    /* The answers come in the order of the questions. */
    if (!oracle_order_query(&order, pairs, count)) {
        return false;
    }
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t i = order.first[t]; i < order.first[t + 1]; i++) {
            bool needless = false;
            for (uint32_t k = order.first[t]; k < order.first[t + 1]; k++) {
                needless |= pairs[at].ordered && i != k;
                at++;
            }
            if (!needless) {
                begin_line(w, t, " order", -1);
                put_int(w, " after task ", order.before[i]);
                put(w, "\n");
            }
        }
    }
    return true;
}

/* --- The whole --- */

static void put_hosts(writer *w)
{
    const oracle_document *d = w->d;
    oracle_id_table ids = {0};
    for (uint32_t t = 0; d->host_access_count > 0 && t < d->task_count; t++) {
        oracle_id_slot *slot = oracle_id_table_slot(&ids, d->tasks[t].id);
        w->failed = w->failed || slot == NULL;
        if (slot != NULL) {
            slot->value = t;
        }
    }
    for (uint32_t i = 0; i < d->host_access_count; i++) {
        const oracle_host_access *host = &d->host_accesses[i];
        uint32_t t = oracle_id_table_find(&ids, host->after);
        put_int(w, "orchestration ", i);
        put_int(w, ": after task ", t == ORACLE_NONE ? -1 : (int64_t)t);
        put_int(w, " mode ", host->mode);
        put_buffer(w, host->buffer);
        put_region(w, host->region);
        put_whens(w, host->first_when, host->whens);
        put(w, "\n");
    }
    oracle_id_table_free(&ids);
}

static void put_facts(writer *w)
{
    const oracle_document *d = w->d;
    for (uint32_t i = 0; i < d->fact_count; i++) {
        const oracle_fact *fact = &d->facts[i];
        oracle_when when = {fact->choice, fact->is};
        put_int(w, "fact ", i);
        put(w, ":");
        if (fact->choice != ORACLE_NONE) {
            if (w->choices[when.choice] == 0) {
                w->choices[when.choice] = ++w->choice_count;
            }
            put_int(w, when.is ? " when c" : " when not c",
                    w->choices[when.choice]);
        }
        put_int(w, " relation ", fact->relation);
        put(w, " of ");
        put_affine(w, &fact->of);
        put(w, "\n");
    }
}

/* Of symbols that follow from others; these may be new, and come behind. */
static void put_symbols(writer *w)
{
    for (uint32_t i = 0; i < w->symbol_count; i++) {
        const oracle_symbol *symbol = &w->d->symbols[w->listed[i]];
        if (symbol->is != ORACLE_OP_NONE) {
            put_int(w, "symbol s", (int64_t)i + 1);
            put(w, ": of ");
            put_affine(w, &symbol->left);
            put(w, " and ");
            put_affine(w, &symbol->right);
            put(w, "\n");
        }
    }
}

bool oracle_meaning_write(oracle_out *out, const oracle_document *document)
{
    const oracle_document *d = document;
    writer w = {.out = out, .d = d, .arena = oracle_arena_create()};
    if (w.arena == NULL) {
        return false;
    }
    w.buffers = oracle_arena_array(w.arena, (size_t)d->buffer_count + 1,
                                   sizeof(uint32_t));
    w.symbols = oracle_arena_array(w.arena, (size_t)d->symbol_count + 1,
                                   sizeof(uint32_t));
    w.choices = oracle_arena_array(w.arena, (size_t)d->choice_count + 1,
                                   sizeof(uint32_t));
    w.listed = oracle_arena_array(w.arena, (size_t)d->symbol_count + 1,
                                  sizeof(uint32_t));
    bool ok = w.listed != NULL && w.buffers != NULL && w.symbols != NULL &&
              w.choices != NULL;
    if (ok) {
        put_int(&w, "automatic edges: ", d->rules);
        put(&w, "\n");
        for (uint32_t t = 0; t < d->task_count; t++) {
            put_task(&w, t);
            put_predicate(&w, t);
        }
        put_hosts(&w);
        put_facts(&w);
        put_symbols(&w);
        ok = put_order(&w);
    }
    oracle_table_free(&w.names);
    oracle_arena_free(w.arena);
    return ok && !w.failed && !out->failed;
}
