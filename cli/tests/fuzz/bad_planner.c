/*
 * Refuses all that it is asked, but for one request in eight (by its input
 * alone), with which it is bad as BAD_PLANNER says: crash, hang, grow, garbage,
 * twice, more (another line), other (another id). With FLUSH_LATE its answers
 * leave it only when no further request is there, so that a death takes some
 * with it that were right. (The command is always the same: it is part of
 * signatures.)
 */
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t hash(const char *text)
{
    uint64_t h = 1469598103934665603u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h ^ h >> 29;
}

static void grow(void)
{
    for (;;) {
        size_t size = (size_t)16 << 20;
        volatile char *block = malloc(size);
        for (size_t i = 0; block != NULL && i < size; i += 4096)
            block[i] = 1;
        usleep(1000);
    }
}

static void answer(long id)
{
    printf("{\"error\":{\"code\":\"doc.unsupported\",\"message\":\"no\"},"
           "\"id\":%ld}\n",
           id);
}

static void be_bad(const char *kind, long id)
{
    if (strcmp(kind, "crash") == 0)
        _exit(7);
    if (strcmp(kind, "hang") == 0)
        sleep(1000);
    if (strcmp(kind, "grow") == 0)
        grow();
    if (strcmp(kind, "garbage") == 0)
        puts("[1,");
    if (strcmp(kind, "other") == 0)
        answer(id + 1);
    if (strcmp(kind, "twice") == 0) {
        answer(id);
        answer(id);
    }
    if (strcmp(kind, "more") == 0) {
        answer(id);
        puts("{\"hello\":1}");
    }
    if (strcmp(kind, "good") == 0)
        answer(id);
}

int main(void)
{
    static char buffer[1 << 20];
    char *line = NULL;
    size_t room = 0;
    const char *kind = getenv("BAD_PLANNER");
    bool flush_late = getenv("FLUSH_LATE") != NULL;
    if (kind == NULL)
        return 2;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    setvbuf(stdin, NULL, _IONBF, 0); /* poll must see what is there */
    while (getline(&line, &room, stdin) > 0) {
        const char *input = strstr(line, "\"input\":");
        const char *number = strstr(line, "\"id\":");
        if (input == NULL || number == NULL)
            return 1;
        long id = strtol(number + 5, NULL, 10);
        if (hash(input) % 8 == 0)
            be_bad(kind, id);
        else
            answer(id);
        struct pollfd next = {.fd = STDIN_FILENO, .events = POLLIN};
        if (!flush_late || poll(&next, 1, 0) == 0)
            fflush(stdout);
    }
    free(line);
    return 0;
}
