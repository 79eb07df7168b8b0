/*
 * The syntax tree of a dump. Flat arrays, indexes for pointers; expression
 * nodes lie in post-order (children before their parent), so that a subtree is
 * the contiguous range [first, node] and is walked without recursion.
 */
#ifndef SONATA_DUMP_AST_H
#define SONATA_DUMP_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sonata/error.h"

#define AST_NONE UINT32_MAX

typedef uint32_t ast_node;
typedef uint32_t ast_stmt;
typedef uint32_t ast_func;

typedef enum ast_kind {
    AST_NAME,     /* text: a dotted name, "pl.tile.load", "self.k", "x" */
    AST_INT,      /* text: digits (any size, 0x and _ allowed by Python) */
    AST_FLOAT,    /* text */
    AST_STRING,   /* text: between the quotes, unescaped only on demand */
    AST_TRUE,     /* True */
    AST_FALSE,    /* False */
    AST_NULL,     /* None */
    AST_ELLIPSIS, /* ... */
    AST_LIST,     /* children: items */
    AST_TUPLE,    /* children: items; "()" and "(x,)" too, not "(x)" */
    AST_DICT,     /* children: AST_PAIR */
    AST_PAIR,     /* children: key, value */
    AST_KEYWORD,  /* text: the name; child: the value; only inside a call */
    AST_CALL,     /* children: callee, then arguments and keywords */
    AST_MEMBER,   /* child: object; text: member; object is not a plain name */
    AST_INDEX,    /* children: object, then indexes ("a[i, j]" has two) */
    AST_UNARY,    /* op, child */
    AST_BINARY    /* op, two children; "a < b < c" is (a<b) and (b<c), with a
                     copy of b, which has to be a leaf */
} ast_kind;

typedef enum ast_op {
    OP_NONE,
    OP_OR,
    OP_XOR, /* the word xor */
    OP_AND,
    OP_NOT,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_BIT_AND,
    OP_SHL,
    OP_SHR,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_FLOORDIV,
    OP_MOD,
    OP_NEG,
    OP_INVERT,
    OP_POW
} ast_op;

typedef struct ast_expr {
    uint8_t kind;  /* ast_kind */
    uint8_t op;    /* ast_op */
    uint8_t quote; /* AST_STRING: '"' or '\'' */
    uint8_t pad;
    uint32_t at;     /* offset of the text (or of the construct) */
    uint32_t length; /* of the text in bytes; 0 where there is none */
    ast_node first;  /* lowest index of the subtree; the node itself if leaf */
    ast_node child;  /* first child, or AST_NONE */
    ast_node next;   /* next sibling, or AST_NONE */
} ast_expr;

typedef enum ast_stmt_kind {
    STMT_ASSIGN, /* targets, type (or AST_NONE), value */
    STMT_EXPR,   /* value */
    STMT_RETURN, /* value: AST_NONE, an expression, or AST_TUPLE for several */
    STMT_PASS,   /* also the body "..." */
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_FOR,    /* targets: loop variable (AST_NAME or AST_NONE for the form
                    without one), carries; value: the iterator call; body */
    STMT_WHILE,  /* value: condition; body */
    STMT_IF,     /* value: condition; body; orelse */
    STMT_WITH,   /* value: the context call; body */
    STMT_COMMENT /* text: the comment behind "# " */
} ast_stmt_kind;

typedef struct ast_statement {
    uint8_t kind;     /* ast_stmt_kind */
    bool is_ellipsis; /* STMT_PASS written as "..." */
    uint32_t at;      /* offset of its first character */
    uint32_t length;  /* STMT_COMMENT: of its text, which starts at `at` */
    ast_node target;  /* STMT_ASSIGN: AST_NAME, or AST_TUPLE of names */
    ast_node carries; /* STMT_FOR: AST_TUPLE of names, or AST_NONE */
    ast_node type;
    ast_node value;
    ast_stmt body;   /* first statement of the block, or AST_NONE */
    ast_stmt orelse; /* first statement of the else block, or AST_NONE */
    ast_stmt next;   /* next statement of the same block, or AST_NONE */
} ast_statement;

typedef enum ast_direction { AST_IN, AST_OUT, AST_INOUT } ast_direction;

typedef struct ast_param {
    uint32_t at, length;     /* its name */
    ast_direction direction; /* from pl.Out[..] and pl.InOut[..] */
    ast_node type;           /* without that wrapper */
} ast_param;

typedef enum ast_func_kind {
    FUNC_ORCHESTRATION,
    FUNC_HOST, /* level HOST, or no type ("Opaque"): a body of calls */
    FUNC_INCORE,
    FUNC_AIC,
    FUNC_AIV,
    FUNC_GROUP,
    FUNC_SPMD,
    FUNC_OTHER /* an unknown type, or a SubWorker of level HOST: a kernel */
} ast_func_kind;

typedef struct ast_function {
    ast_func_kind kind;
    uint32_t at, length;  /* its name */
    ast_node decorator;   /* the pl.function call, or AST_NONE */
    ast_node attrs;       /* the dict of pl.func_attr, or AST_NONE */
    bool has_self;        /* first parameter is self (not in params) */
    bool has_external;    /* external_source= in the decorator */
    bool auto_scope;      /* false: auto_scope=False */
    uint32_t first_param; /* in params[] */
    uint32_t params;
    ast_node result; /* the type behind "->", or AST_NONE */
    ast_stmt body;   /* AST_NONE too when only pl.func_attr stood there */
    /*
     * A kernel with a statement outside the grammar: the body is AST_NONE and
     * the error says where and what. Never set for the kinds that are parsed
     * in full (Orchestration, HOST, Group, Spmd): there it is an error.
     */
    bool unreadable;
    sonata_error error;
} ast_function;

typedef struct ast_symbol {
    uint32_t at, length;           /* NAME = pl.dynamic("TEXT"): the name */
    uint32_t text_at, text_length; /* the text in quotes */
} ast_symbol;

typedef struct ast_program {
    const char *text; /* borrowed; outlives the program */
    size_t length;
    uint32_t name_at, name_length;   /* "# pypto.program: NAME", may be 0 */
    uint32_t class_at, class_length; /* class NAME */
    ast_expr *exprs;
    uint32_t expr_count;
    ast_statement *stmts;
    uint32_t stmt_count;
    ast_function *funcs;
    uint32_t func_count;
    ast_param *params;
    uint32_t param_count;
    ast_symbol *symbols;
    uint32_t symbol_count;
    uint32_t *lines; /* offset of the first byte of each line */
    uint32_t line_count;
} ast_program;

/*
 * Parses the text of a dump, in PyPTO's layout or ruff's. On SONATA_OK
 * *program owns its arrays: free them with ast_free. On failure nothing is
 * owned, and the error has code ("doc.syntax", "doc.range", "no-memory"),
 * message, line, column and offset. Linear time and memory (at most about 45
 * bytes for each byte of text); limits: 2^31 bytes of text, 2^26 nodes, and as
 * many statements, nesting of 256 brackets and 64 blocks, each elif counting
 * as a block (SONATA_RANGE beyond). What a node is may nest deeper than the
 * brackets ("- - - x"): walk the range, never recurse.
 *
 * Strings in double quotes escape only \" and \\, those in single quotes
 * nothing. A comment belongs to the deepest block that its own column or the
 * statement behind it keeps open; it may stand between an if's body and its
 * else, and then follows the if. Comments inside brackets, behind a statement
 * and outside functions are dropped. A kernel whose first fault stands at the
 * very end of the text was cut: an error, not an unreadable kernel.
 */
sonata_status ast_parse(ast_program *program, const char *text, size_t length,
                        sonata_error *error);
void ast_free(ast_program *program);

/* Line and column (from 1, column in bytes) of an offset. O(log lines). */
void ast_position(const ast_program *program, uint32_t at, uint64_t *line,
                  uint64_t *column);

/* True when the text of a node is exactly `word`. */
bool ast_is(const ast_program *program, ast_node node, const char *word);

#endif
