/* A document, read and written again by the planner's library. */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "json.h"
#include "sonata/error.h"

/*
 * Canonical compact JSON of a text: with the form "score" of a Score, all its
 * fields written, else of any JSON value. *json is freed by the caller. Errors:
 * those of the readers.
 */
sonata_status cli_document_write(char **json, size_t *length, const char *form,
                                 cli_span text, sonata_error *error);

#endif
