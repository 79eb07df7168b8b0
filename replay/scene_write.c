/* The folder of a scene. */
#include "replay/scene.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"

#define KERNELS "kernels"

typedef struct folder {
    const char *path;
    int fd;
    bool made;    /* by us */
    bool kernels; /* the folder in it, by us */
    replay_error *error;
} folder;

static replay_status say(folder *f, const char *name, const char *what)
{
    return replay_fail(f->error, REPLAY_IO, -1, "%.200s%s%s: %s: %s", f->path,
                       name[0] == '\0' ? "" : "/", name, what, strerror(errno));
}

/* Whether nothing is in the folder; errno when that is not known. */
static bool is_empty(int fd)
{
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = again < 0 ? NULL : fdopendir(again);
    if (entries == NULL) {
        if (again >= 0) {
            close(again);
        }
        return false;
    }
    bool empty = true;
    errno = 0;
    for (struct dirent *e = readdir(entries); e != NULL && empty;
         e = readdir(entries)) {
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    }
    int problem = errno;
    closedir(entries);
    errno = empty ? problem : ENOTEMPTY;
    return empty && problem == 0;
}

static replay_status open_folder(folder *f)
{
    f->made = mkdir(f->path, 0777) == 0;
    if (!f->made && errno != EEXIST) {
        return say(f, "", "the folder cannot be made");
    }
    f->fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->fd < 0) {
        return say(f, "", "it is no folder that can be opened");
    }
    if (!f->made && !is_empty(f->fd)) {
        return say(f, "", "a scene needs a folder that is new or empty");
    }
    f->kernels = mkdirat(f->fd, KERNELS, 0777) == 0;
    return f->kernels ? REPLAY_OK
                      : say(f, KERNELS, "the folder cannot be made");
}

static replay_status write_file(folder *f, const char *name, const void *data,
                                size_t length)
{
    const char *at = data;
    int fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return say(f, name, "it cannot be made");
    }
    while (length > 0) {
        ssize_t n = write(fd, at, length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            replay_status status = say(f, name, "it cannot be written");
            close(fd);
            return status;
        }
        at += n;
        length -= (size_t)n;
    }
    return close(fd) == 0 ? REPLAY_OK : say(f, name, "it cannot be written");
}

typedef struct file {
    const char *name;
    const void *data;
    size_t length;
} file;

/* Takes away what was written; what is not there does not matter. */
static void undo(folder *f, const file *own, size_t own_count)
{
    for (size_t i = 0; i < own_count; i++) {
        unlinkat(f->fd, own[i].name, 0);
    }
    for (size_t i = 0; i < replay_scene_text_count; i++) {
        unlinkat(f->fd, replay_scene_texts[i].name, 0);
    }
    unlinkat(f->fd, KERNELS, AT_REMOVEDIR);
    if (f->made) {
        rmdir(f->path);
    }
}

replay_status replay_scene_write(const replay_scene *scene, const char *path,
                                 replay_error *error)
{
    const file own[] = {
        {"score.txt", scene->score, scene->score_length},
        {"schedules.txt", scene->schedules, scene->schedules_length},
        {"expected.bin", scene->expected, scene->expected_length},
    };
    const size_t own_count = sizeof own / sizeof *own;
    folder f = {.path = path, .fd = -1, .error = error};
    replay_status status = open_folder(&f);
    for (size_t i = 0; i < replay_scene_text_count && status == REPLAY_OK;
         i++) {
        const replay_scene_text *t = &replay_scene_texts[i];
        status = write_file(&f, t->name, t->text, strlen(t->text));
    }
    for (size_t i = 0; i < own_count && status == REPLAY_OK; i++) {
        status = write_file(&f, own[i].name, own[i].data, own[i].length);
    }
    if (status != REPLAY_OK && f.kernels) {
        undo(&f, own, own_count);
    } else if (status != REPLAY_OK && f.made) {
        rmdir(f.path);
    }
    if (f.fd >= 0) {
        close(f.fd);
    }
    return status;
}
