/* The case that is reduced: a file, a generated one, one of a database. */
#include "reduce_case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/block.h"
#include "input.h"
#include "totals.h"

#define MOST_TASKS 256
#define SIGNATURE ((size_t)16)

static int out_of_memory(void)
{
    return cli_complain(CLI_EXIT_FAULT, "out of memory");
}

cli_kind cli_reduce_kind(const cli_reduce_case *c)
{
    const cli_text *t = &c->text;
    return c->view.batch.force_kind
               ? c->view.batch.kind
               : cli_kind_detect(t->length > 0 ? t->data : "", t->length);
}

/* --- Generated --- */

static int make_case(cli_reduce_case *c, const fuzz_name *name,
                     const cli_options *o)
{
    fuzz_limits limits = {.tasks =
                              o->tasks > 0 ? (uint32_t)o->tasks : MOST_TASKS};
    fuzz_status status = fuzz_case_make(&c->made, name, &limits);
    if (status == FUZZ_NO_MEMORY)
        return out_of_memory();
    if (status != FUZZ_OK)
        return cli_complain(CLI_EXIT_USAGE, "there is no case %s", o->files[0]);
    const fuzz_text *options = &c->made.options;
    c->view.made = true;
    c->view.ask = c->made.ask;
    if (options->length > 0)
        c->view.options = (cli_span){options->data, options->length};
    cli_text_add(&c->text, c->made.input.data, c->made.input.length);
    return 0;
}

/* --- Files --- */

/* The record of a run is reduced with what lies beside it, as a bundle. */
static int gather(cli_reduce_case *c, const char *path)
{
    cli_found found = {.path = (char *)path, .name = path, .is_named = true};
    cli_case whole = {.found = &found, .text = c->text};
    bool ok = cli_batch_sort(&whole, &c->view.batch);
    c->text = whole.text;
    whole.text = (cli_text){0};
    if (ok && whole.bundle.length > 0) {
        cli_text old = c->text;
        c->text = whole.bundle;
        whole.bundle = old;
        c->view.batch.force_kind = false;
    }
    cli_case_clear(&whole);
    return ok ? 0 : out_of_memory();
}

static int read_file(cli_reduce_case *c, const char *path)
{
    char problem[160];
    if (!cli_input_read(&c->text, path, CLI_INPUT_LIMIT, false, problem,
                        sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s %s", path, problem);
    cli_kind kind = cli_reduce_kind(c);
    return kind == CLI_RECORD || kind == CLI_TRACE ? gather(c, path) : 0;
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

/* --- Of a database --- */

bool cli_reduce_is_signature(const char *word)
{
    return strspn(word, "0123456789abcdef") == SIGNATURE &&
           word[SIGNATURE] == '\0';
}

/* What the planner was asked about a case that `fuzz` has kept. */
static const char *asked_of(const char *name)
{
    static const struct {
        const char *kind, *ask;
    } kinds[] = {{"score:", "score"}, {"memory:", "score"}, {"ir:", "ir"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i].kind, strlen(kinds[i].kind)) == 0)
            return kinds[i].ask;
    return NULL;
}

/*
 * What was found was found of the planner's answers. A command out of a file
 * is not run unasked: whoever trusts it names it again.
 */
static int check_planner(const cli_reduce_case *c, const cli_options *o)
{
    cli_span options = {c->stored.options, strlen(c->stored.options)}, value;
    cli_text planner = {0};
    int status = 0;
    if (o->planner == NULL && cli_span_member(&value, options, "planner") &&
        cli_span_text(&planner, value) && planner.length > 0)
        status = cli_complain(CLI_EXIT_USAGE,
                              "case %lld was answered by another planner: name "
                              "it again (--planner '%s'), or another one",
                              (long long)c->stored.number, planner.data);
    cli_text_free(&planner);
    return status;
}

/*
 * Cases of `fuzz` have a shape, and what the planner was told besides. Of them
 * the run has kept where two answers differ: that is what is reduced, and not
 * an error that was built in.
 */
static void take_stored(cli_reduce_case *c, const cli_options *o)
{
    const report_stored *s = &c->stored;
    cli_span details = {s->details, strlen(s->details)}, value;
    cli_text_add(&c->text, s->text, s->length);
    c->view.made = cli_span_member(&value, details, "shape");
    if (!c->view.made)
        c->view.batch.force_kind =
            cli_kind_parse(&c->view.batch.kind, s->kind) &&
            c->view.batch.kind != CLI_RECORD && c->view.batch.kind != CLI_TRACE;
    c->view.ask = c->view.made ? asked_of(s->name) : NULL;
    if (c->view.made && cli_span_member(&value, details, "options"))
        c->view.options = value;
    if (c->view.made && c->signature == NULL && o->rule == NULL &&
        *s->signature != '\0')
        c->signature = s->signature;
}

static int find_stored(cli_reduce_case *c, const cli_options *o)
{
    report_store *store = NULL;
    report_error error, ignored;
    const char *word = o->files[0];
    char *end;
    errno = 0;
    long long number = strtoll(word, &end, 10);
    bool by_number = errno == 0 && *end == '\0' && number > 0;
    if (!by_number && !cli_reduce_is_signature(word))
        return cli_complain(CLI_EXIT_USAGE,
                            "%s is neither the number of a case nor a "
                            "signature of 16 hex digits",
                            word);
    report_status status = report_open(&store, o->db, REPORT_READ, &error);
    if (status == REPORT_OK)
        status = report_find_case(&c->stored, store, o->run, number,
                                  by_number ? NULL : word, &error);
    if (store != NULL)
        (void)report_close(store, &ignored);
    if (status != REPORT_OK)
        return cli_complain(cli_store_exit(status), "%s: %s", o->db,
                            error.message);
    if (!by_number)
        c->signature = word;
    take_stored(c, o);
    return check_planner(c, o);
}

/* --- All of them --- */

int cli_reduce_take(cli_reduce_case *c, const cli_options *o)
{
    fuzz_name name = {.seed = (uint64_t)o->seed};
    int status;
    if (o->run > 0 && o->db == NULL)
        return cli_complain(CLI_EXIT_USAGE, "--run goes with --db");
    cli_batch_options_set(&c->view.batch, o);
    c->view.batch.progress = false;
    cli_planner_name(c->planner, o->planner);
    c->view.generated = c->planner;
    c->signature = o->signature;
    if (o->db != NULL)
        status = find_stored(c, o);
    else if (!is_file(o->files[0]) && cli_case_label_read(&name, o->files[0]))
        status = make_case(c, &name, o);
    else
        status = read_file(c, o->files[0]);
    cli_text_put(&c->text, "");
    return status == 0 && c->text.failed ? out_of_memory() : status;
}

void cli_reduce_case_free(cli_reduce_case *c)
{
    fuzz_case_free(&c->made);
    report_stored_free(&c->stored);
    cli_text_free(&c->text);
}
