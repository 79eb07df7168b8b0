/*
 * The readers of diff.frontend and the comparison. The input is three texts,
 * each ended by the byte 0x00: task graph, exporter.json, orchestration C++.
 */
#include <stdint.h>
#include <string.h>

#include "../../cli/frontend/frontend.h"

static const uint8_t *take(const char **text, size_t *length,
                           const uint8_t *from, const uint8_t *end)
{
    size_t left = (size_t)(end - from);
    const uint8_t *stop = left == 0 ? NULL : memchr(from, 0, left);
    *text = (const char *)from;
    *length = stop == NULL ? left : (size_t)(stop - from);
    return stop == NULL ? end : stop + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    cli_frontend_input input = {.cpp_count = 1};
    cli_frontend_result result;
    const char *cpp;
    size_t cpp_length;
    if (size == 0)
        return 0;
    const uint8_t *at = take(&input.graph, &input.graph_length, data, end);
    at = take(&input.exporter, &input.exporter_length, at, end);
    take(&cpp, &cpp_length, at, end);
    input.cpp = &cpp;
    input.cpp_length = &cpp_length;
    if (cli_frontend_compare(&result, &input) == CLI_FRONTEND_OK)
        cli_frontend_free(&result);
    return 0;
}
