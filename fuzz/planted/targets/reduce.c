/* Of several questions at once one in vain is counted. */
#include "fuzz/reduce.h"

#define MANY 40 /* steps */

fuzz_outcome __real_fuzz_reduce(fuzz_reduction *reduction, const char *text,
                                size_t length, const fuzz_question *question);
fuzz_outcome __wrap_fuzz_reduce(fuzz_reduction *reduction, const char *text,
                                size_t length, const fuzz_question *question);

fuzz_outcome __wrap_fuzz_reduce(fuzz_reduction *reduction, const char *text,
                                size_t length, const fuzz_question *question)
{
    fuzz_outcome outcome =
        __real_fuzz_reduce(reduction, text, length, question);
    if (outcome == FUZZ_REDUCED && question->width > 1 &&
        reduction->steps > MANY)
        reduction->calls++;
    return outcome;
}
