/* A Score as arrays, all its faults, and its access keys (spec 01, 02). */
#include "answer_work.h"

#include "bindings.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t length;
} field;

#define FIELD(name)                                                            \
    {                                                                          \
        name, sizeof(name) - 1                                                 \
    }

static oracle_json_type type_of(const answer_score *s, uint32_t node)
{
    return (oracle_json_type)s->json->nodes[node].type;
}

static bool add_fault(answer_score *s, oracle_status status, uint32_t node,
                      const char *name)
{
    answer_fault *grown =
        oracle_arena_push(s->arena, s->faults, s->fault_count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    s->faults = grown;
    grown[s->fault_count++] = (answer_fault){status, node, name};
    return true;
}

static bool wrong(answer_score *s, uint32_t node)
{
    return add_fault(s, ORACLE_SCHEMA, node, NULL);
}

/*
 * The values of an object by field, the last of each; ORACLE_NONE: absent. The
 * fields mostly come in the order of their names.
 */
static void take_fields(const answer_score *s, uint32_t object,
                        const field *fields, uint32_t count, uint32_t *values)
{
    const oracle_json *json = s->json;
    uint32_t end = oracle_json_next(json, object), guess = 0;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = ORACLE_NONE;
    }
    for (uint32_t at = object + 1; at < end;
         at = oracle_json_next(json, at + 1)) {
        uint32_t i = guess;
        for (uint32_t tried = 0; tried < count; tried++) {
            if (oracle_json_is(json, at, fields[i].name, fields[i].length)) {
                values[i] = at + 1;
                guess = i + 1 == count ? 0 : i + 1;
                break;
            }
            i = i + 1 == count ? 0 : i + 1;
        }
    }
}

/* --- Fields of a kind: false only without memory --- */

static bool is_type(answer_score *s, uint32_t node, oracle_json_type type)
{
    return type_of(s, node) == type || wrong(s, node);
}

static bool take_int(answer_score *s, uint32_t object, uint32_t node,
                     const char *name, int64_t *value)
{
    *value = 0;
    if (node == ORACLE_NONE) {
        return add_fault(s, ORACLE_SCHEMA, object, name);
    }
    if (type_of(s, node) != ORACLE_JSON_NUMBER ||
        !oracle_json_integral(s->json, node)) {
        return wrong(s, node);
    }
    return oracle_json_int64(s->json, node, value) ||
           add_fault(s, ORACLE_RANGE, node, NULL);
}

static bool take_string(answer_score *s, uint32_t object, uint32_t node,
                        const char *name)
{
    return node == ORACLE_NONE ? add_fault(s, ORACLE_SCHEMA, object, name)
                               : is_type(s, node, ORACLE_JSON_STRING);
}

static bool may_be(answer_score *s, uint32_t node, oracle_json_type type)
{
    return node == ORACLE_NONE || is_type(s, node, type);
}

/* *list ORACLE_NONE: absent, or no list. */
static bool take_list(answer_score *s, uint32_t *list)
{
    if (*list == ORACLE_NONE || type_of(s, *list) == ORACLE_JSON_ARRAY) {
        return true;
    }
    uint32_t node = *list;
    *list = ORACLE_NONE;
    return wrong(s, node);
}

static uint32_t first_of(uint32_t list)
{
    return list == ORACLE_NONE ? 0 : list + 1;
}

static uint32_t end_of(const answer_score *s, uint32_t list)
{
    return list == ORACLE_NONE ? 0 : oracle_json_next(s->json, list);
}

/* --- Tasks --- */

static unsigned char way_of(const answer_score *s, uint32_t node)
{
    static const struct {
        const char *token;
        unsigned char way;
    } ways[] = {{"input", ANSWER_READS},
                {"output", ANSWER_WRITES},
                {"inout", ANSWER_MEMORY},
                {"outputexisting", ANSWER_WRITES}};
    char token[ORACLE_TOKEN];
    if (!oracle_direction_token(s->json, node, token)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(token, ways[i].token) == 0) {
            return ways[i].way;
        }
    }
    return 0;
}

static bool take_directions(answer_score *s, answer_task *task, uint32_t list)
{
    task->directions.first = s->direction_count;
    for (uint32_t at = first_of(list); at < end_of(s, list);
         at = oracle_json_next(s->json, at)) {
        if (!is_type(s, at, ORACLE_JSON_STRING)) {
            return false;
        }
        s->direction_node[s->direction_count] = at;
        s->way[s->direction_count++] = way_of(s, at);
    }
    task->directions.count = s->direction_count - task->directions.first;
    return true;
}

static bool take_keys(answer_score *s, answer_task *task, uint32_t list)
{
    task->keys.first = s->key_count;
    for (uint32_t at = first_of(list); at < end_of(s, list);
         at = oracle_json_next(s->json, at)) {
        uint32_t key = ORACLE_NONE;
        if (type_of(s, at) != ORACLE_JSON_NULL && !answer_key_of(s, at, &key)) {
            return false;
        }
        if (key < ANSWER_CONTAINER) {
            s->keys[key].stored = true;
        }
        s->key_node[s->key_count] = at;
        s->key[s->key_count++] = key;
    }
    task->keys.count = s->key_count - task->keys.first;
    return true;
}

static void take_args(answer_score *s, answer_task *task, uint32_t list)
{
    task->args.first = s->arg_count;
    for (uint32_t at = first_of(list); at < end_of(s, list);
         at = oracle_json_next(s->json, at)) {
        s->arg_node[s->arg_count++] = at;
    }
    task->args.count = s->arg_count - task->args.first;
}

static bool take_task(answer_score *s, uint32_t node)
{
    enum { DIRECTIONS, KEYS, ARGS, CORE, FUNC, NAME, ID, COUNT };
    static const field fields[] = {
        FIELD("arg_directions"), FIELD("arg_storage_keys"), FIELD("args"),
        FIELD("core_type"),      FIELD("func_id"),          FIELD("name"),
        FIELD("task_id")};
    uint32_t v[COUNT];
    answer_task *task = &s->tasks[s->task_count++];
    if (type_of(s, node) != ORACLE_JSON_OBJECT) {
        return wrong(s, node);
    }
    take_fields(s, node, fields, COUNT, v);
    bool named =
        v[NAME] != ORACLE_NONE && type_of(s, v[NAME]) != ORACLE_JSON_NULL;
    task->node = node;
    task->name = named ? v[NAME] : ORACLE_NONE;
    task->core = v[CORE];
    if (!take_int(s, node, v[ID], "task_id", &task->id) ||
        !take_int(s, node, v[FUNC], "func_id", &task->func) ||
        !take_string(s, node, v[CORE], "core_type") ||
        !may_be(s, task->name, ORACLE_JSON_STRING) || !take_list(s, &v[ARGS]) ||
        !take_list(s, &v[DIRECTIONS]) || !take_list(s, &v[KEYS])) {
        return false;
    }
    take_args(s, task, v[ARGS]);
    return take_directions(s, task, v[DIRECTIONS]) &&
           take_keys(s, task, v[KEYS]);
}

/* --- The rest of a Score --- */

static bool check_dependency(answer_score *s, uint32_t node)
{
    static const field fields[] = {FIELD("consumer"), FIELD("kind"),
                                   FIELD("producer")};
    uint32_t v[3];
    int64_t id;
    if (type_of(s, node) != ORACLE_JSON_OBJECT) {
        return wrong(s, node);
    }
    take_fields(s, node, fields, 3, v);
    return take_int(s, node, v[2], "producer", &id) &&
           take_int(s, node, v[0], "consumer", &id) &&
           may_be(s, v[1], ORACLE_JSON_STRING);
}

static bool check_shape(answer_score *s, uint32_t node)
{
    static const field fields[] = {FIELD("dims"), FIELD("symbol")};
    uint32_t v[2];
    if (type_of(s, node) != ORACLE_JSON_OBJECT) {
        return wrong(s, node);
    }
    take_fields(s, node, fields, 2, v);
    if (!take_string(s, node, v[1], "symbol")) {
        return false;
    }
    return v[0] == ORACLE_NONE ? add_fault(s, ORACLE_SCHEMA, node, "dims")
                               : take_list(s, &v[0]);
}

static bool check_each(answer_score *s, uint32_t list,
                       bool (*check)(answer_score *s, uint32_t item))
{
    for (uint32_t at = first_of(list); at < end_of(s, list);
         at = oracle_json_next(s->json, at)) {
        if (!check(s, at)) {
            return false;
        }
    }
    return true;
}

static bool check_text(answer_score *s, uint32_t node)
{
    return is_type(s, node, ORACLE_JSON_STRING);
}

static bool check_target(answer_score *s)
{
    static const field fields[] = {FIELD("aicpu_thread_num"),
                                   FIELD("config_comment"),
                                   FIELD("function_name"), FIELD("runtime")};
    uint32_t v[4];
    if (s->target == ORACLE_NONE ||
        type_of(s, s->target) != ORACLE_JSON_OBJECT) {
        return true;
    }
    take_fields(s, s->target, fields, 4, v);
    bool threads = v[0] == ORACLE_NONE ||
                   type_of(s, v[0]) == ORACLE_JSON_NULL ||
                   (type_of(s, v[0]) == ORACLE_JSON_NUMBER &&
                    oracle_json_integral(s->json, v[0]));
    return (threads || wrong(s, v[0])) && take_list(s, &v[1]) &&
           check_each(s, v[1], check_text) &&
           may_be(s, v[2], ORACLE_JSON_STRING) &&
           may_be(s, v[3], ORACLE_JSON_STRING);
}

static bool check_version(answer_score *s, uint32_t node)
{
    int64_t version;
    if (node == ORACLE_NONE || type_of(s, node) == ORACLE_JSON_NULL) {
        return true;
    }
    bool right = type_of(s, node) == ORACLE_JSON_NUMBER &&
                 oracle_json_integral(s->json, node) &&
                 oracle_json_int64(s->json, node, &version) && version == 1;
    return right || wrong(s, node);
}

/* Room for all that the tasks can have: none has more than there are nodes. */
static bool make_room(answer_score *s, uint32_t tasks)
{
    uint32_t count = 0, room = tasks == ORACLE_NONE
                                   ? 0
                                   : oracle_json_next(s->json, tasks) - tasks;
    for (uint32_t at = first_of(tasks); at < end_of(s, tasks);
         at = oracle_json_next(s->json, at)) {
        count++;
    }
    s->tasks = oracle_arena_array(s->arena, count, sizeof *s->tasks);
    s->arg_node = oracle_arena_array(s->arena, room, sizeof *s->arg_node);
    s->direction_node =
        oracle_arena_array(s->arena, room, sizeof *s->direction_node);
    s->key_node = oracle_arena_array(s->arena, room, sizeof *s->key_node);
    s->key = oracle_arena_array(s->arena, room, sizeof *s->key);
    s->way = oracle_arena_alloc(s->arena, room);
    return s->tasks != NULL && s->arg_node != NULL &&
           s->direction_node != NULL && s->key_node != NULL && s->key != NULL &&
           s->way != NULL;
}

bool answer_score_read(answer_score *score, const oracle_json *json,
                       uint32_t root, oracle_arena *arena)
{
    enum { EDGES, METADATA, NAME, TARGET, VERSION, SHAPES, TASKS, COUNT };
    static const field fields[] = {
        FIELD("dependencies"),   FIELD("metadata"),
        FIELD("name"),           FIELD("runtime_target"),
        FIELD("schema_version"), FIELD("shape_assumptions"),
        FIELD("tasks")};
    uint32_t v[COUNT];
    *score = (answer_score){
        .json = json, .arena = arena, .root = root, .null_key = ORACLE_NONE};
    if (json->nodes[root].type != ORACLE_JSON_OBJECT) {
        return wrong(score, root);
    }
    take_fields(score, root, fields, COUNT, v);
    score->target = v[TARGET];
    if (!check_version(score, v[VERSION]) ||
        !take_string(score, root, v[NAME], "name") || !check_target(score) ||
        !may_be(score, v[METADATA], ORACLE_JSON_OBJECT) ||
        !take_list(score, &v[TASKS]) || !take_list(score, &v[EDGES]) ||
        !take_list(score, &v[SHAPES]) || !make_room(score, v[TASKS])) {
        return false;
    }
    score->name = v[NAME];
    score->metadata = v[METADATA];
    score->dependencies = v[EDGES];
    score->shapes = v[SHAPES];
    return check_each(score, v[TASKS], take_task) &&
           check_each(score, v[EDGES], check_dependency) &&
           check_each(score, v[SHAPES], check_shape);
}

void answer_score_free(answer_score *score)
{
    oracle_table_free(&score->texts);
    oracle_table_free(&score->numbers);
}

/* --- Access keys --- */

static bool new_key(answer_score *s, answer_key key, uint32_t *number)
{
    answer_key *grown =
        oracle_arena_push(s->arena, s->keys, s->distinct, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    s->keys = grown;
    grown[s->distinct] = key;
    *number = s->distinct++;
    return true;
}

static bool find_key(answer_score *s, answer_key key, uint32_t *number)
{
    oracle_table *table = key.number ? &s->numbers : &s->texts;
    oracle_slot *slot = oracle_table_slot(table, key.data, key.length);
    if (slot == NULL) {
        return false;
    }
    if (slot->data != NULL) {
        *number = slot->value;
        return true;
    }
    *slot = (oracle_slot){key.data, key.length, s->distinct};
    return new_key(s, key, number);
}

static bool text_key(answer_score *s, uint32_t node, answer_key *key)
{
    const oracle_json_node *n = &s->json->nodes[node];
    key->data = s->json->text + n->offset + 1;
    key->length = n->extent - 2;
    if (oracle_json_plain(s->json, node)) {
        return true;
    }
    char *text = oracle_arena_alloc(s->arena, n->extent);
    if (text == NULL) {
        return false;
    }
    key->length = (uint32_t)oracle_json_unescape(s->json, node, text);
    key->data = text;
    return true;
}

bool answer_key_of(answer_score *s, uint32_t node, uint32_t *number)
{
    const oracle_json_node *n = &s->json->nodes[node];
    answer_key key = {.node = node, .number = true};
    switch ((oracle_json_type)n->type) {
    case ORACLE_JSON_STRING:
        key.number = false;
        return text_key(s, node, &key) && find_key(s, key, number);
    case ORACLE_JSON_NUMBER:
        key.data =
            oracle_number_key(s->arena, s->json->text + n->offset, n->extent);
        break;
    case ORACLE_JSON_FALSE:
    case ORACLE_JSON_TRUE:
        key.data = n->type == ORACLE_JSON_TRUE ? "1" : "0";
        break;
    case ORACLE_JSON_NULL:
        *number = s->null_key;
        if (s->null_key == ORACLE_NONE) {
            key.data = "";
            return new_key(s, key, number) && (s->null_key = *number, true);
        }
        return true;
    case ORACLE_JSON_ARRAY:
    case ORACLE_JSON_OBJECT:
        *number = ANSWER_CONTAINER;
        return true;
    }
    if (key.data == NULL) {
        return false;
    }
    key.length = (uint32_t)strlen(key.data);
    return find_key(s, key, number);
}

/* --- The order of keys --- */

static int compare_text(const answer_key *a, const answer_key *b)
{
    uint32_t common = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->data, b->data, common);
    return order != 0 ? order
                      : (a->length > b->length) - (a->length < b->length);
}

static int compare_digits(const answer_key *a, const answer_key *b)
{
    bool negative = a->data[0] == '-';
    int order;
    if (negative != (b->data[0] == '-')) {
        return negative ? -1 : 1;
    }
    order = a->length != b->length ? (a->length > b->length ? 1 : -1)
                                   : memcmp(a->data, b->data, a->length);
    return negative ? -order : order;
}

/* The value of a key that is no whole number: below 2^53 (number.h). */
static bool fraction(const answer_score *s, const answer_key *key,
                     double *value)
{
    if (strncmp(key->data, "float:", 6) != 0) {
        return false;
    }
    const oracle_json_node *n = &s->json->nodes[key->node];
    *value = oracle_number_value(s->json->text + n->offset, n->extent);
    return true;
}

/* Whole numbers of up to 16 digits are doubles, longer ones are larger. */
static double whole(const answer_key *key)
{
    bool negative = key->data[0] == '-';
    if (key->length > (negative ? 17u : 16u)) {
        return negative ? -0x1p60 : 0x1p60;
    }
    return (double)strtoll(key->data, NULL, 10);
}

static int compare_number(const answer_score *s, const answer_key *a,
                          const answer_key *b)
{
    double x, y;
    bool broken = fraction(s, a, &x), other = fraction(s, b, &y);
    if (!broken && !other) {
        return compare_digits(a, b);
    }
    x = broken ? x : whole(a);
    y = other ? y : whole(b);
    return (x > y) - (x < y);
}

static bool precedes(const answer_score *s, uint32_t a, uint32_t b)
{
    const answer_key *x = &s->keys[a], *y = &s->keys[b];
    int order = x->number ? compare_number(s, x, y) : compare_text(x, y);
    return order < 0;
}

/* From the shorter runs to the longer: no context for qsort. */
static void merge_runs(const answer_score *s, const uint32_t *from,
                       uint32_t *to, uint32_t count, uint32_t width)
{
    for (uint32_t begin = 0; begin < count; begin += 2 * width) {
        uint32_t middle = begin + width < count ? begin + width : count;
        uint32_t end = middle + width < count ? middle + width : count;
        uint32_t i = begin, j = middle;
        for (uint32_t k = begin; k < end; k++) {
            bool right =
                i == middle || (j < end && precedes(s, from[j], from[i]));
            to[k] = right ? from[j++] : from[i++];
        }
    }
}

bool answer_sort_keys(const answer_score *score, uint32_t *keys, uint32_t count,
                      const char **refused)
{
    uint32_t numbers = 0;
    *refused = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i] >= ANSWER_CONTAINER) {
            *refused = "a list or an object is no storage key";
            return true;
        }
        numbers += score->keys[keys[i]].number ? 1 : 0;
    }
    if (numbers > 0 && numbers < count) {
        *refused = "strings and numbers have no order as storage keys";
        return true;
    }
    uint32_t *other = oracle_arena_array(score->arena, count, sizeof *other);
    uint32_t *from = keys, *to = other;
    if (other == NULL) {
        return false;
    }
    for (uint32_t width = 1; width < count && width != 0; width *= 2) {
        merge_runs(score, from, to, count, width);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
    }
    return true;
}
