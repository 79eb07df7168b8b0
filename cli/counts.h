/* The sizes of a document, which the judge's answer carries when asked. */
#ifndef CLI_COUNTS_H
#define CLI_COUNTS_H

#include "oracle/document.h"
#include "text.h"

/*
 * Adds {"args", "buffers", "edges", "tasks"} of a derived document; "edges"
 * has "explicit" first, which counts deps on tasks too, then source and kind
 * ("automatic data") in order, and apart those that are there only when views
 * meet ("automatic data perhaps"). O(edges log edges).
 */
void cli_counts_put(cli_text *out, const oracle_document *document);

#endif
