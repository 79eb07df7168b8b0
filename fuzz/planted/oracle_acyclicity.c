/* The oracle's validation misses cycles of more than eight tasks. */
#include "../../oracle/validate.h"

#include <string.h>

#define LONGEST 8

bool __real_oracle_score_reasons(oracle_reasons *reasons,
                                 const oracle_json *json, uint32_t score,
                                 oracle_arena *arena);
bool __wrap_oracle_score_reasons(oracle_reasons *reasons,
                                 const oracle_json *json, uint32_t score,
                                 oracle_arena *arena);

static bool is_missed(const oracle_reason *reason)
{
    int arrows = 0;
    if (strstr(reason->text, "acyclic") == NULL)
        return false;
    for (const char *at = reason->text; (at = strstr(at, "->")) != NULL; at++)
        arrows++;
    return arrows > LONGEST;
}

bool __wrap_oracle_score_reasons(oracle_reasons *reasons,
                                 const oracle_json *json, uint32_t score,
                                 oracle_arena *arena)
{
    uint32_t kept = 0;
    if (!__real_oracle_score_reasons(reasons, json, score, arena))
        return false;
    for (uint32_t i = 0; i < reasons->count; i++) {
        if (!is_missed(&reasons->list[i]))
            reasons->list[kept++] = reasons->list[i];
    }
    reasons->count = kept;
    return true;
}
