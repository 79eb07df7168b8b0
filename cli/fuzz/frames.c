#include "frames.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP 3

typedef struct frame {
    long number;
    const char *name; /* NULL: it has none, or is none of ours */
    size_t length;
} frame;

/* "#1 in NAME", "    #1 0x55d0 in NAME /path/file.c:12" */
static bool read_frame(frame *f, const char *line)
{
    char *end;
    line += strspn(line, " \t");
    if (*line != '#' || !isdigit((unsigned char)line[1]))
        return false;
    *f = (frame){.number = strtol(line + 1, &end, 10)};
    end += strspn(end, " ");
    if (strncmp(end, "0x", 2) == 0) {
        end += strcspn(end, " ");
        end += strspn(end, " ");
    }
    if (strncmp(end, "in ", 3) != 0)
        return true;
    f->name = end + 3;
    f->length = strcspn(f->name, " (."); /* as in "put.part.0" */
    return true;
}

static bool is_named(const frame *f, const char *name)
{
    return f->length == strlen(name) && memcmp(f->name, name, f->length) == 0;
}

/* What a sanitizer that is linked in has under the name of the C library. */
static bool is_of_library(const frame *f)
{
    static const char *const names[] = {"_start",
                                        "abort",
                                        "calloc",
                                        "fprintf",
                                        "free",
                                        "fwrite",
                                        "malloc",
                                        "memchr",
                                        "memcmp",
                                        "memcpy",
                                        "memmem",
                                        "memmove",
                                        "memset",
                                        "printf",
                                        "qsort",
                                        "raise",
                                        "read",
                                        "realloc",
                                        "sprintf",
                                        "strcat",
                                        "strchr",
                                        "strcmp",
                                        "strcpy",
                                        "strdup",
                                        "strlen",
                                        "strncat",
                                        "strncmp",
                                        "strncpy",
                                        "strndup",
                                        "strnlen",
                                        "strrchr",
                                        "strspn",
                                        "strstr",
                                        "strtol",
                                        "strtoll",
                                        "snprintf",
                                        "vprintf",
                                        "vfprintf",
                                        "vsnprintf",
                                        "vsprintf",
                                        "write",
                                        "puts",
                                        "printf_common",
                                        "StrtolFixAndCheck",
                                        "MemcmpInterceptorCommon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(f, names[i]))
            return true;
    return false;
}

/* Others of them begin so, or lie in a library. */
static bool is_ours(const frame *f)
{
    return f->length > 0 && strncmp(f->name, "__", 2) != 0 &&
           !is_of_library(f) && strstr(f->name, ".so") == NULL;
}

void cli_frames_find(char *frames, size_t size, const char *text, size_t length)
{
    char line[512];
    size_t used = 0, found = 0;
    long last = -1;
    frames[0] = '\0';
    for (size_t at = 0; at < length && found < TOP;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t end = newline == NULL ? length : (size_t)(newline - text);
        size_t kept = end - at < sizeof line - 1 ? end - at : sizeof line - 1;
        frame f;
        memcpy(line, text + at, kept);
        line[kept] = '\0';
        at = end + 1;
        if (!read_frame(&f, line))
            continue;
        if (f.number <= last) /* another backtrace: of who freed it */
            return;
        last = f.number;
        if (!is_ours(&f) || used + f.length + 4 >= size)
            continue;
        used +=
            (size_t)snprintf(frames + used, size - used, "%s%.*s",
                             found++ > 0 ? " < " : "", (int)f.length, f.name);
    }
}
