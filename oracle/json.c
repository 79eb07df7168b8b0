#include "json.h"

#include "fault.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EXTENT ((1u << 29) - 1)

/* Nodes that a list may have before it is folded. */
#ifndef ORACLE_JSON_FOLD
#define ORACLE_JSON_FOLD 4096
#endif

typedef struct parser {
    oracle_json *json;
    oracle_error *error;
    size_t at;
    uint32_t depth;
    bool folds;
    bool folding;     /* the list in the root object that is open */
    uint32_t most;    /* nodes at once */
    uint32_t deepest; /* containers that may be open */
    uint32_t open[ORACLE_JSON_OPEN];
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
    size_t capacity = (size_t)json->capacity * 2;
    if (json->capacity == 0) {
        capacity = p->folds ? ORACLE_JSON_FOLD : json->length / 8 + 16;
    }
    if (capacity > MAX_EXTENT) {
        capacity = MAX_EXTENT;
    }
    if (capacity == json->capacity) {
        return too_large(p);
    }
    oracle_json_node *nodes =
        realloc(json->nodes, capacity * sizeof *json->nodes);
    if (nodes == NULL) {
        oracle_fault_memory(p->error);
        return false;
    }
    json->nodes = nodes;
    json->capacity = (uint32_t)capacity;
    return true;
}

static bool add(parser *p, oracle_json_type type, size_t offset, size_t extent)
{
    if (extent > MAX_EXTENT) {
        return too_large(p);
    }
    if (p->json->count == p->json->capacity && !grow(p)) {
        return false;
    }
    oracle_json_node *node = &p->json->nodes[p->json->count++];
    node->offset = (uint32_t)offset;
    node->type = type & 7u;
    node->extent = extent & MAX_EXTENT;
    return true;
}

static inline void skip_space(parser *p)
{
    const char *text = p->json->text;
    while (p->at < p->json->length) {
        char c = text[p->at];
        if (c > ' ') {
            return;
        }
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
    p->json->escapes = true;
    if (c == 'u') {
        return parse_unicode(p);
    }
    if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
        return fail(p, p->at, "unknown escape");
    }
    p->at += 2;
    return true;
}

/* Behind the printable ASCII that stands for itself. */
static size_t skip_plain(const char *text, size_t at, size_t end)
{
    while (at < end && (signed char)text[at] >= 0x20 && text[at] != '"' &&
           text[at] != '\\') {
        at++;
    }
    return at;
}

static bool parse_string(parser *p)
{
    size_t start = p->at;
    const char *text = p->json->text;
    p->at++;
    while (p->at < p->json->length) {
        p->at = skip_plain(text, p->at, p->json->length);
        if (p->at == p->json->length) {
            break;
        }
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

/* Whether the container that is n-th open is there under a key. */
static bool is_under(const parser *p, uint32_t n, const char *key)
{
    const oracle_json *json = p->json;
    const oracle_json_node *node = &json->nodes[p->open[n] - 1];
    size_t length = strlen(key);
    return node->extent == length &&
           memcmp(json->text + node->offset, key, length) == 0;
}

/* The documents of a bundle's members are as deep as those alone, and so is the
 * Score of an eligibility result. */
static uint32_t depth_limit(const parser *p)
{
    const oracle_json_node *nodes = p->json->nodes;
    if (p->deepest != ORACLE_JSON_DEPTH) {
        return p->deepest;
    }
    bool member = nodes[p->open[0]].type == ORACLE_JSON_OBJECT &&
                  nodes[p->open[1]].type == ORACLE_JSON_ARRAY &&
                  nodes[p->open[2]].type == ORACLE_JSON_OBJECT &&
                  is_under(p, 1, "\"members\"") &&
                  is_under(p, 3, "\"document\"");
    uint32_t around = member ? ORACLE_JSON_MEMBER : 0;
    if (nodes[p->open[around]].type == ORACLE_JSON_OBJECT &&
        is_under(p, around + 1, "\"score\"")) {
        around++;
    }
    return ORACLE_JSON_DEPTH + around;
}

static bool open_container(parser *p, oracle_json_type type)
{
    if (p->depth >= p->deepest && p->depth == depth_limit(p)) {
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
 * Behind an item of a list in the root object: takes away a long list's. A
 * bundle, which has its documents in a list, is not folded.
 */
static void fold(parser *p)
{
    oracle_json *json = p->json;
    uint32_t list = p->open[1];
    p->most = json->count > p->most ? json->count : p->most;
    if (!p->folding && json->count - list > ORACLE_JSON_FOLD) {
        p->folds = p->folding = !oracle_json_is(json, list - 1, "members", 7);
    }
    if (p->folding) {
        json->count = list + 1;
        json->folded = true;
    }
}

static bool may_fold(const parser *p)
{
    const oracle_json_node *nodes = p->json->nodes;
    return p->folds && p->depth == 2 &&
           nodes[p->open[0]].type == ORACLE_JSON_OBJECT &&
           nodes[p->open[1]].type == ORACLE_JSON_ARRAY;
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
        if (!fresh && may_fold(p)) {
            fold(p);
        }
        skip_space(p);
        if (is_char(p, object ? '}' : ']')) {
            p->at++;
            p->folding = p->folding && p->depth > 2;
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

static bool parse_whole(parser *p)
{
    bool more = true;
    while (more) {
        uint32_t depth = p->depth;
        if (!parse_value(p) || !parse_between(p, p->depth > depth, &more)) {
            return false;
        }
    }
    return true;
}

static bool parse_document(parser *p)
{
    const char *text = p->json->text;
    if (p->json->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        return fail(p, 0, "a byte order mark is not allowed");
    }
    if (!parse_whole(p)) {
        return false;
    }
    skip_space(p);
    if (p->at < p->json->length) {
        return fail(p, p->at, "there is more text behind the document");
    }
    return true;
}

/* Room for any item behind the nodes that stay, which then stay in place. */
static bool reserve_item(parser *p)
{
    oracle_json *json = p->json;
    size_t capacity = (size_t)json->count + p->most;
    oracle_json_node *nodes =
        capacity > MAX_EXTENT
            ? NULL
            : realloc(json->nodes, capacity * sizeof *json->nodes);
    if (nodes == NULL) {
        oracle_fault_memory(p->error);
        return false;
    }
    json->nodes = nodes;
    json->capacity = (uint32_t)capacity;
    return true;
}

static void start(parser *p, oracle_json *json, oracle_error *error)
{
    p->json = json;
    p->error = error;
    p->at = 0;
    p->depth = 0;
    p->folds = p->folding = false;
    p->most = 0;
    p->deepest = ORACLE_JSON_DEPTH;
}

static oracle_status parse(oracle_json *json, const char *text, size_t length,
                           bool folds, oracle_error *error)
{
    *json = (oracle_json){.text = text, .length = length};
    if (length >= UINT32_MAX) {
        oracle_fault_at(error, ORACLE_RANGE, text, 0,
                        "the document is longer than 4 GiB");
        return ORACLE_RANGE;
    }
    parser p; /* what is open is written before it is read */
    start(&p, json, error);
    p.folds = folds;
    if (!parse_document(&p) || (json->folded && !reserve_item(&p))) {
        oracle_json_free(json);
        return error->status;
    }
    json->fixed = json->count;
    return ORACLE_OK;
}

oracle_status oracle_json_parse(oracle_json *json, const char *text,
                                size_t length, oracle_error *error)
{
    return parse(json, text, length, false, error);
}

oracle_status oracle_json_parse_value(oracle_json *json, const char *text,
                                      size_t length, size_t *used,
                                      oracle_error *error)
{
    *json = (oracle_json){.text = text, .length = length};
    parser p; /* as above */
    start(&p, json, error);
    p.deepest = ORACLE_JSON_OPEN;
    if (length >= UINT32_MAX) {
        return oracle_fault_at(error, ORACLE_RANGE, text, 0,
                               "the document is longer than 4 GiB");
    }
    if (!parse_whole(&p)) {
        oracle_json_free(json);
        return error->status;
    }
    json->fixed = json->count;
    json->length = *used = p.at;
    return ORACLE_OK;
}

oracle_status oracle_json_parse_folded(oracle_json *json, const char *text,
                                       size_t length, oracle_error *error)
{
    return parse(json, text, length, true, error);
}

/* --- Items of lists --- */

oracle_json_items oracle_json_items_of(const oracle_json *json, uint32_t list)
{
    oracle_json_items items = {.list = list, .index = ORACLE_NONE};
    if (list == ORACLE_NONE) {
        return items;
    }
    items.node = list + 1;
    items.end = oracle_json_next(json, list);
    items.at = (size_t)json->nodes[list].offset + 1;
    items.folded = json->folded && items.end == list + 1;
    return items;
}

/* The item behind items->at, to the end of the fixed nodes. */
static bool unfold(oracle_json *json, oracle_json_items *items)
{
    oracle_error error;
    parser p; /* what is open is written before it is read */
    start(&p, json, &error);
    p.at = items->at;
    skip_space(&p);
    if (is_char(&p, ',')) {
        p.at++;
        skip_space(&p);
    }
    if (is_char(&p, ']')) {
        return false;
    }
    json->count = json->fixed;
    items->failed = !parse_whole(&p);
    items->at = p.at;
    items->node = json->fixed;
    return !items->failed;
}

bool oracle_json_item(oracle_json *json, oracle_json_items *items)
{
    if (items->list == ORACLE_NONE || items->failed) {
        return false;
    }
    items->index++; /* from ORACLE_NONE to 0 */
    if (items->folded) {
        json->list = items->list;
        json->index = items->index;
        return unfold(json, items);
    }
    if (items->index > 0) {
        items->node = oracle_json_next(json, items->node);
    }
    return items->node < items->end;
}

void oracle_json_free(oracle_json *json)
{
    free(json->nodes);
    *json = (oracle_json){0};
}
