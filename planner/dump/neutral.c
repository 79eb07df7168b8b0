#include "neutral.h"

#include <stdlib.h>
#include <string.h>

typedef struct filler {
    sonata_ir *ir;
    const ast_program *ast;
    const names *names;
    uint32_t *variables; /* per name, of the present root */
    ast_stmt *open;      /* statements still to be visited, a stack */
} filler;

static sonata_text span(const filler *f, uint32_t at, uint32_t length)
{
    return (sonata_text){f->ast->text + at, length};
}

static sonata_text node_text(const filler *f, ast_node node)
{
    return span(f, f->ast->exprs[node].at, f->ast->exprs[node].length);
}

static bool starts_with(sonata_text text, const char *prefix)
{
    size_t n = strlen(prefix);
    return text.length >= n && memcmp(text.text, prefix, n) == 0;
}

static sonata_text without(sonata_text text, const char *prefix)
{
    size_t n = strlen(prefix);
    return (sonata_text){text.text + n, text.length - n};
}

static uint32_t variable_of(filler *f, uint32_t name, sonata_text text)
{
    if (f->variables[name] == SONATA_IR_NONE)
        f->variables[name] = sonata_ir_new_variable(f->ir, text);
    return f->variables[name];
}

/* The kinds of IR nodes that operators are. */
static const char *const OPERATORS[] = {[OP_OR] = "Or",
                                        [OP_XOR] = "Xor",
                                        [OP_AND] = "And",
                                        [OP_EQ] = "Eq",
                                        [OP_NE] = "Ne",
                                        [OP_LT] = "Lt",
                                        [OP_LE] = "Le",
                                        [OP_GT] = "Gt",
                                        [OP_GE] = "Ge",
                                        [OP_BIT_OR] = "BitOr",
                                        [OP_BIT_XOR] = "BitXor",
                                        [OP_BIT_AND] = "BitAnd",
                                        [OP_SHL] = "BitShiftLeft",
                                        [OP_SHR] = "BitShiftRight",
                                        [OP_ADD] = "Add",
                                        [OP_SUB] = "Sub",
                                        [OP_MUL] = "Mul",
                                        [OP_DIV] = "FloatDiv",
                                        [OP_FLOORDIV] = "FloorDiv",
                                        [OP_MOD] = "FloorMod",
                                        [OP_POW] = "Pow",
                                        [OP_NOT] = "Not",
                                        [OP_NEG] = "Neg",
                                        [OP_INVERT] = "BitNot"};

/* The kind of an IR node that is no variable, as the reference names it. */
static sonata_text kind_name(const filler *f, ast_node node)
{
    const ast_expr *e = &f->ast->exprs[node];
    const char *name = "Expr";
    switch (e->kind) {
    case AST_INT:
        name = "ConstInt";
        break;
    case AST_FLOAT:
        name = "ConstFloat";
        break;
    case AST_TRUE:
    case AST_FALSE:
        name = "ConstBool";
        break;
    case AST_LIST:
    case AST_TUPLE:
        name = "MakeTuple";
        break;
    case AST_INDEX:
        name = "TupleGetItemExpr";
        break;
    case AST_UNARY:
    case AST_BINARY:
        name = OPERATORS[e->op];
        break;
    case AST_CALL:
        name = ast_is(f->ast, e->child, "pl.const")  ? "ConstInt"
               : ast_is(f->ast, e->child, "pl.cast") ? "Cast"
               : ast_is(f->ast, e->child, "pl.min")  ? "Min"
               : ast_is(f->ast, e->child, "pl.max")  ? "Max"
               : ast_is(f->ast, e->child, "abs")     ? "Abs"
                                                     : "Call";
        break;
    default:
        break;
    }
    return (sonata_text){name, strlen(name)};
}

static void add_argument(filler *f, ast_node node)
{
    uint32_t name = f->names->of_node[node];
    if (f->ast->exprs[node].kind == AST_NAME && name != NAME_NONE) {
        sonata_text text = node_text(f, node);
        sonata_ir_add_arg(f->ir, variable_of(f, name, text), text);
        return;
    }
    sonata_ir_add_arg(f->ir, SONATA_IR_NONE, kind_name(f, node));
}

/* "pl.adir.output_existing" is the IR's OutputExisting. */
static void add_direction(filler *f, ast_node node)
{
    static const struct {
        const char *printed, *name;
    } words[] = {{"pl.adir.input", "Input"},
                 {"pl.adir.output", "Output"},
                 {"pl.adir.inout", "InOut"},
                 {"pl.adir.output_existing", "OutputExisting"},
                 {"pl.adir.no_dep", "NoDep"},
                 {"pl.adir.scalar", "Scalar"}};
    sonata_text text = node_text(f, node);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ast_is(f->ast, node, words[i].printed))
            text = (sonata_text){words[i].name, strlen(words[i].name)};
    sonata_ir_add_direction(f->ir, text);
}

static void add_directions(filler *f, ast_node dict)
{
    for (ast_node pair = f->ast->exprs[dict].child; pair != AST_NONE;
         pair = f->ast->exprs[pair].next) {
        ast_node key = f->ast->exprs[pair].child;
        if (!ast_is(f->ast, key, "arg_directions"))
            continue;
        ast_node list = f->ast->exprs[key].next;
        for (ast_node n = f->ast->exprs[list].child; n != AST_NONE;
             n = f->ast->exprs[n].next)
            add_direction(f, n);
    }
}

static sonata_ir_callee callee_kind(const filler *f, ast_func func)
{
    if (func == AST_NONE)
        return SONATA_CALLEE_OTHER;
    switch (f->ast->funcs[func].kind) {
    case FUNC_AIC:
        return SONATA_CALLEE_AIC;
    case FUNC_AIV:
        return SONATA_CALLEE_AIV;
    case FUNC_GROUP:
        return SONATA_CALLEE_GROUP;
    case FUNC_SPMD:
        return SONATA_CALLEE_SPMD;
    default:
        return SONATA_CALLEE_OTHER;
    }
}

/* A Call of the IR: of a function, or of an operation of tensor and system. */
static bool is_ir_call(const filler *f, ast_node node)
{
    if (f->ast->exprs[node].kind != AST_CALL)
        return false;
    sonata_text callee = node_text(f, f->ast->exprs[node].child);
    return starts_with(callee, "self.") || starts_with(callee, "pl.tensor.") ||
           starts_with(callee, "pl.system.") ||
           starts_with(callee, "pl.array.") || starts_with(callee, "pld.");
}

static bool is_submit(const filler *f, ast_node node)
{
    return f->ast->exprs[node].kind == AST_CALL &&
           (f->names->of_node[f->ast->exprs[node].child] == WORD_SUBMIT ||
            f->names->of_node[f->ast->exprs[node].child] == WORD_SPMD_SUBMIT);
}

static uint32_t add_call(filler *f, ast_node node)
{
    ast_node callee = f->ast->exprs[node].child;
    uint32_t name = f->names->of_node[callee];
    ast_func func = name == NAME_NONE ? AST_NONE : f->names->entries[name].call;
    sonata_text text = node_text(f, callee);
    text = without(text, starts_with(text, "self.")  ? "self."
                         : starts_with(text, "pld.") ? "pld."
                                                     : "pl.");
    uint32_t call = sonata_ir_begin_call(f->ir, text, callee_kind(f, func));
    ast_node attrs = AST_NONE;
    for (ast_node a = f->ast->exprs[callee].next; a != AST_NONE;
         a = f->ast->exprs[a].next) {
        if (f->ast->exprs[a].kind != AST_KEYWORD)
            add_argument(f, a);
        else if (ast_is(f->ast, a, "attrs"))
            attrs = f->ast->exprs[a].child;
    }
    if (attrs != AST_NONE)
        add_directions(f, attrs);
    return call;
}

/*
 * All calls of an expression, the outer before the inner: post-order read
 * backwards visits a parent first.
 */
static void visit_expression(filler *f, ast_node root, uint32_t assigned)
{
    for (ast_node n = root + 1; n-- > f->ast->exprs[root].first;) {
        if (is_submit(f, n))
            sonata_ir_visit_node(f->ir, SONATA_TEXT("Submit"));
        if (!is_ir_call(f, n))
            continue;
        uint32_t call = add_call(f, n);
        if (n == root && assigned != SONATA_IR_NONE)
            sonata_ir_assign_call(f->ir, assigned, call);
        sonata_ir_visit_call(f->ir, call);
    }
}

static void visit_element(filler *f, ast_node node, uint32_t assigned)
{
    ast_node tuple = f->ast->exprs[node].child;
    ast_node index = f->ast->exprs[tuple].next;
    uint32_t name = f->names->of_node[tuple];
    if (name == NAME_NONE || index == AST_NONE ||
        f->ast->exprs[index].kind != AST_INT)
        return;
    sonata_text digits = node_text(f, index);
    int64_t at = 0;
    for (size_t i = 0; i < digits.length && at < 1 << 20; i++)
        at = at * 10 + (digits.text[i] - '0');
    sonata_ir_assign_element(f->ir, assigned,
                             variable_of(f, name, node_text(f, tuple)), at);
}

static void visit_assign(filler *f, const ast_statement *stmt)
{
    uint32_t assigned = SONATA_IR_NONE;
    if (stmt->target != AST_NONE &&
        f->ast->exprs[stmt->target].kind == AST_NAME)
        assigned = variable_of(f, f->names->of_node[stmt->target],
                               node_text(f, stmt->target));
    if (f->ast->exprs[stmt->value].kind == AST_INDEX &&
        assigned != SONATA_IR_NONE)
        visit_element(f, stmt->value, assigned);
    visit_expression(f, stmt->value, assigned);
}

static void visit_statement(filler *f, const ast_statement *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        visit_assign(f, stmt);
        return;
    case STMT_FOR:
        sonata_ir_visit_node(f->ir, SONATA_TEXT("ForStmt"));
        break;
    case STMT_WHILE:
        sonata_ir_visit_node(f->ir, SONATA_TEXT("WhileStmt"));
        break;
    case STMT_IF:
        sonata_ir_visit_node(f->ir, SONATA_TEXT("IfStmt"));
        break;
    case STMT_WITH:
        sonata_ir_visit_node(f->ir, SONATA_TEXT("RuntimeScopeStmt"));
        return;
    default:
        break;
    }
    if (stmt->value != AST_NONE)
        visit_expression(f, stmt->value, SONATA_IR_NONE);
}

/* Pre-order over the blocks; the stack holds at most one entry a statement. */
static void visit_body(filler *f, ast_stmt body)
{
    size_t depth = 0;
    if (body != AST_NONE)
        f->open[depth++] = body;
    while (depth > 0) {
        const ast_statement *stmt = &f->ast->stmts[f->open[--depth]];
        if (stmt->next != AST_NONE)
            f->open[depth++] = stmt->next;
        visit_statement(f, stmt);
        if (stmt->orelse != AST_NONE)
            f->open[depth++] = stmt->orelse;
        if (stmt->body != AST_NONE)
            f->open[depth++] = stmt->body;
    }
}

/* A positive integer as Python prints it, of any size. */
static bool is_plain(sonata_text digits)
{
    for (size_t i = 0; i < digits.length; i++)
        if (digits.text[i] < '0' || digits.text[i] > '9')
            return false;
    return digits.length > 0 && digits.text[0] != '0';
}

static void add_shape(filler *f, ast_node type)
{
    if (f->ast->exprs[type].kind != AST_INDEX ||
        !ast_is(f->ast, f->ast->exprs[type].child, "pl.Tensor"))
        return;
    ast_node list = f->ast->exprs[f->ast->exprs[type].child].next;
    if (list == AST_NONE || f->ast->exprs[list].kind != AST_LIST)
        return;
    for (ast_node n = f->ast->exprs[list].child; n != AST_NONE;
         n = f->ast->exprs[n].next)
        if (f->ast->exprs[n].kind != AST_INT || !is_plain(node_text(f, n)))
            return;
    sonata_ir_set_shape(f->ir);
    for (ast_node n = f->ast->exprs[list].child; n != AST_NONE;
         n = f->ast->exprs[n].next)
        sonata_ir_add_dim_text(f->ir, node_text(f, n));
}

static void add_root(filler *f, const ast_function *func)
{
    memset(f->variables, 0xff, f->names->count * sizeof *f->variables);
    sonata_ir_begin_root(f->ir, span(f, func->at, func->length));
    for (uint32_t i = 0; i < func->params; i++) {
        const ast_param *p = &f->ast->params[func->first_param + i];
        uint32_t name = f->names->of_param[func->first_param + i];
        sonata_ir_add_param(f->ir,
                            variable_of(f, name, span(f, p->at, p->length)));
        add_shape(f, p->type);
    }
    visit_body(f, func->body);
}

bool neutral_fill(sonata_ir *ir, const ast_program *ast, const names *n)
{
    filler f = {.ir = ir, .ast = ast, .names = n};
    f.variables = malloc(((size_t)n->count + 1) * sizeof *f.variables);
    f.open = malloc(((size_t)ast->stmt_count + 1) * sizeof *f.open);
    if (f.variables == NULL || f.open == NULL) {
        free(f.variables);
        free(f.open);
        return false;
    }
    ir->name = ast->name_length > 0
                   ? span(&f, ast->name_at, ast->name_length)
                   : span(&f, ast->class_at, ast->class_length);
    for (uint32_t i = 0; i < ast->func_count; i++)
        if (ast->funcs[i].kind == FUNC_ORCHESTRATION)
            add_root(&f, &ast->funcs[i]);
    free(f.variables);
    free(f.open);
    return !ir->failed;
}
