/*
 * Work that processes of our own do, a request each: answers come back in the
 * order of the requests, and a process that fails fails one of them.
 */
#ifndef CLI_CREW_H
#define CLI_CREW_H

#include "child.h"

typedef struct cli_crew_calls {
    /* Writes the next request, a line with its newline; false: no more. */
    bool (*next)(void *context, cli_text *request);
    /*
     * Each request once, in order: the answer, when the event is CLI_ANSWER,
     * else what the process did ("ended with status 3"). False ends the work.
     */
    bool (*done)(void *context, cli_event event, cli_span answer,
                 const char *problem);
    void *context;
    /* Now and then; false ends the work, whatever is under way. Or NULL. */
    bool (*idle)(void *context);
    /* CLI_PROBLEM bytes: why it failed, where that is known. Or NULL. */
    char *problem;
} cli_crew_calls;

/* False: out of memory, or of processes, or a call gave false. */
bool cli_crew_run(const cli_child_spec *spec, int64_t jobs,
                  const cli_crew_calls *calls);

#endif
