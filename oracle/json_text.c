/* What tokens of a JSON text mean: strings, numbers, places. */
#include "json.h"

#include "number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int oracle_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

size_t oracle_utf8_length(const char *data, size_t left)
{
    const unsigned char *s = (const unsigned char *)data;
    if (left == 0) {
        return 0;
    }
    if (s[0] < 0x80) {
        return 1;
    }
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || left < length) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Overlong forms, surrogates, above U+10FFFF. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) {
        return 0;
    }
    return length;
}

static const char *token(const oracle_json *json, uint32_t node)
{
    return json->text + json->nodes[node].offset;
}

const char *oracle_json_kind(const oracle_json *json, uint32_t node)
{
    switch ((oracle_json_type)json->nodes[node].type) {
    case ORACLE_JSON_NULL:
        return "null";
    case ORACLE_JSON_FALSE:
    case ORACLE_JSON_TRUE:
        return "bool";
    case ORACLE_JSON_NUMBER:
        return oracle_json_integral(json, node) ? "integer" : "float";
    case ORACLE_JSON_STRING:
        return "string";
    case ORACLE_JSON_ARRAY:
        return "list";
    case ORACLE_JSON_OBJECT:
        return "object";
    }
    return "nothing";
}

bool oracle_json_plain(const oracle_json *json, uint32_t node)
{
    return !json->escapes ||
           memchr(token(json, node), '\\', json->nodes[node].extent) == NULL;
}

static unsigned hex4(const char *s)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        value = value * 16 + (unsigned)oracle_hex_digit(s[i]);
    }
    return value;
}

static size_t put_utf8(unsigned code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* One escape at s; returns how many bytes it takes. */
static size_t unescape_one(const char *s, char *out, size_t *length)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    if (s[1] != 'u') {
        out[(*length)++] = to[strchr(from, s[1]) - from];
        return 2;
    }
    unsigned code = hex4(s + 2);
    size_t used = 6;
    if (code >= 0xd800 && code <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(s + 8) - 0xdc00);
        used = 12;
    }
    *length += put_utf8(code, out + *length);
    return used;
}

size_t oracle_json_unescape(const oracle_json *json, uint32_t node, char *out)
{
    const char *s = token(json, node) + 1;
    const char *end = s + json->nodes[node].extent - 2;
    size_t length = 0;
    while (s < end) {
        if (*s == '\\') {
            s += unescape_one(s, out, &length);
        } else {
            out[length++] = *s++;
        }
    }
    return length;
}

/* Escapes one character of an ASCII text can take: \u0061 for "a". */
static bool escaped_is(const oracle_json *json, uint32_t node, const char *text,
                       size_t length)
{
    const char *s = token(json, node) + 1;
    const char *end = s + json->nodes[node].extent - 2;
    size_t at = 0;
    while (s < end) {
        char one[4] = {0};
        size_t n = 0;
        if (*s == '\\') {
            s += unescape_one(s, one, &n);
        } else {
            one[n++] = *s++;
        }
        if (length - at < n || memcmp(text + at, one, n) != 0) {
            return false;
        }
        at += n;
    }
    return at == length;
}

bool oracle_json_is(const oracle_json *json, uint32_t node, const char *text,
                    size_t length)
{
    size_t extent = json->nodes[node].extent - 2, at = 0;
    const char *s = token(json, node) + 1;
    if (!json->escapes) {
        return extent == length && memcmp(s, text, length) == 0;
    }
    while (at < extent && at < length && s[at] == text[at] && s[at] != '\\') {
        at++;
    }
    return at < extent && s[at] == '\\' ? escaped_is(json, node, text, length)
                                        : at == extent && at == length;
}

bool oracle_json_same(const oracle_json *a, uint32_t a_node,
                      const oracle_json *b, uint32_t b_node)
{
    uint32_t count = oracle_json_next(a, a_node) - a_node;
    bool same = oracle_json_next(b, b_node) - b_node == count;
    for (uint32_t i = 0; same && i < count; i++) {
        const oracle_json_node *x = &a->nodes[a_node + i];
        const oracle_json_node *y = &b->nodes[b_node + i];
        same = x->type == y->type &&
               (x->type >= ORACLE_JSON_ARRAY
                    ? x->extent - a_node == y->extent - b_node
                    : x->extent == y->extent &&
                          memcmp(a->text + x->offset, b->text + y->offset,
                                 x->extent) == 0);
    }
    return same;
}

bool oracle_json_integral(const oracle_json *json, uint32_t node)
{
    const char *s = token(json, node);
    size_t length = json->nodes[node].extent;
    for (size_t i = 0; i < length; i++) {
        if (s[i] == '.' || s[i] == 'e' || s[i] == 'E') {
            return false;
        }
    }
    return true;
}

bool oracle_json_int64(const oracle_json *json, uint32_t node, int64_t *value)
{
    const char *s = token(json, node);
    size_t length = json->nodes[node].extent;
    bool negative = s[0] == '-';
    int64_t v = 0;
    if (length <= 18) { /* surely fits */
        for (size_t i = negative ? 1 : 0; i < length; i++) {
            v = v * 10 + (s[i] - '0');
        }
        *value = negative ? -v : v;
        return true;
    }
    for (size_t i = negative ? 1 : 0; i < length; i++) {
        int digit = s[i] - '0';
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_sub_overflow(v, digit, &v)) {
            return false;
        }
    }
    if (!negative && v == INT64_MIN) {
        return false;
    }
    *value = negative ? v : -v;
    return true;
}

void oracle_json_position(const char *text, size_t offset, uint64_t *line,
                          uint64_t *column)
{
    size_t start = 0;
    *line = 1;
    for (;;) {
        const char *newline =
            start < offset ? memchr(text + start, '\n', offset - start) : NULL;
        if (newline == NULL) {
            break;
        }
        start = (size_t)(newline - text) + 1;
        ++*line;
    }
    *column = offset - start + 1;
}

void oracle_json_printable(const char *data, size_t length, char *out,
                           size_t size)
{
    size_t used = 0;
    size_t room = size - 4; /* for "..." and the NUL */
    size_t i = 0;
    while (i < length) {
        size_t n = oracle_utf8_length(data + i, length - i);
        unsigned char c = (unsigned char)data[i];
        bool raw = n > 1 || (n == 1 && c >= 0x20 && c != 0x7f);
        size_t need = raw ? n : 4;
        if (used + need > room) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (raw) {
            memcpy(out + used, data + i, n);
        } else {
            static const char hex[] = "0123456789ABCDEF";
            out[used] = '\\';
            out[used + 1] = 'x';
            out[used + 2] = hex[c >> 4];
            out[used + 3] = hex[c & 15];
        }
        used += need;
        i += raw ? n : 1;
    }
    out[used] = '\0';
}

static bool is_name(const char *s, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = s[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool digit = c >= '0' && c <= '9';
        if (!letter && c != '_' && !(digit && i > 0)) {
            return false;
        }
    }
    return length > 0;
}

/* The child of `parent` that is or holds `node`; appends its step. */
static uint32_t path_step(const oracle_json *json, uint32_t parent,
                          uint32_t node, char *step, size_t size)
{
    bool object = json->nodes[parent].type == ORACLE_JSON_OBJECT;
    uint32_t child = parent + 1;
    uint64_t index = 0;
    for (;;) {
        uint32_t value = object ? child + 1 : child;
        uint32_t next = oracle_json_next(json, value);
        if (node < next) {
            break;
        }
        child = next;
        index++;
    }
    if (!object) {
        snprintf(step, size, "[%llu]", (unsigned long long)index);
        return child;
    }
    const char *key = token(json, child) + 1;
    size_t length = json->nodes[child].extent - 2;
    char shown[64];
    oracle_json_printable(key, length, shown, sizeof shown);
    snprintf(step, size, is_name(key, length) ? ".%s" : "[\"%s\"]", shown);
    return node == child ? node : child + 1;
}

typedef struct path_text {
    char *data;
    size_t size, used;
} path_text;

/* False: it was cut. */
static bool add_step(path_text *path, const char *step)
{
    const char *text = path->used == 0 && step[0] == '.' ? step + 1 : step;
    size_t length = strlen(text);
    if (path->size - path->used < length + 5) {
        memcpy(path->data + path->used, "...", 4);
        return false;
    }
    memcpy(path->data + path->used, text, length + 1);
    path->used += length;
    return true;
}

/* The steps from one node to another in it. */
static bool add_steps(path_text *path, const oracle_json *json, uint32_t from,
                      uint32_t to)
{
    bool whole = true;
    while (whole && from != to) {
        char step[80];
        from = path_step(json, from, to, step, sizeof step);
        whole = add_step(path, step);
    }
    return whole;
}

void oracle_json_path(const oracle_json *json, uint32_t node, char *path,
                      size_t size)
{
    path_text out = {path, size, 0};
    uint32_t from = 0;
    path[0] = '\0';
    if (json->folded && node >= json->fixed) {
        char step[16];
        snprintf(step, sizeof step, "[%" PRIu32 "]", json->index);
        if (!add_steps(&out, json, 0, json->list) || !add_step(&out, step)) {
            return;
        }
        from = json->fixed;
    }
    add_steps(&out, json, from, node);
}
