/*
 * Regression cases: an input, and beside it what is to be found in it
 * (docs/formats.md).
 */
#ifndef CLI_REDUCE_KEEP_H
#define CLI_REDUCE_KEEP_H

#include "reduce.h"

/*
 * Writes the text into a folder, as RULE-XXXXXXXX.ENDING by its digest, and
 * beside it FILE.expect with what is found in it; one that is there stays, for
 * somebody has said in it what is right, and *is_new is false. `path` gets the
 * file's name. False with `problem`.
 */
bool cli_reduce_keep(cli_text *path, bool *is_new, const char *folder,
                     const cli_view *view, const char *rule, cli_span text,
                     char *problem, size_t size);

/*
 * Whether what is found in the input beside an .expect file is what that file
 * says. `planner`: a command, or NULL for our own. False with `problem`, which
 * has the lines that are missing (-) and those that are too many (+).
 */
bool cli_reduce_kept_holds(const char *expect_path, const char *planner,
                           cli_text *problem);

#endif
