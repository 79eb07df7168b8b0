/*
 * The processes that look at texts: copies of this one, since what they need
 * is here already. A request is the length of a text and its bytes, an answer
 * one letter.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/answer.h"
#include "reduce.h"

/* A judge may take as long as a planner; both in turn, and a start. */
#define LIMITS 3

typedef struct asker {
    pid_t pid; /* 0: none runs */
    int to, from;
    bool busy;
} asker;

struct cli_askers {
    const cli_view *view;
    const cli_goal *goal;
    asker *items;
    size_t count;
};

/* --- Bytes --- */

static bool put_all(int fd, const void *data, size_t length)
{
    const char *at = data;
    while (length > 0) {
        ssize_t n = write(fd, at, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

static bool get_all(int fd, void *data, size_t length)
{
    char *at = data;
    while (length > 0) {
        ssize_t n = read(fd, at, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

/* --- In the process --- */

typedef struct match {
    const cli_goal *goal;
    bool found;
} match;

static bool see_goal(void *context, const cli_sight *sight)
{
    match *m = context;
    m->found = sight->severity == m->goal->severity &&
               strcmp(sight->rule, m->goal->rule) == 0 &&
               oracle_signature_same(sight->rule, sight->signature,
                                     m->goal->signature);
    return !m->found;
}

static int serve(const cli_view *view, const cli_goal *goal, int in, int out)
{
    cli_looker *looker = cli_looker_new(view, goal);
    char *text = NULL;
    size_t room = 0;
    uint64_t length;
    bool ok = looker != NULL;
    while (ok && get_all(in, &length, sizeof length)) {
        if (length >= room) {
            free(text);
            room = (size_t)length + 1;
            text = malloc(room);
        }
        match m = {.goal = goal};
        ok = text != NULL && get_all(in, text, (size_t)length);
        if (!ok)
            break;
        text[length] = '\0';
        ok = cli_look(looker, (cli_span){text, (size_t)length}, see_goal, &m);
        ok = ok && put_all(out, m.found ? "y" : "n", 1);
    }
    free(text);
    cli_looker_free(looker);
    return ok ? 0 : 3;
}

/* In a new process: it ends when this one does. */
static void become(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* it is for this one to say that it is enough */
    if (getppid() != parent)
        _exit(127);
}

/* --- Asking --- */

static void close_asker(asker *a)
{
    if (a->to >= 0)
        close(a->to);
    if (a->from >= 0)
        close(a->from);
    a->to = a->from = -1;
}

static void stop(asker *a)
{
    if (a->pid == 0)
        return;
    close_asker(a);
    kill(a->pid, SIGKILL);
    while (waitpid(a->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    a->pid = 0;
    a->busy = false;
}

/* One that waits for a text ends its planner, too, when none comes. */
static void dismiss(asker *a)
{
    if (a->pid == 0)
        return;
    close_asker(a);
    while (waitpid(a->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    a->pid = 0;
}

static bool open_pipes(int in[2], int out[2])
{
    if (pipe2(in, O_CLOEXEC) != 0)
        return false;
    if (pipe2(out, O_CLOEXEC) == 0)
        return true;
    close(in[0]);
    close(in[1]);
    return false;
}

static bool start(cli_askers *askers, asker *a)
{
    int in[2], out[2];
    pid_t parent = getpid();
    if (!open_pipes(in, out))
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        become(parent);
        for (size_t i = 0; i < askers->count; i++)
            close_asker(&askers->items[i]);
        close(in[1]);
        close(out[0]);
        _exit(serve(askers->view, askers->goal, in[0], out[1]));
    }
    close(in[0]);
    close(out[1]);
    a->to = in[1];
    a->from = out[0];
    a->pid = pid > 0 ? pid : 0;
    if (pid < 0)
        close_asker(a);
    return pid > 0;
}

cli_askers *cli_askers_new(const cli_view *view, const cli_goal *goal,
                           size_t jobs)
{
    cli_askers *askers = calloc(1, sizeof *askers);
    asker *items = calloc(jobs, sizeof *items);
    if (askers == NULL || items == NULL) {
        free(askers);
        free(items);
        return NULL;
    }
    *askers = (cli_askers){view, goal, items, jobs};
    for (size_t i = 0; i < jobs; i++)
        items[i].to = items[i].from = -1;
    return askers;
}

void cli_askers_free(cli_askers *askers)
{
    if (askers == NULL)
        return;
    for (size_t i = 0; i < askers->count; i++)
        dismiss(&askers->items[i]);
    free(askers->items);
    free(askers);
}

/* One that has died before the request came is started again. */
static bool send(cli_askers *askers, asker *a, const fuzz_piece *text)
{
    uint64_t length = text->length;
    for (int i = 0; i < 2; i++) {
        if (a->pid == 0 && !start(askers, a))
            return false;
        if (put_all(a->to, &length, sizeof length) &&
            put_all(a->to, text->data, text->length))
            return true;
        stop(a);
    }
    return false;
}

/* What a process that ended without an answer says about its text. */
static fuzz_answer bury(const cli_askers *askers, asker *a)
{
    int status = 0;
    while (waitpid(a->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close_asker(a);
    a->pid = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
        return FUZZ_FAILED;
    return askers->goal->death ? FUZZ_YES : FUZZ_NO;
}

static fuzz_answer receive(const cli_askers *askers, asker *a)
{
    struct pollfd fd = {.fd = a->from, .events = POLLIN};
    int64_t end = cli_now() + LIMITS * askers->view->batch.timeout_ms;
    int ready;
    char answer = '\0';
    do {
        int64_t rest = end - cli_now();
        ready = poll(&fd, 1, rest > 60000 ? 60000 : rest < 0 ? 0 : (int)rest);
    } while ((ready < 0 && errno == EINTR) || (ready == 0 && cli_now() < end));
    if (ready <= 0) {
        stop(a);
        return FUZZ_NO;
    }
    if (!get_all(a->from, &answer, 1))
        return bury(askers, a);
    return answer == 'y' && !askers->goal->death ? FUZZ_YES : FUZZ_NO;
}

void cli_askers_ask(void *context, const fuzz_piece *texts, size_t count,
                    fuzz_answer *answers)
{
    cli_askers *askers = context;
    for (size_t begin = 0; begin < count; begin += askers->count) {
        size_t n = count - begin;
        n = n < askers->count ? n : askers->count;
        for (size_t i = 0; i < n; i++)
            askers->items[i].busy =
                send(askers, &askers->items[i], &texts[begin + i]);
        for (size_t i = 0; i < n; i++) {
            asker *a = &askers->items[i];
            answers[begin + i] = a->busy ? receive(askers, a) : FUZZ_FAILED;
            a->busy = false;
        }
    }
}

/* --- All that a text has --- */

typedef struct lister {
    int out;
    bool ok;
} lister;

static bool put_text(int fd, const char *text)
{
    return put_all(fd, text, strlen(text) + 1);
}

static bool send_sight(void *context, const cli_sight *sight)
{
    lister *l = context;
    char severity = (char)('0' + sight->severity);
    l->ok = put_all(l->out, &severity, 1) && put_text(l->out, sight->rule) &&
            put_text(l->out, sight->signature) &&
            put_text(l->out, sight->message);
    return l->ok;
}

static int list(const cli_view *view, cli_span text, int out)
{
    cli_looker *looker = cli_looker_new(view, NULL);
    lister l = {out, true};
    bool ok = looker != NULL && cli_look(looker, text, send_sight, &l) && l.ok;
    cli_looker_free(looker);
    return ok ? 0 : 3;
}

static bool read_whole(cli_text *bytes, int fd)
{
    ssize_t n;
    do {
        if (!cli_text_reserve(bytes, 65536))
            return false;
        n = read(fd, bytes->data + bytes->length,
                 bytes->capacity - bytes->length - 1);
        if (n > 0)
            bytes->length += (size_t)n;
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n == 0;
}

/* The next text of a sight, or NULL: the bytes end before it does. */
static const char *take_text(const char **at, const char *end)
{
    const char *begin = *at;
    const char *zero = memchr(begin, '\0', (size_t)(end - begin));
    *at = zero == NULL ? end : zero + 1;
    return zero == NULL ? NULL : begin;
}

static void give_sights(const cli_text *bytes,
                        bool (*see)(void *, const cli_sight *), void *context)
{
    const char *at = bytes->data, *end = at + bytes->length;
    while (at < end) {
        cli_sight s = {.severity = (cli_severity)(*at++ - '0')};
        s.rule = take_text(&at, end);
        s.signature = take_text(&at, end);
        s.message = take_text(&at, end);
        if (s.message == NULL || !see(context, &s))
            return;
    }
}

bool cli_reduce_list(bool *died, const cli_view *view, cli_span text,
                     bool (*see)(void *, const cli_sight *), void *context)
{
    int out[2], status = 0;
    cli_text bytes = {0};
    pid_t parent = getpid();
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        become(parent);
        close(out[0]);
        _exit(list(view, text, out[1]));
    }
    close(out[1]);
    bool ok = pid > 0 && read_whole(&bytes, out[0]);
    close(out[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    *died = pid > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 3) &&
            status != 0;
    ok = ok && (status == 0 || *died);
    if (ok && !*died)
        give_sights(&bytes, see, context);
    cli_text_free(&bytes);
    return ok;
}
