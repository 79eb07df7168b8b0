/* What the parts of the parser share. */
#include "parser.h"

#include "array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 1 << 26, EXCERPT = 24 };

sonata_status parser_fail(parser *p, sonata_status status, uint32_t at,
                          const char *message)
{
    return ast_fail(p->program, status, at, message, p->error);
}

/* What the current token looks like, in printable ASCII. */
static void describe_token(const parser *p, char *out, size_t size)
{
    static const char *const names[] = {[TOKEN_END] = "the end of the text",
                                        [TOKEN_NEWLINE] = "the end of the line",
                                        [TOKEN_INDENT] = "deeper indentation",
                                        [TOKEN_DEDENT] = "the end of the block",
                                        [TOKEN_COMMENT] = "a comment"};
    if (p->token.kind <= TOKEN_COMMENT) {
        snprintf(out, size, "%s", names[p->token.kind]);
        return;
    }
    char text[EXCERPT + 1];
    uint32_t length = p->token.length < EXCERPT ? p->token.length : EXCERPT;
    for (uint32_t i = 0; i < length; i++) {
        char c = p->program->text[p->token.at + i];
        text[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    text[length] = '\0';
    const char *quote = p->token.kind == TOKEN_STRING ? "string " : "";
    const char *dots = p->token.length > EXCERPT ? "..." : "";
    snprintf(out, size, "%s'%s%s'", quote, text, dots);
}

sonata_status parser_expected(parser *p, const char *what)
{
    char found[EXCERPT + 32];
    char message[256];
    describe_token(p, found, sizeof found);
    snprintf(message, sizeof message, "expected %s, found %s", what, found);
    uint32_t quote = p->token.kind == TOKEN_STRING ? 1 : 0;
    return parser_fail(p, SONATA_SYNTAX, p->token.at - quote, message);
}

sonata_status parser_advance(parser *p)
{
    if (lexer_next(&p->lex, &p->token))
        return SONATA_OK;
    return parser_fail(p, p->lex.fault_status, p->lex.fault_at, p->lex.fault);
}

bool parser_at_op(const parser *p, uint32_t op)
{
    return p->token.kind == TOKEN_OP && p->token.op == op;
}

bool parser_at_word(const parser *p, const char *word)
{
    if (p->token.kind != TOKEN_NAME)
        return false;
    const char *text = p->program->text + p->token.at;
    size_t length = p->token.length;
    return text[0] == word[0] && strlen(word) == length &&
           memcmp(text, word, length) == 0;
}

bool parser_is_reserved(const parser *p)
{
    static const char *const words[] = {
        "and",    "as",       "assert", "async",  "await",    "break",
        "class",  "continue", "def",    "del",    "elif",     "else",
        "except", "finally",  "for",    "from",   "global",   "if",
        "import", "in",       "is",     "lambda", "nonlocal", "not",
        "or",     "pass",     "raise",  "return", "try",      "while",
        "with",   "xor",      "yield"};
    if (p->token.kind != TOKEN_NAME || p->token.length > strlen("continue"))
        return false;
    char first = p->program->text[p->token.at];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i][0] == first && parser_at_word(p, words[i]))
            return true;
    return false;
}

sonata_status parser_take_op(parser *p, uint32_t op, const char *what)
{
    if (!parser_at_op(p, op))
        return parser_expected(p, what);
    return parser_advance(p);
}

sonata_status parser_take_word(parser *p, const char *word)
{
    if (parser_at_word(p, word))
        return parser_advance(p);
    char what[32];
    snprintf(what, sizeof what, "'%s'", word);
    return parser_expected(p, what);
}

sonata_status parser_take_newline(parser *p)
{
    if (p->token.kind != TOKEN_NEWLINE)
        return parser_expected(p, "the end of the line");
    return parser_advance(p);
}

sonata_status parser_grow(parser *p, void *items, uint32_t *room,
                          uint32_t count, size_t size)
{
    if (count >= MAX_NODES)
        return parser_fail(p, SONATA_RANGE, p->token.at,
                           "more than 67108864 syntax nodes");
    if (!array_grow(items, count, room, size))
        return parser_fail(p, SONATA_NO_MEMORY, p->token.at, "out of memory");
    return SONATA_OK;
}

/* A plain name: becomes at and length. `what` is for the message. */
sonata_status parser_take_name(parser *p, const char *what, uint32_t *at,
                               uint32_t *length)
{
    bool dotted = p->token.kind == TOKEN_NAME &&
                  memchr(p->program->text + p->token.at, '.', p->token.length);
    if (p->token.kind != TOKEN_NAME || dotted || parser_is_reserved(p))
        return parser_expected(p, what);
    *at = p->token.at;
    *length = p->token.length;
    return parser_advance(p);
}
