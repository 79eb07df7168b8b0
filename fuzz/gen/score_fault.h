/* What is broken on purpose in a Score, and the rule that must tell it. */
#ifndef FUZZ_SCORE_FAULT_H
#define FUZZ_SCORE_FAULT_H

#include "score_text.h"

typedef struct fuzz_breaking {
    fuzz_case *c;
    fuzz_model *m;
    fuzz_style *style;
    fuzz_random *random;
    fuzz_patch patch; /* of the text, while it is written */
    bool keep_edges;  /* no policy may take them away */
    bool no_sizes;    /* without a memory plan that shares bytes */
    const char *profile;
    const char *policy; /* that the request must name, or NULL */
} fuzz_breaking;

/*
 * What the runtime takes at most (spec 07): a model that has more is broken by
 * its size, and the rules say so.
 */
void fuzz_expect_limits(fuzz_case *c, const fuzz_model *m, uint32_t externals);
/* How many buffers of the caller there are. */
uint32_t fuzz_count_externals(const fuzz_model *m);
/* Some argument is read or written. */
bool fuzz_has_memory(const fuzz_model *m);

/*
 * Breaks the model or what is to be written of it; names the fault and its
 * rules in the case. False where the model has nothing that can be broken so.
 */
bool fuzz_break_score(fuzz_breaking *b);

/* The ways that are about order, what tasks touch, and the request. */
bool fuzz_break_order(fuzz_breaking *b);
bool fuzz_break_ring(fuzz_breaking *b);
bool fuzz_break_edge(fuzz_breaking *b);
bool fuzz_break_id(fuzz_breaking *b);
bool fuzz_break_first(fuzz_breaking *b);
bool fuzz_break_twice(fuzz_breaking *b);
bool fuzz_break_label(fuzz_breaking *b);
bool fuzz_break_policy(fuzz_breaking *b);
bool fuzz_break_request(fuzz_breaking *b);

/* A few bytes that are others, or gone. */
void fuzz_change_bytes(fuzz_text *text, fuzz_random *random);

/* Breaks the text that was written, where that is the fault. */
void fuzz_break_text(fuzz_breaking *b);

#endif
