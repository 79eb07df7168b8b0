/*
 * The pages of docs/rules/ and docs/symptoms.md, compiled in: the build writes
 * their source (scripts/make_texts).
 */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include <stddef.h>

typedef struct cli_page {
    const char *name; /* of the rule, or "symptoms" */
    const char *text; /* Markdown, lines of at most 80 columns */
} cli_page;

extern const cli_page cli_pages[];
extern const size_t cli_page_count;

#endif
