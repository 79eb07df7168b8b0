#include "report_words.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "input.h"
#include "reports/upkeep.h"
#include "totals.h"

/* What a word does with its databases, the first of which is open. */
typedef int word_run(report_store *store, const cli_options *options,
                     report_error *error);

static int complain(const char *path, const report_error *error)
{
    return cli_complain(cli_store_exit(error->status), "%s: %s", path,
                        error->message);
}

/* It may be the one or the other that fails. */
static int cannot_merge(const cli_options *o, size_t i,
                        const report_merged *merged, const report_error *error)
{
    return merged->opened
               ? cli_complain(cli_store_exit(error->status), "%s into %s: %s",
                              o->files[i], o->files[1], error->message)
               : complain(o->files[i], error);
}

static void tell_merged(const cli_options *o, size_t i,
                        const report_merged *merged)
{
    printf("%s: %lld run%s with %lld finding%s\n", o->files[i],
           (long long)merged->runs, merged->runs == 1 ? "" : "s",
           (long long)merged->findings, merged->findings == 1 ? "" : "s");
    if (merged->moved > 0)
        printf("%s: runs are numbered by their start: %lld ha%s another "
               "number now\n",
               o->files[1], (long long)merged->moved,
               merged->moved == 1 ? "s" : "ve");
}

static int merge(report_store *store, const cli_options *o, report_error *error)
{
    for (size_t i = 2; i < o->file_count; i++) {
        report_merged merged;
        if (report_merge(&merged, store, o->files[i], error) != REPORT_OK)
            return cannot_merge(o, i, &merged, error);
        if (o->json)
            printf("{\"file\":%zu,\"findings\":%lld,\"renumbered\":%lld,"
                   "\"runs\":%lld}\n",
                   i - 1, (long long)merged.findings, (long long)merged.moved,
                   (long long)merged.runs);
        else if (!o->quiet)
            tell_merged(o, i, &merged);
    }
    return CLI_EXIT_FINE;
}

static int gc(report_store *store, const cli_options *o, report_error *error)
{
    report_pruned pruned;
    if (report_gc(&pruned, store, o->keep, error) != REPORT_OK)
        return complain(o->files[1], error);
    if (o->json)
        printf("{\"findings\":%lld,\"inputs\":%lld,\"runs\":%lld}\n",
               (long long)pruned.findings, (long long)pruned.inputs,
               (long long)pruned.runs);
    else if (!o->quiet)
        printf("%lld findings and %lld inputs of %lld runs are gone, their "
               "counts stay\n",
               (long long)pruned.findings, (long long)pruned.inputs,
               (long long)pruned.runs);
    return CLI_EXIT_FINE;
}

static bool digest(char hex[65], const char *data, size_t length)
{
    return cli_sha256(hex, data, length);
}

static void see_fault(void *context, const char *sentence)
{
    fprintf(context, "%s\n", sentence);
}

static int verify(report_store *store, const cli_options *o,
                  report_error *error)
{
    int64_t faults = 0;
    FILE *out = o->json ? stderr : stdout;
    if (report_verify(&faults, store, digest, see_fault, out, error) !=
        REPORT_OK)
        return complain(o->files[1], error);
    if (o->json)
        printf("{\"faults\":%lld}\n", (long long)faults);
    else if (faults == 0 && !o->quiet)
        puts("all that is counted is there");
    return faults == 0 ? CLI_EXIT_FINE : CLI_EXIT_FINDINGS;
}

static const struct word {
    const char *name;
    report_mode mode;
    size_t least, most; /* databases */
    bool keeps;         /* --keep is needed, else it is wrong */
    const char *needs;
    word_run *run;
} words[] = {
    {"gc", REPORT_WRITE, 1, 1, true, "DB --keep N", gc},
    {"merge", REPORT_WRITE, 2, SIZE_MAX, false, "DB SOURCE...", merge},
    {"verify", REPORT_READ, 1, 1, false, "DB", verify},
};

int cli_report_word(const cli_options *o)
{
    const struct word *word = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(o->files[0], words[i].name) == 0)
            word = &words[i];
    if (word == NULL)
        return CLI_REPORT_NO_WORD;
    size_t count = o->file_count - 1;
    if (count < word->least || count > word->most ||
        (o->keep > 0) != word->keeps || o->run != 0 || o->format != NULL ||
        o->output != NULL || o->fail_on != NULL || o->known != NULL ||
        o->today != NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "report %s takes %s (a file of that name is "
                            "./%s)",
                            word->name, word->needs, word->name);
    report_store *store = NULL;
    report_error error;
    if (report_open(&store, o->files[1], word->mode, &error) != REPORT_OK)
        return complain(o->files[1], &error);
    int code = word->run(store, o, &error);
    report_status closed = report_close(store, &error);
    if (code == CLI_EXIT_FINE && closed != REPORT_OK)
        return complain(o->files[1], &error);
    return code;
}
