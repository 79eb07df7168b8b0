/*
 * What the end-to-end tests share: running the command, and folders of files
 * made for one case. Everything here ends the case when it fails.
 */
#ifndef TESTS_TOOL_H
#define TESTS_TOOL_H

#include <stddef.h>
#include <sys/types.h>

typedef struct tool_result {
    int status; /* exit status, or 128 + signal */
    char *out;  /* NUL-terminated */
    size_t out_length;
    char *error;
} tool_result;

/* The program under test, from the environment or beside the test. */
const char *tool_program(void);

/*
 * Runs the program with arguments up to NULL, standard input from `input`
 * (NULL: nothing). Free the result with tool_free.
 */
void tool_run(tool_result *result, const char *input, ...)
    __attribute__((sentinel));
void tool_free(tool_result *result);

/* Runs and checks the exit status alone; says what was printed if not. */
void tool_expect(int status, const char *input, ...) __attribute__((sentinel));

/* Starts the program without waiting; its output goes to /dev/null. */
pid_t tool_start(const char *const *arguments);

/* A new empty folder. tool_remove deletes it with all that is in it. */
char *tool_folder(void);
void tool_remove(char *folder);

/* "folder/name", valid until eight further calls. */
const char *tool_path(const char *folder, const char *name);

/* Writes a file, making folders on the way. */
void tool_write(const char *folder, const char *name, const char *text);
void tool_write_bytes(const char *folder, const char *name, const void *data,
                      size_t length);
/* Copies a file of the project's corpus. */
void tool_copy(const char *folder, const char *name, const char *from);

/* The integer behind "name": in a JSON text; -1: there is none. */
long long tool_number(const char *json, const char *name);

/* The string behind "name": in a JSON text, up to its quote, in `out`. */
void tool_string(char *out, size_t size, const char *json, const char *name);

#endif
