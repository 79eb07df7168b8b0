/*
 * Tokens of a dump: Python's indentation rules and implicit joining inside
 * brackets, one token at a time, nothing stored.
 */
#ifndef SONATA_DUMP_LEXER_H
#define SONATA_DUMP_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "sonata/error.h"

#define LEXER_MAX_BRACKETS 256
#define LEXER_MAX_BLOCKS 64
/* The levels of the file, of the class and of a function body come on top. */
#define LEXER_MAX_INDENTS (LEXER_MAX_BLOCKS + 3)

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NEWLINE,
    TOKEN_INDENT,
    TOKEN_DEDENT,
    TOKEN_COMMENT, /* a line of its own; text: behind "# "; no NEWLINE token */
    TOKEN_NAME,    /* also dotted without spaces, and Python's words */
    TOKEN_INT,
    TOKEN_FLOAT,
    TOKEN_STRING, /* text: between the quotes */
    TOKEN_OP      /* op: one of the codes below */
} token_kind;

/* Codes of operators: the character itself, two or three of them packed. */
#define TOKEN_PAIR(a, b) ((uint32_t)(a) << 8 | (uint32_t)(b))
#define TOKEN_ELLIPSIS TOKEN_PAIR('.', '.')

typedef struct lexer_token {
    token_kind kind;
    uint32_t op;
    uint32_t at;
    uint32_t length;
} lexer_token;

typedef struct lexer {
    const char *text;
    uint32_t length;
    uint32_t at;
    uint32_t brackets; /* open ones */
    bool at_line_start;
    bool in_comment;  /* the indentation before this comment is dealt with */
    uint32_t dedents; /* still to be given out */
    uint32_t indents[LEXER_MAX_INDENTS];
    uint32_t indent_count;
    /* The run of blank and comment lines around `at`: its end and the
     * indentation of the line there; one scan per run keeps comments linear. */
    uint32_t run_end;
    uint32_t run_indent;
    /* After lexer_next returned false: what, where and of which status; `at`
     * stands behind what was looked at. */
    const char *fault;
    uint32_t fault_at;
    sonata_status fault_status;
} lexer;

/* The text must have fewer than 2^31 bytes and no NUL, and outlive the lexer.
 */
void lexer_init(lexer *lex, const char *text, uint32_t length);

/* The next token; false on a fault. TOKEN_END repeats. Amortised linear. */
bool lexer_next(lexer *lex, lexer_token *token);

/* True when "=" (and not "==") follows, behind spaces at most. */
bool lexer_sees_assign(const lexer *lex);

/*
 * Leaves a block of plain Python: from offset `from` on, skips the rest of the
 * line and all lines indented deeper than `indent` (and what triple quotes
 * hold), down to the next line that is not, or to "@pl.function" exactly at
 * `indent`. The next token starts there, with `indents` levels open.
 */
void lexer_skip_block(lexer *lex, uint32_t from, uint32_t indents,
                      uint32_t indent);

#endif
