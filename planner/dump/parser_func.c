/*
 * Functions: decorator, signature and what becomes of the body.
 */
#include <string.h>

#include "parser.h"

/* The node behind "NAME=" in a call, or AST_NONE. */
static ast_node keyword_of(const ast_program *program, ast_node call,
                           const char *name)
{
    if (call == AST_NONE)
        return AST_NONE;
    ast_node item = program->exprs[call].child;
    for (; item != AST_NONE; item = program->exprs[item].next)
        if (program->exprs[item].kind == AST_KEYWORD &&
            ast_is(program, item, name))
            return program->exprs[item].child;
    return AST_NONE;
}

static ast_func_kind kind_of_type(const ast_program *program, ast_node type)
{
    static const struct {
        const char *word;
        ast_func_kind kind;
    } types[] = {
        {"pl.FunctionType.Orchestration", FUNC_ORCHESTRATION},
        {"pl.FunctionType.Opaque", FUNC_HOST},
        {"pl.FunctionType.InCore", FUNC_INCORE},
        {"pl.FunctionType.AIC", FUNC_AIC},
        {"pl.FunctionType.AIV", FUNC_AIV},
        {"pl.FunctionType.Group", FUNC_GROUP},
        {"pl.FunctionType.Spmd", FUNC_SPMD},
    };
    if (type == AST_NONE)
        return FUNC_HOST;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (ast_is(program, type, types[i].word))
            return types[i].kind;
    return FUNC_OTHER;
}

/* A host's sub-worker is plain Python, which only its signature tells of. */
static ast_func_kind kind_of(const ast_program *program, ast_node decorator)
{
    ast_func_kind kind =
        kind_of_type(program, keyword_of(program, decorator, "type"));
    bool at_host = ast_is(program, keyword_of(program, decorator, "level"),
                          "pl.Level.HOST");
    if (at_host && kind == FUNC_ORCHESTRATION)
        kind = FUNC_HOST;
    if (kind == FUNC_HOST &&
        ast_is(program, keyword_of(program, decorator, "role"),
               "pl.Role.SubWorker"))
        kind = FUNC_OTHER;
    return kind;
}

static sonata_status function_decorator(parser *p, ast_function *func)
{
    const ast_program *program = p->program;
    ast_node node;
    sonata_status status = parser_take_op(p, '@', "'@pl.function'");
    if (status)
        return status;
    uint32_t at = p->token.at;
    status = parser_expr(p, &node);
    if (status)
        return status;
    bool call = program->exprs[node].kind == AST_CALL;
    if (!ast_is(program, call ? program->exprs[node].child : node,
                "pl.function"))
        return parser_fail(p, SONATA_SYNTAX, at, "expected 'pl.function'");
    func->decorator = call ? node : AST_NONE;
    func->kind = kind_of(program, func->decorator);
    func->has_external =
        keyword_of(program, func->decorator, "external_source") != AST_NONE;
    ast_node scope = keyword_of(program, func->decorator, "auto_scope");
    func->auto_scope =
        scope == AST_NONE || program->exprs[scope].kind != AST_FALSE;
    return parser_take_newline(p);
}

/* Takes "pl.Out[..]" and "pl.InOut[..]" off a type. */
static void unwrap_direction(const ast_program *program, ast_param *param)
{
    const ast_expr *type = &program->exprs[param->type];
    if (type->kind != AST_INDEX)
        return;
    if (ast_is(program, type->child, "pl.Out"))
        param->direction = AST_OUT;
    else if (ast_is(program, type->child, "pl.InOut"))
        param->direction = AST_INOUT;
    else
        return;
    param->type = program->exprs[type->child].next;
}

static sonata_status parameter(parser *p)
{
    ast_program *program = p->program;
    ast_param param = {.direction = AST_IN};
    sonata_status status =
        parser_take_name(p, "a parameter or ')'", &param.at, &param.length);
    if (!status)
        status = parser_take_op(p, ':', "':' and a type");
    if (!status)
        status = parser_expr(p, &param.type);
    if (!status)
        status = parser_grow(p, &program->params, &p->param_room,
                             program->param_count, sizeof *program->params);
    if (status)
        return status;
    unwrap_direction(program, &param);
    program->params[program->param_count++] = param;
    return SONATA_OK;
}

static sonata_status parameters(parser *p, ast_function *func)
{
    sonata_status status = parser_take_op(p, '(', "'('");
    func->first_param = p->program->param_count;
    bool first = true;
    while (!status && !parser_at_op(p, ')')) {
        if (first && parser_at_word(p, "self")) {
            func->has_self = true;
            status = parser_advance(p);
        } else {
            status = parameter(p);
        }
        first = false;
        if (!status && !parser_at_op(p, ')'))
            status = parser_take_op(p, ',', "',' or ')'");
    }
    if (status)
        return status;
    func->params = p->program->param_count - func->first_param;
    return parser_advance(p);
}

static sonata_status signature(parser *p, ast_function *func)
{
    sonata_status status = function_decorator(p, func);
    /* A comment between the decorator and the function says nothing. */
    while (!status && p->token.kind == TOKEN_COMMENT)
        status = parser_advance(p);
    if (!status)
        status = parser_take_word(p, "def");
    if (!status)
        status =
            parser_take_name(p, "a function's name", &func->at, &func->length);
    if (!status)
        status = parameters(p, func);
    if (!status && parser_at_op(p, TOKEN_PAIR('-', '>'))) {
        status = parser_advance(p);
        if (!status)
            status = parser_expr(p, &func->result);
    }
    return status;
}

static bool is_parsed_in_full(ast_func_kind kind)
{
    return kind == FUNC_ORCHESTRATION || kind == FUNC_HOST ||
           kind == FUNC_GROUP || kind == FUNC_SPMD;
}

/* Parses the body of the last function; a kernel's may be beyond us. */
static sonata_status function_body(parser *p, uint32_t column)
{
    ast_program *program = p->program;
    uint32_t exprs = program->expr_count;
    uint32_t stmts = program->stmt_count;
    uint32_t start = p->token.at;
    sonata_status status = parser_body(p);
    ast_function *func = &program->funcs[program->func_count - 1];
    /* What ends with the text was cut, whatever it was. */
    bool cut = p->lex.at >= program->length;
    if (status != SONATA_SYNTAX || is_parsed_in_full(func->kind) || cut)
        return status;
    func->unreadable = true;
    func->error = *p->error;
    func->body = AST_NONE;
    program->stmt_count = stmts;
    /* Attributes stand first: what was built behind them goes. */
    program->expr_count = func->attrs == AST_NONE ? exprs : func->attrs + 1;
    p->frame_count = 0;
    memset(p->error, 0, sizeof *p->error);
    lexer_skip_block(&p->lex, start, 2, column);
    return parser_advance(p);
}

/* `column` is the indentation of the class's functions. */
sonata_status parser_function(parser *p, uint32_t column)
{
    ast_program *program = p->program;
    sonata_status status =
        parser_grow(p, &program->funcs, &p->func_room, program->func_count,
                    sizeof *program->funcs);
    if (status)
        return status;
    ast_function func;
    memset(&func, 0, sizeof func);
    func.attrs = AST_NONE;
    func.result = AST_NONE;
    func.body = AST_NONE;
    status = signature(p, &func);
    if (status)
        return status;
    if (!parser_at_op(p, ':'))
        return parser_expected(p, "':'");
    program->funcs[program->func_count++] = func;
    return function_body(p, column);
}
