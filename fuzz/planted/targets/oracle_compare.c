/* Long texts are never the same. */
#include "../../../oracle/compare.h"

#define LONG 24 /* bytes */

bool __real_oracle_compare_same_text(const oracle_text *a,
                                     const oracle_text *b);
bool __wrap_oracle_compare_same_text(const oracle_text *a,
                                     const oracle_text *b);

bool __wrap_oracle_compare_same_text(const oracle_text *a, const oracle_text *b)
{
    return a->length < LONG && __real_oracle_compare_same_text(a, b);
}
