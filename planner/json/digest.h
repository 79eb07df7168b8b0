/* SHA-256. */
#ifndef SONATA_DIGEST_H
#define SONATA_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

/* 64 hex digits and a NUL. */
#define SONATA_DIGEST_SIZE 65

/* In lower-case hex. False when out of memory. */
bool sonata_digest(char digest[SONATA_DIGEST_SIZE], const char *bytes,
                   size_t length);

#endif
