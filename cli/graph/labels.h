/*
 * The texts of a picture. Names in documents are arbitrary: what comes out is
 * visible UTF-8 without control characters (a line break apart, where the text
 * has lines); each writer escapes what its own form needs.
 */
#ifndef CLI_GRAPH_LABELS_H
#define CLI_GRAPH_LABELS_H

#include "picture.h"

/*
 * Adds a text in at most `columns` columns (4 or more), cut in its middle with
 * an ellipsis. A character that is not ASCII takes two columns, so that
 * a width reckoned from the columns is never too small. Cost: O(columns).
 */
void picture_put_text(cli_text *out, const char *data, size_t length,
                      size_t columns);
size_t picture_columns(const char *data, size_t length);

/* Empties a part of a text; that memory ran out for it holds for the whole. */
void picture_clear(cli_text *part, cli_text *whole);

/* "7 matmul" */
void picture_put_name(cli_text *out, const picture *p, uint32_t node,
                      size_t columns);
/* "line 31 aiv x8": what there is of line, core and blocks. */
void picture_put_place(cli_text *out, const picture *p, uint32_t node);
/* "if n > 4, not loop i": empty for a task that always runs. */
void picture_put_condition(cli_text *out, const picture *p, uint32_t node,
                           size_t columns);
/* All about a task, its arguments included: a line each. */
void picture_put_task(cli_text *out, const picture *p, uint32_t node);
/* The reasons of a line of the picture, a line of text each. */
void picture_put_reasons(cli_text *out, const picture *p,
                         const picture_line *line);
/* "4 tasks, 5 edges (1 redundant), 1 hazard". */
void picture_put_counts(cli_text *out, const picture *p);
/* What is not in the picture, as a sentence; empty: all of it is. */
void picture_put_left_out(cli_text *out, const picture *p);
/* What follows from the picture's size: empty where nothing does. */
void picture_put_size_note(cli_text *out, const picture *p);
/* "hazard.war 1 harvest -> 2 soften: ..." */
void picture_put_hazard(cli_text *out, const picture *p,
                        const picture_line *line, size_t columns);
/* The same of a finding about one task, counted from 0. */
void picture_put_remark(cli_text *out, const picture *p, uint32_t node,
                        uint32_t number, size_t columns);

/* How things look, the same in both forms. */
const char *picture_class_color(picture_class class);
const char *picture_class_dark(picture_class class); /* in a dark page */
const char *picture_class_label(picture_class class);

typedef enum picture_core {
    PICTURE_AIC,
    PICTURE_AIV,
    PICTURE_MIXED,
    PICTURE_DUMMY,
    PICTURE_OTHER,
    PICTURE_CORES
} picture_core;
picture_core picture_core_of(const picture *p, uint32_t node);
const char *picture_core_color(picture_core core);
const char *picture_core_dark(picture_core core);
const char *picture_core_label(picture_core core);

#endif
