/*
 * Branches of which nobody knows whether they run. Both ways are run one after
 * the other from the same state; where they leave a different one, it is not
 * known. Each region remembers once what a slot held when it began, so the
 * cost is in what changes, not in what there is.
 */
#include "cpp_machine.h"

static cpp_slot *slot_of(cpp_machine *m, bool cell, uint32_t index)
{
    return cell ? &m->cells[index] : &m->bindings[index].slot;
}

/* The id that a slot of an ended region bears. */
static uint32_t outer_id(const cpp_machine *m)
{
    return m->region_count < 2 ? 0 : m->regions[m->region_count - 2].id;
}

frontend_status cpp_region_begin(cpp_machine *m)
{
    if (m->region_count == CPP_REGIONS)
        return frontend_stop(m->outline, FRONTEND_SKIPPED,
                             "its branches nest too deeply");
    frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
    if (status == FRONTEND_OK)
        status = frontend_open_region(m->outline);
    if (status != FRONTEND_OK)
        return status;
    m->regions[m->region_count++] = (cpp_region){.id = ++m->last_region,
                                                 .bindings = m->binding_count,
                                                 .cells = m->cell_count,
                                                 .changes = FRONTEND_NONE,
                                                 .other = FRONTEND_NONE};
    return FRONTEND_OK;
}

frontend_status cpp_region_log(cpp_machine *m, bool cell, uint32_t index)
{
    uint32_t known = slot_of(m, cell, index)->logged;
    for (uint32_t i = m->region_count; i > 0; i--) {
        cpp_region *region = &m->regions[i - 1];
        if (region->id <= known ||
            index >= (cell ? region->cells : region->bindings))
            break;
        frontend_status status = cpp_spend(m, CPP_ELEMENT_STEPS);
        if (status != FRONTEND_OK)
            return status;
        if (!frontend_grow(&m->changes, &m->change_room, m->change_count,
                           sizeof *m->changes))
            return FRONTEND_NO_MEMORY;
        cpp_slot *slot = slot_of(m, cell, index);
        m->changes[m->change_count] =
            (cpp_change){cell, index, region->changes, slot->value};
        region->changes = m->change_count++;
        if (slot->logged < region->id)
            slot->logged = region->id;
    }
    return FRONTEND_OK;
}

frontend_status cpp_region_else(cpp_machine *m)
{
    cpp_region *region = &m->regions[m->region_count - 1];
    uint32_t outer = outer_id(m);
    for (uint32_t i = region->changes; i != FRONTEND_NONE;
         i = m->changes[i].next) {
        cpp_change *change = &m->changes[i];
        cpp_slot *slot = slot_of(m, change->cell, change->index);
        cpp_value after = slot->value;
        slot->value = change->value;
        slot->logged = outer;
        change->value = after;
    }
    region->other = region->changes;
    region->changes = FRONTEND_NONE;
    region->id = ++m->last_region;
    frontend_close_region(m->outline);
    return frontend_open_region(m->outline);
}

static cpp_value merge(cpp_value a, cpp_value b)
{
    if (a.kind != b.kind)
        return (cpp_value){.kind = CPP_OTHER};
    if (a.kind == CPP_NUMBER && a.number != b.number)
        return (cpp_value){.kind = CPP_OTHER};
    if (a.kind == CPP_TASK_ID && a.value != b.value)
        return (cpp_value){.kind = CPP_TASK_ID, .value = CPP_UNSURE};
    bool rooted = a.kind == CPP_TENSOR || a.kind == CPP_PREDICATE;
    if (rooted && a.value != b.value)
        a.value = FRONTEND_NONE;
    return a;
}

void cpp_region_end(cpp_machine *m)
{
    cpp_region *region = &m->regions[m->region_count - 1];
    uint32_t outer = outer_id(m);
    for (uint32_t i = region->other; i != FRONTEND_NONE;
         i = m->changes[i].next) {
        const cpp_change *change = &m->changes[i];
        cpp_slot *slot = slot_of(m, change->cell, change->index);
        slot->value = merge(change->value, slot->value);
        slot->logged = outer;
    }
    for (uint32_t i = region->changes; i != FRONTEND_NONE;
         i = m->changes[i].next) {
        const cpp_change *change = &m->changes[i];
        cpp_slot *slot = slot_of(m, change->cell, change->index);
        if (slot->logged != region->id)
            continue;
        slot->value = merge(change->value, slot->value);
        slot->logged = outer;
    }
    frontend_close_region(m->outline);
    m->region_count--;
    if (m->region_count == 0)
        m->change_count = 0;
}
