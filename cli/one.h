/* Verbs about one input: it is found, planned and judged, then worked on. */
#ifndef CLI_ONE_H
#define CLI_ONE_H

#include "case.h"
#include "options.h"

typedef struct cli_one {
    const char *does; /* "graph draws one": where a folder holds several */
    /* Gives an exit status. What is refused does not come here: why is told on
       standard error, with --json on standard output. */
    int (*work)(void *context, const cli_case *c);
    void *context;
} cli_one;

/* The exit status of the verb. */
int cli_one_run(const cli_one *one, const cli_options *options);

#endif
