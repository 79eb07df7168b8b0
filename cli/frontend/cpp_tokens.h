/*
 * C++ text as tokens, just enough to read generated orchestration code:
 * identifiers, numbers, strings, single punctuation characters. Comments and
 * preprocessor lines are left out. Nothing is an error: an open comment or
 * string ends with the text.
 */
#ifndef CLI_FRONTEND_CPP_TOKENS_H
#define CLI_FRONTEND_CPP_TOKENS_H

#include "outline.h"

typedef struct cpp_token {
    uint32_t start, length; /* in the text */
    uint32_t name;          /* number of the identifier, or FRONTEND_NONE */
    uint32_t line;          /* from 1 */
} cpp_token;

typedef struct cpp_tokens {
    const char *text;
    cpp_token *items;
    uint32_t count, room;
    uint32_t name_count; /* different identifiers */
} cpp_tokens;

/*
 * Reads all tokens; `text` is kept as a reference and must be shorter than
 * 4 GiB. FRONTEND_NO_MEMORY is the only failure; free in any case.
 * O(length * log(identifiers)).
 */
frontend_status cpp_tokens_read(cpp_tokens *tokens, const char *text,
                                size_t length);
void cpp_tokens_free(cpp_tokens *tokens);

/* Whether token i exists and is exactly `text`. */
bool cpp_is(const cpp_tokens *tokens, uint32_t i, const char *text);
bool cpp_begins(const cpp_tokens *tokens, uint32_t i, const char *prefix);
bool cpp_is_name(const cpp_tokens *tokens, uint32_t i);
frontend_text cpp_text(const cpp_tokens *tokens, uint32_t i);

/* A whole decimal number below 10^18 in token i; it may have a suffix. */
bool cpp_number(const cpp_tokens *tokens, uint32_t i, int64_t *value);

#endif
