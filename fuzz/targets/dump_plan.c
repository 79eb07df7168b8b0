/* Planning of arbitrary text: no crash, no leak, an error or a bundle. */
#include "sonata/dump.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sonata_error error = {0};
    char *bundle = NULL;
    size_t length = 0;
    sonata_dump_options options = {.max_tasks = 1000};
    sonata_status status = sonata_dump_plan(
        &bundle, &length, (const char *)data, size, &options, &error);
    if (status == SONATA_OK)
        free(bundle);
    else if (error.code[0] == '\0' || error.message[0] == '\0')
        abort();
    return 0;
}
