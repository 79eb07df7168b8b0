/* The options of a request to a planner (docs/formats.md). */
#ifndef FUZZ_REQUEST_H
#define FUZZ_REQUEST_H

#include "model.h"

typedef struct fuzz_request {
    const char *policy, *memory, *profile, *emit; /* NULL: not said */
    bool sizes;                                   /* those of the model */
    bool encodings;
    const char *more; /* another member of the sizes, as JSON, or NULL */
} fuzz_request;

/* What a Score gives, by name, so that none of it is left out unseen. */
#define FUZZ_EMIT_ALL "graph,score,eligibility,handle,hbg,memory"

void fuzz_put_request(fuzz_case *c, const fuzz_model *m,
                      const fuzz_request *request);

/* Sizes of most buffers, all in one of several ways. */
void fuzz_draw_sizes(fuzz_model *m, fuzz_random *random);

#endif
