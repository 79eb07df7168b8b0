/* Lines of a file, without a copy of each. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include "json.h"

/* Zero-initialise but `file`; `text` is freed by the caller. */
typedef struct cli_lines {
    int file;
    cli_text text;  /* what was read; failed: out of memory */
    size_t taken;   /* of it: lines that were given */
    size_t scanned; /* of it: bytes without a newline behind `taken` */
    bool ended;
} cli_lines;

/*
 * The next line with its newline, which the last one may lack; valid until the
 * next call. False: there is none, or a fault of the file or of memory.
 */
bool cli_lines_next(cli_span *line, cli_lines *lines);

#endif
