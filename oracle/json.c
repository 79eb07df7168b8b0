#include "json.h"

#include "fault.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EXTENT ((1u << 29) - 1)

typedef struct parser {
    oracle_json *json;
    oracle_error *error;
    size_t at;
    uint32_t capacity;
    uint32_t depth;
    uint32_t open[ORACLE_JSON_DEPTH];
} parser;

static bool fail(parser *p, size_t offset, const char *message)
{
    oracle_fault_at(p->error, ORACLE_SYNTAX, p->json->text, offset, "%s",
                    message);
    return false;
}

static bool too_large(parser *p)
{
    oracle_fault_at(p->error, ORACLE_RANGE, p->json->text, p->at,
                    "the document has too many values or too long a string");
    return false;
}

static bool grow(parser *p)
{
    oracle_json *json = p->json;
    size_t capacity = (size_t)p->capacity * 2;
    if (p->capacity == 0) {
        capacity = json->length / 8 + 16;
    }
    if (capacity > MAX_EXTENT) {
        capacity = MAX_EXTENT;
    }
    if (capacity == p->capacity) {
        return too_large(p);
    }
    oracle_json_node *nodes =
        realloc(json->nodes, capacity * sizeof *json->nodes);
    if (nodes == NULL) {
        oracle_fault_memory(p->error);
        return false;
    }
    json->nodes = nodes;
    p->capacity = (uint32_t)capacity;
    return true;
}

static bool add(parser *p, oracle_json_type type, size_t offset, size_t extent)
{
    if (extent > MAX_EXTENT) {
        return too_large(p);
    }
    if (p->json->count == p->capacity && !grow(p)) {
        return false;
    }
    oracle_json_node *node = &p->json->nodes[p->json->count++];
    node->offset = (uint32_t)offset;
    node->type = type & 7u;
    node->extent = extent & MAX_EXTENT;
    return true;
}

static void skip_space(parser *p)
{
    const char *text = p->json->text;
    while (p->at < p->json->length) {
        char c = text[p->at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return;
        }
        p->at++;
    }
}

static bool is_digit(const parser *p)
{
    return p->at < p->json->length && p->json->text[p->at] >= '0' &&
           p->json->text[p->at] <= '9';
}

static bool is_char(const parser *p, char c)
{
    return p->at < p->json->length && p->json->text[p->at] == c;
}

static bool skip_digits(parser *p)
{
    if (!is_digit(p)) {
        return fail(p, p->at, "a digit is missing in this number");
    }
    while (is_digit(p)) {
        p->at++;
    }
    return true;
}

static bool parse_number(parser *p)
{
    size_t start = p->at;
    if (is_char(p, '-')) {
        p->at++;
    }
    size_t first = p->at;
    if (!skip_digits(p)) {
        return false;
    }
    if (p->at - first > 1 && p->json->text[first] == '0') {
        return fail(p, start, "a number must not start with 0");
    }
    bool real = false;
    if (is_char(p, '.')) {
        real = true;
        p->at++;
        if (!skip_digits(p)) {
            return false;
        }
    }
    if (is_char(p, 'e') || is_char(p, 'E')) {
        real = true;
        p->at++;
        if (is_char(p, '+') || is_char(p, '-')) {
            p->at++;
        }
        if (!skip_digits(p)) {
            return false;
        }
    }
    if (real && !oracle_number_finite(p->json->text + start, p->at - start)) {
        return fail(p, start, "the number is beyond the largest double");
    }
    return add(p, ORACLE_JSON_NUMBER, start, p->at - start);
}

static bool parse_word(parser *p, const char *word, oracle_json_type type)
{
    size_t length = strlen(word);
    if (p->json->length - p->at < length ||
        memcmp(p->json->text + p->at, word, length) != 0) {
        return fail(p, p->at, "a value is expected here");
    }
    p->at += length;
    return add(p, type, p->at - length, length);
}

static bool hex4(const parser *p, size_t at, unsigned *value)
{
    if (p->json->length - at < 4) {
        return false;
    }
    *value = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = oracle_hex_digit(p->json->text[at + i]);
        if (digit < 0) {
            return false;
        }
        *value = *value * 16 + (unsigned)digit;
    }
    return true;
}

static bool parse_unicode(parser *p)
{
    size_t start = p->at;
    unsigned high;
    unsigned low;
    if (!hex4(p, p->at + 2, &high)) {
        return fail(p, start, "\\u needs four hexadecimal digits");
    }
    p->at += 6;
    if (high < 0xd800 || high > 0xdfff) {
        return true;
    }
    const char *text = p->json->text;
    if (high >= 0xdc00 || p->json->length - p->at < 6 || text[p->at] != '\\' ||
        text[p->at + 1] != 'u' || !hex4(p, p->at + 2, &low) || low < 0xdc00 ||
        low > 0xdfff) {
        return fail(p, start, "a lone surrogate is no character");
    }
    p->at += 6;
    return true;
}

static bool parse_escape(parser *p)
{
    if (p->json->length - p->at < 2) {
        return fail(p, p->at, "the string is not closed");
    }
    char c = p->json->text[p->at + 1];
    if (c == 'u') {
        return parse_unicode(p);
    }
    if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
        return fail(p, p->at, "unknown escape");
    }
    p->at += 2;
    return true;
}

static bool parse_string(parser *p)
{
    size_t start = p->at;
    const char *text = p->json->text;
    p->at++;
    while (p->at < p->json->length) {
        unsigned char c = (unsigned char)text[p->at];
        if (c == '"') {
            p->at++;
            return add(p, ORACLE_JSON_STRING, start, p->at - start);
        }
        if (c == '\\') {
            if (!parse_escape(p)) {
                return false;
            }
        } else if (c < 0x20) {
            return fail(p, p->at, "a raw control character in a string");
        } else if (c < 0x80) {
            p->at++;
        } else {
            size_t n =
                oracle_utf8_length(text + p->at, p->json->length - p->at);
            if (n == 0) {
                return fail(p, p->at, "invalid UTF-8");
            }
            p->at += n;
        }
    }
    return fail(p, start, "the string is not closed");
}

static bool open_container(parser *p, oracle_json_type type)
{
    if (p->depth == ORACLE_JSON_DEPTH) {
        return fail(p, p->at, "more than 512 arrays and objects are open");
    }
    p->open[p->depth++] = p->json->count;
    return add(p, type, p->at++, 0);
}

/* A value, or the start of an array or object (then the depth grows). */
static bool parse_value(parser *p)
{
    skip_space(p);
    if (p->at == p->json->length) {
        return fail(p, p->at, "the document ends where a value is expected");
    }
    char c = p->json->text[p->at];
    switch (c) {
    case '{':
        return open_container(p, ORACLE_JSON_OBJECT);
    case '[':
        return open_container(p, ORACLE_JSON_ARRAY);
    case '"':
        return parse_string(p);
    case 't':
        return parse_word(p, "true", ORACLE_JSON_TRUE);
    case 'f':
        return parse_word(p, "false", ORACLE_JSON_FALSE);
    case 'n':
        return parse_word(p, "null", ORACLE_JSON_NULL);
    default:
        break;
    }
    if (c == '-' || is_digit(p)) {
        return parse_number(p);
    }
    return fail(p, p->at, "a value is expected here");
}

static bool parse_key(parser *p)
{
    skip_space(p);
    if (!is_char(p, '"')) {
        return fail(p, p->at, "a key in double quotes is expected here");
    }
    if (!parse_string(p)) {
        return false;
    }
    skip_space(p);
    if (!is_char(p, ':')) {
        return fail(p, p->at, "a colon is expected behind the key");
    }
    p->at++;
    return true;
}

/*
 * Behind a value, or behind an opening bracket (`fresh`): closes what closes
 * and says whether another value follows in the innermost open container.
 */
static bool parse_between(parser *p, bool fresh, bool *more)
{
    *more = false;
    while (p->depth > 0) {
        oracle_json_node *node = &p->json->nodes[p->open[p->depth - 1]];
        bool object = node->type == ORACLE_JSON_OBJECT;
        skip_space(p);
        if (is_char(p, object ? '}' : ']')) {
            p->at++;
            p->depth--;
            node->extent = p->json->count & MAX_EXTENT;
            fresh = false;
            continue;
        }
        if (!fresh && !is_char(p, ',')) {
            return fail(p, p->at,
                        object ? "a comma or } is expected here"
                               : "a comma or ] is expected here");
        }
        p->at += fresh ? 0 : 1;
        *more = true;
        return !object || parse_key(p);
    }
    return true;
}

static bool parse_document(parser *p)
{
    const char *text = p->json->text;
    if (p->json->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        return fail(p, 0, "a byte order mark is not allowed");
    }
    bool more = true;
    while (more) {
        uint32_t depth = p->depth;
        if (!parse_value(p) || !parse_between(p, p->depth > depth, &more)) {
            return false;
        }
    }
    skip_space(p);
    if (p->at < p->json->length) {
        return fail(p, p->at, "there is more text behind the document");
    }
    return true;
}

oracle_status oracle_json_parse(oracle_json *json, const char *text,
                                size_t length, oracle_error *error)
{
    *json = (oracle_json){.text = text, .length = length};
    if (length >= UINT32_MAX) {
        oracle_fault_at(error, ORACLE_RANGE, text, 0,
                        "the document is longer than 4 GiB");
        return ORACLE_RANGE;
    }
    parser p = {.json = json, .error = error};
    if (!parse_document(&p)) {
        oracle_json_free(json);
        return error->status;
    }
    return ORACLE_OK;
}

void oracle_json_free(oracle_json *json)
{
    free(json->nodes);
    *json = (oracle_json){0};
}
