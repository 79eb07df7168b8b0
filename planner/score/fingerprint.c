#include "document.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include "../json/text.h"

sonata_status
sonata_score_fingerprint(char fingerprint[SONATA_FINGERPRINT_SIZE],
                         const sonata_score *score, bool include_metadata,
                         sonata_error *error)
{
    static const char digits[] = "0123456789abcdef";
    sonata_json w;
    sonata_json_init(&w, false);
    sonata_write_identity(&w, score, include_metadata);
    size_t length = 0;
    char *json = sonata_json_take(&w, &length);
    if (json == NULL)
        return sonata_fail_memory(error);
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    int done = EVP_Digest(json, length, hash, &size, EVP_sha256(), NULL);
    free(json);
    if (done != 1 || size * 2 + 1 != SONATA_FINGERPRINT_SIZE)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < size; i++) {
        fingerprint[2 * i] = digits[hash[i] >> 4];
        fingerprint[2 * i + 1] = digits[hash[i] & 15];
    }
    fingerprint[2 * size] = '\0';
    return SONATA_OK;
}
