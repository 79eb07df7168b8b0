/* What every maker of judged inputs promises, asked of the judge. */
#ifndef FUZZ_TESTS_JUDGED_H
#define FUZZ_TESTS_JUDGED_H

#include "fuzz/case.h"
#include "oracle/judge.h"

#define JUDGED_FAULTS 400

/* What was found in the cases of a kind. */
typedef struct judged {
    uint64_t cases, valid, wrong; /* wrong: a case that broke its promise */
    uint32_t median;              /* of the tasks, where there are any */
    struct {
        const char *name;
        uint64_t count;
    } faults[JUDGED_FAULTS], rules[JUDGED_FAULTS];
} judged;

/* Judges cases 0 to count - 1; the first few wrong ones are told on stderr. */
void judge_cases(judged *all, uint32_t kind, uint64_t seed, uint64_t count);

/* Judges the text of a case with its options. */
void judge_case(oracle_judgement *judgement, const fuzz_case *c);

bool judgement_has(const oracle_judgement *judgement, const char *rule);

uint64_t judged_rule(const judged *all, const char *rule);

/* Fails with the name of the first of `rules` that no case has. */
void check_rules(const judged *all, const char *const *rules, size_t count);

/* Twice the same bytes, also behind other cases: count names. `digest` is that
   of all their bytes, and the same for every compiler; a change to the
   generator changes it on purpose. */
void check_same_bytes(uint32_t kind, uint64_t count, const char *digest);

#endif
