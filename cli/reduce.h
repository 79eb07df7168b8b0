/*
 * Reducing: a text is looked at over and over, in processes of its own, and
 * each time the question is whether a certain finding is still there.
 */
#ifndef CLI_REDUCE_H
#define CLI_REDUCE_H

#include "batch.h"
#include "fuzz/reduce.h"
#include "process.h"

/* How a text is looked at. */
typedef struct cli_view {
    /* As `check` looks at a file, with these options. */
    cli_batch_options batch;
    /*
     * Else as the fuzzer does: what the planner is asked ("score", "ir",
     * "dump"; NULL: it is judged as it is), with the options of the request.
     */
    bool made;
    const char *ask;
    cli_span options;
    /* The planner's name: signatures group (oracle/judge.h). NULL: they tell
       programs apart. */
    const char *generated;
} cli_view;

/* A finding, as far as it matters here. */
typedef struct cli_sight {
    const char *rule;
    cli_severity severity;
    const char *signature;
    const char *message;
} cli_sight;

/* What is looked for. */
typedef struct cli_goal {
    char rule[48];
    char signature[17];
    cli_severity severity;
    /* Not a finding: the judge itself ends on the text, in this way. */
    bool death;
} cli_goal;

/* --- In the process that looks --- */

typedef struct cli_looker cli_looker;

/* `goal`: no other rule matters, so what finds others alone may be left out;
   or NULL. Both live as long. NULL: out of memory. */
cli_looker *cli_looker_new(const cli_view *view, const cli_goal *goal);
void cli_looker_free(cli_looker *looker);

/*
 * Gives all findings of a text; false from `see` ends it. False: out of
 * memory, or of processes.
 */
bool cli_look(cli_looker *looker, cli_span text,
              bool (*see)(void *context, const cli_sight *sight),
              void *context);

/* --- From outside --- */

/*
 * All findings of a text, looked at once: `see` as above. *died: the process
 * ended instead of an answer, a fault of ours. False: it could not be done.
 */
bool cli_reduce_list(bool *died, const cli_view *view, cli_span text,
                     bool (*see)(void *context, const cli_sight *sight),
                     void *context);

/* Processes that answer whether a text has the goal. */
typedef struct cli_askers cli_askers;

/* `view` and `goal` outlive them. NULL: out of memory. */
cli_askers *cli_askers_new(const cli_view *view, const cli_goal *goal,
                           size_t jobs);
void cli_askers_free(cli_askers *askers);

/* As fuzz_question.ask; the context is the cli_askers. */
void cli_askers_ask(void *context, const fuzz_piece *texts, size_t count,
                    fuzz_answer *answers);

#endif
