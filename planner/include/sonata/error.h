/*
 * Status codes and the error record of the planner. Every function that can
 * fail returns a sonata_status and fills the record when it is not SONATA_OK.
 */
#ifndef SONATA_ERROR_H
#define SONATA_ERROR_H

#include <stddef.h>
#include <stdint.h>

typedef enum sonata_status {
    SONATA_OK = 0,
    SONATA_SYNTAX,      /* doc.syntax: not the grammar it claims to be */
    SONATA_SCHEMA,      /* doc.schema: a field is missing or of a wrong type */
    SONATA_RANGE,       /* doc.range: a number outside what is read */
    SONATA_UNSUPPORTED, /* doc.unsupported: readable, and not planned */
    SONATA_REJECTED,    /* a plan cannot be made (a reason of the spec) */
    SONATA_NO_MEMORY,
    SONATA_IO /* file: a file cannot be read or written */
} sonata_status;

typedef struct sonata_error {
    sonata_status status;
    char code[64];     /* the rule or reason code, e.g. "doc.syntax" */
    char message[512]; /* one sentence, UTF-8, no newline */
    char path[128];    /* path in a document ("tasks[3].name"), or empty */
    uint64_t line;     /* from 1; 0: no position */
    uint64_t column;   /* from 1, in bytes; 0: no position */
    uint64_t offset;   /* from 0, in bytes */
} sonata_error;

#endif
