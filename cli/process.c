#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LAST_WORDS_MS 1000
#define FAMILY 16 /* processes whose memory is added up */

int64_t cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cli_process_init(cli_process *process)
{
    *process = (cli_process){.to = -1, .from = -1, .errors = -1};
}

static void become_server(const cli_child_spec *spec)
{
    const char *options[] = {NULL, NULL};
    size_t count = 0;
    if (spec->judge)
        options[count++] = "--judge";
    if (spec->fuzz)
        options[count++] = "--fuzz";
    if (spec->phases)
        options[count] = "--phases";
    execl("/proc/self/exe", "counterpoint", "serve", options[0], options[1],
          (char *)NULL);
}

static void end_group(int number)
{
    (void)number;
    if (getpgrp() == getpid())
        kill(0, SIGKILL);
    _exit(127);
}

/*
 * A command is a shell and what that starts: the kernel ends only the first
 * of them with us. So there is one above it who then ends them all.
 */
static void guard(const char *command)
{
    int status = 0;
    pid_t guarding = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGTERM, SIG_DFL);
        if (getppid() == guarding)
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close_range(0, ~0U, 0); /* no end of a pipe stays open for it */
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid > 0 && WIFSIGNALED(status))
        _exit(128 + WTERMSIG(status));
    _exit(pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/* The ends of three pipes; of each the reader's first, as pipe() gives them. */
typedef struct pipes {
    int in[2], out[2], errors[2];
} pipes;

/* In the new process. The kernel ends it with us, whatever it hangs in. */
static void become(const cli_child_spec *spec, pid_t parent, const pipes *p)
{
    bool is_command = spec->command != NULL;
    setpgid(0, 0);
    if (is_command)
        signal(SIGTERM, end_group);
    prctl(PR_SET_PDEATHSIG, is_command ? SIGTERM : SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (getppid() != parent || dup2(p->in[0], STDIN_FILENO) < 0 ||
        dup2(p->out[1], STDOUT_FILENO) < 0 ||
        (p->errors[1] >= 0 && dup2(p->errors[1], STDERR_FILENO) < 0))
        _exit(127);
    if (spec->command != NULL)
        guard(spec->command);
    else
        become_server(spec);
    _exit(127);
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(pipes *p)
{
    int *const ends[] = {&p->in[0],  &p->in[1],     &p->out[0],
                         &p->out[1], &p->errors[0], &p->errors[1]};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        close_end(ends[i]);
}

static bool open_pipes(pipes *p, bool errors)
{
    *p = (pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(p->in, O_CLOEXEC) == 0 && pipe2(p->out, O_CLOEXEC) == 0 &&
        (!errors || pipe2(p->errors, O_CLOEXEC) == 0))
        return true;
    int problem = errno;
    close_pipes(p);
    errno = problem;
    return false;
}

/* Takes an end out of what is closed. */
static int keep(int *end)
{
    int fd = *end;
    *end = -1;
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

bool cli_process_start(cli_process *process, const cli_child_spec *spec,
                       bool errors)
{
    pipes p;
    if (!open_pipes(&p, errors))
        return false;
    pid_t parent = getpid();
    /* Ours is another program at once: until then it may use our memory, of
     * which a copy would cost a page fault for each page written later. */
    pid_t pid = spec->command == NULL ? vfork() : fork();
    if (pid == 0)
        become(spec, parent, &p);
    int problem = errno;
    if (pid > 0) {
        setpgid(pid, pid);
        process->pid = pid;
        process->to = keep(&p.in[1]);
        process->from = keep(&p.out[0]);
        process->errors = keep(&p.errors[0]);
    }
    close_pipes(&p);
    errno = problem;
    return pid > 0;
}

void cli_process_limit(const cli_process *process, int64_t timeout_ms)
{
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(process->pid, &clock) != 0 ||
        clock_gettime(clock, &used) != 0)
        return;
    rlim_t seconds = (rlim_t)used.tv_sec + 10 + (rlim_t)(timeout_ms / 1000) * 8;
    struct rlimit limit = {seconds, RLIM_INFINITY};
    prlimit(process->pid, RLIMIT_CPU, &limit, NULL);
}

/* The first bytes of a file in /proc, with a NUL; "" when it is not there. */
static const char *read_proc(char *text, size_t size, pid_t pid,
                             const char *format)
{
    char path[64];
    snprintf(path, sizeof path, format, (long long)pid, (long long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static int64_t resident_of(pid_t pid)
{
    char text[128];
    const char *second =
        strchr(read_proc(text, sizeof text, pid, "/proc/%lld/statm"), ' ');
    return second == NULL
               ? 0
               : (int64_t)strtoll(second, NULL, 10) * sysconf(_SC_PAGESIZE);
}

/*
 * A shell starts its command as a child, and that may start more. What is in
 * another group has somebody else who looks after it.
 */
int64_t cli_process_resident(const cli_process *process)
{
    pid_t list[FAMILY] = {process->pid};
    size_t count = 1;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        char text[512];
        sum += resident_of(list[i]);
        const char *at = read_proc(text, sizeof text, list[i],
                                   "/proc/%lld/task/%lld/children");
        char *end;
        for (; count < FAMILY; at = end) {
            long child = strtol(at, &end, 10);
            if (end == at)
                break;
            if (getpgid((pid_t)child) == process->pid)
                list[count++] = (pid_t)child;
        }
    }
    return sum;
}

static void close_ends(cli_process *process)
{
    close_end(&process->to);
    close_end(&process->from);
    close_end(&process->errors);
}

void cli_process_kill(cli_process *process)
{
    if (process->pid == 0)
        return;
    kill(-process->pid, SIGKILL);
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close_ends(process);
    process->pid = 0;
}

/* Waits for a process that is about to end; false: it is not. */
static bool wait_for(pid_t pid, int *status, int64_t wait_ms)
{
    int64_t end = cli_now() + wait_ms;
    for (;;) {
        pid_t got = waitpid(pid, status, WNOHANG);
        if (got == pid)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        if (cli_now() >= end)
            return false;
        poll(NULL, 0, 1);
    }
}

/* The signal that ended it, or its command, as shells tell that; or 0. */
static int signal_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    int number = WEXITSTATUS(status) - 128;
    return number > 0 && sigabbrev_np(number) != NULL ? number : 0;
}

static void describe_end(char *problem, size_t size, int status)
{
    int number = signal_of(status);
    const char *name = sigabbrev_np(number);
    if (number == 0)
        snprintf(problem, size, "ended with status %d", WEXITSTATUS(status));
    else
        snprintf(problem, size, "was ended by signal SIG%s",
                 name == NULL ? "?" : name);
}

cli_event cli_process_bury(cli_process *process, char *problem, size_t size)
{
    int status = 0;
    if (!wait_for(process->pid, &status, LAST_WORDS_MS)) {
        cli_process_kill(process);
        snprintf(problem, size, "closed its output without an answer");
        return CLI_CRASH;
    }
    kill(-process->pid, SIGKILL);
    describe_end(problem, size, status);
    close_ends(process);
    process->pid = 0;
    if (signal_of(status) == SIGXCPU)
        return CLI_TIMEOUT;
    return CLI_CRASH;
}

void cli_process_hang_up(cli_process *process)
{
    close_end(&process->to);
}

bool cli_process_stop(cli_process *process, const cli_child_spec *spec,
                      int64_t wait_ms)
{
    int status = 0;
    if (process->pid == 0)
        return true;
    close_ends(process);
    if (!wait_for(process->pid, &status, wait_ms)) {
        cli_process_kill(process);
        return false;
    }
    if (spec->command != NULL)
        kill(-process->pid, SIGKILL); /* what it may have left running */
    process->pid = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- Whether there is such a command --- */

/* The first line of what a process says before it ends. */
static void read_first_line(char *line, size_t size, int fd, int64_t end)
{
    size_t length = 0;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    ssize_t n = 1;
    while (length + 1 < size && n != 0 && cli_now() < end) {
        poll(&ready, 1, 20);
        n = read(fd, line + length, size - 1 - length);
        length += n > 0 ? (size_t)n : 0;
    }
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

bool cli_process_can_run(const char *command, char *problem, size_t size)
{
    enum { CANNOT = 126, NOT_FOUND = 127, WAIT_MS = 5000 };
    cli_child_spec spec = {.command = command};
    cli_process process;
    int status = 0;
    *problem = '\0';
    cli_process_init(&process);
    if (!cli_process_start(&process, &spec, true))
        return true; /* whoever needs it says what is wrong */
    int64_t end = cli_now() + WAIT_MS;
    cli_process_hang_up(&process);
    read_first_line(problem, size, process.errors, end);
    bool ended = wait_for(process.pid, &status, end - cli_now());
    if (ended)
        process.pid = 0;
    else
        cli_process_kill(&process);
    close_ends(&process);
    return !ended || !WIFEXITED(status) ||
           (WEXITSTATUS(status) != CANNOT && WEXITSTATUS(status) != NOT_FOUND);
}
