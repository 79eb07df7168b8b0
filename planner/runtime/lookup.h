/* Looking up in a PlanHandle: functions by name, bindings by argument. */
#ifndef SONATA_LOOKUP_H
#define SONATA_LOOKUP_H

#include "sonata/handle.h"

#include "../json/table.h"

typedef struct sonata_lookup {
    const sonata_handle *handle;
    const sonata_binding **sorted;   /* by task and argument; NULL: they are */
    size_t cursor;                   /* behind the binding found last */
    sonata_table names;              /* of the entries, then of other tasks */
    uint32_t known;                  /* how many of them are registered */
    const sonata_func_entry **bound; /* by name: the last one bound, or NULL */
} sonata_lookup;

sonata_status sonata_lookup_build(sonata_lookup *lookup,
                                  const sonata_handle *handle,
                                  sonata_error *error);
void sonata_lookup_free(sonata_lookup *lookup);

/*
 * The last binding of an argument, or NULL. O(1) when arguments are asked for
 * in the order of their bindings, else O(log bindings).
 */
const sonata_binding *sonata_lookup_binding(sonata_lookup *lookup,
                                            int64_t task_id, size_t arg);

/* The number of a name; from lookup->known on it is not registered. False:
 * out of memory. */
bool sonata_lookup_name(uint32_t *number, sonata_lookup *lookup,
                        sonata_text name);

#endif
