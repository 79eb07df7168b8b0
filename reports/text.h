/* Texts of inputs, as each format can hold them. */
#ifndef REPORTS_TEXT_H
#define REPORTS_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum report_form {
    REPORT_PLAIN,
    REPORT_XML,      /* of an element or of an attribute in double quotes */
    REPORT_JSON,     /* within double quotes; YAML takes it too */
    REPORT_SARIF,    /* the same, and no link is made of it */
    REPORT_TAP,      /* a description or a reason */
    REPORT_DATA,     /* message of a workflow command */
    REPORT_PROPERTY, /* property of one */
    REPORT_MARKDOWN  /* no markup is made of it, nor the end of a cell */
} report_form;

/*
 * The bytes of the first character of a text that ends in NUL; 0: they are no
 * UTF-8.
 */
size_t report_decode(uint32_t *point, const char *text);

/*
 * Writes a text in one line. What is no UTF-8, controls (line ends too) and
 * characters that are not seen or turn the direction are written as \xNN and
 * \uNNNN. NULL is nothing.
 */
void report_put(FILE *out, report_form form, const char *text);

/*
 * The same, at most so many bytes of it, then an ellipsis. Out of memory:
 * whole.
 */
void report_put_start(FILE *out, report_form form, const char *text,
                      size_t most);

/* A JSON string with its quotes. */
void report_put_string(FILE *out, const char *text);

/*
 * A JSON string with its quotes that gives the text back as it is: controls,
 * what is not seen or turns the direction, and the characters of `escaped`
 * (ASCII) stand in it as \uNNNN. What is no UTF-8 becomes U+FFFD; false: there
 * was some.
 */
bool report_put_exact(FILE *out, const char *text, size_t length,
                      const char *escaped);

/* The bytes of a path as (part of) a URI. */
void report_put_uri(FILE *out, const char *path);

/*
 * A text of this project (a page of a rule) in a JSON string: as it is, with
 * its line ends.
 */
void report_put_page(FILE *out, const char *text);

/*
 * Where a file is: relative to `folder` (absolute, or NULL) when it lies
 * below, else as an absolute path, both without "." and ".." (a relative one
 * is taken from the folder). Without a folder: as it is named. free() it;
 * NULL: out of memory. O(length).
 */
char *report_place(const char *path, const char *folder);

#endif
