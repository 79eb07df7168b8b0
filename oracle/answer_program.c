/*
 * A program is gone through twice, root by root: as the extraction of spec 05
 * goes, which numbers the tasks of the Score; and as it runs, where what is
 * within a value comes before it, each part in its order.
 */
#include "answer_program_work.h"

#include "bindings.h"
#include "number.h"

#include <string.h>

bool ir_broken(ir_program *p)
{
    p->broken = true;
    return false;
}

bool ir_failed(ir_program *p)
{
    p->no_memory = true;
    return false;
}

bool ir_visit(ir_program *p, uint64_t visits)
{
    uint64_t most = ((uint64_t)1 << 22) + 16 * (uint64_t)p->json->count;
    p->visits += visits;
    p->run->beyond = p->visits > most;
    return !p->run->beyond;
}

answer_told answer_told_of(const oracle_json *json, uint32_t node)
{
    static const char *const tokens[] = {
        "", "input", "output", "outputexisting", "inout", "nodep", "scalar"};
    char token[ORACLE_TOKEN];
    if (!oracle_direction_token(json, node, token)) {
        return ANSWER_UNTOLD;
    }
    for (int i = ANSWER_INPUT; i <= ANSWER_SCALAR; i++) {
        if (strcmp(token, tokens[i]) == 0) {
            return (answer_told)i;
        }
    }
    return ANSWER_UNTOLD;
}

bool ir_text_is(const answer_text *text, const char *word)
{
    return text->data != NULL && text->length == strlen(word) &&
           memcmp(text->data, word, text->length) == 0;
}

/* --- Forms, and what refers to what --- */

static oracle_json_type type_of(const ir_program *p, uint32_t node)
{
    return (oracle_json_type)p->json->nodes[node].type;
}

/* The text of a string or a number, which equal ones share. */
static bool token_text(ir_program *p, uint32_t node, answer_text *text)
{
    const oracle_json_node *n = &p->json->nodes[node];
    bool string = n->type == ORACLE_JSON_STRING;
    *text = (answer_text){p->json->text + n->offset + string,
                          n->extent - (string ? 2u : 0u)};
    if (string && !oracle_json_plain(p->json, node)) {
        size_t length;
        text->data = oracle_node_text(p->json, node, &length, p->arena);
        text->length = (uint32_t)length;
    } else if (!string) {
        text->data = oracle_number_key(p->arena, text->data, text->length);
        text->length = text->data == NULL ? 0 : (uint32_t)strlen(text->data);
    }
    return text->data != NULL || ir_failed(p);
}

static oracle_slot *id_slot(ir_program *p, uint32_t id)
{
    answer_text text;
    bool string = type_of(p, id) == ORACLE_JSON_STRING;
    if ((!string &&
         (type_of(p, id) != ORACLE_JSON_NUMBER ||
          !oracle_json_integral(p->json, id)) &&
         !ir_broken(p)) ||
        !token_text(p, id, &text)) {
        return NULL;
    }
    oracle_slot *slot = oracle_table_slot(string ? &p->ids : &p->numbers,
                                          text.data, text.length);
    if (slot == NULL) {
        ir_failed(p);
    } else if (slot->data == NULL) {
        *slot = (oracle_slot){text.data, text.length, ORACLE_NONE};
    }
    return slot;
}

/* Pairs of a key, which is no list and no object, and a value. */
static bool is_map(const oracle_json *json, uint32_t list)
{
    for (uint32_t at = list + 1; at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        uint32_t end = oracle_json_next(json, at);
        if (json->nodes[at].type != ORACLE_JSON_ARRAY || at + 2 >= end ||
            json->nodes[at + 1].type >= ORACLE_JSON_ARRAY ||
            oracle_json_next(json, at + 2) != end) {
            return false;
        }
    }
    return true;
}

/* The one of kind, ref and map that an object has, and its id. */
static bool take_form(ir_program *p, uint32_t object)
{
    static const char *const names[] = {"id", "kind", "map", "ref"};
    ir_value *value = &p->values[object];
    uint32_t v[4];
    oracle_slot *slot;
    oracle_json_members(p->json, object, names, 4, v);
    value->form = v[1] != ORACLE_NONE ? IR_NODE : IR_MAPPING;
    if ((v[1] != ORACLE_NONE) + (v[2] != ORACLE_NONE) + (v[3] != ORACLE_NONE) >
            1 ||
        (v[1] != ORACLE_NONE && type_of(p, v[1]) != ORACLE_JSON_STRING) ||
        (v[2] != ORACLE_NONE && type_of(p, v[2]) != ORACLE_JSON_ARRAY)) {
        return ir_broken(p);
    }
    value->kind = v[1] != ORACLE_NONE ? v[1] : v[2];
    if (v[2] != ORACLE_NONE && !is_map(p->json, v[2])) {
        return ir_broken(p);
    }
    if (v[3] != ORACLE_NONE) {
        slot = id_slot(p, v[3]);
        if (slot == NULL || slot->value == ORACLE_NONE) {
            return slot != NULL && ir_broken(p);
        }
        value->at = slot->value;
    } else if (v[1] != ORACLE_NONE && v[0] != ORACLE_NONE &&
               type_of(p, v[0]) != ORACLE_JSON_NULL) {
        slot = id_slot(p, v[0]);
        if (slot == NULL) {
            return false;
        }
        slot->value = object;
    }
    return true;
}

static bool take_forms(ir_program *p)
{
    p->values = oracle_arena_array(p->arena, p->json->count, sizeof *p->values);
    if (p->values == NULL) {
        return ir_failed(p);
    }
    for (uint32_t i = 0; i < p->json->count; i++) {
        ir_value *value = &p->values[i];
        value->at = i;
        value->form = IR_PLAIN;
        value->kind = ORACLE_NONE;
        if (type_of(p, i) == ORACLE_JSON_ARRAY) {
            value->form = IR_LIST;
        } else if (type_of(p, i) == ORACLE_JSON_OBJECT && !take_form(p, i)) {
            return false;
        }
    }
    return p->values[0].form == IR_NODE || ir_broken(p);
}

/* --- Looking things up --- */

ir_form ir_form_of(const ir_program *p, uint32_t value)
{
    return p->values[p->values[value].at].form;
}

uint32_t ir_map(const ir_program *p, uint32_t value)
{
    const ir_value *v = &p->values[value];
    return v->form == IR_MAPPING ? v->kind : ORACLE_NONE;
}

static uint32_t map_value(const ir_program *p, uint32_t list, const char *name)
{
    uint32_t found = ORACLE_NONE;
    for (uint32_t at = list + 1; at < oracle_json_next(p->json, list);
         at = oracle_json_next(p->json, at)) {
        if (type_of(p, at + 1) == ORACLE_JSON_STRING &&
            oracle_json_is(p->json, at + 1, name, strlen(name))) {
            found = at + 2;
        }
    }
    return found;
}

static uint32_t member_of(const ir_program *p, uint32_t value, const char *name)
{
    const ir_value *v = &p->values[p->values[value].at];
    if (v->form != IR_NODE && v->form != IR_MAPPING) {
        return ORACLE_NONE;
    }
    uint32_t map = ir_map(p, v->at);
    return map != ORACLE_NONE ? map_value(p, map, name)
                              : oracle_json_member(p->json, v->at, name);
}

uint32_t ir_get(const ir_program *p, uint32_t value, const char *name)
{
    uint32_t found = member_of(p, value, name);
    if (found == ORACLE_NONE || type_of(p, found) == ORACLE_JSON_NULL) {
        return ORACLE_NONE;
    }
    return p->values[found].at;
}

bool ir_text(ir_program *p, uint32_t value, answer_text *text)
{
    *text = (answer_text){0};
    return value == ORACLE_NONE || type_of(p, value) != ORACLE_JSON_STRING ||
           token_text(p, value, text);
}

bool ir_text_field(ir_program *p, uint32_t value, const char *name,
                   answer_text *text)
{
    uint32_t found = ir_get(p, value, name);
    return ir_text(p, found, text) &&
           (found == ORACLE_NONE || text->data != NULL || ir_broken(p));
}

bool ir_call_name(ir_program *p, uint32_t call, answer_text *name)
{
    uint32_t op = ir_get(p, call, "op");
    if (!ir_text(p, op, name) || name->data != NULL) {
        return name->data != NULL;
    }
    if (op != ORACLE_NONE) {
        ir_form form = ir_form_of(p, op);
        if ((form != IR_NODE && form != IR_MAPPING && !ir_broken(p)) ||
            !ir_text_field(p, op, "name", name)) {
            return false;
        }
    }
    return name->data != NULL || ir_text_field(p, call, "op_name", name);
}

bool ir_is_task(const answer_text *name)
{
    static const char *const others[] = {"tile.", "tensor.", "system.",
                                         "array."};
    for (size_t i = 0; name->data != NULL && i < sizeof others / sizeof *others;
         i++) {
        size_t length = strlen(others[i]);
        if (name->length >= length &&
            memcmp(name->data, others[i], length) == 0) {
            return false;
        }
    }
    return name->data != NULL;
}

static bool push_child(ir_program *p, uint32_t value)
{
    uint32_t *grown =
        oracle_arena_push(p->arena, p->children, p->child_count, sizeof *grown);
    if (grown == NULL) {
        return ir_failed(p);
    }
    p->children = grown;
    grown[p->child_count++] = value;
    return true;
}

static bool push_list(ir_program *p, uint32_t list)
{
    for (uint32_t at = list + 1; at < oracle_json_next(p->json, list);
         at = oracle_json_next(p->json, at)) {
        if (!push_child(p, at)) {
            return false;
        }
    }
    return true;
}

bool ir_items(ir_program *p, uint32_t value, const char *name, uint32_t *first,
              uint32_t *count)
{
    uint32_t list = ir_get(p, value, name);
    *first = p->child_count;
    *count = 0;
    if (list == ORACLE_NONE) {
        return true;
    }
    if (p->values[list].form != IR_LIST) {
        return ir_broken(p);
    }
    if (!push_list(p, list)) {
        return false;
    }
    *count = p->child_count - *first;
    return true;
}

/* --- Children --- */

static const char *const walked[IR_WALKED] = {
    "functions",  "body", "then_body", "else_body", "branches", "stmts",
    "statements", "seq",  "args",      "value",     "expr",     "condition"};

/* Fields that hold no statement and no expression. */
static const char *const passed[] = {
    "kind",      "id",   "name",  "name_hint",      "params",
    "func_type", "type", "type_", "tensor_type",    "op",
    "op_name",   "var",  "index", "arg_directions", "attrs",
    NULL};

static bool is_one_of(const oracle_json *json, uint32_t key,
                      const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count && names[i] != NULL; i++) {
        if (oracle_json_is(json, key, names[i], strlen(names[i]))) {
            return true;
        }
    }
    return false;
}

/* What is neither a list nor an object has no parts, and is no part. */
static bool push_part(ir_program *p, uint32_t value)
{
    return type_of(p, value) < ORACLE_JSON_ARRAY || push_child(p, value);
}

static bool push_list_parts(ir_program *p, uint32_t list)
{
    for (uint32_t at = list + 1; at < oracle_json_next(p->json, list);
         at = oracle_json_next(p->json, at)) {
        if (!push_part(p, at)) {
            return false;
        }
    }
    return true;
}

static bool push_values(ir_program *p, uint32_t value)
{
    uint32_t map = ir_map(p, value), list = map == ORACLE_NONE ? value : map;
    for (uint32_t at = list + 1; at < oracle_json_next(p->json, list);) {
        uint32_t child = map == ORACLE_NONE ? at + 1 : at + 2;
        if (!push_part(p, child)) {
            return false;
        }
        at = oracle_json_next(p->json, child);
    }
    return true;
}

/* The parts of a value; of a node the fields of spec 05, in its order. */
static bool push_parts(ir_program *p, uint32_t value, bool runs)
{
    uint32_t v[IR_WALKED];
    switch (p->values[value].form) {
    case IR_PLAIN:
        return true;
    case IR_LIST:
        return push_list_parts(p, value);
    case IR_MAPPING:
        return push_values(p, value);
    case IR_NODE:
        break;
    }
    oracle_json_members(p->json, value, walked, IR_WALKED, v);
    for (uint32_t i = runs ? IR_BODY : IR_FUNCTIONS; i < IR_WALKED; i++) {
        if (v[i] != ORACLE_NONE && !push_part(p, v[i])) {
            return false;
        }
    }
    for (uint32_t at = value + 1; runs && at < oracle_json_next(p->json, value);
         at = oracle_json_next(p->json, at + 1)) {
        if (type_of(p, at + 1) >= ORACLE_JSON_ARRAY &&
            !is_one_of(p->json, at, walked, IR_WALKED) &&
            !is_one_of(p->json, at, passed, UINT32_MAX) &&
            !push_child(p, at + 1)) {
            return false;
        }
    }
    return true;
}

/* --- The walk of the extraction --- */

static bool number_task(ir_program *p, uint32_t node)
{
    answer_text name;
    if (!ir_is(p, node, "Call")) {
        return true;
    }
    if (!ir_call_name(p, node, &name)) {
        return false;
    }
    if (ir_is_task(&name)) {
        p->values[node].id = (uint32_t)++p->next_id;
    }
    return true;
}

/* A list's first item is visited first, of all else the last. */
static bool walk_extracted(ir_program *p, uint32_t root)
{
    uint32_t begin = p->child_count;
    p->walk++;
    bool ok = push_child(p, root);
    while (ok && p->child_count > begin) {
        uint32_t value = p->values[p->children[--p->child_count]].at;
        uint32_t first = p->child_count;
        if (p->values[value].seen == p->walk) {
            continue;
        }
        p->values[value].seen = p->walk;
        ok = ir_visit(p, 1) &&
             (p->values[value].form != IR_NODE || number_task(p, value)) &&
             push_parts(p, value, false);
        bool list = ok && p->values[value].form == IR_LIST;
        for (uint32_t i = first, j = p->child_count; list && i + 1 < j; i++) {
            uint32_t other = p->children[--j];
            p->children[j] = p->children[i];
            p->children[i] = other;
        }
    }
    return ok;
}

/* --- The walk of what runs --- */

static bool is_rejected(const ir_program *p, uint32_t node)
{
    static const char *const kinds[] = {
        "ForStmt", "IfStmt",        "WhileStmt",      "RuntimeScopeStmt",
        "Submit",  "SpmdScopeStmt", "ManualScopeStmt"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ir_is(p, node, kinds[i])) {
            return true;
        }
    }
    return false;
}

static bool enter(ir_program *p, uint32_t value)
{
    ir_frame *grown =
        oracle_arena_push(p->arena, p->frames, p->depth, sizeof *grown);
    value = p->values[value].at;
    if (grown == NULL) {
        return ir_failed(p);
    }
    p->frames = grown;
    if (p->values[value].seen == p->walk) {
        return true;
    }
    p->values[value].seen = p->walk;
    if (!ir_visit(p, 1)) {
        return false;
    }
    if (p->values[value].form == IR_NODE && is_rejected(p, value)) {
        return ir_broken(p);
    }
    grown[p->depth] = (ir_frame){value, p->child_count, 0};
    bool ok = push_parts(p, value, true);
    grown[p->depth++].end = p->child_count;
    return ok;
}

static bool walk_run(ir_program *p, uint32_t root)
{
    uint32_t begin = p->child_count;
    p->walk++;
    bool ok = enter(p, root);
    while (ok && p->depth > 0) {
        ir_frame *top = &p->frames[p->depth - 1];
        if (top->next < top->end) {
            ok = enter(p, p->children[top->next++]);
            continue;
        }
        uint32_t value = top->value;
        p->depth--;
        p->child_count = p->depth == 0 ? begin : p->frames[p->depth - 1].end;
        ok = p->values[value].form != IR_NODE || ir_leave(p, value);
    }
    return ok;
}

/* --- Roots --- */

static bool type_name(ir_program *p, uint32_t function, answer_text *type)
{
    uint32_t node = ir_get(p, function, "func_type");
    return ir_text(p, node, type) &&
           (node == ORACLE_NONE || type->data != NULL ||
            ir_text_field(p, node, "name", type));
}

/* What tells cores: the last of a name that is one of the two. */
static bool add_callee(ir_program *p, uint32_t function)
{
    answer_text name, type;
    if (!ir_text_field(p, function, "name", &name) ||
        !type_name(p, function, &type)) {
        return false;
    }
    bool aic = ir_text_is(&type, "AIC");
    if (name.data == NULL || (!aic && !ir_text_is(&type, "AIV"))) {
        return true;
    }
    oracle_slot *slot = oracle_table_slot(&p->callees, name.data, name.length);
    if (slot == NULL) {
        return ir_failed(p);
    }
    *slot = (oracle_slot){name.data, name.length, aic ? 0 : 1};
    return true;
}

/* *is: it is a root by its type, and by its name where one is asked for. */
static bool check_root(ir_program *p, uint32_t function,
                       const answer_text *entry, bool typed, bool *is)
{
    answer_text name, type;
    if (!ir_text_field(p, function, "name", &name) ||
        !type_name(p, function, &type)) {
        return false;
    }
    *is = ir_text_is(&type, "Orchestration") || (!typed && type.data == NULL);
    *is = *is && (entry->data == NULL ||
                  (name.data != NULL && name.length == entry->length &&
                   memcmp(name.data, entry->data, name.length) == 0));
    return true;
}

/* The roots, as children[first ...]. */
static bool find_roots(ir_program *p, const answer_text *entry, uint32_t *count)
{
    uint32_t functions = ir_get(p, 0, "functions"), begin = p->child_count;
    bool typed =
        functions != ORACLE_NONE && p->values[functions].form == IR_MAPPING;
    *count = 0;
    if (!(typed ? push_values(p, functions) : push_child(p, 0))) {
        return false;
    }
    for (uint32_t i = begin; i < p->child_count; i++) {
        uint32_t f = p->values[p->children[i]].at;
        bool is = false;
        if (p->values[f].form == IR_NODE &&
            ((typed && !add_callee(p, f)) ||
             !check_root(p, f, entry, typed, &is))) {
            return false;
        }
        if (is) {
            p->children[begin + (*count)++] = f;
        }
    }
    p->child_count = begin + *count;
    return true;
}

/* Numbers the tasks of all roots, or of one again: a node may be in several. */
static bool number_roots(ir_program *p, uint32_t begin, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!walk_extracted(p, p->children[begin + i])) {
            return false;
        }
    }
    return true;
}

static bool go_through(ir_program *p, const answer_text *entry)
{
    uint32_t count, begin = p->child_count;
    if (!find_roots(p, entry, &count) || !number_roots(p, begin, count)) {
        return false;
    }
    p->further = p->next_id;
    for (uint32_t i = 0; count > 1 && i < p->json->count; i++) {
        p->values[i].id = 0;
    }
    p->next_id = count > 1 ? 0 : p->next_id;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = p->children[begin + i];
        p->first_id = count > 1 ? p->next_id : 0;
        if ((count > 1 && !number_roots(p, begin + i, 1)) ||
            !ir_begin_root(p, root, count > 1) || !walk_run(p, root)) {
            return false;
        }
    }
    return true;
}

static void free_tables(ir_program *p)
{
    oracle_table_free(&p->ids);
    oracle_table_free(&p->numbers);
    oracle_table_free(&p->callees);
    oracle_table_free(&p->used);
}

bool answer_run_program(answer_run *run, const oracle_json *json,
                        const answer_text *entry, oracle_arena *arena)
{
    ir_program p = {.json = json, .arena = arena, .run = run};
    *run = (answer_run){0};
    run->straight = take_forms(&p) && go_through(&p, entry);
    free_tables(&p);
    return !p.no_memory;
}

/* --- Regions --- */

static const char *flow_of(const ir_program *p, uint32_t statement)
{
    static const char *const kinds[] = {"ForStmt", "IfStmt", "WhileStmt",
                                        "RuntimeScopeStmt"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ir_is(p, statement, kinds[i])) {
            return kinds[i];
        }
    }
    return NULL;
}

/* The first of these fields that is a list which is not empty. */
static bool find_statements(ir_program *p, bool *whole)
{
    static const char *const names[] = {"body", "stmts", "statements", "seq"};
    *whole = true;
    for (size_t i = 0; *whole && i < sizeof names / sizeof *names; i++) {
        uint32_t list = ir_get(p, 0, names[i]);
        if (list == ORACLE_NONE || p->values[list].form != IR_LIST) {
            continue;
        }
        if (!push_list(p, list)) {
            return false;
        }
        *whole = p->child_count == 0;
    }
    return !*whole || push_child(p, 0);
}

/* Whether no other field than that of the list is walked. */
static bool is_alone(const ir_program *p)
{
    uint32_t v[IR_WALKED], parts = 0;
    oracle_json_members(p->json, 0, walked, IR_WALKED, v);
    for (uint32_t i = 0; i < IR_WALKED; i++) {
        parts += v[i] != ORACLE_NONE && type_of(p, v[i]) >= ORACLE_JSON_ARRAY;
    }
    return parts == 1;
}

static bool split(ir_program *p, answer_regions *r)
{
    if (!take_forms(p) || !find_statements(p, &r->whole)) {
        return false;
    }
    r->alone = is_alone(p);
    for (uint32_t i = 0; i < p->child_count; i++) {
        const char *flow = flow_of(p, p->children[i]);
        uint32_t n = r->count;
        if (flow == NULL && n > 0 && r->list[n - 1].flow == NULL) {
            r->list[n - 1].nodes++;
            continue;
        }
        answer_region *grown =
            oracle_arena_push(p->arena, r->list, n, sizeof *grown);
        if (grown == NULL) {
            return ir_failed(p);
        }
        r->list = grown;
        grown[r->count++] = (answer_region){flow, 1};
    }
    return true;
}

bool answer_regions_of(answer_regions *regions, const oracle_json *json,
                       oracle_arena *arena)
{
    ir_program p = {.json = json, .arena = arena};
    *regions = (answer_regions){0};
    if (!split(&p, regions)) {
        regions->count = 0;
    }
    free_tables(&p);
    return !p.no_memory;
}
