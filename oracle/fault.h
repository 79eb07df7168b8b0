/* Filling an error record. `error` may not be NULL in any of these. */
#ifndef ORACLE_FAULT_H
#define ORACLE_FAULT_H

#include "json.h"

/* The rule that a document is refused by; static text. */
const char *oracle_fault_rule(oracle_status status);

/* At a byte of the text, without a path. */
oracle_status oracle_fault_at(oracle_error *error, oracle_status status,
                              const char *text, size_t offset,
                              const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* At a node: the message is its path (or "the document") and the format. */
oracle_status oracle_fault_node(oracle_error *error, oracle_status status,
                                const oracle_json *json, uint32_t node,
                                const char *format, ...)
    __attribute__((format(printf, 5, 6)));

oracle_status oracle_fault_memory(oracle_error *error);

/* Without a place. */
oracle_status oracle_fault(oracle_error *error, oracle_status status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
