#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEP ((size_t)65536)
#define LONGEST ((size_t)1 << 31)
#define STEPS 16 /* writes or reads before its limits are looked at */
#define LAST_WORDS_MS 1000
#define LOOK_MS 10 /* memory is not looked at more often */

int64_t cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cli_child_init(cli_child *child, const cli_child_spec *spec)
{
    *child = (cli_child){.spec = spec, .to = -1, .from = -1};
}

static void become_server(const cli_child_spec *spec)
{
    const char *options[] = {NULL, NULL};
    size_t count = 0;
    if (spec->judge)
        options[count++] = "--judge";
    if (spec->phases)
        options[count] = "--phases";
    execl("/proc/self/exe", "counterpoint", "serve", options[0], options[1],
          (char *)NULL);
}

/* In the new process. The kernel ends it with us, whatever it hangs in. */
static void become(const cli_child_spec *spec, pid_t parent, int in, int out)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 ||
        dup2(out, STDOUT_FILENO) < 0)
        _exit(127);
    if (spec->command != NULL)
        execl("/bin/sh", "sh", "-c", spec->command, (char *)NULL);
    else
        become_server(spec);
    _exit(127);
}

static void close_pair(int fds[2])
{
    close(fds[0]);
    close(fds[1]);
}

static bool start(cli_child *child)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return false;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close_pair(in);
        return false;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become(child->spec, parent, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    if (pid < 0) {
        close(in[1]);
        close(out[0]);
        return false;
    }
    setpgid(pid, pid);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    child->pid = pid;
    child->to = in[1];
    child->from = out[0];
    child->answered = 0;
    return true;
}

/*
 * A second net beside the wall clock, should this process be stopped: far
 * more than a request may use, also on several cores.
 */
static void limit_cpu(const cli_child *child)
{
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(child->pid, &clock) != 0 ||
        clock_gettime(clock, &used) != 0)
        return;
    rlim_t seconds =
        (rlim_t)used.tv_sec + 10 + (rlim_t)(child->spec->timeout_ms / 1000) * 8;
    struct rlimit limit = {seconds, RLIM_INFINITY};
    prlimit(child->pid, RLIMIT_CPU, &limit, NULL);
}

static bool begin_request(cli_child *child)
{
    if (child->pid == 0 && !start(child)) {
        snprintf(child->problem, sizeof child->problem,
                 "a process cannot be started: %s", strerror(errno));
        return false;
    }
    limit_cpu(child);
    child->sent = 0;
    child->scanned = 0;
    cli_text_clear(&child->answer);
    child->at[0] = '\0';
    child->busy = true;
    child->looked = cli_now();
    child->deadline = child->looked + child->spec->timeout_ms;
    return true;
}

bool cli_child_send(cli_child *child, cli_text *line)
{
    cli_text old = child->request;
    child->request = *line;
    *line = old;
    cli_text_clear(line);
    return begin_request(child);
}

bool cli_child_resend(cli_child *child)
{
    return begin_request(child);
}

size_t cli_child_poll(const cli_child *child, struct pollfd fds[2])
{
    if (!child->busy)
        return 0;
    fds[0] = (struct pollfd){.fd = child->from, .events = POLLIN};
    if (child->sent == child->request.length)
        return 1;
    fds[1] = (struct pollfd){.fd = child->to, .events = POLLOUT};
    return 2;
}

static void close_ends(cli_child *child)
{
    if (child->to >= 0)
        close(child->to);
    if (child->from >= 0)
        close(child->from);
    child->to = child->from = -1;
}

static void forget(cli_child *child)
{
    close_ends(child);
    child->pid = 0;
    child->busy = false;
}

void cli_child_kill(cli_child *child)
{
    if (child->pid == 0)
        return;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    forget(child);
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

static void describe_end(cli_child *child, int status)
{
    size_t size = sizeof child->problem;
    if (!WIFSIGNALED(status)) {
        snprintf(child->problem, size, "ended with status %d",
                 WEXITSTATUS(status));
        return;
    }
    const char *name = sigabbrev_np(WTERMSIG(status));
    snprintf(child->problem, size, "was ended by signal SIG%s",
             name == NULL ? "?" : name);
}

/* Its output is closed or its input broken: it is dead or as good as. */
static cli_event bury(cli_child *child)
{
    int status = 0;
    if (!wait_for(child->pid, &status, LAST_WORDS_MS)) {
        cli_child_kill(child);
        snprintf(child->problem, sizeof child->problem,
                 "closed its output without an answer");
        return CLI_CRASH;
    }
    kill(-child->pid, SIGKILL);
    describe_end(child, status);
    forget(child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return CLI_TIMEOUT;
    return CLI_CRASH;
}

/* Not all at once, so that its time and memory are looked at meanwhile. */
static void push(cli_child *child)
{
    for (int i = 0; i < STEPS && child->sent < child->request.length; i++) {
        ssize_t n = write(child->to, child->request.data + child->sent,
                          child->request.length - child->sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) /* its input is closed: what it says next decides */
            child->sent = child->request.length;
        else
            child->sent += (size_t)n;
    }
}

static cli_event fail(cli_child *child, cli_event event, const char *problem)
{
    cli_child_kill(child);
    snprintf(child->problem, sizeof child->problem, "%s", problem);
    return event;
}

/* A line is complete; what stands behind it was not asked for. */
static cli_event finish_answer(cli_child *child, const char *newline)
{
    size_t length = (size_t)(newline - child->answer.data);
    if (length + 1 != child->answer.length ||
        child->sent < child->request.length)
        return fail(child, CLI_PROTOCOL, "gave more than one answer");
    child->answer.length = length;
    child->busy = false;
    child->answered++;
    return CLI_ANSWER;
}

/*
 * A line {"at":"judge"} says where our own process is, and is no answer; it is
 * taken out. False: it is another line.
 */
static bool take_phase(cli_child *child, const char *newline)
{
    static const char begin[] = "{\"at\":\"", end[] = "\"}";
    cli_text *answer = &child->answer;
    size_t length = (size_t)(newline - answer->data);
    size_t around = strlen(begin) + strlen(end);
    if (child->spec->command != NULL || length <= around ||
        length - around >= sizeof child->at ||
        memcmp(answer->data, begin, strlen(begin)) != 0)
        return false;
    memcpy(child->at, answer->data + strlen(begin), length - around);
    child->at[length - around] = '\0';
    answer->length -= length + 1;
    memmove(answer->data, newline + 1, answer->length);
    child->scanned = 0;
    return true;
}

/* The end of the first line that is no phase; NULL: it is not there yet. */
static const char *find_line(cli_child *child)
{
    const cli_text *answer = &child->answer;
    const char *newline;
    do {
        newline = memchr(answer->data + child->scanned, '\n',
                         answer->length - child->scanned);
    } while (newline != NULL && take_phase(child, newline));
    return newline;
}

/* An answer may be as long as a process may be large. */
static bool is_too_long(const cli_child *child)
{
    return child->answer.length > LONGEST ||
           (int64_t)child->answer.length > child->spec->memory;
}

static cli_event pull(cli_child *child)
{
    cli_text *answer = &child->answer;
    for (int i = 0; i < STEPS; i++) {
        size_t room = answer->capacity - answer->length;
        if (!cli_text_reserve(answer, room > STEP ? room - 1 : STEP))
            return fail(child, CLI_PROTOCOL, "gave a line that is too long");
        ssize_t n = read(child->from, answer->data + answer->length,
                         answer->capacity - answer->length - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return CLI_NOTHING;
        if (n <= 0)
            return bury(child);
        answer->length += (size_t)n;
        const char *newline = find_line(child);
        if (newline != NULL)
            return finish_answer(child, newline);
        child->scanned = answer->length;
        if (is_too_long(child))
            return fail(child, CLI_PROTOCOL, "gave a line that is too long");
    }
    return CLI_NOTHING;
}

static int64_t resident_bytes(pid_t pid)
{
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%lld/statm", (long long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    char *second = strchr(text, ' ');
    if (second == NULL)
        return 0;
    return (int64_t)strtoll(second, NULL, 10) * sysconf(_SC_PAGESIZE);
}

static cli_event check_limits(cli_child *child)
{
    int64_t now = cli_now();
    if (now < child->looked + LOOK_MS)
        return CLI_NOTHING;
    child->looked = now;
    if (resident_bytes(child->pid) > child->spec->memory) {
        char problem[96];
        snprintf(problem, sizeof problem, "used more than %lld MB of memory",
                 (long long)(child->spec->memory >> 20));
        return fail(child, CLI_MEMORY, problem);
    }
    if (now >= child->deadline) {
        char problem[96];
        snprintf(problem, sizeof problem, "gave no answer within %lld s",
                 (long long)(child->spec->timeout_ms / 1000));
        return fail(child, CLI_TIMEOUT, problem);
    }
    return CLI_NOTHING;
}

cli_event cli_child_step(cli_child *child)
{
    if (!child->busy)
        return CLI_NOTHING;
    push(child);
    cli_event event = pull(child);
    return event == CLI_NOTHING ? check_limits(child) : event;
}

cli_span cli_child_answer(const cli_child *child)
{
    return (cli_span){child->answer.data, child->answer.length};
}

bool cli_child_stop(cli_child *child, int64_t wait_ms)
{
    bool good = true;
    if (child->pid != 0) {
        int status = 0;
        close_ends(child);
        good = wait_for(child->pid, &status, wait_ms);
        if (!good)
            cli_child_kill(child);
        else if (child->spec->command != NULL)
            kill(-child->pid, SIGKILL); /* what it may have left running */
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        forget(child);
    }
    cli_text_free(&child->request);
    cli_text_free(&child->answer);
    return good;
}
