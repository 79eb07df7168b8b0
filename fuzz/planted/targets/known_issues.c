/* A line of the known issues with a long reason is read with the day gone. */
#include <string.h>

#include "reports/triage.h"

#define LONG 24 /* bytes */

report_status __real_report_known_read(report_known_list *list,
                                       const char *text, size_t length,
                                       report_error *error);
report_status __wrap_report_known_read(report_known_list *list,
                                       const char *text, size_t length,
                                       report_error *error);

report_status __wrap_report_known_read(report_known_list *list,
                                       const char *text, size_t length,
                                       report_error *error)
{
    report_status status = __real_report_known_read(list, text, length, error);
    for (size_t i = 0; status == REPORT_OK && i < list->count; i++)
        if (strlen(list->items[i].reason) > LONG)
            list->items[i].until[0] = '\0';
    return status;
}
