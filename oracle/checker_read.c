/* Reading a witness: JSON into an execution of the document. */
#include "checker.h"

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

/* --- The execution: choices, symbols, the byte --- */

/* A copy of the deps; those whose conditions do not hold are on no task. */
static bool choose_deps(oracle_check *c, const bool *is_true)
{
    oracle_dep *deps =
        oracle_arena_array(c->arena, c->d.dep_count, sizeof *deps);
    if (deps == NULL) {
        return oracle_check_fail(c, "no memory");
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

bool oracle_check_choices(oracle_check *c)
{
    uint32_t list = oracle_check_member(c, c->witness, "choices");
    bool *is_true = oracle_arena_alloc(c->arena, c->d.choice_count);
    if (is_true == NULL || (c->d.choice_count > 0 && list == ORACLE_NONE)) {
        return oracle_check_fail(c, "no memory, or the choices are missing");
    }
    for (uint32_t i = list + 1, n = 0;
         list != ORACLE_NONE && i < oracle_json_next(&c->json, list) &&
         n < c->d.choice_count;
         i = oracle_json_next(&c->json, i), n++) {
        int64_t id;
        if (!oracle_check_number(c, oracle_check_member(c, i, "choice"), &id) ||
            id != c->d.choices[n].id) {
            return oracle_check_fail(
                c, "the choices are not those of the document");
        }
        is_true[n] = oracle_check_is(c, oracle_check_member(c, i, "is"),
                                     ORACLE_JSON_TRUE);
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
        const char *name = s->name.data;
        uint32_t node = oracle_check_member(c, list, name);
        if (!s->block &&
            (!oracle_check_number(c, node, &values[i]) ||
             (s->has_min && values[i] < s->min) ||
             (s->has_max && values[i] > s->max) ||
             (s->has_min &&
              ((uint64_t)values[i] - (uint64_t)s->min) % (uint64_t)s->step))) {
            return oracle_check_fail(c, "symbol %.40s has no value it may have",
                                     name);
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
static bool fix_symbols(oracle_check *c)
{
    size_t regions = c->d.region_count, dims = c->d.dim_count;
    oracle_region *r = oracle_arena_array(c->arena, regions + 1, sizeof *r);
    oracle_dim *m = oracle_arena_array(c->arena, dims, sizeof *m);
    int64_t *values =
        oracle_arena_array(c->arena, c->d.symbol_count, sizeof *values);
    if (r == NULL || m == NULL || values == NULL) {
        return oracle_check_fail(c, "no memory");
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
    uint32_t key = oracle_check_member(c, c->witness, "buffer"),
             n = c->d.region_count;
    if (!fix_symbols(c) || !oracle_check_is(c, key, ORACLE_JSON_STRING)) {
        return c->reason[0] == '\0' ? oracle_check_fail(c, "no buffer") : false;
    }
    c->d.regions[n] = (oracle_region){.elem = 1};
    c->byte = (oracle_place){ORACLE_NONE, n};
    char *name = oracle_arena_alloc(c->arena, c->json.nodes[key].extent + 1u);
    size_t length =
        name == NULL ? 0 : oracle_json_unescape(&c->json, key, name);
    for (uint32_t b = 0; name != NULL && b < c->d.buffer_count; b++) {
        const oracle_text *text = &c->d.buffers[b].key;
        if (text->length == length && !memcmp(text->data, name, length)) {
            c->byte.buffer = b;
        }
    }
    return (c->byte.buffer != ORACLE_NONE &&
            oracle_check_number(c, oracle_check_member(c, c->witness, "begin"),
                                &c->d.regions[n].base.c)) ||
           oracle_check_fail(c, "there is no such byte");
}

bool oracle_check_read(oracle_check *check)
{
    return oracle_check_choices(check) && oracle_check_byte(check) &&
           oracle_check_read_order(check);
}

static bool copy_rule(oracle_check *c, char *rule, size_t size)
{
    uint32_t node = oracle_check_member(c, 0, "rule");
    if (!oracle_check_is(c, node, ORACLE_JSON_STRING) ||
        c->json.nodes[node].extent >= size) {
        return oracle_check_fail(c, "the finding has no rule");
    }
    rule[oracle_json_unescape(&c->json, node, rule)] = '\0';
    return true;
}

bool oracle_check_start(oracle_check *check, const char *finding, char *rule,
                        size_t size)
{
    oracle_error error;
    uint32_t n = check->d.task_count;
    check->arena = oracle_arena_create();
    if (check->arena == NULL ||
        oracle_json_parse(&check->json, finding, strlen(finding), &error) !=
            ORACLE_OK) {
        return oracle_check_fail(check, "no memory, or the JSON is broken");
    }
    check->witness = oracle_check_member(check, 0, "witness");
    check->present = oracle_arena_alloc(check->arena, n);
    check->place = oracle_arena_array(check->arena, n, sizeof(uint32_t));
    check->order = oracle_arena_array(check->arena, n, sizeof(uint32_t));
    bool ok =
        check->present != NULL && check->place != NULL && check->order != NULL;
    for (uint32_t t = 0; ok && t < n; t++) {
        oracle_id_slot *slot =
            oracle_id_table_slot(&check->ids, check->d.tasks[t].id);
        ok = slot != NULL;
        if (ok) {
            slot->value = t;
        }
    }
    return (ok || oracle_check_fail(check, "no memory")) &&
           copy_rule(check, rule, size);
}

void oracle_check_end(oracle_check *check)
{
    oracle_json_free(&check->json);
    oracle_id_table_free(&check->ids);
    oracle_arena_free(check->arena);
}
