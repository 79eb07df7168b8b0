#include "sonata/dump.h"

#include <string.h>

static bool starts_with(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    return length >= size && memcmp(text, word, size) == 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* "NAME = pl.dynamic(" */
static bool is_symbol(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && is_word(line[at]))
        at++;
    if (at == 0)
        return false;
    while (at < length && is_space(line[at]))
        at++;
    if (at == length || line[at++] != '=')
        return false;
    while (at < length && is_space(line[at]))
        at++;
    return starts_with(line + at, length - at, "pl.dynamic(");
}

/* Nothing, a comment, an import or a symbol: what a dump's header is made of.
 */
static bool is_header(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && is_space(line[at]))
        at++;
    return at == length || line[at] == '#' ||
           starts_with(line, length, "import ") ||
           starts_with(line, length, "from ") || is_symbol(line, length);
}

bool sonata_dump_detect(const char *text, size_t length)
{
    static const char mark[] = "@pl.program";
    size_t size = sizeof mark - 1;
    for (size_t at = 0; at < length;) {
        const char *line = text + at;
        const char *feed = memchr(line, '\n', length - at);
        size_t end = feed ? (size_t)(feed - line) : length - at;
        if (starts_with(line, end, mark))
            return end == size || !is_word(line[size]);
        if (!is_header(line, end))
            return false;
        at += end + 1;
    }
    return false;
}
