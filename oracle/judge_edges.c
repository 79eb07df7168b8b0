/* The rules on edges: what they share is made once. */
#include "judge_edges.h"

bool oracle_edges_left(oracle_edges *edges, const char *text)
{
    return oracle_judging_assume(edges->judging, text);
}

bool oracle_judge_edges(oracle_judging *judging)
{
    const oracle_document *d = judging->document;
    oracle_edges e = {.judging = judging, .d = d};
    /* What a run has recorded is nobody's to change. */
    if (d->ambiguous || d->run != NULL || d->task_count == 0) {
        return true;
    }
    e.arena = oracle_arena_create();
    bool ok = e.arena != NULL && oracle_joins_build(&e.joins, d, e.arena) &&
              oracle_shares_start(&e.shares, d, judging->memory, e.arena) &&
              oracle_judge_false(&e) && oracle_judge_fans(&e) &&
              oracle_judge_labels(&e) && oracle_judge_redundant(&e);
    oracle_arena_free(e.arena);
    return ok;
}
