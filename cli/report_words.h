/* counterpoint report merge, gc and verify. */
#ifndef CLI_REPORT_WORDS_H
#define CLI_REPORT_WORDS_H

#include "options.h"

#define CLI_REPORT_NO_WORD (-1)

/* The exit status, or CLI_REPORT_NO_WORD: the first file is none of them. */
int cli_report_word(const cli_options *options);

#endif
