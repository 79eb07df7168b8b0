/*
 * Fingerprints of a Score: the planner's and the oracle's are one, with
 * metadata and without, and do not depend on layout or fields left out. The
 * runtime target is in none, metadata in one of the two.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "oracle/document.h"
#include "scores.h"
#include "sonata/json.h"

static void fingerprint(char out[65], const sonata_score *score, bool metadata)
{
    check(sonata_score_fingerprint(out, score, metadata, NULL) == SONATA_OK);
}

/* Of what the planner writes, and of the text if the oracle takes it. */
static void compare(const sonata_score *score, const char *text, size_t length,
                    bool metadata)
{
    char own[65], other[65];
    char *json;
    size_t size;
    oracle_error error;
    fingerprint(own, score, metadata);
    check(sonata_score_json(&json, &size, score, true, NULL) == SONATA_OK);
    check(oracle_fingerprint_text(other, json, size, metadata, &error) ==
          ORACLE_OK);
    check(strcmp(own, other) == 0);
    free(json);
    if (oracle_fingerprint_text(other, text, length, metadata, &error) ==
        ORACLE_OK)
        check(strcmp(own, other) == 0);
}

static void look_at_parts(const sonata_score *score)
{
    char plain[65], full[65], again[65];
    sonata_score other = *score; /* borrowed */
    fingerprint(plain, score, false);
    fingerprint(full, score, true);
    check(strcmp(plain, full) != 0);
    other.target.function_name = SONATA_TEXT("another_function");
    fingerprint(again, &other, true);
    check(strcmp(full, again) == 0);
    other.metadata = SONATA_TEXT("{\"another\":1}");
    fingerprint(again, &other, false);
    check(strcmp(plain, again) == 0);
    other.name = SONATA_TEXT("another name that is none of any Score");
    fingerprint(again, &other, false);
    check(strcmp(plain, again) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    sonata_score score;
    if (names_kind(text, size) ||
        sonata_score_read(&score, text, size, NULL, NULL) != SONATA_OK)
        return 0;
    compare(&score, text, size, false);
    compare(&score, text, size, true);
    look_at_parts(&score);
    sonata_score_free(&score);
    return 0;
}
