/*
 * Statements and blocks of a function, with a stack of open blocks of our own.
 */
#include <string.h>

#include "parser.h"

static const ast_expr *expr_of(const parser *p, ast_node node)
{
    return &p->program->exprs[node];
}

static bool is_plain_name(const parser *p, ast_node node)
{
    const ast_expr *expr = expr_of(p, node);
    return expr->kind == AST_NAME &&
           !memchr(p->program->text + expr->at, '.', expr->length);
}

/* A tuple of one plain name or more. */
static bool is_names(const parser *p, ast_node node)
{
    if (expr_of(p, node)->kind != AST_TUPLE)
        return false;
    ast_node item = expr_of(p, node)->child;
    if (item == AST_NONE)
        return false;
    for (; item != AST_NONE; item = expr_of(p, item)->next)
        if (!is_plain_name(p, item))
            return false;
    return true;
}

static bool is_call_of(const parser *p, ast_node node, const char *callee)
{
    const ast_expr *expr = expr_of(p, node);
    return expr->kind == AST_CALL && ast_is(p->program, expr->child, callee);
}

static parser_block *top_block(parser *p)
{
    return &p->blocks[p->block_count - 1];
}

static sonata_status new_stmt(parser *p, ast_stmt_kind kind, ast_stmt *stmt)
{
    ast_program *program = p->program;
    sonata_status status =
        parser_grow(p, &program->stmts, &p->stmt_room, program->stmt_count,
                    sizeof *program->stmts);
    if (status)
        return status;
    *stmt = program->stmt_count++;
    program->stmts[*stmt] = (ast_statement){.kind = (uint8_t)kind,
                                            .at = p->token.at,
                                            .target = AST_NONE,
                                            .carries = AST_NONE,
                                            .type = AST_NONE,
                                            .value = AST_NONE,
                                            .body = AST_NONE,
                                            .orelse = AST_NONE,
                                            .next = AST_NONE};
    return SONATA_OK;
}

static void link_stmt(parser *p, ast_stmt stmt)
{
    parser_block *block = top_block(p);
    ast_program *program = p->program;
    if (block->last != AST_NONE)
        program->stmts[block->last].next = stmt;
    else if (block->owner == AST_NONE)
        program->funcs[program->func_count - 1].body = stmt;
    else if (block->orelse)
        program->stmts[block->owner].orelse = stmt;
    else
        program->stmts[block->owner].body = stmt;
    block->last = stmt;
    if (program->stmts[stmt].kind != STMT_COMMENT) {
        block->started = true;
        block->branch = AST_NONE;
    }
}

static sonata_status push_block(parser *p, ast_stmt owner, bool orelse,
                                uint32_t depth)
{
    if (depth > LEXER_MAX_BLOCKS)
        return parser_fail(p, SONATA_RANGE, p->token.at,
                           "more than 64 nested blocks");
    p->blocks[p->block_count++] = (parser_block){.owner = owner,
                                                 .orelse = orelse,
                                                 .last = AST_NONE,
                                                 .branch = AST_NONE,
                                                 .depth = depth};
    return SONATA_OK;
}

/* Targets of an assignment: a name, or names between commas. */
static sonata_status check_target(parser *p, ast_node target)
{
    if (is_plain_name(p, target) || is_names(p, target))
        return SONATA_OK;
    return parser_fail(p, SONATA_SYNTAX, expr_of(p, target)->at,
                       "expected a name, or names, left of '='");
}

/* "target [: type] = value"; the target is read already. */
static sonata_status assign_stmt(parser *p, ast_stmt stmt, ast_node target)
{
    ast_node type = AST_NONE;
    ast_node value;
    sonata_status status = SONATA_OK;
    if (parser_at_op(p, ':')) {
        if (!is_plain_name(p, target))
            return parser_fail(p, SONATA_SYNTAX, expr_of(p, target)->at,
                               "expected one name before ':'");
        status = parser_advance(p);
        if (!status)
            status = parser_expr(p, &type);
    }
    if (!status)
        status = check_target(p, target);
    if (!status)
        status = parser_take_op(p, '=', "'='");
    if (!status)
        status = parser_exprs(p, &value);
    if (status)
        return status;
    ast_statement *s = &p->program->stmts[stmt];
    s->kind = STMT_ASSIGN;
    s->target = target;
    s->type = type;
    s->value = value;
    return SONATA_OK;
}

static sonata_status expr_stmt(parser *p, ast_stmt stmt)
{
    ast_node value;
    sonata_status status = parser_exprs(p, &value);
    if (status)
        return status;
    if (parser_at_op(p, ':') || parser_at_op(p, '='))
        return assign_stmt(p, stmt, value);
    ast_statement *s = &p->program->stmts[stmt];
    if (expr_of(p, value)->kind == AST_ELLIPSIS) {
        s->kind = STMT_PASS;
        s->is_ellipsis = true;
    } else {
        s->value = value;
    }
    return SONATA_OK;
}

static sonata_status return_stmt(parser *p, ast_stmt stmt)
{
    sonata_status status = parser_advance(p);
    if (status)
        return status;
    p->program->stmts[stmt].kind = STMT_RETURN;
    if (p->token.kind == TOKEN_NEWLINE)
        return SONATA_OK;
    ast_node value;
    status = parser_exprs(p, &value);
    if (!status)
        p->program->stmts[stmt].value = value;
    return status;
}

static sonata_status word_stmt(parser *p, ast_stmt stmt, ast_stmt_kind kind)
{
    p->program->stmts[stmt].kind = (uint8_t)kind;
    return parser_advance(p);
}

/* "pl.func_attr({..})" first in a function: kept as its attributes. */
static bool takes_attrs(parser *p, ast_stmt stmt)
{
    ast_function *func = &p->program->funcs[p->program->func_count - 1];
    const ast_statement *s = &p->program->stmts[stmt];
    if (s->kind != STMT_EXPR || p->block_count != 1 || p->blocks[0].started ||
        func->attrs != AST_NONE || !is_call_of(p, s->value, "pl.func_attr"))
        return false;
    ast_node dict = expr_of(p, expr_of(p, s->value)->child)->next;
    if (dict == AST_NONE || expr_of(p, dict)->kind != AST_DICT ||
        expr_of(p, dict)->next != AST_NONE)
        return false;
    func->attrs = dict;
    return true;
}

static sonata_status simple_stmt(parser *p)
{
    ast_stmt stmt;
    sonata_status status = new_stmt(p, STMT_EXPR, &stmt);
    if (status)
        return status;
    if (parser_at_word(p, "return"))
        status = return_stmt(p, stmt);
    else if (parser_at_word(p, "pass"))
        status = word_stmt(p, stmt, STMT_PASS);
    else if (parser_at_word(p, "break"))
        status = word_stmt(p, stmt, STMT_BREAK);
    else if (parser_at_word(p, "continue"))
        status = word_stmt(p, stmt, STMT_CONTINUE);
    else if (parser_is_reserved(p) && !parser_at_word(p, "not"))
        status = parser_expected(p, "a statement of a dump");
    else
        status = expr_stmt(p, stmt);
    if (!status)
        status = parser_take_newline(p);
    if (status)
        return status;
    if (takes_attrs(p, stmt))
        p->program->stmt_count--;
    else
        link_stmt(p, stmt);
    return SONATA_OK;
}

/* ":" and what follows: an indented block, or one statement on the line. */
static sonata_status open_block(parser *p, ast_stmt owner, bool orelse,
                                uint32_t depth)
{
    sonata_status status = parser_take_op(p, ':', "':'");
    if (!status)
        status = push_block(p, owner, orelse, depth);
    if (status)
        return status;
    if (p->token.kind != TOKEN_NEWLINE) {
        status = simple_stmt(p);
        p->block_count--;
        return status;
    }
    status = parser_advance(p);
    if (status)
        return status;
    if (p->token.kind != TOKEN_INDENT)
        return parser_expected(p, "an indented block");
    return parser_advance(p);
}

/* Loop variable and carries: "i", "i, (a,)", or "(a,)" alone for a while_. */
static sonata_status split_targets(parser *p, ast_statement *s,
                                   ast_node targets)
{
    bool carried = is_call_of(p, s->value, "pl.while_");
    ast_node first = expr_of(p, targets)->child;
    if (carried) {
        if (!is_names(p, targets))
            return parser_fail(p, SONATA_SYNTAX, expr_of(p, targets)->at,
                               "expected '(names)' before pl.while_");
        s->carries = targets;
        return SONATA_OK;
    }
    if (is_plain_name(p, targets)) {
        s->target = targets;
        return SONATA_OK;
    }
    ast_node second =
        expr_of(p, targets)->kind == AST_TUPLE && first != AST_NONE
            ? expr_of(p, first)->next
            : AST_NONE;
    if (second == AST_NONE || expr_of(p, second)->next != AST_NONE ||
        !is_plain_name(p, first) || !is_names(p, second))
        return parser_fail(p, SONATA_SYNTAX, expr_of(p, targets)->at,
                           "expected a loop variable, or one and '(names)'");
    s->target = first;
    s->carries = second;
    return SONATA_OK;
}

static bool is_iterator(const parser *p, ast_node value)
{
    static const char *const callees[] = {
        "pl.range", "pl.parallel", "pl.unroll", "pl.pipeline", "pl.while_"};
    for (size_t i = 0; i < sizeof callees / sizeof *callees; i++)
        if (is_call_of(p, value, callees[i]))
            return true;
    return false;
}

static sonata_status for_header(parser *p, ast_stmt stmt)
{
    ast_node targets;
    ast_node value;
    sonata_status status = parser_exprs(p, &targets);
    if (!status)
        status = parser_take_word(p, "in");
    if (!status)
        status = parser_expr(p, &value);
    if (status)
        return status;
    if (!is_iterator(p, value))
        return parser_fail(p, SONATA_SYNTAX, expr_of(p, value)->at,
                           "expected a call of pl.range, pl.parallel, "
                           "pl.unroll, pl.pipeline or pl.while_");
    ast_statement *s = &p->program->stmts[stmt];
    s->value = value;
    return split_targets(p, s, targets);
}

static sonata_status value_header(parser *p, ast_stmt stmt)
{
    ast_node value;
    sonata_status status = parser_expr(p, &value);
    if (status)
        return status;
    ast_statement *s = &p->program->stmts[stmt];
    s->value = value;
    if (s->kind == STMT_WITH && !is_call_of(p, value, "pl.scope"))
        return parser_fail(p, SONATA_SYNTAX, expr_of(p, value)->at,
                           "expected a call of pl.scope");
    return SONATA_OK;
}

static bool compound_kind(const parser *p, ast_stmt_kind *kind)
{
    static const struct {
        const char *word;
        ast_stmt_kind kind;
    } words[] = {{"for", STMT_FOR},
                 {"while", STMT_WHILE},
                 {"if", STMT_IF},
                 {"with", STMT_WITH}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (parser_at_word(p, words[i].word)) {
            *kind = words[i].kind;
            return true;
        }
    }
    return false;
}

static sonata_status compound_stmt(parser *p, ast_stmt_kind kind)
{
    ast_stmt stmt;
    sonata_status status = new_stmt(p, kind, &stmt);
    if (!status)
        status = parser_advance(p);
    if (!status)
        status = kind == STMT_FOR ? for_header(p, stmt) : value_header(p, stmt);
    if (status)
        return status;
    link_stmt(p, stmt);
    parser_block *block = top_block(p);
    block->chained = 0;
    if (kind == STMT_IF)
        block->branch = stmt;
    return open_block(p, stmt, false, block->depth + 1);
}

/* "elif" is an if of its own in the else branch of the one before. */
static sonata_status elif_branch(parser *p, ast_stmt branch)
{
    ast_stmt stmt;
    sonata_status status = new_stmt(p, STMT_IF, &stmt);
    if (!status)
        status = parser_advance(p);
    if (!status)
        status = value_header(p, stmt);
    if (status)
        return status;
    p->program->stmts[branch].orelse = stmt;
    parser_block *block = top_block(p);
    block->branch = stmt;
    block->chained++;
    return open_block(p, stmt, false, block->depth + block->chained + 1);
}

static sonata_status else_branch(parser *p)
{
    parser_block *block = top_block(p);
    ast_stmt branch = block->branch;
    if (branch == AST_NONE)
        return parser_expected(p, "a statement (there is no if before it)");
    if (parser_at_word(p, "elif"))
        return elif_branch(p, branch);
    block->branch = AST_NONE;
    sonata_status status = parser_advance(p);
    if (status)
        return status;
    return open_block(p, branch, true, block->depth + block->chained + 1);
}

static sonata_status comment_stmt(parser *p)
{
    ast_stmt stmt;
    sonata_status status = new_stmt(p, STMT_COMMENT, &stmt);
    if (status)
        return status;
    p->program->stmts[stmt].length = p->token.length;
    link_stmt(p, stmt);
    return parser_advance(p);
}

static sonata_status body_step(parser *p)
{
    ast_stmt_kind kind;
    if (p->token.kind == TOKEN_DEDENT) {
        p->block_count--;
        return parser_advance(p);
    }
    if (p->token.kind == TOKEN_COMMENT)
        return comment_stmt(p);
    if (p->token.kind == TOKEN_INDENT)
        return parser_expected(p, "no deeper indentation");
    if (parser_at_word(p, "else") || parser_at_word(p, "elif"))
        return else_branch(p);
    if (compound_kind(p, &kind))
        return compound_stmt(p, kind);
    return simple_stmt(p);
}

sonata_status parser_body(parser *p)
{
    p->block_count = 0;
    sonata_status status = open_block(p, AST_NONE, false, 0);
    while (!status && p->block_count > 0)
        status = body_step(p);
    return status;
}
