/* What the gate tells: diffs for people, records for programs. */
#ifndef CLI_GATE_PRINT_H
#define CLI_GATE_PRINT_H

#include "golden.h"

typedef enum cli_gate_state {
    CLI_GATE_SAME,
    CLI_GATE_CHANGED,
    CLI_GATE_NEW,
    CLI_GATE_ORPHAN,
    CLI_GATE_MISSING,
    CLI_GATE_STATES
} cli_gate_state;

typedef struct cli_gate_entry {
    cli_gate_state state;
    const char *name;         /* of the case; NULL: of an orphan */
    const char *file;         /* path of the golden file */
    const char *sha256;       /* of the input, or NULL */
    const cli_golden *golden; /* with the differences, or NULL */
    const char *today;
} cli_gate_entry;

/* "gate.changed"; NULL for what is the same. */
const char *cli_gate_rule(cli_gate_state state);

/* The first stage with a difference that fails; CLI_STAGES: none does. */
cli_stage cli_gate_first_stage(const cli_gate_entry *e);

/* The finding record of spec 06; nothing for what is the same. */
void cli_gate_put_json(cli_text *out, const cli_gate_entry *e);

/*
 * For people: a diff by stages, or (`why`) of the first stage alone with what
 * else changed behind it; and what is to be said of expected failures.
 */
void cli_gate_put_text(cli_text *out, const cli_gate_entry *e, bool why,
                       bool color);

#endif
