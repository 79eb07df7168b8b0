/* What the bridge keeps while it replays one document. */
#ifndef CLI_REPLAY_BRIDGE_WORK_H
#define CLI_REPLAY_BRIDGE_WORK_H

#include "bridge.h"
#include "tell.h"

/* Records told where no limit is given. */
#define CLI_MOST_TOLD 1000

/* A difference, by ids: indexes are of one execution. */
typedef struct cli_seen_difference {
    int64_t reader, expected, seen;
    uint32_t buffer, arg;
    bool sure;
} cli_seen_difference;

typedef struct cli_bridge {
    cli_replayed *out;
    const oracle_document *document;
    const cli_replaying *how;
    cli_allowed says;             /* of all findings */
    const bool *choices;          /* of the execution that is run */
    replay_pairs pairs;           /* that may be one memory */
    const replay_pairs *together; /* those that are; NULL: none */
    uint64_t work;                /* cells that witnesses have touched */
    int64_t search;               /* left for values of choices and symbols */
    uint64_t unproved; /* witnesses that came behind too much of it */
    uint64_t late;     /* parts that came when the time was over */
    cli_seen_difference told[CLI_MOST_TOLD];
    uint32_t told_count;
    /* What witnesses have shown, told behind what the orders tried here show:
       records, a line each. */
    cli_text held;
    cli_seen_difference held_ids[CLI_MOST_TOLD];
    bool held_errors[CLI_MOST_TOLD];
    uint32_t held_count;
} cli_bridge;

/* Cells touched by all runs of one kind; what needs more is left out. */
#define CLI_MOST_WORK (UINT64_C(1) << 28)

/* Whether more than what comes by default was asked for: it may take long. */
static inline bool cli_bridge_asked(const cli_replaying *how)
{
    return how->adversarial || how->both;
}

static inline bool cli_bridge_stopped(const cli_replaying *how)
{
    return how->stop != NULL && how->stop->over(how->stop->context);
}

/* All of a record but its message and its run. */
cli_told cli_bridge_told(const cli_bridge *b, const char *rule, bool sure,
                         const char *cause);

void cli_bridge_add(cli_replayed *out, const cli_told *told,
                    const replay_program *program, const uint32_t *order,
                    const replay_difference *difference);

/* ", where X and Y are one memory"; nothing where none is. */
void cli_bridge_name_together(cli_text *out, const cli_bridge *b);

/* Keeps a difference that a witness has shown. */
void cli_bridge_hold(cli_bridge *b, const cli_told *told,
                     const replay_program *program, const uint32_t *order,
                     const replay_difference *difference);

/* Text of a member; false: there is none. */
bool cli_bridge_text(cli_text *out, cli_span object, const char *name);

bool cli_bridge_starts(const char *text, const char *start);

/* The witness of an error is run, and what it shows is held. */
void cli_bridge_prove(cli_bridge *b, cli_span record, const char *rule);

#endif
