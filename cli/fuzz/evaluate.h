/*
 * Evaluating an input: a planner is asked, its answer is judged and compared
 * with the second answer (oracle/answer.h); a document is judged as it is. All
 * that is found is in one list, whoever found it.
 */
#ifndef CLI_FUZZ_EVALUATE_H
#define CLI_FUZZ_EVALUATE_H

#include "../case.h"
#include "../process.h"
#include "oracle/judge.h"

typedef struct cli_question {
    const char *ask;   /* "score", "ir", "dump"; NULL: the text is judged */
    cli_span text;     /* UTF-8 where it is asked: lines are JSON */
    cli_span options;  /* of the request, a JSON object; or empty */
    cli_span expected; /* what is known of the answer (answer.h); or empty */
    const char *rules; /* of the judge; NULL: the document's own */
    const char *goal;  /* the only rule that matters, or NULL */
    bool csv;          /* judged as a memory plan in CSV, whatever it is */
    bool score;        /* ... as a Score */
} cli_question;

/*
 * What was found. Zero-initialise; each evaluation replaces the one before,
 * cli_evaluation_free frees the last. Texts live as long.
 */
typedef struct cli_evaluation {
    cli_verdict verdict; /* refused: by the planner, or by the judge */
    oracle_judgement judgement;
    oracle_judgement beside; /* of the input itself, where it was asked for */
    bool refused;            /* by the planner, with an error */
    cli_text code;           /* of that error, "doc.syntax"; else empty */
    cli_text message;        /* of it, or how a planner ended */
    cli_text notes;  /* codes that stand beside a bundle, a NUL behind each */
    char digest[65]; /* SHA-256 of the input */
    const char *generated; /* of the judge's options, for signatures */
    uint32_t each;         /* of those, too */
    oracle_judgement own;  /* beside those: diff.*, planner.* */
    char said[160];        /* last words of a planner that failed, or "" */
    bool failed;           /* memory ran out */
} cli_evaluation;

void cli_evaluation_free(cli_evaluation *e);

/*
 * Judges the text of a question that was asked, too: a Score may have what its
 * plan has not.
 */
void cli_evaluation_beside(cli_evaluation *e, const cli_question *question);

/*
 * All findings: those of the judge first, in its order, then the others. The
 * error with which a planner refuses an input is none; it is in `code`.
 */
size_t cli_evaluation_count(const cli_evaluation *e);
const oracle_finding *cli_evaluation_at(const cli_evaluation *e, size_t i);

/*
 * What a planner is called in signatures: our own, or its command with the
 * last parts of paths only, so that it is the same on any machine.
 */
#define CLI_PLANNER_NAME 64
void cli_planner_name(char name[CLI_PLANNER_NAME], const char *command);

/* Adds an error that the judge does not know; all is copied. */
void cli_evaluation_add(cli_evaluation *e, const char *rule, const char *cause,
                        const char *message);

/* The same of what is about something: told apart by it, too (oracle/answer.h).
 */
void cli_evaluation_add_about(cli_evaluation *e, const char *rule,
                              const char *cause, const char *about,
                              const char *message);

/* Marks the differences of the answer and what follows from them (answer.h). */
void cli_evaluation_mark(cli_evaluation *e, char mark);

/* True when the error code, a note or a finding is of that rule. */
bool cli_evaluation_has(const cli_evaluation *e, const char *rule);

/* --- One after the other, with a planner of its own --- */

typedef struct cli_evaluator cli_evaluator;

/*
 * `spec` outlives it: the planner, its time and its memory. NULL: out of
 * memory. The planner is started when it is needed, and again when it died.
 */
cli_evaluator *cli_evaluator_new(const cli_child_spec *spec);
void cli_evaluator_free(cli_evaluator *evaluator);

/*
 * Asks, judges, compares. Always the same for the same question: a death of
 * the planner counts only when a fresh process dies of it alone. False: out of
 * memory or of processes; `e->message` says what.
 */
bool cli_evaluate(cli_evaluation *e, cli_evaluator *evaluator,
                  const cli_question *question);

#endif
