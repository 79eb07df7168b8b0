#include "lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define STEP ((size_t)1 << 17)

/* Room for more; what was given is dropped. */
static bool make_room(cli_lines *lines)
{
    cli_text *text = &lines->text;
    if (lines->taken == text->length) {
        cli_text_clear(text); /* gives back a large one */
    } else if (lines->taken > 0) {
        text->length -= lines->taken;
        memmove(text->data, text->data + lines->taken, text->length);
    }
    lines->scanned -= lines->taken;
    lines->taken = 0;
    return cli_text_reserve(text, STEP);
}

static bool read_more(cli_lines *lines)
{
    cli_text *text = &lines->text;
    ssize_t n;
    if (!make_room(lines))
        return false;
    do {
        n = read(lines->file, text->data + text->length,
                 text->capacity - text->length - 1);
    } while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    text->length += (size_t)n;
    return true;
}

static bool give(cli_span *line, cli_lines *lines, size_t end)
{
    *line = (cli_span){lines->text.data + lines->taken, end - lines->taken};
    lines->taken = lines->scanned = end;
    return line->length > 0;
}

bool cli_lines_next(cli_span *line, cli_lines *lines)
{
    while (!lines->ended) {
        const cli_text *text = &lines->text;
        size_t rest = text->length - lines->scanned;
        const char *end =
            rest == 0 ? NULL : memchr(text->data + lines->scanned, '\n', rest);
        if (end != NULL)
            return give(line, lines, (size_t)(end - text->data) + 1);
        lines->scanned = text->length;
        lines->ended = !read_more(lines);
    }
    return !lines->text.failed && give(line, lines, lines->text.length);
}
