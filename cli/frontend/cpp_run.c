/*
 * Walks the body of the entry function. Loops are run as often as they say,
 * branches as their conditions say. Where that is not known, a branch is run
 * and left open, and a loop is two iterations, each of which may not happen.
 */
#include "cpp_machine.h"
#include "readers.h"

#include <stdlib.h>

#define TEXT_LIMIT (8U << 20)
#define STEP 8 /* of a statement or condition, besides its tokens */

typedef enum frame_kind {
    FRAME_BLOCK,
    FRAME_LOOP,
    FRAME_BRANCH /* a branch that is taken; `after` is behind the other */
} frame_kind;

/* Code that is being run; what is done when `end` is reached. */
typedef struct frame {
    frame_kind kind;
    uint32_t start, end; /* of the code; a block ends at its bracket */
    uint32_t after;      /* where it goes on behind */
    uint32_t head;       /* of a loop: its parenthesis */
    uint32_t condition, condition_end, step, step_end; /* in it */
    uint32_t otherwise; /* else of an open branch, or FRONTEND_NONE */
    uint32_t open;      /* regions that end with it */
    bool entered;       /* of a loop: it is not the first iteration */
} frame;

typedef struct walk {
    cpp_machine *m;
    frame *frames;
    uint32_t count, room;
    uint32_t at;
    uint32_t unknown; /* loops of unknown length that are being run */
} walk;

static frontend_status control_flow(const walk *w)
{
    char word[24];
    const cpp_tokens *t = w->m->tokens;
    return frontend_stop(w->m->outline, FRONTEND_SKIPPED,
                         "it has control flow (%s in line %u)",
                         frontend_print(word, sizeof word, cpp_text(t, w->at)),
                         (unsigned)t->items[w->at].line);
}

static frontend_status push(walk *w, frame pushed)
{
    if (!frontend_grow(&w->frames, &w->room, w->count, sizeof *w->frames))
        return FRONTEND_NO_MEMORY;
    w->frames[w->count++] = pushed;
    return FRONTEND_OK;
}

/* --- Extent of statements --- */

/* The semicolon of the statement that starts at `at`, within `end`. */
static uint32_t statement_end(const cpp_machine *m, uint32_t at, uint32_t end)
{
    const cpp_tokens *t = m->tokens;
    end = end < t->count ? end : t->count;
    while (at < end) {
        char c = t->text[t->items[at].start];
        if (c == ';')
            return at;
        at = c == '(' || c == '[' || c == '{' ? m->behind[at] : at + 1;
    }
    return end;
}

static bool has_head(const cpp_tokens *t, uint32_t at)
{
    return cpp_is(t, at, "if") || cpp_is(t, at, "for") ||
           cpp_is(t, at, "while");
}

/* Behind the statement at `at`, with all its branches; adds to *work. */
static uint32_t behind_statement(const cpp_machine *m, uint32_t at,
                                 uint32_t end, uint64_t *work)
{
    const cpp_tokens *t = m->tokens;
    uint32_t branches = 0;
    for (;;) {
        while (at < end && has_head(t, at)) {
            ++*work;
            branches += cpp_is(t, at, "if");
            at = cpp_is(t, at + 1, "(") ? m->behind[at + 1] : end;
        }
        uint32_t from = at;
        if (cpp_is(t, at, "{"))
            at = m->behind[at];
        else
            at = statement_end(m, at, end) + 1;
        *work += cpp_is(t, from, "{") ? 1 : at - from;
        if (at >= end)
            return end;
        if (branches == 0 || !cpp_is(t, at, "else"))
            return at;
        branches--;
        at++;
    }
}

/* --- Loops --- */

/* Notes where the condition and the step of the loop at `head` are. */
static void read_head(const cpp_machine *m, uint32_t head, frame *loop)
{
    uint32_t end = m->behind[head] - 1;
    loop->head = head;
    loop->condition = head + 1;
    loop->condition_end = loop->step = loop->step_end = end;
    if (cpp_is(m->tokens, head - 1, "while"))
        return;
    loop->condition = statement_end(m, head + 1, end) + 1;
    loop->condition_end = statement_end(m, loop->condition, end);
    loop->step = loop->condition_end + 1;
}

/* Whether the name at `i` is assigned to or counted. */
static bool changes(const cpp_tokens *t, uint32_t i)
{
    static const char *const operators[] = {"+", "-", "*", "/",
                                            "%", "&", "|", "^"};
    if (cpp_is(t, i + 1, "="))
        return !cpp_is(t, i + 2, "=");
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (cpp_is(t, i + 1, operators[k]) && cpp_is(t, i + 2, "="))
            return true;
    for (int k = 0; k < 2; k++)
        if ((cpp_is(t, i + 1, operators[k]) &&
             cpp_is(t, i + 2, operators[k])) ||
            (cpp_is(t, i - 1, operators[k]) && cpp_is(t, i - 2, operators[k])))
            return true;
    return false;
}

/* What the body of a loop of unknown length counts has no known value. */
static frontend_status forget_numbers(walk *w, uint32_t from, uint32_t end)
{
    cpp_machine *m = w->m;
    const cpp_tokens *t = m->tokens;
    frontend_status status = cpp_spend(m, end - from);
    for (uint32_t i = from; status == FRONTEND_OK && i < end; i++) {
        if (cpp_lookup(m, i).kind != CPP_NUMBER)
            continue;
        if (changes(t, i))
            status = cpp_rebind(m, i, (cpp_value){.kind = CPP_OTHER});
    }
    return status;
}

/* Whether the loop submits and has more than two iterations. */
static frontend_status is_long(walk *w, const frame *f, bool *is)
{
    cpp_machine *m = w->m;
    const cpp_tokens *t = m->tokens;
    uint32_t index = f->head + 2;
    cpp_value first = cpp_lookup(m, index);
    frontend_status status = cpp_spend(m, f->end - f->head);
    *is = false;
    for (uint32_t i = f->start; i < f->end && !*is; i++)
        *is = cpp_begins(t, i, "rt_submit");
    for (int i = 0; status == FRONTEND_OK && *is && i < 2; i++) {
        status = cpp_statement(m, f->step, f->step_end);
        cpp_value goes = cpp_evaluate(m, f->condition, f->condition_end);
        *is = goes.kind == CPP_NUMBER && goes.number != 0;
    }
    return status == FRONTEND_OK ? cpp_rebind(m, index, first) : status;
}

/* Of unknown length: the first iteration; may not happen. */
static frontend_status open_loop(walk *w, frame *f)
{
    frontend_status status = cpp_region_begin(w->m);
    if (status != FRONTEND_OK)
        return status;
    f->open = 1;
    w->unknown++;
    return forget_numbers(w, f->head, f->end);
}

/* Whether the top loop goes on: *on; begins a region when nobody knows. */
static frontend_status check_loop(walk *w, bool *on)
{
    cpp_machine *m = w->m;
    frame *f = &w->frames[w->count - 1];
    *on = f->open < 2;
    if (f->open == 1) {
        f->open = 2;
        return cpp_region_begin(m);
    }
    if (f->open == 2)
        return FRONTEND_OK;
    cpp_value goes = cpp_evaluate(m, f->condition, f->condition_end);
    frontend_status status =
        cpp_spend(m, STEP + f->condition_end - f->condition);
    bool folds = false;
    bool known = goes.kind == CPP_NUMBER;
    *on = !known || goes.number != 0;
    if (status == FRONTEND_OK && known && *on && !f->entered &&
        m->outline->folds && w->unknown > 0)
        status = is_long(w, f, &folds);
    f->entered = true;
    if (status != FRONTEND_OK || (known && !folds))
        return status;
    return open_loop(w, f);
}

static frontend_status turn_loop(walk *w)
{
    frame *f = &w->frames[w->count - 1];
    bool on;
    frontend_status status = check_loop(w, &on);
    if (status != FRONTEND_OK)
        return status;
    w->at = f->start;
    if (on)
        return FRONTEND_OK;
    w->unknown -= f->open > 0;
    for (; f->open > 0; f->open--)
        cpp_region_end(w->m);
    cpp_close_scope(w->m);
    w->at = f->end;
    w->count--;
    return FRONTEND_OK;
}

static frontend_status begin_loop(walk *w, uint32_t end)
{
    cpp_machine *m = w->m;
    uint32_t head = w->at + 1;
    if (!cpp_is(m->tokens, head, "("))
        return control_flow(w);
    uint32_t body = m->behind[head];
    uint64_t work = body - head;
    frame f = {.kind = FRAME_LOOP,
               .start = body,
               .end = behind_statement(m, body, end, &work)};
    read_head(m, head, &f);
    frontend_status status = cpp_spend(m, work);
    if (status == FRONTEND_OK)
        status = cpp_open_scope(m);
    if (status == FRONTEND_OK && cpp_is(m->tokens, w->at, "for"))
        status =
            cpp_statement(m, head + 1, statement_end(m, head + 1, body - 1));
    if (status == FRONTEND_OK)
        status = push(w, f);
    return status == FRONTEND_OK ? turn_loop(w) : status;
}

static frontend_status end_loop(walk *w)
{
    const frame *f = &w->frames[w->count - 1];
    uint32_t length = f->step < f->step_end ? f->step_end - f->step : 0;
    frontend_status status = cpp_spend(w->m, STEP + length);
    if (status == FRONTEND_OK)
        status = cpp_statement(w->m, f->step, f->step_end);
    return status == FRONTEND_OK ? turn_loop(w) : status;
}

/* --- Branches --- */

/* `ARRAY[COUNT++] = TASK`: a dependency that is perhaps none. */
static bool collects(const cpp_machine *m, uint32_t at)
{
    const cpp_tokens *t = m->tokens;
    return cpp_lookup(m, at).kind == CPP_ARRAY && cpp_is(t, at + 1, "[") &&
           cpp_lookup(m, at + 2).kind == CPP_NUMBER && cpp_is(t, at + 3, "+") &&
           cpp_is(t, at + 4, "+") && cpp_is(t, at + 5, "]");
}

static frontend_status begin_branch(walk *w, uint32_t end)
{
    cpp_machine *m = w->m;
    uint32_t head = w->at + 1;
    if (!cpp_is(m->tokens, head, "("))
        return control_flow(w);
    uint32_t body = m->behind[head];
    uint64_t work = body - head;
    uint32_t after = behind_statement(m, w->at, end, &work);
    uint32_t body_end = behind_statement(m, body, after, &work);
    uint32_t otherwise = FRONTEND_NONE;
    if (body_end < after && cpp_is(m->tokens, body_end, "else"))
        otherwise = body_end + 1;
    cpp_value taken = cpp_evaluate(m, head + 1, body - 1);
    frame f = {.kind = FRAME_BRANCH,
               .start = body,
               .end = body_end,
               .after = after,
               .otherwise = FRONTEND_NONE};
    frontend_status status = cpp_spend(m, work);
    if (status != FRONTEND_OK)
        return status;
    w->at = body;
    if (taken.kind == CPP_NUMBER && taken.number == 0) {
        w->at = otherwise == FRONTEND_NONE ? after : otherwise;
        f.start = w->at;
        f.end = after;
    } else if (taken.kind != CPP_NUMBER && !collects(m, body)) {
        f.otherwise = otherwise;
        f.open = 1;
        status = cpp_region_begin(m);
    }
    return status == FRONTEND_OK ? push(w, f) : status;
}

static frontend_status end_branch(walk *w)
{
    frame *f = &w->frames[w->count - 1];
    if (f->otherwise != FRONTEND_NONE) {
        w->at = f->otherwise;
        f->end = f->after;
        f->otherwise = FRONTEND_NONE;
        return cpp_region_else(w->m);
    }
    if (f->open > 0)
        cpp_region_end(w->m);
    w->at = f->after;
    w->count--;
    return FRONTEND_OK;
}

/* --- Statements --- */

static bool jumps(const cpp_tokens *t, uint32_t at)
{
    static const char *const words[] = {"do",    "switch",   "goto",
                                        "else",  "try",      "case",
                                        "break", "continue", "return"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cpp_is(t, at, words[i]))
            return true;
    return false;
}

static frontend_status begin_block(walk *w)
{
    frame f = {.kind = FRAME_BLOCK,
               .start = w->at + 1,
               .end = w->m->behind[w->at] - 1};
    frontend_status status = cpp_open_scope(w->m);
    w->at++;
    return status == FRONTEND_OK ? push(w, f) : status;
}

static frontend_status end_frame(walk *w)
{
    const frame *f = &w->frames[w->count - 1];
    if (f->kind == FRAME_LOOP)
        return end_loop(w);
    if (f->kind == FRAME_BRANCH)
        return end_branch(w);
    w->at = f->end + 1;
    cpp_close_scope(w->m);
    w->count--;
    return FRONTEND_OK;
}

/* One statement, or the start of one that has others in it. */
static frontend_status step(walk *w, uint32_t limit)
{
    cpp_machine *m = w->m;
    const cpp_tokens *t = m->tokens;
    if (cpp_is(t, w->at, "{"))
        return begin_block(w);
    if (cpp_is(t, w->at, "for") || cpp_is(t, w->at, "while"))
        return begin_loop(w, limit);
    if (cpp_is(t, w->at, "if"))
        return begin_branch(w, limit);
    if (jumps(t, w->at))
        return control_flow(w);
    if (cpp_is(t, w->at, "PTO2_SCOPE") && cpp_is(t, w->at + 1, "(")) {
        w->at = m->behind[w->at + 1];
        return FRONTEND_OK;
    }
    uint32_t end = statement_end(m, w->at, limit);
    frontend_status status = cpp_spend(m, STEP + end - w->at);
    if (status == FRONTEND_OK)
        status = cpp_statement(m, w->at, end);
    w->at = end < limit ? end + 1 : limit;
    return status;
}

static frontend_status run_body(cpp_machine *m, uint32_t at)
{
    walk w = {.m = m, .at = at};
    frontend_status status = FRONTEND_OK;
    if (m->behind[at] > m->tokens->count)
        return frontend_stop(m->outline, FRONTEND_BAD,
                             "its entry function does not end");
    status = begin_block(&w);
    while (status == FRONTEND_OK && w.count > 0 && !m->outline->cut) {
        uint32_t end = w.frames[w.count - 1].end;
        status = cpp_spend(m, STEP);
        if (status == FRONTEND_OK)
            status = w.at >= end ? end_frame(&w) : step(&w, end);
    }
    free(w.frames);
    return status;
}

/* The '{' of the entry function, or what is behind the text. */
static uint32_t find_body(const cpp_machine *m)
{
    const cpp_tokens *t = m->tokens;
    for (uint32_t i = 0; i < t->count; i++) {
        if (!cpp_is(t, i, "aicpu_orchestration_entry") ||
            !cpp_is(t, i + 1, "("))
            continue;
        uint32_t body = m->behind[i + 1];
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
        uint32_t body = find_body(&machine);
        status = body < tokens.count
                     ? run_body(&machine, body)
                     : frontend_stop(outline, FRONTEND_BAD,
                                     "it has no orchestration entry function");
    }
    cpp_machine_free(&machine);
    cpp_tokens_free(&tokens);
    return status;
}
