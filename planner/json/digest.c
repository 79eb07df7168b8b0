#include "digest.h"

#include <openssl/evp.h>

bool sonata_digest(char digest[SONATA_DIGEST_SIZE], const char *bytes,
                   size_t length)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (EVP_Digest(bytes, length, hash, &size, EVP_sha256(), NULL) != 1 ||
        size * 2 + 1 != SONATA_DIGEST_SIZE)
        return false;
    for (size_t i = 0; i < size; i++) {
        digest[2 * i] = digits[hash[i] >> 4];
        digest[2 * i + 1] = digits[hash[i] & 15];
    }
    digest[2 * size] = '\0';
    return true;
}
