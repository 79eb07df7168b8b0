/*
 * The reducer: the smallest text for which a question still has the same
 * answer. It knows forms of texts (JSON, dumps, anything else), the members of
 * our documents that belong together, and nothing of what they mean; no step
 * is random, so the same text and answers give the same result.
 * docs/fuzz.md (Reduction) lists the steps.
 */
#ifndef FUZZ_REDUCE_H
#define FUZZ_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fuzz_form {
    FUZZ_FORM_JSON,  /* brackets that match, whatever stands between them */
    FUZZ_FORM_CODE,  /* statements by indentation, brackets that match */
    FUZZ_FORM_PLAIN, /* anything: lines, words, characters */
    FUZZ_FORMS
} fuzz_form;

/* As what a text is reduced; never fails, O(length). */
fuzz_form fuzz_form_of(const char *text, size_t length);
const char *fuzz_form_name(fuzz_form form); /* "json", ...: static */

/*
 * Tasks that a text lists: rows of "tasks" with an id of their own, each id
 * once. 0 for what is no JSON, or when memory ran out.
 */
uint64_t fuzz_count_tasks(const char *text, size_t length);

typedef struct fuzz_piece {
    const char *data; /* NUL behind it */
    size_t length;
} fuzz_piece;

typedef enum fuzz_answer {
    FUZZ_NO,    /* the text has lost what it is kept for */
    FUZZ_YES,   /* it still has it */
    FUZZ_FAILED /* nothing more can be asked: the reduction ends */
} fuzz_answer;

typedef struct fuzz_question {
    /*
     * Answers `count` texts, 1 to `width`: each from its bytes alone. With
     * more than one at once some answers are not used: who answers them in
     * parallel wins time, and the result does not depend on it.
     */
    void (*ask)(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers);
    /*
     * The fingerprint of a Score, as 64 hex digits; false: it has none. Where
     * a text has it in another place, it is made anew with each change of the
     * Score. NULL: those stay as they are.
     */
    bool (*fingerprint)(char hex[65], const char *score, size_t length);
    /* Looked at before each question: true ends the reduction. Or NULL. */
    bool (*enough)(void *context);
    void *context;
    size_t width;   /* 0: 1; at most 256 */
    uint64_t calls; /* the most questions; 0: any number */
} fuzz_question;

typedef enum fuzz_outcome {
    FUZZ_REDUCED,          /* what `minimal` says */
    FUZZ_REDUCE_NOT_ASKED, /* the text itself has not what is asked for */
    FUZZ_REDUCE_FAILED,    /* an answer was FUZZ_FAILED */
    FUZZ_REDUCE_NO_MEMORY
} fuzz_outcome;

typedef struct fuzz_reduction {
    char *text; /* from malloc, NUL behind it; NULL unless FUZZ_REDUCED */
    size_t length;
    bool minimal;   /* no single step keeps the answer: else it was ended */
    uint64_t steps; /* that were taken */
    uint64_t calls; /* questions, those not used left out */
} fuzz_reduction;

/*
 * Reduces a text for which the answer is FUZZ_YES. Each step makes it shorter,
 * or keeps its length and puts a smaller byte first where it differs (digests
 * that are made anew left out). Questions are few for what is removed in large
 * pieces, and about as many as the result has parts for showing that it is
 * minimal; each costs O(length) here. Free reduction->text with free().
 */
fuzz_outcome fuzz_reduce(fuzz_reduction *reduction, const char *text,
                         size_t length, const fuzz_question *question);

/*
 * Whether a text is 1-minimal: it has what is asked for, and after no single
 * step of any kind it still has it. FUZZ_REDUCED with reduction->minimal, or
 * why that is not known; reduction->text is the first smaller text found, or
 * NULL. With the limits of `question` the answer "minimal" is only given when
 * every step was tried.
 */
fuzz_outcome fuzz_reduce_check(fuzz_reduction *reduction, const char *text,
                               size_t length, const fuzz_question *question);

#endif
