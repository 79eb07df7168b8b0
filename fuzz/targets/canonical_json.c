/*
 * Canonical JSON by two writers that share no line: of any value, of a Score
 * and of a PlanHandle the planner and the oracle write the same bytes, compact
 * and pretty.
 */
#include <stdlib.h>
#include <string.h>

#include "oracle/document.h"
#include "sonata/handle.h"
#include "sonata/json.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* The oracle's bytes are these, which are freed. */
static void compare(char *json, size_t size, const char *text, size_t length,
                    oracle_canonical form, bool pretty)
{
    char *other = NULL;
    size_t other_size = 0;
    oracle_error error;
    check(oracle_canonical_text(&other, &other_size, text, length, form, pretty,
                                &error) == ORACLE_OK);
    check(size == other_size && memcmp(json, other, size) == 0);
    free(json);
    free(other);
}

static void value(const char *text, size_t length, bool pretty)
{
    sonata_doc *doc = NULL;
    char *json;
    size_t size;
    if (sonata_doc_read(&doc, text, length, NULL) != SONATA_OK)
        return;
    check(sonata_node_json(&json, &size, doc, sonata_doc_root(doc), pretty,
                           NULL) == SONATA_OK);
    sonata_doc_free(doc);
    compare(json, size, text, length, ORACLE_CANONICAL_JSON, pretty);
}

static void score(const char *text, size_t length, bool pretty)
{
    sonata_score read;
    char *json;
    size_t size;
    if (sonata_score_read(&read, text, length, NULL, NULL) != SONATA_OK)
        return;
    check(sonata_score_json(&json, &size, &read, pretty, NULL) == SONATA_OK);
    sonata_score_free(&read);
    compare(json, size, text, length, ORACLE_CANONICAL_SCORE, pretty);
}

static void handle(const char *text, size_t length, bool pretty)
{
    sonata_handle read;
    char *json;
    size_t size;
    if (sonata_handle_read(&read, text, length, NULL, NULL) != SONATA_OK)
        return;
    check(sonata_handle_json(&json, &size, &read, pretty, NULL) == SONATA_OK);
    sonata_handle_free(&read);
    compare(json, size, text, length, ORACLE_CANONICAL_HANDLE, pretty);
}

/* A document that says what it is: the oracle takes it as that alone. */
static bool names_kind(const char *text, size_t length)
{
    sonata_doc *doc = NULL;
    if (sonata_doc_read(&doc, text, length, NULL) != SONATA_OK)
        return true;
    bool named = sonata_node_get(doc, sonata_doc_root(doc), "kind") != NULL;
    sonata_doc_free(doc);
    return named;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    bool named = names_kind(text, size);
    for (int pretty = 0; pretty < 2; pretty++) {
        value(text, size, pretty);
        if (named)
            continue;
        score(text, size, pretty);
        handle(text, size, pretty);
    }
    return 0;
}
