#include "child.h"

#include "serve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STEP ((size_t)65536)
#define LONGEST ((size_t)1 << 31)
#define STEPS 16   /* writes or reads before its limits are looked at */
#define LOOK_MS 10 /* memory is not looked at more often */

void cli_child_init(cli_child *child, const cli_child_spec *spec)
{
    *child = (cli_child){.spec = spec, .id = -1, .before = -1};
    cli_process_init(&child->process);
}

static bool begin_request(cli_child *child)
{
    if (child->process.pid == 0) {
        if (!cli_process_start(&child->process, child->spec, false)) {
            snprintf(child->problem, sizeof child->problem,
                     "a process cannot be started: %s", strerror(errno));
            return false;
        }
        child->answered = 0;
    }
    cli_process_limit(&child->process, child->spec->timeout_ms);
    child->sent = 0;
    child->scanned = 0;
    cli_text_clear(&child->answer);
    child->at[0] = '\0';
    child->busy = true;
    child->looked = cli_now();
    child->deadline = child->looked + child->spec->timeout_ms;
    return true;
}

void cli_child_expect(cli_child *child, int64_t id, int64_t before)
{
    child->id = id;
    child->before = before == id ? -1 : before;
    child->repeated = false;
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
    bool ends = child->process.pid != 0 && child->process.to < 0;
    if (!child->busy && !ends)
        return 0;
    fds[0] = (struct pollfd){.fd = child->process.from, .events = POLLIN};
    if (ends || child->sent == child->request.length)
        return 1;
    fds[1] = (struct pollfd){.fd = child->process.to, .events = POLLOUT};
    return 2;
}

void cli_child_kill(cli_child *child)
{
    cli_process_kill(&child->process);
    child->busy = false;
}

static cli_event bury(cli_child *child)
{
    child->busy = false;
    cli_event event = cli_process_bury(&child->process, child->problem,
                                       sizeof child->problem);
    /* A process of ours says so itself, where the system gives it no more. */
    char no_memory[32];
    snprintf(no_memory, sizeof no_memory, "ended with status %d",
             CLI_SERVE_NO_MEMORY);
    if (event != CLI_CRASH || child->spec->command != NULL ||
        strcmp(child->problem, no_memory) != 0)
        return event;
    snprintf(child->problem, sizeof child->problem,
             "got no more memory from the system");
    return CLI_MEMORY;
}

/* Not all at once, so that its time and memory are looked at meanwhile. */
static void push(cli_child *child)
{
    for (int i = 0; i < STEPS && child->sent < child->request.length; i++) {
        ssize_t n = write(child->process.to, child->request.data + child->sent,
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

static bool has_id(const cli_child *child, const char *newline, int64_t id)
{
    int64_t number;
    cli_span value,
        line = {child->answer.data, (size_t)(newline - child->answer.data)};
    return cli_span_member(&value, line, "id") &&
           cli_span_int(&number, value) && number == id;
}

/* A line is complete; what stands behind it was not asked for. */
static cli_event finish_answer(cli_child *child, const char *newline)
{
    size_t length = (size_t)(newline - child->answer.data);
    child->stray = child->id >= 0 && !has_id(child, newline, child->id);
    if (length + 1 != child->answer.length ||
        child->sent < child->request.length)
        return fail(child, CLI_PROTOCOL, "gave more than one answer");
    child->answer.length = length;
    child->busy = false;
    child->answered++;
    return CLI_ANSWER;
}

static void drop_line(cli_child *child, const char *newline)
{
    cli_text *answer = &child->answer;
    answer->length -= (size_t)(newline - answer->data) + 1;
    memmove(answer->data, newline + 1, answer->length);
    child->scanned = 0;
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
    drop_line(child, newline);
    return true;
}

/* A line that answers the request before this one once more. */
static bool take_repeated(cli_child *child, const char *newline)
{
    if (child->before < 0 || !has_id(child, newline, child->before))
        return false;
    child->repeated = true;
    drop_line(child, newline);
    return true;
}

/* The end of the first line that counts; NULL: it is not there yet. */
static const char *find_line(cli_child *child)
{
    const cli_text *answer = &child->answer;
    const char *newline;
    do {
        newline = memchr(answer->data + child->scanned, '\n',
                         answer->length - child->scanned);
    } while (newline != NULL &&
             (take_phase(child, newline) || take_repeated(child, newline)));
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
        ssize_t n = read(child->process.from, answer->data + answer->length,
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

static cli_event check_limits(cli_child *child)
{
    int64_t now = cli_now();
    if (now < child->looked + LOOK_MS)
        return CLI_NOTHING;
    child->looked = now;
    if (cli_process_resident(&child->process) > child->spec->memory) {
        char problem[96];
        snprintf(problem, sizeof problem,
                 "used too much memory (limit: %lld MB)",
                 (long long)(child->spec->memory >> 20));
        return fail(child, CLI_MEMORY, problem);
    }
    if (now >= child->deadline) {
        char problem[96];
        snprintf(problem, sizeof problem, "did not answer (limit: %lld s)",
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

void cli_child_hang_up(cli_child *child)
{
    cli_process_hang_up(&child->process);
}

bool cli_child_hear(cli_child *child, bool *more)
{
    char bytes[4096];
    ssize_t n = 0;
    for (int i = 0; i < STEPS; i++) {
        n = read(child->process.from, bytes, sizeof bytes);
        *more = *more || n > 0;
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
    }
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

bool cli_child_stop(cli_child *child, int64_t wait_ms)
{
    bool good = cli_process_stop(&child->process, child->spec, wait_ms);
    child->busy = false;
    cli_text_free(&child->request);
    cli_text_free(&child->answer);
    return good;
}
