#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP ((size_t)65536)
/* Below that a copy costs less than a file. */
#define SHARED_FROM ((size_t)1 << 20)

static bool fail(char *problem, size_t size, const char *text)
{
    snprintf(problem, size, "%s", text);
    return false;
}

static const char *kind_of_file(mode_t mode)
{
    if (S_ISDIR(mode))
        return "is a folder, not a file";
    if (S_ISFIFO(mode))
        return "is a FIFO, not a file (use - to read standard input)";
    if (S_ISSOCK(mode))
        return "is a socket, not a file";
    return "is a device, not a file";
}

static int open_input(const char *path, char *problem, size_t size)
{
    if (strcmp(path, "-") == 0)
        return dup(STDIN_FILENO);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        int error = errno;
        if (fd < 0 && error == ENXIO)
            fail(problem, size, "is a socket or a device, not a file");
        else
            snprintf(problem, size, "cannot be opened: %s", strerror(error));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    if (S_ISREG(info.st_mode))
        return fd;
    fail(problem, size, kind_of_file(info.st_mode));
    close(fd);
    return -1;
}

/* 1: more may follow, 0: the end, -1: an error in errno. */
static int read_step(cli_text *text, int fd, size_t limit)
{
    size_t room = text->capacity - text->length;
    /* What a file has room for is filled before it grows, and is shared. */
    size_t step = room > 1 ? room - 1 : STEP;
    if (step > limit + 1 - text->length)
        step = limit + 1 - text->length;
    if (!cli_text_reserve(text, step)) {
        errno = ENOMEM;
        return -1;
    }
    ssize_t n = read(fd, text->data + text->length, step);
    if (n < 0)
        return errno == EINTR ? 1 : -1;
    text->length += (size_t)n;
    text->data[text->length] = '\0';
    return n > 0;
}

static bool too_long(size_t limit, char *problem, size_t size)
{
    snprintf(problem, size, "is longer than %zu bytes", limit);
    return false;
}

/* Makes room for the whole file at once; false: it is longer than `limit`. */
static bool make_room(cli_text *text, int fd, size_t limit)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0)
        return true;
    if ((uint64_t)info.st_size > limit)
        return false;
    size_t size = (size_t)info.st_size + 1;
    if (size < SHARED_FROM || !cli_text_share(text, size))
        cli_text_reserve(text, size);
    return true;
}

bool cli_input_read(cli_text *text, const char *path, size_t limit, bool cut,
                    char *problem, size_t problem_size)
{
    int fd = open_input(path, problem, problem_size);
    if (fd < 0)
        return false;
    if (!cut && !make_room(text, fd, limit)) {
        close(fd);
        return too_long(limit, problem, problem_size);
    }
    int more = 1;
    while (more > 0 && text->length <= limit)
        more = read_step(text, fd, limit);
    int error = errno;
    close(fd);
    if (more < 0) {
        snprintf(problem, problem_size, "cannot be read: %s", strerror(error));
        return false;
    }
    if (text->length <= limit)
        return true;
    if (!cut)
        return too_long(limit, problem, problem_size);
    text->length = limit;
    text->data[limit] = '\0';
    return true;
}

bool cli_sha256(char hex[65], const void *data, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (EVP_Digest(data, length, digest, &size, EVP_sha256(), NULL) != 1 ||
        size != 32)
        return false;
    for (size_t i = 0; i < 32; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[64] = '\0';
    return true;
}

size_t cli_utf8_check(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        if ((unsigned char)text[at] < 0x80) {
            at++;
            continue;
        }
        uint32_t point;
        size_t n = cli_utf8_decode(&point, text + at, length - at);
        if (n == 0)
            return at;
        at += n;
    }
    return length;
}

void cli_position(uint64_t *line, uint64_t *column, const char *text,
                  size_t offset)
{
    size_t start = 0;
    *line = 1;
    for (size_t at = 0; at < offset; at++) {
        if (text[at] == '\n') {
            ++*line;
            start = at + 1;
        }
    }
    *column = offset - start + 1;
}
