#include "ast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser.h"

void ast_free(ast_program *program)
{
    free(program->exprs);
    free(program->stmts);
    free(program->funcs);
    free(program->params);
    free(program->symbols);
    free(program->lines);
    memset(program, 0, sizeof *program);
}

void ast_position(const ast_program *program, uint32_t at, uint64_t *line,
                  uint64_t *column)
{
    uint32_t low = 0; /* lines[low] <= at, since lines[0] is 0 */
    uint32_t high = program->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (program->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    *line = (uint64_t)low + 1;
    *column = (uint64_t)at - program->lines[low] + 1;
}

bool ast_is(const ast_program *program, ast_node node, const char *word)
{
    if (node == AST_NONE)
        return false;
    const ast_expr *expr = &program->exprs[node];
    size_t length = strlen(word);
    return expr->length == length &&
           memcmp(program->text + expr->at, word, length) == 0;
}

sonata_status ast_fail(const ast_program *program, sonata_status status,
                       uint32_t at, const char *message, sonata_error *error)
{
    const char *code = "doc.syntax";
    if (status == SONATA_RANGE)
        code = "doc.range";
    else if (status == SONATA_NO_MEMORY)
        code = "no-memory";
    memset(error, 0, sizeof *error);
    error->status = status;
    snprintf(error->code, sizeof error->code, "%s", code);
    snprintf(error->message, sizeof error->message, "%s", message);
    if (program->line_count > 0)
        ast_position(program, at, &error->line, &error->column);
    error->offset = at;
    return status;
}

/* Fills the table of line starts. */
static sonata_status find_lines(ast_program *program, sonata_error *error)
{
    const char *text = program->text;
    size_t count = 1;
    for (size_t i = 0; i < program->length; i++)
        count += text[i] == '\n';
    program->lines = malloc(count * sizeof *program->lines);
    if (!program->lines)
        return ast_fail(program, SONATA_NO_MEMORY, 0, "out of memory", error);
    uint32_t line = 0;
    program->lines[line++] = 0;
    for (size_t i = 0; i < program->length; i++)
        if (text[i] == '\n')
            program->lines[line++] = (uint32_t)i + 1;
    program->line_count = line;
    return SONATA_OK;
}

/* Bytes of the UTF-8 sequence at `text`, 0 when it is none. */
static size_t utf8_length(const unsigned char *text, size_t length)
{
    unsigned char c = text[0];
    size_t count = c < 0x80   ? 1
                   : c < 0xc2 ? 0
                   : c < 0xe0 ? 2
                   : c < 0xf0 ? 3
                   : c < 0xf5 ? 4
                              : 0;
    if (count == 0 || count > length)
        return 0;
    for (size_t i = 1; i < count; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong =
        (c == 0xe0 && text[1] < 0xa0) || (c == 0xf0 && text[1] < 0x90);
    bool surrogate = c == 0xed && text[1] >= 0xa0;
    bool beyond = c == 0xf4 && text[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : count;
}

/* Bytes that no place of a dump may have. */
static sonata_status check_bytes(const ast_program *program,
                                 sonata_error *error)
{
    const unsigned char *text = (const unsigned char *)program->text;
    size_t length = program->length;
    const char *message = NULL;
    size_t at = 0;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        message = "a byte order mark";
    while (!message && at < length) {
        size_t count = utf8_length(text + at, length - at);
        if (count == 0)
            message = "a byte that is not UTF-8";
        else if (text[at] == '\0')
            message = "a NUL byte";
        else if (text[at] == '\r' && (at + 1 == length || text[at + 1] != '\n'))
            message = "a carriage return without a line feed";
        else
            at += count;
    }
    if (!message)
        return SONATA_OK;
    return ast_fail(program, SONATA_SYNTAX, (uint32_t)at, message, error);
}

sonata_status ast_parse(ast_program *program, const char *text, size_t length,
                        sonata_error *error)
{
    memset(program, 0, sizeof *program);
    if (length >= (size_t)1 << 31)
        return ast_fail(program, SONATA_RANGE, 0,
                        "the text has 2147483648 bytes or more", error);
    program->text = text;
    program->length = length;
    sonata_status status = find_lines(program, error);
    if (!status)
        status = check_bytes(program, error);
    if (!status)
        status = parser_file(program, error);
    if (status)
        ast_free(program);
    return status;
}
