/* Reading a file whole, and the digest of bytes. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "text.h"

/* The longest text that is read: what SQLite keeps in one value. */
#define CLI_INPUT_LIMIT ((size_t)1000000000)

/*
 * Appends a regular file (a large one as a shared text, when that is empty), or
 * standard input for "-", up to `limit` bytes; of a longer one only these when
 * `cut`, else it is an error. Never waits for a FIFO or a device. On failure
 * `problem` says why, without the path.
 */
bool cli_input_read(cli_text *text, const char *path, size_t limit, bool cut,
                    char *problem, size_t problem_size);

/* SHA-256 in 64 hex digits and a NUL; false when out of memory. */
bool cli_sha256(char hex[65], const void *data, size_t length);

/* The first byte that is no valid UTF-8, or `length`. */
size_t cli_utf8_check(const char *text, size_t length);

/* Line and column, from 1, of a byte. */
void cli_position(uint64_t *line, uint64_t *column, const char *text,
                  size_t offset);

#endif
