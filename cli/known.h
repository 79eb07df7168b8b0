/* The file of known issues, as --known and --today name it. */
#ifndef CLI_KNOWN_H
#define CLI_KNOWN_H

#include "day.h"
#include "options.h"
#include "reports/triage.h"

/*
 * Reads the file of --known (none: the list stays empty) and the day that
 * counts. Returns 0, or an exit status, told. Free the list with
 * report_known_free, also on failure.
 */
int cli_known_read(report_known_list *list, char today[CLI_DAY_LENGTH + 1],
                   const cli_options *options);

#endif
