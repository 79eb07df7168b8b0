/*
 * A process that is spoken with through pipes: starting, watching and ending
 * it. What is said through the pipes is for cli/child.h (one request at a
 * time) and cli/fuzz/pipe.h (many under way).
 */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct cli_child_spec {
    const char *command; /* for /bin/sh; NULL: this program as a server */
    bool judge;          /* of this program: `serve --judge` */
    bool fuzz;           /* of this program: `serve --fuzz` */
    bool phases;         /* of this program: with `--phases` */
    int64_t timeout_ms;  /* per request */
    int64_t memory;      /* bytes resident */
} cli_child_spec;

typedef enum cli_event {
    CLI_NOTHING,
    CLI_ANSWER,  /* there is an answer */
    CLI_CRASH,   /* the process ended; a sentence says how */
    CLI_TIMEOUT, /* these three: it was killed */
    CLI_MEMORY,
    CLI_PROTOCOL
} cli_event;

typedef struct cli_process {
    pid_t pid; /* 0: none runs */
    int to;    /* these three: -1 where there is none; none of them waits */
    int from;
    int errors; /* its standard error, when that was asked for */
} cli_process;

void cli_process_init(cli_process *process);

/* False with errno when it cannot be started. The kernel ends it with us. */
bool cli_process_start(cli_process *process, const cli_child_spec *spec,
                       bool errors);

/*
 * A second net beside the wall clock, should this process be stopped: far
 * more than a request may use, also on several cores.
 */
void cli_process_limit(const cli_process *process, int64_t timeout_ms);

/* Bytes resident, with all that it has started; 0: not known. */
int64_t cli_process_resident(const cli_process *process);

/* Ends it and all that it started. No effect where none runs. */
void cli_process_kill(cli_process *process);

/*
 * Its output is closed or its input broken: it is dead or as good as. Says
 * how it ended; CLI_CRASH, or CLI_TIMEOUT when it used up its time.
 */
cli_event cli_process_bury(cli_process *process, char *problem, size_t size);

/* Closes its input. */
void cli_process_hang_up(cli_process *process);

/*
 * Ends it in good order: closes its input and waits up to `wait_ms`, then
 * kills. False when it ended with another status than 0.
 */
bool cli_process_stop(cli_process *process, const cli_child_spec *spec,
                      int64_t wait_ms);

/*
 * Whether the shell finds a command and may run it: it is started without any
 * input. False with a sentence of the shell, or "". Waits for its end, at most
 * a few seconds.
 */
bool cli_process_can_run(const char *command, char *problem, size_t size);

/* Milliseconds of a clock that only goes forward. */
int64_t cli_now(void);

#endif
