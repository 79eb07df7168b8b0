/* The steps of several programs count together. */
#include "../../../cli/frontend/outline.h"

#define MOST 100000

bool __real_frontend_spend(frontend_outline *outline, uint64_t n);
bool __wrap_frontend_spend(frontend_outline *outline, uint64_t n);

bool __wrap_frontend_spend(frontend_outline *outline, uint64_t n)
{
    static uint64_t spent;
    spent += n;
    if (spent < MOST)
        return __real_frontend_spend(outline, n);
    spent = 0;
    return false;
}
