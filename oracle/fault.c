#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *oracle_fault_rule(oracle_status status)
{
    switch (status) {
    case ORACLE_SYNTAX:
        return "doc.syntax";
    case ORACLE_RANGE:
        return "doc.range";
    case ORACLE_UNSUPPORTED:
        return "doc.unsupported";
    case ORACLE_OK:
    case ORACLE_SCHEMA:
    case ORACLE_NO_MEMORY:
        break;
    }
    return "doc.schema";
}

static void start(oracle_error *error, oracle_status status)
{
    memset(error, 0, sizeof *error);
    error->status = status;
    snprintf(error->rule, sizeof error->rule, "%s", oracle_fault_rule(status));
}

/* Cuts a half character that the end of the buffer left behind. */
static void finish(oracle_error *error)
{
    char copy[sizeof error->message];
    size_t length = strlen(error->message);
    if (length + 1 < sizeof error->message) {
        return;
    }
    oracle_json_printable(error->message, length, copy, sizeof copy);
    memcpy(error->message, copy, sizeof copy);
}

oracle_status oracle_fault_at(oracle_error *error, oracle_status status,
                              const char *text, size_t offset,
                              const char *format, ...)
{
    start(error, status);
    error->offset = offset;
    oracle_json_position(text, offset, &error->line, &error->column);
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    finish(error);
    return status;
}

oracle_status oracle_fault_node(oracle_error *error, oracle_status status,
                                const oracle_json *json, uint32_t node,
                                const char *format, ...)
{
    start(error, status);
    error->offset = json->nodes[node].offset;
    oracle_json_position(json->text, error->offset, &error->line,
                         &error->column);
    oracle_json_path(json, node, error->path, sizeof error->path);
    int length =
        snprintf(error->message, sizeof error->message, "%s ",
                 error->path[0] == '\0' ? "the document" : error->path);
    va_list args;
    va_start(args, format);
    vsnprintf(error->message + length, sizeof error->message - (size_t)length,
              format, args);
    va_end(args);
    finish(error);
    return status;
}

oracle_status oracle_fault_memory(oracle_error *error)
{
    return oracle_fault(error, ORACLE_NO_MEMORY, "out of memory");
}

oracle_status oracle_fault(oracle_error *error, oracle_status status,
                           const char *format, ...)
{
    start(error, status);
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    finish(error);
    return status;
}
