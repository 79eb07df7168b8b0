/* Replaying what was just judged: for the judge's process and for fuzz. */
#ifndef CLI_REPLAY_JUDGED_H
#define CLI_REPLAY_JUDGED_H

#include "bridge.h"
#include "oracle/judge.h"

/* As `run` and `fuzz` do: small graphs in the adversarial set, others in so
   many random orders. */
cli_replaying cli_replay_quick(int64_t seeds, const char *digest,
                               bool generated);

/*
 * The same document, derived. What has no tasks, or two tasks of one id, or is
 * a record that the judge has joined with its plan (`joined`), is not replayed.
 */
void cli_replay_judged(cli_replayed *out, const oracle_document *derived,
                       const oracle_judgement *judgement, bool joined,
                       const cli_replaying *how);

/* The same from the text; reads and derives it. Of what cannot be read
   nothing is replayed. */
void cli_replay_text(cli_replayed *out, cli_span text,
                     const oracle_read_options *reading, int64_t capacity,
                     const oracle_judgement *judgement,
                     const cli_replaying *how);

/*
 * Beside a record in a bundle may be its plan, from which the judge takes the
 * accesses: that document nobody else can read.
 */
bool cli_is_joined(const oracle_document *document, cli_span text);

#endif
