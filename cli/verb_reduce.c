/* counterpoint reduce: the smallest input that still has a finding. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz/case.h"
#include "fuzz/evaluate.h"
#include "input.h"
#include "reduce.h"
#include "sonata/score.h"
#include "totals.h"

#define MOST_TASKS 256
#define WINDOW ((size_t)8) /* texts asked for at once, per process */

typedef struct job {
    const cli_options *options;
    cli_text text;
    fuzz_case made; /* of a name */
    cli_view view;
    cli_goal goal;
    char message[160]; /* of the finding that was chosen */
    char planner[CLI_PLANNER_NAME];
    int64_t end; /* ms; 0: no end */
    bool failed;
} job;

/* --- The case --- */

static bool parse_name(fuzz_name *name, const char *word)
{
    const char *colon = strchr(word, ':');
    char *end;
    if (colon == NULL || colon[1] < '0' || colon[1] > '9')
        return false;
    errno = 0;
    name->index = strtoull(colon + 1, &end, 10);
    if (errno != 0 || *end != '\0')
        return false;
    for (uint32_t kind = 0; kind < FUZZ_KINDS; kind++) {
        const char *known = fuzz_kind_name((fuzz_kind)kind);
        name->stream = kind;
        if (strlen(known) == (size_t)(colon - word) &&
            strncmp(known, word, strlen(known)) == 0)
            return true;
    }
    return false;
}

static int make_case(job *j, const fuzz_name *name)
{
    const cli_options *o = j->options;
    fuzz_limits limits = {.tasks =
                              o->tasks > 0 ? (uint32_t)o->tasks : MOST_TASKS};
    fuzz_status status = fuzz_case_make(&j->made, name, &limits);
    if (status == FUZZ_NO_MEMORY)
        return cli_complain(CLI_EXIT_FAULT, "out of memory");
    if (status != FUZZ_OK)
        return cli_complain(CLI_EXIT_USAGE, "there is no case %s", o->files[0]);
    const fuzz_text *options = &j->made.options;
    j->view.made = true;
    j->view.ask = j->made.ask;
    if (options->length > 0)
        j->view.options = (cli_span){options->data, options->length};
    cli_text_add(&j->text, j->made.input.data, j->made.input.length);
    return 0;
}

static cli_kind kind_of(const job *j)
{
    const cli_text *t = &j->text;
    return j->view.batch.force_kind
               ? j->view.batch.kind
               : cli_kind_detect(t->length > 0 ? t->data : "", t->length);
}

/* The record of a run is reduced with what lies beside it, as a bundle. */
static int gather(job *j, const char *path)
{
    cli_found found = {.path = (char *)path, .name = path, .is_named = true};
    cli_case c = {.found = &found, .text = j->text};
    bool ok = cli_batch_sort(&c, &j->view.batch);
    j->text = c.text;
    c.text = (cli_text){0};
    if (ok && c.bundle.length > 0) {
        cli_text old = j->text;
        j->text = c.bundle;
        c.bundle = old;
        j->view.batch.force_kind = false;
    }
    cli_case_clear(&c);
    return ok ? 0 : cli_complain(CLI_EXIT_FAULT, "out of memory");
}

static int read_file(job *j, const char *path)
{
    char problem[160];
    if (!cli_input_read(&j->text, path, CLI_INPUT_LIMIT, false, problem,
                        sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s %s", path, problem);
    cli_kind kind = kind_of(j);
    if (kind == CLI_RECORD || kind == CLI_TRACE)
        return gather(j, path);
    return 0;
}

static bool is_file(const char *path)
{
    cli_text text = {0};
    char problem[160];
    bool ok = strcmp(path, "-") == 0 ||
              cli_input_read(&text, path, 1, true, problem, sizeof problem);
    cli_text_free(&text);
    return ok;
}

static int take_case(job *j)
{
    fuzz_name name = {.seed = (uint64_t)j->options->seed};
    const char *word = j->options->files[0];
    int status = !is_file(word) && parse_name(&name, word) ? make_case(j, &name)
                                                           : read_file(j, word);
    cli_text_put(&j->text, "");
    if (status == 0 && j->text.failed)
        status = cli_complain(CLI_EXIT_FAULT, "out of memory");
    return status;
}

/* --- The finding --- */

typedef struct choice {
    const cli_options *options;
    cli_goal *goal;
    char *message;
    size_t size;
    bool found;
} choice;

/* The gravest of those that are wanted, of equal ones the first. */
static bool consider(void *context, const cli_sight *s)
{
    choice *c = context;
    const cli_options *o = c->options;
    if ((o->rule != NULL && strcmp(o->rule, s->rule) != 0) ||
        (o->signature != NULL && strcmp(o->signature, s->signature) != 0) ||
        (c->found && s->severity <= c->goal->severity))
        return true;
    c->found = true;
    c->goal->severity = s->severity;
    snprintf(c->goal->rule, sizeof c->goal->rule, "%s", s->rule);
    snprintf(c->goal->signature, sizeof c->goal->signature, "%s", s->signature);
    snprintf(c->message, c->size, "%s", s->message);
    return true;
}

/* False: a fault of ours. */
static bool choose(bool *found, job *j)
{
    choice c = {j->options, &j->goal, j->message, sizeof j->message, false};
    cli_span text = {j->text.data, j->text.length};
    bool died = false;
    j->failed = !cli_reduce_list(&died, &j->view, text, consider, &c);
    if (j->failed)
        return false;
    if (died && j->options->rule == NULL && j->options->signature == NULL) {
        j->goal.death = c.found = true;
        snprintf(j->goal.rule, sizeof j->goal.rule, "judge");
        snprintf(j->message, sizeof j->message,
                 "the judge ends on it, which is a fault of this program");
    }
    *found = c.found;
    return true;
}

/*
 * Signatures group, but for dumps: a program keeps its names. One that was
 * asked for may be of either sort.
 */
static bool choose_signed(bool *found, job *j)
{
    const char *group = j->view.generated;
    if (!j->view.made && kind_of(j) == CLI_DUMP)
        j->view.generated = NULL;
    if (!choose(found, j) || *found || j->options->signature == NULL)
        return !j->failed;
    j->view.generated = j->view.generated == NULL ? group : NULL;
    if (choose(found, j) && !*found)
        j->view.generated = group;
    return !j->failed;
}

/* A Score is judged as it is; or else planned, and its plan judged. */
static bool find_goal(bool *found, job *j)
{
    if (!choose_signed(found, j))
        return false;
    if (*found || j->view.made || kind_of(j) != CLI_SCORE)
        return true;
    j->view.made = true;
    j->view.ask = "score";
    return choose_signed(found, j);
}

/* --- The reduction --- */

static bool is_over(void *context)
{
    const job *j = context;
    return j->end > 0 && cli_now() >= j->end;
}

typedef struct asking {
    job *j;
    cli_askers *askers;
} asking;

static void ask(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers)
{
    asking *a = context;
    cli_askers_ask(a->askers, texts, count, answers);
}

static bool enough(void *context)
{
    asking *a = context;
    return is_over(a->j);
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
    size_t jobs = (size_t)j->view.batch.jobs;
    asking a = {j, cli_askers_new(&j->view, &j->goal, jobs)};
    if (a.askers == NULL)
        return FUZZ_REDUCE_NO_MEMORY;
    fuzz_question q = {
        .ask = ask,
        .fingerprint = fingerprint,
        .enough = enough,
        .context = &a,
        .width = jobs == 1   ? 1
                 : jobs < 32 ? jobs * WINDOW
                             : 256,
    };
    fuzz_outcome outcome = fuzz_reduce(r, j->text.data, j->text.length, &q);
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
                    j->text.length);
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
        (unsigned long long)fuzz_count_tasks(j->text.data, j->text.length));
    if (path == NULL) {
        cli_text_put(out, ",\"text\":");
        cli_text_json(out, r->text, r->length);
    }
    cli_text_put(out, "}\n");
}

static void tell(const job *j, const fuzz_reduction *r)
{
    unsigned long long before = fuzz_count_tasks(j->text.data, j->text.length);
    unsigned long long after = fuzz_count_tasks(r->text, r->length);
    fprintf(stderr, "counterpoint: %s: from ", j->goal.rule);
    if (before > 0)
        fprintf(stderr, "%llu tasks and ", before);
    fprintf(stderr, "%zu bytes to ", j->text.length);
    if (before > 0)
        fprintf(stderr, "%llu and ", after);
    fprintf(stderr, "%zu, %s after %llu steps and %llu questions\n", r->length,
            r->minimal ? "1-minimal" : "not yet minimal",
            (unsigned long long)r->steps, (unsigned long long)r->calls);
}

static int show(const job *j, const fuzz_reduction *r)
{
    const cli_options *o = j->options;
    const char *path = o->output;
    if (path != NULL && !write_file(path, r->text, r->length))
        return cli_complain(CLI_EXIT_USAGE, "%s cannot be written: %s", path,
                            strerror(errno));
    if (o->json) {
        cli_text out = {0};
        put_object(&out, j, r, path);
        bool ok = !out.failed &&
                  fwrite(out.data, 1, out.length, stdout) == out.length;
        cli_text_free(&out);
        if (!ok)
            return cli_complain(CLI_EXIT_FAULT, "out of memory");
    } else if (path == NULL) {
        fwrite(r->text, 1, r->length, stdout);
    }
    if (!o->quiet)
        tell(j, r);
    return CLI_EXIT_FINE;
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

static int nothing_found(const cli_options *o)
{
    const char *of = o->rule != NULL        ? o->rule
                     : o->signature != NULL ? o->signature
                                            : "any kind";
    return cli_complain(CLI_EXIT_NOTHING,
                        "%s: there is no finding of %s to be kept", o->files[0],
                        of);
}

int cli_verb_reduce(const cli_options *options)
{
    job j = {.options = options};
    bool found = false;
    cli_batch_options_set(&j.view.batch, options);
    j.view.batch.progress = false;
    cli_planner_name(j.planner, options->planner);
    j.view.generated = j.planner;
    if (options->seconds > 0)
        j.end = cli_now() + 1000 * options->seconds;
    int status = take_case(&j);
    if (status == 0 && !find_goal(&found, &j))
        status = cli_complain(CLI_EXIT_FAULT, "out of memory, or of processes");
    else if (status == 0)
        status = found ? reduce_and_show(&j) : nothing_found(options);
    fuzz_case_free(&j.made);
    cli_text_free(&j.text);
    return status;
}
