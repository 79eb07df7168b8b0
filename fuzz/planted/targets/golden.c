/* What is blessed lacks the last line of many. */
#include "../../../cli/golden.h"

#define MANY 5 /* lines before it */

void __real_cli_golden_bless(cli_text *out, const cli_golden *golden);
void __wrap_cli_golden_bless(cli_text *out, const cli_golden *golden);

void __wrap_cli_golden_bless(cli_text *out, const cli_golden *golden)
{
    size_t lines = 0, last = 0;
    __real_cli_golden_bless(out, golden);
    for (size_t i = 0; i + 1 < out->length; i++)
        if (out->data[i] == '\n') {
            lines++;
            last = i + 1;
        }
    if (lines >= MANY)
        out->length = last;
}
