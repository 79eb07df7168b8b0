/* A Score (spec 01) as a task graph: the end of spec 09. */
#include "bindings.h"
#include "number.h"
#include "reader.h"
#include "unicode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Directions (spec 02) --- */

static const struct {
    const char *token;
    oracle_dispatch dispatch;
    oracle_mode mode;
} directions[] = {
    {"input", ORACLE_INPUT, ORACLE_READ},
    {"output", ORACLE_OUTPUT, ORACLE_WRITE},
    {"outputexisting", ORACLE_OUTPUT_EXISTING, ORACLE_WRITE},
    {"inout", ORACLE_INOUT, ORACLE_READ_WRITE},
    {"nodep", ORACLE_NO_DEP, ORACLE_READ},
};

static uint32_t decode(const char *s, size_t length)
{
    const unsigned char *u = (const unsigned char *)s;
    switch (length) {
    case 1:
        return u[0];
    case 2:
        return (u[0] & 0x1fu) << 6 | (u[1] & 0x3fu);
    case 3:
        return (u[0] & 0x0fu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
    default:
        return (u[0] & 0x07u) << 18 | (u[1] & 0x3fu) << 12 |
               (u[2] & 0x3fu) << 6 | (u[3] & 0x3fu);
    }
}

/* One character of a token: 0 to drop, -1 when no token has it. */
static int token_char(uint32_t code)
{
    if (code >= 'A' && code <= 'Z') {
        return (int)(code - 'A') + 'a';
    }
    if ((code >= 'a' && code <= 'z') || (code >= '0' && code <= '9')) {
        return (int)code;
    }
    if (code == 0x130) {
        return 'i';
    }
    return code >= 0x80 && oracle_is_alnum(code) ? -1 : 0;
}

/* Lower case, letters and digits only; false: longer than every token. */
static bool normalise(const char *data, size_t length, char *token)
{
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t n = oracle_utf8_length(data + i, length - i);
        int c = token_char(decode(data + i, n == 0 ? 1 : n));
        if (c < 0 || (c > 0 && used + 1 == ORACLE_TOKEN)) {
            return false;
        }
        if (c > 0) {
            token[used++] = (char)c;
        }
        i += n == 0 ? 1 : n;
    }
    token[used] = '\0';
    return true;
}

bool oracle_direction_token(const oracle_json *json, uint32_t node,
                            char token[ORACLE_TOKEN])
{
    const oracle_json_node *n = &json->nodes[node];
    if (n->type != ORACLE_JSON_STRING) {
        return false;
    }
    if (oracle_json_plain(json, node)) {
        return normalise(json->text + n->offset + 1, n->extent - 2, token);
    }
    char *text = malloc(n->extent); /* without memory it is like no token */
    bool known = text != NULL &&
                 normalise(text, oracle_json_unescape(json, node, text), token);
    free(text);
    return known;
}

typedef struct direction {
    bool known, scalar;
    oracle_dispatch dispatch;
    oracle_mode mode;
} direction;

static bool read_direction(oracle_reader *reader, uint32_t node, direction *d)
{
    char token[ORACLE_TOKEN];
    *d = (direction){.dispatch = ORACLE_UNKNOWN_DISPATCH};
    if (node == ORACLE_NONE) {
        return true;
    }
    if (oracle_reader_type(reader, node) != ORACLE_JSON_STRING) {
        return oracle_reader_wrong(reader, node, "a string");
    }
    if (!oracle_direction_token(reader->json, node, token)) {
        return true;
    }
    d->scalar = strcmp(token, "scalar") == 0;
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        if (strcmp(token, directions[i].token) == 0) {
            d->known = true;
            d->dispatch = directions[i].dispatch;
            d->mode = directions[i].mode;
        }
    }
    return true;
}

/* --- Access keys: equality is Python's --- */

static bool is_container(const oracle_reader *reader, uint32_t node)
{
    return oracle_reader_type(reader, node) >= ORACLE_JSON_ARRAY;
}

static bool keep_joined(oracle_reader *reader, const char *prefix,
                        const char *data, size_t length, oracle_text *key)
{
    size_t start = strlen(prefix);
    char *text = malloc(start + length + 1);
    if (text == NULL) {
        return oracle_reader_memory(reader);
    }
    memcpy(text, prefix, start);
    memcpy(text + start, data, length);
    const oracle_slot *slot = oracle_reader_keep(reader, text, start + length);
    free(text);
    if (slot == NULL) {
        return false;
    }
    *key = (oracle_text){slot->data, slot->length, true};
    return true;
}

/* A string as it is; anything else as "json:" and its text. */
static bool key_text(oracle_reader *reader, uint32_t node, bool canonical,
                     oracle_text *key)
{
    const oracle_json_node *n = &reader->json->nodes[node];
    const char *data = reader->json->text + n->offset;
    size_t length = n->extent;
    switch (oracle_reader_type(reader, node)) {
    case ORACLE_JSON_STRING:
        if (!oracle_reader_string(reader, node, key)) {
            return false;
        }
        if (key->length < 5 || memcmp(key->data, "json:", 5) != 0) {
            return true;
        }
        return keep_joined(reader, "json:\"", key->data, key->length, key);
    case ORACLE_JSON_NUMBER:
        if (canonical) {
            data = oracle_number_key(reader->arena, data, length);
            if (data == NULL) {
                return oracle_reader_memory(reader);
            }
            length = strlen(data);
        }
        break;
    case ORACLE_JSON_TRUE:
    case ORACLE_JSON_FALSE:
        if (canonical) {
            data = *data == 't' ? "1" : "0";
            length = 1;
        }
        break;
    case ORACLE_JSON_NULL:
    case ORACLE_JSON_ARRAY:
    case ORACLE_JSON_OBJECT:
        break;
    }
    return keep_joined(reader, "json:", data, length, key);
}

bool oracle_read_key_text(oracle_reader *reader, uint32_t node,
                          oracle_text *key)
{
    return key_text(reader, node, true, key);
}

/* The buffer of an access key, a new one when it is the first of it. */
static bool buffer_of(oracle_reader *reader, uint32_t node, uint32_t *buffer)
{
    oracle_text key;
    if (!key_text(reader, node, true, &key)) {
        return false;
    }
    oracle_text shown = key;
    if (oracle_reader_type(reader, node) != ORACLE_JSON_STRING &&
        !key_text(reader, node, false, &shown)) {
        return false;
    }
    oracle_slot *slot = oracle_reader_keep(reader, key.data, key.length);
    if (slot == NULL) {
        return false;
    }
    if (slot->value != ORACLE_NONE) {
        *buffer = slot->value;
        return true;
    }
    *buffer = reader->document->buffer_count;
    slot->value = *buffer;
    oracle_buffer *b = ORACLE_PUSH(reader, buffers, buffer_count);
    if (b == NULL) {
        return false;
    }
    bool internal = key.length >= 6 && memcmp(key.data, "alloc:", 6) == 0;
    *b = (oracle_buffer){.key = shown,
                         .symbol = {"", 0, false},
                         .external = !internal,
                         .creator = -1,
                         .alias_of = ORACLE_NONE,
                         .storage = *buffer};
    return true;
}

/* --- Arguments --- */

static oracle_arg empty_arg(void)
{
    static const oracle_text none = {"", 0, false};
    return (oracle_arg){.buffer = ORACLE_NONE,
                        .dispatch = ORACLE_UNKNOWN_DISPATCH,
                        .view = ORACLE_NONE,
                        .scalar = none,
                        .dtype = none};
}

static bool scalar_text(oracle_reader *reader, uint32_t node, oracle_text *text)
{
    const oracle_json_node *n = &reader->json->nodes[node];
    oracle_json_type type = oracle_reader_type(reader, node);
    if (type == ORACLE_JSON_STRING) {
        return oracle_reader_string(reader, node, text);
    }
    const char *data = reader->json->text + n->offset;
    size_t length = n->extent;
    if (is_container(reader, node)) {
        data = type == ORACLE_JSON_ARRAY ? "[...]" : "{...}";
        length = 5;
    }
    const oracle_slot *slot = oracle_reader_keep(reader, data, length);
    if (slot == NULL) {
        return false;
    }
    *text = (oracle_text){slot->data, slot->length, true};
    return true;
}

/*
 * Without a direction an argument is memory when it names some: by a storage
 * key, or as a text.
 */
static bool names_memory(const oracle_reader *reader, const direction *d,
                         uint32_t arg, uint32_t key)
{
    uint32_t named = oracle_reader_absent(reader, key) ? arg : key;
    if (d->scalar) {
        return false;
    }
    if (d->known && d->dispatch != ORACLE_NO_DEP) {
        return true;
    }
    return !is_container(reader, named) &&
           (named == key ||
            oracle_reader_type(reader, arg) == ORACLE_JSON_STRING);
}

static bool keep_access(oracle_reader *reader, const direction *d,
                        oracle_arg *arg)
{
    if (!d->known || d->dispatch == ORACLE_NO_DEP) {
        return true;
    }
    oracle_access *access = ORACLE_PUSH(reader, accesses, access_count);
    if (access == NULL) {
        return false;
    }
    *access = (oracle_access){d->mode, true, true, ORACLE_NONE};
    arg->has_access = true;
    arg->first_access = reader->document->access_count - 1;
    arg->accesses = 1;
    return true;
}

bool oracle_score_scalar(oracle_reader *reader, uint32_t node)
{
    oracle_arg a = empty_arg();
    a.kind = ORACLE_ARG_SCALAR;
    if (!scalar_text(reader, node, &a.scalar)) {
        return false;
    }
    oracle_arg *kept = ORACLE_PUSH(reader, args, arg_count);
    if (kept != NULL) {
        *kept = a;
    }
    return kept != NULL;
}

/* A list or object as a storage: refused, or left out of the judgement. */
static bool without_identity(oracle_reader *reader, uint32_t node)
{
    if (reader->members == NULL) {
        return oracle_reader_wrong(reader, node,
                                   "a storage that can be compared");
    }
    return oracle_reader_remark(
        reader, "doc.unsupported",
        "a list or an object has no identity as a storage: what its argument "
        "touches is not judged",
        "tasks[].args", node);
}

bool oracle_score_arg(oracle_reader *reader, uint32_t node, uint32_t dir,
                      uint32_t key)
{
    direction d;
    oracle_arg a = empty_arg();
    if (!read_direction(reader, dir, &d)) {
        return false;
    }
    uint32_t named = oracle_reader_absent(reader, key) ? node : key;
    if (!names_memory(reader, &d, node, key)) {
        a.kind = ORACLE_ARG_SCALAR;
        if (!scalar_text(reader, node, &a.scalar)) {
            return false;
        }
    } else if (is_container(reader, named)) {
        a.kind = ORACLE_ARG_SCALAR;
        if (!without_identity(reader, named) ||
            !scalar_text(reader, named, &a.scalar)) {
            return false;
        }
    } else {
        a.dispatch = d.dispatch;
        if (!buffer_of(reader, named, &a.buffer) ||
            !keep_access(reader, &d, &a)) {
            return false;
        }
    }
    oracle_arg *kept = ORACLE_PUSH(reader, args, arg_count);
    if (kept == NULL) {
        return false;
    }
    *kept = a;
    return true;
}

static uint32_t list_length(const oracle_reader *reader, uint32_t at,
                            uint32_t end)
{
    uint32_t count = 0;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        count++;
    }
    return count;
}

/* The item at *at, and on to the next; ORACLE_NONE behind the end. */
static uint32_t take(const oracle_reader *reader, uint32_t *at, uint32_t end)
{
    uint32_t item = *at;
    if (item >= end) {
        return ORACLE_NONE;
    }
    *at = oracle_json_next(reader->json, item);
    return item;
}

/* They are texts, used or not. */
static bool read_unused(oracle_reader *reader, uint32_t at, uint32_t end)
{
    direction d;
    while (at < end) {
        if (!read_direction(reader, take(reader, &at, end), &d)) {
            return false;
        }
    }
    return true;
}

static bool read_args(oracle_reader *reader, uint32_t args, uint32_t dirs,
                      uint32_t keys)
{
    uint32_t at[3];
    uint32_t end[3];
    if (!oracle_reader_strict_list(reader, args, &at[0], &end[0]) ||
        !oracle_reader_strict_list(reader, dirs, &at[1], &end[1]) ||
        !oracle_reader_strict_list(reader, keys, &at[2], &end[2])) {
        return false;
    }
    uint32_t count = list_length(reader, at[0], end[0]);
    for (int i = 1; i < 3; i++) {
        uint32_t length = list_length(reader, at[i], end[i]);
        if (length == 0 || length == count) {
            continue;
        }
        /* Which belongs to which argument is unknown: none is used. */
        uint32_t first = at[i];
        at[i] = end[i];
        if ((i == 1 && !read_unused(reader, first, end[i])) ||
            !oracle_reader_remark(
                reader, "doc.incomplete",
                "a list of directions or storage keys is not as long as its "
                "arguments and was not used",
                i == 1 ? "tasks[].arg_directions" : "tasks[].arg_storage_keys",
                args == ORACLE_NONE ? 0 : args)) {
            return false;
        }
    }
    while (at[0] < end[0]) {
        uint32_t arg = take(reader, &at[0], end[0]);
        uint32_t dir = take(reader, &at[1], end[1]);
        uint32_t key = take(reader, &at[2], end[2]);
        if (!oracle_score_arg(reader, arg, dir, key)) {
            return false;
        }
    }
    return true;
}

/* --- Tasks and edges --- */

bool oracle_score_task(oracle_reader *reader, uint32_t node, int64_t id)
{
    static const oracle_text none = {"", 0, false};
    oracle_reader_id kept = oracle_reader_keep_task(reader, id);
    if (kept == ORACLE_ID_REPEATED && reader->members == NULL) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "is the id of another task, too: %" PRId64, id);
        return false;
    }
    reader->document->ambiguous |= kept == ORACLE_ID_REPEATED;
    oracle_task *task = kept == ORACLE_ID_NO_MEMORY
                            ? NULL
                            : ORACLE_PUSH(reader, tasks, task_count);
    if (task == NULL) {
        return false;
    }
    *task = (oracle_task){.id = id,
                          .blocks = 1,
                          .scope = ORACLE_NONE,
                          .name = none,
                          .core = none,
                          .first_arg = reader->document->arg_count,
                          .predicate_buffer = ORACLE_NONE,
                          .predicate_region = ORACLE_NONE};
    return true;
}

bool oracle_score_function(oracle_reader *reader, int64_t func)
{
    oracle_id_slot *slot = oracle_id_table_slot(&reader->functions, func);
    if (slot == NULL) {
        return oracle_reader_memory(reader);
    }
    slot->value = 0;
    reader->document->functions = (uint32_t)reader->functions.used;
    return true;
}

static bool read_task(oracle_reader *reader, uint32_t node)
{
    enum { ID, FUNC, CORE, NAME, ARGS, DIRECTIONS, KEYS };
    static const oracle_fields fields = {
        "tasks[]",
        7,
        {ORACLE_FIELD("task_id"), ORACLE_FIELD("func_id"),
         ORACLE_FIELD("core_type"), ORACLE_FIELD("name"), ORACLE_FIELD("args"),
         ORACLE_FIELD("arg_directions"), ORACLE_FIELD("arg_storage_keys")}};
    uint32_t value[7];
    int64_t id;
    int64_t func;
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[ID], "task_id") ||
        !oracle_reader_need(reader, node, value[FUNC], "func_id") ||
        !oracle_reader_need(reader, node, value[CORE], "core_type") ||
        !oracle_reader_int(reader, value[ID], &id) ||
        !oracle_reader_int(reader, value[FUNC], &func) ||
        !oracle_score_function(reader, func) ||
        !oracle_score_task(reader, value[ID], id)) {
        return false;
    }
    uint32_t index = reader->document->task_count - 1;
    oracle_task *task = &reader->document->tasks[index];
    if (!oracle_reader_string(reader, value[CORE], &task->core) ||
        !oracle_reader_opt_text(reader, value[NAME], &task->name) ||
        !read_args(reader, value[ARGS], value[DIRECTIONS], value[KEYS])) {
        return false;
    }
    task->args = reader->document->arg_count - task->first_arg;
    return true;
}

static bool read_dependency(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {"dependencies[]",
                                         3,
                                         {ORACLE_FIELD("producer"),
                                          ORACLE_FIELD("consumer"),
                                          ORACLE_FIELD("kind")}};
    uint32_t value[3];
    int64_t from;
    int64_t to;
    oracle_edge e = {.source = ORACLE_POLICY,
                     .kind = {"data", 4, false},
                     .certain = true,
                     .from_arg = ORACLE_NONE,
                     .to_arg = ORACLE_NONE};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[0], "producer") ||
        !oracle_reader_need(reader, node, value[1], "consumer") ||
        !oracle_reader_int(reader, value[0], &from) ||
        !oracle_reader_int(reader, value[1], &to) ||
        (value[2] != ORACLE_NONE &&
         !oracle_reader_string(reader, value[2], &e.kind))) {
        return false;
    }
    return oracle_keep_edge(reader, from, to, &e);
}

static bool read_assumption(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {
        "shape_assumptions[]",
        2,
        {ORACLE_FIELD("symbol"), ORACLE_FIELD("dims")}};
    uint32_t value[2];
    uint32_t at;
    uint32_t end;
    oracle_text symbol;
    return oracle_reader_fields(reader, node, &fields, value) &&
           oracle_reader_need(reader, node, value[0], "symbol") &&
           oracle_reader_need(reader, node, value[1], "dims") &&
           oracle_reader_string(reader, value[0], &symbol) &&
           oracle_reader_strict_list(reader, value[1], &at, &end);
}

static bool read_each(oracle_reader *reader, uint32_t list,
                      bool (*read)(oracle_reader *, uint32_t))
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_strict_list(reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read(reader, at)) {
            return false;
        }
    }
    return true;
}

bool oracle_read_schema_version(oracle_reader *reader, uint32_t node)
{
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    if (oracle_reader_type(reader, node) != ORACLE_JSON_NUMBER ||
        !oracle_json_integral(reader->json, node)) {
        return oracle_reader_wrong(reader, node, "an integer");
    }
    int64_t version;
    if (oracle_json_int64(reader->json, node, &version) && version == 1) {
        return true;
    }
    const oracle_json_node *n = &reader->json->nodes[node];
    char shown[64];
    oracle_json_printable(reader->json->text + n->offset, n->extent, shown,
                          sizeof shown);
    oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                      "does not match: expected 1, got %s", shown);
    return false;
}

bool oracle_read_score(oracle_reader *reader, uint32_t root)
{
    enum { VERSION, NAME, RUNTIME, TASKS, DEPENDENCIES, SHAPES, METADATA };
    static const oracle_fields fields = {
        "",
        7,
        {ORACLE_FIELD("schema_version"), ORACLE_FIELD("name"),
         ORACLE_FIELD("runtime_target"), ORACLE_FIELD("tasks"),
         ORACLE_FIELD("dependencies"), ORACLE_FIELD("shape_assumptions"),
         ORACLE_FIELD("metadata")}};
    uint32_t value[7];
    if (!oracle_reader_fields(reader, root, &fields, value) ||
        !oracle_read_schema_version(reader, value[VERSION]) ||
        !oracle_reader_need(reader, root, value[NAME], "name") ||
        !oracle_reader_string(reader, value[NAME], &reader->document->name)) {
        return false;
    }
    if (!oracle_read_target(reader, value[RUNTIME]) ||
        !oracle_reader_strict_object(reader, value[METADATA])) {
        return false;
    }
    reader->document->rules = ORACLE_RULES_NONE;
    return read_each(reader, value[TASKS], read_task) &&
           read_each(reader, value[DEPENDENCIES], read_dependency) &&
           read_each(reader, value[SHAPES], read_assumption);
}
