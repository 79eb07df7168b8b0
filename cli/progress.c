#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "child.h"
#include "phases.h"
#include "print.h"
#include "text.h"

/* Short work ends before it is shown. */
#define FIRST_MS 200
#define STEP_MS 100
#define COLUMNS ((size_t)80)
/* A path of which less would be left is not shown. */
#define SHORTEST ((size_t)12)

bool cli_progress_wanted(bool quiet)
{
    return !quiet && isatty(STDERR_FILENO);
}

void cli_progress_begin(cli_progress *progress, bool on, size_t inputs)
{
    *progress = (cli_progress){
        .on = on,
        .next = cli_now() + FIRST_MS,
        .inputs = inputs,
    };
}

/* The last column stays free: some terminals break the line there. */
static size_t columns(void)
{
    struct winsize size = {0};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
        return COLUMNS - 1;
    return (size_t)size.ws_col - 1;
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* The end of a path that fits into `room`; it is what tells files apart. */
static void put_path(cli_text *line, const char *path, size_t room)
{
    size_t length = strlen(path);
    if (length > room) {
        const char *end = path + length;
        path = end - (room - 3);
        while (path < end && !begins_character(*path))
            path++;
        cli_text_put(line, "...");
    }
    cli_print_clean(line, path);
}

/* ", judge, derive, 12 s" */
static void put_work(cli_text *out, const cli_at *at)
{
    int64_t seconds = (cli_clock_us() - at->since) / 1000000;
    cli_text_printf(out, ": %s", at->part);
    if (*at->phase != '\0')
        cli_text_printf(out, ", %s", at->phase);
    if (seconds > 0)
        cli_text_printf(out, ", %lld s", (long long)seconds);
}

static void put_line(cli_text *line, const cli_progress *p, const cli_at *at)
{
    cli_text work = {0};
    size_t width = columns();
    cli_text_printf(line, "%lld of %zu inputs, %lld findings",
                    (long long)p->done, p->inputs, (long long)p->findings);
    if (at != NULL && at->path != NULL) {
        put_work(&work, at);
        size_t used = line->length + work.length + strlen("; ");
        if (used + SHORTEST <= width) {
            cli_text_put(line, "; ");
            put_path(line, at->path, width - used);
            cli_text_add(line, work.data, work.length);
        }
    }
    if (!line->failed && line->length > width)
        line->length = width;
    cli_text_free(&work);
}

void cli_progress_show(cli_progress *progress, const cli_at *at)
{
    cli_text line = {0};
    int64_t now = progress->on ? cli_now() : 0;
    if (!progress->on || now < progress->next)
        return;
    progress->next = now + STEP_MS;
    progress->visible = true;
    put_line(&line, progress, at);
    if (!line.failed)
        fprintf(stderr, "\r%.*s\033[K", (int)line.length, line.data);
    fflush(stderr);
    cli_text_free(&line);
}

void cli_progress_clear(cli_progress *progress)
{
    if (!progress->visible)
        return;
    fputs("\r\033[K", stderr);
    progress->visible = false;
}
