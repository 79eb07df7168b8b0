/* hbg.*: a host_build_graph plan against Score and PlanHandle (spec 04). */
#include "score_view.h"

#include "bindings.h"
#include "canonical.h"

#include <inttypes.h>
#include <string.h>

typedef struct plan {
    oracle_judging *judging;
    const oracle_score_view *view;
    const oracle_json *json;
    uint32_t root, handle; /* handle: ORACLE_NONE when there is none */
    const oracle_bindings *bindings;
    oracle_table runtime; /* names to the node of their bound id */
} plan;

static uint32_t member(const plan *p, uint32_t object, const char *name)
{
    return oracle_json_member(p->json, object, name);
}

static bool is_null(const plan *p, uint32_t node)
{
    return node == ORACLE_NONE || p->json->nodes[node].type == ORACLE_JSON_NULL;
}

/* Whether two values are equal; nothing and null are. */
static bool same(const plan *p, uint32_t a, uint32_t b, bool *equal)
{
    *equal = is_null(p, a) && is_null(p, b);
    return is_null(p, a) || is_null(p, b) ||
           oracle_canon_same(p->json, a, p->json, b, equal);
}

/* --- Metadata --- */

static bool report_metadata(plan *p, uint32_t node, const char *text,
                            const char *name, const char *found,
                            const char *wanted)
{
    return found != NULL && wanted != NULL &&
           oracle_judging_report(p->judging, "hbg.metadata", ORACLE_ERROR, node,
                                 ORACLE_NONE, ORACLE_NONE, text, name, found,
                                 wanted);
}

/* What the handle has for a field of the metadata; ORACLE_NONE: a default. */
static uint32_t handle_field(const plan *p, const char *name)
{
    uint32_t node = member(p, p->handle, name);
    if (strcmp(name, "runtime_target") == 0) {
        node = member(p, node, "runtime");
    }
    return is_null(p, node) ? ORACLE_NONE : node;
}

/* `otherwise`: the default, as canonical JSON; NULL: there is none. */
static bool check_field(plan *p, const char *name, const char *otherwise)
{
    oracle_arena *arena = p->judging->arena;
    uint32_t metadata = member(p, p->root, "metadata");
    uint32_t found = member(p, metadata, name);
    uint32_t wanted = handle_field(p, name);
    if (found == ORACLE_NONE) {
        return report_metadata(p, metadata,
                               "the metadata of the host_build_graph plan has "
                               "no %s%s%s: generate the plan anew.",
                               name, "", "");
    }
    const char *told = oracle_tell_value(arena, p->json, found);
    bool equal = true;
    if (told == NULL) {
        return false;
    }
    if (wanted != ORACLE_NONE) {
        otherwise = oracle_tell_value(arena, p->json, wanted);
        if (!same(p, wanted, found, &equal)) {
            return false;
        }
    } else if (otherwise != NULL) {
        equal = strcmp(told, otherwise) == 0;
    }
    return equal ||
           report_metadata(p, found,
                           "%s is %s in the host_build_graph plan, by the "
                           "handle it is %s: generate the plan anew.",
                           name, told, otherwise);
}

/* A fingerprint that is there is compared with the Score's. */
static bool check_metadata(plan *p)
{
    uint32_t metadata = member(p, p->root, "metadata");
    bool handle = p->handle != ORACLE_NONE;
    return (member(p, metadata, "score_fingerprint") != ORACLE_NONE ||
            check_field(p, "score_fingerprint", NULL)) &&
           check_field(p, "source_adapter",
                       handle ? "\"post_simplify\"" : NULL) &&
           check_field(p, "runtime_contract_version", handle ? "1" : NULL) &&
           check_field(p, "runtime_target",
                       handle ? "\"tensormap_and_ringbuffer\"" : NULL) &&
           check_field(p, "schema_version", handle ? "1" : NULL);
}

/* --- The task table --- */

static bool index_runtime_ids(plan *p)
{
    uint32_t list = member(p, p->handle, "func_registry");
    uint32_t *nodes, count;
    if (!oracle_list_nodes(p->json, list, &nodes, &count, p->judging->arena)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = member(p, nodes[i], "runtime_func_id");
        size_t length;
        char *name = oracle_node_text(p->json, member(p, nodes[i], "name"),
                                      &length, p->judging->arena);
        oracle_slot *slot = NULL;
        if (is_null(p, id)) {
            continue;
        }
        if (name != NULL) {
            slot = oracle_table_slot(&p->runtime, name, length);
        }
        if (slot == NULL) {
            return false;
        }
        *slot = (oracle_slot){name, (uint32_t)length, id};
    }
    return true;
}

static bool report_row(plan *p, const char *rule, uint32_t node, uint32_t task,
                       const char *what, uint32_t found, uint32_t wanted)
{
    oracle_arena *arena = p->judging->arena;
    const char *name = oracle_tell_task(arena, p->view->document, task);
    const char *a = oracle_tell_value(arena, p->json, found);
    const char *b = oracle_tell_value(arena, p->json, wanted);
    return name != NULL && a != NULL && b != NULL &&
           oracle_judging_report(
               p->judging, rule, ORACLE_ERROR, node, task, ORACLE_NONE,
               "%s of %s is %s in the host_build_graph plan, by Score and "
               "handle it is %s: generate the plan anew.",
               what, name, a, b);
}

static bool check_fields(plan *p, uint32_t task, uint32_t row)
{
    enum { CORE, FUNC, NAME, ID, COUNT };
    static const char *const names[] = {"core_type", "func_id", "name",
                                        "task_id"};
    static const int order[] = {ID, CORE, NAME, FUNC};
    const oracle_score_view *v = p->view;
    const oracle_text *name = &v->document->tasks[task].name;
    uint32_t wanted[COUNT], found[COUNT];
    oracle_json_members(p->json, v->task_node[task], names, COUNT, wanted);
    oracle_json_members(p->json, row, names, COUNT, found);
    if (name->present) {
        uint32_t bound =
            oracle_table_find(&p->runtime, name->data, name->length);
        wanted[FUNC] = bound == ORACLE_NONE ? wanted[FUNC] : bound;
    }
    for (size_t i = 0; i < COUNT; i++) {
        int f = order[i];
        bool equal;
        if (!same(p, wanted[f], found[f], &equal)) {
            return false;
        }
        if (!equal) {
            return report_row(p, "hbg.task",
                              found[f] == ORACLE_NONE ? row : found[f], task,
                              names[f], found[f], wanted[f]);
        }
    }
    return true;
}

static bool is_scalar(const plan *p, uint32_t task, uint32_t arg)
{
    char token[ORACLE_TOKEN];
    uint32_t number = p->view->document->tasks[task].first_arg + arg;
    uint32_t node = p->view->direction_node[number];
    return node != ORACLE_NONE && !is_null(p, p->view->arg_node[number]) &&
           oracle_direction_token(p->json, node, token) &&
           strcmp(token, "scalar") == 0;
}

static bool report_lost(plan *p, uint32_t node, uint32_t task, uint32_t arg)
{
    oracle_arena *arena = p->judging->arena;
    uint32_t number = p->view->document->tasks[task].first_arg + arg;
    const char *name = oracle_tell_task(arena, p->view->document, task);
    const char *value =
        oracle_tell_value(arena, p->json, p->view->arg_node[number]);
    return name != NULL && value != NULL &&
           oracle_judging_report(
               p->judging, "hbg.scalar-lost", ORACLE_ERROR, node, task, arg,
               "the scalar %s of %s (argument %u) is null in the "
               "host_build_graph plan, so that the task never gets it: bind "
               "the argument in the handle.",
               value, name, (unsigned)arg);
}

static bool check_arg(plan *p, uint32_t task, uint32_t arg, uint32_t node)
{
    uint32_t b = oracle_bindings_find(p->bindings, task, arg);
    uint32_t wanted =
        b == ORACLE_NONE ? ORACLE_NONE : p->bindings->list[b].runtime_handle;
    bool equal = true;
    if (p->handle != ORACLE_NONE && !same(p, wanted, node, &equal)) {
        return false;
    }
    if (!equal && !report_row(p, "hbg.args", node, task, "a runtime argument",
                              node, wanted)) {
        return false;
    }
    return !is_null(p, node) || !is_null(p, wanted) ||
           !is_scalar(p, task, arg) || report_lost(p, node, task, arg);
}

static bool check_row(plan *p, uint32_t task, uint32_t row)
{
    uint32_t list = member(p, row, "runtime_args");
    uint32_t at = list + 1, end = oracle_json_next(p->json, list), arg = 0;
    uint32_t count = p->view->document->tasks[task].args;
    if (!check_fields(p, task, row)) {
        return false;
    }
    for (; at < end && arg < count; at = oracle_json_next(p->json, at), arg++) {
        if (!check_arg(p, task, arg, at)) {
            return false;
        }
    }
    if (arg == count && at >= end) {
        return true;
    }
    const char *name =
        oracle_tell_task(p->judging->arena, p->view->document, task);
    return name != NULL &&
           oracle_judging_report(
               p->judging, "hbg.args", ORACLE_ERROR, list, task, ORACLE_NONE,
               "%s has %u arguments, in the host_build_graph "
               "plan there are %s: generate the plan anew.",
               name, (unsigned)count, at < end ? "more" : "fewer");
}

static bool check_tasks(plan *p)
{
    uint32_t list = member(p, p->root, "tasks");
    uint32_t *rows, count, tasks = p->view->document->task_count;
    if (!oracle_list_nodes(p->json, list, &rows, &count, p->judging->arena)) {
        return false;
    }
    for (uint32_t t = 0; t < tasks && t < count; t++) {
        if (!check_row(p, t, rows[t])) {
            return false;
        }
    }
    return count == tasks ||
           oracle_judging_report(
               p->judging, "hbg.task", ORACLE_ERROR, list, ORACLE_NONE,
               ORACLE_NONE,
               "the host_build_graph plan has %u tasks where the Score has %u: "
               "generate the plan anew.",
               (unsigned)count, (unsigned)tasks);
}

/* --- The edge table --- */

static bool same_edge(const plan *p, uint32_t a, uint32_t b)
{
    static const char *const ends[] = {"consumer", "producer"};
    uint32_t own[2], other[2];
    bool equal = true;
    oracle_json_members(p->json, a, ends, 2, own);
    oracle_json_members(p->json, b, ends, 2, other);
    for (size_t i = 0; i < 2; i++) {
        int64_t x = 0, y = 0;
        oracle_json_int64(p->json, own[i], &x);
        oracle_json_int64(p->json, other[i], &y);
        equal = equal && x == y;
    }
    return equal;
}

static bool check_edges(plan *p)
{
    uint32_t own = member(p, p->root, "edges");
    uint32_t deps = member(p, p->view->root, "dependencies");
    uint32_t *found, *wanted, found_count, wanted_count, i = 0;
    oracle_arena *arena = p->judging->arena;
    if (!oracle_list_nodes(p->json, own, &found, &found_count, arena) ||
        !oracle_list_nodes(p->json, deps, &wanted, &wanted_count, arena)) {
        return false;
    }
    while (i < found_count && i < wanted_count &&
           same_edge(p, found[i], wanted[i])) {
        i++;
    }
    if (i == found_count && i == wanted_count) {
        return true;
    }
    const char *a = oracle_tell_value(
        arena, p->json, i < wanted_count ? wanted[i] : ORACLE_NONE);
    const char *b = oracle_tell_value(arena, p->json,
                                      i < found_count ? found[i] : ORACLE_NONE);
    return a != NULL && b != NULL &&
           oracle_judging_report(
               p->judging, "hbg.edges", ORACLE_ERROR,
               i < found_count ? found[i] : own, ORACLE_NONE, ORACLE_NONE,
               "the host_build_graph plan has %u edges, the Score %u; at "
               "number %u the Score has %s, the plan %s: generate the plan "
               "anew.",
               (unsigned)found_count, (unsigned)wanted_count, (unsigned)i, a,
               b);
}

bool oracle_judge_hbg(oracle_judging *judging, oracle_score_view *view,
                      const oracle_bindings *bindings)
{
    plan p = {.judging = judging,
              .view = view,
              .bindings = bindings,
              .json = view->json,
              .root = judging->members->node[ORACLE_ROLE_HBG],
              .handle = judging->members->node[ORACLE_ROLE_HANDLE]};
    if (p.root == ORACLE_NONE) {
        return true;
    }
    uint32_t metadata = member(&p, p.root, "metadata");
    if (!oracle_judge_recorded(judging, view,
                               member(&p, metadata, "score_fingerprint"),
                               "the host_build_graph plan")) {
        return false;
    }
    if (view->document->ambiguous) {
        return oracle_judging_undecided(
            judging,
            "the host_build_graph plan: two tasks of the Score have one id");
    }
    bool ok = index_runtime_ids(&p) && check_metadata(&p) && check_tasks(&p) &&
              check_edges(&p);
    oracle_table_free(&p.runtime);
    if (ok && p.handle == ORACLE_NONE) {
        ok = oracle_judging_undecided(
            judging, "what the host_build_graph plan takes from its "
                     "PlanHandle, which the bundle does not have");
    }
    return ok;
}
