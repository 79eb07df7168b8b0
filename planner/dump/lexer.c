#include "lexer.h"

#include <string.h>

void lexer_init(lexer *lex, const char *text, uint32_t length)
{
    memset(lex, 0, sizeof *lex);
    lex->text = text;
    lex->length = length;
    lex->at_line_start = true;
    lex->indent_count = 1; /* column 0 */
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Python allows letters beyond ASCII in names; the text is known as UTF-8. */
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           c == '_' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static char char_at(const lexer *lex, uint32_t at)
{
    return at < lex->length ? lex->text[at] : '\0';
}

static bool fault(lexer *lex, sonata_status status, uint32_t at,
                  const char *message)
{
    lex->fault = message;
    lex->fault_at = at;
    lex->fault_status = status;
    return false;
}

/* Offset of the line feed that ends the line of `at`, or of the end. */
static uint32_t line_end(const lexer *lex, uint32_t at)
{
    const char *feed = memchr(lex->text + at, '\n', lex->length - at);
    return feed ? (uint32_t)(feed - lex->text) : lex->length;
}

static uint32_t skip_feed(const lexer *lex, uint32_t at)
{
    return at < lex->length ? at + 1 : at;
}

static uint32_t skip_blanks(const lexer *lex, uint32_t at)
{
    while (is_blank(char_at(lex, at)))
        at++;
    return at;
}

/* Finds where the run of blank and comment lines from `at` on ends. */
static void scan_run(lexer *lex, uint32_t at)
{
    for (;;) {
        uint32_t text = skip_blanks(lex, at);
        char c = char_at(lex, text);
        if (text >= lex->length || (c != '#' && c != '\n')) {
            lex->run_end = at;
            lex->run_indent = text >= lex->length ? 0 : text - at;
            return;
        }
        at = skip_feed(lex, line_end(lex, text));
    }
}

static bool give(lexer *lex, lexer_token *token, token_kind kind, uint32_t end)
{
    token->kind = kind;
    token->at = lex->at;
    token->length = end - lex->at;
    token->op = 0;
    lex->at = end;
    return true;
}

static bool give_comment(lexer *lex, lexer_token *token)
{
    uint32_t end = line_end(lex, lex->at);
    uint32_t next = skip_feed(lex, end);
    lex->at += char_at(lex, lex->at + 1) == ' ' ? 2 : 1;
    while (end > lex->at && is_blank(lex->text[end - 1]))
        end--;
    give(lex, token, TOKEN_COMMENT, end);
    lex->at = next;
    lex->at_line_start = true;
    lex->in_comment = false;
    return true;
}

static void close_indents(lexer *lex, uint32_t indent)
{
    while (lex->indents[lex->indent_count - 1] > indent) {
        lex->indent_count--;
        lex->dedents++;
    }
}

/*
 * A comment does not end a block in Python. It belongs to the deepest block
 * that either its own column or the next statement's keeps open.
 */
static uint32_t comment_indent(lexer *lex, uint32_t line, uint32_t column)
{
    if (line >= lex->run_end)
        scan_run(lex, line);
    uint32_t top = lex->indents[lex->indent_count - 1];
    if (lex->run_indent > top)
        return lex->run_indent;
    uint32_t indent = column > lex->run_indent ? column : lex->run_indent;
    return indent > top ? top : indent;
}

/* Deals with the start of a line; *given says that *token holds a token. */
static bool start_line(lexer *lex, lexer_token *token, bool *given)
{
    uint32_t line = lex->at;
    uint32_t text = skip_blanks(lex, line);
    while (text < lex->length && lex->text[text] == '\n') {
        line = text + 1;
        text = skip_blanks(lex, line);
    }
    bool ends = text >= lex->length;
    const char *tab = memchr(lex->text + line, '\t', text - line);
    if (tab && !ends)
        return fault(lex, SONATA_SYNTAX, (uint32_t)(tab - lex->text),
                     "a tab in the indentation");
    bool comment = char_at(lex, text) == '#';
    uint32_t indent = ends ? 0 : text - line;
    if (comment)
        indent = comment_indent(lex, line, indent);
    lex->at = text;
    lex->at_line_start = false;
    lex->in_comment = comment;
    uint32_t top = lex->indents[lex->indent_count - 1];
    if (indent > top) {
        if (lex->indent_count == LEXER_MAX_INDENTS)
            return fault(lex, SONATA_RANGE, text, "more than 64 nested blocks");
        lex->indents[lex->indent_count++] = indent;
        *given = give(lex, token, TOKEN_INDENT, text);
        return true;
    }
    close_indents(lex, indent);
    if (!comment && lex->indents[lex->indent_count - 1] != indent)
        return fault(lex, SONATA_SYNTAX, text,
                     "an indentation that matches no outer block");
    return true;
}

/* Between tokens; inside brackets line ends and comments are nothing. */
static void skip_space(lexer *lex)
{
    for (;;) {
        lex->at = skip_blanks(lex, lex->at);
        char c = char_at(lex, lex->at);
        if (c == '#')
            lex->at = line_end(lex, lex->at);
        else if (c == '\n' && lex->brackets > 0)
            lex->at++;
        else
            return;
    }
}

static bool read_name(lexer *lex, lexer_token *token)
{
    uint32_t end = lex->at;
    for (;;) {
        while (is_word(char_at(lex, end)))
            end++;
        if (char_at(lex, end) != '.' || !is_word(char_at(lex, end + 1)) ||
            is_digit(char_at(lex, end + 1)))
            return give(lex, token, TOKEN_NAME, end);
        end++;
    }
}

static bool read_string(lexer *lex, lexer_token *token)
{
    char quote = lex->text[lex->at];
    uint32_t end = lex->at + 1;
    while (end < lex->length && lex->text[end] != quote &&
           lex->text[end] != '\n') {
        /* Strings in single quotes are printed without escapes. */
        bool escape = quote == '"' && lex->text[end] == '\\' &&
                      char_at(lex, end + 1) != '\n';
        end += escape ? 2 : 1;
    }
    uint32_t start = lex->at;
    if (char_at(lex, end) != quote) {
        lex->at = end < lex->length ? end : lex->length;
        return fault(lex, SONATA_SYNTAX, start,
                     "a string that is not closed on its line");
    }
    lex->at++;
    give(lex, token, TOKEN_STRING, end);
    lex->at++;
    return true;
}

/* Digits with single underscores between them; the first one stands at `at`. */
static uint32_t skip_digits(const lexer *lex, uint32_t at)
{
    while (is_digit(char_at(lex, at)) ||
           (char_at(lex, at) == '_' && is_digit(char_at(lex, at + 1))))
        at++;
    return at;
}

static uint32_t skip_based(const lexer *lex, uint32_t at, const char *digits)
{
    for (;;) {
        uint32_t digit = at + (char_at(lex, at) == '_' ? 1 : 0);
        if (!char_at(lex, digit) || !strchr(digits, char_at(lex, digit)))
            return at;
        at = digit + 1;
    }
}

static const char *digits_of_base(char letter)
{
    switch (letter) {
    case 'x':
    case 'X':
        return "0123456789abcdefABCDEF";
    case 'o':
    case 'O':
        return "01234567";
    case 'b':
    case 'B':
        return "01";
    default:
        return NULL;
    }
}

/* Python refuses "007", and so does whoever would take it for octal. */
static bool has_leading_zero(const lexer *lex, uint32_t at, uint32_t end)
{
    if (lex->text[at] != '0')
        return false;
    while (at < end && (lex->text[at] == '0' || lex->text[at] == '_'))
        at++;
    return at < end;
}

static uint32_t skip_exponent(const lexer *lex, uint32_t at)
{
    if (char_at(lex, at) != 'e' && char_at(lex, at) != 'E')
        return at;
    char sign = char_at(lex, at + 1);
    uint32_t digits = at + (sign == '+' || sign == '-' ? 2 : 1);
    return is_digit(char_at(lex, digits)) ? skip_digits(lex, digits) : at;
}

/* A fraction and an exponent, if there are any. */
static uint32_t skip_fraction(const lexer *lex, uint32_t at)
{
    if (char_at(lex, at) == '.') {
        at++;
        if (is_digit(char_at(lex, at)))
            at = skip_digits(lex, at);
    }
    return skip_exponent(lex, at);
}

static bool read_number(lexer *lex, lexer_token *token)
{
    uint32_t start = lex->at;
    uint32_t end = start;
    token_kind kind = TOKEN_INT;
    const char *digits = NULL;
    bool malformed;
    if (lex->text[start] == '0')
        digits = digits_of_base(char_at(lex, start + 1));
    if (digits) {
        end = skip_based(lex, start + 2, digits);
        malformed = end == start + 2;
    } else {
        uint32_t whole = skip_digits(lex, start);
        end = skip_fraction(lex, whole);
        if (end > whole)
            kind = TOKEN_FLOAT;
        malformed = kind == TOKEN_INT && has_leading_zero(lex, start, end);
    }
    if (malformed || is_word(char_at(lex, end))) {
        lex->at = end;
        return fault(lex, SONATA_SYNTAX, start, "a malformed number");
    }
    return give(lex, token, kind, end);
}

static uint32_t pair_of(char a, char b)
{
    static const char pairs[][2] = {{'*', '*'}, {'/', '/'}, {'<', '<'},
                                    {'>', '>'}, {'<', '='}, {'>', '='},
                                    {'=', '='}, {'!', '='}, {'-', '>'}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == a && pairs[i][1] == b)
            return TOKEN_PAIR(a, b);
    return 0;
}

static bool give_op(lexer *lex, lexer_token *token, uint32_t op,
                    uint32_t length)
{
    give(lex, token, TOKEN_OP, lex->at + length);
    token->op = op;
    return true;
}

static bool read_op(lexer *lex, lexer_token *token)
{
    char c = lex->text[lex->at];
    char next = char_at(lex, lex->at + 1);
    if (c == '.' && next == '.' && char_at(lex, lex->at + 2) == '.')
        return give_op(lex, token, TOKEN_ELLIPSIS, 3);
    uint32_t pair = pair_of(c, next);
    if (pair)
        return give_op(lex, token, pair, 2);
    if (c == '(' || c == '[' || c == '{') {
        if (lex->brackets == LEXER_MAX_BRACKETS)
            return fault(lex, SONATA_RANGE, lex->at,
                         "more than 256 nested brackets");
        lex->brackets++;
    } else if (c == ')' || c == ']' || c == '}') {
        lex->brackets -= lex->brackets > 0 ? 1 : 0;
    } else if (!strchr(".,:=+-*/%<>|^&~@", c) || (c == '.' && next == '.')) {
        uint32_t start = lex->at;
        lex->at += next == '.' ? 2 : 1; /* may be the half of "..." */
        return fault(lex, SONATA_SYNTAX, start,
                     "a character that no dump has here");
    }
    return give_op(lex, token, (unsigned char)c, 1);
}

static bool read_end(lexer *lex, lexer_token *token)
{
    if (lex->brackets > 0 || lex->at_line_start)
        return give(lex, token, TOKEN_END, lex->at);
    /* The last line may lack its line feed. */
    lex->at_line_start = true;
    return give(lex, token, TOKEN_NEWLINE, lex->at);
}

bool lexer_next(lexer *lex, lexer_token *token)
{
    bool given = false;
    if (lex->at_line_start && lex->dedents == 0) {
        if (!start_line(lex, token, &given))
            return false;
        if (given)
            return true;
        /* Nothing but the end: read_end must not make a line of it. */
        if (lex->at >= lex->length)
            lex->at_line_start = true;
    }
    if (lex->dedents > 0) {
        lex->dedents--;
        return give(lex, token, TOKEN_DEDENT, lex->at);
    }
    if (lex->in_comment)
        return give_comment(lex, token);
    skip_space(lex);
    if (lex->at >= lex->length)
        return read_end(lex, token);
    char c = lex->text[lex->at];
    if (c == '\n') {
        give(lex, token, TOKEN_NEWLINE, lex->at + 1);
        token->length = 0;
        lex->at_line_start = true;
        return true;
    }
    if (is_digit(c) || (c == '.' && is_digit(char_at(lex, lex->at + 1))))
        return read_number(lex, token);
    if (is_word(c))
        return read_name(lex, token);
    if (c == '"' || c == '\'')
        return read_string(lex, token);
    return read_op(lex, token);
}

bool lexer_sees_assign(const lexer *lex)
{
    uint32_t at = skip_blanks(lex, lex->at);
    return char_at(lex, at) == '=' && char_at(lex, at + 1) != '=';
}

/*
 * Walks one line of plain Python from `at` to its line feed or the end. *open
 * is the quote of a triple-quoted string that the line starts or ends in, or 0.
 */
static uint32_t walk_line(const lexer *lex, uint32_t at, char *open)
{
    char quote = 0; /* of a string that ends with its line at the latest */
    while (at < lex->length && lex->text[at] != '\n') {
        char c = lex->text[at];
        bool triple = (c == '"' || c == '\'') && char_at(lex, at + 1) == c &&
                      char_at(lex, at + 2) == c;
        char inside = *open ? *open : quote;
        if (inside && c == '\\' && char_at(lex, at + 1) != '\n') {
            at += 2;
            continue;
        }
        if (*open) {
            if (triple && c == *open) {
                *open = 0;
                at += 2;
            }
        } else if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (triple) {
            *open = c;
            at += 2;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#') {
            return line_end(lex, at);
        }
        at++;
    }
    return at < lex->length ? at : lex->length;
}

static bool is_function_line(const lexer *lex, uint32_t at)
{
    static const char word[] = "@pl.function";
    size_t length = sizeof word - 1;
    return lex->length - at >= length &&
           memcmp(lex->text + at, word, length) == 0 &&
           !is_word(char_at(lex, at + (uint32_t)length));
}

void lexer_skip_block(lexer *lex, uint32_t from, uint32_t indents,
                      uint32_t indent)
{
    char open = 0;
    uint32_t line = skip_feed(lex, walk_line(lex, from, &open));
    while (line < lex->length) {
        uint32_t text = line;
        while (char_at(lex, text) == ' ')
            text++;
        char c = char_at(lex, text);
        bool at_level = text - line <= indent && c != '\t';
        bool blank = c == '\n' || c == '\r' || c == '#' || c == '\0';
        if (text - line == indent && is_function_line(lex, text))
            break;
        if (at_level && !blank && !open)
            break;
        line = skip_feed(lex, walk_line(lex, open ? line : text, &open));
    }
    lex->at = line;
    lex->at_line_start = true;
    lex->in_comment = false;
    lex->brackets = 0;
    lex->dedents = 0;
    lex->indent_count = indents;
    lex->run_end = 0;
}
