/* A syntax error far down in a dump has no message. */
#include "../../../planner/dump/ast.h"

#define FAR 40 /* lines */

sonata_status __real_ast_parse(ast_program *program, const char *text,
                               size_t length, sonata_error *error);
sonata_status __wrap_ast_parse(ast_program *program, const char *text,
                               size_t length, sonata_error *error);

sonata_status __wrap_ast_parse(ast_program *program, const char *text,
                               size_t length, sonata_error *error)
{
    sonata_status status = __real_ast_parse(program, text, length, error);
    if (status == SONATA_SYNTAX && error->line > FAR)
        error->message[0] = '\0';
    return status;
}
