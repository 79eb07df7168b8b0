#include "canonical.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>

/* --- Layout --- */

static bool is_empty(const oracle_canon *c)
{
    char last = c->out.length == 0 ? '\0' : c->out.data[c->out.length - 1];
    return last == '{' || last == '[';
}

static void new_line(oracle_canon *c)
{
    if (c->pretty) {
        oracle_out_raw(&c->out, "\n", 1);
        for (uint32_t i = 0; i < c->depth; i++) {
            oracle_out_raw(&c->out, "  ", 2);
        }
    }
}

void oracle_canon_open(oracle_canon *c, char bracket)
{
    oracle_out_raw(&c->out, &bracket, 1);
    c->depth++;
}

void oracle_canon_close(oracle_canon *c, char bracket)
{
    bool empty = is_empty(c);
    c->depth--;
    if (!empty) {
        new_line(c);
    }
    oracle_out_raw(&c->out, &bracket, 1);
}

void oracle_canon_item(oracle_canon *c)
{
    if (!is_empty(c)) {
        oracle_out_raw(&c->out, ",", 1);
    }
    new_line(c);
}

void oracle_canon_name(oracle_canon *c, const char *name)
{
    oracle_canon_item(c);
    oracle_out_raw(&c->out, "\"", 1);
    oracle_out_text(&c->out, name);
    oracle_out_text(&c->out, c->pretty ? "\": " : "\":");
}

void oracle_canon_key(oracle_canon *c, const char *key, size_t length)
{
    oracle_canon_item(c);
    oracle_canon_string(c, key, length);
    oracle_out_text(&c->out, c->pretty ? ": " : ":");
}

/* --- Strings --- */

static uint32_t decode(const unsigned char *u, size_t length)
{
    uint32_t code = length == 1   ? u[0]
                    : length == 2 ? u[0] & 0x1fu
                    : length == 3 ? u[0] & 0x0fu
                                  : u[0] & 0x07u;
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | (u[i] & 0x3fu);
    }
    return code;
}

static void write_code(oracle_out *out, uint32_t code)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letter[] = "\"\\bfnrt";
    const char *found =
        code > 0 && code < 0x80 ? strchr(plain, (int)code) : NULL;
    if (found != NULL) {
        char text[2] = {'\\', letter[found - plain]};
        oracle_out_raw(out, text, 2);
    } else if (code >= 0x10000) {
        code -= 0x10000;
        oracle_out_format(out, "\\u%04x\\u%04x",
                          (unsigned)(0xd800 | code >> 10),
                          (unsigned)(0xdc00 | (code & 0x3ff)));
    } else {
        oracle_out_format(out, "\\u%04x", (unsigned)code);
    }
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static size_t plain_length(const char *text, size_t length)
{
    size_t end = 0;
    while (end < length && is_plain((unsigned char)text[end])) {
        end++;
    }
    return end;
}

void oracle_canon_string(oracle_canon *c, const char *text, size_t length)
{
    size_t end = plain_length(text, length);
    if (end == length && oracle_out_reserve(&c->out, length + 2)) {
        char *to = c->out.data + c->out.length;
        to[0] = '"';
        memcpy(to + 1, text, length);
        to[length + 1] = '"';
        to[length + 2] = '\0';
        c->out.length += length + 2;
        return;
    }
    oracle_out_raw(&c->out, "\"", 1);
    for (size_t i = 0; i < length; i = end) {
        end = i + plain_length(text + i, length - i);
        oracle_out_raw(&c->out, text + i, end - i);
        if (end < length) {
            size_t n = oracle_utf8_length(text + end, length - end);
            n = n == 0 ? 1 : n;
            write_code(&c->out, decode((const unsigned char *)text + end, n));
            end += n;
        }
    }
    oracle_out_raw(&c->out, "\"", 1);
}

void oracle_canon_text(oracle_canon *c, const oracle_json *json, uint32_t node)
{
    const oracle_json_node *n = &json->nodes[node];
    if (oracle_json_plain(json, node)) {
        oracle_canon_string(c, json->text + n->offset + 1, n->extent - 2);
        return;
    }
    char *text = malloc(n->extent);
    if (text == NULL) {
        c->out.failed = true;
        return;
    }
    oracle_canon_string(c, text, oracle_json_unescape(json, node, text));
    free(text);
}

/* --- Values --- */

static void write_number(oracle_canon *c, const oracle_json *json,
                         uint32_t node)
{
    const char *text = json->text + json->nodes[node].offset;
    size_t length = json->nodes[node].extent;
    char repr[ORACLE_REPR_SIZE];
    if (!oracle_json_integral(json, node)) {
        oracle_number_repr(repr, oracle_number_value(text, length));
        oracle_out_text(&c->out, repr);
    } else if (length == 2 && memcmp(text, "-0", 2) == 0) {
        oracle_out_text(&c->out, "0");
    } else {
        oracle_out_raw(&c->out, text, length);
    }
}

/* A member of an object: its key without escapes. */
typedef struct pair {
    const char *key;
    size_t length;
    uint32_t value;
} pair;

/* An open container: pairs[begin .. end) of an object, or nodes of a list. */
typedef struct frame {
    bool object;
    uint32_t at, begin, end;
} frame;

typedef struct walk {
    oracle_canon *c;
    const oracle_json *json;
    pair *pairs;
    size_t room;
    uint32_t used;
    oracle_arena *keys; /* those with escapes; NULL: none yet */
    frame open[ORACLE_JSON_OPEN];
    uint32_t depth;
} walk;

/* Texts in UTF-8 compare as their code points do; of equals the last last. */
static int compare_pair(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    size_t common = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->key, y->key, common);
    if (order == 0 && x->length != y->length) {
        order = x->length < y->length ? -1 : 1;
    }
    return order != 0 ? order : (x->value > y->value) - (x->value < y->value);
}

static bool push_pair(walk *w, uint32_t key)
{
    const oracle_json_node *n = &w->json->nodes[key];
    if (w->used == w->room) {
        size_t room = w->room * 2 + 64;
        pair *grown = realloc(w->pairs, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        w->pairs = grown;
        w->room = room;
    }
    pair *p = &w->pairs[w->used++];
    *p = (pair){w->json->text + n->offset + 1, n->extent - 2, key + 1};
    if (oracle_json_plain(w->json, key)) {
        return true;
    }
    w->keys = w->keys == NULL ? oracle_arena_create() : w->keys;
    char *text =
        w->keys == NULL ? NULL : oracle_arena_alloc(w->keys, n->extent);
    if (text == NULL) {
        return false;
    }
    p->length = oracle_json_unescape(w->json, key, text);
    p->key = text;
    return true;
}

static bool same_key(const pair *a, const pair *b)
{
    return a->length == b->length && memcmp(a->key, b->key, a->length) == 0;
}

static bool is_sorted(const pair *pairs, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i + 1 < end; i++) {
        if (compare_pair(&pairs[i], &pairs[i + 1]) > 0) {
            return false;
        }
    }
    return true;
}

/* Pushes the members, sorted, of each key the last. */
static bool open_object(walk *w, uint32_t node)
{
    uint32_t begin = w->used, kept = w->used;
    uint32_t end = oracle_json_next(w->json, node);
    for (uint32_t at = node + 1; at < end;
         at = oracle_json_next(w->json, at + 1)) {
        if (!push_pair(w, at)) {
            return false;
        }
    }
    if (!is_sorted(w->pairs, begin, w->used)) {
        qsort(w->pairs + begin, w->used - begin, sizeof *w->pairs,
              compare_pair);
    }
    for (uint32_t i = begin; i < w->used; i++) {
        if (i + 1 == w->used || !same_key(&w->pairs[i], &w->pairs[i + 1])) {
            w->pairs[kept++] = w->pairs[i];
        }
    }
    w->used = kept;
    w->open[w->depth++] = (frame){true, begin, begin, kept};
    oracle_canon_open(w->c, '{');
    return true;
}

static void write_scalar(oracle_canon *c, const oracle_json *json,
                         uint32_t node)
{
    static const char *const words[] = {"null", "false", "true"};
    uint32_t type = json->nodes[node].type;
    if (type == ORACLE_JSON_NUMBER) {
        write_number(c, json, node);
    } else if (type == ORACLE_JSON_STRING) {
        oracle_canon_text(c, json, node);
    } else {
        oracle_out_text(&c->out, words[type]);
    }
}

static bool write_node(walk *w, uint32_t node)
{
    uint32_t type = w->json->nodes[node].type;
    if (type < ORACLE_JSON_ARRAY) {
        write_scalar(w->c, w->json, node);
        return true;
    }
    if (type == ORACLE_JSON_OBJECT) {
        return open_object(w, node);
    }
    w->open[w->depth++] =
        (frame){false, node + 1, 0, oracle_json_next(w->json, node)};
    oracle_canon_open(w->c, '[');
    return true;
}

static bool step(walk *w)
{
    frame *f = &w->open[w->depth - 1];
    if (f->at >= f->end) {
        w->used = f->object ? f->begin : w->used;
        w->depth--;
        oracle_canon_close(w->c, f->object ? '}' : ']');
        return true;
    }
    uint32_t node = f->at;
    if (f->object) {
        const pair *p = &w->pairs[f->at++];
        oracle_canon_key(w->c, p->key, p->length);
        node = p->value;
    } else {
        f->at = oracle_json_next(w->json, node);
        oracle_canon_item(w->c);
    }
    return write_node(w, node);
}

void oracle_canon_value(oracle_canon *c, const oracle_json *json, uint32_t node)
{
    walk w; /* the frames are written before they are read */
    if (json->nodes[node].type < ORACLE_JSON_ARRAY) {
        write_scalar(c, json, node);
        return;
    }
    w.c = c;
    w.json = json;
    w.pairs = NULL;
    w.room = 0;
    w.used = w.depth = 0;
    w.keys = NULL;
    bool ok = write_node(&w, node);
    while (ok && w.depth > 0) {
        ok = step(&w);
    }
    oracle_arena_free(w.keys);
    free(w.pairs);
    c->out.failed = c->out.failed || !ok;
}
