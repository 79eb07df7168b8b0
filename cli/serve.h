/* The processes behind a batch: `counterpoint serve` and `serve --judge`. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include <stdbool.h>
#include <stdio.h>

#include "text.h"

/* Statuses that end such a process. */
#define CLI_SERVE_BAD_REQUEST 2
#define CLI_SERVE_NO_MEMORY 3

/*
 * Answers each line of `in` with a line on `out`, until `in` ends. Returns
 * the exit status: 0, 2 when a line is no request, 3 when memory ran out. With
 * `phases` answers say how long each phase took.
 */
int cli_serve(int in, FILE *out, bool judge, bool phases);

/*
 * Answers one request of `length` bytes into `answer` (a line with its
 * newline). Returns the exit status that ends the process, or 0. A request
 * that asks for `progress` has each phase told on `tell` (NULL: nowhere) as it
 * begins.
 */
int cli_serve_line(cli_text *answer, FILE *tell, const char *line,
                   size_t length, bool judge, bool phases);

#endif
