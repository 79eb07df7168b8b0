/* Reading a memory plan (spec 09). */
#include <stdlib.h>

#include "sonata/memory.h"

#include "../json/fields.h"

/* Bytes: 0 to 2^63 - 1. */
static bool read_bytes(int64_t *bytes, sonata_reading *r,
                       const sonata_fields *f, size_t i)
{
    sonata_place place = {f->place, f->names[i], 0};
    return sonata_field_int(bytes, r, f, i) &&
           (*bytes >= 0 ||
            sonata_refuse(r, SONATA_RANGE, &place, "is negative"));
}

static bool read_allocation(void *item, sonata_reading *r,
                            const sonata_place *place, const sonata_node *node)
{
    enum { OFFSET, SIZE, KEY, COUNT };
    static const char *const names[] = {"offset", "size", "storage_key"};
    sonata_allocation *allocation = item;
    sonata_fields f;
    return sonata_fields_open(&f, r, place, node, names, COUNT) &&
           sonata_field_require(r, &f, KEY) &&
           sonata_field_value(&allocation->key, r, &f, KEY) &&
           read_bytes(&allocation->offset, r, &f, OFFSET) &&
           read_bytes(&allocation->size, r, &f, SIZE);
}

static bool read_plan(void *model, sonata_reading *r, const sonata_node *root)
{
    sonata_memory_plan *plan = model;
    enum { ALLOCATIONS, KIND, PEAK, POLICY, VERSION, COUNT };
    static const char *const names[] = {"allocations", "kind", "peak_memory",
                                        "policy", "version"};
    static const sonata_text required = {0};
    sonata_fields f;
    if (!sonata_fields_open(&f, r, NULL, root, names, COUNT) ||
        !sonata_field_kind(r, &f, KIND, "memory_plan") ||
        !sonata_field_require(r, &f, VERSION) ||
        !sonata_field_version(r, &f, VERSION) ||
        !sonata_field_text(&plan->policy, r, &f, POLICY, required) ||
        !sonata_field_require(r, &f, ALLOCATIONS))
        return false;
    plan->items = sonata_field_items(&plan->count, r, &f, ALLOCATIONS,
                                     sizeof *plan->items, read_allocation);
    return r->status == SONATA_OK && read_bytes(&plan->peak, r, &f, PEAK);
}

sonata_status sonata_memory_plan_read(sonata_memory_plan *plan,
                                      const char *text, size_t length,
                                      sonata_reasons *warnings,
                                      sonata_error *error)
{
    *plan = (sonata_memory_plan){0};
    sonata_status status = sonata_read_model(plan, &plan->memory, read_plan,
                                             text, length, warnings, error);
    if (status != SONATA_OK)
        sonata_memory_plan_free(plan);
    return status;
}
