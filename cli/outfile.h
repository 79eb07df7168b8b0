/*
 * A file that is there whole or not at all: written beside and renamed. What
 * is no file, as a device, is written as it comes.
 */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cli_outfile {
    FILE *stream;
    char *path;  /* NULL: standard output */
    char *draft; /* NULL: it is written as it comes */
} cli_outfile;

/*
 * NULL and "-" are standard output. False with a sentence in `problem` when
 * it cannot be written; then nothing has to be closed.
 */
bool cli_outfile_open(cli_outfile *file, const char *path, char *problem,
                      size_t size);

/*
 * Puts it into place when `keep` and all was written; else nothing is left of
 * it. False with a sentence when it cannot be kept. Frees all. Of standard
 * output it is asked by the caller, at the end, whether all was written.
 */
bool cli_outfile_close(cli_outfile *file, bool keep, char *problem,
                       size_t size);

/* A text as such a file. False with a sentence when it cannot be written. */
bool cli_outfile_write(const char *path, const char *data, size_t length,
                       char *problem, size_t size);

#endif
