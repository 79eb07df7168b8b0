#include "outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot(const char *path, int why, char *problem, size_t size)
{
    snprintf(problem, size, "%s cannot be written: %s", path, strerror(why));
    return false;
}

/* As a file made without a draft would have it, or as the old one has it. */
static mode_t mode_of(const struct stat *old)
{
    if (old != NULL)
        return old->st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* In the folder of the file, by a name that nothing has. */
static char *name_draft(const char *path)
{
    const char *slash = strrchr(path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
    char *draft = NULL;
    return asprintf(&draft, "%.*s.counterpoint-XXXXXX", folder, path) < 0
               ? NULL
               : draft;
}

static bool open_draft(cli_outfile *file, const struct stat *old)
{
    file->draft = name_draft(file->path);
    int fd = file->draft == NULL ? -1 : mkstemp(file->draft);
    if (fd < 0)
        return false;
    if (fchmod(fd, mode_of(old)) == 0)
        file->stream = fdopen(fd, "w");
    if (file->stream != NULL)
        return true;
    int why = errno;
    close(fd);
    unlink(file->draft);
    errno = why;
    return false;
}

static void free_names(cli_outfile *file)
{
    free(file->path);
    free(file->draft);
    *file = (cli_outfile){0};
}

bool cli_outfile_open(cli_outfile *file, const char *path, char *problem,
                      size_t size)
{
    struct stat old;
    *file = (cli_outfile){.stream = stdout};
    if (path == NULL || strcmp(path, "-") == 0)
        return true;
    bool exists = stat(path, &old) == 0;
    *file = (cli_outfile){0};
    /* Behind a symbolic link, which stays. */
    file->path = exists ? realpath(path, NULL) : strdup(path);
    bool ok = file->path != NULL;
    if (ok && exists && access(path, W_OK) != 0)
        ok = false;
    else if (ok && exists && !S_ISREG(old.st_mode))
        ok = (file->stream = fopen(path, "w")) != NULL;
    else if (ok)
        ok = open_draft(file, exists ? &old : NULL);
    if (ok)
        return true;
    cannot(path, errno, problem, size);
    free_names(file);
    return false;
}

bool cli_outfile_close(cli_outfile *file, bool keep, char *problem, size_t size)
{
    if (file->path == NULL)
        return true;
    bool lost = ferror(file->stream) != 0;
    int why = errno;
    if (fclose(file->stream) != 0 && !lost) {
        lost = true;
        why = errno;
    }
    if (keep && !lost && file->draft != NULL &&
        rename(file->draft, file->path) != 0) {
        lost = true;
        why = errno;
    }
    if (file->draft != NULL && (lost || !keep))
        unlink(file->draft);
    if (keep && lost)
        cannot(file->path, why, problem, size);
    free_names(file);
    return !(keep && lost);
}

bool cli_outfile_write(const char *path, const char *data, size_t length,
                       char *problem, size_t size)
{
    cli_outfile file;
    if (!cli_outfile_open(&file, path, problem, size))
        return false;
    /* What does not arrive is told when the file is closed. */
    (void)fwrite(data, 1, length, file.stream);
    return cli_outfile_close(&file, true, problem, size);
}
