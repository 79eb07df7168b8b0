/*
 * Bytes as each kind of document of the planner. What is read has to come out
 * the same when it is written, read and written again; what is refused has to
 * say why.
 */
#include <stddef.h>
#include <stdint.h>

#include "../../planner/tests/document_kinds.h"

static void drop(sonata_reasons *warnings)
{
    for (size_t i = 0; i < warnings->count; i++)
        if (warnings->items[i].message.length == 0)
            abort();
    sonata_reasons_free(warnings);
}

static void try_kind(const document_kind *kind, const char *text, size_t length)
{
    sonata_reasons warnings = {0};
    sonata_error error = {0};
    char *first = NULL;
    char *second = NULL;
    sonata_status status =
        kind->there_and_back(&first, text, length, true, &warnings, &error);
    drop(&warnings);
    if (status != SONATA_OK) {
        if (error.status != status || error.message[0] == '\0' ||
            error.code[0] == '\0' || first != NULL)
            abort();
        return;
    }
    if (kind->there_and_back(&second, first, strlen(first), true, &warnings,
                             &error) != SONATA_OK ||
        warnings.count > 0 || strcmp(first, second) != 0)
        abort();
    free(first);
    free(second);
    drop(&warnings);
}

/* Canonical JSON of anything is a fixed point. */
static void try_value(const char *text, size_t length)
{
    sonata_doc *doc = NULL;
    char *json = NULL;
    char *again = NULL;
    size_t size = 0;
    sonata_status status = sonata_doc_read(&doc, text, length, NULL);
    if (status == SONATA_NO_MEMORY) /* cJSON refused what the lexer took */
        abort();
    if (status != SONATA_OK)
        return;
    if (sonata_node_json(&json, &size, doc, sonata_doc_root(doc), false,
                         NULL) != SONATA_OK)
        abort();
    sonata_doc_free(doc);
    if (sonata_doc_read(&doc, json, size, NULL) != SONATA_OK ||
        sonata_node_json(&again, NULL, doc, sonata_doc_root(doc), false,
                         NULL) != SONATA_OK ||
        strcmp(json, again) != 0)
        abort();
    sonata_doc_free(doc);
    free(json);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    try_value(text, size);
    for (size_t i = 0; i < KIND_COUNT; i++)
        try_kind(&kinds[i], text, size);
    return 0;
}
