/*
 * Last words of a server process: when a signal ends it, the functions that
 * it was in go to standard error, a line "#0 in NAME" each, innermost first.
 * Names come from the program's own table of symbols, so that functions that
 * are not exported have one, too.
 */
#ifndef CLI_CRASH_H
#define CLI_CRASH_H

/* For SEGV, ABRT, FPE, BUS and ILL. The process ends by the signal. */
void cli_crash_tell(void);

#endif
