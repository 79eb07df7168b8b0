/* counterpoint triage: buckets over many runs, and what becomes of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../keep.h"
#include "../known.h"
#include "../print.h"
#include "../totals.h"
#include "oracle/judge.h"
#include "triage.h"

typedef struct word {
    const char *name;
    size_t least, most; /* words behind the database */
    const char *needs;
    const char *options; /* that it takes, each with a blank behind it */
    report_mode mode;
    int (*run)(cli_triage *t);
} word;

#define KNOWN "--known --today "

static const word words[] = {
    {"list", 0, 0, "DB", "--run --state --rule --all " KNOWN, REPORT_READ,
     cli_triage_list},
    {"since", 1, 1, "DB RUN", "--state --rule --all " KNOWN, REPORT_READ,
     cli_triage_since},
    {"compare", 2, 2, "DB RUN1 RUN2", "--rule --fail-on " KNOWN, REPORT_READ,
     cli_triage_compare},
    {"why", 1, 1, "DB BUCKET", "--repo --bisect ", REPORT_READ, cli_triage_why},
    {"set", 1, 1, "DB BUCKET", "--note --label --unlabel ", REPORT_WRITE,
     cli_triage_set},
    {"join", 2, 2, "DB BUCKET BUCKET", "", REPORT_WRITE, cli_triage_join},
    {"split", 1, 2, "DB BUCKET PATTERN", "--undo ", REPORT_WRITE,
     cli_triage_split},
    {"rerun", 1, 1, "DB BUCKET",
     "--times --planner --timeout --memory --revision ", REPORT_WRITE,
     cli_triage_rerun},
    {"speed", 0, 1, "DB [FILE]", "--run --revision ", REPORT_WRITE,
     cli_triage_speed},
    {"show", 1, 1, "DB BUCKET", "--input -o " KNOWN, REPORT_READ,
     cli_triage_show},
};
#define WORDS (sizeof words / sizeof *words)

/* --- Usage --- */

static const word *find_word(const char *name)
{
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(words[i].name, name) == 0)
            return &words[i];
    return NULL;
}

static int unknown_word(const char *name)
{
    const char *names[WORDS + 1] = {NULL};
    for (size_t i = 0; i < WORDS; i++)
        names[i] = words[i].name;
    const char *closest = cli_closest(name, names);
    return cli_complain(
        CLI_EXIT_USAGE, "triage does not know '%s'%s%s%s", name,
        closest == NULL ? " (counterpoint triage --help)" : ", did you mean '",
        closest == NULL ? "" : closest, closest == NULL ? "" : "'?");
}

/* An option that a word does not take would be without effect. */
static int check_options(const word *w, const cli_options *o)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"--run ", o->run > 0},
        {"--state ", o->state != NULL},
        {"--rule ", o->rule != NULL},
        {"--all ", o->all},
        {"--known ", o->known != NULL},
        {"--today ", o->today != NULL},
        {"--fail-on ", o->fail_on != NULL},
        {"--input ", o->input},
        {"-o ", o->output != NULL},
        {"--repo ", o->repo != NULL},
        {"--bisect ", o->bisect != NULL},
        {"--note ", o->note != NULL},
        {"--label ", o->label != NULL},
        {"--unlabel ", o->unlabel != NULL},
        {"--undo ", o->undo},
        {"--times ", o->times > 0},
        {"--planner ", o->planner != NULL},
        {"--timeout ", o->timeout > 0},
        {"--memory ", o->memory > 0},
        {"--revision ", o->revision != NULL},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && strstr(w->options, options[i].name) == NULL)
            return cli_complain(CLI_EXIT_USAGE, "%sdoes not go with triage %s",
                                options[i].name, w->name);
    return 0;
}

static int check_usage(const word *w, const cli_options *o)
{
    size_t behind = o->file_count < 2 ? 0 : o->file_count - 2;
    if (o->file_count < 2 || behind < w->least)
        return cli_complain(CLI_EXIT_USAGE, "triage %s needs %s", w->name,
                            w->needs);
    if (behind > w->most)
        return cli_complain(CLI_EXIT_USAGE,
                            "triage %s does not know what to do with '%s'",
                            w->name, o->files[2 + w->most]);
    if (strcmp(w->name, "speed") == 0 && behind == 0 && o->revision != NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "--revision goes with a FILE to record");
    return check_options(w, o);
}

/* --- What they share --- */

int cli_triage_fail(const cli_triage *t, const report_error *error)
{
    return cli_complain(cli_store_exit(error->status), "%s: %s", t->db,
                        error->message);
}

int cli_triage_no_memory(void)
{
    return cli_complain(CLI_EXIT_FAULT, "out of memory");
}

int cli_triage_run(int64_t *run, const char *text)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < 1)
        return cli_complain(CLI_EXIT_USAGE, "'%s' is not the number of a run",
                            text);
    *run = number;
    return 0;
}

int cli_triage_named(int64_t *bucket, int64_t *head, const cli_triage *t,
                     const char *text)
{
    report_error error;
    report_status status =
        report_find_bucket(bucket, head, t->store, text, &error);
    return status == REPORT_OK ? 0 : cli_triage_fail(t, &error);
}

int cli_triage_bucket(int64_t *bucket, int64_t *head, const cli_triage *t)
{
    return cli_triage_named(bucket, head, t, t->words[0]);
}

static bool take_options(void *context, const report_run_info *run)
{
    cli_text_put(context, run->options);
    return true;
}

int cli_run_options(cli_text *out, const cli_triage *t, int64_t run)
{
    report_error error;
    if (report_see_one_run(t->store, run, take_options, out, &error) !=
        REPORT_OK)
        return cli_triage_fail(t, &error);
    return out->failed ? cli_triage_no_memory() : 0;
}

report_run cli_triage_begin_run(char started[CLI_TRIAGE_NOW],
                                const cli_triage *t, const char *options)
{
    cli_keep_now(started);
    return (report_run){COUNTERPOINT_VERSION, options, t->options->revision,
                        started};
}

/* --- Beginning --- */

static int open_store(cli_triage *t, report_mode mode)
{
    report_error error;
    bool speed = strcmp(t->options->files[0], "speed") == 0;
    bool makes = speed && t->options->file_count > 2;
    if (speed && !makes)
        mode = REPORT_READ;
    if (mode == REPORT_WRITE && !makes && access(t->db, F_OK) != 0)
        return cli_complain(CLI_EXIT_USAGE, "%s: cannot be opened: %s", t->db,
                            strerror(errno));
    report_status status = report_open(&t->store, t->db, mode, &error);
    if (status == REPORT_OK)
        status = report_triage(t->store, &t->known, t->today, &error);
    return status == REPORT_OK ? 0 : cli_triage_fail(t, &error);
}

static bool see_one(void *context, const report_issue *issue)
{
    (void)issue;
    *(bool *)context = true;
    return false;
}

/* A rule of another version may be in the database; one that is nowhere would
   be listed as empty. */
static int check_rule(const cli_triage *t)
{
    report_question question = {.rule = t->options->rule, .all = true};
    report_error error;
    bool seen = false;
    if (question.rule == NULL || oracle_rule_find(question.rule) != NULL)
        return 0;
    if (report_each_issue(t->store, &question, see_one, &seen, &error) !=
        REPORT_OK)
        return cli_triage_fail(t, &error);
    return seen ? 0 : cli_unknown_rule(question.rule);
}

static int begin(cli_triage *t, const word *w)
{
    int status = cli_known_read(&t->known, t->today, t->options);
    if (status == 0)
        status = open_store(t, w->mode);
    return status == 0 ? check_rule(t) : status;
}

static int end(cli_triage *t, int status)
{
    report_error error;
    if (t->out.failed)
        status = cli_triage_no_memory();
    else if (!cli_print_out(stdout, &t->out))
        status = CLI_EXIT_FAULT;
    if (t->store != NULL && report_close(t->store, &error) != REPORT_OK &&
        status == 0)
        status = cli_triage_fail(t, &error);
    cli_text_free(&t->out);
    report_known_free(&t->known);
    return status;
}

int cli_verb_triage(const cli_options *options)
{
    const word *w = find_word(options->files[0]);
    if (w == NULL)
        return unknown_word(options->files[0]);
    int status = check_usage(w, options);
    if (status != 0)
        return status;
    cli_triage t = {
        .options = options,
        .db = options->files[1],
        .words = options->files + 2,
        .color = cli_print_colors(stdout),
    };
    status = begin(&t, w);
    if (status == 0)
        status = w->run(&t);
    return end(&t, status);
}
