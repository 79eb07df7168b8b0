/* Digests of bytes, for what says its own. */
#ifndef FUZZ_DIGEST_H
#define FUZZ_DIGEST_H

#include <stddef.h>

/* The SHA-256 as 64 lower-case hex digits and a NUL. O(length). */
void fuzz_sha256(char hex[65], const char *data, size_t length);

#endif
