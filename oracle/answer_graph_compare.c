/*
 * Two task graphs that must say the same. Free are layout, defaults that are
 * spelled out, the order of buffers and of edges, and what is there for people
 * (docs/task-graph.md). Both are canonical, so equal values are equal bytes.
 */
#include "answer_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graphs {
    answering *a;
    const oracle_json *wanted, *found;
    uint32_t told; /* differences */
} graphs;

/* A field, and the value that it has where it is missing; NULL: it has none. */
typedef struct field {
    const char *name, *fallback;
} field;

#define EMPTY "[]"

/* One difference: a field (NULL: all of it) of an object that is found. */
typedef struct place {
    const char *cause;
    uint32_t object; /* found */
    const char *name;
    uint32_t wanted, found; /* values; ORACLE_NONE: there is none */
} place;

static bool tell(graphs *g, const place *p)
{
    oracle_arena *arena = g->a->arena;
    char path[128];
    const char *found = oracle_tell_value(arena, g->found, p->found);
    const char *wanted = oracle_tell_value(arena, g->wanted, p->wanted);
    oracle_json_path(g->found, p->object, path, sizeof path);
    const char *dot = path[0] != '\0' && p->name != NULL ? "." : "";
    g->told++;
    char whole[192];
    snprintf(whole, sizeof whole, "graph.%s%s%s", path, dot,
             p->name == NULL ? "" : p->name);
    return found != NULL && wanted != NULL &&
           answer_shape(g->a, whole, g->wanted, p->wanted, g->found,
                        p->found) &&
           answer_report(g->a, "diff.graph", p->cause,
                         "%s%s%s in the planner's member graph is %s, by the "
                         "rules it is %s",
                         path[0] == '\0' && p->name == NULL ? "the document"
                                                            : path,
                         dot, p->name == NULL ? "" : p->name, found, wanted);
}

/* --- Fields --- */

static bool is_null(const oracle_json *json, uint32_t node)
{
    return node == ORACLE_NONE || json->nodes[node].type == ORACLE_JSON_NULL;
}

static bool is_object(const oracle_json *json, uint32_t node)
{
    return json->nodes[node].type == ORACLE_JSON_OBJECT;
}

static bool is_token(const oracle_json *json, uint32_t node, const char *text)
{
    const oracle_json_node *n = &json->nodes[node];
    return n->type < ORACLE_JSON_ARRAY && n->extent == strlen(text) &&
           memcmp(json->text + n->offset, text, n->extent) == 0;
}

/* Null is like missing, but of a number of blocks it is a value. */
static bool is_fallback(const oracle_json *json, uint32_t node, const field *f)
{
    if (is_null(json, node)) {
        return node == ORACLE_NONE || strcmp(f->name, "blocks") != 0;
    }
    if (strcmp(f->fallback, EMPTY) == 0) {
        return json->nodes[node].type == ORACLE_JSON_ARRAY &&
               oracle_json_next(json, node) == node + 1;
    }
    return is_token(json, node, f->fallback);
}

static bool same_field(const graphs *g, const field *f, uint32_t wanted,
                       uint32_t found)
{
    bool plain = f->fallback == NULL ? wanted == ORACLE_NONE
                                     : is_fallback(g->wanted, wanted, f);
    bool other = f->fallback == NULL ? found == ORACLE_NONE
                                     : is_fallback(g->found, found, f);
    if (plain || other) {
        return plain && other;
    }
    return answer_same_value(g->wanted, wanted, g->found, found);
}

/* *same: of these fields each is the same in both objects; else *p is filled
 * but for its cause. */
static bool same_fields(const graphs *g, const field *fields, uint32_t wanted,
                        uint32_t found, place *p)
{
    for (const field *f = fields; f->name != NULL; f++) {
        p->wanted = oracle_json_member(g->wanted, wanted, f->name);
        p->found = oracle_json_member(g->found, found, f->name);
        if (!same_field(g, f, p->wanted, p->found)) {
            p->object = found;
            p->name = f->name;
            return false;
        }
    }
    return true;
}

/* An item that is no object is none of these. */
static bool same_objects(const graphs *g, const field *fields, uint32_t wanted,
                         uint32_t found, place *p)
{
    if (is_object(g->found, found)) {
        return same_fields(g, fields, wanted, found, p);
    }
    *p = (place){p->cause, found, NULL, wanted, found};
    return false;
}

/* --- The document --- */

static bool compare_document(graphs *g)
{
    static const field fields[] = {
        {"kind", NULL},        {"version", NULL},        {"name", "null"},
        {"rules", "\"none\""}, {"symbols", EMPTY},       {"choices", EMPTY},
        {"scopes", EMPTY},     {"host_accesses", EMPTY}, {"dynamic", EMPTY},
        {"facts", EMPTY},      {"impossible", EMPTY},    {NULL, NULL}};
    place p = {.cause = "document"};
    return same_objects(g, fields, 0, 0, &p) || tell(g, &p);
}

/* A list of the document that is found; *list ORACLE_NONE: it is told. */
static bool find_list(graphs *g, const char *name, uint32_t *wanted,
                      uint32_t *found)
{
    *wanted = oracle_json_member(g->wanted, 0, name);
    *found = is_object(g->found, 0) ? oracle_json_member(g->found, 0, name)
                                    : ORACLE_NONE;
    bool missing = is_null(g->found, *found);
    if (!missing && g->found->nodes[*found].type == ORACLE_JSON_ARRAY) {
        return true;
    }
    place p = {name, 0, name, *wanted, *found};
    *found = ORACLE_NONE;
    return (missing && oracle_json_next(g->wanted, *wanted) == *wanted + 1) ||
           tell(g, &p);
}

/* --- Buffers --- */

/* Whether it is the caller's: said, or by its key. */
static bool is_external(const oracle_json *json, uint32_t buffer)
{
    uint32_t node = oracle_json_member(json, buffer, "external");
    uint32_t key = oracle_json_member(json, buffer, "key");
    if (!is_null(json, node)) {
        return !is_token(json, node, "false");
    }
    return json->nodes[key].extent < 8 ||
           memcmp(json->text + json->nodes[key].offset, "\"alloc:", 7) != 0;
}

static bool same_buffer(const graphs *g, uint32_t wanted, uint32_t found,
                        place *p)
{
    static const field fields[] = {
        {"bytes", "null"},    {"init", "false"},   {"manual_dep", "false"},
        {"align", "1"},       {"creator", "null"}, {"alias_of", "null"},
        {"may_alias", EMPTY}, {NULL, NULL}};
    static const field external = {"external", NULL};
    if (!same_fields(g, fields, wanted, found, p)) {
        return false;
    }
    if (is_external(g->wanted, wanted) == is_external(g->found, found)) {
        return true;
    }
    p->object = found;
    p->name = external.name;
    p->wanted = oracle_json_member(g->wanted, wanted, external.name);
    p->found = oracle_json_member(g->found, found, external.name);
    return false;
}

static const char *token_of(const oracle_json *json, uint32_t node,
                            size_t *length)
{
    *length = json->nodes[node].extent;
    return json->text + json->nodes[node].offset;
}

/* The buffers that must be there, by key; the value is the node. */
static bool list_buffers(const graphs *g, uint32_t list, oracle_table *keys)
{
    for (uint32_t at = list + 1; at < oracle_json_next(g->wanted, list);
         at = oracle_json_next(g->wanted, at)) {
        size_t length;
        const char *key = token_of(
            g->wanted, oracle_json_member(g->wanted, at, "key"), &length);
        oracle_slot *slot = oracle_table_slot(keys, key, length);
        if (slot == NULL) {
            return false;
        }
        *slot = (oracle_slot){key, (uint32_t)length, at};
    }
    return true;
}

/* *same: each one that is there must be. Those that are met have no slot. */
static bool match_buffers(graphs *g, uint32_t list, oracle_table *keys,
                          bool *same)
{
    *same = true;
    for (uint32_t at = list + 1; at < oracle_json_next(g->found, list);
         at = oracle_json_next(g->found, at)) {
        place p = {"buffers", at, NULL, ORACLE_NONE, at};
        size_t length;
        uint32_t key = oracle_json_member(g->found, at, "key");
        oracle_slot *slot = NULL;
        if (key != ORACLE_NONE) {
            const char *text = token_of(g->found, key, &length);
            slot = oracle_table_slot(keys, text, length);
            if (slot == NULL) {
                return false;
            }
            if (slot->data == NULL) {
                *slot = (oracle_slot){text, (uint32_t)length, ORACLE_NONE};
            }
        }
        bool known = slot != NULL && slot->value != ORACLE_NONE;
        if (!known || !same_buffer(g, slot->value, at, &p)) {
            *same = false;
            return tell(g, &p);
        }
        slot->value = ORACLE_NONE;
    }
    return true;
}

static bool compare_buffers(graphs *g)
{
    uint32_t wanted, found;
    oracle_table keys = {0};
    bool same = true;
    if (!find_list(g, "buffers", &wanted, &found)) {
        return false;
    }
    if (found == ORACLE_NONE) {
        return true;
    }
    bool ok =
        list_buffers(g, wanted, &keys) && match_buffers(g, found, &keys, &same);
    for (uint32_t at = wanted + 1;
         ok && same && at < oracle_json_next(g->wanted, wanted);
         at = oracle_json_next(g->wanted, at)) {
        size_t length;
        const char *key = token_of(
            g->wanted, oracle_json_member(g->wanted, at, "key"), &length);
        if (oracle_table_find(&keys, key, length) != ORACLE_NONE) {
            const place p = {"buffers", 0, "buffers", at, ORACLE_NONE};
            same = false;
            ok = tell(g, &p);
        }
    }
    oracle_table_free(&keys);
    return ok;
}

/* --- Tasks --- */

typedef bool (*same_item)(const graphs *g, uint32_t wanted, uint32_t found,
                          place *p);

/* Two lists, item by item; an absent one is another than an empty one. */
static bool same_lists(const graphs *g, const char *name, uint32_t wanted,
                       uint32_t found, same_item same, place *p)
{
    const char *cause = p->cause;
    uint32_t a = oracle_json_member(g->wanted, wanted, name);
    uint32_t b = oracle_json_member(g->found, found, name);
    *p = (place){cause, found, name, a, b};
    if (is_null(g->wanted, a) || is_null(g->found, b)) {
        return is_null(g->wanted, a) && is_null(g->found, b);
    }
    if (g->found->nodes[b].type != ORACLE_JSON_ARRAY) {
        return false;
    }
    uint32_t i = a + 1, j = b + 1;
    uint32_t i_end = oracle_json_next(g->wanted, a);
    uint32_t j_end = oracle_json_next(g->found, b);
    while (i < i_end && j < j_end) {
        if (!same(g, i, j, p)) {
            return false;
        }
        i = oracle_json_next(g->wanted, i);
        j = oracle_json_next(g->found, j);
    }
    *p = j < j_end ? (place){cause, j, NULL, ORACLE_NONE, j}
                   : (place){cause, found, name, i, ORACLE_NONE};
    return i == i_end && j == j_end;
}

static bool same_access(const graphs *g, uint32_t wanted, uint32_t found,
                        place *p)
{
    static const field fields[] = {{"mode", NULL},
                                   {"must", "false"},
                                   {"exact", "false"},
                                   {"region", "null"},
                                   {NULL, NULL}};
    p->cause = "access";
    return same_objects(g, fields, wanted, found, p);
}

/* A number is the text of its digits: {"text": "4"} and 4 say the same. */
static bool same_scalar(const graphs *g, uint32_t wanted, uint32_t found,
                        place *p)
{
    uint32_t a = oracle_json_member(g->wanted, wanted, "scalar");
    uint32_t b = oracle_json_member(g->found, found, "scalar");
    if (is_null(g->wanted, a) || is_null(g->found, b)) {
        return is_null(g->wanted, a) && is_null(g->found, b);
    }
    *p = (place){p->cause, found, "scalar", a, b};
    if (g->found->nodes[b].type != ORACLE_JSON_NUMBER) {
        return answer_same_value(g->wanted, a, g->found, b);
    }
    const oracle_json_node *text =
        &g->wanted->nodes[oracle_json_member(g->wanted, a, "text")];
    const oracle_json_node *number = &g->found->nodes[b];
    return text->extent == number->extent + 2 &&
           memcmp(g->wanted->text + text->offset + 1,
                  g->found->text + number->offset, number->extent) == 0;
}

static bool same_arg(const graphs *g, uint32_t wanted, uint32_t found, place *p)
{
    static const field fields[] = {
        {"buffer", "null"},  {"dispatch", "\"unknown\""}, {"declared", "null"},
        {"view", "null"},    {"manual_dep", "false"},     {"dtype", "null"},
        {"version", "null"}, {"base_address", "null"},    {"owner", "null"},
        {NULL, NULL}};
    p->cause = "args";
    return same_objects(g, fields, wanted, found, p) &&
           same_scalar(g, wanted, found, p) &&
           same_lists(g, "access", wanted, found, same_access, p);
}

static bool same_task(const graphs *g, uint32_t wanted, uint32_t found,
                      place *p)
{
    static const field fields[] = {
        {"id", NULL},       {"name", "null"},      {"core", "null"},
        {"blocks", "1"},    {"scope", "null"},     {"sync_start", "false"},
        {"dummy", "false"}, {"early", "false"},    {"when", EMPTY},
        {"deps", EMPTY},    {"predicate", "null"}, {NULL, NULL}};
    p->cause = "tasks";
    if (!same_objects(g, fields, wanted, found, p)) {
        return false;
    }
    /* Without arguments the list may be missing. */
    uint32_t args = oracle_json_member(g->wanted, wanted, "args");
    return (oracle_json_next(g->wanted, args) == args + 1 &&
            is_null(g->found, oracle_json_member(g->found, found, "args"))) ||
           same_lists(g, "args", wanted, found, same_arg, p);
}

static bool compare_tasks(graphs *g)
{
    uint32_t wanted, found;
    if (!find_list(g, "tasks", &wanted, &found)) {
        return false;
    }
    uint32_t i = wanted + 1, j = found + 1;
    while (found != ORACLE_NONE) {
        bool left = i < oracle_json_next(g->wanted, wanted);
        bool here = j < oracle_json_next(g->found, found);
        place p = {"tasks", here ? j : 0, here ? NULL : "tasks",
                   left ? i : ORACLE_NONE, here ? j : ORACLE_NONE};
        if (!left && !here) {
            break;
        }
        if (!left || !here || !same_task(g, i, j, &p)) {
            return tell(g, &p);
        }
        i = oracle_json_next(g->wanted, i);
        j = oracle_json_next(g->found, j);
    }
    return true;
}

/* --- Edges --- */

#define EDGE_FIELDS 7

typedef struct edge {
    uint32_t node;
    struct {
        const char *text;
        uint32_t length;
    } values[EDGE_FIELDS];
} edge;

static void read_edge(const oracle_json *json, uint32_t node, edge *e)
{
    static const field fields[EDGE_FIELDS] = {
        {"from", "null"},  {"to", "null"},      {"source", "\"automatic\""},
        {"kind", "null"},  {"certain", "true"}, {"from_arg", "null"},
        {"to_arg", "null"}};
    e->node = node;
    for (uint32_t i = 0; i < EDGE_FIELDS; i++) {
        uint32_t value = oracle_json_member(json, node, fields[i].name);
        const char *text = fields[i].fallback;
        size_t length = strlen(text);
        if (!is_null(json, value)) {
            text = token_of(json, value, &length);
            length = json->nodes[value].type < ORACLE_JSON_ARRAY ? length : 1;
        }
        e->values[i].text = text;
        e->values[i].length = (uint32_t)length;
    }
}

static int compare_edge(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    for (uint32_t i = 0; i < EDGE_FIELDS; i++) {
        uint32_t m = x->values[i].length, n = y->values[i].length;
        int order = m != n ? (m > n ? 1 : -1)
                           : memcmp(x->values[i].text, y->values[i].text, m);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static int compare_edge_place(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    int order = compare_edge(a, b);
    return order != 0 ? order : (x->node > y->node) - (x->node < y->node);
}

static edge *sort_edges(const graphs *g, const oracle_json *json, uint32_t list,
                        uint32_t *count)
{
    *count = oracle_list_length(json, list);
    edge *edges = oracle_arena_array(g->a->arena, *count, sizeof *edges);
    uint32_t at = list + 1;
    for (uint32_t i = 0; edges != NULL && i < *count; i++) {
        read_edge(json, at, &edges[i]);
        at = oracle_json_next(json, at);
    }
    if (edges != NULL && *count > 1) {
        qsort(edges, *count, sizeof *edges, compare_edge_place);
    }
    return edges;
}

/* The first that is there and must not be, and the first that must and is not;
 * of several with the same ends those. */
static void pair_edges(const edge *wanted, uint32_t m, const edge *found,
                       uint32_t n, place *p)
{
    for (uint32_t i = 0, j = 0; i < m || j < n;) {
        int order = i == m   ? 1
                    : j == n ? -1
                             : compare_edge(&wanted[i], &found[j]);
        if (order < 0 && p->wanted == ORACLE_NONE) {
            p->wanted = wanted[i].node;
        }
        if (order > 0 && p->found == ORACLE_NONE) {
            p->found = found[j].node;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static bool compare_edges(graphs *g)
{
    uint32_t wanted, found, m, n;
    place p = {"edges", 0, "edges", ORACLE_NONE, ORACLE_NONE};
    if (!find_list(g, "edges", &wanted, &found)) {
        return false;
    }
    if (found == ORACLE_NONE) {
        return true;
    }
    edge *a = sort_edges(g, g->wanted, wanted, &m);
    edge *b = sort_edges(g, g->found, found, &n);
    if (a == NULL || b == NULL) {
        return false;
    }
    pair_edges(a, m, b, n, &p);
    if (p.found != ORACLE_NONE) {
        p.object = p.found;
        p.name = NULL;
    }
    return (p.wanted == ORACLE_NONE && p.found == ORACLE_NONE) || tell(g, &p);
}

/* --- Both --- */

static bool compare_all(graphs *g)
{
    return compare_document(g) && compare_buffers(g) && compare_tasks(g) &&
           compare_edges(g);
}

static bool parse(oracle_json *json, const oracle_out *text)
{
    oracle_error error;
    size_t used;
    return oracle_json_parse_value(json, text->data, text->length, &used,
                                   &error) == ORACLE_OK;
}

bool answer_compare_graph(answering *a, const oracle_out *text)
{
    uint32_t node = a->member[ANSWER_GRAPH];
    oracle_json wanted, found;
    graphs g = {a, &wanted, &found, 0};
    if (node == ORACLE_NONE || answer_is_text(a, node, text)) {
        return true;
    }
    oracle_canon c = {0};
    oracle_canon_value(&c, &a->bundle, node);
    bool ok = !c.out.failed && parse(&wanted, text);
    if (ok) {
        ok = parse(&found, &c.out);
        if (ok) {
            ok = compare_all(&g);
            oracle_json_free(&found);
        }
        oracle_json_free(&wanted);
    }
    oracle_out_free(&c.out);
    return ok;
}
