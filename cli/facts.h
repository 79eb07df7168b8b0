/*
 * The facts of a case: what a golden file holds of an answer, a line each, in
 * the order in which the answer comes about. docs/formats.md lists them.
 */
#ifndef CLI_FACTS_H
#define CLI_FACTS_H

#include "case.h"

/* Where a fact comes from, first things first. */
typedef enum cli_stage {
    CLI_STAGE_FORMAT,
    CLI_STAGE_INPUT,
    CLI_STAGE_READING,
    CLI_STAGE_ELIGIBILITY,
    CLI_STAGE_SCORE,
    CLI_STAGE_MEMORY,
    CLI_STAGE_DOCUMENTS,
    CLI_STAGE_EDGES,
    CLI_STAGE_JUDGEMENT,
    CLI_STAGE_UNKNOWN,
    CLI_STAGES
} cli_stage;

/* "edges", and what that is: static text. */
const char *cli_stage_name(cli_stage stage);
const char *cli_stage_meaning(cli_stage stage);

/* A line of facts; borrowed from the text that holds it. */
typedef struct cli_fact {
    const char *text; /* without its newline */
    size_t length;
    size_t key; /* length of what names the fact; the rest is its value */
    cli_stage stage;
} cli_fact;

/* The stage and the key of a line. */
cli_fact cli_fact_of(const char *text, size_t length);

/* True when `prefix` is whole words at the start of the fact. */
bool cli_fact_starts(const cli_fact *fact, const char *prefix, size_t length);

/* Adds the facts of a case that is done. O(bundle + findings). */
void cli_facts_put(cli_text *out, const cli_case *c);

/*
 * Adds a word: bytes that are no printing ASCII, blanks and '%' as "%xx"; "-"
 * for none. What differs stays different.
 */
void cli_facts_put_word(cli_text *out, const char *data, size_t length);

#endif
