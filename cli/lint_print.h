/* The findings of a program for its author. */
#ifndef CLI_LINT_PRINT_H
#define CLI_LINT_PRINT_H

#include "lint_groups.h"
#include "lint_source.h"

/*
 * Adds a block per group of at least this severity: what is wrong, the lines
 * of the dump it is about, why, and the fix; a blank line between two. The
 * source may be NULL: nothing is quoted. The count of blocks is given back.
 */
size_t lint_print_groups(cli_text *out, const lint_groups *groups,
                         const char *path, const lint_source *source,
                         cli_severity least, bool color);

#endif
