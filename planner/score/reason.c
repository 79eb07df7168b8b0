#include "reason.h"

#include <stdlib.h>

#include "../json/array.h"

bool sonata_reasons_reject(const sonata_reasons *reasons)
{
    for (size_t i = 0; i < reasons->count; i++)
        if (!reasons->items[i].is_warning)
            return true;
    return false;
}

void sonata_reasons_free(sonata_reasons *reasons)
{
    if (reasons->memory != NULL) {
        sonata_arena_free(reasons->memory);
        free(reasons->memory);
    }
    free(reasons->items);
    *reasons = (sonata_reasons){0};
}

sonata_arena *sonata_reasons_memory(sonata_reasons *reasons)
{
    if (reasons->memory == NULL)
        reasons->memory = calloc(1, sizeof *reasons->memory);
    return reasons->memory;
}

bool sonata_reasons_add(sonata_reasons *reasons, const char *code,
                        sonata_text message, bool is_warning)
{
    if (message.text == NULL)
        return false;
    sonata_reason *items = sonata_grow(reasons->items, &reasons->capacity,
                                       reasons->count, sizeof *items);
    if (items == NULL)
        return false;
    reasons->items = items;
    reasons->items[reasons->count++] =
        (sonata_reason){code, message, is_warning};
    return true;
}
