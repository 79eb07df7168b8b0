/*
 * Golden files: the blessed facts of a case in a file whose name follows from
 * the path of the case, and the comparison with the facts of today.
 */
#ifndef CLI_GOLDEN_H
#define CLI_GOLDEN_H

#include "day.h"
#include "facts.h"

#define CLI_GOLDEN_SUFFIX ".golden"

/*
 * The name of a case: its path made plain, relative to `cwd` where it lies
 * below, with every byte that is no letter, digit or one of "._-+=@,/" as
 * "%xx", and a leading dot of a part too. Different paths have different
 * names. NULL: out of memory. The caller frees it.
 */
char *cli_golden_case(const char *path, const char *cwd);
/* The path of a name: the inverse, in place. */
void cli_golden_path(char *name);
/*
 * The golden file of a case, relative to the golden folder: the name and the
 * suffix; parts that are too long for a file system end in a digest instead.
 * NULL: out of memory. The caller frees it.
 */
char *cli_golden_file(const char *name);

/* "expect-failure FACT until YYYY-MM-DD: reason": a known fault. */
typedef struct cli_expected_failure {
    const char *text; /* the whole line */
    size_t length;
    const char *fact; /* the first words of the lines that may differ */
    size_t fact_length;
    const char *day;    /* the last on which it holds */
    const char *reason; /* up to the end of the line */
    bool seen;          /* something differs */
} cli_expected_failure;

typedef struct cli_difference {
    cli_fact fact;
    bool added;                     /* else it was blessed and is gone */
    cli_expected_failure *expected; /* or NULL */
} cli_difference;

typedef struct cli_golden {
    cli_text text; /* as read */
    cli_fact *facts;
    size_t fact_count;
    cli_fact *actual; /* of today; borrowed from the text that was compared */
    size_t actual_count;
    cli_expected_failure *expected;
    size_t expected_count;
    cli_difference *differences; /* by stage, key, gone before added */
    size_t difference_count;
    size_t bad_line; /* an expectation that is none; 0: no such line */
} cli_golden;

/* Splits golden->text into its lines. False when memory ran out. */
bool cli_golden_parse(cli_golden *golden);

/* Compares with the facts of today. False when memory ran out. */
bool cli_golden_compare(cli_golden *golden, const cli_text *facts);

/* A difference that no expectation covers, or one that has expired. */
bool cli_difference_fails(const cli_difference *d, const char *today);

/*
 * The text of the golden file when today's facts are blessed, after a
 * comparison: comments and expectations that are still needed stay, and what
 * they cover keeps its blessed facts.
 */
void cli_golden_bless(cli_text *out, const cli_golden *golden);

void cli_golden_free(cli_golden *golden);

#endif
