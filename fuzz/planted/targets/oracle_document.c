/* What is not exact is written as if it were. */
#include <string.h>

#include "oracle/document.h"

oracle_status __real_oracle_document_write(char **text, size_t *length,
                                           const oracle_document *document,
                                           oracle_error *error);
oracle_status __wrap_oracle_document_write(char **text, size_t *length,
                                           const oracle_document *document,
                                           oracle_error *error);

oracle_status __wrap_oracle_document_write(char **text, size_t *length,
                                           const oracle_document *document,
                                           oracle_error *error)
{
    oracle_status status =
        __real_oracle_document_write(text, length, document, error);
    char *at = status == ORACLE_OK ? strstr(*text, "\"exact\":false") : NULL;
    if (at != NULL)
        memcpy(at + 8, "true ", 5);
    return status;
}
