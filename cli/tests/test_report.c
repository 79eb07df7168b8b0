/* The report of a run in each format, through the command. */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "../../scripts/testing/xml.h"
#include "tool.h"

static const char *const formats[] = {
    "text", "json", "markdown", "junit", "sarif", "github", "tap",
};
#define FORMATS (sizeof formats / sizeof *formats)

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (text = strstr(text, part); text != NULL; n++)
        text = strstr(text + strlen(part), part);
    return n;
}

/* A folder with x.db: the project's programs, judged. */
static char *record(void)
{
    char *folder = tool_folder();
    tool_expect(1, NULL, "run", "corpus/programs", "--db",
                tool_path(folder, "x.db"), "--quiet", NULL);
    return folder;
}

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("%s cannot be read", path);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int c = getc(in); c != EOF; c = getc(in))
        putc(c, out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
    return text;
}

static size_t files_in(const char *folder)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

/* --- What stands in each --- */

static void junit_counts(void **state)
{
    (void)state;
    tool_result r, text;
    char *folder = record();
    tool_run(&text, NULL, "report", tool_path(folder, "x.db"), "--json", NULL);
    tool_run(&r, NULL, "report", tool_path(folder, "x.db"), "--format", "junit",
             NULL);
    assert_int_equal(r.status, 0);
    assert_true(xml_is_well_formed(r.out, r.out_length));
    long long all = tool_number(text.out, "clean") +
                    tool_number(text.out, "refused") +
                    tool_number(text.out, "undecided");
    /* Behind the verdicts: "findings" stands before, as an object, too. */
    const char *verdicts = strstr(text.out, "\"verdicts\"");
    assert_non_null(verdicts);
    all += tool_number(verdicts, "findings");
    assert_int_equal(count(r.out, "classname=\"dump\""), all);
    assert_true(count(r.out, "<failure ") > 20);
    assert_true(count(r.out, "<skipped ") > 0);
    assert_null(strstr(r.out, "<error "));
    tool_free(&r);
    tool_free(&text);
    tool_remove(folder);
}

static void tap_says_what_failed(void **state)
{
    (void)state;
    tool_result r, loud;
    char *folder = record();
    const char *db = tool_path(folder, "x.db");
    tool_run(&r, NULL, "report", db, "--format", "tap", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(
        r.out, "\nnot ok 2 - corpus/programs/array_elements_first.py\n"));
    assert_non_null(strstr(r.out, "# SKIP a while loop in the orchestration"));
    tool_run(&loud, NULL, "report", db, "--format", "tap", "--fail-on",
             "warning", NULL);
    assert_true(count(loud.out, "\nnot ok ") > count(r.out, "\nnot ok "));
    assert_null(strstr(loud.out, "# SKIP a while loop"));
    tool_free(&r);
    tool_free(&loud);
    tool_remove(folder);
}

/* As many results as findings, and the rules with their pages. */
static void sarif_has_everything(void **state)
{
    (void)state;
    tool_result r, text;
    char *folder = record();
    const char *db = tool_path(folder, "x.db");
    tool_run(&text, NULL, "report", db, "--json", NULL);
    tool_run(&r, NULL, "report", db, "--format", "sarif", NULL);
    assert_int_equal(r.status, 0);
    cJSON *document = cJSON_ParseWithOpts(r.out, NULL, true);
    assert_non_null(document);
    const cJSON *run = cJSON_GetObjectItem(document, "runs")->child;
    const char *findings = strstr(text.out, "\"findings\":{\"error\"");
    assert_non_null(findings);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(run, "results")),
                     tool_number(findings, "error") +
                         tool_number(findings, "warning") +
                         tool_number(findings, "note"));
    const cJSON *driver =
        cJSON_GetObjectItem(cJSON_GetObjectItem(run, "tool"), "driver");
    const cJSON *rule;
    cJSON_ArrayForEach(rule, cJSON_GetObjectItem(driver, "rules"))
    {
        const cJSON *help = cJSON_GetObjectItem(rule, "help");
        const char *id = cJSON_GetObjectItem(rule, "id")->valuestring;
        assert_non_null(help);
        assert_non_null(
            strstr(cJSON_GetObjectItem(help, "markdown")->valuestring, id));
    }
    assert_non_null(strstr(r.out, "\"codeFlows\""));
    assert_non_null(strstr(r.out, "\"uri\":\"corpus/programs/"));
    cJSON_Delete(document);
    tool_free(&r);
    tool_free(&text);
    tool_remove(folder);
}

/* A place of the folder of the call, however the file was named. */
static void relative_places(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder(), *here = getcwd(NULL, 0);
    char file[4096];
    const char *db = tool_path(folder, "x.db");
    assert_non_null(here);
    snprintf(file, sizeof file, "%s/corpus/programs/predicate_stale.py", here);
    free(here);
    tool_expect(1, NULL, "run", file, "--db", db, "--quiet", NULL);
    tool_run(&r, NULL, "report", db, "--format", "github", NULL);
    assert_non_null(
        strstr(r.out, "::error file=corpus/programs/predicate_stale.py,line="));
    tool_free(&r);
    tool_run(&r, NULL, "report", db, "--format", "sarif", NULL);
    assert_non_null(
        strstr(r.out, "\"uri\":\"corpus/programs/predicate_stale.py\""));
    tool_free(&r);
    tool_run(&r, NULL, "report", db, "--format", "markdown", NULL);
    assert_non_null(
        strstr(r.out, "<code>corpus/programs/predicate&#95;stale.py&#58;"));
    tool_free(&r);
    tool_remove(folder);
}

/* The same bytes to a file and to standard output, twice. */
static void files_and_streams(void **state)
{
    (void)state;
    char *folder = record();
    for (size_t i = 0; i < FORMATS; i++) {
        tool_result r;
        const char *db = tool_path(folder, "x.db");
        const char *file = tool_path(folder, "out");
        tool_run(&r, NULL, "report", db, "--format", formats[i], "-o", "-",
                 NULL);
        assert_int_equal(r.status, 0);
        assert_true(r.out_length > 100);
        tool_expect(0, NULL, "report", db, "--format", formats[i], "-o", file,
                    "--quiet", NULL);
        char *text = read_file(file);
        assert_string_equal(text, r.out);
        free(text);
        tool_free(&r);
        assert_int_equal(files_in(folder), 2);
    }
    tool_remove(folder);
}

/* --- Files that are written --- */

static void expect_refused(const char *words, const char *db, const char *file)
{
    tool_result r;
    tool_run(&r, NULL, "report", db, "--format", "junit", "-o", file, NULL);
    if (r.status != 2 || strstr(r.error, words) == NULL)
        fail_msg("status %d: %s", r.status, r.error);
    tool_free(&r);
}

/* The database is an input, by whatever name, and what lies beside it, too. */
static void never_over_the_database(void **state)
{
    (void)state;
    char *folder = record();
    const char *db = tool_path(folder, "x.db");
    const char *link_name = tool_path(folder, "link");
    expect_refused("is an input", db, db);
    assert_int_equal(symlink(db, link_name), 0);
    expect_refused("is an input", db, link_name);
    tool_write(folder, "x.db-wal", "");
    expect_refused("belongs to the database", db,
                   tool_path(folder, "x.db-wal"));
    assert_int_equal(unlink(tool_path(folder, "x.db-wal")), 0);
    tool_expect(0, NULL, "report", db, NULL);
    tool_remove(folder);
}

/* What was there stays until the new one is whole. */
static void whole_or_not_at_all(void **state)
{
    (void)state;
    char *folder = record();
    const char *db = tool_path(folder, "x.db");
    tool_write(folder, "out.xml", "old");
    const char *file = tool_path(folder, "out.xml");
    tool_expect(2, NULL, "report", db, "--run", "7", "--format", "junit", "-o",
                file, NULL);
    char *text = read_file(file);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(files_in(folder), 2);
    expect_refused("No such file or directory", db,
                   tool_path(folder, "no/out.xml"));
    expect_refused("cannot be written", db, folder);
    expect_refused("No space left on device", db, "/dev/full");
    assert_int_equal(files_in(folder), 2);
    tool_remove(folder);
}

/* The mode of what was there, and the link that leads there, stay. */
static void keeps_links_and_modes(void **state)
{
    (void)state;
    struct stat info;
    char *folder = record();
    const char *db = tool_path(folder, "x.db");
    tool_write(folder, "real.tap", "old");
    const char *real = tool_path(folder, "real.tap");
    const char *name = tool_path(folder, "name.tap");
    assert_int_equal(chmod(real, 0640), 0);
    assert_int_equal(symlink("real.tap", name), 0);
    tool_expect(0, NULL, "report", db, "--format", "tap", "-o", name, NULL);
    assert_int_equal(lstat(name, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(real, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    char *text = read_file(real);
    assert_int_equal(strncmp(text, "TAP version 14\n", 15), 0);
    free(text);
    tool_remove(folder);
}

static void wrong_words(void **state)
{
    (void)state;
    char *folder = record();
    const char *db = tool_path(folder, "x.db");
    tool_expect(2, NULL, "report", db, "--format", "html5", NULL);
    tool_expect(2, NULL, "report", db, "--json", "--format", "tap", NULL);
    tool_expect(0, NULL, "report", db, "--json", "--format", "json", NULL);
    tool_expect(2, NULL, "report", db, "--fail-on", "note", NULL);
    tool_remove(folder);
}

/* --- Known issues --- */

static void known_issues(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder(), signature[64], line[160];
    const char *db = tool_path(folder, "x.db");
    const char *known = tool_path(folder, "known.txt");
    tool_expect(1, NULL, "run", "corpus/programs/war_scratch.py", "--db", db,
                "--quiet", NULL);
    tool_run(&r, NULL, "report", db, "--json", NULL);
    tool_string(signature, sizeof signature, r.out, "signature");
    tool_free(&r);
    snprintf(line, sizeof line, "%s 2027-03-31 @me it waits\n", signature);
    tool_write(folder, "known.txt", line);
    tool_run(&r, NULL, "report", db, "--format", "tap", "--known", known,
             "--today", "2027-03-31", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\nnot ok 1 - corpus/programs/war_scratch.py "
                                  "# TODO known until 2027-03-31, @me: it "
                                  "waits\n"));
    tool_free(&r);
    tool_run(&r, NULL, "report", db, "--format", "tap", "--known", known,
             "--today", "2027-04-01", NULL);
    assert_non_null(strstr(r.out, "war_scratch.py\n"));
    assert_non_null(strstr(r.out, "EXPIRED: was known until 2027-03-31"));
    tool_free(&r);
    /* An option without effect, and a file that is no list. */
    tool_expect(2, NULL, "report", db, "--today", "2027-03-31", NULL);
    tool_expect(2, NULL, "report", "verify", db, "--known", known, NULL);
    tool_expect(2, NULL, "report", db, "--known", known, "--today", "x", NULL);
    tool_expect(2, NULL, "report", db, "--known", known, "-o", known, NULL);
    tool_write(folder, "known.txt", "what?\n");
    tool_expect(2, NULL, "report", db, "--known", known, NULL);
    tool_expect(2, NULL, "report", db, "--known", "/no/such", NULL);
    tool_remove(folder);
}

/* --- What is to be done next --- */

/* Runs a command as it is told, by a shell that finds the program; what it
   prints is given back, free() it. */
static char *paste(const char *folder, const char *command, int status)
{
    char *line = NULL, *text = NULL;
    size_t length = 0;
    assert_int_equal(setenv("PASTED", command, 1), 0);
    assert_true(asprintf(&line, "PATH='%s':\"$PATH\" bash -c \"$PASTED\" 2>&1",
                         folder) > 0);
    FILE *in = popen(line, "r");
    FILE *out = open_memstream(&text, &length);
    assert_true(in != NULL && out != NULL);
    for (int c = getc(in); c != EOF; c = getc(in))
        putc(c, out);
    assert_int_equal(fclose(out), 0);
    int ended = pclose(in);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status)
        fail_msg("%s: status %d: %s", command, WEXITSTATUS(ended), text);
    free(line);
    return text;
}

/* The command in the line that begins with `begin`, up to `end`. */
static char *command_in(const char *text, const char *begin, const char *end)
{
    const char *at = strstr(text, begin);
    if (at == NULL)
        fail_msg("there is no %s in: %s", begin, text);
    const char *stop = strstr(at, end);
    assert_non_null(stop);
    char *command = strndup(at, (size_t)(stop - at));
    assert_non_null(command);
    return command;
}

/*
 * From a red run to the line and the command that shows it again, each step by
 * what the last one says, also where the database has a name in need of quotes.
 */
static void each_step_leads_on(void **state)
{
    (void)state;
    char *folder = tool_folder(), *program, *work;
    program = realpath(tool_program(), NULL);
    assert_non_null(program);
    assert_int_equal(symlink(program, tool_path(folder, "counterpoint")), 0);
    assert_true(
        asprintf(&work,
                 "counterpoint run corpus/programs --db \"%s/it's x.db\"",
                 folder) > 0);
    char *text = paste(folder, work, 1);
    char *list = command_in(text, "counterpoint triage list ", ": all causes");
    free(text);
    text = paste(folder, list, 0);
    char *show = command_in(text, "counterpoint triage show ", ": the first");
    free(text);
    text = paste(folder, show, 0);
    const char *where = strstr(text, ".py:");
    assert_non_null(where);
    assert_true(where[4] >= '1' && where[4] <= '9');
    char *again =
        command_in(strstr(text, "\nTo see it again:\n"), "counterpoint ", "\n");
    char *explain = command_in(text, "counterpoint explain ", ": what");
    char *why = command_in(text, "counterpoint triage why ", ": since");
    free(text);
    text = paste(folder, why, 0);
    assert_non_null(strstr(text, "first bad: "));
    free(text);
    free(why);
    text = paste(folder, again, 1);
    assert_non_null(strstr(text, ": error "));
    free(text);
    free(paste(folder, explain, 0));
    /* So does the report. */
    free(again);
    assert_true(
        asprintf(&again, "counterpoint report \"%s/it's x.db\"", folder) > 0);
    text = paste(folder, again, 0);
    free(list);
    list = command_in(text, "counterpoint triage show ", ": the gravest");
    free(paste(folder, list, 0));
    free(text);
    free(list);
    free(show);
    free(again);
    free(explain);
    free(work);
    free(program);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(junit_counts),
    cmocka_unit_test(tap_says_what_failed),
    cmocka_unit_test(sarif_has_everything),
    cmocka_unit_test(relative_places),
    cmocka_unit_test(files_and_streams),
    cmocka_unit_test(never_over_the_database),
    cmocka_unit_test(whole_or_not_at_all),
    cmocka_unit_test(keeps_links_and_modes),
    cmocka_unit_test(wrong_words),
    cmocka_unit_test(known_issues),
    cmocka_unit_test(each_step_leads_on),
};

TEST_MAIN(tests)
