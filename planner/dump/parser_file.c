/*
 * The file around the functions: comments, imports, symbols, class.
 */
#include <stdlib.h>
#include <string.h>

#include "parser.h"

/* "pass" or "..." in a class without functions. */
static sonata_status empty_class(parser *p)
{
    if (!parser_at_word(p, "pass") && !parser_at_op(p, TOKEN_ELLIPSIS))
        return parser_expected(p, "'@pl.function'");
    sonata_status status = parser_advance(p);
    return status ? status : parser_take_newline(p);
}

static sonata_status class_body(parser *p)
{
    sonata_status status = parser_take_newline(p);
    if (!status && p->token.kind != TOKEN_INDENT)
        status = parser_expected(p, "an indented block");
    if (!status)
        status = parser_advance(p);
    uint32_t column = p->lex.indents[p->lex.indent_count - 1];
    while (!status && p->token.kind != TOKEN_DEDENT &&
           p->token.kind != TOKEN_END) {
        if (p->token.kind == TOKEN_COMMENT)
            status = parser_advance(p);
        else if (parser_at_op(p, '@'))
            status = parser_function(p, column);
        else
            status = empty_class(p);
    }
    return status;
}

/* "NAME = pl.dynamic("TEXT")" */
static sonata_status symbol(parser *p)
{
    ast_program *program = p->program;
    ast_symbol symbol;
    sonata_status status =
        parser_take_name(p, "'@pl.program'", &symbol.at, &symbol.length);
    if (!status)
        status = parser_take_op(p, '=', "'='");
    if (!status)
        status = parser_take_word(p, "pl.dynamic");
    if (!status)
        status = parser_take_op(p, '(', "'('");
    if (status)
        return status;
    if (p->token.kind != TOKEN_STRING)
        return parser_expected(p, "a string");
    symbol.text_at = p->token.at;
    symbol.text_length = p->token.length;
    status = parser_advance(p);
    if (!status)
        status = parser_take_op(p, ')', "')'");
    if (!status)
        status = parser_take_newline(p);
    if (!status)
        status = parser_grow(p, &program->symbols, &p->symbol_room,
                             program->symbol_count, sizeof *program->symbols);
    if (!status)
        program->symbols[program->symbol_count++] = symbol;
    return status;
}

/* "import a.b as c": the names that dumps use are fixed, so none is kept. */
static sonata_status import_line(parser *p)
{
    sonata_status status = parser_advance(p);
    if (status)
        return status;
    if (p->token.kind != TOKEN_NAME || parser_is_reserved(p))
        return parser_expected(p, "a module's name");
    status = parser_advance(p);
    if (!status && parser_at_word(p, "as")) {
        uint32_t at;
        uint32_t length;
        status = parser_advance(p);
        if (!status)
            status = parser_take_name(p, "a name", &at, &length);
    }
    return status ? status : parser_take_newline(p);
}

static sonata_status header_comment(parser *p)
{
    static const char word[] = "pypto.program:";
    ast_program *program = p->program;
    uint32_t at = p->token.at;
    uint32_t end = at + p->token.length;
    uint32_t name = at + (uint32_t)(sizeof word - 1);
    if (program->name_length == 0 && name <= end &&
        memcmp(program->text + at, word, sizeof word - 1) == 0) {
        while (name < end && program->text[name] == ' ')
            name++;
        while (end > name && program->text[end - 1] == ' ')
            end--;
        program->name_at = name;
        program->name_length = end - name;
    }
    return parser_advance(p);
}

static sonata_status file_header(parser *p)
{
    sonata_status status = parser_advance(p);
    while (!status && !parser_at_op(p, '@')) {
        if (p->token.kind == TOKEN_COMMENT)
            status = header_comment(p);
        else if (parser_at_word(p, "import"))
            status = import_line(p);
        else
            status = symbol(p);
    }
    if (!status)
        status = parser_advance(p);
    if (!status)
        status = parser_take_word(p, "pl.program");
    return status ? status : parser_take_newline(p);
}

static sonata_status file(parser *p)
{
    sonata_status status = file_header(p);
    while (!status && p->token.kind == TOKEN_COMMENT)
        status = parser_advance(p);
    if (!status)
        status = parser_take_word(p, "class");
    if (!status)
        status = parser_take_name(p, "a class's name", &p->program->class_at,
                                  &p->program->class_length);
    if (!status)
        status = parser_take_op(p, ':', "':'");
    if (!status)
        status = class_body(p);
    while (!status &&
           (p->token.kind == TOKEN_DEDENT || p->token.kind == TOKEN_COMMENT))
        status = parser_advance(p);
    if (!status && p->token.kind != TOKEN_END)
        status = parser_expected(p, "the end of the text");
    return status;
}

sonata_status parser_file(ast_program *program, sonata_error *error)
{
    parser *p = calloc(1, sizeof *p);
    if (!p)
        return ast_fail(program, SONATA_NO_MEMORY, 0, "out of memory", error);
    p->program = program;
    p->error = error;
    lexer_init(&p->lex, program->text, (uint32_t)program->length);
    sonata_status status = file(p);
    free(p->frames);
    free(p);
    return status;
}
