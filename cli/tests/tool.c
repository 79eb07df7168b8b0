#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"

#define MOST_ARGUMENTS 64

const char *tool_program(void)
{
    static char path[PATH_MAX];
    const char *given = getenv("COUNTERPOINT");
    if (given != NULL && *given != '\0')
        return given;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 20);
    assert_true(length > 0);
    path[length] = '\0';
    for (int up = 0; up < 3; up++)
        dirname(path);
    strcat(path, "/counterpoint");
    return path;
}

static int open_temporary(void)
{
    char path[] = "/tmp/counterpoint-test-XXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

static char *read_all(int fd, size_t *length)
{
    struct stat info;
    assert_int_equal(fstat(fd, &info), 0);
    size_t size = (size_t)info.st_size;
    char *text = malloc(size + 1);
    assert_non_null(text);
    *length = 0;
    while (*length < size) {
        ssize_t n = pread(fd, text + *length, size - *length, (off_t)*length);
        assert_true(n > 0);
        *length += (size_t)n;
    }
    text[size] = '\0';
    close(fd);
    return text;
}

static void become(int in, int out, int error, const char *const *arguments)
{
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    execv(tool_program(), (char *const *)(const void *)arguments);
    _exit(126);
}

static int wait_status(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run(tool_result *result, const char *input, va_list list)
{
    const char *arguments[MOST_ARGUMENTS] = {"counterpoint"};
    size_t count = 1;
    const char *argument;
    while ((argument = va_arg(list, const char *)) != NULL) {
        assert_true(count < MOST_ARGUMENTS - 1);
        arguments[count++] = argument;
    }
    int in = open_temporary(), out = open_temporary();
    int error = open_temporary();
    if (input != NULL)
        assert_int_equal(write(in, input, strlen(input)), strlen(input));
    lseek(in, 0, SEEK_SET);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        become(in, out, error, arguments);
    size_t ignored;
    result->status = wait_status(pid);
    result->out = read_all(out, &result->out_length);
    result->error = read_all(error, &ignored);
    close(in);
}

void tool_run(tool_result *result, const char *input, ...)
{
    va_list list;
    va_start(list, input);
    run(result, input, list);
    va_end(list);
}

void tool_free(tool_result *result)
{
    free(result->out);
    free(result->error);
}

void tool_expect(int status, const char *input, ...)
{
    tool_result result;
    va_list list;
    va_start(list, input);
    run(&result, input, list);
    va_end(list);
    if (result.status != status)
        fail_msg("exit status %d, not %d\n%s%s", result.status, status,
                 result.out, result.error);
    tool_free(&result);
}

pid_t tool_start(const char *const *arguments)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        become(null, null, null, arguments);
    }
    return pid;
}

char *tool_folder(void)
{
    char *path = strdup("/tmp/counterpoint-test-XXXXXX");
    assert_non_null(path);
    assert_non_null(mkdtemp(path));
    return path;
}

static int remove_entry(const char *path, const struct stat *info, int type,
                        struct FTW *ftw)
{
    (void)info;
    (void)ftw;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

void tool_remove(char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

const char *tool_path(const char *folder, const char *name)
{
    static char paths[8][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return path;
}

void tool_write_bytes(const char *folder, const char *name, const void *data,
                      size_t length)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *at = path + strlen(folder) + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
        *at = '/';
    }
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

void tool_write(const char *folder, const char *name, const char *text)
{
    tool_write_bytes(folder, name, text, strlen(text));
}

void tool_copy(const char *folder, const char *name, const char *from)
{
    size_t length;
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    char *text = read_all(fd, &length);
    tool_write_bytes(folder, name, text, length);
    free(text);
}

static const char *behind_name(const char *json, const char *name)
{
    char key[128];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(json, key);
    return at == NULL ? NULL : at + strlen(key);
}

long long tool_number(const char *json, const char *name)
{
    const char *at = behind_name(json, name);
    return at == NULL ? -1 : strtoll(at, NULL, 10);
}

void tool_string(char *out, size_t size, const char *json, const char *name)
{
    const char *at = behind_name(json, name);
    assert_non_null(at);
    assert_int_equal(*at, '"');
    size_t length = strcspn(at + 1, "\"");
    assert_true(length < size);
    memcpy(out, at + 1, length);
    out[length] = '\0';
}
