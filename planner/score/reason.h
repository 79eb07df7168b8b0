/* Lists of reasons. */
#ifndef SONATA_REASON_H
#define SONATA_REASON_H

#include "sonata/score.h"

#include "../json/text.h"

/* The memory for messages, made on first use; NULL when out of memory. */
sonata_arena *sonata_reasons_memory(sonata_reasons *reasons);

/*
 * Appends a reason; false when out of memory or when the message is null (that
 * is: could not be put together). The message must outlive the list.
 */
bool sonata_reasons_add(sonata_reasons *reasons, const char *code,
                        sonata_text message, bool is_warning);

#endif
