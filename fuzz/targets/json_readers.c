/*
 * Two strict readers of JSON that share no line: of any bytes the planner's
 * and the oracle's say the same, and where both refuse, why and where.
 */
#include <stdio.h>
#include <stdlib.h>

#include "oracle/document.h"
#include "sonata/json.h"

static void differ(const char *what, const sonata_error *a,
                   const oracle_error *b)
{
    fprintf(stderr, "%s: planner: %s at %llu; oracle: %s at %llu\n", what,
            a->message, (unsigned long long)a->offset, b->message,
            (unsigned long long)b->offset);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    sonata_error planner = {0};
    oracle_error oracle = {0};
    sonata_doc *doc = NULL;
    char *canonical = NULL;
    size_t length;
    sonata_status one = sonata_doc_read(&doc, text, size, &planner);
    oracle_status other = oracle_canonical_text(
        &canonical, &length, text, size, ORACLE_CANONICAL_JSON, false, &oracle);
    if ((one == SONATA_OK) != (other == ORACLE_OK))
        differ("one reads it", &planner, &oracle);
    if (one != SONATA_OK &&
        (*planner.message == '\0' || *oracle.message == '\0'))
        differ("no reason", &planner, &oracle);
    if (one != SONATA_OK && planner.offset != oracle.offset)
        differ("two places", &planner, &oracle);
    sonata_doc_free(doc);
    free(canonical);
    return 0;
}
