#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../planner/dump/ast.h"

#include "sonata/dump.h"

/* Children lie before their parents and inside its range, texts in the text. */
static void check_exprs(const ast_program *program)
{
    for (uint32_t i = 0; i < program->expr_count; i++) {
        const ast_expr *expr = &program->exprs[i];
        if (expr->first > i || expr->at + expr->length > program->length)
            abort();
        ast_node expected = expr->first;
        ast_node child = expr->child;
        for (; child != AST_NONE; child = program->exprs[child].next) {
            if (child >= i || program->exprs[child].first != expected)
                abort();
            expected = child + 1;
        }
        if (expected != i)
            abort();
    }
}

static void check_stmts(const ast_program *program)
{
    for (uint32_t i = 0; i < program->stmt_count; i++) {
        const ast_statement *stmt = &program->stmts[i];
        if (stmt->at + stmt->length > program->length ||
            (stmt->next != AST_NONE &&
             (stmt->next <= i || stmt->next >= program->stmt_count)) ||
            (stmt->value != AST_NONE && stmt->value >= program->expr_count))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A copy of its own, so that reading past the end is seen. */
    char *text = malloc(size ? size : 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    sonata_dump_detect(text, size);
    ast_program program;
    sonata_error error;
    memset(&error, 0, sizeof error);
    if (ast_parse(&program, text, size, &error)) {
        if (!error.code[0] || !error.message[0] || error.offset > size ||
            error.line == 0 || error.column == 0)
            abort();
    } else {
        check_exprs(&program);
        check_stmts(&program);
        ast_free(&program);
    }
    free(text);
    return 0;
}
