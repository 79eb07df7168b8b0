/*
 * Canonical forms of bytes: what was written reads the same, in both layouts,
 * with the same fingerprint and the same reasons.
 */
#include "oracle/document.h"

#include <stdlib.h>
#include <string.h>

static char *write_as(const char *text, size_t length, oracle_canonical form,
                      bool pretty, size_t *written)
{
    char *out = NULL;
    oracle_error error;
    return oracle_canonical_text(&out, written, text, length, form, pretty,
                                 &error) == ORACLE_OK
               ? out
               : NULL;
}

/* False: the bytes are none of that form. */
static bool check_form(const char *text, size_t length, oracle_canonical form)
{
    size_t size, again_size, pretty_size;
    char *compact = write_as(text, length, form, false, &size);
    if (compact == NULL) {
        return false;
    }
    char *pretty = write_as(compact, size, form, true, &pretty_size);
    if (pretty == NULL) {
        abort();
    }
    char *again = write_as(pretty, pretty_size, form, false, &again_size);
    if (again == NULL || again_size != size ||
        memcmp(again, compact, size) != 0) {
        abort();
    }
    free(compact);
    free(pretty);
    free(again);
    return true;
}

static void check_score(const char *text, size_t length)
{
    char own[65], other[65], **reasons, **same;
    oracle_error error;
    size_t size;
    uint32_t count, same_count;
    char *pretty = write_as(text, length, ORACLE_CANONICAL_SCORE, true, &size);
    if (pretty == NULL ||
        oracle_fingerprint_text(own, text, length, true, &error) != ORACLE_OK ||
        oracle_fingerprint_text(other, pretty, size, true, &error) !=
            ORACLE_OK ||
        strcmp(own, other) != 0 ||
        oracle_validate_text(&reasons, &count, text, length, &error) !=
            ORACLE_OK ||
        oracle_validate_text(&same, &same_count, pretty, size, &error) !=
            ORACLE_OK ||
        count != same_count) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(reasons[i], same[i]) != 0) {
            abort();
        }
    }
    free(reasons);
    free(same);
    free(pretty);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    check_form(text, size, ORACLE_CANONICAL_JSON);
    check_form(text, size, ORACLE_CANONICAL_HANDLE);
    if (check_form(text, size, ORACLE_CANONICAL_SCORE)) {
        check_score(text, size);
    }
    return 0;
}
