/*
 * The witness of a finding as a run: which execution, in which order, without
 * what (docs/oracle.md, Witnesses). Nothing is believed of it: an order that
 * breaks an edge, a value that a symbol cannot have, is refused.
 */
#ifndef CLI_REPLAY_WITNESS_H
#define CLI_REPLAY_WITNESS_H

#include "../json.h"
#include "replay/run.h"

typedef struct cli_execution {
    bool *choices;    /* by choice of the document; all true where not said */
    int64_t *symbols; /* by symbol; NULL: the witness names none */
} cli_execution;

/*
 * The execution that a witness names. False with a sentence in `problem` when
 * it names none of this document. Free it with cli_execution_free in any case.
 */
bool cli_witness_execution(cli_execution *execution, cli_span witness,
                           const oracle_document *document, char *problem,
                           size_t size);
void cli_execution_free(cli_execution *execution);

/*
 * Fills `order` (task_count indexes) from a list of ids, [first, last],
 * {"until": id} and "rest". False with a sentence when that is no order of all
 * tasks; whether it breaks an edge is asked of replay_order_check. O(tasks +
 * edges, n log n).
 */
bool cli_witness_order(uint32_t *order, cli_span list,
                       const replay_program *program, char *problem,
                       size_t size);

/*
 * Fills `together` from a list of [key, key]. False with a sentence where the
 * document does not have it that these buffers may be one memory.
 */
bool cli_witness_together(replay_pairs *together, cli_span list,
                          const oracle_document *document, char *problem,
                          size_t size);

/*
 * Sets `without` (access_count) of what the witness leaves out: accesses that
 * need not happen, by [task, argument] or between two tasks.
 */
bool cli_witness_without(bool *without, cli_span list,
                         const replay_program *program, char *problem,
                         size_t size);

#endif
