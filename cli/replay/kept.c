#include "kept.h"

#include "../command.h"
#include "../totals.h"

static int fail(const cli_options *o, const report_error *error)
{
    return cli_complain(CLI_EXIT_USAGE, "%s: %s", o->db, error->message);
}

int cli_kept_open(cli_kept *kept, const cli_options *options)
{
    char started[CLI_KEEP_NOW];
    report_error error = {0};
    cli_text text = {0};
    *kept = (cli_kept){0};
    if (options->db == NULL)
        return CLI_EXIT_FINE;
    if (report_open(&kept->store, options->db, REPORT_WRITE, &error) !=
        REPORT_OK) {
        kept->store = NULL;
        return fail(options, &error);
    }
    cli_keep_now(started);
    cli_keep_options(&text, "replay", options);
    report_run what = {COUNTERPOINT_VERSION, text.data, options->revision,
                       started};
    int status = CLI_EXIT_FINE;
    if (text.failed)
        status = cli_complain(CLI_EXIT_FAULT, "out of memory");
    else if (report_begin_run(&kept->run, kept->store, &what, &error) !=
             REPORT_OK)
        status = fail(options, &error);
    cli_text_free(&text);
    if (status != CLI_EXIT_FINE)
        cli_kept_close(kept);
    return status;
}

static bool digest_of(char hex[65], const cli_case *c)
{
    cli_digest digest = {0};
    bool ok = cli_digest_begin(&digest) && cli_case_digest(hex, c) &&
              cli_digest_add(&digest, hex);
    return cli_digest_end(&digest, hex) && ok;
}

int cli_kept_add(cli_kept *kept, const cli_options *options, const cli_case *c,
                 const char *details)
{
    char digest[65], finished[CLI_KEEP_NOW];
    report_error error = {0};
    report_status status = REPORT_OK;
    if (kept->store == NULL)
        return CLI_EXIT_FINE;
    if (!digest_of(digest, c) ||
        !cli_keep_case(&status, kept->store, kept->run, c, "", details, &error))
        return cli_complain(CLI_EXIT_FAULT, "out of memory");
    cli_keep_now(finished);
    if (status == REPORT_OK)
        status = report_finish_run(kept->store, kept->run, digest, finished, 0,
                                   &error);
    return status == REPORT_OK ? CLI_EXIT_FINE : fail(options, &error);
}

void cli_kept_close(cli_kept *kept)
{
    report_error error;
    if (kept->store != NULL)
        report_close(kept->store, &error);
    *kept = (cli_kept){0};
}
