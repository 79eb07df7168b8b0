/*
 * A process that answers JSON lines: its standard input takes one request per
 * line, its standard output gives one answer per line. It is watched: time,
 * resident memory, its death. Planner and judge are supervised by this alike.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <poll.h>

#include "json.h"
#include "process.h"
#include "text.h"

#define CLI_PROBLEM ((size_t)128) /* bytes of a sentence about a process */

typedef struct cli_child {
    const cli_child_spec *spec;
    cli_process process;
    int64_t answered; /* requests since it was started */
    bool busy;
    int64_t deadline; /* ms */
    int64_t looked;   /* ms: when its memory was looked at */
    char at[16];      /* the phase that it is in; empty: not known */
    cli_text request;
    int64_t id;     /* of the request, which its answer has; -1: not known */
    int64_t before; /* of the request before it; -1: nothing is known of it */
    bool repeated;  /* a line with that id came, and was passed over */
    bool stray;     /* the last line had another id than the request */
    size_t sent;
    cli_text answer;
    size_t scanned; /* bytes of the answer known to hold no newline */
    char problem[CLI_PROBLEM]; /* after a failing event */
} cli_child;

void cli_child_init(cli_child *child, const cli_child_spec *spec);

/*
 * Sends a request (a line with its newline), which is swapped out of `line`;
 * starts the process where none runs. False when it cannot be started.
 */
bool cli_child_send(cli_child *child, cli_text *line);

/*
 * Says, before a request is sent, which ids it and the one before it have: an
 * answer with the latter is no answer to this one (`repeated`).
 */
void cli_child_expect(cli_child *child, int64_t id, int64_t before);

/* Sends the last request again, to a new process. */
bool cli_child_resend(cli_child *child);

/* What to wait for: fills up to two entries, returns how many. */
size_t cli_child_poll(const cli_child *child, struct pollfd fds[2]);

/*
 * Moves on what can be moved; never waits long. After an answer the child is
 * idle; after any other event but CLI_NOTHING its process is gone.
 */
cli_event cli_child_step(cli_child *child);

/* The answer, without its newline; valid until the next send. */
cli_span cli_child_answer(const cli_child *child);

/* Closes the input of an idle one, for cli_child_hear. */
void cli_child_hang_up(cli_child *child);
/* What it says yet: *more if it does. True: it has ended its output. */
bool cli_child_hear(cli_child *child, bool *more);

/* Kills a process that gave a wrong answer. */
void cli_child_kill(cli_child *child);

/*
 * Ends it in good order: closes its input and waits up to `wait_ms`, then
 * kills. False when a process ended with another status than 0.
 */
bool cli_child_stop(cli_child *child, int64_t wait_ms);

#endif
