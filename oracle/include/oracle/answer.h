/*
 * The second answer (spec 06, diff.*): what a planner must answer to a
 * question, worked out here from spec 01 to 05, against what it did answer.
 */
#ifndef ORACLE_ANSWER_H
#define ORACLE_ANSWER_H

#include "oracle/judge.h"

/* What a planner was asked (docs/formats.md, JSON lines of a planner). */
typedef struct oracle_question {
    const char *kind;     /* "score", "ir", "dump" */
    oracle_bytes input;   /* the text that the planner got */
    oracle_bytes options; /* the JSON object of options; may be empty */
    /*
     * What is known of the answer without asking, as a JSON object, or empty:
     * the Score of a program (with the dependencies and metadata of the plan);
     * an eligibility result that is not eligible (spec 01), of which the
     * members that are there are compared; or {"error": {...}} as it stands in
     * an answer, of which code and, where given, path, line, column and offset
     * are compared. A Score as input needs none. Without it the Score that the
     * planner gives for a program is taken for what it should be, and all else
     * is compared with that. Of a program it is then only known whether it is
     * JSON.
     */
    oracle_bytes expected;
} oracle_question;

/*
 * Compares an answer, {"bundle": ...} or {"error": ...} as one JSON object,
 * with what it must be. Gives the findings diff.accept (accepted or refused,
 * with which code, at which place), diff.encoding, diff.fingerprint,
 * diff.validate, diff.order, diff.liveness, diff.memory, diff.tables and
 * diff.graph, at most one for each field of a member. Compared is what the
 * answer has: only a member named in the option `emit` must be there, or a note
 * of severity error tell why not. Where the Score is not what it must be, the
 * other members are compared with the Score that is there, so that one fault
 * gives one finding. Parts that are too large for the plain definitions (memory
 * plans of more than 4,096 sized buffers, 2^20 pairs) are in `undecided`.
 *
 * An answer that is no JSON object with a bundle or an error (with code and
 * message) is ORACLE_SYNTAX: no answer; ORACLE_SCHEMA: options or `expected`
 * are no JSON; then there is nothing to free. ORACLE_NO_MEMORY is the only
 * other failure. Of the options `case_digest` counts (NULL: the digest of the
 * input). Free with oracle_judgement_free. Near-linear, but for the memory
 * plan.
 */
oracle_status oracle_answer_check(oracle_judgement *judgement,
                                  const oracle_question *question,
                                  oracle_bytes answer,
                                  const oracle_judge_options *options);

/*
 * The same, and the judgement of the bundle (oracle_judge_text), from one
 * reading: the findings of the comparison come first. An error that is right
 * is judged clean. Members may lie as deep as the documents that they are of
 * may, so the bundle around them may be deeper than a text.
 */
oracle_status oracle_answer_judge(oracle_judgement *judgement,
                                  const oracle_question *question,
                                  oracle_bytes answer,
                                  const oracle_judge_options *options);

/*
 * The judgement of the bundle alone, without the comparison: what
 * oracle_answer_judge finds of all rules but those of oracle_answer_tells.
 */
oracle_status oracle_answer_bundle(oracle_judgement *judgement,
                                   const oracle_question *question,
                                   oracle_bytes answer,
                                   const oracle_judge_options *options);

/*
 * Whether oracle_answer_check can find the rule, which then no bundle has by
 * itself.
 */
bool oracle_answer_tells(const char *rule);

/*
 * Adds a finding of severity error to a judgement, which may be zeroed: for
 * callers who compare answers themselves or watch a planner (diff.roundtrip,
 * planner.crash, ...). The texts are copied: a rule of oracle_rule_list; the
 * cause, a short word for what differs (of a crash its top three frames of
 * ours, by function, without addresses: "inner < middle < outer"), or NULL;
 * what else tells it from others of that cause, in signatures of generated
 * inputs alone (of what follows from another finding its signature), or NULL;
 * one sentence. Of the options case_digest (or NULL) and generated count. The
 * verdict becomes `findings` unless it is `refused`. ORACLE_NO_MEMORY is the
 * only failure; the judgement is to be freed then, too. O(findings).
 */
oracle_status oracle_finding_make(oracle_judgement *judgement, const char *rule,
                                  const char *cause, const char *about,
                                  const char *message,
                                  const oracle_judge_options *options);

/*
 * Findings of a rule that oracle_answer_tells, and diff.expected, are told
 * apart further than one look at an answer can, by whoever asks again: `mark`
 * becomes the last digit of the signature of finding `i`, in its record, too.
 * ORACLE_NO_MEMORY is the only failure.
 */
bool oracle_answer_marks(const char *rule);
oracle_status oracle_finding_mark(oracle_judgement *judgement, uint32_t i,
                                  char mark);

/* Whether two signatures of a rule are the same but for such a mark. */
bool oracle_signature_same(const char *rule, const char *a, const char *b);

#endif
