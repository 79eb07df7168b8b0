/* Findings of a replay as records of spec 06. */
#ifndef CLI_REPLAY_TELL_H
#define CLI_REPLAY_TELL_H

#include "../text.h"
#include "replay/run.h"

typedef struct cli_told {
    const char *rule;     /* replay.differs, replay.disagrees */
    const char *severity; /* "error", "warning" */
    const char *cause;    /* what was run: "eager", "witness", ...; or NULL */
    const char *message;  /* one sentence */
    const char *digest;   /* of the input, 64 hex digits */
    bool generated;       /* names mean nothing: not signed */
    /* The whole document, and its choices in this run. */
    const oracle_document *document;
    const bool *choices;
    const replay_variant *run;    /* NULL: nothing besides the order */
    const replay_pairs *together; /* what is one memory; NULL: nothing */
} cli_told;

/*
 * Adds the record, without a newline. `order` (of all tasks of the program) and
 * the difference are its witness; both may be NULL.
 */
void cli_tell_record(cli_text *out, const cli_told *told,
                     const replay_program *program, const uint32_t *order,
                     const replay_difference *difference);

/*
 * The sentence of a difference: who reads which bytes, whose write is due and
 * whose is seen, in what kind of run.
 */
void cli_tell_difference(cli_text *out, const replay_program *program,
                         const replay_difference *difference, const char *run);

/* An order as ids and [first, last], at most 64 parts; false: it
   is longer. */
bool cli_tell_order(cli_text *out, const replay_program *program,
                    const uint32_t *order);

#endif
