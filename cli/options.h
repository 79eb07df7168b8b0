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
    bool verbose, phases;
    const char *db, *out, *emit, *policy, *rules, *kind, *fail_on, *expect;
    const char *planner, *golden, *why, *today;
    const char *layout, *profile, *entry, *regions, *sizes;
    const char *format, *output, *around;
    const char *trace, *plan;
    int64_t capacity;
    bool same;
    const char *method, *certificate;
    bool prove;
    bool certified;
    int64_t jobs, timeout, memory, max_tasks, run, limit, depth;
} cli_options;

/* Bits: which options a verb takes. */
enum {
    CLI_OPTIONS_ALL = 1 << 0, /* --json, --quiet, --help: every verb */
    CLI_OPTION_NOTES = 1 << 1,
    CLI_OPTION_STAGES = 1 << 2,
    CLI_OPTION_LENIENT = 1 << 3,
    CLI_OPTION_JUDGE = 1 << 4,
    CLI_OPTION_DB = 1 << 5,
    CLI_OPTION_OUT = 1 << 6,
    CLI_OPTION_EMIT = 1 << 7,
    CLI_OPTION_POLICY = 1 << 8,
    CLI_OPTION_RULES = 1 << 9,
    CLI_OPTION_KIND = 1 << 10,
    CLI_OPTION_FAIL_ON = 1 << 11,
    CLI_OPTION_EXPECT = 1 << 12,
    CLI_OPTION_PLANNER = 1 << 13,
    CLI_OPTION_JOBS = 1 << 14,
    CLI_OPTION_TIMEOUT = 1 << 15,
    CLI_OPTION_MEMORY = 1 << 16,
    CLI_OPTION_MAX_TASKS = 1 << 17,
    CLI_OPTION_RUN = 1 << 18,
    CLI_OPTION_LIMIT = 1 << 19,
    /* Of check alone: --trace, --plan, --capacity, --same, --method, --prove
       and --certificate. */
    CLI_OPTION_CHECK = 1 << 20,
    CLI_OPTION_VERBOSE = 1 << 21,
    CLI_OPTION_GOLDEN = 1 << 22, /* --bless, --why, --golden, --today */
    CLI_OPTION_PHASES = 1 << 23, /* of serve */
    CLI_OPTION_LAYOUT = 1 << 24, /* --memory with a name */
    CLI_OPTION_PROFILE = 1 << 25,
    CLI_OPTION_ENTRY = 1 << 26,
    CLI_OPTION_REGIONS = 1 << 27,
    CLI_OPTION_CERTIFIED = 1 << 28,
    CLI_OPTION_SIZES = 1 << 29,
    CLI_OPTION_DRAWING = 1 << 30, /* --format, -o, --around, --depth */
    /* How processes are kept in check. */
    CLI_OPTIONS_WORK = CLI_OPTION_JOBS | CLI_OPTION_TIMEOUT |
                       CLI_OPTION_MEMORY | CLI_OPTION_PLANNER |
                       CLI_OPTION_MAX_TASKS
};

/*
 * Reads the arguments behind a verb. `files` has room for `count` entries and
 * is filled with what is no option; "-" is a file, behind "--" all are. False
 * with a message in `problem` on an unknown option or a wrong value.
 */
bool cli_options_read(cli_options *options, const char **files,
                      unsigned allowed, int count, char *const *arguments,
                      char *problem, size_t problem_size);

/* Lists the allowed options, a line each. */
void cli_options_print(FILE *out, unsigned allowed);

/* The word of a list (NULL at its end) that `word` is closest to, or NULL. */
const char *cli_closest(const char *word, const char *const *list);

#endif
