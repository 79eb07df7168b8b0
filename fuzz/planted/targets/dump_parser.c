/* The last statement of a long dump ends behind the text. */
#include "../../../planner/dump/ast.h"

#define MANY 30 /* statements */

sonata_status __real_ast_parse(ast_program *program, const char *text,
                               size_t length, sonata_error *error);
sonata_status __wrap_ast_parse(ast_program *program, const char *text,
                               size_t length, sonata_error *error);

sonata_status __wrap_ast_parse(ast_program *program, const char *text,
                               size_t length, sonata_error *error)
{
    sonata_status status = __real_ast_parse(program, text, length, error);
    if (status == SONATA_OK && program->stmt_count > MANY)
        program->stmts[program->stmt_count - 1].length =
            (uint32_t)program->length + 1;
    return status;
}
