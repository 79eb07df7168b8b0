#include "utf8.h"

size_t sonata_utf8_decode(uint32_t *point, const char *text, size_t length)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0)
        return 0;
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t lead = bytes[0];
    if (lead < 0x80) {
        *point = lead;
        return 1;
    }
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length < size)
        return 0;
    uint32_t value = lead & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = (value << 6) | (bytes[i] & 0x3fu);
    }
    if (value < lowest[size] || value > 0x10ffff ||
        (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *point = value;
    return size;
}
