/*
 * Canonical JSON by two writers that share no line: of any value, of a Score
 * and of a PlanHandle the planner and the oracle write the same bytes, compact
 * and pretty. What the planner wrote the oracle takes; the text itself only if
 * its fields say what it is.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "oracle/document.h"
#include "sonata/handle.h"
#include "sonata/json.h"

typedef struct written {
    char *json;
    size_t size;
    bool pretty;
} written;

/* What the oracle writes of a text is the same; false: it does not take it. */
static bool is_same(const written *own, const char *text, size_t length,
                    oracle_canonical form)
{
    char *other = NULL;
    size_t size = 0;
    oracle_error error;
    if (oracle_canonical_text(&other, &size, text, length, form, own->pretty,
                              &error) != ORACLE_OK)
        return false;
    check(size == own->size && memcmp(own->json, other, size) == 0);
    free(other);
    return true;
}

/* A document that says what it is: the oracle takes it as that alone. */
static bool names_kind(const char *text, size_t length)
{
    sonata_doc *doc = NULL;
    check(sonata_doc_read(&doc, text, length, NULL) == SONATA_OK);
    bool named = sonata_node_get(doc, sonata_doc_root(doc), "kind") != NULL;
    sonata_doc_free(doc);
    return named;
}

static void compare(const written *own, const char *text, size_t length,
                    oracle_canonical form)
{
    check(is_same(own, own->json, own->size, form));
    if (!names_kind(text, length))
        is_same(own, text, length, form);
    free(own->json);
}

static void value(const char *text, size_t length, bool pretty)
{
    sonata_doc *doc = NULL;
    written own = {.pretty = pretty};
    if (sonata_doc_read(&doc, text, length, NULL) != SONATA_OK)
        return;
    check(sonata_node_json(&own.json, &own.size, doc, sonata_doc_root(doc),
                           pretty, NULL) == SONATA_OK);
    sonata_doc_free(doc);
    check(is_same(&own, text, length, ORACLE_CANONICAL_JSON));
    free(own.json);
}

static void score(const char *text, size_t length, bool pretty)
{
    sonata_score read;
    written own = {.pretty = pretty};
    if (sonata_score_read(&read, text, length, NULL, NULL) != SONATA_OK)
        return;
    check(sonata_score_json(&own.json, &own.size, &read, pretty, NULL) ==
          SONATA_OK);
    sonata_score_free(&read);
    compare(&own, text, length, ORACLE_CANONICAL_SCORE);
}

static void handle(const char *text, size_t length, bool pretty)
{
    sonata_handle read;
    written own = {.pretty = pretty};
    if (sonata_handle_read(&read, text, length, NULL, NULL) != SONATA_OK)
        return;
    check(sonata_handle_json(&own.json, &own.size, &read, pretty, NULL) ==
          SONATA_OK);
    sonata_handle_free(&read);
    compare(&own, text, length, ORACLE_CANONICAL_HANDLE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    for (int pretty = 0; pretty < 2; pretty++) {
        value(text, size, pretty);
        score(text, size, pretty);
        handle(text, size, pretty);
    }
    return 0;
}
