#include "built.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

const char *built(const char *folder, const char *name, bool library)
{
    char command[1024];
    const char *compiler = getenv("CC");
    const char *path = tool_path(folder, name);
    snprintf(command, sizeof command,
             "%s -D_GNU_SOURCE -O1 %s -o %s cli/tests/fuzz/%s.c%s",
             compiler == NULL ? "cc" : compiler, library ? "-shared -fPIC" : "",
             path, name, library ? " -ldl" : "");
    if (system(command) != 0)
        fail_msg("%s", command);
    return path;
}
