/*
 * The readers of diff.frontend and the comparison. The input is three texts,
 * each ended by the byte 0x00: task graph, exporter.json, orchestration C++.
 * What is found is a sentence of visible ASCII and a record, and the same
 * twice.
 */
#include <stdint.h>
#include <string.h>

#include "../../cli/frontend/frontend.h"
#include "check.h"
#include "sonata/json.h"

static const uint8_t *take(const char **text, size_t *length,
                           const uint8_t *from, const uint8_t *end)
{
    size_t left = (size_t)(end - from);
    const uint8_t *stop = left == 0 ? NULL : memchr(from, 0, left);
    *text = (const char *)from;
    *length = stop == NULL ? left : (size_t)(stop - from);
    return stop == NULL ? end : stop + 1;
}

static void check_finding(const cli_frontend_finding *f)
{
    sonata_doc *doc = NULL;
    check(*f->message != '\0' && strlen(f->signature) == 16);
    for (const char *c = f->message; *c != '\0'; c++)
        check(*c >= ' ' && *c <= '~');
    check(sonata_doc_read(&doc, f->json, strlen(f->json), NULL) == SONATA_OK);
    sonata_doc_free(doc);
}

static void check_same(const cli_frontend_result *a,
                       const cli_frontend_result *b)
{
    check(a->count == b->count && a->total == b->total &&
          a->total >= a->count && a->compared_count == b->compared_count);
    for (uint32_t i = 0; i < a->count; i++) {
        check_finding(&a->findings[i]);
        check(strcmp(a->findings[i].json, b->findings[i].json) == 0);
    }
    for (uint32_t i = 0; i < a->compared_count; i++)
        check(a->compared[i].compared == b->compared[i].compared &&
              a->compared[i].args == b->compared[i].args &&
              a->compared[i].edges == b->compared[i].edges);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    cli_frontend_input input = {.cpp_count = 1};
    cli_frontend_result result, again;
    const char *cpp;
    size_t cpp_length;
    if (size == 0)
        return 0;
    const uint8_t *at = take(&input.graph, &input.graph_length, data, end);
    at = take(&input.exporter, &input.exporter_length, at, end);
    take(&cpp, &cpp_length, at, end);
    input.cpp = &cpp;
    input.cpp_length = &cpp_length;
    check(cli_frontend_compare(&result, &input) == CLI_FRONTEND_OK &&
          cli_frontend_compare(&again, &input) == CLI_FRONTEND_OK);
    check_same(&result, &again);
    cli_frontend_free(&result);
    cli_frontend_free(&again);
    return 0;
}
