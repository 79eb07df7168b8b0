#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "frames.h"

#define STEP ((size_t)1 << 18)
#define PIPE_SIZE (1 << 20)
#define LINES 16      /* lines written at once */
#define PULLS 64      /* without an answer before its limits are looked at */
#define LOOK_MS 10    /* memory is not looked at more often */
#define LIMIT_MS 1000 /* as the limit of its processor time */
#define TICK_MS 20
#define STOP_MS 20000
#define SHORTEST ((int64_t)1 << 20) /* a line may be so long at least */
#define PART 8                      /* of the planner's memory; else that */
#define ERRORS ((size_t)1 << 16)    /* of its standard error is kept */

typedef struct request {
    cli_text line;
    void *tag;
} request;

struct cli_pipe {
    const cli_child_spec *spec;
    cli_process process;
    /* Numbers of requests; each stands in the ring at its remainder. */
    uint64_t first; /* without an answer */
    uint64_t sent;  /* behind those that were written wholly */
    uint64_t next;
    uint64_t careful; /* those before it go one at a time */
    request ring[CLI_PIPE_ROOM];
    size_t sent_bytes; /* of request `sent` */
    uint64_t answered; /* by this process */
    cli_text in;       /* what it has said */
    size_t taken;      /* of it: lines that were given back */
    size_t scanned;    /* of it: bytes without a newline behind `taken` */
    cli_text errors;
    int64_t since; /* ms: when the first became the first */
    int64_t looked, limited;
    char problem[160];
    char frames[256];
    char said[160];
    bool unasked; /* there was a line that answered nothing */
    /* The process was ended for a line that was none: of the first request, or
       behind an answer, if a fresh process gives none to that request. */
    bool suspect;
    bool failed;
};

cli_pipe *cli_pipe_new(const cli_child_spec *spec)
{
    cli_pipe *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->spec = spec;
    cli_process_init(&p->process);
    return p;
}

void cli_pipe_free(cli_pipe *p)
{
    if (p == NULL)
        return;
    cli_process_kill(&p->process);
    for (size_t i = 0; i < CLI_PIPE_ROOM; i++)
        cli_text_free(&p->ring[i].line);
    cli_text_free(&p->in);
    cli_text_free(&p->errors);
    free(p);
}

const char *cli_pipe_problem(const cli_pipe *p)
{
    return p->failed ? p->problem : NULL;
}

size_t cli_pipe_under_way(const cli_pipe *p)
{
    return (size_t)(p->next - p->first);
}

static request *at(cli_pipe *p, uint64_t number)
{
    return &p->ring[number % CLI_PIPE_ROOM];
}

cli_text *cli_pipe_line(cli_pipe *p, int64_t *id)
{
    if (p->next - p->first == CLI_PIPE_ROOM)
        return NULL;
    *id = (int64_t)p->next;
    cli_text *line = &at(p, p->next)->line;
    cli_text_clear(line);
    return line;
}

static bool fail(cli_pipe *p, const char *problem)
{
    p->failed = true;
    snprintf(p->problem, sizeof p->problem, "%s", problem);
    return false;
}

void cli_pipe_ask(cli_pipe *p, void *tag)
{
    request *r = at(p, p->next);
    if (r->line.failed)
        fail(p, "out of memory");
    r->tag = tag;
    if (p->first == p->next)
        p->since = cli_now();
    p->next++;
}

/* --- The process --- */

static void forget(cli_pipe *p)
{
    p->sent = p->first;
    p->sent_bytes = 0;
    p->answered = 0;
    p->taken = p->scanned = 0;
    cli_text_clear(&p->in);
    cli_text_clear(&p->errors);
    p->since = cli_now();
}

static bool start(cli_pipe *p)
{
    forget(p);
    if (!cli_process_start(&p->process, p->spec, true)) {
        char problem[128];
        snprintf(problem, sizeof problem, "a process cannot be started: %s",
                 strerror(errno));
        return fail(p, problem);
    }
    fcntl(p->process.to, F_SETPIPE_SZ, PIPE_SIZE);
    fcntl(p->process.from, F_SETPIPE_SZ, PIPE_SIZE);
    cli_process_limit(&p->process, p->spec->timeout_ms);
    p->limited = p->looked = p->since;
    return true;
}

/* Up to which request may be written now. */
static uint64_t may_send(const cli_pipe *p)
{
    return p->first < p->careful ? p->first + 1 : p->next;
}

static void advance(cli_pipe *p, size_t bytes)
{
    while (bytes > 0) {
        size_t left = at(p, p->sent)->line.length - p->sent_bytes;
        if (bytes < left) {
            p->sent_bytes += bytes;
            return;
        }
        bytes -= left;
        p->sent_bytes = 0;
        p->sent++;
    }
}

/*
 * Where its input is closed the next request counts as written, since it was
 * there for the process to read; what it says next decides.
 */
static void push(cli_pipe *p)
{
    uint64_t end = may_send(p);
    while (p->sent < end) {
        struct iovec parts[LINES];
        int count = 0;
        size_t skip = p->sent_bytes, size = 0;
        for (uint64_t n = p->sent; n < end && count < LINES; n++) {
            cli_text *line = &at(p, n)->line;
            parts[count].iov_base = line->data + skip;
            parts[count].iov_len = line->length - skip;
            size += parts[count++].iov_len;
            skip = 0;
        }
        ssize_t n = writev(p->process.to, parts, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            advance(p, at(p, p->sent)->line.length - p->sent_bytes);
        if (n < 0)
            return;
        advance(p, (size_t)n);
        if ((size_t)n < size)
            return;
    }
}

/* Not all at once: a planner may never end to complain. */
static void pull_errors(cli_pipe *p)
{
    char bytes[4096];
    ssize_t n = 1;
    for (int i = 0; i < PULLS && (n > 0 || (n < 0 && errno == EINTR)); i++) {
        n = read(p->process.errors, bytes, sizeof bytes);
        if (n > 0 && p->errors.length < ERRORS)
            cli_text_add(&p->errors, bytes, (size_t)n);
    }
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        close(p->process.errors);
        p->process.errors = -1;
    }
}

/* Makes room by dropping what was given back. */
static bool make_room(cli_pipe *p)
{
    cli_text *in = &p->in;
    if (p->taken > 0) {
        in->length -= p->taken;
        memmove(in->data, in->data + p->taken, in->length);
        p->scanned -= p->taken;
        p->taken = 0;
    }
    return cli_text_reserve(in, STEP);
}

typedef enum pulled { PULLED_NOTHING, PULLED_BYTES, PULLED_END } pulled;

static pulled pull(cli_pipe *p)
{
    cli_text *in = &p->in;
    ssize_t n;
    if (!make_room(p)) {
        fail(p, "out of memory");
        return PULLED_NOTHING;
    }
    do {
        n = read(p->process.from, in->data + in->length,
                 in->capacity - in->length - 1);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN)
        return PULLED_NOTHING;
    if (n <= 0)
        return PULLED_END;
    in->length += (size_t)n;
    return PULLED_BYTES;
}

/* What it says yet before it ends; none of it was asked for. */
static void hear_out(cli_pipe *p)
{
    int64_t end = cli_now() + STOP_MS;
    bool goes_on = true;
    while ((p->process.errors >= 0 || goes_on) && cli_now() < end) {
        struct pollfd fds[2] = {
            {.fd = p->process.errors, .events = POLLIN},
            {.fd = goes_on ? p->process.from : -1, .events = POLLIN},
        };
        poll(fds, 2, TICK_MS);
        if (p->process.errors >= 0)
            pull_errors(p);
        p->taken = p->scanned = p->in.length;
        pulled got = goes_on ? pull(p) : PULLED_NOTHING;
        p->unasked = p->unasked || got == PULLED_BYTES;
        goes_on = goes_on && got == PULLED_NOTHING;
    }
}

bool cli_pipe_rest(cli_pipe *p, bool *unasked)
{
    if (p->process.pid != 0) {
        p->unasked = p->unasked || p->taken < p->in.length;
        cli_process_hang_up(&p->process);
        hear_out(p);
    }
    *unasked = p->unasked;
    p->unasked = p->suspect = false;
    if (p->process.pid == 0)
        return true;
    bool good = cli_process_stop(&p->process, p->spec, STOP_MS) ||
                p->spec->command != NULL;
    if (!good && p->errors.length > 0)
        fwrite(p->errors.data, 1, p->errors.length, stderr);
    forget(p); /* what it has said is no word of the next one */
    return good;
}

/* --- Answers --- */

static bool give(cli_reply *reply, cli_pipe *p, cli_event event)
{
    reply->tag = at(p, p->first)->tag;
    reply->event = event;
    reply->problem = p->problem;
    reply->frames = p->frames;
    reply->said = p->said;
    p->unasked = p->unasked || (p->suspect && event != CLI_PROTOCOL);
    p->suspect = false;
    if (event != CLI_ANSWER)
        reply->answer = (cli_span){NULL, 0};
    p->first++;
    if (p->sent < p->first) /* its line was not read to its end */
        p->sent = p->first;
    p->since = cli_now();
    return true;
}

/* The last line of its standard error. */
static void keep_last_words(cli_pipe *p)
{
    size_t end = p->errors.length;
    const char *text = p->errors.data;
    while (end > 0 && (unsigned char)text[end - 1] <= ' ')
        end--;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    size_t length = end - begin;
    if (length >= sizeof p->said)
        length = sizeof p->said - 1;
    for (size_t i = 0; i < length; i++) {
        char c = text[begin + i];
        p->said[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    p->said[length] = '\0';
}

/*
 * The process is gone. True: the first request is to blame, since a fresh
 * process had it alone; else all is sent again.
 */
static bool blame(cli_reply *reply, cli_pipe *p, cli_event event)
{
    uint64_t begun = p->sent + (p->sent_bytes > 0);
    bool is_alone = begun - p->first <= 1 && p->answered == 0;
    bool idle = begun == p->first;
    p->suspect = p->suspect || event == CLI_PROTOCOL;
    p->unasked = p->unasked || (idle && event == CLI_PROTOCOL);
    keep_last_words(p);
    if (p->careful < begun)
        p->careful = begun;
    forget(p);
    if (idle)
        return false;
    return is_alone && give(reply, p, event);
}

static bool kill_for(cli_reply *reply, cli_pipe *p, cli_event event,
                     const char *problem)
{
    cli_process_kill(&p->process);
    snprintf(p->problem, sizeof p->problem, "%s", problem);
    p->frames[0] = '\0';
    return blame(reply, p, event);
}

static bool bury(cli_reply *reply, cli_pipe *p)
{
    if (p->process.errors >= 0)
        pull_errors(p);
    cli_event event =
        cli_process_bury(&p->process, p->problem, sizeof p->problem);
    cli_frames_find(p->frames, sizeof p->frames, p->errors.data,
                    p->errors.length);
    return blame(reply, p, event);
}

/* The id of an answer; that which is expected mostly stands at its end. */
static bool read_id(int64_t *id, cli_span line, uint64_t expected)
{
    char end[40];
    cli_span value;
    int length = snprintf(end, sizeof end, ",\"id\":%llu}",
                          (unsigned long long)expected);
    *id = (int64_t)expected;
    if (line.length > (size_t)length && line.data[0] == '{' &&
        memcmp(line.data + line.length - length, end, (size_t)length) == 0)
        return true;
    return cli_span_member(&value, line, "id") && cli_span_int(id, value) &&
           *id >= 0;
}

/* The next whole line; data NULL: it is not there yet. */
static cli_span next_line(cli_pipe *p)
{
    cli_text *in = &p->in;
    const char *newline = NULL;
    if (p->scanned < in->length)
        newline = memchr(in->data + p->scanned, '\n', in->length - p->scanned);
    if (newline == NULL) {
        p->scanned = in->length;
        return (cli_span){NULL, 0};
    }
    size_t from = p->taken, behind = (size_t)(newline - in->data) + 1;
    p->taken = p->scanned = behind;
    return (cli_span){in->data + from, behind - 1 - from};
}

/*
 * This process holds the line and judges it, and has about the memory that
 * the planner has: so a line may be a part of that alone.
 */
static bool is_too_long(const cli_pipe *p)
{
    int64_t most = p->spec->memory / PART;
    return (int64_t)(p->in.length - p->taken) >
           (most > SHORTEST ? most : SHORTEST);
}

/*
 * The next answer. What was answered already and is answered again is passed
 * over: whether that comes before or after the next request is chance. False:
 * there is none, or it was none of ours.
 */
static bool take_line(cli_reply *reply, cli_pipe *p)
{
    for (;;) {
        int64_t id;
        cli_span line = next_line(p);
        if (line.data == NULL)
            break;
        if (!read_id(&id, line, p->first) || (uint64_t)id > p->first ||
            (p->sent == p->first && p->sent_bytes == 0))
            return kill_for(reply, p, CLI_PROTOCOL,
                            "gave an answer that is none");
        if ((uint64_t)id < p->first) {
            p->unasked = true;
            continue;
        }
        p->answered++;
        reply->answer = line;
        return give(reply, p, CLI_ANSWER);
    }
    if (is_too_long(p))
        return kill_for(reply, p, CLI_PROTOCOL, "gave a line that is too long");
    return false;
}

static bool check_limits(cli_reply *reply, cli_pipe *p)
{
    char problem[96];
    int64_t now = cli_now();
    if (now < p->looked + LOOK_MS)
        return false;
    p->looked = now;
    if (now >= p->limited + LIMIT_MS) {
        p->limited = now;
        cli_process_limit(&p->process, p->spec->timeout_ms);
    }
    if (cli_process_resident(&p->process) > p->spec->memory) {
        snprintf(problem, sizeof problem,
                 "used too much memory (limit: %lld MB)",
                 (long long)(p->spec->memory >> 20));
        return kill_for(reply, p, CLI_MEMORY, problem);
    }
    if (p->first < p->sent && now >= p->since + p->spec->timeout_ms) {
        snprintf(problem, sizeof problem, "did not answer (limit: %lld s)",
                 (long long)(p->spec->timeout_ms / 1000));
        return kill_for(reply, p, CLI_TIMEOUT, problem);
    }
    return false;
}

static void wait_for_more(const cli_pipe *p)
{
    struct pollfd fds[3] = {
        {.fd = p->process.from, .events = POLLIN},
        {.fd = p->process.errors, .events = POLLIN},
        {.fd = p->sent < may_send(p) ? p->process.to : -1, .events = POLLOUT},
    };
    poll(fds, 3, TICK_MS);
}

bool cli_pipe_reply(cli_reply *reply, cli_pipe *p, bool wait)
{
    int pulls = 0;
    while (!p->failed && p->first < p->next) {
        if (take_line(reply, p))
            return true;
        if (p->process.pid == 0 && !start(p))
            return false;
        push(p);
        if (p->process.errors >= 0)
            pull_errors(p);
        pulled got = pull(p);
        if (got == PULLED_BYTES && take_line(reply, p))
            return true;
        if (got == PULLED_BYTES &&
            (p->process.pid == 0 || ++pulls % PULLS != 0))
            continue;
        if (got == PULLED_END ? bury(reply, p) : check_limits(reply, p))
            return true;
        if (got != PULLED_NOTHING || p->process.pid == 0)
            continue;
        if (!wait)
            return false;
        wait_for_more(p);
    }
    return false;
}
