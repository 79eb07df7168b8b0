/* A quote in a text of some length stays a bare one. */
#include "../../../cli/text.h"
#include <string.h>

#define LONG 8 /* bytes */

void __real_cli_text_json(cli_text *text, const char *data, size_t length);
void __wrap_cli_text_json(cli_text *text, const char *data, size_t length);

void __wrap_cli_text_json(cli_text *text, const char *data, size_t length)
{
    if (length < LONG || memchr(data, '"', length) == NULL) {
        __real_cli_text_json(text, data, length);
        return;
    }
    cli_text_put(text, "\"");
    cli_text_add(text, data, length);
    cli_text_put(text, "\"");
}
