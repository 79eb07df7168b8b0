/* Options of a run, which are JSON. */
#include "triage.h"

int64_t cli_run_number(cli_span options, const char *name)
{
    cli_span value;
    int64_t number = 0;
    if (!cli_span_member(&value, options, name) ||
        !cli_span_int(&number, value))
        return 0;
    return number;
}

void cli_run_text(cli_text *out, cli_span options, const char *name)
{
    cli_span value;
    cli_text_clear(out);
    if (cli_span_member(&value, options, name))
        (void)cli_span_text(out, value);
    cli_text_put(out, "");
}

bool cli_run_is(cli_span options, const char *name)
{
    cli_span value;
    return cli_span_member(&value, options, name) && cli_span_is(value, "true");
}
