#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

bool sonata_text_equal(sonata_text a, sonata_text b)
{
    return a.length == b.length && (a.text == NULL) == (b.text == NULL) &&
           (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

sonata_text sonata_text_int(sonata_arena *arena, int64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, value);
    const char *copy = sonata_arena_copy(arena, digits, (size_t)length);
    return (sonata_text){copy, copy == NULL ? 0 : (size_t)length};
}

sonata_text sonata_text_join(sonata_arena *arena, const sonata_text *pieces,
                             size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].text == NULL ||
            __builtin_add_overflow(length, pieces[i].length, &length))
            return (sonata_text){0};
    char *joined =
        length == SIZE_MAX ? NULL : sonata_arena_alloc(arena, length + 1);
    if (joined == NULL)
        return (sonata_text){0};
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].length > 0)
            memcpy(joined + at, pieces[i].text, pieces[i].length);
        at += pieces[i].length;
    }
    return (sonata_text){joined, length};
}

/*
 * Messages may quote what a document says: no control characters, and no
 * character that was cut at the end.
 */
static void make_printable(char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        uint32_t point = 0;
        size_t size = sonata_utf8_decode(&point, text + i, length - i);
        if (size == 0 && length - i < 4) {
            text[i] = '\0';
            return;
        }
        if (size == 0 || point < 0x20 || point == 0x7f)
            text[i] = '?';
        i += size == 0 ? 1 : size;
    }
}

sonata_status sonata_fail(sonata_error *error, sonata_status status,
                          const char *code, const char *format, ...)
{
    if (error == NULL)
        return status;
    *error = (sonata_error){.status = status};
    snprintf(error->code, sizeof error->code, "%s", code);
    va_list values;
    va_start(values, format);
    vsnprintf(error->message, sizeof error->message, format, values);
    va_end(values);
    make_printable(error->message);
    return status;
}

sonata_status sonata_fail_memory(sonata_error *error)
{
    return sonata_fail(error, SONATA_NO_MEMORY, "memory", "out of memory");
}
