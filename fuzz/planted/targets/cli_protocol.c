/* A long sentence in an answer has no quote at its end. */
#include <string.h>

#include "../../../cli/text.h"

#define LONG 60 /* bytes */

void __real_cli_text_quote(cli_text *text, const char *string);
void __wrap_cli_text_quote(cli_text *text, const char *string);

void __wrap_cli_text_quote(cli_text *text, const char *string)
{
    __real_cli_text_quote(text, string);
    if (strlen(string) > LONG && !text->failed)
        text->length--;
}
