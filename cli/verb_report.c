/* counterpoint report: what the database says of a run. */
#include <stdlib.h>

#include "command.h"
#include "print.h"
#include "report_words.h"
#include "reports/store.h"
#include "totals.h"

static int show(report_store *store, const cli_options *options)
{
    char *text = NULL;
    size_t length = 0;
    report_error error;
    report_status status =
        options->json
            ? report_write_json(&text, &length, store, options->run, &error)
            : report_write_text(&text, &length, store, options->run,
                                cli_print_colors(stdout), &error);
    if (status != REPORT_OK)
        return cli_complain(cli_store_exit(status), "%s: %s", options->files[0],
                            error.message);
    bool ok = (options->quiet && !options->json) ||
              fwrite(text, 1, length, stdout) == length;
    free(text);
    return ok ? CLI_EXIT_FINE : CLI_EXIT_FAULT;
}

int cli_verb_report(const cli_options *options)
{
    int word = cli_report_word(options);
    if (word != CLI_REPORT_NO_WORD)
        return word;
    if (options->file_count > 1 || options->keep > 0)
        return cli_complain(CLI_EXIT_USAGE, "report takes one database");
    report_store *store = NULL;
    report_error error;
    report_status status =
        report_open(&store, options->files[0], REPORT_READ, &error);
    if (status != REPORT_OK)
        return cli_complain(cli_store_exit(status), "%s: %s", options->files[0],
                            error.message);
    int code = show(store, options);
    report_close(store, &error);
    return code;
}
