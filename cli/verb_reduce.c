/* counterpoint reduce: the smallest input that still has a finding. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/answer.h"
#include "print.h"
#include "reduce_case.h"
#include "reduce_keep.h"
#include "sonata/score.h"
#include "totals.h"

/* Another signal than 0 asks for what there is by now. */
static volatile sig_atomic_t stop_signal;

static void ask_to_stop(int number)
{
    stop_signal = number;
}

typedef struct job {
    const cli_options *options;
    cli_reduce_case c;
    cli_goal goal;
    int64_t end; /* ms; 0: no end */
    bool failed;
} job;

/* --- The finding --- */

typedef struct choice {
    const cli_options *options;
    const char *signature; /* that is wanted, or NULL */
    cli_goal *goal;
    bool found;
} choice;

/* The gravest of those that are wanted, of equal ones the first. */
static bool consider(void *context, const cli_sight *s)
{
    choice *c = context;
    const char *rule = c->options->rule, *signature = c->signature;
    if ((rule != NULL && strcmp(rule, s->rule) != 0) ||
        (signature != NULL &&
         !oracle_signature_same(s->rule, signature, s->signature)) ||
        (c->found && s->severity <= c->goal->severity))
        return true;
    c->found = true;
    c->goal->severity = s->severity;
    snprintf(c->goal->rule, sizeof c->goal->rule, "%s", s->rule);
    snprintf(c->goal->signature, sizeof c->goal->signature, "%s",
             signature != NULL ? signature : s->signature);
    return true;
}

/* False: a fault of ours. */
static bool choose(bool *found, job *j)
{
    choice c = {j->options, j->c.signature, &j->goal, false};
    cli_span text = {j->c.text.data, j->c.text.length};
    bool died = false;
    j->failed = !cli_reduce_list(&died, &j->c.view, text, consider, &c);
    if (died && j->options->rule == NULL && j->c.signature == NULL) {
        j->goal.death = c.found = true;
        j->goal.severity = CLI_ERROR;
        snprintf(j->goal.rule, sizeof j->goal.rule, "a fault of the judge");
    }
    *found = c.found;
    return !j->failed;
}

/*
 * Signatures group, but for dumps: a program keeps its names. One that was
 * asked for may be of either sort.
 */
static bool choose_signed(bool *found, job *j)
{
    const char *group = j->c.view.generated;
    if (!j->c.view.made && cli_reduce_kind(&j->c) == CLI_DUMP)
        j->c.view.generated = NULL;
    if (!choose(found, j) || *found || j->c.signature == NULL)
        return !j->failed;
    j->c.view.generated = j->c.view.generated == NULL ? group : NULL;
    if (choose(found, j) && !*found)
        j->c.view.generated = group;
    return !j->failed;
}

/* A Score is judged as it is; or else planned, and its plan judged. */
static bool find_goal(bool *found, job *j)
{
    if (!choose_signed(found, j))
        return false;
    if (*found || j->c.view.made || cli_reduce_kind(&j->c) != CLI_SCORE)
        return true;
    j->c.view.made = true;
    j->c.view.ask = "score";
    return choose_signed(found, j);
}

/* --- The reduction --- */

typedef struct asking {
    const job *j;
    cli_askers *askers;
} asking;

static void ask(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers)
{
    asking *a = context;
    cli_askers_ask(a->askers, texts, count, answers);
}

static bool is_over(void *context)
{
    const asking *a = context;
    return stop_signal != 0 || (a->j->end > 0 && cli_now() >= a->j->end);
}

static bool fingerprint(char hex[65], const char *text, size_t length)
{
    sonata_score score = {0};
    sonata_error error = {0};
    bool ok =
        sonata_score_read(&score, text, length, NULL, &error) == SONATA_OK &&
        sonata_score_fingerprint(hex, &score, false, &error) == SONATA_OK;
    sonata_score_free(&score);
    return ok;
}

static fuzz_outcome reduce(fuzz_reduction *r, job *j)
{
    size_t jobs = (size_t)j->c.view.batch.jobs;
    struct sigaction action = {.sa_handler = ask_to_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    asking a = {j, cli_askers_new(&j->c.view, &j->goal, jobs)};
    if (a.askers == NULL)
        return FUZZ_REDUCE_NO_MEMORY;
    fuzz_question q = {
        .ask = ask,
        .fingerprint = fingerprint,
        .enough = is_over,
        .context = &a,
        .width = jobs,
    };
    fuzz_outcome outcome = fuzz_reduce(r, j->c.text.data, j->c.text.length, &q);
    cli_askers_free(a.askers);
    return outcome;
}

/* --- What is told --- */

static bool write_file(const char *path, const char *data, size_t length)
{
    FILE *out = fopen(path, "wbe");
    bool ok = out != NULL && fwrite(data, 1, length, out) == length;
    if (out != NULL && fclose(out) != 0)
        ok = false;
    return ok;
}

static void put_object(cli_text *out, const job *j, const fuzz_reduction *r,
                       const char *path)
{
    static const char *const severities[] = {"note", "warning", "error"};
    cli_text_printf(out, "{\"bytes\":{\"after\":%zu,\"before\":%zu}", r->length,
                    j->c.text.length);
    cli_text_printf(out, ",\"calls\":%llu", (unsigned long long)r->calls);
    if (path != NULL) {
        cli_text_put(out, ",\"file\":");
        cli_text_quote(out, path);
    }
    cli_text_printf(out,
                    ",\"minimal\":%s,\"rule\":", r->minimal ? "true" : "false");
    cli_text_quote(out, j->goal.rule);
    cli_text_printf(out, ",\"severity\":\"%s\",\"signature\":",
                    severities[j->goal.severity]);
    cli_text_quote(out, j->goal.signature);
    cli_text_printf(
        out, ",\"steps\":%llu,\"tasks\":{\"after\":%llu,\"before\":%llu}",
        (unsigned long long)r->steps,
        (unsigned long long)fuzz_count_tasks(r->text, r->length),
        (unsigned long long)fuzz_count_tasks(j->c.text.data, j->c.text.length));
    if (path == NULL) {
        cli_text_put(out, ",\"text\":");
        cli_text_json(out, r->text, r->length);
    }
    cli_text_put(out, "}\n");
}

static void tell(const job *j, const fuzz_reduction *r)
{
    unsigned long long before =
        fuzz_count_tasks(j->c.text.data, j->c.text.length);
    unsigned long long after = fuzz_count_tasks(r->text, r->length);
    fprintf(stderr, "counterpoint: %s: from ", j->goal.rule);
    if (before > 0)
        fprintf(stderr, "%llu tasks and ", before);
    fprintf(stderr, "%zu bytes to ", j->c.text.length);
    if (before > 0)
        fprintf(stderr, "%llu and ", after);
    fprintf(stderr, "%zu, %s after %llu steps and %llu questions\n", r->length,
            r->minimal ? "1-minimal" : "not yet minimal",
            (unsigned long long)r->steps, (unsigned long long)r->calls);
}

/* Before the work: a place that cannot be written is wrong usage. */
static int check_places(const cli_options *o)
{
    char problem[320];
    if ((o->output != NULL && strcmp(o->output, "-") != 0 &&
         !cli_print_may_write(o->output, problem, sizeof problem)) ||
        (o->into != NULL &&
         !cli_print_may_fill(o->into, problem, sizeof problem)))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    return 0;
}

/* Where the result goes, but for standard output; else a status, told. */
static int save(cli_text *path, const job *j, const fuzz_reduction *r)
{
    char problem[320];
    bool is_new = false;
    const cli_options *o = j->options;
    const char *file =
        o->output != NULL && strcmp(o->output, "-") != 0 ? o->output : NULL;
    cli_span text = {r->text, r->length};
    if (file != NULL && !write_file(file, r->text, r->length))
        return cli_complain(CLI_EXIT_USAGE, "%s cannot be written: %s", file,
                            strerror(errno));
    if (o->into == NULL) {
        cli_text_put(path, file == NULL ? "" : file);
        return path->failed ? cli_complain(CLI_EXIT_FAULT, "out of memory") : 0;
    }
    if (!cli_reduce_keep(path, &is_new, o->into, &j->c.view,
                         j->goal.death ? "crash" : j->goal.rule, text, problem,
                         sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    if (!o->quiet && is_new)
        cli_complain(0,
                     "%s and %s.expect are written: look at the second, which "
                     "has what is found now, and write into it what is right",
                     path->data, path->data);
    else if (!o->quiet)
        cli_complain(0,
                     "%s is written; %s.expect was there already and stays as "
                     "it is",
                     path->data, path->data);
    return 0;
}

static int show(const job *j, const fuzz_reduction *r)
{
    cli_text path = {0}, out = {0};
    int status = save(&path, j, r);
    if (status != 0) /* what took so long is printed all the same */
        cli_text_clear(&path);
    if (j->options->json)
        put_object(&out, j, r, path.length == 0 ? NULL : path.data);
    else if (path.length == 0)
        cli_text_add(&out, r->text, r->length);
    if (out.failed)
        status = cli_complain(CLI_EXIT_FAULT, "out of memory");
    else if (out.length > 0)
        fwrite(out.data, 1, out.length, stdout);
    if (status == 0 && !j->options->quiet)
        tell(j, r);
    cli_text_free(&path);
    cli_text_free(&out);
    return status;
}

static int reduce_and_show(job *j)
{
    fuzz_reduction r = {0};
    fuzz_outcome outcome = reduce(&r, j);
    int status =
        outcome == FUZZ_REDUCED ? show(j, &r)
        : outcome == FUZZ_REDUCE_NOT_ASKED
            ? cli_complain(CLI_EXIT_FAULT,
                           "%s: the finding is not there when asked again",
                           j->goal.rule)
        : outcome == FUZZ_REDUCE_FAILED
            ? cli_complain(CLI_EXIT_FAULT, "out of memory, or of processes")
            : cli_complain(CLI_EXIT_FAULT, "out of memory");
    free(r.text);
    return status;
}

/* Findings that no text has by itself, and what to do about them. */
static const char *why_not(const char *rule)
{
    static const struct {
        const char *rule, *why;
    } rules[] = {
        {"diff.expected",
         "is about what was known of the input when it was made, and nothing "
         "is known of a smaller one: reduce the rule that its message names "
         "(--rule)"},
        {"diff.frontend",
         "is about a dump and the files of another program beside it, which "
         "would have to become smaller with it: make the program smaller"},
        {"diff.stage", "is about two stages of a dump, and a file has one"},
        {"diff.plan", "is about two documents, and only one is reduced"},
        {"score.identity", "is about two documents, and only one is reduced"},
        {"diff.roundtrip",
         "is about several answers of the planner, which fuzz --mode full "
         "alone compares (--case makes them again)"},
        {"diff.repeat",
         "is about several answers of the planner, which fuzz --mode full "
         "alone compares (--case makes them again)"},
        {"diff.metamorphic",
         "is about two related inputs, and a smaller one has no related one "
         "(fuzz --mode full --case makes both again)"},
        {"planner.protocol",
         "is not found when the planner gets this input alone: the message "
         "names the case of the block that has it, or no case has it alone"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].rule, rule) == 0)
            return rules[i].why;
    return NULL;
}

static int nothing_found(const job *j)
{
    const char *rule = j->options->rule, *signature = j->c.signature;
    const char *stored = j->c.stored.rule;
    const char *wanted = rule != NULL                          ? rule
                         : signature == NULL || stored == NULL ? ""
                                                               : stored;
    if (why_not(wanted) != NULL)
        return cli_complain(CLI_EXIT_NOTHING, "%s: %s %s", j->options->files[0],
                            wanted, why_not(wanted));
    return cli_complain(CLI_EXIT_NOTHING, "%s has no finding%s%s%s%s",
                        j->options->files[0], rule == NULL ? "" : " of ",
                        rule == NULL ? "" : rule,
                        signature == NULL ? "" : " with the signature ",
                        signature == NULL ? "" : signature);
}

static int check_options(const cli_options *o)
{
    if (o->rule != NULL && oracle_rule_find(o->rule) == NULL)
        return cli_unknown_rule(o->rule);
    if (o->signature != NULL && !cli_reduce_is_signature(o->signature))
        return cli_complain(CLI_EXIT_USAGE,
                            "a signature has 16 hex digits, '%s' has not",
                            o->signature);
    return check_places(o);
}

int cli_verb_reduce(const cli_options *options)
{
    job j = {.options = options};
    bool found = false;
    int status = check_options(options);
    if (status != 0)
        return status;
    if (options->seconds > 0)
        j.end = cli_now() + 1000 * options->seconds;
    status = cli_reduce_take(&j.c, options);
    if (status == 0 && !find_goal(&found, &j))
        status = cli_complain(CLI_EXIT_FAULT, "out of memory, or of processes");
    else if (status == 0)
        status = found ? reduce_and_show(&j) : nothing_found(&j);
    cli_reduce_case_free(&j.c);
    return status;
}
