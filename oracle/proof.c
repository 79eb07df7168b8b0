#include "proof.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool oracle_proof_fail(oracle_proof *proof, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(proof->reason, proof->size, format, args);
    va_end(args);
    return false;
}

bool oracle_proof_start(oracle_proof *proof, const oracle_document *document,
                        const char *text, size_t length, char *reason,
                        size_t size)
{
    oracle_error error;
    *proof = (oracle_proof){.reason = reason, .size = size};
    proof->arena = oracle_arena_create();
    reason[0] = '\0';
    if (proof->arena == NULL ||
        oracle_json_parse(&proof->json, text, length, &error) != ORACLE_OK) {
        return oracle_proof_fail(proof, "no memory, or the JSON is broken");
    }
    return oracle_proof_about(proof, document);
}

void oracle_proof_end(oracle_proof *proof)
{
    oracle_json_free(&proof->json);
    oracle_id_table_free(&proof->ids);
    oracle_arena_free(proof->arena);
}

bool oracle_proof_about(oracle_proof *proof, const oracle_document *document)
{
    oracle_id_table_free(&proof->ids);
    proof->ids = (oracle_id_table){0};
    proof->d = document;
    for (uint32_t t = 0; t < document->task_count; t++) {
        oracle_id_slot *slot =
            oracle_id_table_slot(&proof->ids, document->tasks[t].id);
        if (slot == NULL) {
            return oracle_proof_fail(proof, "no memory");
        }
        slot->value = t;
    }
    return true;
}

bool oracle_proof_is(const oracle_proof *proof, uint32_t node,
                     oracle_json_type type)
{
    return node != ORACLE_NONE && proof->json.nodes[node].type == type;
}

uint32_t oracle_proof_member(const oracle_proof *proof, uint32_t object,
                             const char *name)
{
    const oracle_json *json = &proof->json;
    if (oracle_proof_is(proof, object, ORACLE_JSON_OBJECT)) {
        for (uint32_t i = object + 1; i < oracle_json_next(json, object);
             i = oracle_json_next(json, i + 1)) {
            if (oracle_json_is(json, i, name, strlen(name))) {
                return i + 1;
            }
        }
    }
    return ORACLE_NONE;
}

bool oracle_proof_number(const oracle_proof *proof, uint32_t node,
                         int64_t *value)
{
    return oracle_proof_is(proof, node, ORACLE_JSON_NUMBER) &&
           oracle_json_int64(&proof->json, node, value);
}

const char *oracle_proof_text(oracle_proof *proof, uint32_t node)
{
    if (!oracle_proof_is(proof, node, ORACLE_JSON_STRING)) {
        return NULL;
    }
    char *text =
        oracle_arena_alloc(proof->arena, proof->json.nodes[node].extent + 1u);
    if (text != NULL) {
        text[oracle_json_unescape(&proof->json, node, text)] = '\0';
    }
    return text;
}

bool oracle_proof_next(const oracle_proof *proof, uint32_t list, uint32_t *at)
{
    if (!oracle_proof_is(proof, list, ORACLE_JSON_ARRAY)) {
        return false;
    }
    *at = *at == list ? list + 1 : oracle_json_next(&proof->json, *at);
    return *at < oracle_json_next(&proof->json, list);
}

bool oracle_proof_task(oracle_proof *proof, uint32_t node, uint32_t *task)
{
    int64_t id;
    *task = oracle_proof_number(proof, node, &id)
                ? oracle_id_table_find(&proof->ids, id)
                : ORACLE_NONE;
    return *task != ORACLE_NONE ||
           oracle_proof_fail(proof, "the witness names no task");
}

bool oracle_proof_buffer(oracle_proof *proof, uint32_t node, uint32_t *buffer)
{
    const char *key = oracle_proof_text(proof, node);
    size_t length = key == NULL ? 0 : strlen(key);
    *buffer = ORACLE_NONE;
    for (uint32_t b = 0; key != NULL && b < proof->d->buffer_count; b++) {
        const oracle_text *text = &proof->d->buffers[b].key;
        if (text->length == length && memcmp(text->data, key, length) == 0) {
            *buffer = b;
        }
    }
    return *buffer != ORACLE_NONE;
}

bool oracle_proof_choices(oracle_proof *proof, uint32_t list, bool **is_true)
{
    const oracle_document *d = proof->d;
    uint32_t item = list, n = 0;
    bool *values = oracle_arena_alloc(proof->arena, d->choice_count);
    *is_true = values;
    if (values == NULL || (d->choice_count > 0 && list == ORACLE_NONE)) {
        return oracle_proof_fail(proof,
                                 "no memory, or the choices are missing");
    }
    for (; oracle_proof_next(proof, list, &item); n++) {
        int64_t id;
        uint32_t is = oracle_proof_member(proof, item, "is");
        if (n == d->choice_count ||
            !oracle_proof_number(
                proof, oracle_proof_member(proof, item, "choice"), &id) ||
            id != d->choices[n].id ||
            (!oracle_proof_is(proof, is, ORACLE_JSON_TRUE) &&
             !oracle_proof_is(proof, is, ORACLE_JSON_FALSE))) {
            break;
        }
        values[n] = oracle_proof_is(proof, is, ORACLE_JSON_TRUE);
    }
    return (n == d->choice_count &&
            (list == ORACLE_NONE ||
             item == oracle_json_next(&proof->json, list))) ||
           oracle_proof_fail(proof,
                             "the choices are not those of the document");
}

/* The tasks from one to the other that are present, behind the last. */
static bool put(oracle_proof *proof, const bool *present, uint32_t from,
                uint32_t to, uint32_t *order, uint32_t *place, uint32_t *count)
{
    for (uint32_t t = from; t <= to; t++) {
        if (!present[t] && from != to) {
            continue;
        }
        if (!present[t] || place[t] != ORACLE_NONE) {
            return oracle_proof_fail(
                proof, "a task is twice in the order or not submitted");
        }
        place[t] = *count;
        order[(*count)++] = t;
    }
    return true;
}

bool oracle_proof_order(oracle_proof *proof, uint32_t list, const bool *present,
                        uint32_t **order, uint32_t **place, uint32_t *count)
{
    uint32_t n = proof->d->task_count, item = list, from, to, wanted = 0;
    *order = oracle_arena_array(proof->arena, n, sizeof **order);
    *place = oracle_arena_array(proof->arena, n, sizeof **place);
    *count = 0;
    if (*order == NULL || *place == NULL ||
        !oracle_proof_is(proof, list, ORACLE_JSON_ARRAY)) {
        return oracle_proof_fail(proof, "no memory, or there is no order");
    }
    memset(*place, 0xff, n * sizeof **place);
    while (oracle_proof_next(proof, list, &item)) {
        bool run = oracle_proof_is(proof, item, ORACLE_JSON_ARRAY) &&
                   oracle_json_next(&proof->json, item) == item + 3;
        if (!oracle_proof_task(proof, run ? item + 1 : item, &from) ||
            !oracle_proof_task(proof, run ? item + 2 : item, &to) ||
            !put(proof, present, from, to, *order, *place, count)) {
            return false;
        }
    }
    for (uint32_t t = 0; t < n; t++) {
        wanted += present[t];
    }
    return wanted == *count ||
           oracle_proof_fail(proof, "a task is not in the order");
}
