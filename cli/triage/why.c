/* triage why: between which runs and commits a bucket came. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../outfile.h"
#include "../print.h"
#include "../totals.h"
#include "reports/command.h"
#include "triage.h"

#define MOST_COMMITS 20

extern char **environ;

typedef struct why {
    cli_triage *t;
    int64_t head;
    report_range range;
    cli_text issue;
    cli_text good, bad; /* revisions, "" for none */
    report_example e;
    cli_text options;
    cli_text commits; /* lines of git log */
} why;

/* --- git --- */

/* A revision is a word, and no option. */
static bool is_revision(const cli_text *text)
{
    return text->length > 0 && text->data[0] != '-' &&
           strpbrk(text->data, " \t\n~^:?*[\\") == NULL &&
           strstr(text->data, "..") == NULL;
}

static bool read_all(cli_text *out, int fd)
{
    ssize_t n = 1;
    while (n > 0) {
        if (!cli_text_reserve(out, 4096))
            return false;
        n = read(fd, out->data + out->length, out->capacity - out->length - 1);
        if (n < 0 && errno == EINTR) {
            n = 1;
            continue;
        }
        out->length += n > 0 ? (size_t)n : 0;
    }
    cli_text_put(out, "");
    return n == 0 && !out->failed;
}

/* Runs git with its standard output into `out`; false: it failed. */
static bool run_git(cli_text *out, const char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    int ends[2], status = 0;
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int failed = posix_spawnp(&pid, "git", &actions, NULL,
                              (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    bool ok = failed == 0 && read_all(out, ends[0]);
    close(ends[0]);
    while (failed == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return ok && status == 0;
}

static int list_commits(why *w)
{
    const char *repo = w->t->options->repo;
    cli_text between = {0};
    char count[24];
    cli_text_printf(&between, "%s..%s", w->good.data, w->bad.data);
    snprintf(count, sizeof count, "-n%d", MOST_COMMITS + 1);
    const char *arguments[] = {
        "git",        "-C",  repo,         "log", "--oneline", "--no-decorate",
        "--no-color", count, between.data, "--",  NULL};
    bool ok = !between.failed && run_git(&w->commits, arguments);
    cli_text_free(&between);
    return ok ? 0
              : cli_complain(CLI_EXIT_USAGE,
                             "%s: git does not list the commits from %s to %s",
                             repo, w->good.data, w->bad.data);
}

/* Without two revisions there is nothing to list: said, but no failure. */
static int look_into_repo(why *w)
{
    if (w->t->options->repo == NULL || w->range.good == 0)
        return 0;
    if (is_revision(&w->good) && is_revision(&w->bad))
        return list_commits(w);
    return cli_complain(0,
                        "runs %lld and %lld do not both have the commit of "
                        "what they tested: record it (--revision)",
                        (long long)w->range.good, (long long)w->range.bad);
}

/* --- The bisect script --- */

static bool is_of_fuzz(const why *w)
{
    cli_span value;
    return cli_span_member(&value,
                           (cli_span){w->options.data, w->options.length},
                           "verb") &&
           cli_span_is(value, "\"fuzz\"");
}

/* The command without its first word, which COUNTERPOINT stands for. */
static int put_command(cli_text *out, const why *w, const char *input)
{
    static const char first[] = "counterpoint ";
    char *command = NULL;
    report_error error;
    report_status status =
        report_command(&command, w->t->store, w->e.run,
                       is_of_fuzz(w) ? w->e.path : input, &error);
    if (command != NULL && strncmp(command, first, sizeof first - 1) == 0)
        cli_text_put(out, command + sizeof first - 1);
    free(command);
    return status == REPORT_OK ? 0 : cli_triage_fail(w->t, &error);
}

static int put_script(cli_text *out, const why *w, const char *input)
{
    cli_text_put(
        out,
        "#!/bin/sh\n"
        "# Whether a finding is there: status 0 no, 1 yes, 125 it does not "
        "build or run.\n"
        "#   git bisect start BAD GOOD && git bisect run sh THIS\n"
        "# BUILD builds what is tested, COUNTERPOINT is this program.\n"
        ": \"${BUILD:=make}\" \"${COUNTERPOINT:=counterpoint}\"\n"
        "sh -c \"$BUILD\" >/dev/null 2>&1 || exit 125\n"
        "work=$(mktemp -d) || exit 128\n"
        "trap 'rm -rf \"$work\"' EXIT\n");
    cli_text_put(out, "\"$COUNTERPOINT\" ");
    int status = put_command(out, w, input);
    cli_text_put(out, is_of_fuzz(w)
                          ? " --json >\"$work/found\"\n"
                            "[ $? -le 1 ] || exit 125\n"
                          : " --db \"$work/db\" --quiet\n"
                            "[ $? -le 1 ] || exit 125\n"
                            "\"$COUNTERPOINT\" triage list \"$work/db\" "
                            "--all --json >\"$work/found\" || exit 125\n");
    cli_text_put(out, "if grep -F -e ");
    cli_print_word(out, w->e.rule);
    cli_text_put(out, " \"$work/found\" | grep -qF -e ");
    cli_print_word(out, w->e.signature);
    cli_text_put(out, "; then exit 1; fi\nexit 0\n");
    return status == 0 && out->failed ? cli_triage_no_memory() : status;
}

/* A script is run elsewhere, so files are named from the root on. */
static bool place(cli_text *path, const char *name, const char *end)
{
    char *folder = *name == '/' ? NULL : getcwd(NULL, 0);
    bool ok = *name == '/' || folder != NULL;
    cli_text_printf(path, "%s%s%s%s", folder == NULL ? "" : folder,
                    folder == NULL ? "" : "/", name, end);
    free(folder);
    return ok && !path->failed;
}

static int write_files(const char *script, const cli_text *text,
                       const char *input, const report_stored *stored)
{
    char problem[512];
    if (!cli_outfile_write(input, stored->text, stored->length, problem,
                           sizeof problem) ||
        !cli_outfile_write(script, text->data, text->length, problem,
                           sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s", problem);
    if (chmod(script, 0755) != 0)
        return cli_complain(CLI_EXIT_USAGE, "%s cannot be made a program: %s",
                            script, strerror(errno));
    return 0;
}

/* A script asks one text at each commit: it has to be what tells them apart. */
static int check_case(const why *w)
{
    const char *beside = is_of_fuzz(w) ? NULL : cli_triage_beside(&w->e);
    if (w->e.stored.text == NULL)
        return cli_complain(CLI_EXIT_NOTHING,
                            "the text of the smallest case was not kept, so "
                            "there is nothing to bisect with");
    if (beside != NULL)
        return cli_complain(CLI_EXIT_NOTHING,
                            "bucket %lld %s, so one text cannot be bisected "
                            "with: bisect with a run of the whole folder",
                            (long long)w->head, beside);
    if (w->range.changed)
        return cli_complain(CLI_EXIT_NOTHING,
                            "the input itself has changed between runs %lld "
                            "and %lld, so that the text of run %lld is bad at "
                            "every commit: bisect with a run of the file as "
                            "each commit has it",
                            (long long)w->range.good, (long long)w->range.bad,
                            (long long)w->range.bad);
    return 0;
}

static int write_script(why *w)
{
    const char *script = w->t->options->bisect;
    const report_stored *stored = &w->e.stored;
    cli_text input = {0}, text = {0};
    int status = check_case(w);
    if (status != 0)
        return status;
    status = place(&input, script, ".input") ? put_script(&text, w, input.data)
                                             : cli_triage_no_memory();
    if (status == 0)
        status = write_files(script, &text, input.data, stored);
    cli_text_free(&input);
    cli_text_free(&text);
    return status;
}

/* --- What is told --- */

static bool take_issue(void *context, const report_issue *issue)
{
    why *w = context;
    cli_issue_put_text(&w->issue, issue, NULL, w->t->color, true);
    return false;
}

static bool take_revision(void *context, const report_run_info *run)
{
    cli_text_put(context, run->revision);
    return true;
}

static int gather(why *w)
{
    cli_triage *t = w->t;
    report_error error;
    report_question question = {.bucket = w->head, .all = true};
    report_status status =
        report_each_issue(t->store, &question, take_issue, w, &error);
    if (status == REPORT_OK)
        status = report_find_range(&w->range, t->store, w->head, &error);
    if (status == REPORT_OK)
        status = report_find_example(&w->e, t->store, w->head, true, &error);
    cli_text_put(&w->good, "");
    cli_text_put(&w->bad, "");
    if (status == REPORT_OK && w->range.good > 0)
        status = report_see_one_run(t->store, w->range.good, take_revision,
                                    &w->good, &error);
    if (status == REPORT_OK && w->range.bad > 0)
        status = report_see_one_run(t->store, w->range.bad, take_revision,
                                    &w->bad, &error);
    if (status != REPORT_OK)
        return cli_triage_fail(t, &error);
    return cli_run_options(&w->options, t, w->e.run);
}

static void put_run(cli_text *out, const char *what, int64_t run,
                    const cli_text *revision)
{
    cli_text_printf(out, "%s run %lld", what, (long long)run);
    if (revision->length > 0) {
        cli_text_put(out, ", commit ");
        cli_print_clean(out, revision->data);
    }
    cli_text_put(out, "\n");
}

static void put_commits(cli_text *out, const why *w)
{
    int lines = 0;
    for (const char *at = w->commits.data; *at != '\0'; lines++) {
        size_t length = strcspn(at, "\n");
        cli_text line = {0};
        cli_text_add(&line, at, length);
        cli_text_put(&line, "");
        cli_text_put(out, "  ");
        cli_print_clean(out, lines == MOST_COMMITS ? "... and earlier ones"
                                                   : line.data);
        cli_text_put(out, "\n");
        cli_text_free(&line);
        at += length + (at[length] == '\n');
        if (lines == MOST_COMMITS)
            break;
    }
    if (lines == 0)
        cli_text_put(out, "  none: what changed is not in this repository\n");
}

/* "git", with the repository where one was named. */
static void put_git(cli_text *out, const why *w)
{
    cli_text_put(out, "git ");
    if (w->t->options->repo != NULL) {
        cli_text_put(out, "-C ");
        cli_print_word(out, w->t->options->repo);
        cli_text_put(out, " ");
    }
}

/* To be pasted where the command was given. */
static void put_bisect(cli_text *out, const why *w)
{
    cli_text script = {0};
    out->failed |= !place(&script, w->t->options->bisect, "");
    put_git(out, w);
    cli_text_put(out, "bisect start ");
    cli_print_word(out, w->bad.length > 0 ? w->bad.data : "BAD");
    cli_text_put(out, " ");
    cli_print_word(out, w->good.length > 0 ? w->good.data : "GOOD");
    cli_text_put(out, " && ");
    put_git(out, w);
    cli_text_put(out, "bisect run sh ");
    cli_print_word(out, script.data == NULL ? "" : script.data);
    cli_text_put(out, "\n");
    cli_text_free(&script);
}

static void put_text(cli_text *out, const why *w)
{
    cli_text_add(out, w->issue.data, w->issue.length);
    if (w->range.good > 0)
        put_run(out, "last good: ", w->range.good, &w->good);
    else
        cli_text_put(out, "last good:  none: no earlier run with the same "
                          "options looked at this input\n");
    put_run(out, "first bad: ", w->range.bad, &w->bad);
    if (w->range.changed)
        cli_text_put(out, "The input itself has changed between them.\n");
    if (w->commits.data != NULL) {
        cli_text_put(out, "Commits between:\n");
        put_commits(out, w);
    }
    if (w->t->options->bisect != NULL)
        put_bisect(out, w);
}

static void put_json(cli_text *out, const why *w)
{
    cli_text_printf(out, "{\"bad\":%lld", (long long)w->range.bad);
    cli_issue_put_member(out, "bad_revision", w->bad.data);
    cli_text_printf(out, ",\"bucket\":%lld,\"changed\":%s,\"commits\":",
                    (long long)w->head, w->range.changed ? "true" : "false");
    if (w->commits.data == NULL)
        cli_text_put(out, "null");
    else
        cli_text_quote(out, w->commits.data);
    if (w->range.good > 0)
        cli_text_printf(out, ",\"good\":%lld", (long long)w->range.good);
    else
        cli_text_put(out, ",\"good\":null");
    cli_issue_put_member(out, "good_revision", w->good.data);
    cli_text_put(out, "}\n");
}

static int explain(why *w)
{
    const cli_options *o = w->t->options;
    int status = gather(w);
    if (status == 0)
        status = look_into_repo(w);
    if (status == 0 && o->bisect != NULL)
        status = write_script(w);
    if (status != 0)
        return status;
    if (o->json)
        put_json(&w->t->out, w);
    else if (!o->quiet)
        put_text(&w->t->out, w);
    return CLI_EXIT_FINE;
}

int cli_triage_why(cli_triage *t)
{
    why w = {.t = t};
    int64_t bucket = 0;
    int status = cli_triage_bucket(&bucket, &w.head, t);
    if (status == 0)
        status = explain(&w);
    report_example_free(&w.e);
    cli_text_free(&w.issue);
    cli_text_free(&w.good);
    cli_text_free(&w.bad);
    cli_text_free(&w.options);
    cli_text_free(&w.commits);
    return status;
}
