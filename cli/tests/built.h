/* Programs that a test builds for itself, with the compiler of the build. */
#ifndef TESTS_BUILT_H
#define TESTS_BUILT_H

#include <stdbool.h>

/*
 * Builds a source of cli/tests/fuzz/ into a folder, as a program or as a
 * library to be loaded before others; gives its path, valid until eight
 * further calls of tool_path. Ends the case when it fails.
 */
const char *built(const char *folder, const char *name, bool library);

#endif
