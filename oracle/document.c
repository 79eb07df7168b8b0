#include "csv.h"
#include "record.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const rule_sets[] = {"none", "conservative", "tensormap",
                                        NULL};

static const char *const kinds[] = {"task_graph", "bundle", "memory_plan",
                                    NULL};
static const oracle_kind kind_values[] = {
    ORACLE_KIND_TASK_GRAPH, ORACLE_KIND_BUNDLE, ORACLE_KIND_MEMORY_PLAN};

/* Fields that only documents of one kind have, the telling ones first. */
static const struct {
    const char *field;
    oracle_kind kind;
} telling[] = {
    {"chip_swimlane_level", ORACLE_KIND_TRACE},
    {"aicore_tasks", ORACLE_KIND_TRACE},
    {"eligible", ORACLE_KIND_ELIGIBILITY},
    {"func_registry", ORACLE_KIND_HANDLE},
    {"arg_bindings", ORACLE_KIND_HANDLE},
    {"score_fingerprint", ORACLE_KIND_HANDLE},
    {"tensors", ORACLE_KIND_RECORD},
    {"edges", ORACLE_KIND_HBG},
    {"schema_version", ORACLE_KIND_SCORE},
    {"runtime_target", ORACLE_KIND_SCORE},
    {"tasks", ORACLE_KIND_SCORE},
};
#define TELLING (sizeof telling / sizeof *telling)

/* Whether the items of a list "tasks" are rows of a record. */
static bool is_record(oracle_json *json, uint32_t key)
{
    if (!oracle_json_is(json, key, "tasks", 5) ||
        json->nodes[key + 1].type != ORACLE_JSON_ARRAY) {
        return false;
    }
    oracle_json_items items = oracle_json_items_of(json, key + 1);
    if (!oracle_json_item(json, &items) ||
        json->nodes[items.node].type != ORACLE_JSON_OBJECT) {
        return false;
    }
    uint32_t end = oracle_json_next(json, items.node);
    for (uint32_t at = items.node + 1; at < end;
         at = oracle_json_next(json, at + 1)) {
        if (oracle_json_is(json, at, "kernel_ids", 10) ||
            oracle_json_is(json, at, "early_dispatch", 14)) {
            return true;
        }
    }
    return false;
}

/* By its kind, or by its fields. */
static oracle_kind kind_of(oracle_json *json, uint32_t root, uint32_t *kind)
{
    size_t told = TELLING;
    bool record = false;
    *kind = ORACLE_NONE;
    if (json->nodes[root].type != ORACLE_JSON_OBJECT) {
        return ORACLE_KIND_UNKNOWN;
    }
    uint32_t end = oracle_json_next(json, root);
    for (uint32_t at = root + 1; at < end;
         at = oracle_json_next(json, at + 1)) {
        if (oracle_json_is(json, at, "kind", 4)) {
            *kind = at + 1;
        }
        record |= is_record(json, at);
        for (size_t i = 0; i < told; i++) {
            const char *field = telling[i].field;
            told = oracle_json_is(json, at, field, strlen(field)) ? i : told;
        }
    }
    if (*kind == ORACLE_NONE && record) {
        return ORACLE_KIND_RECORD;
    }
    if (*kind == ORACLE_NONE || json->nodes[*kind].type != ORACLE_JSON_STRING) {
        return told < TELLING && *kind == ORACLE_NONE ? telling[told].kind
                                                      : ORACLE_KIND_UNKNOWN;
    }
    for (size_t i = 0; kinds[i] != NULL; i++) {
        if (oracle_json_is(json, *kind, kinds[i], strlen(kinds[i]))) {
            return kind_values[i];
        }
    }
    return ORACLE_KIND_UNKNOWN;
}

bool oracle_read_version(oracle_reader *reader, uint32_t root, uint32_t node)
{
    int64_t version;
    if (!oracle_reader_need(reader, root, node, "version") ||
        !oracle_reader_int(reader, node, &version)) {
        return false;
    }
    if (version != 1) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "must be 1, the only version known, got %" PRId64,
                          version);
        return false;
    }
    return true;
}

bool oracle_read_graph(oracle_reader *reader, uint32_t root)
{
    enum {
        KIND,
        VERSION,
        NAME,
        RULES,
        SYMBOLS,
        CHOICES,
        BUFFERS,
        SCOPES,
        TASKS,
        EDGES,
        HOST,
        DYNAMIC,
        IMPOSSIBLE,
        FACTS
    };
    static const oracle_fields fields = {
        "",
        14,
        {ORACLE_FIELD("kind"), ORACLE_FIELD("version"), ORACLE_FIELD("name"),
         ORACLE_FIELD("rules"), ORACLE_FIELD("symbols"),
         ORACLE_FIELD("choices"), ORACLE_FIELD("buffers"),
         ORACLE_FIELD("scopes"), ORACLE_FIELD("tasks"), ORACLE_FIELD("edges"),
         ORACLE_FIELD("host_accesses"), ORACLE_FIELD("dynamic"),
         ORACLE_FIELD("impossible"), ORACLE_FIELD("facts")}};
    uint32_t value[14];
    static const char *const kind[] = {"task_graph", NULL};
    uint32_t rules = ORACLE_RULES_NONE;
    uint32_t index;
    if (!oracle_reader_fields(reader, root, &fields, value) ||
        !oracle_reader_need(reader, root, value[KIND], "kind") ||
        !oracle_reader_word(reader, value[KIND], kind, "task_graph", &index) ||
        !oracle_read_version(reader, root, value[VERSION]) ||
        !oracle_reader_need(reader, root, value[TASKS], "tasks") ||
        !oracle_reader_opt_text(reader, value[NAME], &reader->document->name) ||
        (!oracle_reader_absent(reader, value[RULES]) &&
         !oracle_reader_word(reader, value[RULES], rule_sets,
                             "none, conservative or tensormap", &rules)) ||
        !oracle_read_symbols(reader, value[SYMBOLS]) ||
        !oracle_read_choices(reader, value[CHOICES]) ||
        !oracle_read_impossible(reader, value[IMPOSSIBLE]) ||
        !oracle_read_facts(reader, value[FACTS]) ||
        !oracle_read_buffers(reader, value[BUFFERS]) ||
        !oracle_read_scopes(reader, value[SCOPES]) ||
        !oracle_read_tasks(reader, value[TASKS]) ||
        !oracle_read_creators(reader, value[BUFFERS]) ||
        !oracle_read_edges(reader, value[EDGES]) ||
        !oracle_read_host_accesses(reader, value[HOST]) ||
        !oracle_read_dynamic(reader, value[DYNAMIC])) {
        return false;
    }
    reader->document->rules = (oracle_rules)rules;
    return true;
}

static void set_member(oracle_reader *reader, oracle_role role, uint32_t root)
{
    if (reader->members != NULL) {
        reader->members->node[role] = root;
    }
}

bool oracle_read_root(oracle_reader *reader, uint32_t root)
{
    uint32_t kind;
    reader->document->kind =
        reader->score ? ORACLE_KIND_SCORE : kind_of(reader->json, root, &kind);
    switch (reader->document->kind) {
    case ORACLE_KIND_TASK_GRAPH:
        set_member(reader, ORACLE_ROLE_GRAPH, root);
        return oracle_read_graph(reader, root);
    case ORACLE_KIND_SCORE:
        set_member(reader, ORACLE_ROLE_SCORE, root);
        return oracle_read_score(reader, root);
    case ORACLE_KIND_BUNDLE:
        return oracle_read_bundle(reader, root);
    case ORACLE_KIND_MEMORY_PLAN:
        set_member(reader, ORACLE_ROLE_MEMORY, root);
        return oracle_read_memory_plan(reader, root, false);
    case ORACLE_KIND_HANDLE:
        set_member(reader, ORACLE_ROLE_HANDLE, root);
        return oracle_read_handle(reader, root);
    case ORACLE_KIND_HBG:
        set_member(reader, ORACLE_ROLE_HBG, root);
        return oracle_read_hbg(reader, root) &&
               oracle_read_hbg_tasks(reader, root, ORACLE_NONE);
    case ORACLE_KIND_ELIGIBILITY:
        set_member(reader, ORACLE_ROLE_ELIGIBILITY, root);
        return oracle_read_eligibility(reader, root);
    case ORACLE_KIND_RECORD:
        set_member(reader, ORACLE_ROLE_RECORD, root);
        return oracle_read_record(reader, root);
    case ORACLE_KIND_TRACE:
        set_member(reader, ORACLE_ROLE_TRACE, root);
        return oracle_read_trace(reader, root);
    case ORACLE_KIND_MEMORY_CSV:
    case ORACLE_KIND_UNKNOWN:
        break;
    }
    if (oracle_reader_type(reader, root) != ORACLE_JSON_OBJECT) {
        return oracle_reader_wrong(reader, root, "an object");
    }
    if (kind != ORACLE_NONE) {
        uint32_t index;
        return oracle_reader_word(reader, kind, kinds,
                                  "task_graph, bundle or memory_plan", &index);
    }
    oracle_fault_node(
        reader->error, ORACLE_SCHEMA, reader->json, root,
        "is no task graph, Score, bundle, memory plan, PlanHandle, "
        "host_build_graph plan or record of a run");
    return false;
}

static bool override_rules(oracle_reader *reader, const char *name)
{
    for (uint32_t i = 0; rule_sets[i] != NULL; i++) {
        if (strcmp(name, rule_sets[i]) == 0) {
            reader->document->rules = (oracle_rules)i;
            return true;
        }
    }
    oracle_fault(reader->error, ORACLE_UNSUPPORTED,
                 "there is no rule set %.64s: none, conservative or tensormap",
                 name);
    return false;
}

#define TRIM(document, list, count)                                            \
    ((document)->list =                                                        \
         oracle_arena_trim((document)->arena, (document)->list,                \
                           (document)->count, sizeof *(document)->list))

static void trim(oracle_document *document)
{
    TRIM(document, buffers, buffer_count);
    TRIM(document, tasks, task_count);
    TRIM(document, deps, dep_count);
    TRIM(document, args, arg_count);
    TRIM(document, accesses, access_count);
    TRIM(document, regions, region_count);
    TRIM(document, dims, dim_count);
    TRIM(document, terms, term_count);
    TRIM(document, edges, edge_count);
}

static void free_tables(oracle_reader *reader)
{
    oracle_table_free(&reader->names);
    oracle_table_free(&reader->symbols);
    oracle_id_table_free(&reader->tasks);
    oracle_id_table_free(&reader->scopes);
    oracle_id_table_free(&reader->choices);
    oracle_id_table_free(&reader->blocks);
    oracle_id_table_free(&reader->functions);
}

/* A dummy has edges and no kernel, so its arguments touch nothing, whatever
 * they say (spec 06). Their directions make edges all the same. */
static void rest_dummies(oracle_document *d)
{
    for (uint32_t t = 0; t < d->task_count; t++) {
        const oracle_task *task = &d->tasks[t];
        for (uint32_t a = 0; task->dummy && a < task->args; a++) {
            oracle_arg *arg = &d->args[task->first_arg + a];
            arg->has_access = arg->kind == ORACLE_ARG_BUFFER;
            arg->accesses = 0;
        }
    }
}

/* The whole text, or (with `read_node`) the document at a node. */
static oracle_status
read_json(oracle_members *members, oracle_document *document, oracle_json *json,
          uint32_t node, bool (*read_node)(oracle_reader *, uint32_t),
          const oracle_read_options *options, oracle_error *error)
{
    static const oracle_read_options defaults = {0};
    options = options == NULL ? &defaults : options;
    *document = (oracle_document){.name = {"", 0, false},
                                  .arena = oracle_arena_create()};
    memset(error, 0, sizeof *error);
    oracle_reader reader = {.json = json,
                            .document = document,
                            .arena = document->arena,
                            .error = error,
                            .lenient = options->lenient,
                            .score = options->score,
                            .members = members,
                            .lane = ORACLE_NONE,
                            .declared_block = ORACLE_NONE,
                            .declared_lane = ORACLE_NONE,
                            .task = ORACLE_NONE};
    bool read = document->arena == NULL ? oracle_reader_memory(&reader)
                : read_node == NULL     ? oracle_read_root(&reader, 0)
                                        : read_node(&reader, node);
    if (read && options->rules != NULL) {
        read = override_rules(&reader, options->rules);
    }
    if (document->run != NULL) {
        document->rules = ORACLE_RULES_NONE; /* the run has made its edges */
    }
    free_tables(&reader);
    if (!read) {
        oracle_document_free(document);
        return error->status;
    }
    rest_dummies(document);
    trim(document);
    document->derived = document->rules;
    return ORACLE_OK;
}

oracle_status oracle_members_read_score(oracle_document *document,
                                        const oracle_members *members,
                                        bool lenient, oracle_error *error)
{
    oracle_read_options options = {.lenient = lenient};
    oracle_members part = {.json = members->json};
    return read_json(&part, document, members->json,
                     members->node[ORACLE_ROLE_SCORE], oracle_read_score,
                     &options, error);
}

oracle_status oracle_members_read_graph(oracle_document *document,
                                        const oracle_members *members,
                                        bool lenient, oracle_error *error)
{
    oracle_read_options options = {.lenient = lenient};
    oracle_members part = {.json = members->json};
    return read_json(&part, document, members->json,
                     members->node[ORACLE_ROLE_GRAPH], oracle_read_graph,
                     &options, error);
}

oracle_status oracle_members_read(oracle_members *members,
                                  oracle_document *document, oracle_json *json,
                                  const oracle_read_options *options,
                                  oracle_error *error)
{
    *members = (oracle_members){.json = json};
    memset(members->node, 0xff, sizeof members->node);
    return read_json(members, document, json, 0, NULL, options, error);
}

/* Only the reader of task graphs takes folded lists. */
oracle_status oracle_document_json(oracle_json *json, const char *text,
                                   size_t length, oracle_error *error)
{
    uint32_t kind;
    oracle_status status = oracle_json_parse_folded(json, text, length, error);
    if (status != ORACLE_OK || !json->folded ||
        kind_of(json, 0, &kind) == ORACLE_KIND_TASK_GRAPH) {
        return status;
    }
    oracle_json_free(json);
    return oracle_json_parse(json, text, length, error);
}

oracle_status oracle_document_read(oracle_document *document, const char *text,
                                   size_t length,
                                   const oracle_read_options *options,
                                   oracle_error *error)
{
    oracle_json json;
    *document = (oracle_document){.name = {"", 0, false}};
    memset(error, 0, sizeof *error);
    oracle_status status = oracle_document_json(&json, text, length, error);
    if (status == ORACLE_OK) {
        status = read_json(NULL, document, &json, 0, NULL, options, error);
        oracle_json_free(&json);
    }
    return status;
}

void oracle_document_free(oracle_document *document)
{
    oracle_arena_free(document->arena);
    *document = (oracle_document){0};
}

oracle_kind oracle_document_detect(const char *text, size_t length)
{
    oracle_json json;
    oracle_error error;
    uint32_t kind;
    if (oracle_csv_detect(text, length)) {
        return ORACLE_KIND_MEMORY_CSV;
    }
    if (oracle_json_parse_folded(&json, text, length, &error) != ORACLE_OK) {
        return ORACLE_KIND_UNKNOWN;
    }
    oracle_kind found = kind_of(&json, 0, &kind);
    oracle_json_free(&json);
    return found;
}
