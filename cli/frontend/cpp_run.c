/*
 * Walks the body of the entry function: straight-line code, scopes, and the
 * three conditional forms that generated straight-line code has (the loop that
 * invalidates an array, a dependency taken when valid, a dummy submitted when
 * it has dependencies). Anything else that branches is control flow.
 */
#include "cpp_machine.h"
#include "readers.h"

#define TEXT_LIMIT (8U << 20)

static frontend_status control_flow(cpp_machine *m, uint32_t at)
{
    char word[24];
    return frontend_stop(
        m->outline, FRONTEND_SKIPPED, "it has control flow (%s in line %u)",
        frontend_print(word, sizeof word, cpp_text(m->tokens, at)),
        (unsigned)m->tokens->items[at].line);
}

/* The semicolon of the statement that starts at `at`. */
static uint32_t statement_end(const cpp_tokens *t, uint32_t at)
{
    uint32_t depth = 0;
    for (; at < t->count; at++) {
        char c = t->text[t->items[at].start];
        if (c == ';' && depth == 0)
            break;
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0)
            depth--;
    }
    return at;
}

/* `for (...) NAME[i] = PTO2TaskId::invalid();` leaves all slots invalid. */
static frontend_status run_for(cpp_machine *m, uint32_t *at)
{
    const cpp_tokens *t = m->tokens;
    uint32_t body = cpp_behind(t, *at + 1);
    uint32_t end = statement_end(t, body);
    cpp_value array = cpp_lookup(m, body);
    bool clears = array.kind == CPP_ARRAY &&
                  m->arrays[array.value].count == 0 &&
                  cpp_is(t, body + 1, "[") && end >= body + 6 &&
                  cpp_is(t, end - 3, "invalid");
    if (!clears)
        return control_flow(m, *at);
    *at = end + 1;
    return FRONTEND_OK;
}

/*
 * `if (X.is_valid()) S;`, `if (X[2].is_valid()) S;`, `if (COUNT > 0) {`. What
 * is known to be false is skipped; an else behind it is met as a statement.
 */
static frontend_status run_if(cpp_machine *m, uint32_t *at)
{
    const cpp_tokens *t = m->tokens;
    uint32_t first = *at + 2;
    uint32_t body = cpp_behind(t, *at + 1);
    cpp_value value = cpp_lookup(m, first);
    if (value.kind == CPP_COUNTER && body == first + 4 &&
        cpp_is(t, first + 1, ">") && cpp_is(t, first + 2, "0") &&
        cpp_is(t, body, "{")) {
        *at = value.value > 0 ? body : cpp_behind(t, body);
        return FRONTEND_OK;
    }
    uint32_t index;
    uint32_t dot = first + 1;
    if (value.kind == CPP_ARRAY && cpp_number(t, first + 2, &index)) {
        value = cpp_array_get(m, value.value, index);
        dot = first + 4;
    }
    if (value.kind != CPP_TASK_ID || !cpp_is(t, dot + 1, "is_valid") ||
        body != dot + 5 || cpp_is(t, body, "{"))
        return control_flow(m, *at);
    *at = value.value == FRONTEND_NONE ? statement_end(t, body) + 1 : body;
    return FRONTEND_OK;
}

static bool branches(const cpp_tokens *t, uint32_t at)
{
    static const char *const words[] = {"while",    "do",    "switch", "goto",
                                        "else",     "try",   "case",   "break",
                                        "continue", "return"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cpp_is(t, at, words[i]))
            return true;
    return false;
}

/* One statement, block start or block end; moves *at behind it. */
static frontend_status step(cpp_machine *m, uint32_t *at)
{
    const cpp_tokens *t = m->tokens;
    if (cpp_is(t, *at, "{")) {
        ++*at;
        return cpp_open_scope(m);
    }
    if (cpp_is(t, *at, "}")) {
        ++*at;
        cpp_close_scope(m);
        return FRONTEND_OK;
    }
    if (cpp_is(t, *at, "for"))
        return run_for(m, at);
    if (cpp_is(t, *at, "if"))
        return run_if(m, at);
    if (branches(t, *at))
        return control_flow(m, *at);
    if (cpp_is(t, *at, "PTO2_SCOPE") && cpp_is(t, *at + 1, "(")) {
        *at = cpp_behind(t, *at + 1);
        return FRONTEND_OK;
    }
    uint32_t end = statement_end(t, *at);
    frontend_status status = cpp_statement(m, *at, end);
    *at = end + 1;
    return status;
}

static frontend_status run_body(cpp_machine *m, uint32_t at)
{
    const cpp_tokens *t = m->tokens;
    frontend_status status = cpp_open_scope(m);
    at++;
    while (status == FRONTEND_OK && m->mark_count > 0) {
        if (at >= t->count)
            return frontend_stop(m->outline, FRONTEND_BAD,
                                 "its entry function does not end");
        status = step(m, &at);
    }
    return status;
}

/* The '{' of the entry function, or t->count. */
static uint32_t find_body(const cpp_tokens *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (!cpp_is(t, i, "aicpu_orchestration_entry") ||
            !cpp_is(t, i + 1, "("))
            continue;
        uint32_t body = cpp_behind(t, i + 1);
        if (cpp_is(t, body, "{"))
            return body;
        i = body;
    }
    return t->count;
}

/* "// Orchestration Function: NAME" in the first line. */
static frontend_text find_function(const char *text, size_t length)
{
    static const char mark[] = "// Orchestration Function: ";
    size_t start = sizeof mark - 1;
    if (length < start ||
        !frontend_same((frontend_text){text, start}, frontend_string(mark)))
        return (frontend_text){"", 0};
    size_t end = start;
    while (end < length && text[end] != '\n' && text[end] != '\r')
        end++;
    return (frontend_text){text + start, end - start};
}

frontend_status frontend_read_cpp(frontend_outline *outline, const char *text,
                                  size_t length)
{
    cpp_machine machine = {0};
    cpp_tokens tokens;
    if (length > TEXT_LIMIT)
        return frontend_stop(outline, FRONTEND_BAD, "it is larger than 8 MiB");
    outline->function = find_function(text, length);
    frontend_status status = cpp_tokens_read(&tokens, text, length);
    if (status == FRONTEND_OK)
        status = cpp_machine_init(&machine, outline, &tokens);
    if (status == FRONTEND_OK) {
        uint32_t body = find_body(&tokens);
        status = body < tokens.count
                     ? run_body(&machine, body)
                     : frontend_stop(outline, FRONTEND_BAD,
                                     "it has no orchestration entry function");
    }
    cpp_machine_free(&machine);
    cpp_tokens_free(&tokens);
    return status;
}
