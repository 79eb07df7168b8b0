/* What the parts of the comparison share. */
#ifndef CLI_CONFORM_CASE_H
#define CLI_CONFORM_CASE_H

#include "sonata/handle.h"
#include "sonata/ir.h"
#include "sonata/memory.h"
#include "text.h"

/* A case, and what more than one field needs of our own answers. */
typedef struct conform_case {
    const sonata_doc *doc;
    const sonata_node *root;
    cli_text *out;
    bool has_fields; /* one was put out */

    bool has_score; /* the case has one: its status follows */
    sonata_status score_status;
    sonata_error score_error;
    sonata_score score;
    sonata_status liveness_status;
    sonata_error liveness_error;
    sonata_liveness liveness;

    bool has_program;
    sonata_status program_status;
    sonata_error program_error;
    sonata_program *program;
} conform_case;

/* What we answer: a JSON text, or an error. */
typedef struct conform_answer {
    sonata_status status;
    sonata_error error;
    bool is_refusal; /* the error is one of the rules, no difference */
    cli_text text;
} conform_answer;

/* Makes an answer; `expected` is what the other one says. */
typedef void (*conform_maker)(conform_case *c, conform_answer *a,
                              const sonata_node *expected);

/* The maker of a field of Scores, or NULL. */
conform_maker conform_find_maker(sonata_text field);

/* Eligibility of the program: by a policy or, without one, by regions. */
void conform_answer_program(conform_case *c, conform_answer *a,
                            const char *policy, bool certified);
void conform_answer_regions(conform_case *c, conform_answer *a);

/* The member of the case's root, or NULL. */
const sonata_node *conform_get(const conform_case *c, const char *name);

/*
 * Adds to `out` where `got` differs first from `expected`, both JSON texts:
 * "[3].name: expected "a", got "b"". False: out of memory.
 */
bool conform_describe(cli_text *out, const char *expected, const char *got,
                      size_t got_length);

#endif
