/* The smaller lists of a task-graph document. */
#include "reader.h"

#include <inttypes.h>

/* An id that must be new in its list; value: the index it stands for. */
static bool new_id(oracle_reader *reader, uint32_t node, oracle_id_table *ids,
                   uint32_t index, int64_t *id)
{
    if (!oracle_reader_int(reader, node, id)) {
        return false;
    }
    oracle_id_slot *slot = oracle_id_table_slot(ids, *id);
    if (slot == NULL) {
        return oracle_reader_memory(reader);
    }
    if (slot->value != ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "is used twice: %" PRId64, *id);
        return false;
    }
    slot->value = index;
    return true;
}

static bool read_bound(oracle_reader *reader, uint32_t node, bool *has,
                       int64_t *value)
{
    *has = !oracle_reader_absent(reader, node);
    return oracle_reader_opt_int(reader, node, value);
}

static bool keep_symbol(oracle_reader *reader, uint32_t node,
                        const oracle_symbol *symbol)
{
    uint32_t index = reader->document->symbol_count;
    oracle_slot *slot = oracle_table_slot(&reader->symbols, symbol->name.data,
                                          symbol->name.length);
    oracle_symbol *kept = ORACLE_PUSH(reader, symbols, symbol_count);
    if (slot == NULL || kept == NULL) {
        return oracle_reader_memory(reader);
    }
    if (slot->data != NULL) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "is the name of another symbol, too");
        return false;
    }
    *slot = (oracle_slot){symbol->name.data, symbol->name.length, index};
    *kept = *symbol;
    if (strcmp(symbol->name.data, "block") == 0) {
        reader->declared_block = index;
    } else if (strcmp(symbol->name.data, "lane") == 0) {
        reader->declared_lane = index;
    }
    return true;
}

/* "is": how a symbol follows from those before it. */
static bool read_definition(oracle_reader *reader, uint32_t node,
                            oracle_symbol *symbol)
{
    static const oracle_fields fields = {
        "symbols[].is",
        3,
        {ORACLE_FIELD("op"), ORACLE_FIELD("left"), ORACLE_FIELD("right")}};
    static const char *const ops[] = {"*", "//", "%", "min", "max", NULL};
    uint32_t value[3], op;
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[0], "op") ||
        !oracle_reader_need(reader, node, value[1], "left") ||
        !oracle_reader_need(reader, node, value[2], "right") ||
        !oracle_reader_word(reader, value[0], ops, "*, //, %, min or max",
                            &op) ||
        !oracle_read_affine(reader, value[1], "symbols[].is", &symbol->left) ||
        !oracle_read_affine(reader, value[2], "symbols[].is", &symbol->right)) {
        return false;
    }
    symbol->is = (oracle_operation)(op + ORACLE_OP_MUL);
    return true;
}

static bool read_fact(oracle_reader *reader, uint32_t node)
{
    enum { CHOICE, IS, OP, OF };
    static const oracle_fields fields = {
        "facts[]",
        4,
        {ORACLE_FIELD("choice"), ORACLE_FIELD("is"), ORACLE_FIELD("op"),
         ORACLE_FIELD("of")}};
    static const char *const ops[] = {"<=", "==", "!=", NULL};
    uint32_t value[4], op;
    int64_t id;
    oracle_fact fact = {.choice = ORACLE_NONE, .is = true};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[OP], "op") ||
        !oracle_reader_need(reader, node, value[OF], "of") ||
        !oracle_reader_opt_bool(reader, value[IS], &fact.is) ||
        !oracle_reader_word(reader, value[OP], ops, "<=, == or !=", &op) ||
        !oracle_read_affine(reader, value[OF], "facts[].of", &fact.of)) {
        return false;
    }
    fact.relation = (oracle_compare)op;
    if (!oracle_reader_absent(reader, value[CHOICE])) {
        if (!oracle_reader_int(reader, value[CHOICE], &id)) {
            return false;
        }
        fact.choice = oracle_id_table_find(&reader->choices, id);
        if (fact.choice == ORACLE_NONE) {
            oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json,
                              value[CHOICE], "names no choice: %" PRId64, id);
            return false;
        }
    }
    oracle_fact *kept = ORACLE_PUSH(reader, facts, fact_count);
    if (kept == NULL) {
        return false;
    }
    *kept = fact;
    return true;
}

bool oracle_read_facts(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_fact);
}

static bool read_symbol(oracle_reader *reader, uint32_t node)
{
    enum { NAME, MIN, MAX, STEP, FREE, IS };
    static const oracle_fields fields = {
        "symbols[]",
        6,
        {ORACLE_FIELD("name"), ORACLE_FIELD("min"), ORACLE_FIELD("max"),
         ORACLE_FIELD("step"), ORACLE_FIELD("free"), ORACLE_FIELD("is")}};
    uint32_t value[6];
    oracle_symbol s = {.step = 1};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[NAME], "name") ||
        !oracle_reader_string(reader, value[NAME], &s.name) ||
        !read_bound(reader, value[MIN], &s.has_min, &s.min) ||
        !read_bound(reader, value[MAX], &s.has_max, &s.max) ||
        !oracle_reader_opt_bool(reader, value[FREE], &s.free) ||
        !read_definition(reader, value[IS], &s)) {
        return false;
    }
    if (!oracle_reader_absent(reader, value[STEP]) &&
        (!oracle_reader_int(reader, value[STEP], &s.step) ||
         !oracle_reader_least(reader, value[STEP], s.step, 1))) {
        return false;
    }
    if (s.has_min && s.has_max && s.max < s.min) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                          "has no value: min %" PRId64 " is above max %" PRId64,
                          s.min, s.max);
        return false;
    }
    return keep_symbol(reader, value[NAME], &s);
}

bool oracle_read_symbols(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_symbol);
}

static bool read_choice(oracle_reader *reader, uint32_t node)
{
    enum { ID, KIND, LINE, TEXT };
    static const oracle_fields fields = {
        "choices[]",
        4,
        {ORACLE_FIELD("id"), ORACLE_FIELD("kind"), ORACLE_FIELD("line"),
         ORACLE_FIELD("text")}};
    static const oracle_text none = {"", 0, false};
    uint32_t value[4];
    oracle_choice c = {.kind = none, .text = none};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[ID], "id") ||
        !new_id(reader, value[ID], &reader->choices,
                reader->document->choice_count, &c.id) ||
        !oracle_reader_opt_text(reader, value[KIND], &c.kind) ||
        !oracle_reader_opt_int(reader, value[LINE], &c.line) ||
        !oracle_reader_opt_text(reader, value[TEXT], &c.text)) {
        return false;
    }
    oracle_choice *kept = ORACLE_PUSH(reader, choices, choice_count);
    if (kept == NULL) {
        return false;
    }
    *kept = c;
    return true;
}

bool oracle_read_choices(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_choice);
}

static const oracle_fields scope_fields = {
    "scopes[]",
    3,
    {ORACLE_FIELD("id"), ORACLE_FIELD("manual"), ORACLE_FIELD("parent")}};

static bool read_scope(oracle_reader *reader, uint32_t node)
{
    uint32_t value[3];
    oracle_scope s = {.parent = ORACLE_NONE};
    if (!oracle_reader_fields(reader, node, &scope_fields, value) ||
        !oracle_reader_need(reader, node, value[0], "id") ||
        !new_id(reader, value[0], &reader->scopes,
                reader->document->scope_count, &s.id) ||
        !oracle_reader_opt_bool(reader, value[1], &s.manual)) {
        return false;
    }
    oracle_scope *kept = ORACLE_PUSH(reader, scopes, scope_count);
    if (kept == NULL) {
        return false;
    }
    *kept = s;
    return true;
}

static bool read_parent(oracle_reader *reader, uint32_t node, uint32_t index)
{
    uint32_t value[3];
    int64_t id;
    bool lenient = reader->lenient;
    reader->lenient = true; /* remarks were made at the first reading */
    oracle_reader_fields(reader, node, &scope_fields, value);
    reader->lenient = lenient;
    if (oracle_reader_absent(reader, value[2])) {
        return true;
    }
    if (!oracle_reader_int(reader, value[2], &id)) {
        return false;
    }
    uint32_t parent = oracle_id_table_find(&reader->scopes, id);
    reader->document->scopes[index].parent = parent;
    if (parent == ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, value[2],
                          "names no scope: %" PRId64, id);
        return false;
    }
    return true;
}

/*
 * Marks what lies in a manual scope. `seen` holds 1 + the scope whose walk
 * came by first: meeting one's own mark is a circle, another's is settled.
 */
static bool mark_manual(oracle_reader *reader, uint32_t list, uint32_t index,
                        uint32_t *seen)
{
    oracle_scope *scopes = reader->document->scopes;
    bool manual = false;
    uint32_t at = index;
    while (at != ORACLE_NONE && seen[at] == 0) {
        seen[at] = index + 1;
        at = scopes[at].parent;
    }
    if (at != ORACLE_NONE && seen[at] == index + 1) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, list,
                          "has a circle of parents at scope %" PRId64,
                          scopes[at].id);
        return false;
    }
    uint32_t stop = at;
    /* Down again: a scope is manual when any from it to `stop` is. Two
     * walks: the outermost manual one decides for all inside it. */
    manual = stop != ORACLE_NONE && scopes[stop].in_manual;
    uint32_t last = stop;
    for (at = index; at != stop; at = scopes[at].parent) {
        if (scopes[at].manual) {
            last = at;
        }
    }
    bool inside = true;
    for (at = index; at != stop; at = scopes[at].parent) {
        scopes[at].in_manual = manual || (inside && last != stop);
        if (at == last) {
            inside = false;
        }
    }
    return true;
}

bool oracle_read_scopes(oracle_reader *reader, uint32_t list)
{
    oracle_json_items items;
    if (!oracle_reader_each(reader, list, read_scope) ||
        !oracle_reader_items(reader, list, &items)) {
        return false;
    }
    while (oracle_json_item(reader->json, &items)) {
        if (!read_parent(reader, items.node, items.index)) {
            return false;
        }
    }
    if (items.failed) {
        return oracle_reader_memory(reader);
    }
    uint32_t count = reader->document->scope_count;
    uint32_t *seen =
        oracle_arena_array(reader->arena, (size_t)count + 1, sizeof *seen);
    if (seen == NULL) {
        return oracle_reader_memory(reader);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (seen[i] == 0 && !mark_manual(reader, list, i, seen)) {
            return false;
        }
    }
    return true;
}

bool oracle_keep_edge(oracle_reader *reader, int64_t from, int64_t to,
                      const oracle_edge *edge)
{
    oracle_edge e = *edge;
    e.from = oracle_reader_task(reader, from);
    e.to = oracle_reader_task(reader, to);
    if (e.from == ORACLE_NONE || e.to == ORACLE_NONE) {
        oracle_loose_edge *loose =
            ORACLE_PUSH(reader, loose_edges, loose_edge_count);
        if (loose == NULL) {
            return false;
        }
        *loose = (oracle_loose_edge){from, to, e.source};
        return true;
    }
    oracle_edge *kept = ORACLE_PUSH(reader, edges, edge_count);
    if (kept == NULL) {
        return false;
    }
    *kept = e;
    return true;
}

static bool read_arg_index(oracle_reader *reader, uint32_t node,
                           uint32_t *index)
{
    int64_t value = 0;
    *index = ORACLE_NONE;
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    if (!oracle_reader_int(reader, node, &value) ||
        !oracle_reader_least(reader, node, value, 0)) {
        return false;
    }
    if (value >= ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                          "is no index of an argument: %" PRId64, value);
        return false;
    }
    *index = (uint32_t)value;
    return true;
}

static bool read_edge(oracle_reader *reader, uint32_t node)
{
    enum { FROM, TO, SOURCE, KIND, CERTAIN, FROM_ARG, TO_ARG };
    static const oracle_fields fields = {
        "edges[]",
        7,
        {ORACLE_FIELD("from"), ORACLE_FIELD("to"), ORACLE_FIELD("source"),
         ORACLE_FIELD("kind"), ORACLE_FIELD("certain"),
         ORACLE_FIELD("from_arg"), ORACLE_FIELD("to_arg")}};
    static const char *const sources[] = {"explicit", "automatic", "recorded",
                                          "policy", NULL};
    uint32_t value[7];
    uint32_t source = ORACLE_AUTOMATIC;
    int64_t from;
    int64_t to;
    oracle_edge e = {.certain = true, .kind = {"", 0, false}};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[FROM], "from") ||
        !oracle_reader_need(reader, node, value[TO], "to") ||
        !oracle_reader_int(reader, value[FROM], &from) ||
        !oracle_reader_int(reader, value[TO], &to) ||
        (!oracle_reader_absent(reader, value[SOURCE]) &&
         !oracle_reader_word(reader, value[SOURCE], sources,
                             "explicit, automatic, recorded or policy",
                             &source)) ||
        !oracle_reader_opt_text(reader, value[KIND], &e.kind) ||
        !oracle_reader_opt_bool(reader, value[CERTAIN], &e.certain) ||
        !read_arg_index(reader, value[FROM_ARG], &e.from_arg) ||
        !read_arg_index(reader, value[TO_ARG], &e.to_arg)) {
        return false;
    }
    e.source = (oracle_source)source;
    return oracle_keep_edge(reader, from, to, &e);
}

bool oracle_read_edges(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_edge);
}

static bool known_task(oracle_reader *reader, uint32_t node, int64_t id,
                       uint32_t *task)
{
    *task = oracle_reader_task(reader, id);
    if (*task == ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "names no task: %" PRId64, id);
        return false;
    }
    return true;
}

static bool read_after(oracle_reader *reader, uint32_t node, int64_t *after)
{
    uint32_t task;
    *after = -1;
    return oracle_reader_opt_int(reader, node, after) &&
           (*after == -1 || known_task(reader, node, *after, &task));
}

static bool read_host_access(oracle_reader *reader, uint32_t node)
{
    enum { AFTER, MODE, BUFFER, REGION, LINE, WHEN };
    static const oracle_fields fields = {
        "host_accesses[]",
        6,
        {ORACLE_FIELD("after"), ORACLE_FIELD("mode"), ORACLE_FIELD("buffer"),
         ORACLE_FIELD("region"), ORACLE_FIELD("line"), ORACLE_FIELD("when")}};
    uint32_t value[6];
    oracle_host_access h = {.region = ORACLE_NONE};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[MODE], "mode") ||
        !oracle_reader_need(reader, node, value[BUFFER], "buffer") ||
        !read_after(reader, value[AFTER], &h.after) ||
        !oracle_read_mode(reader, value[MODE], &h.mode) ||
        !oracle_read_buffer_key(reader, value[BUFFER], &h.buffer) ||
        !oracle_reader_opt_int(reader, value[LINE], &h.line) ||
        !oracle_read_whens(reader, value[WHEN], &h.first_when, &h.whens)) {
        return false;
    }
    if (!oracle_reader_absent(reader, value[REGION]) &&
        (!oracle_read_region(reader, value[REGION], "host_accesses[].region",
                             &h.region, NULL) ||
         !oracle_read_within(
             reader, value[REGION], (oracle_place){h.buffer, h.region},
             (oracle_place){h.buffer, ORACLE_NONE}, "the buffer"))) {
        return false;
    }
    oracle_host_access *kept =
        ORACLE_PUSH(reader, host_accesses, host_access_count);
    if (kept == NULL) {
        return false;
    }
    *kept = h;
    return true;
}

bool oracle_read_host_accesses(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_host_access);
}

static bool read_dynamic_tasks(oracle_reader *reader, uint32_t list,
                               oracle_dynamic *dynamic)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, list, &at, &end)) {
        return false;
    }
    dynamic->first_task = reader->document->dynamic_task_count;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        int64_t id;
        uint32_t task;
        if (!oracle_reader_int(reader, at, &id) ||
            !known_task(reader, at, id, &task)) {
            return false;
        }
        uint32_t *kept = ORACLE_PUSH(reader, dynamic_tasks, dynamic_task_count);
        if (kept == NULL) {
            return false;
        }
        *kept = task;
    }
    dynamic->tasks = reader->document->dynamic_task_count - dynamic->first_task;
    return true;
}

static bool read_dynamic(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {
        "dynamic[]",
        3,
        {ORACLE_FIELD("line"), ORACLE_FIELD("reason"), ORACLE_FIELD("tasks")}};
    uint32_t value[3];
    oracle_dynamic d = {.reason = {"", 0, false}};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_opt_int(reader, value[0], &d.line) ||
        !oracle_reader_opt_text(reader, value[1], &d.reason) ||
        !read_dynamic_tasks(reader, value[2], &d)) {
        return false;
    }
    oracle_dynamic *kept = ORACLE_PUSH(reader, dynamics, dynamic_count);
    if (kept == NULL) {
        return false;
    }
    *kept = d;
    return true;
}

bool oracle_read_dynamic(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_dynamic);
}
