/* triage set, join and split: what people say of buckets. */
#include <string.h>

#include "../totals.h"
#include "triage.h"

/* A text in a database is UTF-8, and one line. */
static int check_text(const char *option, const char *text)
{
    if (text == NULL)
        return 0;
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return cli_complain(CLI_EXIT_USAGE, "%s takes one line of text",
                                option);
    return 0;
}

static int check_texts(const cli_options *o)
{
    if (o->note == NULL && o->label == NULL && o->unlabel == NULL)
        return cli_complain(CLI_EXIT_USAGE, "triage set needs --note TEXT, "
                                            "--label WORD or --unlabel WORD");
    int status = check_text("--note", o->note);
    if (status == 0)
        status = check_text("--label", o->label);
    return status;
}

int cli_triage_set(cli_triage *t)
{
    const cli_options *o = t->options;
    int64_t bucket = 0, head = 0;
    report_error error;
    int status = check_texts(o);
    if (status == 0)
        status = cli_triage_bucket(&bucket, &head, t);
    if (status != 0)
        return status;
    bool none = o->note != NULL && strcmp(o->note, "-") == 0;
    report_saying what = {none ? "" : o->note, o->label, o->unlabel};
    return report_say(t->store, head, &what, &error) == REPORT_OK
               ? CLI_EXIT_FINE
               : cli_triage_fail(t, &error);
}

int cli_triage_join(cli_triage *t)
{
    int64_t bucket = 0, to = 0, head = 0;
    report_error error;
    int status = cli_triage_named(&bucket, &head, t, t->words[0]);
    if (status == 0)
        status = cli_triage_named(&to, &head, t, t->words[1]);
    if (status != 0)
        return status;
    if (report_join(t->store, bucket, to, &error) != REPORT_OK)
        return cli_triage_fail(t, &error);
    if (t->options->quiet)
        return CLI_EXIT_FINE;
    if (bucket == to)
        cli_text_printf(&t->out, "bucket %lld is shown on its own\n",
                        (long long)bucket);
    else
        cli_text_printf(&t->out, "bucket %lld is shown as bucket %lld\n",
                        (long long)bucket, (long long)head);
    return CLI_EXIT_FINE;
}

static int undo(cli_triage *t, int64_t bucket)
{
    int64_t whole = 0;
    report_error error;
    if (report_unsplit(&whole, t->store, bucket, &error) != REPORT_OK)
        return cli_triage_fail(t, &error);
    if (!t->options->quiet)
        cli_text_printf(&t->out, "bucket %lld is in bucket %lld again\n",
                        (long long)bucket, (long long)whole);
    return CLI_EXIT_FINE;
}

static int split(cli_triage *t, int64_t bucket, const char *pattern)
{
    int64_t part = 0, moved = 0;
    report_error error;
    if (report_split(&part, &moved, t->store, bucket, pattern, &error) !=
        REPORT_OK)
        return cli_triage_fail(t, &error);
    if (!t->options->quiet)
        cli_text_printf(&t->out,
                        "bucket %lld has %lld finding%s of bucket "
                        "%lld now, and all to come in such inputs\n",
                        (long long)part, (long long)moved,
                        moved == 1 ? "" : "s", (long long)bucket);
    return CLI_EXIT_FINE;
}

int cli_triage_split(cli_triage *t)
{
    const cli_options *o = t->options;
    int64_t bucket = 0, head = 0;
    if ((o->file_count == 4) == o->undo)
        return cli_complain(CLI_EXIT_USAGE,
                            o->undo ? "--undo takes no pattern"
                                    : "triage split needs DB BUCKET PATTERN");
    int status = cli_triage_bucket(&bucket, &head, t);
    if (status == 0)
        status = o->undo ? check_text("PATTERN", NULL)
                         : check_text("PATTERN", t->words[1]);
    if (status != 0)
        return status;
    return o->undo ? undo(t, bucket) : split(t, bucket, t->words[1]);
}
