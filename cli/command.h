/* The command: its verbs. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "batch.h"
#include "options.h"
#include "reports/store.h"

/* Runs the command; returns its exit status. */
int cli_main(int argc, char *const *argv);

/* Each verb returns the exit status. */
int cli_verb_plan(const cli_options *options);
int cli_verb_check(const cli_options *options);
int cli_verb_lint(const cli_options *options);
int cli_verb_run(const cli_options *options);
int cli_verb_graph(const cli_options *options);
int cli_verb_fuzz(const cli_options *options);
int cli_verb_gate(const cli_options *options);
int cli_verb_report(const cli_options *options);
int cli_verb_triage(const cli_options *options);
int cli_verb_fingerprint(const cli_options *options);
int cli_verb_conform(const cli_options *options);
int cli_verb_reduce(const cli_options *options);
int cli_verb_replay(const cli_options *options);
int cli_verb_explain(const cli_options *options);

/* "counterpoint: message" on standard error; gives `status` back. */
int cli_complain(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a rule that does not exist, with the nearest that does: wrong
   usage. */
int cli_unknown_rule(const char *name);

/* The batch that the options ask for. */
void cli_batch_options_set(cli_batch_options *batch,
                           const cli_options *options);

/* Finds the inputs of a verb; its notes go to standard error. */
bool cli_find_inputs(cli_search *search, const cli_options *options);

/* What a batch says of its own end, on standard error. */
void cli_report_problem(const cli_batch_result *result);

/* The exit status where a database cannot be used. */
int cli_store_exit(report_status status);

/* --fail-on as a severity. */
cli_severity cli_fail_on(const cli_options *options);

#endif
