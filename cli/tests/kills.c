#include "kills.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "built.h"
#include "tool.h"

typedef struct scene {
    char *folder;
    char planner[256], shim[256], db[256], count[256];
    tool_result quiet; /* what nobody disturbed */
} scene;

/*
 * A planner that refuses all: every Score is a finding with its text, so that
 * transactions have something in them.
 */
static const char *const fixed[] = {"--seed",  "9",           "--cases", "3072",
                                    "--kinds", "graph,score", "--tasks", "4"};

static void set_up(scene *s)
{
    *s = (scene){.folder = tool_folder()};
    snprintf(s->planner, sizeof s->planner, "%s",
             built(s->folder, "bad_planner", false));
    snprintf(s->shim, sizeof s->shim, "%s", built(s->folder, "kill_at", true));
    snprintf(s->db, sizeof s->db, "%s", tool_path(s->folder, "fuzz.db"));
    snprintf(s->count, sizeof s->count, "%s", tool_path(s->folder, "count"));
    setenv("BAD_PLANNER", "good", 1);
    tool_run(&s->quiet, NULL, "fuzz", fixed[0], fixed[1], fixed[2], fixed[3],
             fixed[4], fixed[5], fixed[6], fixed[7], "--planner", s->planner,
             "--json", NULL);
    assert_int_equal(s->quiet.status, 1);
    assert_int_equal(tool_number(s->quiet.out, "inputs"), 3072);
}

static void tear_down(scene *s)
{
    tool_free(&s->quiet);
    tool_remove(s->folder);
}

static pid_t start(const scene *s)
{
    const char *arguments[] = {
        "counterpoint", "fuzz",    fixed[0],    fixed[1],   fixed[2],
        fixed[3],       fixed[4],  fixed[5],    fixed[6],   fixed[7],
        "--db",         s->db,     "--json",    "--jobs",   "2",
        "--resume",     "--quiet", "--planner", s->planner, NULL};
    return tool_start(arguments);
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A sanitizer wants to be the first library, and need not be. */
static int run_with_shim(const scene *s, long at)
{
    char number[24], options[512];
    const char *before = getenv("ASAN_OPTIONS");
    snprintf(number, sizeof number, "%ld", at);
    snprintf(options, sizeof options, "%s:verify_asan_link_order=0",
             before == NULL ? "" : before);
    setenv("ASAN_OPTIONS", options, 1);
    setenv("KILL_AT", number, 1);
    setenv("KILL_COUNT", s->count, 1);
    setenv("LD_PRELOAD", s->shim, 1);
    pid_t pid = start(s);
    unsetenv("LD_PRELOAD");
    unsetenv("KILL_AT");
    unsetenv("KILL_COUNT");
    return wait_for(pid);
}

static int see_text(void *context, int count, char **values, char **names)
{
    (void)names;
    assert_int_equal(count, 1);
    snprintf(context, 80, "%s", values[0] == NULL ? "" : values[0]);
    return 0;
}

static void ask(char answer[80], const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    answer[0] = '\0';
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, see_text, answer, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* It opens, is sound, and has whole blocks alone. */
static void check_database(const scene *s)
{
    char answer[80];
    if (access(s->db, F_OK) != 0)
        return;
    ask(answer, s->db, "PRAGMA integrity_check");
    assert_string_equal(answer, "ok");
    ask(answer, s->db, "SELECT count(*) FROM sqlite_master");
    if (strcmp(answer, "0") == 0) /* it was killed before it made the tables */
        return;
    ask(answer, s->db,
        "SELECT count(*) FROM blocks AS b WHERE cases <> (SELECT"
        " sum(value) FROM json_each(b.counts, '$.verdict'))");
    assert_string_equal(answer, "0");
    ask(answer, s->db,
        "SELECT (SELECT coalesce(sum(cases), 0) FROM blocks) - (SELECT"
        " coalesce(sum(n), 0) FROM counts WHERE what = 'verdict')");
    assert_string_equal(answer, "0");
}

static void remove_database(const scene *s)
{
    char path[300];
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", s->db, ends[i]);
        unlink(path);
    }
}

static void check_resumed(const scene *s)
{
    tool_result r;
    tool_run(&r, NULL, "fuzz", fixed[0], fixed[1], fixed[2], fixed[3], fixed[4],
             fixed[5], fixed[6], fixed[7], "--db", s->db, "--json", "--resume",
             "--quiet", "--planner", s->planner, NULL);
    assert_int_equal(r.status, 1);
    assert_string_equal(r.out, s->quiet.out);
    tool_free(&r);
    check_database(s);
}

static long count_writes(const scene *s)
{
    char text[32] = "";
    FILE *in;
    assert_int_equal(run_with_shim(s, 0), 1);
    in = fopen(s->count, "r");
    assert_non_null(in);
    assert_non_null(fgets(text, sizeof text, in));
    fclose(in);
    return strtol(text, NULL, 10);
}

void kill_coordinator(long points)
{
    scene s;
    set_up(&s);
    long writes = count_writes(&s), killed = 0;
    check_database(&s);
    assert_true(writes > points);
    for (long i = 0; i < points; i++) {
        remove_database(&s);
        int status = run_with_shim(&s, 1 + i * (writes - 1) / points);
        assert_true(status == 128 + SIGKILL || status == 1);
        killed += status != 1;
        check_database(&s);
        check_resumed(&s);
    }
    /* Requests to workers are writes, too, and may be fewer the next time. */
    assert_true(killed >= points - 1);
    tear_down(&s);
}

/* --- Workers --- */

/* The children of a process, as the kernel lists them. */
static size_t children_of(pid_t pid, pid_t *list, size_t most)
{
    char path[64];
    long child;
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid,
             (int)pid);
    FILE *in = fopen(path, "r");
    while (in != NULL && count < most && fscanf(in, "%ld", &child) == 1)
        list[count++] = (pid_t)child;
    if (in != NULL)
        fclose(in);
    return count;
}

/* A worker, or its planner. */
static void kill_one(pid_t coordinator, long number, bool planner)
{
    pid_t workers[16], planners[16];
    size_t count = children_of(coordinator, workers, 16);
    if (count == 0)
        return;
    pid_t worker = workers[(size_t)number % count];
    size_t below = children_of(worker, planners, 16);
    if (planner && below > 0)
        kill(-planners[0], SIGKILL);
    else
        kill(worker, SIGKILL);
}

void kill_workers(long points)
{
    scene s;
    set_up(&s);
    for (long i = 0; i < points; i++) {
        char digest[80], own[80];
        int status = 0;
        pid_t pid = start(&s);
        /* At another time of its work each time; of planners one alone, since
         * what a fresh one fails of, too, is a finding. */
        for (long n = 0; n < 4 && status == 0; n++) {
            usleep((useconds_t)(20000 + 7919 * ((i * 4 + n) % 11)));
            kill_one(pid, i + n, n == i % 4);
        }
        assert_int_equal(wait_for(pid), 1);
        check_database(&s);
        ask(digest, s.db, "SELECT max(digest) FROM runs");
        tool_string(own, sizeof own, s.quiet.out, "digest");
        assert_string_equal(digest, own);
        remove_database(&s);
    }
    tear_down(&s);
}
