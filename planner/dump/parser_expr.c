/*
 * Expressions by operator precedence with a stack of frames of our own, so that
 * no input can exhaust the machine's stack. Nodes are appended when they are
 * complete, which is post-order.
 */
#include <string.h>

#include "parser.h"

typedef enum parser_frame_kind {
    FRAME_PREFIX,
    FRAME_INFIX,
    FRAME_KEYWORD, /* "name=" of a call, waits for its value */
    FRAME_PAIR,    /* "key:" of a dict, waits for its value */
    /* From here on brackets. */
    FRAME_PAREN,
    FRAME_LIST,
    FRAME_CALL,
    FRAME_INDEX,
    FRAME_DICT
} parser_frame_kind;

enum { FLAG_COMMA = 1, FLAG_KEYWORD = 2, FLAG_CHAIN = 4 };

/* An "and" between the parts of a chained comparison binds like those. */
enum { PRECEDENCE_NOT = 4, PRECEDENCE_COMPARE = 5, PRECEDENCE_POWER = 13 };

typedef struct infix_token {
    uint32_t token;
    ast_op op;
} infix_token;

static const infix_token infix_tokens[] = {
    {TOKEN_PAIR('=', '='), OP_EQ},
    {TOKEN_PAIR('!', '='), OP_NE},
    {TOKEN_PAIR('<', '='), OP_LE},
    {TOKEN_PAIR('>', '='), OP_GE},
    {TOKEN_PAIR('<', '<'), OP_SHL},
    {TOKEN_PAIR('>', '>'), OP_SHR},
    {TOKEN_PAIR('/', '/'), OP_FLOORDIV},
    {TOKEN_PAIR('*', '*'), OP_POW},
    {'<', OP_LT},
    {'>', OP_GT},
    {'|', OP_BIT_OR},
    {'^', OP_BIT_XOR},
    {'&', OP_BIT_AND},
    {'+', OP_ADD},
    {'-', OP_SUB},
    {'*', OP_MUL},
    {'/', OP_DIV},
    {'%', OP_MOD},
};

static const uint8_t precedences[] = {
    [OP_OR] = 1,
    [OP_XOR] = 2,
    [OP_AND] = 3,
    [OP_NOT] = PRECEDENCE_NOT,
    [OP_EQ] = PRECEDENCE_COMPARE,
    [OP_NE] = PRECEDENCE_COMPARE,
    [OP_LT] = PRECEDENCE_COMPARE,
    [OP_LE] = PRECEDENCE_COMPARE,
    [OP_GT] = PRECEDENCE_COMPARE,
    [OP_GE] = PRECEDENCE_COMPARE,
    [OP_BIT_OR] = 6,
    [OP_BIT_XOR] = 7,
    [OP_BIT_AND] = 8,
    [OP_SHL] = 9,
    [OP_SHR] = 9,
    [OP_ADD] = 10,
    [OP_SUB] = 10,
    [OP_MUL] = 11,
    [OP_DIV] = 11,
    [OP_FLOORDIV] = 11,
    [OP_MOD] = 11,
    [OP_NEG] = 12,
    [OP_INVERT] = 12,
    [OP_POW] = PRECEDENCE_POWER,
};

typedef struct expr_state {
    uint32_t base;    /* frames below belong to the caller */
    ast_node operand; /* what was completed last */
    bool complete;    /* operand is set: an operator or the end may follow */
    bool done;
} expr_state;

static bool is_bracket(const parser_frame *frame)
{
    return frame->kind >= FRAME_PAREN;
}

static parser_frame *top_frame(parser *p, const expr_state *s)
{
    return p->frame_count > s->base ? &p->frames[p->frame_count - 1] : NULL;
}

static sonata_status push_frame(parser *p, parser_frame_kind kind, ast_op op,
                                uint32_t at, ast_node head)
{
    sonata_status status = parser_grow(p, &p->frames, &p->frame_room,
                                       p->frame_count, sizeof *p->frames);
    if (status)
        return status;
    p->frames[p->frame_count++] = (parser_frame){.kind = (uint8_t)kind,
                                                 .op = (uint8_t)op,
                                                 .at = at,
                                                 .head = head,
                                                 .tail = head};
    return SONATA_OK;
}

static sonata_status add_node(parser *p, ast_expr expr, ast_node *node)
{
    ast_program *program = p->program;
    sonata_status status =
        parser_grow(p, &program->exprs, &p->expr_room, program->expr_count,
                    sizeof *program->exprs);
    if (status)
        return status;
    *node = program->expr_count++;
    expr.next = AST_NONE;
    expr.first =
        expr.child == AST_NONE ? *node : program->exprs[expr.child].first;
    program->exprs[*node] = expr;
    return SONATA_OK;
}

sonata_status parser_leaf(parser *p, ast_kind kind, uint32_t at,
                          uint32_t length, ast_node *node)
{
    return add_node(p,
                    (ast_expr){.kind = (uint8_t)kind,
                               .at = at,
                               .length = length,
                               .child = AST_NONE},
                    node);
}

static uint32_t at_of(const parser *p, ast_node node)
{
    return p->program->exprs[node].at;
}

/* The flag marks an "and" that folds a chained comparison. */
static int precedence_of(const parser_frame *frame)
{
    bool folds = frame->op == OP_AND && (frame->flags & FLAG_CHAIN);
    return folds ? PRECEDENCE_COMPARE : precedences[frame->op];
}

/* Completes the operator on top of the frames with the operand. */
static sonata_status reduce_top(parser *p, expr_state *s)
{
    parser_frame frame = p->frames[--p->frame_count];
    ast_expr expr = {.op = frame.op, .at = frame.at, .child = s->operand};
    expr.kind = AST_UNARY;
    if (frame.kind == FRAME_INFIX) {
        expr.kind = AST_BINARY;
        expr.at = at_of(p, frame.head);
        expr.child = frame.head;
        p->program->exprs[frame.head].next = s->operand;
    }
    return add_node(p, expr, &s->operand);
}

/* Completes operators that bind tighter than `precedence`, or as tight. */
static sonata_status reduce_above(parser *p, expr_state *s, int precedence)
{
    for (;;) {
        const parser_frame *top = top_frame(p, s);
        if (!top || top->kind > FRAME_INFIX)
            return SONATA_OK;
        int other = precedence_of(top);
        bool right = precedence == PRECEDENCE_POWER;
        if (other < precedence || (other == precedence && right))
            return SONATA_OK;
        sonata_status status = reduce_top(p, s);
        if (status)
            return status;
    }
}

/*
 * "a < b" is complete and another comparison follows: the rest compares a copy
 * of b, so that no node has two parents.
 */
static sonata_status fold_chain(parser *p, expr_state *s)
{
    ast_expr middle = p->program->exprs[s->operand];
    if (middle.first != s->operand)
        return parser_fail(p, SONATA_SYNTAX, p->token.at,
                           "a chained comparison needs a name or a number in "
                           "its middle");
    sonata_status status = reduce_top(p, s);
    if (status)
        return status;
    const parser_frame *top = top_frame(p, s);
    if (top && top->kind == FRAME_INFIX &&
        precedence_of(top) == PRECEDENCE_COMPARE) {
        status = reduce_top(p, s);
        if (status)
            return status;
    }
    status =
        push_frame(p, FRAME_INFIX, OP_AND, at_of(p, s->operand), s->operand);
    if (status)
        return status;
    p->frames[p->frame_count - 1].flags = FLAG_CHAIN;
    return add_node(p, middle, &s->operand);
}

static sonata_status push_infix(parser *p, expr_state *s, ast_op op)
{
    int precedence = precedences[op];
    bool compares = precedence == PRECEDENCE_COMPARE;
    sonata_status status =
        reduce_above(p, s, compares ? precedence + 1 : precedence);
    if (status)
        return status;
    const parser_frame *top = top_frame(p, s);
    if (compares && top && top->kind == FRAME_INFIX &&
        precedence_of(top) == PRECEDENCE_COMPARE) {
        status = fold_chain(p, s);
        if (status)
            return status;
    }
    status = push_frame(p, FRAME_INFIX, op, p->token.at, s->operand);
    if (status)
        return status;
    s->complete = false;
    return parser_advance(p);
}

static ast_op infix_of(const parser *p)
{
    if (parser_at_word(p, "or"))
        return OP_OR;
    if (parser_at_word(p, "xor"))
        return OP_XOR;
    if (parser_at_word(p, "and"))
        return OP_AND;
    if (p->token.kind != TOKEN_OP)
        return OP_NONE;
    for (size_t i = 0; i < sizeof infix_tokens / sizeof *infix_tokens; i++)
        if (infix_tokens[i].token == p->token.op)
            return infix_tokens[i].op;
    return OP_NONE;
}

/* The operand becomes the next child of the bracket that is on top. */
static void add_child(parser *p, const expr_state *s)
{
    parser_frame *frame = &p->frames[p->frame_count - 1];
    if (frame->tail == AST_NONE)
        frame->head = s->operand;
    else
        p->program->exprs[frame->tail].next = s->operand;
    frame->tail = s->operand;
}

/* Completes operators, and a keyword or pair, up to the bracket on top. */
static sonata_status finish_item(parser *p, expr_state *s)
{
    sonata_status status = reduce_above(p, s, 0);
    if (status)
        return status;
    parser_frame frame = p->frames[p->frame_count - 1];
    if (frame.kind == FRAME_DICT)
        return parser_expected(p, "':' behind the key");
    if (frame.kind != FRAME_KEYWORD && frame.kind != FRAME_PAIR)
        return SONATA_OK;
    p->frame_count--;
    ast_expr expr = {.at = frame.at, .child = s->operand};
    expr.kind = AST_KEYWORD;
    expr.length = frame.tail;
    if (frame.kind == FRAME_PAIR) {
        expr.kind = AST_PAIR;
        expr.child = frame.head;
        expr.length = 0;
        p->program->exprs[frame.head].next = s->operand;
    }
    return add_node(p, expr, &s->operand);
}

static const char *closer_of(const parser_frame *frame)
{
    switch (frame->kind) {
    case FRAME_LIST:
    case FRAME_INDEX:
        return "]";
    case FRAME_DICT:
        return "}";
    default:
        return ")";
    }
}

static const char *expected_in(const parser_frame *frame)
{
    switch (frame->kind) {
    case FRAME_LIST:
    case FRAME_INDEX:
        return "',' or ']'";
    case FRAME_DICT:
        return "',' or '}'";
    default:
        return "',' or ')'";
    }
}

/* The closing bracket is the current token; the children are all there. */
static sonata_status close_bracket(parser *p, expr_state *s)
{
    static const uint8_t kinds[] = {[FRAME_PAREN] = AST_TUPLE,
                                    [FRAME_LIST] = AST_LIST,
                                    [FRAME_CALL] = AST_CALL,
                                    [FRAME_INDEX] = AST_INDEX,
                                    [FRAME_DICT] = AST_DICT};
    parser_frame frame = p->frames[--p->frame_count];
    bool group = frame.kind == FRAME_PAREN && frame.head != AST_NONE &&
                 !(frame.flags & FLAG_COMMA);
    s->operand = frame.head;
    if (!group) {
        ast_expr expr = {
            .kind = kinds[frame.kind], .at = frame.at, .child = frame.head};
        if (frame.kind == FRAME_CALL || frame.kind == FRAME_INDEX)
            expr.at = at_of(p, frame.head);
        sonata_status status = add_node(p, expr, &s->operand);
        if (status)
            return status;
    }
    s->complete = true;
    return parser_advance(p);
}

static bool at_closer(const parser *p, const parser_frame *frame)
{
    return frame && is_bracket(frame) &&
           parser_at_op(p, (unsigned char)*closer_of(frame));
}

/* "name=" at the start of an argument. */
static sonata_status start_keyword(parser *p)
{
    if (memchr(p->program->text + p->token.at, '.', p->token.length))
        return parser_expected(p, "a plain name before '='");
    p->frames[p->frame_count - 1].flags |= FLAG_KEYWORD;
    sonata_status status =
        push_frame(p, FRAME_KEYWORD, OP_NONE, p->token.at, AST_NONE);
    if (status)
        return status;
    p->frames[p->frame_count - 1].tail = p->token.length;
    status = parser_advance(p);
    return status ? status : parser_advance(p);
}

static ast_kind leaf_kind(const parser *p)
{
    if (parser_at_word(p, "True"))
        return AST_TRUE;
    if (parser_at_word(p, "False"))
        return AST_FALSE;
    return parser_at_word(p, "None") ? AST_NULL : AST_NAME;
}

static sonata_status take_leaf(parser *p, expr_state *s, ast_kind kind)
{
    sonata_status status =
        parser_leaf(p, kind, p->token.at, p->token.length, &s->operand);
    if (status)
        return status;
    if (kind == AST_STRING)
        p->program->exprs[s->operand].quote =
            (uint8_t)p->program->text[p->token.at - 1];
    s->complete = true;
    return parser_advance(p);
}

static sonata_status take_prefix(parser *p, const expr_state *s, ast_op op)
{
    const parser_frame *top = top_frame(p, s);
    if (op == OP_NOT && top && top->kind <= FRAME_INFIX &&
        precedence_of(top) > PRECEDENCE_NOT)
        return parser_expected(p, "an operand");
    sonata_status status =
        push_frame(p, FRAME_PREFIX, op, p->token.at, AST_NONE);
    return status ? status : parser_advance(p);
}

static sonata_status take_name(parser *p, expr_state *s)
{
    const parser_frame *top = top_frame(p, s);
    bool in_call = top && top->kind == FRAME_CALL;
    bool keyword = in_call && lexer_sees_assign(&p->lex);
    if (in_call && (top->flags & FLAG_KEYWORD) && !keyword)
        return parser_expected(p, "a keyword argument behind the first one");
    if (parser_at_word(p, "not"))
        return take_prefix(p, s, OP_NOT);
    if (parser_is_reserved(p))
        return parser_expected(p, "an expression");
    if (keyword)
        return start_keyword(p);
    return take_leaf(p, s, leaf_kind(p));
}

/* Opens a bracket; `object` is what it is applied to, or AST_NONE. */
static sonata_status open_bracket(parser *p, expr_state *s,
                                  parser_frame_kind kind, ast_node object)
{
    sonata_status status = push_frame(p, kind, OP_NONE, p->token.at, object);
    s->complete = false;
    return status ? status : parser_advance(p);
}

/* The current token stands where an operand has to start. */
static sonata_status operand_step(parser *p, expr_state *s)
{
    const parser_frame *top = top_frame(p, s);
    if (p->token.kind == TOKEN_NAME)
        return take_name(p, s);
    if (top && top->kind == FRAME_CALL && (top->flags & FLAG_KEYWORD) &&
        !at_closer(p, top))
        return parser_expected(p, "a keyword argument behind the first one");
    if (p->token.kind == TOKEN_INT)
        return take_leaf(p, s, AST_INT);
    if (p->token.kind == TOKEN_FLOAT)
        return take_leaf(p, s, AST_FLOAT);
    if (p->token.kind == TOKEN_STRING)
        return take_leaf(p, s, AST_STRING);
    if (parser_at_op(p, TOKEN_ELLIPSIS))
        return take_leaf(p, s, AST_ELLIPSIS);
    if (parser_at_op(p, '-'))
        return take_prefix(p, s, OP_NEG);
    if (parser_at_op(p, '~'))
        return take_prefix(p, s, OP_INVERT);
    if (parser_at_op(p, '('))
        return open_bracket(p, s, FRAME_PAREN, AST_NONE);
    if (parser_at_op(p, '['))
        return open_bracket(p, s, FRAME_LIST, AST_NONE);
    if (parser_at_op(p, '{'))
        return open_bracket(p, s, FRAME_DICT, AST_NONE);
    /* Empty brackets, or a comma behind the last item; "a[]" is nothing. */
    bool empty_index =
        top && top->kind == FRAME_INDEX && !(top->flags & FLAG_COMMA);
    if (at_closer(p, top) && !empty_index)
        return close_bracket(p, s);
    return parser_expected(p, "an expression");
}

/* ".name" behind an operand; the name may have dots itself. */
static sonata_status take_member(parser *p, expr_state *s)
{
    sonata_status status = parser_advance(p);
    if (status)
        return status;
    if (p->token.kind != TOKEN_NAME)
        return parser_expected(p, "a name behind '.'");
    uint32_t at = p->token.at;
    uint32_t end = at + p->token.length;
    while (at < end) {
        const char *dot = memchr(p->program->text + at, '.', end - at);
        uint32_t stop = dot ? (uint32_t)(dot - p->program->text) : end;
        ast_expr expr = {.kind = AST_MEMBER,
                         .at = at,
                         .length = stop - at,
                         .child = s->operand};
        status = add_node(p, expr, &s->operand);
        if (status)
            return status;
        at = stop + 1;
    }
    return parser_advance(p);
}

static sonata_status take_comma(parser *p, expr_state *s)
{
    sonata_status status = finish_item(p, s);
    if (status)
        return status;
    add_child(p, s);
    p->frames[p->frame_count - 1].flags |= FLAG_COMMA;
    s->complete = false;
    return parser_advance(p);
}

static sonata_status take_colon(parser *p, expr_state *s)
{
    sonata_status status =
        push_frame(p, FRAME_PAIR, OP_NONE, at_of(p, s->operand), s->operand);
    s->complete = false;
    return status ? status : parser_advance(p);
}

/* Inside brackets: what may follow an operand besides operators. */
static sonata_status bracket_step(parser *p, expr_state *s)
{
    /* Reducing first shows which bracket or pair waits. */
    sonata_status status = reduce_above(p, s, 0);
    if (status)
        return status;
    const parser_frame *top = top_frame(p, s);
    if (!top) {
        s->done = true;
        return SONATA_OK;
    }
    if (top->kind == FRAME_DICT && parser_at_op(p, ':'))
        return take_colon(p, s);
    if (parser_at_op(p, ','))
        return take_comma(p, s);
    status = finish_item(p, s);
    if (status)
        return status;
    top = top_frame(p, s);
    if (!at_closer(p, top))
        return parser_expected(p, expected_in(top));
    add_child(p, s);
    return close_bracket(p, s);
}

/* An operand is complete: an operator, a bracket, the end of it. */
static sonata_status operator_step(parser *p, expr_state *s)
{
    ast_op op = infix_of(p);
    if (op != OP_NONE)
        return push_infix(p, s, op);
    if (parser_at_op(p, '('))
        return open_bracket(p, s, FRAME_CALL, s->operand);
    if (parser_at_op(p, '['))
        return open_bracket(p, s, FRAME_INDEX, s->operand);
    if (parser_at_op(p, '.'))
        return take_member(p, s);
    return bracket_step(p, s);
}

sonata_status parser_expr(parser *p, ast_node *node)
{
    expr_state s = {.base = p->frame_count, .operand = AST_NONE};
    while (!s.done) {
        sonata_status status =
            s.complete ? operator_step(p, &s) : operand_step(p, &s);
        if (status)
            return status;
    }
    *node = s.operand;
    return SONATA_OK;
}

sonata_status parser_exprs(parser *p, ast_node *node)
{
    sonata_status status = parser_expr(p, node);
    if (status || !parser_at_op(p, ','))
        return status;
    ast_expr tuple = {.kind = AST_TUPLE, .at = at_of(p, *node), .child = *node};
    ast_node last = *node;
    while (parser_at_op(p, ',')) {
        status = parser_advance(p);
        if (status)
            return status;
        bool ends = p->token.kind == TOKEN_NEWLINE || parser_at_op(p, '=') ||
                    parser_at_op(p, ':') || parser_at_word(p, "in");
        if (ends)
            break;
        ast_node item;
        status = parser_expr(p, &item);
        if (status)
            return status;
        p->program->exprs[last].next = item;
        last = item;
    }
    return add_node(p, tuple, node);
}
