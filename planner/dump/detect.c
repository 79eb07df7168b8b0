#include "sonata/dump.h"

#include <string.h>

bool sonata_dump_detect(const char *text, size_t length)
{
    static const char mark[] = "# pypto.program:";
    size_t at = 0;
    while (at < length && memchr(" \t\r\n", text[at], 4) != NULL)
        at++;
    return length - at >= sizeof mark - 1 &&
           memcmp(text + at, mark, sizeof mark - 1) == 0;
}
