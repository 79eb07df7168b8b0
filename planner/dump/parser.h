/*
 * What the parts of the parser share: growing arrays, the current token, the
 * error. One token of look-ahead; every function leaves the first token that
 * it did not use in `token`.
 */
#ifndef SONATA_DUMP_PARSER_H
#define SONATA_DUMP_PARSER_H

#include "ast.h"
#include "lexer.h"

/* An expression that still lacks its right part, or an open bracket. */
typedef struct parser_frame {
    uint8_t kind;  /* parser_frame_kind */
    uint8_t op;    /* ast_op of an operator */
    uint8_t flags; /* of a bracket */
    uint8_t unused;
    uint32_t at;   /* offset of the bracket, the operator or the keyword */
    uint32_t head; /* first child: left operand, callee, first item, key */
    uint32_t tail; /* a bracket's last child so far; a keyword's length */
} parser_frame;

/* An open block of statements. */
typedef struct parser_block {
    ast_stmt owner;   /* AST_NONE: the function */
    bool orelse;      /* the else branch of owner */
    ast_stmt last;    /* AST_NONE: empty so far */
    ast_stmt branch;  /* an if that an else or elif may still follow */
    uint32_t chained; /* by how many elifs `branch` is nested */
    uint32_t depth;   /* blocks around, each elif counted as one */
    bool started;     /* a statement other than a comment came already */
} parser_block;

typedef struct parser {
    ast_program *program;
    uint32_t expr_room, stmt_room, func_room, param_room, symbol_room;
    parser_frame *frames;
    uint32_t frame_count, frame_room;
    parser_block blocks[LEXER_MAX_BLOCKS + 1];
    uint32_t block_count;
    lexer lex;
    lexer_token token;
    sonata_error *error;
} parser;

/* Fills the error, and returns `status`, which is not SONATA_OK. */
sonata_status ast_fail(const ast_program *program, sonata_status status,
                       uint32_t at, const char *message, sonata_error *error);
sonata_status parser_fail(parser *p, sonata_status status, uint32_t at,
                          const char *message);
/* "expected WHAT, found <the current token>" */
sonata_status parser_expected(parser *p, const char *what);
sonata_status parser_advance(parser *p);
bool parser_at_op(const parser *p, uint32_t op);
/* The current token is exactly this word. */
bool parser_at_word(const parser *p, const char *word);
/* Requires and consumes; `what` is for the message. */
sonata_status parser_take_op(parser *p, uint32_t op, const char *what);
sonata_status parser_take_word(parser *p, const char *word);
sonata_status parser_take_newline(parser *p);
/* True for the words that Python reserves, None and the like apart. */
bool parser_is_reserved(const parser *p);

/* Makes room for one more element. */
sonata_status parser_grow(parser *p, void *items, uint32_t *room,
                          uint32_t count, size_t size);
/* Appends a leaf; the text is [at, at + length). */
sonata_status parser_leaf(parser *p, ast_kind kind, uint32_t at,
                          uint32_t length, ast_node *node);

/* One expression; on return the token behind it is current. */
sonata_status parser_expr(parser *p, ast_node *node);
/* One expression, or a tuple of those between commas. */
sonata_status parser_exprs(parser *p, ast_node *node);

/* A plain name, not dotted and not reserved; `what` is for the message. */
sonata_status parser_take_name(parser *p, const char *what, uint32_t *at,
                               uint32_t *length);

/*
 * The body of the last function: ":", attributes and block. Leaves the current
 * token behind the block. On failure what was appended stays.
 */
sonata_status parser_body(parser *p);
/*
 * A function from its decorator on, appended to the program; `column` is the
 * indentation of the class's functions.
 */
sonata_status parser_function(parser *p, uint32_t column);
/* The whole text of `program`, whose lines are known already. */
sonata_status parser_file(ast_program *program, sonata_error *error);

#endif
