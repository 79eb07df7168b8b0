/* Documents with all their fields: Score and PlanHandle (spec 01, 04). */
#include "canonical.h"

#include <string.h>

typedef struct form form;

#define FIELDS 8 /* of the largest form */

/* One field; `absent`: how its default prints. */
typedef struct form_field {
    const char *name, *absent;
    const form *of; /* NULL: any value; else of it, or of each item */
    bool list;
    bool fixed; /* the default, whatever there is */
} form_field;

/* Fields in the order of their names. */
struct form {
    uint32_t count;
    form_field field[FIELDS];
};

#define PLAIN(name, absent)                                                    \
    {                                                                          \
        name, absent, NULL, false, false                                       \
    }

static const form dependency = {3,
                                {PLAIN("consumer", "0"),
                                 PLAIN("kind", "\"data\""),
                                 PLAIN("producer", "0")}};
static const form shape = {2, {PLAIN("dims", "[]"), PLAIN("symbol", "\"\"")}};
static const form task = {7,
                          {PLAIN("arg_directions", "[]"),
                           PLAIN("arg_storage_keys", "[]"), PLAIN("args", "[]"),
                           PLAIN("core_type", "\"\""), PLAIN("func_id", "0"),
                           PLAIN("name", "null"), PLAIN("task_id", "0")}};
static const form target = {
    4,
    {PLAIN("aicpu_thread_num", "null"), PLAIN("config_comment", "[]"),
     PLAIN("function_name", "\"aicpu_orchestration_entry\""),
     PLAIN("runtime", "\"tensormap_and_ringbuffer\"")}};
static const form score = {7,
                           {{"dependencies", "[]", &dependency, true, false},
                            PLAIN("metadata", "{}"),
                            PLAIN("name", "\"\""),
                            {"runtime_target", NULL, &target, false, false},
                            {"schema_version", "1", NULL, false, true},
                            {"shape_assumptions", "[]", &shape, true, false},
                            {"tasks", "[]", &task, true, false}}};
static const form function = {3,
                              {PLAIN("name", "\"\""),
                               PLAIN("runtime_func_id", "null"),
                               PLAIN("sonata_func_id", "0")}};
static const form binding = {
    5,
    {PLAIN("arg_index", "0"), PLAIN("direction", "\"Input\""),
     PLAIN("runtime_handle", "null"), PLAIN("storage_key", "null"),
     PLAIN("task_id", "0")}};
static const form handle = {8,
                            {{"arg_bindings", "[]", &binding, true, false},
                             {"func_registry", "[]", &function, true, false},
                             PLAIN("metadata", "{}"),
                             PLAIN("runtime_contract_version", "1"),
                             {"runtime_target", NULL, &target, false, false},
                             {"schema_version", "1", NULL, false, true},
                             PLAIN("score_fingerprint", "\"\""),
                             PLAIN("source_adapter", "\"post_simplify\"")}};

uint32_t oracle_json_member(const oracle_json *json, uint32_t object,
                            const char *name)
{
    uint32_t found = ORACLE_NONE;
    if (object == ORACLE_NONE ||
        json->nodes[object].type != ORACLE_JSON_OBJECT) {
        return found;
    }
    size_t length = strlen(name);
    uint32_t end = oracle_json_next(json, object);
    for (uint32_t at = object + 1; at < end;
         at = oracle_json_next(json, at + 1)) {
        bool may_be = json->escapes || json->nodes[at].extent == length + 2;
        if (may_be && oracle_json_is(json, at, name, length)) {
            found = at + 1;
        }
    }
    return found;
}

void oracle_json_members(const oracle_json *json, uint32_t object,
                         const char *const *names, uint32_t count,
                         uint32_t *values)
{
    for (uint32_t i = 0; i < count; i++) {
        values[i] = ORACLE_NONE;
    }
    if (object == ORACLE_NONE ||
        json->nodes[object].type != ORACLE_JSON_OBJECT) {
        return;
    }
    uint32_t end = oracle_json_next(json, object);
    uint32_t next = 0; /* the name that comes next, when they are in order */
    for (uint32_t at = object + 1; at < end;
         at = oracle_json_next(json, at + 1)) {
        char first = json->text[json->nodes[at].offset + 1];
        for (uint32_t tried = 0; tried < count; tried++) {
            uint32_t i =
                next + tried < count ? next + tried : next + tried - count;
            if ((first == names[i][0] || first == '\\') &&
                oracle_json_is(json, at, names[i], strlen(names[i]))) {
                values[i] = at + 1;
                next = i + 1 == count ? 0 : i + 1;
                break;
            }
        }
    }
}

static void write_form(oracle_canon *c, const form *f, const oracle_json *json,
                       uint32_t node);

static void write_list(oracle_canon *c, const form *f, const oracle_json *json,
                       uint32_t list)
{
    uint32_t end = oracle_json_next(json, list);
    oracle_canon_open(c, '[');
    for (uint32_t at = list + 1; at < end; at = oracle_json_next(json, at)) {
        oracle_canon_item(c);
        write_form(c, f, json, at);
    }
    oracle_canon_close(c, ']');
}

static void write_field(oracle_canon *c, const form_field *field,
                        const oracle_json *json, uint32_t value)
{
    if (field->of != NULL && !field->list) {
        write_form(c, field->of, json, value);
    } else if (value == ORACLE_NONE || field->fixed) {
        oracle_out_text(&c->out, field->absent);
    } else if (field->list) {
        write_list(c, field->of, json, value);
    } else {
        oracle_canon_value(c, json, value);
    }
}

/* Forms are three deep: this is no recursion over the input. */
static void write_form(oracle_canon *c, const form *f, const oracle_json *json,
                       uint32_t node)
{
    const char *names[FIELDS];
    uint32_t values[FIELDS];
    for (uint32_t i = 0; i < f->count; i++) {
        names[i] = f->field[i].name;
    }
    oracle_json_members(json, node, names, f->count, values);
    oracle_canon_open(c, '{');
    for (uint32_t i = 0; i < f->count; i++) {
        const form_field *field = &f->field[i];
        oracle_canon_name(c, field->name);
        write_field(c, field, json, values[i]);
    }
    oracle_canon_close(c, '}');
}

void oracle_canon_score_field(oracle_canon *c, const oracle_json *json,
                              uint32_t node, const char *name)
{
    for (uint32_t i = 0; i < score.count; i++) {
        if (strcmp(score.field[i].name, name) == 0) {
            write_field(c, &score.field[i], json,
                        oracle_json_member(json, node, name));
        }
    }
}

void oracle_canon_target(oracle_canon *c, const oracle_json *json,
                         uint32_t node)
{
    write_form(c, &target, json, node);
}

void oracle_canon_score(oracle_canon *c, const oracle_json *json, uint32_t node)
{
    write_form(c, &score, json, node);
}

void oracle_canon_handle(oracle_canon *c, const oracle_json *json,
                         uint32_t node)
{
    write_form(c, &handle, json, node);
}

bool oracle_score_fingerprint(char digest[65], const oracle_json *json,
                              uint32_t node, bool metadata)
{
    oracle_canon c = {0};
    form identity = {0};
    for (uint32_t i = 0; i < score.count; i++) {
        const char *name = score.field[i].name;
        if (strcmp(name, "runtime_target") != 0 &&
            strcmp(name, "schema_version") != 0 &&
            (metadata || strcmp(name, "metadata") != 0)) {
            identity.field[identity.count++] = score.field[i];
        }
    }
    oracle_out_text(&c.out, "{\"fingerprint_version\":1,\"identity\":");
    write_form(&c, &identity, json, node);
    oracle_out_text(&c.out, "}");
    bool ok = !c.out.failed;
    if (ok) {
        oracle_digest(digest, c.out.data, c.out.length);
    }
    oracle_out_free(&c.out);
    return ok;
}

/* Equal tokens are equal values; others may be, too: 1 and 1.0e0. */
static bool same_token(const oracle_json *a, uint32_t a_node,
                       const oracle_json *b, uint32_t b_node)
{
    const oracle_json_node *x = &a->nodes[a_node], *y = &b->nodes[b_node];
    return x->type == y->type && x->type < ORACLE_JSON_ARRAY &&
           x->extent == y->extent &&
           memcmp(a->text + x->offset, b->text + y->offset, x->extent) == 0;
}

bool oracle_canon_same(const oracle_json *a, uint32_t a_node,
                       const oracle_json *b, uint32_t b_node, bool *same)
{
    oracle_canon x = {0}, y = {0};
    if (same_token(a, a_node, b, b_node)) {
        *same = true;
        return true;
    }
    oracle_canon_value(&x, a, a_node);
    oracle_canon_value(&y, b, b_node);
    bool ok = !x.out.failed && !y.out.failed;
    *same = ok && x.out.length == y.out.length &&
            memcmp(x.out.data, y.out.data, x.out.length) == 0;
    oracle_out_free(&x.out);
    oracle_out_free(&y.out);
    return ok;
}
