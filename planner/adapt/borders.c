#include "borders.h"

#include <stdlib.h>

#include "../deps/direction.h"
#include "../json/array.h"

/*
 * A key names the memory of a variable for certain when the variable is a
 * parameter that nothing is assigned to, or is assigned to once, from a call or
 * a tuple: v0.9 gives a variable the key of its last assignment, also where it
 * was used before.
 */
static void mark_reassigned(sonata_borders *b, const sonata_ir_root *root,
                            bool *is_assigned)
{
    const sonata_ir *ir = b->ir;
    for (uint32_t i = 0; i < root->params; i++) {
        uint32_t variable = ir->params[root->first_param + i].variable;
        b->is_unsure[variable] |= is_assigned[variable];
        is_assigned[variable] = true;
    }
    for (uint32_t i = 0; i < root->steps; i++) {
        const sonata_ir_step *step = &ir->steps[root->first_step + i];
        bool is_other = step->kind == SONATA_IR_ASSIGN_OTHER;
        if (!is_other && step->kind != SONATA_IR_ASSIGN_CALL &&
            step->kind != SONATA_IR_ASSIGN_ELEMENT)
            continue;
        b->is_unsure[step->variable] |= is_other || is_assigned[step->variable];
        is_assigned[step->variable] = true;
    }
}

/* The result of a task has its first written argument's key, if for certain. */
static bool is_unsure_result(const sonata_borders *b,
                             const sonata_ir_call *call)
{
    const sonata_ir *ir = b->ir;
    for (uint32_t i = 0; i < call->args && i < call->directions; i++) {
        uint32_t variable = ir->args[call->first_arg + i].variable;
        if (sonata_writes(
                sonata_direction_of(ir->directions[call->first_direction + i])))
            return variable == SONATA_IR_NONE || b->is_unsure[variable] ||
                   b->keys[variable].text == NULL;
    }
    return false;
}

/* What comes of an unsure variable is unsure. */
static void spread_unsure(sonata_borders *b, const sonata_ir_root *root)
{
    for (uint32_t i = 0; i < root->steps; i++) {
        const sonata_ir_step *step = &b->ir->steps[root->first_step + i];
        if (step->kind == SONATA_IR_ASSIGN_CALL)
            b->is_unsure[step->variable] |=
                is_unsure_result(b, &b->ir->calls[step->call]);
        if (step->kind == SONATA_IR_ASSIGN_ELEMENT)
            b->is_unsure[step->variable] |= b->is_unsure[step->tuple];
    }
}

sonata_status sonata_borders_begin(sonata_borders *b, const sonata_ir *ir,
                                   const sonata_roots *roots,
                                   const sonata_text *keys, sonata_error *error)
{
    *b = (sonata_borders){.ir = ir, .keys = keys};
    b->is_unsure = calloc(ir->variable_count + 1, sizeof *b->is_unsure);
    bool *is_assigned = calloc(ir->variable_count + 1, sizeof *is_assigned);
    bool ok = b->is_unsure != NULL && is_assigned != NULL;
    for (size_t i = 0; i < roots->count && ok; i++)
        mark_reassigned(b, roots->items[i], is_assigned);
    for (size_t i = 0; i < roots->count && ok; i++)
        spread_unsure(b, roots->items[i]);
    free(is_assigned);
    return ok ? SONATA_OK : sonata_fail_memory(error);
}

/* The state of a key, which the present region now touches. */
static sonata_border_key *touch(sonata_borders *b, sonata_text key)
{
    uint32_t number = 0;
    bool is_new = false;
    sonata_border_key *states =
        sonata_grow(b->states, &b->state_room, b->names.count, sizeof *states);
    if (states == NULL)
        return NULL;
    b->states = states;
    uint32_t *touched = sonata_grow(b->touched, &b->touched_room,
                                    b->touched_count, sizeof *touched);
    if (touched == NULL)
        return NULL;
    b->touched = touched;
    if (!sonata_table_put(&b->names, &number, &is_new, 0, key))
        return NULL;
    if (is_new)
        states[number] = (sonata_border_key){0};
    if (states[number].touched != b->region + 1) {
        states[number].touched = b->region + 1;
        states[number].reads = states[number].writes = false;
        touched[b->touched_count++] = number;
    }
    return &states[number];
}

/* A number, a string that names a type of one, or a constant node. */
static bool is_constant(const sonata_ir *ir, const sonata_ir_arg *arg)
{
    if (arg->variable != SONATA_IR_NONE)
        return ir->variables[arg->variable].name.text == NULL &&
               sonata_text_starts(arg->name, "Const");
    return sonata_text_is(arg->name, "int") ||
           sonata_text_is(arg->name, "float") ||
           sonata_text_is(arg->name, "bool") ||
           sonata_text_is(arg->name, "NoneType");
}

static void look_at_arg(sonata_borders *b, const sonata_ir_arg *arg,
                        sonata_direction direction)
{
    bool is_told = sonata_is_memory(direction);
    sonata_text key = {0};
    if (direction == SONATA_SCALAR)
        return;
    if (arg->variable != SONATA_IR_NONE && !b->is_unsure[arg->variable])
        key = b->keys[arg->variable];
    if (key.text == NULL) {
        if (is_told || !is_constant(b->ir, arg))
            b->is_unknown = true;
        return;
    }
    sonata_border_key *state = touch(b, key);
    if (state == NULL) {
        b->failed = true;
        return;
    }
    state->reads = state->reads || !is_told || sonata_reads(direction);
    state->writes = state->writes || !is_told || sonata_writes(direction);
}

void sonata_borders_look(sonata_borders *b, const sonata_ir_root *part)
{
    const sonata_ir *ir = b->ir;
    for (uint32_t i = 0; i < part->steps && !b->failed; i++) {
        const sonata_ir_step *step = &ir->steps[part->first_step + i];
        if (step->kind != SONATA_IR_VISIT_CALL)
            continue;
        const sonata_ir_call *call = &ir->calls[step->call];
        for (uint32_t k = 0; k < call->args && !b->failed; k++) {
            sonata_direction direction = SONATA_DIRECTION_UNKNOWN;
            if (k < call->directions)
                direction = sonata_direction_of(
                    ir->directions[call->first_direction + k]);
            look_at_arg(b, &ir->args[call->first_arg + k], direction);
        }
    }
}

static bool add_border(sonata_borders *b, uint32_t producer, const char *kind,
                       sonata_text key)
{
    sonata_border *borders = sonata_grow(b->borders, &b->border_room,
                                         b->border_count, sizeof *borders);
    if (borders == NULL)
        return false;
    b->borders = borders;
    borders[b->border_count++] =
        (sonata_border){producer, b->region, kind, key};
    return true;
}

/* An unknown access comes after all before it, and before all after it. */
static bool add_ordering(sonata_borders *b)
{
    static const sonata_text none = {0};
    uint32_t first = b->barrier == 0 ? 0 : b->barrier - 1;
    bool ok = true;
    if (!b->is_unknown && b->barrier > 0)
        return add_border(b, first, "ordering", none);
    for (uint32_t i = first; i < b->region && b->is_unknown && ok; i++)
        ok = add_border(b, i, "ordering", none);
    if (b->is_unknown)
        b->barrier = b->region + 1;
    return ok;
}

static bool add_reader(sonata_borders *b, sonata_border_key *state)
{
    sonata_border_reader *readers = sonata_grow(
        b->readers, &b->reader_room, b->reader_count, sizeof *readers);
    if (readers == NULL || b->reader_count >= UINT32_MAX - 1)
        return false;
    b->readers = readers;
    readers[b->reader_count] =
        (sonata_border_reader){b->region, state->readers};
    state->readers = (uint32_t)++b->reader_count;
    return true;
}

/* The readers stand last first. */
static bool add_wars(sonata_borders *b, const sonata_border_key *state,
                     sonata_text key)
{
    size_t first = b->border_count;
    bool ok = true;
    for (uint32_t link = state->readers; link != 0 && ok;
         link = b->readers[link - 1].next)
        ok = add_border(b, b->readers[link - 1].region, "war", key);
    for (size_t i = first, k = b->border_count; i + 1 < k;) {
        sonata_border border = b->borders[i];
        b->borders[i++] = b->borders[--k];
        b->borders[k] = border;
    }
    return ok;
}

static bool add_joins(sonata_borders *b, uint32_t number)
{
    sonata_border_key *state = &b->states[number];
    sonata_text key = b->names.entries[number].text;
    if (state->writer > 0 &&
        !add_border(b, state->writer - 1, state->reads ? "data" : "storage",
                    key))
        return false;
    if (!state->writes)
        return add_reader(b, state);
    bool ok = add_wars(b, state, key);
    state->writer = b->region + 1;
    state->readers = 0;
    return ok;
}

sonata_status sonata_borders_end_region(sonata_borders *b,
                                        bool *has_unknown_access,
                                        sonata_error *error)
{
    bool ok = !b->failed && b->region < UINT32_MAX - 1 && add_ordering(b);
    for (size_t i = 0; i < b->touched_count && ok; i++)
        ok = add_joins(b, b->touched[i]);
    *has_unknown_access = b->is_unknown;
    b->touched_count = 0;
    b->is_unknown = false;
    b->region++;
    return ok ? SONATA_OK : sonata_fail_memory(error);
}

void sonata_borders_free(sonata_borders *b)
{
    sonata_table_free(&b->names);
    free(b->is_unsure);
    free(b->states);
    free(b->touched);
    free(b->readers);
    free(b->borders);
    *b = (sonata_borders){0};
}
