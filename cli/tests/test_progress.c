/* The line on a terminal that says how far a batch is. */
#include "../../scripts/testing/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

#define ROOM ((size_t)1 << 16)
#define CLEAR "\r\033[K"

static int open_terminal(unsigned short columns, int *terminal)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    *terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(*terminal >= 0);
    assert_int_equal(ioctl(*terminal, TIOCSWINSZ, &size), 0);
    return master;
}

static void become(int terminal, const char *const *arguments)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(terminal, STDERR_FILENO);
    execv(tool_program(), (char *const *)(const void *)arguments);
    _exit(126);
}

/* What the command writes on standard error, a terminal so wide. */
static int on_terminal(char *text, unsigned short columns,
                       const char *const *arguments)
{
    int terminal, status;
    int master = open_terminal(columns, &terminal);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        become(terminal, arguments);
    close(terminal);
    size_t length = 0;
    ssize_t n;
    while ((n = read(master, text + length, ROOM - 1 - length)) > 0 ||
           (n < 0 && errno == EINTR))
        length += n > 0 ? (size_t)n : 0;
    assert_true(length < ROOM - 1);
    text[length] = '\0';
    close(master);
    while (waitpid(pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/* No line is as wide as the terminal, so that each overwrites the one before.
 */
static void check_width(const char *text, size_t columns)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\r\n\033");
        if (length >= columns)
            fail_msg("longer than the terminal: %.*s", (int)length, at);
        at += length + (at[length] != '\0');
    }
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("without \"%s\": %s", part, text);
}

/* A planner that gives no answer: there is time to look at the line. */
static void run_shows_what_is_waited_for(void **state)
{
    (void)state;
    static char text[ROOM];
    const char *const run[] = {"counterpoint",
                               "run",
                               "corpus/rules/hazard.war/found.json",
                               "corpus/programs/chain.py",
                               "--planner",
                               "sleep 60",
                               "--timeout",
                               "1",
                               NULL};
    assert_int_equal(on_terminal(text, 80, run), 1);
    has(text, "\r1 of 2 inputs, 1 findings; corpus/programs/chain.py: plan");
    check_width(text, 80);
    assert_true(ends_with(text, CLEAR));
}

static void narrow_terminal(void **state)
{
    (void)state;
    static char text[ROOM];
    const char *const run[] = {"counterpoint",
                               "run",
                               "corpus/programs/interleaved_rows.py",
                               "--planner",
                               "sleep 60",
                               "--timeout",
                               "1",
                               NULL};
    on_terminal(text, 50, run);
    has(text, "\r0 of 1 inputs, 0 findings; ...");
    has(text, "rows.py: plan");
    check_width(text, 50);
    on_terminal(text, 20, run);
    has(text, "\r0 of 1 inputs, 0 f");
    check_width(text, 20);
}

/* A chain over one buffer, written to a new folder. */
static char *write_chain(int tasks)
{
    char *folder = tool_folder();
    FILE *out = fopen(tool_path(folder, "chain.json"), "w");
    assert_non_null(out);
    fputs("{\"kind\":\"task_graph\",\"version\":1,\"name\":\"c\",\"rules\":"
          "\"tensormap\",\"buffers\":[{\"key\":\"alloc:t\",\"bytes\":64,"
          "\"external\":false,\"init\":true}],\"tasks\":[",
          out);
    for (int i = 0; i < tasks; i++)
        fprintf(out,
                "%s{\"id\":%d,\"name\":\"k\",\"args\":[{\"buffer\":\"alloc:t\","
                "\"dispatch\":\"inout\",\"access\":[{\"mode\":\"inout\","
                "\"must\":true,\"exact\":true}]}]}",
                i > 0 ? "," : "", i);
    fputs("]}", out);
    assert_int_equal(fclose(out), 0);
    return folder;
}

/* Of one large input the phase is shown. */
static void check_shows_phases(void **state)
{
    (void)state;
    static char text[ROOM];
    char *folder = write_chain(200000);
    const char *const check[] = {"counterpoint",
                                 "check",
                                 "--timeout",
                                 "600",
                                 tool_path(folder, "chain.json"),
                                 NULL};
    assert_int_equal(on_terminal(text, 100, check), 0);
    has(text, "\r0 of 1 inputs, 0 findings; ");
    /* Which phases are seen is a matter of speed. */
    has(text, "chain.json: judge, ");
    assert_true(ends_with(text, CLEAR));
    tool_remove(folder);
}

/* Nothing where nobody looks, or nobody wants it. */
static void silence(void **state)
{
    (void)state;
    static char text[ROOM];
    const char *const quiet[] = {"counterpoint",
                                 "run",
                                 "--quiet",
                                 "corpus/programs/chain.py",
                                 "--planner",
                                 "sleep 60",
                                 "--timeout",
                                 "1",
                                 NULL};
    assert_int_equal(on_terminal(text, 80, quiet), 1);
    assert_string_equal(text, "");
    tool_result result;
    tool_run(&result, NULL, "run", "corpus/programs/chain.py", "--planner",
             "sleep 60", "--timeout", "1", NULL);
    assert_int_equal(result.status, 1);
    assert_string_equal(result.error, "");
    tool_free(&result);
}

/* Only our own processes may say where they are, and only they are asked. */
static void foreign_phase_is_no_answer(void **state)
{
    (void)state;
    static char text[ROOM];
    char command[256];
    char *folder = tool_folder();
    tool_result result;
    tool_run(&result, NULL, "check", "corpus/programs/chain.py", "--planner",
             "echo '{\"at\":\"read\"}'", NULL);
    assert_int_equal(result.status, 1);
    has(result.out, "planner.protocol");
    tool_free(&result);
    snprintf(command, sizeof command, "head -n 1 >%s/request; sleep 60",
             folder);
    const char *const asked[] = {"counterpoint",
                                 "check",
                                 "corpus/programs/chain.py",
                                 "--planner",
                                 command,
                                 "--timeout",
                                 "1",
                                 NULL};
    assert_int_equal(on_terminal(text, 80, asked), 1);
    has(text, "chain.py: plan");
    FILE *request = fopen(tool_path(folder, "request"), "r");
    assert_non_null(request);
    text[fread(text, 1, ROOM - 1, request)] = '\0';
    (void)fclose(request);
    has(text, "\"kind\":\"dump\"");
    assert_null(strstr(text, "progress"));
    tool_remove(folder);
}

static void phases_of_serve(void **state)
{
    (void)state;
    tool_result result;
    tool_run(&result,
             "{\"id\":1,\"kind\":\"judge\",\"input\":\"{\\\"kind\\\":"
             "\\\"task_graph\\\",\\\"version\\\":1,\\\"tasks\\\":[]}\","
             "\"options\":{\"progress\":1}}\n",
             "serve", "--judge", NULL);
    assert_int_equal(result.status, 0);
    assert_memory_equal(result.out, "{\"at\":\"read\"}\n{\"at\":", 20);
    has(result.out, "\"verdict\":\"clean\"}\n");
    assert_null(strstr(result.out, "\"phases\""));
    tool_free(&result);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(run_shows_what_is_waited_for),
    cmocka_unit_test(narrow_terminal),
    cmocka_unit_test(check_shows_phases),
    cmocka_unit_test(silence),
    cmocka_unit_test(foreign_phase_is_no_answer),
    cmocka_unit_test(phases_of_serve),
};

TEST_MAIN(tests)
