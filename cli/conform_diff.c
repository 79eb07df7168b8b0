/* Where two JSON texts differ first, in words. */
#include <stdlib.h>
#include <string.h>

#include "conform_case.h"

#define SNIPPET ((size_t)100)

/* The two sides: the other implementation's first, then ours. */
typedef struct side {
    const sonata_doc *doc;
    const sonata_node *node;
} side;

static bool is_container(side s)
{
    sonata_node_kind kind = sonata_node_kind_of(s.doc, s.node);
    return kind == SONATA_NODE_LIST || kind == SONATA_NODE_OBJECT;
}

static bool same(side a, side b, bool *failed)
{
    char *x = NULL, *y = NULL;
    if (sonata_node_json(&x, NULL, a.doc, a.node, false, NULL) != SONATA_OK ||
        sonata_node_json(&y, NULL, b.doc, b.node, false, NULL) != SONATA_OK)
        *failed = true;
    bool equal = !*failed && strcmp(x, y) == 0;
    free(x);
    free(y);
    return equal;
}

/* The canonical text, cut where it is long. */
static void put_node(cli_text *out, side s)
{
    char *json = NULL;
    size_t length = 0;
    if (sonata_node_json(&json, &length, s.doc, s.node, false, NULL) !=
        SONATA_OK) {
        out->failed = true;
        return;
    }
    cli_text_add(out, json, length < SNIPPET ? length : SNIPPET);
    if (length > SNIPPET)
        cli_text_printf(out, "... (%zu bytes)", length);
    free(json);
}

static void put_pair(cli_text *out, side a, side b)
{
    cli_text_put(out, ": expected ");
    put_node(out, a);
    cli_text_put(out, ", got ");
    put_node(out, b);
}

/* Goes down into the first item that differs; false: the lists' ends do. */
static bool enter_list(cli_text *out, side *a, side *b)
{
    const sonata_node *x = sonata_node_first(a->node);
    const sonata_node *y = sonata_node_first(b->node);
    size_t i = 0;
    for (; x != NULL && y != NULL; i++) {
        side left = {a->doc, x}, right = {b->doc, y};
        if (!same(left, right, &out->failed)) {
            cli_text_printf(out, "[%zu]", i);
            *a = left;
            *b = right;
            return true;
        }
        x = sonata_node_next(x);
        y = sonata_node_next(y);
    }
    cli_text_printf(out, ": expected %zu items, got %zu", //
                    sonata_node_count(a->node), sonata_node_count(b->node));
    if (x == NULL && y == NULL)
        return false;
    cli_text_printf(out, "; [%zu] is ", i);
    put_node(out, x != NULL ? (side){a->doc, x} : (side){b->doc, y});
    return false;
}

/* The member of a's next key that b does not have, or has otherwise. */
static const sonata_node *next_difference(const sonata_node **member, side a,
                                          side b, bool *failed)
{
    for (; *member != NULL; *member = sonata_node_next(*member)) {
        const char *key = sonata_node_key(a.doc, *member).text;
        const sonata_node *other = sonata_node_get(b.doc, b.node, key);
        if (other == NULL ||
            !same((side){a.doc, *member}, (side){b.doc, other}, failed))
            return other;
    }
    return NULL;
}

static bool enter_object(cli_text *out, side *a, side *b)
{
    const sonata_node *x = sonata_node_first(a->node);
    const sonata_node *other = next_difference(&x, *a, *b, &out->failed);
    if (x != NULL) {
        cli_text_printf(out, ".%s", sonata_node_key(a->doc, x).text);
        if (other == NULL) {
            cli_text_put(out, ": missing, expected ");
            put_node(out, (side){a->doc, x});
            return false;
        }
        *a = (side){a->doc, x};
        *b = (side){b->doc, other};
        return true;
    }
    const sonata_node *y = sonata_node_first(b->node);
    next_difference(&y, *b, *a, &out->failed);
    if (y != NULL) {
        cli_text_printf(out, ".%s: not expected, got ",
                        sonata_node_key(b->doc, y).text);
        put_node(out, (side){b->doc, y});
    }
    return false;
}

static void describe(cli_text *out, side a, side b)
{
    while (is_container(a) && sonata_node_kind_of(a.doc, a.node) ==
                                  sonata_node_kind_of(b.doc, b.node)) {
        bool is_list = sonata_node_kind_of(a.doc, a.node) == SONATA_NODE_LIST;
        if (!(is_list ? enter_list(out, &a, &b) : enter_object(out, &a, &b)))
            return;
    }
    put_pair(out, a, b);
}

bool conform_describe(cli_text *out, const char *expected, const char *got,
                      size_t got_length)
{
    sonata_doc *a = NULL, *b = NULL;
    if (sonata_doc_read(&a, expected, strlen(expected), NULL) == SONATA_OK &&
        sonata_doc_read(&b, got, got_length, NULL) == SONATA_OK)
        describe(out, (side){a, sonata_doc_root(a)},
                 (side){b, sonata_doc_root(b)});
    else
        cli_text_put(out, ": the answers cannot be compared");
    sonata_doc_free(a);
    sonata_doc_free(b);
    return !out->failed;
}
