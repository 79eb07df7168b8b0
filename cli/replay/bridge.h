/*
 * The bridge between a judgement and the simulator: the witness of every error
 * is run and has to show other bytes; every verdict without an error has to
 * survive all schedules that are tried (docs/replay.md, "What is compared").
 */
#ifndef CLI_REPLAY_BRIDGE_H
#define CLI_REPLAY_BRIDGE_H

#include "../json.h"
#include "../options.h"
#include "replay/run.h"

typedef struct cli_replaying {
    bool adversarial; /* every graph; else those of at most `small` tasks */
    uint32_t small;
    uint64_t seeds; /* random orders of the others */
    bool both;      /* ... and of those too */
    uint64_t seed;
    uint32_t limit; /* records told; 0: 1,000 */
    bool differs;   /* tell what differs, too; else what disagrees alone */
    bool partial;   /* the judge has left something undecided */
    bool other;     /* an error says that this is not what was judged: it may go
                       wrong in any way, and contradicts nothing */
    const char *digest;      /* of the input, 64 hex digits */
    bool generated;          /* names mean nothing */
    const replay_stop *stop; /* NULL: it may take as long as it takes */
} cli_replaying;

/* A time in milliseconds of the machine's clock; zero-initialise for never. */
typedef struct cli_deadline {
    replay_stop stop; /* the context is the deadline */
    int64_t end;
    bool over;
} cli_deadline;

/* Begins `ms` from now; 0: never. *deadline must stay where it is. */
void cli_deadline_begin(cli_deadline *deadline, int64_t ms);

/* Whether no execution has these values of the choices together. */
bool cli_replay_is_excluded(const oracle_document *document,
                            const bool *choices);

/* Values that sizes are drawn to, where none are found otherwise. */
#define CLI_REPLAY_SAMPLES 12

/*
 * The program of one execution: as many choices true as go together, symbols at
 * their least values; where none are found so, with sizes drawn; then the same
 * with as many choices false. `choices` has
 * room for those of the document, or is NULL.
 */
replay_status cli_replay_program(replay_program *program,
                                 const oracle_document *derived,
                                 const replay_choice *how, bool *choices,
                                 replay_error *error);

/* What the findings of a judgement let a run show. */
typedef struct cli_allowed {
    bool wrong;      /* an error says that bytes can be wrong */
    bool unrunnable; /* an error says that it cannot run */
    bool open;       /* a doubt about bytes, order or what is not there */
} cli_allowed;

/* Of records of spec 06. False: memory ran out. */
bool cli_replay_allowed(cli_allowed *allowed, const cli_span *records,
                        size_t count);

/* What `run` and `fuzz` do where nothing else is asked for. */
#define CLI_REPLAY_SMALL 64
#define CLI_REPLAY_SEEDS 2

/* --replay N of these. */
static inline int64_t cli_replay_seeds(const cli_options *options)
{
    return options->replay < 0 ? CLI_REPLAY_SEEDS : options->replay;
}

/* Zero-initialise; free with cli_replayed_free. */
typedef struct cli_replayed {
    cli_text records; /* findings, a line each */
    uint32_t count, errors;
    uint64_t unlisted;         /* differences beyond the limit */
    uint64_t runs, programs;   /* orders, executions tried */
    uint64_t witnesses, shown; /* of errors; those that showed other bytes */
    uint64_t left_out;         /* parts that were not replayed: */
    cli_text undecided;        /* what was not replayed: JSON strings, commas */
    const char *late;          /* time or memory ran out: which; or NULL */
    bool failed;               /* out of memory */
} cli_replayed;

/*
 * Replays a derived document, of which `records` (spec 06) were found.
 * Executions: those that witnesses name; all choices true as far as they go
 * together, all false, each alone turned over and the others with it where they
 * must; symbols at the least values that they may have.
 */
void cli_replay_document(cli_replayed *out, const oracle_document *derived,
                         const cli_span *records, size_t count,
                         const cli_replaying *how);
void cli_replayed_free(cli_replayed *replayed);

/* A part that was not replayed, or came to nothing, as a sentence. */
void cli_replayed_leave_out(cli_replayed *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Runs the orders of witnesses: of each line of `text` that is an object with
 * an `order`, or with a `witness` that has one, or of all of it as one object.
 * What differs is told as replay.differs. False with a sentence when there is
 * none, or at the first that is no legal order of this document.
 */
bool cli_replay_witness(cli_replayed *out, const oracle_document *derived,
                        cli_span text, const cli_replaying *how, char *problem,
                        size_t size);

#endif
