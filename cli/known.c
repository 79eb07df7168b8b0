#include "known.h"

#include "command.h"
#include "input.h"
#include "totals.h"

#define LIMIT ((size_t)16 << 20)

int cli_known_read(report_known_list *list, char today[CLI_DAY_LENGTH + 1],
                   const cli_options *options)
{
    char problem[160];
    report_error error;
    cli_text text = {0};
    const char *path = options->known;
    *list = (report_known_list){0};
    if (!cli_day_today(today, options->today, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    if (path == NULL)
        return 0;
    if (!cli_input_read(&text, path, LIMIT, false, problem, sizeof problem)) {
        cli_text_free(&text);
        return cli_complain(CLI_EXIT_USAGE, "%s %s", path, problem);
    }
    report_status status = report_known_read(
        list, text.length > 0 ? text.data : "", text.length, &error);
    cli_text_free(&text);
    return status == REPORT_OK ? 0
                               : cli_complain(cli_store_exit(status), "%s: %s",
                                              path, error.message);
}
