/* handle.*: a PlanHandle against its Score (spec 04). */
#include "score_view.h"

#include "bindings.h"
#include "canonical.h"

#include <inttypes.h>
#include <string.h>

typedef struct handle {
    oracle_judging *judging;
    const oracle_score_view *view;
    const oracle_json *json;
    uint32_t root;
    oracle_table registry; /* names to entries */
    const oracle_bindings *bindings;
} handle;

static bool report(handle *h, const char *rule, uint32_t node, uint32_t task,
                   uint32_t arg, const char *text, const char *detail)
{
    const char *name =
        task == ORACLE_NONE
            ? ""
            : oracle_tell_task(h->judging->arena, h->view->document, task);
    return name != NULL && detail != NULL &&
           oracle_judging_report(h->judging, rule, ORACLE_ERROR, node, task,
                                 arg, text, name, detail);
}

/* --- The registry --- */

static bool check_entry(handle *h, uint32_t node)
{
    oracle_arena *arena = h->judging->arena;
    uint32_t name = oracle_json_member(h->json, node, "name");
    uint32_t id_node = oracle_json_member(h->json, node, "sonata_func_id");
    size_t length;
    int64_t id = -1, own = -1;
    char *text = oracle_node_text(h->json, name, &length, arena);
    const char *told = oracle_tell_value(arena, h->json, name);
    oracle_slot *slot =
        text == NULL ? NULL : oracle_table_slot(&h->registry, text, length);
    if (slot == NULL || told == NULL) {
        return false;
    }
    if (slot->data != NULL) {
        return report(h, "handle.func-id", node, ORACLE_NONE, ORACLE_NONE,
                      "the registry has %sthe name %s twice: keep one entry.",
                      told);
    }
    *slot = (oracle_slot){text, (uint32_t)length, node};
    uint32_t task = oracle_table_find(&h->view->by_name, text, length);
    if (task == ORACLE_NONE) {
        return report(h, "handle.func-unreferenced", node, ORACLE_NONE,
                      ORACLE_NONE,
                      "the registry has %s%s, which is the name of no task: "
                      "take the entry away.",
                      told);
    }
    uint32_t own_node =
        oracle_json_member(h->view->json, h->view->task_node[task], "func_id");
    oracle_json_int64(h->json, id_node, &id);
    oracle_json_int64(h->json, own_node, &own);
    return id == own ||
           report(h, "handle.func-id", id_node, task, ORACLE_NONE,
                  "the func id of %s in the registry is %s, which is not that "
                  "of the Score: take the Score's.",
                  oracle_tell_value(arena, h->json, id_node));
}

static bool check_registry(handle *h)
{
    uint32_t list = oracle_json_member(h->json, h->root, "func_registry");
    uint32_t *nodes, count;
    if (!oracle_list_nodes(h->json, list, &nodes, &count, h->judging->arena)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!check_entry(h, nodes[i])) {
            return false;
        }
    }
    return true;
}

/* Each name once: the tasks of one name have the same fault. */
static bool check_task_name(handle *h, uint32_t task, oracle_id_table *said)
{
    const oracle_score_view *v = h->view;
    const oracle_text *name = &v->document->tasks[task].name;
    uint32_t first = oracle_table_find(&v->by_name, name->data, name->length);
    int64_t own = 0, other = 0;
    oracle_json_int64(
        v->json, oracle_json_member(v->json, v->task_node[task], "func_id"),
        &own);
    oracle_json_int64(
        v->json, oracle_json_member(v->json, v->task_node[first], "func_id"),
        &other);
    if (first == task) {
        return oracle_table_find(&h->registry, name->data, name->length) !=
                   ORACLE_NONE ||
               report(h, "handle.func-missing", ORACLE_NONE, task, ORACLE_NONE,
                      "the callee of %s is not in the registry%s: add it.", "");
    }
    oracle_id_slot *slot = oracle_id_table_slot(said, first);
    if (slot == NULL) {
        return false;
    }
    if (own == other || slot->value != ORACLE_NONE) {
        return true;
    }
    slot->value = task;
    return report(h, "handle.func-id", ORACLE_NONE, task, ORACLE_NONE,
                  "%s has another func id than the first task of its name%s, "
                  "and the registry can hold one: give the functions names of "
                  "their own.",
                  "");
}

static bool check_names(handle *h)
{
    const oracle_document *d = h->view->document;
    oracle_id_table said = {0};
    bool ok = true;
    for (uint32_t t = 0; ok && t < d->task_count; t++) {
        ok = !d->tasks[t].name.present || check_task_name(h, t, &said);
    }
    oracle_id_table_free(&said);
    return ok;
}

/* --- Bindings --- */

/* Null, and nothing, where the list ends before. */
static bool same_key(const handle *h, uint32_t own, uint32_t bound, bool *same)
{
    bool no_own =
        own == ORACLE_NONE || h->json->nodes[own].type == ORACLE_JSON_NULL;
    bool no_bound =
        bound == ORACLE_NONE || h->json->nodes[bound].type == ORACLE_JSON_NULL;
    *same = no_own && no_bound;
    return no_own || no_bound ||
           oracle_canon_same(h->json, own, h->json, bound, same);
}

static bool same_direction(const handle *h, uint32_t own, uint32_t bound,
                           bool *same)
{
    char a[ORACLE_TOKEN] = "input", b[ORACLE_TOKEN] = "input";
    *same = true;
    if (own == ORACLE_NONE || bound == ORACLE_NONE) {
        if (own != ORACLE_NONE) {
            *same = oracle_direction_token(h->json, own, a);
        }
        if (bound != ORACLE_NONE) {
            *same = oracle_direction_token(h->json, bound, b);
        }
        *same = *same && strcmp(a, b) == 0;
        return true;
    }
    if (oracle_direction_token(h->json, own, a) &&
        oracle_direction_token(h->json, bound, b)) {
        *same = strcmp(a, b) == 0;
        return true;
    }
    return oracle_canon_same(h->json, own, h->json, bound, same);
}

static bool check_binding(handle *h, const oracle_binding *b)
{
    oracle_arena *arena = h->judging->arena;
    uint32_t key = b->key, way = b->direction;
    bool same;
    if (b->arg == ORACLE_NONE) {
        const char *text =
            b->task == ORACLE_NONE
                ? "%sa binding of the handle is for the task %s, which the "
                  "Score does not have: take it away."
                : "a binding of the handle is for an argument of %s that the "
                  "Score does not have, number %s: take it away.";
        uint32_t named = oracle_json_member(
            h->json, b->node, b->task == ORACLE_NONE ? "task_id" : "arg_index");
        return report(h, "handle.binding-argument", b->node, b->task,
                      ORACLE_NONE, text,
                      oracle_tell_value(arena, h->json, named));
    }
    if (!same_key(h, b->own_key, key, &same)) {
        return false;
    }
    if (!same &&
        !report(h, "handle.binding-key", b->node, b->task, b->arg,
                "the binding of an argument of %s names the storage %s, which "
                "is not that of the Score: make the handle anew.",
                oracle_tell_value(arena, h->json, key))) {
        return false;
    }
    if (!same_direction(h, b->own_direction, way, &same)) {
        return false;
    }
    return same ||
           report(h, "handle.binding-direction", b->node, b->task, b->arg,
                  "the binding of an argument of %s has the direction %s, "
                  "which is not that of the Score: make the handle anew.",
                  oracle_tell_value(arena, h->json, way));
}

static bool check_bindings(handle *h)
{
    for (uint32_t i = 0; i < h->bindings->count; i++) {
        if (!check_binding(h, &h->bindings->list[i])) {
            return false;
        }
    }
    const oracle_document *d = h->view->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
            if (arg->kind == ORACLE_ARG_BUFFER && arg->has_access &&
                oracle_bindings_find(h->bindings, t, a) == ORACLE_NONE &&
                !report(h, "handle.binding-missing", ORACLE_NONE, t, a,
                        "an argument of %s is memory (%s) and has no binding: "
                        "bind it.",
                        d->buffers[arg->buffer].key.data)) {
                return false;
            }
        }
    }
    return true;
}

static bool check_version(handle *h)
{
    int64_t version = 1;
    uint32_t node =
        oracle_json_member(h->json, h->root, "runtime_contract_version");
    if (node != ORACLE_NONE) {
        oracle_json_int64(h->json, node, &version);
    }
    return version == 1 || oracle_judging_report(
                               h->judging, "handle.contract-version",
                               ORACLE_ERROR, node, ORACLE_NONE, ORACLE_NONE,
                               "the handle is for the runtime contract %" PRId64
                               ", known is 1: make it anew.",
                               version);
}

bool oracle_judge_handle(oracle_judging *judging, oracle_score_view *view,
                         const oracle_bindings *bindings)
{
    handle h = {.judging = judging,
                .view = view,
                .bindings = bindings,
                .json = view->json,
                .root = judging->members->node[ORACLE_ROLE_HANDLE]};
    if (h.root == ORACLE_NONE) {
        return true;
    }
    bool ok = oracle_judge_recorded(
                  judging, view,
                  oracle_json_member(h.json, h.root, "score_fingerprint"),
                  "the handle") &&
              check_version(&h);
    if (ok && view->document->ambiguous) {
        return oracle_judging_undecided(
            judging, "the PlanHandle: two tasks of the Score have one id");
    }
    ok = ok && check_registry(&h) && check_names(&h) && check_bindings(&h);
    oracle_table_free(&h.registry);
    return ok;
}
