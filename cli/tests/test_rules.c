/*
 * The rules: each has its row in the list, its page, and its examples, which
 * the program itself judges: corpus/rules/RULE/found* raise it, absent* do not.
 */
#include "../../scripts/testing/harness.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oracle/judge.h"
#include "tool.h"

#define EXAMPLES "corpus/rules/"
#define PAGES "docs/rules/"
#define COLUMNS ((size_t)80)
#define MOST_WORDS 6
#define ROOM ((size_t)1 << 16)

static const char *const severities[] = {"note", "warning", "error"};

/*
 * Rules that no input alone can show: they are about how things are done, or
 * about an answer beside its question (oracle/tests/test_answer.c), or about
 * runs (test_replay.c).
 */
static bool needs_examples(const char *rule)
{
    static const char *const files[] = {"diff.plan", "diff.frontend",
                                        "diff.stage"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(rule, files[i]) == 0)
            return true;
    return strncmp(rule, "planner.", 8) != 0 &&
           strncmp(rule, "gate.", 5) != 0 && strncmp(rule, "replay.", 7) != 0 &&
           strncmp(rule, "diff.", 5) != 0;
}

static void read_file(char *text, size_t size, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s is missing", path);
    size_t length = fread(text, 1, size - 1, file);
    assert_true(length < size - 1);
    (void)fclose(file);
    text[length] = '\0';
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The paths of a pattern, at least `least` of them. */
static void find(glob_t *paths, const char *pattern, size_t least)
{
    int status = glob(pattern, 0, NULL, paths);
    if (status == GLOB_NOMATCH)
        paths->gl_pathc = 0;
    else
        assert_int_equal(status, 0);
    if (paths->gl_pathc < least)
        fail_msg("%s: there is no such file", pattern);
}

static const oracle_family *family_of(const char *rule)
{
    uint32_t count;
    const oracle_family *families = oracle_family_list(&count);
    size_t length = strcspn(rule, ".");
    for (uint32_t i = 0; i < count; i++)
        if (strlen(families[i].name) == length &&
            strncmp(families[i].name, rule, length) == 0)
            return &families[i];
    return NULL;
}

/* --- Examples --- */

/* Further words of the command, and a verb in front of them if not check. */
static void read_options(char *text, size_t size, const char *rule,
                         const char *words[MOST_WORDS])
{
    char path[256];
    size_t count = 0;
    snprintf(path, sizeof path, EXAMPLES "%s/options", rule);
    text[0] = '\0';
    if (access(path, F_OK) == 0)
        read_file(text, size, path);
    char *rest = NULL, *word = strtok_r(text, " \n", &rest);
    if (word == NULL || word[0] == '-' || strchr(word, '/') != NULL)
        words[count++] = "check";
    for (; word != NULL; word = strtok_r(NULL, " \n", &rest)) {
        assert_true(count < MOST_WORDS);
        words[count++] = word;
    }
}

/* `run` lists its findings as text alone, the others as JSON too. */
static bool tells_json(const char *verb)
{
    return strcmp(verb, "run") != 0;
}

static bool answered(const tool_result *result, const char *verb)
{
    if (result->status > 1 && result->status != 4)
        return false;
    return strstr(result->out,
                  tells_json(verb) ? "{\"verdict\":" : "\ndigest ") != NULL;
}

/* The severities (bits) with which an answer has the rule. */
static unsigned judge(tool_result *result, const char *rule, const char *path)
{
    char text[512];
    const char *w[MOST_WORDS] = {NULL};
    unsigned bits = 0;
    read_options(text, sizeof text, rule, w);
    bool json = tells_json(w[0]);
    tool_run(result, NULL, w[0], path, json ? "--json" : "--limit=100", w[1],
             w[2], w[3], w[4], w[5], NULL);
    if (!answered(result, w[0]))
        fail_msg("%s: status %d:\n%s%s", path, result->status, result->out,
                 result->error);
    for (unsigned s = 0; s < 3; s++) {
        char words[128];
        if (json)
            snprintf(words, sizeof words, "\"rule\":\"%s\",\"severity\":\"%s\"",
                     rule, severities[s]);
        else
            snprintf(words, sizeof words, ": %s %s: ", severities[s], rule);
        if (strstr(result->out, words) != NULL)
            bits |= 1u << s;
    }
    return bits;
}

static void check_found(const oracle_rule *rule)
{
    glob_t paths;
    char pattern[128];
    unsigned bits = 0;
    snprintf(pattern, sizeof pattern, EXAMPLES "%s/found*", rule->name);
    find(&paths, pattern, 1);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        tool_result result;
        unsigned one = judge(&result, rule->name, paths.gl_pathv[i]);
        if (one == 0)
            fail_msg("%s does not raise its rule:\n%s", paths.gl_pathv[i],
                     result.out);
        bits |= one;
        tool_free(&result);
    }
    globfree(&paths);
    if (bits != rule->severities)
        fail_msg("%s: its examples have severities %#x, its row %#x",
                 rule->name, bits, rule->severities);
}

/* The nearest right twin is read and judged, and nothing is wrong with it. */
static void check_absent(const oracle_rule *rule)
{
    glob_t paths;
    char pattern[128];
    snprintf(pattern, sizeof pattern, EXAMPLES "%s/absent*", rule->name);
    find(&paths, pattern, 1);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        tool_result result;
        unsigned bits = judge(&result, rule->name, paths.gl_pathv[i]);
        if (result.status != 0 || bits != 0)
            fail_msg("%s: status %d:\n%s", paths.gl_pathv[i], result.status,
                     result.out);
        tool_free(&result);
    }
    globfree(&paths);
}

static void examples(void **state)
{
    (void)state;
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (!needs_examples(rules[i].name))
            continue;
        check_found(&rules[i]);
        check_absent(&rules[i]);
    }
}

static void every_folder_is_of_a_rule(void **state)
{
    (void)state;
    glob_t paths;
    find(&paths, EXAMPLES "*", 40);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        const char *name = paths.gl_pathv[i] + strlen(EXAMPLES);
        if (is_folder(paths.gl_pathv[i]) && oracle_rule_find(name) == NULL)
            fail_msg("%s: no rule of this name in oracle/rules.c", name);
    }
    globfree(&paths);
}

/* --- Pages --- */

static void put_severities(char *out, size_t size, const oracle_rule *rule)
{
    size_t length = 0;
    for (int s = 2; s >= 0; s--)
        if ((rule->severities & 1u << s) != 0)
            length += (size_t)snprintf(out + length, size - length, "%s%s",
                                       length > 0 ? ", " : "", severities[s]);
}

static void check_lines(const char *path, const char *text)
{
    size_t number = 1;
    for (const char *line = text; *line != '\0'; number++) {
        const char *end = strchr(line, '\n');
        if (end == NULL)
            fail_msg("%s does not end with a line break", path);
        if ((size_t)(end - line) > COLUMNS)
            fail_msg("%s:%zu: longer than %zu columns", path, number, COLUMNS);
        if (end > line && end[-1] == ' ')
            fail_msg("%s:%zu: ends with a blank", path, number);
        line = end + 1;
    }
}

/* Heading, what, why, example and fix, in this order. */
static void check_form(const oracle_rule *rule, const char *path,
                       const char *text)
{
    static const char *const parts[] = {
        "\n\nWhy: ", "\n\nExample: ", "\n\nFix: "};
    char wanted[128], kinds[64];
    put_severities(kinds, sizeof kinds, rule);
    snprintf(wanted, sizeof wanted, "# %s (%s)\n\n", rule->name, kinds);
    if (strncmp(text, wanted, strlen(wanted)) != 0)
        fail_msg("%s does not begin with \"%.*s\"", path,
                 (int)strlen(wanted) - 2, wanted);
    const char *at = text + strlen(wanted);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *found = strstr(at, parts[i]);
        if (found == NULL || found == at)
            fail_msg("%s lacks, in its place, the part \"%s\"", path,
                     parts[i] + 2);
        at = found + strlen(parts[i]);
    }
}

/* Blanks and line breaks to one blank each. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (!blank)
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

/* All found* of a rule, one behind the other. */
static void read_found(char *text, size_t size, const char *rule)
{
    static const char *const patterns[] = {"", "/*", "/*/*"};
    size_t length = 0;
    text[0] = '\0';
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        glob_t paths;
        char pattern[128];
        snprintf(pattern, sizeof pattern, EXAMPLES "%s/found*%s", rule,
                 patterns[p]);
        find(&paths, pattern, 0);
        for (size_t i = 0; i < paths.gl_pathc; i++) {
            if (is_folder(paths.gl_pathv[i]))
                continue;
            read_file(text + length, size - length, paths.gl_pathv[i]);
            length += strlen(text + length);
        }
        if (paths.gl_pathc > 0)
            globfree(&paths);
    }
    squeeze(text);
}

/* What a page shows behind "Example:" stands in its found* files. */
static void check_example(const oracle_rule *rule, const char *path,
                          const char *text)
{
    static char found[ROOM];
    read_found(found, sizeof found, rule->name);
    const char *line = strstr(text, "\nExample: ");
    const char *end = strstr(text, "\nFix: ");
    bool shown = false;
    while ((line = strstr(line, "\n    ")) != NULL && line < end) {
        char copy[128];
        size_t length = strcspn(line + 1, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)length - 4, line + 5);
        squeeze(copy);
        if (strcmp(copy, "...") != 0 && strstr(found, copy) == NULL)
            fail_msg("%s shows what is not in its found*: %s", path, copy);
        shown = true;
        line++;
    }
    if (!shown)
        fail_msg("%s shows no lines of its found*", path);
}

static void pages(void **state)
{
    (void)state;
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        static char text[ROOM];
        char path[128];
        snprintf(path, sizeof path, PAGES "%s.md", rules[i].name);
        read_file(text, sizeof text, path);
        check_lines(path, text);
        check_form(&rules[i], path, text);
        if (needs_examples(rules[i].name))
            check_example(&rules[i], path, text);
    }
}

/* The example of a planner's page is a command, which the shell runs. */
static void planner_examples(void **state)
{
    (void)state;
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        static char text[ROOM];
        static const char begin[] = "\n    counterpoint ";
        char path[128], command[512], words[128];
        if (strncmp(rules[i].name, "planner.", 8) != 0)
            continue;
        snprintf(path, sizeof path, PAGES "%s.md", rules[i].name);
        read_file(text, sizeof text, path);
        char *line = strstr(text, begin);
        char *end = line == NULL ? NULL : strstr(line, " PATH\n");
        if (end == NULL)
            fail_msg("%s shows no command", path);
        *end = '\0';
        snprintf(command, sizeof command, "%s %s corpus/programs/chain.py 2>&1",
                 tool_program(), line + strlen(begin));
        FILE *out = popen(command, "r");
        assert_non_null(out);
        text[fread(text, 1, sizeof text - 1, out)] = '\0';
        (void)pclose(out);
        snprintf(words, sizeof words, "error %s:", rules[i].name);
        if (strstr(text, words) == NULL)
            fail_msg("%s: %s", command, text);
    }
}

static void every_page_is_of_a_rule(void **state)
{
    (void)state;
    glob_t paths;
    find(&paths, PAGES "*.md", 50);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s", paths.gl_pathv[i] + strlen(PAGES));
        *strstr(name, ".md") = '\0';
        if (oracle_rule_find(name) == NULL)
            fail_msg("%s: no rule of this name in oracle/rules.c",
                     paths.gl_pathv[i]);
    }
    globfree(&paths);
}

/* --- Symptoms --- */

/* Words in backticks of the form family.rule are rules. */
static void check_names(char *text)
{
    size_t count = 0;
    for (char *at = text; (at = strchr(at, '`')) != NULL;) {
        char *end = strchr(at + 1, '`');
        assert_non_null(end);
        *end = '\0';
        const oracle_family *family = family_of(at + 1);
        bool named = family != NULL && strchr(at, '.') != NULL;
        if (named && oracle_rule_find(at + 1) == NULL)
            fail_msg("symptoms: there is no rule %s", at + 1);
        count += named;
        *end = '`';
        at = end + 1;
    }
    assert_true(count > 30);
}

/* Runs "counterpoint WORD..." and keeps what it prints, squeezed. */
static void run_line(char *out, size_t size, char *line)
{
    const char *w[MOST_WORDS] = {NULL};
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        assert_true(count < MOST_WORDS);
        w[count++] = word;
    }
    assert_string_equal(w[0], "counterpoint");
    tool_result result;
    tool_run(&result, NULL, w[1], w[2], w[3], w[4], w[5], NULL);
    snprintf(out, size, "%s", result.out);
    squeeze(out);
    tool_free(&result);
}

/* What stands below a command until a gap, a text or the next command. */
static void expect_printed(const char *out, char *wanted, size_t *commands)
{
    squeeze(wanted);
    if (*wanted == '\0')
        return;
    if (strstr(out, wanted) == NULL)
        fail_msg("symptoms: \"%s\" is not printed:\n%s", wanted, out);
    *wanted = '\0';
    (*commands)++;
}

/* The lines behind "$ command" are what it prints, "..." leaves some out. */
static void symptoms(void **state)
{
    (void)state;
    static char text[ROOM], out[ROOM];
    char wanted[1024] = "";
    size_t answers = 0, commands = 0;
    read_file(text, sizeof text, "docs/symptoms.md");
    check_lines("docs/symptoms.md", text);
    check_names(text);
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        bool inside = strncmp(line, "    ", 4) == 0;
        bool command = strncmp(line, "    $ ", 6) == 0;
        bool gap = strcmp(line, "    ...") == 0;
        if (!inside || command || gap)
            expect_printed(out, wanted, &answers);
        commands += command;
        if (command)
            run_line(out, sizeof out, line + 6);
        else if (inside && !gap)
            strcat(wanted, line);
    }
    expect_printed(out, wanted, &answers);
    assert_true(commands > 15 && answers >= commands);
}

/* --- The list --- */

static void list_is_sound(void **state)
{
    (void)state;
    uint32_t count, family_count;
    const oracle_rule *rules = oracle_rule_list(&count);
    const oracle_family *families = oracle_family_list(&family_count);
    const oracle_family *before = families;
    assert_ptr_equal(family_of(rules[0].name), families);
    for (uint32_t i = 0; i < count; i++) {
        const oracle_family *family = family_of(rules[i].name);
        if (family == NULL)
            fail_msg("%s is of no family", rules[i].name);
        assert_true(family == before || family == before + 1);
        before = family;
        assert_in_range(rules[i].severities, 1, 7);
        assert_in_range(strlen(rules[i].summary), 1, 46);
        assert_ptr_equal(oracle_rule_find(rules[i].name), &rules[i]);
    }
    assert_ptr_equal(before, &families[family_count - 1]);
    assert_true(oracle_rule_allows("hazard.war", ORACLE_ERROR));
    assert_false(oracle_rule_allows("hazard.war", ORACLE_NOTE));
    assert_false(oracle_rule_allows("hazard.wars", ORACLE_ERROR));
}

/* --- The verb --- */

static void explain(tool_result *result, int status, const char *name,
                    const char *option)
{
    if (name == NULL)
        tool_run(result, NULL, "explain", option, NULL);
    else
        tool_run(result, NULL, "explain", name, option, NULL);
    if (result->status != status)
        fail_msg("explain %s: status %d\n%s%s", name == NULL ? "" : name,
                 result->status, result->out, result->error);
}

static void explain_prints_pages(void **state)
{
    (void)state;
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    for (uint32_t i = 0; i <= count; i++) {
        static char text[ROOM];
        tool_result result;
        const char *name = i < count ? rules[i].name : "symptoms";
        char path[128] = "docs/symptoms.md";
        if (i < count)
            snprintf(path, sizeof path, PAGES "%s.md", name);
        read_file(text, sizeof text, path);
        explain(&result, 0, name, NULL);
        assert_string_equal(result.out, text);
        tool_free(&result);
    }
}

static void explain_lists(void **state)
{
    (void)state;
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    tool_result all, json, family;
    explain(&all, 0, NULL, NULL);
    explain(&json, 0, NULL, "--json");
    check_lines("counterpoint explain", all.out);
    for (uint32_t i = 0; i < count; i++) {
        char words[128];
        snprintf(words, sizeof words, " %s ", rules[i].name);
        assert_non_null(strstr(all.out, words));
        assert_non_null(strstr(all.out, rules[i].summary));
        snprintf(words, sizeof words, "{\"rule\":\"%s\",", rules[i].name);
        assert_non_null(strstr(json.out, words));
    }
    tool_free(&all);
    tool_free(&json);
    explain(&family, 0, "hazard", NULL);
    assert_non_null(strstr(family.out, "  ew  hazard.uninitialised "));
    assert_null(strstr(family.out, "memory."));
    tool_free(&family);
    explain(&family, 0, "hazard", "--json");
    assert_memory_equal(family.out, "{\"family\":\"hazard\",\"rules\":[{", 29);
    assert_null(strstr(family.out, "memory."));
    tool_free(&family);
}

static void explain_json_and_quiet(void **state)
{
    (void)state;
    tool_result result;
    explain(&result, 0, "hazard.uninitialised", "--json");
    assert_memory_equal(result.out, "{\"page\":\"# hazard.uninit", 24);
    assert_non_null(strstr(result.out, "\"rule\":\"hazard.uninitialised\","
                                       "\"severities\":[\"error\",\"warning\"],"
                                       "\"summary\":\""));
    tool_free(&result);
    explain(&result, 0, "symptoms", "--json");
    assert_non_null(strstr(result.out, "\"topic\":\"symptoms\"}\n"));
    tool_free(&result);
    explain(&result, 0, "hazard.war", "--quiet");
    assert_int_equal(result.out_length, 0);
    tool_free(&result);
    tool_expect(2, NULL, "explain", "--quiet", "hazard.wars", NULL);
    tool_expect(2, NULL, "explain", "hazard.war", "hazard.raw", NULL);
}

static void explain_suggests(void **state)
{
    (void)state;
    static const struct {
        const char *word, *answer;
    } cases[] = {
        {"hazard.warr", "did you mean 'hazard.war'?"},
        {"HAZARD.RAW", "did you mean 'hazard.raw'?"},
        {"hazrd", "did you mean 'hazard'?"},
        {"parallel-reuse", "did you mean 'memory.parallel-reuse'?"},
        {"symptom", "did you mean 'symptoms'?"},
        {"hazard.write-after-read", "(counterpoint explain hazard lists"},
        {"nothing-like-it", "(counterpoint explain lists them)"},
        {"", "(counterpoint explain lists them)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tool_result result;
        explain(&result, 2, cases[i].word, NULL);
        assert_int_equal(result.out_length, 0);
        if (strstr(result.error, cases[i].answer) == NULL)
            fail_msg("%s: %s", cases[i].word, result.error);
        tool_free(&result);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(list_is_sound),
    cmocka_unit_test(pages),
    cmocka_unit_test(planner_examples),
    cmocka_unit_test(every_page_is_of_a_rule),
    cmocka_unit_test(examples),
    cmocka_unit_test(every_folder_is_of_a_rule),
    cmocka_unit_test(symptoms),
    cmocka_unit_test(explain_prints_pages),
    cmocka_unit_test(explain_lists),
    cmocka_unit_test(explain_json_and_quiet),
    cmocka_unit_test(explain_suggests),
};

TEST_MAIN(tests)
