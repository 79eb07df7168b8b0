/* Reads, derives and writes a document; what was written reads the same. */
#include "oracle/document.h"

#include <stdlib.h>
#include <string.h>

static char *write_again(const char *text, size_t length, size_t *again)
{
    oracle_document document;
    oracle_error error;
    char *written = NULL;
    if (oracle_document_read(&document, text, length, NULL, &error) !=
            ORACLE_OK ||
        oracle_document_write(&written, again, &document, &error) !=
            ORACLE_OK) {
        abort();
    }
    oracle_document_free(&document);
    return written;
}

static void check_round(const oracle_document *document)
{
    oracle_error error;
    char *text;
    size_t length;
    size_t again;
    if (oracle_document_write(&text, &length, document, &error) != ORACLE_OK) {
        abort();
    }
    char *other = write_again(text, length, &again);
    if (length != again || memcmp(text, other, length) != 0) {
        abort();
    }
    free(text);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oracle_document document;
    oracle_error error;
    if (oracle_document_read(&document, (const char *)data, size, NULL,
                             &error) != ORACLE_OK) {
        return 0;
    }
    bool readable = document.kind != ORACLE_KIND_MEMORY_PLAN;
    for (uint32_t i = 0; i < document.task_count; i++) {
        readable = readable && document.tasks[i].id >= 0;
    }
    if (readable) {
        check_round(&document);
    }
    for (int rules = 1; rules < 3; rules++) {
        document.rules = (oracle_rules)rules;
        if (oracle_document_derive(&document, &error) != ORACLE_OK) {
            abort();
        }
    }
    if (readable) {
        check_round(&document);
    }
    oracle_document_free(&document);
    return 0;
}
