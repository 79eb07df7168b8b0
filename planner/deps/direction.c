#include "direction.h"

#include <string.h>

#include "../json/text.h"
#include "../json/utf8.h"
#include "letters.h"

#define LONGEST 14 /* outputexisting */

/*
 * The character a code point comes to: lower-case ASCII, 0 when it is dropped,
 * 1 when it stays and is in no token.
 */
static char fold(uint32_t point)
{
    if (point >= 'A' && point <= 'Z')
        return (char)(point - 'A' + 'a');
    if ((point >= 'a' && point <= 'z') || (point >= '0' && point <= '9'))
        return (char)point;
    if (point < 0x80)
        return 0;
    if (point == 0x130) /* its lower case is i and a combining dot */
        return 'i';
    return sonata_is_letter_or_number(point) ? 1 : 0;
}

/* The normalised token; its length, or LONGEST + 1 when it is in no table. */
static size_t normalise(char token[LONGEST + 1], sonata_text text)
{
    size_t length = 0;
    for (size_t i = 0; i < text.length;) {
        uint32_t point = (unsigned char)text.text[i];
        size_t taken = 1;
        if (point >= 0x80)
            taken = sonata_utf8_decode(&point, text.text + i, text.length - i);
        char c = taken == 0 ? 1 : fold(point);
        i += taken == 0 ? 1 : taken;
        if (c == 0)
            continue;
        if (c == 1 || length == LONGEST)
            return LONGEST + 1;
        token[length++] = c;
    }
    token[length] = '\0';
    return length;
}

sonata_direction sonata_direction_of(sonata_text text)
{
    static const struct {
        const char *token;
        size_t length;
        sonata_direction direction;
    } known[] = {
        {"input", 5, SONATA_INPUT},   {"output", 6, SONATA_OUTPUT},
        {"inout", 5, SONATA_INOUT},   {"outputexisting", 14, SONATA_OUTPUT},
        {"scalar", 6, SONATA_SCALAR}, {"nodep", 5, SONATA_NODEP},
    };
    char token[LONGEST + 1];
    /* As programs write them, mostly. */
    if (sonata_text_is(text, "Input"))
        return SONATA_INPUT;
    if (sonata_text_is(text, "Output"))
        return SONATA_OUTPUT;
    if (sonata_text_is(text, "InOut"))
        return SONATA_INOUT;
    size_t length = normalise(token, text);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].length == length &&
            memcmp(known[i].token, token, length) == 0)
            return known[i].direction;
    return SONATA_DIRECTION_UNKNOWN;
}
