/*
 * How two values differ, in words without names, numbers and sizes: one fault
 * of a planner says much the same of every input. A list that lacks an item is
 * not one of which all later items are others.
 */
#include "answer_work.h"

#include <stdlib.h>
#include <string.h>

typedef struct shape {
    oracle_out *out;
    const oracle_json *wanted, *found; /* both canonical */
    const char *key;                   /* of the present value */
    size_t key_length;
} shape;

static bool is_key(const shape *s, const char *name)
{
    return s->key_length == strlen(name) &&
           memcmp(s->key, name, s->key_length) == 0;
}

/* Texts of these are words of the format. */
static bool is_word(const shape *s)
{
    static const char *const names[] = {"code",
                                        "core",
                                        "core_type",
                                        "dispatch",
                                        "kind",
                                        "mode",
                                        "dependency_policy",
                                        "policy",
                                        "rules",
                                        "severity",
                                        "source",
                                        "control_flow_kind",
                                        "runtime"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_key(s, names[i])) {
            return true;
        }
    }
    return false;
}

/*
 * A sentence has names in the middle and values at its end: of what stands
 * before a colon or quote its first two words and its last two.
 */
static void put_sentence(oracle_out *out, const char *text, size_t length)
{
    size_t begin[64], end[64], count = 0, at = 0;
    while (at < length && text[at] != ':' && text[at] != '\'' &&
           text[at] != '\\' && count < 64) {
        begin[count] = at;
        while (at < length && text[at] != ' ' && text[at] != ':' &&
               text[at] != '\'' && text[at] != '\\') {
            at++;
        }
        end[count++] = at;
        at += at < length && text[at] == ' ' ? 1 : 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (i < 2 || i + 2 >= count) {
            oracle_out_text(out, " ");
            oracle_out_raw(out, text + begin[i], end[i] - begin[i]);
        }
    }
}

/* What a name is of: the class of a storage key, and whether it is numbered. */
static void put_name(oracle_out *out, const char *text, size_t length)
{
    static const char *const classes[] = {"alloc:", "param:", "json:"};
    const char *class = "text";
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t n = strlen(classes[i]);
        if (length >= n && memcmp(text, classes[i], n) == 0) {
            class = classes[i];
        }
    }
    oracle_out_text(out, class);
    if (memchr(text, '@', length) != NULL) {
        oracle_out_text(out, "@");
    }
}

/* A value in words; of an object those of its members. */
static void put_value(shape *s, const oracle_json *json, uint32_t node)
{
    const oracle_json_node *n = &json->nodes[node];
    const char *text = json->text + n->offset;
    if (n->type != ORACLE_JSON_STRING) {
        bool word =
            n->type < ORACLE_JSON_ARRAY && text[0] >= 'a' && text[0] <= 'z';
        if (word) {
            oracle_out_raw(s->out, text, n->extent);
        } else {
            oracle_out_text(s->out, oracle_json_kind(json, node));
        }
    } else if (is_key(s, "message") || is_key(s, "reasons")) {
        put_sentence(s->out, text + 1, n->extent - 2);
    } else if (is_word(s)) {
        oracle_out_raw(s->out, text + 1, n->extent - 2);
    } else {
        put_name(s->out, text + 1, n->extent - 2);
    }
}

static void set_key(shape *s, const oracle_json *json, uint32_t key)
{
    s->key = json->text + json->nodes[key].offset + 1;
    s->key_length = json->nodes[key].extent - 2;
}

static void put_item(shape *s, const oracle_json *json, uint32_t node)
{
    if (json->nodes[node].type != ORACLE_JSON_OBJECT) {
        put_value(s, json, node);
        return;
    }
    for (uint32_t at = node + 1; at < oracle_json_next(json, node);
         at = oracle_json_next(json, at + 1)) {
        set_key(s, json, at);
        if (json->nodes[at + 1].type == ORACLE_JSON_STRING &&
            (is_word(s) || is_key(s, "message") || is_key(s, "storage_key"))) {
            oracle_out_text(s->out, " ");
            put_value(s, json, at + 1);
        }
    }
}

static void put_pair(shape *s, uint32_t a, uint32_t b)
{
    const oracle_json_node *x = &s->wanted->nodes[a], *y = &s->found->nodes[b];
    if (x->type == ORACLE_JSON_NUMBER && y->type == ORACLE_JSON_NUMBER) {
        double wanted = strtod(s->wanted->text + x->offset, NULL);
        double found = strtod(s->found->text + y->offset, NULL);
        oracle_out_text(s->out, found < wanted   ? " less"
                                : found > wanted ? " more"
                                                 : " spelled");
        return;
    }
    oracle_out_text(s->out, " ");
    put_value(s, s->found, b);
    oracle_out_text(s->out, " for ");
    put_value(s, s->wanted, a);
}

static bool has_item(const oracle_json *list, uint32_t node,
                     const oracle_json *json, uint32_t item)
{
    for (uint32_t at = node + 1; at < oracle_json_next(list, node);
         at = oracle_json_next(list, at)) {
        if (answer_same_value(list, at, json, item)) {
            return true;
        }
    }
    return false;
}

/* The first items that differ, to go into; false: it is told. */
static bool walk_list(shape *s, uint32_t *a, uint32_t *b)
{
    uint32_t x = *a + 1, x_end = oracle_json_next(s->wanted, *a);
    uint32_t y = *b + 1, y_end = oracle_json_next(s->found, *b);
    while (x < x_end && y < y_end &&
           answer_same_value(s->wanted, x, s->found, y)) {
        x = oracle_json_next(s->wanted, x);
        y = oracle_json_next(s->found, y);
    }
    bool lost = x < x_end && !has_item(s->found, *b, s->wanted, x);
    bool added = y < y_end && !has_item(s->wanted, *a, s->found, y);
    oracle_out_text(s->out, "[]");
    if (lost && added) {
        *a = x;
        *b = y;
        return true;
    }
    if (lost) {
        oracle_out_text(s->out, " lost ");
        put_item(s, s->wanted, x);
    } else if (added) {
        oracle_out_text(s->out, " added ");
        put_item(s, s->found, y);
    } else {
        oracle_out_text(s->out, x < x_end && y < y_end ? " order" : " twice");
    }
    return false;
}

static int compare_keys(const shape *s, uint32_t a, uint32_t b)
{
    const oracle_json_node *x = &s->wanted->nodes[a], *y = &s->found->nodes[b];
    uint32_t common = x->extent < y->extent ? x->extent : y->extent;
    int order =
        memcmp(s->wanted->text + x->offset, s->found->text + y->offset, common);
    return order != 0 ? order
                      : (x->extent > y->extent) - (x->extent < y->extent);
}

static bool walk_object(shape *s, uint32_t *a, uint32_t *b)
{
    uint32_t x = *a + 1, x_end = oracle_json_next(s->wanted, *a);
    uint32_t y = *b + 1, y_end = oracle_json_next(s->found, *b);
    int order = 0;
    while (x < x_end && y < y_end && (order = compare_keys(s, x, y)) == 0 &&
           answer_same_value(s->wanted, x + 1, s->found, y + 1)) {
        x = oracle_json_next(s->wanted, x + 1);
        y = oracle_json_next(s->found, y + 1);
    }
    bool lost = x < x_end && (y >= y_end || order < 0);
    bool added = y < y_end && (x >= x_end || order > 0);
    set_key(s, added ? s->found : s->wanted, added ? y : x);
    oracle_out_text(s->out, ".");
    oracle_out_raw(s->out, s->key, s->key_length);
    if (lost || added) {
        oracle_out_text(s->out, lost ? " lost" : " added");
        return false;
    }
    *a = x + 1;
    *b = y + 1;
    return true;
}

static void walk(shape *s, uint32_t a, uint32_t b)
{
    for (bool goes_on = true; goes_on;) {
        uint32_t type = s->wanted->nodes[a].type;
        if (type != s->found->nodes[b].type || type < ORACLE_JSON_ARRAY) {
            put_pair(s, a, b);
            return;
        }
        goes_on = type == ORACLE_JSON_OBJECT ? walk_object(s, &a, &b)
                                             : walk_list(s, &a, &b);
    }
}

static bool parse(oracle_json *to, oracle_canon *canon, const oracle_json *json,
                  uint32_t node)
{
    oracle_error error;
    size_t used;
    oracle_canon_value(canon, json, node);
    return !canon->out.failed &&
           oracle_json_parse_value(to, canon->out.data, canon->out.length,
                                   &used, &error) == ORACLE_OK;
}

static bool put_difference(shape *s, const oracle_json *wanted, uint32_t a,
                           const oracle_json *found, uint32_t b)
{
    oracle_canon x = {0}, y = {0};
    oracle_json known, got;
    bool ok = parse(&known, &x, wanted, a);
    if (ok) {
        ok = parse(&got, &y, found, b);
        if (ok) {
            s->wanted = &known;
            s->found = &got;
            if (!answer_same_value(&known, 0, &got, 0)) {
                walk(s, 0, 0);
            }
            oracle_json_free(&got);
        }
        oracle_json_free(&known);
    }
    oracle_out_free(&x.out);
    oracle_out_free(&y.out);
    return ok;
}

/* Without digits: they are numbers, or of names. Frees `out`. */
static bool keep(answering *a, oracle_out *out, bool ok)
{
    char *text = NULL;
    size_t length = 0;
    if (ok && !out->failed) {
        text = oracle_arena_alloc(a->arena, out->length + 1);
    }
    for (size_t i = 0; text != NULL && i < out->length; i++) {
        if (out->data[i] < '0' || out->data[i] > '9') {
            text[length++] = out->data[i];
        }
    }
    if (text != NULL) {
        text[length] = '\0';
    }
    a->shape = text;
    oracle_out_free(out);
    return text != NULL;
}

bool answer_shape(answering *a, const char *place, const oracle_json *wanted,
                  uint32_t wanted_node, const oracle_json *found,
                  uint32_t found_node)
{
    oracle_out out = {0};
    const char *dot = strrchr(place, '.');
    const char *key = dot == NULL ? place : dot + 1;
    shape s = {.out = &out, .key = key, .key_length = strcspn(key, "[")};
    bool ok = true;
    oracle_out_text(&out, place);
    if (wanted_node == ORACLE_NONE || found_node == ORACLE_NONE) {
        oracle_out_text(&out, found_node == ORACLE_NONE ? " lost" : " added");
    } else {
        ok = put_difference(&s, wanted, wanted_node, found, found_node);
    }
    return keep(a, &out, ok);
}

bool answer_shape_words(answering *a, const char *const words[4])
{
    oracle_out out = {0};
    for (int i = 0; i < 4; i++) {
        const char *word = words[i] == NULL ? "" : words[i];
        if (strchr(word, ' ') != NULL) {
            put_sentence(&out, word, strlen(word));
        } else {
            oracle_out_text(&out, word);
        }
        oracle_out_text(&out, "|");
    }
    return keep(a, &out, true);
}

/* Which parts differ, each once, in their fixed order. */
static void put_causes(oracle_out *out, const answering *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        bool told = false;
        for (uint32_t k = 0; k < i; k++) {
            told =
                told || strcmp(a->records[k].cause, a->records[i].cause) == 0;
        }
        if (!told) {
            oracle_out_format(out, "+%s", a->records[i].cause);
        }
    }
}

bool answer_share_shapes(answering *a)
{
    const char *first = "";
    oracle_out causes = {0};
    bool ok = true;
    for (uint32_t i = 0; *first == '\0' && i < a->count; i++) {
        first = a->records[i].shape == NULL ? "" : a->records[i].shape;
    }
    put_causes(&causes, a);
    for (uint32_t i = 0; ok && i < a->count; i++) {
        oracle_record *r = &a->records[i];
        oracle_out out = {0};
        oracle_out_text(&out, r->shape == NULL ? first : r->shape);
        if (causes.length > 0) {
            oracle_out_raw(&out, causes.data, causes.length);
        }
        ok = !out.failed && !causes.failed;
        r->shape =
            ok ? oracle_arena_text(a->arena, out.data, out.length) : NULL;
        ok = r->shape != NULL;
        oracle_out_free(&out);
    }
    oracle_out_free(&causes);
    return ok;
}
