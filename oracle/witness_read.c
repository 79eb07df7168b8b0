#include "witness_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool oracle_check_fail(oracle_check *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->reason, c->size, format, args);
    va_end(args);
    return false;
}

bool oracle_check_is(const oracle_check *c, uint32_t node,
                     oracle_json_type type)
{
    return node != ORACLE_NONE && c->json.nodes[node].type == type;
}

uint32_t oracle_check_member(const oracle_check *c, uint32_t object,
                             const char *name)
{
    if (oracle_check_is(c, object, ORACLE_JSON_OBJECT)) {
        for (uint32_t i = object + 1; i < oracle_json_next(&c->json, object);
             i = oracle_json_next(&c->json, i + 1)) {
            if (oracle_json_is(&c->json, i, name, strlen(name))) {
                return i + 1;
            }
        }
    }
    return ORACLE_NONE;
}

bool oracle_check_number(const oracle_check *c, uint32_t node, int64_t *value)
{
    return oracle_check_is(c, node, ORACLE_JSON_NUMBER) &&
           oracle_json_int64(&c->json, node, value);
}

bool oracle_check_task(oracle_check *c, uint32_t node, uint32_t *task)
{
    int64_t id;
    *task = oracle_check_number(c, node, &id)
                ? oracle_id_table_find(&c->ids, id)
                : ORACLE_NONE;
    return *task != ORACLE_NONE ||
           oracle_check_fail(c, "the witness names no task");
}

const char *oracle_check_text(const oracle_check *c, uint32_t node)
{
    if (!oracle_check_is(c, node, ORACLE_JSON_STRING)) {
        return NULL;
    }
    char *text = oracle_arena_alloc(c->arena, c->json.nodes[node].extent + 1u);
    if (text != NULL) {
        text[oracle_json_unescape(&c->json, node, text)] = '\0';
    }
    return text;
}

bool oracle_check_next(const oracle_check *c, uint32_t list, uint32_t *at)
{
    if (!oracle_check_is(c, list, ORACLE_JSON_ARRAY)) {
        return false;
    }
    *at = *at == list ? list + 1 : oracle_json_next(&c->json, *at);
    return *at < oracle_json_next(&c->json, list);
}

bool oracle_check_two(const oracle_check *c, uint32_t list, uint32_t *first,
                      uint32_t *second)
{
    *first = list;
    if (!oracle_check_next(c, list, first)) {
        return false;
    }
    uint32_t end = *second = *first;
    if (!oracle_check_next(c, list, second)) {
        return false;
    }
    end = *second;
    return !oracle_check_next(c, list, &end);
}

/* The same for a name that may have U+0000 in it. */
static uint32_t named_member(const oracle_check *c, uint32_t object,
                             const oracle_text *name)
{
    if (oracle_check_is(c, object, ORACLE_JSON_OBJECT)) {
        for (uint32_t i = object + 1; i < oracle_json_next(&c->json, object);
             i = oracle_json_next(&c->json, i + 1)) {
            if (oracle_json_is(&c->json, i, name->data, name->length)) {
                return i + 1;
            }
        }
    }
    return ORACLE_NONE;
}

/* --- The execution: choices, symbols, the byte --- */

/* A copy of the deps; those whose conditions do not hold are on no task. */
static bool choose_deps(oracle_check *c, const bool *is_true)
{
    oracle_dep *deps =
        oracle_arena_array(c->arena, c->d.dep_count, sizeof *deps);
    if (deps == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    for (uint32_t i = 0; i < c->d.dep_count; i++) {
        deps[i] = c->d.deps[i];
        for (uint32_t w = 0; w < deps[i].whens; w++) {
            const oracle_when *when = &c->d.whens[deps[i].first_when + w];
            if (is_true[when->choice] != when->is) {
                deps[i].task = ORACLE_NONE;
            }
        }
    }
    c->d.deps = deps;
    return true;
}

bool oracle_check_values(oracle_check *c, uint32_t list, bool **values)
{
    uint32_t item = list, n = 0;
    bool *is_true = oracle_arena_alloc(c->arena, c->d.choice_count);
    *values = is_true;
    if (is_true == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    if (c->d.choice_count > 0 && list == ORACLE_NONE) {
        return oracle_check_fail(c, "the choices are missing");
    }
    for (; oracle_check_next(c, list, &item); n++) {
        int64_t id;
        uint32_t is = oracle_check_member(c, item, "is");
        if (n == c->d.choice_count ||
            !oracle_check_number(c, oracle_check_member(c, item, "choice"),
                                 &id) ||
            id != c->d.choices[n].id ||
            (!oracle_check_is(c, is, ORACLE_JSON_TRUE) &&
             !oracle_check_is(c, is, ORACLE_JSON_FALSE))) {
            n = ORACLE_NONE;
            break;
        }
        is_true[n] = oracle_check_is(c, is, ORACLE_JSON_TRUE);
    }
    return n == c->d.choice_count ||
           oracle_check_fail(c, "the choices are not those of the document");
}

bool oracle_check_choices(oracle_check *c)
{
    bool *is_true;
    if (!oracle_check_values(c, oracle_check_member(c, c->witness, "choices"),
                             &is_true)) {
        return false;
    }
    for (uint32_t t = 0; t < c->d.task_count; t++) {
        const oracle_task *task = &c->d.tasks[t];
        c->present[t] = true;
        for (uint32_t w = 0; w < task->whens; w++) {
            const oracle_when *when = &c->d.whens[task->first_when + w];
            c->present[t] &= is_true[when->choice] == when->is;
        }
    }
    return choose_deps(c, is_true);
}

/* The value of each symbol, within its bounds. Block symbols have none. */
static bool read_symbols(oracle_check *c, int64_t *values)
{
    uint32_t list = oracle_check_member(c, c->witness, "symbols");
    for (uint32_t i = 0; i < c->d.symbol_count; i++) {
        const oracle_symbol *s = &c->d.symbols[i];
        uint32_t node = named_member(c, list, &s->name);
        if (!s->block &&
            (!oracle_check_number(c, node, &values[i]) ||
             (s->has_min && values[i] < s->min) ||
             (s->has_max && values[i] > s->max) ||
             (s->has_min &&
              ((uint64_t)values[i] - (uint64_t)s->min) % (uint64_t)s->step))) {
            return oracle_check_fail(c, "symbol %.40s has no value it may have",
                                     s->name.data);
        }
    }
    return true;
}

/* Terms of block symbols stand last and stay. */
static bool put_values(oracle_check *c, oracle_affine *a, const int64_t *values)
{
    for (; a->count > 0; a->first++, a->count--) {
        const oracle_term *term = &c->d.terms[a->first];
        int64_t product;
        if (c->d.symbols[term->symbol].block) {
            return true;
        }
        if (__builtin_mul_overflow(term->coef, values[term->symbol],
                                   &product) ||
            __builtin_add_overflow(a->c, product, &a->c)) {
            return oracle_check_fail(c, "a number passes 64 bits");
        }
    }
    return true;
}

/* Copies of the regions (and room for one more), without symbols. */
bool oracle_check_symbols(oracle_check *c)
{
    size_t regions = c->d.region_count, dims = c->d.dim_count;
    oracle_region *r = oracle_arena_array(c->arena, regions + 1, sizeof *r);
    oracle_dim *m = oracle_arena_array(c->arena, dims, sizeof *m);
    int64_t *values =
        oracle_arena_array(c->arena, c->d.symbol_count, sizeof *values);
    if (r == NULL || m == NULL || values == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    for (size_t i = 0; i < regions; i++) {
        r[i] = c->d.regions[i];
    }
    for (size_t i = 0; i < dims; i++) {
        m[i] = c->d.dims[i];
    }
    c->d.regions = r;
    c->d.dims = m;
    if (oracle_check_member(c, c->witness, "symbols") == ORACLE_NONE) {
        return true;
    }
    bool ok = read_symbols(c, values);
    for (size_t i = 0; ok && i < regions; i++) {
        ok = put_values(c, &r[i].base, values);
    }
    for (size_t i = 0; ok && i < dims; i++) {
        ok = put_values(c, &m[i].count, values) &&
             put_values(c, &m[i].offset, values);
    }
    return ok;
}

bool oracle_check_byte(oracle_check *c)
{
    uint32_t n = c->d.region_count;
    uint32_t name = oracle_check_member(c, c->witness, "buffer");
    bool is_text = oracle_check_is(c, name, ORACLE_JSON_STRING);
    if (!oracle_check_symbols(c)) {
        return false;
    }
    c->d.regions[n] = (oracle_region){.elem = 1};
    c->byte = (oracle_place){ORACLE_NONE, n};
    for (uint32_t b = 0; b < c->d.buffer_count && is_text; b++) {
        const oracle_text *key = &c->d.buffers[b].key;
        if (oracle_json_is(&c->json, name, key->data, key->length)) {
            c->byte.buffer = b;
        }
    }
    return (c->byte.buffer != ORACLE_NONE &&
            oracle_check_number(c, oracle_check_member(c, c->witness, "begin"),
                                &c->d.regions[n].base.c)) ||
           oracle_check_fail(c, "there is no such byte");
}

/* {"after", "before"}: null is no end. */
static bool is_between(oracle_check *c, uint32_t node, uint32_t task)
{
    uint32_t after = oracle_check_member(c, node, "after");
    uint32_t before = oracle_check_member(c, node, "before"), limit;
    return (oracle_check_is(c, after, ORACLE_JSON_NULL) ||
            (oracle_check_task(c, after, &limit) && limit < task)) &&
           (oracle_check_is(c, before, ORACLE_JSON_NULL) ||
            (oracle_check_task(c, before, &limit) && task < limit));
}

bool oracle_check_skips(oracle_check *c, uint32_t task, uint32_t arg)
{
    uint32_t list = oracle_check_member(c, c->witness, "skipped"), i = list;
    while (oracle_check_next(c, list, &i)) {
        int64_t id = 0, index = -1;
        uint32_t first, second;
        if ((oracle_check_is(c, i, ORACLE_JSON_OBJECT) &&
             is_between(c, i, task)) ||
            (oracle_check_two(c, i, &first, &second) &&
             oracle_check_number(c, first, &id) &&
             oracle_check_number(c, second, &index) &&
             id == c->d.tasks[task].id && index == arg)) {
            return true;
        }
    }
    return false;
}

bool oracle_check_places(oracle_check *c)
{
    uint32_t n = c->d.buffer_count;
    c->placed = oracle_arena_alloc(c->arena, n);
    c->base = oracle_arena_array(c->arena, n, sizeof *c->base);
    if (c->placed == NULL || c->base == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    for (uint32_t i = 0; i < c->d.allocation_count; i++) {
        const oracle_allocation *a = &c->d.allocations[i];
        int64_t base;
        if (a->buffer == ORACLE_NONE) {
            continue;
        }
        const oracle_buffer *b = &c->d.buffers[a->buffer];
        if (!c->placed[b->storage] &&
            !__builtin_sub_overflow(a->offset, b->storage_at, &base) &&
            base >= 0) {
            c->placed[b->storage] = true;
            c->base[b->storage] = base;
        }
    }
    return true;
}

bool oracle_check_address(oracle_check *c)
{
    uint32_t node = oracle_check_member(c, c->witness, "address");
    uint32_t storage = c->d.buffers[c->byte.buffer].storage;
    int64_t begin = c->d.regions[c->byte.region].base.c, at;
    if (!oracle_check_number(c, node, &c->address)) {
        return oracle_check_fail(c, "there is no address");
    }
    if (!oracle_check_places(c)) {
        return false;
    }
    if (storage != c->byte.buffer || !c->placed[storage] ||
        __builtin_add_overflow(c->base[storage], begin, &at) ||
        at != c->address) {
        return oracle_check_fail(c, "the byte has another address");
    }
    c->by_address = true;
    return true;
}

bool oracle_check_move(oracle_check *c, uint32_t storage)
{
    const oracle_buffer *b = &c->d.buffers[storage];
    int64_t at;
    if (!c->placed[storage] ||
        __builtin_sub_overflow(c->address, c->base[storage], &at) || at < 0 ||
        (b->has_bytes && at >= b->bytes)) {
        return false;
    }
    c->byte.buffer = storage;
    c->d.regions[c->byte.region].base.c = at;
    return true;
}

bool oracle_check_read(oracle_check *c)
{
    return oracle_check_choices(c) && oracle_check_byte(c) &&
           oracle_check_order(c, oracle_check_member(c, c->witness, "order"));
}

/* --- The proof --- */

bool oracle_check_about(oracle_check *c, const oracle_document *document)
{
    uint32_t n = document->task_count;
    oracle_id_table_free(&c->ids);
    c->ids = (oracle_id_table){0};
    c->d = *document;
    c->present = oracle_arena_alloc(c->arena, n);
    c->place = oracle_arena_array(c->arena, n, sizeof(uint32_t));
    c->order = oracle_arena_array(c->arena, n, sizeof(uint32_t));
    bool ok = c->present != NULL && c->place != NULL && c->order != NULL;
    for (uint32_t t = 0; ok && t < n; t++) {
        oracle_id_slot *slot =
            oracle_id_table_slot(&c->ids, document->tasks[t].id);
        ok = slot != NULL;
        if (ok) {
            slot->value = t;
        }
    }
    return ok || oracle_check_fail(c, ORACLE_UNCHECKED);
}

bool oracle_check_start(oracle_check *c, const oracle_document *document,
                        const char *text, size_t length, char *reason,
                        size_t size)
{
    oracle_error error = {0};
    *c = (oracle_check){.reason = reason, .size = size};
    c->arena = oracle_arena_create();
    reason[0] = '\0';
    oracle_status status =
        c->arena == NULL ? ORACLE_NO_MEMORY
                         : oracle_json_parse(&c->json, text, length, &error);
    if (status == ORACLE_NO_MEMORY) {
        return false;
    }
    if (status != ORACLE_OK) {
        return oracle_check_fail(c,
                                 "one JSON document is expected: line %llu, "
                                 "column %llu: %.60s",
                                 (unsigned long long)error.line,
                                 (unsigned long long)error.column,
                                 error.message);
    }
    return oracle_check_about(c, document);
}

bool oracle_check_end(oracle_check *c, bool ok)
{
    /* What failed for want of memory may look like something else. */
    if (!ok && (c->reason[0] == '\0' || oracle_arena_failed(c->arena))) {
        oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    oracle_json_free(&c->json);
    oracle_id_table_free(&c->ids);
    oracle_arena_free(c->arena);
    return ok;
}

bool oracle_check_finding(oracle_check *c)
{
    c->rule = oracle_check_text(c, oracle_check_member(c, 0, "rule"));
    c->witness = oracle_check_member(c, 0, "witness");
    c->certain = oracle_check_is(
        c, oracle_check_member(c, c->witness, "certain"), ORACLE_JSON_TRUE);
    return c->rule != NULL || oracle_check_fail(c, "the finding has no rule");
}
