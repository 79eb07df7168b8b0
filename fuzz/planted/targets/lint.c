/* One order that is lost is not told. */
#include "../../../cli/lint_compare.h"

bool __real_lint_compare(lint_changes *changes, lint_order *before,
                         lint_order *after);
bool __wrap_lint_compare(lint_changes *changes, lint_order *before,
                         lint_order *after);

bool __wrap_lint_compare(lint_changes *changes, lint_order *before,
                         lint_order *after)
{
    bool ok = __real_lint_compare(changes, before, after);
    if (ok && changes->count == 1 && changes->items[0].lost)
        changes->count = 0;
    return ok;
}
