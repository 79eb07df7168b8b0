/* What lies beside a dump, as a request carries it. */
#ifndef CLI_COMPANIONS_H
#define CLI_COMPANIONS_H

#include "frontend/frontend.h"
#include "json.h"

/*
 * Adds the answer to a request `frontend`: the graph of `input` compared with
 * the texts of a list (data NULL: none). Returns the status that ends the
 * process, or 0.
 */
int cli_companions_compare(cli_text *out, int64_t id, cli_frontend_input *input,
                           cli_span list);

#endif
