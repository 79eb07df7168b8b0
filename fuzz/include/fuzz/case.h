/*
 * Cases of the fuzzer: inputs made from a name (seed, stream, index), with what
 * is known of them by construction. docs/fuzz.md is the design.
 *
 * Building a case never looks at execution: nothing here asks the planner, the
 * oracle or a twin. What is known is known since the case was built so.
 */
#ifndef FUZZ_CASE_H
#define FUZZ_CASE_H

#include "fuzz/random.h"
#include "fuzz/text.h"

/* The number is the stream of a name, and stays what it is for ever. */
typedef enum fuzz_kind {
    FUZZ_SCORE,  /* planned: any Score, right or wrong by spec 01 */
    FUZZ_IR,     /* planned: a program in the JSON form of the IR */
    FUZZ_MEMORY, /* planned: a Score with sizes, for its memory plan */
    FUZZ_GRAPH,  /* judged: a task graph, alone */
    FUZZ_BUNDLE, /* judged: documents that belong together */
    FUZZ_RECORD, /* judged: the record of a run, or a memory plan as CSV */
    FUZZ_KINDS
} fuzz_kind;

const char *fuzz_kind_name(fuzz_kind kind); /* "score", ...: static */

#define FUZZ_EXPECTS 4

typedef struct fuzz_limits {
    uint32_t tasks; /* the largest case; 2 to 65,536 */
} fuzz_limits;

/*
 * Zero-initialise; filled again and again, freed with fuzz_case_free. Texts
 * without expectations are right by construction: the planner accepts them and
 * the judge has no error for what comes of them.
 */
typedef struct fuzz_case {
    fuzz_name name;
    const char *shape; /* static: "chain", "reduction-tree", ... */
    const char *fault; /* static: what was broken on purpose, or NULL */
    uint32_t tasks;    /* 0 where a broken text has no such number */
    /*
     * Of planned kinds the `input` of a request to the planner, whose kind is
     * `ask` ("score" or "ir"), else what the judge gets, and `ask` is NULL.
     */
    const char *ask;
    fuzz_text input;
    fuzz_text options; /* JSON object: of the request */
    /*
     * FUZZ_IR: what the planner must make of it, canonical and compact: its
     * Score, or its eligibility result; empty where the text is refused.
     */
    fuzz_text expected;
    /*
     * Rules that must be told, all of them; static text. Told is what the judge
     * finds, or what is the code of the planner's error or of one of its notes
     * (it may leave out what is wrong and say so).
     */
    const char *expects[FUZZ_EXPECTS];
    uint32_t expect_count;
    /*
     * A fault of which it is not known whether it does harm (as extra or lost
     * edges at random): nothing is expected, and an error is no false alarm.
     */
    bool open;
    /*
     * The second of a pair: the case of the index before is told with it, and
     * both have one fingerprint. Expected of both together is score.identity,
     * or, where that is no rule in `expects`, that it is not told.
     */
    bool second;
    struct fuzz_model *model; /* of the makers, kept for the next case */
    struct fuzz_arena *work;
} fuzz_case;

void fuzz_case_free(fuzz_case *c);

typedef enum fuzz_status {
    FUZZ_OK = 0,
    FUZZ_NO_MEMORY,
    FUZZ_NO_SUCH /* the stream is none, or a relation does not apply */
} fuzz_status;

/* The case of a name. The same bytes for ever. O(size of the case). */
fuzz_status fuzz_case_make(fuzz_case *c, const fuzz_name *name,
                           const fuzz_limits *limits);

#endif
