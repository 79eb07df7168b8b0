/* counterpoint gate: the answers of today against the golden files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "command.h"
#include "gate_inputs.h"
#include "gate_print.h"
#include "input.h"
#include "print.h"
#include "totals.h"

#define GOLDEN_FOLDER "golden"
#define GOLDEN_LIMIT ((size_t)256 << 20)
#define PROGRESS_MS 100

typedef struct gate {
    const cli_options *options;
    const char *folder;
    char today[CLI_DAY_LENGTH + 1];
    cli_index index;
    cli_gate_inputs inputs;
    cli_names blessed; /* cases that the index is to list from now on */
    cli_names removed; /* golden files that were given up */
    cli_digest digest;
    int64_t states[CLI_GATE_STATES];
    int64_t cases;
    int64_t expected;   /* cases that fail as expected */
    int64_t written;    /* golden files written or removed */
    int64_t unreadable; /* inputs */
    int64_t unblessed;  /* cases that could not be blessed */
    int64_t shown;      /* ms: when progress was shown last */
    bool color;
    bool progress;
} gate;

static bool tell(cli_text *out)
{
    bool ok = cli_print_out(stdout, out);
    cli_text_free(out);
    return ok;
}

static bool show(const gate *g, const cli_gate_entry *e)
{
    cli_text out = {0};
    if (g->options->json)
        cli_gate_put_json(&out, e);
    else if (!g->options->quiet)
        cli_gate_put_text(&out, e, g->options->why != NULL, g->color);
    return tell(&out);
}

static bool add_digest(gate *g, const char *name, const cli_text *facts)
{
    char hex[65];
    cli_text text = {0};
    cli_text_printf(&text, "%s\n", name);
    cli_text_add(&text, facts->data, facts->length);
    bool ok = !text.failed && cli_sha256(hex, text.data, text.length) &&
              cli_digest_add(&g->digest, hex);
    cli_text_free(&text);
    return ok;
}

/* --- Blessing --- */

static bool say_blessed(const gate *g, const char *word, const char *what)
{
    cli_text out = {0};
    if (!g->options->json && !g->options->quiet)
        cli_text_printf(&out, "%s %s\n", word, what);
    return tell(&out);
}

/* A death or a time limit is no answer that would come again. */
static const char *bless_obstacle(const cli_case *c, const cli_golden *golden)
{
    if (c->own_fault || c->verdict >= CLI_CRASHED)
        return c->reason.length > 0 ? c->reason.data : "it has no answer";
    if (golden->bad_line > 0)
        return "its golden file has a line that is no expectation";
    return NULL;
}

static bool bless(gate *g, const cli_case *c, const cli_gate_entry *e)
{
    cli_text out = {0};
    const char *obstacle = bless_obstacle(c, e->golden);
    if (obstacle != NULL) {
        g->unblessed++;
        cli_complain(0, "%s is not blessed: %s", e->name, obstacle);
        return true;
    }
    cli_golden_bless(&out, e->golden);
    const cli_text *was = &e->golden->text;
    bool same = e->state != CLI_GATE_NEW && e->state != CLI_GATE_MISSING &&
                out.length == was->length &&
                memcmp(out.data, was->data, out.length) == 0;
    bool ok = !out.failed && (same || cli_golden_write(e->file, &out)) &&
              cli_names_add(&g->blessed, strdup(e->name));
    if (ok && !same) {
        g->written++;
        ok = say_blessed(g, "blessed", e->name);
    }
    cli_text_free(&out);
    return ok;
}

/* --- A case --- */

static bool read_golden(cli_golden *golden, const char *file, bool *exists)
{
    char problem[160];
    *exists = access(file, F_OK) == 0;
    if (!*exists)
        return cli_golden_parse(golden);
    if (cli_input_read(&golden->text, file, GOLDEN_LIMIT, false, problem,
                       sizeof problem))
        return cli_golden_parse(golden);
    cli_complain(0, "%s %s", file, problem);
    return false;
}

static cli_gate_state state_of(const gate *g, const cli_gate_entry *e,
                               bool exists)
{
    if (!exists)
        return cli_names_have(&g->index.cases, e->name) ? CLI_GATE_MISSING
                                                        : CLI_GATE_NEW;
    if (cli_gate_first_stage(e) != CLI_STAGES || e->golden->bad_line > 0)
        return CLI_GATE_CHANGED;
    return CLI_GATE_SAME;
}

static bool check(gate *g, const cli_case *c, const char *name,
                  const char *file)
{
    bool exists;
    cli_text facts = {0};
    cli_golden golden = {0};
    cli_gate_entry e = {
        .name = name,
        .file = file,
        .sha256 = c->sha256[0] == '\0' ? NULL : c->sha256,
        .golden = &golden,
        .today = g->today,
    };
    cli_facts_put(&facts, c);
    bool ok = !facts.failed && add_digest(g, name, &facts) &&
              read_golden(&golden, file, &exists) &&
              cli_golden_compare(&golden, &facts);
    if (ok) {
        e.state = state_of(g, &e, exists);
        g->states[e.state]++;
        g->expected += e.state == CLI_GATE_SAME && golden.difference_count > 0;
        if (g->options->bless) {
            ok = bless(g, c, &e);
        } else {
            if (!exists)
                e.golden = NULL;
            ok = show(g, &e);
        }
    }
    cli_golden_free(&golden);
    cli_text_free(&facts);
    return ok;
}

static bool case_done(void *context, const cli_case *c)
{
    gate *g = context;
    const char *name = g->inputs.names[c->number - 1];
    if (c->unreadable) {
        g->unreadable++;
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
        return true;
    }
    g->cases++;
    char *file = cli_golden_file(name);
    char *path = file == NULL ? NULL : cli_path_join(g->folder, file);
    bool ok = path != NULL && check(g, c, name, path);
    free(file);
    free(path);
    return ok;
}

static bool case_idle(void *context)
{
    gate *g = context;
    if (!g->progress || cli_now() - g->shown < PROGRESS_MS)
        return true;
    g->shown = cli_now();
    fprintf(stderr, "\r%lld of %zu cases", (long long)g->cases,
            g->inputs.search.count);
    fflush(stderr);
    return true;
}

/* --- Golden files without an input --- */

static bool give_up(gate *g, const char *file, const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT) {
        cli_complain(0, "%s cannot be removed: %s", path, strerror(errno));
        return false;
    }
    g->written++;
    return cli_names_add(&g->removed, strdup(file)) &&
           say_blessed(g, "removed", path);
}

static bool take_orphan(gate *g, const char *file)
{
    char *path = cli_path_join(g->folder, file);
    cli_gate_entry e = {
        .state = CLI_GATE_ORPHAN,
        .file = path,
        .today = g->today,
    };
    g->states[CLI_GATE_ORPHAN]++;
    bool ok = path != NULL &&
              (g->options->bless ? give_up(g, file, path) : show(g, &e));
    free(path);
    return ok;
}

/*
 * Nothing is given up because a path was mistyped or could not be read: then
 * orphans stay, also when all is blessed.
 */
static bool take_orphans(gate *g)
{
    cli_names files = {0}, orphans = {0};
    bool ok = cli_golden_scan(&files, g->folder);
    for (size_t i = 0; ok && i < files.count; i++)
        if (cli_gate_in_scope(&g->inputs, files.items[i]) &&
            !cli_names_have(&g->inputs.files, files.items[i]))
            ok = cli_names_add(&orphans, strdup(files.items[i]));
    for (size_t i = 0; ok && i < g->inputs.gone.count; i++)
        ok = cli_names_add(&orphans, strdup(g->inputs.gone.items[i]));
    cli_names_sort(&orphans);
    bool unsure = g->unreadable > 0 || g->inputs.unopened > 0 ||
                  (g->cases == 0 && g->options->file_count == 0);
    if (g->options->bless && unsure && orphans.count > 0) {
        cli_complain(0,
                     "%zu golden files without an input stay, since not "
                     "all inputs could be read",
                     orphans.count);
        g->unblessed++;
        cli_names_free(&orphans);
    }
    for (size_t i = 0; ok && i < orphans.count; i++)
        ok = take_orphan(g, orphans.items[i]);
    cli_names_free(&files);
    cli_names_free(&orphans);
    return ok;
}

/* Cases that were given up leave the index, blessed ones join it. */
static bool bless_index(gate *g)
{
    cli_index *index = &g->index;
    cli_names old = index->cases;
    bool ok = true;
    if (g->written == 0 && !index->exists)
        return true;
    index->cases = (cli_names){0};
    for (size_t i = 0; ok && i < old.count; i++) {
        char *file = cli_golden_file(old.items[i]);
        ok = file != NULL;
        if (ok && !cli_names_have(&g->removed, file))
            ok = cli_names_add(&index->cases, strdup(old.items[i]));
        free(file);
    }
    for (size_t i = 0; ok && i < g->blessed.count; i++)
        ok = cli_names_add(&index->cases, strdup(g->blessed.items[i]));
    cli_names_free(&old);
    cli_names_sort(&index->cases);
    return ok && cli_index_write(index, g->folder);
}

/* --- Beginning and end --- */

static int begin(gate *g)
{
    char problem[256];
    const cli_options *o = g->options;
    const char *ci = getenv("CI");
    g->folder = o->golden == NULL ? GOLDEN_FOLDER : o->golden;
    g->color = cli_print_colors(stdout);
    g->progress = !o->quiet && isatty(STDERR_FILENO);
    if (o->bless && o->why != NULL)
        return cli_complain(CLI_EXIT_USAGE, "--bless and --why exclude each "
                                            "other");
    if (o->why != NULL && o->file_count > 0)
        return cli_complain(CLI_EXIT_USAGE, "--why takes one case and no path");
    if (o->bless && ci != NULL && strcmp(ci, "true") == 0)
        return cli_complain(CLI_EXIT_USAGE,
                            "nothing is blessed where CI=true: a golden file "
                            "is changed by a person who looked at it");
    for (size_t i = 0; i < o->file_count; i++)
        if (strcmp(o->files[i], "-") == 0)
            return cli_complain(CLI_EXIT_USAGE, "standard input has no name "
                                                "for a golden file");
    if (!cli_day_today(g->today, o->today, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    if (!cli_index_read(&g->index, g->folder, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s/index: %s", g->folder, problem);
    if (!g->index.exists && o->file_count == 0 && o->why == NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "name a path, or list what is to be checked in "
                            "%s/index (docs/formats.md)",
                            g->folder);
    return CLI_EXIT_FINE;
}

static bool is_failure(const gate *g)
{
    return g->states[CLI_GATE_CHANGED] + g->states[CLI_GATE_NEW] +
               g->states[CLI_GATE_ORPHAN] + g->states[CLI_GATE_MISSING] >
           0;
}

static bool show_totals(const gate *g, const char *digest)
{
    cli_text out = {0};
    const int64_t *n = g->states;
    if (g->options->json)
        cli_text_printf(
            &out,
            "{\"verdict\":\"%s\",\"cases\":%lld,\"changed\":%lld,"
            "\"digest\":\"%s\",\"expected\":%lld,\"missing\":%lld,"
            "\"new\":%lld,\"orphan\":%lld,\"same\":%lld,\"written\":%lld}\n",
            is_failure(g) ? "findings" : "clean", (long long)g->cases,
            (long long)n[CLI_GATE_CHANGED], digest, (long long)g->expected,
            (long long)n[CLI_GATE_MISSING], (long long)n[CLI_GATE_NEW],
            (long long)n[CLI_GATE_ORPHAN], (long long)n[CLI_GATE_SAME],
            (long long)g->written);
    else if (!g->options->quiet)
        cli_text_printf(
            &out,
            "%lld cases: %lld the same (%lld failing as expected), %lld "
            "changed, %lld new, %lld orphaned, %lld missing\ndigest %s\n",
            (long long)g->cases, (long long)n[CLI_GATE_SAME],
            (long long)g->expected, (long long)n[CLI_GATE_CHANGED],
            (long long)n[CLI_GATE_NEW], (long long)n[CLI_GATE_ORPHAN],
            (long long)n[CLI_GATE_MISSING], digest);
    if (!g->options->json && !g->options->quiet && g->written > 0)
        cli_text_printf(&out, "%lld golden files written or removed\n",
                        (long long)g->written);
    return tell(&out);
}

static int exit_status(const gate *g, const cli_batch_result *result)
{
    const int64_t *n = g->states;
    bool nothing = g->cases == 0 && n[CLI_GATE_ORPHAN] == 0;
    if (result->failed || result->own_fault)
        return CLI_EXIT_FAULT;
    if (!g->options->bless && n[CLI_GATE_ORPHAN] + n[CLI_GATE_MISSING] > 0)
        return CLI_EXIT_GOLDEN;
    if (nothing && g->inputs.unopened + (size_t)g->unreadable > 0)
        return CLI_EXIT_USAGE;
    if (nothing)
        return cli_complain(CLI_EXIT_NOTHING, "nothing was checked: there is "
                                              "no input below the paths");
    if (g->unreadable > 0 || g->inputs.unopened > 0 || g->unblessed > 0)
        return CLI_EXIT_FINDINGS;
    return is_failure(g) && !g->options->bless ? CLI_EXIT_FINDINGS
                                               : CLI_EXIT_FINE;
}

static int work(gate *g)
{
    char digest[65] = "";
    cli_batch_options batch;
    cli_batch_result result = {0};
    cli_batch_calls calls = {case_done, case_idle, g};
    cli_batch_options_set(&batch, g->options);
    batch.frontend = true;
    batch.members = true;
    batch.counts = true;
    bool ok = cli_digest_begin(&g->digest);
    if (ok)
        cli_batch_run(&result, &g->inputs.search, &batch, &calls);
    if (g->progress)
        fputs("\r\033[K", stderr);
    ok = cli_digest_end(&g->digest, digest) && ok && !result.failed;
    ok = ok && take_orphans(g) && (!g->options->bless || bless_index(g)) &&
         show_totals(g, digest);
    result.failed |= !ok;
    cli_report_problem(&result);
    return exit_status(g, &result);
}

int cli_verb_gate(const cli_options *options)
{
    gate g = {.options = options};
    const char *const *paths = options->files;
    size_t count = options->file_count;
    int status = begin(&g);
    if (options->why != NULL) {
        paths = &options->why;
        count = 1;
    }
    if (status == CLI_EXIT_FINE && !cli_gate_find(&g.inputs, &g.index, g.folder,
                                                  paths, count, options->quiet))
        status = cli_complain(CLI_EXIT_FAULT, "the inputs cannot be found");
    if (status == CLI_EXIT_FINE)
        status = work(&g);
    cli_gate_inputs_free(&g.inputs);
    cli_index_free(&g.index);
    cli_names_free(&g.blessed);
    cli_names_free(&g.removed);
    return status;
}
