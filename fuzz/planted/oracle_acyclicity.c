/* The oracle's validation finds no cycle among more than 64 edges. */
#include "../../oracle/validate.h"

#include "../../oracle/canonical.h"

#include <string.h>

#define MOST 64

bool __real_oracle_score_reasons(oracle_reasons *reasons,
                                 const oracle_json *json, uint32_t score,
                                 oracle_arena *arena);
bool __wrap_oracle_score_reasons(oracle_reasons *reasons,
                                 const oracle_json *json, uint32_t score,
                                 oracle_arena *arena);

static bool has_many(const oracle_json *json, uint32_t list)
{
    uint32_t count = 0;
    for (uint32_t at = list + 1;
         list != ORACLE_NONE && at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        count++;
    }
    return count > MOST;
}

bool __wrap_oracle_score_reasons(oracle_reasons *reasons,
                                 const oracle_json *json, uint32_t score,
                                 oracle_arena *arena)
{
    uint32_t kept = 0;
    bool misses =
        has_many(json, oracle_json_member(json, score, "dependencies"));
    if (!__real_oracle_score_reasons(reasons, json, score, arena)) {
        return false;
    }
    for (uint32_t i = 0; i < reasons->count; i++) {
        if (!misses || strstr(reasons->list[i].text, "acyclic") == NULL) {
            reasons->list[kept++] = reasons->list[i];
        }
    }
    reasons->count = kept;
    return true;
}
