/*
 * The answers of the project's own corpus, as corpus/README.md derives them:
 * every finding of every program, under both rule sets.
 */
#ifndef CLI_TESTS_CORPUS_ANSWERS_H
#define CLI_TESTS_CORPUS_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One end of a pair; name NULL: there is none. arg -1: no argument. */
typedef struct corpus_end {
    const char *name;
    int line;
    int arg;
} corpus_end;

typedef struct corpus_answer {
    const char *program; /* relative to corpus/programs */
    const char *rule;
    const char *severity;
    const char *cause; /* NULL: none */
    corpus_end producer, consumer;
    const char *key; /* NULL: no storage */
    int64_t begin, end;
    bool any_bytes;    /* those of a bound, or of values that nobody knows */
    int times;         /* of one site; 0 is once */
    bool conservative; /* found under that rule set too */
} corpus_answer;

extern const corpus_answer corpus_answers[];
extern const size_t corpus_answer_count;

/* Every program that can be planned, whether it has findings or not. */
extern const char *const corpus_programs[];
extern const size_t corpus_program_count;

/* Those that are undecided without a finding: a part is planned around. */
extern const char *const corpus_undecided[];
extern const size_t corpus_undecided_count;

#endif
