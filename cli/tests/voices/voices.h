/*
 * Three voices about one small plan, who share no line of how they answer: the
 * twin (oracle/tests/twin.h) goes through every order of every execution, the
 * judge looks for pairs without order, the simulator runs 2n schedules. What
 * one of them says that another one excludes is a contradiction
 * (docs/replay.md, "Three voices").
 */
#ifndef CLI_TESTS_VOICES_H
#define CLI_TESTS_VOICES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct voices {
    uint64_t plans;
    /* How they were made: right by construction, broken with a rule that must
       be told, changed in a way of which nothing is known. */
    uint64_t right, broken, open;
    /* What has been said of the plans whose order has no cycle. */
    uint64_t twin_wrong, judge_wrong, replay_wrong;
    uint64_t external;   /* an error that no order shows: memory.external */
    uint64_t cyclic;     /* all three say so */
    uint64_t undecided;  /* by the judge: neither clean nor wrong */
    uint64_t bounds;     /* not all is known of what accesses touch */
    uint64_t executions; /* choices, values of symbols, what bounds touch */
    uint64_t runs;       /* of the simulator */
    uint64_t witnesses;  /* run by the twin and by the simulator */
    /* Plans that have it. */
    uint64_t reuse, overlaps, partial, strided, predicates, mix, choices,
        optional, aliases, symbols, accumulations, derived;
    uint64_t united, united_wrong; /* ways in which buffers are one memory */
    uint64_t much; /* regions, predicates and shared addresses together */
    uint64_t contradictions;
} voices;

/*
 * Asks about plans `from` to `to` - 1 of a seed. The first contradictions are
 * told on stderr, each with the name of its plan and the three answers.
 */
void voices_ask(voices *all, uint64_t seed, uint64_t from, uint64_t to);

/* A table of what has been counted, on stdout. */
void voices_print(const voices *all);

#endif
