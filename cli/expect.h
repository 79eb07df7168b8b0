/*
 * What a run is expected to find: lines `path rule count`, `#` starts a
 * comment, blank lines do not count. A path is relative to the folder of the
 * file or to the folder that was named on the command line. A line counts the
 * findings of its rule of any severity; what no line names must have no
 * finding of severity error or warning.
 */
#ifndef CLI_EXPECT_H
#define CLI_EXPECT_H

#include "case.h"

typedef struct cli_expected {
    char *path;      /* as written */
    char *from_file; /* relative to the file's folder, made plain */
    char *rule;
    int64_t count;
    int64_t found;
    int64_t line;
    bool input_seen;
} cli_expected;

typedef struct cli_expect_key {
    const char *path;
    size_t line; /* of lines[] */
} cli_expect_key;

typedef struct cli_expect {
    cli_expected *lines;
    size_t count;
    cli_expect_key *keys; /* both paths of each line, sorted */
    cli_text differences; /* a line each */
} cli_expect;

/* False with a message in `problem`, which names the line. */
bool cli_expect_read(cli_expect *expect, const char *path, char *problem,
                     size_t problem_size);

/* Compares a case. False when memory ran out. */
bool cli_expect_see(cli_expect *expect, const cli_case *c);

/* True when all that was seen is as expected; else differences say how. */
bool cli_expect_end(cli_expect *expect);

void cli_expect_free(cli_expect *expect);

/* "a/./b//../c" is "a/c"; the caller frees it. NULL: out of memory. */
char *cli_path_plain(const char *path);

#endif
