/*
 * score.identity over the cases of a batch: inputs whose Scores have one
 * fingerprint and whose task graphs mean different things.
 */
#ifndef CLI_IDENTITY_H
#define CLI_IDENTITY_H

#include "batch.h"

typedef struct cli_known {
    char fingerprint[65], meaning[65];
    int64_t number;         /* of the case */
    const cli_found *found; /* of the search, which outlives this */
} cli_known;

typedef struct cli_identities {
    cli_known *items;
    size_t count, capacity;
} cli_identities;

/* Notes what a case is known by, if it is. False: out of memory. */
bool cli_identities_add(cli_identities *identities, const cli_case *c);
void cli_identities_free(cli_identities *identities);

/*
 * Gives `done` a case for each fingerprint with several meanings, in the order
 * of the first input of the second meaning: its file is that input, its one
 * finding names all. `number` is that of the first such case. The two inputs
 * are planned again, to tell what differs. False: out of memory, or `done`
 * gave false.
 */
bool cli_identities_tell(cli_identities *identities, int64_t number,
                         const cli_batch_options *options,
                         bool (*done)(void *context, const cli_case *c),
                         void *context);

/*
 * The same of two inputs that are at hand, in their order: the sentence of the
 * finding, with what first differs in the second from the first (may be empty).
 * Adds nothing where they have not one fingerprint and two meanings. Of their
 * files the name counts.
 */
void cli_identity_tell(cli_text *message, const cli_known pair[2],
                       const char *difference);

#endif
