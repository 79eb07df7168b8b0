/*
 * One case of another implementation's vectors: what it answers about a Score
 * or a program, held against what this planner answers.
 */
#ifndef CLI_CONFORM_H
#define CLI_CONFORM_H

#include "text.h"

/*
 * Compares one line of a vector file. Adds members of a JSON object to `out`:
 * "name" (the id of the case), "fields" (a list of {"field", "state"} with
 * state passed, failed, refused or unknown, and "detail" where it did not
 * pass) and, where the whole case is one that the readers refuse by rule,
 * "refused" with the reason. Of a line that is no case there is "malformed"
 * instead: {"column", "message"}. False: out of memory. About linear in the
 * answers.
 */
bool cli_conform_case(cli_text *out, const char *line, size_t length);

#endif
