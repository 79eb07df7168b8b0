/* Reading a whole file, for the examples. */
#ifndef EXAMPLES_FILE_H
#define EXAMPLES_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file and their number; freed by the caller. NULL: told on
 * standard error. */
static inline char *read_whole_file(const char *path, size_t *length)
{
    size_t room = 1024;
    char *text = malloc(room);
    FILE *file = fopen(path, "rb");
    *length = 0;
    while (file != NULL && text != NULL) {
        size_t got = fread(text + *length, 1, room - *length, file);
        *length += got;
        if (got == 0)
            break;
        if (*length < room)
            continue;
        room *= 2;
        char *larger = realloc(text, room);
        if (larger == NULL)
            free(text);
        text = larger;
    }
    if (file == NULL || ferror(file)) {
        perror(path);
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

#endif
