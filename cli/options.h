/* The options of the verbs, and reading them from a command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What an option of the table below does not set stays NULL, false or 0. */
typedef struct cli_options {
    const char **files;
    size_t file_count;
    bool json, quiet, help, lenient, judge, bless, notes, stages;
    bool verbose, phases, fuzz, resume;
    const char *db, *out, *emit, *policy, *rules, *kind, *fail_on, *expect;
    const char *planner, *golden, *why, *today;
    const char *layout, *profile, *entry, *regions, *sizes;
    const char *format, *output, *around;
    const char *trace, *plan;
    const char *kinds, *mode, *fuzz_case;
    const char *rule, *signature, *into;
    int64_t capacity;
    bool same;
    const char *method, *certificate;
    bool prove;
    bool certified;
    int64_t jobs, timeout, memory, max_tasks, run, limit, depth;
    int64_t seed, cases, seconds, tasks;
    const char *witness, *model, *export_to, *backend, *simpler, *predicates;
    bool adversarial;
    int64_t seeds, clusters, schedulers;
    int64_t replay; /* -1: not given */
    const char *revision, *known, *state, *note, *label, *unlabel;
    const char *repo, *bisect;
    bool all, input, undo;
    int64_t times;
    int64_t keep; /* runs that report gc leaves whole; 0: not given */
} cli_options;

/* Bits: which options a verb takes. */
#define CLI_OPTION_BIT(n) (UINT64_C(1) << (n))
#define CLI_OPTIONS_ALL CLI_OPTION_BIT(0) /* --json, --quiet, --help */
#define CLI_OPTION_NOTES CLI_OPTION_BIT(1)
#define CLI_OPTION_STAGES CLI_OPTION_BIT(2)
#define CLI_OPTION_LENIENT CLI_OPTION_BIT(3)
#define CLI_OPTION_SERVE CLI_OPTION_BIT(4) /* --judge, --fuzz, --phases */
#define CLI_OPTION_DB CLI_OPTION_BIT(5)
#define CLI_OPTION_OUT CLI_OPTION_BIT(6)
#define CLI_OPTION_EMIT CLI_OPTION_BIT(7)
#define CLI_OPTION_POLICY CLI_OPTION_BIT(8)
#define CLI_OPTION_RULES CLI_OPTION_BIT(9)
#define CLI_OPTION_KIND CLI_OPTION_BIT(10)
#define CLI_OPTION_FAIL_ON CLI_OPTION_BIT(11)
#define CLI_OPTION_EXPECT CLI_OPTION_BIT(12)
#define CLI_OPTION_PLANNER CLI_OPTION_BIT(13)
#define CLI_OPTION_JOBS CLI_OPTION_BIT(14)
#define CLI_OPTION_TIMEOUT CLI_OPTION_BIT(15)
#define CLI_OPTION_MEMORY CLI_OPTION_BIT(16)
#define CLI_OPTION_MAX_TASKS CLI_OPTION_BIT(17)
#define CLI_OPTION_RUN CLI_OPTION_BIT(18)
#define CLI_OPTION_LIMIT CLI_OPTION_BIT(19)
/* Of check alone: --trace, --plan, --capacity, --same, --method, --prove and
   --certificate. */
#define CLI_OPTION_CHECK CLI_OPTION_BIT(20)
#define CLI_OPTION_VERBOSE CLI_OPTION_BIT(21)
/* --bless, --why, --golden, --today */
#define CLI_OPTION_GOLDEN CLI_OPTION_BIT(22)
/* --seed, --cases, --seconds, --kinds, --mode, --tasks, --resume, --case */
#define CLI_OPTION_FUZZ CLI_OPTION_BIT(23)
#define CLI_OPTION_LAYOUT CLI_OPTION_BIT(24) /* --memory with a name */
#define CLI_OPTION_PROFILE CLI_OPTION_BIT(25)
#define CLI_OPTION_ENTRY CLI_OPTION_BIT(26)
#define CLI_OPTION_REGIONS CLI_OPTION_BIT(27)
#define CLI_OPTION_CERTIFIED CLI_OPTION_BIT(28)
#define CLI_OPTION_SIZES CLI_OPTION_BIT(29)
/* --format, -o, --around, --depth */
#define CLI_OPTION_DRAWING CLI_OPTION_BIT(30)
/* Of reduce: --rule, --signature, --seed, --tasks, --seconds, -o, --into,
   --db, --run */
#define CLI_OPTION_REDUCE CLI_OPTION_BIT(31)
/* Of replay: --adversarial, --seeds, --seed, --witness, --clusters,
   --schedulers, --model, --predicates, --trace, -o */
#define CLI_OPTION_REPLAY CLI_OPTION_BIT(32)
#define CLI_OPTION_RUNS CLI_OPTION_BIT(33) /* --replay */
/* Of triage: all that its words take (cli/triage/). */
#define CLI_OPTION_TRIAGE CLI_OPTION_BIT(40)
#define CLI_OPTION_REVISION CLI_OPTION_BIT(41) /* goes with --db */
#define CLI_OPTION_KEEP CLI_OPTION_BIT(34)
#define CLI_OPTION_REPORT CLI_OPTION_BIT(35) /* --format, -o, --fail-on */
#define CLI_OPTION_KNOWN CLI_OPTION_BIT(36)  /* --known, --today */
/* How processes are kept in check. */
#define CLI_OPTIONS_WORK                                                       \
    (CLI_OPTION_JOBS | CLI_OPTION_TIMEOUT | CLI_OPTION_MEMORY |                \
     CLI_OPTION_PLANNER | CLI_OPTION_MAX_TASKS)

/*
 * Reads the arguments behind a verb. `files` has room for `count` entries and
 * is filled with what is no option; "-" is a file, behind "--" all are. False
 * with a message in `problem` on an unknown option or a wrong value.
 */
bool cli_options_read(cli_options *options, const char **files,
                      uint64_t allowed, int count, char *const *arguments,
                      char *problem, size_t problem_size);

/* Lists the allowed options, a line each. */
void cli_options_print(FILE *out, uint64_t allowed);

/* The word of a list (NULL at its end) that `word` is closest to, or NULL. */
const char *cli_closest(const char *word, const char *const *list);

#endif
