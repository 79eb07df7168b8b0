/* The automatic edges of the runtime: rules 1 to 9 of spec 07. */
#include "derive.h"
#include "tensor.h"

#include <stdlib.h>

/* Arguments of one base address are one group: the text, else the storage. */
static bool group_of_arg(oracle_deriver *deriver, const oracle_arg *arg,
                         uint32_t *group)
{
    const oracle_document *document = deriver->document;
    oracle_text address = oracle_arg_identity(arg).base_address;
    if (!address.present) {
        *group = document->buffers[arg->buffer].storage;
        return true;
    }
    oracle_slot *slot =
        oracle_table_slot(&deriver->addresses, address.data, address.length);
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot =
            (oracle_slot){address.data, address.length, deriver->group_count++};
    }
    *group = slot->value;
    return true;
}

bool oracle_tensormap_start(oracle_deriver *deriver)
{
    const oracle_document *document = deriver->document;
    deriver->group_count = document->buffer_count;
    for (uint32_t i = 0; i < document->arg_count; i++) {
        uint32_t group;
        if (document->args[i].kind == ORACLE_ARG_BUFFER &&
            !group_of_arg(deriver, &document->args[i], &group)) {
            return false;
        }
    }
    deriver->groups =
        calloc((size_t)deriver->group_count + 1, sizeof *deriver->groups);
    if (deriver->groups == NULL) {
        deriver->group_count = 0;
        return false;
    }
    for (uint32_t i = 0; i < document->task_count; i++) {
        oracle_id_slot *slot =
            oracle_id_table_slot(&deriver->ids, document->tasks[i].id);
        if (slot == NULL) {
            return false;
        }
        slot->value = i;
    }
    return true;
}

static bool read_id(oracle_text text, int64_t *id)
{
    *id = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' ||
            __builtin_mul_overflow(*id, 10, id) ||
            __builtin_add_overflow(*id, text.data[i] - '0', id)) {
            return false;
        }
    }
    return text.length > 0;
}

/* The task that allocated the tensor, or ORACLE_NONE. */
static uint32_t creator_of(const oracle_deriver *deriver, const oracle_arg *arg)
{
    const oracle_buffer *buffer = &deriver->document->buffers[arg->buffer];
    int64_t id = buffer->creator;
    if (id < 0) {
        id = deriver->document->buffers[buffer->storage].creator;
    }
    oracle_text owner = oracle_arg_identity(arg).owner;
    if (owner.present && !read_id(owner, &id)) {
        return ORACLE_NONE;
    }
    return id < 0 ? ORACLE_NONE : oracle_id_table_find(&deriver->ids, id);
}

/* Rule 3. */
static bool creator_edge(oracle_deriver *deriver, uint32_t task, uint32_t arg)
{
    const oracle_document *document = deriver->document;
    const oracle_arg *a =
        &document->args[document->tasks[task].first_arg + arg];
    if (a->kind != ORACLE_ARG_BUFFER || a->dispatch == ORACLE_OUTPUT ||
        a->dispatch == ORACLE_UNKNOWN_DISPATCH) {
        return true;
    }
    uint32_t creator = creator_of(deriver, a);
    if (creator == ORACLE_NONE || creator == task ||
        !oracle_tasks_together(document, creator, task)) {
        return true;
    }
    oracle_edge edge = {.from = creator,
                        .to = task,
                        .source = ORACLE_AUTOMATIC,
                        .kind = oracle_kind_creator,
                        .certain = true,
                        .from_arg = ORACLE_NONE,
                        .to_arg = arg};
    return oracle_derive_edge(deriver, &edge);
}

/*
 * Views of one base address that start at one element always overlap: a count
 * of those alone, without removals, says before the work that the edges are
 * too many.
 */
typedef struct start_key {
    int64_t group, start;
} start_key;

/* The writers of one start since an inout of its group may have removed any. */
typedef struct start_count {
    uint32_t writers, last, removals;
} start_count;

typedef struct bound {
    oracle_deriver *deriver;
    oracle_table starts;
    start_key *keys; /* by argument */
    start_count *counts;
    uint32_t *removals; /* by group */
    uint64_t edges;
} bound;

/* Where the argument starts, in elements; false: it is not counted. */
static bool start_of(bound *b, uint32_t index, start_count **count, bool *ok)
{
    const oracle_document *document = b->deriver->document;
    const oracle_arg *a = &document->args[index];
    uint32_t group = 0;
    if (oracle_arg_opted_out(document, a) || a->view == ORACLE_NONE ||
        oracle_place_extent(document, (oracle_place){a->buffer, a->view}) !=
            ORACLE_EXTENT_CONSTANT) {
        return false;
    }
    oracle_span span = oracle_tensor_span(document, a);
    *ok = *ok && group_of_arg(b->deriver, a, &group);
    if (!span.bounded || !*ok) {
        return false;
    }
    b->keys[index] = (start_key){group, span.begin};
    const char *data = (const char *)&b->keys[index];
    oracle_slot *slot = oracle_table_slot(&b->starts, data, sizeof *b->keys);
    if (slot == NULL) {
        *ok = false;
        return false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){data, sizeof *b->keys, index};
    }
    *count = &b->counts[slot->value];
    if ((*count)->removals != b->removals[group]) {
        **count = (start_count){0, ORACLE_NONE, b->removals[group]};
    }
    return true;
}

static bool count_task(bound *b, uint32_t task)
{
    const oracle_document *document = b->deriver->document;
    const oracle_task *t = &document->tasks[task];
    uint32_t most = 0;
    bool ok = true;
    start_count *count;
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        oracle_dispatch dispatch = document->args[i].dispatch;
        if ((dispatch == ORACLE_INPUT || dispatch == ORACLE_INOUT) &&
            start_of(b, i, &count, &ok) && count->writers > most) {
            most = count->writers;
        }
    }
    b->edges += most;
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        const oracle_arg *a = &document->args[i];
        uint32_t group;
        if (a->dispatch == ORACLE_INOUT && !oracle_arg_opted_out(document, a)) {
            ok = ok && group_of_arg(b->deriver, a, &group);
            b->removals[ok ? group : 0]++;
        }
    }
    for (uint32_t i = t->first_arg; i < t->first_arg + t->args; i++) {
        oracle_dispatch dispatch = document->args[i].dispatch;
        if ((dispatch == ORACLE_OUTPUT_EXISTING || dispatch == ORACLE_INOUT) &&
            start_of(b, i, &count, &ok) &&
            (count->writers == 0 || count->last != task)) {
            count->writers++;
            count->last = task;
        }
    }
    return ok;
}

bool oracle_tensormap_least(oracle_deriver *deriver, uint64_t *edges)
{
    const oracle_document *document = deriver->document;
    size_t args = (size_t)document->arg_count + 1;
    bound b = {.deriver = deriver};
    b.keys = calloc(args, sizeof *b.keys);
    b.counts = calloc(args, sizeof *b.counts);
    b.removals = calloc((size_t)deriver->group_count + 1, sizeof *b.removals);
    bool ok = b.keys != NULL && b.counts != NULL && b.removals != NULL;
    for (uint32_t i = 0; ok && i < document->task_count; i++) {
        uint32_t scope = document->tasks[i].scope;
        bool manual = scope != ORACLE_NONE && document->scopes[scope].in_manual;
        /* What is not always submitted is left out. */
        ok = manual || document->tasks[i].whens > 0 || count_task(&b, i);
    }
    *edges = b.edges;
    free(b.keys);
    free(b.counts);
    free(b.removals);
    oracle_table_free(&b.starts);
    return ok;
}

/* A newer version meets all entries, wherever they are (rule 7). */
static bool find_entries(oracle_deriver *deriver, oracle_group *group,
                         const oracle_arg *arg)
{
    oracle_span span = oracle_tensor_span(deriver->document, arg);
    if (!span.bounded ||
        oracle_version_compare(oracle_arg_identity(arg).version,
                               group->least_version) > 0) {
        span = (oracle_span){true, INT64_MIN, INT64_MAX};
    }
    deriver->hits.count = 0;
    return oracle_intervals_find(&group->writers, span.begin, span.end,
                                 &deriver->hits);
}

/* Rules 4 to 7. */
static bool look_up(oracle_deriver *deriver, uint32_t task, uint32_t arg)
{
    const oracle_document *document = deriver->document;
    const oracle_task *t = &document->tasks[task];
    const oracle_arg *a = &document->args[t->first_arg + arg];
    uint32_t index;
    if (oracle_arg_opted_out(document, a) ||
        (a->dispatch != ORACLE_INPUT && a->dispatch != ORACLE_INOUT)) {
        return true;
    }
    if (!group_of_arg(deriver, a, &index)) {
        return false;
    }
    oracle_group *group = &deriver->groups[index];
    if (!find_entries(deriver, group, a)) {
        return false;
    }
    const oracle_arg *last = NULL;
    oracle_overlap overlap = {0};
    for (size_t i = 0; i < deriver->hits.count; i++) {
        oracle_entry *entry = deriver->hits.entry[i];
        const oracle_arg *writer = &document->args[entry->arg];
        if (last == NULL || !oracle_tensors_alike(document, last, writer)) {
            overlap = oracle_tensor_overlap(document, a, writer);
            last = writer;
        }
        if (overlap.relation == ORACLE_RELATION_NEVER ||
            !oracle_tasks_together(document, entry->task, task)) {
            continue;
        }
        oracle_edge edge = {
            .from = entry->task,
            .to = task,
            .source = ORACLE_AUTOMATIC,
            .kind = oracle_kind_data,
            .certain = overlap.relation == ORACLE_RELATION_ALWAYS,
            .from_arg = entry->arg - document->tasks[entry->task].first_arg,
            .to_arg = arg};
        if (!oracle_derive_edge(deriver, &edge)) {
            return false;
        }
        if (overlap.covers && a->dispatch == ORACLE_INOUT &&
            oracle_task_implied(document, entry->task, task)) {
            oracle_intervals_remove(&group->writers, entry);
        }
    }
    return true;
}

static bool enter(oracle_deriver *deriver, uint32_t task, uint32_t arg)
{
    const oracle_document *document = deriver->document;
    uint32_t index = document->tasks[task].first_arg + arg;
    const oracle_arg *a = &document->args[index];
    uint32_t at;
    if (oracle_arg_opted_out(document, a) ||
        (a->dispatch != ORACLE_OUTPUT_EXISTING &&
         a->dispatch != ORACLE_INOUT)) {
        return true;
    }
    if (!group_of_arg(deriver, a, &at)) {
        return false;
    }
    oracle_group *group = &deriver->groups[at];
    oracle_span span = oracle_tensor_span(document, a);
    if (!span.bounded) {
        span = (oracle_span){true, INT64_MIN, INT64_MAX};
    }
    oracle_text version = oracle_arg_identity(a).version;
    if (!group->least_version.present ||
        oracle_version_compare(version, group->least_version) < 0) {
        group->least_version = version;
    }
    oracle_entry entry = {span.begin, span.end, task, index, false};
    return oracle_intervals_add(&group->writers, &entry);
}

bool oracle_tensormap_task(oracle_deriver *deriver, uint32_t task)
{
    uint32_t args = deriver->document->tasks[task].args;
    for (uint32_t i = 0; i < args; i++) {
        if (!creator_edge(deriver, task, i) || !look_up(deriver, task, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < args; i++) {
        if (!enter(deriver, task, i)) {
            return false;
        }
    }
    return true;
}
