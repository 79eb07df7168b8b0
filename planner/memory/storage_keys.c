#include "storage_keys.h"

#include <stdlib.h>

#include "../json/array.h"
#include "../json/text.h"

sonata_status sonata_storage_keys_add(uint32_t *number, bool *is_new,
                                      sonata_storage_keys *keys,
                                      const sonata_value *key,
                                      sonata_error *error)
{
    bool added = false;
    if (is_new != NULL)
        *is_new = false;
    if (keys->count >= SONATA_TABLE_LIMIT)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "more than %zu storage keys", keys->count);
    sonata_value *values =
        sonata_grow(keys->values, &keys->capacity, keys->count, sizeof *values);
    if (values == NULL)
        return sonata_fail_memory(error);
    keys->values = values;
    sonata_status status =
        sonata_key_number(number, &added, &keys->numbers, key);
    if (status == SONATA_REJECTED)
        return sonata_fail(error, SONATA_REJECTED, "memory.key",
                           "a list or an object is no storage key");
    if (status != SONATA_OK)
        return sonata_fail_memory(error);
    if (added)
        keys->values[keys->count++] = *key;
    if (is_new != NULL)
        *is_new = added;
    return SONATA_OK;
}

void sonata_storage_keys_free(sonata_storage_keys *keys)
{
    sonata_access_keys_free(&keys->numbers);
    free(keys->values);
    *keys = (sonata_storage_keys){0};
}
