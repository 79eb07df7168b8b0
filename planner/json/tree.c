/* The tree of a document: cJSON's, with what the lexer kept put back. */
#include "tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "number.h"
#include "scan.h"

/*
 * A number node has its place among scan.numbers in valuedouble, a marked
 * string node its place among scan.strings; a marked key's is in valueint of
 * its member. Places stay below 2^53 and INT_MAX.
 */
struct sonata_doc {
    sonata_scan scan;
    cJSON *root;
};

#define TYPE 0xff /* the type of a node, without its flags */

static bool is_number(const cJSON *node)
{
    return node != NULL && (node->type & TYPE) == cJSON_Number;
}

static bool is_string(const cJSON *node)
{
    return node != NULL && (node->type & TYPE) == cJSON_String;
}

static bool is_marked(const char *text)
{
    return text != NULL && text[0] == SONATA_MARK;
}

typedef struct places {
    size_t number, string;
} places;

static void annotate_node(cJSON *node, places *next)
{
    if (is_marked(node->string))
        node->valueint = (int)next->string++;
    if (is_number(node))
        node->valuedouble = (double)next->number++;
    else if (is_string(node) && is_marked(node->valuestring))
        node->valuedouble = (double)next->string++;
}

/* In the order of the text: a node before its children. */
static void annotate(cJSON *root)
{
    cJSON *up[SONATA_DEPTH_OPEN];
    size_t depth = 0;
    places next = {0, 0};
    cJSON *node = root;
    while (node != NULL) {
        annotate_node(node, &next);
        if (node->child != NULL) {
            up[depth++] = node;
            node = node->child;
            continue;
        }
        while (depth > 0 && node->next == NULL)
            node = up[--depth];
        node = depth == 0 ? NULL : node->next;
    }
}

static sonata_status read_tree(sonata_doc *doc, const char *text, size_t length,
                               sonata_error *error)
{
    sonata_status status = sonata_scan_text(&doc->scan, text, length, error);
    if (status != SONATA_OK)
        return status;
    if (doc->scan.string_count > INT_MAX)
        return sonata_fail(error, SONATA_RANGE, "doc.range",
                           "too many strings with U+0000");
    doc->root = cJSON_ParseWithLength(doc->scan.text, length);
    if (doc->root == NULL)
        return sonata_fail_memory(error);
    free(doc->scan.text);
    doc->scan.text = NULL;
    annotate(doc->root);
    return SONATA_OK;
}

sonata_status sonata_doc_read(sonata_doc **doc, const char *text, size_t length,
                              sonata_error *error)
{
    *doc = calloc(1, sizeof **doc);
    if (*doc == NULL)
        return sonata_fail_memory(error);
    sonata_status status = read_tree(*doc, text, length, error);
    if (status != SONATA_OK) {
        sonata_doc_free(*doc);
        *doc = NULL;
    }
    return status;
}

void sonata_doc_free(sonata_doc *doc)
{
    if (doc == NULL)
        return;
    cJSON_Delete(doc->root);
    sonata_scan_free(&doc->scan);
    free(doc);
}

const sonata_node *sonata_doc_root(const sonata_doc *doc)
{
    return doc->root;
}

sonata_node_kind sonata_node_kind_of(const sonata_doc *doc,
                                     const sonata_node *node)
{
    switch (node->type & TYPE) {
    case cJSON_Number:
        return sonata_number_is_float(sonata_node_number(doc, node))
                   ? SONATA_NODE_FLOAT
                   : SONATA_NODE_INT;
    case cJSON_String:
        return SONATA_NODE_STRING;
    case cJSON_Array:
        return SONATA_NODE_LIST;
    case cJSON_Object:
        return SONATA_NODE_OBJECT;
    case cJSON_False:
    case cJSON_True:
        return SONATA_NODE_BOOL;
    default:
        return SONATA_NODE_NULL;
    }
}

const char *sonata_node_type(const sonata_doc *doc, const sonata_node *node)
{
    static const char *const names[] = {
        [SONATA_NODE_NULL] = "NoneType", [SONATA_NODE_BOOL] = "bool",
        [SONATA_NODE_INT] = "int",       [SONATA_NODE_FLOAT] = "float",
        [SONATA_NODE_STRING] = "str",    [SONATA_NODE_LIST] = "list",
        [SONATA_NODE_OBJECT] = "dict"};
    return names[sonata_node_kind_of(doc, node)];
}

const sonata_node *sonata_node_first(const sonata_node *node)
{
    return node->child;
}

const sonata_node *sonata_node_next(const sonata_node *node)
{
    return node->next;
}

size_t sonata_node_count(const sonata_node *node)
{
    size_t count = 0;
    for (const cJSON *m = node->child; m != NULL; m = m->next)
        count++;
    return count;
}

sonata_text sonata_node_key(const sonata_doc *doc, const sonata_node *member)
{
    if (member->string == NULL)
        return (sonata_text){0};
    if (is_marked(member->string))
        return doc->scan.strings[member->valueint];
    return (sonata_text){member->string, strlen(member->string)};
}

const sonata_node *sonata_node_get(const sonata_doc *doc,
                                   const sonata_node *object, const char *key)
{
    const cJSON *found = NULL;
    (void)doc; /* a marked key holds U+0000, which `key` cannot */
    if (!cJSON_IsObject(object))
        return NULL;
    for (const cJSON *m = object->child; m != NULL; m = m->next)
        if (strcmp(m->string, key) == 0)
            found = m;
    return found;
}

sonata_text sonata_node_text(const sonata_doc *doc, const sonata_node *node)
{
    if (!is_string(node))
        return (sonata_text){0};
    if (is_marked(node->valuestring))
        return doc->scan.strings[(size_t)node->valuedouble];
    return (sonata_text){node->valuestring, strlen(node->valuestring)};
}

sonata_text sonata_node_number(const sonata_doc *doc, const sonata_node *node)
{
    if (!is_number(node))
        return (sonata_text){0};
    return doc->scan.numbers[(size_t)node->valuedouble];
}

bool sonata_node_is_true(const sonata_node *node)
{
    return cJSON_IsTrue(node);
}

bool sonata_node_int(int64_t *value, const sonata_doc *doc,
                     const sonata_node *node)
{
    return is_number(node) &&
           sonata_number_int64(value, sonata_node_number(doc, node));
}
