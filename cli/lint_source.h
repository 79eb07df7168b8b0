/*
 * The text of a dump as its author sees it: lines quoted as a compiler does.
 * A statement that spans lines (ruff's layout) is put on one, and of what is
 * too long for a terminal the types and attributes are left out ("...").
 */
#ifndef CLI_LINT_SOURCE_H
#define CLI_LINT_SOURCE_H

#include "json.h"

typedef struct lint_source {
    cli_span text;  /* borrowed */
    size_t *starts; /* of the lines */
    size_t count;
} lint_source;

/* False when out of memory. O(length). */
bool lint_source_open(lint_source *source, cli_span text);
void lint_source_close(lint_source *source);

/* The name of the function that holds a line; false: none. O(lines). */
bool lint_source_function(cli_span *name, const lint_source *source,
                          int64_t line);

/* What of a statement is pointed at. */
typedef enum lint_part {
    LINT_CALLEE,    /* self.NAME */
    LINT_ARGUMENT,  /* the index-th positional argument behind it */
    LINT_DEPS,      /* deps=[...] */
    LINT_PREDICATE, /* predicate=... */
    LINT_COLUMN     /* what stands in the index-th column of the bare line */
} lint_part;

typedef struct lint_mark {
    lint_part part;
    int64_t index;
    const char *label; /* behind the marks; perhaps empty */
} lint_mark;

/*
 * Adds the statement that begins in a line (for LINT_COLUMN the bare line),
 * with its number, and a line that points at each mark. What is not found is
 * not pointed at, and a line that is not there adds nothing. O(statement).
 */
void lint_source_quote(cli_text *out, const lint_source *source, int64_t line,
                       const lint_mark *marks, size_t count);

#endif
