#include "document.h"

#include <stdlib.h>

#include "../json/digest.h"
#include "../json/text.h"

_Static_assert(SONATA_FINGERPRINT_SIZE == SONATA_DIGEST_SIZE,
               "a fingerprint is a digest");

sonata_status
sonata_score_fingerprint(char fingerprint[SONATA_FINGERPRINT_SIZE],
                         const sonata_score *score, bool include_metadata,
                         sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_write_identity(&w, score, include_metadata);
    size_t length = 0;
    char *json = sonata_json_take(&w, &length);
    if (json == NULL)
        return sonata_fail_memory(error);
    bool done = sonata_digest(fingerprint, json, length);
    free(json);
    return done ? SONATA_OK : sonata_fail_memory(error);
}
