/*
 * Expressions of generated C++: which tensor, which TaskId, which number. A
 * part of an unknown form makes the whole unknown, never wrong.
 */
#include "cpp_machine.h"

#include <string.h>

#define DEPTH 64

typedef struct number {
    bool known;
    int64_t value;
} number;

typedef enum operation {
    OPEN, /* a parenthesis */
    CAST, /* a function of one argument, with its parenthesis */
    MIN,
    MAX,
    OR,
    AND,
    EQUAL,
    UNEQUAL,
    LESS,
    GREATER,
    AT_MOST,
    AT_LEAST,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    NEGATE,
    NOT
} operation;

static const uint8_t PRECEDENCE[] = {0, 0, 0, 0, 1, 2, 3, 3, 4, 4,
                                     4, 4, 5, 5, 6, 6, 6, 7, 7};

typedef struct calculation {
    const cpp_machine *m;
    number operands[DEPTH];
    operation operations[DEPTH];
    uint32_t operand_count, operation_count;
    uint32_t at, end;
    bool failed;
} calculation;

static const number UNKNOWN = {false, 0};

static number know(int64_t value)
{
    return (number){true, value};
}

/* --- Tensors and TaskIds --- */

/* A name, with methods that give a view of it. */
static cpp_value tensor_value(const cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    cpp_value from = cpp_lookup(m, at);
    at++;
    while (at < end && cpp_is(t, at, ".") && cpp_is_name(t, at + 1) &&
           cpp_is(t, at + 2, "(")) {
        bool view = cpp_is(t, at + 1, "view") || cpp_is(t, at + 1, "reshape") ||
                    cpp_is(t, at + 1, "transpose") || cpp_is(t, at + 1, "ref");
        if (!view)
            break;
        at = m->behind[at + 2];
    }
    return at == end ? from : (cpp_value){.kind = CPP_OTHER};
}

/* --- Numbers --- */

static void push(calculation *c, number operand)
{
    if (c->operand_count == DEPTH) {
        c->failed = true;
        return;
    }
    c->operands[c->operand_count++] = operand;
}

static number pop(calculation *c)
{
    if (c->operand_count == 0) {
        c->failed = true;
        return UNKNOWN;
    }
    return c->operands[--c->operand_count];
}

static number calculate(operation o, number a, number b)
{
    int64_t value;
    if (o == AND || o == OR) {
        bool decides = o == OR;
        if ((a.known && (a.value != 0) == decides) ||
            (b.known && (b.value != 0) == decides))
            return know(decides);
        return a.known && b.known ? know(!decides) : UNKNOWN;
    }
    if (!a.known || !b.known)
        return UNKNOWN;
    bool divides = b.value != 0 && !(b.value == -1 && a.value == INT64_MIN);
    switch (o) {
    case ADD:
        return __builtin_add_overflow(a.value, b.value, &value) ? UNKNOWN
                                                                : know(value);
    case SUBTRACT:
        return __builtin_sub_overflow(a.value, b.value, &value) ? UNKNOWN
                                                                : know(value);
    case MULTIPLY:
        return __builtin_mul_overflow(a.value, b.value, &value) ? UNKNOWN
                                                                : know(value);
    case DIVIDE:
        return divides ? know(a.value / b.value) : UNKNOWN;
    case REMAINDER:
        return divides ? know(a.value % b.value) : UNKNOWN;
    case EQUAL:
        return know(a.value == b.value);
    case UNEQUAL:
        return know(a.value != b.value);
    case LESS:
        return know(a.value < b.value);
    case GREATER:
        return know(a.value > b.value);
    case AT_MOST:
        return know(a.value <= b.value);
    case AT_LEAST:
        return know(a.value >= b.value);
    case MIN:
        return know(a.value < b.value ? a.value : b.value);
    case MAX:
        return know(a.value > b.value ? a.value : b.value);
    default:
        return UNKNOWN;
    }
}

static void apply(calculation *c)
{
    operation o = c->operations[--c->operation_count];
    number b = pop(c);
    if (o == NEGATE)
        push(c, calculate(SUBTRACT, know(0), b));
    else if (o == NOT)
        push(c, b.known ? know(b.value == 0) : UNKNOWN);
    else
        push(c, calculate(o, pop(c), b));
}

static void push_operation(calculation *c, operation o)
{
    bool prefix = o <= MAX || o == NEGATE || o == NOT;
    while (!prefix && c->operation_count > 0 &&
           PRECEDENCE[c->operations[c->operation_count - 1]] >= PRECEDENCE[o])
        apply(c);
    if (c->operation_count == DEPTH) {
        c->failed = true;
        return;
    }
    c->operations[c->operation_count++] = o;
}

/* Everything since the last open parenthesis; false when there is none. */
static bool reduce(calculation *c)
{
    while (c->operation_count > 0 &&
           c->operations[c->operation_count - 1] > MAX)
        apply(c);
    if (c->operation_count > 0)
        return true;
    c->failed = true;
    return false;
}

static void close(calculation *c)
{
    if (!reduce(c))
        return;
    operation o = c->operations[--c->operation_count];
    if (o == OPEN)
        return;
    number b = pop(c);
    if (o == CAST) {
        bool kept = b.value >= INT32_MIN && b.value <= INT32_MAX;
        push(c, kept ? b : UNKNOWN);
        return;
    }
    push(c, calculate(o, pop(c), b));
}

static bool is_integer_type(const cpp_tokens *t, uint32_t at)
{
    static const char *const names[] = {"int64_t",  "uint64_t", "int32_t",
                                        "uint32_t", "int",      "size_t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cpp_is(t, at, names[i]))
            return true;
    return false;
}

/* `std::min<int64_t>(`, `static_cast<int64_t>(`: moves behind it. */
static bool take_function(calculation *c)
{
    const cpp_tokens *t = c->m->tokens;
    uint32_t at = c->at;
    if (cpp_is(t, at, "std"))
        at += 3;
    operation o = cpp_is(t, at, "min")           ? MIN
                  : cpp_is(t, at, "max")         ? MAX
                  : cpp_is(t, at, "static_cast") ? CAST
                                                 : OPEN;
    if (o == OPEN)
        return false;
    at++;
    if (cpp_is(t, at, "<")) {
        if (!is_integer_type(t, at + 1) || !cpp_is(t, at + 2, ">"))
            return false;
        at += 3;
    }
    if (!cpp_is(t, at, "("))
        return false;
    push_operation(c, o);
    c->at = at + 1;
    return true;
}

/* Over `.shapes[0]`, `(...)`, `::name<...>`: nobody here knows what it is. */
static void skip_unknown(calculation *c)
{
    const cpp_tokens *t = c->m->tokens;
    for (;;) {
        if (cpp_is(t, c->at, "(") || cpp_is(t, c->at, "["))
            c->at = c->m->behind[c->at];
        else if ((cpp_is(t, c->at, ".") || cpp_is(t, c->at, ":")) &&
                 c->at + 1 < c->end)
            c->at += cpp_is(t, c->at + 1, ":") ? 3 : 2;
        else if (cpp_is(t, c->at, "<") && is_integer_type(t, c->at + 1) &&
                 cpp_is(t, c->at + 2, ">"))
            c->at += 3;
        else
            return;
    }
}

/* `.is_valid()` of what `id` is. */
static bool take_validity(calculation *c, cpp_value id, uint32_t dot)
{
    const cpp_tokens *t = c->m->tokens;
    if (id.kind != CPP_TASK_ID || !cpp_is(t, dot, ".") ||
        !cpp_is(t, dot + 1, "is_valid") || !cpp_is(t, dot + 2, "(") ||
        !cpp_is(t, dot + 3, ")"))
        return false;
    push(c, id.value == CPP_UNSURE ? UNKNOWN : know(id.value != FRONTEND_NONE));
    c->at = dot + 4;
    return true;
}

static void take_name(calculation *c)
{
    const cpp_tokens *t = c->m->tokens;
    cpp_value value = cpp_lookup(c->m, c->at);
    int64_t index;
    if (take_validity(c, value, c->at + 1) || take_function(c))
        return;
    if (value.kind == CPP_ARRAY && cpp_is(t, c->at + 1, "[") &&
        cpp_number(t, c->at + 2, &index) && cpp_is(t, c->at + 3, "]") &&
        take_validity(c, cpp_array_get(c->m, value.value, index), c->at + 4))
        return;
    bool truth = cpp_is(t, c->at, "true");
    bool word = truth || cpp_is(t, c->at, "false");
    c->at++;
    uint32_t before = c->at;
    skip_unknown(c);
    if (c->at != before)
        push(c, UNKNOWN);
    else if (word)
        push(c, know(truth));
    else
        push(c, value.kind == CPP_NUMBER ? know(value.number) : UNKNOWN);
}

static bool take_operand(calculation *c)
{
    const cpp_tokens *t = c->m->tokens;
    int64_t value;
    if (cpp_is(t, c->at, "(") && is_integer_type(t, c->at + 1) &&
        cpp_is(t, c->at + 2, ")")) {
        c->at += 3;
        return false;
    }
    if (cpp_is(t, c->at, "(") || cpp_is(t, c->at, "-") ||
        cpp_is(t, c->at, "!")) {
        push_operation(c, cpp_is(t, c->at, "(")   ? OPEN
                          : cpp_is(t, c->at, "-") ? NEGATE
                                                  : NOT);
        c->at++;
        return false;
    }
    if (cpp_is_name(t, c->at)) {
        uint32_t open = c->operation_count;
        take_name(c);
        return c->operation_count == open;
    }
    bool whole = cpp_number(t, c->at, &value) && !cpp_is(t, c->at + 1, ".");
    c->failed = c->failed || !whole;
    push(c, know(whole ? value : 0));
    c->at++;
    return true;
}

/* Behind an operand; true when another one must follow. */
static bool take_operator(calculation *c)
{
    static const struct {
        const char *text;
        operation operation;
    } names[] = {
        {"||", OR},       {"&&", AND},      {"==", EQUAL},   {"!=", UNEQUAL},
        {"<=", AT_MOST},  {">=", AT_LEAST}, {"<", LESS},     {">", GREATER},
        {"+", ADD},       {"-", SUBTRACT},  {"*", MULTIPLY}, {"/", DIVIDE},
        {"%", REMAINDER},
    };
    const cpp_tokens *t = c->m->tokens;
    if (cpp_is(t, c->at, ")")) {
        close(c);
        c->at++;
        return false;
    }
    if (cpp_is(t, c->at, ",")) {
        if (reduce(c) && c->operations[c->operation_count - 1] < MIN)
            c->failed = true;
        c->at++;
        return true;
    }
    frontend_text first = cpp_text(t, c->at);
    frontend_text second = cpp_text(t, c->at + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = names[i].text;
        size_t length = strlen(text);
        bool same =
            first.length == 1 && *first.data == text[0] &&
            (length == 1 || (second.length == 1 && *second.data == text[1] &&
                             second.data == first.data + 1));
        if (!same)
            continue;
        push_operation(c, names[i].operation);
        c->at += (uint32_t)length;
        return true;
    }
    c->failed = true;
    return true;
}

static cpp_value number_value(const cpp_machine *m, uint32_t at, uint32_t end)
{
    calculation c = {.m = m, .at = at, .end = end};
    bool operand = true;
    while (c.at < end && !c.failed)
        operand = operand ? !take_operand(&c) : take_operator(&c);
    while (c.operation_count > 0 && !c.failed) {
        c.failed = c.operations[c.operation_count - 1] <= MAX;
        if (!c.failed)
            apply(&c);
    }
    bool known = !c.failed && !operand && c.at == end && c.operand_count == 1 &&
                 c.operands[0].known;
    return known
               ? (cpp_value){.kind = CPP_NUMBER, .number = c.operands[0].value}
               : (cpp_value){.kind = CPP_OTHER};
}

cpp_value cpp_evaluate(const cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    if (cpp_is(t, at, "&"))
        at++;
    if (cpp_is(t, at, "PTO2TaskId") && cpp_is(t, at + 3, "invalid"))
        return (cpp_value){.kind = end == at + 6 ? CPP_TASK_ID : CPP_OTHER,
                           .value = FRONTEND_NONE};
    cpp_value from = cpp_lookup(m, at);
    cpp_value index;
    switch (from.kind) {
    case CPP_TENSOR:
        return tensor_value(m, at, end);
    case CPP_ALLOC:
        index = number_value(m, at + 4, end - 1);
        return cpp_is(t, at + 2, "get_ref") && index.kind == CPP_NUMBER
                   ? cpp_alloc_ref(m, from.value, index.number)
                   : (cpp_value){.kind = CPP_OTHER};
    case CPP_OUTPUTS:
        return (cpp_value){.kind = cpp_is(t, at + 2, "task_id") ? CPP_TASK_ID
                                                                : CPP_OTHER,
                           .value = from.value};
    case CPP_TASK_ID:
        return end == at + 1 ? from : number_value(m, at, end);
    case CPP_ARRAY:
        if (!cpp_is(t, at + 1, "[") || m->behind[at + 1] != end)
            return number_value(m, at, end);
        index = number_value(m, at + 2, end - 1);
        return index.kind == CPP_NUMBER
                   ? cpp_array_get(m, from.value, index.number)
                   : (cpp_value){.kind = CPP_TASK_ID, .value = CPP_UNSURE};
    default:
        return number_value(m, at, end);
    }
}
