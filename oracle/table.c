#include "table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define FIRST_SIZE 64

/* Random bytes that the system gives each process: no input can be made to
 * collide. */
static uint64_t random_seed(void)
{
    uint64_t seed = 0x9e3779b97f4a7c15u;
    const void *bytes = (const void *)getauxval(AT_RANDOM);
    if (bytes != NULL) {
        memcpy(&seed, bytes, sizeof seed);
    }
    return seed;
}

/* Folded multiplication: every bit of both reaches every bit of the result. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The last bytes of a text of fewer than 8, in one word. */
static uint64_t short_word(const char *data, size_t length)
{
    if (length >= 4) {
        uint32_t low, high;
        memcpy(&low, data, 4);
        memcpy(&high, data + length - 4, 4);
        return (uint64_t)high << 32 | low;
    }
    if (length == 0) {
        return 0;
    }
    const unsigned char *u = (const unsigned char *)data;
    return (uint64_t)u[0] << 16 | (uint64_t)u[length / 2] << 8 | u[length - 1];
}

static uint64_t hash_text(uint64_t seed, const char *data, size_t length)
{
    uint64_t h = seed ^ length * 0xa0761d6478bd642fu;
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, data, 8);
        h = mix(h ^ word, seed | 0xe7037ed1a0b428dbu);
        data += 8;
        length -= 8;
    }
    uint64_t word = short_word(data, length);
    h = mix(h ^ word, seed | 0x8ebc6af09c88c6e3u);
    return mix(h, 0x589965cc75374cc3u);
}

void oracle_table_free(oracle_table *table)
{
    free(table->slots);
    *table = (oracle_table){0};
}

static oracle_slot *probe(const oracle_table *table, const char *data,
                          size_t length)
{
    size_t mask = table->size - 1;
    size_t i = hash_text(table->seed, data, length) & mask;
    for (;; i = (i + 1) & mask) {
        oracle_slot *slot = &table->slots[i];
        if (slot->data == NULL ||
            (slot->length == length && memcmp(slot->data, data, length) == 0)) {
            return slot;
        }
    }
}

static bool table_grow(oracle_table *table)
{
    oracle_table wider = {.size = table->size * 2, .used = table->used};
    if (table->size == 0) {
        wider.size = FIRST_SIZE;
    }
    wider.seed = table->seed == 0 ? random_seed() : table->seed;
    wider.slots = calloc(wider.size, sizeof *wider.slots);
    if (wider.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->size; i++) {
        const oracle_slot *slot = &table->slots[i];
        if (slot->data != NULL) {
            *probe(&wider, slot->data, slot->length) = *slot;
        }
    }
    free(table->slots);
    *table = wider;
    return true;
}

oracle_slot *oracle_table_slot(oracle_table *table, const char *data,
                               size_t length)
{
    if (table->used * 3 >= table->size * 2 && !table_grow(table)) {
        return NULL;
    }
    oracle_slot *slot = probe(table, data, length);
    if (slot->data == NULL) {
        table->used++;
    }
    return slot;
}

uint32_t oracle_table_find(const oracle_table *table, const char *data,
                           size_t length)
{
    if (table->size == 0) {
        return ORACLE_NONE;
    }
    const oracle_slot *slot = probe(table, data, length);
    return slot->data == NULL ? ORACLE_NONE : slot->value;
}

void oracle_id_table_free(oracle_id_table *table)
{
    free(table->slots);
    *table = (oracle_id_table){0};
}

static oracle_id_slot *probe_id(const oracle_id_table *table, int64_t id)
{
    size_t mask = table->size - 1;
    uint64_t h = mix((uint64_t)id ^ table->seed, 0xa0761d6478bd642fu);
    size_t i = mix(h, table->seed | 1) & mask;
    for (;; i = (i + 1) & mask) {
        oracle_id_slot *slot = &table->slots[i];
        if (slot->value == ORACLE_NONE || slot->id == id) {
            return slot;
        }
    }
}

static bool id_table_grow(oracle_id_table *table)
{
    oracle_id_table wider = {.size = table->size * 2, .used = table->used};
    if (table->size == 0) {
        wider.size = FIRST_SIZE;
    }
    wider.seed = table->seed == 0 ? random_seed() : table->seed;
    wider.slots = malloc(wider.size * sizeof *wider.slots);
    if (wider.slots == NULL) {
        return false;
    }
    memset(wider.slots, 0xff, wider.size * sizeof *wider.slots);
    for (size_t i = 0; i < table->size; i++) {
        if (table->slots[i].value != ORACLE_NONE) {
            *probe_id(&wider, table->slots[i].id) = table->slots[i];
        }
    }
    free(table->slots);
    *table = wider;
    return true;
}

oracle_id_slot *oracle_id_table_slot(oracle_id_table *table, int64_t id)
{
    if (table->used * 3 >= table->size * 2 && !id_table_grow(table)) {
        return NULL;
    }
    oracle_id_slot *slot = probe_id(table, id);
    if (slot->value == ORACLE_NONE) {
        table->used++;
        slot->id = id;
    }
    return slot;
}

uint32_t oracle_id_table_find(const oracle_id_table *table, int64_t id)
{
    if (table->size == 0) {
        return ORACLE_NONE;
    }
    const oracle_id_slot *slot = probe_id(table, id);
    return slot->value;
}
