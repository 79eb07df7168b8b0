#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../json/array.h"
#include "../json/fields.h"
#include "../json/number.h"

#define LIMIT ((size_t)UINT32_MAX - 1)
#define PLACES 16 /* of a path, the innermost */
#define FEW 16    /* members compared one with another */

static const char *const names[] = {
    [SONATA_IR_KIND] = "kind",
    [SONATA_IR_ID] = "id",
    [SONATA_IR_REF] = "ref",
    [SONATA_IR_MAP] = "map",
    [SONATA_IR_NAME] = "name",
    [SONATA_IR_NAME_HINT] = "name_hint",
    [SONATA_IR_FUNC_TYPE] = "func_type",
    [SONATA_IR_PARAMS] = "params",
    [SONATA_IR_FUNCTIONS] = "functions",
    [SONATA_IR_BODY] = "body",
    [SONATA_IR_THEN_BODY] = "then_body",
    [SONATA_IR_ELSE_BODY] = "else_body",
    [SONATA_IR_BRANCHES] = "branches",
    [SONATA_IR_STMTS] = "stmts",
    [SONATA_IR_STATEMENTS] = "statements",
    [SONATA_IR_SEQ] = "seq",
    [SONATA_IR_ARGS] = "args",
    [SONATA_IR_VALUE] = "value",
    [SONATA_IR_EXPR] = "expr",
    [SONATA_IR_CONDITION] = "condition",
    [SONATA_IR_TYPE] = "type",
    [SONATA_IR_TYPE_] = "type_",
    [SONATA_IR_TENSOR_TYPE] = "tensor_type",
    [SONATA_IR_SHAPE] = "shape",
    [SONATA_IR_SHAPE_] = "shape_",
    [SONATA_IR_DIMS] = "dims",
    [SONATA_IR_DIMS_] = "dims_",
    [SONATA_IR_OP] = "op",
    [SONATA_IR_OP_NAME] = "op_name",
    [SONATA_IR_ARG_DIRECTIONS] = "arg_directions",
    [SONATA_IR_ATTRS] = "attrs",
    [SONATA_IR_VAR] = "var",
    [SONATA_IR_TUPLE] = "tuple",
    [SONATA_IR_INDEX] = "index",
};

typedef struct member {
    sonata_text key;
    uint8_t tag; /* the kind of the key */
    uint8_t field;
    const sonata_node *value;
    uint32_t place; /* of the value made of it */
} member;

typedef struct builder {
    sonata_source *source;
    const sonata_doc *doc;
    sonata_error *error;
    sonata_table fields; /* the names above, by their number */
    sonata_table ids;
    uint32_t *named; /* per id: the node that bears it, the latest */
    size_t named_room;
    member *members; /* of the object being opened */
    size_t member_count, member_room;
    uint32_t *stack; /* values to be opened, the next on top */
    size_t depth, stack_room;
    sonata_status status;
} builder;

/* Which entry of a map has the value: keys may stand there twice, so that there
 * are more entries than values. */
static size_t entry_of(const sonata_source *source, const sonata_ir_value *v)
{
    size_t index = 0;
    const sonata_node *m = sonata_node_first(
        sonata_node_get(source->doc, source->values[v->up].json, "map"));
    while (m != NULL && sonata_node_next(sonata_node_first(m)) != v->json) {
        m = sonata_node_next(m);
        index++;
    }
    return index;
}

/* A value's place in its holder. */
static sonata_place place_of(const sonata_source *source, uint32_t value)
{
    const sonata_ir_value *v = &source->values[value];
    sonata_place place = {
        .name = sonata_node_key(source->doc, v->json).text,
        .index = value - source->values[v->up].first,
    };
    if (place.name == NULL && source->values[v->up].form == SONATA_IR_MAPPING)
        place.index = entry_of(source, v);
    return place;
}

sonata_status sonata_source_refuse(const sonata_source *source, uint32_t value,
                                   sonata_status status, sonata_error *error,
                                   const char *format, ...)
{
    char what[256];
    sonata_place places[PLACES];
    sonata_reading r = {.doc = source->doc, .error = error};
    size_t count = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (; value != 0 && count < PLACES; value = source->values[value].up)
        places[count++] = place_of(source, value);
    for (size_t i = 0; i + 1 < count; i++)
        places[i].up = &places[i + 1];
    sonata_refuse(&r, status, count == 0 ? NULL : places, "%s", what);
    return r.status;
}

static bool fail_memory(builder *b)
{
    b->status = sonata_fail_memory(b->error);
    return false;
}

#define REFUSE(b, value, ...)                                                  \
    ((b)->status = sonata_source_refuse((b)->source, (value), SONATA_SCHEMA,   \
                                        (b)->error, __VA_ARGS__),              \
     false)

static uint8_t field_of(const builder *b, sonata_text key)
{
    uint32_t number = SONATA_IR_FIELDS;
    return sonata_table_find(&b->fields, &number, 0, key)
               ? (uint8_t)number
               : (uint8_t)SONATA_IR_FIELDS;
}

/* The member with the same key, or one past the last. */
static bool find_member(uint32_t *found, const builder *b, sonata_table *table,
                        const member *m)
{
    *found = 0;
    if (table != NULL)
        return sonata_table_put(table, found, NULL, m->tag, m->key);
    while (*found < b->member_count &&
           (b->members[*found].tag != m->tag ||
            !sonata_text_equal(b->members[*found].key, m->key)))
        ++*found;
    return true;
}

static bool put_member(builder *b, sonata_table *table, member m)
{
    uint32_t found = 0;
    member *members = sonata_grow(b->members, &b->member_room, b->member_count,
                                  sizeof *members);
    if (members == NULL)
        return fail_memory(b);
    b->members = members;
    if (!find_member(&found, b, table, &m))
        return fail_memory(b);
    if (found < b->member_count) {
        members[found].value = m.value;
        return true;
    }
    m.field = m.tag == SONATA_NODE_STRING ? field_of(b, m.key)
                                          : (uint8_t)SONATA_IR_FIELDS;
    members[b->member_count++] = m;
    return true;
}

static bool gather_object(builder *b, sonata_table *table,
                          const sonata_node *object)
{
    const sonata_node *m = sonata_node_first(object);
    for (; m != NULL; m = sonata_node_next(m))
        if (!put_member(b, table,
                        (member){.key = sonata_node_key(b->doc, m),
                                 .tag = SONATA_NODE_STRING,
                                 .value = m}))
            return false;
    return true;
}

/* The key of an entry of a map; null: it cannot be one. */
static sonata_text map_key(const builder *b, const sonata_node *node)
{
    switch (sonata_node_kind_of(b->doc, node)) {
    case SONATA_NODE_STRING:
        return sonata_node_text(b->doc, node);
    case SONATA_NODE_INT:
    case SONATA_NODE_FLOAT:
        return sonata_node_number(b->doc, node);
    case SONATA_NODE_BOOL:
        return sonata_node_is_true(node) ? SONATA_TEXT("true")
                                         : SONATA_TEXT("false");
    case SONATA_NODE_NULL:
        return SONATA_TEXT("null");
    case SONATA_NODE_LIST:
    case SONATA_NODE_OBJECT:
        break;
    }
    return (sonata_text){0};
}

static bool gather_pairs(builder *b, sonata_table *table, uint32_t value,
                         const sonata_node *list)
{
    size_t index = 0;
    const sonata_node *m = sonata_node_first(list);
    for (; m != NULL; m = sonata_node_next(m), index++) {
        bool pair = sonata_node_kind_of(b->doc, m) == SONATA_NODE_LIST &&
                    sonata_node_count(m) == 2;
        const sonata_node *first = pair ? sonata_node_first(m) : NULL;
        sonata_text key = pair ? map_key(b, first) : (sonata_text){0};
        if (key.text == NULL)
            return REFUSE(b, value,
                          "has a map whose entry %zu is not a pair of a key "
                          "and a value",
                          index);
        if (!put_member(
                b, table,
                (member){.key = key,
                         .tag = (uint8_t)sonata_node_kind_of(b->doc, first),
                         .value = sonata_node_next(first)}))
            return false;
    }
    return true;
}

/* Fills b->members: of an object, or of the pairs of a map. */
static bool gather(builder *b, uint32_t value, const sonata_node *node)
{
    sonata_table table = {0};
    sonata_table *used = sonata_node_count(node) > FEW ? &table : NULL;
    b->member_count = 0;
    bool ok = sonata_node_kind_of(b->doc, node) == SONATA_NODE_OBJECT
                  ? gather_object(b, used, node)
                  : gather_pairs(b, used, value, node);
    sonata_table_free(&table);
    return ok;
}

static bool add_value(builder *b, uint32_t up)
{
    sonata_source *s = b->source;
    sonata_ir_value *values =
        sonata_grow(s->values, &s->capacity, s->count, sizeof *values);
    if (values == NULL)
        return fail_memory(b);
    s->values = values;
    values[s->count++] = (sonata_ir_value){.up = up, .field = SONATA_IR_FIELDS};
    return true;
}

/* The values of a holder: `count` of them, contiguous. */
static bool add_values(builder *b, uint32_t up, size_t count)
{
    sonata_source *s = b->source;
    if (count > LIMIT - s->count) {
        b->status = sonata_source_refuse(s, up, SONATA_RANGE, b->error,
                                         "has more values than are read");
        return false;
    }
    s->values[up].first = (uint32_t)s->count;
    s->values[up].count = (uint32_t)count;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = add_value(b, up);
    return ok;
}

static bool push(builder *b, uint32_t value)
{
    uint32_t *stack =
        sonata_grow(b->stack, &b->stack_room, b->depth, sizeof *stack);
    if (stack == NULL)
        return fail_memory(b);
    b->stack = stack;
    stack[b->depth++] = value;
    return true;
}

static bool open_list(builder *b, uint32_t value, const sonata_node *list)
{
    if (!add_values(b, value, sonata_node_count(list)))
        return false;
    sonata_ir_value *v = &b->source->values[value];
    sonata_ir_value *items = b->source->values + v->first;
    v->form = SONATA_IR_LIST;
    size_t i = 0;
    const sonata_node *m = sonata_node_first(list);
    for (; m != NULL; m = sonata_node_next(m))
        items[i++].json = m;
    uint32_t first = v->first;
    for (uint32_t k = v->count; k > 0; k--)
        if (!push(b, first + k - 1))
            return false;
    return true;
}

/* Gives every member its place: fields with a meaning first, by number. */
static void place_members(builder *b, sonata_ir_value *v)
{
    uint32_t next = v->first;
    bool is_node = v->form == SONATA_IR_NODE;
    for (size_t i = 0; i < b->member_count && is_node; i++)
        if (b->members[i].field < SONATA_IR_FIELDS)
            v->fields |= UINT64_C(1) << b->members[i].field;
    next += is_node ? (uint32_t)__builtin_popcountll(v->fields) : 0;
    for (size_t i = 0; i < b->member_count; i++) {
        member *m = &b->members[i];
        if (is_node && m->field < SONATA_IR_FIELDS) {
            uint64_t below = (UINT64_C(1) << m->field) - 1;
            m->place =
                v->first + (uint32_t)__builtin_popcountll(v->fields & below);
        } else {
            m->place = next++;
        }
    }
}

static bool open_members(builder *b, uint32_t value, sonata_ir_form form)
{
    if (!add_values(b, value, b->member_count))
        return false;
    sonata_ir_value *v = &b->source->values[value];
    v->form = (uint8_t)form;
    place_members(b, v);
    for (size_t i = b->member_count; i > 0; i--) {
        const member *m = &b->members[i - 1];
        b->source->values[m->place].json = m->value;
        b->source->values[m->place].field = m->field;
        if (!push(b, m->place))
            return false;
    }
    return true;
}

static const sonata_node *member_of(const builder *b, sonata_ir_field field)
{
    for (size_t i = 0; i < b->member_count; i++)
        if (b->members[i].field == field)
            return b->members[i].value;
    return NULL;
}

/* The number of an id, which is a string or an integer. */
static bool number_id(uint32_t *number, builder *b, uint32_t value,
                      const char *name, const sonata_node *id)
{
    char room[SONATA_DOUBLE_SIZE];
    sonata_node_kind kind = sonata_node_kind_of(b->doc, id);
    sonata_text text = sonata_node_text(b->doc, id);
    if (kind == SONATA_NODE_INT)
        text = sonata_number_spell(room, sonata_node_number(b->doc, id));
    else if (kind != SONATA_NODE_STRING)
        return REFUSE(b, value, "must have a string or an int as %s, got %s",
                      name, sonata_node_type(b->doc, id));
    bool is_new = false;
    if (!sonata_table_put(&b->ids, number, &is_new, (uint8_t)kind, text))
        return fail_memory(b);
    if (!is_new)
        return true;
    uint32_t *named =
        sonata_grow(b->named, &b->named_room, *number, sizeof *named);
    if (named == NULL)
        return fail_memory(b);
    b->named = named;
    named[*number] = SONATA_SOURCE_NONE;
    return true;
}

static bool open_ref(builder *b, uint32_t value, const sonata_node *ref)
{
    uint32_t number = 0;
    if (!number_id(&number, b, value, "ref", ref))
        return false;
    sonata_text id = b->ids.entries[number].text;
    if (b->named[number] == SONATA_SOURCE_NONE)
        return REFUSE(b, value,
                      "refers to '%.*s', which no node before it has as its id",
                      id.length < 100 ? (int)id.length : 100, id.text);
    b->source->values[value].form = SONATA_IR_LINK;
    b->source->values[value].first = b->named[number];
    return true;
}

static bool open_node(builder *b, uint32_t value, const sonata_node *kind)
{
    uint32_t number = 0;
    const sonata_node *id = member_of(b, SONATA_IR_ID);
    if (sonata_node_kind_of(b->doc, kind) != SONATA_NODE_STRING)
        return REFUSE(b, value, "must have a string as kind, got %s",
                      sonata_node_type(b->doc, kind));
    if (id != NULL && sonata_node_kind_of(b->doc, id) != SONATA_NODE_NULL) {
        if (!number_id(&number, b, value, "id", id))
            return false;
        b->named[number] = value;
    }
    return open_members(b, value, SONATA_IR_NODE);
}

static bool open_map(builder *b, uint32_t value, const sonata_node *map)
{
    if (sonata_node_kind_of(b->doc, map) != SONATA_NODE_LIST)
        return REFUSE(b, value, "must have a list as map, got %s",
                      sonata_node_type(b->doc, map));
    return gather(b, value, map) && open_members(b, value, SONATA_IR_MAPPING);
}

static bool open_object(builder *b, uint32_t value, const sonata_node *object)
{
    if (!gather(b, value, object))
        return false;
    const sonata_node *kind = member_of(b, SONATA_IR_KIND);
    const sonata_node *ref = member_of(b, SONATA_IR_REF);
    const sonata_node *map = member_of(b, SONATA_IR_MAP);
    if ((kind != NULL) + (ref != NULL) + (map != NULL) > 1)
        return REFUSE(b, value, "has two of kind, ref and map");
    if (kind != NULL)
        return open_node(b, value, kind);
    if (ref != NULL)
        return open_ref(b, value, ref);
    if (map != NULL)
        return open_map(b, value, map);
    return open_members(b, value, SONATA_IR_MAPPING);
}

static bool open_value(builder *b, uint32_t value)
{
    const sonata_node *json = b->source->values[value].json;
    switch (sonata_node_kind_of(b->doc, json)) {
    case SONATA_NODE_LIST:
        return open_list(b, value, json);
    case SONATA_NODE_OBJECT:
        return open_object(b, value, json);
    default:
        return true;
    }
}

static bool number_fields(builder *b)
{
    uint32_t number = 0;
    for (size_t i = 0; i < SONATA_IR_FIELDS; i++)
        if (!sonata_table_put(&b->fields, &number, NULL, 0,
                              (sonata_text){names[i], strlen(names[i])}))
            return fail_memory(b);
    return true;
}

/* In the order of the text: a value before what it holds. */
static bool build(builder *b, const sonata_node *root)
{
    if (!number_fields(b) || !add_value(b, 0))
        return false;
    b->source->values[0].json = root;
    bool ok = push(b, 0);
    while (ok && b->depth > 0)
        ok = open_value(b, b->stack[--b->depth]);
    if (!ok)
        return false;
    return b->source->values[0].form == SONATA_IR_NODE ||
           REFUSE(b, 0, "must be a node, an object with a kind");
}

sonata_status sonata_source_read(sonata_source *source, const sonata_doc *doc,
                                 const sonata_node *root, sonata_error *error)
{
    *source = (sonata_source){.doc = doc};
    builder b = {.source = source, .doc = doc, .error = error};
    build(&b, root);
    sonata_table_free(&b.fields);
    sonata_table_free(&b.ids);
    free(b.named);
    free(b.members);
    free(b.stack);
    if (b.status != SONATA_OK)
        sonata_source_free(source);
    return b.status;
}

void sonata_source_free(sonata_source *source)
{
    free(source->values);
    *source = (sonata_source){0};
}

uint32_t sonata_source_at(const sonata_source *source, uint32_t value)
{
    const sonata_ir_value *v = &source->values[value];
    return v->form == SONATA_IR_LINK ? v->first : value;
}

static uint32_t find_in_mapping(const sonata_source *source,
                                const sonata_ir_value *v, sonata_ir_field field)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (source->values[v->first + i].field == field)
            return v->first + i;
    return SONATA_SOURCE_NONE;
}

uint32_t sonata_source_get(const sonata_source *source, uint32_t value,
                           sonata_ir_field field)
{
    const sonata_ir_value *v = &source->values[value];
    uint64_t bit = UINT64_C(1) << field;
    uint32_t found = SONATA_SOURCE_NONE;
    if (v->form == SONATA_IR_MAPPING)
        found = find_in_mapping(source, v, field);
    else if (v->form == SONATA_IR_NODE && (v->fields & bit) != 0)
        found =
            v->first + (uint32_t)__builtin_popcountll(v->fields & (bit - 1));
    if (found == SONATA_SOURCE_NONE)
        return found;
    found = sonata_source_at(source, found);
    return sonata_source_kind(source, found) == SONATA_NODE_NULL
               ? SONATA_SOURCE_NONE
               : found;
}

bool sonata_source_has(const sonata_source *source, uint32_t value,
                       sonata_ir_field field)
{
    const sonata_ir_value *v = &source->values[value];
    return v->form == SONATA_IR_NODE && (v->fields >> field & 1) != 0;
}

sonata_ir_form sonata_source_form(const sonata_source *source, uint32_t value)
{
    return (sonata_ir_form)source->values[value].form;
}

sonata_node_kind sonata_source_kind(const sonata_source *source, uint32_t value)
{
    return sonata_node_kind_of(source->doc, source->values[value].json);
}

sonata_text sonata_source_text(const sonata_source *source, uint32_t value)
{
    if (value == SONATA_SOURCE_NONE)
        return (sonata_text){0};
    return sonata_node_text(source->doc, source->values[value].json);
}

sonata_text sonata_source_node_kind(const sonata_source *source, uint32_t value)
{
    if (sonata_source_form(source, value) != SONATA_IR_NODE)
        return (sonata_text){0};
    return sonata_source_text(source,
                              sonata_source_get(source, value, SONATA_IR_KIND));
}
