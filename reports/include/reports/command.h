/* The command of one line that shows a case again, and words of commands. */
#ifndef REPORTS_COMMAND_H
#define REPORTS_COMMAND_H

#include "reports/store.h"

/*
 * What a shell runs to see a case again, without the database: the verb of the
 * run with those of its options that are not usual, and the file at `path`; a
 * case of `fuzz` is made again by its name. free() it. NULL with REPORT_OK:
 * standard input ("-") cannot be read again. REPORT_MISSING: there is no such
 * run. O(length of the options and the path).
 */
report_status report_command(char **command, report_store *store, int64_t run,
                             const char *path, report_error *error);

/*
 * A word for any shell, in one line: as it is, in quotes, or by numbers with
 * "$(printf '...')" where a byte is not seen; line ends at the end as $'\\n',
 * which some shells lack. free() it; NULL: out of memory. O(length).
 */
char *report_shell_word(const char *text);

#endif
