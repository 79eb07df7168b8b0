#include "access.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_NULL, TAG_NUMBER, TAG_STRING };

bool sonata_float_value(double *value, sonata_text text)
{
    char digits[64]; /* canonical floats have at most 25 characters */
    size_t length =
        text.length < sizeof digits ? text.length : sizeof digits - 1;
    memcpy(digits, text.text, length);
    digits[length] = '\0';
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    *value = strtod_l(digits, NULL, plain);
    freelocale(plain);
    return true;
}

/* A float of integral value is spelled as that integer, others as they are. */
static sonata_text spell_float(sonata_arena *arena, sonata_text text)
{
    char digits[400];
    double value = 0;
    if (!sonata_float_value(&value, text))
        return (sonata_text){0};
    if (value == 0)
        return SONATA_TEXT("0");
    if (!isfinite(value) || floor(value) != value)
        return text;
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    const char *copy = sonata_arena_copy(arena, digits, (size_t)length);
    return (sonata_text){copy, copy == NULL ? 0 : (size_t)length};
}

/* The spelling that is equal exactly when the values are; null: no memory. */
static sonata_text spell(uint8_t *tag, sonata_arena *arena,
                         const sonata_value *value)
{
    *tag = TAG_NUMBER;
    switch (value->kind) {
    case SONATA_BOOL:
        return value->text.length == 4 ? SONATA_TEXT("1") : SONATA_TEXT("0");
    case SONATA_INT:
        return value->text;
    case SONATA_FLOAT:
        return spell_float(arena, value->text);
    case SONATA_STRING:
        *tag = TAG_STRING;
        return value->text;
    default:
        *tag = TAG_NULL;
        return SONATA_TEXT("");
    }
}

sonata_status sonata_key_number(uint32_t *number, bool *is_new,
                                sonata_access_keys *keys,
                                const sonata_value *value)
{
    if (value->kind == SONATA_NESTED)
        return SONATA_REJECTED;
    uint8_t tag = 0;
    sonata_text spelling = spell(&tag, &keys->arena, value);
    if (spelling.text == NULL ||
        !sonata_table_put(&keys->table, number, is_new, tag, spelling))
        return SONATA_NO_MEMORY;
    return SONATA_OK;
}

sonata_status sonata_access_key(uint32_t *number, sonata_access_keys *keys,
                                const sonata_task *task, size_t arg,
                                sonata_error *error)
{
    const sonata_value *value = &task->args[arg];
    if (task->key_count > 0 && task->keys[arg].kind != SONATA_NULL)
        value = &task->keys[arg];
    sonata_status status = sonata_key_number(number, NULL, keys, value);
    if (status == SONATA_REJECTED)
        return sonata_fail(error, SONATA_REJECTED, "policy.access-key",
                           "task %" PRId64 " argument %zu is a list or an "
                           "object: it has no identity",
                           task->id, arg);
    return status == SONATA_OK ? status : sonata_fail_memory(error);
}

void sonata_access_keys_free(sonata_access_keys *keys)
{
    sonata_table_free(&keys->table);
    sonata_arena_free(&keys->arena);
}
