/* Tasks, arguments and accesses of a task-graph document. */
#include "reader.h"
#include "region.h"

#include <inttypes.h>

static const char *const modes[] = {"read", "write", "inout", "accumulate",
                                    NULL};

bool oracle_read_mode(oracle_reader *reader, uint32_t node, oracle_mode *mode)
{
    uint32_t index;
    if (!oracle_reader_word(reader, node, modes,
                            "read, write, inout or accumulate", &index)) {
        return false;
    }
    *mode = (oracle_mode)index;
    return true;
}

/*
 * The part of an argument that is accessed. A view that moves says nothing
 * about bytes that do not; the buffer still does.
 */
static bool read_part(oracle_reader *reader, uint32_t node,
                      const oracle_arg *arg, uint32_t *region)
{
    if (!oracle_read_region(reader, node, "tasks[].args[].access[].region",
                            region, NULL)) {
        return false;
    }
    oracle_place part = {arg->buffer, *region};
    bool fixed =
        oracle_place_extent(reader->document, part) == ORACLE_EXTENT_CONSTANT;
    return oracle_read_within(reader, node, part,
                              (oracle_place){arg->buffer, arg->view},
                              "the view") &&
           (!fixed ||
            oracle_read_within(reader, node, part,
                               (oracle_place){arg->buffer, ORACLE_NONE},
                               "the buffer"));
}

static bool read_access(oracle_reader *reader, uint32_t node,
                        const oracle_arg *arg)
{
    enum { MODE, MUST, EXACT, REGION };
    static const oracle_fields fields = {
        "tasks[].args[].access[]",
        4,
        {ORACLE_FIELD("mode"), ORACLE_FIELD("must"), ORACLE_FIELD("exact"),
         ORACLE_FIELD("region")}};
    uint32_t value[4];
    oracle_access a = {.region = ORACLE_NONE};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[MODE], "mode") ||
        !oracle_read_mode(reader, value[MODE], &a.mode) ||
        !oracle_reader_opt_bool(reader, value[MUST], &a.must) ||
        !oracle_reader_opt_bool(reader, value[EXACT], &a.exact)) {
        return false;
    }
    if (!oracle_reader_absent(reader, value[REGION]) &&
        !read_part(reader, value[REGION], arg, &a.region)) {
        return false;
    }
    oracle_access *kept = ORACLE_PUSH(reader, accesses, access_count);
    if (kept == NULL) {
        return false;
    }
    *kept = a;
    return true;
}

static bool read_accesses(oracle_reader *reader, uint32_t node, oracle_arg *arg)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, node, &at, &end)) {
        return false;
    }
    arg->has_access = !oracle_reader_absent(reader, node);
    arg->first_access = reader->document->access_count;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_access(reader, at, arg)) {
            return false;
        }
    }
    arg->accesses = reader->document->access_count - arg->first_access;
    return true;
}

enum {
    BUFFER,
    SCALAR,
    DISPATCH,
    DECLARED,
    MANUAL_DEP,
    VIEW,
    ACCESS,
    DTYPE,
    VERSION,
    BASE_ADDRESS,
    OWNER
};

static bool read_scalar(oracle_reader *reader, uint32_t node, oracle_arg *arg)
{
    static const oracle_fields fields = {
        "tasks[].args[].scalar", 1, {ORACLE_FIELD("text")}};
    uint32_t value;
    arg->kind = ORACLE_ARG_SCALAR;
    arg->buffer = ORACLE_NONE;
    if (oracle_reader_type(reader, node) != ORACLE_JSON_OBJECT) {
        return oracle_reader_opt_id(reader, node, &arg->scalar);
    }
    return oracle_reader_fields(reader, node, &fields, &value) &&
           oracle_reader_need(reader, node, value, "text") &&
           oracle_reader_string(reader, value, &arg->scalar);
}

static bool read_dispatch(oracle_reader *reader, const uint32_t *value,
                          oracle_arg *arg)
{
    static const char *const dispatches[] = {
        "input",   "output", "output_existing", "inout", "no_dep",
        "unknown", NULL};
    static const char *const declared[] = {"in", "out", "inout", NULL};
    uint32_t index;
    if (!oracle_reader_absent(reader, value[DISPATCH])) {
        if (!oracle_reader_word(reader, value[DISPATCH], dispatches,
                                "input, output, output_existing, inout, "
                                "no_dep or unknown",
                                &index)) {
            return false;
        }
        arg->dispatch = (oracle_dispatch)index;
    }
    if (!oracle_reader_absent(reader, value[DECLARED])) {
        if (!oracle_reader_word(reader, value[DECLARED], declared,
                                "in, out or inout", &index)) {
            return false;
        }
        arg->declared = (oracle_declared)(index + 1);
    }
    return true;
}

static bool read_view(oracle_reader *reader, uint32_t node, oracle_arg *arg)
{
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    return oracle_read_region(reader, node, "tasks[].args[].view", &arg->view,
                              &arg->dtype) &&
           oracle_read_within(
               reader, node, (oracle_place){arg->buffer, arg->view},
               (oracle_place){arg->buffer, ORACLE_NONE}, "the buffer");
}

static bool read_identity(oracle_reader *reader, const uint32_t *value,
                          oracle_arg *arg)
{
    oracle_identity identity = oracle_arg_identity(arg);
    if (value[VERSION] == ORACLE_NONE && value[BASE_ADDRESS] == ORACLE_NONE &&
        value[OWNER] == ORACLE_NONE) {
        return true;
    }
    return oracle_reader_opt_id(reader, value[VERSION], &identity.version) &&
           oracle_reader_opt_id(reader, value[BASE_ADDRESS],
                                &identity.base_address) &&
           oracle_reader_opt_id(reader, value[OWNER], &identity.owner) &&
           oracle_reader_identity(reader, arg, identity);
}

static bool read_tensor(oracle_reader *reader, const uint32_t *value,
                        oracle_arg *arg)
{
    return oracle_read_buffer_key(reader, value[BUFFER], &arg->buffer) &&
           read_dispatch(reader, value, arg) &&
           oracle_reader_opt_bool(reader, value[MANUAL_DEP],
                                  &arg->manual_dep) &&
           oracle_reader_opt_text(reader, value[DTYPE], &arg->dtype) &&
           read_view(reader, value[VIEW], arg) &&
           read_identity(reader, value, arg) &&
           read_accesses(reader, value[ACCESS], arg);
}

static bool read_arg(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {
        "tasks[].args[]",
        11,
        {ORACLE_FIELD("buffer"), ORACLE_FIELD("scalar"),
         ORACLE_FIELD("dispatch"), ORACLE_FIELD("declared"),
         ORACLE_FIELD("manual_dep"), ORACLE_FIELD("view"),
         ORACLE_FIELD("access"), ORACLE_FIELD("dtype"), ORACLE_FIELD("version"),
         ORACLE_FIELD("base_address"), ORACLE_FIELD("owner")}};
    static const oracle_text none = {"", 0, false};
    uint32_t value[11];
    oracle_arg a = {.dispatch = ORACLE_UNKNOWN_DISPATCH,
                    .view = ORACLE_NONE,
                    .scalar = none,
                    .dtype = none};
    if (!oracle_reader_fields(reader, node, &fields, value)) {
        return false;
    }
    if ((value[BUFFER] == ORACLE_NONE) == (value[SCALAR] == ORACLE_NONE)) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "must have either \"buffer\" or \"scalar\"");
        return false;
    }
    if (value[SCALAR] != ORACLE_NONE ? !read_scalar(reader, value[SCALAR], &a)
                                     : !read_tensor(reader, value, &a)) {
        return false;
    }
    oracle_arg *kept = ORACLE_PUSH(reader, args, arg_count);
    if (kept == NULL) {
        return false;
    }
    *kept = a;
    return true;
}

static bool read_args(oracle_reader *reader, uint32_t node, oracle_task *task)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, node, &at, &end)) {
        return false;
    }
    task->first_arg = reader->document->arg_count;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_arg(reader, at)) {
            return false;
        }
    }
    task->args = reader->document->arg_count - task->first_arg;
    return true;
}

static bool read_when(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {
        "tasks[].when[]", 2, {ORACLE_FIELD("choice"), ORACLE_FIELD("is")}};
    uint32_t value[2];
    int64_t id;
    oracle_when when = {.is = true};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[0], "choice") ||
        !oracle_reader_int(reader, value[0], &id) ||
        !oracle_reader_opt_bool(reader, value[1], &when.is)) {
        return false;
    }
    when.choice = oracle_id_table_find(&reader->choices, id);
    if (when.choice == ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, value[0],
                          "names no choice: %" PRId64, id);
        return false;
    }
    oracle_when *kept = ORACLE_PUSH(reader, whens, when_count);
    if (kept == NULL) {
        return false;
    }
    *kept = when;
    return true;
}

bool oracle_read_whens(oracle_reader *reader, uint32_t list, uint32_t *first,
                       uint32_t *count)
{
    uint32_t at;
    uint32_t end;
    *first = reader->document->when_count;
    if (!oracle_reader_list(reader, list, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_when(reader, at)) {
            return false;
        }
    }
    *count = reader->document->when_count - *first;
    return true;
}

static bool read_clash(oracle_reader *reader, uint32_t node)
{
    oracle_clash clash;
    if (!oracle_read_whens(reader, node, &clash.first_when, &clash.whens)) {
        return false;
    }
    oracle_clash *kept = ORACLE_PUSH(reader, clashes, clash_count);
    if (kept == NULL) {
        return false;
    }
    *kept = clash;
    return true;
}

bool oracle_read_impossible(oracle_reader *reader, uint32_t list)
{
    return oracle_reader_each(reader, list, read_clash);
}

static bool read_dep(oracle_reader *reader, uint32_t node)
{
    static const oracle_fields fields = {
        "tasks[].deps[]",
        4,
        {ORACLE_FIELD("task"), ORACLE_FIELD("name"), ORACLE_FIELD("cause"),
         ORACLE_FIELD("when")}};
    static const char *const causes[] = {"dead", "reused", "none", NULL};
    uint32_t value[4];
    oracle_dep dep = {.task = ORACLE_NONE, .name = {"", 0, false}};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_opt_text(reader, value[1], &dep.name) ||
        !oracle_read_whens(reader, value[3], &dep.first_when, &dep.whens)) {
        return false;
    }
    if (!oracle_reader_absent(reader, value[0])) {
        if (!oracle_reader_int(reader, value[0], &dep.id)) {
            return false;
        }
        dep.cause = ORACLE_DEP_TASK; /* which one, when all are known */
    } else {
        uint32_t index = 2;
        if (!oracle_reader_absent(reader, value[2]) &&
            !oracle_reader_word(reader, value[2], causes,
                                "dead, reused or none", &index)) {
            return false;
        }
        dep.cause = (oracle_dep_cause)(index + ORACLE_DEP_DEAD);
    }
    oracle_dep *kept = ORACLE_PUSH(reader, deps, dep_count);
    if (kept == NULL) {
        return false;
    }
    *kept = dep;
    return true;
}

static bool read_conditions(oracle_reader *reader, uint32_t when, uint32_t deps,
                            oracle_task *task)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_read_whens(reader, when, &task->first_when, &task->whens)) {
        return false;
    }
    task->first_dep = reader->document->dep_count;
    if (!oracle_reader_list(reader, deps, &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_dep(reader, at)) {
            return false;
        }
    }
    task->deps = reader->document->dep_count - task->first_dep;
    return true;
}

static bool is_operator(oracle_text text)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (strcmp(text.data, operators[i]) == 0) {
            return text.present;
        }
    }
    return false;
}

static bool read_predicate(oracle_reader *reader, uint32_t node,
                           oracle_task *task)
{
    enum { P_BUFFER, P_REGION, P_OP, P_VALUE };
    static const oracle_fields fields = {
        "tasks[].predicate",
        4,
        {ORACLE_FIELD("buffer"), ORACLE_FIELD("region"), ORACLE_FIELD("op"),
         ORACLE_FIELD("value")}};
    uint32_t value[4];
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    oracle_test *test = oracle_arena_alloc(reader->arena, sizeof *test);
    if (test == NULL) {
        return oracle_reader_memory(reader);
    }
    test->op = (oracle_text){"", 0, false};
    task->has_predicate = true;
    task->predicate_test = test;
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_opt_text(reader, value[P_OP], &test->op) ||
        !oracle_reader_opt_int(reader, value[P_VALUE], &test->value)) {
        return false;
    }
    if (oracle_reader_absent(reader, value[P_BUFFER])) {
        return true;
    }
    if (!oracle_read_buffer_key(reader, value[P_BUFFER],
                                &task->predicate_buffer)) {
        return false;
    }
    task->predicate_formed =
        is_operator(test->op) && !oracle_reader_absent(reader, value[P_VALUE]);
    if (oracle_reader_absent(reader, value[P_REGION])) {
        return true;
    }
    oracle_place whole = {task->predicate_buffer, ORACLE_NONE};
    oracle_place part = whole;
    bool read =
        oracle_read_region(reader, value[P_REGION], "tasks[].predicate.region",
                           &part.region, NULL);
    task->predicate_region = part.region;
    return read && oracle_read_within(reader, value[P_REGION], part, whole,
                                      "the buffer");
}

enum {
    ID,
    NAME,
    CORE,
    BLOCKS,
    SYNC_START,
    SCOPE,
    DUMMY,
    EARLY,
    LINE,
    WHEN,
    DEPS,
    PREDICATE,
    ARGS
};

static const oracle_fields task_fields = {
    "tasks[]",
    13,
    {ORACLE_FIELD("id"), ORACLE_FIELD("name"), ORACLE_FIELD("core"),
     ORACLE_FIELD("blocks"), ORACLE_FIELD("sync_start"), ORACLE_FIELD("scope"),
     ORACLE_FIELD("dummy"), ORACLE_FIELD("early"), ORACLE_FIELD("line"),
     ORACLE_FIELD("when"), ORACLE_FIELD("deps"), ORACLE_FIELD("predicate"),
     ORACLE_FIELD("args")}};

static bool read_blocks(oracle_reader *reader, const uint32_t *value,
                        oracle_task *task)
{
    if (value[BLOCKS] == ORACLE_NONE) {
        return true;
    }
    task->blocks = 0;
    return oracle_reader_absent(reader, value[BLOCKS]) ||
           (oracle_reader_int(reader, value[BLOCKS], &task->blocks) &&
            oracle_reader_least(reader, value[BLOCKS], task->blocks, 1));
}

static bool read_scope(oracle_reader *reader, uint32_t node, oracle_task *task)
{
    int64_t id;
    if (oracle_reader_absent(reader, node)) {
        return true;
    }
    if (!oracle_reader_int(reader, node, &id)) {
        return false;
    }
    task->scope = oracle_id_table_find(&reader->scopes, id);
    if (task->scope == ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "names no scope: %" PRId64, id);
        return false;
    }
    return true;
}

static bool new_task(oracle_reader *reader, uint32_t node, uint32_t id_node)
{
    static const oracle_text none = {"", 0, false};
    int64_t id;
    if (!oracle_reader_need(reader, node, id_node, "id") ||
        !oracle_reader_int(reader, id_node, &id) ||
        !oracle_reader_least(reader, id_node, id, 0)) {
        return false;
    }
    oracle_reader_id kept = oracle_reader_keep_task(reader, id);
    if (kept == ORACLE_ID_REPEATED) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, id_node,
                          "is the id of another task, too: %" PRId64, id);
    }
    if (kept != ORACLE_ID_NEW) {
        return false;
    }
    oracle_task *task = ORACLE_PUSH(reader, tasks, task_count);
    if (task == NULL) {
        return false;
    }
    *task = (oracle_task){.id = id,
                          .blocks = 1,
                          .scope = ORACLE_NONE,
                          .name = none,
                          .core = none,
                          .predicate_buffer = ORACLE_NONE,
                          .predicate_region = ORACLE_NONE};
    return true;
}

/* All but the id. */
static bool read_fields(oracle_reader *reader, const uint32_t *value)
{
    uint32_t index = reader->document->task_count - 1;
    oracle_task *task = &reader->document->tasks[index];
    reader->task = index;
    return oracle_reader_opt_text(reader, value[NAME], &task->name) &&
           oracle_reader_opt_text(reader, value[CORE], &task->core) &&
           read_blocks(reader, value, task) &&
           oracle_reader_opt_bool(reader, value[SYNC_START],
                                  &task->sync_start) &&
           read_scope(reader, value[SCOPE], task) &&
           oracle_reader_opt_bool(reader, value[DUMMY], &task->dummy) &&
           oracle_reader_opt_bool(reader, value[EARLY], &task->early) &&
           oracle_reader_opt_int(reader, value[LINE], &task->line) &&
           read_conditions(reader, value[WHEN], value[DEPS], task) &&
           read_predicate(reader, value[PREDICATE], task) &&
           read_args(reader, value[ARGS], task);
}

/*
 * A fault of an id comes before all other faults of tasks, so behind one of
 * these the ids that are left are looked at, too. Always false.
 */
static bool fail_task(oracle_reader *reader, oracle_json_items *items)
{
    static const oracle_fields fields = {"", 1, {ORACLE_FIELD("id")}};
    oracle_error error = *reader->error;
    if (error.status == ORACLE_NO_MEMORY) {
        return false;
    }
    reader->lenient = true;
    while (oracle_json_item(reader->json, items)) {
        uint32_t id;
        if (!oracle_reader_fields(reader, items->node, &fields, &id) ||
            !new_task(reader, items->node, id)) {
            return false;
        }
    }
    *reader->error = error;
    return false;
}

/* Tasks may name later ones, so it is looked up when all are known. */
static void find_deps(oracle_reader *reader)
{
    oracle_document *d = reader->document;
    for (uint32_t i = 0; i < d->dep_count; i++) {
        if (d->deps[i].cause == ORACLE_DEP_TASK) {
            d->deps[i].task = oracle_reader_task(reader, d->deps[i].id);
        }
    }
}

bool oracle_read_tasks(oracle_reader *reader, uint32_t list)
{
    oracle_json_items items;
    if (!oracle_reader_items(reader, list, &items)) {
        return false;
    }
    while (oracle_json_item(reader->json, &items)) {
        uint32_t value[13];
        if (!oracle_reader_fields(reader, items.node, &task_fields, value) ||
            !new_task(reader, items.node, value[ID])) {
            return false;
        }
        if (!read_fields(reader, value)) {
            return fail_task(reader, &items);
        }
    }
    reader->task = ORACLE_NONE;
    find_deps(reader);
    return !items.failed || oracle_reader_memory(reader);
}
