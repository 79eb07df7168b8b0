/*
 * A worker of `fuzz`: makes the cases of a block, has a planner of its own
 * answer, judges and compares. docs/formats.md describes requests and answers.
 */
#ifndef CLI_FUZZ_WORKER_H
#define CLI_FUZZ_WORKER_H

#include <stdio.h>

/* `serve --fuzz`: returns the exit status, as cli_serve does. */
int cli_fuzz_serve(FILE *in, FILE *out);

#endif
