#include "cpp_tokens.h"

#include <stdlib.h>
#include <string.h>

typedef struct scanner {
    cpp_tokens *tokens;
    const char *text;
    size_t length, at;
    uint32_t line;
} scanner;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(const scanner *s, size_t ahead)
{
    return ahead < s->length - s->at ? s->text[s->at + ahead] : '\0';
}

static void skip_to_line_end(scanner *s)
{
    while (s->at < s->length && s->text[s->at] != '\n')
        s->at++;
}

static void skip_comment(scanner *s)
{
    s->at += 2;
    while (s->at < s->length && !(peek(s, 0) == '*' && peek(s, 1) == '/')) {
        if (s->text[s->at] == '\n')
            s->line++;
        s->at++;
    }
    s->at = s->length - s->at < 2 ? s->length : s->at + 2;
}

/* True when something that is no token was skipped. */
static bool skip_space(scanner *s)
{
    char c = s->text[s->at];
    if (c == '\n')
        s->line++;
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        s->at++;
        return true;
    }
    if (c == '#' || (c == '/' && peek(s, 1) == '/')) {
        skip_to_line_end(s);
        return true;
    }
    if (c == '/' && peek(s, 1) == '*') {
        skip_comment(s);
        return true;
    }
    return false;
}

static void skip_string(scanner *s)
{
    char quote = s->text[s->at++];
    while (s->at < s->length && s->text[s->at] != quote &&
           s->text[s->at] != '\n')
        s->at += s->text[s->at] == '\\' && s->length - s->at > 1 ? 2 : 1;
    if (s->at < s->length && s->text[s->at] == quote)
        s->at++;
}

static frontend_status take_token(scanner *s)
{
    cpp_tokens *tokens = s->tokens;
    size_t start = s->at;
    char c = s->text[start];
    if (is_letter(c) || is_digit(c)) {
        while (s->at < s->length &&
               (is_letter(s->text[s->at]) || is_digit(s->text[s->at])))
            s->at++;
    } else if (c == '"' || c == '\'') {
        skip_string(s);
    } else {
        s->at++;
    }
    if (!frontend_grow(&tokens->items, &tokens->room, tokens->count,
                       sizeof *tokens->items))
        return FRONTEND_NO_MEMORY;
    tokens->items[tokens->count++] =
        (cpp_token){.start = (uint32_t)start,
                    .length = (uint32_t)(s->at - start),
                    .name = FRONTEND_NONE,
                    .line = s->line};
    return FRONTEND_OK;
}

typedef struct spelling {
    const char *data;
    uint32_t length, token;
} spelling;

static int compare_spellings(const void *a, const void *b)
{
    const spelling *left = a;
    const spelling *right = b;
    uint32_t common =
        left->length < right->length ? left->length : right->length;
    int order = memcmp(left->data, right->data, common);
    if (order != 0)
        return order;
    if (left->length != right->length)
        return left->length < right->length ? -1 : 1;
    return (left->token > right->token) - (left->token < right->token);
}

/* Numbers the identifiers by sorting, so that no input makes it slow. */
static frontend_status number_names(cpp_tokens *tokens)
{
    spelling *all = malloc((tokens->count + (size_t)1) * sizeof *all);
    if (all == NULL)
        return FRONTEND_NO_MEMORY;
    size_t count = 0;
    for (uint32_t i = 0; i < tokens->count; i++) {
        const cpp_token *token = &tokens->items[i];
        const char *data = tokens->text + token->start;
        if (is_letter(*data))
            all[count++] = (spelling){data, token->length, i};
    }
    qsort(all, count, sizeof *all, compare_spellings);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && all[i].length == all[i - 1].length &&
                    memcmp(all[i].data, all[i - 1].data, all[i].length) == 0;
        if (!same)
            tokens->name_count++;
        tokens->items[all[i].token].name = tokens->name_count - 1;
    }
    free(all);
    return FRONTEND_OK;
}

frontend_status cpp_tokens_read(cpp_tokens *tokens, const char *text,
                                size_t length)
{
    memset(tokens, 0, sizeof *tokens);
    tokens->text = text;
    scanner s = {tokens, text, length, 0, 1};
    while (s.at < s.length) {
        if (skip_space(&s))
            continue;
        frontend_status status = take_token(&s);
        if (status != FRONTEND_OK)
            return status;
    }
    return number_names(tokens);
}

void cpp_tokens_free(cpp_tokens *tokens)
{
    free(tokens->items);
    memset(tokens, 0, sizeof *tokens);
}

frontend_text cpp_text(const cpp_tokens *tokens, uint32_t i)
{
    if (i >= tokens->count)
        return (frontend_text){"", 0};
    return (frontend_text){tokens->text + tokens->items[i].start,
                           tokens->items[i].length};
}

bool cpp_is(const cpp_tokens *tokens, uint32_t i, const char *text)
{
    return i < tokens->count &&
           frontend_same(cpp_text(tokens, i), frontend_string(text));
}

bool cpp_begins(const cpp_tokens *tokens, uint32_t i, const char *prefix)
{
    frontend_text text = cpp_text(tokens, i);
    size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.data, prefix, length) == 0;
}

bool cpp_is_name(const cpp_tokens *tokens, uint32_t i)
{
    return i < tokens->count && tokens->items[i].name != FRONTEND_NONE;
}

bool cpp_number(const cpp_tokens *tokens, uint32_t i, int64_t *value)
{
    frontend_text text = cpp_text(tokens, i);
    while (text.length > 1 && strchr("uUlL", text.data[text.length - 1]))
        text.length--;
    int64_t sum = 0;
    if (text.length == 0 || text.length > 18 ||
        (text.length > 1 && *text.data == '0'))
        return false;
    for (size_t k = 0; k < text.length; k++) {
        if (!is_digit(text.data[k]))
            return false;
        sum = sum * 10 + (text.data[k] - '0');
    }
    *value = sum;
    return true;
}
