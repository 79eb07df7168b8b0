/* PlanHandles inside of other documents. */
#ifndef SONATA_RUNTIME_HANDLE_H
#define SONATA_RUNTIME_HANDLE_H

#include "sonata/handle.h"

#include "../json/fields.h"
#include "../json/writer.h"

/* As sonata_read_score. */
bool sonata_read_handle(sonata_handle *handle, sonata_reading *r,
                        const sonata_place *place, const sonata_node *node);

void sonata_write_handle(sonata_json *w, const sonata_handle *handle);

#endif
