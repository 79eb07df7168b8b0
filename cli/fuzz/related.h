/* Whether a case and a related one (fuzz/related.h) were judged alike. */
#ifndef CLI_FUZZ_RELATED_H
#define CLI_FUZZ_RELATED_H

#include "../json.h"
#include "fuzz/related.h"
#include "oracle/judge.h"

/*
 * Compares rule, severity, cause, both ends, key and bytes of the findings that
 * the relation keeps (docs/fuzz.md), whatever their order: those of `related`
 * with tasks and keys mapped back. False: they differ, and `difference` says
 * in one sentence in what first. Judgements whose findings were not all listed
 * are compared in their verdicts alone. O(findings x log findings).
 */
bool cli_related_agree(cli_text *difference, const oracle_judgement *original,
                       const oracle_judgement *related, const fuzz_map *map,
                       fuzz_relation relation);

/*
 * The same of two answers of a planner (docs/formats.md): refused with which
 * code, or notes with which codes, the edges of the Score and of the plan of
 * host_build_graph, and the places in memory. `places`: those, too.
 */
bool cli_related_answers(cli_text *difference, cli_span original,
                         cli_span related, const fuzz_map *map,
                         fuzz_relation relation, bool places);

#endif
