/*
 * One test program, one case per process: `prog --list` prints the names of
 * its cases, `prog NAME` runs that one, `prog` runs all. The runner
 * (run_tests) starts a process per case, so a crash fails one case and its
 * sanitizer report is shown.
 */
#ifndef TESTING_HARNESS_H
#define TESTING_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*
 * Ends the case as skipped unless the file or folder can be read: what is not
 * part of the project need not be there, and a case without it has shown
 * nothing. To be called before anything is allocated.
 */
void test_needs(const char *path);

/* The same for a tool, as a command that ends with status 0. */
void test_needs_tool(const char *command);

/* The main function of a test program. Returns the exit status: that of a case
 * that is skipped is 77, as Automake has it. */
int test_main(int argc, char **argv, const struct CMUnitTest *tests,
              size_t count);

#define TEST_MAIN(tests)                                                       \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        return test_main(argc, argv, tests, sizeof tests / sizeof *tests);     \
    }

#endif
