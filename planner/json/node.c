/* The canonical JSON of any node, without recursion. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "number.h"
#include "scan.h"

typedef struct member {
    sonata_text key;
    size_t order; /* in the text */
    const sonata_node *value;
} member;

/* An open container: the rest of a list, or of the members of an object. */
typedef struct level {
    bool is_list;
    const sonata_node *next;
    size_t first, at, end; /* among the members of all open objects */
} level;

typedef struct walk {
    sonata_json *w;
    const sonata_doc *doc;
    member *members;
    size_t room;
    size_t count;
    level levels[SONATA_DEPTH_OPEN];
    size_t depth;
} walk;

static int by_key(const void *a, const void *b)
{
    const member *left = a;
    const member *right = b;
    size_t shorter = left->key.length < right->key.length ? left->key.length
                                                          : right->key.length;
    int order = memcmp(left->key.text, right->key.text, shorter);
    if (order != 0)
        return order;
    if (left->key.length != right->key.length)
        return left->key.length < right->key.length ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

/* Sorted members, the last of each key. */
static void sort_members(walk *v, size_t first)
{
    member *all = v->members;
    if (v->count - first > 1)
        qsort(all + first, v->count - first, sizeof *all, by_key);
    size_t kept = first;
    for (size_t i = first; i < v->count; i++) {
        if (kept > first && sonata_text_equal(all[kept - 1].key, all[i].key))
            kept--;
        all[kept++] = all[i];
    }
    v->count = kept;
}

static void open_object(walk *v, const sonata_node *node)
{
    size_t first = v->count;
    const sonata_node *m = sonata_node_first(node);
    for (; m != NULL; m = sonata_node_next(m)) {
        member *members =
            sonata_grow(v->members, &v->room, v->count, sizeof *members);
        if (members == NULL) {
            v->w->failed = true;
            return;
        }
        v->members = members;
        members[v->count] = (member){sonata_node_key(v->doc, m), v->count, m};
        v->count++;
    }
    sort_members(v, first);
    sonata_json_object(v->w);
    v->levels[v->depth++] =
        (level){.first = first, .at = first, .end = v->count};
}

static void write_number(walk *v, const sonata_node *node)
{
    char room[SONATA_DOUBLE_SIZE];
    sonata_text text =
        sonata_number_spell(room, sonata_node_number(v->doc, node));
    if (text.text == NULL)
        v->w->failed = true;
    else
        sonata_json_raw(v->w, text.text, text.length);
}

/* Writes a scalar, or opens a container. */
static void begin_node(walk *v, const sonata_node *node)
{
    sonata_text text;
    switch (sonata_node_kind_of(v->doc, node)) {
    case SONATA_NODE_NULL:
        sonata_json_null(v->w);
        break;
    case SONATA_NODE_BOOL:
        sonata_json_bool(v->w, sonata_node_is_true(node));
        break;
    case SONATA_NODE_INT:
    case SONATA_NODE_FLOAT:
        write_number(v, node);
        break;
    case SONATA_NODE_STRING:
        text = sonata_node_text(v->doc, node);
        sonata_json_string_n(v->w, text.text, text.length);
        break;
    case SONATA_NODE_LIST:
        sonata_json_array(v->w);
        v->levels[v->depth++] =
            (level){.is_list = true, .next = sonata_node_first(node)};
        break;
    case SONATA_NODE_OBJECT:
        open_object(v, node);
        break;
    }
}

/* The next item of the innermost container; NULL when it is closed. */
static const sonata_node *next_item(walk *v)
{
    level *top = &v->levels[v->depth - 1];
    if (top->is_list) {
        const sonata_node *item = top->next;
        if (item != NULL)
            top->next = sonata_node_next(item);
        else
            sonata_json_end_array(v->w);
        return item;
    }
    if (top->at == top->end) {
        sonata_json_end_object(v->w);
        v->count = top->first;
        return NULL;
    }
    const member *m = &v->members[top->at++];
    sonata_json_key_n(v->w, m->key.text, m->key.length);
    return m->value;
}

void sonata_write_node(sonata_json *w, const sonata_doc *doc,
                       const sonata_node *node)
{
    walk v;
    v.w = w;
    v.doc = doc;
    v.members = NULL;
    v.room = v.count = v.depth = 0;
    begin_node(&v, node);
    while (v.depth > 0 && sonata_json_ok(w)) {
        const sonata_node *item = next_item(&v);
        if (item == NULL)
            v.depth--;
        else
            begin_node(&v, item);
    }
    free(v.members);
}

sonata_status sonata_node_json(char **json, size_t *length,
                               const sonata_doc *doc, const sonata_node *node,
                               bool pretty, sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_write_node(&w, doc, node);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

static sonata_value_kind value_kind(sonata_node_kind kind)
{
    static const sonata_value_kind kinds[] = {
        [SONATA_NODE_NULL] = SONATA_NULL,
        [SONATA_NODE_BOOL] = SONATA_BOOL,
        [SONATA_NODE_INT] = SONATA_INT,
        [SONATA_NODE_FLOAT] = SONATA_FLOAT,
        [SONATA_NODE_STRING] = SONATA_STRING,
        [SONATA_NODE_LIST] = SONATA_NESTED,
        [SONATA_NODE_OBJECT] = SONATA_NESTED};
    return kinds[kind];
}

/* The characters of a string, the canonical JSON of a container. */
static sonata_text take_text(sonata_arena *arena, const sonata_doc *doc,
                             const sonata_node *node)
{
    char room[SONATA_DOUBLE_SIZE];
    char *json = NULL;
    sonata_text text = {0};
    switch (sonata_node_kind_of(doc, node)) {
    case SONATA_NODE_NULL:
        return SONATA_TEXT("null");
    case SONATA_NODE_BOOL:
        return sonata_node_is_true(node) ? SONATA_TEXT("true")
                                         : SONATA_TEXT("false");
    case SONATA_NODE_INT:
    case SONATA_NODE_FLOAT:
        text = sonata_number_spell(room, sonata_node_number(doc, node));
        break;
    case SONATA_NODE_STRING:
        text = sonata_node_text(doc, node);
        break;
    case SONATA_NODE_LIST:
    case SONATA_NODE_OBJECT:
        if (sonata_node_json(&json, &text.length, doc, node, false, NULL) ==
            SONATA_OK)
            text.text = json;
    }
    if (text.text != NULL)
        text.text = sonata_arena_copy(arena, text.text, text.length);
    free(json);
    return text;
}

bool sonata_node_value(sonata_value *value, sonata_arena *arena,
                       const sonata_doc *doc, const sonata_node *node)
{
    value->kind = value_kind(sonata_node_kind_of(doc, node));
    value->text = take_text(arena, doc, node);
    return value->text.text != NULL;
}
