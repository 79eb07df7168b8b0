/*
 * What lint makes of a dump's text and of two graphs. The input is a line in
 * two bytes, an argument in one, then two documents with the byte 0x00 between
 * them: the first is quoted as a text, both are compared as task graphs, and
 * what differs one way has to differ the other.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/lint_compare.h"
#include "../../cli/lint_source.h"

#define HEAD 3

static void quote(cli_span text, int64_t line, int64_t index)
{
    lint_source source;
    cli_span name;
    if (!lint_source_open(&source, text))
        abort();
    lint_source_function(&name, &source, line);
    for (lint_part part = LINT_CALLEE; part <= LINT_COLUMN; part++) {
        cli_text out = {0};
        lint_mark marks[2] = {{part, index, "first"}, {part, 0, ""}};
        lint_source_quote(&out, &source, line, marks, 2);
        if (out.failed)
            abort();
        cli_text_free(&out);
    }
    lint_source_close(&source);
}

static size_t count_changes(lint_order *before, lint_order *after)
{
    lint_changes changes;
    if (!lint_compare(&changes, before, after))
        abort();
    size_t count = 0;
    for (size_t i = 0; i < changes.count; i++)
        count +=
            changes.items[i].aspect == LINT_TASKS ? 1 : changes.items[i].times;
    lint_changes_free(&changes);
    return count;
}

static void compare(cli_span first, cli_span second)
{
    char problem[256];
    lint_order before, after;
    bool read = lint_order_read(&before, first, NULL, problem, sizeof problem);
    if (lint_order_read(&after, second, NULL, problem, sizeof problem) &&
        read) {
        if ((count_changes(&before, &after) == 0) !=
            (count_changes(&after, &before) == 0))
            abort();
        if (count_changes(&before, &before) != 0)
            abort();
    }
    lint_order_close(&before);
    lint_order_close(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return 0;
    const char *text = (const char *)data + HEAD;
    size_t length = size - HEAD;
    const char *end = memchr(text, '\0', length);
    cli_span first = {text, end == NULL ? length : (size_t)(end - text)};
    cli_span second = first;
    if (end != NULL)
        second = (cli_span){end + 1, length - first.length - 1};
    quote(first, data[0] * 256 + data[1], data[2]);
    compare(first, second);
    return 0;
}
