/*
 * Sides that no finding tells apart but by their task (judge_sites.c): one
 * line, callee and argument, and all that the cause of a pair is made of. Pairs
 * between two classes are counted, and the first of them stays.
 */
#include "hazard_sets.h"

#include <string.h>

/* No padding: a class is compared by its bytes. */
typedef struct class_key {
    int64_t line, elem;
    uint32_t name, arg, dispatch, base, buffer, writes, manual, dep;
} class_key;

_Static_assert(sizeof(class_key) == 48, "without padding");

typedef struct classes {
    oracle_table names, found;
    uint32_t name_count;
    class_key *keys;
} classes;

static bool number_of(classes *c, const oracle_text *text, uint32_t *out)
{
    oracle_slot *slot = oracle_table_slot(&c->names, text->data, text->length);
    if (slot == NULL) {
        return false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){text->data, text->length, c->name_count++};
    }
    *out = slot->value;
    return true;
}

/* Of the deps that a cause may lie in: 1 a dead one, 2 a reused one. */
static uint32_t lost_deps(const oracle_document *d, const oracle_task *task)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < task->deps; i++) {
        oracle_dep_cause cause = d->deps[task->first_dep + i].cause;
        lost |= cause == ORACLE_DEP_DEAD     ? 1u
                : cause == ORACLE_DEP_REUSED ? 2u
                                             : 0u;
    }
    return lost;
}

static bool set_key(classes *c, const oracle_document *d,
                    const oracle_side *side, const oracle_item *item,
                    class_key *key)
{
    const oracle_task *task = &d->tasks[side->task];
    *key = (class_key){
        .line = task->line,
        .arg = item->arg,
        .writes = side->writes,
        .manual =
            task->scope != ORACLE_NONE && d->scopes[task->scope].in_manual,
        .dep = lost_deps(d, task),
        .buffer = item->place.buffer,
        .base = ORACLE_NONE,
    };
    if (item->arg != ORACLE_NONE) {
        const oracle_arg *arg = &d->args[task->first_arg + item->arg];
        key->dispatch = (uint32_t)arg->dispatch;
        key->manual |= arg->manual_dep ? 2u : 0u;
        key->elem = arg->view == ORACLE_NONE ? -1 : d->regions[arg->view].elem;
        oracle_text base = oracle_arg_identity(arg).base_address;
        if (base.present && !number_of(c, &base, &key->base)) {
            return false;
        }
    }
    return number_of(c, &task->name, &key->name);
}

bool oracle_sets_classify(oracle_sets *sets)
{
    const oracle_document *d = sets->execution->document;
    const oracle_item *items = sets->execution->items.items;
    classes c = {.keys = oracle_arena_array(sets->execution->arena, sets->count,
                                            sizeof *c.keys)};
    bool ok = c.keys != NULL;
    sets->class_count = 1; /* 0: those without a line */
    for (uint32_t i = 0; ok && i < sets->count; i++) {
        oracle_side *side = &sets->sides[i];
        if (d->tasks[side->task].line <= 0) {
            sets->alone++;
            continue;
        }
        ok = set_key(&c, d, side, &items[side->item], &c.keys[i]);
        oracle_slot *slot =
            !ok ? NULL
                : oracle_table_slot(&c.found, (const char *)&c.keys[i],
                                    sizeof c.keys[i]);
        ok = slot != NULL;
        if (ok && slot->data == NULL) {
            *slot = (oracle_slot){(const char *)&c.keys[i], sizeof c.keys[i],
                                  sets->class_count++};
        }
        side->site = ok ? slot->value : 0;
    }
    oracle_table_free(&c.names);
    oracle_table_free(&c.found);
    return ok;
}

bool oracle_sets_joins(const oracle_sets *sets)
{
    return sets->class_count <= ORACLE_SET_CLASSES ||
           sets->class_count - 1 == sets->count - sets->alone;
}
