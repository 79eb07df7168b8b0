/* The JSON report has a tab as it is. */
#include <string.h>

#include "reports/store.h"

report_status __real_report_write_json(char **text, size_t *length,
                                       report_store *store, int64_t run,
                                       report_error *error);
report_status __wrap_report_write_json(char **text, size_t *length,
                                       report_store *store, int64_t run,
                                       report_error *error);

report_status __wrap_report_write_json(char **text, size_t *length,
                                       report_store *store, int64_t run,
                                       report_error *error)
{
    static const char tab[] = "\\u0009";
    report_status status =
        __real_report_write_json(text, length, store, run, error);
    char *at = status == REPORT_OK ? strstr(*text, tab) : NULL;
    if (at != NULL) {
        *at = '\t';
        memmove(at + 1, at + sizeof tab - 1, strlen(at + sizeof tab - 1) + 1);
        *length -= sizeof tab - 2;
    }
    return status;
}
