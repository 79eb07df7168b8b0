/*
 * A planner with many requests under way. Requests go out and answers come
 * back in one order; neither waits for the other, so that the planner works
 * while its answers are judged.
 *
 * A death never changes what other requests get: the process is started again
 * and what was not answered is sent again, one at a time, until all that were
 * under way have their answer. A death, or an answer that is none, counts
 * against a request only when a fresh process fails of it alone.
 */
#ifndef CLI_FUZZ_PIPE_H
#define CLI_FUZZ_PIPE_H

#include "../json.h"
#include "../process.h"
#include "../text.h"

#define CLI_PIPE_ROOM 64

typedef struct cli_reply {
    void *tag;
    cli_event event;     /* CLI_ANSWER, or how it failed */
    cli_span answer;     /* the line without its newline */
    const char *problem; /* "was ended by signal SIGSEGV" */
    const char *frames;  /* "a < b < c": functions of a crash, or "" */
    const char *said;    /* the last line of its standard error, or "" */
} cli_reply;

typedef struct cli_pipe cli_pipe;

/* `spec` outlives it. NULL: out of memory. */
cli_pipe *cli_pipe_new(const cli_child_spec *spec);
/* Ends the process, whatever is under way. */
void cli_pipe_free(cli_pipe *p);

/*
 * Ends the process in good order: the next request starts another one. False:
 * it was a process of ours and has not ended well; what it said of that is
 * then on standard error. *unasked: since the last rest there was a line that
 * answered nothing, or answered again. When such a line comes is chance, so
 * that it belongs to no request; that it comes is none.
 */
bool cli_pipe_rest(cli_pipe *p, bool *unasked);

/* Requests without an answer. */
size_t cli_pipe_under_way(const cli_pipe *p);

/*
 * The line of the next request, to be filled (with its newline) and then
 * sent by cli_pipe_ask; its id. NULL: CLI_PIPE_ROOM are under way.
 */
cli_text *cli_pipe_line(cli_pipe *p, int64_t *id);
void cli_pipe_ask(cli_pipe *p, void *tag);

/*
 * Moves bytes, and gives the next answer when it is there; with `wait` waits
 * for it. False: there is none yet, or nothing is under way, or the pipe has
 * failed. The reply is valid until the next call.
 */
bool cli_pipe_reply(cli_reply *reply, cli_pipe *p, bool wait);

/* Why it failed (a process cannot be started, out of memory), or NULL. */
const char *cli_pipe_problem(const cli_pipe *p);

#endif
