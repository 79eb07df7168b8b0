/* The JSON report has a tab as it is. */
#include <stdlib.h>
#include <string.h>

#include "reports/write.h"

report_writer __real_report_write_json;
report_writer __wrap_report_write_json;

report_status __wrap_report_write_json(FILE *out, report_store *store,
                                       const report_view *view,
                                       report_error *error)
{
    static const char tab[] = "\\u0009";
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL)
        abort();
    report_status status = __real_report_write_json(memory, store, view, error);
    if (fclose(memory) != 0)
        abort();
    char *at = strstr(text, tab);
    if (at != NULL) {
        fwrite(text, 1, (size_t)(at - text), out);
        putc('\t', out);
    }
    fputs(at == NULL ? text : at + sizeof tab - 1, out);
    free(text);
    return status;
}
