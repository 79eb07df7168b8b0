#include "table.h"

#include <stdlib.h>
#include <string.h>

#define FACTOR 0xd6e8feb86659fd93u

static uint64_t mix(uint64_t value)
{
    value *= FACTOR;
    return value ^ (value >> 32);
}

/* The bytes of a text of up to eight, in some order. */
static uint64_t short_word(const char *text, size_t length)
{
    uint32_t low = 0, high = 0;
    if (length >= 4) {
        memcpy(&low, text, 4);
        memcpy(&high, text + length - 4, 4);
        return (uint64_t)high << 32 | low;
    }
    if (length == 0)
        return 0;
    return (uint64_t)(unsigned char)text[0] << 16 |
           (uint64_t)(unsigned char)text[length / 2] << 8 |
           (unsigned char)text[length - 1];
}

static uint64_t hash_of(uint8_t tag, sonata_text text)
{
    uint64_t hash = mix(text.length + ((uint64_t)tag << 56) + 1);
    size_t i = 0;
    for (; text.length - i > 8; i += 8) {
        uint64_t word = 0;
        memcpy(&word, text.text + i, 8);
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    return mix(mix(hash ^ short_word(text.text + i, text.length - i)));
}

static void place(sonata_table *table, uint32_t number)
{
    size_t mask = table->slot_count - 1;
    size_t slot = (size_t)table->entries[number].hash & mask;
    while (table->slots[slot] != 0)
        slot = (slot + 1) & mask;
    table->slots[slot] = number + 1;
}

static bool grow(sonata_table *table)
{
    size_t capacity = table->capacity < 16 ? 16 : table->capacity * 2;
    sonata_table_entry *entries =
        reallocarray(table->entries, capacity, sizeof *entries);
    if (entries == NULL)
        return false;
    table->entries = entries;
    uint32_t *slots = calloc(capacity * 2, sizeof *slots);
    if (slots == NULL)
        return false;
    free(table->slots);
    table->slots = slots;
    table->slot_count = capacity * 2;
    table->capacity = capacity;
    for (size_t i = 0; i < table->count; i++)
        place(table, (uint32_t)i);
    return true;
}

/* The slot that holds the text, or the free one where it belongs. */
static size_t find(const sonata_table *table, const sonata_table_entry *wanted)
{
    size_t mask = table->slot_count - 1;
    size_t slot = (size_t)wanted->hash & mask;
    for (; table->slots[slot] != 0; slot = (slot + 1) & mask) {
        const sonata_table_entry *entry =
            &table->entries[table->slots[slot] - 1];
        if (entry->hash == wanted->hash && entry->tag == wanted->tag &&
            sonata_text_equal(entry->text, wanted->text))
            break;
    }
    return slot;
}

bool sonata_table_put(sonata_table *table, uint32_t *number, bool *is_new,
                      uint8_t tag, sonata_text text)
{
    if (table->count >= SONATA_TABLE_LIMIT)
        return false;
    if (table->count == table->capacity && !grow(table))
        return false;
    sonata_table_entry entry = {hash_of(tag, text), text, tag};
    size_t slot = find(table, &entry);
    bool missing = table->slots[slot] == 0;
    if (missing) {
        table->entries[table->count++] = entry;
        table->slots[slot] = (uint32_t)table->count;
    }
    *number = table->slots[slot] - 1;
    if (is_new != NULL)
        *is_new = missing;
    return true;
}

bool sonata_table_find(const sonata_table *table, uint32_t *number, uint8_t tag,
                       sonata_text text)
{
    if (table->count == 0)
        return false;
    sonata_table_entry entry = {hash_of(tag, text), text, tag};
    uint32_t found = table->slots[find(table, &entry)];
    *number = found - 1;
    return found != 0;
}

void sonata_table_free(sonata_table *table)
{
    free(table->entries);
    free(table->slots);
    *table = (sonata_table){0};
}
