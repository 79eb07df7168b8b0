#include "digest.h"

#include <openssl/sha.h>

void fuzz_sha256(char hex[65], const char *data, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char raw[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)data, length, raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        hex[2 * i] = digits[raw[i] >> 4];
        hex[2 * i + 1] = digits[raw[i] & 15];
    }
    hex[64] = '\0';
}
