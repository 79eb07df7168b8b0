/* What people read on a terminal. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stdio.h>

#include "case.h"

/* Colours only on a terminal, and not with NO_COLOR. */
bool cli_print_colors(FILE *out);

/* A text of an input, with nothing in it that moves a terminal. */
void cli_print_clean(cli_text *out, const char *text);
/* The same, at most so many bytes of it, then "...". */
void cli_print_start(cli_text *out, const char *text, size_t length,
                     size_t most);
/* The same of lines. */
void cli_print_clean_lines(cli_text *out, const cli_text *lines);

/* A name as a word of a command that is told (report_shell_word). */
void cli_print_word(cli_text *out, const char *name);

/* "path:line: error rule: ", what stands before a message. */
void cli_print_head(cli_text *out, const char *path, const cli_finding *f,
                    bool color);

/* "path:line: error rule: message", a line per finding from `least` on. */
void cli_print_findings(cli_text *out, const cli_case *c, cli_severity least,
                        bool color);

/* How many findings are not listed, when some are not. */
void cli_print_unlisted(cli_text *out, const cli_case *c);

/* "path: label: part", a line per part that is undecided. */
void cli_print_undecided(cli_text *out, const cli_case *c, const char *label);

/* The verdict and what stands behind it, with what is undecided. */
void cli_print_verdict(cli_text *out, const cli_case *c, bool color);

/* The findings, a line each, then the object with the verdict. */
void cli_print_json(cli_text *out, const cli_case *c);

/* Writes all of it; false when the output is closed or full. */
bool cli_print_out(FILE *out, const cli_text *text);

/*
 * Whether a file of this name, or one in this folder, may well be written:
 * asked before work whose result would be lost. Else false with a sentence.
 */
bool cli_print_may_write(const char *path, char *problem, size_t size);
bool cli_print_may_fill(const char *folder, char *problem, size_t size);

/*
 * Writes a file with a newline at its end: it is there whole or not at all.
 * False, with a message on standard error, when that cannot be done.
 */
bool cli_print_file(const char *path, cli_span document);

#endif
