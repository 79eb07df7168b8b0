/* counterpoint report: what the database says of a run, in many formats. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "known.h"
#include "oracle/judge.h"
#include "outfile.h"
#include "pages.h"
#include "print.h"
#include "report_words.h"
#include "reports/write.h"
#include "totals.h"

static const struct format {
    const char *name;
    report_writer *write;
} formats[] = {
    {"github", report_write_github},     {"html", report_write_html},
    {"json", report_write_json},         {"junit", report_write_junit},
    {"markdown", report_write_markdown}, {"sarif", report_write_sarif},
    {"tap", report_write_tap},           {"text", report_write_text},
};

static report_writer *writer_of(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].write;
    return NULL;
}

/* --- What the library does not know --- */

static const char *gravest(const oracle_rule *rule)
{
    for (int s = CLI_SEVERITIES - 1; s > 0; s--)
        if ((rule->severities & 1u << s) != 0)
            return cli_severity_name((cli_severity)s);
    return cli_severity_name(CLI_NOTE);
}

static bool find_rule(void *context, report_rule *rule, const char *name)
{
    (void)context;
    const oracle_rule *known = oracle_rule_find(name);
    if (known == NULL)
        return false;
    *rule =
        (report_rule){.summary = known->summary, .severity = gravest(known)};
    for (size_t i = 0; i < cli_page_count; i++)
        if (strcmp(cli_pages[i].name, name) == 0)
            rule->help = cli_pages[i].text;
    return true;
}

/* --- Writing --- */

static report_status write_format(FILE *out, report_store *store,
                                  const cli_options *options,
                                  const char *format, report_error *error)
{
    bool to_people = strcmp(format, "text") == 0 && out == stdout;
    if (to_people && options->quiet)
        return REPORT_OK;
    char *folder = getcwd(NULL, 0);
    report_view view = {
        .run = options->run,
        .fail_on = options->fail_on,
        .folder = folder,
        .find = find_rule,
        .database = options->files[0],
        .color = to_people && cli_print_colors(stdout),
    };
    report_status status = writer_of(format)(out, store, &view, error);
    free(folder);
    return status;
}

static int show(report_store *store, const cli_options *options,
                const char *format)
{
    char problem[512];
    cli_outfile file;
    report_error error;
    if (!cli_outfile_open(&file, options->output, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    report_status status =
        write_format(file.stream, store, options, format, &error);
    int code = CLI_EXIT_FINE;
    if (status != REPORT_OK)
        code = cli_complain(cli_store_exit(status), "%s: %s", options->files[0],
                            error.message);
    if (!cli_outfile_close(&file, status == REPORT_OK, problem, sizeof problem))
        code = cli_complain(CLI_EXIT_USAGE, "%s", problem);
    return code;
}

/* --- What is asked for --- */

/* What SQLite keeps beside a database is as good as the database. */
static bool is_beside(const char *output, const char *database)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    struct stat a, b;
    bool same = false;
    if (stat(output, &a) != 0)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *name = NULL;
        if (asprintf(&name, "%s%s", database, endings[i]) < 0)
            return true;
        same = same || (stat(name, &b) == 0 && a.st_dev == b.st_dev &&
                        a.st_ino == b.st_ino);
        free(name);
    }
    return same;
}

/* Returns an exit status; 0: go on. */
static int choose_format(const char **format, const cli_options *o)
{
    *format = o->format != NULL ? o->format : o->json ? "json" : "text";
    if (o->json && strcmp(*format, "json") != 0)
        return cli_complain(CLI_EXIT_USAGE,
                            "--json and --format %s are two formats: name one",
                            *format);
    if (o->fail_on != NULL && strcmp(*format, "junit") != 0 &&
        strcmp(*format, "tap") != 0)
        return cli_complain(CLI_EXIT_USAGE,
                            "--fail-on is for --format junit and tap: in %s "
                            "nothing passes or fails",
                            *format);
    if (o->today != NULL && o->known == NULL)
        return cli_complain(CLI_EXIT_USAGE, "--today goes with --known");
    if (o->output != NULL && is_beside(o->output, o->files[0]))
        return cli_complain(CLI_EXIT_USAGE,
                            "'%s' belongs to the database: -o does not write "
                            "over it",
                            o->output);
    return 0;
}

static int open_and_show(const cli_options *options, const char *format)
{
    report_known_list known;
    char today[CLI_DAY_LENGTH + 1];
    report_store *store = NULL;
    report_error error;
    int code = cli_known_read(&known, today, options);
    if (code != 0)
        return code;
    report_status status =
        report_open(&store, options->files[0], REPORT_READ, &error);
    if (status == REPORT_OK && options->known != NULL)
        status = report_triage(store, &known, today, &error);
    code = status == REPORT_OK ? show(store, options, format)
                               : cli_complain(cli_store_exit(status), "%s: %s",
                                              options->files[0], error.message);
    report_close(store, &error);
    report_known_free(&known);
    return code;
}

int cli_verb_report(const cli_options *options)
{
    const char *format;
    int word = cli_report_word(options);
    if (word != CLI_REPORT_NO_WORD)
        return word;
    if (options->file_count > 1 || options->keep > 0)
        return cli_complain(CLI_EXIT_USAGE, "report takes one database");
    int code = choose_format(&format, options);
    return code != 0 ? code : open_and_show(options, format);
}
