/*
 * Documents that no task graph is made of: memory plans, of which the places
 * are kept, PlanHandles, host_build_graph plans and eligibility results, of
 * which only the form is read here (spec 01, 04, 09).
 */
#include "reader.h"

#include <stdlib.h>

/* --- Memory plans --- */

/* A Score tells no sizes: the plan's are taken; 0 stands for unknown, too. */
static void take_size(oracle_reader *reader, const oracle_allocation *a)
{
    if (a->buffer != ORACLE_NONE && a->size > 0) {
        oracle_buffer *b = &reader->document->buffers[a->buffer];
        b->bytes = b->has_bytes && b->bytes > a->size ? b->bytes : a->size;
        b->has_bytes = true;
    }
}

static bool read_key(oracle_reader *reader, uint32_t node, oracle_text *key)
{
    return oracle_reader_type(reader, node) >= ORACLE_JSON_ARRAY
               ? oracle_reader_wrong(reader, node,
                                     "a storage that can be compared")
               : oracle_read_key_text(reader, node, key);
}

/* Two places of one key are no plan. `keys`: those that have a place. */
static bool take_key(oracle_reader *reader, uint32_t node, uint32_t key_node,
                     const oracle_text *key, oracle_table *keys)
{
    oracle_slot *slot = oracle_table_slot(keys, key->data, key->length);
    if (slot == NULL) {
        return oracle_reader_memory(reader);
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){key->data, key->length, 0};
        return true;
    }
    const oracle_json_node *n = &reader->json->nodes[key_node];
    char shown[64];
    oracle_json_printable(reader->json->text + n->offset, n->extent, shown,
                          sizeof shown);
    oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                      "places %s again", shown);
    return false;
}

static bool read_allocation(oracle_reader *reader, uint32_t node, bool score,
                            oracle_table *keys)
{
    enum { KEY, OFFSET, SIZE };
    static const oracle_fields fields = {"allocations[]",
                                         3,
                                         {ORACLE_FIELD("storage_key"),
                                          ORACLE_FIELD("offset"),
                                          ORACLE_FIELD("size")}};
    uint32_t value[3];
    oracle_allocation a = {.buffer = ORACLE_NONE};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[KEY], "storage_key") ||
        !oracle_reader_need(reader, node, value[OFFSET], "offset") ||
        !oracle_reader_need(reader, node, value[SIZE], "size") ||
        !oracle_reader_int(reader, value[OFFSET], &a.offset) ||
        !oracle_reader_int(reader, value[SIZE], &a.size) ||
        !read_key(reader, value[KEY], &a.key) ||
        !take_key(reader, node, value[KEY], &a.key, keys)) {
        return false;
    }
    a.buffer = oracle_table_find(&reader->names, a.key.data, a.key.length);
    if (score) {
        take_size(reader, &a);
    }
    oracle_allocation *kept =
        ORACLE_PUSH(reader, allocations, allocation_count);
    if (kept == NULL) {
        return false;
    }
    *kept = a;
    return true;
}

static bool is_plan(oracle_reader *reader, uint32_t kind)
{
    static const char *const kinds[] = {"memory_plan", NULL};
    uint32_t index;
    return kind == ORACLE_NONE ||
           oracle_reader_word(reader, kind, kinds, "memory_plan", &index);
}

bool oracle_read_memory_plan(oracle_reader *reader, uint32_t root, bool score)
{
    enum { KIND, VERSION, POLICY, ALLOCATIONS, PEAK };
    static const oracle_fields fields = {
        "",
        5,
        {ORACLE_FIELD("kind"), ORACLE_FIELD("version"), ORACLE_FIELD("policy"),
         ORACLE_FIELD("allocations"), ORACLE_FIELD("peak_memory")}};
    uint32_t value[5];
    uint32_t at;
    uint32_t end;
    oracle_text policy;
    if (!oracle_reader_fields(reader, root, &fields, value) ||
        !is_plan(reader, value[KIND]) ||
        !oracle_read_version(reader, root, value[VERSION]) ||
        !oracle_reader_opt_text(reader, value[POLICY], &policy) ||
        !oracle_reader_need(reader, root, value[ALLOCATIONS], "allocations") ||
        !oracle_reader_need(reader, root, value[PEAK], "peak_memory") ||
        !oracle_reader_int(reader, value[PEAK], &reader->document->peak) ||
        !oracle_reader_strict_list(reader, value[ALLOCATIONS], &at, &end)) {
        return false;
    }
    oracle_table keys = {0};
    bool ok = true;
    for (; ok && at < end; at = oracle_json_next(reader->json, at)) {
        ok = read_allocation(reader, at, score, &keys);
    }
    oracle_table_free(&keys);
    reader->document->has_plan = ok;
    return ok;
}

/* --- Forms --- */

typedef enum wanted {
    ANY,
    INTEGER,
    INTEGER_OR_NULL,
    ANY_INTEGER_OR_NULL, /* of any size */
    STRING,
    STRING_OR_NULL,
    BOOLEAN,
    OBJECT,
    OBJECT_OR_NULL,
    LIST,
    LIST_OF_TEXT,
    VERSION,
    TARGET
} wanted;

typedef struct part {
    wanted kind;
    bool required;
} part;

/* Whether each of a list is a string. */
static bool read_texts(oracle_reader *reader, uint32_t list)
{
    uint32_t at, end;
    oracle_text text;
    if (!oracle_reader_strict_list(reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!oracle_reader_string(reader, at, &text)) {
            return false;
        }
    }
    return true;
}

static bool read_part(oracle_reader *reader, uint32_t node, wanted kind)
{
    int64_t number;
    bool truth;
    oracle_text text;
    uint32_t at, end;
    switch (kind) {
    case ANY:
        return true;
    case INTEGER:
        return oracle_reader_int(reader, node, &number);
    case INTEGER_OR_NULL:
        return oracle_reader_opt_int(reader, node, &number);
    case ANY_INTEGER_OR_NULL:
        return oracle_reader_absent(reader, node) ||
               (oracle_reader_type(reader, node) == ORACLE_JSON_NUMBER &&
                oracle_json_integral(reader->json, node)) ||
               oracle_reader_wrong(reader, node, "an integer or null");
    case STRING:
        return oracle_reader_string(reader, node, &text);
    case STRING_OR_NULL:
        return oracle_reader_opt_text(reader, node, &text);
    case BOOLEAN:
        return (!oracle_reader_absent(reader, node) &&
                oracle_reader_opt_bool(reader, node, &truth)) ||
               oracle_reader_wrong(reader, node, "a bool");
    case OBJECT_OR_NULL:
        return oracle_reader_absent(reader, node) ||
               oracle_reader_strict_object(reader, node);
    case OBJECT:
        return oracle_reader_strict_object(reader, node);
    case LIST:
        return oracle_reader_strict_list(reader, node, &at, &end);
    case LIST_OF_TEXT:
        return read_texts(reader, node);
    case VERSION:
        return oracle_read_schema_version(reader, node);
    case TARGET:
        return oracle_read_target(reader, node);
    }
    return true;
}

/* An object whose fields are of the kinds given. */
static bool read_parts(oracle_reader *reader, uint32_t node,
                       const oracle_fields *fields, const part *parts)
{
    uint32_t value[20];
    if (!oracle_reader_fields(reader, node, fields, value)) {
        return false;
    }
    for (uint32_t i = 0; i < fields->count; i++) {
        if (value[i] == ORACLE_NONE
                ? parts[i].required &&
                      !oracle_reader_need(reader, node, value[i],
                                          fields->field[i].name)
                : !read_part(reader, value[i], parts[i].kind)) {
            return false;
        }
    }
    return true;
}

bool oracle_read_target(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {
        "runtime_target",
        4,
        {ORACLE_FIELD("runtime"), ORACLE_FIELD("function_name"),
         ORACLE_FIELD("aicpu_thread_num"), ORACLE_FIELD("config_comment")}};
    static const part parts[] = {{STRING, false},
                                 {STRING, false},
                                 {ANY_INTEGER_OR_NULL, false},
                                 {LIST_OF_TEXT, false}};
    return node == ORACLE_NONE ||
           oracle_reader_type(reader, node) != ORACLE_JSON_OBJECT ||
           read_parts(reader, node, &fields, parts);
}

static uint32_t member_of(const oracle_reader *reader, uint32_t object,
                          const char *name)
{
    uint32_t found = ORACLE_NONE;
    for (uint32_t at = object + 1; at < oracle_json_next(reader->json, object);
         at = oracle_json_next(reader->json, at + 1)) {
        if (oracle_json_is(reader->json, at, name, strlen(name))) {
            found = at + 1;
        }
    }
    return found;
}

static bool read_items(oracle_reader *reader, uint32_t object, const char *name,
                       const oracle_fields *fields, const part *parts)
{
    uint32_t list = member_of(reader, object, name), at, end;
    if (!oracle_reader_strict_list(reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_parts(reader, at, fields, parts)) {
            return false;
        }
    }
    return true;
}

bool oracle_read_handle(oracle_reader *reader, uint32_t root)
{
    static const oracle_fields fields = {
        "",
        8,
        {ORACLE_FIELD("schema_version"), ORACLE_FIELD("score_fingerprint"),
         ORACLE_FIELD("runtime_target"), ORACLE_FIELD("source_adapter"),
         ORACLE_FIELD("runtime_contract_version"),
         ORACLE_FIELD("func_registry"), ORACLE_FIELD("arg_bindings"),
         ORACLE_FIELD("metadata")}};
    static const part parts[] = {
        {VERSION, false}, {STRING, true}, {TARGET, false}, {STRING, false},
        {INTEGER, false}, {LIST, false},  {LIST, false},   {OBJECT, false}};
    static const oracle_fields function = {"func_registry[]",
                                           3,
                                           {ORACLE_FIELD("name"),
                                            ORACLE_FIELD("sonata_func_id"),
                                            ORACLE_FIELD("runtime_func_id")}};
    static const part function_parts[] = {
        {STRING, true}, {INTEGER, true}, {INTEGER_OR_NULL, false}};
    static const oracle_fields binding = {
        "arg_bindings[]",
        5,
        {ORACLE_FIELD("task_id"), ORACLE_FIELD("arg_index"),
         ORACLE_FIELD("storage_key"), ORACLE_FIELD("direction"),
         ORACLE_FIELD("runtime_handle")}};
    static const part binding_parts[] = {{INTEGER, true},
                                         {INTEGER, true},
                                         {ANY, false},
                                         {STRING, false},
                                         {ANY, false}};
    return read_parts(reader, root, &fields, parts) &&
           read_items(reader, root, "func_registry", &function,
                      function_parts) &&
           read_items(reader, root, "arg_bindings", &binding, binding_parts);
}

bool oracle_read_hbg(oracle_reader *reader, uint32_t root)
{
    static const oracle_fields fields = {"",
                                         3,
                                         {ORACLE_FIELD("tasks"),
                                          ORACLE_FIELD("edges"),
                                          ORACLE_FIELD("metadata")}};
    static const part parts[] = {{LIST, true}, {LIST, true}, {OBJECT, true}};
    static const oracle_fields task = {
        "tasks[]",
        5,
        {ORACLE_FIELD("task_id"), ORACLE_FIELD("func_id"),
         ORACLE_FIELD("core_type"), ORACLE_FIELD("runtime_args"),
         ORACLE_FIELD("name")}};
    static const part task_parts[] = {{INTEGER, true},
                                      {INTEGER, true},
                                      {STRING, true},
                                      {LIST, true},
                                      {STRING_OR_NULL, false}};
    static const oracle_fields edge = {
        "edges[]", 2, {ORACLE_FIELD("producer"), ORACLE_FIELD("consumer")}};
    static const part edge_parts[] = {{INTEGER, true}, {INTEGER, true}};
    return read_parts(reader, root, &fields, parts) &&
           read_items(reader, root, "tasks", &task, task_parts) &&
           read_items(reader, root, "edges", &edge, edge_parts);
}

bool oracle_read_eligibility(oracle_reader *reader, uint32_t root)
{
    static const oracle_fields fields = {
        "",
        5,
        {ORACLE_FIELD("schema_version"), ORACLE_FIELD("eligible"),
         ORACLE_FIELD("reasons"), ORACLE_FIELD("reason_details"),
         ORACLE_FIELD("score")}};
    static const part parts[] = {{VERSION, false},
                                 {BOOLEAN, true},
                                 {LIST_OF_TEXT, true},
                                 {LIST, true},
                                 {OBJECT_OR_NULL, false}};
    static const oracle_fields reason = {"reason_details[]",
                                         3,
                                         {ORACLE_FIELD("code"),
                                          ORACLE_FIELD("message"),
                                          ORACLE_FIELD("severity")}};
    static const part reason_parts[] = {
        {STRING, true}, {STRING, true}, {STRING, true}};
    return read_parts(reader, root, &fields, parts) &&
           read_items(reader, root, "reason_details", &reason, reason_parts);
}
