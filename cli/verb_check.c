/* counterpoint check: the judgement of each file, its proof, or a proof. */
#include "command.h"
#include "identity.h"
#include "input.h"
#include "pair.h"
#include "print.h"
#include "totals.h"

typedef struct check {
    const cli_options *options;
    cli_totals totals;
    cli_text clean; /* the lines of clean files, shown behind the others */
    bool color;
    bool unlike;   /* of two documents one is of a kind that has no plan */
    bool unproved; /* some file has no certificate, or one that does not hold */
    FILE *out;     /* for people: certificates have standard output */
    cli_identities identities;
    bool pair; /* two files: they are compared, too */
    cli_kept kept[2];
} check;

/* Of --prove: the certificate, or why there is none. */
static bool show_proof(check *k, const cli_case *c)
{
    const cli_text *proof = &c->certificate;
    if (proof->length > 0 && !k->options->json)
        return cli_print_out(stdout, proof) && fputc('\n', stdout) != EOF;
    if (proof->length == 0) {
        k->unproved = true;
        cli_complain(0, "%s: no certificate: %s", c->found->path,
                     c->unproved.length > 0 ? c->unproved.data
                                            : "it was not judged");
    }
    return true;
}

/* Of --certificate: whether it holds. */
static bool show_check(check *k, const cli_case *c)
{
    cli_text out = {0};
    bool holds = c->verdict == CLI_CLEAN;
    const char *why = c->unproved.length > 0 ? c->unproved.data
                      : c->reason.length > 0 ? c->reason.data
                                             : "the file was not read";
    k->unproved = k->unproved || !holds;
    if (k->options->json) {
        cli_text_printf(&out, "{\"certificate\":\"%s\",\"file\":",
                        holds ? "holds" : "refused");
        cli_text_quote(&out, c->found->path);
        cli_text_put(&out, holds ? "" : ",\"reason\":");
        if (!holds)
            cli_text_quote(&out, why);
        cli_text_put(&out, "}\n");
    } else if (!k->options->quiet || !holds) {
        cli_print_clean(&out, c->found->path);
        cli_text_put(&out, holds ? ": the certificate holds"
                                 : ": the certificate is refused: ");
        cli_print_clean(&out, holds ? "" : why);
        cli_text_put(&out, "\n");
    }
    bool ok = cli_print_out(stdout, &out);
    cli_text_free(&out);
    return ok;
}

static bool case_done(void *context, const cli_case *c)
{
    check *k = context;
    cli_text out = {0};
    if (!cli_totals_add(&k->totals, c))
        return false;
    if (!cli_identities_add(&k->identities, c))
        return false;
    if (k->pair && c->number <= 2 && !cli_kept_take(&k->kept[c->number - 1], c))
        return false;
    if (c->unreadable)
        cli_complain(0, "%s %s", c->found->path, c->reason.data);
    if (k->options->certificate != NULL && !c->unreadable)
        return show_check(k, c);
    if (k->options->json) {
        cli_print_json(&out, c);
    } else if (!k->options->quiet && !c->unreadable) {
        bool plain = c->verdict == CLI_CLEAN && c->count == 0;
        cli_print_findings(&out, c, CLI_NOTE, k->color);
        cli_print_verdict(plain ? &k->clean : &out, c, k->color);
    }
    bool ok =
        cli_print_out(k->out, &out) && (!k->options->prove || show_proof(k, c));
    if (k->options->verbose)
        cli_times_show(c->found->path, &c->times);
    cli_text_free(&out);
    return ok;
}

/* A finding about several files, shown with one of them. */
static bool show_cross(void *context, const cli_case *c)
{
    check *k = context;
    cli_text out = {0};
    cli_totals_add_findings(&k->totals, c);
    if (k->options->json)
        cli_print_json(&out, c);
    else if (!k->options->quiet)
        cli_print_findings(&out, c, CLI_NOTE, k->color);
    bool ok = cli_print_out(k->out, &out);
    cli_text_free(&out);
    return ok;
}

/* --- Two files that may be one plan --- */

static void put_pair(cli_text *out, const check *k, const cli_case *c)
{
    cli_text_printf(out, "{\"verdict\":\"%s\",\"compared\":[",
                    cli_verdict_name(c->verdict));
    cli_text_quote(out, k->kept[0].found->path);
    cli_text_put(out, ",");
    cli_text_quote(out, k->kept[1].found->path);
    cli_text_printf(out, "],\"findings\":{\"error\":%zu},",
                    cli_case_count(c, CLI_ERROR));
    cli_text_printf(out, "\"total\":%lld,", (long long)c->total);
    cli_case_put_list(out, "undecided", &c->undecided);
    cli_text_put(out, "}\n");
}

static bool show_pair(check *k, const cli_case *c)
{
    cli_text out = {0};
    cli_totals_add_findings(&k->totals, c);
    if (k->options->json) {
        for (size_t i = 0; i < c->count; i++) {
            cli_text_add(&out, c->findings[i].json.data,
                         c->findings[i].json.length);
            cli_text_put(&out, "\n");
        }
        put_pair(&out, k, c);
    } else if (!k->options->quiet) {
        cli_print_findings(&out, c, CLI_NOTE, k->color);
        cli_print_undecided(&out, c, "not compared");
        if (c->count == 0 && c->undecided.length <= 2) {
            cli_print_clean(&out, k->kept[1].found->path);
            cli_text_put(&out, ": the same plan as ");
            cli_print_clean(&out, k->kept[0].found->path);
            cli_text_put(&out, "\n");
        }
    }
    bool ok = cli_print_out(k->out, &out);
    cli_text_free(&out);
    return ok;
}

static bool has_tasks(cli_kind kind)
{
    return kind == CLI_DUMP || kind == CLI_IR || kind == CLI_TASK_GRAPH ||
           kind == CLI_SCORE || kind == CLI_BUNDLE || kind == CLI_HBG;
}

/* False: a fault of ours, told. */
static bool compare_pair(check *k, const cli_batch_options *batch)
{
    char problem[160];
    cli_case c;
    const cli_kept *a = &k->kept[0], *b = &k->kept[1];
    if (!k->pair || a->found == NULL || b->found == NULL ||
        (!k->options->same && (!has_tasks(a->kind) || !has_tasks(b->kind))))
        return true;
    if (a->kind == CLI_MEMORY_CSV || b->kind == CLI_MEMORY_CSV) {
        k->unlike = true;
        cli_complain(0, "a memory plan as a CSV table is not compared: %s",
                     (a->kind == CLI_MEMORY_CSV ? a : b)->found->path);
        return true;
    }
    bool ok = cli_pair_compare(&c, a, b, k->options->same, batch, problem,
                               sizeof problem) &&
              show_pair(k, &c);
    if (!ok)
        cli_complain(0, "%s", problem);
    cli_case_clear(&c);
    return ok;
}

/* What is the same for many files is told once, and the counts last. */
static bool show_end(check *k)
{
    cli_text end = {0};
    bool ok = cli_print_out(k->out, &k->clean);
    cli_totals_put_assumptions(&end, &k->totals);
    cli_totals_put_verdicts(&end, &k->totals);
    cli_totals_put_findings(&end, &k->totals, cli_fail_on(k->options));
    cli_totals_put_page(&end, &k->totals, CLI_NOTE);
    ok = cli_print_out(k->out, &end) && ok;
    cli_text_free(&end);
    return ok;
}

static bool case_idle(void *context)
{
    (void)context;
    return true;
}

/* Wrong usage, told; else 0. */
static int check_options(const cli_options *options)
{
    bool beside = options->trace != NULL || options->plan != NULL;
    if (beside && options->file_count != 1)
        return cli_complain(CLI_EXIT_USAGE,
                            "--trace and --plan belong to one record: name "
                            "one FILE");
    if (options->certificate != NULL && options->file_count != 1)
        return cli_complain(CLI_EXIT_USAGE,
                            "a certificate is of one document: name one FILE");
    if (options->certificate != NULL && (options->prove || beside))
        return cli_complain(CLI_EXIT_USAGE,
                            "--certificate goes without --prove, --trace and "
                            "--plan");
    return 0;
}

static int work(check *k, const cli_options *options,
                const cli_text *certificate)
{
    cli_search search = {0};
    cli_batch_options batch;
    cli_batch_result result = {.failed = true};
    cli_batch_calls calls = {case_done, case_idle, k};
    cli_batch_options_set(&batch, options);
    if (options->certificate != NULL)
        batch.certificate =
            (cli_span){certificate->length > 0 ? certificate->data : "",
                       certificate->length};
    bool ok = cli_find_inputs(&search, options);
    if (ok && options->same && search.count != 2) {
        cli_complain(0, "--same compares two documents: %zu %s named",
                     search.count, search.count == 1 ? "is" : "are");
        cli_search_free(&search);
        return CLI_EXIT_USAGE;
    }
    k->pair = search.count == 2 && (options->file_count == 2 || options->same);
    if (ok && options->certificate != NULL && search.count != 1) {
        cli_complain(0, "a certificate is of one document: %s has %zu",
                     options->files[0], search.count);
        cli_search_free(&search);
        return CLI_EXIT_USAGE;
    }
    if (ok)
        cli_batch_run(&result, &search, &batch, &calls);
    if (!result.failed)
        result.failed =
            !cli_identities_tell(&k->identities, (int64_t)search.count + 1,
                                 &batch, show_cross, k) ||
            !compare_pair(k, &batch);
    if (!result.failed && !options->json && !options->quiet &&
        options->certificate == NULL)
        result.failed = !show_end(k);
    cli_report_problem(&result);
    cli_search_free(&search);
    int status = cli_totals_exit(&k->totals, &result, cli_fail_on(options));
    if (k->unlike && status != CLI_EXIT_FAULT)
        return CLI_EXIT_USAGE;
    return status == CLI_EXIT_FINE && k->unproved ? CLI_EXIT_FINDINGS : status;
}

int cli_verb_check(const cli_options *options)
{
    char problem[160];
    cli_text certificate = {0};
    check k = {
        .options = options,
        .out = options->prove && !options->json ? stderr : stdout,
    };
    k.color = cli_print_colors(k.out);
    int status = check_options(options);
    if (status != 0)
        return status;
    if (options->certificate != NULL &&
        !cli_input_read(&certificate, options->certificate, CLI_INPUT_LIMIT,
                        false, problem, sizeof problem))
        status = cli_complain(CLI_EXIT_USAGE, "%s %s", options->certificate,
                              problem);
    else
        status = work(&k, options, &certificate);
    cli_totals_free(&k.totals);
    cli_text_free(&k.clean);
    cli_identities_free(&k.identities);
    cli_kept_free(&k.kept[0]);
    cli_kept_free(&k.kept[1]);
    cli_text_free(&certificate);
    return status;
}
