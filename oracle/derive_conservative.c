/*
 * The rule set `conservative`: an edge for every read after write, write
 * after write and write after read on bytes of the dispatched views. Entries
 * that a later write covers go: its edges imply theirs.
 */
#include "derive.h"

#include <stdlib.h>

/* Storages that may alias are looked up together. */
static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    uint32_t x = root_of(parent, a);
    uint32_t y = root_of(parent, b);
    if (x < y) {
        parent[y] = x;
    } else {
        parent[x] = y;
    }
}

static void make_groups(oracle_deriver *deriver)
{
    const oracle_document *document = deriver->document;
    uint32_t *parent = deriver->group_of;
    for (uint32_t i = 0; i < document->buffer_count; i++) {
        parent[i] = i;
    }
    for (uint32_t i = 0; i < document->buffer_count; i++) {
        const oracle_buffer *buffer = &document->buffers[i];
        unite(parent, i, buffer->storage);
        for (uint32_t k = 0; k < buffer->may_alias; k++) {
            unite(parent, i,
                  document->may_aliases[buffer->first_may_alias + k]);
        }
    }
    for (uint32_t i = 0; i < document->buffer_count; i++) {
        parent[i] = root_of(parent, i);
    }
}

bool oracle_conservative_start(oracle_deriver *deriver)
{
    const oracle_document *document = deriver->document;
    size_t count = document->buffer_count;
    deriver->group_of = calloc(count + 1, sizeof *deriver->group_of);
    deriver->groups = calloc(count + 1, sizeof *deriver->groups);
    if (deriver->group_of == NULL || deriver->groups == NULL) {
        return false;
    }
    deriver->group_count = document->buffer_count;
    make_groups(deriver);
    for (uint32_t i = 0; i < document->buffer_count; i++) {
        const oracle_buffer *buffer = &document->buffers[i];
        oracle_group *group = &deriver->groups[deriver->group_of[i]];
        group->symbolic |= buffer->storage != i || buffer->may_alias > 0;
    }
    for (uint32_t i = 0; i < document->arg_count; i++) {
        const oracle_arg *arg = &document->args[i];
        if (arg->kind == ORACLE_ARG_BUFFER && arg->view != ORACLE_NONE &&
            oracle_place_extent(document,
                                (oracle_place){arg->buffer, arg->view}) !=
                ORACLE_EXTENT_CONSTANT) {
            deriver->groups[deriver->group_of[arg->buffer]].symbolic = true;
        }
    }
    return true;
}

static bool reads(const oracle_arg *arg)
{
    return arg->dispatch == ORACLE_INPUT || arg->dispatch == ORACLE_INOUT;
}

static bool writes(const oracle_arg *arg)
{
    return arg->dispatch == ORACLE_OUTPUT || arg->dispatch == ORACLE_INOUT ||
           arg->dispatch == ORACLE_OUTPUT_EXISTING;
}

/* Buffers that may alias have no common addresses: every span meets. */
static oracle_span span_of(const oracle_deriver *deriver, const oracle_arg *arg)
{
    static const oracle_span all = {true, INT64_MIN, INT64_MAX};
    const oracle_document *document = deriver->document;
    uint32_t group = deriver->group_of[arg->buffer];
    oracle_span span =
        oracle_place_span(document, (oracle_place){arg->buffer, arg->view});
    if (!span.bounded || document->buffers[arg->buffer].storage != group ||
        document->buffers[group].may_alias > 0) {
        return all;
    }
    return span;
}

static bool add_covered(oracle_deriver *deriver, oracle_intervals *intervals,
                        oracle_entry *entry)
{
    if (deriver->covered_count == deriver->covered_capacity) {
        size_t capacity = deriver->covered_capacity * 2 + 16;
        oracle_covered *grown =
            realloc(deriver->covered, capacity * sizeof *deriver->covered);
        if (grown == NULL) {
            return false;
        }
        deriver->covered = grown;
        deriver->covered_capacity = capacity;
    }
    deriver->covered[deriver->covered_count++] =
        (oracle_covered){intervals, entry};
    return true;
}

static bool look_up(oracle_deriver *deriver, uint32_t task, uint32_t arg,
                    oracle_intervals *entries, oracle_text kind)
{
    const oracle_document *document = deriver->document;
    const oracle_task *t = &document->tasks[task];
    const oracle_arg *a = &document->args[t->first_arg + arg];
    const oracle_group *group = &deriver->groups[deriver->group_of[a->buffer]];
    oracle_place place = {a->buffer, a->view};
    oracle_span span = span_of(deriver, a);
    deriver->hits.count = 0;
    if (!oracle_intervals_find(entries, span.begin, span.end, &deriver->hits)) {
        return false;
    }
    for (size_t i = 0; i < deriver->hits.count; i++) {
        oracle_entry *entry = deriver->hits.entry[i];
        const oracle_arg *other = &document->args[entry->arg];
        oracle_place old = {other->buffer, other->view};
        oracle_relation relation = oracle_places_relate(document, old, place);
        if (relation == ORACLE_RELATION_NEVER ||
            !oracle_tasks_together(document, entry->task, task)) {
            continue;
        }
        oracle_edge edge = {.from = entry->task,
                            .to = task,
                            .source = ORACLE_AUTOMATIC,
                            .kind = kind,
                            .certain = relation == ORACLE_RELATION_ALWAYS,
                            .from_arg = entry->arg -
                                        document->tasks[entry->task].first_arg,
                            .to_arg = arg};
        if (!oracle_derive_edge(deriver, &edge)) {
            return false;
        }
        if (writes(a) && edge.certain && !group->symbolic &&
            oracle_task_implied(document, entry->task, task) &&
            oracle_place_covers(document, place, old) &&
            !add_covered(deriver, entries, entry)) {
            return false;
        }
    }
    return true;
}

static bool look_up_arg(oracle_deriver *deriver, uint32_t task, uint32_t arg)
{
    const oracle_document *document = deriver->document;
    const oracle_arg *a =
        &document->args[document->tasks[task].first_arg + arg];
    if (oracle_arg_opted_out(document, a)) {
        return true;
    }
    oracle_group *group = &deriver->groups[deriver->group_of[a->buffer]];
    return look_up(deriver, task, arg, &group->writers,
                   reads(a) ? oracle_kind_data : oracle_kind_storage) &&
           (!writes(a) ||
            look_up(deriver, task, arg, &group->readers, oracle_kind_war));
}

static bool enter(oracle_deriver *deriver, uint32_t task, uint32_t arg)
{
    const oracle_document *document = deriver->document;
    uint32_t index = document->tasks[task].first_arg + arg;
    const oracle_arg *a = &document->args[index];
    if (oracle_arg_opted_out(document, a)) {
        return true;
    }
    oracle_group *group = &deriver->groups[deriver->group_of[a->buffer]];
    oracle_span span = span_of(deriver, a);
    oracle_entry entry = {span.begin, span.end, task, index, false};
    return (!reads(a) || oracle_intervals_add(&group->readers, &entry)) &&
           (!writes(a) || oracle_intervals_add(&group->writers, &entry));
}

bool oracle_conservative_task(oracle_deriver *deriver, uint32_t task)
{
    uint32_t args = deriver->document->tasks[task].args;
    for (uint32_t i = 0; i < args; i++) {
        if (!look_up_arg(deriver, task, i)) {
            return false;
        }
    }
    for (size_t i = 0; i < deriver->covered_count; i++) {
        const oracle_covered *covered = &deriver->covered[i];
        oracle_intervals_remove(covered->intervals, covered->entry);
    }
    deriver->covered_count = 0;
    for (uint32_t i = 0; i < args; i++) {
        if (!enter(deriver, task, i)) {
            return false;
        }
    }
    return true;
}
