/*
 * What belongs to the record of a run: the trace that lies beside it (and the
 * record beside a trace), and the plan of its program. They go to the judge as
 * one bundle, each file as its text, so that each keeps its places.
 */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "batch.h"

#define CLI_RECORD_FILE "deps.json"
#define CLI_TRACE_FILE "chip_swimlane_records.json"

/*
 * Adds the bundle, without line ends: the record as its text, its trace and its
 * plan (a document for the role "graph" or "score") where they are not NULL.
 */
void cli_recorded_bundle(cli_text *out, const cli_text *record,
                         const cli_text *trace, const char *role,
                         cli_span plan);

/* Each of these returns false only when memory ran out. */

/*
 * Reads what lies beside a case of kind record or trace, or is named in the
 * options, and sets its state: a plan that is a program is planned first.
 */
bool cli_recorded_gather(cli_case *c, const cli_batch_options *options);
/* The planner's bundle of the plan, or why there is none. */
bool cli_recorded_take_plan(cli_case *c, cli_span bundle);
bool cli_recorded_without_plan(cli_case *c, const char *why);
/* After the judgement: what could not be held against the record is open. */
bool cli_recorded_finish(cli_case *c);

/* The record that belongs to a trace; the caller frees it. NULL: no memory. */
char *cli_recorded_path(const char *trace_path);

/* Whether a trace lies beside its record, which is judged with it. */
bool cli_recorded_is_beside(const char *trace_path);

#endif
